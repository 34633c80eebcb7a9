"""The time line of a scenario -> SVG: a bar for each force, from the turn in which it comes.

Sides are told apart by colour and by hatching, so that a grey print tells them apart as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.drawing.charts import bar_look
from rulebook.drawing.sketch import Page, Sketch, kept
from rulebook.translation import gettext, gettext_noop

#: What stands on a time line below the place of all that is there before the first turn.
START = gettext_noop("start")

_GAP = 1.6
#: Names have no more than this part of the width.
_NAMES = 0.46
#: Steps of turns that are named below the bars.
_STEPS = (1, 2, 5, 10, 20, 50)


@dataclass(frozen=True, slots=True)
class BarView:
    """A force on the time line, from its turn to the end.

    Where dice decide, `chances` are those to be there, turn by turn; the bar is as thick as they
    are great.
    """

    label: str
    turn: int
    side: int
    colour: str
    chances: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class TimeLineView:
    """Bars over turns from 0 to the last; `alt` says the same in words."""

    id: str
    bars: tuple[BarView, ...]
    last: int
    axis: str
    sides: tuple[tuple[int, str, str], ...]
    alt: str


def draw_time_line(view: TimeLineView, page: Page, cache: Cache = NOTHING_KEPT) -> str:
    """The time line as an SVG element."""

    def draw() -> str:
        sketch = Sketch(*page)
        _draw(view, sketch)
        return sketch.svg(view.id, view.alt)

    return kept(cache, ["time line", view, page, gettext(START)], draw)


def _draw(view: TimeLineView, sketch: Sketch) -> None:
    bars, last = view.bars, view.last
    names = [sketch.wrapped(bar.label, sketch.width * _NAMES) for bar in bars]
    left = max(sketch.width_of(line) for lines in names for line in lines) + _GAP
    heights = [max(len(lines), 1) * sketch.line + 0.9 for lines in names]
    keys = (sketch.line * 1.3 + _GAP + sketch.width_of(side[2], bold=True) for side in view.sides)
    key = list(sketch.flowing(keys, 0.0, 3 * _GAP))
    top = sketch.line * (max(row for row, _ in key) + 1.35)
    bottom = top + sum(heights)
    # The number of the last turn may be wider than the turn: half of it has room beyond.
    right = sketch.width - sketch.width_of(str(last)) / 2
    sketch.begin(bottom + sketch.line * 2.3)
    for (row, x), (number, colour, title) in zip(key, view.sides, strict=True):
        middle = sketch.line * (row + 0.6)
        high = sketch.line * 0.7
        sketch.rectangle((x, middle - high / 2), 1.8 * high, high, **bar_look(colour, number))
        sketch.text((x + 1.8 * high + _GAP * 0.6, middle), title, bold=True)

    def at(turn: float) -> float:
        """Where a turn begins; that which is before the first is as wide as they are."""
        return float(left + (right - left) * turn / (last + 1))

    _turns(view, sketch, [at(turn) for turn in range(last + 2)], (top, bottom))
    y = top
    for bar, lines, height in zip(bars, names, heights, strict=True):
        for number, line in enumerate(lines):
            sketch.text((0, y + 0.45 + sketch.line * (number + 0.5)), line)
        whole = sketch.line * 0.72
        for start, end, part in _pieces(bar, last):
            thick = whole * part
            box = (at(start), y + (height - whole) / 2 + (whole - thick))
            width = max(at(end) - at(start), 0.4)
            sketch.rectangle(box, width, thick, **bar_look(bar.colour, bar.side))
        y += height
        sketch.hair((0, y), (right, y))


def _pieces(bar: BarView, last: int) -> Iterator[tuple[int, int, float]]:
    """From which turn to which a bar is how thick, of all that it may be."""
    start = min(bar.turn, last + 1)
    if not bar.chances:
        yield start, last + 1, 1.0
    for turn, chance in enumerate(bar.chances, start):
        yield turn, turn + 1, chance


def _turns(
    view: TimeLineView, sketch: Sketch, edges: Sequence[float], ends: tuple[float, float]
) -> None:
    """Hairlines where turns begin, and their numbers in the middle of each below the bars."""
    top, bottom = ends
    last = view.last
    room = sketch.width_of(str(last)) + 1.0
    wide = edges[1] - edges[0]
    step = next((one for one in _STEPS if one * wide >= room), _STEPS[-1])
    numbered = [0, *(turn for turn in range(1, last + 1) if turn % step == 0 or turn == 1)]
    before = -room
    for turn in range(last + 1):
        if turn in numbered or wide > 1.5:
            sketch.hair((edges[turn], top), (edges[turn], bottom))
    for turn, (start, end) in enumerate(pairwise(edges)):
        middle = (start + end) / 2
        if turn in numbered and middle - before >= room:
            first = gettext(START)
            words = str(turn) if turn else first if wide > sketch.width_of(first) else "0"
            sketch.text((middle, bottom + sketch.line * 0.7), words, anchor="center")
            before = middle
    sketch.hair((edges[-1], top), (edges[-1], bottom))
    middle = (edges[0] + edges[-1]) / 2
    sketch.text((middle, bottom + sketch.line * 1.7), view.axis, anchor="center", bold=True)
