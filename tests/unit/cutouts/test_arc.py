from __future__ import annotations

from fractions import Fraction
from math import cos, radians, sin
from typing import Any

import pytest
from on_cutouts import arrows, circles, contours, expect_words_on, labels

from rulebook.cutouts.shapes import draw
from rulebook.drawing.shapes import Line, bend_radius
from rulebook.model.cutouts import Arc
from rulebook.quantities import Angle
from rulebook.text_fitting import text_width

INCH = Fraction("25.4")
NEAR = pytest.approx


def arc(angle: str, radius: str = "4in", **more: Any) -> Arc:
    data = {"shape": "arc", "title": "Arc", "angle": angle, "radius": radius}
    return Arc.model_validate({**data, **more})


@pytest.mark.parametrize("angle", [1, 30, 45, 90, 135, 180, 200, 270, 359])
def test_its_corners_are_where_its_angle_and_radius_put_them(angle: int) -> None:
    drawing = draw(arc(str(angle)))
    reach, half = 4 * 25.4, radians(angle / 2)
    wide = reach if angle >= 180 else reach * sin(half)
    assert drawing.width == NEAR(2 * wide)
    assert drawing.height == NEAR(reach if angle <= 180 else reach * (1 - cos(half)))
    left, right, *point = contours(drawing, "cut")[0].corners
    assert (left.x, left.y) == (NEAR(wide - reach * sin(half)), NEAR(reach - reach * cos(half)))
    assert (right.x, right.y) == (NEAR(wide + reach * sin(half)), NEAR(reach - reach * cos(half)))
    assert (left.turn, right.turn) == (angle, 0)
    assert [(one.x, one.y) for one in point] == (
        [] if angle == 180 else [(NEAR(wide), NEAR(reach))]
    )


def test_half_a_circle_has_a_flat_side_that_is_exact() -> None:
    left, right = contours(draw(arc("180°")), "cut")[0].corners
    assert [(left.x, left.y), (right.x, right.y)] == [(0, 4 * INCH), (8 * INCH, 4 * INCH)]


def test_a_whole_turn_is_a_circle() -> None:
    drawing = draw(arc("360", rings=[{"name": "Near", "radius": "2in"}]))
    assert len(circles(drawing, "cut", "score")) == len(contours(drawing, "cut", "score"))
    assert (4 * INCH,) * 3 in circles(drawing, "cut")
    assert circles(drawing, "score") == [(4 * INCH, 4 * INCH, 2 * INCH)]
    assert drawing.width == drawing.height == 8 * INCH


def test_the_middle_line_runs_straight_up_to_an_arrow_and_the_angle_is_told() -> None:
    drawing = draw(arc("90", "12in", origin="gun"), imprint="Game")
    middle = float(drawing.width) / 2
    dashed = [one for one in drawing.shapes if isinstance(one, Line) and one.dashed]
    assert dashed and all((one.x1, one.x2) == (NEAR(middle), NEAR(middle)) for one in dashed)
    assert max(float(one.y1) for one in dashed) == NEAR(12 * 25.4)
    (arrow,) = arrows(drawing)
    assert arrow[0] == (NEAR(middle), NEAR(0))
    words = [one.text for one in labels(drawing)]
    assert {"90°", "gun", "Arc", "90°, radius 12″ · Game"} <= set(words)


def test_its_rings_run_from_side_to_side_with_their_words_between() -> None:
    rings = [{"name": n, "radius": f"{r}in", "target": t} for n, r, t in
             (("Near", 4, "3+"), ("Middle", 8, "5+"), ("Far", 12, "6+"))]  # fmt: skip
    drawing = draw(arc("90", "12in", rings=rings))
    bends = [one.corners for one in contours(drawing, "score")]
    assert [bend_radius(*ends) for ends in bends] == [NEAR(4 * 25.4), NEAR(8 * 25.4)]
    for left, right in bends:
        assert left.turn == 90 and left.y == NEAR(right.y), "half to each side of straight up"
    words = {one.text: one for one in labels(drawing)}
    for target, low, high in (("3+", 0, 4), ("5+", 4, 8), ("6+", 8, 12)):
        assert low < 12 - float(words[target].y) / 25.4 < high


@pytest.mark.parametrize("angle", [60, 90, 180])
def test_words_keep_off_the_lines_of_a_wedge(angle: int) -> None:
    """Off the side that is cut, off the rings, and off the middle line, broken for them."""
    rings = [{"name": "Near", "radius": "3in"}]
    drawing = draw(arc(str(angle), "8in", title="Grape", origin="gun", rings=rings), imprint="G")
    words = {one.text: one for one in labels(drawing)}
    middle, half = float(drawing.width) / 2, radians(angle / 2)
    for told, side in (("Grape", -1), (f"{angle}°, radius 8″ · G", 1)):
        label = words[told]
        x, y = side * (float(label.x) - middle), 8 * 25.4 - float(label.y)
        along, inside = x * sin(half) + y * cos(half), y * sin(half) - x * cos(half)
        assert inside - 0.24 * float(label.size) >= 0.5, "letters below the line reach so far"
        reach = text_width(told, float(label.size)) / 2
        assert along - reach > 3 * 25.4 and along + reach < 8 * 25.4
    gun = 8 * 25.4 - float(words["gun"].y)
    for line in drawing.shapes:
        if isinstance(line, Line) and line.dashed:
            low, high = sorted(8 * 25.4 - float(y) for y in (line.y1, line.y2))
            assert high <= gun - 0.5 or low >= gun + 0.7 * float(words["gun"].size)


@pytest.mark.parametrize("angle", ["1", "12", "30", "90", "179", "180", "181", "300", "360"])
@pytest.mark.parametrize("words", ["y" * 200, "Щ" * 200])
def test_words_stay_on_it(angle: str, words: str) -> None:
    rings = [{"name": words, "radius": "2in", "target": "6/6+"}]
    drawing = draw(arc(angle, title=words, origin=words, rings=rings), imprint=words)
    expect_words_on(drawing, 3)


def test_degrees_are_read_with_and_without_their_sign() -> None:
    made = [arc(written).angle for written in ("22.5", "22 1/2°", "22.5deg", "22.5 °")]
    assert made == [Angle(Fraction(45, 2))] * 4
