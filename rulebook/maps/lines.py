"""Roads, railways, fences, walls and hedges, and all water -> what is drawn of them.

A river is narrow where it rises on the map and as wide as it is told where it leaves it or ends in
other water; the author's line runs downstream.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulebook.maps.areas import area_of
from rulebook.maps.canvas import Canvas, circle_path, curve_path, lines_path, path, segments_path
from rulebook.maps.features import Shape
from rulebook.maps.geometry import (
    Box,
    Point,
    Segment,
    Track,
    between,
    flattened,
    is_inside,
    meeting,
    ribbon,
)
from rulebook.maps.land import drawn, seed_of

_CASING = 0.2
_SLEEPERS_APART, _RAIL = 1.5, 0.42


def draw_roads(roads: Sequence[Shape], canvas: Canvas, *, ends: str = "round") -> str:
    """The edges of all roads and tracks, then what lies between them, so that junctions are open.

    Tracks have broken edges, and lie below roads. `ends` butt are left open, as of a sample.
    """
    look = canvas.look
    ordered = sorted(roads, key=lambda road: road.kind == "road")
    edges, ground = [], []
    for road in ordered:
        d = curve_path(road.pieces)
        edge = canvas.mm(_CASING if road.kind == "road" else 0.18)
        dash = () if road.kind == "road" else (canvas.mm(1.1), canvas.mm(0.65))
        edges.append(
            path(
                d,
                stroke=look.colour("casing"),
                width=road.width + 2 * edge,
                dash=dash,
                cap="butt" if dash else ends,
            )
        )
        ground.append(path(d, stroke="#ffffff", width=road.width, cap=ends))
    return "".join([*edges, *ground])


def draw_railways(railways: Sequence[Shape], canvas: Canvas) -> str:
    """A strong line with sleepers across it."""
    drawn = []
    for railway in railways:
        track = railway.track
        half = max(railway.width / 2, canvas.mm(0.6))
        sleepers = [
            (track.beside(way, -half), track.beside(way, half))
            for way in track.steps(canvas.mm(_SLEEPERS_APART))
        ]
        drawn += [
            canvas.path(curve_path(railway.pieces), stroke="ink", width=_RAIL),
            canvas.path(segments_path(sleepers), stroke="ink", width=0.24),
        ]
    return "".join(drawn)


_FENCE_RAIL, _FENCE_SIDE = 1.25, 0.42
_STONE, _BUSH = 0.8, 0.85


def draw_fence(shape: Shape, canvas: Canvas) -> str:
    """Rails laid in a zigzag, with a post where two meet."""
    track = shape.track
    steps = list(track.steps(canvas.mm(_FENCE_RAIL)))
    corners = [
        track.beside(way, canvas.mm(_FENCE_SIDE) * (1 if number % 2 else -1))
        for number, way in enumerate(steps)
    ]
    if len(corners) < 2:
        return ""
    posts = "".join(circle_path(corner, canvas.mm(0.17)) for corner in corners)
    rails = canvas.path(lines_path(corners, places=2), stroke="casing", width=0.2)
    return rails + canvas.path(posts, fill="casing")


def draw_wall(shape: Shape, canvas: Canvas) -> str:
    """Stones side by side."""
    track, seed, stones = shape.track, seed_of(shape.name), []
    for number, (start, end) in enumerate(pairwise(track.steps(canvas.mm(_STONE)))):
        high = canvas.mm(0.34) * (0.85 + 0.3 * drawn(seed, number))
        room = 0.06 * (end - start)
        left, right = start + room, end - room
        corners = ((left, -high), (right, -high), (right, high), (left, high))
        stones.append(lines_path([track.beside(*one) for one in corners], closed=True, places=2))
    return canvas.path("".join(stones), fill="rough", stroke="ink", width=0.17)


def draw_hedge(shape: Shape, canvas: Canvas) -> str:
    """Bushes that touch each other."""
    track, seed = shape.track, seed_of(shape.name)
    bushes = [
        circle_path(track.at(way)[0], canvas.mm(0.46) * (0.8 + 0.45 * drawn(seed, number)))
        for number, way in enumerate(track.steps(canvas.mm(_BUSH)))
    ]
    return canvas.path("".join(bushes), fill="canopy", stroke="leaf", width=0.18)


#: How wide a river is where it rises, as a part of its width, and over what part it widens.
_SOURCE, _WIDENS = 0.3, 0.6
_BANK, _BANK_SMALL = 0.22, 0.16
#: Narrower water is a line, mm times the grain.
_NARROW = 1.3
#: From the shore of a lake to its water lines, mm times the grain.
_RIPPLES = (0.55, 1.25, 2.15, 3.3)


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


def rises(river: Shape, waters: Sequence[Shape], room: Box) -> bool:
    """Whether a river begins within the map, and not in other water."""
    x, y = start = river.points[0]
    left, top, right, bottom = room
    if min(x - left, right - x, y - top, bottom - y) <= river.width / 2:
        return False
    return not any(
        is_inside(start, [water.points])
        if water.is_area
        else water.name != river.name and water.is_near(start, river.width)
        for water in waters
    )


def draw_waters(waters: Sequence[Shape], room: Box, canvas: Canvas) -> str:
    """All banks and shores, then all water, so that rivers run into each other and into lakes."""
    lakes = [lake for lake in waters if lake.is_area and len(lake.points) > 2]
    outlines = [
        (river, river_outline(river, rises=rises(river, waters, room)))
        for river in waters
        if river.is_line and len(river.track.points) > 1
    ]
    shores = [curve_path(lake.pieces, closed=True) for lake in lakes]
    drawn, water = [], []
    for river, outline in outlines:
        d, bank = lines_path(outline, closed=True), _BANK if river.kind == "river" else _BANK_SMALL
        drawn.append(canvas.path(d, fill="shore", stroke="shore", width=2 * bank))
        wide = river.width >= canvas.mm(_NARROW)
        water.append(canvas.path(d, fill="water" if wide else "shore"))
    drawn += [canvas.path(d, fill="shore", stroke="shore", width=0.36) for d in shores]
    drawn += [*water, *(_current(river, canvas) for river, _ in outlines)]
    drawn += [canvas.path(d, fill="water") for d in shores]
    return "".join([*drawn, *(_ripples(lake, canvas) for lake in lakes)])


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
    return canvas.path(d, stroke="shore", width=0.12, dash=(3.4, 1.2, 1.2, 1.2))


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
            d = canvas.broken(ring) or curve_path(pieces, closed=True)
            drawn.append(canvas.path(d, stroke="ripple", width=0.18 - 0.03 * number))
    return "".join(drawn)


def crossing(river: Shape, at: Point, ways: Sequence[Shape], usual: float) -> Crossing:
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
    half = over.river / 2 + canvas.mm(0.55)
    beside = over.way / 2 + canvas.mm(0.1)
    parapets = _sides(over, half, beside)
    (a, b), (c, d) = parapets
    deck = canvas.path(lines_path([a, b, d, c], closed=True), fill="white") if over.bare else ""
    wings: list[Segment] = []
    for (start, end), outward in zip(parapets, (-1, 1), strict=True):
        for point, sign in ((start, -1), (end, 1)):
            turn = over.angle + sign * outward * math.pi / 4
            reach = sign * canvas.mm(0.75)
            wings.append(
                (point, (point[0] + reach * math.cos(turn), point[1] + reach * math.sin(turn)))
            )
    drawn = segments_path([*parapets, *wings])
    return deck + canvas.path(drawn, stroke="ink", width=0.34, cap="round")


def draw_ford(over: Crossing, canvas: Canvas) -> str:
    """Open water between two rows of dots."""
    half = over.river / 2 + canvas.mm(0.5)
    (a, b), (c, d) = _sides(over, half, over.way / 2 + canvas.mm(0.25))
    patch = canvas.path(lines_path([a, b, d, c], closed=True), fill="water")
    dots = []
    for start, end in ((a, b), (c, d)):
        count = max(3, round(math.dist(start, end) / canvas.mm(0.62)))
        dots += [
            circle_path(between(start, end, number / (count - 1)), canvas.mm(0.19))
            for number in range(count)
        ]
    return patch + canvas.path("".join(dots), fill="ink")
