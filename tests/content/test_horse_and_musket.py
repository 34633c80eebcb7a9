"""Horse and Musket as shipped: it loads clean, and it says what its source says.

The values expected here were typed from the source and not from the content.
"""

from __future__ import annotations

import pytest
from musket_sheet import FACTORS, HITS
from shipped_rulesets import printed_at, shipped

from rulebook.core.odds import program_of
from rulebook.model.cells import Cell
from rulebook.model.cutouts.stick import Stick
from rulebook.model.dealing import deal
from rulebook.model.lookup import find
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Ruleset
from rulebook.model.tables import Grid, RecordTable
from rulebook.model.unstated import unstated


@pytest.fixture(scope="module")
def game() -> Ruleset:
    return shipped("horse-and-musket")


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
    (f"formation_changes.{row}.{field}", value)
    for row, (original, new, cost) in {
        "column_to_line": ("Column", "Close order line", "2"),
        "line_to_attack_column": ("Close order line", "Attack column", "1"),
        "column_to_open": ("Column", "Open order line or skirmish", "2"),
        "line_to_open": ("Close order line", "Open order line or skirmish", "1"),
        "artillery": ("Limbered artillery", "Unlimbered artillery", "1"),
    }.items()
    for field, value in {"title": original, "after": new, "cost": cost}.items()
] + [
    ("formation_changes.mounted_infantry.title", "Mounted infantry"),
    ("formation_changes.mounted_infantry.cost", "2"),
]
TERRAIN = [
    ("woods.rough.close.fatigue", "1"),
    ("woods.rough.open.fatigue", "0"),
    ("woods.rough.column.fatigue", "1"),
    ("woods.normal.close.fatigue", "1"),
    ("woods.normal.open.fatigue", "1"),
    ("woods.normal.open.half_speed", "✓"),
    ("woods.normal.column.title", "Not allowed"),
    ("woods.normal_guns.close.title", "Not allowed"),
    ("woods.dense.close.fatigue", "2"),
    ("woods.dense.open.fatigue", "1"),
    ("woods.dense_skirmish.open.fatigue", "1"),
    ("woods.dense_guns.close.title", "Not allowed"),
    ("crossings.obstacle.troops", "Infantry, cavalry"),
    ("crossings.obstacle.fatigue", "1"),
    ("crossings.obstacle_guns.troops", "Artillery"),
    ("crossings.built_up.troops", "Infantry, artillery"),
    ("crossings.river.troops", "All"),
    ("road_moves.road.title", "March column or limbered artillery"),
    ("crossings.obstacle.limit", "None at half speed"),
    ("crossings.obstacle_guns.limit", "Streams only"),
    ("crossings.built_up.fatigue", "1"),
    ("crossings.river.limit", "By bridge or ford only"),
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
    assert printed_at(game, place) == expected


MODIFIERS = [(table, row) for table, factors in FACTORS.items() for row in factors]


@pytest.mark.parametrize(("table", "row"), MODIFIERS)
def test_facts_of_modifiers(game: Ruleset, table: str, row: str) -> None:
    word, *numbers = FACTORS[table][row]
    modifiers = game.modifiers[table]
    found = modifiers.rows[row]
    assert word in str(found.when)
    for name, number in zip(modifiers.changes, numbers, strict=True):
        if number is None:
            assert found.amount(name) is None
        else:
            place = f"{table}.{row}.{name}"
            assert printed_at(game, place) == f"{number:+d}".replace("-", "−")


#: Where the sheet prints a dash beside the number of the other arm or side; else it prints nothing.
DASHES = {
    "firer_factors.ragged.artillery",
    *(
        f"combat_factors.{row}.defender"
        for row in [
            "moving_in",
            "elite_charge",
            "formed_open",
            "formed_skirmish",
            "column",
            "skirmish_close",
            "infantry_artillery",
        ]
    ),
    "combat_factors.poor_troops.attacker",
    "arm_factors.light_charge.defender",
    "arm_factors.secure.attacker",
    "arm_factors.open_flanks.defender",
}


def test_dashes_of_modifiers(game: Ruleset) -> None:
    found = {
        f"{name}.{key}.{change}"
        for name, table in game.modifiers.items()
        for key, row in table.rows.items()
        for change, cell in row.amounts.items()
        if cell.value is None
    }
    assert found == DASHES


def test_no_modifier_is_left_out_or_added(game: Ruleset) -> None:
    found = {(name, row) for name, table in game.modifiers.items() for row in table.rows}
    assert found == set(MODIFIERS)


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
    assert printed_at(game, "combat_results[win_2, artillery].bonus") == "+2"
    assert printed_at(game, "combat_results[lose_1, cavalry].bonus") == "+2"
    assert printed_at(game, "combat_fates.retreat_half.moves") == "½"
    assert printed_at(game, "combat_fates.retreat.moves") == "1"
    assert printed_at(game, "recovered_strength.all_at_nothing.strength") == "1"


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
    assert printed_at(game, f"turn_steps.{number}.side") == side
    assert printed_at(game, f"turn_steps.{number}.does") == does


#: What each weapon is called, as far as the sheet has it in one piece.
WEAPONS = {
    "pistol": "Pistols and thrown weapons",
    "bow": "Bows and poor or obsolete muskets",
    "smoothbore_carbine": "Smoothbore carbines",
    "musket": "Smoothbore muskets and rifled carbines",
    "rifle": "Rifled flintlock muskets",
    "battalion_gun": "Light battalion guns",
    "light_gun": "Light artillery (3–4\u00a0pdr)",
    "light_medium_gun": "Light medium artillery (6\u00a0pdr)",
    "medium_gun": "Medium artillery (8–9\u00a0pdr)",
    "heavy_gun": "Heavy artillery (12\u00a0pdr)",
    "mortar": "Field mortars",
    "howitzer": "Field howitzers",
}


def test_weapons_by_name(game: Ruleset) -> None:
    table = game.tables["ranges"]
    assert isinstance(table, RecordTable)
    assert {row: str(one.title) for row, one in table.data.items()} == WEAPONS


#: Every cell that the sheet leaves empty and that is not read from another place.
GAPS = {
    "tables.ranges.data.battalion_gun.short",
    "tables.ranges.data.mortar.short",
    "tables.moves.data.skirmish.cavalry",
    "tables.formation_changes.data.mounted_infantry.after",
    "tables.woods.data.rough_guns",
    *(f"tables.combat_results.data.3.{column}" for column in range(3)),
}
#: Every cell, row and amount whose words or columns recognition has spoilt.
READ = {
    "tables.moves.data.skirmish.infantry",
    "tables.other_moves.data.commanders.change",
    "tables.formation_changes.data.column_to_open",
    "tables.formation_changes.data.line_to_open",
    "tables.ranges.data.mortar.max",
    "tables.woods.data.normal.open",
    "tables.woods.data.normal_guns",
    "tables.woods.data.dense.column",
    "tables.woods.data.dense_skirmish",
    "tables.woods.data.dense_horse",
    "tables.woods.data.dense_guns",
    *(f"tables.combat_results.data.{cell}" for cell in ("0.1", "0.3", "1.0", "2.3")),
    "modifiers.target_factors.rows.rear",
    "modifiers.combat_factors.rows.irregular",
    "modifiers.combat_factors.rows.militia",
    "modifiers.combat_factors.rows.evading",
    "modifiers.combat_factors.rows.inspiration.attacker",
    "modifiers.combat_factors.rows.won_last",
    "modifiers.combat_factors.rows.beat_chargers",
    "modifiers.combat_factors.rows.no_bayonets",
    "modifiers.ground_factors.rows.dense_woods",
    "modifiers.ground_factors.rows.higher",
    "modifiers.arm_factors.rows.artillery",
}


@pytest.mark.parametrize(
    ("status", "places"), [(Status.MISSING, GAPS), (Status.READ, READ)], ids=["missing", "read"]
)
def test_what_is_not_stated_is_owned_to(game: Ruleset, status: Status, places: set[str]) -> None:
    found = {
        ".".join(map(str, one.address))
        for one in unstated(game)
        if one.status is status and one.address[0] != "prose" and len(one.address) > 2
    }
    assert found == places


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


def test_a_card_for_every_weapon_that_shoots(game: Ruleset) -> None:
    assert {card.id for card in deal(game, "weapon_cards")} == set(WEAPONS) - {"pistol"}


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
