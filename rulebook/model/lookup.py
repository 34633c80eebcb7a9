"""A path such as `musketry[8-16in, first, cover]` or `canister_cone.length` -> what it names.

The grammar is that of bindings in prose:

    ruleset.title  ruleset.subtitle  ruleset.edition  ruleset.date
    ENTITY.title                       any table, modifier table, cutout, example, phase or term
    GRID[key, key, ...]                keys of the row axes, then of the column axes
    TABLE.row.field  TABLE.row.title   of a record table
    MODIFIERS.row.changed              an amount of a modifier table
    CUTOUT.attribute  CUTOUT.zones.near.kills

A cell of type `row TABLE` stands for that row's title; `.field` after it goes on into the row.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import TypeAlias, TypeVar

from pydantic import BaseModel

from rulebook import quantities
from rulebook.model.cells import Cell, CellType
from rulebook.model.cutouts import Cutout, Reach
from rulebook.model.entities import Entity, Status
from rulebook.model.grids import Axis, ComputedTable, Grid, humanise, number_of
from rulebook.model.procedures import Procedure, all_steps
from rulebook.model.prose import Binding
from rulebook.model.record_tables import RecordTable, Row, TableOfRows
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import RowName
from rulebook.model.scenarios import Scenario
from rulebook.model.sticks import with_marks
from rulebook.model.units import Unit
from rulebook.once import MOST_KEPT
from rulebook.problems import Fault
from rulebook.suggestions import nearest, nearest_word, some_words

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_PART = re.compile(r"\.([A-Za-z0-9_-]+)")
_KEYS = re.compile(r"\[([^\[\]{}]*)\]")


@dataclass(frozen=True, slots=True)
class PathPart:
    """A part of a path, with the positions of its first character and of the one after it."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ValuePath:
    """A parsed path: a name, the keys in brackets after it, if any, and the parts after dots."""

    name: PathPart
    keys: tuple[PathPart, ...] | None
    parts: tuple[PathPart, ...]


class LookupFault(Fault):
    """The fault of a path that names no value, in its characters from `start` to `end`.

    `meant` is the address of the entity that the hint proposes.
    """

    meant: Address | None = None

    def __init__(self, code: str, message: str, expected: str, hint: str, part: PathPart) -> None:
        super().__init__(code, message, expected, hint)
        self.start, self.end = part.start, part.end


def slug(name: str) -> str:
    """Converts a name to the form used in paths: `Near zone` becomes near_zone."""
    return re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")


@lru_cache(maxsize=MOST_KEPT)
def parse_path(path: str) -> ValuePath:
    """Splits a path into its parts. Raises LookupFault if the text is no path."""
    match = _NAME.match(path)
    name = PathPart(match[0], 0, match.end()) if match else PathPart("", 0, 0)
    at = name.end
    keys: tuple[PathPart, ...] | None = None
    if bracket := _KEYS.match(path, at):
        keys = tuple(_keys(bracket[1], bracket.start(1)))
        at = bracket.end()
    parts: list[PathPart] = []
    while part := _PART.match(path, at):
        parts.append(PathPart(part[1], part.start(1), part.end(1)))
        at = part.end()
    if not match or at < len(path):
        rest = PathPart(path[at:] if match else path, at if match else 0, len(path))
        such = "such as musketry.title, ranges.rifle.long or musketry[8-16in, first]"
        raise LookupFault("R308", f"'{rest.text:.60}' names no value", such, "", rest)
    return ValuePath(name, keys, tuple(parts))


def _keys(text: str, start: int) -> Iterable[PathPart]:
    for raw in text.split(","):
        key = raw.strip()
        at = start + len(raw) - len(raw.lstrip())
        yield PathPart(key, at, at + max(1, len(key)))
        start += len(raw) + 1


Found: TypeAlias = Cell | quantities.Value | datetime.date

