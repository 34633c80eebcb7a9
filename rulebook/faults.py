"""The words of all faults: `faults.txt` beside this module -> what one fault says.

There stand, for each code, what it means and the texts told under it, to be read and reworded
together. A text is named by its code and a few words, "R439 cards", and holds placeholders as
`str.format` knows them; tests/architecture/test_faults.py compares them with the places in the
code that tell of the fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Literal, NamedTuple, Self

LENGTH_OF_CODE = 4
Severity = Literal["error", "warning"]


class Words(NamedTuple):
    """What one fault says; `also` is said of a second place."""

    code: str
    message: str
    expected: str = ""
    hint: str = ""
    also: str = ""
    severity: Severity = "error"


@dataclass(frozen=True, slots=True)
class Wording:
    """A text of the catalogue; of several lines for one part the first that can be told is told.

    One in which nothing is put where something should be cannot.
    """

    message: str
    expected: list[str] = field(default_factory=list)
    hint: list[str] = field(default_factory=list)
    also: list[str] = field(default_factory=list)
    severity: list[Severity] = field(default_factory=list)


class Catalogue(NamedTuple):
    """Code -> what it means; code and name of a text -> its words."""

    meanings: Mapping[str, str]
    wordings: Mapping[str, Wording]


@cache
def catalogue() -> Catalogue:
    """The catalogue, read when the first fault is told."""
    meanings: dict[str, str] = {}
    wordings: dict[str, Wording] = {}
    wording = Wording("")
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        name, _, words = line.partition(": ")
        if line.startswith("  "):
            getattr(wording, name.lstrip()).append(words)
        elif len(name) == LENGTH_OF_CODE:
            meanings[name] = words
        elif line and not line.startswith("#"):
            wording = wordings[name] = Wording(words)
    return Catalogue(meanings, wordings)


def _filled(line: str, values: Mapping[str, object]) -> str:
    """A line with the values in it, or nothing where one of them is nothing."""
    if "{" not in line and "}" not in line:
        return line
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

    def first(lines: list[str]) -> str:
        return next(filter(None, (_filled(line, values) for line in lines)), "")

    return Words(
        key[:LENGTH_OF_CODE],
        wording.message.format_map(values),
        first(wording.expected),
        first(wording.hint),
        "".join(wording.also).format_map(values),
        wording.severity[0] if wording.severity else "error",
    )


class Fault(Exception):
    """A fault that is told before it is known where in a file it stands.

    `code` is its code, `message` what is wrong, `expected` what would do, `hint` what to write. A
    kind of fault that knows more takes it behind these four.
    """

    def __init__(self, code: str, message: str, expected: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.expected, self.hint = code, message, expected, hint

    @classmethod
    def of(cls, key: str, /, *more: Any, **values: object) -> Self:
        """A fault in the words of `faults.txt`; `more` is what its kind knows besides."""
        words = words_of(key, values)
        return cls(words.code, words.message, words.expected, words.hint, *more)
