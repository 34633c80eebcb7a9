"""The canister cone and the shell burst, read back from the operators of their PDFs in mm."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest
from click.testing import CliRunner
from read_paths import read

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


def test_print_hints_ask_for_no_scaling(tmp_path: Path) -> None:
    with pikepdf.open(draw("shell-burst", "letter", tmp_path)) as document:
        hints = document.Root.ViewerPreferences
        assert hints.PrintScaling == "/None"
        assert bool(hints.PickTrayByPDFSize) is True
