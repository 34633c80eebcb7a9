"""What matplotlib draws is drawn once for all that shapes it, and is the same when taken again."""

from dataclasses import replace
from pathlib import Path

import pytest

from rulebook.cache import Cache
from rulebook.drawing.charts import (
    BarView,
    ChartView,
    SeriesView,
    TimeLineView,
    draw_chart,
    draw_time_line,
)
from rulebook.drawing.sketch import Sketch

PAGE = (111.0, 7.6)


BARS = SeriesView("All", (0.25, 0.75), ("25%", "75%"))


PLACES = (("A", "B"), (1.0, 2.0))


CHART = ChartView(
    "a", "bars", "chance", "T", "Axis", "Of", "", *PLACES, (BARS,), None, "", "", "Alt ″"
)


LINE = TimeLineView(
    "b", (BarView("First", 1, 0, "#123456"),), 5, "Turn", ((0, "#123456", "Us"),), ""
)


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The heights of what has been drawn."""
    found: list[float] = []
    begin = Sketch.begin

    def spy(self: Sketch, height: float) -> None:
        found.append(height)
        begin(self, height)

    monkeypatch.setattr(Sketch, "begin", spy)
    return found


def test_what_is_kept_is_not_drawn_again(tmp_path: Path, begun: list[float]) -> None:
    first, again = (
        (
            draw_chart(CHART, "#123456", PAGE, Cache(tmp_path)),
            draw_time_line(LINE, PAGE, Cache(tmp_path)),
        )
        for _ in range(2)
    )
    assert first == again
    assert "Alt ″" in first[0]
    assert len(begun) == 2


def test_what_differs_is_drawn(tmp_path: Path, begun: list[float]) -> None:
    cache = Cache(tmp_path)
    draw_chart(CHART, "#123456", PAGE, cache)
    draw_chart(CHART, "#123457", PAGE, cache)
    draw_chart(CHART, "#123456", (132.0, 8.6), cache)
    draw_chart(replace(CHART, id="c"), "#123456", PAGE, cache)
    assert len(begun) == 4


@pytest.mark.parametrize("last", [5, 30, 100])
def test_the_number_of_the_last_turn_is_not_cut_off(
    last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: dict[str, tuple[float, float]] = {}

    def text(self: Sketch, at: tuple[float, float], words: str, **how: object) -> None:
        width = self.width_of(words, bold=bool(how.get("bold")))
        left = at[0] - (width / 2 if how.get("anchor") == "center" else 0)
        said[words] = left, left + width

    monkeypatch.setattr(Sketch, "text", text)
    bars = (BarView("First Brigade", 1, 0, "#1f4e96"),)
    draw_time_line(TimeLineView("a", bars, last, "Turn", ((0, "#1f4e96", "Union"),), "A"), (104, 8))
    assert str(last) in said
    assert all(left >= 0 and right <= 104 for left, right in said.values())
