"""The path of a change -> the part of an edition that it leads to, and what is printed of it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pydantic import BaseModel

from rulebook import quantities
from rulebook.core.compute import compute
from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.documents.parts.examples import ExampleComposer
from rulebook.documents.parts.tables import cell_in_words
from rulebook.loading.bindings import bindings_of
from rulebook.model.cells import Cell, CellType
from rulebook.model.entities import Status, written_fields
from rulebook.model.grids import Axis, Choice, Grid, humanise
from rulebook.model.lengths import Lengths
from rulebook.model.lookup import LookupFault, computed_in, find, printed
from rulebook.model.plain_data import canonical
from rulebook.model.prose import (
    BLOCK_KIND_OF,
    COLLECTIONS_OF,
    Binding,
    Chart,
    Code,
    Part,
    Remark,
    Section,
    Text,
)
from rulebook.model.record_tables import TableOfRows, TableRow
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import Prose
from rulebook.problems import Span
from rulebook.revisions.changes import LISTED, Branch, Path, Tree, unkeyed
from rulebook.translation import gettext, gettext_noop

Table = Grid | TableOfRows


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of a path: a key with what it leads to, and its index among its siblings.

    `under` is the key before it; `value` is None if the model has no part of its own for the key;
    `table` is the table that contains the step, if any.
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
        """The type of the cell to which the step leads; None if it leads to no cell."""
        if isinstance(self.table, Grid):
            return self.table.cells
        known = self.table.fields if isinstance(self.table, TableOfRows) else {}
        return known[self.key].type if self.key in known else None

    def inside(self) -> list[PathStep]:
        """Returns the steps to all parts of the part to which this one leads."""
        if not isinstance(self.tree, Branch):
            return []
        return [_step(self, key, index) for index, key in enumerate(self.tree.parts)]


def _step(at: PathStep, key: str, index: int) -> PathStep:
    assert isinstance(at.tree, Branch)
    table = at.value if isinstance(at.value, Table) else at.table
    value = _inside(at.value, key, index, at.parent)
    return PathStep(key, at.key, index, value, at.tree.parts[key], at.value, table)


def _inside(value: object, key: str, index: int, parent: object) -> object:
    """Returns the part of a value of the model that a key leads to, or None if it has no such part.

    `index` is the position of the key among its siblings.
    """
    if isinstance(value, Ruleset):
        return _of_ruleset(value, key)
    if isinstance(value, Grid) and key == "data":
        return value.data if value.columns else tuple(row[0] for row in value.data)
    if isinstance(value, TableRow):
        return value.cells.get(key) or getattr(value, key, None)
    if isinstance(value, Cell | Section):
        return getattr(value, key, None)
    if isinstance(value, Axis):
        # The faces of a die stand in a list of their own.
        return value.choices if value.die else value.choices[index]
    if isinstance(value, BaseModel):
        return getattr(value, written_fields(type(value)).get(key, ""), None)
    if isinstance(value, Mapping):
        return value.get(key)
    if isinstance(value, tuple | list):
        return value[index] if index < len(value) else None
    return None


def _of_ruleset(ruleset: Ruleset, key: str) -> object:
    if key == "sections":
        return {section.id: section for section in ruleset.sections}
    if key == "chapters":
        return {chapter.id: chapter for chapter in ruleset.chapters}
    return getattr(ruleset, key, None)


#: What is shown of a cell that is left to the players; in a table it is an empty line.
LEFT_OPEN = gettext_noop("left open")
_FLAGS = {"true": gettext_noop("yes"), "false": gettext_noop("no")}
#: Lists of the ids of things that are named by kind and title.
_LISTS_OF_IDS = ("tables", "procedures", "examples", "cutouts")
#: What stands for a thing of a kind.
_BLOCKS = {
    "table": gettext_noop("Table: %(title)s"),
    "steps": gettext_noop("Steps: %(title)s"),
    "example": gettext_noop("Example: %(title)s"),
    "cutout": gettext_noop("Cutout: %(title)s"),
    "figure": gettext_noop("Figure: %(title)s"),
}
#: Lists of chapters, which are named by their headings.
_HEADINGS = ("chapters", "annexes", "appendices")
#: Paragraphs of a longer text that stand for something.
_BLOCK_LINE = re.compile(r"^\{(table|cutout|figure|example|steps): ([a-z0-9_]+)\}$", re.MULTILINE)
#: What an item of a list begins with.
_ITEM = re.compile(r"^[ \t]*[-*+][ \t]+(?=\S)", re.MULTILINE)
_BULLET = "\N{BULLET} "
_VALUES = (
    quantities.Length,
    quantities.Angle,
    quantities.RollTarget,
    quantities.Faces,
    quantities.Modifier,
    quantities.LengthModifier,
    quantities.Never,
    quantities.Band,
    quantities.Dice,
    int,
    str,
)


def block_in_words(ruleset: Ruleset, kind: str, target: str) -> str:
    """Returns the text that stands for a block of a chapter, such as "Table: Ranges".

    `kind` is the kind of the block, and `target` the id of the table or other thing that it places.
    """
    collections = (getattr(ruleset.collections, name) for name in COLLECTIONS_OF[kind])
    found = next((part[target] for part in collections if target in part), None)
    return gettext(_BLOCKS[kind], title=getattr(found, "title", None) or humanise(target))


@dataclass(frozen=True)
class PrintedEdition:
    """One of two editions that are compared, and what it prints.

    `references` are the numbers and titles of headings. `names` has the keys of this edition for
    parts that have other keys in the paths of changes.
    """

    ruleset: Ruleset
    tree: Tree
    references: Mapping[str, str]
    names: Mapping[Path, str] = field(default_factory=dict)

    def walk(self, path: Path) -> list[PathStep]:
        """Returns the steps of a path, up to the first one that this edition lacks."""
        at = PathStep("", "", 0, self.ruleset, self.tree, None, None)
        steps: list[PathStep] = []
        for depth, named in enumerate(path):
            key = self.names.get(path[: depth + 1], named)
            if not isinstance(at.tree, Branch) or key not in at.tree.parts:
                break
            at = _step(at, key, list(at.tree.parts).index(key))
            steps.append(at)
        return steps

    def at(self, path: Path) -> PathStep | None:
        """Returns the last step of a path, or None if this edition lacks the part.

        It is also None for an empty path.
        """
        steps = self.walk(path)
        return steps[-1] if path and len(steps) == len(path) else None

    def text(self, path: Path) -> str:
        """Returns what is printed of the part at a path; empty if there is no such part."""
        step = self.at(path)
        if path[0] == "cover" and step is not None:
            return _picture(step.tree)
        return "" if step is None else self.printed(step, self.played(path))

    def played(self, path: Path) -> Mapping[str, str]:
        """Returns the values of runs to which the text of the example at a path can refer.

        Returns none if the path does not lead into an example, or if the example cannot be played.
        """
        if path[:2] != ("collections", "examples"):
            return {}
        try:
            return ExampleComposer(Binder(self.ruleset)).known(path[2])
        except (KeyError, ValueError):
            return {}  # it has not been checked, or is not there

    def printed(self, step: PathStep, played: Mapping[str, str] | None = None) -> str:
        """Returns what is printed of the part to which a step leads, as plain text.

        If the part has several values, they are on one line, each with its name. `played` maps
        names to which the text of an example can refer to their values.
        """
        value = step.value
        if isinstance(value, Cell):
            return self.cell(value, step.cell_type)
        if isinstance(value, Part):
            return self.paragraph(value)
        if isinstance(value, Section | Choice):
            return value.title
        if isinstance(value, Lengths):
            return value.in_words
        if isinstance(value, Prose):
            return self.prose(value, played)
        if isinstance(value, datetime.date):
            return quantities.format_date(value)
        if isinstance(step.tree, Branch):
            return self._several(step, played)
        if isinstance(value, bool) or (value is None and step.tree in _FLAGS):
            flag = _FLAGS.get(str(step.tree))
            return gettext(flag) if flag else ""
        if isinstance(value, str) and step.under in _LISTS_OF_IDS:
            return block_in_words(self.ruleset, BLOCK_KIND_OF[step.under], value)
        if step.under in _HEADINGS:
            return self.references.get(step.key, step.key)
        if isinstance(value, str) and step.key == "rule":
            return self.references.get(value, value)
        if isinstance(value, _VALUES):
            return quantities.format_value(value)
        return "" if step.tree is None else step.tree

    def prose(self, prose: Prose | None, played: Mapping[str, str] | None = None) -> str:
        """Returns a text as plain text, with values in place of bindings; empty for None.

        `played` has the values of further names. Lines that place a table or the like are replaced
        by its kind and title.
        """
        if prose is None:
            return ""
        markdown = _BLOCK_LINE.sub(
            lambda block: block_in_words(self.ruleset, block[1], block[2]), prose.markdown
        )
        bindings, _ = bindings_of(markdown, Span(""))
        return self._bound(markdown, bindings, played or {})

    def paragraph(self, part: Part) -> str:
        """Returns the plain text of a part of a section.

        For a chart or a block, such as a table that is placed there, it is its kind and title.
        """
        if isinstance(part, Text):
            return self._bound(part.markdown, part.bindings, {})
        if isinstance(part, Remark):
            return self.paragraph(part.text)
        if isinstance(part, Code):
            return part.text
        if isinstance(part, Chart):
            title = self.ruleset.procedures[part.procedure.text].title
            return gettext("Chart: %(title)s", title=title)
        return block_in_words(self.ruleset, part.kind, part.target)

    def _bound(
        self, markdown: str, bindings: tuple[Binding, ...], played: Mapping[str, str]
    ) -> str:
        known = {**self.references, **played}
        for binding in bindings:
            if binding.target not in known:
                known[binding.target] = self._value(binding)
        text = Binder(self.ruleset).text(markdown, bindings, known)
        return plain_text(_ITEM.sub(_BULLET, text)).strip()

    def _value(self, binding: Binding) -> str:
        """Returns the value that a binding names, computed if need be; "…" if there is none."""
        computed = computed_in(self.ruleset, binding)
        try:
            return printed(find(self._computed if computed else self.ruleset, binding.target))
        except LookupFault:
            return "…"

    @cached_property
    def _computed(self) -> Ruleset:
        """The ruleset of the edition with computed tables, which is computed only if needed."""
        return compute(self.ruleset).ruleset

    def cell(self, cell: Cell, kind: CellType | None) -> str:
        """Returns the text of a cell as its table prints it.

        For a missing value that players fill in, it is "left open".
        """
        if cell.status is Status.MISSING:
            return gettext(LEFT_OPEN)
        return cell_in_words(self.ruleset, cell, kind) if kind else str(cell)

    def column_title(self, table: object, name: str) -> str:
        """Returns the title of a column of a table, or its id made readable if it has none."""
        if isinstance(table, TableOfRows) and name in table.fields:
            return table.title_of(name)
        return humanise(name)

    def column(self, path: Path) -> str:
        """Returns the cells of the column at a path as one text, each after the label of its row.

        Cells that are empty or a dash are left out.
        """
        step, name = self.at(path[:3]), self.names.get(path, path[-1])
        table = step.value if step else None
        rows = table.data.items() if isinstance(table, TableOfRows) else ()
        cells = ((key, row, self.cells_of(row, table).get(name, "")) for key, row in rows)
        return ", ".join(
            f"{self.row_label(key, row)} {text}"
            for key, row, text in cells
            if text not in ("", quantities.EN_DASH)
        )

    def cells_of(self, row: TableRow, table: object) -> dict[str, str]:
        """Returns the text of each cell of a row by its column, with computed cells.

        Returns none if `table` has no named columns, as a grid.
        """
        types = table.types if isinstance(table, TableOfRows) else {}
        return {
            name: self.cell(row.cells[name], types[name]) for name in types if name in row.cells
        }

    def row_label(self, key: str, row: TableRow) -> str:
        """Returns the label of a row as plain text; `key` is its id."""
        heading = row.heading(key)
        return self.prose(heading) if isinstance(heading, Prose) else heading

    def _several(self, step: PathStep, played: Mapping[str, str] | None) -> str:
        if isinstance(step.value, TableRow):
            named = (
                (self.column_title(step.table, name), text)
                for name, text in self.cells_of(step.value, step.table).items()
            )
        else:
            named = ((_name_of(inner.key), self.printed(inner, played)) for inner in step.inside())
        parts = ((name, text) for name, text in named if text not in ("", quantities.EN_DASH))
        listed = isinstance(step.tree, Branch) and step.tree.kind == LISTED
        return ", ".join(text if listed else f"{name} {text}" for name, text in parts)


def _picture(data: Tree) -> str:
    """Describes a picture by its size in kB, estimated from its text in a snapshot."""
    text = canonical(unkeyed(data))
    return gettext("a picture of %(size)s kB", size=len(text) * 3 // 4000 + 1)


def _name_of(key: str) -> str:
    return humanise(key).lower()
