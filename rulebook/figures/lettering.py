"""Words of a figure and what lies in it -> where each stands, off the others and inside its panel.

Every label names the places where it may stand, the best first. It takes the first that is free of
other words and covers the least of what is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, sin

from rulebook.drawing.elements import Box, Point
from rulebook.drawing.shapes import Label, centred_lines
from rulebook.drawing.small_pictures import SMALL
from rulebook.maps.geometry import MeasuredLine, between, box_of, boxes_meet
from rulebook.text_fitting import CAP_HEIGHT, LEADING, text_width, wrapped

#: A label is broken into lines so wide, mm; how far it keeps off what it names, and off others.
WIDEST, GAP, APART = 27.0, 0.9, 0.2
#: Along lines there is something to be kept free so often, mm.
_SAMPLED = 1.0


@dataclass(frozen=True, slots=True)
class Lines:
    """A text broken into lines, with the size of its type in mm."""

    lines: tuple[str, ...]
    size: float = SMALL
    bold: bool = False

    @classmethod
    def from_words(cls, words: str, *, widest: float = WIDEST, bold: bool = False) -> Lines:
        return cls(tuple(wrapped(words, SMALL, widest)), bold=bold)

    @property
    def width(self) -> float:
        return max(text_width(line, self.size) for line in self.lines)

    @property
    def height(self) -> float:
        """The height from the top of the first capital to the last baseline."""
        return (CAP_HEIGHT + LEADING * (len(self.lines) - 1)) * self.size

    def around(self, middle: Point) -> Box:
        """Returns the box that the lines take around their middle, tails of letters included."""
        (x, y), wide, high = middle, self.width / 2 + APART, self.height / 2 + APART
        return x - wide, y - high, x + wide, y + high + 0.22 * self.size

    def labels(self, middle: Point) -> Iterator[Label]:
        weight = "bold" if self.bold else "regular"
        return centred_lines(self.lines, *middle, self.size, weight=weight)  # type: ignore[arg-type]

    def beside(self, box: Box, sides: str) -> list[Point]:
        """Returns the middles of the text placed on sides of a box, in the order of `sides`.

        `b` is below the box, `a` above, `l` left and `r` right.
        """
        left, top, right, bottom = box
        x, y = (left + right) / 2, (top + bottom) / 2
        wide, high = self.width / 2 + GAP, self.height / 2 + GAP
        places = {"b": (x, bottom + high), "a": (x, top - high)}
        places |= {"l": (left - wide, y), "r": (right + wide, y)}
        return [places[side] for side in sides]

    def along(self, points: Sequence[Point]) -> list[Point]:
        """Returns possible middles for the text beside a line, on both sides of five points."""
        found, track = [], MeasuredLine.from_points(points)
        for part in (0.5, 0.35, 0.65, 0.2, 0.8):
            at, angle = track.at(part * track.length)
            across, down = cos(angle), sin(angle)
            off = GAP + abs(down) * self.width / 2 + abs(across) * self.height / 2
            for way in (1, -1):
                # to the right of a line that runs up, and below one that runs to the right
                found.append((at[0] - way * down * off, at[1] + way * across * off))
        return found


def sampled(points: Sequence[Point], half: float = 0.3) -> Iterator[Box]:
    """Yields small boxes that cover a line; each extends `half` to all sides of a point on it."""
    for start, end in pairwise(points):
        count = max(1, round(math.dist(start, end) / _SAMPLED))
        for number in range(count + 1):
            x, y = between(start, end, number / count)
            yield x - half, y - half, x + half, y + half


@dataclass(slots=True)
class PanelLettering:
    """The texts placed on one panel, whose box is `room`, and what they should not cover."""

    room: Box
    taken: list[Box] = field(default_factory=list)
    words: list[Box] = field(default_factory=list)

    def keep(self, points: Sequence[Point]) -> None:
        self.taken.append(box_of(points))

    def put(self, wanted: Lines, places: Sequence[Point]) -> tuple[Point, bool]:
        """Puts a text at the best of some places; returns the place, and whether it is free.

        It is free if the text overlaps no other text and lies in the panel. The text is recorded,
        so that later ones avoid it.
        """

        def cost(place: Point) -> tuple[int, int]:
            box = wanted.around(place)
            left, top, right, bottom = self.room
            off = box[0] < left or box[1] < top or box[2] > right or box[3] > bottom
            clashes = sum(boxes_meet(box, word) for word in self.words)
            return off + clashes, sum(boxes_meet(box, drawn) for drawn in self.taken)

        place = min(places, key=cost)
        free = not cost(place)[0]
        self.words.append(wanted.around(place))
        return place, free
