"""A Markdown file -> a chapter: headings cut it into sections, and braces into blocks and notes.

The cutter goes line by line and understands no more Markdown than it must; the rest is rendered
as it is. What stands between two lines of backquotes is no Markdown at all: it is never read, only
printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from rulebook.loading.prose import Anchor, Placing, bindings_of, heading_id, links_of, placed_at
from rulebook.loading.safe_text import (
    KEPT_FILES,
    bad_references,
    html_in,
    html_problem,
    unprintable_characters,
)
from rulebook.model.lookup import slug
from rulebook.model.nesting import LONGEST_PROSE, too_deep
from rulebook.model.prose import (
    BLOCK_KINDS,
    Block,
    Chapter,
    Chart,
    Code,
    Part,
    Remark,
    Section,
    Setting,
    Text,
    Word,
)
from rulebook.model.provenance import Status
from rulebook.model.scalars import ID_PATTERN, LONGEST_LINE, Passage, UnboundLine
from rulebook.printable_characters import FRAMES
from rulebook.problems import MOST_FAULTS, Problem, Span

_HEAD = re.compile(r"\s*+([\w-]++)\s++([\w-]++)(?!\S)")
_TOKEN = re.compile(r"\S++")
_ALONG = re.compile(r"\s*+([\w-]++)\s*+(?:=\s*+(\S.*))?")
_FIXED = re.compile(r"\s*+([\w-]++)\s*+=\s*+(\S.*)")
_FORM = "such as {chart: volley casualties by range and cover with firers=12}"
#: Inputs that a chart can show side by side: one along its axis, one as series.
MOST_AXES = 2


def read_chart(text: str, place: Placing) -> Chart | Problem:
    """Read what stands after `chart:`; `place` says where a part of it stands."""
    match = _HEAD.match(text) if len(text) <= LONGEST_LINE else None
    parts = _parts_of_chart(text, match.end()) if match else None
    if match is None or parts is None:
        start = len(text) - len(text.lstrip())
        here = place(start, max(len(text), start + 1))
        return Problem.of("R219 line", here, form=_FORM)
    along = parts[0]
    if len(along) > MOST_AXES:
        start, end = along[MOST_AXES]
        here = place(start, max(end, start + 1))
        return Problem.of("R219 inputs", here, count=len(along), most=MOST_AXES)
    by = [_setting(text, start, end, place) for start, end in along]
    given = [_setting(text, start, end, place, fixed=True) for start, end in parts[1]]
    settings: list[list[Setting]] = [[], []]
    for found, kept in zip((by, given), settings, strict=True):
        for one in found:
            if isinstance(one, Problem):
                return one
            kept.append(one)
    return Chart(
        _word(text, match.start(1), match.end(1), place, name=True),
        _word(text, match.start(2), match.end(2), place, name=True),
        tuple(settings[0]),
        tuple(settings[1]),
        place(0, len(text)),
    )


_Parts = list[tuple[int, int]]


def _parts_of_chart(text: str, start: int) -> tuple[_Parts, _Parts] | None:
    """Where the inputs of `by` and of `with` stand in the rest of a line; None if it has others."""
    words = list(_TOKEN.finditer(text, start))
    if not words:
        return [], []
    told = [word[0] for word in words]
    first = told[0]
    ends = words[-1].end()
    # Each of both words has at least one other behind it.
    given = (
        0
        if first == "with"
        else next((at for at in range(2, len(told) - 1) if told[at] == "with"), 0)
    )
    if first not in ("by", "with") or len(told) == 1:
        return None
    along: _Parts = []
    if first == "by":
        inputs = words[1 : given or len(words)]
        begin = inputs[0].start()
        for before, word, after in zip(inputs, inputs[1:], inputs[2:], strict=False):
            if word[0] == "and":
                along.append((begin, before.end()))
                begin = after.start()
        along.append((begin, inputs[-1].end()))
    fixed: _Parts = []
    if first == "with" or given:
        begin = words[given + 1].start()
        while (comma := text.find(",", begin, ends)) >= 0:
            fixed.append((begin, comma))
            begin = comma + 1
        fixed.append((begin, ends))
    return along, fixed


def _setting(
    text: str, start: int, end: int, place: Placing, *, fixed: bool = False
) -> Setting | Problem:
    """An input, with its value if it is fixed; one along which a chart goes may have one."""
    match = _FIXED.fullmatch(text, start, end) if fixed else _ALONG.fullmatch(text, start, end)
    if match is None:
        what = text[start:end].strip()
        here = place(start, max(end, start + 1))
        if not what:
            return Problem.of("R219 nothing", here)
        words = re.findall(r"[\w-]+", what)
        hint = ""
        if fixed and len(words) == 2:
            hint = f"write {'='.join(words)}"
        elif not fixed and len(words) == 2 and "," in what:
            hint = f"write {' and '.join(words)}"
        return Problem.of("R219 setting", here, what=what, hint=hint)
    name = _word(text, match.start(1), match.end(1), place, name=True)
    if match[2] is None:
        return Setting(name)
    value_end = match.start(2) + len(match[2].rstrip())
    return Setting(name, _word(text, match.start(2), value_end, place))


def _word(text: str, start: int, end: int, place: Placing, *, name: bool = False) -> Word:
    word = text[start:end]
    return Word(word.replace("-", "_") if name else word, place(start, end))


DEEPEST_HEADING = 4
MOST_SECTIONS = 1_000
#: Links of a chapter: what they lead to is found out by reading its Markdown.
MOST_LINKS = 1_000

_HEADING_ID = re.compile(r"\{#[^{}]*\}?")
_BINDING = re.compile(r"(?<![\\{])\{[^\W\d_][^{}]*\}?")
_HEADING_MARK = re.compile(r"[*`]+|\]\(")
_INNER_HEADING = re.compile(r"(?:\s|>|[-*+]\s|\d+[.)]\s)+#")
_UNDERLINE = re.compile(r"(=+|-+)[ \t]*")
_BLOCK = re.compile(rf"\{{({'|'.join(BLOCK_KINDS)}):[ \t]*([A-Za-z0-9_-]+)[ \t]*\}}[ \t]*")
_CHART = re.compile(r"\{chart:([^{}]*)\}[ \t]*")
#: What opens lines of code, and the word that says what they are.
_FENCE = re.compile(r"([ \t]*+)(`{3,})([\w-]*+)[ \t]*+")
_REMARK = re.compile(r"\{(read|house|missing):([^{}]*)\}[ \t]*+(.*)")


@dataclass(frozen=True, slots=True)
class _Heading:
    """A line that begins with #: where its words stand, and the id between braces behind them."""

    level: int
    words: str
    start: int
    end: int
    id: str | None = None
    id_start: int = 0


