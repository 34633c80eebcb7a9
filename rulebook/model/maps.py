"""What an author writes of a map -> its model: ground, water, roads and buildings on a table.

A map is drawn at the scale of its table: every point is measured in lengths from the west edge and
from the south edge. Only what is on the table stands here; how it is drawn is no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    WithJsonSchema,
    model_validator,
)

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.cells import expect_text
from rulebook.model.provenance import Entity
from rulebook.model.scalars import ID_PATTERN, Id, Line

#: Nobody reaches into the middle of a wider table, or sets up so many things on it.
LONGEST_TABLE = quantities.Length(Fraction(10), "m")
SHORTEST_TABLE = quantities.Length(Fraction(6), "in")
MOST_FEATURES = 1_000
MOST_POINTS = 120
MOST_CROSSINGS = 40
MOST_WAY_POINTS = 1_500
MOST_ZONE_POINTS = 24
#: Along an edge; more are no board to play on.
MOST_HEXES = 60

AreaKind = Literal[
    "hill", "woods", "orchard", "field", "rough", "swamp", "lake", "town", "building"
]
LineKind = Literal["river", "stream", "road", "track", "railway", "fence", "wall", "hedge"]
PointKind = Literal["point", "label"]
FeatureKind = Literal[AreaKind, LineKind, PointKind]

AREA_KINDS: tuple[str, ...] = get_args(AreaKind)
LINE_KINDS: tuple[str, ...] = get_args(LineKind)
WATERWAYS = ("river", "stream")
#: What troops march along.
WAYS = ("road", "track", "railway")
#: Keys that only some kinds have, with these kinds.
_KINDS_OF: dict[str, tuple[str, ...]] = {
    "contours": ("hill",),
    "sections": ("town", "building"),
    "width": (*WATERWAYS, *WAYS),
    "fords": WATERWAYS,
    "bridges": WATERWAYS,
}
_OUTLINES = ("area", "oval", "box")


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the table: so far from its west edge, and so far from its south edge."""

    x: quantities.Length
    y: quantities.Length

    @property
    def mm(self) -> tuple[Fraction, Fraction]:
        """Exact millimetres of the table."""
        return self.x.mm, self.y.mm

    def __str__(self) -> str:
        return f"{self.x}, {self.y}"


def _read_point(value: object) -> Point:
    if isinstance(value, Point):
        return value
    if not isinstance(value, list) or len(value) != 2:
        if isinstance(value, list):
            raise quantities.QuantityError.of("R203 point", count=len(value))
        raise quantities.QuantityError.of("R203 no point")
    read: list[quantities.Length] = []
    for index, part in enumerate(value):
        try:
            read.append(
                on_table(quantities.parse_length(expect_text(part, "a length, such as 12in")))
            )
        except quantities.QuantityError as fault:
            raise fault.inside(index) from fault
    return Point(*read)


def on_table(length: quantities.Length) -> quantities.Length:
    """The length, if it can be measured on a table. Raises QuantityError."""
    if length.unit == "base" or length.mm > LONGEST_TABLE.mm:
        raise quantities.QuantityError.of(
            "R204 length on a table", length=length, longest=LONGEST_TABLE
        )
    return length


_LENGTH_SCHEMA = {"type": "string", "pattern": r"^(=.+|[\d./ ]*\d ?(in|ft|yd|mm|cm|m))$"}

PointOnTable = Annotated[
    Point,
    PlainValidator(_read_point),
    PlainSerializer(
        lambda point: [quantities.format_value(point.x), quantities.format_value(point.y)]
    ),
    WithJsonSchema(
        {
            "type": "array",
            "items": _LENGTH_SCHEMA,
            "minItems": 2,
            "maxItems": 2,
            "description": "from the west edge, from the south edge: [12in, 30in]",
        }
    ),
]


def _reading(low: quantities.Length | None) -> Callable[[object], quantities.Length]:
    """Reads a length that lies on a table and is more than nothing, or not less than `low`."""

    def read(value: object) -> quantities.Length:
        if isinstance(value, quantities.Length):
            return value
        length = on_table(quantities.parse_length(expect_text(value, "a length, such as 12in")))
        if length.mm < (low.mm if low else Fraction(1)):
            raise quantities.QuantityError.of("R204 length", length=length, least=low or "1 mm")
        return length

    return read


def _measured(low: quantities.Length | None = None) -> Any:
    reader = PlainValidator(_reading(low))
    return (reader, PlainSerializer(quantities.format_value), WithJsonSchema(_LENGTH_SCHEMA))


Extent = Annotated[quantities.Length, *_measured()]
TableSide = Annotated[quantities.Length, *_measured(SHORTEST_TABLE)]


