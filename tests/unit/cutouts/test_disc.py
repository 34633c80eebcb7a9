from __future__ import annotations

from fractions import Fraction
from math import asin, degrees, hypot
from typing import Any

import pytest
from beside import beside
from on_cutouts import circles, contours, expect_words_on, labels

from rulebook.cutouts.shapes import draw
from rulebook.drawing.shapes import Line, bend_radius
from rulebook.model.cutouts import Disc

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
