"""`rulebook list`: what rulesets there are, and what they hold.

The JSON form is a contract: one object, its key `rulesets` a list in the order of the content,
each with `id`, `title`, `edition`, `date`, `faults` (a number), `documents` (paths in the output
folder), and `tables`, `modifiers`, `cutouts`, `examples` and `chapters`, each a list of `{"id",
"title"}`. A ruleset with faults has null for title, edition and date, and empty lists.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

_COLLECTIONS = ("tables", "modifiers", "cutouts", "examples")


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="For programs; the form is stable.")
@click.pass_context
def list_rulesets(ctx: click.Context, as_json: bool) -> None:
    """What rulesets there are, and what they hold."""
    from rulebook.commands.choosing import choose_rulesets

    rulesets = [_describe(folder) for folder in choose_rulesets(ctx.obj["content"], ())]
    if as_json:
        click.echo(json.dumps({"rulesets": rulesets}, ensure_ascii=False, indent=1))
        return
    for ruleset in rulesets:
        click.echo(_told(ruleset, verbose=ctx.obj["verbosity"] > 0))


def _describe(folder: Path) -> dict[str, Any]:
    from rulebook.checking.sense import check
    from rulebook.loading.rulesets import load
    from rulebook.publications.documents import compose

    loaded = load(folder)
    faults = len(loaded.report.errors)
    described: dict[str, Any] = {"id": folder.name, "title": None, "edition": None, "date": None}
    if loaded.ruleset is None:
        empty: dict[str, list[Any]] = {
            name: [] for name in ("documents", *_COLLECTIONS, "chapters")
        }
        return {**described, "faults": faults, **empty}
    ruleset, header = loaded.ruleset, loaded.ruleset.header
    faults += len(check(ruleset).errors)
    described |= {
        "title": header.title,
        "edition": header.edition,
        "date": header.date.isoformat(),
        "faults": faults,
    }
    described["documents"] = [
        f"{publication.ruleset}/{publication.edition}/{artefact.path}"
        for publication in (compose(ruleset) if not faults else ())
        for artefact in publication.artefacts
    ]
    for name in _COLLECTIONS:
        described[name] = _titles(getattr(ruleset, name))
    described["chapters"] = [
        {"id": chapter.id, "title": chapter.title} for chapter in ruleset.chapters
    ]
    return described


def _titles(entities: Mapping[str, Any]) -> list[dict[str, str]]:
    return [{"id": key, "title": entity.title} for key, entity in entities.items()]


def _told(ruleset: Mapping[str, Any], *, verbose: bool) -> str:
    from rulebook.build.reporter import counted

    if ruleset["title"] is None:
        return f"{ruleset['id']}: {counted(ruleset['faults'], 'fault')}, see 'rulebook check'"
    lines = [f"{ruleset['id']} {ruleset['edition']}  {ruleset['title']} ({ruleset['date']})"]
    if ruleset["faults"]:
        lines.append(f"  {counted(ruleset['faults'], 'fault')}, see 'rulebook check'")
    for name in ("chapters", *_COLLECTIONS):
        listed = ruleset[name]
        if listed and verbose:
            lines += [f"  {name}:", *(f"    {one['id']}  {one['title']}" for one in listed)]
        elif listed:
            lines.append(f"  {len(listed)} {name}: {', '.join(one['id'] for one in listed)}")
    if ruleset["documents"]:
        lines += ["  documents:", *(f"    {path}" for path in ruleset["documents"])]
    return "\n".join(lines)
