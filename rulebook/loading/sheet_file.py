"""A page of notes in Markdown -> the nodes of a ruleset that is only a quick-reference sheet.

Headings become phases and panels, items of lists and paragraphs reminders, and tables record
tables, in the order of the page. Ids are made from titles. Settings stand between two lines of
hyphens at the head of the file: those of ruleset.yaml, and those of the sheet itself. Values are
typed as players type them, `6"`, `12-24"`, `−1`; a column of values of one type has that type, and
any other is a column of texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from rulebook.limits import MOST_ITEMS, beyond
from rulebook.loading.nodes import Entry, MappingNode, Node, Scalar, SequenceNode, misshapen
from rulebook.loading.safe_text import KEPT_FILES
from rulebook.loading.yaml_reader import read_yaml
from rulebook.model.cells import CELL_KINDS
from rulebook.model.header import Header, QrsSpec
from rulebook.model.record_tables import ROW_KEYS
from rulebook.model.scalars import id_from
from rulebook.problems import Problem, Span
from rulebook.quantities import QuantityError, as_meant

#: What a page of notes is read into.
HEADER, COLLECTIONS = "header", "collections"
#: Types of columns that are guessed, in this order, from how all cells are typed.
_TYPES = ("target", "modifier", "length", "count", "band", "dice")
#: Cells to which nothing applies.
NOTHING = {"", "-", "–", "—", "−", "n/a", "N/A", "~"}

_FENCE = re.compile(r"-{3,}[ \t]*")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*")
_ACROSS = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_ITEM = re.compile(r"([ \t]*)(?:[-*+•]|([0-9]{1,3})[.)])[ \t]+(?=\S)")
_BLOCK = re.compile(r"\{(table|steps|example|cutout):[ \t]*([A-Za-z0-9_-]+)[ \t]*\}")
_BOLD = re.compile(r"\*\*([^*]+)\*\*:?")
_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*|[^|]*[^|\\]\|[^|].*")
_CELL = re.compile(r"(?:\\.|[^|\\])*")
_DASHES = re.compile(r"[ \t]*:?-+:?[ \t]*")
_EMPHASIS = re.compile(r"(\*{1,3}|_{1,3}|`)(?=\S)([^*`]*?\S)\1(?!\w)")
#: A fraction in one character.
_FRACTION = re.compile("[½¼¾⅓⅔⅛⅜⅝⅞]")
_BREAK = re.compile(r"[ \t]*<br */?>[ \t]*")
#: Where each block of a panel is listed.
_LISTS = {"table": "tables", "steps": "procedures", "example": "examples", "cutout": "cutouts"}

#: What is typed in a sentence, and how it is printed; code and addresses of links are left alone.
_AS_PRINTED = (
    (re.compile(r"(?<=[0-9½¼¾⅓⅔])(?:\"|''|”|“)"), "″"),
    (re.compile(r"(?<=[0-9½¼¾⅓⅔])['’](?!\w)"), "′"),
    (re.compile(r"(?<=[0-9″½])-(?=[0-9])"), "–"),
    (re.compile(r"(?<![\w–-])-(?=[0-9])"), "−"),
)
#: A brace that binds no value of a table, as {fire.rifle.short} does.
_BRACE = re.compile(r"(?<!\\)\{(?!\w+\.[^{}]+\})")
_LEFT_ALONE = re.compile(r"(`+[^`]*`+|\]\([^()]*\)|https?://\S+)")


def printed(text: str) -> str:
    """Returns a sentence with its primes, minus signs and dashes as they are printed."""
    parts = _LEFT_ALONE.split(text)
    for number in range(0, len(parts), 2):
        for typed, sign in _AS_PRINTED:
            parts[number] = typed.sub(sign, parts[number])
    return _BRACE.sub(r"\\{", "".join(parts))


def type_of(texts: Sequence[str]) -> str:
    """Returns the type that all cells of a column have, as they are typed; else `text`.

    Cells to which nothing applies have any type.
    """
    cells = [text for text in map(_plain, texts) if text not in NOTHING]
    kinds = (kind for kind in _TYPES if all(_meant(text, kind) is not None for text in cells))
    return next(kinds, "text") if cells else "text"


def _meant(text: str, kind: str) -> str | None:
    """Returns how a value of a type is written, for one typed as in books; None if it is none."""
    text = _FRACTION.sub(
        lambda found: f" {Fraction(unicodedata.numeric(found[0])).limit_denominator(8)}", text
    ).strip()
    if kind == "dice":
        text = text.lower()
    for written in (text, as_meant(text, CELL_KINDS[kind].read).removeprefix("write ")):
        with suppress(QuantityError):
            CELL_KINDS[kind].read(written)
            return written
    return None


def _written(text: str, kind: str) -> str:
    plain = _plain(text)
    if plain in NOTHING:
        return "~"
    return printed(plain) if kind == "text" else _meant(plain, kind) or plain


def _plain(text: str) -> str:
    """Returns a title or a cell without marks of emphasis and code around its words."""
    return _EMPHASIS.sub(r"\2", text).replace("\xa0", " ").strip()


def _text(text: str, span: Span) -> Scalar:
    return Scalar(text, True, span)


def _entry(key: str, value: Node, span: Span | None = None) -> Entry:
    return Entry(_text(key, span or value.span), value)


def _mapping(span: Span, **values: Node) -> MappingNode:
    return MappingNode({key: _entry(key, value) for key, value in values.items()}, span)


def _with_text(scalar: Scalar, text: str) -> Scalar:
    return Scalar(text, text == "~", scalar.span)


@lru_cache(maxsize=KEPT_FILES)
def read_sheet(
    text: str, shown: str, name: str
) -> tuple[dict[str, MappingNode], tuple[Problem, ...]]:
    """Reads a page of notes; returns its HEADER and its COLLECTIONS, and the faults.

    `shown` is the path of the file in reports; `name` is that of the ruleset, from which its title
    is made if it has none.
    """
    reader = _Reader(text.splitlines(), shown)
    settings = reader.settings()
    reader.read()
    usual = reader.title or _text(name.replace("-", " ").capitalize(), Span(shown))
    title = settings.get("title") or usual
    made = {
        HEADER: reader.header(settings, title),
        COLLECTIONS: reader.collections(title if isinstance(title, Scalar) else usual),
    }
    return made, tuple(reader.problems)


@dataclass(slots=True)
class _SheetPanel:
    """A panel in the making: the place of its title, and its reminders and blocks by key."""

    title: Scalar
    parts: dict[str, list[Node]] = field(default_factory=dict)


@dataclass(slots=True)
class _SheetPart:
    title: Scalar
    panels: list[_SheetPanel] = field(default_factory=list)


@dataclass
class _Reader:
    """Reads the lines of one file in a single pass."""

    lines: list[str]
    shown: str
    line: int = 0
    problems: list[Problem] = field(default_factory=list)
    headings: list[tuple[int, Scalar]] = field(default_factory=list)
    phases: list[_SheetPart] = field(default_factory=list)
    tables: dict[str, Entry] = field(default_factory=dict)
    #: Levels of headings: that of phases, all deeper ones being those of panels.
    level: int = 1
    #: A line that is bold as a whole, if the next thing may be a table of that title.
    caption: Scalar | None = None
    #: The reminders or notes of which the next line goes on with the last, and the notes of the
    #: table above, if nothing but notes has come since.
    goes_on: list[Node] | None = None
    notes: list[Node] | None = None
    #: The notes of each table, by its id.
    notes_of: dict[str, list[Node]] = field(default_factory=dict)

    def settings(self) -> MappingNode:
        """Reads the settings between lines of hyphens at the head of the file."""
        empty = MappingNode({}, Span(self.shown))
        while self.line < len(self.lines) and not self.lines[self.line].strip():
            self.line += 1
        if self.line == len(self.lines) or not _FENCE.fullmatch(self.lines[self.line]):
            return empty
        later = range(self.line + 1, len(self.lines))
        end = next((end for end in later if _FENCE.fullmatch(self.lines[end])), None)
        if end is None:
            message, hint = "settings that do not end", "write --- below the last of them"
            self.problems.append(Problem("R201", message, self._span(self.line), hint=hint))
            return empty
        above = [""] * (self.line + 1)  # so that lines are numbered as in the file
        root, faults = read_yaml("\n".join([*above, *self.lines[self.line + 1 : end]]), self.shown)
        self.problems += faults
        self.line = end + 1
        if root is None or isinstance(root, MappingNode):
            return root or empty
        if not (isinstance(root, Scalar) and root.nothing):
            expected = "settings such as title: My game"
            self.problems.append(misshapen(root, "above the page", expected))
        return empty

    def header(self, settings: MappingNode, title: Node) -> MappingNode:
        """Returns the settings as a header, with what no author of a mere sheet need write.

        Settings of the sheet itself are moved to where a ruleset has them.
        """
        here = Span(self.shown)
        own = {
            key: entry
            for key, entry in settings.entries.items()
            if key in QrsSpec.model_fields and key not in Header.model_fields
        }
        entries = {key: entry for key, entry in settings.entries.items() if key not in own}
        entries.setdefault("title", _entry("title", title))
        entries.setdefault("edition", _entry("edition", _text("1", here)))
        documents = settings.get("documents")
        if own and (documents is None or isinstance(documents, MappingNode)):
            made = dict(documents.entries) if documents else {}
            sheet = made["qrs"].value if "qrs" in made else MappingNode({}, here)
            if isinstance(sheet, MappingNode):
                made["qrs"] = _entry("qrs", MappingNode({**own, **sheet.entries}, here))
            entries["documents"] = _entry("documents", MappingNode(made, here))
        return MappingNode(entries, settings.span)

    title: Scalar | None = None

    def read(self) -> None:
        """Reads all lines below the settings."""
        self._find_levels()
        while self.line < len(self.lines):
            at, line = self.line, self.lines[self.line]
            self.line += 1
            if found := self._heading(at):
                level, title = found
                self._begin(level, title)
                continue
            if remark := self._remark(at):
                self.line = at + remark
                continue
            if not line.strip() or _ACROSS.fullmatch(line):
                self.goes_on = None
                continue
            if rows := self._table(at):
                self.line = at + len(rows)
                self._add_table(at, rows)
                continue
            self._add_line(at, line)
        self._drop_caption()

    def _remark(self, at: int) -> int:
        """Returns how many lines the remark takes that begins in a line: 0 if none does.

        A remark stands between `<!--` and `-->`, alone on its lines, and is not printed.
        """
        if not self.lines[at].lstrip().startswith("<!--"):
            return 0
        later = range(at, len(self.lines))
        end = next((end for end in later if self.lines[end].rstrip().endswith("-->")), None)
        if end is None:
            message, hint = "a remark that does not end", "write --> behind it"
            self.problems.append(Problem("R201", message, self._span(at), hint=hint))
        return 1 if end is None else end - at + 1

    def _find_levels(self) -> None:
        """Finds out which level of headings is that of phases.

        A single heading above all others is the title of the sheet.
        """
        levels = [level for at in range(self.line, len(self.lines)) if (level := self._level(at))]
        self.level = min(levels, default=1)
        if levels[:1] == [self.level] and levels.count(self.level) == 1 and len(levels) > 1:
            deeper = [level for level in levels if level > self.level]
            self.title_level, self.level = self.level, min(deeper)

    title_level: int = 0

    def _level(self, at: int) -> int:
        """Returns the level of the heading in a line, 0 if there is none."""
        line = self.lines[at]
        if match := _HEADING.fullmatch(line):
            return len(match[1])
        below = self.lines[at + 1] if at + 1 < len(self.lines) else ""
        match = _UNDERLINE.fullmatch(below) if line.strip() and "|" not in line else None
        before = self.lines[at - 1] if at else ""
        plain = match and not _ITEM.match(line) and not _FENCE.fullmatch(line)
        if match and plain and (not before.strip() or self._is_underline(at - 1)):
            return 1 if "=" in match[1] else 2
        return 0

    def _is_underline(self, at: int) -> bool:
        return bool(_UNDERLINE.fullmatch(self.lines[at]))

    def _heading(self, at: int) -> tuple[int, Scalar] | None:
        level = self._level(at)
        if not level:
            return None
        match = _HEADING.fullmatch(self.lines[at])
        words = match[2] if match else self.lines[at].strip()
        if match is None:
            self.line += 1  # that which underlines it
        start = self.lines[at].find(words)
        return level, self._scalar(printed(_plain(words)), at, start, start + len(words))

    def _begin(self, level: int, title: Scalar) -> None:
        """Begins a phase or a panel; a heading without words is passed over."""
        self._drop_caption()
        self.goes_on = self.notes = None
        if not title.text:
            return
        if level == self.title_level and self.title is None and not self.phases:
            self.title = title
        elif level <= self.level or not self.phases:
            self.phases.append(_SheetPart(title))
        else:
            self.phases[-1].panels.append(_SheetPanel(title))

    def _panel(self, at: int, *, after_tables: bool = True) -> _SheetPanel:
        """Returns the panel to which something in a line belongs.

        Text behind a table begins a panel without a title, so that it stays behind.
        """
        if not self.phases:
            self.phases.append(_SheetPart(self.title or self._scalar("", at, 0, 1)))
        phase = self.phases[-1]
        if not phase.panels:
            phase.panels.append(_SheetPanel(_with_text(phase.title, "")))
        if not after_tables and set(phase.panels[-1].parts) - {"say"}:
            phase.panels.append(_SheetPanel(_with_text(phase.panels[-1].title, "")))
        return phase.panels[-1]

    def _add_line(self, at: int, line: str) -> None:
        """Adds a line of text: a reminder, what goes on with one, or a block in braces."""
        item = _ITEM.match(line)
        words = line[item.end() :] if item else line.strip().lstrip("> ")
        block = _BLOCK.fullmatch(words.strip())
        bold = _BOLD.fullmatch(words.strip())
        start = line.find(words)
        if block:
            self._drop_caption()
            self.goes_on = self.notes = None
            place = self._scalar(block[2].replace("-", "_"), at, start, len(line.rstrip()))
            self._panel(at).parts.setdefault(_LISTS[block[1]], []).append(place)
            return
        if bold and not item and self.goes_on is None:
            self._drop_caption()
            self.notes = None
            self.caption = self._scalar(printed(bold[1].strip()), at, start, len(line.rstrip()))
            return
        self._drop_caption()
        text = printed(words.strip())
        if not text:
            return
        if item:
            within = "– " if len(item[1].expandtabs(4)) >= 2 else ""
            text = f"{within}{item[2]}. {text}" if item[2] else within + text
            text = re.sub(r"^((?:– )?[0-9]+)\.", r"\1\\.", text)
        self.notes = None if item else self.notes
        made = self._scalar(text, at, start, len(line.rstrip()))
        lines = None if item else self.goes_on
        if lines is None:
            lines = self.notes
            if lines is None:
                lines = self._panel(at, after_tables=False).parts.setdefault("say", [])
            lines.append(made)
        elif isinstance(last := lines[-1], Scalar):
            joined = Span(
                self.shown,
                last.span.line,
                last.span.column,
                made.span.end_line,
                made.span.end_column,
            )
            lines[-1] = Scalar(f"{last.text} {text}", False, joined)
        self.goes_on = lines

    def _drop_caption(self) -> None:
        """Makes a reminder of a bold line that no table follows."""
        caption, self.caption = self.caption, None
        if caption is not None:
            say = self._panel(caption.span.line - 1, after_tables=False).parts.setdefault("say", [])
            say.append(_with_text(caption, f"**{caption.text}**"))

    def _table(self, at: int) -> list[list[Scalar]]:
        """Returns the rows of the table that begins in a line, that of the dashes left out as ().

        They are empty if none begins there.
        """
        below = self.lines[at + 1] if at + 1 < len(self.lines) else ""
        if "|" not in self.lines[at] or "|" not in below + self.lines[at]:
            return []
        dashes = [cell.text for cell in self._cells(at + 1)] if "-" in below else []
        if not dashes or not all(map(_DASHES.fullmatch, dashes)):
            return []
        rows = [self._cells(at), []]
        for number in range(at + 2, len(self.lines)):
            if "|" not in self.lines[number]:
                break
            rows.append(self._cells(number))
        return rows

    def _cells(self, at: int) -> list[Scalar]:
        """Returns the cells of a line of a table."""
        line = self.lines[at]
        inner = line.strip()
        begin = line.find(inner) + inner.startswith("|")
        ends = inner.endswith("|") and not inner.endswith("\\|")
        end = line.find(inner) + len(inner) - (ends and len(inner) > 1)
        cells: list[Scalar] = []
        while begin <= end:
            match = _CELL.match(line, begin, end)
            stop = match.end() if match else end
            words = line[begin:stop]
            text = _BREAK.sub(" ", words.strip().replace("\\|", "|"))
            start = begin + len(words) - len(words.lstrip())
            cells.append(self._scalar(text, at, start, start + len(words.strip())))
            begin = stop + 1
        return cells

    def _add_table(self, at: int, rows: list[list[Scalar]]) -> None:
        """Adds a table of the given rows to the panel; one of a single column is a list."""
        head, *body = [row for row in rows if row]
        body = [row for row in body if any(cell.text for cell in row)]
        caption, self.caption = self.caption, None
        self.goes_on = self.notes = None
        if len(body) > MOST_ITEMS:
            self.problems.append(beyond(MOST_ITEMS, "rows in a table", self._span(at)))
            return
        wide = max(map(len, [head, *body]))
        if wide == 1 or not body:
            self._add_list(at, caption, [head, *body])
            return
        panel = self._panel(at)
        titles = [caption] if caption else [each.title for each in reversed(self.phases[-1].panels)]
        titles += [self.phases[-1].title, *([self.title] if self.title else [])]
        title = next((each for each in titles if each.text), _with_text(panel.title, "Table"))
        name = id_from(title.text, self.tables, "table")
        panel.parts.setdefault("tables", []).append(_with_text(title, name))
        self.tables[name] = _entry(name, self._record_table(title, head, body, wide), title.span)
        self.notes = self.notes_of[name] = []

    def _add_list(self, at: int, caption: Scalar | None, rows: list[list[Scalar]]) -> None:
        say = self._panel(at, after_tables=False).parts.setdefault("say", [])
        if caption is not None:
            say.append(_with_text(caption, f"**{caption.text}**"))
        for number, row in enumerate(rows):
            for cell in row:
                if cell.text:
                    bold = "**" if number == 0 and "**" not in cell.text else ""
                    say.append(_with_text(cell, f"{bold}{printed(cell.text)}{bold}"))

    def _record_table(
        self, title: Scalar, head: list[Scalar], body: list[list[Scalar]], wide: int
    ) -> MappingNode:
        """Makes a record table; the cells of its first column are the titles of its rows."""
        names: dict[str, Scalar] = {}
        for column in range(1, wide):
            at = head[column] if column < len(head) else _with_text(head[-1], "")
            names[id_from(at.text, {*names, *ROW_KEYS}, "column")] = at
        columns = [
            [row[column] if column < len(row) else _with_text(row[-1], "") for row in body]
            for column in range(1, wide)
        ]
        types = list(map(type_of, ([cell.text for cell in cells] for cells in columns)))
        fields = {
            name: _mapping(
                at.span, type=_text(kind, at.span), title=_with_text(at, printed(_plain(at.text)))
            )
            for (name, at), kind in zip(names.items(), types, strict=True)
        }
        data: dict[str, Entry] = {}
        for number, row in enumerate(body):
            label = row[0]
            key = id_from(label.text, data, "row")
            cells = {
                name: _with_text(cell := cells[number], _written(cell.text, kind))
                for name, cells, kind in zip(names, columns, types, strict=True)
            }
            titled = {"title": _with_text(label, printed(_plain(label.text)))}
            data[key] = _entry(key, _mapping(label.span, **titled, **cells), label.span)
        made: dict[str, Node] = {
            "title": title,
            "rows": _with_text(head[0], printed(_plain(head[0].text))),
            "fields": MappingNode({n: _entry(n, f) for n, f in fields.items()}, title.span),
            "data": MappingNode(data, title.span),
        }
        return _mapping(title.span, **made)

    def collections(self, title: Scalar) -> MappingNode:
        """Returns the sequence and the tables of the page, without empty phases.

        `title` is that of the sheet, for what stands under no heading.
        """
        here = Span(self.shown)
        sequence: dict[str, Entry] = {}
        for phase in self.phases:
            panels = [panel for panel in phase.panels if panel.parts]
            if not panels:
                continue
            steps: dict[str, Entry] = {}
            for panel in panels:
                name = id_from(panel.title.text, steps, "panel")
                lists = {
                    key: SequenceNode(tuple(items), items[0].span)
                    for key, items in panel.parts.items()
                }
                titled = _with_text(panel.title, panel.title.text)
                steps[name] = _entry(name, _mapping(titled.span, title=titled, **lists))
            # A table in YAML may be called like the phase that it stands in.
            name = id_from(f"{phase.title.text} phase", sequence, "a")
            made: dict[str, Node] = {
                "title": phase.title if phase.title.text else title,
                "numbered": _text("false", phase.title.span),
                "steps": MappingNode(steps, phase.title.span),
            }
            sequence[name] = _entry(name, _mapping(phase.title.span, **made), phase.title.span)
        for name, notes in self.notes_of.items():
            table = self.tables[name].value
            if notes and isinstance(table, MappingNode):
                listed = _entry("notes", SequenceNode(tuple(notes), notes[0].span))
                whole = MappingNode({**table.entries, "notes": listed}, table.span)
                self.tables[name] = Entry(self.tables[name].key, whole)
        found = {"sequence": sequence, "tables": self.tables}
        return MappingNode(
            {
                key: _entry(key, MappingNode(things, here))
                for key, things in found.items()
                if things
            },
            here,
        )

    def _span(self, at: int, start: int = 0, end: int = 1) -> Span:
        return Span(self.shown, at + 1, start + 1, at + 1, end + 1)

    def _scalar(self, text: str, at: int, start: int, end: int) -> Scalar:
        return Scalar(text, False, self._span(at, max(start, 0), max(end, start + 1)))
