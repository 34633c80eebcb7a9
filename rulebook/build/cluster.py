"""Jobs -> results of the workers of a Dask cluster, in the order in which they come.

A worker renders only if it is made of the same things as this machine: rulebook, its libraries,
Python and the templates. Each is asked in a first task, also one that comes later or comes again,
and Dask is told to give jobs to none but those that fit.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from itertools import chain, islice
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from rulebook.build.cache_keys import made_of, templates_key
from rulebook.build.executors import ClusterFault
from rulebook.build.jobs import Job, Render, Result, broken, perform
from rulebook.cache import NOTHING_KEPT
from rulebook.packaged import templates_folder
from rulebook.typeset.pdf import layout_version

#: Seconds that a cluster has to answer, and that it may be without any worker that fits.
PATIENCE = 30.0
#: Seconds between two looks at which workers there are.
_BEAT = 1.0
#: Jobs on the way for each worker: one that it renders, and one that it has ready.
_AHEAD = 2
#: Times that a job may lose all its workers; then it is left.
_TRIES = 2


@dataclass
class Cluster:
    """The workers of the Dask scheduler at an address.

    `told` hears of workers that do not fit. Templates are those that a worker has itself, or those
    at the same path.
    """

    render: Render
    address: str
    told: Callable[[str], None] = lambda text: None
    patience: float = field(default_factory=lambda: PATIENCE)
    #: Jobs that were taken and have no result, where the cluster was lost.
    left: dict[int, Job] = field(default_factory=dict)

    def run(self, jobs: Iterable[Job]) -> Generator[Result, None, None]:
        """One result for each job, in any order.

        Where no worker fits, or none is there for as long as patience lasts, or the cluster does
        not answer any more, it ends early. Jobs without a result stand in `left`. Raises
        ClusterFault where it cannot be used at all.
        """
        with self._client() as client:
            yield from _Running(self, client).run(iter(jobs))

    @contextmanager
    def _client(self) -> Iterator[Any]:
        try:
            distributed = import_module("distributed")
        except ImportError:
            raise ClusterFault(
                "--cluster needs Dask: pip install 'rulebook[dask]'", usage=True
            ) from None
        for name in logging.root.manager.loggerDict:
            if name.partition(".")[0] in ("asyncio", "distributed", "tornado"):
                # We tell what went wrong ourselves.
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        # Dask would keep the last thousand messages, with all that is in the jobs.
        import_module("dask").config.set({"distributed.admin.low-level-log-length": 0})
        # One that could not connect would try to take its leave for a long time.
        kind = type("Client", (distributed.Client,), {"__del__": lambda client: None})
        try:
            distributed.comm.get_address_host_port(self.address)
        except Exception as fault:
            said = f"'{self.address}' is no address of a scheduler, such as tcp://10.0.0.5:8786"
            raise ClusterFault(said, usage=True) from fault
        try:
            client = kind(self.address, timeout=min(self.patience, 10), set_as_default=False)
        except Exception as fault:
            raise ClusterFault(f"no cluster answers at {self.address}") from fault
        try:
            yield client
        finally:
            with suppress(Exception):
                client.close(timeout=2)


@dataclass
class _Running:
    """The jobs of one run on their way to the workers and back."""

    cluster: Cluster
    client: Any
    #: What was sent, and to which workers alone it may go.
    jobs: dict[Any, tuple[Job, list[str]]] = field(default_factory=dict)
    #: By the address of each worker the task that asks it, whether it has rulebook, and fits.
    asked: dict[str, Any] = field(default_factory=dict)
    imported: set[str] = field(default_factory=set)
    fits: dict[str, bool] = field(default_factory=dict)
    #: Whether all workers that are there have said that they do not fit.
    hopeless: bool = False
    done: SimpleQueue[Any] = field(default_factory=SimpleQueue)

    def run(self, waiting: Iterator[Job]) -> Generator[Result, None, None]:
        first = next(waiting, None)
        if first is None:
            return
        needed, waiting = needed_for(first.templates), chain([first], waiting)
        left, stranded, alone = self.cluster.left, Counter[int](), None
        left[first.number] = first
        try:
            while alone is None or time.monotonic() - alone < self.cluster.patience:
                there = self._there(needed, first.templates)
                # Not since they were last seen: making the next jobs may take long meanwhile.
                alone = None if there else alone or time.monotonic()
                again = self._stranded(there)
                stranded.update(job.number for job in again)
                again = [job for job in again if stranded[job.number] < _TRIES]
                room = _AHEAD * len(there) - len(self.jobs)
                for job in islice(chain(again, waiting), max(len(again), room)):
                    left[job.number] = job
                    self._submit(job, needed["templates"], there)
                if self.hopeless or (there and not self.jobs):
                    return
                for result in self._results():
                    del left[result.number]
                    yield result
        finally:
            with suppress(Exception):
                self.client.cancel([*self.jobs, *self.asked.values()])

    def _there(self, needed: Mapping[str, str], templates: Path) -> set[str]:
        """The workers that are there and fit; those that are new are asked."""
        try:
            there = set(self.client.scheduler_info()["workers"])
        except Exception:
            return set()
        for address in self.asked.keys() - there:  # one that comes again is another one
            del self.asked[address]
            self.imported.discard(address)
            self.fits.pop(address, None)
        for address in there - self.asked.keys():
            # A worker would end on a task that it cannot read: this one it reads without rulebook.
            self._ask(address, import_module, __name__)
        for address in there - self.fits.keys():
            if self.asked[address].status == "finished" and address not in self.imported:
                self.imported.add(address)
                self._ask(address, unlike, needed, templates)
            elif self.asked[address].done():
                why = _why_unfit(self.asked[address])
                self.fits[address] = why is None
                if why is not None:
                    self.cluster.told(f"the worker at {address} is not used: {why}")
        known = [self.fits.get(address) for address in there]
        self.hopeless = bool(known) and all(fits is False for fits in known)
        return {address for address in there if self.fits.get(address)}

    def _ask(self, address: str, task: Callable[..., object], *values: object) -> None:
        self.asked[address] = self.client.submit(task, *values, workers=[address], pure=False)
        self.asked[address].add_done_callback(self.done.put)

    def _stranded(self, there: set[str]) -> list[Job]:
        """Jobs whose workers are all gone, which Dask would keep for ever."""
        found = [one for one, (_, only) in self.jobs.items() if there.isdisjoint(only)]
        if not found or not there:
            return []
        self.client.cancel(found)
        return [self.jobs.pop(future)[0] for future in found]

    def _submit(self, job: Job, templates: str, there: set[str]) -> None:
        # What this machine keeps is of no use to another.
        sent = replace(job, cache=NOTHING_KEPT)
        only = [*there]
        future = self.client.submit(
            perform_there, self.cluster.render, sent, templates, workers=only, pure=False
        )
        self.jobs[future] = job, only
        future.add_done_callback(self.done.put)

    def _results(self) -> Iterator[Result]:
        """Those that are there now, or come before it is time to look at the workers again."""
        with suppress(Empty):
            self.done.get(timeout=_BEAT)
            while True:  # what stays there would be kept by the cluster as well
                self.done.get_nowait()
        for future, (job, _) in list(self.jobs.items()):
            if future.status in ("finished", "error"):
                try:
                    # The worker that has it may be gone by now: Dask makes it again on another.
                    result = future.result(timeout=_BEAT)
                except TimeoutError:
                    continue
                except Exception as fault:
                    # It, or another on the same worker, killed it: here it is seen which. Dask is
                    # not imported for the name's sake.
                    killed = type(fault).__name__ == "KilledWorker"
                    result = None if killed else broken(job, fault)
                del self.jobs[future]
                if result is not None:
                    yield result


def needed_for(templates: Path) -> dict[str, str]:
    """All that shapes what is rendered, by name: versions, and digests of what is ours."""
    return {**made_of(), "Pango": layout_version(templates), "templates": templates_key(templates)}


def unlike(needed: Mapping[str, str], templates: Path) -> dict[str, tuple[str, str]]:
    """On a worker: what it is made of other than is needed, and what it has instead."""
    own = needed_for(_templates(templates, needed["templates"]))
    return {
        name: (own.get(name, ""), needed.get(name, ""))
        for name in sorted(own.keys() | needed.keys())
        if own.get(name) != needed.get(name)
    }


def perform_there(render: Render, job: Job, templates: str) -> Result:
    """On a worker: a job with the templates that its machine has, which have this digest."""
    result = perform(render, replace(job, templates=_templates(job.templates, templates)))
    worker: str = import_module("distributed").get_worker().address
    return replace(result, worker=worker)


@lru_cache(maxsize=8)
def _templates(asked: Path, digest: str) -> Path:
    """Those at the same path, where machines share a disk, or else those that came with us."""
    return asked if templates_key(asked) == digest else templates_folder()


def _why_unfit(asked: Any) -> str | None:
    try:
        other: dict[str, tuple[str, str]] = asked.result()
    except Exception as fault:
        return f"it cannot run rulebook ({type(fault).__name__}: {fault})"
    told = [
        f"other {name}" if name in _DIGESTS else f"{name} {has or 'missing'} instead of {wanted}"
        for name, (has, wanted) in other.items()
    ]
    return f"it has {', '.join(told)}" if told else None


#: What is told by its digest, not by its version.
_DIGESTS = {"sources", "templates"}
