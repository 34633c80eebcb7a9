"""The manifests of an output folder -> the pages that lead to every file, and the feeds.

output/index.html shows each ruleset in its edition of today, output/<ruleset>/index.html all its
editions with their files and checksums, and output/<ruleset>/feed.atom tells of each as it comes.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from pydantic import TypeAdapter, ValidationError

from rulebook.build.archive import Archive, ListedEdition, manifests_in, read_archive
from rulebook.build.checksums import sha256, sha256_of
from rulebook.build.fingerprints import program_digest
from rulebook.build.ledger import MANIFEST, Entry, Manifest
from rulebook.build.publish import write_if_changed
from rulebook.build.shelf import INDEX
from rulebook.documents.catalogue import KINDS
from rulebook.documents.scenario.forces import FOLDER, TITLE_ENDS
from rulebook.frozen_view import canonical
from rulebook.model.revisions import CLASSES
from rulebook.plain_files import read_plain
from rulebook.quantities import format_date

FEED = "feed.atom"
MEDIA = "application/atom+xml"
_NAMESPACE = "http://www.w3.org/2005/Atom"
#: Who mints the ids, and since when: never to be changed.
_MINTED = "rulebook,2026"
#: What no XML may hold; no ruleset that was read without a fault does.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Inline = Callable[[str], str]


def feed_of(archive: Archive, pages: dict[str, str], inline: Inline) -> bytes | None:
    """The feed, the newest edition first; None where no edition was released with a date.

    `pages` are notes on the changes of editions, as relative addresses; `inline` turns the Markdown
    of a reason or a summary into HTML.
    """
    released = [one for one in archive.editions if one.status != "working copy" and one.date]
    if not released:
        return None
    feed = Element("feed", {"xmlns": _NAMESPACE, "xml:lang": "en"})
    _add(feed, "id", f"tag:{_MINTED}:{archive.ruleset}")
    _add(feed, "title", archive.title)
    _add(feed, "updated", max(_time(one) for one in released))
    for name in archive.authors or (archive.title,):
        _add(SubElement(feed, "author"), "name", name)
    _link(feed, "self", FEED, MEDIA)
    _link(feed, "alternate", "index.html", "text/html")
    for one in reversed(released):
        _entry(SubElement(feed, "entry"), archive.ruleset, one, pages.get(one.edition), inline)
    ElementTree.indent(feed, " ")
    text = ElementTree.tostring(feed, "unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()


def _entry(
    entry: Element, ruleset: str, one: ListedEdition, page: str | None, inline: Inline
) -> None:
    mark = " (withdrawn)" if one.status == "withdrawn" else ""
    _add(entry, "id", f"tag:{_MINTED}:{ruleset}/{one.edition}")
    _add(entry, "title", f"{one.title}, edition {one.edition}{mark}")
    _add(entry, "updated", _time(one))
    _link(entry, "alternate", f"index.html#edition-{one.edition}", "text/html")
    if page is not None:
        _link(entry, "related", page, "text/html")
    _add(entry, "content", "".join(_told(one, inline))).set("type", "html")


def _told(one: ListedEdition, inline: Inline) -> Iterable[str]:
    """What there is to say of an edition, in HTML."""
    if one.reason is not None:
        yield f"<p><b>This edition is withdrawn.</b> {inline(one.reason)}</p>"
    if one.summary is not None:
        yield f"<p>{inline(one.summary)}</p>"
    elif not one.changes and one.reason is None:
        yield f"<p>Edition {escape(one.edition)} is released.</p>"
    for class_, titles in by_class(one):
        items = "".join(f"<li>{escape(title)}</li>" for title in titles)
        yield f"<p>{class_.capitalize()}</p><ul>{items}</ul>"


def by_class(one: ListedEdition) -> Sequence[tuple[str, list[str]]]:
    """The titles of the changes of an edition, the gravest class first."""
    found = [(c, [change.title for change in one.changes if change.class_ == c]) for c in CLASSES]
    return [(class_, titles) for class_, titles in found if titles]


def _time(one: ListedEdition) -> str:
    """When there was last something to tell of an edition."""
    if one.status != "withdrawn":
        return f"{one.date}T00:00:00Z"
    return f"{max(one.date or '', one.withdrawn or '')}T12:00:00Z"


def _add(parent: Element, name: str, text: str) -> Element:
    part = SubElement(parent, name)
    part.text = _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
    return part


def _link(parent: Element, rel: str, href: str, media: str) -> None:
    SubElement(parent, "link", {"rel": rel, "href": href, "type": media})


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


#: What the page was made of, so that it is not made again.
LEDGER = ".ledger.json"
TEMPLATE = "index.html.j2"
ARCHIVE_TEMPLATE = "archive.html.j2"
#: All that the pages are made of.
SOURCES = (TEMPLATE, ARCHIVE_TEMPLATE, "parts/files.html.j2", "parts/endmatter.html.j2")
#: Kinds of documents that tell what has changed, as pages for a screen.
_OF_CHANGES = ("changes-screen", "changes")

RenderTemplate = Callable[[str, Mapping[str, Any], Path], str]


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes pages from templates; what they say and are made of decides whether it is done."""

    templates: Path
    render_template: RenderTemplate
    ingredients: Mapping[str, str] | None

    def write(self, folder: Path, template: str, says: Mapping[str, Any]) -> None:
        """Write the page of a folder, unless it is there as it should be."""
        page, ledger = folder / INDEX, folder / LEDGER
        parts = [*sorted((self.ingredients or {}).items()), *self._sources()]
        now = sha256(canonical([program_digest(), says, parts]))
        if self.ingredients is not None and _known(ledger) == (now, sha256_of(page)):
            return
        data = self.render_template(template, says, self.templates).encode()
        write_if_changed(page, data)
        write_if_changed(ledger, canonical({"fingerprint": now, "sha256": sha256(data)}))

    def _sources(self) -> list[tuple[str, str | None]]:
        return [(name, sha256_of(self.templates / name)) for name in SOURCES]


