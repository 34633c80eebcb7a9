"""What a cutout looks like -> shapes on layers in exact millimetres, before any file format.

The cut line is the outside of the cutout, score lines divide it, engraving is all that is read on
it; tints are only for paper. SVG, DXF and the sheets of paper are all made from one `Drawing`.
Coordinates run right and down from the top left corner, as in SVG. They are fractions where they
are rational and floats only where a square root, a sine or a cosine is in them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Generic, Literal, TypeVar

from rulebook.drawing.elements import (
    Anchor,
    Contour,
    Corner,
    Drawn,
    ExactBox,
    ExactPoint,
    Fill,
    Layer,
    Line,
    Number,
    bend_radius,
)
from rulebook.text_fitting import CAP_HEIGHT, LEADING, text_width

AnyNumber = TypeVar("AnyNumber", Fraction, float)


@dataclass(frozen=True, slots=True)
class Rectangle(Generic[AnyNumber]):
    """An upright rectangle by its edges, such as the space for something."""

    left: AnyNumber
    top: AnyNumber
    right: AnyNumber
    bottom: AnyNumber

    @property
    def width(self) -> AnyNumber:
        return self.right - self.left

    @property
    def height(self) -> AnyNumber:
        return self.bottom - self.top


Weight = Literal["regular", "bold"]


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text whose baseline starts, is centred or ends at (x, y); `size` is in mm.

    Rotation is in degrees, clockwise. `tone` accent prints in the accent colour of the ruleset.
    """

    text: str
    x: Number
    y: Number
    size: Number
    anchor: Anchor = "middle"
    rotation: Number = 0
    weight: Weight = "regular"
    tone: Literal["ink", "accent"] = "ink"
    layer: ClassVar[Layer] = "engrave"


@dataclass(frozen=True, slots=True)
class Stamp:
    """A small picture such as a symbol or the ground of a map, as elements for full and low ink.

    It fills a box of `width` by `height`, enlarged `scale` times, with its top left corner at (x,
    y), and turned about that point by `rotation` degrees clockwise. Cutters get it as in low ink.
    """

    full: Drawn
    low: Drawn
    x: Number
    y: Number
    width: float
    height: float
    scale: float = 1.0
    rotation: Number = 0
    layer: ClassVar[Layer] = "tint"


Shape = Line | Contour | Label | Stamp


@dataclass(frozen=True, slots=True)
class Caption:
    """The words of a small picture for a part of the cutout, at (x, y) of the drawing.

    `strong` is set large, `small` below it. `above` stands over the picture, `inside` in it,
    `below` from (x, y) down; `room` is the width of the part, and `high` its height if it is not 0.
    A name alone is set up to `most` mm large on the page.
    """

    strong: str
    small: str
    x: Number
    y: Number
    room: Number
    place: Literal["above", "inside", "below"] = "inside"
    most: float = 2.0
    high: Number = 0


@dataclass(frozen=True, slots=True)
class Measure:
    """A length shown beside a small picture: along x below it, along y at its right.

    Measures of one level stand on one line. `foot` is where the measured points are on the other
    axis; `label` says whether the text is at the end, as on a ruler, or in the middle. `name` is
    what ends there; it is printed if no caption shows it.
    """

    axis: Literal["x", "y"]
    start: Number
    end: Number
    text: str
    foot: Number
    level: int = 0
    label: Literal["middle", "end"] = "middle"
    name: str = ""


@dataclass(frozen=True, slots=True)
class Unset:
    """A name from the rules that has no room on a cutout, and its place in the cutout's data."""

    words: str
    at: tuple[str | int, ...]


def unset_names(field: str, names: Iterable[str], labels: Iterable[Label]) -> tuple[Unset, ...]:
    """Returns the names that none of the labels shows, each with its place in the cutout's data.

    `field` is the field that has the parts with these names, in the same order.
    """
    shown = {label.text for label in labels}
    missing = ((index, name) for index, name in enumerate(names) if name not in shown)
    return tuple(Unset(name, (field, index, "name")) for index, name in missing)


