"""The canister cone and the shell burst, read back from the operators of their PDFs in mm."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
import pytest
from click.testing import CliRunner

from rulebook.cli import cli

CONTENT = Path(__file__).parents[2] / "content"
MM = 25.4 / 72
PAPERS = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}
Point = tuple[float, float]


class Stroke(NamedTuple):
    """A path of straight lines: corners from the top left of the page, and where it is clipped."""

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
    """The part of a line in a window, found by halving: exact to a thousandth of a millimetre."""

    def at(part: float) -> Point:
        return tuple(a + part * (b - a) for a, b in zip(one, other, strict=True))  # type: ignore[return-value]

    def inside(part: float) -> bool:
        x, y = at(part)
        return window[0] <= x <= window[2] and window[1] <= y <= window[3]

    steps = [n / 2000 for n in range(2001)]
    shown = [part for part in steps if inside(part)]
    if not shown:
        return
    ends = []
    for end, beyond in ((shown[0], shown[0] - 1 / 2000), (shown[-1], shown[-1] + 1 / 2000)):
        if 0 <= beyond <= 1:
            for _ in range(12):
                middle = (end + beyond) / 2
                end, beyond = (middle, beyond) if inside(middle) else (end, middle)  # noqa: PLW2901
        ends.append(at(end))
    yield ends[0], ends[1]


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
        matrix, width = item.get_matrix(), ctypes.c_float()
        fill, stroked = ctypes.c_int(), ctypes.c_int()
        pdfium_c.FPDFPath_GetDrawMode(item, fill, stroked)
        if not stroked.value:
            continue
        pdfium_c.FPDFPageObj_GetStrokeWidth(item, width)
        points, curved = [], False
        for index in range(pdfium_c.FPDFPath_CountSegments(item)):
            segment = pdfium_c.FPDFPath_GetPathSegment(item, index)
            points.append(place(*matrix.on_point(*_point(segment))))
            curved |= pdfium_c.FPDFPathSegment_GetType(segment) == pdfium_c.FPDF_SEGMENT_BEZIERTO
        scale = abs(matrix.a) or abs(matrix.b)
        strokes.append(Stroke(points, width.value * scale * MM, _window(item, place), curved))
    text = page.get_textpage().get_text_bounded()
    return Page(page.get_width() * MM, height * MM, strokes, text)


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
        xs, ys = zip(*corners, strict=True)
        window = (
            max(window[0], min(xs)),
            max(window[1], min(ys)),
            min(window[2], max(xs)),
            min(window[3], max(ys)),
        )
    return window


def draw(name: str, paper: str, folder: Path) -> Path:
    out = folder / f"{name}-{paper}.pdf"
    arguments = ["--content", str(CONTENT), "cutout", "acw", name, "--paper", paper, "-o", str(out)]
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return out


@pytest.mark.parametrize("paper", PAPERS)
def test_the_cone_summed_over_its_sheets_is_609_6_by_127_mm(paper: str, tmp_path: Path) -> None:
    pages = read(draw("canister-cone", paper, tmp_path))
    assert len(pages) == 3
    outline: list[Point] = []
    zones: list[float] = []
    dx = dy = 0.0
    for index, page in enumerate(pages):
        assert (page.width, page.height) == pytest.approx(PAPERS[paper], abs=0.01)
        if index:
            before, here = pages[index - 1].crosses()[-2:], page.crosses()[:2]
            assert len(before) == len(here) == 2
            dx, dy = dx + before[0][0] - here[0][0], dy + before[0][1] - here[0][1]
        for stroke in page.strokes:
            if stroke.width == pytest.approx(0.5, abs=0.01):
                ends = [end for line in stroke.seen() for end in line]
                outline += [(x + dx, y + dy) for x, y in ends]
            elif stroke.width == pytest.approx(0.25, abs=0.01):
                zones += [x + dx for line in stroke.seen() for x, _ in line]
    xs, ys = zip(*outline, strict=True)
    assert max(xs) - min(xs) == pytest.approx(609.6, abs=0.05)
    assert max(ys) - min(ys) == pytest.approx(127, abs=0.05)
    assert min(abs(x - min(xs) - 139.7) for x in zones) < 0.05
    assert min(abs(x - min(xs) - 304.8) for x in zones) < 0.05
    assert {round((x - min(xs)) * 2) / 2 for x in zones} == {139.5, 305.0}


@pytest.mark.parametrize("name", ["canister-cone", "shell-burst"])
@pytest.mark.parametrize("paper", PAPERS)
def test_every_page_has_bars_of_100_mm_and_4_in(name: str, paper: str, tmp_path: Path) -> None:
    for page in read(draw(name, paper, tmp_path)):
        long = [
            (abs(x2 - x1), abs(y2 - y1))
            for (x1, y1), (x2, y2) in page.lines()
            if max(abs(x2 - x1), abs(y2 - y1)) == pytest.approx(4 * 25.4, abs=0.01)
        ]
        assert sorted(long) == [
            pytest.approx((0, 4 * 25.4), abs=0.01),
            pytest.approx((4 * 25.4, 0), abs=0.01),
        ]
        ticks = {round(x1, 1) for (x1, y1), (x2, y2) in page.lines() if x1 == x2 and y1 > y2}
        assert {11.0, 111.0} <= ticks, "the ends of 100 mm"
        assert "Print at 100 %, actual size." in page.text


def test_the_burst_is_152_4_mm_across_on_one_sheet(tmp_path: Path) -> None:
    (page,) = read(draw("shell-burst", "a4", tmp_path))
    circles = []
    for stroke in page.strokes:
        if stroke.curved and stroke.width > 0.2:
            xs, ys = zip(*stroke.points, strict=True)
            circles.append((max(xs) - min(xs), max(ys) - min(ys)))
    assert pytest.approx((6 * 25.4, 6 * 25.4), abs=0.05) in circles
    assert pytest.approx((2 * 25.4, 2 * 25.4), abs=0.05) in circles


def test_print_hints_ask_for_no_scaling(tmp_path: Path) -> None:
    with pikepdf.open(draw("shell-burst", "letter", tmp_path)) as document:
        hints = document.Root.ViewerPreferences
        assert hints.PrintScaling == "/None"
        assert bool(hints.PickTrayByPDFSize) is True
