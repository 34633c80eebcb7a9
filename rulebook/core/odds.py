"""A procedure and its inputs -> odds: of each result, of all together, means and medians.

For tables and charts, which ask for many sets of inputs, each is computed once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from operator import itemgetter
from typing import Any

from rulebook.core import value_types
from rulebook.core.input_domains import Domain, parse_inputs, plain, swept
from rulebook.core.procedure_faults import Findings, RunFault, Spot
from rulebook.core.procedures import Programs
from rulebook.core.programs import Program
from rulebook.core.value_types import LengthKind, More, Value, in_order, rank_of
from rulebook.core.weights import Engine, State, Weights, projected
from rulebook.limits import MOST_WORK
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem, Span, second_place

#: Digits of 30 bits whose square takes as long as a move of a state.
SQUARED_DIGITS = 2000


@dataclass(frozen=True, slots=True)
class ResultOdds:
    """The outcomes of one result in order, with their probabilities; the mean if it is a number."""

    outcomes: tuple[tuple[Any, Fraction], ...]
    mean: Fraction | None

    def chance(self, value: Any) -> Fraction:
        return next((chance for outcome, chance in self.outcomes if outcome == value), Fraction(0))

    def at_least(self, value: Any) -> Fraction:
        """Returns the chance of a number that is `value` or more.

        `More`, which stands for all numbers beyond those listed, counts as such a number.
        """
        met = (
            outcome
            for outcome in self.outcomes
            if isinstance(outcome[0], More) or outcome[0] >= value
        )
        return sum((chance for _, chance in met), Fraction(0))

    def median(self) -> Any:
        """Returns the median: the first outcome up to which at least half of all cases lie."""
        return self.quantile(Fraction(1, 2))

    def quantile(self, share: Fraction) -> Any:
        """Returns the first outcome up to which at least this share of all cases lies.

        The outcome itself is included in these cases.
        """
        up_to = accumulate(chance for _, chance in self.outcomes)
        reached = zip(self.outcomes, up_to, strict=True)
        return next((value for (value, _), so_far in reached if so_far >= share))


@dataclass(frozen=True)
class Odds:
    """The odds of some results of a procedure at one set of inputs.

    `weights` are by tuples of the values of the results in `names`; `means` are the exact means of
    results that count passes without a bound.
    """

    program: Program
    inputs: Mapping[str, Value]
    names: tuple[str, ...]
    weights: Weights
    means: Mapping[str, Fraction]

    @cached_property
    def results(self) -> dict[str, ResultOdds]:
        """The odds of each result, by name."""
        return {name: self._result(name, index) for index, name in enumerate(self.names)}

    def _result(self, name: str, index: int) -> ResultOdds:
        kind, mean = self.program.results[name].kind, self.means.get(name)
        weights: dict[Any, int] = projected(self.weights, itemgetter(index))
        total = sum(weights.values())
        order = in_order(kind, weights)
        outcomes = tuple((value, Fraction(weights[value], total)) for value in order)
        if mean is None and kind.numeric:
            mean = Fraction(sum(value * weight for value, weight in weights.items())) / total
        return ResultOdds(outcomes, mean)

    @cached_property
    def joint(self) -> tuple[tuple[State, Fraction], ...]:
        """Each combination of values of all results that can occur, with its chance."""
        if len(self.names) == 1:
            (alone,) = self.results.values()
            return tuple(((value,), share) for value, share in alone.outcomes)
        total = sum(self.weights.values())
        ordered = sorted(self.weights, key=lambda values: tuple(map(rank_of, values)))
        return tuple((values, Fraction(self.weights[values], total)) for values in ordered)


def exact(
    program: Program,
    inputs: Mapping[str, Value],
    results: Sequence[str] | None = None,
    *,
    engine: Engine | None = None,
) -> Odds:
    """Computes the odds of the given results, or of all if none are given, from exact weights.

    `inputs` must hold a value for every input of the program. If an engine is passed, the caller
    must have called its `begin` for this question; it keeps compiled steps for later questions.
    Raises RunFault.
    """
    names = tuple(results or program.results)
    engine = engine or Engine()
    program.admit(inputs)
    weights = program.reading(engine, names)(inputs)
    counts = {name: program.results[name] for name in names}
    means = {
        name: engine.means[result.value.data]
        for name, result in counts.items()
        if result.counts_passes
    }
    return Odds(program, inputs, names, weights, means)


class FaultyProcedure(Exception):
    """Raised for a procedure that cannot be run, with the problems that prevent it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