#: What reports call an entity of each collection; ids are unique over all of them.
KINDS = {
    "tables": "a table",
    "modifiers": "a modifier table",
    "procedures": "a procedure",
    "examples": "an example",
    "sequence": "a phase",
    "units": "a unit",
    "cards": "a deck of cards",
    "cutouts": "a cutout",
    "figures": "a figure",
    "terms": "a term",
    "agreements": "an agreement",
    "formations": "a formation",
    "scenarios": "a scenario",
}
_OF_RULESET = ("title", "subtitle", "edition", "date")
_NO_VALUES = {"status", "note", "source", "was", "shape", "use", "rule"}


def find_entity(ruleset: Ruleset, name: str) -> tuple[str, Entity] | None:
    """Finds the entity with an id in all collections.

    Returns the name of its collection and the entity, or None.
    """
    for collection, entities in ruleset.collections:
        if name in entities:
            return collection, entities[name]
    return None


def printed(found: Found) -> str:
    """Returns the text that prints for the value of a path; empty for a missing or empty cell."""
    if isinstance(found, Cell):
        return str(found)
    if isinstance(found, datetime.date):
        return quantities.format_date(found)
    return quantities.format_value(found)


def computed_in(ruleset: Ruleset, binding: Binding) -> bool:
    """Tells whether a binding names a cell of a computed table, whose grid is not yet computed."""
    if binding.kind != "value":
        return False
    name = name_in(binding.target)
    return isinstance(ruleset.tables.get(name), ComputedTable) and binding.target != f"{name}.title"


def name_in(path: str) -> str:
    """Returns the id with which a path begins: `musketry` of `musketry[0-8in].x`."""
    return re.split(r"[.\[]", path, maxsplit=1)[0]


def no_procedure(ruleset: Ruleset, name: str) -> Fault:
    """Makes the fault of an id that should be that of a procedure and is not.

    The message says what else it is, or that there is no such procedure.
    """
    known, hint = find_entity(ruleset, name), nearest(name, list(ruleset.procedures))
    what = f"'{name:.60}' is {KINDS[known[0]] if known else 'no procedure'}"
    return Fault("R305" if known else "R301", what, "the id of a procedure", hint)


def find(ruleset: Ruleset, path: str) -> Found:
    """Finds what a path names: a cell of a table, or a value or title.

    A missing cell is returned like any other. Raises LookupFault if the path names nothing, or a
    thing that is no single value.
    """
    return _Lookup(ruleset, parse_path(path)).found()


Thing = TypeVar("Thing")


def resolve_path(
    path: ValuePath,
    entity: Callable[[ValuePath], Thing],
    cell: Callable[[Thing, tuple[PathPart, ...]], Thing],
    into: Callable[[Thing, PathPart], Thing],
) -> Thing:
    """Follows a path, through YAML nodes or through objects of the model.

    `entity` finds the thing with the id at the start of the path, `cell` the cell of a grid at some
    keys, and `into` a named part of a thing. Raises LookupFault, as these functions do.
    """
    thing = entity(path)
    if path.keys is not None:
        thing = cell(thing, path.keys)
    return reduce(into, path.parts, thing)


def nothing_called(name: str) -> str:
    """Returns the message for a name that names nothing."""
    return f"nothing is called '{name:.60}'"


def no_entity(name: PathPart, known: Mapping[str, str]) -> LookupFault:
    """Makes the fault of an unknown id; its hint is the nearest known id.

    `known` maps known ids to their collections, or to "" for one in none. The fault also holds the
    address of the nearest one, if it has a collection.
    """
    near = nearest_word(name.text, list(known))
    hint = f"write '{near}'" if near else ""
    expected = "the id of a table, modifier table or cutout of this ruleset"
    fault = LookupFault("R301", nothing_called(name.text), expected, hint, name)
    fault.meant = (known[near], near) if known.get(near) else None
    return fault


@dataclass(frozen=True, slots=True)
class _TypedCell:
    """A cell and its type, which names the table if the value is a row."""

    cell: Cell
    type: CellType


