"""A function of an object that never changes -> its results, kept for the objects asked for last.

What is read again after a save is mostly the same objects as before; what was made of those is not
made again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
Result = TypeVar("Result")
#: Objects of which each function keeps the results.
MOST_KEPT = 2048


class Latest(dict[Key, Value]):
    """A mapping in which each new key above `most` removes that which was set longest ago.

    It is only for one thread at a time.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        while len(self) > self.most:
            del self[next(iter(self))]

    def again(self, key: Key) -> Value | None:
        """Returns the value of a key, which counts as set just now, or None."""
        value = self.pop(key, None)
        if value is not None:
            self[key] = value
        return value


def once_for_each(function: Callable[[Any], Result]) -> Callable[[Any], Result]:
    """Returns a function that calls `function` once for each object, not for equal ones.

    The MOST_KEPT objects that were asked for last are kept with their results, so they must not be
    changed.
    """
    known: Latest[int, tuple[object, Result]] = Latest(MOST_KEPT)

    @wraps(function)
    def result_for(value: Any) -> Result:
        found = known.again(id(value))
        if found is None:
            found = known[id(value)] = value, function(value)
        return found[1]

    return result_for
