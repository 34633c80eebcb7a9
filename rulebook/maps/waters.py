"""Rivers, streams and lakes -> banks that widen downstream, water lines, fords and bridges.

A river is narrow where it rises on the map and as wide as it is told where it leaves it or ends in
other water; the author's line runs downstream.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulebook.maps.areas import area_of
from rulebook.maps.canvas import Canvas
from rulebook.maps.curves import flattened
from rulebook.maps.elements import circle_path, curve_path, lines_path, path, segments_path
from rulebook.maps.geometry import (
    Box,
    Point,
    Segment,
    Track,
    between,
    box_of,
    boxes_meet,
    is_inside,
    meeting,
    ribbon,
)
from rulebook.maps.shaping import Shape

#: How wide a river is where it rises, as a part of its width, and over what part it widens.
_SOURCE, _WIDENS = 0.3, 0.6
_BANK, _BANK_SMALL = 0.22, 0.16
#: Narrower water is a line, mm times the grain.
_NARROW = 1.3
#: From the shore of a lake to its water lines, mm times the grain.
_RIPPLES = (0.55, 1.25, 2.15, 3.3)


@dataclass(frozen=True, slots=True)
class Lane:
    """A way or a river as it is looked for from elsewhere, again and again."""

    name: str
    track: Track
    box: Box
    width: float

    @classmethod
    def of(cls, shape: Shape) -> Lane:
        return cls(shape.name, shape.track, box_of(shape.points), shape.width)

    def is_near(self, point: Point, away: float) -> bool:
        """Whether it passes no farther than so much from a point; most are far off at a glance."""
        x, y = point
        around = (x - away, y - away, x + away, y + away)
        return boxes_meet(self.box, around) and self.track.nearest(point)[0] <= away


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where a river is crossed: the middle, the direction of the way in radians, both widths.

    `bare`: no way that is drawn leads over it.
    """

    at: Point
    angle: float
    river: float
    way: float
    bare: bool = False


def river_outline(shape: Shape, *, rises: bool) -> list[Point]:
    """The outline of a river; where it rises on the map it begins narrow."""
    track = shape.track
    return ribbon(
        track, [_width_at(shape, way / (track.length or 1), rises) for way in track.reached]
    )


def _width_at(shape: Shape, part: float, rises: bool) -> float:
    if not rises:
        return shape.width
    return shape.width * (_SOURCE + (1 - _SOURCE) * min(1.0, part / _WIDENS))


class Sources:
    """All water of a map, of which each river is asked whether it rises there."""

    def __init__(self, waters: Sequence[Shape], room: Box) -> None:
        self._room = room
        self._lakes = [water.points for water in waters if water.is_area]
        self._lanes = [Lane.of(water) for water in waters if water.is_line]

    def rise(self, river: Shape) -> bool:
        """Whether a river begins within the map, and not in other water."""
        x, y = start = river.points[0]
        left, top, right, bottom = self._room
        if min(x - left, right - x, y - top, bottom - y) <= river.width / 2:
            return False
        if any(is_inside(start, [lake]) for lake in self._lakes):
            return False
        return not any(
            lane.name != river.name and lane.is_near(start, river.width) for lane in self._lanes
        )


def draw_waters(waters: Sequence[Shape], room: Box, canvas: Canvas) -> str:
    """All banks and shores, then all water, so that rivers run into each other and into lakes."""
    look = canvas.look
    lakes = [lake for lake in waters if lake.is_area and len(lake.points) > 2]
    sources = Sources(waters, room)
    outlines = [
        (river, river_outline(river, rises=sources.rise(river)))
        for river in waters
        if river.is_line and len(river.track.points) > 1
    ]
    shores = [curve_path(lake.pieces, closed=True) for lake in lakes]
    shore = look.dark("shore")
    banks = "".join(
        path(
            lines_path(outline, closed=True),
            fill=look.dark("shore"),
            stroke=look.dark("shore"),
            width=2 * canvas.mm(_BANK if river.kind == "river" else _BANK_SMALL),
        )
        for river, outline in outlines
    )
    water = "".join(
        path(
            lines_path(outline, closed=True),
            fill=look.tint("water") if river.width >= canvas.mm(_NARROW) else look.dark("shore"),
        )
        for river, outline in outlines
    )
    edges = "".join(path(d, fill=shore, stroke=shore, width=canvas.mm(0.36)) for d in shores)
    lakes_water = "".join(path(d, fill=look.tint("water")) for d in shores)
    current = "".join(_current(river, canvas) for river, _ in outlines)
    ripples = "".join(_ripples(lake, canvas) for lake in lakes)
    return banks + edges + water + current + lakes_water + ripples


