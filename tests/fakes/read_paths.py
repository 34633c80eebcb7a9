"""A PDF -> the strokes on its pages in mm, read from their operators, which nothing else shares."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

MM = 25.4 / 72
Point = tuple[float, float]


class Stroke(NamedTuple):
    """A path: corners from the top left of the page, with points between them where it is curved.

    `width` is that of the line, `window` where it is clipped.
    """

    points: list[Point]
    width: float
    window: tuple[float, float, float, float]
    curved: bool

    def seen(self) -> Iterator[tuple[Point, Point]]:
        for one, other in zip(self.points, self.points[1:], strict=False):
            yield from _seen(one, other, self.window)


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


def _seen(one: Point, other: Point, window: tuple[float, ...]) -> Iterator[tuple[Point, Point]]:
    """The part of a line in a window, by Liang and Barsky."""
    first, last = 0.0, 1.0
    for axis in (0, 1):
        start, step = one[axis], other[axis] - one[axis]
        low, high = window[axis], window[axis + 2]
        if step == 0:
            if not low <= start <= high:
                return
            continue
        ends = sorted(((low - start) / step, (high - start) / step))
        first, last = max(first, ends[0]), min(last, ends[1])
    if first <= last:
        x, y = other[0] - one[0], other[1] - one[1]
        yield (
            (one[0] + first * x, one[1] + first * y),
            (one[0] + last * x, one[1] + last * y),
        )


def read(path: Path) -> list[Page]:
    return [_read(page) for page in pdfium.PdfDocument(path)]


def _read(page: pdfium.PdfPage) -> Page:
    height = page.get_height()

    def place(x: float, y: float) -> Point:
        return x * MM, (height - y) * MM

    strokes = []
    for item in page.get_objects(max_depth=8):
        if item.type != pdfium_c.FPDF_PAGEOBJ_PATH:
            continue
        matrix, width = _matrix_of(item), ctypes.c_float()
        fill, stroked = ctypes.c_int(), ctypes.c_int()
        pdfium_c.FPDFPath_GetDrawMode(item, fill, stroked)
        if not stroked.value:
            continue
        pdfium_c.FPDFPageObj_GetStrokeWidth(item, width)
        scale = abs(matrix.a) or abs(matrix.b)
        window = _window(item, place)
        for points, curved in _lines(item):
            placed = [place(*matrix.on_point(*point)) for point in points]
            strokes.append(Stroke(placed, width.value * scale * MM, window, curved))
    text = page.get_textpage().get_text_bounded()
    return Page(page.get_width() * MM, height * MM, strokes, text)


def _matrix_of(item: pdfium.PdfObject) -> pdfium.PdfMatrix:
    """How an object lies on its page, in whatever forms it stands."""
    matrix, holder = item.get_matrix(), item.container
    while holder is not None:
        matrix, holder = matrix.multiply(holder.get_matrix()), holder.container
    return matrix


def _lines(item: object) -> Iterator[tuple[list[Point], bool]]:
    """The open or closed lines of a path, points of curves by the formula of Bezier."""
    points: list[Point] = []
    controls: list[Point] = []
    curved = False
    for index in range(pdfium_c.FPDFPath_CountSegments(item)):
        segment = pdfium_c.FPDFPath_GetPathSegment(item, index)
        kind, point = pdfium_c.FPDFPathSegment_GetType(segment), _point(segment)
        if kind == pdfium_c.FPDF_SEGMENT_MOVETO:
            if len(points) > 1:
                yield points, curved
            points, curved = [point], False
        elif kind == pdfium_c.FPDF_SEGMENT_BEZIERTO:
            curved = True
            controls.append(point)
            if len(controls) == 3:
                points += _bezier(points[-1], *controls)
                controls = []
        else:
            points.append(point)
        if pdfium_c.FPDFPathSegment_GetClose(segment) and points[-1] != points[0]:
            points.append(points[0])
    if len(points) > 1:
        yield points, curved


def _bezier(start: Point, one: Point, other: Point, end: Point) -> Iterator[Point]:
    steps = 32
    for step in range(1, steps + 1):
        t = step / steps
        parts = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
        corners = (start, one, other, end)
        yield (
            sum(part * corner[0] for part, corner in zip(parts, corners, strict=True)),
            sum(part * corner[1] for part, corner in zip(parts, corners, strict=True)),
        )


def _point(segment: object) -> Point:
    x, y = ctypes.c_float(), ctypes.c_float()
    pdfium_c.FPDFPathSegment_GetPoint(segment, x, y)
    return x.value, y.value


def _window(item: object, place: object) -> tuple[float, float, float, float]:
    """What all clips of an object leave of the page; clip paths are told in points of the page."""
    clip = pdfium_c.FPDFPageObj_GetClipPath(item)
    window = (-1e9, -1e9, 1e9, 1e9)
    for path in range(max(0, pdfium_c.FPDFClipPath_CountPaths(clip))):
        count = pdfium_c.FPDFClipPath_CountPathSegments(clip, path)
        corners = [
            place(*_point(pdfium_c.FPDFClipPath_GetPathSegment(clip, path, index)))  # type: ignore[operator]
            for index in range(count)
        ]
        # a clip may end in the one point at which an empty path was begun: it shows nothing
        shown = [one for one, after in pairwise((*corners, corners[0])) if one != after]
        xs, ys = zip(*(shown[:4] if count > 5 else corners), strict=True)
        window = (
            max(window[0], min(xs)),
            max(window[1], min(ys)),
            min(window[2], max(xs)),
            min(window[3], max(ys)),
        )
    return window
