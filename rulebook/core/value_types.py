"""The kinds of values in a procedure, and typed expressions of them, to be bound to names at hand.

At run time a number is an int or Fraction, a choice or row its key, a length a number of its unit,
a target a RollTarget, faces a set of scores, conditions a tuple of row ids. An expression is bound
to a layout, which says where in a state the values of names stand; what does not depend on the
state is reckoned once, when it is bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import itemgetter
from typing import Any

from rulebook import quantities
from rulebook.core.procedure_faults import RunFault
from rulebook.model.cells import some_words

Value = (
    int
    | Fraction
    | bool
    | str
    | quantities.RollTarget
    | quantities.Dice
    | frozenset[int]
    | tuple[str, ...]
)


@dataclass(frozen=True, slots=True)
class Kind:
    """The type of a value."""

    def __str__(self) -> str:
        return _NAMES[type(self)]


@dataclass(frozen=True, slots=True)
class NumberKind(Kind):
    """A count, ratio, modifier or score; `die` is the number of sides where it is one bare die."""

    die: int = 0


@dataclass(frozen=True, slots=True)
class FlagKind(Kind):
    """True or false."""


@dataclass(frozen=True, slots=True)
class WordKind(Kind):
    """One of the keys of an axis, a list or a table; `table` where it is a row with fields.

    `titles` are what keys are called in print where that is more than the words of the key.
    """

    keys: tuple[str, ...]
    table: str = ""
    titles: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        if self.table:
            return f"a row of '{self.table}'"
        several = len(self.keys) > 1
        return f"one of {some_words(self.keys)}" if several else f"the word '{self.keys[0]}'"


@dataclass(frozen=True, slots=True)
class TextKind(Kind):
    """A text of a table, of which nothing is known but that it is one."""


@dataclass(frozen=True, slots=True)
class TargetKind(Kind):
    """A roll target."""


@dataclass(frozen=True, slots=True)
class FacesKind(Kind):
    """A set of faces of a die."""


@dataclass(frozen=True, slots=True)
class DiceKind(Kind):
    """Dice to be thrown."""


@dataclass(frozen=True, slots=True)
class LengthKind(Kind):
    """A distance, as a number of this length unit."""

    unit: quantities.LengthUnit

    def __str__(self) -> str:
        return f"a length ({self.unit})"


@dataclass(frozen=True, slots=True)
class ConditionsKind(Kind):
    """Any of some rows of a modifier table."""

    table: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MixedKind(Kind):
    """A number in some cases and a word in others: only a result, or compared for equality."""

    titles: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class UnknownKind(Kind):
    """Of what was given a faulty value, which has been told: nothing more is said of it."""


_NAMES: dict[type[Kind], str] = {
    UnknownKind: "unknown",
    NumberKind: "a number",
    FlagKind: "true or false",
    TextKind: "a text",
    TargetKind: "a roll target",
    FacesKind: "faces of a die",
    DiceKind: "dice",
    ConditionsKind: "conditions",
    MixedKind: "a number or a word",
}


#: What is expected where kinds do not meet.
ONE_KIND = (
    "one kind of value; words are listed as the rows of a table, fates, and then named: fates.flees"
)
_SUCH = {FlagKind: "die > 3", TargetKind: "'4+'", DiceKind: "2d6", LengthKind: "'6in'"}


def wanted(kind: Kind) -> str:
    """A kind where another stands, with an example."""
    such = _SUCH.get(type(kind))
    return f"{kind}, such as {such}" if such else str(kind)


def joined(one: Kind, other: Kind) -> Kind | None:
    """The kind of a value that is of one kind in some cases and of another in others, if any."""
    if one == other or isinstance(other, UnknownKind):
        return one
    if isinstance(one, UnknownKind):
        return other
    if isinstance(one, NumberKind) and isinstance(other, NumberKind):
        return NumberKind()
    if isinstance(one, WordKind) and isinstance(other, WordKind):
        keys = tuple(dict.fromkeys((*one.keys, *other.keys)))
        titles = titles_of(one) | titles_of(other)
        return WordKind(keys, one.table if one.table == other.table else "", titles)
    if isinstance(one, NumberKind | WordKind | MixedKind) and isinstance(
        other, NumberKind | WordKind | MixedKind
    ):
        return MixedKind(titles_of(one) | titles_of(other))
    return None


def titles_of(kind: Kind) -> dict[str, str]:
    """What words of a kind are called in print, as far as they have titles."""
    return dict(kind.titles) if isinstance(kind, WordKind | MixedKind) else {}


def adapted(text: str, kind: Kind) -> Value | None:
    """A text in quotes as a value of the kind that is wanted where it stands; None if it is none.

    `'4+'` is a roll target beside a target, `'12in'` a length beside a length.
    """
    try:
        if isinstance(kind, TargetKind):
            return quantities.parse_roll_target(text)
        if isinstance(kind, LengthKind):
            length = quantities.parse_length(text)
            return in_unit(length, kind.unit)
        if isinstance(kind, FacesKind):
            return frozenset() if text == "none" else quantities.parse_faces(text).scores
        if isinstance(kind, DiceKind):
            return quantities.parse_dice(text)
    except quantities.QuantityError:
        return None
    if isinstance(kind, WordKind):
        return text if text in kind.keys else None
    return text if isinstance(kind, TextKind | MixedKind) else None


def in_unit(length: quantities.Length, unit: quantities.LengthUnit) -> int | Fraction | None:
    """A length as a number of another unit; None between bases and all others."""
    if length.unit == unit:
        return whole(length.number)
    if "base" in (length.unit, unit):
        return None
    return whole(length.mm / quantities.MILLIMETRES[unit])


def whole(number: int | Fraction) -> int | Fraction:
    """A fraction that is whole as an int: ints are faster, and equal."""
    return int(number) if number.denominator == 1 else number


def normal(value: Any) -> Any:
    """A value as it is compared and printed: fractions that are whole are ints."""
    # Not isinstance(): it is slow to say no of an abstract number, and is asked of every value.
    return whole(value) if type(value) is Fraction else value


def told(value: Any) -> str:
    """A value in words of a report."""
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return quantities.format_number(value)
    return str(value)


#: The values of names in the order of a layout.
State = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Frame:
    """What is known of names where an expression is bound: values, or places in the state."""

    constants: Mapping[str, Any]
    layout: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Bound:
    """An expression bound to a layout; `value` is that of all states if it is `constant`."""

    run: Callable[[State], Any]
    constant: bool = False
    value: Any = None


def constant(value: Any) -> Bound:
    return Bound(lambda state: value, True, value)


#: An operation by its name, with what it needs. `core.told_programs` makes JSON of it.
Written = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression that has been checked: the kind of its value, the names that it reads.

    `written` is what it does, for those who cannot call Python: the name of an operation, what it
    needs, and the same of the parts.
    """

    kind: Kind
    names: frozenset[str]
    bind: Callable[[Frame], Bound]
    written: Written = field(compare=False)


