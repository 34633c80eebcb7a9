"""An ink and a size -> the colours, pens and letters of a map, and the elements of its drawing.

Every colour has a pattern beside it, so that nothing is shown by colour alone: a map is read as
well from a grey printer or a photocopy. Low ink has no tints, and black lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any

from rulebook.drawing.elements import (
    Box,
    Cap,
    Drawn,
    Element,
    Group,
    Lettering,
    Letters,
    Paint,
    Path,
    Placing,
    Point,
    Words,
)
from rulebook.drawing.svg import decimal, rounded
from rulebook.maps.areas import Clearing, outside
from rulebook.maps.geometry import Piece, Quad, Segment
from rulebook.paper_and_ink import Ink
from rulebook.text_fitting import text_width
from rulebook.typefaces import SERIF, Typeface

_NOTHING, _BLACK, _WHITE = "none", "#000000", "#ffffff"
#: By name, what a colour is in full ink and in low ink: there tints are white where they must hide
#: lines below them, or left out, and all that is dark is black.
_COLOURS = {
    "none": (_NOTHING, _NOTHING),
    "white": (_WHITE, _WHITE),
    "ground": ("#fcf9f0", _NOTHING),
    "hill-1": ("#f2e8cf", _NOTHING),
    "hill-2": ("#e9d9b3", _NOTHING),
    "hill-3": ("#dec798", _NOTHING),
    "hill-4": ("#d2b47d", _NOTHING),
    "hill-5": ("#c5a066", _NOTHING),
    "hill-6": ("#b68c52", _NOTHING),
    "woods": ("#d5e0bd", _NOTHING),
    "orchard": ("#e4eacb", _NOTHING),
    "field": ("#f6edc6", _NOTHING),
    "swamp": ("#dcebe6", _NOTHING),
    "town": ("#eadccb", _NOTHING),
    "rough": ("#efe8d6", _WHITE),
    "water": ("#c6dde8", _WHITE),
    "canopy": ("#a9c085", _WHITE),
    "crown": ("#c6d69f", _WHITE),
    "ink": ("#2a2420", _BLACK),
    "soft": ("#6d6258", _BLACK),
    "grid": ("#a3988a", _BLACK),
    "relief": ("#7d5a31", _BLACK),
    "leaf": ("#3c5230", _BLACK),
    "furrow": ("#a88c46", _BLACK),
    "reed": ("#3e6f6c", _BLACK),
    "shore": ("#2b5a7c", _BLACK),
    "ripple": ("#7ea9c2", _BLACK),
    "casing": ("#43352a", _BLACK),
    "brick": ("#7a3427", _BLACK),
    # of the sides: dark enough for words and thin lines
    "blue": ("#1f4e96", _BLACK),
    "red": ("#a3231c", _BLACK),
    "grey": ("#4d5359", _BLACK),
    "green": ("#2c6a35", _BLACK),
    "brown": ("#74481f", _BLACK),
    "yellow": ("#8a6a00", _BLACK),
}

#: The map of which a symbol is as large as these sizes say: its diagonal in mm.
_USUAL_DIAGONAL = 310.0
LEAST_GRAIN, MOST_GRAIN = 0.8, 8.0
#: Of a mat at true scale, whose trees are as large as those of the models.
MAT_GRAIN = 8.0
#: The height of a capital and of the tallest small letter: parts of the size.
CAP_HEIGHT, ASCENT = 0.66, 0.74
#: No stroke of a map comes nearer to a name, mm times the grain.
HALO = 0.6
#: From line to line, as a part of the size.
LEADING = 1.02


def grain_for(width_mm: float, height_mm: float) -> float:
    """Computes the factor for the sizes of symbols and letters on a map of this size in mm.

    It is proportional to the square root of the map's diagonal, from `LEAST_GRAIN` to `MOST_GRAIN`.
    """
    grain = math.sqrt(math.hypot(width_mm, height_mm) / _USUAL_DIAGONAL)
    return min(MOST_GRAIN, max(LEAST_GRAIN, grain))


@dataclass(frozen=True, slots=True)
class MapLook:
    """The ink of a map, and how large its symbols, lines and letters are; 1 suits a sheet of A4."""

    ink: Ink = "full"
    grain: float = 1.0

    def mm(self, size: float) -> float:
        return size * self.grain

    def colour(self, name: str) -> str:
        """Returns a named colour as '#rrggbb', or 'none' for a tint that low ink leaves out."""
        return _COLOURS[name][self.ink == "low"]


@dataclass(frozen=True, slots=True)
class Canvas:
    """What the symbols of a map are drawn with: its look, its scale, and where none may stand.

    `inch` is mm of the page for an inch of the table; `room` is the box of the table on the page,
    None for a sample, whose lines are cut off at its edges; `names` are the quads of all lettering;
    `clearing` keeps symbols off names, roads and houses; `covered` are the areas on which no
    strokes of slopes are drawn, because trees or water cover them.
    """

    look: MapLook
    inch: float = 2.54
    room: Box | None = None
    names: tuple[Quad, ...] = ()
    clearing: Clearing = field(default_factory=Clearing)
    covered: Clearing = field(default_factory=Clearing)

    def mm(self, size: float) -> float:
        return self.look.mm(size)

    def path(
        self,
        d: str,
        *,
        fill: str = "none",
        stroke: str = "none",
        width: float = 0.0,
        dash: Sequence[float] = (),
        **how: Any,
    ) -> Drawn:
        """Draws a path in named colours of the look; `width` and `dash` are in mm times the grain.

        `how` are further parameters of the function `path`.
        """
        how |= {"fill": self.look.colour(fill), "stroke": self.look.colour(stroke)}
        return path(d, width=self.mm(width), dash=[self.mm(part) for part in dash], **how)

    def off_names(self, segments: Iterable[Segment]) -> list[Segment]:
        """Returns the parts of line segments that no name covers."""
        return [(piece[0], piece[-1]) for piece in outside(segments, self.names)]

    def broken(self, ring: Sequence[Point]) -> str | None:
        """Writes the path data of a closed line without the parts of it that names cover.

        Returns None if no name stands on it.
        """
        line = [*ring, ring[0]]
        pieces = list(outside([line], self.names))
        return None if pieces == [line] else "".join(map(lines_path, pieces))


#: Decimals of outlines, and of symbols, which are smaller than what is measured on a map.
EXACT, FINE = 4, 2
#: Of the curves of a circle, how far the control points are from the ends.
_HANDLE = 0.5523


def pair(point: Point, places: int = EXACT) -> str:
    return f"{decimal(point[0], places)},{decimal(point[1], places)}"


def lines_path(points: Sequence[Point], *, closed: bool = False, places: int = EXACT) -> str:
    """Writes the SVG path data of straight lines through points, with `places` decimals.

    If `closed`, a last line leads back to the first point.
    """
    return f"M{' '.join(pair(point, places) for point in points)}{'Z' if closed else ''}"


def segments_path(segments: Iterable[Segment], places: int = FINE) -> str:
    return "".join(f"M{pair(start, places)} {pair(end, places)}" for start, end in segments)


def curve_path(pieces: Sequence[Piece], *, closed: bool = False) -> str:
    """Writes the SVG path data of a curve; its straight pieces are written as lines.

    If `closed`, the path is closed at its end.
    """
    if not pieces:
        return ""
    drawn = [f"M{pair(pieces[0][0])}"]
    for start, leaving, arriving, end in pieces:
        if start == leaving and arriving == end:
            drawn.append(f"L{pair(end)}")
        else:
            drawn.append(f"C{pair(leaving)} {pair(arriving)} {pair(end)}")
    return "".join(drawn) + ("Z" if closed else "")


def circle_path(centre: Point, radius: float) -> str:
    """Writes the path data of a circle as four curves, which all renderers draw alike."""
    quarters = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0))

    def place(x: float, y: float) -> str:
        return pair((centre[0] + radius * x, centre[1] + radius * y), FINE)

    curves = (
        f"C{place(x1 + _HANDLE * x2, y1 + _HANDLE * y2)} "
        f"{place(x2 + _HANDLE * x1, y2 + _HANDLE * y1)} {place(x2, y2)}"
        for (x1, y1), (x2, y2) in pairwise(quarters)
    )
    return f"M{place(1.0, 0.0)}{''.join(curves)}Z"


def path(
    d: str,
    *,
    fill: str = "none",
    stroke: str = "none",
    width: float = 0.0,
    dash: Sequence[float] = (),
    cap: Cap = "butt",
    opacity: float = 1.0,
) -> Drawn:
    """Draws the path with the data `d`; draws nothing if it is empty or has no colour.

    `width` and `dash` are in mm.
    """
    filled, drawn = fill != "none", stroke != "none"
    if not d or not (filled or drawn):
        return ()
    paint = Paint(
        fill if filled else None,
        stroke if drawn else None,
        rounded(width, 3),
        cap,
        "round",
        tuple(rounded(part, 3) for part in dash),
        even_odd=filled,
        opacity=rounded(opacity, 2),
    )
    return (Path(d, paint),)


def joined(parts: Iterable[Drawn]) -> Drawn:
    """Joins the elements of several drawings to one drawing, in order."""
    return tuple(chain.from_iterable(parts))


def group(name: str, drawn: Iterable[Element], feature: str = "") -> Drawn:
    """Groups elements under a class `name` and the id of the `feature` that they show.

    Returns nothing if there are no elements.
    """
    elements = tuple(drawn)
    return (Group(elements, name, feature),) if elements else ()


def moved(drawn: Drawn, x: float, y: float) -> Drawn:
    """Returns a drawing moved right by `x` and down by `y`, in mm."""
    return (Group(drawn, placing=Placing(rounded(x), rounded(y))),)


def words(
    text: str, at: Point, size: float, *, face: Typeface = SERIF, colour: str, spaced: float = 0.0
) -> Drawn:
    """Draws a line of text whose baseline begins at the point `at`.

    `size` is that of the type in mm, `spaced` the space added between letters, as a part of the
    size.
    """
    x, y = (rounded(value, 3) for value in at)
    lettering = Lettering(face.name, rounded(size, 3), colour, rounded(spaced * size, 3))
    return (Words(text, x, y, lettering),)


def centred(text: str, centre: Point, size: float, *, face: Typeface = SERIF, colour: str) -> Drawn:
    """Draws a word or number centred at a point, in its height by its capital letters."""
    x, y = centre
    at = (x - text_width(text, size, face) / 2, y + 0.33 * size)
    return words(text, at, size, face=face, colour=colour)


def letters(
    text: str, places: Sequence[tuple[Point, float]], size: float, *, face: Typeface, colour: str
) -> Drawn:
    """Draws text letter by letter.

    `places` has for each letter the point at which its baseline begins, and its turn in degrees.
    """
    set_at = tuple((rounded(x, 2), rounded(y, 2), rounded(turn, 1)) for (x, y), turn in places)
    return (Letters(text, set_at, Lettering(face.name, rounded(size, 3), colour)),)
