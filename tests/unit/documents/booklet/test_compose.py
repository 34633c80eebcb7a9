"""The booklet in parts: rule numbers, captions, marks and notes in the order of the text."""

from typing import Any

import pytest
from beside import as_written, beside, rows
from small_rulesets import ruleset_of

from rulebook.documents.booklet.compose import compose_booklet
from rulebook.documents.booklet.views import (
    BookletView,
    MarkPart,
    PicturePart,
    TablePart,
    TextPart,
)
from rulebook.documents.catalogue import identity_of
from rulebook.documents.parts.figures import FigureRow
from rulebook.documents.parts.views import ExampleStepView, ExampleView
from rulebook.drawing.elements import Picture

FIRST = beside(__file__, "first")
SECOND = beside(__file__, "second")
ANNEX = "# Horses {#horses}\n\n## Hay {#hay}\n\n{cutout: cone}"
SECOND_ANNEX = "# Ships {#ships}\n\n## Sails {#sails}\n\n### Ropes {#ropes}"

MOVES = beside(__file__, "moves")
MODS = beside(__file__, "mods")
LOSSES = as_written(__file__, "losses")
BURST = beside(__file__, "burst")
CONE = as_written(__file__, "cone")
SHOT = beside(__file__, "shot")
SEQUENCE = beside(__file__, "sequence")
COLLECTIONS: dict[str, Any] = {
    "tables": {"losses": LOSSES, "moves": MOVES},
    "modifiers": {"mods": MODS},
    "cutouts": {"cone": CONE, "burst": BURST},
    "examples": {"shot": SHOT},
    "sequence": SEQUENCE,
    "terms": {
        "volley": {"title": "volley", "meaning": "Fire of {moves.foot.far}.", "forms": ["volleys"]},
        "army": {"title": "Army"},
    },
}
PICTURES = {
    FigureRow((name,), 1): (Picture((0, 0, 1, 1), name, "", ()),) for name in ("burst", "cone")
}


@pytest.fixture(scope="module")
def view() -> BookletView:
    ruleset = ruleset_of(
        COLLECTIONS,
        FIRST,
        SECOND,
        annexes=(ANNEX, SECOND_ANNEX),
        summary="*All* of {moves.horse.far}.",
        credits=[{"role": "Rules", "name": "A *B*"}],
        scale={"time": "{moves.foot.far} an hour.", "status": "house", "note": "Our clock."},
    )
    return compose_booklet(ruleset, identity_of(ruleset), "a5", PICTURES, {})


def parts_of(view: BookletView, section: str) -> list[Any]:
    return next(
        list(found.parts)
        for chapter in view.chapters
        for found in chapter.sections
        if found.id == section
    )


def test_rules_are_numbered_and_the_annex_has_letters(view: BookletView) -> None:
    numbers = [
        (section.id, section.number, section.level)
        for chapter in view.chapters
        for section in chapter.sections
    ]
    assert numbers == rows(__file__, "numbers")
    assert [(chapter.number, chapter.title, chapter.annex) for chapter in view.chapters] == rows(
        __file__, "chapters"
    )


def test_tables_stand_under_their_rules(view: BookletView) -> None:
    tables = [
        (part.table.id, section.number)
        for chapter in view.chapters
        for section in chapter.sections
        for part in section.parts
        if isinstance(part, TablePart)
    ]
    assert tables == [("moves", "1"), ("mods", "1.1"), ("losses", "2.0.1")]


def test_notes_are_numbered_in_order_and_explain_themselves(view: BookletView) -> None:
    notes = [(note.number, note.status, note.title, note.rule) for note in view.notes]
    assert notes == rows(__file__, "notes")
    by_number = {note.number: note for note in view.notes}
    assert by_number[2].markdown == "A note that comes *first*."
    assert by_number[3].markdown == "Read as 12″."
    assert by_number[5].markdown == "Ours, as 9″ is."
    assert by_number[6].source == "page 3"
    assert by_number[6].rule_id == "roads"
    assert {name for name, _ in view.statuses} == {"read", "house", "missing"}


def test_marks_stand_at_the_end_of_the_text_before_them(view: BookletView) -> None:
    moves, words = parts_of(view, "ground")
    assert isinstance(moves, TablePart)
    assert words == TextPart("The words of Foot.\u2060[2](#note-2)\u2060[5](#note-5)")
    text, mods = parts_of(view, "roads")
    assert text == TextPart("Roads lead.\u2060[7](#note-7)\u2060[8](#note-8)")
    assert isinstance(mods, TablePart)


