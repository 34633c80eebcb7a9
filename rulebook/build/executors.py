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
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from multiprocessing import Pipe, active_children, get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Protocol

from rulebook.build.jobs import Job, Render, Result, broken, died, perform

WarmUp = Callable[[Path], None]

#: Windows waits for no more handles at once.
_MOST_WORKERS = 61 if sys.platform == "win32" else 256


class ClusterFault(Exception):
    """A cluster that cannot be used; `usage` where it is the command that is wrong."""

    def __init__(self, message: str, *, usage: bool = False) -> None:
        super().__init__(message)
        self.usage = usage


class Executor(Protocol):
    """Runs jobs and yields their results as they finish, one for each job.

    Jobs are taken as there is room for them, so that the next are made while some are run.
    """

    def run(self, jobs: Iterable[Job]) -> Generator[Result, None, None]: ...


class Workers:
    """Runs the jobs of one build after another; processes that it started stay warm till the end.

    A single job is not worth a process: it is run in this one, unless there is always to be one,
    since this one has `other_work`. Where there is a `cluster`, at the
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
        self._pool: Pool | None = None

    def run(self, jobs: Iterable[Job]) -> Generator[Result, None, None]:
        """The results of the jobs, as they finish."""
        waiting = iter(jobs)
        first = list(islice(waiting, 2))
        if not first:
            return
        waiting = chain(first, waiting)
        if self._cluster is None:
            alone = min(self._count, len(first)) == 1 and not self._other_work
            yield from self._here(waiting, alone=alone)
            return
        from rulebook.build.cluster import Cluster

        cluster = Cluster(self._render, self._cluster, self._told)
        with closing(cluster.run(waiting)) as results:
            yield from results
        rest = [*cluster.left.values(), *islice(waiting, 1)]
        if rest:
            self._told(f"what the cluster at {self._cluster} did not do is rendered here")
            # Never in this process: one of them may have taken a worker with it.
            yield from self._here(chain(rest, waiting), alone=False)

    def _here(self, jobs: Iterable[Job], *, alone: bool) -> Generator[Result, None, None]:
        if self._pool is None and not alone:
            self._pool = Pool(self._render, self._warm_up, self._count)
        executor: Executor = self._pool or Serial(self._render)
        with closing(executor.run(jobs)) as results:
            yield from results

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        if self._pool is not None:
            self._pool.close(kill=fault is not None)


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Serial:
    """One job after the other in this process."""

    render: Render

    def run(self, jobs: Iterable[Job]) -> Generator[Result, None, None]:
        for job in jobs:
            yield perform(self.render, job)


class Pool:
    """Worker processes of this machine, started afresh: the page maker does not survive a fork.

    One is started when a job comes and no other is idle, up to the number of `workers`.
    """

    def __init__(self, render: Render, warm_up: WarmUp, workers: int) -> None:
        self.render, self.warm_up, self.workers = render, warm_up, workers
        self._processes: _Processes | None = None

    def run(self, jobs: Iterable[Job]) -> Generator[Result, None, None]:
        left: dict[int, Job] = {}
        waiting = iter(jobs)
        try:
            yield from self._together(waiting, left)
        except BaseException:
            self.close(kill=True)
            raise
        if left:
            self.close()
            yield from self._apart(chain(left.values(), waiting))

    def _together(
        self, waiting: Iterator[Job], left: dict[int, Job]
    ) -> Generator[Result, None, None]:
        """Results until the jobs end, or until a worker dies: what it left undone is in `left`."""
        futures: dict[Future[Result], Job] = {}
        alive = True
        while alive:
            # One more than there are workers, so that none waits for the next.
            for job in islice(waiting, max(0, self.workers + 1 - len(futures))):
                left[job.number] = job
                if self._processes is None:
                    prepare = partial(_prepare_worker, self.warm_up, job.templates)
                    self._processes = _Processes(self.workers, prepare)
                try:
                    futures[self._processes.pool.submit(perform, self.render, job)] = job
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
        processes: _Processes | None = None
        try:
            for job in jobs:
                if processes is None:
                    prepare = partial(_prepare_worker, self.warm_up, job.templates)
                    processes = _Processes(1, prepare)
                result = _outcome(processes.pool.submit(perform, self.render, job), job)
                if result is None:
                    processes.close()
                    processes = None
                yield result or died(job)
        finally:
            if processes is not None:
                processes.close(kill=True)

    def close(self, *, kill: bool = False) -> None:
        """End the processes; killed where the build is stopped half-way."""
        if self._processes is not None:
            self._processes.close(kill=kill)
            self._processes = None


def _outcome(future: Future[Result], job: Job) -> Result | None:
    """The result of a job, None where the pool broke before it had one."""
    try:
        return future.result()
    except BrokenExecutor:
        return None
    except Exception as fault:  # what cannot be sent to a worker or back
        return broken(job, fault)


class _Processes:
    """A pool of processes of which none is left behind."""

    def __init__(self, count: int, prepare: Callable[[], None]) -> None:
        self._before = set(active_children())
        self.pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=prepare)

    def close(self, *, kill: bool = False) -> None:
        if kill:
            for process in set(active_children()) - self._before:
                process.kill()
        self.pool.shutdown(wait=True, cancel_futures=True)


class TookTooLong(Exception):
    """A question that was not answered in time."""


class Answerer:
    """Answers questions one by one in a process of its own, which is ended when one takes too long.

    `answer` is a function of a module; what it raises comes back as an answer.
    """

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self._answer = answer
        self._alone = threading.Lock()
        self._process: BaseProcess | None = None

    def ask(self, question: Any, seconds: float) -> Any:
        """Raises TookTooLong, and what answering raised."""
        with self._alone:
            if self._process is None or not self._process.is_alive():
                self._ours, theirs = Pipe()
                context = get_context("spawn")
                arguments = (self._answer, theirs)
                self._process = context.Process(target=_answer_all, args=arguments, daemon=True)
                self._process.start()
                theirs.close()
            try:
                self._ours.send(question)
                answered = self._ours.poll(seconds)
                found = self._ours.recv() if answered else TookTooLong()
            except (EOFError, OSError):  # it died of the question
                answered, found = False, TookTooLong()
            if not answered:
                self.close()
        if isinstance(found, Exception):
            raise found
        return found

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
            self._ours.close()


def _answer_all(answer: Callable[[Any], Any], questions: Connection) -> None:
    """What the process of an Answerer does until its parent has no more questions."""
    _leave_to_parent()
    with suppress(EOFError):
        while True:
            question = questions.recv()
            try:
                found = answer(question)
            except Exception as fault:
                found = fault
            questions.send(found)


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
