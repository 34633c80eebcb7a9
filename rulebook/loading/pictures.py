"""The name of a picture in a ruleset's folder -> its bytes, or the fault why none are printed.

Nothing outside the folder is opened, and a picture is looked through to its end: one that breaks
off would only fail when it is printed. An SVG drawing is written anew from a list of elements and
of their attributes, each with the form of its values; all else is refused by name. So no script,
words, style sheet, other file or address reaches a page, and without a document type there is no
entity to expand. What drawing programs note in namespaces of their own is left out.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import NoReturn, TypeAlias
from xml.parsers import expat

from rulebook.limits import (
    DEEPEST,
    LARGEST_FILE,
    LARGEST_PICTURE,
    MOST_POINTS,
    MOST_VALUES,
    beyond,
    mebibytes,
)
from rulebook.loading.nodes import MappingNode, Node, Scalar, find_node
from rulebook.loading.safe_text import Unreadable
from rulebook.model.header import MEDIA, InlinePicture, ending_of, picture_name
from rulebook.model.ruleset import Address
from rulebook.plain_files import read_plain, reason_of, stays_inside
from rulebook.problems import Problem, Span
from rulebook.quantities import QuantityError

SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink href"

_NUMBER = r"(?>[-+]?(?:\d{1,6}(?:\.\d{0,20})?|\.\d{1,20})(?:[eE]-\d{1,2})?)(?!\d)"
_LENGTH = rf"{_NUMBER}(?:px|mm|cm|in|pt|pc|%)?"
_SIZE = rf"(?!-){_LENGTH}"
_NEXT = rf"[\s,]*+{_NUMBER}"
_SEPARATED = r"(?:\s++,?|,)\s*+"
_FLAG = r"[\s,]*+[01]"
_REFERENCE = r"url\(#([A-Za-z_][\w.-]*)\)"
_COLOUR = r"#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,30}|rgb\(\s*+\d{1,3}(?:\s*+,\s*+\d{1,3}){2}\s*+\)"
_PAINT = rf"{_COLOUR}|{_REFERENCE}"
#: What may follow the first point of an outline: each letter with as many numbers as it takes.
_OUTLINE = (
    rf"[MmLlTt](?:{_NEXT * 2})++|[HhVv](?:{_NEXT})++|[SsQq](?:{_NEXT * 4})++"
    rf"|[Cc](?:{_NEXT * 6})++|[Aa](?:{_NEXT * 3}{_FLAG * 2}{_NEXT * 2})++|[Zz]"
)
_TRANSFORM = (
    rf"translate\({_NEXT}(?:{_NEXT})?|scale\({_NEXT}(?:{_NEXT})?|rotate\({_NEXT}(?:{_NEXT * 2})?"
    rf"|skew[XY]\({_NEXT}|matrix\({_NEXT * 6}"
)
#: Attributes that any element may have, with the form of their values; a style may hold them too.
_PAINTING = {
    "fill": _PAINT,
    "stroke": _PAINT,
    "color": _COLOUR,
    "stop-color": _COLOUR,
    "clip-path": rf"none|{_REFERENCE}",
    **dict.fromkeys(("opacity", "fill-opacity", "stroke-opacity", "stop-opacity"), f"{_NUMBER}%?"),
    "stroke-width": _SIZE,
    "stroke-dasharray": rf"none|{_SIZE}(?:[\s,]++{_SIZE})*+",
    "stroke-dashoffset": _LENGTH,
    "stroke-linecap": "butt|round|square",
    "stroke-linejoin": "miter|round|bevel",
    "stroke-miterlimit": f"(?!-){_NUMBER}",
    **dict.fromkeys(("fill-rule", "clip-rule"), "nonzero|evenodd"),
    **dict.fromkeys(("display", "visibility"), "[a-z-]{1,20}"),
    "id": r"([A-Za-z_][\w.-]*)",
}
_TURNS = rf"(?:[\s,]*+(?:{_TRANSFORM})\s*+\))*+\s*+"
_DRAWN = {"transform": _TURNS}
_AT = dict.fromkeys(("x", "y"), _LENGTH)
_SIDES = dict.fromkeys(("width", "height"), _SIZE)
_POINTS = {**_DRAWN, "points": rf"(?:{_NEXT * 2})++\s*+"}
_HREF = {"href": r"#([A-Za-z_][\w.-]*)"}
_UNITS = "userSpaceOnUse|objectBoundingBox"
_GRADIENT = {**_HREF, "gradientUnits": _UNITS, "gradientTransform": _TURNS}
#: What a drawing consists of, and what each of it has besides.
ELEMENTS: dict[str, dict[str, str]] = {
    "g": _DRAWN,
    "defs": {},
    "use": {**_DRAWN, **_HREF, **_AT, **_SIDES},
    "path": {**_DRAWN, "d": rf"(?:\s*+(?=[Mm])(?:\s*+(?:{_OUTLINE}))*+)?\s*+"},
    "rect": {**_DRAWN, **_AT, **_SIDES, "rx": _SIZE, "ry": _SIZE},
    "circle": {**_DRAWN, "cx": _LENGTH, "cy": _LENGTH, "r": _SIZE},
    "ellipse": {**_DRAWN, "cx": _LENGTH, "cy": _LENGTH, "rx": _SIZE, "ry": _SIZE},
    "line": {**_DRAWN, **dict.fromkeys(("x1", "y1", "x2", "y2"), _LENGTH)},
    "polyline": _POINTS,
    "polygon": _POINTS,
    "clipPath": {**_DRAWN, "clipPathUnits": _UNITS},
    "linearGradient": {**_GRADIENT, **dict.fromkeys(("x1", "y1", "x2", "y2"), _LENGTH)},
    "radialGradient": {**_GRADIENT, **dict.fromkeys(("cx", "cy", "r", "fx", "fy"), _LENGTH)},
    "stop": {"offset": f"{_NUMBER}%?"},
}
#: What describes a drawing and draws nothing.
_LEFT_OUT = frozenset(("title", "desc", "metadata"))
_WITHOUT_EFFECT = re.compile(r"class|role|version|(?:aria|data)-[\w-]+")
_HINT = "save it as plain SVG, words as paths, or delete it"


@dataclass(slots=True)
class _Element:
    name: str
    attributes: dict[str, str]
    span: Span
    uses: list[str] = field(default_factory=list)
    inside: list[_Element] = field(default_factory=list)

    def text(self) -> str:
        written = "".join(
            f' {key}="{value.translate(_ESCAPED)}"' for key, value in self.attributes.items()
        )
        inside = "".join(part.text() for part in self.inside)
        end = f">{inside}</{self.name}>" if inside else "/>"
        return f"<{self.name}{written}{end}"


#: What stands for these characters in the value of an attribute.
_ESCAPED = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    | {mark: f"&#{ord(mark)};" for mark in "\t\n\r"}
)


def read_svg(data: bytes, shown: str) -> bytes:
    """Returns an SVG file reduced to the elements and attributes that are allowed in drawings.

    Raises Unreadable at the first that is not; `shown` is the path of the file in reports.
    """
    return _SvgCleaner(shown).read(data).text().encode()


class _SvgCleaner:
    """Collects the elements of a plain drawing while a parser reads an SVG file."""

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self._root: _Element | None = None
        self._open: list[_Element] = []
        self._named: dict[str, _Element] = {}
        self._left = MOST_VALUES
        self._left_out = 0
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = lambda *_: self._refuse("a document type")
        self._parser.ProcessingInstructionHandler = lambda name, _: self._refuse(f"<?{name:.30}?>")

    def read(self, data: bytes) -> _Element:
        """Parses the drawing and returns its root element; raises Unreadable."""
        try:
            self._parser.Parse(data, True)
        except (expat.ExpatError, ValueError, LookupError) as fault:
            self._no_drawing(str(fault).partition(": line")[0][:80])
        if self._root is None:
            self._no_drawing("there is nothing in it")
        self._left = MOST_VALUES
        self._spend(self._root, 0)
        return self._root

    def _here(self) -> Span:
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        return Span(self.shown, line, column, line, column + 1)

    def _no_drawing(self, reason: str) -> NoReturn:
        expected = "<svg> with a viewBox, or with its width and height as lengths"
        message = f"no SVG drawing that can be read: {reason}"
        raise Unreadable(Problem("R217", message, self._here(), expected, "save it as plain SVG"))

    def _refuse(self, what: str, span: Span | None = None) -> NoReturn:
        message, allowed = f"{what} stands in the drawing", "shapes, groups, clips and gradients"
        raise Unreadable(Problem("R218", message, span or self._here(), allowed, _HINT))

    def _start(self, qualified: str, attributes: dict[str, str]) -> None:
        space, _, name = qualified.rpartition(" ")
        self._left -= 1
        if self._left < 0 or len(self._open) + self._left_out > DEEPEST:
            self._too_large(self._here())
        if self._left_out or (self._open and (space != SVG or name in _LEFT_OUT)):
            self._left_out += 1
            return
        if not self._open:
            self._begin(qualified, attributes)
            return
        without = " without points" * ("points" in {*ELEMENTS.get(name, ())} - attributes.keys())
        if name not in ELEMENTS or without:
            self._refuse(f"<{name:.30}>{without}")
        element = _Element(name, {}, self._here())
        for key, value in attributes.items():
            self._attribute(element, "href" if key == _XLINK else key, value)
        self._add(element)

    def _begin(self, qualified: str, attributes: dict[str, str]) -> None:
        if qualified != f"{SVG} svg":
            self._no_drawing(f"it begins with <{qualified.rpartition(' ')[2]:.30}>")
        sides = [attributes.get(side, "").rstrip("cimnptx") for side in ("width", "height")]
        written = attributes.get("viewBox", f"0 0 {' '.join(sides)}")
        box = re.fullmatch(rf"\s*{_SEPARATED.join([f'({_NUMBER})'] * 4)}\s*", written, re.ASCII)
        if box is None or min(float(box[3]), float(box[4])) <= 0:
            self._no_drawing("it does not say how large it is")
        sizes = {"xmlns": SVG, "viewBox": " ".join(box.groups()), "width": box[3], "height": box[4]}
        self._root = _Element("svg", sizes, self._here())
        for key in ("id", "fill", "stroke", "stroke-width", "style"):
            if key in attributes:
                self._attribute(self._root, key, attributes[key])
        self._add(self._root)

    def _add(self, element: _Element) -> None:
        if self._open:
            self._open[-1].inside.append(element)
        self._open.append(element)
        self._named.setdefault(element.attributes.get("id", ""), element)

    def _attribute(self, element: _Element, name: str, value: str) -> None:
        """Stores an attribute that affects drawing; skips others that are known to have no effect.

        Those of other namespaces are skipped too. A style is taken apart into its properties, which
        are stored as attributes. Raises Unreadable for any other attribute, and for a value that is
        not allowed.
        """
        value = " ".join(value.split())
        forms = {**_PAINTING, **ELEMENTS.get(element.name, {})}
        if name == "style":
            for declaration in filter(str.strip, value.split(";")):
                key, _, setting = declaration.partition(":")
                if key.strip() not in _PAINTING:
                    self._refuse(f"the property '{key.strip():.30}' of a style")
                self._attribute(element, key.strip(), setting)
        elif name in forms:
            match = re.fullmatch(forms[name], value, re.ASCII)
            if match is None or (name == "gradientTransform" and _is_flat(value)):
                self._refuse(f'{name}="{value:.40}"')
            element.attributes[name] = value
            if name != "id" and match.re.groups and match[1]:
                element.uses.append(match[1])
        elif " " not in name and not _WITHOUT_EFFECT.fullmatch(name):
            self._refuse(f"the attribute '{name:.30}' of <{element.name}>")

    def _end(self, _: str) -> None:
        if self._left_out:
            self._left_out -= 1
        else:
            self._open.pop()

    def _too_large(self, span: Span) -> NoReturn:
        limit = f"{MOST_VALUES} elements, {DEEPEST} deep,"
        raise Unreadable(beyond(limit, "in what the drawing draws, each use counted", span, _HINT))

    def _spend(self, element: _Element, deep: int) -> None:
        """Counts the elements that are drawn, those that are used several times each time.

        Raises Unreadable if they are too many or too deep, or use what is not there: a few elements
        that use each other could be drawn without end. `deep` is the depth of the element.
        """
        self._left -= 1
        if self._left < 0 or deep > DEEPEST:
            self._too_large(element.span)
        for name in element.uses:
            if name not in self._named:
                self._refuse(f"a reference to '#{name:.30}', which is not there,", element.span)
        for part in (*element.inside, *(self._named[name] for name in element.uses)):
            self._spend(part, deep + 1)


def _is_flat(turns: str) -> bool:
    """Tells whether a transform maps all to a line or point, and so has no inverse."""
    for name, inside in re.findall(r"(scale|matrix)\(([^)]*)", turns):
        numbers = [float(digits) for digits in re.findall(_NUMBER, inside)]
        a, b, c, d = numbers[:4] if name == "matrix" else (numbers[0], 0, 0, numbers[-1])
        if abs(a * d - b * c) < 1e-9:
            return True
    return False


_SMALLER = "save it smaller"
_EXPECTED = "a picture in the ruleset's folder, an SVG, PNG or JPEG file"


def read_picture(folder: Path, name: str, span: Span) -> InlinePicture:
    """Reads the picture in a file of the ruleset's folder, and checks it.

    `name` is a file name that the header allows, `span` the place where it is named. Raises
    Unreadable if the file cannot be read, leads out of the folder or is no valid picture.
    """
    path = folder / name
    if not stays_inside(path, folder) and (path.is_symlink() or path.exists()):
        message, hint = f"'{name:.60}' leads out of the ruleset's folder", "copy it into the folder"
        raise Unreadable(Problem("R114", message, span, _EXPECTED, hint))
    try:
        data = read_plain(path, LARGEST_PICTURE, within=folder)
    except OSError as fault:
        raise Unreadable(_no_file(path, name, span, reason_of(fault))) from None
    return picture_of(data, name, path.as_posix(), span)


#: Pictures by the addresses in the header at which their files are named.
Pictures: TypeAlias = Mapping[Address, InlinePicture]
COVER: Address = ("cover", "picture")
SYMBOLS = "symbols"


def pictures_of_header(
    header: Node, read: Callable[[Address, str, Span], InlinePicture]
) -> tuple[Pictures, list[Problem]]:
    """Reads the pictures of cover and symbols that a header names; returns them and the faults.

    `read` returns the picture for an address, a name and its place, or raises Unreadable. A value
    that is no name of a picture is skipped, since reading the header reports it.
    """
    listed, _ = find_node(header, (SYMBOLS,))
    names = listed.entries if isinstance(listed, MappingNode) else ()
    found: dict[Address, InlinePicture] = {}
    problems: list[Problem] = []
    for at in (COVER, *((SYMBOLS, name) for name in names)):
        node, span = find_node(header, at)
        try:
            found[at] = read(at, picture_name(node.text if isinstance(node, Scalar) else ""), span)
        except Unreadable as fault:
            problems += fault.problems
        except QuantityError:
            continue
    return found, problems


@lru_cache(maxsize=16)
def picture_of(data: bytes, name: str, shown: str, span: Span) -> InlinePicture:
    """Checks the bytes of a picture file and returns the picture.

    `name` is a file name that the header allows, `shown` the path of the file in reports, `span`
    the place where it is named. Raises Unreadable.
    """
    media = MEDIA[ending_of(name)]
    drawn = media == MEDIA[".svg"]
    largest = LARGEST_FILE if drawn else LARGEST_PICTURE
    if len(data) > largest:
        raise Unreadable(beyond(mebibytes(largest), f"in the picture '{name:.60}'", span))
    if not drawn:
        _expect_points(data, name, media, span)
    return InlinePicture(media, read_svg(data, shown) if drawn else data)


def _expect_points(data: bytes, name: str, media: str, span: Span) -> None:
    """Raises Unreadable if a PNG or JPEG cannot be decoded, is of another kind, or too large.

    Pictures with 16 bits a point, and JPEGs with too many passes, are refused as well.
    """
    from PIL import Image

    def expect_few(count: int, limit: int, what: str) -> None:
        if count > limit:
            raise Unreadable(beyond(limit, f"{what} '{name:.60}'", span, _SMALLER))

    # In a JPEG these bytes begin a pass over the whole picture, and nothing else.
    passes = data.count(b"\xff\xda") if media == MEDIA[".jpg"] else 0
    expect_few(passes, DEEPEST, "passes of the progressive JPEG")
    try:
        with _strictly():
            picture = Image.open(BytesIO(data), formats=("PNG", "JPEG"))
            expect_few(picture.width * picture.height, MOST_POINTS, "points in the picture")
            picture.load()
            if f"image/{(picture.format or '').lower()}" != media:
                raise ValueError("its name says another kind")
            if picture.mode.startswith("I"):
                raise ValueError("16 bits a point")
    except Unreadable:
        raise
    except Exception as fault:  # the library reports broken files by errors of a dozen kinds
        reason = (str(fault).splitlines() or [""])[0][:80]
        known = f" ({reason})" if reason and "BytesIO" not in reason else ""
        message = f"'{name:.60}' is no {media[6:].upper()} picture that can be printed{known}"
        hint, expected = (
            "save it again, or rename it by what it is",
            "a picture that opens in any viewer",
        )
        raise Unreadable(Problem("R217", message, span, expected, hint)) from None


@contextmanager
def _strictly() -> Iterator[None]:
    """Makes a context in which truncated pictures raise errors, and warnings are ignored.

    Elsewhere WeasyPrint tolerates such pictures.
    """
    from PIL import ImageFile

    lenient = ImageFile.LOAD_TRUNCATED_IMAGES
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = lenient


def _no_file(path: Path, name: str, span: Span, reason: str) -> Problem:
    beside = sorted(
        file.relative_to(path.parent).as_posix()
        for file in (path.parent.iterdir() if path.parent.is_dir() else ())
        if ending_of(file.name) in MEDIA and file.is_file()
    )
    hint = f"there is '{beside[0]}'" if beside else "add the file, or leave the picture out"
    return Problem("R217", f"no picture '{name:.60}': {reason}", span, _EXPECTED, hint)
