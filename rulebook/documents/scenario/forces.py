"""A scenario with its ruleset and odds -> its passages, and its forces with all that they hold."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import PurePosixPath

from rulebook import quantities
from rulebook.core.arrivals import ArrivalOdds, arrival_odds
from rulebook.core.compute import Computed, compute
from rulebook.core.odds import OddsCalculator
from rulebook.documents.booklet.compose import ROOM
from rulebook.documents.booklet.views import Part, PicturePart, TablePart, TextPart
from rulebook.documents.cards.pieces import TrackPart
from rulebook.documents.document_kind import SCENARIOS, TITLE_ENDS, Document, File, Planned
from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.examples import ExampleComposer
from rulebook.documents.parts.figures import drawing_of
from rulebook.documents.parts.tables import TableComposer
from rulebook.documents.parts.turn import of_half_turns, steps_of
from rulebook.documents.parts.views import Identity
from rulebook.drawing.layers import Look
from rulebook.drawing.small_pictures import miniature
from rulebook.frozen_view import View
from rulebook.loading.chapters import cut_passage
from rulebook.maps.canvas import MapLook
from rulebook.model.forces import (
    Speeds,
    formations_of,
    paces,
    tally,
    title_of,
    units_known,
    units_of,
    units_of_side,
)
from rulebook.model.grids import humanise
from rulebook.model.header import ScenariosSpec
from rulebook.model.prose import Text
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import Passage, Prose
from rulebook.model.scenarios import (
    ANYWHERE,
    LONGEST_GAME,
    Commander,
    Force,
    Scenario,
    Side,
    TurnByDice,
)
from rulebook.model.units import Unit
from rulebook.translation import gettext

#: Width of a cutout in the text, mm.
_PICTURE = 90.0
#: A link to a heading of the rules, which is not in this booklet.
_LINK = re.compile(r"(?<!\\)\[([^\[\]]++)\]\(\s*+<?#[^()]*+\)")


class PassageComposer:
    """Composes the texts of one scenario to Markdown and to parts of its booklet."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._binder = Binder(ruleset, references="number")
        self._tables = TableComposer(self._binder)
        self._examples = ExampleComposer(self._binder)

    def prose(self, text: Prose | None) -> str:
        """Converts a short text to Markdown with its values, but without links to rules.

        Returns an empty text for None.
        """
        return _LINK.sub(r"\1", self._binder.prose(text))

    def passage(self, text: Passage | None) -> tuple[Part, ...]:
        """Composes a passage as parts: paragraphs, tables, cutouts, procedures and examples."""
        return () if text is None else tuple(self._parts(text))

    def _parts(self, text: Passage) -> Iterator[Part]:
        for part in cut_passage(text)[0]:
            if isinstance(part, Text):
                yield TextPart(_LINK.sub(r"\1", self._binder.text(part.markdown, part.bindings)))
            elif part.kind == "table":
                yield TablePart(self._tables.view(part.target, ROOM), "", ())
            elif part.kind == "steps":
                yield steps_of(self._binder, part.target)
            elif part.kind == "cutout":
                cutout = self._ruleset.cutouts[part.target]
                look = Look(accent=self._ruleset.header.accent)
                drawn = miniature(drawing_of(self._ruleset, part.target), _PICTURE, look)
                yield PicturePart(
                    part.target, cutout.title, drawn, self.prose(cutout.use), "", None
                )
            else:
                yield self._examples.whole(part.target)


#: What units count together by the ids of `muster`, None where the rules leave the number open;
#: and how many they are.
Counts = Mapping[str, int | None]
UNITS = ""


@dataclass(frozen=True, slots=True)
class UnitCount:
    """A number of units of a kind, what they count, and the names that the scenario gives them."""

    id: str
    title: str
    number: int
    names: tuple[str, ...]
    counts: Counts


@dataclass(frozen=True, slots=True)
class UnitInForce:
    """One unit of a force: its kind's id and title, and its own `name` if the scenario gives one.

    `formation` is the title of its formation if the force has several. On a roster, `tracks` are
    its boxes to tick, and a `number` of units without names and boxes of their own share a line.
    """

    id: str
    title: str
    name: str
    formation: str
    number: int = 1
    tracks: tuple[TrackPart, ...] = ()


