"""The turn: phases in order, steps in each, each step naming what the players look up in it.

The quick-reference sheet is laid out in this order; a step is one panel of it. Who acts in a phase
or step, and which of them are gone through more than once, is printed on the sheet, on turn tracks,
and wherever a chapter has the paragraph `{steps: sequence}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Annotated, Literal

from pydantic import Field

from rulebook.model import scalars
from rulebook.model.provenance import Entity
from rulebook.model.scalars import (
    TABLES,
    CutoutId,
    FrozenModel,
    HeadingId,
    Id,
    Line,
    ProcedureId,
    ProseText,
    Ref,
    one_key,
)

#: What `{steps: sequence}` names: the whole turn.
SEQUENCE = "sequence"

Acting = Literal["active", "other", "together", "in turn", "alternating"]
_Acting = Annotated[
    Acting | None,
    Field(
        description="who acts: the active side, the other, both together, one after the other "
        "(in turn), or each with a unit in turn (alternating)"
    ),
]


class Repeat(FrozenModel):
    """Phases of the turn, or steps of a phase, that are gone through more than once.

    They begin with that which has the repetition, and end with the one that `to` names.
    """

    to: Id | None = None
    """the last of them; without it this one alone"""
    each: Literal["side", "unit"] | None = None
    """once for each side, as half-turns; or once for each unit"""
    times: Annotated[scalars.Count, Field(ge=2, le=100)] | None = None
    """how often in all"""
    until: ProseText | None = None
    """words: all units have acted"""

    _one_end = one_key("R224", "a repetition", "each", "times", "until")


_TableId = Annotated[Id, TABLES]
_ExampleId = Annotated[Id, Ref(("examples",))]


class Step(FrozenModel):
    """One panel of the sheet: steps and reminders, then tables and modifier tables."""

    title: Line
    rule: HeadingId
    """id of the heading where the rule stands in full"""
    say: tuple[ProseText, ...] = ()
    """reminders, one line each"""
    procedures: tuple[ProcedureId, ...] = ()
    """procedures, shown as numbered steps"""
    tables: tuple[_TableId, ...] = ()
    """tables and modifier tables, in order"""
    together: tuple[Id, ...] = ()
    """tables of these that are set as one, rows of a name side by side"""
    examples: tuple[_ExampleId, ...] = ()
    """examples that run, in short"""
    cutouts: tuple[CutoutId, ...] = ()
    """cutouts drawn small"""
    by: _Acting = None
    repeat: Repeat | None = None
    """steps that are gone through more than once"""
    wide: scalars.Flag = False
    """true: two columns wide"""
    sheet: Annotated[scalars.Count, Field(ge=1, le=2)] = 1
    """2: on a second sheet, for what is rare"""


class Phase(Entity):
    """A part of the turn, with a tab of its own on the sheet."""

    title: Line
    tab: Line | None = None
    """a shorter title for the tab"""
    optional: scalars.Flag = False
    """true: no part of the turn; A, B, no number"""
    by: _Acting = None
    repeat: Repeat | None = None
    """phases that are gone through more than once"""
    steps: Annotated[dict[Id, Step], Field(min_length=1)]
    """its steps in order, each a panel of the sheet"""


def turn_of(phases: Mapping[str, Phase]) -> dict[str, Phase]:
    """The phases of every turn: those that are numbered."""
    return {name: phase for name, phase in phases.items() if not phase.optional}


def numbers_of(phases: Mapping[str, Phase]) -> dict[str, str]:
    """Phases of the turn with their numbers; those that are no part of it with letters."""
    numbers, letters = count(1), count(ord("A"))
    return {
        name: chr(next(letters)) if phase.optional else str(next(numbers))
        for name, phase in phases.items()
    }
