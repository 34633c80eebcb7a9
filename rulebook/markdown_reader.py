"""Markdown -> a tree of elements: the one way in which prose is read, to be checked or printed.

Tables, lists of definitions and typographic quotation marks are read; HTML is text. What the
library takes more than linear time for is bounded, so that no text of a stranger keeps it busy.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.util import AMP_SUBSTITUTE

#: What a link may begin with, besides # for a heading.
OUTWARD = ("http://", "https://", "mailto:")


def new_reader() -> Markdown:
    """The library, set up as all prose is read."""
    reader = Markdown(
        extensions=["tables", "def_list", "sane_lists", "smarty"], output_format="html"
    )
    reader.preprocessors.deregister("html_block")
    reader.inlinePatterns.deregister("html")
    return reader


@lru_cache(maxsize=1)
def shared_reader() -> Markdown:
    """One for all texts that are read one by one; it is reset before each."""
    return new_reader()


@dataclass(frozen=True, slots=True)
class Link:
    """What a link leads to, or a picture is taken from, as a browser would read it."""

    target: str
    picture: bool = False


def links_in(text: str) -> Iterator[Link]:
    """Every link and picture of a text, wherever it stands, and the definitions that none uses."""
    if "](" not in text and "]:" not in text:
        return
    reader = shared_reader()
    reader.reset()
    lines = text.split("\n")
    for prepare in reader.preprocessors:
        lines = prepare.run(lines)
    parsed = reader.parser.parseDocument(lines).getroot()
    root = Element("div") if parsed is None else parsed
    for process in reader.treeprocessors:
        changed = process.run(root)
        root = root if changed is None else changed
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


def _read(target: str) -> str:
    return html.unescape(target.replace(AMP_SUBSTITUTE, "&")).strip()


def may_lead_to(target: str) -> bool:
    """Whether a link may have this target: a heading, the web, or mail."""
    if target.startswith("#"):
        return len(target) > 1
    return target.casefold().startswith(OUTWARD)


#: Characters of the prose between two headings, and of lines without an empty one between them.
LONGEST_TEXT = 50_000
LONGEST_PARAGRAPH = 10_000
MOST_LINES = 300
#: Of such lines: signs that Markdown reads, brackets left open or inside each other, and links.
MOST_SIGNS = 2_000
MOST_OPEN = 20
MOST_LINKS = 50
#: Lists and quotations inside each other.
DEEPEST = 8

_SIGNS = "*_`\\|[]\"'<&"
_BRACKETS = re.compile(r"\\.|[\[\]`]", re.DOTALL)
_BEGINNING = re.compile(r"(?:\s|>|[*+-](?=\s)|[0-9]{1,9}\.(?=\s))*+")
_LEVEL = re.compile(r"[>*+-]|[0-9]{1,9}\.| {4}|\t")


@dataclass(frozen=True, slots=True)
class TooMuch:
    """What a text has more of than is read, from which character on, and how much is allowed."""

    of: str
    start: int
    most: int


def too_much(text: str) -> TooMuch | None:
    """The first thing that a text has too much of; it takes a number of steps for each character.

    What is within the bounds is read in at most `MOST_LINKS` + `MOST_OPEN` passes over a paragraph
    by the library, and a few for each sign.
    """
    if len(text) > LONGEST_TEXT:
        return TooMuch("characters between two headings", 0, LONGEST_TEXT)
    start = at = 0
    for line in text.split("\n"):
        if not line.strip():
            start = at + len(line) + 1
        elif line[0] in " \t>*+-0123456789" and _depth(line) > DEEPEST:
            return TooMuch("lists and quotations inside each other", at, DEEPEST)
        at += len(line) + 1
        following = text[at : at + 1]
        if following in ("", "\n") and start < at and (found := _too_many(text[start : at - 1])):
            return TooMuch(found[0], start, found[1])
    return None


def _depth(line: str) -> int:
    if not line.strip(" -") or not line.strip(" *"):
        return 0  # a rule
    beginning = _BEGINNING.match(line)
    return len(_LEVEL.findall(beginning[0])) if beginning else 0


def _too_many(paragraph: str) -> tuple[str, int] | None:
    if len(paragraph) > LONGEST_PARAGRAPH:
        return "characters without an empty line", LONGEST_PARAGRAPH
    if paragraph.count("\n") >= MOST_LINES:
        return "lines without an empty one", MOST_LINES
    if sum(map(paragraph.count, _SIGNS)) > MOST_SIGNS:
        return "signs such as * _ [ without an empty line", MOST_SIGNS
    if paragraph.count("](") > MOST_LINKS:
        return "links without an empty line", MOST_LINKS
    if paragraph.count("[") > MOST_OPEN and _open(paragraph) > MOST_OPEN:
        return "brackets left open or inside each other", MOST_OPEN
    return None


def _open(paragraph: str) -> int:
    """The most brackets that wait for their end at once; none ends one across code.

    Where code begins, a bracket before may have lost its end to it.
    """
    left = depth = most = 0
    for sign in _BRACKETS.finditer(paragraph):
        if sign[0] == "[":
            depth += 1
        elif sign[0] == "]":
            depth = max(depth - 1, 0)
        elif sign[0] == "`":
            left, depth = left + depth, 0
        most = max(most, left + depth)
    return most
