"""Two editions as trees -> what is called otherwise in the new one, wherever it is named.

Entities come first, then the rows and columns of tables, since the names of the one stand in the
other. Columns have no titles to be known by at all times: they are known by their cells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from rulebook.revisions.axes import best_pairs, cells_alike, is_grid, other_axes, renamed_places
from rulebook.revisions.changes import Path
from rulebook.revisions.keyed import LISTED, NAMED, Branch, Tree, part_at
from rulebook.revisions.renames import Renames, renamed_parts


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
    one = f"(?:{'|'.join(map(re.escape, sorted(keys)))})"
    # As a whole text, in a binding, before or behind a point, before a bracket, in quotes; the same
    # word in a sentence names nothing.
    named = re.compile(
        rf"^{one}$|\{{[^{{}}]*\b{one}\b[^{{}}]*\}}|\.{one}\b|\b{one}(?:\.\w|\[)|'{one}'"
    )
    return any(named.search(text) for text in _unchanged(old, new, (), beside))


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
    for name, before, after in _shared(*collections):
        yield ("collections", name), before, after
    for name, before, after in _shared(old, new):
        if name in _BESIDE_COLLECTIONS:
            yield (name,), before, after


def _shared(old: Tree, new: Tree) -> Iterator[tuple[str, Branch, Branch]]:
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
    """Renamed rows, and renamed columns, which each row has as well; of a grid its places."""
    if is_grid(old) and is_grid(new):
        return {} if other_axes(old, new) else renamed_places(old, new, path)
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
