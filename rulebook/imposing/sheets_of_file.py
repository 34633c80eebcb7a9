"""A finished PDF, ours or another's -> its pages on sheets of paper, at scale 1."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from rulebook.imposing.imposition import TOLERANCE, PageSize, WrongPages, impose, page_sizes
from rulebook.imposing.placing import Sheet
from rulebook.imposing.poster import poster
from rulebook.imposing.saddle_stitch import CREEP, FLIP, saddle_stitch, two_up

Arrangement = Literal["booklet", "two-up", "twice", "poster"]
MOST_PAGES = 2000


@dataclass(frozen=True, slots=True)
class Arranged:
    """The PDF of the sheets, how many there are, and whether they have two sides."""

    data: bytes
    sheets: int
    duplex: bool


def arrange(
    data: bytes,
    arrangement: Arrangement,
    paper: str,
    *,
    title: str,
    sheets_a_signature: int | None = None,
    creep: Fraction = CREEP,
) -> Arranged:
    """Pages folded into a booklet, two on a side, each twice on a side, or over several sheets.

    Raises WrongPages where the pages do not go on the paper, or are of several sizes and not each
    on its own; ValueError for a creep or a signature that no booklet has.
    """
    sizes = page_sizes(data)
    if not 0 < len(sizes) <= MOST_PAGES:
        raise WrongPages(f"{len(sizes)} pages, expected 1 to {MOST_PAGES}")
    sheets: list[Sheet]
    if arrangement == "poster":
        sheets = [
            sheet
            for number, size in enumerate(sizes)
            for sheet in poster((size.width, size.height), paper, number)
        ]
    else:
        size = _one_size(sizes)
        trim = (size.width, size.height)
        if arrangement == "booklet":
            sheets = saddle_stitch(
                len(sizes), trim, paper, sheets_a_signature=sheets_a_signature, creep=creep
            )
        else:
            sheets = two_up(len(sizes), trim, paper, twice=arrangement == "twice")
    duplex = arrangement == "booklet"
    flip = FLIP if duplex else None
    return Arranged(impose(data, sheets, title=title, flip=flip), len(sheets), duplex)


def _one_size(sizes: list[PageSize]) -> PageSize:
    """The size of all pages; they stand in one grid, so none may have another."""
    first = sizes[0]
    for number, size in enumerate(sizes[1:], start=2):
        if max(abs(size.width - first.width), abs(size.height - first.height)) > TOLERANCE:
            raise WrongPages(f"page {number} is {size}, page 1 is {first}")
    return first