@dataclass(frozen=True, slots=True)
class ForceInBattle:
    """A force in the order of battle; `side` is the number of its side.

    `commander` is the name of its leader, empty if a line is left to write one in, None if nobody
    leads. `made_of` describes its formations, by id. `when` and `place` are as printed: `Move 6`,
    `Baltimore Road`. `calls` are turns with what is to be done in each: a throw, or nothing. If
    dice decide, `turn` is the first in which the force may come, and `expected` describes when it
    is likely to. `roster` lists its units one by one.
    """

    id: str
    side: int
    title: str
    commander: str | None
    made_of: Mapping[str, str]
    units: tuple[UnitCount, ...]
    counts: Counts
    turn: int
    when: str
    at: str
    place: str
    expected: str
    calls: tuple[tuple[int, str], ...]
    roster: tuple[UnitInForce, ...] = ()

    @property
    def where(self) -> str:
        """The place where the force stands or comes in, as it reads inside a sentence.

        That is the title of the place, or `anywhere` in lower case if the scenario says so.
        """
        return self.place.lower() if self.at == ANYWHERE else self.place

    @property
    def way_in(self) -> str:
        """The place where the force comes in, with its turn in brackets if dice decide the turn."""
        by_dice = f" ({self.when[:1].lower()}{self.when[1:]})" if self.expected else ""
        return self.where + by_dice


@dataclass(frozen=True, slots=True)
class SideInBattle:
    """A side with its forces in the order in which they come, and its total units and counts.

    `index` is its number, from 0, which also selects its hatching; `colour` is '#rrggbb'. `stated`
    are the units that the source states for the side, if the forces have just these.
    """

    id: str
    index: int
    title: str
    colour: str
    commander: str | None
    forces: tuple[ForceInBattle, ...]
    units: tuple[UnitCount, ...]
    counts: Counts
    stated: str


def played(ruleset: Ruleset, name: str) -> Ruleset:
    """Returns the ruleset with the options that a scenario names in force.

    `name` is the id of the scenario. Options already in force stay so, and `ruleset` itself is
    returned if all are. Raises ValueError if the options together make no valid ruleset, which the
    check has reported before.
    """
    options = ruleset.scenarios[name].options
    if set(options) <= set(ruleset.chosen):
        return ruleset
    variant = ruleset.with_options({*ruleset.chosen, *options})
    if variant.ruleset is None:
        raise ValueError(f"the options of {name} make no ruleset")
    return variant.ruleset


def count_titles(ruleset: Ruleset) -> dict[str, str]:
    """Returns headings for the columns of counts: {"": "Units", "figures": "Figures"}.

    Besides units these are the counts that the ruleset keeps of a force.
    """
    return {UNITS: gettext("Units")} | {key: humanise(key) for key in ruleset.header.muster.counts}


def word(text: str) -> str:
    """Returns a text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def _leader(commander: Commander | None) -> str | None:
    """Returns the name of a commander, empty if players are to write it in.

    Returns None if there is no commander.
    """
    return None if commander is None else commander.title or ""


#: Who comes in a turn: the number of the side, the force in words, its way in.
Coming = tuple[int, str, str]


@dataclass(frozen=True, slots=True)
class TurnSpace:
    """A space of a turn track, and which forces come in its turn.

    `half` is the number of the side whose half-turn it is, if each side has one of its own; `more`
    is the number of forces that come in this turn but have no room in the space.
    """

    turn: int
    coming: tuple[Coming, ...]
    half: int | None = None
    more: int = 0


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount that depends on dice: its mean, and the fewest and the most that it can be."""

    mean: Fraction
    fewest: Fraction
    most: Fraction


@dataclass(frozen=True, slots=True)
class Strengths:
    """What each side has on the table at the end of each turn, from turn 0, if nothing is lost.

    `units` and `compared` have amounts by side and turn. `measure` is the count that is compared:
    the first of `muster` that is known for all forces, else units.
    """

    measure: str
    units: Mapping[str, tuple[Amount, ...]]
    compared: Mapping[str, tuple[Amount, ...]]

    @property
    def last(self) -> int:
        """The number of the last turn that is counted."""
        return len(next(iter(self.units.values()))) - 1


