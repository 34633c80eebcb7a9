"""Charts of sticks: bars at one scale, every stretch of them named."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from rulebook.drawing.layers import Look
from rulebook.drawing.svg import svg_text
from rulebook.figures.ranges import draw_ranges
from rulebook.model.sticks import Stick
from rulebook.text_fitting import text_width

SVG = "{http://www.w3.org/2000/svg}"


def stick(title: str, **marks: int) -> Stick:
    listed = [{"name": name.replace("_", " "), "to": f"{to}in"} for name, to in marks.items()]
    return Stick.model_validate({"shape": "stick", "title": title, "marks": listed})


def chart(*sticks: Stick) -> ElementTree.Element:
    return ElementTree.fromstring(svg_text(draw_ranges("Ranges", sticks, Look())))


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


def places(tree: ElementTree.Element) -> list[tuple[str, float, float, float]]:
    """Words, where they begin and end, and their baseline, mm; those that begin there alone."""
    return [
        (str(one.text), x, x + text_width(str(one.text), size), float(one.get("y", "0")))
        for one in tree.iter(f"{SVG}text")
        if one.get("text-anchor", "start") == "start"
        for x, size in [(float(one.get("x", "0")), float(one.get("font-size", "0")))]
    ]


def leaders(tree: ElementTree.Element) -> list[tuple[float, float, float]]:
    """The lines from bars to names: x, and from where to where they run down."""
    found = []
    for one in tree.iter(f"{SVG}path"):
        if one.get("stroke-width") == "0.18":
            (x, top), (_, foot) = re.findall(r"(-?[\d.]+),(-?[\d.]+)", one.get("d", ""))
            found.append((float(x), float(top), float(foot)))
    return found


CROWDED = {"At_hand": 1, "Very_near_indeed": 2, "Near": 3, "Not_far_off_at_all": 4, "Far": 40}


def test_names_without_room_hang_below_their_bar_clear_of_each_other() -> None:
    tree = chart(stick("Gun", **CROWDED), stick("Howitzer", Far=60))
    names = [one for one in places(tree) if one[0] not in ("Gun", "Howitzer")]
    assert [one[0] for one in names][::-1] == [name.replace("_", " ") for name in [*CROWDED][:4]]
    for one, other in combinations(names, 2):
        assert one[2] < other[1] or other[2] < one[1] or abs(one[3] - other[3]) > 2.5
    assert len(leaders(tree)) == 4
    for x, top, foot in leaders(tree):
        assert not any(left < x < right and top < base < foot for _, left, right, base in names)


def test_in_a_high_chart_names_without_room_are_letters_told_below() -> None:
    rows = [stick(f"Gun {number}", Canister=2, Round_shot=60) for number in range(12)]
    words = [one.text for one in chart(*rows, stick("Mortar", Canister=40)).iter(f"{SVG}text")]
    assert words.count("C") == 12 + 1 and words.count("Canister") == 1 + 1
    assert words.count("Round shot") == 12 and "R" not in words


def test_letters_of_names_are_those_of_their_words_while_free() -> None:
    rows = [stick(f"Gun {n}", Half=2, Half_grape=4, Heavy=6, Far=60) for n in range(12)]
    words = [one.text for one in chart(*rows).iter(f"{SVG}text")]
    assert [words.count(letter) for letter in "HGA"] == [13, 13, 13]


def test_the_axis_counts_in_the_unit_of_the_sticks() -> None:
    tree = chart(stick("Gun", Near=24, Far=60), stick("Bow", Far=24))
    words = [one.text for one in tree.iter(f"{SVG}text")]
    assert {"0", "12″", "24″", "36″", "48″", "60″"} <= set(words)


def test_a_bar_that_is_alone_says_its_lengths_once() -> None:
    words = [one.text for one in chart(stick("Gun", Near=24, Far=60)).iter(f"{SVG}text")]
    assert sorted(filter(None, words)) == ["24″", "60″", "Far", "Near"]


def test_no_letter_is_smaller_than_seven_points() -> None:
    sizes = [
        float(one.get("font-size", "0"))
        for one in chart(stick("A gun with a long name", Near=2, Far=60)).iter(f"{SVG}text")
    ]
    assert min(sizes) >= 7 * 25.4 / 72


def test_a_name_has_one_shade_and_neighbours_have_two() -> None:
    tree = chart(stick("Gun", Near=20, Middle=40, Far=60), stick("Bow", Middle=20, Near=60))
    stretches = [one for one in tree.iter(f"{SVG}g") if one.get("class") == "stretch"]
    shades = [path.get("fill") for one in stretches for path in one.findall(f"{SVG}path")[:1]]
    near, middle, far, *bow = shades
    assert bow == [middle, near]
    assert near != middle != far
