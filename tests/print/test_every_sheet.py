"""What holds of the quick reference of any ruleset: all that is shipped, on both papers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import pytest
from printed import document_of, printed
from read_pdf import Letter, Printed
from shipped_rulesets import SHIPPED
from what_ships import differing

from rulebook.documents.parts.binding import plain_text
from rulebook.documents.qrs.arrangement import Panel
from rulebook.documents.qrs.galley import MARGIN, Galleys, Sheet
from rulebook.documents.qrs.layout import TYPE_SIZES, Arrangement, best_arrangement
from rulebook.packaged import templates_folder

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
        return best_arrangement(self.view, templates_folder())

    @property
    def galleys(self) -> Galleys:
        return self.arranged[0]

    @property
    def sheet(self) -> Sheet:
        return self.galleys.sheet

    @property
    def arrangement(self) -> Arrangement:
        return self.arranged[1]

    @cached_property
    def panels(self) -> dict[str, Panel]:
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


def test_the_readme_counts_its_sides_on_a4(made: Made) -> None:
    assert "a4" not in made.path or not differing(made.name, {"QRS sides, A4": str(made.sides)})


def test_no_letter_is_smaller_than_seven_points(made: Made) -> None:
    small = [letter.text for letter in made.letters if letter.size < SMALLEST - 0.005]
    assert "".join(small) == ""


def test_nothing_stands_outside_the_margins(made: Made) -> None:
    sheet = made.sheet
    for letter in made.letters:
        assert letter.left >= MARGIN - 0.05
        assert letter.right <= sheet.width - MARGIN + 0.05
        assert letter.top >= MARGIN - 0.05
        assert letter.bottom <= sheet.height - 5.5


def test_panels_end_above_the_foot_and_none_lies_on_another(made: Made) -> None:
    room = made.sheet.area.height
    stacks: dict[tuple[int, int], list[tuple[float, float, float]]] = defaultdict(list)
    for place in made.arrangement.placed:
        panel = made.panels[place.id]
        foot = place.top + panel.height + (panel.heading if place.carried else 0.0)
        assert foot <= room + 0.001, place.id
        above = 0.0 if panel.continues and not place.carried else 2.5
        for column in range(place.column, place.column + place.span):
            stacks[place.side, column].append((place.top, foot, above))
    for spans in stacks.values():
        for (_, foot, _), (top, _, above) in pairwise(sorted(spans)):
            assert top >= foot + above - 0.001


def test_no_column_is_empty(made: Made) -> None:
    area = made.sheet.area
    columns = {(side, at): 0.0 for side in range(made.sides) for at in range(area.columns)}
    for place in made.arrangement.placed:
        for column in range(place.column, place.column + place.span):
            columns[place.side, column] += made.panels[place.id].height / area.height
    last = columns.pop((made.sides - 1, area.columns - 1))
    assert min(columns.values()) >= COVERED
    assert last >= COVERED_LAST


def words_of(table: Mapping[str, Any]) -> Counter[str]:
    """The words that a table prints, with how often."""
    texts = [*table.stub_heads, *(cell.text for row in table.head for cell in row)]
    for row in table.body:
        texts += [plain_text(label.text) for label in row.labels]
        texts += [cell.text for cell in row.cells if not cell.missing]
    return Counter(word for text in texts for word in text.split())


def test_no_word_of_a_table_is_broken(made: Made) -> None:
    printed = Counter[str]()
    for page in made.printed.viewed:
        printed.update(page.get_textpage().get_text_bounded().replace("*", "").split())
    wanted = sum((words_of(table) for table in made.tables()), Counter[str]())
    lost = {
        word: count - printed[word]
        for word, count in wanted.items()
        if re.fullmatch(r"[^\W\d]{3,}", word) and printed[word] < count
    }
    assert lost == {}
