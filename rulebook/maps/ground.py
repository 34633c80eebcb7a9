"""Areas and lines of a map -> their tints and symbols: hills, woods, towns, roads, water."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, cycle, pairwise
from typing import Any

from rulebook.drawing.elements import Box, Cap, Drawn, Group, Point
from rulebook.maps import geometry
from rulebook.maps.areas import area_of, outside
from rulebook.maps.canvas import (
    Canvas,
    circle_path,
    curve_path,
    joined,
    lines_path,
    pair,
    path,
    segments_path,
)
from rulebook.maps.features import Shape, seed_of
from rulebook.model.map_features import DRAWN_TOGETHER, JITTER, LAYERS, WAYS

_MASK = 2**64 - 1


def drawn(seed: int, *keys: int) -> float:
    """Draws a number from 0 to below 1 by a seed and keys (splitmix64, Steele et al. 2014)."""
    state = seed
    for key in keys:
        state = (state * 0x100000001B3 + key + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        state ^= state >> 31
    return (state >> 11) / 2**53


def scattered(
    ring: geometry.Ring, pitch: float, seed: int, *, jitter: float = JITTER
) -> Iterator[tuple[Point, float]]:
    """Scatters points over the box of a ring, row by row, each with a random number 0 to 1.

    Points are `pitch` apart, and each is moved at random by up to `jitter` of that. The caller
    checks whether a point lies inside the ring, and far enough from it.
    """
    left, top, right, bottom = geometry.box_of(ring)
    high = pitch * math.sqrt(3) / 2
    for row in range(math.floor(top / high), math.ceil(bottom / high) + 1):
        shift = pitch / 2 if row % 2 else 0.0
        for column in range(math.floor(left / pitch) - 1, math.ceil(right / pitch) + 1):
            x = column * pitch + shift + (drawn(seed, row, column, 1) - 0.5) * 2 * jitter * pitch
            y = row * high + (drawn(seed, row, column, 2) - 0.5) * 2 * jitter * pitch
            yield (x, y), drawn(seed, row, column, 3)


_TREE, _ORCHARD_TREE = 0.9, 0.62
#: How much of the colour of woods hides the contours below them.
_SEEN_THROUGH = 0.7
_FURROWS_APART = 0.85
#: How each reed of a tuft leans, and how high it is, in parts of the tuft.
_REEDS = ((-0.55, 0.62), (-0.28, 0.95), (0.0, 1.15), (0.28, 0.95), (0.55, 0.62))


def _standing(shape: Shape, canvas: Canvas) -> list[tuple[Point, float]]:
    """Lists the points where symbols stand free and wholly inside an area, with random numbers."""
    spread = shape.kind.symbols
    if isinstance(spread, str):
        return []
    pitch, room = canvas.mm(spread.apart), canvas.mm(spread.reach)
    tried = list(scattered(shape.points, pitch, seed_of(shape.name), jitter=spread.jitter))
    places = [place for place, _ in tried]
    depths = area_of(shape.points).depths(places)
    free = canvas.clearing.are_free(places, room)
    return [
        place
        for place, depth, is_free in zip(tried, depths, free, strict=True)
        if depth >= room and is_free
    ]


def draw_wood_ground(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws the ground of woods within a dotted line; what lies below shows through."""
    return canvas.path(
        curve_path(shape.pieces, closed=True),
        fill="woods",
        opacity=_SEEN_THROUGH,
        stroke="leaf",
        width=0.2,
        dash=(0.01, 0.5),
        cap="round",
    )


