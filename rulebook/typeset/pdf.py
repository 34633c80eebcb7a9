"""HTML -> PDF by WeasyPrint, closed to network, files and system fonts; its complaints are faults.

`FONTCONFIG_FILE` is set before WeasyPrint is imported, so that Fontconfig knows no fonts but ours.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import warnings
from base64 import b64decode
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from rulebook.drawing.elements import Picture
from rulebook.drawing.pdf import Used, added_fonts, compress_sooner, drawn_on_page, opacities
from rulebook.paper_and_ink import PRESS
from rulebook.problems import Problem, RenderFault
from rulebook.typefaces import EVERY_FACE, Typeface
from rulebook.typeset.change_bars import NAME, add_bars, bars_on, find_marked, is_ours
from rulebook.typeset.environment import broken_design, font_face, no_glyphs, stylesheet
from rulebook.typeset.make_up import (
    PIXELS_PER_MM,
    Moved,
    TypesetBlock,
    blocks_of,
    low_ink,
    low_pictures,
    pictures_on,
    put_on_pages,
)
from rulebook.typeset.page_ends import PageEnds, watched
from rulebook.typeset.press import PROFILE, VARIANT, inks_of, name_press, on_press

#: The stylesheet of what elements are before any other.
ELEMENTS = "elements"


@dataclass(frozen=True, slots=True)
class PageBox:
    """The position of an element that has an id: page from 0, mm from the page's top left."""

    page: int
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top


def _engine(templates: Path) -> Any:
    """Returns the module of WeasyPrint, patched and restricted to our fonts.

    It is patched once in a process, whatever the templates.
    """
    os.environ["FONTCONFIG_FILE"] = str((templates / "fonts" / "fonts.conf").resolve())
    os.environ["SOURCE_DATE_EPOCH"] = "0"
    return _changed_engine()


@cache
def _changed_engine() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Fontconfig has no fonts: that is what we want
        import weasyprint
    compress_sooner()
    _set_lines_once()
    _draw_backgrounds_once()
    _read_numbers_once()
    _share_fonts()
    _share_styles()
    _resolve_sizes_once()
    weasyprint.layout.page.remake_page = watched(weasyprint.layout.page.remake_page)
    logger = logging.getLogger("weasyprint")
    logger.propagate = False
    return weasyprint


def layout_version(templates: Path) -> str:
    """Returns the version of Pango, the native library that breaks lines, as text."""
    _engine(templates)
    from weasyprint.text.ffi import pango

    return str(pango.pango_version())


#: The most lines that are kept; when there are more, all are forgotten.
_MOST_LINES = 20_000
#: Prefixes of the names of properties that influence how a line is set.
_OF_LINES = (
    *("direction", "font_", "hyphen", "lang", "letter_spacing", "line_height", "overflow_wrap"),
    *("tab_size", "word_"),
)


@dataclass(slots=True)
class _DrawnAgain:
    """A second use of a form XObject that is already in a PDF."""

    form: Any
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def reference(self) -> Any:
        return self.form.reference


def _draw_backgrounds_once() -> None:
    """Patches WeasyPrint so that a background drawing is written into a PDF once for each size.

    Further uses refer to it.
    """
    import pydyf
    from weasyprint.images import SVGImage

    draw, add_object = SVGImage.draw, pydyf.PDF.add_object

    def draw_once(self: Any, stream: Any, width: float, height: float, style: Any) -> None:
        if style["background_image"] == (("none", None),):
            draw(self, stream, width, height, style)
            return
        # The pictures that a PDF knows are as many things as there are PDFs being written.
        pdf, forms = vars(self).setdefault("forms", (None, {}))
        if pdf is not stream._images:
            pdf, forms = self.forms = (stream._images, {})
        if known := forms.get((width, height)):
            name = f"x{len(stream._resources['XObject'])}"
            stream._resources["XObject"][name] = _DrawnAgain(known)
        else:
            forms[width, height] = form = stream.add_group(0, 0, width, height)
            draw(self, form, width, height, style)
            name = form.id
        stream.draw_x_object(name)

    def add_new(self: Any, added: Any) -> None:
        if not isinstance(added, _DrawnAgain):
            add_object(self, added)

    SVGImage.draw, pydyf.PDF.add_object = draw_once, add_new


