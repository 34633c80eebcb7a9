"""Hills, woods, fields, towns: the areas of a map -> their tints and symbols.

Hachures on hills are those of Lehmann (1799): strokes down the slope from contour to contour. They
tell high from low without colour, and stop where trees, roads or names stand. Symbols stand on a
lattice of triangles, each moved a little by a number drawn from the id of the feature and the place
in the lattice: even as blue noise is, without rows that the eye finds. Nothing here is random.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import compress

from rulebook.maps.areas import area_of
from rulebook.maps.canvas import (
    Canvas,
    circle_path,
    curve_path,
    lines_path,
    pair,
    segments_path,
)
from rulebook.maps.features import Shape
from rulebook.maps.geometry import (
    Piece,
    Point,
    Ring,
    Segment,
    Track,
    between,
    box_of,
    centroid,
    distance,
    flattened,
    half_of,
    hatching,
    main_direction,
    quad_of,
    sides,
    signed_area,
    turned,
)

_MASK = 2**64 - 1
#: How far a place is moved, as a part of the pitch.
JITTER = 0.32


def seed_of(name: str) -> int:
    return zlib.crc32(name.encode("utf-8"))


def drawn(seed: int, *keys: int) -> float:
    """A number from 0 to below 1 for a seed and some keys (splitmix64, Steele et al. 2014)."""
    state = seed
    for key in keys:
        state = (state * 0x100000001B3 + key + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        state ^= state >> 31
    return (state >> 11) / 2**53


def scattered(
    ring: Ring, pitch: float, seed: int, *, jitter: float = JITTER
) -> Iterator[tuple[Point, float]]:
    """Places in the box of a ring, row by row from the top, each with a number from 0 to 1.

    Whether a place is inside, and far enough from the outline, the caller asks.
    """
    left, top, right, bottom = box_of(ring)
    high = pitch * math.sqrt(3) / 2
    for row in range(math.floor(top / high), math.ceil(bottom / high) + 1):
        shift = pitch / 2 if row % 2 else 0.0
        for column in range(math.floor(left / pitch) - 1, math.ceil(right / pitch) + 1):
            x = column * pitch + shift + (drawn(seed, row, column, 1) - 0.5) * 2 * jitter * pitch
            y = row * high + (drawn(seed, row, column, 2) - 0.5) * 2 * jitter * pitch
            yield (x, y), drawn(seed, row, column, 3)


_TREE, _TREES_APART = 0.9, 1.9
_ORCHARD_TREE, _ORCHARD_APART = 0.62, 2.4
#: How much of the colour of woods hides the contours below them.
_SEEN_THROUGH = 0.7
_FURROWS_APART = 0.85
_TUFTS_APART, _STONES_APART = 2.7, 2.3
#: How each reed of a tuft leans, and how high it is, in parts of the tuft.
_REEDS = ((-0.55, 0.62), (-0.28, 0.95), (0.0, 1.15), (0.28, 0.95), (0.55, 0.62))


def _standing(
    shape: Shape, canvas: Canvas, apart: float, reach: float, jitter: float = 0.32
) -> list[tuple[Point, float]]:
    """Where symbols stand wholly inside an area and on free ground."""
    pitch, room = canvas.mm(apart), canvas.mm(reach)
    tried = list(scattered(shape.points, pitch, seed_of(shape.name), jitter=jitter))
    places = [place for place, _ in tried]
    depths = area_of(shape.points).depths(places)
    free = canvas.clearing.are_free(places, room)
    return [
        one
        for one, depth, is_free in zip(tried, depths, free, strict=True)
        if depth >= room and is_free
    ]


def draw_wood_ground(shape: Shape, canvas: Canvas) -> str:
    """The ground of woods within a dotted line; what lies below is seen through it."""
    return canvas.path(
        curve_path(shape.pieces, closed=True),
        fill="woods",
        opacity=_SEEN_THROUGH,
        stroke="leaf",
        width=0.2,
        dash=(0.01, 0.5),
        cap="round",
    )


def draw_trees(shape: Shape, canvas: Canvas) -> str:
    """Crowns of trees, lit from the upper left, those behind drawn first."""
    trees = _standing(shape, canvas, _TREES_APART, 0.95 * _TREE)
    crowns, shades = [], []
    for point, number in sorted(trees, key=lambda tree: (tree[0][1], tree[0][0])):
        radius = canvas.mm(_TREE) * (0.72 + 0.3 * number)
        crowns.append(_crown(point, radius))
        shades.append(_shade(point, radius))
    return canvas.path("".join(crowns), fill="crown", stroke="leaf", width=0.14) + canvas.path(
        "".join(shades), stroke="leaf", width=1.5 * 0.14, cap="round"
    )


def _crown(centre: Point, radius: float) -> str:
    """The outline of a tree from above: a ring of bulges."""
    x, y = centre
    bulges = 5
    corners = []
    for bulge in range(bulges):
        angle = 2 * math.pi * bulge / bulges - 1.2
        corners.append((x + 0.82 * radius * math.cos(angle), y + 0.82 * radius * math.sin(angle)))
    pieces = [f"M{pair(corners[0], 2)}"]
    for bulge, end in enumerate([*corners[1:], corners[0]]):
        angle = 2 * math.pi * (bulge + 0.5) / bulges - 1.2
        peak = (x + 1.32 * radius * math.cos(angle), y + 1.32 * radius * math.sin(angle))
        pieces.append(f"Q{pair(peak, 2)} {pair(end, 2)}")
    return "".join(pieces) + "Z"


def _shade(centre: Point, radius: float) -> str:
    """Two strokes at the lower right."""
    x, y = centre
    one = f"M{pair((x + 0.55 * radius, y - 0.05 * radius), 2)}"
    one += f"Q{pair((x + 0.6 * radius, y + 0.55 * radius), 2)}"
    one += f" {pair((x - 0.05 * radius, y + 0.55 * radius), 2)}"
    return one


def draw_orchard(shape: Shape, canvas: Canvas) -> str:
    """Trees in rows, each with its shadow."""
    outline = curve_path(shape.pieces, closed=True)
    radius = canvas.mm(_ORCHARD_TREE)
    trees = [point for point, _ in _standing(shape, canvas, _ORCHARD_APART, 0.8, jitter=0.0)]
    shadows = (
        ((x + radius, y + 0.6 * radius), (x + 2 * radius, y + 0.6 * radius)) for x, y in trees
    )
    crowns = "".join(circle_path(tree, radius) for tree in trees)
    return (
        canvas.path(outline, fill="orchard", stroke="leaf", width=0.2)
        + canvas.path(segments_path(shadows), stroke="leaf", width=0.22)
        + canvas.path(crowns, fill="canopy", stroke="leaf", width=0.16)
    )


def draw_field(shape: Shape, canvas: Canvas) -> str:
    """Furrows along the longest edge, every third one broken."""
    outline = curve_path(shape.pieces, closed=True)
    furrows: list[Segment] = []
    if abs(signed_area(shape.points)) > 0:
        longest = max(sides(shape.points), key=lambda side: (distance(*side), side))
        (x1, y1), (x2, y2) = longest
        angle = math.degrees(math.atan2(y2 - y1, x2 - x1))
        furrows = canvas.off_names(hatching([shape.points], angle, canvas.mm(_FURROWS_APART)))
    broken = segments_path(furrows[1::2])
    return (
        canvas.path(outline, fill="field")
        + canvas.path(segments_path(furrows[::2]), stroke="furrow", width=0.13)
        + canvas.path(broken, stroke="furrow", width=0.2, dash=(0.9, 0.7))
        + canvas.path(outline, stroke="furrow", width=0.28)
    )


def _dashed_ground(
    shape: Shape, canvas: Canvas, tint: str, line: str, dash: tuple[float, float]
) -> str:
    """Ground without a sharp edge; the dash in mm times the grain."""
    outline = curve_path(shape.pieces, closed=True)
    return canvas.path(outline, fill=tint, stroke=line, width=0.16, dash=dash)


def draw_rough(shape: Shape, canvas: Canvas) -> str:
    """Stones and tussocks: small angles, and dots between them."""
    size = canvas.mm(0.55)
    outline = _dashed_ground(shape, canvas, "rough", "soft", (0.8, 0.5))
    stones, dots = [], []
    for (x, y), number in _standing(shape, canvas, _STONES_APART, 0.7):
        if number < 0.6:
            corners = ((x - size, y + 0.4 * size), (x - 0.2 * size, y - 0.7 * size), (x + size, y))
            stones.append("M" + " ".join(pair(corner, 2) for corner in corners))
        else:
            dots.append(circle_path((x, y), 0.3 * size))
    return (
        outline
        + canvas.path("".join(stones), stroke="soft", width=0.2, cap="round")
        + canvas.path("".join(dots), fill="soft")
    )


def draw_swamp(shape: Shape, canvas: Canvas) -> str:
    """Tufts of reeds, each on a line of water."""
    size = canvas.mm(0.85)
    outline = _dashed_ground(shape, canvas, "swamp", "reed", (1.1, 0.6))
    reeds: list[Segment] = []
    water: list[Segment] = []
    for (x, y), number in _standing(shape, canvas, _TUFTS_APART, 1.0, jitter=0.22):
        half = size * (0.95 + 0.4 * number)
        water.append(((x - half, y), (x + half, y)))
        if number < 0.72:
            for lean, high in _REEDS:
                foot = (x + 0.35 * lean * size, y - 0.08 * size)
                reeds.append((foot, (x + lean * size, y - high * size)))
    return outline + "".join(
        canvas.path(segments_path(lines), stroke="reed", width=0.17, cap="round")
        for lines in (water, reeds)
    )


#: Half a street, a house with its yard, and how much of that is house; mm times the grain.
_STREET, _PLOT, _HOUSE = 0.4, 1.9, 0.78
#: A small section has smaller houses, so that it has some rows of them.
_LEAST_PLOT, _ROWS = 1.05, 4
_LEAST_SECTION = 2.5


def sections_of(points: Sequence[Point], count: int) -> list[list[Point]]:
    """An area cut into so many parts, again and again across the longest of them."""
    parts = [list(points)]
    while len(parts) < count:
        largest = max(range(len(parts)), key=lambda index: abs(signed_area(parts[index])))
        part = parts.pop(largest)
        angle = main_direction(part)
        centre = centroid(part)
        halves = [half_of(part, centre, angle + turn) for turn in (90, -90)]
        if any(len(half) < 3 for half in halves):
            return [*parts, part]
        parts[largest:largest] = halves
    return parts


def draw_town_ground(shape: Shape, canvas: Canvas) -> str:
    """The ground of a town, below its roads."""
    outline, dash = curve_path(shape.pieces, closed=True), (1.4, 0.5, 0.3, 0.5)
    return canvas.path(outline, fill="town", stroke="brick", width=0.22, dash=dash)


def draw_town(shape: Shape, canvas: Canvas) -> str:
    """The sections as blocks of houses, with streets between them, beside roads and names."""
    sections = sections_of(shape.points, shape.feature.sections or 1)
    houses = [
        lines_path(house, closed=True, places=2)
        for number, section in enumerate(sections)
        for house in _houses(section, number, shape, canvas)
    ]
    edges = [lines_path(one, closed=True, places=2) for one in sections if len(sections) > 1]
    drawn = [canvas.path(edge, stroke="brick", width=0.16, dash=(0.5, 0.4)) for edge in edges]
    drawn.append(canvas.path("".join(houses), fill="brick", stroke="ink", width=0.1))
    return "".join(drawn)


def _houses(
    section: Sequence[Point], number: int, shape: Shape, canvas: Canvas
) -> Iterator[list[Point]]:
    """Rows of houses along the main direction of the town, each off the streets around."""
    if abs(signed_area(section)) < canvas.mm(_LEAST_SECTION) ** 2:
        return
    seed = seed_of(shape.name)
    turn = main_direction(shape.points)
    left, top, right, bottom = box_of(turned(section, -turn))
    street = canvas.mm(_STREET)
    room = min(right - left, bottom - top) - 2 * street
    plot = min(canvas.mm(_PLOT), max(canvas.mm(_LEAST_PLOT), room / _ROWS))
    columns, rows = (
        max(1, int((high - low - 2 * street) / plot))
        for low, high in ((left, right), (top, bottom))
    )
    for row in range(rows):
        for column in range(columns):
            size = [
                _HOUSE * (0.8 + 0.4 * drawn(seed, number, row, column, side)) for side in (1, 2)
            ]
            x = left + street + (right - left - 2 * street) * (column + 0.5) / columns
            y = top + street + (bottom - top - 2 * street) * (row + 0.5) / rows
            wide, deep = (plot / 2 * part for part in size)
            house = turned(quad_of((x - wide, y - deep, x + wide, y + deep)), turn)
            if drawn(seed, number, row, column) < 0.9 and _stands(house, section, street, canvas):
                yield house


def _stands(
    house: Sequence[Point], section: Sequence[Point], street: float, canvas: Canvas
) -> bool:
    places = [*house, centroid(house)]
    return min(area_of(tuple(section)).depths(places)) >= street and all(
        canvas.clearing.are_free(places, canvas.mm(0.15))
    )


def draw_building(shape: Shape, canvas: Canvas) -> str:
    """Its plan, filled; its sections parted by light lines."""
    outline = curve_path(shape.pieces, closed=True)
    plan = canvas.path(outline, fill="brick", stroke="ink", width=0.2)
    sections = sections_of(shape.points, shape.feature.sections or 1)
    if len(sections) == 1:
        return plan
    parted = "".join(lines_path(section, closed=True, places=2) for section in sections)
    return plan + canvas.path(parted, stroke="white", width=0.22)


#: No slope is wider than so many inches of the table; a large hill is flat on its top.
WIDEST_SLOPE = 3.0
#: How much of a slope is left flat at the top, as a part of its width.
_TOP = 0.7
_PITCH, _LEAST_SLOPE = 0.62, 0.7
_HIGHEST_TINT = 6
#: A hill that is less deep has no levels: as a part of how far the points of a curve are apart.
_LEAST_DEPTH = 0.75
_LENGTHS = (0.92, 0.55, 0.78, 0.5)


@lru_cache(maxsize=32)
def levels(
    points: tuple[Point, ...], count: int, widest: float
) -> tuple[list[list[list[Piece]]], float]:
    """The outlines of each level above the foot of a hill, and of its flat top, from the lowest.

    And how wide each slope is, no wider than `widest`. A hill so thin that the lines would be no
    more than bits is flat: the lists are empty, and the slope is 0.
    """
    area = area_of(points)
    thin = not area.deepest or area.deepest < _LEAST_DEPTH * area.apart
    slope = 0.0 if thin else min(area.deepest / (count + _TOP), widest)
    return [area.curves(level * slope) if slope else [] for level in range(1, count + 1)], slope


def _rings(shape: Shape, canvas: Canvas) -> tuple[list[list[list[Piece]]], float]:
    """The foot of a hill, its levels and its top; and how wide a slope is."""
    above, slope = levels(shape.points, shape.feature.contours, WIDEST_SLOPE * canvas.inch)
    return [[list(shape.pieces)], *above], slope


def draw_hill(shape: Shape, canvas: Canvas) -> str:
    """Every level a tint darker, and strokes down to the level below."""
    rings, slope = _rings(shape, canvas)
    drawn = []
    for level, lines in enumerate(rings[:-1], 1):
        fill = f"hill-{min(level, _HIGHEST_TINT)}"
        drawn += [canvas.path(curve_path(line, closed=True), fill=fill) for line in lines]
    strokes = [
        stroke
        for lines in rings[1:]
        for line in lines
        for stroke in _hachures(flattened(line, closed=True), slope, canvas)
    ]
    drawn.append(canvas.path(segments_path(strokes), stroke="relief", width=0.15, cap="round"))
    return "".join(drawn)


def draw_contours(shape: Shape, canvas: Canvas) -> str:
    """The lines of a hill, over the colour of its woods, broken at names."""
    drawn = []
    for level, lines in enumerate(_rings(shape, canvas)[0][:-1]):
        width = 0.26 if level == 0 else 0.2
        for line in lines:
            d = canvas.broken(flattened(line, closed=True)) or curve_path(line, closed=True)
            drawn.append(canvas.path(d, stroke="relief", width=width))
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
