"""Pieces of a card and how high they are -> the faces that they fill, none fuller than need be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

Piece = TypeVar("Piece")

#: Sizes of type in points at which a card is tried on one face, and then on several.
ON_ONE = (9.0, 8.25, 7.5)
ON_SEVERAL = (8.25, 7.5, 7.0)
#: Faces that a card may take: more are a booklet.
MOST_FACES = 20
#: Millimetres by which a face may be too full, which is less than the layout's rounding.
SLACK = 0.05


@dataclass(frozen=True, slots=True)
class Measured:
    """The pieces of a card below one another at one size of type, in millimetres.

    `tops` and `bottoms` are those of the pieces, each of which has `gap` at its head but for the
    first on a face; `room` is how high all that stands on a face may be.
    """

    tops: tuple[float, ...]
    bottoms: tuple[float, ...]
    gap: float
    room: float

    def height(self, first: int, last: int) -> float:
        """Of the pieces from one to another on a face of their own."""
        return self.bottoms[last] - self.tops[first] - (self.gap if first else 0)


@dataclass(frozen=True, slots=True)
class Spread:
    """How a card is set: the size of its type, and how many pieces stand on each of its faces."""

    size: float
    counts: tuple[int, ...]


class TooLarge(Exception):
    """A piece that fits no face even in the smallest type: which one, and its height and room."""

    def __init__(self, piece: int, height: float, room: float) -> None:
        super().__init__(piece, height, room)
        self.piece, self.height, self.room = piece, height, room


def decide(measured: Mapping[float, Measured], sizes: Sequence[float] = ON_ONE) -> Spread | float:
    """The spread of a card, or the size of type at which it is to be measured first.

    The largest of the sizes at which one face holds it; else as few faces as a common size needs.
    Raises TooLarge.
    """
    for size in sizes:
        if size not in measured:
            return size
        found = measured[size]
        if not found.tops or found.height(0, len(found.tops) - 1) <= found.room + SLACK:
            return Spread(size, (len(found.tops),))
    fault: TooLarge | None = None
    for size in ON_SEVERAL:
        if size > sizes[0]:
            continue
        if size not in measured:
            return size
        try:
            return Spread(size, split(measured[size]))
        except TooLarge as too_large:
            fault = too_large
    raise fault or ValueError("no size of type was tried")


def split(measured: Measured) -> tuple[int, ...]:
    """The pieces of each face: as few faces as may be, and these as evenly full as may be.

    Raises TooLarge where one piece is higher than a face.
    """
    fewest = _filled(measured, measured.room + SLACK)
    heights = sorted(
        measured.height(first, last)
        for first in range(len(measured.tops))
        for last in range(first, len(measured.tops))
        if measured.height(first, last) <= measured.room + SLACK
    )
    low, high = 0, len(heights) - 1
    while low < high:
        middle = (low + high) // 2
        try:
            enough = len(_filled(measured, heights[middle])) <= len(fewest)
        except TooLarge:
            enough = False
        low, high = (low, middle) if enough else (middle + 1, high)
    return _filled(measured, heights[low])


def _filled(measured: Measured, room: float) -> tuple[int, ...]:
    """Each face filled before the next is begun."""
    counts: list[int] = []
    first = 0
    for last in range(len(measured.tops)):
        alone = measured.height(last, last)
        if alone > room:
            raise TooLarge(last, alone, measured.room)
        if measured.height(first, last) > room:
            counts.append(last - first)
            first = last
    return (*counts, len(measured.tops) - first)


def dealt(pieces: Sequence[Piece], counts: Sequence[int]) -> list[list[Piece]]:
    """The pieces of each face."""
    rest = iter(pieces)
    return [list(islice(rest, count)) for count in counts]
