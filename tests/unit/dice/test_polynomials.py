"""Each way of multiplying gives what is expected, and the quickest is taken whatever the size."""

from math import comb

import pytest

from rulebook.dice.pools import power


def step_by_step(base: dict[int, int], exponent: int) -> dict[int, int]:
    found = {0: 1}
    for _ in range(exponent):
        longer: dict[int, int] = {}
        for place, weight in found.items():
            for further, each in base.items():
                longer[place + further] = longer.get(place + further, 0) + weight * each
        found = longer
    return found


BASES = [
    {0: 1},
    {3: 2},
    {0: 1, 1: 1},
    {1: 5, 2: 1, 9: 3},
    dict.fromkeys(range(30), 1),
    {0: 10**30, 7: 1, 14: 10**30},
    {0: 1, 1: 1, 10**6: 3},
    {5: 1, 10**40: 1},
]


@pytest.mark.parametrize("base", BASES, ids=lambda base: f"{len(base)} to {max(base)}")
@pytest.mark.parametrize("exponent", [0, 1, 2, 7, 30])
def test_powers(base: dict[int, int], exponent: int) -> None:
    assert power(base, exponent) == step_by_step(base, exponent)


def test_coefficients_of_a_large_power() -> None:
    assert power({0: 1, 3: 1}, 500) == {3 * hits: comb(500, hits) for hits in range(501)}
