"""Bars of 2.0 in the booklet and on the sheet: beside what changed, beside nothing else."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from beside import beside
from read_pdf import Printed
from rendered import rendered_file
from revised_acw import bars, is_barred, of_first, of_second, page_of

from rulebook.documents.booklet import layout as booklet
from rulebook.documents.qrs.galley import Galleys
from rulebook.packaged import templates_folder

TEMPLATES = templates_folder()
#: Rule changes and clarifications, as a player of 1.0 finds them in the booklet of 2.0.
CHANGED = beside(__file__, "changed")
#: What both drafts say alike, and what only reads otherwise.
UNCHANGED = beside(__file__, "unchanged")


@pytest.fixture(scope="module")
def small() -> Printed:
    """The small booklet of 2.0."""
    return Printed(rendered_file(of_second()["booklet-a5"], "booklet-a5.pdf"))


@pytest.mark.parametrize("words", CHANGED)
def test_what_changed_has_a_bar(small: Printed, words: str) -> None:
    assert is_barred(small, page_of(small, words), words)


@pytest.mark.parametrize("words", UNCHANGED)
def test_what_is_as_it_was_has_none(small: Printed, words: str) -> None:
    assert not is_barred(small, page_of(small, words), words)


def test_bars_stand_in_the_margin_of_rules_alone(small: Printed) -> None:
    notes = next(number for _, words, number in small.bookmarks() if words.startswith("Design"))
    marked = [number for number in range(len(small.texts)) if bars(small, number)]
    assert marked and max(marked) < notes
    for number in marked:
        letters = small.letters(number)
        right = max(letter.right for letter in letters)
        for x, top, bottom in bars(small, number):
            assert right < x < small.sizes[number][0] - 7, "clear of the text and of the edge"
            assert top < bottom < max(letter.bottom for letter in letters) + 1


def test_bars_change_no_line_of_the_booklet() -> None:
    marked, plain = (
        booklet.booklet_page(of_second(marked=one)["booklet-a5"].view, TEMPLATES)
        for one in (True, False)
    )
    assert unmarked(marked[0]) == unmarked(plain[0])
    assert marked[1] == plain[1]


def test_bars_change_nothing_on_the_sheet() -> None:
    """The same panels at the same size of type, and so in the same places."""
    views = [replace(of_second(marked=one)["qrs-a4"].view, columns=4) for one in (True, False)]
    heights = [Galleys(view, TEMPLATES).at(8).panels() for view in views]
    assert heights[0] == heights[1]


def unmarked(html: str) -> str:
    """A page without the classes of marks and the line that explains them."""
    html = re.sub(r' (data-bars)="[a-z]+"|<br>A bar in the margin[^<]*', "", html)
    html = re.sub(r' class="revised"|(?<=[\w-]) (?:revised|changed)(?=")', "", html)
    return re.sub(r"\s+", " ", html)


def test_the_first_draft_has_no_bars() -> None:
    for name in ("booklet-a5", "qrs-a4"):
        assert of_first()[name].view.since is None
    html, _ = booklet.booklet_page(of_first()["booklet-a5"].view, TEMPLATES)
    assert "revised" not in html and "data-bars" not in html


def test_the_sheet_has_bars_in_the_gutter() -> None:
    sheet = Printed(rendered_file(of_second()["qrs-a4"], "qrs-a4-low.pdf"))
    for words in ("Smoothbore, carbine: bands to", "Skirmish line: one rank", "Lay the cone"):
        number = page_of(sheet, words, 0)
        assert is_barred(sheet, number, words), words
        letters = sheet.letters(number)
        for x, top, bottom in bars(sheet, number):
            assert x > 4, "a printer reaches it"
            beside = [letter for letter in letters if top < letter.top < bottom]
            assert not any(letter.left < x < letter.right for letter in beside)
    told = "A bar stands beside what has changed since 1.0"
    assert all(told in text for text in sheet.texts)
