"""A side of a scenario -> a patch of the pattern by which it is known on the map.

Whatever belongs to a side off the map, such as its cards and its rosters, has the same hatching,
which a grey printer leaves as it is.
"""

from __future__ import annotations

from rulebook.drawing.svg_text import decimal
from rulebook.maps.elements import path, segments_path
from rulebook.maps.geometry import hatching
from rulebook.maps.look import Look
from rulebook.maps.marks import HATCHINGS


def side_colour(name: str) -> str:
    """The colour of a side as '#rrggbb': dark enough for words on white, and for white on it."""
    return Look().dark(name)


def swatch(number: int, colour: str, size: tuple[float, float], *, pitch: float, pen: float) -> str:
    """A rectangle of so many mm with the hatching of the side of a number (from 0), as an SVG."""
    wide, high = size
    ring = [(0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)]
    lines = [
        line
        for angle in HATCHINGS[number % len(HATCHINGS)]
        for line in hatching([ring], angle, pitch)
    ]
    drawn = path(segments_path(lines), stroke=colour, width=pen)
    wide_told, high_told = decimal(wide), decimal(high)
    measures = f'width="{wide_told}mm" height="{high_told}mm" viewBox="0 0 {wide_told} {high_told}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {measures} aria-hidden="true">{drawn}</svg>'
