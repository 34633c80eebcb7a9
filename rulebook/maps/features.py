"""The features of a scenario's map -> their shapes in millimetres of the page.

Points are exact on the table and stay where they are; between them areas of nature, roads and
rivers are curves. Where a road ends on another, that one is made to pass through its end, so that
the two meet however they bend.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from rulebook.drawing.elements import Box, Point
from rulebook.maps import geometry
from rulebook.model.map_features import (
    DRAWN_TOGETHER,
    FEATURE_KINDS,
    FeatureKind,
    NameStyle,
)
from rulebook.model.maps import Feature, TablePoint
from rulebook.quantities import MILLIMETRES
from rulebook.typefaces import SERIF, SERIF_BOLD

#: Where sides set up and come in: no features, but named as they are.
ZONE = FeatureKind("", "area", style=NameStyle(2.8, SERIF_BOLD), weight=3.0, darkness=1.0)
ENTRY = NameStyle(2.6, SERIF_BOLD)
#: Who comes in there, and when.
ARRIVALS = NameStyle(2.6, SERIF)


#: An end that is no farther from another line than so much, in inches, lies on it.
_TOUCHING = 1.0
#: The corners of ground on tiles: from which part of the shortest side they are rounded off.
_ROUNDED = 0.22
#: A side that leaves its direction by less runs straight, mm.
_STRAIGHT = 1e-6


def kind_of(feature: Feature) -> FeatureKind:
    """Returns the kind of a feature, which says how it is drawn, named and cut out."""
    return FEATURE_KINDS[feature.draw]


def plain_feature(kind: str, **more: str) -> Feature:
    """Makes a feature of a kind with an arbitrary position and size, for a sample.

    `more` are further keys, as in the source of a feature.
    """
    box = {"centre": ["0mm", "0mm"], "width": "9mm", "depth": "9mm"}
    lies: dict[str, object] = {"line": [["0mm", "0mm"], ["9mm", "0mm"]], "at": ["0mm", "0mm"]}
    key = {"line": "line", "point": "at"}.get(FEATURE_KINDS[kind].outline, "box")
    return Feature.model_validate({"draw": kind, key: lies.get(key, box), **more})


def seed_of(name: str) -> int:
    """Computes a number from a feature's name, to be the seed of its random symbols and bends."""
    return zlib.crc32(name.encode("utf-8"))


@dataclass(frozen=True, slots=True)
class Projection:
    """Projects the table to the page: its south-west corner lies at (left, bottom), in mm.

    `scale` is mm of the page for a mm of the table, `inch` is mm of the table for the inch by which
    it was measured.
    """

    scale: Fraction
    left: Fraction
    bottom: Fraction
    inch: Fraction = MILLIMETRES["in"]

    def exact(self, point: TablePoint) -> tuple[Fraction, Fraction]:
        """Converts a point of the table to exact mm on the page, where y runs down."""
        x, y = point.mm
        return self.left + self.scale * x, self.bottom - self.scale * y

    def __call__(self, point: TablePoint) -> Point:
        x, y = self.exact(point)
        return float(x), float(y)

    def length(self, mm: float) -> float:
        return float(self.scale) * mm

    def inches(self, number: float) -> float:
        return float(self.scale * self.inch) * number


@dataclass(frozen=True)
class Shape:
    """A feature on the page: its curve, the points that approximate it, and its width, in mm.

    `points` are those of a ring or a line, or a single one; `crossings` are fords and bridges, each
    with the key of the feature that lists it.
    """

    name: str
    feature: Feature
    pieces: tuple[geometry.Piece, ...]
    points: tuple[Point, ...]
    width: float = 0.0
    crossings: tuple[tuple[str, Point], ...] = ()

    @property
    def kind(self) -> FeatureKind:
        return kind_of(self.feature)

    @property
    def is_area(self) -> bool:
        return self.kind.outline == "area"

    @property
    def is_line(self) -> bool:
        return self.kind.outline == "line"

    @cached_property
    def track(self) -> geometry.MeasuredLine:
        return geometry.MeasuredLine.from_points(self.points)

    @cached_property
    def box(self) -> Box:
        return geometry.box_of(self.points)

    def is_near(self, point: Point, away: float) -> bool:
        """Whether this line passes within `away` mm of a point."""
        x, y = point
        around = (x - away, y - away, x + away, y + away)
        return geometry.boxes_meet(self.box, around) and self.track.nearest(point)[0] <= away


def shapes_of(
    features: Mapping[str, Feature],
    projection: Projection,
    room: Box,
    grain: float,
    *,
    true_to_scale: bool = True,
) -> list[Shape]:
    """Projects every feature to the page, in the order of the map; `room` is the table there.

    `grain` is the size of symbols: unless `true_to_scale`, it limits how wide lines are drawn. A
    line that ends at an edge of the table is drawn a little beyond it, where the border covers its
    end.
    """
    lines = {
        name: [projection(point) for point in feature.line]
        for name, feature in features.items()
        if feature.line
    }
    reach = projection.inches(_TOUCHING)
    widths = grain, not true_to_scale
    for layer in DRAWN_TOGETHER:
        _join({name for name in lines if layer in kind_of(features[name]).layers}, lines, reach)
    return [
        _beyond(_shape(name, feature, lines.get(name, []), projection, widths), room)
        for name, feature in features.items()
    ]


