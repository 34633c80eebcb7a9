"""The path of a change -> where it is, in a reader's words; a table of two editions as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rulebook.documents.marks.change_words import (
    ChangedCell,
    ChangedRow,
    ChangedTable,
    RowKind,
    RulePlace,
    Thing,
)
from rulebook.documents.parts.printed_parts import Printed, Step
from rulebook.documents.parts.views import HeadCell
from rulebook.model.axes import Axis, Choice, humanise
from rulebook.model.examples_and_terms import ExampleStep
from rulebook.model.fields import FieldSpec
from rulebook.model.inputs import Input
from rulebook.model.lookup import name_in
from rulebook.model.modifiers import Change as ChangedAmount
from rulebook.model.modifiers import ModifierRow, ModifierTable
from rulebook.model.procedures import ProcedureStep
from rulebook.model.prose import Remark, Text, placements, rule_numbers
from rulebook.model.ruleset import Credit, Ruleset
from rulebook.model.tables import Grid, RecordTable, Row
from rulebook.model.units import TrackMark
from rulebook.revisions.changes import Change, Ordered, Path, Renamed
from rulebook.revisions.classes import depth_of
from rulebook.translation import gettext, gettext_noop

#: Collections and what one of them is called.
THINGS: Mapping[str, Thing] = {
    "header": "ruleset",
    "cover": "ruleset",
    "chapters": "chapter",
    "sections": "section",
    "options": "option",
    "tables": "table",
    "modifiers": "modifiers",
    "procedures": "procedure",
    "examples": "example",
    "sequence": "phase",
    "units": "unit",
    "cards": "cards",
    "cutouts": "cutout",
    "figures": "figure",
    "terms": "term",
    "agreements": "agreement",
}
#: Keys that only lead to parts, or to the one text of a thing.
_LEADING = {
    *("data", "value", "rows", "columns", "fields", "changes", "inputs", "steps", "tracks"),
    *("cards", "marks", "parts", "say", "meaning", "text", "zones", "rings", "faces"),
    *("credits", "adds", "name", "procedures", "tables", "examples", "cutouts", "rules"),
}
#: Keys under which stands what tells itself: sentences, words, titles of things.
_SENTENCES = (
    *("parts", "say", "forms", "tables", "procedures", "examples", "cutouts", "rules"),
    *("chapters", "annexes", "appendices"),
)
#: Keys that readers would not understand.
_CALLED = {
    "about": gettext_noop("line below the title"),
    "use": gettext_noop("how it is used"),
    "when": gettext_noop("condition"),
    "kind": gettext_noop("kind"),
    "qrs": gettext_noop("on the quick-reference sheet"),
    "booklet": gettext_noop("in the booklet"),
    "made_from": gettext_noop("made from"),
    "from": gettext_noop("from"),
    "to": gettext_noop("to"),
    "rule": gettext_noop("heading of its rule"),
    "gives": gettext_noop("results"),
    "given": gettext_noop("inputs"),
    "one_of": gettext_noop("choices"),
    "any_of": gettext_noop("conditions"),
}
#: Collections -> how prose places what is in them.
_PLACED = {
    "tables": "table",
    "modifiers": "table",
    "cutouts": "cutout",
    "figures": "figure",
    "examples": "example",
    "procedures": "steps",
}


#: What the head of a ruleset is called, which has no title that says so.
TITLE_PAGE = gettext_noop("Title page")
_OF_TITLE_PAGE = ("header", "cover")


def title_of(ruleset: Ruleset, path: Path) -> str:
    """The title of the thing at a path; its id made readable where it has none."""
    if path[0] in _OF_TITLE_PAGE:
        return gettext(TITLE_PAGE)
    return getattr(_thing_at(ruleset, path), "title", None) or humanise(path[-1])


def has(ruleset: Ruleset, path: Path) -> bool:
    """Whether an edition has the thing at a path."""
    return path[0] in _OF_TITLE_PAGE or _thing_at(ruleset, path) is not None


def _thing_at(ruleset: Ruleset, path: Path) -> object:
    """An option, a section or an entity by the keys that lead to it; None where there is none."""
    if path[0] == "options":
        return ruleset.options.get(path[1])
    if path[0] in ("sections", "chapters"):
        sections = (one for chapter in ruleset.chapters for one in chapter.sections)
        return next((one for one in sections if one.id == path[1]), None)
    return getattr(ruleset.collections, path[1], {}).get(path[2])


def where(printed: Printed, path: Path) -> str:
    """The place of a part in its thing; nothing for the thing itself."""
    steps = printed.parts.walk(path)[depth_of(path) :]
    return ", ".join(word for step in steps if (word := _word(printed, step)))


def _word(printed: Printed, step: Step) -> str:
    """What one step adds to a place, if it leads to anything that has a name."""
    value, key = step.value, humanise(step.key)
    title = getattr(value, "title", None)
    place = _place_on(step)
    if place is not None:
        return place
    match value:
        case ModifierRow():
            return printed.prose(value.when)
        case FieldSpec() | ChangedAmount():
            return gettext("column “%(title)s”", title=title or key)
        case ProcedureStep() | ExampleStep():
            return gettext("step %(number)s", number=step.index + 1)
        case TrackMark():
            return gettext("box %(name)s", name=value.at or key)
        case Choice(title=name) | Row(title=name) | Credit(role=name) | Input(label=name):
            return name or key
        case Remark():
            return gettext("note “%(title)s”", title=title or key)
    if isinstance(step.parent, Row | ModifierRow) and step.cell_type is not None:
        return printed.column_title(step.table, step.key)
    title = title or getattr(value, "name", None)
    if isinstance(title, str) and not isinstance(value, str):
        return title
    if step.key in _LEADING or step.under in _SENTENCES:
        return ""
    if step.key == "title" and isinstance(step.parent, Row):
        return gettext("name of the row")
    return gettext(_CALLED[step.key]) if step.key in _CALLED else key.lower()


def _place_on(step: Step) -> str | None:
    """A row or a column of a grid's data, by the places at which it stands; None for other keys."""
    grid = step.table
    if not isinstance(grid, Grid):
        return None
    if step.under == "data":
        return _titles(grid.rows, grid.positions("rows")[step.index])
    if grid.columns and isinstance(step.parent, tuple) and step.parent in grid.data:
        return _titles(grid.columns, grid.positions("columns")[step.index])
    return None


