"""Maps of the shipped scenarios, as they are drawn for booklets: every name has its own room."""

from __future__ import annotations

from itertools import combinations

import pytest
from map_samples import quads_meet
from shipped_rulesets import SHIPPED, shipped

from rulebook.documents.scenario.maps import MAY_TURN, ROOMS, plate
from rulebook.maps.drawing import BATTLE, DEPLOYMENT, Shows
from rulebook.maps.geometry import in_box

SCENARIOS = {
    name: scenario for ruleset in SHIPPED for name, scenario in shipped(ruleset).scenarios.items()
}


#: Both maps of the smallest page, where names have the least room; the larger one of the others.
PLATES = [("a5", BATTLE), ("a5", DEPLOYMENT), ("large", BATTLE), ("screen", BATTLE)]


@pytest.mark.parametrize(
    ("layout", "shows"), PLATES, ids=["a5-battle", "a5-deployment", "large", "screen"]
)
@pytest.mark.parametrize("name", SCENARIOS)
def test_every_name_stands_by_itself(name: str, layout: str, shows: Shows) -> None:
    battle, small, grain = ROOMS[layout]
    room, may_turn = (battle, layout in MAY_TURN) if shows is BATTLE else (small, False)
    drawn = plate(SCENARIOS[name], shows, room, grain, may_turn=may_turn).drawn.drawn
    names = [list(one.lettered.quads) for one in drawn.names.placed]
    tags = [[quad] for quad in drawn.names.tag_quads]
    for one, other in combinations([*names, *tags], 2):
        assert not any(quads_meet(a, b) for a in one for b in other)
    for quads in names:
        assert all(in_box(quad, drawn.room) for quad in quads)
        # arrows and symbols; a flag may stand on a house
        assert not any(quads_meet(quad, fixed) for quad in quads for fixed in drawn.names.fixed)
    assert [one.title for one in drawn.numbered if not one.objective] == []
