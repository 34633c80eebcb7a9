"""Sticks -> one chart of them all: a row for each, at a common scale, every stretch with its name.

A name that has no room in its stretch hangs below the bar on a line of its own. In a chart that
would be too high so, it is a letter instead, explained below the chart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from string import ascii_uppercase

from rulebook.cutouts.stick import DARK, PAINTS, StickBand, marked_bands
from rulebook.drawing.elements import Element, Group, Picture, Point
from rulebook.drawing.layers import Look, draw_shape, window_of, words_of
from rulebook.drawing.shapes import Label, lines_down
from rulebook.drawing.small_pictures import SMALL
from rulebook.figures.drawing import WIDTH
from rulebook.figures.lettering import Lines
from rulebook.maps.canvas import lines_path, path, segments_path
from rulebook.maps.geometry import quad_of
from rulebook.model.sticks import Stick
from rulebook.quantities import MILLIMETRES, Length, LengthUnit
from rulebook.text_fitting import CAP_HEIGHT, fits, room_for, text_width, wrapped

#: Millimetres: the widest column of titles, the bars, what stands above each and between rows.
_TITLES, _BAR, _ABOVE, _BELOW = 33.0, 4.6, 3.1, 1.0
#: From a letter of the legend to its name, and from name to letter.
_LETTER = 3.0
#: Names below a bar: from line to line, and beside their leader. With them a chart is no higher.
_LINE, _FLAG, _HIGHEST = 2.9, 0.7, 100.0
#: Beside a stretch its name has so much room; the lengths of an axis are so far apart.
_INSET, _APART = 0.8, 9.0
#: Steps of an axis, in its length unit.
_STEPS = (1, 2, 3, 6, 12, 24, 36, 48, 96)
_METRIC_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200)
_PALE = "#c9c3bb"


def draw_ranges(
    title: str,
    sticks: Sequence[Stick],
    look: Look,
    *,
    description: str = "",
    width: float = WIDTH,
) -> Picture:
    """Draws a chart of range sticks, a bar for each, above a common axis of lengths.

    The marks of the sticks must have been taken from their tables before. `width` is in mm.
    """
    longest = max(reach.mm for stick in sticks if (reach := stick.reach))
    alone = len(sticks) == 1  # its title is that of the chart
    widest = max(room_for(stick.title, SMALL) for stick in sticks)
    titles = 1.0 if alone else min(_TITLES, widest) + 2.0
    room = width - titles - 3.0
    scale = room / float(longest)
    rows = [marked_bands(stick, scale) for stick in sticks]
    hung = [_hung(row, width - titles) for row in rows]
    lines_below = sum(_depth(row) for row in hung if row)
    plain_height = len(rows) * (_ABOVE + _BAR + _BELOW)
    letters: dict[str, str] = {}
    if None in hung or plain_height + lines_below * _LINE > _HIGHEST:
        letters, hung = _letters(rows), [[] for _ in rows]
    shades = _shades(rows)
    drawn: list[Element] = []
    top, unit = 0.0, sticks[0].listed[0].to.unit
    for stick, stretches, flags in zip(sticks, rows, hung, strict=True):
        lines = [] if alone else wrapped(stick.title, SMALL, titles - 2.0)
        high = max(_ABOVE + _BAR, 1.05 * SMALL * len(lines) + 0.6)
        bar = top + high - _BAR
        middle = top + high / 2 if len(lines) > 1 else bar + _BAR / 2
        first = middle + (0.698 - 1.02 * (len(lines) - 1)) * SMALL / 2
        labels = lines_down(lines, (0.0, first), SMALL, 1.02 * SMALL)
        drawn += [draw_shape(label, look) for label in labels]
        drawn += _bar(stretches, (titles, bar), letters, shades, look)
        drawn += _names_below(flags or (), titles, bar + _BAR, look)
        top += high + _BELOW + _LINE * _depth(flags or ())
    height = top
    if not alone:  # its bar says itself where it ends
        drawn = [*_axis((titles, titles + room), top, float(longest), unit, look), *drawn]
        height += 5.2
    x = titles
    for number, (name, letter) in enumerate(letters.items()):
        wide = text_width(name, SMALL) + _LETTER
        if number and x + wide > width:
            x, height = titles, height + 1.35 * SMALL
        key = Label(letter, x, height + 2.0, SMALL, anchor="start", weight="bold")
        label = Label(name, x + _LETTER, height + 2.0, SMALL, anchor="start")
        drawn += [draw_shape(key, look), draw_shape(label, look)]
        x += wide + _LETTER
    height += 3.2 if letters else 0.0
    window = window_of((0.0, 0.0, width, height))
    return Picture(window, title, description, tuple(drawn))


def _has_room(stretch: StickBand) -> bool:
    return text_width(stretch.name, SMALL) + 2 * _INSET <= stretch.end - stretch.start


def _letters(rows: Sequence[Sequence[StickBand]]) -> dict[str, str]:
    """Assigns a letter to each name that has no room in its band.

    It is a free initial of its words, otherwise any free letter, or a number if none is left.
    """
    names = dict.fromkeys(stretch.name for row in rows for stretch in row if not _has_room(stretch))
    letters: dict[str, str] = {}
    for name in names:
        of_words = [word[0].upper() for word in name.replace("-", " ").split() if word[0].isalpha()]
        free = (
            letter for letter in (*of_words, *ascii_uppercase) if letter not in letters.values()
        )
        letters[name] = next(free, str(len(letters) + 1))
    return letters


def _shades(rows: Sequence[Sequence[StickBand]]) -> dict[str, int]:
    """Assigns a shade to each name, different from those of its neighbours if possible."""
    shades: dict[str, int] = {}
    for row in rows:
        for number, stretch in enumerate(row):
            beside = [
                shades.get(row[at].name) for at in (number - 1, number + 1) if 0 <= at < len(row)
            ]
            order = [3 - (number + step) % 3 for step in range(3)]
            free = [shade for shade in order if shade not in beside]
            shades.setdefault(stretch.name, (free or order)[0])
    return shades


@dataclass(frozen=True, slots=True)
class _Hung:
    """A name that hangs below its bar, in one line or several.

    `x` is the middle of its stretch, `start` where its lines begin, both in mm from the left end of
    the bar; `level` is the number of its first line below the bar.
    """

    lines: tuple[str, ...]
    x: float
    start: float
    level: int

    @property
    def end(self) -> float:
        return self.start + max(text_width(line, SMALL) for line in self.lines)

    @property
    def foot(self) -> int:
        """The number of the first line below this name."""
        return self.level + len(self.lines)

    def covers(self, x: float) -> bool:
        return self.start - _FLAG < x < self.end + _FLAG


def _hung(stretches: Sequence[StickBand], right: float) -> list[_Hung] | None:
    """Hangs the names that have no room in their bands below a bar, none beyond `right` mm.

    Returns them from right to left, placed so that no leader crosses a name; None if that is
    impossible.
    """
    hung: list[_Hung] = []
    for stretch in reversed([stretch for stretch in stretches if not _has_room(stretch)]):
        x = float(stretch.start + stretch.end) / 2
        start = x + _FLAG
        lines: tuple[str, ...] = (stretch.name,)
        if start + text_width(stretch.name, SMALL) > right:
            lines = tuple(wrapped(stretch.name, SMALL, right - start))
            if not fits(stretch.name, SMALL, right - start):
                lines, start = (stretch.name,), right - text_width(stretch.name, SMALL)
        for level in range(max((before.foot for before in hung), default=0) + 1):
            flag = _Hung(lines, x, start, level)
            if not any(_clash(flag, before) for before in hung):
                hung.append(flag)
                break
        else:
            return None
    return hung


def _depth(hung: Sequence[_Hung]) -> int:
    """Returns how many lines of text hang below a bar."""
    return max((flag.foot for flag in hung), default=0)


def _clash(first: _Hung, second: _Hung) -> bool:
    """Whether the texts of two hanging names overlap, or a leader crosses the other's text."""
    beside = first.start >= second.end + 2 * _FLAG or second.start >= first.end + 2 * _FLAG
    if not beside and first.level < second.foot and second.level < first.foot:
        return True
    lower, upper = (first, second) if first.level > second.level else (second, first)
    return lower.level > upper.level and upper.covers(lower.x)


