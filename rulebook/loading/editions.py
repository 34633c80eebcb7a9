"""A ruleset's folder, or the file of a released edition -> the ruleset, and how its edition stands.

A released edition needs nothing of the folder but its own file, so that it can be printed again
when the folder has long moved on. The same number may be on a released edition and on a working
copy that has moved on, so what is printed or checked tells which of them it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from rulebook.loading.bases import BASED_ON
from rulebook.loading.edition_history import read_history
from rulebook.loading.folder import HEADER_FILE
from rulebook.loading.loaded import Loaded
from rulebook.loading.nodes import MappingNode, Node, Scalar
from rulebook.loading.releases import AT, find_releases, folder_of, is_release, strays
from rulebook.loading.rulesets import find_options, load
from rulebook.loading.safe_text import Unreadable, read_text
from rulebook.loading.snapshots import Snapshot, load_snapshot, read_snapshot
from rulebook.loading.yaml_reader import read_yaml
from rulebook.model.lengths import Lengths
from rulebook.model.plain_data import frozen_ruleset
from rulebook.model.revisions import Standing
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem, Report, Span


def load_edition(
    source: Path, options: Iterable[str] = (), lengths: Lengths | None = None
) -> Loaded:
    """Read a working copy (a folder) or a released edition (a file), with some options chosen.

    `lengths` is how lengths are turned beyond what the header says.
    """
    if is_release(source):
        return load_snapshot(source, options, lengths)
    return load(source, options, lengths)


def load_standing(
    source: Path, options: Iterable[str] = (), lengths: Lengths | None = None
) -> Loaded:
    """Read an edition as `load_edition` does, and tell how it stands.

    What is amiss about that comes as warnings, which keep nothing from being printed; but a
    faulty revisions.yaml is a fault of its folder, as that of any other file.
    """
    loaded = load_edition(source, options, lengths)
    if loaded.ruleset is None:
        return loaded
    ruleset, history, frozen = loaded.ruleset, read_history(source), is_release(source)
    edition = ruleset.header.edition
    problems = list(history.problems) if frozen else []
    problems += [*history.withdrawal_faults(), *strays(history.folder)]
    release = history.releases.get(edition)
    same = frozen or (release is not None and _is_as_released(ruleset, release))
    differs = release is not None and not same
    if release is not None and differs:
        message = f"edition {edition} was released, and this working copy says something else"
        expected = "the number of an edition that was not released yet"
        hint = f"give it a new number; see 'rulebook diff {ruleset.id} {edition}'"
        here, also = (
            ruleset.place("header", "edition"),
            (Span(release.as_posix()), "the released edition"),
        )
        problems.append(Problem("R803", message, here, expected, hint, also))
    report = Report([*loaded.report.problems, *(() if frozen else history.problems)])
    report.extend(replace(problem, severity="warning") for problem in problems)
    withdrawn = history.revisions.withdrawn.get(edition) if history.revisions and same else None
    reason = withdrawn.reason.markdown if withdrawn else None
    standing = Standing(frozen, same, differs, reason)
    return Loaded(replace(ruleset, standing=standing), report, loaded.files)


def _is_as_released(ruleset: Ruleset, path: Path) -> bool:
    """Whether a working copy says what was released; options chosen are left out of it."""
    plain = ruleset.with_options(()).ruleset
    snapshot, _ = read_snapshot(path)
    if plain is None or snapshot is None:
        return False
    return Snapshot(ruleset.id, snapshot.edition, frozen_ruleset(plain)).sha256 == snapshot.sha256


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
    folder = folder_of(source).parent / name
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
