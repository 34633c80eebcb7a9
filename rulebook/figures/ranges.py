"""Sticks -> one chart of them all: a row for each, at a common scale, every stretch with its name.

A name that has no room in one of its stretches is a letter in all of them, told below the chart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulebook.cutouts.stick import DARK, PAINTS
from rulebook.drawing.shapes import Label
from rulebook.drawing.svg import SMALL, Look, svg_root, svg_shape
from rulebook.figures.drawing import WIDTH
from rulebook.figures.lettering import Lines
from rulebook.maps.canvas import lines_path, path, segments_path
from rulebook.maps.geometry import quad_of
from rulebook.model.cutouts.stick import Mark, Stick
from rulebook.quantities import MILLIMETRES, Length, LengthUnit
from rulebook.text_fitting import text_width, wrapped

#: Millimetres: the widest column of titles, the bars, what stands above each and between rows.
_TITLES, _BAR, _ABOVE, _BELOW = 33.0, 4.6, 3.1, 1.0
#: From a letter of the legend to its name, and from name to letter.
_LETTER = 3.0
#: Beside a stretch its name has so much room; the lengths of an axis are so far apart.
_INSET, _APART = 0.8, 9.0
#: Steps of an axis, in its length unit.
_STEPS = (1, 2, 3, 6, 12, 24, 36, 48, 96)
_METRIC_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200)
_PALE = "#c9c3bb"


@dataclass(frozen=True, slots=True)
class _Stretch:
    """From one mark to the next, mm of the page from the left end of the bar."""

    name: str
    start: float
    end: float
    mark: Mark


def draw_ranges(
    title: str,
    sticks: Sequence[Stick],
    look: Look,
    *,
    description: str = "",
    width: float = WIDTH,
) -> str:
    """The chart as SVG; the marks of the sticks have been taken from their tables."""
    longest = max(reach.mm for stick in sticks if (reach := stick.reach))
    alone = len(sticks) == 1  # its title is that of the chart
    widest = max(text_width(stick.title, SMALL) for stick in sticks)
    titles = 1.0 if alone else min(_TITLES, widest) + 2.0
    room = width - titles - 3.0
    scale = room / float(longest)
    rows = [_stretches(stick, scale) for stick in sticks]
    letters = _letters(rows)
    drawn: list[str] = []
    top, unit = 0.0, sticks[0].listed[0].to.unit
    for stick, stretches in zip(sticks, rows, strict=True):
        lines = [] if alone else wrapped(stick.title, SMALL, titles - 2.0)
        high = max(_ABOVE + _BAR, 1.05 * SMALL * len(lines) + 0.6)
        bar = top + high - _BAR
        middle = top + high / 2 if len(lines) > 1 else bar + _BAR / 2
        first = middle + (0.698 - 1.02 * (len(lines) - 1)) * SMALL / 2
        drawn += [
            svg_shape(Label(line, 0.0, first + 1.02 * SMALL * number, SMALL, anchor="start"), look)
            for number, line in enumerate(lines)
        ]
        drawn += _bar(stretches, titles, bar, letters, look)
        top += high + _BELOW
    drawn = [*_axis((titles, titles + room), top, float(longest), unit, look), *drawn]
    height = top + 5.2
    x = titles
    for number, (name, letter) in enumerate(letters.items()):
        wide = text_width(name, SMALL) + _LETTER
        if number and x + wide > width:
            x, height = titles, height + 1.35 * SMALL
        key = Label(letter, x, height + 2.0, SMALL, anchor="start", weight="bold")
        told = Label(name, x + _LETTER, height + 2.0, SMALL, anchor="start")
        drawn += [svg_shape(key, look), svg_shape(told, look)]
        x += wide + _LETTER
    height += 3.2 if letters else 0.0
    return svg_root((0.0, 0.0, width, height), title, description, "".join(drawn))


def _stretches(stick: Stick, scale: float) -> list[_Stretch]:
    start, found = 0.0, []
    for mark in stick.listed:
        end = float(mark.to.mm) * scale
        found.append(_Stretch(mark.name, start, end, mark))
        start = end
    return found


def _letters(rows: Sequence[Sequence[_Stretch]]) -> dict[str, str]:
    """The letters of all names of which one has no room in a stretch of its own."""
    stretches = [one for row in rows for one in row]
    crowded = {
        one.name
        for one in stretches
        if text_width(one.name, SMALL) + 2 * _INSET > one.end - one.start
    }
    names = dict.fromkeys(one.name for one in stretches if one.name in crowded)
    return {name: chr(ord("A") + number) for number, name in enumerate(names)}


def _bar(
    stretches: Sequence[_Stretch], left: float, top: float, letters: dict[str, str], look: Look
) -> Iterator[str]:
    """The stretches of a stick, the lengths at which they end, and their names."""
    for number, one in enumerate(stretches):
        box = (left + one.start, top, left + one.end, top + _BAR)
        colour = one.mark.colour
        fill = PAINTS[colour] if colour else look.shade(3 - number % 3)
        yield '<g class="stretch">'
        yield path(
            lines_path(quad_of(box), closed=True),
            fill=fill if look.ink == "full" else "#ffffff",
            stroke="#000000",
            width=0.25,
        )
        words = Lines((letters.get(one.name, one.name),), bold=one.name in letters)
        middle = ((box[0] + box[2]) / 2, top + _BAR / 2)
        for label in words.labels(middle):
            text = svg_shape(label, look)
            dark = look.ink == "full" and colour in DARK
            yield text.replace('fill="#000000"', 'fill="#ffffff"') if dark else text
        yield "</g>\n"
    right = float("inf")
    for one in reversed(stretches):
        told, end = str(one.mark.to), left + one.end
        half = text_width(told, SMALL) / 2
        if end + half < right:
            plate = (end - half - 0.2, top - 2.9, end + half + 0.2, top - 0.2)
            yield path(lines_path(quad_of(plate), closed=True), fill="#ffffff")
            yield svg_shape(Label(told, end, top - 0.7, SMALL), look)
            right = end - half - 0.6


def _axis(
    room: tuple[float, float], foot: float, longest: float, unit: LengthUnit, look: Look
) -> Iterator[str]:
    """Lengths below the chart, with hairlines up through all rows.

    `room` is where the bars begin and end, `longest` how long that is on the table, in mm.
    """
    left, right = room
    of_unit = float(MILLIMETRES[unit]) * (right - left) / longest
    steps = _STEPS if unit == "in" else _METRIC_STEPS
    step = next((one for one in steps if one * of_unit >= _APART), steps[-1])
    count = int((right - left) / of_unit / step + 1e-9)
    xs = [left + number * step * of_unit for number in range(count + 1)]
    yield '<g class="axis">'
    yield path(segments_path(((x, 0.5), (x, foot + 0.8)) for x in xs), stroke=_PALE, width=0.12)
    for number, x in enumerate(xs):
        told = str(Length(Fraction(number * step), unit)) if number else "0"
        yield svg_shape(Label(told, x, foot + 3.6, SMALL), look)
    yield "</g>\n"
