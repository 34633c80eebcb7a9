"""Every fault code is explained, with a report as the faulty rulesets of the tests show it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulebook.faults import catalogue
from rulebook.manual.book import topics
from rulebook.manual.fault_codes import EXAMPLES, examples
from rulebook.printable_characters import FRAMES, unprintable

BAD = Path(__file__).parents[1] / "bad"


def reports() -> dict[str, tuple[str, str]]:
    """Of each code the first of the faulty rulesets whose report can be printed, and the report."""
    found: dict[str, tuple[str, str]] = {}
    for file in sorted(BAD.glob("R*-*/expected.txt")):
        told = file.read_text("utf-8").rstrip()
        if not any(unprintable(FRAMES.sub("", told))):
            found.setdefault(file.parent.name[:4], (file.parent.name, told))
    return found


def test_examples_are_reports_of_the_tests(request: pytest.FixtureRequest) -> None:
    """With --accept the first report of each code is taken; any other that is right may stay."""
    if request.config.getoption("--accept"):
        text = "\n\n".join(f"{name}\n{told}" for name, told in reports().values())
        EXAMPLES.write_text(text + "\n", "utf-8")
        examples.cache_clear()
    named = re.findall(r"(?m)^(R\d{3})-\S+$", EXAMPLES.read_text("utf-8"))
    assert sorted(named) == sorted(reports())
    told = {code: told for code, (_, told) in reports().items()}
    assert examples() == told, "run pytest --accept tests/manual/test_fault_codes.py"


def test_every_code_is_a_topic_with_its_meaning() -> None:
    for code, meaning in catalogue().meanings.items():
        text = topics()[code.lower()].text
        assert meaning[1:].replace("*", "\\*") in text, code
        assert code not in examples() or examples()[code] in text


def test_every_text_of_a_code_stands_there() -> None:
    """Its words between what a report puts in."""
    for name, wording in catalogue().wordings.items():
        text = topics()[name[:4].lower()].text
        for piece in re.split(r"\{[a-z_]*(?::[^{}]*)?\}", wording.message):
            assert piece.replace("{{", "{").replace("}}", "}") in text, (name, piece)
