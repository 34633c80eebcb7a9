"""Notes on 2.0, the slip of errata for 1.0 and what is to be printed again, read back."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from beside import as_written, beside
from read_html import Page, read_html
from read_pdf import Printed
from rendered import rendered, rendered_file
from revised_acw import bars, drafts, is_barred, notes_alone, of_first, of_second, page_of
from shipped_rulesets import shipped
from small_rulesets import ruleset_of

from rulebook.build.print_recording import print_record
from rulebook.cache import NOTHING_KEPT
from rulebook.core.compute import compute
from rulebook.documents.booklet import layout as booklet
from rulebook.documents.cards.layout import shared_sheets
from rulebook.documents.catalogue import KINDS, compose
from rulebook.documents.changes.layout import LEAST_FILLED, changes
from rulebook.documents.document_kind import ComposedDocument, File
from rulebook.documents.errata.layout import HEIGHT, errata
from rulebook.documents.marks.before import Before
from rulebook.documents.qrs.galley import Galleys
from rulebook.documents.reprint.compose import changed_units
from rulebook.documents.reprint.layout import _leaves, ranges
from rulebook.loading.print_records import PrintRecord
from rulebook.model.plain_data import plain_ruleset
from rulebook.model.prose import rule_numbers
from rulebook.model.revisions import EditionNotes
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import templates_folder
from rulebook.revisions.release import revised

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
    headings = [one.text.replace("\xa0", " ") for one in page.all("h3")]
    numbers = []
    for title, class_, rule in TOLD:
        where = f"{title} § {rule}" if rule else title
        heading = next(one for one in headings if one.endswith(f"{where} {class_}"))
        numbers.append(int(heading.split()[0]))
        assert f"{numbers[-1]} {where} {class_.upper()}" in whole
        row = f"{numbers[-1]} {title} {class_}{where.removeprefix(title)}"
        assert re.search(rf"{re.escape(row)} \d", printed.texts[0]), "in the table on page one"
    assert numbers == sorted(numbers)


def test_notes_are_short_and_well_filled(notes: tuple[Printed, Page]) -> None:
    """Six pages, where a column with wide margins took fifteen."""
    printed, _ = notes
    assert len(printed.texts) <= 6
    for number, (_, height) in enumerate(printed.sizes):
        letters = printed.letters(number)
        assert min(one.size for one in letters) >= 7
        low = max(one.bottom for one in letters if one.bottom < height - 20)
        assert low > LEAST_FILLED * height


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
    hrefs = {*page.values("href")} - {"../index.html", "./index.html"}
    assert {href[1:] for href in hrefs} <= set(page.ids)
    assert not page.all("link", "iframe")


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
    told = set(re.findall(r"§ ([0-9A-Z.–]+) p\. ([\d–]+/[\d–]+)", slip.texts[0]))
    places = [place for item in of_second()[ERRATA].view.items for place in item.places]
    assert len(places) > 20
    order = list(rule_numbers(before.ruleset.chapters))
    for place in places:
        assert (place.rule, "/".join(place.pages)) in told
        following = order[order.index(place.heading) + 1]
        for headings, pages in zip((small, large), place.pages, strict=True):
            page = int(pages.partition("–")[0])
            assert headings[place.heading] <= page <= headings[following], "a table stands below"
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


def test_the_slips_are_two_to_a_sheet_and_tell_each_change(slip: Printed) -> None:
    (text,) = slip.texts
    for title, class_, _ in TOLD:
        assert text.count(f"{title}.") == 1
        assert class_.upper() in text
    assert "The preface" not in text, "what is editorial needs no slip"
    assert text.count("Rank and file: 10 → 8") == 1


def test_slips_are_filled_in_type_that_is_read() -> None:
    """All but a tenth of the height of each but the last, in 8 points or more."""
    view: Any = of_second()[ERRATA].view
    for items in (view.items, view.items[:14]):
        (made,) = errata(replace(view, items=items), [File("slip.pdf", "pdf", "a4")], TEMPLATES)
        sheet = Printed(made.data)
        letters = sheet.letters(0)
        assert min(one.size for one in letters) >= 8 - 0.01
        upper = [one.bottom for one in letters if one.bottom < 297 / 2]
        first = (297 - 2 * HEIGHT) / 3
        assert max(upper) > first + 0.85 * HEIGHT
    twice = sheet.texts[0]
    assert twice.count(f"{view.items[0].title}.") == 2, "one slip, and a game has two players"


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
    (switch,) = (one for one in page.all("input") if one.attributes.get("id") == "show-changes")
    assert switch.attributes["type"] == "checkbox" and "checked" not in switch.attributes
    assert "Show what changed since edition 1.0" in page.text
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
    plain = of_second(marked=False)
    assert not {NOTES, ERRATA} & plain.keys()
    assert {NOTES, ERRATA} <= of_second().keys()


# Bars of 2.0 in the booklet and on the sheet: beside what changed, beside nothing else.

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


# What is to be printed again of a small ruleset: sheet, cards, cutouts and pages that changed.

#: Enough of it that the booklet has many pages without a change.
LONG = "\n\n".join(f"Sentence {number} says what it has always said." for number in range(500))
CHAPTERS = (
    "# Moving {#moving}\n\n{table: moves}\n",
    f"# Fighting {{#fighting}}\n\n{LONG}\n\n{{cutout: cone}}\n",
)
OLD = {"foot": {"far": "6in"}, "horse": {"far": "12in"}}


def edition(
    number: str,
    rows: dict[str, Any],
    length: str = "9in",
    phases: dict[str, Any] | None = None,
    *,
    long: str = LONG,
    **documents: Any,
) -> Ruleset:
    cone = {"shape": "cone", "title": "Cone", "base": "3in", "length": length}
    return ruleset_of(
        {
            "tables": {"moves": {"title": "Moves", "fields": {"far": "length"}, "data": rows}},
            "cutouts": {
                "cone": {**cone, "zones": [{"name": "All", "kills": "4+"}]},
                "disc": {"shape": "disc", "title": "Disc", "radius": "1in"},
            },
            "sequence": phases or as_written(__file__, "edition"),
            "cards": {"arms": {"title": "Arms", "from": "moves"}},
        },
        *(chapter.replace(LONG, long) for chapter in CHAPTERS),
        edition=number,
        documents=documents,
    )


def printed(old: Ruleset) -> PrintRecord:
    """The record of an edition: how its booklets are printed, and what other files it has."""
    composed = compose(old)
    pages = [
        (one, file)
        for one in composed
        if one.kind == "booklet"
        for file in KINDS["booklet"].render(one.view, one.files[:1], TEMPLATES, NOTHING_KEPT)
    ]
    files = {file.path: "f" * 64 for one in composed for file in one.files}
    return print_record(old, "f" * 64, pages).model_copy(update={"files": files})


def made(
    old: Ruleset, new: Ruleset, class_: str = "rule change", *, recorded: bool = False
) -> list[ComposedDocument]:
    change = {"title": "Foot", "of": ["moves", "cone"], "class": class_, "why": "It was slow."}
    notes = EditionNotes.model_validate({"changes": [change]})
    changes_ = revised(plain_ruleset(old), plain_ruleset(new), notes)
    record = printed(old) if recorded else None
    before = Before(old, compute(old), changes_, printed=record)
    return compose(new, None, before)


def notes_on_changes(listed: list[ComposedDocument]) -> ComposedDocument:
    return next(one for one in listed if one.kind == "changes")


def file_of(composed: ComposedDocument, path: str) -> Printed:
    (one,) = rendered(composed, path)
    assert one.pages == len(Printed(one.data).texts)
    return Printed(one.data)


@pytest.fixture(scope="module")
def again() -> Printed:
    new = edition("1.1", {**OLD, "foot": {"far": "8in"}}, "10in")
    listed = made(edition("1.0", OLD), new, recorded=True)
    return file_of(notes_on_changes(listed), "reprint-from-1.0-a4.pdf")


def test_the_first_page_says_what_replaces_what(again: Printed) -> None:
    lines = [
        "Quick reference all of the old one all of the new one qrs-a4.pdf",
        "Arms Foot Foot this file, page 2",
        "Cutouts Cone Cone this file, page 3",
        "Booklet, A4 pages 1–4 pages 1–4 this file, pages 4–7, both sides",
        "Booklet, A4 pages 19–20 pages 19–20 this file, pages 8–9, both sides",
        "Booklet, A5 all of the old one all of the new one print the book: booklet-a5.pdf or",
        "Whoever keeps an old booklet lays the slip of errata into it: errata-for-1.0-a4.pdf.",
    ]
    places = [again.texts[0].index(line) for line in lines]
    assert places == sorted(places)


def test_only_what_changed_is_in_the_file(again: Printed) -> None:
    _, card, cutout, *leaves = again.texts
    assert "Foot" in card and "Horse" not in card, "one card of two"
    assert "Arms" in card and "Fold along the dashed line" in card, "its back beside it"
    assert "Cone" in cutout and "Disc" not in cutout and "All cutouts" not in cutout
    assert "Edition 1.1" in leaves[1] and "8″" in leaves[2], "the cover, and what changed"
    assert "10″" in leaves[4] and "WHAT YOU NEED" in leaves[5], "and the back cover"
    assert not any("Sentence 200 " in text for text in leaves), "a page without a change"


def test_leaves_and_those_that_stay_are_the_new_booklet(again: Printed) -> None:
    """Whoever replaces what the first page says holds the pages of the new edition."""
    old, new = (
        edition(number, {**OLD, "foot": {"far": far}}, length)
        for number, far, length in (("1.0", "6in", "9in"), ("1.1", "8in", "10in"))
    )
    listed = made(old, new)
    before, now = (
        Printed(rendered_file(next(o for o in some if o.name == "booklet-large"), "booklet-a4.pdf"))
        for some in (compose(old), listed)
    )
    replaced = dict(zip((0, 1, 2, 3, 18, 19), again.texts[3:], strict=True))
    held = [replaced.get(page, text) for page, text in enumerate(before.texts)]
    footers = re.compile(r"Edition 1\.[01], 29 February 2024")
    assert [footers.sub("", text) for text in held] == [footers.sub("", one) for one in now.texts]


@pytest.mark.parametrize("recorded", [False, True])
def test_of_a_booklet_that_is_new_for_the_most_part_the_book_is_printed(recorded: bool) -> None:
    """And where its old pages are not recorded, so that nobody knows which may stay."""
    rows = {"march": {"far": "1in"}, **OLD} if recorded else {**OLD, "foot": {"far": "8in"}}
    long = (
        LONG.replace("Sentence 1 ", f"{'More and more. ' * 400}Sentence 1 ") if recorded else LONG
    )
    new = edition("1.1", rows, long=long)
    listed = made(edition("1.0", OLD), new, recorded=recorded)
    page, *others = file_of(notes_on_changes(listed), "reprint-from-1.0-a4.pdf").texts
    assert "all of the new one print the book: booklet-a4.pdf" in page
    assert not any("Sentence" in text for text in others)


def test_few_cards_of_two_decks_stand_on_one_side() -> None:
    """Four with their backs beside them; five take both sides of a sheet."""
    decks: list[Any] = [of_second()[f"cards-{name}"].view for name in ("unit-cards", "rule-cards")]
    for number, both_sides in ((1, False), (3, True)):
        some = [
            replace(deck, cards=tuple(replace(one, copies=1) for one in deck.cards[:number]))
            for deck in decks
        ]
        (sheets,) = shared_sheets(some, "a4", TEMPLATES)
        assert sheets.decks == ("unit_cards", "rule_cards")
        assert (sheets.both_sides, sheets.pages) == (both_sides, 1 + both_sides)
        text = Printed(sheets.data).texts[0]
        assert all(card.title in text for deck in some for card in deck.cards)


def test_a_second_sheet_is_printed_again_by_itself() -> None:
    phases = as_written(__file__, "edition")
    first = phases["move"]["steps"]["march"]
    rare = {"title": "Ride", "rule": "moving", "sheet": "2"}
    phases["move"]["steps"] = {
        "march": {**first, "tables": [], "say": ["Walk."]},
        "ride": {**rare, "tables": ["moves"]},
    }
    old, new = (
        edition(number, {**OLD, "foot": {"far": far}}, phases=phases)
        for number, far in (("1.0", "6in"), ("1.1", "8in"))
    )
    notes = notes_on_changes(made(old, new))
    listed = notes.view.changes.reprint
    assert (listed.panels, listed.rare) == ((), ("Ride",))
    page = file_of(notes, "changes-from-1.0-a4.pdf")
    assert "Quick reference, second sheet" in " ".join(page.texts)
    listed = file_of(notes, "reprint-from-1.0-a4.pdf").texts[0]
    assert "Quick reference, second sheet all of the old one" in listed and "qrs-2-a4.pdf" in listed


def test_rosters_and_cards_of_scenarios_follow_the_units_that_changed() -> None:
    decks: Any = [SimpleNamespace(cards=[SimpleNamespace(id="cavalry_regiment")])]
    assert list(changed_units(shipped("acw"), decks)) == [
        ("Gettysburg, the First Day", ("Cavalry regiment",), "scenarios/gettysburg"),
        ("The Wagon Train", ("Cavalry regiment",), "scenarios/wagon-train"),
    ]


def test_pages_keep_their_sizes(again: Printed) -> None:
    assert again.sizes[1] == pytest.approx((297, 210), abs=0.1), "cards to fold"
    assert all(sorted(size) == pytest.approx([210, 297], abs=0.1) for size in again.sizes)
    assert not bars(again, 1), "cards have none"


def test_what_is_editorial_needs_no_paper() -> None:
    new = edition("1.1", {**OLD, "foot": {"far": "6in", "title": "On foot"}})
    composed = notes_on_changes(made(edition("1.0", OLD), new, "editorial"))
    assert not composed.view.again.sheets and composed.view.again.booklet is None
    assert not composed.view.again.cutouts


def test_papers_and_documents_that_are_not_printed_are_left_out() -> None:
    rows = {**OLD, "foot": {"far": "8in"}}
    documents: dict[str, Any] = {"qrs": None, "cutouts": {"papers": ["a3"]}}
    documents["cards"] = {"papers": ["letter"]}
    listed = made(edition("1.0", OLD), edition("1.1", rows, "10in", **documents))
    composed = notes_on_changes(listed)
    assert not composed.view.again.sheets and not composed.view.again.cutouts
    assert composed.view.again.deck_papers == ("letter",)
    page = file_of(composed, "reprint-from-1.0-a4.pdf")
    assert "Cutouts Cone Cone cutouts/cone-a3.pdf" in page.texts[0]


def test_documents_of_a_revision_may_be_left_out() -> None:
    new = edition("1.1", {**OLD, "foot": {"far": "8in"}}, changes=None)
    kinds = {one.kind for one in made(edition("1.0", OLD), new)}
    assert not kinds & {"changes", "errata"}


def test_nothing_told_nothing_printed() -> None:
    kinds = {one.kind for one in made(edition("1.0", OLD), edition("1.1", OLD))}
    assert not kinds & {"changes", "errata"}


def test_numbers_of_pages_in_words() -> None:
    assert ranges([1, 2, 3, 5, 8, 9]) == "1–3, 5, 8–9"
    assert ranges([]) == ""


def test_pages_are_replaced_by_leaves() -> None:
    assert _leaves({2, 7}, 9) == (2, 3, 6, 7)
    assert _leaves({8}, 9) == (8,), "the last leaf may have one page"
