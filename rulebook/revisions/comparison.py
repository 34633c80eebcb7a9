"""Two editions as plain data -> the changes between them, and which of these follow from another.

Where both editions take a value from another place, its change follows from the change there, and
is reported there once. The same holds for a text that names something by its new id. Nothing has
changed where a value was typed and is now taken from elsewhere, or where only line ends, names of
Markdown files, or the order of things whose order nobody sees are different.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rulebook.model.plain_data import Named, Plain
from rulebook.model.revisions import part_name
from rulebook.model.ruleset import AS_LISTED, Collections
from rulebook.revisions.changes import (
    FIELDS,
    IN_ORDER,
    Branch,
    EditionChange,
    Path,
    Sorted,
    Tree,
    by_thing,
    keyed,
    names_of,
    part_at,
)
from rulebook.revisions.likeness import shared
from rulebook.revisions.renames import (
    Renames,
    another_kind,
    other_axes,
    renamed_parts,
    renames_between,
)


def differences(old: Tree, new: Tree, renames: Renames | None = None) -> tuple[EditionChange, ...]:
    """All changes, parts before what is inside them, in the order of the new edition.

    Under each part renames come first, since all that follows calls things by their new names.
    """
    return tuple(_between(old, new, (), renames or Renames()))


def _between(old: Tree, new: Tree, path: Path, renames: Renames) -> Iterator[EditionChange]:
    if _same(old, new):
        return
    if not isinstance(old, Branch) or not isinstance(new, Branch) or another_kind(old, new, path):
        yield EditionChange(path, "changed", old, new)
        return
    names = _names(old, new, path, renames)
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
            yield from _between(old.parts[before[key]], part, (*path, key), renames)
    if old.kind in IN_ORDER:
        yield from _reordered(old.parts, new.parts, names, path)


def _names(old: Branch, new: Branch, path: Path, renames: Renames) -> Mapping[str, str]:
    """Old key -> new key; fields keep their names, but for those that are columns of a table."""
    if old.kind != FIELDS:
        return renamed_parts(old, new, path, renames)
    known = renames.keys.get(path, {})
    return {
        was: now
        for was, now in known.items()
        if was in old.parts and was not in new.parts and now in new.parts and now not in old.parts
    }


def _reordered(
    old: Mapping[str, Tree], new: Mapping[str, Tree], names: Mapping[str, str], path: Path
) -> Iterator[EditionChange]:
    """The new order, if the old one with what is added at its end is another."""
    stayed = [names.get(key, key) for key in old if names.get(key, key) in new]
    grown = [*stayed, *(key for key in new if key not in stayed)]
    if grown != list(new):
        moved = _moved(stayed, [key for key in new if key in stayed])
        yield EditionChange(path, "moved", moved=tuple(moved), order=tuple(new))


def _moved(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The fewest keys that must change places for one order to become the other."""
    kept = {key for one in shared(old, new) for key in new[one.b : one.b + one.size]}
    return [key for key in new if key not in kept]


def _same(old: Tree, new: Tree) -> bool:
    return old == new and _order(old) == _order(new)


def _order(tree: Tree) -> tuple[object, ...]:
    """The order of all keys in a tree where it means something; equal trees may differ in it."""
    if not isinstance(tree, Branch):
        return ()
    own = tuple(tree.parts) if tree.kind in IN_ORDER else ()
    items = sorted(tree.parts.items())
    return (own, *(_order(part) for _, part in items))


#: Parts of a snapshot that say where values come from, not what they are.
_BESIDE = ("taken", "differs")
#: What an entity or a row was called in the edition before: no part of what it says.
WAS = "was"
#: Lists of Markdown files in the header.
_FILES = ("chapters", "annexes", "appendices")