def _beyond(shape: Shape, room: Box) -> Shape:
    """Returns a line extended beyond those edges of the table at which it ends, to hide its ends.

    Other shapes are returned unchanged.
    """
    if not shape.is_line or len(shape.points) < 2:
        return shape
    pieces, points = list(shape.pieces), list(shape.points)
    for end, before, where in ((points[0], points[1], 0), (points[-1], points[-2], -1)):
        if _from_edge(end, room) > shape.width / 4:
            continue
        part = 1 + shape.width / 2 / (math.dist(before, end) or 1.0)
        on = geometry.between(before, end, part)
        piece = (on, on, end, end) if where == 0 else (end, end, on, on)
        pieces.insert(0 if where == 0 else len(pieces), piece)
        points.insert(0 if where == 0 else len(points), on)
    return replace(shape, pieces=tuple(pieces), points=tuple(points))


def _from_edge(point: Point, room: Box) -> float:
    x, y = point
    return min(abs(x - room[0]), abs(room[2] - x), abs(y - room[1]), abs(room[3] - y))


def _join(names: set[str], lines: dict[str, list[Point]], reach: float) -> None:
    """Makes the lines called `names` pass through the ends of one another that are within `reach`.

    Changes `lines`, which has the points of each line by its name.
    """
    ordered = [name for name in lines if name in names]
    ends = [(name, lines[name][at]) for name in ordered for at in (0, -1)]
    for name in ordered:
        around = _around(lines[name], reach)
        for owner, end in ends:
            if owner != name and geometry.boxes_meet(around, (*end, *end)):
                lines[name] = _through(lines[name], end, reach)
                around = _around(lines[name], reach)


def _around(line: Sequence[Point], reach: float) -> Box:
    left, top, right, bottom = geometry.box_of(line)
    return left - reach, top - reach, right + reach, bottom + reach


def _through(line: list[Point], end: Point, reach: float) -> list[Point]:
    """Returns a line with the point `end` inserted if the line passes within `reach` of it.

    Returns the line unchanged if one of its own points is already near `end`.
    """
    best, index = min(
        (geometry.to_segment(end, start, stop)[0], number)
        for number, (start, stop) in enumerate(pairwise(line))
    )
    if best > reach or min(math.dist(end, point) for point in line) <= reach / 4:
        return line
    return [*line[: index + 1], end, *line[index + 1 :]]


def _shape(
    name: str,
    feature: Feature,
    line: Sequence[Point],
    projection: Projection,
    widths: tuple[float, bool],
) -> Shape:
    if feature.at is not None:
        return Shape(name, feature, (), (projection(feature.at),))
    if line:
        pieces = (
            geometry.straight(line, closed=False)
            if kind_of(feature).angular
            else geometry.smooth(line, closed=False)
        )
        points = geometry.flattened(pieces) or list(line[:1])
        crossings = tuple((key, projection(at)) for key, _, at in feature.crossings)
        width = _width(feature, projection, *widths)
        return Shape(name, feature, tuple(pieces), tuple(points), width, crossings)
    pieces = _outline(name, feature, projection)
    # an outline without any extent is a point
    points = geometry.flattened(pieces, closed=True) or [projection(feature.points[0])]
    return Shape(name, feature, tuple(pieces), tuple(points))


def _width(feature: Feature, projection: Projection, grain: float, bounded: bool) -> float:
    kind = kind_of(feature)
    wide = projection.inches(kind.width)
    if feature.width:
        wide = projection.length(float(feature.width.mm))
    return max(min(wide, grain * kind.most) if bounded else wide, grain * kind.least)


def _outline(name: str, feature: Feature, projection: Projection) -> list[geometry.Piece]:
    if extents := feature.oval or feature.box:
        width, depth = (
            projection.length(float(side.mm)) for side in (extents.width, extents.depth)
        )
        middle, turn = projection(extents.centre), float(extents.turn.degrees)
        if feature.oval and kind_of(feature).angular:
            return geometry.ellipse(middle, width, depth, turn)
        if feature.oval:
            return geometry.bent_oval(middle, width, depth, turn, seed_of(name))
        wide, deep = width / 2, depth / 2
        return geometry.straight(
            geometry.turned_quad(middle, (-wide, -deep, wide, deep), turn), closed=True
        )
    points = [projection(point) for point in feature.area or ()]
    if kind_of(feature).angular:
        return geometry.straight(points, closed=True)
    if _is_of_squares(points):
        return geometry.rounded(points, _ROUNDED)
    return geometry.smooth(points, closed=True) or geometry.straight(points, closed=True)


def _is_of_squares(points: Sequence[Point]) -> bool:
    """Whether all sides run parallel to the edges of the table, as those of ground on tiles do."""
    sides = [(abs(a - c), abs(b - d)) for (a, b), (c, d) in pairwise([*points, points[0]])]
    return all(min(side) < _STRAIGHT < max(side) for side in sides)
