"""A Markdown file -> a chapter: headings cut it into sections, and braces into blocks and notes.

The cutter goes line by line and understands no more Markdown than it must; the rest is rendered
as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rulebook.loading.prose import Anchor, Placing, bindings_of, heading_id, links_of, placed_at
from rulebook.loading.reading import bad_references, html_in, html_problem, unprintable_characters
from rulebook.model.lookup import slug
from rulebook.model.nesting import too_deep
from rulebook.model.prose import (
    BLOCK_KINDS,
    Block,
    Chapter,
    Chart,
    Remark,
    Section,
    Setting,
    Text,
    Word,
)
from rulebook.model.provenance import Status
from rulebook.model.scalars import ID_PATTERN, LONGEST_LINE, Passage, UnboundLine
from rulebook.problems import MOST_FAULTS, Problem, Span

_LINE = re.compile(
    r"\s*(?P<procedure>[\w-]+)\s+(?P<result>[\w-]+)"
    r"(?:\s+by\s+(?P<by>.+?))?(?:\s+with\s+(?P<given>.+?))?\s*"
)
_ALONG = re.compile(r"\s*([\w-]+)(?:\s*=\s*(\S.*?))?\s*")
_FIXED = re.compile(r"\s*([\w-]+)\s*=\s*(\S.*?)\s*")
_FORM = "such as {chart: volley casualties by range and cover with firers=12}"
#: Inputs that a chart can show side by side: one along its axis, one as series.
MOST_AXES = 2


def read_chart(text: str, place: Placing) -> Chart | Problem:
    """Read what stands after `chart:`; `place` says where a part of it stands."""
    match = _LINE.fullmatch(text) if len(text) <= LONGEST_LINE else None
    if match is None:
        start = len(text) - len(text.lstrip())
        here = place(start, max(len(text), start + 1))
        return Problem.of("R219 line", here, form=_FORM)
    along = list(_parts(match, "by", r"\s+and\s+"))
    if len(along) > MOST_AXES:
        start, end = along[MOST_AXES]
        here = place(start, max(end, start + 1))
        return Problem.of("R219 inputs", here, count=len(along), most=MOST_AXES)
    by = [_setting(text, start, end, _ALONG, place) for start, end in along]
    given = [
        _setting(text, start, end, _FIXED, place) for start, end in _parts(match, "given", ",")
    ]
    settings: list[list[Setting]] = [[], []]
    for found, kept in zip((by, given), settings, strict=True):
        for one in found:
            if isinstance(one, Problem):
                return one
            kept.append(one)
    return Chart(
        _word(text, match.start("procedure"), match.end("procedure"), place, name=True),
        _word(text, match.start("result"), match.end("result"), place, name=True),
        tuple(settings[0]),
        tuple(settings[1]),
        place(0, len(text)),
    )


def _parts(match: re.Match[str], group: str, between: str) -> Iterator[tuple[int, int]]:
    """Where the parts of a group begin and end."""
    if match[group] is None:
        return
    start = match.start(group)
    for gap in re.finditer(between, match[group]):
        yield start, match.start(group) + gap.start()
        start = match.start(group) + gap.end()
    yield start, match.end(group)


def _setting(
    text: str, start: int, end: int, form: re.Pattern[str], place: Placing
) -> Setting | Problem:
    match = form.fullmatch(text, start, end)
    if match is None:
        what = text[start:end].strip()
        here = place(start, max(end, start + 1))
        if not what:
            return Problem.of("R219 nothing", here)
        words = re.findall(r"[\w-]+", what)
        hint = ""
        if form is _FIXED and len(words) == 2:
            hint = f"write {'='.join(words)}"
        elif form is _ALONG and len(words) == 2 and "," in what:
            hint = f"write {' and '.join(words)}"
        return Problem.of("R219 setting", here, what=what, hint=hint)
    name = _word(text, match.start(1), match.end(1), place, name=True)
    if match[2] is None:
        return Setting(name)
    return Setting(name, _word(text, match.start(2), match.end(2), place))


def _word(text: str, start: int, end: int, place: Placing, *, name: bool = False) -> Word:
    word = text[start:end]
    return Word(word.replace("-", "_") if name else word, place(start, end))


DEEPEST_HEADING = 4
MOST_SECTIONS = 1_000

_HEADING = re.compile(r"(#{1,})([ \t]+)(.*?)[ \t]*(?:\{#([^{}]*)\})?[ \t]*#*[ \t]*")
_HEADING_ID = re.compile(r"\{#[^{}]*\}?")
_BINDING = re.compile(r"(?<![\\{])\{[^\W\d_][^{}]*\}?")
_HEADING_MARK = re.compile(r"[*`]+|\]\(")
_INNER_HEADING = re.compile(r"(?:\s|>|[-*+]\s|\d+[.)]\s)+#")
_UNDERLINE = re.compile(r"(=+|-+)[ \t]*")
_BLOCK = re.compile(rf"\{{({'|'.join(BLOCK_KINDS)}):[ \t]*([A-Za-z0-9_-]+)[ \t]*\}}[ \t]*")
_CHART = re.compile(r"\{chart:([^{}]*)\}[ \t]*")
_REMARK = re.compile(r"\{(read|house|missing):[ \t]*([^{}]*?)[ \t]*\}[ \t]*(.*)")


@dataclass(frozen=True, slots=True)
class Cut:
    """A chapter (None if it has no title), the links to headings in it, and its faults."""

    chapter: Chapter | None
    anchors: tuple[Anchor, ...]
    problems: tuple[Problem, ...]


def cut_chapter(text: str, file: str, shown: str, *, part: bool = False) -> Cut:
    """Cut one Markdown file; `file` is its name in the ruleset, `shown` its path in reports.

    A `part` of a chapter holds some of its sections, and need not begin with the title.
    """
    return _Cutter(text, shown, part).cut(file)


@dataclass(slots=True)
class _OpenSection:
    """A section whose end has not been reached."""

    level: int
    id: str
    title: str
    span: Span
    parts: list[Text | Block | Chart | Remark] = field(default_factory=list)

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

    def cut(self, file: str) -> Cut:
        for number, line in enumerate(self.lines):
            if found := html_in(line):
                span = self._span(number, found.start(), found.end())
                self.problems.append(html_problem(found[0], span))
            if "&" in line:
                self.problems += bad_references(line, self._placing(number))
            self.problems += unprintable_characters(line, self._placing(number))
            self._line(number, line)
            if len(self.problems) > MOST_FAULTS:
                return Cut(None, (), tuple(self.problems))
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
        if not line.strip():
            self._end_paragraph(number)
        elif line.startswith("#"):
            self._end_paragraph(number)
            self._end_run(number)
            self._heading(number, line)
        elif not self._underline(number, line):
            if inner := _INNER_HEADING.match(line):
                self._fault("R209 heading inside", self._span(number, inner.end() - 1, inner.end()))
            self._begin(number)

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
        match = _HEADING.fullmatch(line)
        if match is None or not match[3]:
            self._fault("R209 sign alone", self._span(number, 0, len(line)))
            return
        level = len(match[1])
        if len(self.sections) == MOST_SECTIONS:
            span = self._span(number, 0, level)
            self._fault("R102 many headings", span, most=MOST_SECTIONS)
        if len(self.sections) >= MOST_SECTIONS:
            return
        self._check_level(number, level)
        self._check_words(number, match)
        name = self._heading_id(number, match)
        span = self._span(number, match.start(3), match.end(3))
        words = UnboundLine(match[3]) if "{" in match[3] else match[3]
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

    def _check_words(self, number: int, match: re.Match[str]) -> None:
        """A heading is plain text: it also stands in contents, running heads and bookmarks."""
        words, start = match[3], match.start(3)
        if len(words) > LONGEST_LINE:
            here = self._span(number, start, match.end(3))
            self._fault("R204 long heading", here, count=len(words), most=LONGEST_LINE)
        elif found := _HEADING_ID.search(words):
            place = self._span(number, start + found.start(), start + found.end())
            self._fault("R209 id inside a heading", place, found=found[0])
        elif match[4] is None and (found := _BINDING.search(words)):
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

    def _heading_id(self, number: int, match: re.Match[str]) -> str:
        """The id given in {#...}, or one made of the words."""
        if match[4] is None:
            made = slug(match[3])
            return made if re.fullmatch(ID_PATTERN, made) else f"section_{number + 1}"
        name = heading_id(match[4])
        if not re.fullmatch(ID_PATTERN, name):
            made = slug(name) or slug(match[3])
            here = self._span(number, match.start(4), match.end(4))
            write = f"write {made}" if re.fullmatch(ID_PATTERN, made) else ""
            self._fault("R205 id of a heading", here, id=match[4], write=write)
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
        if match[3] or end == start + 1 or not match[2]:
            self._fault(
                "R212 untitled note" if not match[2] else "R212 empty note",
                self._span(start, 0, len(self.lines[start])),
                word=match[1],
                new_line="begin a new line after }" if match[3] else "",
            )
            return
        text = self._text(start + 1, end)
        span = self._span(start, 0, len(self.lines[start].rstrip()))
        self.sections[-1].parts.append(Remark(Status(match[1]), match[2], text, span))

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
        anchors, bad_links = links_of(markdown, place)
        self.problems += [*faults, *bad_links]
        if found := too_deep(markdown):
            self.problems.append(Problem.at(found.fault, place(found.start, found.end)))
        self.anchors += anchors
        return Text(markdown, bindings, span)


#: A paragraph: lines that follow each other without an empty one.
_PARAGRAPH = re.compile(r"[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*")
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
    for paragraph in _PARAGRAPH.finditer(markdown):
        block = _PLACED.fullmatch(markdown, *paragraph.span())
        alone = block or _HEADING_LINE.match(paragraph[0]) or _CHART_LINE.fullmatch(paragraph[0])
        if alone and run:
            yield *run, None
            run = None
        if alone:
            yield *paragraph.span(), block
        else:
            run = (run[0] if run else paragraph.start(), paragraph.end())
    if run:
        yield *run, None


def _not_on_a_card(markdown: str, start: int, where: Placing) -> Problem | None:
    if match := _HEADING_LINE.match(markdown, start):
        return Problem.of("R209 heading on a card", where(start, match.end()))
    if match := _CHART_LINE.match(markdown, start):
        return Problem.of("R211 chart on a card", where(start, match.end()))
    return None
