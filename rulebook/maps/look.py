"""An ink and a size -> the colours, pens and letters of a map.

Every colour has a pattern beside it, so that nothing is told by colour alone: a map is read as well
from a grey printer or a photocopy. Low ink has no tints, and black lines.
"""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

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
    face: Face
    colour: str = "ink"
    spaced: float = 0.0
    capitals: bool = False


STYLES = {
    "town": Style(3.1, "semibold", spaced=0.08, capitals=True),
    "building": Style(2.6, "roman"),
    "hill": Style(3.0, "roman", spaced=0.06),
    "woods": Style(2.7, "italic", "leaf"),
    "orchard": Style(2.6, "italic", "leaf"),
    "field": Style(2.6, "italic"),
    "rough": Style(2.6, "italic"),
    "swamp": Style(2.7, "italic", "reed"),
    "lake": Style(2.8, "italic", "shore"),
    "river": Style(2.8, "italic", "shore"),
    "stream": Style(2.6, "italic", "shore"),
    "point": Style(2.6, "roman"),
    "label": Style(2.9, "roman", spaced=0.06),
    "zone": Style(2.8, "semibold"),
    "entry": Style(2.6, "semibold"),
}
_OTHER = Style(2.6, "italic")


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


Face = Literal["roman", "italic", "semibold"]

#: The attributes of SVG that choose a face.
FACES: dict[Face, str] = {
    "roman": "",
    "italic": ' font-style="italic"',
    "semibold": ' font-weight="600"',
}
#: The height of a capital, and how far letters reach below their line: parts of the size.
CAP_HEIGHT, DESCENT = 0.66, 0.24
#: From line to line, as a part of the size.
LEADING = 1.02

_LETTERS = "".join(map(chr, range(0x20, 0x7F))) + "–—’‘“”…·½¼¾ÆæŒœßØøĐđŁłıÞþðŋĦħ′″×°£§"
#: Thousandths of the size, in the order of the letters.
_WIDTHS: dict[Face, str] = {
    "roman": """
        250 250 450 500 500 750 695 250 250 250 350 500 250 375 250 250 500 500 500 500 500 500 500
        500 500 500 250 250 500 500 500 479 813 750 658 726 775 652 614 768 810 390 390 719 632 959
        799 807 638 807 661 531 674 809 740 981 740 718 646 250 250 250 500 500 269 489 560 479 559
        484 342 546 582 313 314 558 294 860 582 540 567 558 397 432 354 561 480 753 496 480 482 250
        250 250 500 500 1000 250 250 450 450 650 250 750 750 750 982 737 1013 845 603 807 540 775
        575 632 294 313 638 567 545 582 810 582 250 450 500 500 500 500
    """,
    "italic": """
        238 241 450 500 500 730 727 250 250 250 376 500 239 350 239 284 500 500 500 500 500 500 500
        500 500 500 239 239 500 500 500 404 793 715 626 669 732 621 603 739 774 365 375 700 598 922
        776 766 621 766 624 489 645 783 700 947 702 679 618 250 328 250 500 500 262 507 493 427 515
        443 319 442 517 288 288 467 258 773 530 509 508 473 345 353 314 522 448 664 448 447 401 250
        250 250 500 500 1000 238 238 418 418 639 250 730 730 730 950 712 948 771 574 766 509 732 515
        598 258 288 621 508 509 545 774 517 250 420 500 500 500 499
    """,
    "semibold": """
        250 261 450 536 536 775 736 250 257 257 379 536 261 371 261 250 536 536 536 536 536 536 536
        536 536 536 261 261 536 536 536 479 810 764 686 717 791 669 624 761 825 404 415 752 642 980
        809 796 665 796 700 555 690 826 754 1017 764 739 678 257 250 257 536 500 272 504 573 482 573
        491 359 543 603 325 324 584 313 884 603 544 580 571 413 435 373 578 478 738 527 478 494 257
        250 257 536 500 1000 245 245 442 442 704 250 775 775 775 1010 743 1029 839 644 796 544 791
        584 642 313 325 665 578 549 602 825 603 250 450 536 500 536 520
    """,
}
#: Of a letter that is none of these: as wide as it is high.
_UNKNOWN = 1.0


@lru_cache(maxsize=len(FACES))
def _widths(face: Face) -> dict[str, float]:
    widths = map(int, _WIDTHS[face].split())
    return {letter: width / 1000 for letter, width in zip(_LETTERS, widths, strict=True)}


def letter_width(letter: str, face: Face) -> float:
    """As a part of the size; a letter with a mark is as wide as without."""
    widths = _widths(face)
    if letter in widths:
        return widths[letter]
    parts = unicodedata.normalize("NFD", letter)
    if len(parts) > 1 and parts[0] in widths:
        return widths[parts[0]]
    return 0.0 if unicodedata.combining(letter) else _UNKNOWN


def text_width(text: str, face: Face, size: float, spaced: float = 0.0) -> float:
    """How wide words are; `spaced` is the room between letters, as a part of the size."""
    letters = sum(letter_width(letter, face) for letter in text)
    return size * (letters + spaced * max(0, len(text) - 1))
