"""`rulebook schema`: the model -> JSON Schema, by which editors complete and check content."""

from __future__ import annotations

import json

import click


@click.command()
@click.argument("file", required=False, type=click.Choice(["ruleset", "topic"]))
def schema(file: str | None) -> None:
    """JSON Schema (draft 2020-12) of the content files, for editors.

    Of ruleset.yaml with `ruleset`, of all other YAML files with `topic`; without either, one schema
    that takes both.
    """
    from rulebook.model.schemas import ruleset_schema, topic_schema, whole_schema

    made = {"ruleset": ruleset_schema, "topic": topic_schema, None: whole_schema}[file]()
    click.echo(json.dumps(made, ensure_ascii=False, indent=2))
