"""The values and words of a chart, or the turns of a scenario -> bars, columns or lines, as SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import ceil, floor, log10
from typing import Any, Literal

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.drawing.elements import Point, channels, mixed
from rulebook.drawing.sketch import SOFT, TEXT, Page, Sketch, kept
from rulebook.translation import gettext, gettext_noop


@dataclass(frozen=True, slots=True)
class SeriesView:
    """A series of a chart: its values in the order of the places; None is a missing value.

    `labels` are the values as printed. `low` and `high` are the ends of the band around each value,
    if there are bands. `colour` is empty if the chart chooses it.
    """

    name: str
    values: tuple[float | None, ...]
    labels: tuple[str, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    colour: str = ""


@dataclass(frozen=True, slots=True)
class ChartView:
    """A chart, ready to be drawn.

    `shape`: `outcomes` are columns of chances along a scale of numbers, `line` runs along counts,
    `bars` lie beside names, `shares` are bars cut into the chances of several outcomes. `unit` says
    what the values are; chances run from 0 to 1. `places` are the names of categories or numbers,
    and `positions` where they are on a scale. `axis` is the heading of the places, `measure` that
    of the values, `inner` that of the series. `mean` is marked on the scale. `steps` says that
    values are constant up to the next place, so that lines are drawn in steps. `alt` describes the
    chart in words.
    """

    id: str
    shape: Literal["outcomes", "line", "bars", "shares"]
    unit: Literal["chance", "number"]
    title: str
    axis: str
    measure: str
    inner: str
    places: tuple[str, ...]
    positions: tuple[float, ...]
    series: tuple[SeriesView, ...]
    mean: float | None
    mean_label: str
    note: str
    alt: str
    steps: bool = False


#: Millimetres between words and what they name.
_GAP = 1.6
#: Millimetres of a stroke that says how a line is drawn.
_KEY = 4.5
#: How high a plot is in parts of its width.
_PLOT = 0.3
_MARKERS = ("o", "s", "^", "D", "v")
_STROKES: tuple[Any, ...] = ("-", (0, (5, 1.6)), (0, (1.4, 1.2)), (0, (6, 1.4, 1.4, 1.4)), "-")


def draw_chart(view: ChartView, accent: str, page: Page, cache: Cache = NOTHING_KEPT) -> str:
    """Returns a chart as an SVG element, from the cache if it is there.

    `accent` is the colour of the chart, `page` the width of the drawing and the size of its type.
    """

    def draw() -> str:
        sketch = Sketch(*page)
        _SHAPES[view.shape](view, sketch, accent)
        return sketch.svg(view.id, view.alt)

    return kept(cache, ["chart", view, accent, page], draw)


def bar_look(accent: str, number: int) -> dict[str, Any]:
    """Returns matplotlib's style for the bars of series `number`.

    The first series is filled with the accent colour; others are hatched, pale or white.
    """
    edge = {"edgecolor": accent, "linewidth": 0.6}
    looks: tuple[dict[str, Any], ...] = (
        {"facecolor": accent},
        {"facecolor": "white", "hatch": "/" * 5},
        {"facecolor": mixed(accent, 0.35)},
        {"facecolor": "white", "hatch": "\\" * 4},
        {"facecolor": "white"},
    )
    return {**edge, **looks[number % len(looks)]}


def _bars(view: ChartView, sketch: Sketch, accent: str) -> None:
    """Draws horizontal bars beside the names of places, one for each series.

    The bars of one place are next to each other.
    """
    places, first = _places(view, sketch)
    inner = [entry.name for entry in view.series] if view.inner else []
    left = first + (_column(sketch, view.inner, inner) if inner else 0)
    labels = max(sketch.width_of(text) for entry in view.series for text in entry.labels)
    low, high = (end(0.0, *_values(view.series)) for end in (min, max))
    scale = _ValueScale(low, high if high > low else low + 1, left, sketch.width - labels - _GAP)
    row = sketch.line * 1.06
    spare = sketch.line * (0.5 if inner else 0.32)
    heights = [max(len(lines) * sketch.line, row * len(view.series)) + spare for lines in places]
    top = sketch.line * 1.45
    sketch.begin(top + sum(heights) + 0.4)
    _headings(sketch, accent, (0, view.axis), (first, view.inner), (left, view.measure))
    sketch.hair((0, top - sketch.line * 0.18), (sketch.width, top - sketch.line * 0.18))
    y = top
    for index, (lines, height) in enumerate(zip(places, heights, strict=True)):
        _lines(sketch, lines, y + spare / 2 + row * 0.5)
        for number, entry in enumerate(view.series):
            at = y + spare / 2 + row * number
            if inner:
                sketch.text((first, at + row / 2), entry.name, colour=SOFT)
            stretch = (at + row * 0.12, row * 0.76)
            _bar(sketch, scale, entry, index, stretch, look=bar_look(accent, number))
        y += height
    sketch.hair((scale.at(0), top), (scale.at(0), y), strong=True)
    sketch.hair((0, y), (sketch.width, y))


def _places(view: ChartView, sketch: Sketch) -> tuple[list[list[str]], float]:
    """Returns the names of places, each broken into lines, and the width of their column in mm."""
    places = [sketch.wrapped(text, sketch.width * 0.34) for text in view.places]
    return places, _column(sketch, view.axis, [line for lines in places for line in lines])


def _column(sketch: Sketch, heading: str, texts: Sequence[str]) -> float:
    """Returns the width of a column of texts below a heading, with the gap beside it, in mm."""
    widest = max(map(sketch.width_of, texts), default=0)
    return max(widest, sketch.width_of(heading, bold=True)) + 2 * _GAP


def _headings(sketch: Sketch, accent: str, *columns: tuple[float, str]) -> None:
    """Writes the headings of columns, each given by its left edge in mm and its words."""
    for x, words in columns:
        sketch.text((x, sketch.line * 0.6), words, bold=True, colour=accent)


def _lines(sketch: Sketch, lines: Sequence[str], first: float) -> None:
    """Writes lines of text below each other at the left edge of the drawing.

    `first` is the y of the middle of the first line, in mm.
    """
    for number, line in enumerate(lines):
        sketch.text((0, first + number * sketch.line), line)


def _bar(
    sketch: Sketch,
    scale: _ValueScale,
    series: SeriesView,
    index: int,
    stretch: tuple[float, float],
    *,
    look: Mapping[str, Any],
) -> None:
    """Draws the bar of one value, the band around its end, and its label after it.

    `stretch` is the top of the bar and its height, in mm.
    """
    (top, height), value, zero = stretch, series.values[index], scale.at(0)
    end = scale.at(value or 0)
    if value:
        sketch.rectangle((min(zero, end), top), abs(end - zero), height, **look)
    if (band := _band_at(series, index)) is not None:
        low, high = map(scale.at, band)
        middle, cap = top + height / 2, height * 0.22
        sketch.run([(low, middle), (min(high, end), middle)], color="white", linewidth=2.0)
        for stroke in (
            [(low, middle), (high, middle)],
            [(low, middle - cap), (low, middle + cap)],
            [(high, middle - cap), (high, middle + cap)],
        ):
            sketch.run(stroke, color=TEXT, linewidth=0.8)
        end = max(end, high)
    sketch.text((max(end, zero) + _GAP, top + height / 2), series.labels[index])


def _band_at(series: SeriesView, index: int) -> tuple[float, float] | None:
    """Returns the low and the high end of the band around a value, or None if it has none.

    `index` is that of the value in the series.
    """
    low, high = (bound[index] if bound else None for bound in (series.low, series.high))
    return None if low is None or high is None else (low, high)


@dataclass(frozen=True, slots=True)
class _ValueScale:
    """Maps values from `low` to `high` to positions from `start` to `end`, in mm."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        part = (value - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)


