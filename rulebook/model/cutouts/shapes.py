"""The data of a cutout -> the model of its shape: cone, disc, arc, burst, base, tray, markers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, ClassVar, Literal, Self

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
from rulebook.model.cutouts.cutout import LONGEST, Cutout, true_scale
from rulebook.model.cutouts.stick import Score, Sleeve, Stick
from rulebook.model.scalars import Line, Name
from rulebook.text_fitting import SIX_POINTS, filled, filled_disc, room_for
from rulebook.translation import gettext


class Zone(BaseModel):
    """A part of a cone: it runs from the zone before it to `to`; the last runs to the end."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    to: scalars.Length | None = Field(
        None, description="how far from the apex it reaches; the last goes to the end"
    )
    kills: scalars.RollTarget


class Cone(Cutout):
    """An isosceles triangle with its apex at the muzzle, divided across into zones."""

    shape: Literal["cone"] = Field(description="a cone from its apex, in zones")
    length: scalars.Length = Field(description="from the apex to the middle of the base")
    base: scalars.Length = Field(description="width at the far end")
    zones: Annotated[tuple[Zone, ...], Field(min_length=1)] = Field(
        description="the zones from the apex to the base"
    )

    @model_validator(mode="after")
    def _zones_add_up(self) -> Self:
        true_scale("length", self.length, "length")
        true_scale("base", self.base, "base")
        reached = Fraction(0)
        for index, zone in enumerate(self.zones[:-1]):
            if zone.to is None:
                raise quantities.QuantityError.of(
                    "R204 zone without end", at=("zones", index), name=zone.name
                )
            true_scale(f"end of the zone {zone.name}", zone.to, "zones", index, "to")
            if not reached < zone.to.mm < self.length.mm:
                raise quantities.QuantityError.of(
                    "R204 end of a zone",
                    at=("zones", index, "to"),
                    name=zone.name,
                    to=zone.to,
                    length=self.length,
                )
            reached = zone.to.mm
        last = self.zones[-1]
        if last.to is not None and last.to.mm != self.length.mm:
            at = ("zones", len(self.zones) - 1, "to")
            to = last.to
            raise quantities.QuantityError.of(
                "R204 end of the last zone", at=at, to=to, length=self.length
            )
        return self


#: Nothing smaller is cut out with a knife.
SMALLEST = quantities.Length(Fraction(5), "mm")
MOST_COPIES = 200

Copies = Annotated[scalars.Count, Field(ge=1, le=MOST_COPIES)]


