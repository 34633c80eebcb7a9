"""The sheets with all cutouts of a ruleset, read back from their PDF: whole words, few sheets."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2 as pdfium
import pytest
from beside import beside
from contrasts import contrast
from read_paths import Page, read
from read_svg import read_svg
from shipped_rulesets import shipped

from rulebook.cutouts.stick import DARK, PAINTS
from rulebook.documents.cutouts import cutout_view, cutouts_view, draw_sheets
from rulebook.documents.parts.views import CutoutView
from rulebook.drawing.layers import Look
from rulebook.model.cutouts import Markers
from rulebook.paper_and_ink import PaperName

MM = 25.4 / 72
SIX_POINTS = 6 * MM
#: Two windows show a strip of so much, mm, and words keep so far off it.
OVERLAP, OFF = 10, 5
#: By ruleset and paper, the sheets of the file with all cutouts.
SHEETS: dict[str, dict[PaperName, int]] = beside(__file__, "sheets")
FILES = [(name, paper) for name, papers in SHEETS.items() for paper in papers]
Box = tuple[float, float, float, float]


@cache
def composed(name: str, paper: PaperName) -> CutoutView:
    return cutouts_view(shipped(name), tuple(shipped(name).cutouts), paper, "All cutouts")


@cache
def printed(name: str, paper: PaperName) -> tuple[list[Page], list[list[Box]]]:
    """The pages, and of each where the ink of every letter is: left, top, right and bottom, mm."""
    data = draw_sheets(composed(name, paper))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "all.pdf"
        file.write_bytes(data)
        pages = read(file)
    letters = []
    for page in pdfium.PdfDocument(data):
        text, high = page.get_textpage(), page.get_height()
        boxes = [
            (left * MM, (high - top) * MM, right * MM, (high - bottom) * MM)
            for left, bottom, right, top in map(text.get_charbox, range(text.count_chars()))
        ]
        letters.append([box for box in boxes if box[2] > box[0] and box[3] > box[1]])
    return pages, letters


@pytest.mark.parametrize(("name", "paper"), FILES)
def test_they_take_so_many_sheets(name: str, paper: PaperName) -> None:
    assert len(printed(name, paper)[0]) == SHEETS[name][paper]


@pytest.mark.parametrize(("name", "paper"), FILES)
def test_no_words_are_cut_and_none_is_smaller_than_six_points(name: str, paper: PaperName) -> None:
    for page in printed(name, paper)[0]:
        assert "…" not in page.text
    words = [word for sheet in composed(name, paper).sheets for word in read_svg(sheet).words]
    small = {word.text for word in words if word.size < SIX_POINTS - 0.01}
    assert not small


def joints(page: Page) -> list[tuple[Box, int, float, int]]:
    """Windows with an edge at which another joins: the axis, where, and the way into the window."""
    clips = {
        stroke.window
        for stroke in page.strokes
        if stroke.window[0] > 1 or stroke.window[2] < page.width - 1
    }
    found = []
    for clip in clips:
        for axis in (0, 1):
            across = 1 - axis
            for edge, inwards in ((clip[axis], 1), (clip[axis + 2], -1)):
                for one, other in page.lines():
                    ends = sorted((one[across], other[across]))
                    on_edge = abs(one[axis] - edge) < 0.02 and abs(other[axis] - edge) < 0.02
                    inside = ends[0] >= clip[across] - 0.02 and ends[1] <= clip[across + 2] + 0.02
                    if (
                        on_edge
                        and inside
                        and ends[1] - ends[0] > clip[across + 2] - clip[across] - 2.1
                    ):
                        found.append((clip, axis, edge, inwards))
                        break
    return found


@pytest.mark.parametrize(("name", "paper"), FILES)
def test_no_letter_comes_near_a_joint_or_it_stands_on_both_sides(
    name: str, paper: PaperName
) -> None:
    """Beyond the strip that both windows show, letters keep off it; in it they are whole."""
    seen = 0
    for page, letters in zip(*printed(name, paper), strict=True):
        for clip, axis, edge, inwards in joints(page):
            seen += 1
            for box in letters:
                if not (
                    box[0] < clip[2] and box[2] > clip[0] and box[1] < clip[3] and box[3] > clip[1]
                ):
                    continue
                near, far = sorted(inwards * (side - edge) for side in (box[axis], box[axis + 2]))
                on_both = near >= 0 and far <= OVERLAP
                assert on_both or near >= OVERLAP + OFF - 0.05, (clip, edge, box)
    assert seen or name == "gridded"


SETS = [
    (name, cutout)
    for name in SHEETS
    for cutout, made in shipped(name).cutouts.items()
    if isinstance(made, Markers)
]


@pytest.mark.parametrize(("name", "cutout"), SETS)
def test_all_words_of_a_set_of_markers_are_of_one_size(name: str, cutout: str) -> None:
    """And so are its numbers."""
    words = [
        word
        for sheet in cutout_view(shipped(name), cutout, "a4").sheets
        for word in read_svg(sheet).words
        if word.clipped
    ]
    assert words
    assert len({word.size for word in words if word.text.isdecimal()}) <= 1
    assert len({word.size for word in words if not word.text.isdecimal()}) <= 1


def test_the_banks_of_rivers_on_tiles_meet_edge_to_edge() -> None:
    """They leave a tile at right angles, as far on both sides of the middle of an edge."""
    made = shipped("gridded").cutouts["terrain_tiles"]
    assert isinstance(made, Markers)
    side = 3 * 25.4
    assert made.size.across == made.size.down == pytest.approx(side)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tiles.pdf"
        file.write_bytes(draw_sheets(cutout_view(shipped("gridded"), "terrain_tiles", "a4")))
        strokes = [stroke for page in read(file) for stroke in page.strokes if stroke.width != 0.5]
    offs = []
    for stroke in strokes:
        left, top, right, bottom = stroke.window
        if right - left != pytest.approx(side + 2, abs=0.01):
            continue  # the clip of a tile is a millimetre larger on each side
        for axis, edge in ((0, left + 1), (0, right - 1), (1, top + 1), (1, bottom - 1)):
            middle = ((top + bottom) / 2, (left + right) / 2)[axis]
            for one, other in stroke.seen():
                low, high = sorted((one[axis], other[axis]))
                if low < edge < high and one[1 - axis] == pytest.approx(other[1 - axis], abs=0.05):
                    offs.append(abs(one[1 - axis] - middle))
    banks = [off for off in offs if 8 < off < 12]
    # the river is 0.24 of the side of a tile wide; four straight, two bends, a bridge and a ford
    assert banks == pytest.approx([0.12 * side] * len(banks), abs=0.05)
    assert len(banks) >= 2 * 2 * (4 + 2 + 1 + 1)


@pytest.mark.parametrize("name", SHEETS)
def test_words_are_told_from_every_ground_on_which_they_stand(name: str) -> None:
    """4.5 : 1 or more, in black and in the accent; on black paint words have a white plate."""
    accent = shipped(name).header.accent
    grounds = [Look(accent=accent).shade(number) for number in (1, 2, 3)]
    if name == "acw":  # the only one with coloured sticks
        grounds += [paint for colour, paint in PAINTS.items() if colour not in DARK]
    for ground in grounds:
        for ink in (accent, "#000000"):
            assert contrast(ground, ink) >= 4.5, (ink, ground)
