"""The SVG that this program writes -> elements; anything else is an error, never passed over.

Our drawings are written as SVG, for screens and cutters; for paper they are read back. What is
read is the small part of SVG in which we write, one unit of it being one millimetre. Of each
element the attributes that are known are taken; one that is left over is an error.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from typing import Any, cast, get_args
from xml.etree import ElementTree

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
from rulebook.drawing.svg import curves
from rulebook.typefaces import typeface

_NAMESPACE = "{http://www.w3.org/2000/svg}"
#: Attributes of which a paint is made, and those of a lettering, each with what holds without it.
_PAINTED = {
    "fill": "#000000",
    "fill-rule": "nonzero",
    "fill-opacity": "1",
    "stroke": "none",
    "stroke-width": "1",
    "stroke-linejoin": "miter",
    "stroke-linecap": "butt",
    "stroke-dasharray": "",
}
_LETTERED = {
    "font-family": "",
    "font-weight": "normal",
    "font-style": "normal",
    "font-size": "",
    "fill": "#000000",
    "letter-spacing": "0",
}
_INHERITED = {**_PAINTED, **_LETTERED, "text-anchor": "start"}
_WEIGHTS = {"normal": 400, "bold": 700, "400": 400, "600": 600, "700": 700}
#: Attributes that tell nothing of how an element looks.
_SILENT = ("class", "id", "data-feature", "role")
_SPACE = re.compile(r"[ \t\r\n]+")
_STEP = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_TRANSFORM = re.compile(r"(?<![a-z])([a-z]++)\(([^()]*)\)")
#: How many numbers each step of a path takes.
_TAKES = {"M": 2, "L": 2, "C": 6, "Q": 4, "Z": 0}
_SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class OutsideDialect(ValueError):
    """SVG that this program does not write; the text says what."""


def read_svg(svg: str) -> Picture:
    """A drawing; raises OutsideDialect for what is no SVG of ours."""
    try:
        root = ElementTree.fromstring(svg)
        attributes = dict(root.attrib)
        left, top, width, height = _numbers(attributes.pop("viewBox"))
        sides = [attributes.pop("width"), attributes.pop("height")]
        if _tag(root) != "svg" or [f"{width:.12g}mm", f"{height:.12g}mm"] != sides:
            raise ValueError(f"<{_tag(root)}> {sides} for {width} by {height} units")
        reader = _SvgReader()
        style = _taken(attributes, _INHERITED)
        _expect_nothing(root, attributes)
        elements = tuple(reader.elements(root, style))
    except (ElementTree.ParseError, LookupError, TypeError, ValueError) as fault:
        raise OutsideDialect(f"{type(fault).__name__}: {fault}") from fault
    window = (left, top, width, height)
    return Picture(window, reader.words["title"], reader.words["desc"], elements)


def _tag(node: ElementTree.Element) -> str:
    return node.tag.removeprefix(_NAMESPACE)


def _taken(attributes: dict[str, str], above: Mapping[str, str]) -> dict[str, str]:
    """What an element paints with: what stands above it, and its own, taken from its attributes."""
    return {**above, **{key: attributes.pop(key) for key in _INHERITED if key in attributes}}


def _expect_nothing(node: ElementTree.Element, attributes: dict[str, str]) -> None:
    """Raises ValueError for an attribute that is left over, and for words that are in no text."""
    for key in _SILENT:
        attributes.pop(key, None)
    if attributes or (_tag(node) != "text" and (node.text or "").strip()):
        raise ValueError(f"{list(attributes)} or words in <{_tag(node)}>")


@dataclass(slots=True)
class _SvgReader:
    """Reads one drawing, and keeps what is said of it and the windows that it names."""

    windows: dict[str, Window] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=lambda: {"title": "", "desc": ""})

    def elements(self, parent: ElementTree.Element, above: Mapping[str, str]) -> Iterator[Element]:
        """The elements in a group, in their order."""
        for node in parent:
            tag = _tag(node)
            if tag in self.words:
                if _tag(parent) == "svg":
                    self.words[tag] = node.text or ""
            elif tag == "defs":
                for clip in node:
                    (rect,) = clip
                    if (_tag(clip), _tag(rect)) != ("clipPath", "rect"):
                        raise ValueError("something other than a window in <defs>")
                    window = dict(rect.attrib)
                    self.windows[f"url(#{clip.attrib['id']})"] = _window(window)
                    _expect_nothing(rect, window)
            else:
                yield self._element(tag, node, above)

    def _element(self, tag: str, node: ElementTree.Element, above: Mapping[str, str]) -> Element:
        attributes = dict(node.attrib)
        style = _taken(attributes, above)
        matrix = _matrix(attributes.pop("transform", ""))
        if tag == "g":
            clip = attributes.pop("clip-path", None)
            window = None if clip is None else self.windows[clip]
            _expect_nothing(node, attributes)
            return Group(tuple(self.elements(node, style)), matrix, window)
        drawn: Element
        if tag == "text":
            drawn = _text(node, attributes, style)
        else:
            drawn = Path(_shape(tag, attributes), _paint(*map(style.__getitem__, _PAINTED)))
        _expect_nothing(node, attributes)
        return Group((drawn,), matrix) if matrix else drawn


def _text(
    node: ElementTree.Element, attributes: dict[str, str], style: Mapping[str, str]
) -> Words | Letters:
    if len(node) or style["stroke"] != "none":
        raise ValueError("outlined words, or elements in <text>")
    text = _SPACE.sub(" ", node.text or "").strip(" ")
    lettering = _lettering(*map(style.__getitem__, _LETTERED))
    xs, ys = _numbers(attributes.pop("x")), _numbers(attributes.pop("y"))
    if "rotate" in attributes:
        places = zip(xs, ys, _numbers(attributes.pop("rotate")), text, strict=True)
        return Letters(text, tuple((x, y, turn) for x, y, turn, _ in places), lettering)
    (x,), (y,) = xs, ys
    return Words(text, x, y, lettering, _choice(style["text-anchor"], Anchor))


@lru_cache(maxsize=512)
def _lettering(*values: str) -> Lettering:
    families, weight, slant, size, fill, spacing = values
    face = typeface(families.split(",", maxsplit=1)[0].strip("'\" "), _WEIGHTS[weight], slant)
    colour = _colour(fill)
    if colour is None:
        raise ValueError("words without a colour")
    return Lettering(face, _number(size), colour, _number(spacing))


@lru_cache(maxsize=512)
def _paint(*values: str) -> Paint:
    fill, rule, opacity, stroke, width, join, cap, dash = values
    return Paint(
        fill=_colour(fill),
        stroke=_colour(stroke),
        width=_number(width),
        cap=_choice(cap, Cap),
        join=_choice(join, Join),
        dash=_numbers(dash),
        even_odd=("nonzero", "evenodd").index(rule) == 1,
        opacity=_number(opacity),
    )


def _choice(value: str, kinds: Any) -> Any:
    if value not in get_args(kinds):
        raise ValueError(value)
    return value


def _colour(text: str) -> Colour | None:
    if text == "none":
        return None
    if not re.fullmatch("#[0-9a-f]{6}", text):
        raise ValueError(f"colour {text}")
    red, green, blue = (int(text[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red, green, blue


def _numbers(text: str) -> tuple[float, ...]:
    values = tuple(map(float, text.replace(",", " ").split()))
    if not all(map(math.isfinite, values)):
        raise ValueError(f"'{text[:40]}' for numbers")
    return values


def _number(text: str) -> float:
    (value,) = _numbers(text)
    return value


def _matrix(text: str) -> Matrix | None:
    """All transformations of a list as one, the first of them outermost."""
    if not text:
        return None
    if _TRANSFORM.sub("", text).strip(" "):
        raise ValueError(f"transform {text}")
    found = (_one_matrix(name, _numbers(arguments)) for name, arguments in _TRANSFORM.findall(text))
    return reduce(_times, found, _SAME)


def _one_matrix(name: str, numbers: tuple[float, ...]) -> Matrix:
    match name, numbers:
        case "translate", (x, y):
            return 1.0, 0.0, 0.0, 1.0, x, y
        case "scale", (x,) | (x, _):
            return x, 0.0, 0.0, numbers[-1], 0.0, 0.0
        case "rotate", (angle,):
            return turned(angle)
        case "rotate", (angle, x, y):
            there = _times((1.0, 0.0, 0.0, 1.0, x, y), turned(angle))
            return _times(there, (1.0, 0.0, 0.0, 1.0, -x, -y))
        case "matrix", (a, b, c, d, e, f):
            return a, b, c, d, e, f
    raise ValueError(f"{name}{numbers}")


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


def _window(attributes: dict[str, str]) -> Window:
    left, top, width, height = _popped(attributes, "x", "y", "width", "height")
    return left, top, width, height


def _popped(attributes: dict[str, str], *names: str) -> tuple[float, ...]:
    return tuple(_number(attributes.pop(name)) for name in names)


def _shape(tag: str, attributes: dict[str, str]) -> tuple[Step, ...]:
    match tag:
        case "line":
            return _lines(_popped(attributes, "x1", "y1", "x2", "y2"), closed=False)
        case "path":
            return _steps(attributes.pop("d"))
        case "circle":
            return _circle(*_popped(attributes, "cx", "cy", "r"))
        case "rect":
            left, top, width, height = _window(attributes)
            right, bottom = left + width, top + height
            return _lines((left, top, right, top, right, bottom, left, bottom), closed=True)
        case "polyline" | "polygon":
            return _lines(_numbers(attributes.pop("points")), closed=tag == "polygon")
    raise ValueError(f"<{tag}>")


def _lines(numbers: tuple[float, ...], *, closed: bool) -> tuple[Step, ...]:
    first, *others = zip(numbers[::2], numbers[1::2], strict=True)
    steps: list[Step] = [("M", first), *(("L", point) for point in others)]
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
        raise ValueError(f"a path that begins with '{d[:10]}'")
    found: list[Step] = []
    at = (0.0, 0.0)
    for name, coordinates in _STEP.findall(d):
        takes, numbers = _TAKES[name], _numbers(coordinates)
        if len(numbers) % takes if takes else numbers:
            raise ValueError(f"'{name}{coordinates[:40]}' in a path")
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
    x, y, *end = numbers
    ends = (at, end)
    return (*(v for px, py in ends for v in (px + 2 * (x - px) / 3, py + 2 * (y - py) / 3)), *end)
