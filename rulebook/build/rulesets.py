"""Rulesets -> their printed files in the output folder: only the stale ones are rendered.

Load, check and compose each ruleset; compare every target with what stands in the output folder;
render the stale ones and publish each as it is done; write the manifests and the way in. A
ruleset with faults costs no other ruleset, and a target that fails costs no other target.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from time import monotonic

from rulebook.build.archive import ruleset_folder, write_archive
from rulebook.build.composing import Composed, compose
from rulebook.build.executors import executor_for
from rulebook.build.index import INDEX, write_index
from rulebook.build.jobs import Result, fault_of_program
from rulebook.build.listener import Failure, Listener, Outcome
from rulebook.build.orders import Order
from rulebook.build.planning import Work, plan
from rulebook.build.publish import alone_in, unwritten, writable
from rulebook.build.stages import Stages, stages_of_rulebook
from rulebook.build.targets import choose

#: After all publications of a ruleset.
_LAST = 1 << 30
#: The place of what belongs to no ruleset: told last.
_AT_THE_END = (_LAST, _LAST)


def build_rulesets(
    order: Order, listener: Listener | None = None, stages: Stages | None = None
) -> Outcome:
    """Build what is ordered and tell the listener of it.

    Faults of content and of rendering are in the outcome. Raises NoSuchTarget where a filter
    matches nothing and ClusterFault where the cluster cannot be used.
    """
    stages = stages or stages_of_rulebook(order.options, order.lengths)
    return _Build(order, listener or Listener(), stages).run()


@dataclass
class _Build:
    order: Order
    listener: Listener
    stages: Stages
    #: By place in the content: the ruleset's, then the publication's.
    failures: dict[tuple[int, int], Failure] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    fresh: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)

    def run(self) -> Outcome:
        started = monotonic()
        fault = writable(self.order.out)
        if fault is not None:
            self.failures[_AT_THE_END] = Failure("output", (fault,), nothing_built=True)
        else:
            self._build(self._compose())
        outcome = Outcome(
            written=tuple(self.written),
            unchanged=tuple(self.fresh),
            failed=tuple(self.failed),
            removed=tuple(self.removed),
            failures=tuple(self.failures[key] for key in sorted(self.failures)),
            seconds=monotonic() - started,
        )
        self.listener.ended(outcome)
        return outcome

    def _compose(self) -> dict[int, Composed]:
        """Each ruleset that can be built, by its place in the order."""
        found: dict[int, Composed] = {}
        for place, folder in enumerate(self.order.folders):
            composed = compose(
                folder, self.order.out, self.stages, self.listener, offset=self.order.offset
            )
            if isinstance(composed, Failure):
                self.failures[place, 0] = composed
            else:
                found[place] = composed
                if composed.unread:
                    self.failures[place, -1] = Failure(
                        f"what changed in {composed.name}", composed.unread
                    )
        return found

    def _build(self, composed: Mapping[int, Composed]) -> None:
        works = self._plan(composed)
        stale = [stale for _, work in works for stale in work.stale()]
        self.listener.planned(stale, self.fresh)
        whole = False
        try:
            self._render(works)
            whole = self.order.whole
        finally:  # also where it is stopped half-way: what is written is recorded
            for place, one in composed.items():
                self._close(place, one, whole=whole)
            self._write_index(composed)

    def _plan(self, composed: Mapping[int, Composed]) -> list[tuple[int, Work]]:
        """What is to be rendered, each with the place of its ruleset."""
        everything = [target for one in composed.values() for target in one.targets]
        # A filter may mean what stands in a ruleset that could not be composed.
        chosen = {
            target.path for target in choose(everything, self.order, strict=not self.failures)
        }
        works: list[tuple[int, Work]] = []
        number = 0
        for place, one in composed.items():
            targets = [target for target in one.targets if target.path in chosen]
            fault = writable(one.folder.folder) if targets else None
            if fault is not None:
                self._fail((place, number), Failure(one.name, (fault,)), [t.path for t in targets])
                continue
            planned = plan(
                targets,
                one.folder,
                first=number,
                templates=self.order.templates,
                ingredients=self.stages.ingredients,
            )
            for key, failure, paths in planned.failures:
                self._fail((place, key), failure, paths)
            self.fresh += planned.fresh
            works += [(place, work) for work in planned.works]
            number += len(targets)
        return works

    def _fail(self, key: tuple[int, int], failure: Failure, paths: Sequence[str]) -> None:
        self.failures[key] = failure
        self.failed += paths
        self.listener.failed(paths)

    def _render(self, works: Sequence[tuple[int, Work]]) -> None:
        by_number = {work.job.number: (place, work) for place, work in works}
        if not by_number:
            return
        executor = executor_for(
            len(by_number),
            self.stages.render,
            self.stages.warm_up,
            jobs=self.order.jobs,
            cluster=self.order.cluster,
        )
        with closing(executor.run([work.job for _, work in works])) as results:
            for result in results:
                place, work = by_number[result.number]
                self._publish(place, work, result)

    def _publish(self, place: int, work: Work, result: Result) -> None:
        """Put the files of a job in their places; those that are not there are failures."""
        problems = list(result.problems)
        left = dict(work.files)
        for rendered in result.rendered:
            printed = left.get(rendered.path)
            if printed is None:
                continue  # told below as what is missing instead of it
            try:
                entry = work.folder.put(printed, rendered.data, rendered.pages)
            except OSError as fault:
                problems.append(unwritten(work.folder.folder / rendered.path, fault))
                continue
            del left[rendered.path]
            self.written.append(printed.target.path)
            self.listener.wrote(printed.target.path, entry)
        if left and not problems:
            nothing = ValueError(f"no bytes for {', '.join(sorted(left))}")
            problems.append(fault_of_program(nothing))
        if problems:
            failure = Failure(work.job.name, tuple(problems), result.trace)
            paths = [printed.target.path for printed in left.values()]
            self._fail((place, work.job.number), failure, paths)

    def _close(self, place: int, one: Composed, *, whole: bool) -> None:
        keep = {target.artefact.path for target in one.targets} if whole else None
        heading = one.folder.heading
        try:
            removed = one.folder.close(keep)
        except OSError as fault:
            problem = unwritten(one.folder.folder, fault)
            self.failures.setdefault((place, _LAST), Failure(one.name, (problem,)))
            return
        self.removed += [f"{heading.ruleset}/{heading.form}/{path}" for path in removed]

    def _write_index(self, composed: Mapping[int, Composed]) -> None:
        """The lists of editions, and the pages that lead to all files that are there."""
        path = self.order.out / INDEX
        try:
            with alone_in(self.order.out):
                for folder in dict.fromkeys(map(ruleset_folder, self.order.folders)):
                    write_archive(folder, self.order.out)
                write_index(
                    self.order.out,
                    self.order.templates,
                    self.stages.render_template,
                    self._index_ingredients(composed),
                )
        except OSError as fault:
            self.failures[_AT_THE_END] = Failure(INDEX, (unwritten(path, fault),))
        except Exception as fault:
            trace = traceback.format_exc()
            problem = fault_of_program(fault)
            self.failures[_AT_THE_END] = Failure(INDEX, (problem,), trace)

    def _index_ingredients(self, composed: Mapping[int, Composed]) -> dict[str, str] | None:
        """Those of any publication: templates and fonts are the same for all."""
        for one in composed.values():
            for target in one.targets:
                with suppress(Exception):  # told already as the fault of that publication
                    return self.stages.ingredients(target.publication, self.order.templates)
        return None
