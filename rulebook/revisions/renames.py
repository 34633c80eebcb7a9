"""Two editions as trees -> which parts of the new one are parts of the old one under another key.

An author says so with `was: old_id`. Else a part is taken for another where the two have the same
title in print, or say nearly the same; numbers alone prove nothing, since two rows of one table may
share most of them. A rename that is not there would tell a reader that one thing became another
that it has nothing to do with; one that is missed is told as a removal and an addition, which is
true.

The items of a list have no ids: a sentence or a step is its own key. There it is enough that half
of the words are the same.

Entities come first, then the rows and columns of tables, since the names of the one stand in the
other. Columns do not always have titles to be known by: they are known by their cells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from rulebook.revisions.axes import best_pairs, cells_alike, is_grid
from rulebook.revisions.changes import Path
from rulebook.revisions.keyed import LISTED, NAMED, Branch, Tree, part_at

#: How many of the words of two things are the same where one is taken for the other, of 1.
ALIKE = 0.6
#: How many of the words of two items of a list.
ALIKE_IN_LIST = 0.5
#: Words that two things without one title share at the least; two that are the same throughout,
#: or two items of a list.
LEAST_SHARED = 6
LEAST_IN_SAME = 2
#: Beyond so many pairs none are compared: whoever changes so much has written another ruleset.
MOST_PAIRS = 2_500
#: Words of a part that are compared.
MOST_COMPARED = 400

#: What says nothing of what a thing is.
_BESIDE = ("source", "status", "type", "qrs", "booklet", "level")
_LETTERS = re.compile(r"[^\W\d_]{3,}")
#: A binding, {ranges.canister.long}, is one word.
_WORD = re.compile(r"\{[^{}]*\}|\w+")
_BRACES = re.compile(r"\{[^{}]*\}")
#: A paragraph that stands for a table or a cutout is no sentence.
_BLOCK = re.compile(r"\{[a-z]+: [^{}]*\}")


@dataclass(frozen=True, slots=True)
class Renames:
    """What has another key in the new edition.

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
    stated = ((renames.stated.get((*path, key)), key) for key in come)
    _take(((was, key) for was, key in stated if was in gone), found)
    _take(_respelt(old, new, gone, come, renames), found)
    left = [key for key in gone if key not in found]
    free = [key for key in come if key not in found.values()]
    alike = sorted(_alike(old, new, left, free), key=lambda one: -one[0])
    _take(((was, key) for _, was, key in alike), found)
    return found


def _take(pairs: Iterable[tuple[str | None, str]], found: dict[str, str]) -> None:
    """Add pairs of keys, each key once."""
    for was, key in pairs:
        if was is not None and was not in found and key not in found.values():
            found[was] = key


def _respelt(
    old: Branch, new: Branch, gone: list[str], come: list[str], renames: Renames
) -> Iterator[tuple[str, str]]:
    """Parts whose keys changed only because something that they name was renamed."""
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
                LEAST_IN_SAME if listed or words == before else LEAST_SHARED
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


def exchanged_parts(
    old: Branch, new: Branch, path: Path, stated: Mapping[Path, str], editions: tuple[Tree, Tree]
) -> dict[str, str]:
    """Old key -> new key, of parts of a branch that have exchanged theirs, two or in a ring.

    `path` leads to the branch in both `editions`.
    """
    both = [key for key in old.parts if key in new.parts]
    told = {was: key for key in both if (was := stated.get((*path, key))) in both and was != key}
    told = _rings(told)
    titles = _titles(old, both), _titles(new, both)
    called = {title: key for key, title in titles[1].items()}
    found = {
        was: called[title]
        for was, title in titles[0].items()
        if title in called and called[title] != was and was not in told
    }
    found = _rings({was: now for was, now in found.items() if now not in told})
    if found and _is_named_still(*editions, found, path):
        found = {}
    return told | found


