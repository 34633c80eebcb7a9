"""Pieces and windows of several cutouts on the same sheets."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from read_svg import Picture, expect_clear_edges, read_svg

from rulebook.cutouts.packing import Pieces
from rulebook.cutouts.sheets import MOST_SHEETS, Imprint, compose_sheets
from rulebook.drawing.shapes import Drawing, Label, rectangle
from rulebook.paper_and_ink import PaperName
from rulebook.quantities import QuantityError

IMPRINT = Imprint("Game", "1.0")
STICK = 24 * Fraction("25.4")


def plate(width: Any, height: Any, title: str = "Plate") -> Drawing:
    wide, high, zero = Fraction(width), Fraction(height), Fraction(0)
    outline = rectangle("cut", zero, zero, wide, high)
    words = Label(title.upper(), wide / 2, high / 2, Fraction(1, 2))
    return Drawing(title, "a rectangle", wide, high, (outline, words))


def cutout(*drawings: Drawing, title: str = "") -> Pieces:
    return Pieces(title or drawings[0].title, drawings)


def sheets(
    *cutouts: Pieces,
    paper: PaperName = "a4",
    title: str = "",
) -> list[Picture]:
    title = title or cutouts[0].title
    composed = compose_sheets(title, cutouts, paper, IMPRINT)
    return [read_svg(sheet.picture) for sheet in composed]


def outlines(picture: Picture) -> list[tuple[float, float, float, float]]:
    """The boxes of whole rectangles on a sheet, four lines each."""
    lines = picture.segments["cut"]
    found = []
    for index in range(0, len(lines), 4):
        xs = [x for line in lines[index : index + 4] for x in (line[0], line[2])]
        ys = [y for line in lines[index : index + 4] for y in (line[1], line[3])]
        found.append((min(xs), min(ys), max(xs), max(ys)))
    return found


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_three_windows_of_a_stick_of_24_inches_stand_on_one_sheet(paper: PaperName) -> None:
    (picture,) = sheets(cutout(plate(STICK, 20, "Stick")), paper=paper)
    told = picture.text()
    joins = [words for words in told if "joins" in words]
    assert joins == ["1 of 3: joins 2", "2 of 3: joins 1", "2 of 3: joins 3", "3 of 3: joins 2"]
    assert "sheet 1 of 1" in told and "Stick" in told
    assert any("cross on cross" in words for words in told)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_how_parts_are_joined_is_told_on_full_sheets_too(paper: PaperName) -> None:
    sticks = [cutout(plate(STICK, 38, f"Stick {number}")) for number in range(1, 9)]
    found = sheets(*sticks, paper=paper, title="Sticks")
    assert any("Sticks" not in picture.text() for picture in found), "no sheet is full"
    for picture in found:
        told = " ".join(picture.text())
        assert told.count("then cut along the heavy line.") == 1


def test_a_cutout_alone_on_its_sheet_stands_in_the_middle_with_its_heading() -> None:
    (picture,) = sheets(cutout(plate(100, 50)))
    ((left, _, right, _),) = outlines(picture)
    assert (left + right) / 2 == pytest.approx((20 + 297 - 10) / 2)
    assert "Plate" in picture.text() and "Plate · Game, edition 1.0" in picture.text()


def test_small_pieces_stand_apart_and_once_each() -> None:
    (picture,) = sheets(cutout(*[plate(25, 25)] * 20, title="Markers"))
    found = outlines(picture)
    assert len(set(found)) == 20
    for one in found:
        assert one[2] - one[0] == pytest.approx(25) and one[3] - one[1] == pytest.approx(25)
        for other in found:
            apart = max(other[0] - one[2], one[0] - other[2], other[1] - one[3], one[1] - other[3])
            assert one == other or apart >= 3 - 1e-3


def test_all_cutouts_are_named_and_small_pieces_have_one_name_together() -> None:
    (picture,) = sheets(
        cutout(plate(60, 60, "Disc")),
        cutout(*[plate(20, 20, "Token")] * 12, title="Tokens"),
        cutout(plate(80, 40, "Tray")),
        title="All cutouts",
    )
    told = picture.text()
    assert told.count("Disc") == told.count("Tokens") == told.count("Tray") == 1
    assert "Token" not in told
    assert "All cutouts" in told and "All cutouts · Game, edition 1.0" in told
    for name in ("Disc", "Tokens", "Tray"):
        (caption,) = [word for word in picture.words if word.text == name]
        below = [box for box in outlines(picture) if box[0] == pytest.approx(caption.x, abs=0.01)]
        assert min(abs(box[1] - caption.y) for box in below) < 4, "right above its piece"


def test_a_window_alone_on_a_sheet_among_others_is_told_by_its_footer() -> None:
    pictures = sheets(cutout(plate(STICK, 150, "Mat")), cutout(plate(60, 60, "Disc")), title="All")
    foot = [next(text for text in p.text() if "edition 1.0" in text) for p in pictures]
    assert foot == [
        "Mat, 1 of 3 · Game, edition 1.0",
        "Mat, 2 of 3 · Game, edition 1.0",
        "All · Game, edition 1.0",
    ]
    assert {"Mat, 3 of 3", "Disc"} <= set(pictures[2].text()), "the rest share a sheet"
    assert [f"sheet {n} of 3" in p.text() for n, p in enumerate(pictures, 1)] == [True] * 3


def test_two_like_large_pieces_are_told_apart() -> None:
    told = [text for p in sheets(cutout(*[plate(STICK, 20, "Stick")] * 2)) for text in p.text()]
    assert "Stick, 3 of 3" in told and "Stick, piece 2" in told


def test_a_turned_part_is_as_large_as_it_was() -> None:
    # too long for the paper as it lies, so that the last of them is turned on an upright sheet
    pictures = sheets(cutout(*[plate(170, 80)] * 3, plate(250, 5)))
    found = [box for picture in pictures for box in outlines(picture)]
    assert sorted(sorted((b[2] - b[0], b[3] - b[1])) for b in found) == [
        [pytest.approx(5), pytest.approx(250)],
        *[[pytest.approx(80), pytest.approx(170)]] * 3,
    ]


@pytest.mark.parametrize("size", [(100, "0.1"), (1000, "0.1"), ("0.1", "0.1"), (3000, 12)])
def test_very_thin_pieces_are_drawn(size: tuple[Any, Any]) -> None:
    for picture in sheets(cutout(plate(*size))):
        expect_clear_edges(picture)


def test_no_one_is_given_thousands_of_sheets() -> None:
    with pytest.raises(QuantityError) as raised:
        sheets(cutout(*[plate(170, 250)] * 401), title="Plates")
    assert raised.value.message == "Plates takes 401 or more sheets of a4"
    assert raised.value.expected == f"up to {MOST_SHEETS} sheets"


def test_the_bars_are_named_by_the_edge_along_which_they_lie() -> None:
    (wide,) = sheets(cutout(plate(200, 50)))
    (high,) = sheets(cutout(plate(50, 200)))
    for picture, right in ((wide, "y"), (high, "x")):
        names = {word.text: word for word in picture.words if word.text in {"x", "y"}}
        assert max(names, key=lambda name: names[name].x) == right
