"""A function -> what it cost and how it ended, run in a child process under caps.

The child is forked from a process in which all is imported, so that a case costs what it does
itself. What hangs is ended when its time on the processor is used up.
"""

from __future__ import annotations

import os
import resource
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from caps import capped


@dataclass(frozen=True)
class Run:
    """How a run ended: what the function gave, or `fault`, and what it cost."""

    value: Any
    fault: str
    seconds: float = 0.0
    mebibytes: float = 0.0


def guarded(work: Callable[[], Any], *, seconds: int, mebibytes: int) -> Run:
    """Run a function in a child that may use so many seconds of a processor and so much memory.

    What it prints goes to nowhere. The memory is that of the whole process.
    """
    forking = get_context("fork")
    reading, writing = forking.Pipe(duplex=False)
    child = forking.Process(target=_work, args=(work, writing, seconds, mebibytes))
    child.start()
    writing.close()
    try:
        run: Run = reading.recv()
    except EOFError:
        run = Run(None, f"ended and told nothing, of {seconds} s and {mebibytes} MiB")
    child.join()
    return run


def _work(work: Callable[[], Any], pipe: Connection, seconds: int, mebibytes: int) -> None:
    """What the child does."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    value, fault = None, ""
    try:
        with capped(seconds=seconds, mebibytes=mebibytes):
            value = work()
    except BaseException:
        fault = traceback.format_exc()
    used = resource.getrusage(resource.RUSAGE_SELF)
    pipe.send(Run(value, fault, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))
