"""The file revisions.yaml of a ruleset -> what its author says of the changes, or the faults.

It is read apart from the ruleset: a slip in it stops a release, and nothing else.
"""

from __future__ import annotations

from pathlib import Path

from rulebook.loading.nodes import Mapping, shape
from rulebook.loading.places import places_of
from rulebook.loading.reading import Unreadable, forbidden_characters, read_text
from rulebook.loading.structure import read_model
from rulebook.loading.yaml_events import read_yaml
from rulebook.model.revisions import Revisions
from rulebook.model.ruleset import Address
from rulebook.problems import Problem, Span

REVISIONS_FILE = "revisions.yaml"


def read_revisions(folder: Path) -> tuple[Revisions | None, dict[Address, Span], list[Problem]]:
    """The revisions of a ruleset, where each part stands, and the faults; none without a file."""
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
    root, problems = read_yaml(text, shown)
    if root is None or problems:
        return None, {}, list(problems)
    if not isinstance(root, Mapping):
        message = f"{shape(root)} stands where 'editions' belongs"
        return None, {}, [Problem("R203", message, root.span, "'editions' and 'withdrawn'")]
    revisions, faults = read_model(Revisions, root)
    return revisions, dict(places_of(root)), faults
