"""The words of all faults: `faults.txt` beside this module -> what one fault says.

There stand, for each code, what it means and the texts told under it, to be read and reworded
together. A text is named by its code and a few words, "R439 cards", and holds placeholders as
`str.format` knows them; tests/architecture/test_faults.py compares them with the places in the
code that tell of the fault.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Literal, NamedTuple

Severity = Literal["error", "warning"]

_HEAD = re.compile(r"(R\d{3})( [^:]+)?: (.*)")
_LINE = re.compile(r"  (expected|hint|also|severity): (.*)")


class Words(NamedTuple):
    """What one fault says; `also` is said of a second place."""

    code: str
    message: str
    expected: str = ""
    hint: str = ""
    also: str = ""
    severity: Severity = "error"


class Wording(NamedTuple):
    """A text of the catalogue; of several lines for one part the first that can be told is told.

    One in which nothing is put where something should be cannot.
    """

    message: str
    expected: tuple[str, ...] = ()
    hint: tuple[str, ...] = ()
    also: str = ""
    severity: Severity = "error"


class Catalogue(NamedTuple):
    """Code -> what it means; code and name of a text -> its words."""

    meanings: Mapping[str, str]
    wordings: Mapping[str, Wording]


@cache
def catalogue() -> Catalogue:
    """The catalogue, read when the first fault is told."""
    meanings: dict[str, str] = {}
    wordings: dict[str, Wording] = {}
    key = ""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        if head := _HEAD.fullmatch(line):
            code, name, words = head.groups()
            key = code + (name or "")
            if name:
                wordings[key] = Wording(words)
            else:
                meanings[code] = words
        elif part := _LINE.fullmatch(line):
            wordings[key] = _with(wordings[key], *part.groups())
        elif line and not line.startswith("#"):
            raise ValueError(f"faults.txt, line {number}: {line}")
    return Catalogue(meanings, wordings)


def _with(wording: Wording, part: str, words: str) -> Wording:
    match part:
        case "expected":
            return wording._replace(expected=(*wording.expected, words))
        case "hint":
            return wording._replace(hint=(*wording.hint, words))
        case "also":
            return wording._replace(also=words)
    return wording._replace(severity="warning" if words == "warning" else "error")


def _filled(line: str, values: Mapping[str, object]) -> str:
    """A line with the values in it, or nothing where one of them is nothing."""
    told = ""
    for words, name, how, _ in Formatter().parse(line):
        value = "" if name is None else format(values[name], how or "")
        if name is not None and not value:
            return ""
        told += words + value
    return told


def words_of(key: str, values: Mapping[str, object]) -> Words:
    """The words of a fault with the values in them; braces in a value stay as they are."""
    wording = catalogue().wordings[key]

    def first(lines: tuple[str, ...]) -> str:
        return next(filter(None, (_filled(line, values) for line in lines)), "")

    return Words(
        key[:4],
        wording.message.format_map(values),
        first(wording.expected),
        first(wording.hint),
        wording.also.format_map(values),
        wording.severity,
    )
