"""Procedures: rules that run. What an author writes of a roll: its inputs, its steps, its results.

Nothing is run here, and no name is looked up: the rules core does both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    WithJsonSchema,
    model_validator,
)

from rulebook import quantities as q
from rulebook.model import scalars
from rulebook.model.expressions import Expression, ExpressionText, TargetText, parse_expression
from rulebook.model.provenance import Entity
from rulebook.model.scalars import ID_PATTERN, Id, Line, ProseText

#: Of one input; more of them is a table of a game of another kind.
MOST_VALUES = 1000
#: How many passes of a repetition without a bound are told one by one, unless the author says so.
LISTED = 30


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice that are added up, or the highest or lowest so many of them; or an expression of dice.

    `2d6`, `highest of 3d6`, `lowest 2 of 4d6`, or `weapon.dice`.
    """

    dice: q.Dice | None = None
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
        raise q.QuantityError(
            "no dice stand here", expected="such as d6, 2d6 or highest of 2d6", code="R203"
        )
    match = _DICE.fullmatch(value.strip())
    if match is None:
        _refuse_dice_like(value.strip())
        return Thrown(expression=parse_expression(value))
    dice = q.parse_dice(match[3])
    if match[1] is None:
        return Thrown(dice)
    keep = int(match[2] or 1)
    if not 1 <= keep < dice.count:
        raise q.QuantityError(
            f"'{value[:40]}' keeps {keep} of {dice.count}",
            expected="fewer dice to be kept than are thrown, such as highest of 2d6",
        )
    return Thrown(dice, keep=keep, highest=match[1] == "highest")


def _refuse_dice_like(text: str) -> None:
    """Raises for what can only be meant as dice; anything else is an expression of dice."""
    match = _DICE_LIKE.fullmatch(text)
    expected = "such as d6, 2d6, highest of 2d6, or a column of dice such as weapon.dice"
    if match is None:
        if text.isdecimal():
            raise q.QuantityError(
                f"'{text[:40]}' is a number, not dice", expected=expected, hint=f"write d{text}"
            )
        return
    count = (match["count"] or "").lower()
    dice = f"{_COUNTS.get(count, count)}d{match['sides']}"
    if match["more"]:
        raise q.QuantityError(
            f"'{text[:40]}' is more than dice",
            expected=expected,
            hint=f"write {dice}, and reckon with the name of the throw",
        )
    if match["which"]:
        which = "highest" if match["which"].lower() in ("highest", "higher", "best") else "lowest"
        dice = " of ".join((f"{which} {match['keep'] or ''}".strip(), dice))
    raise q.QuantityError(
        f"'{text[:40]}' is no throw of dice", expected=expected, hint=f"write {dice}"
    )


ThrownText = Annotated[
    Thrown,
    PlainValidator(_parse_thrown),
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "description": "d6, 2d6, highest of 2d6, or table.row.dice"}),
]


def _parse_whole(value: object) -> tuple[int, ...] | str:
    """`1-60`, `-3 to 3`, `[10, 20]` or `table.field`."""
    expected = "such as 1-60, -3 to 3, [10, 20], or a column of counts such as damage.total"
    if isinstance(value, list):
        numbers = [_whole(item, expected) for item in value]
        if not numbers or len(numbers) > MOST_VALUES or sorted(set(numbers)) != numbers:
            raise q.QuantityError(
                "these are no counts", expected="one or more, each once, rising, such as [10, 20]"
            )
        return tuple(numbers)
    if not isinstance(value, str):
        raise q.QuantityError("no counts stand here", expected=expected, code="R203")
    if re.fullmatch(rf"{ID_PATTERN}\.{ID_PATTERN}", value):
        return value
    match = re.fullmatch(r"(-?[0-9]{1,6})(?:-|\s+to\s+)(-?[0-9]{1,6})", value.strip())
    if match is None:
        raise q.QuantityError(
            f"'{value[:40]}' is no range of counts", expected=expected, hint=_range_hint(value)
        )
    low, high = int(match[1]), int(match[2])
    if not low < high:
        raise q.QuantityError(
            f"'{value[:40]}' holds one count or none", expected="the lower end first"
        )
    if high - low >= MOST_VALUES:
        raise q.QuantityError(
            f"'{value[:40]}' holds {high - low + 1} counts", expected=f"up to {MOST_VALUES}"
        )
    return tuple(range(low, high + 1))


def _range_hint(text: str) -> str:
    """`1..60`, `1–60`, `1 - 60` or `60` as a range."""
    ends = re.findall(r"[0-9]{1,3}", text)
    if len(ends) > 2 or not ends or re.search(r"[^\W\d]", text):
        return ""
    return f"write {ends[0]}-{ends[1]}" if len(ends) == 2 else f"write 1-{ends[0]}"


def _whole(value: object, expected: str) -> int:
    if not isinstance(value, str) or not re.fullmatch(r"-?[0-9]{1,6}", value):
        raise q.QuantityError(f"'{str(value)[:40]}' is no count", expected=expected)
    return int(value)


