"""HTML -> PDF by WeasyPrint, closed to network, files and system fonts; its complaints are faults.

`FONTCONFIG_FILE` is set before WeasyPrint is imported, so that Fontconfig knows no fonts but ours.
"""

from __future__ import annotations

import logging
import os
import re
import warnings
from base64 import b64decode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from rulebook.problems import Problem
from rulebook.render import fonts
from rulebook.render.change_bars import Marked, add_bars, bars_on, find_marked, is_ours
from rulebook.render.faults import RenderFault, broken_design

POINTS_PER_MM = 72 / 25.4
PIXELS_PER_MM = 96 / 25.4


@dataclass(frozen=True, slots=True)
class Box:
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
    """WeasyPrint, imported once in a process with fonts of our own only."""
    os.environ["FONTCONFIG_FILE"] = str((templates / "fonts" / "fonts.conf").resolve())
    os.environ["SOURCE_DATE_EPOCH"] = "0"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Fontconfig has no fonts: that is what we want
        import weasyprint
    logger = logging.getLogger("weasyprint")
    logger.propagate = False
    return weasyprint


#: What stands between letters only because of where a line ends.
_SPACING = re.compile("[\\s\u00ad\u2010]")
_PICTURE = re.compile(r"data:(image/[a-z+]+);base64,")


def _fetcher(templates: Path) -> Any:
    """Answers for our fonts and for pictures that stand in an address themselves, no others."""
    weasyprint = _engine(templates)
    known = {face.url: face.path for face in fonts.faces()}

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
class _Style:
    """A stylesheet that has been parsed, and the complaints of it: faults wherever it is used."""

    sheet: Any
    complaints: tuple[str, ...]


@dataclass(frozen=True)
class _Press:
    """What one process keeps between documents: fonts, parsed styles by their text, the fetcher."""

    configuration: Any
    fetcher: Any
    styles: dict[str, _Style]


@lru_cache(maxsize=1)
def _press(templates: Path) -> _Press:
    _engine(templates)
    from weasyprint.text.fonts import FontConfiguration

    press = _Press(FontConfiguration(), _fetcher(templates), {})
    _style(press, fonts.face_rules(), templates)
    return press


def warm_up(templates: Path) -> None:
    """Import what rendering needs, so that the first document of a worker is not the slow one."""
    _press(templates)


def _style(press: _Press, css: str, templates: Path) -> _Style:
    if css not in press.styles:
        with _complaints() as lines:
            sheet = _engine(templates).CSS(
                string=css, font_config=press.configuration, url_fetcher=press.fetcher
            )
        press.styles[css] = _Style(sheet, tuple(lines))
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
    """A document that has been laid out: where things stand, and its bytes on demand."""

    def __init__(
        self, document: Any, complaints: list[str], name: str, marked: Sequence[Marked] = ()
    ) -> None:
        self._document = document
        self._complaints = complaints
        self._name = name
        self._bars = {
            number: bars
            for number, page in enumerate(document.pages)
            if (bars := bars_on(marked, page.anchors))
        }
        for page in document.pages:
            for one in filter(is_ours, list(page.anchors)):
                del page.anchors[one]

    @property
    def pages(self) -> int:
        return len(self._document.pages)

    def boxes(self) -> dict[str, Box]:
        """The box of every element with an id, by id."""
        return {
            name: Box(number, *(edge / PIXELS_PER_MM for edge in corners))
            for number, page in enumerate(self._document.pages)
            for name, corners in page.anchors.items()
        }

    def first_pages(self) -> dict[str, int]:
        """The page on which every element with an id begins, counted from 1, by id."""
        found: dict[str, int] = {}
        for number, page in enumerate(self._document.pages, start=1):
            for name in page.anchors:
                found.setdefault(name, number)
        return found

    def words(self, *, but: str) -> list[str]:
        """The letters of each page in their order, but those in elements of a class.

        The spaces and hyphens of lines are left out, so that they are the same in other lines.
        """
        return [
            _SPACING.sub("", "".join(_texts(page._page_box, but))) for page in self._document.pages
        ]

    @property
    def marked_pages(self) -> tuple[int, ...]:
        """The pages with bars in their margins, from 0."""
        return tuple(self._bars)

    def pdf(self, *, print_hints: bool) -> bytes:
        """The bytes; raises RenderFault if anything was complained of on the way.

        `print_hints` asks the viewer to print at actual size, on the paper of the page's size.
        """

        def finish(document: Any, pdf: Any) -> None:
            add_bars(document, pdf, self._bars)
            if print_hints:
                _print_hints(pdf)

        with _complaints() as lines:
            data: bytes = self._document.write_pdf(
                finisher=finish, pdf_variant="pdf/ua-1", pdf_tags=True
            )
        problems = _problems([*self._complaints, *lines], self._name)
        if problems:
            raise RenderFault(problems)
        return data


