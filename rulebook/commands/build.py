"""`rulebook build`: rulesets -> everything that is printed for them, in the output folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands.arguments import (
    Pair,
    choose_editions,
    length_options,
    offset_option,
    output_option,
    read_lengths,
    several_option,
    verbosity_options,
    with_option,
)
from rulebook.commands.terminal import say

if TYPE_CHECKING:
    from rulebook.build.plan import BuildRequest
    from rulebook.build.report import Reporter


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET]...")
@click.option(
    "--only",
    multiple=True,
    metavar="GLOB",
    help="Only files of these names: 'qrs-*', 'cutouts/*', 'mygame/1.0/*.html'.",
)
@several_option("--paper", "papers", metavar="A4,LETTER", help="Only on these.")
@several_option("--ink", "inks", metavar="FULL,LOW", help="Only in these.")
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    help="Worker processes.  [default: as many as processors]",
)
@click.option("--cluster", metavar="ADDRESS", help="Render on the Dask cluster at this address.")
@output_option("Where to write.")
@offset_option(
    "Move the backs of cards, as 'rulebook printer-test' says: x=1mm,y=-0.5mm.",
)
@with_option
@length_options
@click.option("--all-editions", "every", is_flag=True, help="Former editions as well.")
@click.option("--explain", is_flag=True, help="Tell for each file why it is rendered.")
@click.option("--watch", is_flag=True, help="Go on, and build again whenever a file changes.")
@verbosity_options
@click.pass_context
def build(
    ctx: click.Context,
    *,
    rulesets: tuple[str, ...],
    only: tuple[str, ...],
    papers: tuple[str, ...],
    inks: tuple[str, ...],
    jobs: int | None,
    cluster: str | None,
    out: Path,
    offset: Pair | None,
    options: tuple[str, ...],
    scale: str | None,
    read: tuple[str, ...],
    steps: tuple[str, ...],
    every: bool,
    explain: bool,
    watch: bool,
) -> None:
    """Print booklets, sheets and cutouts to PDF and HTML.

    Where no ruleset is named the newest edition of each is printed, with what has changed since the
    one before. mygame@1.0 prints a former edition again, and --all-editions all of them.

    Files whose content, templates and styles have not changed since are left as they are. What
    cannot be built is reported at the end; the rest is built all the same, and the earlier files
    stay. With options in force, or lengths turned, all goes to a folder of its own, such as
    mygame/1.0+rain.

    \b
    rulebook build mygame@1.0
    rulebook build mygame --with rain --with fog
    rulebook build mygame --scale 1/2 --read in=2.5cm --round 0.5cm
    """
    from rulebook.build.plan import BuildRequest
    from rulebook.build.report import Reporter

    lengths = read_lengths(scale, read, steps)

    def request() -> BuildRequest:
        return BuildRequest(
            folders=tuple(choose_editions(ctx, rulesets, options, every=every)),
            options=options,
            lengths=lengths,
            templates=ctx.obj["templates"].resolve(),
            out=out,
            only=only,
            papers=tuple(name.lower() for name in papers),
            inks=tuple(name.lower() for name in inks),
            jobs=jobs,
            cluster=cluster,
            cache=ctx.obj["cache"],
            offset=(0, 0) if offset is None else (float(offset[0]), float(offset[1])),
        )

    reporter = Reporter(verbosity=ctx.obj["verbosity"], explain=explain, out=out)
    _run(ctx, request, reporter, watch=watch)


def _run(
    ctx: click.Context, request: Callable[[], BuildRequest], reporter: Reporter, *, watch: bool
) -> None:
    """Builds what is requested, once or, if `watch`, again after every change.

    A single build ends the program, with status 1 if it had failures. Raises click exceptions if
    nothing can be built.
    """
    from rulebook.build.building import build_on_change, build_rulesets
    from rulebook.build.plan import CannotBuild

    try:
        if watch:
            build_on_change(request, reporter, ctx.obj["content"])
            return
        requested = request()
        outcome = build_rulesets(requested, reporter)
    except CannotBuild as fault:
        raise (click.UsageError if fault.usage else click.ClickException)(str(fault)) from fault
    finally:
        reporter.close()
    if outcome.ok and outcome.written:
        say(ctx, f"open {(requested.out / 'index.html').as_posix()}")
    ctx.exit(0 if outcome.ok else 1)
