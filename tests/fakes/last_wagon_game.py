"""Whole games of The Last Wagon, played by simple habits: every throw is one of its procedures.

The board and the rules of movement are written out once more, from the printed pages. `Throw` is
asked for every result of dice; the habits only decide what a player decides.
"""

import random
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

#: A procedure, its inputs -> its results by their names.
Throw = Callable[..., Mapping[str, Any]]

COLUMNS, ROWS = "ABCDEFG", range(1, 9)
HEXES = [f"{column}{row}" for column in COLUMNS for row in ROWS]
BRIDGE = "D2"
ROADS = {
    "high": ("D8", "D7", "D6", "D5", "D4", "D3", BRIDGE),
    "west": ("A7", "A6", "B5", "B4", "C4", "D3", BRIDGE),
    "east": ("G7", "G6", "F5", "E5", "D4", "D3", BRIDGE),
}
COVER = ("B5", "C4", "C6", "E5")
SOUTH = tuple(name for name in HEXES if name[1] == "1")
#: Wagons do not cross while a column stands here.
NEAR_BRIDGE = ("D5", "D4", "D3", "B4", "C4", "E5")
SET_UP = {"first": "C4", "second": "D5", "third": "E5", "gun": "D4", "sappers": BRIDGE}
STRENGTH = {"first": 3, "second": 3, "third": 3, "gun": 2, "sappers": 2}
COMING = ("west", "east", "high", "west", "high", "east", "high", "west")
ARRIVALS = {turn: (road,) for turn, road in enumerate(COMING, 1)} | {1: ("west", "high")}
EVENTS = {6: "mules", 7: "axle", 8: "rain", 9: "mist", 11: "battery"}
ORDERS, TURNS, WAGONS, CHARGES, COLUMN, ENOUGH = 4, 9, 10, 4, 3, 5


def around(name: str) -> list[str]:
    """Neighbours: every second column, from B on, stands half a hex higher."""
    column, row = COLUMNS.index(name[0]), int(name[1])
    low, high = (row, row + 1) if column % 2 else (row - 1, row)
    places = [(column, row - 1), (column, row + 1)]
    places += [(column + side, beside) for side in (-1, 1) for beside in (low, high)]
    return [f"{COLUMNS[c]}{r}" for c, r in places if 0 <= c < len(COLUMNS) and r in ROWS]


def _steps(name: str) -> Iterator[str]:
    """The hexes to which a unit may move from another, empty or not."""
    for other in around(name):
        river = other[1] == "2" and other != BRIDGE
        off_bridge = BRIDGE in (name, other) and not {name, other} & {"D1", "D3"}
        if not river and not off_bridge and other not in ("A7", "D8", "G7"):
            yield other


def _far(start: str, steps: Callable[[str], Any], most: int = 99) -> dict[str, int]:
    found, waiting = {start: 0}, deque([start])
    while waiting:
        here = waiting.popleft()
        if found[here] < most:
            for other in steps(here):
                if other not in found:
                    found[other] = found[here] + 1
                    waiting.append(other)
    return found


DISTANCE = {name: _far(name, around) for name in HEXES}
#: Moves to the bridge, for falling back.
TO_BRIDGE = _far(BRIDGE, _steps)
OWNER = {name: road for road in ("west", "east", "high") for name in ROADS[road][:-1]}
AHEAD = {name: after for way in ROADS.values() for name, after in pairwise(way)}


def to_go(name: str) -> int:
    return ROADS[OWNER[name]][::-1].index(name) if name != BRIDGE else 0


#: The player turns back from the turn on, or with so many wagons over; the fuse is lit at the end.
LEAVE, OVER, LIGHT = 8, 8, TURNS


