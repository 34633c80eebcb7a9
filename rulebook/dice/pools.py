"""Independent draws from one distribution -> weights of their sum, their successes, their best.

The number of draws may itself be random, as the saves for a random number of hits are. Sums are
products of polynomials; what is merged is never enumerated.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar, cast

from rulebook.dice.exponents import Places, Value, places_of
from rulebook.dice.polynomials import mixture, power, steps_of_power, terms_of_power

Outcome = TypeVar("Outcome", bound=Hashable)


def sum_of(each: Mapping[Value, int], counts: Mapping[int, int]) -> dict[Value, int]:
    """Weights of the sum of k draws from `each`, where k has the weights `counts`.

    Values are ints, Fractions, or tuples of them added number by number; the sum of no draws is
    0, or zeros. The weights add up to sum(counts.values()) * sum(each.values()) ** max(counts).
    ValueError where there is nothing to draw from, a weight below 1 or a count below 0.
    """
    _refuse_unless_weights(each)
    _refuse_unless_counts(counts)
    most = max(counts)
    if len(counts) == 1:
        places = places_of(each, most)
        return _times(places.values(power(places.polynomial(each), most)), counts[most])
    nothing = _nothing_like(each)
    places = places_of((*each, nothing), most)
    return places.values(mixture(places.polynomial(each), places.place(nothing), counts))


def successes(counts: Mapping[int, int], hit: int, of: int) -> dict[int, int]:
    """Weights of how many of k tries succeed, each with chance hit/of; k has weights `counts`.

    The weights add up to sum(counts.values()) * of ** max(counts). ValueError unless
    0 <= hit <= of, of >= 1, and as for `sum_of`.
    """
    if not 0 <= hit <= of or of < 1:
        raise ValueError(f"{hit} of {of} is not a chance")
    _refuse_unless_counts(counts)
    each = {0: of - hit, 1: hit}
    each = {value: weight for value, weight in each.items() if weight}
    most = max(counts)
    if len(counts) == 1:
        return _times(power(each, most), counts[most])
    return mixture(each, 0, counts)


def keep_one(each: Mapping[Outcome, int], count: int, highest: bool) -> dict[Outcome, int]:
    """Weights of the highest (or lowest) of `count` draws, `count` >= 1, else ValueError.

    That none is above an outcome has the weight (weight of all up to it) ** count.
    """
    _refuse_unless_weights(each)
    if count < 1:
        raise ValueError("the best of no draws is nothing")
    found: dict[Outcome, int] = {}
    reached = before = 0
    for outcome in sorted(each, reverse=not highest):  # type: ignore[type-var]
        reached += each[outcome]
        now = reached**count
        found[outcome] = now - before
        before = now
    return found


def distinct_of(counts: Mapping[int, int], sides: int) -> dict[int, int]:
    """Weights of how many different faces k dice show, where k has the weights `counts`.

    With f faces shown, the next die shows one of these in f cases and a new one in sides - f. The
    weights add up to sum(counts.values()) * sides ** max(counts).
    """
    _refuse_unless_counts(counts)
    most = max(counts)
    ways = [1]
    found = [0] * (min(most, sides) + 1)
    for number in range(most + 1):
        weight = counts.get(number, 0) * sides ** (most - number)
        for faces, each in enumerate(ways if weight else ()):
            found[faces] += each * weight
        same = [each * faces for faces, each in enumerate(ways)]
        further = [each * (sides - faces) for faces, each in enumerate(ways)]
        ways = [old + new for old, new in zip((*same, 0), (0, *further), strict=True)]
        if not ways[-1]:
            ways.pop()
    return {faces: weight for faces, weight in enumerate(found) if weight}


def size_of_sum(each: Mapping[Value, int], count: int, *, fixed: bool = False) -> int:
    """Bits that the weights of the sum of up to `count` draws take: what `sum_of` would cost.

    With `fixed` of that many draws and no fewer.

    A bound, soon found however large it is, by which a caller refuses what would take too long.
    A million bits are a matter of milliseconds for one count; for a random count the time also
    grows with the count and with the outcomes of a draw, to some tenths of a second.
    """
    values = each if fixed else (*each, _nothing_like(each))
    places: Places[Value] = places_of(values, count)
    terms = terms_of_power(len(values), count, places.fields)
    return terms * (sum(each.values()).bit_length() * count + 1)


def steps_of_sum(each: Mapping[Value, int], count: int) -> int:
    """Numbers that `sum_of` reads and adds for one count, or what takes as long: ten a microsecond.

    Soon found however large it is; where draws have many outcomes it is far more than the bits.
    """
    places: Places[Value] = places_of(each, count)
    bits = sum(each.values()).bit_length() * count
    return int(steps_of_power(len(each), count, places.fields, bits))


def _times(weights: dict[Value, int], scale: int) -> dict[Value, int]:
    if scale == 1:
        return weights
    return {value: weight * scale for value, weight in weights.items()}


def _nothing_like(each: Mapping[Value, int]) -> Value:
    value = next(iter(each))
    return cast(Value, (0,) * len(value) if isinstance(value, tuple) else 0)


def _refuse_unless_weights(each: Mapping[Outcome, int]) -> None:
    if not each or min(each.values()) < 1:
        raise ValueError("a draw needs outcomes, all of weights above 0")


def _refuse_unless_counts(counts: Mapping[int, int]) -> None:
    if not counts or min(counts.values()) < 1 or min(counts) < 0:
        raise ValueError("a number of draws is 0 or more, of a weight above 0")
