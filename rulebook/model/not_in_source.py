"""A ruleset -> all in it that the source does not plainly state, in the order of the booklet.

This is the list of the designer's notes and of `rulebook check`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulebook.model.axes import Choice, humanise
from rulebook.model.cells import Cell
from rulebook.model.forces import formations_mustered
from rulebook.model.modifiers import ModifierTable
from rulebook.model.procedures import Procedure
from rulebook.model.prose import COLLECTIONS_OF, Block, Chart, Remark, Text
from rulebook.model.provenance import Entity, Noted, Status
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Prose
from rulebook.model.tables import Grid, RecordTable
from rulebook.translation import gettext


@dataclass(frozen=True, slots=True)
class Unstated:
    """A part of the ruleset that is read, house or missing.

    `title` names it for a reader, as "Musketry: 8–16″, First volley, Cover"; like the note it may
    hold bindings. `address` is where it stands in the data, or ("prose", section id, title) for a
    note in the prose. `section_id` is the heading under which it stands or is placed, None
    outside the prose.
    """

    status: Status
    title: str
    note: Prose | None
    source: str | None
    address: Address
    section_id: str | None


def unstated(ruleset: Ruleset) -> list[Unstated]:
    """All whose status is not `stated`: the scale, then section by section, then the rest.

    A table that is not printed belongs to the first section that binds one of its values.
    """
    found = [*_entity(gettext("Scale"), ruleset.header.scale, ("header", "scale"), None)]
    told: set[Address] = set()
    for chapter in ruleset.chapters:
        for section in chapter.sections:
            for part in section.parts:
                if isinstance(part, Remark):
                    found.append(_remark(part, section.id))
                    continue
                for address in _addresses(ruleset, part):
                    if address not in told:
                        told.add(address)
                        found += _of_entity(ruleset, address, section.id)
    for name, option in ruleset.chosen_options.items():
        under = option.rule.replace("-", "_") if option.rule else None
        title = gettext("Option: %(title)s", title=option.title)
        found += _entity(title, option, ("options", name), under)
    for collection in type(ruleset.collections).model_fields:
        if collection in ("formations", "scenarios"):
            continue  # each scenario has a booklet of its own, with notes of its own
        for name, entity in getattr(ruleset.collections, collection).items():
            if (collection, name) not in told:
                stands_in = entity.rule if isinstance(entity, Procedure) else None
                found += _of_entity(ruleset, (collection, name), stands_in)
    return found


def unstated_of_scenario(ruleset: Ruleset, name: str) -> list[Unstated]:
    """All in a scenario whose status is not `stated`, in the order in which it is written.

    Formations of the ruleset that it musters follow.
    """
    scenario = ruleset.scenarios[name]
    found = list(_inside(scenario.title, scenario, ("scenarios", name)))
    for key in formations_mustered(ruleset, scenario):
        if key not in scenario.formations:
            formation = ruleset.formations[key]
            found += _entity(formation.title, formation, ("formations", key), None)
    return found


def _inside(title: str, entity: Entity, address: Address) -> Iterator[Unstated]:
    """An entity of a scenario and all entities in it, each called by its title."""
    yield from _entity(title, entity, address, None)
    for key, info in type(entity).model_fields.items():
        value = getattr(entity, key)
        at: Address = (*address, info.alias or key)
        if isinstance(value, Entity):
            yield from _inside(f"{title}: {_called(value, key)}", value, at)
        elif isinstance(value, Mapping):
            for name, one in value.items():
                if isinstance(one, Entity):
                    yield from _inside(f"{title}: {_called(one, name)}", one, (*at, name))


def _called(entity: Entity, name: str) -> str:
    return str(getattr(entity, "title", None) or humanise(name))


def _remark(remark: Remark, section_id: str) -> Unstated:
    note = Prose(remark.text.markdown)
    address: Address = ("prose", section_id, remark.title)
    return Unstated(remark.status, remark.title, note, None, address, section_id)


def _addresses(ruleset: Ruleset, part: Block | Chart | Text) -> Iterator[Address]:
    """What a block places, or the unprinted tables whose values a text binds."""
    if isinstance(part, Block):
        kinds = COLLECTIONS_OF[part.kind]
        yield from ((kind, part.target) for kind in kinds if part.target in getattr(ruleset, kind))
        return
    for binding in part.bindings if isinstance(part, Text) else ():
        name = re.split(r"[.\[]", binding.target, maxsplit=1)[0]
        for kind in ("tables", "modifiers"):
            table = getattr(ruleset, kind).get(name)
            if binding.kind == "value" and table is not None and not table.booklet:
                yield (kind, name)


def _of_entity(ruleset: Ruleset, address: Address, section_id: str | None) -> Iterator[Unstated]:
    """An entity, and the rows and cells in it."""
    collection, name = str(address[0]), str(address[1])
    entity: Entity | None = getattr(ruleset.collections, collection).get(name)
    if entity is None:
        return
    title = str(getattr(entity, "title", humanise(name)))
    yield from _entity(title, entity, address, section_id)
    if isinstance(entity, Grid):
        yield from _grid(title, entity, address, section_id)
    elif isinstance(entity, RecordTable):
        yield from _records(title, entity, address, section_id)
    elif isinstance(entity, ModifierTable):
        for key, row in entity.rows.items():
            named = f"{title}: {row.when.markdown}"
            at: Address = (*address, "rows", key)
            yield from _entity(named, row, at, section_id)
            for name, cell in row.amounts.items():
                yield from _cell(f"{named}, {entity.title_of(name)}", cell, (*at, name), section_id)


def _grid(title: str, grid: Grid, address: Address, section_id: str | None) -> Iterator[Unstated]:
    places = zip(grid.positions("rows"), grid.data, strict=True)
    for number, (row, cells) in enumerate(places):
        for index, (column, cell) in enumerate(zip(grid.positions("columns"), cells, strict=True)):
            named = f"{title}: {_names((*row, *column))}"
            yield from _cell(named, cell, (*address, "data", number, index), section_id)


def _names(places: Sequence[Choice]) -> str:
    return ", ".join(choice.title for choice in places)


def _records(
    title: str, table: RecordTable, address: Address, section_id: str | None
) -> Iterator[Unstated]:
    for key, row in table.data.items():
        named = f"{title}: {row.title or humanise(key)}"
        at: Address = (*address, "data", key)
        yield from _entity(named, row, at, section_id)
        for name, cell in row.cells.items():
            column = table.fields[name].title or humanise(name)
            yield from _cell(f"{named}, {column}", cell, (*at, name), section_id)


def _entity(
    title: str, entity: Noted, address: Address, section_id: str | None
) -> Iterator[Unstated]:
    if entity.status is not Status.STATED:
        yield Unstated(entity.status, title, entity.note, entity.source, address, section_id)


def _cell(title: str, cell: Cell, address: Address, section_id: str | None) -> Iterator[Unstated]:
    """A cell with a status; one that is missing with all of its table or row has no note."""
    if cell.status is not Status.STATED and cell.note is not None:
        yield Unstated(cell.status, title, cell.note, cell.source, address, section_id)
