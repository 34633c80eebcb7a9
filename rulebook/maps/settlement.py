"""Towns and buildings -> blocks of houses along streets, one block for each section."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rulebook.maps.areas import area_of
from rulebook.maps.canvas import Canvas
from rulebook.maps.elements import curve_path, lines_path, path
from rulebook.maps.geometry import (
    Point,
    box_of,
    centroid,
    half_of,
    main_direction,
    signed_area,
)
from rulebook.maps.scatter import drawn, seed_of
from rulebook.maps.shaping import Shape

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
    look = canvas.look
    return path(
        curve_path(shape.pieces, closed=True),
        fill=look.tint("town"),
        stroke=look.dark("brick"),
        width=canvas.mm(0.22),
        dash=(canvas.mm(1.4), canvas.mm(0.5), canvas.mm(0.3), canvas.mm(0.5)),
    )


def draw_town(shape: Shape, canvas: Canvas) -> str:
    """The sections as blocks of houses, with streets between them, beside roads and names."""
    look = canvas.look
    sections = sections_of(shape.points, shape.feature.sections or 1)
    houses = [
        lines_path(house, closed=True, places=2)
        for number, section in enumerate(sections)
        for house in _houses(section, number, shape, canvas)
    ]
    edges = ""
    if len(sections) > 1:
        edges = "".join(
            path(
                lines_path(section, closed=True, places=2),
                stroke=look.dark("brick"),
                width=canvas.mm(0.16),
                dash=(canvas.mm(0.5), canvas.mm(0.4)),
            )
            for section in sections
        )
    return edges + path(
        "".join(houses), fill=look.dark("brick"), stroke=look.dark("ink"), width=canvas.mm(0.1)
    )


def _houses(
    section: Sequence[Point], number: int, shape: Shape, canvas: Canvas
) -> Iterator[list[Point]]:
    """Rows of houses along the main direction of the town, each off the streets around."""
    if abs(signed_area(section)) < canvas.mm(_LEAST_SECTION) ** 2:
        return
    seed = seed_of(shape.name)
    turn = math.radians(main_direction(shape.points))
    across, down = math.cos(turn), math.sin(turn)
    along = [(x * across + y * down, y * across - x * down) for x, y in section]
    left, top, right, bottom = box_of(along)
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
            half = [plot / 2 * part for part in size]
            corners = [
                (x + i * half[0], y + j * half[1]) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ]
            house = [(x * across - y * down, x * down + y * across) for x, y in corners]
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
    look = canvas.look
    plan = path(
        curve_path(shape.pieces, closed=True),
        fill=look.dark("brick"),
        stroke=look.dark("ink"),
        width=canvas.mm(0.2),
    )
    sections = sections_of(shape.points, shape.feature.sections or 1)
    if len(sections) == 1:
        return plan
    parted = "".join(lines_path(section, closed=True, places=2) for section in sections)
    return plan + path(parted, stroke="#ffffff", width=canvas.mm(0.22))
