"""A loaded ruleset -> every fault in its sense: what no type tells and a player stumbles on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.checking.beside import Beside
from rulebook.checking.cards import check_cards
from rulebook.checking.choices import in_option
from rulebook.checking.computed import check_computed
from rulebook.checking.examples import check_examples
from rulebook.checking.places import check_axes, check_faces, check_targets
from rulebook.checking.printing import check_documents, check_placing, check_sequence
from rulebook.checking.procedures import check_procedures
from rulebook.checking.scenarios import check_scenarios
from rulebook.checking.sound import Sound
from rulebook.checking.typed_lengths import check_typed_lengths
from rulebook.checking.words import check_conditions, check_terms
from rulebook.core.compute import Computed, compute, compute_beside
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem, Report

_Check = Callable[[Ruleset], Iterable[Problem]]
#: Checks that are soon done, and so are done anew with each option; in the order of all checks.
_FIRST: tuple[_Check, ...] = (
    check_axes,
    check_faces,
    check_targets,
    check_placing,
    check_sequence,
    check_documents,
    check_cards,
)
_OF_WORDS: tuple[_Check, ...] = (check_conditions, check_terms)


def check(
    ruleset: Ruleset,
    computed: Computed | None = None,
    *,
    sparing: bool = True,
    cache: Cache = NOTHING_KEPT,
) -> Report:
    """All faults of the sense of the game, in one report; with each option by itself as well.

    A ruleset that has options chosen is checked as it is. `computed` is what has been computed of
    the ruleset already, so that it need not be done again. A released edition was without a fault
    when it was released and can never be mended, so its faults are warnings. Unless it is
    `sparing`, all is looked at with each option, and not only what the option affects; the report
    is the same. What was found to be sound is kept in `cache`.
    """
    report = Report()
    computed = computed or compute(ruleset)
    sound = Sound(cache)
    sound.recall(ruleset.id)
    found = {name: list(faults) for name, faults in _found(ruleset, computed, sound)}
    report.extend(problem for faults in found.values() for problem in faults)
    if not ruleset.chosen:
        faulty = frozenset(name for name, faults in found.items() if faults)
        plain = Beside(ruleset, computed, frozenset(), faulty)
        told = set(report.problems)
        report.extend(_faults_of_options(plain, told, sound, sparing=sparing))
    sound.remember(ruleset.id)
    if ruleset.standing.frozen:
        return Report([replace(problem, severity="warning") for problem in report])
    return report


def _found(
    ruleset: Ruleset, computed: Computed, sound: Sound, beside: Beside | None = None
) -> Iterator[tuple[str, Iterable[Problem]]]:
    """All checks in order, each by its name with what it finds, as it is asked for.

    `beside` is how the ruleset stands to what it is without options.
    """

    def spared(check: str) -> Beside | None:
        return beside.unless_faulty(check) if beside else None

    yield "chapters", _without_chapters(ruleset)
    yield "first", (problem for one in _FIRST for problem in one(ruleset))
    yield "scenarios", check_scenarios(ruleset, spared("scenarios"))
    yield "words", (problem for one in _OF_WORDS for problem in one(ruleset))
    yield "examples", check_examples(ruleset, spared("examples"), sound)
    yield "lengths", check_typed_lengths(ruleset)
    tried = beside.affected if beside else None
    read = tried if spared("procedures") else None
    yield "procedures", check_procedures(ruleset, tried, read, sound)
    yield "computed", check_computed(ruleset, computed)


def _without_chapters(ruleset: Ruleset) -> Iterator[Problem]:
    if not ruleset.chapters:
        yield Problem.of("R414 no chapters", ruleset.place("header", "chapters"))


def _faults_of_options(
    plain: Beside, told: set[Problem], sound: Sound, *, sparing: bool
) -> Iterator[Problem]:
    """What is at fault only with an option, told once; only what it affects is looked at."""
    ruleset, affected = plain.plain, sound.affected
    for name in ruleset.options:
        variant = ruleset.with_options([name])
        found = list(variant.problems)
        made = variant.ruleset
        if made is not None and sparing:
            beside = replace(plain, affected=affected(made, ruleset))
            computed = compute_beside(made, plain.computed, beside.affected)
            found += _all(_found(made, computed, sound, beside))
        elif made is not None:
            found += _all(_found(made, compute(made), sound))
        for problem in found:
            if problem not in told:
                told.add(problem)
                yield in_option(problem, ruleset, [name])


def _all(found: Iterable[tuple[str, Iterable[Problem]]]) -> Iterator[Problem]:
    return (problem for _, faults in found for problem in faults)
