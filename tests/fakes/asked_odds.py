"""A shipped ruleset and its options -> the odds and the plays that the core gives."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from shipped_rulesets import released, shipped
from ways import differing

from rulebook.core.input_domains import parse_inputs
from rulebook.core.odds import Odds, compute_odds, program_of
from rulebook.core.programs import Program
from rulebook.model.ruleset import Ruleset


@dataclass(frozen=True, eq=False)
class Asked:
    """A ruleset that is asked for the odds of its procedures."""

    ruleset: Ruleset

    def program(self, name: str) -> Program:
        return _program(self, name)

    def odds(self, name: str, /, **inputs: object) -> Odds:
        """Inputs as they are typed, defaults for the rest."""
        return self._reckoned(name, None, inputs)

    def joint(self, name: str, /, **inputs: object) -> dict[Any, Fraction]:
        """The chance of each outcome, or of each tuple of outcomes of several results."""
        return _plainly(self.odds(name, **inputs))

    def expect(self, expected: Mapping[Any, Any], name: str, /, **inputs: object) -> None:
        """The chances are these, which may be told as numbers of ways."""
        wrong = differing(self.joint(name, **inputs), expected)
        assert not wrong, (name, inputs, wrong)

    def alone(self, name: str, result: str, /, **inputs: object) -> dict[Any, Fraction]:
        """The chance of each outcome of one result, reckoned without the others."""
        return _plainly(self._reckoned(name, (result,), inputs))

    def values(self, name: str, *inputs: str) -> Iterator[tuple[Any, ...]]:
        """Every set of values of some inputs."""
        domains = self.program(name).domains
        return product(*(domains[one].values for one in inputs))

    def _reckoned(
        self, name: str, results: Sequence[str] | None, inputs: Mapping[str, object]
    ) -> Odds:
        program = self.program(name)
        given = {key: _typed(value) for key, value in inputs.items()}
        return compute_odds(self.ruleset, program, parse_inputs(program.domains, given), results)


@cache
def game(name: str, *options: str) -> Asked:
    """A ruleset as it is shipped, with some options chosen."""
    return Asked(shipped(name, *options))


@cache
def edition(name: str, number: str) -> Asked:
    """An edition as it was released, read from its snapshot alone."""
    return Asked(released(name, number))


def acw(*options: str) -> Asked:
    """The American Civil War game."""
    return game("acw", *options)


def drawn(seed: int, number: int, *ranges: Sequence[Any]) -> list[tuple[Any, ...]]:
    """So many sets of values, one of each range: the same for the same seed."""
    generator = random.Random(seed)
    return [tuple(generator.choice(one) for one in ranges) for _ in range(number)]


@cache
def _program(asked: Asked, name: str) -> Program:
    return program_of(asked.ruleset, name)


def _typed(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _plainly(found: Odds) -> dict[Any, Fraction]:
    return {key if len(key) > 1 else key[0]: share for key, share in found.joint}
