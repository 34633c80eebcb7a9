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
from itertools import groupby
from typing import TypeAlias

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
from rulebook.loading.workbooks import ShownCell, Tab, expect_few
from rulebook.typed_forms import MONTHS

#: A longer text is a sentence, and no title or head of a column.
_LONGEST_TITLE = 60
_SENTENCE = re.compile(r".*\s.*[.!?;]['\"”’)]*", re.DOTALL)
_SIGN = re.compile("[*†‡§]")
_NOTE = re.compile(r"[*†‡§¹²³#]|\(?[0-9a-z][)*]|(?:notes?|n\.b|nb)\b", re.IGNORECASE)
_MOST_HEADS = 3
#: More characters of what stands over several columns crowd their heads: in all, and in each.
_MOST_REPEATED = 50
_LONGEST_REPEATED = 30
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
class _TabCell:
    """A cell of a tab, with how many rows and columns it is merged over."""

    text: str
    row: int
    column: int
    place: str
    bold: bool = False
    height: int = 1
    width: int = 1


#: The filled cells of a row, and such rows: a block of a tab.
_Line: TypeAlias = list[_TabCell]
_Block: TypeAlias = list[_Line]


class _TabReader:
    def __init__(self, page: Page, tab: Tab) -> None:
        self.page, self.tab = page, tab

    def parts(self) -> list[Part]:
        merged = {area[:2]: area[2:] for area in self.tab.merged}
        filled = {at: text for at, cell in self.tab.cells.items() if (text := plain(cell.text))}
        bottom, right = (max((at[axis] for at in filled), default=0) for axis in (0, 1))
        lines: dict[int, _Line] = {}
        for (row, column), text in sorted(filled.items()):
            last = merged.get((row, column), (row, column))
            height, width = min(last[0], bottom) - row + 1, min(last[1], right) - column + 1
            bold, place = self.tab.cells[row, column].bold, self.tab.place(row, column)
            cell = _TabCell(text, row, column, place, bold, height, width)
            lines.setdefault(row, []).append(cell)
        return _joined(self._cut(list(lines.values())))

    def _cut(self, lines: _Block) -> Iterator[Part]:
        """Yields the parts of a block, cut at empty rows, then columns, again and again."""
        rows = (cell.row + down for line in lines for cell in line for down in range(cell.height))
        bands = list(_spans(rows))
        if len(bands) != 1:
            for first, last in bands:
                yield from self._cut([line for line in lines if first <= line[0].row <= last])
            return
        above: _Line = []
        while len(lines) > 1 and _is_title(lines):
            above, lines = above + lines[0], lines[1:]
        cells = [cell for line in lines for cell in line]
        groups = list(_spans(cell.column + at for cell in cells for at in range(cell.width)))
        if len(groups) > 1:
            yield from _headings(above)
            for first, last in groups:
                own = ([cell for cell in line if first <= cell.column <= last] for line in lines)
                yield from self._cut(list(filter(None, own)))
            return
        yield from _headings(above[:-1])
        yield from self._made(lines, above[-1].text if above else "")

    def _made(self, lines: _Block, title: str) -> Iterator[Part]:
        """Yields a table with what stands directly above and below it, or a list."""
        if title and is_sentence(title):
            yield Sentences(items([title]))
            title = ""
        first, *others = _columns(lines)
        end = len(lines)
        while others and end > 1 and _is_note(lines[end - 1], first):
            end -= 1
        if len(_columns(lines[:end])) == 1:
            yield from _list([cell for line in lines[:end] for cell in line], title)
        else:
            yield self._table(lines[:end], title)
        if lines[end:]:
            yield Sentences(paragraphs(line[0].text for line in lines[end:]))

    def _table(self, lines: _Block, title: str) -> PageTable:
        rows = []
        columns = _columns(lines)
        for line in lines:
            row, filled = line[0].row, {cell.column: cell for cell in line}
            empty = (_TabCell("", row, column, self.tab.place(row, column)) for column in columns)
            rows.append([filled.get(cell.column, cell) for cell in empty])
        heads = self._count_heads(rows)
        for cell in (cell for row in rows[heads:] for cell in row):
            end = cell.column + cell.width
            wide = sum(cell.column <= column < end for column in columns)
            within = cell.column > columns[0]
            if (wide > 1 and (within or wide < len(columns))) or (cell.height > 1 and within):
                words = "merged over several cells, of which the first has it"
                self.page.doubt(cell.place, words, f"`{cell.text}`")
        values = (tuple(Value(cell.text, cell.place) for cell in row) for row in rows[heads:])
        return PageTable(title, self._head(rows[:heads], len(columns)), tuple(values))

    def _count_heads(self, rows: _Block) -> int:
        if len(rows) < 2:
            return 0
        vote = _vote(rows[0], rows[1:])
        if len(rows) > 2 and vote <= 0 and _goes_over(rows) and _vote(rows[1], rows[2:]) > 0:
            vote = 1  # a row over the head
        if vote == 0:
            taken = _looks_like_head(rows[0], rows[1:])
            words = "is taken for the head" if taken else "is taken for a row, not for the head"
            self.page.doubt(rows[0][0].place, f"the first row {words}")
            return int(taken)
        if vote < 0:
            return 0
        count = 1
        while count < min(_MOST_HEADS, len(rows) - 1) and _goes_over(rows[count - 1 :]):
            below = _vote(rows[count], rows[count + 1 :])
            if below < 0 or (below == 0 and not _is_merged(rows[count - 1])):
                break
            count += 1
        return count

    def _head(self, rows: _Block, width: int) -> tuple[str, ...]:
        """Returns the head of each column; what stands over several is put before: Range: Short."""
        heads: list[list[str]] = [[] for _ in range(width)]
        for level, row in enumerate(rows):
            held = row[0]
            for at, cell in enumerate(row):
                held = cell if cell.text else held
                below = at > 0 and any(under[at].text for under in rows[level + 1 :])
                over = cell.column < held.column + held.width if held.width > 1 else below
                text = " ".join((held.text if over else cell.text).split())
                if text and text not in heads[at]:
                    heads[at].append(text)
        for text, among in Counter(texts[0] for texts in heads if len(texts) > 1).items():
            if len(text) * among > _MOST_REPEATED:
                words = f"over {among} columns, of which each has it; it may be shortened"
                if len(text) > _LONGEST_REPEATED:
                    words = f"over {among} columns, of which the first has it"
                    for texts in [texts for texts in heads if texts[:1] == [text]][1:]:
                        del texts[0]
                self.page.doubt(rows[0][0].place, words, f"`{text}`")
        return tuple(map(": ".join, heads))


