"""The booklet as HTML: contents, rules, notes, glossary, and an index that leads to rules."""

from functools import lru_cache
from typing import Any

import pytest
from beside import as_written, beside
from composed import compose
from read_html import Page, read_html
from small_rulesets import ruleset_of

from rulebook.documents.booklet.layout import booklet_page, booklet_screen, lay_out_booklet, leads
from rulebook.packaged import templates_folder

TEMPLATES = templates_folder()
FIRST = beside(__file__, "first")
SECOND = "# Guns {#guns}\n\n{table: losses}\n\nVolleys again.\n"
TERMS = beside(__file__, "terms")
LOSSES = beside(__file__, "losses")


@lru_cache(maxsize=4)
def views(*, terms: bool = True, notes: bool = True) -> dict[str, Any]:
    first = FIRST if notes else FIRST.replace("{read: How wide}\nAs wide as a volley.\n\n", "")
    losses = LOSSES if notes else {**LOSSES, "data": [["1", "2", "3", "4"]] * 2}
    collections = {"tables": {"losses": losses}, "terms": TERMS if terms else {}}
    ruleset = ruleset_of(
        collections, first, SECOND, annexes=("# Snow {#snow}\n\nCold.",), documents={"qrs": None}
    )
    return {composed.name: composed.view for composed in compose(ruleset)}


@pytest.fixture(scope="module", params=["paper", "screen"])
def page(request: pytest.FixtureRequest) -> Page:
    if request.param == "paper":
        return read_html(booklet_page(views()["booklet-a5"], TEMPLATES)[0])
    return read_html(booklet_screen(views()["booklet"], TEMPLATES))


def test_the_index_leads_to_the_rules_that_use_a_word(page: Page) -> None:
    (index,) = page.of_class("index")
    entries = [e.text for e in page.all("li") if "section" in e.inside and e.text in index.text]
    assert entries == ["8–16″ 2", "Horse 2", "Mud 1.1.1", "Rank and file 1.1.1", "Volley 1, 2"]
    assert "Zouave" not in index.text, "a word that no rule uses"


def test_entries_lead_to_the_heading_table_or_paragraph_that_has_the_word(page: Page) -> None:
    anchors = {e.attributes["id"]: e for e in page.elements if "id" in e.attributes}
    links = [e for e in page.all("a") if "href" in e.attributes][-6:]
    found = [anchors[e.attributes["href"][1:]] for e in links]
    assert [e.attributes["id"] for e in found[:3]] == ["table-losses", "table-losses", "mud"]
    assert [" ".join(e.text.split()) for e in found[3:]] == [
        "A rank and file.",
        "A volley, then another volley.",
        "Volleys again.",
    ]


def test_tables_have_captions_heads_and_empty_cells(page: Page) -> None:
    (table,) = page.all("table")
    assert table.has_class("grid")
    (caption,) = page.all("figcaption")
    assert " ".join(caption.text.split()) == "Table 1 Losses2In figures."
    heads = [
        (e.text, e.attributes.get("colspan", "1")) for e in page.all("th") if "thead" in e.inside
    ]
    assert heads == [
        ("Foot", "2"), ("Horse", "2"),
        ("Range", "1"), ("Open", "1"), ("Cover", "1"), ("Open", "1"), ("Cover", "1"),
    ]  # fmt: skip
    assert [e.text for e in page.all("td") if "tbody" in e.inside] == [*"1234567", ""]
    assert len(page.of_class("blank")) == 1
    scopes = {e.attributes["scope"] for e in page.all("th")}
    assert scopes == {"col", "row"}


@pytest.mark.parametrize(
    ("layout", "terms", "notes"),
    [("booklet-a5", True, False), ("booklet-large", False, True), ("booklet-a5", False, False)],
)
def test_booklets_without_terms_or_notes_are_printed_too(
    layout: str, terms: bool, notes: bool
) -> None:
    view = views(terms=terms, notes=notes)[layout]
    layout_of_booklet = lay_out_booklet(view, TEMPLATES)
    assert layout_of_booklet.pdf(print_hints=False).startswith(b"%PDF-")
    page = read_html(booklet_page(view, TEMPLATES)[0])
    assert bool(page.of_class("glossary")) == bool(page.of_class("index")) == terms
    assert bool(page.of_class("notes")) == notes


@pytest.mark.parametrize(
    ("text", "led"),
    [("It moves.", True), ("One.\n\nTwo.", False), ("A word and more, " * 6, False)],
)
def test_a_line_leads_to_what_follows(text: str, led: bool) -> None:
    assert leads(text) is led


def test_rows_that_share_a_label_are_a_group() -> None:
    losses = as_written(__file__, "losses_2")
    ruleset = ruleset_of({"tables": {"losses": losses}}, "# A {#a}\n\n{table: losses}")
    views = {one.name: one.view for one in compose(ruleset)}
    page = read_html(booklet_page(views["booklet-a5"], TEMPLATES)[0])
    (table,) = page.all("table")
    assert table.has_class("grouped")
    rows = [row for row in page.all("tr") if "tbody" in row.inside]
    assert [row.has_class("group") for row in rows] == [False, False, True, False]
