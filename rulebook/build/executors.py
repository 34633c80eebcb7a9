"""Jobs -> results, as they finish: in this process, in worker processes, or on a Dask cluster.

All three run the same function on the same plain data, so they give the same bytes. The largest
jobs begin first. A job that fails, or that takes its worker with it, costs no other job.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, Protocol

from rulebook.build.jobs import Job, Render, Result, broken, died, perform

WarmUp = Callable[[Path], None]

#: Windows waits for no more handles at once.
_MOST_WORKERS = 61 if sys.platform == "win32" else 256
#: Seconds until a cluster that does not answer is given up.
_PATIENCE = 10


class ClusterFault(Exception):
    """A cluster that cannot be used; `usage` where it is the command that is wrong."""

    def __init__(self, message: str, *, usage: bool = False) -> None:
        super().__init__(message)
        self.usage = usage


class Executor(Protocol):
    """Runs jobs and yields their results as they finish, one for each job."""

    def run(self, jobs: Sequence[Job]) -> Generator[Result, None, None]: ...


def executor_for(
    count: int, render: Render, warm_up: WarmUp, *, jobs: int | None, cluster: str | None
) -> Executor:
    """The executor that suits `count` jobs; a single one is not worth a worker."""
    if cluster is not None:
        return Cluster(render, cluster)
    workers = min(jobs or processors(), count, _MOST_WORKERS)
    return Serial(render) if workers <= 1 else Pool(render, warm_up, workers)


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _largest_first(jobs: Iterable[Job]) -> list[Job]:
    return sorted(jobs, key=lambda job: (-job.size, job.number))


@dataclass(frozen=True, slots=True)
class Serial:
    """One job after the other in this process."""

    render: Render

    def run(self, jobs: Sequence[Job]) -> Generator[Result, None, None]:
        for job in jobs:
            yield perform(self.render, job)


@dataclass(frozen=True, slots=True)
class Pool:
    """Worker processes of this machine, started afresh: the page maker does not survive a fork."""

    render: Render
    warm_up: WarmUp
    workers: int

    def run(self, jobs: Sequence[Job]) -> Generator[Result, None, None]:
        left = {job.number: job for job in _largest_first(jobs)}
        prepare = partial(_prepare_worker, self.warm_up, jobs[0].templates)
        with _processes(self.workers, prepare) as pool:
            futures: dict[Future[Result], Job] = {}
            with suppress(BrokenExecutor):
                for job in left.values():
                    futures[pool.submit(perform, self.render, job)] = job
            for future in as_completed(futures):
                result = _outcome(future, futures[future])
                if result is not None:
                    del left[result.number]
                    yield result
        yield from self._apart(left.values(), prepare)

    def _apart(
        self, jobs: Iterable[Job], prepare: Callable[[], None]
    ) -> Generator[Result, None, None]:
        """What a dying worker left undone, one at a time, so that only the guilty job fails."""
        waiting = deque(jobs)
        while waiting:
            with _processes(1, prepare) as pool:
                alive = True
                while waiting and alive:
                    job = waiting.popleft()
                    result = _outcome(pool.submit(perform, self.render, job), job)
                    alive = result is not None
                    yield result or died(job)


def _outcome(future: Future[Result], job: Job) -> Result | None:
    """The result of a job, None where the pool broke before it had one."""
    try:
        return future.result()
    except BrokenExecutor:
        return None
    except Exception as fault:  # what cannot be sent to a worker or back
        return broken(job, fault)


@contextmanager
def _processes(count: int, prepare: Callable[[], None]) -> Iterator[ProcessPoolExecutor]:
    """A pool that leaves no process behind, also where the build is stopped half-way."""
    before = set(active_children())
    pool = ProcessPoolExecutor(
        count,
        mp_context=get_context("spawn"),
        initializer=prepare,
    )
    try:
        yield pool
    except BaseException:
        for process in set(active_children()) - before:
            process.kill()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _prepare_worker(warm_up: WarmUp, templates: Path) -> None:
    """Leave stopping and telling to the parent, and meet the first job warm."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A library that is missing is told as a problem; the page maker prints a page on it besides.
    sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(Exception):  # the job meets the same fault and can tell it
        warm_up(templates)
    gc.freeze()


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@dataclass(frozen=True, slots=True)
class Cluster:
    """The workers of a Dask scheduler; they see the templates at the same path as this machine."""

    render: Render
    address: str

    def run(self, jobs: Sequence[Job]) -> Generator[Result, None, None]:
        with self._client() as client:
            pool = client.get_executor(pure=False, retries=0)
            try:
                futures = {
                    pool.submit(perform, self.render, job): job for job in _largest_first(jobs)
                }
                for future in as_completed(futures):
                    yield _from_cluster(future, futures[future])
            finally:
                pool.shutdown(wait=False)  # cancels what is left where the build is stopped

    def _client(self) -> Any:
        try:
            distributed = import_module("distributed")
        except ImportError:
            raise ClusterFault(
                "--cluster needs Dask: pip install 'rulebook[dask]'", usage=True
            ) from None
        try:
            client = distributed.Client(self.address, timeout=_PATIENCE, set_as_default=False)
        except ValueError as fault:
            raise ClusterFault(f"'{self.address}' is no address: {fault}", usage=True) from fault
        except (OSError, TimeoutError) as fault:
            raise ClusterFault(f"no cluster answers at {self.address}") from fault
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except (OSError, TimeoutError) as fault:
            client.close()
            raise ClusterFault(f"the cluster at {self.address} has no workers") from fault
        return client


def _from_cluster(future: Future[Result], job: Job) -> Result:
    try:
        return future.result()
    except Exception as fault:
        if type(fault).__name__ == "KilledWorker":  # Dask is not imported for its name's sake
            return died(job)
        return broken(job, fault)
