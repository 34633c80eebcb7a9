"""The ground of a table -> pieces to cut out at true scale; a kind of terrain -> a tile of it.

What lies on the table as a piece has the shape that it has on the map: each level of a hill, woods
and fields, the sections of towns, buildings; roads and rivers in strips of a handy length, whose
ends fit each other. Walls, fences and hedges are models, and are no pieces.

Tiles are for games on a grid. Rivers and roads meet their edges in the middle and at right angles,
all as wide, so that tiles join however they are turned.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import get_args

from rulebook.drawing.elements import Box, Drawn, ExactBox, Point
from rulebook.drawing.shapes import Stamp
from rulebook.maps.areas import Clearing, area_of
from rulebook.maps.canvas import Canvas, MapLook, joined, lines_path
from rulebook.maps.features import Projection, Shape, plain_feature, seed_of, shapes_of
from rulebook.maps.frame import grid_of
from rulebook.maps.geometry import (
    MeasuredLine,
    Ring,
    flattened,
    quad_of,
    ribbon,
    smooth,
    straight,
    turned,
)
from rulebook.maps.ground import (
    WIDEST_SLOPE,
    crossing,
    draw_bridge,
    draw_ford,
    draw_ground,
    draw_roads,
    draw_waters,
    levels,
    rises,
    river_outline,
    sections_of,
)
from rulebook.model.cutouts import Terrain
from rulebook.model.map_features import FEATURE_KINDS, WAYS
from rulebook.model.scenarios import Scenario
from rulebook.paper_and_ink import Ink
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
class TerrainPiece:
    """A piece to cut out, in mm, turned so that its text is upright; y runs down.

    `title` names the feature and the kind, `number` the piece among those of the feature, `square`
    the square of the map that contains its middle. The text has most `room`, width and height,
    about `middle`; `inside` are outlines that are drawn on the piece.
    """

    feature: str
    kind: str
    title: str
    number: str
    square: str
    outline: tuple[Point, ...]
    middle: Point
    room: tuple[float, float]
    inside: tuple[tuple[Point, ...], ...] = ()
    level: int = 1


def pieces_of(scenario: Scenario) -> list[TerrainPiece]:
    """Divides the terrain of a scenario's map into pieces to cut out, feature by feature."""
    return list(_TableInPieces(scenario).pieces())


