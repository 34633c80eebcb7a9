"""The Thin Red Line as shipped: it loads clean, and it says what its source says.

The values expected here were typed from the source and not from the content. Its dice are held
against the source in `odds/`.
"""

from __future__ import annotations

import pytest
from shipped_rulesets import printed_at, shipped

from rulebook.model.modifiers import ModifierTable
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Ruleset
from rulebook.model.tables import RecordTable
from rulebook.model.unstated import unstated


@pytest.fixture(scope="module")
def trl() -> Ruleset:
    return shipped("thin-red-line")


def test_header(trl: Ruleset) -> None:
    assert trl.header.title == "The Thin Red Line"
    assert trl.header.natural == {1: "fails", 6: "passes"}
    assert {credit.name for credit in trl.header.credits} == {
        "Ben Seib",
        "Scott Laird",
        "Cheltenham Warchiefs",
        "Newcastle Occasional Wargamers",
    }


#: A row of a record table: its fields in the order of `fields`, as they print.
ROWS: dict[str, dict[str, list[str]]] = {
    "stands": {"small": ["1″", "1¼″"], "medium": ["2″", "1¼″"], "large": ["2″", "2½″"]},
    "basing": {
        "general": ["large", "3–4"],
        "colonel": ["medium", "2–3"],
        "line": ["medium", "6"],
        "grenadiers": ["medium", "6"],
        "light": ["small", "3"],
        "light_cavalry": ["large", "3"],
        "medium_cavalry": ["large", "4"],
        "heavy_cavalry": ["large", "4"],
        "light_gun": ["large", "1 gun, 2 crew"],
        "heavy_gun": ["large", "1 gun, 3 crew"],
    },
    "batteries": {"light": ["2", "2", "4"], "heavy": ["2", "2", "6"]},
    "skill": {"conscript": ["5+"], "trained": ["4+"], "veteran": ["3+"]},
    "motivation_quality": {"unsteady": ["5+"], "steady": ["4+"], "fearless": ["3+"]},
    "moves": {
        "light_infantry": ["6″", "12″", "6″", "6″", "–"],
        "infantry": ["6″", "12″", "4″", "–", "–"],
        "light_cavalry": ["–", "–", "10″", "12″", "–"],
        "medium_cavalry": ["–", "–", "8″", "10″", "–"],
        "heavy_cavalry": ["–", "–", "6″", "8″", "–"],
        "light_artillery": ["5″", "–", "6″", "–", "3″"],
        "heavy_artillery": ["–", "–", "5″", "–", "2″"],
        "horse_artillery": ["–", "–", "", "–", "3″"],
    },
    "line_widths": {"infantry": ["2", "4"], "light": ["4", "8"]},
    "column_widths": {
        "most": ["2"],
        "austrian": ["3"],
        "russian": ["3"],
        "british": ["1"],
    },
    "loose_gaps": {"infantry": ["2″"], "cavalry": ["4″"]},
    "square_limits": {"square": ["2″"]},
    "to_hit": {
        "infantry": ["6+", "✓"],
        "cavalry": ["6+", "–"],
        "cannon": ["4+", "✓"],
        "grape": ["3+", "✓"],
    },
    "shooting_saves": {"infantry": ["3+"], "cavalry": ["4+"], "artillery": ["5+"]},
    "assault_moves": {
        "infantry": ["4″"],
        "light_cavalry": ["8″"],
        "heavy_cavalry": ["6″"],
        "artillery": ["–"],
    },
    "attacks": {
        "line": ["1", "–"],
        "light": ["1", "–"],
        "grenadiers": ["2", "–"],
        "infantry_square": ["1", "3+"],
        "brigade": ["1", "–"],
        "battalion": ["1", ""],
        "artillery": ["1", "–"],
        "light_cavalry": ["2", "5+"],
        "medium_cavalry": ["3", "4+"],
        "heavy_cavalry": ["4", "3+"],
    },
    "blasts": {"howitzer": ["3″", "4+", "–"], "rocket": ["3″", "6+", "−1"]},
    "rout_distances": {
        "infantry": ["12″"],
        "light_cavalry": ["12″"],
        "medium_cavalry": ["10″"],
        "heavy_cavalry": ["8″"],
        "light_artillery": ["6″"],
        "heavy_artillery": ["5″"],
    },
    # Stood, moved, and what a move takes from the die.
    "rates": {
        "infantry": ["1", "1", "−1"],
        "light_infantry": ["1", "1", "−1"],
        "cavalry": ["1", "1", "–"],
        "light": ["3", "1", "−1"],
        "light_grape": ["6", "2", "–"],
        "horse": ["2", "2", "−1"],
        "horse_grape": ["4", "4", "−1"],
        "heavy": ["5", "–", "–"],
        "howitzer": ["1", "1", "−1"],
        "rocket": ["2", "1", "−1"],
    },
    "fire_shares": {"doubled": ["2"], "disorientated": ["½"], "defensive": ["½"]},
    "weapons": {
        "musket": ["12″", "1", "–", "–", "6+"],
        "light": ["36″", "3", "12″", "6", "5+"],
        "horse": ["36″", "2", "12″", "4", "4+"],
        "heavy": ["48″", "5", "–", "–", "3+"],
        "howitzer": ["36″", "1", "–", "–", "3+"],
        "rocket": ["36″", "2", "–", "–", "6+"],
    },
    "rerolls": {"general": ["✓", "✓"], "near": ["✓", "–"], "adjutant": ["✓", "–"]},
    "passage": {
        "free": ["0″", "–"],
        "slowed": ["2″", "–"],
        "slowed_check": ["2″", "2+"],
        "barred": ["–", "–"],
    },
    "terrain_classes": {
        "open": ["–"],
        "difficult": ["✓"],
        "very_difficult": ["✓"],
        "impassable": ["–"],
    },
    "assault_limits": {
        "removed": ["2″"],
        "least": ["1″"],
        "cavalry": ["3″"],
        "retaliation": ["4″"],
        "hit_and_run": ["8″"],
        "breakthrough": ["6″"],
    },
    "moved_rates": {"any": ["1"], "grape": ["2"]},
    "strengths": {"battalion": ["2", "6", "3"], "battery": ["–", "2", "1"]},
    "sight_arcs": {
        "sight": ["180°"],
        "grape": ["90°"],
        "emplacement": ["90°"],
        "front": ["180°"],
        "breakthrough": ["180°"],
    },
    "building_throw": {"building": ["1–4"], "troops": ["5–6"]},
    "terrain": {
        "field": ["open", "–"],
        "crops": ["open", "–"],
        "woodland": ["difficult", "✓"],
        "woods": ["very_difficult", "✓"],
        "hedge": ["difficult", "✓"],
        "bocage": ["very_difficult", "✓"],
        "low_embankment": ["difficult", "✓"],
        "steep_embankment": ["very_difficult", "✓"],
        "rocky": ["difficult", "–"],
        "knoll": ["open", "✓"],
        "hillock": ["difficult", "✓"],
        "hill": ["very_difficult", "✓"],
        "cliff": ["impassable", "✓"],
        "hard_desert": ["open", "–"],
        "firm_sand": ["open", "–"],
        "soft_sand": ["difficult", "–"],
        "marsh": ["difficult", "–"],
        "brook": ["very_difficult", "–"],
        "ravine": ["very_difficult", "–"],
        "deep_river": ["impassable", "–"],
    },
    "terrain_sizes": {
        "woodland": ["6–12″", "6–24″", "–"],
        "woods": ["12–36″", "24–48″", "–"],
        "knoll": ["≤ 12″", "≤ 12″", "1–2″"],
        "hillock": ["12–24″", "12–24″", "1–3″"],
        "hill": ["12–36″", "24–48″", "1–3″"],
    },
}

