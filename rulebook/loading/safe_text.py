"""Bytes of a content file -> text that is safe to read, to print and to show in a terminal.

Refused are files too large, bytes that are not UTF-8, and characters that a reader cannot see: an
author never means them, and they make a page or a report lie.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from rulebook.limits import LARGEST_FILE, MOST_FAULTS, beyond, mebibytes
from rulebook.plain_files import read_plain, reason_of
from rulebook.problems import Problem, Span
from rulebook.typefaces import full_name, hidden_character, unprintable

#: How many kinds of characters are reported of a file.
_MOST_KINDS = 12
#: How many parsed files of each kind stay in memory.
KEPT_FILES = 64

#: What a text may not hold: control characters but tab and line ends, other line separators,
#: characters without width, direction marks, byte-order marks, noncharacters, and the private-use
#: area, which rulebook uses itself.
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e007f]"
)
#: `&#8212;`, `&#x2014;` or `&mdash;`, which Markdown turns into the character.
_CHARACTER_REFERENCE = re.compile(r"&(?:#([0-9]+)|#[xX]([0-9a-fA-F]+)|[A-Za-z][A-Za-z0-9]*);")
#: Hyphens of word processors, which no typeface has.
_HYPHENS = str.maketrans("\u2010\u2011", "--")
#: What git writes where two people have changed the same lines.
_CONFLICT = re.compile(
    r"^(<{7}(?: [^\n]*)?)$(?=.*?^={7}\r?$.*?^>{7}(?: |\r?$))", re.MULTILINE | re.DOTALL
)
_EMPHASIS = re.compile(r"<(em|i|strong|b)>([^<>*]{1,60})</\1>")
_HTML = re.compile(r"<(?=[A-Za-z/!?])[^<>\s]{0,30}>?")


class Unreadable(Exception):
    """Raised if nothing of a file can be used; `problems` say why."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(problems[0].message)
        self.problems = problems


def read_text(file: Path, shown: str, *, within: Path | None = None) -> str:
    """Reads a text file, keeping its line ends and dropping a byte-order mark.

    `shown` is its path in reports; a symbolic link is followed only if it leads to a place in the
    folder `within`. Raises Unreadable, also if the text has forbidden characters.
    """
    text = decode(read_bytes(file, shown, within=within), shown)
    if problems := forbidden_characters(text, shown):
        raise Unreadable(*problems)
    return text


def read_bytes(file: Path, shown: str, *, within: Path | None = None) -> bytes:
    """Reads the bytes of a file, with the parameters of `read_text`. Raises Unreadable."""
    try:
        data = read_plain(file, LARGEST_FILE, within=within)
    except OSError as fault:
        raise Unreadable(unread(shown, reason_of(fault))) from None
    if len(data) > LARGEST_FILE:
        hint = "cut it into several files, by topic"
        raise Unreadable(beyond(mebibytes(LARGEST_FILE), "in a file", Span(shown), hint))
    return data


def unread(shown: str, reason: str) -> Problem:
    """Makes the fault of a file or folder that cannot be opened; `shown` is its path."""
    hint = "check that it is there, no pipe or device, and that you may read it"
    return Problem("R101", f"cannot be read: {reason}", Span(shown), hint=hint)


