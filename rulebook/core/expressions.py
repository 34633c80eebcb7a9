"""The tree of an expression -> a typed expression, or problems: every name and type is checked.

Nothing runs here. A text in quotes is read by what stands beside it: a choice of an axis, a roll
target, a length. Numbers are exact: half a die more is not rounded unless the rule says so.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial, reduce
from math import ceil, floor
from typing import Any

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.lookups import Faulty, Lookups, Scope
from rulebook.core.procedure_faults import EmptyCell, NotAllowed, RunFault, Spot
from rulebook.core.value_types import (
    ConditionsKind,
    FacesKind,
    FlagKind,
    Kind,
    LengthKind,
    MixedKind,
    NumberKind,
    TargetKind,
    TextKind,
    Typed,
    UnknownKind,
    WordKind,
    all_or_any,
    applied,
    chosen,
    literal,
    named,
    reached,
    whole,
)
from rulebook.model.cells import Sought
from rulebook.model.expressions import (
    Call,
    Choose,
    Comparison,
    Constant,
    Expression,
    Group,
    LookUp,
    Name,
    Operation,
    Part,
    Tree,
)
from rulebook.model.lengths import read_length
from rulebook.quantities import RollTarget

Real = int | Fraction

#: No score, count or loss of a game comes near this; what goes beyond it grows without end.
LARGEST = 10**12


def bounded(function: Callable[..., Real], spot: Spot) -> Callable[..., Real]:
    """A function whose answer is refused if it is too large, in its value or its fraction."""

    def reckon(*values: Real) -> Real:
        answer = function(*values)
        if not -LARGEST <= answer <= LARGEST or answer.denominator > LARGEST:
            raise RunFault.of("R429 number too large", spot, most=LARGEST)
        return answer

    return reckon


def divided(spot: Spot, *, down: bool) -> Callable[[Real, Real], Real]:
    """`/`, or `//` which goes down to the next whole number."""

    def divide(left: Real, right: Real) -> Real:
        if right == 0:
            raise RunFault.of("R425 division by nothing", spot)
        return left // right if down else whole(Fraction(left) / right)

    return divide


def round_up(value: Real) -> int:
    """To the next whole number away from nothing: 1½ is 2, -1½ is -2."""
    return ceil(value) if value >= 0 else floor(value)


def round_half_up(value: Real) -> int:
    """To the nearest whole number, halves up: 2½ is 3."""
    return floor(value + Fraction(1, 2))


def reaching(
    natural: Callable[[object], bool | None], spot: Spot
) -> Callable[[Real, RollTarget], bool]:
    """Whether a score reaches a target of one score; `natural` decides some scores by itself."""

    def reach(die: Real, target: RollTarget) -> bool:
        if len(target.scores) > 1:
            raise RunFault.of("R425 second throw", spot, target=target)
        decided = natural(die)
        if decided is not None:
            return decided
        return bool(target.scores) and die >= target.scores[0]

    return reach


COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_ADD = {"+": operator.add, "-": operator.sub, "*": operator.mul}
#: Functions of numbers: how many arguments, and what they do.
_OF_NUMBERS: dict[str, tuple[int, int, Callable[..., Any]]] = {
    "min": (2, 20, min),
    "max": (2, 20, max),
    "abs": (1, 1, abs),
    "floor": (1, 1, floor),
    "ceil": (1, 1, ceil),
    "round_up": (1, 1, round_up),
    "round_half_up": (1, 1, round_half_up),
}


def check_expression(
    expression: Expression, scope: Scope, spot: Spot, wanted: Kind | None = None
) -> Typed | None:
    """The typed expression, of the kind that is wanted; None after problems."""
    checker = _Checker(scope, Spot(spot.address, expression))
    with suppress(Faulty):
        typed = checker.read(expression.tree, wanted)
        return typed if wanted is None else checker.expect(typed, expression.tree, wanted)
    return None


def _hint_for(kind: Kind, tree: Tree, wanted: Kind) -> str:
    """What to write where a value is of another kind than is wanted, as far as it can be told."""
    if isinstance(wanted, TargetKind) and isinstance(tree, Constant):
        return f"write {tree.value}+"
    if isinstance(wanted, NumberKind) and isinstance(kind, LengthKind):
        return f"divide it by a length, such as ... / '1{kind.unit}'"
    if not isinstance(wanted, FlagKind):
        return ""
    if isinstance(tree, Constant) and isinstance(tree.value, str):
        return f"write the whole comparison again: ... == '{tree.value}'"
    if isinstance(tree, Name) and isinstance(kind, WordKind) and not kind.table:
        return f"compare it: {tree.id} == '{kind.keys[0]}'"
    if isinstance(tree, Name) and isinstance(kind, NumberKind):
        return f"compare it: {tree.id} > 0"
    return ""


def within_bounds(typed: Typed, spot: Spot) -> Typed:
    """The same number, refused where it grows from pass to pass beyond any of a game."""
    if not isinstance(typed.kind, NumberKind | LengthKind):
        return typed
    return applied(typed.kind, bounded(lambda value: value, spot), typed, written=("bound",))


def in_unit(typed: Typed, kind: LengthKind) -> Typed | None:
    """A length in another unit; None between bases and all others, and for what is no length."""
    if typed.kind == kind:
        return typed
    if not isinstance(typed.kind, LengthKind):
        return None
    unit = value_types.in_unit(quantities.Length(Fraction(1), typed.kind.unit), kind.unit)
    if unit is None:
        return None
    return applied(
        kind, lambda number: whole(Fraction(number) * unit), typed, written=("unit", unit)
    )


class _Checker(Lookups):
    """Checks one expression; every part is looked at, so that all its faults are told."""

    def read(self, tree: Tree, beside: Kind | None = None) -> Typed:
        """The typed tree; a text is read as of the kind beside it. Raises Faulty."""
        match tree:
            case Constant():
                return self._constant(tree, beside)
            case Name() | Part() | LookUp():
                return self._path(tree, beside)
            case Operation():
                return self._operation(tree)
            case Comparison():
                signs = zip(tree.operators, tree.parts, tree.parts[1:], strict=False)
                found = self.all_of(partial(self._pair, *one) for one in signs)
                return found[0] if len(found) == 1 else all_or_any(FlagKind(), found, any_of=False)
            case Choose():
                return self._choose(tree, beside)
            case Call():
                return self._call(tree)
        raise self.fault("R421 several values", tree)

    def _read_all(self, trees: Iterable[Tree], beside: Kind | None = None) -> list[Typed]:
        return self.all_of(partial(self.read, tree, beside) for tree in trees)

    def _expect_all(
        self, typed: Iterable[Typed], trees: Iterable[Tree], wanted: Kind
    ) -> list[Typed]:
        pairs = zip(typed, trees, strict=True)
        return self.all_of(partial(self.expect, one, tree, wanted) for one, tree in pairs)

    def expect(self, typed: Typed, tree: Tree, wanted: Kind) -> Typed:
        """The same if its kind is the one that is wanted."""
        if type(typed.kind) is type(wanted):
            return typed
        hint = _hint_for(typed.kind, tree, wanted)
        raise self.fault(
            "R421 of another kind", tree, kind=typed.kind, wanted=str(wanted), hint=hint
        )

    def _constant(self, tree: Constant, beside: Kind | None) -> Typed:
        value = tree.value
        if isinstance(value, bool):
            return literal(value, FlagKind())
        if not isinstance(value, str):
            return literal(value, NumberKind())
        if beside is None or isinstance(beside, MixedKind | NumberKind):
            # A length needs nothing beside it to be told from a word; but words may look like one.
            length = None if isinstance(beside, MixedKind) else read_length(value)
            if length is not None:
                return literal(whole(length.number), LengthKind(length.unit))
            return literal(value, WordKind((value,)))
        read = value_types.adapted(value, beside)
        if read is not None:
            return literal(read, beside)
        if isinstance(beside, WordKind):
            raise self.fault("R302 none of the choices", tree, value=Sought(value, beside.keys))
        score = re.fullmatch(r"\+?([0-9]{1,3})\+?", value)
        meant = f"write {score[1]}+" if score and isinstance(beside, TargetKind) else ""
        raise self.fault("R421 not of the kind", tree, value=value, kind=beside, near=meant)

    def _path(self, tree: Tree, beside: Kind | None) -> Typed:
        """A name with the keys and parts after it."""
        base = tree
        steps: list[Part | LookUp] = []
        while isinstance(base, Part | LookUp):
            steps.insert(0, base)
            base = base.whole if isinstance(base, Part) else base.table
        if not isinstance(base, Name):
            raise self.fault("R421 nothing looked up", base)
        if isinstance(self.scope.names.get(base.id), UnknownKind):
            raise Faulty
        if base.id in self.scope.names:
            return reduce(self.into, steps, named(base.id, self.scope.names[base.id]))
        if reason := self.scope.unread.get(base.id):
            raise self.fault("R422 cannot be read here", base, name=base.id, reason=reason)
        if base.id in self.scope.sometimes:
            raise self.fault("R422 may not be set", base, name=base.id)
        return self.entity(base, steps, beside)

    def _operation(self, tree: Operation) -> Typed:
        if tree.operator in ("and", "or", "not"):
            flags = self.all_of(partial(self._flag, part) for part in tree.parts)
            if tree.operator == "not":
                return _negated(*flags)
            return all_or_any(FlagKind(), flags, any_of=tree.operator == "or")
        typed = self._read_all(tree.parts)
        if any(isinstance(one.kind, LengthKind) for one in typed):
            return self._lengths(tree, typed)
        self._expect_all(typed, tree.parts, NumberKind())
        return self._reckoned(NumberKind(), tree, typed)

    def _reckoned(self, kind: Kind, tree: Operation, typed: Sequence[Typed]) -> Typed:
        sign = tree.operator if len(typed) > 1 else "neg"
        return applied(kind, self._arithmetic(tree), *typed, written=(sign,))

    def _arithmetic(self, tree: Operation) -> Callable[..., Any]:
        at = self.spot.of(tree)
        if len(tree.parts) == 1:
            return operator.neg
        if tree.operator in ("/", "//"):
            return bounded(divided(at, down=tree.operator == "//"), at)
        plain = _ADD[tree.operator]
        # Sums of numbers that are in bounds stay near them; products are looked at.
        return plain if tree.operator != "*" else bounded(plain, at)

    def _lengths(self, tree: Operation, typed: list[Typed]) -> Typed:
        """Lengths are added to lengths, multiplied and divided by numbers, divided by lengths."""
        kinds, sign = [one.kind for one in typed], tree.operator
        kind = next(one for one in kinds if isinstance(one, LengthKind))
        if len(kinds) == 1:
            return self._reckoned(kind, tree, typed)
        if all(isinstance(one, LengthKind) for one in kinds) and sign != "*":
            alike = self._of_one_unit(typed, tree.parts)
            made = NumberKind() if sign in ("/", "//") else alike[0].kind
            return self._reckoned(made, tree, alike)
        number = isinstance(kinds[-1], NumberKind)
        if sign in ("*", "/") and (number or (sign == "*" and isinstance(kinds[0], NumberKind))):
            return self._reckoned(kind, tree, typed)
        raise self.fault(
            "R421 length and number" if number else "R421 kinds",
            tree,
            one=kinds[0],
            operator=sign,
            other=kinds[-1],
        )

    def _of_one_unit(self, typed: Sequence[Typed], trees: Sequence[Tree]) -> list[Typed]:
        """Values among which a length is, all in the unit of the first that is not written out.

        0 is a length of nothing. Other values are left as they are.
        """
        pairs = list(zip(typed, trees, strict=True))
        lengths = [(one.kind, tree) for one, tree in pairs if isinstance(one.kind, LengthKind)]
        written = [kind for kind, tree in lengths if not isinstance(tree, Constant)]
        kind = next(iter(written or (kind for kind, _ in lengths)), None)
        if kind is None:
            return list(typed)
        return self.all_of(partial(self._as_length, one, tree, kind) for one, tree in pairs)

    def _as_length(self, typed: Typed, tree: Tree, kind: LengthKind) -> Typed:
        if isinstance(tree, Constant) and tree.value == 0 and not isinstance(tree.value, bool):
            return literal(0, kind)
        found = in_unit(typed, kind) if isinstance(typed.kind, LengthKind) else typed
        if found is None:
            raise self.fault("R421 bases and a length", tree, unit=kind.unit)
        return found

    def _flag(self, tree: Tree) -> Typed:
        return self.expect(self.read(tree), tree, FlagKind())

    def _pair(self, sign: str, left: Tree, right: Tree) -> Typed:
        if sign in ("in", "not in"):
            return self._within(left, right, negated=sign == "not in")
        one, other = self._two(left, right)
        if sign in ("==", "!=") or isinstance(one.kind, NumberKind | LengthKind):
            return applied(FlagKind(), COMPARE[sign], one, other, written=(sign,))
        raise self.fault("R421 no order", left, kind=one.kind)

    def _two(self, left: Tree, right: Tree) -> tuple[Typed, Typed]:
        """Two values of one kind; a text on one side is read by the kind of the other."""
        text_first = isinstance(left, Constant) and isinstance(left.value, str)
        first, second = (right, left) if text_first else (left, right)
        try:
            one = self.read(first)
        except Faulty:
            self.read(second)
            raise
        one, other = self._of_one_unit((one, self.read(second, one.kind)), (first, second))
        alike = value_types.joined(one.kind, other.kind)
        words = isinstance(one.kind, WordKind) and isinstance(other.kind, WordKind)
        disjoint = words and not set(one.kind.keys) & set(other.kind.keys)  # type: ignore[attr-defined]
        mixed = isinstance(alike, MixedKind) and not any(
            isinstance(side.kind, MixedKind) for side in (one, other)
        )
        if alike is None or disjoint or mixed:
            raise self.fault(
                "R421 never the same", second, one=one.kind, other=other.kind, wanted=str(one.kind)
            )
        return (other, one) if text_first else (one, other)

    def _within(self, left: Tree, right: Tree, *, negated: bool) -> Typed:
        """`x in ('a', 'b')`, `die in faces`, `'row' in conditions`."""
        if isinstance(right, Group):
            if not right.items:
                raise self.fault("R421 empty brackets", right)
            found = self.all_of(partial(self._pair, "==", left, item) for item in right.items)
            typed = all_or_any(FlagKind(), found, any_of=True)
        else:
            several = self.read(right)
            one = self._item_of(several, left, right)
            typed = applied(FlagKind(), lambda item, of: item in of, one, several, written=("in",))
        return _negated(typed) if negated else typed

    def _item_of(self, several: Typed, left: Tree, right: Tree) -> Typed:
        if isinstance(several.kind, FacesKind):
            return self.expect(self.read(left), left, NumberKind())
        if isinstance(several.kind, ConditionsKind):
            rows = WordKind(several.kind.keys)
            return self.expect(self.read(left, rows), left, rows)
        raise self.fault("R421 nothing in it", right, kind=several.kind)

    def _choose(self, tree: Choose, beside: Kind | None) -> Typed:
        condition, then, otherwise = self.all_of(
            (
                partial(self._flag, tree.condition),
                partial(self.read, tree.then, beside),
                partial(self.read, tree.otherwise, beside),
            )
        )
        then, otherwise = self._of_one_unit((then, otherwise), (tree.then, tree.otherwise))
        kind = value_types.joined(then.kind, otherwise.kind)
        if kind is None and not isinstance(beside, MixedKind):
            written = (Constant, Choose)
            if isinstance(tree.then, written) and isinstance(tree.otherwise, written):
                # A word that looks like a length, beside one that does not.
                return self._choose(tree, MixedKind())
        if kind is None:
            text = TextKind in (type(then.kind), type(otherwise.kind))
            outcomes = "row fates" if text else ""
            raise self.fault(
                "R421 or else", tree, one=then.kind, other=otherwise.kind, outcomes=outcomes
            )
        return chosen(kind, condition, then, otherwise)

    def _call(self, tree: Call) -> Typed:
        if tree.function == "passes":
            return self._passes(tree)
        if tree.function == "has":
            return self._has(tree)
        if tree.function == "allowed":
            return self._allowed(tree)
        if self.asks_conditions(tree):
            return self.of_conditions(tree)
        if tree.function == "count":
            flags = self.all_of(partial(self._flag, argument) for argument in tree.arguments)
            if not flags:
                raise Faulty
            return applied(NumberKind(), lambda *values: sum(values), *flags, written=("count",))
        if tree.function == "sum":
            return self._of_amounts(tree, lambda *values: sum(values), measured=True)
        least, most, function = _OF_NUMBERS[tree.function]
        self._expect_arguments(tree, least, most)
        return self._of_amounts(tree, function, measured=tree.function in ("min", "max", "abs"))

    def _of_amounts(self, tree: Call, function: Callable[..., Any], *, measured: bool) -> Typed:
        """A function of numbers, or where it may be `measured` of lengths."""
        typed = self._read_all(tree.arguments)
        wanted: Kind = NumberKind()
        if measured and any(isinstance(one.kind, LengthKind) for one in typed):
            typed = self._of_one_unit(typed, tree.arguments)
            wanted = next(one.kind for one in typed if isinstance(one.kind, LengthKind))
        self._expect_all(typed, tree.arguments, wanted)
        return applied(wanted, function, *typed, written=(tree.function,))

    def _expect_arguments(self, tree: Call, least: int, most: int) -> None:
        """Raises Faulty where there are fewer or more."""
        name, count = tree.function, len(tree.arguments)
        if least <= count <= most:
            return
        if most == 1:
            raise self.fault("R421 one value", tree, function=name, count=count)
        if most > 3:
            raise self.fault("R421 many values", tree, function=name, count=count, least=least)
        raise self.fault("R421 two or three values", tree, function=name, count=count)

    def _has(self, tree: Call) -> Typed:
        """`has(weapon.scatter)`: whether the cell holds a value."""
        self._expect_arguments(tree, 1, 1)
        (cell,) = tree.arguments
        typed = self.read(cell)
        if isinstance(cell, Part | LookUp):
            return reached(FlagKind(), typed, EmptyCell, "has")
        raise self.fault("R421 has", cell, kind=typed.kind)

    def _allowed(self, tree: Call) -> Typed:
        """`allowed(conditions.rally)`: whether no modifier says `never`."""
        self._expect_arguments(tree, 1, 1)
        (asked,) = tree.arguments
        if self.conditions_of(asked):
            typed, column = self.sum_of_conditions(asked)
            self.scope.findings.asked.add(column)
            return reached(FlagKind(), typed, NotAllowed, "allowed")
        typed = self.read(asked)
        if isinstance(asked, Part | LookUp):
            return reached(FlagKind(), typed, NotAllowed, "allowed")
        raise self.fault("R421 allowed", asked, kind=typed.kind)

    def _passes(self, tree: Call) -> Typed:
        """`passes(die, target)`: natural scores count only where a bare die is given."""
        self._expect_arguments(tree, 2, 2)
        kinds = (NumberKind(), TargetKind())
        die, target = self.all_of(
            (
                partial(self.read, tree.arguments[0]),
                partial(self.read, tree.arguments[1], kinds[1]),
            )
        )
        self.expect(die, tree.arguments[0], kinds[0])
        self.expect(target, tree.arguments[1], kinds[1])
        bare = isinstance(die.kind, NumberKind) and die.kind.die
        if self.scope.ruleset.header.natural and not bare:
            raise self.fault("R421 natural score", tree.arguments[0])
        self.scope.findings.looks_up("header", "natural")
        reach = reaching(self.scope.natural, self.spot.of(tree))
        return applied(FlagKind(), reach, die, target, written=("passes",))


def _negated(flag: Typed) -> Typed:
    return applied(FlagKind(), lambda value: not value, flag, written=("not",))
