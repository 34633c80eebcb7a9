"""The SVG that this program writes -> elements; anything else is an error, never passed over.

Our drawings are written as SVG, for screens and cutters; for paper they are read back. What is
read is the small part of SVG in which we write, one unit of it being one millimetre.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import cast
from xml.etree import ElementTree

from rulebook.drawing.curves import curves
from rulebook.drawing.elements import (
    Anchor,
    Cap,
    Colour,
    Element,
    Group,
    Join,
    Lettering,
    Letters,
    Matrix,
    Paint,
    Path,
    Picture,
    Step,
    Window,
    Words,
)
from rulebook.typefaces import typeface

_NAMESPACE = "{http://www.w3.org/2000/svg}"
#: Attributes of paths and of words, from which their paints and faces are told.
_PAINTED = (
    "fill",
    "fill-rule",
    "fill-opacity",
    "stroke",
    "stroke-width",
    "stroke-linejoin",
    "stroke-linecap",
    "stroke-dasharray",
)
_LETTERED = ("font-family", "font-weight", "font-style", "font-size", "fill", "letter-spacing")
_WEIGHTS = {"normal": 400, "bold": 700, "400": 400, "600": 600, "700": 700}


@lru_cache(maxsize=512)
def _lettering(*told: str | None) -> Lettering:
    style = {name: value for name, value in zip(_LETTERED, told, strict=True) if value is not None}
    weight = style.get("font-weight", "normal")
    fill = _colour(style.get("fill", "#000000"))
    family = style.get("font-family", "").split(",")[0].strip("'\" ")
    slant = _choice(style, "font-style", "normal")
    try:
        face = typeface(family, _WEIGHTS[weight], slant)
    except LookupError:
        raise OutsideDialect(f"words in {style}") from None
    if fill is None:
        raise OutsideDialect(f"words in {style}")
    size = _float(style.get("font-size", ""))
    return Lettering(face, size, fill, _float(style.get("letter-spacing", "0")))


def _text(node: ElementTree.Element, style: Mapping[str, str]) -> Words | Letters:
    if len(node):
        raise OutsideDialect(f"<{_tag(node[0])}> in <text>")
    text = _SPACE.sub(" ", node.text or "").strip(" ")
    lettering = _lettering(*map(style.get, _LETTERED))
    if style.get("stroke", "none") != "none":
        raise OutsideDialect("outlined words")
    if "rotate" in node.attrib:
        xs, ys, turns = (_floats(_attribute(node, name)) for name in ("x", "y", "rotate"))
        if not len(xs) == len(ys) == len(turns) == len(text):
            raise OutsideDialect(f"{len(xs)}, {len(ys)} and {len(turns)} places for '{text}'")
        return Letters(text, tuple(zip(xs, ys, turns, strict=True)), lettering)
    x, y = _numbers(node, "x", "y")
    anchor = cast(Anchor, _choice(style, "text-anchor", "start"))
    return Words(text, x, y, lettering, anchor)


def _matrix(text: str) -> Matrix | None:
    """All transformations of a list as one, the first of them outermost."""
    if not text:
        return None
    whole: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    rest = _TRANSFORM.sub("", text)
    if rest.strip(" "):
        raise OutsideDialect(f"transform {text}")
    for name, told in _TRANSFORM.findall(text):
        whole = _times(whole, _one_matrix(name, _floats(told), text))
    return whole


def _one_matrix(name: str, numbers: tuple[float, ...], text: str) -> Matrix:
    match name, numbers:
        case "translate", (x, y):
            return 1.0, 0.0, 0.0, 1.0, x, y
        case "scale", (x,):
            return x, 0.0, 0.0, x, 0.0, 0.0
        case "scale", (x, y):
            return x, 0.0, 0.0, y, 0.0, 0.0
        case "rotate", (angle,):
            return turned(angle)
        case "rotate", (angle, x, y):
            there = _times((1.0, 0.0, 0.0, 1.0, x, y), turned(angle))
            return _times(there, (1.0, 0.0, 0.0, 1.0, -x, -y))
        case "matrix", (a, b, c, d, e, f):
            return a, b, c, d, e, f
    raise OutsideDialect(f"transform {text}")


def turned(angle: float) -> Matrix:
    """A turn by degrees, clockwise; quarters are exact."""
    quarters, rest = divmod(angle, 90)
    if rest:
        sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    else:
        sine, cosine = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[int(quarters) % 4]
    return cosine, sine, -sine, cosine, 0.0, 0.0


def _times(outer: Matrix, inner: Matrix) -> Matrix:
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (
        a * g + c * h,
        b * g + d * h,
        a * i + c * j,
        b * i + d * j,
        a * k + c * m + e,
        b * k + d * m + f,
    )


#: Attributes that are inherited, and those that tell nothing of how an element looks.
_INHERITED = frozenset({*_PAINTED, *_LETTERED, "text-anchor"})
_SILENT = frozenset({"class", "id", "data-feature", "role"})
_OWN = {
    "g": frozenset({"transform", "clip-path"}),
    "path": frozenset({"d", "transform"}),
    "line": frozenset({"x1", "y1", "x2", "y2", "transform"}),
    "polyline": frozenset({"points", "transform"}),
    "polygon": frozenset({"points", "transform"}),
    "circle": frozenset({"cx", "cy", "r", "transform"}),
    "rect": frozenset({"x", "y", "width", "height", "transform"}),
    "text": frozenset({"x", "y", "rotate", "transform"}),
}
_ROOT = frozenset({"width", "height", "viewBox"})
_SPACE = re.compile(r"[ \t\r\n]+")
_STEP = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_URL = re.compile(r"url\(#([^()]+)\)")
_TRANSFORM = re.compile(r"([a-z]+)\(([^()]*)\)")
_COLOUR = re.compile(r"#[0-9a-f]{6}")
#: How many numbers each step of a path takes.
_TAKES = {"M": 2, "L": 2, "C": 6, "Q": 4, "Z": 0}


class OutsideDialect(ValueError):
    """SVG that this program does not write; the text says what."""


def read_svg(svg: str) -> Picture:
    """A drawing; raises OutsideDialect for what is no SVG of ours."""
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as fault:
        raise OutsideDialect(f"no XML: {fault}") from fault
    if _tag(root) != "svg":
        raise OutsideDialect(f"<{_tag(root)}> for <svg>")
    _expect(root, _ROOT)
    left, top, width, height = _floats(_attribute(root, "viewBox"))
    for name, units in (("width", width), ("height", height)):
        side = _attribute(root, name)
        if not side.endswith("mm") or _float(side[:-2]) != units:
            raise OutsideDialect(f"{name} {side} for {units} units")
    reader = _Reader()
    elements = tuple(reader.elements(root, reader.inherited(root, {})))
    window = (left, top, width, height)
    return Picture(window, reader.told["title"], reader.told["desc"], elements)


@dataclass(slots=True)
class _Reader:
    """Reads one drawing, and keeps what is told of it and the windows that it names."""

    windows: dict[str, Window] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=lambda: {"title": "", "desc": ""})

    def inherited(self, node: ElementTree.Element, above: Mapping[str, str]) -> dict[str, str]:
        """What an element paints with: what stands above it, and its own."""
        return {**above, **{key: node.attrib[key] for key in node.attrib if key in _INHERITED}}

    def elements(self, parent: ElementTree.Element, above: Mapping[str, str]) -> Iterator[Element]:
        """The elements in a group, in their order."""
        for node in parent:
            tag = _tag(node)
            if tag in self.told:
                if _tag(parent) == "svg":
                    self.told[tag] = node.text or ""
            elif tag == "defs":
                self._define(node)
            else:
                yield self._element(tag, node, above)

    def _define(self, node: ElementTree.Element) -> None:
        for clip in node:
            shapes = list(clip)
            if _tag(clip) != "clipPath" or len(shapes) != 1 or _tag(shapes[0]) != "rect":
                raise OutsideDialect("something other than a window in <defs>")
            _expect(shapes[0], _OWN["rect"] - {"transform"})
            self.windows[_attribute(clip, "id")] = _window(shapes[0])

    def _element(self, tag: str, node: ElementTree.Element, above: Mapping[str, str]) -> Element:
        if tag not in _OWN:
            raise OutsideDialect(f"<{tag}>")
        _expect(node, _OWN[tag])
        style = self.inherited(node, above)
        if tag == "g":
            return self._group(node, style)
        drawn: Element = _text(node, style) if tag == "text" else _shape(tag, node, style)
        matrix = _matrix(node.get("transform", ""))
        return Group((drawn,), matrix) if matrix else drawn

    def _group(self, node: ElementTree.Element, style: Mapping[str, str]) -> Group:
        window = None
        if named := node.get("clip-path"):
            match = _URL.fullmatch(named)
            if not match or match[1] not in self.windows:
                raise OutsideDialect(f"clip-path {named}")
            window = self.windows[match[1]]
        matrix = _matrix(node.get("transform", ""))
        return Group(tuple(self.elements(node, style)), matrix, window)


def _tag(node: ElementTree.Element) -> str:
    return node.tag.removeprefix(_NAMESPACE)


def _expect(node: ElementTree.Element, own: frozenset[str]) -> None:
    for key in node.attrib:
        if not (key in _INHERITED or key in own or key in _SILENT):
            raise OutsideDialect(f"{key} of <{_tag(node)}>")
    if _tag(node) != "text" and node.text and node.text.strip():
        raise OutsideDialect(f"words in <{_tag(node)}>")


def _attribute(node: ElementTree.Element, name: str) -> str:
    if name not in node.attrib:
        raise OutsideDialect(f"<{_tag(node)}> without {name}")
    return node.attrib[name]


def _float(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise OutsideDialect(f"'{text}' for a number")
    return value


def _floats(text: str) -> tuple[float, ...]:
    try:
        values = tuple(map(float, text.replace(",", " ").split()))
    except ValueError:
        raise OutsideDialect(f"'{text[:40]}' for numbers") from None
    if not all(map(math.isfinite, values)):
        raise OutsideDialect(f"'{text[:40]}' for numbers")
    return values


def _numbers(node: ElementTree.Element, *names: str) -> tuple[float, ...]:
    return tuple(_float(_attribute(node, name)) for name in names)


def _window(node: ElementTree.Element) -> Window:
    left, top, width, height = _numbers(node, "x", "y", "width", "height")
    return left, top, width, height


def _shape(tag: str, node: ElementTree.Element, style: Mapping[str, str]) -> Path:
    steps: tuple[Step, ...]
    if tag == "line":
        x1, y1, x2, y2 = _numbers(node, "x1", "y1", "x2", "y2")
        steps = (("M", (x1, y1)), ("L", (x2, y2)))
    elif tag == "path":
        steps = _steps(_attribute(node, "d"))
    elif tag == "circle":
        steps = _circle(*_numbers(node, "cx", "cy", "r"))
    elif tag == "rect":
        left, top, width, height = _window(node)
        corners = (left, top, left + width, top, left + width, top + height, left, top + height)
        steps = _lines(corners, closed=True)
    else:
        steps = _lines(_floats(_attribute(node, "points")), closed=tag == "polygon")
    return Path(steps, _paint(*map(style.get, _PAINTED)))


def _lines(numbers: tuple[float, ...], *, closed: bool) -> tuple[Step, ...]:
    if len(numbers) % 2 or not numbers:
        raise OutsideDialect(f"{len(numbers)} numbers for points")
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    steps: list[Step] = [("M", points[0]), *(("L", point) for point in points[1:])]
    return (*steps, ("Z", ())) if closed else tuple(steps)


def _circle(x: float, y: float, radius: float) -> tuple[Step, ...]:
    left, right = (x - radius, y), (x + radius, y)
    steps: list[Step] = [("M", left)]
    for start, end in ((left, right), (right, left)):
        steps += [("C", (*one, *other, *to)) for one, other, to in curves(start, end, 180)]
    return (*steps, ("Z", ()))


@lru_cache(maxsize=2048)
def _steps(d: str) -> tuple[Step, ...]:
    """The steps of a path whose coordinates are all counted from the zero of the drawing."""
    if not d.startswith("M"):
        raise OutsideDialect(f"a path that begins with '{d[:10]}'")
    found: list[Step] = []
    at = (0.0, 0.0)
    for name, told in _STEP.findall(d):
        takes = _TAKES.get(name)
        numbers = _floats(told)
        if takes is None or (len(numbers) % takes if takes else numbers):
            raise OutsideDialect(f"'{name}{told[:40]}' in a path")
        if not takes:
            found.append(("Z", ()))
            continue
        for start in range(0, len(numbers), takes):
            part = numbers[start : start + takes]
            if name == "Q":
                part = _cubic(at, part)
            # points after the first are led to by lines
            step = "C" if name in "CQ" else "L" if start or name == "L" else "M"
            found.append(cast(Step, (step, part)))
            at = (part[-2], part[-1])
    return tuple(found)


def _cubic(at: tuple[float, float], numbers: tuple[float, ...]) -> tuple[float, ...]:
    """A curve with one control point as one with two, each two thirds of the way to it."""
    x, y, end_x, end_y = numbers
    return (
        at[0] + 2 * (x - at[0]) / 3,
        at[1] + 2 * (y - at[1]) / 3,
        end_x + 2 * (x - end_x) / 3,
        end_y + 2 * (y - end_y) / 3,
        end_x,
        end_y,
    )


_CHOICES = {
    "fill-rule": {"nonzero", "evenodd"},
    "stroke-linejoin": {"miter", "round", "bevel"},
    "stroke-linecap": {"butt", "round", "square"},
    "font-style": {"normal", "italic"},
    "text-anchor": {"start", "middle", "end"},
}


@lru_cache(maxsize=512)
def _paint(*told: str | None) -> Paint:
    style = {name: value for name, value in zip(_PAINTED, told, strict=True) if value is not None}
    return Paint(
        fill=_colour(style.get("fill", "#000000")),
        stroke=_colour(style.get("stroke", "none")),
        width=_float(style.get("stroke-width", "1")),
        cap=cast(Cap, _choice(style, "stroke-linecap", "butt")),
        join=cast(Join, _choice(style, "stroke-linejoin", "miter")),
        dash=_floats(style["stroke-dasharray"]) if "stroke-dasharray" in style else (),
        even_odd=_choice(style, "fill-rule", "nonzero") == "evenodd",
        opacity=_float(style.get("fill-opacity", "1")),
    )


def _choice(style: Mapping[str, str], name: str, otherwise: str) -> str:
    value = style.get(name, otherwise)
    if value not in _CHOICES[name]:
        raise OutsideDialect(f"{name} {value}")
    return value


def _colour(text: str) -> Colour | None:
    if text == "none":
        return None
    if not _COLOUR.fullmatch(text):
        raise OutsideDialect(f"colour {text}")
    red, green, blue = (int(text[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red, green, blue
