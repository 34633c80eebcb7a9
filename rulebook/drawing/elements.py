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
    """Red, green and blue of '#rrggbb', each from 0 to 255."""
    return [int(colour[index : index + 2], 16) for index in (1, 3, 5)]


def mixed(colour: str, part: Fraction | float, ground: str = "#ffffff") -> str:
    """Mixes a colour with a ground: `part` 0 is the ground, 1 the colour."""
    pairs = zip(channels(colour), channels(ground), strict=True)
    return "#" + "".join(f"{round(under - (under - over) * part):02x}" for over, under in pairs)


def number(value: float) -> str:
    """A number as SVG and PDF have it: never with an exponent, and no longer than it need be."""
    if value == int(value):
        return str(int(value))
    text = repr(value)
    return text if "e" not in text else f"{value:.9f}".rstrip("0").rstrip(".")


def numbers(values: Iterable[float]) -> str:
    """Numbers with spaces between them."""
    return " ".join(map(number, values))


_STEP = re.compile(r"([A-Z])([^A-Z]*)")


def path_steps(d: str) -> Iterator[tuple[str, list[float]]]:
    """Each step of the path data of SVG: its letter and its numbers."""
    for letter, numbers_of_step in _STEP.findall(d):
        yield letter, [float(value) for value in numbers_of_step.replace(",", " ").split()]


@dataclass(frozen=True, slots=True)
class Paint:
    """How a path is filled and drawn, in colours as '#rrggbb'; None leaves that out."""

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
    """Lines and curves as the path data of SVG: M, L, C, Q, Z, all from the zero of the drawing.

    For cutters alone there is also A. Without a paint of its own it has that of its group.
    """

    d: str
    paint: Paint | None = None


@dataclass(frozen=True, slots=True)
class Lettering:
    """How words are set: a typeface by its name, its size in mm and its colour.

    `spacing` is added between letters, mm; letters that are spaced are not joined.
    """

    face: FaceName
    size: float
    fill: str
    spacing: float = 0.0


@dataclass(frozen=True, slots=True)
class Words:
    """A line of words on a baseline that starts, has its middle or ends at (x, y).

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
    """Words each of whose letters begins at a place of its own: x, y, degrees clockwise."""

    text: str
    places: tuple[tuple[float, float, float], ...]
    lettering: Lettering


@dataclass(frozen=True, slots=True)
class Placing:
    """Where a group lies: its `origin` is put at (x, y), and it is scaled and turned about that.

    `turn` is in degrees, clockwise.
    """

    x: float
    y: float
    turn: float = 0.0
    scale: float = 1.0
    origin: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Group:
    """Elements in coordinates of their own, of which only what lies in a window is seen.

    `name` is its class in SVG, `feature` that of a map which it shows, `paint` that of its paths
    without one. `opacity` is that of all of it, in SVG alone.
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
    """A whole drawing, or a page: the window of its coordinates that is seen, and what it shows.

    `fonts` are the families of its words in SVG, the first of them ours.
    """

    window: Window
    title: str
    description: str
    elements: Drawn
    fonts: str = SANS_FONTS
