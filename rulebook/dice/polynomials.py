"""Polynomials with whole coefficients -> their powers and mixtures of powers.

The weights of a throw are the coefficients of a polynomial whose exponents are the scores
(generating functions), so that adding throws multiplies polynomials. A polynomial is a mapping
of exponents (whole, from 0) to coefficients (whole, above 0). Everything is exact.

- A power has a recurrence for its coefficients, one after the other (Euler; J. C. P. Miller:
  D. E. Knuth, The Art of Computer Programming, volume 2, section 4.7): with q = p**n,
  p q' = n p' q, hence m p[0] q[m] = sum over i > 0 of ((n + 1) i - m) p[i] q[m - i].
- A mixture is multiplied packed: every coefficient stands in a field of bits of one large int,
  wide enough for the answer (Kronecker's substitution); or term by term, where nearly all of the
  fields would be empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd

Polynomial = Mapping[int, int]

#: Bits of fields that are shifted and added in the time in which one term is.
_BITS_OF_TERM = 3000


def power(base: Polynomial, exponent: int) -> dict[int, int]:
    """`base` multiplied by itself `exponent` times; the power 0 is {0: 1}."""
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
    """The exponents above 0 that a power of a term 0 and these may have, rising."""
    top = max(places, default=0) * exponent
    if terms_of_power(len(places) + 1, exponent, top + 1) > top // 4:
        return range(1, top + 1)
    reached = newest = {0}
    for _ in range(exponent):
        newest = {place + further for place in newest for further in places} - reached
        reached = reached | newest
    return sorted(reached)[1:]


def terms_of_power(terms: int, exponent: int, fields: int) -> int:
    """The most terms that a power of `terms` terms has, of which none is left out of `fields`.

    No more than there are ways to choose `exponent` of the terms, order and repetition aside.
    """
    ways, smaller = 1, min(terms - 1, exponent)
    for chosen in range(1, smaller + 1):
        ways = ways * (terms + exponent - 1 - smaller + chosen) // chosen
        if ways >= fields:
            return fields
    return ways


def mixture(base: Polynomial, rest: int, weights: Mapping[int, int]) -> dict[int, int]:
    """The sum over k of weights[k] base**k (t x**rest)**(n - k): n = max(weights), t = base(1).

    Every summand so has n factors of the same total. `rest` is the exponent of a factor that is
    not `base`. Horner's scheme: one multiplication by the few terms of `base` for each k.
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
    """The packed mixture; a multiplication is a shift and a small product for each term."""
    most, total = max(weights), sum(terms.values())
    (first, weight), *others = ((place * width * 8, each) for place, each in terms.items())
    whole, scale = weights[most], 1
    for count in range(most - 1, -1, -1):
        scale *= total
        grown = (whole if weight == 1 else whole * weight) << first
        for shift, each in others:
            grown += (whole if each == 1 else whole * each) << shift
        if count in weights:
            grown += (weights[count] * scale) << (rest * (most - count) * width * 8)
        whole = grown
    return whole


def _mixed_terms(terms: Polynomial, rest: int, weights: Mapping[int, int]) -> dict[int, int]:
    """The mixture term by term."""
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
