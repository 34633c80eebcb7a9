"""The command line -> one of the commands, which is imported only when it is called.

Little but click is imported here, so that `--help` and a mistyped name are answered at once.
"""

from __future__ import annotations

import gc
import signal
import sys
from importlib import import_module
from io import TextIOWrapper
from keyword import iskeyword
from pathlib import Path
from typing import Any

import click
from platformdirs import user_cache_path

from rulebook import __version__
from rulebook.cache import open_cache
from rulebook.packaged import templates_folder

#: What a shell reports of a program that the user stopped.
STOPPED_BY_USER = 130

#: Command -> its line in the help. It stands in the module of its name.
COMMANDS = {
    "list": "What rulesets there are, and what they hold.",
    "check": "Tell every fault of the rulesets.",
    "build": "Print booklets, sheets and cutouts to PDF and HTML.",
    "serve": "Show the rulesets in a browser, and every save at once.",
    "odds": "Tell the odds of a procedure, exactly.",
    "roll": "Play a procedure once, step by step.",
    "cutout": "Draw one cutout at true scale.",
    "map": "Draw the map of a scenario, at any scale.",
    "printer-test": "Print a sheet that tells how far a printer errs.",
    "diff": "Tell what changed between two editions.",
    "release": "Freeze the edition of a ruleset, with what changed in it.",
    "new": "Start a ruleset that builds.",
    "import": "Make a sheet of a workbook, a document or notes.",
    "schema": "JSON Schema of the content files, for editors.",
    "help": "Show the manual, a topic of it, or a fault.",
    "doctor": "See whether all is there that printing needs.",
}


def module_of(command: str) -> str:
    """Returns the full name of the module of a command, a function of the same name in it."""
    name = command.replace("-", "_")
    return f"rulebook.commands.{name}{'_' * iskeyword(name)}"


class LazyGroup(click.Group):
    """A group that lists its commands by name and help line, and imports only the one called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name = import_module(module_of(cmd_name)), cmd_name.replace("-", "_")
        command: click.Command = getattr(module, name, None) or getattr(module, f"{name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from rulebook.commands.terminal import unknown

            raise click.UsageError(unknown("command", args[0], COMMANDS).message, ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
            ctx.exit(STOPPED_BY_USER)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--content",
    type=click.Path(path_type=Path),
    default=Path("content"),
    help="Folder with one folder for each ruleset.  [default: ./content]",
)
@click.option(
    "--templates",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=None,
    help="Folder with templates and stylesheets.  [default: the shipped ones]",
)
@click.option(
    "--cache",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="RULEBOOK_CACHE",
    show_envvar=True,
    help="Folder that keeps what was done, so that it is not done again; safe to delete.  "
    "[default: in the user's cache folder]",
)
@click.option("-q", "--quiet", is_flag=True, help="Tell faults only.")
@click.option("-v", "--verbose", count=True, help="Tell more.")
@click.version_option(__version__, prog_name="rulebook", message="%(prog)s %(version)s")
@click.pass_context
def cli(
    ctx: click.Context,
    *,
    content: Path,
    templates: Path | None,
    cache: Path | None,
    quiet: bool,
    verbose: int,
) -> None:
    """Tabletop wargame rules as data: booklets, quick-reference sheets and true-scale cutouts.

    Exit status: 0 all well, 1 the content or the build has faults, 2 wrong usage.
    """
    ctx.obj = {
        "content": content,
        "templates": templates or templates_folder(),
        "cache": open_cache(cache or user_cache_path("rulebook")),
        "verbosity": -1 if quiet else verbose,
    }


def main() -> None:
    """Runs the command line, after setting up signals, output encoding and garbage collection."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal without the signs of a title shows a question mark rather than a traceback.
            stream.reconfigure(errors="replace")
    # Whoever ends us, a build still records what it has written.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # What is loaded stays to the end: to look through it for garbage again and again, as the
    # default of 700 does, takes an eighth of the time of a short command.
    gc.set_threshold(100_000)
    cli(prog_name="rulebook")
