"""Bytes of an SVG file -> the same drawing in plain elements, or the faults of what it may not be.

What is passed on is written anew from a list of elements and attributes that can only draw: nothing
else of the file reaches a page. Other files, addresses, scripts, words and document types are
refused, so that there is no entity to expand and nothing to fetch. What drawing programs note for
themselves in namespaces of their own is passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from rulebook.loading.svg_values import Refused, checked
from rulebook.problems import Problem, Span

#: How shapes are painted; what a drawing program writes either as attributes or as a style.
_PAINT = frozenset(
    [
        "fill",
        "fill-opacity",
        "fill-rule",
        "stroke",
        "stroke-width",
        "stroke-opacity",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-miterlimit",
        "stroke-dasharray",
        "stroke-dashoffset",
        "opacity",
        "clip-path",
        "clip-rule",
        "color",
        "stop-color",
        "stop-opacity",
        "display",
        "visibility",
    ]
)
#: What else each element is drawn by. A page maker may hand it on to the elements within, so that
#: it is passed over where it has no effect.
_SHAPE = {
    "g": "transform",
    "use": "transform x y",
    "path": "transform d",
    "rect": "transform x y width height rx ry",
    "circle": "transform cx cy r",
    "ellipse": "transform cx cy rx ry",
    "line": "transform x1 y1 x2 y2",
    "polyline": "transform points",
    "polygon": "transform points",
    "clipPath": "transform clipPathUnits",
    "linearGradient": "x1 y1 x2 y2 gradientUnits gradientTransform",
    "radialGradient": "cx cy r fx fy gradientUnits gradientTransform",
    "stop": "offset",
}
_GEOMETRY = frozenset(" ".join(_SHAPE.values()).split())
#: They change nothing of what is drawn here.
_WITHOUT_EFFECT = re.compile(
    r"class|role|version|lang|tabindex|(?:data|aria|-inkscape|font|text)-.*"
)
#: Properties of a style with these values are as if they were not there.
_NEUTRAL = frozenset(("normal", "auto", "none", "accumulate", "markers fill stroke", "start", "1"))
_REFERRING = ("fill", "stroke", "clip-path")
_REFERENCE = re.compile(r"url\(\s*['\"]?#([A-Za-z_][\w.-]*)['\"]?\s*\)(?:\s+[a-z]+)?", re.ASCII)
_HREF = re.compile(r"#([A-Za-z_][\w.-]*)", re.ASCII)
_ID = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_LENGTH = re.compile(r"\s*(\d{1,6}(?:\.\d{1,6})?)\s*+(?:(?:px|mm|cm|in|pt|pc)\s*)?", re.ASCII)
_BOX = re.compile(r"[-+]?\d{1,6}(?:\.\d{1,12})?", re.ASCII)
_AS_AROUND = "inherit"
#: What elements do not have from those around them.
_OWN = frozenset(("opacity", "clip-path", "stop-color", "stop-opacity", "display"))
_XLINK = "http://www.w3.org/1999/xlink href"


def plain_attributes(
    element: str, attributes: dict[str, str], *, as_written: bool = False
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The attributes that draw, and the ids of other elements that they name; raises Refused.

    `as_written` leaves their values as the author has them, once they have been looked through.
    """
    plain: dict[str, str] = {}
    for name, value in attributes.items():
        if name in ("href", _XLINK):
            plain["href"] = _named(element, value)
        elif name == "style":
            continue
        elif " " in name or _WITHOUT_EFFECT.fullmatch(name):
            continue  # of another namespace, or told to those who cannot see
        elif name in _PAINT or name == "id":
            plain[name] = _checked(name, value, as_written)
        elif name in _GEOMETRY:
            written = _checked(name, value, as_written)
            if as_written or name in _SHAPE.get(element, "").split():
                plain[name] = written
        else:
            raise Refused.of("R218 attribute", name=name)
    plain |= _styled(attributes.get("style", ""), as_written)  # it goes before attributes
    # An element has what is around it, where it does not say otherwise.
    if not as_written:
        plain = {name: value for name, value in plain.items() if value != _AS_AROUND}
    named = (_REFERENCE.fullmatch(plain.get(name, "")) for name in _REFERRING)
    drawn = (plain["href"].removeprefix("#"),) if "href" in plain else ()
    return plain, (*drawn, *(match[1] for match in named if match))


def _named(element: str, value: str) -> str:
    match = _HREF.fullmatch(value.strip())
    if match is None or element not in ("use", "linearGradient", "radialGradient"):
        raise Refused.of("R218 reference", name=value)
    return f"#{match[1]}"


