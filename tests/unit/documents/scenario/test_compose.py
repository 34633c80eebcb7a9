"""The booklet of a scenario: what stands in it, reckoned a second time."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from beside import beside, written
from shipped_rulesets import SHIPPED, shipped
from small_scenarios import meeting, played, ruleset_with

from rulebook.documents.scenario.compose import ScenarioView, booklet_documents, scenario_view
from rulebook.documents.scenario.maps import (
    board_of,
    squares_in_words,
    squares_named,
    where_to_find,
)
from rulebook.documents.scenario.marches import short_names
from rulebook.maps.frame import SquareGrid
from rulebook.model.not_in_source import unstated_of_scenario
from rulebook.model.scenarios import Place, Scenario

ALL = [(name, one) for name in SHIPPED for one in shipped(name).scenarios]
#: What the source of Gettysburg states: turn, side, regiments by kind, guns, where.
SCHEDULE = beside(__file__, "schedule")


def view_of(scenario: dict[str, Any], layout: str = "a5", **header: Any) -> ScenarioView:
    return scenario_view(played(ruleset_with(scenario, **header), "meeting"), layout)


def shipped_view(ruleset: str, name: str) -> ScenarioView:
    return scenario_view(played(shipped(ruleset), name), "a5")


@pytest.fixture(scope="module")
def gettysburg() -> ScenarioView:
    return shipped_view("acw", "gettysburg")


def test_the_schedule_is_that_of_the_source(gettysburg: ScenarioView) -> None:
    found = []
    for force in gettysburg.schedule:
        units = {unit.title: unit.number for unit in force.units}
        found.append((force.turn, gettysburg.sides[force.side].title, units, force.place))
    assert found == [*map(tuple, SCHEDULE[1:])] and SCHEDULE[0][0] == 0
    assert gettysburg.schedule[0].when == "Move 1"


def test_strengths_and_their_ratio_are_added_up_anew(gettysburg: ScenarioView) -> None:
    """A regiment of foot is 27 men, one of horse 15, a gun with its crew 5."""
    worth = {"Infantry regiment": 27, "Cavalry regiment": 15, "Gun": 5}
    there = {"Union": 0, "Confederate": 0}
    units = {"Union": 0, "Confederate": 0}
    for row, (turn, side, coming, _) in zip(gettysburg.balance, SCHEDULE, strict=True):
        when, strong, ratio_in_words = row
        there[side] += sum(worth[unit] * number for unit, number in coming.items())
        units[side] += sum(coming.values())
        assert when == (f"Move {turn}" if turn else "Start")
        assert strong == tuple((str(units[one]), str(there[one])) for one in there)
        ahead = max(there, key=lambda one: there[one])
        ratio = there[ahead] / (min(there.values()) or 1)
        told = f"{ahead} {ratio:.1f} : 1" if min(there.values()) else f"{ahead} alone"
        assert ratio_in_words == told
    chart = gettysburg.chart
    assert chart is not None and chart.places == ("start", *map(str, range(1, 31)))
    assert [series.values[-1] for series in chart.series] == [there["Union"], there["Confederate"]]


def test_the_track_has_every_arrival_under_its_turn(gettysburg: ScenarioView) -> None:
    boxes = [box for row in gettysburg.track for box in row]
    assert [box.turn for box in boxes] == list(range(1, 31))
    assert {len(row) for row in gettysburg.track} == {6}
    for turn, side, _, _ in SCHEDULE[1:]:
        ((number, *_),) = boxes[turn - 1].coming
        assert gettysburg.sides[number].title == side
    assert sum(len(box.coming) for box in boxes) == len(SCHEDULE) - 1


def test_marches_and_earliest_turns_agree(gettysburg: ScenarioView) -> None:
    marches = gettysburg.marches
    assert marches is not None and marches.unknown == ()
    (first,) = marches.earliest
    turns: Mapping[tuple[str, str, str], str] = {
        (table.title, objective, unit): told
        for table in marches.ways
        for _, objective, (_, _, *turns) in table.rows
        for unit, told in zip(table.heads, turns, strict=True)
    }
    forces = gettysburg.schedule
    places = {one.title: (one.turn, one.place) for one in forces}
    final = next(turns for _, force, turns in first.rows if force == "Final Brigade")
    turn, place = places["Final Brigade"]
    for objective, told in zip(first.heads, final, strict=True):
        needed = int(turns[place, objective, "Infantry regiment"])
        assert told == (str(turn + needed - 1) if turn + needed - 1 <= 30 else "–")


@pytest.mark.parametrize(("ruleset", "name"), ALL)
def test_every_scenario_tells_all_that_is_in_it(ruleset: str, name: str) -> None:
    one = played(shipped(ruleset), name)
    view, scenario = scenario_view(one, None), one.scenario
    assert len(view.notes) == len(unstated_of_scenario(one.ruleset, name))
    assert [*view.prose] == [*view.squares] == [*scenario.objectives]
    told = {place.title for place in view.places}
    assert told >= {place.title for place in scenario.places.values()}
    assert {status for status, _ in view.statuses} == {note.status for note in view.notes}
    assert Scenario.model_validate(view.map.scenario) == scenario
    forces = [force.title for side in scenario.sides.values() for force in side.forces.values()]
    assert sorted(force.title for side in view.sides for force in side.forces) == sorted(forces)


def test_places_are_told_to_be_measured() -> None:
    scenario = meeting()
    scenario["places"] |= written(
        "{corner: {title: Corner, entry: [72in, 48in]}, north: {title: North, entry: [10in, "
        "48in]}, middle: {title: Middle, zone: [[10in, 6in], [30in, 6in], [30in, 48in], "
        "[10in, 48in]]}, odd: {title: Odd, zone: [[10in, 6in], [30in, 6in], [20in, 9in]]}}"
    )
    found = {place.title: place.where for place in view_of(scenario).places}
    assert found == beside(__file__, "places_are_told_to_be_measured")


def test_places_on_a_table_with_hexes_are_told_by_these() -> None:
    scenario = shipped("last-wagon").scenarios["sella"]
    found = {name: where_to_find(scenario, place) for name, place in scenario.places.items()}
    assert found == beside(__file__, "places_on_a_table_with_hexes")
    corners = [["9in", "9.6in"], ["19in", "9.6in"], ["19in", "15.6in"], ["9in", "15.6in"]]
    zone = Place.model_validate({"title": "East", "zone": corners})
    assert where_to_find(scenario, zone) == "hexes D4, D5, E4, E5, F4, F5, G4, G5"
    assert shipped_view("last-wagon", "sella").marches is None


def test_places_on_a_board_are_told_by_its_rows_and_columns() -> None:
    view = shipped_view("gridded", "crossroads")
    found = {place.title: place.where for place in view.places}
    assert found == beside(__file__, "places_on_a_board")
    assert [*view.squares.values()] == ["F5–G6"]


@pytest.mark.parametrize(("names", "told", "alone"), beside(__file__, "squares"))
def test_squares_are_told_by_what_they_fill(names: str, told: str, alone: str) -> None:
    grid = SquareGrid(Fraction(1), Fraction(8), Fraction(8), metric=False)
    assert squares_in_words(grid, names.split()) == told
    assert squares_named(names.split()) == alone


def test_a_map_whose_zones_follow_no_squares_is_no_board() -> None:
    boards = {
        name: {board_of(one) is not None for one in shipped(name).scenarios.values()}
        for name in SHIPPED
    }
    assert {name for name, found in boards.items() if True in found} == {"gridded", "last-wagon"}


def test_an_edge_where_nobody_comes_in_is_a_way_off() -> None:
    views = shipped_view("acw", "wagon_train").places
    assert [place.title for place in views if place.way_off] == ["East road"]
    west = next(place for place in views if place.title == "West road")
    assert west.who == ((0, "Union: Wagons and escort (move\u00a01); Rearguard (move\u00a03)"),)


def test_what_the_source_does_not_say_is_said_to_be_missing() -> None:
    scenario = meeting()
    none = {"status": "missing", "note": "Not given."}
    scenario |= {"length": none, "background": none, "victory": none}
    scenario["sides"]["red"]["commander"] = none
    del scenario["objectives"]
    view = view_of(scenario)
    assert view.passages == {} and view.marches is None
    assert view.sides[0].commander == ""
    assert {"background", "victory", "length", "sides/red/commander"} <= view.noted.keys()
    assert ("Length", "as the players agree", "length") in view.facts
    assert [len(row) for row in view.track] == [4, 4]
    numbers = [note.number for note in view.notes]
    assert numbers == [*range(1, len(numbers) + 1)] and len(numbers) == 5


def test_all_at_once_needs_no_time_line() -> None:
    scenario = meeting()
    scenario["sides"]["red"]["forces"]["main"] |= {"turn": "0", "at": "anywhere"}
    view = view_of(scenario)
    assert view.time_lines == () and view.chart is None and view.balance == ()


def test_many_forces_are_told_on_drawings_of_their_own_and_by_their_number() -> None:
    scenario = meeting()
    scenario["sides"]["red"]["forces"] = {
        f"f{number}": {"title": f"F{number}", "of": {"regiment": "1"}, "at": "west", "turn": "7"}
        for number in range(80)
    }
    view = view_of(scenario)
    bars = [bar for line in view.time_lines for bar in line.bars]
    assert len(bars) == 81 and len(view.time_lines) == 3
    boxes = [box for row in view.track for box in row]
    assert boxes[6].coming == ((0, "80 forces", ""),)


@pytest.mark.parametrize(("turns", "layout", "rows"), beside(__file__, "rows_of_the_track"))
def test_rows_of_the_track_are_as_long_as_each_other(
    turns: str, layout: str, rows: list[int]
) -> None:
    view = view_of({**meeting(), "length": turns}, layout)
    assert [len(row) for row in view.track] == rows


def test_sides_as_strong_throughout_are_not_compared() -> None:
    view = shipped_view("gridded", "crossroads")
    assert view.chart is None and view.balance == () and view.time_lines
    uneven = shipped_view("thin-red-line", "farm")
    assert uneven.chart is not None and uneven.chart.steps and uneven.balance


def test_units_of_one_pace_share_a_column() -> None:
    marches = shipped_view("thin-red-line", "farm").marches
    assert marches is not None
    assert [(table.title, table.heads) for table in marches.ways] == [
        ("British line", ("Battalion", "Light battery")),
        ("French line", ("Battalion", "Heavy battery")),
        ("Mill Lane", ("Light cavalry",)),
        ("Brussels Road", ("Battalion", "Light cavalry", "Heavy cavalry")),
    ]
    rows = {(one.title, to): cells[2:] for one in marches.ways for _, to, cells in one.rows}
    assert ("Mill Lane", "Mill Lane") not in rows and ("British line", "Mill Lane") in rows
    assert all(min(map(int, turns)) <= 12 for turns in rows.values())


def test_a_last_word_stands_for_units_that_share_it() -> None:
    assert short_names([["Line battalion", "Light battalion"], ["Light cavalry"]]) == [
        "Battalion",
        "Light cavalry",
    ]
    mixed = [["Heavy cavalry", "Heavy battery", "Light battery"], ["Light cavalry"]]
    assert short_names(mixed) == ["Heavy cavalry, Battery", "Light cavalry"]


def test_what_comes_too_late_has_a_dash() -> None:
    marches = view_of({**meeting(), "length": "4"}).marches
    assert marches is not None and marches.late
    (table,) = marches.earliest
    assert all(turns[0] == "–" for _, force, turns in table.rows if force == "Main")


def test_without_paces_there_are_no_marches() -> None:
    assert view_of(meeting()).marches is not None
    assert view_of(meeting(), muster={"counts": {"figures": ["men"]}}).marches is None


def test_more_sides_than_two_are_told_by_their_shares() -> None:
    scenario = meeting()
    third = {"title": "Green", "colour": "green", "forces": {"x": {
        "title": "X", "of": {"regiment": "3"}, "at": "anywhere"}}}  # fmt: skip
    scenario["sides"]["green"] = third
    assert [ratio for _, _, ratio in view_of(scenario).balance] == [
        "0 % : 40 % : 60 %",
        "50 % : 20 % : 30 %",
    ]


def test_the_files_are_those_that_are_asked_for() -> None:
    planned = [*booklet_documents(played(ruleset_with(meeting()), "meeting"), ())]
    paths = [file.path for one in planned for file in one.document.files]
    assert paths == beside(__file__, "the_files_are_those_that_are_asked_for")
    assert {one.document.title for one in planned} == {"The Meeting: Booklet"}
