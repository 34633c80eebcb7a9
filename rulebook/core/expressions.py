"""The tree of an expression -> a typed expression, or problems: every name and type is checked.

Nothing runs here. A text in quotes is read by what stands beside it: a choice of an axis, a roll
target, a length.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.faults import RunFault, Spot
from rulebook.core.lookups import Lookups, Scope
from rulebook.core.value_types import (
    ConditionsKind,
    FacesKind,
    FlagKind,
    Kind,
    LengthKind,
    MixedKind,
    NumberKind,
    TargetKind,
    Typed,
    WordKind,
    all_or_any,
    applied,
    chosen,
    literal,
    named,
    reached,
    whole,
)
from rulebook.model import expressions
from rulebook.model.cells import Sought
from rulebook.model.expressions import Tree
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

_ADD: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}
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
    expression: expressions.Expression,
    scope: Scope,
    spot: Spot,
    wanted: Kind | None = None,
) -> Typed | None:
    """The typed expression, of the kind that is wanted; None after problems."""
    here = Spot(spot.address, expression)
    checker = _Checker(scope, here)
    typed = checker.read(expression.tree, wanted)
    if typed is None or wanted is None:
        return typed
    return checker.expect(typed, expression.tree, wanted)


def _hint_for(kind: Kind, tree: Tree, wanted: Kind) -> str:
    """What to write where a value is of another kind than is wanted, as far as it can be told."""
    if isinstance(wanted, TargetKind) and isinstance(tree, expressions.Constant):
        return f"write {tree.value}+"
    if isinstance(wanted, NumberKind) and isinstance(kind, LengthKind):
        return f"divide it by a length, such as ... / '1{kind.unit}'"
    if not isinstance(wanted, FlagKind):
        return ""
    if isinstance(tree, expressions.Constant) and isinstance(tree.value, str):
        return f"write the whole comparison again: ... == '{tree.value}'"
    if isinstance(tree, expressions.Name) and isinstance(kind, WordKind) and not kind.table:
        return f"compare it: {tree.id} == '{kind.keys[0]}'"
    if isinstance(tree, expressions.Name) and isinstance(kind, NumberKind):
        return f"compare it: {tree.id} > 0"
    return ""


def within_bounds(typed: Typed, spot: Spot) -> Typed:
    """The same number, refused where it grows from pass to pass beyond any of a game."""
    if not isinstance(typed.kind, NumberKind | LengthKind):
        return typed
    return applied(typed.kind, bounded(lambda value: value, spot), typed)


def in_unit(typed: Typed, kind: LengthKind) -> Typed | None:
    """A length in another unit; None between bases and all others, and for what is no length."""
    if typed.kind == kind:
        return typed
    if not isinstance(typed.kind, LengthKind):
        return None
    unit = value_types.in_unit(quantities.Length(Fraction(1), typed.kind.unit), kind.unit)
    if unit is None:
        return None
    return applied(kind, lambda number: value_types.whole(Fraction(number) * unit), typed)


@dataclass(slots=True)
class _Checker:
    scope: Scope
    spot: Spot

    def _fault(self, key: str, piece: expressions.Piece, /, **values: Any) -> None:
        self.scope.findings.add(key, self.spot.of(piece), **values)

    def read(self, tree: Tree, beside: Kind | None = None) -> Typed | None:
        """The typed tree; a text is read as of the kind beside it."""
        match tree:
            case expressions.Constant():
                return self._constant(tree, beside)
            case expressions.Name() | expressions.Part() | expressions.LookUp():
                return self._path(tree, beside)
            case expressions.Operation():
                return self._operation(tree)
            case expressions.Comparison():
                return self._comparison(tree)
            case expressions.Choose():
                return self._choose(tree, beside)
            case expressions.Call():
                return self._call(tree)
        self._fault("R421 several values", tree)
        return None

    def expect(self, typed: Typed, tree: Tree, wanted: Kind) -> Typed | None:
        """The same if its kind is the one that is wanted."""
        if type(typed.kind) is type(wanted):
            return typed
        hint = _hint_for(typed.kind, tree, wanted)
        self._fault("R421 of another kind", tree, kind=typed.kind, wanted=str(wanted), hint=hint)
        return None

    def _constant(self, tree: expressions.Constant, beside: Kind | None) -> Typed | None:
        value = tree.value
        if isinstance(value, bool):
            return literal(value, FlagKind())
        if not isinstance(value, str):
            return literal(value, NumberKind())
        if beside is None or isinstance(beside, MixedKind | NumberKind):
            # A length needs nothing beside it to be told from a word; but words may look like one.
            length = None if isinstance(beside, MixedKind) else value_types.length_of(value)
            if length is not None:
                return literal(value_types.whole(length.number), LengthKind(length.unit))
            return literal(value, WordKind((value,)))
        read = value_types.adapted(value, beside)
        if read is not None:
            return literal(read, beside)
        if isinstance(beside, WordKind):
            self._fault("R302 none of the choices", tree, value=Sought(value, beside.keys))
        else:
            score = re.fullmatch(r"\+?([0-9]{1,3})\+?", value)
            meant = f"write {score[1]}+" if score and isinstance(beside, TargetKind) else ""
            self._fault("R421 not of the kind", tree, value=value, kind=beside, near=meant)
        return None

    def _path(self, tree: Tree, beside: Kind | None) -> Typed | None:
        """A name with the keys and parts after it."""
        base = tree
        steps: list[expressions.Part | expressions.LookUp] = []
        while isinstance(base, expressions.Part | expressions.LookUp):
            steps.insert(0, base)
            base = base.whole if isinstance(base, expressions.Part) else base.table
        lookups = Lookups(self.scope, self.spot, self.read)
        if not isinstance(base, expressions.Name):
            self._fault("R421 nothing looked up", base)
            return None
        if base.id in self.scope.names:
            typed: Typed | None = named(base.id, self.scope.names[base.id])
            for step in steps:
                typed = lookups.into(typed, step) if typed else None
            return typed
        if reason := self.scope.unread.get(base.id):
            self._fault("R422 cannot be read here", base, name=base.id, reason=reason)
            return None
        if base.id in self.scope.sometimes:
            self._fault("R422 may not be set", base, name=base.id)
            return None
        return lookups.entity(base, steps, beside)

    def _operation(self, tree: expressions.Operation) -> Typed | None:
        if tree.operator in ("and", "or", "not"):
            return self._logic(tree)
        read = [self.read(part) for part in tree.parts]
        if any(one is None for one in read):
            return None
        typed = [one for one in read if one]
        if any(isinstance(one.kind, LengthKind) for one in typed):
            return self._lengths(tree, typed)
        numbers = [
            self.expect(one, part, NumberKind())
            for one, part in zip(typed, tree.parts, strict=True)
        ]
        if any(one is None for one in numbers):
            return None
        return applied(NumberKind(), self._reckoning(tree), *typed)

    def _reckoning(self, tree: expressions.Operation) -> Callable[..., Any]:
        at = self.spot.of(tree)
        if len(tree.parts) == 1:
            return lambda value: -value
        if tree.operator in ("/", "//"):
            return bounded(divided(at, down=tree.operator == "//"), at)
        plain = _ADD[tree.operator]
        # Sums of numbers that are in bounds stay near them; products are looked at.
        return plain if tree.operator != "*" else bounded(plain, at)

    def _lengths(self, tree: expressions.Operation, typed: list[Typed]) -> Typed | None:
        """Lengths are added to lengths, multiplied and divided by numbers, divided by lengths."""
        kinds = [one.kind for one in typed]
        kind = next(one for one in kinds if isinstance(one, LengthKind))
        operator = tree.operator
        both = (
            len(kinds) == 2
            and isinstance(kinds[0], LengthKind)
            and isinstance(kinds[1], LengthKind)
        )
        if len(kinds) == 1:
            return applied(kind, self._reckoning(tree), *typed)
        if both and operator != "*":
            alike = self._of_one_unit(typed, tree.parts)
            if alike is None:
                return None
            ratio = operator in ("/", "//")
            return applied(NumberKind() if ratio else alike[0].kind, self._reckoning(tree), *alike)
        number = isinstance(kinds[-1], NumberKind) or (
            operator == "*" and isinstance(kinds[0], NumberKind)
        )
        if operator in ("*", "/") and number:
            return applied(kind, self._reckoning(tree), *typed)
        self._fault(
            "R421 length and number" if isinstance(kinds[-1], NumberKind) else "R421 kinds",
            tree,
            one=kinds[0],
            operator=operator,
            other=kinds[-1],
        )
        return None

    def _of_one_unit(self, typed: Sequence[Typed], trees: Sequence[Tree]) -> list[Typed] | None:
        """Values among which a length is, all in the unit of the first that is not written out.

        0 is a length of nothing. Other values are left as they are.
        """
        pairs = list(zip(typed, trees, strict=True))
        lengths = [(one.kind, tree) for one, tree in pairs if isinstance(one.kind, LengthKind)]
        written = [kind for kind, tree in lengths if not isinstance(tree, expressions.Constant)]
        kind = next(iter(written or (kind for kind, _ in lengths)), None)
        if kind is None:
            return list(typed)
        alike = [self._as_length(one, tree, kind) for one, tree in pairs]
        return None if None in alike else [one for one in alike if one]

    def _as_length(self, typed: Typed, tree: Tree, kind: LengthKind) -> Typed | None:
        if (
            isinstance(tree, expressions.Constant)
            and tree.value == 0
            and not isinstance(tree.value, bool)
        ):
            return literal(0, kind)
        found = in_unit(typed, kind) if isinstance(typed.kind, LengthKind) else typed
        if found is None:
            self._fault("R421 bases and a length", tree, unit=kind.unit)
        return found

    def _logic(self, tree: expressions.Operation) -> Typed | None:
        read = [self._flag(part) for part in tree.parts]
        if any(one is None for one in read):
            return None
        typed = [one for one in read if one]
        if tree.operator == "not":
            return applied(FlagKind(), lambda value: not value, *typed)
        return all_or_any(FlagKind(), typed, any_of=tree.operator == "or")

    def _flag(self, tree: Tree) -> Typed | None:
        typed = self.read(tree)
        return self.expect(typed, tree, FlagKind()) if typed else None

    def _comparison(self, tree: expressions.Comparison) -> Typed | None:
        pairs = zip(tree.operators, tree.parts, tree.parts[1:], strict=False)
        found = [self._pair(operator, left, right) for operator, left, right in pairs]
        typed = [one for one in found if one]
        if len(typed) < len(found):
            return None
        return typed[0] if len(typed) == 1 else all_or_any(FlagKind(), typed, any_of=False)

    def _pair(self, operator: str, left: Tree, right: Tree) -> Typed | None:
        if operator in ("in", "not in"):
            return self._within(left, right, negated=operator == "not in")
        sides = self._two(left, right)
        if sides is None:
            return None
        one, other = sides
        ordered = isinstance(one.kind, NumberKind | LengthKind)
        if operator in ("==", "!=") or ordered:
            return applied(FlagKind(), COMPARE[operator], one, other)
        self._fault("R421 no order", left, kind=one.kind)
        return None

    def _two(self, left: Tree, right: Tree) -> tuple[Typed, Typed] | None:
        """Two values of one kind; a text on one side is read by the kind of the other."""
        text_first = isinstance(left, expressions.Constant) and isinstance(left.value, str)
        first, second = (right, left) if text_first else (left, right)
        one = self.read(first)
        if one is None:
            self.read(second)
            return None
        other = self.read(second, one.kind)
        if other is None:
            return None
        measured = self._of_one_unit((one, other), (first, second))
        if measured is None:
            return None
        one, other = measured
        alike = value_types.joined(one.kind, other.kind)
        disjoint = (
            isinstance(one.kind, WordKind)
            and isinstance(other.kind, WordKind)
            and not set(one.kind.keys) & set(other.kind.keys)
        )
        mixed = isinstance(alike, MixedKind) and MixedKind not in (
            type(one.kind),
            type(other.kind),
        )
        if alike is None or disjoint or mixed:
            self._fault(
                "R421 never the same", second, one=one.kind, other=other.kind, wanted=str(one.kind)
            )
            return None
        return (other, one) if text_first else (one, other)

    def _within(self, left: Tree, right: Tree, *, negated: bool) -> Typed | None:
        """`x in ('a', 'b')`, `die in faces`, `'row' in conditions`."""
        if isinstance(right, expressions.Group):
            pairs = [self._pair("==", left, item) for item in right.items]
            found = [one for one in pairs if one]
            if not pairs:
                self._fault("R421 empty brackets", right)
            if len(found) < len(pairs) or not found:
                return None
            typed = all_or_any(FlagKind(), found, any_of=True)
        else:
            several = self.read(right)
            one = self._item_of(several, left, right) if several else None
            if one is None or several is None:
                return None
            typed = applied(FlagKind(), lambda item, of: item in of, one, several)
        return applied(FlagKind(), lambda value: not value, typed) if negated else typed

    def _item_of(self, several: Typed, left: Tree, right: Tree) -> Typed | None:
        if isinstance(several.kind, FacesKind):
            one = self.read(left)
            return self.expect(one, left, NumberKind()) if one else None
        if isinstance(several.kind, ConditionsKind):
            rows = WordKind(several.kind.keys)
            one = self.read(left, rows)
            return self.expect(one, left, rows) if one else None
        self._fault("R421 nothing in it", right, kind=several.kind)
        return None

    def _choose(self, tree: expressions.Choose, beside: Kind | None) -> Typed | None:
        condition = self._flag(tree.condition)
        then, otherwise = (self.read(part, beside) for part in (tree.then, tree.otherwise))
        if condition is None or then is None or otherwise is None:
            return None
        measured = self._of_one_unit((then, otherwise), (tree.then, tree.otherwise))
        if measured is None:
            return None
        then, otherwise = measured
        kind = value_types.joined(then.kind, otherwise.kind)
        if kind is None and not isinstance(beside, MixedKind):
            written = (expressions.Constant, expressions.Choose)
            if isinstance(tree.then, written) and isinstance(tree.otherwise, written):
                # A word that looks like a length, beside one that does not.
                return self._choose(tree, MixedKind())
        if kind is None:
            self._fault("R421 or else", tree, one=then.kind, other=otherwise.kind)
            return None
        return chosen(kind, condition, then, otherwise)

    def _call(self, tree: expressions.Call) -> Typed | None:
        if tree.function == "passes":
            return self._passes(tree)
        if tree.function == "has":
            return self._has(tree)
        lookups = Lookups(self.scope, self.spot, self.read)
        if lookups.asks_conditions(tree):
            return lookups.of_conditions(tree)
        if tree.function in ("sum", "count"):
            return self._tally(tree)
        least, most, function = _OF_NUMBERS[tree.function]
        if not self._right_number(tree, least, most):
            return None
        return self._of_amounts(tree, function, measured=tree.function in ("min", "max", "abs"))

    def _of_amounts(
        self, tree: expressions.Call, function: Callable[..., Any], *, measured: bool
    ) -> Typed | None:
        """A function of numbers, or where it may be `measured` of lengths."""
        read = [self.read(argument) for argument in tree.arguments]
        typed = [one for one in read if one]
        if len(typed) < len(read):
            return None
        if not measured or not any(isinstance(one.kind, LengthKind) for one in typed):
            wanted: Kind = NumberKind()
        else:
            alike = self._of_one_unit(typed, tree.arguments)
            if alike is None:
                return None
            typed = alike
            wanted = next(one.kind for one in typed if isinstance(one.kind, LengthKind))
        kept = [
            self.expect(one, argument, wanted)
            for one, argument in zip(typed, tree.arguments, strict=True)
        ]
        return None if None in kept else applied(wanted, function, *typed)

    def _right_number(self, tree: expressions.Call, least: int, most: int) -> bool:
        if least <= len(tree.arguments) <= most:
            return True
        name, count = tree.function, len(tree.arguments)
        if most == 1:
            self._fault("R421 one value", tree, function=name, count=count)
        elif most > 3:
            self._fault("R421 many values", tree, function=name, count=count, least=least)
        else:
            self._fault("R421 two or three values", tree, function=name, count=count)
        return False

    def _tally(self, tree: expressions.Call) -> Typed | None:
        """`count(a, b)`: how many of some flags hold; `sum(a, b)`: of some numbers."""
        if tree.function == "sum":
            return self._of_amounts(tree, lambda *values: sum(values), measured=True)
        flags = [self._flag(argument) for argument in tree.arguments]
        if not flags or any(flag is None for flag in flags):
            return None
        return applied(NumberKind(), lambda *values: sum(values), *(one for one in flags if one))

    def _has(self, tree: expressions.Call) -> Typed | None:
        """`has(weapon.scatter)`: whether the cell holds a value."""
        if not self._right_number(tree, 1, 1):
            return None
        (cell,) = tree.arguments
        typed = self.read(cell)
        if typed is None or isinstance(cell, expressions.Part | expressions.LookUp):
            return reached(FlagKind(), typed) if typed else None
        self._fault("R421 has", cell, kind=typed.kind)
        return None

    def _passes(self, tree: expressions.Call) -> Typed | None:
        """`passes(die, target)`: natural scores count only where a bare die is given."""
        if not self._right_number(tree, 2, 2):
            return None
        die, target = (
            self.read(tree.arguments[0]),
            self.read(tree.arguments[1], TargetKind()),
        )
        if die is None or target is None:
            return None
        if not self.expect(die, tree.arguments[0], NumberKind()):
            return None
        if not self.expect(target, tree.arguments[1], TargetKind()):
            return None
        bare = isinstance(die.kind, NumberKind) and die.kind.die
        if self.scope.ruleset.header.natural and not bare:
            self._fault("R421 natural score", tree.arguments[0])
            return None
        self.scope.findings.looks_up("header", "natural")
        reach = reaching(self.scope.natural, self.spot.of(tree))
        return applied(FlagKind(), reach, die, target)
