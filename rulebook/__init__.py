"""Tabletop wargame rules as data, and everything that is printed from them.

The public API and nothing else. Its names are imported when they are first used, so that
`import rulebook` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulebook.build.building import build_rulesets
    from rulebook.build.plan import BuildRequest
    from rulebook.checking.all_checks import check
    from rulebook.core.odds import Odds, odds
    from rulebook.core.play import roll
    from rulebook.core.programs import Played
    from rulebook.loading.folder import find_rulesets
    from rulebook.loading.rulesets import load
    from rulebook.model.ruleset import Ruleset
    from rulebook.problems import Problem, Report, Span, format_report

__version__ = "0.1.0"

__all__ = [
    "BuildRequest",
    "Odds",
    "Played",
    "Problem",
    "Report",
    "Ruleset",
    "Span",
    "__version__",
    "build_rulesets",
    "check",
    "find_rulesets",
    "format_report",
    "load",
    "odds",
    "roll",
]

_HOMES = {
    "Odds": "rulebook.core.odds",
    "BuildRequest": "rulebook.build.plan",
    "Played": "rulebook.core.programs",
    "Problem": "rulebook.problems",
    "Report": "rulebook.problems",
    "Ruleset": "rulebook.model.ruleset",
    "Span": "rulebook.problems",
    "build_rulesets": "rulebook.build.building",
    "check": "rulebook.checking.all_checks",
    "find_rulesets": "rulebook.loading.folder",
    "format_report": "rulebook.problems",
    "load": "rulebook.loading.rulesets",
    "odds": "rulebook.core.odds",
    "roll": "rulebook.core.play",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'rulebook' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
