"""A ruleset -> all in it that the source does not plainly state, in the order of the booklet.

This is the list of the designer's notes and of `rulebook check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from rulebook.model.cells import Cell
from rulebook.model.entities import Noted, Status, written_fields
from rulebook.model.forces import formations_mustered
from rulebook.model.grids import Grid, humanise
from rulebook.model.lookup import name_in
from rulebook.model.procedures import Procedure
from rulebook.model.prose import COLLECTIONS_OF, Block, Part, Remark, Text
from rulebook.model.record_tables import TableOfRows, TableRow
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Prose
from rulebook.translation import gettext


@dataclass(frozen=True, slots=True)
class Unstated:
    """A part of the ruleset whose status is read, house or missing.

    `title` names it for a reader, as "Musketry: 8–16″, First volley, Cover"; like the note it may
    contain bindings. `address` is its address in the data, or ("prose", section id, title) for a
    note in the prose. `section_id` is the heading under which it is written or placed, None outside
    the prose.
    """

    status: Status
    title: str
    note: Prose | None
    source: str | None
    address: Address
    section_id: str | None = None


def unstated(ruleset: Ruleset) -> list[Unstated]:
    """Lists all parts of a ruleset whose status is not `stated`, without formations and scenarios.

    First comes the scale, then section by section what stands there, then the rest. A table that is
    not printed belongs to the first section that binds one of its values.
    """
    found = [*_inside(gettext("Scale"), ruleset.header.scale, ("header", "scale"))]
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
        notes = _inside(title, option, ("options", name))
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
    return (replace(note, section_id=section_id) for note in notes)


def unstated_of_scenario(ruleset: Ruleset, name: str) -> list[Unstated]:
    """Lists all parts of a scenario whose status is not `stated`, in the order of its file.

    Formations of the ruleset that the scenario uses follow.
    """
    scenario = ruleset.scenarios[name]
    found = list(_inside(scenario.title, scenario, ("scenarios", name)))
    for key in formations_mustered(ruleset, scenario):
        if key not in scenario.formations:
            formation = ruleset.formations[key]
            found += _inside(formation.title, formation, ("formations", key))
    return found


def _inside(
    title: str, noted: Noted, address: Address, column_title: Callable[[str], str] = humanise
) -> Iterator[Unstated]:
    """Yields a note for an entity, and for each part of it, whose status is not `stated`.

    `title` and `address` are those of the entity; `column_title` gives the title of the column of a
    row's cell.
    """
    if noted.status is not Status.STATED:
        yield Unstated(noted.status, title, noted.note, noted.source, address)
    if isinstance(noted, Grid):
        places = zip(noted.positions("rows"), noted.data, strict=True)
        for number, (row, line) in enumerate(places):
            cells = zip(noted.positions("columns"), line, strict=True)
            for index, (column, cell) in enumerate(cells):
                named = ", ".join(choice.title for choice in (*row, *column))
                yield from _cell(f"{title}: {named}", cell, (*address, "data", number, index))
    if isinstance(noted, TableRow):
        for name, cell in noted.cells.items():
            yield from _cell(f"{title}, {column_title(name)}", cell, (*address, name))
    for key, name in written_fields(type(noted)).items():
        value, at = getattr(noted, name), (*address, key)
        held = value if isinstance(value, Mapping) else {None: value}
        for id_, part in held.items():
            if isinstance(part, Noted):
                named = f"{title}: {_called(part, id_ or name)}"
                where = at if id_ is None else (*at, id_)
                title_of = noted.title_of if isinstance(noted, TableOfRows) else humanise
                yield from _inside(named, part, where, title_of)


def _called(noted: Noted, name: str) -> str:
    if isinstance(noted, TableRow):
        return str(noted.heading(name))
    return str(getattr(noted, "title", None) or humanise(name))


def _addresses(ruleset: Ruleset, part: Part) -> Iterator[Address]:
    """Yields the addresses of the entities that belong to a part of a section.

    They are what a block places, or unprinted tables whose values a text binds.
    """
    if isinstance(part, Block):
        kinds = COLLECTIONS_OF[part.kind]
        yield from ((kind, part.target) for kind in kinds if part.target in getattr(ruleset, kind))
        return
    for binding in part.bindings if isinstance(part, Text) else ():
        name = name_in(binding.target)
        table = ruleset.all_tables.get(name)
        if binding.kind == "value" and table is not None and not table.booklet:
            yield ruleset.address_of_table(name)


def entity_title(ruleset: Ruleset, collection: str, name: str) -> str:
    """Returns the title of an entity, or one made from its id if there is none."""
    entity = getattr(ruleset.collections, collection)[name]
    return str(getattr(entity, "title", humanise(name)))


def _of_entity(ruleset: Ruleset, address: Address) -> Iterator[Unstated]:
    """Yields a note for the entity at an address, and for each part of it, that is not `stated`.

    Yields nothing if there is no such entity.
    """
    collection, name = map(str, address)
    entity = getattr(ruleset.collections, collection).get(name)
    if entity is not None:
        yield from _inside(entity_title(ruleset, collection, name), entity, address)


def _cell(title: str, cell: Cell, address: Address) -> Iterator[Unstated]:
    """Yields a note for a cell whose status is not `stated`, if it has a note of its own.

    Cells of a missing row have none. `title` and `address` are those of the cell.
    """
    if cell.status is not Status.STATED and cell.note is not None:
        yield Unstated(cell.status, title, cell.note, cell.source, address)
