"""Charts and time lines as they are drawn: values, words, and their SVG, kept between builds.

Matplotlib is imported only when a chart is drawn that is not kept: that alone takes as long as ten
pages of a booklet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rulebook.cache import NOTHING_KEPT, Cache, digest_of
from rulebook.translation import gettext, gettext_noop

#: What stands on a time line below the place of all that is there before the first turn.
START = gettext_noop("start")


@dataclass(frozen=True, slots=True)
class SeriesView:
    """The values of a series in the order of the places; None where there is no value.

    `labels` are the values as they print. `low` and `high` bound the band around each, if there
    is one. `colour` is its own, where it is not the chart that chooses.
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
    `bars` lie beside names, `shares` are bars cut into the chances of several outcomes. `unit`
    says what the values are; chances run from 0 to 1. `positions` are where the places of a scale
    stand on it. `axis` and `measure` name the places and the values, `inner` the series. `mean`
    marks a place on the scale. Where values stay as they are up to the next place, `steps` says so,
    and lines go up and down in steps. `alt` says in words what is drawn.
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


STAGE = "charts"
#: The width of a drawing in millimetres, and its type in points.
Page = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Charts:
    """Draws what is not kept."""

    cache: Cache = NOTHING_KEPT

    def chart(self, chart: ChartView, accent: str, page: Page) -> str:
        """A chart in the accent colour."""

        def draw() -> str:
            from rulebook.typeset.charts import draw_chart

            return draw_chart(chart, accent, page)

        return self._kept(["chart", chart, accent, page], draw)

    def time_line(self, line: TimeLineView, page: Page) -> str:
        """A time line of a scenario."""

        def draw() -> str:
            from rulebook.typeset.time_line import draw_time_line

            return draw_time_line(line, page)

        return self._kept(["time line", line, page, gettext(START)], draw)

    def _kept(self, drawn_from: list[object], draw: Callable[[], str]) -> str:
        key = digest_of(drawn_from)
        kept = self.cache.get(STAGE, key)
        if kept is not None:
            return kept.decode("utf-8")
        drawn = draw()
        self.cache.put(STAGE, key, drawn.encode("utf-8"))
        return drawn


#: Every chart is drawn.
ANEW = Charts()
