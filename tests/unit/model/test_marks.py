"""Marks that are taken from tables: they are what the tables say, and a path finds them."""

from typing import Any

import pytest
from beside import beside, written
from pydantic import TypeAdapter

from rulebook import quantities
from rulebook.model.grids import Grid
from rulebook.model.record_tables import RecordTable
from rulebook.model.ruleset import AnyTable
from rulebook.model.sticks import Stick, Tables, with_marks

TABLES: dict[str, Grid | RecordTable] = {
    name: TypeAdapter[Any](AnyTable).validate_python(table)
    for name, table in written(
        beside(__file__, "tables")
    ).items()
}  # fmt: skip


def marked(marks: dict[str, Any], tables: Tables = TABLES) -> list[tuple[Any, ...]]:
    """Name, end, colour and score of each mark."""
    stick = Stick.model_validate({"shape": "stick", "title": "Stick", "marks": marks})
    assert stick.listed == () and stick.reach is None
    made = with_marks(stick, tables)
    return [(one.name, str(one.to), one.colour, one.target) for one in made.listed]


def test_rows_of_a_table_rise_and_share_marks_of_one_length() -> None:
    assert marked({"table": "moves", "at": "move"}) == [
        ("On foot, Gun", "6″", None, None),
        ("Horse", "9″", None, None),
    ]


def test_scores_and_colours_are_taken_along() -> None:
    wanted = {"table": "moves", "at": "move", "target": "kills", "colour": "paint"}
    assert marked(wanted) == [
        ("On foot, Gun", "6″", "red", quantities.RollTarget((4,))),
        ("Horse", "9″", "green", quantities.RollTarget((5,))),
    ]
    of_rows = marked({"table": "moves", "at": "move", "colour": "kind", "rows": ["horse", "gun"]})
    assert of_rows == [("Gun", "6″", "brown", None), ("Horse", "9″", "blue", None)]
    painted = {"table": "moves", "at": "move", "rows": ["horse"], "paint": {"horse": "black"}}
    assert marked(painted) == [("Horse", "9″", "black", None)]


def test_fields_of_a_row_are_called_by_their_titles_in_any_length_units() -> None:
    assert marked({"row": "ranges.musket", "columns": ["near", "far"]}) == [
        ("Near to", "20 cm", None, None),
        ("Far", "24″", None, None),
    ]


def test_bands_of_an_axis_with_the_cells_at_chosen_places() -> None:
    assert marked({"axis": "fire.range"}) == [
        ("0–8″", "8″", None, None),
        ("8–16″", "16″", None, None),
    ]
    cells = {"volley": "first", "cover": "cover"}
    assert [score for *_, score in marked({"axis": "fire.range", "cells": cells})] == [2, 9]


@pytest.mark.parametrize(("marks", "code", "at"), beside(__file__, "what_gives_no_marks_is_told"))
def test_what_gives_no_marks_is_told(
    marks: dict[str, Any], code: str, at: tuple[str | int, ...]
) -> None:
    with pytest.raises(quantities.QuantityError) as caught:
        marked(marks)
    assert (caught.value.code, caught.value.at) == (code, ("marks", *at))


def test_names_that_are_together_too_long_are_refused() -> None:
    names = [f"{number} A long name for a row" * 3 for number in range(6)]
    rows = {f"row_{n}": {"title": name, "move": "6in"} for n, name in enumerate(names)}
    table = {"title": "Moves", "fields": {"move": "length"}, "data": rows}
    with pytest.raises(quantities.QuantityError, match="of the mark at 6″"):
        marked({"table": "moves", "at": "move"}, {"moves": RecordTable.model_validate(table)})
