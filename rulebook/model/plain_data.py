"""A ruleset as it was read -> plain data in one spelling: texts, lists and mappings.

What two authors write differently and mean alike comes out alike: `7.50in` and `7.5in`, a field
left at its default and one set to it, keys in any order. Read by the same model it gives the same
ruleset again, so it is what a release freezes and what two editions are compared by.

Its JSON is canonical, one text for one meaning: keys are sorted, nothing stands between the marks,
letters stand for themselves, and a line end closes the text.

Two kinds of mappings differ: the fields of a thing, whose order means nothing, and `Named`, things
by their ids in the order in which they are printed. JSON has the latter as `{"named": {...},
"order": [...]}`: a mapping and a list, which no cells of a row are that an author may call so.
"""

from __future__ import annotations

import ast
import datetime
import hashlib
import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias, get_args

from pydantic import BaseModel

from rulebook import quantities
from rulebook.model.cells import CELL_KINDS, MISSING, Cell, CellType
from rulebook.model.entities import Status
from rulebook.model.expressions import Constant, Expression
from rulebook.model.figures import RanksAndFiles
from rulebook.model.grids import Axis, Choice, Grid
from rulebook.model.header import Header, InlinePicture, ScenariosSpec
from rulebook.model.maps import TablePoint
from rulebook.model.procedures import Input, ProcedureResult
from rulebook.model.prose import (
    Block,
    Chapter,
    Chart,
    Code,
    Part,
    Remark,
    Section,
    Setting,
    Text,
    fence_around,
)
from rulebook.model.record_tables import RecordTable, TableRow
from rulebook.model.ruleset import AS_LISTED, Collections, Ruleset
from rulebook.model.scalars import Prose, RowName
from rulebook.model.scenarios import Muster, Pace
from rulebook.once import once_for_each

Plain: TypeAlias = "str | list[Plain] | dict[str, Plain] | None"


class Named(dict[str, "Plain"]):
    """Things by their ids, in the order in which they are printed."""


#: What is no part of an edition: scenarios come out beside the rules, and leave them as they are.
BESIDE = ("formations", "scenarios")


def header_of_edition(header: Header) -> Header:
    """Returns a copy of the header without what prints nothing in an edition.

    That is the keys for scenarios, and `typed`.
    """
    documents = header.documents.model_copy(update={"scenarios": ScenariosSpec()})
    return header.model_copy(update={"muster": Muster(), "documents": documents, "typed": ()})


def plain_ruleset(ruleset: Ruleset) -> dict[str, Plain]:
    """Converts the edition of a ruleset to plain data, without scenarios.

    It has the header, collections, chapters, sections, paths of values taken from other places,
    pictures and options. Ids of collections are sorted, since the file of an entity and its place
    in the file mean nothing; phases, units and decks keep their order.
    """
    collections: dict[str, Plain] = {}
    for name in Collections.model_fields:
        entities = getattr(ruleset.collections, name)
        if entities and name not in BESIDE:
            ids = entities if name in AS_LISTED else sorted(entities)
            collections[name] = Named((id_, _plain_once(entities[id_])) for id_ in ids)
    pictures = sorted(ruleset.symbols.items())
    symbols: Plain = Named((id_, _picture(picture)) for id_, picture in pictures)
    return {
        "header": plain(header_of_edition(ruleset.header)),
        "collections": collections,
        "chapters": Named(
            (chapter.file, [section.id for section in chapter.sections])
            for chapter in ruleset.chapters
        ),
        "sections": _sections(ruleset.chapters),
        "taken": {
            "/".join(map(str, at)): path
            for at, path in ruleset.taken.items()
            if at[0] not in BESIDE
        },
        "cover": _picture(ruleset.cover),
        **({"symbols": symbols} if symbols else {}),
        "options": Named(
            (id_, _plain_once(ruleset.options[id_])) for id_ in sorted(ruleset.options)
        ),
    }


def frozen_ruleset(ruleset: Ruleset) -> dict[str, Plain]:
    """Returns the data that a release freezes: the ruleset as written.

    No length is converted and no text is bound in it; both are done when it is read, since options
    are laid over what is written. For a variant it also holds where it differs from its base.
    """
    written = plain_ruleset(ruleset.written or ruleset)
    if ruleset.differs:
        written["differs"] = ["/".join(map(str, path)) for path in ruleset.differs]
    return written


def plain(value: Any) -> Plain:
    """Converts any value of the model to plain data, and None to None.

    Raises TypeError for other objects.
    """
    return None if value is None else _spelling(type(value))(value)  # type: ignore[arg-type]


#: The same for an entity, which is often the same object in another ruleset.
_plain_once = once_for_each(plain)


def _model(value: BaseModel, *, but: str = "") -> dict[str, Plain]:
    """Converts a model to plain data, with the keys that an author writes.

    Fields at their defaults, and the field named `but`, are left out.
    """
    written: dict[str, Plain] = {}
    for name, key, default in _fields(type(value)):
        held = getattr(value, name)
        if name != but and (default is _NONE_GIVEN or held != default):
            written[key] = plain(held)
    return written


