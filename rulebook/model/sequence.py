"""The turn: phases in order, steps in each, each step naming what the players look up in it.

The quick-reference sheet is laid out in this order; a step is one panel of it.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from rulebook.model import scalars
from rulebook.model.provenance import Entity
from rulebook.model.scalars import FrozenModel, Id, Line, ProseText


class Step(FrozenModel):
    """One panel of the sheet: told steps and reminders, then tables and modifier tables."""

    title: Line
    rule: Id = Field(description="id of the heading where the rule stands in full")
    say: tuple[ProseText, ...] = Field((), description="reminders, one line each")
    procedures: tuple[Id, ...] = Field((), description="procedures, told as numbered steps")
    tables: tuple[Id, ...] = Field((), description="tables and modifier tables, in order")
    examples: tuple[Id, ...] = Field((), description="examples that run, told shortly")
    cutouts: tuple[Id, ...] = Field((), description="cutouts drawn small")
    wide: scalars.Flag = Field(False, description="true: two columns wide")
    sheet: Annotated[
        scalars.Count, Field(ge=1, le=2, description="2: on a second sheet, for what is rare")
    ] = 1


class Phase(Entity):
    """A part of the turn, with a tab of its own on the sheet."""

    title: Line
    tab: Line | None = Field(None, description="a shorter title for the tab")
    optional: scalars.Flag = Field(False, description="true: no part of the turn; A, B, no number")
    steps: Annotated[dict[Id, Step], Field(min_length=1)]
