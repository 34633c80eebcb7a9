"""Figures: what is drawn is read back from the SVG and reckoned again from squares alone."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from read_svg import ends_of

from rulebook.drawing.layers import Look
from rulebook.drawing.svg import svg_text
from rulebook.figures.drawing import HIGHEST, WIDEST_SQUARE, WIDTH, draw_figure, notes_of
from rulebook.model.cutouts import Burst, Cone, Disc
from rulebook.model.figures import RuleFigure
from rulebook.model.sticks import Stick

Point = tuple[float, float]
SVG = "{http://www.w3.org/2000/svg}"
#: What the wavering last decimals of coordinates come to, mm.
NEAR = 0.02


def figure(*elements: Any, **more: Any) -> RuleFigure:
    told = {"title": "A figure", "size": ["24", "12"], **more}
    return RuleFigure.model_validate({**told, **({"elements": list(elements)} if elements else {})})


def tree_of(made: RuleFigure, cutouts: Any = None, ink: Any = "full") -> ElementTree.Element:
    drawn = draw_figure(made, cutouts or {}, Look(ink=ink))
    return ElementTree.fromstring(svg_text(drawn.picture))


def paths(tree: ElementTree.Element, name: str) -> list[list[Point]]:
    """The points of every path in the groups of a class; of curves, their ends."""
    return [
        points_of(path.get("d", ""))
        for group in tree.iter(f"{SVG}g")
        if group.get("class") == name
        for path in group.iter(f"{SVG}path")
    ]


def points_of(d: str) -> list[Point]:
    return [end for _, end in ends_of(d)]


def long(points: list[Point]) -> float:
    return sum(math.dist(one, other) for one, other in pairwise(points))


def square_of(made: RuleFigure) -> float:
    """Millimetres of a square: as wide as the page allows, and no wider."""
    columns, rows = map(float, made.size)
    return min((WIDTH - 0.6) / columns, HIGHEST / rows, WIDEST_SQUARE)


class TestMeasures:
    def test_a_measure_of_twelve_is_twice_one_of_six(self) -> None:
        made = figure(
            {"measure": [["2", "2"], ["8", "2"]], "length": "6in"},
            {"measure": [["2", "4"], ["14", "4"]], "length": "12in"},
            square="1in",
        )
        short, whole = (long(one) for one in paths(tree_of(made), "measure"))
        assert whole == pytest.approx(2 * short, abs=NEAR)
        assert short == pytest.approx(6 * square_of(made), abs=NEAR)


class TestTroops:
    def test_the_front_of_a_base_is_where_it_faces(self) -> None:
        """For a base one square wide and deep, the thick edge is half a square off its middle."""
        for degrees, way in ((0, (0, -1)), (90, (1, 0)), (180, (0, 1)), (270, (-1, 0))):
            made = figure({"troops": "infantry", "at": ["10", "6"], "faces": str(degrees)})
            outline, front, *_ = paths(tree_of(made), "troops")
            middle = tuple(sum(axis) / 4 for axis in zip(*outline[:4], strict=True))
            ahead = tuple(sum(axis) / 2 for axis in zip(*front, strict=True))
            half = square_of(made) / 2
            assert ahead[0] - middle[0] == pytest.approx(way[0] * half, abs=NEAR)
            assert ahead[1] - middle[1] == pytest.approx(way[1] * half, abs=NEAR)

    def test_a_formation_has_its_bases_about_the_middle_of_its_front(self) -> None:
        made = figure({"troops": "infantry", "at": ["12", "6"], "ranks": "3 x 4", "gap": "0.5"})
        outlines = [one for one in paths(tree_of(made), "troops") if len(one) == 4]
        assert len(outlines) == 12
        xs, ys = zip(*(point for one in outlines for point in one), strict=True)
        mm = square_of(made)
        assert max(xs) - min(xs) == pytest.approx((4 + 3 * 0.5) * mm, abs=NEAR)
        assert max(ys) - min(ys) == pytest.approx((3 + 2 * 0.5) * mm, abs=NEAR)
        assert (max(xs) + min(xs)) / 2 == pytest.approx(WIDTH / 2, abs=NEAR)
        assert min(ys) == pytest.approx(0.3 + 6 * mm, abs=NEAR)

    def test_former_and_lost_bases_are_told_apart_without_a_colour(self) -> None:
        base = {"troops": "infantry", "at": ["6", "6"], "side": "enemy"}
        looks = [
            ElementTree.tostring(tree_of(figure({**base, **more}), ink="low"))
            for more in ({}, {"former": "true"}, {"lost": ["1"]}, {"chosen": ["1"]})
        ]
        assert len(set(looks)) == 4
        assert b"stroke-dasharray" in looks[1] and b"stroke-dasharray" not in looks[0]


class TestSights:
    def test_one_that_is_blocked_ends_there(self) -> None:
        made = figure({"sight": [["4", "2"], ["4", "10"]], "blocked": ["4", "5"]})
        tree, mm = tree_of(made), square_of(made)
        (seen,), (unseen,) = paths(tree, "sight"), paths(tree, "unseen")
        assert long(seen) == pytest.approx(3 * mm, abs=NEAR)
        assert long(unseen) == pytest.approx(5 * mm, abs=NEAR)
        assert seen[1] == unseen[0]
        assert paths(tree, "seen") == []

    def test_it_runs_from_edge_to_edge_of_the_bases_between_whose_middles_it_lies(self) -> None:
        base = {"troops": "infantry", "size": ["2", "1"]}
        made = figure(
            {**base, "at": ["4", "2.5"]},
            {**base, "at": ["4", "6.5"]},
            {**base, "at": ["4", "9.5"], "faces": "180", "side": "enemy"},
            {"sight": [["4", "2"], ["4", "10"]]},
        )
        (seen,), mm = paths(tree_of(made), "sight"), square_of(made)
        assert long(seen) == pytest.approx((8 - 2 * 0.5) * mm, abs=NEAR)

    def test_a_free_one_goes_to_its_target(self) -> None:
        made = figure({"sight": [["4", "2"], ["7", "6"]]})
        tree = tree_of(made)
        assert long(paths(tree, "sight")[0]) == pytest.approx(5 * square_of(made), abs=NEAR)
        assert paths(tree, "seen") and not paths(tree, "unseen")


class TestArcs:
    def test_it_reaches_as_far_as_the_rule_says(self) -> None:
        made = figure(
            {"arc": ["12", "1"], "angle": "90", "reach": "8in"}, square="1in", size=["24", "12"]
        )
        (arc,) = paths(tree_of(made), "arc")
        centre, *rim = arc
        for point in rim:
            assert math.dist(centre, point) == pytest.approx(8 * square_of(made), abs=NEAR)
        first, last = (math.atan2(y - centre[1], x - centre[0]) for x, y in (rim[0], rim[-1]))
        assert math.degrees(last - first) == pytest.approx(90, abs=0.1)


def cone() -> Cone:
    zones = [{"name": "Near", "to": "4in", "kills": "4+"}, {"name": "Far", "kills": "6+"}]
    told = {"shape": "cone", "title": "Cone", "length": "12in", "base": "3in", "zones": zones}
    return Cone.model_validate(told)


class TestCutouts:
    def test_it_lies_at_its_point_to_the_scale_of_the_figure(self) -> None:
        """The apex of the cone at its place, the middle of its base twelve inches ahead."""
        made = figure({"cutout": "cone", "at": ["2", "6"], "faces": "90"}, square="1in")
        tree, mm = tree_of(made, {"cone": cone()}), square_of(made)
        outline = cut_line(tree)
        apex = min(outline)
        left = (WIDTH - 24 * mm) / 2
        assert apex == pytest.approx((left + 2 * mm, 0.3 + 6 * mm), abs=NEAR)
        base = [point for point in outline if point[0] > apex[0] + mm]
        assert {round((x - apex[0]) / mm, 1) for x, _ in base} == {12.0}
        assert abs(base[0][1] - base[1][1]) == pytest.approx(3 * mm, abs=NEAR)

    @pytest.mark.parametrize("degrees", ["0", "180"])
    def test_a_disc_lies_about_its_middle_however_it_is_turned(self, degrees: str) -> None:
        told = {"shape": "disc", "title": "Disc", "radius": "2in"}
        made = figure({"cutout": "disc", "at": ["12", "6"], "faces": degrees}, square="1in")
        outline = cut_line(tree_of(made, {"disc": Disc.model_validate(told)}))
        x, y = (sum(axis) / len(axis) for axis in zip(*outline[1:], strict=True))
        assert (x, y) == pytest.approx((WIDTH / 2, 0.3 + 6 * square_of(made)), abs=0.1)

    def test_a_burst_shows_its_numbers(self, burst: Burst) -> None:
        made = figure({"cutout": "burst", "at": ["10", "6"]}, square="1in", size=["20", "12"])
        tree = tree_of(made, {"burst": burst})
        shown = [one.text for one in tree.iter(f"{SVG}text")]
        assert {"2", "3", "4", "5", "6"} <= set(shown)

    def test_the_stretches_of_a_stick_end_at_their_marks(self) -> None:
        marks = [{"name": "Near", "to": "8in"}, {"name": "Far", "to": "20in"}]
        stick = Stick.model_validate({"shape": "stick", "title": "Stick", "marks": marks})
        made = figure({"cutout": "stick", "at": ["2", "6"], "faces": "90"}, square="1in")
        near, far = paths(tree_of(made, {"stick": stick}), "cutout")
        mm = square_of(made)
        assert max(near)[0] - min(near)[0] == pytest.approx(8 * mm, abs=NEAR)
        assert max(far)[0] - min(near)[0] == pytest.approx(20 * mm, abs=NEAR)


def cut_line(tree: ElementTree.Element) -> list[Point]:
    """The outline of the one cutout that lies in a figure, on the page."""
    (group,) = (
        group
        for group in tree.iter(f"{SVG}g")
        if group.get("class") == "cutout" and group.find(f"{SVG}g[@class='cut']") is not None
    )
    inner = group.find(f"{SVG}g[@class='cut']")
    assert inner is not None
    drawn = inner[0]
    points = points_of(drawn.get("d", ""))
    steps = re.findall(r"(\w+)\(([^)]*)\)", group.get("transform", ""))
    told = {name: [*map(float, numbers.split())] for name, numbers in steps[1:]}
    x, y = map(float, steps[0][1].split())
    (turn,), (scale,), (back, up) = told.get("rotate", [0.0]), told["scale"], told["translate"]
    sine, cosine = math.sin(math.radians(turn)), math.cos(math.radians(turn))
    moved = [((a + back) * scale, (b + up) * scale) for a, b in points]
    return [(x + a * cosine - b * sine, y + a * sine + b * cosine) for a, b in moved]


class TestWords:
    def test_no_letter_is_smaller_than_seven_points(self) -> None:
        made = figure(
            {"troops": "infantry", "at": ["12", "6"], "ranks": "2 x 6", "label": "the regiment"},
            {"note": "A note", "at": ["4", "4"]},
            {"words": "Some words", "at": ["20", "10"]},
        )
        sizes = [float(one.get("font-size", "0")) for one in tree_of(made).iter(f"{SVG}text")]
        assert len(sizes) == 3
        assert min(sizes) >= 7 * 25.4 / 72

    def test_a_label_stands_free_where_it_can(self) -> None:
        """Behind the first unit stands the second, so its words stand beside it."""
        first = {"troops": "infantry", "at": ["12", "8"], "ranks": "1 x 6", "label": "first"}
        second = {"troops": "infantry", "at": ["12", "7"], "ranks": "1 x 6"}
        made = figure(first, second)
        (label,) = tree_of(made).iter(f"{SVG}text")
        mm = square_of(made)
        assert abs(float(label.get("x", "0")) - WIDTH / 2) > 3 * mm
        assert draw_figure(made, {}, Look()).crowded == ()

    def test_words_over_words_are_told(self) -> None:
        words = [{"words": "closing fire", "at": [x, "6"]} for x in ("12", "12.5")]
        assert draw_figure(figure(*words), {}, Look()).crowded == (("elements", 1),)

    def test_notes_are_numbered_through_all_panels(self) -> None:
        panels = [
            {"caption": caption, "elements": [{"note": caption, "at": ["6", "6"]}]}
            for caption in ("before", "after")
        ]
        made = figure(panels=panels, size=["12", "12"])
        assert [str(one.note) for one in notes_of(made)] == ["before", "after"]
        shown = [one.text for one in tree_of(made).iter(f"{SVG}text")]
        assert {"1", "2", "a before", "b after"} <= set(shown)


class TestInk:
    def test_low_ink_is_black_lines_and_type(self) -> None:
        made = figure(
            {"ground": "woods", "oval": [["1", "1"], ["8", "6"]]},
            {"zone": [["9", "1"], ["14", "1"], ["14", "5"]]},
            {"arc": ["18", "2"], "angle": "90", "radius": "5"},
            {"troops": "infantry", "at": ["12", "10"], "ranks": "2 x 6"},
            {"cutout": "cone", "at": ["2", "8"], "faces": "90"},
            square="1in",
        )
        colours = {
            one
            for element in tree_of(made, {"cone": cone()}, ink="low").iter()
            for one in (element.get("fill"), element.get("stroke"))
        }
        grey = {"#8a8178"}  # the frame
        assert colours - grey <= {None, "none", "#000000", "#ffffff"}


def test_a_zone_has_no_dashes_on_the_frame_where_the_picture_ends() -> None:
    """A triangle that stands on the upper edge is drawn by its two other sides."""
    made = figure({"zone": [["2", "12"], ["10", "12"], ["6", "4"]]})
    for ink in ("full", "low"):
        (border,) = paths(tree_of(made, ink=ink), "border")
        square = square_of(made)
        ends = {(round(x / square), round(12 - (y - 0.3) / square)) for x, y in border}
        assert len(border) == 4
        assert {y for _, y in ends} == {4, 12}
        slant = math.hypot(4, 8) * square
        assert [math.dist(*border[:2]), math.dist(*border[2:])] == pytest.approx(
            [slant, slant], abs=NEAR
        )


def test_the_number_of_a_note_stands_off_what_is_dark_behind_it() -> None:
    made = figure(
        {"troops": "infantry", "at": ["6", "6"], "ranks": "4 x 4"},
        {"at": ["6", "4"], "note": "Here."},
    )
    (note,) = (one for one in tree_of(made).iter(f"{SVG}g") if one.get("class") == "note")
    halo, disc = note.findall(f"{SVG}path")[:2]
    across = [max(x for x, _ in points_of(one.get("d", ""))) for one in (halo, disc)]
    assert halo.get("fill") == "#ffffff"
    assert disc.get("fill") == "#000000"
    assert across[0] - across[1] >= 0.4
