"""Whole weights in, exact chances out."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from fractions import Fraction

import pytest

from rulebook.dice.distribution import Distribution, certain

D6 = Distribution(dict.fromkeys(range(1, 7), 1))


@pytest.mark.parametrize(
    "weights", [{}, {1: 0}, {1: 2, 2: -1}, {1: 0.5, 2: 0.5}, {1: Fraction(1, 2)}]
)
def test_weights_that_are_none(weights: Mapping[int, int]) -> None:
    with pytest.raises(ValueError, match="distribution"):
        Distribution(weights)


def test_chances() -> None:
    assert D6.total == 6
    assert D6.probability(4) == Fraction(1, 6)
    assert D6.probability(7) == 0
    assert D6.chance(lambda score: score >= 5) == Fraction(2, 6)
    assert D6.chance(lambda score: score > 6) == 0


def test_means() -> None:
    assert D6.mean() == Fraction(1 + 2 + 3 + 4 + 5 + 6, 6)
    assert Distribution({True: 1, False: 3}).mean() == Fraction(1, 4)
    halves: Distribution[Fraction | int] = Distribution({Fraction(1, 2): 1, 3: 2})
    assert halves.mean() == Fraction(1, 3) * Fraction(1, 2) + Fraction(2, 3) * 3


@pytest.mark.parametrize("outcome", ["fires", (1, 2), 1.5, None])
def test_what_is_no_number_has_no_mean(outcome: object) -> None:
    with pytest.raises(TypeError, match="has no mean"):
        Distribution({1: 1, outcome: 1}).mean()


@pytest.mark.parametrize(
    ("weights", "median"),
    [
        ({1: 1, 2: 1}, 1),
        ({2: 2, 1: 1}, 2),
        ({3: 1, 1: 1, 2: 1}, 2),
        ({0: 1, 10: 1, 20: 2}, 10),
        ({"b": 3, "a": 1}, "b"),
    ],
)
def test_medians(weights: Mapping[object, int], median: object) -> None:
    assert Distribution(weights).median() == median


def test_outcomes_without_order_have_no_median() -> None:
    with pytest.raises(TypeError):
        Distribution({"a": 1, 1: 1}).median()


def test_map_merges() -> None:
    pips = D6.map(lambda score: max(0, score - 2))
    assert dict(pips.weights) == {0: 2, 1: 1, 2: 1, 3: 1, 4: 1}
    assert D6.map(lambda score: score * Fraction(3, 2)).mean() == Fraction(7, 2) * Fraction(3, 2)


def test_equal_chances_are_equal() -> None:
    one, two = Distribution({"a": 1, "b": 2}), Distribution({"b": 6, "a": 3})
    assert one == two
    assert hash(one) == hash(two)
    assert dict(two.reduced().weights) == {"a": 1, "b": 2}
    assert one.reduced() is one
    assert one != Distribution({"a": 2, "b": 1})
    assert one != Distribution({"a": 2, "b": 2, "c": 2})
    assert Distribution({"a": 1}) != Distribution({"b": 2})
    assert one != {"a": 1, "b": 2}


def test_items_are_in_order_where_there_is_one() -> None:
    assert Distribution({3: 1, -1: 2, 2: 1}).items() == [(-1, 2), (2, 1), (3, 1)]
    assert Distribution({"more": 1, 2: 1, 1: 1}).items() == [("more", 1), (2, 1), (1, 1)]


def test_nothing_changes_a_distribution() -> None:
    weights = {1: 1}
    fixed = Distribution(weights)
    weights[1] = 5
    assert fixed.weights[1] == fixed.total == 1
    with pytest.raises(TypeError):
        fixed.weights[1] = 5  # type: ignore[index]
    with pytest.raises(AttributeError):
        fixed.total = 5  # type: ignore[misc]


def test_distributions_go_to_other_processes() -> None:
    sent = pickle.loads(pickle.dumps(D6))
    assert sent == D6
    assert sent.total == 6


def test_certain() -> None:
    assert certain("draw").probability("draw") == 1