def _read_heading(line: str) -> _Heading | None:
    """The parts of a heading; signs and spaces behind it are none of its words."""
    level = len(line) - len(line.lstrip("#"))
    start = len(line) - len(line[level:].lstrip(" \t"))
    if start == level:
        return None
    body = line.rstrip(" \t").rstrip("#").rstrip(" \t")
    opened = body.rfind("{#", start)
    found: str | None = None
    if opened >= 0 and body.endswith("}") and not set("{}") & set(body[opened + 1 : -1]):
        found = body[opened + 2 : -1]
        body = body[:opened].rstrip(" \t")
    end = max(len(body), start)
    return _Heading(level, line[start:end], start, end, found, opened + 2)


@dataclass(frozen=True, slots=True)
class Cut:
    """A chapter (None if it has no title), the links to headings in it, and its faults."""

    chapter: Chapter | None
    anchors: tuple[Anchor, ...]
    problems: tuple[Problem, ...]


@lru_cache(maxsize=KEPT_FILES)
def cut_chapter(text: str, file: str, shown: str, *, part: bool = False) -> Cut:
    """Cut one Markdown file; `file` is its name in the ruleset, `shown` its path in reports.

    A `part` of a chapter holds some of its sections, and need not begin with the title. What was
    cut last is kept: a watch reads the same files again, but for one of them.
    """
    return _Cutter(text, shown, part).cut(file)


@dataclass(slots=True)
class _OpenSection:
    """A section whose end has not been reached."""

    level: int
    id: str
    title: str
    span: Span
    parts: list[Part] = field(default_factory=list)

    def closed(self) -> Section:
        return Section(self.level, self.id, self.title, tuple(self.parts), self.span)


