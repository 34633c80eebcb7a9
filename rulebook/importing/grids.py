"""Cells in rows and columns -> headings, tables with their heads, and sentences.

A tab of a workbook holds whatever its author set side by side. It is cut at empty rows and columns
into blocks, and each block is looked at: lines above a table are its title, rows of words over
columns of values its head, lines below it notes, and a column by itself is a list.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulebook.importing.pages import (
    Heading,
    Page,
    PageTable,
    Part,
    Sentences,
    Value,
    items,
    numbered,
    paragraphs,
    plain,
    without_bullet,
)
from rulebook.loading.sheet_file import NOTHING, type_of
from rulebook.loading.workbooks import Area, ShownCell, Tab, expect_few
from rulebook.typed_forms import MONTHS

#: A longer text is a sentence, and no title or head of a column.
_LONGEST_TITLE = 60
_SENTENCE = re.compile(r".*\s.*[.!?;]['\"”’)]*", re.DOTALL)
_NOTE = re.compile(r"[*†‡§¹²³#]|\(?[0-9a-z][)*]|(?:notes?|n\.b|nb)\b", re.IGNORECASE)
_MOST_HEADS = 3
#: More characters in all of what stands over several columns crowd their heads.
_MOST_REPEATED = 50
#: The level of a line by itself, until it is known what it stands above.
_BY_ITSELF = 0


def add_tab(page: Page, tab: Tab) -> None:
    """Adds what stands in a tab to a page, with the doubts about it."""
    expect_few(tab, page.source)
    for place, what in tab.left_out:
        page.doubt(place, f"{what} is left out")
    for axis, kind, hidden in ((0, "row", tab.hidden_rows), (1, "column", tab.hidden_columns)):
        for number in sorted(hidden):
            lost = [at for at in sorted(tab.cells) if at[axis] == number]
            if lost:
                texts = ", ".join(tab.cells.pop(at).text for at in lost)
                page.doubt(tab.place(*lost[0]), f"the hidden {kind} is left out: {texts}")
    for at, cell in sorted(tab.cells.items()):
        _doubt_cell(page, tab.place(*at), cell)
    page.parts += _TabReader(page, tab).parts()
    if tab.boxes:
        page.parts.append(Sentences(items(tab.boxes)))
        page.doubt(tab.name, "the text of boxes stands below all else of the tab")


def _doubt_cell(page: Page, place: str, cell: ShownCell) -> None:
    shown, words = f"`{cell.text}`", ""
    if cell.made == "date":
        shown += f" ({' '.join(f'{text}?' for text in cell.meant)})"
        words = "shown as a date by the spreadsheet"
    elif cell.made == "error":
        words = "shown for a fault by the spreadsheet"
    elif meant := _in_date(cell.text):
        shown += f" ({meant[0]}-{meant[1]}? {meant[1]}-{meant[0]}?)"
        words = "perhaps made a date by a spreadsheet"
    elif cell.made == "formula":
        shown, words = f"`{cell.meant[0]}`", "saved without its value and left out"
    if words:
        page.doubt(place, words, shown)


def _in_date(text: str) -> tuple[int, int] | None:
    """Returns day and month if a text is such as 01. Feb or Nov 20, as a spreadsheet shows them."""
    match = re.fullmatch(r"([0-9]{1,2}|[^\W\d]+)\.?[- ]([0-9]{1,2}|[^\W\d]+)\.?", text.lower())
    numbers = [MONTHS.get(part) for part in match.groups()] if match else []
    if match is None or numbers.count(None) != 1 or not any(map(str.isdecimal, match.groups())):
        return None
    day = next(int(part) for part in match.groups() if part.isdecimal())
    return day, next(filter(None, numbers))


def is_sentence(text: str) -> bool:
    """Tells whether a text is too long for a title or a head, or ends as a sentence does."""
    ends = bool(_SENTENCE.fullmatch(text)) and kind_of(text) == "text"
    return ends or len(text) > _LONGEST_TITLE


def kind_of(text: str) -> str:
    """Returns the type that one cell has by itself, empty if nothing applies."""
    return "" if text in NOTHING else type_of([text])


def _looks(text: str) -> str:
    """Returns how a cell looks to one who seeks the head: its type, words, or with figures."""
    kind = kind_of(text)
    return "figures" if kind == "text" and any(map(str.isdigit, text)) else kind


@dataclass(frozen=True, slots=True)
class _Region:
    """A part of a tab without an empty row or column; rows of places and cells."""

    area: Area
    lines: tuple[tuple[int, dict[int, ShownCell]], ...]

    def within(self, area: Area) -> _Region:
        top, left, bottom, right = area
        lines = (
            (row, {column: cell for column, cell in cells.items() if left <= column <= right})
            for row, cells in self.lines
            if top <= row <= bottom
        )
        return _Region(area, tuple((row, cells) for row, cells in lines if cells))

    @property
    def columns(self) -> list[int]:
        return sorted({column for _, cells in self.lines for column in cells})


class _TabReader:
    def __init__(self, page: Page, tab: Tab) -> None:
        self.page, self.tab = page, tab
        self.cells = {
            place: replace(cell, text=text)
            for place, cell in tab.cells.items()
            if (text := plain(cell.text))
        }
        # Merged cells that are one row of one column are none.
        self.merged = {area[:2]: area for area in tab.merged if area[:2] != area[2:]}

    def parts(self) -> list[Part]:
        if not self.cells:
            return []
        rows, columns = zip(*self.cells, strict=True)
        area = (min(rows), min(columns), max(rows), max(columns))
        lines: dict[int, dict[int, ShownCell]] = {}
        for (row, column), cell in sorted(self.cells.items()):
            lines.setdefault(row, {})[column] = cell
        return self._joined(self._cut(_Region(area, tuple(lines.items()))))

    def _cut(self, block: _Region) -> Iterator[Part]:
        """Yields the parts of a block, cut at empty rows, then columns, again and again."""
        top, left, bottom, right = block.area
        rows = {row for row, _ in block.lines}
        for first, column, last, _ in self.merged.values():
            if (first, column) in self.cells and left <= column <= right:
                rows.update(range(max(first, top), min(last, bottom) + 1))
        bands = list(_runs(rows))
        if len(bands) > 1:
            for first, last in bands:
                yield from self._cut(block.within((first, left, last, right)))
            return
        above: list[ShownCell] = []
        lines = list(block.lines)
        while len(lines) > 1 and self._is_title(lines[0], block.columns):
            above += lines.pop(0)[1].values()
        rest = replace(block, lines=tuple(lines))
        groups = list(_runs(self._used_columns(rest)))
        if len(groups) > 1:
            yield from _headings(above)
            for first, last in groups:
                yield from self._cut(block.within((lines[0][0], first, bottom, last)))
            return
        yield from _headings(above[:-1])
        yield from self._made(rest, above[-1].text if above else "")

    def _is_title(self, line: tuple[int, dict[int, ShownCell]], columns: Sequence[int]) -> bool:
        """Tells whether a row of one cell stands above a table, and is no row of it."""
        row, cells = line
        column, cell = next(iter(cells.items()))
        if len(cells) > 1 or len(columns) == 1:
            return False
        wide = self._width(row, column)
        if 1 < wide < len(columns) and column > columns[0]:
            return False  # over some columns only: a part of the head
        return column == columns[0] or cell.bold or wide > 1

    def _width(self, row: int, column: int) -> int:
        area = self.merged.get((row, column))
        return area[3] - area[1] + 1 if area else 1

    def _used_columns(self, block: _Region) -> set[int]:
        used: set[int] = set()
        for row, cells in block.lines:
            for column in cells:
                last = min(column + self._width(row, column) - 1, block.area[3])
                used.update(range(column, last + 1))
        return used

    def _made(self, block: _Region, title: str) -> Iterator[Part]:
        """Yields a table with what stands directly above and below it, or a list."""
        if title and is_sentence(title):
            yield Sentences(items([title]))
            title = ""
        if len(block.columns) == 1:
            texts = [cell.text for _, cells in block.lines for cell in cells.values()]
            if len(texts) == 1 and not title and is_short(texts[0]):
                yield Heading(_BY_ITSELF, texts[0])
            else:
                yield from self._list(block, title)
            return
        lines = list(block.lines)
        notes: list[str] = []
        while len(lines) > 1 and self._is_note(lines[-1], block):
            notes.insert(0, next(iter(lines.pop()[1].values())).text)
        yield self._table(replace(block, lines=tuple(lines)), title)
        if notes:
            yield Sentences(paragraphs(notes))

    def _list(self, block: _Region, title: str) -> Iterator[Part]:
        """Yields the sentences of a column; bold ones that are none are headings over others."""
        cells = [cell for _, cells in block.lines for cell in cells.values()]
        some_bold = not all(cell.bold for cell in cells)
        texts = [title] if title else []
        if not title and _is_over([cell.text for cell in cells]):
            cells[0] = replace(cells[0], bold=True)
            some_bold = True
        for cell in cells:
            if some_bold and cell.bold and not is_sentence(cell.text):
                if texts:
                    yield Sentences(items(texts))
                yield Heading(2, cell.text)
                texts = []
            else:
                texts.append(cell.text)
        if texts:
            yield Sentences(items(texts))

    def _is_note(self, line: tuple[int, dict[int, ShownCell]], block: _Region) -> bool:
        (row, cells) = line
        if len(cells) != 1 or block.columns[0] not in cells:
            return False
        text = cells[block.columns[0]].text
        if is_sentence(text) or self._width(row, block.columns[0]) > 1:
            return True
        return bool(_NOTE.match(text)) and len(text.split()) > 2

    def _table(self, block: _Region, title: str) -> PageTable:
        rows = [
            [cells.get(column, ShownCell("")) for column in block.columns]
            for _, cells in block.lines
        ]
        numbers = [row for row, _ in block.lines]
        heads = self._count_heads(numbers, rows, block.columns)
        head = self._head(numbers[:heads], rows[:heads], block.columns)
        values = tuple(
            tuple(
                Value(cell.text, self.tab.place(row, column))
                for column, cell in zip(block.columns, cells, strict=True)
            )
            for row, cells in zip(numbers[heads:], rows[heads:], strict=True)
        )
        for row, column in self.merged:
            in_body = row in numbers[heads:] and column in block.columns
            if in_body and (row, column) in self.cells and self._means_more(row, column, block):
                text = self.cells[row, column].text
                words = "merged over several cells, of which the first has it"
                self.page.doubt(self.tab.place(row, column), words, f"`{text}`")
        return PageTable(title, head, values)

    def _means_more(self, row: int, column: int, block: _Region) -> bool:
        """Tells whether a merged cell of a table is a value, and no label of rows."""
        return column > block.columns[0] or 1 < self._width(row, column) < len(block.columns)

    def _count_heads(
        self, numbers: Sequence[int], rows: list[list[ShownCell]], columns: Sequence[int]
    ) -> int:
        if len(rows) < 2:
            return 0
        vote = _vote(rows[0], rows[1:])
        over = [self._width(numbers[0], column) > 1 for column in columns]
        several = any(over[1:]) or _has_gaps(rows[0], rows[1])
        if several and len(rows) > 2 and vote <= 0 and _vote(rows[1], rows[2:]) > 0:
            vote = 1  # a row over the head
        if vote < 0:
            return 0
        if vote == 0:
            taken = _looks_like_head(rows[0], rows[1:])
            words = "is taken for the head" if taken else "is taken for a row, not for the head"
            self.page.doubt(self.tab.place(numbers[0], columns[0]), f"the first row {words}")
            return int(taken)
        count = 1
        while count < min(_MOST_HEADS, len(rows) - 1):
            over = [self._width(numbers[count - 1], column) > 1 for column in columns]
            more = any(over[1:]) or _has_gaps(rows[count - 1], rows[count])
            below = _vote(rows[count], rows[count + 1 :])
            if not more or below < 0 or (below == 0 and not any(over[1:])):
                break
            count += 1
        return count

    def _head(
        self, numbers: Sequence[int], rows: Sequence[Sequence[ShownCell]], columns: Sequence[int]
    ) -> tuple[str, ...]:
        """Returns the head of each column; what stands over several is put before: Range: Short."""
        heads: list[list[str]] = [[] for _ in columns]
        for level, (number, cells) in enumerate(zip(numbers, rows, strict=True)):
            held, until = "", -1
            for at, (column, cell) in enumerate(zip(columns, cells, strict=True)):
                if cell.text:
                    width = self._width(number, column)
                    held, until = cell.text, column + width - 1 if width > 1 else -1
                below = at > 0 and any(row[at].text for row in rows[level + 1 :])
                text = cell.text or (held if (until >= column if until >= 0 else below) else "")
                if text and text not in heads[at]:
                    heads[at].append(" ".join(text.split()))
        for text, among in Counter(texts[0] for texts in heads if len(texts) > 1).items():
            if len(text) * among > _MOST_REPEATED:
                words = f"repeated in the heads of {among} columns, which may be shortened"
                self.page.doubt(self.tab.place(numbers[0], columns[0]), words, f"`{text}`")
        return tuple(map(": ".join, heads))

    def _joined(self, parts: Iterable[Part]) -> list[Part]:
        """Gives rows behind a gap to their table, and a line by itself to what is below it."""
        made: list[Part] = []
        for part in parts:
            before = made[-1] if made else None
            if isinstance(before, PageTable) and isinstance(part, PageTable):
                if _goes_on(before, part):
                    made[-1] = replace(before, rows=before.rows + _group(part) + part.rows)
                    continue
            elif isinstance(before, Heading) and before.level == _BY_ITSELF:
                if isinstance(part, PageTable) and not part.title:
                    made[-1] = replace(part, title=before.text)
                    continue
                made[-1] = Heading(2, before.text)
            made.append(part)
        if made and isinstance(made[-1], Heading) and made[-1].level == _BY_ITSELF:
            made[-1] = Sentences(items([made[-1].text]))
        return made


def _is_over(texts: Sequence[str]) -> bool:
    """Tells whether the first of some lines is a heading: a short one over sentences or items."""
    first, *others = texts
    numbers = [numbered(text) for text in texts[:2]]
    if not others or not is_short(first) or (numbers[0] and numbers[1] != 1):
        return False
    return all(
        is_sentence(text) or without_bullet(text) != text or numbered(text) for text in others
    )


def _headings(cells: Iterable[ShownCell]) -> Iterator[Part]:
    """Yields the lines above all tables of a block."""
    for cell in cells:
        yield Sentences(items([cell.text])) if is_sentence(cell.text) else Heading(2, cell.text)


def _group(table: PageTable) -> tuple[tuple[Value, ...], ...]:
    """Returns the title of a table as a row of it, if it has one."""
    place = table.rows[0][0].place
    empty = tuple(Value("", place) for _ in table.head[1:])
    return ((Value(table.title, place), *empty),) if table.title else ()


def is_short(text: str) -> bool:
    """Tells whether a line by itself may be a heading or a title."""
    return not is_sentence(text) and without_bullet(text) == text and not re.match("[*†‡§]", text)


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yields the first and the last of each run of numbers without a gap."""
    first = last = None
    for number in sorted(numbers):
        if first is None or last is None:
            first = number
        elif number > last + 1:
            yield first, last
            first = number
        last = number
    if first is not None and last is not None:
        yield first, last


