"""Bytes of a content file -> text that is safe to read, to print and to show in a terminal.

Refused are files too large, bytes that are not UTF-8, and characters that a reader cannot see: an
author never means them, and they make a page or a report lie.
"""

from __future__ import annotations

import html
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from rulebook.limits import LARGEST_FILE, MOST_FAULTS, beyond, mebibytes
from rulebook.plain_files import read_plain, reason_of
from rulebook.printable_characters import full_name, unprintable
from rulebook.problems import Problem, Span

#: How many kinds of characters are reported of a file.
_MOST_KINDS = 12
#: How many parsed files of each kind stay in memory.
KEPT_FILES = 64

#: What a text may not hold: control characters but tab and line ends, other line separators,
#: characters without width, direction marks, byte-order marks, noncharacters, and the private-use
#: area, which rulebook uses itself.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e007f]"
)
#: `&#8212;`, `&#x2014;` or `&mdash;`, which Markdown turns into the character.
_CHARACTER_REFERENCE = re.compile(r"&(?:#([0-9]+)|#[xX]([0-9a-fA-F]+)|[A-Za-z][A-Za-z0-9]*);")
_HTML = re.compile(r"<(?=[A-Za-z/!?])[^<>\s]{0,30}>?")
_NAMES = {
    "\x00": "a NUL byte",
    "\u2028": "a line separator",
    "\u2029": "a paragraph separator",
    "\ufeff": "a byte-order mark",
}


class Unreadable(Exception):
    """The file has no text to go on with; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def read_text(file: Path, shown: str, *, within: Path | None = None) -> str:
    """The text of a file, line ends kept, a leading byte-order mark dropped.

    `shown` is the path as reports call it; a link is followed if it leads to a place `within` a
    folder. Raises Unreadable.
    """
    try:
        data = read_plain(file, LARGEST_FILE, within=within)
    except OSError as fault:
        raise Unreadable(unread(shown, reason_of(fault))) from None
    if len(data) > LARGEST_FILE:
        hint = "cut it into several files, by topic"
        raise Unreadable(beyond(mebibytes(LARGEST_FILE), "in a file", Span(shown), hint))
    return decode(data, shown)


def unread(shown: str, reason: str) -> Problem:
    """The fault of a file or folder that cannot be opened."""
    hint = "check that it is there, no pipe or device, and that you may read it"
    return Problem("R101", f"cannot be read: {reason}", Span(shown), hint=hint)


def decode(data: bytes, shown: str) -> str:
    """The text of a file without a byte-order mark; raises Unreadable."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = place(before, len(before))
        wide = b"\x00" in data[:4] or data[:2] in (b"\xff\xfe", b"\xfe\xff")
        here = Span(shown, line, column, line, column + 1)
        message = f"the byte {data[error.start]:#04x} is not UTF-8 text"
        coding = "UTF-16" if wide else "Latin-1"
        hint = f"save it again as UTF-8, a spreadsheet as 'CSV UTF-8' (it looks like {coding})"
        problem = Problem("R103", message, here, "a file saved as UTF-8", hint)
        raise Unreadable(problem) from None


def place(text: str, index: int) -> tuple[int, int]:
    """Line and column, from 1, of a character of a text."""
    lines = (text[:index] + "|").splitlines()
    return len(lines), len(lines[-1])


def forbidden_characters(text: str, shown: str) -> list[Problem]:
    """A fault for the first forbidden character of each of a few kinds: a binary file is no
    flood.
    """
    first: dict[str, int] = {}
    for match in _FORBIDDEN.finditer(text):
        first.setdefault(match[0], match.start())
        if len(first) == _MOST_KINDS:
            break
    problems = []
    for character, index in first.items():
        line, column = place(text, index)
        here = Span(shown, line, column, line, column + 1)
        problems.append(_forbidden(character_name(character), here))
    return problems


def forbidden_in_scalar(text: str, span: Span) -> Problem | None:
    """The same for a text that a YAML escape such as "\\u202e" may have brought in."""
    match = _FORBIDDEN.search(text)
    return _forbidden(character_name(match[0]), span) if match else None


def character_references(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Where Markdown names a character instead of holding it, and the text that it becomes.

    A number that no character has becomes a control character, so that it is refused.
    """
    for match in _CHARACTER_REFERENCE.finditer(text):
        digits, base = (match[1], 10) if match[1] else (match[2], 16)
        if digits is None:
            yield match, html.unescape(match[0])
            continue
        number = int(digits, base) if len(digits.lstrip("0")) <= 7 else 0
        yield match, chr(number) if number <= sys.maxunicode else "\x00"


def bad_references(text: str, place: Callable[[int, int], Span]) -> Iterator[Problem]:
    """A fault for each character reference of a Markdown text that no reader could see printed."""

    def faults() -> Iterator[Problem]:
        for match, meant in character_references(text):
            if found := _FORBIDDEN.search(meant):
                what = f"'{match[0][:20]}' for {character_name(found[0])}"
                yield _forbidden(what, place(match.start(), match.end()))
            elif any(unprintable(meant)):
                yield _unprintable(meant, place(match.start(), match.end()))

    return islice(faults(), MOST_FAULTS)


def unprintable_characters(text: str, place: Callable[[int, int], Span]) -> Iterator[Problem]:
    """A fault for each run of characters of a text that neither typeface has."""
    if not text.isascii():
        for match in islice(unprintable(text), MOST_FAULTS):
            yield _unprintable(match[0], place(match.start(), match.end()))


def _unprintable(run: str, span: Span) -> Problem:
    more = f", nor the {len(run) - 1} after it" if len(run) > 1 else ""
    return Problem(
        "R416",
        f"no typeface has the character {full_name(run[0])}{more}",
        span,
        expected="Latin letters with their accents, figures, fractions, punctuation and arrows",
        hint="write it another way",
    )


def _forbidden(what: str, span: Span) -> Problem:
    return Problem(
        "R104",
        f"{what} stands here",
        span,
        expected="characters that can be seen, spaces and line ends",
        hint="delete it and type the text around it again",
    )


def character_name(character: str) -> str:
    """How a report names a character that cannot be shown."""
    code = f"U+{ord(character):04X}"
    if character in _NAMES:
        return f"{_NAMES[character]} ({code})"
    if "\ue000" <= character <= "\uf8ff":
        return f"a private-use character ({code})"
    if "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069":
        return f"a text-direction character ({code})"
    if unicodedata.category(character) == "Cf":
        return f"a character that cannot be seen ({code})"
    kind = "control character" if unicodedata.category(character) == "Cc" else "noncharacter"
    return f"a {kind} ({code})"


def html_in(text: str) -> re.Match[str] | None:
    """The first thing in a text that a browser would take for a tag."""
    return _HTML.search(text)


def html_problem(found: str, span: Span) -> Problem:
    hint = "delete the tag, or write [words](https://...); for 'less than' put a space after <"
    return Problem("R113", f"HTML stands here: {found}", span, "plain text or Markdown", hint)
