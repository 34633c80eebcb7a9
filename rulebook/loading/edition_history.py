"""A ruleset -> its released editions, and what its author says of them in revisions.yaml.

That file is read apart from the ruleset: a slip in it stops a release, and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rulebook.loading.folder import REVISIONS_FILE
from rulebook.loading.nodes import MappingNode, misshapen, places_of
from rulebook.loading.prose import links_of
from rulebook.loading.releases import edition_order, find_releases, folder_of
from rulebook.loading.safe_text import Unreadable, bad_references, read_text
from rulebook.loading.structure import read_model
from rulebook.loading.yaml_reader import placed_in_scalar, read_yaml
from rulebook.model.revisions import EditionNotes, Revisions
from rulebook.model.ruleset import Address
from rulebook.model.scalars import Prose
from rulebook.model.walk import texts_in
from rulebook.problems import Problem, Span


@dataclass(frozen=True, slots=True)
class EditionHistory:
    """The released editions of a ruleset with their files, the oldest first, and the notes on them.

    `revisions` is None where revisions.yaml has faults, which are the `problems`; `places` are
    those of its parts.
    """

    folder: Path
    releases: Mapping[str, Path]
    revisions: Revisions | None
    places: Mapping[Address, Span]
    problems: list[Problem]

    @property
    def file(self) -> str:
        """What revisions.yaml is called in reports."""
        return (self.folder / REVISIONS_FILE).as_posix()

    def notes(self, edition: str) -> EditionNotes | None:
        """What the author says of an edition."""
        return self.revisions.editions.get(edition) if self.revisions else None

    def place(self, *address: str | int) -> Span:
        """Where a part of revisions.yaml stands, or at least in which file."""
        return self.places.get(address, Span(self.file))

    def before(self, edition: str) -> str | None:
        """The edition that one is compared with: what its author says, or the one before it.

        That is the last released with a lower number. Of an edition that is not released yet it is
        the last that is still in use, if there is one, since an edition that is withdrawn is held
        by few. Of one that is released it stays what it was, whatever is withdrawn later.
        """
        notes = self.notes(edition)
        if notes is not None and notes.after is not None:
            return notes.after
        before = [
            release for release in self.releases if edition_order(release) < edition_order(edition)
        ]
        open_ = edition not in self.releases
        withdrawn = self.revisions.withdrawn if self.revisions and open_ else {}
        known = [one for one in before if one not in withdrawn] or before
        return known[-1] if known else None

    def withdrawal_faults(self) -> Iterator[Problem]:
        """Editions that are withdrawn though they were never released."""
        for edition in self.revisions.withdrawn if self.revisions else ():
            if edition not in self.releases:
                message = f"edition {edition} is withdrawn, and was not released"
                expected = ", ".join(self.releases) or "a released edition"
                yield Problem("R805", message, self.place("withdrawn", edition), expected)


def read_history(source: Path) -> EditionHistory:
    """The history of the ruleset that a working copy or a released edition is of."""
    folder = folder_of(source)
    return EditionHistory(folder, find_releases(folder), *_read_revisions(folder))


def _read_revisions(folder: Path) -> tuple[Revisions | None, dict[Address, Span], list[Problem]]:
    """The revisions of a ruleset, where each part stands, and the faults.

    A file that is not there, or holds nothing but remarks, says nothing of any edition.
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
    places = dict(places_of(root))
    if revisions is not None:
        faults = [*faults, *_faults_of_prose(revisions, places, text.splitlines())]
    return (None if faults else revisions), places, faults


def _faults_of_prose(
    revisions: Revisions, places: Mapping[Address, Span], lines: list[str]
) -> Iterator[Problem]:
    """What is wrong with links in the words on editions, which are printed beside the rules."""
    for address, prose in texts_in((), revisions):
        span = places.get(address) or places[address[:-1]]
        text = prose.markdown if isinstance(prose, Prose) else prose
        place = placed_in_scalar(text, span, lines)
        anchors, faults = links_of(text, place)
        yield from (*faults, *bad_references(text, place))
        for anchor in anchors:
            message = f"a link to the heading '{anchor.target:.60}' in revisions.yaml"
            expected = "links to web and mail addresses: these words print apart from the rules"
            yield Problem("R213", message, anchor.span, expected)
