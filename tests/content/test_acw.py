"""The American Civil War Game as shipped: it loads clean, and it says what its source says.

The values expected here were typed from the source and not from the content.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil

import pytest
from shipped_rulesets import printed_at, shipped

from rulebook.core.odds import FaultyProcedure, odds, program_of
from rulebook.model.cells import Cell
from rulebook.model.cutouts.cone import Cone
from rulebook.model.cutouts.round import Burst
from rulebook.model.lookup import find
from rulebook.model.procedures import all_steps
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import Prose
from rulebook.model.tables import Grid, RecordTable
from rulebook.model.unstated import unstated
from rulebook.quantities import Length, Modifier, RollTarget


@pytest.fixture(scope="module")
def acw() -> Ruleset:
    return shipped("acw")


def value(ruleset: Ruleset, path: str) -> object:
    """What a path names, out of its cell."""
    found = find(ruleset, path)
    return found.value if isinstance(found, Cell) else found


def grid(ruleset: Ruleset, name: str) -> list[list[str]]:
    table = ruleset.tables[name]
    assert isinstance(table, Grid)
    return [[str(cell) for cell in row] for row in table.data]


def record(ruleset: Ruleset, name: str) -> dict[str, list[str]]:
    table = ruleset.tables[name]
    assert isinstance(table, RecordTable)
    return {key: [str(cell) for cell in row.cells.values()] for key, row in table.data.items()}


def inches(ruleset: Ruleset, path: str) -> Fraction:
    length = value(ruleset, path)
    assert isinstance(length, Length)
    assert length.unit == "in"
    return length.number


def test_header(acw: Ruleset) -> None:
    assert acw.id == "acw"
    assert acw.header.edition == "2.0"
    assert acw.header.date.isoformat() == "2010-07-16"
    assert {credit.name for credit in acw.header.credits} == {
        "Charles Grant",
        "Greg Horne",
        "Ross",
        "Ion",
    }


def test_moves(acw: Ruleset) -> None:
    assert record(acw, "moves") == {
        "line": ["6″"],
        "line_firing": ["4″"],
        "column": ["7½″"],
        "infantry_charge": ["9″"],
        "cavalry": ["9″"],
        "cavalry_battle": ["12″"],
        "cavalry_charge": ["18″"],
        "team": ["6″"],
        "manhandled": ["1″"],
        "wagon": ["6″"],
        "barge_upstream": ["6″"],
        "barge_downstream": ["9″"],
        "barge_canal": ["7½″"],
    }


def test_terrain(acw: Ruleset) -> None:
    titles = {"full": "Full", "half": "Half", "none": "None"}
    assert {key: printed_at(acw, f"going.{key}.title") for key in titles} == titles
    assert grid(acw, "terrain") == [
        ["full"] * 4,
        ["half"] * 4,
        ["full"] * 4,
        ["half"] * 4,
        ["half", "full", "none", "none"],
        ["none", "half", "none", "none"],
        ["two_moves", "two_moves", "two_moves", "four_moves"],
    ]
    assert value(acw, "terrain[ford, cavalry].moves") == 2
    assert value(acw, "terrain[ford, wheels].moves") == 4
    assert value(acw, "terrain[uphill, wheels].share") == Fraction(1, 2)
    assert record(acw, "buildings") == {"section": ["7", "4+"]}


def test_establishments(acw: Ruleset) -> None:
    assert record(acw, "establishments") == {
        "infantry": ["3", "", "24", "–"],
        "cavalry": ["3", "3", "12", "–"],
        "battery": ["3", "1", "8", "2"],
    }


def test_ranges(acw: Ruleset) -> None:
    assert record(acw, "ranges") == {
        "rifled_musket": ["–", "8″", "16″", "24″"],
        "smoothbore": ["–", "6″", "12″", "18″"],
        "canister": ["–", "5½″", "12″", "24″"],
        "round_shot": ["–", "42″", "54″", "60″"],
        "howitzer": ["20″", "", "", "50″"],
    }


@pytest.mark.parametrize(
    ("band", "deductions"),
    [("0-8in", [2, 3, 1, 2]), ("8-16in", [3, 4, 2, 3]), ("16-24in", [4, 5, 3, 4])],
)
def test_musketry(acw: Ruleset, band: str, deductions: list[int]) -> None:
    columns = ["normal, open", "normal, cover", "first, open", "first, cover"]
    assert [value(acw, f"musketry[{band}, {column}]") for column in columns] == deductions


def test_bands_of_musketry_are_those_of_the_ranges(acw: Ruleset) -> None:
    """The bands head the rows of one table and are a row of the other; they must not part."""
    table = acw.tables["musketry"]
    assert isinstance(table, Grid)
    ends = [choice.band.high for choice in table.rows[0].choices if choice.band]
    rifled = [inches(acw, f"ranges.rifled_musket.{band}") for band in ("near", "middle", "long")]
    assert ends == rifled == [8, 16, 24]


def test_one_die_for_six_firers(acw: Ruleset) -> None:
    assert record(acw, "volley_groups") == {"firers": ["6"], "targets": ["6"]}


def test_skirmish_fire(acw: Ruleset) -> None:
    assert grid(acw, "skirmish_scores") == [
        ["5+", "6+"],
        ["6+", "–"],
        ["6+", "6+"],
        ["6+", "–"],
        ["5+", "6+"],
        ["6+", "–"],
    ]
    assert record(acw, "skirmish_bands") == {
        "rifled_musket": ["12″", "24″"],
        "smoothbore": ["9″", "18″"],
    }


def test_charge(acw: Ruleset) -> None:
    spread = [value(acw, f"column_spread.{rank}.each_flank") for rank in ("second", "third")]
    assert [*spread, value(acw, "column_spread.fourth.each_flank")] == [2, 1, 1]
    assert grid(acw, "breakthrough_scores") == [["4+"], ["5+"], ["–"]]
    assert record(acw, "breakthrough_limits") == {"cavalry": ["12″", "3″", "30°"]}


def test_melee_throws(acw: Ruleset) -> None:
    """Rows are one, two and three infantry, then one, two and three cavalry."""
    assert grid(acw, "melee_throws") == [
        ["plain", "plain"],
        ["half_again", "plain"],
        ["–", "half_again"],
        ["two_dice", "plain"],
        ["", "half_again"],
        ["–", "–"],
    ]
    assert record(acw, "melee_dice") == {
        "plain": ["d6", "1"],
        "half_again": ["d6", "1½"],
        "two_dice": ["2d6", "1"],
    }
    assert value(acw, "combat_odds.same_arm.figures") == 2


def test_melee_advantages(acw: Ruleset) -> None:
    rows = acw.modifiers["melee_advantages"].rows
    assert {key: row.amount("throw") for key, row in rows.items()} == {
        "charging": 1,
        "downhill": 1,
        "wall": 1,
        "house": 2,
    }


def test_course_of_a_melee(acw: Ruleset) -> None:
    assert record(acw, "free_combat") == {"infantry": ["4"], "cavalry": ["2"]}
    assert record(acw, "melee_moves") == {
        "open": ["2"],
        "built_up": ["3"],
        "part_fallen_back": ["3"],
    }
    assert record(acw, "melee_ratios") == {"casualties": ["2"], "surrender": ["2"]}
    assert record(acw, "exhaustion_moves") == {"falling_back": ["2"], "resting": ["2"]}
    assert record(acw, "exhaustion") == {"no_rest": ["+2", "+3"], "rested": ["+1", "+2"]}


def test_command_points(acw: Ruleset) -> None:
    points = grid(acw, "command_points")
    assert points == [["3", "3"], ["2", "2"], ["1", "1"], ["6", "6"]]


def test_loss_points(acw: Ruleset) -> None:
    shares = {"sixth": Fraction(1, 6), "quarter": Fraction(1, 4), "half": Fraction(1, 2)}
    strengths = {"infantry": 24, "cavalry": 12, "detachment": 8}
    for row, share in shares.items():
        assert value(acw, f"loss_points.{row}.share") == share
        for column, strength in strengths.items():
            assert value(acw, f"loss_points.{row}.{column}") == ceil(share * strength)
    assert [printed_at(acw, f"loss_points.{row}.points") for row in shares] == ["−1", "−2", "–"]
    assert record(acw, "loss_points")["none"] == ["–", "–", "–", "–", "0"]


def test_totals_needed(acw: Ruleset) -> None:
    assert grid(acw, "morale_needs") == [["6+", "7+", "8+", "9+", "10+"]]
    assert record(acw, "dispersal") == {"unit": ["5"]}


def test_officers_and_detachments(acw: Ruleset) -> None:
    assert record(acw, "officer_saves") == {"officer": ["5+"]}
    assert record(acw, "skirmish_line") == {"line": ["1", "1″"]}
    assert record(acw, "detachments") == {"detachment": ["8", "1", "3", "6″", "3"]}
    rows = acw.modifiers["threats"].rows
    assert {key: row.amount("throw") for key, row in rows.items()} == {
        "far": -1,
        "cavalry": -1,
        "middle": -2,
        "near": -3,
    }


def test_bounce_stick(acw: Ruleset) -> None:
    """18 black, then three lengths each of 8, 4 and 2 inches, which end at 60."""
    table = acw.tables["bounce_bands"]
    assert isinstance(table, RecordTable)
    reached = Fraction(0)
    for key, length in zip(table.data, [18, 8, 8, 8, 4, 4, 4, 2, 2, 2], strict=True):
        assert inches(acw, f"bounce_bands.{key}.from") == reached
        reached += length
        assert inches(acw, f"bounce_bands.{key}.to") == reached
    assert reached == 60
    colours = [str(row.cells["colour"]) for row in table.data.values()]
    assert colours == ["–", *["white", "yellow", "green"] * 3]
    assert [printed_at(acw, f"bounce_colours.{c}.throw") for c in ("white", "yellow", "green")] == [
        "1–2",
        "3–4",
        "5–6",
    ]
    assert record(acw, "stick_rod") == {"rod": ["½″", "60″"]}


def test_round_shot(acw: Ruleset) -> None:
    assert record(acw, "ball_kills") == {
        "near": ["18″", "26″", "34″", "42″", "3+"],
        "middle": ["42″", "46″", "50″", "54″", "4+"],
        "far": ["54″", "56″", "58″", "60″", "5+"],
        "extreme": ["48″", "–", "–", "–", "6+"],
    }


def test_counter_battery(acw: Ruleset) -> None:
    assert record(acw, "gun_damage") == {"slowed": ["10"], "destroyed": ["20"]}
    bands = ("0-36in", "36-48in", "48-60in")
    found = [value(acw, f"damage_by_range[{band}]") for band in bands]
    assert found == [Modifier(0), Modifier(-1), Modifier(-2)]


def test_canister(acw: Ruleset) -> None:
    cone = acw.cutouts["canister_cone"]
    assert isinstance(cone, Cone)
    assert (cone.length.mm, cone.base.mm) == (24 * Fraction("25.4"), 5 * Fraction("25.4"))
    assert record(acw, "canister_zones") == {
        "near": ["5½″", "4+"],
        "middle": ["12″", "5+"],
        "far": ["24″", "6+"],
    }


def test_howitzer(acw: Ruleset) -> None:
    burst = acw.cutouts["shell_burst"]
    assert isinstance(burst, Burst)
    assert (burst.centre.score, burst.ring) == (6, (5, 4, 3, 2))
    assert burst.kills == RollTarget((4,))
    assert burst.status is Status.HOUSE
    fall = [printed_at(acw, f"burst_throw[{face}]").split()[0] for face in range(1, 7)]
    assert fall == ["Misfire,", "Left", "Short", "Right", "Over", "On"]


#: (men killed, whether the ball goes on) for the throws 1-2, 3, 4, 5 and 6.
HOUSE_SHOT: dict[str, list[tuple[int, bool]]] = {
    "0-36in": [(0, False), (1, False), (1, False), (2, True), (3, True)],
    "36-48in": [(0, False), (0, False), (1, False), (2, True), (2, True)],
    "48-60in": [(0, False), (0, False), (0, False), (1, False), (1, False)],
}


@pytest.mark.parametrize("band", HOUSE_SHOT)
def test_round_shot_on_a_house(acw: Ruleset, band: str) -> None:
    for throw, (killed, goes_on) in zip((1, 3, 4, 5, 6), HOUSE_SHOT[band], strict=True):
        cell = f"house_shot[{band}, {throw}]"
        assert value(acw, f"{cell}.killed") == killed
        assert value(acw, f"{cell}.goes_on") is goes_on
        assert value(acw, f"{cell}.penetrates") is (killed > 0)
    assert value(acw, f"house_shot[{band}, 2].killed") == HOUSE_SHOT[band][0][0]


def test_shell_on_a_house_and_fire(acw: Ruleset) -> None:
    assert [value(acw, f"house_shell[{throw}]") for throw in range(1, 7)] == [0, 0, 0, 1, 2, 3]
    assert record(acw, "house_damage") == {"on_fire": ["10"], "ruined": ["20"]}
    assert record(acw, "burning") == {"house": ["15", "3″", "3+"]}


def test_annex(acw: Ruleset) -> None:
    annexes = [chapter.id for chapter in acw.chapters if chapter.annex]
    assert annexes == ["optional_rules", "the_odds"]
    rows = acw.modifiers["annex_throws"].rows
    assert {key: str(row.amounts["throw"]) for key, row in rows.items()} == {
        "sharpshooters": "+1",
        "zouaves": "+1",
    }
    assert record(acw, "zouave_losses") == {"quarter": ["¼", "6", "−1"]}
    assert inches(acw, "sleeve.length") == 4
    assert grid(acw, "sleeve_kills") == [["3+"], ["4+"], ["5+"], ["6+"]]


def words_in(line: Prose) -> int:
    return len(re.sub(r"\{[^{}]*\}", "0", line.markdown).split())


def test_reminders_are_short(acw: Ruleset) -> None:
    """A binding counts as one word: it prints as a number."""
    for phase in acw.sequence.values():
        for step in phase.steps.values():
            for line in step.say:
                assert words_in(line) <= 12, line.markdown


def test_told_steps_are_short(acw: Ruleset) -> None:
    """They stand on the sheet as well."""
    told = {
        step.say.markdown: words_in(step.say)
        for procedure in acw.procedures.values()
        for step in all_steps(procedure.steps)
        if step.say
    }
    assert max(told.values()) <= 12, max(told, key=told.__getitem__)
    assert len(told) > 40


def test_a_value_for_the_prose_only_is_not_printed_again(acw: Ruleset) -> None:
    """Tables of one fact or two stand in neither document; their sentence tells them."""
    hidden = {name for name, table in acw.tables.items() if not table.booklet}
    assert {"going", "buildings", "volley_groups", "officer_saves"} <= hidden
    assert not any(acw.tables[name].qrs for name in hidden)


def test_the_annex_is_no_phase_of_the_turn(acw: Ruleset) -> None:
    phases = list(acw.sequence.values())
    assert [phase.optional for phase in phases] == [False] * 5 + [True]


def test_worked_examples_are_owned_to_once(acw: Ruleset) -> None:
    assert {example.status for example in acw.examples.values()} == {Status.STATED}
    titles = [note.title for note in unstated(acw)]
    assert titles.count("Worked examples") == 1


#: Each procedure of the main rules: its inputs with the number of their values, its results.
PROCEDURES: dict[str, tuple[dict[str, int], list[str]]] = {
    "acts_first": ({}, ["first"]),
    "first_fire": ({}, ["first"]),
    "volley": (
        {"firers": 240, "range": 3, "volley": 2, "cover": 2},
        ["casualties", "figures_hit"],
    ),
    "figures_found": ({"hits": 49}, ["figures_hit"]),
    "skirmish_fire": (
        {"figures": 48, "target": 5, "range": 2, "mounted_officer": 2},
        ["casualties"],
    ),
    "charge_response": ({}, ["fires"]),
    "breakthrough": ({"ranks": 2}, ["breaks_through"]),
    "melee": (
        {
            "attacker": 2,
            "defender": 2,
            "attacker_count": 3,
            "defender_count": 3,
            "attacker_bonus": 10,
            "defender_bonus": 10,
        },
        ["winner"],
    ),
    "building_entry": ({}, ["enters"]),
    "morale": ({"command": 7, "losses": 3, "attempt": 5}, ["good"]),
    "rally": ({"command": 7, "losses": 3}, ["rallied_on"]),
    "line_morale": ({"command": 7, "losses": 2, "attempt": 5, "threat": 4}, ["good"]),
    "officer_save": ({}, ["saved"]),
    "generals_rally": ({}, ["moves"]),
    "bounce": ({}, ["colour"]),
    "round_shot": ({"figures": 48, "band": 4}, ["casualties"]),
    "gun_hit": ({"range": 3}, ["damage"]),
    "counter_battery": ({"range": 3, "until": 2}, ["hits_needed"]),
    "canister": ({"near": 25, "middle": 25, "far": 25}, ["casualties"]),
    "howitzer": (
        {"in_2": 25, "in_3": 25, "in_4": 25, "in_5": 25, "in_6": 25},
        ["sector", "casualties"],
    ),
    "round_shot_on_house": ({"range": 3}, ["kills", "goes_on", "points"]),
    "howitzer_on_house": ({"range": 3}, ["kills", "points"]),
    "house_fire": ({}, ["spreads_within", "spreads_on"]),
}
#: A procedure of no rule: it tells the odds at a distance.
AT_A_DISTANCE = {"figure_under_fire": ({"shot": 2, "distance": 60}, ["falls"])}


def test_every_throw_is_a_procedure(acw: Ruleset) -> None:
    assert acw.procedures.keys() == PROCEDURES.keys() | AT_A_DISTANCE.keys()


@pytest.mark.parametrize("name", [*PROCEDURES, *AT_A_DISTANCE])
def test_procedures(acw: Ruleset, name: str) -> None:
    program = program_of(acw, name)
    inputs, results = (PROCEDURES | AT_A_DISTANCE)[name]
    assert {key: len(domain.values) for key, domain in program.domains.items()} == inputs
    assert list(program.results) == results
    rule = acw.procedures[name].rule
    assert rule in {section.id for chapter in acw.chapters for section in chapter.sections}


def test_every_procedure_is_played_in_an_example(acw: Ruleset) -> None:
    """Or it is a part of one that is; the throw for who acts first is that for the first fire."""
    played = {step.run for example in acw.examples.values() for step in example.runs.values()}
    assert PROCEDURES.keys() - played == {"acts_first", "figures_found"}
    assert played - PROCEDURES.keys() == {"round_shot_by_sleeve"}


def test_every_procedure_is_told_on_the_sheet(acw: Ruleset) -> None:
    """That for the figures found is told as a step of a volley."""
    told = [
        name
        for phase in acw.sequence.values()
        for step in phase.steps.values()
        for name in step.procedures
    ]
    assert sorted([*told, "figures_found"]) == sorted(PROCEDURES)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("attacker_count=2 defender_count=2", "In a single combat one side is a single figure."),
        ("attacker_count=3", "So many of the same arm do not fight against one."),
        (
            "attacker=cavalry attacker_count=2",
            "No throw is given to several horsemen against one infantryman.",
        ),
        (
            "defender=cavalry defender_count=3",
            "No throw is given to several horsemen against one infantryman.",
        ),
    ],
)
def test_combats_without_a_throw_are_refused(acw: Ruleset, given: str, sentence: str) -> None:
    with pytest.raises(FaultyProcedure, match=re.escape(sentence.removesuffix("."))):
        odds(acw, "melee", dict(one.split("=") for one in given.split()))


#: An option, a procedure with inputs, an outcome, and its chance without and with the option.
OPTIONS = [
    ("zouaves", "melee", "winner=attacker", ("15/36", "21/36")),
    ("zouaves", "melee attacker=cavalry", "winner=attacker", ("181/216", "181/216")),
    ("zouaves", "melee defender=cavalry", "winner=attacker", ("20/216", "35/216")),
    ("zouaves", "morale command=4 losses=sixth", "good=true", ("4/6", "5/6")),
    ("zouaves", "morale command=4 losses=quarter", "good=true", ("3/6", "4/6")),
    ("zouaves", "rally command=3 losses=quarter", "rallied_on=2", ("4/36", "6/36")),
    ("sharpshooters", "skirmish_fire figures=1 target=cover", "casualties=1", ("1/6", "2/6")),
    ("sharpshooters", "skirmish_fire figures=1 target=cover range=far", "casualties=1", ("0", "0")),
    ("no_breakthrough", "breakthrough ranks=1", "breaks_through=true", ("3/6", "0")),
]


@pytest.mark.parametrize(("option", "asked", "outcome", "chances"), OPTIONS)
def test_options_change_the_odds(
    acw: Ruleset, option: str, asked: str, outcome: str, chances: tuple[str, str]
) -> None:
    other = shipped("acw", option)
    name, *inputs = asked.split()
    result, word = outcome.split("=")
    value = {"true": True}.get(word, int(word) if word.isdigit() else word)
    given = dict(one.split("=") for one in inputs)
    for ruleset, expected in zip((acw, other), chances, strict=True):
        assert odds(ruleset, name, given).results[result].chance(value) == Fraction(expected)


def test_the_sleeve_slides_by_the_difference_of_two_dice() -> None:
    """Four heads an inch apart under four inches: as many fewer as it slides, 3+ within 24."""
    sleeve = shipped("acw", "sleeve")
    found = odds(sleeve, "round_shot_by_sleeve").results
    ways = {slide: 6 - abs(slide) for slide in range(-5, 6)}
    assert dict(found["slide"].outcomes) == {
        slide: Fraction(number, 36) for slide, number in ways.items()
    }
    heads = sum(Fraction(number, 36) * max(0, 4 - abs(slide)) for slide, number in ways.items())
    assert found["casualties"].mean == heads * Fraction(2, 3)


def test_gaps_stay_open(acw: Ruleset) -> None:
    """What the source does not give is an empty cell with a note, and no value of ours."""
    gaps = [
        "establishments.infantry.mounted",
        "ranges.howitzer.near",
        "ranges.howitzer.middle",
        "combat_odds.cavalry_on_infantry.figures",
        "melee_throws[cavalry, 2, infantry]",
    ]
    for path in gaps:
        cell = find(acw, path)
        assert isinstance(cell, Cell)
        assert (cell.status, cell.value) == (Status.MISSING, None), path
        assert cell.note is not None
