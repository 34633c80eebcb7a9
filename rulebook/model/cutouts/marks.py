"""A cutout and the tables of its ruleset -> the cutout with its marks written out.

A length stands in one place: the stick that takes its marks from a table shows what the rules
reckon with. Whoever draws a cutout, or looks a value of it up, asks here for its marks first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, get_args

from rulebook import quantities as q
from rulebook.model.axes import Axis, humanise
from rulebook.model.cells import nearest, some_words
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.cutouts.stick import Colour, FromAxis, FromRow, FromTable, Mark, Stick
from rulebook.model.provenance import Status
from rulebook.model.scalars import LONGEST_LINE
from rulebook.model.tables import Grid, RecordTable, Row

AnyCutoutT = TypeVar("AnyCutoutT", bound=Cutout)
Tables = Mapping[str, object]
COLOURS: tuple[str, ...] = get_args(Colour)
#: Of a cutout: what is wrong is wrong there.
_MARKS = ("marks",)


class MarksFault(q.QuantityError):
    """What is wrong with marks that are taken from a table; `cell` is where, if it is one cell."""

    cell: tuple[str | int, ...] = ()


def with_marks(cutout: AnyCutoutT, tables: Tables) -> AnyCutoutT:
    """The cutout with marks from tables put in; any other cutout is given back as it is.

    Raises QuantityError, with a code and with `at` in the cutout, where a name is that of nothing,
    a cell is missing or not of its type, or the lengths make no marks.
    """
    if not isinstance(cutout, Stick) or isinstance(cutout.marks, tuple):
        return cutout
    match cutout.marks:
        case FromTable() as wanted:
            marks = _of_table(wanted, tables)
        case FromRow() as wanted:
            marks = _of_row(wanted, tables)
        case FromAxis() as wanted:
            marks = _of_axis(wanted, tables)
    made = cutout.model_copy(update={"marks": marks})
    try:
        made.expect_rising()
    except q.QuantityError as fault:
        raise q.QuantityError(
            fault.message, expected=fault.expected, hint=fault.hint, at=_MARKS, code="R312"
        ) from fault
    return made


def _fault(
    code: str,
    message: str,
    at: str,
    expected: str = "",
    hint: str = "",
    *,
    item: str | int = "",
    cell: tuple[str | int, ...] = (),
) -> MarksFault:
    """`at` is a key below `marks`, `item` what stands in the list or mapping there."""
    place = (*_MARKS, at) if item == "" else (*_MARKS, at, item)
    fault = MarksFault(message, expected=expected, hint=hint, at=place, code=code)
    fault.cell = cell
    return fault


def _named(
    name: str, known: Iterable[str], what: str, at: str, item: str | int = ""
) -> q.QuantityError:
    listed = list(known)
    kind, _, inside = what.partition(" of ")
    message = f"no {kind} '{name[:40]}'" + (f" in {inside}" if inside else "")
    hint = nearest(name, listed)
    return _fault("R302", message, at, some_words(listed), hint, item=item)


def _table_of(name: str, kind: type[Any], called: str, tables: Tables, at: str) -> Any:
    table = tables.get(name)
    if table is None:
        known = [key for key, one in tables.items() if isinstance(one, kind)]
        raise _fault(
            "R301",
            f"no table is called '{name[:40]}'",
            at,
            f"the id of {called} of this ruleset",
            nearest(name, known),
        )
    if not isinstance(table, kind):
        raise _fault("R305", f"'{name[:40]}' is another kind of table", at, f"the id of {called}")
    return table


def _of_table(wanted: FromTable, tables: Tables) -> tuple[Mark, ...]:
    """A mark for each length, with the titles of all rows that have it."""
    table: RecordTable = _table_of(
        wanted.table, RecordTable, "a table with rows and fields", tables, "table"
    )
    _expect_field(table, wanted.at, ("length",), "at")
    for index, key in enumerate(wanted.rows or ()):
        if key not in table.data:
            raise _named(key, table.data, f"row of the table '{table.title}'", "rows", index)
    for key in wanted.paint:
        if key not in table.data:
            raise _named(key, table.data, f"row of the table '{table.title}'", "paint", key)
    if wanted.target is not None:
        _expect_field(table, wanted.target, ("target", "modifier", "count"), "target")
    if wanted.colour is not None:
        _expect_field(table, wanted.colour, ("text", "row"), "colour")
    found: dict[q.Length, list[dict[str, Any]]] = {}
    for key in wanted.rows or table.data:
        reach = _length(wanted, table, key)
        if reach is not None:
            same = next((one for one in found if _together(one, reach)), reach)
            found.setdefault(same, []).append(_read_row(wanted, table, key, tables))
    if not found:
        raise _fault("R306", f"no row of '{wanted.table}' has a length", "at", "one or more")
    rising = sorted(found, key=lambda one: (one.unit == "base", one.unit != "base" and one.mm))
    return tuple(_shared(one, found[one]) for one in rising)


def _together(one: q.Length, other: q.Length) -> bool:
    if "base" in (one.unit, other.unit):
        return one == other
    return one.mm == other.mm


def _expect_field(
    table: RecordTable, name: str, types: tuple[str, ...], at: str, item: str | int = ""
) -> None:
    if name not in table.fields:
        raise _named(name, table.fields, f"field of the table '{table.title}'", at, item)
    cell_type = table.fields[name].type
    if cell_type.name not in types:
        raise _fault(
            "R305",
            f"the field '{name}' is of type {cell_type}",
            at,
            f"a field of type {q.join_words(types)}",
            item=item,
        )


def _length(wanted: FromTable, table: RecordTable, key: str) -> q.Length | None:
    """The length of a row; None where none applies and the row was not asked for."""
    cell = table.data[key].cells[wanted.at]
    if isinstance(cell.value, q.Length):
        return cell.value
    missing = cell.status is Status.MISSING
    if not missing and wanted.rows is None:
        return None
    raise _fault(
        "R306",
        f"the length {key}.{wanted.at} is {'missing' if missing else 'empty'}",
        "at" if wanted.rows is None else "rows",
        "a cell with a value",
        "name under 'rows' those that have a length",
        item="" if wanted.rows is None else wanted.rows.index(key),
        cell=("tables", wanted.table, "data", key, wanted.at),
    )


def _read_row(wanted: FromTable, table: RecordTable, key: str, tables: Tables) -> dict[str, Any]:
    row = table.data[key]
    target = row.cells[wanted.target].value if wanted.target else None
    colour = _colour(wanted, table, row, tables) if wanted.colour else None
    return {
        "name": row.title or humanise(key),
        "colour": colour or wanted.paint.get(key),
        "target": target,
    }


def _colour(wanted: FromTable, table: RecordTable, row: Row, tables: Tables) -> str | None:
    """The word in a cell, or the title of the row that it names, in lower case."""
    field = str(wanted.colour)
    value = row.cells[field].value
    if value is None:
        return None
    word, other = str(value), table.fields[field].type.table
    if other is not None:
        rows = tables.get(other)
        named = rows.data.get(word) if isinstance(rows, RecordTable) else None
        word = (named.title if named else None) or word
    if word.lower() not in COLOURS:
        raise _fault("R312", f"'{word[:40]}' is no colour", "colour", q.join_words(COLOURS))
    return word.lower()


def _shared(reach: q.Length, rows: list[dict[str, Any]]) -> Mark:
    """The mark of all rows of one length."""
    for what in ("colour", "target"):
        told = {str(row[what]) for row in rows}
        if len(told) > 1:
            raise _fault(
                "R312",
                f"rows that end at {reach} differ in their {what}",
                what,
                "one for each length",
                "name under 'rows' those that are to be marks",
            )
    names = list(dict.fromkeys(row["name"] for row in rows))
    return _mark(", ".join(names), reach, rows[0]["colour"], rows[0]["target"])


def _mark(name: str, to: q.Length, colour: Any = None, target: Any = None) -> Mark:
    """A mark of values that have been read already; only the length of its name may be too much."""
    if len(name) > LONGEST_LINE:
        raise q.QuantityError(
            f"a title of {len(name)} characters, of the mark at {to}",
            expected="names that are together no longer than a title",
            hint="name under 'rows' those that are to be marks",
            at=_MARKS,
            code="R312",
        )
    return Mark.model_construct(name=name, to=to, colour=colour, letter=None, target=target)


def _of_row(wanted: FromRow, tables: Tables) -> tuple[Mark, ...]:
    name, point, key = wanted.row.partition(".")
    table: RecordTable = _table_of(name, RecordTable, "a table with rows and fields", tables, "row")
    if not point or key not in table.data:
        raise _named(key, table.data, f"row of the table '{table.title}'", "row")
    marks = []
    for index, field in enumerate(wanted.columns):
        _expect_field(table, field, ("length",), "columns", index)
        cell = table.data[key].cells[field]
        if not isinstance(cell.value, q.Length):
            state = "missing" if cell.status is Status.MISSING else "empty"
            raise _fault(
                "R306",
                f"the length {wanted.row}.{field} is {state}",
                "columns",
                "a cell with a value",
                f"leave '{field}' out, or write the marks out one by one",
                item=index,
                cell=("tables", name, "data", key, field),
            )
        marks.append(_mark(table.fields[field].title or humanise(field), cell.value))
    return tuple(marks)


def _of_axis(wanted: FromAxis, tables: Tables) -> tuple[Mark, ...]:
    name, _, axis_name = wanted.axis.partition(".")
    grid: Grid = _table_of(name, Grid, "a table with axes", tables, "axis")
    axis = next((one for one in grid.axes if one.name == axis_name), None)
    if axis is None:
        known = [one.name for one in grid.axes]
        raise _named(axis_name, known, f"axis of the table '{grid.title}'", "axis")
    scores = _scores(grid, axis, wanted.cells) if wanted.cells is not None else {}
    marks: list[Mark] = []
    for index, choice in enumerate(axis.choices):
        band = choice.band
        if band is None or band.unit is None or band.high is None:
            raise _fault(
                "R312",
                f"'{choice.key}' on the axis '{axis.name}' is no band with an end",
                "axis",
                "bands of lengths, such as 0-8in, 8-16in",
            )
        if index == 0 and band.low:
            raise _fault(
                "R312",
                f"the first band of the axis '{axis.name}' begins at "
                f"{q.Length(band.low, band.unit)}",
                "axis",
                "bands that begin at 0",
            )
        marks.append(_mark(choice.title, q.Length(band.high, band.unit), None, scores.get(index)))
    return tuple(marks)


def _scores(grid: Grid, axis: Axis, fixed: Mapping[str, str]) -> dict[int, Any]:
    """Place on the axis -> the value of its cell, at the places that are named on the others."""
    if grid.cells.name not in ("target", "modifier", "count"):
        raise _fault(
            "R305",
            f"the cells of '{grid.title}' are of type {grid.cells}",
            "cells",
            "a table of targets, modifiers or counts",
        )
    others = [one for one in grid.axes if one is not axis]
    for name in fixed:
        if name not in (one.name for one in others):
            raise _named(name, [one.name for one in others], "other axis", "cells")
    for one in others:
        if fixed.get(one.name) not in one.keys:
            raise _fault(
                "R302",
                f"no place on the axis '{one.name}' is named",
                "cells",
                some_words(one.keys),
                f"add '{one.name}:' to them",
            )
    rows, columns = grid.positions("rows"), grid.positions("columns")
    found: dict[int, Any] = {}
    for number, row in enumerate(rows):
        for column, across in enumerate(columns):
            at = dict(zip((one.name for one in grid.axes), (*row, *across), strict=True))
            if all(at[name].key == key for name, key in fixed.items()):
                found[axis.choices.index(at[axis.name])] = grid.data[number][column].value
    return found
