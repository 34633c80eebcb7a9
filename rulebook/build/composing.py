"""A ruleset's folder -> its publications and targets, or why nothing of it can be built."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path

from rulebook.build.editions import EditionFolder, Heading
from rulebook.build.jobs import fault_of_program
from rulebook.build.listener import Failure, Listener
from rulebook.build.stages import Stages
from rulebook.build.targets import Target, gather
from rulebook.problems import Report


@dataclass(frozen=True, slots=True)
class Composed:
    """All targets of one ruleset, and the folder that its files go to."""

    folder: EditionFolder
    targets: tuple[Target, ...]

    @property
    def name(self) -> str:
        heading = self.folder.heading
        return f"{heading.ruleset}/{heading.edition}"


def compose(folder: Path, out: Path, stages: Stages, listener: Listener) -> Composed | Failure:
    """Load, compute, check and compose; every fault of the content is in the failure."""
    try:
        loaded = stages.load(folder)
        report = Report(list(loaded.report.problems))
        computed = None if loaded.ruleset is None else stages.compute(loaded.ruleset)
        if loaded.ruleset is not None and computed is not None:
            report.extend(stages.check(loaded.ruleset, computed))
        listener.checked(folder.name, report)
        if loaded.ruleset is None or computed is None or not report.ok:
            return Failure(folder.name, tuple(report), nothing_built=True)
        ruleset, header = loaded.ruleset, loaded.ruleset.header
        heading = Heading(ruleset.id, header.title, header.edition, header.date.isoformat())
        return Composed(
            EditionFolder(heading, out / ruleset.id / header.edition),
            tuple(gather(stages.compose(ruleset, computed))),
        )
    except Exception as fault:
        problem = fault_of_program(fault)
        return Failure(folder.name, (problem,), traceback.format_exc(), nothing_built=True)