class _Fonts(dict[Any, Any]):
    """The fonts of a document as WeasyPrint keeps them, and what its drawn pictures use."""

    def __init__(self, known: Mapping[Any, Any], used: Used) -> None:
        super().__init__(known)
        self.used = used


def _share_fonts() -> None:
    """Patches WeasyPrint so that drawn pictures use the fonts of the text around them."""
    from weasyprint import pdf as writing

    build = writing.build_fonts_dictionary

    def build_shared(pdf: Any, fonts: _Fonts, *how: Any) -> Any:
        shared: dict[Typeface, Any] = {}
        for font in fonts.values():
            face = Typeface(font.family, font.weight, "italic" if font.style else "normal")
            for glyph, letters in fonts.used.glyphs.get(face, {}).items():
                font.to_unicode.setdefault(glyph, letters)
                font.widths.setdefault(glyph, round(1000 * face.width_of(glyph)))
            shared[face] = font.hash
        built = build(pdf, fonts, *how)
        known = {face: built[name] for face, name in shared.items()}
        built.update(added_fonts(pdf, fonts.used, known))
        return built

    writing.build_fonts_dictionary = build_shared


#: The box, in mm, of groups that nothing but their page or picture cuts off.
_EVERYWHERE = (-10_000, -10_000, 20_000, 20_000)


@dataclass(frozen=True, slots=True)
class _DrawnPicture:
    """A picture as an image for WeasyPrint, which need not look into it."""

    picture: Picture

    def get_intrinsic_size(self, *_: object) -> tuple[float, float, float]:
        """Returns width and height in px, and their ratio."""
        width, height = self.picture.window[2:]
        return width * PIXELS_PER_MM, height * PIXELS_PER_MM, width / height

    def draw(self, stream: Any, width: float, height: float, _: object) -> None:
        """Draws the picture on a page, in a box from the origin that is `width` by `height` px."""
        left, top, wide, high = self.picture.window
        across, down, used = width / wide, height / high, stream._fonts.used

        def add_form(content: bytes) -> str:
            form = stream.add_group(*_EVERYWHERE)
            form.stream.append(content)
            form._resources["ExtGState"].update(opacities(used))
            return str(form.id)

        stream.transform(a=across, d=down, e=-left * across, f=-top * down)
        stream.set_alpha(1, stroke=True, fill=True)
        stream.stream.append(drawn_on_page(self.picture, used, add_form))
        stream._resources["ExtGState"].update(opacities(used))


def _set_lines_once() -> None:
    """Patches WeasyPrint to cache the lines that it sets, and to break full lines correctly.

    If words fill a line so that only the space after them does not fit, and something follows,
    WeasyPrint breaks the line after the first of them instead of the last.
    """
    from weasyprint.css.properties import INITIAL_VALUES
    from weasyprint.layout import inline, preferred
    from weasyprint.text.line_break import split_first_line as split

    lines: dict[tuple[object, ...], Any] = {}
    names = [name for name in INITIAL_VALUES if name.startswith(_OF_LINES)]
    numbers: dict[tuple[object, ...], int] = {}

    def number_of(style: Any) -> int:
        """Returns a number that is the same for all styles in which lines are set alike."""
        number: int | None = vars(style).get("number")
        if number is None:
            ruled = style["text_decoration_line"] != "none"
            alike = (id(style.font_config), ruled, *(style[name] for name in names))
            number = style.number = numbers.setdefault(alike, len(numbers))
        return number

    def whole(text: str, style: Any, context: Any, *room: Any, **how: Any) -> Any:
        line, width = split(text, style, context, *room, **how), room[0]
        if line[2] is None or width is None or line[3] > width / 2 or text[-1:] != " ":
            return line
        whole = split(text.rstrip(" "), style, context, *room, **how)
        if whole[2] is None and whole[3] <= width and style["white_space"] == "normal":
            line = (*whole[:2], len(text.encode()), *whole[3:])
        return line

    def split_first_line(text: str, style: Any, context: Any, *room: Any, **how: Any) -> Any:
        # White space is the only property that is set in a style after it was first used.
        key = (text, number_of(style), style["white_space"], *room, *how.items())
        if key not in lines:
            if len(lines) >= _MOST_LINES:
                lines.clear()
            lines[key] = whole(text, style, context, *room, **how)
        line = lines[key]
        return (copy(line[0]), *line[1:])  # a layout is changed when it is drawn

    inline.split_first_line = preferred.split_first_line = split_first_line


