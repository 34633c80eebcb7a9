"""Pieces of cards, measured -> how many stand on each face, and the type of a whole deck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from rulebook.typeset.make_up import break_blocks

PieceType = TypeVar("PieceType")

#: Sizes of type in points, of which a deck has one.
SIZES = (10.0, 9.5, 9.0, 8.5, 8.0)
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


class FaceTooSmall(Exception):
    """A piece that fits no face even in the smallest type: which one, and its height and room."""

    def __init__(self, piece: int, height: float, room: float) -> None:
        super().__init__(piece, height, room)
        self.piece, self.height, self.room = piece, height, room


def common_size(counts: Mapping[float, int]) -> float:
    """The size of type of a deck: of those with the fewest faces in all the largest."""
    return min(counts, key=lambda size: (counts[size], -size))


def split(measured: Measured) -> tuple[int, ...]:
    """The pieces of each face: as few faces as may be, and these as evenly full as may be.

    Even are those whose heights have the least squares together, so that no face has but a few
    lines. Raises FaceTooSmall where one piece is higher than a face.
    """
    room, pieces = measured.room + SLACK, range(len(measured.tops))
    for piece in pieces:
        if measured.height(piece, piece) > room:
            raise FaceTooSmall(piece, measured.height(piece, piece), measured.room)
    faces = break_blocks(
        len(pieces),
        lambda first, last: measured.height(first, last - 1),
        room,
        lambda first, high: high**2,
    )
    return tuple(map(len, faces))


def dealt(pieces: Sequence[PieceType], counts: Sequence[int]) -> list[list[PieceType]]:
    """The pieces of each face."""
    rest = iter(pieces)
    return [list(islice(rest, count)) for count in counts]
