"""A scenario with its ruleset and odds -> its passages and notes, its forces and their units."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any

from rulebook import quantities
from rulebook.core.arrivals import ArrivalOdds, arrival_odds
from rulebook.core.compute import Computed, compute
from rulebook.core.odds import OddsCalculator
from rulebook.documents.booklet.compose import ROOM
from rulebook.documents.booklet.views import (
    NoteView,
    Part,
    PicturePart,
    StepsPart,
    TablePart,
    TextPart,
)
from rulebook.documents.cards.views import TrackPart
from rulebook.documents.document_kind import SCENARIOS, TITLE_ENDS, Document, File, Planned
from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.examples import ExampleComposer
from rulebook.documents.parts.figures import drawing_of
from rulebook.documents.parts.tables import TableComposer
from rulebook.documents.parts.turn import of_half_turns, steps_of
from rulebook.documents.parts.views import Identity
from rulebook.drawing.svg import Look, svg_miniature
from rulebook.frozen_view import View
from rulebook.loading.chapters import cut_passage
from rulebook.maps.names import side_colour
from rulebook.model.axes import humanise
from rulebook.model.forces import (
    formations_of,
    tally,
    title_of,
    units_known,
    units_of,
    units_of_side,
)
from rulebook.model.not_in_source import Unstated, unstated_of_scenario
from rulebook.model.print_settings import ScenariosSpec
from rulebook.model.prose import Block, Text
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Address, Ruleset
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
from rulebook.translation import gettext

#: Width of a cutout in the text, mm.
_PICTURE = 90.0
#: A link to a heading of the rules, which is not in this booklet.
_LINK = re.compile(r"(?<!\\)\[([^\[\]]++)\]\(\s*+<?#[^()]*+\)")


class PassageComposer:
    """Makes the parts of passages of one scenario."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._binder = Binder(ruleset, references="number")
        self._tables = TableComposer(self._binder, {}, notes={})
        self._examples = ExampleComposer(self._binder)

    def prose(self, text: Prose | None) -> str:
        """A line or a few as Markdown; nothing gives empty text."""
        return _LINK.sub(r"\1", self._binder.prose(text))

    def passage(self, text: Passage | None) -> tuple[Part, ...]:
        """Paragraphs, and the tables, cutouts, procedures and examples that stand among them."""
        return () if text is None else tuple(self._parts(text))

    def _parts(self, text: Passage) -> Iterator[Part]:
        for part in cut_passage(text)[0]:
            if isinstance(part, Text):
                yield TextPart(_LINK.sub(r"\1", self._binder.text(part.markdown, part.bindings)))
            else:
                yield self._block(part)

    def _block(self, block: Block) -> Part:
        name = block.target
        if block.kind == "table":
            return TablePart(self._tables.view(name, ROOM), "", ())
        if block.kind == "steps":
            return StepsPart(steps_of(self._binder, name), None)
        if block.kind == "cutout":
            cutout = self._ruleset.cutouts[name]
            look = Look(accent=self._ruleset.header.accent)
            svg = svg_miniature(drawing_of(self._ruleset, name), _PICTURE, look)
            return PicturePart(name, cutout.title, svg, self.prose(cutout.use), "", None)
        return self._examples.whole(name)


class ScenarioNotes:
    """The notes of one scenario, numbered in the order in which it is written."""

    def __init__(self, ruleset: Ruleset, name: str) -> None:
        self._name = name
        self._title = ruleset.scenarios[name].title
        self._items: Sequence[Unstated] = unstated_of_scenario(ruleset, name)
        self._numbers: dict[Address, int] = {
            item.address: number for number, item in enumerate(self._items, start=1)
        }

    def of(self, *address: str | int) -> int | None:
        """The number of the note on a part of the scenario, by where it stands in it."""
        return self._numbers.get(("scenarios", self._name, *address))

    def of_formation(self, name: str) -> int | None:
        """The number of the note on a formation, of the scenario or else of the ruleset."""
        return self.of("formations", name) or self._numbers.get(("formations", name))

    @property
    def statuses(self) -> frozenset[Status]:
        """Those that its notes have."""
        return frozenset(item.status for item in self._items)

    def views(self, passages: PassageComposer) -> tuple[NoteView, ...]:
        """The notes as they are printed: each thing by its title within the scenario."""
        return tuple(
            NoteView(
                number=number,
                status=item.status.value,
                title=self._within(item.title),
                markdown=passages.prose(item.note),
                source=item.source or "",
                rule="",
                rule_id="",
            )
            for number, item in enumerate(self._items, start=1)
        )

    def _within(self, title: str) -> str:
        if title == self._title:
            return gettext("The scenario")
        return title.removeprefix(f"{self._title}: ")


