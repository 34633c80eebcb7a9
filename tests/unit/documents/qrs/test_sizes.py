"""The sheet on every paper, read back from its PDF: pages, margins, columns, size of type."""

from functools import cache
from typing import Any

import pytest
from composed import compose
from read_pdf import Letter, Printed
from small_rulesets import ruleset_of

from rulebook.cache import NOTHING_KEPT
from rulebook.documents.document_kind import KINDS, ComposedDocument
from rulebook.documents.qrs.galley import HEAD, MARGIN
from rulebook.documents.qrs.layout import best_arrangement, lay_out_sheet
from rulebook.packaged import templates_folder
from rulebook.paper_and_ink import paper_size

LINE = "Throw a die for each of the figures that fire, and take from it what the table says."


def composed_sheets(lines: int, **asked: Any) -> list[ComposedDocument]:
    """The sheets of six panels, each with so many reminders."""
    steps = {
        f"s{n}": {"title": f"Panel {n}", "rule": "rules", "say": [LINE] * lines} for n in range(6)
    }
    ruleset = ruleset_of(
        {"sequence": {"move": {"title": "Move", "steps": steps}}},
        documents={"qrs": {"inks": ["full"], **asked}, "booklet": None, "cutouts": None},
    )
    return [composed for composed in compose(ruleset) if composed.kind == "qrs"]


@cache
def read(lines: int, **asked: str) -> Printed:
    view = composed_sheets(lines, **{**asked, "papers": [asked["papers"]]})[0].view
    return Printed(lay_out_sheet(*best_arrangement(view, templates_folder())).pdf(print_hints=True))


def body(sheet: Printed, side: int = 0) -> list[Letter]:
    """What stands between head and foot of a side."""
    low = sheet.sizes[side][1] - MARGIN - 4
    return [one for one in sheet.letters(side) if MARGIN + HEAD < one.top < low]


def columns(sheet: Printed) -> int:
    """How many columns begin with a point before a reminder."""
    return len({round(one.left) for one in body(sheet) if one.text == "\u2022"})


def type_of(sheet: Printed) -> float:
    sizes = [letter.size for letter in body(sheet) if letter.text == "w"]
    return max(set(sizes), key=sizes.count)


@pytest.mark.parametrize(
    ("paper", "orientation", "asked", "found"),
    [
        ("a5", "landscape", "any", 3),
        ("a5", "portrait", "4", 2),
        ("half-letter", "portrait", "1", 1),
        ("a4", "portrait", "3", 3),
        ("letter", "landscape", "6", 6),
        ("a3", "landscape", "any", 4),
    ],
)
def test_a_sheet_has_the_size_and_the_columns_asked_for(
    paper: str, orientation: str, asked: str, found: int
) -> None:
    sheet = read(3, papers=paper, orientation=orientation, columns=asked)
    width, height = paper_size(paper, landscape=orientation == "landscape")
    assert sheet.sizes == [pytest.approx((width, height), abs=0.002)]
    assert columns(sheet) == found
    letters = sheet.letters(0)
    assert min(one.left for one in letters) >= MARGIN - 0.05
    assert max(one.right for one in letters) <= width - MARGIN + 0.05
    assert max(one.bottom for one in letters) <= height - 5.5
    assert "Edition 1.2" in sheet.texts[0]


def test_type_is_no_smaller_than_asked_for_and_takes_as_many_sides_as_that_needs() -> None:
    usual, large = read(9, papers="a5"), read(9, papers="a5", type="12pt", sides="any")
    assert len(usual.sizes) <= 2 and 7 <= type_of(usual) < 12
    assert len(large.sizes) > 2 and type_of(large) >= 12


def test_a_core_table_of_words_stands_in_larger_words() -> None:
    rows = {"one": {"title": "Apple", "does": "Zwei"}, "two": {"title": "Pear", "does": "Zehn"}}
    table = {"title": "Fruit", "core": "true", "fields": {"does": "text"}, "data": rows}
    step = {"title": "Eat", "rule": "rules", "tables": ["fruit"]}
    ruleset = ruleset_of(
        {"tables": {"fruit": table}, "sequence": {"a": {"title": "A", "steps": {"s": step}}}},
        documents={"qrs": {"papers": ["a5"], "inks": ["full"]}, "booklet": None},
    )
    view = compose(ruleset)[0].view
    sheet = Printed(
        lay_out_sheet(*best_arrangement(view, templates_folder())).pdf(print_hints=True)
    )
    sizes = {letter.text: letter.size for letter in body(sheet)}
    assert sizes["Z"] == pytest.approx(1.2 * sizes["l"], rel=0.01)


def test_type_grows_on_a_half_empty_side() -> None:
    assert type_of(read(1, papers="a4", columns="3")) == pytest.approx(16, abs=0.01)


def test_a_pocket_fold_and_two_copies_are_printed_on_the_paper_asked_for() -> None:
    asked = {"papers": ["a5"], "orientation": "portrait", "imposed": ["a4"], "pocket": ["letter"]}
    sizes = {}
    for composed in composed_sheets(1, **asked):
        files = [file for file in composed.files if file.imposition]
        for made in KINDS["qrs"].render(composed.view, files, templates_folder(), NOTHING_KEPT):
            sizes[made.path] = Printed(made.data).sizes
    assert sizes["qrs-letter-pocket.pdf"] == [pytest.approx((279.4, 215.9), abs=0.002)]
    assert sizes["qrs-a4-imposed.pdf"] == [pytest.approx((297, 210), abs=0.002)]
