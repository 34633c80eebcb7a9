"""Outcomes of a result: as authors write them (`2`, `5 1/2`, `dispersed`), as players read them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.value_types import (
    FlagKind,
    Kind,
    LengthKind,
    MixedKind,
    More,
    NumberKind,
    WordKind,
)
from rulebook.quantities import read_length
from rulebook.suggestions import some_words
from rulebook.translation import gettext

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
    return str(value).lower() if isinstance(value, bool) else str(value)


def outcomes_of(kind: Kind, known: Iterable[Any] = ()) -> str:
    """What outcomes there may be, for a report; `known` are some that there are."""
    if isinstance(kind, FlagKind):
        return "true or false"
    words = [written_outcome(value) for value in known]
    return some_words(words) or str(kind)


def outcome_text(value: Any, kind: Kind) -> str:
    """A value of any kind as a player reads it."""
    if isinstance(value, tuple | frozenset):
        return ", ".join(outcome_text(one, kind) for one in sorted(value)) or gettext("none")
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, More):
        return gettext("more than %(number)s", number=value.listed)
    if isinstance(value, str):
        return value_types.titles_of(kind).get(value) or value.replace("_", " ")
    if isinstance(kind, LengthKind):
        return str(quantities.Length(Fraction(value), kind.unit))
    return value_types.value_text(value)


def in_order(kind: Kind, values: Mapping[Any, object]) -> list[Any]:
    """Numbers rising, then words in the order of their choices, then what is more."""
    if isinstance(kind, FlagKind):
        return [value for value in (True, False) if value in values]
    keys = kind.keys if isinstance(kind, WordKind) else ()
    return sorted(values, key=lambda value: rank_of(value, keys))


def rank_of(value: Any, keys: Sequence[str] = ()) -> tuple[int, Any, str]:
    """Sorts outcomes: numbers, words in the order of some keys, and what is more."""
    if isinstance(value, More):
        return (2, 0, "")
    if isinstance(value, str):
        return (1, keys.index(value) if value in keys else 0, value)
    return (0, value, "")


def _spelt_out(text: str) -> str:
    """Fractions that are single characters as figures: 5½ as 5 1/2."""
    letters = (
        f" {unicodedata.normalize('NFKC', letter)}"
        if unicodedata.category(letter) == "No"
        else letter
        for letter in text
    )
    return "".join(letters).replace("\N{FRACTION SLASH}", "/").strip()
