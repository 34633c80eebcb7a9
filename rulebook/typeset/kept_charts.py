"""Charts as SVG, kept from one build to the next under all that they draw.

Matplotlib is imported only when a chart is drawn that is not kept: that alone takes as long as ten
pages of a booklet.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from rulebook.cache import NOTHING_KEPT, Cache, digest_of
from rulebook.translation import gettext
from rulebook.typefaces import digest
from rulebook.typeset.chart_views import START, ChartView, TimeLineView

STAGE = "charts"
#: The width of a drawing in millimetres, and its type in points.
Page = tuple[float, float]
#: The modules that shape a drawing.
_SOURCES = ("charts.py", "chart_shapes.py", "time_line.py", "palette.py", "../maps/canvas.py")


@dataclass(frozen=True, slots=True)
class Charts:
    """Draws what is not kept."""

    cache: Cache = NOTHING_KEPT

    def chart(self, chart: ChartView, accent: str, page: Page) -> str:
        """A chart in the accent colour."""
        key = digest_of([_sources(), "chart", chart, accent, page])
        kept = self.cache.get(STAGE, key)
        if kept is not None:
            return kept.decode("utf-8")
        from rulebook.typeset.chart_shapes import draw_chart

        return self._put(key, draw_chart(chart, accent, page))

    def time_line(self, line: TimeLineView, page: Page) -> str:
        """A time line of a scenario."""
        key = digest_of([_sources(), "time line", line, page, gettext(START)])
        kept = self.cache.get(STAGE, key)
        if kept is not None:
            return kept.decode("utf-8")
        from rulebook.typeset.time_line import draw_time_line

        return self._put(key, draw_time_line(line, page))

    def _put(self, key: str, drawn: str) -> str:
        self.cache.put(STAGE, key, drawn.encode("utf-8"))
        return drawn


@lru_cache(maxsize=1)
def _sources() -> str:
    """The digest of what draws, its typeface and its library."""
    here = Path(__file__).parent
    parts = [hashlib.sha256((here / name).read_bytes()).hexdigest() for name in _SOURCES]
    return digest_of([*parts, digest(), version("matplotlib")])


#: Every chart is drawn.
ANEW = Charts()