class _Cutter:
    """One pass over the lines of one file."""

    def __init__(self, text: str, shown: str, part: bool) -> None:
        self.part = part
        self.lines = text.splitlines()
        self.shown = shown
        self.sections: list[_OpenSection] = []
        self.anchors: list[Anchor] = []
        self.problems: list[Problem] = []
        #: Lines, from 0, of the run of text and of the paragraph that are being gathered.
        self.run: int | None = None
        self.paragraph: int | None = None
        #: The line, from 0, that opens lines of code not closed yet, and how.
        self.code: tuple[int, re.Match[str]] | None = None

    def cut(self, file: str) -> Cut:
        links = 0
        for number, line in enumerate(self.lines):
            if self.code is None and (found := html_in(line)):
                span = self._span(number, found.start(), found.end())
                self.problems.append(html_problem(found[0], span))
            if "&" in line and self.code is None:
                self.problems += bad_references(line, self._placing(number))
            text = FRAMES.sub(" ", line) if self.code else line
            self.problems += unprintable_characters(text, self._placing(number))
            links += 0 if self.code else line.count("](") + line.count("]:")
            if links > MOST_LINKS:
                self._fault("R102 many links", self._span(number, 0, len(line)), most=MOST_LINKS)
                return Cut(None, (), tuple(self.problems))
            self._line(number, line)
            if len(self.problems) > MOST_FAULTS:
                return Cut(None, (), tuple(self.problems))
        if self.code is not None:
            start, opening = self.code
            self._fault("R220 not closed", self._span(start, 0, opening.end()), fence=opening[2])
        self._end_paragraph(len(self.lines))
        self._end_run(len(self.lines))
        if not self.sections and not self.problems:
            self._fault("R208 empty chapter", self._span(0, 0, 1))
        sections = tuple(section.closed() for section in self.sections)
        chapter = Chapter(file, sections) if sections else None
        return Cut(chapter, tuple(self.anchors), tuple(self.problems))

    def _span(self, line: int, start: int, end: int) -> Span:
        return Span(self.shown, line + 1, start + 1, line + 1, max(end, start + 1) + 1)

    def _placing(self, line: int) -> Placing:
        return lambda start, end: Span(self.shown, line + 1, start + 1, line + 1, end + 1)

    def _fault(self, key: str, span: Span, /, **values: Any) -> None:
        self.problems.append(Problem.of(key, span, **values))

    def _line(self, number: int, line: str) -> None:
        if self.code is not None:
            self._code(number, line, *self.code)
        elif opening := _FENCE.fullmatch(line):
            self._open_code(number, opening)
        elif not line.strip():
            self._end_paragraph(number)
        elif line.startswith("#"):
            self._end_paragraph(number)
            self._end_run(number)
            self._heading(number, line)
        elif not self._underline(number, line):
            if inner := _INNER_HEADING.match(line):
                self._fault("R209 heading inside", self._span(number, inner.end() - 1, inner.end()))
            self._begin(number)

    def _open_code(self, number: int, opening: re.Match[str]) -> None:
        """Lines of code begin here; like all else they stand below a heading."""
        if opening[1]:
            self._fault("R220 not at the margin", self._span(number, 0, opening.end(2)))
        self._end_paragraph(number)
        self._end_run(number)
        self._begin(number)
        self.paragraph = self.run = None
        self.code = number, opening

    def _code(self, number: int, line: str, start: int, opening: re.Match[str]) -> None:
        """A line of code, or the one that closes it: as many backquotes as opened it, or more."""
        if len(line) > LONGEST_LINE:
            here = self._span(number, LONGEST_LINE, len(line))
            self._fault("R220 long line", here, count=len(line), most=LONGEST_LINE)
        told = line.strip(" \t") if opening[1] else line.rstrip(" \t")
        if not told.startswith(opening[2]) or told.strip("`"):
            return
        self.code = None
        text = "\n".join(self.lines[start + 1 : number])
        if len(text) > LONGEST_PROSE:
            here = self._span(start, 0, opening.end())
            self._fault("R102 long prose", here, count=len(text), most=LONGEST_PROSE)
        if not text.strip():
            self._fault("R220 empty", self._span(start, 0, opening.end()))
        elif self.sections:
            span = Span(self.shown, start + 2, 1, number, len(self.lines[number - 1]) + 1)
            self.sections[-1].parts.append(Code(text, opening[3], span))

    def _begin(self, number: int) -> None:
        if not self.sections:
            if not any(problem.code == "R208" for problem in self.problems):
                self._fault("R208 no title first", self._span(number, 0, len(self.lines[number])))
            return
        self.paragraph = number if self.paragraph is None else self.paragraph
        self.run = number if self.run is None else self.run

    def _underline(self, number: int, line: str) -> bool:
        """A row of = or - below words would make them a heading without a number."""
        if self.paragraph is None or not _UNDERLINE.fullmatch(line):
            return False
        marks = "##" if line.startswith("-") else "#"
        here = self._span(number, 0, len(line.rstrip()))
        self._fault("R209 underlined", here, marks=marks, words=self.lines[number - 1].strip())
        return True

    def _heading(self, number: int, line: str) -> None:
        heading = _read_heading(line)
        if heading is None or not heading.words:
            self._fault("R209 sign alone", self._span(number, 0, len(line)))
            return
        level = heading.level
        if len(self.sections) == MOST_SECTIONS:
            span = self._span(number, 0, level)
            self._fault("R102 many headings", span, most=MOST_SECTIONS)
        if len(self.sections) >= MOST_SECTIONS:
            return
        self._check_level(number, level)
        self._check_words(number, heading)
        name = self._heading_id(number, heading)
        span = self._span(number, heading.start, heading.end)
        words = UnboundLine(heading.words) if "{" in heading.words else heading.words
        self.sections.append(_OpenSection(level, name, words, span))

    def _check_level(self, number: int, level: int) -> None:
        first = level - 1 if self.part else 0
        before = self.sections[-1].level if self.sections else first
        if level == 1 and self.sections:
            self._fault("R209 second title", self._span(number, 0, 1))
        elif level > DEEPEST_HEADING:
            self._fault("R209 deep heading", self._span(number, 0, level))
        elif level > before + 1:
            here = self._span(number, 0, level)
            if before:
                self._fault("R209 skips a level", here, marks="#" * (before + 1))
            else:
                self._fault("R209 first section", here)

    def _check_words(self, number: int, heading: _Heading) -> None:
        """A heading is plain text: it also stands in contents, running heads and bookmarks."""
        words, start = heading.words, heading.start
        if len(words) > LONGEST_LINE:
            here = self._span(number, start, heading.end)
            self._fault("R204 long heading", here, count=len(words), most=LONGEST_LINE)
        elif found := _HEADING_ID.search(words):
            place = self._span(number, start + found.start(), start + found.end())
            self._fault("R209 id inside a heading", place, found=found[0])
        elif heading.id is None and (found := _BINDING.search(words)):
            self._fault(
                "R210 braces in a heading",
                self._span(number, start + found.start(), start + found.end()),
                found=found[0],
            )
        elif found := _HEADING_MARK.search(words):
            self._fault(
                "R209 mark in a heading",
                self._span(number, start + found.start(), start + found.end()),
                found=found[0],
            )

    def _heading_id(self, number: int, heading: _Heading) -> str:
        """The id given in {#...}, or one made of the words."""
        if heading.id is None:
            made = slug(heading.words)
            return made if re.fullmatch(ID_PATTERN, made) else f"section_{number + 1}"
        name = heading_id(heading.id)
        if not re.fullmatch(ID_PATTERN, name):
            made = slug(name) or slug(heading.words)
            here = self._span(number, heading.id_start, heading.id_start + len(heading.id))
            write = f"write {made}" if re.fullmatch(ID_PATTERN, made) else ""
            self._fault("R205 id of a heading", here, id=heading.id, write=write)
        return name

    def _end_paragraph(self, end: int) -> None:
        """A paragraph is over: is it a block or a note, it ends the run of text before it."""
        start, self.paragraph = self.paragraph, None
        if start is None:
            return
        if end == start + 1 and (block := _BLOCK.fullmatch(self.lines[start])):
            self._end_run(start)
            self._place(start, block)
        elif end == start + 1 and (chart := _CHART.fullmatch(self.lines[start])):
            self._end_run(start)
            self._chart(start, chart)
        elif remark := _REMARK.fullmatch(self.lines[start]):
            self._end_run(start)
            self._note(start, end, remark)

    def _place(self, number: int, match: re.Match[str]) -> None:
        kind = next(kind for kind in BLOCK_KINDS if kind == match[1])
        span = self._span(number, match.start(2), match.end(2))
        target = match[2].replace("-", "_")
        self.sections[-1].parts.append(Block(kind, target, span))  # type: ignore[arg-type]
        self.run = None

    def _chart(self, number: int, match: re.Match[str]) -> None:
        self.run = None
        placing = self._placing(number)
        read = read_chart(
            match[1], lambda start, end: placing(match.start(1) + start, match.start(1) + end)
        )
        if isinstance(read, Chart):
            self.sections[-1].parts.append(read)
        else:
            self.problems.append(read)

    def _note(self, start: int, end: int, match: re.Match[str]) -> None:
        self.run = None
        title = match[2].strip(" \t")
        if match[3] or end == start + 1 or not title:
            self._fault(
                "R212 untitled note" if not title else "R212 empty note",
                self._span(start, 0, len(self.lines[start])),
                word=match[1],
                new_line="begin a new line after }" if match[3] else "",
            )
            return
        text = self._text(start + 1, end)
        span = self._span(start, 0, len(self.lines[start].rstrip()))
        self.sections[-1].parts.append(Remark(Status(match[1]), title, text, span))

    def _end_run(self, end: int) -> None:
        start, self.run = self.run, None
        if start is None or start == end:
            return
        while not self.lines[end - 1].strip():
            end -= 1
        self.sections[-1].parts.append(self._text(start, end))

    def _text(self, start: int, end: int) -> Text:
        markdown = "\n".join(self.lines[start:end])
        span = Span(self.shown, start + 1, 1, end, len(self.lines[end - 1]) + 1)
        place = placed_at(markdown, span)
        bindings, faults = bindings_of(markdown, span, place)
        self.problems += faults
        if found := too_deep(markdown):
            self.problems.append(Problem.at(found.fault, place(found.start, found.end)))
        else:
            anchors, bad_links = links_of(markdown, place)
            self.problems += bad_links
            self.anchors += anchors
        return Text(markdown, bindings, span)