@dataclass
class Game:
    """One game: `place` and `left` are those of your units, `columns` the strength by hex."""

    throw: Throw
    advance: Mapping[tuple[int, str], int]
    chance: random.Random
    place: dict[str, str] = field(default_factory=SET_UP.copy)
    left: dict[str, int] = field(default_factory=STRENGTH.copy)
    columns: dict[str, int] = field(default_factory=dict)
    waiting: Counter[str] = field(default_factory=Counter)
    over: int = 0
    charges: int = 0
    turn: int = 0
    end: str = ""

    def play(self) -> str:
        """Triumph, victory, or how the game was lost."""
        deck = list(range(1, 13))
        self.chance.shuffle(deck)
        for self.turn in range(1, TURNS + 1):
            card = deck.pop()
            self.enemy(card)
            if not self.end:
                self.orders(EVENTS.get(card, "none"))
            if self.end:
                return self.end
        return "bridge stands"

    # -- The enemy ---------------------------------------------------------------------------

    def enemy(self, card: int) -> None:
        exposed = [unit for unit, name in self.place.items() if int(name[1]) > 2]
        if EVENTS.get(card) == "battery" and exposed:
            far = max(exposed, key=lambda unit: DISTANCE[self.place[unit]][BRIDGE])
            self.lose(far, self.throw("battery_fire")["lost"])
        order = list(ROADS)
        for name in sorted(self.columns, key=lambda one: (to_go(one), order.index(OWNER[one]))):
            self.march(name, self.advance[card, OWNER[name]])
            if self.end:
                return
        self.waiting.update(ARRIVALS.get(self.turn, ()))
        for road in ROADS:
            if self.waiting[road] and ROADS[road][0] not in self.columns:
                self.waiting[road] -= 1
                self.columns[ROADS[road][0]] = COLUMN

    def march(self, name: str, hexes: int) -> None:
        for _ in range(hexes):
            near = [unit for unit, place in self.place.items() if place in around(name)]
            near = [unit for unit in near if self.place[unit] in _reached(name)]
            if near:
                ahead = [unit for unit in near if self.place[unit] == AHEAD[name]]
                self.assault(name, (ahead or sorted(near, key=self.to_bridge))[0])
                return
            if AHEAD[name] in self.columns:
                return
            name = self.moved(name)

    def moved(self, name: str) -> str:
        ahead = AHEAD[name]
        self.columns[ahead] = self.columns.pop(name)
        if ahead == BRIDGE:
            self.end = "bridge taken"
        return ahead

    def assault(self, name: str, unit: str) -> None:
        place, back = self.place[unit], self.behind(unit)
        if self.gives_way(unit, self.columns[name]) and back:
            self.place[unit] = back
            if place == AHEAD[name]:
                self.moved(name)
            return
        ground = "cover" if place in COVER else "open"
        found = self.throw(
            "assault", column=self.columns[name], strength=self.left[unit], ground=ground
        )
        self.columns[name] = found["column_left"]
        self.left[unit] = found["left"]
        fate = found["fate"]
        if fate == "lost" or (fate == "falls_back" and not back):
            self.remove(unit)
        elif fate == "falls_back":
            self.place[unit] = back
        if not self.columns[name]:
            del self.columns[name]
        elif fate != "holds" and place == AHEAD[name]:
            self.moved(name)

    def behind(self, unit: str) -> str:
        """The free hex to which a unit falls back; nothing where there is none."""
        name = self.place[unit]
        if name == BRIDGE:
            return "" if self.taken("D1") else "D1"
        free = [one for one in _steps(name) if not self.taken(one)]
        free = [one for one in free if TO_BRIDGE[one] <= TO_BRIDGE[name]]
        free.sort(key=lambda one: TO_BRIDGE[one])
        return free[0] if free else ""

    def taken(self, name: str) -> bool:
        return name in self.columns or name in self.place.values()

    def lose(self, unit: str, points: int) -> None:
        self.left[unit] -= points
        if self.left[unit] <= 0:
            self.remove(unit)

    def remove(self, unit: str) -> None:
        del self.place[unit]

    def to_bridge(self, unit: str) -> int:
        return TO_BRIDGE[self.place[unit]]

    # -- The habits --------------------------------------------------------------------------

    def gives_way(self, unit: str, column: int) -> bool:
        """Guns and sappers do; a company that would lose more than it takes."""
        cover = self.place[unit] in COVER
        return unit in ("gun", "sappers") or column > self.left[unit] + (1 if cover else 0)

    @property
    def points(self) -> int:
        return self.over - self.missing

    @property
    def missing(self) -> int:
        """Units that are lost or would be cut off."""
        home = sum(int(name[1]) <= 2 for name in self.place.values())
        return len(STRENGTH) - home

    @property
    def leaving(self) -> bool:
        return self.turn >= LEAVE or self.over >= OVER

    def orders(self, event: str) -> None:
        given: set[str] = set()
        light = self.charges > 0 and self.place.get("sappers") in (BRIDGE, "D1")
        light = light and (self.turn >= LIGHT or self.points >= ENOUGH)
        left, directed = ORDERS - light, False
        if light:
            given.add("sappers")
        while left:
            found = [
                one for unit in self.place if unit not in given for one in self.could(unit, event)
            ]
            if directed or light:
                found = [one for one in found if one[1] != "direct"]
            if not found:
                break
            _, what, unit, at = max(found, key=lambda one: one[0])
            directed |= what == "direct"
            given.add(unit)
            left -= 1
            self.obey(what, unit, at, event)
        others = [unit for unit, name in self.place.items() if name == BRIDGE and unit != "sappers"]
        if light and not others:
            if self.throw("light_fuse", charges=self.charges, event=event)["blown"]:
                found = self.throw("reckoning", wagons=self.over, missing=self.missing)
                self.end = found["end"]
        elif not any(name in self.columns for name in NEAR_BRIDGE):
            over = self.throw("wagons", directed=directed, event=event)["over"]
            self.over = min(WAGONS, self.over + over)

    def could(self, unit: str, event: str) -> Iterator[tuple[float, str, str, str]]:
        """Orders for a unit, each with what it is worth by habit."""
        name = self.place[unit]
        if unit == "sappers":
            if name == BRIDGE and self.charges < CHARGES:
                yield (1.2 if self.charges < 3 else 0.8), "lay", unit, ""
            return
        leaving = self.leaving and int(name[1]) > 1
        worth, target = self.target(unit, event)
        if target:
            yield worth * (0.4 if leaving else 1), "fire", unit, target
        free = [one for one in self.within(name) if not self.taken(one) and one != BRIDGE]
        if leaving:
            home = min(free, key=_home, default=name)
            if _home(home) < _home(name):
                yield 1.5 + 0.1 * _home(name), "move", unit, home
        elif not target and name not in HOLD:
            for one in HOLD:
                if one in free:
                    yield 0.5, "move", unit, one
                    break
        if unit == "gun":
            return
        if self.left[unit] < STRENGTH[unit] and not any(n in self.columns for n in around(name)):
            yield 0.6, "re_form", unit, ""
        if name == "D3":
            yield 0.95, "direct", unit, ""

    def within(self, name: str) -> list[str]:
        free = _far(name, lambda one: [n for n in _steps(one) if n not in self.columns], 2)
        return [one for one in free if one != name]

    def target(self, unit: str, event: str) -> tuple[float, str]:
        best, target = 0.0, ""
        for name in self.columns:
            distance = DISTANCE[self.place[unit]][name]
            if distance > (4 if unit == "gun" else 2) or (event == "mist" and distance > 1):
                continue
            needed = 4 + (distance > (2 if unit == "gun" else 1)) + (name in COVER)
            dice = 3 if unit == "gun" else self.left[unit]
            worth = dice * (7 - needed) / 6 * (1.75 - 0.15 * min(to_go(name), 5))
            if worth > best:
                best, target = worth, name
        return best, target

    def obey(self, what: str, unit: str, at: str, event: str) -> None:
        if what == "move":
            self.place[unit] = at
        elif what == "lay":
            self.charges += self.throw("lay_charge")["laid"]
        elif what == "re_form":
            self.left[unit] += self.throw("re_form")["back"]
        elif what == "fire":
            found = self.throw(
                "fire",
                firer="gun" if unit == "gun" else "company",
                strength=3 if unit == "gun" else self.left[unit],
                distance=DISTANCE[self.place[unit]][at],
                ground="cover" if at in COVER else "open",
                event=event,
            )
            self.columns[at] -= found["hits"]
            if self.columns[at] <= 0:
                del self.columns[at]


HOLD = ("C4", "D4", "D3", "D5")


def _reached(name: str) -> list[str]:
    """The hexes that a column assaults: the river parts it from the south bank."""
    return [one for one in around(name) if one == AHEAD[name] or int(one[1]) > 2]


def _home(name: str) -> int:
    """Moves to the south bank."""
    return 0 if name in SOUTH else 1 + TO_BRIDGE[name]
