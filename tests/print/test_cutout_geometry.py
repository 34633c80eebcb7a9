"""Every cutout of the American Civil War game, read back from its PDF and held against the rules.

What is expected is reckoned here from the measures of the rules, typed out; nothing is taken from
the program. Windows are laid over each other cross on cross, as a player lays them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, degrees, dist, pi, sin
from pathlib import Path

import pytest
from click.testing import CliRunner
from read_paths import Page, Point, Stroke, read

from rulebook.cli import cli
from rulebook.loading.rulesets import load
from rulebook.model.ruleset import Ruleset
from rulebook.paper import PaperName
from rulebook.publications.cutout_sheets import cutout_view
from rulebook.publications.views import as_view
from rulebook.render.jobs import sheets_pdf
from rulebook.shipped import templates_folder

CONTENT = Path(__file__).parents[2] / "content"
PAPERS: tuple[PaperName, ...] = ("a4", "letter")
INCH = 25.4
NEAR = 0.05
Segment = tuple[Point, Point]
#: Widths of the lines of the layers, mm.
WIDTHS = {"cut": 0.5, "score": 0.25, "engrave": 0.18}


@dataclass(frozen=True)
class Expected:
    """What is cut and scored, whole, and some of what is engraved; from the top left corner."""

    cut: list[Segment]
    score: list[Segment]
    engrave: list[Segment]


def line(x1: float, y1: float, x2: float, y2: float) -> Segment:
    return (x1, y1), (x2, y2)


def polygon(*points: Point) -> list[Segment]:
    return list(pairwise((*points, points[0])))


def circle(x: float, y: float, radius: float) -> list[Segment]:
    steps = 60 + round(6 * radius)
    turns = [2 * pi * step / steps for step in range(steps)]
    return polygon(*((x + radius * cos(turn), y + radius * sin(turn)) for turn in turns))


def cone() -> Expected:
    """24 in long, 5 in wide; divided at 5.5 and 12 in, where it is 55/48 and 2.5 in wide."""
    long, wide = 24 * INCH, 5 * INCH
    divisions = [(5.5 * INCH, 55 / 48 * INCH), (12 * INCH, 2.5 * INCH)]
    return Expected(
        polygon((0, wide / 2), (long, 0), (long, wide)),
        [line(x, (wide - width) / 2, x, (wide + width) / 2) for x, width in divisions],
        [],
    )


def burst() -> Expected:
    """6 in across with a centre of 2 in, and a ring of four like sectors, one straight away."""
    middle, centre = 3 * INCH, 1 * INCH
    corner = 2**-0.5
    rays = [
        line(
            middle + centre * x,
            middle + centre * y,
            middle + middle * x,
            middle + middle * y,
        )
        for x in (-corner, corner)
        for y in (-corner, corner)
    ]
    return Expected(circle(middle, middle, middle), [*circle(middle, middle, centre), *rays], [])


def strip(*marks: float, fold: float, wide: float = 20.0) -> Expected:
    """A strip as long as its last mark, in inches, with a line at each other mark, and ticks."""
    *inner, last = marks
    long = last * INCH
    folds = [fold * count for count in range(1, int(last / fold) + 1) if fold * count < last]
    ticks = [count / 2 * INCH for count in range(1, int(2 * last))]
    return Expected(
        polygon((0, 0), (long, 0), (long, wide), (0, wide)),
        [line(at * INCH, 0, at * INCH, wide) for at in folds],
        [line(at * INCH, 0, at * INCH, wide) for at in inner] + [line(x, 0, x, 1.2) for x in ticks],
    )


def wrap(*marks: float, face: float) -> Expected:
    """Four faces below each other and a flap of 8 mm with slanting ends; marks on each face."""
    *inner, last = marks
    long, foot = last * INCH, 4 * face
    outline = (0, 0), (long, 0), (long, foot), (long - 8, foot + 8), (8, foot + 8), (0, foot)
    return Expected(
        polygon(*outline),
        [line(0, face * number, long, face * number) for number in range(1, 5)],
        [
            line(at * INCH, face * number, at * INCH, face * (number + 1))
            for at in inner
            for number in range(4)
        ],
    )


def sleeve() -> Expected:
    """4 in long, its faces half a millimetre wider than a half-inch rod; steps of an inch."""
    face = 0.5 * INCH + 0.5
    outline = wrap(4, face=face)
    steps = [
        line(at * INCH, face * number, at * INCH, face * (number + 0.25))
        for at in (1, 3)
        for number in range(4)
    ]
    return Expected(outline.cut, outline.score, steps)


def gauge() -> Expected:
    """30 degrees, 6 in long, the point below; half of it on either side of straight up."""
    reach, half = 6 * INCH, pi / 12
    turns = [half * step / 240 for step in range(-240, 241)]
    middle = reach * sin(half)
    rim = [(middle + reach * sin(turn), reach - reach * cos(turn)) for turn in turns]
    return Expected(polygon(*rim, (middle, reach)), [], [])


def token(wide: float, high: float | None = None) -> Expected:
    """A round marker of a diameter, or a rectangle."""
    if high is None:
        return Expected(circle(wide / 2, wide / 2, wide / 2), [], [])
    return Expected(polygon((0, 0), (wide, 0), (wide, high), (0, high)), [], [])


BOUNCES = (18, 26, 34, 42, 46, 50, 54, 56, 58, 60)
#: The pieces of every cutout; all that are cut out from each.
EXPECTED: dict[str, list[Expected]] = {
    "canister_cone": [cone()],
    "shell_burst": [burst()],
    "bounce_stick": [strip(*BOUNCES, fold=12)],
    "bounce_stick_wrap": [wrap(*BOUNCES, face=0.5 * INCH)],
    "artillery_stick": [strip(20, 24, 50, 60, fold=12)],
    "movement_stick": [strip(1, 4, 6, 7.5, 9, 12, 18, fold=9, wide=30)],
    "musket_stick": [strip(8, 16, 24, fold=12)],
    "smoothbore_stick": [strip(6, 12, 18, fold=9)],
    "skirmish_stick": [strip(12, 24, fold=12)],
    "skirmish_stick_short": [strip(9, 18, fold=9)],
    "sleeve": [sleeve()],
    # a cavalryman veers up to 30 degrees
    "veer_gauge": [gauge()],
    # five of each from 1 to 9, eight of 10, which slows a gun, four of 20, which destroys it
    "damage_markers": [token(16)] * (5 * 9 + 8 + 4),
    # a house burns for fifteen moves
    "fire_markers": [token(20)] * (4 + 15),
    # a unit that has had five tests is dispersed
    "morale_markers": [token(20)] * (6 + 4 * 5),
    "volley_markers": [token(25, 14)] * (12 + 12),
    # targets stand in groups of six
    "figure_numbers": [token(12)] * (8 * 6),
}


@pytest.fixture(scope="module")
def game() -> Ruleset:
    loaded = load(CONTENT / "acw")
    assert loaded.ruleset is not None
    return loaded.ruleset


def test_every_cutout_of_the_game_is_held_against_the_rules(game: Ruleset) -> None:
    assert set(game.cutouts) == set(EXPECTED), "add the new ones to EXPECTED"


def printed(game: Ruleset, name: str, paper: PaperName, folder: Path) -> list[Page]:
    """As the build prints it."""
    out = folder / f"{name}-{paper}.pdf"
    out.write_bytes(sheets_pdf(as_view(cutout_view(game, name, paper)), templates_folder()))
    return read(out)


def drawn(name: str, paper: str, folder: Path, *options: str) -> list[Page]:
    """As the command draws it."""
    out = folder / f"{name}-{paper}.pdf"
    arguments = ["--content", str(CONTENT), "cutout", "acw", name, "--paper", paper, *options]
    result = CliRunner().invoke(cli, [*arguments, "-o", str(out)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return read(out)


Layers = dict[str, list[Segment]]


@dataclass(frozen=True)
class Window:
    """What is drawn within one clip of a page, laid level, and its crosses."""

    left: float
    right: float
    strokes: list[Stroke]
    crosses: list[Point]


def windows(page: Page) -> Iterator[Window]:
    """In the order in which they are drawn; those that lie a quarter turned are turned back."""
    grouped: dict[tuple[float, ...], list[Stroke]] = {}
    for stroke in page.strokes:
        if stroke.window[0] > 1 or stroke.window[2] < page.width - 1:
            grouped.setdefault(stroke.window, []).append(stroke)
    for (left, top, right, bottom), strokes in grouped.items():
        crosses = [at for at in page.crosses() if left <= at[0] <= right and top <= at[1] <= bottom]
        if not turned(crosses):
            yield Window(left, right, strokes, crosses)
            continue
        back = [
            stroke._replace(
                points=[(-y, x) for x, y in stroke.points], window=(-bottom, left, -top, right)
            )
            for stroke in strokes
        ]
        yield Window(-bottom, -top, back, sorted((-y, x) for x, y in crosses))


def turned(crosses: list[Point]) -> bool:
    """Whether the crosses of a seam stand beside each other, and not one above the other."""
    if len(crosses) == 2:
        return abs(crosses[0][1] - crosses[1][1]) < 0.1
    spreads = [max(axis) - min(axis) for axis in zip(*crosses, strict=True)]
    return bool(crosses) and spreads[1] > spreads[0]


def pieces(pages: list[Page]) -> list[Layers]:
    """What is drawn of each piece, its windows laid over each other, from its top left corner."""
    found: list[Layers] = []
    before: list[Point] = []
    dx = dy = 0.0
    for window in (window for page in pages for window in windows(page)):
        here = [at for at in window.crosses if at[0] - window.left < 8]
        if before and here:
            assert [y - before[0][1] for _, y in before] == pytest.approx(
                [y - here[0][1] for _, y in here], abs=0.02
            ), "the seams have their crosses at the same places"
            dx, dy = dx + before[0][0] - here[0][0], dy + before[0][1] - here[0][1]
        else:
            dx = dy = 0.0
            found.append({layer: [] for layer in WIDTHS})
        add(found[-1], window.strokes, dx, dy)
        before = [at for at in window.crosses if window.right - at[0] < 8]
    return [from_the_corner(layers) for layers in found]


def add(layers: Layers, strokes: Iterable[Stroke], dx: float, dy: float) -> None:
    for stroke in strokes:
        for layer, width in WIDTHS.items():
            if stroke.width == pytest.approx(width, abs=0.005):
                layers[layer] += [
                    ((x1 + dx, y1 + dy), (x2 + dx, y2 + dy)) for (x1, y1), (x2, y2) in stroke.seen()
                ]


def from_the_corner(layers: Layers) -> Layers:
    ends = [end for segment in layers["cut"] for end in segment]
    left, top = min(x for x, _ in ends), min(y for _, y in ends)
    return {
        layer: [((x1 - left, y1 - top), (x2 - left, y2 - top)) for (x1, y1), (x2, y2) in segments]
        for layer, segments in layers.items()
    }


def off(point: Point, segment: Segment) -> float:
    """How far a point is from a line."""
    (x1, y1), (x2, y2) = segment
    length = (x2 - x1) ** 2 + (y2 - y1) ** 2
    along = ((point[0] - x1) * (x2 - x1) + (point[1] - y1) * (y2 - y1)) / length if length else 0
    along = min(1.0, max(0.0, along))
    return dist(point, (x1 + along * (x2 - x1), y1 + along * (y2 - y1)))


def strays(these: list[Segment], those: list[Segment], apart: float = 2.0) -> list[Point]:
    """Points of these lines, about `apart` from each other, that are on none of those."""
    points = []
    for (x1, y1), (x2, y2) in these:
        steps = max(1, round(dist((x1, y1), (x2, y2)) / apart))
        points += [(x1 + (x2 - x1) * i / steps, y1 + (y2 - y1) * i / steps) for i in range(steps)]
    points += [end for _, end in these[-1:]]
    boxes = [
        (min(x1, x2) - NEAR, max(x1, x2) + NEAR, min(y1, y2) - NEAR, max(y1, y2) + NEAR, segment)
        for segment in those
        for (x1, y1), (x2, y2) in [segment]
    ]
    return [
        (x, y)
        for x, y in points
        if not any(
            left <= x <= right and top <= y <= bottom and off((x, y), segment) <= NEAR
            for left, right, top, bottom, segment in boxes
        )
    ]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_printed_is_what_the_rules_say(
    name: str, paper: PaperName, game: Ruleset, tmp_path: Path
) -> None:
    found = pieces(printed(game, name, paper, tmp_path))
    assert len(found) == len(EXPECTED[name])
    for piece, expected in zip(found, EXPECTED[name], strict=True):
        for layer, wanted in (("cut", expected.cut), ("score", expected.score)):
            assert strays(piece[layer], wanted) == [], f"{layer} where nothing is expected"
            assert strays(wanted, piece[layer]) == [], f"no {layer} where it is expected"
        assert strays(expected.engrave, piece["engrave"]) == []


def angle_at_the_apex(cut: list[Segment]) -> float:
    far = [end for segment in cut for end in segment]
    apex = min(far)
    return max(abs(degrees(atan2(y - apex[1], x - apex[0]))) for x, y in far if x > apex[0] + 100)


def test_the_half_angle_of_the_cone_stays_where_it_is_scaled(tmp_path: Path) -> None:
    (whole,) = pieces(drawn("canister_cone", "a4", tmp_path))
    (half,) = pieces(drawn("canister_cone", "a4", tmp_path, "--scale", "1/2"))
    assert angle_at_the_apex(whole["cut"]) == pytest.approx(5.947, abs=0.01)
    assert angle_at_the_apex(half["cut"]) == pytest.approx(5.947, abs=0.01)
    expected = cone()
    for layer, wanted in (("cut", expected.cut), ("score", expected.score)):
        halves = [line(x1 / 2, y1 / 2, x2 / 2, y2 / 2) for (x1, y1), (x2, y2) in wanted]
        assert strays(halves, half[layer]) == strays(half[layer], halves) == []


@pytest.mark.parametrize("paper", PAPERS)
def test_what_is_corrected_prints_true_on_the_printer_that_was_measured(
    paper: str, tmp_path: Path
) -> None:
    """The bar x, along the short edge, read 99.2 mm, and y, along the long edge, 100.4 mm."""
    pages = drawn("canister_cone", paper, tmp_path, "--calibrate", "x=99.2mm,y=100.4mm")
    short, long = 100 / 99.2, 100 / 100.4
    for page in pages:
        assert page.width > page.height, "a landscape sheet: the long edge lies across"
        bars = [
            (abs(x2 - x1), abs(y2 - y1))
            for (x1, y1), (x2, y2) in page.lines()
            if 95 < max(abs(x2 - x1), abs(y2 - y1)) < 106 and 0 in {x2 - x1, y2 - y1}
        ]
        assert (pytest.approx(4 * INCH * long, abs=0.01), 0) in bars
        assert (0, pytest.approx(4 * INCH * short, abs=0.01)) in bars
        assert "bar x read 99.2 mm, y 100.4 mm" in page.text.replace("\r\n", " ")
    zones = [
        abs(y2 - y1)
        for page in pages
        for stroke in page.strokes
        if stroke.width == pytest.approx(0.25, abs=0.01)
        for (_, y1), (_, y2) in stroke.seen()
    ]
    assert min(zones) == pytest.approx(55 / 48 * INCH * short, abs=NEAR)
    assert max(zones) == pytest.approx(2.5 * INCH * short, abs=NEAR)
    edges = [
        abs((y2 - y1) / (x2 - x1))
        for page in pages
        for stroke in page.strokes
        if stroke.width == pytest.approx(0.5, abs=0.01)
        for (x1, y1), (x2, y2) in stroke.seen()
        if abs(x2 - x1) > 1
    ]
    slope = 2.5 / 24 * short / long
    assert edges == [pytest.approx(slope, abs=1e-4)] * len(edges)