def _texts(box: Any, but: str) -> Iterator[str]:
    classes = box.element.get("class", "") if hasattr(box.element, "get") else ""
    if but not in classes.split():
        yield getattr(box, "text", "")
        for child in getattr(box, "children", ()):
            yield from _texts(child, but)


def lay_out(
    html: str, styles: Sequence[str], *, templates: Path, name: str, edition: str | None = None
) -> Layout:
    """Lay out a page; each text of styles is parsed once in a process, `name` is told in faults.

    What is marked as changed in an `edition` has bars in the margin.
    """
    press = _press(templates)
    used = [_style(press, css, templates) for css in (fonts.face_rules(), *styles)]
    with _complaints() as lines:
        page = _page(html, press.fetcher, templates, name)
        marked = find_marked(page.etree_element, edition) if edition else ()
        document = page.render(
            stylesheets=[style.sheet for style in used],
            font_config=press.configuration,
            pdf_variant="pdf/ua-1",
        )
    complaints = [line for style in used for line in style.complaints] + lines
    return Layout(document, complaints, name, marked)


_VOID = re.compile(r"<(br|hr|col|meta)\b([^<>]*?)/?>")


def _page(html: str, fetcher: Any, templates: Path, name: str) -> Any:
    """A page for WeasyPrint, read by the XML parser of the standard library.

    Our templates write well-formed pages, so the slow parser that forgives everything, a tenth of
    the time of a document, is not needed. Raises RenderFault where a template is at fault.
    """
    weasyprint = _engine(templates)
    from cssselect2 import ElementWrapper

    body = html[html.index("<html") :].replace("&nbsp;", "\u00a0")
    try:
        root = ElementTree.fromstring(_VOID.sub(r"<\1\2/>", body))
    except ElementTree.ParseError as fault:
        said = f"{name}: a template writes a page that is not well formed ({fault})"
        raise RenderFault((broken_design(said, None),)) from fault
    page = weasyprint.HTML.__new__(weasyprint.HTML)
    page.base_url = None
    page.url_fetcher = fetcher
    page.media_type = "print"
    page.wrapper_element = ElementWrapper.from_html_root(root, content_language=None)
    page.etree_element = page.wrapper_element.etree_element
    return page


def _print_hints(pdf: Any) -> None:
    import pydyf

    hints = {"PrintScaling": "/None", "PickTrayByPDFSize": "true", "DisplayDocTitle": "true"}
    preferences = pdf.catalog.setdefault("ViewerPreferences", pydyf.Dictionary())
    preferences.update(hints)


_NO_GLYPH = re.compile(r"unsupported by fonts: (?P<what>.+)$")


def _problems(lines: list[str], name: str) -> tuple[Problem, ...]:
    """One problem for all characters without a glyph, one for each other complaint."""
    unset: set[str] = set()
    other: list[str] = []
    for line in dict.fromkeys(lines):
        if match := _NO_GLYPH.search(line):
            unset.add(match["what"])
        else:
            other.append(line)
    problems = [
        Problem(
            "R602",
            f"{name}: {line}",
            expected="a page that is made without complaint",
            hint="look for what the line names in the content or in the templates",
        )
        for line in other
    ]
    if unset:
        problems.append(
            Problem(
                "R603",
                f"{name}: no font has the characters {', '.join(sorted(unset))}",
                expected="characters of the Latin alphabet, punctuation, fractions and arrows",
                hint="write them another way",
            )
        )
    return tuple(problems)
