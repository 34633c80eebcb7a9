"""Words on the margins of sheets -> one subset of our own typeface, and the words as its glyphs.

The sheets of a deck have hundreds of such lines, all short and plain; to set them as pages of their
own would take longer than all else about a sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rulebook.render import fonts

FAMILY, WEIGHT, STYLE = "IBM Plex Sans Condensed", 400, "normal"


@dataclass(frozen=True, slots=True)
class SheetType:
    """A TrueType font with the characters of some words, in units of a thousandth of its size."""

    name: str
    data: bytes
    glyphs: Mapping[str, int]
    widths: Mapping[int, int]
    ascent: int
    descent: int
    box: tuple[int, int, int, int]

    def encoded(self, text: str) -> bytes:
        """The numbers of the glyphs of a text, two bytes each."""
        return b"".join(self.glyphs[letter].to_bytes(2, "big") for letter in text)


def sheet_type(texts: Iterable[str]) -> SheetType:
    """The typeface cut down to these texts; raises ValueError for a character that it lacks."""
    import uharfbuzz

    letters = sorted(set("".join(texts)))
    path = next(
        face.path
        for face in fonts.faces()
        if (face.family, face.weight, face.style) == (FAMILY, WEIGHT, STYLE)
    )
    face = uharfbuzz.Face(path.read_bytes())
    font = uharfbuzz.Font(face)
    glyphs = {letter: font.get_nominal_glyph(ord(letter)) for letter in letters}
    missing = [letter for letter, glyph in glyphs.items() if not glyph]
    if missing:
        raise ValueError(f"the typeface of sheets has no {', '.join(missing)}")
    known = {letter: int(glyph) for letter, glyph in glyphs.items() if glyph}
    wanted = uharfbuzz.SubsetInput()
    wanted.unicode_set.update(map(ord, letters))
    wanted.layout_feature_tag_set.clear()
    wanted.flags = uharfbuzz.SubsetFlags.NO_HINTING | uharfbuzz.SubsetFlags.RETAIN_GIDS
    part = 1000 / face.upem
    extents = font.get_font_extents("ltr")
    return SheetType(
        name=f"{FAMILY} Regular".replace(" ", ""),
        data=uharfbuzz.subset(face, wanted).blob.data,
        glyphs=known,
        widths={glyph: round(font.get_glyph_h_advance(glyph) * part) for glyph in known.values()},
        ascent=round(extents.ascender * part),
        descent=round(extents.descender * part),
        box=(-200, round(extents.descender * part), 1200, round(extents.ascender * part)),
    )
