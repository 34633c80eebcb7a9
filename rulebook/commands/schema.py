"""`rulebook schema`: the model -> JSON Schema, by which editors complete and check content."""

from __future__ import annotations

import json
from pathlib import Path

import click

from rulebook.commands.terminal import say

#: Folder beside the rulesets to which the first line of each content file leads an editor.
FOLDER = ".schema"
#: The schemas, and what the names of their files end in.
FILES = ("ruleset", "topic", "option", "variant", "revisions")
ENDING = ".schema.json"


@click.command()
@click.argument(
    "file",
    required=False,
    type=click.Choice(FILES),
)
@click.option("--write", is_flag=True, help="Write all into the content folder, for editors.")
@click.pass_context
def schema(ctx: click.Context, file: str | None, write: bool) -> None:
    """JSON Schema (draft 2020-12) of the content files, for editors.

    Of ruleset.yaml with `ruleset`, of the files in options/ with `option`, of revisions.yaml with
    `revisions`, of all other YAML files with `topic`, or `variant` where the ruleset is based on
    another; without any, one schema that takes them all.
    With --write they stand where the first line of each content file leads to.
    """
    from rulebook.model import schemas

    if write:
        folder = ctx.obj["content"] / FOLDER
        if folder.is_symlink():
            message = f"'{folder.as_posix()}' is a link\ndelete it: a folder is made in its place"
            raise click.ClickException(message)
        try:
            write_schemas(folder)
        except OSError as fault:
            raise click.ClickException(f"'{folder}' cannot be written: {fault.strerror}") from fault
        say(ctx, f"wrote {folder.as_posix()}")
        return
    made = getattr(schemas, f"{file or 'whole'}_schema")
    click.echo(json.dumps(made(), ensure_ascii=False, indent=2))


def write_schemas(folder: Path) -> None:
    """Writes the JSON schemas of all content files into a folder. Raises OSError."""
    from rulebook.model import schemas

    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        made = getattr(schemas, f"{name}_schema")()
        text = json.dumps(made, ensure_ascii=False, indent=1) + "\n"
        (folder / f"{name}{ENDING}").write_text(text, "utf-8", newline="\n")
