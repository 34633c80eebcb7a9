"""A few words -> their outlines as a path of PDF, for what is drawn and not set.

Text that is added to a page after its layout would need its font in the file once more; outlines
need none, and are no words that a screen reader would come upon in the middle of a sentence.
"""

from __future__ import annotations

from functools import lru_cache

from rulebook.drawing.typefaces import typeface

Point = tuple[float, float]


class _Pen:
    """Operators of a path, in points, from what a font draws in units of its own."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.x = 0.0
        self.at: Point = (0.0, 0.0)
        self.operators: list[str] = []

    def _add(self, operator: str, *points: Point) -> None:
        placed = [((x + self.x) * self.scale, y * self.scale) for x, y in points]
        numbers = [f"{number:.3f}" for point in placed for number in point]
        self.operators.append(" ".join([*numbers, operator]))
        if points:
            self.at = points[-1]

    def moveTo(self, point: Point) -> None:  # noqa: N802 - the names that fonts call pens by
        self._add("m", point)

    def lineTo(self, point: Point) -> None:  # noqa: N802
        self._add("l", point)

    def curveTo(self, *points: Point) -> None:  # noqa: N802
        self._add("c", *points)

    def qCurveTo(self, control: Point, end: Point) -> None:  # noqa: N802
        """A curve with one control is one with two, each two thirds of the way to it."""
        first, last = (
            tuple(one + 2 * (at - one) / 3 for one, at in zip(edge, control, strict=True))
            for edge in (self.at, end)
        )
        self._add("c", (first[0], first[1]), (last[0], last[1]), end)

    def closePath(self) -> None:  # noqa: N802
        self._add("h")


@lru_cache(maxsize=32)
def outline(text: str, size: float) -> tuple[str, float]:
    """The outline of a line of small type from (0, 0) on, and its width; both in points."""
    if not text:
        return "", 0.0
    bold = typeface("IBM Plex Sans Condensed", 600, "normal")
    units = bold.font.face.upem
    pen = _Pen(size / units)
    for glyph in bold.shaped(text):
        bold.font.draw_glyph_with_pen(glyph.number, pen)
        pen.x += glyph.advance * units
    return " ".join(pen.operators), pen.x * pen.scale