def _made(
    kind: Kind, bind: Callable[[Frame], Bound], written: Written, parts: Sequence[Typed]
) -> Typed:
    names = frozenset[str]().union(*(part.names for part in parts))
    return Typed(kind, names, bind, (*written, *(part.written for part in parts)))


def literal(value: Any, kind: Kind) -> Typed:
    bound = constant(value)
    return Typed(kind, frozenset(), lambda frame: bound, ("=", value))


def named(name: str, kind: Kind) -> Typed:
    def bind(frame: Frame) -> Bound:
        if name in frame.constants:
            return constant(frame.constants[name])
        return Bound(itemgetter(frame.layout[name]))

    return Typed(kind, frozenset((name,)), bind, ("name", name))


def applied(kind: Kind, function: Callable[..., Any], *parts: Typed, written: Written) -> Typed:
    """A function of the values of some parts, all of which are always reckoned.

    `written` is the operation that the function does, without its parts.
    """

    def bind(frame: Frame) -> Bound:
        bounds = [part.bind(frame) for part in parts]
        if all(bound.constant for bound in bounds):
            return _folded(function, bounds)
        return Bound(_closure(function, bounds))

    return _made(kind, bind, written, parts)


def _folded(function: Callable[..., Any], bounds: Sequence[Bound]) -> Bound:
    values = [bound.value for bound in bounds]
    try:
        return constant(function(*values))
    except RunFault:
        # It may stand where it is never reckoned, so it fails when it is.
        return Bound(lambda state: function(*values))


def _closure(function: Callable[..., Any], bounds: Sequence[Bound]) -> Callable[[State], Any]:
    runs = [bound.run for bound in bounds]
    if len(runs) == 1:
        (only,) = runs
        return lambda state: function(only(state))
    if len(runs) == 2:
        first, second = runs
        if bounds[1].constant:
            value = bounds[1].value
            return lambda state: function(first(state), value)
        if bounds[0].constant:
            value = bounds[0].value
            return lambda state: function(value, second(state))
        return lambda state: function(first(state), second(state))
    return lambda state: function(*[run(state) for run in runs])


def chosen(kind: Kind, condition: Typed, then: Typed, otherwise: Typed) -> Typed:
    """`then if condition else otherwise`: only one of the two is reckoned."""

    def bind(frame: Frame) -> Bound:
        which, yes, no = (part.bind(frame) for part in (condition, then, otherwise))
        if which.constant:
            return yes if which.value else no
        holds, run_yes, run_no = which.run, yes.run, no.run
        return Bound(lambda state: run_yes(state) if holds(state) else run_no(state))

    return _made(kind, bind, ("if",), (condition, then, otherwise))


def reached(part: Typed, barrier: type[RunFault], written: str) -> Typed:
    """Whether a value can be had: false where it meets a barrier, such as an empty cell."""

    def bind(frame: Frame) -> Bound:
        bound = part.bind(frame)
        if bound.constant:
            return constant(True)
        run = bound.run

        def there(state: State) -> bool:
            try:
                run(state)
            except barrier:
                return False
            return True

        if any(name not in frame.constants for name in part.names):
            return Bound(there)
        try:
            return constant(there(()))
        except RunFault:
            return Bound(there)

    return _made(FlagKind(), bind, (written,), (part,))


def all_or_any(parts: Sequence[Typed], *, any_of: bool) -> Typed:
    """`and` (or with `any_of` `or`): parts after the one that decides are not evaluated."""

    def bind(frame: Frame) -> Bound:
        bounds = []
        for part in parts:
            bound = part.bind(frame)
            if not bound.constant:
                bounds.append(bound.run)
            elif bool(bound.value) is any_of and not bounds:
                return constant(any_of)
            elif bool(bound.value) is any_of:
                bounds.append(bound.run)
                break
        if not bounds:
            return constant(not any_of)
        runs = tuple(bounds)
        if any_of:
            return Bound(lambda state: any(run(state) for run in runs))
        return Bound(lambda state: all(run(state) for run in runs))

    return _made(FlagKind(), bind, ("or" if any_of else "and",), parts)
