"""Points of a map -> whether outlines cross themselves, hold ground, overlap, or lie on an edge.

All is reckoned in whole micrometres of the table, so that the answers are exact: two zones that
share an edge touch, and do not overlap.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from rulebook.maps.geometry import box_of, boxes_meet, signed_area, to_segment
from rulebook.model.maps import Extents, Feature, Point, Table

#: Micrometres from the west and the south edge.
Spot = tuple[int, int]
#: Whole micrometres are fine enough for any table, and exact.
SPOTS_PER_MM = 1000


def spot(point: Point) -> Spot:
    """A point in whole micrometres."""
    x, y = point.mm
    return round(x * SPOTS_PER_MM), round(y * SPOTS_PER_MM)


def size_of(table: Table) -> Spot:
    """The corner of the table that is opposite to its origin."""
    return round(table.width.mm * SPOTS_PER_MM), round(table.depth.mm * SPOTS_PER_MM)


def is_on_table(table: Table, place: Spot) -> bool:
    """Whether a place lies on the table or on its edge."""
    (x, y), (width, depth) = place, size_of(table)
    return 0 <= x <= width and 0 <= y <= depth


def is_on_edge(table: Table, place: Spot) -> bool:
    """Whether a place lies on an edge of the table."""
    (x, y), (width, depth) = place, size_of(table)
    return is_on_table(table, place) and (x in (0, width) or y in (0, depth))


def bounds_of(extents: Extents, *, oval: bool) -> tuple[Spot, Spot]:
    """The least and the greatest corner of a box or oval as it is turned."""
    x, y = (float(part) for part in extents.centre.mm)
    half_width, half_depth = float(extents.width.mm) / 2, float(extents.depth.mm) / 2
    turn = math.radians(float(extents.turn.degrees))
    along, across = abs(math.cos(turn)), abs(math.sin(turn))
    if oval:
        reach_x = math.hypot(half_width * along, half_depth * across)
        reach_y = math.hypot(half_width * across, half_depth * along)
    else:
        reach_x = half_width * along + half_depth * across
        reach_y = half_width * across + half_depth * along
    low, high = (x - reach_x, y - reach_y), (x + reach_x, y + reach_y)
    return _rounded(low), _rounded(high)


def _rounded(place: tuple[float, float]) -> Spot:
    return round(place[0] * SPOTS_PER_MM), round(place[1] * SPOTS_PER_MM)


def spots_of(feature: Feature) -> list[Spot]:
    """What a feature reaches to: its points, or the corners of what surrounds its box or oval."""
    if extents := feature.oval or feature.box:
        return [*bounds_of(extents, oval=feature.oval is not None)]
    return [spot(point) for point in feature.points]


def twice_area(outline: Sequence[Spot]) -> int:
    """Twice the area within an outline, square micrometres (the shoelace formula)."""
    return round(abs(2 * signed_area(outline)))


def is_flat(outline: Sequence[Spot]) -> bool:
    """Whether all corners lie on one straight line, so that there is nothing within them."""
    first = outline[0]
    other = next((place for place in outline if place != first), first)
    return not any(_turn(first, other, place) for place in outline)


def crossing_in(outline: Sequence[Spot]) -> tuple[int, int] | None:
    """Two sides of an outline that meet elsewhere than at a corner that they share, or None.

    A side is known by the corner at which it begins. Corners that follow each other at one place
    count as such a meeting.
    """
    count = len(outline)
    sides = list(pairwise([*outline, outline[0]]))
    for number, (start, end) in enumerate(sides):
        if start == end:
            return number, (number + 1) % count
    # From west to east, so that only sides above each other are compared.
    order = sorted(range(count), key=lambda number: min(sides[number][0][0], sides[number][1][0]))
    met = []
    for place, number in enumerate(order):
        east = max(sides[number][0][0], sides[number][1][0])
        for other in order[place + 1 :]:
            if min(sides[other][0][0], sides[other][1][0]) > east:
                break
            first, second = sorted((number, other))
            if _clash(sides, first, second):
                met.append((first, second))
    return min(met, default=None)


def _clash(sides: Sequence[tuple[Spot, Spot]], first: int, second: int) -> bool:
    """Whether two sides of an outline meet where they should not."""
    one, other = sides[first], sides[second]
    if not boxes_meet(box_of(one), box_of(other)):
        return False
    if second == first + 1:
        return _fold_back(one, other, one[1])
    if first == 0 and second == len(sides) - 1:
        return _fold_back(one, other, one[0])
    return _meet(one, other)


def _fold_back(one: tuple[Spot, Spot], other: tuple[Spot, Spot], shared: Spot) -> bool:
    """Whether two sides with a corner in common run back over each other."""
    far = one[0] if one[1] == shared else one[1]
    away = other[1] if other[0] == shared else other[0]
    if _turn(far, shared, away):
        return False
    return (far[0] - shared[0]) * (away[0] - shared[0]) + (far[1] - shared[1]) * (
        away[1] - shared[1]
    ) > 0


def _turn(one: Spot, two: Spot, three: Spot) -> int:
    """More than 0 where the way over three places turns to the left, 0 where it is straight."""
    return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0])


def _meet(one: tuple[Spot, Spot], other: tuple[Spot, Spot]) -> bool:
    """Whether two sides, whose boxes meet, have any place in common."""
    over = _turn(*one, other[0]), _turn(*one, other[1])
    across = _turn(*other, one[0]), _turn(*other, one[1])
    return min(over) <= 0 <= max(over) and min(across) <= 0 <= max(across)


def overlap(one: Sequence[Spot], other: Sequence[Spot]) -> bool:
    """Whether two outlines, neither of which crosses itself, have ground in common."""
    left, low, right, high = box_of(one)
    other_left, other_low, other_right, other_high = box_of(other)
    if right <= other_left or other_right <= left or high <= other_low or other_high <= low:
        return False
    import shapely  # slow to load, and not needed where the boxes are apart

    return bool(shapely.relate_pattern(shapely.Polygon(one), shapely.Polygon(other), "T********"))


def distance_from(place: Spot, line: Sequence[Spot]) -> float:
    """How far a place lies from a line of points, micrometres."""
    return min(to_segment(place, one, other)[0] for one, other in pairwise(line))
