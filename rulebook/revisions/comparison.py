"""Two editions as plain data -> the changes between them, and which of these follow from another.

Where both editions take a value from another place, its change follows from the change there, and
is reported there once. The same holds for a text that names something by its new id. Nothing has
changed where a value was typed and is now taken from elsewhere, or where only line ends, names of
Markdown files, or the order of things whose order nobody sees are different.

A part of the new edition is one of the old edition under another key where its author says so with
`was: old_id`; nothing else makes one thing of two ids. The items of a list have no ids: a sentence
or a step is its own key, and is known again where half of its words are the same. So is a heading,
whose id is made of its words unless one is given.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property

from rulebook.model.plain_data import Named, Plain
from rulebook.model.revisions import part_name
from rulebook.model.ruleset import AS_LISTED, Collections
from rulebook.once import MOST_KEPT, Latest, once_for_each
from rulebook.revisions.changes import (
    FIELDS,
    IN_ORDER,
    LISTED,
    NAMED,
    SORTED,
    Branch,
    EditionChange,
    Path,
    Tree,
    by_thing,
    depth_of,
    keyed,
    names_of,
    part_at,
)
from rulebook.revisions.likeness import ALIKE, pairs, shared

#: The fewest words that two parts must share for one to be taken for the other.
LEAST_SHARED = 2
#: Beyond so many pairs none are compared: whoever changes so much has written another ruleset.
MOST_PAIRS_OF_PARTS = 2_500
#: Words of a part that are compared.
MOST_COMPARED = 400

#: What says nothing of what a thing is.
_BESIDE = ("source", "status", "type", "qrs", "booklet", "level")
#: A binding, {ranges.canister.long}, is one word.
_WORD = re.compile(r"\{[^{}]*\}|\w+")
#: A paragraph that stands for a table or a cutout is no sentence.
_BLOCK = re.compile(r"\{[a-z]+: [^{}]*\}")
#: A name that is not itself a part of another one, with the part of it that follows. A hyphen
#: between letters makes one word of two; one with a space beside it, or with nothing, is a minus.
_NAME = re.compile(r"(?<![\w.])(?<!\w-)([a-z][a-z0-9_]*)(?:\.([a-z][a-z0-9_]*))?(?!\w|-\w)")

#: Old key -> new key, of the parts of a branch.
NewKeys = Mapping[str, str]


@dataclass(frozen=True)
class Renames:
    """The parts that have another key in the new edition.

    `keys` has the renames in each branch by its path in the new edition.
    """

    keys: Mapping[Path, NewKeys] = field(default_factory=dict)

    @cached_property
    def ids(self) -> NewKeys:
        """The new ids of entities, options and sections, by their old ids."""
        of_things = (names for at, names in self.keys.items() if len(at) + 1 == depth_of(at))
        return {was: now for names in of_things for was, now in names.items()}

    @cached_property
    def rows(self) -> Mapping[tuple[str, str], str]:
        """The new ids of renamed rows, by the old ids of the table and the row."""
        return {
            (self.was(at[:3]), was): now
            for at, names in self.keys.items()
            if at[3:] in (("data",), ("rows",))
            for was, now in names.items()
        }

    def spelt(self, tree: Tree) -> Tree:
        """Returns a part of the old edition with all renamed ids in its keys and texts replaced."""
        if not self.ids and not self.rows:
            return tree
        if isinstance(tree, Branch):
            parts = {self._text(key): self.spelt(part) for key, part in tree.parts.items()}
            return Branch(tree.kind, parts)
        return None if tree is None else self._text(tree)

    def named_in(self, tree: Tree) -> list[str]:
        """Lists the new names of all renamed things that a part of the old edition mentions.

        The part is searched with its keys, and names are listed once each.
        """
        found = dict.fromkeys(
            self._name(match)
            for text in _texts(tree)
            for match in _NAME.finditer(text)
            if self._name(match) != match[0]
        )
        return list(found)

    def path(self, path: Path) -> Path:
        """Converts a path of the old edition to that of the same part in the new one."""
        at: Path = ()
        for key in path:
            at = (*at, self.keys.get(at, {}).get(key, key))
        return at

    def was(self, path: Path) -> str:
        """Returns the old key of the part at a path of the new edition.

        This is its present key if the part was not renamed.
        """
        names = self.keys.get(path[:-1], {})
        return next((was for was, now in names.items() if now == path[-1]), path[-1])

    def _text(self, text: str) -> str:
        return _NAME.sub(self._name, text)

    def _name(self, match: re.Match[str]) -> str:
        name, row = match[1], match[2]
        now = self.ids.get(name, name)
        if row is None:
            return now
        return f"{now}.{self.rows.get((name, row), row)}"


def _texts(tree: Tree) -> Iterator[str]:
    if isinstance(tree, Branch):
        for key, part in tree.parts.items():
            yield key
            yield from _texts(part)
    elif tree is not None:
        yield tree


def renames_between(old: Tree, new: Tree, stated: Mapping[Path, str]) -> Renames:
    """Finds the renamed entities, rows, columns and sections of two editions.

    `stated` has the former keys that the author states, by path in the new edition; only possible
    ones are used. Renamed sections are found by the likeness of their texts. Renames of sentences
    and steps are left to `renamed_parts`.
    """
    keys: dict[Path, NewKeys] = {}
    renames = Renames(keys)
    for at in sorted({path[:-1] for path in stated}, key=len):
        before, after = _both(old, new, at, renames)
        if before and after:
            named = {was: path[-1] for path, was in stated.items() if path[:-1] == at}
            keys[at] = _possible(named, before.parts, after.parts)
    before, after = _both(old, new, ("sections",), renames)
    if before and after:
        keys["sections",] = _alike(before, after, {}, Renames())
    for at, names in list(keys.items()):
        if at[3:] == ("fields",):
            _, rows = _both(old, new, (*at[:3], "data"), renames)
            keys |= {(*at[:3], "data", row): names for row in (rows.parts if rows else ())}
    return renames


def _both(
    old: Tree, new: Tree, path: Path, renames: Renames
) -> tuple[Branch | None, Branch | None]:
    """Returns the branches of the old and the new edition that correspond to a path of the new one.

    None stands for a branch that is missing or for a part that is no branch.
    """
    former = tuple(renames.was(path[:depth]) for depth in range(1, len(path) + 1))
    found = part_at(old, former), part_at(new, path)
    before, after = (part if isinstance(part, Branch) else None for part in found)
    return before, after


def _possible(names: NewKeys, old: Collection[str], new: Collection[str]) -> NewKeys:
    """Returns the stated renames (old id to new id) that are possible.

    In a possible one the old edition has the old id, the new edition no longer has it, and the old
    edition does not have the new id. Things may also exchange ids: the old id may be used again,
    and the new one may have been used before, if another possible rename says by what.
    """
    found = dict(names)
    while wrong := [
        was
        for was, now in found.items()
        if was not in old
        or (was in new and was not in found.values())
        or (now in old and now not in found)
    ]:
        found = {was: now for was, now in found.items() if was not in wrong}
    return found


def other_axes(old: Branch, new: Branch) -> bool:
    """Tells whether two grids have other numbers of axes for rows or for columns.

    If they have, no cells of one correspond to cells of the other.
    """
    grids = all({"rows", "cells", "data"} <= grid.parts.keys() for grid in (old, new))
    return grids and any(_axes(old, side) != _axes(new, side) for side in ("rows", "columns"))


def _axes(grid: Branch, side: str) -> int:
    axes = grid.parts.get(side)
    return len(axes.parts) if isinstance(axes, Branch) else 0


def another_kind(old: Branch, new: Branch, path: Path) -> bool:
    """Tells whether a branch or an entity is of another kind in the two editions.

    If it is, no parts of it correspond. An entity is of another kind if its `shape` differs, or if
    it has `fields`, or is `computed`, in only one edition.
    """
    if old.kind != new.kind or len(path) != 3 or path[0] != "collections":
        return old.kind != new.kind
    kinds = ("fields", "computed")
    shapes = old.parts.get("shape"), new.parts.get("shape")
    return shapes[0] != shapes[1] or any((key in old.parts) != (key in new.parts) for key in kinds)


def renamed_parts(old: Branch, new: Branch, path: Path, renames: Renames) -> NewKeys:
    """Returns the new keys of the renamed parts of a branch at a path, by their old keys.

    In a list, items whose texts are alike count as renamed. In other branches these are known
    renames, and keys that are ids of renamed things. In a branch of fields, only known renames
    count.
    """
    known = renames.keys.get(path, {})
    found = {was: now for was, now in known.items() if was in old.parts and now in new.parts}
    if old.kind == LISTED:
        return _alike(old, new, found, renames)
    of_fields = old.kind == FIELDS
    free = {
        was: now
        for was, now in (found if of_fields else renames.ids).items()
        if was in old.parts and was not in new.parts
        if now in new.parts and now not in old.parts
    }
    return free if of_fields else found | free


def _alike(old: Branch, new: Branch, known: NewKeys, renames: Renames) -> NewKeys:
    """Returns the known renames, and new ones of removed parts as added parts with like texts.

    The most alike are paired first. Nothing is added if there are too many parts to compare.
    """
    gone = [key for key in old.parts if key not in new.parts and key not in known]
    come = [key for key in new.parts if key not in old.parts and key not in known.values()]
    if not gone or not come or len(gone) * len(come) > MOST_PAIRS_OF_PARTS:
        return known
    alike: list[tuple[float, str, str]] = []
    listed = old.kind == LISTED
    befores = {key: _words_of(old.parts[key], listed) for key in gone}
    spelt = {key: renames.spelt(old.parts[key]) for key in gone}
    for key in come:
        matcher = SequenceMatcher(None, (), _words_of(new.parts[key], listed), False)
        for was, words in befores.items():
            ratio = 2.0 if spelt[was] == new.parts[key] else _ratio(matcher, words)
            alike += [(ratio, was, key)] if ratio else []
    return dict(known) | {was: now for now, was in pairs(alike).items()}


def _ratio(matcher: SequenceMatcher[str], words: list[str]) -> float:
    """Returns the share of equal words of two parts, from 0 to 1.

    Returns 0 if they have too few words in common to be taken for the same part. `matcher` has the
    words of the new part, and its first sequence is set to `words`, those of the old one.
    """
    matcher.set_seq1(words)
    if not words or matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0
    shared = sum(block.size for block in matcher.get_matching_blocks())
    ratio = matcher.ratio()
    return ratio if ratio >= ALIKE and shared >= LEAST_SHARED else 0


def _words_of(part: Tree, listed: bool) -> list[str]:
    """Lists the first words of a part, by which it is compared with another.

    The keys inside an item of a list (`listed`) count as words. A paragraph that only places a
    table or the like has no words.
    """
    if isinstance(part, str) and _BLOCK.fullmatch(part):
        return []
    return list(_words(part, listed))[:MOST_COMPARED]


def _words(part: Tree, with_keys: bool) -> Iterator[str]:
    if isinstance(part, Branch):
        for key, inner in sorted(part.parts.items()):
            if key not in _BESIDE:
                yield from (key,) if with_keys else ()
                yield from _words(inner, with_keys)
    elif part is not None:
        yield from _WORD.findall(part.casefold())


def differences(old: Tree, new: Tree, path: Path, renames: Renames) -> Iterator[EditionChange]:
    """Yields all changes of the part at a path, of outer parts before those inside them.

    Yields nothing if the part is the same. Of a branch, renamed parts come first, then removed
    ones, then added and changed ones in the order of the new edition, and then a change of order.
    Paths are of the new edition, so they use the new names of renamed parts.
    """
    if _same(old, new):
        return
    if not isinstance(old, Branch) or not isinstance(new, Branch) or another_kind(old, new, path):
        yield EditionChange(path, "changed", old, new)
        return
    names = renamed_parts(old, new, path, renames)
    whole = ("data",) if other_axes(old, new) else ()
    before = {names.get(key, key): key for key in old.parts}
    yield from (EditionChange((*path, now), "renamed", was, now) for was, now in names.items())
    for key, part in old.parts.items():
        if names.get(key, key) not in new.parts:
            yield EditionChange((*path, key), "removed", old=part)
    for key, part in new.parts.items():
        if key not in before:
            yield EditionChange((*path, key), "added", new=part)
        elif key in whole:
            if not _same(old.parts[key], part):
                yield EditionChange((*path, key), "changed", old.parts[key], part)
        else:
            inside = (*path, key)
            find = _of_thing if len(inside) == depth_of(inside) else differences
            yield from find(old.parts[before[key]], part, inside, renames)
    if old.kind in IN_ORDER:
        yield from _reordered(old.parts, new.parts, names, path)


#: By path and the identities of both trees: the trees, the renames, and all changes between them.
_CHANGES: Latest[tuple[Path, int, int], tuple[Tree, Tree, Renames, tuple[EditionChange, ...]]]
_CHANGES = Latest(MOST_KEPT)


def _of_thing(old: Tree, new: Tree, path: Path, renames: Renames) -> tuple[EditionChange, ...]:
    """Returns all changes of the thing at a path, which are found only once for the same trees."""
    known = _CHANGES.again((path, id(old), id(new)))
    if known is None or known[2] != renames:
        changes = tuple(differences(old, new, path, renames))
        known = _CHANGES[path, id(old), id(new)] = old, new, renames, changes
    return known[3]


def _reordered(
    old: Mapping[str, Tree], new: Mapping[str, Tree], names: Mapping[str, str], path: Path
) -> Iterator[EditionChange]:
    """Yields a change of order, unless all old parts keep their order and new parts follow them.

    `names` maps the old keys of renamed parts to their new ones, and `path` is that of the branch.
    """
    stayed = [names.get(key, key) for key in old if names.get(key, key) in new]
    grown = [*stayed, *(key for key in new if key not in stayed)]
    if grown != list(new):
        moved = _moved(stayed, [key for key in new if key in stayed])
        yield EditionChange(path, "moved", moved=tuple(moved), order=tuple(new))


def _moved(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Returns a smallest set of keys that must be moved to turn the old order into the new one.

    They are listed in the new order.
    """
    kept = {key for block in shared(old, new) for key in new[block.b : block.b + block.size]}
    return [key for key in new if key not in kept]