@dataclass(frozen=True)
class _TableInPieces:
    """Divides the ground of one table into pieces, each kind of feature in its own way."""

    scenario: Scenario

    def pieces(self) -> Iterator[TerrainPiece]:
        for shape in self._shapes:
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
                yield from self._river(fine)
                yield from self._crossings(shape)

    @cached_property
    def _shapes(self) -> list[Shape]:
        """The features at true scale, with the north-west corner of the table at (0, 0)."""
        table = self.scenario.table
        projection = Projection(Fraction(1), Fraction(0), table.depth.mm, table.inch.mm)
        return shapes_of(self.scenario.map.features, projection, _NOWHERE, _TRUE)

    def _inches(self, number: float) -> float:
        return number * float(self.scenario.table.inch.mm)

    def _square(self, at: Point) -> str:
        table = self.scenario.table
        x, y = (Fraction(str(round(side, 3))) for side in at)
        return grid_of(table).square(x, table.depth.mm - y)

    def _title(self, shape: Shape) -> str:
        return shape.feature.title or gettext(shape.kind.title)

    def _piece(self, shape: Shape, ring: Ring, number: str) -> TerrainPiece:
        """Makes a piece from an outline, with room for its text around the point deepest inside."""
        kind, title, area = shape.feature.draw, self._title(shape), area_of(tuple(ring))
        square, room = self._square(area.deepest_point), (1.7 * area.deepest, area.deepest)
        middle = area.deepest_point
        return TerrainPiece(shape.name, kind, title, number, square, tuple(ring), middle, room)

    def _area(self, shape: Shape) -> Iterator[TerrainPiece]:
        if len(shape.points) < 3:
            return
        parts = sections_of(shape.points, shape.feature.sections or 1)
        inside = tuple(tuple(part) for part in parts) if len(parts) > 1 else ()
        yield replace(self._piece(shape, shape.points, ""), inside=inside)

    def _town(self, shape: Shape) -> Iterator[TerrainPiece]:
        """Yields a piece for each section of a town."""
        parts = sections_of(shape.points, shape.feature.sections or 1)
        for number, part in enumerate(parts, 1):
            if len(part) >= 3:
                yield self._piece(shape, part, _of(number, len(parts)))

    def _hill(self, shape: Shape) -> Iterator[TerrainPiece]:
        """Yields the pieces of each level of a hill, with the outline of the next level on them."""
        if len(shape.points) < 3:
            return
        count, widest = shape.feature.contours, self._inches(WIDEST_SLOPE)
        above = levels(shape.points, count, widest, seed_of(shape.name))[0][: count - 1]
        rings = [[_finer(shape).points]]
        rings += [
            [tuple(flattened(line, closed=True, steps=_STEPS)) for line in level]
            for level in above
            if level
        ]
        for level, outlines in enumerate(rings, 1):
            number, count = "", len(rings)
            if count > 1:
                number = gettext("level %(number)s of %(count)s", number=level, count=count)
            over = rings[level] if level < count and len(outlines) == 1 else []
            for ring in outlines:
                if len(ring) >= 3:
                    piece = self._piece(shape, ring, number)
                    yield replace(piece, inside=tuple(over), level=level)

    def _river(self, shape: Shape) -> Iterator[TerrainPiece]:
        """Yields the strips of a river, which are narrow where it rises on the table."""
        table = self.scenario.table
        on_table = (0.0, 0.0, float(table.width.mm), float(table.depth.mm))
        waters = [water for water in self._shapes if "water" in water.kind.layers]
        narrow = rises(shape, waters, on_table)
        cut = replace(shape, points=_cut(shape.track).points)
        yield from self._strips(shape, river_outline(cut, rises=narrow))

    def _strips(self, shape: Shape, outline: Sequence[Point]) -> Iterator[TerrainPiece]:
        """Yields the strips into which a road or river is cut, turned so that text is upright.

        `outline` is that of the whole line. Two strips that meet share the line of their ends.
        """
        track = _cut(shape.track)
        if track.length <= 0:
            return
        last, kind, title = len(track.points) - 1, shape.feature.draw, self._title(shape)
        right, left = outline[: last + 1], list(reversed(outline[last + 1 :]))
        ends = _ends(track)
        for number, (start, end) in enumerate(pairwise(ends), 1):
            ring = [*right[start : end + 1], *reversed(left[start : end + 1])]
            at, angle = track.at((track.reached[start] + track.reached[end]) / 2)
            level = [(x - at[0], y - at[1]) for x, y in ring]
            upright = tuple(turned(level, -math.degrees(_upright(angle))))
            long = track.reached[end] - track.reached[start]
            wide = math.dist(right[(start + end) // 2], left[(start + end) // 2])
            words = _of(number, len(ends) - 1), self._square(at)
            room = (0.8 * long, 0.8 * wide)
            yield TerrainPiece(shape.name, kind, title, *words, upright, (0.0, 0.0), room)

    def _crossings(self, river: Shape) -> Iterator[TerrainPiece]:
        """Yields a piece for each ford and bridge of a river."""
        ways = [shape for shape in self._shapes if shape.feature.draw in WAYS]
        for key, at in river.crossings:
            over = crossing(river, at, ways, self._inches(_USUAL_WAY))
            kind = "ford" if key == "fords" else "bridge"
            title = f"{gettext(FEATURE_KINDS[kind].title)}, {self._title(river)}"
            half, wide = over.river / 2 + self._inches(_BEYOND), over.way / 2
            ring, room = quad_of((-half, -wide, half, wide)), (0.9 * 2 * half, 0.9 * over.way)
            square = self._square(over.at)
            yield TerrainPiece(river.name, kind, title, "", square, ring, (0.0, 0.0), room)


def _finer(shape: Shape) -> Shape:
    """Returns a shape with more points along its curves, as true scale requires."""
    points = tuple(flattened(shape.pieces, closed=shape.is_area, steps=_STEPS))
    return replace(shape, points=points or shape.points)


def _of(number: int, count: int) -> str:
    return gettext("%(number)s of %(count)s", number=number, count=count) if count > 1 else ""


def _cut(track: MeasuredLine) -> MeasuredLine:
    """Returns a line with a point added wherever it is to be cut into strips of equal length."""
    count = max(1, math.ceil(track.length / LONGEST_STRIP))
    cuts = [track.length * index / count for index in range(1, count)]
    ways = sorted({*track.reached, *cuts})
    places = dict(zip(track.reached, track.points, strict=True))
    return MeasuredLine.from_points(
        [places[way] if way in places else track.at(way)[0] for way in ways]
    )


def _ends(track: MeasuredLine) -> list[int]:
    """Returns the indices of the points of a line at which strips begin and end."""
    count = max(1, math.ceil(round(track.length / LONGEST_STRIP, 6)))
    wanted = [track.length * index / count for index in range(count + 1)]
    return [
        min(range(len(track.points)), key=lambda index: abs(track.reached[index] - way))
        for way in wanted
    ]


def _upright(angle: float) -> float:
    """Returns a direction along which text is not upside down: the angle or its opposite.

    Directions are in radians.
    """
    return angle if -math.pi / 2 < angle <= math.pi / 2 else angle - math.pi


#: Symbols on a tile are so large that so many grains make its side.
_GRAINS = 25.0
#: How wide rivers and ways are, parts of the side; how far areas stay off the edges.
_RIVER, _WAY, _AWAY = 0.24, 0.14, 0.05
#: How many levels hills rise.
_LEVELS = {"hill": "2", "mountain": "5"}
#: Outlines of nature: how far from the middle, in parts of half the side, at equal angles.
_WAVES = (0.96, 1.2, 0.99, 1.13, 0.94, 1.22, 0.98, 1.16)
#: Straight lines for a piece of curve: longer than those of maps, whose corners would be seen.
_FLAT_STEPS = 32
#: Around words, mm; how far lines run straight from an edge, and beyond it for the knife.
_PLATE, _STRAIGHT, _BLEED = 0.8, 3.0, 1.0


@lru_cache(maxsize=64)
def _stamped(terrain: Terrain, wide: float, high: float, words: tuple[ExactBox, ...]) -> Stamp:
    full, low = (_TileDrawing(terrain, wide, high, words, ink).drawn() for ink in get_args(Ink))
    return Stamp(full, low, 0, 0, wide, high)


def stamp_tile(terrain: Terrain, wide: float, high: float, words: Sequence[ExactBox]) -> Stamp:
    """Returns drawings of a tile's ground in full and low ink, with a plate for its text.

    `wide` and `high` are the size of the tile in mm; `words` are the boxes of the text, which the
    white plate covers.
    """
    return _stamped(terrain, wide, high, tuple(words))


class _TileDrawing:
    """Draws one tile in one ink, with its corner at (0, 0)."""

    def __init__(
        self, terrain: Terrain, wide: float, high: float, words: Sequence[ExactBox], ink: Ink
    ) -> None:
        self._terrain = terrain
        self._wide, self._high = wide, high
        side = min(wide, high)
        self._side = side
        look = MapLook(ink, side / _GRAINS)
        self._plate = _plate(words)
        quads = [quad_of(self._plate)] if self._plate else []
        clearing = Clearing()
        clearing.add_quads(quads)
        self._canvas = Canvas(look, side / 3, None, tuple(quads), clearing)

    def drawn(self) -> Drawn:
        """Draws the ground of the tile and, above it, the white plate for its text."""
        box = (0.0, 0.0, self._wide, self._high)
        drawn = [self._canvas.path(_box_path(box), fill="ground"), self._ground()]
        if self._plate:
            drawn.append(self._canvas.path(_box_path(self._plate), fill="white"))
        return joined(drawn)

    def _ground(self) -> Drawn:
        terrain = self._terrain
        if terrain in ("river", "river_bend", "bridge", "ford"):
            return self._river()
        if terrain in ("road", "road_bend"):
            return draw_roads([self._line("road", terrain)], self._canvas)
        kind = "hill" if terrain == "mountain" else terrain
        shapes, canvas = [self._area(kind)], self._canvas
        if kind == "town":
            ways = [self._line("road", "road"), self._across()]
            for way in ways:
                canvas.clearing.add_strip(way.points, way.width + canvas.mm(0.4))
            shapes += ways
        return joined(drawn.elements for drawn in draw_ground(shapes, canvas))

    def _river(self) -> Drawn:
        river = self._line("river", self._terrain)
        water = draw_waters([river], self._canvas)
        if self._terrain not in ("bridge", "ford"):
            return water
        road = self._across()
        middle = (self._wide / 2, self._high / 2)
        at = crossing(river, middle, [road], road.width)
        ways = draw_roads([road], self._canvas)
        if self._terrain == "bridge":
            return water + ways + draw_bridge(at, self._canvas)
        over = draw_waters([river], self._canvas)
        return ways + over + draw_ford(at, self._canvas)

    def _across(self) -> Shape:
        """Makes a road from the left edge to the right one."""
        points = ((-_BLEED, self._high / 2), (self._wide + _BLEED, self._high / 2))
        pieces = straight(points, closed=False)
        return replace(self._line("road", "road"), pieces=tuple(pieces), points=points)

    def _line(self, kind: str, terrain: str) -> Shape:
        """Makes a river or road from the upper edge of the tile to the lower one.

        If the name of the terrain ends in `_bend`, it leads to the right edge instead.
        """
        wide, high = self._wide, self._high
        x, y = wide / 2, high / 2
        sway = 0.1 * wide if kind == "river" else 0.0
        start, out = (x, -_BLEED), (x, high + _BLEED)
        corners = [(start, (x, _STRAIGHT))]
        if terrain.endswith("_bend"):
            bend = (wide - _STRAIGHT, y)
            corners += [(bend, (wide + _BLEED, y))]
            curves = [((x, _STRAIGHT), (x, 0.56 * y), (wide - 0.56 * x, y), bend)]
        else:
            corners += [((x, high - _STRAIGHT), out)]
            curves = [
                ((x, _STRAIGHT), (x, 0.4 * y), (x + sway, 0.6 * y), (x, y)),
                ((x, y), (x - sway, 1.4 * y), (x, 1.6 * y), (x, high - _STRAIGHT)),
            ]
        ends = [straight(corner, closed=False) for corner in corners]
        pieces = [*ends[0], *curves, *ends[1]]
        width = self._side * (_RIVER if kind == "river" else _WAY)
        points = flattened(pieces, steps=_FLAT_STEPS)
        return Shape(terrain, plain_feature(kind), tuple(pieces), tuple(points), width)

    def _area(self, kind: str) -> Shape:
        """Makes an area of this kind, as large as the tile allows."""
        shown = {"contours": _LEVELS[self._terrain]} if kind == "hill" else {}
        feature = plain_feature(kind, **shown)
        away = _AWAY * self._side
        if FEATURE_KINDS[kind].angular:
            box = (away, away, self._wide - away, self._high - away)
            pieces = straight(quad_of(box), closed=True)
        else:
            pieces = smooth(self._waves(away), closed=True)
        points = flattened(pieces, closed=True)
        return Shape(self._terrain, feature, tuple(pieces), tuple(points))

    def _waves(self, away: float) -> list[Point]:
        x, y = self._wide / 2, self._high / 2
        turn = 360 / len(_WAVES)
        arms = [((x - away) * part, 0.0) for part in _WAVES]
        spokes = [turned([arm], index * turn)[0] for index, arm in enumerate(arms)]
        return [(x + across, y + down * (y - away) / (x - away)) for across, down in spokes]


def _plate(words: Sequence[ExactBox]) -> Box | None:
    """Returns the box around all text boxes, with a little room; None if there are none."""
    if not words:
        return None
    lefts, tops, rights, bottoms = zip(*(map(float, box) for box in words), strict=True)
    return min(lefts) - _PLATE, min(tops), max(rights) + _PLATE, max(bottoms)


def _box_path(box: Box) -> str:
    return lines_path(quad_of(box), closed=True)
