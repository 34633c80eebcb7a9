"""Notes on 2.0 and the slip of errata for 1.0, read back."""

import re
from dataclasses import replace
from typing import Any

import pytest
from beside import as_written, beside
from composed import compose
from read_html import Page, read_html
from read_pdf import Printed
from rendered import rendered_file
from revised_acw import bars, drafts, is_barred, of_second, page_of
from revised_acw import notes as notes_view
from shipped_rulesets import shipped
from small_rulesets import ruleset_of

from rulebook.core.compute import compute
from rulebook.documents.before import Before
from rulebook.documents.booklet import layout as booklet
from rulebook.documents.catalogue import plan
from rulebook.documents.changes.notes import LEAST_FILLED, PrintAgain, changes, print_again
from rulebook.documents.document_kind import ComposedDocument, File
from rulebook.documents.errata import HEIGHT, errata
from rulebook.documents.qrs.galley import Galleys
from rulebook.model.plain_data import plain_ruleset
from rulebook.model.prose import rule_numbers
from rulebook.model.revisions import EditionNotes
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import templates_folder
from rulebook.revisions.revised import revised

TEMPLATES = templates_folder()
ERRATA = "errata-for-1.0"
#: Title, class and rule of each change, in the order of the booklet of 2.0.
TOLD = beside(__file__, "told")


@pytest.fixture(scope="module")
def notes() -> tuple[Printed, Page]:
    files = [File("notes.pdf", "pdf", "letter"), File("notes.html", "html")]
    made = {one.path: one.data for one in changes(notes_view(), files, TEMPLATES)}
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


def test_page_one_lists_what_is_to_be_printed_again(notes: tuple[Printed, Page]) -> None:
    """By name and file, on a screen as links to the files beside it."""
    printed, page = notes
    again = {one.title: one for one in notes_view().again}
    assert again["Quick reference"].files == ("qrs-a4.pdf",)
    assert set(again["Unit cards"].names) == {"Battery", "Detachment"}
    assert {"Canister", "Round shot"} <= set(again["Rule cards"].names)
    assert "cutouts/canister-cone-a4.pdf" in again["Cutouts"].files
    assert "Shell burst indicator" not in again["Cutouts"].names
    for one in again.values():
        for words in (one.title, *one.names, *one.files):
            assert words in printed.texts[0]
        assert set(one.files) <= {*page.values("href")}
    assert "lays the slip of errata into it: errata-for-1.0-a4.pdf." in printed.texts[0]


@pytest.fixture(scope="module")
def slip() -> Printed:
    view: Any = of_second(ERRATA).view
    (made,) = errata(view, [File("slip.pdf", "pdf", "letter")], TEMPLATES)
    return Printed(made.data)


def test_the_slip_cites_rules_of_the_old_booklet(slip: Printed) -> None:
    """With the number in the new one where it differs."""
    numbers = set(rule_numbers(drafts()[1].ruleset.chapters).values())
    places = [place for item in of_second(ERRATA).view.items for place in item.places]
    assert len(places) > 20
    for place in places:
        assert re.split(r"–| \(now", place.rule)[0] in numbers
        assert f"§ {place.rule}" in slip.texts[0]
    assert "§ 8.8 (now 8.9)" in slip.texts[0] and "after § 10.3" in slip.texts[0]
    assert "Rules have the numbers of edition 1.0." in slip.texts[0]


def test_the_slips_are_two_to_a_sheet_and_tell_each_change(slip: Printed) -> None:
    (text,) = slip.texts
    for title, class_, _ in TOLD:
        assert text.count(f"{title}.") == 1
        assert class_.upper() in text
    assert "The preface" not in text, "what is editorial needs no slip"
    assert text.count("Rank and file: 10 → 8") == 1


def test_slips_are_filled_in_type_that_is_read() -> None:
    """All but a tenth of the height of each but the last, in 8 points or more."""
    view: Any = of_second(ERRATA).view
    for items in (view.items, view.items[:14]):
        (made,) = errata(replace(view, items=items), [File("slip.pdf", "pdf", "a4")], TEMPLATES)
        sheet = Printed(made.data)
        letters = sheet.letters(0)
        assert min(one.size for one in letters) >= 8 - 0.01
        upper = [one.bottom for one in letters if one.bottom < 297 / 2]
        first = (297 - 2 * HEIGHT) / 3
        assert max(upper) > first + 0.85 * HEIGHT
    twice = sheet.texts[0]
    assert twice.count(f"{view.items[0].revision.title}.") == 2, "a game has two players"


def test_a_slip_of_few_changes_is_four_to_a_sheet() -> None:
    view: Any = of_second(ERRATA).view
    (last,) = view.items[-1:]
    few = replace(view, items=(replace(last, places=()),))
    for paper in ("a4", "letter"):
        (made,) = errata(few, [File("slip.pdf", "pdf", paper)], TEMPLATES)
        assert made.pages == 1 and Printed(made.data).texts[0].count("Errata for edition 1.0") == 4


def test_striking_in_the_booklet_on_a_screen() -> None:
    html = rendered_file(of_second("booklet"), "booklet.html").decode()
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
    page = read_html(rendered_file(of_second("qrs"), "qrs.html").decode())
    struck = [one.text for one in page.all("del")]
    assert any("Officer or 4 privates lost" in one for one in struck)
    assert [one for one in page.of_class("panel") if one.has_class("revised")]


# Bars of 2.0 in the booklet and on the sheet: beside what changed, beside nothing else.

#: Rule changes and clarifications, as a player of 1.0 finds them in the booklet of 2.0.
CHANGED = beside(__file__, "changed")
#: What both drafts say alike, and what only reads otherwise.
UNCHANGED = beside(__file__, "unchanged")