@dataclass(frozen=True, slots=True)
class Drawing:
    """The shapes of a cutout; width and height are exactly those of its cut line, in mm.

    `picture` replaces it in small pictures if its true proportions would show nothing: a stick is a
    hundred times longer than wide. `unset` are names without room on it.
    """

    title: str
    description: str
    width: Number
    height: Number
    shapes: tuple[Shape, ...]
    captions: tuple[Caption, ...] = ()
    measures: tuple[Measure, ...] = ()
    picture: Drawing | None = None
    unset: tuple[Unset, ...] = ()

    def __hash__(self) -> int:
        """Returns a hash that is quick to compute, from title, description and number of shapes."""
        return hash((self.title, self.description, len(self.shapes)))

    def turned(self) -> Drawing:
        """Returns the drawing turned clockwise by 90 degrees, without captions and measures."""
        shapes = tuple(
            _placed(shape, lambda x, y: (self.height - y, x), 90) for shape in self.shapes
        )
        return replace(
            self, width=self.height, height=self.width, shapes=shapes, captions=(), measures=()
        )


def moved(shape: Shape, right: Number, down: Number) -> Shape:
    """Returns a shape moved to the right and down, in mm."""
    return _placed(shape, lambda x, y: (x + right, y + down), 0)


def is_tint(shape: Shape) -> bool:
    """Whether a shape is a coloured area without a line."""
    return isinstance(shape, Contour) and shape.layer == "tint"


def _placed(shape: Shape, place: Callable[[Number, Number], ExactPoint], turn: Number) -> Shape:
    """Returns a shape with all points mapped by `place`, and text and stamps turned by degrees."""
    if isinstance(shape, Line):
        (x1, y1), (x2, y2) = place(shape.x1, shape.y1), place(shape.x2, shape.y2)
        return replace(shape, x1=x1, y1=y1, x2=x2, y2=y2)
    if isinstance(shape, Contour):
        corners = (Corner(*place(corner.x, corner.y), corner.turn) for corner in shape.corners)
        return replace(shape, corners=tuple(corners))
    x, y = place(shape.x, shape.y)
    return replace(shape, x=x, y=y, rotation=shape.rotation + turn)


def bounds(shape: Shape) -> ExactBox:
    """Returns the upright box around a shape as left, top, right and bottom.

    The box of text is an estimate.
    """
    match shape:
        case Line():
            return _around([(shape.x1, shape.y1), (shape.x2, shape.y2)])
        case Contour():
            return _around(_contour_points(shape))
        case Label():
            width, size = text_width(shape.text, float(shape.size)), float(shape.size)
            left = {"start": 0.0, "middle": -width / 2, "end": -width}[shape.anchor]
            return _around(_turned_box(shape, left, -size, left + width, 0.3 * size))
        case Stamp():
            wide, high = shape.scale * shape.width, shape.scale * shape.height
            return _around(_turned_box(shape, 0, 0, wide, high))


def _turned_box(
    about: Label | Stamp, left: float, top: float, right: float, bottom: float
) -> Iterator[ExactPoint]:
    """Yields the corners of a box around a label or stamp, turned as the shape is turned.

    The edges of the box are given relative to the (x, y) of the shape.
    """
    turn = math.radians(about.rotation)
    sine, cosine = math.sin(turn), math.cos(turn)
    for across in (left, right):
        for down in (top, bottom):
            yield (
                float(about.x) + across * cosine - down * sine,
                float(about.y) + across * sine + down * cosine,
            )


def _contour_points(contour: Contour) -> Iterator[ExactPoint]:
    """Yields the corners of a contour, and the points of its arcs that may lie farther out."""
    for corner in contour.corners:
        yield corner.x, corner.y
    for start, end in contour.pieces:
        if start.turn:
            yield from _bend_points(start, end)