ROW_FACTS = [(table, row, cells) for table, rows in ROWS.items() for row, cells in rows.items()]

#: A place, and what stands there.
FACTS = [
    ("indirect.howitzer.beyond", "4″"),
    ("far_limits.far.beyond", "16″"),
    ("fall_back_limits.six.hits", "6"),
    ("fall_back_limits.six.back", "3″"),
    ("attachments.light.within", "2″"),
    ("attachments.own_company.within", "3″"),
    ("attachments.artillery.within", "4″"),
    ("attachments.grenadiers.within", "–"),
    ("fall_back.six.goes", "falls back 3″ at its end, disorientated"),
    ("motivation_failures.assault.does", "retreats 1″ for each stand lost, cavalry 3″"),
    ("unit_sizes.company.stands", "2 medium stands"),
    ("unit_sizes.battalion.stands", "6 stands"),
    ("cover_distances.cover.within", "1″"),
    ("cover_distances.found.within", "1″"),
    ("cover_distances.search.within", "3″"),
    ("cover_distances.woods.within", "5″"),
    ("cover_distances.trees.within", "4″"),
    ("command_radii.reroll.within", "8″"),
    ("command_radii.bonus.within", "16″"),
    ("command_radii.death.within", "16″"),
    ("command_radii.larger.within", "6″"),
    ("outcomes.failed.does", "retreats 1″ for each stand lost"),
    ("outcomes.failed_cavalry.does", "retreats 3″ for each stand lost"),
    ("outcomes.retaliates.does", "moves up to 4″ and fights"),
    ("outcomes.destroyed.attacker", "breaks through 6″ or consolidates"),
    ("assault_tests[infantry, infantry]", "–"),
    ("assault_tests[infantry, cavalry]", "✓"),
    ("assault_tests[infantry, artillery]", "✓"),
    ("assault_tests[cavalry, infantry]", "–"),
    ("assault_tests[cavalry, square]", "✓"),
    ("assault_tests[cavalry, cavalry]", "–"),
    ("assault_tests[cavalry, artillery]", "✓"),
    ("going[difficult, foot]", "Full move"),
    ("going[difficult, column]", "Slowed"),
    ("going[difficult, cavalry]", "Slowed"),
    ("going[difficult, artillery]", "Slowed, bogs"),
    ("going[very_difficult, foot]", "Full move"),
    ("going[very_difficult, column]", "Slowed"),
    ("going[very_difficult, cavalry]", "Slowed, bogs"),
    ("going[very_difficult, artillery]", "Barred"),
    ("column_tray.files", "2"),
    ("column_tray.ranks", "3"),
    ("buildings.small.wounds", "10"),
    ("buildings.medium.wounds", "20"),
    ("buildings.large.wounds", "25"),
    ("buildings.massive.wounds", "40"),
    ("blast_disc.diameter", "3″"),
    ("grape_arc.angle", "90°"),
    ("grape_arc.radius", "12″"),
    ("sight_arc.angle", "180°"),
    ("emplacement_arc.angle", "90°"),
    ("front_arc.angle", "180°"),
    ("front_arc.radius", "6″"),
    ("command_disc.radius", "16″"),
    ("medium_stand.width", "2″"),
    ("medium_stand.depth", "1¼″"),
    ("small_stand.width", "1″"),
    ("large_stand.depth", "2½″"),
]

