"""The Thin Red Line as shipped: it loads clean, and it says what its source says.

The values expected here were typed from the source and not from the content.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from rulebook.checking.sense import check
from rulebook.core.odds import Odds, odds
from rulebook.loading.rulesets import load
from rulebook.model.cells import Cell
from rulebook.model.lookup import find
from rulebook.model.modifiers import ModifierTable
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Ruleset
from rulebook.model.tables import RecordTable
from rulebook.model.unstated import unstated
from rulebook.problems import format_report
from rulebook.quantities import format_value

FOLDER = next(
    folder for up in Path(__file__).parents if (folder := up / "content" / "thin-red-line").is_dir()
)


@pytest.fixture(scope="module")
def trl() -> Ruleset:
    loaded = load(FOLDER)
    assert loaded.ruleset is not None, format_report(loaded.report)
    return loaded.ruleset


def printed(ruleset: Ruleset, path: str) -> str:
    found = find(ruleset, path)
    return str(found) if isinstance(found, Cell) else format_value(found)  # type: ignore[arg-type]


def test_loads_and_checks_without_a_fault(trl: Ruleset) -> None:
    assert format_report(load(FOLDER).report) == ""
    assert format_report(check(trl)) == ""


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
    },
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
        "knoll": ["up to 12″", "up to 12″", "1–2″"],
        "hillock": ["12–24″", "12–24″", "1–3″"],
        "hill": ["12–36″", "24–48″", "1–3″"],
    },
}

ROW_FACTS = [(table, row, cells) for table, rows in ROWS.items() for row, cells in rows.items()]

#: A place, and what stands there.
FACTS = [
    ("weapons.musket.range", "12″"),
    ("weapons.musket.rof", "1"),
    ("weapons.musket.grape", "–"),
    ("weapons.musket.firepower", "6+"),
    ("weapons.light.range", "36″"),
    ("weapons.light.rof", "3"),
    ("weapons.light.grape", "12″"),
    ("weapons.light.grape_rof", "6"),
    ("weapons.light.firepower", "5+"),
    ("weapons.horse.range", "36″"),
    ("weapons.horse.rof", "2"),
    ("weapons.horse.grape", "12″"),
    ("weapons.horse.grape_rof", "4"),
    ("weapons.horse.firepower", "4+"),
    ("weapons.heavy.range", "48″"),
    ("weapons.heavy.rof", "5"),
    ("weapons.heavy.grape", "–"),
    ("weapons.heavy.grape_rof", "–"),
    ("weapons.heavy.firepower", "3+"),
    ("weapons.howitzer.range", "36″"),
    ("weapons.howitzer.rof", "1"),
    ("weapons.howitzer.firepower", "3+"),
    ("weapons.rocket.range", "36″"),
    ("weapons.rocket.rof", "2"),
    ("weapons.rocket.firepower", "6+"),
    ("moved_rates.any.rof", "1"),
    ("moved_rates.grape.rof", "2"),
    ("indirect.howitzer.beyond", "4″"),
    ("far_limits.far.beyond", "16″"),
    ("fall_back_limits.six.hits", "6"),
    ("fall_back_limits.six.back", "3″"),
    ("attachments.light.within", "2″"),
    ("attachments.own_company.within", "3″"),
    ("attachments.artillery.within", "4″"),
    ("attachments.grenadiers.within", "–"),
    ("passage.slowed.less", "2″"),
    ("passage.slowed_check.less", "2″"),
    ("passage.slowed_check.check", "2+"),
    ("bogging_arms.artillery.check", "2+"),
    ("bogging_arms.cavalry.check", "2+"),
    ("cover_distances.cover.within", "1″"),
    ("cover_distances.found.within", "1″"),
    ("cover_distances.search.within", "3″"),
    ("cover_distances.woods.within", "5″"),
    ("cover_distances.trees.within", "4″"),
    ("command_radii.reroll.within", "8″"),
    ("command_radii.bonus.within", "16″"),
    ("command_radii.death.within", "16″"),
    ("command_radii.larger.within", "6″"),
    ("rerolls.general.motivation", "✓"),
    ("rerolls.general.skill", "✓"),
    ("rerolls.adjutant.motivation", "✓"),
    ("rerolls.adjutant.skill", "–"),
    ("strengths.battalion.stands", "6"),
    ("strengths.battalion.company", "2"),
    ("assault_limits.removed.move", "2″"),
    ("assault_limits.least.move", "1″"),
    ("assault_limits.cavalry.move", "3″"),
    ("assault_limits.retaliation.move", "4″"),
    ("assault_limits.hit_and_run.move", "8″"),
    ("assault_limits.breakthrough.move", "6″"),
    ("outcomes.failed.move", "1″"),
    ("outcomes.failed_cavalry.move", "3″"),
    ("outcomes.retaliates.move", "4″"),
    ("outcomes.destroyed.move", "6″"),
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
    ("motivation_each.larger_enemy.within", "6″"),
    ("motivation_each.larger_enemy.roll", "−1"),
    ("motivation_each.company.roll", "−1"),
    ("disorientation_effects.unit.rof", "½"),
    ("buildings.small.wounds", "10"),
    ("buildings.medium.wounds", "20"),
    ("buildings.large.wounds", "25"),
    ("buildings.massive.wounds", "40"),
    ("blast_disc.diameter", "3″"),
    ("grape_arc.angle", "90"),
    ("grape_arc.radius", "12″"),
    ("sight_arc.angle", "180"),
    ("emplacement_arc.angle", "90"),
    ("front_arc.angle", "180"),
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
        "jaeger": {"dice": 1},
        "wide_line": {"dice": 1},
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
        "square": {"roll": -2},
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
    assert printed(trl, path) == expected


@pytest.mark.parametrize("name", MODIFIERS)
def test_modifiers(trl: Ruleset, name: str) -> None:
    table = trl.modifiers[name]
    assert isinstance(table, ModifierTable)
    told = {key: {k: row.amount(k) for k in row.amounts} for key, row in table.rows.items()}
    assert told == MODIFIERS[name]


def test_what_the_source_does_not_give_is_missing(trl: Ruleset) -> None:
    missing = {item.title for item in unstated(trl) if item.status is Status.MISSING}
    assert "Distances: Horse artillery, Line" in missing
    assert "Attacks and saves: Battalion CO, Save" in missing
    assert "Optional rules and scenarios" in missing


def passes(die: int, target: int, plus: int = 0) -> bool:
    """The rule of dice: 1 fails and 6 passes, whatever is added."""
    return die == 6 or (die != 1 and die + plus >= target)


@pytest.mark.parametrize(("quality", "target"), [("unsteady", 5), ("steady", 4), ("fearless", 3)])
@pytest.mark.parametrize(
    ("conditions", "plus"), [("none", 0), ("square", -2), ("larger_friend", 1)]
)
def test_odds_of_motivation(
    trl: Ruleset, quality: str, target: int, conditions: str, plus: int
) -> None:
    found = odds(trl, "motivation_test", {"quality": quality, "conditions": conditions})
    expected = Fraction(sum(passes(die, target, plus) for die in range(1, 7)), 6)
    assert chance(found, "passes", True) == expected


def test_odds_of_shooting_with_one_die(trl: Ruleset) -> None:
    """One die at a steady column by infantry: 6+ at +1, save 3+, test 4+, D3."""
    found = odds(trl, "shooting", {"shots": "1", "conditions": "column"})
    back: dict[int, int] = {}
    for shot, save, test, pace in product(range(1, 7), repeat=4):
        lost = passes(shot, 6, 1) and not passes(save, 3)
        moved = -(-pace // 2) if lost and not passes(test, 4) else 0
        back[moved] = back.get(moved, 0) + 1
    for inches, ways in back.items():
        assert chance(found, "falls_back", inches) == Fraction(ways, 6**4)


def test_odds_of_attacks_with_two_dice(trl: Ruleset) -> None:
    """A stand of trained light cavalry on one of medium cavalry: 4+, save 4+."""
    given = {
        "attacker": "light_cavalry",
        "in_contact": "1",
        "defender": "medium_cavalry",
    }
    found = odds(trl, "assault", given)
    lost = [0, 0, 0]
    for one, save_one, two, save_two in product(range(1, 7), repeat=4):
        first = passes(one, 4) and not passes(save_one, 4)
        second = passes(two, 4) and not passes(save_two, 4)
        lost[first + second] += 1
    assert [chance(found, "stands_lost", n) for n in range(3)] == [Fraction(n, 6**4) for n in lost]


@pytest.mark.parametrize(("building", "wounds"), [("small", 10), ("medium", 20), ("massive", 40)])
@pytest.mark.parametrize(("occupied", "share"), [("false", 1), ("true", Fraction(2, 3))])
def test_dice_to_breach(
    trl: Ruleset, building: str, wounds: int, occupied: str, share: Fraction
) -> None:
    """Half of the dice hit on 4+, and of these all or two thirds strike the building."""
    found = odds(trl, "breach", {"building": building, "occupied": occupied})
    assert found.results["dice"].mean == wounds / (Fraction(1, 2) * share)


@pytest.mark.parametrize("skill", ["conscript", "trained", "veteran"])
@pytest.mark.parametrize("general", ["false", "true"])
def test_odds_of_a_skill_check(trl: Ruleset, skill: str, general: str) -> None:
    target = {"conscript": 5, "trained": 4, "veteran": 3}[skill]
    once = Fraction(sum(passes(die, target) for die in range(1, 7)), 6)
    expected = once + (1 - once) * once if general == "true" else once
    square = odds(trl, "forming_square", {"ability": skill, "general": general})
    search = odds(trl, "spotting", {"quality": skill, "general": general})
    assert chance(square, "formed", True) == chance(search, "found", True) == expected


@pytest.mark.parametrize(("enemies", "companies"), [("1", "0"), ("0", "2"), ("1", "1"), ("2", "3")])
def test_motivation_suffers_for_each(trl: Ruleset, enemies: str, companies: str) -> None:
    """At +1 for the defence, and -1 for each larger enemy and each company after the first."""
    given = {"conditions": "defensive", "enemies": enemies, "companies": companies}
    plus = 1 - int(enemies) - int(companies)
    expected = Fraction(sum(passes(die, 4, plus) for die in range(1, 7)), 6)
    assert chance(odds(trl, "motivation_test", given), "passes", True) == expected


@pytest.mark.parametrize(("weapon", "wounds"), [("howitzer", 4), ("rocket", 6)])
def test_odds_of_a_blast(trl: Ruleset, weapon: str, wounds: int) -> None:
    """One shot on 4+; two stands are touched, and no saves are thrown."""
    found = odds(trl, "blast", {"weapon": weapon, "touched": "2"})
    lost = [0, 0, 0]
    for shot, one, two in product(range(1, 7), repeat=3):
        lost[passes(shot, 4) * (passes(one, wounds) + passes(two, wounds))] += 1
    assert [chance(found, "wounds", n) for n in range(3)] == [Fraction(n, 6**3) for n in lost]


@pytest.mark.parametrize("occupied", ["false", "true"])
def test_odds_of_fire_at_a_building(trl: Ruleset, occupied: str) -> None:
    found = odds(trl, "building_shot", {"shots": "1", "occupied": occupied})
    troops = Fraction(1, 2) * Fraction(2, 6) if occupied == "true" else Fraction(0)
    assert chance(found, "troops_hit", 1) == troops
    assert chance(found, "wounds", 1) == Fraction(1, 2) - troops


@pytest.mark.parametrize("arm", ["artillery", "cavalry"])
def test_odds_of_bogging_down(trl: Ruleset, arm: str) -> None:
    found = odds(trl, "bogging", {"arm": arm, "teams": "3"})
    assert chance(found, "bogged", 0) == Fraction(5, 6) ** 3
    assert chance(found, "bogged", 3) == Fraction(1, 6) ** 3


@pytest.mark.parametrize(
    ("phase", "back", "dazed"),
    [
        ({"hits": "5", "fall_backs_made": "1"}, 0, False),
        ({"hits": "6"}, 3, True),
        ({"hits": "0", "fall_backs_made": "2"}, 0, True),
        ({"hits": "0", "half_lost": "true"}, 0, True),
    ],
)
def test_end_of_shooting(trl: Ruleset, phase: dict[str, str], back: int, dazed: bool) -> None:
    found = odds(trl, "end_of_shooting", phase)
    assert chance(found, "falls_back", back) == chance(found, "disorientated", dazed) == 1


def test_odds_of_coming_home(trl: Ruleset) -> None:
    """Three dice are two: infantry on 6+, the save of cavalry 4+, the test of the steady 4+."""
    found = odds(trl, "coming_home", {"dice": "3", "target": "cavalry"})
    home = 0
    for one, save_one, two, save_two, nerve in product(range(1, 7), repeat=5):
        lost = (passes(one, 6) and not passes(save_one, 4)) or (
            passes(two, 6) and not passes(save_two, 4)
        )
        home += not lost or passes(nerve, 4)
    assert chance(found, "comes_home", True) == Fraction(home, 6**5)


def test_odds_of_the_exchange(trl: Ruleset) -> None:
    """One stand of trained line on two of steady line: rounds until someone gives way."""
    given = {
        "attacker": "line",
        "attackers": "1",
        "defender": "line",
        "defenders": "2",
        "began": "2",
    }
    found = odds(trl, "charge", given)
    half = Fraction(1, 2)
    reply_by_two = half * half  # no loss, and both dice of the answer fail
    # The first round: no loss, and the defender passes. A loss and a passed test leave one stand,
    # which is half and not below it. A loss and a failed test: pursuit of the last stand.
    none, one = half, half * half
    pursued = half * half
    one += pursued * half
    gone = pursued * half
    assert chance(found, "fate", "gone") == gone
    assert chance(found, "fate", "retaliates") == none + one
    assert chance(found, "defender_lost", 1) == one
    assert chance(found, "attacker_lost", 0) == none * reply_by_two + one * half + gone


def test_lances(trl: Ruleset) -> None:
    """A square has no save against lances; lancers who are charged save on 1 more."""
    square = {"attacker": "light_cavalry", "in_contact": "1", "defender": "square"}
    assert odds(trl, "assault", square).results["stands_lost"].mean == Fraction(1, 3)
    lances = odds(trl, "assault", {**square, "no_saves": "true"})
    assert lances.results["stands_lost"].mean == 1
    charged = {
        "in_contact": "1",
        "defender": "light_cavalry",
        "malus": "lancers_charged",
    }
    assert odds(trl, "assault", charged).results["stands_lost"].mean == Fraction(5, 6)


def test_odds_of_going_first(trl: Ruleset) -> None:
    even = odds(trl, "initiative", {})
    better = odds(trl, "initiative", {"skill_gap": "one"})
    assert chance(even, "first", "one") == Fraction(1, 2)
    assert chance(better, "first", "one") == Fraction(15 + 6, 36)


def chance(found: Odds, result: str, outcome: object) -> Fraction:
    return found.results[result].chance(outcome)
