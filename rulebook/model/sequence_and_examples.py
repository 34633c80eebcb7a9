"""The turn with its phases and steps; worked examples, terms, and what players agree on.

The quick-reference sheet is laid out in the order of the turn; a step is one panel of it. Who acts
in a phase or step, and which of them are gone through more than once, is printed on the sheet, on
turn tracks, and wherever a chapter has the paragraph `{steps: sequence}`.

A step of an example is prose alone, or runs a procedure with given dice; that its results
are what it says is seen to when the ruleset is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.entities import Entity, FrozenModel, one_key
from rulebook.model.scalars import (
    TABLES,
    Count,
    CutoutId,
    Given,
    HeadingId,
    Id,
    Line,
    LineOrNone,
    ProcedureId,
    ProseText,
    Ref,
    worded,
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

    title: LineOrNone
    """its heading; empty where it goes on with the one before it"""
    rule: HeadingId | None = None
    """id of the heading where the rule stands in full; needed if there are chapters"""
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
    numbered: scalars.Flag = True
    """false: neither number nor letter"""
    by: _Acting = None
    repeat: Repeat | None = None
    """phases that are gone through more than once"""
    steps: Annotated[dict[Id, Step], Field(min_length=1)]
    """its steps in order, each a panel of the sheet"""


def turn_of(phases: Mapping[str, Phase]) -> dict[str, Phase]:
    """Returns the phases that are not optional, which are numbered."""
    return {name: phase for name, phase in phases.items() if not phase.optional}


def numbers_of(phases: Mapping[str, Phase]) -> dict[str, str]:
    """Returns the number of each phase by its id, as a text; optional phases have letters.

    It is empty for a phase that is not numbered.
    """
    numbers, letters = count(1), count(ord("A"))
    return {
        name: (chr(next(letters)) if phase.optional else str(next(numbers)))
        if phase.numbered
        else ""
        for name, phase in phases.items()
    }


#: Of one run; nobody would read more of them.
MOST_DICE = 200
#: The name by which the dice of a run are bound in prose, beside its results and inputs.
DICE = "dice"


class ExampleStep(FrozenModel):
    """A step of an example: its words, and with `run` a procedure that is played with given dice.

    With `options` the procedure is that of the ruleset with these options and no others; without,
    that of the ruleset without any, but in an example that an option adds or changes with that.
    """

    id: Id | None = None
    """a name by which the prose binds dice and results"""
    say: ProseText
    """the step in words"""
    run: Id | None = None
    """id of the procedure that is played"""
    options: tuple[Id, ...] | None = None
    """options that it is played with"""
    given: dict[Id, Given] = Field({})
    """inputs that are not at their defaults"""
    dice: Annotated[tuple[Count, ...], Field(max_length=MOST_DICE)] = ()
    """all dice in the order in which they fall"""
    gives: dict[Id, Given] = Field({})
    """results, which are checked"""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        given = [name for name in _OF_RUN if getattr(self, name)]
        if self.run is None and given:
            raise quantities.wrong_keys(
                "R224", "a step that runs nothing", given, "'run' beside them", (given[0],)
            )
        if self.run is not None and not self.gives:
            raise quantities.wrong_keys(
                "R224", "a step that runs a procedure", given, "'gives', what it gives, beside them"
            )
        return self


_OF_RUN = ("id", "options", "given", "dice", "gives")


_SaidStep = Annotated[ExampleStep, worded("say", ProseText | ExampleStep)]


class Example(Entity):
    """A situation of play, followed step by step to its end."""

    title: Line
    situation: ProseText
    steps: Annotated[tuple[_SaidStep, ...], Field(min_length=1)]
    """what happens, sentence by sentence; a step may run a procedure"""
    outcome: ProseText

    @property
    def runs(self) -> Mapping[int, ExampleStep]:
        """The steps that run a procedure, by their indices."""
        return {i: step for i, step in enumerate(self.steps) if step.run is not None}

    @model_validator(mode="after")
    def _ids_once(self) -> Self:
        seen: set[str] = set()
        for index, step in enumerate(self.steps):
            if step.id in seen:
                raise quantities.stands_twice(step.id, ("steps", index, "id"), "R206")
            seen |= {step.id} if step.id else set()
        return self


class Agreement(Entity):
    """What players settle before a game: how this book plays where its source does not say."""

    rule: HeadingId
    """id of the heading whose rule this is about"""
    text: ProseText
    """what is agreed: 'Guns may not fire over friends.'"""


class Term(Entity):
    """A word of the game: its meaning, for the glossary, and its forms, for the index."""

    title: Line
    meaning: ProseText | None = None
    """one sentence; without it only indexed"""
    forms: tuple[Line, ...] = ()
    """other forms of the word, such as a plural"""
