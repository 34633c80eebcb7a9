"""Jobs -> results, as they finish: in this process, in worker processes, or on a cluster.

All three run the same function on the same values, so they give the same bytes. Jobs begin in
the order in which they come. A job that fails, or takes its worker with it, costs no other job.
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
from contextlib import closing, suppress
from functools import partial
from itertools import chain, islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from rulebook.build.jobs import Job, Render, Result, broken, died, perform

WarmUp = Callable[[Path], None]

#: Windows waits for no more handles at once.
_MOST_WORKERS = 61 if sys.platform == "win32" else 256


class ClusterFault(Exception):
    """A cluster that cannot be used; `usage` where it is the command that is wrong."""

    def __init__(self, message: str, *, usage: bool = False) -> None:
        super().__init__(message)
        self.usage = usage


class Workers:
    """Runs the jobs of one build after another; processes that it started stay warm till the end.

    Processes are started afresh, since the page maker does not survive a fork, one whenever a job
    comes and no other is idle. A single job is not worth a process: it is run in this one, unless
    there is always to be one, since this one has `other_work`. Where there is a `cluster`, at the
    address of its scheduler, it runs the jobs; `told` hears what happens to it, and what it does
    not do, because it was lost, is done here.
    """

    def __init__(
        self,
        render: Render,
        warm_up: WarmUp,
        *,
        jobs: int | None = None,
        cluster: str | None = None,
        told: Callable[[str], None] = print,
        other_work: bool = False,
    ) -> None:
        self._render, self._warm_up, self._other_work = render, warm_up, other_work
        self._count = min(jobs or processors(), _MOST_WORKERS)
        self._cluster, self._told = cluster, told
        self._pool: ProcessPoolExecutor | None = None
        #: Processes that were there before those of the pool.
        self._others: set[BaseProcess] = set()

    def run(self, jobs: Iterable[Job]) -> Generator[Result, None, None]:
        """One result for each job, as they finish.

        Jobs are taken as there is room for them, so that the next are made while some are run.
        """
        waiting = iter(jobs)
        first = list(islice(waiting, 2))
        if not first:
            return
        waiting = chain(first, waiting)
        if self._cluster is not None:
            from rulebook.build.cluster import Cluster

            cluster = Cluster(self._render, self._cluster, self._told)
            with closing(cluster.run(waiting)) as results:
                yield from results
            rest = [*cluster.left.values(), *islice(waiting, 1)]
            if not rest:
                return
            self._told(f"what the cluster at {self._cluster} did not do is rendered here")
            # Never in this process: one of them may have taken a worker with it.
            waiting = chain(rest, waiting)
        elif self._pool is None and not self._other_work and min(self._count, len(first)) == 1:
            yield from serially(self._render, waiting)
            return
        left: dict[int, Job] = {}
        try:
            yield from self._together(waiting, left)
        except BaseException:
            self._close(kill=True)
            raise
        if left:
            self._close()
            yield from self._apart(chain(left.values(), waiting))

    def _together(
        self, waiting: Iterator[Job], left: dict[int, Job]
    ) -> Generator[Result, None, None]:
        """Results until the jobs end, or until a worker dies: what it left undone is in `left`."""
        futures: dict[Future[Result], Job] = {}
        alive = True
        while alive:
            # One more than there are workers, so that none waits for the next.
            for job in islice(waiting, max(0, self._count + 1 - len(futures))):
                left[job.number] = job
                self._pool = self._pool or self._start(self._count, job)
                try:
                    futures[self._pool.submit(perform, self._render, job)] = job
                except BrokenExecutor:
                    alive = False
                    break
            if not futures:
                return
            for future in wait_for(futures, return_when=FIRST_COMPLETED).done:
                result = _outcome(future, futures.pop(future))
                if result is None:
                    alive = False
                else:
                    del left[result.number]
                    yield result

    def _apart(self, jobs: Iterable[Job]) -> Generator[Result, None, None]:
        """What a dying worker left undone, one at a time, so that only the guilty job fails."""
        try:
            for job in jobs:
                self._pool = self._pool or self._start(1, job)
                result = _outcome(self._pool.submit(perform, self._render, job), job)
                if result is None:
                    self._close()
                yield result or died(job)
        finally:
            self._close(kill=True)

    def _start(self, count: int, job: Job) -> ProcessPoolExecutor:
        self._others = set(active_children())
        return _processes(count, partial(_prepare_worker, self._warm_up, job.templates))

    def _close(self, *, kill: bool = False) -> None:
        if self._pool is not None:
            # The pool itself does not know of one that was being started when it was stopped.
            _end(self._pool, set(active_children()) - self._others if kill else ())
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


def serially(render: Render, jobs: Iterable[Job]) -> Iterator[Result]:
    """One job after the other in this process."""
    return (perform(render, job) for job in jobs)


def _outcome(future: Future[Result], job: Job) -> Result | None:
    """The result of a job, None where the pool broke before it had one."""
    try:
        return future.result()
    except BrokenExecutor:
        return None
    except Exception as fault:  # what cannot be sent to a worker or back
        return broken(job, fault)


def _processes(count: int, prepare: Callable[[], None]) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=prepare)


def _end(pool: ProcessPoolExecutor, half_way: Iterable[BaseProcess]) -> None:
    """Leave no process behind; those are killed that are stopped half-way."""
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
            self._pool = self._pool or _processes(1, _leave_to_parent)
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
    """Leave stopping and telling to the parent, and end when it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A library that is missing is told as a problem; the page maker prints a page on it besides.
    sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _prepare_worker(warm_up: WarmUp, templates: Path) -> None:
    """Meet the first job warm."""
    _leave_to_parent()
    with suppress(Exception):  # the job meets the same fault and can tell it
        warm_up(templates)
    # Jobs tell when there is enough to collect: after each of them it is a tenth of a build.
    gc.freeze()
    gc.disable()


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
