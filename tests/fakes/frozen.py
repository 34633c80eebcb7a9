"""Rulesets -> snapshots in the folders where released editions stand."""

from pathlib import Path
from typing import Any

from beside import as_written

from rulebook.loading.rulesets import load
from rulebook.loading.snapshots import Snapshot
from rulebook.model.plain_data import frozen_ruleset
from rulebook.model.ruleset import Ruleset

#: A ruleset with something of everything, and what it was released as in each format.
RELEASED = Path(__file__).parents[1] / "unit" / "loading" / "released"
SMALL_WARS = RELEASED / "small-wars"
#: A variant of it, with lengths of its own.
SMALL_WARS_CM = RELEASED / "small-wars-cm"
#: As little as a ruleset may be.
TINY = as_written(__file__, "tiny")


def write_tiny(content: Path, name: str = "tiny") -> Path:
    """The smallest ruleset in a folder of content."""
    folder = content / name
    folder.mkdir(parents=True)
    for file, text in TINY.items():
        (folder / file).write_text(text, "utf-8")
    return folder


def change(path: Path, before: str, after: str) -> None:
    """Other words in a file of a ruleset, where these stand first."""
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), "utf-8")


def loaded(folder: Path, *options: str) -> Ruleset:
    """The ruleset of a folder, which has no fault, with these options in force."""
    found = load(folder, options)
    assert found.ruleset is not None, list(found.report)
    return found.ruleset


def snapshot_of(folder: Path) -> Snapshot:
    """What a release of the folder would freeze."""
    ruleset = loaded(folder)
    return Snapshot(ruleset.id, ruleset.header.edition, frozen_ruleset(ruleset))


def freeze(folder: Path, content: Path | None = None) -> Path:
    """Write the snapshot of a folder to its releases, or to those in another content folder."""
    snapshot = snapshot_of(folder)
    return put(content or folder.parent, snapshot)


def put(content: Path, snapshot: Snapshot, **other: Any) -> Path:
    """Write a snapshot where it belongs; `other` are the ruleset or the edition of its place."""
    ruleset = other.get("ruleset", snapshot.ruleset)
    path = content / ruleset / "releases" / f"{other.get('edition', snapshot.edition)}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(snapshot.text(), "utf-8")
    return path
