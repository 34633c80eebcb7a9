"""Exact distributions against counting every throw or adding die by die; chains move by move."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import lcm, prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from ways import Ways, joined, plus

from rulebook.dice.chains import Move, solved
from rulebook.dice.pools import best_of, distinct_of, successes, sum_of
from rulebook.dice.throws import dice, kept, rerolled

Number = int | Fraction
Weights = Mapping[tuple[Number, ...], int]

weights = st.integers(min_value=1, max_value=50)
whole = st.integers(min_value=-9, max_value=9)
numbers = whole | st.fractions(min_value=-3, max_value=3, max_denominator=6)
rare = whole | st.sampled_from([-(10**7), 10**6, 10**9 + 1])
counts = st.dictionaries(st.integers(min_value=0, max_value=4), weights, min_size=1, max_size=4)


@st.composite
def tuples(draw: st.DrawFn) -> Weights:
    width = draw(st.integers(min_value=1, max_value=3))
    values = st.tuples(*[draw(st.sampled_from([whole, numbers, rare])) for _ in range(width)])
    return draw(st.dictionaries(values, weights, min_size=1, max_size=5))


def draws_of(each: Mapping[int, int], count: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every way of `count` draws, with its weight."""
    for draws in product(each.items(), repeat=count):
        yield tuple(value for value, _ in draws), prod(weight for _, weight in draws)


def counted(
    each: Mapping[int, int], count: int, read: Callable[[tuple[int, ...]], int]
) -> Counter[int]:
    found: Counter[int] = Counter()
    for values, weight in draws_of(each, count):
        found[read(values)] += weight
    return found


@given(tuples(), counts)
def test_sums_of_tuples(each, counts):
    total, most, width = sum(each.values()), max(counts), len(next(iter(each)))
    expected: Counter[tuple[Number, ...]] = Counter()
    for count, chance in counts.items():
        for draws in product(each.items(), repeat=count):
            weight = prod(weight for _, weight in draws)
            value = tuple(sum(value[at] for value, _ in draws) for at in range(width))
            expected[value] += chance * weight * total ** (most - count)
    found = sum_of(each, counts)
    assert found == expected
    assert sum(found.values()) == sum(counts.values()) * total**most


def tupled(each: Mapping[int, int]) -> Weights:
    return {(value,): weight for value, weight in each.items()}


def one_by_one(each: Mapping[int, int], count: int) -> Ways[int]:
    """The sums of so many draws, each added to those before it."""
    found: Ways[int] = {0: 1}
    for _ in range(count):
        found = joined(found, each, plus)
    return found


@given(
    st.dictionaries(whole, weights, min_size=1, max_size=8),
    st.dictionaries(st.integers(min_value=0, max_value=60), weights, min_size=1, max_size=8),
)
def test_sums_of_a_random_number_of_draws(each, counts):
    most, total = max(counts), sum(each.values())
    expected: Counter[int] = Counter()
    for count, chance in counts.items():
        for value, ways in one_by_one(each, count).items():
            expected[value] += chance * ways * total ** (most - count)
    assert sum_of(tupled(each), counts) == tupled(expected)


@given(
    st.dictionaries(st.integers(min_value=0, max_value=40), weights, min_size=1),
    st.integers(min_value=0, max_value=12),
    st.integers(min_value=1, max_value=12),
)
def test_successes_are_sums_of_ones(counts, hit, of):
    assume(hit <= of)
    each = {value: weight for value, weight in ((0, of - hit), (1, hit)) if weight}
    assert successes(counts, hit, of) == sum_of(tupled(each), counts)


@given(
    st.dictionaries(whole, weights, min_size=1, max_size=5), st.integers(min_value=1, max_value=4)
)
def test_extremes(each, count):
    assert best_of(tupled(each), {count: 1}, True) == tupled(counted(each, count, max))
    assert best_of(tupled(each), {count: 1}, False) == tupled(counted(each, count, min))


throws = st.dictionaries(whole, weights, min_size=1, max_size=6)


@given(throws, st.sets(whole))
def test_throws_made_again(each, bad):
    first = Fraction(sum(weight for value, weight in each.items() if value in bad), total_of(each))
    once = rerolled(each, lambda value: value in bad)
    for value in each:
        chance = Fraction(each[value], total_of(each))
        stays = 0 if value in bad else chance
        assert Fraction(once.get(value, 0), total_of(once)) == stays + first * chance


def total_of(weights: Mapping[int, int]) -> int:
    return sum(weights.values())


def _alike(one: Mapping[int, int], other: Mapping[int, int]) -> bool:
    """Whether the chances are the same, in whatever scale the weights are."""
    return one.keys() == other.keys() and all(
        weight * total_of(other) == other[value] * total_of(one) for value, weight in one.items()
    )


@pytest.mark.parametrize(("count", "sides"), [(1, 6), (2, 3), (3, 6), (4, 4), (5, 3), (4, 1)])
def test_dice_counted(count, sides):
    each = dict.fromkeys(range(1, sides + 1), 1)
    assert dice(count, sides) == counted(each, count, sum)
    different = counted(each, count, lambda faces: len(set(faces)))
    assert distinct_of({count: 1}, sides) == tupled(different)
    for keep in range(count + 1):
        low: Counter[int] = Counter()
        high: Counter[int] = Counter()
        for faces, weight in draws_of(each, count):
            low[sum(sorted(faces)[:keep])] += weight
            high[sum(sorted(faces, reverse=True)[:keep])] += weight
        assert _alike(kept(count, sides, keep, False), low)
        assert _alike(kept(count, sides, keep, True), high)


Moves = dict[int, Move[int, str]]


@st.composite
def chains(draw: st.DrawFn) -> tuple[Moves, dict[int, int]]:
    """Any moves between a few states, and weights with which each is entered."""
    states = draw(st.integers(min_value=1, max_value=6))
    after = st.dictionaries(st.integers(0, states - 1), weights, max_size=3)
    out = st.dictionaries(st.sampled_from("abc"), weights, max_size=2)
    moves = {state: draw(st.tuples(after, out).filter(any)) for state in range(states)}
    return moves, {state: draw(weights) for state in range(states)}


def are_left(moves: Moves) -> bool:
    """Whether every state leads to an exit."""
    ending = {state for state, (_, out) in moves.items() if out}
    for _ in moves:
        ending |= {state for state, (after, _) in moves.items() if after.keys() & ending}
    return len(ending) == len(moves)


@given(chains())
def test_chains_stand_in_balance(drawn):
    """To end after one move more, from where that move leads, is the same end, one move sooner."""
    moves, start = drawn
    if not are_left(moves):
        with pytest.raises(ValueError, match="leads to no exit"):
            solved(moves, start)
        return
    exits, length = solved(moves, start)
    assert sum(exits.values()) == sum(start.values())
    common = lcm(*(sum(after.values()) + sum(out.values()) for after, out in moves.values()))
    stay: Counter[int] = Counter()
    ends: Counter[str] = Counter()
    for state, weight in start.items():
        after, out = moves[state]
        share = weight * common // (sum(after.values()) + sum(out.values()))
        for further, each in after.items():
            stay[further] += share * each
        for name, each in out.items():
            ends[name] += share * each
    later, rest = solved(moves, stay)
    assert {name: later.get(name, 0) + ends[name] for name in {*later, *ends}} == {
        name: chance * common for name, chance in exits.items()
    }
    assert length == Fraction(rest, common) + sum(start.values())
