"""How names are set, and what they take of the map."""

from __future__ import annotations

import math

import pytest
from map_samples import quads_meet

from rulebook.maps.canvas import Look
from rulebook.maps.features import Style
from rulebook.maps.geometry import Track
from rulebook.maps.lettering import Hand, Run, along, block, two_lines
from rulebook.text_fitting import text_width
from rulebook.typefaces import SERIF_ITALIC

HAND = Hand(Style(3.0, SERIF_ITALIC), Look())


def test_a_block_is_centred_and_its_lines_do_not_meet() -> None:
    lettered = block(["McPherson’s", "Ridge"], (50, 50), HAND)
    assert [text for text, _ in lettered.lines] == ["McPherson’s", "Ridge"]
    left, right = lettered.quads[0][0][0], lettered.quads[0][1][0]
    assert (left + right) / 2 == pytest.approx(50)
    assert lettered.lines[1][1][1] - lettered.lines[0][1][1] == pytest.approx(3.06)


def test_a_name_on_a_straight_line_takes_one_quad() -> None:
    track = Track.of([(0, 0), (100, 0)])
    bent = along("Baltimore Pike", Run(track, 50, -2, 0.05), HAND)
    assert bent is not None and len(bent.lettered.quads) == 1
    assert bent.turning == bent.steepness == 0
    assert len(bent.lettered.places) == len("Baltimore Pike")
    assert all(y == pytest.approx(-2) for (_, y), _ in bent.lettered.places)


def test_letters_keep_their_distance_inside_a_bend() -> None:
    arc = [(40 * math.cos(a / 50), 40 * math.sin(a / 50)) for a in range(-200, -20)]
    for offset in (-3.0, 3.0):
        bent = along("Willoughby Run", Run(Track.of(arc), 70, offset, 0.05), HAND)
        starts = [place for place, _ in bent.lettered.places]
        for letter, one, other in zip("Willoughby Run", starts, starts[1:], strict=False):
            wanted = 3.0 * (text_width(letter, 1, SERIF_ITALIC) + 0.05)
            assert math.dist(one, other) == pytest.approx(wanted, abs=0.25)


def test_no_name_stands_where_it_cannot_be_read() -> None:
    corner = Track.of([(0, 0), (30, 0), (30, 30)])
    assert along("Emmitsburg Road", Run(corner, 30, -2, 0), HAND) is None, "too sharp a bend"
    assert along("Emmitsburg Road", Run(Track.of([(0, 0), (9, 0)]), 4, 0, 0), HAND) is None
    backwards = Track.of([(100, 0), (0, 0)])
    assert along("Emmitsburg Road", Run(backwards, 50, 0, 0), HAND) is None, "on its head"


def test_words_on_two_lines() -> None:
    assert two_lines("Unfinished Railway Cut") == ["Unfinished", "Railway Cut"]
    assert two_lines("Gettysburg") is None


def test_turned_quads_that_only_touch_do_not_meet() -> None:
    one = ((0.0, 0.0), (10.0, 0.0), (10.0, 5.0), (0.0, 5.0))
    beside = ((10.0, 0.0), (20.0, 0.0), (20.0, 5.0), (10.0, 5.0))
    diamond = ((15.0, -6.0), (21.0, 0.0), (15.0, 6.0), (9.0, 0.0))
    corner = ((12.0, 8.0), (16.0, 12.0), (12.0, 16.0), (8.0, 12.0))
    assert not quads_meet(one, beside)
    assert quads_meet(one, diamond) and quads_meet(beside, diamond)
    assert not quads_meet(one, corner), "their boxes meet, they do not"