def test_a_mark_without_any_text_stands_alone(view: BookletView) -> None:
    assert parts_of(view, "rivers") == [MarkPart(9)]


def test_a_mark_behind_a_markdown_table_stays_inside_it(view: BookletView) -> None:
    text = parts_of(view, "guns")[0]
    assert text.markdown.splitlines()[-1] == "| c | d\u2060[10](#note-10) |"


def test_marks_of_the_data_stand_where_the_data_does(view: BookletView) -> None:
    moves, _ = parts_of(view, "ground")
    assert moves.notes == (3, 4)
    _, mods = parts_of(view, "roads")
    assert mods.notes == (6,)
    shot, losses = parts_of(view, "deep")
    assert shot.note == 12
    assert losses.notes == (13,)
    assert losses.table.body[1].cells[1].missing


def test_notes_on_unprinted_tables_are_marked_where_their_values_are_first_told() -> None:
    values = as_written(__file__, "values")
    text = (
        "# One {#one}\n\nNo value.\n\n{table: moves}\n\nA gun reaches {values.gun.far}.\n\n"
        "{read: After it}\nA note.\n\n{table: losses}\n\nAgain {values.bow.far}.\n\n"
        "## Two {#two}\n\nAnd {values.bow.far}."
    )
    moves, losses = (
        {**MOVES, "data": {"foot": {"far": "9in"}}},
        {**LOSSES, "data": [["1"] * 2] * 2},
    )
    ruleset = ruleset_of({"tables": {"values": values, "moves": moves, "losses": losses}}, text)
    booklet = compose_booklet(ruleset, identity_of(ruleset), None, {}, {})
    texts = [p.markdown for p in parts_of(booklet, "one") if isinstance(p, TextPart)]
    assert texts == [
        "No value.",
        "A gun reaches 9″.\u2060[1](#note-1)\u2060[2](#note-2)\u2060[3](#note-3)",
        "Again 3″.",
    ]
    assert parts_of(booklet, "two") == [TextPart("And 3″.")]
    assert [(note.number, note.title, note.rule) for note in booklet.notes] == [
        (1, "Values: Gun, Far", "1"),
        (2, "Values: Bow", "1"),
        (3, "After it", "1"),
    ]


def test_pictures_and_examples(view: BookletView) -> None:
    _, burst = parts_of(view, "guns")
    assert burst == PicturePart(
        "burst",
        "Burst",
        PICTURES[FigureRow(("burst",), 1)][0],
        "Kills on 4\\+.",
        "Figure 1",
        note=11,
    )
    shot, _ = parts_of(view, "deep")
    assert shot == ExampleView(
        "shot",
        "A shot",
        "Foot at 9″.",
        (ExampleStepView("One of 12″.", None), ExampleStepView("Two.", None)),
        "All of 6″.",
        note=12,
    )


def test_accents_do_not_send_words_to_the_end() -> None:
    titles = ["Move", "mêlée", "Öl", "Melee", "Zouave", "Éclair", "eagle", "Mêlée"]
    terms = {f"t{number}": {"title": title} for number, title in enumerate(titles)}
    ruleset = ruleset_of({"terms": terms})
    booklet = compose_booklet(ruleset, identity_of(ruleset), None, {}, {})
    assert [term.title for term in booklet.terms] == [
        "eagle", "Éclair", "Melee", "Mêlée", "mêlée", "Move", "Öl", "Zouave",
    ]  # fmt: skip


def test_the_note_of_an_amount_names_its_condition_and_what_it_changes() -> None:
    amount = {"value": "+1", "status": "read", "note": "Torn page."}
    rows = {"near": {"when": "within *9″*", "rof": amount}}
    changes = {"rof": {"type": "count", "title": "ROF"}}
    mods = {"title": "Shooting", "changes": changes, "rows": rows}
    ruleset = ruleset_of({"modifiers": {"mods": mods}}, "# Roads {#roads}\n\n{table: mods}")
    view = compose_booklet(ruleset, identity_of(ruleset), None, {}, {})
    assert [note.title for note in view.notes] == ["Shooting: within 9″, ROF"]
