"""Sheets of a PDF -> the pieces on them, whole, and what a piece is expected to be: all in mm.

Windows are laid over each other cross on cross, as a player lays them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import cos, dist, pi, sin

import pytest
from read_paths import Page, Point, Stroke

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


def cone(long: float, wide: float, *divisions: tuple[float, float]) -> Expected:
    """Its point to the left; divided at some lengths, where it is so wide."""
    return Expected(
        polygon((0, wide / 2), (long, 0), (long, wide)),
        [line(x, (wide - width) / 2, x, (wide + width) / 2) for x, width in divisions],
        [],
    )


def burst(across: float, inside: float) -> Expected:
    """A disc with a centre, and a ring of four like sectors, one straight away."""
    middle, centre = across / 2, inside / 2
    corner = 2**-0.5
    rays = [
        line(middle + centre * x, middle + centre * y, middle + middle * x, middle + middle * y)
        for x in (-corner, corner)
        for y in (-corner, corner)
    ]
    return Expected(circle(middle, middle, middle), [*circle(middle, middle, centre), *rays], [])


def strip(*marks: float, fold: float, wide: float = 16.0, tick: float) -> Expected:
    """A strip as long as its last mark, with a line at each other mark, and ticks."""
    *inner, last = marks
    folds = [fold * count for count in range(1, int(last / fold) + 1) if fold * count < last - NEAR]
    ticks = [tick * count for count in range(1, round(last / tick))]
    return Expected(
        polygon((0, 0), (last, 0), (last, wide), (0, wide)),
        [line(at, 0, at, wide) for at in folds],
        [line(at, 0, at, wide) for at in inner] + [line(x, 0, x, 1.2) for x in ticks],
    )


def wrap(*marks: float, face: float) -> Expected:
    """Four faces below each other and a flap of 8 mm with slanting ends; marks on each face."""
    *inner, long = marks
    foot = 4 * face
    outline = (0, 0), (long, 0), (long, foot), (long - 8, foot + 8), (8, foot + 8), (0, foot)
    return Expected(
        polygon(*outline),
        [line(0, face * number, long, face * number) for number in range(1, 5)],
        [line(at, face * number, at, face * (number + 1)) for at in inner for number in range(4)],
    )


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
