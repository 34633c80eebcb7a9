"""The file revisions.yaml of a ruleset -> what its author says of the changes, or the faults.

It is read apart from the ruleset: a slip in it stops a release, and nothing else.
"""

from __future__ import annotations

from pathlib import Path

from rulebook.loading.folder import REVISIONS_FILE
from rulebook.loading.nodes import MappingNode, places_of, shape
from rulebook.loading.reading import Unreadable, forbidden_characters, read_text
from rulebook.loading.releases import edition_order, find_releases
from rulebook.loading.structure import read_model
from rulebook.loading.yaml_events import read_yaml
from rulebook.model.revisions import Revisions
from rulebook.model.ruleset import Address
from rulebook.problems import Problem, Span


def read_revisions(folder: Path) -> tuple[Revisions | None, dict[Address, Span], list[Problem]]:
    """The revisions of a ruleset, where each part stands, and the faults.

    A file that is not there, or holds nothing but remarks, says nothing of any edition.
    """
    path = folder / REVISIONS_FILE
    shown = path.as_posix()
    if not path.exists():
        return Revisions(), {}, []
    try:
        text = read_text(path, shown)
    except Unreadable as error:
        return None, {}, [error.problem]
    if found := forbidden_characters(text, shown):
        return None, {}, list(found)
    if all(line.lstrip().startswith("#") for line in text.splitlines() if line.strip()):
        return Revisions(), {}, []
    root, problems = read_yaml(text, shown)
    if root is None or problems:
        return None, {}, list(problems)
    if not isinstance(root, MappingNode):
        return None, {}, [Problem.of("R203 revisions", root.span, shape=shape(root))]
    revisions, faults = read_model(Revisions, root)
    return revisions, dict(places_of(root)), faults


def edition_before(folder: Path, edition: str, revisions: Revisions | None) -> str | None:
    """The edition that one is compared with: what its author says, or the one released before it.

    That is the last with a lower number. Of an edition that is not released yet it is the last that
    is still in use, if there is one, since an edition that is withdrawn is held by few. Of one that
    is released it stays what it was, whatever is withdrawn later.
    """
    releases = list(find_releases(folder))
    notes = revisions.editions.get(edition) if revisions else None
    if notes is not None and notes.after is not None:
        return notes.after
    before = [one for one in releases if edition_order(one) < edition_order(edition)]
    withdrawn = revisions.withdrawn if revisions and edition not in releases else {}
    in_use = [one for one in before if one not in withdrawn]
    known = in_use or before
    return known[-1] if known else None
