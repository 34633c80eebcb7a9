"""Charts of sticks: bars at one scale, every stretch of them named."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from rulebook.drawing.svg import Look
from rulebook.figures.ranges import draw_ranges
from rulebook.model.cutouts.stick import Stick

SVG = "{http://www.w3.org/2000/svg}"


def stick(title: str, **marks: int) -> Stick:
    listed = [{"name": name.replace("_", " "), "to": f"{to}in"} for name, to in marks.items()]
    return Stick.model_validate({"shape": "stick", "title": title, "marks": listed})


def chart(*sticks: Stick) -> ElementTree.Element:
    return ElementTree.fromstring(draw_ranges("Ranges", sticks, Look()))


def bars(tree: ElementTree.Element) -> list[tuple[float, float]]:
    """Where each stretch begins and ends, mm."""
    found = []
    for group in tree.iter(f"{SVG}g"):
        path = group.find(f"{SVG}path") if group.get("class") == "stretch" else None
        if path is not None:
            xs = [float(x) for x, _ in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path.get("d", ""))]
            found.append((min(xs), max(xs)))
    return found


def test_twelve_inches_are_twice_six_in_every_row() -> None:
    pistol, musket = bars(chart(stick("Pistol", Range=6), stick("Musket", Range=12)))
    assert pistol[0] == musket[0]
    assert musket[1] - musket[0] == pytest.approx(2 * (pistol[1] - pistol[0]), abs=0.01)


def test_a_name_without_room_is_a_letter_everywhere_and_told_below() -> None:
    tree = chart(stick("Gun", Point_blank=2, Round_shot=60), stick("Howitzer", Point_blank=40))
    words = [one.text for one in tree.iter(f"{SVG}text")]
    assert words.count("Point blank") == 1 and words.count("A") == 3
    assert words.count("Round shot") == 1 and "B" not in words


def test_the_axis_counts_in_the_unit_of_the_sticks() -> None:
    words = [one.text for one in chart(stick("Gun", Near=24, Far=60)).iter(f"{SVG}text")]
    assert {"0", "12″", "24″", "36″", "48″", "60″"} <= set(words)


def test_no_letter_is_smaller_than_seven_points() -> None:
    sizes = [
        float(one.get("font-size", "0"))
        for one in chart(stick("A gun with a long name", Near=2, Far=60)).iter(f"{SVG}text")
    ]
    assert min(sizes) >= 7 * 25.4 / 72
