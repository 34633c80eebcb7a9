"""Random procedures: the exact reading against every throw in turn, and plays against both.

The first oracle is an interpreter of its own (tests/fakes/every_throw.py). The second drives the
play-through with every script of dice: what the documents tell must be what the odds count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from every_throw import EveryThrow, Stuck, TooMany
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st
from random_procedures import naturals, procedures, programs_of, told

from rulebook.core.odds import Odds, exact
from rulebook.core.procedure_faults import RunFault
from rulebook.core.programs import Program

moderate = settings(
    max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


def exactly(
    made: dict[str, dict[str, Any]], natural: dict[int, bool], inputs: dict[str, int]
) -> Odds | None:
    """The exact reading, None where it finds that dice may be thrown for ever."""
    programs = programs_of(made, natural)
    program = programs.get("outer")
    assert program is not None, [problem.message for problem in programs.problems]
    try:
        return exact(program, {**program.defaults(), **inputs})
    except RunFault as fault:
        if fault.code in ("R424", "R429"):  # too many cases, or numbers that grow in each pass
            reject()
        assert fault.code == "R423", fault
        return None


@moderate
@given(procedures(), naturals, st.fixed_dictionaries({n: st.integers(0, 2) for n in ("i", "j")}))
def test_exact_is_every_throw_in_turn(made, natural, inputs):
    reading = EveryThrow(made, natural)
    joint = exactly(made, natural, inputs)
    try:
        found = reading.results("outer", inputs)
    except TooMany:
        reject()
    except Stuck:
        return  # what is thrown for ever may be no result's business, so either is right
    if joint is None:
        assert reading.inside > 0
        return
    total = sum(joint.weights.values())
    for values in {*joint.weights, *found}:
        short = Fraction(joint.weights.get(values, 0), total) - found.get(values, Fraction(0))
        assert 0 <= short <= reading.inside, (values, short)


class Unscripted(Exception):
    """A play needs one more die of so many sides."""


@dataclass
class Branch:
    """Dice that were given; the die after them is asked for."""

    dice: tuple[int, ...]
    used: int = 0

    def __call__(self, sides: int) -> int:
        if self.used == len(self.dice):
            raise Unscripted(sides)
        self.used += 1
        return self.dice[self.used - 1]


def every_play(
    program: Program, inputs: dict[str, int], most: int
) -> Iterator[tuple[Any, Fraction]]:
    """The results of every script of dice, with its chance."""
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        dice, share = waiting.pop()
        most -= 1
        if most < 0:
            raise TooMany
        try:
            played = program.play({**program.defaults(), **inputs}, Branch(dice))
        except Unscripted as more:
            sides = more.args[0]
            waiting += [((*dice, face), share / sides) for face in range(1, sides + 1)]
            continue
        yield told(dict(played.results)), share


@settings(moderate, max_examples=12)
@given(procedures(), naturals)
def test_exact_is_every_script_of_dice(made, natural):
    inputs = {"i": 1, "j": 2}
    joint = exactly(made, natural, inputs)
    assume(joint is not None)
    program = programs_of(made, natural).get("outer")
    found: dict[Any, Fraction] = {}
    try:
        for values, share in every_play(program, inputs, 250):
            found[values] = found.get(values, Fraction(0)) + share
    except (TooMany, RunFault):
        reject()
    total = sum(joint.weights.values())
    assert found == {values: Fraction(weight, total) for values, weight in joint.weights.items()}
