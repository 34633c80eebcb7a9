"""Pools of dice: known closed forms, exact totals, and what is refused."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb

import pytest

from rulebook.dice.pools import keep_one, size_of_sum, successes, sum_of

PIPS = {0: 2, 1: 1, 2: 1, 3: 1, 4: 1}
D6 = dict.fromkeys(range(1, 7), 1)


def test_rare_values_far_apart() -> None:
    found = sum_of({0: 1, 1: 1, 10**6: 1}, {60: 1})
    assert len(found) == comb(60 + 2, 2)
    assert found[10 * 10**6 + 20] == comb(60, 10) * comb(50, 20)


@pytest.mark.parametrize("weights", [{}, {1: 0}, {1: 1, 2: -1}])
def test_draws_from_nothing(weights: Mapping[int, int]) -> None:
    with pytest.raises(ValueError, match="a draw needs outcomes"):
        sum_of(weights, {1: 1})
    with pytest.raises(ValueError, match="a draw needs outcomes"):
        keep_one(weights, 1, True)


@pytest.mark.parametrize("counts", [{}, {1: 0}, {-1: 1}, {2: 1, 3: -1}])
def test_counts_that_are_none(counts: Mapping[int, int]) -> None:
    with pytest.raises(ValueError, match="a number of draws"):
        sum_of(D6, counts)
    with pytest.raises(ValueError, match="a number of draws"):
        successes(counts, 1, 6)


@pytest.mark.parametrize(("hit", "of"), [(-1, 6), (7, 6), (0, 0), (1, -6)])
def test_chances_that_are_none(hit: int, of: int) -> None:
    with pytest.raises(ValueError, match="not a chance"):
        successes({1: 1}, hit, of)


@pytest.mark.parametrize(
    ("each", "count"), [(PIPS, 40), (D6, 1), ({(1, 0): 1, (0, 1): 1}, 9), ({0: 1, 10**6: 1}, 9)]
)
def test_sizes_bound_what_is_found(each: Mapping[int | tuple[int, ...], int], count: int) -> None:
    found = sum_of(each, {count: 1, 0: 1})
    bits = sum(weight.bit_length() for weight in found.values())
    assert bits <= size_of_sum(each, count) <= 20 * bits


def test_sizes_beyond_all_measure_are_soon_told() -> None:
    assert size_of_sum(D6, 10**9) > 10**18
    assert size_of_sum({(n, n * n, n**3): 1 for n in range(100)}, 10**6) > 10**12


def test_large_pools_by_closed_forms() -> None:
    found = sum_of({(1, 0): 1, (0, 1): 2, (0, 0): 3}, {10: 1})
    assert found[2, 3] == comb(10, 2) * comb(8, 3) * 1**2 * 2**3 * 3**5
    hits = successes({200: 1}, 3, 6)
    assert hits == {k: comb(200, k) * 3**200 for k in range(201)}
    killed = successes(hits, 2, 6)
    ways = sum(killed.values())
    both = {k: Fraction(weight, 6**200) for k, weight in successes({200: 1}, 1, 6).items()}
    assert {k: Fraction(weight, ways) for k, weight in killed.items()} == both, "one throw of both"
    mean = Fraction(sum(n * weight for n, weight in sum_of(PIPS, {40: 1}).items()), 6**40)
    assert mean == 40 * Fraction(1 + 2 + 3 + 4, 6)
    assert keep_one({"b": 3, "a": 1}, 3, True) == {"a": 1, "b": 4**3 - 1}
