"""Horse and Musket as shipped: it loads clean, and it says what its source says.

The values expected here were typed from the source and not from the content.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from rulebook.checking.sense import check
from rulebook.core.odds import odds, program_of
from rulebook.loading.rulesets import load
from rulebook.model.cells import Cell
from rulebook.model.cutouts.stick import Stick
from rulebook.model.lookup import find
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Ruleset
from rulebook.model.tables import Grid
from rulebook.problems import format_report
from rulebook.quantities import format_value

CONTENT = next(
    folder / "content"
    for folder in Path(__file__).parents
    if (folder / "content" / "horse-and-musket").is_dir()
)
FOLDER = CONTENT / "horse-and-musket"


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


def rows(table: str, fields: str, data: dict[str, str]) -> list[tuple[str, str]]:
    """A place and what prints there, for each cell of some rows."""
    return [
        (f"{table}.{row}.{field}", value)
        for row, line in data.items()
        for field, value in zip(fields.split(), line.split(), strict=True)
    ]


MOVES = rows(
    "moves",
    "infantry cavalry moves change",
    {
        "march_column": "6″ 12″ 3 4",
        "attack_column": "6″ 12″ 2 3",
        "open_order_line": "9″ – 1 2",
        "line": "6″ 12″ 1 2",
    },
)
OTHER_MOVES = [
    ("moves.skirmish.infantry", "6″"),
    ("moves.skirmish.moves", "2"),
    ("moves.skirmish.change", "3"),
    ("other_moves.commanders.distance", "18″"),
    ("other_moves.limbered.distance", "6″"),
    ("other_moves.limbered.change", "2"),
    ("other_moves.handled.distance", "2″"),
    ("road_moves.road.bonus", "2″"),
]
CHANGES = [
    ("formation_changes.column_to_line.cost", "2"),
    ("formation_changes.line_to_attack_column.cost", "1"),
    ("formation_changes.line_to_column.cost", "2"),
    ("formation_changes.line_to_skirmish.cost", "1"),
    ("formation_changes.mounted_infantry.cost", "2"),
    ("formation_changes.artillery.cost", "1"),
]
TERRAIN = [
    ("woods[rough, close].fatigue", "1"),
    ("woods[rough, open].fatigue", "0"),
    ("woods[rough, column].fatigue", "1"),
    ("woods[normal, close].fatigue", "1"),
    ("woods[normal, open].fatigue", "1"),
    ("woods[normal, column].title", "Not allowed"),
    ("woods[normal_guns, close].title", "Not allowed"),
    ("woods[dense, close].fatigue", "2"),
    ("woods[dense, open].fatigue", "1"),
    ("woods[dense_skirmish, open].fatigue", "1"),
    ("woods[dense_guns, close].title", "Not allowed"),
    ("crossings.obstacle.fatigue", "1"),
    ("crossings.obstacle.limit", "At half speed"),
    ("crossings.obstacle_guns.limit", "Streams only"),
    ("crossings.built_up.fatigue", "1"),
    ("crossings.river.limit", "By bridge or ford"),
]
RANGES = [
    *rows(
        "ranges",
        "canister short max",
        {
            "pistol": "– – –",
            "bow": "– 3″ 6″",
            "smoothbore_carbine": "– 4″ 8″",
            "musket": "– 6″ 12″",
            "rifle": "– 9″ 18″",
            "light_gun": "6″ 9″ 36″",
            "light_medium_gun": "6″ 12″ 48″",
            "medium_gun": "9″ 16″ 54″",
            "heavy_gun": "12″ 20″ 60″",
            "howitzer": "6″ 12″ 36″",
        },
    ),
    ("ranges.battalion_gun.canister", "6″"),
    ("ranges.battalion_gun.max", "24″"),
]
SCORES = rows(
    "formations",
    "first later fixed",
    {
        "line": "1 1 –",
        "march_column": "1 1 –",
        "attack_column": "1 1 –",
        "cavalry_column": "½ 1 –",
        "skirmish": "½ ½ –",
        "unlimbered": "1 1 –",
        "limbered": "– – 1",
    },
)
#: The faces of the die for one, two and three hits.
HITS = {
    "10+": "6–10 3–5 1–2",
    "9": "5–9 2–4 1",
    "8": "5–8 2–4 1",
    "7": "4–7 2–3 1",
    "6": "4–6 1–3 –",
    "5": "3–5 1–2 –",
    "<=4": "1–4 – –",
}
HIT_TABLE = [
    (f"hit_table[{score}, {column}]", value)
    for score, line in HITS.items()
    for column, value in zip(("one", "two", "three"), line.split(), strict=True)
]


@pytest.mark.parametrize(
    ("place", "expected"),
    [*MOVES, *OTHER_MOVES, *CHANGES, *TERRAIN, *RANGES, *SCORES, *HIT_TABLE],
)
def test_facts_of_tables(game: Ruleset, place: str, expected: str) -> None:
    assert printed(game, place) == expected


#: A modifier table, its row, and the numbers in its two columns; None where nothing stands.
MODIFIERS: list[tuple[str, str, int | None, int | None]] = [
    ("firer_factors", "short", 2, 1),
    ("firer_factors", "max", -2, -1),
    ("firer_factors", "rifled", 1, None),
    ("firer_factors", "initial", 2, None),
    ("firer_factors", "rested", 1, None),
    ("firer_factors", "good_shots", 1, None),
    ("firer_factors", "ragged", -2, None),
    ("firer_factors", "poor_weapon", -1, None),
    ("firer_factors", "canister", None, 4),
    ("firer_factors", "first_shot", None, -1),
    ("target_factors", "column", 2, 4),
    ("target_factors", "open", -1, -1),
    ("target_factors", "flank", 4, 6),
    ("target_factors", "rear", 4, 4),
    ("target_factors", "obscured", -1, None),
    ("target_factors", "skirmishers", -3, -2),
    ("target_factors", "cover", -2, -2),
    ("target_factors", "to_tree", -3, -2),
    ("cover_factors", "wooden", -4, -2),
    ("cover_factors", "wood_and_brick", -6, -3),
    ("cover_factors", "brick", -8, -4),
    ("cover_factors", "fortified", -10, -8),
    ("cover_factors", "light_works", -4, -2),
    ("cover_factors", "heavy_works", -8, -4),
    ("combat_factors", "moving_in", 2, None),
    ("combat_factors", "elite_charge", 4, None),
    ("combat_factors", "formed_open", 1, None),
    ("combat_factors", "formed_skirmish", 2, None),
    ("combat_factors", "flank", 2, -2),
    ("combat_factors", "rear", 4, -4),
    ("combat_factors", "column", 2, None),
    ("combat_factors", "irregular", 1, 1),
    ("combat_factors", "militia", 3, 3),
    ("combat_factors", "evading", 4, -4),
    ("combat_factors", "skirmish_close", -2, None),
    ("combat_factors", "infantry_artillery", 2, None),
    ("combat_factors", "poor_troops", None, -2),
    ("combat_factors", "support", 1, 2),
    ("combat_factors", "inspiration", 1, 2),
    ("combat_factors", "won_last", 2, 2),
    ("combat_factors", "beat_chargers", 4, 4),
    ("combat_factors", "no_bayonets", -2, -2),
    ("ground_factors", "woods_irregulars", 3, 3),
    ("ground_factors", "woods_open", -1, -1),
    ("ground_factors", "woods_others", -3, -3),
    ("ground_factors", "dense_woods", -4, -4),
    ("ground_factors", "higher", 1, 1),
    ("ground_factors", "light_works", -2, 2),
    ("ground_factors", "heavy_works", -5, 5),
    ("ground_factors", "wooden", -2, 2),
    ("ground_factors", "wood_and_brick", -4, 4),
    ("ground_factors", "brick", -6, 6),
    ("ground_factors", "fortified", -8, 8),
    ("arm_factors", "light_charge", 4, None),
    ("arm_factors", "secure", None, 2),
    ("arm_factors", "open_flanks", 3, None),
    ("arm_factors", "artillery", -4, -4),
]


@pytest.mark.parametrize(("table", "row", "first", "second"), MODIFIERS)
def test_facts_of_modifiers(
    game: Ruleset, table: str, row: str, first: int | None, second: int | None
) -> None:
    modifiers = game.modifiers[table]
    found = [modifiers.rows[row].amount(name) for name in modifiers.changes]
    assert found == [first, second]


def test_no_modifier_is_left_out_or_added(game: Ruleset) -> None:
    found = {(name, row) for name, table in game.modifiers.items() for row in table.rows}
    assert found == {(table, row) for table, row, _, _ in MODIFIERS}


@pytest.mark.parametrize(
    ("margin", "fates"),
    [
        ("draw", "carry_on carry_on carry_on carry_on"),
        ("lose_1", "carry_on_bonus retreat carry_on_bonus breaks"),
        ("lose_2", "retreat_half breaks retreat breaks"),
    ],
)
def test_results_of_combat(game: Ruleset, margin: str, fates: str) -> None:
    table = game.tables["combat_results"]
    assert isinstance(table, Grid)
    place = ["draw", "lose_1", "lose_2"].index(margin)
    assert [str(cell.value) for cell in table.data[place]] == fates.split()


def test_fates(game: Ruleset) -> None:
    assert printed(game, "combat_results[win_2, artillery].bonus") == "+2"
    assert printed(game, "combat_results[lose_1, cavalry].bonus") == "+2"
    assert printed(game, "combat_fates.retreat_half.moves") == "½"
    assert printed(game, "combat_fates.retreat.moves") == "1"
    assert printed(game, "recovered_strength.all_at_nothing.strength") == "1"


@pytest.mark.parametrize(
    ("number", "side", "does"),
    [
        ("one", "A", "Moves"),
        ("two", "A", "Rallies"),
        ("three", "B", "Fires defensively"),
        ("four", "A", "Fights close combat"),
        ("five", "B", "Fires with its remaining units"),
        ("six", "B", "Moves"),
        ("seven", "B", "Rallies"),
        ("eight", "A", "Fires defensively"),
        ("nine", "B", "Fights close combat"),
        ("ten", "A", "Fires with its remaining units"),
    ],
)
def test_turn(game: Ruleset, number: str, side: str, does: str) -> None:
    assert printed(game, f"turn_steps.{number}.side") == side
    assert printed(game, f"turn_steps.{number}.does") == does


GAPS = [
    "ranges.battalion_gun.short",
    "ranges.mortar.short",
    "moves.skirmish.cavalry",
    "formation_changes.mounted_infantry.after",
    "woods[rough_guns, close]",
    "combat_results[win_2, infantry]",
]


@pytest.mark.parametrize("place", GAPS)
def test_gaps_stay_open(game: Ruleset, place: str) -> None:
    cell = find(game, place)
    assert isinstance(cell, Cell)
    assert (cell.status, cell.value) == (Status.MISSING, None)


def test_the_misprint_of_the_mortars_is_owned_to(game: Ruleset) -> None:
    cell = find(game, "ranges.mortar.max")
    assert isinstance(cell, Cell)
    assert (cell.status, str(cell)) == (Status.READ, "48″")
    assert "248" in str(cell.note)


def test_a_ruler_for_every_weapon_that_shoots(game: Ruleset) -> None:
    table = game.tables["ranges"]
    sticks = {
        name.removesuffix("_stick") for name, c in game.cutouts.items() if isinstance(c, Stick)
    }
    assert set(table.data) - {"pistol"} <= sticks  # type: ignore[union-attr]


def hits(score: int, die: int) -> int:
    """The table of the source, as the highest die for three, two and one hits."""
    limits = {10: (2, 5, 10), 9: (1, 4, 9), 8: (1, 4, 8), 7: (1, 3, 7), 6: (0, 3, 6), 5: (0, 2, 5)}
    three, two, one = limits.get(min(score, 10), (0, 0, 4))
    return 3 if die <= three else 2 if die <= two else 1 if die <= one else 0


@pytest.mark.parametrize("score", range(-3, 14))
def test_odds_of_a_result(game: Ruleset, score: int) -> None:
    expected = Counter(hits(score, die) for die in range(1, 11))
    found = odds(game, "result", {"score": str(score)}).results["hits"]
    assert dict(found.outcomes) == {key: Fraction(n, 10) for key, n in expected.items()}


@pytest.mark.parametrize(
    ("given", "score"),
    [
        ("strength=6", 6),
        ("strength=6 firer=short,initial target=column", 12),
        ("strength=7 formation=skirmish firer=max", 2),
        ("strength=9 formation=limbered arm=artillery", 1),
        ("strength=5 formation=cavalry_column firer=rifled", 6),
        ("strength=4 formation=unlimbered arm=artillery firer=canister target=flank", 14),
        ("strength=8 formation=unlimbered arm=artillery firer=max,first_shot cover=brick", 2),
    ],
)
def test_odds_of_shooting(game: Ruleset, given: str, score: int) -> None:
    found = odds(game, "shooting", dict(one.split("=") for one in given.split())).results
    assert found["score"].chance(score) == 1
    assert found["hits"].mean == Fraction(sum(hits(score, die) for die in range(1, 11)), 10)


@pytest.mark.parametrize(
    ("given", "attack", "defence"),
    [
        ("", 6, 6),
        ("attacker_strength=9 defender_strength=4", 9, 4),
        ("attacker_factors=flank,support defender_factors=flank,support", 9, 6),
        ("attacker_formation=cavalry_column attacker_strength=7", 4, 6),
        ("attacker_formation=cavalry_column attacker_strength=7 first_round=false", 7, 6),
        ("attacker_ground=fortified defender_ground=fortified", -2, 14),
        ("attacker_arms=light_charge,open_flanks defender_arms=artillery", 13, 2),
    ],
)
def test_odds_of_close_combat(game: Ruleset, given: str, attack: int, defence: int) -> None:
    found = odds(game, "close_combat", dict(one.split("=") for one in given.split())).results
    throws = product(range(1, 11), repeat=2)
    expected = Counter(hits(attack, one) - hits(defence, other) for one, other in throws)
    assert dict(found["difference"].outcomes) == {
        key: Fraction(number, 100) for key, number in expected.items()
    }


@pytest.mark.parametrize(
    ("attacker", "defender"),
    list(product(["infantry", "infantry_cavalry", "cavalry", "artillery"], repeat=2)),
)
def test_fate_of_the_loser(game: Ruleset, attacker: str, defender: str) -> None:
    by_one = {"infantry": "carry_on_bonus", "infantry_cavalry": "retreat"}
    by_one |= {"cavalry": "carry_on_bonus", "artillery": "breaks"}
    by_two = {"infantry": "retreat_half", "infantry_cavalry": "breaks"}
    by_two |= {"cavalry": "retreat", "artillery": "breaks"}
    expected: Counter[str] = Counter()
    for one, other in product(range(1, 11), repeat=2):
        margin = hits(6, one) - hits(6, other)
        loser = defender if margin > 0 else attacker
        fate = by_two[loser] if abs(margin) > 1 else by_one[loser] if margin else "carry_on"
        expected[fate] += 1
    found = odds(game, "close_combat", {"attacker": attacker, "defender": defender}).results["fate"]
    assert dict(found.outcomes) == {key: Fraction(n, 100) for key, n in expected.items()}


def test_procedures_are_played_in_examples_and_told_on_the_sheet(game: Ruleset) -> None:
    played = {step.run for example in game.examples.values() for step in example.runs.values()}
    told = {
        name
        for phase in game.sequence.values()
        for step in phase.steps.values()
        for name in step.procedures
    }
    assert told == set(game.procedures) == {"combat_score", "result", "shooting", "close_combat"}
    assert played == told - {"combat_score"}
    for name in game.procedures:
        assert program_of(game, name).results
