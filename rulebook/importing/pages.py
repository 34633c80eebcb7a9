"""The form between any file and a sheet: headings, sentences and tables, in the order of the file.

Every reader makes a Page, and a Page is written as Markdown. A Page also has the doubts: what was
decided where the file is not clear, and what of it was left out, each with its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rulebook.loading.safe_text import FORBIDDEN

#: How many places of a doubt are shown, and how many of the texts there.
_MOST_SHOWN = 6


@dataclass(slots=True)
class Doubt:
    """What was decided or left out, at a place; or of which texts, at the places of a column."""

    words: str
    places: dict[str, None] = field(default_factory=dict)
    texts: dict[str, None] = field(default_factory=dict)

    def __str__(self) -> str:
        first, *others = self.places
        others = [re.split("[!:]", place)[-1] for place in others]
        shown = ", ".join([first, *others[: _MOST_SHOWN - 1]])
        if len(others) >= _MOST_SHOWN:
            shown += f" and {len(others) - _MOST_SHOWN + 1} more down to {others[-1]}"
        most = _MOST_SHOWN if others else len(self.texts)
        texts = ", ".join(list(self.texts)[:most]) + ", …" * (len(self.texts) > most)
        return f"{shown}: {texts}{' ' if texts else ''}{self.words}"


class Heading(NamedTuple):
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Sentences:
    """Lines of Markdown: items of a list, and paragraphs."""

    lines: tuple[str, ...]


class Value(NamedTuple):
    """The text of a cell, empty where nothing applies, and its place."""

    text: str
    place: str


@dataclass(frozen=True, slots=True)
class PageTable:
    """Rows of values, as many in each as there are columns; the head may be empty texts."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    @property
    def has_head(self) -> bool:
        return any(self.head)


Part = Heading | Sentences | PageTable


@dataclass(slots=True)
class Page:
    """What a file holds; `source` is its path in reports."""

    source: str
    title: str = ""
    parts: list[Part] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    _columns: dict[tuple[str, str], Doubt] = field(default_factory=dict)

    def doubt(self, place: str, words: str, text: str = "") -> None:
        """Adds a doubt; those of texts in one column that are alike are one."""
        doubt = Doubt(" ".join(words.split()))
        if text:
            doubt = self._columns.setdefault((place.rstrip("0123456789"), doubt.words), doubt)
            doubt.texts[" ".join(text.split())] = None
        if not doubt.places:
            self.doubts.append(doubt)
        doubt.places[place] = None

    def say(self, *lines: str) -> None:
        """Adds lines of Markdown to the sentences at the end."""
        last = self.parts[-1] if self.parts else None
        if isinstance(last, Sentences):
            self.parts[-1] = Sentences((*last.lines, *lines))
        elif "".join(lines).strip():
            self.parts.append(Sentences(lines))

    def give_title(self, at: int, title: str, level: int) -> None:
        """Gives a title to the table that is the part at an index, or puts a heading there."""
        table = self.parts[at] if len(self.parts) > at else None
        if title and isinstance(table, PageTable) and not table.title:
            self.parts[at] = replace(table, title=title)
        elif title:
            self.parts.insert(at, Heading(level, title))

    def keep_headings(self) -> None:
        """Makes sentences of headings with nothing below them, which no sheet would show."""
        for at, (part, below) in enumerate(zip(self.parts, [*self.parts[1:], None], strict=True)):
            if isinstance(part, Heading) and (
                below is None or (isinstance(below, Heading) and below.level <= part.level)
            ):
                self.parts[at] = Sentences(items([part.text]))

    def shift(self) -> None:
        """Makes the title of the page of its first heading, if all others are below that."""
        headings = [part for part in self.parts if isinstance(part, Heading)]
        first, *others = headings or [Heading(0, "")]
        if others and all(first.level < other.level for other in others):
            self.title = first.text
            self.parts.remove(first)


#: What begins an item of a list as it is typed in a cell.
_BULLET = re.compile(r"(?:[•·▪◦‣●○■□►➢–—-]|o(?=\t))\s+(?=\S)")
_NUMBERED = re.compile(r"([0-9]{1,3})[.)]\s+(?=\S)")
#: What Markdown would read as a mark, within a line.
_MARK = re.compile(r"[\\`*{|]|_(?!\w)|(?<!\w)_|\[(?=[^]]*\]\()|<(?=[A-Za-z/!?])")


def plain(text: str) -> str:
    """Returns a text on lines of its own, without what no reader sees."""
    text = FORBIDDEN.sub("", text.replace("\xa0", " ").replace("\x0b", "\n"))
    return "\n".join(line for line in (" ".join(line.split()) for line in text.split("\n")) if line)


def escaped(text: str) -> str:
    """Returns a text as Markdown that prints as it is."""
    return _MARK.sub(lambda mark: "< " if mark[0] == "<" else "\\" + mark[0], text)


def items(texts: Iterable[str], *, marked: bool = False) -> tuple[str, ...]:
    """Returns texts as items of a list in Markdown; numbers that are typed before them stay.

    Texts that are `marked` are Markdown already.
    """
    lines = []
    for line in (line for text in texts for line in plain(text).split("\n") if line):
        number = _NUMBERED.match(line)
        words = line[number.end() :] if number else without_bullet(line)
        words = words if marked else escaped(words)
        lines.append(f"{number[1]}. {words}" if number else f"- {first_escaped(words)}")
    return tuple(lines)


def numbered(line: str) -> int:
    """Returns the number before the words of an item, 0 if there is none."""
    match = _NUMBERED.match(line)
    return int(match[1]) if match else 0


def without_bullet(line: str) -> str:
    match = _BULLET.match(line)
    return line[match.end() :] if match else line


def paragraphs(texts: Iterable[str]) -> tuple[str, ...]:
    """Returns texts as paragraphs in Markdown, which are notes where they stand below a table.

    Lines with a bullet or a number are items of a list.
    """
    made: list[str] = []
    for line in (line for text in texts for line in plain(text).split("\n")):
        if without_bullet(line) != line or _NUMBERED.match(line):
            made += items([line])
        else:
            made += ["", first_escaped(escaped(line))] if made else [first_escaped(escaped(line))]
    return tuple(made)


def first_escaped(text: str) -> str:
    """Returns a line whose first sign would else begin a heading, a list or a quotation."""
    return re.sub(r"^([#>+-]|[0-9]{1,3}(?=[.)]\s))", r"\\\1", text) if text else text
