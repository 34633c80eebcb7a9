"""Markdown -> clean HTML: tables and lists, no raw HTML; words of the index get an anchor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from xml.etree.ElementTree import Element

import nh3
from markdown import Markdown
from markdown.treeprocessors import Treeprocessor

from rulebook.markdown_reader import may_lead_to, new_reader, shared_reader
from rulebook.phrases import Phrases

_TAGS = {
    "p", "em", "strong", "code", "pre", "ul", "ol", "li", "blockquote", "a", "br", "hr", "sup",
    "sub", "table", "thead", "tbody", "tr", "th", "td", "dl", "dt", "dd",
}  # fmt: skip
_PARAGRAPHS = ("p", "li", "td", "th", "dt", "dd")
_ATTRIBUTES = {"a": {"href"}, **{tag: {"id"} for tag in _PARAGRAPHS}}


def _clean(html: str) -> str:
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_attribute,
        url_schemes={"http", "https", "mailto"},
        link_rel=None,
    )


def _attribute(_tag: str, name: str, value: str) -> str | None:
    """No address but those that checking lets pass, whatever a template may have put together."""
    return value if name != "href" or may_lead_to(value) else None


def block(text: str) -> str:
    """Paragraphs, lists and tables."""
    reader = shared_reader()
    reader.reset()
    return _clean(reader.convert(text))


_TAG = re.compile(r"<(/?)(\w++)[^<>]*>")


def pieces(text: str) -> list[str]:
    """The HTML of each paragraph, list or table of a text by itself, in order."""
    return elements(block(text))


def elements(html: str) -> list[str]:
    """Clean HTML cut into its outermost elements, in order."""
    html = html.strip()
    found: list[str] = []
    depth = start = 0
    for tag in _TAG.finditer(html):
        if tag[2] in ("br", "hr"):
            continue
        depth += -1 if tag[1] else 1
        if depth == 0:
            found.append(html[start : tag.end()].strip())
            start = tag.end()
    rest = html[start:].strip()
    return [*found, rest] if rest else found


@lru_cache(maxsize=4096)
def inline(text: str) -> str:
    """Markdown within a line: the paragraph around it is taken off; further ones become breaks.

    What is more than paragraphs, such as a list, stays as it is.
    """
    html = block(text).strip()
    *paragraphs, rest = html.split("</p>")
    parts = [one.partition("<p>") for one in paragraphs]
    plain = all(begun and not before.strip() for before, begun, _ in parts) and not rest.strip()
    return "<br>".join(words for _, _, words in parts) if plain else html


class IndexedMarkdown:
    """Markdown of a booklet; what in a section first uses a term is its anchor in the index.

    `terms` maps a term's id to the forms that the text may use. After rendering, `places` maps the
    id to the sections that use it, in their order, each with its anchor: the heading, a table, or
    a paragraph. It is never the word: spans around words make lines break where they should not.
    """

    def __init__(self, terms: Mapping[str, Sequence[str]]) -> None:
        self.places: dict[str, dict[str, str]] = {term: {} for term in terms}
        self._terms_by_form = {
            form.casefold(): term for term, forms in terms.items() for form in forms
        }
        self._forms = Phrases(self._terms_by_form)
        self._section = ""
        self._anchors = 0
        self._reader = new_reader()
        # Last of all, when escaped characters are themselves again.
        self._reader.treeprocessors.register(_Anchors(self._reader, self), "index", -5)

    def begin_section(self, name: str, title: str) -> str:
        """From here on each term gets an anchor again; the name comes back, for templates."""
        self._section = name
        self.note(title, name)
        return name

    def note(self, text: str, anchor: str) -> bool:
        """Whether a text uses a term for the first time in its section; `anchor` leads to it."""
        words = " ".join(text.split()).casefold()
        used = {self._terms_by_form[form] for form in self._forms.longest_in(words)}
        new = [term for term in used if self._section not in self.places[term]]
        for term in new:
            self.places[term][self._section] = anchor
        return bool(new)

    def convert(self, text: str) -> str:
        self._reader.reset()
        return _clean(self._reader.convert(text))

    def mark(self, paragraph: Element) -> None:
        """Give a paragraph an id if it uses a term for the first time in its section."""
        anchor = f"use-{self._anchors + 1}"
        if self.note(" ".join(_running_text(paragraph)), anchor):
            self._anchors += 1
            paragraph.set("id", anchor)


class _Anchors(Treeprocessor):
    """Shows every paragraph, list item and cell to an `IndexedMarkdown`."""

    def __init__(self, reader: Markdown, index: IndexedMarkdown) -> None:
        super().__init__(reader)
        self._index = index

    def run(self, root: Element) -> None:
        for element in root.iter():
            if element.tag in _PARAGRAPHS:
                self._index.mark(element)


def _running_text(element: Element) -> Iterator[str]:
    """The text of an element without its links and code, and without the paragraphs inside it."""
    if element.text:
        yield element.text
    for child in element:
        if child.tag not in ("a", "code", *_PARAGRAPHS, "ul", "ol"):
            yield from _running_text(child)
        if child.tail:
            yield child.tail