def _vote(first: Sequence[ShownCell], rows: Sequence[Sequence[ShownCell]]) -> int:
    """Tells how much a row is like the head of the rows below: above 0 it is, below 0 it is not."""
    if first and not first[0].text and all(cell.text for cell in first[1:]):
        return 1
    bold = [cell.bold for cell in first if cell.text]
    if all(bold) and not all(cell.bold for cell in rows[0] if cell.text):
        return 1
    if len(first) > 3 and _counts_up([cell.text for cell in first[1:]]):
        return 1
    vote = typed = 0
    for at, cell in enumerate(first):
        kinds = Counter(kind for row in rows if (kind := _looks(row[at].text)))
        kind, most = kinds.most_common(1)[0] if kinds else ("", 0)
        own = _looks(cell.text)
        if at == 0 and kind in _RESULTS and (own == "dice" or own in _RESULTS):
            return 1 if own == "dice" else -1
        many = 2 * most > kinds.total() and (most > 1 or kind != "figures")
        if own and many and {own, kind} - {"text"}:
            typed += own not in ("text", "figures", kind)
            vote += -1 if own == kind else 1
    return vote - (typed == 1)  # one value over others of another type says little


#: What a die shows, in a first column: 1, 2-3, 6+.
_RESULTS = {"count", "band", "target"}


