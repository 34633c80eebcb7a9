"""Rows of text -> lines in columns, as wide as the terminal and no wider; numbers -> short text.

By hand rather than with a library for the terminal, which takes longer to import than odds take
to be reckoned, and so that the lines are the same on a terminal, in a pipe and in a test.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

#: What stands for a figure where nothing applies.
DASH = "-"
#: Between two columns.
_GAP = "  "
_SHORTEST_BAR, _LONGEST_BAR = 10, 40
_BLOCKS = " ▏▎▍▌▋▊▉█"


@dataclass(frozen=True, slots=True)
class TerminalLook:
    """What the lines are written for: so many characters, and whether they are ASCII only."""

    width: int = 80
    ascii: bool = False

    def bar(self, share: Fraction, length: int) -> str:
        """A bar of so much of a length, to an eighth of a character where there are such signs."""
        if self.ascii:
            return "#" * round(share * length)
        whole, eighths = divmod(round(share * length * 8), 8)
        return "█" * whole + _BLOCKS[eighths].strip()


def terminal() -> TerminalLook:
    """The look of what standard output leads to; 80 characters wide in a pipe."""
    width = shutil.get_terminal_size((80, 24)).columns
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        _BLOCKS.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return TerminalLook(width=min(max(width, 40), 120), ascii=True)
    return TerminalLook(width=min(max(width, 40), 120))


def decimal(number: Fraction) -> str:
    """To a hundredth."""
    return f"{float(round(number, 2)):.2f}"


def columns(
    heads: Sequence[str], titles: Sequence[str], rows: Sequence[Sequence[str]], look: TerminalLook
) -> list[str]:
    """A table: `heads` name the first cells of each row, `titles` the others.

    The heads stand to the left and the rest to the right; columns for which there is no room
    follow below, with the heads again.
    """
    number = len(heads)
    widths = [
        max(len(line[index]) for line in ([*heads, *titles], *rows))
        for index in range(number + len(titles))
    ]
    left = sum(widths[:number]) + len(_GAP) * number
    lines: list[str] = []
    for start, end in _runs(widths[number:], look.width - left):
        shown = [*range(number), *range(number + start, number + end)]
        for line in ([*heads, *titles], *rows):
            cells = (
                line[index].ljust(widths[index])
                if index < number
                else line[index].rjust(widths[index])
                for index in shown
            )
            lines.append(_GAP.join(cells).rstrip())
        lines.append("")
    return lines[:-1]


def barred(lines: Sequence[str], shares: Sequence[Fraction], look: TerminalLook) -> list[str]:
    """A table with a bar behind each row, if there is room for bars and one for each row."""
    width = max(map(len, lines))
    room = min(look.width - width - len(_GAP), _LONGEST_BAR)
    if len(lines) != len(shares) + 1 or room < _SHORTEST_BAR:
        return list(lines)
    bars = [look.bar(share, room) for share in shares]
    return [
        f"{line.ljust(width)}{_GAP}{bar}".rstrip()
        for line, bar in zip(lines, ["", *bars], strict=True)
    ]


def _runs(widths: Sequence[int], room: int) -> list[tuple[int, int]]:
    """Columns from and to which fit side by side; one at least."""
    runs: list[tuple[int, int]] = []
    start = taken = 0
    for index, width in enumerate(widths):
        taken += width + len(_GAP)
        if index > start and taken - len(_GAP) > room:
            runs.append((start, index))
            start, taken = index, width + len(_GAP)
    return [*runs, (start, len(widths))]
