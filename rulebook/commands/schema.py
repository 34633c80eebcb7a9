"""`rulebook schema`: the model -> JSON Schema, by which editors complete and check content."""

from __future__ import annotations

import json
from pathlib import Path

import click

#: Folder beside the rulesets to which the first line of each content file leads an editor.
FOLDER = ".schema"


@click.command()
@click.argument("file", required=False, type=click.Choice(["ruleset", "topic"]))
@click.option("--write", is_flag=True, help="Write both into the content folder, for editors.")
@click.pass_context
def schema(ctx: click.Context, file: str | None, write: bool) -> None:
    """JSON Schema (draft 2020-12) of the content files, for editors.

    Of ruleset.yaml with `ruleset`, of all other YAML files with `topic`; without either, one schema
    that takes both. With --write both stand where the first line of each content file leads to.
    """
    from rulebook.model.schemas import ruleset_schema, topic_schema, whole_schema

    if write:
        folder = ctx.obj["content"] / FOLDER
        try:
            write_schemas(folder)
        except OSError as fault:
            raise click.ClickException(f"'{folder}' cannot be written: {fault.strerror}") from fault
        if ctx.obj["verbosity"] >= 0:
            click.echo(f"wrote {folder.as_posix()}")
        return
    made = {"ruleset": ruleset_schema, "topic": topic_schema, None: whole_schema}[file]()
    click.echo(json.dumps(made, ensure_ascii=False, indent=2))


def write_schemas(folder: Path) -> None:
    """Write both schemas; raises OSError."""
    from rulebook.model.schemas import RULESET_FILE, TOPIC_FILE, ruleset_schema, topic_schema

    folder.mkdir(parents=True, exist_ok=True)
    for name, made in ((RULESET_FILE, ruleset_schema()), (TOPIC_FILE, topic_schema())):
        text = json.dumps(made, ensure_ascii=False, indent=1) + "\n"
        (folder / name).write_text(text, "utf-8", newline="\n")
