"""Cells of tables: their types, how one is read, written and printed, and its status.

A new type is an entry of CELL_KINDS; tables, releases, references, procedures, the schema and the
manual follow from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal, get_args

from pydantic import ValidationError, WithJsonSchema
from pydantic_core import InitErrorDetails, PydanticCustomError

from rulebook import quantities
from rulebook.limits import MOST_FAULTS
from rulebook.model import scalars
from rulebook.model.entities import Entity, Noted, Status
from rulebook.model.lengths import written, written_number
from rulebook.model.scalars import Line, ProseText, ReadBy, expect_text
from rulebook.suggestions import nearest, some_words

#: What an expression takes the value of a cell for.
CalculatedAs = Literal["number", "length", "target", "dice", "flag", "text", "faces", "row"]


@dataclass(frozen=True, slots=True)
class CellKind:
    """What distinguishes a type of cells: how they are read, written and calculated with.

    A value prints as its `str`, see `quantities.format_value`. Types without an `annotation` are
    those of computed tables, which no author writes.
    """

    #: A field of this type: the class of its values, and how they are read.
    annotation: Any
    #: How a release writes a value.
    write: Callable[[Any], str] = str
    #: Examples for the manual: what an author writes, and what is printed.
    examples: str = ""
    printed: str = ""
    #: What stands behind the name of the type, as in `faces d6`.
    parameter: str = ""
    #: What expressions take the value for, and how; None if they cannot use it.
    calculated_as: CalculatedAs | None = None
    calculate: Callable[[Any], Any] = lambda value: value
    #: So many times a value, where a field can be a part of another; raises QuantityError.
    multiply: Callable[[Any, Fraction], Any] | None = None
    align: Literal["left", "centre"] = "centre"
    #: Whether the figures of a column stand below each other.
    by_digits: bool = False

    @property
    def holds(self) -> type | None:
        """The class of the values of this type; None if no author writes them.

        For a modifier, which may also be `never`, it is the class of its other values.
        """
        held: Any = get_args(self.annotation)[0] if self.annotation else None
        first: type | None = (get_args(held) or (held,))[0]
        return first

    def read(self, value: object) -> Any:
        """Reads the value of a scalar that an author writes. Raises QuantityError."""
        reading: ReadBy = get_args(self.annotation)[1]
        return reading.read(value)


def _faces(text: str) -> quantities.Faces:
    """Reads faces of a die; `none` is a value as well, for a result that no face achieves.

    Raises QuantityError.
    """
    return quantities.Faces(frozenset()) if text == "none" else quantities.parse_faces(text)


def _write_faces(faces: quantities.Faces) -> str:
    return str(faces).replace(quantities.EN_DASH, "-") if faces.scores else "none"


def _write_target(target: quantities.RollTarget) -> str:
    return str(target) if target.scores else "never"


def _write_modifier(modifier: quantities.Modifier) -> str:
    return str(modifier).replace(quantities.MINUS, "-")


def _write_length_modifier(modifier: quantities.LengthModifier) -> str:
    length = modifier.length
    sign = "-" if length.number < 0 else "+" if length.number else ""
    return sign + written(quantities.Length(abs(length.number), length.unit))


def _write_band(band: quantities.Band) -> str:
    low, high = ("" if end is None else written_number(end) for end in (band.low, band.high))
    unit = band.unit or ""
    if not low:
        return f"<={high}{unit}"
    return f"{low}{unit}+" if not high else f"{low}-{high}{unit}" if low != high else low + unit


def _write_flag(flag: bool) -> str:
    return "true" if flag else "false"


def _multiply_count(count: int, times: Fraction) -> int:
    product = count * times
    if product.denominator != 1:
        raise quantities.QuantityError(
            f"{quantities.format_number(times)} of {count} is no count",
            expected="a count that can be so divided, or ratios",
        )
    return int(product)


def _multiply_length(length: quantities.Length, times: Fraction) -> quantities.Length:
    return quantities.Length(length.number * times, length.unit)


CELL_KINDS: dict[str, CellKind] = {
    "count": CellKind(
        scalars.Count,
        examples="`12`",
        printed="12",
        calculated_as="number",
        multiply=_multiply_count,
    ),
    "ratio": CellKind(
        scalars.Ratio,
        written_number,
        examples="`1/2`, `50%`",
        printed="½",
        calculated_as="number",
        multiply=lambda ratio, times: ratio * times,
    ),
    "length": CellKind(
        scalars.Length,
        written,
        examples="`24in`, `7.5in`, `60cm`, `25yd`, `1 base`",
        printed="24″, 7½″, 60 cm",
        calculated_as="length",
        multiply=_multiply_length,
    ),
    "angle": CellKind(
        scalars.Angle,
        lambda angle: f"{written_number(angle.degrees)}deg",
        examples="`45°`, `45deg`",
        printed="45°",
    ),
    "modifier": CellKind(
        scalars.Modifier,
        _write_modifier,
        examples="`+1`, `-2`, `0`, `never`",
        printed="+1, −2, 0, no",
        calculated_as="number",
        calculate=lambda modifier: modifier.amount,
    ),
    "length modifier": CellKind(
        scalars.LengthModifier,
        _write_length_modifier,
        examples="`+4cm`, `-2cm`, `0cm`, `never`: added to lengths",
        printed="+4 cm, −2 cm",
        calculated_as="length",
        calculate=lambda modifier: modifier.length,
    ),
    "target": CellKind(
        scalars.RollTarget,
        _write_target,
        examples="`4+`, `6/4+` (a 6, then 4 or more), `never`",
        printed="4+",
        calculated_as="target",
    ),
    "dice": CellKind(scalars.Dice, examples="`2d6`", printed="2d6", calculated_as="dice"),
    "band": CellKind(
        Annotated[quantities.Band, scalars.scalar(quantities.parse_band, "a band")],
        _write_band,
        examples="`0-8in`, `48in+`, `<=4`",
        printed="0–8″: the lower end belongs to the band before",
    ),
    "flag": CellKind(
        scalars.Flag, _write_flag, examples="`true`", printed="✓", calculated_as="flag"
    ),
    "text": CellKind(
        scalars.Text, examples="any words", printed="the words", calculated_as="text", align="left"
    ),
    "faces": CellKind(
        Annotated[quantities.Faces, scalars.scalar(_faces, "faces of a die")],
        _write_faces,
        examples="`3-6`, `1, 2`, `none`",
        printed="3–6",
        parameter="d6",
        calculated_as="faces",
        calculate=lambda faces: faces.scores,
    ),
    "row": CellKind(
        scalars.Id,
        examples="the id of a row of that record table",
        printed="the row's title",
        parameter="TABLE",
        calculated_as="row",
        align="left",
    ),
    "chance": CellKind(None, by_digits=True),
    "mean": CellKind(None, by_digits=True),
}
#: Types that an author writes, as they are listed: `count`, `faces d6`.
WRITTEN_TYPES = {
    f"{name} {kind.parameter}".rstrip(): kind
    for name, kind in CELL_KINDS.items()
    if kind.annotation
}


@dataclass(frozen=True, slots=True)
class CellType:
    """The type of a cell: its name, for `faces` the die, and for `row` the table of the rows."""

    name: str
    die: quantities.Dice | None = None
    table: str | None = None

    def __str__(self) -> str:
        return " ".join(str(part) for part in (self.name, self.die, self.table) if part)

    @property
    def kind(self) -> CellKind:
        return CELL_KINDS[self.name]

    def read(self, value: object) -> Any:
        """Reads the value of a cell of this type.

        Raises QuantityError, also for a face that the die of the type does not have.
        """
        if self.die is None:
            return self.kind.read(value)
        faces: quantities.Faces = self.kind.read(expect_text(value, f"faces of a {self.die}"))
        faces = faces.of_die(self.die)
        if beyond := faces.scores - set(quantities.faces_of(self.die.sides)):
            known = quantities.shown_faces(self.die.sides)
            raise quantities.out_of_bounds("face", max(beyond), f"from {known}")
        return faces


def _parse_cell_type(value: object) -> CellType:
    names = list(WRITTEN_TYPES)
    known = quantities.join_words(names)
    text = expect_text(value, f"a type: {known}")
    if text in WRITTEN_TYPES and not WRITTEN_TYPES[text].parameter:
        return CellType(text)
    if match := re.fullmatch(r"faces (\S+)", text):
        return CellType("faces", die=quantities.parse_dice(match[1]))
    if match := re.fullmatch(rf"row ({scalars.ID_PATTERN})", text):
        return CellType("row", table=match[1])
    raise quantities.not_a("a type of cell", text, known, nearest(text, names))


CellTypeName = Annotated[
    CellType,
    ReadBy(
        _parse_cell_type,
        anyOf=[
            {"enum": [name for name, kind in WRITTEN_TYPES.items() if not kind.parameter]},
            {"type": "string", "pattern": r"^(faces \d*d\d+|row [a-z][a-z0-9_]*)$"},
        ],
    ),
]


def expect_mapping(value: object, expected: str) -> dict[str, Any]:
    """Returns a value if it is a mapping with at least one key; else raises QuantityError."""
    if not isinstance(value, dict) or not value:
        raise quantities.QuantityError("no mapping stands here", code="R203", expected=expected)
    return value


def with_types(value: object, reserved: Iterable[str]) -> object:
    """Expands the short form of columns: `{name: type}` becomes `{name: {type: type}}`.

    Returns what is no mapping unchanged. Raises QuantityError for a name in `reserved`, which is a
    key of the rows themselves.
    """
    if not isinstance(value, dict):
        return value
    if clash := sorted(value.keys() & set(reserved)):
        known = f"any name but {quantities.join_words(sorted(reserved))}"
        what = f"'{clash[0]}' cannot be the name of a column"
        raise quantities.QuantityError(what, expected=known)
    return {name: {"type": spec} if isinstance(spec, str) else spec for name, spec in value.items()}


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a table and its status; the value is None if it is missing or nothing applies."""

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


