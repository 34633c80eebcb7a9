"""A ruleset -> what stands on the first page of its booklet: the title on a picture or ornament."""

from __future__ import annotations

from base64 import b64encode
from fractions import Fraction

from rulebook.cutouts.shapes import svg_ornament
from rulebook.documents.parts.cutout_drawings import drawing_of
from rulebook.documents.parts.views import CoverView, Lettering, SetWords
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.ruleset import Header, Ruleset
from rulebook.text_fitting import filled
from rulebook.typefaces import SERIF_BOLD, SERIF_ITALIC

#: The room for the title and its largest type: hundredths of the width of the page.
_ROOMS: dict[Lettering, tuple[float, float, float]] = {
    "plain": (75, 31, 13.5),
    "light": (84, 21, 12),
    "dark": (84, 21, 12),
    "label": (60, 20, 9),
}
#: Capitals with space between them are so much wider than `lettering` reckons.
_SPACED = 1.08
#: Shapes of cutouts that are good to look at; the others are strips and rows of boxes.
_FINE = ("burst", "disc", "cone", "arc")
#: The room for the ornament of a cover without a picture: hundredths of the width of the page.
ORNAMENT = (Fraction(66), Fraction(52))
#: The type of the subtitle; a long one is smaller.
MOST_SUBTITLE = 3.9


def compose_cover(ruleset: Ruleset) -> CoverView:
    """The cover that the header asks for, or one made of title, accent and the finest cutout."""
    header, picture = ruleset.header, ruleset.cover
    if header.cover is None or picture is None:
        return CoverView("plain", *_words(header, "plain"), "", *_ornament(ruleset))
    lettering = header.cover.lettering
    address = _address(picture.media, picture.data)
    told = header.cover.alt, "", header.cover.credit or ""
    return CoverView(lettering, *_words(header, lettering), address, *told)


def plain_cover(title: str, subtitle: str, alt: str) -> CoverView:
    """A typographic cover whose ornament, told by `alt`, is drawn when it is printed."""
    return CoverView("plain", *_set_words(title, subtitle, "plain"), "", alt, "")


def _words(header: Header, lettering: Lettering) -> tuple[SetWords, SetWords]:
    return _set_words(header.title, header.subtitle or "", lettering)


def _set_words(title: str, subtitle: str, lettering: Lettering) -> tuple[SetWords, SetWords]:
    """Title and subtitle as large as their rooms allow."""
    width, height, most = _ROOMS[lettering]
    lines, size = filled(title.upper(), width / _SPACED, height, most=most, face=SERIF_BOLD)
    words = SetWords(_as_written(title, lines), round(size, 2))
    if not subtitle:
        return words, SetWords((), 0)
    lines, size = filled(subtitle, width, 3 * MOST_SUBTITLE, most=MOST_SUBTITLE, face=SERIF_ITALIC)
    return words, SetWords(tuple(lines), round(size, 2))


def _ornament(ruleset: Ruleset) -> tuple[str, str]:
    """What is drawn on a cover without a picture, in words and as an address."""
    finest = min(ruleset.cutouts, key=lambda one: _rank(ruleset.cutouts[one]), default=None)
    if finest is None or _rank(ruleset.cutouts[finest]) == len(_FINE):
        return "", ""
    drawing = drawing_of(ruleset, finest)
    return drawing.title, _address("image/svg+xml", svg_ornament(drawing, *ORNAMENT).encode())


def _address(media: str, data: bytes) -> str:
    """An address that holds what stands there."""
    return f"data:{media};base64,{b64encode(data).decode()}"


def _rank(cutout: Cutout) -> int:
    """From nothing up, how well the lines of a cutout look as an ornament."""
    shape = getattr(cutout, "shape", "")
    return _FINE.index(shape) if shape in _FINE else len(_FINE)


def _as_written(title: str, lines: list[str]) -> tuple[str, ...]:
    """The same lines in the letters of the title; capitals may be more letters than it has."""
    words = iter(title.split())
    return tuple(" ".join(next(words) for _ in line.split()) for line in lines)
