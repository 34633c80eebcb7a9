"""A ruleset's folder, or the file of a released edition -> the ruleset, and how its edition stands.

A released edition needs nothing of the folder but its own file, so that it can be printed again
when the folder has long moved on. The same number may be on a released edition and on a working
copy that has moved on, so what is printed or checked tells which of them it is.
What its author says of the editions, in revisions.yaml, is read apart from the ruleset: a slip in
it stops a release, and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rulebook.loading.bases import BASED_ON
from rulebook.loading.bindings import links_of
from rulebook.loading.folder import (
    AT,
    HEADER_FILE,
    REVISIONS_FILE,
    edition_order,
    find_releases,
    folder_of,
    header_file,
    is_release,
    strays,
)
from rulebook.loading.loaded import Loaded
from rulebook.loading.markdown_faults import markdown_faults
from rulebook.loading.nodes import MappingNode, Node, PlacesInFiles, Scalar, misshapen
from rulebook.loading.rulesets import find_options, load
from rulebook.loading.safe_text import Unreadable, bad_references, read_text
from rulebook.loading.sheet_file import HEADER, read_sheet
from rulebook.loading.snapshots import Snapshot, load_snapshot, read_snapshot
from rulebook.loading.structure import read_model
from rulebook.loading.yaml_reader import placed_in_scalar, read_yaml
from rulebook.model.lengths import Lengths
from rulebook.model.plain_data import frozen_ruleset
from rulebook.model.revisions import EditionNotes, Revisions, Standing
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Prose
from rulebook.model.walk import texts_in
from rulebook.problems import Problem, Report, Span


@dataclass(frozen=True, slots=True)
class EditionHistory:
    """The released editions of a ruleset with their files, oldest first, and the author's notes.

    If revisions.yaml has faults, `revisions` is None and `problems` lists them; `places` are the
    places of its parts.
    """

    folder: Path
    releases: Mapping[str, Path]
    revisions: Revisions | None
    places: Mapping[Address, Span]
    problems: list[Problem]

    @property
    def file(self) -> str:
        """The path of revisions.yaml in reports."""
        return (self.folder / REVISIONS_FILE).as_posix()

    def notes(self, edition: str) -> EditionNotes | None:
        """Returns the author's notes on an edition, or None."""
        return self.revisions.editions.get(edition) if self.revisions else None

    def place(self, *address: str | int) -> Span:
        """Returns the place of a part of revisions.yaml, or if unknown that of the file."""
        return self.places.get(address, Span(self.file))

    def before(self, edition: str) -> str | None:
        """Returns the edition to compare `edition` with: its author's choice, or the one before it.

        The one before is the released edition with the next lower number. For an edition that is
        not released yet, withdrawn editions are passed over if there are others, since few people
        have them. For a released edition they are not, so that the answer never changes.
        """
        notes = self.notes(edition)
        if notes is not None and notes.after is not None:
            return notes.after
        before = [
            release for release in self.releases if edition_order(release) < edition_order(edition)
        ]
        open_ = edition not in self.releases
        withdrawn = self.revisions.withdrawn if self.revisions and open_ else {}
        known = [release for release in before if release not in withdrawn] or before
        return known[-1] if known else None

    def withdrawal_faults(self) -> Iterator[Problem]:
        """Yields a fault for each edition that is marked as withdrawn but was never released."""
        for edition in self.revisions.withdrawn if self.revisions else ():
            if edition not in self.releases:
                message = f"edition {edition} is withdrawn, and was not released"
                expected = ", ".join(self.releases) or "a released edition"
                yield Problem("R805", message, self.place("withdrawn", edition), expected)


def read_history(source: Path) -> EditionHistory:
    """Reads the history of the ruleset to which a working copy or a released edition belongs.

    It has its releases and what revisions.yaml says, with faults. It raises nothing.
    """
    folder = folder_of(source)
    return EditionHistory(folder, find_releases(folder), *_read_revisions(folder))


def _read_revisions(folder: Path) -> tuple[Revisions | None, Mapping[Address, Span], list[Problem]]:
    """Reads revisions.yaml in a folder: the revisions, the places of their parts, and the faults.

    A file that is missing, or has only comments, gives empty revisions.
    """
    path = folder / REVISIONS_FILE
    shown = path.as_posix()
    if not os.path.lexists(path):
        return Revisions(), {}, []
    try:
        text = read_text(path, shown, within=folder)
    except Unreadable as error:
        return None, {}, list(error.problems)
    if all(line.lstrip().startswith("#") for line in text.splitlines() if line.strip()):
        return Revisions(), {}, []
    root, problems = read_yaml(text, shown)
    if root is None or problems:
        return None, {}, list(problems)
    if not isinstance(root, MappingNode):
        return None, {}, [misshapen(root, "in this file", "'editions' and 'withdrawn'")]
    revisions, faults = read_model(Revisions, root)
    places = PlacesInFiles({(): root})
    if revisions is not None:
        faults = [*faults, *_faults_of_prose(revisions, places, text.splitlines())]
    return (None if faults else revisions), places, faults


