"""The widths of words against the font itself, and words in their room."""

from __future__ import annotations

import pytest
from fontTools.ttLib import TTFont

from rulebook.text_fitting import AIRY, filled, fits, largest_size, shortened, text_width, wrapped
from rulebook.typefaces import FACES, SANS, SERIF, Typeface


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.path.stem)
def test_letters_are_as_wide_as_in_the_font(face: Typeface) -> None:
    font = TTFont(face.path)
    glyphs, widths, size = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
    for letter in "AZaz09 –—…″½ÀÉÎõüçñÅŠž×°£§":
        wide = widths[glyphs[ord(letter)]][0] / size
        assert text_width(letter, 10, face) == pytest.approx(10 * wide)


def test_nothing_of_the_sans_serif_is_wider_than_its_bold_face() -> None:
    for words in ("Lay the point at the muzzle", "to 5½″ 4+ kills", "AVATAR Wagons"):
        assert text_width(words, 5) >= text_width(words, 5, SANS)


def test_spaced_letters_are_not_joined_and_marks_take_no_room() -> None:
    wide = text_width("f", 10, SERIF) + text_width("i", 10, SERIF)
    assert text_width("fi", 10, SERIF, spaced=0.1) == pytest.approx(wide + 1, abs=0.2)
    assert text_width("e\u0301", 10, SERIF) == pytest.approx(text_width("e", 10, SERIF))


def test_words_are_shortened_to_their_room() -> None:
    assert shortened("canister", 10, 1000) == "canister"
    short = shortened("canister", 10, 30)
    assert short.endswith("…") and text_width(short, 10) <= 30
    assert shortened("canister", 10, 1) == ""
    assert shortened("", 10, 1) == ""


def test_lines_are_no_wider_than_the_room_and_hold_all_words() -> None:
    text = "Lay the point at the muzzle and throw a die for every figure inside"
    lines = wrapped(text, 4, 40)
    assert len(lines) > 2
    assert " ".join(lines) == text
    assert all(text_width(line, 4) <= 40 for line in lines)
    assert wrapped("", 4, 60) == []
    assert wrapped("   ", 4, 60) == []


def test_type_is_as_large_as_its_widest_line_allows() -> None:
    size = largest_size(["4+", "a longer line"], 40, most=30)
    assert AIRY * text_width("a longer line", size) == pytest.approx(40)
    assert largest_size(["4+"], 400, most=30) == 30
    assert largest_size([""], 40, most=30) == 30


def test_a_word_that_is_wider_than_its_line_is_cut_and_nothing_is_lost() -> None:
    text = "Half move; wagons and artilleryandcaissonsandlimbers may not."
    lines = wrapped(text, 2, 20, SERIF)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(text_width(line, 2, SERIF) <= 20 for line in lines)
    assert not fits(text, 2, 20) and fits(text, 1, 20)


def test_words_without_width_fit() -> None:
    assert filled("\u00ad", 10, 5, most=4) == (["\u00ad"], 4)
