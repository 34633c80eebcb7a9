"""A Markdown file -> a chapter: headings cut it into sections, and braces into blocks and notes.

The cutter goes line by line and understands no more Markdown than it must; the rest is rendered
as it is. What stands between two lines of backquotes is no Markdown at all: it is never read, only
printed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import groupby

from rulebook.limits import LONGEST_LINE, MOST_FAULTS, MOST_ITEMS, beyond
from rulebook.loading.bindings import bindings_of, heading_id, links_of, placed_at
from rulebook.loading.markdown_faults import markdown_faults
from rulebook.loading.safe_text import (
    KEPT_FILES,
    bad_references,
    html_in,
    html_problem,
    unprintable_characters,
)
from rulebook.loading.yaml_reader import Placing
from rulebook.model.entities import Status
from rulebook.model.lookup import slug
from rulebook.model.prose import (
    BLOCK_KINDS,
    Binding,
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
from rulebook.model.scalars import ID_PATTERN, Passage, UnboundLine, too_deep
from rulebook.problems import Problem, Span
from rulebook.quotation_marks import with_marks
from rulebook.typefaces import FRAMES

#: A procedure, one of its results, and the inputs behind `by` and `with`.
_CHART_WORDS = re.compile(r"\s*([\w-]+)\s+([\w-]+)(?:\s+by\s+(\S.*?))?(?:\s+with\s+(\S.*?))?\s*")
_INPUT = re.compile(r"\s*([\w-]+)\s*(?:=\s*(\S.*?)\s*)?")
#: Inputs that a chart can show side by side: one along its axis, one as series.
_MOST_AXES = 2


def read_chart(text: str, place: Placing) -> Chart | Problem:
    """Parses the text after `chart:` in braces; returns a chart, or a fault if it is none.

    `place` gives the place of a part of the text.
    """
    match = _CHART_WORDS.fullmatch(text) if len(text) <= LONGEST_LINE else None
    along = _inputs(text, *match.span(3), " and ", place) if match else None
    given = _inputs(text, *match.span(4), ",", place) if match else None
    fixed = given is not None and all(setting.value for setting in given)
    if match is None or along is None or given is None or not fixed or len(along) > _MOST_AXES:
        expected = "a procedure, one of its results, up to two inputs, and values of others"
        hint = "write it such as {chart: volley casualties by range and cover with firers=12}"
        here = place(0, max(len(text), 1))
        return Problem("R219", "this chart cannot be read", here, expected, hint)
    procedure, result = (_word(text, *match.span(at), place, name=True) for at in (1, 2))
    return Chart(procedure, result, tuple(along), tuple(given), place(0, len(text)))


def _inputs(text: str, start: int, end: int, between: str, place: Placing) -> list[Setting] | None:
    """Parses the inputs, perhaps with values, in `text[start:end]`, separated by `between`.

    Returns None if anything else stands there.
    """
    found: list[Setting] = []
    while 0 <= start <= end:
        cut = text.find(between, start, end)
        stop = cut if cut >= 0 else end
        match = _INPUT.fullmatch(text, start, stop)
        if match is None:
            return None
        value = _word(text, *match.span(2), place) if match[2] else None
        found.append(Setting(_word(text, *match.span(1), place, name=True), value))
        start = stop + len(between)
    return found


def _word(text: str, start: int, end: int, place: Placing, *, name: bool = False) -> Word:
    word = text[start:end]
    return Word(word.replace("-", "_") if name else word, place(start, end))


DEEPEST_HEADING = 4
#: A line with a heading: its signs, its words and the id between braces behind them.
_HEADING = re.compile(r"(#+)[ \t]+(.*?)[ \t]*(?:\{#([^{}]*)\})?")
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
class Cut:
    """A chapter (None if without title) cut from its file, its links to headings, and faults."""

    chapter: Chapter | None
    anchors: tuple[Binding, ...]
    problems: tuple[Problem, ...]


@lru_cache(maxsize=KEPT_FILES)
def cut_chapter(text: str, file: str, shown: str, *, part: bool = False) -> Cut:
    """Cuts a Markdown file into sections and their parts.

    `text` is the text of the file, `file` its name in the ruleset, `shown` its path in reports. A
    `part` of a chapter, in a variant, has only some of its sections and need not begin with the
    title. Results are cached: a watch reads all files again, of which only one has changed.
    """
    return _Cutter(text, shown, part).cut(file)


class _Cutter:
    """Cuts one Markdown file into sections in a single pass over its lines."""

    def __init__(self, text: str, shown: str, part: bool) -> None:
        self.part = part
        self.lines = text.splitlines()
        self.shown = shown
        #: The sections, their parts not in them yet, and the parts of each.
        self.sections: list[Section] = []
        self.parts: list[list[Part]] = []
        self.anchors: list[Binding] = []
        self.problems: list[Problem] = []
        #: Lines, from 0, of the run of text and of the paragraph that are being gathered.
        self.run: int | None = None
        self.paragraph: int | None = None
        #: The line, from 0, that opens lines of code not closed yet, and how.
        self.code: tuple[int, re.Match[str]] | None = None

    def cut(self, file: str) -> Cut:
        for number, line in enumerate(self.lines):
            if self.code is None and (found := html_in(line)):
                span = self._span(number, found.start(), found.end())
                self.problems.append(html_problem(found, span))
            if "&" in line and self.code is None:
                self.problems += bad_references(line, partial(self._span, number))
            text = FRAMES.sub(" ", line) if self.code else line
            self.problems += unprintable_characters(text, partial(self._span, number))
            self._line(number, line)
            if len(self.problems) > MOST_FAULTS or len(self.sections) > MOST_ITEMS:
                break
        if self.code is not None:
            self._bad_code(*self.code)
        self._end_paragraph(len(self.lines))
        self._end_run(len(self.lines))
        if not self.sections and not self.problems:
            self._no_title(0)
        if len(self.sections) > MOST_ITEMS:
            here = self.sections[-1].span
            self.problems.append(beyond(MOST_ITEMS, "headings in one chapter", here))
        sections = tuple(
            replace(section, parts=tuple(parts))
            for section, parts in zip(self.sections, self.parts, strict=True)
        )
        chapter = Chapter(file, sections) if sections else None
        return Cut(chapter, tuple(self.anchors), tuple(self.problems))

    def _no_title(self, number: int) -> None:
        end = len(self.lines[number]) if self.lines else 1
        message, hint = "the chapter does not begin with its title", "put the line with # first"
        if number == 0 and self.lines[:1] == ["---"]:
            message = "settings between two lines --- stand above the title"
            hint = "delete them: settings stand in ruleset.yaml"
        expected = "a title, such as '# Musketry {#musketry}'"
        self._fault("R208", message, self._span(number, 0, end), expected, hint)

    def _bad_code(self, number: int, opening: re.Match[str]) -> None:
        message = "lines of code that are empty, indented, or have no end"
        expected = f"{opening[2]} at the margin, on the line above them and on that below"
        self._fault("R220", message, self._span(number, 0, opening.end()), expected)

    def _span(self, line: int, start: int, end: int) -> Span:
        return Span(self.shown, line + 1, start + 1, line + 1, max(end, start + 1) + 1)

    def _fault(
        self, code: str, message: str, span: Span, expected: str = "", hint: str = ""
    ) -> None:
        self.problems.append(Problem(code, message, span, expected, hint))

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
                self._bad_heading(
                    number, inner.end() - 1, inner.end(), "inside a list or quotation"
                )
            self._begin(number)

    def _open_code(self, number: int, opening: re.Match[str]) -> None:
        """Begins a block of code at the fence `opening` in line `number`.

        Ends the paragraph and the text before it, and reports a fence that is indented.
        """
        if opening[1]:
            self._bad_code(number, opening)
        self._end_paragraph(number)
        self._end_run(number)
        self._begin(number)
        self.paragraph = self.run = None
        self.code = number, opening

    def _code(self, number: int, line: str, start: int, opening: re.Match[str]) -> None:
        """Takes a line in a block of code; if it is the closing fence, adds the block as a part.

        The block was opened in line `start` by the fence `opening`. A fence that closes it has as
        many backquotes or more. Reports lines that are too long, and blocks without any text.
        """
        if len(line) > LONGEST_LINE:
            here = self._span(number, LONGEST_LINE, len(line))
            self.problems.append(beyond(LONGEST_LINE, "characters in a line of code", here))
        bare = line.strip(" \t") if opening[1] else line.rstrip(" \t")
        if not bare.startswith(opening[2]) or bare.strip("`"):
            return
        self.code = None
        text = "\n".join(self.lines[start + 1 : number])
        if not text.strip():
            self._bad_code(start, opening)
        elif self.sections:
            span = Span(self.shown, start + 2, 1, number, len(self.lines[number - 1]) + 1)
            self.parts[-1].append(Code(text, opening[3], span))

    def _begin(self, number: int) -> None:
        if not self.sections:
            if not any(problem.code == "R208" for problem in self.problems):
                self._no_title(number)
            return
        self.paragraph = number if self.paragraph is None else self.paragraph
        self.run = number if self.run is None else self.run

    def _underline(self, number: int, line: str) -> bool:
        """Tells whether a line of = or - makes the text above it a heading; if so, reports it."""
        if self.paragraph is None or not _UNDERLINE.fullmatch(line):
            return False
        self._bad_heading(number, 0, len(line.rstrip()), "underlined with a row of signs")
        return True

    def _bad_heading(self, number: int, start: int, end: int, what: str) -> None:
        message = f"a heading {what}"
        expected = "one to four #, a space, plain words, and perhaps {#some_id}, on a line alone"
        hint = "write it so, or \\# for the sign; put an empty line before a row of signs"
        self._fault("R209", message, self._span(number, start, end), expected, hint)

    def _heading(self, number: int, line: str) -> None:
        """Reads a line that begins with # as a heading, and begins a new section with it.

        Any # at its end is dropped. Faults are reported; a heading without words begins no section.
        """
        body = line.rstrip(" \t").rstrip("#").rstrip(" \t")
        match = _HEADING.fullmatch(body[: 2 * LONGEST_LINE])
        if match is None or not match[2]:
            self._bad_heading(number, 0, len(line), "without words")
            return
        level, words = len(match[1]), match[2]
        self._check_level(number, level)
        self._check_words(number, match)
        name = self._heading_id(number, match)
        words = with_marks(words)
        title = UnboundLine(words) if "{" in words else words
        self.sections.append(Section(level, name, title, (), self._span(number, *match.span(2))))
        self.parts.append([])

    def _check_level(self, number: int, level: int) -> None:
        before = self.sections[-1].level if self.sections else level - 1 if self.part else 0
        deepest = min(before + 1, DEEPEST_HEADING)
        if level > deepest or (level == 1 and self.sections):
            least = "##" if self.sections else "#"
            expected = f"{least} to {'#' * deepest}" if deepest > len(least) else least
            message = f"a heading with {'#' * level:.9} stands here"
            hint = "begin a file with one title, #, and go down a level at a time"
            self._fault("R209", message, self._span(number, 0, level), expected, hint)

    def _check_words(self, number: int, heading: re.Match[str]) -> None:
        """Reports formatting in the text of a heading, and a text that is too long.

        Headings must be plain text, since they also stand in contents, running heads and bookmarks.
        """
        words, start = heading[2], heading.start(2)
        if len(words) > LONGEST_LINE:
            here = self._span(number, *heading.span(2))
            self.problems.append(beyond(LONGEST_LINE, "characters in a heading", here))
            return
        found = _HEADING_ID.search(words) or _HEADING_MARK.search(words)
        if heading[3] is None:
            found = found or _BINDING.search(words)
        if found:
            what = f"with '{found[0]:.40}' in its words"
            self._bad_heading(number, start + found.start(), start + found.end(), what)

    def _heading_id(self, number: int, heading: re.Match[str]) -> str:
        """Returns the id of a heading: the one given in {#...}, or one made from its text.

        A text from which none can be made gives `section_` and a number. Reports a given id that is
        not valid.
        """
        given, made = heading[3], slug(heading[2])
        if given is None:
            return made if re.fullmatch(ID_PATTERN, made) else f"section_{number + 1}"
        name = heading_id(given)
        if not re.fullmatch(ID_PATTERN, name):
            expected = "lower-case letters, digits and underscores, a letter first"
            hint = f"write {slug(name) or made}"
            here = self._span(number, *heading.span(3))
            self._fault("R205", f"'{given:.40}' is no id", here, expected, hint)
        return name

    def _end_paragraph(self, end: int) -> None:
        """Ends the paragraph that is open, if any, before line `end`.

        If it is a block, a chart or a note, also ends the text before it and adds it as a part of
        its own.
        """
        start, self.paragraph = self.paragraph, None
        if start is None:
            return
        alone = end == start + 1
        readers = {_BLOCK: self._place, _CHART: self._chart, _REMARK: self._note}
        for pattern, read in readers.items():
            match = pattern.fullmatch(self.lines[start])
            if match and (alone or pattern is _REMARK):
                self._end_run(start)
                read(start, end, match)
                return

    def _place(self, number: int, end: int, match: re.Match[str]) -> None:
        span = self._span(number, match.start(2), match.end(2))
        target = match[2].replace("-", "_")
        self.parts[-1].append(Block(match[1], target, span))  # type: ignore[arg-type]

    def _chart(self, number: int, end: int, match: re.Match[str]) -> None:
        read = read_chart(match[1], _from(match.start(1), partial(self._span, number)))
        if isinstance(read, Chart):
            self.parts[-1].append(read)
        else:
            self.problems.append(read)

    def _note(self, start: int, end: int, match: re.Match[str]) -> None:
        title = match[2].strip(" \t")
        if match[3] or end == start + 1 or not title:
            message = "a note without a title, or without words below it"
            expected = f"{{{match[1]}: Title}} on a line, and the words on the lines below it"
            here = self._span(start, 0, len(self.lines[start]))
            self._fault("R212", message, here, expected)
            return
        text = self._text(start + 1, end)
        span = self._span(start, 0, len(self.lines[start].rstrip()))
        self.parts[-1].append(Remark(Status(match[1]), title, text, span))

    def _end_run(self, end: int) -> None:
        start, self.run = self.run, None
        if start is None or start == end:
            return
        while not self.lines[end - 1].strip():
            end -= 1
        self.parts[-1].append(self._text(start, end))

    def _text(self, start: int, end: int) -> Text:
        markdown = "\n".join(self.lines[start:end])
        span = Span(self.shown, start + 1, 1, end, len(self.lines[end - 1]) + 1)
        place = placed_at(markdown, span)
        bindings, faults = bindings_of(markdown, span, place)
        self.problems += faults
        if found := too_deep(markdown):
            self.problems.append(Problem.at(found, place(found.start, found.end)))
        else:
            anchors, bad_links = links_of(markdown, place)
            self.problems += (*bad_links, *markdown_faults(markdown, place))
            self.anchors += anchors
        return Text(markdown, bindings, span)


_HEADING_LINE = re.compile(r"#{1,6}[ \t]")
#: Lines without an empty one among them.
_PARAGRAPH = re.compile(r"^[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*", re.MULTILINE)


def cut_passage(
    passage: Passage, span: Span | None = None, place: Placing | None = None
) -> tuple[tuple[Text | Block, ...], tuple[Problem, ...]]:
    """Cuts a passage outside of chapters into texts and blocks; returns them and the faults.

    `place` gives the place of a part of the passage; without it the passage is taken to begin at
    `span`, or at no place of a file.
    """
    markdown, span = passage.markdown, span or Span("")
    where = place or placed_at(markdown, span)
    parts: list[Text | Block] = []
    problems: list[Problem] = []
    paragraphs = ((_alone(found[0]), found) for found in _PARAGRAPH.finditer(markdown))
    for alone, group in groupby(paragraphs, key=lambda found: found[0] is not None):
        if not alone:
            run = [paragraph for _, paragraph in group]
            start, end = run[0].start(), run[-1].end()
            bindings, faults = bindings_of(markdown[start:end], span, _from(start, where))
            problems += faults
            parts.append(Text(markdown[start:end], bindings, where(start, end)))
            continue
        for match, paragraph in group:
            assert match is not None
            block = match.re is _BLOCK
            here = _from(paragraph.start(), where)(*match.span(2 if block else 0))
            if block and match[1] != "figure":
                parts.append(Block(match[1], match[2].replace("-", "_"), here))  # type: ignore[arg-type]
            else:
                problems.append(_only_in_chapters(here))
    return tuple(parts), tuple(problems)


def _alone(paragraph: str) -> re.Match[str] | None:
    """Matches a paragraph that is a block or a chart, or begins with a heading, or returns None."""
    block = _BLOCK.fullmatch(paragraph)
    return block or _HEADING_LINE.match(paragraph) or _CHART.fullmatch(paragraph)


def _from(start: int, where: Placing) -> Placing:
    """Returns a function that places parts of the text that begins at `start` of another text.

    `where` places parts of that other text.
    """
    return lambda begin, end: where(start + begin, start + end)


def _only_in_chapters(span: Span) -> Problem:
    message = "a heading, a chart or a figure stands on a card or in a scenario"
    expected = "paragraphs, tables, cutouts, examples and steps"
    return Problem("R211", message, span, expected, "move it to a chapter")
