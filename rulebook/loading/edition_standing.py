"""A working copy or a released edition -> the ruleset, and how its edition stands.

What is printed or checked is told apart here: the same number may be on a released edition and on
a working copy that has moved on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from rulebook.loading.editions import load_edition
from rulebook.loading.folder import REVISIONS_FILE
from rulebook.loading.loaded import Loaded
from rulebook.loading.releases import AT, find_releases, is_release, record_path, strays
from rulebook.loading.revision_notes import edition_before, read_revisions
from rulebook.loading.snapshots import Snapshot, read_snapshot
from rulebook.model.edition_standing import Standing
from rulebook.model.lengths import Lengths
from rulebook.model.plain_data import frozen_ruleset
from rulebook.model.revisions import Revisions
from rulebook.model.ruleset import Address, Ruleset
from rulebook.problems import Problem, Report, Span


def load_standing(
    source: Path, options: Iterable[str] = (), lengths: Lengths | None = None
) -> Loaded:
    """Read an edition as `load_edition` does, and tell how it stands.

    What is amiss about that is told as warnings, which keep nothing from being printed; but a
    faulty revisions.yaml is a fault of its folder, as that of any other file.
    """
    loaded = load_edition(source, options, lengths)
    if loaded.ruleset is None:
        return loaded
    frozen = is_release(source)
    folder = source.parent.parent if frozen else source
    releases = find_releases(folder)
    revisions, places, faults = read_revisions(folder)
    problems = [
        *(faults if frozen else ()),
        *withdrawal_faults(folder, revisions, places, releases),
        *strays(folder),
        *_unrecorded(folder, loaded.ruleset.header.edition, revisions),
    ]
    ruleset = loaded.ruleset
    edition = ruleset.header.edition
    same = frozen or (edition in releases and _is_as_released(ruleset, releases[edition]))
    differs = edition in releases and not same
    if differs:
        problems.append(_differing(ruleset, releases[edition]))
    report = Report([*loaded.report.problems, *(() if frozen else faults)])
    report.extend(replace(problem, severity="warning") for problem in problems)
    withdrawn = revisions.withdrawn.get(edition) if revisions and same else None
    reason = withdrawn.reason.markdown if withdrawn else None
    standing = Standing(frozen, same, differs, reason)
    return Loaded(replace(ruleset, standing=standing), report, loaded.files)


def _unrecorded(folder: Path, edition: str, revisions: Revisions | None) -> Iterator[Problem]:
    """That no pages can be told of the edition before one, which an older rulebook released."""
    before = edition_before(folder, edition, revisions)
    path = find_releases(folder).get(before or "")
    if path is not None and before != edition and not record_path(path).exists():
        yield Problem.of(
            "R808 pages not recorded",
            Span(path.as_posix()),
            before=before,
            record=record_path(path).name,
            edition=f"{folder.name}{AT}{before}",
        )


def _is_as_released(ruleset: Ruleset, path: Path) -> bool:
    """Whether a working copy says what was released; options chosen are left out of it."""
    plain = ruleset.with_options(()).ruleset
    snapshot, _ = read_snapshot(path)
    if plain is None or snapshot is None:
        return False
    return Snapshot(ruleset.id, snapshot.edition, frozen_ruleset(plain)).sha256 == snapshot.sha256


def _differing(ruleset: Ruleset, path: Path) -> Problem:
    edition = ruleset.header.edition
    return Problem.of(
        "R803 says something else",
        ruleset.place("header", "edition"),
        also=Span(path.as_posix()),
        edition=edition,
        ruleset=ruleset.id,
    )


def withdrawal_faults(
    folder: Path,
    revisions: Revisions | None,
    places: Mapping[Address, Span],
    releases: Iterable[str],
) -> Iterator[Problem]:
    """Editions that are withdrawn though they were never released."""
    known = list(releases)
    file = Span((folder / REVISIONS_FILE).as_posix())
    for edition in revisions.withdrawn if revisions else ():
        if edition not in known:
            here = places.get(("withdrawn", edition), file)
            yield Problem.of("R805 withdrawn", here, edition=edition, known=", ".join(known))
