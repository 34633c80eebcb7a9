"""The booklets of the shipped rulesets: how their pages end, their tables, the marks of notes."""

import pytest
from printed import document_of, printed
from read_ends import Ends

RULESETS = ("acw", "gridded", "horse-and-musket", "napoleonic-skirmish", "thin-red-line")


@pytest.fixture(scope="module", params=[(name, size) for name in RULESETS for size in ("a5", "a4")])
def booklet(request: pytest.FixtureRequest) -> Ends:
    name, paper = request.param
    return Ends(printed(f"booklet-{paper}.pdf", name))


#: Above a block or its heading, in millimetres, at the least; no ink shows it.
MARGIN = 5


def test_no_page_within_a_chapter_is_more_than_a_quarter_empty(booklet: Ends) -> None:
    """But before a chapter, and before what is higher than the room that is left."""
    opening = {page for page, top, level in booklet.headings if not level and top < 60}
    for page in booklet.chapters[:-1]:
        empty = booklet.empty(page)
        left = empty * (booklet.page.bottom - booklet.page.top)
        if page + 1 not in opening:
            next_one = booklet.whole_at_head(page + 1) + MARGIN
            assert empty <= 0.25 or next_one > left, f"page {page + 1}"


def test_a_heading_has_something_below_it(booklet: Ends) -> None:
    for page, top, level in booklet.headings:
        if page != booklet.chapters[-1]:
            down, lines = booklet.below(page, top)
            assert down >= 24.5 or (lines >= 3 and level), f"page {page + 1}, {top:.0f} mm down"


def test_tables_have_two_widths(booklet: Ends) -> None:
    full, half = booklet.page.measure, (booklet.page.measure - 6) / 2
    for block, drawn, paired in booklet.tables():
        width = max(ink.right for ink in drawn) - block.left
        assert width == pytest.approx(half if paired else full, abs=0.5), block.name


def test_text_goes_on_right_below_two_tables(booklet: Ends) -> None:
    for block, drawn, paired in booklet.tables():
        end = max(ink.bottom for ink in drawn)
        below = [ink.top for ink in booklet.ink(block.page) if ink.top > end]
        assert not (paired and below) or min(below) < end + 15, block.name


def test_two_narrow_tables_stand_side_by_side_on_paper_alone() -> None:
    kinds = {
        path: [part.kind for chapter in document_of(path).view.chapters
               for section in chapter.sections if section.id == "odds_of_volleys"
               for part in section.parts]
        for path in ("booklet-a5.pdf", "booklet.html")
    }  # fmt: skip
    assert kinds["booklet-a5.pdf"].count("pair") == 1
    assert kinds["booklet.html"].count("table") == 2
    assert kinds["booklet-a5.pdf"] == [
        "pair" if one == "table" else one
        for number, one in enumerate(kinds["booklet.html"])
        if kinds["booklet.html"][number - 1 : number + 1] != ["table", "table"]
    ]


def test_marks_of_notes_are_large_enough_and_not_in_the_cells_of_tables(booklet: Ends) -> None:
    marks = list(booklet.marks())
    assert len(marks) > 10
    assert min(mark.size for _, mark in marks) >= 6.5
    for block, drawn, _ in booklet.tables():
        lines = [ink.top for ink in drawn]
        beside = [mark for page, mark in marks if page == block.page]
        inside = [one for one in beside if min(lines) < one.top and one.bottom < max(lines)]
        assert not inside, block.name


def test_words_of_figures_are_no_smaller_than_seven_points(booklet: Ends) -> None:
    """Figures are drawn as wide as they are printed. In their captions there are marks of notes."""
    marks = list(booklet.marks())
    figures = [one for one in booklet.blocks if one.name.startswith(("figure-", "cutout-"))]
    assert figures
    for block in figures:
        of_notes = [mark for page, mark in marks if page == block.page]
        for letter in booklet.letters(block.page):
            x, y = (letter.left + letter.right) / 2, (letter.top + letter.bottom) / 2
            if letter.size < 7 and block.top < y < block.bottom:
                assert any(
                    mark.left - 0.3 <= x <= mark.right + 0.3 and mark.top - 0.5 <= y <= mark.bottom
                    for mark in of_notes
                ), f"{block.name}: {letter}"


def test_a_bar_beside_an_example_ends_with_its_text(booklet: Ends) -> None:
    bars = list(booklet.bars())
    assert bars
    for page, bar in bars:
        text = [ink.bottom for ink in booklet.ink(page) if ink.size and ink.top < bar.bottom]
        assert bar.bottom - max(text) < 3, f"page {page + 1}"