def _values(series: Sequence[SeriesView]) -> Iterator[float]:
    """Yields all values of some series and the ends of their bands."""
    for entry in series:
        for values in (entry.values, entry.low, entry.high):
            yield from (value for value in values if value is not None)


def _shares(view: ChartView, sketch: Sketch, accent: str) -> None:
    """Draws a bar for each place, divided by the chances of the outcomes, below a legend.

    All bars have the same length.
    """
    places, left = _places(view, sketch)
    keys = (sketch.line * 0.62 + _GAP * 0.6 + sketch.width_of(entry.name) for entry in view.series)
    key = list(sketch.flowing(keys, left, 2 * _GAP))
    row = sketch.line * 1.5
    heights = [max(len(lines) * sketch.line, row) + sketch.line * 0.3 for lines in places]
    top = sketch.line * (key[-1][0] + 3) + 0.6
    sketch.begin(top + sum(heights) + 0.4)
    _headings(sketch, accent, (0, view.axis), (left, view.measure))
    looks = [_share_look(accent, number, view.series) for number in range(len(view.series))]
    for (row_of_key, x), entry, look in zip(key, view.series, looks, strict=True):
        middle = sketch.line * (row_of_key + 1.6)
        box = sketch.line * 0.62
        sketch.rectangle((x, middle - box / 2), box, box, **look)
        sketch.text((x + box + _GAP * 0.6, middle), entry.name)
    y = top
    for index, (lines, height) in enumerate(zip(places, heights, strict=True)):
        _lines(sketch, lines, y + height / 2 - (len(lines) - 1) / 2 * sketch.line)
        parts = [
            (entry.values[index], entry.labels[index], look)
            for entry, look in zip(view.series, looks, strict=True)
        ]
        _cut_bar(sketch, parts, (left, y + (height - row) / 2), row)
        y += height


