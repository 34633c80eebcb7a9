"""What holds of the booklet of any ruleset: all that is shipped, at the smallest size."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pytest
from printed import document_of, printed
from read_pdf import Letter, Printed, tidy
from rendered import stages
from shipped_rulesets import SHIPPED

from rulebook.documents.parts.binding import plain_text
from rulebook.documents.qrs.arrangement import MeasuredPanel
from rulebook.documents.qrs.galley import FOOT as FOOT_OF_SHEET
from rulebook.documents.qrs.galley import GUTTER, MARGIN, Galleys, QrsPage
from rulebook.documents.qrs.galley import HEAD as HEAD_OF_SHEET
from rulebook.documents.qrs.layout import (
    TYPE_SIZES,
    Arrangement,
    best_arrangement,
)
from rulebook.packaged import templates_folder
from rulebook.paper_and_ink import paper_size

#: What stands above and below the text, in millimetres.
HEAD = FOOT = 17.0
#: Tables of more rows may go over to the next page.
LONG = 24


@dataclass
class Booklet:
    """A booklet that has been printed."""

    name: str
    paper: str

    @property
    def file(self) -> str:
        return f"booklet-{self.paper}.pdf"

    @property
    def size(self) -> tuple[float, float]:
        return paper_size(self.paper)

    @cached_property
    def printed(self) -> Printed:
        return Printed(printed(self.file, self.name))

    @property
    def view(self) -> Mapping[str, Any]:
        return document_of(self.file, self.name).view

    @cached_property
    def pages(self) -> list[list[Letter]]:
        """The letters of all pages behind the title and what is told of the booklet."""
        return [self.printed.letters(number) for number in range(len(self.printed.sizes))]

    @cached_property
    def first(self) -> int:
        """The page of the first rule."""
        return self.printed.anchors[self.view.chapters[0].sections[0].id]

    def tables(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for chapter in self.view.chapters:
            for section in chapter.sections:
                for part in section.parts:
                    if part.kind == "table":
                        yield part.caption, part.table

    def page_of(self, caption: str, title: str) -> int:
        words = closed_up(f"{caption} {title}")
        return next(n for n, text in enumerate(self.printed.texts) if words in closed_up(text))


SMALL = [(name, "a5") for name in SHIPPED]


@pytest.fixture(scope="module", params=SMALL, ids="-".join)
def booklet(request: pytest.FixtureRequest) -> Booklet:
    return Booklet(*request.param)


@pytest.fixture(scope="module", params=[*SMALL, ("acw", "a4"), ("acw", "letter")], ids="-".join)
def any_paper(request: pytest.FixtureRequest) -> Booklet:
    """Of one ruleset the other layout too, on both its papers."""
    return Booklet(*request.param)


def closed_up(text: str) -> str:
    return re.sub(r"\s", "", text)


def test_words_keep_clear_of_the_edges(any_paper: Booklet) -> None:
    width, height = any_paper.size
    for letters in any_paper.pages[1:]:
        assert min(letter.left for letter in letters) > 10
        assert max(letter.right for letter in letters) < width - 10
        assert min(letter.top for letter in letters) > 6
        assert max(letter.bottom for letter in letters) < height - 6


def test_hardly_a_word_is_smaller_than_seven_points(any_paper: Booklet) -> None:
    """Only marks of notes, names of standings and words inside small drawings."""
    for letters in any_paper.pages:
        sizes = Counter(round(letter.size, 1) for letter in letters)
        assert sum(n for size, n in sizes.items() if size < 7) < 0.2 * sum(sizes.values())


def test_no_table_is_cut(booklet: Booklet) -> None:
    """All rows of a table stand on the page of its caption, unless there are very many."""
    for caption, table in booklet.tables():
        if len(table.body) > LONG:
            continue
        text = closed_up(booklet.printed.texts[booklet.page_of(caption, table.title)])
        for row in table.body:
            for label in row.labels:
                assert closed_up(plain_text(label.text)) in text, (caption, label.text)


def words_of(table: Mapping[str, Any], *, marked: bool = True) -> Counter[str]:
    """The words that a table prints, with how often; some may not have a mark at their end."""
    texts = [*table.stub_heads, *(cell.text for row in table.head for cell in row)]
    for row in table.body:
        if marked or row.note is None:
            texts += [plain_text(label.text) for label in row.labels]
        texts += [one.text for one in row.cells if (marked or not one.note) and not one.missing]
    words = (word for text in texts for word in text.split())
    return Counter(word for word in words if re.fullmatch(r"[^\W\d]{3,}", word))


def test_no_word_of_a_table_is_broken_without_a_hyphen(booklet: Booklet) -> None:
    for caption, table in booklet.tables():
        if len(table.body) > LONG:
            continue
        page = booklet.page_of(caption, table.title)
        raw = booklet.printed.viewed[page].get_textpage().get_text_bounded()
        lost = words_of(table, marked=False) - Counter(tidy(raw).split())
        assert not lost, caption


# What holds of the quick reference of any ruleset: all that is shipped, on both papers.

SMALLEST = TYPE_SIZES[0]
#: The part of a column that is covered at least, gaps between panels not counted; and of the last
#: column of the last side, behind which there is nothing more to print.
COVERED, COVERED_LAST = 0.4, 0.25
PAPERS = ("a4", "letter")


@dataclass
class Made:
    """A sheet as it was arranged and printed."""

    name: str
    path: str

    @property
    def view(self) -> Mapping[str, Any]:
        return document_of(self.path, self.name).view

    @cached_property
    def arranged(self) -> tuple[Galleys, Arrangement]:
        return best_arrangement(self.view, templates_folder(), stages())

    @property
    def galleys(self) -> Galleys:
        return self.arranged[0]

    @property
    def sheet(self) -> QrsPage:
        return self.galleys.sheet

    @property
    def arrangement(self) -> Arrangement:
        return self.arranged[1]

    @cached_property
    def panels(self) -> dict[str, MeasuredPanel]:
        size = self.arrangement.type_size
        return {one.id: one for one in self.galleys.at(size).panels()}

    @cached_property
    def printed(self) -> Printed:
        return Printed(printed(self.path, self.name))

    @property
    def sides(self) -> int:
        return len(self.printed.sizes)

    @cached_property
    def letters(self) -> list[Letter]:
        return [letter for side in range(self.sides) for letter in self.printed.letters(side)]

    def tables(self) -> Iterator[Mapping[str, Any]]:
        for phase in self.view.phases:
            for panel in phase.panels:
                yield from panel.tables


CASES = [(name, paper) for name in SHIPPED for paper in PAPERS]


@pytest.fixture(scope="module", params=CASES, ids="-".join)
def made(request: pytest.FixtureRequest) -> Made:
    name, paper = request.param
    return Made(name, f"qrs-{paper}.pdf")


def test_sides_are_as_many_as_are_allowed_or_fewer(made: Made) -> None:
    assert 1 <= made.sides <= made.view.sides


def test_what_is_core_is_read_at_arms_length(made: Made) -> None:
    """The variant is of a released edition, whose sheet is fuller than that of today."""
    assert made.arrangement.type_size >= (8 if made.name != "acw-centimetres" else 7)


def test_no_letter_is_smaller_than_seven_points(made: Made) -> None:
    small = [letter.text for letter in made.letters if letter.size < SMALLEST - 0.005]
    assert "".join(small) == ""


def test_nothing_stands_outside_the_margins(made: Made) -> None:
    sheet = made.sheet
    for letter in made.letters:
        assert letter.left >= MARGIN - 0.05
        assert letter.right <= sheet.paper[0] - MARGIN + 0.05
        assert letter.top >= MARGIN - 0.05
        assert letter.bottom <= sheet.paper[1] - 5.5


def test_no_column_is_empty(made: Made) -> None:
    area = made.sheet
    columns = {(side, at): 0.0 for side in range(made.sides) for at in range(area.columns)}
    for place in made.arrangement.placed:
        for column in range(place.column, place.column + place.span):
            columns[place.side, column] += made.panels[place.id].height / area.height
    last = columns.pop((made.sides - 1, area.columns - 1))
    assert min(columns.values()) >= COVERED
    assert last >= COVERED_LAST


#: A side whose columns end above this part of their height on average is not full.
FULL = 0.55
#: By how much its columns end apart at most, in parts of their height: gaps are not blown up.
APART = 0.2


def test_the_columns_of_a_full_side_end_at_about_one_height(made: Made) -> None:
    """Read from the letters of the page, whatever the arrangement says."""
    sheet = made.sheet
    height = sheet.height
    above = sheet.paper[1] - MARGIN - FOOT_OF_SHEET
    for side in range(made.sides):
        ends = [0.0] * sheet.columns
        for letter in made.printed.letters(side):
            column = int((letter.left - MARGIN + 0.5) / (sheet.column_width + GUTTER))
            if letter.bottom < above:
                ends[column] = max(ends[column], letter.bottom - MARGIN - HEAD_OF_SHEET)
        if sum(ends) / len(ends) >= FULL * height:
            assert max(ends) - min(ends) <= APART * height, f"side {side + 1}: {ends}"


def test_no_word_of_a_table_is_broken(made: Made) -> None:
    printed = Counter[str]()
    for page in made.printed.viewed:
        printed.update(page.get_textpage().get_text_bounded().replace("*", "").split())
    wanted = sum(map(words_of, made.tables()), Counter[str]())
    assert wanted - printed == Counter()
