"""Scenarios to draw: one with ground of every kind, in the shape of a famous field."""

from itertools import combinations
from typing import Any

from beside import as_written

from rulebook.maps.drawing import DrawnMap
from rulebook.maps.geometry import Quad, in_box
from rulebook.maps.lettering import Plate
from rulebook.model.scenarios import Scenario


def quads_meet(one: Quad, other: Quad) -> bool:
    return Plate.of(one).meets(Plate.of(other))


def inches(*pairs: tuple[float, float]) -> list[list[str]]:
    return [[f"{x:g}in", f"{y:g}in"] for x, y in pairs]


GETTYSBURG: dict[str, Any] = as_written(__file__, "gettysburg")
FEATURES: dict[str, Any] = GETTYSBURG["map"]["features"]


def gettysburg() -> Scenario:
    return Scenario.model_validate(GETTYSBURG)


def scenario(features: dict[str, Any], **more: Any) -> Scenario:
    """A scenario of two sides on a table of 8 by 6 feet."""
    return Scenario.model_validate(
        {
            **GETTYSBURG,
            "places": {},
            "objectives": {},
            "sides": {
                name: {
                    "title": name.title(),
                    "colour": colour,
                    "forces": {"all": {"title": "All", "of": {"infantry": "1"}, "at": "anywhere"}},
                }
                for name, colour in (("north", "blue"), ("south", "grey"))
            },
            **more,
            "map": {"features": features},
        }
    )


def expect_nothing_covered(drawn: DrawnMap) -> None:
    """No name covers another, a number, an arrow, a flag or the edge."""
    quads = [list(one.lettered.quads) for one in drawn.names.placed]
    quads += [[quad] for quad in drawn.names.tag_quads]
    for mine, other in combinations(quads, 2):
        assert not any(quads_meet(a, b) for a in mine for b in other)
    for quad in (quad for one in quads for quad in one):
        assert in_box(quad, drawn.room)
        assert not any(quads_meet(quad, fixed) for fixed in drawn.names.fixed)
