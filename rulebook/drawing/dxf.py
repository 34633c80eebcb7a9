"""A drawing -> DXF in millimetres, layers CUT, SCORE and ENGRAVE.

For cutters and drawing programs that do not take SVG.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rulebook.drawing import shapes
from rulebook.text_fitting import CAP_HEIGHT

if TYPE_CHECKING:
    from ezdxf.layouts.layout import Modelspace

#: Layers and the colours by which cutters tell them: red, blue, black (white on a dark screen).
_COLOURS = {"cut": 1, "score": 5, "engrave": 7}
_STYLE = "RULEBOOK"
_FONT = "IBMPlexSansCondensed-Regular.ttf"


class DxfUnavailable(Exception):
    """The library that writes DXF is not installed; the message names the line that installs it."""


def dxf(drawing: shapes.Drawing) -> bytes:
    """The file, the same bytes each time; y runs up, as is usual there.

    Tints, symbols and terrain are for paper and are left out. Raises DxfUnavailable without the
    extra `dxf`.
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
        space = document.modelspace()
        for shape in drawing.shapes:
            _add(space, shape, float(drawing.height))
        stream = io.StringIO()
        document.write(stream)
    return stream.getvalue().encode("utf-8", errors="replace")


@contextmanager
def _without_dates(options: Any) -> Iterator[None]:
    """ezdxf writes the time and new GUIDs into each file, but for this switch of its own tests."""
    before = options.write_fixed_meta_data_for_testing
    options.write_fixed_meta_data_for_testing = True
    try:
        yield
    finally:
        options.write_fixed_meta_data_for_testing = before


def _add(space: Modelspace, shape: shapes.Shape, height: float) -> None:
    layer = shapes.layer_of(shape)
    attributes = {"layer": layer.upper() if layer else ""}

    def at(x: shapes.Number, y: shapes.Number) -> tuple[float, float]:
        return float(x), height - float(y)

    match shape:
        case shapes.Line():
            space.add_line(at(shape.x1, shape.y1), at(shape.x2, shape.y2), attributes)
        case shapes.Polyline():
            points = [at(x, y) for x, y in shape.points]
            space.add_lwpolyline(points, close=shape.closed, dxfattribs=attributes)
        case shapes.Circle():
            space.add_circle(at(shape.x, shape.y), float(shape.radius), attributes)
        case shapes.ArcLine():
            centre = at(shape.x, shape.y)
            # y runs up and angles run from the right the other way round
            first, last = 90 - float(shape.end), 90 - float(shape.start)
            space.add_arc(centre, float(shape.radius), first, last, dxfattribs=attributes)
        case shapes.Contour():
            # there a bend is a quarter of its angle, as a tangent, and to the left is positive
            bent = [
                (*at(corner.x, corner.y), -math.tan(math.radians(corner.turn) / 4))
                for corner in shape.corners
            ]
            space.add_lwpolyline(bent, format="xyb", close=True, dxfattribs=attributes)
        case shapes.Label():
            _add_words(space, shape, height)
        case shapes.Tint() | shapes.Stamp():
            pass


def _add_words(space: Modelspace, label: shapes.Label, height: float) -> None:
    from ezdxf.enums import TextEntityAlignment

    alignment = {
        "start": TextEntityAlignment.LEFT,
        "middle": TextEntityAlignment.CENTER,
        "end": TextEntityAlignment.RIGHT,
    }[label.anchor]
    words = space.add_text(
        "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in label.text),
        height=CAP_HEIGHT * float(label.size),
        rotation=-float(label.rotation),
        dxfattribs={"layer": "ENGRAVE", "style": _STYLE},
    )
    words.set_placement((float(label.x), height - float(label.y)), align=alignment)
