"""Polynomials with whole coefficients -> their powers and mixtures of powers.

The weights of a throw are the coefficients of a polynomial whose exponents are the scores
(generating functions), so that adding throws multiplies polynomials. A polynomial is a mapping
of exponents (whole, from 0) to coefficients (whole, above 0). Three ways of multiplying are
used, and the quickest for the sizes at hand is chosen; all are exact.

- packed: every coefficient stands in a field of bits of one large int, wide enough for the
  answer (Kronecker's substitution), so that one product of ints multiplies whole polynomials;
- a recurrence for the coefficients of a power, one after the other (Euler; J. C. P. Miller:
  D. E. Knuth, The Art of Computer Programming, volume 2, section 4.7): with q = p**n,
  p q' = n p' q, hence m p[0] q[m] = sum over i > 0 of ((n + 1) i - m) p[i] q[m - i];
- term by term, where nearly all of the fields would be empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd

Polynomial = Mapping[int, int]

#: Seconds of the ways of multiplying, as measured, in units of one step of the recurrence: one
#: step reads and adds one coefficient; packed ints of d digits multiply in about d ** 1.585
#: steps / 40 (Karatsuba); a term looked up by its exponent takes four steps.
_KARATSUBA, _STEPS_OF_PACKED, _STEPS_OF_TERM = 1.585, 40, 4
_BITS_OF_DIGIT = 30
#: Packed ints of more digits do not fit into memory: they all cost too much.
_MOST_DIGITS = 10**12
#: Bits of fields that are shifted and added in the time in which one term is.
_BITS_OF_TERM = 3000


def power(base: Polynomial, exponent: int) -> dict[int, int]:
    """`base` multiplied by itself `exponent` times; the power 0 is {0: 1}."""
    if exponent < 2:
        return dict(base) if exponent else {0: 1}
    low, step = _spacing(base)
    terms = {(place - low) // step: weight for place, weight in base.items()}
    top = max(terms) * exponent
    width = _width_for(sum(terms.values()) ** exponent)
    by_recurrence, by_terms, packed = _steps(len(terms), exponent, top, width)
    found: Iterable[tuple[int, int]]
    if packed <= min(by_recurrence, by_terms):
        found = enumerate(_unpacked(_packed(terms, width) ** exponent, width))
    elif by_recurrence <= by_terms:
        found = enumerate(_dense_power(terms, exponent))
    else:
        found = _sparse_power(terms, exponent).items()
    start = low * exponent
    return {start + step * place: weight for place, weight in found if weight}


def mixture(base: Polynomial, rest: int, weights: Mapping[int, int]) -> dict[int, int]:
    """The sum over k of weights[k] base**k (t x**rest)**(n - k): n = max(weights), t = base(1).

    Every summand so has n factors of the same total. `rest` is the exponent of a factor that is
    not `base`. Horner's scheme: one multiplication by the few terms of `base` for each k.
    """
    most = max(weights)
    low, step = _spacing((*base, rest))
    terms = {(place - low) // step: weight for place, weight in base.items()}
    common, shared = gcd(*terms.values()), gcd(*weights.values())
    terms = {place: weight // common for place, weight in terms.items()}
    weights = {count: weight // shared for count, weight in weights.items()}
    rest = (rest - low) // step
    total = sum(terms.values())
    top = max(rest, *terms) * most
    width = _width_for(sum(weights.values()) * total**most)
    found: Iterable[tuple[int, int]]
    if _BITS_OF_TERM * terms_of_power(len(terms) + 1, most, top + 1) < top * width * 8:
        found = _mixed_terms(terms, rest, weights).items()
    else:
        found = enumerate(_unpacked(_mixed(terms, rest, weights, width), width))
    start, scale = low * most, shared * common**most
    return {start + step * place: weight * scale for place, weight in found if weight}


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


def _spacing(places: Mapping[int, int] | tuple[int, ...]) -> tuple[int, int]:
    """The lowest exponent, and the largest step that leads from it to all others."""
    low = min(places)
    return low, gcd(*(place - low for place in places)) or 1


def _width_for(total: int) -> int:
    """Bytes of a field; no coefficient is larger than the sum of them all."""
    return (total.bit_length() + 7) // 8


def steps_of_power(terms: int, exponent: int, fields: int, bits: int) -> float:
    """Coefficients that `power` reads and adds, or what takes as long: some ten a microsecond.

    `terms` are those of the base, `fields` those of the answer, each of so many `bits` at most.
    """
    return min(_steps(terms, exponent, fields - 1, (bits + 7) // 8)) if exponent > 1 else terms


def _steps(terms: int, exponent: int, top: int, width: int) -> tuple[float, float, float]:
    """Steps of the three ways to a power: by the recurrence, term by term, packed."""
    by_terms = _STEPS_OF_TERM * terms * terms_of_power(terms, exponent, top + 1)
    return terms * top, by_terms, _packed_steps(top, width)


def _packed_steps(top: int, width: int) -> float:
    digits = (top + 1) * width * 8 // _BITS_OF_DIGIT + 1
    return float(min(digits, _MOST_DIGITS) ** _KARATSUBA / _STEPS_OF_PACKED)


def _packed(terms: Polynomial, width: int) -> int:
    """One int with the coefficients in fields of `width` bytes."""
    fields = bytearray(width * (max(terms) + 1))
    for place, weight in terms.items():
        fields[place * width : (place + 1) * width] = weight.to_bytes(width, "little")
    return int.from_bytes(fields, "little")


def _unpacked(whole: int, width: int) -> list[int]:
    size = (whole.bit_length() + 7) // 8
    fields, number = whole.to_bytes(size, "little"), int.from_bytes
    return [number(fields[start : start + width], "little") for start in range(0, size, width)]


def _dense_power(terms: Polynomial, exponent: int) -> list[int]:
    """All coefficients by the recurrence; `terms` has a term 0."""
    first, top = terms[0], max(terms)
    steps = [
        (place, weight, place * weight * (exponent + 1)) for place, weight in terms.items() if place
    ]
    # Zeros before the coefficients, so that none is looked up before the first.
    found = [0] * top
    found.append(first**exponent)
    for place in range(1, top * exponent + 1):
        at = place + top
        value = 0
        for back, weight, grown in steps:
            value += (grown - place * weight) * found[at - back]
        found.append(value // (place * first))
    return found[top:]


def _sparse_power(terms: Polynomial, exponent: int) -> dict[int, int]:
    """The coefficients that are not 0, by the recurrence; `terms` has a term 0."""
    reached = newest = {0}
    for _ in range(exponent):
        newest = {place + further for place in newest for further in terms} - reached
        reached = reached | newest
    steps = [
        (place, weight, place * weight * (exponent + 1)) for place, weight in terms.items() if place
    ]
    first = terms[0]
    found = {0: first**exponent}
    known = found.get
    for place in sorted(reached)[1:]:
        value = 0
        for back, weight, grown in steps:
            value += (grown - place * weight) * known(place - back, 0)
        found[place] = value // (place * first)
    return found


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
        found = _times(found, terms)
        if count in weights:
            place = rest * (most - count)
            found[place] = found.get(place, 0) + weights[count] * scale
    return found


def _times(left: Polynomial, right: Polynomial) -> dict[int, int]:
    found: dict[int, int] = {}
    for further, each in right.items():
        for place, weight in left.items():
            found[place + further] = found.get(place + further, 0) + weight * each
    return found
