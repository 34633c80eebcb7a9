"""The output folder -> the pages that lead to every file.

output/index.html is the shelf: the cover of each ruleset, with what it says of itself.
output/<ruleset>/index.html leads to what is read, printed and played in the edition of today, to
all of its files, and to its other editions with their changes and checksums, or how to print one
that is not there; feed.atom tells of each edition as it comes. What all of it is made of is small
and soon read: the manifests, the lists of editions, and what was released.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rulebook.build.archive import (
    Archive,
    EditionFolder,
    ListedEdition,
    printed_in,
    read_archive,
    write_archive,
)
from rulebook.build.publish import FEED, INDEX, MANIFEST, Manifest, PrintedFile, write_if_changed
from rulebook.documents.document_kind import KINDS, SCENARIOS, THUMBNAILS, TITLE_ENDS
from rulebook.model.header import ALL_TOGETHER
from rulebook.model.revisions import CLASSES
from rulebook.paper_and_ink import INK_TITLES, PAPERS, PRESS
from rulebook.quantities import format_date
from rulebook.typeset import environment

#: What the papers are called in lists of files.
_PAPERS = {name: paper.title for name, paper in PAPERS.items()}
#: What is made of imposed sheets, and what to ask of the printer.
_IMPOSITIONS = {
    "saddle stitch": ("to fold", "both sides, flipped on the short edge"),
    "n-up": ("to cut", "actual size"),
    "gutterfold": ("to fold, glue and cut", "one side, actual size"),
    "pocket": ("to fold and cut", "one side, actual size"),
}
#: The colour of the shelf, which belongs to no ruleset.
_ACCENT = "#3d3a36"
#: Kinds of documents that tell what has changed, as pages for a screen.
_OF_CHANGES = ("changes-screen", "changes")
#: Pages of an edition that are read and used, by their names, in the order in which they are shown.
_PAGES = {
    "booklet.html": "booklet",
    "qrs.html": "qrs",
    "table.html": "table",
    "odds.html": "odds",
    "cards.html": "cards",
}
#: Addresses in the folder of a ruleset that the shelf links to.
_LINKS = ("cover", "new", "search", "feed")
#: Who mints the ids of feeds, and since when: never to be changed.
_MINTED = "rulebook,2026"
#: What no XML may hold; no ruleset that was read without a fault does.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_site(out: Path, folders: Iterable[Path], templates: Path) -> None:
    """Writes the lists of editions of rulesets, then the index pages of all rulesets in `out`.

    `folders` are the content folders of the rulesets whose lists are written. Raises OSError, and
    whatever a faulty template raises.
    """
    for folder in folders:
        write_archive(folder, out)
    shelf = []
    for folder in sorted({path.parent.parent for path in out.glob(f"*/*/{MANIFEST}")}):
        archive = read_archive(folder)
        if archive is None:
            continue
        view = ruleset_view(folder, archive)
        if view["feed"]:
            write_if_changed(folder / FEED, feed_of(archive, view["editions"], templates))
        else:
            (folder / FEED).unlink(missing_ok=True)
        page = environment.render_template("ruleset.html.j2", view, templates)
        write_if_changed(folder / INDEX, page.encode())
        start = quote(folder.name)
        links = {name: view[name] and f"{start}/{view[name]}" for name in _LINKS}
        shelf.append({**view, **links, "href": f"{start}/{INDEX}"})
    shelf.sort(key=lambda ruleset: str(ruleset["title"]).casefold())
    page = environment.render_template(
        "shelf.html.j2", {"accent": _ACCENT, "rulesets": shelf}, templates
    )
    write_if_changed(out / INDEX, page.encode())


def ruleset_view(folder: Path, archive: Archive) -> dict[str, Any]:
    """Returns the template data of a ruleset's page: its current edition and a list of all.

    `folder` is the ruleset's output folder.
    """
    printed = printed_in(folder)
    edition, today = _today(archive, printed)
    manifest, files = today.manifest, today.files()
    pictures = (file for file in files if file.kind == "booklet" and file.format == "png")
    index = (file for file in files if file.kind == "search")
    to_print = list(_to_print(today, files))
    summary = manifest.summary or ""
    return {
        **manifest.model_dump(include={"ruleset", "accent", "subtitle", "summary", "players"}),
        "title": edition.title,
        "sentence": re.split(r"(?<=[.!?…])\s", summary, maxsplit=1)[0],
        "edition": _heading(edition),
        "cover": next(map(today.href, pictures), None),
        "search": next(map(today.href, index), None),
        "new": _notes(today),
        "feed": FEED if any(map(_is_told, archive.editions)) else None,
        "pages": [
            {"is": name, "href": today.href(file)}
            for path, name in _PAGES.items()
            for file in files
            if file.path == path
        ],
        "print": to_print,
        "papers": _choices(to_print, "on", _PAPERS),
        "inks": _choices(to_print, "in", INK_TITLES),
        "scenarios": list(_scenarios(today, files)),
        "groups": groups_of(today, scenarios=False),
        "also": [
            {"asked": folder.manifest.asked, "href": f"#edition-{edition.edition}"}
            for folder in printed
            if today in printed and folder != today and folder.manifest.edition == edition.edition
        ],
        "editions": [_edition(edition, printed, today) for edition in reversed(archive.editions)],
    }


def _today(archive: Archive, printed: list[EditionFolder]) -> tuple[ListedEdition, EditionFolder]:
    """Returns the current edition and its folder: the newest that is printed and not withdrawn.

    If there is none, returns the newest edition with an empty folder.
    """
    at = {folder.manifest.edition: folder for folder in reversed(printed)}
    for edition in reversed(archive.editions):
        if edition.edition in at and edition.status != "withdrawn":
            return edition, at[edition.edition]
    newest = archive.editions[-1]
    empty = Manifest(
        ruleset=archive.ruleset,
        title=newest.title,
        edition=newest.edition,
        date=None,
        accent=_ACCENT,
        files=(),
    )
    return newest, EditionFolder(Path(), empty)


def groups_of(printed: EditionFolder, *, scenarios: bool = True) -> list[dict[str, Any]]:
    """Groups the existing files of an edition by kind of document, then by scenario.

    `scenarios=False` leaves out the groups of scenarios. JSON and script files are not listed.
    """
    listed = [entry for entry in printed.files() if entry.format not in ("json", "js")]
    groups: dict[str, list[PrintedFile]] = {kind.group: [] for kind in KINDS.values()}
    for entry in sorted(listed, key=lambda entry: entry.title):
        if not _of_scenario(entry):
            # A manifest may be that of an older program, with kinds of its own.
            kind = KINDS.get(entry.kind)
            groups.setdefault(kind.group if kind else entry.kind.capitalize(), []).append(entry)
    found = [
        {"title": title, "documents": _documents(printed, entries)}
        for title, entries in groups.items()
        if entries
    ]
    of_scenarios = _scenarios(printed, listed) if scenarios else ()
    return [
        *found,
        *({**scenario, "title": f"Scenario: {scenario['title']}"} for scenario in of_scenarios),
    ]


def _of_scenario(entry: PrintedFile) -> bool:
    return entry.path.startswith((f"{SCENARIOS}/", f"{THUMBNAILS}/{SCENARIOS}/"))


def _scenarios(printed: EditionFolder, entries: list[PrintedFile]) -> Iterator[dict[str, Any]]:
    """Yields the template data of each scenario: its title, page, map and documents.

    The title of the scenario is removed from the titles of its documents.
    """
    groups: dict[str, list[PrintedFile]] = {}
    for entry in filter(_of_scenario, entries):
        title = entry.title.rpartition(TITLE_ENDS)[0] or entry.title
        groups.setdefault(title, []).append(entry)
    for title, listed in groups.items():
        documents = _documents(printed, listed)
        for document in documents:
            document["title"] = document["title"].removeprefix(f"{title}{TITLE_ENDS}")
        pages = (file for file in listed if file.kind == "scenario-screen")
        yield {
            "title": title,
            "page": next(map(printed.href, pages), None),
            "map": _picture(printed, (file for file in listed if file.kind == "scenario")),
            "documents": documents,
        }


def _documents(printed: EditionFolder, entries: Iterable[PrintedFile]) -> list[dict[str, Any]]:
    """Groups files with the same title into documents, each with its picture and file links."""
    by_title: dict[str, list[PrintedFile]] = {}
    for entry in entries:
        by_title.setdefault(entry.title, []).append(entry)
    return [
        {
            "title": title,
            "picture": _picture(printed, forms),
            "files": _files(printed, [form for form in forms if form.format != "png"]),
        }
        for title, forms in by_title.items()
    ]


def _picture(printed: EditionFolder, entries: Iterable[PrintedFile]) -> str | None:
    """Returns the address of the first picture among the files of a document, or None."""
    return next((printed.href(entry) for entry in entries if entry.format == "png"), None)


def _order(entry: PrintedFile) -> tuple[bool, str, str, str, str]:
    """Returns the key to sort files by: PDFs first, then by imposition, paper, ink and path."""
    paper, ink, imposition = entry.paper or "", entry.ink or "", entry.imposition or ""
    return (entry.format != "pdf", imposition, paper, ink, entry.path)


def _files(printed: EditionFolder, entries: list[PrintedFile]) -> list[dict[str, Any]]:
    """Returns the template data of links to files, PDFs first.

    Inks are named only if there is a choice.
    """
    choice = len({entry.ink for entry in entries if entry.ink}) > 1
    files = []
    for entry in sorted(entries, key=_order):
        folded = entry.imposition or ""
        to, how = _IMPOSITIONS.get(folded, (folded or None, None))
        if entry.kind == "cards" and entry.format == "pdf" and not folded:
            how = "each side of a card by itself"
        files.append(
            {
                "href": printed.href(entry),
                "name": entry.path,
                "format": entry.format.upper(),
                "on": entry.paper,
                "in": entry.ink,
                "paper": _PAPERS.get(entry.paper or ""),
                "ink": INK_TITLES.get(entry.ink, entry.ink) if entry.ink and choice else None,
                "to": to,
                "print": how,
                "pages": entry.pages,
                "kilobytes": max(1, round(entry.bytes / 1000)),
            }
        )
    return files


def _to_print(printed: EditionFolder, files: list[PrintedFile]) -> Iterator[dict[str, Any]]:
    """Yields the template data of the documents to print first.

    These are the quick reference sheet, the booklet to fold, cutouts, cards and the booklet to
    read.
    """
    sheets = [
        file
        for file in sorted(files, key=lambda entry: entry.title)
        if (file.format == "png" or (file.format == "pdf" and file.paper))
        and not _of_scenario(file)
        and file.ink != PRESS
    ]

    def of_kind(kind: str) -> list[PrintedFile]:
        return [sheet for sheet in sheets if sheet.kind == kind]

    def booklet(title: str, *, folded: bool) -> Iterator[dict[str, Any]]:
        every = of_kind("booklet")
        forms = [file for file in every if file.format == "png" or bool(file.imposition) == folded]
        for document in _documents(printed, forms):
            if document["files"]:
                yield {**document, "title": title}

    together = [sheet for sheet in sheets if f"cutouts/{ALL_TOGETHER}-" in sheet.path]
    yield from _documents(printed, of_kind("qrs"))
    yield from booklet("Booklet to fold", folded=True)
    yield from _documents(printed, together or of_kind("cutout"))
    yield from _documents(printed, of_kind("cards"))
    yield from booklet("Booklet to read", folded=False)


def _choices(documents: list[dict[str, Any]], key: str, names: Mapping[str, str]) -> list[Any]:
    """Returns the papers or inks that at least two documents offer, with their display names.

    `key` is "on" for papers or "in" for inks; `names` maps them to display names. Empty if there is
    only one of them.
    """
    offered = [{file[key] for file in document["files"] if file[key]} for document in documents]
    every = sorted(set().union(*offered))
    found = [name for name in every if sum(name in of_one for of_one in offered) > 1]
    return [(name, names.get(name, name.upper())) for name in found] if len(found) > 1 else []


def _edition(
    edition: ListedEdition, printed: list[EditionFolder], today: EditionFolder
) -> dict[str, Any]:
    """Returns the template data of an edition: its changes, notes and printings with their files.

    The files of `today`, the current edition, are left out, since the page has them above.
    `differs` is set if a working copy was printed under the number of a released edition.
    """
    printings = [each for each in printed if each.manifest.edition == edition.edition]
    own = next((each for each in printings if each.folder.name == edition.edition), None)
    moved_on = own is not None and own.manifest.status == "working copy"
    changes = [(name, [c.title for c in edition.changes if c.class_ == name]) for name in CLASSES]
    return {
        **_heading(edition),
        "differs": moved_on and edition.status != "working copy",
        # The gravest class first.
        "changes": [{"class": name, "titles": titles} for name, titles in changes if titles],
        "notes": next(filter(None, map(_notes, printings)), None),
        "printings": [
            {
                "name": each.manifest.asked,
                "manifest": quote(f"{each.folder.name}/{MANIFEST}"),
                "groups": [] if each == today else groups_of(each),
                "sums": [
                    {"path": f"{each.folder.name}/{entry.path}", "sha256": entry.sha256}
                    for entry in each.files()
                ],
            }
            for each in printings
        ],
    }


def _heading(edition: ListedEdition) -> dict[str, Any]:
    """Returns the fields of an edition, without changes, as template data with dates in words."""
    dates = {name: _in_words(getattr(edition, name) or "") for name in ("date", "withdrawn")}
    return {**edition.model_dump(exclude={"changes"}), **dates}


def _notes(printed: EditionFolder) -> str | None:
    """Returns the address of the page about an edition's changes, or None if it has none."""
    pages = [entry for entry in printed.files() if entry.format == "html"]
    told = (entry for kind in _OF_CHANGES for entry in pages if entry.kind == kind)
    return next(map(printed.href, told), None)


