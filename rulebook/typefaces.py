"""Words -> their width, and glyphs of our own faces, kerned and joined by HarfBuzz; fonts to embed.

Fonts come from packages, never from the system, so that every machine sets the same lines. A
character that a face lacks is set in another of our faces, as browsers do. Lengths are parts of the
size of type. HarfBuzz and the packages of fonts are loaded when the first words are measured.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

#: What a font has beyond outlines and widths, of no use in a PDF, where glyphs are placed already.
_LAYOUT_TABLES = ("GSUB", "GPOS", "GDEF", "DSIG", "kern", "gasp", "STAT")
#: The height of a capital, as a part of the size; viewers use it where they lack the font.
_CAP_HEIGHT = 0.698
_SPACED = {"liga": False, "clig": False}


#: Of a typeface: its family, its weight and its style.
FaceName = tuple[str, int, str]


@dataclass(frozen=True, slots=True)
class Glyph:
    """A glyph by its number, its advance and its offset, in fractions of the size of the type.

    `text` are the letters that it stands for; empty if the glyph before it stands for them too.
    """

    number: int
    advance: float
    right: float
    up: float
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Consecutive glyphs of one typeface."""

    typeface: Typeface
    glyphs: tuple[Glyph, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SetLine:
    """A shaped line of text: runs of glyphs, its width, and the characters that no typeface has."""

    runs: tuple[Run, ...]
    width: float
    unset: frozenset[str]


@dataclass(frozen=True)
class Typeface:
    """One face of a family, by its CSS properties; its font file is read once in a process."""

    family: str
    weight: int
    style: str

    @property
    def name(self) -> FaceName:
        """The arguments by which the function `typeface` finds this face."""
        return self.family, self.weight, self.style

    @cached_property
    def path(self) -> Path:
        """The font file; raises fontpkg's FamilyNotInstalled if its package is missing."""
        import fontpkg

        return Path(fontpkg.path(self.family, self.weight, self.style))

    @cached_property
    def font(self) -> Any:
        """The HarfBuzz font of this face, whose lengths are in font units."""
        import uharfbuzz

        return uharfbuzz.Font(uharfbuzz.Face(self.path.read_bytes()))

    @cached_property
    def _known(self) -> dict[str, bool]:
        return {}

    def has(self, letter: str) -> bool:
        """Whether the face has a glyph for a character, or the character is invisible."""
        if letter not in self._known:
            unseen = unicodedata.category(letter) == "Cf"
            found = unseen or self.font.get_nominal_glyph(ord(letter))
            self._known[letter] = bool(found)
        return self._known[letter]

    def shaped(self, text: str, *, spaced: bool = False) -> tuple[Glyph, ...]:
        """Shapes a text with HarfBuzz; returns its glyphs in visual order.

        `spaced` is true for letter-spaced text, which has no ligatures.
        """
        import uharfbuzz

        buffer = uharfbuzz.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        uharfbuzz.shape(self.font, buffer, _SPACED if spaced else None)
        part = 1 / self.font.face.upem
        infos, positions = buffer.glyph_infos, buffer.glyph_positions
        starts = sorted({info.cluster for info in infos})
        ends = dict(zip(starts, [*starts[1:], len(text)], strict=True))
        said_before: set[int] = set()
        found = []
        for info, at in zip(infos, positions, strict=True):
            said = "" if info.cluster in said_before else text[info.cluster : ends[info.cluster]]
            said_before.add(info.cluster)
            right, up = at.x_offset * part, at.y_offset * part
            found.append(Glyph(info.codepoint, at.x_advance * part, right, up, said))
        return tuple(found)

    def outline(self, text: str, size: float) -> tuple[str, float]:
        """Returns the outline of a line of text from (0, 0), as PDF operators, and its width.

        Size, outline and width are in points.
        """
        import uharfbuzz

        part, behind = size / self.font.face.upem, 0.0
        operators: list[str] = []

        def add(operator: str, *numbers: float) -> None:
            placed = (value * part + behind * (at % 2 == 0) for at, value in enumerate(numbers))
            operators.append(" ".join([*(f"{value:.3f}" for value in placed), operator]))

        draw = uharfbuzz.DrawFuncs()
        draw.set_move_to_func(lambda x, y, _: add("m", x, y))
        draw.set_line_to_func(lambda x, y, _: add("l", x, y))
        # A curve with one control comes as one with two.
        draw.set_cubic_to_func(lambda *points: add("c", *points[:6]))
        draw.set_close_path_func(lambda _: add("h"))
        for glyph in self.shaped(text) if text else ():
            self.font.draw_glyph(glyph.number, draw, None)
            behind += glyph.advance * size
        return " ".join(operators), behind

    def width_of(self, glyph: int) -> float:
        """Returns the advance width of a glyph, without kerning, as a fraction of the size."""
        return float(self.font.get_glyph_h_advance(glyph) / self.font.face.upem)


SANS, SANS_ITALIC, SANS_BOLD, SERIF, SERIF_ITALIC, SERIF_BOLD = FACES = tuple(
    Typeface(family, weight, style)
    for family in ("IBM Plex Sans Condensed", "Spectral")
    for weight, style in ((400, "normal"), (400, "italic"), (600, "normal"))
)


#: For lines of code, and nothing else.
MONO = Typeface("IBM Plex Mono", 400, "normal")
EVERY_FACE = (*FACES, MONO)


@lru_cache(maxsize=1)
def digest() -> str:
    """Returns the SHA-256 digest of all font files."""
    return sha256(b"".join(face.path.read_bytes() for face in EVERY_FACE)).hexdigest()


@lru_cache(maxsize=64)
def typeface(family: str, weight: int, style: str) -> Typeface:
    """Returns the typeface of a family, weight (600 and more is bold) and style.

    Raises LookupError if there is none.
    """
    wanted = Typeface(family, 600 if weight >= 600 else 400, style)
    for face in FACES:
        if face == wanted:
            return face
    raise LookupError(f"no typeface {family} {weight} {style}")


@lru_cache(maxsize=1024)  # what a ruleset has; a server builds a thousand
def set_line(text: str, wanted: Typeface, spaced: bool = False) -> SetLine:
    """Shapes a line of text in a typeface, or in others where that lacks a character.

    Returns its runs, its width as a fraction of the size, and the characters that no typeface has.
    `spaced` is true for letter-spaced text, which has no ligatures.
    """
    runs: list[Run] = []
    unset: set[str] = set()
    for face, part in _by_face(text, wanted):
        glyphs = face.shaped(part, spaced=spaced)
        unset |= {letter for glyph in glyphs if not glyph.number for letter in glyph.text}
        runs.append(Run(face, glyphs))
    width = sum(glyph.advance for run in runs for glyph in run.glyphs)
    return SetLine(tuple(runs), width, frozenset(unset))


def _by_face(text: str, wanted: Typeface) -> Iterator[tuple[Typeface, str]]:
    """Splits a text into runs; yields each with the first face that has its characters.

    The wanted face comes first, and is also that of characters that no face has.
    """
    if text and all(map(wanted.has, text)):
        yield wanted, text
        return
    others = sorted(
        (face for face in FACES if face is not wanted),
        key=lambda face: (face.weight != wanted.weight, face.style != wanted.style),
    )
    at, piece = wanted, ""
    for letters in clusters(text):
        best = next((face for face in (wanted, *others) if all(map(face.has, letters))), wanted)
        if piece and best is not at:
            yield at, piece
            piece = ""
        at, piece = best, piece + letters
    if piece:
        yield at, piece


def clusters(text: str) -> list[str]:
    """Splits a text into letters, each with the combining marks that follow it."""
    found: list[str] = []
    for letter in text:
        if found and unicodedata.combining(letter):
            found[-1] += letter
        else:
            found.append(letter)
    return found


#: First and last code point of each stretch that every face can print, spaces aside.
RANGES: tuple[tuple[int, int], ...] = (
    (0x0021, 0x007E), (0x00A1, 0x00AC), (0x00AE, 0x0148), (0x014A, 0x017F), (0x018F, 0x018F),
    (0x0192, 0x0192), (0x01A0, 0x01A1), (0x01AF, 0x01B0), (0x01FA, 0x01FF), (0x0218, 0x021B),
    (0x0237, 0x0237), (0x0259, 0x0259), (0x02BB, 0x02BC), (0x02C6, 0x02C7), (0x02D8, 0x02DD),
    (0x0300, 0x0304), (0x0306, 0x030C), (0x0312, 0x0312), (0x031B, 0x031B), (0x0323, 0x0323),
    (0x0326, 0x0328), (0x03C0, 0x03C0), (0x1E80, 0x1E85), (0x1E9E, 0x1E9E), (0x1EA0, 0x1EF9),
    (0x2013, 0x2014), (0x2018, 0x201A), (0x201C, 0x201E), (0x2020, 0x2022), (0x2026, 0x2026),
    (0x2030, 0x2030), (0x2032, 0x2033), (0x2039, 0x203A), (0x2044, 0x2044), (0x2070, 0x2070),
    (0x2074, 0x2079), (0x2080, 0x2089), (0x20A1, 0x20A1), (0x20A4, 0x20A4), (0x20A6, 0x20A6),
    (0x20A9, 0x20A9), (0x20AB, 0x20AD), (0x20B1, 0x20B2), (0x20B4, 0x20B5), (0x20B8, 0x20BA),
    (0x20BD, 0x20BD), (0x2113, 0x2113), (0x2116, 0x2116), (0x2122, 0x2122), (0x2126, 0x2126),
    (0x212E, 0x212E), (0x2153, 0x2154), (0x215B, 0x215E), (0x2190, 0x2193), (0x2196, 0x2199),
    (0x2202, 0x2202), (0x2206, 0x2206), (0x220F, 0x220F), (0x2211, 0x2212), (0x2215, 0x2215),
    (0x221A, 0x221A), (0x221E, 0x221E), (0x222B, 0x222B), (0x2248, 0x2248), (0x2260, 0x2260),
    (0x2264, 0x2265), (0x25CA, 0x25CA), (0x2713, 0x2713), (0xFB01, 0xFB02),
)  # fmt: skip

#: Spaces need no glyph, and a soft hyphen only where a line breaks at it.
_OUTSIDE = re.compile(
    r"[^\s\u00ad" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in RANGES) + "]+"
)


