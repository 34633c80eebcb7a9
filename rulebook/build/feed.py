"""The editions of a ruleset -> output/<ruleset>/feed.atom, which tells of each as it comes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from rulebook.build.archive import Archive, ListedEdition
from rulebook.model.revisions import CLASSES

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