#: Of units or what they count; parts of them where dice decide who comes.
Number = int | Fraction
#: Forces that come by dice, by side and force, and when they do.
ByDice = Mapping[tuple[str, str], ArrivalOdds]
#: What a side counts: by the ids of `muster`, None where the rules leave the number open.
Counts = Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class UnitCount:
    """So many units of a kind, what they count, and the names that the scenario gives them."""

    id: str
    title: str
    number: int
    names: tuple[str, ...]
    counts: Counts
    note: int | None


@dataclass(frozen=True, slots=True)
class UnitInForce:
    """A unit by its id and the title of its kind; a `name` of its own if the scenario gives one.

    On a roster it has boxes to tick, and a `number` of units without name and boxes share a line.
    """

    id: str
    title: str
    name: str
    number: int = 1
    tracks: tuple[TrackPart, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitGroup:
    """Units that stand together in a force; `title` is that of their formation, or empty.

    It is empty too where the force is a single formation, of which its own title is enough.
    """

    title: str
    units: tuple[UnitInForce, ...]


@dataclass(frozen=True, slots=True)
class ForceInBattle:
    """A force of the side of a number: what it is of, in formations with their notes and in units,
    and when it comes.

    `commander` is who leads; without a name a line is left to write one in. `when` and `place` are
    as they print: `Move 6`, `Baltimore Road`. `calls` are turns with what is to be done in each,
    nothing or a throw. Where dice decide, `turn` is the first in which it may come, and `expected`
    when it does on the average. `groups` are its units one by one, on a roster.
    """

    id: str
    side: int
    title: str
    note: int | None
    commander: str | None
    commander_note: int | None
    made_of: tuple[tuple[str, int | None], ...]
    units: tuple[UnitCount, ...]
    counts: Counts
    turn: int
    when: str
    at: str
    place: str
    expected: str
    calls: tuple[tuple[int, str], ...]
    groups: tuple[UnitGroup, ...] = ()

    @property
    def number(self) -> int:
        """Of all its units."""
        return sum(one.number for one in self.units)

    @property
    def where(self) -> str:
        """Where it stands or comes in: `anywhere`, `Baltimore Road`."""
        return self.place.lower() if self.at == ANYWHERE else self.place

    @property
    def way_in(self) -> str:
        """Where it comes in, and when if dice decide that."""
        by_dice = f" ({self.when[:1].lower()}{self.when[1:]})" if self.expected else ""
        return self.where + by_dice


@dataclass(frozen=True, slots=True)
class SideInBattle:
    """A side: its forces in the order in which they come, and what they make together.

    `index` is its number, from 0, by which it is known in grey. `stated` is what the source states
    in sum, where the forces make just that.
    """

    id: str
    index: int
    title: str
    colour: str
    note: int | None
    commander: str | None
    commander_note: int | None
    forces: tuple[ForceInBattle, ...]
    units: tuple[UnitCount, ...]
    counts: Counts
    stated: str

    @property
    def number(self) -> int:
        """Of all its units."""
        return sum(one.number for one in self.units)

    @property
    def shown_colour(self) -> str:
        """Its colour as '#rrggbb', the same wherever the side is shown."""
        return side_colour(self.colour)


@dataclass(frozen=True, slots=True)
class Strengths:
    """What is on the table at the end of each turn if nothing is lost, by side: turns from 0.

    `units` are counted in units; `counts` by what `muster` counts, the first of which is that by
    which sides are compared. What comes by dice counts as its chance to be there, or as much as a
    weight makes of that chance.
    """

    turns: tuple[int, ...]
    units: Mapping[str, tuple[Number, ...]]
    counts: Mapping[str, Mapping[str, tuple[Number | None, ...]]]

    @property
    def measure(self) -> str:
        """The count by which sides are compared: the first that is known; else none, for units."""
        for key, by_side in self.counts.items():
            if all(None not in numbers for numbers in by_side.values()):
                return key
        return ""

    def by(self, measure: str) -> Mapping[str, tuple[Number | None, ...]]:
        """By side what a count makes, or how many units there are."""
        return self.counts[measure] if measure else self.units

    @property
    def compared(self) -> Mapping[str, tuple[Number | None, ...]]:
        """By side what the sides are compared by."""
        return self.by(self.measure)


def played(ruleset: Ruleset, name: str) -> Ruleset:
    """The ruleset with the options that a scenario is played with; itself if it has them all.

    Raises ValueError if they do not make one, which the check tells before.
    """
    options = ruleset.scenarios[name].options
    if set(options) <= set(ruleset.chosen):
        return ruleset
    variant = ruleset.with_options({*ruleset.chosen, *options})
    if variant.ruleset is None:
        raise ValueError(f"the options of {name} make no ruleset")
    return variant.ruleset


def count_titles(ruleset: Ruleset) -> dict[str, str]:
    """How columns of counts are headed: {"figures": "Figures"}."""
    return {key: humanise(key) for key in ruleset.header.muster.counts}


def when(scenario: Scenario, turn: int) -> str:
    """`Start`, `Move 6`."""
    return gettext("Start") if turn == 0 else f"{word(scenario.turn)} {turn}"


def by_dice(ruleset: Ruleset, name: str) -> dict[tuple[str, str], ArrivalOdds]:
    """The odds of arrival of forces whose turn dice decide, by side and force."""
    calculator = OddsCalculator(ruleset)
    return {
        (side_id, force_id): arrival_odds(calculator, force.turn)
        for side_id, side in ruleset.scenarios[name].sides.items()
        for force_id, force in side.forces.items()
        if isinstance(force.turn, TurnByDice)
    }


def _when_thrown(ruleset: Ruleset, scenario: Scenario, turn: TurnByDice, *, repeated: bool) -> str:
    """`From move 3, 5+ on d6`, `Move 2 + d6`, `By “Lost in the woods”`."""
    throw = gettext("by “%(procedure)s”", procedure=_procedure(ruleset, turn))
    if turn.target:
        throw = f"{gettext(', then ').join(map(str, turn.target))} {_on(turn)}"
    elif turn.dice is not None:
        return f"{word(scenario.turn)} {f'{turn.plus} + ' if turn.plus else ''}{turn.dice}"
    if not repeated:
        return word(throw)
    throw = gettext(
        "From %(turn)s %(first)s, %(throw)s",
        turn=scenario.turn,
        first=turn.first or 1,
        throw=throw,
    )
    if turn.last is None:
        return throw
    last = f"{scenario.turn} {turn.last}"
    return gettext("%(throw)s; in %(turn)s at the latest", throw=throw, turn=last)


def _on(turn: TurnByDice) -> str:
    return gettext("on %(dice)s", dice=turn.dice)


def _procedure(ruleset: Ruleset, turn: TurnByDice) -> str:
    return ruleset.procedures[turn.run].title if turn.run else ""


def _calls(
    ruleset: Ruleset, turn: TurnByDice, odds: ArrivalOdds, words: str
) -> Iterator[tuple[int, str]]:
    """The turns in which a force needs another throw or action than before, with what it is."""
    if not odds.repeated:
        yield odds.first, f"{words[:1].lower()}{words[1:]}"
        return
    first, last = turn.first or 1, turn.last or LONGEST_GAME + 1
    throws = [f"{target} {_on(turn)}" for target in turn.target]
    throws = throws or [gettext("by “%(procedure)s”", procedure=_procedure(ruleset, turn))]
    for number, throw in enumerate(throws):
        again = gettext("%(throw)s, in each turn", throw=throw)
        if first + number < last:
            yield first + number, throw if number < len(throws) - 1 else again
    if turn.last:
        yield turn.last, gettext("if not there yet")


def _expected(scenario: Scenario, odds: ArrivalOdds) -> str:
    """`On the average move 5; moves 3 to 9 in 8 of 10 cases; 96% by the end`."""
    turn, sentences = scenario.turn, []
    if odds.mean is not None:
        mean = f"{float(odds.mean):.1f}"
        sentences.append(gettext("on the average %(turn)s %(mean)s", turn=turn, mean=mean))
    early, late = odds.within(Fraction(1, 10)), odds.within(Fraction(9, 10))
    if early is not None and late is not None and early < late:
        sentences.append(
            gettext(
                "%(turn)ss %(early)s to %(late)s in 8 of 10 cases",
                turn=turn,
                early=early,
                late=late,
            )
        )
    length = scenario.length.turns
    if length and odds.by(length) < 1:
        chance = quantities.Chance(odds.by(length))
        sentences.append(gettext("%(chance)s by the end", chance=chance))
    return word("; ".join(sentences))


def word(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def order_of_battle(ruleset: Ruleset, name: str) -> tuple[SideInBattle, ...]:
    """The sides of a scenario, added up; `ruleset` is that with the options in force."""
    notes, dice = ScenarioNotes(ruleset, name), by_dice(ruleset, name)
    listing = _Listing(ruleset, ruleset.scenarios[name], notes, dice)
    sides = enumerate(listing.scenario.sides.items())
    return tuple(listing.side(index, key, side) for index, (key, side) in sides)


@dataclass(frozen=True, slots=True)
class _Listing:
    """Adds up the order of battle of one scenario."""

    ruleset: Ruleset
    scenario: Scenario
    notes: ScenarioNotes
    by_dice: ByDice

    def side(self, index: int, key: str, side: Side) -> SideInBattle:
        units = units_of_side(self.ruleset, self.scenario, side)
        forces = (self._force(index, key, name, force) for name, force in side.forces.items())
        return SideInBattle(
            id=key,
            index=index,
            title=side.title,
            colour=side.colour,
            note=self.notes.of("sides", key),
            **self._led(side.commander, "sides", key),
            forces=tuple(sorted(forces, key=lambda force: force.turn)),
            units=self._listed(units, {}),
            counts=tally(self.ruleset, self.scenario, units),
            stated=self._stated(side, units),
        )

    def _force(self, index: int, side: str, key: str, force: Force) -> ForceInBattle:
        at = ("sides", side, "forces", key)
        turn, words, expected, calls = self._comes(side, key, force)
        units = units_of(self.ruleset, self.scenario, force)
        known = units_known(self.ruleset, self.scenario)
        return ForceInBattle(
            id=key,
            side=index,
            title=force.title,
            note=self.notes.of(*at),
            **self._led(force.commander, *at),
            made_of=tuple(
                (self._formation(name, number), self.notes.of_formation(name))
                for name, number in force.of.items()
                if name not in known
            ),
            units=self._listed(units, force.names),
            counts=tally(self.ruleset, self.scenario, units),
            turn=turn,
            when=words,
            at=force.at,
            place=place_title(self.scenario, force.at),
            expected=expected,
            calls=calls,
        )

    def _comes(
        self, side: str, key: str, force: Force
    ) -> tuple[int, str, str, tuple[tuple[int, str], ...]]:
        """The first turn in which a force may come, and when it comes in words."""
        turn = force.turn
        if not isinstance(turn, TurnByDice):
            return turn, when(self.scenario, turn), "", ((turn, ""),)
        odds = self.by_dice[side, key]
        words = _when_thrown(self.ruleset, self.scenario, turn, repeated=odds.repeated)
        calls = tuple(_calls(self.ruleset, turn, odds, words))
        return odds.first, words, _expected(self.scenario, odds), calls

    def _led(self, commander: Commander | None, *at: str) -> dict[str, Any]:
        if commander is None:
            return {"commander": None, "commander_note": None}
        note = self.notes.of(*at, "commander")
        return {"commander": commander.title or "", "commander_note": note}

    def _formation(self, name: str, number: int) -> str:
        """`1 × Infantry division, each of 2 × Infantry brigade, each of 2 × Infantry regiment`."""
        counted = f"{number} × {title_of(self.ruleset, self.scenario, name)}"
        if name in units_known(self.ruleset, self.scenario):
            return counted
        inner = formations_of(self.ruleset, self.scenario)[name].of
        parts = gettext(" and ").join(self._formation(*one) for one in inner.items())
        if number > 1:
            return gettext("%(formation)s, each of %(parts)s", formation=counted, parts=parts)
        return gettext("%(formation)s, of %(parts)s", formation=counted, parts=parts)

    def _listed(
        self, units: Mapping[str, int], names: Mapping[str, Sequence[str]]
    ) -> tuple[UnitCount, ...]:
        """Units in the order of the ruleset."""
        return tuple(
            UnitCount(
                id=key,
                title=unit.title,
                number=units[key],
                names=tuple(names.get(key, ())),
                counts=tally(self.ruleset, self.scenario, {key: units[key]}),
                note=self.notes.of("units", key),
            )
            for key, unit in units_known(self.ruleset, self.scenario).items()
            if units.get(key)
        )

    def _stated(self, side: Side, units: Mapping[str, int]) -> str:
        if any(units.get(one, 0) != count for one, count in side.stated.items()):
            return ""
        titles = [
            f"{count} × {title_of(self.ruleset, self.scenario, one)}"
            for one, count in side.stated.items()
        ]
        return quantities.join_words(titles, "and")


def place_title(scenario: Scenario, at: str) -> str:
    """The title of the place where a force stands or comes in."""
    return gettext("Anywhere") if at == ANYWHERE else scenario.places[at].title


def arrivals(sides: Sequence[SideInBattle]) -> tuple[ForceInBattle, ...]:
    """All forces in the order in which they come."""
    return tuple(sorted((f for side in sides for f in side.forces), key=lambda force: force.turn))


def coming_in(
    forces: Iterable[ForceInBattle], side: int, turn: int
) -> Iterator[tuple[ForceInBattle, str]]:
    """The forces of a side for which something is to be done in a turn, with what, in words."""
    for force in forces:
        for when, words in force.calls:
            if (force.side, when) == (side, turn):
                yield force, ": ".join(filter(None, (force.title, words)))


def expected(chance: Fraction) -> Fraction:
    """Weigh a chance by itself: the average over many games."""
    return chance


def surely(chance: Fraction) -> Fraction:
    """Weigh a chance as 1 if it is certain, else as 0."""
    return Fraction(chance == 1)


def perhaps(chance: Fraction) -> Fraction:
    """Weigh a chance as 1 if it is possible, else as 0."""
    return Fraction(chance > 0)


def strengths(
    scenario: Scenario,
    sides: Sequence[SideInBattle],
    dice: ByDice | None = None,
    weight: Callable[[Fraction], Fraction] = expected,
) -> Strengths:
    """What each side has on the table, turn by turn; to the last arrival if no end is stated.

    An arrival by dice is that turn by which it has come in nine of ten cases.
    """
    dice = dice or {}
    late = [dice[key].within(Fraction(9, 10)) or LONGEST_GAME for key in dice]
    last = scenario.length.turns or max(
        [*(force.turn for side in sides for force in side.forces), *late]
    )
    turns = tuple(range(last + 1))
    units: dict[str, tuple[Number, ...]] = {}
    counts: dict[str, dict[str, tuple[Number | None, ...]]] = {}

    def share(side: SideInBattle, force: ForceInBattle, turn: int) -> Fraction:
        odds = dice.get((side.id, force.id))
        return weight(Fraction(force.turn <= turn) if odds is None else odds.by(turn))

    for side in sides:
        there = [
            [(part, force) for force in side.forces if (part := share(side, force, turn))]
            for turn in turns
        ]
        numbers = ([(part, force.number) for part, force in now] for now in there)
        units[side.id] = tuple(_added(now) or 0 for now in numbers)
        for key in side.counts:
            summed = tuple(_added([(p, force.counts[key]) for p, force in now]) for now in there)
            counts.setdefault(key, {})[side.id] = summed
    return Strengths(turns, units, counts)


def _added(numbers: Sequence[tuple[Fraction, int | None]]) -> Number | None:
    """The sum of numbers, each times its part; None if one of them is not known."""
    known = [part * number for part, number in numbers if number is not None]
    whole = sum(known, Fraction(0))
    if len(known) < len(numbers):
        return None
    return int(whole) if whole.denominator == 1 else whole


def ratios(found: Strengths, one: str, other: str) -> tuple[Fraction | None, ...]:
    """One side's strength divided by another's, turn by turn; None where that is not known."""
    compared = found.compared
    return tuple(
        None if mine is None or not theirs else Fraction(mine, theirs)
        for mine, theirs in zip(compared[one], compared[other], strict=True)
    )


def halves(
    ruleset: Ruleset, scenario: Scenario, sides: Sequence[SideInBattle]
) -> tuple[int | None, ...]:
    """The sides by their numbers, that which moves first before the others, where each has its own
    half of a turn; else a turn is one and no side's.
    """
    if not of_half_turns(ruleset):
        return (None,)
    order = sorted(range(len(sides)), key=lambda number: sides[number].id != scenario.first)
    return tuple(order)


def unit_groups(ruleset: Ruleset, scenario: Scenario, force: Force) -> tuple[UnitGroup, ...]:
    """The units of a force one by one, those of a formation together.

    Names go to the units of a kind in the order in which these stand here.
    """
    groups = [(title, units) for title, units in _walked(ruleset, scenario, "", force.of) if units]
    formed = Counter(title for title, _ in groups if title)
    known = units_known(ruleset, scenario)
    names = {key: iter(given) for key, given in force.names.items()}
    seen: Counter[str] = Counter()
    found = []
    for title, units in groups:
        seen[title] += 1
        numbered = f"{title} {seen[title]}" if formed[title] > 1 else title
        inside = tuple(
            UnitInForce(key, known[key].title, next(names.get(key, iter(())), "")) for key in units
        )
        found.append(UnitGroup(numbered if formed.total() > 1 else "", inside))
    return tuple(found)


def _walked(
    ruleset: Ruleset, scenario: Scenario, title: str, of: Mapping[str, int]
) -> Iterator[tuple[str, list[str]]]:
    """Each formation with the ids of its own units, formations inside it after it."""
    formations = formations_of(ruleset, scenario)
    known = units_known(ruleset, scenario)
    own = [name for name, number in of.items() if name in known for _ in range(number)]
    inner = [name for name, number in of.items() if name not in known for _ in range(number)]
    if title:
        yield title, own
    for name in inner:
        yield from _walked(ruleset, scenario, formations[name].title, formations[name].of)
    if not title:
        yield "", own


@dataclass(frozen=True, slots=True)
class PlayedScenario:
    """A scenario with the ruleset that it is played by: the options in force, odds as tables.

    `edition` is the folder of the edition, `spec` what is to be printed of scenarios.
    """

    id: str
    ruleset: Ruleset
    identity: Identity
    edition: str
    spec: ScenariosSpec

    @property
    def scenario(self) -> Scenario:
        return self.ruleset.scenarios[self.id]

    @property
    def stem(self) -> str:
        """What the paths of its files begin with: `scenarios/gettysburg`."""
        return str(PurePosixPath(SCENARIOS, self.id.replace("_", "-")))

    def planned(
        self, kind: str, name: str, title: str, view: Callable[[], View], *files: File
    ) -> Planned:
        """A document of this scenario; `name` goes on from the stem."""
        called = f"{self.stem}{name}", f"{self.scenario.title}{TITLE_ENDS}{title}"
        language = self.ruleset.header.language
        edition = (self.ruleset.id, self.edition)
        document = Document(*edition, kind, *called, language, files)
        return Planned(document, view, place=self.ruleset.place)


def played_scenarios(computed: Computed, identity: Identity) -> Iterator[PlayedScenario]:
    """The scenarios of a ruleset in their order, if they are to be printed."""
    ruleset = computed.ruleset
    spec = ruleset.header.documents.scenarios
    if spec is None:
        return
    for name in ruleset.scenarios:
        by = played(ruleset, name)
        if by is not ruleset:
            by = compute(by).ruleset
        yield PlayedScenario(name, by, identity, ruleset.form, spec)
