"""Two editions and what their author says of the changes -> all changes, in a reader's words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from rulebook import quantities
from rulebook.documents.changes.changed_tables import (
    ChangedTable,
    changed_cells,
    changed_tables,
)
from rulebook.documents.changes.described import (
    ChangeKind,
    ComparedEdition,
    DescribedChanges,
    DescribedRevision,
    PartChange,
    ThingChange,
    word_runs,
)
from rulebook.documents.changes.rule_numbers import RuleNumbers, RulePlace, RulePlaces
from rulebook.documents.changes.things import (
    THINGS,
    UNSHOWN_OF_CUTOUTS,
    collection_of,
    has,
    title_of,
    where,
)
from rulebook.documents.marks.keyed_tables import KeyedTable, composed_table
from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.printed_parts import EditionParts, PathStep, Printed
from rulebook.model.cells import Cell
from rulebook.model.inputs import Input
from rulebook.model.lengths import Lengths
from rulebook.model.modifiers import Change as ChangedAmount
from rulebook.model.modifiers import ModifierRow, ModifierTable
from rulebook.model.plain_data import Plain, plain_ruleset
from rulebook.model.prose import Remark, Text, rule_numbers
from rulebook.model.revisions import ChangedPlace, EditionNotes, part_name
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import Prose
from rulebook.model.tables import FieldSpec, Grid, RecordTable, Row
from rulebook.quantities import format_date
from rulebook.revisions.changes import EditionChange, Path, by_thing, depth_of
from rulebook.revisions.comparison import Comparison
from rulebook.revisions.keyed import FIELDS, NAMED, Branch, part_at, unkeyed
from rulebook.revisions.likeness import together
from rulebook.revisions.revised import Revised, revised
from rulebook.translation import gettext, gettext_noop

#: What a cell says beside its value.
_OF_CELL = ("note", "source", "status")
#: Parts of a grid that stand for changes of its data, and of other tables for those of their cells.
_AXES, _COLUMNS = {("rows",), ("columns",)}, {("fields",), ("changes",)}
#: Parts of many values that stand in one line.
_IN_ONE = (Row, ModifierRow, Cell, Lengths)
#: What stands for an input that only one edition asks for.
_INPUT = gettext_noop("an input")
#: Of a long text, what is quoted where only its place is named.
_QUOTED = 60
#: Values that stand in one line, each with its name.
_TOGETHER = ("zones", "rings", "faces", "size", "stand", "holes", "centre", "base", "ring")


@dataclass(frozen=True)
class PrintedEditions:
    """Both editions, as they print: with the numbers of rules that the new one has, so that one
    that shifted is no change. `gone` is the old one with its own, for what is not in the new one.
    """

    comparison: Comparison
    old: Printed
    new: Printed
    gone: Printed

    def where(self, path: Path) -> str:
        """The place of a part, as the new edition calls it if it has it."""
        return where(self.new if self.new.parts.at(path) else self.old, path)

    def texts(self, path: Path) -> tuple[str, str]:
        """What is printed of a part, before and after; of a note its title if that is another."""
        before, after = self.old.text(path), self.new.text(path)
        steps = [side.parts.at(path) for side in (self.old, self.new)]
        titles = [step.value.title for step in steps if step and isinstance(step.value, Remark)]
        if len(set(titles)) < 2:
            return before, after
        return f"{titles[0]}. {before}", f"{titles[1]}. {after}"

    def kept(self, path: Path) -> tuple[Plain, Plain]:
        """A part as each edition keeps it, None in one that has it not; a picture is no value."""
        steps = [side.parts.at(path) for side in (self.old, self.new)]
        old, new = (unkeyed(step.tree) if step and path[0] != "cover" else None for step in steps)
        return old, new

    def is_worded(self, path: Path) -> bool:
        """Whether a part is a sentence, or a name of more than a word, in either edition."""
        return any(_is_worded(side.parts.at(path)) for side in (self.old, self.new))

    def old_keys(self, path: Path) -> list[str]:
        """The keys under a path that the old edition has, as the new one calls them."""
        return [self.comparison.now((*path, key)) for key in _keys(self.old, path)]

    def part(
        self, path: Path, kind: ChangeKind, texts: tuple[str, str], place: str | None = None
    ) -> PartChange:
        """A difference with its place in words, and among the paragraphs of its section."""
        runs = word_runs(*texts) if kind == "reworded" else ()
        named = self.where(path) if place is None else place
        return PartChange(path, kind, named, *texts, runs, _paragraph(self, path))

    def tables(self, path: Path) -> tuple[KeyedTable | None, KeyedTable | None]:
        """A table or modifier table as both editions print it, with the ids of the new one."""
        old = _keyed(self.old, path)
        return old and old.renamed(path, self.comparison.now), _keyed(self.new, path)


def _keyed(side: Printed, path: Path) -> KeyedTable | None:
    """A table of an edition; None where it is not there, or is computed."""
    step, ruleset = side.parts.at(path), side.parts.ruleset
    if step is None or not isinstance(step.value, Grid | RecordTable | ModifierTable):
        return None
    return composed_table(Binder(ruleset), step.key)


def part_changes(
    editions: PrintedEditions, changes: Sequence[EditionChange]
) -> tuple[PartChange, ...]:
    """The parts of a thing that changed, those of a section in the order of its sentences."""
    parts = [part for change in _described_once(changes) for part in _parts_of(editions, change)]
    parts = [part for part in parts if not _is_noted(part, parts)]
    if any(part.at is not None for part in parts):
        parts.sort(key=lambda part: (-1, False) if part.at is None else (part.at, bool(part.after)))
    return tuple(parts)


def _is_noted(part: PartChange, parts: Sequence[PartChange]) -> bool:
    """Whether a part is a status whose note is shown, which says as much in more words."""
    note = (*part.path[:-1], "note")
    return part.path[-1] == "status" and any(one.path == note for one in parts)


def _described_once(changes: Sequence[EditionChange]) -> Iterator[EditionChange]:
    """The changes of a thing that no other of them tells."""
    changed = {change.path for change in changes if change.kind != "renamed"}
    around = {path[:depth] for path in changed for depth in range(1, len(path) + 1)}
    of_tables = [one.path for one in changes if one.path[1:2] in {("tables",), ("modifiers",)}]
    axes = {path[:3] for path in of_tables if path[3:4] in _AXES and len(path) <= 6}
    columns = {
        (*path[:3], path[4]) for path in of_tables if path[3:4] in _COLUMNS and len(path) == 5
    }
    for change in changes:
        path = change.path
        of_grid = path[:3] in axes and path[3:4] == ("data",) and len(path) <= 6
        if change.kind == "moved":
            elsewhere = not change.moved or of_grid
        elif change.kind == "renamed" and path in around:
            elsewhere = path[-2:-1] not in {*_COLUMNS, ("data",), ("rows",)}
        elif len(path) == 6 and (*path[:3], path[5]) in columns:
            elsewhere = True
        else:
            elsewhere = of_grid and change.kind != "changed"
        if not elsewhere:
            yield change


def _parts_of(editions: PrintedEditions, change: EditionChange) -> Iterator[PartChange]:
    path = change.path
    if change.kind == "moved":
        yield from _moved(editions, change)
    elif change.kind == "renamed":
        yield _renamed(editions, change)
    elif change.kind != "changed":
        yield from _of_one(editions, path, change.kind)
    elif _are_cells(change):
        yield from _of_cell(editions, change)
    else:
        kind: ChangeKind = "reworded" if editions.is_worded(path) else "changed"
        yield editions.part(path, kind, editions.texts(path))


def _of_one(
    editions: PrintedEditions, path: Path, kind: Literal["added", "removed"]
) -> Sequence[PartChange]:
    """A part that only one edition has: its sayings one by one, if it is made of such."""
    side = editions.new if kind == "added" else editions.gone
    step = side.parts.at(path)
    if step is None:
        return ()
    if isinstance(step.value, FieldSpec | ChangedAmount):
        text = side.column(path)
    elif isinstance(step.value, Input):
        text = gettext(_INPUT)  # its label stands before it
    elif isinstance(step.tree, Branch) and not isinstance(step.value, _IN_ONE):
        if sayings := whole_parts(side, path, kind):
            return sayings
        text = side.printed(step)
    else:
        text = side.text(path)
    return [editions.part(path, kind, _texts(text, kind))]


def _texts(text: str, kind: Literal["added", "removed"]) -> tuple[str, str]:
    return ("", text) if kind == "added" else (text, "")


def _is_worded(step: PathStep | None) -> bool:
    """Whether a part is a text of more than a word."""
    if step is None:
        return False
    if isinstance(step.value, Prose | Text) or step.under == "parts":
        return True
    return isinstance(step.value, str) and isinstance(step.tree, str) and " " in step.tree


def _are_cells(change: EditionChange) -> bool:
    cells = {"value", *_OF_CELL}
    return any(
        isinstance(tree, Branch) and tree.kind == FIELDS and cells >= tree.parts.keys()
        for tree in (change.old, change.new)
    )


def _of_cell(editions: PrintedEditions, change: EditionChange) -> Iterator[PartChange]:
    """A cell: its value, and what is noted of it."""
    path = change.path
    before, after = editions.texts(path)
    if before != after:
        yield editions.part(path, "changed", (before, after))
    for key in _OF_CELL:
        if part_at(change.old, (key,)) == part_at(change.new, (key,)):
            continue
        before, after = (_noted(side, path, key) for side in (editions.old, editions.new))
        kind: ChangeKind = "removed" if not after else "reworded" if before else "added"
        place = ", ".join(word for word in (editions.where(path), key) if word)
        yield editions.part((*path, key), kind, (before, after), place)


def _noted(side: Printed, path: Path, key: str) -> str:
    step = side.parts.at(path)
    if step is None or not isinstance(step.value, Cell):
        return ""
    held = getattr(step.value, key)
    return side.prose(held) if isinstance(held, Prose) else str(part_at(step.tree, (key,)) or "")


def _renamed(editions: PrintedEditions, change: EditionChange) -> PartChange:
    """A part with another name: its titles, or its ids where nothing in print is another."""
    before, after = (where(side, change.path) for side in (editions.old, editions.new))
    if before == after:
        return PartChange(change.path, "renamed", after, str(change.old), change.path[-1])
    return PartChange(change.path, "renamed", "", before, after)


def _moved(editions: PrintedEditions, change: EditionChange) -> Iterator[PartChange]:
    """Parts that stand elsewhere among the others, each with what it stood and stands behind."""
    stood = editions.old_keys(change.path)

    def title(key: str) -> str:
        path = (*change.path, key)
        return _quoted(editions.where(path) or editions.new.text(path) or editions.old.text(path))

    for key in change.moved:
        path = (*change.path, key)
        before, after = (_behind(order, key, title) for order in (stood, change.order))
        yield editions.part(path, "moved", (before, after), title(key) or key)


def _behind(order: Sequence[str], key: str, title: Callable[[str], str]) -> str:
    """What a part stands behind: "behind “Light cavalry”", or first."""
    index = order.index(key) if key in order else 0
    if index == 0:
        return gettext("first")
    before = order[index - 1]
    return gettext("behind “%(title)s”", title=title(before) or before)


def _keys(side: Printed, path: Path) -> list[str]:
    step = side.parts.at(path)
    return list(step.tree.parts) if step is not None and isinstance(step.tree, Branch) else []


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED else f"{line[: _QUOTED - 1].rsplit(' ', 1)[0]} …"


def _paragraph(editions: PrintedEditions, path: Path) -> int | None:
    """The place of a paragraph among the parts of its section, in the new edition.

    One that went stood before the part at this place: behind the last one before it that is there.
    """
    if path[0] != "sections" or path[2:3] != ("parts",) or len(path) != 4:
        return None
    before, after = editions.old_keys(path[:3]), _keys(editions.new, path[:3])
    if not after or path[3] not in {*before, *after}:
        return None
    order = together(before, after)
    return sum(key in after for key in order[: order.index(path[3])])


def whole_parts(
    side: Printed, path: Path, kind: Literal["added", "removed"]
) -> tuple[PartChange, ...]:
    """All that a new thing, or part of one, says; or all that one said that is gone."""
    step = side.parts.at(path)
    if step is None:
        return ()
    played = side.played(path)
    parts: list[PartChange] = []
    for at, inner in _sayings(step, path, collection_of(path)):
        text = side.printed(inner, played)
        if text and text != quantities.EN_DASH:
            place = inner.index if at[0] == "sections" else None
            parts.append(PartChange(at, kind, where(side, at), *_texts(text, kind), at=place))
    return tuple(parts)


def _sayings(step: PathStep, path: Path, collection: str) -> Iterator[tuple[Path, PathStep]]:
    for inner in step.inside():
        at = (*path, inner.key)
        if not isinstance(step.tree, Branch) or inner.tree is None:
            continue
        if step.tree.kind == FIELDS and not _is_saying(inner, collection):
            continue
        if isinstance(inner.tree, Branch) and not _is_described_whole(inner):
            yield from _sayings(inner, at, collection)
        else:
            yield at, inner


def _is_saying(step: PathStep, collection: str) -> bool:
    if collection == "cutouts":
        # Marks that are taken from a table are shown with that.
        taken = step.key == "marks" and isinstance(step.tree, Branch) and step.tree.kind == FIELDS
        return step.key not in UNSHOWN_OF_CUTOUTS and not taken
    return step.key in THINGS[collection].says


def _is_described_whole(step: PathStep) -> bool:
    return step.key in _TOGETHER and not (isinstance(step.tree, Branch) and step.tree.kind == NAMED)


def compared(old: Ruleset, new: Ruleset, notes: Iterable[EditionNotes] = ()) -> ChangeDescriber:
    """Two editions, or two rulesets, in the words of a reader.

    `notes` are those of the editions after the old one up to the new one, the oldest first. Where
    lengths are turned in one of the two, both are compared with the lengths that are written: that
    they are turned is one change, and not one of every length. What changed is shown as it prints.
    """
    printed = old, new
    if old.header.lengths != new.header.lengths:
        old, new = old.written or old, new.written or new
    said = list(notes)
    summary = said[-1].summary if len(said) == 1 else None
    changes = tuple(change for one in said for change in one.changes)
    together = EditionNotes().model_copy(update={"summary": summary, "changes": changes})
    return ChangeDescriber(
        revised(plain_ruleset(old), plain_ruleset(new), together), old, new, printed
    )


def _side_of(ruleset: Ruleset) -> ComparedEdition:
    """What is said of one of the two that are compared."""
    header = ruleset.header
    date = format_date(header.date) if header.date else ""
    options = tuple(ruleset.options[one].title for one in ruleset.chosen)
    return ComparedEdition(ruleset.id, header.title, header.edition, date, options=options)


@dataclass(frozen=True)
class ChangeDescriber:
    """Describes the changes between two rulesets in a reader's words.

    `printed` are the two as they print, where lengths are turned in one of them.
    """

    revised: Revised
    old: Ruleset
    new: Ruleset
    printed: tuple[Ruleset, Ruleset] | None = None

    def described(self) -> DescribedChanges:
        """All changes, by the revisions of the author."""
        notes = self.revised.notes
        listed = [(one.revision, self.things(one.changes)) for one in self.revised.classed]
        return DescribedChanges(
            old=_side_of(self.old),
            new=_side_of(self.new),
            summary=self.editions.new.prose(notes.summary),
            revisions=tuple(
                DescribedRevision(
                    title=revision.title,
                    class_=revision.class_,
                    why=self.editions.new.prose(revision.why),
                    standing=_standing(revision.of, things),
                    things=things,
                )
                for revision, things in listed
                if revision
            ),
            editorial=tuple(thing for one, things in listed if one is None for thing in things),
            unclassed=self.things(self.revised.unclassed),
            numbers=self.numbers,
        )

    def ruleset_with(self, path: Path) -> Ruleset:
        """The edition in which a thing is: the new one if it has it."""
        return self.new if has(self.new, path) else self.old

    def standing_of(self, path: Path) -> RulePlace:
        """Where a thing stands in the edition in which it is."""
        standings = self.standings[1] if has(self.new, path) else self.standings[0]
        return standings.place_of(collection_of(path), path[-1])

    @cached_property
    def editions(self) -> PrintedEditions:
        comparison = self.revised.comparison
        were = _references(self.old)
        references = {**were, **_references(self.new)}
        old, new = self.printed or (self.old, self.new)
        parts = EditionParts(old, comparison.old, comparison.former_keys)
        return PrintedEditions(
            comparison,
            Printed(parts, references),
            Printed(EditionParts(new, comparison.new), references),
            Printed(parts, were),
        )

    @cached_property
    def standings(self) -> tuple[RulePlaces, RulePlaces]:
        return RulePlaces(self.old), RulePlaces(self.new)

    @cached_property
    def numbers(self) -> RuleNumbers:
        """The numbers of rules in both editions."""
        old, new = (side.numbers for side in self.standings)
        former = {heading: self.revised.was("sections", heading) for heading in new}
        return RuleNumbers(old, new, former)

    def _also(self, changes: Iterable[EditionChange]) -> Iterator[ThingChange]:
        """What follows elsewhere from some changes."""
        following = self.revised.comparison.following
        for path in dict.fromkeys(path for change in changes for path in following(change)):
            texts = self.editions.texts(path)
            if texts[0] != texts[1]:
                kind: ChangeKind = "reworded" if all(" " in text for text in texts) else "changed"
                part = self.editions.part(path, kind, texts)
                yield self._thing(path[: depth_of(path)], kind, (part,))

    def things(self, changes: Iterable[EditionChange]) -> tuple[ThingChange, ...]:
        """Changes by what they are of, in the order of the booklet."""
        in_things: list[EditionChange] = []
        of_chapters: list[EditionChange] = []
        for change in changes:
            if change.path[0] == "chapters":
                of_chapters.append(change)
            else:
                in_things.append(change)
        found = [self._of_changes(path, own) for path, own in by_thing(in_things).items()]
        moves = _moved_headings(self.editions, of_chapters)
        found += [self._thing(path, "moved", (part,)) for path, part in moves]
        return tuple(sorted((one for one in found if one is not None), key=self._position))

    def _position(self, thing: ThingChange) -> tuple[float, bool]:
        """By the headings of the new edition, those that went where they stood among them."""
        old, new = self.standings
        return new.position(thing.standing.heading, old), thing.thing.name != "section"

    def _of_changes(self, path: Path, changes: Sequence[EditionChange]) -> ThingChange | None:
        """A thing with its changes; None where other things show all of them."""
        of_itself = [one for one in changes if one.path == path and len(path) > 1]
        kind, was = _kind_of(of_itself)
        parts = self._parts(path, changes, of_itself)
        if kind == "changed" and not parts and not of_itself:
            return None
        thing = self._thing(path, _settled(kind, parts), parts, was)
        return replace(
            thing,
            tables=self._tables(path, changes, bool(of_itself) and kind != "renamed"),
            also=tuple(self._also(changes)),
        )

    def _thing(
        self, path: Path, kind: ChangeKind, parts: tuple[PartChange, ...], was: str = ""
    ) -> ThingChange:
        collection = collection_of(path)
        stood = self.standings[0].place_of(collection, was or path[-1])
        return ThingChange(
            path=path,
            thing=THINGS[collection],
            id=path[-1] if len(path) > 1 else "ruleset",
            kind=kind,
            title=title_of(self.ruleset_with(path), path),
            standing=self.standing_of(path),
            stood=None if kind == "added" else stood,
            was=was,
            parts=parts,
        )

    def _parts(
        self, path: Path, changes: Sequence[EditionChange], of_itself: Sequence[EditionChange]
    ) -> tuple[PartChange, ...]:
        parts: tuple[PartChange, ...] = ()
        for change in of_itself:
            if change.kind in ("removed", "changed"):
                parts += whole_parts(self.editions.gone, path, "removed")
            if change.kind in ("added", "changed"):
                parts += whole_parts(self.editions.new, path, "added")
        inside = part_changes(self.editions, [one for one in changes if one not in of_itself])
        moved = [one for one in inside if one.path != path]
        itself = [replace(one, where="") for one in inside if one.path == path]
        return (*parts, *itself, *(one for one in moved if one.path[: len(path)] == path))

    def _tables(
        self, path: Path, changes: Sequence[EditionChange], whole: bool
    ) -> tuple[ChangedTable, ...]:
        if path[:1] != ("collections",) or path[1] not in ("tables", "modifiers"):
            return ()
        shown = changed_cells(changes, len(path), whole=whole)
        return changed_tables(*self.editions.tables(path), shown) if shown.many else ()


def _standing(of: Iterable[ChangedPlace], things: Iterable[ThingChange]) -> RulePlace:
    """Where the first thing that an author names stands, if it stands in a chapter."""
    standing = {
        (part_name(one.id), one.thing.name == "section"): one.standing
        for one in things
        if one.standing.rule
    }
    named = (standing.get((place.parts[0], place.heading)) for place in of)
    found = next((one for one in named if one is not None), None)
    return found or next(iter(standing.values()), RulePlace())


def _kind_of(of_itself: Sequence[EditionChange]) -> tuple[ChangeKind, str]:
    """What became of a thing itself, and its old id if it has another."""
    for change in of_itself:
        if change.kind in ("renamed", "added", "removed"):
            return change.kind, str(change.old) if change.kind == "renamed" else ""
    return "changed", ""


def _settled(kind: ChangeKind, parts: Sequence[PartChange]) -> ChangeKind:
    """A thing of which only words are others is reworded, one that only stands elsewhere moved."""
    kinds = {part.kind for part in parts}
    return next(iter(kinds)) if kind == "changed" and kinds in ({"reworded"}, {"moved"}) else kind


def _references(ruleset: Ruleset) -> dict[str, str]:
    """Headings by number and title."""
    numbers = rule_numbers(ruleset.chapters)
    sections = (one for chapter in ruleset.chapters for one in chapter.sections)
    return {one.id: f"{numbers[one.id]} {one.title}" for one in sections}


def _moved_headings(
    editions: PrintedEditions, changes: Iterable[EditionChange]
) -> Iterator[tuple[Path, PartChange]]:
    """Chapters and sections that both editions have in different places, each by its path."""
    old, new = editions.old.parts.ruleset, editions.new.parts.ruleset
    now = editions.comparison.now
    stood = {
        now(("sections", section.id)): chapter.id
        for chapter in old.chapters
        for section in chapter.sections
    }
    for change in changes:
        if change.kind == "added" and len(change.path) == 3 and change.path[2] in stood:
            before, after = (
                gettext("in %(chapter)s", chapter=title_of(ruleset, ("chapters", chapter)))
                for ruleset, chapter in ((old, stood[change.path[2]]), (new, change.path[1]))
            )
            part = PartChange(change.path, "moved", "", before, after)
            yield ("sections", change.path[2]), part
        elif change.kind == "moved":
            kind = "chapters" if len(change.path) == 1 else "sections"
            before_order = [now(("sections", one)) for one in _keys(editions.old, change.path)]

            def title(key: str, kind: str = kind) -> str:
                return title_of(new, (kind, key))

            for key in change.moved:
                before, after = (_behind(one, key, title) for one in (before_order, change.order))
                yield (kind, key), PartChange((*change.path, key), "moved", "", before, after)
