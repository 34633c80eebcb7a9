from __future__ import annotations

from typing import Any

import pytest
from read_svg import Picture, expect_clear_edges, read_svg

from rulebook.cutouts.packing import MOST_WINDOWS, Pieces
from rulebook.cutouts.shapes import pieces
from rulebook.cutouts.sheets import Imprint, compose_sheets
from rulebook.drawing.layers import Look
from rulebook.model.cutouts import Burst, Cone, Cutout
from rulebook.paper_and_ink import paper_size
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
    return [read_svg(sheet.picture) for sheet in composed(cutout, paper, look=look)]


@pytest.mark.parametrize("paper", PAPERS)
def test_a_sheet_is_as_large_as_its_paper(paper: str, cone: Cone) -> None:
    sheets = composed(cone, paper)
    for sheet in sheets:
        assert (sheet.width, sheet.height) == PAPERS[paper]
        picture = read_svg(sheet.picture)
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
        picture = read_svg(sheet.picture)
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
