"""The cell of a table: a declared type reads its scalar, and it may carry a status of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, TypeAdapter, ValidationError, WithJsonSchema
from pydantic_core import InitErrorDetails, PydanticCustomError

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.provenance import Entity, Noted, Status
from rulebook.model.scalars import Id, Line, ProseText

_CELL_TYPES: dict[str, Any] = {
    "count": scalars.Count,
    "ratio": scalars.Ratio,
    "length": scalars.Length,
    "angle": scalars.Angle,
    "modifier": scalars.Modifier,
    "target": scalars.RollTarget,
    "dice": scalars.Dice,
    "band": Annotated[
        quantities.Band, PlainValidator(lambda v: quantities.parse_band(expect_text(v, "a band")))
    ],
    "flag": scalars.Flag,
    "text": scalars.Text,
}


#: Adapters are dear to make, so each is made once.
_ADAPTERS = {name: TypeAdapter(kind) for name, kind in _CELL_TYPES.items()}
ID: TypeAdapter[str] = TypeAdapter(Id)


def expect_text(value: object, expected: str) -> str:
    if not isinstance(value, str):
        raise quantities.QuantityError.of("R203 no scalar", expected=expected)
    return value


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
        if text == "0":
            raise quantities.QuantityError.of("R204 no face 0", die=self.die)
        faces = quantities.parse_faces(text)
        if self.die and max(faces.scores) > self.die.sides:
            raise quantities.QuantityError.of(
                "R204 no face", die=self.die, face=max(faces.scores), sides=self.die.sides
            )
        return faces


@lru_cache(maxsize=32)
def _faces_adapter(cell_type: CellType) -> TypeAdapter[Any]:
    return TypeAdapter(Annotated[quantities.Faces, PlainValidator(cell_type.parse_faces)])


def _parse_cell_type(value: object) -> CellType:
    names = [*_CELL_TYPES, "faces d6", "row TABLE"]
    text = expect_text(value, f"a type: {quantities.join_words(names)}")
    if text in _CELL_TYPES:
        return CellType(text)
    if match := re.fullmatch(r"faces (\S+)", text):
        return CellType("faces", die=quantities.parse_dice(match[1]))
    if match := re.fullmatch(rf"row ({scalars.ID_PATTERN})", text):
        return CellType("row", table=match[1])
    raise quantities.QuantityError.of(
        "R204 type of cell", text=Sought(text, names), known=quantities.join_words(names)
    )


#: Beyond so many known words the nearest is not looked for.
MOST_COMPARED = 200
#: Words listed as an expectation of a report.
MOST_LISTED = 12


def nearest(word: str, known: Sequence[str]) -> str:
    """The hint that names the known word nearest to a mistyped one, or nothing."""
    found = get_close_matches(word[:80], known[:MOST_COMPARED], n=1, cutoff=0.6)
    return f"write '{found[0]}'" if found else ""


def some_words(words: Sequence[str]) -> str:
    """Words that would do, as a report lists them: not more than a reader looks through."""
    return quantities.join_words(words[:MOST_LISTED]) + (" ..." if len(words) > MOST_LISTED else "")


@dataclass(frozen=True, slots=True)
class Sought:
    """A word that is none of those known, to be put into the words of a fault.

    There `{name}` tells it, as `{name:.40}` its beginning; `{name:known}` lists the words that
    would do, and `{name:nearest}` proposes one of them.
    """

    word: str
    known: Sequence[str]

    def __format__(self, how: str) -> str:
        match how:
            case "known":
                return some_words(self.known)
            case "nearest":
                return nearest(self.word, self.known)
        return format(self.word, how)


CellTypeName = Annotated[
    CellType,
    PlainValidator(_parse_cell_type),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": list(_CELL_TYPES)},
                {"type": "string", "pattern": r"^(faces \d*d\d+|row [a-z][a-z0-9_]*)$"},
            ]
        }
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
        raise quantities.QuantityError.of("R204 value in a missing row", value=cell)
    return MISSING


def _read_cell(raw: object, cell_type: CellType, adapter: TypeAdapter[Any]) -> Cell:
    if isinstance(raw, dict):
        noted = _CellNote.model_validate(raw)
        value = None if noted.value is None else adapter.validate_python(noted.value)
        if noted.status is Status.MISSING and value is not None:
            raise quantities.QuantityError.of("R204 missing with a value")
        return Cell(value, noted.status, noted.note, noted.source)
    if raw is None:
        return Cell(None)
    if isinstance(raw, list):
        raise quantities.QuantityError.of("R203 list for a cell", cell_type=cell_type)
    return Cell(adapter.validate_python(raw))


def fault_at(
    error: quantities.QuantityError,
    loc: tuple[str | int, ...],
    kind: Literal["quantity", "unknown_key", "missing_key"] = "quantity",
) -> InitErrorDetails:
    context = {"message": error.message, "error": error}
    return InitErrorDetails(
        type=PydanticCustomError(kind, "{message}", context), loc=loc, input=None
    )


def moved(error: ValidationError, loc: tuple[str | int, ...]) -> Iterator[InitErrorDetails]:
    """The errors of a cell read on its own, placed where the cell stands."""
    for line in error.errors(include_url=False):
        fault = line.get("ctx", {}).get("error")
        inner = tuple(part for part in line["loc"] if isinstance(part, str | int))
        if isinstance(fault, quantities.QuantityError):
            kind = line["type"] if line["type"] in ("unknown_key", "missing_key") else "quantity"
            yield fault_at(fault, loc + inner, kind)  # type: ignore[arg-type]
        else:
            other = PydanticCustomError(line["type"], "{message}", {"message": line["msg"]})
            yield InitErrorDetails(type=other, loc=loc + inner, input=None)


CELL_SCHEMA = {
    "anyOf": [
        {"type": ["string", "number", "boolean", "null"]},
        {
            "type": "object",
            "properties": {
                "value": {},
                "status": {"enum": list(Status)},
                "note": {"type": "string"},
                "source": {"type": "string"},
            },
            "additionalProperties": False,
        },
    ]
}


class PrintedTable(Entity):
    """A grid, a record table or a modifier table, on the sheet and in the booklet."""

    title: Line
    about: ProseText | None = Field(None, description="what a cell means, printed under the title")
    notes: tuple[ProseText, ...] = Field((), description="footnotes")
    qrs: scalars.Flag = Field(True, description="false: not for the quick-reference sheet")
    booklet: scalars.Flag = Field(True, description="false: only its values, bound in the prose")