@dataclass(frozen=True)
class Comparison:
    """Two editions as trees, and all changes between them.

    `follows` are the paths of changes that follow from another, each with the path, as bindings
    write it, of the value that both editions take, or with the new name of what is renamed.
    `stray` are the former keys stated by an author that the old edition does not have, or that the
    new one still has, each with the path of what states it.
    """

    old: Tree
    new: Tree
    changes: tuple[EditionChange, ...]
    follows: Mapping[Path, str] = field(default_factory=dict)
    stray: tuple[tuple[Path, str], ...] = ()

    @cached_property
    def former_keys(self) -> Mapping[Path, str]:
        """The old key of each part that is renamed, by its path in the new edition."""
        renamed = (change for change in self.changes if change.kind == "renamed")
        return {one.path: str(one.old) for one in renamed}

    def was(self, *path: str) -> str:
        """What the last key of a path of the new edition was called in the old one."""
        return self.former_keys.get(path, path[-1])

    def entity_was(self, collection: str, id_: str) -> str | None:
        """What an entity of the new edition was called in the old one, None if it is new."""
        was = self.was("collections", collection, id_)
        return None if part_at(self.old, ("collections", collection, was)) is None else was

    @cached_property
    def of_things(self) -> Mapping[Path, list[EditionChange]]:
        """All changes by the paths of what they are of."""
        return by_thing(self.changes)

    @cached_property
    def _new_keys(self) -> Mapping[Path, str]:
        return {(*path[:-1], was): path[-1] for path, was in self.former_keys.items()}

    def now(self, path: Path) -> str:
        """What the last key of a path is called in the new edition, as all before it are."""
        return self._new_keys.get(path, path[-1])

    @property
    def own(self) -> tuple[EditionChange, ...]:
        """The changes that follow from no other."""
        return tuple(change for change in self.changes if change.path not in self.follows)

    @cached_property
    def _following(self) -> Mapping[Path, list[Path]]:
        """The names of changed values -> the paths of what takes or binds them."""
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
        """What reads differently elsewhere because of a change: what takes or binds its value."""
        paths = self._following.get(_value_names(change.path), ())
        return [path for path in paths if path[0] in _READ]


#: A binding of a value: {establishments.battery.rank_and_file}, {musketry[8-16in, first, open]}.
_BINDING = re.compile(r"\{([a-z][a-z0-9_]*[.\[][^{}:]*)\}")
#: Where sentences are the author's for printing, and not a list of what is where.
_READ = ("collections", "sections", "header")


def _value_names(path: Path) -> tuple[str, ...]:
    """The keys of a value as bindings name them; that of a cell written out has one key more."""
    return tuple(names_of(path[:-1] if path[-1] == "value" else path))


def _names_in(binding: str) -> tuple[str, ...]:
    """musketry[8-16in, first, open] -> its keys; those of a title go on to no value."""
    return tuple(part_name(key) for key in re.split(r"[.\[\],]\s*", binding) if key.strip())


def _texts_beside(tree: Tree, path: Path, changed: set[Path]) -> Iterator[tuple[Path, str]]:
    """Every text with a binding that is no change of its own, with its path."""
    if path in changed:
        return
    if isinstance(tree, Branch):
        for key, part in tree.parts.items():
            yield from _texts_beside(part, (*path, key), changed)
    elif tree is not None and "{" in tree and path[0] in _READ:
        yield path, tree


def compare(old: Mapping[str, Plain], new: Mapping[str, Plain]) -> Comparison:
    """Compare what two snapshots hold."""
    before, after = tree_of(old), tree_of(new)
    known = stated_keys(old)
    stated = {path: was for path, was in stated_keys(new).items() if known.get(path) != was}
    renames = renames_between(before, after, stated)
    changes = differences(before, after, renames)
    taken = _taken_alike(_sources(old), _sources(new), renames)
    follows = {change.path: taken[change.path] for change in changes if change.path in taken}
    follows |= _respelt(changes, renames)
    stray = tuple((path, was) for path, was in stated.items() if renames.was(path) != was)
    return Comparison(before, after, changes, follows, stray)


def tree_of(content: Mapping[str, Plain]) -> Tree:
    """What a snapshot says, with keys for everything and one space between words."""
    kept = {key: _in_one_line(part) for key, part in content.items() if key not in _BESIDE}
    collections = kept.get("collections")
    if isinstance(collections, dict):
        # A collection without anything in it is left out where it is written, and is there all
        # the same: what comes into it is a change by itself.
        parts = {name: collections.get(name, Named()) for name in Collections.model_fields}
        parts["procedures"] = _with_results(parts["procedures"])
        kept["collections"] = {
            name: part if name in AS_LISTED else _sorted(part) for name, part in parts.items()
        }
    kept |= {name: _sorted(kept[name]) for name in ("sections", "options") if name in kept}
    return keyed(_by_headings(kept))


