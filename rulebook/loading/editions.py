"""A ruleset's folder, or the file of a released edition -> the ruleset: one door for both.

A released edition needs nothing of the folder but its own file, so that it can be printed again
when the folder has long moved on.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rulebook.loading.bases import BASED_ON
from rulebook.loading.folder import HEADER_FILE
from rulebook.loading.loaded import Loaded
from rulebook.loading.nodes import MappingNode, Node, Scalar
from rulebook.loading.reading import Unreadable, read_text
from rulebook.loading.releases import AT, find_releases, is_release
from rulebook.loading.rulesets import find_options, load
from rulebook.loading.snapshots import load_snapshot, read_snapshot
from rulebook.loading.yaml_events import read_yaml
from rulebook.model.lengths import Lengths
from rulebook.model.ruleset import Ruleset


def load_edition(
    source: Path, options: Iterable[str] = (), lengths: Lengths | None = None
) -> Loaded:
    """Read a working copy (a folder) or a released edition (a file), with some options chosen.

    `lengths` is how lengths are turned beyond what the header says.
    """
    if is_release(source):
        return load_snapshot(source, options, lengths)
    return load(source, options, lengths)


def edition_of(source: Path) -> str | None:
    """The number of an edition by its file, of a working copy by its header; None if unreadable."""
    if is_release(source):
        return source.stem
    edition = _in_header(source, "edition")
    return edition.text if isinstance(edition, Scalar) else None


def _in_header(folder: Path, key: str) -> Node | None:
    """What stands under a key of a folder's header, if it can be read."""
    path = folder / HEADER_FILE
    try:
        root, _ = read_yaml(read_text(path, path.as_posix()), path.as_posix())
    except Unreadable:
        return None
    return root.get(key) if isinstance(root, MappingNode) else None


def _is_variant(folder: Path) -> bool:
    return _in_header(folder, BASED_ON) is not None


def every_edition(folder: Path) -> list[Path]:
    """The working copy of a ruleset, if there is one, and what was released but its own number."""
    there = (folder / HEADER_FILE).is_file()
    own = edition_of(folder) if there else None
    releases = [path for edition, path in find_releases(folder).items() if edition != own]
    return [folder, *releases] if there else releases


def base_of(source: Path, ruleset: Ruleset) -> Path | None:
    """Where the ruleset stands that a variant is based on; None if it is none, or it is not there.

    A released variant is compared with a released edition alone, which it must name: any other
    base may change, and what is printed of a release may not.
    """
    name, _, edition = (ruleset.header.based_on or "").partition(AT)
    folder = (source.parent.parent if is_release(source) else source).parent / name
    if edition:
        return find_releases(folder).get(edition)
    fixed = is_release(source) or ruleset.standing.released
    there = bool(name) and not fixed and (folder / HEADER_FILE).is_file()
    return folder if there else None


def options_of(source: Path) -> list[str]:
    """The ids of the options of a ruleset, with those of its base, or of a released edition."""
    if not is_release(source):
        ruleset = load(source).ruleset if _is_variant(source) else None
        return sorted(ruleset.options) if ruleset else find_options(source)
    snapshot, _ = read_snapshot(source)
    options = snapshot.content.get("options") if snapshot else None
    return sorted(options) if isinstance(options, dict) else []