def _grid(grid: Grid) -> Plain:
    """Converts a grid to plain data, with its cells by the keys of their row and column."""
    across = grid.keys_along("columns")

    def cells_of(cells: tuple[Cell, ...]) -> Plain:
        keyed = zip(across, cells, strict=True)
        return Named((key, _cell(cell)) for key, cell in keyed) if across else _cell(cells[0])

    rows = zip(grid.keys_along("rows"), grid.data, strict=True)
    data = Named((key, cells_of(cells)) for key, cells in rows)
    return {**_model(grid, but="data"), "data": data}


def _record_table(table: RecordTable) -> Plain:
    """Converts a record table to plain data, without the cells that are computed from others."""
    computed = {name for name, spec in table.fields.items() if spec.of is not None}
    data = Named(
        (id_, {key: cell for key, cell in _row(row).items() if key not in computed})
        for id_, row in table.data.items()
    )
    return {**_model(table, but="data"), "data": data}


def _row(row: TableRow) -> dict[str, Plain]:
    """Converts a row to plain data, its cells beside its own keys as an author writes them."""
    cells = {name: plain(cell) for name, cell in row.cells.items()}
    return {**_model(row, but="cells"), **cells}


def _input(value: Input) -> Plain:
    count = value.count if isinstance(value.count, str | None) else _wholes(value.count)
    return {**_model(value, but="count"), **({"count": count} if count is not None else {})}


def _result(result: ProcedureResult) -> Plain:
    """Converts a result of a procedure to plain data; one without a title is its expression."""
    return _model(result) if result.title else plain(result.value)


def _wholes(counts: tuple[int, ...]) -> Plain:
    """Converts whole numbers to a text with their ends if they have no gap, as in `1 to 60`.

    Otherwise, and if there is only one, converts them to a list of texts.
    """
    if len(counts) > 1 and all(after == before + 1 for before, after in pairwise(counts)):
        return f"{counts[0]} to {counts[-1]}"
    return [str(count) for count in counts]


def _cell(cell: Cell) -> Plain:
    if cell == MISSING:
        return None  # in a table or row that is missing as a whole
    if cell.status is Status.STATED and cell.note is None and cell.source is None:
        return plain(cell.value)
    noted = {"value": cell.value, "status": cell.status, "note": cell.note, "source": cell.source}
    return {key: plain(part) for key, part in noted.items() if part is not None}


def _axis(axis: Axis) -> Plain:
    if axis.die is not None:
        return {str(axis.die): [choice.key for choice in axis.choices]}
    places = Named((choice.key, _choice(choice)) for choice in axis.choices)
    return {"numbers": places} if axis.kind == "numbers" else places


def _choice(choice: Choice) -> str:
    """Returns the title of a place on an axis; if its band was converted, with the new band added.

    The band is not added to a title that is the band itself.
    """
    band = choice.band
    if band is None or choice.title == str(band) or quantities.parse_band(choice.key) == band:
        return choice.title
    return f"{choice.title} ({band})"


def _tuple(items: tuple[object, ...] | list[object]) -> Plain:
    if items and all(isinstance(item, Axis) for item in items):
        return Named((item.name, _axis(item)) for item in items if isinstance(item, Axis))
    return [plain(item) for item in items]


def _expression(expression: Expression) -> str:
    """Returns the text of an expression with the spaces, quotes and brackets of ast.unparse.

    A target written as in tables, such as 4+, is returned as it is.
    """
    tree = expression.tree
    if isinstance(tree, Constant) and expression.text.strip() == tree.value:
        return expression.text.strip()  # a target as tables write it: 4+
    flat = " ".join(expression.text.split("\n")).strip()
    return ast.unparse(ast.parse(flat, mode="eval"))


def _mapping(value: Mapping[Any, object]) -> Plain:
    return Named((str(key), plain(item)) for key, item in value.items())


#: How each type of value that is no cell is spelt; the first that fits counts.
_SPELLINGS: dict[type | tuple[type, ...], Callable[[Any], Plain]] = {
    Enum: lambda value: str(value.value),
    str: str,
    quantities.Never: lambda never: "never",
    (CellType, RowName, Pace, RanksAndFiles, Prose): str,
    TablePoint: lambda point: [plain(point.x), plain(point.y)],
    Expression: _expression,
    datetime.date: lambda date: date.isoformat(),
    Cell: _cell,
    get_args(TableRow): _row,
    Grid: _grid,
    RecordTable: _record_table,
    Input: _input,
    ProcedureResult: _result,
    BaseModel: _model,
    Mapping: _mapping,
    (tuple, list): _tuple,
}


@cache
def _spelling(kind: type) -> Callable[[Any], Plain]:
    """Returns the function that converts values of a type to plain data. Raises TypeError."""
    of_cells = {kind.holds: kind.write for kind in CELL_KINDS.values() if kind.holds}
    if kind in of_cells:
        return of_cells[kind]
    for known, spell in _SPELLINGS.items():
        if issubclass(kind, known):
            return spell
    raise TypeError(f"{kind.__name__} is no value of a ruleset")