def _same(old: Tree, new: Tree) -> bool:
    """Tells whether two trees are equal, with keys in the same order where order has a meaning.

    The operator `==` ignores the order of keys.
    """
    if old is new or not isinstance(old, Branch) or not isinstance(new, Branch):
        return old == new
    if old.kind != new.kind or old.parts.keys() != new.parts.keys():
        return False
    if old.kind in IN_ORDER and list(old.parts) != list(new.parts):
        return False
    return all(_same(part, new.parts[key]) for key, part in old.parts.items())


#: Parts of a snapshot that say where values come from, not what they are.
_WHERE_FROM = ("taken", "differs")
#: Parts of a snapshot whose order is the author's.
_LISTED = (*AS_LISTED, "chapters", "symbols")
#: What an entity or a row was called in the edition before: no part of what it says.
WAS = "was"
#: Lists of Markdown files in the header.
_FILES = ("chapters", "annexes", "appendices")


@dataclass(frozen=True)
class Comparison:
    """Two editions as trees, and all changes between them.

    `follows` has the paths of changes that are consequences of another change, with the path (as in
    bindings) of the value that both editions take, or the new name of the renamed thing. `stray`
    are former keys stated by the author that the old edition lacks or the new one still has, each
    with the path of the part that states it.
    """

    old: Tree
    new: Tree
    changes: tuple[EditionChange, ...]
    follows: Mapping[Path, str] = field(default_factory=dict)
    stray: tuple[tuple[Path, str], ...] = ()

    @cached_property
    def former_keys(self) -> Mapping[Path, str]:
        """The old key of each renamed part, by its path in the new edition."""
        renamed = (change for change in self.changes if change.kind == "renamed")
        return {change.path: str(change.old) for change in renamed}

    def was(self, *path: str) -> str:
        """Returns the old key of the part at a path of the new edition.

        This is its present key if the part was not renamed.
        """
        return self.former_keys.get(path, path[-1])

    def entity_was(self, collection: str, id_: str) -> str | None:
        """Returns the old id of an entity of the new edition, or None if the entity is new."""
        was = self.was("collections", collection, id_)
        return None if part_at(self.old, ("collections", collection, was)) is None else was

    @cached_property
    def of_things(self) -> Mapping[Path, list[EditionChange]]:
        """All changes, by the paths of the things that they change."""
        return by_thing(self.changes)

    @cached_property
    def _new_keys(self) -> Mapping[Path, str]:
        return {(*path[:-1], was): path[-1] for path, was in self.former_keys.items()}

    def now(self, path: Path) -> str:
        """Returns the new key of a part, or its old key if it was not renamed.

        `path` is the path of the part in the new edition, but ends with the old key.
        """
        return self._new_keys.get(path, path[-1])

    @property
    def own(self) -> tuple[EditionChange, ...]:
        """The changes that are not consequences of others."""
        return tuple(change for change in self.changes if change.path not in self.follows)

    @cached_property
    def _following(self) -> Mapping[Path, list[Path]]:
        """The paths of parts whose text depends on a changed value, by the names of the value.

        These are values that are taken from it, and texts with a binding to it that did not change
        themselves.
        """
        changed = {_value_names(change.path) for change in self.own}
        found: dict[Path, list[Path]] = {}
        for path, source in self.follows.items():
            if (names := _names_in(source)) in changed:
                found.setdefault(names, []).append(path)
        own = {change.path for change in self.changes if change.kind not in ("renamed", "moved")}
        for path, text in _texts_beside(self.new, (), own):
            for binding in _BINDING.finditer(text):
                if (names := _names_in(binding[1])) in changed:
                    found.setdefault(names, []).append(path)
        return found

    def following(self, change: EditionChange) -> list[Path]:
        """Lists the paths of printed parts whose text differs because they use a changed value."""
        paths = self._following.get(_value_names(change.path), ())
        return [path for path in paths if path[0] in _READ]