_PLACED = re.compile(rf"\{{({'|'.join(BLOCK_KINDS)}):[ \t]*([A-Za-z0-9_-]+)[ \t]*\}}[ \t]*")
_CHART_LINE = re.compile(r"\{chart:[^{}]*\}[ \t]*")
_HEADING_LINE = re.compile(r"#{1,6}[ \t]")


def cut_passage(
    passage: Passage, span: Span | None = None, place: Placing | None = None
) -> tuple[tuple[Text | Block, ...], tuple[Problem, ...]]:
    """The parts of a passage in order, and what is wrong with its braces and paragraphs.

    `place` says where a part of the passage stands; without it the passage is taken to begin at
    the span, or nowhere in particular.
    """
    markdown, span = passage.markdown, span or Span("")
    where = place or placed_at(markdown, span)
    parts: list[Text | Block] = []
    problems: list[Problem] = []
    for start, end, block in _pieces(markdown):
        if block is not None:
            at = where(block.start(2), block.end(2))
            if block[1] == "figure":
                problems.append(Problem.of("R211 figure on a card", at))
                continue
            target = block[2].replace("-", "_")
            parts.append(Block(block[1], target, at))  # type: ignore[arg-type]
            continue
        if fault := _not_on_a_card(markdown, start, where):
            problems.append(fault)
            continue
        text = markdown[start:end]
        bindings, faults = bindings_of(text, span, _from(start, where))
        problems += faults
        parts.append(Text(text, bindings, where(start, end)))
    return tuple(parts), tuple(problems)


