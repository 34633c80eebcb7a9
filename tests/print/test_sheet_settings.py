"""What the author of a small sheet may ask for, read back from its PDF."""

from typing import Any

import pytest
from composed import compose
from read_pdf import Printed
from rendered import rendered_file
from small_rulesets import ruleset_of

QRS = {"papers": ["a4"], "inks": ["full"], "columns": "any"}
SAID = "Roll a die.", "At night:\n| Range | Rifle |\n| --- | --- |\n| 0–8 | 4+ |\n| 8–16 | 5+ |"


def sheet(*say: str, path: str = "qrs-a4.pdf", **header: Any) -> Printed:
    step = {"title": "Shooting", "rule": "rules", "say": list(say)}
    phases = {"fire": {"title": "Fire", "steps": {"one": step}}}
    documents = {"booklet": None, "qrs": {**QRS, **header.pop("qrs", {})}}
    ruleset = ruleset_of({"sequence": phases}, documents=documents, **header)
    made = compose(ruleset)
    document = next(one for one in made if any(file.path == path for file in one.files))
    return Printed(rendered_file(document, path))


def test_a_table_in_a_reminder_is_set_as_a_table_without_a_bullet() -> None:
    page = sheet(*SAID)
    letters = page.letters(0)
    assert not [one for one in letters if one.text in "|-"]
    assert [one.text for one in letters].count("•") == 1
    first, second = (one for one in letters if one.text == "+")
    assert first.left == pytest.approx(second.left, abs=0.1) and first.top < second.top
    # that of Rifle, the head
    assert any(
        head.text == "R" and head.top < first.top and 0 < first.left - head.left < 3
        for head in letters
    )
