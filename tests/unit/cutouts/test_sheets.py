"""Sheets of one cutout, and pieces and windows of several on the same sheets."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from read_svg import Picture, expect_clear_edges, read_svg

from rulebook.cutouts.packing import MOST_WINDOWS, Pieces
from rulebook.cutouts.shapes import pieces
from rulebook.cutouts.sheets import MOST_SHEETS, Imprint, compose_sheets
from rulebook.drawing.layers import Look
from rulebook.drawing.shapes import Drawing, Label, rectangle
from rulebook.model.cutouts import Burst, Cone, Cutout
from rulebook.paper_and_ink import PaperName, paper_size
from rulebook.quantities import QuantityError

IMPRINT = Imprint("The American Civil War Game", "2.0", "Lay the point at the muzzle.")


PAPERS = {name: paper_size(name, landscape=True) for name in ("a4", "letter", "a3")}


def composed(
    cutout: Cutout,
    paper: str,
    *,
    look: Look | None = None,
    imprint: Imprint = IMPRINT,
) -> list[dict[str, Any]]:
    drawn = Pieces(cutout.title, pieces(cutout, imprint=str(imprint)))
    name: Any = paper
    return compose_sheets(cutout.title, [drawn], name, imprint, look=look)


def pictures(cutout: Cutout, paper: str, *, look: Look | None = None) -> list[Picture]:
    return [read_svg(sheet) for sheet in composed(cutout, paper, look=look)]


@pytest.mark.parametrize("paper", PAPERS)
def test_a_sheet_is_as_large_as_its_paper(paper: str, cone: Cone) -> None:
    sheets = composed(cone, paper)
    for sheet in sheets:
        assert sheet.window[2:] == PAPERS[paper]
        picture = read_svg(sheet)
        assert (picture.width_mm, picture.height_mm) == PAPERS[paper]


@pytest.mark.parametrize("paper", ["a3", "a4", "a5", "letter"])
def test_every_sheet_has_check_bars_in_both_directions(
    paper: str, cone: Cone, burst: Burst
) -> None:
    for cutout in (cone, burst):
        for picture in pictures(cutout, paper):
            lines = picture.segments["engrave"]
            across = [s for s in lines if s[1] == s[3] and s[2] - s[0] == pytest.approx(101.6)]
            up = [s for s in lines if s[0] == s[2] and s[1] - s[3] == pytest.approx(101.6)]
            assert len(across) == len(up) == 1
            x, y = across[0][:2]
            assert (x, y) == up[0][:2]
            # long ticks at 0 and 100 mm to the one side, at every inch to the other
            ticks = {round(s[0] - x, 4) for s in lines if s[0] == s[2] and s[1] == y}
            assert {0, 50, 100, 25.4, 50.8, 76.2, 101.6} <= ticks
            ticks = {round(y - s[1], 4) for s in lines if s[1] == s[3] and s[0] == x}
            assert {0, 50, 100, 25.4, 50.8, 76.2, 101.6} <= ticks
            assert [word.text for word in picture.words].count("100 mm") == 2
            assert [word.text for word in picture.words].count("4 in") == 2


@pytest.mark.parametrize("paper", ["a3", "a4", "a5", "letter"])
def test_six_millimetres_stay_clear_at_the_edges(paper: str, cone: Cone, burst: Burst) -> None:
    for cutout in (cone, burst):
        for picture in pictures(cutout, paper):
            expect_clear_edges(picture)
            for word in (word for word in picture.words if not word.clipped):
                assert 6 <= word.x <= picture.width_mm - 6
                assert 6 + 0.5 * word.size <= word.y <= picture.height_mm - 6


def test_every_sheet_says_how_to_print_it_and_what_it_is(cone: Cone) -> None:
    for number, picture in enumerate(pictures(cone, "a4"), 1):
        told = picture.text()
        assert {"Print at 100 %, actual size.", "Measure this bar first."} <= set(told)
        assert f"sheet {number} of 3" in told
        assert "Canister cone · The American Civil War Game, edition 2.0" in told
        assert picture.title == f"Canister cone, {number} of 3"
        assert "Lay the point at the muzzle." in told


def test_words_of_other_tiles_are_not_on_a_sheet(cone: Cone) -> None:
    first, second, third = (set(picture.text()) for picture in pictures(cone, "a4"))
    assert {"4+", "Near", "muzzle"} <= first
    assert {"5+", "Middle"} <= second and {"6+", "Far"} <= third
    assert not {"5+", "6+"} & first and not {"4+", "6+"} & second and not {"4+", "5+"} & third


def test_low_ink_sheets_are_black_alone(cone: Cone) -> None:
    for picture in pictures(cone, "a4", look=Look(ink="low", accent="#123456")):
        assert "tint" not in picture.groups
        assert {word.fill for word in picture.words} == {"#000000"}


def test_titles_of_any_length_keep_to_the_footer(cone: Cone) -> None:
    cutout = cone.model_copy(update={"title": "<b>" + "W" * 197})
    imprint = Imprint("A ruleset of a long name " * 8, "2.0")
    for sheet in composed(cutout, "a4", imprint=imprint):
        picture = read_svg(sheet)
        foot = [word for word in picture.words if word.y > picture.height_mm - 8]
        assert foot[-1].text.startswith("sheet ")
        assert "…" not in "".join(picture.text())
        # the letter W is 0.81 of its type wide
        assert 6 + 0.81 * foot[0].size * len(foot[0].text) < foot[-1].x - 10


def huge(size: str) -> Cone:
    zones = [{"name": "All", "kills": "4+"}]
    facts = {"shape": "cone", "title": "Blast", "length": size, "base": size, "zones": zones}
    return Cone.model_validate(facts)


@pytest.mark.parametrize(
    ("size", "paper", "count", "hint"),
    [
        ("3m", "a4", 228, "make it smaller, or have its SVG plotted in one piece"),
        ("3m", "a3", 104, "make it smaller, or have its SVG plotted in one piece"),
        ("1.7m", "a4", 77, "choose a larger paper (a3 takes 35)"),
    ],
)
def test_a_cutout_of_more_sheets_than_anyone_glues_is_refused(
    size: str, paper: str, count: int, hint: str
) -> None:
    with pytest.raises(QuantityError) as raised:
        pictures(huge(size), paper)
    assert raised.value.message == f"the cutout Blast takes {count} sheets of {paper}"
    assert raised.value.expected == f"up to {MOST_WINDOWS} sheets"
    assert raised.value.hint == hint


GAME = Imprint("Game", "1.0")


STICK = 24 * Fraction("25.4")


def plate(width: Any, height: Any, title: str = "Plate") -> Drawing:
    wide, high, zero = Fraction(width), Fraction(height), Fraction(0)
    outline = rectangle("cut", zero, zero, wide, high)
    words = Label(title.upper(), wide / 2, high / 2, Fraction(1, 2))
    return Drawing(title, "a rectangle", wide, high, (outline, words))


def cutout(*drawings: Drawing, title: str = "") -> Pieces:
    return Pieces(title or drawings[0].title, drawings)


def shared(
    *cutouts: Pieces,
    paper: PaperName = "a4",
    title: str = "",
) -> list[Picture]:
    title = title or cutouts[0].title
    composed = compose_sheets(title, cutouts, paper, GAME)
    return [read_svg(sheet) for sheet in composed]


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
    (picture,) = shared(cutout(plate(STICK, 20, "Stick")), paper=paper)
    told = picture.text()
    joins = [words for words in told if "joins" in words]
    assert joins == ["1 of 3: joins 2", "2 of 3: joins 1", "2 of 3: joins 3", "3 of 3: joins 2"]
    assert "sheet 1 of 1" in told and "Stick" in told
    assert any("cross on cross" in words for words in told)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_how_parts_are_joined_is_told_on_full_sheets_too(paper: PaperName) -> None:
    sticks = [cutout(plate(STICK, 38, f"Stick {number}")) for number in range(1, 9)]
    found = shared(*sticks, paper=paper, title="Sticks")
    assert any("Sticks" not in picture.text() for picture in found), "no sheet is full"
    for picture in found:
        told = " ".join(picture.text())
        assert told.count("then cut along the heavy line.") == 1


def test_a_cutout_alone_on_its_sheet_stands_in_the_middle_with_its_heading() -> None:
    (picture,) = shared(cutout(plate(100, 50)))
    ((left, _, right, _),) = outlines(picture)
    assert (left + right) / 2 == pytest.approx((20 + 297 - 10) / 2)
    assert "Plate" in picture.text() and "Plate · Game, edition 1.0" in picture.text()


def test_small_pieces_stand_apart_and_once_each() -> None:
    (picture,) = shared(cutout(*[plate(25, 25)] * 20, title="Markers"))
    found = outlines(picture)
    assert len(set(found)) == 20
    for one in found:
        assert one[2] - one[0] == pytest.approx(25) and one[3] - one[1] == pytest.approx(25)
        for other in found:
            apart = max(other[0] - one[2], one[0] - other[2], other[1] - one[3], one[1] - other[3])
            assert one == other or apart >= 3 - 1e-3


def test_all_cutouts_are_named_and_small_pieces_have_one_name_together() -> None:
    (picture,) = shared(
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
    found = shared(cutout(plate(STICK, 150, "Mat")), cutout(plate(60, 60, "Disc")), title="All")
    foot = [next(text for text in p.text() if "edition 1.0" in text) for p in found]
    assert foot == [
        "Mat, 1 of 3 · Game, edition 1.0",
        "Mat, 2 of 3 · Game, edition 1.0",
        "All · Game, edition 1.0",
    ]
    assert {"Mat, 3 of 3", "Disc"} <= set(found[2].text()), "the rest share a sheet"
    assert [f"sheet {n} of 3" in p.text() for n, p in enumerate(found, 1)] == [True] * 3


def test_two_like_large_pieces_are_told_apart() -> None:
    told = [text for p in shared(cutout(*[plate(STICK, 20, "Stick")] * 2)) for text in p.text()]
    assert "Stick, 3 of 3" in told and "Stick, piece 2" in told


def test_a_turned_part_is_as_large_as_it_was() -> None:
    # too long for the paper as it lies, so that the last of them is turned on an upright sheet
    found = shared(cutout(*[plate(170, 80)] * 3, plate(250, 5)))
    found = [box for picture in found for box in outlines(picture)]
    assert sorted(sorted((b[2] - b[0], b[3] - b[1])) for b in found) == [
        [pytest.approx(5), pytest.approx(250)],
        *[[pytest.approx(80), pytest.approx(170)]] * 3,
    ]


@pytest.mark.parametrize("size", [(100, "0.1"), (1000, "0.1"), ("0.1", "0.1"), (3000, 12)])
def test_very_thin_pieces_are_drawn(size: tuple[Any, Any]) -> None:
    for picture in shared(cutout(plate(*size))):
        expect_clear_edges(picture)


def test_no_one_is_given_thousands_of_sheets() -> None:
    with pytest.raises(QuantityError) as raised:
        shared(cutout(*[plate(170, 250)] * 401), title="Plates")
    assert raised.value.message == "Plates takes 401 or more sheets of a4"
    assert raised.value.expected == f"up to {MOST_SHEETS} sheets"


def test_the_bars_are_named_by_the_edge_along_which_they_lie() -> None:
    (wide,) = shared(cutout(plate(200, 50)))
    (high,) = shared(cutout(plate(50, 200)))
    for picture, right in ((wide, "y"), (high, "x")):
        names = {word.text: word for word in picture.words if word.text in {"x", "y"}}
        assert max(names, key=lambda name: names[name].x) == right
