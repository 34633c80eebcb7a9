"""`rulebook fmt`: the YAML files of rulesets -> the same in the usual form, comments kept."""

from __future__ import annotations

from dataclasses import replace
from difflib import unified_diff

import click

from rulebook.commands.choosing_rulesets import choose_rulesets
from rulebook.commands.options import verbosity_options
from rulebook.commands.usage_faults import tell
from rulebook.problems import printable


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET]...")
@click.option("--check", is_flag=True, help="Change nothing; end with 1 if a file would change.")
@click.option("--diff", is_flag=True, help="Change nothing; show what would change.")
@verbosity_options
@click.pass_context
def fmt(ctx: click.Context, *, rulesets: tuple[str, ...], check: bool, diff: bool) -> None:
    """Put the YAML files of rulesets in the usual form.

    \b
    quotes       only where YAML needs them, double ones rather than single ones
    spaces       one after each colon and comma, none inside brackets
    indentation  two spaces for each step inwards, also before the dashes of a list
    comments     at the ends of lines that follow one another, below each other
    order        keys as 'rulebook help reference' lists them: the title first

    What you named stays in your order, and so do comments, line breaks and collections. What a
    ruleset says does not change. A file with a fault of YAML is told and left as it is.
    """
    from rulebook.build.publish import unwritten, write_whole
    from rulebook.build.reporter import counted
    from rulebook.loading.formatting import format_ruleset
    from rulebook.loading.releases import is_release

    chosen = choose_rulesets(ctx.obj["content"], rulesets)
    if any(map(is_release, chosen)):
        raise click.UsageError("a released edition never changes\nname the ruleset itself")
    faults, files, changed = [], 0, 0
    for folder in chosen:
        found, problems = format_ruleset(folder)
        faults += problems
        for one in found:
            files += 1
            if one.after == one.before:
                continue
            changed += 1
            name = printable(one.file.as_posix())
            if diff:
                before, after = one.before.splitlines(), one.after.splitlines()
                click.echo("\n".join(unified_diff(before, after, name, name, lineterm="")))
            elif check:
                click.echo(f"would change {name}")
            else:
                try:
                    write_whole(one.file, one.after.encode())
                except OSError as fault:
                    faults.append(replace(unwritten(one.file, fault), hint=""))
                    continue
                click.echo(f"changed {name}")
    if faults:
        tell(faults)
    if not diff and ctx.obj["verbosity"] >= 0:
        told = f"{changed} would change" if check else f"{changed} changed"
        click.echo(f"{counted(files, 'file')}, {told}")
    ctx.exit(1 if faults or (check and changed) else 0)