#: A binding of a value: {establishments.battery.rank_and_file}, {musketry[8-16in, first, open]}.
_BINDING = re.compile(r"\{([a-z][a-z0-9_]*[.\[][^{}:]*)\}")
#: Where sentences are the author's for printing, and not a list of what is where.
_READ = ("collections", "sections", "header")


def _value_names(path: Path) -> tuple[str, ...]:
    """Returns the names by which a binding refers to the value at a path.

    The key `value` at the end of the path of a cell is left out.
    """
    return tuple(names_of(path[:-1] if path[-1] == "value" else path))


def _names_in(binding: str) -> tuple[str, ...]:
    """Splits a binding of a value, such as musketry[8-16in, first, open], into its keys."""
    return tuple(part_name(key) for key in re.split(r"[.\[\],]\s*", binding) if key.strip())


def _texts_beside(tree: Tree, path: Path, changed: set[Path]) -> Iterator[tuple[Path, str]]:
    """Yields each printed text with a binding that did not change itself, with its path.

    `path` is that of `tree`. Nothing is yielded from parts whose paths are in `changed`.
    """
    if path in changed:
        return
    if isinstance(tree, Branch):
        for key, part in tree.parts.items():
            yield from _texts_beside(part, (*path, key), changed)
    elif tree is not None and "{" in tree and path[0] in _READ:
        yield path, tree