def _counts_up(texts: Sequence[str]) -> bool:
    """Tells whether texts are numbers one after the other, as over the columns of a table."""
    return (
        [str(int(texts[0]) + at) for at in range(len(texts))] == list(texts)
        if (texts[0].isdecimal())
        else False
    )


def _has_gaps(cells: Sequence[ShownCell], below: Sequence[ShownCell]) -> bool:
    """Tells whether a row leaves cells free, behind a filled one, that the row below fills."""
    return any(
        not cell.text and under.text and any(one.text for one in cells[1:at])
        for at, (cell, under) in enumerate(zip(cells, below, strict=True))
    )


def _looks_like_head(first: Sequence[ShownCell], rows: Sequence[Sequence[ShownCell]]) -> bool:
    """Tells whether a row of words over words is a head: all are short, and shorter than those."""
    if not all(cell.text and not is_sentence(cell.text) for cell in first):
        return False
    if any(kind_of(cell.text) != "text" for cell in first):
        return False
    below = [len(cell.text) for row in rows for cell in row[1:] if cell.text]
    own = [len(cell.text) for cell in first[1:]]
    return len(first) > 2 or sum(own) / len(own) < 0.7 * sum(below) / max(1, len(below))


def _goes_on(before: PageTable, after: PageTable) -> bool:
    """Tells whether a table without a head is the rest of the one before it, behind a gap."""
    if (
        not (before.has_head and before.rows and after.rows)
        or after.has_head
        or len(before.head) != len(after.head)
    ):
        return False
    if _column(before.rows[0][0].place) != _column(after.rows[0][0].place):
        return False
    kinds = [type_of([row[at].text for row in before.rows]) for at in range(1, len(before.head))]
    own = [type_of([row[at].text for row in after.rows]) for at in range(1, len(before.head))]
    return kinds == own


def _column(place: str) -> str:
    return place.rpartition("!")[2].rstrip("0123456789")
