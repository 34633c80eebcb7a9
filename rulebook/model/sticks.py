"""The data of a stick -> its model: a strip with marks from one end, those of tables as well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    Discriminator,
    Field,
    Tag,
    field_validator,
    model_validator,
)

from rulebook import quantities
from rulebook.limits import LONGEST_LINE
from rulebook.model.cells import Cell, CellType
from rulebook.model.cutouts import LONGEST, Cutout, DrawnLength, Score, drawn
from rulebook.model.entities import FrozenModel, Status
from rulebook.model.grids import Axis, Grid
from rulebook.model.record_tables import RecordTable, Row
from rulebook.model.scalars import Flag, Id, Length, Line, Name
from rulebook.suggestions import nearest, some_words

#: A strip of card that stays stiff and takes two lines of words; the size is ours.
WIDTH = quantities.Length(Fraction(16), "mm")
#: Marks nearer than this cannot be told apart.
LEAST_BAND = quantities.Length(Fraction(1), "mm")
#: Narrower strips are no strips, shorter folds no folds.
NARROWEST = quantities.Length(Fraction(5), "mm")
SHORTEST_FOLD = quantities.Length(Fraction(20), "mm")
#: More letters are a name.
MOST_LETTERS = 4

Colour = Literal["black", "white", "yellow", "green", "red", "blue", "brown", "grey"]


def _few(letters: str) -> str:
    if len(letters) > MOST_LETTERS:
        raise quantities.too_many(len(letters), "letters for a colour", MOST_LETTERS)
    return letters


Letters = Annotated[Name, AfterValidator(_few)]


_Across = Annotated[Length, drawn(NARROWEST)]


class Mark(FrozenModel):
    """A band of a stick: it runs from the mark before it to `to`."""

    name: Name
    to: DrawnLength
    colour: Colour | None = None
    """the colour of the stretch before it"""
    letter: Letters | None = None
    """stands for the colour; its first letters if left out"""
    target: Score | None = None
    """printed large in the band"""


class FromTable(FrozenModel):
    """Every row of a record table is a mark; rows of one length share one."""

    table: Id
    at: Id
    """the field with the lengths"""
    rows: Annotated[tuple[Id, ...], Field(min_length=1)] | None = None
    """only these rows"""
    target: Id | None = None
    """a field to print large"""
    colour: Id | None = None
    """a field with names of colours, or rows so called"""
    paint: dict[Id, Colour] = Field({})
    """colours of rows whose field gives none"""


class FromRow(FrozenModel):
    """The lengths of one row of a record table are marks, called as their fields are."""

    row: Name
    """such as ranges.rifled_musket"""
    columns: Annotated[tuple[Id, ...], Field(min_length=1)]
    """the places of the grid that are marked, in their order"""


class FromAxis(FrozenModel):
    """The bands of an axis of a grid are the bands of the stick."""

    axis: Name
    """such as musketry.range"""
    cells: dict[Id, Name] | None = None
    """places on the other axes whose cells are printed large"""


def _kind_of_marks(value: object) -> str:
    """Returns the tag for the way in which marks of a stick are given: a list, or where from.

    It is empty for a mapping of no known kind.
    """
    if isinstance(value, BaseModel):
        return f"[{type(value).__name__.lower()}]"
    if isinstance(value, Mapping):
        return next((f"[from{name}]" for name in ("table", "row", "axis") if name in value), "")
    return "[tuple]"


Marks = Annotated[
    Annotated[tuple[Mark, ...], Field(min_length=1), Tag("[tuple]")]
    | Annotated[FromTable, Tag("[fromtable]")]
    | Annotated[FromRow, Tag("[fromrow]")]
    | Annotated[FromAxis, Tag("[fromaxis]")],
    Discriminator(_kind_of_marks),
]


class Stick(Cutout):
    """A strip on which distances from one end are read: bounce stick, range stick, move stick."""

    not_scaled: ClassVar[frozenset[str]] = frozenset({"rod", "width", "fold"})

    shape: Literal["stick"]
    """a flat measuring stick"""
    marks: Marks
    """where it is marked: typed, or taken from a table"""
    length: DrawnLength | None = None
    """the last mark, if left out"""
    width: _Across | None = None
    """of a flat strip; 16 mm, if left out"""
    rod: _Across | None = None
    """side of a square rod, for which it is a wrap"""
    fold: Annotated[Length, drawn(SHORTEST_FOLD)] | None = None
    """a flat strip folds so often"""
    ticks: Flag = True
    """inches or centimetres along the edge"""
    origin: Line | None = None
    """what lies at the first end, such as muzzle"""

    @field_validator("marks", mode="before", json_schema_input_type=Marks)
    @classmethod
    def _marks_somewhere(cls, value: Any) -> Any:
        if isinstance(value, Mapping) and not _kind_of_marks(value):
            raise quantities.QuantityError(
                "marks that are taken from nowhere",
                expected="a list of marks, or where they are taken from: table, row or axis",
            )
        return value

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        for name in ("width", "fold"):
            if self.rod is not None and getattr(self, name) is not None:
                raise quantities.QuantityError(
                    f"a {name} for a wrap round a rod", expected="the side of the rod", at=(name,)
                )
        self.expect_rising()
        return self

    @property
    def listed(self) -> tuple[Mark, ...]:
        """The marks of the stick; empty if they are still to be taken from a table."""
        return self.marks if isinstance(self.marks, tuple) else ()

    @property
    def reach(self) -> quantities.Length | None:
        """The length of the stick, which is that of its last mark if the author gives none.

        None if its marks are still to be taken from a table.
        """
        return self.length or (self.listed[-1].to if self.listed else None)

    def expect_rising(self) -> None:
        """Raises QuantityError unless the marks rise and lie within the length of the stick.

        Each must be LEAST_BAND or more above the one before.
        """
        reached = Fraction(0)
        for index, mark in enumerate(self.listed):
            at = ("marks", index, "to")
            to, most = mark.to, self.length or LONGEST
            if to.unit == "base" or not reached + LEAST_BAND.mm <= to.mm <= most.mm:
                expected = f"marks that rise by {LEAST_BAND} or more, up to {most}"
                raise quantities.out_of_bounds(f"mark {mark.name[:40]}", to, expected, at)
            reached = to.mm


#: Room for card to slide on wood; the size is ours.
CLEARANCE = quantities.Length(Fraction(1, 2), "mm")
#: More room than this and the sleeve turns on its rod.
MOST_CLEARANCE = quantities.Length(Fraction(5), "mm")


class Sleeve(Cutout):
    """A tube round a square rod, with an index at its middle and a scale of steps about it."""

    not_scaled: ClassVar[frozenset[str]] = frozenset({"rod", "clearance"})

    shape: Literal["sleeve"]
    """a scale to wrap round a rod"""
    length: _Across
    rod: _Across
    """side of the square rod on which it slides"""
    clearance: Length = CLEARANCE
    """how much wider than the rod each face is"""
    step: DrawnLength | None = None
    """how far it slides for a score of one"""
    away: Line | None = None
    """where a slide of plus leads, such as away"""
    towards: Line | None = None
    """where a slide of minus leads"""

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        if self.clearance.unit == "base" or self.clearance.mm > MOST_CLEARANCE.mm:
            at = ("clearance",)
            raise quantities.out_of_bounds(
                "clearance", self.clearance, f"up to {MOST_CLEARANCE}", at
            )
        if self.step and not LEAST_BAND.mm <= self.step.mm <= self.length.mm / 2:
            expected = f"from {LEAST_BAND} to half the length, {self.length}"
            raise quantities.out_of_bounds("step", self.step, expected, ("step",))
        return self

    @property
    def face(self) -> Fraction:
        """The width in mm of each of the four faces: that of the rod and the clearance."""
        return self.rod.mm + self.clearance.mm


AnyCutoutT = TypeVar("AnyCutoutT", bound=Cutout)
AnyTableT = TypeVar("AnyTableT", RecordTable, Grid)
Tables = Mapping[str, object]
COLOURS: tuple[str, ...] = get_args(Colour)
#: Types of cells that are printed large in a band.
_SCORES = ("target", "modifier", "count")


def with_marks(cutout: AnyCutoutT, tables: Tables) -> AnyCutoutT:
    """Returns a cutout with its marks filled in from tables; any other cutout unchanged.

    Raises QuantityError, with a code and with `at` in the cutout, where a name stands for nothing,
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
    except quantities.QuantityError as fault:
        raise _fault("R312", fault.message, expected=fault.expected) from fault
    return made