def compare(old: Mapping[str, Plain], new: Mapping[str, Plain]) -> Comparison:
    """Compares the contents of two snapshots; returns their trees and all changes between them."""
    before, after = tree_of(old), tree_of(new)
    known = stated_keys(old)
    stated = {path: was for path, was in stated_keys(new).items() if known.get(path) != was}
    renames = renames_between(before, after, stated)
    changes = tuple(differences(before, after, (), renames))
    former = {renames.path(at): renames.spelt(from_) for at, from_ in _sources(old, before).items()}
    taken = {at: from_ for at, from_ in _sources(new, after).items() if former.get(at) == from_}
    follows = {change.path: taken[change.path] for change in changes if change.path in taken}
    follows |= _respelt(changes, renames)
    stray = tuple((path, was) for path, was in stated.items() if renames.was(path) != was)
    return Comparison(before, after, changes, follows, stray)


def tree_of(content: Mapping[str, Plain]) -> Tree:
    """Converts the content of a snapshot to a tree, to be compared with that of another edition.

    White space is reduced to single spaces, `was` and the origins of values are removed, and
    missing collections are added as empty ones. Entities whose order has no meaning are sorted,
    results of procedures are mappings, and chapters are named by their first headings.
    """
    kept = _by_headings({key: part for key, part in content.items() if key not in _WHERE_FROM})
    return Branch(FIELDS, {key: _tree_of_part(key, part) for key, part in kept.items()})


