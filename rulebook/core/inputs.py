"""Inputs of a procedure -> their domains: the values that each may take, and texts as these."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Self

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.domains import Domain
from rulebook.core.faults import Findings, Spot
from rulebook.faults import words_of
from rulebook.model.axes import humanise
from rulebook.model.cells import Sought, nearest, some_words
from rulebook.model.inputs import Input
from rulebook.model.lookup import find, printed
from rulebook.model.modifiers import ModifierRow
from rulebook.model.paths import LookupFault
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.tables import Grid, RecordTable
from rulebook.translation import gettext


def domain_of(name: str, given: Input, findings: Findings, address: Address) -> Domain | None:
    """The domain of an input; None after problems."""
    domain = _of_kind(name, given, findings, address)
    if domain is None or not given.default:
        return domain
    text = "+".join(given.default)
    value = domain.parse(text)
    if value is None or (not domain.several and len(given.default) > 1):
        here = Spot((*address, "default"))
        choices = domain.choices()
        hint = domain.hint(text)
        findings.add("R431 default", here, text=text, name=name, choices=choices, hint=hint)
        return None
    return replace(domain, default=value)


def _of_kind(name: str, given: Input, findings: Findings, address: Address) -> Domain | None:
    label = given.label or humanise(name)
    if given.flag is not None:
        titles: dict[value_types.Value, str] = {False: gettext("No"), True: gettext("Yes")}
        return Domain(name, label, value_types.Flag(), (False, True), titles, given.flag, address)
    if given.count is not None:
        numbers = given.count
        if isinstance(numbers, str):
            numbers = _counts(numbers, findings, Spot((*address, "count")))
        if not numbers:
            return None
        told: dict[value_types.Value, str] = {
            number: quantities.format_number(number) for number in numbers
        }
        return Domain(name, label, value_types.Number(), numbers, told, numbers[0], address)
    if given.length is not None:
        return _lengths(name, label, given, findings, address)
    if given.any_of is not None:
        return _conditions(name, label, given, findings, address)
    return _choices(name, label, given, findings, address)


def _lengths(
    name: str, label: str, given: Input, findings: Findings, address: Address
) -> Domain | None:
    lengths = given.lengths
    if isinstance(given.length, str):
        lengths = _lengths_of(given.length, findings, Spot((*address, "length")))
    if not lengths:
        return None
    kind = value_types.Length(lengths[0].unit)
    told: dict[value_types.Value, str] = {}
    for length in lengths:
        number = value_types.in_unit(length, kind.unit)
        if number is not None:
            told[number] = str(quantities.Length(Fraction(number), kind.unit))
    values = tuple(sorted(told))  # type: ignore[type-var]
    return Domain(name, label, kind, values, told, values[0], address)


def _lengths_of(path: str, findings: Findings, spot: Spot) -> tuple[quantities.Length, ...]:
    """The lengths in a column of a record table."""
    cells = _column(path, "length", findings, spot)
    return tuple(cell for cell in cells if isinstance(cell, quantities.Length))


def _counts(path: str, findings: Findings, spot: Spot) -> tuple[int, ...]:
    """The counts in a column of a record table, rising."""
    cells = _column(path, "count", findings, spot)
    return tuple(sorted({cell for cell in cells if isinstance(cell, int)}))


def _column(
    path: str, wanted: str, findings: Findings, spot: Spot
) -> list[quantities.Value | None]:
    """The cells of a column of a record table that is of the type that is wanted."""
    table_id, field = path.split(".")
    findings.looks_up("tables", table_id)
    table = findings.ruleset.tables.get(table_id)
    if not isinstance(table, RecordTable) or field not in table.fields:
        _no_such(path, findings, spot, f"a column of {wanted}s of a record table")
        return []
    cells = [row.cells[field].value for row in table.data.values()]
    if table.fields[field].type.name != wanted or all(cell is None for cell in cells):
        findings.add("R421 column", spot, path=path, wanted=wanted)
        return []
    return cells


def _no_such(path: str, findings: Findings, spot: Spot, wanted: str) -> None:
    table_id, _, part = path.partition(".")
    tables = findings.ruleset.tables
    table = tables.get(table_id)
    if table is None:
        sought = Sought(table_id, list(tables))
        findings.add("R301 column" if part else "R301 choices", spot, name=sought, wanted=wanted)
        return
    known = (
        [axis.name for axis in table.axes]
        if isinstance(table, Grid)
        else list(table.fields)
        if isinstance(table, RecordTable)
        else []
    )
    if part:
        sought = Sought(part, known)
        findings.add("R302 column", spot, part=sought, table=table.title, wanted=wanted)
    else:
        axis = f"write {path}.{known[0]}" if known else ""
        findings.add(
            "R302 axis", spot, path=path, known=some_words(known), wanted=wanted, write=axis
        )


def _conditions(
    name: str, label: str, given: Input, findings: Findings, address: Address
) -> Domain | None:
    table_id = given.any_of or ""
    findings.looks_up("modifiers", table_id)
    table = findings.ruleset.modifiers.get(table_id)
    if table is None:
        known = list(findings.ruleset.modifiers)
        findings.add(
            "R301 modifier table", Spot((*address, "any_of")), table_id=Sought(table_id, known)
        )
        return None
    told = {key: _condition(row, findings.ruleset) for key, row in table.rows.items()}
    named = _only(told, given.only, findings, address)
    if named is None:
        return None
    titles: dict[value_types.Value, str] = {key: title for key, title in named.items()}  # noqa: C416
    kind = value_types.Conditions(table_id, tuple(named))
    limits = {key: row.up_to for key, row in table.rows.items() if row.up_to}
    return Domain(name, label, kind, tuple(titles), titles, (), address, limits)


#: A value of the ruleset within words; references to rules stay as they are.
_BOUND = re.compile(r"(?<!\\)\{([^{}:]+)\}")


def _condition(row: ModifierRow, ruleset: Ruleset) -> str:
    """A condition in words, its values bound; what is no value is told by those who load it."""

    def value(match: re.Match[str]) -> str:
        try:
            return printed(find(ruleset, match[1]))
        except LookupFault:
            return match[0]

    return _BOUND.sub(value, row.when.markdown)


def _only(
    titles: dict[str, str], only: Sequence[str] | None, findings: Findings, address: Address
) -> dict[str, str] | None:
    """Those of some rows or places that an input names, in their own order; None after problems."""
    if only is None:
        return titles
    sound = True
    for index, key in enumerate(only):
        if key in titles and key not in only[:index]:
            continue
        sound = False
        findings.add(
            "R302 none of the rows" if key not in titles else "R206 row twice",
            Spot((*address, "only", index)),
            key=Sought(key, list(titles)),
        )
    return {key: title for key, title in titles.items() if key in only} if sound else None


def _choices(
    name: str, label: str, given: Input, findings: Findings, address: Address
) -> Domain | None:
    table_id = ""
    titles: Mapping[str, str] | None
    if isinstance(given.one_of, str):
        entity = given.one_of.partition(".")[0]
        of_modifiers = entity in findings.ruleset.modifiers
        findings.looks_up("modifiers" if of_modifiers else "tables", entity)
        found = choices_at(given.one_of, findings.ruleset)
        if found is None:
            expected = "an axis of a grid, such as musketry.range, or a table of rows or modifiers"
            _no_such(given.one_of, findings, Spot((*address, "one_of")), expected)
            return None
        titles, table_id = _only(found[0], given.only, findings, address), found[1]
        if titles is None:
            return None
        if _of_numbers(given.one_of, findings.ruleset):
            told: dict[value_types.Value, str] = {int(key): title for key, title in titles.items()}
            return Domain(
                name, label, value_types.Number(), tuple(told), told, next(iter(told)), address
            )
    else:
        titles = given.one_of or {}
    named = {key: title for key, title in titles.items() if title != humanise(key)}
    if table_id:
        rows = findings.ruleset.tables.get(table_id)
        named = dict(titles) if isinstance(rows, RecordTable) else {}
    kind = value_types.Word(tuple(titles), table_id, named)
    values: dict[value_types.Value, str] = {key: title for key, title in titles.items()}  # noqa: C416
    return Domain(name, label, kind, tuple(values), values, next(iter(values)), address)


def choices_at(path: str, ruleset: Ruleset) -> tuple[dict[str, str], str] | None:
    """Keys and titles of an axis (`musketry.range`), or of the rows of a table, and its id.

    The rows of a modifier table are called by their conditions.
    """
    table_id, _, axis_name = path.partition(".")
    modifiers = ruleset.modifiers.get(path)
    if modifiers is not None:
        return {key: _condition(row, ruleset) for key, row in modifiers.rows.items()}, path
    table = ruleset.tables.get(table_id)
    if isinstance(table, RecordTable) and not axis_name:
        return {key: row.title or humanise(key) for key, row in table.data.items()}, table_id
    if isinstance(table, Grid):
        for axis in table.axes:
            if axis.name == axis_name:
                return {choice.key: choice.title for choice in axis.choices}, ""
    return None


def _of_numbers(path: str, ruleset: Ruleset) -> bool:
    """Whether a path leads to an axis of numbers, with which is reckoned."""
    table_id, _, axis_name = path.partition(".")
    table = ruleset.tables.get(table_id)
    axes = table.axes if isinstance(table, Grid) else ()
    return any(axis.name == axis_name and axis.kind == "numbers" for axis in axes)


class InputFault(Exception):
    """An input that a procedure does not have, or a value that it cannot take."""

    def __init__(self, name: str, message: str, expected: str, hint: str) -> None:
        super().__init__(message)
        self.name = name
        self.message = message
        self.expected = expected
        self.hint = hint

    @classmethod
    def of(cls, key: str, name: str, /, **values: object) -> Self:
        """A fault in the words of `faults.txt`."""
        words = words_of(key, values)
        return cls(name, words.message, words.expected, words.hint)


def parse_inputs(
    domains: Mapping[str, Domain], given: Mapping[str, str]
) -> dict[str, value_types.Value]:
    """Texts as values of the inputs, with defaults for the rest; raises InputFault."""
    values = {name: domain.default for name, domain in domains.items()}
    for name, text in given.items():
        domain = known_domain(domains, name)
        value = domain.parse(text)
        if value is None:
            raise _no_value(domain, text)
        values[domain.name] = value
    return values


def known_domain(domains: Mapping[str, Domain], name: str) -> Domain:
    """The domain of an input by its name, hyphen or underscore; raises InputFault."""
    domain = domains.get(name.replace("-", "_"))
    if domain is None:
        raise InputFault(
            name,
            f"no input '{name[:40]}'" if domains else f"no inputs, so no '{name[:40]}'",
            some_words(list(domains)) or "no inputs at all",
            nearest(name, list(domains)),
        )
    return domain


def _no_value(domain: Domain, text: str) -> InputFault:
    choices, hint = domain.choices(), domain.hint(text)
    return InputFault.of(
        "R434 no value", domain.name, word=text, name=domain.name, choices=choices, hint=hint
    )


def swept(domain: Domain, text: str) -> list[value_types.Value] | None:
    """The values of a sweep: `all`, `6..24`, `6..24..6` (every sixth) or `a,b`; None if it is one.

    Raises InputFault where a value is none of the input's.
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
    parsed = [(part, domain.parse(part)) for part in text.split(",")]
    for part, value in parsed:
        if value is None:
            raise _no_value(domain, part)
    return list(dict.fromkeys(value for _, value in parsed if value is not None))


def _from_to(domain: Domain, text: str, parts: Sequence[str]) -> list[value_types.Value]:
    """The values from one end to the other, or each so many of them; raises InputFault."""
    low, high = (domain.parse(part) for part in parts[:2])
    if not isinstance(low, int | Fraction) or not isinstance(high, int | Fraction):
        raise _no_value(domain, text)
    between = [
        value
        for value in domain.values
        if isinstance(value, int | Fraction) and low <= value <= high
    ]
    step = domain.distance(parts[2]) if len(parts) == 3 else None
    if len(parts) == 3 and step is None:
        raise _no_value(domain, text)
    if step == 0:
        return []
    return [value for value in between if step is None or not (value - low) % step]
