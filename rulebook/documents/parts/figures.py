"""Cutouts that follow each other in a section -> the rows in which the booklet sets their figures.

A long one, such as a stick, has the width of the page to itself; others stand up to three in a row,
all of a run at the same width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from rulebook.documents.parts.cutout_drawings import drawing_of, is_long
from rulebook.drawing.inks import Look
from rulebook.drawing.shapes import Drawing
from rulebook.drawing.svg import svg_miniature
from rulebook.model.prose import Block, Chapter, Section, Text
from rulebook.model.ruleset import Ruleset

#: Width of a figure by how many stand in its row, in millimetres: with gaps of four the row is as
#: wide as the text of the smallest booklet.
WIDTHS = {1: 100.0, 2: 53.0, 3: 34.0}
MOST = max(WIDTHS)


@dataclass(frozen=True, slots=True)
class FigureRow:
    """The ids of cutouts side by side, and how many have room in such a row."""

    cutouts: tuple[str, ...]
    room: int

    @property
    def width(self) -> float:
        """Of each figure, in millimetres."""
        return WIDTHS[self.room]


def figure_rows(chapters: Iterable[Chapter], room: Callable[[str], int]) -> list[FigureRow]:
    """All cutouts that stand in the text, row by row; `room` is how many go into a row of such."""
    return [
        row
        for chapter in chapters
        for section in chapter.sections
        for run in _runs(section)
        for row in _rows(run, room)
    ]


def _runs(section: Section) -> Iterator[list[str]]:
    """Cutouts with nothing between them."""
    parts = (part for part in section.parts if not isinstance(part, Text) or part.markdown.strip())
    for of_cutouts, run in groupby(parts, key=_is_cutout):
        if of_cutouts:
            yield [part.target for part in run if isinstance(part, Block)]


def _is_cutout(part: object) -> bool:
    return isinstance(part, Block) and part.kind == "cutout"


def _rows(run: list[str], room: Callable[[str], int]) -> Iterator[FigureRow]:
    for alone, alike in groupby(run, key=lambda cutout: room(cutout) == 1):
        cutouts = tuple(alike)
        many = 1 if alone or len(cutouts) == 1 else min(map(room, cutouts))
        if len(cutouts) == 4:
            many = min(many, 2)
        many = min(many, len(cutouts))
        for first in range(0, len(cutouts), many):
            yield FigureRow(cutouts[first : first + many], many)


def row_pictures(ruleset: Ruleset) -> dict[FigureRow, tuple[str, ...]]:
    """The rows of figures of the booklet, and their pictures."""
    look = Look(accent=ruleset.header.accent)
    drawings = {cutout: drawing_of(ruleset, cutout) for cutout in ruleset.cutouts}
    rows = figure_rows(ruleset.chapters, lambda cutout: _room_beside(drawings[cutout]))
    return {
        row: tuple(svg_miniature(drawings[cutout], row.width, look) for cutout in row.cutouts)
        for row in rows
    }


def _room_beside(drawing: Drawing) -> int:
    """How many such drawings may stand in a row: more words and measures need more room."""
    shown = drawing.picture or drawing
    if is_long(drawing):
        return 1
    return MOST if max(len(shown.captions), len(shown.measures)) < 3 else 2
