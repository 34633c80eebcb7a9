"""Tiles of terrain: what lies on them keeps to the bends of its river."""

import re

import pytest

from rulebook.drawing.elements import Path
from rulebook.maps.tiles import stamp_tile

SIDE = 76.0
#: What stands first in a path, and each further curve or line of it.
_STARTS = re.compile(r"M(-?[\d.]+)[ ,](-?[\d.]+)")


def _painted(terrain: str, colour: str | None) -> list[list[tuple[float, float]]]:
    """Where each part of each path begins that is filled like the last of them."""
    paths = [one for one in stamp_tile(terrain, SIDE, SIDE, ()).full if isinstance(one, Path)]
    filled = [one for one in paths if one.paint and one.paint.fill == colour]
    return [[(float(x), float(y)) for x, y in _STARTS.findall(one.d)] for one in filled]


def test_the_stones_of_a_ford_lie_from_bank_to_bank_where_the_river_bends() -> None:
    """The river comes from the right of its middle and leaves to the left of it."""
    (*_, last) = stamp_tile("ford", SIDE, SIDE, ()).full
    assert isinstance(last, Path) and last.paint
    (stones,) = _painted("ford", last.paint.fill)
    upper = [x for x, y in stones if y < SIDE / 2]
    lower = [x for x, y in stones if y > SIDE / 2]
    assert {round(abs(y - SIDE / 2), 3) for _, y in stones} == {
        round(0.07 * SIDE + 0.25 * SIDE / 25, 3)
    }
    assert min(upper) - min(lower) == pytest.approx(max(upper) - max(lower), abs=2.5)
    assert min(upper) - min(lower) > 2
    for row in (upper, lower):
        assert max(row) - min(row) == pytest.approx(0.24 * SIDE, rel=0.35)
