"""The map of a scenario as plain data -> plates for its booklet: SVG, and its legend by itself.

Maps are drawn when they are printed, not when the booklet is composed: a map takes longer than all
else of a booklet together, and most builds print none.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from rulebook.documents.scenario.views import ScenarioView
from rulebook.drawing.svg_text import decimal, svg_root
from rulebook.maps.canvas import FONTS, Look
from rulebook.maps.drawing import BATTLE, DEPLOYMENT, DrawnMap, Shows, battle_mat
from rulebook.maps.frame import MARGIN, GroundScale, strip_height
from rulebook.maps.legend import SAMPLE_HIGH, SAMPLE_WIDE, Entry, GroundWords, legend_of
from rulebook.maps.names import Numbered
from rulebook.maps.page import Page, SizedMap, map_at_scale
from rulebook.model.scenarios import Scenario

Layout = Literal["a5", "large", "screen"]

#: Millimetres: the room of the battle map, of the map to set up by, and the grain of both. Their
#: smallest letters are 2.5 mm times the grain, and no print is below 7 points, which are 2.47 mm.
ROOMS: dict[str, tuple[tuple[float, float], tuple[float, float], float]] = {
    "a5": ((128.0, 184.0), (120.0, 128.0), 1.0),
    "large": ((186.0, 190.0), (156.0, 150.0), 1.0),
    "screen": ((178.0, 250.0), (178.0, 250.0), 1.15),
}
#: A map stands sideways where that makes it so much larger; only the small page needs it.
MUCH_LARGER = Fraction(23, 20)
MAY_TURN = ("a5",)
#: Of samples on the legend, which is set in type of its own.
_SAMPLE_GRAIN = 1.0
#: The room of the map on the cover, mm, and the line around it.
_COVER, _EDGE = (99.0, 76.0), 0.7


@dataclass(frozen=True, slots=True)
class Plate:
    """A map: its SVG, its size in mm as it stands on the page, and whether it lies on its side."""

    svg: str
    width: float
    height: float
    sideways: bool
    drawn: SizedMap


@dataclass(frozen=True, slots=True)
class Plates:
    """The maps of a booklet, the legend of both, and the places that have numbers on each.

    `squares` are those of objectives, by the numbers of their flags.
    """

    battle: Plate
    deployment: Plate | None
    key: tuple[Entry, ...]
    names: tuple[Numbered, ...]
    deployment_names: tuple[Numbered, ...]
    squares: dict[int, str]


def draw_plates(view: ScenarioView) -> Plates:
    """The maps of a booklet for its templates."""
    layout = view.layout or "screen"
    scenario = scenario_of(view)
    battle_room, small_room, grain = ROOMS[layout]
    battle = plate(scenario, BATTLE, battle_room, grain, may_turn=layout in MAY_TURN)
    small = plate(scenario, DEPLOYMENT, small_room, grain) if view.map.zones else None
    told = view.map.told
    key = list(_key(scenario, battle, told))
    if small is not None:
        known = {entry.title for entry in key}
        key += [entry for entry in _key(scenario, small, told) if entry.title not in known]
    numbered = battle.drawn.drawn.numbered
    squares = {one.number: one.square for one in numbered if one.objective}
    return Plates(
        battle,
        small,
        tuple(key),
        tuple(one for one in numbered if one.number not in squares),
        tuple(one for one in small.drawn.drawn.numbered if not one.objective) if small else (),
        squares,
    )


def _key(scenario: Scenario, of: Plate, told: Mapping[str, GroundWords]) -> Iterator[Entry]:
    """The legend of a map, its samples drawings of their own."""
    for entry in legend_of(scenario, _grained(of.drawn), told):
        yield replace(entry, sample=_sample(entry.sample, entry.title))


def scenario_of(view: ScenarioView) -> Scenario:
    """The scenario that a view holds as plain data."""
    return Scenario.model_validate(view.map.scenario)


def plate(
    scenario: Scenario,
    shows: Shows,
    room: tuple[float, float],
    grain: float,
    *,
    may_turn: bool = False,
) -> Plate:
    """The largest map that has room, upright, or sideways where that makes it much larger."""
    wide, high = room
    upright, lying = _scale(scenario, wide, high, grain), _scale(scenario, high, wide, grain)
    sideways = may_turn and lying >= MUCH_LARGER * upright
    page = Page(
        wide,
        high,
        shows=shows,
        cartouche=False,
        legend=False,
        ground=GroundScale.of(scenario.table),
        square=scenario.table.squares,
        grain=grain,
    )
    made = map_at_scale(scenario, lying if sideways else upright, page)
    if not sideways:
        return Plate(made.svg, made.width, made.height, sideways=False, drawn=made)
    return Plate(_turned(made, scenario), made.height, made.width, sideways=True, drawn=made)


def _scale(scenario: Scenario, wide: float, high: float, grain: float) -> Fraction:
    """The scale at which the map fits with its border, its scale bars and its north."""
    strip = grain * strip_height(2 if scenario.table.scale else 1)
    margin = 2 * grain * MARGIN
    table = scenario.table
    across = Fraction(round(wide - margin - 0.01, 3)) / table.width.mm
    up = Fraction(round(high - margin - strip - 0.01, 3)) / table.depth.mm
    return min(across, up).limit_denominator(10**6)


def _turned(made: SizedMap, scenario: Scenario) -> str:
    """The same on its side: its top is at the left."""
    start = made.svg.index("</desc>") + len("</desc>")
    end = made.svg.rindex("</svg>")
    told = made.svg[made.svg.index("<desc>") + 6 : start - 7]
    body = f'<g transform="matrix(0 -1 1 0 0 {decimal(made.width)})">{made.svg[start:end]}</g>'
    return svg_root((0, 0, made.height, made.width), scenario.title, told, body, fonts=FONTS)


def _grained(made: SizedMap) -> DrawnMap:
    """The map as its legend is drawn from it: samples of one size on every paper."""
    return replace(made.drawn, look=Look(made.drawn.look.ink, _SAMPLE_GRAIN))


def _sample(drawn: str, title: str) -> str:
    box = (0, 0, SAMPLE_WIDE * _SAMPLE_GRAIN, SAMPLE_HIGH * _SAMPLE_GRAIN)
    return svg_root(box, title, "", drawn, fonts=FONTS).replace("<desc></desc>\n", "")


def cover_picture(view: ScenarioView) -> str:
    """The ground alone in a frame, as an address for the cover."""
    scenario = scenario_of(view)
    wide, high = _COVER
    table = scenario.table
    room = (Fraction(str(side - 2 * _EDGE)) for side in (wide, high))
    scale = min(
        side / length for side, length in zip(room, (table.width.mm, table.depth.mm), strict=True)
    )
    drawn = battle_mat(scenario, scale)
    size = f'x="0" y="0" width="{decimal(drawn.width)}" height="{decimal(drawn.height)}"'
    edge = f'<rect {size} fill="none" stroke="#ffffff" stroke-width="{2 * _EDGE:g}"/>'
    # A drawing within the drawing: what is led on beyond the edge of the table is cut off there.
    ground = f"<svg {size}>{drawn.body}</svg>"
    box = (-_EDGE, -_EDGE, drawn.width + _EDGE, drawn.height + _EDGE)
    svg = svg_root(box, scenario.title, view.cover.alt, edge + ground, fonts=FONTS)
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
