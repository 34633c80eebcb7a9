"""A chapter: Markdown cut into numbered sections, and these into text, bindings and blocks.

`{name.path}` in the text stands for a value, `{rule: id}` for a cross-reference; a paragraph of its
own such as `{table: musketry}` stands for a block, `{chart: volley casualties by range}` for a
chart; a paragraph that begins `{read: Title}` is a designer's note; what stands between two lines
of three backquotes is printed as it is typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rulebook.model.entities import Status
from rulebook.model.scalars import TABLES
from rulebook.problems import Span

#: Kinds of blocks -> the collections whose entities they stand for.
COLLECTIONS_OF = {
    "table": TABLES.collections,
    "cutout": ("cutouts",),
    "figure": ("figures",),
    "example": ("examples",),
    "steps": ("procedures",),
}
BLOCK_KINDS = tuple(COLLECTIONS_OF)
#: Collections -> the kind of block that places their entities.
BLOCK_KIND_OF = {name: kind for kind, names in COLLECTIONS_OF.items() for name in names}


@dataclass(frozen=True, slots=True)
class Binding:
    """A reference in braces, such as `{musketry.title}`, `{10in}` or `{rule: morale}`.

    These are of the kinds `value`, `length` and `rule`. `start` and `end` are the position in the
    text, `span` is the place in the file.
    """

    kind: Literal["value", "length", "rule"]
    target: str
    start: int
    end: int
    span: Span


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of Markdown without headings and blocks, and the bindings in it in order."""

    markdown: str
    bindings: tuple[Binding, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph in place of which a table, cutout, figure or example, or steps, are printed.

    Steps are the sentences of a procedure, whose id is the target.
    """

    kind: Literal["table", "cutout", "figure", "example", "steps"]
    target: str
    span: Span


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a chart's line, with its place."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Setting:
    """An input of a procedure and its value in a chart, which may be a sweep of several values.

    On an axis, no value means all values of the input.
    """

    name: Word
    value: Word | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """A paragraph in place of which a chart of a result of a procedure is printed.

    Without `by` it shows the chances of all outcomes; else the result by one or two inputs, the
    second of which makes the series. `given` are inputs with fixed values; the others have their
    defaults.
    """

    procedure: Word
    result: Word
    by: tuple[Setting, ...]
    given: tuple[Setting, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Code:
    """Lines that print as they are typed; `language` is the word after the backquotes, or ""."""

    text: str
    language: str
    span: Span


@dataclass(frozen=True, slots=True)
class Remark:
    """A note on how the source was read; it prints among the designer's notes."""

    status: Status
    title: str
    text: Text
    span: Span


def fence_around(code: str) -> str:
    """Returns the fence for a block of code, three backquotes or more.

    It is one longer than the longest run of three or more with which a line of the code begins.
    """
    longest = max((len(found[0]) for found in re.finditer("^`{3,}", code, re.M)), default=2)
    return "`" * (longest + 1)


Part = Text | Block | Chart | Remark | Code


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the text up to the next one; level 1 is the heading of the chapter."""

    level: int
    id: str
    title: str
    parts: tuple[Part, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Chapter:
    """A Markdown file; its first section has level 1 and names the chapter.

    An `annex` has a letter; its rules are optional, unless it is an `appendix`, which holds none.
    """

    file: str
    sections: tuple[Section, ...]
    annex: bool = False
    appendix: bool = False

    @property
    def id(self) -> str:
        return self.sections[0].id

    @property
    def title(self) -> str:
        return self.sections[0].title


def rule_numbers(chapters: Sequence[Chapter]) -> dict[str, str]:
    """Maps the ids of headings to rule numbers: 4, 4.2, 4.2.1; chapters of the annex are A, A.1."""
    numbers: dict[str, str] = {}
    for chapter, name in zip(chapters, _chapter_names(chapters), strict=True):
        counters: list[int] = []
        for section in chapter.sections:
            depth = section.level - 1
            if depth == 0:
                numbers[section.id] = name
                continue
            counters = [*counters[:depth], *([0] * (depth - len(counters)))]
            counters[depth - 1] += 1
            numbers[section.id] = ".".join([name, *map(str, counters)])
    return numbers


def _chapter_names(chapters: Sequence[Chapter]) -> Iterator[str]:
    body = annexes = 0
    for chapter in chapters:
        if chapter.annex:
            annexes += 1
            yield chr(ord("A") + annexes - 1) if annexes <= 26 else f"A{annexes}"
        else:
            body += 1
            yield str(body)


def sections_below(chapters: Iterable[Chapter], heading: str) -> Iterator[Section]:
    """Yields the section whose heading has this id, followed by all its subsections."""
    for chapter in chapters:
        level = 0
        for section in chapter.sections:
            if section.id == heading:
                level = section.level
            elif section.level <= level:
                level = 0
            if level:
                yield section


def placements(chapters: Sequence[Chapter]) -> dict[tuple[str, str], str]:
    """Maps (kind, id) of each block to the id of the first section in which it is placed."""
    placed: dict[tuple[str, str], str] = {}
    for chapter in chapters:
        for section in chapter.sections:
            for part in section.parts:
                if isinstance(part, Block):
                    placed.setdefault((part.kind, part.target), section.id)
    return placed
