"""What a drawing is made of: paths, words and groups of them, in millimetres.

Coordinates run right and down from the top left corner, as in SVG. The names and defaults of a
paint are those of SVG 2, chapter 13.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from rulebook.typefaces import FaceName

#: Right and down.
Point = tuple[float, float]
#: Left, top, right, bottom.
Box = tuple[float, float, float, float]
#: Left, top, width, height.
Window = tuple[float, float, float, float]
#: Families of type, the first of them our own.
SANS_FONTS, SERIF_FONTS = "'IBM Plex Sans Condensed', sans-serif", "Spectral, serif"
Anchor = Literal["start", "middle", "end"]
Cap = Literal["butt", "round", "square"]
Join = Literal["miter", "round", "bevel"]


def channels(colour: str) -> list[int]:
    """Returns red, green and blue of a colour '#rrggbb', each from 0 to 255."""
    return [int(colour[index : index + 2], 16) for index in (1, 3, 5)]


def mixed(colour: str, part: Fraction | float, ground: str = "#ffffff") -> str:
    """Mixes two colours: at `part` 0 the result is `ground`, at 1 it is `colour`."""
    pairs = zip(channels(colour), channels(ground), strict=True)
    return "#" + "".join(f"{round(under - (under - over) * part):02x}" for over, under in pairs)


def number(value: float) -> str:
    """Formats a number for SVG and PDF: as short as it can be, and without an exponent."""
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


@dataclass(frozen=True, slots=True)
class Path:
    """Lines and curves as SVG path data with the absolute commands M, L, C, Q and Z.

    For cutters there is A as well. If `paint` is None, that of its group is used.
    """

    d: str
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
    applies to paths without a paint of their own. `opacity` is that of the whole group, in SVG
    only.
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
