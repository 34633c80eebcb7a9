"""Drawings -> one PDF, a page each, in true millimetres, tagged as PDF/UA-1 asks for."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import escape
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pydyf

from rulebook import typefaces
from rulebook.drawing.elements import (
    PLAIN,
    Element,
    Group,
    Lettering,
    Letters,
    Paint,
    Path,
    Picture,
    Placing,
    Words,
    channels,
    number,
    numbers,
    path_steps,
)
from rulebook.drawing.svg import path_data, printable
from rulebook.quantities import POINTS_PER_MM

#: For each step of a path, how many numbers it takes, and the operator of PDF.
_OPERATORS = {"M": (2, "m"), "L": (2, "l"), "C": (6, "c"), "Q": (4, "c"), "Z": (0, "h")}
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
#: Adjustments of less than this, in thousandths of the size, are not seen.
_LEAST = 0.05


@dataclass(slots=True)
class Used:
    """The fonts, glyphs and opacities that the pages of a document use, in order of first use.

    `glyphs` maps the glyphs of each typeface to the letters that they stand for; `unset` are
    characters that no typeface has. `inks` converts red, green and blue, from 0 to 1, to cyan,
    magenta, yellow and black, or leaves them as they are.
    """

    inks: Callable[[tuple[float, ...]], tuple[float, ...]] = tuple
    glyphs: dict[typefaces.Typeface, dict[int, str]] = field(default_factory=dict)
    opacities: list[float] = field(default_factory=list)
    unset: set[str] = field(default_factory=set)

    def set_colour(self, colour: str, *, stroke: bool = False) -> str:
        """Returns the PDF operator that sets the colour, #rrggbb, of fills or strokes."""
        inks = self.inks(tuple(channel / 255 for channel in channels(colour)))
        operator = "rg" if len(inks) == 3 else "k"
        return f"{' '.join(map(_place, inks))} {operator.upper() if stroke else operator}"

    def font(self, typeface: typefaces.Typeface) -> str:
        """Returns the resource name of a typeface, the same on all pages, and records its use."""
        self.glyphs.setdefault(typeface, {})
        return f"F{list(self.glyphs).index(typeface)}"

    def state(self, opacity: float) -> str:
        """Returns the resource name of the graphics state for an opacity, and records its use."""
        if opacity not in self.opacities:
            self.opacities.append(opacity)
        return f"O{self.opacities.index(opacity)}"


@dataclass(slots=True)
class _State:
    """The current graphics state of a page; the defaults are those of PDF."""

    fill: str | None = "#000000"
    stroke: str | None = "#000000"
    width: float = 1.0
    cap: str = "butt"
    join: str = "miter"
    dash: tuple[float, ...] = ()
    opacity: float = 1.0
    font: tuple[typefaces.Typeface, float] | None = None
    spacing: float = 0.0


#: Adds a transparency group with this content to the resources of a page; returns its name there.
AddForm = Callable[[bytes], str]