def _parse_choices(value: object) -> dict[str, str] | str:
    """`table.axis`, `table` (its rows), `[a, b]` or `{a: Title, b: Title}`."""
    expected = "choices in a list, an axis such as musketry.range, or a table whose rows they are"
    if isinstance(value, str):
        if not re.fullmatch(rf"{ID_PATTERN}(\.{ID_PATTERN})?", value):
            hint = f"write [{value}]" if "," in value and len(value) <= 40 else ""
            raise q.QuantityError(f"'{value[:40]}' names no choices", expected=expected, hint=hint)
        return value
    if not isinstance(value, list | dict) or not value:
        raise q.QuantityError("no choices stand here", expected=expected, code="R203")
    titles: dict[str, str] = {}
    for key in value:
        if not isinstance(key, str) or len(key) > 64 or not key.strip():
            raise q.QuantityError("a choice is no word", expected=expected)
        if key in titles:
            raise q.QuantityError(f"'{key[:40]}' stands twice", expected="each choice once")
        title = value[key] if isinstance(value, dict) else None
        titles[key] = (
            scalars.parse_line(str(title)) if title is not None else scalars.parse_line(_told(key))
        )
    if len(titles) > MOST_VALUES:
        raise q.QuantityError(f"{len(titles)} choices", expected=f"up to {MOST_VALUES}")
    return titles


def _told(key: str) -> str:
    """The title of a choice that was given none."""
    if re.fullmatch(ID_PATTERN, key):
        return key.replace("_", " ").capitalize()
    try:
        return str(q.parse_band(key))
    except q.QuantityError:
        return key


_WORDS = {"type": ["string", "integer"]}
Wholes = Annotated[
    tuple[int, ...] | str,
    PlainValidator(_parse_whole),
    WithJsonSchema({"anyOf": [_WORDS, {"type": "array", "items": _WORDS}]}),
]
Choices = Annotated[
    dict[str, str] | str,
    PlainValidator(_parse_choices),
    WithJsonSchema({"anyOf": [_WORDS, {"type": "array", "items": _WORDS}, {"type": "object"}]}),
]


def _parse_default(value: object) -> tuple[str, ...]:
    items = value if isinstance(value, list) else [value]
    if not all(isinstance(item, str) for item in items):
        raise q.QuantityError("no default stands here", expected="a value of the input")
    return tuple(items)


Default = Annotated[
    tuple[str, ...],
    PlainValidator(_parse_default),
    WithJsonSchema({"type": ["string", "integer", "boolean", "array"]}),
]

_KINDS = ("count", "one_of", "any_of", "flag")


