"""The data of a cutout -> the model of its shape: what the rules state; sticks are in `sticks`.

The geometry is made in `rulebook.cutouts`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.entities import Entity, FrozenModel
from rulebook.model.scalars import (
    HeadingId,
    Line,
    Name,
    ProseText,
    ReadBy,
    expect_text,
)
from rulebook.translation import gettext

#: No cutout is longer: two tables end to end.
LONGEST = quantities.Length(Fraction(3), "m")


def drawn(least: quantities.Length | None = None) -> Any:
    """Makes a validator that refuses lengths that cannot be drawn at true scale.

    They must be in a unit that a ruler measures, and between `least` (or 0) and LONGEST.
    """
    expected = f"{least} or more" if least else f"more than 0 and up to {LONGEST}"

    def check(length: quantities.Length) -> quantities.Length:
        in_bounds = length.unit != "base" and 0 < length.mm <= LONGEST.mm
        if not in_bounds or (least is not None and length.mm < least.mm):
            raise quantities.out_of_bounds("length", length, expected)
        return length

    return AfterValidator(check)


DrawnLength = Annotated[scalars.Length, drawn()]


class Cutout(Entity):
    """What all shapes have in common.

    `not_scaled` are lengths of the thing itself and not of the game: wood and card stay as
    they are where the game is scaled.
    """

    not_scaled: ClassVar[frozenset[str]] = frozenset()
    #: A field that prose may well name.
    example: ClassVar[str] = "title"

    title: Line
    use: ProseText | None = None
    """how it is laid on the table, printed on it"""
    rule: HeadingId | None = None
    """id of the heading whose rule uses it"""

    @property
    def derived(self) -> Mapping[str, object]:
        """The values that paths may name in the cutout besides its fields, or in place of them.

        There are none unless a kind of cutout has some of its own.
        """
        return {}


_SCORE = "a roll target, a modifier or a count, such as 4+, -2 or 12"


def _read_score(value: object) -> quantities.Value:
    """Reads a score, such as `4+`, `never`, `-2` or `12`, as cells of tables hold them.

    Raises QuantityError.
    """
    text = expect_text(value, _SCORE)
    parsers: tuple[Callable[[str], quantities.Value], ...] = (
        quantities.parse_roll_target,
        quantities.parse_modifier,
        quantities.parse_count,
    )
    for parse in parsers:
        try:
            return parse(text)
        except quantities.QuantityError:
            continue
    raise quantities.not_a("a score", text, _SCORE)


Score = Annotated[
    quantities.RollTarget | quantities.Modifier | int,
    ReadBy(_read_score, type=["string", "integer"], description="such as 4+, -2 or 12"),
]


class Zone(FrozenModel):
    """A part of a cone: it runs from the zone before it to `to`; the last runs to the end."""

    name: Name
    to: DrawnLength | None = None
    """how far from the apex it reaches; the last goes to the end"""
    kills: scalars.RollTarget


class Cone(Cutout):
    """An isosceles triangle with its apex at the muzzle, divided across into zones."""

    example: ClassVar[str] = "length"

    shape: Literal["cone"]
    """a cone from its apex, in zones"""
    length: DrawnLength
    """from the apex to the middle of the base"""
    base: DrawnLength
    """width at the far end"""
    zones: Annotated[tuple[Zone, ...], Field(min_length=1)]
    """the zones from the apex to the base"""

    @model_validator(mode="after")
    def _zones_add_up(self) -> Self:
        reached = Fraction(0)
        for index, zone in enumerate(self.zones):
            last = index == len(self.zones) - 1
            to = (zone.to or self.length) if last else zone.to
            ends = to is not None and reached < to.mm <= self.length.mm
            if to is None or not ends or last != (to.mm == self.length.mm):
                raise quantities.out_of_bounds(
                    f"end of the zone {zone.name}",
                    to or "not given",
                    f"beyond the zone before it and short of the length, {self.length}; "
                    "of the last zone the length, or no 'to'",
                    ("zones", index, "to") if zone.to else ("zones", index),
                )
            reached = to.mm
        return self

    @property
    def derived(self) -> Mapping[str, object]:
        """The zones of the cutout, under the key `zones`, for paths to name.

        The last zone has its end, which authors may leave out: it is the whole length.
        """
        last = self.zones[-1]
        return {"zones": (*self.zones[:-1], last.model_copy(update={"to": last.to or self.length}))}


#: Nothing smaller is cut out with a knife.
SMALLEST = quantities.Length(Fraction(5), "mm")
MOST_COPIES = 200

Copies = Annotated[scalars.Count, Field(ge=1, le=MOST_COPIES)]
_Side = Annotated[scalars.Length, drawn(SMALLEST)]


class Footprint(FrozenModel):
    """A rectangle by its width and depth, or a circle by its diameter."""

    width: _Side | None = None
    """from side to side"""
    depth: _Side | None = None
    """from front to rear"""
    diameter: _Side | None = None
    """of a round one"""

    @model_validator(mode="after")
    def _round_or_not(self) -> Self:
        given = [name for name in ("width", "depth", "diameter") if getattr(self, name) is not None]
        if given not in (["width", "depth"], ["diameter"]):
            raise quantities.QuantityError(
                f"a base of {quantities.join_words(given, 'and') or 'no size'}",
                code="R202",
                expected="width and depth, or diameter",
            )
        return self

    @property
    def round(self) -> bool:
        return self.diameter is not None

    @property
    def across(self) -> Fraction:
        """The width of the base from side to side, in mm; for a round one the diameter."""
        side = self.diameter or self.width
        return side.mm if side else Fraction(0)

    @property
    def down(self) -> Fraction:
        """The depth of the base from front to rear, in mm; for a round one the diameter."""
        side = self.diameter or self.depth
        return side.mm if side else Fraction(0)

    @property
    def in_words(self) -> str:
        if self.round:
            return gettext("%(length)s across", length=self.diameter)
        return gettext("%(width)s by %(depth)s", width=self.width, depth=self.depth)


class StandBase(Footprint, Cutout):
    """The base on which figures are mounted, as often as it is wanted."""

    shape: Literal["base"]
    """the base of a stand, and where its figures are"""
    copies: Copies = 1
    front: scalars.Flag = False
    """an arrow at the front edge"""
    name: Line | None = None
    """of the unit, written on it"""
    figures: Annotated[scalars.Count, Field(ge=1, le=1000)] | None = None
    """how many stand on it, written on it"""


NOTHING = quantities.Length(Fraction(0), "mm")
#: Less wood between two holes breaks.
LEAST_WALL = quantities.Length(Fraction(1), "mm")
#: Wider rims are no rims.
WIDEST_RIM = quantities.Length(Fraction(100), "mm")
_InARow = Annotated[scalars.Count, Field(ge=1, le=40)]


class Tray(Cutout):
    """A tray on which the stands of a unit are moved together; with holes, a sabot."""

    not_scaled: ClassVar[frozenset[str]] = frozenset({"gap", "lip"})

    shape: Literal["tray"]
    """a tray in which stands are moved together"""
    stand: Footprint
    """the base of one stand"""
    files: _InARow
    """stands side by side"""
    ranks: _InARow
    """stands behind each other"""
    gap: scalars.Length = NOTHING
    """between two stands"""
    lip: scalars.Length = NOTHING
    """around them all"""
    holes: scalars.Flag = False
    """the places are cut out, not drawn"""
    copies: Copies = 1

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        for name in ("gap", "lip"):
            given: quantities.Length = getattr(self, name)
            walled = self.holes and (name == "lip" or self.files * self.ranks > 1)
            least = LEAST_WALL if walled else NOTHING
            if given.unit == "base" or not least.mm <= given.mm <= WIDEST_RIM.mm:
                expected = f"from {least} to {WIDEST_RIM}, or holes run together"
                raise quantities.out_of_bounds(name, given, expected, (name,))
        for name, side in (("files", self.width), ("ranks", self.depth)):
            if side > LONGEST.mm:
                long = quantities.Length(side, "mm")
                raise quantities.out_of_bounds("tray", long, f"up to {LONGEST}", (name,))
        return self

    @property
    def width(self) -> Fraction:
        """The width of the tray from side to side in mm, with its stands, the gaps and the lip."""
        return _reach(self.files, self.stand.across, self.gap.mm, self.lip.mm)

    @property
    def depth(self) -> Fraction:
        """The depth of the tray from front to rear in mm, with its stands, the gaps and the lip."""
        return _reach(self.ranks, self.stand.down, self.gap.mm, self.lip.mm)


def _reach(count: int, side: Fraction, gap: Fraction, lip: Fraction) -> Fraction:
    """Returns the length of `count` sides in a row, with gaps between and a lip at both ends.

    All lengths are in mm.
    """
    return count * side + (count - 1) * gap + 2 * lip


#: What a face may be given by.
_WRITTEN = ("text", "numbers", "up_to")
#: All pieces of one cutout.
MOST_PIECES = 400
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
    """Reads numbers that an author writes, such as `1-6` or `10, 20`. Raises QuantityError."""
    return quantities.parse_faces(expect_text(value, "numbers, such as 1-6 or 10, 20"))


Numbers = Annotated[
    quantities.Faces,
    ReadBy(_read_numbers, type=["string", "integer"], description="such as 1-6 or 10, 20"),
]


class Face(FrozenModel):
    """What is written on markers: a text, or each of several numbers on a marker of its own.

    A text may have a symbol beside it, or a picture of terrain on which it stands.
    """

    text: Name | None = None
    """words on the face"""
    symbol: Symbol | None = None
    """a sign beside or above the text"""
    terrain: Terrain | None = None
    """the ground that fills the marker"""
    numbers: Numbers | None = None
    """numbers, a face for each, such as 1-9"""
    up_to: Annotated[scalars.Count, Field(ge=1, le=quantities.MOST_SIDES)] | None = None
    """the numbers from 1 to this"""
    copies: Copies = 1

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        given = [name for name in _WRITTEN if getattr(self, name) is not None]
        drawn = [name for name in ("symbol", "terrain") if getattr(self, name) is not None]
        if len(given) != 1 or len(drawn) > 1 or (drawn and self.text is None):
            raise quantities.QuantityError(
                f"a face with {quantities.join_words([*given, *drawn], 'and') or 'nothing'}",
                code="R204" if given else "R202",
                expected=f"one of {quantities.join_words(_WRITTEN)}; beside a text "
                "a symbol or a terrain",
            )
        return self

    @property
    def kind(self) -> str:
        """The name of the field by which the face is given: text, numbers or up_to."""
        return next(name for name in _WRITTEN if getattr(self, name) is not None)

    @property
    def name(self) -> str:
        """The name of the face in paths and parameters: its text, or the numbers as a text."""
        return self.text or str(self.numbers or f"1{quantities.EN_DASH}{self.up_to}")

    @property
    def words(self) -> tuple[str, ...]:
        """The text on each marker of this face: its text, or each of its numbers in rising order.

        Copies are not repeated.
        """
        if self.text is not None:
            return (self.text,)
        listed = sorted(self.numbers.scores) if self.numbers else range(1, 1 + (self.up_to or 0))
        return tuple(map(str, listed))


class Markers(Cutout):
    """Tokens that are laid beside units: disordered, fired, casualties in numbers."""

    not_scaled: ClassVar[frozenset[str]] = frozenset({"size"})

    shape: Literal["markers"]
    """counters to cut out, one for each face"""
    size: Footprint
    """how large each of them is"""
    faces: Annotated[tuple[Face, ...], Field(min_length=1, max_length=60)]
    """what stands on them"""

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        count = sum(len(face.words) * face.copies for face in self.faces)
        if count > MOST_PIECES:
            hint = "ask for fewer copies, and print the sheet again"
            raise quantities.too_many(count, "markers", MOST_PIECES, hint=hint, at=("faces",))
        for index, face in enumerate(self.faces):
            if face.terrain and self.size.round:
                raise quantities.QuantityError(
                    "terrain on round markers",
                    expected="a width and a depth, as tiles have",
                    at=("faces", index, "terrain"),
                )
        return self


#: A smaller circle cannot be cut out, rings nearer than the other cannot be told apart.
LEAST_RADIUS = quantities.Length(Fraction(5), "mm")
LEAST_RING = quantities.Length(Fraction(1), "mm")


class Reach(FrozenModel):
    """How far something reaches from a centre: its radius or its diameter, one of the two."""

    least: ClassVar[quantities.Length] = LEAST_RADIUS
    radius: DrawnLength | None = None
    """from the middle outwards"""
    diameter: DrawnLength | None = None
    """all across, in place of a radius"""

    @model_validator(mode="after")
    def _one_of_the_two(self) -> Self:
        if (self.radius is None) == (self.diameter is None):
            raise quantities.QuantityError(
                "a radius and a diameter" if self.radius else "no radius",
                code="R204" if self.radius else "R202",
                expected="a radius, or a diameter in place of it",
                hint="" if self.radius else "add 'radius:', such as radius: 8in",
            )
        name, given = self.stated
        if self.reach < self.least.mm:
            raise quantities.out_of_bounds(name, given, f"{self.least} from the middle or more")
        return self

    @property
    def stated(self) -> tuple[str, quantities.Length]:
        """The field that the author gave, radius or diameter, and its length."""
        name = "radius" if self.radius is not None else "diameter"
        return name, getattr(self, name)

    @property
    def reach(self) -> Fraction:
        """The radius in mm, which is half the diameter if the author gave that."""
        name, given = self.stated
        return given.mm / (2 if name == "diameter" else 1)

    @property
    def in_words(self) -> str:
        """The size as a player reads it: radius 8″, or 3″ across."""
        name, given = self.stated
        if name == "radius":
            return gettext("radius %(length)s", length=given)
        return gettext("%(length)s across", length=given)

    @property
    def derived(self) -> Mapping[str, object]:
        """The radius and the diameter by these names, although the author gave only one of them."""
        name, given = self.stated
        radius = given if name == "radius" else quantities.Length(given.number / 2, given.unit)
        return {"radius": radius, "diameter": quantities.Length(radius.number * 2, radius.unit)}


class Ring(Reach):
    """A circle inside another cutout; what is said of it holds from the ring before it to here."""

    least: ClassVar[quantities.Length] = LEAST_RING
    name: Name
    target: Score | None = None
    """what a die must reach within it"""


def expect_rising(rings: Sequence[Ring], outer: Fraction, words: str) -> None:
    """Raises QuantityError unless each ring is wider than the one before, up to `outer`, in mm.

    The steps from ring to ring must be LEAST_RING or more, and so must that from the last ring to
    `outer`, unless they are equal. `words` describe the whole cutout in the message.
    """
    reached = Fraction(0)
    for index, ring in enumerate(rings):
        name, given = ring.stated
        left = outer - ring.reach
        if ring.reach - reached < LEAST_RING.mm or left < 0 or 0 < left < LEAST_RING.mm:
            raise quantities.out_of_bounds(
                f"{name} of the ring {ring.name[:40]}",
                given,
                f"rings that rise by {LEAST_RING} or more, up to the whole, {words}",
                ("rings", index, name),
            )
        reached = ring.reach


#: A wider disc would push the troops off the table, a wider wedge not fit on a sheet of paper; the
#: sizes are ours.
WIDEST = quantities.Length(Fraction(12), "in")
WEDGE = quantities.Length(Fraction(7), "in")
#: No wedge is narrower.
NARROWEST = quantities.Length(Fraction(20), "mm")


class Disc(Reach, Cutout):
    """A disc about a point: blast, round template, command radius. One too wide is a wedge."""

    not_scaled: ClassVar[frozenset[str]] = frozenset({"widest"})

    shape: Literal["disc"]
    """a disc, with rings on it"""
    rings: Annotated[tuple[Ring, ...], Field(max_length=12)] = ()
    """circles around the middle, from the smallest to the largest"""
    cross: scalars.Flag = False
    """lines across, through the centre"""
    widest: Annotated[scalars.Length, drawn(NARROWEST)] = WIDEST
    """a wider disc is drawn as a wedge of it"""
    sweep: scalars.Angle | None = None
    """degrees of the wedge; as many as a sheet is wide, if left out"""

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        expect_rising(self.rings, self.reach, self.in_words)
        return self

    @property
    def wedge(self) -> Fraction | None:
        """The angle of the wedge of the disc that is drawn, in degrees; None if it is drawn whole.

        It is the angle that the author gave. Otherwise a disc that is too wide is drawn as a wedge,
        with an angle in whole degrees that keeps it within the width allowed.
        """
        if self.sweep is not None:
            return self.sweep.degrees
        if 2 * self.reach <= self.widest.mm:
            return None
        half = math.asin(float(min(self.widest.mm, WEDGE.mm) / 2 / self.reach))
        # a hair more, so that what is whole in truth is not taken for a little less
        return Fraction(max(1, math.floor(math.degrees(2 * half) + 1e-9)))


class Arc(Reach, Cutout):
    """What is seen or reached from a point: half of its angle lies on each side of the middle."""

    shape: Literal["arc"]
    """a part of a circle, with its rings"""
    angle: scalars.Angle
    rings: Annotated[tuple[Ring, ...], Field(max_length=12)] = ()
    """circles around the middle, from the smallest to the largest"""
    origin: Line | None = None
    """what lies at the point, such as gun"""

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        expect_rising(self.rings, self.reach, self.in_words)
        return self


class BurstCentre(FrozenModel):
    """The middle sector of a burst."""

    score: scalars.Count
    """the throw that lands here"""
    diameter: DrawnLength


class Burst(Cutout):
    """A disc with a centre and a ring of like sectors, the first of them farthest from the gun.

    One die shows the sector in which the shell falls; each figure there is then thrown for.
    """

    shape: Literal["burst"]
    """circles around a point of impact"""
    diameter: DrawnLength
    centre: BurstCentre
    """what the middle shows"""
    ring: Annotated[tuple[scalars.Count, ...], Field(min_length=2, max_length=12)]
    """throws of the outer sectors, clockwise from the one farthest from the gun"""
    kills: scalars.RollTarget

    @model_validator(mode="after")
    def _sectors_fit(self) -> Self:
        if self.centre.diameter.mm >= self.diameter.mm:
            at = ("centre", "diameter")
            expected = f"less than the whole, {self.diameter}"
            raise quantities.out_of_bounds("centre", self.centre.diameter, expected, at)
        for index, score in enumerate(self.ring):
            if score in (self.centre.score, *self.ring[:index]):
                raise quantities.QuantityError(
                    f"two sectors have the score {score}", expected="each once", at=("ring", index)
                )
        return self
