"""The data of a stick -> its model: a strip with marks from one end, those of tables as well."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    PlainSerializer,
    PlainValidator,
    Tag,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from rulebook import quantities
from rulebook.limits import LONGEST_LINE
from rulebook.model.axes import Axis, humanise
from rulebook.model.cells import Sought, expect_text, some_words
from rulebook.model.cutouts.cutout import Cutout, true_scale
from rulebook.model.provenance import Status
from rulebook.model.scalars import Flag, Id, Length, Line, Name
from rulebook.model.tables import Grid, RecordTable, Row

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


def _read_score(value: object) -> quantities.Value:
    """`4+`, `never`, `-2` or `12`, as cells of tables hold them."""
    expected = "a roll target, a modifier or a count, such as 4+, -2 or 12"
    text = expect_text(value, expected)
    parsers: tuple[Callable[[str], quantities.Value], ...] = (
        quantities.parse_roll_target,
        quantities.parse_modifier,
        quantities.parse_count,
    )
    for parse in parsers:
        try:
            return parse(text)
        except quantities.QuantityError:
            continue
    raise quantities.QuantityError.of("R204 no score", text=text)


Score = Annotated[
    quantities.RollTarget | quantities.Modifier | int,
    PlainValidator(_read_score),
    PlainSerializer(quantities.format_value),
    WithJsonSchema({"type": ["string", "integer"], "description": "such as 4+, -2 or 12"}),
]


def _few(letters: str) -> str:
    if len(letters) > MOST_LETTERS:
        raise quantities.QuantityError.of(
            "R204 letters for a colour", count=len(letters), most=MOST_LETTERS
        )
    return letters


Letters = Annotated[Name, AfterValidator(_few)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Mark(_Strict):
    """A band of a stick: it runs from the mark before it to `to`."""

    name: Name
    to: Length
    colour: Colour | None = Field(None, description="the colour of the stretch before it")
    letter: Letters | None = Field(
        None, description="stands for the colour; its first letters if left out"
    )
    target: Score | None = Field(None, description="printed large in the band")


class FromTable(_Strict):
    """Every row of a record table is a mark; rows of one length share one."""

    table: Id
    at: Id = Field(description="the field with the lengths")
    rows: Annotated[tuple[Id, ...], Field(min_length=1)] | None = Field(
        None, description="only these rows"
    )
    target: Id | None = Field(None, description="a field to print large")
    colour: Id | None = Field(None, description="a field with names of colours, or rows so called")
    paint: dict[Id, Colour] = Field({}, description="colours of rows whose field gives none")


class FromRow(_Strict):
    """The lengths of one row of a record table are marks, called as their fields are."""

    row: Name = Field(description="such as ranges.rifled_musket")
    columns: Annotated[tuple[Id, ...], Field(min_length=1)] = Field(
        description="the places of the grid that are marked, in their order"
    )


class FromAxis(_Strict):
    """The bands of an axis of a grid are the bands of the stick."""

    axis: Name = Field(description="such as musketry.range")
    cells: dict[Id, Name] | None = Field(
        None, description="places on the other axes whose cells are printed large"
    )


def _kind_of_marks(value: object) -> str:
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

    shape: Literal["stick"] = Field(description="a flat measuring stick")
    marks: Marks = Field(description="where it is marked: typed, or taken from a table")
    length: Length | None = Field(None, description="the last mark, if left out")
    width: Length | None = Field(None, description=f"of a flat strip; {WIDTH}, if left out")
    rod: Length | None = Field(None, description="side of a square rod: the stick is a wrap for it")
    fold: Length | None = Field(None, description="a flat strip folds so often")
    ticks: Flag = Field(True, description="inches or centimetres along the edge")
    origin: Line | None = Field(None, description="what lies at the first end, such as muzzle")

    @field_validator("marks", mode="before", json_schema_input_type=Marks)
    @classmethod
    def _marks_somewhere(cls, value: Any) -> Any:
        if isinstance(value, Mapping) and not _kind_of_marks(value):
            raise quantities.QuantityError.of("R204 marks from nowhere")
        return value

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        for name, at_least in (("width", NARROWEST), ("rod", NARROWEST), ("fold", SHORTEST_FOLD)):
            given: quantities.Length | None = getattr(self, name)
            if given is not None:
                true_scale(name, given, name, least=at_least)
        for name in ("width", "fold"):
            if self.rod is not None and getattr(self, name) is not None:
                raise quantities.QuantityError.of("R204 not round a rod", at=(name,), name=name)
        if self.length is not None:
            true_scale("length", self.length, "length")
        self.expect_rising()
        return self

    @property
    def listed(self) -> tuple[Mark, ...]:
        """The marks written out or put in; none where they are still to be taken from a table."""
        return self.marks if isinstance(self.marks, tuple) else ()

    @property
    def reach(self) -> quantities.Length | None:
        """How long the stick is, or None where its marks are still to be taken."""
        return self.length or (self.listed[-1].to if self.listed else None)

    def expect_rising(self) -> None:
        """Raises QuantityError where marks do not rise, or lie beyond the end of the stick."""
        reached = Fraction(0)
        for index, mark in enumerate(self.listed):
            at = ("marks", index, "to")
            true_scale(f"mark {mark.name[:40]}", mark.to, *at)
            if mark.to.mm - reached < LEAST_BAND.mm:
                before = (
                    self.listed[index - 1].to
                    if index
                    else quantities.Length(Fraction(0), mark.to.unit)
                )
                raise quantities.QuantityError.of(
                    "R204 marks do not rise",
                    at=at,
                    mark=mark.name,
                    to=mark.to,
                    before=before,
                    least=LEAST_BAND,
                )
            reached = mark.to.mm
            if self.length is not None and reached > self.length.mm:
                to = mark.to
                raise quantities.QuantityError.of(
                    "R204 mark beyond the end", at=at, mark=mark.name, to=to, length=self.length
                )


#: Room for card to slide on wood; the size is ours.
CLEARANCE = quantities.Length(Fraction(1, 2), "mm")
#: More room than this and the sleeve turns on its rod.
MOST_CLEARANCE = quantities.Length(Fraction(5), "mm")


class Sleeve(Cutout):
    """A tube round a square rod, with an index at its middle and a scale of steps about it."""

    not_scaled: ClassVar[frozenset[str]] = frozenset({"rod", "clearance"})

    shape: Literal["sleeve"] = Field(description="a scale to wrap round a rod")
    length: Length
    rod: Length = Field(description="side of the square rod on which it slides")
    clearance: Length = Field(CLEARANCE, description="how much wider than the rod each face is")
    step: Length | None = Field(None, description="how far it slides for a score of one")
    away: Line | None = Field(None, description="where a slide of plus leads, such as away")
    towards: Line | None = Field(None, description="where a slide of minus leads")

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        for name in ("length", "rod"):
            true_scale(name, getattr(self, name), name, least=NARROWEST)
        if self.clearance.unit == "base" or self.clearance.mm > MOST_CLEARANCE.mm:
            raise quantities.QuantityError.of(
                "R204 clearance", at=("clearance",), clearance=self.clearance, most=MOST_CLEARANCE
            )
        if self.step is not None:
            true_scale("step", self.step, "step")
            if not LEAST_BAND.mm <= self.step.mm <= self.length.mm / 2:
                raise quantities.QuantityError.of(
                    "R204 step of a sleeve",
                    at=("step",),
                    step=self.step,
                    least=LEAST_BAND,
                    length=self.length,
                )
        return self

    @property
    def face(self) -> Fraction:
        """How wide each of its four faces is, in mm: the rod and the clearance."""
        return self.rod.mm + self.clearance.mm


AnyCutoutT = TypeVar("AnyCutoutT", bound=Cutout)
Tables = Mapping[str, object]
COLOURS: tuple[str, ...] = get_args(Colour)
#: Of a cutout: what is wrong is wrong there.
_MARKS = ("marks",)


class MarksFault(quantities.QuantityError):
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
    except quantities.QuantityError as fault:
        raise quantities.QuantityError(
            fault.message, expected=fault.expected, hint=fault.hint, at=_MARKS, code="R312"
        ) from fault
    return made


def _fault(
    key: str, at: str, /, *, item: str | int = "", cell: tuple[str | int, ...] = (), **values: Any
) -> MarksFault:
    """`at` is a key below `marks`, `item` what stands in the list or mapping there."""
    place = (*_MARKS, at) if item == "" else (*_MARKS, at, item)
    fault = MarksFault.of(key, at=place, **values)
    fault.cell = cell
    return fault


def _named(
    name: str, known: Iterable[str], what: str, at: str, item: str | int = ""
) -> quantities.QuantityError:
    sought = Sought(name, list(known))
    kind, _, table = what.partition(" of ")
    inside = f" in {table}" if table else ""
    return _fault("R302 part of marks", at, item=item, kind=kind, name=sought, inside=inside)


def _table_of(name: str, kind: type[Any], called: str, tables: Tables, at: str) -> Any:
    table = tables.get(name)
    if table is None:
        known = [key for key, one in tables.items() if isinstance(one, kind)]
        raise _fault("R301 table of marks", at, name=Sought(name, known), called=called)
    if not isinstance(table, kind):
        raise _fault("R305 table of another kind", at, name=name, called=called)
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
    found: dict[quantities.Length, list[dict[str, Any]]] = {}
    for key in wanted.rows or table.data:
        reach = _length(wanted, table, key)
        if reach is not None:
            same = next((one for one in found if _together(one, reach)), reach)
            found.setdefault(same, []).append(_read_row(wanted, table, key, tables))
    if not found:
        raise _fault("R306 no row with a length", "at", table=wanted.table)
    rising = sorted(found, key=lambda one: (one.unit == "base", one.unit != "base" and one.mm))
    return tuple(_shared(one, found[one]) for one in rising)


def _together(one: quantities.Length, other: quantities.Length) -> bool:
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
            "R305 type of a field",
            at,
            item=item,
            name=name,
            type=cell_type,
            types=quantities.join_words(types),
        )


def _length(wanted: FromTable, table: RecordTable, key: str) -> quantities.Length | None:
    """The length of a row; None where none applies and the row was not asked for."""
    cell = table.data[key].cells[wanted.at]
    if isinstance(cell.value, quantities.Length):
        return cell.value
    missing = cell.status is Status.MISSING
    if not missing and wanted.rows is None:
        return None
    raise _fault(
        "R306 length is missing" if missing else "R306 length is empty",
        "at" if wanted.rows is None else "rows",
        item="" if wanted.rows is None else wanted.rows.index(key),
        cell=("tables", wanted.table, "data", key, wanted.at),
        length=f"{key}.{wanted.at}",
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
        raise _fault("R312 colour", "colour", word=word, known=quantities.join_words(COLOURS))
    return word.lower()


def _shared(reach: quantities.Length, rows: list[dict[str, Any]]) -> Mark:
    """The mark of all rows of one length."""
    for what in ("colour", "target"):
        told = {str(row[what]) for row in rows}
        if len(told) > 1:
            raise _fault("R312 rows differ", what, reach=reach, what=what)
    names = list(dict.fromkeys(row["name"] for row in rows))
    return _mark(", ".join(names), reach, rows[0]["colour"], rows[0]["target"])


def _mark(name: str, to: quantities.Length, colour: Any = None, target: Any = None) -> Mark:
    """A mark of values that have been read already; only the length of its name may be too much."""
    if len(name) > LONGEST_LINE:
        raise quantities.QuantityError.of("R312 long title", at=_MARKS, count=len(name), to=to)
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
        if not isinstance(cell.value, quantities.Length):
            state = "missing" if cell.status is Status.MISSING else "empty"
            raise _fault(
                "R306 length of a row",
                "columns",
                item=index,
                cell=("tables", name, "data", key, field),
                row=wanted.row,
                field=field,
                state=state,
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
            raise _fault("R312 no band with an end", "axis", place=choice.key, axis=axis.name)
        if index == 0 and band.low:
            raise _fault(
                "R312 first band",
                "axis",
                axis=axis.name,
                low=quantities.Length(band.low, band.unit),
            )
        marks.append(
            _mark(choice.title, quantities.Length(band.high, band.unit), None, scores.get(index))
        )
    return tuple(marks)


def _scores(grid: Grid, axis: Axis, fixed: Mapping[str, str]) -> dict[int, Any]:
    """Place on the axis -> the value of its cell, at the places that are named on the others."""
    if grid.cells.name not in ("target", "modifier", "count"):
        raise _fault("R305 type of cells", "cells", table=grid.title, type=grid.cells)
    others = [one for one in grid.axes if one is not axis]
    for name in fixed:
        if name not in (one.name for one in others):
            raise _named(name, [one.name for one in others], "other axis", "cells")
    for one in others:
        if fixed.get(one.name) not in one.keys:
            raise _fault("R302 place not named", "cells", axis=one.name, known=some_words(one.keys))
    rows, columns = grid.positions("rows"), grid.positions("columns")
    found: dict[int, Any] = {}
    for number, row in enumerate(rows):
        for column, across in enumerate(columns):
            at = dict(zip((one.name for one in grid.axes), (*row, *across), strict=True))
            if all(at[name].key == key for name, key in fixed.items()):
                found[axis.choices.index(at[axis.name])] = grid.data[number][column].value
    return found
