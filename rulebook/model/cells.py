"""What all tables have in common: the words around their cells, and how a cell is read.

A declared type reads the scalar of a cell, which may carry a status of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Self, TypeVar

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from rulebook import quantities
from rulebook.limits import MOST_FAULTS
from rulebook.model import scalars
from rulebook.model.provenance import Entity, Noted, Status
from rulebook.model.scalars import Id, Line, ProseText, ReadBy, expect_text
from rulebook.suggestions import nearest

_CELL_TYPES: dict[str, Any] = {
    "count": scalars.Count,
    "ratio": scalars.Ratio,
    "length": scalars.Length,
    "angle": scalars.Angle,
    "modifier": scalars.Modifier,
    "length modifier": scalars.LengthModifier,
    "target": scalars.RollTarget,
    "dice": scalars.Dice,
    "band": Annotated[quantities.Band, scalars.scalar(quantities.parse_band, "a band", {})],
    "flag": scalars.Flag,
    "text": scalars.Text,
}


#: Adapters take long to make, so each is made once.
_ADAPTERS = {name: TypeAdapter(kind) for name, kind in _CELL_TYPES.items()}
RowT = TypeVar("RowT")
ID: TypeAdapter[str] = TypeAdapter(Id)


def expect_mapping(value: object, expected: str) -> dict[str, Any]:
    """What holds keys and values, one at least. Raises QuantityError."""
    if not isinstance(value, dict) or not value:
        raise quantities.QuantityError("no mapping stands here", code="R203", expected=expected)
    return value


def with_types(value: object, reserved: Iterable[str]) -> object:
    """Columns by their names, `{name: type}` spelt out; names that rows have are reserved."""
    if not isinstance(value, dict):
        return value
    if clash := sorted(value.keys() & set(reserved)):
        known = f"any name but {quantities.join_words(sorted(reserved))}"
        what = f"'{clash[0]}' cannot be the name of a column"
        raise quantities.QuantityError(what, expected=known)
    return {name: {"type": spec} if isinstance(spec, str) else spec for name, spec in value.items()}


@dataclass(frozen=True, slots=True)
class CellType:
    """The type of a cell: a scalar's name, `faces d6`, or `row TABLE` (a row of that table)."""

    name: str
    die: quantities.Dice | None = None
    table: str | None = None

    def __str__(self) -> str:
        return " ".join(str(part) for part in (self.name, self.die, self.table) if part)

    def adapter(self) -> TypeAdapter[Any]:
        """Reads one scalar of this type; a row of another table is read as its id."""
        if self.name == "faces":
            return _faces_adapter(self)
        return ID if self.name == "row" else _ADAPTERS[self.name]

    def parse_faces(self, value: object) -> quantities.Faces:
        """Faces of the die; `none` where no face does it, which is a value as any other."""
        text = expect_text(value, f"faces of a {self.die}")
        if text == "none":
            return quantities.Faces(frozenset())
        faces = quantities.parse_faces(text)
        highest = max(faces.scores)
        if self.die and highest > self.die.sides:
            raise quantities.out_of_bounds("face", highest, f"from 1 to {self.die.sides}")
        return faces


@lru_cache(maxsize=32)
def _faces_adapter(cell_type: CellType) -> TypeAdapter[Any]:
    return TypeAdapter(Annotated[quantities.Faces, ReadBy(cell_type.parse_faces, {})])


def _parse_cell_type(value: object) -> CellType:
    names = [*_CELL_TYPES, "faces d6", "row TABLE"]
    text = expect_text(value, f"a type: {quantities.join_words(names)}")
    if text in _CELL_TYPES:
        return CellType(text)
    if match := re.fullmatch(r"faces (\S+)", text):
        return CellType("faces", die=quantities.parse_dice(match[1]))
    if match := re.fullmatch(rf"row ({scalars.ID_PATTERN})", text):
        return CellType("row", table=match[1])
    known = quantities.join_words(names)
    raise quantities.not_a("a type of cell", text, known, nearest(text, names))


