"""Two editions and what their author says of the changes -> all changes, in a reader's words.

Changes of one thing are gathered, and come in the order of the booklet. What reads
differently elsewhere because of them, boxes on cards and sentences, is reported with the value that
changed, since it has not changed by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rulebook.documents.changes.thing_changes import (
    PrintedEditions,
    part_change,
    part_changes,
    whole_parts,
)
from rulebook.documents.marks.change_places import THINGS, RulePlaces, has, title_of
from rulebook.documents.marks.change_words import (
    ChangedTable,
    ChangeKind,
    ComparedEdition,
    Consequence,
    DescribedChanges,
    DescribedRevision,
    PartChange,
    RulePlace,
    ThingChange,
    word_runs,
)
from rulebook.documents.marks.changed_tables import ChangedCells, changed_tables
from rulebook.documents.parts.edition_parts import EditionParts
from rulebook.documents.parts.printed_parts import Printed
from rulebook.model.plain_data import plain_ruleset
from rulebook.model.prose import rule_numbers
from rulebook.model.revisions import EditionNotes, Place, Revision, part_name
from rulebook.model.ruleset import Ruleset
from rulebook.quantities import format_date
from rulebook.revisions.changes import Added, Change, Changed, Ordered, Path, Removed, Renamed
from rulebook.revisions.classes import by_thing, depth_of, names_of
from rulebook.revisions.keyed import Branch, Tree
from rulebook.revisions.release import Revised, revised
from rulebook.translation import gettext

#: A binding of a value: {establishments.battery.rank_and_file}, {musketry[8-16in, first, open]}.
_BINDING = re.compile(r"\{([a-z][a-z0-9_]*[.\[][^{}:]*)\}")
#: Where sentences are the author's for printing, and not a list of what is where.
_READ = ("collections", "sections", "header")


def compared(old: Ruleset, new: Ruleset, notes: Iterable[EditionNotes] = ()) -> ChangeDescriber:
    """Two editions, or two rulesets, in the words of a reader.

    `notes` are those of the editions after the old one up to the new one, the oldest first. Where
    lengths are turned in one of the two, both are compared with the lengths that are written: that
    they are turned is one change, and not one of every length. What changed is told as it prints.
    """
    printed = old, new
    if old.header.lengths != new.header.lengths:
        old, new = old.written or old, new.written or new
    said = list(notes)
    told = {"summary": said[-1].summary if len(said) == 1 else None}
    changes = tuple(change for one in said for change in one.changes)
    together = EditionNotes().model_copy(update={**told, "changes": changes})
    return ChangeDescriber(
        revised(plain_ruleset(old), plain_ruleset(new), together), old, new, printed
    )


def _side_of(ruleset: Ruleset) -> ComparedEdition:
    """What is told of one of the two that are compared."""
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

    def told(self) -> DescribedChanges:
        """All changes, by the revisions of the author."""
        notes, classing = self.revised.notes, self.revised.classing
        told = [(one.revision, self.things(one.changes)) for one in classing.classed]
        return DescribedChanges(
            old=_side_of(self.old),
            new=_side_of(self.new),
            summary=self.editions.new.prose(notes.summary),
            revisions=tuple(self._revision(one, things) for one, things in told if one),
            editorial=tuple(thing for one, things in told if one is None for thing in things),
            unclassed=self.things(classing.unclassed),
        )

    def _revision(self, revision: Revision, things: tuple[ThingChange, ...]) -> DescribedRevision:
        return DescribedRevision(
            title=revision.title,
            class_=revision.class_,
            why=self.editions.new.prose(revision.why),
            standing=_standing(revision.of, things),
            things=things,
        )

    def ruleset_with(self, path: Path) -> Ruleset:
        """The edition in which a thing is: the new one if it has it."""
        return self.new if has(self.new, path) else self.old

    def standing_of(self, path: Path) -> RulePlace:
        """Where a thing stands in the edition in which it is."""
        standings = self.standings[1] if has(self.new, path) else self.standings[0]
        return standings.of(_collection(path), path[-1])

    @cached_property
    def editions(self) -> PrintedEditions:
        comparison = self.revised.comparison
        were = _references(self.old)
        references = {**were, **_references(self.new)}
        old, new = self.printed or (self.old, self.new)
        parts = EditionParts(old, comparison.old, comparison.former_keys)
        return PrintedEditions(
            Printed(parts, references),
            Printed(EditionParts(new, comparison.new), references),
            Printed(parts, were),
        )

    @cached_property
    def standings(self) -> tuple[RulePlaces, RulePlaces]:
        return RulePlaces(self.old), RulePlaces(self.new)

    @cached_property
    def _following(self) -> dict[tuple[str, ...], list[Path]]:
        """Names of changed values -> paths of what takes or binds them."""
        comparison = self.revised.comparison
        changed = {_value_names(one.path) for one in comparison.own}
        found: dict[tuple[str, ...], list[Path]] = {}
        for path, source in comparison.follows.items():
            if (names := _names(source)) in changed:
                found.setdefault(names, []).append(path)
        told = {one.path for one in comparison.changes if not isinstance(one, Renamed | Ordered)}
        for path, text in _sentences(comparison.new, (), told):
            for binding in _BINDING.finditer(text):
                if (names := _names(binding[1])) in changed:
                    found.setdefault(names, []).append(path)
        return found

    def _also(self, changes: Iterable[Change]) -> tuple[Consequence, ...]:
        """What follows elsewhere from some changes."""
        paths = dict.fromkeys(
            path for one in changes for path in self._following.get(_value_names(one.path), ())
        )
        return tuple(filter(None, map(self._consequence, paths)))

    def _consequence(self, path: Path) -> Consequence | None:
        texts = self.editions.texts(path)
        if texts[0] == texts[1] or path[0] not in _READ:
            return None
        collection, thing = _collection(path), path[: depth_of(path)]
        runs = word_runs(*texts) if all(" " in text for text in texts) else ()
        return Consequence(
            THINGS[collection],
            title_of(self.editions.new.parts.ruleset, thing),
            self.standings[1].of(collection, thing[-1]),
            part_change(self.editions, path, "changed", texts, runs),
        )

    def things(self, changes: Iterable[Change]) -> tuple[ThingChange, ...]:
        """Changes by what they are of, in the order of the booklet."""
        in_things: list[Change] = []
        of_chapters: list[Change] = []
        for change in changes:
            if change.path[0] == "chapters":
                of_chapters.append(change)
            else:
                in_things.append(change)
        found = [self._of_changes(path, own) for path, own in by_thing(in_things).items()]
        moves = _moved_headings(self.editions, of_chapters)
        found += [self._thing(path, "moved", (part,)) for path, part in moves]
        return tuple(sorted((one for one in found if one is not None), key=self._position))

    def _position(self, thing: ThingChange) -> tuple[float, int, bool]:
        """By the headings of the new edition, those that went where they stood among them."""
        old, new = self.standings
        heading = thing.standing.heading
        return new.position(heading, old), old.order.get(heading, 0), thing.thing != "section"

    def _of_changes(self, path: Path, changes: Sequence[Change]) -> ThingChange | None:
        """A thing with its changes; None where all of them are told elsewhere."""
        of_itself = [one for one in changes if one.path == path and len(path) > 1]
        kind, was = _kind_of(of_itself)
        parts = self._parts(path, changes, of_itself)
        if kind == "changed" and not parts and not of_itself:
            return None
        thing = self._thing(path, _settled(kind, parts), parts, was)
        return replace(
            thing,
            tables=self._tables(path, changes, bool(of_itself) and kind != "renamed"),
            also=self._also(changes),
        )

    def _thing(
        self, path: Path, kind: ChangeKind, parts: tuple[PartChange, ...], was: str = ""
    ) -> ThingChange:
        collection = _collection(path)
        stood = self.standings[0].of(collection, was or path[-1])
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
        self, path: Path, changes: Sequence[Change], of_itself: Sequence[Change]
    ) -> tuple[PartChange, ...]:
        parts: tuple[PartChange, ...] = ()
        for change in of_itself:
            if isinstance(change, Removed | Changed):
                parts += whole_parts(self.editions.gone, path, "removed")
            if isinstance(change, Added | Changed):
                parts += whole_parts(self.editions.new, path, "added")
        inside = part_changes(self.editions, [one for one in changes if one not in of_itself])
        moved = [one for one in inside if one.path != path]
        itself = [replace(one, where="") for one in inside if one.path == path]
        return (*parts, *itself, *(one for one in moved if one.path[: len(path)] == path))

    def _tables(
        self, path: Path, changes: Sequence[Change], whole: bool
    ) -> tuple[ChangedTable, ...]:
        if path[:1] != ("collections",) or path[1] not in ("tables", "modifiers"):
            return ()
        told = ChangedCells.of(changes, len(path), whole=whole)
        if not told.many:
            return ()
        return changed_tables(self.editions.old, self.editions.new, path, told)


def _standing(of: Iterable[Place], things: Iterable[ThingChange]) -> RulePlace:
    """Where the first thing that an author names stands, if it stands in a chapter."""
    standing = {
        (part_name(one.id), one.thing == "section"): one.standing
        for one in things
        if one.standing.rule
    }
    named = (standing.get((place.parts[0], place.heading)) for place in of)
    found = next((one for one in named if one is not None), None)
    return found or next(iter(standing.values()), RulePlace())


def _kind_of(of_itself: Sequence[Change]) -> tuple[ChangeKind, str]:
    """What became of a thing itself, and its old id if it has another."""
    for change in of_itself:
        if isinstance(change, Renamed):
            return "renamed", change.old
        if isinstance(change, Added | Removed):
            return ("added" if isinstance(change, Added) else "removed"), ""
    return "changed", ""


def _settled(kind: ChangeKind, parts: Sequence[PartChange]) -> ChangeKind:
    """A thing of which only words are others is reworded, one that only stands elsewhere moved."""
    kinds = {part.kind for part in parts}
    return next(iter(kinds)) if kind == "changed" and kinds in ({"reworded"}, {"moved"}) else kind


def _references(ruleset: Ruleset) -> Mapping[str, str]:
    """Headings by number and title."""
    numbers = rule_numbers(ruleset.chapters)
    sections = (one for chapter in ruleset.chapters for one in chapter.sections)
    return {one.id: f"{numbers[one.id]} {one.title}" for one in sections}


def _moved_headings(
    editions: PrintedEditions, changes: Iterable[Change]
) -> Iterator[tuple[Path, PartChange]]:
    """Chapters and sections that both editions have in different places, each by its path."""
    old, new = editions.old.parts.ruleset, editions.new.parts.ruleset
    now = editions.renamed(("sections",))
    stood = {
        now.get(one.id, one.id): chapter.id for chapter in old.chapters for one in chapter.sections
    }
    for change in changes:
        if isinstance(change, Added) and len(change.path) == 3 and change.path[2] in stood:
            heading = change.path[2]
            before = _in_chapter(old, stood[heading])
            after = _in_chapter(new, change.path[1])
            part = PartChange(change.path, "moved", "", before, after)
            yield ("sections", heading), part
        elif isinstance(change, Ordered):
            kind = "chapters" if len(change.path) == 1 else "sections"
            before_order = [now.get(one, one) for one in _order(old, change.path)]
            for key in change.moved:
                before = _behind(new, kind, before_order, key)
                after = _behind(new, kind, change.order, key)
                yield (kind, key), PartChange((*change.path, key), "moved", "", before, after)


def _in_chapter(ruleset: Ruleset, chapter: str) -> str:
    return gettext("in %(chapter)s", chapter=title_of(ruleset, ("chapters", chapter)))


def _order(ruleset: Ruleset, path: Path) -> list[str]:
    """Chapters, or the headings of one of them, in the edition before."""
    if len(path) == 1:
        return [chapter.id for chapter in ruleset.chapters]
    return [
        one.id for chapter in ruleset.chapters if chapter.id == path[1] for one in chapter.sections
    ]


def _behind(ruleset: Ruleset, kind: str, order: Sequence[str], key: str) -> str:
    index = order.index(key) if key in order else 0
    if index == 0:
        return gettext("first")
    return gettext("behind “%(title)s”", title=title_of(ruleset, (kind, order[index - 1])))


def _collection(path: Path) -> str:
    """The collection of a thing, or what stands for one beside the collections."""
    return path[1] if path[0] == "collections" else path[0]


def _value_names(path: Path) -> tuple[str, ...]:
    """The keys of a value as bindings name them; that of a cell written out has one key more."""
    return tuple(names_of(path[:-1] if path[-1] == "value" else path))


def _names(binding: str) -> tuple[str, ...]:
    """musketry[8-16in, first, open] -> its keys; those of a title go on to no value."""
    return tuple(part_name(key) for key in re.split(r"[.\[\],]\s*", binding) if key.strip())


def _sentences(tree: Tree, path: Path, told: set[Path]) -> Iterator[tuple[Path, str]]:
    """Every text that is not told as a change of its own, with its path."""
    if path in told:
        return
    if isinstance(tree, Branch):
        for key, part in tree.parts.items():
            yield from _sentences(part, (*path, key), told)
    elif tree is not None and "{" in tree and path[0] in _READ:
        yield path, tree
