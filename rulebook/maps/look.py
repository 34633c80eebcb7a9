"""An ink and a size -> the colours, pens and letters of a map.

Every colour has a pattern beside it, so that nothing is told by colour alone: a map is read as well
from a grey printer or a photocopy. Low ink has no tints, and black lines.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from rulebook.typefaces import SERIF, SERIF_BOLD, SERIF_ITALIC, Typeface

Ink = Literal["full", "low"]
FONTS = "Spectral, serif"

_BLACK, _WHITE = "#000000", "#ffffff"
#: What is filled, by name; in low ink it is white, or what lies below is seen.
_TINTS = {
    "ground": "#fcf9f0",
    "hill-1": "#f2e8cf",
    "hill-2": "#e9d9b3",
    "hill-3": "#dec798",
    "hill-4": "#d2b47d",
    "hill-5": "#c5a066",
    "hill-6": "#b68c52",
    "woods": "#d5e0bd",
    "orchard": "#e4eacb",
    "field": "#f6edc6",
    "rough": "#efe8d6",
    "swamp": "#dcebe6",
    "water": "#c6dde8",
    "town": "#eadccb",
    "canopy": "#a9c085",
    "crown": "#c6d69f",
}
#: What low ink leaves white, for it lies on lines.
_OPAQUE = {"water", "canopy", "crown", "rough"}
#: What is drawn or filled dark, by name; in low ink it is black.
_DARKS = {
    "ink": "#2a2420",
    "soft": "#6d6258",
    "grid": "#a3988a",
    "relief": "#7d5a31",
    "leaf": "#3c5230",
    "furrow": "#a88c46",
    "reed": "#3e6f6c",
    "shore": "#2b5a7c",
    "ripple": "#7ea9c2",
    "casing": "#43352a",
    "brick": "#7a3427",
}
#: Of the sides: dark enough for words and thin lines.
_SIDES = {
    "blue": "#1f4e96",
    "red": "#a3231c",
    "grey": "#4d5359",
    "green": "#2c6a35",
    "brown": "#74481f",
    "yellow": "#8a6a00",
}

#: The map of which a symbol is as large as these sizes say: its diagonal in mm.
_USUAL_DIAGONAL = 310.0
LEAST_GRAIN, MOST_GRAIN = 0.8, 8.0
#: Of a mat at true scale, whose trees are as large as those of the models.
MAT_GRAIN = 8.0


def grain_for(width_mm: float, height_mm: float) -> float:
    """How large symbols and letters are on a map of this size; half as large a map, 0.7 times."""
    grain = math.sqrt(math.hypot(width_mm, height_mm) / _USUAL_DIAGONAL)
    return min(MOST_GRAIN, max(LEAST_GRAIN, grain))


@dataclass(frozen=True, slots=True)
class Style:
    """How a name is lettered; the size in mm, times the grain."""

    size: float
    face: Typeface
    colour: str = "ink"
    spaced: float = 0.0
    capitals: bool = False


STYLES = {
    "town": Style(3.1, SERIF_BOLD, spaced=0.08, capitals=True),
    "building": Style(2.6, SERIF),
    "hill": Style(3.0, SERIF, spaced=0.06),
    "woods": Style(2.7, SERIF_ITALIC, "leaf"),
    "orchard": Style(2.6, SERIF_ITALIC, "leaf"),
    "field": Style(2.6, SERIF_ITALIC),
    "rough": Style(2.6, SERIF_ITALIC),
    "swamp": Style(2.7, SERIF_ITALIC, "reed"),
    "lake": Style(2.8, SERIF_ITALIC, "shore"),
    "river": Style(2.8, SERIF_ITALIC, "shore"),
    "stream": Style(2.6, SERIF_ITALIC, "shore"),
    "point": Style(2.6, SERIF),
    "label": Style(2.9, SERIF, spaced=0.06),
    "zone": Style(2.8, SERIF_BOLD),
    "entry": Style(2.6, SERIF_BOLD),
}
_OTHER = Style(2.6, SERIF_ITALIC)


@dataclass(frozen=True, slots=True)
class Look:
    """`grain` is how large symbols, lines and letters are; 1 suits a map over a sheet of A4."""

    ink: Ink = "full"
    grain: float = 1.0

    def mm(self, size: float) -> float:
        return size * self.grain

    def tint(self, name: str) -> str:
        """A fill: in low ink white where it must hide what is below, or none."""
        if self.ink == "full":
            return _TINTS[name]
        return _WHITE if name in _OPAQUE else "none"

    def dark(self, name: str) -> str:
        return (_DARKS | _SIDES)[name] if self.ink == "full" else _BLACK

    def style(self, kind: str) -> Style:
        return STYLES.get(kind, _OTHER)


#: The height of a capital, and how far letters reach below their line: parts of the size.
CAP_HEIGHT, DESCENT = 0.66, 0.24
#: From line to line, as a part of the size.
LEADING = 1.02
