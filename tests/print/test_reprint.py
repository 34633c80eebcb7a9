"""What is to be printed again of a small ruleset: sheet, cards, cutouts and pages that changed."""

from __future__ import annotations

from typing import Any

import pytest
from beside import written
from read_pdf import Printed
from rendered import rendered
from revised_acw import bars
from small_rulesets import ruleset_of

from rulebook.core.compute import compute
from rulebook.documents.catalogue import compose
from rulebook.documents.document_kind import ComposedDocument
from rulebook.documents.marks.before import Before
from rulebook.documents.reprint.layout import _ranges
from rulebook.model.plain_data import plain_ruleset
from rulebook.model.revisions import EditionNotes
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.release import revised

#: Enough of it that the booklet has a page without a change.
LONG = "\n\n".join(f"Sentence {number} says what it has always said." for number in range(200))
CHAPTERS = (
    "# Moving {#moving}\n\n{table: moves}\n",
    f"# Fighting {{#fighting}}\n\n{LONG}\n\n{{cutout: cone}}\n",
)
OLD = {"foot": {"far": "6in"}, "horse": {"far": "12in"}}


def edition(number: str, rows: dict[str, Any], length: str = "9in", **documents: Any) -> Ruleset:
    cone = {"shape": "cone", "title": "Cone", "base": "3in", "length": length}
    return ruleset_of(
        {
            "tables": {"moves": {"title": "Moves", "fields": {"far": "length"}, "data": rows}},
            "cutouts": {
                "cone": {**cone, "zones": [{"name": "All", "kills": "4+"}]},
                "disc": {"shape": "disc", "title": "Disc", "radius": "1in"},
            },
            "sequence": written(
                "{move: {title: Move, steps: {march: {title: March, rule: moving, "
                "tables: [moves]}}}}"
            ),
            "cards": {"arms": {"title": "Arms", "from": "moves"}},
        },
        *CHAPTERS,
        edition=number,
        documents=documents,
    )


def made(old: Ruleset, new: Ruleset, class_: str = "rule change") -> list[ComposedDocument]:
    change = {"title": "Foot", "of": ["moves", "cone"], "class": class_, "why": "It was slow."}
    notes = EditionNotes.model_validate({"changes": [change]})
    before = Before(old, compute(old), revised(plain_ruleset(old), plain_ruleset(new), notes))
    return compose(new, None, before)


def changes(listed: list[ComposedDocument]) -> ComposedDocument:
    return next(one for one in listed if one.kind == "changes")


def file_of(composed: ComposedDocument, path: str) -> Printed:
    (one,) = rendered(composed, path)
    assert one.pages == len(Printed(one.data).texts)
    return Printed(one.data)


@pytest.fixture(scope="module")
def again() -> Printed:
    new = edition("1.1", {**OLD, "foot": {"far": "8in"}}, "10in")
    return file_of(changes(made(edition("1.0", OLD), new)), "reprint-from-1.0-a4.pdf")


def test_only_what_changed_is_in_the_file(again: Printed) -> None:
    sheet, front, back, cutout, page, last = again.texts
    assert "March" in sheet and "8″" in sheet
    assert "Foot" in front and "Horse" not in front, "one card of two"
    assert "Arms" in back
    assert "Cone" in cutout and "Disc" not in cutout
    assert "8″" in page and "Sentence 199" in last and "10″" in last
    assert not any("Sentence 100 " in text for text in again.texts), "a page without a change"


def test_pages_keep_their_sizes(again: Printed) -> None:
    assert again.sizes[0] == pytest.approx((297, 210), abs=0.1)
    assert all(sorted(size) == pytest.approx([210, 297], abs=0.1) for size in again.sizes)
    assert not bars(again, 1), "cards have none"


def test_what_is_editorial_needs_no_paper() -> None:
    new = edition("1.1", {**OLD, "foot": {"far": "6in", "title": "On foot"}})
    composed = changes(made(edition("1.0", OLD), new, "editorial"))
    assert not composed.view.again.sheets and composed.view.again.booklet is None
    assert not composed.view.again.cutouts


def test_papers_and_documents_that_are_not_printed_are_left_out() -> None:
    rows = {**OLD, "foot": {"far": "8in"}}
    documents: dict[str, Any] = {"qrs": None, "cutouts": {"papers": ["a3"]}}
    documents["cards"] = {"papers": ["letter"]}
    listed = made(edition("1.0", OLD), edition("1.1", rows, "10in", **documents))
    composed = changes(listed)
    assert not composed.view.again.sheets and not composed.view.again.cutouts
    assert composed.view.again.deck_papers == ("letter",)
    page = file_of(composed, "changes-from-1.0-a4.pdf")
    assert "Cutouts: Cone. In files of their own" in " ".join(page.texts)


def test_documents_of_a_revision_may_be_left_out() -> None:
    new = edition("1.1", {**OLD, "foot": {"far": "8in"}}, changes=None)
    kinds = {one.kind for one in made(edition("1.0", OLD), new)}
    assert not kinds & {"changes", "errata"}


def test_nothing_told_nothing_printed() -> None:
    kinds = {one.kind for one in made(edition("1.0", OLD), edition("1.1", OLD))}
    assert not kinds & {"changes", "errata"}


def test_numbers_of_pages_in_words() -> None:
    assert _ranges([1, 2, 3, 5, 8, 9]) == "1–3, 5, 8–9"
    assert _ranges([]) == ""
