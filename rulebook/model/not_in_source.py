"""A ruleset -> all in it that the source does not plainly state, in the order of the booklet.

This is the list of the designer's notes and of `rulebook check`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from rulebook.model.axes import humanise
from rulebook.model.cells import Cell
from rulebook.model.forces import formations_mustered
from rulebook.model.lookup import name_in
from rulebook.model.modifiers import ModifierTable
from rulebook.model.procedures import Procedure
from rulebook.model.prose import COLLECTIONS_OF, Block, Part, Remark, Text
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
    section_id: str | None = None


def unstated(ruleset: Ruleset) -> list[Unstated]:
    """All whose status is not `stated`: the scale, then section by section, then the rest.

    A table that is not printed belongs to the first section that binds one of its values.
    """
    found = [*_entity(gettext("Scale"), ruleset.header.scale, ("header", "scale"))]
    listed: set[Address] = set()
    for chapter in ruleset.chapters:
        for section in chapter.sections:
            for part in section.parts:
                if isinstance(part, Remark):
                    at: Address = ("prose", section.id, part.title)
                    note = Prose(part.text.markdown)
                    found.append(Unstated(part.status, part.title, note, None, at, section.id))
                    continue
                for address in _addresses(ruleset, part):
                    if address not in listed:
                        listed.add(address)
                        found += _under(section.id, _of_entity(ruleset, address))
    for name, option in ruleset.chosen_options.items():
        title = gettext("Option: %(title)s", title=option.title)
        notes = _entity(title, option, ("options", name))
        found += _under(option.rule.replace("-", "_") if option.rule else None, notes)
    for collection, entities in ruleset.collections:
        if collection in ("formations", "scenarios"):
            continue  # each scenario has a booklet of its own, with notes of its own
        for name, entity in entities.items():
            if (collection, name) not in listed:
                stands_in = entity.rule if isinstance(entity, Procedure) else None
                found += _under(stands_in, _of_entity(ruleset, (collection, name)))
    return found


def _under(section_id: str | None, notes: Iterable[Unstated]) -> Iterator[Unstated]:
    return (replace(one, section_id=section_id) for one in notes)


def unstated_of_scenario(ruleset: Ruleset, name: str) -> list[Unstated]:
    """All in a scenario whose status is not `stated`, in the order in which it is written.

    Formations of the ruleset that it musters follow.
    """
    scenario = ruleset.scenarios[name]
    found = list(_inside(scenario.title, scenario, ("scenarios", name)))
    for key in formations_mustered(ruleset, scenario):
        if key not in scenario.formations:
            formation = ruleset.formations[key]
            found += _entity(formation.title, formation, ("formations", key))
    return found


def _inside(title: str, entity: Entity, address: Address) -> Iterator[Unstated]:
    """An entity of a scenario and all entities in it, each called by its title."""
    yield from _entity(title, entity, address)
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


def _addresses(ruleset: Ruleset, part: Part) -> Iterator[Address]:
    """What a block places, or the unprinted tables whose values a text binds."""
    if isinstance(part, Block):
        kinds = COLLECTIONS_OF[part.kind]
        yield from ((kind, part.target) for kind in kinds if part.target in getattr(ruleset, kind))
        return
    for binding in part.bindings if isinstance(part, Text) else ():
        name = name_in(binding.target)
        for kind in ("tables", "modifiers"):
            table = getattr(ruleset, kind).get(name)
            if binding.kind == "value" and table is not None and not table.booklet:
                yield (kind, name)


def entity_title(ruleset: Ruleset, collection: str, name: str) -> str:
    """What an entity is called, or its id as words."""
    entity = getattr(ruleset.collections, collection)[name]
    return str(getattr(entity, "title", humanise(name)))


def _of_entity(ruleset: Ruleset, address: Address) -> Iterator[Unstated]:
    """An entity, and the rows and cells in it."""
    collection, name = map(str, address)
    entity: Entity | None = getattr(ruleset.collections, collection).get(name)
    if entity is None:
        return
    title = entity_title(ruleset, collection, name)
    yield from _entity(title, entity, address)
    if isinstance(entity, Grid):
        places = zip(entity.positions("rows"), entity.data, strict=True)
        for number, (row, line) in enumerate(places):
            cells = zip(entity.positions("columns"), line, strict=True)
            for index, (column, cell) in enumerate(cells):
                named = ", ".join(choice.title for choice in (*row, *column))
                yield from _cell(f"{title}: {named}", cell, (*address, "data", number, index))
    elif isinstance(entity, RecordTable):
        titles = {key: spec.title or humanise(key) for key, spec in entity.fields.items()}
        for key, record in entity.data.items():
            named = f"{title}: {record.title or humanise(key)}"
            yield from _row(named, record, record.cells, titles, (*address, "data", key))
    elif isinstance(entity, ModifierTable):
        titles = {key: entity.title_of(key) for key in entity.changes}
        for key, modifier in entity.rows.items():
            named = f"{title}: {modifier.when.markdown}"
            yield from _row(named, modifier, modifier.amounts, titles, (*address, "rows", key))


def _row(
    title: str, row: Entity, cells: Mapping[str, Cell], titles: Mapping[str, str], at: Address
) -> Iterator[Unstated]:
    yield from _entity(title, row, at)
    for name, cell in cells.items():
        yield from _cell(f"{title}, {titles[name]}", cell, (*at, name))


def _entity(title: str, entity: Noted, address: Address) -> Iterator[Unstated]:
    if entity.status is not Status.STATED:
        yield Unstated(entity.status, title, entity.note, entity.source, address)


def _cell(title: str, cell: Cell, address: Address) -> Iterator[Unstated]:
    """A cell with a status; one that is missing with all of its table or row has no note."""
    if cell.status is not Status.STATED and cell.note is not None:
        yield Unstated(cell.status, title, cell.note, cell.source, address)