class Content:
    """The operators of a page's content stream, written element by element.

    Without a function that adds forms, all groups are opaque.
    """

    def __init__(self, used: Used, add_form: AddForm | None = None) -> None:
        self.used = used
        self.add_form = add_form
        self.lines: list[str] = []
        self._state = _State()
        self._painted: Paint | None = None

    def draw(self, elements: Iterable[Element], above: Paint = PLAIN) -> None:
        """Writes the operators that draw elements, each over those before it.

        `above` is the paint of the group around them, for paths without a paint of their own.
        """
        for element in elements:
            match element:
                case Path(d, paint):
                    self._path(path_data(d), paint or above)
                case Group():
                    self._group(element, above)
                case Words():
                    self._words(element)
                case Letters():
                    self._letters(element)

    def _group(self, group: Group, above: Paint) -> None:
        if group.opacity < 1 and self.add_form:
            inside = Content(self.used, _refuse_form)
            inside.draw([replace(group, opacity=1.0)], above)
            form, state = self.add_form(inside.on_page()), self.used.state(group.opacity)
            self.lines.append(f"q /{state} gs /{form} Do Q")
            return
        if group.placing is None and group.window is None:
            self.draw(group.elements, group.paint or above)
            return
        before, painted = self._begin()
        if group.placing is not None:
            self.lines.append(f"{numbers(_matrix(group.placing))} cm")
        if group.window is not None:
            self.lines.append(f"{numbers(group.window)} re W n")
        self.draw(group.elements, group.paint or above)
        self._end(before, painted)

    def on_page(self) -> bytes:
        """Returns the operators for where the settings may differ from PDF's defaults."""
        black = (self.used.set_colour("#000000", stroke=stroke) for stroke in (True, False))
        return "\n".join([*black, _DEFAULTS, *self.lines]).encode("ascii")

    def _begin(self) -> tuple[_State, Paint | None]:
        """Writes the operator that saves the graphics state, at the begin of a group.

        Returns the settings that have to be restored at its end.
        """
        before = self._state, self._painted
        self._state = _State(**{name: getattr(self._state, name) for name in _State.__slots__})
        self.lines.append("q")
        return before

    def _end(self, *before: Any) -> None:
        self.lines.append("Q")
        self._state, self._painted = before

    def _path(self, d: str, paint: Paint) -> None:
        if paint.fill is None and paint.stroke is None:
            return
        if paint is not self._painted:
            self._take(paint)
        rule = "*" if paint.even_odd else ""
        if paint.stroke is None:
            painted = f"f{rule}"
        else:
            painted = f"B{rule}" if paint.fill is not None else "S"
        self.lines.append(f"{outline(d)} {painted}")

    def _take(self, paint: Paint) -> None:
        """Writes the settings of a paint that differ from the current ones, and records them."""
        state, lines = self._state, self.lines
        if paint.fill is not None:
            self._fill(paint.fill, paint.opacity)
        if paint.stroke is not None:
            if paint.stroke != state.stroke:
                lines.append(self.used.set_colour(paint.stroke, stroke=True))
            if paint.width != state.width:
                lines.append(f"{number(paint.width)} w")
            if paint.cap != state.cap:
                lines.append(f"{_CAPS[paint.cap]} J")
            if paint.join != state.join:
                lines.append(f"{_JOINS[paint.join]} j")
            if paint.dash != state.dash:
                lines.append(f"[{numbers(paint.dash)}] 0 d")
            state.stroke, state.width, state.dash = paint.stroke, paint.width, paint.dash
            state.cap, state.join = paint.cap, paint.join
        self._painted = paint

    def _fill(self, fill: str, opacity: float) -> None:
        if fill != self._state.fill:
            self.lines.append(self.used.set_colour(fill))
            self._state.fill = fill
        if opacity != self._state.opacity:
            self.lines.append(f"/{self.used.state(opacity)} gs")
            self._state.opacity = opacity

    def set_line(self, text: str, lettering: Lettering) -> typefaces.SetLine:
        """Returns a text shaped in its typeface, and records characters that no typeface has."""
        spaced = lettering.spacing != 0
        found = typefaces.set_line(text, typefaces.typeface(*lettering.face), spaced)
        self.used.unset |= found.unset
        return found

    def _words(self, words: Words) -> None:
        # spaces at the ends and side by side print as in SVG: not at all, and as one
        text = " ".join(filter(None, printable(words.text).split(" ")))
        if not text:
            return
        before = None
        if words.rotation:
            before = self._begin()
            at = (words.x, words.y)
            turned = _matrix(Placing(*at, turn=words.rotation, origin=at))
            self.lines.append(f"{numbers(turned)} cm")
        lettering = words.lettering
        line = self.set_line(text, lettering)
        count = sum(len(run.glyphs) for run in line.runs)
        width = line.width * lettering.size + lettering.spacing * (count - 1)
        left = words.x - {"start": 0.0, "middle": width / 2, "end": width}[words.anchor]
        self._begin_text(lettering)
        self.lines.append(f"1 0 0 -1 {_place(left)} {number(words.y)} Tm")
        self.show(line, lettering, text)
        self.lines.append("ET")
        if before:
            self._end(*before)

    def _letters(self, letters: Letters) -> None:
        lettering = letters.lettering
        self._begin_text(lettering)
        # one word to a reader, however its letters are strewn
        self.lines.append(f"/Span <</ActualText <{_utf16(letters.text)}>>> BDC")
        at = 0
        for cluster in typefaces.clusters(letters.text):
            x, y, angle = letters.places[at]
            at += len(cluster)
            cosine, sine = _turned(angle)
            turn = " ".join(f"{part:.6f}" for part in (cosine, sine, sine, -cosine))
            self.lines.append(f"{turn} {number(x)} {number(y)} Tm")
            self.show(self.set_line(cluster, lettering), lettering, None)
        self.lines.append("EMC\nET")

    def _begin_text(self, lettering: Lettering) -> None:
        self._fill(lettering.fill, 1.0)
        self._painted = None
        self.lines.append("BT")
        if lettering.spacing != self._state.spacing:
            self.lines.append(f"{number(lettering.spacing)} Tc")
            self._state.spacing = lettering.spacing

    def show(self, line: typefaces.SetLine, lettering: Lettering, text: str | None) -> None:
        """Writes the operators that show a shaped line of text.

        `text` is added for copying and searching if the glyphs alone do not say it; None adds
        nothing.
        """
        plain = True
        for run in line.runs:
            known = self.used.glyphs.setdefault(run.typeface, {})
            for glyph in run.glyphs:
                letters = known.setdefault(glyph.number, glyph.text)
                plain = plain and letters == glyph.text and bool(letters)
        if text is not None and not plain:
            self.lines.append(f"/Span <</ActualText <{_utf16(text)}>>> BDC")
        for run in line.runs:
            font = (run.typeface, lettering.size)
            if font != self._state.font:
                name = self.used.font(run.typeface)
                self.lines.append(f"/{name} {number(lettering.size)} Tf")
                self._state.font = font
            self.lines.extend(shown(run, lettering.size))
        if text is not None and not plain:
            self.lines.append("EMC")