def _checked(name: str, value: str, as_written: bool) -> str:
    value = value.strip()
    if name == "id":
        if not _ID.fullmatch(value):
            raise Refused.of("R218 id", value=value)
        return value
    if name in _REFERRING and (match := _REFERENCE.fullmatch(value)):
        return f"url(#{match[1]})"
    if value == _AS_AROUND and name in _PAINT - _OWN:
        return value
    drawn = checked(name, value)
    return " ".join(value.split()) if as_written else drawn


def _styled(style: str, as_written: bool) -> dict[str, str]:
    found: dict[str, str] = {}
    for declaration in style.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name in _PAINT:
            found[name] = _checked(name, value, as_written)
        elif name and not _WITHOUT_EFFECT.fullmatch(name) and value not in _NEUTRAL:
            raise Refused.of("R218 property", name=name)
    return found


def view_box(attributes: dict[str, str]) -> str | None:
    """`left top width height` of the root, None where it does not say so in numbers."""
    if "viewBox" in attributes:
        numbers = attributes["viewBox"].replace(",", " ").split()
        if len(numbers) != 4 or not all(_BOX.fullmatch(number) for number in numbers):
            return None
    else:
        sides = [_LENGTH.fullmatch(attributes.get(side, "")) for side in ("width", "height")]
        numbers = ["0", "0", *(side[1] for side in sides if side)]
        if len(numbers) != 4:
            return None
    return " ".join(numbers) if min(map(float, numbers[2:])) > 0 else None


SVG = "http://www.w3.org/2000/svg"
_SHAPES = "path rect circle ellipse line polyline polygon"
_GROUPS = "g defs use clipPath linearGradient radialGradient stop"
#: What a drawing consists of.
ELEMENTS = frozenset(f"{_SHAPES} {_GROUPS}".split())
#: What tells of a drawing and draws nothing.
_PASSED_OVER = frozenset(("title", "desc", "metadata"))
#: Why an element that an author is likely to meet is not among them.
_HINTS = {
    "text": "turn the words into paths; the title is set by rulebook",
    "image": "give the picture itself as PNG or JPEG, or draw it in paths",
    "style": "save as plain SVG with its colours in attributes",
    "script": "delete it",
    "filter": "draw it without filters",
    "mask": "cut it with a clipPath instead",
    "pattern": "draw the pattern in paths",
}
MOST_ELEMENTS = 20_000
#: What is drawn where each `use` draws all that it names.
MOST_DRAWN = 60_000
DEEPEST = 48
MOST_FAULTS = 20


class _Stop(Exception):
    """Enough is known: the rest of the file is not read."""


@dataclass(slots=True)
class _Element:
    name: str
    attributes: dict[str, str]
    uses: tuple[str, ...]
    span: Span
    inside: list[_Element] = field(default_factory=list)

    def text(self) -> str:
        written = "".join(f" {key}={quoteattr(value)}" for key, value in self.attributes.items())
        if not self.inside:
            return f"<{self.name}{written}/>"
        inside = "".join(one.text() for one in self.inside)
        return f"<{self.name}{written}>{inside}</{self.name}>"


def read_svg(
    data: bytes, shown: str, *, as_written: bool = False
) -> tuple[bytes | None, list[Problem]]:
    """The drawing in plain SVG, or None and its faults, told at their places in the file.

    `as_written` keeps the author's own numbers, as an edition does that is released; without it
    they are those of which the page maker draws the same.
    """
    reader = _Reader(shown, as_written)
    reader.read(data)
    root = reader.root
    if root is not None and not reader.problems:
        reader.problems += _faults_of_uses(root)
    if root is None or reader.problems:
        return None, reader.problems
    return root.text().encode(), []