MODIFIERS: dict[str, dict[str, dict[str, int]]] = {
    "shooting_modifiers": {
        "square": {"to_hit": 2},
        "column": {"to_hit": 1},
        "rifles": {"to_hit": 1},
        "veterans": {"to_hit": 1},
        "crossing": {"to_hit": 1},
        "jaeger": {"rof": 1},
        "wide_line": {"rof": 1},
        "cover": {"to_hit": -1},
        "indirect": {"to_hit": -1},
        "through_friends": {"to_hit": -1},
        "conscripts": {"to_hit": -1},
        "moved": {"to_hit": -1},
        "far": {"to_hit": -1},
        "loose": {"to_hit": -1},
    },
    "motivation_modifiers": {
        "below_half": {"roll": -1},
        "disorientated": {"roll": -1},
        "commander_dead": {"roll": -1},
        "several_enemies": {"roll": -1},
        "larger_enemy": {"roll": -1},
        "company": {"roll": -1},
        "square": {"roll": -2},
        "rockets": {"roll": -1},
        "commander_near": {"roll": 1},
        "larger_friend": {"roll": 1},
        "defensive": {"roll": 1},
        "full_strength": {"roll": 1},
    },
    "assault_modifiers": {
        "riding_down": {"skill": 1},
        "lances": {"skill": 1},
        "lancers_charged": {"save": -1},
    },
}


def test_larger_enemies_and_companies_count_each(trl: Ruleset) -> None:
    """ "(cumulative)" and "Per company lost"; all else of the table counts once."""
    rows = trl.modifiers["motivation_modifiers"].rows
    assert {key for key, row in rows.items() if row.up_to} == {"larger_enemy", "company"}


def test_there_are_enough_facts() -> None:
    modifiers = sum(len(rows) for rows in MODIFIERS.values())
    assert len(ROW_FACTS) + len(FACTS) + modifiers >= 150