def _read_bearing(value: object) -> quantities.Angle:
    if isinstance(value, quantities.Angle):
        return value
    expected = "degrees from 0 to 360, clockwise from the top of the map, such as 45° or 45deg"
    text = expect_text(value, expected).removesuffix("°").removesuffix("deg").strip()
    number = quantities.parse_number(text)
    if number is None or number > quantities.FULL_TURN:
        raise quantities.QuantityError.of("R204 bearing", text=text)
    return quantities.Angle(number)


Bearing = Annotated[
    quantities.Angle,
    PlainValidator(_read_bearing),
    PlainSerializer(quantities.format_value),
    WithJsonSchema({"type": ["string", "number"], "pattern": r"^[\d./ ]*\d ?(°|deg)?$"}),
]
_NORTH = quantities.Angle(Fraction(0))


@dataclass(frozen=True, slots=True)
class GroundName:
    """What the ruleset calls a kind of ground: a place on an axis or a row, `terrain.woods`."""

    table: str
    place: str

    def __str__(self) -> str:
        return f"{self.table}.{self.place}"


def _read_ground(value: object) -> GroundName:
    if isinstance(value, GroundName):
        return value
    match = re.fullmatch(rf"({ID_PATTERN})\.([a-z0-9][a-z0-9_-]{{0,63}})", str(value))
    if match is None or not isinstance(value, str):
        raise quantities.QuantityError.of("R204 kind of ground", value=str(value))
    return GroundName(match[1], match[2])


Ground = Annotated[
    GroundName,
    PlainValidator(_read_ground),
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "pattern": rf"^{ID_PATTERN}\.[a-z0-9][a-z0-9_-]*$"}),
]

Outline = Annotated[tuple[PointOnTable, ...], Field(min_length=3, max_length=MOST_POINTS)]
ZoneOutline = Annotated[tuple[PointOnTable, ...], Field(min_length=3, max_length=MOST_ZONE_POINTS)]
Course = Annotated[tuple[PointOnTable, ...], Field(min_length=2, max_length=MOST_POINTS)]
Crossings = Annotated[tuple[PointOnTable, ...], Field(max_length=MOST_CROSSINGS)]


class Extents(_Strict):
    """An oval or a box by its middle and its two extents, turned clockwise about its middle."""

    centre: PointOnTable
    width: Extent = Field(description="from west to east, before it is turned")
    depth: Extent = Field(description="from south to north, before it is turned")
    turn: Bearing = Field(_NORTH, description="degrees by which it is turned clockwise")


class Feature(Entity):
    """A thing on the map; which of its keys it has is a matter of how it is drawn."""

    draw: FeatureKind = Field(description="what kind of ground is drawn")
    ground: Ground | None = Field(
        None, alias="is", description="what the ruleset calls it: table.row, or table.place on axis"
    )
    title: Line | None = Field(None, description="its name, which is printed on the map")
    key: scalars.ProseText | None = Field(
        None, description="its own words in the key of the map, instead of those of its table"
    )
    width: Extent | None = Field(None, description="of a road, track, railway, river or stream")
    contours: Annotated[scalars.Count, Field(ge=1, le=6)] = Field(
        1, description="of a hill: how many levels it rises"
    )
    sections: Annotated[scalars.Count, Field(ge=1, le=40)] | None = Field(
        None, description="of a town or building: into how many parts the rules cut it"
    )
    area: Outline | None = Field(None, description="corners of its outline, in order")
    oval: Extents | None = Field(None, description="its outline as an oval")
    box: Extents | None = Field(None, description="its outline as a box")
    line: Course | None = Field(None, description="points along it, in order")
    at: PointOnTable | None = Field(None, description="where a point lies")
    fords: Crossings = Field((), description="where a river or stream can be waded")
    bridges: Crossings = Field((), description="where a river or stream has a bridge")

    @model_validator(mode="after")
    def _parts_agree(self) -> Self:
        given = [key for key in (*_OUTLINES, "line", "at") if getattr(self, key) is not None]
        wanted = _shapes_of(self.draw)
        if len(given) != 1 or given[0] not in wanted:
            extra = next((key for key in given if key not in wanted), given[1:] and given[-1])
            raise quantities.QuantityError.of(
                "R231 places of a feature" if given else "R231 feature nowhere",
                at=(extra,) if extra else (),
                feature=_a(self.draw),
                given=quantities.join_words(map(repr, given), "and"),
                wanted=quantities.join_words(f"'{key}'" for key in wanted),
            )
        for key, kinds in _KINDS_OF.items():
            if key in self.model_fields_set and self.draw not in kinds:
                raise quantities.QuantityError.of(
                    "R231 key of a feature",
                    at=(key,),
                    key=key,
                    feature=_a(self.draw),
                    kinds=quantities.join_words(map(_a, kinds)),
                )
        if self.draw == "label" and self.title is None:
            raise quantities.QuantityError.of("R231 label without words")
        return self

    @property
    def points(self) -> tuple[Point, ...]:
        """The points that its shape is given by, without those of fords and bridges."""
        if self.at is not None:
            return (self.at,)
        if extents := self.oval or self.box:
            return (extents.centre,)
        return self.area or self.line or ()

    @property
    def crossings(self) -> Iterator[tuple[str, int, Point]]:
        """Fords and bridges, each with the key and the index under which it stands."""
        for key, listed in (("fords", self.fords), ("bridges", self.bridges)):
            yield from ((key, index, point) for index, point in enumerate(listed))