def _parts_of_row(table: TableOfRows, key: str) -> dict[str, object]:
    """Maps the columns of a row to its cells; in a record table also `title` to its title."""
    row = table.data[key]
    cells = {name: _TypedCell(cell, table.fields[name].type) for name, cell in row.cells.items()}
    return {**cells, "title": row.heading(key)} if isinstance(row, Row) else {**cells}


#: How many parts lead to a value of an entity at the least.
_PARTS_NEEDED = {TableOfRows: 2, Cutout: 1, Unit: 1, Scenario: 1}


class _Lookup:
    """Looks up one path in a ruleset."""

    def __init__(self, ruleset: Ruleset, path: ValuePath) -> None:
        self.ruleset = ruleset
        self.path = path
        self.name = path.name.text

    def found(self) -> Found:
        """Returns the value at the end of the path.

        For a cell that names a row of another table it is the title of that row. Raises
        LookupFault, also if the path ends at a thing that has parts.
        """
        value = resolve_path(self.path, self._entity, self._cell, self._into)
        last = (self.path.parts or (self.path.name,))[-1]
        if isinstance(value, _TypedCell):
            if value.cell.value is None or not value.type.table:
                return value.cell
            value = self._row_of(value, last)["title"]
        if isinstance(value, BaseModel | tuple | dict):
            raise self._incomplete(f"{last.text}.{some_words(list(_attributes(value)))}", last)
        return value  # type: ignore[return-value]

    def _entity(self, path: ValuePath) -> object:
        parts = [part.text for part in path.parts]
        if self.name == "ruleset":
            if not parts:
                raise self._incomplete("ruleset.title")
            return {name: getattr(self.ruleset.header, name) for name in _OF_RULESET}
        known = find_entity(self.ruleset, self.name)
        if known is None:
            ids = {name: kind for kind, entities in self.ruleset.collections for name in entities}
            raise no_entity(path.name, {**ids, "ruleset": ""})
        _, entity = known
        if path.keys is not None and not isinstance(entity, Grid):
            raise self._miskeyed(path.keys, entity)
        if path.keys is None and parts == ["title"]:
            return {"title": getattr(entity, "title", "") or humanise(self.name)}
        if stated := _stated(entity, path):
            return stated
        needed = next((n for kind, n in _PARTS_NEEDED.items() if isinstance(entity, kind)), 0)
        if len(parts) < needed or (isinstance(entity, Grid) and path.keys is None):
            raise self._incomplete(self._example(entity))
        if not needed and not isinstance(entity, Grid):
            raise self._nothing((path.parts or (path.name,))[0], ["title"])
        return self._marked(entity) if isinstance(entity, Cutout) else entity

    def _cell(self, table: object, keys: tuple[PathPart, ...]) -> object:
        assert isinstance(table, Grid), "nothing else has keys"
        if len(keys) != len(table.axes):
            raise self._miskeyed(keys, table)
        row, column = cell_at(table.rows, table.columns, keys)
        return _TypedCell(table.data[row][column], table.cells)

    def _into(self, thing: object, part: PathPart) -> object:
        inside = self._inside(thing, part)
        known = [name for name, held in inside.items() if held is not None]
        if part.text not in known:
            raise self._nothing(part, known)
        return inside[part.text]

    def _inside(self, thing: object, part: PathPart) -> Mapping[str, object]:
        """Maps names to the parts of a thing, such as the rows of a table; empty for a value.

        `part` is the part that will be looked up. Raises LookupFault if the thing is a cell that
        names a row which does not exist.
        """
        match thing:
            case dict():
                return thing
            case TableOfRows():
                found = part.text in thing.data
                return {part.text: _parts_of_row(thing, part.text)} if found else {**thing.data}
            case Unit():
                tables = self.ruleset.tables
                fields = {
                    name: _parts_of_row(table, row.row)[name]
                    for name, row in fields_of(self.ruleset, thing).items()
                    if isinstance(table := tables[row.table], RecordTable)
                }
                return {**fields, "title": thing.title}
            case Scenario():
                return scenario_values(thing)
            case _TypedCell(type=CellType(table=str())):
                return self._row_of(thing, part)
            case BaseModel() | tuple():
                things, plain = _attributes(thing), slug(part.text)
                return {**things, part.text: things[plain]} if plain in things else things
        return {}

    def _row_of(self, cell: _TypedCell, part: PathPart) -> dict[str, object]:
        """Returns the parts of the row of another table that a cell names, by name.

        Raises LookupFault, at `part`, if the cell is empty or missing, or there is no such row.
        """
        if cell.cell.value is None:
            state = "missing" if cell.cell.status is Status.MISSING else "empty"
            raise LookupFault("R306", f"that cell is {state}", "", "", part)
        table, row = self.ruleset.tables.get(cell.type.table or ""), str(cell.cell.value)
        if not isinstance(table, RecordTable) or row not in table.data:
            raise self._nothing(part, [])
        return _parts_of_row(table, row)

    def _marked(self, cutout: Cutout) -> Cutout:
        """Returns a cutout with the marks filled in that it takes from a table.

        Raises LookupFault if it cannot take them.
        """
        try:
            return with_marks(cutout, self.ruleset.tables)
        except quantities.QuantityError as fault:
            parts = fault.code, fault.message, fault.expected, fault.hint
            raise LookupFault(*parts, self.path.name) from fault

    def _incomplete(self, example: str, part: PathPart | None = None) -> LookupFault:
        here = part or PathPart("", 0, (self.path.parts or (self.path.name,))[-1].end)
        name, hint = self.path.name.text, f"write {{{example}}}" * (example.count(".") > 1)
        if not self.path.parts and self.path.keys is None:
            placed = {"table": self.ruleset.all_tables, "cutout": self.ruleset.cutouts}
            kinds = (kind for kind, known in placed.items() if name in known)
            hint = next((f"write {{{kind}: {name}}} for all of it" for kind in kinds), "")
        return LookupFault("R308", "this is no single value", f"such as {example}", hint, here)

    def _miskeyed(self, keys: tuple[PathPart, ...], entity: Entity) -> LookupFault:
        here, example = PathPart("", keys[0].start, keys[-1].end), self._example(entity)
        what = f"'{self.name}' does not take {len(keys)} keys"
        return LookupFault("R307", what, f"such as {example}", "", here)

    def _nothing(self, part: PathPart, known: Sequence[str]) -> LookupFault:
        before = [earlier.text for earlier in self.path.parts if earlier.end < part.start]
        inside, hint = ".".join([self.name, *before]), nearest(part.text, known)
        what = f"no '{part.text:.40}' in '{inside}'"
        return LookupFault("R302", what, some_words(known), hint, part)

    def _example(self, entity: Entity) -> str:
        """Returns an example of a path to a value in an entity, to be shown in messages."""
        parts = ["title"]
        if isinstance(entity, Grid):
            return f"{self.name}[{', '.join(axis.name for axis in entity.axes)}]"
        if isinstance(entity, TableOfRows):
            parts = [next(iter(entity.data)), next(iter(entity.fields), "title")]
        elif isinstance(entity, Cutout):
            parts = [entity.example]
        elif isinstance(entity, Unit):
            parts = [next(iter(fields_of(self.ruleset, entity)), "title")]
        return ".".join([self.name, *parts])


