"""A path of a change -> the part of an edition that it leads to, in its data and in its ruleset.

Paths lead through plain data, which has no types. Here they lead through the ruleset that was read
of it at the same time, so that what stands there is known as a length, a cell, a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel

from rulebook.model.axes import Axis
from rulebook.model.cells import Cell, CellType
from rulebook.model.modifiers import AMOUNT, ModifierRow, ModifierTable
from rulebook.model.prose import Section
from rulebook.model.ruleset import Ruleset
from rulebook.model.tables import Grid, RecordTable, Row
from rulebook.revisions.changes import Path
from rulebook.revisions.keyed import Branch, Tree

Table = Grid | RecordTable | ModifierTable


@dataclass(frozen=True, slots=True)
class Step:
    """A key of a path with what it leads to, and with its place among the keys beside it.

    `under` is the key before it, `value` is None where the ruleset has nothing of its own there;
    `table` is the table in which the step is taken, if it is in one.
    """

    key: str
    under: str
    index: int
    value: object
    tree: Tree
    parent: object
    table: Table | None

    @property
    def cell_type(self) -> CellType | None:
        """The type of the cell that the step leads to."""
        if isinstance(self.table, Grid):
            return self.table.cells
        if isinstance(self.table, RecordTable) and self.key in self.table.fields:
            return self.table.fields[self.key].type
        return AMOUNT if isinstance(self.table, ModifierTable) else None

    def inside(self) -> list[Step]:
        """All steps that can be taken from here."""
        if not isinstance(self.tree, Branch):
            return []
        return [_step(self, key, index) for index, key in enumerate(self.tree.parts)]


@dataclass(frozen=True)
class EditionParts:
    """One of two editions that are compared.

    `names` has the keys of this edition for parts that the paths of changes call otherwise.
    """

    ruleset: Ruleset
    tree: Tree
    names: Mapping[Path, str] = field(default_factory=dict)

    def walk(self, path: Path) -> list[Step]:
        """Every step of a path, as far as it leads in this edition."""
        at = Step("", "", 0, self.ruleset, self.tree, None, None)
        steps: list[Step] = []
        for depth, named in enumerate(path):
            key = self.names.get(path[: depth + 1], named)
            if not isinstance(at.tree, Branch) or key not in at.tree.parts:
                break
            at = _step(at, key, list(at.tree.parts).index(key))
            steps.append(at)
        return steps

    def at(self, path: Path) -> Step | None:
        """Where a whole path leads, or None if this edition has nothing there."""
        steps = self.walk(path)
        return steps[-1] if path and len(steps) == len(path) else None


def _step(at: Step, key: str, index: int) -> Step:
    assert isinstance(at.tree, Branch)
    table = at.value if isinstance(at.value, Table) else at.table
    value = _inside(at.value, key, index, at.parent)
    return Step(key, at.key, index, value, at.tree.parts[key], at.value, table)


def _inside(value: object, key: str, index: int, parent: object) -> object:
    """What of the model a key leads to; None where the model keeps it in another form."""
    if isinstance(value, Ruleset):
        return _of_ruleset(value, key)
    if isinstance(value, Grid) and key == "data":
        return value.data if value.columns else tuple(row[0] for row in value.data)
    if isinstance(value, Row | ModifierRow):
        cells = value.cells if isinstance(value, Row) else value.amounts
        return cells.get(key) or getattr(value, key, None)
    if isinstance(value, Cell | Section):
        return getattr(value, key, None)
    if isinstance(value, Axis):
        # The faces of a die stand in a list of their own.
        return value.choices if value.die else value.choices[index]
    if isinstance(value, BaseModel):
        return _field(value, key)
    if isinstance(value, Mapping):
        return value.get(key)
    if isinstance(value, tuple | list):
        return value[index] if index < len(value) else None
    return None


def _of_ruleset(ruleset: Ruleset, key: str) -> object:
    if key == "sections":
        return {one.id: one for chapter in ruleset.chapters for one in chapter.sections}
    if key == "chapters":
        return {chapter.id: chapter for chapter in ruleset.chapters}
    return getattr(ruleset, key, None)


def _field(value: BaseModel, key: str) -> object:
    for name, info in type(value).model_fields.items():
        if (info.alias or name) == key:
            return getattr(value, name)
    return None
