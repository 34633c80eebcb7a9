"""A small scenario as plain data, to be changed in one place by each test."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from small_rulesets import ruleset_of

from rulebook.model.ruleset import Ruleset

TABLES: dict[str, Any] = {
    "strengths": {
        "title": "Strengths",
        "fields": {"men": "count", "officers": "count", "reach": "length"},
        "data": {
            "foot": {"title": "Foot", "men": "24", "officers": "3", "reach": "6in"},
            "guns": {"title": "Guns", "men": {"status": "missing", "note": "Torn."},
                     "officers": "1", "reach": "4in"},
        },
    }
}  # fmt: skip
UNITS: dict[str, Any] = {
    "regiment": {
        "title": "Regiment",
        "kind": "foot",
        "rows": ["strengths.foot"],
        "base": {"width": "1in", "depth": "1in"},
    },
    "battery": {
        "title": "Battery",
        "kind": "guns",
        "rows": ["strengths.guns"],
        "tracks": {"pieces": {"title": "Guns", "boxes": "2"}},
    },
}
FORMATIONS: dict[str, Any] = {
    "brigade": {"title": "Brigade", "of": {"regiment": "2"}},
    "division": {"title": "Division", "of": {"brigade": "2", "regiment": "1"}},
}
MEETING: dict[str, Any] = {
    "title": "The Meeting",
    "length": "12",
    "table": {"width": "72in", "depth": "48in"},
    "map": {
        "status": "house",
        "note": "Ours.",
        "features": {
            "mill_hill": {
                "draw": "hill",
                "title": "Mill Hill",
                "area": [["40in", "20in"], ["60in", "20in"], ["50in", "36in"]],
            },
            "high_road": {
                "draw": "road",
                "title": "High Road",
                "line": [["0in", "24in"], ["72in", "24in"]],
                "width": "2in",
            },
        },
    },
    "places": {
        "west": {"title": "West", "entry": ["0in", "24in"]},
        "east": {
            "title": "East",
            "zone": [["60in", "0in"], ["72in", "0in"], ["72in", "48in"], ["60in", "48in"]],
        },
    },
    "sides": {
        "red": {
            "title": "Red",
            "colour": "red",
            "forces": {
                "main": {"title": "Main", "of": {"division": "1"}, "at": "west", "turn": "3"}
            },
        },
        "blue": {
            "title": "Blue",
            "colour": "blue",
            "forces": {"all": {"title": "All", "of": {"brigade": "1"}, "at": "east"}},
        },
    },
    "objectives": {"hill": {"title": "The hill", "at": "mill_hill"}},
    "victory": "Who holds Mill Hill.",
}
MUSTER: dict[str, Any] = {
    "counts": {"figures": ["men", "officers"], "guns": ["pieces"]},
    "paces": {"regiment": "strengths.foot.reach"},
}


def meeting() -> dict[str, Any]:
    """The scenario, to be changed."""
    return deepcopy(MEETING)


def ruleset_with(
    scenario: dict[str, Any], formations: dict[str, Any] | None = None, **header: Any
) -> Ruleset:
    """A ruleset with this scenario and no other."""
    return ruleset_of(
        {
            "tables": TABLES,
            "units": UNITS,
            "formations": FORMATIONS if formations is None else formations,
            "scenarios": {"meeting": scenario},
        },
        **{"muster": MUSTER, **header},
    )
