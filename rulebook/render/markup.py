"""Markdown -> clean HTML: tables and lists, no raw HTML; words of the index get an anchor."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from xml.etree.ElementTree import Element

import nh3
from markdown import Markdown
from markdown.treeprocessors import Treeprocessor

_TAGS = {
    "p", "em", "strong", "code", "ul", "ol", "li", "blockquote", "a", "br", "hr", "sup", "sub",
    "span", "table", "thead", "tbody", "tr", "th", "td", "dl", "dt", "dd",
}  # fmt: skip
_ATTRIBUTES = {"a": {"href"}, "span": {"id", "class"}, "th": {"align"}, "td": {"align"}}


def _clean(html: str) -> str:
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel=None,
    )


def _markdown() -> Markdown:
    reader = Markdown(
        extensions=["tables", "def_list", "sane_lists", "smarty"], output_format="html"
    )
    reader.preprocessors.deregister("html_block")
    reader.inlinePatterns.deregister("html")
    return reader


@lru_cache(maxsize=1)
def _shared() -> Markdown:
    return _markdown()


def block(text: str) -> str:
    """Paragraphs, lists and tables."""
    reader = _shared()
    reader.reset()
    return _clean(reader.convert(text))


def inline(text: str) -> str:
    """Markdown within a line: the paragraph around it is taken off; further ones become breaks."""
    html = block(text).strip()
    parts = re.findall(r"<p>(.*?)</p>", html, flags=re.DOTALL)
    return "<br>".join(parts) if parts and html.startswith("<p>") else html


class IndexedMarkdown:
    """Markdown of a booklet; the first use of each term in a section gets an anchor.

    `terms` maps a term's id to the forms that the text may use. After rendering, `places` maps the
    id to the sections that use it, in their order, each with its anchor.
    """

    def __init__(self, terms: Mapping[str, Sequence[str]]) -> None:
        self.places: dict[str, dict[str, str]] = {term: {} for term in terms}
        self._terms_by_form = {
            form.casefold(): term for term, forms in terms.items() for form in forms
        }
        longest_first = sorted(self._terms_by_form, key=lambda form: (-len(form), form))
        self._pattern = (
            re.compile(r"(?<!\w)(" + "|".join(map(re.escape, longest_first)) + r")(?!\w)", re.I)
            if longest_first
            else None
        )
        self._section = ""
        self._reader = _markdown()
        self._reader.treeprocessors.register(_Anchors(self._reader, self), "index", 5)

    def begin_section(self, name: str) -> str:
        """From here on each term gets an anchor again; the name comes back, for templates."""
        self._section = name
        return name

    def convert(self, text: str) -> str:
        self._reader.reset()
        return _clean(self._reader.convert(text))

    def split(self, text: str) -> tuple[str, list[tuple[str, str, str]]]:
        """Text up to the first new term, then (anchor, word, text after it) for each new one."""
        if self._pattern is None:
            return text, []
        head, end = text, 0
        found: list[tuple[str, str, str]] = []
        for match in self._pattern.finditer(text):
            term = self._terms_by_form[match[0].casefold()]
            if self._section in self.places[term]:
                continue
            anchor = f"term-{term}-{len(self.places[term]) + 1}"
            self.places[term][self._section] = anchor
            before = text[end : match.start()]
            if found:
                found[-1] = (*found[-1][:2], before)
            else:
                head = before
            end = match.end()
            found.append((anchor, match[0], ""))
        if found:
            found[-1] = (*found[-1][:2], text[end:])
        return head, found


class _Anchors(Treeprocessor):
    """Wraps the words that an `IndexedMarkdown` finds in `<span id>`."""

    def __init__(self, reader: Markdown, index: IndexedMarkdown) -> None:
        super().__init__(reader)
        self._index = index

    def run(self, root: Element) -> None:
        self._visit(root)

    def _visit(self, element: Element) -> None:
        if element.tag in ("a", "code"):
            return
        children = list(element)
        element.text = self._mark(element, element.text, 0)
        for child in children:
            self._visit(child)
            position = list(element).index(child) + 1
            child.tail = self._mark(element, child.tail, position)

    def _mark(self, parent: Element, text: str | None, position: int) -> str | None:
        if not text:
            return text
        head, found = self._index.split(text)
        for offset, (anchor, word, tail) in enumerate(found):
            span = Element("span", {"id": anchor})
            span.text, span.tail = word, tail
            parent.insert(position + offset, span)
        return head
