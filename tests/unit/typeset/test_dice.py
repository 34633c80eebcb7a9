"""Dice of worked examples on the page: a drawn face for each die of six sides, else its figure."""

import re
from pathlib import Path

import pytest
from composed import compose

from rulebook.documents.booklet.layout import booklet_screen
from rulebook.documents.qrs.layout import qrs_page
from rulebook.loading.rulesets import load
from rulebook.packaged import templates_folder

VALID = Path(__file__).parents[2] / "bad" / "valid" / "game"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Booklet and sheet for a screen of a game in which a run throws a die with eight sides."""
    folder = tmp_path_factory.mktemp("content") / "game"
    for file in (path for path in VALID.rglob("*") if path.is_file()):
        copy = folder / file.relative_to(VALID)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    volleys, fighting = folder / "volleys.yaml", folder / "fighting.yaml"
    volleys.write_text(
        volleys.read_text()
        .replace("gives: {casualties: 5}", "gives: {casualties: 5, luck: 8}")
        .replace("result: {casualties: casualties}", "result: {casualties: casualties, luck: luck}")
        .replace("      - id: throw", "      - {roll: {luck: d8}}\n      - id: throw")
        .replace("dice: [6, 3]", "dice: [8, 6, 3]")
    )
    panel = "tables: [musketry, shooting_modifiers]"
    fighting.write_text(
        fighting.read_text().replace(panel, f"{panel}\n        examples: [two_volleys]")
    )
    ruleset = load(folder).ruleset
    assert ruleset is not None
    views = {one.kind: one.view for one in compose(ruleset)}
    templates = templates_folder()
    return {
        "booklet": booklet_screen(views["booklet-screen"], templates),
        "sheet": qrs_page(views["qrs-screen"], templates, None),
    }


def test_each_run_of_the_booklet_has_a_line(pages: dict[str, str]) -> None:
    by_day, by_moonlight = re.findall(r'<p class="played">.*?</p>', pages["booklet"], re.DOTALL)
    for line in (by_day, by_moonlight):
        assert line.count("<circle") == 6 + 3
        assert re.findall(r"<title>(\d)</title>", line) == ["6", "3"]
        assert re.findall(r'<span class="die">(\d)</span>', line) == ["8"]
        assert line.count('class="throw"') == 2
    assert re.findall(r"(\w+):&nbsp;<b>(\d)</b>", by_day) == [("Casualties", "5"), ("Luck", "8")]
    assert re.findall(r"(\w+):&nbsp;<b>(\d)</b>", by_moonlight) == [("Casualties", "3")]


def test_the_sheet_tells_each_run_shortly(pages: dict[str, str]) -> None:
    (example,) = re.findall(r'<div class="example">.*?</div>', pages["sheet"], re.DOTALL)
    assert '<b class="example-title">Two volleys</b>' in example
    by_day, by_moonlight = example.split('<span class="run line">')[1:]
    assert by_day.count("<circle") == by_moonlight.count("<circle") == 6 + 3
    assert by_moonlight.startswith("Fire by moonlight. ")
    assert "They throw" not in example