def _share_styles() -> None:
    """Patches WeasyPrint so that elements with different ids share a style if all else is alike.

    So do those inside them, and elements with the same `style` attribute. WeasyPrint keeps the id
    of an element in its style, from which no other style inherits it.
    """
    from weasyprint import css

    find, begin = css.find_style_attributes, css.StyleFor.__init__

    def find_shared(*tree: Any) -> Iterator[tuple[Any, Any, Any, Any]]:
        known: dict[str, Any] = {}
        for found in find(*tree):
            specificity, element, declarations, base_url = found
            if specificity == (1, 0, 0):  # of the style attribute
                alike = known.setdefault(element.get("style"), declarations)
                yield specificity, element, alike, base_url
            elif declarations[0].lower_name != "-weasy-anchor":
                yield found

    def begin_with_ids(styles: Any, html: Any, *given: Any) -> None:
        begin(styles, html, *given)
        collector = given[-1]
        for element in html.etree_element.iter():
            if name := element.get("id") or (element.tag == "a" and element.get("name")):
                style = styles._computed_styles[element, None].copy()
                style["anchor"] = name
                styles._computed_styles[element, None] = style
                collector.collect_anchor(name)

    css.find_style_attributes, css.StyleFor.__init__ = find_shared, begin_with_ids


_SIDES = ("top", "right", "bottom", "left")
#: Lengths of a box that depend on its style alone if none is a share of what surrounds the box.
_SIZES = (
    *(f"{kind}_{side}" for kind in ("margin", "padding") for side in _SIDES),
    *(f"{limit}{size}" for limit in ("", "min_", "max_") for size in ("width", "height")),
)
_BORDERS = tuple(f"border_{side}_width" for side in _SIDES)


def _resolve_sizes_once() -> None:
    """Patches WeasyPrint to work out sizes, margins, paddings and borders once for each style."""
    from weasyprint import layout

    resolve = layout.percent.resolve_percentages

    def are_absolute(style: Any) -> bool:
        values = (style[name] for name in _SIZES)
        return style["border_collapse"] != "collapse" and all(
            value == "auto" or getattr(value, "unit", "%") == "px" for value in values
        )

    def resolve_once(box: Any, containing_block: Any) -> None:
        of_style, of_box = vars(box.style), vars(box)
        if sizes := of_style.get("sizes"):
            of_box.update(sizes)
            return
        resolve(box, containing_block)
        if sizes is None:
            names = (*_SIZES, *_BORDERS) if are_absolute(box.style) else ()
            of_style["sizes"] = {name: of_box[name] for name in names}

    _replace("weasyprint.layout", resolve, resolve_once)


def _replace(package: str, old: Any, new: Any) -> None:
    """Replaces a function in all modules of a package that have it under its own name."""
    own: str = old.__name__
    for name, module in sys.modules.items():
        if name.startswith(package) and vars(module).get(own) is old:
            setattr(module, own, new)


#: How many numbers and paths of drawings are kept at most.
_MOST_NUMBERS, _MOST_PATHS = 50_000, 4_000


def _read_numbers_once() -> None:
    """Patches WeasyPrint to cache the numbers in drawings: the same picture is on many pages."""
    from weasyprint.svg import utils

    for read, most in ((utils.normalize, _MOST_PATHS), (utils.size, _MOST_NUMBERS)):
        _replace("weasyprint.svg", read, lru_cache(maxsize=most)(read))


def _address(face: Typeface) -> str:
    """Returns the address of a font that our URL fetcher answers."""
    return f"font:{face.path.name}"


def _face_rules() -> str:
    """Returns `@font-face` rules for all fonts."""
    return "\n".join(font_face(face, _address(face)) for face in EVERY_FACE)


_PICTURE = re.compile(r"data:(image/[a-z+]+);base64,")