CellTypeName = Annotated[
    CellType,
    ReadBy(
        _parse_cell_type,
        {
            "anyOf": [
                {"enum": list(_CELL_TYPES)},
                {"type": "string", "pattern": r"^(faces \d*d\d+|row [a-z][a-z0-9_]*)$"},
            ]
        },
    ),
]


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a table with its standing; None where nothing applies or it is missing."""

    value: quantities.Value | None
    status: Status = Status.STATED
    note: scalars.Prose | None = None
    source: str | None = None

    def __str__(self) -> str:
        return "" if self.status is Status.MISSING else quantities.format_value(self.value)


class _CellNote(Noted):
    """A cell written out as a mapping, to carry a status."""

    value: Any = None


#: A cell of a table or row that is missing as a whole, and has the note for all of them.
MISSING = Cell(None, Status.MISSING)


def read_cell(
    raw: object, cell_type: CellType, adapter: TypeAdapter[Any], *, missing: bool = False
) -> Cell:
    """A scalar, `~` or `{value, status, ...}`; raises ValidationError or QuantityError.

    In a table or row that is `missing` `~` stands for a missing cell, and a value needs a status:
    what the source does not give cannot be printed as if it did.
    """
    cell = _read_cell(raw, cell_type, adapter)
    if not missing or cell.status is not Status.STATED:
        return cell
    if cell.value is not None:
        raise _given_though_missing(cell)
    return MISSING


def _given_though_missing(cell: Cell) -> quantities.QuantityError:
    return quantities.QuantityError(
        f"the value {cell} where the source gives none",
        expected="no value, or one with a status of its own, as in {value: ..., status: read}",
    )


def _read_cell(raw: object, cell_type: CellType, adapter: TypeAdapter[Any]) -> Cell:
    if isinstance(raw, dict):
        noted = _CellNote.model_validate(raw)
        value = None if noted.value is None else adapter.validate_python(noted.value)
        if noted.status is Status.MISSING and value is not None:
            raise _given_though_missing(Cell(value))
        return Cell(value, noted.status, noted.note, noted.source)
    if raw is None:
        return Cell(None)
    if isinstance(raw, list):
        raise quantities.QuantityError(
            "a list stands here", code="R203", expected=f"one cell of the type {cell_type}"
        )
    return Cell(adapter.validate_python(raw))


def fault_at(error: quantities.QuantityError, loc: tuple[str | int, ...]) -> InitErrorDetails:
    """A fault as pydantic takes it, at its place in what is being read."""
    context = {"message": error.message, "error": error}
    told = PydanticCustomError("quantity", "{message}", context)
    return InitErrorDetails(type=told, loc=loc, input=None)


class Faults:
    """The faults of what is read part by part: each with the place of its part, told all at once.

    with faults.at(key):
        rows[key] = read(raw)
    faults.raise_any()
    """

    def __init__(self) -> None:
        self.found: list[InitErrorDetails] = []
        self._loc: tuple[str | int, ...] = ()

    @property
    def too_many(self) -> bool:
        """Whether the rest need not be read."""
        return len(self.found) > MOST_FAULTS

    def at(self, *loc: str | int) -> Self:
        self._loc = loc
        return self

    def __enter__(self) -> None:
        """What a part raises inside is kept."""

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        if isinstance(error, ValidationError):
            self.found += _placed(error, self._loc)
        elif isinstance(error, quantities.QuantityError):
            self.found.append(fault_at(error, self._loc))
        else:
            return False
        return True

    def raise_any(self) -> None:
        """Raises ValidationError if there are any."""
        if self.found:
            raise ValidationError.from_exception_data("parts", self.found)


def _placed(error: ValidationError, loc: tuple[str | int, ...]) -> Iterator[InitErrorDetails]:
    """The errors of a part that was read on its own, placed where the part stands."""
    for line in error.errors(include_url=False):
        fault = line.get("ctx", {}).get("error")
        inner = tuple(part for part in line["loc"] if isinstance(part, str | int))
        if isinstance(fault, quantities.QuantityError):
            yield fault_at(fault, loc + inner)
        else:
            other = PydanticCustomError(line["type"], "{message}", {"message": line["msg"]})
            yield InitErrorDetails(type=other, loc=loc + inner, input=None)


def read_rows(value: Mapping[str, object], read: Callable[[object], RowT]) -> dict[str, RowT]:
    """The rows of a table by their ids; raises ValidationError with the faults of all."""
    rows, faults = {}, Faults()
    for key, raw in value.items():
        if faults.too_many:
            break
        with faults.at(key):
            rows[ID.validate_python(key)] = read(raw)
    faults.raise_any()
    return rows


CELL_SCHEMA = {
    "anyOf": [
        {"type": ["string", "number", "boolean", "null"]},
        {
            "type": "object",
            "properties": {
                "value": {"description": "the cell itself"},
                **{
                    name: {"type": "string", "description": Noted.model_fields[name].description}
                    for name in ("note", "source")
                },
                "status": {
                    "enum": list(Status),
                    "description": Noted.model_fields["status"].description,
                },
            },
            "additionalProperties": False,
        },
    ]
}


#: The name of a spreadsheet, which may stand where rows or cells do; loading reads it.
SPREADSHEET_SCHEMA = {
    "type": "string",
    "pattern": r"\.([Cc][Ss][Vv]|[Tt][Ss][Vv]|[Oo][Dd][Ss]|[Xx][Ll][Ss][Xx])(#.+)?$",
    "description": "a spreadsheet in the ruleset's folder: guns.csv, guns.tsv or army.ods#Guns",
}


def or_spreadsheet(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of what may stand in a spreadsheet as well."""
    return {"anyOf": [schema, SPREADSHEET_SCHEMA]}


def let_be_spreadsheet(schema: dict[str, Any]) -> None:
    """The same of the schema of a field, in place."""
    description = schema.pop("description")
    told = or_spreadsheet(dict(schema))
    schema.clear()
    schema.update({"description": description, **told})


class PrintedTable(Entity):
    """A grid, a record table or a modifier table, on the sheet and in the booklet."""

    title: Line
    about: ProseText | None = Field(None, description="what a cell means, printed under the title")
    notes: tuple[ProseText, ...] = Field((), description="footnotes")
    qrs: scalars.Flag = Field(True, description="false: not for the quick-reference sheet")
    core: scalars.Flag = Field(
        False, description="true: asked for all the time; large and boxed on the sheet"
    )
    booklet: scalars.Flag = Field(True, description="false: only its values, bound in the prose")