def _shapes_of(kind: str) -> Sequence[str]:
    if kind in AREA_KINDS:
        return _OUTLINES
    return ("line",) if kind in LINE_KINDS else ("at",)


def _a(kind: str) -> str:
    plural = kind in ("woods",)
    return kind if plural else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


class TableScale(_Strict):
    """What a length of the table stands for: an inch for 45 yards."""

    length: Extent = Field(description="on the table, such as 1in")
    ground: scalars.Length = Field(description="of the ground, such as 45yd")

    @model_validator(mode="after")
    def _of_some_length(self) -> Self:
        if self.ground.unit == "base" or not self.ground.number:
            raise quantities.QuantityError.of("R204 ground", at=("ground",), ground=self.ground)
        return self


_INCH = quantities.Length(Fraction(1), "in")
_SQUARE, _METRIC_SQUARE = (
    quantities.Length(Fraction(1), "ft"),
    quantities.Length(Fraction(25), "cm"),
)


class Table(Entity):
    """The table that a scenario is played on, with the way to the north on its map.

    What has no width of its own, such as a road, has its usual one in inches; where lengths are
    turned these are as long as `inch` says.
    """

    width: TableSide = Field(description="from the west edge to the east edge")
    depth: TableSide = Field(description="from the south edge to the north edge")
    north: Bearing = Field(
        _NORTH, description="where the arrow points, clockwise from the top of the map"
    )
    scale: TableScale | None = Field(None, description="for the scale bar of the map")
    squares: Extent | None = Field(None, description="side of the map's squares, if it is no foot")
    hexes: Extent | None = Field(
        None,
        description="hexes instead of squares, so wide from side to side; A1 is in the south-west",
    )
    inch: Extent = Field(
        _INCH, description="how long an inch of what has its usual width is, such as of roads"
    )

    @model_validator(mode="after")
    def _one_grid(self) -> Self:
        if self.hexes is None:
            return self
        if self.squares is not None:
            raise quantities.QuantityError.of("R232 squares and hexes", at=("hexes",))
        count = int(max(self.width.mm, self.depth.mm) / self.hexes.mm)
        if count > MOST_HEXES:
            raise quantities.QuantityError.of(
                "R214 many hexes", at=("hexes",), length=self.hexes, count=count, most=MOST_HEXES
            )
        return self

    @property
    def square(self) -> quantities.Length:
        """The side of a square or the width of a hex; if none is told, a foot or 25 cm."""
        usual = _METRIC_SQUARE if self.width.unit in quantities.METRIC else _SQUARE
        return self.hexes or self.squares or usual

    def turned(self, turn: Callable[[quantities.Length], quantities.Length]) -> Self:
        """The same table in other lengths; what a length stands for on the ground stays."""
        scale = self.scale
        return self.model_copy(
            update={
                "inch": turn(self.inch),
                "width": turn(self.width),
                "depth": turn(self.depth),
                "squares": None if self.hexes else turn(self.square),
                "hexes": self.hexes and turn(self.hexes),
                "scale": scale and scale.model_copy(update={"length": turn(scale.length)}),
            }
        )


class Map(Entity):
    """What lies on the table. Its status is that of all on it that has none of its own."""

    features: Annotated[dict[Id, Feature], Field(max_length=MOST_FEATURES)] = Field(
        {}, description="by their ids, in the order in which they are drawn in their layer"
    )

    @model_validator(mode="after")
    def _few_enough(self) -> Self:
        count = sum(len(one.line or ()) for one in self.features.values() if one.draw in WAYS)
        if count > MOST_WAY_POINTS:
            raise quantities.QuantityError.of(
                "R214 many points of ways", at=("features",), count=count, most=MOST_WAY_POINTS
            )
        return self
