"""Procedures: rules that run. What an author writes of a roll: its inputs, its steps, its results.

Nothing is run here, and no name is looked up: the rules core does both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Self

from pydantic import (
    Field,
    PlainSerializer,
    PlainValidator,
    WithJsonSchema,
    model_validator,
)

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.expressions import Expression, ExpressionText, TargetText, parse_expression
from rulebook.model.inputs import Input
from rulebook.model.provenance import Entity
from rulebook.model.scalars import FrozenModel, Id, Line, ProseText

#: How many passes of a repetition without a bound are told one by one, unless the author says so.
LISTED = 30


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice that are added up, or the highest or lowest so many of them; or an expression of dice.

    `2d6`, `highest of 3d6`, `lowest 2 of 4d6`, or `weapon.dice`.
    """

    dice: quantities.Dice | None = None
    expression: Expression | None = None
    keep: int = 0
    highest: bool = True

    def __str__(self) -> str:
        if self.dice is None:
            return str(self.expression)
        if not self.keep:
            return str(self.dice)
        which = "highest" if self.highest else "lowest"
        return f"{which}{f' {self.keep}' if self.keep > 1 else ''} of {self.dice}"


_DICE = re.compile(r"(?:(highest|lowest)(?:\s+([0-9]{1,2}))?\s+of\s+)?([0-9]*[dD][0-9]+)")
#: Dice as they are said in other places: `best of 3 d6`, `2 W6`, `two d6`, `highest 2d6`.
_DICE_LIKE = re.compile(
    r"(?:(?P<which>highest|higher|best|lowest|lower|worst)\s*(?P<keep>[0-9]{1,2}(?=\s*of))?"
    r"\s*(?:of)?\s+)?(?P<count>[0-9]{1,3}|a|one|two|three|four|five|six)?\s*[x*]?\s*"
    r"[dw]\s?(?P<sides>[0-9]{1,3})(?P<more>\s*[-+*/].*)?",
    re.IGNORECASE,
)
_COUNTS = {"a": "", "one": "", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}


def _parse_thrown(value: object) -> Thrown:
    if not isinstance(value, str):
        raise quantities.QuantityError.of("R203 no dice")
    match = _DICE.fullmatch(value.strip())
    if match is None:
        _refuse_dice_like(value.strip())
        return Thrown(expression=parse_expression(value))
    dice = quantities.parse_dice(match[3])
    if match[1] is None:
        return Thrown(dice)
    keep = int(match[2] or 1)
    if not 1 <= keep < dice.count:
        raise quantities.QuantityError.of(
            "R204 dice kept", value=value, keep=keep, count=dice.count
        )
    return Thrown(dice, keep=keep, highest=match[1] == "highest")


def _refuse_dice_like(text: str) -> None:
    """Raises for what can only be meant as dice; anything else is an expression of dice."""
    match = _DICE_LIKE.fullmatch(text)
    if match is None:
        if text.isdecimal():
            raise quantities.QuantityError.of("R204 number for dice", text=text)
        return
    count = (match["count"] or "").lower()
    dice = f"{_COUNTS.get(count, count)}d{match['sides']}"
    if match["more"]:
        raise quantities.QuantityError.of("R204 more than dice", text=text, dice=dice)
    if match["which"]:
        which = "highest" if match["which"].lower() in ("highest", "higher", "best") else "lowest"
        dice = " of ".join((f"{which} {match['keep'] or ''}".strip(), dice))
    raise quantities.QuantityError.of("R204 no throw", text=text, dice=dice)


ThrownText = Annotated[
    Thrown,
    PlainValidator(_parse_thrown),
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "description": "d6, 2d6, highest of 2d6, or table.row.dice"}),
]


#: What a step does, and what may stand beside it.
_BESIDE: dict[str, tuple[str, ...]] = {
    "set": (),
    "roll": ("times", "sum", "highest", "lowest", "distinct", "again", "reroll"),
    "test": ("dice", "target", "plus", "times", "reroll"),
    "choose": (),
    "repeat": ("times", "until", "count", "listed", "sum"),
    "do": (),
    "run": ("given", "take"),
}
_ALWAYS = ("id", "say", "when")
_AGGREGATES = ("sum", "highest", "lowest", "distinct")


def _needing(name: str) -> str:
    """The hint for a part of a step that does not say what it does."""
    doing = [f"'{action}:'" for action, beside in _BESIDE.items() if name in beside]
    return f"add {quantities.join_words(doing)}" if doing else ""


