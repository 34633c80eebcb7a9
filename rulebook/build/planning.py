"""Chosen targets -> the jobs still to be done, each with what its files are recorded as."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from rulebook.build.editions import EditionFolder, Printed
from rulebook.build.fingerprints import fingerprint, size_of, view_digest
from rulebook.build.jobs import Job, fault_of_program
from rulebook.build.listener import Failure, Stale
from rulebook.build.targets import Target
from rulebook.publications.publication import Publication
from rulebook.render.faults import RenderFault

Ingredients = Callable[[Publication, Path], dict[str, str]]


@dataclass(frozen=True, slots=True)
class Work:
    """One job, the folder that its files go to, and each file by its path in that folder."""

    job: Job
    folder: EditionFolder
    files: Mapping[str, Printed]

    def stale(self) -> list[Stale]:
        return [Stale(printed.target.path, printed.reason) for printed in self.files.values()]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done of one edition, and what is as it should be."""

    works: tuple[Work, ...]
    fresh: tuple[str, ...]
    failures: tuple[tuple[int, Failure, tuple[str, ...]], ...]


def plan(
    targets: Sequence[Target],
    folder: EditionFolder,
    *,
    first: int,
    templates: Path,
    ingredients: Ingredients,
) -> Plan:
    """Compare each target with its file; the files of one publication are one job.

    `first` is the number of the first job. A publication whose ingredients cannot be read is a
    failure, with the number that its job would have had and the paths that it leaves unwritten.
    """
    works: list[Work] = []
    fresh: list[str] = []
    failures: list[tuple[int, Failure, tuple[str, ...]]] = []
    for number, (_, group) in enumerate(groupby(targets, key=lambda t: id(t.publication)), first):
        wanted = list(group)
        publication = wanted[0].publication
        try:
            files = _stale(wanted, folder, ingredients(publication, templates))
            fresh += [target.path for target in wanted if target.artefact.path not in files]
            if files:
                size = size_of(publication)
                job = Job(number, publication, templates, frozenset(files), size)
                works.append(Work(job, folder, files))
        except Exception as fault:
            name = f"{publication.ruleset}/{publication.edition}/{publication.name}"
            told = fault.problems if isinstance(fault, RenderFault) else (fault_of_program(fault),)
            failure = Failure(name, told, traceback.format_exc())
            failures.append((number, failure, tuple(target.path for target in wanted)))
    return Plan(tuple(works), tuple(fresh), tuple(failures))


def _stale(
    targets: Sequence[Target], folder: EditionFolder, ingredients: Mapping[str, str]
) -> dict[str, Printed]:
    view = view_digest(targets[0].publication)
    found: dict[str, Printed] = {}
    for target in targets:
        now = fingerprint(target, view, ingredients)
        reason = folder.why_stale(target, now)
        if reason:
            found[target.artefact.path] = Printed(target, now, reason)
    return found
