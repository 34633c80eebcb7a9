"""A drawing -> the sheets of one paper on which it is printed at true scale, as plain data.

Each sheet is one SVG in millimetres: the window of the drawing, registration marks and what joins
where, check bars, a heading where there is room, a footer. A page of exactly this size, without
margins and printed at 100 %, gives the cutout its true size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulebook.cutouts.check_bars import BAR_LENGTH, check_bars
from rulebook.cutouts.drawing import Anchor, Circle, Drawing, Label, Line, Shape, Weight
from rulebook.cutouts.elements import Look, decimal, svg_clipped, svg_root, svg_shapes
from rulebook.cutouts.lettering import largest_size, shortened, text_width, wrapped
from rulebook.cutouts.tiling import (
    CLEAR,
    SEAM_ROOM,
    Tile,
    Tiles,
    bar_corner,
    drawing_area,
    tile,
)
from rulebook.paper import PaperName
from rulebook.quantities import QuantityError

MEASURE_FIRST = ("Print at 100 %, actual size.", "Measure this bar first.")
JOIN = (
    "Lay the sheets over each other, cross on cross, and glue them; then cut along the heavy line."
)
#: More sheets than this are not glued together for one cutout.
MOST_SHEETS = 60
#: The largest paper that sheets are made for.
LARGEST_PAPER: PaperName = "a3"
#: Type sizes, mm.
TITLE_SIZE, TEXT_SIZE, FOOTER_SIZE, SEAM_SIZE = 6.0, 3.4, 2.9, 3.2
SMALLEST = 2.1
#: Half the length of the arms of a registration mark, and the radius of its circle.
MARK_ARM, MARK_RADIUS = Fraction(4), Fraction(3, 2)
#: Beyond the outer edge of a drawing the window shows so much more, for the width of the cut line.
BLEED = Fraction(1)


@dataclass(frozen=True, slots=True)
class Imprint:
    """What a sheet says of the ruleset, and in plain text how the cutout is used."""

    ruleset: str
    edition: str
    use: str = ""


def compose_sheets(
    drawing: Drawing, paper: PaperName, imprint: Imprint, *, look: Look | None = None
) -> list[dict[str, Any]]:
    """The sheets for a paper, in order, rows before columns.

    Each is a dict of width_mm, height_mm, title, tile (`1 of 3`) and svg, all plain JSON data.
    Raises QuantityError where it takes more than MOST_SHEETS.
    """
    look = look or Look()
    tiles = tile(drawing.width, drawing.height, paper)
    if len(tiles.tiles) > MOST_SHEETS:
        raise _too_many(drawing, paper, len(tiles.tiles))
    laid = drawing.turned() if tiles.turned else drawing
    return [
        {
            "width_mm": float(tiles.sheet_width),
            "height_mm": float(tiles.sheet_height),
            "title": drawing.title,
            "tile": tiles.label(part),
            "svg": _sheet(laid, tiles, part, imprint, look),
        }
        for part in tiles.tiles
    ]


def _too_many(drawing: Drawing, paper: PaperName, count: int) -> QuantityError:
    larger = len(tile(drawing.width, drawing.height, LARGEST_PAPER).tiles)
    advice = (
        f"choose a larger paper ({LARGEST_PAPER} takes {larger})"
        if larger <= MOST_SHEETS
        else "make it smaller, or have its SVG plotted in one piece"
    )
    return QuantityError(
        f"the cutout {drawing.title} takes {count} sheets of {paper}",
        expected=f"up to {MOST_SHEETS} sheets",
        hint=advice,
    )


def _sheet(drawing: Drawing, tiles: Tiles, part: Tile, imprint: Imprint, look: Look) -> str:
    shapes: list[Shape] = [
        *check_bars(*bar_corner(tiles.sheet_height)),
        *_measure_first(tiles),
        *_footer(drawing.title, tiles, part, imprint),
        *_heading(drawing.title, tiles, part, imprint),
        *_marks(tiles, part),
        *_seams(tiles, part),
    ]
    number = (part.row - 1) * tiles.columns + part.column
    body = (
        f'<g transform="translate({decimal(part.left - part.x)} {decimal(part.top - part.y)})">\n'
        f"{svg_clipped(drawing.shapes, _window(tiles, part), f'window-{number}', look)}</g>\n"
        f'<g class="sheet">\n{svg_shapes(shapes, look)}</g>\n'
    )
    title = drawing.title if len(tiles.tiles) == 1 else f"{drawing.title}, {tiles.label(part)}"
    box = (Fraction(0), Fraction(0), tiles.sheet_width, tiles.sheet_height)
    return svg_root(box, title, f"{drawing.description}. {' '.join(MEASURE_FIRST)}", body)


def _window(tiles: Tiles, part: Tile) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """The window, a little larger at the outer edges of the drawing, where a line has its width."""
    return (
        part.x - (BLEED if part.column == 1 else 0),
        part.y - (BLEED if part.row == 1 else 0),
        part.x + part.width + (BLEED if part.column == tiles.columns else 0),
        part.y + part.height + (BLEED if part.row == tiles.rows else 0),
    )


def _measure_first(tiles: Tiles) -> Iterator[Shape]:
    """The words beside the bar: two lines, or more where the paper is narrow."""
    x, y = bar_corner(tiles.sheet_height)
    start = Fraction(x) + BAR_LENGTH
    room = float(tiles.sheet_width - CLEAR - start)
    lines, size = list(MEASURE_FIRST), largest_size(MEASURE_FIRST, room, most=TEXT_SIZE)
    if size < SMALLEST:
        size = SMALLEST
        lines = [part for line in MEASURE_FIRST for part in wrapped(line, size, room)]
    leading = 1.25 * size
    first = float(y) - leading * (len(lines) - 2) / 2 - 0.25 * size
    for index, line in enumerate(lines):
        yield Label(line, start, first + leading * index, size, anchor="start", weight="bold")


def _footer(title: str, tiles: Tiles, part: Tile, imprint: Imprint) -> Iterator[Shape]:
    y = tiles.sheet_height - CLEAR - Fraction(1, 2)
    told = f"sheet {tiles.label(part)}"
    words = f"{title} · {imprint.ruleset}, edition {imprint.edition}"
    room = float(tiles.sheet_width - 2 * CLEAR) - text_width(told, FOOTER_SIZE) - 6
    size = max(SMALLEST, largest_size([words], room, most=FOOTER_SIZE))
    sides: tuple[tuple[str, float, Fraction, Anchor, Weight], ...] = (
        (shortened(words, size, room), size, CLEAR, "start", "regular"),
        (told, FOOTER_SIZE, tiles.sheet_width - CLEAR, "end", "bold"),
    )
    for line, height, x, anchor, weight in sides:
        yield Label(line, x, y, height, anchor=anchor, weight=weight)


def _heading(title: str, tiles: Tiles, part: Tile, imprint: Imprint) -> Iterator[Shape]:
    """Title, use and how to join, above the window; as much of it as there is room for."""
    area = drawing_area(tiles.sheet_width, tiles.sheet_height)
    left, top, room = float(area.left), float(area.top), float(area.width)
    if float(part.top) - top < 1.6 * TITLE_SIZE + float(SEAM_ROOM):
        return
    size = max(SMALLEST, largest_size([title], room, most=TITLE_SIZE))
    y = top + 0.7 * TITLE_SIZE
    yield Label(shortened(title, size, room), left, y, size, anchor="start", weight="bold")
    y += 0.35 * TITLE_SIZE
    told = [JOIN] if len(tiles.tiles) > 1 else []
    for words in (imprint.use, *told):
        lines = wrapped(words, TEXT_SIZE, min(room, 190.0))
        if y + 1.3 * TEXT_SIZE * len(lines) > part.top - SEAM_ROOM:
            continue
        for line in lines:
            y += 1.3 * TEXT_SIZE
            yield Label(line, left, y, TEXT_SIZE, anchor="start")


def _marks(tiles: Tiles, part: Tile) -> Iterator[Shape]:
    for mark_x, mark_y in tiles.marks_of(part):
        x, y = part.left + mark_x - part.x, part.top + mark_y - part.y
        yield Line("engrave", x - MARK_ARM, y, x + MARK_ARM, y)
        yield Line("engrave", x, y - MARK_ARM, x, y + MARK_ARM)
        yield Circle("engrave", x, y, MARK_RADIUS)


def _seams(tiles: Tiles, part: Tile) -> Iterator[Shape]:
    """A dashed line where the window ends within the drawing, and the sheet that goes on there."""
    left, top = part.left, part.top
    right, bottom = left + part.width, top + part.height
    number = (part.row - 1) * tiles.columns + part.column
    away = SEAM_ROOM / 2
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    if part.column > 1:
        yield Line("engrave", left, top, left, bottom, dashed=True)
        yield _joins(number - 1, left - away, middle_y, -90)
    if part.column < tiles.columns:
        yield Line("engrave", right, top, right, bottom, dashed=True)
        yield _joins(number + 1, right + away, middle_y, 90)
    if part.row > 1:
        yield Line("engrave", left, top, right, top, dashed=True)
        yield _joins(number - tiles.columns, middle_x, top - away, 0)
    if part.row < tiles.rows:
        yield Line("engrave", left, bottom, right, bottom, dashed=True)
        yield _joins(number + tiles.columns, middle_x, bottom + away, 180)


def _joins(number: int, x: Fraction, y: Fraction, rotation: int) -> Label:
    """Words with their feet to the seam."""
    return Label(f"joins sheet {number}, cross on cross", x, y, SEAM_SIZE, rotation=rotation)
