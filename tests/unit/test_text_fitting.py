"""The reckoned widths against the font itself: what is reckoned to fit must fit on paper."""

from __future__ import annotations

from importlib import resources

import pytest
from fontTools.ttLib import TTFont

from rulebook.text_fitting import largest_size, shortened, text_width, wrapped

FILES = resources.files("fontpkg_ibm_plex_sans_condensed") / "files"


@pytest.mark.parametrize("weight", ["Regular", "Bold"])
def test_no_letter_is_wider_than_reckoned(weight: str) -> None:
    with resources.as_file(FILES / f"IBMPlexSansCondensed-{weight}.ttf") as path:
        font = TTFont(path)
    glyphs, widths, size = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
    latin = [code for code in glyphs if 0x20 <= code < 0x180 and chr(code).isprintable()]
    signs = [ord(c) for c in "–—…″′½¼¾⅓⅔⅛⅜⅝⅞·+−≤"]
    assert len(latin) > 200
    wider = {
        chr(code): widths[glyphs[code]][0] / size
        for code in (*latin, *signs)
        if widths[glyphs[code]][0] / size > text_width(chr(code), 1)
    }
    assert wider == {}


def test_words_are_shortened_to_their_room() -> None:
    assert shortened("canister", 10, 1000) == "canister"
    short = shortened("canister", 10, 30)
    assert short.endswith("…") and text_width(short, 10) <= 30
    assert shortened("canister", 10, 1) == ""
    assert shortened("", 10, 1) == ""


def test_lines_are_no_wider_than_the_room_and_hold_all_words() -> None:
    text = "Lay the point at the muzzle and throw a die for every figure inside"
    lines = wrapped(text, 4, 60)
    assert len(lines) > 2
    assert " ".join(lines) == text
    assert all(text_width(line, 4) <= 60 for line in lines)
    assert wrapped("", 4, 60) == []
    assert wrapped("   ", 4, 60) == []


def test_type_is_as_large_as_its_widest_line_allows() -> None:
    size = largest_size(["4+", "a longer line"], 40, most=30)
    assert text_width("a longer line", size) == pytest.approx(40)
    assert largest_size(["4+"], 400, most=30) == 30
    assert largest_size([""], 40, most=30) == 30
