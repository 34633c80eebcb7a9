"""`rulebook help`: a topic, a command or the code of a fault -> what the manual says of it."""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

from rulebook.commands.arguments import output_option
from rulebook.commands.terminal import wrong

#: Columns of the terminal that are used, however wide it is.
WIDEST = 100
#: Topics that are proposed to somebody who asked for none.
_MOST_PROPOSED = 8
_FORM = "a chapter or a heading ('rulebook help' lists them), a command, or the code of a fault"


@click.command("help")
@click.argument("topic", nargs=-1, metavar="[TOPIC]")
@click.option("--page", is_flag=True, help="Write the manual as a page for a browser.")
@click.option("--print", "printed", is_flag=True, help="Print it as a booklet, too.")
@output_option("Where --page and --print write.")
@click.pass_context
def help_command(
    ctx: click.Context, *, topic: tuple[str, ...], page: bool, printed: bool, out: Path
) -> None:
    """Show the manual, or print it.

    TOPIC is a chapter or a heading of it, a command, or the code of a fault; without one the topics
    are listed.

    \b
    rulebook help tutorial
    rulebook help R421
    rulebook help --print
    """
    if page or printed:
        _print(ctx, out, only=() if printed else ("booklet.html", "search.js"))
    elif topic:
        _show(*_about(ctx, "_".join(topic).lower().replace("-", "_")))
    else:
        _show("\n".join(_contents()))


def _print(ctx: click.Context, out: Path, only: tuple[str, ...]) -> None:
    """Prints the manual, or `only` some of its files, into the folder `out`.

    Its ruleset is written to a temporary folder and built from there.
    """
    from rulebook.commands.build import build
    from rulebook.manual.book import NAME, write_manual

    with tempfile.TemporaryDirectory() as folder:
        write_manual(Path(folder) / NAME)
        ctx.obj["content"] = Path(folder)
        ctx.invoke(build, rulesets=(NAME,), only=only, out=out)


def _contents() -> Iterator[str]:
    """Yields the lines of the table of contents: each chapter, with its topics below.

    Topics are spelt as they are typed after `rulebook help`.
    """
    from rulebook.manual.book import as_typed, chapters

    listed = chapters()
    wide = max(len(chapter.id) for chapter, _ in listed)
    margin = " " * (wide + 4)
    yield "rulebook help TOPIC shows a chapter of the manual, or a part of it:\n"
    for chapter, parts in listed:
        yield f"  {as_typed(chapter.id):{wide}}  {chapter.title}"
        names = ", ".join(as_typed(part.id) for part in parts)
        yield from textwrap.wrap(
            names, WIDEST, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False
        )
    yield "\nA topic is also the name of a command, or the code of a fault, such as R421."


def _about(ctx: click.Context, name: str) -> tuple[str, bool]:
    """Returns the text of the manual about a topic or command, and whether it is Markdown.

    Raises click.UsageError if there is no such topic.
    """
    from rulebook.manual.book import as_typed, topics
    from rulebook.suggestions import nearest

    known = topics()
    words = name.replace("_", " ")
    titles = {topic.title.lower(): topic.id for topic in reversed(list(known.values()))}
    if found := known.get(name) or known.get(titles.get(words, "")):
        return found.text, True
    typed = as_typed(name)
    assert ctx.parent is not None
    group = ctx.parent.command
    assert isinstance(group, click.Group)
    if asked := group.get_command(ctx, typed):
        return asked.get_help(click.Context(asked, ctx.parent, typed)), False
    like = [as_typed(topic.id) for topic in known.values() if words in topic.title.lower()]
    hint = f"try {', '.join(like[:_MOST_PROPOSED])}" if like else ""
    names = [*map(as_typed, known), *group.list_commands(ctx)]
    raise wrong(f"the manual has no topic '{typed[:WIDEST]}'", _FORM, hint or nearest(typed, names))


def _show(text: str, markdown: bool = False) -> None:
    """Prints text; in a terminal with a pager, and with Markdown formatted."""
    if not sys.stdout.isatty():
        click.echo(text)
    else:
        click.echo_via_pager(in_terminal(text) if markdown else text)


def in_terminal(markdown: str) -> str:
    """Formats Markdown for a terminal, with ANSI colours and frames."""
    from rich.console import Console
    from rich.markdown import Markdown

    written = io.StringIO()
    width = min(shutil.get_terminal_size().columns, WIDEST)
    Console(file=written, force_terminal=True, width=width).print(
        Markdown(markdown, hyperlinks=False)
    )
    return written.getvalue()
