"""Values to exponents and back."""

from fractions import Fraction
from itertools import product

import pytest

from rulebook.dice.exponents import places_of


def test_sums_of_places_are_places_of_sums() -> None:
    values = [(-2, Fraction(1, 2)), (4, Fraction(1, 3)), (1, Fraction(-1))]
    places = places_of(values, 3)
    for draws in product(values, repeat=3):
        at = sum(places.place(value) for value in draws)
        (total,) = places.values({at: 1})
        assert total == tuple(sum(column) for column in zip(*draws, strict=True))


def test_steps_leave_no_field_empty() -> None:
    assert places_of([0, 50, 100], 4).fields == 2 * 4 + 1
    assert places_of([Fraction(1, 2), Fraction(3, 2)], 4).fields == 4 + 1
    assert places_of([7], 4).fields == 1
    assert places_of([(0, 10), (1, 30)], 4).fields == 5 * 5


def test_numbers_stay_of_their_kind() -> None:
    (whole,) = places_of([3], 2).values({0: 1})
    (part,) = places_of([Fraction(3)], 2).values({0: 1})
    assert (type(whole), type(part)) == (int, Fraction)
    assert whole == part == 6


@pytest.mark.parametrize("values", [[1, (1,)], [(1,), 1], [(1, 2), (1,)]])
def test_values_that_cannot_be_added(values: list[int | tuple[int, ...]]) -> None:
    with pytest.raises(ValueError, match=r"tuples|shorter"):
        places_of(values, 2)
