"""The data of a stick -> its model: a strip with marks from one end, flat or round a square rod.

Its marks are written out or taken from the ruleset, so that a length stands in one place; what is
taken is put in by `rulebook.model.cutouts.marks`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    PlainSerializer,
    PlainValidator,
    Tag,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.cells import expect_text
from rulebook.model.cutouts.cutout import Cutout, true_scale
from rulebook.model.scalars import Id, Line, Name

#: A strip of card that stays stiff and takes three lines of words; the size is ours.
WIDTH = quantities.Length(Fraction(20), "mm")
#: Marks nearer than this cannot be told apart.
LEAST_BAND = quantities.Length(Fraction(1), "mm")
#: Narrower strips are no strips, shorter folds no folds.
NARROWEST = quantities.Length(Fraction(5), "mm")
SHORTEST_FOLD = quantities.Length(Fraction(20), "mm")
#: More letters are a name.
MOST_LETTERS = 4

Colour = Literal["black", "white", "yellow", "green", "red", "blue", "brown", "grey"]


def _read_score(value: object) -> quantities.Value:
    """`4+`, `never`, `-2` or `12`, as cells of tables hold them."""
    expected = "a roll target, a modifier or a count, such as 4+, -2 or 12"
    text = expect_text(value, expected)
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
    raise quantities.QuantityError.of("R204 no score", text=text)


Score = Annotated[
    quantities.RollTarget | quantities.Modifier | int,
    PlainValidator(_read_score),
    PlainSerializer(quantities.format_value),
    WithJsonSchema({"type": ["string", "integer"], "description": "such as 4+, -2 or 12"}),
]


def _few(letters: str) -> str:
    if len(letters) > MOST_LETTERS:
        raise quantities.QuantityError.of(
            "R204 letters for a colour", count=len(letters), most=MOST_LETTERS
        )
    return letters


Letters = Annotated[Name, AfterValidator(_few)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Mark(_Strict):
    """A band of a stick: it runs from the mark before it to `to`."""

    name: Name
    to: scalars.Length
    colour: Colour | None = None
    letter: Letters | None = Field(
        None, description="stands for the colour; its first letters if left out"
    )
    target: Score | None = Field(None, description="printed large in the band")


class FromTable(_Strict):
    """Every row of a record table is a mark; rows of one length share one."""

    table: Id
    at: Id = Field(description="the field with the lengths")
    rows: Annotated[tuple[Id, ...], Field(min_length=1)] | None = Field(
        None, description="only these rows"
    )
    target: Id | None = Field(None, description="a field to print large")
    colour: Id | None = Field(None, description="a field with names of colours, or rows so called")
    paint: dict[Id, Colour] = Field({}, description="colours of rows whose field gives none")


class FromRow(_Strict):
    """The lengths of one row of a record table are marks, called as their fields are."""

    row: Name = Field(description="such as ranges.rifled_musket")
    columns: Annotated[tuple[Id, ...], Field(min_length=1)]


class FromAxis(_Strict):
    """The bands of an axis of a grid are the bands of the stick."""

    axis: Name = Field(description="such as musketry.range")
    cells: dict[Id, Name] | None = Field(
        None, description="places on the other axes whose cells are printed large"
    )


def _kind_of_marks(value: object) -> str:
    if isinstance(value, BaseModel):
        return f"[{type(value).__name__.lower()}]"
    if isinstance(value, Mapping):
        return next((f"[from{name}]" for name in ("table", "row", "axis") if name in value), "")
    return "[tuple]"


Marks = Annotated[
    Annotated[tuple[Mark, ...], Field(min_length=1), Tag("[tuple]")]
    | Annotated[FromTable, Tag("[fromtable]")]
    | Annotated[FromRow, Tag("[fromrow]")]
    | Annotated[FromAxis, Tag("[fromaxis]")],
    Discriminator(_kind_of_marks),
]


class Stick(Cutout):
    """A strip on which distances from one end are read: bounce stick, range stick, move stick."""

    not_scaled: ClassVar[frozenset[str]] = frozenset({"rod", "width", "fold"})

    shape: Literal["stick"]
    marks: Marks
    length: scalars.Length | None = Field(None, description="the last mark, if left out")
    width: scalars.Length | None = Field(None, description=f"of a flat strip; {WIDTH}, if left out")
    rod: scalars.Length | None = Field(
        None, description="side of a square rod: the stick is a wrap for it"
    )
    fold: scalars.Length | None = Field(None, description="a flat strip folds so often")
    ticks: scalars.Flag = Field(True, description="inches or centimetres along the edge")
    origin: Line | None = Field(None, description="what lies at the first end, such as muzzle")

    @field_validator("marks", mode="before", json_schema_input_type=Marks)
    @classmethod
    def _marks_somewhere(cls, value: Any) -> Any:
        if isinstance(value, Mapping) and not _kind_of_marks(value):
            raise quantities.QuantityError.of("R204 marks from nowhere")
        return value

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        for name, at_least in (("width", NARROWEST), ("rod", NARROWEST), ("fold", SHORTEST_FOLD)):
            given: quantities.Length | None = getattr(self, name)
            if given is not None:
                true_scale(name, given, name, least=at_least)
        for name in ("width", "fold"):
            if self.rod is not None and getattr(self, name) is not None:
                raise quantities.QuantityError.of("R204 not round a rod", at=(name,), name=name)
        if self.length is not None:
            true_scale("length", self.length, "length")
        self.expect_rising()
        return self

    @property
    def listed(self) -> tuple[Mark, ...]:
        """The marks written out or put in; none where they are still to be taken from a table."""
        return self.marks if isinstance(self.marks, tuple) else ()

    @property
    def reach(self) -> quantities.Length | None:
        """How long the stick is, or None where its marks are still to be taken."""
        return self.length or (self.listed[-1].to if self.listed else None)

    def expect_rising(self) -> None:
        """Raises QuantityError where marks do not rise, or lie beyond the end of the stick."""
        reached = Fraction(0)
        for index, mark in enumerate(self.listed):
            at = ("marks", index, "to")
            true_scale(f"mark {mark.name[:40]}", mark.to, *at)
            if mark.to.mm - reached < LEAST_BAND.mm:
                before = (
                    self.listed[index - 1].to
                    if index
                    else quantities.Length(Fraction(0), mark.to.unit)
                )
                raise quantities.QuantityError.of(
                    "R204 marks do not rise",
                    at=at,
                    mark=mark.name,
                    to=mark.to,
                    before=before,
                    least=LEAST_BAND,
                )
            reached = mark.to.mm
            if self.length is not None and reached > self.length.mm:
                to = mark.to
                raise quantities.QuantityError.of(
                    "R204 mark beyond the end", at=at, mark=mark.name, to=to, length=self.length
                )


#: Room for card to slide on wood; the size is ours.
CLEARANCE = quantities.Length(Fraction(1, 2), "mm")
#: More room than this and the sleeve turns on its rod.
MOST_CLEARANCE = quantities.Length(Fraction(5), "mm")


class Sleeve(Cutout):
    """A tube round a square rod, with an index at its middle and a scale of steps about it."""

    not_scaled: ClassVar[frozenset[str]] = frozenset({"rod", "clearance"})

    shape: Literal["sleeve"]
    length: scalars.Length
    rod: scalars.Length = Field(description="side of the square rod on which it slides")
    clearance: scalars.Length = Field(
        CLEARANCE, description="how much wider than the rod each face is"
    )
    step: scalars.Length | None = Field(None, description="how far it slides for a score of one")
    away: Line | None = Field(None, description="where a slide of plus leads, such as away")
    towards: Line | None = Field(None, description="where a slide of minus leads")

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        for name in ("length", "rod"):
            true_scale(name, getattr(self, name), name, least=NARROWEST)
        if self.clearance.unit == "base" or self.clearance.mm > MOST_CLEARANCE.mm:
            raise quantities.QuantityError.of(
                "R204 clearance", at=("clearance",), clearance=self.clearance, most=MOST_CLEARANCE
            )
        if self.step is not None:
            true_scale("step", self.step, "step")
            if not LEAST_BAND.mm <= self.step.mm <= self.length.mm / 2:
                raise quantities.QuantityError.of(
                    "R204 step of a sleeve",
                    at=("step",),
                    step=self.step,
                    least=LEAST_BAND,
                    length=self.length,
                )
        return self

    @property
    def face(self) -> Fraction:
        """How wide each of its four faces is, in mm: the rod and the clearance."""
        return self.rod.mm + self.clearance.mm