@pytest.mark.parametrize(("table", "row", "cells"), ROW_FACTS)
def test_row(trl: Ruleset, table: str, row: str, cells: list[str]) -> None:
    found = trl.tables[table]
    assert isinstance(found, RecordTable)
    assert [str(cell) for cell in found.data[row].cells.values()] == cells


@pytest.mark.parametrize("table", ROWS)
def test_no_row_is_unknown_to_the_source(trl: Ruleset, table: str) -> None:
    found = trl.tables[table]
    assert isinstance(found, RecordTable)
    assert list(found.data) == list(ROWS[table])


@pytest.mark.parametrize(("path", "expected"), FACTS)
def test_fact(trl: Ruleset, path: str, expected: str) -> None:
    assert printed_at(trl, path) == expected


@pytest.mark.parametrize(
    ("table", "row", "title"),
    [
        ("motivation_reasons", "commander", "Brigade Commander killed within 16″"),
        ("fall_back", "six", "6 hits in a phase"),
    ],
)
def test_title(trl: Ruleset, table: str, row: str, title: str) -> None:
    found = trl.tables[table]
    assert isinstance(found, RecordTable)
    assert found.data[row].title == title


@pytest.mark.parametrize("name", MODIFIERS)
def test_modifiers(trl: Ruleset, name: str) -> None:
    table = trl.modifiers[name]
    assert isinstance(table, ModifierTable)
    told = {key: {k: str(v) for k, v in row.amounts.items()} for key, row in table.rows.items()}
    assert told == {
        row: {changed: f"{amount:+d}".replace("-", "−") for changed, amount in amounts.items()}
        for row, amounts in MODIFIERS[name].items()
    }


#: What the source announces or needs and does not give.
MISSING = [
    "Distances: Horse artillery, Line",
    "Attacks and saves: Battalion CO, Save",
    "Optional rules and scenarios",
    "Drawings",
    "Who is what",
    "Basing of other arms",
    "Freeing what is bogged down",
    "Skirmishers behind a low wall",
    "How far horses bolt",
    "Disorientation by blast",
    "Nations with grand batteries",
    "Light Infantry special rule",
    "What a breach does",
]
#: Where the source speaks twice and differs, or is torn.
READ = [
    "Three or four",
    "A column of two",
    "Heavy guns that move",
    "Terrain: Marsh, bog, stream",
    "Terrain: Deep river, swamp, lake",
    "Terrain: Hedges, walls, line of trees, Blocks sight",
    "Weapons: Howitzer, FPW",
    "Weapons: Heavy artillery",
    "Retreats",
    "The end of an assault",
    "A die or an attack",
    "What failing means",
    "Six hits",
    "Seeing through skirmishers",
    "Confident",
    "Which stands fall",
    "Fire from a new square",
    "After a round: Artillery with losses",
    "After a round: Square that fails",
    "Loose troops in woods",
    "Buildings: Medium",
    "Buildings: Large",
]


@pytest.mark.parametrize("title", MISSING)
def test_what_the_source_does_not_give_is_missing(trl: Ruleset, title: str) -> None:
    assert title in {item.title for item in unstated(trl) if item.status is Status.MISSING}


@pytest.mark.parametrize("title", READ)
def test_what_the_source_leaves_unclear_is_read(trl: Ruleset, title: str) -> None:
    assert title in {item.title for item in unstated(trl) if item.status is Status.READ}


def test_a_wide_line_throws_two_dice(trl: Ruleset) -> None:
    """ "An infantry stand has a RoF of 2 when in Line Formation": the one and the +1 together."""
    wide = trl.modifiers["shooting_modifiers"].rows["wide_line"].amounts["rof"]
    assert int(printed_at(trl, "weapons.musket.rof")) + int(str(wide)) == 2


def test_all_examples_of_the_source_are_there(trl: Ruleset) -> None:
    """Two played through, the dice of two units, and the six hits on two companies."""
    assert {"veterans_and_guns", "bobs_cavalry", "dice_of_a_line", "six_hits_on_five"} <= set(
        trl.examples
    )


def test_procedures(trl: Ruleset) -> None:
    assert set(trl.procedures) == {
        "initiative",
        "bogging",
        "spotting",
        "shooting_dice",
        "saving",
        "shooting",
        "end_of_shooting",
        "blast",
        "assault",
        "coming_home",
        "forming_square",
        "charge",
        "motivation_test",
        "building_shot",
        "breach",
    }
