"""The boxes of a track -> one drawing of them in rows, large enough for a pencil.

Hundreds of boxes stand on a sheet; each by itself would cost the page maker more than all the rest
of a card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from rulebook.documents.parts.binding import plain_text
from rulebook.quantities import MM_PER_POINT, join_words
from rulebook.text_fitting import text_width
from rulebook.translation import gettext, ngettext

#: Millimetres: the side of a box, between two boxes, and between two groups of them.
SIDE = 4.0
GAP = 0.5
GROUP_GAP = 1.6
#: Of the labels, 7 points, and what they keep to the sides of their box.
TYPE = 7 * MM_PER_POINT
PADDING = 0.3
#: How thick the lines are, those of marked boxes and of the others.
LINE, THIN = 0.35, 0.18


@dataclass(frozen=True, slots=True)
class Tick:
    """A box: its position from the top left of the drawing and its width, in mm, and its label."""

    x: float
    y: float
    width: float
    label: str


def in_rows(groups: Sequence[Sequence[str]], width: float) -> tuple[Tick, ...]:
    """Places boxes with labels (plain text) in rows that are `width` mm wide.

    The boxes of a group stay in one row unless the group is wider than a row. A label that is wider
    than a box widens the box.
    """
    found: list[Tick] = []
    x = y = LINE / 2
    for group in groups:
        sides = [max(SIDE, text_width(label, TYPE) + 2 * PADDING) for label in group]
        whole = sum(sides) + GAP * (len(sides) - 1) + LINE
        if x > LINE and x + whole > width:
            x, y = LINE / 2, y + SIDE + GAP
        for label, side in zip(group, sides, strict=True):
            if x > LINE and x + side + LINE / 2 > width:
                x, y = LINE / 2, y + SIDE + GAP
            found.append(Tick(x, y, side, label))
            x += side + GAP
        x += GROUP_GAP - GAP
    return tuple(found)


def width_in_rows(groups: Sequence[Sequence[str]], width: float) -> float:
    """Returns the width in mm of the drawing of groups of boxes in rows up to `width` mm wide.

    Labels are Markdown.
    """
    plain = [[plain_text(label) for label in group] for group in groups]
    return max((tick.x + tick.width for tick in in_rows(plain, width)), default=0.0) + LINE


def draw_boxes(
    groups: Sequence[Sequence[str]], width: float, colours: Mapping[str, str], title: str
) -> str:
    """Draws groups of boxes as SVG, in rows that are `width` mm wide.

    Labels are Markdown. `colours` has those of text, accent and tint; marked boxes have the latter.
    `title` says what the boxes count, and is part of the description of the drawing.
    """
    plain = [[plain_text(label) for label in group] for group in groups]
    ticks = in_rows(plain, width)
    height = max((tick.y for tick in ticks), default=0) + SIDE + LINE / 2
    size = f'width="{width:g}mm" height="{height:.2f}mm" viewBox="0 0 {width:g} {height:.2f}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ticks" {size} role="img">',
        f"<title>{escape(_boxes_in_words(title, ticks))}</title>",
        *_outlines([tick for tick in ticks if not tick.label], colours["text"], "none", THIN),
        *_outlines([t for t in ticks if t.label], colours["accent"], colours["tint"], LINE),
        *(_label(tick, colours["text"]) for tick in ticks if tick.label),
        "</svg>",
    ]
    return "".join(lines)


def _boxes_in_words(title: str, ticks: Sequence[Tick]) -> str:
    """Returns the description of a drawing of boxes: `Losses: 24 boxes, box 4 marked −1`."""
    marked = [
        gettext("box %(number)s marked %(label)s", number=number, label=tick.label)
        for number, tick in enumerate(ticks, 1)
        if tick.label
    ]
    boxes = ngettext(
        "%(title)s: %(number)s box", "%(title)s: %(number)s boxes", len(ticks), title=title
    )
    return f"{boxes}, {join_words(marked, 'and')}" if marked else boxes


def _outlines(ticks: Sequence[Tick], stroke: str, fill: str, line: float) -> Iterator[str]:
    if ticks:
        path = "".join(
            f"M{t.x:.2f} {t.y:.2f}h{t.width:.2f}v{SIDE:g}h-{t.width:.2f}z" for t in ticks
        )
        yield f'<path d="{path}" fill="{fill}" stroke="{stroke}" stroke-width="{line:g}"/>'


def _label(tick: Tick, colour: str) -> str:
    x, y = tick.x + tick.width / 2, tick.y + SIDE / 2 + 0.35 * TYPE
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-family="IBM Plex Sans Condensed" font-weight="600"'
        f' font-size="{TYPE:.3f}" text-anchor="middle" fill="{colour}">{escape(tick.label)}</text>'
    )
