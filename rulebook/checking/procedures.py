"""Procedures of a ruleset and its examples -> faults: names and kinds, then each is run.

What no type shows comes out when a procedure runs: a look-up that finds nothing, a repetition
without an end. So each is run at its defaults and at the least and most of every input, and each
example with its dice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from rulebook import quantities
from rulebook.cache import NOTHING_KEPT, Cache, digest_of
from rulebook.core.input_domains import Domain
from rulebook.core.odds import FaultyProcedure, compute_odds
from rulebook.core.play import play_step
from rulebook.core.procedure_faults import FaultAt, place_of
from rulebook.core.procedures import Programs
from rulebook.core.programs import Program, all_read
from rulebook.core.value_types import FlagKind, NumberKind, Value, WordKind
from rulebook.core.weights import Engine
from rulebook.limits import MOST_WORK
from rulebook.model.entities import Entity
from rulebook.model.grids import Grid
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.sequence_and_examples import ExampleStep
from rulebook.problems import Problem, second_place

#: Sets of inputs at which a procedure is tried.
MOST_TRIED = 40
#: Values of an input that are all tried; of more only the least and the most.
MOST_ENDS = 12
#: Moves from state to state of all tries of a ruleset: some seconds of them.
MOST_MOVES_IN_ALL = 6 * MOST_WORK


@dataclass(slots=True)
class Sound:
    """A store of procedures whose runs had no faults, with the moves that they took.

    Runs are identified by a digest of everything that the procedure can look up. They are not
    repeated while the digest stays the same: in the next check, or with an option that changes none
    of it.
    """

    cache: Cache = NOTHING_KEPT
    _known: dict[str, int] = field(default_factory=dict)
    #: Digests of entities by identity; these are kept, so that no other can have the same.
    _digests: dict[int, tuple[Entity, str]] = field(default_factory=dict)

    def key(self, ruleset: Ruleset, program: Program) -> str:
        """Returns a digest of everything that a program can look up, and of the natural scores.

        Runs of the program are the same as long as this is the same.
        """
        natural = sorted(ruleset.header.natural.items())
        read = sorted(all_read(program) - {("header", "natural")})
        said = [self._digest(getattr(ruleset.collections, at)[name]) for at, name in read]
        return digest_of([read, said, natural])

    def _digest(self, entity: Entity) -> str:
        if id(entity) not in self._digests:
            self._digests[id(entity)] = entity, digest_of(repr(entity))
        return self._digests[id(entity)][1]

    def moves(self, key: str) -> int | None:
        """Returns how many moves the runs of a procedure took, if they are known to have no faults.

        Returns None if they are not known. `key` is the digest from `key`.
        """
        if key not in self._known and isinstance(kept := self.cache.get_json("sound", key), int):
            self._known[key] = kept
        return self._known.get(key)

    def add(self, key: str, moves: int) -> None:
        """Records that the runs of a procedure had no faults, and how many moves they took."""
        self._known[key] = moves
        self.cache.put_json("sound", key, moves)


def check_procedures(ruleset: Ruleset, sound: Sound) -> list[Problem]:
    """Finds the faults of all procedures, and runs each at several sets of inputs.

    If there are faults before any run, only those are returned. Runs that `sound` knows to have no
    faults are not repeated, and others without faults are added to it. If all runs together take
    too many moves, the first procedure that was not run is reported.
    """
    programs = Programs(ruleset)
    made = [programs.get(name) for name in ruleset.to_check("procedures")]
    problems = list(programs.problems)
    if problems:
        return problems
    left = MOST_MOVES_IN_ALL
    for program in made:
        if program is not None:
            if left <= 0:
                return [*problems, _untried(ruleset, program)]
            key = sound.key(ruleset, program)
            spent = sound.moves(key)
            if spent is None:
                faults, spent = _tried(ruleset, program, _gaps(ruleset, program))
                problems += faults
                if not faults:
                    sound.add(key, spent)
            left -= spent
    return problems


def _tried(ruleset: Ruleset, program: Program, gaps: Collection[int]) -> tuple[list[Problem], int]:
    """Runs a procedure at its default inputs and at others; returns faults and the moves taken.

    A fault is returned once for each code and place. The runs at other inputs may together take
    MOST_WORK moves, and no fault is reported if they take more. `gaps` are numbers to try as
    counts.
    """
    found: dict[object, Problem] = {}
    engine, left, spent = Engine(), MOST_WORK, 0
    trials = _trials(program, gaps)
    for number, inputs in zip(range(MOST_TRIED), trials, strict=False):
        engine.begin(left if number else MOST_WORK)
        whole = engine.moves == MOST_WORK
        try:
            compute_odds(ruleset, program, inputs, engine=engine)
        except FaultyProcedure as fault:
            for problem in fault.problems:
                if problem.code == "R433" and inputs != program.defaults():
                    continue  # refused as it should be
                if problem.code != "R424" or whole:
                    found.setdefault((problem.code, problem.span), problem)
        spent += engine.spent
        left -= engine.spent if number else 0
        if left <= 0:
            break
    return list(found.values()), spent


def _untried(ruleset: Ruleset, program: Program) -> Problem:
    message = "the procedures before this one take so long that it was not tried"
    expected = f"up to {MOST_MOVES_IN_ALL:,} moves from case to case in all procedures"
    hint = "narrow the inputs of those that take the most"
    return Problem("R424", message, ruleset.place(*program.address), expected, hint)


def _trials(program: Program, gaps: Collection[int]) -> Iterator[dict[str, Value]]:
    """Yields the sets of inputs to try, the defaults first.

    Then each input is varied by itself. It takes all its values, or the least and greatest if there
    are many; a count also takes the numbers in `gaps`. Last come all combinations of choices that
    differ from the defaults in several inputs, since any cell of a grid may be empty.
    """
    defaults = program.defaults()
    yield defaults
    for name, domain in program.domains.items():
        for value in (*_ends(domain, defaults), *_beside(domain, gaps)):
            yield {**defaults, name: value}
    choices = {
        name: domain.values for name, domain in program.domains.items() if _is_choice(domain)
    }
    for values in product(*choices.values()):
        together = dict(zip(choices, values, strict=True))
        if sum(value != defaults[name] for name, value in together.items()) > 1:
            yield {**defaults, **together}


def _gaps(ruleset: Ruleset, program: Program) -> frozenset[int]:
    """Returns the numbers just below or above a number on an axis that are not on that axis.

    These are the axes of numbers in the grids that a program looks up.
    """
    read = all_read(program)
    axes = (
        {choice.number for choice in axis.choices if choice.number is not None}
        for name, table in ruleset.tables.items()
        if ("tables", name) in read and isinstance(table, Grid)
        for axis in table.axes
        if axis.kind == "numbers"
    )
    return frozenset(
        near for axis in axes for n in axis for near in (n - 1, n + 1) if near not in axis
    )


def _beside(domain: Domain, gaps: Collection[int]) -> Iterator[Value]:
    """Yields the values of an input that are in `gaps`, except its least and greatest value.

    Yields nothing unless the input is a count with more than MOST_ENDS values.
    """
    if isinstance(domain.kind, NumberKind) and len(domain.values) > MOST_ENDS:
        yield from (value for value in domain.values[1:-1] if value in gaps)


def _is_choice(domain: Domain) -> bool:
    return isinstance(domain.kind, WordKind | FlagKind)


def _ends(domain: Domain, defaults: Mapping[str, Value]) -> Iterator[Value]:
    if domain.several:
        yield from ((), domain.every)
        return
    values = domain.values
    if len(values) > MOST_ENDS:
        values = (values[0], values[-1])
    yield from (value for value in values if value != defaults[domain.name])


def check_examples(ruleset: Ruleset) -> Iterator[Problem]:
    """Runs the procedures of all examples with the dice of the examples, and yields their faults.

    Examples of procedures with faults are skipped, as these faults are reported elsewhere. But
    faults that arise only with several options together are reported here, since only examples
    choose several.
    """
    tables = _Tables(ruleset)
    for example_id, example in ruleset.to_check("examples").items():
        for index, step in example.runs.items():
            yield from tables.faults(step, ("examples", example_id, "steps", index))


@dataclass(slots=True)
class _Tables:
    """Plays the examples of a ruleset, with the programs of the options that each one chooses."""

    ruleset: Ruleset
    programs: dict[tuple[str, ...], Programs | None] = field(default_factory=dict)

    def faults(self, step: ExampleStep, at: Address) -> Iterator[Problem]:
        chosen = self.ruleset.options_of(str(at[1]), step)
        if chosen not in self.programs:
            yield from self._choose(chosen)
        programs = self.programs[chosen]
        if programs is None:
            return
        played_in = programs.ruleset
        before = len(programs.problems)
        program = programs.get(step.run or "")
        if program is None:
            if self._only_here(chosen):
                found = programs.problems[before:]
                yield from (in_option(problem, self.ruleset, chosen) for problem in found)
            return
        for slip in play_step(program, step)[1]:
            yield self._problem(slip, at, played_in)

    def _only_here(self, chosen: tuple[str, ...]) -> bool:
        """Tells whether these are several options that are not in force together in the ruleset."""
        return len(chosen) > 1 and chosen != self.ruleset.chosen

    def _choose(self, chosen: tuple[str, ...]) -> Iterator[Problem]:
        variant = self.ruleset.with_options(chosen)
        self.programs[chosen] = Programs(variant.ruleset) if variant.ruleset else None
        if not self._only_here(chosen):
            return
        alone = {
            problem for name in chosen for problem in self.ruleset.with_options([name]).problems
        }
        for problem in variant.problems:
            if problem not in alone:
                yield in_option(problem, self.ruleset, chosen)

    def _problem(self, slip: FaultAt, at: Address, played_in: Ruleset) -> Problem:
        there = place_of(played_in, slip.where) if slip.where else None
        also = second_place(there, "the procedure stops here")
        here = self.ruleset.place(*at, *slip.at)
        return Problem(slip.code, slip.message, here, slip.expected, slip.hint, also)


def in_option(problem: Problem, ruleset: Ruleset, options: Sequence[str]) -> Problem:
    """Returns a fault whose message says that it arises only with the given options.

    A fault in a file of one of these options is returned unchanged, as is any fault if there are no
    options.
    """
    files = {place.path for name in options if (place := ruleset.place("options", name, "title"))}
    if not options or (problem.span and problem.span.path in files):
        return problem
    names = quantities.join_words([f"'{name}'" for name in options], "and")
    called = "option" if len(options) == 1 else "options"
    return replace(problem, message=f"with the {called} {names}: {problem.message}")
