"""Typeset blocks -> the pages that they are moved onto, in full ink or in low; blocks -> pages.

The make-up of a page, as printers call it: what is typeset stands in a galley until its place is
known. A block is never laid out again for its place or its ink: it is moved by a CSS transform,
and in low ink all that it paints is black on white.

Nothing here imports the page maker; its boxes are handled as `typeset.pdf` hands them over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import fsum
from typing import Any

from tinycss2.color5 import parse_color

from rulebook.quantities import MM_PER_INCH

PIXELS_PER_MM = 96 / MM_PER_INCH
#: Names an element that is to be moved as a whole.
BLOCK = "data-block"
#: The classes of what holds a picture that has another drawing in low ink.
PICTURES = frozenset({"picture", "boxes"})


@dataclass(frozen=True, slots=True)
class TypesetBlock:
    """An element with `data-block`, laid out at the top left of a galley.

    `height` is in mm; `complaints` are those of WeasyPrint about the whole galley.
    """

    box: Any
    height: float
    complaints: tuple[str, ...] = ()

    def lists(self) -> list[TypesetLines]:
        """Finds the outermost lists and tables in the block, in order from the top.

        Returns for each its top, or that of its caption, and the tops of its items or rows, in mm.
        """
        found: list[TypesetLines] = []
        caption: float | None = None
        for child in self.box.children:
            lines = [box.border_box_y() for box in _lines(child)]
            top = child.border_box_y() if caption is None else caption
            if lines:
                found.append(TypesetLines(top / PIXELS_PER_MM, [y / PIXELS_PER_MM for y in lines]))
            is_caption = "caption" in child.element.get("class", "").split()
            caption = child.border_box_y() if is_caption else None
        return found


@dataclass(frozen=True, slots=True)
class TypesetLines:
    """The top of a list or table in a block, with its caption, and of each of its items or rows.

    All are in mm from the top of the block.
    """

    top: float
    lines: list[float]


@dataclass(frozen=True, slots=True)
class Moved:
    """A block and its position: page from 0, mm from the page's top left.

    `pictures` are blocks with the drawings of its pictures for low ink, in the same order.
    """

    block: TypesetBlock
    page: int
    left: float
    top: float
    pictures: tuple[TypesetBlock, ...] = ()


def blocks_of(document: Any, complaints: Sequence[str]) -> dict[str, TypesetBlock]:
    """Returns the blocks of a galley by name; `complaints` are WeasyPrint's about the galley."""
    lines = tuple(complaints)
    return {
        box.element.get(BLOCK): TypesetBlock(
            _itself(box), box.border_height() / PIXELS_PER_MM, lines
        )
        for page in document.pages
        for box in _body(page).children
        if box.element.get(BLOCK)
    }


def put_on_pages(document: Any, moved: Iterable[Moved]) -> None:
    """Adds blocks to the pages of a document at their places, before the footer of each page.

    Changes the document and the pages. Each page must hold one section.
    """
    for place in moved:
        section = _body(document.pages[place.page]).children[0]
        footer = next(n for n, box in enumerate(section.children) if box.element_tag == "footer")
        section.children.insert(footer, _moved(place))
        section.element.insert(len(section.element) - 1, place.block.box.element)
    # A page gathers links, bookmarks and ids from its boxes when it is made.
    document.pages[:] = [type(page)(page._page_box) for page in document.pages]


def _moved(moved: Moved) -> Any:
    """Returns a copy of a block's box moved to its place, so that the block can be used again."""
    box = moved.block.box.copy()
    box.style = box.style.copy()
    place = (moved.left * PIXELS_PER_MM, moved.top * PIXELS_PER_MM)
    box.style["transform"] = (("matrix", (1, 0, 0, 1, *place)),)
    return box


def _body(page: Any) -> Any:
    return page._page_box.children[0].children[0]


def _itself(box: Any) -> Any:
    """Returns the box for which a placeholder stands; any other box is returned unchanged."""
    return getattr(box, "_box", box)


def _lines(box: Any) -> Iterator[Any]:
    """Yields the list items and the table rows in a box, except those of table heads."""
    if box.element_tag in ("li", "tr"):
        yield box
    elif box.element_tag != "thead":
        for child in getattr(box, "children", ()):
            yield from _lines(_itself(child))


def _all(box: Any) -> Iterator[Any]:
    """Yields a box and all boxes in it."""
    box = _itself(box)
    yield box
    for child in box.all_children():
        yield from _all(child)


def low_pictures(moved: Iterable[Moved]) -> list[tuple[Any, Any]]:
    """Returns the boxes of the pictures in the moved blocks, each with its drawing for low ink."""
    pairs: list[tuple[Any, Any]] = []
    for place in moved:
        low = [box.replacement for block in place.pictures for box in _pictures(block.box)]
        pairs += zip(_pictures(place.block.box), low, strict=True)
    return pairs