_NONE_GIVEN = object()


@cache
def _fields(kind: type[BaseModel]) -> list[tuple[str, str, object]]:
    """Lists the fields of a model as (name, key in a file, default).

    The default of a required field is _NONE_GIVEN.
    """
    return [
        (
            name,
            info.alias or name,
            _NONE_GIVEN if info.is_required() else info.get_default(call_default_factory=True),
        )
        for name, info in kind.model_fields.items()
    ]


def _sections(chapters: Iterable[Chapter]) -> Named:
    """Converts all sections to plain data by the ids of their headings, sorted by these.

    They are not grouped by chapter, so that a section may move to another.
    """
    listed = {section.id: section for chapter in chapters for section in chapter.sections}
    return Named((id_, _plain_section(listed[id_])) for id_ in sorted(listed))


@once_for_each
def _plain_section(section: Section) -> Plain:
    parts: list[Plain] = [_plain_part(part) for part in section.parts]
    return {"level": str(section.level), "title": section.title, "parts": parts}


def _plain_part(part: Part) -> str:
    """Returns a part of a section as it is written in Markdown."""
    if isinstance(part, Text):
        return part.markdown
    if isinstance(part, Code):
        fence = fence_around(part.text)
        return f"{fence}{part.language}\n{part.text}\n{fence}"
    if isinstance(part, Block):
        return f"{{{part.kind}: {part.target}}}"
    if isinstance(part, Remark):
        return f"{{{part.status}: {part.title}}}\n{part.text.markdown}"
    return f"{{chart: {chart_line(part)}}}"


def _picture(picture: InlinePicture | None) -> Plain:
    if picture is None:
        return None
    return {"media": picture.media, "data": b64encode(picture.data).decode()}


def chart_line(chart: Chart) -> str:
    """Returns a chart as an author writes it: `volley casualties by range with firers=12`."""

    def settings(listed: Iterable[Setting]) -> list[str]:
        named = ((setting.name.text, setting.value) for setting in listed)
        return [f"{name}={value.text}" if value else name for name, value in named]

    words = f"{chart.procedure.text} {chart.result.text}"
    by = f" by {' and '.join(settings(chart.by))}" if chart.by else ""
    given = f" with {', '.join(settings(chart.given))}" if chart.given else ""
    return words + by + given


#: Lists and mappings inside one another: more than twice as many as YAML may have.
DEEPEST = 200
_NAMED, _ORDER = "named", "order"
_TOO_DEEP = "lists and mappings too deep inside one another"


def canonical(value: Plain) -> str:
    """Returns the canonical JSON text of plain data, with a line end.

    Equal data always gives the same text.
    """
    return json.dumps(_written(value), **_STYLE) + "\n"  # type: ignore[arg-type]


_STYLE = {"ensure_ascii": False, "sort_keys": True, "separators": (",", ":"), "allow_nan": False}


def checksum(value: Plain) -> str:
    """Returns the SHA-256 digest of the canonical text of plain data, in hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def read_canonical(text: str) -> Plain:
    """Reads plain data from a canonical text.

    Raises ValueError for any other text, even if it is JSON.
    """
    try:
        value = _read(json.loads(text), DEEPEST)
        whole = canonical(value).encode() == text.encode()
    except json.JSONDecodeError as error:
        raise ValueError(f"it is damaged, or breaks off, at character {error.pos + 1}") from error
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    if not whole:
        raise ValueError("it is written otherwise than rulebook writes it")
    return value


def written_named(value: Named) -> tuple[int, int]:
    """Returns how many characters precede and follow the items of a `Named` in its JSON text."""
    behind = json.dumps(list(value), **_STYLE)  # type: ignore[arg-type]
    return len(f'{{"{_NAMED}":'), len(f',"{_ORDER}":{behind}}}')


def _written(value: Plain) -> Any:
    if isinstance(value, dict):
        # Most that stands in plain data is texts, which need no call.
        parts = {key: part if type(part) is str else _written(part) for key, part in value.items()}
        return {_NAMED: parts, _ORDER: list(value)} if isinstance(value, Named) else parts
    if isinstance(value, list):
        return [_written(item) for item in value]
    return value


def _read(value: Any, deeper: int) -> Plain:
    if not deeper:
        raise ValueError(_TOO_DEEP)
    if isinstance(value, dict):
        named, order = value.get(_NAMED), value.get(_ORDER)
        if len(value) == 2 and isinstance(named, dict) and isinstance(order, list):
            return _read_named(named, order, deeper - 1)
        return {key: _read(part, deeper - 1) for key, part in value.items()}
    if isinstance(value, list):
        return [_read(item, deeper - 1) for item in value]
    if value is None or isinstance(value, str):
        return value
    raise ValueError(f"{json.dumps(value)[:40]} where a text belongs")


def _read_named(named: dict[str, Any], order: list[Any], deeper: int) -> Named:
    if sorted(map(str, order)) != sorted(named) or not all(isinstance(id_, str) for id_ in order):
        raise ValueError("an order of other ids than there are")
    return Named((id_, _read(named[id_], deeper)) for id_ in order)
