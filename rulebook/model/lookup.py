"""A path such as `musketry[8-16in, first, cover]` or `canister_cone.length` -> what it names.

The grammar of paths is that of bindings in prose; see `rulebook.model.paths`.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pydantic import BaseModel

from rulebook import quantities
from rulebook.faults import Fault
from rulebook.model.axes import Axis, humanise
from rulebook.model.cells import Cell, CellType, Sought, nearest_word, some_words
from rulebook.model.cutouts.cone import Cone
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.cutouts.marks import with_marks
from rulebook.model.cutouts.round import Reach
from rulebook.model.modifiers import ModifierTable
from rulebook.model.prose import Binding
from rulebook.model.provenance import Entity, Status
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scenarios import Scenario
from rulebook.model.tables import ComputedTable, Grid, RecordTable, Row
from rulebook.model.units import RowName, Unit

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_PART = re.compile(r"\.([A-Za-z0-9_-]+)")
_KEYS = re.compile(r"\[([^\[\]{}]*)\]")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a path and the characters at which it stands."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Path:
    """A name, the keys in brackets after it if there are any, and the parts after the points."""

    name: Part
    keys: tuple[Part, ...] | None
    parts: tuple[Part, ...]


class LookupFault(Fault):
    """A path that names nothing: what is wrong with which characters of it, and what was meant.

    `start` and `end` count characters of the path; `meant` is the address of what the hint
    proposes.
    """

    meant: Address | None = None

    def __init__(self, code: str, message: str, expected: str, hint: str, part: Part) -> None:
        super().__init__(code, message, expected, hint)
        self.start, self.end = part.start, part.end


def slug(name: str) -> str:
    """How a path writes a name that people read: `Near zone` as near_zone."""
    return re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")


def parse_path(path: str) -> Path:
    """Raises LookupFault where the path is not one."""
    match = _NAME.match(path)
    whole = Part(path, 0, len(path))
    if match is None:
        raise LookupFault.of("R308 no path", whole, path=path)
    name = Part(match[0], 0, match.end())
    at = match.end()
    keys: tuple[Part, ...] | None = None
    if bracket := _KEYS.match(path, at):
        keys = tuple(_keys(bracket[1], bracket.start(1)))
        at = bracket.end()
    parts: list[Part] = []
    while part := _PART.match(path, at):
        parts.append(Part(part[1], part.start(1), part.end(1)))
        at = part.end()
    if at < len(path):
        rest = Part(path[at:], at, len(path))
        raise LookupFault.of("R308 path unread", rest, rest=rest.text)
    return Path(name, keys, tuple(parts))


def _keys(text: str, start: int) -> Iterable[Part]:
    for raw in text.split(","):
        key = raw.strip()
        at = start + len(raw) - len(raw.lstrip())
        yield Part(key, at, at + max(1, len(key)))
        start += len(raw) + 1


Found: TypeAlias = Cell | quantities.Value | datetime.date

#: The collections in the order in which a name is looked for, since ids are unique over all of
#: them, each with what reports call an entity of it.
KINDS = {
    "tables": "a table",
    "modifiers": "a modifier table",
    "procedures": "a procedure",
    "examples": "an example",
    "sequence": "a phase",
    "units": "a unit",
    "cards": "a deck of cards",
    "cutouts": "a cutout",
    "terms": "a term",
    "formations": "a formation",
    "scenarios": "a scenario",
}
COLLECTIONS = tuple(KINDS)
_OF_RULESET = ("title", "subtitle", "edition", "date")
_NO_VALUES = {"status", "note", "source", "was", "shape", "use", "rule"}


def find_entity(ruleset: Ruleset, name: str) -> tuple[str, Entity] | None:
    """The collection and the entity of an id, or None."""
    for collection in COLLECTIONS:
        entities: dict[str, Entity] = getattr(ruleset.collections, collection)
        if name in entities:
            return collection, entities[name]
    return None


def printed(found: Found) -> str:
    """What stands on paper for what a path names; nothing for a missing cell."""
    if isinstance(found, Cell):
        return str(found)
    if isinstance(found, datetime.date):
        return quantities.format_date(found)
    return quantities.format_value(found)


def computed_in(ruleset: Ruleset, binding: Binding) -> bool:
    """Whether a binding names a cell of a table that is still to be computed."""
    if binding.kind != "value":
        return False
    name = name_in(binding.target)
    return isinstance(ruleset.tables.get(name), ComputedTable) and binding.target != f"{name}.title"


def name_in(path: str) -> str:
    """The name with which a path begins."""
    return re.split(r"[.\[]", path, maxsplit=1)[0]


def entity_ids(ruleset: Ruleset, collections: Iterable[str] = COLLECTIONS) -> list[str]:
    """The ids of all entities of some collections."""
    return [name for part in collections for name in getattr(ruleset.collections, part)]


def find(ruleset: Ruleset, path: str) -> Found:
    """What a path names: a cell of a table, or a value or title.

    A missing cell is found like any other; whether that will do is for the caller to say.
    Raises LookupFault.
    """
    return _Lookup(ruleset, parse_path(path)).found()


class _Lookup:
    """One path on its way through a ruleset."""

    def __init__(self, ruleset: Ruleset, path: Path) -> None:
        self.ruleset = ruleset
        self.path = path
        self.name = path.name.text

    def found(self) -> Found:
        if self.name == "ruleset":
            return self._of_ruleset()
        known = find_entity(self.ruleset, self.name)
        if known is None:
            raise self._no_entity()
        collection, entity = known
        if self.path.keys is not None and not isinstance(entity, Grid):
            raise LookupFault.of(
                "R307 without axes",
                self.path.keys[0],
                name=self.name,
                kind=KINDS[collection],
                example=self._example(entity),
            )
        if [part.text for part in self.path.parts] == ["title"] and self.path.keys is None:
            title: str = getattr(entity, "title", "") or humanise(self.name)
            return title
        if isinstance(entity, Grid):
            return self._of_grid(entity)
        if isinstance(entity, RecordTable):
            return self._of_records(entity, self._at_least(2, entity))
        if isinstance(entity, ModifierTable):
            return self._of_modifiers(entity)
        if isinstance(entity, Cutout):
            return self._of_cutout(entity)
        if isinstance(entity, Unit):
            return self._of_unit(entity)
        if isinstance(entity, Scenario):
            return self._of_scenario(entity)
        part = self.path.parts[0] if self.path.parts else self.path.name
        raise self._nothing(part, ["title"], KINDS[collection])

    def _of_ruleset(self) -> Found:
        if not self.path.parts:
            raise self._incomplete("ruleset.title")
        part = self.path.parts[0]
        if part.text not in _OF_RULESET or len(self.path.parts) > 1:
            raise self._nothing(part, _OF_RULESET, "the ruleset")
        value = getattr(self.ruleset.header, part.text)
        if value is None:
            raise LookupFault.of("R302 no such text", part, name=part.text)
        return value  # type: ignore[no-any-return]

    def _of_grid(self, grid: Grid) -> Found:
        keys = self.path.keys
        if keys is None:
            raise self._incomplete(self._example(grid))
        if len(keys) != len(grid.axes):
            raise LookupFault.of(
                "R307 keys of a table",
                Part("", keys[0].start, keys[-1].end),
                count=len(keys),
                axes=len(grid.axes),
                example=self._example(grid),
            )
        places = [_position(axis, key) for axis, key in zip(grid.axes, keys, strict=True)]
        row = _flat(grid.rows, places[: len(grid.rows)])
        column = _flat(grid.columns, places[len(grid.rows) :])
        return self._onwards(grid.data[row][column], grid.cells, self.path.parts)

    def _of_records(self, table: RecordTable, parts: Sequence[Part]) -> Found:
        row = table.data.get(parts[0].text)
        if row is None:
            raise self._nothing(parts[0], list(table.data), f"the table '{table.title}'", "row")
        return self._of_row(table, parts[0].text, row, parts[1:])

    def _of_row(self, table: RecordTable, key: str, row: Row, parts: Sequence[Part]) -> Found:
        part = parts[0]
        if part.text == "title" and len(parts) == 1:
            return row.title or humanise(key)
        if part.text not in row.cells:
            raise self._nothing(part, [*row.cells, "title"], f"the table '{table.title}'", "field")
        return self._onwards(row.cells[part.text], table.fields[part.text].type, parts[1:])

    def _onwards(self, cell: Cell, cell_type: CellType, parts: Sequence[Part]) -> Found:
        """The cell itself, or what its row of another table holds."""
        if cell_type.table is None:
            if parts:
                raise LookupFault.of("R302 below a cell", parts[0], type=cell_type)
            return cell
        if cell.value is None:
            if parts:
                state = "missing" if cell.status is Status.MISSING else "empty"
                raise LookupFault.of("R306 cell is", parts[0], state=state)
            return cell
        table = self.ruleset.tables.get(cell_type.table)
        row = table.data.get(str(cell.value)) if isinstance(table, RecordTable) else None
        if row is None or not isinstance(table, RecordTable):
            raise LookupFault.of(
                "R302 names no row of", parts[0] if parts else self.path.name, table=cell_type.table
            )
        return self._of_row(table, str(cell.value), row, parts or [Part("title", 0, 0)])

    def _of_unit(self, unit: Unit) -> Found:
        """A number of a unit, from the row that holds it."""
        parts = self._at_least(1, unit)
        fields = fields_of(self.ruleset, unit)
        name = fields.get(parts[0].text)
        table = self.ruleset.tables[name.table] if name else None
        if name is None or not isinstance(table, RecordTable):
            raise self._nothing(parts[0], [*fields, "title"], f"the unit '{unit.title}'")
        return self._of_row(table, name.row, table.data[name.row], parts)

    def _of_modifiers(self, table: ModifierTable) -> Found:
        key, changed, *rest = self._at_least(2, table)
        row = table.rows.get(key.text)
        if row is None:
            raise self._nothing(key, list(table.rows), f"the modifier table '{table.title}'", "row")
        if changed.text not in row.amounts or rest:
            raise self._nothing(changed, list(row.amounts), f"the row '{key.text}'")
        return row.amounts[changed.text]

    def _of_scenario(self, scenario: Scenario) -> Found:
        """What a scenario says of itself, or the title of something in it by its id."""
        parts = self._at_least(1, scenario)
        told = told_of(scenario)
        if parts[0].text not in told:
            raise self._nothing(parts[0], list(told), f"the scenario '{scenario.title}'")
        if len(parts) > 1:
            raise LookupFault.of("R302 below a part", parts[1], name=parts[0].text)
        return told[parts[0].text]

    def _of_cutout(self, cutout: Cutout) -> Found:
        value: object = self._marked(cutout)
        inside = f"the cutout '{cutout.title}'"
        for part in self._at_least(1, cutout):
            choices = _attributes(value)
            if part.text not in choices and slug(part.text) not in choices:
                raise self._nothing(part, list(choices), inside)
            value = choices.get(part.text, choices.get(slug(part.text)))
            inside = f"'{part.text}'"
        if isinstance(value, BaseModel | tuple):
            last = self.path.parts[-1]
            known = some_words(list(_attributes(value)))
            raise LookupFault.of("R308 part of parts", last, name=last.text, known=known)
        return value  # type: ignore[return-value]

    def _marked(self, cutout: Cutout) -> Cutout:
        """The cutout with the marks that it takes from a table."""
        try:
            return with_marks(cutout, self.ruleset.tables)
        except quantities.QuantityError as fault:
            told = fault.code, fault.message, fault.expected, fault.hint
            raise LookupFault(*told, self.path.name) from fault

    def _at_least(self, count: int, entity: Entity) -> tuple[Part, ...]:
        if len(self.path.parts) < count:
            raise self._incomplete(self._example(entity))
        return self.path.parts

    def _incomplete(self, example: str) -> LookupFault:
        whole = Part("", 0, (self.path.parts or (self.path.name,))[-1].end)
        return LookupFault.of("R308 stops before", whole, example=example)

    def _no_entity(self) -> LookupFault:
        near = nearest_word(self.name, [*entity_ids(self.ruleset), "ruleset"])
        meant, hint = find_entity(self.ruleset, near), f"write '{near}'" if near else ""
        fault = LookupFault.of("R301 nothing called", self.path.name, name=self.name, hint=hint)
        fault.meant = (meant[0], near) if meant else None
        return fault

    def _nothing(
        self, part: Part, choices: Sequence[str], inside: str, what: str = "value"
    ) -> LookupFault:
        return LookupFault.of(
            "R302 no part", part, what=what, name=Sought(part.text, choices), inside=inside
        )

    def _example(self, entity: Entity) -> str:
        """A path into an entity that would do."""
        if isinstance(entity, Grid):
            return f"{self.name}[{', '.join(axis.name for axis in entity.axes)}]"
        if isinstance(entity, RecordTable):
            return f"{self.name}.{next(iter(entity.data))}.{next(iter(entity.fields))}"
        if isinstance(entity, ModifierTable):
            return f"{self.name}.{next(iter(entity.rows))}.{next(iter(entity.changes))}"
        if isinstance(entity, Cone):
            return f"{self.name}.length"
        if isinstance(entity, Unit):
            return f"{self.name}.{[*fields_of(self.ruleset, entity), 'title'][0]}"
        return f"{self.name}.title"


def fields_of(ruleset: Ruleset, unit: Unit) -> dict[str, RowName]:
    """The fields of a unit -> the rows that hold them; rows that are not there are passed over."""
    found: dict[str, RowName] = {}
    for name in unit.rows:
        table = ruleset.tables.get(name.table)
        if isinstance(table, RecordTable) and name.row in table.data:
            for field in table.fields:
                found.setdefault(field, name)
    return found


def told_of(scenario: Scenario) -> dict[str, quantities.Value]:
    """What paths may name of a scenario: its own values, and titles by the ids of their things."""
    told: dict[str, quantities.Value | None] = {"title": scenario.title, "date": scenario.date}
    told |= {"length": scenario.length.turns, "turn": scenario.turn}
    table = scenario.table
    told |= {"width": table.width, "depth": table.depth}
    if table.scale:
        told |= {"scale": table.scale.length, "ground": table.scale.ground}
    for things in (scenario.map.features, scenario.places, scenario.sides, scenario.objectives):
        for name, thing in things.items():
            told.setdefault(name, thing.title)
    return {name: value for name, value in told.items() if value is not None}


def _attributes(value: object) -> dict[str, object]:
    """What a path may go on to below a part of a cutout."""
    if isinstance(value, Cone):
        last = value.zones[-1]
        # The last zone need not say where it ends: it runs to the end of the cone.
        zones = (*value.zones[:-1], last.model_copy(update={"to": last.to or value.length}))
        return {**_fields(value), "zones": zones}
    if isinstance(value, Reach):
        return {**_fields(value), **_both(value)}
    if isinstance(value, BaseModel):
        return _fields(value)
    if isinstance(value, tuple):
        return {slug(item.name): item for item in value if hasattr(item, "name")}
    return {}


def _both(value: Reach) -> dict[str, object]:
    """Radius and diameter, whichever of them the author gave."""
    name, given = value.stated
    radius = given if name == "radius" else quantities.Length(given.number / 2, given.unit)
    return {"radius": radius, "diameter": quantities.Length(radius.number * 2, radius.unit)}


def _fields(value: BaseModel) -> dict[str, object]:
    return {
        name: getattr(value, name)
        for name in type(value).model_fields
        if name not in _NO_VALUES and getattr(value, name) is not None
    }


def _position(axis: Axis, key: Part) -> int:
    """Where a key stands on an axis: as written there, as the same band, or as a face."""
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
    raise LookupFault.of(
        "R302 key of an axis", key, name=Sought(key.text, axis.keys), axis=axis.name
    )


def _flat(axes: Sequence[Axis], places: Sequence[int]) -> int:
    """The position along a side whose axes are multiplied out, the last one changing fastest."""
    flat = 0
    for axis, place in zip(axes, places, strict=True):
        flat = flat * len(axis.choices) + place
    return flat
