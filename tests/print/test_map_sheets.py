"""Maps over several sheets, read back: laid cross on cross, all is where it is on the table.

What is expected is reckoned here from what the author wrote; nothing is taken from the program.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from mapped_game import write_mapped
from read_paths import Page, Point, read

from rulebook.cli import cli
from rulebook.paper_and_ink import paper_size

INCH = 25.4
#: A tenth of a millimetre, over every joint.
NEAR = 0.1
WIDTH, DEPTH = 40, 26
BENDS = [(0, 4), (9, 11), (21, 9), (31, 20), (40, 22)]
ROAD = f"""
        road:
          draw: road
          width: 2in
          line: {[[f"{x}in", f"{y}in"] for x, y in BENDS]}
"""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_mapped(tmp_path_factory.mktemp("maps"), ROAD.replace("'", ""), (WIDTH, DEPTH))


def drawn(content: Path, *options: str) -> tuple[list[Page], str]:
    """The sheets that the command draws of the map, and what it says."""
    out = content.parent / f"{'-'.join(options).replace('/', '-')}.pdf"
    arguments = ["--content", str(content), "map", "game", "mapped", *options, "-o", str(out)]
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return read(out), result.output


def pieces(terrain: Path, paper: str) -> list[Page]:
    return drawn(terrain, "--terrain", "--paper", paper)[0]


class Laid(NamedTuple):
    """A sheet and where the north-west corner of the table is on it."""

    page: Page
    left: float
    top: float

    def on_table(self, at: Point) -> Point:
        return at[0] - self.left, at[1] - self.top


def laid(page: Page, scale: float) -> Laid:
    """The road tells where the table lies: its curve passes through all points of the author."""
    wanted = [(x * INCH * scale, (DEPTH - y) * INCH * scale) for x, y in BENDS]
    for stroke in (one for one in page.strokes if one.curved):
        for start in stroke.points:
            found = Laid(page, start[0] - wanted[0][0], start[1] - wanted[0][1])
            points = [found.on_table(at) for at in stroke.points]
            if all(any(near(at, bend) for at in points) for bend in wanted):
                return found
    raise AssertionError("no road through its points")


def near(one: Point, other: Point) -> bool:
    return abs(one[0] - other[0]) < NEAR and abs(one[1] - other[1]) < NEAR


def count_of(output: str) -> int:
    found = re.search(r"takes (\d+) sheets? of", output)
    assert found
    return int(found[1])


@pytest.mark.parametrize(
    ("options", "scale"),
    [
        ("--scale 1/2", 1 / 2),
        ("--scale 1/2 --paper letter", 1 / 2),
        ("--scale 1/3 --paper a3", 1 / 3),
        ("--scale mat --paper a3", 1),
        ("--scale mat --ink low", 1),
    ],
)
def test_a_road_and_the_crosses_are_where_they_must_be(
    content: Path, options: str, scale: float
) -> None:
    pages, output = drawn(content, *options.split())
    sheets = [laid(page, scale) for page in pages[: count_of(output)]]
    assert len(pages) - len(sheets) == (0 if "mat" in options else 1), "the legend has its own page"
    crosses = [[sheet.on_table(at) for at in sheet.page.crosses()] for sheet in sheets]
    for number, here in enumerate(crosses if len(sheets) > 1 else []):
        others = [at for index, there in enumerate(crosses) if index != number for at in there]
        assert here
        assert all(any(near(at, other) for other in others) for at in here), "cross on cross"


def test_the_feet_of_the_grid_are_feet_over_every_joint(content: Path) -> None:
    pages, output = drawn(content, "--scale", "1/2", "--shows", "blank")
    for sheet in (laid(page, 1 / 2) for page in pages[: count_of(output)]):
        across, down = set(), set()
        for one, other in sheet.page.lines():
            (x1, y1), (x2, y2) = sheet.on_table(one), sheet.on_table(other)
            if abs(x1 - x2) < 0.01 and abs(y1 - y2) > 20:
                across.add(round(x1, 1))
            if abs(y1 - y2) < 0.01 and abs(x1 - x2) > 20:
                down.add(round(y1, 1))
        for foot in range(1, WIDTH // 12 + 1):
            assert any(abs(x - foot * 12 * INCH / 2) < NEAR for x in across)
        for foot in range(1, DEPTH // 12 + 1):
            assert any(abs(y - (DEPTH - foot * 12) * INCH / 2) < NEAR for y in down)


def test_a_map_that_is_fitted_stays_on_its_paper(content: Path) -> None:
    pages, _ = drawn(content, "--paper", "letter")
    width, height = paper_size("letter", landscape=True)
    assert (pages[0].width, pages[0].height) == pytest.approx((width, height), abs=0.05)
    points = [at for stroke in pages[0].strokes for line in stroke.seen() for at in line]
    assert min(x for x, _ in points) > 5 and max(x for x, _ in points) < width - 5
    assert min(y for _, y in points) > 5 and max(y for _, y in points) < height - 5


# Terrain to cut out, read back from its sheets: outlines as large as the ground is.

GROUND = """
        mill: {draw: building, title: Mill, box: {centre: [10in, 10in], width: 4in, depth: 2in}}
        pond: {draw: lake, title: Pond, oval: {centre: [30in, 5in], width: 6in, depth: 5in}}
        moor: {draw: field, title: Moor, box: {centre: [20in, 16in], width: 14in, depth: 6in}}
        lane: {draw: road, title: Lane, width: 1.5in, line: [[0in, 20in], [24in, 20in]]}
"""
#: Width of the line to cut along, mm.
CUT = 0.5


@pytest.fixture(scope="module")
def terrain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_mapped(tmp_path_factory.mktemp("terrain"), GROUND, (40, 26))


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
def test_pieces_are_as_large_as_the_ground(terrain: Path, paper: str) -> None:
    pages = pieces(terrain, paper)
    # the lane in strips, for 24 inches are longer than a sheet; each window shows the whole moor
    wanted = {(4.0, 2.0), (6.0, 5.0), (14.0, 6.0), (8.0, 1.5)}
    found = outlines(pages)
    rounded = {(round(long, 2), round(short, 2)) for long, short in found}
    assert rounded == wanted
    assert sum(one == pytest.approx((8.0, 1.5), abs=0.004) for one in found) == 3
    # a tenth of a millimetre
    assert all(min(abs(a - x) + abs(b - y) for x, y in wanted) < 0.1 / INCH for a, b in found)


def test_what_is_larger_than_a_sheet_is_joined(terrain: Path) -> None:
    pages = pieces(terrain, "a4")
    assert any("Moor" in page.text and "1 of 2" in page.text for page in pages)
    assert sum(len(page.crosses()) for page in pages) == 4
    for page in pages:
        assert all(0 < x < page.width and 0 < y < page.height for x, y in page.crosses())


def test_pieces_say_what_they_are_and_where_they_lie(terrain: Path) -> None:
    told = " ".join(" ".join(page.text.split()) for page in pieces(terrain, "a4"))
    for words in ("Mill, A1", "Pond, C1", "Lane, 1 of 3, A2", "Lane, 3 of 3, B2", "Moor, B2"):
        assert words in told, words
