"""What a drawing is made of: paths, words and groups of them, in millimetres.

Coordinates run right and down from the top left corner, as in SVG. The names and defaults of a
paint are those of SVG 2, chapter 13.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulebook.typefaces import Typeface

#: Red, green and blue, from 0 to 1.
Colour = tuple[float, float, float]
#: Right and down.
Point = tuple[float, float]
#: Left, top, right, bottom.
Box = tuple[float, float, float, float]
#: Of an affine transformation: x becomes a·x + c·y + e, y becomes b·x + d·y + f.
Matrix = tuple[float, float, float, float, float, float]
#: Left, top, width, height.
Window = tuple[float, float, float, float]
#: A step of a path and its coordinates: to a point, a line, a curve of Bezier, back to the start.
Step = tuple[Literal["M", "L", "C", "Z"], tuple[float, ...]]
Anchor = Literal["start", "middle", "end"]
Cap = Literal["butt", "round", "square"]
Join = Literal["miter", "round", "bevel"]


def channels(colour: str) -> list[int]:
    """Red, green and blue of '#rrggbb', each from 0 to 255."""
    return [int(colour[index : index + 2], 16) for index in (1, 3, 5)]


def mixed(colour: str, part: float, ground: str = "#ffffff") -> str:
    """The colour thinned with another, such as white, to so much of its strength."""
    pairs = zip(channels(colour), channels(ground), strict=True)
    return "#" + "".join(f"{round(under - (under - over) * part):02x}" for over, under in pairs)


@dataclass(frozen=True, slots=True)
class Paint:
    """How a path is filled and drawn; a colour of None leaves that out."""

    fill: Colour | None = (0.0, 0.0, 0.0)
    stroke: Colour | None = None
    width: float = 1.0
    cap: Cap = "butt"
    join: Join = "miter"
    dash: tuple[float, ...] = ()
    even_odd: bool = False
    #: Of the fill alone.
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Path:
    """Lines and curves, begun by a step to a point."""

    steps: tuple[Step, ...]
    paint: Paint


@dataclass(frozen=True, slots=True)
class Lettering:
    """How words are set: a typeface, its size in mm and its colour.

    `spacing` is added between letters, mm; letters that are spaced are not joined.
    """

    face: Typeface
    size: float
    fill: Colour
    spacing: float = 0.0


@dataclass(frozen=True, slots=True)
class Words:
    """A line of words on a baseline that starts, has its middle or ends at (x, y)."""

    text: str
    x: float
    y: float
    lettering: Lettering
    anchor: Anchor = "start"


@dataclass(frozen=True, slots=True)
class Letters:
    """Words each of whose letters begins at a place of its own: x, y, degrees clockwise."""

    text: str
    places: tuple[tuple[float, float, float], ...]
    lettering: Lettering


@dataclass(frozen=True, slots=True)
class Group:
    """Elements in coordinates of their own, of which only what lies in a window is seen."""

    elements: tuple[Element, ...]
    matrix: Matrix | None = None
    window: Window | None = None


Element = Path | Words | Letters | Group


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole drawing: the window of its coordinates that is seen, and what is said of it."""

    window: Window
    title: str
    description: str
    elements: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class SheetView:
    """A sheet of paper: its size in millimetres, and an SVG of just that size."""

    width_mm: float
    height_mm: float
    svg: str