def _fault(
    code: str, message: str, *at: str | int, expected: str, hint: str = ""
) -> quantities.QuantityError:
    """Makes the fault of the marks of a stick; `at` leads from `marks` to what is at fault."""
    place = ("marks", *at)
    return quantities.QuantityError(message, expected=expected, hint=hint, at=place, code=code)


def _expect_named(name: str, known: Iterable[str], what: str, *at: str | int) -> None:
    """Raises QuantityError if a name is not among those known; `what` says what it names."""
    words = list(known)
    if name not in words:
        message, hint = f"no {what} is called '{name[:40]}'", nearest(name, words)
        raise _fault("R302", message, *at, expected=some_words(words), hint=hint)


def _table_of(name: str, kind: type[AnyTableT], called: str, tables: Tables, at: str) -> AnyTableT:
    """Returns the table with this id; raises QuantityError unless it is of the given kind.

    `called` names the kind in the message, and `at` is the key that names the table.
    """
    table = tables.get(name)
    if not isinstance(table, kind):
        known = [key for key, table in tables.items() if isinstance(table, kind)]
        expected = f"the id of {called}: {some_words(known)}"
        if table is None:
            message = f"no table is called '{name[:40]}'"
            raise _fault("R301", message, at, expected=expected, hint=nearest(name, known))
        raise _fault("R305", f"'{name}' is another kind of table", at, expected=expected)
    return table


