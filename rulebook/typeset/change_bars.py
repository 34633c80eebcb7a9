"""The parts of a page that are marked as changed -> bars in its margin, and the edition's number.

A bar is drawn over a page that is already laid out, so it takes no room and moves no line: a
document has the same pages with bars and without. In a tagged PDF it is an artefact, like a running
head: the notes on changes say what changed.

Elements of the class `revised` are marked. The bars of all that stand inside an element with
`data-bars` lie at its left or right edge, whichever it names, below one another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal
from xml.etree.ElementTree import Element

from rulebook.typefaces import SANS_BOLD

CLASS, FRAME = "revised", "data-bars"
#: The prefix of the ids that `find_marked` gives.
NAME = "bar-"
Side = Literal["left", "right"]
#: Left, top, right and bottom, in pixels of the page maker.
Corners = tuple[float, float, float, float]
_POINTS = 0.75
#: In points: the bar, its distance from the text, that of the number from it, the number's type.
WIDTH, AWAY, BESIDE, SIZE = 0.9, 7.0, 2.0, 5.6
#: On a sheet, where there is little room between the columns.
NARROW_AWAY, NARROW_BESIDE, NARROW_SIZE = 2.6, 1.4, 4.8
#: The least distance from one number down to the next, in points.
_ROOM = {"left": 14.0, "right": 10.0}


@dataclass(frozen=True, slots=True)
class MarkedElement:
    """The id of an element marked as changed, and the id and edge of the frame where its bar lies.

    `follows` is set if nothing stands between it and the marked element before it.
    """

    name: str
    frame: str
    side: Side
    follows: bool


@dataclass(frozen=True, slots=True)
class ChangeBar:
    """A change bar on a page, in points from the top left.

    `follows` is set if it continues the bar before it.
    """

    x: float
    top: float
    bottom: float
    side: Side
    follows: bool = False


def find_marked(root: Element, name: str = NAME) -> list[MarkedElement]:
    """Finds the elements of a page that are marked as changed, in order, with their frames.

    Gives an id that begins with `name` to each of them that has none, and to each such frame.
    """
    found: list[MarkedElement] = []
    follows = False
    for element, frame in _walk(root, None):
        if frame is None:
            follows = False
            continue
        side: Side = "left" if frame.get(FRAME) == "left" else "right"
        number = len(found)
        names = _named(element, f"{name}{number}"), _named(frame, f"{name}{number}f")
        found.append(MarkedElement(*names, side, follows))
        follows = True
    return found


def _walk(element: Element, frame: Element | None) -> Iterator[tuple[Element, Element | None]]:
    """Yields each marked element with its frame, and None as frame for what stands between them.

    `frame` is the frame that holds `element`, if any. What stands between are pictures and elements
    with text.
    """
    frame = element if element.get(FRAME) else frame
    if frame is not None and CLASS in element.get("class", "").split():
        yield element, frame
    elif element.tag.rpartition("}")[2] in _PICTURES or (element.text or "").strip():
        yield element, None
    else:
        for child in element:
            yield from _walk(child, frame)
            if (child.tail or "").strip():
                yield child, None


#: Elements that print without words.
_PICTURES = ("svg", "img")


def _named(element: Element, name: str) -> str:
    if not element.get("id"):
        element.set("id", name)
    return str(element.get("id"))


def is_ours(name: str) -> bool:
    """Whether an id was assigned by `find_marked`."""
    return name.startswith(NAME)


def bars_on(marked: Iterable[MarkedElement], anchors: Mapping[str, Corners]) -> list[ChangeBar]:
    """Makes the change bars of a page from its marked elements; joins bars that adjoin.

    `anchors` has the corners of the elements on the page by id, in CSS pixels.
    """
    bars: list[ChangeBar] = []
    for element in marked:
        if element.name not in anchors or element.frame not in anchors:
            continue
        _, top, _, bottom = (edge * _POINTS for edge in anchors[element.name])
        left, _, right, _ = (edge * _POINTS for edge in anchors[element.frame])
        x = left - NARROW_AWAY - WIDTH if element.side == "left" else right + AWAY
        bar = ChangeBar(x, top, bottom, element.side, element.follows)
        bars[-1:] = _joined(bars[-1], bar) if bars else [bar]
    return bars


def _joined(last: ChangeBar, bar: ChangeBar) -> list[ChangeBar]:
    """Returns two bars as a list, joined to one if nothing stands between them."""
    if bar.follows and abs(bar.x - last.x) < _SAME and bar.top > last.top - _SAME:
        return [replace(last, bottom=max(last.bottom, bar.bottom))]
    return [last, bar]


#: Places that differ by less, in points, are the same.
_SAME = 0.5


def drawn(bars: Iterable[ChangeBar], edition: str, height: float) -> bytes:
    """Returns the PDF operators that draw bars, with the number of the edition beside them.

    A number is left out if it would overlap the one above. `height` is that of the page, in points.
    """
    lines = ["/Artifact BMC", "q", "0 g"]
    numbered: ChangeBar | None = None
    for bar in bars:
        size = (WIDTH, bar.bottom - bar.top)
        lines.append(f"{bar.x:.2f} {height - bar.bottom:.2f} {size[0]:.2f} {size[1]:.2f} re f")
        if numbered is None or bar.x != numbered.x or bar.top - numbered.top > _ROOM[bar.side]:
            numbered = bar
            lines.append(_number(bar, edition, height))
    return "\n".join([*lines, "Q", "EMC"]).encode()


def _number(bar: ChangeBar, edition: str, height: float) -> str:
    """Returns the PDF operators that draw the edition at the top of a bar.

    At a bar on the left of its frame it is turned sideways. `height` is that of the page, in
    points.
    """
    if bar.side == "right":
        path, _ = SANS_BOLD.outline(edition, SIZE)
        x, y = bar.x + WIDTH + BESIDE, height - bar.top - SIZE
        return f"q 1 0 0 1 {x:.2f} {y:.2f} cm {path} f Q"
    path, width = SANS_BOLD.outline(edition, NARROW_SIZE)
    x, y = bar.x - NARROW_BESIDE, height - bar.top - width
    return f"q 0 1 -1 0 {x:.2f} {y:.2f} cm {path} f Q"


def add_bars(document: Any, pdf: Any, edition: str, pages: Mapping[int, list[ChangeBar]]) -> None:
    """Draws change bars, with the number of the edition, on the pages of a PDF being written.

    `pages` has the bars by the number of the page, from 0. WeasyPrint calls this before it writes
    the file.
    """
    import pydyf

    for number, bars in pages.items():
        place = pdf.pages["Kids"][3 * number]
        page = pdf.objects[place]
        operators = drawn(bars, edition, document.pages[number].height * _POINTS)
        stream = pydyf.Stream([operators], compress=True)
        pdf.add_object(stream)
        page["Contents"] = pydyf.Array([stream.reference, page["Contents"]])
