"""A released edition, or one about to be released -> the record of how all of it prints today."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rulebook.build.executors import Workers
from rulebook.build.jobs import Job
from rulebook.build.stages import Stages
from rulebook.documents.parts.document import ComposedDocument, Rendered
from rulebook.documents.print_records import print_record
from rulebook.loading.print_records import PrintRecord
from rulebook.loading.snapshots import Snapshot
from rulebook.model.edition_standing import Standing
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem


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
    made: list[ComposedDocument] = []

    def jobs() -> Iterator[Job]:
        for one in planned:
            composed = one.compose()
            if composed is not None:
                made.append(composed)
                wanted = frozenset(file.path for file in composed.files)
                yield Job(len(made) - 1, composed, templates, wanted)

    planned = stages.plan(released, stages.compute(released), before)
    files: list[tuple[ComposedDocument, Rendered]] = []
    with Workers(stages.render, stages.warm_up) as workers:
        for result in workers.run(jobs(), len(planned)):
            problems += result.problems
            files += [(made[result.number], rendered) for rendered in result.rendered]
    if problems:
        return None, problems
    return print_record(released, snapshot.sha256, files), []