class Footprint(BaseModel):
    """A rectangle by its width and depth, or a circle by its diameter."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    width: scalars.Length | None = Field(None, description="from side to side")
    depth: scalars.Length | None = Field(None, description="from front to rear")
    diameter: scalars.Length | None = Field(None, description="of a round one")

    @model_validator(mode="after")
    def _round_or_not(self) -> Self:
        sides = [name for name in ("width", "depth") if getattr(self, name) is not None]
        if self.diameter is not None and sides:
            raise quantities.QuantityError.of(
                "R204 diameter and side", at=(sides[0],), side=sides[0]
            )
        if self.diameter is None and len(sides) < 2:
            missing = "depth" if sides == ["width"] else "width" if sides else "size"
            raise quantities.QuantityError.of("R202 base", missing=missing)
        for name in (*sides, *(["diameter"] if self.diameter is not None else [])):
            true_scale(name, getattr(self, name), name, least=SMALLEST)
        return self

    @property
    def round(self) -> bool:
        return self.diameter is not None

    @property
    def across(self) -> Fraction:
        """From side to side, mm."""
        side = self.diameter or self.width
        return side.mm if side else Fraction(0)

    @property
    def down(self) -> Fraction:
        """From front to rear, mm."""
        side = self.diameter or self.depth
        return side.mm if side else Fraction(0)

    @property
    def told(self) -> str:
        if self.round:
            return gettext("%(length)s across", length=self.diameter)
        return gettext("%(width)s by %(depth)s", width=self.width, depth=self.depth)


class StandBase(Footprint, Cutout):
    """The base on which figures are mounted, as often as it is wanted."""

    shape: Literal["base"] = Field(description="the base of a stand, and where its figures are")
    copies: Copies = 1
    front: scalars.Flag = Field(False, description="an arrow at the front edge")
    name: Line | None = Field(None, description="of the unit, written on it")
    figures: Annotated[scalars.Count, Field(ge=1, le=1000)] | None = Field(
        None, description="how many stand on it, written on it"
    )


NOTHING = quantities.Length(Fraction(0), "mm")
#: Less wood between two holes breaks.
LEAST_WALL = quantities.Length(Fraction(1), "mm")
#: Wider rims are no rims.
WIDEST_RIM = quantities.Length(Fraction(100), "mm")
_InARow = Annotated[scalars.Count, Field(ge=1, le=40)]


class Tray(Cutout):
    """A tray on which the stands of a unit are moved together; with holes, a sabot."""

    not_scaled: ClassVar[frozenset[str]] = frozenset({"gap", "lip"})

    shape: Literal["tray"] = Field(description="a tray in which stands are moved together")
    stand: Footprint = Field(description="the base of one stand")
    files: _InARow = Field(description="stands side by side")
    ranks: _InARow = Field(description="stands behind each other")
    gap: scalars.Length = Field(NOTHING, description="between two stands")
    lip: scalars.Length = Field(NOTHING, description="around them all")
    holes: scalars.Flag = Field(False, description="the places are cut out, not drawn")
    copies: Copies = 1

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        for name in ("gap", "lip"):
            given: quantities.Length = getattr(self, name)
            if given.unit == "base" or given.mm > WIDEST_RIM.mm:
                raise quantities.QuantityError.of(
                    "R204 rim too wide", at=(name,), name=name, given=given, most=WIDEST_RIM
                )
            needed = name == "lip" or self.files * self.ranks > 1
            if self.holes and needed and given.mm < LEAST_WALL.mm:
                raise quantities.QuantityError.of(
                    "R204 wall between holes", at=(name,), name=name, given=given, least=LEAST_WALL
                )
        for name, count, side in (
            ("files", self.files, self.width),
            ("ranks", self.ranks, self.depth),
        ):
            if side > LONGEST.mm:
                mm = quantities.format_number(side)
                raise quantities.QuantityError.of(
                    "R204 tray too long", at=(name,), count=count, name=name, mm=mm, longest=LONGEST
                )
        return self

    @property
    def width(self) -> Fraction:
        """From side to side with its lip, mm."""
        return _reach(self.files, self.stand.across, self.gap.mm, self.lip.mm)

    @property
    def depth(self) -> Fraction:
        """From front to rear with its lip, mm."""
        return _reach(self.ranks, self.stand.down, self.gap.mm, self.lip.mm)


def _reach(count: int, side: Fraction, gap: Fraction, lip: Fraction) -> Fraction:
    return count * side + (count - 1) * gap + 2 * lip


#: Type smaller than 6 points is not read at the table; sizes of type are in mm.
SMALLEST_TYPE, LARGEST_TYPE = SIX_POINTS, 36.0
#: Type that is read at arm's length: smaller symbols make room for it.
READ_AT_THE_TABLE = 3.2
#: Of the shorter side of a marker, what is left above and below; of a rectangle, at each side twice
#: as much.
MARGIN = 0.06
#: What a face may be given by.
_WRITTEN = ("text", "numbers", "up_to")
#: Numbers are smaller by this, so that a line below a 6 or a 9 has room.
NUMBER_PART = 0.8
#: All pieces of one cutout.
MOST_PIECES = 400
#: How large the symbol of a marker may be: parts of its height beside the words and above them.
_BESIDE, _ABOVE = (0.66, 0.56, 0.46, 0.36), (0.5, 0.44, 0.38, 0.32)
#: Of a tile of terrain, the part of its height that its words have at the foot, and their size, mm.
FOOT, LARGEST_FOOT = 0.16, 4.6

#: The signs of the library: a test holds them against the drawings.
Symbol = Literal[
    "foot", "horse", "gun", "howitzer", "rockets", "skirmishers", "commander", "wagon", "engineer",
    "limber", "ship", "colours", "move", "retreat", "fire", "flame", "empty", "disorder", "halt",
    "casualty", "question", "shield", "eye", "target", "prone", "loaded", "tired", "double", "mud",
    "melee", "laurels",
]  # fmt: skip
#: What is drawn on a tile of terrain, as on the maps; rivers and roads meet in the middle of edges.
Terrain = Literal[
    "hill", "mountain", "field", "orchard", "rough", "woods", "swamp", "lake", "town", "river",
    "river_bend", "bridge", "ford", "road", "road_bend",
]  # fmt: skip


def _read_numbers(value: object) -> quantities.Faces:
    """`1-6` or `10, 20`."""
    text = expect_text(value, "numbers from 1 to 100, such as 1-6 or 10, 20")
    try:
        return quantities.parse_faces(text)
    except quantities.QuantityError as fault:
        raise quantities.QuantityError.of(
            "R204 not numbers", text=quantities.shown(text)
        ) from fault


Numbers = Annotated[
    quantities.Faces,
    PlainValidator(_read_numbers),
    PlainSerializer(quantities.format_value),
    WithJsonSchema({"type": ["string", "integer"], "description": "such as 1-6 or 10, 20"}),
]


class Face(BaseModel):
    """What is written on markers: a text, or each of several numbers on a marker of its own.

    A text may have a symbol beside it, or a picture of terrain on which it stands.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Name | None = Field(None, description="words on the face")
    symbol: Symbol | None = Field(None, description="a sign beside or above the text")
    terrain: Terrain | None = Field(None, description="the ground that fills the marker")
    numbers: Numbers | None = Field(None, description="numbers, a face for each, such as 1-9")
    up_to: Annotated[scalars.Count, Field(ge=1, le=quantities.MOST_SIDES)] | None = Field(
        None, description="the numbers from 1 to this"
    )
    copies: Copies = 1

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        given = [name for name in _WRITTEN if getattr(self, name) is not None]
        if len(given) > 1:
            known = quantities.join_words(_WRITTEN)
            raise quantities.QuantityError.of(
                "R204 two of one face", at=(given[1],), one=given[0], other=given[1], known=known
            )
        if not given:
            raise quantities.QuantityError.of(
                "R202 empty face", known=quantities.join_words(_WRITTEN)
            )
        drawn = [name for name in ("symbol", "terrain") if getattr(self, name) is not None]
        if drawn and (self.text is None or len(drawn) > 1):
            raise quantities.QuantityError.of("R204 picture of a face", at=(drawn[-1],))
        return self

    @property
    def kind(self) -> str:
        """The field that says what is written: text, numbers or up_to."""
        return next(name for name in _WRITTEN if getattr(self, name) is not None)

    @property
    def name(self) -> str:
        """What the face is called in paths and parameters."""
        return self.text or str(self.numbers or f"1{quantities.EN_DASH}{self.up_to}")

    @property
    def words(self) -> tuple[str, ...]:
        """What stands on the markers of this face, without their copies."""
        if self.text is not None:
            return (self.text,)
        listed = sorted(self.numbers.scores) if self.numbers else range(1, 1 + (self.up_to or 0))
        return tuple(map(str, listed))


