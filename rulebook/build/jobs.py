"""A document -> the bytes of its files, or problems: the one function that all workers run.

A job is values and a pure function, so that it gives the same bytes wherever it is run. What goes
wrong in it comes back as problems.
"""

from __future__ import annotations

import gc
import os
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.document_kind import ComposedDocument, Rendered
from rulebook.problems import Problem
from rulebook.typeset.environment import RenderFault

Render = Callable[[ComposedDocument, Path, frozenset[str], Cache], list[Rendered]]

# The page maker is not safe for threads, and a Dask worker runs several in one process.
_ONE_AT_A_TIME = threading.Lock()
#: Objects that a worker may be left with: some 200 MB.
_MOST_LEFT = 500_000


@dataclass(frozen=True, slots=True)
class Job:
    """Render the files `wanted` of a document; `number` is its own among all jobs.

    `cache` keeps parts of what is rendered; on another machine there is none.
    """

    number: int
    composed: ComposedDocument
    templates: Path
    wanted: frozenset[str]
    cache: Cache = NOTHING_KEPT


@dataclass(frozen=True, slots=True)
class JobResult:
    """The files of a job, or why there are none; `trace` is shown to those who ask for it.

    `seconds` are those that a processor took for it.
    """

    number: int
    rendered: tuple[Rendered, ...] = ()
    problems: tuple[Problem, ...] = ()
    trace: str = ""
    seconds: float = field(default=0.0, compare=False)


def perform(render: Render, job: Job) -> JobResult:
    """Run a job; never raises but for KeyboardInterrupt."""
    with _ONE_AT_A_TIME, _steady():
        started = process_time()
        try:
            made = render(job.composed, job.templates, job.wanted, job.cache)
            return JobResult(job.number, tuple(made), seconds=process_time() - started)
        except RenderFault as fault:
            return JobResult(job.number, problems=fault.problems)
        except (Exception, SystemExit) as fault:
            return broken(job, fault)


@contextmanager
def _steady() -> Iterator[None]:
    """Make a job give the same bytes in every process, and fast.

    PDF libraries take the time of day from SOURCE_DATE_EPOCH. Layout makes no garbage cycles that
    are worth the collector's time while it runs; where the collector is off for good, as in a
    worker, what documents leave behind is swept when it is much.
    """
    before = os.environ.get("SOURCE_DATE_EPOCH")
    os.environ["SOURCE_DATE_EPOCH"] = "0"
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
        elif gc.get_count()[0] > _MOST_LEFT:
            gc.collect(0)
        if before is None:
            os.environ.pop("SOURCE_DATE_EPOCH", None)
        else:
            os.environ["SOURCE_DATE_EPOCH"] = before


def broken(job: Job, fault: BaseException) -> JobResult:
    """The result of a job that met a fault of the program or of the machine."""
    trace = "".join(traceback.format_exception(fault))
    if isinstance(fault, OSError) and "cannot load library" in str(fault):
        message = "a native library that printing needs is missing"
        problem = Problem("R704", message, hint="run 'rulebook doctor'")
        return JobResult(job.number, problems=(problem,), trace=trace)
    return JobResult(job.number, problems=(fault_of_program(fault),), trace=trace)


def fault_of_program(fault: BaseException) -> Problem:
    """R703: not the author's fault; the first line of the exception is shown."""
    first = (str(fault).splitlines() or [""])[0][:200]
    said = f"{type(fault).__name__}: {first}" if first else type(fault).__name__
    hint = "run again with -v for the traceback, and report it"
    return Problem("R703", f"rulebook itself failed ({said})", hint=hint)


def died(job: Job) -> JobResult:
    """The result of a job that took its worker process with it."""
    hint = "see whether memory ran out; try --jobs 1"
    problem = Problem("R701", "the worker that rendered it died", hint=hint)
    return JobResult(job.number, problems=(problem,))


class ClusterFault(Exception):
    """A cluster that cannot be used; `usage` where it is the command that is wrong."""

    def __init__(self, message: str, *, usage: bool = False) -> None:
        super().__init__(message)
        self.usage = usage