def _with_results(procedures: Plain) -> Plain:
    """The procedures with each result as the mapping that it is once it has a title."""
    if not isinstance(procedures, dict):
        return procedures
    found = Named()
    for name, one in procedures.items():
        results = one.get("result") if isinstance(one, dict) else None
        found[name] = one
        if isinstance(one, dict) and isinstance(results, dict):
            whole: dict[str, Plain] = {
                key: {"value": given} if isinstance(given, str) else given
                for key, given in results.items()
            }
            found[name] = {**one, "result": Named(whole)}
    return found


def stated_keys(content: Mapping[str, Plain]) -> dict[Path, str]:
    """What an author says that entities and rows were called in the edition before."""
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
    """The same without former keys, and with one space between words."""
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, list):
        return [_in_one_line(one) for one in value]
    if isinstance(value, Named):
        return Named((key, _in_one_line(one)) for key, one in value.items())
    if isinstance(value, dict):
        return {key: _in_one_line(one) for key, one in value.items() if key != WAS}
    return value


def _sorted(value: Plain) -> Plain:
    return Sorted(sorted(value.items())) if isinstance(value, Named) else value


def _by_headings(content: dict[str, Plain]) -> dict[str, Plain]:
    """Chapters by the ids of their first headings, since nobody reads the names of files."""
    chapters, header = content.get("chapters"), content.get("header")
    if not isinstance(chapters, Named) or not isinstance(header, dict):
        return content
    heads = {file: str(ids[0]) for file, ids in chapters.items() if isinstance(ids, list) and ids}
    lists = {name: _called(header[name], heads) for name in _FILES if name in header}
    named = Named((heads.get(file, file), ids) for file, ids in chapters.items())
    return {**content, "header": {**header, **lists}, "chapters": named}


def _called(files: Plain, heads: Mapping[str, str]) -> Plain:
    listed: Iterable[Plain] = files if isinstance(files, list) else ()
    return [heads.get(file, file) if isinstance(file, str) else file for file in listed]


def _respelt(changes: Iterable[EditionChange], renames: Renames) -> dict[Path, str]:
    """Texts that changed only because something that they name was renamed."""
    if not renames.ids and not renames.rows:
        return {}
    others = {change.path for change in changes if change.kind != "renamed"}
    found: dict[Path, str] = {}
    # Renames come after all others, so that it is known by then which of those follow.
    for change in sorted(changes, key=lambda change: change.kind == "renamed"):
        if change.kind == "renamed":
            stated = change.old in renames.keys.get(change.path[:-1], {})
            text = not stated and (change.path not in others or change.path in found)
        else:
            text = change.kind == "changed"
        if text and renames.spelt(change.old) == change.new:
            found[change.path] = ", ".join(renames.named_in(change.old))
    return {path: named for path, named in found.items() if named}


def _taken_alike(
    old: Mapping[Path, str], new: Mapping[Path, str], renames: Renames
) -> dict[Path, str]:
    """Values that both editions take from one place, by their paths in the new one."""
    now = {renames.path(path): renames.spelt(source) for path, source in old.items()}
    return {path: source for path, source in new.items() if now.get(path) == source}


def _sources(content: Mapping[str, Plain]) -> dict[Path, str]:
    """Paths of values in the tree that are taken from elsewhere, with where they are taken from."""
    taken = content.get("taken")
    tree = keyed(_in_one_line(content.get("collections")))
    found: dict[Path, str] = {}
    for at, source in taken.items() if isinstance(taken, dict) else ():
        path = _path_of(at.split("/"), tree)
        if path is not None:
            found[("collections", *path)] = str(source)
    return found


def _path_of(address: list[str], tree: Tree) -> Path | None:
    """The path of an address in the data, in which the items of lists have numbers."""
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
