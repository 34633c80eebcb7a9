"""An outline -> what lies inside it, how deep, and the lines at some distances all the way round.

All is reckoned by GEOS. So a hill of any shape has contours that never cross, and one with a narrow
waist falls into two tops. What is drawn last, names and roads, is told to the symbols before, so
that no tree is cut in two. The library is loaded when the first map is drawn, and not before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any

from rulebook.maps.geometry import Piece, Point, Ring, Track, centroid, smooth

#: Points of a curve along the longer side of a shape; across one that is thin; and at most.
_POINTS, _ACROSS, _MOST_POINTS = 18, 2.5, 72
#: No line inside has fewer points.
_LEAST_POINTS = 12


class Area:
    """What lies inside a ring, by the even-odd rule."""

    def __init__(self, ring: Ring) -> None:
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
            return 0.0, centroid(self._ring)
        reach = shapely.maximum_inscribed_circle(self.within)
        return reach.length, reach.coords[0]

    @property
    def deepest(self) -> float:
        return self._deepest[0]

    @property
    def deepest_point(self) -> Point:
        return self._deepest[1]

    def depths(self, points: Sequence[Point]) -> list[float]:
        """How far inside each point lies; outside it is 0."""
        import shapely

        places = _placed(points)
        away, inside = shapely.distance(self._edge, places), shapely.contains(self.within, places)
        return [float(one) if deep else 0.0 for one, deep in zip(away, inside, strict=True)]

    def lines(self, depth: float) -> list[list[Point]]:
        """The closed lines at a depth, the longest first."""
        import shapely

        rings = shapely.get_parts(self.within.buffer(-depth).normalize().boundary)
        return [
            [(x, y) for x, y in ring.coords[:-1]]
            for ring in sorted(rings, key=lambda ring: -ring.length)
        ]

    @cached_property
    def apart(self) -> float:
        """How far apart the points of a curve are: nearer on a ridge than on what is round."""
        left, low, right, high = self.within.bounds
        long = max(right - left, high - low)
        wide = 2 * self.within.area / self.within.length
        return float(max(min(long / _POINTS, wide / _ACROSS), long / _MOST_POINTS))

    def curves(self, depth: float) -> list[list[Piece]]:
        """The same lines, smoothed."""
        return [smooth(_spread(line, self.apart), closed=True) for line in self.lines(depth)]


def _spread(ring: Ring, apart: float) -> list[Point]:
    """Points along a ring, evenly spread."""
    track = Track.of([*ring, ring[0]])
    count = max(_LEAST_POINTS, round(track.length / apart))
    return [track.at(track.length * number / count)[0] for number in range(count)]


def outside(
    lines: Iterable[Sequence[Point]], rings: tuple[tuple[Point, ...], ...]
) -> Iterator[list[Point]]:
    """The pieces of some lines that lie outside all of some rings, line by line."""
    import shapely

    taken = _covered(rings)
    for line in lines:
        whole = shapely.LineString(line)
        if taken.disjoint(whole):
            yield list(line)
        else:
            rest = shapely.get_parts(whole.difference(taken))
            yield from (list(piece.coords) for piece in rest if not piece.is_empty)


@lru_cache(maxsize=4)
def _covered(rings: tuple[tuple[Point, ...], ...]) -> Any:
    """The ground of some rings, which are those of a map's names line by line."""
    import shapely

    return _together([shapely.Polygon(ring) for ring in rings])


class Clearing:
    """Where no symbol may stand: names, strips along lines, and areas."""

    def __init__(self) -> None:
        self._near: list[Any] = []
        self._areas: list[Any] = []

    def add_quads(self, quads: Iterable[Ring]) -> None:
        import shapely

        self._near += map(shapely.Polygon, quads)

    def add_strip(self, points: Sequence[Point], width: float) -> None:
        import shapely

        if len(points) > 1:
            self._near.append(shapely.LineString(points).buffer(width / 2))

    def add_area(self, ring: Ring) -> None:
        self._areas.append(area_of(tuple(ring)).within)

    @cached_property
    def _taken(self) -> tuple[Any, Any]:
        return _together(self._near), _together(self._areas)

    def are_free(self, points: Sequence[Point], reach: float) -> list[bool]:
        """Whether a symbol about each point, that reaches so far, stands free."""
        import shapely

        places = _placed(points)
        near, areas = self._taken
        taken = shapely.dwithin(near, places, reach) | shapely.contains(areas, places)
        return [not one for one in taken]


def _placed(points: Sequence[Point]) -> Any:
    import shapely

    return shapely.points([x for x, _ in points], [y for _, y in points])


def _together(areas: Sequence[Any]) -> Any:
    import shapely

    taken = shapely.union_all(areas)
    shapely.prepare(taken)
    return taken


@lru_cache(maxsize=256)
def area_of(ring: tuple[Point, ...]) -> Area:
    """The area of a ring, reckoned once for its colours and for its lines."""
    return Area(ring)
