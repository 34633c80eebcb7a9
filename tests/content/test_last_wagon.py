"""The Last Wagon: its board is what its rules say, and a game of it can be won and lost.

Every throw of a game is a play of one of its procedures; the board and the moves stand once more in
tests/fakes/last_wagon_game.py. Games are played with seeds, so that no test fails by chance.
"""

import random
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import Any

from asked_odds import game
from last_wagon_game import (
    ARRIVALS,
    BRIDGE,
    CHARGES,
    COLUMN,
    COVER,
    ENOUGH,
    EVENTS,
    HEXES,
    ORDERS,
    ROADS,
    SET_UP,
    STRENGTH,
    TURNS,
    WAGONS,
    Game,
    around,
)
from shipped_rulesets import printed_at, shipped

from rulebook.core.input_domains import parse_inputs
from rulebook.core.programs import seeded_dice
from rulebook.documents.scenario.maps import where_to_find
from rulebook.maps.frame import Hexes, grid_of
from rulebook.maps.geometry import is_inside, to_segment
from rulebook.model.cards import deal
from rulebook.model.grids import Grid
from rulebook.model.maps import Feature

GAMES = 200
#: How wide a hex is, mm.
HEX = 3 * 25.4


class Table:
    """Throws the dice of a game by the procedures of the ruleset, and counts what was asked."""

    def __init__(self, seed: int) -> None:
        self.dice = seeded_dice(seed)
        self.asked: Counter[str] = Counter()

    def __call__(self, name: str, **inputs: object) -> Mapping[str, Any]:
        self.asked[name] += 1
        program = game("last-wagon").program(name)
        typed = {key: str(value).lower() for key, value in inputs.items()}
        return program.play(parse_inputs(program.domains, typed), self.dice).results


@cache
def advance() -> dict[tuple[int, str], int]:
    """Hexes by card and road, from the table that the cards print."""
    table = shipped("last-wagon").tables["advance"]
    assert isinstance(table, Grid)
    roads = [choice.key for choice in table.columns[0].choices]
    return {
        (card, road): int(str(cell))
        for card, line in enumerate(table.data, 1)
        for road, cell in zip(roads, line, strict=True)
    }


def test_simple_habits_win_about_half_of_the_games() -> None:
    """35 to 65 in a hundred, as designed; and every throw of a turn is a procedure."""
    ends, asked = Counter[str](), Counter[str]()
    for seed in range(GAMES):
        table = Table(seed)
        one = Game(table, advance(), random.Random(GAMES + seed))
        ends[one.play()] += 1
        asked += table.asked
        assert 0 <= one.over <= WAGONS and one.turn <= TURNS
    won = ends["held"] + ends["triumph"]
    assert 0.35 <= won / GAMES <= 0.65, ends
    assert {*ends} >= {"held", "triumph", "lost", "bridge stands"}, ends
    thrown = {"battery_fire", "assault", "fire", "re_form", "lay_charge", "light_fuse", "wagons"}
    assert {*asked} == thrown | {"reckoning"}


def test_roads_lead_from_hex_to_hex_and_are_drawn_through_them() -> None:
    ruleset = shipped("last-wagon")
    scenario = ruleset.scenarios["sella"]
    for name, road in ROADS.items():
        assert all(other in around(one) for one, other in pairwise(road)), name
        told = printed_at(ruleset, f"roads.{name}.hexes")
        own = [
            BRIDGE if one == "the bridge" else one
            for one in re.findall(r"[A-G]\d|the bridge", told)
        ]
        assert own == list(road[: len(own)]) and road[len(own) - 1 :] == (
            road[-1:] if name == "high" else ROADS["high"][ROADS["high"].index(own[-1]) :]
        )
        line = points(scenario.map.features[f"{name}_road"])
        for one in own:
            away = min(to_segment(middles()[one], *side)[0] for side in pairwise(line))
            assert away < 0.1 * HEX, (name, one)


def test_cover_and_river_lie_in_their_hexes_and_in_no_others() -> None:
    features = shipped("last-wagon").scenarios["sella"].map.features
    covered = {
        name
        for feature in features.values()
        if str(feature.ground) == "grounds.cover"
        for name in HEXES
        if feature.area and is_inside(middles()[name], (points(feature),))
    }
    assert covered | {"C4"} == {*COVER}
    assert features["farm"].box is not None
    farm = tuple(float(side) for side in features["farm"].box.centre.mm)
    assert hexes().square(*features["farm"].box.centre.mm) == "C4", farm
    river = points(features["river"])
    wet = {
        name
        for name in HEXES
        if min(to_segment(middles()[name], *side)[0] for side in pairwise(river)) < 0.2 * HEX
    }
    assert wet == {name for name in HEXES if name[1] == "2"}
    assert hexes().square(*features["river"].bridges[0].mm) == BRIDGE


def test_forces_stand_and_come_as_the_scenario_says() -> None:
    ruleset = shipped("last-wagon")
    scenario = ruleset.scenarios["sella"]
    where = {name: where_to_find(scenario, place) for name, place in scenario.places.items()}
    own = scenario.sides["rearguard"].forces
    assert {name: where[force.at] for name, force in own.items()} == {
        name: f"hex {hex_}" for name, hex_ in SET_UP.items()
    }
    coming = [(one.turn, where[one.at]) for one in scenario.sides["pursuit"].forces.values()]
    assert coming == [
        (turn, f"hex {ROADS[road][0]}") for turn, roads in ARRIVALS.items() for road in roads
    ]
    assert all([*one.of] == ["column"] for one in scenario.sides["pursuit"].forces.values())
    assert str(scenario.length.turns) == str(TURNS)
    limits = {"orders": ORDERS, "wagons": WAGONS, "charges": CHARGES, "turns": TURNS}
    for name, number in {**limits, "points": ENOUGH, "cards": len(advance()) // len(ROADS)}.items():
        assert printed_at(ruleset, f"limits.{name}.number") == str(number)
    for name, points_ in {
        "company": STRENGTH["first"],
        "gun": 2,
        "sappers": 2,
        "column": COLUMN,
    }.items():
        assert printed_at(ruleset, f"strengths.{name}.strength") == str(points_)


def test_a_card_of_the_deck_for_each_row_with_its_event() -> None:
    cards = deal(shipped("last-wagon"), "events_deck")
    events = {row: str(one.title) for row, one in _events().items()}
    assert [card.title for card in cards] == [
        f"{number} · {events[EVENTS[number]]}" if number in EVENTS else card.title
        for number, card in enumerate(cards, 1)
    ]
    assert {card.copies for card in cards} == {1}
    for number, card in enumerate(cards, 1):
        large = " ".join(str(one.value) for one in card.figures)
        bound = set(re.findall(r"\{advance\[(\d+), (\w+)\]\}", large))
        assert bound == {(str(number), road) for road in ROADS}
        told = set(re.findall(r"\{events\.(\w+)\.", str(card.text)))
        assert told == ({EVENTS[number]} if number in EVENTS else set())


def _events() -> Mapping[str, Any]:
    table: Any = shipped("last-wagon").tables["events"]
    rows: Mapping[str, Any] = table.data
    return rows


def hexes() -> Hexes:
    grid = grid_of(shipped("last-wagon").scenarios["sella"].table)
    assert isinstance(grid, Hexes)
    return grid


@cache
def middles() -> dict[str, tuple[float, float]]:
    return dict(hexes().middles())


def points(feature: Feature) -> list[tuple[float, float]]:
    return [(float(one.x.mm), float(one.y.mm)) for one in feature.points]
