"""Pages as the page maker breaks them -> pages that end well: full, no heading alone at the foot.

Each page is examined when it has been laid out. Where a table, a picture or an example found no
room and left the foot of the page empty, it changes places with text of the same rule, behind it
or before it; a heading with little below it goes to the next page. Then that page alone is laid
out again. Lastly a box that goes on over the page is made to end with its text, so that the bar
beside it does too, and columns that are balanced once stay so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import inf
from typing import Any

from rulebook.typeset.make_up import PIXELS_PER_MM

#: The share of a page that may stay empty before something is moved to fill it.
EMPTY = 0.15
#: What must stand below a heading: so many millimetres, or so many lines; millimetres below that
#: of a chapter.
BELOW, LINES, BELOW_CHAPTER = 25.0, 3, 30.0
#: Text that is moved to fill a page is at least so high, in millimetres.
WORTH = 10.0
#: A line of text with the space below it is lower, in millimetres.
A_LINE = 9.0
#: A page is laid out at most so many times.
TRIES = 6
#: A colon at the end of a text; marks of notes may follow it.
_COLON = re.compile(r":[\s\u2060\d]*\Z")
#: The style that a heading had before it was carried to the next page.
_OWN = "style_of_its_own"
#: The state in which the page maker begins a page when it is laid out again.
_ANEW: dict[str, object] = {"content_changed": False, "pages_wanted": False}


@dataclass(slots=True)
class PageEnds:
    """Improves the ends of pages; `moved` has the names of what was moved and where it went."""

    moved: dict[str, str] = field(default_factory=dict)

    @property
    def remark(self) -> str:
        """What was moved, in words; empty if nothing was."""
        listed = ", ".join(f"{name} {where}" for name, where in self.moved.items())
        return f"moved to fill pages: {listed}" if listed else ""

    def watch(self, remake: Callable[[], Any], index: int, context: Any, root: Any) -> Any:
        """Makes a page with `remake`, and again up to a few times to improve its end.

        `index` is the number of the page from 0, `context` WeasyPrint's layout context, `root` the
        root box. Returns what `remake` returned last.
        """
        made, filled, fillable = remake(), None, True
        for tries in range(1, TRIES + 1):
            end = _End.from_page(context, index, made[0], root)
            if tries == TRIES or not end:
                break
            heading = end.heading_to_carry()
            if filled and (heading is not None or end.room >= filled.room):
                filled.undo(self.moved)
                filled, fillable = None, False
            elif fillable and (move := self._fill(end, index, short=heading is not None)):
                filled = move
            elif heading is not None:
                end.carry(heading)
            else:
                break
            context.page_maker[index][-1].update(_ANEW, anchors=[], content_lookups=[])
            made = remake()
        if end and end.torn:
            _end_with_text(end.laid.children[-1])
        if context.page_maker[index][-1]["content_lookups"]:
            _keep_columns(made[0], root)
        return made

    def _fill(self, end: _End, index: int, *, short: bool) -> _Move | None:
        """Moves a block that did not fit on the page, so that the page ends better filled.

        It does so only on a page that is too empty, or where the last section is `short`. Returns
        the move, or None if nothing can be moved.
        """
        number = end.too_high() if short or end.room >= EMPTY * end.height else None
        if number is None:
            return None
        name = _name(end.chapter.children[number])
        move = _Move(end.chapter, list(end.chapter.children), name, end.room)
        if end.put_later(number):
            self.moved[name] = f"behind the text after it (page {index + 1})"
        elif end.put_sooner(number):
            self.moved[name] = f"before the text above it (page {index + 1})"
        else:
            move.undo(self.moved)
            return None
        return move


@dataclass(frozen=True, slots=True)
class _Move:
    """The move of a block: the children of the chapter before it, the block's name, and the room.

    `room` was the height of the empty foot of the page, in CSS pixels.
    """

    chapter: Any
    children: list[Any]
    name: str
    room: float

    def undo(self, moved: dict[str, str]) -> None:
        self.chapter.children[:] = self.children
        moved.pop(self.name, None)


def watched(remake_page: Callable[..., Any]) -> Callable[..., Any]:
    """Returns WeasyPrint's `remake_page`, wrapped to improve the ends of pages.

    It does so for documents that have `page_ends`.
    """

    def watching(index: int, context: Any, root: Any, page: Any) -> Any:
        def remake() -> Any:
            return remake_page(index, context, root, page)

        ends: PageEnds | None = getattr(page, "page_ends", None)
        return ends.watch(remake, index, context, root) if ends else remake()

    return watching


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a page within a chapter; the next page begins with the chapter's child `number`.

    `torn` is set if a part of that child is on this page. `laid` is the part of the chapter on this
    page; the children from `begun` on begin here. `room` is the height of the empty foot of the
    page and `height` that of its text area, in CSS pixels; `first` is the first box on the page.
    """

    context: Any
    chapter: Any
    number: int
    torn: bool
    laid: Any
    begun: int
    room: float
    height: float
    first: Any

    @classmethod
    def from_page(cls, context: Any, index: int, page: Any, root: Any) -> _End | None:
        """Finds the end of a page; returns None if the page does not end within the chapters.

        `index` is the number of the page from 0, `context` WeasyPrint's layout context, `root` the
        root box.
        """
        body, number, path = _next(root, context.page_maker[index + 1][0])
        on_page = page.children[0].children[-1].children
        if number is None or not (on_page and _is(on_page[-1], "chapter")):
            return None
        laid, chapter = on_page[-1], body.children[on_page[-1].index]
        if number == laid.index:
            ((at, rest),) = path.items()
        elif _is(body.children[number], "chapter"):
            at, rest = len(chapter.children), None
        else:
            return None
        _, before, path = _next(root, context.page_maker[index][0])
        ((begun, part),) = path.items() if before == laid.index and path else ((0, None),)
        begun += part is not None
        room, first = context.page_bottom - _bottom(laid), on_page[0].children[0]
        return cls(context, chapter, at, rest is not None, laid, begun, room, page.height, first)

    def too_high(self) -> int | None:
        """Returns the index in the chapter of the block that did not fit on the page.

        Returns None if the page does not end before such a block, or if the block must not be
        moved.
        """
        if self.torn:
            return None
        children = self.chapter.children
        for number in range(self.number, len(children)):
            child = children[number]
            if _is_whole(child):
                follows = number and _leads_to_next(children[number - 1])
                return None if follows else number
            if not (_is(child, "rule") or _is(child, "leads")):
                return None
        return None

    def put_later(self, number: int) -> bool:
        """Moves a child of the chapter after as much of the following text as fits on the page.

        Returns whether there was such text.
        """
        children, passed, at = self.chapter.children, 0.0, number + 1
        room = self.room - sum(map(self._height, children[self.number : number]))
        while at < len(children) and room > WORTH * PIXELS_PER_MM and passed < room:
            child = children[at]
            if _is(child, "text"):
                passed += self._split(at, room - passed)
            elif _is_whole(child) and not _is_numbered(child):
                passed += self._height(child)
                if passed > room:
                    break
            else:
                break
            at += 1
        while at > number + 1 and self._leads(at - 1):
            at -= 1
        if at > number + 1:
            children.insert(at - 1, children.pop(number))
        return at > number + 1

    def put_sooner(self, number: int) -> bool:
        """Moves a child of the chapter before the text above it, if it then fits on the page.

        Only tables and pictures are moved. Returns whether it was moved.
        """
        children = self.chapter.children
        if number != self.number or not _is_numbered(children[number]):
            return False
        needed, at = self._height(children[number]) - self.room, number
        while needed > 0 and at > self.begun and _is(children[at - 1], "text"):
            at -= 1
            needed -= self._height(children[at])
        if needed > 0 or (at and _leads_to_next(children[at - 1])):
            return False
        children.insert(at, children.pop(number))
        return True

    def _leads(self, number: int) -> bool:
        """Whether a text introduces the child that follows it.

        It does if it ends with a colon, or is a single line before a block. `number` is its index
        in the chapter.
        """
        children = self.chapter.children
        if _leads_to_next(children[number]):
            return True
        followed = number + 1 < len(children) and _is_whole(children[number + 1])
        return followed and self._height(children[number]) < A_LINE * PIXELS_PER_MM

    def heading_to_carry(self) -> int | None:
        """Returns the index on the page of the last heading, if it has too little below it.

        Of several headings in a row it is that of the first. Returns None if no heading has to
        move.
        """
        on_page = self.laid.children
        headings = [n for n, box in enumerate(on_page) if _is(box, "rule")]
        if not headings:
            return None
        number = headings[-1]
        heading = on_page[number]
        below = _bottom(self.laid) - heading.position_y - heading.margin_height()
        lines = sum(1 for box in on_page[number + 1 :] for _ in _lines(box))
        chapter = heading.element_tag == "h2"
        if below >= (BELOW_CHAPTER if chapter else BELOW) * PIXELS_PER_MM:
            return None
        if lines >= LINES and not chapter:
            return None
        while number and _is(on_page[number - 1], "rule"):
            number -= 1
        return None if on_page[number] is self.first else number

    def carry(self, number: int) -> None:
        """Makes a heading begin the next page by changing its style.

        `number` is its index on this page.
        """
        source, *after = self.chapter.children[self.laid.children[number].index :]
        for box in after:  # carried before, from a page on which it no longer is
            box.style = getattr(box, _OWN, box.style)
        setattr(source, _OWN, source.style)
        source.style = source.style.copy()
        source.style["break_before"] = "page"
        # As above all else that begins a page where none is asked for, there is no margin.
        source.style["margin_top"] = source.style["margin_top"]._replace(value=0)

    def _split(self, number: int, room: float) -> float:
        """Splits a text of the chapter in two, after the paragraph that fills the room.

        `number` is its index in the chapter. Returns the height of the first part; heights are in
        CSS pixels.
        """
        text, height, part = self.chapter.children[number], 0.0, []
        for paragraph in text.children:
            part.append(paragraph)
            height += self._height(paragraph)
            if height >= room and not _leads_to_next(paragraph):
                break
        if rest := text.children[len(part) :]:
            self.chapter.children[number : number + 1] = map(text.copy_with_children, (part, rest))
        return height

    def _height(self, box: Any) -> float:
        """Returns the height of a box that is not laid out yet, with its margins, in CSS pixels."""
        from weasyprint.layout.block import block_level_layout

        box.position_x = box.position_y = 0
        self.context.create_block_formatting_context()
        laid = block_level_layout(self.context, box, -inf, None, self.laid)[0]
        self.context.finish_block_formatting_context()
        height: float = laid.margin_height()
        return height


