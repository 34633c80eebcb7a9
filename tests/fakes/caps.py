"""Work under a cap of time on the processor and of memory, so that what hangs or grows fails."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

MIB = 1 << 20
#: What no signal reaches, since it never comes back to Python, ends with its process so much later.
_LAST_RESORT = 15


class CapReached(Exception):
    """The work took longer than it may."""


@contextmanager
def capped(*, seconds: int, mebibytes: int) -> Iterator[None]:
    """Raise CapReached after so many seconds of a processor, MemoryError at so much more memory."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise CapReached(f"more than {seconds} s on a processor")

    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    here = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = signal.signal(signal.SIGPROF, stop)
    limits = {
        resource.RLIMIT_AS: here + mebibytes * MIB,
        resource.RLIMIT_CPU: int(used) + seconds + _LAST_RESORT,
    }
    kept = {which: resource.getrlimit(which) for which in limits}
    for which, most in limits.items():
        resource.setrlimit(which, (most, kept[which][1]))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        for which, limit in kept.items():
            resource.setrlimit(which, limit)
        signal.signal(signal.SIGPROF, before)
