"""Faults of names that lead nowhere, and what was removed -> the faults, with where it went.

Whoever removes a thing that is still named must see both places: that which names it, which is
often not his own, and that which took it away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from rulebook.problems import Problem, Span

#: Of what is not there: a field, an entity, a part of one, a heading.
_NOT_THERE = ("R201", "R301", "R302", "R304")
_QUOTED = re.compile(r"'([a-z][a-z0-9_]*)'")


def with_removals(problems: Iterable[Problem], removed: Mapping[str, Span]) -> tuple[Problem, ...]:
    """The faults; those of a name that was removed tell where. `removed` has the last key of each
    thing that was.
    """
    return tuple(_told(problem, removed) for problem in problems)


def _told(problem: Problem, removed: Mapping[str, Span]) -> Problem:
    if problem.code not in _NOT_THERE or problem.also is not None:
        return problem
    names = [match[1] for match in _QUOTED.finditer(problem.message) if match[1] in removed]
    if not names:
        return problem
    also = (removed[names[0]], f"'{names[0]}' is removed here")
    return replace(problem, hint="name something else there, or leave it in", also=also)