def _keep_columns(page: Any, root: Any) -> None:
    """Makes balanced columns break at the same places when a page is laid out again.

    Pages are laid out again when page numbers in contents are known, and to balance columns takes
    tens of layouts each time. Only columns that are whole on the page are changed.
    """
    laid = {box.element: box.children for box in page.descendants() if _is_balanced(box)}
    for source in filter(_is_balanced, root.descendants() if laid else ()):
        columns = laid.get(source.element, ())
        if sum(len(column.children) for column in columns) != len(source.children):
            continue
        source.style = source.style.copy()
        source.style["column_fill"] = "auto"
        for column in columns[1:]:
            first = source.children[column.children[0].index]
            first.style = first.style.copy()
            first.style["break_before"] = "column"


def _is_balanced(box: Any) -> bool:
    """Whether the children of a box stand in columns of about the same height."""
    style = box.style
    return bool(style["column_count"] != "auto" and style["column_fill"] == "balance")


def _next(root: Any, path: Any) -> tuple[Any, int | None, Any]:
    """Splits the path by which WeasyPrint describes where the next page begins.

    Returns the body, the index of its child, and the rest of the path; all are None without a path.
    """
    if not path:
        return None, None, None
    ((number, path),) = path.items()
    body = root.children[number]
    ((number, path),) = path.items() if path else ((None, None),)
    return body, number, path


