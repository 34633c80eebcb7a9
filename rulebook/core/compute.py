"""A ruleset -> the same with its computed tables as grids, and the odds of its charts.

This is the stage between check and compose. It may be given any ruleset that was loaded: what
cannot be computed is reported as problems. A chart shows odds at one set of inputs, or all along
its axes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from math import prod

from rulebook.core.computed_tables import compute_table
from rulebook.core.input_domains import Domain, InputFault
from rulebook.core.odds import (
    MOST_IN_ALL,
    FaultyProcedure,
    OddsCalculator,
    ResultOdds,
    problems_while_computing,
    values_along,
)
from rulebook.core.programs import Program
from rulebook.core.value_types import FlagKind, Kind, Value
from rulebook.model.grids import ComputedTable
from rulebook.model.prose import Chart
from rulebook.model.ruleset import Ruleset
from rulebook.model.walk import unaffected, words_of
from rulebook.once import Latest
from rulebook.problems import Problem
from rulebook.translation import translations


@dataclass(frozen=True, slots=True)
class Computed:
    """A ruleset with computed tables as grids, except those with faults, and its charts' odds.

    `work` is the part of the work that one ruleset may ask for which they took, or more.
    """

    ruleset: Ruleset
    charts: Mapping[Chart, ChartOdds]
    problems: tuple[Problem, ...] = ()
    work: float = 0


def compute(ruleset: Ruleset, plain: Computed | None = None) -> Computed:
    """Computes all computed tables and charts of a ruleset.

    Returns the ruleset with the grids of these tables in it, the odds of the charts, and the
    problems. A table with problems stays as it is, and a chart with problems is left out. What the
    options in force do not affect is taken from `plain`, which was computed without any; what was
    computed last of a ruleset with this id is taken from there, if it cannot have changed.
    """
    if plain is not None:
        return _computed(ruleset, plain, ruleset.unaffected)
    key = ruleset.id, ruleset.frozen, repr(ruleset.header.lengths), translations()
    before, known = _LAST.get(key) or (ruleset, None)
    made, there = None, (ruleset.header, ruleset.frozen)
    if known and not known.problems and (before.header, before.frozen) == there:
        made = _computed(ruleset, known, unaffected(ruleset, before, words_of(before)))
        # More than all may take is a problem, which only the whole work can show.
        made = None if made.problems or made.work >= 1 else made
    made = made or _computed(ruleset)
    _LAST[key] = ruleset, made
    return made


#: The rulesets that were computed last, and what was computed, by id, whether the ruleset is a
#: released edition, its lengths, and language.
_LAST: Latest[tuple[object, ...], tuple[Ruleset, Computed]] = Latest(8)


def _computed(
    ruleset: Ruleset, known: Computed | None = None, same: Set[tuple[str, str]] = frozenset()
) -> Computed:
    """Computes the tables and charts of a ruleset, without those that are the `same` in `known`."""
    calculator = OddsCalculator(ruleset)
    wanted = [name for name, table in ruleset.tables.items() if isinstance(table, ComputedTable)]
    lines = list(charts_in(ruleset))
    if not wanted and not lines:
        return Computed(ruleset, {})
    tables = dict(ruleset.collections.tables)
    for name in wanted:
        table = tables[name]
        if known is not None and ("tables", name) in same:
            tables[name] = known.ruleset.tables[name]
        elif isinstance(table, ComputedTable):
            tables[name] = compute_table(name, table, calculator) or table
    charts = known.charts if known else {}
    kept = {line for line in charts if ("procedures", line.procedure.text) in same}
    found = {
        line: charts[line] if line in kept else compute_chart(line, calculator) for line in lines
    }
    collections = ruleset.collections.model_copy(update={"tables": tables})
    return Computed(
        replace(ruleset, collections=collections),
        {line: odds for line, odds in found.items() if odds is not None},
        tuple(calculator.findings.problems),
        calculator.allowance.work + (known.work if known else 0),
    )


def charts_in(ruleset: Ruleset) -> Iterator[Chart]:
    """Yields the charts of all chapters, in order."""
    for chapter in ruleset.chapters:
        for section in chapter.sections:
            yield from (part for part in section.parts if isinstance(part, Chart))


#: Places along the axis of a chart, for counts and for choices, and series beside each other.
MOST_COUNTS = 60
MOST_CHOICES = 12
MOST_SERIES = 5
#: Outcomes that a chart can show: of numbers, and of words that share a bar.
MOST_OUTCOMES = 120
MOST_SHARES = 8


@dataclass(frozen=True, slots=True)
class Along:
    """An input and the values that it takes along an axis."""

    domain: Domain
    values: tuple[Value, ...]

    @property
    def counted(self) -> bool:
        return self.domain.kind.numeric


@dataclass(frozen=True, slots=True)
class ChartOdds:
    """The odds that a chart shows: for each series, at each place along the axis.

    Without axes there is one place. The odds are None where the procedure does not admit the
    inputs. `held` are the inputs that do not vary.
    """

    program: Program
    result: str
    along: tuple[Along, ...]
    held: Mapping[str, Value]
    series: tuple[tuple[ResultOdds | None, ...], ...]

    @property
    def kind(self) -> Kind:
        return self.program.results[self.result].kind


def compute_chart(chart: Chart, calculator: OddsCalculator) -> ChartOdds | None:
    """Computes the odds that a chart shows; the names in the chart must have been checked.

    Returns None after problems, which the calculator collects.
    """
    program = calculator.programs.get(chart.procedure.text)
    if program is None:
        return None
    problems = calculator.findings.problems
    before = len(problems)
    along, held = _inputs(chart, program, problems)
    if len(problems) == before:
        problems += _too_much(chart, program, along, calculator)
    if len(problems) > before:
        return None
    try:
        series = tuple(
            tuple(calculator.odds(program, chart.result.text, inputs) for inputs in line)
            for line in _series(along, held)
        )
    except FaultyProcedure as fault:
        problems += problems_while_computing(fault, chart.span, "chart")
        return None
    odds = ChartOdds(program, chart.result.text, tuple(along), held, series)
    problems += _unseen(chart, odds)
    return None if len(problems) > before else odds


def _inputs(
    chart: Chart, program: Program, problems: list[Problem]
) -> tuple[list[Along], dict[str, Value]]:
    """Reads the inputs that vary along the axes of a chart, and the values of all other inputs.

    Returns both. Inputs that the chart does not name have their defaults. Problems are appended to
    `problems`: a value that cannot be read, or an input that is named twice.
    """
    along, held, seen = [], program.defaults(), set()
    for setting in (*chart.by, *chart.given):
        name, word = setting.name.text, setting.value or setting.name
        if name in seen:
            message = f"the input '{name}' stands here twice"
            problems.append(Problem("R434", message, setting.name.span, "each input once"))
        seen.add(name)
        domain, text = program.domains[name], setting.value.text if setting.value else "all"
        try:
            if setting in chart.by:
                along.append(Along(domain, tuple(values_along(domain, text))))
            elif setting.value:
                held[name] = domain.read(text)
        except InputFault as fault:
            problems.append(Problem.at(fault, word.span))
    varied = {setting.name.text for setting in chart.by}
    return along, {name: value for name, value in held.items() if name not in varied}


def _too_much(
    chart: Chart, program: Program, along: Sequence[Along], calculator: OddsCalculator
) -> Iterator[Problem]:
    """Yields problems if a chart has more values along an axis than a page can show.

    It also yields one if all tables and charts ask for too many odds, and one if a result whose
    outcomes are no numbers or flags is shown by two inputs.
    """
    for index, (axis, setting) in enumerate(zip(along, chart.by, strict=True)):
        most = MOST_SERIES if index else MOST_COUNTS if axis.counted else MOST_CHOICES
        if len(axis.values) > most:
            message = f"{len(axis.values)} values of '{axis.domain.name}'"
            here, expected = (setting.value or setting.name).span, "such as 6..24..6 or a,b"
            yield Problem("R436", message, here, f"up to {most}, {expected}")
    if calculator.spent or prod(len(axis.values) for axis in along) > MOST_IN_ALL:
        message = f"the computed tables and charts ask for more than {MOST_IN_ALL:,} odds"
        yield Problem("R436", message, chart.span, hint="delete some")
    kind = program.results[chart.result.text].kind
    if len(along) > 1 and not (kind.numeric or isinstance(kind, FlagKind)):
        message = f"'{chart.result.text}', which is {kind}, by two inputs"
        expected = "a result that is a number, or true or false"
        hint = f"show it by '{along[0].domain.name}' alone"
        yield Problem("R435", message, chart.result.span, expected, hint)


def _unseen(chart: Chart, odds: ChartOdds) -> Iterator[Problem]:
    """Yields a problem if the procedure admits none of the inputs of a chart.

    Also yields one if the chart shows each outcome and there are too many of them.
    """
    there = [found for line in odds.series for found in line if found is not None]
    if not there:
        message = f"the procedure '{odds.program.id}' admits none of these inputs"
        required = odds.program.requires[0].say if odds.program.requires else ""
        hint = "set other inputs, such as with firers=12"
        yield Problem("R433", message, chart.span, required, hint)
    outcomes = {outcome for found in there for outcome, _ in found.outcomes}
    shared = odds.along and not (odds.kind.numeric or isinstance(odds.kind, FlagKind))
    most = MOST_SHARES if shared else MOST_OUTCOMES
    if (shared or not odds.along) and len(outcomes) > most:
        message = f"{len(outcomes)} outcomes of '{odds.result}'"
        yield Problem("R436", message, chart.result.span, f"up to {most} in one chart")


def _series(along: Sequence[Along], held: Mapping[str, Value]) -> Iterator[list[dict[str, Value]]]:
    """Yields, for each series of a chart, the inputs at each of its places.

    `held` are the inputs that do not vary.
    """
    nothing: list[dict[str, Value]] = [{}]
    axes = [[{axis.domain.name: value} for value in axis.values] for axis in along]
    places, series = (*axes, nothing, nothing)[:2]
    for outer in series:
        yield [{**held, **outer, **inner} for inner in places]