class Input(BaseModel):
    """What the players bring to a procedure: a count, one of some choices, conditions, or a flag.

    Exactly one of `count`, `one_of`, `any_of` and `flag` is given; the value of `flag` is its
    default.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    count: Wholes | None = Field(None, description="1-60, -3 to 3, [10, 20] or damage.total")
    one_of: Choices | None = Field(
        None, description="an axis, a record or modifier table, or a list"
    )
    any_of: Id | None = Field(None, description="a modifier table, any rows of which may hold")
    flag: scalars.Flag | None = Field(None, description="whether it holds unless said otherwise")
    default: Default = ()
    label: Line | None = None

    @model_validator(mode="before")
    @classmethod
    def _in_braces(cls, value: object) -> object:
        """A list, a number or a path alone is told how it is written as an input."""
        if isinstance(value, str | list):
            raise q.QuantityError(
                "an input without its kind",
                expected=f"{q.join_words(_KINDS)}, each with a colon and its value",
                hint=_input_hint(value),
                code="R203",
            )
        return value

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        given = [kind for kind in _KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            raise q.QuantityError(
                f"an input with {q.join_words(given, 'and')}" if given else "an input of no kind",
                expected=f"one of {q.join_words(_KINDS)}",
                hint="delete all but one" if given else "add 'count:', such as count: 1-24",
            )
        if self.flag is not None and self.default:
            raise q.QuantityError(
                "a flag with a default of its own",
                expected="the default as the value of 'flag'",
                hint="delete 'default'",
                at=("default",),
            )
        return self


def _input_hint(value: str | list[object]) -> str:
    if isinstance(value, list):
        words = [word for word in value if isinstance(word, str) and re.fullmatch(ID_PATTERN, word)]
        return f"write {{one_of: [{', '.join(words[:5])}]}}"
    if value in ("flag", "true", "false"):
        return f"write {{flag: {value if value != 'flag' else 'false'}}}"
    if re.match(r"[0-9]", value):
        return _range_hint(value).replace("write ", "write {count: ") + "}"
    return f"write {{one_of: {value[:40]}}}" if "." in value else ""


#: What a step does, and what may stand beside it.
_BESIDE: dict[str, tuple[str, ...]] = {
    "set": (),
    "roll": ("times", "sum", "highest", "lowest", "distinct", "again", "reroll"),
    "test": ("dice", "target", "plus", "times", "reroll"),
    "choose": (),
    "repeat": ("times", "until", "count", "listed", "sum"),
    "run": ("given", "take"),
}
_ALWAYS = ("id", "say", "when")
_AGGREGATES = ("sum", "highest", "lowest", "distinct")


def _needing(name: str) -> str:
    """The hint for a part of a step that does not say what it does."""
    doing = [f"'{action}:'" for action, beside in _BESIDE.items() if name in beside]
    return f"add {q.join_words(doing)}" if doing else ""


class ProcedureStep(BaseModel):
    """One step: what the players are told, and what is thrown or reckoned.

    `set`, `roll`, `test`, `choose`, `repeat` and `run` say what it does; a step with none of these
    is only told.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Id | None = Field(None, description="a name for options to change the step by")
    say: ProseText | None = Field(None, description="the step as the players are told it")
    when: ExpressionText | None = Field(None, description="only if this holds")
    set: Annotated[dict[Id, ExpressionText], Field(min_length=1)] | None = None
    roll: Annotated[dict[Id, ThrownText], Field(min_length=1)] | None = None
    test: Id | None = None
    choose: Annotated[dict[Id, Input], Field(min_length=1)] | None = None
    repeat: Annotated[tuple[ProcedureStep, ...], Field(min_length=1)] | None = None
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

    @model_validator(mode="after")
    def _whole_step(self) -> Self:
        given = [name for name in type(self).model_fields if getattr(self, name) is not None]
        actions = [name for name in given if name in _BESIDE]
        if len(actions) > 1:
            raise q.QuantityError(
                f"a step with {q.join_words(actions, 'and')}",
                expected=f"one of {q.join_words(_BESIDE)}",
                hint="cut it into two steps",
                at=(actions[1],),
            )
        known = (*_ALWAYS, *(_BESIDE[actions[0]] if actions else ()), *actions)
        for name in given:
            if name not in known:
                told = f"'{actions[0]}'" if actions else "a step that is only told"
                raise q.QuantityError(
                    f"'{name}' does not go with {told}",
                    expected=q.join_words(known),
                    hint="" if actions else _needing(name),
                    at=(name,),
                    code="R224",
                )
        for complaint in (self._roll_fault, self._test_fault, self._repeat_fault, self._run_fault):
            complaint()
        if not given or given == ["id"]:
            raise q.QuantityError("an empty step", expected=f"'say' or {q.join_words(_BESIDE)}")
        return self

    def _roll_fault(self) -> None:
        if self.roll is None:
            return
        aggregates = [name for name in _AGGREGATES if getattr(self, name) is not None]
        if (self.times is None) != (not aggregates) or len(aggregates) > 1:
            raise q.QuantityError(
                "a pool of dice that is not added up"
                if self.times is not None and not aggregates
                else f"a pool with {q.join_words(aggregates, 'and')}"
                if len(aggregates) > 1
                else f"'{aggregates[0]}' without 'times'",
                expected=f"'times' and one of {q.join_words(_AGGREGATES)}, or none of them",
                code="R224",
            )
        if self.times is not None and (self.again or self.reroll):
            raise q.QuantityError(
                "a pool that is thrown again",
                expected="'again' and 'reroll' with one throw",
                at=("again" if self.again else "reroll",),
                code="R224",
            )
        if self.again and self.reroll:
            raise q.QuantityError(
                "'again' and 'reroll' in one step", expected="one of them", code="R224"
            )
        if self.distinct and len(self.roll) > 1:
            raise q.QuantityError(
                "'distinct' of several dice", expected="one name under 'roll'", code="R224"
            )

    def _test_fault(self) -> None:
        if self.test is not None:
            self._needs("test", "dice", "d6")
            self._needs("test", "target", "4+")

    def _repeat_fault(self) -> None:
        if self.repeat is None:
            return
        if self.times is None and self.until is None:
            raise q.QuantityError(
                "a repetition without an end",
                expected="'times', 'until' or both",
                hint="add 'times:', such as times: 5",
                code="R224",
            )
        for name in ("until", "count"):
            if self.sum and getattr(self, name) is not None:
                raise q.QuantityError(
                    f"'{name}' in a repetition that is summed",
                    expected="'times' and 'sum': each pass begins afresh",
                    at=(name,),
                    code="R224",
                )
        if self.listed is not None and (self.times is not None or self.count is None):
            raise q.QuantityError(
                "'listed' where passes are not counted without a bound",
                expected="'until' and 'count', without 'times'",
                at=("listed",),
                code="R224",
            )

    def _run_fault(self) -> None:
        if self.run is not None:
            self._needs("run", "take", "{hits: hits}")

    def _needs(self, action: str, name: str, example: str) -> None:
        if getattr(self, name) is None:
            raise q.QuantityError(
                f"a '{action}' without '{name}'",
                expected=f"'{name}', such as {name}: {example}",
                hint=f"add '{name}:'",
                code="R224",
            )


class Requirement(BaseModel):
    """What inputs must be to each other, and the sentence for those that are not."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
    """Steps and those that they repeat, in order."""
    for step in steps:
        yield step
        yield from all_steps(step.repeat or ())


def choices_of(steps: tuple[ProcedureStep, ...]) -> dict[str, Input]:
    """The players' decisions in some steps, which are inputs as well."""
    found: dict[str, Input] = {}
    for step in steps:
        found |= step.choose or {}
        found |= choices_of(step.repeat or ())
    return found