def _fetcher(templates: Path) -> Any:
    """Returns a URL fetcher that serves only our fonts and pictures in data URLs.

    For any other URL it raises an error.
    """
    weasyprint = _engine(templates)
    known = {_address(face): face.path for face in EVERY_FACE}

    class ClosedFetcher(weasyprint.urls.URLFetcher):  # type: ignore[misc, name-defined]
        def fetch(self, url: str, headers: dict[str, str] | None = None) -> Any:
            if match := _PICTURE.match(url):
                data, kind = b64decode(url[match.end() :]), {"Content-Type": match[1]}
                return weasyprint.urls.URLFetcherResponse(url, data, kind)
            if url not in known:
                # Not the fatal one: it is no Exception, and would end a worker instead of its job.
                raise weasyprint.urls.URLFetchingError(f"no access to {url[:80]}")
            return weasyprint.urls.URLFetcherResponse(url, known[url].read_bytes())

    return ClosedFetcher()


class _PageMaker:
    """WeasyPrint with what is cached between documents: fonts, the URL fetcher, parsed styles."""

    def __init__(self, elements: str, templates: Path) -> None:
        self._engine = _engine(templates)
        from weasyprint.text.fonts import FontConfiguration

        self.configuration = FontConfiguration()
        self.fetcher = _fetcher(templates)
        self._styles: dict[str, tuple[Any, tuple[str, ...]]] = {}
        ours = self._engine.CSS(string=elements, url_fetcher=self.fetcher)

        class StyledPage(self._engine.HTML):  # type: ignore[misc, name-defined]
            def _ua_stylesheets(self, forms: bool = False) -> list[Any]:
                return [ours]

        self.page_class = StyledPage
        self.style(_face_rules())

    def style(self, css: str) -> tuple[Any, tuple[str, ...]]:
        """Returns a parsed stylesheet and the warnings about it, from the cache if it is there.

        The warnings are faults of every document that uses the stylesheet.
        """
        if css not in self._styles:
            with _complaints() as lines:
                sheet = self._engine.CSS(
                    string=css, font_config=self.configuration, url_fetcher=self.fetcher
                )
            self._styles[css] = (sheet, tuple(lines))
        return self._styles[css]


#: One is kept for as long as the style of elements and the templates stay as they are.
_page_maker = lru_cache(maxsize=1)(_PageMaker)


def _page_maker_for(templates: Path) -> _PageMaker:
    return _page_maker(stylesheet(ELEMENTS, templates), templates)


def warm_up(templates: Path) -> None:
    """Imports what rendering needs, so that the first document of a worker is not delayed."""
    _page_maker_for(templates)


@contextmanager
def _complaints() -> Iterator[list[str]]:
    """Yields a list, to which the warnings that WeasyPrint logs in the context are added."""
    lines: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.levelno >= logging.WARNING:
                lines.append(record.getMessage())

    logger = logging.getLogger("weasyprint")
    collector = Collector()
    logger.addHandler(collector)
    try:
        yield lines
    finally:
        logger.removeHandler(collector)


