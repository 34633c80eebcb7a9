"""A program and what is known of its inputs -> those of them that play a part in some results.

So that a chart or an example shows only what its numbers depend on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from rulebook.core import programs
from rulebook.core.operations import by_name
from rulebook.core.procedure_faults import RunFault
from rulebook.core.value_types import Value


def mattering(
    program: programs.Program, results: Iterable[str], known: Mapping[str, Value]
) -> frozenset[str]:
    """The inputs that some step on the way to these results reads.

    A step that is not taken where the inputs have the values that are known reads nothing.
    """
    wanted = frozenset[str]().union(*(program.results[name].value.names for name in results))
    settled = {
        name: value
        for name, value in known.items()
        if name not in programs.written_in(program.steps)
    }
    steps = tuple(_taken(program.steps, settled))
    return programs.live_before(steps, wanted) & program.domains.keys()


def _taken(
    steps: tuple[programs.ProgramStep, ...], known: Mapping[str, Value]
) -> Iterator[programs.ProgramStep]:
    """Steps without those whose conditions are known not to hold."""
    for step in steps:
        if step.when is not None and step.when.names <= known.keys():
            with suppress(RunFault):
                if not by_name(step.when)(known):
                    continue
        yield replace(step, steps=tuple(_taken(step.steps, known)))
