"""Units and decks of a typed ruleset -> faults for rows and fields in them that are not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulebook.model.cells import CellType, Sought
from rulebook.model.decks import ALL_UNITS, Deck
from rulebook.model.lookup import KINDS, find_entity
from rulebook.model.modifiers import AMOUNT, ModifierTable
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.tables import Grid, RecordTable
from rulebook.model.units import RowName, Unit
from rulebook.problems import Problem, Span


def check_units(ruleset: Ruleset) -> Iterator[Problem]:
    """Rows of units that are no rows, and fields that two rows of one unit have."""
    for at, unit in units_and_own(ruleset):
        first: dict[str, RowName] = {}
        for index, row in enumerate(unit.rows):
            span = ruleset.place(*at, "rows", index)
            table = ruleset.tables.get(row.table)
            if not isinstance(table, RecordTable):
                yield _no_table(ruleset, row, span)
            elif row.row not in table.data:
                yield _no_row(ruleset, row, table, span)
            else:
                twice = [field for field in table.fields if field in first]
                if twice:
                    yield _field_twice(twice[0], row, first[twice[0]], span)
                first |= dict.fromkeys(table.fields, row)


def units_and_own(ruleset: Ruleset) -> Iterator[tuple[Address, Unit]]:
    """All units with where they stand: those of the ruleset, then those of single scenarios."""
    yield from ((("units", name), unit) for name, unit in ruleset.units.items())
    for scenario_id, scenario in ruleset.scenarios.items():
        for name, unit in scenario.units.items():
            yield ("scenarios", scenario_id, "units", name), unit


def _no_table(ruleset: Ruleset, row: RowName, span: Span | None) -> Problem:
    name = row.table
    known = find_entity(ruleset, name)
    records = [key for key, table in ruleset.tables.items() if isinstance(table, RecordTable)]
    if known is None:
        rows = Sought(str(row), [f"{key}.{row.row}" for key in records])
        return Problem.of("R301 table of a unit", span, name=name, row=rows)
    place = ruleset.place(known[0], name)
    kind = f"{KINDS[known[0]]}{' without rows to name' * isinstance(known[1], Grid)}"
    return Problem.of("R305 table of a unit", span, also=place, name=name, kind=kind)


def _no_row(ruleset: Ruleset, row: RowName, table: RecordTable, span: Span | None) -> Problem:
    place, sought = ruleset.place("tables", row.table), Sought(row.row, list(table.data))
    return Problem.of("R302 row of a unit", span, also=place, table=row.table, row=sought)


def _field_twice(field: str, row: RowName, first: RowName, span: Span | None) -> Problem:
    return Problem.of("R206 field of a unit twice", span, field=field, first=first, row=row)


def check_decks(ruleset: Ruleset) -> Iterator[Problem]:
    """Decks made from a table without rows, and fields to show that there are not."""
    for name, deck in ruleset.decks.items():
        if deck.made_from is None:
            continue
        at: Address = ("cards", name)
        if deck.made_from == ALL_UNITS and not ruleset.units:
            yield Problem.of("R437 no units", ruleset.place(*at, "from"))
            continue
        table = ruleset.tables.get(deck.made_from)
        if table is not None and not isinstance(table, RecordTable):
            yield _not_of_rows(ruleset, deck.made_from, ruleset.place(*at, "from"))
            continue
        fields = deck_fields(ruleset, deck)
        if fields is not None:
            yield from _fields(ruleset, deck, at, fields)


def deck_fields(ruleset: Ruleset, deck: Deck) -> Mapping[str, CellType] | None:
    """What a deck may show of each card -> its type; None where its origin is not there."""
    if deck.made_from == ALL_UNITS:
        return fields_of_units(ruleset)
    table = ruleset.tables.get(deck.made_from or "")
    if isinstance(table, RecordTable):
        return {name: spec.type for name, spec in table.fields.items()}
    modifiers = ruleset.modifiers.get(deck.made_from or "")
    if isinstance(modifiers, ModifierTable):
        return dict.fromkeys(modifiers.changes, AMOUNT)
    return None


def fields_of_units(ruleset: Ruleset) -> dict[str, CellType]:
    """What the rows of all units tell, and its type."""
    fields: dict[str, CellType] = {}
    for unit in ruleset.units.values():
        for row in unit.rows:
            table = ruleset.tables.get(row.table)
            if isinstance(table, RecordTable):
                fields |= {name: spec.type for name, spec in table.fields.items()}
    return fields


def _fields(
    ruleset: Ruleset, deck: Deck, at: Address, fields: Mapping[str, CellType]
) -> Iterator[Problem]:
    for key in ("show", "boxes"):
        for index, field in enumerate(getattr(deck, key) or ()):
            span = ruleset.place(*at, key, index)
            if field not in fields:
                sought = Sought(field, list(fields))
                yield Problem.of("R302 field of a deck", span, field=sought)
            elif key == "boxes" and fields[field].name != "count":
                yield Problem.of("R305 no counts for boxes", span, field=field, type=fields[field])


def _not_of_rows(ruleset: Ruleset, name: str, span: Span | None) -> Problem:
    place = ruleset.place("tables", name)
    return Problem.of("R305 no rows for cards", span, also=place, name=name)
