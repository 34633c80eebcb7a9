"""A ruleset -> the same with its computed tables as grids, and the odds of its charts.

This is the stage between check and compose. It may be given any ruleset that was loaded: what
cannot be computed is reported as problems.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from rulebook.core.charts import ChartOdds, compute_chart
from rulebook.core.computed_tables import compute_table
from rulebook.core.odds import OddsCalculator
from rulebook.model.prose import Chart
from rulebook.model.ruleset import Ruleset
from rulebook.model.tables import ComputedTable
from rulebook.problems import Problem


@dataclass(frozen=True, slots=True)
class Computed:
    """What the rules imply: `ruleset` has grids for computed tables, but for those at fault."""

    ruleset: Ruleset
    charts: Mapping[Chart, ChartOdds]
    problems: tuple[Problem, ...] = ()


def compute(ruleset: Ruleset) -> Computed:
    """Compute all tables and charts; the same odds are computed once."""
    calculator = OddsCalculator(ruleset)
    wanted = [name for name, one in ruleset.tables.items() if isinstance(one, ComputedTable)]
    lines = list(charts_in(ruleset))
    if not wanted and not lines:
        return Computed(ruleset, {})
    tables = dict(ruleset.collections.tables)
    for name in wanted:
        table = tables[name]
        if isinstance(table, ComputedTable):
            tables[name] = compute_table(name, table, calculator) or table
    found = {line: compute_chart(line, calculator) for line in lines}
    collections = ruleset.collections.model_copy(update={"tables": tables})
    return Computed(
        replace(ruleset, collections=collections),
        {line: odds for line, odds in found.items() if odds is not None},
        tuple(calculator.findings.problems),
    )


def charts_in(ruleset: Ruleset) -> Iterator[Chart]:
    """The charts of all chapters, in order."""
    for chapter in ruleset.chapters:
        for section in chapter.sections:
            yield from (part for part in section.parts if isinstance(part, Chart))