@dataclass
class Layout:
    """A document that has been laid out: the positions of its parts and, on demand, its PDF.

    If it is of an `edition`, what is marked as changed has change bars in the margin. `remark` says
    what was moved so that pages end well. `_low` has boxes of pictures with their drawings for low
    ink.
    """

    _page: Any
    _document: Any
    _complaints: Sequence[str]
    _name: str
    _templates: Path
    _edition: str | None = None
    remark: str = ""
    _low: Sequence[tuple[Any, Any]] = ()

    def __post_init__(self) -> None:
        """Finds the change bars of each page, and removes the ids that were assigned for them."""
        marked = find_marked(self._page.etree_element) if self._edition else ()
        pages = enumerate(self._document.pages)
        bars = {number: bars_on(marked, page.anchors) for number, page in pages}
        self._bars = {number: found for number, found in bars.items() if found}
        for page in self._document.pages:
            for anchor in filter(is_ours, list(page.anchors)):
                del page.anchors[anchor]

    @property
    def pages(self) -> int:
        return len(self._document.pages)

    def boxes(self) -> dict[str, PageBox]:
        """Returns the box of every element that has an id, by id."""
        return {
            name: PageBox(number, *(edge / PIXELS_PER_MM for edge in corners))
            for number, page in enumerate(self._document.pages)
            for name, corners in page.anchors.items()
        }

    def heights(self) -> dict[str, list[float]]:
        """Returns the heights in mm of numbered elements: those of `p-0`, `p-1` … under `p`."""
        found: dict[str, list[float]] = defaultdict(list)
        for name, box in self.boxes().items():
            found[name.rpartition("-")[0]].append(box.height)
        return found

    def blocks(self) -> dict[str, TypesetBlock]:
        """Returns the blocks of this galley by name; see `typeset.make_up`."""
        return blocks_of(self._document, self._complaints)

    def made_up(self, moved: Sequence[Moved]) -> Layout:
        """Returns a layout with blocks of galleys placed on its pages, and with their faults.

        The pages themselves are changed, so that this layout cannot be used after that.
        """
        put_on_pages(self._document, moved)
        of_blocks = (line for place in moved for line in place.block.complaints)
        complaints = [*self._complaints, *of_blocks]
        return replace(self, _complaints=complaints, _low=low_pictures(moved))

    def only(self, numbers: Sequence[int]) -> Layout:
        """Returns a layout of only the pages with these numbers, from 0, with their change bars."""
        made = copy(self)
        made._document = self._document.copy([self._document.pages[number] for number in numbers])
        bars = {at: self._bars.get(number, []) for at, number in enumerate(numbers)}
        made._bars = {at: found for at, found in bars.items() if found}
        return made

    def with_low(self, drawings: Layout) -> Layout:
        """Returns a layout in which, in low ink, pictures are replaced by those of another layout.

        Both layouts must have the same pictures in the same order.
        """
        pairs = zip(pictures_on(self._document), pictures_on(drawings._document), strict=True)
        low = [(box, drawing.replacement) for box, drawing in pairs]
        complaints = [*self._complaints, *drawings._complaints]
        return replace(self, _complaints=complaints, _low=low)

    def first_pages(self) -> dict[str, int]:
        """Returns the page, from 1, on which every element that has an id begins, by id."""
        found: dict[str, int] = {}
        for number, page in enumerate(self._document.pages, start=1):
            for name in page.anchors:
                found.setdefault(name, number)
        return found

    def pdf(self, *, print_hints: bool, ink: str = "full", tagged: bool = True) -> bytes:
        """Returns the document as PDF; raises RenderFault if WeasyPrint had any complaint.

        `print_hints` asks the viewer to print at actual size, on paper of the page's size. `ink` is
        'full', 'low', which paints the layout black and without fills, or 'press', which writes
        PDF/X-4 in the four inks of the press. Pages that are imposed on sheets and never read by
        themselves need not be `tagged`: neither sheets nor files for the press have tags.
        """

        def finish(document: Any, pdf: Any) -> None:
            add_bars(document, pdf, self._edition or "", self._bars)
            if print_hints:
                _print_hints(pdf)
            if ink == PRESS:
                name_press(pdf)

        used = Used(inks_of(self._templates / PROFILE)) if ink == PRESS else Used()
        self._document.fonts = _Fonts(self._document.fonts, used)
        variant = "pdf/ua-1" if tagged else None
        how: AbstractContextManager[None] = nullcontext()
        if ink == "low":
            how = low_ink(self._document.pages, self._low)
        elif ink == PRESS:
            variant, tagged, how = VARIANT, False, on_press(self._document, self._templates)
        with _complaints() as lines, how:
            data: bytes = self._document.write_pdf(
                finisher=finish, pdf_variant=variant, pdf_tags=tagged
            )
        lines += (f'{_NO_GLYPH}"{letter}" (U+{ord(letter):04X})' for letter in used.unset)
        problems = _problems([*self._complaints, *lines], self._name)
        if problems:
            raise RenderFault(problems)
        return data