def _expect_type(cell_type: CellType, types: tuple[str, ...], *at: str | int) -> None:
    """Raises QuantityError unless the type of some cells is one of the given types."""
    if cell_type.name not in types:
        message = f"cells of type {cell_type}"
        raise _fault("R305", message, *at, expected=f"cells of type {quantities.join_words(types)}")


def _expect_field(table: RecordTable, name: str, types: tuple[str, ...], *at: str | int) -> None:
    """Raises QuantityError if a table lacks a field, or its cells are of another type."""
    _expect_named(name, table.fields, f"field of the table '{table.title}'", *at)
    _expect_type(table.fields[name].type, types, *at)


def _length(cell: Cell, name: str, *at: str | int) -> quantities.Length:
    """Returns the length in a cell; raises QuantityError if it has none.

    `name` names the cell in the message.
    """
    if isinstance(cell.value, quantities.Length):
        return cell.value
    state = "missing" if cell.status is Status.MISSING else "empty"
    raise _fault(
        "R306",
        f"the length {name} is {state}",
        *at,
        expected="a cell with a value",
        hint="name only those that have a length, or write the marks out one by one",
    )


def _of_table(wanted: FromTable, tables: Tables) -> tuple[Mark, ...]:
    """Makes a mark for each length in a column, with the titles of all rows that have it.

    Marks are sorted by length. Raises QuantityError for unknown names, other types of cells, and
    lengths that are missing.
    """
    table = _table_of(wanted.table, RecordTable, "a table with rows and fields", tables, "table")
    _expect_field(table, wanted.at, ("length",), "at")
    row = f"row of the table '{table.title}'"
    for index, key in enumerate(wanted.rows or ()):
        _expect_named(key, table.data, row, "rows", index)
    for key in wanted.paint:
        _expect_named(key, table.data, row, "paint", key)
    if wanted.target is not None:
        _expect_field(table, wanted.target, _SCORES, "target")
    if wanted.colour is not None:
        _expect_field(table, wanted.colour, ("text", "row"), "colour")
    found: dict[object, list[Mark]] = {}
    for index, key in enumerate(wanted.rows or table.data):
        cell = table.data[key].cells[wanted.at]
        if cell.value is None and cell.status is not Status.MISSING and wanted.rows is None:
            continue
        at = ("rows", index) if wanted.rows else ("at",)
        length = _length(cell, f"{key}.{wanted.at}", *at)
        mark = _of_table_row(wanted, table, key, length, tables)
        found.setdefault(None if length.unit == "base" else length.mm, []).append(mark)
    if not found:
        message = f"no row of '{wanted.table}' has a length"
        raise _fault("R306", message, "at", expected="one or more")
    marks = [_shared(marks) for marks in found.values()]
    return tuple(sorted(marks, key=lambda mark: mark.to.unit != "base" and mark.to.mm))


def _of_table_row(
    wanted: FromTable, table: RecordTable, key: str, to: quantities.Length, tables: Tables
) -> Mark:
    row = table.data[key]
    target = row.cells[wanted.target].value if wanted.target else None
    colour = _colour(wanted, table, row, tables) if wanted.colour else None
    return _mark(row.heading(key), to, colour or wanted.paint.get(key), target)


def _colour(wanted: FromTable, table: RecordTable, row: Row, tables: Tables) -> str | None:
    """Returns the colour that a cell names, or that is the title of the row that it names.

    Returns it in lower case, or None for an empty cell. Raises QuantityError for other words.
    """
    field = str(wanted.colour)
    value = row.cells[field].value
    if value is None:
        return None
    word, named_in = str(value), table.fields[field].type.table
    if named_in is not None:
        rows = tables.get(named_in)
        named = rows.data.get(word) if isinstance(rows, RecordTable) else None
        word = (named.title if named else None) or word
    if word.lower() not in COLOURS:
        message, expected = f"'{word[:40]}' is no colour", quantities.join_words(COLOURS)
        raise _fault("R312", message, "colour", expected=expected)
    return word.lower()


