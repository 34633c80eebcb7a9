"""The manifest of an edition -> its files by kind, as the pages that lead to them list them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rulebook.build.ledger import Entry, Manifest
from rulebook.documents.catalogue import KINDS
from rulebook.documents.scenario.played import FOLDER, TITLE_ENDS

_PAPERS = {"letter": "Letter"}
_INKS = {"full": "full colour", "low": "low ink"}
#: What is made of imposed sheets, and what to ask of the printer.
_IMPOSITIONS = {
    "saddle stitch": ("to fold", "both sides, flipped on the short edge"),
    "n-up": ("to cut", "actual size"),
    "gutterfold": ("to fold, glue and cut", "one side, actual size"),
}


def groups_of(folder: Path, manifest: Manifest, start: str) -> list[dict[str, Any]]:
    """Kinds of documents with their files, those that are there.

    `start` is the address of the folder, relative to the page that lists them.
    """
    listed = [entry for entry in manifest.files if (folder / entry.path).is_file()]
    there = [entry for entry in listed if not _of_scenario(entry)]
    groups: dict[str, list[Entry]] = {kind.group: [] for kind in KINDS.values()}
    for entry in there:
        # A manifest may be that of an older program, with kinds of its own.
        kind = KINDS.get(entry.kind)
        groups.setdefault(kind.group if kind else entry.kind.capitalize(), []).append(entry)
    found = [
        {"title": title, "documents": _documents(entries, start)}
        for title, entries in groups.items()
        if entries
    ]
    return [*found, *_scenarios([entry for entry in listed if _of_scenario(entry)], start)]


def _of_scenario(entry: Entry) -> bool:
    return entry.path.startswith(f"{FOLDER}/")


def _scenarios(entries: list[Entry], start: str) -> Iterator[dict[str, Any]]:
    """A group for each scenario, of all kinds; its title leads that of each of its documents."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(_scenario_of(entry), []).append(entry)
    for title, listed in groups.items():
        documents = _documents(listed, start)
        for document in documents:
            document["title"] = document["title"].removeprefix(f"{title}{TITLE_ENDS}")
        yield {"title": f"Scenario: {title}", "documents": documents}


def _scenario_of(entry: Entry) -> str:
    return entry.title.rpartition(TITLE_ENDS)[0] or entry.title


def _documents(entries: list[Entry], start: str) -> list[dict[str, Any]]:
    """Files that share a title are forms of one document: one line with a link for each."""
    by_title: dict[str, list[Entry]] = {}
    for entry in entries:
        by_title.setdefault(entry.title, []).append(entry)
    return [
        {"title": title, "files": _files(sorted(forms, key=_order), start)}
        for title, forms in by_title.items()
    ]


def _order(entry: Entry) -> tuple[bool, str, str, str, str]:
    """Pages to read before sheets; paper by its names, full ink before low; without paper last."""
    paper, ink, imposition = entry.paper or "", entry.ink or "", entry.imposition or ""
    return (entry.format != "pdf", imposition, paper, ink, entry.path)


def _files(entries: list[Entry], start: str) -> list[dict[str, Any]]:
    """The ink is told only where there is a choice."""
    choice = len({entry.ink for entry in entries if entry.ink}) > 1
    return [
        {
            "href": quote(f"{start}/{entry.path}"),
            "name": entry.path,
            "format": entry.format.upper(),
            "paper": _PAPERS.get(entry.paper, entry.paper.upper()) if entry.paper else None,
            "ink": _INKS.get(entry.ink, entry.ink) if entry.ink and choice else None,
            "to": _IMPOSITIONS.get(entry.imposition or "", (entry.imposition, None))[0],
            "print": _printed(entry),
            "pages": entry.pages,
            "kilobytes": max(1, round(entry.bytes / 1000)),
        }
        for entry in entries
    ]


def _printed(entry: Entry) -> str | None:
    """What to ask of the printer; of cards that are not on sheets, what their pages are."""
    if entry.kind == "cards" and entry.format == "pdf" and not entry.imposition:
        return "each side of a card by itself"
    return _IMPOSITIONS.get(entry.imposition or "", (None, None))[1]
