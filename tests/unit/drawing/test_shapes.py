"""Closed lines with bends: their box, their turns, their SVG and their DXF."""

from __future__ import annotations

import io
from itertools import pairwise
from math import cos, hypot, pi, radians, sin

import ezdxf
import pytest
from ezdxf.path import make_path
from fontTools.misc.bezierTools import segmentPointAtT

from rulebook.drawing.dxf import dxf
from rulebook.drawing.elements import Contour, Corner
from rulebook.drawing.layers import cutter_picture
from rulebook.drawing.shapes import Drawing, bounds, moved
from rulebook.drawing.svg import curves

NEAR = pytest.approx


RADIUS = 50.0


def wedge(angle: float, radius: float = RADIUS) -> Contour:
    """The point at (0, 0), the middle line straight up."""
    half = radians(angle / 2)
    left = Corner(-radius * sin(half), -radius * cos(half), angle)
    right = Corner(radius * sin(half), -radius * cos(half))
    return Contour("cut", (left, right, Corner(0, 0)))


def rim(angle: float, radius: float = RADIUS) -> list[tuple[float, float]]:
    steps = [radians(angle) * (n / 2000 - 0.5) for n in range(2001)]
    return [(radius * sin(turn), -radius * cos(turn)) for turn in steps]


@pytest.mark.parametrize("angle", [5, 30, 45, 90, 97, 180, 225, 270, 359])
def test_the_box_is_that_of_points_along_it(angle: float) -> None:
    xs, ys = zip(*rim(angle), (0, 0), strict=True)
    box = (min(xs), min(ys), max(xs), max(ys))
    assert bounds(wedge(angle)) == tuple(NEAR(side, abs=0.001) for side in box)


def test_a_bend_the_other_way_has_the_same_box() -> None:
    """A bite out of the upper side of a rectangle, so deep that it widens nothing."""
    bitten = Contour("cut", (Corner(10, 0, -180), Corner(30, 0), Corner(40, 20), Corner(0, 20)))
    assert bounds(bitten) == NEAR((0, 0, 40, 20))
    bump = Contour("cut", (Corner(10, 0, 180), Corner(30, 0), Corner(40, 20), Corner(0, 20)))
    assert bounds(bump) == NEAR((0, -10, 40, 20))


def test_it_moves_and_turns_with_its_drawing() -> None:
    shape = wedge(90)
    there = bounds(moved(shape, 100, 10))
    assert there == NEAR(
        tuple(a + b for a, b in zip(bounds(shape), (100, 10, 100, 10), strict=True))
    )
    width = RADIUS * 2**0.5
    upright = Drawing("", "", width, RADIUS, (moved(shape, width / 2, RADIUS),))
    lying = upright.turned()
    assert (lying.width, lying.height) == (RADIUS, width)
    assert bounds(lying.shapes[0]) == NEAR((0, 0, RADIUS, width), abs=0.001)


@pytest.mark.parametrize("angle", [5, 30, 90, 180, 270, 359])
def test_its_dxf_is_one_closed_line_along_the_circle(angle: int) -> None:
    shape = moved(wedge(angle), RADIUS, RADIUS)
    drawing = Drawing("", "", 100, 100, (shape,))
    document = ezdxf.read(io.StringIO(dxf(cutter_picture(drawing)).decode()))
    assert not document.audit().has_errors
    (line,) = document.modelspace()
    assert line.dxf.layer == "CUT" and line.closed
    around = [(p.x, p.y) for p in make_path(line).flattening(0.001)]
    assert around[0] == NEAR(around[-1], abs=1e-3)
    # y runs up there, and the point is at (50, 50)
    on_rim = [hypot(x - RADIUS, y - RADIUS) for x, y in around]
    assert max(on_rim) == NEAR(RADIUS, abs=0.03), "ezdxf's own curves are a little off"
    straight_up = min(around, key=lambda p: hypot(p[0] - RADIUS, p[1] - 2 * RADIUS))
    assert straight_up == (NEAR(RADIUS, abs=1.5), NEAR(2 * RADIUS, abs=0.05))
    area = abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise(around))) / 2
    assert area == NEAR(pi * RADIUS**2 * angle / 360, rel=0.002)


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
