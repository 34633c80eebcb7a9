"""The widths of words against the font itself, and words in their room."""

import pytest
from fontTools.ttLib import TTFont

from rulebook import quantities, typed_forms
from rulebook.text_fitting import AIRY, filled, fits, largest_size, shortened, text_width, wrapped
from rulebook.typefaces import (
    FACES,
    FRAMES,
    MONO,
    RANGES,
    SANS,
    SERIF,
    Typeface,
    full_name,
    unprintable,
)


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


# What the typefaces can print, read from the fonts again.


def invisible(code: int) -> bool:
    """Spaces, controls and the soft hyphen, which no range names."""
    return chr(code).isspace() or code < 0x20 or 0x7F <= code <= 0x9F or code == 0xAD


def test_ranges_are_what_every_face_has():
    common = set.intersection(*(set(TTFont(face.path).getBestCmap()) for face in FACES))
    named = {code for first, last in RANGES for code in range(first, last + 1)}
    assert named == {code for code in common if not invisible(code)}


def test_code_can_be_set_in_its_face():
    """What the two typefaces have, that of lines of code has as well."""
    named = {code for first, last in RANGES for code in range(first, last + 1)}
    has = set(TTFont(MONO.path).getBestCmap())
    assert named <= has
    assert {code for code in range(0x10000) if FRAMES.match(chr(code))} <= has


def test_quantities_print_what_every_face_has():
    lengths = [quantities.parse_length(text) for text in ("7 1/2in", "1/7ft", "3/8yd")]
    signs = (quantities.MINUS, quantities.EN_DASH, *typed_forms.VULGAR.values())
    assert not [*unprintable(" ".join([*map(str, lengths), *signs]))]


def test_runs_of_characters():
    text = "Plain “prose” — é\u00a0½\u00ad☃, 日本語 a\u3000b\n"
    assert [match[0] for match in unprintable(text)] == ["☃", "日本語"]
    assert full_name("☃") == "'☃' (U+2603 SNOWMAN)"
    assert full_name("\u0378") == "'\u0378' (U+0378)"


# The faces are ours alone.


def test_faces_are_static_files_of_the_weight_they_are_asked_for() -> None:
    for face in FACES:
        font = TTFont(face.path)
        assert "fvar" not in font, face.path.name
        assert font["OS/2"].usWeightClass == face.weight
        assert bool(font["OS/2"].fsSelection & 1) == (face.style == "italic")
        assert font["name"].getDebugName(1).startswith(face.family.split(" Cond")[0])
