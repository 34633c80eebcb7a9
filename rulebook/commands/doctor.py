"""`rulebook doctor`: this machine -> whether all that printing needs is there, or how to get it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from rulebook.commands import installing, needs
from rulebook.commands.needs import Finding

_SAID = {"there": "ok", "missing": "MISSING", "slow": "missing"}


@click.command()
@click.option("--fix", is_flag=True, help="Install what is missing, where that may be.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("output"),
    help="The output folder to look at.  [default: ./output]",
)
@click.pass_context
def doctor(ctx: click.Context, fix: bool, out: Path) -> None:
    """See whether all is there that printing needs, and tell the line that installs the rest.

    Exit status 1 where something is missing without which nothing can be printed.
    """
    findings = _look(out)
    missing = _missing_libraries(findings)
    if missing:
        machine = installing.this_machine()
        if fix and machine.may_install:
            _install(machine, missing)
            findings = _look(out)
            missing = _missing_libraries(findings)
    quiet = ctx.obj["verbosity"] < 0
    for finding in findings:
        if finding.state != "there" or not quiet:
            click.echo(_row(finding))
    if missing:
        who = ", as root" if machine.needs_root else ""
        click.echo(f"\nto install what is missing{who}:\n  {installing.line(machine, missing)}")
        if fix and installing.hint_for_mac():
            click.echo(f"if it is installed and not found:\n  {installing.hint_for_mac()}")
    ctx.exit(1 if any(finding.state == "missing" for finding in findings) else 0)


def _look(out: Path) -> list[Finding]:
    return [
        needs.find_python(),
        *needs.find_libraries(),
        needs.find_fonts(),
        needs.find_place(out),
    ]


def _missing_libraries(findings: Sequence[Finding]) -> list[needs.Library]:
    return [finding.library for finding in findings if finding.library and finding.state != "there"]


def _install(machine: installing.Machine, missing: Sequence[needs.Library]) -> None:
    click.echo(f"running: {installing.line(machine, missing)}", err=True)
    if not installing.install(machine, missing, installing.run_visibly):
        click.echo("the package manager reports a fault", err=True)


def _row(finding: Finding) -> str:
    detail = f"  {finding.detail}" if finding.detail else ""
    return f"{finding.what:<24}  {_SAID[finding.state]:<8}{detail}".rstrip()
