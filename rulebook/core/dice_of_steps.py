"""Dice of a step -> exact weights of what they show, and chances to reach a target."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, product
from typing import Any

from rulebook.core.faults import RunFault, Spot
from rulebook.core.programs import Pool, Throw
from rulebook.core.value_types import normal, told
from rulebook.core.weights import State, Suffixes, too_many
from rulebook.dice.pools import distinct_of, extreme_of
from rulebook.dice.throws import dice as dice_total
from rulebook.dice.throws import kept, rerolled, thrown_again
from rulebook.quantities import Dice, RollTarget

#: Outcomes of the dice of one step together.
MOST_OUTCOMES = 20_000
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
    return tuple(sorted(found.items())), sum(found.values())


@lru_cache(maxsize=512)
def at_or_above(shown: Shown) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Totals of dice, rising, and how many ways lead to each or more; last, that none do."""
    outcomes, _ = totals(shown)
    ways = list(accumulate((ways for _, ways in reversed(outcomes)), initial=0))
    return tuple(one for one, _ in outcomes), tuple(reversed(ways))


def reach(
    shown: Shown, target: RollTarget, plus: Any, natural: Mapping[int, bool]
) -> tuple[int, int]:
    """Ways to reach a target and all ways; a chain such as 6/4+ takes a throw for each score.

    Natural scores decide by themselves where one die counts. `never` is reached by no throw.
    """
    hits, of = 1, 1
    for score in target.scores:
        if natural and shown.single:
            outcomes, total = totals(shown)
            hits *= sum(ways for one, ways in outcomes if reached(shown, one, score, plus, natural))
        else:
            faces, above = at_or_above(shown)
            hits *= above[bisect_left(faces, score - plus)]
            total = above[0]
        of *= total
    return (hits, of) if target.scores else (0, 1)


def reached(shown: Shown, total: int, score: int, plus: Any, natural: Mapping[int, bool]) -> bool:
    """Whether a throw of this total reaches a score with what is added to it."""
    decided = natural.get(total) if shown.single else None
    return bool(total + plus >= score) if decided is None else decided


def times_of(value: Any, spot: Spot) -> int:
    """A number of dice or passes; raises RunFault unless it is whole and not below nothing."""
    if value.denominator != 1 or not 0 <= value <= MOST_TIMES:
        raise RunFault.of("R425 times", spot, value=told(value), most=MOST_TIMES)
    return int(value)


def counted(value: Any) -> Any:
    """What holds counts as one."""
    return int(value) if value is True or value is False else normal(value)


def together(step: Throw | Pool, dice: Sequence[Any]) -> dict[State, int]:
    """What the dice of a step show together."""
    parts = [
        totals(Shown(one, source.keep, source.highest))[0]
        for one, source in zip(dice, step.dice, strict=True)
    ]
    if len(parts) == 1:
        return {(shown,): ways for shown, ways in parts[0]}
    size = 1
    for part in parts:
        size *= len(part)
    if size > MOST_OUTCOMES:
        raise too_many(Spot(step.address))
    shown_together: dict[State, int] = {}
    for outcome in product(*parts):
        ways = 1
        for _, each in outcome:
            ways *= each
        shown_together[tuple(shown for shown, _ in outcome)] = ways
    return shown_together


def repeated(
    step: Throw, thrown: dict[State, int], holds: Callable[[State], bool]
) -> dict[State, int]:
    """Dice thrown again while a condition holds, or once if it does."""
    if step.again is None:
        return rerolled(thrown, holds)
    try:
        return thrown_again(thrown, holds)
    except ValueError:
        raise RunFault.of("R423 again for ever", Spot((*step.address, "again"))) from None


def different(shown: Shown, counts: Mapping[int, int], spot: Spot) -> Suffixes:
    """How many different faces a random number of dice show."""
    sides = shown.dice.sides
    if shown.dice.count > 1:
        raise RunFault.of("R425 faces of unlike dice", spot, dice=shown.dice)
    found = distinct_of(counts, sides)
    return [((faces,), weight) for faces, weight in found.items()], sides ** max(counts)


def extreme(each: Mapping[Any, int], counts: Mapping[int, int], highest: bool) -> Suffixes:
    """The best of no dice is nothing: 0."""
    most, total = max(counts), sum(each.values())
    found: dict[State, int] = {}
    for number, weight in counts.items():
        of = extreme_of(each, number, highest) if number else {(0,): 1}
        scale = weight * total ** (most - number)
        for value, ways in of.items():
            found[value] = found.get(value, 0) + ways * scale
    return list(found.items()), total**most
