"""Independent draws from one distribution -> weights of their sum, their successes, their best.

The number of draws may itself be random, as the saves for a random number of hits are: `counts`
has the weights of numbers from 0. Outcomes are tuples, of one width, with weights above 0; those
that are found add up to sum(counts.values()) * sum(each.values()) ** max(counts).

Sums are products of polynomials with whole coefficients: the weights of a draw are the coefficients
and the values the exponents (generating functions). A polynomial is a mapping of exponents (whole,
from 0) to coefficients (whole, above 0).

- A power has a recurrence for its coefficients, one after the other (Euler; J. C. P. Miller:
  D. E. Knuth, The Art of Computer Programming, volume 2, section 4.7): with q = p**n,
  p q' = n p' q, hence m p[0] q[m] = sum over i > 0 of ((n + 1) i - m) p[i] q[m - i].
- A mixture is multiplied packed: every coefficient stands in a field of bits of one large int,
  wide enough for the answer (Kronecker's substitution); or term by term, where nearly all of the
  fields would be empty.
- Tuples of numbers become exponents like the digits of one number (mixed radix): a fraction is
  counted in parts of the common denominator, a number from the lowest one in the largest step that
  reaches all, each with room for the sum of all draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from rulebook.dice.chains import Spend, freely

Polynomial = Mapping[int, int]

#: Bits of fields that are shifted and added in the time in which one term is.
_BITS_OF_TERM = 3000


def power(base: Polynomial, exponent: int) -> dict[int, int]:
    """Raises a polynomial to a power.

    Polynomials map exponents to coefficients; the power 0 is {0: 1}.
    """
    low = min(base)
    first = base[low]
    steps = [
        (place - low, weight, (place - low) * weight * (exponent + 1))
        for place, weight in base.items()
        if place != low
    ]
    found = {0: first**exponent}
    known = found.get
    for place in _places_of_power([back for back, _, _ in steps], exponent):
        value = 0
        for back, weight, grown in steps:
            value += (grown - place * weight) * known(place - back, 0)
        if value:
            found[place] = value // (place * first)
    start = low * exponent
    return {start + place: weight for place, weight in found.items()} if start else found


def _places_of_power(places: list[int], exponent: int) -> Iterable[int]:
    """Returns the exponents above 0 that can occur in a power of a polynomial, rising.

    The polynomial has a constant term and terms with the exponents `places`.
    """
    top = max(places, default=0) * exponent
    if terms_of_power(len(places) + 1, exponent, top + 1) > top // 4:
        return range(1, top + 1)
    reached = newest = {0}
    for _ in range(exponent):
        newest = {place + further for place in newest for further in places} - reached
        reached = reached | newest
    return sorted(reached)[1:]


def terms_of_power(terms: int, exponent: int, fields: int) -> int:
    """Returns the most terms that a power of a polynomial with `terms` terms can have.

    It is the number of ways to choose `exponent` of the terms, in any order, with repetition, but
    no more than `fields`.
    """
    ways, smaller = 1, min(terms - 1, exponent)
    for chosen in range(1, smaller + 1):
        ways = ways * (terms + exponent - 1 - smaller + chosen) // chosen
        if ways >= fields:
            return fields
    return ways


def mixture(base: Polynomial, rest: int, weights: Mapping[int, int]) -> dict[int, int]:
    """Computes the sum over k of weights[k] base**k (t x**rest)**(n - k).

    n is max(weights), and t is base(1), so that every summand has n factors of the same total.
    `rest` is the exponent of a factor that is not `base`. Horner's scheme: one multiplication by
    the few terms of `base` for each k.
    """
    most, common = max(weights), gcd(*base.values())
    base = {place: weight // common for place, weight in base.items()}
    top, total, scale = max(rest, *base) * most, sum(base.values()), common**most
    # Bytes of a field; no coefficient is larger than the sum of them all.
    width = ((sum(weights.values()) * total**most).bit_length() + 7) // 8
    if _BITS_OF_TERM * terms_of_power(len(base) + 1, most, top + 1) < top * width * 8:
        found = _mixed_terms(base, rest, weights)
        return {place: weight * scale for place, weight in found.items()}
    fields = _mixed(base, rest, weights, width).to_bytes((top + 1) * width, "little")
    starts = range(0, len(fields), width)
    each = (int.from_bytes(fields[at : at + width], "little") for at in starts)
    return {place: weight * scale for place, weight in enumerate(each) if weight}


def _mixed(terms: Polynomial, rest: int, weights: Mapping[int, int], width: int) -> int:
    """Computes a mixture packed into one int, with fields of `width` bytes for the coefficients.

    Multiplying by a polynomial is a shift and a small product for each of its terms.
    """
    most, total = max(weights), sum(terms.values())
    (first, weight), *further = ((place * width * 8, each) for place, each in terms.items())
    whole, scale = weights[most], 1
    for count in range(most - 1, -1, -1):
        scale *= total
        grown = (whole if weight == 1 else whole * weight) << first
        for shift, each in further:
            grown += (whole if each == 1 else whole * each) << shift
        if count in weights:
            grown += (weights[count] * scale) << (rest * (most - count) * width * 8)
        whole = grown
    return whole


def _mixed_terms(terms: Polynomial, rest: int, weights: Mapping[int, int]) -> dict[int, int]:
    """Computes a mixture, as `mixture` does, with polynomials that map exponents to coefficients.

    It multiplies term by term, which is faster if few exponents occur.
    """
    most, total = max(weights), sum(terms.values())
    found, scale = {0: weights[most]}, 1
    for count in range(most - 1, -1, -1):
        scale *= total
        longer: dict[int, int] = {}
        for further, each in terms.items():
            for place, weight in found.items():
                longer[place + further] = longer.get(place + further, 0) + weight * each
        if count in weights:
            place = rest * (most - count)
            longer[place] = longer.get(place, 0) + weights[count] * scale
        found = longer
    return found


Number = int | Fraction
Value = tuple[Number, ...]
Outcome = tuple[Any, ...]


class _Places:
    """Maps tuples of numbers to exponents, and exponents of a sum of draws back to tuples.

    An axis holds the lowest number and the step, in parts, how many parts make 1, the distance
    between its fields, and how many there are.
    """

    def __init__(self, values: Iterable[Value], draws: int) -> None:
        self.draws, self.fields = draws, 1
        self.axes: list[tuple[int, int, int, int, int]] = []
        for column in zip(*values, strict=True):
            parts = lcm(*(number.denominator for number in column))
            counted = [int(number * parts) for number in column]
            lowest = min(counted)
            step = gcd(*(number - lowest for number in counted)) or 1
            fields = (max(counted) - lowest) // step * draws + 1
            self.axes.append((lowest, step, parts, self.fields, fields))
            self.fields *= fields

    def place(self, value: Value) -> int:
        """Returns the exponent by which a polynomial represents the value of one draw.

        The exponents of all positions of the value are added up.
        """
        return sum(
            (int(number * parts) - lowest) // step * stride
            for number, (lowest, step, parts, stride, _) in zip(value, self.axes, strict=True)
        )

    def values(self, sums: Mapping[int, int]) -> dict[Outcome, int]:
        """Converts weights by exponent to weights by the sum of draws that the exponent represents.

        Each sum is a tuple.
        """
        columns: list[tuple[int, int, dict[int, Number]]] = []
        for lowest, step, parts, stride, fields in self.axes:
            indices = {place // stride % fields for place in sums}
            numbers: dict[int, Number] = {i: self.draws * lowest + i * step for i in indices}
            if parts != 1:
                numbers = {index: Fraction(n, parts) for index, n in numbers.items()}
            columns.append((stride, fields, numbers))
        return {
            tuple([numbers[at // stride % fields] for stride, fields, numbers in columns]): weight
            for at, weight in sums.items()
        }


#: Bits of sums that take as long to add as a move from state to state: all at once, or in a
#: mixture, where their number is random. Coefficients of a power that take as long.
_BITS_OF_MOVE, _MIXED_BITS_OF_MOVE, _STEPS_OF_MOVE = 150, 30_000, 8


def sum_of(
    each: Mapping[Value, int], counts: Mapping[int, int], spend: Spend = freely
) -> dict[Outcome, int]:
    """Returns the weights of the sum of a random number of draws; the sum of none is 0.

    `each` has the weights of one draw, `counts` those of the number of draws. Tuples are added
    position by position. `spend` is called with the work before it is done.
    """
    most, fixed = max(counts), len(counts) == 1
    nothing = (0,) * len(next(iter(each)))
    places = _Places(each if fixed else (*each, nothing), most)
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
) -> dict[Outcome, int]:
    """Returns the weights of how many attempts succeed, each with a chance of hit/of.

    `counts` has the weights of the number of attempts. Keys of the result are tuples of one number.
    `spend` is called with the work before it is done.
    """
    most, fixed = max(counts), len(counts) == 1
    bits = (most + 1) * (of.bit_length() * most + 1)
    spend(_work(bits, 0 if fixed else 2 * most))
    each = {value: weight for value, weight in ((0, of - hit), (1, hit)) if weight}
    if not fixed:
        return {(number,): ways for number, ways in mixture(each, 0, counts).items()}
    return {(number,): ways * counts[most] for number, ways in power(each, most).items()}


def _work(bits: int, times: int = 0) -> int:
    """Estimates, in moves from state to state, the work of adding up sums of so many bits.

    `times` is the number of additions in a mixture.
    """
    return bits // _BITS_OF_MOVE + bits * times // _MIXED_BITS_OF_MOVE


def best_of(
    each: Mapping[Outcome, int],
    counts: Mapping[int, int],
    highest: bool,
    spend: Spend = freely,
) -> dict[Outcome, int]:
    """Returns the weights of the highest (or lowest) of a random number of draws; of none it is 0.

    `each` has the weights of one draw, `counts` those of the number of draws. `spend` is called
    with the work before it is done. The weight of n draws that are all up to an outcome is (weight
    of one draw up to it) ** n.
    """
    most, total = max(counts), sum(each.values())
    spend(_work(len(each) * len(counts) * most * total.bit_length()))
    found: dict[Outcome, int] = {}
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


def distinct_of(counts: Mapping[int, int], sides: int, spend: Spend = freely) -> dict[Outcome, int]:
    """Returns the weights of how many different faces a random number of dice show.

    `counts` has the weights of the number of dice, each of which has `sides` sides. `spend` is
    called with the work before it is done. With f faces shown, the next die shows one of these in f
    cases and a new one in sides - f.
    """
    most = max(counts)
    spend(most * min(most, sides))
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
