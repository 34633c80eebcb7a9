"""Hills -> tints by height, contours, and hachures that run down their slopes.

Hachures are those of Lehmann (1799): strokes down the slope from contour to contour. They tell high
from low without colour, and stop where trees, roads or names stand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rulebook.maps.canvas import Canvas
from rulebook.maps.contours import net_of, thinned
from rulebook.maps.curves import Piece, flattened, smooth
from rulebook.maps.elements import curve_path, path, segments_path
from rulebook.maps.geometry import Point, Segment, Track, between, is_inside, signed_area
from rulebook.maps.shaping import Shape

#: No slope is wider than so many inches of the table; a large hill is flat on its top.
WIDEST_SLOPE = 3.0
#: How much of a slope is left flat at the top, as a part of its width.
_TOP = 0.7
_PITCH, _LEAST_SLOPE = 0.62, 0.7
_HIGHEST_TINT = 6
#: A hill that is less deep than so many meshes of its net has no levels.
_LEAST_MESHES = 1.5
_LENGTHS = (0.92, 0.55, 0.78, 0.5)


def slope_of(points: Sequence[Point], count: int, widest: float) -> float:
    """How wide each slope of a hill of so many levels is, and no wider than `widest`.

    0 for a hill so thin that the lines of its levels would be no more than bits.
    """
    net = net_of(tuple(points))
    return (
        min(net.deepest / (count + _TOP), widest)
        if net.deepest >= _LEAST_MESHES * net.mesh
        else 0.0
    )


def levels(points: Sequence[Point], count: int, widest: float) -> list[list[list[Piece]]]:
    """The outlines of each level above the foot of a hill, and of its flat top, from the lowest.

    A hill too thin for them is flat: the lists are empty.
    """
    return _levels(tuple(points), count, widest)


@lru_cache(maxsize=32)
def _levels(points: tuple[Point, ...], count: int, widest: float) -> list[list[list[Piece]]]:
    """The same, kept: a hill asks for its strokes, and once more for its lines."""
    net, slope = net_of(points), slope_of(points, count, widest)
    if not slope:
        return [[] for _ in range(count)]
    lines = (
        [thinned(line, 1.5 * net.mesh) for line in net.lines(level * slope)]
        for level in range(1, count + 1)
    )
    smoothed = ([smooth(line, closed=True) for line in level] for level in lines)
    return [[pieces for pieces in level if pieces] for level in smoothed]


def _rings(shape: Shape, canvas: Canvas) -> tuple[list[list[list[Piece]]], float]:
    """The foot of a hill, its levels and its top; and how wide a slope is."""
    count, widest = shape.feature.contours, WIDEST_SLOPE * canvas.inch
    rings = [[list(shape.pieces)], *levels(shape.points, count, widest)]
    return rings, slope_of(shape.points, count, widest)


def draw_hill(shape: Shape, canvas: Canvas) -> str:
    """Every level a tint darker, and strokes down to the level below."""
    look = canvas.look
    rings, slope = _rings(shape, canvas)
    drawn = []
    for level, lines in enumerate(rings[:-1], 1):
        fill = look.tint(f"hill-{min(level, _HIGHEST_TINT)}")
        drawn += [path(curve_path(line, closed=True), fill=fill) for line in lines]
    strokes = [
        stroke
        for lines in rings[1:]
        for line in lines
        for stroke in _hachures(flattened(line, closed=True), slope, canvas)
    ]
    stroke = look.dark("relief")
    drawn.append(path(segments_path(strokes), stroke=stroke, width=canvas.mm(0.15), cap="round"))
    return "".join(drawn)


def draw_contours(shape: Shape, canvas: Canvas) -> str:
    """The lines of a hill, over the colour of its woods, broken at names."""
    drawn = []
    for level, lines in enumerate(_rings(shape, canvas)[0][:-1]):
        width = canvas.mm(0.26 if level == 0 else 0.2)
        for line in lines:
            d = canvas.broken(flattened(line, closed=True)) or curve_path(line, closed=True)
            drawn.append(path(d, stroke=canvas.look.dark("relief"), width=width))
    return "".join(drawn)


def _hachures(ring: Sequence[Point], slope: float, canvas: Canvas) -> Iterator[Segment]:
    """Strokes outward from a line, some short and some long."""
    if len(ring) < 3 or slope < canvas.mm(_LEAST_SLOPE):
        return
    track = Track.of([*ring, ring[0]])
    outward = 1 if signed_area(ring) < 0 else -1
    steps = list(track.steps(canvas.mm(_PITCH)))[:-1]
    for number, way in enumerate(steps):
        start, angle = track.at(way)
        long = slope * _LENGTHS[number % len(_LENGTHS)]
        x = start[0] - outward * math.sin(angle) * long
        y = start[1] + outward * math.cos(angle) * long
        stroke = (start, (x, y))
        if all(_is_bare(between(start, (x, y), part), canvas) for part in (0.1, 0.6, 1.0)):
            yield stroke


def _is_bare(point: Point, canvas: Canvas) -> bool:
    if not canvas.clearing.is_free(point, canvas.mm(0.15)):
        return False
    return not any(is_inside(point, [ring]) for ring in canvas.covered)
