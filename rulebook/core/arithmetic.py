"""What the operators and functions of expressions do to exact numbers, within the size of a game.

Fractions stay fractions: half a die more is not rounded unless the rule says so.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import Any

from rulebook.core.faults import RunFault, Spot
from rulebook.core.value_types import whole
from rulebook.quantities import RollTarget

Real = int | Fraction

#: No score, count or loss of a game comes near this; what goes beyond it grows without end.
LARGEST = 10**12


def bounded(function: Callable[..., Real], spot: Spot) -> Callable[..., Real]:
    """A function whose answer is refused if it is too large, in its value or its fraction."""

    def reckon(*values: Real) -> Real:
        answer = function(*values)
        if not -LARGEST <= answer <= LARGEST or answer.denominator > LARGEST:
            raise RunFault.of("R429 number too large", spot, most=LARGEST)
        return answer

    return reckon


def divided(spot: Spot, *, down: bool) -> Callable[[Real, Real], Real]:
    """`/`, or `//` which goes down to the next whole number."""

    def divide(left: Real, right: Real) -> Real:
        if right == 0:
            raise RunFault.of("R425 division by nothing", spot)
        return left // right if down else whole(Fraction(left) / right)

    return divide


def round_up(value: Real) -> int:
    """To the next whole number away from nothing: 1½ is 2, -1½ is -2."""
    return ceil(value) if value >= 0 else floor(value)


def round_half_up(value: Real) -> int:
    """To the nearest whole number, halves up: 2½ is 3."""
    return floor(value + Fraction(1, 2))


def reaching(
    natural: Callable[[object], bool | None], spot: Spot
) -> Callable[[Real, RollTarget], bool]:
    """Whether a score reaches a target of one score; `natural` decides some scores by itself."""

    def reach(die: Real, target: RollTarget) -> bool:
        if len(target.scores) > 1:
            raise RunFault.of("R425 second throw", spot, target=target)
        decided = natural(die)
        if decided is not None:
            return decided
        return bool(target.scores) and die >= target.scores[0]

    return reach


COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