@dataclass(frozen=True)
class Battle:
    """A scenario with the ruleset it is played by: its options in force."""

    id: str
    ruleset: Ruleset

    @property
    def scenario(self) -> Scenario:
        return self.ruleset.scenarios[self.id]

    @cached_property
    def units(self) -> Mapping[str, Unit]:
        """All units that the scenario may use, by id."""
        return units_known(self.ruleset, self.scenario)

    @cached_property
    def paces(self) -> Mapping[str, Speeds]:
        """How far each unit with a stated pace marches in a turn, by its id."""
        return paces(self.ruleset, self.scenario)

    @cached_property
    def dice(self) -> Mapping[tuple[str, str], ArrivalOdds]:
        """The odds of arrival of forces that arrive by dice, by the ids of their side and force."""
        calculator = OddsCalculator(self.ruleset)
        return {
            (side_id, force_id): arrival_odds(calculator, force.turn)
            for side_id, side in self.scenario.sides.items()
            for force_id, force in side.forces.items()
            if isinstance(force.turn, TurnByDice)
        }

    @cached_property
    def sides(self) -> tuple[SideInBattle, ...]:
        """The order of battle: the sides with their forces and total numbers of units."""
        return tuple(itertools.starmap(self._side, enumerate(self.scenario.sides.items())))

    def arrivals(self) -> tuple[ForceInBattle, ...]:
        """Returns the forces of all sides in the order of the turns in which they arrive.

        A force that comes by dice is sorted by the first turn in which it may come.
        """
        forces = (force for side in self.sides for force in side.forces)
        return tuple(sorted(forces, key=lambda force: force.turn))

    def when(self, turn: int) -> str:
        """Returns the name of a turn in the scenario's words: `Move 6`, or `Start` for turn 0."""
        return gettext("Start") if turn == 0 else f"{word(self.scenario.turn)} {turn}"

    def place_title(self, at: str) -> str:
        """Returns the title of the place with the id `at`, or "Anywhere" for ANYWHERE."""
        return gettext("Anywhere") if at == ANYWHERE else self.scenario.places[at].title

    def _side(self, index: int, written: tuple[str, Side]) -> SideInBattle:
        side_id, side = written
        units = units_of_side(self.ruleset, self.scenario, side)
        forces = [self._force(index, side_id, force_id) for force_id in side.forces]
        return SideInBattle(
            id=side_id,
            index=index,
            title=side.title,
            colour=MapLook().colour(side.colour),
            commander=_leader(side.commander),
            forces=tuple(sorted(forces, key=lambda force: force.turn)),
            units=self._unit_counts(units, {}),
            counts=self._counts(units),
            stated=self._stated(side, units),
        )

    def _force(self, index: int, side_id: str, force_id: str) -> ForceInBattle:
        """Composes the force of a side, given by ids, as it is printed in the order of battle.

        `index` is the number of the side, from 0.
        """
        force = self.scenario.sides[side_id].forces[force_id]
        units = units_of(self.ruleset, self.scenario, force)
        turn, expected = force.turn, ""
        if isinstance(turn, TurnByDice):
            odds = self.dice[side_id, force_id]
            words = self._throw_in_words(turn, each=odds.repeated)
            calls = [(odds.first, f"{words[:1].lower()}{words[1:]}")]
            if odds.repeated:
                calls = list(self._calls(turn))
            turn, expected = odds.first, self._expected_arrival(odds)
        else:
            words, calls = self.when(turn), [(turn, "")]
        return ForceInBattle(
            id=force_id,
            side=index,
            title=force.title,
            commander=_leader(force.commander),
            made_of={
                name: self._formation(name, number)
                for name, number in force.of.items()
                if name not in self.units
            },
            units=self._unit_counts(units, force.names),
            counts=self._counts(units),
            turn=turn,
            when=words,
            at=force.at,
            place=self.place_title(force.at),
            expected=expected,
            calls=tuple(calls),
        )

    def _throw_in_words(self, turn: TurnByDice, *, each: bool) -> str:
        """Describes how dice or a procedure decide a turn: `From move 3, 5+ on d6`, `Move 2 + d6`.

        If `each`, a throw is made in every turn until the force arrives. The text then also says
        from which turn on and, if this is limited, in which turn the force arrives at the latest.
        """
        name, throw = self.scenario.turn, self._throws(turn)[0]
        if turn.target:
            targets = gettext(", then ").join(map(str, turn.target))
            throw = f"{targets} {gettext('on %(dice)s', dice=turn.dice)}"
        elif turn.dice is not None:
            return f"{word(name)} {f'{turn.plus} + ' if turn.plus else ''}{turn.dice}"
        if not each:
            return word(throw)
        first = turn.first or 1
        throw = gettext("From %(turn)s %(first)s, %(throw)s", turn=name, first=first, throw=throw)
        if turn.last is None:
            return throw
        last = f"{name} {turn.last}"
        return gettext("%(throw)s; in %(turn)s at the latest", throw=throw, turn=last)

    def _throws(self, turn: TurnByDice) -> list[str]:
        """Describes the throws by which a force arrives, one for each turn.

        The last one applies to all later turns too.
        """
        if turn.target:
            return [f"{target} {gettext('on %(dice)s', dice=turn.dice)}" for target in turn.target]
        title = self.ruleset.procedures[turn.run].title if turn.run else ""
        return [gettext("by “%(procedure)s”", procedure=title)]

    def _calls(self, turn: TurnByDice) -> Iterator[tuple[int, str]]:
        """Yields each turn in which players have to do something new for an arrival, and what.

        That is a throw that differs from the one before, or setting up a force in its last turn.
        """
        first, last = turn.first or 1, turn.last or LONGEST_GAME + 1
        throws = self._throws(turn)
        again = gettext("%(throw)s, in each turn", throw=throws[-1])
        for number, throw in enumerate([*throws[:-1], again], first):
            if number < last:
                yield number, throw
        if turn.last:
            yield turn.last, gettext("if not there yet")

    def _expected_arrival(self, odds: ArrivalOdds) -> str:
        """Describes when a force is likely to arrive, from its odds.

        An example is `On the average move 5; moves 3 to 9 in 8 of 10 cases; 96% by the end`.
        """
        turn, length = self.scenario.turn, self.scenario.length.turns
        parts = []
        if odds.mean is not None:
            mean = f"{float(odds.mean):.1f}"
            parts.append(gettext("on the average %(turn)s %(mean)s", turn=turn, mean=mean))
        early, late = odds.within(Fraction(1, 10)), odds.within(Fraction(9, 10))
        if early is not None and late is not None and early < late:
            span = {"turn": turn, "early": early, "late": late}
            parts.append(gettext("%(turn)ss %(early)s to %(late)s in 8 of 10 cases", **span))
        if length and odds.by(length) < 1:
            chance = quantities.Chance(odds.by(length))
            parts.append(gettext("%(chance)s by the end", chance=chance))
        return word("; ".join(parts))

    def _formation(self, name: str, number: int) -> str:
        """Describes a number of formations of a kind, with the formations and units in each.

        `2 × Infantry division, each of 2 × Infantry brigade, each of 2 × Infantry regiment`.
        """
        counted = self._counted(name, number)
        formation = formations_of(self.ruleset, self.scenario).get(name)
        if formation is None or name in self.units:
            return counted
        parts = gettext(" and ").join(itertools.starmap(self._formation, formation.of.items()))
        if number > 1:
            return gettext("%(formation)s, each of %(parts)s", formation=counted, parts=parts)
        return gettext("%(formation)s, of %(parts)s", formation=counted, parts=parts)

    def _counted(self, name: str, number: int) -> str:
        return f"{number} × {title_of(self.ruleset, self.scenario, name)}"

    def _counts(self, units: Mapping[str, int]) -> Counts:
        return {UNITS: sum(units.values()), **tally(self.ruleset, self.scenario, units)}

    def _unit_counts(
        self, units: Mapping[str, int], names: Mapping[str, Sequence[str]]
    ) -> tuple[UnitCount, ...]:
        """Returns how many units of each kind there are, in the order of the ruleset.

        `units` has these numbers by kind, and `names` the names of single units. Kinds without
        units are left out.
        """
        return tuple(
            UnitCount(
                id=key,
                title=unit.title,
                number=units[key],
                names=tuple(names.get(key, ())),
                counts=tally(self.ruleset, self.scenario, {key: units[key]}),
            )
            for key, unit in self.units.items()
            if units.get(key)
        )

    def _stated(self, side: Side, units: Mapping[str, int]) -> str:
        """Lists the units that the source states for a side, as text.

        Returns an empty text if these are not the numbers in `units`, those of the side's forces.
        """
        if any(units.get(name, 0) != count for name, count in side.stated.items()):
            return ""
        return quantities.join_words(itertools.starmap(self._counted, side.stated.items()), "and")

    def coming_in(self, turn: int, half: int | None = None) -> tuple[Coming, ...]:
        """Returns the forces for which players have to do something in a turn, with what that is.

        These are forces that arrive or may arrive. `half` is the number of the only side to list,
        for tracks that have half-turns.
        """
        return tuple(
            (side.index, ": ".join(filter(None, (force.title, words))), force.where)
            for side in self.sides
            if half in (None, side.index)
            for force in side.forces
            for call, words in force.calls
            if call == turn
        )

    def turn_spaces(self, count: int) -> list[TurnSpace]:
        """Composes the spaces of the turn track for the turns from 1 to `count`.

        If each side has its own half of a turn, there is a space for each half, in the order in
        which the sides move.
        """
        halves: list[int | None] = [None]
        if of_half_turns(self.ruleset):
            first = self.scenario.first
            halves = [side.index for side in sorted(self.sides, key=lambda side: side.id != first)]
        return [
            TurnSpace(turn, self.coming_in(turn, half), half)
            for turn in range(1, count + 1)
            for half in halves
        ]

    def strengths(self) -> Strengths:
        """Computes how strong each side on the table is at the end of each turn if nothing is lost.

        A force that comes by dice counts in proportion to its chance to be there. If the scenario
        states no length, the last turn is that by which all forces have arrived, those by dice in
        nine of ten cases.
        """
        sides, coming = self.sides, self.arrivals()
        late = [odds.within(Fraction(9, 10)) or LONGEST_GAME for odds in self.dice.values()]
        last = self.scenario.length.turns or max([*(force.turn for force in coming), *late])

        def chance(force: ForceInBattle, turn: int) -> Fraction:
            odds = self.dice.get((sides[force.side].id, force.id))
            return Fraction(force.turn <= turn) if odds is None else odds.by(turn)

        def amounts(side: SideInBattle, measure: str) -> Iterator[Amount]:
            for turn in range(last + 1):
                there = [(chance(force, turn), force.counts[measure] or 0) for force in side.forces]
                yield Amount(
                    sum((part * number for part, number in there), Fraction(0)),
                    Fraction(sum(number for part, number in there if part == 1)),
                    Fraction(sum(number for part, number in there if part)),
                )

        there = [force for force in coming if chance(force, last)]
        known = (key for key in sides[0].counts if all(f.counts[key] is not None for f in there))
        measure = next((key for key in known if key != UNITS), UNITS)
        units, compared = (
            {side.id: tuple(amounts(side, key)) for side in sides} for key in (UNITS, measure)
        )
        return Strengths(measure, units, compared)

    def units_one_by_one(self, force: Force) -> tuple[UnitInForce, ...]:
        """Returns each unit of a force with its name and formation, formation by formation.

        The names that a force gives to units of a kind are assigned in the order of this list.
        Several formations with one title are numbered.
        """
        groups = [(title, units) for title, units in self._by_formation("", force.of) if units]
        formed = Counter(title for title, _ in groups if title)
        names = {key: iter(given) for key, given in force.names.items()}
        seen: Counter[str] = Counter()
        found = []
        for title, units in groups:
            seen[title] += 1
            numbered = f"{title} {seen[title]}" if formed[title] > 1 else title
            formation = numbered if formed.total() > 1 else ""
            for key in units:
                name = next(names.get(key, iter(())), "")
                found.append(UnitInForce(key, self.units[key].title, name, formation))
        return tuple(found)

    def _by_formation(self, title: str, of: Mapping[str, int]) -> list[tuple[str, list[str]]]:
        """Lists a formation as its title and the ids of its own units, then those inside it.

        `title` is empty for a whole force, whose units outside of any formation come last. `of` has
        the numbers of units and formations by their ids.
        """
        formations = formations_of(self.ruleset, self.scenario)
        own: list[str] = []
        inner: list[tuple[str, list[str]]] = []
        for name, number in of.items():
            if name in self.units:
                own += [name] * number
            else:
                held = formations[name]
                inner += self._by_formation(held.title, held.of) * number
        return [(title, own), *inner] if title else [*inner, ("", own)]


