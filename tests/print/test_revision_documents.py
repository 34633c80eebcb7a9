"""Notes on 2.0, the slip of errata for 1.0 and what is to be printed again, read back."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from beside import beside
from printed import acw
from read_html import Page, read_html
from read_pdf import Printed
from rendered import rendered_file
from revised_acw import drafts, notes_alone, of_second

from rulebook.documents.changes.layout import changes
from rulebook.documents.document_kind import File
from rulebook.documents.errata.layout import errata
from rulebook.packaged import templates_folder

TEMPLATES = templates_folder()
NOTES, ERRATA = "changes-from-1.0", "errata-for-1.0"
#: Title, class and rule of each change, in the order of the booklet of 2.0.
TOLD = beside(__file__, "told")


@pytest.fixture(scope="module")
def notes() -> tuple[Printed, Page]:
    files = [File("notes.pdf", "pdf", "letter"), File("notes.html", "html")]
    view = notes_alone()
    made = {one.path: one.data for one in changes(view, files, TEMPLATES)}
    return Printed(made["notes.pdf"]), read_html(made["notes.html"].decode())


def test_every_change_is_told_with_its_class_at_its_rule(notes: tuple[Printed, Page]) -> None:
    printed, page = notes
    whole = " ".join(printed.texts)
    headings = [one.text for one in page.all("h3")]
    places = []
    for title, class_, rule in TOLD:
        heading = next(one for one in headings if title in one)
        assert heading.split()[0] == rule and heading.endswith(class_)
        places.append(headings.index(heading))
        assert f"{title} {class_.upper()}" in whole
    assert places == sorted(places)


@pytest.mark.parametrize("words", beside(__file__, "what_the_notes_say"))
def test_what_the_notes_say(notes: tuple[Printed, Page], words: str) -> None:
    assert words in " ".join(notes[0].texts)


def test_what_an_option_does_in_play_is_told(notes: tuple[Printed, Page]) -> None:
    _, page = notes
    headings = [one.text for one in page.all("h3")]
    assert [one for one in headings if one.endswith("new option")] == [
        f"{title} new option"
        for title in (
            "Cavalry without breakthrough",
            "Sharpshooters",
            "Round shot by sleeve",
            "Zouaves",
        )
    ]
    rows = ["".join(one.text.split()) for one in page.all("tr")]
    assert "breaksthrough50%0%" in rows


def test_changes_are_counted_by_class(notes: tuple[Printed, Page]) -> None:
    classes = [one.class_ for one in drafts()[1].revised.notes.changes]
    counted = re.findall(r"(\d+) (rule changes|clarifications|editorial)", notes[0].texts[0])
    assert {name: int(number) for number, name in counted} == {
        "rule changes": classes.count("rule change"),
        "clarifications": classes.count("clarification"),
        "editorial": classes.count("editorial"),
    }


def test_words_are_struck_and_put_in(notes: tuple[Printed, Page]) -> None:
    _, page = notes
    struck = {one.text for one in page.all("del")}
    put_in = {one.text for one in page.all("ins")}
    assert {"10", "left open", "device", "Musket"} <= {one.strip() for one in struck}
    assert {"8", "1", "cone", "Rifled musket"} <= {one.strip() for one in put_in}
    assert not struck & {"Establishments"}


def test_both_outlines_of_a_cutout_are_shown(notes: tuple[Printed, Page]) -> None:
    """The cone is new as a cutout: its length and its base stand beside it."""
    view = notes_alone().changes
    things = [
        thing
        for chapter in view.chapters
        for revision in chapter.revisions
        for thing in revision.things
    ]
    drawn = {thing.title for thing in things if thing.svg}
    assert {"Canister cone", "Bounce stick", "Round shot sleeve"} <= drawn


def test_sources_and_designers_notes_are_not_told(notes: tuple[Printed, Page]) -> None:
    whole = " ".join(notes[0].texts)
    assert "second draft, Morale" not in whole
    assert "The author sees" not in whole


def test_links_of_the_page_lead_somewhere(notes: tuple[Printed, Page]) -> None:
    _, page = notes
    assert len(page.ids) == len(set(page.ids))
    assert {href[1:] for href in page.values("href")} <= set(page.ids)
    assert not page.all("script", "link", "iframe")


def test_what_is_to_be_printed_again() -> None:
    again = notes_alone().changes.reprint
    assert "Ranges" in again.panels and "Distances" not in again.panels
    assert {"1.2", "4.6", "9.4", "A.1"} <= set(again.rules)
    assert not {"3.1", "4.2", "7.1"} & set(again.rules)
    cards = {deck: set(titles) for deck, titles in again.cards}
    assert cards["Unit cards"] == {"Battery", "Detachment"}
    assert {"Canister", "Round shot"} <= cards["Rule cards"]
    assert "Canister cone" in again.cutouts and "Shell burst indicator" not in again.cutouts


@pytest.fixture(scope="module")
def slip() -> Printed:
    view: Any = of_second()[ERRATA].view
    (made,) = errata(view, [File("slip.pdf", "pdf", "letter")], TEMPLATES)
    return Printed(made.data)


def test_pages_of_the_slip_are_those_that_were_recorded(slip: Printed) -> None:
    """However the old booklet would be laid out today."""
    _, before = drafts()
    small, large = (before.printed.booklets[name].headings for name in ("a5", "large"))
    told = dict(re.findall(r"§ ([0-9A-Z.]+) p\. (\d+/\d+)", slip.texts[0]))
    places = [place for item in of_second()[ERRATA].view.items for place in item.places]
    assert len(places) > 20
    for place in places:
        heading = place.heading
        assert told[place.rule] == f"{small[heading]}/{large[heading]}"
    assert "Pages are those of the A5 / A4 booklet (Letter as A4)." in slip.texts[0]


def test_without_a_record_the_slip_has_no_pages() -> None:
    view: Any = of_second()[ERRATA].view
    items = tuple(
        replace(item, places=tuple(replace(place, pages=()) for place in item.places))
        for item in view.items
    )
    unknown = replace(view, papers=(), items=items)
    (made,) = errata(unknown, [File("slip.pdf", "pdf", "letter")], TEMPLATES)
    text = " ".join(Printed(made.data).texts)
    assert "§ 1.2" in text and "p. " not in text and "Pages are" not in text


def test_the_slip_is_two_to_a_sheet_and_tells_each_change(slip: Printed) -> None:
    assert len(slip.texts) == 1, "one slip twice, since a game has two players"
    (text,) = slip.texts
    for title, class_, _ in TOLD:
        assert text.count(f"{title}.") == 2
        assert class_.upper() in text
    assert "The preface" not in text, "what is editorial needs no slip"
    assert text.count("Rank and file: 10 → 8") == 2


def test_a_slip_of_few_changes_is_four_to_a_sheet() -> None:
    view: Any = of_second()[ERRATA].view
    (last,) = view.items[-1:]
    few = replace(view, items=(replace(last, places=()),))
    for paper in ("a4", "letter"):
        (made,) = errata(few, [File("slip.pdf", "pdf", paper)], TEMPLATES)
        assert made.pages == 1 and Printed(made.data).texts[0].count("Errata for edition 1.0") == 4


def test_striking_in_the_booklet_on_a_screen() -> None:
    html = rendered_file(of_second()["booklet"], "booklet.html").decode()
    page = read_html(html)
    struck = " ".join(one.text for one in page.all("del"))
    assert "device" in struck and "Muskets reach 24″." in struck
    assert "Infantry in open order" not in struck, "that was only editorial"
    (switch,) = (one for one in page.all("input") if one.attributes["id"] == "show-changes")
    assert switch.attributes["type"] == "checkbox" and "checked" not in switch.attributes
    assert "Show what changed since edition 1.0" in page.text
    assert not page.all("script")
    # What is struck is neither shown nor read aloud before it is asked for.
    assert "del, .gone { display: none; }" in html
    assert {href[1:] for href in page.values("href") if href[0] == "#"} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))


def test_striking_on_the_sheet_on_a_screen() -> None:
    page = read_html(rendered_file(of_second()["qrs"], "qrs.html").decode())
    struck = [one.text for one in page.all("del")]
    assert any("Officer or 4 privates lost" in one for one in struck)
    assert [one for one in page.of_class("panel") if one.has_class("revised")]


def test_what_is_not_revised_is_printed_as_ever() -> None:
    assert acw().header.edition == "2.0"
    plain = of_second(marked=False)
    assert not {NOTES, ERRATA} & plain.keys()
    assert {NOTES, ERRATA} <= of_second().keys()