def _faults_of_prose(
    revisions: Revisions, places: Mapping[Address, Span], lines: list[str]
) -> Iterator[Problem]:
    """Yields faults of links and character references in the texts of revisions.yaml.

    `places` are those of its parts, `lines` the lines of the file.
    """
    for address, prose in texts_in((), revisions):
        span = places.get(address) or places[address[:-1]]
        text = prose.markdown if isinstance(prose, Prose) else prose
        place = placed_in_scalar(text, span, lines)
        anchors, faults = links_of(text, place)
        yield from (*faults, *bad_references(text, place), *markdown_faults(text, place))
        for anchor in anchors:
            message = f"a link to the heading '{anchor.target:.60}' in revisions.yaml"
            expected = "links to web and mail addresses: these words print apart from the rules"
            yield Problem("R213", message, anchor.span, expected)


def load_edition(
    source: Path,
    options: Iterable[str] = (),
    lengths: Lengths | None = None,
    *,
    resolving: bool = True,
) -> Loaded:
    """Loads a working copy (a folder) or a released edition (a file) with the given options chosen.

    `lengths` says how to convert lengths after the conversion that the header asks for. Faults are
    in the report of the result. Without `resolving` the references of a working copy are not
    checked.
    """
    if is_release(source):
        return load_snapshot(source, options, lengths)
    return load(source, options, lengths, resolving=resolving)


def load_standing(
    source: Path,
    options: Iterable[str] = (),
    lengths: Lengths | None = None,
    *,
    resolving: bool = True,
) -> Loaded:
    """Loads an edition as `load_edition` does, with its standing: released, changed, withdrawn.

    Faults of the history are reported as warnings, which do not stop printing. For a working copy,
    faults in revisions.yaml are errors, as in any other of its files. Unless `resolving`,
    references of a working copy are not checked; see `check_references`.
    """
    loaded = load_edition(source, options, lengths, resolving=resolving)
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
    """Tells whether a working copy, without options, has the content of the release at `path`."""
    plain = ruleset.with_options(()).ruleset
    snapshot, _ = read_snapshot(path)
    if plain is None or snapshot is None:
        return False
    return Snapshot(ruleset.id, snapshot.edition, frozen_ruleset(plain)).sha256 == snapshot.sha256


def edition_of(source: Path) -> str | None:
    """Returns the number of an edition, by its file name or else its header; None if unreadable."""
    if is_release(source):
        return source.stem
    edition = _in_header(source, "edition")
    return edition.text if isinstance(edition, Scalar) else None


def _in_header(folder: Path, key: str) -> Node | None:
    """Returns the value of a key in the header of a ruleset's folder.

    Returns None if the header cannot be read or has no such key.
    """
    path = header_file(folder) or folder / HEADER_FILE
    root: Node | None
    try:
        text = read_text(path, path.as_posix())
    except Unreadable:
        return None
    if path.suffix == ".md":
        root = read_sheet(text, path.as_posix(), folder.name)[0][HEADER]
    else:
        root, _ = read_yaml(text, path.as_posix())
    return root.get(key) if isinstance(root, MappingNode) else None


def every_edition(folder: Path) -> list[Path]:
    """Lists the working copy of a ruleset, if there is one, and its released editions.

    A release with the same number as the working copy is left out.
    """
    there = header_file(folder) is not None
    own = edition_of(folder) if there else None
    releases = [path for edition, path in find_releases(folder).items() if edition != own]
    return [folder, *releases] if there else releases


def base_of(source: Path, ruleset: Ruleset) -> Path | None:
    """Returns the folder or release on which a variant is based, or None if there is none.

    For a released variant only a released base counts, which `based_on` must name with its number:
    any other base may change, while what is printed of a release may not.
    """
    name, _, edition = (ruleset.header.based_on or "").partition(AT)
    folder = folder_of(source).parent / name
    if edition:
        return find_releases(folder).get(edition)
    fixed = is_release(source) or ruleset.standing.released
    there = bool(name) and not fixed and (folder / HEADER_FILE).is_file()
    return folder if there else None


def options_of(source: Path) -> list[str]:
    """Lists the ids of the options of a working copy and its base, or of a released edition."""
    if not is_release(source):
        ruleset = load(source).ruleset if _in_header(source, BASED_ON) else None
        return sorted(ruleset.options) if ruleset else find_options(source)
    snapshot, _ = read_snapshot(source)
    options = snapshot.content.get("options") if snapshot else None
    return sorted(options) if isinstance(options, dict) else []