def _share_look(accent: str, number: int, series: Sequence[SeriesView]) -> dict[str, Any]:
    """Returns matplotlib's style for outcome `number` in a divided bar, darker for the first.

    The last outcome is hatched, unless its name begins with a digit.
    """
    edge = {"edgecolor": "white", "linewidth": 0.8}
    last = len(series) - 1
    if number == last and last and not series[last].name[:1].isdigit():
        return {"facecolor": "white", "hatch": "/" * 4, "edgecolor": SOFT, "linewidth": 0.5}
    strength = 1 - 0.86 * number / max(1, last)
    return {**edge, "facecolor": mixed(accent, strength)}


def _cut_bar(
    sketch: Sketch,
    parts: Sequence[tuple[float | None, str, Mapping[str, Any]]],
    at: Point,
    height: float,
) -> None:
    """Draws one bar that is divided into parts, from the point `at` to the right edge.

    Each part is given by its share of 1, its label and its style. A label is left out if its part
    is too narrow.
    """
    x, y = at
    whole = sketch.width - x
    for share, label, look in parts:
        if not share:
            continue
        width = whole * share
        sketch.rectangle((x, y + height * 0.08), width, height * 0.84, **look)
        room = sketch.width_of(label) + 0.8
        if room <= width:
            middle = (x + width / 2, y + height / 2)
            if "hatch" in look:
                sketch.lifted(middle, label)
            else:
                colour = "white" if _dark(look["facecolor"]) else TEXT
                sketch.text(middle, label, anchor="center", colour=colour)
        x += width


