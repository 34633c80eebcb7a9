"""Odds -> the lines that `rulebook odds` prints: bars for one set of inputs, tables for a sweep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from rulebook.commands.procedure_inputs import Settings
from rulebook.commands.terminal import DASH, TerminalLook, barred, columns, decimal
from rulebook.core import value_types
from rulebook.core.odds import Odds, ResultOdds
from rulebook.core.programs import Program
from rulebook.core.value_types import in_order, outcome_text
from rulebook.quantities import per_cent

#: Characters of an exact fraction; longer ones are only in the JSON form.
_LONGEST_FRACTION = 9
#: How many outcomes of a number are listed one by one, and the chance that is too small for a line.
_MOST_LINES = 24
_HARDLY = Fraction(1, 2000)
#: How many outcomes of a number have a column each in a sweep.
_MOST_COLUMNS = 8
_NUMBERS = value_types.NumberKind | value_types.LengthKind
#: Numbers between which four fifths of all cases lie.
_LOW, _HIGH = Fraction(1, 10), Fraction(9, 10)


def _percent(chance: Fraction) -> str:
    return f"{per_cent(chance, tenths=True)}%"


@dataclass(frozen=True, slots=True)
class _OutcomeLine:
    """A row of the table: one outcome, or several combined.

    `at_least` is the chance of this outcome or a greater one.
    """

    label: str
    chance: Fraction
    at_least: Fraction


def odds_lines(found: Odds, look: TerminalLook) -> Iterator[str]:
    """Yields the lines of a table for each result: its outcomes with their chances as bars.

    Numbers also have the chance of at least as many.
    """
    for name, result in found.results.items():
        kind = found.program.results[name].kind
        yield ""
        yield f"{found.program.results[name].called(name)}{_middle(result, kind)}"
        yield from _bars(result, kind, look)


def _middle(result: ResultOdds, kind: value_types.Kind) -> str:
    if result.mean is None:
        return ""
    exact = str(result.mean)
    short = "/" in exact and len(exact) <= _LONGEST_FRACTION
    median = outcome_text(result.median(), kind)
    unit = f" {kind.unit}" if isinstance(kind, value_types.LengthKind) else ""
    mean = f"{decimal(result.mean)}{unit}{f' ({exact})' if short else ''}"
    return f": mean {mean}, median {median}"


def _bars(result: ResultOdds, kind: value_types.Kind, look: TerminalLook) -> Iterator[str]:
    numbers = isinstance(kind, _NUMBERS)
    lines = _folded(result, kind) if numbers else _single(result, kind)
    short = all(len(str(line.chance)) <= _LONGEST_FRACTION for line in lines)
    titles = ["chance", *(["at least"] if numbers else []), *(["exactly"] if short else [])]
    wide = max(len(line.label) for line in lines)
    rows = [
        [
            f"  {line.label.rjust(wide) if numbers else line.label}",
            _percent(line.chance),
            *([_percent(line.at_least)] if numbers else []),
            *([str(line.chance)] if short else []),
        ]
        for line in lines
    ]
    # The shape of numbers is seen best at full length; other bars are parts of certainty.
    most = max(line.chance for line in lines) if numbers else 1
    yield from barred(
        columns([""], titles, rows, look), [line.chance / most for line in lines], look
    )


def _single(result: ResultOdds, kind: value_types.Kind) -> list[_OutcomeLine]:
    after = Fraction(1)
    lines = []
    for value, chance in result.outcomes:
        lines.append(_OutcomeLine(outcome_text(value, kind), chance, after))
        after -= chance
    return lines


def _folded(result: ResultOdds, kind: value_types.Kind) -> list[_OutcomeLine]:
    """Returns the table rows for the outcomes of a number, one for each if there are few.

    If there are many, very unlikely outcomes are combined into one row at each end.
    """
    lines = _single(result, kind)
    if len(lines) <= _MOST_LINES:
        return lines
    low = high = 0
    while 1 - lines[low + 1].at_least < _HARDLY:
        low += 1
    while lines[len(lines) - high - 1].at_least < _HARDLY:
        high += 1
    kept = lines[low : len(lines) - high]
    return [*_together(lines[:low]), *kept, *_together(lines[len(lines) - high :])]


def _together(lines: Sequence[_OutcomeLine]) -> list[_OutcomeLine]:
    if len(lines) < 2:
        return list(lines)
    chance = sum((line.chance for line in lines), Fraction())
    last = lines[-1].label
    label = (
        f"{lines[0].label} or more" if last.startswith("more") else f"{lines[0].label} to {last}"
    )
    return [_OutcomeLine(label, chance, lines[0].at_least)]


def sweep_lines(
    program: Program, settings: Settings, found: Sequence[Odds | None], look: TerminalLook
) -> Iterator[str]:
    """Yields the lines of the tables for each result of a sweep over several sets of inputs.

    Two swept inputs make the rows and columns of a table; otherwise each set of inputs is a row.
    None in `found` means that the procedure refuses the set.
    """
    keys = {
        name: [program.domains[name].written(value) for value in settings.values[name]]
        for name in settings.swept
    }
    for name, result in program.results.items():
        kind, title = result.kind, result.called(name)
        results = [odds.results[name] if odds else None for odds in found]
        figures = _figures(kind, results)
        if len(keys) == 2:
            for what, cells in _alone(kind, figures):
                yield from _across(f"{title}{what}", cells, keys, look)
            continue
        titles, cells_of_titles = zip(*figures, strict=True)
        cells_of_rows = zip(*cells_of_titles, strict=True)
        rows = [
            [*row, *cells]
            for row, cells in zip(product(*keys.values()), cells_of_rows, strict=True)
        ]
        yield ""
        yield f"{title}: {_what(kind, titles)}"
        lines = columns(settings.swept, titles, rows, look)
        yield from barred(lines, _bar_of(kind, results), look)


Results = Sequence[ResultOdds | None]
#: What is said of a result: a title, and what stands below it for each set of inputs.
Figures = list[tuple[str, list[str]]]


def _what(kind: value_types.Kind, titles: Sequence[str]) -> str:
    if isinstance(kind, value_types.FlagKind):
        return "chance"
    if not isinstance(kind, _NUMBERS):
        return "chance of each"
    return "mean" if "median" in titles else "mean, and chance of each"


def _figures(kind: value_types.Kind, results: Results) -> Figures:
    """Returns the figures that tables show of a result: a title, and a text for each set of inputs.

    For a flag this is its chance, for words the chance of each. For numbers it is the mean, and the
    chance of each value or, if there are many values, the median and a range.
    """
    if isinstance(kind, value_types.FlagKind):
        return [("chance", _chances(True, results))]
    met = {value: None for result in results if result for value, _ in result.outcomes}
    values = in_order(kind, met)
    if not isinstance(kind, _NUMBERS) or len(values) <= _MOST_COLUMNS:
        each = [(outcome_text(value, kind), _chances(value, results)) for value in values]
        return [*_means(kind, results), *each]

    def quantiles(share: Fraction) -> list[str]:
        return [outcome_text(result.quantile(share), kind) if result else "" for result in results]

    within = [
        f"{low} to {high}" if low else DASH
        for low, high in zip(quantiles(_LOW), quantiles(_HIGH), strict=True)
    ]
    medians = [outcome_text(result.median(), kind) if result else DASH for result in results]
    return [*_means(kind, results), ("median", medians), ("4 in 5 within", within)]


def _means(kind: value_types.Kind, results: Results) -> Figures:
    if not isinstance(kind, _NUMBERS):
        return []
    means = (result.mean if result else None for result in results)
    return [("mean", [DASH if mean is None else decimal(mean) for mean in means])]


def _chances(value: Any, results: Results) -> list[str]:
    return [_percent(result.chance(value)) if result else DASH for result in results]


def _bar_of(kind: value_types.Kind, results: Results) -> list[Fraction]:
    """Returns for each row the length of its bar, as a part of the longest possible one.

    For flags it is the chance of true, for numbers the mean. Empty if bars cannot show the result,
    as with words or negative means.
    """
    if isinstance(kind, value_types.FlagKind):
        return [result.chance(True) if result else Fraction() for result in results]
    if not isinstance(kind, _NUMBERS):
        return []
    means = [result.mean or Fraction() if result else Fraction() for result in results]
    if min(means) < 0 or max(means) == 0:
        return []
    return [mean / max(means) for mean in means]


def _alone(kind: value_types.Kind, figures: Figures) -> Figures:
    """Returns those figures, with headings, that get a table of their own for two swept inputs.

    For numbers and flags this is the first figure only, for words every figure.
    """
    if isinstance(kind, _NUMBERS | value_types.FlagKind):
        return [(f": {title}", cells) for title, cells in figures[:1]]
    return [(f" {title}: chance", cells) for title, cells in figures]


def _across(
    title: str, cells: Sequence[str], keys: Mapping[str, Sequence[str]], look: TerminalLook
) -> Iterator[str]:
    """Yields the lines of a table with one swept input in rows and the other in columns.

    `cells` has the figures row by row; `keys` has the values of both inputs by name.
    """
    (down, rows), (across, titles) = keys.items()
    yield ""
    yield f"{title}; {down} down, {across} across"
    wide = len(titles)
    shown = [[key, *cells[at * wide : (at + 1) * wide]] for at, key in enumerate(rows)]
    yield from columns([""], titles, shown, look)
