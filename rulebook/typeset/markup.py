"""Markdown -> clean HTML: tables and lists, no raw HTML; words of the index get an anchor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from xml.etree.ElementTree import Element

import nh3
from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

_TAGS = {
    "p", "em", "strong", "code", "pre", "ul", "ol", "li", "blockquote", "a", "br", "hr", "sup",
    "sub", "table", "thead", "tbody", "tr", "th", "td", "dl", "dt", "dd",
}  # fmt: skip
_EMPHASIS = frozenset({"em", "strong"})
_PARAGRAPHS = ("p", "li", "td", "th", "dt", "dd")
_ATTRIBUTES = {"a": {"href"}, **{tag: {"id"} for tag in _PARAGRAPHS}}


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
    # When all within lines is read, and before anything that goes down as deep as it is nested.
    reader.treeprocessors.register(_PlainEmphasis(reader), "plain_emphasis", 15)
    return reader


class _LostPart(Exception):
    """The reader of Markdown has cut the name under which it keeps a part of the text."""


#: Names that stand in a text when its lines are read: of escaped characters, `&` and code. What is
#: left of others is a part of a name.
_WHOLE_NAME = re.compile("\x02(?:[0-9]+|amp|wzxhzdk:[0-9]+)\x03")
_END_OF_NAME = re.compile("[\x02\x03]")
#: Its pattern for emphasis counts wrong in `***a*\n* *[b](#c)*`; it comes with this priority.
_EMPHASIS_PATTERN = ("em_strong", 60)


def _convert(reader: Markdown, text: str) -> str:
    """Read Markdown; where emphasis is too much for the reader, its marks stay as they are."""
    reader.reset()
    try:
        return reader.convert(text)
    except _LostPart:
        name, priority = _EMPHASIS_PATTERN
        pattern = reader.inlinePatterns[name]
        reader.inlinePatterns.deregister(name)
        reader.reset()
        try:
            return reader.convert(text)
        finally:
            reader.inlinePatterns.register(pattern, name, priority)


class _PlainEmphasis(Treeprocessor):
    """Takes away what no page shows: emphasis in like emphasis, however deep it is nested, and soft
    hyphens in code, over which the page maker stumbles. Raises _LostPart.
    """

    def run(self, root: Element) -> None:
        for element in root.iter():
            for text in filter(None, (element.text, element.tail)):
                if "\x02" in text and _END_OF_NAME.search(_WHOLE_NAME.sub("", text)):
                    raise _LostPart
            if element.tag == "code" and element.text:
                element.text = AtomicString(element.text.replace("\xad", ""))
        waiting: list[tuple[Element, frozenset[str]]] = [(root, frozenset())]
        while waiting:
            element, around = waiting.pop()
            around |= {element.tag} & _EMPHASIS
            while any(child.tag in around for child in element):
                _unwrap(element, around)
            waiting += [(child, around) for child in element]


def _unwrap(element: Element, tags: Set[str]) -> None:
    """Put what children with such tags hold in their places."""
    children = list(element)
    element[:] = []
    for child in children:
        if child.tag not in tags:
            element.append(child)
            continue
        _append_text(element, child.text)
        element.extend(child)
        _append_text(element, child.tail)


def _append_text(element: Element, text: str | None) -> None:
    """Put a text behind all that an element holds."""
    if not text:
        return
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text


@lru_cache(maxsize=1)
def _shared() -> Markdown:
    return _markdown()


def block(text: str) -> str:
    """Paragraphs, lists and tables."""
    return _clean(_convert(_shared(), text))


_TAG = re.compile(r"<(/?)(\w+)[^>]*>")


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
    parts = re.split(r"<p>(.*?)</p>", html, flags=re.DOTALL)
    return html if "".join(parts[::2]).strip() else "<br>".join(parts[1::2])


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
        longest_first = sorted(self._terms_by_form, key=lambda form: (-len(form), form))
        self._pattern = (
            re.compile(r"(?<!\w)(" + "|".join(map(re.escape, longest_first)) + r")(?!\w)")
            if longest_first
            else None
        )
        self._section = ""
        self._anchors = 0
        self._reader = _markdown()
        # Last of all, when escaped characters are themselves again.
        self._reader.treeprocessors.register(_Anchors(self._reader, self), "index", -5)

    def begin_section(self, name: str, title: str) -> str:
        """From here on each term gets an anchor again; the name comes back, for templates."""
        self._section = name
        self.note(title, name)
        return name

    def note(self, text: str, anchor: str) -> bool:
        """Whether a text uses a term for the first time in its section; `anchor` leads to it."""
        if self._pattern is None:
            return False
        words = " ".join(text.split()).casefold()
        used = {self._terms_by_form[form] for form in self._pattern.findall(words)}
        new = [term for term in used if self._section not in self.places[term]]
        for term in new:
            self.places[term][self._section] = anchor
        return bool(new)

    def convert(self, text: str) -> str:
        return _clean(_convert(self._reader, text))

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