def _stated(entity: Entity, path: ValuePath) -> dict[str, object]:
    """Returns other values that a path may name in an entity; empty if it names none of these.

    They are `table.given.men`, a number with which a table was computed, and `volley.die` or
    `rally.passes.target`, which the steps of a procedure state.
    """
    if path.keys is not None or not path.parts:
        return {}
    found: dict[str, object] = {}
    if isinstance(entity, Grid) and path.parts[0].text == "given":
        found["given"] = {name: number_of(text) for name, text in entity.given.items()}
    elif isinstance(entity, Procedure):
        below: dict[str, dict[str, object]] = {}
        for step in all_steps(entity.steps):
            for name, value in step.stated.items():
                thrown, _, part = name.partition(".")
                if part:
                    below.setdefault(thrown, {})[part] = value
                else:
                    found[thrown] = value
        found |= below
    return found if path.parts[0].text in found else {}


def fields_of(ruleset: Ruleset, unit: Unit) -> dict[str, RowName]:
    """Maps the fields of a unit to the rows that hold them; leaves out rows that do not exist."""
    found: dict[str, RowName] = {}
    for name in unit.rows:
        table = ruleset.tables.get(name.table)
        if isinstance(table, RecordTable) and name.row in table.data:
            for field in table.fields:
                found.setdefault(field, name)
    return found


