"""Copies of the shipped scenarios with one mistake each, and the exact report of each mistake.

The reports stand in broken_scenarios/, a file for each scenario. Run with `--accept` to write new
ones, then read every one of them.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from shipped_rulesets import SHIPPED

from rulebook.checking.scenarios import check_scenarios
from rulebook.loading.rulesets import load
from rulebook.problems import Report, format_report
from rulebook.shipped import content_folder

REPORTS = Path(__file__).parent / "broken_scenarios"
FILES = sorted(
    path.relative_to(content_folder())
    for name in SHIPPED
    for path in (content_folder() / name / "scenarios").glob("*.yaml")
    if re.search(r"^scenarios:", path.read_text(encoding="utf-8"), re.MULTILINE)
)
#: Breaks a text; the same text where there is nothing of the kind to break.
Break = Callable[[str], str]


def swap(pattern: str, new: str, *, after: str = "") -> Break:
    """Replaces the first place at which a pattern fits, behind another if one is given."""

    def broken(text: str) -> str:
        start = re.search(after, text, re.MULTILINE) if after else None
        at = start.end() if start else 0
        return text[:at] + re.sub(pattern, new, text[at:], count=1, flags=re.MULTILINE)

    return broken


def crossed(text: str) -> str:
    """The second and third corners of the first area with four or more change places."""
    point = r"\[[\d.]+in, [\d.]+in\]"
    return re.sub(
        rf"(area: \[{point}, )({point}), ({point})(, {point})", r"\1\3, \2\4", text, count=1
    )


def overlapping(text: str) -> str:
    """The second zone becomes the first."""
    zones = re.findall(r"zone: (\[\[.*?\]\])", text)
    return text.replace(zones[1], zones[0]) if len(zones) > 1 else text


def named(text: str) -> str:
    """The text about victory names a place of a kind that the map has."""
    titles = re.findall(r"title: ([^,\n}]+)", text.partition("features:")[2].partition("sides:")[0])
    kind = next(title.split()[-1] for title in titles if " " in title.removeprefix("The "))
    where = re.search(
        r"^    victory:(?: \|\n|\n(?:      .*\n)*?      text: \|\n)", text, re.MULTILINE
    )
    assert where
    indent = re.match(r" *", text[where.end() :])
    assert indent
    return f"{text[: where.end()]}{indent[0]}Nobody holds Nowhere {kind}.\n{text[where.end() :]}"


def circle(text: str) -> str:
    """A formation that holds itself, among others or by itself."""
    loop = "formations:\n  loop: {title: Loop, of: {loop: 1}}\n"
    if re.search(r"^formations:\n", text, re.MULTILINE):
        return re.sub(r"^formations:\n", loop, text, flags=re.MULTILINE)
    return text + loop


def more_stated(text: str) -> str:
    """The first side states 99 of a unit, which stands there already or is one of its own."""
    if "stated:" in text:
        return swap(r"(stated: \{\w+: )\d+", r"\g<1>99")(text)
    unit = next(name for name in UNITS if f"{name}: " in text)
    return swap(r"^(        colour: \w+\n)", rf"\1        stated: {{{unit}: 99}}\n")(text)


UNITS = ("infantry_regiment", "grenadier_battalion", "battalion", "artillery_unit", "gun_six")
_FORCES = r"^        forces:"
BREAKS: dict[str, Break] = {
    "a unit or formation that is none": swap(r"(of: \{\w+)", r"\1x", after=_FORCES),
    "formations in a circle": circle,
    "more units stated than there are": more_stated,
    "a force after the end": swap(r"turn: \d+,", "turn: 99,", after=_FORCES),
    "a force at no place": swap(r"(at: \w+)", r"\1x", after=_FORCES),
    "an entry inside the table": swap(r"entry: \[[^\]]*\]", "entry: [5in, 5in]"),
    "a feature off the table": swap(r"(oval: \{centre: )\[[^\]]*\]", r"\1[0in, 0in]"),
    "a point off the table": swap(r"(line: \[\[)[\d.]+in", r"\g<1>390in"),
    "an outline that crosses itself": crossed,
    "an outline with nothing in it": swap(
        r"area: \[\[.*\]\]", "area: [[5in, 5in], [6in, 6in], [7in, 7in]]"
    ),
    "zones that overlap": overlapping,
    "a zone without room": swap(
        r"zone: \[\[.*?\]\]", "zone: [[20in, 20in], [20.5in, 20in], [20.5in, 20.5in]]"
    ),
    "a kind of ground that is none": swap(r"(is: \w+\.\w+)", r"\1x"),
    "a bridge off its river": swap(r"bridges: \[\[.*?\]\]", "bridges: [[3in, 3in]]"),
    "an objective at no place": swap(r"(at: \w+)", r"\1x", after=r"^    objectives:"),
    "a place that nobody uses": swap(
        r"^    places:\n", "    places:\n      ruins: {title: Ruins, entry: [0in, 0in]}\n"
    ),
    "a first side that is none": lambda text: (
        swap(r"first: \w+", "first: nobody")(text)
        if "    first:" in text
        else swap(r"^(    length: )", r"    first: nobody\n\1")(text)
    ),
    "an option that is none": swap(
        r"^    rules:\n", "    rules:\n      night: {title: Night, option: by_night}\n"
    ),
    "a place named and not mapped": named,
    "a road of no length": swap(
        r"line: \[\[.*\]\]", "line: [[5in, 5in], [5in, 5in]]", after=r"draw: (?:road|track)"
    ),
    "ground of another shape": swap("draw: hill", "draw: road"),
    "a force that is at an entry from the start": swap(r", turn: \d+, at:", ", at:", after=_FORCES),
    "a force that comes later to a zone": swap(
        r"(of: \{[^}]*\}, at: (?!anywhere)\w+)", r"\1, turn: 2", after=_FORCES
    ),
    "more names than units": swap(
        r"(of: \{(\w+): [12]\})(?!.*names)", r"\1, names: {\2: [One, Two, Three]}", after=_FORCES
    ),
    "a key that is misspelt": swap("^    length:", "    lenght:"),
    "a game of no turns": swap(r"^(    length: (?:\{turns: )?)\d+", r"\g<1>0"),
}
#: Broken copies that stay whole, since there is nothing of the kind in the scenario.
WHOLE = {
    "acw/scenarios/gettysburg.yaml": {
        "zones that overlap",
        "a zone without room",
        "a force that comes later to a zone",
    },
    "acw/scenarios/sawmill_village.yaml": {
        "a force after the end",
        "an entry inside the table",
        "a zone without room",
        "a force that is at an entry from the start",
    },
    "acw/scenarios/wagon_train.yaml": {
        "a bridge off its river",
        "zones that overlap",
        "a zone without room",
    },
    "gridded/scenarios/crossroads.yaml": {
        "a feature off the table",
        "a bridge off its river",
        "a zone without room",
    },
    "horse-and-musket/scenarios/bridge.yaml": {"zones that overlap", "a zone without room"},
}


def report_of(folder: Path) -> str:
    loaded = load(folder)
    report = Report(list(loaded.report.problems))
    if loaded.ruleset is not None:
        report.extend(check_scenarios(loaded.ruleset))
    return format_report(report)


def leave_out_all_but(ruleset: Path, file: Path) -> None:
    """Take away other scenarios, and examples, which take longest of all that is read again."""
    for other in FILES:
        if other != file:
            other.unlink(missing_ok=True)
    for path in [*ruleset.glob("*.yaml"), *ruleset.glob("*.md")]:
        whole = path.read_text(encoding="utf-8")
        left = re.sub(r"^examples:\n(?:[ #].*\n|\n)*", "", whole, flags=re.MULTILINE)
        left = re.sub(r"^(?:\{example: | +examples: \[).*\n", "", left, flags=re.MULTILINE)
        if left != whole:
            path.write_text(left, encoding="utf-8")


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_every_broken_copy_tells_its_mistake(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    ruleset = file.parts[0]
    shutil.copytree(content_folder() / ruleset, tmp_path / ruleset)
    monkeypatch.chdir(tmp_path)
    text = (content_folder() / file).read_text(encoding="utf-8")
    leave_out_all_but(Path(ruleset), file)
    told: list[str] = []
    whole = set()
    for name, broken in BREAKS.items():
        copy = broken(text)
        file.write_text(copy, encoding="utf-8")
        report = report_of(Path(ruleset)) if copy != text else ""
        if report:
            assert len(re.findall(r"(?:error|warning)\[R", report)) == 1, f"{name}\n{report}"
            told.append(f"# {name}\n{report}\n")
        else:
            whole.add(name)
    assert whole == WHOLE.get(file.as_posix(), set())
    expected = REPORTS / f"{ruleset}-{file.stem}.txt"
    if request.config.getoption("--accept"):
        expected.write_text("\n".join(told), encoding="utf-8")
    assert "\n".join(told) == expected.read_text(encoding="utf-8")
