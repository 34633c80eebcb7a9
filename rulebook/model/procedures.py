"""Procedures: rules that run. What an author writes of a roll: its inputs, its steps, its results.

Nothing is run here, and no name is looked up: the rules core does both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, ClassVar, Self, TypeAlias, Union

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.entities import Entity, FrozenModel
from rulebook.model.expressions import (
    Expression,
    ExpressionFault,
    ExpressionText,
    TargetText,
    parse_expression,
    read_expression,
)
from rulebook.model.scalars import ID_PATTERN, HeadingId, Id, Line, ProseText, ReadBy
from rulebook.suggestions import nearest

#: Of one input; more of them is a table of a game of another kind.
MOST_VALUES = 1000


_PATH = re.compile(rf"{ID_PATTERN}\.{ID_PATTERN}")


def _refused(value: object, what: str, expected: str) -> quantities.QuantityError:
    """Makes the fault of a value that cannot be read as `what`, such as counts or choices."""
    shown = f"'{value:.40}'" if isinstance(value, str) else "this"
    code = "R204" if isinstance(value, str | list) else "R203"
    return quantities.QuantityError(f"{shown} gives no {what}", expected=expected, code=code)


def _parse_whole(value: object) -> tuple[int, ...] | str:
    """Reads counts: `1-60`, `-3 to 3` or `[10, 20]`; returns a path `table.field` as it is.

    Raises QuantityError.
    """
    numbers: list[int] = []
    if isinstance(value, list) and all(re.fullmatch(r"-?[0-9]{1,6}", str(item)) for item in value):
        numbers = [int(item) for item in value]
    elif isinstance(value, str) and _PATH.fullmatch(value):
        return value
    elif isinstance(value, str):
        ends = re.fullmatch(r"(-?[0-9]{1,6})(?:-|\s+to\s+)(-?[0-9]{1,6})", value.strip())
        low, high = (int(ends[1]), int(ends[2])) if ends else (0, 0)
        numbers = [*range(low, high + 1)][: MOST_VALUES + 1] if low < high else []
    if not numbers or len(numbers) > MOST_VALUES or sorted(set(numbers)) != numbers:
        such = "such as 1-60 or [10, 20], rising; or a column of counts such as damage.total"
        raise _refused(value, "counts", f"up to {MOST_VALUES} counts, {such}")
    return tuple(numbers)


def _parse_choices(value: object) -> dict[str, str] | str:
    """Reads choices with their titles: `[a, b]` or `{a: Title, b: Title}`.

    Returns a path to an axis or the id of a table as it is. Raises QuantityError.
    """
    if isinstance(value, str) and re.fullmatch(rf"{ID_PATTERN}(\.{ID_PATTERN})?", value):
        return value
    keys = list(value) if isinstance(value, list | dict) else []
    words = all(isinstance(key, str) and key.strip() and len(key) <= 64 for key in keys)
    if not keys or not words or len(set(keys)) < len(keys) or len(keys) > MOST_VALUES:
        such = "each once, an axis such as musketry.range, or a table whose rows they are"
        raise _refused(value, "choices", f"up to {MOST_VALUES} choices in a list, {such}")
    titles = value if isinstance(value, dict) else {}
    shown = {key: _title_of(key) if titles.get(key) is None else str(titles[key]) for key in keys}
    return {key: scalars.parse_line(title) for key, title in shown.items()}


def _title_of(key: str) -> str:
    """Makes the title of a choice from its key: words from an id, or a band as it prints.

    Any other key is its own title.
    """
    if re.fullmatch(ID_PATTERN, key):
        return key.replace("_", " ").capitalize()
    try:
        return str(quantities.parse_band(key))
    except quantities.QuantityError:
        return key


def _parse_lengths(value: object) -> tuple[quantities.Length, ...] | quantities.Band | str:
    """Reads lengths: `1-80in` or `[3in, 6in, 12in]`; returns a path `table.field` as it is.

    Raises QuantityError.
    """
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        lengths = tuple(map(quantities.parse_length, value))
        numbers = [length.number for length in lengths]
        rising = sorted(set(numbers)) == numbers and len({length.unit for length in lengths}) == 1
        if rising and len(lengths) <= MOST_VALUES:
            return lengths
    elif isinstance(value, str) and _PATH.fullmatch(value):
        return value
    elif isinstance(value, str):
        with suppress(quantities.QuantityError):
            band = quantities.parse_band(value)
            if band.unit and None not in (band.low, band.high) and band.low != band.high:
                return band
    such = "rising, such as 1-80in or [3in, 6in], or a column of lengths such as weapons.range"
    raise _refused(value, "lengths", f"up to {MOST_VALUES} lengths of one unit, {such}")


_WORD, _WORDS = {"type": "string"}, {"type": ["string", "integer"]}
Lengths = Annotated[
    tuple[quantities.Length, ...] | quantities.Band | str,
    ReadBy(_parse_lengths, anyOf=[_WORD, {"type": "array", "items": _WORD}]),
]
Wholes = Annotated[
    tuple[int, ...] | str,
    ReadBy(_parse_whole, anyOf=[_WORDS, {"type": "array", "items": _WORDS}]),
]
Choices = Annotated[
    dict[str, str] | str,
    ReadBy(_parse_choices, anyOf=[_WORDS, {"type": "array", "items": _WORDS}, {"type": "object"}]),
]


def _parse_default(value: object) -> tuple[str, ...]:
    items = value if isinstance(value, list) else [value]
    if not all(isinstance(item, str) for item in items):
        raise _refused(value, "default", "a value of the input")
    return tuple(map(scalars.TypedValue, items))


Default = Annotated[
    tuple[str, ...], ReadBy(_parse_default, type=["string", "integer", "boolean", "array"])
]

_KINDS = ("count", "length", "one_of", "any_of", "flag")


class Input(FrozenModel):
    """What the players bring: a count, a length, one of some choices, conditions, or a flag.

    Exactly one of `count`, `length`, `one_of`, `any_of` and `flag` is given; the value of `flag` is
    its default. `only` names those rows of a table or places on an axis that count.
    """

    count: Wholes | None = None
    """1-60, -3 to 3, [10, 20] or damage.total"""
    length: Lengths | None = None
    """1-80in, [3in, 6in] or weapons.range"""
    step: scalars.Length | None = None
    """between lengths; 1 of their unit"""
    one_of: Choices | None = None
    """an axis, a record or modifier table, or a list"""
    any_of: Id | None = None
    """a modifier table, any rows of which may hold"""
    only: Annotated[tuple[Line, ...], Field(min_length=1)] | None = None
    """the rows or places of one_of or any_of that count"""
    flag: scalars.Flag | None = None
    """whether it holds unless said otherwise"""
    default: Default = ()
    """its value where none is named; else the first"""
    label: Line | None = None
    """what players read for it"""

    @model_validator(mode="before")
    @classmethod
    def _in_braces(cls, value: object) -> object:
        """Returns a mapping unchanged; raises QuantityError for a text or a list in its place.

        The fault says how an input is written.
        """
        if isinstance(value, str | list):
            kinds = quantities.join_words(_KINDS)
            fault = _refused(
                value, "kind of input", f"{kinds}, each with its value: {{count: 1-24}}"
            )
            if isinstance(value, str) and re.fullmatch(r"[0-9]+ ?- ?[0-9]+", value):
                fault.hint = f"write {{count: {value}}}"
            raise fault
        return value

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        given = [kind for kind in _KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            what = f"an input of {quantities.join_words(given, 'and') or 'no kind'}"
            known = f"one of {quantities.join_words(_KINDS)}"
            raise quantities.QuantityError(what, expected=known)
        ranged = isinstance(self.length, quantities.Band)
        takes_some = self.any_of is not None or isinstance(self.one_of, str)
        for name, goes, beside in (
            ("default", self.flag is None, "an input that is no flag"),
            ("only", takes_some, "'one_of' or 'any_of' with the name of a table or axis"),
            ("step", ranged, "'length' from one end to the other, such as 1-80in"),
        ):
            if getattr(self, name) and not goes:
                what, where = f"'{name}' does not go with this", f"'{name}' beside {beside}"
                raise quantities.QuantityError(what, code="R224", expected=where, at=(name,))
        self._check_steps()
        return self

    def _check_steps(self) -> None:
        """Raises QuantityError for a range of lengths with too many steps, or uneven ones.

        The steps must lead from the lower end exactly to the upper.
        """
        if not isinstance(self.length, quantities.Band):
            return
        whole, unit = self.length, self.length.unit
        step = self.step or quantities.Length(Fraction(1), unit or "in")
        steps = ((whole.high or 0) - (whole.low or 0)) / (step.number or Fraction(1))
        fits = step.unit == unit and step.number and steps.denominator == 1
        if not fits or steps >= MOST_VALUES:
            at = ("step" if self.step else "length",)
            what = f"steps of {step} do not lead from end to end of {whole}"
            wanted = f"up to {MOST_VALUES} lengths, in its unit, the last its upper end"
            raise quantities.QuantityError(what, expected=wanted, at=at)

    @property
    def lengths(self) -> tuple[quantities.Length, ...]:
        """The lengths of a range or a list, rising; empty for other inputs."""
        if not isinstance(self.length, quantities.Band):
            return self.length if isinstance(self.length, tuple) else ()
        low, high = self.length.low or Fraction(0), self.length.high or Fraction(0)
        unit = self.length.unit or "in"
        step = self.step.number if self.step else Fraction(1)
        return tuple(
            quantities.Length(low + number * step, unit)
            for number in range(int((high - low) / step) + 1)
        )


#: How many passes of a repetition without a bound are listed one by one, unless the author says so.
LISTED = 30


#: Dice that a step throws, `2d6`, `highest of 3d6` or `lowest 2 of 4d6`; or an expression of dice,
#: `weapon.dice`.
Thrown: TypeAlias = quantities.Dice | Expression

_DICE = re.compile(r"(?:(highest|lowest)(?:\s+([0-9]{1,2}))?\s+of\s+)?([0-9]*[dD][0-9]+)")

#: Dice as they are spoken of, and how they are written here; one after another.
_SPOKEN = (
    (r"^([0-9]*d[0-9]+)k?h([0-9]*)$", r"highest \2 of \1"),
    (r"^([0-9]*d[0-9]+)k?l([0-9]*)$", r"lowest \2 of \1"),
    (r"\b([a-z]+) 1? ?of\b", r"\1 of"),
    (r"(?<=d)%$", "100"),
    (r"\b(?:best|higher)\b", "highest"),
    (r"\b(?:worst|lower)\b", "lowest"),
    (r"\btwo\b", "2"),
    (r"\bthree\b", "3"),
    (r"\b(?:dice|die)\b", "d6"),
    (r"(?<![a-z])\s*[dwDW]\s*(?=[0-9])", "d"),
    (r"(?<=[0-9])\s*[-+]\s*[0-9]+$", ""),  # it is added where the name of the throw is used
)
_SUCH_DICE = "such as d6, 2d6, highest of 2d6, or a column of dice such as weapon.dice"


def _parse_thrown(value: object) -> Thrown:
    if not isinstance(value, str):
        raise quantities.QuantityError("no dice stand here", code="R203", expected=_SUCH_DICE)
    match = _DICE.fullmatch(value.strip())
    if match is None:
        try:
            return parse_expression(value)
        except ExpressionFault as fault:
            what, meant = f"'{value:.40}' is no throw of dice", value.strip()
            for pattern, written in _SPOKEN:
                meant = re.sub(pattern, written, meant)
            hint = f"write {meant}" if _DICE.fullmatch(meant) else ""
            if again := re.fullmatch(r"[0-9]*d([0-9]+)!", value.strip().lower()):
                hint = f"write d{again[1]}, and 'again: die == {again[1]}' below it for its name"
            raise quantities.QuantityError(what, expected=_SUCH_DICE, hint=hint) from fault
    dice = quantities.parse_dice(match[3])
    keep = int(match[2] or 1) if match[1] else 0
    if match[1] and not 1 <= keep < dice.count:
        what = f"'{value:.40}' keeps {keep} of {dice.count}"
        raise quantities.QuantityError(what, expected="fewer dice to be kept than are thrown")
    return replace(dice, keep=keep, highest=match[1] != "lowest")


ThrownText = Annotated[
    Thrown,
    ReadBy(_parse_thrown, type="string", description="d6, 2d6, highest of 2d6, or table.row.dice"),
]


#: What a step states itself, rather than taking it from a table.
Stated: TypeAlias = quantities.Dice | quantities.RollTarget

_AGGREGATES = ("sum", "highest", "lowest", "distinct")


class ProcedureStep(FrozenModel):
    """What every step may have, and what is asked of a step of any kind."""

    #: The key of the steps inside it, if there are any.
    body: ClassVar[str] = ""
    #: Whether those are taken more than once.
    repeats: ClassVar[bool] = False
    #: What must stand beside the key that says what it does, each with an example.
    needed: ClassVar[Mapping[str, str]] = {}

    id: Id | None = None
    """a name for options to change the step by"""
    say: ProseText | None = None
    """the step in words for the players"""
    when: ExpressionText | None = None
    """only if this holds"""

    @property
    def inner(self) -> tuple[AnyStep, ...]:
        """The steps inside the step; empty for kinds of steps that hold none."""
        return getattr(self, self.body) if self.body else ()

    @property
    def choices(self) -> Mapping[str, Input]:
        """The decisions that the players make in the step, by name; here none."""
        return {}

    @property
    def thrown(self) -> Mapping[str, Thrown]:
        """The dice that the step throws, by the paths that name them; here none.

        The path is the name that a roll sets; for a test, `NAME.dice`.
        """
        return {}

    @property
    def stated(self) -> dict[str, Stated]:
        """The dice that the step itself states, by the paths that name them.

        Dice that an expression gives, or of which only some are kept, are left out.
        """
        dice = self.thrown.items()
        return {path: d for path, d in dice if isinstance(d, quantities.Dice) and not d.keep}


class SayStep(ProcedureStep):
    """A step that is only a sentence."""


class SetStep(ProcedureStep):
    """Gives names to values, one after another."""

    set: Annotated[dict[Id, ExpressionText], Field(min_length=1)]
    """names and the expressions whose values they get"""


class RollStep(ProcedureStep):
    """Throws dice; with `times` a pool of which the throws are added up, or the best one taken."""

    roll: Annotated[dict[Id, ThrownText], Field(min_length=1)]
    """dice by the name of what they show"""
    times: ExpressionText | None = None
    """how many dice, tests or passes"""
    sum: Annotated[dict[Id, ExpressionText], Field(min_length=1)] | None = None
    """what each throw of a pool adds, by the name of its sum"""
    highest: Annotated[dict[Id, ExpressionText], Field(min_length=1, max_length=1)] | None = None
    """the highest of a pool, by its name"""
    lowest: Annotated[dict[Id, ExpressionText], Field(min_length=1, max_length=1)] | None = None
    """the lowest of a pool, by its name"""
    distinct: Id | None = None
    """how many different faces a pool shows"""
    again: ExpressionText | None = None
    """throw again while this holds"""
    reroll: ExpressionText | None = None
    """throw again once if this holds"""

    @property
    def thrown(self) -> Mapping[str, Thrown]:
        return self.roll

    @model_validator(mode="after")
    def _pool_or_throw(self) -> Self:
        made = [name for name in _AGGREGATES if getattr(self, name) is not None]
        anew = [name for name in ("again", "reroll") if getattr(self, name) is not None]
        pool = self.times is not None
        if len(made) != pool or len(anew) > 1 - pool:
            what = quantities.join_words([*(["times"] if pool else []), *made, *anew], "and")
            expected = (
                f"'times' and one of {quantities.join_words(_AGGREGATES)}, or 'again' or 'reroll'"
            )
            raise quantities.QuantityError(f"a roll with {what}", code="R224", expected=expected)
        if self.distinct and len(self.roll) > 1:
            what, single = "'distinct' of several dice", "one name under 'roll'"
            raise quantities.QuantityError(what, code="R224", expected=single)
        return self


class TestStep(ProcedureStep):
    """Throws against a target; with `times` so often, and counts how often it is reached."""

    needed: ClassVar[Mapping[str, str]] = {"dice": "d6", "target": "4+"}

    test: Id
    dice: ThrownText
    times: ExpressionText | None = None
    """how many dice, tests or passes"""
    plus: ExpressionText | None = None
    """what is added to the throw"""
    target: TargetText
    """what must be reached: 4+, 6/4+, or an expression such as needs[range]"""
    reroll: ExpressionText | None = None
    """throw again once if this holds"""

    @property
    def thrown(self) -> Mapping[str, Thrown]:
        return {f"{self.test}.dice": self.dice}

    @property
    def stated(self) -> dict[str, Stated]:
        """The dice that a test itself states as `NAME.dice`, and its target as `NAME.target`.

        Those that an expression gives are left out.
        """
        stated, target = super().stated, self.target.text.strip()
        if re.fullmatch(r"(?:[0-9]{1,2}/)*[0-9]{1,2}\+", target):
            stated[f"{self.test}.target"] = quantities.parse_roll_target(target)
        return stated


class ChooseStep(ProcedureStep):
    """A decision of the players."""

    choose: Annotated[dict[Id, Input], Field(min_length=1)]
    """decisions by their names, each written as an input"""

    @property
    def choices(self) -> Mapping[str, Input]:
        return self.choose


class RepeatStep(ProcedureStep):
    """Takes steps again and again; with `sum` each pass begins afresh, and is only added up."""

    body: ClassVar[str] = "repeat"
    repeats: ClassVar[bool] = True

    repeat: Annotated[tuple[AnyStep, ...], Field(min_length=1)]
    """the steps that are repeated"""
    times: ExpressionText | None = None
    """how many dice, tests or passes"""
    until: ExpressionText | None = None
    """after a pass: whether to stop"""
    count: Id | None = None
    """the number of the pass"""
    listed: Annotated[scalars.Count, Field(ge=1, le=200)] | None = None
    """how many passes are shown one by one"""
    sum: Annotated[dict[Id, ExpressionText], Field(min_length=1)] | None = None
    """what each pass adds, by the name of its sum"""

    @model_validator(mode="after")
    def _with_an_end(self) -> Self:
        names = ("times", "until", "count", "listed", "sum")
        given = {name for name in names if getattr(self, name) is not None}
        summed, listed = "sum" in given, "listed" in given
        ends = given & {"times", "until"} and not (summed and given & {"until", "count"})
        if not ends or (listed and not ("count" in given and "times" not in given)):
            what = f"a repetition with {quantities.join_words(sorted(given), 'and') or 'no end'}"
            expected = "'times' or 'until', 'sum' with 'times' alone, 'listed' with a 'count' alone"
            raise quantities.QuantityError(what, code="R224", expected=expected)
        return self


class DoStep(ProcedureStep):
    """Takes several steps if `when` holds."""

    body: ClassVar[str] = "do"
    needed: ClassVar[Mapping[str, str]] = {"when": "mounted"}

    do: Annotated[tuple[AnyStep, ...], Field(min_length=1)]
    """steps that are taken together if 'when' holds"""


class RunStep(ProcedureStep):
    """Runs another procedure, and takes over what comes of it."""

    needed: ClassVar[Mapping[str, str]] = {"take": "{hits: hits}"}

    run: Id
    given: dict[Id, ExpressionText] | None = None
    """inputs of the procedure run"""
    take: dict[Id, Id]
    """name here: result of the procedure run"""


#: Each kind of step by the key that says what it does. A new kind is an entry here, one in
#: STEP_KINDS of core/procedures, and what a browser does in scripts/dice.js and scripts/exact.js.
STEPS: dict[str, type[ProcedureStep]] = {
    "set": SetStep,
    "roll": RollStep,
    "test": TestStep,
    "choose": ChooseStep,
    "repeat": RepeatStep,
    "do": DoStep,
    "run": RunStep,
}
_STEP_KINDS: dict[str, type[ProcedureStep]] = {"say": SayStep, **STEPS}
_KEYS = {action: [*kind.model_fields] for action, kind in _STEP_KINDS.items()}


def _action(value: object) -> str:
    """Returns the key that says what a step does; `say` if it is only a sentence.

    The step is given as a model or as an author writes it.
    """
    if isinstance(value, ProcedureStep):
        return next((name for name, kind in STEPS.items() if isinstance(value, kind)), "say")
    keys = value if isinstance(value, dict) else ()
    return next((name for name in STEPS if name in keys), "say")


def _expect_keys(value: object) -> object:
    """Returns the keys of a step that have a value, with these values.

    Raises QuantityError for keys of two kinds of steps, or a missing key that the kind needs.
    Returns what is no mapping unchanged.
    """
    if not isinstance(value, dict):
        return value
    given = {name: part for name, part in value.items() if part is not None}
    actions = [name for name in STEPS if name in given]
    if len(actions) > 1 or not given.keys() - {"id"}:
        what = f"a step with {quantities.join_words(actions, 'and') or 'nothing'}"
        known = f"'say' or one of {quantities.join_words(STEPS)}"
        raise quantities.QuantityError(what, expected=known, at=tuple(actions[1:2]))
    action = actions[0] if actions else "say"
    for name in given:
        if name not in _KEYS[action] and any(name in keys for keys in _KEYS.values()):
            what, known = f"'{name}' beside '{action}'", quantities.join_words(_KEYS[action])
            raise quantities.QuantityError(what, code="R224", expected=known, at=(name,))
    for name, example in _STEP_KINDS[action].needed.items():
        if name not in given:
            for stray in given.keys() - _KEYS[action]:
                if hint := nearest(stray, [name]):
                    what = f"the key '{stray:.40}' is not known here"
                    known = quantities.join_words(_KEYS[action])
                    at = (stray,)
                    raise quantities.QuantityError(
                        what, code="R224", expected=known, hint=hint, at=at
                    )
            what, such = f"'{action}' without '{name}'", f"'{name}', such as {name}: {example}"
            raise quantities.QuantityError(what, code="R224", expected=such)
    return given


if TYPE_CHECKING:
    AnyStep = ProcedureStep
else:
    AnyStep = Annotated[
        Union[tuple(Annotated[kind, Tag(f"[{name}]")] for name, kind in _STEP_KINDS.items())],  # noqa: UP007
        Discriminator(lambda value: f"[{_action(value)}]"),
        BeforeValidator(_expect_keys),
    ]
RepeatStep.model_rebuild()
DoStep.model_rebuild()


class Requirement(FrozenModel):
    """What inputs must be to each other, and the sentence for those that are not."""

    that: ExpressionText
    say: Line


class ProcedureResult(FrozenModel):
    """What comes of a procedure: an expression, and what it is called in print."""

    title: Line | None = None
    """what the result is called wherever it prints"""
    value: ExpressionText
    """such as casualties, or lost - saved"""


def _read_result(value: object) -> object:
    """Returns a result of a procedure; an expression alone becomes a result without a title."""
    if isinstance(value, dict | ProcedureResult):
        return value
    return ProcedureResult.model_construct(value=read_expression(value), title=None)


#: A result as it is written: an expression, or {value: fate, title: What becomes of it}.
ResultText = Annotated[
    ProcedureResult,
    BeforeValidator(
        _read_result,
        json_schema_input_type=Union[ProcedureResult, ExpressionText],  # noqa: UP007
    ),
]


class Procedure(Entity):
    """A short straight program over inputs, dice and tables, and the sentences that tell it."""

    title: Line
    rule: HeadingId | None = None
    """id of the heading where the rule stands in full"""
    inputs: dict[Id, Input] = Field({})
    """what the players bring"""
    requires: tuple[Requirement, ...] = ()
    """what inputs must be together"""
    steps: Annotated[tuple[AnyStep, ...], Field(min_length=1)]
    """what is done, step by step"""
    result: Annotated[dict[Id, ResultText], Field(min_length=1)]
    """what comes of it: {hits: hits}, or {hits: {title: Hits scored, value: hits}}"""


def all_steps(steps: tuple[AnyStep, ...]) -> Iterator[AnyStep]:
    """Yields all steps in order, each followed by the steps inside it, at any depth."""
    return (step for step, _ in addressed_steps(steps, ()))


def addressed_steps(
    steps: tuple[AnyStep, ...], at: tuple[str | int, ...]
) -> Iterator[tuple[AnyStep, tuple[str | int, ...]]]:
    """Yields all steps in order with their addresses, each followed by the steps inside it.

    `at` is the address of the list of steps.
    """
    for index, step in enumerate(steps):
        yield step, (*at, index)
        yield from addressed_steps(step.inner, (*at, index, step.body))


def choices_of(steps: tuple[AnyStep, ...]) -> dict[str, Input]:
    """Returns the decisions of the players in some steps by name; they are inputs as well."""
    return {name: given for step in all_steps(steps) for name, given in step.choices.items()}


def inputs_of(procedure: Procedure) -> list[str]:
    """Returns the names of all inputs of a procedure, including the players' decisions."""
    return [*procedure.inputs, *choices_of(procedure.steps)]