def _rings(names: Mapping[str, str]) -> dict[str, str]:
    """The keys that go to each other's places; one whose place is not taken is left out."""
    kept = dict(names)
    while open_ends := {*kept} ^ {*kept.values()}:
        kept = {
            was: now for was, now in kept.items() if was not in open_ends and now not in open_ends
        }
    return kept


def _titles(branch: Branch, keys: Iterable[str]) -> dict[str, str]:
    """What parts are called in print, where no other is called so."""
    found = {
        key: part.parts.get("title")
        for key in keys
        if isinstance(part := branch.parts[key], Branch)
    }
    many = Counter(found.values())
    return {key: one for key, one in found.items() if isinstance(one, str) and many[one] == 1}


def _is_named_still(old: Tree, new: Tree, keys: Iterable[str], path: Path) -> bool:
    """Whether a text of both editions, which is the same, names one of the keys."""
    beside = {(*path, key) for key in keys}
    known = list(keys)
    return any(_names_one(text, known) for text in _unchanged(old, new, (), beside))


def _names_one(text: str, known: Iterable[str]) -> bool:
    """Whether a text names one of the known keys; the same word in a sentence names nothing.

    As a whole text, in a binding, before or behind a point, before a bracket, or in quotes.
    """
    bound = bytearray(len(text))
    for braces in _BRACES.finditer(text):
        bound[braces.start() : braces.end()] = b"\1" * len(braces[0])
    places = (
        (match.start(), key)
        for key in known
        if key in text
        for match in re.finditer(rf"(?<!\w){re.escape(key)}(?!\w)", text)
    )
    for start, key in places:
        before, after = text[max(start - 1, 0) : start], text[start + len(key) :][:2]
        if (
            bound[start]
            or len(key) == len(text)
            or before == "."
            or after[:1] == "["
            or (after[:1] == "." and after[1:].isalnum())
            or before == after[:1] == "'"
        ):
            return True
    return False


def _unchanged(old: Tree, new: Tree, path: Path, beside: set[Path]) -> Iterator[str]:
    """Every text that stands in both editions in one place, but for some parts."""
    if path in beside:
        return
    if isinstance(old, Branch) and isinstance(new, Branch):
        orders = (
            [one for one in old.parts if one in new.parts],
            [one for one in new.parts if one in old.parts],
        )
        for key, other in zip(*orders, strict=True):
            # What stands elsewhere in a list is no longer what it was, though it says the same.
            if key == other or old.kind != LISTED:
                yield from _unchanged(old.parts[key], new.parts[key], (*path, key), beside)
    elif isinstance(old, str) and old == new:
        yield old


#: Branches whose parts are named elsewhere, and where in an edition they stand.
_BESIDE_COLLECTIONS = ("options", "sections")
#: What a table of each kind calls its columns and its rows.
_RECORDS = (("fields", "data"), ("changes", "rows"))


def renames_between(old: Tree, new: Tree, stated: Mapping[Path, str]) -> Renames:
    """All renames that are stated or found; those of sentences and steps are found on the way."""
    renames = Renames(stated=stated)
    if not isinstance(old, Branch) or not isinstance(new, Branch):
        return renames
    ids: dict[str, str] = {}
    keys: dict[Path, Mapping[str, str]] = {}
    for path, before, after in _named_branches(old, new):
        exchanged = exchanged_parts(before, after, path, stated, (old, new))
        keys[path] = renamed_parts(before, after, path, renames) | exchanged
        ids |= keys[path]
    renames = replace(renames, ids=ids, keys=keys)
    rows: dict[tuple[str, str], str] = {}
    for path, before, after in _tables(old, new, keys):
        keys |= _of_table(before, after, path, renames, (old, new))
        was = next((was for was, now in keys[path[:-1]].items() if now == path[-1]), path[-1])
        for columns, inside in _RECORDS:
            if columns in before.parts:
                renamed = keys.get((*path, inside), {})
                rows |= {(was, row): now for row, now in renamed.items()}
    return replace(renames, keys=keys, rows=rows)


