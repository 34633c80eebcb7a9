"""The ground of a table -> outlines of pieces to cut out at true scale and lay on it.

What lies on the table as a piece has the shape that it has on the map: each level of a hill, woods
and fields, the sections of towns, buildings; roads and rivers in strips of a handy length, whose
ends fit each other. Walls, fences and hedges are models, and are no pieces.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from rulebook.drawing.elements import Box, Point
from rulebook.maps.areas import area_of
from rulebook.maps.features import Projection, Shape, seed_of, shapes_of
from rulebook.maps.frame import grid_of
from rulebook.maps.geometry import MeasuredLine, Ring, flattened, quad_of, ribbon, turned
from rulebook.maps.ground import WIDEST_SLOPE, crossing, levels, rises, river_outline, sections_of
from rulebook.model.map_features import FEATURE_KINDS, WAYS
from rulebook.model.scenarios import Scenario
from rulebook.translation import gettext

#: No strip of a road or river is longer, mm: it lies along a sheet of A4 or Letter.
LONGEST_STRIP = 225.0
#: A ford or bridge reaches so far beyond the water on each side, and is as wide as a way of so much
#: where none leads over it, in inches.
_BEYOND, _USUAL_WAY = 0.5, 1.5
#: At the scale of the table nothing is drawn wider than it is.
_TRUE = 0.01
#: Straight lines for a piece of a curve, so that none is seen at true scale.
_STEPS = 24
#: Lines are led on beyond no edge.
_NOWHERE: Box = (-1e9, -1e9, 1e9, 1e9)


@dataclass(frozen=True, slots=True)
class Middle:
    """The most room for words on a piece: about a point, so wide and so high, mm."""

    at: Point
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class TerrainPiece:
    """What is cut out, in mm, turned so that its words stand upright; y runs down.

    `title` names the feature and the kind, `number` the piece among those of the feature, `square`
    that of the map in which its middle lies; `inside` are outlines that are drawn on it.
    """

    feature: str
    kind: str
    title: str
    number: str
    square: str
    outline: tuple[Point, ...]
    middle: Middle
    inside: tuple[tuple[Point, ...], ...] = ()
    level: int = 1


def pieces_of(scenario: Scenario) -> list[TerrainPiece]:
    """All pieces of the map of a scenario, feature by feature."""
    return list(_TableInPieces(scenario).pieces())


@dataclass(frozen=True, slots=True)
class _TableInPieces:
    scenario: Scenario

    def pieces(self) -> Iterator[TerrainPiece]:
        table = self.scenario.table
        projection = Projection(Fraction(1), Fraction(0), table.depth.mm, table.inch.mm)
        shapes = shapes_of(self.scenario.map.features, projection, _NOWHERE, _TRUE)
        ways = [shape for shape in shapes if shape.feature.draw in WAYS]
        waters = [shape for shape in shapes if "water" in shape.kind.layers]
        for shape in shapes:
            fine, cut = _finer(shape), shape.kind.cut
            if cut == "levels":
                yield from self._hill(shape)
            elif cut == "blocks":
                yield from self._town(fine)
            elif cut == "outline":
                yield from self._area(fine)
            elif cut == "strip":
                track = _cut(fine.track)
                yield from self._strips(fine, ribbon(track, [shape.width] * len(track.points)))
            elif cut == "river":
                river = replace(shape, points=_cut(fine.track).points)
                outline = river_outline(river, rises=rises(shape, waters, self._room))
                yield from self._strips(fine, outline)
                yield from self._crossings(shape, ways)

    @property
    def _inch(self) -> float:
        return float(self.scenario.table.inch.mm)

    @property
    def _room(self) -> Box:
        table = self.scenario.table
        return 0.0, 0.0, float(table.width.mm), float(table.depth.mm)

    def _square(self, at: Point) -> str:
        table = self.scenario.table
        grid = grid_of(table)
        x, y = (Fraction(str(round(side, 3))) for side in at)
        return grid.square(x, table.depth.mm - y)

    def _title(self, shape: Shape) -> str:
        return shape.feature.title or gettext(shape.kind.title)

    def _piece(self, shape: Shape, ring: Ring, number: str) -> TerrainPiece:
        middle = _middle_of(ring)
        square = self._square(middle.at)
        title = self._title(shape)
        return TerrainPiece(
            shape.name, shape.feature.draw, title, number, square, tuple(ring), middle
        )

    def _area(self, shape: Shape) -> Iterator[TerrainPiece]:
        if len(shape.points) < 3:
            return
        parts = sections_of(shape.points, shape.feature.sections or 1)
        inside = tuple(tuple(part) for part in parts) if len(parts) > 1 else ()
        yield replace(self._piece(shape, shape.points, ""), inside=inside)

    def _town(self, shape: Shape) -> Iterator[TerrainPiece]:
        parts = sections_of(shape.points, shape.feature.sections or 1)
        for number, part in enumerate(parts, 1):
            if len(part) >= 3:
                yield self._piece(shape, part, _of(number, len(parts)))

    def _hill(self, shape: Shape) -> Iterator[TerrainPiece]:
        """A piece for each level, and on it where the next one lies."""
        if len(shape.points) < 3:
            return
        count = shape.feature.contours
        steep = levels(shape.points, count, WIDEST_SLOPE * self._inch, seed_of(shape.name))
        above = steep[0][: count - 1]
        rings = [[_finer(shape).points]]
        rings += [
            [tuple(flattened(line, closed=True, steps=_STEPS)) for line in level] for level in above
        ]
        rings = [level for level in rings if level]
        for level, outlines in enumerate(rings, 1):
            inside = tuple(map(tuple, rings[level])) if level < len(rings) else ()
            number = (
                gettext("level %(number)s of %(count)s", number=level, count=len(rings))
                if len(rings) > 1
                else ""
            )
            for ring in outlines:
                if len(ring) >= 3:
                    piece = self._piece(shape, ring, number)
                    yield replace(piece, inside=inside if len(outlines) == 1 else (), level=level)

    def _strips(self, shape: Shape, outline: Sequence[Point]) -> Iterator[TerrainPiece]:
        """The strips of a ribbon, each end of which is one line for both strips that meet there."""
        track = _cut(shape.track)
        if track.length <= 0:
            return
        last = len(track.points) - 1
        right, left = outline[: last + 1], list(reversed(outline[last + 1 :]))
        ends = _ends(track)
        for number, (start, end) in enumerate(pairwise(ends), 1):
            ring = [*right[start : end + 1], *reversed(left[start : end + 1])]
            way = (track.reached[start] + track.reached[end]) / 2
            at, angle = track.at(way)
            level = [(x - at[0], y - at[1]) for x, y in ring]
            upright = turned(level, -math.degrees(_upright(angle)))
            long = track.reached[end] - track.reached[start]
            wide = math.dist(right[(start + end) // 2], left[(start + end) // 2])
            middle = Middle((0.0, 0.0), 0.8 * long, 0.8 * wide)
            yield TerrainPiece(
                shape.name,
                shape.feature.draw,
                self._title(shape),
                _of(number, len(ends) - 1),
                self._square(at),
                tuple(upright),
                middle,
            )

    def _crossings(self, river: Shape, ways: Sequence[Shape]) -> Iterator[TerrainPiece]:
        for key, at in river.crossings:
            over = crossing(river, at, ways, _USUAL_WAY * self._inch)
            kind = "ford" if key == "fords" else "bridge"
            title = f"{gettext(FEATURE_KINDS[kind].title)}, {self._title(river)}"
            half, wide = over.river / 2 + _BEYOND * self._inch, over.way / 2
            ring = quad_of((-half, -wide, half, wide))
            middle = Middle((0.0, 0.0), 0.9 * (ring[1][0] - ring[0][0]), 0.9 * over.way)
            yield TerrainPiece(river.name, kind, title, "", self._square(over.at), ring, middle)


def _finer(shape: Shape) -> Shape:
    """The same shape with more points along its curves."""
    points = tuple(flattened(shape.pieces, closed=shape.is_area, steps=_STEPS))
    return replace(shape, points=points or shape.points)


def _of(number: int, count: int) -> str:
    return gettext("%(number)s of %(count)s", number=number, count=count) if count > 1 else ""


def _cut(track: MeasuredLine) -> MeasuredLine:
    """The track with a point wherever it is cut."""
    count = max(1, math.ceil(track.length / LONGEST_STRIP))
    cuts = [track.length * index / count for index in range(1, count)]
    ways = sorted({*track.reached, *cuts})
    places = dict(zip(track.reached, track.points, strict=True))
    return MeasuredLine.from_points(
        [places[way] if way in places else track.at(way)[0] for way in ways]
    )


def _ends(track: MeasuredLine) -> list[int]:
    """The points at which strips begin and end."""
    count = max(1, math.ceil(round(track.length / LONGEST_STRIP, 6)))
    wanted = [track.length * index / count for index in range(count + 1)]
    return [
        min(range(len(track.points)), key=lambda index: abs(track.reached[index] - way))
        for way in wanted
    ]


def _upright(angle: float) -> float:
    """The direction, or its opposite, in which words are not upside down."""
    return angle if -math.pi / 2 < angle <= math.pi / 2 else angle - math.pi


def _middle_of(ring: Ring) -> Middle:
    """Words have the most room about the point that is deepest inside."""
    area = area_of(tuple(ring))
    return Middle(area.deepest_point, 1.7 * area.deepest, area.deepest)