def _turned(angle: float) -> tuple[float, float]:
    """Returns cosine and sine of an angle in degrees, exact for quarter turns."""
    quarters, rest = divmod(angle, 90)
    if rest:
        return math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarters) % 4]


def _matrix(placing: Placing) -> tuple[float, ...]:
    """Returns the PDF matrix (a, b, c, d, e, f) of a placing.

    It maps x to a·x + c·y + e, and y to b·x + d·y + f.
    """
    cosine, sine = (placing.scale * part for part in _turned(placing.turn))
    x, y = placing.origin
    across, down = cosine * -x - sine * -y, sine * -x + cosine * -y
    return cosine, sine, -sine, cosine, across + placing.x, down + placing.y


def _place(value: float) -> str:
    """Formats a number with up to four decimals."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _utf16(text: str) -> str:
    return "feff" + text.encode("utf-16-be").hex()


@lru_cache(maxsize=8192)
def outline(d: str) -> str:
    """Converts SVG path data to the PDF operators of the same path.

    Points after the first one of a move are joined by lines; quadratic curves become cubic ones.
    """
    parts: list[str] = []
    at: list[float] = []
    for name, values in path_steps(d):
        takes, operator = _OPERATORS[name]
        if not takes:
            parts.append(operator)
        for start in range(0, len(values), takes or 1):
            step = values[start : start + takes]
            points = _cubic(at, step) if name == "Q" else step
            parts.append(f"{numbers(points)} {'l' if start and name == 'M' else operator}")
            at = step[-2:]
    return " ".join(parts)


def _cubic(at: Sequence[float], step: Sequence[float]) -> list[float]:
    """Returns the control points and end of a cubic curve that equals a quadratic one from `at`.

    `step` has the control point and the end of the quadratic curve.
    """
    x, y, *end = step
    ends = (at, end)
    return [*(v for px, py in ends for v in (px + 2 * (x - px) / 3, py + 2 * (y - py) / 3)), *end]


@lru_cache(maxsize=8192)
def shown(run: typefaces.Run, size: float) -> tuple[str, ...]:
    """Returns the PDF operators that show a run of glyphs at the current position."""
    found: list[str] = []
    parts: list[str] = []
    codes = ""

    def move(thousandths: float) -> None:
        nonlocal codes
        if abs(thousandths) >= _LEAST:
            if codes:
                parts.append(f"<{codes}>")
                codes = ""
            parts.append(number(round(thousandths, 2)))

    def end() -> None:
        nonlocal codes, parts
        if codes:
            parts.append(f"<{codes}>")
        if parts:
            found.append(f"[{' '.join(parts)}] TJ")
        codes, parts = "", []

    for glyph in run.glyphs:
        move(-1000 * glyph.right)
        if glyph.up:
            end()
            found.append(f"{number(glyph.up * size)} Ts <{glyph.number:04x}> Tj 0 Ts")
        else:
            codes += f"{glyph.number:04x}"
        # how much further than its own width it leads on
        kerning = glyph.advance - run.typeface.width_of(glyph.number)
        move(1000 * (glyph.right - kerning))
    end()
    return tuple(found)


#: PDF's defaults, which the settings of a page may differ from by the time a picture is drawn;
#: black is another.
_DEFAULTS = "1 w 0 J 0 j 4 M [] 0 d 0 Tc"


def _refuse_form(_: bytes) -> str:
    """Refuses to nest groups: a form would need the ones inside it among its own resources."""
    raise ValueError("a group with opacity cannot be inside another")


def drawn_on_page(picture: Picture, used: Used, add_form: AddForm) -> bytes:
    """Returns the PDF operators that draw a picture on a page that also has other content.

    They expect that a unit is a millimetre and y runs down, and that the caller saves and restores
    the graphics state. Fonts and opacities that the page needs are recorded in `used`.
    """
    content = Content(used, add_form)
    content.lines.append(f"{numbers(picture.window)} re W n")
    content.draw(picture.elements)
    return content.on_page()


def added_fonts(
    document: pydyf.PDF, used: Used, known: Mapping[typefaces.Typeface, bytes] | None = None
) -> dict[str, bytes]:
    """Adds the fonts recorded in `used` to a document; returns references by resource name.

    `known` has references to those that the document has already.
    """
    known = known or {}
    return {
        used.font(typeface): known.get(typeface)
        or font_object(document, typefaces.embedded(typeface, glyphs)).reference
        for typeface, glyphs in used.glyphs.items()
    }


def opacities(used: Used) -> dict[str, pydyf.Dictionary]:
    """Returns the graphics states with the opacities that pages use, by their resource names."""
    return {
        used.state(opacity): pydyf.Dictionary({"ca": number(opacity)}) for opacity in used.opacities
    }


def compress_sooner() -> None:
    """Patches pydyf, with which WeasyPrint writes too, to compress at level 6 instead of 9.

    Files are a fiftieth larger and compressed in a third of the time, which was a tenth of all
    painting.
    """
    pydyf.zlib = SimpleNamespace(compressobj=lambda level: zlib.compressobj(min(level, 6)))


class MissingGlyphs(ValueError):
    """Characters for which no typeface has a glyph."""

    def __init__(self, characters: frozenset[str]) -> None:
        super().__init__(", ".join(sorted(characters)))
        self.characters = characters


def pdf(pages: Sequence[Picture], *, title: str, language: str, print_hints: bool = False) -> bytes:
    """Writes pictures as the pages of a tagged PDF file; returns its bytes.

    `print_hints` asks the viewer to print at actual size, on paper of the page's size. Raises
    MissingGlyphs if no typeface has a glyph for a character.
    """
    compress_sooner()
    used = Used()
    contents = [_content(page, used) for page in pages]
    if used.unset:
        raise MissingGlyphs(frozenset(used.unset))
    document = pydyf.PDF()
    resources = _added(document, _resources(document, used))
    figures = [
        _page(document, page, content, resources, count)
        for count, (page, content) in enumerate(zip(pages, contents, strict=True))
    ]
    _tag(document, figures)
    _describe(document, title, language)
    preferences = {"DisplayDocTitle": "true"}
    if print_hints:
        preferences |= {"PrintScaling": "/None", "PickTrayByPDFSize": "true"}
    document.catalog["ViewerPreferences"] = pydyf.Dictionary(preferences)
    result = BytesIO()
    document.write(result, version="1.7", compress=True)
    return result.getvalue()


def _content(page: Picture, used: Used) -> bytes:
    """Returns the content stream of a page; records in `used` the fonts and opacities it needs."""
    left, top, _, height = page.window
    content = Content(used)
    content.draw(page.elements)
    # from millimetres that run down from a corner to points that run up from the foot of the page
    parts = (1, 0, 0, -1, -left, height + top)
    matrix = numbers(round(part * POINTS_PER_MM, 9) for part in parts)
    head = f"/Figure <</MCID 0>> BDC\nq\n{matrix} cm\n4 M"
    return "\n".join([head, *content.lines, "Q\nEMC"]).encode("ascii")


def _added(document: pydyf.PDF, added: pydyf.Object) -> pydyf.Object:
    document.add_object(added)
    return added


def _resources(document: pydyf.PDF, used: Used) -> pydyf.Dictionary:
    """Adds the fonts of all pages to a document; returns the dictionary of fonts and opacities."""
    found = pydyf.Dictionary()
    if fonts := added_fonts(document, used):
        found["Font"] = pydyf.Dictionary(fonts)
    if states := opacities(used):
        found["ExtGState"] = pydyf.Dictionary(states)
    return found


def font_object(document: pydyf.PDF, font: typefaces.EmbeddedFont) -> pydyf.Dictionary:
    """Adds a font to a document, with its font file and its table from glyphs to letters.

    Returns the font's PDF object.
    """
    program = pydyf.Stream([font.program], {"Length1": len(font.program)}, compress=True)
    descriptor = pydyf.Dictionary(
        {
            "Type": "/FontDescriptor",
            "FontName": f"/{font.name}",
            "FontFamily": pydyf.String(font.family),
            "Flags": 4 + 64 * font.italic,
            "FontBBox": pydyf.Array(font.box),
            "ItalicAngle": -12 * font.italic,
            "Ascent": font.ascent,
            "Descent": font.descent,
            "CapHeight": font.cap_height,
            "StemV": 80,
            "FontFile2": _added(document, program).reference,
        }
    )
    descendant = pydyf.Dictionary(
        {
            "Type": "/Font",
            "Subtype": "/CIDFontType2",
            "BaseFont": f"/{font.name}",
            "CIDSystemInfo": pydyf.Dictionary(
                {
                    "Registry": pydyf.String("Adobe"),
                    "Ordering": pydyf.String("Identity"),
                    "Supplement": 0,
                }
            ),
            "FontDescriptor": _added(document, descriptor).reference,
            "CIDToGIDMap": "/Identity",
            "W": pydyf.Array(_widths(font)),
        }
    )
    letters = pydyf.Stream([font.letters], compress=True)
    return _added(
        document,
        pydyf.Dictionary(
            {
                "Type": "/Font",
                "Subtype": "/Type0",
                "BaseFont": f"/{font.name}",
                "Encoding": "/Identity-H",
                "DescendantFonts": pydyf.Array([_added(document, descendant).reference]),
                "ToUnicode": _added(document, letters).reference,
            }
        ),
    )


def _widths(font: typefaces.EmbeddedFont) -> Iterator[object]:
    for glyph, width in font.widths.items():
        yield from (glyph, pydyf.Array([number(width)]))


def _page(
    document: pydyf.PDF, page: Picture, content: bytes, resources: pydyf.Object, count: int
) -> pydyf.Dictionary:
    """Adds a page with this content to a document; returns the structure element of its figure.

    `count` is the index of the page.
    """
    stream = _added(document, pydyf.Stream([content], compress=True))
    box = [0, 0, *(number(round(side * POINTS_PER_MM, 6)) for side in page.window[2:])]
    leaf = pydyf.Dictionary(
        {
            "Type": "/Page",
            "Parent": document.pages.reference,
            "MediaBox": pydyf.Array(box),
            "TrimBox": pydyf.Array(box),
            "BleedBox": pydyf.Array(box),
            "Contents": stream.reference,
            "Resources": resources.reference,
            "StructParents": count,
            "Tabs": "/S",
        }
    )
    document.add_page(leaf)
    layout = pydyf.Dictionary({"O": "/Layout", "BBox": pydyf.Array(box)})
    figure = pydyf.Dictionary(
        {
            "Type": "/StructElem",
            "S": "/Figure",
            "Pg": leaf.reference,
            "Alt": pydyf.String(page.title),
            "A": layout,
            "K": 0,
        }
    )
    return _added(document, figure)


def _tag(document: pydyf.PDF, figures: Sequence[pydyf.Dictionary]) -> None:
    """Writes the structure tree into a document: one figure for each page, in order."""
    root = pydyf.Dictionary({"Type": "/StructTreeRoot"})
    whole = pydyf.Dictionary({"Type": "/StructElem", "S": "/Document"})
    document.add_object(root)
    document.add_object(whole)
    whole["P"] = root.reference
    whole["K"] = pydyf.Array([figure.reference for figure in figures])
    parents: list[object] = []
    for count, figure in enumerate(figures):
        figure["P"] = whole.reference
        parents += [count, pydyf.Array([figure.reference])]
    tree = _added(document, pydyf.Dictionary({"Nums": pydyf.Array(parents)}))
    root["K"] = pydyf.Array([whole.reference])
    root["ParentTree"] = tree.reference
    root["ParentTreeNextKey"] = len(figures)
    document.catalog["StructTreeRoot"] = root.reference
    document.catalog["MarkInfo"] = pydyf.Dictionary({"Marked": "true"})


def _describe(document: pydyf.PDF, title: str, language: str) -> None:
    """Writes title, language and metadata into a document; these declare it to be PDF/UA-1."""
    document.info["Title"] = pydyf.String(title)
    document.info["Producer"] = pydyf.String("rulebook")
    document.catalog["Lang"] = pydyf.String(language)
    packet = (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
        '<x:xmpmeta xmlns:x="adobe:ns:meta/">\n'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n'
        '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:pdf="http://ns.adobe.com/pdf/1.3/" '
        'xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">\n'
        "<pdfuaid:part>1</pdfuaid:part>\n<pdf:Producer>rulebook</pdf:Producer>\n"
        '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">'
        f"{escape(title, quote=False)}</rdf:li></rdf:Alt>"
        "</dc:title>\n</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n"
        '<?xpacket end="r"?>'
    ).encode()
    # not packed, so that what looks for it finds it
    metadata = pydyf.Stream([packet], {"Type": "/Metadata", "Subtype": "/XML"})
    document.catalog["Metadata"] = _added(document, metadata).reference
