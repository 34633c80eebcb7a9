"""Values of the attributes of a drawing, each by its type -> as the page maker can draw them.

Outlines and points are written anew, as lines and curves between points that are told from the
corner: what else drawing programs write, page makers read differently, slowly or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from tinycss2.color5 import parse_color

from rulebook.faults import Fault


class Refused(Fault):
    """An attribute that no drawing may have."""


class _Unlike(Exception):
    """A value that is none of its type."""


class _Huge(Exception):
    """A number as no page has it."""


_HUGE = 1e6
#: By which a shape would have no width or no height.
_FLAT = 1e-9
_DIGITS = r"[-+]?(?:\d{1,12}(?:\.\d{0,20})?|\.\d{1,20})(?:[eE][-+]?\d{1,2})?(?!\d)"
_NUMBER = re.compile(_DIGITS, re.ASCII)
_LENGTH = re.compile(rf"({_DIGITS}) ?(px|mm|cm|in|pt|pc|%)?", re.ASCII)
_NEXT = rf" ?,? ?({_DIGITS})"
_ONE = re.compile(_NEXT, re.ASCII)
_TWO = re.compile(_NEXT * 2, re.ASCII)
_FOUR = re.compile(_NEXT * 4, re.ASCII)
_SIX = re.compile(_NEXT * 6, re.ASCII)
#: Two radii, a turn, two flags that need nothing between them, and a point.
_ARC = re.compile(_NEXT * 3 + r" ?,? ?([01])" * 2 + _NEXT * 2, re.ASCII)
#: What each letter of an outline takes, but Z.
_TAKEN = {"M": _TWO, "L": _TWO, "T": _TWO, "H": _ONE, "V": _ONE, "S": _FOUR, "Q": _FOUR}
_TAKEN |= {"C": _SIX, "A": _ARC}
_LETTER = re.compile(r" ?([MmZzLlHhVvCcSsQqTtAa])")
_FUNCTION = re.compile(r" ?,? ?(matrix|translate|scale|rotate|skewX|skewY) ?\(([^()]{1,400})\)")
_COUNTS = {"matrix": (6,), "translate": (1, 2), "scale": (1, 2), "rotate": (1, 3)}
_COLOUR = re.compile(
    r"#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,30}|(?:rgb|hsl)a?\([\d.,%/ +-]{5,60}\)", re.ASCII
)
_WORD = re.compile(r"[a-z-]{1,30}")


def checked(name: str, value: str) -> str:
    """The value of an attribute, its spaces made plain; raises Refused."""
    value = " ".join(value.split())
    type_, expected = _TYPES[name]
    try:
        return type_(value)
    except _Huge:
        raise Refused.of("R218 huge", name=name) from None
    except _Unlike:
        raise Refused.of("R218 value", value=value, name=name, expected=expected) from None


def _float(text: str) -> float:
    value = float(text)
    if abs(value) >= _HUGE:
        raise _Huge
    return value


def _floats(text: str) -> list[float]:
    """Numbers with spaces or commas between them, or with nothing where a sign does."""
    found, at, text = list[float](), 0, text.rstrip()
    while at < len(text):
        match = _ONE.match(text, at)
        if match is None:
            raise _Unlike
        found.append(_float(match[1]))
        at = match.end()
    return found


def _number(text: str, *, least: float = -_HUGE, parts: bool = False) -> str:
    """A number; `parts`: or a percentage."""
    plain = text.removesuffix("%") if parts else text
    if not _NUMBER.fullmatch(plain) or _float(plain) < least:
        raise _Unlike
    return text


def _length(text: str, *, least: float = -_HUGE) -> str:
    match = _LENGTH.fullmatch(text)
    if match is None or _float(match[1]) < least:
        raise _Unlike
    return match[1] + (match[2] or "")


def _dashes(text: str) -> str:
    if text == "none":
        return text
    return " ".join(_length(one, least=0) for one in text.replace(",", " ").split())


def _colour(text: str, words: tuple[str, ...] = ()) -> str:
    if text in words:
        return text
    found = parse_color(text) if _COLOUR.fullmatch(text) else None
    if found is None or isinstance(found, str):
        raise _Unlike
    return text


def _word(text: str, words: tuple[str, ...] = ()) -> str:
    if text not in words if words else not _WORD.fullmatch(text):
        raise _Unlike
    return text


def _transform(text: str) -> str:
    """Turns and moves; none makes all flat, which no page maker could turn back."""
    at = 0
    while at < len(text):
        match = _FUNCTION.match(text, at)
        if match is None:
            raise _Unlike
        values, at = _floats(match[2]), match.end()
        if len(values) not in _COUNTS.get(match[1], (1,)):
            raise _Unlike
        if match[1] == "scale" and abs(values[0] * values[-1]) < _FLAT:
            raise _Unlike
        if match[1] == "matrix" and abs(values[0] * values[3] - values[1] * values[2]) < _FLAT:
            raise _Unlike
    return text


def _points(text: str) -> str:
    """The corners of a line of many parts, as an outline."""
    values = _floats(text)
    if len(values) % 2:
        raise _Unlike
    found = list(map(complex, values[::2], values[1::2]))
    return "".join(_written("L" if at else "M", [point]) for at, point in enumerate(found))


def _outline(text: str) -> str:
    """The same outline in M, L, C, Q and Z, all of them written, and all points from the corner."""
    return "" if text == "none" else "".join(_Pen().drawn(text))


@dataclass(slots=True)
class _Pen:
    """Where an outline has come to, where its part began, and by which point it was bent last."""

    here: complex = 0j
    begun: complex | None = None
    drawing: bool = False
    bend: complex | None = None
    bent_by: str = ""

    def drawn(self, text: str) -> Iterator[str]:
        letter, at = "", 0
        while at < len(text):
            if (match := _LETTER.match(text, at)) is not None:
                letter, at = match[1], match.end()
            else:  # more numbers than the letter takes
                letter = {"M": "L", "m": "l", "Z": "", "z": ""}.get(letter, letter)
            kind = letter.upper()
            if not kind or (self.begun is None and kind != "M"):
                raise _Unlike
            if kind == "Z":
                yield "Z" * self.drawing
                self.here, self.drawing, self.bent_by = self.begun or 0j, False, ""
                continue
            taken = _TAKEN[kind].match(text, at)
            if taken is None:
                raise _Unlike
            at = taken.end()
            if kind != "M" and not self.drawing:
                yield _written("M", [self.here])
            numbers = list(map(_float, taken.groups()))
            yield self._segment(kind, numbers, 0j if letter == kind else self.here)
            self.drawing = True

    def _segment(self, kind: str, numbers: list[float], start: complex) -> str:
        here, drawn_as = self.here, _DRAWN_AS.get(kind, kind)
        if kind == "H":
            found = [complex(numbers[0] + start.real, here.imag)]
        elif kind == "V":
            found = [complex(here.real, numbers[0] + start.imag)]
        else:
            ends = numbers[-2:] if kind == "A" else numbers
            found = [start + one for one in map(complex, ends[::2], ends[1::2])]
        if kind in "ST":  # it leaves as the one before came in
            bend = self.bend if self.bend is not None and self.bent_by == drawn_as else here
            found.insert(0, 2 * here - bend)
        self.bend, self.bent_by, self.here = found[-2:][0], drawn_as, found[-1]
        if kind == "M":
            self.begun = self.here
        curves = _arc(here, numbers, self.here) if kind == "A" else ""
        return curves or _written(drawn_as, found)


_DRAWN_AS = {"H": "L", "V": "L", "S": "C", "T": "Q", "A": "L"}


def _arc(start: complex, numbers: list[float], end: complex) -> str:
    """The curves of an arc; none where it is a straight line."""
    # Seldom needed, and slow to import.
    from fontTools.svgLib.path.arc import EllipticalArc

    across, down, turned, large, sweep = numbers[:5]
    curves = _Curves()
    if min(abs(across), abs(down), abs(end - start)) > _FLAT:
        arc = EllipticalArc(start, across, down, turned, bool(large), bool(sweep), end)
        arc.draw(curves)
    return "".join(curves)


class _Curves(list[str]):
    """What fontTools draws on."""

    def curveTo(self, *ends: tuple[float, float]) -> None:  # noqa: N802
        self.append(_written("C", [complex(*one) for one in ends]))


def _written(letter: str, ends: Iterable[complex]) -> str:
    return letter + " ".join(f"{_plain(one.real)} {_plain(one.imag)}" for one in ends)


def _plain(value: float) -> str:
    """Six decimals, as many as a PDF has, without those that say nothing."""
    if abs(value) >= _HUGE:  # as the sum of many steps, or the bend of a long arc
        raise _Huge
    if value == (whole := int(value)):
        return str(whole)
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


_Type = tuple[Callable[[str], str], str]
_NUMBERS: _Type = partial(_number, parts=True), "a number, such as 0.5"
_LENGTHS: _Type = _length, "a length, such as 3 or 2mm"
_SIZES: _Type = partial(_length, least=0), "a length that is not negative, such as 3 or 2mm"
_COLOURED = "a colour, such as #1b2c47"
_PAINTS: _Type = (
    partial(_colour, words=("none", "currentColor")),
    f"{_COLOURED}, none, or url(#...)",
)
_TRANSFORMS: _Type = _transform, "turns and moves, such as 'rotate(30) scale(2)', none by 0"


def _words(*words: str) -> _Type:
    return partial(_word, words=words), " or ".join(f"'{one}'" for one in words)


_RULES = _words("nonzero", "evenodd")
_UNITS = _words("userSpaceOnUse", "objectBoundingBox")
#: What each attribute takes, and that in words.
_TYPES: Mapping[str, _Type] = {
    **dict.fromkeys(("opacity", "fill-opacity", "stroke-opacity"), _NUMBERS),
    **dict.fromkeys(("stop-opacity", "offset"), _NUMBERS),
    "stroke-miterlimit": (partial(_number, least=0), "a number that is not negative, such as 4"),
    **dict.fromkeys(
        ["x", "y", "cx", "cy", "x1", "y1", "x2", "y2", "fx", "fy", "stroke-dashoffset"], _LENGTHS
    ),
    **dict.fromkeys(["width", "height", "r", "rx", "ry", "stroke-width"], _SIZES),
    "stroke-dasharray": (_dashes, "lengths, such as '4 2'"),
    **dict.fromkeys(("fill", "stroke"), _PAINTS),
    "stop-color": (partial(_colour, words=("currentColor",)), _COLOURED),
    "color": (_colour, _COLOURED),
    **dict.fromkeys(("transform", "gradientTransform"), _TRANSFORMS),
    "d": (_outline, "an outline that begins with M, such as 'M0 0L9 0 9 9Z'"),
    "points": (_points, "points, such as '0,0 9,0 9,9'"),
    **dict.fromkeys(("fill-rule", "clip-rule"), _RULES),
    **dict.fromkeys(("gradientUnits", "clipPathUnits"), _UNITS),
    "stroke-linecap": _words("butt", "round", "square"),
    "stroke-linejoin": _words("miter", "round", "bevel", "miter-clip", "arcs"),
    "clip-path": (partial(_word, words=("none",)), "url(#...) of the same drawing"),
    **dict.fromkeys(("display", "visibility"), (_word, "a word, such as 'none'")),
}
