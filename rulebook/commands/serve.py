"""`rulebook serve`: the shelf of the working copies on this machine, following every save."""

from __future__ import annotations

from contextlib import closing
from errno import EADDRINUSE
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands.arguments import choose_rulesets, output_option, verbosity_options
from rulebook.commands.terminal import say, wrong
from rulebook.plain_files import reason_of

if TYPE_CHECKING:
    from socket import socket

    from rulebook.build.plan import BuildRequest
    from rulebook.build.serve import Address


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET]...")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8765,
    help="Where on this machine.  [default: 8765]",
)
@click.option("--host", default="127.0.0.1", help="For whom; 0.0.0.0 is for all in the network.")
@click.option("--open", "open_it", is_flag=True, help="Open it in the browser.")
@output_option("Where the files are.")
@verbosity_options
@click.pass_context
def serve(
    ctx: click.Context,
    *,
    rulesets: tuple[str, ...],
    port: int,
    host: str,
    open_it: bool,
    out: Path,
) -> None:
    """Show the rulesets in a browser, and every save at once.

    Pages are made when they are opened, and follow what you save: an open page shows the change
    where it stands, and what is wrong until it is mended. Sheets and cards are made again when you
    open them. Where no ruleset is named all are served. Ctrl-C ends it.

    \b
    rulebook serve mygame --open
    """
    from rulebook.build.plan import BuildRequest
    from rulebook.build.report import Reporter
    from rulebook.build.serve import Address
    from rulebook.build.serve import serve as serve_site
    from rulebook.commands.odds import Answers
    from rulebook.loading.folder import AT

    released = [name for name in rulesets if AT in name]
    if released:
        raise wrong(f"'{released[0]}' is released and never changes", "the name of a ruleset")

    def request() -> BuildRequest:
        return BuildRequest(
            folders=tuple(choose_rulesets(ctx.obj["content"], rulesets)),
            templates=ctx.obj["templates"].resolve(),
            out=out,
            cache=ctx.obj["cache"],
        )

    def ready() -> None:
        say(ctx, f"serving {address.url} until Ctrl-C")
        if open_it:
            click.launch(address.url)

    address = Address(host, port)
    door = _listen(address)
    reporter = Reporter(verbosity=ctx.obj["verbosity"])
    odds = Answers(ctx.obj["content"], ctx.obj["cache"])
    with door, closing(reporter):
        serve_site(
            *(request, reporter, ctx.obj["content"]),
            address=address,
            door=door,
            odds=odds,
            ready=ready,
        )


def _listen(address: Address) -> socket:
    """Returns a listening socket; prints a warning if other machines can reach the server.

    Raises click.UsageError if the address cannot be used.
    """
    from rulebook.build.serve import listen

    if address.is_open:
        click.echo(
            f"everybody in the network can read this at {address.url_elsewhere}; "
            "leave out --host where you do not trust them",
            err=True,
        )
    try:
        return listen(address)
    except OSError as fault:
        if fault.errno == EADDRINUSE:
            hint = "choose another with --port"
            raise wrong(f"port {address.port} is taken", hint=hint) from fault
        raise wrong(f"nothing can be served at '{address.host}': {reason_of(fault)}") from fault
