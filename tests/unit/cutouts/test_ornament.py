"""Ornaments: the lines of a cutout and nothing else, within their place."""

from __future__ import annotations

import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from rulebook.cutouts.shapes import svg_ornament
from rulebook.drawing.shapes import Drawing, Label, Line, circle, rectangle

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
