"""What all tables have in common: the words around their cells, and how a cell is read.

A declared type reads the scalar of a cell, which may carry a status of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Self, TypeVar

from pydantic import ValidationError, WithJsonSchema
from pydantic_core import InitErrorDetails, PydanticCustomError

from rulebook import quantities
from rulebook.limits import MOST_FAULTS
from rulebook.model import scalars
from rulebook.model.cell_types import CellType
from rulebook.model.provenance import Entity, Noted, Status
from rulebook.model.scalars import Line, ProseText, parse_id
from rulebook.suggestions import nearest, some_words

RowT = TypeVar("RowT")


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
    """the cell itself"""


_Scalar = Annotated[Any, WithJsonSchema({"type": ["string", "number", "boolean", "null"]})]
#: What an author may write for a cell, for the schema.
WrittenCell = _Scalar | _CellNote


#: A cell of a table or row that is missing as a whole, and has the note for all of them.
MISSING = Cell(None, Status.MISSING)


def read_cell(raw: object, cell_type: CellType, *, missing: bool = False) -> Cell:
    """A scalar, `~` or `{value, status, ...}`; raises ValidationError or QuantityError.

    In a table or row that is `missing` `~` stands for a missing cell, and a value needs a status:
    what the source does not give cannot be printed as if it did.
    """
    cell = _read_cell(raw, cell_type)
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


def _read_cell(raw: object, cell_type: CellType) -> Cell:
    if isinstance(raw, dict):
        noted = _CellNote.model_validate(raw)
        value = None if noted.value is None else cell_type.read(noted.value)
        if noted.status is Status.MISSING and value is not None:
            raise _given_though_missing(Cell(value))
        return Cell(value, noted.status, noted.note, noted.source)
    if raw is None:
        return Cell(None)
    if isinstance(raw, list):
        raise quantities.QuantityError(
            "a list stands here", code="R203", expected=f"one cell of the type {cell_type}"
        )
    return Cell(cell_type.read(raw))


def fault_at(error: quantities.QuantityError, loc: tuple[str | int, ...]) -> InitErrorDetails:
    """A fault as pydantic takes it, at its place in what is being read."""
    context = {"message": error.message, "error": error}
    fault = PydanticCustomError("quantity", "{message}", context)
    return InitErrorDetails(type=fault, loc=loc, input=None)


class Faults:
    """The faults of what is read part by part: each with the place of its part, raised together.

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


def read_cells(
    row: Mapping[str, object],
    types: Mapping[str, CellType],
    own_keys: Iterable[str],
    *,
    missing: bool,
    hint: str = "",
    choices: Sequence[str] = (),
) -> tuple[dict[str, Cell], Faults]:
    """The cells of a row by the names of their columns, and what is wrong with them.

    Keys of the row that are no columns are passed over. Of a row that is missing, so are all cells.
    """
    cells, faults = dict.fromkeys(types, MISSING) if missing else {}, Faults()
    known = [*types, *own_keys]
    for name, value in row.items():
        with faults.at(name):
            if name in types:
                cells[name] = read_cell(value, types[name], missing=missing)
            elif name not in known:
                raise quantities.QuantityError(
                    f"no column '{name:.40}' in this table",
                    code="R201",
                    expected=some_words(known),
                    hint=nearest(name, known) or hint,
                    choices=choices,
                )
    return cells, faults


def read_rows(value: Mapping[str, object], read: Callable[[object], RowT]) -> dict[str, RowT]:
    """The rows of a table by their ids; raises ValidationError with the faults of all."""
    rows, faults = {}, Faults()
    for key, raw in value.items():
        if faults.too_many:
            break
        with faults.at(key):
            rows[parse_id(key)] = read(raw)
    faults.raise_any()
    return rows


class OrSpreadsheet:
    """An annotation: in the place of the value may stand the name of a file; loading reads it."""

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        name = {
            "type": "string",
            "pattern": r"\.([Cc][Ss][Vv]|[Tt][Ss][Vv]|[Oo][Dd][Ss]|[Xx][Ll][Ss][Xx])(#.+)?$",
            "description": "a spreadsheet in the ruleset's folder: guns.csv, guns.tsv or "
            "army.ods#Guns",
        }
        return {"anyOf": [handler(schema), name]}


class PrintedTable(Entity):
    """A grid, a record table or a modifier table, on the sheet and in the booklet."""

    title: Line
    about: ProseText | None = None
    """what a cell means, printed under the title"""
    notes: tuple[ProseText, ...] = ()
    """footnotes"""
    qrs: scalars.Flag = True
    """false: not for the quick-reference sheet"""
    core: scalars.Flag = False
    """true: asked for all the time; large and boxed on the sheet"""
    booklet: scalars.Flag = True
    """false: only its values, bound in the prose"""
