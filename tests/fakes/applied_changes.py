"""An edition and the changes to the next one -> the next one, by applying them one by one."""

from collections.abc import Iterable, Mapping

from rulebook.revisions.changes import SORTED, Branch, EditionChange, Path, Tree


def apply(changes: Iterable[EditionChange], old: Tree) -> Tree:
    """The old edition with all changes in it. Raises KeyError where they do not fit."""
    grown: dict[Path, list[EditionChange]] = {}
    for change in changes:
        parent = change.path if change.kind == "moved" or not change.path else change.path[:-1]
        grown.setdefault(parent, []).append(change)
    below = {path[:depth] for path in grown for depth in range(len(path) + 1)}
    return _applied(old, (), grown, below)


def _applied(
    tree: Tree, path: Path, changes: Mapping[Path, list[EditionChange]], below: set[Path]
) -> Tree:
    if path not in below:
        return tree
    mine = changes.get(path, [])
    for change in mine:
        if change.kind == "changed" and change.path == path:
            return change.new
    if not isinstance(tree, Branch):
        raise KeyError(path)
    names = {change.old: change.new for change in mine if change.kind == "renamed"}
    gone = {change.path[-1] for change in mine if change.kind == "removed"}
    whole = {change.path[-1]: change.new for change in mine if change.kind == "changed"}
    parts: dict[str, Tree] = {}
    for key, part in tree.parts.items():
        if key in gone:
            continue
        name = names.get(key, key)
        inner = whole[name] if name in whole else _applied(part, (*path, name), changes, below)
        parts[name] = inner
    for change in mine:
        if change.kind == "added":
            parts[change.path[-1]] = change.new
    for change in mine:
        if change.kind == "moved":
            parts = {key: parts[key] for key in change.order}
    if tree.kind == SORTED:
        parts = dict(sorted(parts.items()))
    return Branch(tree.kind, parts)
