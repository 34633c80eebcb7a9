"""Outlines on a map: what crosses, what overlaps, against slower ways to know it."""

from random import Random

import pytest
import shapely

from rulebook.maps.areas import Spot, crossing_in, overlap, spots_of
from rulebook.model.maps import Feature

INCH = 25_400
SQUARE = [(0, 0), (10, 0), (10, 10), (0, 10)]


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (SQUARE, True),
        ([(10, 0), (20, 0), (20, 10), (10, 10)], False),
        ([(10, 10), (20, 10), (20, 20), (10, 20)], False),
        ([(3, 3), (5, 3), (5, 5), (3, 5)], True),
        ([(-5, 4), (15, 4), (15, 6), (-5, 6)], True),
        ([(0, 0), (10, 0), (10, 5), (0, 5)], True),
        ([(-5, -5), (15, -5), (15, 15), (12, 15), (12, -2), (-2, -2), (-2, 15), (-5, 15)], False),
    ],
    ids=["the same", "side by side", "corner", "within", "across", "half", "around"],
)
def test_overlap(other: list[Spot], expected: bool) -> None:
    assert overlap(SQUARE, other) is expected
    assert overlap(other[::-1], SQUARE) is expected


def test_crossings_as_geos_finds_them() -> None:
    random = Random(3)
    found = {True: 0, False: 0}
    for _ in range(4000):
        size = random.choice((3, 4, 5, 6))
        outline = [(random.randint(0, 6), random.randint(0, 6)) for _ in range(size)]
        if len(set(outline)) < size:
            continue
        expected = not shapely.LinearRing(outline).is_simple
        found[expected] += 1
        assert (crossing_in(outline) is not None) == expected, outline
    assert min(found.values()) > 200


def test_a_turned_box_and_oval_reach_as_far_as_they_do() -> None:
    extents = {"centre": ["30in", "30in"], "width": "10in", "depth": "4in", "turn": "90°"}
    box = Feature.model_validate({"draw": "hill", "box": extents})
    oval = Feature.model_validate({"draw": "hill", "oval": {**extents, "turn": "45°"}})
    assert spots_of(box) == [(28 * INCH, 25 * INCH), (32 * INCH, 35 * INCH)]
    reach = round((((5**2 + 2**2) / 2) ** 0.5) * INCH)
    (low, _), (high, _) = spots_of(oval)
    assert (low, high) == (30 * INCH - reach, 30 * INCH + reach)
