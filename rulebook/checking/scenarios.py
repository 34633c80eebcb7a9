"""Scenarios of a loaded ruleset -> faults that two players would find while they set one up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from rulebook import quantities as q
from rulebook.checking.beside import Beside
from rulebook.checking.choices import in_option
from rulebook.checking.named_places import unmapped
from rulebook.model.forces import counted, title_of, units_known, units_of, units_of_side
from rulebook.model.maps import Feature, Point
from rulebook.model.outlines import (
    SPOTS_PER_MM,
    Spot,
    crossing_in,
    distance_from,
    is_flat,
    is_on_edge,
    is_on_table,
    overlap,
    spot,
    spots_of,
    twice_area,
)
from rulebook.model.ruleset import KEY, Address, Ruleset
from rulebook.model.scenarios import ANYWHERE, Force, Place, Scenario
from rulebook.model.units import UnitBase
from rulebook.problems import Problem, Span

#: Of one force, formations counted out: more does not stand on any table.
MOST_UNITS = 500
#: Formations of formations come to numbers that nobody reads to their end.
MANY = 1_000_000
#: A ford or bridge lies on its river if it is no farther from its line than this, in inches.
NEAR = 1


def check_scenarios(ruleset: Ruleset, beside: Beside | None = None) -> Iterator[Problem]:
    """All faults of the sense of the scenarios, each played with the options that it names."""
    for name, scenario in ruleset.scenarios.items():
        wanted = [option for option in scenario.options if option not in ruleset.chosen]
        variant = ruleset.with_options([*ruleset.chosen, *wanted])
        if wanted and not ruleset.chosen:
            yield from (in_option(problem, ruleset, wanted) for problem in variant.problems)
        if variant.ruleset is None:
            continue
        one = _Check(ruleset, variant.ruleset, scenario, name)
        if beside and beside.plain.scenarios.get(name) == scenario:
            plainly = beside.plain.with_options(scenario.options).ruleset
            if plainly is None or _mustered(variant.ruleset) != _mustered(plainly):
                yield from one.of_forces()
        else:
            yield from one.faults()


def _mustered(ruleset: Ruleset) -> tuple[object, ...]:
    """All that tells of whom a scenario can have, beside the scenario itself."""
    return ruleset.units, ruleset.formations, ruleset.tables, ruleset.header


@dataclass(frozen=True, slots=True)
class _Check:
    """One scenario; `played` is the ruleset with the options in force."""

    ruleset: Ruleset
    played: Ruleset
    scenario: Scenario
    name: str

    def faults(self) -> Iterator[Problem]:
        yield from self._features()
        yield from self._places()
        yield from self._unused()
        yield from self.of_forces()
        for named in unmapped(self.scenario):
            span = self._place(*named.address)
            yield Problem(
                "R468",
                f"'{named.words}' is named, and is not on the map",
                span.within(named.text, named.start, named.end) if span else None,
                expected="a feature or a place of that title, or the name under 'beyond'",
                hint=named.hint,
                severity="warning",
            )

    def of_forces(self) -> Iterator[Problem]:
        """What options may change though the scenario stays as it is."""
        yield from self._zones()
        yield from self._sides()

    def _place(self, *address: str | int) -> Span | None:
        return self.ruleset.place("scenarios", self.name, *address)

    # The ground.

    def _features(self) -> Iterator[Problem]:
        for name, feature in self.scenario.map.features.items():
            at: Address = ("map", "features", name)
            yield from self._on_table(feature, at)
            if feature.area:
                yield from self._outline([spot(one) for one in feature.area], (*at, "area"))
            elif feature.line and len({spot(one) for one in feature.line}) < 2:
                yield self._nothing("a line of no length", (*at, "line"), "two places or more")
            line = [spot(one) for one in feature.line or ()]
            width = float(feature.width.mm) / 2 if feature.width else 0.0
            near = NEAR * float(self.scenario.table.inch.mm)
            for key, index, point in feature.crossings:
                if distance_from(spot(point), line) > max(near, width) * SPOTS_PER_MM:
                    yield Problem(
                        "R469",
                        f"the {key.removesuffix('s')} at {point} is not on the {feature.draw}",
                        self._place(*at, key, index),
                        expected=f"a point on the line of the {feature.draw}",
                    )

    def _on_table(self, feature: Feature, at: Address) -> Iterator[Problem]:
        """What is given by points is told by its first point off the table, once."""
        table = self.scenario.table
        if extents := feature.oval or feature.box:
            if not all(is_on_table(table, one) for one in spots_of(feature)):
                key = "oval" if feature.oval else "box"
                what = f"this {key} of {extents.width} by {extents.depth} about {extents.centre}"
                yield self._off(f"{what} reaches off the table", (*at, key))
            return
        key = "area" if feature.area else "line" if feature.line else "at"
        yield from self._points_on_table(feature.points, (*at, key))
        for key, index, point in feature.crossings:
            if not is_on_table(table, spot(point)):
                yield self._off(f"the point {point} is off the table", (*at, key, index))

    def _points_on_table(self, points: Sequence[Point], at: Address) -> Iterator[Problem]:
        for index, point in enumerate(points):
            if not is_on_table(self.scenario.table, spot(point)):
                where = at if at[-1] == "at" else (*at, index)
                yield self._off(f"the point {point} is off the table", where)
                return

    def _off(self, message: str, at: Address) -> Problem:
        table = self.scenario.table
        return Problem(
            "R461",
            message,
            self._place(*at),
            expected=f"points from 0 to {table.width} east, and from 0 to {table.depth} north",
            hint="move it, or make the table larger",
        )

    def _outline(self, outline: list[Spot], at: Address) -> Iterator[Problem]:
        """An outline has ground within it and does not cross itself."""
        crossed = crossing_in(outline)
        if is_flat(outline):
            yield self._nothing("an outline with no ground in it", at, "three corners or more")
        elif crossed is not None:
            first, second = crossed
            yield Problem(
                "R462",
                f"the outline meets itself: at the sides from corner {first + 1} and from "
                f"corner {second + 1}",
                self._place(*at, second) or self._place(*at),
                expected="corners in the order in which one walks around the area",
                hint="change the order of the corners, or cut the area in two",
            )

    def _nothing(self, message: str, at: Address, expected: str) -> Problem:
        return Problem("R462", message, self._place(*at), expected=f"{expected}, apart")

    # Where forces stand and come in.

    def _places(self) -> Iterator[Problem]:
        table = self.scenario.table
        for name, place in self.scenario.places.items():
            at: Address = ("places", name)
            if place.zone is not None:
                yield from self._points_on_table(place.zone, (*at, "zone"))
                yield from self._outline([spot(one) for one in place.zone], (*at, "zone"))
            elif place.entry is not None and not is_on_edge(table, spot(place.entry)):
                yield Problem(
                    "R463",
                    f"the entry {place.entry} is not on an edge of the table",
                    self._place(*at, "entry"),
                    expected=f"0 or {table.width} from the west edge, or 0 or {table.depth} from "
                    "the south edge",
                    hint=self._nearest_edge(place),
                )

    def _nearest_edge(self, place: Place) -> str:
        table, entry = self.scenario.table, place.entry
        if entry is None or not is_on_table(table, spot(entry)):
            return ""
        zero = q.Length(Fraction(0), entry.x.unit)
        ways = [
            (entry.x.mm, f"{zero}, {entry.y}"),
            (table.width.mm - entry.x.mm, f"{table.width}, {entry.y}"),
            (entry.y.mm, f"{entry.x}, {zero}"),
            (table.depth.mm - entry.y.mm, f"{entry.x}, {table.depth}"),
        ]
        return f"the nearest place on an edge is {min(ways)[1]}"

    def _unused(self) -> Iterator[Problem]:
        scenario = self.scenario
        used = {objective.at for objective in scenario.objectives.values()}
        used |= {force.at for _, _, force in self._forces()}
        for name, place in scenario.places.items():
            if name not in used:
                kind = "zone" if place.zone else "entry"
                yield Problem(
                    "R471",
                    f"no force and no objective is at the {kind} '{name}'",
                    self._place("places", name, "title"),
                    expected="a force that stands or enters there",
                    hint="name it at a force, or delete it; what only bears a name is a feature "
                    "of the map with 'draw: label'",
                )

    def _forces(self) -> Iterator[tuple[str, str, Force]]:
        for side_id, side in self.scenario.sides.items():
            yield from ((side_id, force_id, force) for force_id, force in side.forces.items())

    def _zones(self) -> Iterator[Problem]:
        """Zones of two sides have no ground in common, and each has room for all who start."""
        users: dict[str, dict[str, list[Force]]] = {}
        for side_id, _, force in self._forces():
            place = self.scenario.places.get(force.at)
            if place and place.zone:
                users.setdefault(force.at, {}).setdefault(side_id, []).append(force)
        outlines = {name: self._zone(name) for name in users}
        sound = [name for name in users if not list(self._outline(outlines[name], ("places",)))]
        for one, other in combinations(sound, 2):
            sides = users[one].keys() | users[other].keys()
            if len(sides) > 1 and overlap(outlines[one], outlines[other]):
                yield self._shared(one, other)
        for name in sound:
            if len(users[name]) > 1:
                yield self._shared(name, name)
            forces = [force for listed in users[name].values() for force in listed]
            yield from self._room(name, outlines[name], forces)

    def _zone(self, name: str) -> list[Spot]:
        return [spot(point) for point in self.scenario.places[name].zone or ()]

    def _shared(self, one: str, other: str) -> Problem:
        same = one == other
        also = None if same else self._place("places", one, "zone")
        return Problem(
            "R466",
            f"two sides stand in the zone '{one}'"
            if same
            else f"the zones '{one}' and '{other}' of two sides overlap",
            self._place("places", other, "zone"),
            expected="ground for each side that the other has no part of",
            hint="make two zones of it" if same else "move one of them",
            also=(also, f"the zone '{one}' stands here") if also else None,
        )

    def _room(self, name: str, outline: list[Spot], forces: list[Force]) -> Iterator[Problem]:
        """Whether the bases of those that start in a zone have room there; no more is asked."""
        needed = Fraction(0)
        for force in forces:
            units = units_of(self.played, self.scenario, force)
            if units.total() > MOST_UNITS:
                return
            needed += sum(number * self._ground_of(unit) for unit, number in units.items())
        room = Fraction(twice_area(outline), 2) / SPOTS_PER_MM**2
        if needed > room:
            metric = self.scenario.table.width.unit in q.METRIC
            yield Problem(
                "R467",
                f"the zone '{name}' holds {_area(room, metric)}, and the bases of those who start "
                f"there cover {_area(needed, metric)}",
                self._place("places", name, "zone"),
                expected="a zone as large as the bases together",
                hint="make it larger, or let some of them come later",
            )

    def _ground_of(self, unit: str) -> Fraction:
        """What the bases of a unit cover, square mm; nothing where the rules do not say."""
        known = units_known(self.played, self.scenario)[unit]
        base = known.base
        bases = next(iter(counted(self.played, known).values()), None)
        return _covered(base) * bases if base and bases else Fraction(0)

    # Who comes, when and where.

    def _sides(self) -> Iterator[Problem]:
        for side_id, side in self.scenario.sides.items():
            for force_id, force in side.forces.items():
                at: Address = ("sides", side_id, "forces", force_id)
                yield from self._when(force, at)
                yield from self._many(force, at)
            units = units_of_side(self.played, self.scenario, side)
            for name, stated in side.stated.items():
                if units[name] != stated and units[name] <= MOST_UNITS * len(side.forces):
                    title = title_of(self.played, self.scenario, name)
                    yield Problem(
                        "R465",
                        f"{side.title}: {units[name]} of '{title}' in the forces, {stated} stated",
                        self._place("sides", side_id, "stated", name),
                        expected=f"the number that its forces add up to, {units[name]}",
                        hint="correct the number here, or the forces",
                    )

    def _when(self, force: Force, at: Address) -> Iterator[Problem]:
        scenario = self.scenario
        length, turn = scenario.length.turns, force.turn
        if length is not None and turn > length:
            yield Problem(
                "R464",
                f"'{force.title}' comes in {scenario.turn} {turn} of {length}",
                self._place(*at, "turn"),
                expected=f"a {scenario.turn} from 0 to {length}",
                also=self._length(),
            )
        place = scenario.places.get(force.at)
        entry = place is not None and place.entry is not None
        if entry == (turn == 0) and (place is not None or force.at == ANYWHERE):
            message = (
                f"'{force.title}' is there at the start, at an entry"
                if entry
                else f"'{force.title}' comes in {scenario.turn} {turn}, and to no entry"
            )
            yield Problem(
                "R464",
                message,
                self._place(*at, "at"),
                expected="a zone for those that are there at the start, an entry for those that "
                "come later",
                hint="say in which turn it comes: 'turn: 1'" if entry else "name an entry",
            )

    def _length(self) -> tuple[Span, str] | None:
        span = self._place("length")
        return (span, "the length stands here") if span else None

    def _many(self, force: Force, at: Address) -> Iterator[Problem]:
        units = units_of(self.played, self.scenario, force)
        if units.total() > MOST_UNITS:
            many = units.total() if units.total() < MANY else f"more than {MANY}"
            yield Problem(
                "R470",
                f"'{force.title}' is of {many} units",
                self._place(*at, "of"),
                expected=f"up to {MOST_UNITS}, formations counted out",
                hint="see how many of each its formations hold",
            )
        for name, listed in force.names.items():
            if len(listed) > units[name]:
                title = title_of(self.played, self.scenario, name)
                yield Problem(
                    "R470",
                    f"{len(listed)} names for {units[name]} of '{title}'",
                    self._place(*at, "names", name, KEY) or self._place(*at, "names", name),
                    expected=f"up to {units[name]}, one for each in the force",
                )


def _covered(base: UnitBase) -> Fraction:
    sides = [side for side in (base.width, base.depth, base.diameter) if side is not None]
    if any(side.unit == "base" for side in sides):
        return Fraction(0)
    return sides[0].mm * sides[-1].mm


def _area(area: Fraction, metric: bool) -> str:
    """Square millimetres in the square units of a ruler."""
    square = q.MILLIMETRES["cm" if metric else "in"] ** 2
    told = "centimetres" if metric else "inches"
    return f"{q.format_number(round(area / square, 1))} square {told}"