def decode(data: bytes, shown: str) -> str:
    """Decodes the text of a file without its byte-order mark; raises Unreadable if not UTF-8."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode("utf-8").translate(_HYPHENS)
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
    if conflict := _CONFLICT.search(text):
        line, _ = place(text, conflict.start())
        here = Span(shown, line, 1, line, len(conflict[1]) + 1)
        message = "two versions of these lines stand here: git could not join them"
        hint = "keep one, and delete the lines <<<<<<<, ======= and >>>>>>>"
        raise Unreadable(Problem("R106", message, here, hint=hint))
    return text


def place(text: str, index: int) -> tuple[int, int]:
    """Returns the line and the column, from 1, of the character at an index of a text."""
    lines = (text[:index] + "|").splitlines()
    return len(lines), len(lines[-1])


def forbidden_characters(text: str, shown: str) -> list[Problem]:
    """Makes a fault for the first occurrence of each kind of forbidden character, up to a dozen."""
    first: dict[str, int] = {}
    for match in FORBIDDEN.finditer(text):
        first.setdefault(match[0], match.start())
        if len(first) == _MOST_KINDS:
            break
    problems = []
    for character, index in first.items():
        line, column = place(text, index)
        here = Span(shown, line, column, line, column + 1)
        problems.append(_forbidden(hidden_character(character), here))
    return problems


def faults_of_scalar(text: str, span: Span, place: Callable[[int, int], Span]) -> Iterator[Problem]:
    """Yields faults of a text from YAML, spreadsheets or releases: HTML and forbidden characters.

    Characters that no typeface has are faults too. `span` is the place of the text, and `place`
    gives that of a part of it.
    """
    if found := html_in(text):
        yield html_problem(found, place(*found.span()))
    if hidden := FORBIDDEN.search(text):  # an escape such as "\\u202e" may have brought it in
        yield _forbidden(hidden_character(hidden[0]), span)
    else:
        yield from unprintable_characters(text, place)


def character_references(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yields the character references of a Markdown text, each with the text that it stands for.

    A number that no character has yields a control character, so that it is refused.
    """
    for match in _CHARACTER_REFERENCE.finditer(text):
        digits, base = (match[1], 10) if match[1] else (match[2], 16)
        if digits is None:
            yield match, html.unescape(match[0])
            continue
        number = int(digits, base) if len(digits.lstrip("0")) <= 7 else 0
        yield match, chr(number) if number <= sys.maxunicode else "\x00"


def bad_references(text: str, place: Callable[[int, int], Span]) -> Iterator[Problem]:
    """Yields a fault for each character reference in Markdown whose character cannot be printed.

    It is forbidden, or no typeface has it. `place` gives the place of a part of the text.
    """

    def faults() -> Iterator[Problem]:
        for match, meant in character_references(text):
            if found := FORBIDDEN.search(meant):
                what = f"'{match[0][:20]}' for {hidden_character(found[0])}"
                yield _forbidden(what, place(match.start(), match.end()))
            elif any(unprintable(meant)):
                yield _unprintable(meant, place(match.start(), match.end()))

    return islice(faults(), MOST_FAULTS)


def unprintable_characters(text: str, place: Callable[[int, int], Span]) -> Iterator[Problem]:
    """Yields a fault for each run of characters that no typeface has.

    `place` gives the place of a part of the text.
    """
    if not text.isascii():
        for match in islice(unprintable(text), MOST_FAULTS):
            yield _unprintable(match[0], place(match.start(), match.end()))


def _unprintable(run: str, span: Span) -> Problem:
    more = f", nor the {len(run) - 1} after it" if len(run) > 1 else ""
    message = f"no typeface has the character {full_name(run[0])}{more}"
    expected = "Latin letters with their accents, figures, fractions, punctuation and arrows"
    return Problem("R416", message, span, expected, "write it another way")


def _forbidden(what: str, span: Span) -> Problem:
    expected = "characters that can be seen, spaces and line ends"
    hint = "delete it and type the text around it again"
    return Problem("R104", f"{what} stands here", span, expected, hint)


def html_in(text: str) -> re.Match[str] | None:
    """Matches the first thing in a text that a browser would take for a tag, or returns None."""
    return _HTML.search(text)


def html_problem(match: re.Match[str], span: Span) -> Problem:
    """Makes the fault of the tag that `html_in` has found."""
    found = match[0]
    hint = "delete the tag, or write [words](https://...); for 'less than' put a space after <"
    if words := _EMPHASIS.match(match.string, match.start()):
        mark = "*" if words[1] in ("em", "i") else "**"
        hint = f"write {mark}{words[2]}{mark}"
    return Problem("R113", f"HTML stands here: {found}", span, "plain text or Markdown", hint)
