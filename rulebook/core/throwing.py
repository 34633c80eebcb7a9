"""Dice of a step -> exact weights of what they show, and chances to reach a target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rulebook.core.faults import RunFault, Spot
from rulebook.core.kinds import told
from rulebook.dice.throws import dice as dice_total
from rulebook.dice.throws import kept
from rulebook.quantities import Dice, RollTarget

#: Passes of a repetition with a bound, dice of a pool.
MOST_TIMES = 1000


@dataclass(frozen=True, slots=True)
class Shown:
    """Dice that are added up, or if `keep` is not 0 the highest or lowest so many of them."""

    dice: Dice
    keep: int = 0
    highest: bool = True

    @property
    def single(self) -> bool:
        """Whether the total is what one die shows, so that natural scores count."""
        return self.dice.count == 1 or self.keep == 1

    def total(self, faces: list[int]) -> int:
        """What dice that have fallen count."""
        ordered = sorted(faces, reverse=self.highest)
        return sum(ordered[: self.keep] if self.keep else ordered)


@lru_cache(maxsize=512)
def totals(shown: Shown) -> tuple[tuple[tuple[int, int], ...], int]:
    """Totals of dice with their weights, rising, and the sum of these."""
    count, sides = shown.dice.count, shown.dice.sides
    if shown.keep:
        found = kept(count, sides, shown.keep, shown.highest)
    else:
        found = dice_total(count, sides)
    return tuple(found.items()), found.total


def reach(
    shown: Shown, target: RollTarget, plus: Any, natural: Mapping[int, bool]
) -> tuple[int, int]:
    """Ways to reach a target and all ways; a chain such as 6/4+ takes a throw for each score.

    Natural scores decide by themselves where one die counts. `never` is reached by no throw.
    """
    outcomes, total = totals(shown)
    hits, of = 1, 1
    for score in target.scores:
        hits *= sum(ways for one, ways in outcomes if reached(shown, one, score, plus, natural))
        of *= total
    return (hits, of) if target.scores else (0, 1)


def reached(shown: Shown, total: int, score: int, plus: Any, natural: Mapping[int, bool]) -> bool:
    """Whether a throw of this total reaches a score with what is added to it."""
    decided = natural.get(total) if shown.single else None
    return bool(total + plus >= score) if decided is None else decided


def times_of(value: Any, spot: Spot) -> int:
    """A number of dice or passes; raises RunFault unless it is whole and not below nothing."""
    if value.denominator != 1 or not 0 <= value <= MOST_TIMES:
        raise RunFault(
            "R425",
            f"{told(value)} times",
            spot,
            expected=f"a whole number from 0 to {MOST_TIMES}",
            hint="use // or round_up(), or max(0, ...)",
        )
    return int(value)
