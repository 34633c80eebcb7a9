"""A released edition, or one about to be released -> the record of how all of it prints today."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from rulebook.build.executors import executor_for
from rulebook.build.fingerprints import size_of
from rulebook.build.jobs import Job
from rulebook.build.stages import Stages
from rulebook.loading.print_records import PrintRecord
from rulebook.loading.snapshots import Snapshot
from rulebook.model.ruleset import Ruleset
from rulebook.model.standing import Standing
from rulebook.problems import Problem
from rulebook.publications.publication import Publication
from rulebook.render.jobs import Rendered
from rulebook.render.print_records import print_record


def print_and_record(
    snapshot: Snapshot, ruleset: Ruleset, path: Path, templates: Path, stages: Stages
) -> tuple[PrintRecord | None, list[Problem]]:
    """Print an edition to nowhere, as it prints from its file once it is released.

    `ruleset` is that of the snapshot, `path` where its file stands or will stand. Where a document
    cannot be printed there is no record, but the faults of all of them.
    """
    released = replace(ruleset, standing=Standing(frozen=True, released=True))
    before, problems = stages.before(path, released)
    if problems:
        return None, problems
    publications = stages.compose(released, stages.compute(released), before)
    jobs = [
        Job(number, one, templates, frozenset(file.path for file in one.artefacts), size_of(one))
        for number, one in enumerate(publications)
    ]
    executor = executor_for(len(jobs), stages.render, stages.warm_up, jobs=None, cluster=None)
    files: list[tuple[Publication, Rendered]] = []
    with closing(executor.run(jobs)) as results:
        for result in results:
            problems += result.problems
            files += [(publications[result.number], made) for made in result.rendered]
    if problems:
        return None, problems
    return print_record(released, snapshot.sha256, files), []
