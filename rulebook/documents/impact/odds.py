"""A procedure in two editions and sets of inputs -> where its odds differ, and by how much.

Everything is exact. What may be computed is counted in moves from case to case, not timed, so that
the same editions always give the same differences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.faults import RunFault
from rulebook.core.odds import FaultyProcedure, ResultOdds, in_order, reckon
from rulebook.core.programs import Program
from rulebook.core.relevant_inputs import mattering
from rulebook.core.weights import MOST_MOVES, Budget
from rulebook.documents.impact.settings import PairedInput, Setting, Settings
from rulebook.model.ruleset import Ruleset

#: Moves for all procedures of two editions, and as many for all options: some seconds of them.
MOST_MOVES_IN_ALL = 3 * MOST_MOVES
#: What it takes to begin, in moves.
_BEGINNING = 300
#: Differences that are told of a procedure.
MOST_TOLD = 8
#: The problem of a procedure that takes more moves than it may.
_TOO_MANY = "R424"


class ProcedureSide(NamedTuple):
    """A procedure in one edition."""

    ruleset: Ruleset
    program: Program


@dataclass(frozen=True, slots=True)
class OddsDifference:
    """The odds of a result at one setting in both editions, which differ.

    `outcome` is the one whose chance differs most where the means do not, or there is none. `size`
    is by how much: of means, with lengths in inches, or of chances.
    """

    results: tuple[str, str]
    setting: Setting
    odds: tuple[ResultOdds, ResultOdds]
    size: Fraction
    of_mean: bool
    outcome: Any = None


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of a comparison: the differences that are told, the largest first.

    `settings` is at how many sets of inputs both editions were compared, `differing` at how many of
    these anything differs. `cut` tells that it takes too long to compare more. `refused` is the
    first setting that only one edition admits, with whether the new one does; `faulty` at how many
    settings one edition cannot go on.
    """

    told: tuple[OddsDifference, ...] = ()
    settings: int = 0
    differing: int = 0
    cut: bool = False
    refused: tuple[Setting, bool] | None = None
    faulty: int = 0


@dataclass(slots=True)
class MovesLeft:
    """The moves that are left for all procedures still to be compared, in equal shares."""

    procedures: int
    left: int = MOST_MOVES_IN_ALL

    def share(self) -> int:
        """What the next procedure may take; what it leaves is for the others."""
        share = self.left // max(self.procedures, 1)
        self.procedures -= 1
        return share


def inputs_at(
    slots: Sequence[PairedInput], setting: Setting, *, now: bool
) -> dict[str, value_types.Value]:
    """The inputs of one edition at a setting."""
    found: dict[str, value_types.Value] = {}
    for slot, both in zip(slots, setting, strict=True):
        domain, value = slot.domains[now], both[now]
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

    sides: tuple[ProcedureSide, ProcedureSide]
    slots: tuple[PairedInput, ...]
    results: Sequence[tuple[str, str]]
    moves_left: MovesLeft
    #: Moves that it may take, but for those of the first setting.
    share: int
    _known: dict[_Key, OddsDifference | None] = field(default_factory=dict)

    def compared(self, settings: Settings) -> Compared:
        """Compare at all settings, or as many as there are moves for."""
        found: list[list[OddsDifference]] = []
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
            self.sides[now].program.admit(inputs_at(self.slots, setting, now=now))
        except RunFault:
            return False
        return True

    def _at(self, setting: Setting) -> Iterator[OddsDifference]:
        """The results that differ at a setting."""
        inputs = [inputs_at(self.slots, setting, now=now) for now in (False, True)]
        for results in self.results:
            each = list(zip(self.sides, results, inputs, strict=True))
            key = (results, *(_hanging_on(side.program, name, of) for side, name, of in each))
            if key not in self._known:
                old, new = (self._odds(*one) for one in each)
                kinds = [side.program.results[name].kind for side, name, _ in each]
                self._known[key] = _difference(results, setting, (old, new), kinds)
            known = self._known[key]
            if known is not None:
                yield replace(known, setting=setting)

    def _odds(
        self, side: ProcedureSide, result: str, inputs: Mapping[str, value_types.Value]
    ) -> ResultOdds:
        """Raises _Spent, and FaultyProcedure where the procedure cannot go on."""
        # The first takes what one procedure may, so that each is compared at least where it is
        # usual as long as there is anything left.
        most = min(MOST_MOVES, self.share if self._known else self.moves_left.left)
        budget = Budget(most)
        try:
            return reckon(side.ruleset, side.program, inputs, [result], budget).results[result]
        except FaultyProcedure as fault:
            if any(problem.code == _TOO_MANY for problem in fault.problems):
                raise _Spent from fault
            raise
        finally:
            self.share -= budget.spent + _BEGINNING
            self.moves_left.left -= budget.spent + _BEGINNING


