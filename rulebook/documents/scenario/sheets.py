"""A scenario -> what its players write on: a roster and an order form for each side, a turn track.

Boxes and numbers of units are those of their cards, so that sheet and card never disagree. What
stands on which page is decided when it has been measured (`documents.scenario.sheets_layout`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from rulebook.documents.cards.views import CardView, StatsPart, StatView, TrackPart, WordsPart
from rulebook.documents.parts.document import File, Planned
from rulebook.documents.scenario.cards import UnitKinds
from rulebook.documents.scenario.forces import (
    ForceInBattle,
    PlayedScenario,
    SideInBattle,
    SideLook,
    UnitInForce,
    count_titles,
    groups_of,
    side_looks,
    where_told,
    word,
)
from rulebook.documents.scenario.forces import order_of_battle as in_battle
from rulebook.documents.scenario.views import (
    Coming,
    OrderColumn,
    RosterForce,
    RosterGroup,
    SheetsView,
    SideSheets,
    TrackTurn,
    UnitKey,
    UnitRow,
)
from rulebook.maps.marks import swatch
from rulebook.model.scenarios import ANYWHERE, Scenario
from rulebook.translation import gettext, gettext_noop

#: Of a unit that notes nothing in play: whether it is lost.
LOST = gettext_noop("Lost")
#: Letters of a text of a unit that has room on a roster.
MOST_WORDS = 900
#: Turns on sheets where no length is stated, unless the last force comes later.
USUAL_TURNS = 20
#: Of the hatching beside the title of a side, mm.
_PATCH, _PITCH, _PEN = (13.0, 11.0), 1.5, 0.3
#: Of the hatching beside an arrival on the turn track, mm.
_SMALL_PATCH, _SMALL_PITCH, _SMALL_PEN = (3.2, 2.4), 0.8, 0.25


def sheet_documents(scenario: PlayedScenario) -> Iterator[Planned]:
    """One file for each paper."""
    papers = scenario.spec.sheets or ()
    sheets = [File(f"{scenario.stem}-sheets-{paper}.pdf", "pdf", paper, "full") for paper in papers]
    if sheets:
        view = partial(compose_scenario_sheets, scenario)
        title = gettext("Rosters, orders and turn track")
        yield scenario.planned("scenario-sheets", "-sheets", title, view, *sheets)


def compose_scenario_sheets(scenario: PlayedScenario) -> SheetsView:
    """The view of all sheets."""
    told, looks = scenario.scenario, side_looks(scenario.scenario)
    sides = in_battle(scenario.ruleset, scenario.id)
    composer = _Composer(scenario)
    return SheetsView(
        identity=scenario.identity,
        title=told.title,
        turn=word(told.turn),
        known=told.length.turns is not None,
        sides=tuple(composer.side(side, looks[side.id]) for side in sides),
        patches=tuple(_patch(look) for look in looks.values()),
        start=tuple(_coming(told, sides, 0)),
        track=tuple(
            TrackTurn(turn, tuple(_coming(told, sides, turn)))
            for turn in range(1, turns_on_sheets(told) + 1)
        ),
    )


def turns_on_sheets(scenario: Scenario) -> int:
    """How many turns have a place on forms and track."""
    last = max(force.turn for side in scenario.sides.values() for force in side.forces.values())
    return scenario.length.turns or max(USUAL_TURNS, last)


def _patch(look: SideLook) -> str:
    return swatch(look.number, look.colour, _SMALL_PATCH, pitch=_SMALL_PITCH, pen=_SMALL_PEN)


def _coming(scenario: Scenario, sides: Sequence[SideInBattle], turn: int) -> Iterator[Coming]:
    for number, side in enumerate(sides):
        for force in side.forces:
            if force.turn == turn:
                yield Coming(number, force.title, where_told(scenario, force))


class _Composer:
    """Makes the sheets of the sides of one scenario."""

    def __init__(self, scenario: PlayedScenario) -> None:
        self.ruleset, self.scenario = scenario.ruleset, scenario.scenario
        self._kinds = UnitKinds(scenario)
        self._titles = count_titles(scenario.ruleset)

    def side(self, side: SideInBattle, look: SideLook) -> SideSheets:
        return SideSheets(
            look=look,
            pattern=swatch(look.number, look.colour, _PATCH, pitch=_PITCH, pen=_PEN),
            commander=side.commander.name if side.commander else "",
            totals=self._totals(side),
            forces=tuple(self._force(side.id, force) for force in side.forces),
            keys=tuple(_key(self._kinds.card(unit.id)) for unit in side.units),
            columns=tuple(
                OrderColumn(force.title, force.turn, where_told(self.scenario, force))
                for force in side.forces
            ),
        )

    def _totals(self, whole: SideInBattle | ForceInBattle) -> tuple[tuple[str, str], ...]:
        """Titles of counts and numbers; a number that the rules leave open is a question."""
        counts = [
            (self._titles[key], "?" if count is None else str(count))
            for key, count in whole.counts.items()
            if count != 0
        ]
        return ((gettext("Units"), str(whole.number)), *counts)

    def _force(self, side: str, force: ForceInBattle) -> RosterForce:
        written = self.scenario.sides[side].forces[force.id]
        where = where_told(self.scenario, force)
        return RosterForce(
            title=force.title,
            when=force.when,
            where=where
            if written.at != ANYWHERE
            else gettext("%(where)s on the table", where=where),
            commander=force.commander.name if force.commander else "",
            totals=self._totals(force),
            groups=tuple(
                RosterGroup(group.title, tuple(self._rows(group.units)))
                for group in groups_of(self.ruleset, self.scenario, written)
            ),
        )

    def _rows(self, units: Sequence[UnitInForce]) -> Iterator[UnitRow]:
        alike: dict[str, int] = {}
        for unit in units:
            tracks = tuple(
                replace(part, about="")
                for part in self._kinds.card(unit.id).parts
                if isinstance(part, TrackPart)
            )
            if tracks or unit.name:
                yield UnitRow(unit.name, unit.title, 1, tracks or (_lost(1),))
            else:
                alike[unit.title] = alike.get(unit.title, 0) + 1
        for title, number in alike.items():
            yield UnitRow("", title, number, (_lost(number),))


def _lost(number: int) -> TrackPart:
    """A box for each of some units, ticked when it is lost."""
    boxes = [""] * number
    groups = tuple(tuple(boxes[start : start + 5]) for start in range(0, number, 5))
    return TrackPart(gettext(LOST), str(number), "", groups)


def _key(card: CardView) -> UnitKey:
    """What a card says of all units of its kind, without its boxes; long words stay there."""
    stats: list[StatView] = []
    abouts: list[tuple[str, str]] = []
    words: list[str] = []
    for part in card.parts:
        if isinstance(part, StatsPart):
            stats += part.stats
        elif isinstance(part, TrackPart) and part.about:
            abouts.append((part.title.removesuffix(" 1"), part.about))
        elif isinstance(part, WordsPart) and len(part.markdown) <= MOST_WORDS:
            words.append(part.markdown)
    return UnitKey(card.title, card.rule, tuple(stats), tuple(abouts), tuple(words))
