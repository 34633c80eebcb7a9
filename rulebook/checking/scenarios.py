"""Scenarios of a loaded ruleset -> faults that two players would find while they set one up.

Among them are places that the prose names and the map does not show. A name is two capitalised
words or more of which the last says that it is ground: a Ridge, a Road, or whatever ends the title
of something on the map.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from rulebook import quantities
from rulebook.checking.procedures import in_option
from rulebook.core.arrivals import MOST_DIGITS, ArrivalOdds, arrival_odds, too_fine
from rulebook.core.odds import Allowance, FaultyProcedure, OddsCalculator, problems_while_computing
from rulebook.core.procedure_faults import FaultAt
from rulebook.maps.areas import (
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
from rulebook.model.forces import bases_of, title_of, units_known, units_of, units_of_side
from rulebook.model.maps import Feature, TablePoint
from rulebook.model.ruleset import KEY, Address, Ruleset
from rulebook.model.scalars import Prose
from rulebook.model.scenarios import ANYWHERE, LONGEST_GAME, Force, Scenario, TurnByDice
from rulebook.model.units import UnitBase
from rulebook.model.walk import texts_in
from rulebook.problems import Problem, Span, second_place
from rulebook.suggestions import nearest

#: Of one force, formations counted out: more does not stand on any table.
MOST_UNITS = 500
#: Formations of formations come to numbers that nobody reads to their end.
MANY = 1_000_000
#: A ford or bridge lies on its river if it is no farther from its line than this, in inches.
NEAR = 1


def check_scenarios(ruleset: Ruleset) -> Iterator[Problem]:
    """Finds all faults of scenarios, each played with the options that it names.

    Faults that arise only from these options say so. A scenario without options is skipped if the
    options in force do not affect it.
    """
    allowance = Allowance()
    for name, scenario in ruleset.scenarios.items():
        if ("scenarios", name) in ruleset.unaffected and not scenario.options:
            continue
        wanted = [option for option in scenario.options if option not in ruleset.chosen]
        variant = ruleset.with_options([*ruleset.chosen, *wanted])
        if wanted and not ruleset.chosen:
            yield from (in_option(problem, ruleset, wanted) for problem in variant.problems)
        if variant.ruleset is None:
            continue
        calculator = OddsCalculator(variant.ruleset, allowance)
        yield from _Check(ruleset, variant.ruleset, scenario, name, calculator).faults()


@dataclass(frozen=True, slots=True)
class _Check:
    """Checks one scenario; `played` is the ruleset with the options in force."""

    ruleset: Ruleset
    played: Ruleset
    scenario: Scenario
    name: str
    calculator: OddsCalculator

    def faults(self) -> Iterator[Problem]:
        yield from self._features()
        yield from self._places()
        yield from self._unused()
        yield from self._zones()
        yield from self._sides()
        for address, text, start, end, hint in unmapped(self.scenario):
            span = self._place(*address)
            here = span.within(text, start, end) if span else None
            message = f"'{' '.join(text[start:end].split())}' is named, and is not on the map"
            expected = "a feature or a place of that title, or the name under 'beyond'"
            yield Problem("R468", message, here, expected, hint, severity="warning")

    def _place(self, *address: str | int) -> Span | None:
        return self.ruleset.place("scenarios", self.name, *address)

    def _fault(
        self,
        code: str,
        message: str,
        at: Address,
        expected: str,
        *,
        hint: str = "",
        also: tuple[Span, str] | None = None,
    ) -> Problem:
        """Makes a problem of this scenario; `at` is the address of the faulty part within it."""
        return Problem(code, message, self._place(*at), expected, hint, also)

    # The ground.

    def _features(self) -> Iterator[Problem]:
        for name, feature in self.scenario.map.features.items():
            at: Address = ("map", "features", name)
            yield from self._on_table(feature, at)
            if feature.area:
                yield from self._outline([spot(point) for point in feature.area], (*at, "area"))
            elif feature.line and len({spot(point) for point in feature.line}) < 2:
                expected = "two places or more, apart"
                yield self._fault("R462", "a line of no length", (*at, "line"), expected)
            line = [spot(point) for point in feature.line or ()]
            width = float(feature.width.mm) / 2 if feature.width else 0.0
            near = NEAR * float(self.scenario.table.inch.mm)
            for key, index, point in feature.crossings:
                if distance_from(spot(point), line) > max(near, width) * SPOTS_PER_MM:
                    message = f"the {key.removesuffix('s')} at {point} is not on the {feature.draw}"
                    yield self._fault("R469", message, (*at, key, index), "a point on its line")

    def _on_table(self, feature: Feature, at: Address) -> Iterator[Problem]:
        """Reports a feature of the map that is partly off the table, once, at its first such point.

        Fords and bridges on its line that are off the table are reported each.
        """
        table = self.scenario.table
        if extents := feature.oval or feature.box:
            if not all(is_on_table(table, place) for place in spots_of(feature)):
                key = "oval" if feature.oval else "box"
                size = f"{extents.width} by {extents.depth} about {extents.centre}"
                yield self._off(f"{key} of {size}", (*at, key))
            return
        key = "area" if feature.area else "line" if feature.line else "at"
        yield from self._points_on_table(feature.points, (*at, key))
        for key, index, point in feature.crossings:
            if not is_on_table(table, spot(point)):
                yield self._off(f"point {point}", (*at, key, index))

    def _points_on_table(self, points: Sequence[TablePoint], at: Address) -> Iterator[Problem]:
        for index, point in enumerate(points):
            if not is_on_table(self.scenario.table, spot(point)):
                yield self._off(f"point {point}", at if at[-1] == "at" else (*at, index))
                return

    def _off(self, what: str, at: Address) -> Problem:
        table = self.scenario.table
        expected = f"points from 0 to {table.width} east, and from 0 to {table.depth} north"
        hint = "move it, or make the table larger"
        return self._fault("R461", f"the {what} lies off the table", at, expected, hint=hint)

    def _outline(self, outline: list[Spot], at: Address) -> Iterator[Problem]:
        """Reports an outline that encloses no area or meets itself; `at` is its address."""
        crossed = crossing_in(outline)
        if is_flat(outline):
            expected = "three corners or more, apart"
            yield self._fault("R462", "an outline with no ground in it", at, expected)
        elif crossed is not None:
            corners = " and ".join(str(corner + 1) for corner in crossed)
            message = f"the outline meets itself: at the sides from corners {corners}"
            expected = "corners in the order in which one walks around the area"
            yield self._fault("R462", message, (*at, crossed[1]), expected)

    # Where forces stand and come in.

    def _places(self) -> Iterator[Problem]:
        table = self.scenario.table
        for name, place in self.scenario.places.items():
            at: Address = ("places", name)
            if place.zone is not None:
                yield from self._points_on_table(place.zone, (*at, "zone"))
                yield from self._outline([spot(point) for point in place.zone], (*at, "zone"))
            elif place.entry is not None and not is_on_edge(table, spot(place.entry)):
                message = f"the entry {place.entry} is not on an edge of the table"
                expected = f"0 or {table.width} from the west, or 0 or {table.depth} from the south"
                yield self._fault("R463", message, (*at, "entry"), expected)

    def _unused(self) -> Iterator[Problem]:
        scenario = self.scenario
        used = {objective.at for objective in scenario.objectives.values()}
        used |= {force.at for _, _, force in self._forces()}
        for name, place in scenario.places.items():
            if name not in used:
                kind = "zone" if place.zone else "entry"
                message = f"no force and no objective is at the {kind} '{name}'"
                expected = "a force that stands or enters there"
                hint = "delete it; what only bears a name is a feature with 'draw: label'"
                yield self._fault("R471", message, ("places", name, "title"), expected, hint=hint)

    def _forces(self) -> Iterator[tuple[str, str, Force]]:
        for side_id, side in self.scenario.sides.items():
            yield from ((side_id, force_id, force) for force_id, force in side.forces.items())

    def _zones(self) -> Iterator[Problem]:
        """Checks that no ground is in zones of two sides, and that zones are large enough.

        A zone must have room for the bases of the forces that start in it.
        """
        users: dict[str, dict[str, list[Force]]] = {}
        for side_id, _, force in self._forces():
            place = self.scenario.places.get(force.at)
            if place and place.zone:
                users.setdefault(force.at, {}).setdefault(side_id, []).append(force)
        places = self.scenario.places
        outlines = {name: [spot(point) for point in places[name].zone or ()] for name in users}
        sound = [name for name in users if not list(self._outline(outlines[name], ("places",)))]
        for first, second in combinations(sound, 2):
            sides = users[first].keys() | users[second].keys()
            if len(sides) > 1 and overlap(outlines[first], outlines[second]):
                yield self._shared(first, second)
        for name in sound:
            if len(users[name]) > 1:
                yield self._shared(name, name)
            forces = [force for listed in users[name].values() for force in listed]
            yield from self._room(name, outlines[name], forces)

    def _shared(self, first: str, second: str) -> Problem:
        there = None if first == second else self._place("places", first, "zone")
        names = f"zone '{first}'" if first == second else f"zones '{first}' and '{second}'"
        message = f"two sides have ground in common: {names}"
        expected = "ground for each side that the other has no part of"
        also = second_place(there, f"the zone '{first}' stands here")
        return self._fault("R466", message, ("places", second, "zone"), expected, also=also)

    def _room(self, name: str, outline: list[Spot], forces: list[Force]) -> Iterator[Problem]:
        """Reports a zone that is smaller than the bases of the forces that start in it together.

        `outline` are the corners of the zone `name`. Nothing is reported if a force has more than
        MOST_UNITS units.
        """
        needed = Fraction(0)
        for force in forces:
            units = units_of(self.played, self.scenario, force)
            if units.total() > MOST_UNITS:
                return
            needed += sum(number * self._ground_of(unit) for unit, number in units.items())
        room = Fraction(twice_area(outline), 2) / SPOTS_PER_MM**2
        if needed > room:
            metric = self.scenario.table.width.unit in quantities.METRIC
            message = f"the zone '{name}' holds {_area(room, metric)}, and the bases of those "
            message += f"who start there cover {_area(needed, metric)}"
            expected = "a zone as large as the bases together"
            yield self._fault("R467", message, ("places", name, "zone"), expected)

    def _ground_of(self, unit: str) -> Fraction:
        """Returns the area of all bases of a unit in square mm.

        Returns 0 if the unit has no base, or if its sides are not lengths.
        """
        known = units_known(self.played, self.scenario)[unit]
        return _covered(known.base) * bases_of(self.played, known) if known.base else Fraction(0)

    # Who comes, when and where.

    def _sides(self) -> Iterator[Problem]:
        digits = 0
        for side_id, side in self.scenario.sides.items():
            for force_id, force in side.forces.items():
                at: Address = ("sides", side_id, "forces", force_id)
                yield from self._many(force, at)
                if isinstance(force.turn, TurnByDice):
                    try:
                        arrival = arrival_odds(self.calculator, force.turn)
                        digits += arrival.digits
                        if digits > MOST_DIGITS >= digits - arrival.digits:
                            raise too_fine()
                    except FaultAt as fault:
                        yield Problem.at(fault, self._place(*at, "turn", *fault.at))
                        continue
                    except FaultyProcedure as fault:
                        place = self._place(*at, "turn", "run")
                        yield from problems_while_computing(fault, place, "force")
                        continue
                    yield from self._by_dice(force, force.turn, arrival, at)
                else:
                    yield from self._when(force, force.turn, at)
            units = units_of_side(self.played, self.scenario, side)
            for name, stated in side.stated.items():
                if units[name] != stated and units[name] <= MOST_UNITS * len(side.forces):
                    title = title_of(self.played, self.scenario, name)
                    message = f"{side.title}: {units[name]} of '{title}' in the forces, "
                    message += f"{stated} stated"
                    expected = f"the number that its forces add up to, {units[name]}"
                    at = ("sides", side_id, "stated", name)
                    yield self._fault("R465", message, at, expected)

    def _when(self, force: Force, turn: int, at: Address, key: str = "turn") -> Iterator[Problem]:
        """Checks that a force arrives before the game ends, and that its place suits the turn.

        Forces arrive in turn 0 in a zone, and in later turns at an entry. `at` is the address of
        the force, and `key` has the keys that lead from there to the turn, separated by spaces.
        """
        scenario = self.scenario
        length = scenario.length.turns
        if length is not None and turn > length:
            message = f"'{force.title}' comes in {scenario.turn} {turn} of {length}"
            expected = f"a {scenario.turn} from 0 to {length}"
            also = second_place(self._place("length"), "the length stands here")
            yield self._fault("R464", message, (*at, *key.split()), expected, also=also)
        place = scenario.places.get(force.at)
        entry = place is not None and place.entry is not None
        if entry == (turn == 0) and (place is not None or force.at == ANYWHERE):
            where = "at an entry" if entry else "at no entry"
            message = f"'{force.title}' comes in {scenario.turn} {turn}, {where}"
            expected = (
                "a zone for those that are there at the start, turn 0, an entry for all others"
            )
            yield self._fault("R464", message, (*at, "at"), expected)

    def _by_dice(
        self, force: Force, turn: TurnByDice, arrival: ArrivalOdds, at: Address
    ) -> Iterator[Problem]:
        length = self.scenario.length.turns or LONGEST_GAME
        if arrival.first > length and (turn.first or 1) <= length:
            key = "target" if turn.target else "run" if turn.run else "dice"
            expected = "a throw that may succeed before the game ends, or 'last'"
            message = f"no throw can bring '{force.title}'"
            yield self._fault("R464", message, (*at, "turn", key), expected)
            return
        late = [("last", turn.last), ("from", turn.first)]
        key, number = next(
            (set_turn for set_turn in late if (set_turn[1] or 0) > length), ("", arrival.first)
        )
        yield from self._when(force, number or 1, at, f"turn {key}")

    def _many(self, force: Force, at: Address) -> Iterator[Problem]:
        units = units_of(self.played, self.scenario, force)
        if units.total() > MOST_UNITS:
            many = units.total() if units.total() < MANY else f"more than {MANY}"
            expected = f"up to {MOST_UNITS}, formations counted out"
            yield self._fault("R470", f"'{force.title}' is of {many} units", (*at, "of"), expected)
        for name, listed in force.names.items():
            if len(listed) > units[name]:
                title = title_of(self.played, self.scenario, name)
                message = f"{len(listed)} names for {units[name]} of '{title}'"
                expected = f"up to {units[name]}"
                yield self._fault("R470", message, (*at, "names", name, KEY), expected)


def _covered(base: UnitBase) -> Fraction:
    sides = [side for side in (base.width, base.depth, base.diameter) if side is not None]
    if any(side.unit == "base" for side in sides):
        return Fraction(0)
    return sides[0].mm * sides[-1].mm


def _area(area: Fraction, metric: bool) -> str:
    """Returns an area, given in square millimetres, as text in square centimetres or inches."""
    square = quantities.MILLIMETRES["cm" if metric else "in"] ** 2
    unit = "centimetres" if metric else "inches"
    return f"{quantities.format_number(round(area / square, 1))} square {unit}"


#: Two words or more with capitals, one behind the other, small words inside them.
_CAPITAL = r"[^\W\d_a-z][\w’'-]*"
_NAME = re.compile(rf"\b{_CAPITAL}(?:\s+(?:(?:of|the|de|von)\s+)*{_CAPITAL})+")
#: Words that begin a sentence and no name.
_BEGINNING = re.compile(
    r"^(?:(?:A|Across|Along|An|And|At|Behind|Below|Beyond|By|Down|From|In|Near|On|Over|Past|The"
    r"|Through|To|Towards|Up) +)+"
)
#: Ground that a name ends with, whether or not the map has any of its kind.
_GROUND = re.compile(
    "ridge|hills?|heights|knoll|mountain|valley|gap|pass|woods?|forest|grove|orchard|field|road|pike"
    "|turnpike|lane|street|track|trail|railway|railroad|creek|run|brook|stream|river|ford|bridge"
    "|lake|pond|swamp|marsh|farm|house|mill|church|chapel|cemetery|village|station|fort|redoubt"
    "|den|top|plateau"
)
#: Words before the name of a man, who may be called Hill.
_RANKS = re.compile(
    "general|brigadier|colonel|major|captain|lieutenant|sergeant|marshal|admiral|lord|sir|mr|count"
    "|duke|earl|prince|king"
)
_BINDING = re.compile(r"\{[^{}]*\}")


def unmapped(scenario: Scenario) -> Iterator[tuple[Address, str, int, int, str]]:
    """Yields the names of places that the texts of a scenario mention and its map does not show.

    Each name is yielded once, as the address of the text, the text, the start and end of the name
    in it, and a hint with a similar name. Names under `beyond`, and those of sides, forces and
    leaders, are left out.
    """
    mapped = [feature.title for feature in scenario.map.features.values() if feature.title]
    mapped += [place.title for place in scenario.places.values()]
    words_of = (title.removeprefix("The ").split() for title in mapped)
    kinds = {_folded(words[-1]) for words in words_of if len(words) > 1}
    known = {_folded(title) for title in [*mapped, *scenario.beyond, *_others(scenario)]}
    seen: set[str] = set()
    for address, prose in texts_in((), scenario):
        if not isinstance(prose, Prose) or address[-1] != "text":
            continue
        text = _BINDING.sub(lambda braces: ";" * len(braces[0]), prose.markdown.replace("\n", " "))
        for match in _NAME.finditer(text):
            # "Cross the River Road" begins with no part of the name
            name = _BEGINNING.sub("", match[0].rpartition(" the ")[2])
            words = [_folded(word) for word in name.split()]
            ground = words[-1] in kinds or _GROUND.fullmatch(words[-1])
            ends = {" ".join(words[start:]) for start in range(len(words) - 1)}
            if len(words) < 2 or not ground or ends & known or any(map(_RANKS.fullmatch, words)):
                continue
            if _folded(name) not in seen:
                seen.add(_folded(name))
                start = match.end() - len(name)
                yield address, prose.markdown, start, match.end(), nearest(name, mapped)


def _others(scenario: Scenario) -> Iterator[str]:
    """Yields the titles of the scenario and of its objectives, sides, forces and leaders."""
    yield scenario.title
    yield from (objective.title for objective in scenario.objectives.values())
    for side in scenario.sides.values():
        yield side.title
        for force in side.forces.values():
            yield force.title
            for commander in (force.commander, side.commander):
                yield (commander.title if commander else None) or ""


def _folded(text: str) -> str:
    plain = text.casefold().replace("’", "'").removeprefix("the ")
    return " ".join(plain.split()).strip(".,;:'*_ ")