class Markers(Cutout):
    """Tokens that are laid beside units: disordered, fired, casualties in numbers."""

    not_scaled: ClassVar[frozenset[str]] = frozenset({"size"})

    shape: Literal["markers"] = Field(description="counters to cut out, one for each face")
    size: Footprint = Field(description="how large each of them is")
    faces: Annotated[tuple[Face, ...], Field(min_length=1, max_length=60)] = Field(
        description="what stands on them"
    )

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        count = sum(len(face.words) * face.copies for face in self.faces)
        if count > MOST_PIECES:
            raise quantities.QuantityError.of(
                "R204 many markers", at=("faces",), count=count, most=MOST_PIECES
            )
        for index, face in enumerate(self.faces):
            if face.terrain and self.size.round:
                raise quantities.QuantityError.of(
                    "R204 round terrain", at=("faces", index, "terrain")
                )
            for words, lettered in zip(face.words, self.lettered(face), strict=True):
                if lettered.size < SMALLEST_TYPE:
                    raise quantities.QuantityError.of(
                        "R204 no room on a marker",
                        at=("faces", index, face.kind),
                        words=words,
                        size=self.size.told,
                    )
        return self

    def lettered(self, face: Face) -> tuple[Lettered, ...]:
        """What stands on the markers of a face; all words of a set are of one size, all numbers."""
        return _lettering(self.size, self.faces)[face]