def draw_trees(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws crowns of trees, lit from the upper left, those farther up the page first."""
    trees = _standing(shape, canvas)
    crowns, shades = [], []
    for point, number in sorted(trees, key=lambda tree: (tree[0][1], tree[0][0])):
        radius = canvas.mm(_TREE) * (0.72 + 0.3 * number)
        crowns.append(_crown(point, radius))
        shades.append(_shade(point, radius))
    return canvas.path("".join(crowns), fill="crown", stroke="leaf", width=0.14) + canvas.path(
        "".join(shades), stroke="leaf", width=1.5 * 0.14, cap="round"
    )


Symbols = tuple[list[Point], float]


def symbols_of(shape: Shape, canvas: Canvas) -> Symbols:
    """Returns the middles of an area's symbols, which names hide, and how far they extend, mm.

    If the kind of the area draws no symbols, points all over it are returned.
    """
    symbols = shape.kind.symbols
    if isinstance(symbols, str):
        found: Symbols = _named(symbols)(shape, canvas)
        return found
    return [place for place, _ in _standing(shape, canvas)], canvas.mm(symbols.reach)


def slopes_of(shape: Shape, canvas: Canvas) -> Symbols:
    """Returns the middles of the strokes of a hill, as `symbols_of` does."""
    strokes = _slopes(*_rings(shape, canvas), canvas)
    return [geometry.between(*stroke, 0.5) for stroke in strokes], 0.0


def houses_of(shape: Shape, canvas: Canvas) -> Symbols:
    """Returns the middles of the houses of a town and how far they extend, as `symbols_of` does."""
    return [geometry.centroid(house) for house in _town_houses(shape, canvas)], canvas.mm(0.7)


def _crown(centre: Point, radius: float) -> str:
    """Writes the outline of a tree from above as path data: a ring of bulges."""
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
    """Writes the shade of a tree as path data: a stroke around its lower right."""
    x, y = centre
    strokes = f"M{pair((x + 0.55 * radius, y - 0.05 * radius), 2)}"
    strokes += f"Q{pair((x + 0.6 * radius, y + 0.55 * radius), 2)}"
    strokes += f" {pair((x - 0.05 * radius, y + 0.55 * radius), 2)}"
    return strokes


def draw_orchard(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws trees in rows, each with its shadow."""
    outline = curve_path(shape.pieces, closed=True)
    radius = canvas.mm(_ORCHARD_TREE)
    trees = [point for point, _ in _standing(shape, canvas)]
    shadows = (
        ((x + radius, y + 0.6 * radius), (x + 2 * radius, y + 0.6 * radius)) for x, y in trees
    )
    crowns = "".join(circle_path(tree, radius) for tree in trees)
    return (
        canvas.path(outline, fill="orchard", stroke="leaf", width=0.2)
        + canvas.path(segments_path(shadows), stroke="leaf", width=0.22)
        + canvas.path(crowns, fill="canopy", stroke="leaf", width=0.16)
    )


def draw_field(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws furrows along the longest edge of a field, every second one broken."""
    outline = curve_path(shape.pieces, closed=True)
    furrows: list[geometry.Segment] = []
    if abs(geometry.signed_area(shape.points)) > 0:
        longest = max(geometry.sides(shape.points), key=lambda side: (math.dist(*side), side))
        (x1, y1), (x2, y2) = longest
        angle = math.degrees(math.atan2(y2 - y1, x2 - x1))
        furrows = canvas.off_names(
            geometry.hatching([shape.points], angle, canvas.mm(_FURROWS_APART))
        )
    broken = segments_path(furrows[1::2])
    return (
        canvas.path(outline, fill="field")
        + canvas.path(segments_path(furrows[::2]), stroke="furrow", width=0.13)
        + canvas.path(broken, stroke="furrow", width=0.2, dash=(0.9, 0.7))
        + canvas.path(outline, stroke="furrow", width=0.28)
    )


def _dashed_ground(
    shape: Shape, canvas: Canvas, tint: str, line: str, dash: tuple[float, float]
) -> Drawn:
    """Draws ground without a sharp edge; `dash` is in mm times the grain."""
    outline = curve_path(shape.pieces, closed=True)
    return canvas.path(outline, fill=tint, stroke=line, width=0.16, dash=dash)


def draw_rough(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws rough ground as stones and tussocks: small angles, and dots between them."""
    size = canvas.mm(0.55)
    outline = _dashed_ground(shape, canvas, "rough", "soft", (0.8, 0.5))
    stones, dots = [], []
    for (x, y), number in _standing(shape, canvas):
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


def draw_swamp(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws tufts of reeds, each on a line of water."""
    size = canvas.mm(0.85)
    outline = _dashed_ground(shape, canvas, "swamp", "reed", (1.1, 0.6))
    reeds: list[geometry.Segment] = []
    water: list[geometry.Segment] = []
    for (x, y), number in _standing(shape, canvas):
        half = size * (0.95 + 0.4 * number)
        water.append(((x - half, y), (x + half, y)))
        if number < 0.72:
            for lean, high in _REEDS:
                foot = (x + 0.35 * lean * size, y - 0.08 * size)
                reeds.append((foot, (x + lean * size, y - high * size)))
    return outline + joined(
        canvas.path(segments_path(lines), stroke="reed", width=0.17, cap="round")
        for lines in (water, reeds)
    )


#: Half a street, a house with its yard, and how much of that is house; mm times the grain.
_STREET, _PLOT, _HOUSE = 0.4, 1.9, 0.78
#: A small section has smaller houses, so that it has some rows of them.
_LEAST_PLOT, _ROWS = 1.05, 4
_LEAST_SECTION = 2.5


def sections_of(points: Sequence[Point], count: int) -> list[list[Point]]:
    """Divides an area into `count` parts, each time halving the largest across its length."""
    parts = [list(points)]
    while len(parts) < count:
        largest = max(range(len(parts)), key=lambda index: abs(geometry.signed_area(parts[index])))
        part = parts.pop(largest)
        angle = geometry.main_direction(part)
        centre = geometry.centroid(part)
        halves = [geometry.half_of(part, centre, angle + turn) for turn in (90, -90)]
        if any(len(half) < 3 for half in halves):
            return [*parts, part]
        parts[largest:largest] = halves
    return parts


def draw_town_ground(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws the ground of a town, which lies below its roads."""
    outline, dash = curve_path(shape.pieces, closed=True), (1.4, 0.5, 0.3, 0.5)
    return canvas.path(outline, fill="town", stroke="brick", width=0.22, dash=dash)


def draw_town(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws the sections of a town as blocks of houses, free of roads, streets and names."""
    sections = sections_of(shape.points, shape.feature.sections or 1)
    houses = [lines_path(house, closed=True, places=2) for house in _town_houses(shape, canvas)]
    edges = [
        lines_path(section, closed=True, places=2) for section in sections if len(sections) > 1
    ]
    drawn = [canvas.path(edge, stroke="brick", width=0.16, dash=(0.5, 0.4)) for edge in edges]
    drawn.append(canvas.path("".join(houses), fill="brick", stroke="ink", width=0.1))
    return joined(drawn)


def _town_houses(shape: Shape, canvas: Canvas) -> Iterator[list[Point]]:
    sections = sections_of(shape.points, shape.feature.sections or 1)
    for number, section in enumerate(sections):
        yield from _houses(section, number, shape, canvas)


def _houses(
    section: Sequence[Point], number: int, shape: Shape, canvas: Canvas
) -> Iterator[list[Point]]:
    """Yields rows of houses in a section, along the town and clear of the streets around."""
    if abs(geometry.signed_area(section)) < canvas.mm(_LEAST_SECTION) ** 2:
        return
    seed = seed_of(shape.name)
    turn = geometry.main_direction(shape.points)
    left, top, right, bottom = geometry.box_of(geometry.turned(section, -turn))
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
            house = geometry.turned(
                geometry.quad_of((x - wide, y - deep, x + wide, y + deep)), turn
            )
            if drawn(seed, number, row, column) < 0.9 and _stands(house, section, street, canvas):
                yield house


def _stands(
    house: Sequence[Point],
    section: Sequence[Point],
    street: float,
    canvas: Canvas,
) -> bool:
    places = [*house, geometry.centroid(house)]
    return min(area_of(tuple(section)).depths(places)) >= street and all(
        canvas.clearing.are_free(places, canvas.mm(0.15))
    )


def draw_building(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws the filled plan of a building, its sections divided by light lines."""
    outline = curve_path(shape.pieces, closed=True)
    plan = canvas.path(outline, fill="brick", stroke="ink", width=0.2)
    sections = sections_of(shape.points, shape.feature.sections or 1)
    if len(sections) == 1:
        return plan
    parted = "".join(lines_path(section, closed=True, places=2) for section in sections)
    return plan + canvas.path(parted, stroke="white", width=0.22)


#: No slope is wider than so many inches of the table; a large hill is flat on its top.
WIDEST_SLOPE = 3.0
#: By how much a line leaves its depth, as a part of a slope: two of them never meet.
_SWAY = 0.3
#: How much of a slope is left flat at the top, as a part of its width.
_TOP = 0.7
_PITCH, _LEAST_SLOPE = 0.62, 0.7
_HIGHEST_TINT = 6
#: A hill that is less deep has no levels: as a part of how far the points of a curve are apart.
_LEAST_DEPTH = 0.75
_LENGTHS = (0.92, 0.55, 0.78, 0.5)


@lru_cache(maxsize=32)
def levels(
    points: tuple[Point, ...], count: int, widest: float, seed: int = 0
) -> tuple[list[list[list[geometry.Piece]]], float]:
    """Computes the outlines of each level of a hill above its foot, the flat top being the last.

    Also returns the width of each slope, at most `widest`. The lines deviate from their places at
    random by the `seed`, so that slopes differ in width. A hill too thin for such lines is flat:
    the lists are empty, and the width is 0.
    """
    area = area_of(points)
    thin = not area.deepest or area.deepest < _LEAST_DEPTH * area.apart
    slope = 0.0 if thin else min(area.deepest / (count + _TOP), widest)
    lines = [
        area.curves(level * slope, _SWAY * slope, seed) if slope else []
        for level in range(1, count + 1)
    ]
    return lines, slope


def _rings(shape: Shape, canvas: Canvas) -> tuple[list[list[list[geometry.Piece]]], float]:
    """Returns the outlines of a hill from its foot to its flat top, and the width of a slope."""
    seed, widest = seed_of(shape.name), WIDEST_SLOPE * canvas.inch
    above, slope = levels(shape.points, shape.feature.contours, widest, seed)
    return [[list(shape.pieces)], *above], slope


def contours(shape: Shape, canvas: Canvas) -> Iterator[list[Point]]:
    """Yields the contours of a hill, from its foot up, as rings of points."""
    for lines in _rings(shape, canvas)[0][:-1]:
        yield from (geometry.flattened(line, closed=True) for line in lines)


def draw_hill(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws every level of a hill a tint darker, with strokes down to the level below."""
    rings, slope = _rings(shape, canvas)
    drawn = []
    for level, lines in enumerate(rings[:-1], 1):
        fill = f"hill-{min(level, _HIGHEST_TINT)}"
        drawn += [canvas.path(curve_path(line, closed=True), fill=fill) for line in lines]
    strokes = canvas.off_names(_slopes(rings, slope, canvas))
    drawn.append(canvas.path(segments_path(strokes), stroke="relief", width=0.15, cap="round"))
    return joined(drawn)


def _slopes(
    rings: list[list[list[geometry.Piece]]], slope: float, canvas: Canvas
) -> list[geometry.Segment]:
    return [
        stroke
        for lines in rings[1:]
        for line in lines
        for stroke in _hachures(geometry.flattened(line, closed=True), slope, canvas)
    ]


def draw_contours(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws the contours of a hill, above the tint of its woods, broken at names."""
    drawn = []
    for level, lines in enumerate(_rings(shape, canvas)[0][:-1]):
        width = 0.26 if level == 0 else 0.2
        for line in lines:
            d = canvas.broken(geometry.flattened(line, closed=True)) or curve_path(
                line, closed=True
            )
            drawn.append(canvas.path(d, stroke="relief", width=width))
    return joined(drawn)


def _hachures(ring: Sequence[Point], slope: float, canvas: Canvas) -> list[geometry.Segment]:
    """Returns strokes down a slope from a contour, `slope` mm wide, long and short in turn."""
    if len(ring) < 3 or slope < canvas.mm(_LEAST_SLOPE):
        return []
    track = geometry.MeasuredLine.from_points([*ring, ring[0]])
    outward = 1 if geometry.signed_area(ring) < 0 else -1
    steps = list(track.steps(canvas.mm(_PITCH)))[:-1]
    strokes: list[geometry.Segment] = []
    for number, way in enumerate(steps):
        start, angle = track.at(way)
        long = slope * _LENGTHS[number % len(_LENGTHS)]
        x = start[0] - outward * math.sin(angle) * long
        y = start[1] + outward * math.cos(angle) * long
        strokes.append((start, (x, y)))
    bare = [True] * len(strokes)
    for part in (0.1, 0.6, 1.0):
        places = [geometry.between(*stroke, part) for stroke in strokes]
        free = canvas.clearing.are_free(places, canvas.mm(0.15))
        bare = [*map(all, zip(bare, free, canvas.covered.are_free(places, 0.0), strict=True))]
    return [*compress(strokes, bare)]


_SLEEPERS_APART, _RAIL = 1.5, 0.42


def draw_roads(roads: Sequence[Shape], canvas: Canvas) -> Drawn:
    """Draws the edges of all roads and tracks, then what lies between, so that junctions are open.

    Tracks have broken edges and lie below roads. In a sample, the ends of roads are left open.
    """
    look = canvas.look
    ends: Cap = "round" if canvas.room else "butt"
    ordered = sorted(roads, key=lambda road: not road.kind.broken)
    edges, ground = [], []
    for road in ordered:
        d = curve_path(road.pieces)
        edge = canvas.mm(road.kind.edge)
        dash = (canvas.mm(1.1), canvas.mm(0.65)) if road.kind.broken else ()
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
    return joined([*edges, *ground])


def draw_railways(railways: Sequence[Shape], canvas: Canvas) -> Drawn:
    """Draws railways as strong lines with sleepers across."""
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
    return joined(drawn)


_FENCE_RAIL, _FENCE_SIDE = 1.25, 0.42
_STONE, _BUSH = 0.8, 0.85


def draw_fence(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws a fence as rails laid in a zigzag, with a post where two meet."""
    track = shape.track
    steps = list(track.steps(canvas.mm(_FENCE_RAIL)))
    corners = [
        track.beside(way, canvas.mm(_FENCE_SIDE) * (1 if number % 2 else -1))
        for number, way in enumerate(steps)
    ]
    if len(corners) < 2:
        return ()
    posts = "".join(circle_path(corner, canvas.mm(0.17)) for corner in corners)
    rails = canvas.path(lines_path(corners, places=2), stroke="casing", width=0.2)
    return rails + canvas.path(posts, fill="casing")


def draw_wall(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws a wall as stones side by side."""
    track, seed, stones = shape.track, seed_of(shape.name), []
    for number, (start, end) in enumerate(pairwise(track.steps(canvas.mm(_STONE)))):
        high = canvas.mm(0.34) * (0.85 + 0.3 * drawn(seed, number))
        room = 0.06 * (end - start)
        left, right = start + room, end - room
        corners = ((left, -high), (right, -high), (right, high), (left, high))
        stones.append(
            lines_path([track.beside(*corner) for corner in corners], closed=True, places=2)
        )
    return canvas.path("".join(stones), fill="rough", stroke="ink", width=0.17)


def draw_hedge(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws a hedge as bushes that touch each other."""
    track, seed = shape.track, seed_of(shape.name)
    bushes = [
        circle_path(track.at(way)[0], canvas.mm(0.46) * (0.8 + 0.45 * drawn(seed, number)))
        for number, way in enumerate(track.steps(canvas.mm(_BUSH)))
    ]
    return canvas.path("".join(bushes), fill="canopy", stroke="leaf", width=0.18)


#: How wide a river is where it rises, as a part of its width, and over what part it widens.
_SOURCE, _WIDENS = 0.3, 0.6
#: Narrower water is a line, mm times the grain.
_NARROW = 1.3
#: From the shore of a lake to its water lines, mm times the grain.
_RIPPLES = (0.55, 1.25, 2.15, 3.3)


#: Radii of the stones along a ford, mm.
_STONES = (0.24, 0.15, 0.2)


@dataclass(frozen=True, slots=True)
class Crossing:
    """A ford or bridge: its middle, the direction of the way in radians, and both widths in mm.

    The width of the `river` is measured along the way. `bare`: no way is drawn across it.
    """

    of: Shape
    at: Point
    angle: float
    river: float
    way: float
    bare: bool = False

    def off(self, point: Point) -> float:
        """Returns the distance of a point from the middle line of the way."""
        x, y = point[0] - self.at[0], point[1] - self.at[1]
        return abs(y * math.cos(self.angle) - x * math.sin(self.angle))


def river_outline(shape: Shape, *, rises: bool) -> list[Point]:
    """Returns the outline of a river, which begins narrow if it `rises` on the map."""
    track = shape.track
    return geometry.ribbon(
        track, [_width_at(shape, way / (track.length or 1), rises) for way in track.reached]
    )


def _width_at(shape: Shape, part: float, rises: bool) -> float:
    if not rises:
        return shape.width
    return shape.width * (_SOURCE + (1 - _SOURCE) * min(1.0, part / _WIDENS))


def rises(river: Shape, waters: Sequence[Shape], room: Box) -> bool:
    """Whether a river begins inside the map and not in other water; `room` is the table's box."""
    x, y = start = river.points[0]
    left, top, right, bottom = room
    if min(x - left, right - x, y - top, bottom - y) <= river.width / 2:
        return False
    return not any(
        geometry.is_inside(start, [water.points])
        if water.is_area
        else water.name != river.name and water.is_near(start, river.width)
        for water in waters
    )


def draw_waters(waters: Sequence[Shape], canvas: Canvas) -> Drawn:
    """Draws all banks and shores, then all water, so that rivers and lakes flow into each other.

    In a sample no river rises: it crosses the whole sample.
    """
    room = canvas.room
    lakes = [lake for lake in waters if lake.is_area and len(lake.points) > 2]
    outlines = [
        (river, river_outline(river, rises=room is not None and rises(river, waters, room)))
        for river in waters
        if river.is_line and len(river.track.points) > 1
    ]
    shores = [curve_path(lake.pieces, closed=True) for lake in lakes]
    drawn, water = [], []
    for river, outline in outlines:
        d = lines_path(outline, closed=True)
        drawn.append(canvas.path(d, fill="shore", stroke="shore", width=2 * river.kind.edge))
        wide = river.width >= canvas.mm(_NARROW)
        water.append(canvas.path(d, fill="water" if wide else "shore"))
    drawn += [canvas.path(d, fill="shore", stroke="shore", width=0.36) for d in shores]
    drawn += [*water, *(_current(river, canvas) for river, _ in outlines)]
    drawn += [canvas.path(d, fill="water") for d in shores]
    return joined([*drawn, *(_ripples(lake, canvas) for lake in lakes)])


def _current(river: Shape, canvas: Canvas) -> Drawn:
    """Draws broken lines along a river, so that it is not mistaken for a road."""
    if river.width < canvas.mm(_NARROW):
        return ()
    inner = river.track
    sides = (-0.25, 0.0, 0.25) if river.width > canvas.mm(2.4) else (0.0,)
    lines = [
        [inner.beside(way, side * river.width) for way in inner.reached[:-1]] for side in sides
    ]
    pieces = outside([line for line in lines if len(line) > 1], canvas.names)
    d = "".join(lines_path(piece, places=2) for piece in pieces)
    return canvas.path(d, stroke="shore", width=0.12, dash=(3.4, 1.2, 1.2, 1.2))


def _ripples(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws lines along the shore of a lake, each fainter than the one before."""
    drawn = []
    area = area_of(shape.points)
    for number, away in enumerate(_RIPPLES):
        depth = canvas.mm(away)
        if depth > 0.85 * area.deepest:
            break
        for pieces in area.curves(depth):
            ring = geometry.flattened(pieces, closed=True)
            d = canvas.broken(ring) or curve_path(pieces, closed=True)
            drawn.append(canvas.path(d, stroke="ripple", width=0.18 - 0.03 * number))
    return joined(drawn)


def crossing(river: Shape, at: Point, ways: Sequence[Shape], usual: float) -> Crossing:
    """Finds the position of a ford or bridge near `at`: where the nearest way crosses the river.

    If no way is near, it leads straight over the river, and is `usual` mm wide.
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
        return Crossing(river, middle, current + math.pi / 2, river.width, usual, bare=True)
    _, point, angle, width = best
    sine = abs(math.sin(angle - track.at(track.nearest(point)[1])[1]))
    return Crossing(river, point, angle, river.width / max(sine, 0.5), width)


def _met(line: geometry.MeasuredLine, river: geometry.MeasuredLine) -> list[tuple[Point, float]]:
    found = []
    for here, there in pairwise(line.points):
        for start, end in pairwise(river.points):
            part = geometry.meeting((here, there), (start, end))
            if part is not None:
                angle = math.atan2(there[1] - here[1], there[0] - here[0])
                found.append((geometry.between(here, there, part), angle))
    return found


def _sides(over: Crossing, half: float, beside: float) -> list[geometry.Segment]:
    """Returns the two edges of a way across a river, each `beside` mm from its middle line.

    They extend `half` mm to both sides of the middle of the crossing.
    """
    along = (math.cos(over.angle), math.sin(over.angle))
    x, y = over.at
    return [
        (
            (x - half * along[0] - side * along[1], y - half * along[1] + side * along[0]),
            (x + half * along[0] - side * along[1], y + half * along[1] + side * along[0]),
        )
        for side in (-beside, beside)
    ]


def crossings_of(shapes: Sequence[Shape], canvas: Canvas) -> Iterator[tuple[str, Crossing]]:
    """Yields the fords and bridges of a map, each with its key: `fords` or `bridges`."""
    ways = [shape for shape in shapes if shape.feature.draw in WAYS]
    for river in shapes:
        if river.is_line:
            for key, at in river.crossings:
                yield key, crossing(river, at, ways, 0.9 * canvas.mm(1.6))


def crossing_quads(shapes: Sequence[Shape], canvas: Canvas) -> Iterator[geometry.Quad]:
    """Yields the quads that fords and bridges cover on a map."""
    for _, over in crossings_of(shapes, canvas):
        long, wide = over.river / 2 + canvas.mm(1.3), over.way / 2 + canvas.mm(0.8)
        angle = math.degrees(over.angle)
        yield geometry.turned_quad(over.at, (-long, -wide, long, wide), angle)


def draw_bridge(over: Crossing, canvas: Canvas) -> Drawn:
    """Draws a bridge: the way over the water between two parapets with splayed ends."""
    half = over.river / 2 + canvas.mm(0.55)
    beside = over.way / 2 + canvas.mm(0.1)
    parapets = _sides(over, half, beside)
    (a, b), (c, d) = parapets
    deck = canvas.path(lines_path([a, b, d, c], closed=True), fill="white") if over.bare else ()
    wings: list[geometry.Segment] = []
    for (start, end), outward in zip(parapets, (-1, 1), strict=True):
        for point, sign in ((start, -1), (end, 1)):
            turn = over.angle + sign * outward * math.pi / 4
            reach = sign * canvas.mm(0.75)
            wings.append(
                (point, (point[0] + reach * math.cos(turn), point[1] + reach * math.sin(turn)))
            )
    drawn = segments_path([*parapets, *wings])
    return deck + canvas.path(drawn, stroke="ink", width=0.34, cap="round")


def draw_ford(over: Crossing, canvas: Canvas) -> Drawn:
    """Draws a ford: open water that keeps the bends of its river, between two rows of stones."""
    track, half, beside = over.of.track, over.of.width / 2, over.way / 2 + canvas.mm(0.25)
    # Askew, one bank meets the way sooner than the middle of the river does.
    askew = math.sqrt(max(0.0, (over.river / 2) ** 2 - half**2))
    here = [
        way
        for way in track.steps(canvas.mm(0.25))
        if over.off(track.at(way)[0]) < beside + askew
        and math.dist(track.at(way)[0], over.at) < 2 * (beside + over.river)
    ]
    left, right = ([track.beside(way, side) for way in here] for side in (-half, half))
    bank = 2 * over.of.kind.edge
    shores = joined(
        canvas.path(lines_path(line), stroke="shore", width=bank) for line in (left, right)
    )
    water = canvas.path(lines_path([*left, *reversed(right)], closed=True), fill="water")
    stones = [
        circle_path(at, canvas.mm(radius))
        for line in map(geometry.MeasuredLine.from_points, _sides(over, over.river, beside))
        for way, radius in zip(line.steps(canvas.mm(0.62)), cycle(_STONES), strict=False)
        for at in [line.at(way)[0]]
        if track.nearest(at)[0] < half + canvas.mm(0.5)
    ]
    return shores + water + canvas.path("".join(stones), fill="ink")


def draw_point(shape: Shape, canvas: Canvas) -> Drawn:
    """Draws a point symbol: a ring with a dot."""
    at = shape.points[0]
    ring = circle_path(at, canvas.mm(0.75))
    return canvas.path(ring, fill="white", stroke="ink", width=0.28) + canvas.path(
        circle_path(at, canvas.mm(0.25)), fill="ink"
    )


def _named(picture: str) -> Callable[..., Any]:
    """Returns the function of this module whose name the kind of a feature states."""
    function: Callable[..., Any] = globals()[picture]
    return function


def draw_ground(shapes: Sequence[Shape], canvas: Canvas) -> Iterator[Group]:
    """Draws all features of a map, from the lowest layer up, each as its kind demands.

    Yields a group for each feature, or for a layer whose features are drawn together.
    """
    for layer in LAYERS:
        if layer == "crossings":
            draw = {"fords": draw_ford, "bridges": draw_bridge}
            found = (draw[key](over, canvas) for key, over in crossings_of(shapes, canvas))
            yield Group(joined(found), layer)
            continue
        there = [shape for shape in shapes if layer in shape.kind.layers]
        if layer in DRAWN_TOGETHER and there:
            picture = dict(there[0].kind.pictures)[layer]
            yield Group(_named(picture)(there, canvas), layer)
            continue
        for shape in there:
            if len(shape.points) > 1 or shape.kind.outline == "point":
                picture = dict(shape.kind.pictures)[layer]
                yield Group(_named(picture)(shape, canvas), shape.feature.draw, shape.name)