def _titles(axes: Sequence[Axis], place: Sequence[Choice]) -> str:
    """Places as they are printed; a bare number or face with the name of its axis."""
    return ", ".join(
        f"{axis.title} {choice.title}" if axis.die or axis.headed else choice.title
        for axis, choice in zip(axes, place, strict=True)
    )


@dataclass(frozen=True)
class RulePlaces:
    """Where the things of one edition stand in its booklet."""

    ruleset: Ruleset

    @cached_property
    def numbers(self) -> Mapping[str, str]:
        return rule_numbers(self.ruleset.chapters)

    @cached_property
    def order(self) -> Mapping[str, int]:
        """The headings in the order of the booklet."""
        return {heading: index for index, heading in enumerate(self.numbers)}

    @cached_property
    def _placed(self) -> Mapping[tuple[str, str], str]:
        return placements(self.ruleset.chapters)

    @cached_property
    def _bound(self) -> Mapping[str, str]:
        """Things whose values stand in sentences -> the first heading under which they do."""
        found: dict[str, str] = {}
        for chapter in self.ruleset.chapters:
            for section in chapter.sections:
                for part in section.parts:
                    text = part.text if isinstance(part, Remark) else part
                    for binding in text.bindings if isinstance(text, Text) else ():
                        found.setdefault(name_in(binding.target), section.id)
        return found

    @cached_property
    def _of_headings(self) -> Mapping[str, RulePlace]:
        return {
            section.id: RulePlace(self.numbers[section.id], section.id, chapter.title)
            for chapter in self.ruleset.chapters
            for section in chapter.sections
        }

    def of_heading(self, heading: str) -> RulePlace:
        """Under a heading; nowhere if the edition has no such heading."""
        return self._of_headings.get(heading, RulePlace())

    def of(self, collection: str, id_: str) -> RulePlace:
        """Of a section, or of an entity where the booklet has it or its rule."""
        if collection in ("sections", "chapters"):
            return self.of_heading(id_)
        if collection == "options":
            option = self.ruleset.options.get(id_)
            return self.of_heading((option.rule if option else None) or "")
        entity = getattr(self.ruleset.collections, collection, {}).get(id_)
        placed = self._placed.get((_PLACED.get(collection, ""), id_))
        rules = getattr(entity, "rules", ()) or ("",)
        ruled = placed or getattr(entity, "rule", None) or rules[0]
        return self.of_heading(ruled or self._bound.get(id_) or "")

    def position(self, heading: str, before: RulePlaces) -> float:
        """Where a heading is in the order of the booklet; what stands under none comes last.

        One that went stands where it stood in the edition `before`: behind the last one before it
        that is still there.
        """
        if heading in self.order or heading not in before.order:
            return self.order.get(heading, len(self.order))
        stood = list(before.order)[: before.order[heading]]
        return next((self.order[one] + 0.5 for one in reversed(stood) if one in self.order), -1)