def program_of(ruleset: Ruleset, name: str) -> Program:
    """Checks the procedure with this id, which must exist, and returns its program.

    Raises FaultyProcedure after problems.
    """
    programs = Programs(ruleset)
    program = programs.get(name)
    if program is None:
        raise FaultyProcedure(programs.problems)
    return program


def odds(ruleset: Ruleset, name: str, given: Mapping[str, str] | None = None) -> Odds:
    """Computes the odds of all results of a procedure from inputs given as text.

    Raises FaultyProcedure if it has a fault, and InputFault for unknown inputs and values.
    """
    program = program_of(ruleset, name)
    return compute_odds(ruleset, program, parse_inputs(program.domains, given or {}))


def compute_odds(
    ruleset: Ruleset,
    program: Program,
    inputs: Mapping[str, Value],
    results: Sequence[str] | None = None,
    *,
    engine: Engine | None = None,
) -> Odds:
    """Computes the odds of the given results, or of all, for values of all inputs.

    Raises FaultyProcedure if they cannot be computed, or not within the limit of work.
    """
    engine = engine or Engine()
    try:
        found = exact(program, inputs, results, engine=engine)
        # To bring a share to its lowest terms takes longer the longer its numbers are.
        digits = max(found.weights.values()).bit_length() // 30
        work = len(found.weights) * len(found.names) * (1 + digits * digits // SQUARED_DIGITS)
        engine.spend(Spot(program.address), work)
    except RunFault as fault:
        fault.inputs = inputs_text(program.domains, inputs)
        raise FaultyProcedure([fault.problem(ruleset)]) from fault
    return found


def inputs_text(domains: Mapping[str, Domain], inputs: Mapping[str, Value]) -> str:
    """Returns inputs in the form in which they are typed: `firers=24, cover=open`."""
    return ", ".join(f"{name}={domains[name].written(value)}" for name, value in inputs.items())


def asked(ruleset: Ruleset, program: Program, inputs: Mapping[str, Value]) -> dict[str, object]:
    """Returns the ruleset, options, procedure and inputs of a question about odds as JSON data."""
    return {
        "ruleset": ruleset.id,
        "edition": ruleset.header.edition,
        **({"options": list(ruleset.chosen)} if ruleset.chosen else {}),
        "procedure": program.id,
        "inputs": {name: program.domains[name].plain(value) for name, value in inputs.items()},
    }


def as_json(ruleset: Ruleset, found: Odds) -> dict[str, object]:
    """Returns the output of `rulebook odds --json` as JSON data.

    Probabilities and means are texts 'n/d'. Users rely on this format.
    """
    shares = [
        {
            "values": dict(zip(found.results, map(plain, values), strict=True)),
            "probability": ratio(share),
        }
        for values, share in found.joint
    ]
    results = {
        name: _result_as_json(found.program, name, result) for name, result in found.results.items()
    }
    return {**asked(ruleset, found.program, found.inputs), "results": results, "joint": shares}


def _result_as_json(program: Program, name: str, odds: ResultOdds) -> dict[str, object]:
    """Returns the odds of one result as JSON data, with titles of outcomes and unit of lengths."""
    kind = program.results[name].kind
    titles = value_types.titles_of(kind)
    return {
        "title": program.results[name].title,
        "outcomes": [
            {
                "value": plain(value),
                **({"title": titles[value]} if value in titles else {}),
                "probability": ratio(share),
            }
            for value, share in odds.outcomes
        ],
        "mean": None if odds.mean is None else ratio(odds.mean),
        **({"unit": kind.unit} if isinstance(kind, LengthKind) else {}),
    }


def ratio(number: Fraction) -> str:
    """Returns a fraction as text that always has a denominator: 1/6, 0/1."""
    return f"{number.numerator}/{number.denominator}"


#: Sets of inputs of one table or chart, and of all of a ruleset together.
MOST_ODDS = 1_000
MOST_IN_ALL = 10_000
#: Moves from state to state for all of them: some seconds of them.
MOST_MOVES_IN_ALL = 6 * MOST_WORK


@dataclass(slots=True)
class Allowance:
    """How many sets of inputs may still be computed, and how many moves that may take."""

    odds: int = MOST_IN_ALL
    moves: int = MOST_MOVES_IN_ALL

    @property
    def work(self) -> float:
        """The part of the whole allowance that is spent."""
        return 1 - min(self.odds / MOST_IN_ALL, self.moves / MOST_MOVES_IN_ALL)


@dataclass(slots=True)
class OddsCalculator:
    """Computes odds for the tables and charts of one ruleset."""

    ruleset: Ruleset
    allowance: Allowance = field(default_factory=Allowance)
    programs: Programs = field(init=False)
    findings: Findings = field(init=False)
    _known: dict[tuple[Any, ...], ResultOdds | None] = field(default_factory=dict)
    _engine: Engine = field(default_factory=Engine)
    #: Procedures that have too many cases, which is reported once.
    _too_large: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.programs = Programs(self.ruleset)
        self.findings = Findings(self.ruleset)

    @property
    def spent(self) -> bool:
        """Whether the limit on the number of odds that one ruleset may ask for is reached."""
        return self.allowance.odds <= 0

    def odds(self, program: Program, result: str, inputs: Mapping[str, Value]) -> ResultOdds | None:
        """Returns the odds of a result; None where `inputs` are not what the procedure requires.

        Odds that were asked for before are not computed again. Raises FaultyProcedure, with no
        problems in it if they have been reported before.
        """
        key = (program.id, result, *(inputs[name] for name in program.domains))
        if key not in self._known:
            self._known[key] = self._computed(program, result, inputs)
            self.allowance.odds -= 1
        return self._known[key]

    def _computed(
        self, program: Program, result: str, inputs: Mapping[str, Value]
    ) -> ResultOdds | None:
        if program.id in self._too_large:
            raise FaultyProcedure(())
        if self.allowance.moves <= 0:
            self._too_large.update(self.ruleset.procedures)
            most = f"up to {MOST_MOVES_IN_ALL:,} moves from case to case for all of them"
            what = "the computed tables and charts take too long"
            here = self.ruleset.place(*program.address)
            raise FaultyProcedure([Problem("R436", what, here, most)])
        self._engine.begin()
        try:
            found = compute_odds(self.ruleset, program, inputs, [result], engine=self._engine)
            return found.results[result]
        except FaultyProcedure as fault:
            if all(problem.code == "R433" for problem in fault.problems):
                return None
            if any(problem.code == "R424" for problem in fault.problems):
                self._too_large.add(program.id)
            raise
        finally:
            self.allowance.moves -= self._engine.spent


def values_along(domain: Domain, text: str) -> list[Value]:
    """Returns the values of an input that a text lists: `all`, another sweep, or a single value.

    Raises InputFault.
    """
    values = swept(domain, text)
    return [domain.read(text)] if values is None else values


def problems_while_computing(fault: FaultyProcedure, span: Span | None, what: str) -> list[Problem]:
    """Returns the problems of a procedure, with the place for which it was run added to each.

    `span` is that place; `what` names in the message what is there, such as a chart. Problems that
    already name a second place are unchanged.
    """
    also = second_place(span, f"it is run for this {what}")
    return [replace(problem, also=problem.also or also) for problem in fault.problems]
