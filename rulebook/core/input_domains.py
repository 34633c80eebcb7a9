"""Inputs of a procedure -> their domains: the values that each may take, and texts as these.

A domain knows how its values are typed and what they are called; sweeps go through some of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.lookups import Rows, rows_of
from rulebook.core.procedure_faults import FaultAt, Faulty, Findings, Spot
from rulebook.core.value_types import (
    ConditionsKind,
    FlagKind,
    Kind,
    LengthKind,
    NumberKind,
    Value,
    WordKind,
    parse_outcome,
)
from rulebook.model.grids import Grid, humanise
from rulebook.model.lengths import written_number
from rulebook.model.procedures import Input
from rulebook.model.record_tables import RecordTable
from rulebook.model.ruleset import Address
from rulebook.problems import Fault
from rulebook.suggestions import nearest, some_words
from rulebook.translation import gettext


@dataclass(frozen=True, slots=True)
class Domain:
    """The values that an input may take, in order, with their titles.

    For an input of conditions, `titles` has the single conditions; a value of the input is a tuple
    of them in this order, each repeated as often as it holds, up to its limit (once if it has
    none).
    """

    name: str
    label: str
    kind: Kind
    titles: Mapping[Value, str]
    default: Value
    address: Address
    limits: Mapping[str, int] = field(default_factory=dict)

    @property
    def values(self) -> tuple[Value, ...]:
        return tuple(self.titles)

    @property
    def several(self) -> bool:
        """Whether the value of the input is a tuple of conditions instead of a single value."""
        return isinstance(self.kind, ConditionsKind)

    def holds(self, value: object) -> bool:
        if self.several:
            return isinstance(value, tuple) and all(
                row in self.titles and value.count(row) <= self.limits.get(row, 1) for row in value
            )
        return value in self.titles

    def unsaid(self, value: Value) -> bool:
        """Tells whether texts may leave out a value: it is "no conditions", and is the default."""
        return value == () == self.default

    @property
    def every(self) -> tuple[str, ...]:
        """All conditions of the input, each as many times as it may hold at most."""
        rows = map(str, self.values)
        return tuple(held for row in rows for held in [row] * self.limits.get(row, 1))

    def parse(self, text: str) -> Value | None:
        """Reads a text as a value of the input; returns None if it is no such value.

        Conditions are read as a tuple of their rows.
        """
        text = text.strip()
        if self.several:
            return self._rows(text)
        if isinstance(self.kind, WordKind):
            return self._word(text)
        found: Value | None = parse_outcome(self.kind, text)
        return found if found in self.titles else None

    def _rows(self, text: str) -> tuple[str, ...] | None:
        """Reads conditions, such as `general+lost*3`; `*3` says how often a condition holds.

        Returns None if the text cannot be read.
        """
        times: dict[str, int] = {}
        for word in re.split(r"[+,]", text) if text not in ("none", "") else ():
            match = re.fullmatch(r"\s*([^*\s]+)(?:\s*\*\s*([0-9]{1,3}))?\s*", word)
            row = self._word(match[1]) if match else None
            if match is None or row is None:
                return None
            # A row that stands twice holds once, unless it says how often.
            times[row] = int(match[2]) if match[2] else times.get(row, 1)
        found = tuple(held for row in map(str, self.values) for held in [row] * times.get(row, 0))
        return found if self.holds(found) else None

    def _word(self, text: str) -> str | None:
        for value in map(str, self.values):
            if text in (value, value.replace("_", "-")) or text.lower() == value:
                return value
        band = _printed_band(text)
        return next((str(value) for value, title in self.titles.items() if title == band), None)

    def title_of(self, value: Value) -> str:
        """Returns the printed title of a value.

        Titles of several conditions are joined by "and"; without any, the title is "None".
        """
        if isinstance(value, tuple):
            return quantities.join_words(
                row_texts(value, self.titles.__getitem__), "and"
            ) or gettext("None")
        return self.titles[value]

    def written(self, value: Value) -> str:
        """Returns a value in the form in which an author types it."""
        if isinstance(value, tuple):
            words = (f"{row}*{n}" if n > 1 else row for row, n in Counter(value).items())
            return "+".join(words) or "none"
        if isinstance(self.kind, LengthKind) and isinstance(value, int | Fraction):
            return written_number(value) + self.kind.unit
        return ("true" if value else "false") if isinstance(value, bool) else str(value)

    def plain(self, value: Value) -> object:
        """Converts a value of the input to JSON data."""
        return plain(value, self.kind)

    def choices(self) -> str:
        """Describes the possible values of the input in words, for a message.

        Evenly spaced numbers are described as a range.
        """
        numbers = [value for value in self.values if isinstance(value, int | Fraction)]
        steps = {after - before for before, after in pairwise(numbers)}
        runs = isinstance(self.kind, LengthKind) or (type(self.kind) is NumberKind and steps == {1})
        if runs and len(steps) == 1 and len(numbers) > 2:
            every = "" if steps == {1} else f", every {self.written(steps.pop())}"
            return f"{self.written(numbers[0])} to {self.written(numbers[-1])}{every}"
        if not self.several:
            return some_words([self.written(value) for value in self.values])
        rows = [self.written((row,) * self.limits.get(row, 1)) for row in map(str, self.values)]
        return f"none, or any of {some_words(rows)}, joined by +"

    def read(self, text: str, code: str = "R434") -> Value:
        """Reads a text as a value of the input; raises InputFault with `code` if it is no value."""
        value = self.parse(text)
        if value is None:
            raise self.refused(text, code)
        return value

    def refused(self, text: str, code: str = "R434") -> InputFault:
        """Returns the fault, with this code, of a text that is no value of the input.

        Its hint names a similar value, but never a number.
        """
        titled = (value for value, title in self.titles.items() if title == text)
        value = next(titled, None)
        words = [self.written(value) for value in self.values]
        bare = [word for word in words if word.rstrip("abcdefghijklmnopqrstuvwxyz") == text]
        hint = nearest(text, [word for word in words if not re.match("-?[0-9]", word)])
        hint = f"write {bare[0]}" if bare else hint
        if value is not None:
            hint = f"write '{self.written(value)}'"
        what = f"'{text:.40}' is no value of the input '{self.name}'"
        return InputFault(code, what, self.choices(), hint)


def row_texts(rows: Sequence[str], title: Callable[[str], str]) -> list[str]:
    """Returns the titles of conditions, each once, with `×n` if the condition holds n times."""
    return [f"{title(row)} ×{n}" if n > 1 else title(row) for row, n in Counter(rows).items()]


def _printed_band(text: str) -> str | None:
    """Returns a band in its printed form, or None if the text is no band.

    The units are not converted, because keys keep the units in which an author writes them.
    """
    try:
        return str(quantities.parse_band(text))
    except quantities.QuantityError:
        return None


def plain(value: Value, kind: Kind | None = None) -> object:
    """Converts a value to JSON data; fractions become texts 'n/d'.

    Lengths become texts with their unit where the kind is given.
    """
    if isinstance(kind, LengthKind) and isinstance(value, int | Fraction):
        return written_number(value) + kind.unit
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, tuple):
        return list(value)
    return sorted(value) if isinstance(value, frozenset) else str(value)


def domain_of(name: str, given: Input, findings: Findings, address: Address) -> Domain | None:
    """Makes the domain of an input from what the author wrote, with its default.

    Returns None after problems, which are reported to `findings`. `address` is that of the input.
    """
    with suppress(Faulty):
        domain = _InputReading(name, given, findings, address).domain()
        if not given.default:
            return domain
        text = "+".join(given.default)
        value = domain.parse(text)
        if value is not None and (domain.several or len(given.default) == 1):
            return replace(domain, default=value)
        findings.pass_on(domain.refused(text, "R431"), Spot((*address, "default")))
    return None


#: The kind of an input, and its values with their titles.
_Values = tuple[Kind, Mapping[Any, str]]


@dataclass(frozen=True, slots=True)
class _InputReading:
    """Reads one input, as an author writes it, into its domain; its methods raise Faulty."""

    name: str
    given: Input
    findings: Findings
    address: Address

    def _at(self, *at: str | int) -> Spot:
        return Spot((*self.address, *at))

    def domain(self) -> Domain:
        """Makes the domain of the input from what the author wrote.

        Its default is the flag given, no conditions, or else the first value. Raises Faulty after
        problems, and if the input has no values.
        """
        given, limits = self.given, dict[str, int]()
        default: Value | None = given.flag
        if given.any_of is not None:
            rows = self._conditions(given.any_of)
            titles: Mapping[Any, str] = self._only(rows.titles)
            kind: Kind = ConditionsKind(given.any_of, tuple(titles))
            default, limits = (), rows.limits
        else:
            kind, titles = self._values()
        if not titles:
            raise Faulty
        first = next(iter(titles)) if default is None else default
        label = given.label or humanise(self.name)
        return Domain(self.name, label, kind, titles, first, self.address, limits)

    def _values(self) -> _Values:
        given = self.given
        if given.flag is not None:
            return FlagKind(), {False: gettext("No"), True: gettext("Yes")}
        if given.count is not None:
            count = given.count
            numbers = self._column(count, "count") if isinstance(count, str) else count
            return NumberKind(), {n: quantities.format_number(n) for n in numbers}
        if given.length is None:
            return self._choices()
        path = given.length
        lengths = self._column(path, "length") if isinstance(path, str) else given.lengths
        kind = LengthKind(lengths[0].unit)
        found = {value_types.in_unit(length, kind.unit) for length in lengths} - {None}
        return kind, {n: str(quantities.Length(Fraction(n), kind.unit)) for n in sorted(found)}  # type: ignore[type-var, arg-type]

    def _column(self, path: str, wanted: str) -> Sequence[Any]:
        """Returns the values in the column `table.field` of a record table, without empty cells.

        Counts are sorted, each once. Reports a path that is no column, or cells that are not of the
        type `wanted`, and raises Faulty.
        """
        table_id, field = path.split(".")
        self.findings.looks_up("tables", table_id)
        table = self.findings.ruleset.tables.get(table_id)
        if not isinstance(table, RecordTable) or field not in table.fields:
            raise self._no_such(path, wanted, f"a column of {wanted}s of a record table")
        cells = [row.cells[field].value for row in table.data.values()]
        values = [cell for cell in cells if cell is not None]
        cell_type = table.fields[field].type.name
        if cell_type != wanted or not values:
            what, expected = (
                f"a column of type {cell_type}",
                f"a column of type {wanted}, with values",
            )
            raise self.findings.unlike(self._at(wanted), what, expected)
        return sorted(set(values)) if wanted == "count" else values

    def _no_such(self, path: str, at: str, wanted: str) -> Faulty:
        """Reports a path that leads to no column, axis or table of rows.

        Returns the exception to raise. `at` is the key of the input under which the path is
        written, and `wanted` says what is expected there.
        """
        table_id, _, part = path.partition(".")
        table = self.findings.ruleset.tables.get(table_id)
        if table is None:
            return self._no_table(table_id, at, self.findings.ruleset.tables, wanted)
        known: list[str] = []
        if isinstance(table, Grid):
            known = [axis.name for axis in table.axes]
        elif isinstance(table, RecordTable):
            known = list(table.fields)
        if part:
            return self.findings.unknown(self._at(at), part, known, f"the table '{table.title}'")
        such = [f"{path}.{name}" for name in known]
        return self.findings.unlike(self._at(at), "a whole table", some_words(such) or wanted)

    def _no_table(self, name: str, at: str, known: Iterable[str], wanted: str) -> Faulty:
        what, hint = f"no table is called '{name}'", nearest(name, list(known))
        return self.findings.add("R301", what, self._at(at), wanted, hint)

    def _conditions(self, table_id: str) -> Rows:
        rows = rows_of(self.findings.ruleset, table_id)
        if rows is None or not rows.table.conditions:
            known = self.findings.ruleset.modifiers
            raise self._no_table(table_id, "any_of", known, "the id of a modifier table")
        self.findings.looks_up(*self.findings.ruleset.address_of_table(table_id))
        return rows

    def _only(self, titles: Mapping[str, str]) -> Mapping[str, str]:
        """Returns the rows or places listed under `only`, with titles, in the order of the table.

        Returns all if there is no `only`. Reports keys that are unknown or listed twice, and raises
        Faulty.
        """
        only = self.given.only
        if only is None:
            return titles
        before = len(self.findings.problems)
        for index, key in enumerate(only):
            if key not in titles:
                self.findings.unknown(self._at("only", index), key, titles, "the rows or places")
            elif key in only[:index]:
                what = f"'{key}' stands here twice"
                self.findings.add("R206", what, self._at("only", index), "each once")
        if len(self.findings.problems) > before:
            raise Faulty
        return {key: title for key, title in titles.items() if key in only}

    def _choices(self) -> _Values:
        """Reads an input whose value is one of a list, of the places on an axis, or of rows.

        Returns the kind of the values, and their titles. Raises Faulty after problems.
        """
        path, ruleset = self.given.one_of, self.findings.ruleset
        if not isinstance(path, str):
            titles = path or {}
            return WordKind(tuple(titles), "", _own_titles(titles)), titles
        table_id, _, part = path.partition(".")
        table, rows = ruleset.tables.get(table_id), rows_of(ruleset, path)
        self.findings.looks_up(*ruleset.address_of_table(table_id))
        if rows:
            only = self._only(rows.titles)
            named = {key: title for key, title in rows.kind.titles.items() if key in only}
            return WordKind(tuple(only), table_id, named), only
        axes = table.axes if isinstance(table, Grid) else ()
        axis = next((axis for axis in axes if axis.name == part), None)
        if axis is None:
            expected = "an axis of a grid, such as musketry.range, or a table of rows or modifiers"
            raise self._no_such(path, "one_of", expected)
        only = self._only({choice.key: choice.title for choice in axis.choices})
        if axis.kind == "numbers":
            return NumberKind(), {int(key): title for key, title in only.items()}
        return WordKind(tuple(only), "", _own_titles(only)), only


def _own_titles(titles: Mapping[str, str]) -> dict[str, str]:
    """Returns the titles by key without those that can be derived from their keys."""
    return {key: title for key, title in titles.items() if title != humanise(key)}


class InputFault(Fault):
    """A fault of an input that a procedure does not have, or of a value that it cannot take."""


def parse_inputs(domains: Mapping[str, Domain], given: Mapping[str, str]) -> dict[str, Value]:
    """Reads the values of inputs from texts; inputs that are not given take their defaults.

    Raises InputFault for unknown inputs and for texts that are no value of their input.
    """
    values = {name: domain.default for name, domain in domains.items()}
    for name, text in given.items():
        domain = known_domain(domains, name)
        values[domain.name] = domain.read(text)
    return values


def read_inputs(
    domains: Mapping[str, Domain], given: Mapping[str, str], code: str = "R434"
) -> tuple[dict[str, Value], list[FaultAt]]:
    """Reads the values of inputs, which must all exist; inputs that are not given have defaults.

    Returns the values, and a fault with `code`, at `given`, for each text that is no value of its
    input.
    """
    values, faults = {name: domain.default for name, domain in domains.items()}, []
    for name, text in given.items():
        try:
            values[name] = domains[name].read(text, code)
        except InputFault as fault:
            faults.append(FaultAt(fault, ("given", name)))
    return values, faults


def known_domain(domains: Mapping[str, Domain], name: str) -> Domain:
    """Finds the domain of an input by its name, in which hyphens may replace underscores.

    Raises InputFault if there is no such input.
    """
    domain = domains.get(name.replace("-", "_"))
    if domain is None:
        known = list(domains)
        expected = some_words(known) or "no inputs at all"
        raise InputFault("R434", f"no input '{name:.40}'", expected, nearest(name, known))
    return domain


def swept(domain: Domain, text: str) -> list[Value] | None:
    """Reads a sweep: `all`, `6..24`, `6..24..6` (every sixth) or `a,b`; returns its values.

    Returns None for a text that is a single value, and for inputs of conditions. Raises InputFault
    where a value in the sweep is no value of the input.
    """
    if domain.several:
        return None
    if text == "all" and domain.parse("all") is None:
        return list(domain.values)
    parts = [part.strip() for part in text.split("..")]
    if len(parts) in (2, 3) and all(re.match(r"-?[0-9]", part) for part in parts):
        return _from_to(domain, text, parts)
    if "," not in text:
        return None
    return list(dict.fromkeys(domain.read(part) for part in text.split(",")))


def _from_to(domain: Domain, text: str, parts: Sequence[str]) -> list[Value]:
    """Returns the values of a numeric input from `parts[0]` to `parts[1]`, both included.

    A third part is a step: of these values, only those at multiples of it from the first are
    returned. Raises InputFault, about the whole `text`, if a part cannot be read.
    """
    low, high = (domain.parse(part) for part in parts[:2])
    step = parse_outcome(domain.kind, parts[2]) if len(parts) == 3 else None
    number = int | Fraction
    no_step = len(parts) == 3 and step is None
    if no_step or not isinstance(low, number) or not isinstance(high, number):
        raise domain.refused(text)
    between = [
        value for value in domain.values if isinstance(value, number) and low <= value <= high
    ]
    if step == 0:
        return []
    return [value for value in between if step is None or not (value - low) % step]
