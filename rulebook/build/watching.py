"""Changes of content and templates -> a build after each, until the user stops it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from rulebook.build.build_request import BuildRequest
from rulebook.build.listener import Listener
from rulebook.build.rulesets import build_rulesets, workers_of
from rulebook.build.stages import Stages, stages_of_rulebook

#: Milliseconds of quiet after which a save of an editor is taken to be whole.
_QUIET = 20


def build_on_change(
    request: Callable[[], BuildRequest],
    listener: Listener,
    content: Path,
    *,
    changes: Callable[[BuildRequest], Iterable[object]] | None = None,
    stages: Stages | None = None,
) -> None:
    """Build, and build again on every change; ends with KeyboardInterrupt, or with the changes.

    The request is made anew each time, since rulesets come and go. The first must hold, later
    faults of it are told by the listener and the watch goes on.
    """
    first = request()
    stages = stages or stages_of_rulebook(first.options, first.lengths, first.cache)
    with workers_of(first, listener, stages) as workers:
        build_rulesets(first, listener, stages, workers)
        gc.collect()
        # What is imported and kept by now stays to the end, and need not be looked through again.
        gc.freeze()
        for _ in (changes or _changes_of(content))(first):
            try:
                build_rulesets(request(), listener, stages, workers)
            except Exception as fault:  # a filter may match nothing while a ruleset is written
                listener.stopped(fault)
            gc.collect()  # while nobody waits, rather than in the midst of the next build


def _changes_of(content: Path) -> Callable[[BuildRequest], Iterator[object]]:
    def changes(request: BuildRequest) -> Iterator[object]:
        from watchfiles import watch

        out = request.out.resolve()
        folders = (content, request.templates)
        for batch in watch(*folders, debounce=_QUIET * 20, step=_QUIET):
            if any(out not in Path(path).resolve().parents for _, path in batch):
                yield batch

    return changes
