"""Outcomes of a result as authors write them, and back: `2`, `5 1/2`, `dispersed`, `12in`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.value_types import FlagKind, Kind, LengthKind, MixedKind, NumberKind, WordKind
from rulebook.quantities import read_length
from rulebook.suggestions import some_words

_FLAGS = {"true": True, "yes": True, "false": False, "no": False}


def parse_outcome(kind: Kind, text: str) -> Any:
    """A text as an outcome of a result of this kind; None if it can be none."""
    text = text.strip()
    if isinstance(kind, FlagKind):
        return _FLAGS.get(text.lower())
    if isinstance(kind, NumberKind):
        return _number(text)
    if isinstance(kind, WordKind):
        word = text if text in kind.keys else text.replace("-", "_")
        return word if word in kind.keys else None
    if isinstance(kind, LengthKind):
        length = read_length(text)
        return value_types.in_unit(length, kind.unit) if length else None
    number = _number(text) if isinstance(kind, MixedKind) else None
    return text if number is None else number


def _number(text: str) -> int | Fraction | None:
    negative = text.startswith(("-", quantities.MINUS))
    number = quantities.parse_number(_spelt_out(text[1:] if negative else text))
    if number is None:
        return None
    return value_types.whole(-number if negative else number)


def written_outcome(value: Any) -> str:
    """An outcome as it is typed."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    return str(value)


def outcomes_of(kind: Kind, known: Iterable[Any] = ()) -> str:
    """What outcomes there may be, for a report; `known` are some that there are."""
    if isinstance(kind, FlagKind):
        return "true or false"
    words = [written_outcome(value) for value in known]
    return some_words(words) or str(kind)


def _spelt_out(text: str) -> str:
    """Fractions that are single characters as figures: 5½ as 5 1/2."""
    letters = (
        f" {unicodedata.normalize('NFKC', letter)}"
        if unicodedata.category(letter) == "No"
        else letter
        for letter in text
    )
    return "".join(letters).replace("\N{FRACTION SLASH}", "/").strip()
