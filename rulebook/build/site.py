"""The output folder -> the pages that lead to every file, made again if they may differ.

output/index.html is the shelf: the cover of each ruleset, with what it says of itself.
output/<ruleset>/index.html leads to what is read, printed and played in the edition of today, to
all of its files, and to its other editions with their changes and checksums; feed.atom tells of
each edition as it comes. What all of it is made of is small and soon read: the manifests, the lists
of editions, and what was released. Where that is as it was, and so are the pages, nothing is done.
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

from rulebook.build.archive import Archive, ListedEdition, manifests_in, read_archive, write_archive
from rulebook.build.publish import FEED, INDEX, MANIFEST, Manifest, PrintedFile, write_if_changed
from rulebook.documents.document_kind import KINDS, SCENARIOS, THUMBNAILS, TITLE_ENDS
from rulebook.model.print_settings import ALL_TOGETHER
from rulebook.model.revisions import CLASSES
from rulebook.paper_and_ink import INK_TITLES, PAPERS, PRESS
from rulebook.quantities import format_date

#: What the papers are called in lists of files.
_PAPERS = {name: paper.title for name, paper in PAPERS.items()}
#: What is made of imposed sheets, and what to ask of the printer.
_IMPOSITIONS = {
    "saddle stitch": ("to fold", "both sides, flipped on the short edge"),
    "n-up": ("to cut", "actual size"),
    "gutterfold": ("to fold, glue and cut", "one side, actual size"),
}


def groups_of(
    folder: Path, manifest: Manifest, start: str, *, scenarios: bool = True
) -> list[dict[str, Any]]:
    """Kinds of documents with their files, those that are there, and `scenarios` after them.

    `start` is the address of the folder, relative to the page that lists them.
    """
    read = (entry for entry in manifest.files if entry.format not in ("json", "js"))
    listed = [entry for entry in read if (folder / entry.path).is_file()]
    there = [entry for entry in listed if not _of_scenario(entry)]
    groups: dict[str, list[PrintedFile]] = {kind.group: [] for kind in KINDS.values()}
    for entry in there:
        # A manifest may be that of an older program, with kinds of its own.
        kind = KINDS.get(entry.kind)
        groups.setdefault(kind.group if kind else entry.kind.capitalize(), []).append(entry)
    found = [
        {"title": title, "documents": _documents(sorted(entries, key=_title), start)}
        for title, entries in groups.items()
        if entries
    ]
    if not scenarios:
        return found
    of_scenarios = _scenarios([entry for entry in listed if _of_scenario(entry)], start)
    return [*found, *({**one, "title": f"Scenario: {one['title']}"} for one in of_scenarios)]


def _of_scenario(entry: PrintedFile) -> bool:
    return entry.path.startswith((f"{SCENARIOS}/", f"{THUMBNAILS}/{SCENARIOS}/"))


def _scenarios(entries: list[PrintedFile], start: str) -> Iterator[dict[str, Any]]:
    """A group of documents for each scenario; the scenario's title is cut from theirs."""
    groups: dict[str, list[PrintedFile]] = {}
    for entry in entries:
        groups.setdefault(_scenario_of(entry), []).append(entry)
    for title, listed in groups.items():
        documents = _documents(listed, start)
        for document in documents:
            document["title"] = document["title"].removeprefix(f"{title}{TITLE_ENDS}")
        pages = (one for one in listed if one.kind == "scenario-screen")
        yield {
            "title": title,
            "page": next((quote(f"{start}/{one.path}") for one in pages), None),
            "map": _picture((one for one in listed if one.kind == "scenario"), start),
            "documents": documents,
        }


def _scenario_of(entry: PrintedFile) -> str:
    return entry.title.rpartition(TITLE_ENDS)[0] or entry.title


def _documents(entries: Iterable[PrintedFile], start: str) -> list[dict[str, Any]]:
    """Documents with links to their files; files with the same title are forms of one document."""
    by_title: dict[str, list[PrintedFile]] = {}
    for entry in entries:
        by_title.setdefault(entry.title, []).append(entry)
    return [
        {
            "title": title,
            "picture": _picture(forms, start),
            "files": _files(
                [one for one in sorted(forms, key=_order) if one.format != "png"], start
            ),
        }
        for title, forms in by_title.items()
    ]


def _title(entry: PrintedFile) -> str:
    return entry.title


def _picture(entries: Iterable[PrintedFile], start: str) -> str | None:
    """The address of what a document looks like."""
    return next((quote(f"{start}/{one.path}") for one in entries if one.format == "png"), None)


def _order(entry: PrintedFile) -> tuple[bool, str, str, str, str]:
    """Pages to read before sheets; paper by its names, full ink before low; without paper last."""
    paper, ink, imposition = entry.paper or "", entry.ink or "", entry.imposition or ""
    return (entry.format != "pdf", imposition, paper, ink, entry.path)