#: A table with more rows is told by those that changed.
MOST_ROWS = 12

Labels = tuple[str, ...]
#: What a row says of itself, beside its cells.
_OF_ROW = ("title", "note", "source", "status", "when", "up_to")


@dataclass(frozen=True, slots=True)
class ChangedCells:
    """Cells of a table that are shown as changed, by row and column; "" stands for all of them.

    `itself`: it is another table.
    """

    cells: frozenset[tuple[str, str]]
    itself: bool = False

    @property
    def many(self) -> bool:
        """Whether they are more than one cell, so that a table shows them best."""
        return len(self.cells) > 1 or any("" in cell for cell in self.cells)

    def has(self, row: str, column: str) -> bool:
        return not self.cells.isdisjoint({("", ""), (row, ""), ("", column), (row, column)})


def changed_cells(changes: Iterable[Change], depth: int, *, whole: bool) -> ChangedCells:
    """Those of some changes of a table, whose path is so many keys long."""
    cells: set[tuple[str, str]] = {("", "")} if whole else set()
    for change in changes:
        part, *keys = change.path[depth:] or ("",)
        if isinstance(change, Ordered):
            continue
        if part in ("rows", "columns") and change.path[1] != "modifiers":
            cells |= {("", "")} if len(keys) == 2 else set()
        elif part in ("fields", "changes") and len(keys) == 1:
            cells.add(("", keys[0]))
        elif part in ("data", "rows") and len(keys) < 2:
            if not keys or not isinstance(change, Renamed):
                cells.add((keys[0] if keys else "", ""))
        elif part in ("data", "rows") and len(keys) == 2 and keys[1] not in _OF_ROW:
            cells.add((keys[0], keys[1]))
    return ChangedCells(frozenset(cells), whole)


@dataclass(frozen=True)
class _Laid:
    """A table of one edition: labels of rows and of columns by their keys, and its cells.

    Keys are those of the new edition. `heads` names the axes across that do not tell themselves.
    """

    stubs: Labels
    rows: Mapping[str, Labels]
    columns: Mapping[str, Labels]
    heads: Labels
    cells: Mapping[tuple[str, str], str]


def changed_tables(
    old: Printed, new: Printed, path: Path, told: ChangedCells
) -> tuple[ChangedTable, ...]:
    """A table as it was and is, by its path; nothing for a table that is computed.

    A table that only one edition has is told whole; one that became another kind stands there
    twice, as it was and as it is. Cells that are not among those `told` stand there as they are
    now.
    """
    before, after = (_laid(edition, path) for edition in (old, new))
    if before is None or after is None:
        found = [(before, None)] if before else [(None, after)] if after else []
        return tuple(_merged(was, now, told) for was, now in found)
    if told.itself or _shape(before) != _shape(after):
        return _merged(before, None, told), _merged(None, after, told)
    return (_merged(before, after, told),)


def _shape(table: _Laid) -> tuple[int, int]:
    depths = {len(labels) for labels in table.columns.values()}
    return len(table.stubs), max(depths, default=0)


def _laid(edition: Printed, path: Path) -> _Laid | None:
    step = edition.parts.at(path)
    if step is None:
        return None
    if isinstance(step.value, Grid):
        return _of_grid(edition, step, step.value, path)
    if isinstance(step.value, RecordTable | ModifierTable):
        return _of_records(edition, step, path)
    return None


def _of_grid(edition: Printed, step: Step, grid: Grid, path: Path) -> _Laid:
    now = _new_keys(edition, path)
    down, across = (grid.positions(side) for side in ("rows", "columns"))
    rows: dict[str, Labels] = {}
    columns: dict[str, Labels] = {}
    cells: dict[tuple[str, str], str] = {}
    (data,) = (one for one in step.inside() if one.key == "data")
    for row, place in zip(data.inside(), down, strict=True):
        key = now((*path, "data"), row.key)
        rows[key] = tuple(choice.title for choice in place)
        inner = row.inside() if grid.columns else [row]
        for cell, places in zip(inner, across, strict=True):
            name = now((*path, "data", key), cell.key) if grid.columns else ""
            columns[name] = tuple(choice.title for choice in places)
            cells[key, name] = edition.told(cell)
    heads = tuple(_head_of(axis) for axis in grid.columns)
    return _Laid(tuple(axis.title for axis in grid.rows), rows, columns, heads, cells)


def _head_of(axis: Axis) -> str:
    if axis.die:
        return f"{axis.title} of {axis.die}"
    return axis.title if axis.headed else ""


