"""Pages on sheets of paper as plain values, at scale 1: rectangles, placements, marks, notes.

All lengths are exact millimetres. Coordinates run right and up from the lower left corner of a
side of a sheet, as that side is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from rulebook.translation import gettext_noop

#: A length in millimetres; a float stands for the decimal that it prints as.
Millimetres = Fraction | int | float
#: The edge of the sheet about which a printer turns it between its sides.
Flip = Literal["long", "short"]
#: What to ask of a printer that prints on both sides.
BOTH_SIDES: Mapping[Flip, str] = {
    "long": gettext_noop("both sides, flipped on the long edge"),
    "short": gettext_noop("both sides, flipped on the short edge"),
}


def exact(length: Millimetres) -> Fraction:
    """Converts a length to an exact fraction: 215.9 to 2159/10, not the nearest binary float."""
    return Fraction(str(length)) if isinstance(length, float) else Fraction(length)


@dataclass(frozen=True, slots=True)
class Rect:
    """An upright rectangle on a side of a sheet."""

    left: Fraction
    bottom: Fraction
    right: Fraction
    top: Fraction

    @property
    def width(self) -> Fraction:
        return self.right - self.left

    @property
    def height(self) -> Fraction:
        return self.top - self.bottom

    def moved(self, x: Fraction, y: Fraction) -> Rect:
        return Rect(self.left + x, self.bottom + y, self.right + x, self.top + y)

    def meets(self, other: Rect) -> bool:
        """Whether two rectangles overlap; rectangles that only touch do not."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.bottom < other.top
            and other.bottom < self.top
        )

    def holds(self, inner: Rect) -> bool:
        return (
            self.left <= inner.left
            and inner.right <= self.right
            and self.bottom <= inner.bottom
            and inner.top <= self.top
        )


def rect(x: Millimetres, y: Millimetres, width: Millimetres, height: Millimetres) -> Rect:
    """Makes a rectangle from the x and y of its lower left corner and its size."""
    left, bottom = exact(x), exact(y)
    return Rect(left, bottom, left + exact(width), bottom + exact(height))


def around(rects: list[Rect]) -> Rect:
    """Returns the smallest rectangle that holds all the others."""
    return Rect(
        min(box.left for box in rects),
        min(box.bottom for box in rects),
        max(box.right for box in rects),
        max(box.top for box in rects),
    )


@dataclass(frozen=True, slots=True)
class Placement:
    """A page on a side of a sheet; `page` counts from 0, and None leaves its place blank.

    `trim` is the place of the trimmed page; `shown` is the part of the sheet on which the page is
    visible: trim and bleed, less what a fold, a neighbour or the edge of a poster's tile cuts off.
    """

    page: int | None
    trim: Rect
    shown: Rect
    on_its_head: bool = False

    @property
    def x(self) -> Fraction:
        """The left edge of the trim."""
        return self.trim.left

    @property
    def y(self) -> Fraction:
        return self.trim.bottom

    def moved(self, x: Fraction, y: Fraction) -> Placement:
        return replace(self, trim=self.trim.moved(x, y), shown=self.shown.moved(x, y))


@dataclass(frozen=True, slots=True)
class Segment:
    """A thin line on a sheet: where to cut, to fold (dashed) or to join."""

    x1: Fraction
    y1: Fraction
    x2: Fraction
    y2: Fraction
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A line of small type on a sheet, from (x, y); `upward` if it runs from bottom to top."""

    text: str
    x: Fraction
    y: Fraction
    upward: bool = False


@dataclass(frozen=True, slots=True)
class SheetSide:
    """What is printed on one side of a sheet."""

    placements: tuple[Placement, ...]
    marks: tuple[Segment, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """A sheet of paper, `width` by `height` seen from the front; `back` is None if unprinted.

    Coordinates on the back are as seen after turning the sheet.
    """

    width: Fraction
    height: Fraction
    front: SheetSide
    back: SheetSide | None = None

    @property
    def sides(self) -> tuple[SheetSide, ...]:
        return (self.front,) if self.back is None else (self.front, self.back)

    @property
    def paper(self) -> Rect:
        return Rect(Fraction(0), Fraction(0), self.width, self.height)


def turned_upright(width: Fraction, height: Fraction, flip: Flip) -> bool:
    """Whether turning a sheet about the edge `flip` is turning it about a vertical axis.

    If so, its back is upright like its front; otherwise its back is upside down.
    """
    return (flip == "long") == (height >= width)


def behind(
    front: Placement, page: int | None, sheet: tuple[Fraction, Fraction], flip: Flip
) -> Placement:
    """Returns the placement of a page on the back of a sheet, exactly behind the page `front`.

    The sheet has the size `sheet` and is turned about the edge `flip`. When a card is cut out and
    turned like the page of a book, its back is upright.
    """
    width, height = sheet
    if turned_upright(width, height, flip):
        trim, shown = (
            Rect(width - r.right, r.bottom, width - r.left, r.top)
            for r in (front.trim, front.shown)
        )
        return Placement(page, trim, shown, front.on_its_head)
    trim, shown = (
        Rect(r.left, height - r.top, r.right, height - r.bottom) for r in (front.trim, front.shown)
    )
    return Placement(page, trim, shown, not front.on_its_head)
