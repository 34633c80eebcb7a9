"""`rulebook list`: what rulesets there are, and what they hold.

The JSON form is a contract: one object, its key `rulesets` a list in the order of the content, each
with `id`, `title`, `edition`, `date`, `status` ("working copy", "released" or "withdrawn"),
`faults` (a number), `editions`, `documents` (paths in the output folder), and `tables`,
`modifiers`, `procedures`, `units`, `decks`, `cutouts`, `figures`, `examples`, `options` and
`chapters`, each a list of `{"id", "title"}`. A procedure has `inputs` too, each with `name`,
`label`, `default`, `choices` (in words) and `values` as they are typed (of conditions each by
itself), and `results`, a list of names; both are empty if it has faults.

`editions` are those that were released, the oldest first, each with `edition`, `title`, `date`,
`status`, `reason` (why it was withdrawn, Markdown or null), `withdrawn` (the day, or null),
`after`, `summary`, `changes` (a list of `{"title", "class"}`) and `sha256`. What is described
beside them is the working copy, or, where a ruleset has none, the edition that was released last. A
ruleset with faults has null for title, edition, date and status, and empty lists but for its
editions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulebook.build.report import counted
from rulebook.build.stale import edition_key
from rulebook.commands.arguments import choose_folders, remembered
from rulebook.problems import Report, printable

if TYPE_CHECKING:
    from rulebook.cache import Cache

#: What stands in the header, or is said of it.
_OF_HEADER = ("title", "edition", "date", "status")


@click.command("list")
@click.argument("rulesets", nargs=-1, metavar="[RULESET]...")
@click.option("--json", "as_json", is_flag=True, help="For programs; the form is stable.")
@click.pass_context
def list_command(ctx: click.Context, *, rulesets: tuple[str, ...], as_json: bool) -> None:
    """What rulesets there are, and what they hold."""

    cache, templates = ctx.obj["cache"], ctx.obj["templates"].resolve()
    described = [
        remembered(
            cache,
            "list",
            edition_key(folder, cache),
            partial(_describe, folder, cache, templates),
        )
        for folder in choose_folders(ctx.obj["content"], rulesets)
    ]
    if as_json:
        click.echo(json.dumps({"rulesets": described}, indent=1))
        return
    for ruleset in described:
        listing = _listing(ruleset, verbose=ctx.obj["verbosity"] > 0)
        click.echo("\n".join(map(printable, listing.split("\n"))))


def _describe(folder: Path, cache: Cache, templates: Path) -> dict[str, Any]:
    """Describes a ruleset as JSON data, from what a build has kept of it if it can."""
    from rulebook.build.archive import released_editions
    from rulebook.build.edition import COLLECTIONS_LISTED, ContentFault, open_edition
    from rulebook.build.plan import BuildRequest
    from rulebook.build.stale import templates_key
    from rulebook.loading.folder import newest_edition

    source, request = newest_edition(folder), BuildRequest((), templates, Path(), cache=cache)
    editions = [
        edition.model_dump(mode="json", by_alias=True) for edition in released_editions(folder)
    ]
    described: dict[str, Any] = {"id": folder.name, **dict.fromkeys(_OF_HEADER)}
    described |= {"faults": 0, "editions": editions, "documents": []}
    described |= {name: [] for name in (*COLLECTIONS_LISTED, "chapters")}
    try:
        known = open_edition(0, source, request, templates_key(templates), {}).known
    except ContentFault as fault:
        described["faults"] = len(Report(list(fault.problems)).errors)
        return described | _readable(source)
    described |= {name: getattr(known.heading, name) for name in _OF_HEADER} | known.held
    described["documents"] = [
        f"{known.heading.ruleset}/{known.form}/{file.path}"
        for document in known.documents
        for file in document.files
        if not file.shows
    ]
    return described


def _readable(source: Path) -> dict[str, Any]:
    """Describes what can be read of an edition that has faults; empty if nothing can."""
    from rulebook.build.edition import held_by
    from rulebook.loading.editions import load_standing

    ruleset = load_standing(source).ruleset
    if ruleset is None:
        return {}
    header = ruleset.header
    return {
        "title": header.title,
        "edition": header.edition,
        "date": header.date.isoformat() if header.date else None,
        "status": ruleset.standing.status,
        **held_by(ruleset),
    }


def _listing(ruleset: Mapping[str, Any], *, verbose: bool) -> str:
    if ruleset["title"] is None:
        line = f"{ruleset['id']}: {counted(ruleset['faults'], 'fault')}, see 'rulebook check'"
        return "\n".join([line, *_released(ruleset)])
    date = f" ({ruleset['date']})" if ruleset["date"] else ""
    lines = [f"{ruleset['id']} {ruleset['edition']}  {ruleset['title']}{date}"]
    if ruleset["faults"]:
        lines.append(f"  {counted(ruleset['faults'], 'fault')}, see 'rulebook check'")
    lines += _released(ruleset)
    held = list(ruleset)[list(ruleset).index("documents") + 1 :]
    for name in sorted(held, key=lambda name: name != "chapters"):
        listed = ruleset[name]
        if listed and verbose:
            lines += [f"  {name}:", *(line for thing in listed for line in _entity(thing))]
        elif listed:
            ids = ", ".join(thing["id"] for thing in listed)
            lines.append(f"  {counted(len(listed), name.removesuffix('s'))}: {ids}")
    if ruleset["documents"]:
        lines += ["  documents:", *(f"    {path}" for path in ruleset["documents"])]
    return "\n".join(lines)


def _released(ruleset: Mapping[str, Any]) -> list[str]:
    """Returns a line such as `released: 1.0 (withdrawn), 2.0` in a list; empty without releases."""
    named = (
        edition["edition"] + (" (withdrawn)" if edition["status"] == "withdrawn" else "")
        for edition in ruleset["editions"]
    )
    return [f"  released: {', '.join(named)}"] if ruleset["editions"] else []


def _entity(thing: Mapping[str, Any]) -> list[str]:
    """Returns lines about an item: its id and title and, for a procedure, a line for each input."""
    inputs = [f"      {given['name']}: {given['choices']}" for given in thing.get("inputs", ())]
    return [f"    {thing['id']}  {thing['title']}", *inputs]
