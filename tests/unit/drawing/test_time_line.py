"""The time line of a scenario: all that it says lies within the drawing."""

import pytest

from rulebook.drawing.charts import BarView, TimeLineView, draw_time_line
from rulebook.drawing.sketch import Sketch


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
