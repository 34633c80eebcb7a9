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
from typing import Literal

from rulebook.drawing.elements import Anchor, Drawn
from rulebook.text_fitting import CAP_HEIGHT, LEADING, text_width

Number = Fraction | float
ExactPoint = tuple[Number, Number]
#: Left, top, right, bottom.
ExactBox = tuple[Number, Number, Number, Number]

Layer = Literal["cut", "score", "engrave"]
LAYERS: tuple[Layer, ...] = ("cut", "score", "engrave")
Weight = Literal["regular", "bold"]


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    layer: Layer
    x1: Number
    y1: Number
    x2: Number
    y2: Number
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Polyline:
    """Straight lines from point to point; closed, it is a polygon, which may be filled."""

    layer: Layer
    points: tuple[ExactPoint, ...]
    closed: bool = True
    filled: bool = False


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle about (x, y)."""

    layer: Layer
    x: Number
    y: Number
    radius: Number


@dataclass(frozen=True, slots=True)
class ArcLine:
    """A piece of a circle about (x, y), open; angles in degrees, clockwise from straight up."""

    layer: Layer
    x: Number
    y: Number
    radius: Number
    start: Number
    end: Number


@dataclass(frozen=True, slots=True)
class Corner:
    """A point of a contour and how far its line bends on the way to the next.

    `turn` is in degrees, clockwise positive, more than -360 and less than 360; 0 is straight.
    """

    x: Number
    y: Number
    turn: Number = 0


@dataclass(frozen=True, slots=True)
class Contour:
    """One closed line of straight pieces and pieces of circles: a cutter goes round it once."""

    layer: Layer
    corners: tuple[Corner, ...]


@dataclass(frozen=True, slots=True)
class Sector:
    """A piece of a ring about (x, y); angles in degrees, clockwise from straight up."""

    x: Number
    y: Number
    inner: Number
    outer: Number
    start: Number
    end: Number


#: What may be shaded.
Part = Polyline | Circle | Sector


@dataclass(frozen=True, slots=True)
class Tint:
    """A shaded part of the face: 1 is the lightest shade, 3 the darkest. Not printed in low ink.

    `colour` (such as #d9b310) is painted instead of a shade of the accent, where the rules name
    one; what a colour tells must stand there in letters too.
    """

    part: Part
    shade: int = 1
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """Words: (x, y) is where the baseline starts, has its middle or ends; size is that of the type.

    Rotation is in degrees, clockwise. `tone` accent prints in the colour of the ruleset.
    """

    text: str
    x: Number
    y: Number
    size: Number
    anchor: Anchor = "middle"
    rotation: Number = 0
    weight: Weight = "regular"
    tone: Literal["ink", "accent"] = "ink"


@dataclass(frozen=True, slots=True)
class Stamp:
    """A small picture such as a symbol or the ground of a map, as elements in both inks.

    It fills a box `width` by `height`, which is drawn `scale` times as large with its top left
    corner at (x, y), turned about that by degrees clockwise. For cutters it is as in low ink.
    """

    full: Drawn
    low: Drawn
    x: Number
    y: Number
    width: float
    height: float
    scale: float = 1.0
    rotation: Number = 0

    @property
    def corners(self) -> tuple[ExactPoint, ...]:
        """Where the corners of its box are on the drawing."""
        turn, wide, high = math.radians(self.rotation), self.width, self.height
        sine, cosine = self.scale * math.sin(turn), self.scale * math.cos(turn)
        return tuple(
            (float(self.x) + across * cosine - down * sine,
             float(self.y) + across * sine + down * cosine)
            for across, down in ((0, 0), (wide, 0), (wide, high), (0, high))
        )  # fmt: skip


Shape = Line | Polyline | Circle | ArcLine | Contour | Tint | Label | Stamp


@dataclass(frozen=True, slots=True)
class Caption:
    """What a small picture says of a part of the cutout, at (x, y) of the drawing.

    `above` stands over the picture, `inside` in it, `below` from (x, y) down; `room` is how wide
    the part is there, and `high`, if it is not 0, how high. A name that stands alone is set as
    large as `most`, mm on the page, where it has the room.
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

    Measures of one level stand on one line. `foot` is where on the other axis the measured points
    lie; `label` says whether the words stand at the end, as on a ruler, or in the middle. `name`
    is what ends there; it is named where no caption in the picture does.
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
    """Words of the rules that have no room on a cutout, and where they stand in its data."""

    words: str
    at: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A cutout: width and height are those of its cut line, exactly.

    `picture` is what small pictures show in its place, where its true proportions would show
    nothing: a stick is a hundred times longer than wide. `unset` are names without room on it.
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
        """Cheap: what is kept of a drawing is asked for by the drawing itself."""
        return hash((self.title, self.description, len(self.shapes)))

    def turned(self) -> Drawing:
        """The drawing a quarter turn clockwise, for a sheet on which it then fits better."""
        shapes = tuple(
            _placed(shape, lambda x, y: (self.height - y, x), 90) for shape in self.shapes
        )
        return replace(
            self, width=self.height, height=self.width, shapes=shapes, captions=(), measures=()
        )


def moved(shape: Shape, right: Number, down: Number) -> Shape:
    """The same shape elsewhere."""
    return _placed(shape, lambda x, y: (x + right, y + down), 0)


def layer_of(shape: Shape) -> Layer | None:
    """The layer on which a shape stands; a tint and a stamp, which lie below all, have none."""
    if isinstance(shape, Tint | Stamp):
        return None
    return "engrave" if isinstance(shape, Label) else shape.layer


def _placed(shape: Shape, place: Callable[[Number, Number], ExactPoint], turn: Number) -> Shape:
    """The same shape with all its points in other places, turned by degrees on the way."""
    match shape:
        case Line():
            (x1, y1), (x2, y2) = place(shape.x1, shape.y1), place(shape.x2, shape.y2)
            return replace(shape, x1=x1, y1=y1, x2=x2, y2=y2)
        case Polyline():
            return replace(shape, points=tuple(place(x, y) for x, y in shape.points))
        case Contour():
            points = (place(corner.x, corner.y) for corner in shape.corners)
            return replace(
                shape,
                corners=tuple(
                    replace(one, x=x, y=y)
                    for one, (x, y) in zip(shape.corners, points, strict=True)
                ),
            )
        case Tint():
            return replace(shape, part=_placed_part(shape.part, place, turn))
        case Circle():
            x, y = place(shape.x, shape.y)
            return replace(shape, x=x, y=y)
        case ArcLine():
            x, y = place(shape.x, shape.y)
            return replace(shape, x=x, y=y, start=shape.start + turn, end=shape.end + turn)
        case Label() | Stamp():
            x, y = place(shape.x, shape.y)
            return replace(shape, x=x, y=y, rotation=shape.rotation + turn)
    raise TypeError(f"no shape: {shape!r}")


def _placed_part(part: Part, place: Callable[[Number, Number], ExactPoint], turn: Number) -> Part:
    if isinstance(part, Polyline):
        return replace(part, points=tuple(place(x, y) for x, y in part.points))
    x, y = place(part.x, part.y)
    if isinstance(part, Sector):
        return replace(part, x=x, y=y, start=part.start + turn, end=part.end + turn)
    return replace(part, x=x, y=y)


def bounds(shape: Shape) -> ExactBox:
    """The upright box around a shape; that of words or of a sector may be larger than need be."""
    match shape:
        case Line():
            return _around([(shape.x1, shape.y1), (shape.x2, shape.y2)])
        case Polyline():
            return _around(shape.points)
        case ArcLine():
            return _around(_arc_points(shape))
        case Contour():
            return _around(_contour_points(shape))
        case Circle(x=x, y=y, radius=reach) | Tint(part=Sector(x=x, y=y, outer=reach)):
            return (x - reach, y - reach, x + reach, y + reach)
        case Tint(part=Polyline() | Circle() as part):
            return bounds(part)
        case Label():
            return _around(_label_corners(shape))
        case Stamp():
            return _around(shape.corners)
    raise TypeError(f"no shape: {shape!r}")


def _arc_points(arc: ArcLine) -> Iterator[ExactPoint]:
    """Its ends, and where it is farthest right, down, left or up."""
    yield point_on_circle(arc.x, arc.y, arc.radius, arc.start)
    yield point_on_circle(arc.x, arc.y, arc.radius, arc.end)
    quarter = math.ceil(arc.start / 90 - Fraction(1, 10**9))
    while quarter * 90 < arc.end + 1e-7:
        yield point_on_circle(arc.x, arc.y, arc.radius, quarter * 90)
        quarter += 1


def pairs(contour: Contour) -> Iterator[tuple[Corner, Corner]]:
    """Each corner with the next, the last with the first."""
    yield from zip(contour.corners, (*contour.corners[1:], contour.corners[0]), strict=True)


def bend_radius(start: Corner, end: Corner) -> float:
    """The radius of the piece of a circle between two corners of a contour."""
    chord = math.hypot(float(end.x - start.x), float(end.y - start.y))
    return chord / 2 / math.sin(math.radians(abs(float(start.turn)) / 2))


def _contour_points(contour: Contour) -> Iterator[ExactPoint]:
    """The corners, and where a bent piece is farthest right, down, left or up."""
    for start, end in pairs(contour):
        yield (start.x, start.y)
        if start.turn:
            yield from _bend_points(start, end)


def _bend_points(start: Corner, end: Corner) -> Iterator[ExactPoint]:
    """The same of a bent piece; one that turns back is walked from its other end."""
    if start.turn < 0:
        start, end = Corner(end.x, end.y, -start.turn), start
    radius, half = bend_radius(start, end), math.radians(float(start.turn) / 2)
    across, down = float(end.x - start.x), float(end.y - start.y)
    # from the middle of the chord, at a right angle to it, so far as the turn leaves
    off = radius * math.cos(half) / math.hypot(across, down)
    x = float(start.x) + across / 2 - off * down
    y = float(start.y) + down / 2 + off * across
    first = math.degrees(math.atan2(float(start.x) - x, y - float(start.y)))
    return _arc_points(ArcLine("cut", x, y, radius, first, first + float(start.turn)))


def _around(points: Iterable[ExactPoint]) -> ExactBox:
    xs, ys = zip(*points, strict=True)
    return (min(xs), min(ys), max(xs), max(ys))


def _label_corners(label: Label) -> Iterator[ExactPoint]:
    width = text_width(label.text, float(label.size))
    left = {"start": 0.0, "middle": -width / 2, "end": -width}[label.anchor]
    angle = math.radians(label.rotation)
    for along in (left, left + width):
        for down in (-float(label.size), 0.3 * float(label.size)):
            yield (
                float(label.x) + along * math.cos(angle) - down * math.sin(angle),
                float(label.y) + along * math.sin(angle) + down * math.cos(angle),
            )


def rectangle(layer: Layer, left: Number, top: Number, right: Number, bottom: Number) -> Polyline:
    """A closed rectangle by its edges."""
    return Polyline(layer, ((left, top), (right, top), (right, bottom), (left, bottom)))


def arrow_up(x: Number, top: Number, wide: Number, high: Number) -> Polyline:
    """A filled triangle on the face whose tip is at (x, top)."""
    points = ((x, top), (x + wide / 2, top + high), (x - wide / 2, top + high))
    return Polyline("engrave", points, filled=True)


def centred_lines(
    lines: Sequence[str], x: Number, middle: Number, size: float, weight: Weight = "regular"
) -> Iterator[Label]:
    """Lines of words whose capitals, from the first to the last, have their middle at a point."""
    first = float(middle) - (LEADING * (len(lines) - 1) - CAP_HEIGHT) * size / 2
    for number, line in enumerate(lines):
        yield Label(line, x, first + LEADING * size * number, size, weight=weight)


def point_on_circle(x: Number, y: Number, radius: Number, angle: Number) -> ExactPoint:
    """The point at an angle in degrees, clockwise from straight up."""
    radians = math.radians(angle)
    return (
        float(x) + float(radius) * math.sin(radians),
        float(y) - float(radius) * math.cos(radians),
    )
