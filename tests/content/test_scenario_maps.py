"""Maps of the shipped scenarios, as they are drawn for booklets: every name has its own room."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from shipped_rulesets import SHIPPED, shipped

from rulebook.maps.drawing import BATTLE, DEPLOYMENT, Shows, draw_map, scale_for
from rulebook.maps.quads import in_box, quads_meet
from rulebook.model.scenarios import Scenario

SCENARIOS = {
    name: scenario for ruleset in SHIPPED for name, scenario in shipped(ruleset).scenarios.items()
}
#: The text area of A5, on which a wide table stands sideways, and that of A4, mm.
PAGES = {"A5": (178.0, 118.0), "A4": (180.0, 260.0)}


def scale_on(scenario: Scenario, page: str) -> tuple[Fraction, float]:
    scale, look = scale_for(scenario, *PAGES[page])
    return scale, look.grain


@pytest.mark.parametrize("shows", [BATTLE, DEPLOYMENT], ids=["battle", "deployment"])
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", SCENARIOS)
def test_every_name_stands_by_itself(name: str, page: str, shows: Shows) -> None:
    scenario = SCENARIOS[name]
    scale, grain = scale_on(scenario, page)
    drawn = draw_map(scenario, scale, shows=shows, grain=grain)
    names = [list(one.lettered.quads) for one in drawn.names.placed]
    tags = [[quad] for quad in drawn.names.tag_quads]
    for one, other in combinations([*names, *tags], 2):
        assert not any(quads_meet(a, b) for a in one for b in other)
    for quads in names:
        assert all(in_box(quad, drawn.room) for quad in quads)
        # arrows and symbols; a flag may stand on a house
        assert not any(quads_meet(quad, fixed) for quad in quads for fixed in drawn.names.fixed)
    assert [one.title for one in drawn.numbered if not one.objective] == []
