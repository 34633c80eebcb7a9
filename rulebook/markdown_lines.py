"""Lines of Markdown as GitHub and CommonMark read them -> lines that Python-Markdown reads alike.

Python-Markdown wants an empty line above each list and table, and lists in steps of four columns.
Both are put in here, before it reads the lines. Characters and their order stay as they are typed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Columns by which Python-Markdown has the parts of an item stand farther in than its mark.
STEP = 4
#: What may begin something other than a paragraph.
_MARKED = re.compile(r"^[ \t]*(?:[-+*>#`~:]|[0-9]+[.)]|\[\^)|\|", re.MULTILINE)
#: The mark of an item of a list, with its number, and the space behind it.
ITEM = re.compile(r"([-+*]|([0-9]{1,9})[.)])(?:( +)(?=\S)| *$)")
_LIKE_ITEM = re.compile(r"(?:[-+*]|[0-9]+[.)])(?= |$)")
_ACROSS = re.compile(r"(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_HEADING = re.compile(r"#{1,6}(?: |$)")
_FENCE = re.compile(r"(`{3,})[^`]*|(~{3,}).*")
#: Words in code, within a line.
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_BAR = re.compile(r"(?<!\\)\|")
_DASHES = re.compile(r" *:?-+:? *")


def count_cells(line: str) -> int:
    """Returns how many cells a row of a table has; 0 for a line without a bar."""
    bare = CODE.sub("", line.strip())
    bars = len(_BAR.findall(bare))
    ends = bare.startswith("|") + (bare.endswith("|") and not bare.endswith("\\|"))
    return bars + 1 - ends if bars else 0


def is_dashed(line: str) -> bool:
    """Whether a line is that of dashes below the head of a table."""
    cells = line.strip().removeprefix("|").removesuffix("|").split("|")
    return bool("|" in line or ":" in line) and all(map(_DASHES.fullmatch, cells))


def begins_table(line: str, below: str) -> bool:
    """Whether a line is the head of a table: there are as many cells of dashes below it."""
    return count_cells(line) > 0 and is_dashed(below) and count_cells(line) == count_cells(below)


def ends_table(line: str) -> bool:
    """Whether a line below a table is no row of it: it is empty, or begins something else."""
    body = line.strip()
    return not body or bool(
        body.startswith(">")
        or ITEM.match(body)
        or _HEADING.match(body)
        or _FENCE.fullmatch(body)
        or _ACROSS.fullmatch(body)
    )


def as_library_reads(lines: Sequence[str]) -> list[str]:
    """Returns lines of Markdown as Python-Markdown has to have them."""
    lines = list(lines)
    if not _MARKED.search("\n".join(lines)):
        return lines
    return _MarkdownLines(lines).written()


class _MarkdownLines:
    """Lines read once from the top.

    `inside` are the columns at which the parts of the open items of lists begin, from the
    outermost, and `ordered` tells which of these have numbers. `last` is what the line before was,
    `text` for the first line of an item too, which is `fresh` in its first paragraph.
    """

    def __init__(self, lines: list[str]) -> None:
        self.lines = [_expanded(line) for line in lines]
        self.out: list[str] = []
        self.inside: list[int] = []
        self.ordered: list[bool] = []
        self.last = "blank"
        self.fresh = False
        self.below = ""

    def written(self) -> list[str]:
        at = 0
        while at < len(self.lines):
            at = self._line(at)
        return self.out

    def _line(self, at: int) -> int:
        """Reads what begins at a line; returns the number of the line behind it."""
        line = self.lines[at]
        body = line.lstrip()
        self.below = self.lines[at + 1] if at + 1 < len(self.lines) else ""
        if not body:
            self.out.append("")
            self.last = "blank"
            return at + 1
        column = len(line) - len(body)
        depth = sum(column >= inside for inside in self.inside)
        inner = column - (self.inside[depth - 1] if depth else 0)
        if inner >= STEP and self.last != "text":
            return self._add(at, depth, " " * inner + body, "code", apart=self.last != "code")
        if inner < STEP:
            if self._begins_other(at, depth, body):
                return self._other(at, depth, inner, body)
            if item := self._item(depth, body):
                return self._begin_item(at, depth, column, item)
        if self.last == "table" and depth == len(self.inside):
            return self._add(at, depth, body, "table")
        if self.last == "text" and not self.inside and self.below.startswith(":"):
            before = self.lines[at - 1].startswith(":")  # another term of a list of definitions
            return self._add(at, depth, line, "text", apart=before)
        if self.last == "text":  # also where it stands farther to the left
            goes_on = _plain(body) if self.inside or body.startswith("[^") else line
            return self._add(at, len(self.inside), goes_on, "text", fresh=self.fresh)
        return self._add(at, depth, _plain(body), "text", apart=True)

    def _add(
        self, at: int, depth: int, text: str, kind: str, *, apart: bool = False, fresh: bool = False
    ) -> int:
        """Writes a line that stands in so many items; `apart` if an empty line is above it."""
        if apart and self.last != "blank":
            self.out.append("")
        del self.inside[depth:], self.ordered[depth:]
        self.out.append(" " * STEP * depth + text)
        self.last, self.fresh = kind, fresh
        return at + 1

    def _item(self, depth: int, body: str) -> re.Match[str] | None:
        """Matches the mark of an item; a paragraph is only broken by the first of a list.

        A mark by itself, without a list or anything that could belong to it, is words.
        """
        item = ITEM.match(body)
        if item is None or len(self.inside) > depth:
            return item
        if not item[3] and not self.below.startswith("  "):
            return None
        if self.last != "text":
            return item
        return item if item[3] and item[2] in (None, "1") else None

    def _begin_item(self, at: int, depth: int, column: int, item: re.Match[str]) -> int:
        ordered = item[2] is not None
        another = self.ordered[depth : depth + 1] == [not ordered]
        apart = another or not (self.inside and self.fresh)
        words, space = item.string[item.end() :], len(item[3] or " ")
        if space > STEP:  # a line of code
            words, space = " " * (space - 1) + words, 1
        mark = f"{int(item[2])}." if ordered else item[1]
        inside = column + len(item[1]) + space
        begun = _FENCE.fullmatch(words)
        # An empty item with a hyphen would make a heading of the line above it.
        text = f"{mark} {words}" if words and not begun else f"{mark if ordered else '*'} "
        self._add(at, depth, text, "text", apart=apart, fresh=True)
        self.inside.append(inside)
        self.ordered.append(ordered)
        if begun:  # which stands on a line below the mark for Python-Markdown
            self.lines[at] = " " * inside + words
            return at
        return at + 1

    def _begins_other(self, at: int, depth: int, body: str) -> bool:
        """Whether something begins that is neither an item nor a paragraph."""
        if body.startswith(">") or _HEADING.match(body) or _FENCE.fullmatch(body):
            return True
        if _ACROSS.fullmatch(body) and (
            body[0] != "-" or depth < len(self.inside) or self.last != "text"
        ):
            return True
        below = self.lines[at + 1] if at + 1 < len(self.lines) else ""
        return begins_table(body, below)

    def _other(self, at: int, depth: int, inner: int, body: str) -> int:
        if body.startswith(">"):
            return self._quotation(at, depth)
        if fence := _FENCE.fullmatch(body):
            return self._code(at, depth, fence[1] or fence[2])
        if _HEADING.match(body):
            return self._add(at, depth, body, "line", apart=True)
        if _ACROSS.fullmatch(body):
            return self._add(at, depth, "***", "line", apart=True)
        self._add(at, depth, body, "table", apart=True)
        return self._add(at + 1, depth, self.lines[at + 1].strip(), "table")

    def _quotation(self, at: int, depth: int) -> int:
        """Writes lines with > before them, and the lines of text that go on with the last."""
        end = at
        while end < len(self.lines) and self.lines[end].lstrip().startswith(">"):
            end += 1
        while end < len(self.lines) and self._goes_on(end, depth):
            end += 1
        quoted = [re.sub(r"^ *> ?", "", line) for line in self.lines[at:end]]
        for number, line in enumerate(as_library_reads(quoted)):
            self._add(at, depth, f"> {line}".rstrip(), "quotation", apart=number == 0)
        return end

    def _goes_on(self, at: int, depth: int) -> bool:
        """Whether a line below a quotation goes on with its last paragraph."""
        before, body = self.lines[at - 1].lstrip("> "), self.lines[at].lstrip()
        plain = before and not _HEADING.match(before) and not _ACROSS.fullmatch(before)
        return bool(plain and body and not self._begins_other(at, depth, body)) and not (
            ITEM.match(body) or _FENCE.fullmatch(before) or count_cells(before)
        )

    def _code(self, at: int, depth: int, fence: str) -> int:
        """Writes the lines between two fences as lines of code, which stand farther in."""
        column = len(self.lines[at]) - len(self.lines[at].lstrip())
        end = at + 1
        while end < len(self.lines) and not _closes(self.lines[end], fence):
            line = self.lines[end]
            inner = line[min(column, len(line) - len(line.lstrip())) :]
            self._add(end, depth, " " * STEP + inner, "code", apart=end == at + 1)
            end += 1
        self.last = "code"
        return end + 1


def _expanded(line: str) -> str:
    """Returns a line with spaces for the tabs before its first word."""
    body = line.lstrip(" \t")
    return line[: len(line) - len(body)].expandtabs(STEP) + body


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return bare.startswith(fence) and not bare.strip(fence[0])


def _plain(body: str) -> str:
    """Returns a line of a paragraph that Python-Markdown cannot take for an item or a heading."""
    if match := _LIKE_ITEM.match(body):
        return body[: match.end() - 1] + "\\" + body[match.end() - 1 :]
    return f"\\{body}" if body.startswith(("#", "[^")) else body
