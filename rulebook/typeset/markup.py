"""Markdown -> clean HTML; a text and what it was before -> HTML in which what changed is marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape
from itertools import takewhile
from xml.etree.ElementTree import Element

import nh3
from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markupsafe import Markup, escape

from rulebook.markdown_reader import may_lead_to, new_reader, shared_reader, to_html
from rulebook.revisions.likeness import WORD, Matcher, WordSpan, line_marks, passages
from rulebook.typeset.change_bars import CLASS

_TAGS = {
    "p", "em", "strong", "code", "pre", "ul", "ol", "li", "blockquote", "a", "br", "hr", "sup",
    "sub", "table", "thead", "tbody", "tr", "th", "td", "dl", "dt", "dd",
}  # fmt: skip
_PARAGRAPHS = ("p", "li", "td", "th", "dt", "dd")
_ATTRIBUTES = {"a": {"href"}, "ol": {"start"}, **{tag: {"id"} for tag in _PARAGRAPHS}}


def _clean(html: str) -> str:
    cleaned = nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_attribute,
        url_schemes={"http", "https", "mailto"},
        link_rel=None,
    )
    return _START.sub(_begun_at, cleaned)


#: The first number of a list, which WeasyPrint does not take from the attribute.
_START = re.compile(r'<ol start="([0-9]{1,9})">')


def _begun_at(found: re.Match[str]) -> str:
    before = int(found[1]) - 1
    return f'<ol start="{found[1]}" style="counter-reset: list-item {before}">'


def _attribute(_tag: str, name: str, value: str) -> str | None:
    """Returns the value of an HTML attribute to be kept, or None to remove it.

    Removed are the addresses of links that the check of a ruleset would refuse.
    """
    return value if name != "href" or may_lead_to(value) else None


@lru_cache(maxsize=4096)
def block(text: str) -> str:
    """Converts Markdown to sanitized HTML: paragraphs, lists and tables."""
    return _clean(to_html(shared_reader(), text))


_TAG = re.compile(r"<(/?)(\w++)[^<>]*>")


def pieces(text: str) -> list[str]:
    """Converts Markdown to HTML; returns each paragraph, list or table by itself, in order."""
    return elements(block(text))


def elements(html: str) -> list[str]:
    """Splits sanitized HTML into its outermost elements, in order.

    Text after the last of them is returned as a last part.
    """
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
    """Converts Markdown to HTML for use within a line, with breaks between paragraphs.

    If there is anything but paragraphs, such as a list, the HTML is returned as it is.
    """
    html = block(text).strip()
    *paragraphs, rest = html.split("</p>")
    parts = [paragraph.partition("<p>") for paragraph in paragraphs]
    plain = all(begun and not before.strip() for before, begun, _ in parts) and not rest.strip()
    return "<br>".join(words for _, _, words in parts) if plain else html


_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_ROW = re.compile(r"<tr>.*?</tr>", re.DOTALL)
_CELL = re.compile(r"<t[hd][^<>]*>.*?</t[hd]>", re.DOTALL)
#: Characters between two columns.
_BETWEEN_COLUMNS = 1.8


def with_narrow_tables(html: str, room: float) -> str:
    """Returns HTML in which no table is wider than `room` characters, if its words are not.

    One that is wider is set as several, one below the other, each with the first column. What a
    column needs is its longest word.
    """
    return _TABLE.sub(lambda table: _narrowed(table[0], room), html)


def _narrowed(table: str, room: float) -> str:
    rows = [_CELL.findall(row) for row in _ROW.findall(table)]
    texts = [[unescape(_ANY_TAG.sub("", cell)) for cell in row] for row in rows]
    needs = [
        _BETWEEN_COLUMNS + max((len(word) for text in column for word in text.split()), default=0)
        for column in zip(*texts, strict=False)
    ]
    groups: list[list[int]] = [[]]
    for column, need in enumerate(needs[1:], start=1):
        wide = needs[0] + sum(needs[other] for other in groups[-1])
        if groups[-1] and wide + need > room:
            groups.append([])
        groups[-1].append(column)
    if len(groups) == 1:
        return table
    each = -(-(len(needs) - 1) // len(groups))  # columns of each, as even as they can be
    made = []
    for first in range(1, len(needs), each):
        columns = [0, *range(first, min(first + each, len(needs)))]
        lines = ["".join(row[column] for column in columns) for row in rows]
        head, *body = (f"<tr>{line}</tr>" for line in lines)
        made.append(f"<table><thead>{head}</thead><tbody>{''.join(body)}</tbody></table>")
    return "\n".join(made)


class IndexedMarkdown:
    """Converts the Markdown of a booklet, and finds where each section first uses each term.

    `terms` maps the id of a term to the forms that the text may use. After rendering, `places` maps
    the id to the sections that use it, in order, each with an anchor: a heading, a table or a
    paragraph. The anchor is never the word itself, for a span around a word may break its line.
    """

    def __init__(self, terms: Mapping[str, Sequence[str]]) -> None:
        self.places: dict[str, dict[str, str]] = {term: {} for term in terms}
        self._terms_by_form = {
            form.casefold(): term for term, forms in terms.items() for form in forms
        }
        longest_first = sorted(self._terms_by_form, key=len, reverse=True)
        either = "|".join(map(re.escape, longest_first)) or r"(?!)"
        self._forms = re.compile(rf"(?<!\w)(?:{either})(?!\w)")
        self._section = ""
        self._anchors = 0
        self._reader = new_reader()
        # Last of all, when escaped characters are themselves again.
        self._reader.treeprocessors.register(_Anchors(self._reader, self), "index", -5)

    def begin_section(self, name: str, title: str) -> str:
        """Begins a section, in which first uses of terms are recorded anew; returns its name.

        Terms in its `title` are recorded as used there.
        """
        self._section = name
        self.note(title, name)
        return name

    def note(self, text: str, anchor: str) -> bool:
        """Records `anchor` as the place of each term that is used here first in its section.

        `text` is searched for terms. Returns whether there are any such terms.
        """
        words = " ".join(text.split()).casefold()
        used = {self._terms_by_form[form] for form in self._forms.findall(words)}
        new = [term for term in used if self._section not in self.places[term]]
        for term in new:
            self.places[term][self._section] = anchor
        return bool(new)

    def convert(self, text: str) -> str:
        return _clean(to_html(self._reader, text))

    def mark(self, paragraph: Element) -> None:
        """Gives a paragraph an id if it is the first in its section to use some term.

        Records that id as the place of the term.
        """
        anchor = f"use-{self._anchors + 1}"
        if self.note(" ".join(_running_text(paragraph)), anchor):
            self._anchors += 1
            paragraph.set("id", anchor)


class _Anchors(Treeprocessor):
    """Passes every paragraph, list item and cell to an `IndexedMarkdown`."""

    def __init__(self, reader: Markdown, index: IndexedMarkdown) -> None:
        super().__init__(reader)
        self._index = index

    def run(self, root: Element) -> None:
        for element in root.iter():
            if element.tag in _PARAGRAPHS:
                self._index.mark(element)


def _running_text(element: Element) -> Iterator[str]:
    """Yields the text of an element without that of links, code, inner paragraphs and lists."""
    if element.text:
        yield element.text
    for child in element:
        if child.tag not in ("a", "code", *_PARAGRAPHS, "ul", "ol"):
            yield from _running_text(child)
        if child.tail:
            yield child.tail


#: A link to a designer's note: its number differs from edition to edition.
_NOTE = re.compile("\u2060?" + r'<a href="#note-\d+">\d+</a>')
#: Such links at the beginning of a line.
_MARKS = re.compile(rf"(?:{_NOTE.pattern}\s*)+")
_ANY_TAG = re.compile(r"<[^<>]*>")
_TOKEN = re.compile(rf"(<[^<>]*>)|(\s+)|((?:&#?\w+;|{WORD}|[^<\s])\u2060?)")
#: An element with an end: its opening tag, its name, and all that stands inside.
_ELEMENT = re.compile(r"(<(\w++)[^<>]*>)(.*)</\2>", re.DOTALL)
_OPENING = re.compile(r"<\w+")
_BLOCKS = re.compile(r"<(p|ul|ol|li|table|blockquote|pre|dl)\b")
#: If less of two texts is alike, the old one is struck out whole and the new one put in.
LEAST_ALIKE = 0.35


def revised_line(markdown: str, was: str | None, *, screen: bool) -> Markup:
    """Converts Markdown to HTML within a line; on a `screen`, marks the changes since `was`.

    `was` is the old Markdown: empty if all is new, None if nothing changed.
    """
    now = inline(markdown)
    if was is None or not screen:
        return Markup(now)
    return Markup(_between(inline(was), now) if was else f"<ins>{now}</ins>")


def revised_words(text: str, was: str | None, *, screen: bool) -> Markup:
    """Converts plain text, such as a heading or a cell, to HTML; on a `screen`, marks changes.

    `was` is the old text, which is struck out before the new one. Nothing is marked if it is empty,
    as for new text, or None, if nothing changed.
    """
    if was is None or not screen:
        return escape(text)
    gone = Markup("<del>{}</del> ").format(was) if was.strip("\u2013 ") else Markup("")
    return gone + (Markup("<ins>{}</ins>").format(text) if was else escape(text))


def revised_text(html: str, was: str | None, *, screen: bool) -> Markup:
    """Marks in HTML of paragraphs and lists what has changed since `was`.

    What was removed is shown only on a `screen`. `was` is the old Markdown: empty if all is new,
    None if nothing changed.
    """
    if was is None:
        return Markup(html)
    return Markup("\n".join(_pieces(elements(html), elements(block(was)), screen)))


def _pieces(now: Sequence[str], then: Sequence[str], screen: bool) -> Iterator[str]:
    """Yields the elements `now` in order, with the changes since `then` marked.

    On a `screen`, elements that were removed are yielded at their places too, struck out.
    """
    before = {_words(piece): piece for piece in then}
    marks = line_marks([_words(piece) for piece in now], list(map(_words, then)))
    for index, piece in enumerate(now):
        yield from (_gone(before[gone.text]) for gone in marks.gone if screen and gone.at == index)
        was = marks.was[index]
        yield piece if was is None else _revised(piece, before.get(was, ""), screen)
    yield from (_gone(before[gone.text]) for gone in marks.gone if screen and gone.at == len(now))


#: Tags within a line, which leave no space when they are removed.
_WITHIN_LINES = re.compile(r"</?(?:a|code|em|strong|sub|sup)\b[^<>]*>")


def words(text: str) -> str:
    """Returns the plain text of Markdown in one line, without references to notes."""
    lines = _WITHIN_LINES.sub("", _NOTE.sub("", block(text)))
    return unescape(" ".join(_ANY_TAG.sub(" ", lines).split()))


def _words(html: str) -> str:
    """Returns the text of HTML, without tags and references to notes, to compare elements by."""
    return " ".join(_ANY_TAG.sub(" ", _NOTE.sub("", html)).split())


def _revised(now: str, then: str, screen: bool) -> str:
    """Returns the element `now`, marked as changed since `then`, or as new if `then` is empty.

    On a `screen` changes are marked word by word. In lists, items are marked.
    """
    old, new = _ELEMENT.fullmatch(then), _ELEMENT.fullmatch(now)
    if old and new and {old[2], new[2]} <= {"ul", "ol"}:
        items = _pieces(elements(new[3]), elements(old[3]), screen)
        return f"{new[1]}\n{chr(10).join(items)}\n</{new[2]}>"
    marked = _OPENING.sub(rf'\g<0> class="{CLASS}"', now, count=1)
    new = _ELEMENT.fullmatch(marked)
    if old is None or new is None or not screen:
        return marked
    return f"{new[1]}{_between(old[3], new[3])}</{new[2]}>"


def _gone(piece: str) -> str:
    """Returns an element that was removed, without its links, in HTML that strikes it out."""
    item = _ELEMENT.fullmatch(piece)
    if item and item[2] == "li":
        return f'<li class="gone"><del>{_unlinked(item[3])}</del></li>'
    return f'<div class="gone"><del>{_unlinked(piece)}</del></div>'


def _unlinked(html: str) -> str:
    return re.sub(r"</?a\b[^<>]*>", "", _NOTE.sub("", html))


@dataclass(frozen=True, slots=True)
class _IndexedWord:
    """A word, the tags around it, and the text between it and the next word."""

    text: str
    tags: tuple[str, ...]
    behind: str = ""

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        # A joiner stands before the mark of a note, and only there.
        return self.text.rstrip("\u2060"), tuple(
            tag for tag in self.tags if not tag.startswith("<a")
        )


@lru_cache(maxsize=4096)
def _between(then: str, now: str) -> str:
    """Returns a line of HTML with the changes since `then` marked word by word.

    Removed words are struck out. Lines that have little in common are marked as a whole.
    """
    if _BLOCKS.search(then) or _BLOCKS.search(now):
        return f"<del>{_unlinked(then)}</del> {now}"
    first_marks = _MARKS.match(now)
    opening = first_marks[0] if first_marks else ""
    now = now[len(opening) :]
    old, new = list(_split(_unlinked(then))), list(_split(now))
    matcher = Matcher([word.key for word in old], [word.key for word in new])
    if matcher.ratio() < LEAST_ALIKE:
        return f"{opening}<del>{_unlinked(then)}</del> <ins>{now}</ins>"
    html = ""
    for passage in passages(matcher, lambda start, end: _plain(new[start:end])):
        came = _set(new[passage.c : passage.d])
        if passage.kept:
            html += came
            continue
        if passage.a < passage.b:
            html = _struck(html, old, new, passage)
        if came:
            html += f"<ins>{came.rstrip()}</ins>{came[len(came.rstrip()) :]}"
    return opening + html.strip()


def _plain(words: Sequence[_IndexedWord]) -> str:
    return "".join(word.text + word.behind for word in words)


def _struck(
    html: str, old: Sequence[_IndexedWord], new: Sequence[_IndexedWord], change: WordSpan
) -> str:
    """Returns `html` with the words that a change removed appended, struck out.

    `html` is what precedes the change. Spaces that only these words need are struck out too, so
    that hiding the words leaves no gap.
    """
    words = html.rstrip()
    space = html[len(words) :]
    gone = _set(old[change.a : change.b]).strip()
    apart = change.a > 0 and bool(old[change.a - 1].behind)
    if words and space and not apart:
        return f"{words}<del>{gone}</del>{space}"
    follows = new[change.c].text if change.c < len(new) else ""
    before = " " if words and apart and not space else ""
    behind = " " if follows and (space or not words or follows[0].isalnum()) else ""
    return f"{html}<del>{before}{gone}{behind}</del>"


def _split(html: str) -> Iterator[_IndexedWord]:
    """Yields the words of a line of HTML; a reference to a note belongs to the word before it."""
    open_tags: list[str] = []
    word: _IndexedWord | None = None
    for token in re.finditer(f"({_NOTE.pattern})|{_TOKEN.pattern}", html):
        note, tag, space, text = token.groups()
        if text or (tag and tag.startswith("<br")):
            if word:
                yield word
            word = _IndexedWord(text or tag, tuple(open_tags))
        elif note or space:
            if word:
                word = replace(word, behind=word.behind + (note or space))
        elif tag.startswith("</"):
            open_tags.pop()
        else:
            open_tags.append(tag)
    if word:
        yield word


def _set(words: Sequence[_IndexedWord]) -> str:
    """Joins words to HTML, with one element around neighbouring words that have the same tag."""
    parts: list[str] = []
    open_tags: tuple[str, ...] = ()
    behind = ""
    for word in (*words, _IndexedWord("", ())):
        same = takewhile(lambda tags: tags[0] == tags[1], zip(open_tags, word.tags, strict=False))
        kept = len(list(same))
        parts += [_closing(tag) for tag in reversed(open_tags[kept:])]
        parts += [behind, *word.tags[kept:], word.text]
        open_tags, behind = word.tags, word.behind
    return "".join(parts)


def _closing(tag: str) -> str:
    name = re.match(r"<(\w+)", tag)
    return f"</{name[1]}>" if name else ""