@dataclass(frozen=True)
class PlayedScenario(Battle):
    """A battle that is to be printed, with odds computed as tables of its ruleset.

    `edition` is the folder of the edition, `spec` states what is to be printed of scenarios.
    """

    identity: Identity
    edition: str
    spec: ScenariosSpec

    @property
    def stem(self) -> str:
        """The common beginning of the paths of the scenario's files: `scenarios/gettysburg`."""
        return str(PurePosixPath(SCENARIOS, self.id.replace("_", "-")))

    def planned(
        self, kind: str, name: str, title: str, view: Callable[[], View], *files: File
    ) -> Planned:
        """Plans a document of this scenario with its files.

        Its name is the stem followed by `name`, and its title that of the scenario followed by
        `title`. `view` composes what the document prints when it is called.
        """
        called = f"{self.stem}{name}", f"{self.scenario.title}{TITLE_ENDS}{title}"
        language = self.ruleset.header.language
        edition = (self.ruleset.id, self.edition)
        document = Document(*edition, kind, *called, language, files)
        return Planned(document, view, place=self.ruleset.place)


def played_scenarios(computed: Computed, identity: Identity) -> Iterator[PlayedScenario]:
    """Yields each scenario with the ruleset by which it is played, and the computed tables of that.

    Yields nothing if the ruleset asks for no scenarios to be printed.
    """
    ruleset = computed.ruleset
    spec = ruleset.header.documents.scenarios
    if spec is None:
        return
    for name in ruleset.scenarios:
        by = played(ruleset, name)
        if by is not ruleset:
            by = compute(by, None if ruleset.chosen else computed).ruleset
        yield PlayedScenario(name, by, identity, ruleset.form, spec)
