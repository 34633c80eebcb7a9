"""Parts -> on which sheet of a paper each stands, and where.

A window or a piece that gets a sheet for itself stands in its middle; several begin at the top,
below the heading where that takes no sheet more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulebook.cutouts.packing import Packed, Size, fits, pack
from rulebook.cutouts.parts import PART_GAP, PIECE_ROOM, Part, Standing, View, extent
from rulebook.cutouts.sheet_words import HEADING_GAP, heading_height
from rulebook.cutouts.tiling import SEAM_ROOM, Area, Correction, packing_area, sheet_size, tile
from rulebook.paper import PaperName, paper_size


@dataclass(frozen=True, slots=True)
class PlacedPart:
    """Where the top left corner of a part is on its sheet; turned: by a quarter."""

    part: Part
    x: Fraction
    y: Fraction
    turned: bool = False
    captioned: bool = False


@dataclass(frozen=True, slots=True)
class Arranged:
    """A sheet: its size in the millimetres that the printer prints, and its parts.

    `paper` is its size as the page has it; a heading ends so far above `top` as a seam takes.
    """

    width: Fraction
    height: Fraction
    paper: Size
    parts: tuple[PlacedPart, ...]
    top: Fraction

    @property
    def landscape(self) -> bool:
        return self.paper[0] > self.paper[1]

    @property
    def views(self) -> list[View]:
        return [one.view for place in self.parts for one in place.part.views]

    @property
    def alone(self) -> tuple[Part, View] | None:
        """The part and its view where it is the only one of the sheet."""
        if len(self.parts) > 1 or len(self.parts[0].part.views) > 1:
            return None
        part = self.parts[0].part
        return part, part.views[0].view


def least_sheets(parts: Sequence[Part], paper: PaperName) -> int:
    """How many sheets the parts would cover without a gap, so that nobody packs thousands."""
    width, height = _page(paper, landscape=False)
    covered = sum((part.width * part.height for part in parts), Fraction(0))
    return math.ceil(covered / (width * height))


def arrange(
    parts: Sequence[Part], paper: PaperName, correction: Correction, uses: Sequence[str]
) -> list[Arranged]:
    """As few sheets as the packing finds, in the order of their first parts.

    `uses` are the paragraphs that a heading has if there is room.
    """
    ways = _ways(parts)
    areas = [packing_area(paper, correction, landscape=way) for way in ways]
    sizes = [(area.width, area.height) for area in areas]
    headings = [heading_height(area, uses) for area in areas]
    shared: list[int] = []
    sheets: list[tuple[int, Arranged]] = []
    for index, part in enumerate(parts):
        if any(fits(part.size, size) for size in sizes):
            shared.append(index)
        else:
            sheets.append((index, _alone(part, paper, correction)))
    taken = [parts[index].size for index in shared]
    for packed in _below_headings(taken, sizes, headings):
        there = [parts[shared[one.index]] for one in packed.placed]
        first = shared[packed.placed[0].index]
        if len(there) == 1 and len(there[0].views) == 1:
            sheets.append((first, _alone(there[0], paper, correction)))
            continue
        landscape = ways[packed.area]
        page = sheet_size(paper, correction, landscape=landscape)
        placed = _shared(packed, there, taken, areas[packed.area], headings[packed.area])
        top = min(one.y for one in placed) + SEAM_ROOM - HEADING_GAP
        sheets.append((first, Arranged(*page, _page(paper, landscape), placed, top)))
    return [sheet for _, sheet in sorted(sheets, key=lambda one: one[0])]


def _ways(parts: Sequence[Part]) -> tuple[bool, bool]:
    """Landscape first where the largest part is wider than high."""
    largest = max(parts, key=lambda part: part.width * part.height)
    return (True, False) if largest.width > largest.height else (False, True)


def _below_headings(
    sizes: Sequence[Size], areas: Sequence[Size], headings: Sequence[Fraction]
) -> list[Packed]:
    """Packed with room for a heading, unless that takes more sheets."""
    if not sizes:
        return []
    full = pack(sizes, areas, gap=PART_GAP)
    lower = [
        (width, height - above) for (width, height), above in zip(areas, headings, strict=True)
    ]
    if all(any(fits(size, area) for area in lower) for size in sizes):
        headed = pack(sizes, lower, gap=PART_GAP)
        if len(headed) <= len(full):
            return headed
    return full


def _page(paper: PaperName, landscape: bool) -> Size:
    width, height = paper_size(paper, landscape=landscape)
    return Fraction(str(width)), Fraction(str(height))


def _alone(part: Part, paper: PaperName, correction: Correction) -> Arranged:
    """In the middle of its sheet, as the sheet shows it best."""
    view = part.views[0].view
    tiles, here = view.tiles, view.tile
    if view.whole:
        drawing = view.drawing
        tiles = tile(drawing.width, drawing.height, paper, correction)
        here = tiles.tiles[0]
        view = View(drawing.turned() if tiles.turned else drawing, tiles, here)
    room = view.room
    x, y = here.left - room.across, here.top - room.down
    placed = Part(
        part.title,
        part.number,
        False,
        *view.size,
        (Standing(view, Fraction(0), Fraction(0)),),
    )
    return Arranged(
        tiles.sheet_width,
        tiles.sheet_height,
        _page(paper, tiles.landscape),
        (PlacedPart(placed, x, y),),
        here.top,
    )


def _shared(
    packed: Packed, parts: Sequence[Part], sizes: Sequence[Size], area: Area, above: Fraction
) -> tuple[PlacedPart, ...]:
    """Several parts from the top left, below the heading where there is room for it."""
    wide, high = extent(packed, sizes)
    down = above if high + above <= area.height else Fraction(0)
    edge = min(
        one.x + (PIECE_ROOM if one.turned else part.views[0].view.room.across)
        for one, part in zip(packed.placed, parts, strict=True)
    )
    # the first cut line or seam is below the beginning of the heading
    right = max(Fraction(0), min(SEAM_ROOM - edge, area.width - wide))
    return tuple(
        PlacedPart(
            part, area.left + one.x + right, area.top + one.y + down, one.turned, part.captioned
        )
        for one, part in zip(packed.placed, parts, strict=True)
    )
