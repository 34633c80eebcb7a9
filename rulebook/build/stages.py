"""The stages that a build calls, from loading to rendering, as one value: tests give others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulebook.build.cache_keys import program_key
from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.document_kind import ComposedDocument, Planned
from rulebook.problems import Problem, Report
from rulebook.translation import in_language

if TYPE_CHECKING:
    from rulebook.build.jobs import Render
    from rulebook.core.compute import Computed
    from rulebook.documents.document_kind import Rendered
    from rulebook.documents.marks.before import Before
    from rulebook.loading.loaded import Loaded
    from rulebook.model.lengths import Lengths
    from rulebook.model.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Stages:
    """`render` and `warm_up` are sent to other processes, so they must be functions of a module."""

    load: Callable[[Path], Loaded]
    compute: Callable[[Ruleset], Computed]
    check: Callable[[Ruleset, Computed], Report]
    before: Callable[[Path, Ruleset], tuple[Before | None, list[Problem]]]
    plan: Callable[[Ruleset, Computed, Before | None], list[Planned]]
    ingredients: Callable[[ComposedDocument, Path], dict[str, str]]
    render: Render
    warm_up: Callable[[Path], None]
    render_template: Callable[[str, Mapping[str, Any], Path], str]


def stages_of_rulebook(
    options: tuple[str, ...] = (), lengths: Lengths | None = None, cache: Cache = NOTHING_KEPT
) -> Stages:
    """The real ones; rulesets are loaded with these options, their lengths turned so.

    What a stage found once, and need not find again, it keeps in `cache`.

    Each is imported when it is first called: where nothing changed none is.
    """

    def load(source: Path) -> Loaded:
        from rulebook.loading.editions import load_standing

        return load_standing(source, options=options, lengths=lengths)

    def check(ruleset: Ruleset, computed: Computed) -> Report:
        from rulebook.checking import all_checks as sense

        return sense.check(ruleset, computed, cache=cache.salted(program_key()))

    def plan(ruleset: Ruleset, computed: Computed, before: Before | None) -> list[Planned]:
        from rulebook.documents import catalogue

        return catalogue.plan(ruleset, computed, before, cache.salted(program_key()))

    return Stages(
        load, _compute, check, _find_before, plan, _ingredients, render, warm_up, _render_template
    )


def _compute(ruleset: Ruleset) -> Computed:
    from rulebook.core.compute import compute

    with in_language(ruleset.header.language):
        return compute(ruleset)


def _find_before(source: Path, ruleset: Ruleset) -> tuple[Before | None, list[Problem]]:
    from rulebook.documents.marks.before import find_before

    with in_language(ruleset.header.language):
        return find_before(source, ruleset)


def _ingredients(composed: ComposedDocument, templates: Path) -> dict[str, str]:
    from rulebook.documents.catalogue import ingredients

    return ingredients(composed, templates)


def render(
    composed: ComposedDocument, templates: Path, wanted: frozenset[str], cache: Cache
) -> list[Rendered]:
    """The bytes of the wanted files of a document: see `documents.catalogue`."""
    from rulebook.documents import catalogue as jobs

    return jobs.render(composed, templates, wanted, cache)


def warm_up(templates: Path) -> None:
    """Import what a worker needs before its first job: see `documents.catalogue`."""
    from rulebook.documents import catalogue as jobs

    jobs.warm_up(templates)


def _render_template(name: str, view: Mapping[str, Any], templates: Path) -> str:
    from rulebook.typeset.environment import render_template

    return render_template(name, view, templates)
