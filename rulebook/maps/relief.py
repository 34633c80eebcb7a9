"""Hills -> tints by height, contours, and hachures that run down their slopes.

Hachures are those of Lehmann (1799): strokes down the slope from contour to contour. They tell high
from low without colour, and stop where trees, roads or names stand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import compress

from rulebook.maps.areas import area_of
from rulebook.maps.canvas import Canvas
from rulebook.maps.curves import Piece, flattened
from rulebook.maps.elements import curve_path, path, segments_path
from rulebook.maps.geometry import Point, Segment, Track, between, signed_area
from rulebook.maps.shaping import Shape

#: No slope is wider than so many inches of the table; a large hill is flat on its top.
WIDEST_SLOPE = 3.0
#: How much of a slope is left flat at the top, as a part of its width.
_TOP = 0.7
_PITCH, _LEAST_SLOPE = 0.62, 0.7
_HIGHEST_TINT = 6
#: A hill that is less deep has no levels: as a part of how far the points of a curve are apart.
_LEAST_DEPTH = 0.75
_LENGTHS = (0.92, 0.55, 0.78, 0.5)


def slope_of(points: Sequence[Point], count: int, widest: float) -> float:
    """How wide each slope of a hill of so many levels is, and no wider than `widest`.

    0 for a hill so thin that the lines of its levels would be no more than bits.
    """
    area = area_of(tuple(points))
    thin = not area.deepest or area.deepest < _LEAST_DEPTH * area.apart
    return 0.0 if thin else min(area.deepest / (count + _TOP), widest)


def levels(points: Sequence[Point], count: int, widest: float) -> list[list[list[Piece]]]:
    """The outlines of each level above the foot of a hill, and of its flat top, from the lowest.

    A hill too thin for them is flat: the lists are empty.
    """
    return _levels(tuple(points), count, widest)


@lru_cache(maxsize=32)
def _levels(points: tuple[Point, ...], count: int, widest: float) -> list[list[list[Piece]]]:
    """The same, kept: a hill asks for its strokes, and once more for its lines."""
    area, slope = area_of(points), slope_of(points, count, widest)
    return [area.curves(level * slope) if slope else [] for level in range(1, count + 1)]


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


def _hachures(ring: Sequence[Point], slope: float, canvas: Canvas) -> list[Segment]:
    """Strokes outward from a line, some short and some long."""
    if len(ring) < 3 or slope < canvas.mm(_LEAST_SLOPE):
        return []
    track = Track.of([*ring, ring[0]])
    outward = 1 if signed_area(ring) < 0 else -1
    steps = list(track.steps(canvas.mm(_PITCH)))[:-1]
    strokes: list[Segment] = []
    for number, way in enumerate(steps):
        start, angle = track.at(way)
        long = slope * _LENGTHS[number % len(_LENGTHS)]
        x = start[0] - outward * math.sin(angle) * long
        y = start[1] + outward * math.cos(angle) * long
        strokes.append((start, (x, y)))
    bare = [True] * len(strokes)
    for part in (0.1, 0.6, 1.0):
        places = [between(*stroke, part) for stroke in strokes]
        free = canvas.clearing.are_free(places, canvas.mm(0.15))
        bare = [*map(all, zip(bare, free, canvas.covered.are_free(places, 0.0), strict=True))]
    return [*compress(strokes, bare)]
