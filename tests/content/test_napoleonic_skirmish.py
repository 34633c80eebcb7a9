"""Napoleonic Skirmish as shipped: it loads clean, and it says what its source says.

The values expected here were typed from the source and not from the content.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from shipped_rulesets import printed_at, shipped
from skirmish_source import CHART, DEFENCES, SCATTER

from rulebook.model.cells import Cell
from rulebook.model.cutouts.marks import with_marks
from rulebook.model.cutouts.round import Arc, Disc
from rulebook.model.cutouts.stick import Mark, Stick
from rulebook.model.lookup import find
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Ruleset
from rulebook.model.unstated import unstated
from rulebook.quantities import Length, RollTarget


@pytest.fixture(scope="module")
def skirmish() -> Ruleset:
    return shipped("napoleonic-skirmish")


def inches(ruleset: Ruleset, path: str) -> Fraction:
    found = find(ruleset, path)
    length = found.value if isinstance(found, Cell) else found
    assert isinstance(length, Length)
    return length.number


#: Record tables: fields, then a line for each row.
RECORDS: dict[str, tuple[str, dict[str, str]]] = {
    "weapons": (
        "range near_strength far_strength move scatter",
        {
            "bow": "24″ 3 2 ¼ –",
            "carbine": "24″ 4 3 ½ 6″",
            "musket": "30″ 4 3 ½ 6″",
            "rifle": "40″ 5 4 1 –",
            "rifled_carbine": "34″ 4 3 1 –",
            "blunderbuss": "16″ 3 2 1 –",
            "volley_gun": "20″ 4 3 ½ 6″",
            "pistol": "12″ 3 2 ½ 3″",
        },
    ),
    "in_the_way": ("passes", {"light": "3+", "solid": "4+", "heavy": "5+"}),
    "spread_fire": (
        "radius hit each most",
        {"blunderbuss": "2″ 5+ 1 –", "volley_gun": "2″ 4+ 2 7"},
    ),
    "cannon": (
        "range near_strength far_strength scatter crew defence points",
        {
            "three": "36″ 8 7 4″ 2 9 3",
            "six": "42″ 9 8 6″ 3 9 3",
            "nine": "48″ 10 9 6″ 3 10 3",
            "twelve": "54″ 11 10 6″ 4 10 4",
            "eighteen": "66″ 13 12 6″ 5 10 4",
            "twenty_four": "80″ 15 14 6″ 5 10 5",
            "howitzer": "38″ 10 9 6″ 3 10 3",
        },
    ),
    "case_ranges": (
        "grape_radius canister_radius canister_range",
        {
            "three": "1″ 1½″ 12″",
            "six": "1″ 2″ 14″",
            "nine": "1½″ 3″ 16″",
            "twelve": "1½″ 3″ 18″",
            "eighteen": "2″ 3½″ 22″",
            "twenty_four": "2½″ 4″ 27″",
            "howitzer": "2½″ 4″ 12″",
        },
    ),
    "case_shot": (
        "hit strength in_the_way shrinks share",
        {"grape": "4+ 6 6 ½″ ½", "canister": "4+ 6 4 ½″ ⅓"},
    ),
    "round_shot_rules": ("struck strength_lost range_lost", {"killed": "4+ 1 2″"}),
    "shell": (
        "from to strength radius nearby siege unseen_enemy unseen_scatter early",
        {"shell": "15″ 80″ 12 d3 2d6 2d6 12″ 10″ 1"},
    ),
    "gun_throws": ("needed", {"trained": "5", "untrained": "6"}),
    "limbers": (
        "crew horses half_speed",
        {
            "three": "1 2 1",
            "six": "2 4 2",
            "nine": "3 5 3",
            "twelve": "3 6 4",
            "eighteen": "4 7 5",
            "twenty_four": "4 8 6",
            "howitzer": "3 6 4",
        },
    ),
    "construction_range": ("times", {"range": "1¼"}),
    "rockets": (
        "moving firing strength radius nearby",
        {"heavy": "4 3 9 3″ 6", "light": "3 2 7 2″ 4"},
    ),
    "rocket_flight": ("hit range scatter", {"rocket": "5+ 80″ 10″"}),
    "bursts": (
        "strength radius nearby",
        {"grenade": "5 d2 3", "dud": "1 – –", "detonation": "7 d3 4"},
    ),
    "grenade_throws": ("throw", {"slips": "1", "dud": "1", "shot": "1", "sets_off": "1–3"}),
    "blast_shelter": ("hit", {"grenade": "4+", "shell": "3+"}),
    "alone_throws": ("throw", {"edge": "1–3", "friend": "4–6"}),
    "helmet_save": ("saves", {"helmet": "6+"}),
    "wargear": (
        "penalty",
        {
            "firearm": "−1",
            "bayonet": "–",
            "dagger": "−1",
            "pistol": "–",
            "sword": "–",
            "spear": "–",
            "pike": "−1",
            "lance_charging": "–",
            "lance_charged": "−1",
        },
    ),
    "lance_charge": ("to_wound", {"lance": "+1"}),
    "spheres": ("reach most", {"private": "6″ +4", "nco": "6″ +3", "officer": "12″ +3"}),
    "banner_reach": ("within", {"banner": "3″"}),
    "courage_reach": (
        "within",
        {
            "musician": "12″",
            "general": "24″",
            "alone": "6″",
            "dive": "3″",
            "mount": "2″",
            "stand_fast": "3″",
        },
    ),
    "spear_wall": ("amount", {"spears": "2", "strength": "4", "rider": "6"}),
    "larger_shooting": ("shoot", {"scattering": "1"}),
    "shooting_limits": (
        "amount",
        {
            "friends": "2",
            "friends_bow": "1",
            "friends_spread": "1",
            "near_bonus": "1",
            "brace_shots": "2",
        },
    ),
    "arc_rules": ("each_side", {"arc": "45"}),
    "profiles": (
        "fight shoot strength defence attacks wounds courage might will fate",
        {"limber_crew": "2 – 3 3 1 1 2 – – –", "master_gunner": "4 4+ 3 4 1 2 4 1 1 1"},
    ),
}
RECORD_FACTS = [
    (f"{table}.{row}.{field}", expected)
    for table, (fields, rows) in RECORDS.items()
    for row, values in rows.items()
    for field, expected in zip(fields.split(), values.split(), strict=True)
]

GRID_FACTS = [
    (f"wound_chart[{strength}, {defence}]", "–" if cell == "-" else f"{cell}+")
    for strength, row in enumerate(CHART, start=1)
    for defence, cell in zip(DEFENCES, row, strict=True)
]

#: What the scatter chart says of throws 1 to 6, by column.
SCATTERED = {
    "named": "Opponent names",
    "nobody": "Missed",
    "other": "Another enemy",
    "target": "The target",
}
GRID_FACTS += [
    (f"scatter_chart[{throw}, {crowd}]", SCATTERED[result])
    for crowd, results in SCATTER.items()
    for throw, result in enumerate(results, start=1)
]
GRID_FACTS += [
    (f"batter_chart[{throw}, {strength}]", points)
    for strength, column in {"1-9": "0 1 2", "10-12": "0 2 4", "13-15": "0 3 6"}.items()
    for throw, points in zip(("1", "2-5", "6"), column.split(), strict=True)
]
GRID_FACTS += [
    (f"small_dice[{kind}, {throw}]", str(-(-throw // faces)))
    for kind, faces in {"d2": 3, "d3": 2}.items()
    for throw in range(1, 7)
]

MODIFIER_FACTS = [
    ("courage_bonuses.sphere.courage", "+1"),
    ("courage_bonuses.banner.courage", "+1"),
    ("courage_bonuses.musician.courage", "+1"),
    ("courage_bonuses.general.courage", "+1"),
    ("courage_bonuses.broken.courage", "−1"),
    ("gun_hit.half.to_hit", "+1"),
    ("gun_hit.quarter.to_hit", "+1"),
]
#: (where it stands in the model, how it prints) of every number of the source.
FACTS = RECORD_FACTS + GRID_FACTS + MODIFIER_FACTS


@pytest.mark.parametrize(("path", "expected"), FACTS)
def test_fact(skirmish: Ruleset, path: str, expected: str) -> None:
    assert printed_at(skirmish, path) == expected


def test_there_are_enough_facts() -> None:
    assert len(FACTS) >= 450
    assert len({path for path, _ in FACTS}) == len(FACTS)


def test_what_is_reckoned_agrees_with_what_it_is_reckoned_from(skirmish: Ruleset) -> None:
    for weapon in RECORDS["weapons"][1]:
        assert inches(skirmish, f"weapons.{weapon}.half") * 2 == inches(
            skirmish, f"weapons.{weapon}.range"
        )
    for gun in RECORDS["cannon"][1]:
        whole = inches(skirmish, f"cannon.{gun}.range")
        assert inches(skirmish, f"cannon.{gun}.half") * 2 == whole
        assert inches(skirmish, f"cannon.{gun}.quarter") * 4 == whole
        assert inches(skirmish, f"case_ranges.{gun}.grape_range") * 2 == whole
        assert abs(inches(skirmish, f"case_ranges.{gun}.canister_range") * 3 - whole) <= 2


def radius(ruleset: Ruleset, name: str) -> tuple[Fraction, ...]:
    """Rings and outside of a disc, inches."""
    disc = ruleset.cutouts[name]
    assert isinstance(disc, Disc)
    return tuple(one.reach / Fraction("25.4") for one in (*disc.rings, disc))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("blunderbuss_disc", "2"),
        ("volley_gun_disc", "2"),
        ("scatter_disc", "3 4 6"),
        ("rocket_scatter", "10"),
        ("rocket_disc", "2 3"),
        ("grenade_blast", "1 2"),
        ("d3_blast", "1 2 3"),
        ("sphere", "3 6"),
        ("wide_sphere", "12 24"),
        ("case_three", "1 1.5"),
        ("case_six", "1 2"),
        ("case_nine", "1.5 3"),
        ("case_twelve", "1.5 3"),
        ("case_eighteen", "2 3.5"),
        ("case_twenty_four", "2.5 4"),
        ("case_howitzer", "2.5 4"),
    ],
)
def test_discs(skirmish: Ruleset, name: str, expected: str) -> None:
    assert radius(skirmish, name) == tuple(map(Fraction, expected.split()))


#: Range sticks: half and full range of small arms; quarter, canister, half and full of guns.
STICKS = {
    "carbine": "12 24",
    "musket": "15 30",
    "rifle": "20 40",
    "rifled_carbine": "17 34",
    "blunderbuss": "8 16",
    "volley_gun": "10 20",
    "pistol": "6 12",
    "three": "9 12 18 36",
    "six": "10.5 14 21 42",
    "nine": "12 16 24 48",
    "twelve": "13.5 18 27 54",
    "eighteen": "16.5 22 33 66",
    "twenty_four": "20 27 40 80",
    "howitzer": "9.5 12 19 38",
}


@pytest.mark.parametrize(("name", "expected"), STICKS.items())
def test_sticks(skirmish: Ruleset, name: str, expected: str) -> None:
    stick = with_marks(skirmish.cutouts[f"stick_{name}"], skirmish.tables)
    assert isinstance(stick, Stick)
    reaches = [mark.to.number for mark in stick.marks if isinstance(mark, Mark)]
    assert reaches == list(map(Fraction, expected.split()))


#: Boxes on the cards of guns: minimum crew and batter points.
BOXES = {
    "three": (2, 3),
    "six": (3, 3),
    "nine": (3, 3),
    "twelve": (4, 4),
    "eighteen": (5, 4),
    "twenty_four": (5, 5),
    "howitzer": (3, 3),
}


@pytest.mark.parametrize(("gun", "boxes"), BOXES.items())
def test_boxes_of_a_gun(skirmish: Ruleset, gun: str, boxes: tuple[int, int]) -> None:
    tracks = skirmish.units[f"gun_{gun}"].tracks
    assert tuple(tracks[name].boxes for name in ("crew", "points")) == boxes


def test_arc_and_bases(skirmish: Ruleset) -> None:
    arc = skirmish.cutouts["allocation_arc"]
    assert isinstance(arc, Arc)
    assert arc.angle.degrees == 2 * 45
    assert printed_at(skirmish, "infantry_base.diameter") == "25 mm"
    assert printed_at(skirmish, "cavalry_base.diameter") == "40 mm"


def test_what_is_not_stated_is_owned_to(skirmish: Ruleset) -> None:
    titles = {note.title for note in unstated(skirmish) if note.status is Status.MISSING}
    assert {
        "Rules of the parent rulebook",
        "The end of the source",
        "The test of courage",
        "The thrown rider",
        "Battlefield targets",
        "Calibres between",
        "A radius that is used up",
        "What an upgrade costs",
        "Which ranges grow",
        "The exception of sappers",
    } <= titles


def test_targets_are_read_as_printed(skirmish: Ruleset) -> None:
    cell = find(skirmish, "wound_chart[1, 6]")
    assert isinstance(cell, Cell)
    assert cell.value == RollTarget((6, 4))
