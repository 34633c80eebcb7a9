"""The odds of a chart -> its view: what is drawn, what it is called, and the same in words.

Probabilities and means become decimals here, on the way out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from rulebook.core import value_types
from rulebook.core.compute import ChartOdds
from rulebook.core.input_domains import Domain, row_texts
from rulebook.core.odds import ResultOdds
from rulebook.core.programs import relevant_inputs
from rulebook.core.value_types import More, in_order, outcome_text
from rulebook.drawing.charts import ChartView, SeriesView
from rulebook.quantities import EN_DASH, Chance, LengthUnit, Mean, format_number, join_words
from rulebook.translation import gettext, gettext_noop

#: Between conditions behind a label.
CONDITIONS = " + "
#: Between these parts of all cases lies the band around a mean: eight in ten.
_LOW, _HIGH = Fraction(1, 10), Fraction(9, 10)
#: Outcomes at either end that together are rarer than this are shown as one.
_RARE = Fraction(1, 400)
#: Places named one by one in the words of a chart; of more, so many evenly among them.
_MOST_TOLD = 20


def chart_view(chart_id: str, odds: ChartOdds) -> ChartView:
    """Composes the view of a chart, with the id `chart_id`, from its odds."""
    return _Viewing(chart_id, odds).view()


class _Viewing:
    """Composes the view of one chart."""

    def __init__(self, chart_id: str, odds: ChartOdds) -> None:
        self.id = chart_id
        self.odds = odds
        self.kind = odds.kind
        self.result = odds.program.results[odds.result].title

    def view(self) -> ChartView:
        if not self.odds.along:
            return self._outcomes()
        if isinstance(
            self.kind, value_types.NumberKind | value_types.LengthKind | value_types.FlagKind
        ):
            return self._along()
        return self._shares()

    def _made(self, **own: Any) -> ChartView:
        common: dict[str, Any] = {
            "id": self.id,
            "title": self._title(),
            "inner": "",
            "positions": (),
            "mean": None,
            "mean_label": "",
        }
        view = ChartView(
            **{**common, "note": self._note(own["shape"], own["series"]), "alt": "", **own}
        )
        return replace(view, alt=_in_words(view))

    def _title(self) -> str:
        """Returns the title of the chart, such as "A volley: casualties, by range and target"."""
        by = join_words((lowered(along.domain.label) for along in self.odds.along), "and")
        shown = lowered(self.result)
        if isinstance(self.kind, value_types.FlagKind):
            shown = gettext("chance of “%(result)s”", result=shown)
        title = f"{self.odds.program.title}: {shown}"
        return gettext("%(title)s, by %(inputs)s", title=title, inputs=by) if by else title

    def _note(self, shape: str, series: Sequence[SeriesView]) -> str:
        """Returns the note below the chart: what a band or stroke means, and the fixed inputs."""
        band = ""
        if any(line.low for line in series):
            line = gettext("The band holds eight cases in ten.")
            band = line if shape == "line" else gettext("The stroke spans eight cases in ten.")
        held = "; ".join(self._inputs_in_words())
        return " ".join(part for part in (band, f"{_upper(held)}." if held else "") if part)

    def _inputs_in_words(self) -> Iterator[str]:
        """Yields each fixed input that affects the result of the chart, as text with its value.

        Inputs that need not be mentioned at their value are left out.
        """
        odds = self.odds
        part = relevant_inputs(odds.program, [odds.result], odds.held)
        for name, value in odds.held.items():
            domain = odds.program.domains[name]
            if name in part and not domain.unsaid(value):
                flag = value is True
                yield lowered(domain.label) + (
                    "" if flag else f": {lowered(value_in_words(domain, value))}"
                )

    def _outcomes(self) -> ChartView:
        odds = self.odds.series[0][0]
        assert odds is not None, "a chart that shows nothing is a fault of the content"
        kept, fewer, more = _trimmed(odds)
        labels = [_outcome(value, self.kind) for value, _ in kept]
        if fewer:
            labels[0] = f"≤ {labels[0]}"
        if more and not isinstance(kept[-1][0], More):
            labels[-1] += "+"
        series = _series("", [share for _, share in kept], Chance)
        scaled = all(_on_scale(value) for value, _ in kept)
        return self._made(
            shape="outcomes" if scaled and len(kept) > 2 else "bars",
            unit="chance",
            axis=self.result,
            measure=gettext("Chance"),
            places=tuple(labels),
            positions=tuple(_position(value, kept) for value, _ in kept) if scaled else (),
            series=(series,),
            mean=None if odds.mean is None or not scaled else float(odds.mean),
            mean_label=""
            if odds.mean is None
            else gettext("mean %(mean)s", mean=Mean(odds.mean, unit_of(self.kind))),
        )

    def _along(self) -> ChartView:
        first, *inner = self.odds.along
        counted = first.counted and len(first.values) > 2
        names = [inner[0].domain.title_of(value) for value in inner[0].values] if inner else [""]
        flag = isinstance(self.kind, value_types.FlagKind)
        series = tuple(
            self._chances(name, line) if flag else self._means(name, line, band=not inner)
            for name, line in zip(names, self.odds.series, strict=True)
        )
        return self._made(
            shape="line" if counted else "bars",
            unit="chance" if flag else "number",
            axis=first.domain.label,
            measure=gettext("Chance of “%(result)s”", result=lowered(self.result))
            if flag
            else gettext("%(result)s, mean", result=self.result),
            inner=inner[0].domain.label if inner else "",
            places=tuple(first.domain.title_of(value) for value in first.values),
            positions=tuple(
                float(value) for value in first.values if isinstance(value, int | Fraction)
            )
            if counted
            else (),
            series=series,
        )

    def _chances(self, name: str, line: Sequence[ResultOdds | None]) -> SeriesView:
        return _series(name, [None if odds is None else odds.chance(True) for odds in line], Chance)

    def _means(self, name: str, line: Sequence[ResultOdds | None], *, band: bool) -> SeriesView:
        means = [None if odds is None else odds.mean for odds in line]
        series = _series(name, means, partial(Mean, unit=unit_of(self.kind)))
        bounds = [(_quantile(odds, _LOW), _quantile(odds, _HIGH)) for odds in line] if band else []
        if any(value is None for bound in bounds for value in bound):
            return series
        low, high = tuple(low for low, _ in bounds), tuple(high for _, high in bounds)
        return replace(series, low=low, high=high)

    def _shares(self) -> ChartView:
        (first,) = self.odds.along
        (line,) = self.odds.series
        met = {value: None for odds in line if odds for value, _ in odds.outcomes}
        return self._made(
            shape="shares",
            unit="chance",
            axis=first.domain.label,
            measure=self.result,
            inner=self.result,
            places=tuple(first.domain.title_of(value) for value in first.values),
            series=tuple(self._share(value, line) for value in in_order(self.kind, met)),
        )

    def _share(self, outcome: Any, line: Sequence[ResultOdds | None]) -> SeriesView:
        shares = [None if odds is None else odds.chance(outcome) for odds in line]
        return _series(_outcome(outcome, self.kind), shares, Chance)


def _series(
    name: str, numbers: Sequence[Fraction | None], quantity: Callable[[Fraction], object]
) -> SeriesView:
    """Makes a named series of numbers, each also as text.

    `quantity` makes a number into a quantity whose text is used. A missing number is a dash.
    """
    return SeriesView(
        name,
        tuple(None if number is None else float(number) for number in numbers),
        tuple(EN_DASH if number is None else str(quantity(number)) for number in numbers),
    )


def _trimmed(odds: ResultOdds) -> tuple[list[tuple[Any, Fraction]], bool, bool]:
    """Merges rare outcomes at each end of the scale into the next outcome.

    Returns the outcomes with their chances, and whether any were merged at the lower and at the
    upper end. At least three outcomes remain.
    """
    kept = list(odds.outcomes)
    ends = [False, False]
    for end in (0, -1):
        gathered = Fraction(0)
        while (
            len(kept) > 3
            and all(_on_scale(value) for value, _ in kept)
            and gathered + kept[end][1] < _RARE
        ):
            gathered += kept.pop(end)[1]
        if gathered:
            value, share = kept[end]
            kept[end] = (value, share + gathered)
            ends[end] = True
    return kept, ends[0], ends[1]


def _quantile(odds: ResultOdds | None, part: Fraction) -> float | None:
    """Returns the first outcome at which the cumulative chance reaches `part`.

    Returns None if there are no odds or if that outcome is no number.
    """
    if odds is None:
        return None
    reached = Fraction(0)
    for value, share in odds.outcomes:
        reached += share
        if reached >= part:
            return float(value) if isinstance(value, int | Fraction) else None
    return None


def _on_scale(value: Any) -> bool:
    return isinstance(value, int | Fraction | More) and not isinstance(value, bool)


def _position(value: Any, kept: Sequence[tuple[Any, Fraction]]) -> float:
    """Returns the position of an outcome on the scale of a chart.

    An outcome that stands for all greater numbers is one step after the last number in `kept`, the
    outcomes that are shown.
    """
    if not isinstance(value, More):
        return float(value)
    numbers = [float(outcome) for outcome, _ in kept if not isinstance(outcome, More)]
    return (numbers[-1] if numbers else 0.0) + 1.0


def unit_of(kind: value_types.Kind) -> LengthUnit | None:
    """Returns the unit of a kind of result that is a length; None for other kinds."""
    return kind.unit if isinstance(kind, value_types.LengthKind) else None


def _outcome(value: Any, kind: value_types.Kind) -> str:
    text = f"{value.listed}+" if isinstance(value, More) else outcome_text(value, kind)
    return _upper(text)


def value_in_words(domain: Domain, value: value_types.Value) -> str:
    """Returns the value of an input as text that can follow its label.

    Conditions are joined by CONDITIONS, since they may contain commas.
    """
    if isinstance(value, tuple):
        rows = row_texts(value, domain.titles.__getitem__)
        return CONDITIONS.join(map(lowered, rows)) or gettext("none")
    return domain.title_of(value)


def lowered(words: str) -> str:
    """Returns text with a small first letter, to be used inside a sentence.

    Text whose second letter is a capital, such as an abbreviation, is returned as it is.
    """
    return words if words[1:2].isupper() else words[:1].lower() + words[1:]


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]


_SHAPES = {
    "outcomes": gettext_noop("Column chart"),
    "line": gettext_noop("Line chart"),
    "bars": gettext_noop("Bar chart"),
    "shares": gettext_noop("Bars cut into shares"),
}


def _in_words(view: ChartView) -> str:
    """Returns the description of a chart for readers who do not see it.

    It has the title and all numbers, or those at an even selection of very many places.
    """
    series = "; ".join(_series_in_words(view))
    mean = f" {gettext('The %(mean)s.', mean=view.mean_label)}" if view.mean_label else ""
    return f"{gettext(_SHAPES[view.shape])}. {view.title}. {series}.{mean}"


def _series_in_words(view: ChartView) -> Iterator[str]:
    """Yields the numbers of a chart as text, a line for each series.

    For a chart of shares there is a line for each place instead.
    """
    places = _evenly(len(view.places))
    if view.shape == "shares":
        for index in places:
            parts = [f"{lowered(series.name)} {series.labels[index]}" for series in view.series]
            yield f"{view.places[index]}: {', '.join(parts)}"
        return
    for series in view.series:
        parts = [f"{view.places[index]}: {_labelled(series, index)}" for index in places]
        yield f"{series.name}: {', '.join(parts)}" if series.name else ", ".join(parts)


def _labelled(series: SeriesView, index: int) -> str:
    if not series.low or series.low[index] is None:
        return series.labels[index]
    low, high = (format_number(Fraction(bound[index] or 0)) for bound in (series.low, series.high))
    return gettext("%(mean)s (%(low)s to %(high)s)", mean=series.labels[index], low=low, high=high)


def _evenly(number: int) -> list[int]:
    if number <= _MOST_TOLD:
        return list(range(number))
    return sorted({round(step * (number - 1) / (_MOST_TOLD - 1)) for step in range(_MOST_TOLD)})


def chart_views(charts: Mapping[Any, ChartOdds]) -> dict[Any, ChartView]:
    """Composes the views of all charts, with ids numbered in their order from 1."""
    return {
        line: chart_view(f"chart-{number}", odds)
        for number, (line, odds) in enumerate(charts.items(), start=1)
    }