def pictures_on(document: Any) -> list[Any]:
    """Lists the boxes of the pictures of a document, in order."""
    return [box for page in document.pages for box in _pictures(page._page_box)]


def _pictures(box: Any, *, inside: bool = False) -> Iterator[Any]:
    box = _itself(box)
    if inside and hasattr(box, "replacement"):
        yield box
    elif box.element is not None:
        inside = inside or not PICTURES.isdisjoint(box.element.get("class", "").split())
    for child in box.all_children():
        yield from _pictures(child, inside=inside)


_BLACK = parse_color("#000000")
#: What has a colour of its own in a style.
_COLOURED = (
    "color",
    "text_decoration_color",
    *(f"border_{side}_color" for side in ("top", "right", "bottom", "left")),
)


@contextmanager
def low_ink(pages: Iterable[Any], pictures: Iterable[tuple[Any, Any]]) -> Iterator[None]:
    """Within this context, pages are painted in low ink: in black and without fills.

    `pictures` are boxes with the drawings that replace theirs. The result agrees with the palette
    of low ink, in which each colour is black or none.
    """
    kept: list[tuple[Any, dict[str, Any]]] = []
    styles: dict[int, Any] = {}
    replaced = {id(box): {"replacement": drawing} for box, drawing in pictures}
    try:
        for page in pages:
            for box in _all(page._page_box):
                if id(box.style) not in styles:
                    styles[id(box.style)] = _black(box.style)
                changed = {"style": styles[id(box.style)], "background": None}
                changed |= replaced.get(id(box), {})
                if hasattr(box, "collapsed_border_grid"):
                    changed["collapsed_border_grid"] = _black_grid(box.collapsed_border_grid)
                kept.append((box, {name: getattr(box, name) for name in changed}))
                vars(box).update(changed)
        yield
    finally:
        for box, before in kept:
            vars(box).update(before)


def _black(style: Any) -> Any:
    copy = style.copy()
    copy.update(dict.fromkeys(_COLOURED, _BLACK))
    return copy


def _black_grid(grid: Any) -> Any:
    """Returns WeasyPrint's grid of collapsed table borders with all colours set to black."""
    return tuple(
        [[(score, (*line, _BLACK)) for score, (*line, _) in row] for row in rows] for rows in grid
    )


#: The cost of a page that begins in the middle of something: that of one that is half empty.
_MIDDLE = 0.25


def even_parts(whole: int, most: int) -> list[range]:
    """Divides `whole` things into the fewest ranges of at most `most`, of about equal length."""
    parts = max(1, -(-whole // most))
    edges = [whole * number // parts for number in range(parts + 1)]
    return [range(edges[n], edges[n + 1]) for n in range(parts)]


def break_blocks(
    count: int,
    height: Callable[[int, int], float],
    room: float,
    cost: Callable[[int, float], float],
) -> list[range]:
    """Divides `count` blocks among the fewest pages or faces, at the lowest total cost.

    Returns the range of blocks on each page. `height(first, last)` is the height of the blocks from
    `first` up to but not including `last` on one page; `cost(first, height)` is the cost of a page
    that begins with the block `first` and is filled to that height. A block that is higher than the
    `room` of a page has one to itself.
    """
    #: For the blocks up to each: how many pages they take, what these cost, where the last begins.
    best: list[tuple[int, float, int]] = [(0, 0.0, 0)]
    for last in range(1, count + 1):
        found = []
        for first in range(last - 1, -1, -1):
            high = height(first, last)
            if high <= room or first == last - 1:
                pages, costs, _ = best[first]
                found.append((pages + 1, costs + cost(first, high), first))
        best.append(min(found))
    broken: list[range] = []
    while count:
        broken.insert(0, range(best[count][2], count))
        count = best[count][2]
    return broken


def fill_pages(heights: Sequence[float], again: Sequence[float], room: float) -> list[range]:
    """Divides pieces among the fewest pages, about equally full; returns a range for each page.

    It avoids pages that begin with the continuation of something. `heights` are those of the
    pieces. `again` has for each piece the height of the head that is repeated above it if it comes
    first on a page; 0 if it begins something itself, as the first does; less if space above is left
    out.
    """

    def height(first: int, last: int) -> float:
        return fsum(heights[first:last]) + again[first]

    def cost(first: int, high: float) -> float:
        return (1 - high / room) ** 2 + (_MIDDLE if again[first] > 0 else 0.0)

    return break_blocks(len(heights), height, room, cost)
