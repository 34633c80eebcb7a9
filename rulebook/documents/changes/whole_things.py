"""A thing that only one edition has -> what it says: sentences, lines, measures, by their places.

Tables are told as tables, and are not taken apart here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulebook import quantities
from rulebook.documents.marks.change_places import where
from rulebook.documents.marks.change_words import PartChange
from rulebook.documents.parts.edition_parts import Step
from rulebook.documents.parts.printed_parts import Printed
from rulebook.revisions.changes import Path
from rulebook.revisions.keyed import FIELDS, NAMED, Branch

#: What a thing of each collection says; all else of it is told as a table, or is for the program.
_SAYINGS: Mapping[str, frozenset[str]] = {
    "header": frozenset(("scale", "ground", "figures", "time", "name")),
    "sections": frozenset(("parts",)),
    "tables": frozenset(("about",)),
    "modifiers": frozenset(("about",)),
    "procedures": frozenset(("steps", "say", "do", "repeat")),
    "examples": frozenset(("situation", "steps", "say", "outcome")),
    "sequence": frozenset(("steps", "say", "procedures", "tables", "examples", "cutouts")),
    "units": frozenset(("text", "tracks", "boxes", "times", "marks", "label", "about", "base")),
    "cards": frozenset(("cards", "title", "text", "tracks", "boxes", "about", "back", "blanks")),
    "terms": frozenset(("meaning",)),
    "options": frozenset(),
    "chapters": frozenset(),
}
#: What a cutout does not say: the rest are its measures.
_OF_PROGRAM = {
    *("title", "source", "status", "note", "rule", "shape", "copies", "cross", "ticks"),
    *("fold", "origin", "away", "towards", "name", "figures"),
}
#: Values that are told in one line, each with its name.
_TOGETHER = ("zones", "rings", "faces", "size", "stand", "holes", "centre", "base", "ring")


def whole_parts(side: Printed, path: Path, kind: str) -> tuple[PartChange, ...]:
    """All that a new thing, or part of one, says; or all that one said that is gone."""
    step = side.parts.at(path)
    if step is None:
        return ()
    played = side.played(path)
    parts: list[PartChange] = []
    collection = path[1] if path[0] == "collections" else path[0]
    for at, inner in _sayings(step, path, collection):
        text = side.told(inner, played)
        if text and text != quantities.EN_DASH:
            place = inner.index if at[0] == "sections" else None
            if kind == "removed":
                parts.append(PartChange(at, "removed", where(side, at), text, "", at=place))
            else:
                parts.append(PartChange(at, "added", where(side, at), "", text, at=place))
    return tuple(parts)


def _sayings(step: Step, path: Path, collection: str) -> Iterator[tuple[Path, Step]]:
    for inner in step.inside():
        at = (*path, inner.key)
        if not isinstance(step.tree, Branch) or inner.tree is None:
            continue
        if step.tree.kind == FIELDS and not _is_saying(inner, collection):
            continue
        if isinstance(inner.tree, Branch) and not _is_told_in_one(inner):
            yield from _sayings(inner, at, collection)
        else:
            yield at, inner


def _is_saying(step: Step, collection: str) -> bool:
    if collection == "cutouts":
        # Marks that are taken from a table are told with that.
        taken = step.key == "marks" and isinstance(step.tree, Branch) and step.tree.kind == FIELDS
        return step.key not in _OF_PROGRAM and not taken
    return step.key in _SAYINGS[collection]


def _is_told_in_one(step: Step) -> bool:
    return step.key in _TOGETHER and not (isinstance(step.tree, Branch) and step.tree.kind == NAMED)
