"""Two editions as trees -> which parts of the new one are parts of the old one under another key.

An author says so with `was: old_id`; nothing else makes one thing of two ids. The items of a list
have no ids: a sentence or a step is its own key, and is known again where half of its words are the
same. So is a heading, whose id is made of its words unless one is given.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from rulebook.revisions.changes import LISTED, Branch, Path, Tree, part_at
from rulebook.revisions.likeness import ALIKE, pairs

#: How many words are shared at the least by two parts of which one is taken for the other.
LEAST_SHARED = 2
#: Beyond so many pairs none are compared: whoever changes so much has written another ruleset.
MOST_PAIRS = 2_500
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


@dataclass(frozen=True, slots=True)
class Renames:
    """What has another key in the new edition.

    `keys` are renames inside of a branch by its path in the new edition; `ids` and `rows` say how
    the names of entities, and rows of a table, are spelt now wherever a text names them.
    """

    keys: Mapping[Path, NewKeys] = field(default_factory=dict)
    ids: NewKeys = field(default_factory=dict)
    rows: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def spelt(self, tree: Tree) -> Tree:
        """A part of the old edition with all names in it as the new one spells them."""
        if not self.ids and not self.rows:
            return tree
        if isinstance(tree, Branch):
            parts = {self._text(key): self.spelt(part) for key, part in tree.parts.items()}
            return Branch(tree.kind, parts)
        return None if tree is None else self._text(tree)

    def named_in(self, tree: Tree) -> list[str]:
        """The new names of what a part of the old edition names by an old one."""
        found = dict.fromkeys(
            self._name(match)
            for text in _texts(tree)
            for match in _NAME.finditer(text)
            if self._name(match) != match[0]
        )
        return list(found)

    def path(self, path: Path) -> Path:
        """A path of the old edition as the new one calls it."""
        at: Path = ()
        for key in path:
            at = (*at, self.keys.get(at, {}).get(key, key))
        return at

    def was(self, path: Path) -> str:
        """What the last key of a path of the new edition was called in the old one."""
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
    """The renames that are stated, by the new paths of things, and can be; and those of headings.

    Those of sentences and steps are found on the way (`renamed_parts`).
    """
    keys: dict[Path, NewKeys] = {}
    renames = Renames(keys)
    branches = sorted({path[:-1] for path in stated}, key=len)
    for at in branches:
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
    ids: dict[str, str] = {}
    rows_now: dict[tuple[str, str], str] = {}
    for at, names in keys.items():
        if at in (("options",), ("sections",)) or (at[0] == "collections" and len(at) == 2):
            ids |= names
        elif at in branches and at[3:] in (("data",), ("rows",)):
            table = renames.was(at[:3])
            rows_now |= {(table, was): now for was, now in names.items()}
    return replace(renames, ids=ids, rows=rows_now)


def _both(
    old: Tree, new: Tree, path: Path, renames: Renames
) -> tuple[Branch | None, Branch | None]:
    """The branches of both editions at a path of the new one."""
    former = tuple(renames.was(path[:depth]) for depth in range(1, len(path) + 1))
    found = part_at(old, former), part_at(new, path)
    before, after = (one if isinstance(one, Branch) else None for one in found)
    return before, after


def _possible(names: NewKeys, old: Collection[str], new: Collection[str]) -> NewKeys:
    """Of stated renames those of a thing that was there, and whose ids nothing else has.

    Two things may exchange their ids, or several in a ring.
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
    """Whether a grid has more axes or fewer on a side, so that no cell is one of the other."""
    grids = all({"rows", "cells", "data"} <= one.parts.keys() for one in (old, new))
    return grids and any(_axes(old, side) != _axes(new, side) for side in ("rows", "columns"))


def _axes(grid: Branch, side: str) -> int:
    axes = grid.parts.get(side)
    return len(axes.parts) if isinstance(axes, Branch) else 0


def another_kind(old: Branch, new: Branch, path: Path) -> bool:
    """Whether a branch or an entity is of another kind now: no part of it is one of the old."""
    if old.kind != new.kind or len(path) != 3 or path[0] != "collections":
        return old.kind != new.kind
    kinds = ("fields", "computed")
    shapes = old.parts.get("shape"), new.parts.get("shape")
    return shapes[0] != shapes[1] or any((key in old.parts) != (key in new.parts) for key in kinds)


def renamed_parts(old: Branch, new: Branch, path: Path, renames: Renames) -> NewKeys:
    """The parts of a branch that have another key now."""
    known = renames.keys.get(path, {})
    found = {was: now for was, now in known.items() if was in old.parts and now in new.parts}
    if old.kind == LISTED:
        return _alike(old, new, found, renames)
    ids = {was: now for was, now in renames.ids.items() if was in old.parts and now in new.parts}
    return found | {
        was: now for was, now in ids.items() if was not in new.parts and now not in old.parts
    }


def _alike(old: Branch, new: Branch, known: NewKeys, renames: Renames) -> NewKeys:
    """Parts by their words: the pairs that are most alike first, each part once."""
    gone = [key for key in old.parts if key not in new.parts and key not in known]
    come = [key for key in new.parts if key not in old.parts and key not in known.values()]
    if not gone or not come or len(gone) * len(come) > MOST_PAIRS:
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
    """How much of two lists of words is the same, of 1; 0 where it is not enough."""
    matcher.set_seq1(words)
    if not words or matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0
    shared = sum(block.size for block in matcher.get_matching_blocks())
    ratio = matcher.ratio()
    return ratio if ratio >= ALIKE and shared >= LEAST_SHARED else 0


def _words_of(part: Tree, listed: bool) -> list[str]:
    """The words of a part; of an item of a list with the keys in it, as it may hold no others."""
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
