"""Two editions and what their author says of the changes -> each change with its class.

Bars, notes, errata, `rulebook diff` and what changes do in play ask it: what changed, which part
was which, and whether a change is one that is marked.

The author has to class each change of what is played, or of the wording of a rule. What only
concerns how rules are presented (titles, notes, cards, examples) is editorial unless the author
says more. So is a new order of things whose order plays no part, and a new id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property

from rulebook.model.lookup import LookupFault, parse_path
from rulebook.model.plain_data import Plain
from rulebook.model.revisions import (
    CLASSES,
    EDITORIAL,
    ChangeClass,
    ChangedPlace,
    EditionNotes,
    Revision,
    Revisions,
    part_name,
)
from rulebook.model.ruleset import Address
from rulebook.model.scalars import ID_PATTERN, ROWS_AT
from rulebook.problems import Problem, Span
from rulebook.revisions.changes import (
    FIELDS,
    OF_ROW,
    UNWRITTEN,
    Branch,
    EditionChange,
    Path,
    Tree,
    by_thing,
    collection_of,
    depth_of,
    is_cell,
    names_of,
    part_at,
)
from rulebook.revisions.comparison import WAS, Comparison, compare

#: Collections whose changes are rules unless the part that changed is only words.
_OF_RULES = (*ROWS_AT, "procedures", "cutouts", "units", "sequence")
_OF_RULES_IN_HEADER = (("header", "natural"), ("header", "lengths"))
#: Fields that describe a rule without being one, or say where it prints.
_OF_WORDS = {*OF_ROW, "about", "notes", "label", "tab", "use"}
_OF_WORDS |= {"qrs", "booklet", "wide", "examples", "cutouts"}
#: The value of a cell that has none.
_MISSING = "missing"
#: Where the order of things is one of play, or of what is said: of steps, phases and sentences.
_IN_ORDER = ("procedures", "sequence", "sections")
#: A paragraph that stands for a table, a cutout or the like.
BLOCK = re.compile(r"\{(?:table|cutout|figure|example|steps|chart): [^{}]*\}$")
#: The beginning of a paragraph that is a designer's note.
_REMARK = re.compile(r"\{(?:read|house|missing): [^{}]*\}(?:$| )")
#: What an edition changes of itself, or says in no document.
OF_EDITION = (("header", "edition"), ("header", "date"), ("header", "players"))


@dataclass(frozen=True, slots=True)
class Classed:
    """Changes that belong to one revision of the author; without a revision they are editorial."""

    revision: Revision | None
    changes: tuple[EditionChange, ...]

    @property
    def class_(self) -> ChangeClass:
        return self.revision.class_ if self.revision else EDITORIAL


def is_rule(change: EditionChange) -> bool:
    """Tells whether a change may be one of the rules, so that the author must give it a class."""
    path = change.path
    if change.kind == "renamed" or change.is_only_order:
        return False
    if change.kind == "moved":
        return collection_of(path) in _IN_ORDER
    if path[0] == "sections":
        named = path[2:3] in {("title",), ("level",)}
        return not (named or BLOCK.match(path[-1]) or _REMARK.match(path[-1]))
    if path[0] == "collections" and len(path) > 1:
        return path[1] in _OF_RULES and not _is_of_words(path[3:]) and _is_value(change)
    return path[:2] in _OF_RULES_IN_HEADER or (
        path[0] == "options" and _OF_WORDS.isdisjoint(path[2:3])
    )


def _is_of_words(
    inside: Path, of_rows: Iterable[str] = OF_ROW, words: Set[str] = _OF_WORDS
) -> bool:
    """Tells whether a part of an entity only describes it, and holds no rule.

    `inside` is the path of the part in the entity, in which fields and ids alternate. `of_rows` are
    the fields of a row that only describe it, and `words` such fields of everything else.
    """
    if inside[:1] in {("data",), ("rows",)}:
        return not set(of_rows).isdisjoint(inside[2:])
    return not words.isdisjoint(inside[::2])


def _is_value(change: EditionChange) -> bool:
    """Tells whether a change affects more than the note, status or source of a cell."""
    return change.kind != "changed" or _computed(change.old) != _computed(change.new)


def _computed(tree: Tree) -> Tree:
    """Returns the value of a cell without note, status and source; any other part as it is."""
    return (part_at(tree, ("value",)) or _MISSING) if is_cell(tree) else tree


def places_of(thing: Path, changes: Iterable[EditionChange]) -> list[str]:
    """Lists the shortest names that an author can give to the changes of a thing in revisions.yaml.

    If changes of an entity have several names, its own id stands for all of them.
    """
    places = list(dict.fromkeys(map(place_of, changes)))
    return [thing[2]] if thing[0] == "collections" and len(places) > 1 else places


def place_of(change: EditionChange) -> str:
    """Returns the name that revisions.yaml uses for a changed entity, row, section or option.

    A section is named by # and its id, and a part of the header by `ruleset` and its key.
    """
    path = change.path
    if path[0] == "sections":
        return f"#{path[1]}"
    if path[0] == "header":
        return ".".join(("ruleset", *path[1:2]))
    if path[0] == "options":
        return path[1]
    row = path[4] if len(path) > 4 and path[3] in UNWRITTEN else ""
    return f"{path[2]}.{row}" if re.fullmatch(ID_PATTERN, row) else path[2]


#: Words of a row, and of anything else, that say nothing of how it is played.
_UNPLAYED_OF_ROWS, _UNPLAYED = (*OF_ROW, "when"), _OF_WORDS | {"say", "rule"}


def is_played(change: EditionChange) -> bool:
    """Tells whether a change of a table, procedure or cutout may affect play.

    A change of mere wording, of an id or of notes does not. The order of choices, rows and steps
    counts, since it decides what is usual and what comes first.
    """
    collection, inside = change.path[1], change.path[3:]
    if change.kind == "renamed" or change.is_only_order or not _is_value(change):
        return False
    if _is_of_words(inside, _UNPLAYED_OF_ROWS, _UNPLAYED):
        return False
    of_axis = collection == "tables" and inside[:1] in {("rows",), ("columns",)}
    if of_axis or inside[-2:-1] == ("one_of",):
        return change.kind != "changed"  # the title of a place or choice
    tree = change.old if change.kind == "removed" else change.new
    fields = tree.parts.keys() if isinstance(tree, Branch) and tree.kind == FIELDS else None
    return change.kind == "changed" or not fields or not fields <= _UNPLAYED


@dataclass(frozen=True)
class Revised:
    """The changes between two editions, with what the author says of them.

    `unclassed` are changes that the author still has to class; `idle` are places that revisions
    name though nothing changed there.
    """

    comparison: Comparison
    notes: EditionNotes
    classed: tuple[Classed, ...]
    unclassed: tuple[EditionChange, ...]
    idle: tuple[tuple[Revision, ChangedPlace], ...]

    @cached_property
    def _marked(self) -> set[Path]:
        """The paths of the changes that have change bars, unclassed ones included."""
        classed = (each.changes for each in self.classed if CLASSES[each.class_].marked)
        return {change.path for changes in (*classed, self.unclassed) for change in changes}

    @cached_property
    def _of_things(self) -> Mapping[Path, list[EditionChange]]:
        listed = [change for classed in self.classed for change in classed.changes]
        return by_thing(change for change in (*listed, *self.unclassed) if change.kind != "moved")

    @cached_property
    def _of_values(self) -> Mapping[str, list[tuple[Path, Path]]]:
        """The changed values by the first of the names that a binding uses for them.

        Each is a pair of all its names and the path of the change.
        """
        found: dict[str, list[tuple[Path, Path]]] = {}
        for change in (change for listed in self._of_things.values() for change in listed):
            if change.path[0] in ("collections", "header") and len(change.path) > 1:
                names = tuple(names_of(change.path))
                found.setdefault(names[0], []).append((names, change.path))
        return found

    def unmarked(self, *path: str) -> bool:
        """Tells whether there are changes at, in or around a path, none of which has a change bar.

        The changes of values that a part at the path takes from elsewhere count too.
        """
        thing = self._of_things.get(path[: depth_of(path)], ())
        found = [change.path not in self._marked for change in thing if _meet(change.path, path)]
        found += [
            self.unmarked_value(source)
            for changed, source in self.comparison.follows.items()
            if _meet(changed, path)
        ]
        return bool(found) and all(found)

    def unmarked_value(self, target: str) -> bool:
        """Tells whether the value that a binding names has changed, without any change bar.

        Returns False if `target` cannot be parsed.
        """
        try:
            path = parse_path(target)
        except LookupFault:
            return False
        keys = (path.name, *(path.keys or ()), *path.parts)
        names = tuple(part_name(key.text) for key in keys)
        near = self._of_values.get(names[0], ())
        found = [at not in self._marked for called, at in near if _meet(called, names)]
        return bool(found) and all(found)


def _meet(changed: Path, path: Path) -> bool:
    """Tells whether one path begins with the other."""
    return changed[: len(path)] == path[: len(changed)]


def revised(
    old: Mapping[str, Plain], new: Mapping[str, Plain], notes: EditionNotes | None
) -> Revised:
    """Compares two editions and gives each change the class that the author's notes state.

    A change belongs to the revision that names the smallest part that contains it. Other changes
    are unclassed if they may be changes of the rules, and editorial otherwise.
    """
    comparison, notes = compare(old, new), notes or EditionNotes()
    listed = [(index, place) for index, noted in enumerate(notes.changes) for place in noted.of]
    at: dict[tuple[bool, Path], list[tuple[int, ChangedPlace]]] = {}
    for index, place in listed:
        at.setdefault((place.heading, place.parts), []).append((index, place))
    found: list[list[EditionChange]] = [[] for _ in notes.changes]
    editorial: list[EditionChange] = []
    unclassed: list[EditionChange] = []
    used: set[tuple[int, ChangedPlace]] = set()
    # Renames come after all others, so that it is known by then where those went.
    for change in sorted(comparison.own, key=lambda change: change.kind == "renamed"):
        path, names = change.path, tuple(names_of(change.path))
        if path[:2] in OF_EDITION or change.is_only_order:
            continue
        fitting = [
            fit
            for depth in range(len(names) + 1)
            for fit in at.get((path[0] == "sections", names[:depth]), ())
        ]
        used |= set(fitting)
        if fitting:
            nearest, _ = max(fitting, key=lambda fit: len(fit[1].parts))
            found[nearest].append(change)
        elif change.kind == "renamed":
            # A new name goes with what changed under it; alone nobody sees it in play.
            inside = any(other_change.path[: len(path)] == path for other_change in unclassed)
            (unclassed if inside else editorial).append(change)
        else:
            (unclassed if is_rule(change) else editorial).append(change)
    by_revision = zip([*notes.changes, None], [*found, editorial], strict=True)
    return Revised(
        comparison,
        notes,
        tuple(Classed(revision, tuple(changes)) for revision, changes in by_revision if changes),
        tuple(unclassed),
        tuple((notes.changes[fit[0]], fit[1]) for fit in listed if fit not in used),
    )


def refusals(
    revision: Revised,
    edition: str,
    file: str,
    places: Mapping[Address, Span],
    content: Mapping[Address, Span],
) -> Iterator[Problem]:
    """Yields the faults in revisions.yaml that prevent a release.

    These are places that are listed but have not changed, changes of the rules without a class, and
    wrong former ids. `file` is the path of revisions.yaml, `places` has the places of its parts,
    and `content` those of the parts of the ruleset.
    """
    yield from stray_names(revision.comparison, content)
    for noted, place in revision.idle:
        at = ("editions", edition, "changes", revision.notes.changes.index(noted))
        here = places.get((*at, "of", noted.of.index(place)), Span(file))
        yield Problem(
            "R805",
            f"'{place}' has not changed since the edition before",
            here,
            expected="entities, parts of them and headings that differ",
        )
    if revision.unclassed:
        number = len(by_thing(revision.unclassed))
        yield Problem(
            "R804",
            f"{number} {'things' if number > 1 else 'thing'} changed in the rules without a class",
            Span(file),
            expected="an entry under 'changes' for each, with its class and a sentence on why",
            hint="fill in the lines printed below and put them into the file",
        )


def stray_names(comparison: Comparison, content: Mapping[Address, Span]) -> Iterator[Problem]:
    """Yields faults of former ids (`was:`) that the old edition lacks or the new one still has.

    `content` has the places of the parts of the ruleset.
    """
    for path, was in comparison.stray:
        at = path[1:] if path[0] == "collections" else path
        yield Problem(
            "R806",
            f"nothing that is gone was called '{was}' in the edition before",
            content.get((*at, WAS), content.get(at)),
            expected="the id that this had there, and that nothing has now",
        )


def gone_and_new(comparison: Comparison) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yields each place where some ids were removed and others added, with both lists of ids.

    The place is in words, such as a table's id or "data of" and that id. Only options, entities,
    and rows and columns of tables are considered.
    """
    found: dict[str, dict[Path, list[str]]] = {"removed": {}, "added": {}}
    for change in comparison.changes:
        at, part = change.path[:-1], change.new if change.kind == "added" else change.old
        inside = at[3:] in (("data",), ("rows",), ("fields",))
        named = at == ("options",) or (at[:1] == ("collections",) and (len(at) == 2 or inside))
        if change.kind in found and named and isinstance(part, Branch) and part.kind == FIELDS:
            found[change.kind].setdefault(at, []).append(change.path[-1])
    gone, new = found["removed"], found["added"]
    for at in (at for at in gone if at in new):
        yield " of ".join(reversed(at[2:] or at[-1:])), gone[at], new[at]


