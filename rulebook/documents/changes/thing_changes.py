"""The changes of one thing -> its differences as a reader sees them: few, and in words.

Nothing is reported twice. The cells of a new column stand in its table, a place of an axis is not
repeated as a row of the data, and a sentence that was reworded is one difference although its key,
which is the sentence, is another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rulebook import quantities
from rulebook.documents.marks.change_places import where
from rulebook.documents.marks.change_words import ChangeKind, PartChange, Run, word_runs
from rulebook.documents.parts.printed_parts import Printed, Step
from rulebook.model.cells import Cell
from rulebook.model.fields import FieldSpec
from rulebook.model.inputs import Input
from rulebook.model.lengths import Lengths
from rulebook.model.modifiers import Change as ChangedAmount
from rulebook.model.modifiers import ModifierRow
from rulebook.model.prose import Remark, Text
from rulebook.model.scalars import Prose
from rulebook.model.tables import Row
from rulebook.revisions.changes import Added, Change, Changed, Ordered, Path, Removed, Renamed
from rulebook.revisions.keyed import FIELDS, NAMED, Branch, part_at
from rulebook.translation import gettext, gettext_noop

#: What a cell says beside its value.
_OF_CELL = ("note", "source", "status")
#: Parts of a table that its rows and columns are told by.
_AXES = ({("rows",), ("columns",)}, {("fields",), ("changes",)})
#: Parts of many values that are told in one line.
_IN_ONE = (Row, ModifierRow, Cell, Lengths)
#: What is told of an input that only one edition asks for.
_INPUT = gettext_noop("an input")
#: Of a long text, what is quoted where only its place is told.
_QUOTED = 60
#: What a thing of each collection says; all else of it is told as a table, or is for the program.
_SAYINGS: Mapping[str, frozenset[str]] = {
    "header": frozenset(("scale", "ground", "figures", "time", "name")),
    "sections": frozenset(("parts",)),
    "tables": frozenset(("about",)),
    "modifiers": frozenset(("about",)),
    "procedures": frozenset(("steps", "say", "do", "repeat")),
    "examples": frozenset(("situation", "steps", "say", "outcome")),
    "sequence": frozenset(("steps", "say", "procedures", "tables", "examples", "cutouts")),
    "units": frozenset(("text", "tracks", "boxes", "times", "marks", "label", "about", "base")),
    "cards": frozenset(("cards", "title", "text", "tracks", "boxes", "about", "back", "blanks")),
    "terms": frozenset(("meaning",)),
    "options": frozenset(),
    "chapters": frozenset(),
}
#: What a cutout does not say: the rest are its measures.
_OF_PROGRAM = {
    *("title", "source", "status", "note", "rule", "shape", "copies", "cross", "ticks"),
    *("fold", "origin", "away", "towards", "name", "figures"),
}
#: Values that are told in one line, each with its name.
_TOGETHER = ("zones", "rings", "faces", "size", "stand", "holes", "centre", "base", "ring")


@dataclass(frozen=True)
class PrintedEditions:
    """Both editions, as they print: with the numbers of rules that the new one has, so that one
    that shifted is no change. `gone` is the old one with its own, for what is not in the new one.
    """

    old: Printed
    new: Printed
    gone: Printed

    def where(self, path: Path) -> str:
        """The place of a part, as the new edition calls it if it has it."""
        return where(self.new if self.new.parts.at(path) else self.old, path)

    def texts(self, path: Path) -> tuple[str, str]:
        """What is printed of a part, before and after."""
        return self.old.text(path), self.new.text(path)

    def is_worded(self, path: Path) -> bool:
        """Whether a part is a sentence, or a name of more than a word, in either edition."""
        return any(_is_worded(side.parts.at(path)) for side in (self.old, self.new))

    def renamed(self, path: Path) -> Mapping[str, str]:
        """Old key -> new key, of the parts under a path."""
        names = self.old.parts.names.items()
        return {was: now[-1] for now, was in names if now[:-1] == path}


def part_changes(editions: PrintedEditions, changes: Sequence[Change]) -> tuple[PartChange, ...]:
    """The parts of a thing that changed, those of a section in the order of its sentences."""
    told = _ToldOnce(changes)
    parts: list[PartChange] = []
    for change in changes:
        if not told.elsewhere(change):
            parts += _parts_of(editions, change)
    parts = [part for part in parts if not _is_noted(part, parts)]
    if any(part.at is not None for part in parts):
        parts.sort(key=lambda one: (-1, False) if one.at is None else (one.at, bool(one.after)))
    return tuple(parts)


def _is_noted(part: PartChange, parts: Sequence[PartChange]) -> bool:
    """Whether a part is a status whose note is told, which says as much in more words."""
    note = (*part.path[:-1], "note")
    return part.path[-1] == "status" and any(one.path == note for one in parts)


class _ToldOnce:
    """Which changes of a thing are told by another of them."""

    def __init__(self, changes: Sequence[Change]) -> None:
        tables = [one.path for one in changes if one.path[1:2] in {("tables",), ("modifiers",)}]
        self._paths = {one.path for one in changes if not isinstance(one, Renamed)}
        self._inside = {path[:depth] for path in self._paths for depth in range(len(path))}
        self._axes = {path[:3] for path in tables if path[3:4] in _AXES[0] and len(path) <= 6}
        self._columns = {
            (*path[:3], path[4]) for path in tables if path[3:4] in _AXES[1] and len(path) == 5
        }

    def elsewhere(self, change: Change) -> bool:
        path = change.path
        of_grid = path[:3] in self._axes and path[3:4] == ("data",)
        if isinstance(change, Ordered):
            return not change.moved or of_grid
        if isinstance(change, Renamed) and (path in self._paths or path in self._inside):
            return change.path[-2:-1] not in {("fields",), ("changes",), ("data",), ("rows",)}
        whole = isinstance(change, Added | Removed | Renamed)
        if len(path) == 6 and (*path[:3], path[5]) in self._columns:
            return True
        return whole and of_grid and len(path) <= 6


def _parts_of(editions: PrintedEditions, change: Change) -> Iterator[PartChange]:
    path = change.path
    if isinstance(change, Ordered):
        yield from _moved(editions, change)
    elif isinstance(change, Renamed):
        yield _renamed(editions, change)
    elif isinstance(change, Changed) and _are_cells(change):
        yield from _of_cell(editions, change)
    elif isinstance(change, Changed):
        yield _changed(editions, path)
    else:
        yield from _of_one(editions, path, "added" if isinstance(change, Added) else "removed")


def _of_one(
    editions: PrintedEditions, path: Path, kind: Literal["added", "removed"]
) -> list[PartChange]:
    """A part that only one edition has: its sayings one by one, if it is made of such."""
    side = editions.new if kind == "added" else editions.gone
    step = side.parts.at(path)
    if step is None:
        return []
    if isinstance(step.value, FieldSpec | ChangedAmount):
        text = side.column(path)
    elif isinstance(step.value, Input):
        text = gettext(_INPUT)  # where it stands its label is told
    elif isinstance(step.tree, Branch) and not isinstance(step.value, _IN_ONE):
        if sayings := whole_parts(side, path, kind):
            return list(sayings)
        text = side.told(step)
    else:
        text = side.text(path)
    return [part_change(editions, path, kind, ("", text) if kind == "added" else (text, ""))]


def part_change(
    editions: PrintedEditions,
    path: Path,
    kind: ChangeKind,
    texts: tuple[str, str],
    runs: tuple[Run, ...] = (),
) -> PartChange:
    """A difference with its place in words, and among the paragraphs of its section."""
    place = _paragraph(editions, path)
    return PartChange(path, kind, editions.where(path), *texts, runs, place)


def _changed(editions: PrintedEditions, path: Path) -> PartChange:
    """A value for another, or a sentence reworded."""
    texts = _with_titles(editions, path)
    if editions.is_worded(path):
        return part_change(editions, path, "reworded", texts, word_runs(*texts))
    return part_change(editions, path, "changed", texts)


def _with_titles(editions: PrintedEditions, path: Path) -> tuple[str, str]:
    """What is printed before and after; of a note with another title that as well."""
    before, after = editions.texts(path)
    steps = [side.parts.at(path) for side in (editions.old, editions.new)]
    titles = [one.value.title for one in steps if one and isinstance(one.value, Remark)]
    if len(set(titles)) < 2:
        return before, after
    return f"{titles[0]}. {before}", f"{titles[1]}. {after}"


def _is_worded(step: Step | None) -> bool:
    """Whether a part is a text of more than a word."""
    if step is None:
        return False
    if isinstance(step.value, Prose | Text) or step.under == "parts":
        return True
    return isinstance(step.value, str) and isinstance(step.tree, str) and " " in step.tree


def _are_cells(change: Changed) -> bool:
    cells = {"value", *_OF_CELL}
    return any(
        isinstance(tree, Branch) and tree.kind == FIELDS and cells >= tree.parts.keys()
        for tree in (change.old, change.new)
    )


def _of_cell(editions: PrintedEditions, change: Changed) -> Iterator[PartChange]:
    """A cell: its value, and what is noted of it."""
    path = change.path
    before, after = editions.texts(path)
    if before != after:
        yield part_change(editions, path, "changed", (before, after))
    for key in _OF_CELL:
        if part_at(change.old, (key,)) == part_at(change.new, (key,)):
            continue
        before, after = (_noted(side, path, key) for side in (editions.old, editions.new))
        kind: ChangeKind = "removed" if not after else "reworded" if before else "added"
        place = ", ".join(word for word in (editions.where(path), key) if word)
        runs = word_runs(before, after) if before and after else ()
        yield PartChange((*path, key), kind, place, before, after, runs)


def _noted(side: Printed, path: Path, key: str) -> str:
    step = side.parts.at(path)
    if step is None or not isinstance(step.value, Cell):
        return ""
    held = getattr(step.value, key)
    return side.prose(held) if isinstance(held, Prose) else str(part_at(step.tree, (key,)) or "")


def _renamed(editions: PrintedEditions, change: Renamed) -> PartChange:
    """A part with another name: its titles, or its ids where nothing in print is another."""
    before, after = (where(side, change.path) for side in (editions.old, editions.new))
    if before == after:
        return PartChange(change.path, "renamed", after, change.old, change.path[-1])
    return PartChange(change.path, "renamed", "", before, after)


def _moved(editions: PrintedEditions, change: Ordered) -> Iterator[PartChange]:
    """Parts that stand elsewhere among the others, each with what it stood and stands behind."""
    names = editions.renamed(change.path)
    stood = [names.get(key, key) for key in _keys(editions.old, change.path)]
    for key in change.moved:
        path = (*change.path, key)
        before, after = (_behind(editions, change.path, one, key) for one in (stood, change.order))
        place = editions.where(path) or _quoted(editions.new.text(path)) or key
        at = _paragraph(editions, path)
        yield PartChange(path, "moved", place, before, after, at=at)


def _keys(side: Printed, path: Path) -> list[str]:
    step = side.parts.at(path)
    return list(step.tree.parts) if step is not None and isinstance(step.tree, Branch) else []


def _behind(editions: PrintedEditions, path: Path, order: Sequence[str], key: str) -> str:
    """What a part stands behind: "behind “Light cavalry”", or first."""
    index = order.index(key) if key in order else 0
    if index == 0:
        return gettext("first")
    before = (*path, order[index - 1])
    title = editions.where(before) or " ".join(filter(None, editions.texts(before)[::-1][:1]))
    title = _quoted(title or editions.old.text(before) or before[-1])
    return gettext("behind “%(title)s”", title=title)


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED else f"{line[: _QUOTED - 1].rsplit(' ', 1)[0]} …"


def _paragraph(editions: PrintedEditions, path: Path) -> int | None:
    """The place of a paragraph among the parts of its section, in the new edition.

    One that went stood before the part at this place: behind the last one before it that is there.
    """
    if path[0] != "sections" or path[2:3] != ("parts",) or len(path) != 4:
        return None
    step = editions.new.parts.at(path)
    if step is not None:
        return step.index
    gone = editions.old.parts.at(path)
    now = _keys(editions.new, path[:3])
    if gone is None or not now:
        return None
    names = editions.renamed(path[:3])
    stood = [names.get(key, key) for key in _keys(editions.old, path[:3])[: gone.index]]
    return next((now.index(key) + 1 for key in reversed(stood) if key in now), 0)


def whole_parts(
    side: Printed, path: Path, kind: Literal["added", "removed"]
) -> tuple[PartChange, ...]:
    """All that a new thing, or part of one, says; or all that one said that is gone."""
    step = side.parts.at(path)
    if step is None:
        return ()
    played = side.played(path)
    parts: list[PartChange] = []
    collection = path[1] if path[0] == "collections" else path[0]
    for at, inner in _sayings(step, path, collection):
        text = side.told(inner, played)
        if text and text != quantities.EN_DASH:
            place = inner.index if at[0] == "sections" else None
            texts = (text, "") if kind == "removed" else ("", text)
            parts.append(PartChange(at, kind, where(side, at), *texts, at=place))
    return tuple(parts)


def _sayings(step: Step, path: Path, collection: str) -> Iterator[tuple[Path, Step]]:
    for inner in step.inside():
        at = (*path, inner.key)
        if not isinstance(step.tree, Branch) or inner.tree is None:
            continue
        if step.tree.kind == FIELDS and not _is_saying(inner, collection):
            continue
        if isinstance(inner.tree, Branch) and not _is_told_in_one(inner):
            yield from _sayings(inner, at, collection)
        else:
            yield at, inner


def _is_saying(step: Step, collection: str) -> bool:
    if collection == "cutouts":
        # Marks that are taken from a table are told with that.
        taken = step.key == "marks" and isinstance(step.tree, Branch) and step.tree.kind == FIELDS
        return step.key not in _OF_PROGRAM and not taken
    return step.key in _SAYINGS[collection]


def _is_told_in_one(step: Step) -> bool:
    return step.key in _TOGETHER and not (isinstance(step.tree, Branch) and step.tree.kind == NAMED)
