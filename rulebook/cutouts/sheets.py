"""Cutouts -> the sheets of one paper on which they are printed at true scale.

Each sheet is one SVG in millimetres: windows and whole pieces, registration marks and what joins
where, check bars, a heading where there is room, a footer. A page of exactly this size, without
margins and printed at 100 %, gives the cutouts their true size; for a printer that is known to be
off all of it, the bars too, is drawn larger or smaller by so much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from rulebook.cutouts.arranging import Arranged, arrange, least_sheets
from rulebook.cutouts.parts import Part, Pieces, Standing, View, marks, parts_of, seams
from rulebook.cutouts.sheet_words import (
    JOIN,
    JOIN_PARTS,
    MEASURE_FIRST,
    SheetWords,
    caption,
    check_bars,
    footer,
    heading,
    join_at_foot,
    measure_first,
    untold,
)
from rulebook.cutouts.tiling import CLEAR, PRINTS_TRUE, Correction, bar_corner, bar_names
from rulebook.drawing.shapes import Box, Shape
from rulebook.drawing.sheets import SheetView
from rulebook.drawing.svg_elements import (
    DrawnShape,
    Look,
    drawn_shapes,
    svg_layers,
    svg_root,
    svg_shapes,
    windowed,
)
from rulebook.drawing.svg_text import decimal
from rulebook.paper import PaperName
from rulebook.quantities import QuantityError

#: More sheets than this are not printed in one file.
MOST_SHEETS = 400
#: Beyond the outer edge of a drawing the window shows so much more, for the width of the cut line.
BLEED = Fraction(1)
#: Decimals of the factors of a correction: less than a micrometre on the largest paper.
_FACTOR_PLACES = 9


@dataclass(frozen=True, slots=True)
class Imprint:
    """What a sheet says of the ruleset, and in plain text how its cutout is used."""

    ruleset: str
    edition: str
    use: str = ""

    def __str__(self) -> str:
        return f"{self.ruleset}, edition {self.edition}"


def compose_sheets(
    title: str,
    cutouts: Sequence[Pieces],
    paper: PaperName,
    imprint: Imprint,
    *,
    look: Look | None = None,
    correction: Correction = PRINTS_TRUE,
) -> list[SheetView]:
    """The sheets for a paper, in the order of the pieces; several cutouts share sheets by name.

    Raises QuantityError where a piece or all together take too many.
    """
    parts = parts_of(cutouts, paper, correction)
    uses = tuple(words for words in (imprint.use, _joining(parts)) if words)
    if (least := least_sheets(parts, paper)) > MOST_SHEETS:
        raise _too_many(title, least, paper)
    sheets = arrange(parts, paper, correction, uses)
    if len(sheets) > MOST_SHEETS:
        raise _too_many(title, len(sheets), paper)
    one_piece = len(parts) == len(sheets) == len(parts[0].views[0].view.tiles.tiles)
    drawing = _SheetDrawing(title, imprint, look or Look(), correction, one_piece)
    return [drawing.sheet(sheet, number, sheets) for number, sheet in enumerate(sheets, 1)]


def _too_many(title: str, count: int, paper: PaperName) -> QuantityError:
    return QuantityError.of(
        "R606 takes many sheets", title=title, count=count, paper=paper, most=MOST_SHEETS
    )


def _joining(parts: Sequence[Part]) -> str:
    return JOIN_PARTS if any(part.number for part in parts) else ""


@dataclass(frozen=True, slots=True)
class _SheetDrawing:
    """What all sheets of one file have in common."""

    title: str
    imprint: Imprint
    look: Look
    correction: Correction
    #: Whether every sheet is one window of the same piece, and has its number.
    one_piece: bool

    def sheet(self, sheet: Arranged, number: int, sheets: Sequence[Arranged]) -> SheetView:
        words = self._words(sheet, number, sheets)
        page = sheet.width, sheet.height
        headed = list(heading(*page, words, sheet.top))
        measured = list(measure_first(*page, words.corrected))
        shapes: list[Shape] = [
            *measured,
            *join_at_foot(*page, measured, untold(headed, words)),
            *footer(*page, words, str(self.imprint)),
            *headed,
        ]
        body = "".join(self._views(sheet, number))
        drawn = [*_drawn_bars(sheet.height, sheet.landscape, self.look)]
        drawn += drawn_shapes(shapes, self.look)
        body += f'<g class="sheet">\n{svg_layers(drawn, self.look)}</g>\n'
        wide, high = sheet.paper
        if self.correction != PRINTS_TRUE:
            body = f'<g transform="{_corrected(sheet, self.correction)}">\n{body}</g>\n'
        told = dict.fromkeys(view.drawing.description for view in sheet.views)
        description = f"{'; '.join(told)}. {' '.join(MEASURE_FIRST)}"
        title = self.title if len(sheets) == 1 else f"{self.title}, {words.number}"
        box = (Fraction(0), Fraction(0), wide, high)
        return SheetView(float(wide), float(high), svg_root(box, title, description, body))

    def _words(self, sheet: Arranged, number: int, sheets: Sequence[Arranged]) -> SheetWords:
        """A sheet with one piece is told as that piece, where there are others by its name."""
        told = f"{number} of {len(sheets)}"
        alone = sheet.alone
        if alone is None:
            uses = (self.imprint.use, _joining([standing.part for standing in sheet.parts]))
            return self._told(self.title, self.title, told, uses)
        part, view = alone
        join = "" if view.whole else JOIN
        uses = (self.imprint.use, join)
        if view.whole or self.one_piece:
            return self._told(part.title, part.title, part.number or told, uses)
        return self._told(part.title, f"{part.title}, {part.number}", told, uses)

    def _told(self, title: str, named: str, number: str, uses: tuple[str, ...]) -> SheetWords:
        kept = tuple(words for words in uses if words)
        return SheetWords(title, named, number, kept, self.correction.told)

    def _views(self, sheet: Arranged, number: int) -> Iterator[str]:
        """The group of every part, its words and its views, each with a clip of its own."""
        clips = 0
        for place in sheet.parts:
            part, drawn = place.part, []
            x, y = (Fraction(0),) * 2 if place.turned else (place.x, place.y)
            if place.captioned:
                drawn.append(svg_shapes([caption(part, x, y)], self.look))
            for standing in part.views:
                clips += 1
                drawn.append(self._standing(standing, x, y, f"window-{number}-{clips}"))
            body = "".join(drawn)
            yield _quarter(body, place.x, place.y, part.size) if place.turned else body

    def _standing(self, standing: Standing, x: Fraction, y: Fraction, clip: str) -> str:
        """A view at a place, or turned in a group of its own."""
        view, room = standing.view, standing.view.room
        if not standing.turned:
            left, top = x + standing.x + room.across, y + standing.y + room.down
            return self._view(view.standing(left, top), clip)
        body = self._view(view.standing(room.across, room.down), clip)
        return _quarter(body, x + standing.x, y + standing.y, view.size)

    def _view(self, view: View, clip: str) -> str:
        part, drawing = view.tile, view.drawing
        shapes: list[Shape] = [] if view.whole else [*marks(view), *seams(view)]
        moved = f"translate({decimal(part.left - part.x)} {decimal(part.top - part.y)})"
        body = windowed(drawing, self.look).svg(_window(view), clip)
        body = f'<g transform="{moved}">\n{body}</g>\n'
        return body + svg_shapes(shapes, self.look)


@lru_cache(maxsize=32)
def _drawn_bars(height: Fraction, landscape: bool, look: Look) -> tuple[DrawnShape, ...]:
    """The check bars, which are the same on all sheets of a paper."""
    bars = check_bars(*bar_corner(height), names=bar_names(landscape=landscape))
    return tuple(drawn_shapes(bars, look))


def _window(view: View) -> Box:
    """The window, a little larger at the outer edges of the drawing, where a line has its width."""
    part, tiles = view.tile, view.tiles
    return (
        part.x - (BLEED if part.column == 1 else 0),
        part.y - (BLEED if part.row == 1 else 0),
        part.x + part.width + (BLEED if part.column == tiles.columns else 0),
        part.y + part.height + (BLEED if part.row == tiles.rows else 0),
    )


def _quarter(body: str, x: Fraction, y: Fraction, size: tuple[Fraction, Fraction]) -> str:
    """A group turned so that its rectangle's top left corner comes to (x, y).

    To the left: what runs along it is read upwards, and a cone, whose words stand across, upright.
    """
    place = f"translate({decimal(x)} {decimal(y + size[0])}) rotate(-90)"
    return f'<g transform="{place}">\n{body}</g>\n'


def _corrected(sheet: Arranged, correction: Correction) -> str:
    """The millimetres of the printer -> those of the page; the clear edges keep their width."""
    across, up = correction.factors(landscape=sheet.landscape)
    shift = f"translate({decimal(CLEAR * (1 - across))} {decimal(CLEAR * (1 - up))})"
    return f"{shift} scale({decimal(across, _FACTOR_PLACES)} {decimal(up, _FACTOR_PLACES)})"
