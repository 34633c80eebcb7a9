"""Kinds of ground on a map -> what the ruleset calls them and says of them, for a legend.

A row tells its fields, a place on an axis what stands in the table at it: so the legend says what
the tables say, and nothing is written twice.
"""

from __future__ import annotations

from rulebook import quantities
from rulebook.maps.legend import GroundWords
from rulebook.model.axes import humanise
from rulebook.model.cells import Cell, CellType
from rulebook.model.maps import GroundName
from rulebook.model.modifiers import ModifierTable
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import Prose
from rulebook.model.scenarios import Scenario
from rulebook.model.tables import Grid, RecordTable

#: A legend is no table: of more cells only so many are told.
MOST_TOLD = 6


def grounds_of(ruleset: Ruleset, scenario: Scenario) -> dict[str, GroundWords]:
    """Every kind of ground on the map, as it is written there: `terrain.woods`."""
    named = {one.ground for one in scenario.map.features.values() if one.ground is not None}
    return {str(ground): ground_words(ruleset, ground) for ground in sorted(named, key=str)}


def ground_tables(ruleset: Ruleset, scenario: Scenario) -> dict[str, Prose | None]:
    """The titles of the tables that tell of the ground on the map, and what they say they hold."""
    grounds = (one.ground for one in scenario.map.features.values() if one.ground is not None)
    names = dict.fromkeys(ground.table for ground in grounds)
    tables = [ruleset.tables.get(name) or ruleset.modifiers[name] for name in names]
    return {table.title: table.about for table in tables}


def ground_words(ruleset: Ruleset, ground: GroundName) -> GroundWords:
    """What a kind of ground is called, and what its table says of it.

    Raises KeyError for what the check has told to be no kind of ground.
    """
    table = ruleset.tables.get(ground.table) or ruleset.modifiers[ground.table]
    if isinstance(table, RecordTable):
        row = table.data[ground.place]
        said = [
            (spec.title or humanise(key), _told(ruleset, row.cells[key], spec.type))
            for key, spec in table.fields.items()
        ]
        return GroundWords(row.title or humanise(ground.place), _listed(said))
    if isinstance(table, ModifierTable):
        condition = table.rows[ground.place]
        said = [(table.title_of(key), str(cell)) for key, cell in condition.amounts.items()]
        return GroundWords(condition.when.markdown, _listed(said))
    if isinstance(table, Grid):
        return _of_grid(ruleset, table, ground)
    raise KeyError(str(ground))


def _of_grid(ruleset: Ruleset, grid: Grid, ground: GroundName) -> GroundWords:
    """The cells at one place of an axis, each with the other places that lead to it."""
    title = next(
        choice.title for axis in grid.axes for choice in axis.choices if choice.key == ground.place
    )
    said = []
    for row, cells in zip(grid.positions("rows"), grid.data, strict=True):
        for column, cell in zip(grid.positions("columns"), cells, strict=True):
            at = (*row, *column)
            if ground.place in [choice.key for choice in at]:
                others = [choice.title for choice in at if choice.key != ground.place]
                said.append((", ".join(others), _told(ruleset, cell, grid.cells).lower()))
    return GroundWords(title, _listed(said))


def _listed(said: list[tuple[str, str]]) -> str:
    """`Infantry and cavalry: half; artillery: none`: like values told once, flags by their name."""
    labels: dict[str, list[str]] = {}
    for label, words in said:
        if words and words != quantities.EN_DASH:
            labels.setdefault("" if words == _FLAG else words, []).append(label)
    parts = [
        ": ".join(filter(None, (_ALL if _is_all(said, words) else _joined(names), words)))
        for words, names in labels.items()
    ]
    return "; ".join(parts[:MOST_TOLD])


def _is_all(said: list[tuple[str, str]], words: str) -> bool:
    return len(said) > 1 and all(one == words for _, one in said)


def _joined(names: list[str]) -> str:
    """Names with commas in them are told apart by more than a comma."""
    if any(", " in name for name in names):
        return " / ".join(names)
    return quantities.join_words(names, "and")


#: What stands for a flag that is set, and for all that a table tells apart.
_FLAG = quantities.format_value(True)
_ALL = "All"


def _told(ruleset: Ruleset, cell: Cell, cell_type: CellType) -> str:
    """What stands in a cell, or the title of the row that it names; nothing for an empty one."""
    if cell.status is Status.MISSING or cell.value is None:
        return ""
    table = ruleset.tables.get(cell_type.table or "")
    if isinstance(table, RecordTable):
        key = str(cell.value)
        return table.data[key].title or humanise(key)
    return str(cell)
