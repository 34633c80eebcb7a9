"""Markdown -> a tree of elements: the one way in which prose is read, to be checked or printed.

Tables, lists of definitions and typographic quotation marks are read; HTML is text.
"""

from __future__ import annotations

import html
import re
import string
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.inlinepatterns import SubstituteTagInlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AMP_SUBSTITUTE, AtomicString

from rulebook.markdown_lines import as_library_reads
from rulebook.quotation_marks import with_primes

#: What is not nested in itself.
_EMPHASIS = frozenset({"em", "strong"})
_WITHIN_LINES = frozenset({*_EMPHASIS, "a", "code", "br", "img"})
#: What a link may begin with, besides # for a heading.
OUTWARD = ("http://", "https://", "mailto:")
#: How the address of a rule begins, behind #, where it stands in another document.
RULE = "rule:"


def new_reader() -> Markdown:
    """Returns a new Markdown parser, set up for the texts of rulesets; raw HTML is not parsed."""
    reader = Markdown(
        extensions=["tables", "def_list", "sane_lists", "smarty"], output_format="html"
    )
    reader.preprocessors.deregister("html_block")
    # When line ends are alike and before anything is read.
    reader.preprocessors.register(_AsElsewhere(reader), "as_elsewhere", 25)
    reader.inlinePatterns.deregister("html")
    reader.ESCAPED_CHARS = [*string.punctuation]
    # Before escaped characters are read, as a backslash at the end of a line ends it on paper too.
    reader.inlinePatterns.register(SubstituteTagInlineProcessor(r"\\\n", "br"), "end_of_line", 185)
    # When all within lines is read, and before quotation marks are set.
    reader.treeprocessors.register(_Primes(reader), "primes", 12)
    # When all within lines is read, and before anything that goes down as deep as it is nested.
    reader.treeprocessors.register(_PlainEmphasis(reader), "plain_emphasis", 15)
    return reader


class _AsElsewhere(Preprocessor):
    """Has lists and tables read as other readers of Markdown do."""

    def run(self, lines: list[str]) -> list[str]:
        return as_library_reads(lines)


def to_html(reader: Markdown, text: str) -> str:
    """Converts Markdown to HTML, which is not yet sanitized."""
    return _carefully(reader, lambda: reader.convert(text))


class _LostPart(Exception):
    """The Markdown library has cut a placeholder that stands for a part of the text."""


#: Names that stand in a text when its lines are read: of escaped characters, `&` and code. What is
#: left of others is a part of a name.
_WHOLE_NAME = re.compile("\x02(?:[0-9]+|amp|wzxhzdk:[0-9]+)\x03")
_END_OF_NAME = re.compile("[\x02\x03]")
#: Its pattern for emphasis counts wrong in `***a*\n* *[b](#c)*`; it comes with this priority.
_EMPHASIS_PATTERN = ("em_strong", 60)


T = TypeVar("T")


def _carefully(reader: Markdown, read: Callable[[], T]) -> T:
    """Calls `read` with the reader reset, and returns its result.

    If nested emphasis makes that fail, calls it again without emphasis, whose marks then stay in
    the text.
    """
    reader.reset()
    try:
        return read()
    except _LostPart:
        name, priority = _EMPHASIS_PATTERN
        pattern = reader.inlinePatterns[name]
        reader.inlinePatterns.deregister(name)
        reader.reset()
        try:
            return read()
        finally:
            reader.inlinePatterns.register(pattern, name, priority)


class _Primes(Treeprocessor):
    """Sets primes behind figures, over all the words of a paragraph, but not in code."""

    def run(self, root: Element) -> None:
        for paragraph in root.iter():
            if paragraph.tag in _WITHIN_LINES:
                continue
            at, pieces = 0, list(_pieces(paragraph))
            made = with_primes("".join(text for _, _, text in pieces))
            for element, key, text in pieces:
                if made[at : at + len(text)] != text:
                    setattr(element, key, made[at : at + len(text)])
                at += len(text)


def _pieces(element: Element) -> Iterator[tuple[Element, str, str]]:
    """Yields the texts of an element and of what is within its lines, and where each is kept."""
    if element.text and element.tag != "code":
        yield element, "text", element.text
    for child in element:
        if child.tag in _WITHIN_LINES:
            yield from _pieces(child)
        if child.tail:
            yield child, "tail", child.tail


class _PlainEmphasis(Treeprocessor):
    """Takes away what no page shows: emphasis in like emphasis, however deep it is nested; in code,
    soft hyphens, over which the page maker stumbles, and backslashes that kept a brace. Raises
    _LostPart.
    """

    def run(self, root: Element) -> None:
        for element in root.iter():
            for text in filter(None, (element.text, element.tail)):
                if "\x02" in text and _END_OF_NAME.search(_WHOLE_NAME.sub("", text)):
                    raise _LostPart
            if element.tag == "code" and element.text:
                element.text = AtomicString(element.text.replace("\xad", "").replace("\\{", "{"))
        waiting: list[tuple[Element, frozenset[str]]] = [(root, frozenset())]
        while waiting:
            element, around = waiting.pop()
            around |= {element.tag} & _EMPHASIS
            while any(child.tag in around for child in element):
                _unwrap(element, around)
            waiting += [(child, around) for child in element]


def _unwrap(element: Element, tags: Set[str]) -> None:
    """Replaces those child elements of an element that have one of these tags by their content."""
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
    """Appends text at the end of an element's content."""
    if not text:
        return
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text


@lru_cache(maxsize=1)
def shared_reader() -> Markdown:
    """Returns the Markdown parser that all texts share; it must be reset before each text."""
    return new_reader()


@dataclass(frozen=True, slots=True)
class Link:
    """The target of a link, or the source of a picture, as a browser would read it."""

    target: str
    picture: bool = False


def links_in(text: str) -> Iterator[Link]:
    """Yields all links and pictures of a Markdown text, then link definitions that none uses."""
    if "](" not in text and "]:" not in text:
        return
    reader = shared_reader()
    root = _carefully(reader, lambda: _tree(reader, text))
    used: set[str] = set()
    for element in root.iter():
        if element.tag in ("a", "img"):
            picture = element.tag == "img"
            target = _read(element.get("src" if picture else "href", ""))
            used.add(target)
            yield Link(target, picture)
    for target, _ in reader.references.values():
        if _read(target) not in used:
            yield Link(_read(target))


def _tree(reader: Markdown, text: str) -> Element:
    lines = text.split("\n")
    for prepare in reader.preprocessors:
        lines = prepare.run(lines)
    parsed = reader.parser.parseDocument(lines).getroot()
    root = Element("div") if parsed is None else parsed
    for process in reader.treeprocessors:
        changed = process.run(root)
        root = root if changed is None else changed
    return root


def _read(target: str) -> str:
    return html.unescape(target.replace(AMP_SUBSTITUTE, "&")).strip()


def may_lead_to(target: str) -> bool:
    """Whether a link may have this target: a heading, a web address or a mail address."""
    if target.startswith("#"):
        return len(target) > 1
    return target.casefold().startswith(OUTWARD)


#: Signs that Markdown reads.
SIGNS = "*_`\\|[]\"'<&"