def another_kind(old: Branch, new: Branch, path: Path) -> bool:
    """Whether an entity is of another kind now, so that no part of it is one of the old."""
    if len(path) != 3 or path[0] != "collections":
        return False
    kinds = ("fields", "computed")
    shapes = old.parts.get("shape"), new.parts.get("shape")
    return shapes[0] != shapes[1] or any((key in old.parts) != (key in new.parts) for key in kinds)


def _named_branches(old: Branch, new: Branch) -> Iterator[tuple[Path, Branch, Branch]]:
    collections = old.parts.get("collections"), new.parts.get("collections")
    for name, before, after in _shared_branches(*collections):
        yield ("collections", name), before, after
    for name, before, after in _shared_branches(old, new):
        if name in _BESIDE_COLLECTIONS:
            yield (name,), before, after


def _shared_branches(old: Tree, new: Tree) -> Iterator[tuple[str, Branch, Branch]]:
    """The branches under one key in both."""
    if isinstance(old, Branch) and isinstance(new, Branch):
        for key, part in old.parts.items():
            other = new.parts.get(key)
            if isinstance(part, Branch) and isinstance(other, Branch):
                yield key, part, other


def _tables(
    old: Branch, new: Branch, keys: Mapping[Path, Mapping[str, str]]
) -> Iterator[tuple[Path, Branch, Branch]]:
    for path, before, after in _named_branches(old, new):
        if path[-1] in ("tables", "modifiers"):
            for was, table in before.parts.items():
                key = keys[path].get(was, was)
                now = after.parts.get(key)
                if table != now and isinstance(table, Branch) and isinstance(now, Branch):
                    yield (*path, key), table, now


def _of_table(
    old: Branch, new: Branch, path: Path, renames: Renames, editions: tuple[Tree, Tree]
) -> dict[Path, Mapping[str, str]]:
    """Renamed rows, and renamed columns, which each row has as well."""
    if is_grid(old) and is_grid(new):
        return {}
    for columns, rows in _RECORDS:
        if columns in old.parts and columns in new.parts:
            of_rows = _renamed_rows(old, new, (*path, rows), renames, editions)
            of_columns = _renamed_columns(
                old, new, (*path, columns), renames, rows=rows, of_rows=of_rows
            )
            inside = _branch(new, rows).parts if of_columns else ()
            return {
                (*path, columns): of_columns,
                (*path, rows): of_rows,
                **{(*path, rows, key): of_columns for key in inside},
            }
    return {}


def _renamed_rows(
    old: Branch, new: Branch, path: Path, renames: Renames, editions: tuple[Tree, Tree]
) -> dict[str, str]:
    """Rows under other ids, or under each other's."""
    rows = _branch(old, path[-1]), _branch(new, path[-1])
    exchanged = exchanged_parts(*rows, path, renames.stated, editions)
    return renamed_parts(*rows, path, renames) | exchanged


def _renamed_columns(
    old: Branch,
    new: Branch,
    path: Path,
    renames: Renames,
    *,
    rows: str,
    of_rows: Mapping[str, str],
) -> dict[str, str]:
    """Columns under other ids, which are known by their cells if by nothing else."""
    before, after = _branch(old, path[-1]), _branch(new, path[-1])
    come = _branch(new, rows).parts
    pairs = [
        (part, come.get(of_rows.get(key, key))) for key, part in _branch(old, rows).parts.items()
    ]

    def same(was: str, now: str) -> float:
        alike = part_at(before, (was, "type")) == part_at(after, (now, "type"))
        cells = [(part_at(one, (was,)), part_at(other, (now,))) for one, other in pairs]
        return cells_alike(cells) if alike else 0

    known = renamed_parts(before, after, path, renames)
    gone = [key for key in before.parts if key not in {*after.parts, *known}]
    new_keys = [key for key in after.parts if key not in {*before.parts, *known.values()}]
    return known | best_pairs(gone, new_keys, same)


def _branch(table: Branch, part: str) -> Branch:
    """Columns or rows of a table."""
    found = table.parts.get(part)
    return found if isinstance(found, Branch) else Branch(NAMED, {})
