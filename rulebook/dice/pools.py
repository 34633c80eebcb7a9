"""Independent draws from one distribution -> weights of their sum, their successes, their best.

The number of draws may itself be random, as the saves for a random number of hits are: `counts`
has the weights of numbers from 0. Outcomes are tuples, of one width, with weights above 0; those
that are found add up to sum(counts.values()) * sum(each.values()) ** max(counts).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulebook.dice.chains import Spend, freely
from rulebook.dice.exponents import Value, places_of
from rulebook.dice.polynomials import mixture, power, terms_of_power

#: Bits of sums that take as long to add as a move from state to state: all at once, or term by
#: term where their number is random. Coefficients of a power that take as long.
_BITS_OF_MOVE, _BITS_OF_TERM, _STEPS_OF_MOVE = 150, 30_000, 8


def sum_of(
    each: Mapping[Value, int], counts: Mapping[int, int], spend: Spend = freely
) -> dict[Value, int]:
    """Weights of the sum of draws, whose numbers are added one by one; of none they are 0."""
    most, fixed = max(counts), len(counts) == 1
    nothing = (0,) * len(next(iter(each)))
    places = places_of(each if fixed else (*each, nothing), most)
    terms = {places.place(value): weight for value, weight in each.items()}
    size = terms_of_power(len(terms) + (not fixed), most, places.fields)
    bits = size * (sum(each.values()).bit_length() * most + 1)
    if not fixed:
        spend(_work(bits, most * len(terms)))
        return places.values(mixture(terms, places.place(nothing), counts))
    spend(_work(bits) + len(terms) * size // _STEPS_OF_MOVE)
    found, scale = power(terms, most), counts[most]
    return places.values({place: weight * scale for place, weight in found.items()})


def successes(
    counts: Mapping[int, int], hit: int, of: int, spend: Spend = freely
) -> dict[tuple[int], int]:
    """Weights of how many of the tries succeed, each with chance hit/of."""
    most, fixed = max(counts), len(counts) == 1
    bits = (most + 1) * (of.bit_length() * most + 1)
    spend(_work(bits, 0 if fixed else 2 * most))
    each = {value: weight for value, weight in ((0, of - hit), (1, hit)) if weight}
    if not fixed:
        return {(number,): ways for number, ways in mixture(each, 0, counts).items()}
    return {(number,): ways * counts[most] for number, ways in power(each, most).items()}


def _work(bits: int, times: int = 0) -> int:
    """What it takes to add up sums of so many bits, so many times."""
    return bits // _BITS_OF_MOVE + bits * times // _BITS_OF_TERM


def best_of(
    each: Mapping[tuple[Any, ...], int],
    counts: Mapping[int, int],
    highest: bool,
    spend: Spend = freely,
) -> dict[tuple[Any, ...], int]:
    """Weights of the highest (or lowest) of the draws; of none it is 0.

    That none of n draws is above an outcome has the weight (weight of all up to it) ** n.
    """
    most, total = max(counts), sum(each.values())
    spend(_work(len(each) * len(counts) * most * total.bit_length()))
    found: dict[tuple[Any, ...], int] = {}
    ordered = sorted(each, reverse=not highest)
    for number, weight in counts.items():
        scale = weight * total ** (most - number)
        if not number:
            found[(0,)] = found.get((0,), 0) + scale
            continue
        reached = before = 0
        for outcome in ordered:
            reached += each[outcome]
            now = reached**number
            found[outcome] = found.get(outcome, 0) + (now - before) * scale
            before = now
    return found


def distinct_of(counts: Mapping[int, int], sides: int) -> dict[tuple[int], int]:
    """Weights of how many different faces the dice show.

    With f faces shown, the next die shows one of these in f cases and a new one in sides - f.
    """
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
    return {(faces,): weight for faces, weight in enumerate(found) if weight}
