"""The manifests of an output folder -> output/index.html, the way in to every file."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic import TypeAdapter, ValidationError

from rulebook.build.fingerprints import canonical, program_digest, sha256
from rulebook.build.ledger import MANIFEST, Entry, Manifest, read_manifest, sha256_of
from rulebook.build.publish import write_if_changed
from rulebook.quantities import format_date

INDEX = "index.html"
#: What the page was made of, so that it is not made again.
LEDGER = ".ledger.json"
TEMPLATE = "index.html.j2"

#: Kinds of documents in the order in which players ask for them, as the way in calls them.
_GROUPS = {
    "qrs": "Quick reference",
    "booklet": "Booklet",
    "qrs-screen": "Quick reference",
    "booklet-screen": "Booklet",
    "cards": "Cards",
    "cards-screen": "Cards",
    "cutout": "Cutouts",
    "drawing": "Cutouts",
}
_PAPERS = {"letter": "Letter"}
_INKS = {"full": "full colour", "low": "low ink"}
#: What is made of imposed sheets, and what to ask of the printer.
_IMPOSITIONS = {
    "saddle stitch": ("to fold", "both sides, flipped on the short edge"),
    "n-up": ("to cut", "actual size"),
    "gutterfold": ("to fold, glue and cut", "one side, actual size"),
}

RenderTemplate = Callable[[str, Mapping[str, Any], Path], str]


def write_index(
    out: Path,
    templates: Path,
    render_template: RenderTemplate,
    ingredients: Mapping[str, str] | None,
) -> None:
    """Write the page; it holds its own styles and leads to files by relative addresses.

    Where what it says and its `ingredients` are as they were it is left alone; with None it is
    always made, since nothing is known of them. Raises OSError, and whatever a faulty template
    raises.
    """
    page, ledger = out / INDEX, out / LEDGER
    says = view(out)
    now = sha256(canonical([program_digest(), says, sorted((ingredients or {}).items())]))
    if ingredients is not None and _known(ledger) == (now, sha256_of(page)):
        return
    data = render_template(TEMPLATE, says, templates).encode()
    write_if_changed(page, data)
    write_if_changed(ledger, canonical({"fingerprint": now, "sha256": sha256(data)}))


def _known(ledger: Path) -> tuple[str, str] | None:
    try:
        found = TypeAdapter(dict[str, str]).validate_json(ledger.read_bytes())
        return found["fingerprint"], found["sha256"]
    except (OSError, ValidationError, KeyError):
        return None


def view(out: Path) -> dict[str, Any]:
    """Rulesets by title, in each the editions, newest first, in each the files by kind."""
    manifests = [
        (path.parent, manifest)
        for path in sorted(out.glob(f"*/*/{MANIFEST}"))
        if (manifest := read_manifest(path.parent)) is not None
    ]
    rulesets = []
    by_id = sorted(manifests, key=lambda found: found[0].parent.name)
    for _, found in groupby(by_id, key=lambda pair: pair[0].parent.name):
        editions = sorted(found, key=lambda pair: _newest(pair[1].edition), reverse=True)
        rulesets.append(
            {
                "title": editions[0][1].title,
                "editions": [_edition(folder, manifest, out) for folder, manifest in editions],
            }
        )
    return {"rulesets": sorted(rulesets, key=lambda ruleset: str(ruleset["title"]).casefold())}


def _newest(edition: str) -> list[tuple[int, str]]:
    """2.10 comes after 2.9."""
    return [(int(number or -1), rest) for number, rest in re.findall(r"(\d*)(\D*)", edition)]


def _edition(folder: Path, manifest: Manifest, out: Path) -> dict[str, Any]:
    there = [entry for entry in manifest.files if (folder / entry.path).is_file()]
    names = list(dict.fromkeys(_GROUPS.values()))
    rest = sorted({entry.kind for entry in there} - _GROUPS.keys())
    groups = {name: [e for e in there if _GROUPS.get(e.kind) == name] for name in names}
    groups |= {kind.capitalize(): [e for e in there if e.kind == kind] for kind in rest}
    start = folder.relative_to(out).as_posix()
    return {
        "title": manifest.title,
        "edition": manifest.edition,
        "date": _in_words(manifest.date or ""),
        "groups": [
            {"title": title, "documents": _documents(entries, start)}
            for title, entries in groups.items()
            if entries
        ],
    }


def _in_words(date: str) -> str:
    """The date as documents print it; as it stands where it is none."""
    try:
        return format_date(datetime.date.fromisoformat(date))
    except ValueError:
        return date


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