def _tree_of_part(key: str, part: Plain) -> Tree:
    """Converts a part of a snapshot, or a collection in it, to a tree."""
    if key == "collections" and isinstance(part, dict):
        # A collection without anything in it is left out where it is written, and is there all
        # the same: what comes into it is a change by itself.
        every = {name: part.get(name, Named()) for name in Collections.model_fields}
        return Branch(FIELDS, {name: _tree_of_part(name, things) for name, things in every.items()})
    if not isinstance(part, Named):
        return _tree_of_thing(part)
    if key in _LISTED:
        return Branch(NAMED, {id_: _tree_of_thing(thing) for id_, thing in part.items()})
    return Branch(SORTED, {id_: _tree_of_thing(part[id_]) for id_ in sorted(part)})


@once_for_each
def _tree_of_thing(thing: Plain) -> Tree:
    return keyed(_with_results(_in_one_line(thing)))


def _with_results(thing: Plain) -> Plain:
    """Returns a thing in which each result is a mapping, even one written as a mere text."""
    results = thing.get("result") if isinstance(thing, dict) else None
    if not isinstance(thing, dict) or not isinstance(results, dict):
        return thing
    whole: dict[str, Plain] = {
        key: {"value": given} if isinstance(given, str) else given for key, given in results.items()
    }
    return {**thing, "result": Named(whole)}


