"""Changes of content and templates -> a build after each, until the user stops it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from threading import Event

from rulebook.build.build_request import BuildRequest
from rulebook.build.listener import Listener
from rulebook.build.opened_edition import Readings
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
    other_work: bool = False,
) -> None:
    """Build, and build again on every change; ends with KeyboardInterrupt, or with the changes.

    The request is made anew each time, since rulesets come and go. The first must hold, later
    faults of it are told by the listener and the watch goes on. `changes` are whatever calls for
    another build; where this process has `other_work` it leaves all rendering to others.
    """
    first = request()
    stages = stages or stages_of_rulebook(first.options, first.lengths, first.cache)
    readings = Readings()
    with workers_of(first, listener, stages, other_work=other_work) as workers:
        build_rulesets(first, listener, stages, workers, readings)
        gc.collect()
        # What is imported and kept by now stays to the end, and need not be looked through again.
        gc.freeze()
        for _ in (changes or _changes_of(content))(first):
            try:
                build_rulesets(request(), listener, stages, workers, readings)
            except Exception as fault:  # a filter may match nothing while a ruleset is written
                listener.stopped(fault)
            gc.collect()  # while nobody waits, rather than in the midst of the next build


def _changes_of(content: Path) -> Callable[[BuildRequest], Iterator[object]]:
    return lambda request: saves(content, request)


def saves(
    content: Path, request: BuildRequest, stop: Event | None = None
) -> Iterator[tuple[Path, ...]]:
    """The files of content and templates that are saved, all at once that are saved in a row."""
    from watchfiles import watch

    out = request.out.resolve()
    folders = (content, request.templates)
    for batch in watch(*folders, debounce=_QUIET * 20, step=_QUIET, stop_event=stop):
        saved = tuple(sorted({Path(path) for _, path in batch}))
        if any(out not in path.resolve().parents for path in saved):
            yield saved
