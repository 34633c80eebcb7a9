"""The canister cone and the shell burst, read back from the operators of their PDFs in mm."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest
from click.testing import CliRunner
from read_paths import Point, read

from rulebook.cli import cli
from rulebook.paper import paper_size

CONTENT = Path(__file__).parents[2] / "content"
PAPERS = {name: paper_size(name, landscape=True) for name in ("a4", "letter")}


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
