"""A PDF -> the strokes on its pages in mm, read from their operators, which nothing else shares."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pikepdf
import pypdfium2 as pdfium
from fontTools.misc.bezierTools import segmentPointAtT
from plane import EVERYWHERE, Matrix, Point, place, seen, times

MM = 25.4 / 72


class Stroke(NamedTuple):
    """A path: corners from the top left of the page, with points between them where it is curved.

    `width` is that of the line, `window` where it is clipped.
    """

    points: list[Point]
    width: float
    window: tuple[float, float, float, float]
    curved: bool

    def seen(self) -> Iterator[tuple[Point, Point]]:
        for one, other in pairwise(self.points):
            if shown := seen(one, other, self.window):
                yield shown


class Page(NamedTuple):
    width: float
    height: float
    strokes: list[Stroke]
    text: str

    def lines(self) -> list[tuple[Point, Point]]:
        pairs = [stroke.points for stroke in self.strokes if len(stroke.points) == 2]
        return [(one, other) for one, other in pairs]

    def crosses(self) -> list[Point]:
        """The middles of the registration marks, whose arms are 4 mm long."""
        middles: dict[Point, int] = {}
        for (x1, y1), (x2, y2) in self.lines():
            if {round(abs(x2 - x1), 2), round(abs(y2 - y1), 2)} == {0, 8}:
                middle = (round((x1 + x2) / 2, 2), round((y1 + y2) / 2, 2))
                middles[middle] = middles.get(middle, 0) + 1
        return sorted(middle for middle, count in middles.items() if count == 2)


def read(path: Path) -> list[Page]:
    words = [page.get_textpage().get_text_bounded() for page in pdfium.PdfDocument(path)]
    with pikepdf.open(path) as pdf:
        return [_read(page, text) for page, text in zip(pdf.pages, words, strict=True)]


def _read(page: pikepdf.Page, text: str) -> Page:
    left, bottom, right, top = map(float, page.mediabox)
    # from points that run up to millimetres that run down
    state = _State((MM, 0, 0, -MM, -left * MM, top * MM), 1.0, EVERYWHERE)
    strokes = list(_strokes(page, page.obj.get("/Resources", {}), state))
    return Page((right - left) * MM, (top - bottom) * MM, strokes, text)


def _strokes(  # noqa: PLR0912 - a branch for each operator
    holder: Any, resources: Any, state: _State
) -> Iterator[Stroke]:
    """What the operators of a page or a form draw, with the windows that they set."""
    before: list[_State] = []
    path: list[list[Point]] = []
    curved, clips = False, False
    for operands, operator in pikepdf.parse_content_stream(holder):
        name = str(operator)
        if name == "Do":
            form = resources.XObject[operands[0]]
            matrix = tuple(map(float, form.get("/Matrix", (1, 0, 0, 1, 0, 0))))
            inner = state._replace(matrix=times(state.matrix, matrix))
            yield from _strokes(form, form.get("/Resources", {}), inner)
            continue
        numbers = [float(one) for one in operands if isinstance(one, int | Decimal | float)]
        points = [state.on_page(*at) for at in zip(numbers[::2], numbers[1::2], strict=False)]
        match name:
            case "q":
                before.append(state)
            case "Q":
                state = before.pop()
            case "cm":
                a, b, c, d, e, f = numbers
                state = state._replace(matrix=times(state.matrix, (a, b, c, d, e, f)))
            case "w":
                state = state._replace(width=numbers[0])
            case "m":
                path.append(points)
            case "l":
                path[-1] += points
            case "c":
                curved = True
                curve = (path[-1][-1], *points)
                path[-1] += (segmentPointAtT(curve, step / 32) for step in range(1, 33))
            case "re":
                x, y, wide, high = numbers
                corners = ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high), (x, y))
                path.append([state.on_page(*corner) for corner in corners])
            case "h":
                if path[-1][-1] != path[-1][0]:
                    path[-1].append(path[-1][0])
            case "W" | "W*":
                clips = True
            case "S" | "s" | "f" | "f*" | "B" | "B*" | "b" | "b*" | "n":
                if clips:
                    state = state.within([point for line in path for point in line])
                if name not in ("f", "f*", "n"):
                    width = state.width * state.scale
                    for line in path:
                        if len(line) > 1:
                            yield Stroke(line, width, state.window, curved)
                path, curved, clips = [], False, False


class _State(NamedTuple):
    """From coordinates to the page in millimetres, the width of lines, and the window."""

    matrix: Matrix
    width: float
    window: tuple[float, float, float, float]

    @property
    def scale(self) -> float:
        return abs(self.matrix[0]) or abs(self.matrix[1])

    def on_page(self, x: float, y: float) -> Point:
        return place((x, y), self.matrix)

    def within(self, corners: list[Point]) -> _State:
        xs, ys = zip(*corners, strict=True)
        left, top, right, bottom = self.window
        shown = (max(left, min(xs)), max(top, min(ys)), min(right, max(xs)), min(bottom, max(ys)))
        return self._replace(window=shown)
