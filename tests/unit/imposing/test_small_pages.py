"""Pages two up, to cut, and eight up, to fold with one cut: what lies where when that is done."""

from fractions import Fraction

import pytest
from read_sheets import Sheets, numbered_pages

from rulebook.imposing.arrangements import pocket_fold, two_up
from rulebook.imposing.imposition import impose
from rulebook.imposing.placing import Placement, PrintedSheet
from rulebook.paper_and_ink import half_of, paper_size, pocket_size

#: Across and away from who looks at the standing booklet from above.
Direction = tuple[int, int]


def leaves(sheet: PrintedSheet) -> dict[tuple[Direction, Direction], Placement]:
    """Folds a sheet as its marks say; the pages by the direction of their leaf and that they face.

    The upper row is folded behind the lower one, so that both look outwards, and the ends are
    pushed together: the inner pages of the lower row come forward, those of the upper row go back,
    and all leaves meet at their inner edges.
    """
    quarter, middle = sheet.width / 4, sheet.height / 2
    found: dict[tuple[Direction, Direction], Placement] = {}
    for place in sheet.front.placements:
        column, low = int(place.trim.left / quarter), place.trim.bottom < middle
        towards = 1 if low else -1
        outer: dict[int, tuple[Direction, Direction]] = {
            0: ((-1, 0), (0, towards)),
            1: ((0, towards), (-1, 0)),
            2: ((0, towards), (1, 0)),
            3: ((1, 0), (0, towards)),
        }
        assert place.on_its_head is not low, "all pages stand upright when it is folded"
        found[outer[column]] = place
    return found


def read_through(sheet: PrintedSheet) -> list[int | None]:
    """The pages as a reader turns them, from that which has no page on its left before it.

    Where two leaves meet, one looks at the other; seen from there, towards where all leaves meet,
    a page is on the right if the direction of its leaf is clockwise of that in which one looks.
    """
    by_place = leaves(sheet)
    right_of: dict[Direction, tuple[Direction, Direction]] = {}
    spreads: dict[Direction, tuple[int | None, int | None]] = {}
    for (leaf, faces), place in by_place.items():
        stands = (leaf[0] + faces[0], leaf[1] + faces[1])
        is_right = leaf[0] * stands[1] - leaf[1] * stands[0] > 0
        left, right = spreads.get(stands, (None, None))
        spreads[stands] = (left, place.page) if is_right else (place.page, right)
        if is_right:
            behind = (leaf, (-faces[0], -faces[1]))
            assert behind in by_place, "each leaf has two pages"
            right_of[stands] = (leaf[0] - faces[0], leaf[1] - faces[1]), leaf
    (start,) = (at for at, spread in spreads.items() if spread[1] == 0)
    order, at = [], start
    for _ in spreads:
        after = right_of[at][0]
        order += [spreads[at][1], spreads[after][0]]
        at = after
    return order


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_pocket_fold_reads_from_its_first_page_to_its_last(paper: str) -> None:
    assert read_through(pocket_fold(8, paper)) == list(range(8))
    assert read_through(pocket_fold(6, paper)) == [*range(6), None, None]


def test_it_is_cut_across_the_inner_pages_and_folded_along_every_other_edge() -> None:
    sheet = pocket_fold(8, "a4")
    cuts = [one for one in sheet.front.marks if not one.dashed]
    (cut,) = cuts
    assert (cut.x1, cut.x2) == (sheet.width / 4, 3 * sheet.width / 4)
    assert cut.y1 == cut.y2 == sheet.height / 2
    folds = {(one.x1, one.y1, one.x2, one.y2) for one in sheet.front.marks if one.dashed}
    w, h = sheet.width / 4, sheet.height / 2
    upright = {(n * w, Fraction(0), n * w, 2 * h) for n in (1, 2, 3)}
    assert folds == upright | {(Fraction(0), h, w, h), (3 * w, h, 4 * w, h)}


def test_read_back_a_page_of_a_pocket_fold_is_an_eighth_of_the_sheet() -> None:
    width, height = pocket_size("a4")
    pages = numbered_pages(8, width, height)
    sheet = Sheets(impose(pages, [pocket_fold(8, "a4")], title="Pocket"))
    assert sheet.sizes == [pytest.approx((297, 210), abs=0.002)]
    forms = {form.name: form for form in sheet.forms(0)}
    assert len(forms) == 8
    first = next(form for name, form in forms.items() if name.endswith("P0"))
    assert first.window == pytest.approx((3 * 297 / 4, 0, 297 / 4, 105), abs=0.01)


@pytest.mark.parametrize("landscape", [True, False])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_two_copies_stand_on_a_sheet_with_their_backs_behind_them(
    paper: str, *, landscape: bool
) -> None:
    page = paper_size(half_of(paper), landscape=landscape)
    first, last = two_up(3, page, paper)
    assert last.back is None and {one.page for one in last.front.placements} == {2}
    assert first.back is not None
    assert (float(first.width), float(first.height)) == paper_size(paper, landscape=not landscape)
    for front, back in zip(first.front.placements, first.back.placements, strict=True):
        assert (front.page, back.page) == (0, 1)
        assert (float(front.trim.width), float(front.trim.height)) == page
        assert first.paper.holds(front.trim) and first.paper.holds(back.trim)
    one, other = (place.trim for place in first.front.placements)
    assert not one.meets(other)
    for tick in first.front.marks:
        middle = first.height / 2 if landscape else first.width / 2
        assert (tick.y1, tick.y2) == (middle, middle) if landscape else tick.x1 == tick.x2 == middle