def _current(river: Shape, canvas: Canvas) -> str:
    """Broken lines along the water, by which it is not taken for a road."""
    if river.width < canvas.mm(_NARROW):
        return ""
    d = curve_path(river.pieces)
    drawn = [_ripple(d, canvas)]
    if river.width > canvas.mm(2.4):
        inner = river.track
        for side in (-0.25, 0.25):
            line = [inner.beside(way, side * river.width) for way in inner.reached[:-1]]
            drawn.append(_ripple(lines_path(line, places=2) if len(line) > 1 else "", canvas))
    return "".join(drawn)


def _ripple(d: str, canvas: Canvas) -> str:
    dash = (canvas.mm(3.4), canvas.mm(1.2), canvas.mm(1.2), canvas.mm(1.2))
    return path(d, stroke=canvas.look.dark("shore"), width=canvas.mm(0.12), dash=dash)


def _ripples(shape: Shape, canvas: Canvas) -> str:
    """Lines along the shore of a lake, each fainter than the one before."""
    drawn = []
    area = area_of(shape.points)
    for number, away in enumerate(_RIPPLES):
        depth = canvas.mm(away)
        if depth > 0.85 * area.deepest:
            break
        for pieces in area.curves(depth):
            ring = flattened(pieces, closed=True)
            drawn.append(
                path(
                    canvas.broken(ring) or curve_path(pieces, closed=True),
                    stroke=canvas.look.dark("ripple"),
                    width=canvas.mm(0.18 - 0.03 * number),
                )
            )
    return "".join(drawn)


def crossing(river: Lane, at: Point, ways: Sequence[Lane], usual: float) -> Crossing:
    """Where a ford or bridge lies: where the nearest way crosses, or straight over the river.

    `usual` is how wide a way is that no line is drawn for, mm.
    """
    track = river.track
    _, along = track.nearest(at)
    middle, current = track.at(along)
    best: tuple[float, Point, float, float] | None = None
    near = river.width + 4 * usual
    for way in ways:
        if not way.is_near(middle, near):
            continue
        for point, angle in _met(way.track, track):
            away = math.dist(point, middle)
            if away <= near and (best is None or away < best[0]):
                best = away, point, angle, way.width
    if best is None:
        return Crossing(middle, current + math.pi / 2, river.width, usual, bare=True)
    _, point, angle, width = best
    sine = abs(math.sin(angle - track.at(track.nearest(point)[1])[1]))
    return Crossing(point, angle, river.width / max(sine, 0.5), width)


def _met(line: Track, river: Track) -> list[tuple[Point, float]]:
    found = []
    for one, other in pairwise(line.points):
        for start, end in pairwise(river.points):
            part = meeting((one, other), (start, end))
            if part is not None:
                angle = math.atan2(other[1] - one[1], other[0] - one[0])
                found.append((between(one, other, part), angle))
    return found


def _sides(over: Crossing, half: float, beside: float) -> list[Segment]:
    """Two lines along a way, `half` to both sides of the middle and so far beside it."""
    along = (math.cos(over.angle), math.sin(over.angle))
    x, y = over.at
    return [
        (
            (x - half * along[0] - side * along[1], y - half * along[1] + side * along[0]),
            (x + half * along[0] - side * along[1], y + half * along[1] + side * along[0]),
        )
        for side in (-beside, beside)
    ]


def draw_bridge(over: Crossing, canvas: Canvas) -> str:
    """The way over the water between two parapets with splayed ends."""
    look = canvas.look
    half = over.river / 2 + canvas.mm(0.55)
    beside = over.way / 2 + canvas.mm(0.1)
    parapets = _sides(over, half, beside)
    (a, b), (c, d) = parapets
    deck = path(lines_path([a, b, d, c], closed=True), fill="#ffffff") if over.bare else ""
    wings: list[Segment] = []
    for (start, end), outward in zip(parapets, (-1, 1), strict=True):
        for point, sign in ((start, -1), (end, 1)):
            turn = over.angle + sign * outward * math.pi / 4
            reach = sign * canvas.mm(0.75)
            wings.append(
                (point, (point[0] + reach * math.cos(turn), point[1] + reach * math.sin(turn)))
            )
    return deck + path(
        segments_path([*parapets, *wings]),
        stroke=look.dark("ink"),
        width=canvas.mm(0.34),
        cap="round",
    )


def draw_ford(over: Crossing, canvas: Canvas) -> str:
    """Open water between two rows of dots."""
    look = canvas.look
    half = over.river / 2 + canvas.mm(0.5)
    (a, b), (c, d) = _sides(over, half, over.way / 2 + canvas.mm(0.25))
    patch = path(lines_path([a, b, d, c], closed=True), fill=look.tint("water"))
    dots = []
    for start, end in ((a, b), (c, d)):
        count = max(3, round(math.dist(start, end) / canvas.mm(0.62)))
        dots += [
            circle_path(between(start, end, number / (count - 1)), canvas.mm(0.19))
            for number in range(count)
        ]
    return patch + path("".join(dots), fill=look.dark("ink"))