def _from(start: int, where: Placing) -> Placing:
    """The same places, counted from a later character."""
    return lambda begin, end: where(start + begin, start + end)


def _pieces(markdown: str) -> Iterator[tuple[int, int, re.Match[str] | None]]:
    """Where each block, or run of paragraphs between two of them, begins and ends."""
    run: tuple[int, int] | None = None
    for start, end in _paragraphs(markdown):
        paragraph = markdown[start:end]
        block = _PLACED.fullmatch(markdown, start, end)
        alone = block or _HEADING_LINE.match(paragraph) or _CHART_LINE.fullmatch(paragraph)
        if alone and run:
            yield *run, None
            run = None
        if alone:
            yield start, end, block
        else:
            run = (run[0] if run else start, end)
    if run:
        yield *run, None


def _paragraphs(markdown: str) -> Iterator[tuple[int, int]]:
    """Where each run of lines without an empty one begins and ends."""
    begin: int | None = None
    at = 0
    for line in markdown.split("\n"):
        if line.strip():
            begin = at if begin is None else begin
        elif begin is not None:
            yield begin, at - 1
            begin = None
        at += len(line) + 1
    if begin is not None:
        yield begin, at - 1


def _not_on_a_card(markdown: str, start: int, where: Placing) -> Problem | None:
    if match := _HEADING_LINE.match(markdown, start):
        return Problem.of("R209 heading on a card", where(start, match.end()))
    if match := _CHART_LINE.match(markdown, start):
        return Problem.of("R211 chart on a card", where(start, match.end()))
    return None