def stated_keys(content: Mapping[str, Plain]) -> dict[Path, str]:
    """Returns the former keys (`was`) that the author states, by the paths of the parts."""
    return dict(_former(content, ()))


def _former(value: Plain | Mapping[str, Plain], path: Path) -> Iterator[tuple[Path, str]]:
    if not isinstance(value, Mapping):
        return
    was = value.get(WAS)
    if isinstance(was, str) and not isinstance(value, Named):
        yield path, was
    for key, part in value.items():
        yield from _former(part, (*path, key))


def _in_one_line(value: Plain) -> Plain:
    """Returns plain data without former keys (`was`), with single spaces between words in texts."""
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, list):
        return [_in_one_line(part) for part in value]
    if isinstance(value, Named):
        return Named((key, _in_one_line(part)) for key, part in value.items())
    if isinstance(value, dict):
        return {key: _in_one_line(part) for key, part in value.items() if key != WAS}
    return value


def _by_headings(content: dict[str, Plain]) -> dict[str, Plain]:
    """Returns content in which chapters are named by the ids of their first headings.

    Names of chapter files are replaced in the chapters themselves and in the lists of the header.
    """
    chapters, header = content.get("chapters"), content.get("header")
    if not isinstance(chapters, Named) or not isinstance(header, dict):
        return content
    heads = {file: str(ids[0]) for file, ids in chapters.items() if isinstance(ids, list) and ids}
    lists: dict[str, Plain] = {
        name: [heads.get(file, file) if isinstance(file, str) else file for file in files]
        for name in _FILES
        if isinstance(files := header.get(name), list)
    }
    named = Named((heads.get(file, file), ids) for file, ids in chapters.items())
    return {**content, "header": {**header, **lists}, "chapters": named}


def _respelt(changes: Iterable[EditionChange], renames: Renames) -> dict[Path, str]:
    """Finds the changes of parts that changed only because something that they name was renamed.

    Returns the new names of what was renamed, as text, by the path of the change.
    """
    if not renames.ids and not renames.rows:
        return {}
    changed = {change.path for change in changes if change.kind != "renamed"}
    found: dict[Path, str] = {}
    # Renames come after all others, so that it is known by then which of those follow.
    for change in sorted(changes, key=lambda change: change.kind == "renamed"):
        if change.kind == "renamed":
            stated = change.old in renames.keys.get(change.path[:-1], {})
            text = not stated and (change.path not in changed or change.path in found)
        else:
            text = change.kind == "changed"
        if text and renames.spelt(change.old) == change.new:
            found[change.path] = ", ".join(renames.named_in(change.old))
    return {path: named for path, named in found.items() if named}


def _sources(content: Mapping[str, Plain], whole: Tree) -> dict[Path, str]:
    """Returns where values are taken from, for each that is taken from elsewhere, by its tree path.

    `whole` is the tree of the content. Values that the tree does not have are left out.
    """
    taken = content.get("taken")
    tree = whole.parts.get("collections") if isinstance(whole, Branch) else None
    found: dict[Path, str] = {}
    for at, source in taken.items() if isinstance(taken, dict) else ():
        path = _path_of(at.split("/"), tree)
        if path is not None:
            found[("collections", *path)] = str(source)
    return found


def _path_of(address: list[str], tree: Tree) -> Path | None:
    """Converts an address in the data to a path in its tree, in which items of lists have keys.

    Indices of items become their keys. Returns None if there is no such part.
    """
    path: list[str] = []
    for part in address:
        if not isinstance(tree, Branch):
            return tuple(path) if part == "value" else None
        keys = list(tree.parts)
        numbered = part not in tree.parts and part.isdecimal() and int(part) < len(keys)
        key = keys[int(part)] if numbered else part
        if key not in tree.parts:
            return None
        path.append(key)
        tree = tree.parts[key]
    return tuple(path)
