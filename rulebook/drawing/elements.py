"""What a drawing is made of: paths, words and groups of them, in millimetres.

Coordinates run right and down from the top left corner, as in SVG. The names and defaults of a
paint are those of SVG 2, chapter 13.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from rulebook.typefaces import FaceName

#: Right and down.
Point = tuple[float, float]
#: Left, top, right, bottom.
Box = tuple[float, float, float, float]
#: Left, top, width, height.
Window = tuple[float, float, float, float]
Number = Fraction | float
ExactPoint = tuple[Number, Number]
#: Left, top, right, bottom.
ExactBox = tuple[Number, Number, Number, Number]
#: Families of type, the first of them our own.
SANS_FONTS, SERIF_FONTS = "'IBM Plex Sans Condensed', sans-serif", "Spectral, serif"
Anchor = Literal["start", "middle", "end"]
Cap = Literal["butt", "round", "square"]
Join = Literal["miter", "round", "bevel"]


def channels(colour: str) -> list[int]:
    """Returns red, green and blue of a colour '#rrggbb', each from 0 to 255."""
    return [int(colour[index : index + 2], 16) for index in (1, 3, 5)]


def mixed(colour: str, part: Fraction | float, ground: str = "#ffffff") -> str:
    """Returns a mixture of two colours: at `part` 0 it is `ground`, at 1 it is `colour`."""
    pairs = zip(channels(colour), channels(ground), strict=True)
    return "#" + "".join(f"{round(under - (under - over) * part):02x}" for over, under in pairs)


def number(value: float) -> str:
    """Formats a number for SVG and PDF, as short as possible and without an exponent."""
    if value == int(value):
        return str(int(value))
    text = repr(value)
    return text if "e" not in text else f"{value:.9f}".rstrip("0").rstrip(".")


def numbers(values: Iterable[float]) -> str:
    """Formats numbers, separated by spaces."""
    return " ".join(map(number, values))


_STEP = re.compile(r"([A-Z])([^A-Z]*)")


def path_steps(d: str) -> Iterator[tuple[str, list[float]]]:
    """Yields each command of SVG path data: its letter and its numbers."""
    for letter, numbers_of_step in _STEP.findall(d):
        yield letter, [float(value) for value in numbers_of_step.replace(",", " ").split()]


@dataclass(frozen=True, slots=True)
class Paint:
    """How a path is filled and stroked; colours are '#rrggbb', and None is no fill or no stroke."""

    fill: str | None = "#000000"
    stroke: str | None = None
    width: float = 1.0
    cap: Cap = "butt"
    join: Join = "miter"
    dash: tuple[float, ...] = ()
    even_odd: bool = False
    #: Of the fill alone.
    opacity: float = 1.0


#: How SVG paints where nothing is said.
PLAIN = Paint()


#: From the lowest up; a tint is on paper only, the others are also for cutters.
Layer = Literal["tint", "cut", "score", "engrave"]
LAYERS: tuple[Layer, ...] = ("tint", "cut", "score", "engrave")
#: What an area is filled with: 1 is the lightest shade of the accent, 3 the darkest; the colour of
#: marks on the face, the accent; or a colour such as #d9b310, where the rules name one. What such a
#: colour means must stand there in letters too.
Fill = int | str


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    layer: Layer
    x1: Number
    y1: Number
    x2: Number
    y2: Number
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Corner:
    """A point of a contour, and the angle of the arc from there to the next point.

    `turn` is in degrees, clockwise positive, more than -360 and less than 360; 0 is a straight
    line.
    """

    x: Number
    y: Number
    turn: Number = 0


@dataclass(frozen=True, slots=True)
class Contour:
    """A line of straight pieces and arcs; if closed, a cutter cuts it in one go.

    On the layer `tint` it is an area without a line, and is not printed in low ink.
    """

    layer: Layer
    corners: tuple[Corner, ...]
    closed: bool = True
    fill: Fill | None = None

    @property
    def pieces(self) -> Iterator[tuple[Corner, Corner]]:
        """Yields the pairs of corners between which the pieces of the contour run.

        If it is closed, the last pair leads back to the first corner.
        """
        corners = (*self.corners, self.corners[0]) if self.closed else self.corners
        return pairwise(corners)

    @property
    def whole_circle(self) -> tuple[Number, Number, Number] | None:
        """The middle (x, y) and the radius if the contour is a circle of two halves; else None."""
        if [corner.turn for corner in self.corners] != [180, 180]:
            return None
        start, end = self.corners
        return (start.x + end.x) / 2, (start.y + end.y) / 2, bend_radius(start, end)


def bend_radius(start: Corner, end: Corner) -> float:
    """Returns the radius of the arc between two corners of a contour."""
    chord = math.hypot(float(end.x - start.x), float(end.y - start.y))
    return chord / 2 / math.sin(math.radians(abs(float(start.turn)) / 2))


@dataclass(frozen=True, slots=True)
class Path:
    """What is filled and stroked: a line, a contour, or any lines and curves.

    Those are SVG path data with the absolute commands M, L, C, Q and Z. If `paint` is None, that of
    its group is used.
    """

    d: str | Line | Contour
    paint: Paint | None = None


@dataclass(frozen=True, slots=True)
class Lettering:
    """The style of text: typeface, size in mm and colour.

    `spacing` is added between letters, in mm; spaced letters form no ligatures.
    """

    face: FaceName
    size: float
    fill: str
    spacing: float = 0.0


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text whose baseline starts, is centred or ends at (x, y).

    It is turned about that point by `rotation` degrees, clockwise.
    """

    text: str
    x: float
    y: float
    lettering: Lettering
    anchor: Anchor = "start"
    rotation: float = 0.0


@dataclass(frozen=True, slots=True)
class Letters:
    """Text in which each letter has its own place: x, y and its turn in degrees, clockwise."""

    text: str
    places: tuple[tuple[float, float, float], ...]
    lettering: Lettering


@dataclass(frozen=True, slots=True)
class Placing:
    """The transformation of a group: scaled and turned about `origin`, which is put at (x, y).

    `turn` is in degrees, clockwise.
    """

    x: float
    y: float
    turn: float = 0.0
    scale: float = 1.0
    origin: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Group:
    """Elements with coordinates of their own, clipped to `window` if there is one.

    `name` is the class (or id) in SVG, `feature` the feature of a map that it shows. `paint`
    applies to paths without a paint of their own. `opacity` is that of the whole group, in SVG and
    in the pages of booklets.
    """

    elements: Drawn
    name: str = ""
    feature: str = ""
    paint: Paint | None = None
    placing: Placing | None = None
    window: Window | None = None
    opacity: float = 1.0


Element = Path | Words | Letters | Group
Drawn = tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing or a page: its elements, and the window of their coordinates that is visible.

    `fonts` is the CSS font-family of its text in SVG.
    """

    window: Window
    title: str
    description: str
    elements: Drawn
    fonts: str = SANS_FONTS
