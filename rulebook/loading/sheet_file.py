"""A page of notes in Markdown -> the nodes of a ruleset that is only a quick-reference sheet.

Headings become phases and panels, items of lists and paragraphs reminders, and tables record
tables, in the order of the page. Ids are made from titles. Settings stand between two lines of
hyphens at the head of the file: those of ruleset.yaml, and those of the sheet itself. A column of
values that are typed alike, `6"`, `12-24"`, `−1`, has their type; any other is a column of texts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

from rulebook.limits import LONGEST_LINE, MOST_ITEMS, beyond
from rulebook.loading.nodes import (
    Entry,
    MappingNode,
    Node,
    Scalar,
    SequenceNode,
    misshapen,
    unknown,
)
from rulebook.loading.overlays import RESERVED_ID
from rulebook.loading.safe_text import KEPT_FILES
from rulebook.loading.yaml_reader import read_yaml
from rulebook.model.cells import CELL_KINDS
from rulebook.model.entities import written_fields
from rulebook.model.header import Header, QrsSpec
from rulebook.model.record_tables import ROW_KEYS
from rulebook.model.scalars import id_from
from rulebook.problems import Problem, Span
from rulebook.quantities import QuantityError, as_meant, format_number

#: What a page of notes is read into.
HEADER, COLLECTIONS = "header", "collections"
#: Types of columns that are guessed, in this order.
_TYPES = ("target", "modifier", "length", "count", "band", "dice")
#: Cells to which nothing applies.
NOTHING = {"", "-", "–", "—", "−", "n/a", "N/A", "~"}

#: What may stand at the head of the file; first what is most wanted there.
_SETTINGS = tuple(dict.fromkeys(("title", *written_fields(QrsSpec), *written_fields(Header))))
_SETTING = re.compile(rf"(?:{'|'.join(_SETTINGS)}):(?: .*)?")
_NO_SPACE = re.compile(r" {0,3}(#{1,6})([^\W\d_].*)")
_RULE = re.compile(r"-{3,}[ \t]*")
HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*")
_ACROSS = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
ITEM = re.compile(r"([ \t]*)(?:[-*+•·–]|o(?=\t)|([0-9]{1,3})[.)])[ \t]+(?=\S)")
_BLOCK = re.compile(r"\{(table|steps|example|cutout):[ \t]*([A-Za-z0-9_-]+)[ \t]*\}")
_BOLD = re.compile(r"\*\*([^*]+)\*\*:?")
_CODE = re.compile(r"[ \t]*(?:`{3,}|~{3,})[^`]*")
_CELL = re.compile(r"(?:\\.|[^|\\])*")
_DASHES = re.compile(r"[ \t]*:?-+:?[ \t]*")
_REMARK = re.compile(r"<!--.*?-->", re.DOTALL)
_BREAK = re.compile(r"[ \t]*<br */?>[ \t]*", re.IGNORECASE)
_EMPHASIS = re.compile(r"(?<![^\s(])(\*{1,3}|`)(?=[^\s*`])([^*`]*)(?<=\S)\1(?![\w*`])")
_ESCAPE = re.compile(r"\\([\\`*_\[\]()#+.!|<>~-])")
#: Where each block of a panel is listed, in the order in which a panel is printed.
_LISTS = {
    "cutout": "cutouts",
    "say": "say",
    "steps": "procedures",
    "table": "tables",
    "example": "examples",
}

#: What is typed in a sentence, and how it is printed; code and addresses of links are left alone.
_AS_PRINTED = (
    (re.compile(r"(?<=[0-9½¼¾⅓⅔])(?:\"|''|”|“)"), "″"),
    (re.compile(r"(?<=[0-9½¼¾⅓⅔])['’](?!\w)"), "′"),
    (re.compile(r"(?<![\w-])([0-9]+[″½]?)-(?=[0-9]++(?!-))"), r"\1–"),
    (re.compile(r"(?<![\w–-])[-–](?=[0-9])"), "−"),
    (re.compile(r">="), "≥"),
    (re.compile(r"<="), "≤"),
    (re.compile(r"(?<![\w.])x(?=[0-9])"), "×"),
    (_BREAK, " "),
)
#: A brace that binds no value of a table, as {fire.rifle.short} does.
_BRACE = re.compile(r"(?<!\\)\{(?!\w+\.[^{}\s]+\})")
_LEFT_ALONE = re.compile(r"(`+[^`]*`+|\]\([^()]*\)|https?://\S+)")
#: Inches and spaces in whatever way they are typed.
_INCHES = re.compile(r"(?<=[0-9½¼¾⅓⅔]) ?(?:inch(?:es)?|in\b\.?)|[ \xa0]")
_DECIMAL = re.compile(r"[0-9]+\.[0-9]*[1-9]")


def printed(text: str) -> str:
    """Returns a sentence with its primes, minus signs and dashes as they are printed."""
    parts = _LEFT_ALONE.split(text)
    for number in range(0, len(parts), 2):
        for typed, sign in _AS_PRINTED:
            parts[number] = typed.sub(sign, parts[number])
    text = _BRACE.sub(r"\\{", "".join(parts))
    return f" {text}" if text.startswith("=") else text  # which would name a value


def type_of(texts: Sequence[str]) -> str:
    """Returns the type that all cells of a column have, as they are typed; else `text`.

    Cells to which nothing applies have any type.
    """
    return _typed(texts)[0]


def _typed(texts: Sequence[str]) -> tuple[str, list[str]]:
    """Returns the type of a column, and its cells as values of this type are written."""
    plain = [_plain(text) for text in texts]
    cells = {text for text in plain if text not in NOTHING}
    for kind in _TYPES if cells else ():
        found = {text: _meant(text, kind) for text in cells}
        if None not in found.values():
            return kind, ["~" if text in NOTHING else str(found[text]) for text in plain]
    return "text", ["~" if text in NOTHING else printed(text) for text in plain]


def _meant(text: str, kind: str) -> str | None:
    """Returns how a value of a type is written that prints as it is typed; None if it is none."""
    if len(text) > LONGEST_LINE:
        return None
    reader = CELL_KINDS[kind]
    plain = text.lower() if kind == "dice" else text
    for written in (plain, as_meant(plain, reader.read).removeprefix("write ")):
        with suppress(QuantityError):
            value = reader.read(written)
            return reader.write(value) if _shape(str(value)) == _shape(printed(text)) else None
    return None


def _shape(text: str) -> str:
    """Returns a value without what may be typed in several ways: inches, parts, +0, spaces."""
    text = _DECIMAL.sub(lambda found: format_number(Fraction(found[0])), text)
    text = "0" if text == "+0" else text
    return _INCHES.sub(lambda found: "″" if found[0].strip() else "", text).casefold()


def _plain(text: str) -> str:
    """Returns a title or a cell without marks of emphasis and code around its words."""
    text = _ESCAPE.sub(r"\1", _EMPHASIS.sub(r"\2", text))
    return _BREAK.sub(" ", text.replace("\xa0", " ")).strip()


def _text(text: str, span: Span) -> Scalar:
    return Scalar(text, False, span)


def _cell(text: str, span: Span) -> Scalar:
    return Scalar(text, text == "~", span)


def _entry(key: str, value: Node) -> Entry:
    return Entry(_text(key, value.span), value)


def _mapping(span: Span, values: Mapping[str, Node]) -> MappingNode:
    return MappingNode({key: _entry(key, value) for key, value in values.items()}, span)


@lru_cache(maxsize=KEPT_FILES)
def read_sheet(
    text: str, shown: str, name: str
) -> tuple[dict[str, MappingNode], tuple[Problem, ...]]:
    """Reads a page of notes; returns its HEADER and its COLLECTIONS, and the faults.

    `shown` is the path of the file in reports; `name` is that of the ruleset, from which its title
    is made if it has none.
    """
    page = _SheetPage(shown, *_without_remarks(text, shown))
    settings = page.settings()
    page.read("title" in settings.entries)
    title = settings.get("title") or page.title
    usual = _text(name.replace("-", " ").capitalize(), Span(shown))
    made = {
        HEADER: _header(settings, title or usual, shown),
        COLLECTIONS: page.collections(title if isinstance(title, Scalar) else usual),
    }
    return made, tuple(page.problems)


def _without_remarks(text: str, shown: str) -> tuple[list[str], list[Problem]]:
    """Returns the lines of a page with blanks for remarks, `<!-- ... -->`, and the faults."""
    text = _REMARK.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if (at := line.find("<!--")) >= 0:
            here = Span(shown, number + 1, at + 1, number + 1, at + 5)
            message, hint = "a remark that does not end", "write --> behind it"
            return lines, [Problem("R201", message, here, hint=hint)]
    return lines, []


def _header(settings: MappingNode, title: Node, shown: str) -> MappingNode:
    """Returns the settings as a header, with what no author of a mere sheet need write.

    Settings of the sheet itself are moved to where a ruleset has them; the number of columns is
    chosen unless it is given.
    """
    here = Span(shown)
    own = {"columns": _entry("columns", _text("any", here))} | {
        key: entry
        for key, entry in settings.entries.items()
        if key in QrsSpec.model_fields and key not in Header.model_fields
    }
    entries = {key: entry for key, entry in settings.entries.items() if key not in own}
    entries.setdefault("title", _entry("title", title))
    entries.setdefault("edition", _entry("edition", _text("1", here)))
    documents = settings.get("documents")
    if documents is None or isinstance(documents, MappingNode):
        made = dict(documents.entries) if documents else {}
        sheet = made["qrs"].value if "qrs" in made else MappingNode({}, here)
        if isinstance(sheet, MappingNode):  # else there is none
            made["qrs"] = _entry("qrs", MappingNode({**own, **sheet.entries}, here))
            entries["documents"] = _entry("documents", MappingNode(made, here))
    return MappingNode(entries, settings.span)


@dataclass(slots=True)
class _SheetTable:
    """A table in the making, with the notes below it."""

    title: Scalar | None
    head: list[Scalar]
    body: list[list[Scalar]]
    notes: list[Node] = field(default_factory=list)

    def node(self, usual: Scalar) -> MappingNode:
        """Makes a record table; the cells of the first column are the titles of its rows.

        Without a title of its own it is called as `usual`.
        """
        title = self.title or usual
        wide = max(map(len, [self.head, *self.body]))
        for row in (self.head, *self.body):
            row.extend([_text("", row[-1].span)] * (wide - len(row)))
        fields: dict[str, Node] = {}
        columns: dict[str, list[str]] = {}
        for column in range(1, wide):
            at = self.head[column]
            name = id_from(at.text, {*fields, *ROW_KEYS}, "column")
            kind, columns[name] = _typed([row[column].text for row in self.body])
            titled = {"type": _text(kind, at.span), "title": _title(at)}
            fields[name] = _mapping(at.span, titled)
        data: dict[str, Node] = {}
        for number, row in enumerate(self.body):
            cells: dict[str, Node] = {
                name: _cell(columns[name][number], cell.span)
                for name, cell in zip(columns, row[1:], strict=True)
            }
            key = id_from(row[0].text, data, "row")
            data[key] = _mapping(row[0].span, {"title": _title(row[0]), **cells})
        made: dict[str, Node] = {
            "title": title,
            "rows": _title(self.head[0]),
            "fields": _mapping(title.span, fields),
            "data": _mapping(title.span, data),
        }
        if self.notes:
            made["notes"] = SequenceNode(tuple(self.notes), self.notes[0].span)
        return _mapping(title.span, made)


def _title(cell: Scalar) -> Scalar:
    return _text(printed(_plain(cell.text)), cell.span)


@dataclass(slots=True)
class _SheetPanel:
    """A panel in the making, and its reminders and blocks by key; empty where it goes on."""

    title: Scalar
    parts: dict[str, list[Node]] = field(default_factory=dict)


@dataclass(slots=True)
class _SheetPart:
    """A part of the sheet in the making: a phase with its panels."""

    title: Scalar
    panels: list[_SheetPanel] = field(default_factory=list)


@dataclass
class _SheetPage:
    """The lines of a page without remarks, read in a single pass, and what becomes of them.

    `title` is its title if a single heading stands above all others, of the level `title_level`;
    `level` is that of phases, and all deeper ones are those of panels. `caption` is a line that is
    bold as a whole, with the reminder that it is if no table follows. The next line goes on with
    the last of `goes_on`; `notes` are those of the table above, if nothing else has come since.
    """

    shown: str
    lines: list[str]
    problems: list[Problem]
    line: int = 0
    title: Scalar | None = None
    title_level: int = 0
    level: int = 1
    phases: list[_SheetPart] = field(default_factory=list)
    tables: dict[str, _SheetTable] = field(default_factory=dict)
    caption: tuple[Scalar, Scalar] | None = None
    goes_on: list[Node] | None = None
    notes: list[Node] | None = None

    def settings(self) -> MappingNode:
        """Reads the settings between lines of hyphens at the head of the file."""
        empty = MappingNode({}, Span(self.shown))
        while self.line < len(self.lines) and not self.lines[self.line].strip():
            self.line += 1
        if self.line == len(self.lines):
            return empty
        begun = bool(_RULE.fullmatch(self.lines[self.line]))
        if not begun and not _SETTING.fullmatch(self.lines[self.line]):
            return empty
        later = range(self.line + 1, len(self.lines))
        end = next((end for end in later if _RULE.fullmatch(self.lines[end])), None)
        if not begun or end is None:
            where = "below the last of them" if begun else "above the first of them"
            message = "settings that do not end" if begun else "settings that do not begin"
            self._slip(self.line, message, f"write --- {where}")
            self.line = self.line if end is None else end + 1
            return empty
        inside = self.lines[self.line + 1 : end]
        above = [""] * (self.line + 1)  # so that lines are numbered as in the file
        self.line = end + 1
        if all(line.lstrip()[:1] in ("", "#") for line in inside):
            return empty
        root, faults = read_yaml("\n".join([*above, *inside]), self.shown)
        self.problems += faults
        if isinstance(root, MappingNode):
            for name, entry in root.entries.items():
                if name not in _SETTINGS:
                    fault = unknown("R201", "setting", name, _SETTINGS, entry.key.span)
                    self.problems.append(fault)
            known = {name: root.entries[name] for name in root.entries if name in _SETTINGS}
            return MappingNode(known, root.span)
        if root is None:
            return empty
        expected = "settings such as title: My game"
        self.problems.append(misshapen(root, "above the page", expected))
        return empty

    def read(self, titled: bool) -> None:
        """Reads all lines below the settings, which may have `titled` the page."""
        self._find_levels(titled)
        while self.line < len(self.lines):
            at, line = self.line, self.lines[self.line]
            self.line += 1
            if level := self._level(at):
                self._begin(level, at)
            elif not line.strip() or _ACROSS.fullmatch(line):
                self.goes_on = None
            elif _CODE.fullmatch(line):
                self._add_code(at)
            elif table := self._table(at):
                self.line = at + table[0]
                self._add_table(at, *table[1:])
            else:
                self._add_line(at, line)
        self._drop_caption()

    def _find_levels(self, titled: bool) -> None:
        levels, in_code = [], False
        for at in range(self.line, len(self.lines)):
            in_code ^= bool(_CODE.fullmatch(self.lines[at]))
            if not in_code and (level := self._level(at)):
                levels.append(level)
        self.level = min(levels, default=1)
        deeper = [level for level in levels if level > self.level]
        if deeper and not titled and levels[0] == self.level and levels.count(self.level) == 1:
            self.title_level, self.level = self.level, min(deeper)

    def _level(self, at: int) -> int:
        """Returns the level of the heading in a line, 0 if there is none."""
        line = self.lines[at]
        if match := HEADING.fullmatch(line):
            return len(match[1])
        below = self.lines[at + 1] if at + 1 < len(self.lines) else ""
        match = UNDERLINE.fullmatch(below) if line.strip() and "|" not in line else None
        before = self.lines[at - 1] if at else ""
        apart = not before.strip() or UNDERLINE.fullmatch(before)
        if match is None or not apart or ITEM.match(line) or UNDERLINE.fullmatch(line):
            return 0
        return 1 if "=" in match[1] else 2

    def _begin(self, level: int, at: int) -> None:
        """Begins a phase or a panel with the heading in a line."""
        self._drop_caption()
        self.goes_on = self.notes = None
        match = HEADING.fullmatch(self.lines[at])
        if match is None:
            self.line += 1  # that which underlines it
        words = match[2] if match else self.lines[at].strip()
        start = match.start(2) if match else self.lines[at].find(words)
        title = _text(printed(_plain(words)), self._span(at, start, start + len(words)))
        if not title.text:
            return
        if level == self.title_level:
            self.title = title
        elif level <= self.level or not self.phases:
            self.phases.append(_SheetPart(title))
        else:
            self.phases[-1].panels.append(_SheetPanel(title))

    def _part(self, at: int, kind: str) -> list[Node]:
        """Returns the list to which a part of a panel belongs that stands in a line.

        What a panel prints above something that it has already begins a panel without a title.
        """
        here = self._span(at)
        if not self.phases:
            self.phases.append(_SheetPart(_text("", here)))
        panels = self.phases[-1].panels
        order = [*_LISTS.values()]
        later = order[order.index(_LISTS[kind]) + 1 :]
        if not panels or any(key in panels[-1].parts for key in later):
            panels.append(_SheetPanel(_text("", here)))
        return panels[-1].parts.setdefault(_LISTS[kind], [])

    def _add_line(self, at: int, line: str) -> None:
        """Adds a line of text: a reminder, what goes on with one, or a block in braces."""
        item = ITEM.match(line)
        start = item.end() if item else len(line) - len(line.lstrip())
        words = line[start:].strip()
        here = self._span(at, start, start + len(words))
        if block := _BLOCK.fullmatch(words):
            self._drop_caption()
            self.goes_on = self.notes = None
            self._part(at, block[1]).append(_text(block[2].replace("-", "_"), here))
            return
        bold = None if item else _BOLD.fullmatch(words)
        if bold and (self.goes_on is None or self._begins_table(at + 1)):
            self._drop_caption()
            self.goes_on = self.notes = None
            self.caption = _text(printed(bold[1].strip()), here), _text(printed(words), here)
            return
        self._drop_caption()
        if unspaced := _NO_SPACE.fullmatch(line):
            hint = f"write '{unspaced[1]} {unspaced[2]:.40}'"
            self._slip(at, "a heading without a space behind its sign", hint)
        text = printed(words)
        if item:
            inside = self.goes_on is not None and len(item[1].expandtabs(4)) >= 2
            within = "– " if inside else ""
            text = f"{within}{item[2]}\\. {text}" if item[2] else within + text
            self.goes_on = self.notes = None
        self._add_text(at, text, here)

    def _add_text(self, at: int, text: str, here: Span) -> None:
        """Adds a reminder or a note of the table above, or goes on with the last one."""
        if self.goes_on is not None and isinstance(last := self.goes_on[-1], Scalar):
            begun = last.span
            whole = Span(self.shown, begun.line, begun.column, here.end_line, here.end_column)
            self.goes_on[-1] = _text(f"{last.text} {text}", whole)
            return
        self.goes_on = self._part(at, "say") if self.notes is None else self.notes
        self.goes_on.append(_text(text, here))

    def _slip(self, at: int, message: str, hint: str) -> None:
        """Adds the fault of a line that is not what it looks like."""
        here = self._span(at, 0, len(self.lines[at]))
        self.problems.append(Problem("R201", message, here, hint=hint))

    def _add_code(self, at: int) -> None:
        """Adds the lines between two lines of backquotes as reminders, just as they are."""
        self._drop_caption()
        self.notes = None
        while self.line < len(self.lines) and not _CODE.fullmatch(self.lines[self.line]):
            line, self.goes_on = self.lines[self.line], None
            if line.strip():
                here = self._span(self.line, 0, len(line))
                self._add_text(self.line, _BRACE.sub(r"\\{", f"`` {line.strip()} ``"), here)
            self.line += 1
        self.line, self.goes_on = self.line + 1, None

    def _drop_caption(self) -> None:
        """Makes a reminder of a bold line that no table follows."""
        caption, self.caption = self.caption, None
        if caption is not None:
            self._part(caption[0].span.line - 1, "say").append(caption[1])

    def _begins_table(self, at: int) -> bool:
        return at < len(self.lines) and self._table(at) is not None

    def _table(self, at: int) -> tuple[int, list[Scalar], list[list[Scalar]]] | None:
        """Returns how many lines the table takes that begins in a line, its head and its rows.

        Returns None if none begins there. A table without a head begins with a bar.
        """
        rows: list[list[Scalar]] = []
        for number in range(at, len(self.lines)):
            line = self.lines[number]
            barred = line.lstrip().startswith("|")
            other = ITEM.match(line) or _CODE.match(line) or self._level(number)
            if "|" not in line or (other and not barred):
                break
            rows.append(self._cells(number))
        dashed = [all(_DASHES.fullmatch(cell.text) for cell in row) for row in rows]
        headed = dashed[1:2] == [True] and not dashed[0]
        if not headed and not (rows and self.lines[at].lstrip().startswith("|")):
            return None
        below = zip(rows[headed:], dashed[headed:], strict=True)
        body = [row for row, dashes in below if not dashes and any(cell.text for cell in row)]
        return len(rows), rows[0] if headed else [], body

    def _cells(self, at: int) -> list[Scalar]:
        """Returns the cells of a line of a table."""
        line = self.lines[at]
        inner = line.strip()
        begin = line.find(inner) + inner.startswith("|")
        ends = inner.endswith("|") and not inner.endswith("\\|") and len(inner) > 1
        end = line.find(inner) + len(inner) - ends
        cells: list[Scalar] = []
        while begin <= end:
            match = _CELL.match(line, begin, end)
            stop = match.end() if match else end
            words = line[begin:stop]
            start = begin + len(words) - len(words.lstrip())
            text = words.strip()
            cells.append(_text(text, self._span(at, start, start + max(1, len(text)))))
            begin = stop + 1
        return cells

    def _add_table(self, at: int, head: list[Scalar], body: list[list[Scalar]]) -> None:
        """Adds a table to the panel; one of a single column, or of a head alone, is a list."""
        caption, self.caption = self.caption, None
        self.goes_on = self.notes = None
        if len(body) > MOST_ITEMS:
            self.problems.append(beyond(MOST_ITEMS, "rows in a table", self._span(at)))
            return
        if max(map(len, [head, *body])) < 2 or not body:
            say = self._part(at, "say")
            say += [caption[1]] if caption else []
            for cell in (cell for row in (head, *body) for cell in row if cell.text):
                bold = "**" if cell in head and "**" not in cell.text else ""
                say.append(_text(f"{bold}{printed(cell.text)}{bold}", cell.span))
            return
        listed = self._part(at, "table")
        above = self.phases[-1]
        titles = [*(panel.title for panel in reversed(above.panels)), above.title]
        title = caption[0] if caption else next((each for each in titles if each.text), self.title)
        here = title.span if title else self._span(at)
        name = id_from(title.text if title else "", {*self.tables, RESERVED_ID}, "table")
        listed.append(_text(name, here))
        for row in body if head else ():
            if len(row) != len(head):
                self._warn_of_row(row, len(head))
        head = head or [_text("", self._span(at))]
        self.tables[name] = _SheetTable(title, head, body)
        self.notes = self.tables[name].notes

    def _warn_of_row(self, row: list[Scalar], columns: int) -> None:
        first, last = row[0].span, row[-1].span
        here = replace(first, end_column=last.end_column)
        message = f"{len(row)} cells in a row of a table with {columns} columns"
        hint = "leave a cell empty where nothing applies, and write \\| for a bar in a cell"
        expected = f"{columns} cells"
        self.problems.append(Problem("R204", message, here, expected, hint, severity="warning"))

    def collections(self, title: Scalar) -> MappingNode:
        """Returns the sequence and the tables of the page; adds a fault for each empty heading.

        `title` is that of the sheet, for what stands under no heading.
        """
        here = Span(self.shown)
        sequence: dict[str, Node] = {}
        for phase in self.phases:
            whole = [panel for panel in phase.panels if panel.parts]
            empty = [panel.title for panel in phase.panels if not panel.parts]
            self._refuse(empty if whole else [*empty, phase.title])
            steps: dict[str, Node] = {}
            for panel in whole:
                lists: dict[str, Node] = {
                    key: SequenceNode(tuple(items), items[0].span)
                    for key, items in panel.parts.items()
                }
                name = id_from(panel.title.text, steps, "panel")
                steps[name] = _mapping(panel.title.span, {"title": panel.title, **lists})
            made: dict[str, Node] = {
                "title": phase.title if phase.title.text else title,
                "numbered": _text("false", phase.title.span),
                "steps": _mapping(phase.title.span, steps),
            }
            # A table in YAML may be called like the phase that it stands in.
            name = id_from(f"{phase.title.text} phase", sequence, "a")
            sequence[name] = _mapping(phase.title.span, made)
        tables: dict[str, Node] = {name: table.node(title) for name, table in self.tables.items()}
        found = {"sequence": sequence, "tables": tables}
        return _mapping(
            here, {key: _mapping(here, things) for key, things in found.items() if things}
        )

    def _refuse(self, headings: Collection[Scalar]) -> None:
        for heading in headings:
            hint = "write something below it, or delete it"
            message = "nothing stands below this heading"
            self.problems.append(Problem("R410", message, heading.span, hint=hint))

    def _span(self, at: int, start: int = 0, end: int = 1) -> Span:
        return Span(self.shown, at + 1, start + 1, at + 1, max(end, start + 1) + 1)
