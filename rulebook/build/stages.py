"""The stages that a build calls, from loading to rendering, as one value: tests give others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulebook.problems import Problem, Report
from rulebook.publications.publication import Planned, Publication

if TYPE_CHECKING:
    from rulebook.build.jobs import Render
    from rulebook.core.compute import Computed
    from rulebook.loading.loaded import Loaded
    from rulebook.model.lengths import Lengths
    from rulebook.model.ruleset import Ruleset
    from rulebook.publications.before import Before


@dataclass(frozen=True, slots=True)
class Stages:
    """`render` and `warm_up` are sent to other processes, so they must be functions of a module."""

    load: Callable[[Path], Loaded]
    compute: Callable[[Ruleset], Computed]
    check: Callable[[Ruleset, Computed], Report]
    before: Callable[[Path, Ruleset], tuple[Before | None, list[Problem]]]
    plan: Callable[[Ruleset, Computed, Before | None], list[Planned]]
    ingredients: Callable[[Publication, Path], dict[str, str]]
    render: Render
    warm_up: Callable[[Path], None]
    render_template: Callable[[str, Mapping[str, Any], Path], str]


def stages_of_rulebook(options: tuple[str, ...] = (), lengths: Lengths | None = None) -> Stages:
    """The real ones; rulesets are loaded with these options, their lengths turned so."""
    from rulebook.checking.sense import check
    from rulebook.core.compute import compute
    from rulebook.loading.standing import load_standing
    from rulebook.publications.before import find_before
    from rulebook.publications.documents import plan
    from rulebook.render.environment import render_template
    from rulebook.render.jobs import ingredients, render, warm_up

    load = partial(load_standing, options=options, lengths=lengths)
    stages = (load, compute, check, find_before, plan)
    return Stages(*stages, ingredients, render, warm_up, render_template)
