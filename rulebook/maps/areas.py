"""Outlines -> the areas inside, their depth and contours, what they leave free, overlaps.

All areas are computed by GEOS, which is loaded when the first map is drawn, and not before. So a
hill of any shape has contours that never cross, and one with a narrow waist falls into two tops.
Names and roads are known before symbols are drawn, so that no tree is cut in two.

Whether outlines cross themselves, are flat, overlap, or lie on an edge of the table is computed in
whole micrometres, so that the answers are exact: two zones that share an edge do not overlap.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from typing import Any

from rulebook.drawing.elements import Box, Point
from rulebook.maps import geometry
from rulebook.model.maps import Extents, Feature, Table, TablePoint

#: Points of a curve along the longer side of a shape; across one that is thin; and at most.
_POINTS, _ACROSS, _MOST_POINTS = 18, 2.5, 72
#: No line inside has fewer points.
_LEAST_POINTS = 12


class Interior:
    """The area inside a ring, by the even-odd rule."""

    def __init__(self, ring: geometry.Ring) -> None:
        import shapely

        self._ring = ring
        #: As the library has it.
        self.within = shapely.make_valid(shapely.Polygon(ring if len(ring) > 2 else ())).buffer(0)
        shapely.prepare(self.within)
        self._edge = self.within.boundary
        shapely.prepare(self._edge)

    @cached_property
    def _deepest(self) -> tuple[float, Point]:
        import shapely

        if self.within.is_empty:
            return 0.0, geometry.centroid(self._ring)
        reach = shapely.maximum_inscribed_circle(self.within)
        return reach.length, reach.coords[0]

    @property
    def deepest(self) -> float:
        return self._deepest[0]

    @property
    def deepest_point(self) -> Point:
        return self._deepest[1]

    def shortest_from(self, boxes: Sequence[Box]) -> list[geometry.Segment]:
        """Returns the shortest line from each box to this area, or to its middle if it is empty."""
        import shapely

        target = shapely.Point(self.deepest_point) if self.within.is_empty else self.within
        if not boxes:
            return []
        lines = shapely.shortest_line(shapely.box(*zip(*boxes, strict=True)), target)
        ends = iter(shapely.get_coordinates(lines).tolist())
        return [((x1, y1), (x2, y2)) for (x1, y1), (x2, y2) in zip(ends, ends, strict=True)]

    def depths(self, points: Sequence[Point]) -> list[float]:
        """Returns the distance of each point from the edge of this area; 0 for points outside."""
        import shapely

        places = _placed(points)
        away, inside = shapely.distance(self._edge, places), shapely.contains(self.within, places)
        return [
            float(depth) if is_inside else 0.0
            for depth, is_inside in zip(away, inside, strict=True)
        ]

    def lines(self, depth: float) -> list[list[Point]]:
        """Returns the closed lines at the distance `depth` inside the edge, the longest first."""
        import shapely

        rings = shapely.get_parts(self.within.buffer(-depth).normalize().boundary)
        return [
            [(x, y) for x, y in ring.coords[:-1]]
            for ring in sorted(rings, key=lambda ring: -ring.length)
        ]

    @cached_property
    def apart(self) -> float:
        """The distance between points along the curves inside; it is smaller in a narrow area."""
        left, low, right, high = self.within.bounds
        long = max(right - left, high - low)
        wide = 2 * self.within.area / self.within.length
        return float(max(min(long / _POINTS, wide / _ACROSS), long / _MOST_POINTS))

    def curves(self, depth: float, sway: float = 0.0, seed: int = 0) -> list[list[geometry.Piece]]:
        """Returns the closed lines at the distance `depth` inside the edge as smooth curves.

        They deviate to either side by up to `sway`, at random by the `seed`.
        """
        return [
            geometry.smooth(self._spread(line, sway, seed), closed=True)
            for line in self.lines(depth)
        ]

    def _spread(self, ring: geometry.Ring, sway: float, seed: int) -> list[Point]:
        """Returns evenly spaced points along a ring, each moved to either side by up to `sway`.

        The `seed` determines by how much.
        """
        track = geometry.MeasuredLine.from_points([*ring, ring[0]])
        count = max(_LEAST_POINTS, round(track.length / self.apart))
        ways = [track.length * number / count for number in range(count)]
        if not sway:
            return [track.at(way)[0] for way in ways]
        x, y = self.deepest_point
        turns = [
            math.atan2(b - y, a - x) / (2 * math.pi) for a, b in (track.at(way)[0] for way in ways)
        ]
        return [
            track.beside(way, sway * geometry.wave(turn, seed))
            for way, turn in zip(ways, turns, strict=True)
        ]


def outside(
    lines: Iterable[Sequence[Point]], rings: tuple[tuple[Point, ...], ...]
) -> Iterator[list[Point]]:
    """Cuts lines where they enter the areas of rings; yields the pieces outside all of them.

    Pieces follow in the order of the lines; a line that meets no ring is yielded whole.
    """
    import shapely

    taken = _covered(rings)
    for line in lines:
        whole = shapely.LineString(line)
        if taken.disjoint(whole):
            yield list(line)
        else:
            rest = shapely.get_parts(whole.difference(taken))
            yield from (list(piece.coords) for piece in rest if not piece.is_empty)


def clear_of(
    fixed: Sequence[geometry.Quad], candidates: Sequence[Sequence[geometry.Quad]]
) -> list[int]:
    """Returns the indices of the candidates none of whose quads touches a fixed quad.

    Each candidate is given as a sequence of quads. All indices are returned if nothing is fixed.
    """
    import shapely

    owners = [number for number, quads in enumerate(candidates) for _ in quads]
    if not owners or not fixed:
        return list(range(len(candidates)))
    plates = shapely.polygons([quad for quads in candidates for quad in quads])
    met, _ = shapely.STRtree(shapely.polygons(fixed)).query(plates, predicate="intersects")
    barred = {owners[number] for number in met}
    return [number for number in range(len(candidates)) if number not in barred]


def ground_of(rings: Iterable[geometry.Ring]) -> Any:
    """Returns the union of the areas within some rings, for use as a ground by `lengths_over`."""
    return _together([area_of(tuple(ring)).within for ring in rings])


def lengths_over(lines: Sequence[geometry.Segment], grounds: Iterable[Any]) -> Iterator[float]:
    """Yields the total length of some lines on each ground, without the parts on earlier grounds.

    The last length yielded is that of the parts that lie on none of the grounds.
    """
    import shapely

    left = shapely.MultiLineString(lines)
    for ground in grounds:
        yield left.intersection(ground).length
        left = left.difference(ground)
    yield left.length


@lru_cache(maxsize=4)
def _covered(rings: tuple[tuple[Point, ...], ...]) -> Any:
    """Returns the union of the areas within some rings as a shape.

    It is cached, because the same names cut all lines of a map.
    """
    import shapely

    return _together([shapely.Polygon(ring) for ring in rings])


class Clearing:
    """The places where no symbol may stand: names, strips along lines, and areas."""

    def __init__(self) -> None:
        self._near: list[Any] = []
        self._areas: list[Any] = []

    def add_quads(self, quads: Iterable[geometry.Ring]) -> None:
        import shapely

        self._near += map(shapely.Polygon, quads)

    def add_strip(self, points: Sequence[Point], width: float) -> None:
        import shapely

        if len(points) > 1:
            self._near.append(shapely.LineString(points).buffer(width / 2))

    def add_area(self, ring: geometry.Ring) -> None:
        self._areas.append(area_of(tuple(ring)).within)

    @cached_property
    def _taken(self) -> tuple[Any, Any]:
        return _together(self._near), _together(self._areas)

    def are_free(self, points: Sequence[Point], reach: float) -> list[bool]:
        """Returns for each point whether a symbol may stand there.

        It may if names and strips are more than `reach` away, and the point itself lies in no area.
        """
        import shapely

        places = _placed(points)
        near, areas = self._taken
        taken = shapely.dwithin(near, places, reach) | shapely.contains(areas, places)
        return [not is_taken for is_taken in taken]


class _Layer:
    """Shapes on a map that names avoid, each with its owner and a weight."""

    def __init__(self) -> None:
        self.owners: list[str] = []
        self.weights: list[float] = []
        self._shapes: list[Any] = []

    def add(self, owner: str, shape: Any, weight: float = 1.0) -> None:
        self.owners.append(owner)
        self.weights.append(weight)
        self._shapes.append(shape)

    @cached_property
    def _tree(self) -> Any:
        import shapely

        return shapely.STRtree(self._shapes)

    def met(self, by: Any) -> list[tuple[int, int]]:
        """Returns the intersections of the shapes in the array `by` with the shapes of this layer.

        Each is a pair: the index of a shape in `by`, and the index of the shape of the layer that
        it meets.
        """
        numbers, things = self._tree.query(by, predicate="intersects")
        return list(zip(numbers.tolist(), things.tolist(), strict=True))

    def shared(self, by: Any, measure: Callable[[Any], Any]) -> list[tuple[int, int, float]]:
        """Returns the intersections as `met` does, each with the size of the part that both share.

        `measure` computes the sizes of an array of such parts: their lengths or their areas.
        """
        import shapely

        numbers, things = self._tree.query(by, predicate="intersects")
        sizes = measure(shapely.intersection(by[numbers], self._tree.geometries[things]))
        return list(zip(numbers.tolist(), things.tolist(), sizes.tolist(), strict=True))


#: A name hides no more than this part of the symbols of anything on the map.
MOST_HIDDEN = 0.1
#: What it costs to break a mm of a line, of others and of one's own; to stand on the ground of an
#: area, alike; to hide all symbols of another thing; to lead a line across something.
_BROKEN, _BROKEN_OWN, _GROUND, _GROUND_OWN, _HIDDEN, _ACROSS = 0.35, 0.14, 2.4, 1.2, 12.0, 0.8
#: What it costs to stand where a reader takes the name for that of another area.
_MISREAD = 1.8


class Obstacles:
    """What names avoid: some shapes they must not meet at all, others they may meet at a cost.

    Every shape has an owner, the thing that it draws: the owner's own name may meet shapes that
    other names may not. All shapes must be added before the first cost is computed.
    """

    def __init__(self) -> None:
        self._solid, self._broken, self._grounds, self._symbols = (_Layer() for _ in range(4))
        self._own: dict[str, _Layer] = {}
        self._count: Counter[str] = Counter()
        self._named: set[str] = set()

    def _add(self, owner: str, solid: Any, edge: Any) -> None:
        self._solid.add(owner, solid)
        self._own.setdefault(owner, _Layer()).add(owner, edge)

    def add_strip(self, owner: str, points: Sequence[Point], width: float) -> None:
        """Adds a line of a given `width`, which names must not meet.

        The name of its owner may stand within its width, but must not meet its edges.
        """
        import shapely

        strip = shapely.LineString(points).buffer(width / 2, cap_style="flat")
        self._add(owner, strip, strip.boundary)

    def add_outline(self, owner: str, ring: geometry.Ring, *, solid: bool = False) -> None:
        """Adds a closed line on which no name stands.

        Inside a `solid` line no name stands but that of its owner.
        """
        import shapely

        edge = shapely.LinearRing(ring)
        self._add(owner, area_of(tuple(ring)).within if solid else edge, edge)

    def add_quad(self, owner: str, quad: geometry.Quad) -> None:
        """Adds a quad on which no name stands, not even that of its owner."""
        import shapely

        self._add(owner, shapely.Polygon(quad), shapely.Polygon(quad))

    def add_broken(self, owner: str, line: Sequence[Point], weight: float) -> None:
        """Adds a line that is interrupted where a name stands on it.

        That costs more the longer the covered part is, and the greater the `weight`.
        """
        import shapely

        self._broken.add(owner, shapely.LineString(line), weight)

    def add_ground(
        self, owner: str, ring: geometry.Ring, weight: float, *, named: bool = False
    ) -> None:
        """Adds an area on which names may stand at a cost, which increases with `weight`.

        If the area is `named`, it costs more for other names, because they could be taken for its
        own.
        """
        self._grounds.add(owner, area_of(tuple(ring)).within, weight)
        if named:
            self._named.add(owner)

    def add_symbols(self, owner: str, places: Sequence[Point], reach: float) -> None:
        """Adds symbols around points, each extending to `reach`, that names may hide at a cost.

        A name may not hide more than the part `MOST_HIDDEN` of all symbols of one owner.
        """
        import shapely

        for x, y in places:
            self._symbols.add(owner, shapely.box(x - reach, y - reach, x + reach, y + reach))
        self._count[owner] += len(places)

    def costs(
        self,
        owner: str,
        names: Sequence[tuple[Sequence[geometry.Quad], geometry.Segment | None]],
        *,
        on: Collection[str] = (),
    ) -> list[float | None]:
        """Returns the cost of each place for the name of `owner`; None if it cannot stand there.

        Each place in `names` consists of the quads that the name covers and its leader, a line or
        None. `on` are the owners of areas on which the named thing stands: on these, its name is
        not mistaken for theirs and costs less.
        """
        import shapely

        if not names:
            return []
        quads = [(number, quad) for number, (plate, _) in enumerate(names) for quad in plate]
        of = [number for number, _ in quads]
        plates = shapely.polygons([quad for _, quad in quads])
        costs, barred = [0.0] * len(names), set[int]()
        for plate, thing in self._solid.met(plates):
            if self._solid.owners[thing] != owner:
                barred.add(of[plate])
        barred |= {of[plate] for plate, _ in self._own.get(owner, _Layer()).met(plates)}
        hidden = Counter(
            (of[plate], self._symbols.owners[n]) for plate, n in self._symbols.met(plates)
        )
        parts = {(number, whose): n / self._count[whose] for (number, whose), n in hidden.items()}
        barred |= {number for (number, _), part in parts.items() if part > MOST_HIDDEN}
        # what is left is measured, which takes far longer
        left = [plate for plate, number in enumerate(of) if number not in barred]
        of, plates = [of[plate] for plate in left], plates[left]
        for plate, thing, long in self._broken.shared(plates, shapely.length):
            worth = _BROKEN_OWN if self._broken.owners[thing] == owner else _BROKEN
            costs[of[plate]] += worth * long * self._broken.weights[thing]
        whole = Counter[int]()
        for number, size in zip(of, shapely.area(plates).tolist(), strict=True):
            whole[number] += size
        for plate, thing, size in self._grounds.shared(plates, shapely.area):
            whose, part = self._grounds.owners[thing], size / whole[of[plate]]
            worth = _GROUND_OWN if whose == owner else _GROUND
            costs[of[plate]] += worth * part * self._grounds.weights[thing]
            if whose in self._named and whose != owner and whose not in on:
                costs[of[plate]] += _MISREAD * part
        for (number, whose), part in parts.items():
            costs[number] += _HIDDEN * part if whose != owner else 0.0
        led = [(number, leader) for number, (_, leader) in enumerate(names) if leader]
        lines = shapely.linestrings([line for _, line in led] or [((0, 0), (0, 0))])
        for line, thing in self._solid.met(lines) if led else ():
            if self._solid.owners[thing] != owner:
                costs[led[line][0]] += _ACROSS
        return [None if number in barred else cost for number, cost in enumerate(costs)]


def _placed(points: Sequence[Point]) -> Any:
    import shapely

    return shapely.points([x for x, _ in points], [y for _, y in points])


def _together(areas: Sequence[Any]) -> Any:
    import shapely

    taken = shapely.union_all(areas)
    shapely.prepare(taken)
    return taken


@lru_cache(maxsize=256)
def area_of(ring: tuple[Point, ...]) -> Interior:
    """Returns the area within a ring; cached, because tints, lines and symbols all ask for it."""
    return Interior(ring)


#: Micrometres from the west and the south edge.
Spot = tuple[int, int]
#: Whole micrometres are fine enough for any table, and exact.
SPOTS_PER_MM = 1000


def spot(point: TablePoint) -> Spot:
    """Converts a point of the table to whole micrometres."""
    x, y = point.mm
    return round(x * SPOTS_PER_MM), round(y * SPOTS_PER_MM)


def size_of(table: Table) -> Spot:
    """Returns the width and depth of a table in whole micrometres."""
    return round(table.width.mm * SPOTS_PER_MM), round(table.depth.mm * SPOTS_PER_MM)


def is_on_table(table: Table, place: Spot) -> bool:
    """Whether a point lies on the table or on its edge."""
    (x, y), (width, depth) = place, size_of(table)
    return 0 <= x <= width and 0 <= y <= depth


def is_on_edge(table: Table, place: Spot) -> bool:
    """Whether a point lies on an edge of the table."""
    (x, y), (width, depth) = place, size_of(table)
    return is_on_table(table, place) and (x in (0, width) or y in (0, depth))


def bounds_of(extents: Extents, *, oval: bool) -> tuple[Spot, Spot]:
    """Returns the corners of the upright box around a turned box or oval, in whole micrometres.

    These are the lower left and the upper right corner.
    """
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
    """Returns the points of a feature in whole micrometres.

    For a box or oval these are the lower left and upper right corner of its bounds.
    """
    if extents := feature.oval or feature.box:
        return [*bounds_of(extents, oval=feature.oval is not None)]
    return [spot(point) for point in feature.points]


def twice_area(outline: Sequence[Spot]) -> int:
    """Computes twice the area within an outline in square micrometres (the shoelace formula)."""
    return round(abs(2 * geometry.signed_area(outline)))


def is_flat(outline: Sequence[Spot]) -> bool:
    """Whether all corners of an outline lie on one straight line, so that it has no area."""
    first = outline[0]
    second = next((place for place in outline if place != first), first)
    return not any(_turn(first, second, place) for place in outline)


def crossing_in(outline: Sequence[Spot]) -> tuple[int, int] | None:
    """Returns the numbers of the first two sides of an outline that cross or touch each other.

    A side has the number of the corner at which it begins. Sides may meet at a corner that they
    share; two successive corners at one place count as a fault, too. Returns None if there is no
    such pair.
    """
    count = len(outline)
    sides = list(pairwise([*outline, outline[0]]))
    for number, (start, end) in enumerate(sides):
        if start == end:
            return number, (number + 1) % count
    boxes = [geometry.box_of(side) for side in sides]
    for first, second in combinations(range(count), 2):
        if geometry.boxes_meet(boxes[first], boxes[second]) and _clash(sides, first, second):
            return first, second
    return None


def _clash(sides: Sequence[tuple[Spot, Spot]], first: int, second: int) -> bool:
    """Whether two sides of an outline, given by number, meet elsewhere than at a shared corner.

    The bounding boxes of the two are known to meet.
    """
    earlier, later = sides[first], sides[second]
    if second == first + 1:
        return _folds_back(*earlier, later[1])
    if first == 0 and second == len(sides) - 1:
        return _folds_back(*later, earlier[1])
    return _meet(earlier, later)


def _folds_back(start: Spot, corner: Spot, end: Spot) -> bool:
    """Whether the path from `start` to `corner` and on to `end` runs back over itself."""
    back = (start[0] - corner[0]) * (end[0] - corner[0])
    back += (start[1] - corner[1]) * (end[1] - corner[1])
    return back > 0 and not _turn(start, corner, end)


def _turn(first: Spot, second: Spot, third: Spot) -> int:
    """Positive if the path over three points turns left, 0 if it is straight, else negative."""
    return (second[0] - first[0]) * (third[1] - first[1]) - (second[1] - first[1]) * (
        third[0] - first[0]
    )


def _meet(earlier: tuple[Spot, Spot], later: tuple[Spot, Spot]) -> bool:
    """Whether two sides whose bounding boxes meet have any point in common."""
    over = _turn(*earlier, later[0]), _turn(*earlier, later[1])
    across = _turn(*later, earlier[0]), _turn(*later, earlier[1])
    return min(over) <= 0 <= max(over) and min(across) <= 0 <= max(across)


def overlap(one: Sequence[Spot], other: Sequence[Spot]) -> bool:
    """Whether two outlines, neither of which crosses itself, have an area in common."""
    left, low, right, high = geometry.box_of(one)
    other_left, other_low, other_right, other_high = geometry.box_of(other)
    if right <= other_left or other_right <= left or high <= other_low or other_high <= low:
        return False
    import shapely  # slow to load, and not needed where the boxes are apart

    return bool(shapely.relate_pattern(shapely.Polygon(one), shapely.Polygon(other), "T********"))


def distance_from(place: Spot, line: Sequence[Spot]) -> float:
    """Computes the least distance of a point from a line through points, in micrometres."""
    return min(geometry.to_segment(place, start, end)[0] for start, end in pairwise(line))
