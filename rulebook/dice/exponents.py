"""Tuples of numbers -> exponents of a polynomial whose products add them, and back.

A fraction is counted in parts of the common denominator, a number from the lowest one in the
largest step that reaches all, and the numbers of a tuple stand one beside another like the
digits of one number (mixed radix), each with room for the sum of all draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm, prod

Number = int | Fraction
Value = tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class _Radix:
    """One number of each tuple: `lowest` and `step` in parts, of which `parts` make 1."""

    lowest: int
    step: int
    parts: int
    stride: int
    fields: int

    def place(self, number: Number) -> int:
        return (int(number * self.parts) - self.lowest) // self.step * self.stride

    def numbers(self, places: Iterable[int], draws: int) -> dict[int, Number]:
        """The number of each field that some places have on this axis."""
        indices = {place // self.stride % self.fields for place in places}
        sums = {index: draws * self.lowest + index * self.step for index in indices}
        if self.parts == 1:
            return dict(sums)
        return {index: Fraction(parts, self.parts) for index, parts in sums.items()}


@dataclass(frozen=True, slots=True)
class Places:
    """Where the values of one draw stand, and what the places of the sum of `draws` mean."""

    axes: tuple[_Radix, ...]
    draws: int

    @property
    def fields(self) -> int:
        return prod(axis.fields for axis in self.axes)

    def place(self, value: Value) -> int:
        """The exponent of one draw."""
        return sum(axis.place(part) for axis, part in zip(self.axes, value, strict=True))

    def values(self, sums: Mapping[int, int]) -> dict[Value, int]:
        """Weights by exponent -> weights by the value of the sum."""
        columns = [(axis.stride, axis.fields, axis.numbers(sums, self.draws)) for axis in self.axes]
        return {
            tuple([numbers[at // stride % fields] for stride, fields, numbers in columns]): weight
            for at, weight in sums.items()
        }


def places_of(values: Iterable[Value], draws: int) -> Places:
    """Places for the sum of `draws` of these values, which are of one width."""
    axes: list[_Radix] = []
    stride = 1
    for column in zip(*values, strict=True):
        axis = _axis(column, draws, stride)
        axes.append(axis)
        stride *= axis.fields
    return Places(tuple(axes), draws)


def _axis(numbers: Sequence[Number], draws: int, stride: int) -> _Radix:
    parts = lcm(*(number.denominator for number in numbers))
    counted = [int(number * parts) for number in numbers]
    lowest = min(counted)
    step = gcd(*(number - lowest for number in counted)) or 1
    return _Radix(lowest, step, parts, stride, (max(counted) - lowest) // step * draws + 1)