@dataclass(frozen=True, slots=True)
class Lettered:
    """Lines of words on a marker, their middle at (x, y) from its top left corner; sizes in mm.

    `symbol` is the square of the symbol: its left and upper edge, and its side.
    """

    lines: tuple[str, ...]
    size: float
    x: float
    y: float
    symbol: tuple[float, float, float] | None = None


@lru_cache(maxsize=64)
def _lettering(size: Footprint, faces: tuple[Face, ...]) -> dict[Face, tuple[Lettered, ...]]:
    """The words of each face: at the size of those that have the least room, and so the numbers."""
    ways = [(True, part) for part in _BESIDE if not size.round] + [(False, part) for part in _ABOVE]
    texts = [face for face in faces if face.text is not None]
    best: dict[Face, Lettered] = {}
    for way in ways if any(face.symbol for face in texts) else ways[:1]:
        tried = {face: _set(size, face, str(face.text), way, LARGEST_TYPE) for face in texts}
        least = min((one.size for one in tried.values()), default=0.0)
        if least > min((one.size for one in best.values()), default=-1.0):
            best = {
                face: _set(size, face, str(face.text), (way[0], way[1]), least) for face in texts
            }
        if least >= READ_AT_THE_TABLE:
            break
    numbers = [(face, words) for face in faces if face.text is None for words in face.words]
    least = min((_set(size, *one, ways[0], LARGEST_TYPE).size for one in numbers), default=0.0)
    return {
        face: (best[face],)
        if face.text is not None
        else tuple(_set(size, face, words, ways[0], least) for words in face.words)
        for face in faces
    }


def _set(size: Footprint, face: Face, words: str, way: tuple[bool, float], most: float) -> Lettered:
    """Words on a marker, with the symbol of the face beside them or above them."""
    across, down = float(size.across), float(size.down)
    margin = MARGIN * min(across, down)
    x, y = across / 2, down / 2
    if face.terrain:
        lines, type_size = filled(words, across - 4 * margin, FOOT * down - margin, most=most)
        return Lettered(tuple(lines), min(type_size, LARGEST_FOOT), x, down * (1 - FOOT / 2))
    if not face.symbol:
        if size.round:
            lines, type_size = filled_disc(words, across - 2 * margin, most=most)
        else:
            lines, type_size = filled(words, across - 4 * margin, down - 2 * margin, most=most)
        number = NUMBER_PART if words.isdecimal() and most == LARGEST_TYPE else 1
        return Lettered(tuple(lines), type_size * number, x, y)
    beside, part = way
    side = part * down
    if beside:
        room = across - 4 * margin - side - margin
        lines, type_size = filled(words, max(room, 0.1), down - 2 * margin, most=most)
        wide = max(room_for(line, type_size) for line in lines)
        left = (across - side - margin - wide) / 2
        square = (left, (down - side) / 2, side)
        return Lettered(tuple(lines), type_size, left + side + margin + wide / 2, y, square)
    top = 1.5 * margin if size.round else margin
    start = top + side + margin / 2
    found = [(*filled(words, wide, high, most=most), high) for wide, high in _below(size, start)]
    lines, type_size, high = max(found, key=lambda one: one[1])
    square = ((across - side) / 2, top, side)
    return Lettered(tuple(lines), type_size, x, start + high / 2, square)


