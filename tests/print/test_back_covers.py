"""The end of a booklet: pages to write on where one that is folded needs more, and its back."""

import pytest
from covered import covered, edges_are_printed, first_pages, view_of
from drawn_pictures import drawing
from read_pdf import Printed, tidy
from read_sheets import Sheets
from shipped_rulesets import SHIPPED, shipped

from rulebook.documents.booklet.layout import booklet_page
from rulebook.documents.parts.back_cover import compose_back
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import templates_folder
from rulebook.paper_and_ink import paper_size
from rulebook.typeset.pdf import lay_out

PAPERS = {name: paper_size(name) for name in ("a5", "a4", "letter")}

#: What the pages to write on ask for, in each book.
FORMS = {
    "acw": (
        "Roster Unit Rank and file Officers Crew Gun Officer",
        "Games played Date Battle Union Confederate Result Gettysburg, the First Day "
        "Sawmill Village The Wagon Train",
        "Our own rules Cavalry without breakthrough Sharpshooters Round shot by sleeve Zouaves",
    ),
    "horse-and-musket": (
        "Roster Unit Fighting strength Fatigue",
        "Games played Date Battle Rearguard Pursuers Result The Bridge at Altwasser",
        "Our own rules",
    ),
}


def small() -> Ruleset:
    return covered("image/svg+xml", drawing(""), summary="Two forces meet.", licence="CC0")


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_back_cover_is_outside_when_the_sheets_are_folded(paper: str) -> None:
    """Beside the front, on the left of the first side; what is behind each is printed on it."""
    sheets = Sheets(first_pages(small(), f"booklet-{paper}-imposed.pdf"))
    assert len(sheets.sizes) == 2, "one sheet: cover, title, a page to write on, back"
    width = sheets.sizes[0][0] / 25.4 * 72
    found = [
        tidy(page.get_textpage().get_text_bounded(left=left, right=left + width / 2))
        for page in sheets.viewed
        for left in (0, width / 2)
    ]
    back, front, title, filler = found
    assert back.startswith("SMALL WARS Two forces meet.") and "CC0" in back
    assert front.upper().startswith("SMALL WARS EDITION")
    assert title.startswith("SMALL WARS") and "Two forces" not in title
    assert filler.startswith("Notes")


@pytest.mark.parametrize("name", FORMS)
def test_the_pages_to_write_on_are_for_the_game(name: str) -> None:
    html, styles = booklet_page(view_of(shipped(name), "a5"), templates_folder())
    layout = lay_out(html, styles, templates=templates_folder(), name="booklet")
    first = layout.first_pages()
    numbers = [first[key] for key in ("filler-1", "filler-2", "filler-3", "back-cover")]
    assert numbers == [*range(numbers[0], numbers[0] + 4)], "each on one page"
    texts = Printed(layout.pdf(print_hints=False)).texts
    for number, words in zip(numbers[:3], FORMS[name], strict=True):
        assert words in texts[number - 1]


@pytest.mark.parametrize(
    ("name", "paper"), [*((name, "a5") for name in SHIPPED), ("acw", "a4"), ("acw", "letter")]
)
def test_each_shipped_book_has_a_back_cover(name: str, paper: str) -> None:
    ruleset = shipped(name)
    booklet = Printed(first_pages(ruleset, f"booklet-{paper}.pdf"))
    last = len(booklet.texts) - 1
    assert edges_are_printed(booklet, last)
    assert (last + 1) % 4 == 0 if paper == "a5" else last == 2
    width, height = PAPERS[paper]
    for letter in booklet.letters(last):
        assert 10 < letter.left < letter.right < width - 10
        assert 10 < letter.top < letter.bottom < height - 10
        assert letter.size >= 7.5
    text = booklet.texts[last]
    back = compose_back(ruleset)
    told = [*(title for _, title in back.needs), *back.turn, ruleset.header.edition]
    assert all(one in text for one in [*told, ruleset.header.players or ""])
    foot = [one for one in booklet.letters(last) if one.top > 0.87 * height]
    [edition] = [one for one in foot if one.text == "E"]
    lowest = max(one.bottom for one in booklet.letters(last) if one.bottom < edition.top)
    assert edition.top - lowest > 5, "what a game takes keeps clear of the foot"