class ProcedureStep(FrozenModel):
    """One step: what the players are told, and what is thrown or reckoned.

    `set`, `roll`, `test`, `choose`, `repeat`, `do` and `run` say what it does; a step with none of
    these is only told.
    """

    id: Id | None = Field(None, description="a name for options to change the step by")
    say: ProseText | None = Field(None, description="the step as the players are told it")
    when: ExpressionText | None = Field(None, description="only if this holds")
    set: Annotated[dict[Id, ExpressionText], Field(min_length=1)] | None = None
    roll: Annotated[dict[Id, ThrownText], Field(min_length=1)] | None = None
    test: Id | None = None
    choose: Annotated[dict[Id, Input], Field(min_length=1)] | None = None
    repeat: Annotated[tuple[ProcedureStep, ...], Field(min_length=1)] | None = None
    do: Annotated[tuple[ProcedureStep, ...], Field(min_length=1)] | None = Field(
        None, description="steps that are taken together if 'when' holds"
    )
    run: Id | None = None
    times: ExpressionText | None = Field(None, description="how many dice, tests or passes")
    sum: Annotated[dict[Id, ExpressionText], Field(min_length=1)] | None = None
    highest: Annotated[dict[Id, ExpressionText], Field(min_length=1, max_length=1)] | None = None
    lowest: Annotated[dict[Id, ExpressionText], Field(min_length=1, max_length=1)] | None = None
    distinct: Id | None = Field(None, description="how many different faces a pool shows")
    again: ExpressionText | None = Field(None, description="throw again while this holds")
    reroll: ExpressionText | None = Field(None, description="throw again once if this holds")
    dice: ThrownText | None = None
    target: TargetText | None = Field(
        None, description="what must be reached: 4+, 6/4+, or an expression such as needs[range]"
    )
    plus: ExpressionText | None = Field(None, description="what is added to the throw")
    until: ExpressionText | None = Field(None, description="after a pass: whether to stop")
    count: Id | None = Field(None, description="the number of the pass")
    listed: Annotated[scalars.Count, Field(ge=1, le=200)] | None = Field(
        None, description="how many passes are told one by one"
    )
    given: dict[Id, ExpressionText] | None = Field(None, description="inputs of the procedure run")
    take: dict[Id, Id] | None = Field(None, description="name here: result of the procedure run")

    @property
    def action(self) -> str | None:
        """What the step does, or None if it is only told."""
        return next((name for name in _BESIDE if getattr(self, name) is not None), None)

    @property
    def inner(self) -> tuple[ProcedureStep, ...]:
        """The steps inside this one."""
        return self.repeat or self.do or ()

    @model_validator(mode="after")
    def _whole_step(self) -> Self:
        given = [name for name in type(self).model_fields if getattr(self, name) is not None]
        actions = [name for name in given if name in _BESIDE]
        if len(actions) > 1:
            raise quantities.QuantityError.of(
                "R204 two actions",
                at=(actions[1],),
                actions=quantities.join_words(actions, "and"),
                known=quantities.join_words(_BESIDE),
            )
        known = (*_ALWAYS, *(_BESIDE[actions[0]] if actions else ()), *actions)
        for name in given:
            if name not in known:
                told = f"'{actions[0]}'" if actions else "a step that is only told"
                raise quantities.QuantityError.of(
                    "R224 does not go with",
                    at=(name,),
                    name=name,
                    told=told,
                    known=quantities.join_words(known),
                    needing="" if actions else _needing(name),
                )
        for complaint in (
            self._roll_fault,
            self._test_fault,
            self._repeat_fault,
            self._do_fault,
            self._run_fault,
        ):
            complaint()
        if not given or given == ["id"]:
            raise quantities.QuantityError.of(
                "R204 empty step", known=quantities.join_words(_BESIDE)
            )
        return self

    def _roll_fault(self) -> None:
        if self.roll is None:
            return
        aggregates = [name for name in _AGGREGATES if getattr(self, name) is not None]
        if (self.times is None) != (not aggregates) or len(aggregates) > 1:
            known = quantities.join_words(_AGGREGATES)
            if not aggregates:
                raise quantities.QuantityError.of("R224 pool not added up", known=known)
            if len(aggregates) > 1:
                two = quantities.join_words(aggregates, "and")
                raise quantities.QuantityError.of("R224 pool with two", two=two, known=known)
            raise quantities.QuantityError.of("R224 no times", name=aggregates[0], known=known)
        if self.times is not None and (self.again or self.reroll):
            raise quantities.QuantityError.of(
                "R224 pool thrown again", at=("again" if self.again else "reroll",)
            )
        if self.again and self.reroll:
            raise quantities.QuantityError.of("R224 again and reroll")
        if self.distinct and len(self.roll) > 1:
            raise quantities.QuantityError.of("R224 distinct")

    def _test_fault(self) -> None:
        if self.test is not None:
            self._needs("test", "dice", "d6")
            self._needs("test", "target", "4+")

    def _repeat_fault(self) -> None:
        if self.repeat is None:
            return
        if self.times is None and self.until is None:
            raise quantities.QuantityError.of("R224 no end")
        for name in ("until", "count"):
            if self.sum and getattr(self, name) is not None:
                raise quantities.QuantityError.of("R224 summed", at=(name,), name=name)
        if self.listed is not None and (self.times is not None or self.count is None):
            raise quantities.QuantityError.of("R224 listed", at=("listed",))

    def _do_fault(self) -> None:
        if self.do is not None:
            self._needs("do", "when", "mounted")

    def _run_fault(self) -> None:
        if self.run is not None:
            self._needs("run", "take", "{hits: hits}")

    def _needs(self, action: str, name: str, example: str) -> None:
        if getattr(self, name) is None:
            raise quantities.QuantityError.of(
                "R224 action without", action=action, name=name, example=example
            )


class Requirement(FrozenModel):
    """What inputs must be to each other, and the sentence for those that are not."""

    that: ExpressionText
    say: Line


class Procedure(Entity):
    """A short straight program over inputs, dice and tables, and the sentences that tell it."""

    title: Line
    rule: Id | None = Field(None, description="id of the heading where the rule stands in full")
    inputs: dict[Id, Input] = Field({}, description="what the players bring")
    requires: tuple[Requirement, ...] = Field((), description="what inputs must be together")
    steps: Annotated[tuple[ProcedureStep, ...], Field(min_length=1)]
    result: Annotated[dict[Id, ExpressionText], Field(min_length=1)]


def all_steps(steps: tuple[ProcedureStep, ...]) -> Iterator[ProcedureStep]:
    """Steps and those inside them, in order."""
    for step in steps:
        yield step
        yield from all_steps(step.inner)


def choices_of(steps: tuple[ProcedureStep, ...]) -> dict[str, Input]:
    """The players' decisions in some steps, which are inputs as well."""
    found: dict[str, Input] = {}
    for step in all_steps(steps):
        found |= step.choose or {}
    return found
