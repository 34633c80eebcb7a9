"""What a test does -> how many functions it called: as many on every machine, unlike seconds."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def at_most(calls: int) -> Iterator[None]:
    """Holds what is done inside to so many calls, those of C functions among them.

    A bound far above what is needed tells work that grows with the square of its input.
    """
    made = 0

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)
    assert made <= calls, f"{made} calls"
