"""A picture -> DXF in millimetres, on layers CUT, SCORE and ENGRAVE.

For cutters and drawing programs that do not take SVG.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rulebook.drawing.elements import Group, Path, Picture, Words, path_steps
from rulebook.text_fitting import CAP_HEIGHT

if TYPE_CHECKING:
    from ezdxf.layouts.layout import Modelspace

#: Layers and the colours by which cutters tell them: red, blue, black (white on a dark screen).
_COLOURS = {"cut": 1, "score": 5, "engrave": 7}
_STYLE = "RULEBOOK"
_FONT = "IBMPlexSansCondensed-Regular.ttf"


class DxfUnavailable(Exception):
    """The library that writes DXF is not installed; the message says how to install it."""


def dxf(picture: Picture) -> bytes:
    """Converts a picture to a DXF file, with the same bytes each time; y runs up from its foot.

    Only groups that are named after a layer are written. Raises DxfUnavailable if the extra `dxf`
    is not installed.
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
        for group in picture.elements:
            if isinstance(group, Group) and group.name in _COLOURS:
                _add(document.modelspace(), group, picture)
        # ezdxf takes the classes that it writes from sets, in any order
        classes = document.classes
        classes.add_required_classes(document.dxfversion)
        classes.classes = dict(sorted(classes.classes.items()))
        stream = io.StringIO()
        document.write(stream)
    return stream.getvalue().encode("utf-8", errors="replace")


@contextmanager
def _without_dates(options: Any) -> Iterator[None]:
    """Makes ezdxf write fixed dates and GUIDs in a `with` block, as in its own tests."""
    before = options.write_fixed_meta_data_for_testing
    options.write_fixed_meta_data_for_testing = True
    try:
        yield
    finally:
        options.write_fixed_meta_data_for_testing = before


def _add(space: Modelspace, group: Group, picture: Picture) -> None:
    """Adds the lines and words of a layer's group to the drawing space."""
    left, top, _, height = picture.window
    attributes = {"layer": group.name.upper()}
    for element in group.elements:
        if isinstance(element, Path):
            vertices = [(x - left, top + height - y, bend) for x, y, bend in _vertices(element.d)]
            closed = element.d.endswith("Z")
            space.add_lwpolyline(vertices, "xyb", close=closed, dxfattribs=attributes)
        elif isinstance(element, Words):
            at = element.x - left, top + height - element.y
            _add_words(space, element, at, attributes)


def _vertices(d: str) -> list[tuple[float, float, float]]:
    """Converts path data to DXF vertices: x, y and the bulge of the line to the next vertex."""
    found: list[tuple[float, float, float]] = []
    for step, values in path_steps(d):
        ends = values[5:] if step == "A" else values
        if step == "A":
            radius, _, _, large, clockwise = values[:5]
            x, y, _ = found[-1]
            found[-1] = x, y, _bulge(math.dist((x, y), ends), radius, large, clockwise)
        found += ((x, y, 0.0) for x, y in zip(ends[::2], ends[1::2], strict=True))
    if d.endswith("Z") and found[-1][:2] == found[0][:2]:
        found.pop()
    return found


def _bulge(chord: float, radius: float, large: float, clockwise: float) -> float:
    """Returns the DXF bulge of an arc: the tangent of a quarter of its angle.

    It is positive where the arc bends left when y runs up. `large` and `clockwise` are the flags of
    an SVG arc.
    """
    angle = 2 * math.asin(min(1.0, chord / 2 / radius))
    bulge = math.tan((math.tau - angle if large else angle) / 4)
    return -bulge if clockwise else bulge


def _add_words(
    space: Modelspace, words: Words, at: Sequence[float], attributes: dict[str, str]
) -> None:
    """Adds a line of text at a point, with these DXF attributes."""
    from ezdxf.enums import TextEntityAlignment

    alignment = {
        "start": TextEntityAlignment.LEFT,
        "middle": TextEntityAlignment.CENTER,
        "end": TextEntityAlignment.RIGHT,
    }[words.anchor]
    text = space.add_text(
        "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in words.text),
        height=CAP_HEIGHT * words.lettering.size,
        rotation=-words.rotation,
        dxfattribs={**attributes, "style": _STYLE},
    )
    text.set_placement(at, align=alignment)
