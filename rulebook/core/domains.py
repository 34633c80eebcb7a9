"""Domains: the values that inputs may take, how they are typed and what they are called."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from rulebook import quantities
from rulebook.core import value_types
from rulebook.model.cells import nearest, some_words
from rulebook.model.ruleset import Address
from rulebook.translation import gettext


@dataclass(frozen=True, slots=True)
class Domain:
    """The values that an input may take, in order, with what each is called.

    For conditions the values are single rows; the input is any tuple of them in their order, with
    a row in it as often as it holds, up to its limit (once where it has none).
    """

    name: str
    label: str
    kind: value_types.Kind
    values: tuple[value_types.Value, ...]
    titles: Mapping[value_types.Value, str]
    default: value_types.Value
    address: Address
    limits: Mapping[str, int] = field(default_factory=dict)

    @property
    def several(self) -> bool:
        """Whether the input is any number of the values."""
        return isinstance(self.kind, value_types.Conditions)

    def holds(self, value: object) -> bool:
        if self.several:
            return isinstance(value, tuple) and all(
                one in self.titles and value.count(one) <= self.limits.get(one, 1) for one in value
            )
        return value in self.titles

    def unsaid(self, value: value_types.Value) -> bool:
        """Whether it goes without saying: no conditions hold where none is usual."""
        return value == () == self.default

    @property
    def every(self) -> tuple[str, ...]:
        """All conditions, each as often as it may hold."""
        rows = map(str, self.values)
        return tuple(one for row in rows for one in [row] * self.limits.get(row, 1))

    def parse(self, text: str) -> value_types.Value | None:
        """A text as a value of the input; None if it is none of them."""
        text = text.strip()
        if self.several:
            return self._rows(text)
        if isinstance(self.kind, value_types.Flag):
            return {"true": True, "yes": True, "false": False, "no": False}.get(text.lower())
        if isinstance(self.kind, value_types.Number):
            found = int(text) if re.fullmatch(r"-?[0-9]{1,6}", text) else None
            return found if found in self.titles else None
        if isinstance(self.kind, value_types.Length):
            length = value_types.length_of(text)
            number = value_types.in_unit(length, self.kind.unit) if length else None
            return number if number in self.titles else None
        return self._word(text)

    def _rows(self, text: str) -> tuple[str, ...] | None:
        """`general+lost*3`: rows, each with how often it holds."""
        times: dict[str, int] = {}
        for word in re.split(r"[+,]", text) if text not in ("none", "") else ():
            match = re.fullmatch(r"\s*([^*\s]+)(?:\s*\*\s*([0-9]{1,3}))?\s*", word)
            row = self._word(match[1]) if match else None
            if match is None or row is None:
                return None
            # A row that stands twice holds once, unless it says how often.
            times[row] = int(match[2]) if match[2] else times.get(row, 1)
        found = tuple(one for row in map(str, self.values) for one in [row] * times.get(row, 0))
        return found if self.holds(found) else None

    def _word(self, text: str) -> str | None:
        for value in map(str, self.values):
            if text in (value, value.replace("_", "-")) or text.lower() == value:
                return value
        told = _told_band(text)
        return next((str(one) for one, title in self.titles.items() if title == told), None)

    def told(self, value: value_types.Value) -> str:
        """What a value of the input is called in print."""
        if isinstance(value, tuple):
            return quantities.join_words(
                told_rows(value, self.titles.__getitem__), "and"
            ) or gettext("None")
        return self.titles[value]

    def written(self, value: value_types.Value) -> str:
        """A value of the input as it is typed."""
        if isinstance(value, tuple):
            words = (f"{row}*{n}" if n > 1 else row for row, n in Counter(value).items())
            return "+".join(words) or "none"
        if isinstance(self.kind, value_types.Length) and isinstance(value, int | Fraction):
            return written_length(value, self.kind.unit)
        return ("true" if value else "false") if isinstance(value, bool) else str(value)

    def plain(self, value: value_types.Value) -> object:
        """A value of the input as JSON has it."""
        return plain_of(value, self.kind)

    def choices(self) -> str:
        """What the input may be, for a report."""
        if isinstance(self.kind, value_types.Number | value_types.Length) and self._run():
            told = f"{self.written(self.values[0])} to {self.written(self.values[-1])}"
            step = self._step()
            return told if step == 1 else f"{told}, every {self.written(step)}"
        words = some_words(
            [self.written((str(v),) * self.limits.get(str(v), 1)) for v in self.values]
            if self.several
            else [self.written(value) for value in self.values]
        )
        return f"none, or any of {words}, joined by +" if self.several else words

    def hint(self, text: str) -> str:
        """The value that is meant by a text that is none, as far as it can be told.

        A distance is in a band; a title stands for its key; no count is near to another.
        """
        if isinstance(self.kind, value_types.Number):
            return ""
        if isinstance(self.kind, value_types.Length):
            bare = quantities.parse_number(text)
            return f"write {text}{self.kind.unit}" if bare in self.titles else ""
        for value, title in self.titles.items():
            if text.lower() == title.lower() or _in_band(text, str(value)):
                return f"write '{self.written(value)}'"
        return nearest(text, [self.written(value) for value in self.values])

    def distance(self, text: str) -> int | Fraction | None:
        """A text as what lies between two values of the input."""
        if isinstance(self.kind, value_types.Length):
            length = value_types.length_of(text)
            return value_types.in_unit(length, self.kind.unit) if length else None
        return int(text) if re.fullmatch(r"[0-9]{1,6}", text) else None

    def _step(self) -> int | Fraction:
        """What lies between one number and the next, if it is the same everywhere; else 0."""
        numbers = [value for value in self.values if isinstance(value, int | Fraction)]
        steps = {after - before for before, after in pairwise(numbers)}
        return steps.pop() if len(steps) == 1 else 0

    def _run(self) -> bool:
        step = self._step() if len(self.values) > 2 else 0
        return step == 1 or (isinstance(self.kind, value_types.Length) and step > 0)


def told_rows(rows: Sequence[str], title: Callable[[str], str]) -> list[str]:
    """Conditions in words, each with how often it holds."""
    return [f"{title(row)} ×{n}" if n > 1 else title(row) for row, n in Counter(rows).items()]


def written_length(number: int | Fraction, unit: quantities.LengthUnit) -> str:
    """A length as it is typed: 12in, 7.5in, 22/3in."""
    tenths = Fraction(number) * 10
    if number == int(number):
        return f"{int(number)}{unit}"
    told = f"{int(tenths) // 10}.{int(tenths) % 10}" if tenths.denominator == 1 else str(number)
    return f"{told}{unit}"


def _told_band(text: str) -> str | None:
    """A band as it prints: lengths may have been turned, and keys are as they were written."""
    try:
        return str(quantities.parse_band(text))
    except quantities.QuantityError:
        return None


def _in_band(text: str, key: str) -> bool:
    """Whether a distance as it is measured on the table is within a band of the same unit."""
    try:
        length, band = quantities.parse_length(text), quantities.parse_band(key)
    except quantities.QuantityError:
        return False
    low, high = band.low or 0, band.high
    above = low < length.number or (low == length.number == 0)
    return band.unit == length.unit and above and (high is None or length.number <= high)


def plain(value: value_types.Value) -> object:
    """A value as JSON has it: numbers that are not whole as 'n/d'."""
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, tuple):
        return list(value)
    return sorted(value) if isinstance(value, frozenset) else str(value)


def plain_of(value: value_types.Value, kind: value_types.Kind) -> object:
    """A value of a kind as JSON has it: lengths as they are typed."""
    if isinstance(kind, value_types.Length) and isinstance(value, int | Fraction):
        return written_length(value, kind.unit)
    return plain(value)
