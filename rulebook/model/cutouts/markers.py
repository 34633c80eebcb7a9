"""The data of markers -> their model: tokens of one size with words or numbers, so many of each."""

from __future__ import annotations

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
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.cutouts.stands import Copies, Footprint
from rulebook.model.scalars import Name
from rulebook.text_fitting import filled, filled_disc

#: Type smaller than 5 points is not read at the table; sizes of type are in mm.
SMALLEST_TYPE, LARGEST_TYPE = 5 * 25.4 / 72, 36.0
#: Of the shorter side of a marker, what is left above and below; of a rectangle, at each side twice
#: as much.
MARGIN = 0.06
#: What a face may be given by.
_WRITTEN = ("text", "numbers", "up_to")
#: Numbers are smaller by this, so that a line below a 6 or a 9 has room.
NUMBER_PART = 0.8
#: All pieces of one cutout.
MOST_PIECES = 400


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
    """What is written on markers: a text, or each of several numbers on a marker of its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Name | None = None
    numbers: Numbers | None = None
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

    shape: Literal["markers"]
    size: Footprint
    faces: Annotated[tuple[Face, ...], Field(min_length=1, max_length=60)]

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        count = sum(len(face.words) * face.copies for face in self.faces)
        if count > MOST_PIECES:
            raise quantities.QuantityError.of(
                "R204 many markers", at=("faces",), count=count, most=MOST_PIECES
            )
        for index, face in enumerate(self.faces):
            for words in face.words:
                if self.lettered(words)[1] < SMALLEST_TYPE:
                    raise quantities.QuantityError.of(
                        "R204 no room on a marker",
                        at=("faces", index, face.kind),
                        words=words,
                        size=self.size.told,
                    )
        return self

    def lettered(self, words: str) -> tuple[list[str], float]:
        """The lines of what stands on a marker and the size of their type, mm."""
        across, down = float(self.size.across), float(self.size.down)
        margin = MARGIN * min(across, down)
        if self.size.round:
            lines, size = filled_disc(words, across - 2 * margin, most=LARGEST_TYPE)
        else:
            lines, size = filled(words, across - 4 * margin, down - 2 * margin, most=LARGEST_TYPE)
        return lines, size * (NUMBER_PART if words.isdecimal() else 1)
