"""Jobs -> results, as they finish: in this process, in worker processes, or on a cluster.

All three run the same function on the same values, so they give the same bytes. A job that fails,
or takes its worker with it, costs no other job. Jobs begin in the order in which they come.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Protocol

from rulebook.build.jobs import Job, JobResult, Render, broken, died, perform

WarmUp = Callable[[Path], None]

#: Windows waits for no more handles at once.
_MOST_WORKERS = 61 if sys.platform == "win32" else 256


class WorkerPool(Protocol):
    """What runs several jobs at a time."""

    @property
    def beat(self) -> float | None:
        """Seconds after which it is looked at again though no job is done; None for never."""

    def room(self) -> int:
        """How many jobs may be on the way; 0 where none are run any more."""

    def submit(self, job: Job) -> Future[JobResult]:
        """Begin a job."""

    def outcome(self, future: Future[JobResult], job: Job) -> JobResult | None:
        """The result of a job that is done, None where it was lost with its worker."""


def run_together(
    pool: WorkerPool, waiting: Iterator[Job], left: dict[int, Job]
) -> Generator[JobResult, None, None]:
    """Yield results until jobs or workers run out; `left` has the jobs that were lost."""
    sent: dict[Future[JobResult], Job] = {}
    while room := pool.room():
        for job in islice(waiting, max(0, room - len(sent))):
            left[job.number] = job
            sent[pool.submit(job)] = job
        if not sent:
            return
        for future in wait_for(sent, timeout=pool.beat, return_when=FIRST_COMPLETED).done:
            result = pool.outcome(future, sent.pop(future))
            if result is not None:
                del left[result.number]
                yield result


class _Processes:
    """Worker processes that render; they are lost together when one of them dies.

    They are started afresh, since the page maker does not survive a fork, one whenever a job comes
    and no other is idle.
    """

    beat = None

    def __init__(self, count: int, render: Render, prepare: Callable[[], None]) -> None:
        self._render, self._count, self._broken = render, count, False
        #: Processes that were there before those of the pool.
        self._before = set(active_children())
        self._pool = _spawned(count, prepare)

    def room(self) -> int:
        # One more than there are workers, so that none waits for the next.
        return 0 if self._broken else self._count + 1

    def submit(self, job: Job) -> Future[JobResult]:
        try:
            return self._pool.submit(perform, self._render, job)
        except BrokenExecutor as fault:
            lost: Future[JobResult] = Future()
            lost.set_exception(fault)
            return lost

    def outcome(self, future: Future[JobResult], job: Job) -> JobResult | None:
        try:
            return future.result()
        except BrokenExecutor:
            self._broken = True
            return None
        except Exception as fault:  # what cannot be sent to a worker or back
            return broken(job, fault)

    def close(self, *, kill: bool) -> None:
        # The pool itself does not know of one that was being started when it was stopped.
        _end(self._pool, set(active_children()) - self._before if kill else ())


class Workers:
    """Runs the jobs of one build after another; processes that it started stay warm till the end.

    A single job is not worth a process: it is run in this one, unless there is always to be one,
    since this one has `other_work`. Where there is a `cluster`, at the address of its scheduler, it
    runs the jobs; `note` hears what happens to it, and what it does not do, because it was lost, is
    done here.
    """

    def __init__(
        self,
        render: Render,
        warm_up: WarmUp,
        *,
        jobs: int | None = None,
        cluster: str | None = None,
        note: Callable[[str], None] = print,
        other_work: bool = False,
    ) -> None:
        self._render, self._warm_up, self._other_work = render, warm_up, other_work
        self._count = min(jobs or processors(), _MOST_WORKERS)
        self._cluster, self._note = cluster, note
        self._pool: _Processes | None = None

    def run(self, jobs: Iterable[Job]) -> Generator[JobResult, None, None]:
        """One result for each job, as they finish.

        Jobs are taken as there is room for them, so that the next are made while some are run.
        """
        waiting, left = iter(jobs), dict[int, Job]()
        first = list(islice(waiting, 2))
        if not first:
            return
        waiting = chain(first, waiting)
        if self._cluster is not None:
            from rulebook.build.cluster import connected

            templates = first[0].templates
            with connected(self._render, self._cluster, templates, self._note) as cluster:
                yield from run_together(cluster, waiting, left)
            first = [*left.values(), *islice(waiting, 1)]
            if not first:
                return
            self._note(f"what the cluster at {self._cluster} did not do is rendered here")
            # Never in this process: one of them may have taken a worker with it.
            waiting, left = chain(first, waiting), {}
        elif self._pool is None and not self._other_work and min(self._count, len(first)) == 1:
            yield from serially(self._render, waiting)
            return
        try:
            yield from run_together(self._started(self._count, first[0]), waiting, left)
        except BaseException:
            self._close(kill=True)
            raise
        if left:
            self._close()
            yield from self._apart(chain(left.values(), waiting))

    def _apart(self, jobs: Iterable[Job]) -> Generator[JobResult, None, None]:
        """Run what a dead worker left undone, one by one, so that only the guilty job fails."""
        try:
            for job in jobs:
                pool = self._started(1, job)
                result = pool.outcome(pool.submit(job), job)
                if result is None:
                    self._close()
                yield result or died(job)
        finally:
            self._close(kill=True)

    def _started(self, count: int, job: Job) -> _Processes:
        if self._pool is None:
            prepare = partial(_prepare_worker, self._warm_up, job.templates)
            self._pool = _Processes(count, self._render, prepare)
        return self._pool

    def _close(self, *, kill: bool = False) -> None:
        if self._pool is not None:
            self._pool.close(kill=kill)
            self._pool = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        self._close(kill=fault is not None)


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def serially(render: Render, jobs: Iterable[Job]) -> Iterator[JobResult]:
    """One job after the other in this process."""
    return (perform(render, job) for job in jobs)


def _spawned(count: int, prepare: Callable[[], None]) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=prepare)


def _end(pool: ProcessPoolExecutor, half_way: Iterable[BaseProcess]) -> None:
    """Shut a pool down and kill the given processes, so that none is left."""
    for process in half_way:
        process.kill()
    pool.shutdown(wait=True, cancel_futures=True)


class TookTooLong(Exception):
    """A question that was not answered in time."""


class Answerer:
    """Answers questions one by one in a process of its own, which is ended when one takes too long.

    `answer` is a function of a module; what it raises comes back as an answer.
    """

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self._answer = answer
        self._alone = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    def ask(self, question: Any, seconds: float) -> Any:
        """Raises TookTooLong, also where the process dies of it, and what answering raised."""
        with self._alone:
            self._pool = self._pool or _spawned(1, _leave_to_parent)
            try:
                return self._pool.submit(self._answer, question).result(seconds)
            except (TimeoutError, BrokenExecutor):
                self.close()
                raise TookTooLong from None

    def close(self) -> None:
        if self._pool is not None:
            _end(self._pool, [*(self._pool._processes or {}).values()])
            self._pool = None


def _leave_to_parent() -> None:
    """Ignore Ctrl-C and print nothing, since the parent does both; end when the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A missing library is reported as a problem; the page maker prints a page on it besides.
    sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _prepare_worker(warm_up: WarmUp, templates: Path) -> None:
    """Import what rendering needs, so that the first job is not slow."""
    _leave_to_parent()
    with suppress(Exception):  # the job meets the same fault and can tell it
        warm_up(templates)
    # Jobs tell when there is enough to collect: after each of them it is a tenth of a build.
    gc.freeze()
    gc.disable()


def _end_with_parent() -> None:
    """End this worker when its parent has been killed."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
