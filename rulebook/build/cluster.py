"""Jobs -> results of the workers of a Dask cluster, in the order in which they come.

A worker renders only if it is made of the same things as this machine: rulebook, its libraries,
Python and the templates. Each is asked, also one that comes later, and Dask is told to give jobs
to none but those that fit.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from rulebook.build.cache_keys import made_of, templates_key
from rulebook.build.jobs import ClusterFault, Job, JobResult, Render, broken, perform
from rulebook.cache import NOTHING_KEPT
from rulebook.packaged import templates_folder
from rulebook.typeset.pdf import layout_version

#: Seconds that a cluster has to answer, and until it has a worker.
PATIENCE = 30.0
#: Jobs on the way for each worker: one that it renders, and one that it has ready.
_AHEAD = 2


@contextmanager
def connected(
    render: Render, address: str, templates: Path, note: Callable[[str], None]
) -> Iterator[Cluster]:
    """The cluster of the scheduler at an address; `note` hears of workers that do not fit.

    Templates are those that a worker has itself, or those at the same path. Raises ClusterFault
    where the cluster cannot be used at all.
    """
    with _client(address) as client:
        with suppress(Exception):  # there may be none in time, or no cluster any more
            client.wait_for_workers(1, timeout=PATIENCE)
        yield Cluster(render, client, templates, note)


class Cluster:
    """The workers that fit, as long as any of them is there."""

    beat = 1.0

    def __init__(
        self, render: Render, client: Any, templates: Path, note: Callable[[str], None]
    ) -> None:
        self._client, self._templates, self._note = client, templates, note
        self._needed = needed_for(templates)
        self._task = partial(perform_there, render, templates=self._needed["templates"])
        self._asked: set[str] = set()
        self._fit: set[str] = set()

    def room(self) -> int:
        """Jobs for all workers that are there and fit."""
        try:
            there = set(self._client.scheduler_info()["workers"])
        except Exception:  # the scheduler is gone
            return 0
        if new := there - self._asked:
            self._asked |= new
            self._fit |= self._fitting(new)
        self._fit &= there
        return _AHEAD * len(self._fit)

    def submit(self, job: Job) -> Future[JobResult]:
        """Have one of the workers that fit do a job."""
        executor = self._client.get_executor(workers=sorted(self._fit), pure=False)
        # What this machine keeps is of no use to another.
        future: Future[JobResult] = executor.submit(self._task, replace(job, cache=NOTHING_KEPT))
        return future

    def outcome(self, future: Future[JobResult], job: Job) -> JobResult | None:
        """The result of a job, None where it was lost with its workers."""
        try:
            return future.result()
        except CancelledError:
            return None
        except Exception as fault:
            # It, or another on the same worker, killed it: here it is seen which. Dask is not
            # imported for the names' sake.
            lost = type(fault).__name__ in ("KilledWorker", "FutureCancelledError")
            return None if lost else broken(job, fault)

    def _fitting(self, workers: set[str]) -> set[str]:
        """Those of some workers that are made of what is needed; the others are reported."""
        with suppress(Exception):  # they may be away again
            asked = self._client.run(
                *(unlike, self._needed, self._templates),
                workers=sorted(workers),
                on_error="return",
            )
            why = {address: _why_unfit(answer) for address, answer in asked.items()}
            for address, reason in why.items():
                if reason:
                    self._note(f"the worker at {address} is not used: {reason}")
            return {address for address, reason in why.items() if not reason}
        return set()


@contextmanager
def _client(address: str) -> Iterator[Any]:
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
        distributed.comm.get_address_host_port(address)
    except Exception as fault:
        said = f"'{address}' is no address of a scheduler, such as tcp://10.0.0.5:8786"
        raise ClusterFault(said, usage=True) from fault
    try:
        client = kind(address, timeout=min(PATIENCE, 10), set_as_default=False)
    except Exception as fault:
        raise ClusterFault(f"no cluster answers at {address}") from fault
    try:
        yield client
    finally:
        with suppress(Exception):
            client.close(timeout=2)


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


def perform_there(render: Render, job: Job, templates: str) -> JobResult:
    """On a worker: a job with the templates that its machine has, which have this digest."""
    return perform(render, replace(job, templates=_templates(job.templates, templates)))


@lru_cache(maxsize=8)
def _templates(asked: Path, digest: str) -> Path:
    """Those at the same path, where machines share a disk, or else those that came with us."""
    return asked if templates_key(asked) == digest else templates_folder()


def _why_unfit(other: dict[str, tuple[str, str]] | Exception) -> str:
    """Why a worker is not used, by what it answered; empty where it fits."""
    if isinstance(other, Exception):
        return f"it cannot run rulebook ({type(other).__name__}: {other})"
    differences = [
        f"other {name}" if name in _DIGESTS else f"{name} {has or 'missing'} instead of {wanted}"
        for name, (has, wanted) in other.items()
    ]
    return f"it has {', '.join(differences)}" if differences else ""


#: What is known by its digest, not by its version.
_DIGESTS = {"sources", "templates"}
