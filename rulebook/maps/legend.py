"""What a map shows -> its legend: only what is on it, with what the ruleset says of each kind.

A sample is drawn by what draws the map, so that it looks as it does there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulebook.maps.canvas import Canvas
from rulebook.maps.drawing import BUILT, GROUND, DrawnMap
from rulebook.maps.features import KINDS, Shape
from rulebook.maps.geometry import ellipse, flattened, quad_of, smooth, straight, turned_quad
from rulebook.maps.ground import (
    crossing,
    draw_bridge,
    draw_ford,
    draw_railways,
    draw_roads,
    draw_waters,
)
from rulebook.maps.marks import SideMark, draw_arrow, draw_zone
from rulebook.model.maps import AREA_KINDS, LINE_KINDS, WATERWAYS, WAYS, Feature
from rulebook.model.scenarios import Scenario
from rulebook.translation import gettext

#: A sample, mm times the grain.
SAMPLE_WIDE, SAMPLE_HIGH = 8.4, 4.8
_WIDEST_LINE = 2.2
#: Lines of samples leave it on both sides, so that no river seems to rise there.
_SAMPLE_ROOM = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class GroundWords:
    """What the ruleset calls a kind of ground, and what it says of it, in plain text."""

    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a legend: a sample, as elements from (0, 0) of `SAMPLE_WIDE` by `SAMPLE_HIGH`."""

    sample: str
    title: str
    text: str = ""


def legend_of(
    scenario: Scenario, drawn: DrawnMap, told: Mapping[str, GroundWords] | None = None
) -> list[Entry]:
    """The kinds of ground in their order, then the marks of the sides.

    `told` has the words of the ruleset by what features are: `terrain.woods`. Kinds that it calls
    the same are told apart by how they are drawn.
    """
    entries = []
    for (kind, ground), shapes in _used(drawn.shapes):
        title, text = gettext(KINDS[kind].title), ""
        if words := (told or {}).get(ground):
            same = words.title.casefold() == title.casefold()
            title, text = (title if same else f"{title}: {words.title}"), words.text
        entries.append(Entry(_sample(kind, shapes, drawn), title, text))
    return [*entries, *_crossings(drawn), *_sides(scenario, drawn)]


def _used(shapes: Sequence[Shape]) -> list[tuple[tuple[str, str], list[Shape]]]:
    """Kinds with what the ruleset calls them, in the order of the legend."""
    groups: dict[tuple[str, str], list[Shape]] = {}
    for shape in shapes:
        if KINDS[shape.kind].title:
            groups.setdefault((shape.kind, str(shape.feature.ground or "")), []).append(shape)
    order = list(KINDS)
    return sorted(groups.items(), key=lambda group: (order.index(group[0][0]), group[0][1]))


def _canvas(drawn: DrawnMap) -> Canvas:
    return Canvas(drawn.canvas.look, drawn.canvas.inch)


def _sample(kind: str, shapes: Sequence[Shape], drawn: DrawnMap) -> str:
    """One feature of a kind, as wide as the widest of them or as there is room for."""
    canvas = _canvas(drawn)
    width = min(max(shape.width for shape in shapes), canvas.mm(_WIDEST_LINE))
    shape = _shape(kind, width, max(shape.feature.contours for shape in shapes), canvas)
    if kind in WATERWAYS or kind == "lake":
        return draw_waters([shape], _SAMPLE_ROOM, canvas)
    if kind == "railway":
        return draw_railways([shape], canvas)
    if kind in WAYS:
        return draw_roads([shape], canvas, ends="butt")
    steps = (*GROUND, *BUILT)
    return "".join(draw(shape, canvas) for of, draw in steps if of == kind)


def _shape(kind: str, width: float, contours: int, canvas: Canvas) -> Shape:
    """A feature as large as a sample."""
    wide, high = canvas.mm(SAMPLE_WIDE), canvas.mm(SAMPLE_HIGH)
    middle = (wide / 2, high / 2)
    if kind in LINE_KINDS:
        feature = Feature.model_validate({"draw": kind, "line": [["0mm", "0mm"], ["9mm", "0mm"]]})
        points = [(0.0, 0.62 * high), (0.34 * wide, 0.42 * high), (0.66 * wide, 0.58 * high)]
        points.append((wide, 0.4 * high))
        pieces = smooth(points, closed=False)
        return Shape(kind, feature, tuple(pieces), tuple(flattened(pieces)), width)
    if kind not in AREA_KINDS:
        return Shape(
            kind, Feature.model_validate({"draw": kind, "at": ["0mm", "0mm"]}), (), (middle,)
        )
    shown = {"contours": str(min(contours, 2))} if kind == "hill" else {}
    extents = {"centre": ["0mm", "0mm"], "width": "9mm", "depth": "5mm"}
    feature = Feature.model_validate({"draw": kind, "box": extents, **shown})
    if KINDS[kind].angular:
        part = 0.5 if kind == "building" else 0.94
        half_wide, half_high = part * wide / 2, part * high / 2
        box = (-half_wide, -half_high, half_wide, half_high)
        pieces = straight(turned_quad(middle, box, 0.0), closed=True)
    else:
        pieces = ellipse(middle, 0.98 * wide, 0.96 * high, 0.0)
    return Shape(kind, feature, tuple(pieces), tuple(flattened(pieces, closed=True)))


def _crossings(drawn: DrawnMap) -> Iterator[Entry]:
    """Fords and bridges, where there are any."""
    canvas = _canvas(drawn)
    used = {key for shape in drawn.shapes for key, _ in shape.crossings}
    wide, high = canvas.mm(SAMPLE_WIDE), canvas.mm(SAMPLE_HIGH)
    river = _shape("river", canvas.mm(1.8), 1, canvas)
    road = _shape("road", canvas.mm(1.3), 1, canvas)
    upright = ((wide / 2, 0.0), (wide / 2, high))
    over = (*straight(upright, closed=False),)
    road = replace(road, pieces=over, points=upright)
    water = draw_waters([river], _SAMPLE_ROOM, canvas)
    at = crossing(river, (wide / 2, high / 2), [road], canvas.mm(1.3))
    if "fords" in used:
        yield Entry(water + draw_ford(at, canvas), gettext(KINDS["ford"].title))
    if "bridges" in used:
        ways = draw_roads([road], canvas, ends="butt")
        yield Entry(water + ways + draw_bridge(at, canvas), gettext(KINDS["bridge"].title))


def _sides(scenario: Scenario, drawn: DrawnMap) -> Iterator[Entry]:
    """How each side's entries and zones are drawn, if it has any on the map."""
    canvas = _canvas(drawn)
    wide, high = canvas.mm(SAMPLE_WIDE), canvas.mm(SAMPLE_HIGH)
    if any(station.entry is not None and not station.sides for station in drawn.stations):
        yield Entry(draw_arrow((wide, high / 2), 180.0, [], canvas), gettext("Way off the table"))
    for number, side in enumerate(scenario.sides.values()):
        mark = SideMark(number, side.colour)
        own = [station for station in drawn.stations if mark in station.sides]
        if any(station.entry is not None for station in own):
            arrow = draw_arrow((0.0, high / 2), 0.0, [mark], canvas)
            text = gettext("The numbers tell in which %(turn)s.", turn=scenario.turn)
            yield Entry(arrow, gettext("%(side)s: entry", side=side.title), text)
        if any(station.zone for station in own):
            ring = quad_of((0.2, 0.2, wide - 0.2, high - 0.2))
            yield Entry(
                draw_zone(ring, [mark], canvas), gettext("%(side)s: set-up", side=side.title)
            )
