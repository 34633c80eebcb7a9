"""Scenarios to draw: one with ground of every kind, in the shape of a famous field."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import shapely
from beside import as_written
from fontTools.misc.bezierTools import segmentPointAtT
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path

from rulebook.drawing.elements import Drawn
from rulebook.drawing.svg import svg_elements
from rulebook.maps.canvas import HALO
from rulebook.maps.drawing import DrawnMap
from rulebook.maps.geometry import Quad, box_of, in_box
from rulebook.maps.lettering import Plate
from rulebook.model.scenarios import Scenario


def quads_meet(one: Quad, other: Quad) -> bool:
    return Plate(one, box_of(one)).meets(Plate(other, box_of(other)))


def svg_tree(drawn: Drawn) -> ElementTree.Element:
    """The elements of a drawing as SVG."""
    return ElementTree.fromstring(f"<svg>{svg_elements(drawn)}</svg>")


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
    """No name covers another, a number, an arrow, a flag, a symbol or the edge; nor any leader."""
    names = [list(one.taken) for one in drawn.names.placed]
    tags = [[quad] for quad in drawn.names.tag_quads]
    of_hexes = [[one.quad] for one in drawn.hexes]
    for mine, other in combinations([*names, *tags, *of_hexes], 2):
        assert not any(quads_meet(a, b) for a in mine for b in other)
    for quad in (quad for one in [*names, *tags] for quad in one):
        assert in_box(quad, drawn.room)
    # a flag may stand on a house
    for placed in drawn.names.placed:
        for quad in placed.parts[0].quads:
            assert not any(quads_meet(quad, fixed) for fixed in drawn.names.fixed)
    for one in drawn.hexes:
        assert not any(quads_meet(one.quad, fixed) for fixed in drawn.names.fixed), one.name


_CURVE = 12


def _runs(d: str) -> Iterator[list[tuple[float, float]]]:
    """The lines of a path, its curves as points on them."""
    pen = RecordingPen()
    parse_path(d, pen)
    run: list[tuple[float, float]] = []
    for name, points in pen.value:
        if name == "moveTo":
            if len(run) > 1:
                yield run
            run = list(points)
        elif name == "closePath":
            run.append(run[0])
        elif points:
            control = (run[-1], *points)
            run += (segmentPointAtT(control, step / _CURVE) for step in range(1, _CURVE + 1))
    if len(run) > 1:
        yield run


def strokes_of(drawn: DrawnMap) -> list[tuple[str, Any]]:
    """All that is stroked on a map, but for names and their leaders: by group, as areas."""
    found = []
    for group in svg_tree(drawn.body):
        kind = group.get("class", "")
        for path in group.iter("path"):
            colour, wide = path.get("stroke", "none"), float(path.get("stroke-width", 0))
            if kind not in ("name", "border", "") and colour not in ("none", "#ffffff"):
                lines = shapely.MultiLineString(list(_runs(path.get("d", ""))))
                name = f"{kind} {group.get('data-feature', '')}"
                found.append((name, lines.buffer(wide / 2, cap_style="flat")))
    return found


def strokes_near_names(drawn: DrawnMap) -> list[str]:
    """Names with a stroke in their halo, read from what is drawn; a tenth of it is let pass."""
    strokes, halo = strokes_of(drawn), drawn.canvas.mm(HALO)
    slack = 0.35 * halo
    found = []
    for one in drawn.names.placed:
        plate = shapely.union_all([shapely.Polygon(quad) for quad in one.parts[0].quads])
        found += [
            f"{one.title}: {name}"
            for name, stroke in strokes
            if stroke.intersects(plate.buffer(-slack, join_style="mitre"))
        ]
    return found


def symbols_by_feature(drawn: DrawnMap) -> Counter[str]:
    """How many symbols each wood, orchard, swamp and piece of rough ground shows."""
    found: Counter[str] = Counter()
    for group in svg_tree(drawn.body):
        if group.get("class") in ("woods", "orchard", "swamp", "rough"):
            for path in group.iter("path"):
                if path.get("stroke-dasharray") is None:
                    found[group.get("data-feature", "")] += path.get("d", "").count("M")
    return found
