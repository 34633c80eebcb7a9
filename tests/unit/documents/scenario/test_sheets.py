"""What is played with: each unit by itself, on rosters and on cards, and the cutouts needed."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
import shapely
from composed import compose
from shipped_rulesets import SHIPPED, shipped
from small_rulesets import ruleset_of
from small_scenarios import FORMATIONS, MUSTER, TABLES, UNITS, meeting, played, ruleset_with

from rulebook.documents.cards.pieces import BlankPart
from rulebook.documents.scenario.forces import UNITS as COUNTED
from rulebook.documents.scenario.forces import Battle
from rulebook.documents.scenario.handouts import (
    SheetsView,
    card_documents,
    compose_scenario_sheets,
    compose_unit_cards,
    cutouts_needed,
    recounted,
    tiles_needed,
    unit_deck,
)
from rulebook.documents.scenario.layout import PageView, RosterPiece
from rulebook.maps.names import swatch
from rulebook.model.cutouts import Markers, StandBase
from rulebook.model.forces import units_known, units_of_side
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import Scenario
from rulebook.packaged import templates_folder
from rulebook.typeset.environment import render_template

ALL = [(name, scenario) for name in SHIPPED for scenario in shipped(name).scenarios]


def sheets(scenario: dict[str, Any]) -> SheetsView:
    return compose_scenario_sheets(played(ruleset_with(scenario)))


def boxes_of(ruleset: Ruleset, scenario: Scenario, side: str) -> int:
    """Boxes of the tracks of all units of a side, from the model alone; one if there are none."""
    known = units_known(ruleset, scenario)
    each = {
        name: sum(track.boxes * track.times for track in known[name].tracks.values())
        for name in known
    }
    units = units_of_side(ruleset, scenario, scenario.sides[side])
    return sum(number * (each[name] or 1) for name, number in units.items())


# --- units one by one


def test_units_stand_in_their_formations_and_take_the_names_in_order() -> None:
    scenario = meeting()
    force = scenario["sides"]["red"]["forces"]["main"]
    force["of"] = {"division": "1", "battery": "1"}
    force["names"] = {"regiment": ["First Foot", "Zweite Füsiliere"]}
    battle = Battle("meeting", ruleset_with(scenario))
    sides = battle.scenario.sides
    units = battle.units_one_by_one(sides["red"].forces["main"])
    assert [(unit.formation, unit.name) for unit in units] == [
        ("Division", "First Foot"),
        ("Brigade 1", "Zweite Füsiliere"),
        ("Brigade 1", ""),
        ("Brigade 2", ""),
        ("Brigade 2", ""),
        ("", ""),
    ]
    alone = battle.units_one_by_one(sides["blue"].forces["all"])
    assert [(unit.formation, unit.title) for unit in alone] == [("", "Regiment")] * 2


# --- rosters


@pytest.mark.parametrize(("name", "scenario"), ALL)
def test_a_roster_has_all_boxes_of_the_model(name: str, scenario: str) -> None:
    one = played(shipped(name), scenario)
    view = compose_scenario_sheets(one)
    for side, key in zip(view.sides, one.scenario.sides, strict=True):
        rows = [row for force in side.forces for row in force.roster]
        drawn = sum(len(boxes) for row in rows for track in row.tracks for boxes in track.groups)
        assert drawn == boxes_of(one.ruleset, one.scenario, key)
        units = units_of_side(one.ruleset, one.scenario, one.scenario.sides[key])
        assert sum(row.number for row in rows) == units.total()
        assert side.counts[COUNTED] == units.total()


def test_units_that_note_nothing_have_a_box_each_and_one_line_together() -> None:
    scenario = meeting()
    scenario["sides"]["blue"]["forces"]["all"]["of"] = {"regiment": "7"}
    scenario["sides"]["blue"]["forces"]["all"]["names"] = {"regiment": ["Guards"]}
    (force,) = sheets(scenario).sides[1].forces
    named, rest = force.roster
    assert (named.name, named.number, named.tracks[0].groups) == ("Guards", 1, (("",),))
    assert (rest.name, rest.number, rest.tracks[0].count) == ("", 6, "6")
    assert [len(group) for group in rest.tracks[0].groups] == [5, 1]


def test_a_count_that_the_rules_leave_open_is_a_question() -> None:
    scenario = meeting()
    scenario["sides"]["blue"]["forces"]["all"]["of"] = {"battery": "2"}
    view = sheets(scenario)
    page = PageView("roster", "roster 1", view.sides[1], [RosterPiece("whole")])
    shown = {"pages": [page], "names_mm": 1, "again_mm": 1, "swatch": swatch}
    html = render_template("scenario-sheets.html.j2", view, templates_folder(), **shown)
    totals = re.findall(r'<span class="total">(.*?)</span>', html, re.DOTALL)
    assert totals == ["Units <b>2</b>", "Figures <b>?</b>", "Guns <b>4</b>"]


def test_who_leads_is_named_or_has_a_line() -> None:
    scenario = meeting()
    scenario["sides"]["red"]["commander"] = {"title": "Général Étienne Žižka"}
    scenario["sides"]["blue"]["commander"] = {"status": "missing", "note": "Not named."}
    red, blue = sheets(scenario).sides
    assert (red.commander, blue.commander) == ("Général Étienne Žižka", "")
    assert red.forces[0].commander is None


@pytest.mark.parametrize(("last", "turns"), [("3", 20), ("27", 27)])
def test_turns_where_no_length_is_stated(last: str, turns: int) -> None:
    scenario = meeting()
    scenario["length"] = {"status": "missing", "note": "Not told."}
    scenario["sides"]["red"]["forces"]["main"]["turn"] = last
    view = sheets(scenario)
    assert not view.known
    assert len(view.track) == turns


# --- cards


@pytest.mark.parametrize(("name", "scenario"), ALL)
def test_a_card_for_each_unit_with_the_back_of_its_side(name: str, scenario: str) -> None:
    one = played(shipped(name), scenario)
    view = compose_unit_cards(one)
    assert [back.title for back in view.backs] == [
        side.title for side in one.scenario.sides.values()
    ]
    for number, side in enumerate(one.scenario.sides.values()):
        units = units_of_side(one.ruleset, one.scenario, side)
        mine = [card for card in view.cards if card.whose and card.whose.number == number]
        by_kind = Counter[str]()
        for card in mine:
            by_kind[card.id] += card.copies
        assert by_kind == units
        given = [
            n for force in side.forces.values() for names in force.names.values() for n in names
        ]
        assert set(given) <= {card.title for card in mine}


def test_a_name_is_the_title_and_wants_no_line() -> None:
    view = compose_unit_cards(played(shipped("acw"), "sawmill_village"))
    named = next(card for card in view.cards if card.title == "5th Alabama")
    assert (named.kind, named.copies) == ("Infantry regiment", 1)
    assert not any(isinstance(part, BlankPart) for part in named.parts)
    plain = next(card for card in view.cards if card.title == "Infantry regiment")
    assert (plain.kind, plain.copies) == ("", 3)
    assert plain.parts[0] == BlankPart(("Name",))
    assert plain.whose is not None
    assert plain.whose.words == "Brigade of three regiments · Start"


def test_a_ruleset_without_a_deck_of_units_has_plain_cards() -> None:
    ruleset = ruleset_with(meeting())
    assert unit_deck(ruleset).title == "Unit cards"
    view = compose_unit_cards(played(ruleset))
    assert view.sizes == ("poker",)
    assert [(card.title, card.copies) for card in view.cards] == [("Regiment", 5), ("Regiment", 2)]


# --- cutouts

CHAPTERS = (
    "# Moving {#moving}\n\nSome words.\n\n{cutout: order_disc}",
    "# Guns {#guns}\n\nSome words.\n\n## Canister {#canister}\n\nFire!\n\n{cutout: canister_disc}",
    "# Scouts {#scouts}\n\nSome words.",
)


def cutouts(scenario: dict[str, Any]) -> tuple[str, ...]:
    disc = {"shape": "disc", "title": "Disc", "diameter": "3in"}
    collections = {
        "tables": TABLES,
        "units": {**UNITS, "battery": {**UNITS["battery"], "rules": ["guns"]}},
        "formations": FORMATIONS,
        "scenarios": {"meeting": scenario},
        "cutouts": {
            "order_disc": disc,
            "canister_disc": disc,
            "scout_disc": {**disc, "rule": "scouts"},
        },
    }
    ruleset = ruleset_of(collections, *CHAPTERS, muster=MUSTER)
    return cutouts_needed(ruleset, ruleset.scenarios["meeting"])


def test_cutouts_of_units_that_are_not_there_are_left_out() -> None:
    """But a scenario that names its cutouts has these."""
    assert cutouts(meeting()) == ("order_disc", "scout_disc")
    scenario = meeting()
    scenario["sides"]["blue"]["forces"]["all"]["of"] = {"battery": "1"}
    assert cutouts(scenario) == ("order_disc", "canister_disc", "scout_disc")
    named = {**meeting(), "cutouts": ["scout_disc", "canister_disc"]}
    assert cutouts(named) == ("canister_disc", "scout_disc")
    assert cutouts({**meeting(), "cutouts": []}) == ()


@pytest.mark.parametrize(
    ("name", "scenario", "copies"),
    [
        # Six line and two grenadier battalions, two light ones, three of horse, two batteries.
        ("thin-red-line", "farm", {"medium_stand": 48, "small_stand": 24, "large_stand": 22}),
        ("gridded", "crossroads", {"unit_base": 2 * 8}),
        # Four officers, four voltigeurs, twice six fusiliers, nine redcoats and five riflemen.
        ("napoleonic-skirmish", "mill", {"infantry_base": 4 + 1 + 4 + 12 + 9 + 5}),
    ],
)
def test_as_many_bases_as_the_units_stand_on(
    name: str, scenario: str, copies: dict[str, int]
) -> None:
    ruleset = shipped(name)
    played_with = ruleset.scenarios[scenario]
    found = recounted(ruleset, played_with)
    bases = {key: one for key, one in found.items() if one is None or isinstance(one, StandBase)}
    assert {key: one.copies for key, one in bases.items() if isinstance(one, StandBase)} == copies
    needed = cutouts_needed(ruleset, played_with)
    assert copies.keys() <= set(needed)
    assert not {key for key, one in bases.items() if one is None} & set(needed)


def test_as_many_tiles_as_the_ground_has_squares() -> None:
    """By the areas of the features, and all of these are on the sheets."""
    scenario = shipped("gridded").scenarios["crossroads"]
    side = scenario.table.square.mm
    areas: Counter[str] = Counter()
    for feature in scenario.map.features.values():
        if feature.area:
            corners = shapely.Polygon([point.mm for point in feature.area])
            areas[feature.draw] += round(corners.area / float(side) ** 2)
        elif feature.box:
            areas[feature.draw] += int(feature.box.width.mm * feature.box.depth.mm / side**2)
    needed = tiles_needed(scenario)
    assert {kind: number for kind, number in needed.items() if kind != "road"} == areas
    tiles = recounted(shipped("gridded"), scenario)["terrain_tiles"]
    assert isinstance(tiles, Markers)
    assert {face.terrain: face.copies for face in tiles.faces} == areas


def test_a_river_takes_a_tile_of_each_square_that_it_crosses() -> None:
    scenario = meeting()
    scenario["table"] = {"width": "36in", "depth": "36in", "squares": "6in"}
    line = [["0in", "9in"], ["15in", "9in"], ["15in", "36in"]]
    river = {"draw": "river", "line": line, "bridges": [["15in", "21in"]]}
    scenario["map"] = {"features": {"r": river}}
    needed = tiles_needed(Scenario.model_validate(scenario))
    assert needed == {"river": 3 + 4, "bridge": 1}


# --- files


def files_with(**cards: Any) -> set[str]:
    """The files of the cards of a scenario whose ruleset has its cards printed so."""
    ruleset = ruleset_with(meeting(), documents={"cards": cards})
    (planned,) = card_documents(played(ruleset))
    return {f"{file.path}: {file.imposition}" for file in planned.document.files}


def test_cards_are_printed_as_those_of_the_ruleset() -> None:
    assert files_with(papers=["a4"]) == {"scenarios/meeting-cards-a4.pdf: n-up"}
    assert files_with(papers=["letter"], gutterfold="true") == {
        "scenarios/meeting-cards-letter.pdf: gutterfold"
    }


def test_no_sheets_where_none_are_wanted() -> None:
    ruleset = ruleset_with(meeting(), documents={"scenarios": {"sheets": None}})
    assert not {one.kind for one in compose(ruleset)} & {"scenario-sheets", "cards", "cutout"}
