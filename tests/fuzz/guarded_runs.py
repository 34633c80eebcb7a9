"""A function -> what it cost and how it ended, run in a child process under caps.

The child is forked from a process in which all is imported, so that a case costs what it does
itself. What hangs is ended by the system when its time on the processor is used up.
"""

from __future__ import annotations

import os
import pickle
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MIB = 1 << 20


@dataclass(frozen=True)
class Run:
    """How a run ended: what the function gave, or `fault`, and what it cost."""

    value: Any
    fault: str
    seconds: float
    mebibytes: float


def guarded(work: Callable[[], Any], *, seconds: int, mebibytes: int) -> Run:
    """Run a function in a child that may use so many seconds of a processor and so much memory.

    What it prints goes to nowhere. The memory is that of the whole process.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _work(work, writing, seconds, mebibytes)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    _, status, used = os.wait4(child, 0)
    value, fault = pickle.loads(data) if data else (None, "")
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        fault = f"ended by {name}, of {seconds} s and {mebibytes} MiB"
    elif not data:
        fault = f"ended with {os.waitstatus_to_exitcode(status)} and told nothing"
    return Run(value, fault, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def _work(work: Callable[[], Any], pipe: int, seconds: int, mebibytes: int) -> None:
    """What the child does; it never comes back."""
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        here = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (here + mebibytes * MIB,) * 2)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115
        try:
            told = pickle.dumps((work(), ""))
        except BaseException:
            told = pickle.dumps((None, traceback.format_exc()))
        while told:
            told = told[os.write(pipe, told) :]
    finally:
        os._exit(0)