def scenario_values(scenario: Scenario) -> dict[str, quantities.Value]:
    """Maps the names that paths may use in a scenario to its values.

    These are its own values by their keys, and the titles of places, sides and other things in it
    by their ids.
    """
    values: dict[str, quantities.Value | None] = {"title": scenario.title, "date": scenario.date}
    values |= {"length": scenario.length.turns, "turn": scenario.turn}
    table = scenario.table
    values |= {"width": table.width, "depth": table.depth}
    if table.scale:
        values |= {"scale": table.scale.length, "ground": table.scale.ground}
    for things in (scenario.map.features, scenario.places, scenario.sides, scenario.objectives):
        for name, thing in things.items():
            values.setdefault(name, thing.title)
    return {name: value for name, value in values.items() if value is not None}


def _attributes(value: object) -> dict[str, object]:
    """Returns the named parts of a cutout, or of a part of it, as paths name them.

    The items of a list are named by their names, as `slug` writes them; fields without a value are
    left out.
    """
    if isinstance(value, tuple):
        return {slug(item.name): item for item in value if hasattr(item, "name")}
    known = type(value).model_fields if isinstance(value, BaseModel) else {}
    held = {name: getattr(value, name) for name in known if name not in _NO_VALUES}
    derived = value.derived if isinstance(value, Cutout | Reach) else {}
    return {name: part for name, part in {**held, **derived}.items() if part is not None}


def cell_at(
    rows: tuple[Axis, ...], columns: tuple[Axis, ...], keys: Sequence[PathPart]
) -> tuple[int, int]:
    """Returns the indices of the row and the column at some keys, one for each axis.

    Raises LookupFault.
    """
    places = [_position(axis, key) for axis, key in zip(rows + columns, keys, strict=True)]
    return _flat(rows, places[: len(rows)]), _flat(columns, places[len(rows) :])


def _position(axis: Axis, key: PathPart) -> int:
    """Returns the index of the place on an axis that has this key, band or face.

    Raises LookupFault.
    """
    for index, choice in enumerate(axis.choices):
        if choice.key == key.text:
            return index
    face = int(key.text) if re.fullmatch(r"[0-9]{1,3}", key.text) else None
    try:
        band = quantities.parse_band(key.text)
    except quantities.QuantityError:
        band = None
    for index, choice in enumerate(axis.choices):
        if band is not None and choice.band == band:
            return index
        if choice.faces and face is not None and face in choice.faces.scores:
            return index
    what, hint = f"no '{key.text:.40}' on the axis '{axis.name}'", nearest(key.text, axis.keys)
    raise LookupFault("R302", what, some_words(axis.keys), hint, key)


def _flat(axes: Sequence[Axis], places: Sequence[int]) -> int:
    """Converts positions on the axes of a side to an index along the side.

    The last axis changes fastest.
    """
    flat = 0
    for axis, place in zip(axes, places, strict=True):
        flat = flat * len(axis.choices) + place
    return flat
