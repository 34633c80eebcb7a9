"""A ruleset -> the same with its computed tables as grids, and the odds of its charts.

This is the stage between check and compose. It may be given any ruleset that was loaded: what
cannot be computed is reported as problems.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rulebook.core.charts import ChartOdds, compute_chart
from rulebook.core.computed_tables import compute_table
from rulebook.core.odds import OddsCalculator, Spent
from rulebook.model.prose import Chart
from rulebook.model.ruleset import Ruleset
from rulebook.model.tables import ComputedTable, Grid
from rulebook.problems import Problem


@dataclass(frozen=True, slots=True)
class Computed:
    """What the rules imply: `ruleset` has grids for computed tables, but for those at fault."""

    ruleset: Ruleset
    charts: Mapping[Chart, ChartOdds]
    problems: tuple[Problem, ...] = ()
    spent: Spent = field(default=Spent(), compare=False, repr=False)


def compute(ruleset: Ruleset) -> Computed:
    """Compute all tables and charts; the same odds are computed once."""
    return _computed(ruleset, OddsCalculator(ruleset), {}, {})


def compute_beside(ruleset: Ruleset, plain: Computed, affected: Container[str]) -> Computed:
    """The same of a ruleset with options, of which only what these affect is computed.

    `plain` is what was computed without them, and `affected` are the ids of what differs.
    """
    if plain.problems:
        return compute(ruleset)
    known = {
        name: grid
        for name, grid in plain.ruleset.tables.items()
        if name not in affected and isinstance(grid, Grid)
    }
    charts = {
        line: odds for line, odds in plain.charts.items() if line.procedure.text not in affected
    }
    # All that the plain ruleset took counts, so that here nothing is thought to be within bounds
    # that would not be if all were computed; where something is at fault, all is.
    computed = _computed(ruleset, OddsCalculator(ruleset, plain.spent), known, charts)
    return compute(ruleset) if computed.problems else computed


def _computed(
    ruleset: Ruleset,
    calculator: OddsCalculator,
    known: Mapping[str, Grid],
    known_charts: Mapping[Chart, ChartOdds],
) -> Computed:
    wanted = [name for name, one in ruleset.tables.items() if isinstance(one, ComputedTable)]
    lines = list(charts_in(ruleset))
    if not wanted and not lines:
        return Computed(ruleset, {})
    tables = dict(ruleset.collections.tables)
    for name in wanted:
        table = tables[name]
        if isinstance(table, ComputedTable):
            tables[name] = known.get(name) or compute_table(name, table, calculator) or table
    found = {line: known_charts.get(line) or compute_chart(line, calculator) for line in lines}
    collections = ruleset.collections.model_copy(update={"tables": tables})
    return Computed(
        replace(ruleset, collections=collections),
        {line: odds for line, odds in found.items() if odds is not None},
        tuple(calculator.findings.problems),
        calculator.so_far,
    )


def charts_in(ruleset: Ruleset) -> Iterator[Chart]:
    """The charts of all chapters, in order."""
    for chapter in ruleset.chapters:
        for section in chapter.sections:
            yield from (part for part in section.parts if isinstance(part, Chart))