def lay_out(
    html: str,
    styles: Sequence[str],
    *,
    templates: Path,
    name: str,
    edition: str | None = None,
    galley: str = "",
    ends: bool = False,
    pictures: Mapping[str, Picture] | None = None,
) -> Layout:
    """Lays out an HTML page with stylesheets, which are given as texts.

    `name` is the document's name in faults. If an `edition` is given, parts that are marked as
    changed have change bars in the margin. Galleys whose blocks go on to the same pages need
    different names (`galley`). With `ends`, the ends of pages are improved: see
    `typeset.page_ends`. `pictures` are the images of the page, by their addresses, that are drawn
    without laying them out. Warnings of WeasyPrint are kept in the layout.
    """
    maker = _page_maker_for(templates)
    used = [maker.style(css) for css in (_face_rules(), *styles)]
    page_ends = PageEnds() if ends else None
    with _complaints() as lines:
        page = _page(html, maker, name)
        page.page_ends = page_ends
        if edition:
            find_marked(page.etree_element, f"{NAME}{galley}")
        document = page.render(
            stylesheets=[sheet for sheet, _ in used],
            font_config=maker.configuration,
            pdf_variant="pdf/ua-1",
            cache={address: _DrawnPicture(drawn) for address, drawn in (pictures or {}).items()},
        )
    complaints = [line for _, found in used for line in found] + lines
    remark = page_ends.remark if page_ends else ""
    return Layout(page, document, complaints, name, templates, edition, remark)


_SVG = "{http://www.w3.org/2000/svg}svg"
_VOID = re.compile(r"<(br|hr|col|meta)\b([^<>]*?)/?>")


def _page(html: str, maker: _PageMaker, name: str) -> Any:
    """Parses an HTML page for WeasyPrint with the XML parser of the standard library.

    Our templates write well-formed pages, so WeasyPrint's forgiving parser, which takes a tenth of
    the time of a document, is not needed. Raises RenderFault if a page is not well formed.
    """
    body = html[html.index("<html") :].replace("&nbsp;", "\u00a0")
    try:
        root = ElementTree.fromstring(_VOID.sub(r"<\1\2/>", body))
    except ElementTree.ParseError as fault:
        line, column = fault.position
        near = body.splitlines()[line - 1][max(0, column - 30) : column + 30].strip()
        said = f"{name}: a template writes a page that is not well formed ({fault}, near '{near}')"
        raise RenderFault((broken_design(said, None),)) from fault
    _join_ranges(root)
    from cssselect2 import ElementWrapper

    page = maker.page_class.__new__(maker.page_class)
    page.base_url = None
    page.url_fetcher = maker.fetcher
    page.media_type = "print"
    page.wrapper_element = ElementWrapper.from_html_root(root, content_language=None)
    page.etree_element = page.wrapper_element.etree_element
    return page


#: Behind the dash of 3–4 a line could end.
_RANGE = re.compile("(?<=[0-9]\N{EN DASH})(?=[0-9])")


def _join_ranges(root: Element) -> None:
    """Prevents line breaks in ranges of figures, except in the page's title and in drawings."""
    for element in root.iterfind("body//*"):
        drawn = element.tag.startswith("{")
        if element.text and not drawn:
            element.text = _RANGE.sub("\N{WORD JOINER}", element.text)
        if element.tail and (not drawn or element.tag == _SVG):
            element.tail = _RANGE.sub("\N{WORD JOINER}", element.tail)


def _print_hints(pdf: Any) -> None:
    import pydyf

    hints = {"PrintScaling": "/None", "PickTrayByPDFSize": "true", "DisplayDocTitle": "true"}
    preferences = pdf.catalog.setdefault("ViewerPreferences", pydyf.Dictionary())
    preferences.update(hints)


_NO_GLYPH = "unsupported by fonts: "


def _problems(lines: list[str], name: str) -> tuple[Problem, ...]:
    """Returns the problems that WeasyPrint's warnings mean for the document `name`.

    There is one for all characters without a glyph, and one for each other warning.
    """
    unset: set[str] = set()
    rest: list[str] = []
    for line in dict.fromkeys(lines):
        _, found, what = line.partition(_NO_GLYPH)
        if found:
            unset.add(what)
        else:
            rest.append(line)
    expected = "a page that is made without complaint"
    problems = [Problem("R602", f"{name}: {line}", expected=expected) for line in rest]
    if unset:
        problems.append(no_glyphs(name, unset))
    return tuple(problems)
