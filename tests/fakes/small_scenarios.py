"""A small scenario as plain data, to be changed in one place by each test."""

from copy import deepcopy
from typing import Any

from beside import beside
from small_rulesets import ruleset_of

from rulebook.core.compute import compute
from rulebook.documents.catalogue import identity_of
from rulebook.documents.scenario.forces import PlayedScenario, played_scenarios
from rulebook.model.ruleset import Ruleset

TABLES: dict[str, Any] = beside(__file__, "tables")
UNITS: dict[str, Any] = beside(__file__, "units")
FORMATIONS: dict[str, Any] = {
    "brigade": {"title": "Brigade", "of": {"regiment": "2"}},
    "division": {"title": "Division", "of": {"brigade": "2", "regiment": "1"}},
}
MEETING: dict[str, Any] = beside(__file__, "meeting")
MUSTER: dict[str, Any] = {
    "counts": {"figures": ["men", "officers"], "guns": ["pieces"]},
    "paces": {"regiment": "strengths.foot.reach"},
}


def meeting() -> dict[str, Any]:
    """The scenario, to be changed."""
    return deepcopy(MEETING)


def ruleset_with(
    scenario: dict[str, Any],
    formations: dict[str, Any] | None = None,
    units: dict[str, Any] | None = None,
    **header: Any,
) -> Ruleset:
    """A ruleset with this scenario and no other."""
    return ruleset_of(
        {
            "tables": TABLES,
            "units": units or UNITS,
            "formations": FORMATIONS if formations is None else formations,
            "scenarios": {"meeting": scenario},
        },
        **{"muster": MUSTER, **header},
    )


def played(ruleset: Ruleset, name: str = "meeting") -> PlayedScenario:
    """A scenario as it is to be printed."""
    computed = compute(ruleset)
    found = played_scenarios(computed, identity_of(computed.ruleset))
    return next(one for one in found if one.id == name)
