"""Charts and time lines as they are drawn: values, and all words that stand beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulebook.translation import gettext_noop

#: What stands on a time line below the place of all that is there before the first turn.
START = gettext_noop("start")


@dataclass(frozen=True, slots=True)
class SeriesView:
    """The values of a series in the order of the places; None where there is no value.

    `labels` are the values as they print. `low` and `high` bound the band around each, if there
    is one.
    """

    name: str
    values: tuple[float | None, ...]
    labels: tuple[str, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True)
class ChartView:
    """A chart, ready to be drawn.

    `shape`: `outcomes` are columns of chances along a scale of numbers, `line` runs along counts,
    `bars` lie beside names, `shares` are bars cut into the chances of several outcomes. `unit`
    says what the values are; chances run from 0 to 1. `positions` are where the places of a scale
    stand on it. `axis` and `measure` name the places and the values, `inner` the series. `mean`
    marks a place on the scale. `alt` says in words what is drawn.
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


@dataclass(frozen=True, slots=True)
class BarView:
    """A force on the time line, from its turn to the end."""

    label: str
    turn: int
    side: int
    colour: str


@dataclass(frozen=True, slots=True)
class TimeLineView:
    """Bars over turns from 0 to the last; `alt` says the same in words."""

    id: str
    bars: tuple[BarView, ...]
    last: int
    axis: str
    sides: tuple[tuple[int, str, str], ...]
    alt: str
