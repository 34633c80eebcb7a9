"""Lines, areas and words in millimetres -> SVG by matplotlib, its words as outlines.

Matplotlib is imported only when something is drawn that is not in the cache: that alone takes as
long as ten pages of a booklet.
"""

from __future__ import annotations

import io
import logging
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from rulebook.cache import Cache, digest_of
from rulebook.drawing.elements import Point, mixed
from rulebook.quantities import MM_PER_INCH, MM_PER_POINT
from rulebook.text_fitting import text_width, wrapped
from rulebook.typefaces import FACES, SANS, SANS_BOLD

FAMILY = "IBM Plex Sans Condensed"
TEXT, SOFT = "#1d1b19", "#55504a"
HAIR = mixed(SOFT, 0.35)

#: The width of a drawing in millimetres, and its type in points.
Page = tuple[float, float]
Anchor = Literal["left", "center", "right"]


_SETTINGS = {
    "svg.fonttype": "path",
    "svg.hashsalt": "rulebook",
    "font.family": FAMILY,
    "hatch.linewidth": 0.45,
    "path.simplify": False,
}


@lru_cache(maxsize=1)
def _library() -> Any:
    """Imports matplotlib with the modules that are used, and returns it.

    It is kept from searching for fonts and from writing into the user's folders; the fonts of
    charts are registered.
    """
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder, _environment("MPLCONFIGDIR", folder):
        _pretend_that_no_font_is_there(Path(folder))
        import matplotlib.backends.backend_svg
        import matplotlib.figure
        import matplotlib.font_manager
        import matplotlib.lines
        import matplotlib.patches
        import matplotlib.transforms
    known = matplotlib.font_manager.fontManager
    known.ttflist.clear()
    known.afmlist.clear()
    for face in FACES:
        if face.family == FAMILY:
            known.addfont(face.path)
    return matplotlib


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def _pretend_that_no_font_is_there(folder: Path) -> None:
    """Writes an empty font list into matplotlib's folder, so that it does not search for fonts.

    If the format of the list has changed, matplotlib searches anyway; what it finds is removed
    later.
    """
    package = find_spec("matplotlib")
    source = Path(package.origin or "").with_name("font_manager.py") if package else Path()
    found = re.search(r"__version__ = '([^']+)'", source.read_text("utf-8"))
    if found:
        text = (
            f'{{"_version": "{found[1]}", "_FontManager__default_weight": "normal",'
            ' "default_size": null, "defaultFamily": {"ttf": "DejaVu Sans", "afm": "Helvetica"},'
            ' "afmlist": [], "ttflist": [], "__class__": "FontManager"}'
        )
        (folder / f"fontlist-v{found[1]}.json").write_text(text, "utf-8")