def _bend_points(start: Corner, end: Corner) -> Iterator[ExactPoint]:
    """Yields the points of an arc between two corners that are its extremes in x or y."""
    if start.turn < 0:
        start, end = Corner(end.x, end.y, -start.turn), start
    radius, half = bend_radius(start, end), math.radians(float(start.turn) / 2)
    across, down = float(end.x - start.x), float(end.y - start.y)
    # from the middle of the chord, at a right angle to it, so far as the turn leaves
    off = radius * math.cos(half) / math.hypot(across, down)
    x = float(start.x) + across / 2 - off * down
    y = float(start.y) + down / 2 + off * across
    first = math.degrees(math.atan2(float(start.x) - x, y - float(start.y)))
    quarter = math.ceil(first / 90 - 1e-9)
    while quarter * 90 < first + start.turn + 1e-7:
        yield point_on_circle(x, y, radius, quarter * 90)
        quarter += 1


def _around(points: Iterable[ExactPoint]) -> ExactBox:
    xs, ys = zip(*points, strict=True)
    return (min(xs), min(ys), max(xs), max(ys))


def polygon(
    layer: Layer, *points: ExactPoint, closed: bool = True, fill: Fill | None = None
) -> Contour:
    """Returns a contour of straight lines through points, in a layer, by default closed."""
    return Contour(layer, tuple(Corner(x, y) for x, y in points), closed, fill)


def circle(layer: Layer, x: Number, y: Number, radius: Number, fill: Fill | None = None) -> Contour:
    """Returns a contour that is a circle about (x, y), as two halves, in a layer."""
    halves = Corner(x - radius, y, 180), Corner(x + radius, y, 180)
    return Contour(layer, halves, fill=fill)


def arc(layer: Layer, centre: ExactPoint, radius: Number, start: Number, end: Number) -> Contour:
    """Returns an open arc of a circle; its angles are in degrees, clockwise from straight up."""
    first, last = (point_on_circle(*centre, radius, angle) for angle in (start, end))
    return Contour(layer, (Corner(*first, end - start), Corner(*last)), closed=False)


def sector(
    centre: ExactPoint, radii: tuple[Number, Number], angles: tuple[Number, Number], fill: Fill
) -> Contour:
    """Returns a tinted sector of a ring between two radii and two angles.

    Angles are in degrees, clockwise from straight up.
    """
    turn = angles[1] - angles[0]
    near, far = ([point_on_circle(*centre, radius, angle) for angle in angles] for radius in radii)
    outside = Corner(*near[0]), Corner(*far[0], turn), Corner(*far[1])
    return Contour("tint", (*outside, Corner(*near[1], -turn if radii[0] else 0)), fill=fill)


def rectangle(
    layer: Layer,
    left: Number,
    top: Number,
    right: Number,
    bottom: Number,
    *,
    fill: Fill | None = None,
) -> Contour:
    """Returns a contour that is a rectangle with these edges, in a layer."""
    corners = (left, top), (right, top), (right, bottom), (left, bottom)
    return polygon(layer, *corners, fill=fill)


def arrow_up(x: Number, top: Number, wide: Number, high: Number) -> Contour:
    """Returns a filled triangle that points up, with its tip at (x, top)."""
    foot = (x + wide / 2, top + high), (x - wide / 2, top + high)
    return polygon("engrave", (x, top), *foot, fill="accent")


def centred_lines(
    lines: Sequence[str], x: Number, middle: Number, size: float, weight: Weight = "regular"
) -> Iterator[Label]:
    """Yields labels for lines of text, set below each other and centred on (x, middle).

    The height of the block is that from the first line's capitals to the last baseline.
    """
    first = float(middle) - (LEADING * (len(lines) - 1) - CAP_HEIGHT) * size / 2
    for number, line in enumerate(lines):
        yield Label(line, x, first + LEADING * size * number, size, weight=weight)


def lines_down(
    lines: Iterable[str], at: ExactPoint, size: float, step: float, weight: Weight = "regular"
) -> Iterator[Label]:
    """Yields left-aligned lines of text `step` mm apart; the first starts at the point `at`."""
    x, y = at
    for number, line in enumerate(lines):
        yield Label(line, x, float(y) + step * number, size, anchor="start", weight=weight)


def point_on_circle(x: Number, y: Number, radius: Number, angle: Number) -> ExactPoint:
    """Returns the point of a circle about (x, y) at an angle in degrees, clockwise from the top."""
    radians = math.radians(angle)
    return (
        float(x) + float(radius) * math.sin(radians),
        float(y) - float(radius) * math.cos(radians),
    )
