"""Woods, orchards, fields, rough ground and swamps -> their tints and symbols."""

from __future__ import annotations

import math

from rulebook.maps.areas import area_of
from rulebook.maps.canvas import Canvas
from rulebook.maps.elements import circle_path, curve_path, pair, path, segments_path
from rulebook.maps.geometry import (
    Point,
    Segment,
    distance,
    hatching,
    sides,
    signed_area,
)
from rulebook.maps.scatter import scattered, seed_of
from rulebook.maps.shaping import Shape

_TREE, _TREES_APART = 0.9, 1.9
_ORCHARD_TREE, _ORCHARD_APART = 0.62, 2.4
#: How much of the colour of woods hides the contours below them.
_SEEN_THROUGH = 0.7
_FURROWS_APART = 0.85
_TUFTS_APART, _STONES_APART = 2.7, 2.3


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
    return path(
        curve_path(shape.pieces, closed=True),
        fill=canvas.look.tint("woods"),
        opacity=_SEEN_THROUGH,
        stroke=canvas.look.dark("leaf"),
        width=canvas.mm(0.2),
        dash=(canvas.mm(0.01), canvas.mm(0.5)),
        cap="round",
    )


def draw_trees(shape: Shape, canvas: Canvas) -> str:
    """Crowns of trees, lit from the upper left, those behind drawn first."""
    look = canvas.look
    trees = _standing(shape, canvas, _TREES_APART, 0.95 * _TREE)
    crowns, shades = [], []
    for point, number in sorted(trees, key=lambda tree: (tree[0][1], tree[0][0])):
        radius = canvas.mm(_TREE) * (0.72 + 0.3 * number)
        crowns.append(_crown(point, radius))
        shades.append(_shade(point, radius))
    width = canvas.mm(0.14)
    return path(
        "".join(crowns), fill=look.tint("crown"), stroke=look.dark("leaf"), width=width
    ) + path("".join(shades), stroke=look.dark("leaf"), width=1.5 * width, cap="round")


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
    look = canvas.look
    drawn = [
        path(
            curve_path(shape.pieces, closed=True),
            fill=look.tint("orchard"),
            stroke=look.dark("leaf"),
            width=canvas.mm(0.2),
        )
    ]
    radius = canvas.mm(_ORCHARD_TREE)
    trees = [point for point, _ in _standing(shape, canvas, _ORCHARD_APART, 0.8, jitter=0.0)]
    shadows = (
        ((x + radius, y + 0.6 * radius), (x + 2 * radius, y + 0.6 * radius)) for x, y in trees
    )
    drawn += [
        path(segments_path(shadows), stroke=look.dark("leaf"), width=canvas.mm(0.22)),
        path(
            "".join(circle_path(tree, radius) for tree in trees),
            fill=look.tint("canopy"),
            stroke=look.dark("leaf"),
            width=canvas.mm(0.16),
        ),
    ]
    return "".join(drawn)


def draw_field(shape: Shape, canvas: Canvas) -> str:
    """Furrows along the longest edge, every third one broken."""
    look = canvas.look
    outline = curve_path(shape.pieces, closed=True)
    furrows: list[Segment] = []
    if abs(signed_area(shape.points)) > 0:
        longest = max(sides(shape.points), key=lambda side: (distance(*side), side))
        (x1, y1), (x2, y2) = longest
        angle = math.degrees(math.atan2(y2 - y1, x2 - x1))
        furrows = canvas.off_names(hatching([shape.points], angle, canvas.mm(_FURROWS_APART)))
    line = look.dark("furrow")
    return path(outline, fill=look.tint("field")) + "".join(
        [
            path(segments_path(furrows[::2]), stroke=line, width=canvas.mm(0.13)),
            path(
                segments_path(furrows[1::2]),
                stroke=line,
                width=canvas.mm(0.2),
                dash=(canvas.mm(0.9), canvas.mm(0.7)),
            ),
            path(outline, stroke=line, width=canvas.mm(0.28)),
        ]
    )


def _dashed_ground(
    shape: Shape, canvas: Canvas, tint: str, line: str, dash: tuple[float, float]
) -> str:
    """Ground without a sharp edge; the dash in mm times the grain."""
    return path(
        curve_path(shape.pieces, closed=True),
        fill=canvas.look.tint(tint),
        stroke=canvas.look.dark(line),
        width=canvas.mm(0.16),
        dash=(canvas.mm(dash[0]), canvas.mm(dash[1])),
    )


def draw_rough(shape: Shape, canvas: Canvas) -> str:
    """Stones and tussocks: small angles, and dots between them."""
    look, size = canvas.look, canvas.mm(0.55)
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
        + path("".join(stones), stroke=look.dark("soft"), width=canvas.mm(0.2), cap="round")
        + path("".join(dots), fill=look.dark("soft"))
    )


def draw_swamp(shape: Shape, canvas: Canvas) -> str:
    """Tufts of reeds, each on a line of water."""
    look, size = canvas.look, canvas.mm(0.85)
    outline = _dashed_ground(shape, canvas, "swamp", "reed", (1.1, 0.6))
    reeds: list[Segment] = []
    water: list[Segment] = []
    for (x, y), number in _standing(shape, canvas, _TUFTS_APART, 1.0, jitter=0.22):
        half = size * (0.95 + 0.4 * number)
        water.append(((x - half, y), (x + half, y)))
        if number < 0.72:
            for lean, high in (
                (-0.55, 0.62),
                (-0.28, 0.95),
                (0.0, 1.15),
                (0.28, 0.95),
                (0.55, 0.62),
            ):
                foot = (x + 0.35 * lean * size, y - 0.08 * size)
                reeds.append((foot, (x + lean * size, y - high * size)))
    stroke = look.dark("reed")
    return (
        outline
        + path(segments_path(water), stroke=stroke, width=canvas.mm(0.17), cap="round")
        + path(segments_path(reeds), stroke=stroke, width=canvas.mm(0.17), cap="round")
    )
