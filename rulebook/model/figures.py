"""What an author writes of a figure -> its model: troops, arrows, sights, ground on a grid.

A figure is drawn on squares; a point is so many squares from the left edge and from the lower edge
of its panel. Where a square stands for a length of the table, measures and cutouts are drawn to
that scale. Only what the rules say stands here; how it is drawn is no part of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, Union

from pydantic import (
    BaseModel,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
    model_validator,
)

from rulebook import quantities
from rulebook.model.cutouts import DrawnLength, Symbol
from rulebook.model.entities import Entity, FrozenModel, one_key
from rulebook.model.map_features import AREA_KINDS, LINE_KINDS
from rulebook.model.maps import Bearing
from rulebook.model.scalars import (
    Angle,
    Count,
    CutoutId,
    Flag,
    Line,
    ProseText,
    Ratio,
    choice_of,
    scalar,
)

#: More would not be read on a page.
MOST_SQUARES, MOST_ELEMENTS, MOST_PANELS, MOST_STICKS = 80, 60, 3, 24
MOST_BASES, MOST_POINTS = 80, 24

_NUMBERS = {"type": "array", "items": {"type": ["number", "string"]}, "minItems": 2, "maxItems": 2}
Spot = Annotated[tuple[Ratio, Ratio], WithJsonSchema(_NUMBERS)]
Course = Annotated[tuple[Spot, ...], Field(min_length=2, max_length=MOST_POINTS)]
Corners = Annotated[tuple[Spot, ...], Field(min_length=3, max_length=MOST_POINTS)]
Side = Literal["own", "enemy"]
TroopKind = Literal["infantry", "cavalry", "gun", "skirmisher", "commander", "unit"]
#: In squares: what is so near to an edge or a line lies on it; parts of a length: as long.
NEAR, _AS_LONG = 0.05, Fraction(1, 200)
_UP = quantities.Angle(Fraction(0))


@dataclass(frozen=True, slots=True)
class RanksAndFiles:
    """Bases in ranks, one after the other, and files, side by side."""

    ranks: int
    files: int

    def __str__(self) -> str:
        return f"{self.ranks} x {self.files}"


def _read_formation(text: str) -> RanksAndFiles:
    match = re.fullmatch(r"([1-9]\d?) ?[x×] ?([1-9]\d?)", text)
    if match is None or int(match[1]) * int(match[2]) > MOST_BASES:
        raise quantities.not_a("a formation", text, _FORMATION)
    return RanksAndFiles(int(match[1]), int(match[2]))


_FORMATION = f"ranks and files of at most {MOST_BASES} bases, such as 2 x 6"
Ranks = Annotated[
    RanksAndFiles,
    scalar(_read_formation, _FORMATION, pattern=r"^[1-9]\d? ?[x×] ?[1-9]\d?$"),
]


class FigureElement(FrozenModel):
    """What is drawn in a figure, known by the first of its keys.

    `spot_keys` are those whose spots must lie in the panel; `length_key` is that of what can be
    drawn to a scale alone.
    """

    spot_keys: ClassVar[tuple[str, ...]] = ("at",)
    length_key: ClassVar[str] = ""

    @property
    def spots(self) -> Iterator[Spot]:
        """The points of the element that are given under its `spot_keys`, key by key."""
        for key in self.spot_keys:
            found = getattr(self, key)
            yield from found if isinstance(found[0], tuple) else (found,)


class Troops(FigureElement):
    """Bases of one kind, alone or in a formation."""

    troops: TroopKind
    """what stands there"""
    at: Spot
    """the middle of the front: squares from the left, from below"""
    faces: Bearing = _UP
    """degrees clockwise from the top of the figure"""
    side: Side = "own"
    """whose they are"""
    ranks: Ranks = Field(RanksAndFiles(1, 1), json_schema_extra={"default": "1 x 1"})
    """ranks and files, such as 2 x 6"""
    size: Spot | None = None
    """squares of a base: from side to side, and deep"""
    gap: Ratio = Fraction(0)
    """squares between files and between ranks"""
    former: Flag = False
    """true: where they stood before, in dashes"""
    lost: tuple[Count, ...] = ()
    """bases that are crossed out, counted from the left of the front rank"""
    chosen: tuple[Count, ...] = ()
    """bases that are set off, counted from the left of the front rank"""
    label: Line | None = None
    """words beside them"""

    @model_validator(mode="after")
    def _bases_are_there(self) -> Self:
        count = self.ranks.ranks * self.ranks.files
        for key in ("lost", "chosen"):
            for index, number in enumerate(getattr(self, key)):
                if not 1 <= number <= count:
                    raise quantities.QuantityError(
                        f"there is no base {number} here",
                        expected=f"1 to {count}",
                        at=(key, index),
                        code="R446",
                    )
        return self


class Arrow(FigureElement):
    """A way that is gone: straight from point to point, or a curve through them."""

    spot_keys: ClassVar[tuple[str, ...]] = ("arrow",)

    arrow: Course
    """points along it, in order"""
    curved: Flag = False
    """true: a curve through the points"""
    dashed: Flag = False
    """true: a broken line"""
    head: Flag = True
    """false: a line without a point"""
    label: Line | None = None
    """words beside it"""


class Sight(FigureElement):
    """A line of sight or of fire from a point to another, free or blocked on its way."""

    spot_keys: ClassVar[tuple[str, ...]] = ("sight",)

    sight: Annotated[tuple[Spot, ...], Field(min_length=2, max_length=2)]
    """from whose eye, and to what"""
    blocked: Spot | None = None
    """where on the line it is blocked"""
    label: Line | None = None
    """words beside it"""

    @model_validator(mode="after")
    def _blocked_on_its_way(self) -> Self:
        if self.blocked is not None and not _lies_between(self.blocked, *self.sight):
            raise quantities.QuantityError(
                "the line of sight does not pass the point where it is blocked",
                expected="a point between its two ends",
                at=("blocked",),
                code="R446",
            )
        return self


def _lies_between(spot: Spot, start: Spot, end: Spot) -> bool:
    (x, y), (across, up) = start, (end[0] - start[0], end[1] - start[1])
    long = across * across + up * up or 1
    part = ((spot[0] - x) * across + (spot[1] - y) * up) / long
    part = min(max(part, Fraction(0)), Fraction(1))
    return math.dist(spot, (x + part * across, y + part * up)) <= NEAR


class Sweep(FigureElement):
    """A part of a circle: what a base sees or reaches to its front; 360 is all around."""

    spot_keys: ClassVar[tuple[str, ...]] = ("arc",)
    length_key: ClassVar[str] = "reach"

    arc: Spot
    """the point from which it is measured"""
    angle: Angle
    """degrees, half of them on either side of the middle"""
    faces: Bearing = _UP
    """degrees clockwise from the top of the figure"""
    reach: DrawnLength | None = None
    """how far, such as =ranges.musket.long"""
    radius: Ratio | None = None
    """how far, in squares, where no rule says"""
    label: Line | None = None
    """words in it"""

    _one_reach = one_key("R233", "an arc", "reach", "radius")


class Dimension(FigureElement):
    """A length between two points; it is as long as it is drawn."""

    spot_keys: ClassVar[tuple[str, ...]] = ("measure",)
    length_key: ClassVar[str] = "length"

    measure: Annotated[tuple[Spot, ...], Field(min_length=2, max_length=2)]
    """its two ends"""
    length: DrawnLength | None = None
    """how long it is, such as =moves.line.infantry"""
    label: Line | None = None
    """words behind the length, or instead of it"""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.length is None and self.label is None:
            expected = "'length', 'label', or both"
            raise quantities.wrong_keys("R233", "a measure", (), expected)
        return self


class GroundDrawn(FigureElement):
    """Ground as on the maps of scenarios."""

    spot_keys: ClassVar[tuple[str, ...]] = ()

    ground: Annotated[str, choice_of((*AREA_KINDS, *LINE_KINDS))]
    """what lies there, as on maps"""
    area: Corners | None = None
    """corners of its outline, in order"""
    box: Annotated[tuple[Spot, ...], Field(min_length=2, max_length=2)] | None = None
    """two opposite corners of it"""
    oval: Annotated[tuple[Spot, ...], Field(min_length=2, max_length=2)] | None = None
    """two opposite corners of the box around it"""
    line: Course | None = None
    """points along it, in order"""
    label: Line | None = None
    """words on it"""

    @model_validator(mode="after")
    def _of_its_kind(self) -> Self:
        given = [key for key in ("area", "box", "oval", "line") if getattr(self, key)]
        area = self.ground in AREA_KINDS
        if len(given) != 1 or (given[0] == "line") == area:
            wanted = "'area', 'box' or 'oval'" if area else "'line'"
            raise quantities.wrong_keys("R233", self.ground, given, f"one {wanted}")
        return self


class LaidCutout(FigureElement):
    """A cutout of the ruleset laid on the ground, to the scale of the figure."""

    length_key: ClassVar[str] = "cutout"

    cutout: CutoutId
    """its id"""
    at: Spot
    """its point or first end; the middle of a disc"""
    faces: Bearing = _UP
    """where it points, clockwise from the top"""


class MarkedZone(FigureElement):
    """A part of the ground that is set off."""

    spot_keys: ClassVar[tuple[str, ...]] = ("zone",)

    zone: Corners
    """its corners, in order"""
    label: Line | None = None
    """words in it"""


class FigureNote(FigureElement):
    """A number in the figure, with words below it."""

    note: ProseText
    """what is said of the place, below the figure"""
    at: Spot
    """where the number stands"""


class FigureWords(FigureElement):
    """Words that stand in the figure."""

    words: Line
    """what they are"""
    at: Spot
    """where their middle is"""


class Sign(FigureElement):
    """A symbol of the library, as on cards and markers."""

    symbol: Symbol
    """its name, such as fire, retreat or melee"""
    at: Spot
    """where its middle is"""
    size: Ratio = Fraction(1)
    """how wide it is, in squares"""


_ELEMENTS: tuple[type[FigureElement], ...] = (
    Troops,
    Arrow,
    Sight,
    Sweep,
    Dimension,
    GroundDrawn,
    LaidCutout,
    MarkedZone,
    FigureNote,
    FigureWords,
    Sign,
)
#: The key by which each kind of element is known, which is the first of its fields.
_BY_KEY = {next(iter(kind.model_fields)): kind for kind in _ELEMENTS}


def _tag(kind: type[BaseModel]) -> str:
    return f"[{kind.__name__.lower()}]"


def _kind_of_element(value: object) -> str:
    if isinstance(value, BaseModel):
        return _tag(type(value))
    kinds = (_tag(kind) for key, kind in _BY_KEY.items() if key in value)  # type: ignore[operator]
    return next(kinds, "")


def _known_element(value: Any) -> Any:
    if isinstance(value, BaseModel) or (isinstance(value, Mapping) and _kind_of_element(value)):
        return value
    raise quantities.QuantityError(
        "an element of no kind",
        expected=f"a mapping with one of {quantities.join_words(map(repr, _BY_KEY))}",
        hint="begin it with what is drawn, such as - troops: infantry",
        code="R233",
    )


if TYPE_CHECKING:
    Element = FigureElement
else:
    Element = Annotated[
        Union[tuple(Annotated[kind, Tag(_tag(kind))] for kind in _ELEMENTS)],  # noqa: UP007
        Discriminator(_kind_of_element),
    ]
Elements = Annotated[
    tuple[Annotated[Element, BeforeValidator(_known_element, json_schema_input_type=Element)], ...],
    Field(min_length=1, max_length=MOST_ELEMENTS),
]


class Panel(FrozenModel):
    """One of two or three pictures in a row, such as before and after."""

    caption: Line
    """what it shows, below it"""
    elements: Elements
    """what is drawn, the lowest first"""


class RuleFigure(Entity):
    """A picture of a rule: elements on squares, panels of them, or sticks at one scale."""

    title: Line
    about: ProseText | None = None
    """what it shows, below the title"""
    size: Spot = (Fraction(24), Fraction(12))
    """squares across and up, of each panel"""
    square: DrawnLength | None = None
    """what a square is on the table, such as 1in; none: not to scale"""
    grid: Flag = False
    """true: the squares are drawn"""
    elements: Elements | None = None
    """what is drawn, the lowest first"""
    panels: Annotated[tuple[Panel, ...], Field(min_length=2, max_length=MOST_PANELS)] | None = None
    """two or three pictures in a row"""
    sticks: Annotated[tuple[CutoutId, ...], Field(min_length=1, max_length=MOST_STICKS)] | None = (
        None
    )
    """cutouts that are sticks: a chart of them all at one scale"""

    _one_content = one_key("R233", "a figure", "elements", "panels", "sticks")

    @model_validator(mode="after")
    def _to_scale(self) -> Self:
        if not all(1 <= side <= MOST_SQUARES for side in self.size):
            size = " by ".join(map(quantities.format_number, self.size))
            expected = f"from 1 to {MOST_SQUARES} squares across and up"
            raise quantities.out_of_bounds("size", size, expected, ("size",))
        for at, _, element in self.placed():
            self._expect_scale(element, at)
        return self

    def _expect_scale(self, element: FigureElement, at: tuple[str | int, ...]) -> None:
        """Raises QuantityError for an element with a length if the figure has no scale.

        Also raises it for a dimension whose line is drawn longer or shorter than its length at that
        scale. `at` is the address of the element in the figure.
        """
        key = element.length_key
        length = getattr(element, key, None)
        if length is None:
            return
        if self.square is None:
            raise quantities.QuantityError(
                "a length in a figure that has no scale",
                hint="add 'square:' to the figure, the length of a square, such as square: 1in",
                at=(*at, key),
                code="R446",
            )
        if isinstance(element, Dimension):
            squares = Fraction(math.dist(*element.measure))
            if abs(squares * self.square.mm - length.mm) > length.mm * _AS_LONG:
                wanted = (length.mm / self.square.mm).limit_denominator(20)
                drawn = squares.limit_denominator(20) * self.square.number
                raise quantities.QuantityError(
                    f"the measure says {length} and is drawn "
                    f"{quantities.Length(drawn, self.square.unit)} long",
                    expected=f"{quantities.format_number(wanted)} squares for {length}",
                    at=(*at, key),
                    code="R446",
                )

    @property
    def pictures(self) -> tuple[Panel, ...]:
        """The panels of the figure; a single one without a caption if it has only elements."""
        if self.elements is not None:
            return (Panel.model_construct(caption="", elements=self.elements),)
        return self.panels or ()

    @property
    def cutouts(self) -> tuple[str, ...]:
        """The ids of the cutouts that the figure shows, as sticks or as elements, each once."""
        elements = (element for _, _, element in self.placed())
        laid = (element.cutout for element in elements if isinstance(element, LaidCutout))
        return tuple(dict.fromkeys((*(self.sticks or ()), *laid)))

    def placed(self) -> Iterator[tuple[tuple[str | int, ...], int, Any]]:
        """Yields every element as (address in the figure, number of its panel, element)."""
        for number, panel in enumerate(self.pictures):
            at = ("elements",) if self.elements is not None else ("panels", number, "elements")
            for index, element in enumerate(panel.elements):
                yield (*at, index), number, element
