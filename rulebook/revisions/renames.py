"""Parts that went and parts that came -> which of them are the same under another key.

An author says so with `was: old_id`. Else a part is taken for another where the two are called the
same in print, or where they say nearly the same; numbers alone prove nothing, since two rows of one
table may share most of them. A rename that is not there would tell a reader that one thing became
another that it has nothing to do with; one that is missed is told as a removal and an addition,
which is true.

The items of a list have no ids: a sentence or a step is its own key. There it is enough that half
of the words are the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from rulebook.revisions.changes import Path
from rulebook.revisions.keyed import LISTED, Branch, Tree

#: How many of the words of two things are the same where one is taken for the other, of 1.
ALIKE = 0.6
#: How many of the words of two items of a list.
ALIKE_IN_LIST = 0.5
#: Words that two things without one title share at the least, and two items of a list.
LEAST_SHARED = 6
LEAST_IN_LIST = 2
#: Beyond so many pairs none are compared: whoever changes so much has written another ruleset.
MOST_PAIRS = 2_500
#: Words of a part that are compared.
MOST_COMPARED = 400

#: What says nothing of what a thing is.
_BESIDE = ("source", "status", "type", "qrs", "booklet", "level")
_LETTERS = re.compile(r"[^\W\d_]{3,}")
#: A binding, {ranges.canister.long}, is one word.
_WORD = re.compile(r"\{[^{}]*\}|\w+")
#: A paragraph that stands for a table or a cutout is no sentence.
_BLOCK = re.compile(r"\{[a-z]+: [^{}]*\}")


@dataclass(frozen=True, slots=True)
class Renames:
    """What is called otherwise in the new edition.

    `stated` has the old key of a part by its new path; `keys` are renames inside of a branch, old
    key -> new key, by its path, where they are found from elsewhere; `ids` and `rows` say how the
    names of entities, and rows of a table, are spelt now wherever a text names them.
    """

    stated: Mapping[Path, str] = field(default_factory=dict)
    keys: Mapping[Path, Mapping[str, str]] = field(default_factory=dict)
    ids: Mapping[str, str] = field(default_factory=dict)
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

    def former_path(self, path: Path) -> Path:
        """A path of the new edition as the old one calls it."""
        at: Path = ()
        for depth, key in enumerate(path):
            names = self.keys.get(path[:depth], {})
            at = (*at, next((was for was, now in names.items() if now == key), key))
        return at

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


#: A name that is not itself a part of another one, with the part of it that follows. A hyphen
#: between letters makes one word of two; one with a space beside it, or with nothing, is a minus.
_NAME = re.compile(r"(?<![\w.])(?<!\w-)([a-z][a-z0-9_]*)(?:\.([a-z][a-z0-9_]*))?(?!\w|-\w)")


def renamed_parts(old: Branch, new: Branch, path: Path, renames: Renames) -> dict[str, str]:
    """Old key -> new key, for parts of a branch that have another key now."""
    gone = [key for key in old.parts if key not in new.parts]
    come = [key for key in new.parts if key not in old.parts]
    known = renames.keys.get(path, {})
    found = {was: key for was, key in known.items() if was in new.parts and key in old.parts}
    if not gone or not come:
        return found
    found |= {was: key for was, key in known.items() if was in gone and key in come}
    pairs = _stated(gone, come, path, renames)
    for was, key in (*pairs, *_respelt(old, new, gone, come, renames)):
        if was not in found and key not in found.values():
            found[was] = key
    left = [key for key in gone if key not in found]
    free = [key for key in come if key not in found.values()]
    for _, was, key in sorted(_alike(old, new, left, free), key=lambda one: -one[0]):
        if was not in found and key not in found.values():
            found[was] = key
    return found


def _stated(
    gone: list[str], come: list[str], path: Path, renames: Renames
) -> Iterator[tuple[str, str]]:
    for key in come:
        was = renames.stated.get((*path, key))
        if was in gone:
            yield was, key


def _respelt(
    old: Branch, new: Branch, gone: list[str], come: list[str], renames: Renames
) -> Iterator[tuple[str, str]]:
    """Parts whose keys are others only because something that they name is called otherwise."""
    if not renames.ids and not renames.rows:
        return
    for was in gone:
        if old.kind == LISTED:
            now = renames.spelt(old.parts[was])
            yield from ((was, key) for key in come if new.parts[key] == now)
        elif (key := renames.ids.get(was)) in come:
            yield was, key


def _alike(
    old: Branch, new: Branch, gone: list[str], come: list[str]
) -> Iterator[tuple[float, str, str]]:
    """Pairs that are alike enough, each with how much."""
    if len(gone) * len(come) > MOST_PAIRS:
        return
    listed = old.kind == LISTED
    befores = {key: _words_of(old.parts[key], listed) for key in gone}
    titles = {key: _title(old.parts[key]) for key in gone}
    for key in come:
        words, title = _words_of(new.parts[key], listed), _title(new.parts[key])
        matcher = SequenceMatcher(None, (), words, False)
        for was, before in befores.items():
            ratio = _ratio(matcher, before, ALIKE_IN_LIST if listed else ALIKE)
            if not listed and title is not None and title == titles[was]:
                yield 1 + ratio, was, key
            elif ratio and _shared(matcher, words, listed) >= (
                LEAST_IN_LIST if listed else LEAST_SHARED
            ):
                yield ratio, was, key


def _ratio(matcher: SequenceMatcher[str], words: list[str], least: float) -> float:
    """How much of two lists of words is the same, of 1; 0 where it is not even so much."""
    matcher.set_seq1(words)
    if not words or matcher.real_quick_ratio() < least or matcher.quick_ratio() < least:
        return 0
    ratio = matcher.ratio()
    return ratio if ratio >= least else 0


def _shared(matcher: SequenceMatcher[str], words: list[str], listed: bool) -> int:
    """How many words are the same; in things that stand in no list figures prove nothing."""
    blocks = matcher.get_matching_blocks()
    if listed:
        return sum(block.size for block in blocks)
    same = (word for block in blocks for word in words[block.b : block.b + block.size])
    return sum(_LETTERS.fullmatch(word) is not None for word in same)


def _title(part: Tree) -> str | None:
    title = part.parts.get("title") if isinstance(part, Branch) else None
    return title if isinstance(title, str) else None


def _words_of(part: Tree, listed: bool) -> list[str]:
    """The words of a part; of an item of a list with the keys in it, as it may hold no others."""
    if isinstance(part, str) and listed and _BLOCK.fullmatch(part):
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
