"""A ruleset's folder -> its publications and targets, or why nothing of it can be built."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rulebook.build.editions import EditionFolder, Heading
from rulebook.build.jobs import fault_of_program
from rulebook.build.listener import Failure, Listener
from rulebook.build.stages import Stages
from rulebook.build.targets import Target, gather
from rulebook.loading.editions import name_of
from rulebook.problems import Problem, Report
from rulebook.publications.publication import Publication

#: Kinds of publications whose backs must lie behind their fronts.
_BACK_TO_BACK = frozenset({"cards"})
#: Kinds in whose files there are sheets of cards.
_WITH_CARDS = frozenset({"changes"})


@dataclass(frozen=True, slots=True)
class Composed:
    """All targets of one ruleset, and the folder that its files go to.

    `unread` are the faults of what tells of the edition before: nothing of it is printed then.
    """

    folder: EditionFolder
    targets: tuple[Target, ...]
    unread: tuple[Problem, ...] = ()

    @property
    def name(self) -> str:
        heading = self.folder.heading
        return f"{heading.ruleset}/{heading.form}"


def compose(
    folder: Path,
    out: Path,
    stages: Stages,
    listener: Listener,
    *,
    offset: tuple[float, float] = (0, 0),
) -> Composed | Failure:
    """Load, compute, check and compose; every fault of the content is in the failure.

    `offset` is that of the user's printer, as in the order.
    """
    try:
        loaded = stages.load(folder)
        report = Report(list(loaded.report.problems))
        computed = None if loaded.ruleset is None else stages.compute(loaded.ruleset)
        if loaded.ruleset is not None and computed is not None:
            report.extend(stages.check(loaded.ruleset, computed))
        listener.checked(name_of(folder), report)
        if loaded.ruleset is None or computed is None or not report.ok:
            return Failure(name_of(folder), tuple(report), nothing_built=True)
        ruleset, header = loaded.ruleset, loaded.ruleset.header
        date = header.date.isoformat() if header.date else None
        standing = ruleset.standing
        told = (header.title, header.edition, date, standing.status, standing.reason)
        heading = Heading(ruleset.id, *told, ruleset.chosen, ruleset.asked, ruleset.form)
        before, unread = stages.before(folder, ruleset)
        return Composed(
            EditionFolder(heading, out / ruleset.id / ruleset.form),
            tuple(gather(_for_printer(stages.compose(ruleset, computed, before), offset))),
            tuple(unread),
        )
    except Exception as fault:
        problem = fault_of_program(fault)
        return Failure(name_of(folder), (problem,), traceback.format_exc(), nothing_built=True)


def _for_printer(
    publications: Iterable[Publication], offset: tuple[float, float]
) -> Iterator[Publication]:
    """The publications, with the offset in the views of those that are printed back to back.

    It is no part of a ruleset: the same content is printed on many printers.
    """
    for publication in publications:
        view = publication.view
        if offset == (0, 0):
            yield publication
        elif publication.kind in _BACK_TO_BACK:
            yield replace(publication, view={**view, "offset": list(offset)})
        elif publication.kind in _WITH_CARDS:
            decks = [{**deck, "offset": list(offset)} for deck in view["decks"]]
            yield replace(publication, view={**view, "decks": decks})
        else:
            yield publication
