"""The places of a scenario -> where they are on the table, in words to measure by."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulebook import quantities
from rulebook.documents.scenario.forces import SideInBattle, place_title
from rulebook.documents.scenario.notes import ScenarioNotes
from rulebook.documents.scenario.sides import when
from rulebook.documents.scenario.views import PlaceView
from rulebook.model.maps import Point, Table
from rulebook.model.scenarios import ANYWHERE, Place, Scenario


def place_views(
    scenario: Scenario, sides: tuple[SideInBattle, ...], notes: ScenarioNotes
) -> tuple[PlaceView, ...]:
    """Where forces are set up, then where they come in; places that no force uses are the last."""
    known = [ANYWHERE, *(name for name, one in scenario.places.items() if one.zone)]
    known += [name for name, one in scenario.places.items() if one.entry]
    found = []
    for name in known:
        who = tuple(_who(scenario, sides, name))
        if name == ANYWHERE and not who:
            continue
        title = place_title(scenario, name)
        if name == ANYWHERE:
            found.append(PlaceView(name, title, "", None, who, way_off=False))
            continue
        place = scenario.places[name]
        where, off = told_place(scenario.table, place), bool(place.entry) and not who
        found.append(PlaceView(name, title, where, notes.of("places", name), who, way_off=off))
    return tuple(sorted(found, key=lambda place: not place.who))


def _who(
    scenario: Scenario, sides: tuple[SideInBattle, ...], name: str
) -> Iterator[tuple[int, str]]:
    for number, side in enumerate(sides):
        forces = [force for force in side.forces if force.at == name]
        told = [f"{force.title}{_turn(scenario, force.turn)}" for force in forces]
        if told:
            yield number, f"{side.title}: {'; '.join(told)}"


def _turn(scenario: Scenario, turn: int) -> str:
    """In which turn it comes in, not to be broken over lines; nothing for the start."""
    words = when(scenario, turn).lower().replace(" ", "\u00a0")
    return f" ({words})" if turn else ""


def told_place(table: Table, place: Place) -> str:
    """An entry by its edge and the distance along it, a zone by its distances to the edges."""
    if place.entry is not None:
        return _entry(table, place.entry)
    corners = place.zone or ()
    return _box(table, corners) or f"corners {'; '.join(_corner(one) for one in corners)}"


def _entry(table: Table, point: Point) -> str:
    along_y = point.x.mm in (0, table.width.mm)
    edges = []
    if point.x.mm == 0:
        edges.append("west")
    elif point.x.mm == table.width.mm:
        edges.append("east")
    if point.y.mm == 0:
        edges.insert(0, "south")
    elif point.y.mm == table.depth.mm:
        edges.insert(0, "north")
    if len(edges) > 1:
        return f"{'-'.join(edges)} corner"
    corner, length = ("south", point.y) if along_y else ("west", point.x)
    return f"{edges[0] if edges else 'no'} edge, {length} from its {corner} end"


def _corner(point: Point) -> str:
    return f"{point.x} from the west and {point.y} from the south"


def _box(table: Table, corners: tuple[Point, ...]) -> str:
    """A rectangle along the edges of the table; empty for any other shape."""
    xs = sorted({one.x.mm: one.x for one in corners}.items())
    ys = sorted({one.y.mm: one.y for one in corners}.items())
    if len(corners) != 4 or len(xs) != 2 or len(ys) != 2 or len({c.mm for c in corners}) != 4:
        return ""
    across = _span((xs[0][1], xs[1][1]), table.width, ("west", "east"))
    up = _span((ys[0][1], ys[1][1]), table.depth, ("south", "north"))
    return ", ".join(filter(None, (up, across))) or "the whole table"


def _span(
    ends: tuple[quantities.Length, quantities.Length],
    whole: quantities.Length,
    edges: tuple[str, str],
) -> str:
    """From where to where between two edges; nothing for all of it."""
    low, high = ends
    if low.mm == 0 and high.mm == whole.mm:
        return ""
    if low.mm == 0:
        return f"within {high} of the {edges[0]} edge"
    if high.mm == whole.mm:
        return f"within {_less(whole, low)} of the {edges[1]} edge"
    return f"{low} to {high} from the {edges[0]} edge"


def _less(whole: quantities.Length, part: quantities.Length) -> quantities.Length:
    """What is left of a length, in the unit of the part."""
    one = part.mm / part.number if part.number else Fraction(1)
    return quantities.Length((whole.mm - part.mm) / one, part.unit)