@pytest.fixture(scope="module")
def small() -> Printed:
    """The small booklet of 2.0."""
    return Printed(rendered_file(of_second("booklet-a5"), "booklet-a5.pdf"))


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
        booklet.booklet_page(of_second("booklet-a5", marked=one).view, TEMPLATES)
        for one in (True, False)
    )
    assert unmarked(marked[0]) == unmarked(plain[0])
    assert marked[1] == plain[1]


def test_bars_change_nothing_on_the_sheet() -> None:
    """The same panels at the same size of type, and so in the same places."""
    views = [replace(of_second("qrs-a4", marked=one).view, columns=4) for one in (True, False)]
    heights = [Galleys(view, TEMPLATES).at(8).panels() for view in views]
    assert heights[0] == heights[1]


def unmarked(html: str) -> str:
    """A page without the classes of marks and the line that explains them."""
    html = re.sub(r' (data-bars)="[a-z]+"|<br>A bar in the margin[^<]*', "", html)
    html = re.sub(r' class="revised"|(?<=[\w-]) (?:revised|changed)(?=")', "", html)
    return re.sub(r"\s+", " ", html)


def test_the_sheet_has_bars_in_the_gutter() -> None:
    sheet = Printed(rendered_file(of_second("qrs-a4"), "qrs-a4-low.pdf"))
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


# What is to be printed again of a small ruleset: sheet, cards and cutouts that changed.

CHAPTERS = (
    "# Moving {#moving}\n\n{table: moves}\n",
    "# Fighting {#fighting}\n\n{cutout: cone}\n",
)
OLD = {"foot": {"far": "6in"}, "horse": {"far": "12in"}}


def edition(
    number: str,
    rows: dict[str, Any],
    length: str = "9in",
    phases: dict[str, Any] | None = None,
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
        *CHAPTERS,
        edition=number,
        documents=documents,
    )


def made(old: Ruleset, new: Ruleset, class_: str = "rule change") -> list[ComposedDocument]:
    change = {"title": "Foot", "of": ["moves", "cone"], "class": class_, "why": "It was slow."}
    notes = EditionNotes.model_validate({"changes": [change]})
    changes_ = revised(plain_ruleset(old), plain_ruleset(new), notes)
    return compose(new, None, Before(old, compute(old), changes_))


def again(old: Ruleset, new: Ruleset, class_: str = "rule change") -> list[PrintAgain]:
    (notes,) = (one for one in made(old, new, class_) if one.kind == "changes")
    return list(notes.view.again)


def test_what_changed_is_listed_and_nothing_else() -> None:
    new = edition("1.1", {**OLD, "foot": {"far": "8in"}}, "10in")
    assert again(edition("1.0", OLD), new) == [
        PrintAgain("Quick reference", ("qrs-a4.pdf",)),
        PrintAgain("Arms", ("cards-arms-a4.pdf",), ("Foot",)),
        PrintAgain("Cutouts", ("cutouts/cone-a4.pdf",), ("Cone",)),
    ]


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
    sheet = PrintAgain("Quick reference, second sheet", ("qrs-2-a4.pdf",))
    assert [one for one in again(old, new) if "reference" in one.title] == [sheet]


def test_rosters_and_cards_of_scenarios_follow_the_units_that_changed() -> None:
    ruleset = shipped("acw")
    planned = plan(ruleset, compute(ruleset), None)
    files = [file for one in planned for file in one.document.files]
    deck = of_second("cards-unit-cards")
    riders = [card for card in deck.view.cards if card.id == "cavalry_regiment"]
    marked = [replace(deck, view=replace(deck.view, cards=tuple(riders)))]
    found = list(print_again(ruleset, marked, [], [], scenarios=files, paper="a4"))
    assert [one.title for one in found] == [
        "Unit cards",
        "Gettysburg, the First Day",
        "The Wagon Train",
    ]
    stem = "scenarios/gettysburg"
    assert set(found[1].files) == {f"{stem}-sheets-a4.pdf", f"{stem}-cards-a4.pdf"}
    on_letter = [file for file in files if file.paper == "letter"]
    found = list(print_again(ruleset, marked, [], [], scenarios=on_letter, paper="a4"))
    assert set(found[1].files) == {f"{stem}-sheets-letter.pdf", f"{stem}-cards-letter.pdf"}
    assert len([*print_again(ruleset, marked, [], [], scenarios=[], paper="a4")]) == 1


def test_what_is_editorial_needs_no_paper() -> None:
    old = edition("1.0", OLD)
    found = again(old, edition("1.1", OLD, "10in"), "editorial")
    assert found == []


def test_papers_and_documents_that_are_not_printed_are_left_out() -> None:
    rows = {**OLD, "foot": {"far": "8in"}}
    documents: dict[str, Any] = {"qrs": None, "cutouts": {"papers": ["a3"]}}
    documents["cards"] = {"papers": ["letter"]}
    found = again(edition("1.0", OLD), edition("1.1", rows, "10in", **documents))
    assert [one.files for one in found] == [("cards-arms-letter.pdf",), ("cutouts/cone-a3.pdf",)]


def test_documents_of_a_revision_may_be_left_out() -> None:
    new = edition("1.1", {**OLD, "foot": {"far": "8in"}}, changes=None)
    kinds = {one.kind for one in made(edition("1.0", OLD), new)}
    assert not kinds & {"changes", "errata"}


def test_nothing_told_nothing_printed() -> None:
    kinds = {one.kind for one in made(edition("1.0", OLD), edition("1.1", OLD))}
    assert not kinds & {"changes", "errata"}
