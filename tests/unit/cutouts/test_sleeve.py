from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from on_cutouts import arrows, expect_words_on, labels

from rulebook.cutouts.shapes import draw
from rulebook.drawing.shapes import Line
from rulebook.model.sticks import Sleeve

INCH = Fraction("25.4")


def sleeve(**more: Any) -> Sleeve:
    data = {"shape": "sleeve", "title": "Sleeve", "length": "4in", "rod": "0.5in", "step": "1in"}
    return Sleeve.model_validate({**data, **more})


def test_its_scale_runs_in_steps_both_ways_from_the_arrow_at_its_middle() -> None:
    drawing = draw(sleeve())
    ticks = [
        one.x1
        for one in drawing.shapes
        if isinstance(one, Line) and one.layer == "engrave" and one.y1 == 0
    ]
    assert sorted(ticks) == [1 * INCH, 3 * INCH], "those at the ends are the edges themselves"
    words = {one.text: one for one in labels(drawing)}
    assert {"−2", "−1", "+1", "+2"} <= words.keys()
    assert words["+1"].x == 3 * INCH and words["−1"].x == INCH
    assert float(words["−2"].x) < 3 and float(words["+2"].x) > 98
    assert [tip[0] for tip, *_ in arrows(drawing)] == [2 * INCH] * 4
    finer = draw(sleeve(step="1/2in"))
    assert {"−4", "+4"} <= {one.text for one in labels(finer)}
    plain = draw(sleeve(step=None))
    assert not any(one.text == "+1" for one in labels(plain))


@pytest.mark.parametrize("title", ["x" * 200, "Ж" * 200, "&<>"])
def test_words_stay_on_it(title: str) -> None:
    drawing = draw(sleeve(title=title, away=title, towards=title), imprint=title, use=title)
    expect_words_on(drawing, 0.5)
