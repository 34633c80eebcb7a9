"""The test print: bars of their length, and figures that say what has to be typed.

A printer is played that errs by a known amount: its backs come out beside their places. What is
read through the paper then has to be the way back.
"""

from fractions import Fraction
from io import BytesIO
from itertools import product

import pikepdf
import pytest
from read_svg import Picture, read_svg

from rulebook.cutouts.printer_test import PrinterTest, printer_test
from rulebook.documents.printer_test import printer_test_pdf
from rulebook.imposing.placing import Placement, behind, rect
from rulebook.paper_and_ink import paper_size

MM = 25.4 / 72
PAPERS = {name: paper_size(name) for name in ("a4", "letter", "a3")}
CASES = list(product(["a4", "letter", "a3"], ["long", "short"], [False, True]))


def size_of(paper: str, *, landscape: bool) -> tuple[float, float]:
    width, height = PAPERS[paper]
    return (height, width) if landscape else (width, height)


def sides(paper: str, flip: str, *, landscape: bool) -> tuple[Picture, Picture]:
    size = tuple(Fraction(str(side)) for side in size_of(paper, landscape=landscape))
    upright = (flip == "long") != landscape
    front, back = printer_test(PrinterTest(*size, flip, upright, ""))
    return read_svg(front), read_svg(back)


def middles_of_crosses(back: Picture) -> list[tuple[float, float]]:
    """Where the lines of the crosses meet, as the back is looked at, from its top left."""
    lines = back.segments["score"]
    level = [line for line in lines if line[1] == line[3]]
    upright = [line for line in lines if line[0] == line[2]]
    return [(u[0], one[1]) for one, u in zip(level, upright, strict=True)]


def targets(front: Picture) -> list[tuple[float, float]]:
    """The middles of the scales, from the top left of the front: right of x's 0, above y's."""
    level = [word for word in front.words if word.text == "0" and word.size == 2.6]
    return [(level[n].x, level[n + 1].y - 0.35 * 2.6) for n in range(0, len(level), 2)]


def read_at(
    front: Picture, target: tuple[float, float], seen: tuple[float, float]
) -> tuple[float, float]:
    """The figures on the scales of a target at the lines of a cross that is seen at a place.

    A figure stands twice as far from the middle as its tick, so between figures one counts.
    """
    away = (seen[0] - target[0], seen[1] - target[1])
    figures = [word for word in front.words if word.size == 2.6]
    level = {
        round((word.x - target[0]) / 2, 3): float(word.text.replace("−", "-"))
        for word in figures
        if abs(word.y - (target[1] - 16)) < 0.01 and abs(word.x - target[0]) < 15
    }
    upright = {
        round((word.y - 0.35 * 2.6 - target[1]) / 2, 3): float(word.text.replace("−", "-"))
        for word in figures
        if abs(word.x - (target[0] + 16)) < 0.01 and abs(word.y - target[1]) < 15
    }
    assert len(level) == len(upright) == 7
    return level[round(away[0], 3)], upright[round(away[1], 3)]


@pytest.mark.parametrize(("paper", "flip", "landscape"), CASES)
@pytest.mark.parametrize("error", [(0, 0), (2, 0), (0, 4), (-4, 2), (6, -6)])
def test_what_is_read_is_the_way_back(
    paper: str, flip: str, landscape: bool, error: tuple[int, int]
) -> None:
    """`error` is how far the printer puts all on the back to its right and up."""
    width, height = size_of(paper, landscape=landscape)
    front, back = sides(paper, flip, landscape=landscape)
    upright = (flip == "long") != landscape
    for target, (x, y) in zip(targets(front), middles_of_crosses(back), strict=True):
        # On its head where the sheet is turned about a level axis; then the printer errs.
        on_back = (x, height - y) if upright else (width - x, y)
        printed = (on_back[0] + error[0], on_back[1] + error[1])
        through = (width - printed[0], printed[1]) if upright else (printed[0], height - printed[1])
        seen = (through[0], height - through[1])
        assert read_at(front, target, seen) == (-error[0], -error[1])


@pytest.mark.parametrize(("paper", "flip", "landscape"), CASES)
def test_the_pdf_has_two_sides_and_moves_the_back_by_the_offset(
    paper: str, flip: str, landscape: bool
) -> None:
    offset = (Fraction(1), Fraction(-1, 2))
    options = {"flip": flip, "landscape": landscape, "offset": offset}
    data = printer_test_pdf(paper, **options)
    width, height = size_of(paper, landscape=landscape)
    with pikepdf.open(BytesIO(data)) as pdf:
        assert str(pdf.Root.ViewerPreferences.Duplex) == f"/DuplexFlip{flip.title()}Edge"
        assert len(pdf.pages) == 2
        matrices = []
        for page in pdf.pages:
            assert [float(edge) * MM for edge in page.mediabox[2:]] == pytest.approx(
                (width, height), abs=0.001
            )
            matrices += [
                [float(x) for x in one.operands]
                for one in pikepdf.parse_content_stream(page)
                if str(one.operator) == "cm"
            ]
    page = rect(0, 0, width, height)
    moved = behind(Placement(0, page, page), 1, (page.width, page.height), flip).moved(*offset)
    assert matrices[0] == pytest.approx([1, 0, 0, 1, 0, 0], abs=1e-3)
    way = -1 if moved.on_its_head else 1
    corner = (1, -0.5) if way == 1 else (width + 1, height - 0.5)
    assert matrices[1] == pytest.approx([way, 0, 0, way, corner[0] / MM, corner[1] / MM], abs=1e-3)


@pytest.mark.parametrize(("paper", "flip", "landscape"), CASES)
def test_bars_and_words_keep_apart_and_on_the_paper(paper: str, flip: str, landscape: bool) -> None:
    front, _ = sides(paper, flip, landscape=landscape)
    lines = front.segments["engrave"]
    metric = [line for line in lines if line[1] == line[3] and abs(line[2] - line[0]) > 90]
    upright = [line for line in lines if line[0] == line[2] and abs(line[3] - line[1]) > 90]
    assert [abs(line[2] - line[0]) for line in metric] == pytest.approx([101.6])
    assert [abs(line[3] - line[1]) for line in upright] == pytest.approx([101.6])
    told = max(word.y for word in front.words if word.size == 3.4)
    assert told + 2 < min(line[3] for line in upright) - 17, "the bar is below the words"
    for x1, y1, x2, y2 in lines:
        assert 6 <= min(x1, x2) <= max(x1, x2) <= front.width_mm - 6
        assert told < min(y1, y2) <= max(y1, y2) <= front.height_mm - 6
    for x, y in targets(front):
        near = [
            line
            for line in metric + upright
            if min(line[0], line[2]) - 4 < x + 20
            and x - 20 < max(line[0], line[2]) + 4
            and min(line[1], line[3]) - 4 < y + 20
            and y - 20 < max(line[1], line[3]) + 20
        ]
        assert not near
