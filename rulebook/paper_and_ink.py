"""Papers, with their sizes and what is printed on them, and inks.

A new paper is an entry of PAPERS: settings, files, commands and the way in follow from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

#: Full ink has tints and colours; low ink is black lines and type alone.
Ink = Literal["full", "low"]
#: The ink of files for printing services: the four of a press.
PRESS = "press"
#: Inks as lists of files call them.
INK_TITLES = {"full": "full colour", "low": "low ink", PRESS: "for a printing service"}

#: One of PAPERS.
PaperName: TypeAlias = str


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper, upright, in millimetres.

    `booklet` is the layout of booklets printed on it, None if there are none. `sheets` says whether
    single sheets are printed on it, such as cards and pages to fold. `half` is the paper of which
    two make one of it. A `strip` is as high as what is printed on it, up to its height here.
    """

    title: str
    width: float
    height: float
    booklet: Literal["a5", "large"] | None = None
    sheets: bool = False
    half: PaperName | None = None
    strip: bool = False


PAPERS: dict[PaperName, Paper] = {
    "a3": Paper("A3", 297.0, 420.0),
    "a5": Paper("A5", 148.0, 210.0, booklet="a5"),
    "half-letter": Paper("Half Letter", 139.7, 215.9),
    "a4": Paper("A4", 210.0, 297.0, booklet="large", sheets=True, half="a5"),
    "letter": Paper("Letter", 215.9, 279.4, booklet="large", sheets=True, half="half-letter"),
    "strip": Paper("Strip", 95.0, 5000.0, strip=True),
}
#: Papers of a size of their own.
FIXED_PAPERS = tuple(name for name, paper in PAPERS.items() if not paper.strip)
BOOKLET_PAPERS = tuple(name for name, paper in PAPERS.items() if paper.booklet)
SHEET_PAPERS = tuple(name for name, paper in PAPERS.items() if paper.sheets)
#: The papers of sheets and of booklets where a ruleset names none.
USUAL_SHEETS = ("a4", "letter")
USUAL_BOOKLETS = ("a5", *USUAL_SHEETS)


def half_of(name: PaperName) -> PaperName:
    """Returns the paper of which two make one sheet of a paper for single sheets."""
    half = PAPERS[name].half
    assert half is not None, "two pages are printed only on paper for single sheets"
    return half


def paper_size(name: PaperName, *, landscape: bool = False) -> tuple[float, float]:
    """Returns width and height of a paper in millimetres."""
    paper = PAPERS[name]
    return (paper.height, paper.width) if landscape else (paper.width, paper.height)


def pocket_size(name: PaperName) -> tuple[float, float]:
    """Returns width and height in mm of the pages of a paper that is folded to eight."""
    width, height = paper_size(name, landscape=True)
    return width / 4, height / 2
