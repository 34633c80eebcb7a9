"""The tree of an expression -> a typed expression, or problems: every name and type is checked.

Nothing runs here. A text in quotes is read by what stands beside it: a choice of an axis, a roll
target, a length. Numbers are exact: half a die more is not rounded unless the rule says so.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
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
from rulebook.model.ruleset import Ruleset
from rulebook.quantities import RollTarget, read_length

Real = int | Fraction

#: No score, count or loss of a game comes near this; what goes beyond it grows without end.
LARGEST = 10**12


def bounded(function: Callable[..., Real], spot: Spot) -> Callable[..., Real]:
    """A function whose answer is refused if it is too large, in its value or its fraction."""

    def answer(*values: Real) -> Real:
        found = function(*values)
        if not -LARGEST <= found <= LARGEST or found.denominator > LARGEST:
            what, expected = "a number grows beyond any of a game", f"numbers up to {LARGEST:,}"
            raise RunFault("R429", what, spot, expected)
        return found

    return answer


def divided(spot: Spot, *, down: bool) -> Callable[[Real, Real], Real]:
    """`/`, or `//` which goes down to the next whole number."""

    def divide(left: Real, right: Real) -> Real:
        if right == 0:
            expected = "another number than 0 below the line"
            raise RunFault("R425", "a division by nothing", spot, expected)
        return left // right if down else whole(Fraction(left) / right)

    return divide


def round_up(value: Real) -> int:
    """To the next whole number away from nothing: 1½ is 2, -1½ is -2."""
    return ceil(value) if value >= 0 else floor(value)


def round_half_up(value: Real) -> int:
    """To the nearest whole number, halves up: 2½ is 3."""
    return floor(value + Fraction(1, 2))


def _total(*values: Real) -> Real:
    return sum(values)


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ADD = {"+": operator.add, "-": operator.sub, "*": operator.mul}
#: Functions of numbers, of one or of two and more; some are functions of lengths as well.
_OF_ONE: dict[str, Callable[..., Real]] = {
    "abs": abs,
    "floor": floor,
    "ceil": ceil,
    "round_up": round_up,
    "round_half_up": round_half_up,
}
_OF_SEVERAL: dict[str, Callable[..., Real]] = {"min": min, "max": max, "sum": _total}
_OF_LENGTHS = ("abs", *_OF_SEVERAL)


def check_expression(
    expression: Expression, scope: Scope, spot: Spot, wanted: Kind | None = None
) -> Typed | None:
    """The typed expression, of the kind that is wanted; None after problems."""
    checker = _Checker(scope, Spot(spot.address, expression))
    with suppress(Faulty):
        typed = checker.read(expression.tree, wanted)
        return typed if wanted is None else checker.expect(typed, expression.tree, wanted)
    return None


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
                return found[0] if len(found) == 1 else all_or_any(found, any_of=False)
            case Choose():
                return self._choose(tree, beside)
            case Call():
                return self._call(tree)
        raise self.unlike(tree, "a list of values", "one value, or several behind 'in'")

    def expect(self, typed: Typed, tree: Tree, wanted: Kind) -> Typed:
        """The same if its kind is the one that is wanted."""
        if type(typed.kind) is type(wanted):
            return typed
        raise self.unlike(tree, typed.kind, value_types.wanted(wanted))

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
            raise self.unknown(tree, value, beside.keys, "the choices")
        raise self.unlike(tree, f"'{value:.40}'", value_types.wanted(beside))

    def _path(self, tree: Tree, beside: Kind | None) -> Typed:
        """A name with the keys and parts after it."""
        base = tree
        steps: list[Part | LookUp] = []
        while isinstance(base, Part | LookUp):
            steps.insert(0, base)
            base = base.whole if isinstance(base, Part) else base.table
        if not isinstance(base, Name):
            raise self.unlike(base, "no name", "a name before keys in brackets")
        name = base.id
        if isinstance(self.scope.names.get(name), UnknownKind):
            raise Faulty
        if name in self.scope.names:
            return reduce(self.into, steps, named(name, self.scope.names[name]))
        if reason := self.scope.unread.get(name):
            raise self.fault("R422", f"'{name}' cannot be read here", base, reason)
        if name in self.scope.sometimes:
            what = f"'{name}' is read here, and is not always set by then"
            raise self.fault("R422", what, base, "a name that is set whichever steps were taken")
        return self.entity(base, steps, beside)

    def _operation(self, tree: Operation) -> Typed:
        sign, parts = tree.operator, tree.parts
        if sign in ("and", "or", "not"):
            flags = self.all_of(partial(self._flag, part) for part in parts)
            return _negated(*flags) if sign == "not" else all_or_any(flags, any_of=sign == "or")
        typed = self.all_of(partial(self.read, part) for part in parts)
        kinds = [one.kind for one in typed]
        kind: Kind = NumberKind()
        if not any(isinstance(one, LengthKind) for one in kinds):
            self._expect_all(typed, parts, kind)
        elif len(kinds) == 1:
            kind = kinds[0]
        elif all(isinstance(one, LengthKind) for one in kinds) and sign != "*":
            typed = self._of_one_unit(typed, parts)
            kind = kind if sign in ("/", "//") else typed[0].kind
        elif sign == "*" and NumberKind in map(type, kinds):
            kind = next(one for one in kinds if isinstance(one, LengthKind))
        elif sign == "/" and isinstance(kinds[1], NumberKind):
            kind = kinds[0]
        else:
            such = "lengths added, taken away or divided, or a length times a number"
            raise self.unlike(tree, f"{kinds[0]} {sign} {kinds[1]}", such)
        written = (sign if len(typed) > 1 else "neg",)
        return applied(kind, self._arithmetic(tree), *typed, written=written)

    def _expect_all(self, typed: Sequence[Typed], trees: Sequence[Tree], wanted: Kind) -> None:
        pairs = zip(typed, trees, strict=True)
        self.all_of(partial(self.expect, one, tree, wanted) for one, tree in pairs)

    def _arithmetic(self, tree: Operation) -> Callable[..., Any]:
        at = self.spot.of(tree)
        if len(tree.parts) == 1:
            return operator.neg
        if tree.operator in ("/", "//"):
            return bounded(divided(at, down=tree.operator == "//"), at)
        plain = _ADD[tree.operator]
        # Sums of numbers that are in bounds stay near them; products are looked at.
        return plain if tree.operator != "*" else bounded(plain, at)

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
            raise self.unlike(tree, typed.kind, kind)
        return found

    def _flag(self, tree: Tree) -> Typed:
        return self.expect(self.read(tree), tree, FlagKind())

    def _pair(self, sign: str, left: Tree, right: Tree) -> Typed:
        if sign in ("in", "not in"):
            return self._within(left, right, negated=sign == "not in")
        first, second = self._two(left, right)
        if sign in ("==", "!=") or isinstance(first.kind, NumberKind | LengthKind):
            return applied(FlagKind(), _COMPARE[sign], first, second, written=(sign,))
        raise self.unlike(left, first.kind, f"a number before {sign}")

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
        kinds = (one.kind, other.kind)
        alike = value_types.joined(*kinds)
        words = [set(kind.keys) for kind in kinds if isinstance(kind, WordKind)]
        disjoint = len(words) == 2 and not words[0] & words[1]
        if alike is None or disjoint or (isinstance(alike, MixedKind) and alike not in kinds):
            raise self.unlike(second, kinds[1], kinds[0])
        return (other, one) if text_first else (one, other)

    def _within(self, left: Tree, right: Tree, *, negated: bool) -> Typed:
        """`x in ('a', 'b')`, `die in faces`, `'row' in conditions`."""
        if isinstance(right, Group) and right.items:
            found = self.all_of(partial(self._pair, "==", left, item) for item in right.items)
            typed = all_or_any(found, any_of=True)
        else:
            several = self.read(right)
            if isinstance(several.kind, FacesKind):
                one = self.expect(self.read(left), left, NumberKind())
            elif isinstance(several.kind, ConditionsKind):
                rows = WordKind(several.kind.keys)
                one = self.expect(self.read(left, rows), left, rows)
            else:
                such = "values in round brackets, faces of a die, or an input of conditions"
                raise self.unlike(right, several.kind, such)
            typed = applied(FlagKind(), lambda item, of: item in of, one, several, written=("in",))
        return _negated(typed) if negated else typed

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
        if kind is not None:
            return chosen(kind, condition, then, otherwise)
        written = (Constant, Choose)
        both = isinstance(tree.then, written) and isinstance(tree.otherwise, written)
        if both and not isinstance(beside, MixedKind):
            # A word that looks like a length, beside one that does not.
            return self._choose(tree, MixedKind())
        what = f"{then.kind} or else {otherwise.kind}"
        raise self.unlike(tree, what, value_types.ONE_KIND)

    def _call(self, tree: Call) -> Typed:
        name, arguments = tree.function, tree.arguments
        if name in ("has", "allowed"):
            return self._reached(tree)
        if name == "passes":
            return self._passes(tree)
        if self.asks_conditions(tree):
            return self.of_conditions(tree)
        if name == "count":
            self._expect_arguments(tree, 1)
            flags = self.all_of(partial(self._flag, argument) for argument in arguments)
            return applied(NumberKind(), _total, *flags, written=("count",))
        if name in _OF_ONE:
            self._expect_arguments(tree, 1, 1)
        else:
            self._expect_arguments(tree, 2)
        typed = self.all_of(partial(self.read, argument) for argument in arguments)
        wanted: Kind = NumberKind()
        if name in _OF_LENGTHS and any(isinstance(one.kind, LengthKind) for one in typed):
            typed = self._of_one_unit(typed, arguments)
            wanted = next(one.kind for one in typed if isinstance(one.kind, LengthKind))
        self._expect_all(typed, arguments, wanted)
        function = _OF_ONE.get(name) or _OF_SEVERAL[name]
        return applied(wanted, function, *typed, written=(name,))

    def _expect_arguments(self, tree: Call, least: int, most: int | None = None) -> None:
        """Raises Faulty where there are fewer or more."""
        count = len(tree.arguments)
        if count < least or (most is not None and count > most):
            wanted = f"{least}" if least == most else f"{least} or more"
            raise self.unlike(tree, f"{tree.function}() with {count} values", wanted)

    def _reached(self, tree: Call) -> Typed:
        """`has(weapon.scatter)`: whether the cell holds a value; `allowed(conditions.rally)`:
        whether no modifier says `never`.
        """
        self._expect_arguments(tree, 1, 1)
        (asked,) = tree.arguments
        if tree.function == "allowed" and self.conditions_of(asked):
            typed, column = self.sum_of_conditions(asked)
            self.scope.findings.asked.add(column)
        else:
            typed = self.read(asked)
        if not isinstance(asked, Part | LookUp):
            raise self.unlike(asked, typed.kind, "a cell or a modifier, such as weapon.scatter")
        barrier = EmptyCell if tree.function == "has" else NotAllowed
        return reached(typed, barrier, tree.function)

    def _passes(self, tree: Call) -> Typed:
        """`passes(die, target)`: natural scores count only where a bare die is given."""
        self._expect_arguments(tree, 2, 2)
        first, second = tree.arguments
        die, target = self.all_of(
            (partial(self.read, first), partial(self.read, second, TargetKind()))
        )
        self.expect(die, first, NumberKind())
        self.expect(target, second, TargetKind())
        natural = natural_of(self.scope.ruleset)
        if natural and not (isinstance(die.kind, NumberKind) and die.kind.die):
            hint = "use a 'test' step with 'plus'"
            raise self.unlike(first, "more than a die", "the bare die, for natural scores", hint)
        self.scope.findings.looks_up("header", "natural")
        at = self.spot.of(tree)

        def reach(score: int, aim: RollTarget) -> bool:
            if len(aim.scores) > 1:
                hint = "use a 'test' step, which throws again"
                raise RunFault("R425", f"{aim} takes a second throw", at, "one score", hint)
            return natural.get(score, bool(aim.scores) and score >= aim.scores[0])

        return applied(FlagKind(), reach, die, target, written=("passes",))


def natural_of(ruleset: Ruleset) -> dict[int, bool]:
    """Scores that pass or fail whatever is added to them, and which they do."""
    return {score: what == "passes" for score, what in ruleset.header.natural.items()}


def _negated(flag: Typed) -> Typed:
    return applied(FlagKind(), operator.not_, flag, written=("not",))
