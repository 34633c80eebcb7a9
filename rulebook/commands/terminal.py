"""Faults, tables and files -> the terminal or the disk, as all commands write them.

Tables are set by hand rather than with a library for the terminal, which takes longer to import
than odds take to be computed, and so that the lines are the same on a terminal, in a pipe and in a
test.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import NoReturn

import click

from rulebook.problems import Fault, Problem, RenderFault, Report, format_report, printable
from rulebook.suggestions import nearest_word

#: How many characters of an unknown name are shown.
_LONGEST_NAME = 60
#: What stands for a figure where nothing applies.
DASH = "-"
#: Between two columns.
_GAP = "  "
_SHORTEST_BAR, _LONGEST_BAR = 10, 40
_BLOCKS = " ▏▎▍▌▋▊▉█"


def wrong(message: str, expected: str = "", hint: str = "") -> click.UsageError:
    """Returns a usage error in the form that all faults have, without control characters.

    `expected` and `hint` are lines of their own.
    """
    lines = [message]
    lines += [f"expected: {expected}"] if expected else []
    lines += [f"hint: {hint}"] if hint else []
    return click.UsageError("\n".join(printable(line) for line in lines))


@contextmanager
def usage() -> Iterator[None]:
    """Converts a Fault raised in the context into click.UsageError, as for wrong arguments."""
    try:
        yield
    except Fault as fault:
        raise wrong(fault.message, fault.expected, fault.hint) from fault


def unknown(kind: str, name: str, known: Iterable[str]) -> click.UsageError:
    """Returns the error for a name that is not known, with the most similar and all known ones.

    Such an error is `no ruleset 'mygaem', did you mean 'mygame'?`; `kind` is "ruleset" there.
    """
    listed = list(known)
    lacks = f"no {kind} '{printable(name[:_LONGEST_NAME])}'"
    if not listed:
        return click.UsageError(f"{lacks}; there is none at all")
    near = nearest_word(name, listed)
    meant = f", did you mean '{printable(near)}'?" if near else ""
    return click.UsageError(f"{lacks}{meant}\nthere are: {', '.join(map(printable, listed))}")


def say(ctx: click.Context, text: str, *, err: bool = False) -> None:
    """Prints a line unless quiet was asked for; with `err`, to standard error."""
    if ctx.obj["verbosity"] >= 0:
        click.echo(text, err=err)


def tell(problems: Iterable[Problem]) -> None:
    """Prints faults to standard error."""
    click.echo(format_report(Report(list(problems))), err=True)


def fail(ctx: click.Context, problems: Iterable[Problem]) -> NoReturn:
    """Prints faults of the content to standard error and exits with status 1."""
    tell(problems)
    ctx.exit(1)


def printed(ctx: click.Context, draw: Callable[[], bytes]) -> bytes:
    """Returns the bytes that `draw` returns; if it raises faults, prints them and exits with 1."""
    try:
        return draw()
    except RenderFault as fault:
        fail(ctx, fault.problems)


def write_file(ctx: click.Context, out: Path, data: bytes) -> None:
    """Writes a file atomically and prints its name; `-` means standard output.

    If it cannot be written, prints a fault and exits with status 1.
    """
    from rulebook.build.publish import unwritten, write_whole

    if out == Path("-"):
        click.echo(data, nl=False)
        return
    try:
        write_whole(out, data)
    except OSError as fault:
        fail(ctx, [replace(unwritten(out, fault), hint="choose another with -o")])
    say(ctx, f"wrote {out.as_posix()}")


@dataclass(frozen=True, slots=True)
class TerminalLook:
    """The width of a terminal in characters, and whether it can show only ASCII."""

    width: int = 80
    ascii: bool = False

    def bar(self, share: Fraction, length: int) -> str:
        """Returns a bar `share` times `length` characters long.

        It is drawn in eighths of a character, or with # if only ASCII can be shown.
        """
        if self.ascii:
            return "#" * round(share * length)
        whole, eighths = divmod(round(share * length * 8), 8)
        return "█" * whole + _BLOCKS[eighths].strip()


def terminal() -> TerminalLook:
    """Returns the look of standard output: its width, 40 to 120, and whether it shows only ASCII.

    If it is not a terminal, the width is 80.
    """
    width = shutil.get_terminal_size((80, 24)).columns
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        _BLOCKS.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return TerminalLook(width=min(max(width, 40), 120), ascii=True)
    return TerminalLook(width=min(max(width, 40), 120))


def decimal(number: Fraction) -> str:
    """Formats a number with two decimals."""
    return f"{float(round(number, 2)):.2f}"


def columns(
    heads: Sequence[str], titles: Sequence[str], rows: Sequence[Sequence[str]], look: TerminalLook
) -> list[str]:
    """Returns the lines of a table; `heads` are titles of the first columns, `titles` of others.

    The first columns are left-aligned, others right-aligned. Columns that do not fit into the width
    follow below, with the first columns repeated.
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
    """Returns the lines of a table with a bar after each row.

    `shares` are the lengths of the bars relative to the longest possible; the first line, the head,
    has none. Lines are returned unchanged if there is no room, or not a share for each row.
    """
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
    """Groups columns, given by their widths, into runs that fit side by side into `room`.

    A run is the index of its first column and that after its last; it has at least one column.
    """
    runs: list[tuple[int, int]] = []
    start = taken = 0
    for index, width in enumerate(widths):
        taken += width + len(_GAP)
        if index > start and taken - len(_GAP) > room:
            runs.append((start, index))
            start, taken = index, width + len(_GAP)
    return [*runs, (start, len(widths))]
