"""`-q` and `-v` after a command -> the same as before it, where most people write them last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def _set(ctx: click.Context, parameter: click.Parameter, value: int) -> None:
    """What is given after the command adds to what is given before it; quiet beats verbose."""
    if not value:
        return
    quiet = parameter.name == "quiet" or ctx.obj["verbosity"] < 0
    ctx.obj["verbosity"] = -1 if quiet else ctx.obj["verbosity"] + value


def verbosity_options(command: Command) -> Command:
    """Options that set `verbosity` in the context's object, as those of the group do."""
    verbose = click.option(
        "-v", "--verbose", count=True, expose_value=False, callback=_set, help="Tell more."
    )
    quiet = click.option(
        "-q",
        "--quiet",
        is_flag=True,
        expose_value=False,
        callback=_set,
        help="Tell faults only.",
    )
    return quiet(verbose(command))