def _below(size: Footprint, start: float) -> Iterator[tuple[float, float]]:
    """Widths and heights of rectangles on a marker that begin so far below its top."""
    across, down = float(size.across), float(size.down)
    margin = MARGIN * min(across, down)
    if not size.round:
        yield across - 4 * margin, down - margin - start
        return
    reach = across / 2 - margin
    for part in (0.3, 0.4, 0.5, 0.6, 0.7):
        end = start + part * (across - margin - start)
        deepest = max(abs(across / 2 - start), abs(end - across / 2))
        if deepest < reach:
            yield 2 * math.sqrt(reach**2 - deepest**2), end - start


#: A smaller circle cannot be cut out, rings nearer than the other cannot be told apart.
LEAST_RADIUS = quantities.Length(Fraction(5), "mm")
LEAST_RING = quantities.Length(Fraction(1), "mm")


class Reach(BaseModel):
    """How far something reaches from a centre: its radius or its diameter, one of the two."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    least: ClassVar[quantities.Length] = LEAST_RADIUS
    radius: scalars.Length | None = Field(None, description="from the middle outwards")
    diameter: scalars.Length | None = Field(None, description="all across, in place of a radius")

    @model_validator(mode="after")
    def _one_of_the_two(self) -> Self:
        if self.radius is not None and self.diameter is not None:
            raise quantities.QuantityError.of("R204 radius and diameter", at=("diameter",))
        if self.radius is None and self.diameter is None:
            raise quantities.QuantityError.of("R202 no radius")
        name, given = self.stated
        least = quantities.Length(self.least.number * (2 if self.radius is None else 1), "mm")
        true_scale(name, given, name, least=least)
        return self

    @property
    def stated(self) -> tuple[str, quantities.Length]:
        """The word radius or diameter, and the length that the author gave it."""
        if self.radius is not None:
            return "radius", self.radius
        if self.diameter is None:
            raise TypeError("a reach has a radius or a diameter")
        return "diameter", self.diameter

    @property
    def reach(self) -> Fraction:
        """The radius, mm."""
        name, given = self.stated
        return given.mm / (2 if name == "diameter" else 1)

    @property
    def told(self) -> str:
        """As a player reads it: radius 8″, or 3″ across."""
        name, given = self.stated
        if name == "radius":
            return gettext("radius %(length)s", length=given)
        return gettext("%(length)s across", length=given)


class Ring(Reach):
    """A circle inside another cutout; what is told of it holds from the ring before it to here."""

    least: ClassVar[quantities.Length] = LEAST_RING
    name: Name
    target: Score | None = Field(None, description="what a die must reach within it")


def expect_rising(rings: Sequence[Ring], outer: Fraction, told: str) -> None:
    """Raises QuantityError where rings do not rise, or lie beyond the outside, `outer` in mm."""
    reached = Fraction(0)
    for index, ring in enumerate(rings):
        name, given = ring.stated
        at = ("rings", index, name)
        if ring.reach - reached < LEAST_RING.mm:
            raise quantities.QuantityError.of(
                "R204 rings do not rise",
                at=at,
                ring=ring.name,
                name=name,
                given=given,
                least_ring=LEAST_RING,
            )
        reached = ring.reach
        if reached > outer or 0 < outer - reached < LEAST_RING.mm:
            raise quantities.QuantityError.of(
                "R204 ring outside", at=at, ring=ring.name, name=name, given=given, told=told
            )


#: A wider disc would push the troops off the table, a wider wedge not fit on a sheet of paper; the
#: sizes are ours.
WIDEST = quantities.Length(Fraction(12), "in")
WEDGE = quantities.Length(Fraction(7), "in")
#: No wedge is narrower.
NARROWEST = quantities.Length(Fraction(20), "mm")


class Disc(Reach, Cutout):
    """A disc about a point: blast, round template, command radius. One too wide is a wedge."""

    not_scaled: ClassVar[frozenset[str]] = frozenset({"widest"})

    shape: Literal["disc"] = Field(description="a disc, with rings on it")
    rings: Annotated[tuple[Ring, ...], Field(max_length=12)] = Field(
        (), description="circles around the middle, from the smallest to the largest"
    )
    cross: scalars.Flag = Field(False, description="lines across, through the centre")
    widest: scalars.Length = Field(WIDEST, description="a wider disc is drawn as a wedge of it")
    sweep: scalars.Angle | None = Field(
        None, description="degrees of the wedge; as many as a sheet is wide, if left out"
    )

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        expect_rising(self.rings, self.reach, self.told)
        true_scale("greatest width", self.widest, "widest")
        if self.widest.mm < NARROWEST.mm:
            raise quantities.QuantityError.of(
                "R204 widest", at=("widest",), widest=self.widest, narrowest=NARROWEST
            )
        return self

    @property
    def wedge(self) -> Fraction | None:
        """Degrees of the wedge that is drawn of it; None where the whole is drawn."""
        if self.sweep is not None:
            return self.sweep.degrees
        if 2 * self.reach <= self.widest.mm:
            return None
        half = math.asin(float(min(self.widest.mm, WEDGE.mm) / 2 / self.reach))
        # a hair more, so that what is whole in truth is not taken for a little less
        return Fraction(max(1, math.floor(math.degrees(2 * half) + 1e-9)))


class Arc(Reach, Cutout):
    """What is seen or reached from a point: half of its angle lies on each side of the middle."""

    shape: Literal["arc"] = Field(description="a part of a circle, with its rings")
    angle: scalars.Angle
    rings: Annotated[tuple[Ring, ...], Field(max_length=12)] = Field(
        (), description="circles around the middle, from the smallest to the largest"
    )
    origin: Line | None = Field(None, description="what lies at the point, such as gun")

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        expect_rising(self.rings, self.reach, self.told)
        return self


class BurstCentre(BaseModel):
    """The middle sector of a burst."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: scalars.Count = Field(description="the throw that lands here")
    diameter: scalars.Length