def _in_words(date: str) -> str:
    """Formats an ISO date as documents print it; returns other text unchanged."""
    try:
        return format_date(datetime.date.fromisoformat(date))
    except ValueError:
        return date


def _is_told(edition: ListedEdition) -> bool:
    """Whether the feed has an entry for an edition: only if it was released and has a date."""
    return edition.status != "working copy" and edition.date is not None


def feed_of(archive: Archive, editions: list[dict[str, Any]], templates: Path) -> bytes:
    """Renders the Atom feed of a ruleset: an entry for each released edition that has a date.

    `editions` is the template data of the editions, as on the page of the ruleset.
    """
    listed = {edition.edition: edition for edition in archive.editions if _is_told(edition)}
    told = [
        {**edition, "updated": _time(listed[edition["edition"]])}
        for edition in editions
        if edition["edition"] in listed
    ]
    view = {
        "tag": f"tag:{_MINTED}:{archive.ruleset}",
        "title": archive.title,
        "authors": archive.authors,
        "editions": told,
    }
    text = environment.render_template("feed.atom.j2", view, templates)
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text).encode()


def _time(edition: ListedEdition) -> str:
    """Returns the time of an edition's entry in the feed, as ISO text.

    It is midnight of its release or, if it was withdrawn, noon of that day.
    """
    if edition.status != "withdrawn":
        return f"{edition.date}T00:00:00Z"
    return f"{max(edition.date or '', edition.withdrawn or '')}T12:00:00Z"
