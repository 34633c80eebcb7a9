"""What an author writes of a map -> its model: ground, water, roads and buildings on a table.

A map is drawn at the scale of its table: every point is measured in lengths from the west edge and
from the south edge. Only what is on the table stands here; how it is drawn is no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Self

from pydantic import Field, model_validator

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.entities import Entity, FrozenModel
from rulebook.model.map_features import AREA_KINDS, FEATURE_KINDS, LINE_KINDS, POINT_KINDS, WAYS
from rulebook.model.scalars import Id, Line, ReadBy, RowName, expect_text, row_name

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

#: Keys that only some kinds have.
_KEYS_OF_KINDS = ("contours", "sections", "width", "fords", "bridges")
DRAWN_KINDS = (*AREA_KINDS, *LINE_KINDS, *POINT_KINDS)
_OUTLINES = ("area", "oval", "box")


@dataclass(frozen=True, slots=True)
class TablePoint:
    """A point on the table: its distances from the west edge (x) and from the south edge (y)."""

    x: quantities.Length
    y: quantities.Length

    @property
    def mm(self) -> tuple[Fraction, Fraction]:
        """The distances of the point from the west and the south edge, as exact numbers of mm."""
        return self.x.mm, self.y.mm

    def __str__(self) -> str:
        return f"{self.x}, {self.y}"


def _read_point(value: object) -> TablePoint:
    if isinstance(value, TablePoint):
        return value
    if not isinstance(value, list) or len(value) != 2:
        raise quantities.QuantityError(
            "this is no point",
            code="R203",
            expected="two lengths, from the west edge and from the south edge: [12in, 30in]",
        )
    read: list[quantities.Length] = []
    for index, part in enumerate(value):
        try:
            read.append(_on_table(expect_text(part, _ON_TABLE)))
        except quantities.QuantityError as fault:
            raise fault.inside(index) from fault
    return TablePoint(*read)


_ON_TABLE = f"a length of up to {LONGEST_TABLE} in in, ft, cm, mm, yd or m, such as 12in"


def _on_table(text: str, least: quantities.Length | None = None) -> quantities.Length:
    """Reads a length that can be measured on a table, and is not below `least`.

    Raises QuantityError.
    """
    length = quantities.parse_length(text)
    if length.unit == "base" or length.mm > LONGEST_TABLE.mm:
        raise quantities.out_of_bounds("length", length, _ON_TABLE)
    if least and length.mm < least.mm:
        raise quantities.out_of_bounds("length", length, f"{least} or more")
    return length


_LENGTH_PATTERN = r"^(=.+|[\d./ ]*\d ?(in|ft|yd|mm|cm|m))$"

PointOnTable = Annotated[
    TablePoint,
    ReadBy(
        _read_point,
        type="array",
        items={"type": "string", "pattern": _LENGTH_PATTERN},
        minItems=2,
        maxItems=2,
        description="from the west edge, from the south edge: [12in, 30in]",
    ),
]


def _measured(least: quantities.Length) -> scalars.ReadBy:
    return scalars.scalar(lambda text: _on_table(text, least), _ON_TABLE, pattern=_LENGTH_PATTERN)


Extent = Annotated[quantities.Length, _measured(quantities.Length(Fraction(1), "mm"))]
TableSide = Annotated[quantities.Length, _measured(SHORTEST_TABLE)]


def _read_bearing(text: str) -> quantities.Angle:
    number = quantities.parse_number(text.removesuffix("°").removesuffix("deg").strip())
    if number is None or number > quantities.FULL_TURN:
        raise quantities.not_a("a bearing", text, _BEARING)
    return quantities.Angle(number)


_BEARING = "degrees from 0 to 360, clockwise from the top of the map, such as 45° or 45deg"
Bearing = Annotated[
    quantities.Angle,
    scalars.scalar(
        _read_bearing, _BEARING, type=["string", "number"], pattern=r"^[\d./ ]*\d ?(°|deg)?$"
    ),
]
_NORTH = quantities.Angle(Fraction(0))


#: What the ruleset calls a kind of ground.
Ground = Annotated[
    RowName,
    row_name(
        "a kind of ground",
        "a table and a row of it, or a place on one of its axes: terrain.woods",
        "[a-z0-9][a-z0-9_-]{0,63}",
    ),
]

Outline = Annotated[tuple[PointOnTable, ...], Field(min_length=3, max_length=MOST_POINTS)]
ZoneOutline = Annotated[tuple[PointOnTable, ...], Field(min_length=3, max_length=MOST_ZONE_POINTS)]
Course = Annotated[tuple[PointOnTable, ...], Field(min_length=2, max_length=MOST_POINTS)]
Crossings = Annotated[tuple[PointOnTable, ...], Field(max_length=MOST_CROSSINGS)]


class Extents(FrozenModel):
    """An oval or a box by its middle and its two extents, turned clockwise about its middle."""

    centre: PointOnTable
    width: Extent
    """from west to east, before it is turned"""
    depth: Extent
    """from south to north, before it is turned"""
    turn: Bearing = _NORTH
    """degrees by which it is turned clockwise"""


class Feature(Entity):
    """A thing on the map; which of its keys it has is a matter of how it is drawn."""

    draw: Annotated[str, scalars.choice_of(DRAWN_KINDS)]
    """what kind of ground is drawn"""
    ground: Ground | None = Field(None, alias="is")
    """what the ruleset calls it: table.row, or table.place on axis"""
    title: Line | None = None
    """its name, which is printed on the map"""
    key: scalars.ProseText | None = None
    """its own words in the key of the map, instead of those of its table"""
    width: Extent | None = None
    """of a road, track, railway, river or stream"""
    contours: Annotated[scalars.Count, Field(ge=1, le=6)] = 1
    """of a hill: how many levels it rises"""
    sections: Annotated[scalars.Count, Field(ge=1, le=40)] | None = None
    """of a town or building: into how many parts the rules cut it"""
    area: Outline | None = None
    """corners of its outline, in order"""
    oval: Extents | None = None
    """its outline as an oval"""
    box: Extents | None = None
    """its outline as a box"""
    line: Course | None = None
    """points along it, in order"""
    at: PointOnTable | None = None
    """where a point lies"""
    fords: Crossings = ()
    """where a river or stream can be waded"""
    bridges: Crossings = ()
    """where a river or stream has a bridge"""

    @model_validator(mode="after")
    def _parts_agree(self) -> Self:
        given = [key for key in (*_OUTLINES, "line", "at") if getattr(self, key) is not None]
        wanted = _shapes_of(self.draw)
        if len(given) != 1 or given[0] not in wanted:
            extra = next((key for key in given if key not in wanted), given[1:] and given[-1])
            expected = f"one of {quantities.join_words(map(repr, wanted))}"
            at = (extra,) if extra else ()
            raise quantities.wrong_keys("R231", f"a {self.draw}", given, expected, at)
        for key in _KEYS_OF_KINDS:
            if key in self.model_fields_set and key not in FEATURE_KINDS[self.draw].keys:
                kinds = [name for name, kind in FEATURE_KINDS.items() if key in kind.keys]
                expected = f"'{key}' of a {quantities.join_words(kinds)}"
                raise quantities.wrong_keys("R231", f"a {self.draw}", [key], expected, (key,))
        if self.draw == "label" and self.title is None:
            raise quantities.wrong_keys("R231", "a label", given, "'title' beside it")
        return self

    @property
    def points(self) -> tuple[TablePoint, ...]:
        """The points that give the shape of the feature, without those of fords and bridges.

        A single point or an oval or box gives its centre, an area or a line all of its points.
        """
        if self.at is not None:
            return (self.at,)
        if extents := self.oval or self.box:
            return (extents.centre,)
        return self.area or self.line or ()

    @property
    def crossings(self) -> Iterator[tuple[str, int, TablePoint]]:
        """The fords and bridges of the feature, each as (key, index in its list, point)."""
        for key, listed in (("fords", self.fords), ("bridges", self.bridges)):
            yield from ((key, index, point) for index, point in enumerate(listed))


def _shapes_of(kind: str) -> Sequence[str]:
    return {"area": _OUTLINES, "line": ("line",)}.get(FEATURE_KINDS[kind].outline, ("at",))


class TableScale(FrozenModel):
    """What a length of the table stands for: an inch for 45 yards."""

    length: Extent
    """on the table, such as 1in"""
    ground: scalars.Length
    """of the ground, such as 45yd"""

    @model_validator(mode="after")
    def _of_some_length(self) -> Self:
        if self.ground.unit == "base" or not self.ground.number:
            expected = "a length that is more than nothing, such as 45yd"
            raise quantities.out_of_bounds("ground", self.ground, expected, ("ground",))
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

    width: TableSide
    """from the west edge to the east edge"""
    depth: TableSide
    """from the south edge to the north edge"""
    north: Bearing = _NORTH
    """where the arrow points, clockwise from the top of the map"""
    scale: TableScale | None = None
    """for the scale bar of the map"""
    squares: Extent | None = None
    """side of the map's squares, if it is no foot"""
    hexes: Extent | None = None
    """hexes instead of squares, so wide from side to side; A1 is in the south-west"""
    inch: Extent = _INCH
    """how long an inch of what has its usual width is, such as of roads"""

    @model_validator(mode="after")
    def _one_grid(self) -> Self:
        if self.hexes is None:
            return self
        if self.squares is not None:
            given, expected = ("squares", "hexes"), "one of them"
            raise quantities.wrong_keys("R232", "a table", given, expected, ("hexes",))
        count = int(max(self.width.mm, self.depth.mm) / self.hexes.mm)
        if count > MOST_HEXES:
            hint = "write larger ones, or a smaller table"
            raise quantities.too_many(
                count, "hexes along an edge", MOST_HEXES, hint=hint, at=("hexes",), code="R214"
            )
        return self

    @property
    def square(self) -> quantities.Length:
        """The side of a square of the table, or the width of a hex.

        If none is given, it is a foot, or 25 cm on a table measured in metric units.
        """
        usual = _METRIC_SQUARE if self.width.unit in quantities.METRIC else _SQUARE
        return self.hexes or self.squares or usual


class Map(Entity):
    """What lies on the table. Its status is that of all on it that has none of its own."""

    features: Annotated[dict[Id, Feature], Field(max_length=MOST_FEATURES)] = Field({})
    """by their ids, in the order in which they are drawn in their layer"""

    @model_validator(mode="after")
    def _few_enough(self) -> Self:
        count = sum(
            len(feature.line or ()) for feature in self.features.values() if feature.draw in WAYS
        )
        if count > MOST_WAY_POINTS:
            hint = "draw them with fewer points"
            what = "points of roads, tracks and railways"
            raise quantities.too_many(
                count, what, MOST_WAY_POINTS, hint=hint, at=("features",), code="R214"
            )
        return self
