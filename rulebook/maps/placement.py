"""Names and the places where each could stand -> where each stands, so that none covers another.

The method. Every name brings its candidates: the quads its letters would take, and what that place
costs, for it is far from its thing, bends sharply or lies on lines. A candidate that leaves the map
or covers what is fixed there is struck out. Then

1. names are taken by their weight, of equal ones first that with the fewest candidates, and each
   has the cheapest candidate that is still free;
2. in rounds, each name moves to a cheaper candidate that has become free, and each that has found
   no place takes one from up to two others of no more weight that can go elsewhere;
3. this ends when a round changes nothing, after MOST_ROUNDS at the latest; on a crowded map the
   others are moved so many times in all and no more, so that time grows with the names.

There is no chance in it: the same names have the same places. What finds none is told apart; the
map gives it a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulebook.maps.geometry import Box
from rulebook.maps.setting import Plate, PlateIndex, Quad, in_box

MOST_ROUNDS = 5
#: Of each name the cheapest that are free of what is fixed; and of those, how many it tries to
#: have cleared by moving so many others.
MOST_CANDIDATES, MOST_TRIED, MOST_MOVED = 80, 24, 2
#: How often others are moved in all, on a map of few names, and for each name on one of many.
_MOVES, _MOVES_EACH = 500, 4
_FIXED = -1


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place for a name: what it takes of the map, and what is bad about it."""

    quads: tuple[Quad, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class Wanted:
    """A name by its candidates; the heavier is placed first."""

    candidates: tuple[Candidate, ...]
    weight: float = 1.0


def place(
    wanted: Sequence[Wanted], room: Box, fixed: Sequence[Quad] = (), *, mesh: float = 8.0
) -> list[int | None]:
    """For each name the number of its candidate, or None.

    `fixed` is what no name may cover; `mesh` is about the size of a name and matters for speed
    alone.
    """
    return _Placing(wanted, room, fixed, mesh).result()


class _Placing:
    def __init__(
        self, wanted: Sequence[Wanted], room: Box, fixed: Sequence[Quad], mesh: float
    ) -> None:
        self._wanted = wanted
        self._taken = PlateIndex(mesh)
        self._taken.add(_FIXED, map(Plate.of, fixed))
        self._chosen: list[int | None] = [None] * len(wanted)
        self._moves = max(_MOVES, _MOVES_EACH * len(wanted))
        self._plates: list[dict[int, tuple[Plate, ...]]] = []
        self._open: list[list[int]] = []
        for one in wanted:
            plates = {
                number: tuple(map(Plate.of, candidate.quads))
                for number, candidate in enumerate(one.candidates)
                if all(in_box(quad, room) for quad in candidate.quads)
            }
            costs = [candidate.cost for candidate in one.candidates]
            free = [number for number, there in plates.items() if self._taken.is_free(there)]
            self._open.append(sorted(free, key=costs.__getitem__)[:MOST_CANDIDATES])
            self._plates.append(plates)

    def result(self) -> list[int | None]:
        order = sorted(
            range(len(self._wanted)),
            key=lambda name: (-self._wanted[name].weight, len(self._open[name]), name),
        )
        for name in order:
            self._settle(name)
        for _ in range(MOST_ROUNDS):
            moved = [name for name in order if self._better(name)]
            freed = [name for name in order if self._chosen[name] is None and self._make_room(name)]
            if not moved and not freed:
                break
        return self._chosen

    def _put(self, name: int, number: int) -> None:
        self._chosen[name] = number
        self._taken.add(name, self._plates[name][number])

    def _lift(self, name: int) -> int | None:
        number = self._chosen[name]
        if number is not None:
            self._taken.remove(name, self._plates[name][number])
            self._chosen[name] = None
        return number

    def _settle(self, name: int) -> bool:
        """Puts a name to its cheapest candidate that is free."""
        for number in self._open[name]:
            if self._taken.is_free(self._plates[name][number]):
                self._put(name, number)
                return True
        return False

    def _better(self, name: int) -> bool:
        """Moves a name to a cheaper candidate than it has, if one has become free."""
        for number in self._open[name]:
            if number == self._chosen[name]:
                return False
            if self._taken.is_free(self._plates[name][number], but=name):
                self._lift(name)
                self._put(name, number)
                return True
        return False

    def _make_room(self, name: int) -> bool:
        weight = self._wanted[name].weight
        for number in self._open[name][:MOST_TRIED]:
            if self._moves == 0:
                return False
            others = sorted(self._taken.met(self._plates[name][number], MOST_MOVED))
            if len(others) > MOST_MOVED or any(self._wanted[o].weight > weight for o in others):
                continue
            if self._moved_away(name, number, others):
                return True
        return False

    def _moved_away(self, name: int, number: int, others: Sequence[int]) -> bool:
        """Puts a name to a candidate and those that are there elsewhere, or all as it was."""
        self._moves -= 1
        before = [(other, self._lift(other)) for other in others]
        self._put(name, number)
        if all(self._settle(other) for other in others):
            return True
        for other in (name, *others):
            self._lift(other)
        for other, where in before:
            if where is not None:
                self._put(other, where)
        return False
