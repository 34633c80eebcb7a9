"""A procedure in two editions -> the sets of inputs at which both are compared, and what differs.

First the usual inputs; then those used in worked examples, computed tables and charts of either
edition; then a sweep: each input at each of its values (counts at a few), and all combinations of
choices as far as there is room for them.

Everything is exact. What may be computed is counted in moves from case to case, not timed, so that
the same editions always give the same differences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, islice, product
from math import prod
from typing import Any, NamedTuple, TypeAlias

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.charts import compute_chart
from rulebook.core.compute import charts_in
from rulebook.core.computed_tables import compute_table
from rulebook.core.input_domains import Domain
from rulebook.core.odds import FaultyProcedure, Reckoner, ResultOdds, in_order, reckon
from rulebook.core.procedure_faults import RunFault
from rulebook.core.programs import Program
from rulebook.core.relevant_inputs import mattering
from rulebook.core.weights import MOST_MOVES, Budget
from rulebook.model.ruleset import Ruleset
from rulebook.model.tables import ComputedTable

#: A value of an input in the old and in the new edition; None in one that has not the input.
PairedValue: TypeAlias = "tuple[value_types.Value | None, value_types.Value | None]"
#: A set of inputs of both editions: a value for each slot.
Setting: TypeAlias = "tuple[PairedValue, ...]"
Inputs: TypeAlias = "Mapping[str, value_types.Value]"

#: Sets of inputs at which a procedure is compared, and those of them that the ruleset states.
MOST_SETTINGS = 160
MOST_STATED = 60


@dataclass(frozen=True, slots=True)
class PairedInput:
    """An input of one edition or both, and the values that stand for each other in them.

    `domains` are what it may be in the old and in the new edition. `usual` is the value that is
    taken where nothing else is said. The values of conditions are any of some rows, of which
    `values` has none and single ones; `rows` pairs those.
    """

    domains: tuple[Domain | None, Domain | None]
    values: tuple[PairedValue, ...]
    usual: PairedValue
    rows: Mapping[str, str] = field(default_factory=dict)

    @property
    def domain(self) -> Domain:
        """That of the new edition, or of the old one where the new has it no longer."""
        found = self.domains[1] or self.domains[0]
        assert found is not None, "a slot is an input of one edition at least"
        return found

    @property
    def counted(self) -> bool:
        return isinstance(self.domain.kind, value_types.NumberKind | value_types.LengthKind)

    def stated(self, value: value_types.Value, *, now: bool) -> PairedValue | None:
        """A value of one edition with that of the other; None where that has nothing like it."""
        if not isinstance(value, tuple):
            return next((both for both in self.values if both[now] == value), None)
        old, new = self.domains
        if old is None or new is None:
            return (None, value) if now else (value, None)
        rows = {new: old for old, new in self.rows.items()} if now else self.rows
        if any(row not in rows for row in value):
            return None
        other = tuple(rows[row] for row in value)
        both: PairedValue = (other, value) if now else (value, other)
        return both if old.holds(both[0]) and new.holds(both[1]) else None

    def few(self) -> tuple[PairedValue, ...]:
        """The values that a sweep goes through, the usual one apart: of counts a few."""
        others = [both for both in self.values if both != self.usual]
        if not self.counted or len(others) <= 4:
            return tuple(others)
        at = self.values.index(self.usual)
        last = len(self.values) - 1
        places = [at + 1, at - 1, (at + last + 1) // 2, at // 2, last, 0]
        return tuple(dict.fromkeys(self.values[p] for p in places if 0 <= p <= last and p != at))


def slots_of(
    old: Program, new: Program, names: Mapping[str, str], rows: Mapping[tuple[str, str], str]
) -> tuple[PairedInput, ...]:
    """The inputs of both programs, those of the new one first.

    `names` are what inputs of the new edition were called, `rows` what rows of its tables were:
    (table, row) -> row. Where no value of an input is one of the other edition, there is no usual
    one, and `values` is empty.
    """
    were = {name: old.domains.get(names.get(name, name)) for name in new.domains}
    slots: list[PairedInput] = []
    for name, domain in new.domains.items():
        was = were[name]
        alone = tuple((None, value) for value in _values(domain))
        slots.append(
            _of_both(was, domain, rows)
            if was is not None
            else PairedInput((None, domain), alone, (None, domain.default))
        )
    kept = {domain.name for domain in were.values() if domain is not None}
    for name, domain in old.domains.items():
        if name not in kept:
            gone = tuple((value, None) for value in _values(domain))
            slots.append(PairedInput((domain, None), gone, (domain.default, None)))
    return tuple(slots)


def _values(domain: Domain) -> list[value_types.Value]:
    """The values of an input; of conditions none, the usual ones and single ones."""
    if not domain.several:
        return list(domain.values)
    return list(dict.fromkeys([(), domain.default, *((str(row),) for row in domain.values)]))


def _of_both(old: Domain, new: Domain, rows: Mapping[tuple[str, str], str]) -> PairedInput:
    domains, kind = (old, new), new.kind
    table = (
        kind.table if isinstance(kind, value_types.WordKind | value_types.ConditionsKind) else ""
    )
    if old.several != new.several:
        return PairedInput(domains, (), (old.default, new.default))
    if new.several:
        called = {str(row): rows.get((table, str(row)), str(row)) for row in new.values}
        paired = {was: now for now, was in called.items() if was in old.titles}
        single: list[PairedValue] = [((was,), (now,)) for was, now in paired.items()]
        none: PairedValue = ((), ())
        slot = PairedInput(domains, tuple(dict.fromkeys((none, *single))), none, paired)
        usual = slot.stated(new.default, now=True) or slot.stated(old.default, now=False) or none
        return PairedInput(domains, tuple(dict.fromkeys((usual, *slot.values))), usual, paired)
    values = _paired(old, new, {row: was for (of, row), was in rows.items() if of == table})
    return PairedInput(domains, values, _usual(old, new, values))


def _usual(old: Domain, new: Domain, values: tuple[PairedValue, ...]) -> PairedValue:
    """The default of the new edition, or of the old one, or what comes first in both."""
    by_new = {both[1]: both for both in values}
    by_old = {both[0]: both for both in values}
    first = values[0] if values else (old.default, new.default)
    return by_new.get(new.default) or by_old.get(old.default) or first


def _paired(old: Domain, new: Domain, rows: Mapping[str, str]) -> tuple[PairedValue, ...]:
    """Values that are the same in both editions; bands that moved go by their order."""
    if type(old.kind) is not type(new.kind):
        return ()
    were = {_key(old, value): value for value in old.values}
    found: dict[value_types.Value, value_types.Value] = {}
    for value in new.values:
        key = _key(new, rows.get(value, value) if isinstance(value, str) else value)
        if key in were:
            found[value] = were[key]
    come = [value for value in new.values if value not in found]
    gone = [value for value in old.values if value not in found.values()]
    if len(come) == len(gone) and all(_is_band(value) for value in (*come, *gone)):
        found |= dict(zip(come, gone, strict=True))
    return tuple((found[value], value) for value in new.values if value in found)


def _key(domain: Domain, value: value_types.Value) -> object:
    """A value in millimetres where it is a length in a unit that has some."""
    kind = domain.kind
    mm = quantities.MILLIMETRES.get(kind.unit) if isinstance(kind, value_types.LengthKind) else None
    return value * mm if mm and isinstance(value, int | Fraction) else value


def _is_band(value: value_types.Value) -> bool:
    try:
        band = quantities.parse_band(value) if isinstance(value, str) else None
    except quantities.QuantityError:
        return False
    return band is not None and band.low != band.high


class Settings(NamedTuple):
    """Sets of inputs, each once: `stated` are the usual one and those that a ruleset states."""

    stated: tuple[Setting, ...]
    swept: tuple[Setting, ...]


def settings_of(slots: tuple[PairedInput, ...], stated: Iterable[tuple[Inputs, bool]]) -> Settings:
    """The sets of inputs at which both editions are compared.

    `stated` are inputs of one edition, each with whether that is the new one.
    """
    usual = tuple(slot.usual for slot in slots)
    told = (_stated(slots, inputs, now=now) for inputs, now in stated)
    known = dict.fromkeys([usual])
    known |= dict.fromkeys(islice(filter(None, told), MOST_STATED))
    swept: dict[Setting, None] = {}
    for setting in _sweep(slots, usual):
        if len(known) + len(swept) >= MOST_SETTINGS:
            break
        if setting not in known:
            swept[setting] = None
    return Settings(tuple(known), tuple(swept))


def _stated(slots: tuple[PairedInput, ...], inputs: Inputs, *, now: bool) -> Setting | None:
    """Inputs of one edition in both; None where the other has no such value."""
    setting: list[PairedValue] = []
    for slot in slots:
        domain, both = slot.domains[now], slot.usual
        if domain is not None and domain.name in inputs:
            found = slot.stated(inputs[domain.name], now=now)
            if found is None:
                return None
            both = found
        setting.append(both)
    return tuple(setting)


def _sweep(slots: tuple[PairedInput, ...], usual: Setting) -> Iterator[Setting]:
    """One input at a time, then all choices with each other, or if these are many two at a time."""
    for at, slot in enumerate(slots):
        yield from (_with(usual, {at: both}) for both in slot.few())
    choices = [at for at, slot in enumerate(slots) if not slot.counted]
    every = [(slots[at].usual, *slots[at].few()) for at in choices]
    if prod(len(values) for values in every) <= MOST_SETTINGS:
        for values in product(*every):
            yield _with(usual, dict(zip(choices, values, strict=True)))
        return
    for one, other in combinations(range(len(choices)), 2):
        for first, second in product(every[one][1:], every[other][1:]):
            yield _with(usual, {choices[one]: first, choices[other]: second})


def _with(setting: Setting, values: Mapping[int, PairedValue]) -> Setting:
    return tuple(values.get(at, both) for at, both in enumerate(setting))


@dataclass(slots=True)
class _InputsAsked(Reckoner):
    """Computes nothing: notes at what inputs tables and charts want the odds of procedures."""

    asked: list[tuple[str, Inputs]] = field(default_factory=list)

    def odds(self, program: Program, result: str, inputs: Inputs) -> ResultOdds | None:
        self.asked.append((program.id, dict(inputs)))
        return None


def stated_inputs(ruleset: Ruleset) -> dict[str, list[Inputs]]:
    """Procedure -> the inputs of worked examples, then those of computed tables and charts."""
    reckoner = _InputsAsked(ruleset)
    found: dict[str, list[Inputs]] = {}
    for example_id, example in ruleset.examples.items():
        for step in example.runs.values():
            name = step.run or ""
            chosen = ruleset.options_of(example_id, step)
            program = reckoner.program(name) if name in ruleset.procedures else None
            if program is not None and chosen == ruleset.chosen:
                known = program.domains.keys() & step.given.keys()
                parsed = {n: program.domains[n].parse(step.given[n]) for n in sorted(known)}
                given = {n: value for n, value in parsed.items() if value is not None}
                found.setdefault(name, []).append({**program.defaults(), **given})
    for table_id, table in ruleset.tables.items():
        if isinstance(table, ComputedTable):
            compute_table(table_id, table, reckoner)
    for line in charts_in(ruleset):
        compute_chart(line, reckoner)
    for name, inputs in reckoner.asked:
        found.setdefault(name, []).append(inputs)
    return found


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