def stub(
    changes: Iterable[EditionChange], edition: str, after: str, revisions: Revisions
) -> tuple[str, str]:
    """Drafts the lines that an author has to add to revisions.yaml, and to complete.

    There is an entry for each thing that changed. Returns where the lines belong, in words, and the
    lines. `after` is the edition that `edition` is compared with, and `revisions` is the present
    content of the file. A thing with several changes is named as a whole.
    """
    notes = revisions.editions.get(edition)
    if notes is not None and notes.changes:
        where, head = f"below the last of the 'changes' of \"{edition}\"", []
    elif notes is not None:
        where, head = f'below "{edition}"', ["    changes:"]
    elif revisions.editions:
        where, head = "at the end of 'editions'", _edition_head(edition, after)
    else:
        where, head = "at the end", ["editions:", *_edition_head(edition, after)]
    lines, gravest, rest = list(head), next(iter(CLASSES)), ", ".join([*CLASSES][1:])
    for thing, own in by_thing(changes).items():
        places = ", ".join(
            f"'{place}'" if "#" in place else place for place in places_of(thing, own)
        )
        lines += [
            "      - title:",
            f"        of: [{places}]",
            f"        class: {gravest}    # or {rest}",
            "        why:",
        ]
    return where, "\n".join(lines)


def _edition_head(edition: str, after: str) -> list[str]:
    return [f'  "{edition}":', f'    after: "{after}"', "    changes:"]
