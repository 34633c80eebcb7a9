"""Sticks: every length is reckoned here from the marks alone, in inches of 25.4 mm."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from beside import written
from on_cutouts import arrows, contours, expect_words_on, labels, points
from read_svg import read_svg

from rulebook.cutouts.shapes import draw
from rulebook.cutouts.stick import SMALLEST, colour_letters, draw_stick, stick_picture
from rulebook.drawing.dxf import dxf
from rulebook.drawing.elements import Contour, Line
from rulebook.drawing.layers import Look, cutter_picture, svg
from rulebook.drawing.shapes import Drawing, Label, Shape, bounds
from rulebook.drawing.small_pictures import miniature
from rulebook.model.sticks import Sleeve, Stick

INCH = Fraction("25.4")


BOUNCE = [
    ("Black", 18, "black"),
    *(
        (f"{group}, {colour}", end, colour)
        for group, ends in (("Near", (26, 34, 42)), ("Middle", (46, 50, 54)), ("Far", (56, 58, 60)))
        for colour, end in zip(("white", "yellow", "green"), ends, strict=True)
    ),
]


def stick(marks: Any = None, **more: Any) -> Stick:
    wanted = marks or [{"name": n, "to": f"{to}in", "colour": c} for n, to, c in BOUNCE]
    return Stick.model_validate({"shape": "stick", "title": "Stick", "marks": wanted, **more})


def worded(drawing: Drawing, words: str) -> list[Label]:
    return [one for one in drawing.shapes if isinstance(one, Label) and one.text == words]


def dividers(drawing: Drawing) -> list[tuple[object, object]]:
    """Where the lines between bands begin."""
    return [points(one)[0] for one in contours(drawing, "engrave") if not one.closed]


def test_a_length_beyond_the_last_mark_is_left_plain() -> None:
    drawing = draw(stick([{"name": "Near", "to": "8in"}], length="10in"))
    assert drawing.width == 254
    assert [x for x, _ in dividers(drawing)] == [8 * INCH]
    assert len(contours(drawing, "tint")) == 1


def test_every_band_has_its_colour_and_the_letter_that_says_the_same() -> None:
    drawing = draw(stick())
    painted = {(bounds(one)[0], bounds(one)[2]): one.fill for one in contours(drawing, "tint")}
    ends = [0, *(inches for _, inches, _ in BOUNCE)]
    bands = [painted.pop((a * INCH, b * INCH)) for a, b in pairwise(ends)]
    assert len(set(bands)) == 4
    assert [*painted.values()] == ["#ffffff"] * 2, "under the tip and the words of the black band"
    for letter, count in {"B": 1, "W": 3, "Y": 3, "G": 3}.items():
        assert len(worded(drawing, letter)) == count
    for (_, inches, colour), start in zip(BOUNCE, ends, strict=False):
        own = [one for one in worded(drawing, colour[0].upper()) if start * INCH < one.x]
        assert any(one.x < inches * INCH for one in own), "the letter stands in its band"


def test_low_ink_has_no_paint_and_all_letters() -> None:
    low = svg(draw(stick()), Look(ink="low", lines="printed"))
    picture = read_svg(low)
    assert "tint" not in picture.groups
    assert [picture.text().count(letter) for letter in "BWYG"] == [1, 3, 3, 3]


@pytest.mark.parametrize(
    ("colours", "told"),
    [
        (["white", "yellow", "green"], ["W", "Y", "G"]),
        (["black", "blue", "brown"], ["Bla", "Blu", "Br"]),
        (["grey", "green", "red"], ["Grey", "Gree", "R"]),
        ([], []),
    ],
)
def test_letters_are_the_fewest_that_tell_the_colours_apart(
    colours: list[str], told: list[str]
) -> None:
    assert colour_letters(colours) == dict(zip(colours, told, strict=True))


def test_a_wrap_has_letters_and_marks_on_every_face() -> None:
    drawing = draw(stick(rod="0.5in"))
    side = INCH / 2
    for words, count in (("B", 4), ("W", 12), ("Y", 12), ("G", 12)):
        found = worded(drawing, words)
        assert len(found) == count
        assert {int(float(one.y) // float(side)) for one in found} == {0, 1, 2, 3}
    for face in range(4):
        own = [x for x, y in dividers(drawing) if y == face * side]
        assert own == [n * INCH for _, n, _ in BOUNCE[:-1]]


def test_inches_and_centimetres_are_ticked_by_the_unit_of_the_length() -> None:
    def ticked(drawing: Drawing) -> list[Fraction]:
        return sorted(
            Fraction(one.x1)
            for one in drawing.shapes
            if isinstance(one, Line) and one.layer == "engrave"
        )

    inches = draw(stick([{"name": "Near", "to": "4in"}]))
    assert ticked(inches) == [half * INCH / 2 for half in range(1, 8)]
    assert [worded(inches, number)[0].x for number in "123"] == [INCH, 2 * INCH, 3 * INCH]
    metric = draw(stick([{"name": "Near", "to": "12cm"}]))
    assert ticked(metric) == [10 * number for number in range(1, 12)]
    assert worded(metric, "10") and not worded(metric, "7")
    assert ticked(draw(stick([{"name": "Near", "to": "4in"}], ticks="false"))) == []


def test_targets_are_printed_large_and_ends_are_told() -> None:
    drawing = draw(
        stick(
            written(
                "[{name: Near, to: 8in, target: 4+}, {name: Middle, to: 15.5in, target: -1}, "
                "{name: Far, to: 24in, target: 12}, {name: Beyond, to: 30in, target: never}]"
            )
        )
    )
    for words in ("4+", "−1", "12", "–"):
        (large,) = [one for one in worded(drawing, words) if one.weight == "bold"]
        assert large.size >= 8
    assert [worded(drawing, end)[0].anchor for end in ("8″", "15½″", "24″", "30″")] == ["end"] * 4
    assert "Near to 8″, 4+; Middle to 15½″, −1" in drawing.description


def inside(shape: Shape, drawing: Drawing, slack: float = 0.5) -> bool:
    left, top, right, bottom = (float(n) for n in bounds(shape))
    return (
        left >= -slack
        and top >= -slack
        and right <= float(drawing.width) + slack
        and bottom <= float(drawing.height) + slack
    )


NAMES = ["x" * 200, "Ждите " * 30, "射程" * 60, "&<>\"'", "e\N{COMBINING ACUTE ACCENT}" * 50, "—"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("more", [{}, {"rod": "0.5in"}, {"width": "5mm"}, {"width": "1m"}])
def test_names_of_any_length_keep_to_their_bands(name: str, more: dict[str, str]) -> None:
    name = name.strip()[:200]
    drawing = draw(
        stick(
            [
                {"name": name, "to": "3mm"},
                {"name": name, "to": "20mm", "colour": "red"},
                {"name": name, "to": "6in", "target": "4+"},
                {"name": name, "to": "3m"},
            ],
            **more,
        ),
        imprint=name,
        use=name,
    )
    assert all(inside(shape, drawing) for shape in drawing.shapes)
    assert all(float(one.size) >= SMALLEST for one in drawing.shapes if isinstance(one, Label))
    for text in (svg(drawing), miniature(drawing, 60), miniature(drawing, 100)):
        read_svg(text)
    dxf(cutter_picture(drawing))


def test_hundreds_of_marks_are_drawn() -> None:
    marks = [
        {"name": f"{n} " + "long words " * 15, "to": f"{n * 3}mm", "colour": "blue"}
        for n in range(1, 201)
    ]
    drawing = draw(stick(marks, rod="0.5in"))
    read_svg(miniature(drawing, 60))
    assert len(dividers(drawing)) == 4 * 199
    assert len(drawing.description) < 6000


@pytest.mark.parametrize("width", [60, 100])
def test_the_small_picture_tells_the_ends_without_one_over_another(width: int) -> None:
    picture = read_svg(miniature(draw(stick()), width))
    told = {word.text: word for word in picture.words}
    assert {"18″", "26″", "34″", "42″", "60″", "B", "W", "Y", "G"} <= told.keys()
    assert all(0 <= word.x <= width and 0 <= word.y <= picture.height_mm for word in picture.words)
    ends = sorted(
        ((word.y, word.x) for word in picture.words if word.text.endswith("″")),
    )
    for (y, x), (other_y, other_x) in pairwise(ends):
        assert y != other_y or other_x - x > 3.5


def test_sticks_beside_each_other_are_as_long_in_pictures_as_on_the_table() -> None:
    """Twelve inches beside forty are three tenths as long, though both pictures are as wide."""
    long = 40 * Fraction("25.4")
    ends = {}
    for inches in (12, 40):
        made = stick(
            [{"name": "Near", "to": f"{inches // 4}in"}, {"name": "Far", "to": f"{inches}in"}]
        )
        picture = stick_picture(made, long)
        assert picture.width == long
        (cut,) = contours(picture, "cut")
        ends[inches] = bounds(cut)[2]
        words = " ".join(one.small for one in picture.captions)
        assert "Near" in words and "Far" in words
    assert ends[12] / ends[40] == Fraction(12, 40)


@pytest.mark.parametrize("end", ["1mm", "2mm", "5mm", "12mm", "40mm"])
def test_a_name_is_whole_or_reported(end: str) -> None:
    name = "Light battalion's own"
    made = stick([{"name": name, "to": end}, {"name": "Rest", "to": "200mm"}])
    drawn = draw_stick(made, "Game, edition 1.0")
    told = " ".join(one.text for one in drawn.shapes if isinstance(one, Label))
    assert "…" not in told
    assert all(word in told for word in name.split()) != (
        name in {one.words for one in drawn.unset}
    )


@pytest.mark.parametrize("rod", [None, "1/2in"])
def test_the_filled_tip_is_seen_on_a_dark_band(rod: str | None) -> None:
    shapes = draw(stick(rod=rod)).shapes
    tips = [
        at for at, one in enumerate(shapes) if isinstance(one, Contour) and one.fill == "accent"
    ]
    assert len(tips) == (4 if rod else 1)
    for at in tips:
        ground = shapes[at - 1]
        assert isinstance(ground, Contour) and ground.fill == "#ffffff"
        assert bounds(ground) == bounds(shapes[at]), "white around the tip, laid before it"


def sleeve(**more: Any) -> Sleeve:
    data = {"shape": "sleeve", "title": "Sleeve", "length": "4in", "rod": "0.5in", "step": "1in"}
    return Sleeve.model_validate({**data, **more})


def test_its_scale_runs_in_steps_both_ways_from_the_arrow_at_its_middle() -> None:
    drawing = draw(sleeve())
    ticks = [
        one.x1
        for one in drawing.shapes
        if isinstance(one, Line) and one.layer == "engrave" and one.y1 == 0
    ]
    assert sorted(ticks) == [1 * INCH, 3 * INCH], "those at the ends are the edges themselves"
    words = {one.text: one for one in labels(drawing)}
    assert {"−2", "−1", "+1", "+2"} <= words.keys()
    assert words["+1"].x == 3 * INCH and words["−1"].x == INCH
    assert float(words["−2"].x) < 3 and float(words["+2"].x) > 98
    assert [tip[0] for tip, *_ in arrows(drawing)] == [2 * INCH] * 4
    finer = draw(sleeve(step="1/2in"))
    assert {"−4", "+4"} <= {one.text for one in labels(finer)}
    plain = draw(sleeve(step=None))
    assert not any(one.text == "+1" for one in labels(plain))


@pytest.mark.parametrize("title", ["x" * 200, "Ж" * 200, "&<>"])
def test_words_stay_on_a_sleeve(title: str) -> None:
    drawing = draw(sleeve(title=title, away=title, towards=title), imprint=title, use=title)
    expect_words_on(drawing, 0.5)
