"""What is wrong, reported as all commands report it; and the one file that a command writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import click

from rulebook.problems import Problem, Report, format_report, printable
from rulebook.suggestions import nearest_word

#: What is said of a name that nobody can have meant.
_LONGEST_NAME = 60


def wrong(message: str, expected: str = "", hint: str = "") -> click.UsageError:
    """A fault of usage in the form that all faults have; control characters are not printed."""
    lines = [message]
    lines += [f"expected: {expected}"] if expected else []
    lines += [f"hint: {hint}"] if hint else []
    return click.UsageError("\n".join(printable(line) for line in lines))


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """`no ruleset 'mygaem', did you mean 'mygame'?`, and all that there are."""
    listed = list(known)
    name = printable(name[:_LONGEST_NAME])
    if not listed:
        return f"no {kind} '{name}'; there is none at all"
    near = nearest_word(name, listed)
    meant = f", did you mean '{printable(near)}'?" if near else ""
    return f"no {kind} '{name}'{meant}\nthere are: {', '.join(map(printable, listed))}"


def tell(problems: Iterable[Problem]) -> None:
    """Faults, on standard error."""
    click.echo(format_report(Report(list(problems))), err=True)


def fail(ctx: click.Context, problems: Iterable[Problem]) -> NoReturn:
    """Tell faults of the content and end with 1."""
    tell(problems)
    ctx.exit(1)


def printed(ctx: click.Context, draw: Callable[[], bytes]) -> bytes:
    """What is drawn; faults of printing are reported, and end with 1."""
    from rulebook.typeset.environment import RenderFault

    try:
        return draw()
    except RenderFault as fault:
        fail(ctx, fault.problems)


def write_file(ctx: click.Context, out: Path, data: bytes) -> None:
    """Write whole or not at all, to standard output for '-'; ends with 1 where it cannot be."""
    from rulebook.build.publish import unwritten, write_whole

    if out == Path("-"):
        click.echo(data, nl=False)
        return
    try:
        write_whole(out, data)
    except OSError as fault:
        fail(ctx, [replace(unwritten(out, fault), hint="choose another with -o")])
    if ctx.obj["verbosity"] >= 0:
        click.echo(f"wrote {out.as_posix()}")
