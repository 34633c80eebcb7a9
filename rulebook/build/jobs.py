"""A document -> the bytes of its files, as one job that runs alike in any process.

A job is values and a pure function. What goes wrong in it comes back as problems, so that it
can never stop another job.
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
from typing import TYPE_CHECKING

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.document_kind import ComposedDocument
from rulebook.problems import Problem
from rulebook.typeset.environment import RenderFault

if TYPE_CHECKING:
    from rulebook.documents.document_kind import Rendered

Render = Callable[[ComposedDocument, Path, frozenset[str], Cache], "list[Rendered]"]

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
class Result:
    """The files of a job, or why there are none; `trace` is told to those who ask for it.

    `seconds` are those that a processor took for it.
    """

    number: int
    rendered: tuple[Rendered, ...] = ()
    problems: tuple[Problem, ...] = ()
    trace: str = ""
    seconds: float = field(default=0.0, compare=False)


def perform(render: Render, job: Job) -> Result:
    """Run a job; never raises but for KeyboardInterrupt."""
    with _ONE_AT_A_TIME, _steady():
        started = process_time()
        try:
            made = render(job.composed, job.templates, job.wanted, job.cache)
            return Result(job.number, tuple(made), seconds=process_time() - started)
        except RenderFault as fault:
            return Result(job.number, problems=fault.problems)
        except (Exception, SystemExit) as fault:
            return broken(job, fault)


@contextmanager
def _steady() -> Iterator[None]:
    """The state of a process in which the same job gives the same bytes, and soon.

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


def broken(job: Job, fault: BaseException) -> Result:
    """The result of a job that met a fault of the program or of the machine."""
    trace = "".join(traceback.format_exception(fault))
    if isinstance(fault, OSError) and "cannot load library" in str(fault):
        told = "a native library that printing needs is missing"
        problem = Problem("R704", told, hint="run 'rulebook doctor'")
        return Result(job.number, problems=(problem,), trace=trace)
    return Result(job.number, problems=(fault_of_program(fault),), trace=trace)


def fault_of_program(fault: BaseException) -> Problem:
    """R703: not the author's fault; the first line of the exception is told."""
    first = (str(fault).splitlines() or [""])[0][:200]
    said = f"{type(fault).__name__}: {first}" if first else type(fault).__name__
    hint = "run again with -v for the traceback, and report it"
    return Problem("R703", f"rulebook itself failed ({said})", hint=hint)


def died(job: Job) -> Result:
    """The result of a job that took its worker process with it."""
    hint = "see whether memory ran out; try --jobs 1"
    problem = Problem("R701", "the worker that rendered it died", hint=hint)
    return Result(job.number, problems=(problem,))
