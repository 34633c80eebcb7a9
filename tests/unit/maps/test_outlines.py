"""Outlines on a map: what crosses, what overlaps, against slower ways to know it."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from rulebook.maps.areas import (
    Spot,
    crossing_in,
    distance_from,
    overlap,
    spots_of,
)
from rulebook.model.maps import Feature

INCH = 25_400
SQUARE = [(0, 0), (10, 0), (10, 10), (0, 10)]


def hull(places: list[Spot]) -> list[Spot]:
    """The convex outline of some places, corners only (Andrew's chain)."""

    def half(sorted_places: list[Spot]) -> list[Spot]:
        chain: list[Spot] = []
        for x, y in sorted_places:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    ordered = sorted(set(places))
    return half(ordered) + half(ordered[::-1])


def apart(one: list[Spot], other: list[Spot]) -> bool:
    """Whether a side of one of two convex outlines has all of the other on its far side."""
    for outline, opposite in ((one, other), (other, one)):
        for (ax, ay), (bx, by) in pairwise([*outline, outline[0]]):
            if all((bx - ax) * (y - ay) - (by - ay) * (x - ax) <= 0 for x, y in opposite):
                return True
    return False


def test_overlap_against_separating_sides() -> None:
    random = Random(7)
    found = {True: 0, False: 0}
    for _ in range(3000):
        reach = random.choice((4, 7, 12))
        one, other = (
            hull([(random.randint(0, reach) + shift, random.randint(0, reach)) for _ in range(5)])
            for shift in (0, random.randint(0, reach))
        )
        if len(one) > 2 and len(other) > 2:
            expected = not apart(one, other)
            found[expected] += 1
            assert overlap(one, other) == overlap(other, one) == expected, (one, other)
    assert min(found.values()) > 300


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


def crossed(outline: list[Spot]) -> bool:
    """The same question by solving for the meeting of each two sides, in fractions."""
    sides = [*pairwise([*outline, outline[0]])]
    if any(start == end for start, end in sides):
        return True
    for first, one in enumerate(sides):
        for other in sides[first + 1 :]:
            met = meeting(one, other)
            if met is True or (met is not None and met not in (set(one) & set(other))):
                return True
            neighbours = (sides.index(other) - first) % len(sides) in (1, len(sides) - 1)
            if met is not None and not neighbours:
                return True
    return False


def meeting(
    one: tuple[Spot, Spot], other: tuple[Spot, Spot]
) -> tuple[Fraction, Fraction] | bool | None:
    """Where two sides meet; True where they run along each other, None where they do not meet."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = other
    slope = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if slope:
        mine = Fraction((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx), slope)
        theirs = Fraction((cx - ax) * (by - ay) - (cy - ay) * (bx - ax), slope)
        inside = 0 <= mine <= 1 and 0 <= theirs <= 1
        return (ax + mine * (bx - ax), ay + mine * (by - ay)) if inside else None
    if (bx - ax) * (cy - ay) != (by - ay) * (cx - ax):
        return None
    axis = 0 if ax != bx else 1
    low = max(min(one[0][axis], one[1][axis]), min(other[0][axis], other[1][axis]))
    high = min(max(one[0][axis], one[1][axis]), max(other[0][axis], other[1][axis]))
    if low > high:
        return None
    shared = [place for place in one if place in other]
    return True if low < high else (Fraction(shared[0][0]), Fraction(shared[0][1]))


def test_crossings_against_every_pair() -> None:
    random = Random(3)
    found = {True: 0, False: 0}
    for _ in range(4000):
        size = random.choice((3, 4, 5, 6))
        outline = [(random.randint(0, 6), random.randint(0, 6)) for _ in range(size)]
        if len(set(outline)) < size:
            continue
        expected = crossed(outline)
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


def test_distance_from_a_line() -> None:
    line = [(0, 0), (10, 0), (10, 10)]
    assert distance_from((5, 3), line) == 3
    assert distance_from((13, 14), line) == 5
    assert distance_from((10, 5), line) == 0
