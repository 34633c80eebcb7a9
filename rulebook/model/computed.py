"""Computed tables: a procedure, what varies along the axes and what is shown, never typed in.

The rules core makes grids of them, which are printed and bound like any other.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import (
    Field,
    PlainValidator,
    TypeAdapter,
    WithJsonSchema,
    model_validator,
)

from rulebook import quantities
from rulebook.model.cells import Faults, PrintedTable
from rulebook.model.scalars import FrozenModel, Id, Line

ShownAs = Literal["mean", "median", "chance"]


def _parse_given(value: object) -> str:
    """A value of an input as text; conditions in a list are joined as they are typed."""
    items = value if isinstance(value, list) else [value]
    words = [item.strip() for item in items if isinstance(item, str)]
    if len(words) < len(items) or not all(words):
        raise quantities.QuantityError.of("R203 no value of a case")
    return "+".join(words) or "none"


Given = Annotated[
    str,
    PlainValidator(_parse_given),
    WithJsonSchema({"type": ["string", "integer", "boolean", "array"]}),
]


class Case(FrozenModel):
    """A place on an axis that sets several inputs at once."""

    title: Line | None = None
    given: Annotated[dict[Id, Given], Field(min_length=1)]


_CASES: TypeAdapter[dict[str, Case]] = TypeAdapter(dict[Id, Case])


def _parse_places(value: object) -> str | tuple[str, ...] | dict[str, Case]:
    if isinstance(value, dict) and value:
        return _CASES.validate_python(value)
    if isinstance(value, str) and value.strip():
        return value.strip()
    if not isinstance(value, list) or not value:
        raise quantities.QuantityError.of("R203 no places")
    faults = Faults()
    for index, item in enumerate(value):
        with faults.at(index):
            if not isinstance(item, str) or not item.strip():
                raise quantities.QuantityError.of("R203 no value on an axis")
    faults.raise_any()
    twice = next((item for item in value if value.count(item) > 1), None)
    if twice is not None:
        raise quantities.QuantityError.of("R204 twice on an axis", twice=twice)
    return tuple(item.strip() for item in value)


#: What goes along an axis: `all` or a sweep, values one by one, or cases with titles.
Places = Annotated[
    str | tuple[str, ...] | dict[str, Case],
    PlainValidator(_parse_places),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "description": "all, or a sweep such as 6..24..6"},
                {"type": "array", "items": {"type": ["string", "integer"]}, "minItems": 1},
                {
                    "type": "object",
                    "additionalProperties": {
                        "type": "object",
                        "properties": {"title": {"type": "string"}, "given": {"type": "object"}},
                        "required": ["given"],
                        "additionalProperties": False,
                    },
                },
            ]
        }
    ),
]


class Show(FrozenModel):
    """What a cell shows of one result: its mean, its median, or the chance of something.

    The chance is that of `is`, of `at_least` so many, of true, or that of each outcome where the
    result stands on an axis.
    """

    mean: Id | None = Field(None, description="a result whose mean is shown")
    median: Id | None = Field(None, description="a result whose median is shown")
    chance: Id | None = Field(None, description="a result, or one that stands on an axis")
    equals: Given | None = Field(None, alias="is", description="the outcome whose chance is shown")
    at_least: Given | None = Field(None, description="so many or more")

    @property
    def shown_as(self) -> ShownAs:
        names: tuple[ShownAs, ...] = ("mean", "median", "chance")
        return next(name for name in names if getattr(self, name) is not None)

    @property
    def result(self) -> str:
        return str(getattr(self, self.shown_as))

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        given = [name for name in ("mean", "median", "chance") if getattr(self, name) is not None]
        if len(given) != 1:
            raise quantities.QuantityError.of(
                "R204 shown together" if given else "R204 nothing shown",
                at=(given[1],) if given else (),
                given=quantities.join_words(given, "and"),
            )
        outcomes = [
            key
            for key, name in (("is", "equals"), ("at_least", "at_least"))
            if getattr(self, name) is not None
        ]
        if outcomes and (self.chance is None or len(outcomes) > 1):
            at = (outcomes[-1],)
            other = given[0] if self.chance is None else outcomes[0]
            raise quantities.QuantityError.of(
                "R204 is beside", at=at, name=outcomes[-1], other=other
            )
        return self


class ComputedTable(PrintedTable):
    """A grid whose cells the rules core reckons from a procedure."""

    computed: Id = Field(description="id of the procedure")
    rows: Annotated[dict[Id, Places], Field(min_length=1)]
    columns: dict[Id, Places] = Field({}, description="axes across the table")
    given: dict[Id, Given] = Field({}, description="inputs that are the same in every cell")
    show: Show

    @model_validator(mode="after")
    def _axes_once(self) -> Self:
        for name in self.columns:
            if name in self.rows:
                raise quantities.QuantityError.of(
                    "R204 on rows and columns", at=("columns", name), name=name
                )
        for name in self.given:
            if name in self.axes:
                side = "rows" if name in self.rows else "columns"
                raise quantities.QuantityError.of(
                    "R204 given and varied", at=("given", name), name=name, side=side
                )
        return self

    @property
    def axes(self) -> dict[str, Any]:
        """The places along each axis, rows first."""
        return {**self.rows, **self.columns}
