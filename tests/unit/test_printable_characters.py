"""What the typefaces can print, read from the fonts again."""

from __future__ import annotations

from itertools import pairwise

from fontTools.ttLib import TTFont

from rulebook import quantities
from rulebook.printable_characters import FRAMES, RANGES, full_name, unprintable
from rulebook.typefaces import FACES, MONO


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


def test_ranges_are_in_order_and_apart():
    assert all(first <= last for first, last in RANGES)
    assert all(a[1] + 1 < b[0] for a, b in pairwise(RANGES))


def test_quantities_print_what_every_face_has():
    lengths = [quantities.parse_length(text) for text in ("7 1/2in", "1/7ft", "3/8yd")]
    signs = (quantities.MINUS, quantities.EN_DASH, *quantities._VULGAR.values())
    assert not [*unprintable(" ".join([*map(str, lengths), *signs]))]


def test_runs_of_characters():
    text = "Plain “prose” — é\u00a0½\u00ad☃, 日本語 a\u3000b\n"
    assert [match[0] for match in unprintable(text)] == ["☃", "日本語"]
    assert full_name("☃") == "'☃' (U+2603 SNOWMAN)"
    assert full_name("\u0378") == "'\u0378' (U+0378)"
