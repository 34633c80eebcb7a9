"""Terrain to cut out, read back from its sheets: outlines as large as the ground is."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from mapped_game import write_mapped
from read_paths import Page, read

from rulebook.cli import cli

INCH = 25.4
GROUND = """
        mill: {draw: building, title: Mill, box: {centre: [10in, 10in], width: 4in, depth: 2in}}
        pond: {draw: lake, title: Pond, oval: {centre: [30in, 5in], width: 6in, depth: 5in}}
        moor: {draw: field, title: Moor, box: {centre: [20in, 16in], width: 14in, depth: 6in}}
        lane: {draw: road, title: Lane, width: 1.5in, line: [[0in, 20in], [24in, 20in]]}
"""
#: Width of the line to cut along, mm.
CUT = 0.5


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_mapped(tmp_path_factory.mktemp("terrain"), GROUND, (40, 26))


def printed(content: Path, paper: str) -> list[Page]:
    out = content.parent / f"terrain-{paper}.pdf"
    arguments = ["--content", str(content), "map", "game", "mapped", "--terrain", "--paper", paper]
    result = CliRunner().invoke(cli, [*arguments, "-o", str(out)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return read(out)


def outlines(pages: list[Page]) -> list[tuple[float, float]]:
    """Sizes in inches of all that is cut out whole, the longer side first."""
    found = []
    for page in pages:
        for stroke in page.strokes:
            if stroke.width != pytest.approx(CUT, abs=0.005):
                continue
            xs, ys = zip(*stroke.points, strict=True)
            sides = ((max(axis) - min(axis)) / INCH for axis in (xs, ys))
            found.append(tuple(sorted(sides, reverse=True)))
    return sorted(found)  # type: ignore[arg-type]


@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
def test_pieces_are_as_large_as_the_ground(content: Path, paper: str) -> None:
    pages = printed(content, paper)
    # the lane in strips, for 24 inches are longer than a sheet; each window shows the whole moor
    wanted = {(4.0, 2.0), (6.0, 5.0), (14.0, 6.0), (8.0, 1.5)}
    found = outlines(pages)
    rounded = {(round(long, 2), round(short, 2)) for long, short in found}
    assert rounded == wanted
    assert sum(one == pytest.approx((8.0, 1.5), abs=0.004) for one in found) == 3
    # a tenth of a millimetre
    assert all(min(abs(a - x) + abs(b - y) for x, y in wanted) < 0.1 / INCH for a, b in found)


def test_what_is_larger_than_a_sheet_is_joined(content: Path) -> None:
    pages = printed(content, "a4")
    assert any("Moor" in page.text and "1 of 2" in page.text for page in pages)
    assert sum(len(page.crosses()) for page in pages) == 4
    for page in pages:
        assert all(0 < x < page.width and 0 < y < page.height for x, y in page.crosses())


def test_pieces_say_what_they_are_and_where_they_lie(content: Path) -> None:
    told = " ".join(" ".join(page.text.split()) for page in printed(content, "a4"))
    for words in ("Mill, A1", "Pond, C1", "Lane, 1 of 3, A2", "Lane, 3 of 3, B2", "Moor, B2"):
        assert words in told, words
