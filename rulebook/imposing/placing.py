"""Where pages stand on sheets of paper, as plain values: no PDF, and nothing is ever scaled.

All lengths are exact millimetres. Coordinates run right and up from the lower left corner of a
side of a sheet, as that side is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from rulebook.translation import gettext_noop

#: A length in millimetres as it is given; a float means the decimal that it prints as.
Millimetres = Fraction | int | float
#: The edge about which a printer turns the sheet between its sides: of the sheet, not of the page.
Flip = Literal["long", "short"]
#: What to ask of a printer that prints on both sides.
BOTH_SIDES: Mapping[Flip, str] = {
    "long": gettext_noop("both sides, flipped on the long edge"),
    "short": gettext_noop("both sides, flipped on the short edge"),
}


def exact(length: Millimetres) -> Fraction:
    """215.9 as a float is not 215.9; as it is written, it is."""
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
        """Whether the two have more than an edge in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.bottom < other.top
            and other.bottom < self.top
        )

    def holds(self, other: Rect) -> bool:
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.bottom <= other.bottom
            and other.top <= self.top
        )


def rect(x: Millimetres, y: Millimetres, width: Millimetres, height: Millimetres) -> Rect:
    """A rectangle by its lower left corner and its size."""
    left, bottom = exact(x), exact(y)
    return Rect(left, bottom, left + exact(width), bottom + exact(height))


def around(rects: list[Rect]) -> Rect:
    """The smallest rectangle that holds them all."""
    return Rect(
        min(one.left for one in rects),
        min(one.bottom for one in rects),
        max(one.right for one in rects),
        max(one.top for one in rects),
    )


@dataclass(frozen=True, slots=True)
class Placement:
    """A page on a side of a sheet; `page` counts from 0, None is a page left blank.

    `trim` is where the page's trimmed area lies; `shown` is the part of the sheet in which the page
    is seen: its trim and bleed, less what a fold, a neighbour or the window of a tile cuts off.
    """

    page: int | None
    trim: Rect
    shown: Rect
    on_its_head: bool = False

    @property
    def x(self) -> Fraction:
        """The lower left corner of the trim."""
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
    """A line of small type on a sheet, from (x, y); `upward` where it is read from the right."""

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
    """A sheet of paper, `width` by `height` as its front is looked at; `back` None is not printed.

    The back's coordinates are those of the back as it is looked at, after the turn by which it is
    printed.
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
    """Whether a sheet turned about its long or short edge is turned about an upright axis.

    Then its back is upright where its front is; otherwise the back stands on its head.
    """
    return (flip == "long") == (height >= width)


def behind(
    front: Placement, page: int | None, sheet: tuple[Fraction, Fraction], flip: Flip
) -> Placement:
    """A page exactly behind another, upright when the cut card is turned like a page of a book."""
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
