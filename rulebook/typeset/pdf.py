"""HTML -> PDF by WeasyPrint, closed to network, files and system fonts; its complaints are faults.

`FONTCONFIG_FILE` is set before WeasyPrint is imported, so that Fontconfig knows no fonts but ours.
"""

from __future__ import annotations

import ctypes.util
import logging
import os
import re
import warnings
from base64 import b64decode
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import copy
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from rulebook.drawing.pdf import compress_sooner
from rulebook.paper_and_ink import PRESS
from rulebook.problems import Problem
from rulebook.typefaces import EVERY_FACE
from rulebook.typeset import fonts
from rulebook.typeset.change_bars import NAME, add_bars, bars_on, find_marked, is_ours
from rulebook.typeset.environment import (
    RenderFault,
    broken_design,
    declared_in,
    no_glyphs,
    stylesheet,
    with_values,
)
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
from rulebook.typeset.press import VARIANT, name_press, on_press

#: The stylesheet of what elements are before any other.
ELEMENTS = "elements"


@dataclass(frozen=True, slots=True)
class PageBox:
    """Where an element with an id stands: page from 0, millimetres from the page's top left."""

    page: int
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top


@lru_cache(maxsize=1)
def _engine(templates: Path) -> Any:
    """WeasyPrint with fonts of our own only."""
    os.environ["FONTCONFIG_FILE"] = str((templates / "fonts" / "fonts.conf").resolve())
    os.environ["SOURCE_DATE_EPOCH"] = "0"
    return _changed_engine()


