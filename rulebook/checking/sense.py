"""A loaded ruleset -> every fault in its sense: what no type tells and a player stumbles on."""

from __future__ import annotations

from rulebook.checking.places import check_axes, check_faces, check_targets
from rulebook.checking.printing import check_documents, check_placing, check_sequence
from rulebook.checking.procedures import check_procedures
from rulebook.checking.words import check_conditions, check_terms
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem, Report

_CHECKS = (
    check_axes,
    check_faces,
    check_targets,
    check_placing,
    check_sequence,
    check_documents,
    check_conditions,
    check_terms,
    check_procedures,
)


def check(ruleset: Ruleset) -> Report:
    """All faults of the sense of the game, in one report."""
    report = Report()
    if not ruleset.chapters:
        report.add(
            Problem(
                "R414",
                "a ruleset without chapters",
                ruleset.place("header", "chapters"),
                expected="one Markdown file or more under 'chapters'",
                hint="write a chapter, such as musketry.md, and add it to chapters",
            )
        )
    for one in _CHECKS:
        report.extend(one(ruleset))
    return report