#: What is typed in a cell of any type but text where nothing applies, besides ~.
_NOTHING_IN_WORDS = {"none", "nil", "null", "nothing", "na", "n.a.", "keine", "aucun", "ninguno"}
NOTHING = {"-", "–", "—", "−", "n/a"}


def read_cell(raw: object, cell_type: CellType, *, missing: bool = False) -> Cell:
    """Reads what an author writes as a cell: a scalar, `~` or `{value, status, ...}`.

    In a table or row that is `missing`, `~` is a missing cell, and a value needs a status of its
    own: what the source does not give cannot be printed as if it did. Otherwise `~` is an empty
    cell. Raises ValidationError or QuantityError, also for a list.
    """
    if isinstance(raw, list):
        expected = f"one cell of the type {cell_type}"
        raise quantities.QuantityError("a list stands here", code="R203", expected=expected)
    noted = _CellNote.model_validate(raw) if isinstance(raw, dict) else None
    scalar = noted.value if noted else raw
    if isinstance(scalar, str) and cell_type.name != "text" and scalar.strip().lower() in NOTHING:
        scalar = None
    try:
        value = None if scalar is None else cell_type.read(scalar)
    except quantities.QuantityError as fault:
        if str(scalar).strip().lower() in _NOTHING_IN_WORDS:
            fault.hint = "write ~ where nothing applies"
        raise
    status = noted.status if noted else Status.STATED
    left_out = missing and status is Status.STATED
    if value is not None and (left_out or status is Status.MISSING):
        raise quantities.QuantityError(
            f"the value {Cell(value)} where the source gives none",
            expected="no value, or one with a status of its own, as in {value: ..., status: read}",
        )
    if left_out:
        return MISSING
    return Cell(value, status, noted.note, noted.source) if noted else Cell(value)


