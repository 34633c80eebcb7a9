"""Where a statement of the ruleset comes from: its status, its note, its source.

`stated`: the source says so. `read`: our reading of an unclear or contradictory source. `house`:
ours. `missing`: the source does not give it; it prints as an empty cell for the players to fill.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self

from pydantic import PlainValidator, model_validator

from rulebook import quantities
from rulebook.model.scalars import FrozenModel, Id, ProseText, Text
from rulebook.translation import gettext_noop


class Status(StrEnum):
    STATED = "stated"
    READ = gettext_noop("read")
    HOUSE = gettext_noop("house")
    MISSING = gettext_noop("missing")


def _parse_status(value: object) -> Status:
    try:
        return Status(value)  # type: ignore[arg-type]
    except ValueError:
        known = quantities.join_words(Status)
        raise quantities.not_a("a status", str(value), known) from None


StatusName = Annotated[Status, PlainValidator(_parse_status, json_schema_input_type=Status)]


class Noted(FrozenModel):
    """What may carry a status: everything with an id, and the cells of tables.

    A status other than `stated` needs a note: for `read` it says which words of the source and why
    this reading, for `missing` what is not given.
    """

    status: StatusName = Status.STATED
    """stated, read, house or missing"""
    note: ProseText | None = None
    """why the status is not 'stated'"""
    source: Text | None = None
    """where in the source this stands"""

    @model_validator(mode="after")
    def _explained(self) -> Self:
        if self.status is not Status.STATED and self.note is None:
            raise quantities.QuantityError(
                f"status {self.status} without a note", expected="'note', which says why"
            )
        return self


class Entity(Noted):
    """What has an id of its own, by which editions are compared."""

    was: Id | None = None
    """its id in the edition before, if it had another"""
