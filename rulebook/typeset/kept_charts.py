"""Charts as SVG, kept from one build to the next under all that they draw.

Matplotlib is imported only when a chart is drawn that is not kept: that alone takes as long as ten
pages of a booklet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulebook.cache import NOTHING_KEPT, Cache, digest_of
from rulebook.translation import gettext
from rulebook.typeset.chart_views import START, ChartView, TimeLineView

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
