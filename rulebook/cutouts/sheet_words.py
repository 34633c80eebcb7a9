"""What a sheet of cutouts is -> its words: heading, footer, what to do with the check bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulebook.cutouts.parts import CAPTION_ROOM, CAPTION_SIZE, SMALLEST, Part
from rulebook.cutouts.tiling import CLEAR, SEAM_ROOM, Area, bar_corner, drawing_area
from rulebook.drawing.shapes import Anchor, Label, Line, Number, Shape, Weight
from rulebook.quantities import MILLIMETRES
from rulebook.text_fitting import largest_size, shortened, text_width, wrapped

MEASURE_FIRST = ("Print at 100 %, actual size.", "Measure this bar first.")
JOIN = (
    "Lay the sheets over each other, cross on cross, and glue them; then cut along the heavy line."
)
JOIN_PARTS = (
    "Cut out along the dashed lines, lay cross on cross and glue; then cut along the heavy line."
)
#: Type sizes, mm.
TITLE_SIZE, TEXT_SIZE, FOOTER_SIZE = 6.0, 3.4, 2.9
#: Longer lines than this are not read.
TEXT_WIDTH = 190.0
#: Between the words of a heading and several parts below it, which keep some room themselves.
HEADING_GAP = Fraction(2)
#: Between the words at the bar and others beside them, and the room and lines that these may have.
FOOT_GAP, LEAST_FOOT, MOST_FOOT_LINES = 5.0, 20.0, 3


@dataclass(frozen=True, slots=True)
class SheetWords:
    """What is told on a sheet: `title` heads it, `named` and `number` stand at its foot.

    `uses` are the paragraphs below the title; `corrected` says for which printer it is made.
    """

    title: str
    named: str
    number: str
    uses: tuple[str, ...]
    corrected: str = ""


def measure_first(width: Fraction, height: Fraction, corrected: str) -> Iterator[Label]:
    """The words beside the bar: a line each, or more where the paper is narrow."""
    x, y = bar_corner(height)
    start = Fraction(x) + BAR_LENGTH
    room = float(width - CLEAR - start)
    lines: list[tuple[str, Weight]] = [(line, "bold") for line in MEASURE_FIRST]
    lines += [(corrected, "regular")] if corrected else []
    most = TEXT_SIZE if len(lines) < 3 else FOOTER_SIZE
    size = largest_size([line for line, _ in lines], room, most=most)
    if size < SMALLEST:
        size = SMALLEST
        lines = [(part, weight) for line, weight in lines for part in wrapped(line, size, room)]
    leading = (1.25 if len(lines) < 4 else 1.1) * size
    first = float(y) - leading * (len(lines) - 2) / 2 - 0.25 * size
    for index, (line, weight) in enumerate(lines):
        yield Label(line, start, first + leading * index, size, anchor="start", weight=weight)


def untold(headed: Sequence[Label], words: SheetWords) -> str:
    """How the parts are joined, where the heading had no room to say it."""
    said = " ".join(label.text for label in headed)
    return " ".join(one for one in words.uses if one in (JOIN, JOIN_PARTS) and one not in said)


def join_at_foot(
    width: Fraction, height: Fraction, beside: Sequence[Label], join: str
) -> Iterator[Label]:
    """The same at the right of what stands beside the bar, in two lines, or in three small ones."""
    start = max(float(one.x) + text_width(one.text, float(one.size)) for one in beside) + FOOT_GAP
    room = float(width - CLEAR) - start
    if not join or room < LEAST_FOOT:
        return
    size = TEXT_SIZE
    while size > SMALLEST and len(wrapped(join, size, room)) > 2:
        size = max(SMALLEST, 0.95 * size)
    lines = wrapped(join, size, room)
    if len(lines) > MOST_FOOT_LINES:
        return
    leading = 1.25 * size
    first = float(bar_corner(height)[1]) - leading * (len(lines) - 2) / 2 - 0.25 * size
    for index, line in enumerate(lines):
        yield Label(line, start, first + leading * index, size, anchor="start")


def footer(width: Fraction, height: Fraction, words: SheetWords, imprint: str) -> Iterator[Label]:
    """Cutout, ruleset and edition at the left, the number of the sheet at the right."""
    y = height - CLEAR - Fraction(1, 2)
    named = f"{words.named} · {imprint}"
    told = f"sheet {words.number}"
    room = float(width - 2 * CLEAR) - text_width(told, FOOTER_SIZE) - 6
    size = max(SMALLEST, largest_size([named], room, most=FOOTER_SIZE))
    sides: tuple[tuple[str, float, Fraction, Anchor, Weight], ...] = (
        (shortened(named, size, room), size, CLEAR, "start", "regular"),
        (told, FOOTER_SIZE, width - CLEAR, "end", "bold"),
    )
    for line, letters, x, anchor, weight in sides:
        yield Label(line, x, y, letters, anchor=anchor, weight=weight)


def heading(width: Fraction, height: Fraction, words: SheetWords, top: Fraction) -> Iterator[Label]:
    """Title and paragraphs above what begins at `top`; as much of it as there is room for."""
    area = drawing_area(width, height)
    left, room = float(area.left), float(area.width)
    y = float(area.top)
    if float(top) - y < 1.6 * TITLE_SIZE + float(SEAM_ROOM):
        return
    size = max(SMALLEST, largest_size([words.title], room, most=TITLE_SIZE))
    y += 0.7 * TITLE_SIZE
    yield Label(shortened(words.title, size, room), left, y, size, anchor="start", weight="bold")
    y += 0.35 * TITLE_SIZE
    for paragraph in words.uses:
        lines = wrapped(paragraph, TEXT_SIZE, min(room, TEXT_WIDTH))
        if y + 1.3 * TEXT_SIZE * len(lines) > top - SEAM_ROOM:
            continue
        for line in lines:
            y += 1.3 * TEXT_SIZE
            yield Label(line, left, y, TEXT_SIZE, anchor="start")


def heading_height(area: Area, uses: Sequence[str]) -> Fraction:
    """How much of the top of a packing area a heading with all its paragraphs takes."""
    room = min(float(area.width - 2 * SEAM_ROOM), TEXT_WIDTH)
    lines = sum(len(wrapped(paragraph, TEXT_SIZE, room)) for paragraph in uses)
    text = max(1.05 * TITLE_SIZE + 1.3 * TEXT_SIZE * lines, 1.6 * TITLE_SIZE) + 0.1
    return SEAM_ROOM + Fraction(text).limit_denominator(100) + HEADING_GAP


def caption(part: Part, left: Fraction, top: Fraction) -> Label:
    """The name of a part above it; of a window its number is never cut off."""
    number = f", {part.number}" if part.number else ""
    room = float(part.width)
    size = max(SMALLEST, largest_size([part.title + number], room, most=CAPTION_SIZE))
    title = shortened(part.title, size, room - text_width(number, size))
    words = title + number if title else part.number
    inset = part.views[0].view.room.across
    y = top + CAPTION_ROOM - Fraction(6, 5)
    return Label(words, left + inset, y, size, anchor="start", weight="bold")


INCH = MILLIMETRES["in"]
METRIC, IMPERIAL = Fraction(100), 4 * INCH
#: The bars with their words, along them.
BAR_LENGTH = IMPERIAL + 20
_LONG, _SHORT = Fraction(7, 2), Fraction(2)
_SIZE, _NAME_SIZE = 3.0, 4.2


def check_bars(x: Number, y: Number, *, names: tuple[str, str] = ("x", "y")) -> Iterator[Shape]:
    """Two bars from (x, y): one to the right and one up, and their names."""
    for along, side in _ticks():
        yield Line("engrave", x + along, y, x + along, y - side)
        yield Line("engrave", x, y - along, x + side, y - along)
    yield Line("engrave", x, y, x + IMPERIAL, y)
    yield Line("engrave", x, y, x, y - IMPERIAL)
    beyond = IMPERIAL + Fraction(3, 2)
    for words, offset in (("100 mm", -0.9), ("4 in", 0.9 + 0.7 * _SIZE)):
        yield Label(words, x + beyond, y + Fraction(offset), _SIZE, anchor="start")
    for words, offset in (("100 mm", 0.9 + 0.7 * _SIZE), ("4 in", -0.9)):
        yield Label(words, x + Fraction(offset), y - beyond, _SIZE, anchor="start", rotation=-90)
    name = IMPERIAL + 15
    middle = 0.25 * _NAME_SIZE
    yield Label(names[0], x + name, y + Fraction(middle), _NAME_SIZE, anchor="start", weight="bold")
    yield Label(names[1], x, y - name, _NAME_SIZE, weight="bold")


def _ticks() -> Iterator[tuple[Fraction, Fraction]]:
    """How far along the bar a tick is, and how far it goes to the side: + millimetres, - inches."""
    for step in range(21):
        yield METRIC * step / 20, _LONG if step % 10 == 0 else _SHORT
    for step in range(17):
        yield IMPERIAL * step / 16, -_LONG if step % 4 == 0 else -_SHORT
