"""The Gridded Game as shipped: it loads clean, and it says what its source says.

The values expected here were typed from the source and not from the content.
"""

from __future__ import annotations

import re
from itertools import product

import pytest
from shipped_rulesets import printed_at, shipped

from rulebook.model.cells import Cell
from rulebook.model.lookup import find
from rulebook.model.prose import Remark, Section, Text
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Ruleset
from rulebook.model.tables import RecordTable
from rulebook.model.unstated import unstated


@pytest.fixture(scope="module")
def game() -> Ruleset:
    return shipped("gridded")


def test_the_edition_is_that_of_the_source(game: Ruleset) -> None:
    assert game.header.edition == "1.1"


ARMS = ("infantry", "cavalry", "artillery")
#: What these have left of a move.
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
    assert isinstance(table, RecordTable)
    assert (tuple(table.data), tuple(table.fields)) == (tuple(TERRAIN_MOVES), ARMS)
    row = table.data[ground]
    assert row.cells[ARMS[column]].value == going
    assert row.status is (Status.READ if ground == "built_up" else Status.STATED)


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
    ("arcs.built_up.arc", "360°"),
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
    assert printed_at(game, place) == expected


#: What each list of modifiers adds to or takes from an attack: three lists in the source.
MODIFIERS = [
    ("ranged_modifiers", "infantry", {"commander": +1, "cover": -1}),
    ("ranged_modifiers", "artillery", {"commander": +1, "same_tile": +1, "cover": -1}),
    (
        "combat_modifiers",
        "throw",
        {"commander": +1, "flank": +1, "downhill": +1, "uphill": -1, "into_cover": -1},
    ),
]


@pytest.mark.parametrize(("table", "change", "expected"), MODIFIERS)
def test_modifiers(game: Ruleset, table: str, change: str, expected: dict[str, int]) -> None:
    rows = game.modifiers[table].rows
    amounts = {key: row.amount(change) for key, row in rows.items()}
    assert {key: amount for key, amount in amounts.items() if amount is not None} == expected
    assert game.modifiers[table].status is Status.READ


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
    assert table.status is Status.MISSING


@pytest.mark.parametrize("quality", ["elite", "other", "raw"])
@pytest.mark.parametrize("face", range(1, 7))
def test_the_impact_of_hits_is_a_blank_form(game: Ruleset, face: int, quality: str) -> None:
    cell = find(game, f"impact[{face}, {quality}]")
    assert isinstance(cell, Cell)
    assert (cell.value, cell.status) == (None, Status.MISSING)


def test_all_that_is_drawn_is_ours(game: Ruleset) -> None:
    """No size stands in the source."""
    assert {cutout.status for cutout in game.cutouts.values()} == {Status.HOUSE}
    assert game.tables["tile"].status is Status.HOUSE


#: Rules without a number: the section that tells them and words that one paragraph of it has.
RULES = [
    ("setup", "throw places first"),
    ("setup", "rows back not columns either edge unless scenario terrain"),
    ("setup", "throw for first move unless scenario"),
    ("setup", "rule attacker’s"),
    ("turn", "game-turn begins initiative both players each player a turn of his own"),
    ("turn", "both have played next game-turn"),
    ("initiative_rule", "higher score first score number of units may move"),
    ("moving", "through sides never corners"),
    ("moving", "turn as often as it likes at the end faces"),
    ("moving", "no unit begins or ends in the tile of another"),
    ("moving", "commander may share attached"),
    ("moving", "only cavalry pass through friendly"),
    ("next_to_an_enemy", "next to an enemy stops turns to face close combat follows"),
    ("next_to_an_enemy", "next to two enemies player chooses"),
    ("terrain", "rivers crossed bridges fords only"),
    ("terrain", "nobody enters swamp mountain"),
    ("line_of_sight", "must see its target"),
    ("line_of_sight", "centre of one tile to the centre"),
    ("line_of_sight", "hills forests built-up areas hide behind mountains"),
    ("line_of_sight", "on the edge of a hill or a forest faces the enemy can be seen"),
    ("line_of_sight", "in a built-up area fires all round"),
    ("ranged_attack_rule", "target within its range in line of sight"),
    ("ranged_attack_rule", "artillery that has moved may not fire"),
    ("ranged_attack_rule", "into forests or built-up areas"),
    ("ranged_attack_rule", "into a forest only from the tile next to it"),
    ("ranged_attack_rule", "infantry fires out only from the edge"),
    ("ranged_attack_rule", "artillery does not fire out"),
    ("close_combat_rule", "next to an enemy attacks only the attacker throws"),
    ("close_combat_rule", "flank rear directly on the side or the rear"),
    ("withdrawal", "engaged in the enemy’s turn may withdraw may not attack"),
    ("withdrawal", "infantry attack cavalry may withdraw"),
    ("following_up", "attacker may occupy left retreat removal even used up move"),
    ("resolving", "one die for each enemy unit that scored"),
    ("resolving", "damage from several dice added up"),
    ("resolving", "any die orders a retreat the unit goes back"),
    ("resolving", "if it stays damage more"),
    ("strength", "all used up removed last step"),
    ("types", "line infantry shoulder musket bayonet well drilled seldom shoot well"),
    ("types", "light infantry best shots loose fast cover weaker hand to hand"),
    ("types", "cavalry sabre lance very fast flank"),
    ("types", "artillery hard very far silence first"),
]


def section(game: Ruleset, name: str) -> Section:
    (found,) = (one for chapter in game.chapters for one in chapter.sections if one.id == name)
    return found


@pytest.mark.parametrize(("name", "words"), RULES)
def test_rules_without_a_number(game: Ruleset, name: str, words: str) -> None:
    texts = [part.markdown for part in section(game, name).parts if isinstance(part, Text)]
    paragraphs = [
        set(re.findall(r"[\w’-]+", one.lower())) for one in "\n\n".join(texts).split("\n")
    ]
    assert any(set(words.split()) <= paragraph for paragraph in paragraphs)


def test_what_is_read_lacking_or_ours_is_owned_up_to(game: Ruleset) -> None:
    """Of the notes on the source each has its remark; ours are the drawings and two reckonings."""
    remarks = {
        part.title: part.status
        for chapter in game.chapters
        for one in chapter.sections
        for part in one.parts
        if isinstance(part, Remark)
    }
    missing = {title for title, status in remarks.items() if status is Status.MISSING}
    assert missing == {
        "Title, date and author",
        "Board and armies",
        "Commanders",
        "Sight from a hill",
        "Staying in combat",
        "Cavalry attacked twice",
        "Way of a retreat",
        "Elite units",
    }
    house = {one.address[1] for one in unstated(game) if one.status is Status.HOUSE}
    drawn = {"tile", *game.cutouts}
    reckoned = {"reach", "ordered_back", "attacks_to_remove"}
    assert house - {"the_game"} == drawn | reckoned


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
