"""Tables as they are printed: labels over labels, cells as text, room shared by need."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from beside import as_written, beside, written
from fontTools.ttLib import TTFont
from small_rulesets import ruleset_of

from rulebook.core.compute import compute
from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.tables import TableComposer, turned
from rulebook.documents.parts.views import BodyCell, ColumnTexts, TableView, needs
from rulebook.typefaces import FACES

WIDE = 200


def view_of(
    table: Mapping[str, Any],
    *,
    notes: Mapping[tuple[str | int, ...], int] | None = None,
    room: int = WIDE,
    sheet: bool = False,
    **others: Mapping[str, Any],
) -> TableView:
    """The view of a table `t`; `others` are further tables."""
    ruleset = ruleset_of({"tables": {"t": table, **others}})
    return TableComposer(Binder(ruleset), notes or {}, sheet=sheet).view("t", room)


def cells_of(view: TableView) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in view.body]


def labels_of(view: TableView) -> list[list[tuple[str, int]]]:
    return [[(label.text, label.down) for label in row.labels] for row in view.body]


def heads_of(view: TableView) -> list[list[tuple[str, int]]]:
    return [[(cell.text, cell.across) for cell in row] for row in view.head]


MUSKETRY = beside(__file__, "musketry")


def test_a_grid_with_two_column_axes() -> None:
    view = view_of(MUSKETRY)
    assert (view.id, view.kind, view.title) == ("t", "grid", "Musketry")
    assert view.about == "Deduct, up to 12."
    assert view.notes == ("*Both* sides.",)
    assert heads_of(view) == [
        [("Normal volley", 2), ("First <volley>", 2)],
        [("Open", 1), ("Cover", 1), ("Open", 1), ("Cover", 1)],
    ]
    assert view.stub_heads == ("Range",)
    assert labels_of(view) == [[("0–8″", 1)], [("8–16″", 1)]]
    assert cells_of(view) == [["2", "3", "1", "–"], ["3", "4", "2", "12"]]
    assert view.aligns == ("centre",) * 4


def test_an_outer_label_stands_once_over_its_rows() -> None:
    view = view_of(as_written(__file__, "an_outer_label_stands_once_over_its_rows"))
    assert labels_of(view) == [
        [("Foot \\*", 2), ("Fresh", 1)],
        [("Spent", 1)],
        [("Horse", 2), ("Fresh", 1)],
        [("Spent", 1)],
    ]
    assert view.stub_heads == ("Arm", "State")
    assert view.head == ()
    assert cells_of(view) == [["a"], ["b"], ["c"], ["d"]]
    assert view.aligns == ("left",)


def test_one_column_without_an_axis_has_no_heads() -> None:
    view = view_of(
        written("{title: T, rows: {throw: d6}, cells: modifier, data: [-3, -2, -1, 0, +1, +2]}")
    )
    assert view.head == ()
    assert view.stub_heads == ("Throw",)
    assert labels_of(view) == [[(str(face), 1)] for face in range(1, 7)]
    assert cells_of(view) == [["−3"], ["−2"], ["−1"], ["0"], ["+1"], ["+2"]]


@pytest.mark.parametrize(("columns", "heads"), beside(__file__, "a_die_names_itself"))
def test_a_die_names_itself_over_all_its_columns(
    columns: dict[str, Any], heads: list[list[list[object]]]
) -> None:
    many = [["1"] * sum(across for _, across in heads[0])]
    table = {"title": "T", "rows": {"a": ["x"]}, "columns": columns, "cells": "count", "data": many}
    assert heads_of(view_of(table)) == [[tuple(cell) for cell in row] for row in heads]


GUNS = beside(__file__, "guns")
COLOURS = as_written(__file__, "colours")


def test_a_record_table() -> None:
    view = view_of(GUNS, colours=COLOURS)
    assert view.kind == "record"
    assert heads_of(view) == [
        [("Reach", 1), ("Heavy?", 1), ("Kills", 1), ("Colour", 1), ("Says", 1)]
    ]
    assert view.stub_heads == ("",)
    assert labels_of(view) == [[("6\\-pounder", 1)], [("Howitzer", 1)]]
    assert cells_of(view) == [
        ["36″", "–", "1–3, 9", "Deep blue", "a *b*"],
        ["", "✓", "–", "Blood red", "x"],
    ]
    assert view.body[1].cells[0] == BodyCell("", missing=True)
    assert sum(cell.missing for row in view.body for cell in row.cells) == 1
    assert view.aligns == ("centre", "centre", "centre", "left", "left")


def test_notes_stand_at_table_row_and_cell() -> None:
    at = ("tables", "t", "data", "howitzer")
    view = view_of(
        GUNS,
        colours=COLOURS,
        notes={("tables", "t"): 3, at: 4, (*at, "reach"): 5, (*at, "says"): 6},
    )
    assert view.note == 3
    assert [row.note for row in view.body] == [None, 4]
    assert [[cell.note for cell in row.cells] for row in view.body] == [
        [None] * 5,
        [5, None, None, None, 6],
    ]
    grid = view_of(MUSKETRY, notes={("tables", "t", "data", 1, 2): 7})
    assert [[cell.note for cell in row.cells] for row in grid.body] == [
        [None] * 4,
        [None, None, 7, None],
    ]


SHOOTING = beside(__file__, "shooting")


REACH = written("{title: Reach, fields: {long: length}, data: {gun: {title: Gun, long: 36in}}}")


def modifiers_view(
    table: Mapping[str, Any], notes: Mapping[tuple[str | int, ...], int] | None = None
) -> TableView:
    """`notes` are at places below the rows."""
    ruleset = ruleset_of({"modifiers": {"t": table}, "tables": {"reach": REACH}})
    numbers = {("modifiers", "t", "rows", *at): note for at, note in (notes or {}).items()}
    return TableComposer(Binder(ruleset), numbers).view("t", WIDE)


def test_modifiers_with_two_changes_have_a_column_for_each() -> None:
    view = modifiers_view(SHOOTING, {("both",): 9})
    assert view.kind == "modifiers"
    assert heads_of(view) == [[("To hit", 1), ("Rof", 1)]]
    assert labels_of(view) == [
        [("firing at a *square*", 1)],
        [("in line, within 36″", 1)],
        [("both", 1)],
    ]
    assert cells_of(view) == [["+2", ""], ["", "+1"], ["−1", "0"]]
    assert [row.note for row in view.body] == [None, None, 9]


def test_an_amount_may_not_apply_be_missing_or_carry_a_note() -> None:
    amounts = {
        "to_hit": {"value": "+1", "status": "read", "note": "Torn page."},
        "rof": {"status": "missing", "note": "Not given."},
    }
    rows = {"hill": {"when": "uphill", "to_hit": None}, "wall": {"when": "at a wall", **amounts}}
    view = modifiers_view({**SHOOTING, "rows": rows}, {("wall", "to_hit"): 3})
    assert cells_of(view) == [["–", ""], ["+1", ""]]
    assert view.body[1].cells == (BodyCell("+1", note=3), BodyCell("", missing=True))


def texts_of(view: TableView) -> list[tuple[list[str], list[str]]]:
    """Heads and contents of each column, by walking the rows as they are printed."""
    stubs = len(view.stub_heads)
    columns: list[tuple[list[str], list[str]]] = [
        ([head], []) for head in (*view.stub_heads, *("",) * len(view.aligns))
    ]
    for head in view.head:
        if all(cell.across == 1 for cell in head):
            for number, label in enumerate(head):
                columns[stubs + number][0].append(label.text)
    for row in view.body:
        for number, label in enumerate(row.labels, start=stubs - len(row.labels)):
            columns[number][1].append(label.text.replace("\\", ""))
        for number, cell in enumerate(row.cells, start=stubs):
            columns[number][1].append(cell.text)
    return columns


@pytest.mark.parametrize("room", [60, 76, 104])
def test_every_column_has_room_for_its_longest_word(room: int) -> None:
    """Measured in the font: what stands at the head is semibold, and between columns is a gap."""
    regular, semibold = characters("Regular"), characters("SemiBold")
    for view in (
        view_of(MUSKETRY, room=room),
        view_of(GUNS, colours=COLOURS, room=room),
        view_of({**MUSKETRY, "rows": {"a": ["x", "y"]}, "about": "None."}, room=room),
    ):
        assert view.least <= room
        for column, (heads, body) in enumerate(texts_of(view)):
            words = [semibold(word) for head in heads for word in head.split()]
            words += [regular(word) for text in body for word in text.split()]
            gap = 0.6 if column else 0.3
            assert view.weights[column] >= max(words, default=0) + gap / 0.42


def characters(weight: str) -> Callable[[str], float]:
    """How many characters, each 0.42 of the size of type, a word takes in the condensed face."""
    (path,) = (face.path for face in FACES if face.path.stem == f"IBMPlexSansCondensed-{weight}")
    font = TTFont(path)
    glyphs, advances = font.getBestCmap(), font["hmtx"]
    size = 0.42 * font["head"].unitsPerEm
    return lambda word: sum(advances[glyphs[ord(letter)]][0] for letter in word) / size


def test_columns_never_ask_for_much_more_than_their_lines_need() -> None:
    regular, semibold = characters("Regular"), characters("SemiBold")
    view = view_of(GUNS, colours=COLOURS, room=WIDE)
    for weight, (heads, body) in zip(view.weights, texts_of(view), strict=True):
        needed = [semibold(head) / 2 + 1 for head in heads if head]
        needed += [semibold(word) for head in heads for word in head.split()]
        needed += [regular(text) for text in body]
        assert weight <= 1.15 * max(needed) + 2


LONG = as_written(__file__, "long")


def test_where_words_do_not_stand_the_longest_are_cut_down_alike() -> None:
    wide, narrow = view_of(LONG, room=76), view_of(LONG, room=40)
    assert (wide.room, narrow.room) == (76, 40)
    assert narrow.room < wide.least == narrow.least < wide.room
    label, first, second, third = narrow.weights
    assert (label, third) == pytest.approx((wide.weights[0], wide.weights[3]), abs=0.2)
    assert first == second < wide.weights[2]
    assert sum(narrow.weights) == pytest.approx(40, abs=0.3)


SENTENCES = as_written(__file__, "sentences")


def test_what_room_there_is_goes_where_the_sentences_are() -> None:
    view = view_of(SENTENCES, room=50)
    label, short, long = view.weights
    assert (label, short) == pytest.approx((7.2, 7.2), abs=0.5), "the longest word and the gap"
    assert sum(view.weights) == pytest.approx(50, abs=0.3)
    assert long == pytest.approx(50 - label - short, abs=0.3)
    wide = view_of(SENTENCES, room=WIDE)
    assert wide.weights[2] == pytest.approx(len(SENTENCES["data"][0][1]), abs=3)


def test_a_missing_row_is_left_blank_for_the_players() -> None:
    assert view_of(as_written(__file__, "guns_2")).body[0].cells == (BodyCell("", missing=True),)


def test_odds_of_nothing_are_a_dash_and_unlike_ones_keep_their_digits_below_one_another() -> None:
    computed = as_written(__file__, "computed")
    throw = as_written(__file__, "throw")
    ruleset = ruleset_of({"tables": {"odds": computed}, "procedures": {"throw": throw}})
    view = TableComposer(Binder(compute(ruleset).ruleset)).view("odds", 76)
    assert [[cell.text for cell in row.cells] for row in view.body] == [
        ["17%", "50%", "–"],
        ["–", "100%", "–"],
    ]
    assert view.digits == (0, 4, 0)


def test_a_condition_that_counts_as_often_as_it_holds() -> None:
    rows = {
        "near": {"when": "the general is near", "score": "+2"},
        "lost": {"when": "a company lost", "score": "-1", "up_to": "6"},
    }
    view = modifiers_view({"title": "Tested", "changes": {"score": "score"}, "rows": rows})
    assert labels_of(view) == [[("the general is near", 1)], [("a company lost, each", 1)]]


BANDS = as_written(__file__, "bands")


def test_a_table_with_one_column_of_figures_may_lie_on_its_side() -> None:
    line = turned(view_of(BANDS, notes={("tables", "t", "data", 1, 0): 3}))
    assert line is not None
    assert heads_of(line) == [[("0–8″", 1), ("8–16″", 1), ("16–24″", 1)]]
    assert (line.stub_heads, cells_of(line)) == (("Range",), [["–", "−1", "−2"]])
    assert line.body[0].cells[1].note == 3
    assert line.needs[2].wanted > len("8–16″")


@pytest.mark.parametrize("other", beside(__file__, "others_stand").values())
def test_others_stand(other: dict[str, Any]) -> None:
    assert turned(view_of({**BANDS, **other}, sheet=True)) is None


# What stands unbroken on a line decides how narrow a column may be.


@pytest.mark.parametrize(("text", "alike"), [("6\u00a0pdr", "6xpdr"), ("six pdr", "six")])
def test_a_space_that_does_not_break_is_a_part_of_its_word(text: str, alike: str) -> None:
    def least(words: str) -> float:
        return needs([ColumnTexts(heads=(), cells=(words,))])[0].least

    assert least(text) == pytest.approx(least(alike), rel=0.15)
