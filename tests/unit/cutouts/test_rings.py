"""Discs and arcs of fire: their rings, and the words in each."""

from __future__ import annotations

from fractions import Fraction
from math import asin, cos, degrees, hypot, radians, sin
from typing import Any

import pytest
from beside import beside
from on_cutouts import arrows, circles, contours, expect_words_on, labels

from rulebook.cutouts.shapes import draw
from rulebook.drawing.elements import Line, bend_radius
from rulebook.model.cutouts import Arc, Disc
from rulebook.quantities import Angle
from rulebook.text_fitting import text_width

INCH = Fraction("25.4")


BLAST = [
    {"name": "Near", "radius": "1in", "target": "3+"},
    {"name": "Middle", "diameter": "4in", "target": "4+"},
    {"name": "Far", "radius": "3in", "target": "5+"},
]


def disc(**more: Any) -> Disc:
    return Disc.model_validate({"shape": "disc", "title": "Blast", **more})


def test_the_circle_is_cut_exactly_and_the_hole_marks_its_middle() -> None:
    drawing = draw(disc(diameter="3in"))
    outside, (*middle, hole) = circles(drawing, "cut")
    assert outside == (INCH * 3 / 2,) * 3
    assert tuple(middle) == outside[:2] and 0.4 < hole < 1
    assert (drawing.width, drawing.height) == (3 * INCH, 3 * INCH)
    assert circles(draw(disc(radius="1.5in")), "cut")[0] == outside


def test_rings_are_scored_where_they_are_and_one_on_the_edge_is_not() -> None:
    drawing = draw(disc(radius="3in", rings=BLAST))
    assert [radius for *_, radius in circles(drawing, "score")] == [INCH, 2 * INCH]
    words = {one.text: one for one in labels(drawing)}
    for target, inner, outer in (("3+", 0, 1), ("4+", 1, 2), ("5+", 2, 3)):
        label = words[target]
        assert label.x == 3 * INCH
        assert 3 * INCH - outer * INCH < label.y < 3 * INCH - inner * INCH, "in its zone, above"
        assert label.size > 2 * words["Near"].size
    assert words["Blast"].y > 3 * INCH


def test_lines_across_go_from_edge_to_edge_but_for_the_words() -> None:
    plain, crossed = (
        draw(disc(radius="3in", rings=BLAST)),
        draw(disc(radius="3in", rings=BLAST, cross="true")),
    )
    level = [one for one in crossed.shapes if isinstance(one, Line) and one.y1 == one.y2]
    assert [(one.x1, one.x2) for one in level] == [(0, 6 * INCH)]
    upright = [one for one in crossed.shapes if isinstance(one, Line) and one.x1 == one.x2]
    assert {0, float(6 * INCH)} <= {round(float(y), 6) for one in upright for y in (one.y1, one.y2)}
    words = labels(crossed)
    for line in upright:
        low, high = sorted((float(line.y1), float(line.y2)))
        assert not [one for one in words if low < float(one.y) - 0.3 * one.size < high]
    arms = [one for one in plain.shapes if isinstance(one, Line) and one.y1 == one.y2]
    assert float(arms[0].x2 - arms[0].x1) < 10


@pytest.mark.parametrize(
    ("radius", "more", "sweep"),
    beside(__file__, "a_disc_that_is_too_wide_is_a_wedge_of_it"),
)
def test_a_disc_that_is_too_wide_is_a_wedge_of_it(
    radius: str, more: dict[str, str], sweep: int | None
) -> None:
    made = disc(radius=radius, **more)
    assert made.wedge == sweep
    if sweep is None or "sweep" in more:
        return
    widest = min(Fraction(more.get("widest", "12in").removesuffix("in")), 7) * INCH
    assert sweep == int(2 * degrees(asin(float(widest / 2 / made.reach))) + 1e-9)
    drawing = draw(made)
    assert drawing.width <= float(widest) + 1e-6 and drawing.height == made.reach


def test_the_rings_of_a_wedge_of_a_disc_are_arcs() -> None:
    drawing = draw(disc(radius="16in", rings=[{"name": "Re-roll", "radius": "8in"}]))
    (ring,) = contours(drawing, "score")
    assert bend_radius(*ring.corners) == pytest.approx(8 * 25.4)
    assert [one.turn for one in ring.corners] == [25, 0] and not ring.closed
    (cut,) = contours(drawing, "cut")
    point = next(one for one in cut.corners if one.y == 16 * INCH)
    for corner in cut.corners:
        if corner is not point:
            far = hypot(float(corner.x - point.x), float(corner.y - point.y))
            assert far == pytest.approx(16 * 25.4)
    told = [one.text for one in labels(drawing)]
    assert {"16″", "Re-roll", "8″"} <= set(told)


@pytest.mark.parametrize("title", ["x" * 200, "Ж" * 200, "🎲 &<> \u202efi"])
@pytest.mark.parametrize("size", [{"diameter": "10mm"}, {"radius": "3in"}, {"radius": "2ft"}])
def test_words_stay_on_it(title: str, size: dict[str, str]) -> None:
    rings = [{"name": title, "diameter": "8mm", "target": "6/6/6+"}]
    drawing = draw(disc(**{**size, "title": title, "rings": rings}), imprint=title)
    expect_words_on(drawing, 0.1)


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
def test_words_stay_on_an_arc(angle: str, words: str) -> None:
    rings = [{"name": words, "radius": "2in", "target": "6/6+"}]
    drawing = draw(arc(angle, title=words, origin=words, rings=rings), imprint=words)
    expect_words_on(drawing, 3)


def test_degrees_are_read_with_and_without_their_sign() -> None:
    made = [arc(written).angle for written in ("22.5", "22 1/2°", "22.5deg", "22.5 °")]
    assert made == [Angle(Fraction(45, 2))] * 4
