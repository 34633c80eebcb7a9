"""A ruleset asks for documents, papers and inks, and gets these as values, twice the same."""

from typing import Any

import pytest
from beside import as_written, beside
from composed import compose
from small_rulesets import ruleset_of
from small_scenarios import meeting, ruleset_with

from rulebook.documents.document_kind import ComposedDocument
from rulebook.drawing.svg import svg_text

CONE = as_written(__file__, "cone")
COLLECTIONS = {
    "cutouts": {"long_cone": CONE},
    "sequence": {
        "fire": {"title": "Fire", "steps": {"a": {"title": "A", "rule": "rules", "say": ["B"]}}}
    },
}


def documents(**asked: Any) -> list[ComposedDocument]:
    return compose(ruleset_of(COLLECTIONS, documents=asked))


def files(*composed_documents: ComposedDocument) -> dict[str, list[list[str | None]]]:
    return {
        composed.name: [[a.path, a.format, a.paper, a.ink] for a in composed.files if not a.shows]
        for composed in composed_documents
    }


def test_each_document_has_one_picture_whatever_it_is_printed_on() -> None:
    pictures = {a.path: a.shows for one in documents() for a in one.files if a.format == "png"}
    assert pictures == {
        "thumbnails/qrs-a4.png": "qrs-a4.pdf",
        "thumbnails/booklet-a5.png": "booklet-a5.pdf",
        "thumbnails/cutouts/long-cone-a4.png": "cutouts/long-cone-a4.pdf",
    }
    letter = documents(qrs={"papers": ["letter"], "inks": ["low"]}, booklet=None, cutouts=None)
    shown = [a.shows for one in letter for a in one.files if a.shows]
    assert shown == ["qrs-letter-low.pdf"]


def test_all_that_is_printed_if_nothing_is_said() -> None:
    assert files(*documents()) == beside(__file__, "everything")


@pytest.mark.parametrize(("papers", "shown"), [(["a5", "a4", "letter"], "a4"), (["a5"], "a5")])
def test_a_map_is_pictured_from_a_page_on_which_it_stands_upright(
    papers: list[str], shown: str
) -> None:
    asked = {"papers": papers, "imposed": None}
    made = compose(ruleset_with(meeting(), documents={"scenarios": asked}))
    pictures = [a.shows for one in made if one.kind == "scenario" for a in one.files if a.shows]
    assert pictures == [f"scenarios/meeting-{shown}.pdf"]


def test_papers_and_inks_that_are_asked_for() -> None:
    asked = documents(
        qrs={"papers": ["letter"], "inks": ["low"], "sides": "1", "columns": "3"},
        booklet={"papers": ["letter"], "imposed": None},
        cutouts={"papers": ["a3"]},
    )
    assert files(*asked) == beside(__file__, "asked_for")
    view = asked[0].view
    assert (view.paper, view.sides, view.columns) == ("letter", 1, 3)


def test_sheets_to_fold_are_made_of_small_pages_that_are_not_printed_themselves() -> None:
    asked = documents(booklet={"papers": ["a4"], "imposed": ["letter"]})
    assert files(*asked)["booklet-a5"] == [["booklet-letter-imposed.pdf", "pdf", "letter", "full"]]
    impositions = {
        file.path: file.imposition
        for composed in asked
        for file in composed.files
        if file.imposition
    }
    assert impositions == {"booklet-letter-imposed.pdf": "saddle stitch"}


def test_small_sheets_stand_two_or_eight_on_a_sheet() -> None:
    asked = documents(qrs={"papers": ["a5"], "inks": ["full"], "imposed": ["a4"], "pocket": ["a4"]})
    found = files(*asked)
    assert found["qrs-a5"] == [
        ["qrs-a5.pdf", "pdf", "a5", "full"],
        ["qrs-a4-imposed.pdf", "pdf", "a4", "full"],
    ]
    assert found["qrs-a4-pocket"] == [["qrs-a4-pocket.pdf", "pdf", "a4", "full"]]
    views = {composed.name: composed.view for composed in asked}
    assert views["qrs-a5"].size == (210, 148)
    pocket = views["qrs-a4-pocket"]
    assert (pocket.size, pocket.sides, pocket.columns) == ((74.25, 105), 8, 1)


def test_several_cutouts_are_also_printed_together() -> None:
    two = {**COLLECTIONS, "cutouts": {"one": CONE, "two": {**CONE, "title": "Other"}}}

    def together(**asked: Any) -> list[str]:
        made = compose(ruleset_of(two, documents=asked))
        return [a.path for one in made for a in one.files if a.path.startswith("cutouts/all")]

    assert together() == ["cutouts/all-a4.pdf", "cutouts/all-letter.pdf"]
    assert together(cutouts={"papers": ["a3"]}) == ["cutouts/all-a3.pdf"]
    assert together(cutouts={"together": "false"}) == []
    (everything,) = [
        one for one in compose(ruleset_of(two, documents={})) if one.name == "cutouts/all-a4"
    ]
    assert (everything.kind, everything.title) == ("cutout", "All cutouts")
    svg = "".join(svg_text(sheet) for sheet in everything.view.sheets)
    assert "Cone, 1 of 2" in svg and "Other, 2 of 2" in svg


@pytest.mark.parametrize(
    ("left_out", "kinds"),
    [
        ("qrs", {"booklet", "booklet-screen", "cutout", "drawing", "search"}),
        ("booklet", {"qrs", "qrs-screen", "at-table", "cutout", "drawing", "search"}),
        ("cutouts", {"qrs", "qrs-screen", "at-table", "booklet", "booklet-screen", "search"}),
    ],
)
def test_a_document_set_to_nothing_is_not_printed(left_out: str, kinds: set[str]) -> None:
    assert {composed.kind for composed in documents(**{left_out: None})} == kinds
