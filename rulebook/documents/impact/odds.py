"""A procedure in two editions and sets of inputs -> where its odds differ, and by how much.

Everything is exact. What may be reckoned is counted in moves from case to case, not timed, so that
the same editions always give the same differences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.faults import RunFault
from rulebook.core.odds import FaultyProcedure, ResultOdds, in_order, reckon
from rulebook.core.programs import Program
from rulebook.core.relevant_inputs import mattering
from rulebook.core.weights import MOST_MOVES, Budget
from rulebook.documents.impact.settings import Setting, Settings, Slot
from rulebook.model.ruleset import Ruleset

#: Moves for all procedures of two editions, and as many for all options: some seconds of them.
MOST_MOVES_IN_ALL = 3 * MOST_MOVES
#: What it takes to begin, in moves.
_BEGINNING = 300
#: Differences that are told of a procedure.
MOST_TOLD = 8
#: The problem of a procedure that takes more moves than it may.
_TOO_MANY = "R424"


@dataclass(frozen=True, slots=True)
class Side:
    """A procedure in one edition."""

    ruleset: Ruleset
    program: Program


@dataclass(frozen=True, slots=True)
class Beside:
    """The odds of a result at one setting in both editions, which differ.

    `outcome` is the one whose chance differs most where the means do not, or there is none. `size`
    is by how much: of means, with lengths in inches, or of chances.
    """

    results: tuple[str, str]
    setting: Setting
    old: ResultOdds
    new: ResultOdds
    size: Fraction
    of_mean: bool
    outcome: Any = None


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of a comparison: the differences that are told, the largest first.

    `settings` is at how many sets of inputs both editions were reckoned, `differing` at how many of
    these anything differs. `cut` tells that it takes too long to reckon more. `refused` is the
    first setting that only one edition admits, with whether the new one does; `faulty` at how many
    settings one edition cannot go on.
    """

    told: tuple[Beside, ...] = ()
    settings: int = 0
    differing: int = 0
    cut: bool = False
    refused: tuple[Setting, bool] | None = None
    faulty: int = 0


@dataclass(slots=True)
class Purse:
    """The moves that are left for all procedures still to be compared, in equal shares."""

    procedures: int
    left: int = MOST_MOVES_IN_ALL

    def share(self) -> int:
        """What the next procedure may take; what it leaves is for the others."""
        share = self.left // max(self.procedures, 1)
        self.procedures -= 1
        return share


def inputs_at(
    slots: Sequence[Slot], setting: Setting, *, now: bool
) -> dict[str, value_types.Value]:
    """The inputs of one edition at a setting."""
    found: dict[str, value_types.Value] = {}
    for slot, both in zip(slots, setting, strict=True):
        domain, value = (slot.new if now else slot.old), both[now]
        if domain is not None and value is not None:
            found[domain.name] = value
    return found