def _names_below(hung: Sequence[_Hung], left: float, foot: float, look: Look) -> Iterator[Element]:
    """Draws names below a bar, each with a leader to it.

    (`left`, `foot`) is the lower left corner of the bar.
    """
    for flag in hung:
        base = foot + 0.6 + _LINE * (flag.level + 1) - 0.5
        end = base if flag.start > flag.x else base - CAP_HEIGHT * SMALL - 0.3
        leader = segments_path([((left + flag.x, foot), (left + flag.x, end))])
        yield from path(leader, stroke="#000000", width=0.18)
        for number, line in enumerate(flag.lines):
            at = left + flag.start, base + _LINE * number
            plate = (at[0] - 0.2, at[1] - 2.1, at[0] + text_width(line, SMALL) + 0.2, at[1] + 0.7)
            yield from path(lines_path(quad_of(plate), closed=True), fill="#ffffff")
            yield draw_shape(Label(line, *at, SMALL, anchor="start"), look)


def _bar(
    stretches: Sequence[StickBand],
    corner: Point,
    letters: dict[str, str],
    shades: dict[str, int],
    look: Look,
) -> Iterator[Element]:
    """Draws a bar for a stick: its bands, with names or letters, and the lengths at which they end.

    `corner` is the upper left one of the bar. Lengths that would overlap are left out.
    """
    left, top = corner
    for stretch in stretches:
        box = (left + stretch.start, top, left + stretch.end, top + _BAR)
        colour = stretch.colour
        fill = PAINTS[colour] if colour else look.shade(shades[stretch.name])
        drawn = path(
            lines_path(quad_of(box), closed=True),
            fill=fill if look.ink == "full" else "#ffffff",
            stroke="#000000",
            width=0.25,
        )
        name = stretch.name if _has_room(stretch) else letters.get(stretch.name, "")
        words = Lines((name,), bold=name != stretch.name)
        middle = ((box[0] + box[2]) / 2, top + _BAR / 2)
        for label in words.labels(middle):
            dark = look.ink == "full" and colour in DARK
            drawn += (words_of(label, "#ffffff" if dark else "#000000"),)
        yield Group(drawn, "stretch")
    right = float("inf")
    for stretch in reversed(stretches):
        length, end = stretch.length, left + stretch.end
        half = text_width(length, SMALL) / 2
        if end + half < right:
            plate = (end - half - 0.2, top - 2.9, end + half + 0.2, top - 0.2)
            yield from path(lines_path(quad_of(plate), closed=True), fill="#ffffff")
            yield draw_shape(Label(length, end, top - 0.7, SMALL), look)
            right = end - half - 0.6


def _axis(
    room: tuple[float, float], foot: float, longest: float, unit: LengthUnit, look: Look
) -> Iterator[Element]:
    """Draws an axis of lengths below the chart, with hairlines up through all bars.

    `room` is the x at which bars begin and the greatest at which they end; between them lie
    `longest` mm of the table. `foot` is the y of the axis.
    """
    left, right = room
    of_unit = float(MILLIMETRES[unit]) * (right - left) / longest
    steps = _STEPS if unit == "in" else _METRIC_STEPS
    step = next((step for step in steps if step * of_unit >= _APART), steps[-1])
    count = int((right - left) / of_unit / step + 1e-9)
    xs = [left + number * step * of_unit for number in range(count + 1)]
    drawn = path(segments_path(((x, 0.5), (x, foot + 0.8)) for x in xs), stroke=_PALE, width=0.12)
    for number, x in enumerate(xs):
        length = str(Length(Fraction(number * step), unit)) if number else "0"
        drawn += (draw_shape(Label(length, x, foot + 3.6, SMALL), look),)
    yield Group(drawn, "axis")