class _Reader:
    """Collects elements and faults while the parser goes through a file."""

    def __init__(self, shown: str, as_written: bool) -> None:
        self.shown = shown
        self._as_written = as_written
        self.root: _Element | None = None
        self.problems: list[Problem] = []
        self._open: list[_Element] = []
        self._count = 0
        self._passed_over = 0
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.ProcessingInstructionHandler = self._instruction

    def read(self, data: bytes) -> None:
        try:
            self._parser.Parse(data, True)
        except _Stop:
            pass
        except (expat.ExpatError, ValueError, LookupError) as fault:
            reason = str(fault).partition(": line")[0][:80]
            self._add("R217 no svg", reason=reason)

    def _here(self) -> Span:
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        return Span(self.shown, line, column, line, column + 1)

    def _add(self, key: str, /, **values: Any) -> None:
        self.problems.append(Problem.of(key, self._here(), **values))

    def _stop(self, key: str, /, **values: Any) -> None:
        self._add(key, **values)
        raise _Stop

    def _doctype(self, *_: object) -> None:
        self._stop("R218 document type")

    def _instruction(self, target: str, _: str) -> None:
        self._stop("R218 instruction", target=target)

    def _start(self, qualified: str, attributes: dict[str, str]) -> None:
        space, _, name = qualified.rpartition(" ")
        self._count += 1
        if self._count > MOST_ELEMENTS or len(self._open) + self._passed_over > DEEPEST:
            self._stop("R102 drawing too large", elements=MOST_ELEMENTS, deep=DEEPEST)
        if self._passed_over or (self._open and (space != SVG or name in _PASSED_OVER)):
            self._passed_over += 1
            return
        if not self._open:
            self._begin(space, name, attributes)
            return
        if name not in ELEMENTS:
            here, instead = self._here(), _HINTS.get(name, "")
            self._refuse(Problem.of("R218 element", here, name=name, instead=instead))
            self._passed_over += 1
            return
        plain, uses = self._plain(name, attributes)
        if name in ("polyline", "polygon") and not self._as_written:
            name, corners = "path", plain.pop("points", "")
            plain |= {"d": corners + "Z" if corners and name == "polygon" else corners}
        element = _Element(name, plain, uses, self._here())
        self._open[-1].inside.append(element)
        self._open.append(element)

    def _begin(self, space: str, name: str, attributes: dict[str, str]) -> None:
        if (space, name) != (SVG, "svg"):
            self._stop("R217 no drawing", name=name, svg=SVG)
        box = view_box(attributes)
        if box is None:
            self._stop("R217 no view box")
        kept = ("fill", "stroke", "stroke-width", "style", "id")
        own = {key: value for key, value in attributes.items() if key in kept}
        plain, _ = self._plain("g", own)
        _, _, width, height = str(box).split()
        sizes = {"viewBox": str(box), "width": width, "height": height}
        self.root = _Element("svg", {"xmlns": SVG, **sizes, **plain}, (), self._here())
        self._open.append(self.root)

    def _plain(
        self, name: str, attributes: dict[str, str]
    ) -> tuple[dict[str, str], tuple[str, ...]]:
        try:
            return plain_attributes(name, attributes, as_written=self._as_written)
        except Refused as fault:
            self._refuse(Problem.at(fault, self._here()))
            return {}, ()

    def _refuse(self, problem: Problem) -> None:
        self.problems.append(problem)
        if len(self.problems) >= MOST_FAULTS:
            raise _Stop

    def _end(self, _: str) -> None:
        if self._passed_over:
            self._passed_over -= 1
        else:
            self._open.pop()


def _faults_of_uses(root: _Element) -> list[Problem]:
    """A fault where an element names nothing or itself, or where all of them draw too much.

    A few of them, each drawing the one before ten times, would draw without end.
    """
    named: dict[str, _Element] = {}
    everything = [root]
    for element in everything:
        named.setdefault(element.attributes.get("id", ""), element)
        everything += element.inside
    for element in everything:
        for name in element.uses:
            if name not in named:
                return [Problem.of("R218 no such id", element.span, name=name)]
    try:
        drawn, _ = _drawn(root, named, {}, ())
    except _Endless as fault:
        return [Problem.of("R218 draws itself", fault.span)]
    if drawn > MOST_DRAWN:
        return [Problem.of("R102 drawing draws too much", root.span, most=MOST_DRAWN)]
    return []


class _Endless(Exception):
    def __init__(self, span: Span) -> None:
        super().__init__(span)
        self.span = span


def _drawn(
    element: _Element,
    named: dict[str, _Element],
    sizes: dict[int, tuple[int, int]],
    above: tuple[int, ...],
) -> tuple[int, int]:
    """How many shapes an element draws, and how deep they are inside one another."""
    key = id(element)
    if key in sizes:
        return sizes[key]
    if key in above or len(above) > 2 * DEEPEST:
        raise _Endless(element.span)
    parts = [*element.inside, *(named[name] for name in element.uses)]
    found = [_drawn(part, named, sizes, (*above, key)) for part in parts]
    deep = 1 + max((depth for _, depth in found), default=0)
    if deep > 2 * DEEPEST:
        raise _Endless(element.span)
    sizes[key] = (1 + sum(count for count, _ in found), deep)
    return sizes[key]