@cache
def _changed_engine() -> Any:
    """WeasyPrint, imported and changed once in a process, whatever templates it is used with."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Fontconfig has no fonts: that is what we want
        try:
            with _libraries_by_their_names():
                import weasyprint
        except OSError:  # one of them is only found by searching
            import weasyprint
    compress_sooner()
    _set_lines_once()
    _read_styles_sooner()
    _draw_backgrounds_once()
    weasyprint.layout.page.remake_page = watched(weasyprint.layout.page.remake_page)
    logger = logging.getLogger("weasyprint")
    logger.propagate = False
    return weasyprint


@contextmanager
def _libraries_by_their_names() -> Iterator[None]:
    """Have native libraries opened by the names of their files alone.

    WeasyPrint asks for each by its names on other systems first, and Python looks for such a name
    by running a linker and a compiler: some thirty programs, for nothing where a later name fits.
    """
    search = ctypes.util.find_library
    ctypes.util.find_library = lambda name: None
    try:
        yield
    finally:
        ctypes.util.find_library = search


def layout_version(templates: Path) -> str:
    """The version of Pango, the native library that breaks lines."""
    _engine(templates)
    from weasyprint.text.ffi import pango

    return str(pango.pango_version())


#: Lines that are kept at a time; when there are more, all are forgotten.
_MOST_LINES = 20_000
#: How the names of properties begin by which a line is set.
_OF_LINES = (
    *("direction", "font_", "hyphen", "lang", "letter_spacing", "line_height", "overflow_wrap"),
    *("tab_size", "word_"),
)


@dataclass(slots=True)
class _DrawnAgain:
    """A form that is in a PDF already, where it is drawn once more."""

    form: Any
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def reference(self) -> Any:
        return self.form.reference


def _draw_backgrounds_once() -> None:
    """Put a drawing that is a background into a PDF once for each of its sizes."""
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


def _set_lines_once() -> None:
    """Keep each line of words that is set, and words together that fill their line.

    The page maker breaks words whose last space has no room on their line behind the first of
    them, where something else comes after them.
    """
    from weasyprint.css.properties import INITIAL_VALUES
    from weasyprint.layout import inline, preferred
    from weasyprint.text.line_break import split_first_line as split

    lines: dict[tuple[object, ...], Any] = {}
    names = [name for name in INITIAL_VALUES if name.startswith(_OF_LINES)]
    numbers: dict[tuple[object, ...], int] = {}

    def number_of(style: Any) -> int:
        """The number of all styles in which lines are set alike; each is looked at once."""
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


def _read_styles_sooner() -> None:
    """Take a property that no rule sets from the parent, or as it is at first, without ado.

    Without this and the lines that are kept a build takes a fifth more of the processor.
    """
    from weasyprint.css import ComputedStyle
    from weasyprint.css.computed_values import PHYSICAL_FUNCTIONS
    from weasyprint.css.properties import INHERITED, INITIAL_NOT_COMPUTED, INITIAL_VALUES

    original = ComputedStyle.__missing__
    special = {"page", "position", "float", "display"}
    plain = {name for name in INITIAL_VALUES if not name.startswith("text_decoration_")} - special
    inherited = plain & INHERITED - PHYSICAL_FUNCTIONS.keys()
    initial = plain - INHERITED - INITIAL_NOT_COMPUTED
    # What a rule may set instead: the start of a line, which is at its left or right.
    logical = {
        name: {function(block="ttb", inline=way) for way in ("ltr", "rtl")}
        for name, function in PHYSICAL_FUNCTIONS.items()
    }

    def missing(self: Any, key: str) -> Any:
        if key in self.cascaded:
            return original(self, key)
        if key in initial and logical.get(key, set()).isdisjoint(self.cascaded):
            value = self[key] = INITIAL_VALUES[key]
            return value
        if key in inherited and self.parent_style is not None:
            value = self.parent_style[key]
            if isinstance(value, str | int | float | None):  # nothing yet to be computed
                self[key] = value
                return value
        return original(self, key)

    ComputedStyle.__missing__ = missing


_PICTURE = re.compile(r"data:(image/[a-z+]+);base64,")


def _fetcher(templates: Path) -> Any:
    """Answers for our fonts and for pictures that stand in an address themselves, no others."""
    weasyprint = _engine(templates)
    known = {fonts.address(face): face.path for face in EVERY_FACE}

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


@dataclass(frozen=True, slots=True)
class _ParsedStyle:
    """A stylesheet that has been parsed, and the complaints of it: faults wherever it is used."""

    sheet: Any
    complaints: tuple[str, ...]


@dataclass(frozen=True)
class _PageMaker:
    """What one process keeps between documents: fonts, parsed styles by their text, the fetcher."""

    configuration: Any
    fetcher: Any
    styles: dict[str, _ParsedStyle]
    page: Any
    element: Any


def _press(templates: Path) -> _PageMaker:
    return _press_with(stylesheet(ELEMENTS, templates), templates)


@lru_cache(maxsize=1)
def _press_with(elements: str, templates: Path) -> _PageMaker:
    """What is kept for as long as the style of elements stays as it is."""
    _engine(templates)
    from weasyprint.text.fonts import FontConfiguration

    fetcher = _fetcher(templates)
    ours = _engine(templates).CSS(string=elements, url_fetcher=fetcher)
    press = _PageMaker(
        FontConfiguration(), fetcher, {}, _page_class(templates, ours), _element_class()
    )
    _style(press, fonts.face_rules(), templates)
    return press


def _page_class(templates: Path, ours: Any) -> Any:
    """A page that starts from a style of elements of our own."""

    class StyledPage(_engine(templates).HTML):  # type: ignore[misc]
        def _ua_stylesheets(self, forms: bool = False) -> list[Any]:
            return [ours]

    return StyledPage


def _element_class() -> Any:
    """An element for which styles are sought; those within a drawing need none."""
    from cssselect2 import ElementWrapper

    class Wrapped(ElementWrapper):  # type: ignore[misc]
        @property
        def etree_children(self) -> list[Any]:
            inside = self.parent is not None and self.parent.etree_element.tag == _SVG
            return [] if inside else [*self.etree_element]

    return Wrapped


def warm_up(templates: Path) -> None:
    """Import what rendering needs, so that the first document of a worker is not the slow one."""
    _press(templates)


def _style(press: _PageMaker, css: str, templates: Path) -> _ParsedStyle:
    if css not in press.styles:
        with _complaints() as lines:
            sheet = _engine(templates).CSS(
                string=css, font_config=press.configuration, url_fetcher=press.fetcher
            )
        press.styles[css] = _ParsedStyle(sheet, tuple(lines))
    return press.styles[css]


@contextmanager
def _complaints() -> Iterator[list[str]]:
    """The lines that WeasyPrint logs while something is done."""
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


class Layout:
    """A document that has been laid out: where things stand, and its bytes on demand.

    What is marked as changed in an `edition` has bars in the margin. `remark` says what was moved
    so that pages end well.
    """

    def __init__(
        self,
        page: Any,
        document: Any,
        complaints: Sequence[str],
        name: str,
        edition: str | None = None,
        *,
        templates: Path,
        low: Sequence[tuple[Any, Any]] = (),
        remark: str = "",
    ) -> None:
        self.remark = remark
        self._page = page
        self._document = document
        self._complaints = complaints
        self._name = name
        self._edition = edition
        self._low = low
        self._templates = templates
        marked = find_marked(page.etree_element, edition) if edition else ()
        self._bars = {
            number: bars
            for number, one in enumerate(document.pages)
            if (bars := bars_on(marked, one.anchors))
        }
        for one in document.pages:
            for anchor in filter(is_ours, list(one.anchors)):
                del one.anchors[anchor]

    @property
    def pages(self) -> int:
        return len(self._document.pages)

    def _like(
        self,
        document: Any,
        complaints: Sequence[str],
        edition: str | None = None,
        low: Sequence[tuple[Any, Any]] = (),
    ) -> Layout:
        name, templates = self._name, self._templates
        return Layout(self._page, document, complaints, name, edition, templates=templates, low=low)

    def boxes(self) -> dict[str, PageBox]:
        """The box of every element with an id, by id."""
        return {
            name: PageBox(number, *(edge / PIXELS_PER_MM for edge in corners))
            for number, page in enumerate(self._document.pages)
            for name, corners in page.anchors.items()
        }

    def blocks(self) -> dict[str, TypesetBlock]:
        """The blocks of a galley by their names: see `typeset.make_up`."""
        return blocks_of(self._document, self._complaints)

    def made_up(self, moved: Sequence[Moved]) -> Layout:
        """The same pages with blocks of galleys on them; those of this layout are used up."""
        put_on_pages(self._document, moved)
        complaints = [*self._complaints, *(line for one in moved for line in one.block.complaints)]
        low = low_pictures(moved)
        return self._like(self._document, complaints, self._edition, low=low)

    def gathered(self, pages: Sequence[tuple[Layout, int]]) -> Layout:
        """Pages of this layout and of others like it, by their numbers, as one document."""
        chosen = [layout._document.pages[number] for layout, number in pages]
        layouts = dict.fromkeys((self, *(layout for layout, _ in pages)))
        complaints = [line for layout in layouts for line in layout._complaints]
        return self._like(self._document.copy(chosen), complaints)

    def only(self, numbers: Sequence[int]) -> Layout:
        """The same with these of its pages alone, counted from 0; bars stay with their pages."""
        made = copy(self)
        made._document = self._document.copy([self._document.pages[one] for one in numbers])
        made._bars = {at: self._bars[one] for at, one in enumerate(numbers) if one in self._bars}
        return made

    def with_low(self, drawings: Layout) -> Layout:
        """The same, its pictures in low ink those of another layout, which has as many."""
        pairs = zip(pictures_on(self._document), pictures_on(drawings._document), strict=True)
        low = [(box, other.replacement) for box, other in pairs]
        complaints = [*self._complaints, *drawings._complaints]
        return self._like(self._document, complaints, low=low)

    def first_pages(self) -> dict[str, int]:
        """The page on which every element with an id begins, counted from 1, by id."""
        found: dict[str, int] = {}
        for number, page in enumerate(self._document.pages, start=1):
            for name in page.anchors:
                found.setdefault(name, number)
        return found

    def pdf(self, *, print_hints: bool, ink: str = "full", tagged: bool = True) -> bytes:
        """The bytes; raises RenderFault if anything was complained of on the way.

        `print_hints` asks the viewer to print at actual size, on the paper of the page's size.
        Low `ink` paints what was laid out in full ink black and without fills, that of a `press`
        in its four inks, as PDF/X-4. Pages that are imposed on sheets and never read by themselves
        need not be `tagged`: sheets have no tags, and neither has what a press prints.
        """

        def finish(document: Any, pdf: Any) -> None:
            add_bars(document, pdf, self._bars)
            if print_hints:
                _print_hints(pdf)
            if ink == PRESS:
                name_press(pdf)

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
) -> Layout:
    """Lay out a page; each text of styles is parsed once in a process, `name` is named in faults.

    What is marked as changed in an `edition` has bars in the margin. A `galley` whose blocks go on
    to pages with those of others has a name of its own among them. With `ends` pages are filled and
    end well: see `typeset.page_ends`.
    """
    press = _press(templates)
    texts = with_values(tuple(styles), declared_in(html))
    used = [_style(press, css, templates) for css in (fonts.face_rules(), *texts)]
    page_ends = PageEnds() if ends else None
    with _complaints() as lines:
        page = _page(html, press, name)
        page.page_ends = page_ends
        if edition:
            find_marked(page.etree_element, edition, f"{NAME}{galley}")
        document = page.render(
            stylesheets=[style.sheet for style in used],
            font_config=press.configuration,
            pdf_variant="pdf/ua-1",
        )
    complaints = [line for style in used for line in style.complaints] + lines
    remark = page_ends.remark if page_ends else ""
    return Layout(page, document, complaints, name, edition, templates=templates, remark=remark)


_SVG = "{http://www.w3.org/2000/svg}svg"
_VOID = re.compile(r"<(br|hr|col|meta)\b([^<>]*?)/?>")


def _page(html: str, press: _PageMaker, name: str) -> Any:
    """A page for WeasyPrint, read by the XML parser of the standard library.

    Our templates write well-formed pages, so the slow parser that forgives everything, a tenth of
    the time of a document, is not needed. Raises RenderFault where a template is at fault.
    """
    body = html[html.index("<html") :].replace("&nbsp;", "\u00a0")
    try:
        root = ElementTree.fromstring(_VOID.sub(r"<\1\2/>", body))
    except ElementTree.ParseError as fault:
        line, column = fault.position
        near = body.splitlines()[line - 1][max(0, column - 30) : column + 30].strip()
        said = f"{name}: a template writes a page that is not well formed ({fault}, near '{near}')"
        raise RenderFault((broken_design(said, None),)) from fault
    _share_styles(root)
    _join_ranges(root)
    page = press.page.__new__(press.page)
    page.base_url = None
    page.url_fetcher = press.fetcher
    page.media_type = "print"
    page.wrapper_element = press.element.from_html_root(root, content_language=None)
    page.etree_element = page.wrapper_element.etree_element
    return page


_PLAIN_STYLE = re.compile(r"[-\w\s:;#%.,()+*/]*")


def _share_styles(root: Element) -> None:
    """Give the elements with one and the same `style` a class instead, and that class the style.

    All elements with the same rules share what the page maker works out for them, but not those
    with a style of their own, nor what is in them. Rules of the page come before those of `styles`.
    """
    classes: dict[str, str] = {}
    for element in root.iter():
        style = element.get("style")
        if style and not element.tag.startswith("{") and _PLAIN_STYLE.fullmatch(style):
            name = classes.setdefault(style, f"style-{len(classes)}")
            element.set("class", f"{element.get('class', '')} {name}".lstrip())
            del element.attrib["style"]
    head = root.find("head")
    if classes and head is not None:
        rules = (f".{name}{{{style}}}" for style, name in classes.items())
        ElementTree.SubElement(head, "style").text = "\n".join(rules)


#: Behind the dash of 3–4 a line could end.
_RANGE = re.compile("(?<=[0-9]\N{EN DASH})(?=[0-9])")


def _join_ranges(root: Element) -> None:
    """Keep ranges of figures on one line, but in the title of the page and in drawings."""
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
    """One problem for all characters without a glyph, one for each other complaint."""
    unset: set[str] = set()
    other: list[str] = []
    for line in dict.fromkeys(lines):
        _, found, what = line.partition(_NO_GLYPH)
        if found:
            unset.add(what)
        else:
            other.append(line)
    expected = "a page that is made without complaint"
    problems = [Problem("R602", f"{name}: {line}", expected=expected) for line in other]
    if unset:
        problems.append(no_glyphs(name, unset))
    return tuple(problems)