def paired_results(old: Program, new: Program, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Results of both editions that can be compared, as the old and the new one call them."""
    pairs = [(names.get(name, name), name) for name in new.results]
    return [
        (was, name)
        for was, name in pairs
        if was in old.results and _alike(old.results[was].kind, new.results[name].kind)
    ]


def _alike(old: value_types.Kind, new: value_types.Kind) -> bool:
    if isinstance(old, value_types.LengthKind) and isinstance(new, value_types.LengthKind):
        return old.unit == new.unit or "base" not in (old.unit, new.unit)
    words = (value_types.WordKind, value_types.MixedKind)
    return type(old) is type(new) or (isinstance(old, words) and isinstance(new, words))


class _Spent(Exception):
    """More would take too long."""


#: What the odds of a result hang on: the same inputs give the same odds.
_Key: TypeAlias = "tuple[object, ...]"


@dataclass(slots=True)
class Comparing:
    """One procedure on its way through all settings."""

    old: Side
    new: Side
    slots: tuple[Slot, ...]
    results: Sequence[tuple[str, str]]
    purse: Purse
    #: Moves that it may take, but for those of the first setting.
    share: int
    _known: dict[_Key, Beside | None] = field(default_factory=dict)

    def compared(self, settings: Settings) -> Compared:
        """Compare at all settings, or as many as there are moves for."""
        found: list[list[Beside]] = []
        refused: tuple[Setting, bool] | None = None
        cut, faulty = False, 0
        for setting in (*settings.stated, *settings.swept):
            admitted = [self._admits(setting, now=now) for now in (False, True)]
            if not all(admitted):
                refused = refused or ((setting, admitted[1]) if any(admitted) else None)
                continue
            try:
                found.append(list(self._at(setting)))
            except _Spent:
                cut = True
                break
            except FaultyProcedure:
                faulty += 1
        told = _told(self.slots, [one for of in found for one in of], settings)
        return Compared(told, len(found), sum(map(bool, found)), cut, refused, faulty)

    def _admits(self, setting: Setting, *, now: bool) -> bool:
        try:
            side = self.new if now else self.old
            side.program.admit(inputs_at(self.slots, setting, now=now))
        except RunFault:
            return False
        return True

    def _at(self, setting: Setting) -> Iterator[Beside]:
        """The results that differ at a setting."""
        inputs = [inputs_at(self.slots, setting, now=now) for now in (False, True)]
        for results in self.results:
            key = (
                results,
                _hanging_on(self.old.program, results[0], inputs[0]),
                _hanging_on(self.new.program, results[1], inputs[1]),
            )
            if key not in self._known:
                old = self._odds(self.old, results[0], inputs[0])
                new = self._odds(self.new, results[1], inputs[1])
                kinds = self.old.program.results[results[0]].kind, self._kind(results[1])
                self._known[key] = _beside(results, setting, (old, new), kinds)
            known = self._known[key]
            if known is not None:
                yield Beside(
                    results, setting, known.old, known.new, known.size, known.of_mean, known.outcome
                )

    def _kind(self, result: str) -> value_types.Kind:
        return self.new.program.results[result].kind

    def _odds(self, side: Side, result: str, inputs: Mapping[str, value_types.Value]) -> ResultOdds:
        """Raises _Spent, and FaultyProcedure where the procedure cannot go on."""
        # The first takes what one procedure may, so that each is compared at least where it is
        # usual as long as there is anything left.
        most = min(MOST_MOVES, self.share if self._known else self.purse.left)
        budget = Budget(most)
        try:
            return reckon(side.ruleset, side.program, inputs, [result], budget).results[result]
        except FaultyProcedure as fault:
            if any(problem.code == _TOO_MANY for problem in fault.problems):
                raise _Spent from fault
            raise
        finally:
            self.share -= budget.spent + _BEGINNING
            self.purse.left -= budget.spent + _BEGINNING


def _hanging_on(program: Program, result: str, inputs: Mapping[str, value_types.Value]) -> _Key:
    part = mattering(program, [result], inputs)
    return tuple((name, value) for name, value in inputs.items() if name in part)


def _beside(
    results: tuple[str, str],
    setting: Setting,
    odds: tuple[ResultOdds, ResultOdds],
    kinds: tuple[value_types.Kind, value_types.Kind],
) -> Beside | None:
    """Two odds as a difference; None where they are the same."""
    old, new = odds
    inches = [_inches(kind) for kind in kinds]
    if old.mean is not None and new.mean is not None:
        size = abs(new.mean * inches[1] - old.mean * inches[0])
        if size:
            return Beside(results, setting, old, new, size, of_mean=True)
    shares = [
        {_measured(value, inch): share for value, share in one.outcomes}
        for one, inch in zip(odds, inches, strict=True)
    ]
    if shares[0] == shares[1]:
        return None
    by = {
        value: abs(shares[1].get(value, Fraction(0)) - shares[0].get(value, Fraction(0)))
        for value in in_order(kinds[1], shares[0] | shares[1])
    }
    outcome = max(by, key=by.__getitem__)
    plain = outcome / inches[1] if isinstance(kinds[1], value_types.LengthKind) else outcome
    return Beside(
        results, setting, old, new, by[outcome], of_mean=False, outcome=value_types.normal(plain)
    )


def _inches(kind: value_types.Kind) -> Fraction:
    """How many inches one of a result is; 1 where it is no length, or one in bases."""
    mm = quantities.MILLIMETRES.get(kind.unit) if isinstance(kind, value_types.LengthKind) else None
    return mm / quantities.MILLIMETRES["in"] if mm else Fraction(1)


def _measured(value: Any, inch: Fraction) -> Any:
    return value_types.normal(value * inch) if inch != 1 else value


def _told(slots: Sequence[Slot], found: list[Beside], settings: Settings) -> tuple[Beside, ...]:
    """The differences that are told: the largest first, no two alike, each result at least once.

    Of settings that differ in counts alone one is told: the largest difference of those that the
    ruleset states, or else that nearest to what is usual; so it is among equals.
    """
    stated, order = set(settings.stated), {one: n for n, one in enumerate(_all(settings))}
    groups: dict[object, list[Beside]] = {}
    for one in found:
        groups.setdefault((one.results, _choices(slots, one.setting)), []).append(one)
    kept = [_of_group(slots, group, stated) for group in groups.values()]
    alike: dict[object, list[Beside]] = {}
    for one in kept:
        alike.setdefault((one.results, one.old.outcomes, one.new.outcomes), []).append(one)

    def rank(one: Beside) -> tuple[int, int]:
        return _unusual(slots, one.setting), order[one.setting]

    ranked = sorted(
        (min(group, key=rank) for group in alike.values()), key=lambda one: (-one.size, *rank(one))
    )
    first = {one.results: one for one in reversed(ranked)}
    of_each = sorted(first.values(), key=ranked.index)
    others = [one for one in ranked if one not in of_each]
    return tuple(sorted((*of_each, *others)[:MOST_TOLD], key=ranked.index))


def _all(settings: Settings) -> tuple[Setting, ...]:
    return (*settings.stated, *settings.swept)


def _choices(slots: Sequence[Slot], setting: Setting) -> Setting:
    """A setting without its counts."""
    return tuple(b for slot, b in zip(slots, setting, strict=True) if not slot.counted)


def _of_group(slots: Sequence[Slot], group: Sequence[Beside], stated: set[Setting]) -> Beside:
    told = [one for one in group if one.setting in stated]

    def rank(one: Beside) -> tuple[Fraction, int]:
        return one.size if told else Fraction(0), -_far(slots, one.setting)

    return max(told or group, key=rank)


def _far(slots: Sequence[Slot], setting: Setting) -> int:
    """How many counts lie between a setting and the usual one."""
    return sum(
        abs(slot.values.index(both) - slot.values.index(slot.usual))
        for slot, both in zip(slots, setting, strict=True)
        if slot.counted
    )


def _unusual(slots: Sequence[Slot], setting: Setting) -> int:
    return sum(both != slot.usual for slot, both in zip(slots, setting, strict=True))
