"""`rulebook export`: a table, a deck or the units of a ruleset -> a file for a spreadsheet."""

from __future__ import annotations

from pathlib import Path

import click

from rulebook.commands.choosing_rulesets import choose_rulesets
from rulebook.commands.usage_faults import fail, unknown


@click.command()
@click.argument("ruleset")
@click.argument("table")
@click.option("--csv", "form", flag_value="csv", default=True, help="With commas.  [default]")
@click.option("--tsv", "form", flag_value="tsv", help="With tabs.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write; without it the table goes to the terminal.",
)
@click.pass_context
def export(ctx: click.Context, *, ruleset: str, table: str, form: str, output: Path | None) -> None:
    """Write a table as a spreadsheet opens it, as it is written in the files of the ruleset.

    TABLE is the id of a table that is not computed, of a modifier table or of a deck of listed
    cards, or `units`. A file in the ruleset's folder then takes the place of the rows:

    \b
      data: guns.csv     of a table
      rows: guns.csv     of a modifier table
      cards: guns.csv    of a deck
      units: units.csv   of all units

    Nothing is lost on the way to and fro. The apostrophe before a cell such as '1/2 keeps a
    spreadsheet from making a date or a formula of it.
    """
    from rulebook.loading.releases import is_release
    from rulebook.loading.rulesets import written_collections
    from rulebook.loading.sheet_nodes import Unwritable, names_of, rows_of, standing_under
    from rulebook.loading.snapshots import written_of
    from rulebook.loading.spreadsheets import as_csv
    from rulebook.problems import Report

    (source,) = choose_rulesets(ctx.obj["content"], [ruleset])
    report = Report()
    if is_release(source):
        written = written_of(source, report)
        collections = written.collections if written else None
    else:
        collections = written_collections(source, report)
    if collections is None or not report.ok:
        fail(ctx, report)
    name = table.replace("-", "_")
    try:
        rows = rows_of(collections, name)
    except KeyError:
        told = unknown("table, deck or list of units", table, names_of(collections))
        raise click.UsageError(told) from None
    except Unwritable as fault:
        raise click.ClickException(f"'{name}' does not go into a spreadsheet: {fault}") from None
    text = as_csv(rows, "\t" if form == "tsv" else ",")
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        # The mark at the beginning tells Excel that the file is UTF-8.
        output.write_text(text, "utf-8-sig", newline="\n")
    except OSError as fault:
        raise click.ClickException(f"'{output}' cannot be written: {fault.strerror}") from fault
    if ctx.obj["verbosity"] >= 0:
        key = standing_under(collections, name)
        click.echo(f"wrote {output.as_posix()}\nto read it from there write: {key}: {output.name}")