def _hanging_on(program: Program, result: str, inputs: Mapping[str, value_types.Value]) -> _Key:
    part = mattering(program, [result], inputs)
    return tuple((name, value) for name, value in inputs.items() if name in part)


def _difference(
    results: tuple[str, str],
    setting: Setting,
    odds: tuple[ResultOdds, ResultOdds],
    kinds: Sequence[value_types.Kind],
) -> OddsDifference | None:
    """Two odds as a difference; None where they are the same."""
    old, new = odds
    inches = [_inches(kind) for kind in kinds]
    if old.mean is not None and new.mean is not None:
        size = abs(new.mean * inches[1] - old.mean * inches[0])
        if size:
            return OddsDifference(results, setting, odds, size, of_mean=True)
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
    return OddsDifference(results, setting, odds, by[outcome], False, value_types.normal(plain))


def _inches(kind: value_types.Kind) -> Fraction:
    """How many inches one of a result is; 1 where it is no length, or one in bases."""
    mm = quantities.MILLIMETRES.get(kind.unit) if isinstance(kind, value_types.LengthKind) else None
    return mm / quantities.MILLIMETRES["in"] if mm else Fraction(1)


def _measured(value: Any, inch: Fraction) -> Any:
    return value_types.normal(value * inch) if inch != 1 else value


def _told(
    slots: Sequence[PairedInput], found: list[OddsDifference], settings: Settings
) -> tuple[OddsDifference, ...]:
    """The differences that are told: the largest first, no two alike, each result at least once.

    Of settings that differ in counts alone one is told: the largest difference of those that the
    ruleset states, or else that nearest to what is usual; so it is among equals.
    """
    stated, order = set(settings.stated), [*settings.stated, *settings.swept]
    groups: dict[object, list[OddsDifference]] = {}
    for one in found:
        groups.setdefault((one.results, _choices(slots, one.setting)), []).append(one)
    kept = [_of_group(slots, group, stated) for group in groups.values()]
    alike: dict[object, list[OddsDifference]] = {}
    for one in kept:
        outcomes = tuple(each.outcomes for each in one.odds)
        alike.setdefault((one.results, outcomes), []).append(one)

    def rank(one: OddsDifference) -> tuple[int, int]:
        unusual = sum(both != slot.usual for slot, both in zip(slots, one.setting, strict=True))
        return unusual, order.index(one.setting)

    ranked = sorted(
        (min(group, key=rank) for group in alike.values()), key=lambda one: (-one.size, *rank(one))
    )
    first = {one.results: one for one in reversed(ranked)}
    of_each = sorted(first.values(), key=ranked.index)
    others = [one for one in ranked if one not in of_each]
    return tuple(sorted((*of_each, *others)[:MOST_TOLD], key=ranked.index))


def _choices(slots: Sequence[PairedInput], setting: Setting) -> Setting:
    """A setting without its counts."""
    return tuple(b for slot, b in zip(slots, setting, strict=True) if not slot.counted)


def _of_group(
    slots: Sequence[PairedInput], group: Sequence[OddsDifference], stated: set[Setting]
) -> OddsDifference:
    told = [one for one in group if one.setting in stated]

    def rank(one: OddsDifference) -> tuple[Fraction, int]:
        return one.size if told else Fraction(0), -_far(slots, one.setting)

    return max(told or group, key=rank)


def _far(slots: Sequence[PairedInput], setting: Setting) -> int:
    """How many counts lie between a setting and the usual one."""
    return sum(
        abs(slot.values.index(both) - slot.values.index(slot.usual))
        for slot, both in zip(slots, setting, strict=True)
        if slot.counted
    )