class Burst(Cutout):
    """A disc with a centre and a ring of like sectors, the first of them farthest from the gun.

    One die shows the sector in which the shell falls; each figure there is then thrown for.
    """

    shape: Literal["burst"] = Field(description="circles around a point of impact")
    diameter: scalars.Length
    centre: BurstCentre = Field(description="what the middle shows")
    ring: Annotated[tuple[scalars.Count, ...], Field(min_length=2, max_length=12)] = Field(
        description="throws of the outer sectors, clockwise from the one farthest from the gun"
    )
    kills: scalars.RollTarget

    @model_validator(mode="after")
    def _sectors_fit(self) -> Self:
        true_scale("diameter", self.diameter, "diameter")
        true_scale("diameter of the centre", self.centre.diameter, "centre", "diameter")
        if self.centre.diameter.mm >= self.diameter.mm:
            raise quantities.QuantityError.of(
                "R204 centre too wide",
                at=("centre", "diameter"),
                diameter=self.centre.diameter,
                whole=self.diameter,
            )
        for index, score in enumerate(self.ring):
            if score in (self.centre.score, *self.ring[:index]):
                raise quantities.QuantityError.of(
                    "R204 score twice", at=("ring", index), score=score
                )
        return self


AnyCutout = Annotated[
    Cone | Burst | Disc | Arc | Stick | Sleeve | StandBase | Tray | Markers,
    Field(discriminator="shape"),
]