def write_index(
    out: Path,
    templates: Path,
    render_template: RenderTemplate,
    ingredients: Mapping[str, str] | None,
) -> None:
    """Write the pages; each holds its own styles and leads to files by relative addresses.

    Where what one says and its `ingredients` are as they were it is left alone; with None it is
    always made, since nothing is known of them. Raises OSError, and whatever a faulty template
    raises.
    """
    from rulebook.typeset.markup import inline

    maker = _Maker(templates, render_template, ingredients)
    for folder in _rulesets(out):
        archive = read_archive(folder)
        if archive is None:
            continue
        says = archive_view(folder, archive)
        notes = {one["edition"]: one["notes"] for one in says["editions"] if one["notes"]}
        feed = feed_of(archive, notes, inline)
        if feed is not None:
            write_if_changed(folder / FEED, feed)
        else:
            (folder / FEED).unlink(missing_ok=True)
        maker.write(folder, ARCHIVE_TEMPLATE, says)
    maker.write(out, TEMPLATE, view(out))


def _rulesets(out: Path) -> list[Path]:
    """The folders of the output folder in which editions are printed."""
    return sorted({path.parent.parent for path in out.glob(f"*/*/{MANIFEST}")})


def _known(ledger: Path) -> tuple[str, str] | None:
    try:
        found = TypeAdapter(dict[str, str]).validate_json(read_plain(ledger))
        return found["fingerprint"], found["sha256"]
    except (OSError, ValidationError, KeyError):
        return None


def view(out: Path) -> dict[str, Any]:
    """Rulesets by title, each with the files of its edition of today, and its other editions."""
    rulesets = []
    for folder in _rulesets(out):
        archive = read_archive(folder)
        if archive is None:
            continue
        start = folder.relative_to(out).as_posix()
        printed = {one.edition: (at, one) for at, one in reversed(manifests_in(folder))}
        listed = [one for one in reversed(archive.editions) if one.edition in printed]
        shown = next((one for one in listed if one.status != "withdrawn"), None)
        others = [one for one in reversed(archive.editions) if one is not shown]
        at, manifest = printed[shown.edition] if shown else (folder, None)
        same = (one for one_at, one in manifests_in(folder) if one_at != at)
        rulesets.append(
            {
                "title": shown.title if shown else archive.title,
                "archive": quote(f"{start}/{INDEX}"),
                "feed": quote(f"{start}/{FEED}") if (folder / FEED).is_file() else None,
                "edition": _heading(shown, manifest) if shown else None,
                "groups": groups_of(at, manifest, f"{start}/{at.name}") if manifest else [],
                "also": [one.asked for one in same if shown and one.edition == shown.edition],
                "others": [_heading(one, None) for one in others],
            }
        )
    return {"rulesets": sorted(rulesets, key=lambda ruleset: str(ruleset["title"]).casefold())}


def archive_view(folder: Path, archive: Archive) -> dict[str, Any]:
    """All editions of a ruleset, newest first, with their files and checksums."""
    printed = manifests_in(folder)
    return {
        "title": archive.title,
        "feed": FEED if _is_told(archive) else None,
        "editions": [_edition(one, printed) for one in reversed(archive.editions)],
    }


def _is_told(archive: Archive) -> bool:
    return any(one.status != "working copy" and one.date for one in archive.editions)


def _edition(one: ListedEdition, printed: list[tuple[Path, Manifest]]) -> dict[str, Any]:
    printings = [(at, manifest) for at, manifest in printed if manifest.edition == one.edition]
    own = next((manifest for at, manifest in printings if at.name == one.edition), None)
    return {
        **_heading(one, own),
        "title": one.title,
        "summary": one.summary,
        "after": one.after if one.changes else None,
        "changes": [{"class": class_, "titles": titles} for class_, titles in by_class(one)],
        "notes": next((page for at, manifest in printings if (page := _notes(at, manifest))), None),
        "sha256": one.sha256,
        "printings": [
            {
                "name": manifest.asked,
                "manifest": quote(f"{at.name}/{MANIFEST}"),
                "groups": groups_of(at, manifest, at.name),
                "sums": [
                    {"path": f"{at.name}/{entry.path}", "sha256": entry.sha256}
                    for entry in sorted(manifest.files, key=lambda entry: entry.path)
                    if (at / entry.path).is_file()
                ],
            }
            for at, manifest in printings
        ],
    }


def _heading(one: ListedEdition, manifest: Manifest | None) -> dict[str, Any]:
    """What is said of an edition: its number, date and standing.

    What is printed may be a working copy that has moved on under the number of a released edition.
    """
    moved_on = manifest is not None and manifest.status == "working copy"
    return {
        "edition": one.edition,
        "anchor": f"edition-{one.edition}",
        "date": _in_words(one.date or ""),
        "status": one.status,
        "reason": one.reason,
        "withdrawn": _in_words(one.withdrawn or ""),
        "differs": moved_on and one.status != "working copy",
    }


def _notes(at: Path, manifest: Manifest) -> str | None:
    """The address of the page that tells what has changed, if there is one."""
    for kind in _OF_CHANGES:
        for entry in manifest.files:
            if entry.kind == kind and entry.format == "html" and (at / entry.path).is_file():
                return quote(f"{at.name}/{entry.path}")
    return None


def _in_words(date: str) -> str:
    """The date as documents print it; as it stands where it is none."""
    try:
        return format_date(datetime.date.fromisoformat(date))
    except ValueError:
        return date