def _dark(colour: str) -> bool:
    """Whether white text is easier to read on a colour than black text."""
    red, green, blue = channels(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 140


@dataclass(frozen=True, slots=True)
class _Plot:
    """The rectangle of a chart with a line or columns, as its two scales."""

    x: _ValueScale
    y: _ValueScale

    def at(self, x: float, y: float) -> Point:
        return self.x.at(x), self.y.at(y)


def _outcomes(view: ChartView, sketch: Sketch, accent: str) -> None:
    """Draws a column for the chance of each number that can result, and marks their mean."""
    (series,) = view.series
    positions, values = view.positions, [value or 0.0 for value in series.values]
    ticks = _steps(max(values), chance=True)
    widest = max(sketch.width_of(_percent(tick)) for tick in ticks)
    step = min(after - before for before, after in pairwise(positions))
    spacing = (sketch.width - 2) / ((positions[-1] - positions[0]) / step + 1)
    direct = max(map(sketch.width_of, series.labels)) + 0.6 < spacing
    left = 0.0 if direct else widest + _GAP
    above = (ticks[-1], bool(view.mean_label))
    plot = _begin(view, sketch, accent, (left, 1.0), above)
    low, high = positions[0] - step / 2, positions[-1] + step / 2
    plot, bottom = _Plot(_ValueScale(low, high, plot.x.start, plot.x.end), plot.y), plot.y.start
    if not direct:
        _levels(sketch, plot, ticks, _percent)
    if view.mean is not None:
        pairs = zip(positions, values, strict=True)
        near = [value for position, value in pairs if abs(position - view.mean) < step]
        over = plot.y.at(max(near, default=0)) - sketch.line
        _mean(sketch, plot, view.mean, view.mean_label, over if direct else bottom)
    width = abs(plot.x.at(step) - plot.x.at(0)) * 0.74
    for position, value, label in zip(positions, values, series.labels, strict=True):
        x, y = plot.at(position, value)
        sketch.rectangle((x - width / 2, y), width, bottom - y, facecolor=accent, linewidth=0)
        if direct:
            sketch.lifted((x, y - sketch.line * 0.5), label)
    sketch.hair((plot.x.start, bottom), (plot.x.end, bottom), strong=True)
    _below(sketch, plot, view)


def _mean(sketch: Sketch, plot: _Plot, mean: float, label: str, bottom: float) -> None:
    """Draws a dashed vertical line at the mean, down to y `bottom`, with its label above."""
    x, top = plot.x.at(mean), sketch.line * 1.75
    stroke = [(x, top + sketch.line * 0.5), (x, max(bottom, top + sketch.line))]
    sketch.run(stroke, color=TEXT, linewidth=0.7, linestyle=(0, (4, 2)))
    half = sketch.width_of(label) / 2
    middle = min(max(x, half), sketch.width - half)
    sketch.text((middle, top), label, anchor="center")


def _line(view: ChartView, sketch: Sketch, accent: str) -> None:
    """Draws a line with markers for each series; if there are several, names each at its end."""
    chance = view.unit == "chance"
    most = max(_values(view.series), default=1.0)
    ticks = [0.0, 0.25, 0.5, 0.75, 1.0] if chance and most > 0.5 else _steps(most, chance=chance)
    tick_text = _percent if chance else _plain
    left = max(sketch.width_of(tick_text(tick)) for tick in ticks) + _GAP
    several = len(view.series) > 1
    names = max(sketch.width_of(entry.name) for entry in view.series)
    right = names + _KEY + 3 * _GAP if several else 2.0
    plot = _begin(view, sketch, accent, (left, right), (ticks[-1], False))
    positions = view.positions
    least = min(0.0, *_values(view.series))
    y = _ValueScale(least, ticks[-1], plot.y.start, plot.y.end)
    plot = _Plot(_ValueScale(positions[0], positions[-1], plot.x.start + 1.5, plot.x.end), y)
    _levels(sketch, plot, ticks, tick_text)
    for number, entry in enumerate(view.series):
        if entry.low:
            _band(sketch, plot, positions, entry, entry.colour or accent, steps=view.steps)
        points = [
            None if value is None else plot.at(x, value)
            for x, value in zip(positions, entry.values, strict=True)
        ]
        look = _line_look(number, accent, len(positions), entry.colour)
        _run(sketch, points, look | ({"drawstyle": "steps-post"} if view.steps else {}))
    sketch.hair((plot.x.start - 1.5, y.start), (plot.x.end, y.start), strong=True)
    _below(sketch, plot, view)
    if several:
        _names(sketch, plot, view, accent)


def _band(
    sketch: Sketch,
    plot: _Plot,
    positions: Sequence[float],
    entry: SeriesView,
    accent: str,
    *,
    steps: bool,
) -> None:
    """Draws the band between the low and the high values of a series as a pale area.

    `steps`: the values hold up to the next position, as in ChartView.
    """
    there = [
        (x, *band)
        for index, x in enumerate(positions)
        if (band := _band_at(entry, index)) is not None
    ]
    if steps:
        ends = [(after[0], *before[1:]) for before, after in pairwise(there)]
        there = [point for pair in zip(there, ends, strict=False) for point in pair] + there[-1:]
    above = [plot.at(x, high) for x, _, high in there]
    below = [plot.at(x, low) for x, low, _ in reversed(there)]
    sketch.area([*above, *below], facecolor=mixed(accent, 0.16), linewidth=0)


def _line_look(number: int, accent: str, places: int, own: str = "") -> dict[str, Any]:
    """Returns matplotlib's style for the line of series `number`; up to five look different.

    With many `places` markers are smaller. `own` is the colour of the series if it has one.
    """
    colour = own or (accent, TEXT, SOFT, accent, TEXT)[number % 5]
    return {
        "color": colour,
        "linewidth": 1.1,
        "linestyle": _STROKES[number % len(_STROKES)],
        "marker": _MARKERS[number % len(_MARKERS)],
        "markersize": 2.8 if places <= 30 else 1.7,
        "markerfacecolor": "white" if number == 2 else colour,
        "markeredgewidth": 0.7,
    }


def _run(sketch: Sketch, points: Sequence[Point | None], look: Mapping[str, Any]) -> None:
    """Draws a line through points, interrupted where a point is None.

    `look` is matplotlib's style of the line.
    """
    for there, together in groupby(points, key=lambda point: point is not None):
        if there:
            sketch.run([point for point in together if point], **look)


def _names(sketch: Sketch, plot: _Plot, view: ChartView, accent: str) -> None:
    """Writes the name of each series beside the end of its line, with a sample of the line.

    Names that would overlap are moved apart.
    """
    ends = []
    for number, entry in enumerate(view.series):
        value = next((value for value in reversed(entry.values) if value is not None), 0.0)
        ends.append((round(plot.y.at(value), 3), number, entry.name))
    taken = -sketch.line
    x = plot.x.end + _GAP
    for y, number, name in sorted(ends):
        taken = max(y, taken + sketch.line)
        look = _line_look(number, accent, 1, view.series[number].colour)
        sketch.run([(x, taken), (x + _KEY, taken)], **look, markevery=[1])
        sketch.text((x + _KEY + _GAP, taken), name)


def _begin(
    view: ChartView,
    sketch: Sketch,
    accent: str,
    beside: tuple[float, float],
    above: tuple[float, bool],
) -> _Plot:
    """Begins a drawing: sets its height, writes the names of both axes, and returns its plot.

    `beside` is the space to leave at the left and right of the plot, in mm. `above` is the highest
    value, and whether a line of text stands above the plot.
    """
    left, right = beside
    highest, words = above
    top = sketch.line * (3.2 if words else 2.1)
    bottom = top + sketch.width * _PLOT
    sketch.begin(bottom + sketch.line * 2.35)
    sketch.text((0, sketch.line * 0.6), view.measure, bold=True, colour=accent)
    x = _ValueScale(0, 1, left, sketch.width - right)
    middle = ((x.start + x.end) / 2, bottom + sketch.line * 1.8)
    sketch.text(middle, view.axis, anchor="center", bold=True, colour=accent)
    return _Plot(x, _ValueScale(0, highest, bottom, top))


def _levels(
    sketch: Sketch, plot: _Plot, ticks: Sequence[float], tick_text: Callable[[float], str]
) -> None:
    """Draws horizontal hairlines at the values `ticks`, each with its label at the left."""
    for tick in ticks:
        y = plot.y.at(tick)
        if tick:
            sketch.hair((plot.x.start - 1.5, y), (plot.x.end, y))
        sketch.text(
            (plot.x.start - 1.5 - _GAP * 0.6, y), tick_text(tick), anchor="right", colour=SOFT
        )


def _below(sketch: Sketch, plot: _Plot, view: ChartView) -> None:
    """Writes the names of places below the plot.

    If there is no room for all, writes every second, third, fifth and so on.
    """
    count = (plot.x.end - plot.x.start) / (max(map(sketch.width_of, view.places)) + _GAP)
    steps = (1, 2, 3, 5, 10, 20, 50)
    every = next((step for step in steps if len(view.places) / step <= count), 1000)
    y = plot.y.start + sketch.line * 0.75
    for position, name in list(zip(view.positions, view.places, strict=True))[::every]:
        sketch.text((plot.x.at(position), y), name, anchor="center")


def _steps(most: float, *, chance: bool) -> list[float]:
    """Returns round values to label on an axis, evenly spaced from 0 to at least `most`.

    Unless they are chances, values from 3 on have steps of at least 1.
    """
    rough = most / 4 if most > 0 else 0.25
    power = 10.0 ** floor(log10(rough))
    step = next(power * part for part in (1, 2, 2.5, 5, 10) if power * part >= rough * 0.999)
    if not chance and step < 1 and most >= 3:
        step = 1.0
    return [round(step * number, 10) for number in range(ceil(most / step - 1e-9) + 1)]


def _percent(value: float) -> str:
    return f"{value * 100:g}%"


def _plain(value: float) -> str:
    return f"{value:g}"


_SHAPES: dict[str, Callable[[ChartView, Sketch, str], None]] = {
    "outcomes": _outcomes,
    "line": _line,
    "bars": _bars,
    "shares": _shares,
}


#: What stands on a time line below the place of all that is there before the first turn.
START = gettext_noop("start")

#: Names have no more than this part of the width.
_NAMES = 0.46
#: Steps of turns that are named below the bars.
_TURN_STEPS = (1, 2, 5, 10, 20, 50)


@dataclass(frozen=True, slots=True)
class BarView:
    """A force on the time line, from its turn to the end.

    If it arrives by dice, `chances` are those that it is there, turn by turn from `turn`; the bar
    is as thick as the chance.
    """

    label: str
    turn: int
    side: int
    colour: str
    chances: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class TimeLineView:
    """Bars over turns from 0 to `last`; `alt` describes them in words."""

    id: str
    bars: tuple[BarView, ...]
    last: int
    axis: str
    sides: tuple[tuple[int, str, str], ...]
    alt: str


def draw_time_line(view: TimeLineView, page: Page, cache: Cache = NOTHING_KEPT) -> str:
    """Returns a time line as an SVG element, from the cache if it is there."""

    def draw() -> str:
        sketch = Sketch(*page)
        _draw_turns(view, sketch)
        return sketch.svg(view.id, view.alt)

    return kept(cache, ["time line", view, page, gettext(START)], draw)


def _draw_turns(view: TimeLineView, sketch: Sketch) -> None:
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
        """Returns the x at which a turn begins; turn 0 is the time before the first."""
        return float(left + (right - left) * turn / (last + 1))

    _turns(view, sketch, [at(turn) for turn in range(last + 2)], (top, bottom))
    y = top
    for bar, lines, height in zip(bars, names, heights, strict=True):
        _lines(sketch, lines, y + 0.45 + sketch.line * 0.5)
        whole = sketch.line * 0.72
        for start, end, part in _pieces(bar, last):
            thick = whole * part
            box = (at(start), y + (height - whole) / 2 + (whole - thick))
            width = max(at(end) - at(start), 0.4)
            sketch.rectangle(box, width, thick, **bar_look(bar.colour, bar.side))
        y += height
        sketch.hair((0, y), (right, y))


def _pieces(bar: BarView, last: int) -> Iterator[tuple[int, int, float]]:
    """Yields the parts of a force's bar on the time line.

    Each is its first turn, the turn after its last, and its thickness from 0 to 1: the chance that
    the force is there. Without chances there is a single part, of thickness 1.
    """
    start = min(bar.turn, last + 1)
    if not bar.chances:
        yield start, last + 1, 1.0
    for turn, chance in enumerate(bar.chances, start):
        yield turn, turn + 1, chance


def _turns(
    view: TimeLineView, sketch: Sketch, edges: Sequence[float], ends: tuple[float, float]
) -> None:
    """Draws hairlines between turns, the numbers of turns below the bars, and the axis title.

    `edges` are the x of the lines, `ends` their upper and lower y. Numbers without room are left
    out.
    """
    top, bottom = ends
    last = view.last
    room = sketch.width_of(str(last)) + 1.0
    wide = edges[1] - edges[0]
    step = next((turns for turns in _TURN_STEPS if turns * wide >= room), _TURN_STEPS[-1])
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
