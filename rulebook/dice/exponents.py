"""Numbers, or tuples of them -> exponents of a polynomial whose products add them, and back.

A fraction is counted in parts of the common denominator, a number from the lowest one in the
largest step that reaches all, and the numbers of a tuple stand one beside another like the
digits of one number (mixed radix), each with room for the sum of all draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Generic, TypeVar, cast

Number = int | Fraction
Value = TypeVar("Value", bound=int | Fraction | tuple[int | Fraction, ...])


@dataclass(frozen=True, slots=True)
class _Radix:
    """One number of a tuple: `lowest` and `step` in parts, of which `parts` make 1."""

    lowest: int
    step: int
    parts: int
    fractional: bool
    stride: int
    fields: int

    def place(self, number: Number) -> int:
        return (int(number * self.parts) - self.lowest) // self.step * self.stride

    def number(self, index: int, draws: int) -> Number:
        parts = draws * self.lowest + index * self.step
        return Fraction(parts, self.parts) if self.fractional else parts


@dataclass(frozen=True, slots=True)
class Places(Generic[Value]):
    """Where the values of one draw stand, and what the places of the sum of `draws` mean."""

    axes: tuple[_Radix, ...]
    draws: int
    #: Whether values are tuples; one number alone stands on one axis.
    wide: bool
    fields: int

    def place(self, value: Value) -> int:
        """The exponent of one draw."""
        if isinstance(value, tuple):
            return sum(axis.place(part) for axis, part in zip(self.axes, value, strict=True))
        return self.axes[0].place(value)

    def polynomial(self, each: Mapping[Value, int]) -> dict[int, int]:
        return {self.place(value): weight for value, weight in each.items()}

    def values(self, sums: Mapping[int, int]) -> dict[Value, int]:
        """Weights by exponent -> weights by the value of the sum."""
        if not self.wide:
            (axis,), draws = self.axes, self.draws
            if not axis.fractional:
                start, step = draws * axis.lowest, axis.step
                return {cast(Value, start + at * step): weight for at, weight in sums.items()}
            return {cast(Value, axis.number(at, draws)): weight for at, weight in sums.items()}
        columns = [self._numbers(axis, sums) for axis in self.axes]
        return {
            cast(
                Value,
                tuple([numbers[at // stride % fields] for stride, fields, numbers in columns]),
            ): weight
            for at, weight in sums.items()
        }

    def _numbers(self, axis: _Radix, sums: Iterable[int]) -> tuple[int, int, dict[int, Number]]:
        """How the number on an axis is read from a place: as many places have the same."""
        indices = {at // axis.stride % axis.fields for at in sums}
        return axis.stride, axis.fields, {at: axis.number(at, self.draws) for at in indices}


def places_of(values: Iterable[Value], draws: int) -> Places[Value]:
    """Places for the sum of `draws` of these values; tuples must be of one width (ValueError)."""
    listed = list(values)
    wide = isinstance(listed[0], tuple)
    if any(isinstance(value, tuple) != wide for value in listed):
        raise ValueError("numbers and tuples of numbers cannot be added")
    columns = zip(*listed, strict=True) if wide else [listed]
    axes: list[_Radix] = []
    stride = 1
    for column in cast("Iterable[list[Number]]", columns):
        axis = _axis(column, draws, stride)
        axes.append(axis)
        stride *= axis.fields
    return Places(tuple(axes), draws, wide, stride)


def _axis(numbers: Iterable[Number], draws: int, stride: int) -> _Radix:
    listed = list(numbers)
    fractional = any(isinstance(number, Fraction) for number in listed)
    parts = lcm(*(number.denominator for number in listed))
    counted = [int(number * parts) for number in listed]
    lowest = min(counted)
    step = gcd(*(number - lowest for number in counted)) or 1
    fields = (max(counted) - lowest) // step * draws + 1
    return _Radix(lowest, step, parts, fractional, stride, fields)
