"""Charts are drawn once for all that they draw, and are the same when taken again."""

from pathlib import Path
from typing import Any

import pytest

from rulebook.cache import Cache
from rulebook.typeset import charts as chart_drawing
from rulebook.typeset import time_line
from rulebook.typeset.chart_views import ANEW, Charts

PAGE = (111.0, 7.6)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What has been drawn."""
    found: list[Any] = []

    def draw(what: Any, *_: Any) -> str:
        found.append(what)
        return f"<svg>{what['id']} ″</svg>"

    monkeypatch.setattr(chart_drawing, "draw_chart", draw)
    monkeypatch.setattr(time_line, "draw_time_line", draw)
    return found


def test_what_is_kept_is_not_drawn_again(tmp_path: Path, drawn: list[Any]) -> None:
    for _ in range(2):
        charts = Charts(Cache(tmp_path))
        assert charts.chart({"id": "a"}, "#123456", PAGE) == "<svg>a ″</svg>"
        assert charts.time_line({"id": "b"}, PAGE) == "<svg>b ″</svg>"
    assert drawn == [{"id": "a"}, {"id": "b"}]


def test_what_differs_is_drawn(tmp_path: Path, drawn: list[Any]) -> None:
    charts = Charts(Cache(tmp_path))
    charts.chart({"id": "a"}, "#123456", PAGE)
    charts.chart({"id": "a"}, "#123457", PAGE)
    charts.chart({"id": "a"}, "#123456", (132.0, 8.6))
    charts.chart({"id": "c"}, "#123456", PAGE)
    charts.time_line({"id": "a"}, PAGE)
    assert len(drawn) == 5


def test_without_a_cache_every_chart_is_drawn(drawn: list[Any]) -> None:
    for _ in range(2):
        ANEW.chart({"id": "a"}, "#123456", PAGE)
    assert len(drawn) == 2