class Sketch:
    """A drawing made with matplotlib, with lengths in mm from the top left corner.

    Text can be measured at once, but `begin` must set the height before anything is drawn.
    """

    def __init__(self, width: float, size: float) -> None:
        self.width = width
        self.size = size
        #: The height of a line of type.
        self.line = size * MM_PER_POINT * 1.3
        self._library = _library()
        self._figure: Any = None
        self._millimetres: Any = None
        self._height = 0.0

    def begin(self, height: float) -> None:
        """Begins the drawing and makes it `height` mm high."""
        library = self._library
        self._height = height
        self._figure = library.figure.Figure(
            figsize=(self.width / MM_PER_INCH, height / MM_PER_INCH), dpi=72
        )
        self._figure.patch.set_visible(False)
        dots = 1 / MM_PER_POINT
        transform = library.transforms.Affine2D()
        self._millimetres = transform.scale(dots, -dots).translate(0, height * dots)

    def width_of(self, text: str, *, bold: bool = False) -> float:
        """Returns the width of a text in mm."""
        return text_width(text, self.size * MM_PER_POINT, SANS_BOLD if bold else SANS)

    def wrapped(self, text: str, width: float) -> list[str]:
        """Breaks a text into lines up to `width` mm wide."""
        return wrapped(text, self.size * MM_PER_POINT, width, SANS) or [""]

    def flowing(
        self, widths: Iterable[float], left: float, gap: float
    ) -> Iterator[tuple[int, float]]:
        """Arranges boxes of these widths in rows, like words, with `gap` mm between them.

        Yields for each its row, from 0, and the x of its left edge.
        """
        row, x = 0, left
        for width in widths:
            if x > left and x + width > self.width:
                row, x = row + 1, left
            yield row, x
            x += width + gap

    def text(
        self,
        at: Point,
        words: str,
        *,
        anchor: Anchor = "left",
        bold: bool = False,
        colour: str = TEXT,
    ) -> None:
        """Writes a line of text; its vertical middle is at the y of the point `at`.

        `anchor` says which end or middle of the line is at the x.
        """
        self._figure.text(
            at[0],
            at[1] + self.size * MM_PER_POINT * 0.33,
            words,
            ha=anchor,
            va="baseline",
            color=colour,
            fontproperties=self._library.font_manager.FontProperties(
                family=FAMILY, size=self.size, weight=600 if bold else 400
            ),
            transform=self._millimetres,
            parse_math=False,
        )

    def lifted(self, at: Point, words: str) -> None:
        """Writes text centred at a point, on a white patch that hides what is below it."""
        width, height = self.width_of(words) + 0.8, self.line * 0.8
        box = (at[0] - width / 2, at[1] - height / 2)
        self.rectangle(box, width, height, facecolor="white", linewidth=0)
        self.text(at, words, anchor="center")

    def rectangle(self, at: Point, width: float, height: float, **style: Any) -> None:
        """Draws a rectangle from its top left corner; `style` goes to matplotlib."""
        box = self._library.patches.Rectangle(at, width, height, **style)
        self._add(box)

    def area(self, points: Sequence[Point], **style: Any) -> None:
        """Draws a polygon; `style` goes to matplotlib."""
        self._add(self._library.patches.Polygon(points, closed=True, **style))

    def run(self, points: Sequence[Point], **style: Any) -> None:
        """Draws a line through points; `style` goes to matplotlib."""
        self._add(
            self._library.lines.Line2D([x for x, _ in points], [y for _, y in points], **style)
        )

    def hair(self, start: Point, end: Point, *, strong: bool = False) -> None:
        """Draws a thin grey line; a `strong` one is darker and a little wider."""
        self.run([start, end], color=SOFT if strong else HAIR, linewidth=0.6 if strong else 0.4)

    def _add(self, artist: Any) -> None:
        artist.set_transform(self._millimetres)
        artist.set_clip_on(False)
        self._figure.add_artist(artist)

    def svg(self, name: str, alt: str) -> str:
        """Returns the drawing as an SVG element.

        `name` is the prefix of all ids in it; `alt` describes the drawing in words and is its
        title.
        """
        file = io.StringIO()
        self._figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
        drawn = file.getvalue()
        drawn = drawn.partition("<svg")[2].partition(">")[2]
        for first, last in (("<metadata>", "</metadata>"), ("<style", "</style>")):
            before, _, after = drawn.partition(first)
            drawn = before + after.partition(last)[2]
        first, *commented = drawn.split("<!--")
        drawn = first + "".join(part.partition("-->")[2] for part in commented)
        drawn = re.sub(r'style="([^"]*)"', _attributes, drawn)
        drawn = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", drawn)
        drawn = re.sub(r"\n\s*", "\n", drawn).strip()
        width, height = f"{self.width:g}mm", f"{self._height:g}mm"
        box = f"0 0 {self.width / MM_PER_POINT:g} {self._height / MM_PER_POINT:g}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
            f' width="{width}" height="{height}" viewBox="{box}" role="img"'
            f' stroke-linejoin="round" stroke-linecap="butt">'
            f"<title>{escape(alt, quote=False)}</title>{drawn}"
        )


def _attributes(style: re.Match[str]) -> str:
    """Converts a matched CSS style to SVG attributes; WeasyPrint ignores strokes in `style`."""
    pairs = (setting.split(":", 1) for setting in style[1].split(";") if ":" in setting)
    return " ".join(f'{name.strip()}="{value.strip()}"' for name, value in pairs)


@contextmanager
def settings() -> Iterator[None]:
    """Within this context, matplotlib has its defaults and the settings for charts."""
    library = _library()
    with library.rc_context():
        library.rcdefaults()
        library.rcParams.update(_SETTINGS)
        yield


def kept(cache: Cache, drawn_from: object, draw: Callable[[], str]) -> str:
    """Returns a drawing from the cache; otherwise calls `draw`, caches the result and returns it.

    `drawn_from` are all values on which the drawing depends.
    """
    key = digest_of(drawn_from)
    if (known := cache.get("charts", key)) is not None:
        return known.decode("utf-8")
    with settings():
        drawn = draw()
    cache.put("charts", key, drawn.encode("utf-8"))
    return drawn
