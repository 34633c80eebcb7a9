"""Worked examples, terms, and what players agree on: what stands beside the rules.

A step of an example is prose alone, or runs a procedure with given dice; that its results
are what it says is seen to when the ruleset is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, model_validator

from rulebook import quantities
from rulebook.model.provenance import Entity
from rulebook.model.scalars import Count, FrozenModel, Given, HeadingId, Id, Line, ProseText, worded

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
        """The steps that run a procedure, by their places."""
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