def _files(entries: list[PrintedFile], start: str) -> list[dict[str, Any]]:
    """Links to files; the ink is named only where there is a choice."""
    choice = len({entry.ink for entry in entries if entry.ink}) > 1
    return [
        {
            "href": quote(f"{start}/{entry.path}"),
            "name": entry.path,
            "format": entry.format.upper(),
            "on": entry.paper,
            "in": entry.ink,
            "paper": _PAPERS.get(entry.paper or ""),
            "ink": INK_TITLES.get(entry.ink, entry.ink) if entry.ink and choice else None,
            "to": _IMPOSITIONS.get(entry.imposition or "", (entry.imposition, None))[0],
            "print": _printed(entry),
            "pages": entry.pages,
            "kilobytes": max(1, round(entry.bytes / 1000)),
        }
        for entry in entries
    ]


def _printed(entry: PrintedFile) -> str | None:
    """How to print a file, in words; None where nothing special is needed."""
    if entry.kind == "cards" and entry.format == "pdf" and not entry.imposition:
        return "each side of a card by itself"
    return _IMPOSITIONS.get(entry.imposition or "", (None, None))[1]


TEMPLATE = "shelf.html.j2"
RULESET_TEMPLATE = "ruleset.html.j2"
#: The colour of the shelf, which belongs to no ruleset.
_ACCENT = "#3d3a36"
#: Kinds of documents that tell what has changed, as pages for a screen.
_OF_CHANGES = ("changes-screen", "changes")


def write_site(out: Path, folders: Iterable[Path], templates: Path) -> None:
    """Write the lists of editions of rulesets in their `folders`, then the pages of all rulesets.

    Each page holds its own styles and leads to files by relative addresses. Raises OSError, and
    whatever a faulty template raises.
    """
    from rulebook.typeset.environment import render_template
    from rulebook.typeset.markup import inline

    for folder in folders:
        write_archive(folder, out)
    for folder in _rulesets(out):
        archive = read_archive(folder)
        if archive is None:
            continue
        says = ruleset_view(folder, archive)
        notes = {one["edition"]: one["notes"] for one in says["editions"] if one["notes"]}
        feed = feed_of(archive, notes, inline)
        if feed is not None:
            write_if_changed(folder / FEED, feed)
        else:
            (folder / FEED).unlink(missing_ok=True)
        page = render_template(RULESET_TEMPLATE, says, templates)
        write_if_changed(folder / INDEX, page.encode())
    page = render_template(TEMPLATE, shelf_view(out), templates)
    write_if_changed(out / INDEX, page.encode())


def _rulesets(out: Path) -> list[Path]:
    """The folders of the output folder in which editions are printed."""
    return sorted({path.parent.parent for path in out.glob(f"*/*/{MANIFEST}")})


def shelf_view(out: Path) -> dict[str, Any]:
    """Rulesets by title, each with its cover and what it says of itself."""
    rulesets = []
    for folder in _rulesets(out):
        archive = read_archive(folder)
        if archive is None:
            continue
        start = quote(folder.relative_to(out).as_posix())
        today = _today(folder, archive)
        feed = f"{start}/{FEED}" if (folder / FEED).is_file() else None
        about = _about(archive, today, f"{start}/")
        sentence = re.split(r"(?<=[.!?…])\s", about["summary"] or "", maxsplit=1)[0]
        rulesets.append({**about, "href": f"{start}/{INDEX}", "sentence": sentence, "feed": feed})
    by_title = sorted(rulesets, key=lambda ruleset: str(ruleset["title"]).casefold())
    return {"accent": _ACCENT, "rulesets": by_title}


@dataclass(frozen=True, slots=True)
class _Today:
    """The current edition of a ruleset, and its printed folder."""

    edition: ListedEdition
    folder: Path
    manifest: Manifest

    def entries(self) -> list[PrintedFile]:
        """The files that are there."""
        return [one for one in self.manifest.files if (self.folder / one.path).is_file()]


def _today(folder: Path, archive: Archive) -> _Today | None:
    """The newest edition that is printed and not withdrawn."""
    printed = {one.edition: (at, one) for at, one in reversed(manifests_in(folder))}
    for one in reversed(archive.editions):
        if one.edition in printed and one.status != "withdrawn":
            return _Today(one, *printed[one.edition])
    return None