def fault_at(error: quantities.QuantityError, loc: tuple[str | int, ...]) -> InitErrorDetails:
    """Converts a fault to an error of pydantic; `loc` is its place in the data being read."""
    context = {"message": error.message, "error": error}
    fault = PydanticCustomError("quantity", "{message}", context)
    return InitErrorDetails(type=fault, loc=loc, input=None)


class Faults:
    """Collects the faults of what is read part by part, each at its place, to raise them together.

    with faults.at(key):
        rows[key] = read(raw)
    faults.raise_any()
    """

    def __init__(self) -> None:
        self.found: list[InitErrorDetails] = []

    @property
    def too_many(self) -> bool:
        """Whether so many faults were found that the rest need not be read."""
        return len(self.found) > MOST_FAULTS

    @contextmanager
    def at(self, *loc: str | int) -> Iterator[None]:
        """Makes a context that collects a ValidationError or QuantityError raised in it.

        The error is added to those found, as a fault at the place `loc`, and is not raised further.
        """
        try:
            yield
        except ValidationError as error:
            self.found += _placed(error, loc)
        except quantities.QuantityError as error:
            self.found.append(fault_at(error, loc))

    def raise_any(self) -> None:
        """Raises ValidationError with all faults that were collected, if there are any."""
        if self.found:
            raise ValidationError.from_exception_data("parts", self.found)


def _placed(error: ValidationError, loc: tuple[str | int, ...]) -> Iterator[InitErrorDetails]:
    """Yields the errors of a part of the data that was read on its own, placed in the whole.

    `loc` is the place of the part, which is put before the place that each error has in it.
    """
    for line in error.errors(include_url=False):
        fault = line.get("ctx", {}).get("error")
        inner = tuple(part for part in line["loc"] if isinstance(part, str | int))
        if isinstance(fault, quantities.QuantityError):
            yield fault_at(fault, loc + inner)
        else:
            context = {**line.get("ctx", {}), "message": line["msg"]}
            plain = PydanticCustomError(line["type"], "{message}", context)
            yield InitErrorDetails(type=plain, loc=loc + inner, input=None)


def read_cells(
    row: Mapping[str, object],
    types: Mapping[str, CellType],
    own_keys: Iterable[str],
    *,
    missing: bool,
    hint: str = "",
    choices: Sequence[str] = (),
) -> tuple[dict[str, Cell], Faults]:
    """Reads the cells of a row; returns them by column, and the faults that were collected.

    `types` maps columns to their types; `own_keys` are keys of the row that are no columns. In a
    row that is `missing`, cells that are left out are missing as well. An unknown key is a fault:
    `hint` is its hint if no known key is similar, and `choices` are keys that an editor may
    propose.
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


class OrSpreadsheet:
    """An annotation: a file name may be written in place of the value; loading reads the file."""

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
