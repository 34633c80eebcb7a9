"""A loaded ruleset -> every fault in its sense: what no type tells and a player stumbles on."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace

from rulebook.checking.cards import check_cards
from rulebook.checking.choices import in_option
from rulebook.checking.computed import check_computed
from rulebook.checking.examples import check_examples
from rulebook.checking.places import check_axes, check_faces, check_targets
from rulebook.checking.printing import check_documents, check_placing, check_sequence
from rulebook.checking.procedures import check_procedures
from rulebook.checking.scenarios import check_scenarios
from rulebook.checking.typed_lengths import check_typed_lengths
from rulebook.checking.words import check_conditions, check_terms
from rulebook.core.affected import affected
from rulebook.core.compute import Computed, compute
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem, Report

_CHECKS = (
    check_axes,
    check_faces,
    check_targets,
    check_placing,
    check_sequence,
    check_documents,
    check_cards,
    check_scenarios,
    check_conditions,
    check_terms,
    check_examples,
    check_typed_lengths,
)


def check(ruleset: Ruleset, computed: Computed | None = None) -> Report:
    """All faults of the sense of the game, in one report; with each option by itself as well.

    A ruleset that has options chosen is checked as it is. `computed` is what has been computed of
    the ruleset already, so that it need not be done again. A released edition was without a fault
    when it was released and can never be mended, so its faults are warnings.
    """
    report = Report()
    report.extend(_faults(ruleset, computed))
    if not ruleset.chosen:
        report.extend(_faults_of_options(ruleset, set(report.problems)))
    if ruleset.standing.frozen:
        return Report([replace(problem, severity="warning") for problem in report])
    return report


def _faults(
    ruleset: Ruleset, computed: Computed | None = None, tried: Container[str] | None = None
) -> Iterator[Problem]:
    if not ruleset.chapters:
        yield Problem(
            "R414",
            "a ruleset without chapters",
            ruleset.place("header", "chapters"),
            expected="one Markdown file or more under 'chapters'",
            hint="write a chapter, such as musketry.md, and add it to chapters",
        )
    for one in _CHECKS:
        yield from one(ruleset)
    yield from check_procedures(ruleset, tried)
    yield from check_computed(ruleset, computed or compute(ruleset))


def _faults_of_options(ruleset: Ruleset, told: set[Problem]) -> Iterator[Problem]:
    """What is at fault only with an option, told once; only what it affects is reckoned."""
    for name in ruleset.options:
        variant = ruleset.with_options([name])
        found = list(variant.problems)
        if variant.ruleset is not None:
            found += _faults(variant.ruleset, tried=affected(variant.ruleset, ruleset))
        for problem in found:
            if problem not in told:
                told.add(problem)
                yield in_option(problem, ruleset, [name])
