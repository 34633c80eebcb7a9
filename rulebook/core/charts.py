"""The line of a chart -> the odds that it shows: at one set of inputs, or all along its axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil, prod
from numbers import Rational
from typing import Any

from rulebook.core.input_domains import Domain, InputFault
from rulebook.core.odds import (
    MOST_IN_ALL,
    FaultyProcedure,
    Reckoner,
    ResultOdds,
    values_along,
    while_reckoning,
)
from rulebook.core.programs import Program
from rulebook.core.value_types import FlagKind, Kind, LengthKind, NumberKind, Value
from rulebook.model.prose import Chart, Setting, Word
from rulebook.problems import Problem, Span

#: Places along the axis of a chart, for counts and for choices, and series beside each other.
MOST_COUNTS = 60
MOST_CHOICES = 12
MOST_SERIES = 5
#: Outcomes that a chart can show: of numbers, and of words that share a bar.
MOST_OUTCOMES = 120
MOST_SHARES = 8


@dataclass(frozen=True, slots=True)
class Along:
    """An input and the values that are gone through."""

    domain: Domain
    values: tuple[Value, ...]

    @property
    def counted(self) -> bool:
        return isinstance(self.domain.kind, NumberKind | LengthKind)


@dataclass(frozen=True, slots=True)
class ChartOdds:
    """What a chart shows: for each series, for each place along the axis, the odds of a result.

    Without axes there is one place. Where the procedure admits no such inputs the odds are None.
    `held` are the inputs that are the same everywhere.
    """

    program: Program
    result: str
    along: tuple[Along, ...]
    held: Mapping[str, Value]
    series: tuple[tuple[ResultOdds | None, ...], ...]

    @property
    def kind(self) -> Kind:
        return self.program.results[self.result].kind


def compute_chart(chart: Chart, reckoner: Reckoner) -> ChartOdds | None:
    """The odds of a chart whose names are known; None after problems."""
    return _Charting(chart, reckoner).odds()


class _Charting:
    """One chart on its way to its odds."""

    def __init__(self, chart: Chart, reckoner: Reckoner) -> None:
        self.chart = chart
        self.reckoner = reckoner
        self.sound = True

    def _fault(self, key: str, span: Span, /, **values: Any) -> None:
        self.sound = False
        self.reckoner.findings.problems.append(Problem.of(key, span, **values))

    def odds(self) -> ChartOdds | None:
        program = self.reckoner.program(self.chart.procedure.text)
        if program is None:
            return None
        self._each_once()
        along = [
            Along(program.domains[one.name.text], self._values(program, one))
            for one in self.chart.by
        ]
        held = self._held(program)
        if self.sound:
            self._bounded(along)
            self._fitting(program, along)
        return self._reckoned(program, along, held) if self.sound else None

    def _each_once(self) -> None:
        seen: set[str] = set()
        for setting in (*self.chart.by, *self.chart.given):
            name = setting.name
            if name.text in seen:
                self._fault("R434 input twice", name.span, name=name.text)
            seen.add(name.text)

    def _values(self, program: Program, setting: Setting) -> tuple[Value, ...]:
        domain = program.domains[setting.name.text]
        word = setting.value or setting.name
        try:
            values = values_along(domain, setting.value.text if setting.value else "all")
        except InputFault as fault:
            self.sound = False
            self.reckoner.findings.problems.append(Problem.at(fault, word.span))
            return ()
        return tuple(values)

    def _held(self, program: Program) -> dict[str, Value]:
        """The inputs that do not vary, in the order of the procedure."""
        varied = {one.name.text for one in self.chart.by}
        held = {n: value for n, value in program.defaults().items() if n not in varied}
        for setting in self.chart.given:
            domain, word = program.domains[setting.name.text], setting.value
            value = domain.parse(word.text) if word else None
            if word is not None and value is None:
                self._no_value(domain, word)
            elif value is not None:
                held[domain.name] = value
        return held

    def _no_value(self, domain: Domain, word: Word) -> None:
        self.sound = False
        problem = Problem.at(domain.refused(word.text), word.span)
        self.reckoner.findings.problems.append(problem)

    def _bounded(self, along: list[Along]) -> None:
        """So many places and series as can be told apart on a page."""
        for index, (one, setting) in enumerate(zip(along, self.chart.by, strict=True)):
            most = MOST_SERIES if index else MOST_COUNTS if one.counted else MOST_CHOICES
            if len(one.values) > most:
                self._fault(
                    "R436 many series" if index else "R436 many along the axis",
                    (setting.value or setting.name).span,
                    count=len(one.values),
                    name=one.domain.name,
                    most=most,
                    fewer=_fewer(one, most),
                )
        if self.reckoner.spent or prod(len(one.values) for one in along) > MOST_IN_ALL:
            self._fault("R436 many odds of charts", self.chart.span, most=MOST_IN_ALL)

    def _fitting(self, program: Program, along: list[Along]) -> None:
        kind = program.results[self.chart.result.text].kind
        if len(along) > 1 and not isinstance(kind, NumberKind | FlagKind | LengthKind):
            here = self.chart.result.span
            result = self.chart.result.text
            name = along[0].domain.name
            self._fault("R435 by two inputs", here, result=result, kind=kind, name=name)

    def _reckoned(
        self, program: Program, along: list[Along], held: Mapping[str, Value]
    ) -> ChartOdds | None:
        result = self.chart.result.text
        try:
            series = tuple(
                tuple(self.reckoner.odds(program, result, one) for one in line)
                for line in _inputs(along, held)
            )
        except FaultyProcedure as fault:
            problems = while_reckoning(fault, self.chart.span, "chart")
            self.reckoner.findings.problems += problems
            return None
        odds = ChartOdds(program, result, tuple(along), held, series)
        self._shown(odds)
        return odds if self.sound else None

    def _shown(self, odds: ChartOdds) -> None:
        """There is something to be seen, and not too much of it."""
        there = [one for line in odds.series for one in line if one is not None]
        if not there:
            here = self.chart.span
            required = odds.program.requires[0].say if odds.program.requires else ""
            self._fault("R433 none admitted", here, procedure=odds.program.id, required=required)
            return
        outcomes = {outcome for one in there for outcome, _ in one.outcomes}
        shared = odds.along and not isinstance(odds.kind, NumberKind | FlagKind | LengthKind)
        most = MOST_SHARES if shared else MOST_OUTCOMES
        if (shared or not odds.along) and len(outcomes) > most:
            self._fault(
                "R436 many outcomes" if not shared else "R436 many outcomes shared",
                self.chart.result.span,
                count=len(outcomes),
                result=odds.result,
                most=most,
            )


def _inputs(along: list[Along], held: Mapping[str, Value]) -> Iterator[Iterator[dict[str, Value]]]:
    """For each series the inputs at each place."""
    first, second = (*along, None, None)[:2]
    for outer in second.values if second else (None,):
        series = {second.domain.name: outer} if second and outer is not None else {}
        if first is None:
            yield iter([dict(held)])
        else:
            name = first.domain.name
            yield ({**held, **series, name: value} for value in first.values)


def _fewer(one: Along, most: int) -> str:
    name, values = one.domain.name, one.values
    first, last = (one.domain.written(value) for value in (values[0], values[-1]))
    if not one.counted:
        return f"take some: by {name}={first},{last}"
    step = values[ceil(len(values) / most)]
    apart = (
        step - values[0] if isinstance(step, Rational) and isinstance(values[0], Rational) else 0
    )
    return f"take some: by {name}={first}..{last}..{one.domain.written(apart)}"
