"""What the source does not plainly state, in the order of the booklet."""

from __future__ import annotations

import shutil
from pathlib import Path

from beside import as_written

from rulebook.loading.rulesets import load
from rulebook.model.not_in_source import unstated
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Ruleset
from rulebook.problems import format_report

VALID = Path(__file__).parents[2] / "bad" / "valid" / "game"


def test_the_valid_ruleset(ruleset: Ruleset) -> None:
    assert [
        (item.status, item.title, item.section_id, item.address) for item in unstated(ruleset)
    ] == [
        (Status.HOUSE, "A first volley", "musketry", ("examples", "first_volley")),
        (
            Status.READ,
            "How far the ball runs on",
            "round_shot",
            ("prose", "round_shot", "How far the ball runs on"),
        ),
        (Status.HOUSE, "Two volleys", "night", ("examples", "two_volleys")),
        (Status.HOUSE, "Fire", None, ("sequence", "fire")),
    ]


def test_rows_cells_and_conditions(tmp_path: Path) -> None:
    game = tmp_path / "game"
    shutil.copytree(VALID, game)
    shooting = game / "shooting.yaml"
    text = shooting.read_text()
    for old, new in as_written(__file__, "rows_cells_and_conditions").items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    shooting.write_text(text)
    loaded = load(game)
    assert format_report(loaded.report) == ""
    assert loaded.ruleset is not None
    found = unstated(loaded.ruleset)[:5]
    assert [(item.status.value, item.title, item.address) for item in found] == [
        ("read", "Musketry: 8–16″, First volley, Open", ("tables", "musketry", "data", 1, 2)),
        ("read", "Ranges: Musket", ("tables", "ranges", "data", "musket")),
        ("missing", "Ranges: Pistol, Long", ("tables", "ranges", "data", "pistol", "long")),
        (
            "house",
            "Shooting: firing at a square",
            ("modifiers", "shooting_modifiers", "rows", "square"),
        ),
        (
            "read",
            "Shooting: the firers have moved, Dice",
            ("modifiers", "shooting_modifiers", "rows", "moved", "dice"),
        ),
    ]
    assert [str(item.note) for item in found] == [
        "Torn page.",
        "Of two kinds.",
        "Not given.",
        "Ours.",
        "Torn page.",
    ]
    assert found[0].source == "p. 4"
    assert {item.section_id for item in found} == {"musketry"}