#: Frames and blocks, which only the face of code has.
FRAMES = re.compile("[\u2500-\u259f]")


def unprintable(text: str) -> Iterator[re.Match[str]]:
    """Yields each run of characters that the typefaces cannot print, in order."""
    return _OUTSIDE.finditer(text)


def full_name(character: str) -> str:
    """Returns a character with its code and name, for reports: `'☃' (U+2603 SNOWMAN)`."""
    return f"'{character}' ({_code_and_name(character)})"


def hidden_character(character: str) -> str:
    """Describes a character that cannot be shown: `the character U+202E RIGHT-TO-LEFT OVERRIDE`."""
    return f"the character {_code_and_name(character)}"


def _code_and_name(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()


@dataclass(frozen=True, slots=True)
class EmbeddedFont:
    """A TrueType font with the outlines of some glyphs, which keep their numbers.

    Widths, ascent and descent are in thousandths of the size, as in PDF. `letters` is the ToUnicode
    table, which maps glyphs to letters so that text can be searched and copied.
    """

    name: str
    family: str
    italic: bool
    program: bytes
    widths: Mapping[int, float]
    ascent: int
    descent: int
    cap_height: int
    box: tuple[int, int, int, int]
    letters: bytes


def embedded(face: Typeface, texts: Mapping[int, str]) -> EmbeddedFont:
    """Returns a subset of a typeface, to be embedded in a PDF.

    `texts` maps the numbers of the glyphs in the subset to the letters that they stand for.
    """
    import uharfbuzz

    wanted = uharfbuzz.SubsetInput()
    wanted.glyph_set.update(texts)
    wanted.layout_feature_tag_set.clear()
    wanted.drop_table_tag_set.update(int.from_bytes(tag.encode(), "big") for tag in _LAYOUT_TABLES)
    wanted.flags = (
        uharfbuzz.SubsetFlags.NO_HINTING
        | uharfbuzz.SubsetFlags.RETAIN_GIDS
        | uharfbuzz.SubsetFlags.NO_LAYOUT_CLOSURE
    )
    program = uharfbuzz.subset(face.font.face, wanted).blob.data
    extents = face.font.get_font_extents("ltr")
    part = 1000 / face.font.face.upem
    return EmbeddedFont(
        name=f"{_tag(sorted(texts))}+{face.path.stem}",
        family=face.family,
        italic=face.style == "italic",
        program=program,
        widths={glyph: round(1000 * face.width_of(glyph), 3) for glyph in sorted(texts)},
        ascent=round(extents.ascender * part),
        descent=round(extents.descender * part),
        cap_height=round(_CAP_HEIGHT * 1000),
        box=(-200, round(extents.descender * part), 1200, round(extents.ascender * part)),
        letters=_letters(texts),
    )


def _tag(glyphs: Sequence[int]) -> str:
    """Returns six capitals, derived from the glyphs, by which PDF tells subsets of a font apart."""
    number = int.from_bytes(sha256(repr(glyphs).encode()).digest()[:8], "big")
    return "".join(chr(65 + number // 26**place % 26) for place in range(6))


def _letters(texts: Mapping[int, str]) -> bytes:
    rows = [
        f"<{glyph:04x}> <{text.encode('utf-16-be').hex()}>"
        for glyph, text in sorted(texts.items())
        if text
    ]
    blocks = [rows[start : start + 100] for start in range(0, len(rows), 100)]
    body = "\n".join(_block(block) for block in blocks)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
        "1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n"
        f"{body}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"
    ).encode()


def _block(rows: Iterable[str]) -> str:
    listed = list(rows)
    return f"{len(listed)} beginbfchar\n" + "\n".join(listed) + "\nendbfchar"