def _about(archive: Archive, today: _Today | None, start: str = "") -> dict[str, Any]:
    """What a ruleset says of itself; `start` is the address of its folder."""
    if today is None:
        none = dict.fromkeys(("subtitle", "summary", "players", "cover", "new", "search"))
        newest = _heading(archive.editions[-1], None)
        return {"title": archive.title, "accent": _ACCENT, "edition": newest, **none}
    manifest, entries = today.manifest, today.entries()
    pictures = (one for one in entries if one.kind == "booklet" and one.format == "png")
    cover = next(pictures, None)
    notes = _notes(today.folder, manifest)
    index = next((one for one in entries if one.kind == "search"), None)
    return {
        "title": today.edition.title,
        "accent": manifest.accent,
        "subtitle": manifest.subtitle,
        "summary": manifest.summary,
        "players": manifest.players,
        "edition": _heading(today.edition, manifest),
        "cover": start + quote(f"{today.folder.name}/{cover.path}") if cover else None,
        "new": f"{start}{notes}" if notes else None,
        "search": start + quote(f"{today.folder.name}/{index.path}") if index else None,
    }


#: Pages of an edition that are read and used, by their names, in the order in which they are shown.
_PAGES = {
    "booklet.html": "booklet",
    "qrs.html": "qrs",
    "table.html": "table",
    "odds.html": "odds",
    "cards.html": "cards",
}


def ruleset_view(folder: Path, archive: Archive) -> dict[str, Any]:
    """What there is of a ruleset: its edition of today in full, and all of its editions."""
    today, printed = _today(folder, archive), manifests_in(folder)
    entries = today.entries() if today else []
    start = today.folder.name if today else ""
    to_print = list(_to_print(entries, start))
    return {
        **_about(archive, today),
        "feed": FEED if _has_feed(archive) else None,
        "pages": [
            {"is": name, "href": quote(f"{start}/{path}")}
            for path, name in _PAGES.items()
            if any(one.path == path for one in entries)
        ],
        "print": to_print,
        "papers": _choices(to_print, "on", _PAPERS),
        "inks": _choices(to_print, "in", INK_TITLES),
        "scenarios": list(_scenarios([one for one in entries if _of_scenario(one)], start)),
        "groups": groups_of(today.folder, today.manifest, start, scenarios=False) if today else [],
        "also": [
            {"asked": manifest.asked, "href": f"#edition-{manifest.edition}"}
            for at, manifest in printed
            if today and at != today.folder and manifest.edition == today.edition.edition
        ],
        "editions": [_edition(one, printed, today) for one in reversed(archive.editions)],
    }


def _to_print(entries: list[PrintedFile], start: str) -> Iterator[dict[str, Any]]:
    """What is printed first: sheet, booklet to fold, cutouts, cards, booklet to read."""
    sheets = [one for one in entries if one.format == "png" or (one.format == "pdf" and one.paper)]
    sheets = [one for one in sheets if not _of_scenario(one) and one.ink != PRESS]
    sheets.sort(key=_title)
    booklet = [one for one in sheets if one.kind == "booklet"]
    together = [one for one in sheets if f"cutouts/{ALL_TOGETHER}-" in one.path]
    yield from _documents((one for one in sheets if one.kind == "qrs"), start)
    for of, title in ((True, "Booklet to fold"), (False, "Booklet to read")):
        wanted = [one for one in booklet if one.format == "png" or bool(one.imposition) == of]
        for document in _documents(wanted, start):
            if document["files"]:
                yield {**document, "title": title}
        if of:
            cutouts = together or [one for one in sheets if one.kind == "cutout"]
            yield from _documents(cutouts, start)
            yield from _documents((one for one in sheets if one.kind == "cards"), start)


def _choices(documents: list[dict[str, Any]], key: str, names: Mapping[str, str]) -> list[Any]:
    """The papers or inks that several documents offer; empty if there is only one."""
    there = [{file[key] for file in one["files"] if file[key]} for one in documents]
    found = sorted({one for of in there for one in of if sum(one in each for each in there) > 1})
    return [(one, names.get(one, one.upper())) for one in found] if len(found) > 1 else []


def _has_feed(archive: Archive) -> bool:
    return any(one.status != "working copy" and one.date for one in archive.editions)


def _edition(
    one: ListedEdition, printed: list[tuple[Path, Manifest]], today: _Today | None
) -> dict[str, Any]:
    """An edition with its files; those of the current edition are listed elsewhere."""
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
                "groups": [] if today and at == today.folder else groups_of(at, manifest, at.name),
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
    _add(entry, "content", "".join(_announcement(one, inline))).set("type", "html")


def _announcement(one: ListedEdition, inline: Inline) -> Iterable[str]:
    """The HTML of a feed entry: why it is withdrawn, its summary and its changes."""
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
    """The time of the last news of an edition: its release or its withdrawal."""
    if one.status != "withdrawn":
        return f"{one.date}T00:00:00Z"
    return f"{max(one.date or '', one.withdrawn or '')}T12:00:00Z"


def _add(parent: Element, name: str, text: str) -> Element:
    part = SubElement(parent, name)
    part.text = _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
    return part


def _link(parent: Element, rel: str, href: str, media: str) -> None:
    SubElement(parent, "link", {"rel": rel, "href": href, "type": media})
