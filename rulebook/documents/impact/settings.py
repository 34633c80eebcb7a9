"""The inputs of a procedure in two editions -> the sets of inputs at which both are compared.

First the usual inputs; then those used in worked examples, computed tables and charts of either
edition; then a sweep: each input at each of its values (counts at a few), and all combinations of
choices as far as there is room for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, islice, product
from math import prod
from typing import NamedTuple, TypeAlias

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.charts import compute_chart
from rulebook.core.compute import charts_in
from rulebook.core.computed_tables import compute_table
from rulebook.core.domains import Domain
from rulebook.core.odds import Reckoner, ResultOdds
from rulebook.core.programs import Program
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
class _Asked(Reckoner):
    """Reckons nothing: notes at what inputs tables and charts want the odds of procedures."""

    asked: list[tuple[str, Inputs]] = field(default_factory=list)

    def odds(self, program: Program, result: str, inputs: Inputs) -> ResultOdds | None:
        self.asked.append((program.id, dict(inputs)))
        return None


def stated_inputs(ruleset: Ruleset) -> dict[str, list[Inputs]]:
    """Procedure -> the inputs of worked examples, then those of computed tables and charts."""
    reckoner = _Asked(ruleset)
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
