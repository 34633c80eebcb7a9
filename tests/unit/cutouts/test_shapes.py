"""Pictures of one cutout and of two: ornaments, and an old outline over a new one."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from beside import beside
from read_svg import SVG, read_svg

from rulebook.cutouts.shapes import LEGEND, Overlaid, draw, svg_ornament, svg_overlay
from rulebook.drawing.elements import Line
from rulebook.drawing.shapes import Drawing, Label, circle, rectangle
from rulebook.model.cutouts import Arc, Burst, Cone, Cutout, Tray
from rulebook.model.sticks import Stick

PLACE = (Fraction(66), Fraction(52))


BOX = rectangle("cut", 0, 0, 90, 30)


def drawn(*shapes: object, width: int = 90, height: int = 30) -> str:
    return svg_ornament(Drawing("Cone", "A cone", width, height, shapes), *PLACE)  # type: ignore[arg-type]


def size(text: str) -> tuple[float, float]:
    root = ElementTree.fromstring(text)
    width, height = (float(root.attrib[side].removesuffix("mm")) for side in ("width", "height"))
    return width, height


def test_lines_are_white_and_words_and_fills_are_left_out() -> None:
    text = drawn(
        BOX,
        Line("score", 30, 0, 30, 30),
        circle("engrave", 45, 15, 5),
        rectangle("tint", 0, 0, 90, 30, fill=1),
        Label("4+", 10, 10, 5),
        rectangle("engrave", 0, 0, 5, 5, fill="accent"),
    )
    assert "<text" not in text and "4+" not in text
    assert set(re.findall(r'fill="([^"]*)"', text)) == {"none"}
    assert set(re.findall(r'stroke="([^"]*)"', text)) == {"#ffffff"}
    assert [d[-1] for d in re.findall(r' d="([^"]*)"', text)].count("Z") == 2
    assert "<title>Cone</title>" in text


@pytest.mark.parametrize(("width", "height"), [(90, 30), (30, 90), (10, 10), (900, 20), (1, 400)])
def test_it_fills_its_place_and_does_not_leave_it(width: int, height: int) -> None:
    wide, high = size(drawn(BOX, width=width, height=height))
    assert wide <= 66.001 and high <= 52.001
    assert wide == pytest.approx(66, abs=0.01) or high == pytest.approx(52, abs=0.01)
    assert wide >= high, "a long drawing lies along the longer side of the place"


def test_a_strip_shows_its_picture() -> None:
    strip = Drawing("Stick", "", 900, 10, (BOX,), picture=Drawing("", "", 60, 30, (BOX,)))
    wide, high = size(svg_ornament(strip, *PLACE))
    assert wide / high == pytest.approx(2, abs=0.05)


WIDTH = 100.0


SHAPES: dict[str, Any] = {"cone": Cone, "burst": Burst, "arc": Arc, "stick": Stick, "tray": Tray}


LONGER = [{"name": "Near", "to": "6in"}, {"name": "Far", "to": "18in"}]


Point = tuple[float, float]


def cutout(name: str, **values: Any) -> Cutout:
    return SHAPES[name].model_validate(beside(__file__, name) | values)


def overlay(old: Cutout, new: Cutout) -> str:
    both = Overlaid(old, draw(old), "1.0"), Overlaid(new, draw(new), "2.0")
    return svg_overlay(*both, WIDTH)


def outlines(text: str) -> tuple[list[Point], list[Point]]:
    """The points of the old and of the new cut line on the page."""
    root = ElementTree.fromstring(text.encode())
    found: dict[bool, list[Point]] = {True: [], False: []}
    old = {
        id(one) for g in root.iter(f"{SVG}g") if "stroke-dasharray" in g.attrib for one in g.iter()
    }
    for group in root.iter(f"{SVG}g"):
        moved = re.fullmatch(
            r"translate\((\S+) (\S+)\) scale\((\S+)\)", group.attrib.get("transform", "")
        )
        if moved is None:
            continue
        right, down, scale = map(float, moved.groups())
        for cut in group.findall(f"{SVG}g[@class='cut']/*"):
            data = cut.attrib.get("points") or cut.attrib["d"]
            numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", data)]
            points = zip(numbers[::2], numbers[1::2], strict=True)
            found[id(cut) in old] += [(right + scale * x, down + scale * y) for x, y in points]
    return found[True], found[False]


def near(points: list[Point], wanted: Point) -> bool:
    return any(point == pytest.approx(wanted, abs=0.01) for point in points)


def width(points: list[Point]) -> float:
    return max(x for x, _ in points) - min(x for x, _ in points)


def test_two_cones_begin_at_one_muzzle_at_one_scale() -> None:
    old, new = outlines(overlay(cutout("cone"), cutout("cone", length="28in", base="6in")))
    apex = min(new)
    assert near(old, apex) and near(new, apex)
    assert width(old) / width(new) == pytest.approx(24 / 28, abs=0.001)


def test_circles_have_one_centre() -> None:
    old, new = outlines(overlay(cutout("burst"), cutout("burst", diameter="8in")))
    assert width(old) / width(new) == pytest.approx(6 / 8, abs=0.001)
    middles = [(max(x for x, _ in one) + min(x for x, _ in one)) / 2 for one in (old, new)]
    assert middles[0] == pytest.approx(middles[1], abs=0.01)


def test_sectors_have_one_point() -> None:
    old, new = outlines(overlay(cutout("arc"), cutout("arc", radius="4in")))
    assert near(old, max(new, key=lambda point: point[1]))


@pytest.mark.parametrize("more", [{"files": "5"}, {"files": "4", "ranks": "2"}])
def test_stands_of_trays_have_one_place(more: dict[str, str]) -> None:
    old, new = outlines(overlay(cutout("tray"), cutout("tray", **more)))
    assert near(new, min(old)), "the first of their stands"


def test_sticks_lie_below_one_another_from_one_end() -> None:
    old, new = outlines(overlay(cutout("stick"), cutout("stick", marks=LONGER)))
    assert min(old)[0] == pytest.approx(min(new)[0], abs=0.01)
    assert width(old) / width(new) == pytest.approx(12 / 18, abs=0.001)
    assert max(y for _, y in old) < min(y for _, y in new)


@pytest.mark.parametrize(
    ("old", "new", "lengths"),
    [
        (cutout("cone"), cutout("cone", length="28in", base="6in"), ["24″", "28″", "5″", "6″"]),
        (cutout("burst"), cutout("burst", diameter="8in"), ["6″", "8″", "2″"]),
        (cutout("arc"), cutout("arc", radius="4in"), ["radius 6″", "radius 4″"]),
        (cutout("stick"), cutout("stick", marks=LONGER), ["12″", "18″"]),
    ],
)
def test_both_are_named_and_measured_within_the_picture(
    old: Cutout, new: Cutout, lengths: list[str]
) -> None:
    picture = read_svg(overlay(old, new))
    assert picture.width_mm == WIDTH
    assert {"1.0", "2.0", *lengths} <= set(picture.text())
    for word in picture.words:
        assert 0 <= word.x <= WIDTH and 0 < word.y < picture.height_mm
    for points in outlines(overlay(old, new)):
        assert all(0 <= x <= WIDTH and LEGEND < y < picture.height_mm for x, y in points)


def test_the_words_of_the_picture_say_which_is_which() -> None:
    told = read_svg(overlay(cutout("cone"), cutout("cone", base="6in"))).description
    assert told == "Cone: 2.0 as solid lines, 1.0 as dashed ones"