def _joined(parts: Iterable[Part]) -> list[Part]:
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


def _columns(lines: _Block) -> list[int]:
    return sorted({cell.column for line in lines for cell in line})


def _is_title(lines: _Block) -> bool:
    """Tells whether a first row of one cell stands above a table, and is no row of it."""
    (cell, *others), columns = lines[0], _columns(lines)
    if others or len(columns) == 1:
        return False
    if 1 < cell.width < len(columns) and cell.column > columns[0]:
        return False  # over some columns only: a part of the head
    return cell.column == columns[0] or cell.bold or cell.width > 1


def _is_note(line: _Line, first: int) -> bool:
    cell, *others = line
    if others or cell.column != first:
        return False
    noted = _NOTE.match(cell.text) and len(cell.text.split()) > 2
    return bool(noted) or is_sentence(cell.text) or cell.width > 1


def _list(cells: _Line, title: str) -> Iterator[Part]:
    """Yields the sentences of a column; bold ones that are none are headings over others."""
    texts = [cell.text for cell in cells]
    if len(texts) == 1 and not title and is_short(texts[0]):
        yield Heading(_BY_ITSELF, texts[0])
        return
    bold = [not all(cell.bold for cell in cells) and cell.bold for cell in cells]
    if not title and _is_over(texts):
        bold = [True, *(cell.bold for cell in cells[1:])]
    said = [title] if title else []
    for text, is_bold in zip(texts, bold, strict=True):
        if is_bold and not is_sentence(text):
            yield from _said(said)
            yield Heading(2, text)
            said = []
        else:
            said.append(text)
    yield from _said(said)


def _said(texts: Sequence[str]) -> Iterator[Sentences]:
    """Yields some texts as a list, or as notes if a sign is before each."""
    noted = all(_SIGN.match(text) for text in texts)
    if texts:
        yield Sentences(paragraphs(texts) if noted else items(texts))


def _is_over(texts: Sequence[str]) -> bool:
    """Tells whether the first of some lines is a heading: a short one over sentences or items."""
    first, *others = texts
    numbers = [numbered(text) for text in texts[:2]]
    if not others or not is_short(first) or (numbers[0] and numbers[1] != 1):
        return False
    return all(
        is_sentence(text) or without_bullet(text) != text or numbered(text) for text in others
    )


def _headings(cells: _Line) -> Iterator[Part]:
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
    return not is_sentence(text) and without_bullet(text) == text and not _SIGN.match(text)


def _spans(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yields the first and the last of each run of numbers without a gap."""
    for _, pairs in groupby(enumerate(sorted(set(numbers))), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in pairs]
        yield run[0], run[-1]


def _vote(first: _Line, rows: _Block) -> int:
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
    start = int(texts[0]) if texts[0].isdecimal() else 0
    return texts[0].isdecimal() and list(texts) == [str(start + at) for at in range(len(texts))]


def _is_merged(row: _Line) -> bool:
    return any(cell.width > 1 for cell in row[1:])


def _goes_over(rows: _Block) -> bool:
    """Tells whether the first row may stand over a head.

    It does if it has merged cells, or leaves cells free, behind a filled one, that are filled in
    the row below.
    """
    return _is_merged(rows[0]) or any(
        not cell.text and under.text and any(one.text for one in rows[0][1:at])
        for at, (cell, under) in enumerate(zip(*rows[:2], strict=True))
    )


def _looks_like_head(first: _Line, rows: _Block) -> bool:
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
    if not (before.has_head and before.rows and after.rows) or after.has_head:
        return False
    places, types = [], []
    for table in (before, after):
        places.append(table.rows[0][0].place.rpartition("!")[2].rstrip("0123456789"))
        columns = zip(*table.rows, strict=True)
        types.append([type_of([value.text for value in column]) for column in columns][1:])
    return places[0] == places[1] and types[0] == types[1]