def _shared(marks: list[Mark]) -> Mark:
    """Joins the marks of several rows that have the same length into one.

    Raises QuantityError if they differ in colour or target.
    """
    first = marks[0]
    for what in ("colour", "target"):
        if len({str(getattr(mark, what)) for mark in marks}) > 1:
            message = f"rows that end at {first.to} differ in their {what}"
            raise _fault("R312", message, what, expected="one for each length", hint=_NAME_ROWS)
    names = dict.fromkeys(mark.name for mark in marks)
    return _mark(", ".join(names), first.to, first.colour, first.target)


_NAME_ROWS = "name under 'rows' those that are to be marks"


def _mark(name: str, to: quantities.Length, colour: Any = None, target: Any = None) -> Mark:
    """Makes a mark of a stick from values that have been read.

    Raises QuantityError if its name is too long.
    """
    if len(name) > LONGEST_LINE:
        message = f"a title of {len(name)} characters, of the mark at {to}"
        raise _fault("R312", message, expected=f"up to {LONGEST_LINE}", hint=_NAME_ROWS)
    return Mark.model_construct(name=name, to=to, colour=colour, letter=None, target=target)


def _of_row(wanted: FromRow, tables: Tables) -> tuple[Mark, ...]:
    """Makes a mark for each of the chosen fields of a row, in their order.

    Raises QuantityError for unknown names, cells that are no lengths, and empty cells.
    """
    name, _, key = wanted.row.partition(".")
    table = _table_of(name, RecordTable, "a table with rows and fields", tables, "row")
    _expect_named(key, table.data, f"row of the table '{table.title}'", "row")
    marks = []
    for index, field in enumerate(wanted.columns):
        _expect_field(table, field, ("length",), "columns", index)
        to = _length(table.data[key].cells[field], f"{key}.{field}", "columns", index)
        marks.append(_mark(table.title_of(field), to))
    return tuple(marks)


def _of_axis(wanted: FromAxis, tables: Tables) -> tuple[Mark, ...]:
    """Makes a mark for each band of an axis, at its end; with scores if cells are named.

    Raises QuantityError for unknown names, and for bands that do not begin at 0 or have no end.
    """
    name, _, axis_name = wanted.axis.partition(".")
    grid = _table_of(name, Grid, "a table with axes", tables, "axis")
    axes = {axis.name: axis for axis in grid.axes}
    _expect_named(axis_name, axes, f"axis of the table '{grid.title}'", "axis")
    axis = axes[axis_name]
    scores = _scores(grid, axis, wanted.cells) if wanted.cells is not None else {}
    marks: list[Mark] = []
    for index, choice in enumerate(axis.choices):
        band = choice.band
        if not band or not band.unit or band.high is None or (index == 0 and band.low):
            message = f"'{choice.key}' on the axis '{axis.name}' is no band of a stick"
            expected = "bands of lengths from 0 on, each with an end, such as 0-8in, 8-16in"
            raise _fault("R312", message, "axis", expected=expected)
        to = quantities.Length(band.high, band.unit)
        marks.append(_mark(choice.title, to, None, scores.get(index)))
    return tuple(marks)


def _scores(grid: Grid, axis: Axis, fixed: Mapping[str, str]) -> dict[int, Any]:
    """Returns the scores in the cells along an axis, by position on it.

    `fixed` maps each of the other axes to the place at which cells are taken. Raises QuantityError
    for unknown names, and for cells that hold no scores.
    """
    _expect_type(grid.cells, _SCORES, "cells")
    others = {crossed.name: crossed for crossed in grid.axes if crossed is not axis}
    for name in fixed:
        _expect_named(name, others, "other axis", "cells")
    for name, crossed in others.items():
        _expect_named(fixed.get(name, ""), crossed.keys, f"place on the axis '{name}'", "cells")
    found: dict[int, Any] = {}
    for number, row in enumerate(grid.positions("rows")):
        for column, across in enumerate(grid.positions("columns")):
            at = dict(zip((axis.name for axis in grid.axes), (*row, *across), strict=True))
            if all(at[name].key == key for name, key in fixed.items()):
                found[axis.choices.index(at[axis.name])] = grid.data[number][column].value
    return found
