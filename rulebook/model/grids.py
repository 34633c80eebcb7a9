"""Grids: cells of one type over named axes, written or computed from a procedure.

An axis has choices, bands, single numbers, or the faces of a die. A computed table names a
procedure, what varies along its axes and what is shown: the rules core makes a grid of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import prod
from typing import Annotated, Any, Literal, Self

from pydantic import (
    ConfigDict,
    Field,
    PlainValidator,
    PrivateAttr,
    TypeAdapter,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from rulebook import quantities
from rulebook.limits import MOST_ITEMS
from rulebook.model import scalars
from rulebook.model.cells import (
    MISSING,
    Cell,
    CellType,
    CellTypeName,
    Faults,
    OrSpreadsheet,
    PrintedTable,
    WrittenCell,
    expect_mapping,
    read_cell,
)
from rulebook.model.entities import FrozenModel, Status
from rulebook.model.scalars import Given, Id, Line, TypedValue
from rulebook.suggestions import nearest, some_words


@dataclass(frozen=True, slots=True)
class Choice:
    """One place on an axis: its key in data and expressions, what it prints, and what it means."""

    key: str
    title: str
    band: quantities.Band | None = None
    faces: quantities.Faces | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Axis:
    """Choices, bands, single numbers, or the faces of a die.

    `label` is what the axis is called in print where its name does not say it; a `headed` axis
    across a table is called so above its places, which do not explain themselves: 0, 1, 2.
    """

    name: str
    choices: tuple[Choice, ...]
    die: quantities.Dice | None = None
    label: str = ""
    headed: bool = False

    @property
    def title(self) -> str:
        return self.label or humanise(self.name)

    @property
    def kind(self) -> Literal["choices", "bands", "numbers", "die"]:
        if self.die:
            return "die"
        if all(choice.number is not None for choice in self.choices):
            return "numbers"
        return "bands" if all(choice.band for choice in self.choices) else "choices"

    @property
    def keys(self) -> list[str]:
        return [choice.key for choice in self.choices]


def humanise(name: str) -> str:
    """Makes a title from an id: `rank_and_file` becomes `Rank and file`."""
    return name.replace("_", " ").capitalize()


_PLACES = "a die such as d6, or places in a list, such as [0-8in, 8-16in]"


def _refused(place: object, name: str, expected: str) -> quantities.QuantityError:
    """Makes the fault of a value that cannot be a place on the axis with this name."""
    return quantities.QuantityError(
        f"'{place!s:.40}' is no place on the axis '{name}'", expected=expected
    )


def _read_axis(name: str, raw: object) -> Axis:
    """Reads the axis with this name from what an author writes. Raises QuantityError.

    The forms are `[a, b]`, `{a: Title, b: Title}`, `[0-8in, 8-16in]`, `d6`, `{d6: [1-2, 3, 4-6]}`
    and `{numbers: [1, 2, 10]}`.
    """
    die, numbered = None, False
    if isinstance(raw, str) and re.fullmatch(r"[0-9]*d[0-9]+", raw):
        die = quantities.parse_dice(raw)
        raw = [str(face) for face in quantities.faces_of(die.sides)]
    elif isinstance(raw, dict) and len(raw) == 1:
        (key, places), *_ = raw.items()
        if key == "numbers" and isinstance(places, list | dict):
            raw, numbered = places, True
        elif isinstance(places, list) and re.match("[0-9]*d[0-9]", str(key)):
            die, raw = quantities.parse_dice(str(key)), places
        elif isinstance(places, list) or re.fullmatch("d[0-9]+", str(places)):
            raise _refused(key, name, _PLACES)
    if not isinstance(raw, dict | list) or not raw:
        raise _refused(raw or "nothing", name, _PLACES)
    if die and die.count != 1:
        raise _refused(die, name, "one die")
    read = partial(_face, die) if die else partial(_number, name) if numbered else _choice_or_band
    choices = tuple(read(key, _shown(title)) for key, title in _titles(name, raw).items())
    return Axis(name, choices, die, headed=numbered)


def _titles(name: str, raw: dict[str, object] | list[object]) -> dict[str, object]:
    """Maps the keys of places to their titles, or to None if the places are only listed.

    Raises QuantityError for keys in a list that are no texts or stand there twice.
    """
    if isinstance(raw, dict):
        return raw
    titles: dict[str, object] = {}
    for key in raw:
        if not isinstance(key, str) or key in titles:
            raise _refused(key, name, "choices or bands, each once")
        titles[key] = None
    return titles


def _shown(title: object) -> str | None:
    return None if title is None else scalars.parse_line(scalars.expect_text(title, "a title"))


def _face(die: quantities.Dice, key: str, _: str | None) -> Choice:
    faces = quantities.parse_faces(key).of_die(die)
    return Choice(key, str(faces), faces=faces)


def _number(name: str, key: str, shown: str | None) -> Choice:
    """Reads a single whole number as a place on an axis; `shown` is its title, if it has one.

    `name` is the name of the axis. Raises QuantityError.
    """
    if not re.fullmatch(r"-?(0|[1-9][0-9]{0,5})", key):
        raise _refused(key, name, "single whole numbers, such as numbers: [1, 2, 10]")
    return Choice(key, shown or quantities.format_number(int(key)), number=int(key))


def _choice_or_band(key: str, shown: str | None) -> Choice:
    if re.fullmatch(scalars.ID_PATTERN, key):
        return Choice(key, shown or humanise(key))
    band = quantities.parse_band(key)
    return Choice(key, shown or str(band), band=band)


def read_axes(value: object) -> tuple[Axis, ...]:
    """Reads the axes of one side of a grid. Raises QuantityError or ValidationError."""
    named = expect_mapping(value, "names of axes, such as {range: [0-8in, 8-16in]}")
    axes, faults = [], Faults()
    for name, raw in named.items():
        with faults.at(name):
            if not re.fullmatch(scalars.ID_PATTERN, str(name)):
                what = f"'{name:.40}' is not an id for an axis"
                raise quantities.QuantityError(what, code="R205")
            axes.append(_read_axis(name, raw))
    faults.raise_any()
    return tuple(axes)


_AXES_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "axis name -> choices, bands, a die, or {numbers: [1, 2, 10]}",
    "additionalProperties": {
        "anyOf": [
            {"type": "array", "items": {"type": ["string", "integer"]}, "minItems": 1},
            {"type": "object", "minProperties": 1},
            {
                "type": "string",
                "pattern": r"^(d\d+|=[a-z][a-z0-9_]*)$",
                "description": "a die, or =TABLE for the rows of a table",
            },
        ]
    },
}
Axes = Annotated[tuple[Axis, ...], scalars.ReadBy(read_axes, **_AXES_SCHEMA)]


_GridData = Annotated[
    list[list[WrittenCell] | WrittenCell]
    | Annotated[dict[str, Any], Field(description="rows by their keys, in them cells by theirs")],
    OrSpreadsheet(),
]


def number_of(text: str) -> int | quantities.Length | None:
    """Reads a text as a whole number without a sign, or as a length.

    Returns None if it is neither.
    """
    if text.isdecimal():
        return int(text)
    try:
        return quantities.parse_length(text)
    except quantities.QuantityError:
        return None


class Grid(PrintedTable):
    """Cells of one type over the product of its row axes and the product of its column axes.

    One that was computed keeps the inputs that are the same in every cell, for its texts.
    """

    _given: dict[str, str] = PrivateAttr({})

    rows: Axes
    columns: Axes = ()
    cells: CellTypeName
    """the type of each cell, such as target"""
    data: tuple[tuple[Cell, ...], ...] = Field(None, validate_default=True)
    """rows of cells; none where all are missing"""

    @field_validator("data", mode="plain", json_schema_input_type=_GridData)
    @classmethod
    def _read_data(cls, value: object, info: ValidationInfo) -> tuple[tuple[Cell, ...], ...]:
        missing = info.data.get("status") is Status.MISSING
        if value is None and not missing:
            raise PydanticCustomError("missing", "no data")
        if not {"rows", "columns", "cells"} <= info.data.keys():
            return ()  # the faulty axis or type is reported already
        sides = info.data["rows"], info.data["columns"]
        tall, wide = (size_of(side) for side in sides)
        if tall * wide > MOST_ITEMS:
            what = f"a table of {tall * wide} cells"
            raise quantities.QuantityError(what, expected=f"up to {MOST_ITEMS} cells")
        if value is None:
            return ((MISSING,) * wide,) * tall
        rows = in_axis_order(value, *sides) if isinstance(value, dict) else value
        if not isinstance(rows, list) or len(rows) != tall:
            raise _miscounted(rows, "rows of cells", keys_along(sides[0]))
        return _read_grid(rows, keys_along(sides[1]), info.data["cells"], missing)

    @property
    def given(self) -> dict[str, str]:
        """The inputs with which the grid was computed; empty if an author wrote it.

        They are the same in every cell, unlike those along the axes.
        """
        return self._given

    def computed_with(self, given: dict[str, str]) -> Self:
        """Stores in the grid the inputs with which it was computed; returns the grid."""
        self._given = given
        return self

    def positions(self, side: Literal["rows", "columns"]) -> list[tuple[Choice, ...]]:
        """Returns the places along a side, in the order of the data.

        Each is a tuple with a choice on each axis of the side.
        """
        return list(product(*(axis.choices for axis in getattr(self, side))))

    def keys_along(self, side: Literal["rows", "columns"]) -> list[str]:
        """Returns the keys of the places along a side of the grid, by which data may be written.

        A key is like `8-16in` if the side has one axis, like `first, cover` if it has two. A side
        without axes has none.
        """
        return keys_along(getattr(self, side))

    @property
    def axes(self) -> tuple[Axis, ...]:
        return self.rows + self.columns


def size_of(*sides: tuple[Axis, ...]) -> int:
    """Returns the number of cells of a grid whose sides have these axes."""
    return prod(len(axis.choices) for side in sides for axis in side)


def keys_along(axes: tuple[Axis, ...]) -> list[str]:
    """Returns the keys of the places along a side with these axes, by which data may be written.

    A key is like `8-16in` if the side has one axis, like `first, cover` if it has two. A side
    without axes has none.
    """
    places = product(*(axis.keys for axis in axes))
    return [", ".join(place) for place in places] if axes else []


def in_axis_order(
    value: Mapping[str, Any], rows: tuple[Axis, ...], columns: tuple[Axis, ...]
) -> list[Any]:
    """Converts data written by the keys of rows and columns to a list of rows, in axis order.

    Each row is a list of cells, or without columns a single cell. Raises QuantityError for unknown
    and missing keys.
    """
    down, across = keys_along(rows), keys_along(columns)
    cells = zip(down, _in_order(value, down), strict=True)
    return [_in_order(row, across, key) if across else row for key, row in cells]


def _miscounted(listed: object, what: str, keys: list[str]) -> quantities.QuantityError:
    """Makes the fault of a list that has more or fewer items than there are places (`keys`).

    `what` says what the items are: rows or cells.
    """
    count = len(listed) if isinstance(listed, list) else 0
    each = f"{len(keys)}, one for each of {_quoted(keys)}" if keys else "1, without columns"
    hint = "write ~ where nothing applies"
    if count > len(keys):
        hint = "put a text with a comma in quotes"
    return quantities.QuantityError(f"{count} {what}", expected=each, hint=hint)


def _quoted(keys: list[str]) -> str:
    return some_words([f"'{key}'" for key in keys])


def _in_order(value: object, keys: list[str], *at: str) -> list[object]:
    """Returns rows, or the cells of a row, which are given by key, in the order of the keys.

    `at` is the key of the row. Raises QuantityError for unknown and missing keys.
    """
    given = value if isinstance(value, dict) else {}
    known = _quoted(keys)
    for key in given:
        if key not in keys:
            what, hint = f"'{key:.40}' is no place on the axes", nearest(key, keys)
            raise quantities.QuantityError(what, expected=known, hint=hint, at=(*at, key))
    for key in keys:
        if key not in given:
            what = f"'{key:.40}' is not there"
            raise quantities.QuantityError(what, expected=known, at=at)
    return [given[key] for key in keys]


def _read_grid(
    rows: list[object], columns: list[str], cell_type: CellType, missing: bool
) -> tuple[tuple[Cell, ...], ...]:
    wide = len(columns) or 1
    grid: list[tuple[Cell, ...]] = []
    faults = Faults()
    for index, raw in enumerate(rows):
        if faults.too_many:
            break
        row = raw if isinstance(raw, list) else [raw]
        with faults.at(index):
            if len(row) != wide:
                raise _miscounted(row, "cells in this row", columns)
        cells: list[Cell] = []
        for column, cell in enumerate(row if len(row) == wide else ()):
            with faults.at(*((index, column) if isinstance(raw, list) else (index,))):
                cells.append(read_cell(cell, cell_type, missing=missing))
        grid.append(tuple(cells))
    faults.raise_any()
    return tuple(grid)


ShownAs = Literal["mean", "median", "chance"]


class Case(FrozenModel):
    """A place on an axis that sets several inputs at once."""

    title: Line | None = None
    """what stands on the axis; else its name"""
    given: Annotated[dict[Id, Given], Field(min_length=1)]
    """the inputs that are set in it, each with its value"""


_CASES: TypeAdapter[dict[str, Case]] = TypeAdapter(
    dict[Id, Case], config=ConfigDict(defer_build=True)
)


def _parse_places(value: object) -> str | tuple[str, ...] | dict[str, Case]:
    if isinstance(value, dict) and value:
        return _CASES.validate_python(value)
    if isinstance(value, str) and value.strip():
        return TypedValue(value.strip())
    places = value if isinstance(value, list) else []
    words = [TypedValue(item.strip()) for item in places if isinstance(item, str)]
    if not all(words) or not words or not len(words) == len(set(words)) == len(places):
        such = "'all', such as 6..24..6, values in a list, each once, or cases with what is given"
        raise quantities.QuantityError("no places stand here", code="R203", expected=such)
    return tuple(words)


_Sweep = Annotated[str, Field(description="all, or a sweep such as 6..24..6")]
#: What goes along an axis: `all` or a sweep, values one by one, or cases with titles.
Places = Annotated[
    str | tuple[str, ...] | dict[str, Case],
    PlainValidator(_parse_places, json_schema_input_type=_Sweep | list[str | int] | dict[Id, Case]),
]


class Show(FrozenModel):
    """What a cell shows of one result: its mean, its median, or the chance of something.

    The chance is that of `is`, of `at_least` so many, of true, or that of each outcome where the
    result stands on an axis.
    """

    mean: Id | None = None
    """a result whose mean is shown"""
    median: Id | None = None
    """a result whose median is shown"""
    chance: Id | None = None
    """a result, or one that stands on an axis"""
    equals: Given | None = Field(None, alias="is")
    """the outcome whose chance is shown"""
    at_least: Given | None = None
    """so many or more"""

    @property
    def shown_as(self) -> ShownAs:
        names: tuple[ShownAs, ...] = ("mean", "median", "chance")
        return next(name for name in names if getattr(self, name) is not None)

    @property
    def result(self) -> str:
        return str(getattr(self, self.shown_as))

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        given = [key for key in ("mean", "median", "chance") if getattr(self, key) is not None]
        outcomes = {"is": self.equals, "at_least": self.at_least}
        beside = [key for key, value in outcomes.items() if value is not None]
        if len(given) == 1 and len(beside) <= (self.chance is not None):
            return self
        shown = [*given, *beside]
        raise quantities.QuantityError(
            f"the cells show {quantities.join_words(shown, 'and') or 'nothing'}",
            expected="one of mean, median and chance, and beside chance 'is' or 'at_least'",
            at=(shown[-1],) if len(shown) > 1 else (),
        )


class ComputedTable(PrintedTable):
    """A grid whose cells are computed from a procedure."""

    computed: Id
    """id of the procedure"""
    rows: Annotated[dict[Id, Places], Field(min_length=1)]
    """inputs along the rows, each with its values: all, 6..24..6 or a list"""
    columns: dict[Id, Places] = Field({})
    """axes across the table"""
    given: dict[Id, Given] = Field({})
    """inputs that are the same in every cell"""
    show: Show
    """what stands in the cells: mean, median or chance of a result"""

    @model_validator(mode="after")
    def _axes_once(self) -> Self:
        found: dict[str, str] = {}
        for side in ("rows", "columns", "given"):
            for name in getattr(self, side):
                if name in found:
                    what = f"'{name}' stands in '{found[name]}' and in '{side}'"
                    raise quantities.QuantityError(what, expected="each once", at=(side, name))
                found[name] = side
        return self

    @property
    def axes(self) -> dict[str, Any]:
        """The places along each axis of the table, by the name of the axis, rows before columns."""
        return {**self.rows, **self.columns}
