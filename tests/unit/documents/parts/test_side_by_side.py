"""Tables set as one: a row for each name, the columns of each table under its title."""

from dataclasses import replace
from typing import Any

from small_rulesets import ruleset_of

from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.tables import TableComposer, side_by_side
from rulebook.documents.parts.views import GoneRow, TableView

FIELDS = {"walk": "length", "run": "length"}
TABLES: dict[str, Any] = {
    "foot": {
        "title": "Foot",
        "fields": FIELDS,
        "data": {
            "line": {"title": "Line", "walk": "4in", "run": "6in"},
            "column": {
                "title": "Column", "walk": "6in", "run": "9in", "status": "house", "note": "Ours.",
            },
        },
    },
    "horse": {
        "title": "Horse",
        "fields": {"walk": "length"},
        "data": {
            "column": {"title": "Column", "walk": "9in"},
            "open": {"title": "Open", "walk": "7in"},
        },
    },
}  # fmt: skip


def views() -> list[TableView]:
    composer = TableComposer(Binder(ruleset_of({"tables": TABLES})), sheet=True)
    return [composer.view(name, 40) for name in TABLES]


def lines(view: TableView) -> list[str]:
    """Each row as it is read: name, then cells, a star for what the source does not state."""
    return [
        " ".join([row.labels[0].text, *(f"{c.text or '-'}{'*' * c.ours}" for c in row.cells)])
        for row in view.body
    ]


def test_rows_of_one_name_stand_side_by_side() -> None:
    view = side_by_side("Moves", views(), 40)
    assert lines(view) == ["Line 4″ 6″ -", "Column 6″* 9″* 9″", "Open - - 7″"]
    assert [[(cell.text, cell.across) for cell in row] for row in view.head] == [
        [("Foot", 2), ("Horse", 1)],
        [("Walk", 1), ("Run", 1), ("Walk", 1)],
    ]
    assert (view.title, len(view.aligns), len(view.weights)) == ("Moves", 3, 4)


def test_no_row_is_lost_where_two_have_one_name() -> None:
    foot, horse = views()
    twice = replace(horse, body=(*horse.body, horse.body[0]))
    assert lines(side_by_side("Moves", [foot, twice], 40)) == [
        "Line 4″ 6″ -",
        "Column 6″* 9″* 9″",
        "Open - - 7″",
        "Column - - 9″",
    ]


def test_marks_stand_at_the_rows_that_they_are_of() -> None:
    foot, horse = views()
    line, column = foot.body
    cells = (replace(line.cells[0], was="3″"), line.cells[1])
    body = (replace(line, cells=cells), replace(column, new=True))
    foot = replace(foot, body=body, gone=(GoneRow(0, "Square", ("2″", "")),))
    view = side_by_side("Moves", [foot, horse], 40)
    assert [[cell.was for cell in row.cells] for row in view.body] == [
        ["3″", None, None],
        [None] * 3,
        [None] * 3,
    ]
    assert not any(row.new for row in view.body), "or but in one of two tables"
    assert not view.new and view.gone == (GoneRow(3, "Square", ("2″", "")),)
    assert not any(row.changed for row in side_by_side("Moves", [horse, horse], 40).body)
