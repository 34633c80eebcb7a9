"""Tabletop wargame rules as data, and everything that is printed from them.

The public API and nothing else. Its names are imported when they are first used, so that
`import rulebook` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulebook.build.orders import Order
    from rulebook.build.rulesets import build_rulesets
    from rulebook.checking.sense import check
    from rulebook.loading.rulesets import find_rulesets, load
    from rulebook.model.ruleset import Ruleset
    from rulebook.problems import Problem, Report, Span, format_report

__version__ = "0.1.0"

__all__ = [
    "Order",
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
]

_HOMES = {
    "Order": "rulebook.build.orders",
    "Problem": "rulebook.problems",
    "Report": "rulebook.problems",
    "Ruleset": "rulebook.model.ruleset",
    "Span": "rulebook.problems",
    "build_rulesets": "rulebook.build.rulesets",
    "check": "rulebook.checking.sense",
    "find_rulesets": "rulebook.loading.rulesets",
    "format_report": "rulebook.problems",
    "load": "rulebook.loading.rulesets",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'rulebook' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
