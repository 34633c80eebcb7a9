"""Pools of dice: known closed forms, and what they cost before they are made."""

from fractions import Fraction
from math import comb

import pytest

from rulebook.dice.pools import Value, best_of, successes, sum_of

PIPS = {(0,): 2, (1,): 1, (2,): 1, (3,): 1, (4,): 1}
D6 = {(face,): 1 for face in range(1, 7)}


def test_rare_values_far_apart() -> None:
    found = sum_of({(0,): 1, (1,): 1, (10**6,): 1}, {60: 1})
    assert len(found) == comb(60 + 2, 2)
    assert found[10 * 10**6 + 20,] == comb(60, 10) * comb(50, 20)


@pytest.mark.parametrize(
    ("each", "most"), [(D6, 10**9), ({(n, n * n, n**3): 1 for n in range(100)}, 10**6)]
)
@pytest.mark.parametrize("fixed", [True, False])
def test_work_beyond_all_measure_is_refused_soon(
    each: dict[Value, int], most: int, *, fixed: bool
) -> None:
    def spend(work: int) -> None:
        assert work > 10**9
        raise OverflowError

    with pytest.raises(OverflowError):
        sum_of(each, {most: 1} if fixed else {most: 1, 0: 1}, spend)


def test_large_pools_by_closed_forms() -> None:
    found = sum_of({(1, 0): 1, (0, 1): 2, (0, 0): 3}, {10: 1})
    assert found[2, 3] == comb(10, 2) * comb(8, 3) * 1**2 * 2**3 * 3**5
    hits = successes({200: 1}, 3, 6)
    assert hits == {(k,): comb(200, k) * 3**200 for k in range(201)}
    killed = successes({k: weight for (k,), weight in hits.items()}, 2, 6)
    ways = sum(killed.values())
    both = {k: Fraction(weight, 6**200) for k, weight in successes({200: 1}, 1, 6).items()}
    assert {k: Fraction(weight, ways) for k, weight in killed.items()} == both, "one throw of both"
    mean = Fraction(sum(n * weight for (n,), weight in sum_of(PIPS, {40: 1}).items()), 6**40)
    assert mean == 40 * Fraction(1 + 2 + 3 + 4, 6)
    assert best_of({("b",): 3, ("a",): 1}, {3: 1}, True) == {("a",): 1, ("b",): 4**3 - 1}
    assert best_of({(-1,): 1}, {0: 2, 1: 1}, True) == {(0,): 2, (-1,): 1}
