"""A picture for cutters -> DXF in millimetres, on layers CUT, SCORE and ENGRAVE.

For cutters and drawing programs that do not take SVG.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rulebook.drawing.elements import Contour, Element, Group, Line, Number, Path, Picture, Words
from rulebook.text_fitting import CAP_HEIGHT

if TYPE_CHECKING:
    from ezdxf.layouts.layout import Modelspace

#: Layers and the colours by which cutters tell them: red, blue, black (white on a dark screen).
_COLOURS = {"cut": 1, "score": 5, "engrave": 7}
_ALIGNMENTS = {"start": "LEFT", "middle": "CENTER", "end": "RIGHT"}
_STYLE = "RULEBOOK"
_FONT = "IBMPlexSansCondensed-Regular.ttf"


class DxfUnavailable(Exception):
    """The library that writes DXF is not installed; the message says how to install it."""


def dxf(picture: Picture) -> bytes:
    """Converts a picture to a DXF file; returns its bytes, which are the same each time.

    There y runs up from the foot of the picture. Tints are left out. Raises DxfUnavailable if the
    extra `dxf` is not installed.
    """
    try:
        # a module of its own type: ezdxf does not declare what it exports
        ezdxf: Any = import_module("ezdxf")
    except ImportError:
        raise DxfUnavailable(
            "DXF needs a library that is not installed; run: pip install 'rulebook[dxf]'"
        ) from None
    with _without_dates(ezdxf.options):
        document = ezdxf.new("R2010", units=ezdxf.units.MM)
        document.styles.add(_STYLE, font=_FONT)
        for layer, colour in _COLOURS.items():
            document.layers.add(layer.upper(), color=colour)
        _, top, _, height = picture.window
        for group in picture.elements:
            if isinstance(group, Group) and group.name in _COLOURS:
                for element in group.elements:
                    _add(document.modelspace(), element, top + height, group.name.upper())
        # ezdxf takes the classes that it writes from sets, in any order
        classes = document.classes
        classes.add_required_classes(document.dxfversion)
        classes.classes = dict(sorted(classes.classes.items()))
        stream = io.StringIO()
        document.write(stream)
    return stream.getvalue().encode("utf-8", errors="replace")


@contextmanager
def _without_dates(options: Any) -> Iterator[None]:
    """Makes ezdxf write fixed dates and ids in the context, so that files are reproducible."""
    before = options.write_fixed_meta_data_for_testing
    options.write_fixed_meta_data_for_testing = True
    try:
        yield
    finally:
        options.write_fixed_meta_data_for_testing = before


def _add(space: Modelspace, element: Element, foot: float, layer: str) -> None:
    """Adds an element of a picture to a layer of the drawing; `foot` is the y that becomes 0.

    Lines, contours and text are added; other elements are ignored.
    """
    attributes = {"layer": layer}

    def at(x: Number, y: Number) -> tuple[float, float]:
        return float(x), foot - float(y)

    match element:
        case Path(Line() as line):
            space.add_line(at(line.x1, line.y1), at(line.x2, line.y2), attributes)
        case Path(Contour(whole_circle=(x, y, radius))):
            space.add_circle(at(x, y), float(radius), attributes)
        case Path(Contour() as contour):
            # there a bend is the tangent of a quarter of its angle, and positive to the left
            bent = [
                (*at(corner.x, corner.y), -math.tan(math.radians(corner.turn) / 4))
                for corner in contour.corners
            ]
            space.add_lwpolyline(bent, "xyb", close=contour.closed, dxfattribs=attributes)
        case Words():
            _add_words(space, element, at(element.x, element.y), attributes)


def _add_words(
    space: Modelspace, words: Words, at: tuple[float, float], attributes: dict[str, str]
) -> None:
    """Adds a line of text at a point, with these DXF attributes."""
    from ezdxf.enums import TextEntityAlignment

    text = space.add_text(
        "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in words.text),
        height=CAP_HEIGHT * words.lettering.size,
        rotation=-words.rotation,
        dxfattribs={**attributes, "style": _STYLE},
    )
    text.set_placement(at, align=TextEntityAlignment[_ALIGNMENTS[words.anchor]])
