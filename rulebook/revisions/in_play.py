"""An entity of an edition, as a tree -> what of it is reckoned with, without words about it.

Two editions of an entity that are equal here play alike, whatever else is said of them: titles,
notes, sources, labels, the sentences of a procedure. What is not equal may still play alike.
"""

from __future__ import annotations

from typing import TypeAlias

from rulebook.revisions.keyed import FIELDS, NAMED, Branch, Tree

#: Plain, comparable: texts, nothing, and tuples of these.
InPlay: TypeAlias = "str | tuple[InPlay, ...] | None"

#: Fields that only tell of a thing, or say where it prints.
_ABOUT = frozenset(("title", "note", "source", "status", "was"))
_WORDS = _ABOUT | {"about", "notes", "label", "tab", "use", "say", "rule"}
_WORDS |= {"qrs", "booklet", "wide", "examples", "cutouts"}
#: Of a row the fields that are its own; beside them stand its cells, which may be called anything.
_ROW_WORDS = _ABOUT | {"when"}
_CELL = frozenset(("value", "status", "note", "source"))
#: What a cell says that has no value.
MISSING = "missing"


def in_play(collection: str, entity: Tree) -> InPlay:
    """What of an entity of a collection (tables, modifiers, procedures, cutouts) is reckoned with.

    The order of choices, rows and steps counts, since it decides what is usual and what comes
    first; that of fields does not.
    """
    return _of(collection, entity, ())


def _of(collection: str, tree: Tree, at: tuple[str, ...]) -> InPlay:
    if not isinstance(tree, Branch):
        return tree
    if collection == "tables" and at[:1] == ("data",) and tree.kind == FIELDS and _is_cell(tree):
        return _of(collection, tree.parts.get("value", MISSING), (*at, "value"))
    if _titled(collection, tree, at):
        return tuple(tree.parts)
    parts = [(key, _of(collection, part, (*at, key))) for key, part in tree.parts.items()]
    if tree.kind != FIELDS:
        # The keys of steps are made of their words; those of rows and inputs are ids.
        # A step that only says something is empty here, and does nothing.
        return tuple(parts) if tree.kind == NAMED else tuple(part for _, part in parts if part)
    words = _ROW_WORDS if len(at) == 2 and at[0] in ("data", "rows") else _WORDS
    return tuple(sorted((part for part in parts if part[0] not in words), key=lambda one: one[0]))


def _is_cell(tree: Branch) -> bool:
    """A cell with a note, a source or a status beside its value, if it has one."""
    return bool(tree.parts) and tree.parts.keys() <= _CELL


def _titled(collection: str, tree: Branch, at: tuple[str, ...]) -> bool:
    """Whether these are choices with their titles: places of an axis, choices of an input."""
    if tree.kind != NAMED or not at:
        return False
    axis = collection == "tables" and len(at) == 2 and at[0] in ("rows", "columns")
    return axis or (collection == "procedures" and at[-1] == "one_of")