def _of_records(edition: Printed, step: Step, path: Path) -> _Laid:
    now = _new_keys(edition, path)
    parts = {one.key: one for one in step.inside()}
    fields, data = ("fields", "data") if "data" in parts else ("changes", "rows")
    named = parts[fields].inside() if fields in parts else ()  # a list of outcomes has none
    names = {one.key: now((*path, fields), one.key) for one in named}
    columns = {now_: (edition.column_title(step.value, was),) for was, now_ in names.items()}
    rows: dict[str, Labels] = {}
    cells: dict[tuple[str, str], str] = {}
    for row in parts[data].inside():
        key = now((*path, data), row.key)
        rows[key] = (edition.row_label(row),)
        for name, text in edition.cells_of(row).items():
            cells[key, names[name]] = text
    return _Laid(("",), rows, columns, ("",), cells)


def _new_keys(edition: Printed, path: Path) -> Callable[[Path, str], str]:
    """A key of this edition under a path -> the key that the new edition has for it."""
    names: dict[tuple[Path, str], str] = {}
    for at, was in edition.parts.names.items():
        if at[: len(path)] == path:
            names[at[:-1], was] = at[-1]
    return lambda parent, key: names.get((parent, key), key)


def _merged(before: _Laid | None, after: _Laid | None, told: ChangedCells) -> ChangedTable:
    """One table of both editions; one that an edition has not is None there."""
    nothing = _Laid((), {}, {}, (), {})
    old, new, one = before or nothing, after or nothing, after or before or nothing
    rows, columns = _together(old.rows, new.rows), _together(old.columns, new.columns)
    # What went is to be seen where it is told that it went.
    seen = [key for key in columns if after is None or key in new.columns or told.has("", key)]
    body: list[tuple[Labels, ChangedRow]] = []
    for row, labels in rows.items():
        gone, is_told = row not in new.rows, told.has(row, "")
        if after is not None and gone and not is_told:
            continue
        added = row not in old.rows and (before is None or is_told)
        cells = []
        for column in seen:
            was, now = old.cells.get((row, column)), new.cells.get((row, column))
            changed = not (before and after) or told.has(row, column)
            same = was == now or not changed
            cells.append(ChangedCell(now, now) if same else ChangedCell(was, now, changed=True))
        kind: RowKind = "removed" if gone else "added" if added else "kept"
        body.append((labels, ChangedRow((), tuple(cells), kind)))
    if before and after and len(body) > MOST_ROWS:
        body = [(labels, row) for labels, row in body if _differs(row)]
    spanned = _spanned([labels for labels, _ in body])
    return ChangedTable(
        head=_heads([columns[key] for key in seen], one.heads),
        stub_heads=one.stubs,
        rows=tuple(
            replace(row, labels=found) for found, (_, row) in zip(spanned, body, strict=True)
        ),
    )


def _together(old: Mapping[str, Labels], new: Mapping[str, Labels]) -> dict[str, Labels]:
    """Rows or columns of both, those that went behind the one that they stood behind."""
    order = list(new)
    last: str | None = None
    for key in old:
        if key not in new:
            order.insert(order.index(last) + 1 if last is not None else 0, key)
        last = key
    return {key: new[key] if key in new else old[key] for key in order}


def _differs(row: ChangedRow) -> bool:
    return row.kind != "kept" or any(cell.changed for cell in row.cells)


def _heads(columns: Sequence[Labels], names: Labels) -> tuple[tuple[HeadCell, ...], ...]:
    """A head row for each axis across, an outer label over its inner ones, and names of axes."""
    heads: list[tuple[HeadCell, ...]] = []
    for depth, name in enumerate(names):
        if name:
            heads.append((HeadCell(name, across=len(columns)),))
        heads.append(
            tuple(HeadCell(label, across=many) for _, label, many in _runs(columns, depth))
        )
    return tuple(heads)


def _spanned(rows: Sequence[Labels]) -> list[tuple[HeadCell, ...]]:
    """The labels that begin in each row: an outer label stands once over all its inner ones."""
    found: list[list[HeadCell]] = [[] for _ in rows]
    for depth in range(max(map(len, rows), default=0)):
        for first, label, many in _runs(rows, depth):
            found[first].append(HeadCell(label, down=many))
    return [tuple(labels) for labels in found]


def _runs(lines: Sequence[Labels], depth: int) -> list[tuple[int, str, int]]:
    """Labels at a depth: the first line of each, and over how many it stands, the innermost one."""
    found: list[tuple[int, str, int]] = []
    for index, labels in enumerate(lines):
        same = index and lines[index - 1][: depth + 1] == labels[: depth + 1]
        if same and depth + 1 < len(labels):
            first, label, many = found[-1]
            found[-1] = first, label, many + 1
        else:
            found.append((index, labels[depth], 1))
    return found
