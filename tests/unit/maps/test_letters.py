"""The widths of letters against the font itself, and how names are set."""

from __future__ import annotations

import math

import fontpkg
import pytest
from fontTools.ttLib import TTFont
from map_samples import quads_meet

from rulebook.maps.geometry import Track
from rulebook.maps.look import Face, Look, Style, letter_width, text_width
from rulebook.maps.page import wrapped
from rulebook.maps.setting import Hand, Run, along, block, two_lines

HAND = Hand(Style(3.0, "italic"), Look())


@pytest.mark.parametrize(
    ("face", "weight", "style"),
    [("roman", 400, "normal"), ("italic", 400, "italic"), ("semibold", 600, "normal")],
)
def test_widths_are_those_of_the_font(face: Face, weight: int, style: str) -> None:
    font = TTFont(fontpkg.path("Spectral", weight, style))
    glyphs, widths, size = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
    letters = [chr(code) for code in (*range(0x20, 0x7F), *range(0xA1, 0x180)) if code in glyphs]
    off = {
        letter: (letter_width(letter, face), widths[glyphs[ord(letter)]][0] / size)
        for letter in (*letters, *"–—’‘“”…″′")
        if abs(letter_width(letter, face) - widths[glyphs[ord(letter)]][0] / size) > 0.03
    }
    # of a few signs that no name has, they are thought wider
    assert all(reckoned == 1.0 and true < 1.0 for reckoned, true in off.values()), off
    assert not set(off) & set("ÀÉÎõüçñÅŠž½×°£§")


def test_unknown_letters_are_broad_and_marks_take_no_room() -> None:
    assert letter_width("漢", "roman") == 1.0
    assert letter_width("\u0301", "roman") == 0.0
    assert text_width("ab", "roman", 10, 0.1) == pytest.approx(10 * (0.489 + 0.56 + 0.1))


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
        assert bent is not None
        starts = [place for place, _ in bent.lettered.places]
        for letter, one, other in zip("Willoughby Run", starts, starts[1:], strict=False):
            wanted = 3.0 * (letter_width(letter, "italic") + 0.05)
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


def test_lines_of_a_legend_are_no_wider_than_their_room() -> None:
    lines = wrapped("Half move; wagons and artilleryandcaissonsandlimbers may not.", "roman", 2, 20)
    assert "".join(lines).replace(" ", "") == (
        "Halfmove;wagonsandartilleryandcaissonsandlimbersmaynot."
    )
    assert all(text_width(line, "roman", 2) <= 20 for line in lines)
    assert wrapped("", "roman", 2, 20) == []


def test_turned_quads_that_only_touch_do_not_meet() -> None:
    one = ((0.0, 0.0), (10.0, 0.0), (10.0, 5.0), (0.0, 5.0))
    beside = ((10.0, 0.0), (20.0, 0.0), (20.0, 5.0), (10.0, 5.0))
    diamond = ((15.0, -6.0), (21.0, 0.0), (15.0, 6.0), (9.0, 0.0))
    corner = ((12.0, 8.0), (16.0, 12.0), (12.0, 16.0), (8.0, 12.0))
    assert not quads_meet(one, beside)
    assert quads_meet(one, diamond) and quads_meet(beside, diamond)
    assert not quads_meet(one, corner), "their boxes meet, they do not"
