"""All changes of a comparison, with what their author says of them -> plain data for programs.

Here nothing is gathered and nothing left out: there is an entry for each change. Its form is a
contract, told in the help of `rulebook diff`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from rulebook.documents.changes.summary import Telling
from rulebook.documents.marks.change_places import THINGS, depth_of, title_of
from rulebook.documents.marks.change_words import Standing, ToldChanges
from rulebook.model.axes import humanise
from rulebook.model.revisions import Revision
from rulebook.revisions.changes import Added, Change, Changed, Ordered, Removed, Renamed
from rulebook.revisions.keyed import unkeyed

#: Counts up whenever a name in the form goes, or means something else.
FORMAT = 1
#: What an edition says of itself, which its head tells.
OF_ITSELF = (("header", "edition"), ("header", "date"))


def change_json(telling: Telling, told: ToldChanges) -> dict[str, Any]:
    """The two that are compared, how many revisions there are of each class, and every change."""
    return {
        "format": FORMAT,
        "old": asdict(told.old),
        "new": asdict(told.new),
        "summary": told.summary,
        "counts": told.counts(),
        "changes": list(_entries(telling)),
    }


def _entries(telling: Telling) -> Iterator[dict[str, Any]]:
    comparison = telling.revised.comparison
    revisions = _revisions(telling)
    for change in comparison.changes:
        if isinstance(change, Ordered) and not change.moved:
            continue  # where new parts stand among the others, which these tell
        follows = comparison.follows.get(change.path)
        revision = revisions.get(id(change))
        classed = id(change) in revisions or change.path[:2] in OF_ITSELF
        yield {
            "path": list(change.path),
            **_of_change(telling, change),
            **_of_thing(telling, change),
            "class": revision.class_ if revision else "editorial" if classed else None,
            "revision": revision.title if revision else None,
            "why": telling.editions.new.prose(revision.why) if revision else None,
            "follows": follows,
        }


def _revisions(telling: Telling) -> Mapping[int, Revision | None]:
    """What the author says of each change that has a class."""
    classed = telling.revised.classing.classed
    return {id(change): one.revision for one in classed for change in one.changes}


def _of_change(telling: Telling, change: Change) -> dict[str, Any]:
    """What kind of change it is, and both values: as they print, and exactly as they are kept."""
    editions, path = telling.editions, change.path
    old = unkeyed(change.old) if isinstance(change, Changed | Removed) else None
    new = unkeyed(change.new) if isinstance(change, Changed | Added) else None
    side = editions.gone if isinstance(change, Removed) else editions.old
    before: str | None = None if isinstance(change, Added) else side.text(path)
    after: str | None = None if isinstance(change, Removed) else editions.new.text(path)
    if path[0] == "cover":
        old = new = None  # a picture is no value to be read
    kind = {Added: "added", Removed: "removed", Changed: "changed"}.get(type(change), "moved")
    if isinstance(change, Renamed):
        kind, before, after = "renamed", change.old, change.new
    elif isinstance(change, Ordered):
        before, after, new = None, None, list(change.moved)
    elif isinstance(change, Changed) and editions.is_worded(path):
        kind = "reworded"
    told = {"kind": kind, "where": editions.where(path), "before": before, "after": after}
    return {**told, "old": old, "new": new}


def _of_thing(telling: Telling, change: Change) -> dict[str, Any]:
    """What it is a change of, and where that stands."""
    path = change.path[: depth_of(change.path)]
    collection = path[1] if path[0] == "collections" and len(path) > 1 else path[0]
    thing = THINGS.get(collection, "ruleset")
    if len(path) < depth_of(change.path):
        standing, title, id_ = Standing(), humanise(collection), None
    else:
        standing, title = telling.standing_of(path), title_of(telling.ruleset_with(path), path)
        id_ = path[-1] if len(path) > 1 else None
    return {
        "thing": thing,
        "id": id_,
        "title": title,
        "rule": standing.rule or None,
        "chapter": standing.chapter or None,
    }
