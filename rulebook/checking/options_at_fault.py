"""Options chosen and a fault or its place -> whether these options bring it, and which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulebook import quantities
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem, Span


def in_option(problem: Problem, ruleset: Ruleset, options: Sequence[str]) -> Problem:
    """A fault outside the options' own files names the options without which it is none."""
    files = {place.path for name in options if (place := ruleset.place("options", name, "title"))}
    if not options or (problem.span and problem.span.path in files):
        return problem
    names = quantities.join_words([f"'{name}'" for name in options], "and")
    called = "option" if len(options) == 1 else "options"
    return replace(problem, message=f"with the {called} {names}: {problem.message}")


def adding(ruleset: Ruleset, span: Span) -> str | None:
    """The option, of those chosen, in whose file something stands."""
    for name in ruleset.chosen:
        place = ruleset.place("options", name, "title")
        if place is not None and place.path == span.path:
            return name
    return None