def _is(box: Any, name: str) -> bool:
    """Whether the element of a box has the class `name`."""
    return box.element is not None and name in box.element.get("class", "").split()


def _is_whole(box: Any) -> bool:
    return box.style["break_inside"] == "avoid" and not _is(box, "rule")


def _is_numbered(box: Any) -> bool:
    """Whether a box is a table or picture, which have to keep their order."""
    return box.element_tag == "figure" or any(_is(box, name) for name in ("pictures", "pair"))


def _name(box: Any) -> str:
    """Returns the name of a block: its captions or its title; empty if it has none."""
    for path in (".//figcaption/b", "p[@class='example-title']", "p[@class='steps-title']"):
        named = box.element.iterfind(path)
        found = [" ".join("".join(element.itertext()).split()) for element in named]
        if found:
            return " and ".join(found)
    return ""


def _leads_to_next(box: Any) -> bool:
    """Whether the text of a box ends with a colon."""
    while box.children and box.children[-1].element is not None and not _is_line(box.children[-1]):
        if not hasattr(box.children[-1], "children"):
            break
        box = box.children[-1]
    return _COLON.search("".join(box.element.itertext())) is not None


def _lines(box: Any) -> Iterator[Any]:
    """Yields the lines of text in a box."""
    for child in getattr(box, "children", ()):
        if _is_line(child):
            yield child
        elif not hasattr(child, "text"):
            yield from _lines(child)


def _is_line(box: Any) -> bool:
    return hasattr(box, "text_overflow")


def _bottom(box: Any) -> float:
    """Returns the y at which the contents of a box end, above any empty space at its foot."""
    inside = [child for child in getattr(box, "children", ()) if child.is_in_normal_flow()]
    bottom: float = box.position_y + box.margin_height() - box.margin_bottom
    if inside and box.style["height"] == "auto" and box.style["display"] == ("block", "flow"):
        bottom = _bottom(inside[-1]) + box.padding_bottom + box.border_bottom_width
    return bottom


def _end_with_text(box: Any) -> None:
    """Shortens a box that continues on the next page, and those in it, to the end of their text."""
    while getattr(box, "children", None) and box.style["display"] == ("block", "flow"):
        height = _bottom(box) - box.content_box_y() - box.padding_bottom - box.border_bottom_width
        box.height = min(box.height, height)
        box = box.children[-1]
