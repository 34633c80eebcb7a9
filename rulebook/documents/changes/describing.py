"""Two editions and what their author says of the changes -> all changes, in a reader's words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

from rulebook import quantities
from rulebook.documents.changes.described import (
    ChangeKind,
    ComparedEdition,
    DescribedChanges,
    DescribedRevision,
    PartChange,
    RuleNumbers,
    RulePlace,
    RulePlaces,
    ThingChange,
    word_runs,
)
from rulebook.documents.changes.things import (
    THINGS,
    UNSHOWN_OF_CUTOUTS,
    title_of,
    where,
)
from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.compared_tables import (
    ChangedTable,
    KeyedTable,
    changed_cells,
    changed_tables,
    composed_table,
)
from rulebook.documents.parts.printed_parts import PathStep, PrintedEdition
from rulebook.model.cells import Cell
from rulebook.model.grids import Grid
from rulebook.model.lengths import Lengths
from rulebook.model.plain_data import Plain, plain_ruleset
from rulebook.model.procedures import Input
from rulebook.model.prose import Remark, Text, rule_numbers
from rulebook.model.record_tables import Change as ChangedAmount
from rulebook.model.record_tables import FieldSpec, TableOfRows, TableRow
from rulebook.model.revisions import ChangedPlace, EditionNotes, part_name
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import Prose
from rulebook.quantities import format_date
from rulebook.revisions.changes import (
    FIELDS,
    NAMED,
    OF_CELL,
    Branch,
    EditionChange,
    Path,
    by_thing,
    collection_of,
    depth_of,
    is_cell,
    is_of_table,
    part_at,
    unkeyed,
)
from rulebook.revisions.comparison import Comparison
from rulebook.revisions.likeness import together
from rulebook.revisions.revised import Revised, revised
from rulebook.translation import gettext, gettext_noop

#: What became of a part that only one edition has.
OfOne: TypeAlias = Literal["added", "removed"]
#: Parts of a grid that stand for changes of its data, and of other tables for those of their cells.
_AXES, _COLUMNS = {("rows",), ("columns",)}, {("fields",), ("changes",)}
#: Parts of many values that stand in one line.
_IN_ONE = TableRow | Cell | Lengths
#: What stands for an input that only one edition asks for.
_INPUT = gettext_noop("an input")
#: Of a long text, what is quoted where only its place is named.
_QUOTED = 60
#: Values that stand in one line, each with its name.
_TOGETHER = ("zones", "rings", "faces", "size", "stand", "holes", "centre", "base", "ring")


def compared(old: Ruleset, new: Ruleset, notes: Iterable[EditionNotes] = ()) -> ChangeDescriber:
    """Compares two editions, or two rulesets, and returns an object that describes their changes.

    `notes` are those of the editions after the old one up to the new one, the oldest first. If the
    two convert lengths differently, they are compared with lengths as written, so that the
    conversion is one change and not one for every length. Changes are still shown with the
    converted lengths.
    """
    printed = old, new
    if old.header.lengths != new.header.lengths:
        old, new = old.written or old, new.written or new
    said = list(notes)
    summary = said[-1].summary if len(said) == 1 else None
    changes = tuple(change for notes in said for change in notes.changes)
    together = EditionNotes().model_copy(update={"summary": summary, "changes": changes})
    return ChangeDescriber(
        revised(plain_ruleset(old), plain_ruleset(new), together), old, new, printed
    )


def _side_of(ruleset: Ruleset) -> ComparedEdition:
    """Returns the id, title, edition, date and options in force of a ruleset that is compared."""
    header = ruleset.header
    date = format_date(header.date) if header.date else ""
    options = tuple(ruleset.options[name].title for name in ruleset.chosen)
    return ComparedEdition(ruleset.id, header.title, header.edition, date, options=options)


@dataclass(frozen=True)
class ChangeDescriber:
    """Describes the changes between two rulesets in a reader's words.

    `printed` are the two as they print, where lengths are converted in one of them.
    """

    revised: Revised
    former: Ruleset
    ruleset: Ruleset
    printed: tuple[Ruleset, Ruleset] | None = None

    @property
    def comparison(self) -> Comparison:
        return self.revised.comparison

    @cached_property
    def old(self) -> PrintedEdition:
        """The old edition with rule numbers of the new one, so that a new number is no change."""
        return replace(self.gone, references=self.new.references)

    @cached_property
    def new(self) -> PrintedEdition:
        ruleset = self.printed[1] if self.printed else self.ruleset
        references = {**_references(self.former), **_references(self.ruleset)}
        return PrintedEdition(ruleset, self.comparison.new, references)

    @cached_property
    def gone(self) -> PrintedEdition:
        """The old edition with its own rule numbers, to describe parts that the new one lacks."""
        ruleset = self.printed[0] if self.printed else self.former
        names = self.comparison.former_keys
        return PrintedEdition(ruleset, self.comparison.old, _references(self.former), names)

    @cached_property
    def standings(self) -> tuple[RulePlaces, RulePlaces]:
        return RulePlaces(self.former), RulePlaces(self.ruleset)

    def described(self) -> DescribedChanges:
        """Describes all changes between the two rulesets in words.

        They are grouped by the author's revisions; editorial changes and those without a class are
        listed apart. The titles and rule numbers of both editions are included.
        """
        notes = self.revised.notes
        listed = [
            (classed.revision, self.things(classed.changes)) for classed in self.revised.classed
        ]
        old, new = (side.numbers for side in self.standings)
        return DescribedChanges(
            old=_side_of(self.former),
            new=_side_of(self.ruleset),
            summary=self.new.prose(notes.summary),
            revisions=tuple(
                DescribedRevision(
                    title=revision.title,
                    class_=revision.class_,
                    why=self.new.prose(revision.why),
                    standing=_standing(revision.of, things),
                    things=things,
                )
                for revision, things in listed
                if revision
            ),
            editorial=tuple(
                thing for revision, things in listed if revision is None for thing in things
            ),
            unclassed=self.things(self.revised.unclassed),
            numbers=RuleNumbers(
                old, new, {id_: self.comparison.was("sections", id_) for id_ in new}
            ),
        )

    def kept(self, path: Path) -> tuple[Plain, Plain]:
        """Returns the plain data of the part at a path in the old and in the new edition.

        It is None in an edition that lacks the part, and for parts of the cover.
        """
        steps = [side.at(path) for side in (self.old, self.new)]
        old, new = (unkeyed(step.tree) if step and path[0] != "cover" else None for step in steps)
        return old, new

    # Things, each with all of its changes.

    def things(self, changes: Iterable[EditionChange]) -> tuple[ThingChange, ...]:
        """Describes the things that some changes affect, each with its changes, in booklet order.

        Chapters and sections that moved are things of their own.
        """
        listed = list(changes)
        of_things = by_thing(change for change in listed if change.path[0] != "chapters")
        found = [self._of_changes(path, own) for path, own in of_things.items()]
        for change in listed:
            if change.path[0] == "chapters":
                found += self._moved_headings(change)
        return tuple(sorted((thing for thing in found if thing is not None), key=self._position))

    def _position(self, thing: ThingChange) -> tuple[float, bool]:
        """Returns a key for sorting things by the position of their headings in the booklet.

        A section comes before other things with the same heading.
        """
        old, new = self.standings
        return new.position(thing.standing.heading, old), thing.thing.name != "section"

    def _of_changes(self, path: Path, changes: Sequence[EditionChange]) -> ThingChange | None:
        """Describes a thing, given by its path, with its changes.

        Returns None if the changes are already shown by other things.
        """
        of_itself = [change for change in changes if change.path == path and len(path) > 1]
        kinds = [change.kind for change in of_itself if change.kind != "changed"]
        kind = kinds[0] if kinds else "changed"
        parts: list[PartChange] = []
        for change in of_itself:
            if change.kind in ("removed", "changed"):
                parts += self._whole(self.gone, path, "removed")
            if change.kind in ("added", "changed"):
                parts += self._whole(self.new, path, "added")
        inside = self._inside([change for change in changes if change not in of_itself])
        parts += [replace(part, where="") for part in inside if part.path == path]
        parts += [part for part in inside if part.path != path and part.path[: len(path)] == path]
        if kind == "changed" and not parts and not of_itself:
            return None
        was = self.comparison.was(*path) if kind == "renamed" else ""
        thing = self._thing(path, _settled(kind, parts), parts, was)
        tables = self._tables(path, changes, bool(of_itself) and kind != "renamed")
        return replace(thing, tables=tables, also=tuple(self._also(changes)))

    def _thing(
        self, path: Path, kind: ChangeKind, parts: Iterable[PartChange], was: str = ""
    ) -> ThingChange:
        collection, is_new = collection_of(path), len(path) == 1 or self.new.at(path) is not None
        stood = self.standings[0].place_of(collection, was or path[-1])
        return ThingChange(
            path=path,
            thing=THINGS[collection],
            id=path[-1] if len(path) > 1 else "ruleset",
            kind=kind,
            title=title_of(self.new if is_new else self.old, path),
            standing=self.standings[1].place_of(collection, path[-1]) if is_new else stood,
            stood=None if kind == "added" else stood,
            was=was,
            parts=tuple(parts),
        )

    def _tables(
        self, path: Path, changes: Sequence[EditionChange], whole: bool
    ) -> tuple[ChangedTable, ...]:
        if not is_of_table(path):
            return ()
        shown = None if whole else changed_cells(changes, len(path))
        if shown == set():
            return ()
        old, new = (_keyed(side, path) for side in (self.old, self.new))
        return changed_tables(old and old.renamed(path, self.comparison.now), new, shown)

    def _also(self, changes: Iterable[EditionChange]) -> Iterator[ThingChange]:
        """Yields things whose printed text changed only because it takes or binds a changed value.

        `changes` are the changes of these values. Each thing has the changed text as its only part.
        """
        following = self.comparison.following
        for path in dict.fromkeys(path for change in changes for path in following(change)):
            texts = self._texts(path)
            if texts[0] != texts[1]:
                kind: ChangeKind = "reworded" if all(" " in text for text in texts) else "changed"
                yield self._thing(path[: depth_of(path)], kind, [self._part(path, kind, texts)])

    def _moved_headings(self, change: EditionChange) -> Iterator[ThingChange]:
        """Yields the chapters and sections that a change of the list of chapters moves.

        Each has its former and its present position in words.
        """
        path, now = change.path, self.comparison.now
        kind = "chapters" if len(path) == 1 else "sections"
        found: list[tuple[str, tuple[str, str]]] = []
        if change.kind == "added" and len(path) == 3:
            for chapter in self.former.chapters:
                if path[2] in (now(("sections", section.id)) for section in chapter.sections):
                    titles = chapter.title, title_of(self.new, path[:2])
                    before, after = (gettext("in %(chapter)s", chapter=title) for title in titles)
                    found.append((path[2], (before, after)))
        elif change.kind == "moved":
            orders = [now(("sections", id_)) for id_ in _keys(self.old, path)], change.order

            def title(id_: str) -> str:
                return title_of(self.new, (kind, id_))

            found += [(key, _behind(orders, key, title)) for key in change.moved]
        for key, texts in found:
            part = PartChange((*path[:2], key), "moved", "", *texts)
            yield self._thing((kind, key), "moved", [part])

    # Parts of things.

    def _where(self, path: Path) -> str:
        """Returns the place of a part in words, as in the new edition if that has it."""
        return where(self.new if self.new.at(path) else self.old, path)

    def _texts(self, path: Path) -> tuple[str, str]:
        """Returns the printed text of a part in the old and in the new edition.

        If the part is a note whose title differs, both texts begin with the title.
        """
        before, after = self.old.text(path), self.new.text(path)
        steps = [side.at(path) for side in (self.old, self.new)]
        titles = [step.value.title for step in steps if step and isinstance(step.value, Remark)]
        if len(set(titles)) < 2:
            return before, after
        return f"{titles[0]}. {before}", f"{titles[1]}. {after}"

    def _old_keys(self, path: Path) -> list[str]:
        """Returns the keys below a path in the old edition, as they are called in the new one."""
        return [self.comparison.now((*path, key)) for key in _keys(self.old, path)]

    def _part(
        self, path: Path, kind: ChangeKind, texts: tuple[str, str], place: str | None = None
    ) -> PartChange:
        """Makes a difference of a part from its texts before and after.

        `place` is its place in words; if it is None, it is found from the path.
        """
        runs = word_runs(*texts) if kind == "reworded" else ()
        named = self._where(path) if place is None else place
        return PartChange(path, kind, named, *texts, runs)

    def _in_section(self, part: PartChange) -> tuple[int, bool]:
        """Returns a sort key for a changed paragraph: its position in the section.

        A removed paragraph comes before an added one at the same position. For any other part of a
        section the key comes before those of all paragraphs.
        """
        path = part.path
        before, after = self._old_keys(path[:3]), _keys(self.new, path[:3])
        if path[2:3] != ("parts",) or len(path) != 4 or path[3] not in {*before, *after}:
            return -1, False
        order = together(before, after)
        place = sum(key in after for key in order[: order.index(path[3])])
        return place, bool(part.after)

    def _inside(self, changes: Sequence[EditionChange]) -> list[PartChange]:
        """Returns the differences inside a thing that some changes make, without repetitions.

        Those of a section are in the order of its paragraphs.
        """
        parts = [part for change in _described_once(changes) for part in self._parts_of(change)]
        parts = [part for part in parts if not _is_noted(part, parts)]
        if parts and parts[0].path[0] == "sections":
            parts.sort(key=self._in_section)
        return parts

    def _parts_of(self, change: EditionChange) -> Iterable[PartChange]:
        path = change.path
        if change.kind == "moved":
            return self._moved(change)
        if change.kind == "renamed":
            return [self._renamed(change)]
        if change.kind != "changed":
            return self._of_one_edition(path, change.kind)
        if is_cell(change.old) or is_cell(change.new):
            return self._of_cell(change)
        worded = any(_is_worded(side.at(path)) for side in (self.old, self.new))
        return [self._part(path, "reworded" if worded else "changed", self._texts(path))]

    def _of_one_edition(self, path: Path, kind: OfOne) -> Sequence[PartChange]:
        """Describes a part that only one edition has, which `kind` says.

        There is a difference for each text in the part, or just one with its value if it has no
        texts. None is returned if the part cannot be found.
        """
        side = self.new if kind == "added" else self.gone
        step = side.at(path)
        if step is None:
            return ()
        if isinstance(step.value, FieldSpec | ChangedAmount):
            text = side.column(path)
        elif isinstance(step.value, Input):
            text = gettext(_INPUT)  # its label stands before it
        elif isinstance(step.tree, Branch) and not isinstance(step.value, _IN_ONE):
            if sayings := self._whole(side, path, kind):
                return sayings
            text = side.printed(step)
        else:
            text = side.text(path)
        return [self._part(path, kind, _before_and_after(text, kind))]

    def _whole(self, side: PrintedEdition, path: Path, kind: OfOne) -> list[PartChange]:
        """Returns a difference for each text in a thing, or part of one, that was added or removed.

        `side` is the edition that has it, and `path` is its path. Empty texts are left out.
        """
        step = side.at(path)
        played = side.played(path)
        parts: list[PartChange] = []
        for at, inner in _sayings(step, path, collection_of(path)) if step else ():
            text = side.printed(inner, played)
            if text and text != quantities.EN_DASH:
                texts = _before_and_after(text, kind)
                parts.append(PartChange(at, kind, where(side, at), *texts))
        return parts

    def _of_cell(self, change: EditionChange) -> Iterator[PartChange]:
        """Yields the differences of a cell, one each for its value, note, source and status."""
        texts = self._texts(change.path)
        if texts[0] != texts[1]:
            yield self._part(change.path, "changed", texts)
        for key in OF_CELL:
            if part_at(change.old, (key,)) != part_at(change.new, (key,)):
                before, after = texts = self._texts((*change.path, key))
                kind: ChangeKind = "removed" if not after else "reworded" if before else "added"
                place = ", ".join(filter(None, (self._where(change.path), key)))
                yield self._part((*change.path, key), kind, texts, place)

    def _renamed(self, change: EditionChange) -> PartChange:
        """Describes a renamed part by its places in words before and after.

        If these are equal, it is described by its old and new ids.
        """
        before, after = (where(side, change.path) for side in (self.old, self.new))
        if before == after:
            return PartChange(change.path, "renamed", after, str(change.old), change.path[-1])
        return PartChange(change.path, "renamed", "", before, after)

    def _moved(self, change: EditionChange) -> Iterator[PartChange]:
        """Yields a difference for each part that moved, with what it follows before and now."""
        orders = self._old_keys(change.path), change.order

        def title(key: str) -> str:
            path = (*change.path, key)
            return _quoted(self._where(path) or self.new.text(path) or self.old.text(path))

        for key in change.moved:
            texts = _behind(orders, key, title)
            yield self._part((*change.path, key), "moved", texts, title(key) or key)


def _before_and_after(text: str, kind: OfOne) -> tuple[str, str]:
    return ("", text) if kind == "added" else (text, "")


def _keyed(side: PrintedEdition, path: Path) -> KeyedTable | None:
    """Returns the table at a path as an edition prints it, indexed by the ids of rows and columns.

    Returns None if the edition lacks the table or computes it.
    """
    step = side.at(path)
    if step is None or not isinstance(step.value, Grid | TableOfRows):
        return None
    return composed_table(Binder(side.ruleset), step.key)


def _is_noted(part: PartChange, parts: Sequence[PartChange]) -> bool:
    """Whether a part is a status and the note on the same thing is among `parts`.

    The status need not be shown then, since the note says the same in more words.
    """
    note = (*part.path[:-1], "note")
    return part.path[-1] == "status" and any(part.path == note for part in parts)


def _described_once(changes: Sequence[EditionChange]) -> Iterator[EditionChange]:
    """Yields the changes of a thing, except those that the description of another one includes.

    For example, new cells are left out if their whole column is new, and so are new rows of a grid
    if its axes changed.
    """
    changed = {change.path for change in changes if change.kind != "renamed"}
    around = {path[:depth] for path in changed for depth in range(1, len(path) + 1)}
    of_tables = [change.path for change in changes if is_of_table(change.path)]
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


def _is_worded(step: PathStep | None) -> bool:
    """Whether a step leads to prose, or to any other text of more than one word."""
    if step is None:
        return False
    if isinstance(step.value, Prose | Text) or step.under == "parts":
        return True
    return isinstance(step.value, str) and isinstance(step.tree, str) and " " in step.tree


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED else f"{line[: _QUOTED - 1].rsplit(' ', 1)[0]} …"


def _behind(
    orders: tuple[Sequence[str], Sequence[str]], key: str, title: Callable[[str], str]
) -> tuple[str, str]:
    """Returns what a part follows in the old and in the new order, as two texts.

    Such a text is "behind “Light cavalry”", or "first" if the part follows nothing. `key` is the
    key of the part, and `title` returns the title for a key.
    """

    def text(order: Sequence[str]) -> str:
        index = order.index(key) if key in order else 0
        if index == 0:
            return gettext("first")
        before = order[index - 1]
        return gettext("behind “%(title)s”", title=title(before) or before)

    return text(orders[0]), text(orders[1])


def _keys(side: PrintedEdition, path: Path) -> list[str]:
    step = side.at(path)
    return list(step.tree.parts) if step is not None and isinstance(step.tree, Branch) else []


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


def _standing(of: Iterable[ChangedPlace], things: Iterable[ThingChange]) -> RulePlace:
    """Returns the place of the first thing named in `of` that is in a chapter.

    If there is none, it is the place of the first of `things` that is in a chapter.
    """
    standing = {
        (part_name(thing.id), thing.thing.name == "section"): thing.standing
        for thing in things
        if thing.standing.rule
    }
    named = (standing.get((place.parts[0], place.heading)) for place in of)
    found = next((place for place in named if place is not None), None)
    return found or next(iter(standing.values()), RulePlace())


def _settled(kind: ChangeKind, parts: Sequence[PartChange]) -> ChangeKind:
    """Returns the kind of change of a thing, given the differences in it.

    A changed thing counts as reworded, or as moved, if all of its differences are of that kind.
    """
    kinds = {part.kind for part in parts}
    return next(iter(kinds)) if kind == "changed" and kinds in ({"reworded"}, {"moved"}) else kind


def _references(ruleset: Ruleset) -> dict[str, str]:
    """Maps the id of each heading to its number and title, as one text."""
    numbers = rule_numbers(ruleset.chapters)
    return {section.id: f"{numbers[section.id]} {section.title}" for section in ruleset.sections}
