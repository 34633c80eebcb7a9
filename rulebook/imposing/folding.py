"""The rendered pages of a booklet -> the sheets of paper from which it is folded.

A5 pages are half an A4 sheet. Half a Letter sheet is a little narrower and taller: the same pages
are cut to it by their boxes, since their margins are wide enough, and nothing is laid out again.
The page of the cover is laid out as large as the larger of the two, and cut to either.
"""

from __future__ import annotations

from rulebook.imposing.imposition import impose
from rulebook.imposing.saddle_stitch import FLIP, saddle_stitch
from rulebook.paper import paper_size

PAGES = "a5"
#: The paper of the sheets on which these pages keep their own size.
_TWICE = "a4"


def fold(data: bytes, count: int, paper: str, *, title: str, language: str) -> tuple[bytes, int]:
    """`count` pages of A5 as sheets that are folded into one booklet and stapled; their sides."""
    if paper == _TWICE:
        size = paper_size(PAGES)
    else:
        height, width = paper_size(paper)
        size = (width / 2, height)
    sheets = saddle_stitch(count, size, paper)
    folded = impose(data, sheets, title=title, language=language, flip=FLIP, cut_to=size)
    return folded, sum(len(sheet.sides) for sheet in sheets)
