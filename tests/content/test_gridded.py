"""The Gridded Game as shipped: it loads clean, and it says what its source says.

The values expected here were typed from the source and not from the content.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from rulebook.checking.sense import check
from rulebook.core.odds import FaultyProcedure, odds
from rulebook.loading.rulesets import load
from rulebook.model.cells import Cell
from rulebook.model.lookup import find
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Ruleset
from rulebook.model.tables import Grid, RecordTable
from rulebook.problems import format_report
from rulebook.quantities import format_value

CONTENT = next(
    folder / "content"
    for folder in Path(__file__).parents
    if (folder / "content" / "gridded").is_dir()
)
FOLDER = CONTENT / "gridded"


@pytest.fixture(scope="module")
def game() -> Ruleset:
    loaded = load(FOLDER)
    assert loaded.ruleset is not None, format_report(loaded.report)
    return loaded.ruleset


def printed(ruleset: Ruleset, path: str) -> str:
    found = find(ruleset, path)
    return str(found) if isinstance(found, Cell) else format_value(found)  # type: ignore[arg-type]


def test_loads_and_checks_without_a_fault(game: Ruleset) -> None:
    assert format_report(load(FOLDER).report) == ""
    assert format_report(check(game)) == ""
    assert game.header.edition == "1.1"


#: What infantry, cavalry and artillery have left of a move.
TERRAIN_MOVES = {
    "hill": ["one_less", "one_less", "one_less"],
    "rough": ["full", "one_less", "full"],
    "forest": ["one_tile", "barred", "barred"],
    "built_up": ["full", "barred", "barred"],
    "river": ["crossing", "crossing", "crossing"],
    "swamp": ["barred", "barred", "barred"],
    "mountain": ["barred", "barred", "barred"],
}


@pytest.mark.parametrize(
    ("ground", "column", "going"),
    [
        (ground, column, going)
        for ground, line in TERRAIN_MOVES.items()
        for column, going in enumerate(line)
    ],
)
def test_moves_in_terrain(game: Ruleset, ground: str, column: int, going: str) -> None:
    table = game.tables["terrain_moves"]
    assert isinstance(table, Grid)
    assert table.data[list(TERRAIN_MOVES).index(ground)][column].value == going


FACTS = [
    ("strengths.infantry.points", "6"),
    ("strengths.cavalry.points", "4"),
    ("strengths.artillery.points", "3"),
    ("turn_steps.one.does", "Determine initiative"),
    ("turn_steps.two.does", "Move"),
    ("turn_steps.three.does", "Ranged attack"),
    ("turn_steps.four.does", "Close combat"),
    ("turn_steps.five.does", "Remove units"),
    ("deployment.side.rows", "2"),
    ("tile_counts.firing.tiles", "1"),
    ("tile_counts.into_cover.tiles", "1"),
    ("tile_counts.withdrawal.tiles", "1"),
    ("tile_counts.retreat.tiles", "1"),
    ("tile_counts.facing.tiles", "1"),
    ("times_in_a_turn.move.times", "1"),
    ("times_in_a_turn.fire.times", "1"),
    ("arcs.built_up.degrees", "360"),
    ("going.one_less.less", "1"),
    ("going.one_tile.most", "1"),
    ("terrain_effects.hill.cover", "–"),
    ("terrain_effects.hill.sight", "Blocked behind, edge seen"),
    ("terrain_effects.rough.cover", "Light infantry"),
    ("terrain_effects.rough.sight", "–"),
    ("terrain_effects.forest.cover", "All"),
    ("terrain_effects.forest.sight", "Blocked behind, edge seen"),
    ("terrain_effects.built_up.cover", "All"),
    ("terrain_effects.built_up.sight", "Blocked behind"),
    ("terrain_effects.river.sight", "–"),
    ("terrain_effects.swamp.sight", "–"),
    ("terrain_effects.mountain.sight", "Blocked"),
]


@pytest.mark.parametrize(("place", "expected"), FACTS)
def test_facts(game: Ruleset, place: str, expected: str) -> None:
    assert printed(game, place) == expected


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (
            "ranged_modifiers",
            {
                "commander": {"infantry": 1, "artillery": 1},
                "same_tile": {"artillery": 1},
                "cover": {"infantry": -1, "artillery": -1},
            },
        ),
        (
            "combat_modifiers",
            {
                "commander": {"throw": 1},
                "flank": {"throw": 1},
                "downhill": {"throw": 1},
                "uphill": {"throw": -1},
                "into_cover": {"throw": -1},
            },
        ),
    ],
)
def test_modifiers(game: Ruleset, table: str, expected: dict[str, dict[str, int]]) -> None:
    rows = game.modifiers[table].rows
    found = {key: {name: row.amount(name) for name in row.amounts} for key, row in rows.items()}
    assert found == expected


UNITS = ("line_infantry", "light_infantry", "cavalry", "artillery")
SHOOTING = ("range", "fire_one", "fire_two")
DATA = ("move", *SHOOTING, "combat_one", "combat_two")


@pytest.mark.parametrize(("unit", "field"), list(product(UNITS, DATA)))
def test_unit_data_are_a_blank_form(game: Ruleset, unit: str, field: str) -> None:
    """The source has lost every number of them; cavalry does not shoot."""
    cell = find(game, f"unit_data.{unit}.{field}")
    assert isinstance(cell, Cell)
    rides_by = unit == "cavalry" and field in SHOOTING
    assert cell.value is None
    assert cell.status is (Status.READ if rides_by else Status.MISSING)


def test_the_form_has_no_other_rows_or_columns(game: Ruleset) -> None:
    table = game.tables["unit_data"]
    assert isinstance(table, RecordTable)
    assert (tuple(table.data), tuple(table.fields)) == (UNITS, DATA)


@pytest.mark.parametrize("face", range(1, 7))
def test_the_impact_of_hits_is_a_blank_form(game: Ruleset, face: int) -> None:
    cell = find(game, f"impact[{face}, impact]")
    assert isinstance(cell, Cell)
    assert (cell.value, cell.status) == (None, Status.MISSING)


def test_all_that_is_drawn_is_ours(game: Ruleset) -> None:
    """No size stands in the source."""
    assert {cutout.status for cutout in game.cutouts.values()} == {Status.HOUSE}
    assert game.tables["tile"].status is Status.HOUSE


DICE = list(product(range(1, 7), repeat=2))


def test_odds_of_initiative(game: Ruleset) -> None:
    """Equal throws are thrown again: thirty outcomes are left, alike in chance."""
    found = odds(game, "initiative").results
    unequal = [(one, other) for one, other in DICE if one != other]
    assert found["first"].chance("one") == Fraction(1, 2)
    for moves in range(1, 7):
        chance = Fraction(sum(one == moves for one, _ in unequal), len(unequal))
        assert found["one_moves"].chance(moves) == chance == Fraction(1, 6)
        assert found["other_moves"].chance(moves) == chance


@pytest.mark.parametrize(
    ("procedure", "given", "modifier"),
    [
        ("ranged_attack", "", 0),
        ("ranged_attack", "conditions=commander", 1),
        ("ranged_attack", "conditions=same_tile", 0),
        ("ranged_attack", "arm=artillery conditions=same_tile", 1),
        ("ranged_attack", "arm=artillery conditions=commander,same_tile", 2),
        ("ranged_attack", "arm=artillery conditions=commander,cover", 0),
        ("ranged_attack", "conditions=cover", -1),
        ("close_combat", "", 0),
        ("close_combat", "conditions=commander,flank,downhill", 3),
        ("close_combat", "conditions=uphill,into_cover", -2),
        ("close_combat", "conditions=flank,into_cover", 0),
    ],
)
def test_odds_of_totals(game: Ruleset, procedure: str, given: str, modifier: int) -> None:
    expected = Counter(one + other + modifier for one, other in DICE)
    found = odds(game, procedure, dict(one.split("=") for one in given.split()))
    assert dict(found.results["total"].outcomes) == {
        total: Fraction(number, 36) for total, number in expected.items()
    }


@pytest.mark.parametrize(("number", "modifier"), list(product(range(2, 16), range(-2, 4))))
def test_odds_of_reaching_a_number(game: Ruleset, number: int, modifier: int) -> None:
    found = odds(game, "reach", {"number": str(number), "modifier": str(modifier)})
    expected = Fraction(sum(one + other + modifier >= number for one, other in DICE), 36)
    assert found.results["reached"].chance(True) == expected


@pytest.mark.parametrize(("enemies", "faces"), list(product(range(1, 5), range(7))))
def test_odds_of_a_retreat(game: Ruleset, enemies: int, faces: int) -> None:
    found = odds(game, "ordered_back", {"enemies": str(enemies), "faces": str(faces)})
    throws = list(product(range(1, 7), repeat=enemies))
    expected = Fraction(sum(min(throw) <= faces for throw in throws), len(throws))
    assert found.results["retreats"].chance(True) == expected


@pytest.mark.parametrize(("unit", "points"), [("infantry", 6), ("cavalry", 4), ("artillery", 3)])
@pytest.mark.parametrize("number", [4, 7, 10])
def test_odds_of_removal(game: Ruleset, unit: str, points: int, number: int) -> None:
    """The mean wait for so many successes is their number over the chance of one."""
    found = odds(game, "attacks_to_remove", {"unit": unit, "number": str(number)})
    chance = Fraction(sum(one + other >= number for one, other in DICE), 36)
    assert found.results["attacks"].mean == points / chance


def test_nobody_attacks_uphill_and_downhill(game: Ruleset) -> None:
    with pytest.raises(FaultyProcedure, match="uphill and downhill"):
        odds(game, "close_combat", {"conditions": "uphill,downhill"})


def test_procedures_of_the_source_are_told_and_played(game: Ruleset) -> None:
    told = {
        name
        for phase in game.sequence.values()
        for step in phase.steps.values()
        for name in step.procedures
    }
    played = {step.run for example in game.examples.values() for step in example.runs.values()}
    assert told == played == {"initiative", "ranged_attack", "close_combat", "ordered_back"}
    assert set(game.procedures) - told == {"reach", "attacks_to_remove"}
