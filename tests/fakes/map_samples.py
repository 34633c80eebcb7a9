"""Scenarios to draw: one with ground of every kind, in the shape of a famous field."""

from __future__ import annotations

from typing import Any

from beside import as_written

from rulebook.maps.setting import Plate, Quad
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
