from __future__ import annotations

from math import cos, hypot, radians, sin

import pytest
from fontTools.misc.bezierTools import segmentPointAtT

from rulebook.drawing.layers import curves


@pytest.mark.parametrize("turn", [1, 30, 45, 90, 179, 180, 270, 359, -30, -180, -300])
def test_curves_run_along_the_circle_from_end_to_end(turn: float) -> None:
    """About (10, 20), from straight up, clockwise as y runs down."""
    radius, middle = 1500.0, (10.0, 20.0)
    here = start = (middle[0], middle[1] - radius)
    end = (
        middle[0] + radius * sin(radians(turn)),
        middle[1] - radius * cos(radians(turn)),
    )
    drawn = list(curves(start, end, turn))
    for one, other, there in drawn:
        for step in range(21):
            x, y = segmentPointAtT((here, one, other, there), step / 20)
            assert hypot(x - middle[0], y - middle[1]) == pytest.approx(radius, abs=0.01)
        here = there
    assert here == end
    assert len(drawn) <= abs(turn) / 45 + 1
    halfway = segmentPointAtT((start, *drawn[0]), 0.5)
    assert (halfway[0] > middle[0]) == (turn > 0), "it turns the right way"
