"""A ruleset -> its page for the table: quick reference, programs, units with their boxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from rulebook.core.browser_programs import BrowserPrograms
from rulebook.documents.at_table.views import AtTableView
from rulebook.documents.cards.compose import CardComposer
from rulebook.documents.cards.views import CardView, StatsPart, StatView, TrackPart
from rulebook.documents.document_kind import File, Planned, planned
from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.documents.parts.figures import QRS_PICTURE, small_picture
from rulebook.documents.parts.views import Identity
from rulebook.documents.qrs.compose import compose_phases
from rulebook.documents.scenario.forces import played, units_one_by_one
from rulebook.documents.scenario.handouts import LOST, unit_deck
from rulebook.model.cards import deal, deal_unit
from rulebook.model.forces import units_known
from rulebook.model.ruleset import Ruleset
from rulebook.model.units import ALL_UNITS, Unit
from rulebook.translation import gettext

#: The page, and what stands beside it where it is served: how it is installed, and what keeps it.
PAGE, MANIFEST, WORKER = "table.html", "table.webmanifest", "table-worker.js"


def plan_at_table(ruleset: Ruleset, identity: Identity) -> Iterator[Planned]:
    """The page, if the ruleset asks for a quick reference; with all that is needed offline."""
    if ruleset.header.documents.qrs is None:
        return

    def view() -> AtTableView:
        picture = partial(small_picture, ruleset, QRS_PICTURE)
        binder = Binder(ruleset, references="number")
        programs = BrowserPrograms(ruleset, binder.plain)
        phases = compose_phases(ruleset, picture)
        roster = compose_roster(ruleset)
        return AtTableView(identity, ruleset.form, phases, programs.plain(), roster)

    files = (File(PAGE, "html"), File(MANIFEST, "json"), File(WORKER, "js"))
    yield planned(ruleset, "at-table", "table", view, *files)


def compose_roster(ruleset: Ruleset) -> dict[str, Any]:
    """Kinds of units with what is ticked of them; those to choose from; the sides of battles."""
    kinds = _Kinds()
    own = _Cards(ruleset)
    choices = [kinds.add(name, own.unit(name, unit)) for name, unit in ruleset.units.items()]
    for deck_id, deck in ruleset.decks.items():
        for card in deal(ruleset, deck_id) if deck.made_from != ALL_UNITS else ():
            view = own.composer.card(replace(card, text=None), deck, ())
            if any(isinstance(part, TrackPart) for part in view.parts):
                choices.append(kinds.add(f"{deck_id}/{card.id}", _kind(view, ())))
    battles = [_battle(ruleset, name, kinds) for name in ruleset.scenarios]
    return {"kinds": kinds.plain, "choices": choices, "battles": battles}


@dataclass(slots=True)
class _Kinds:
    """Kinds of units by their ids; a battle may have another of the same name."""

    plain: dict[str, Any] = field(default_factory=dict)

    def add(self, name: str, kind: dict[str, Any], battle: str = "") -> str:
        if self.plain.setdefault(name, kind) == kind:
            return name
        self.plain[f"{battle}/{name}"] = kind
        return f"{battle}/{name}"


class _Cards:
    """Makes the kinds of units of one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.composer = CardComposer(Binder(ruleset, references="number"), lambda *_: "")
        self._deck = unit_deck(ruleset)
        self._grades = self.composer.grades(self._deck)

    def unit(self, name: str, unit: Unit) -> dict[str, Any]:
        """Numbers, boxes and grades of a unit as on its card; words stay there."""
        dealt = replace(deal_unit(self.ruleset, self._deck, name, unit), text=None)
        return _kind(self.composer.card(dealt, self._deck, ()), self._grades)


def _kind(card: CardView, grades: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, Any]:
    stats: list[StatView] = []
    for part in card.parts:
        if isinstance(part, StatsPart):
            stats += (*part.large, *part.stats)
    tracks = [_track(part) for part in card.parts if isinstance(part, TrackPart)]
    return {
        "title": card.title,
        "stats": [[stat.label, stat.value] for stat in stats if not stat.missing],
        "tracks": tracks or [{"title": gettext(LOST), "groups": [[""]]}],
        "grades": grades,
    }


def _track(part: TrackPart) -> dict[str, Any]:
    groups = [[plain_text(label) for label in group] for group in part.groups]
    about = {"about": plain_text(part.about)} if part.about else {}
    return {"title": part.title, "groups": groups, **about}


def _battle(ruleset: Ruleset, name: str, kinds: _Kinds) -> dict[str, Any]:
    """A scenario, and by side its units with their names and forces, as its rosters have them."""
    ruleset = played(ruleset, name)
    scenario = ruleset.scenarios[name]
    cards, known = _Cards(ruleset), units_known(ruleset, scenario)
    made: dict[str, str] = {}

    def unit(key: str) -> str:
        if key not in made:
            made[key] = kinds.add(key, cards.unit(key, known[key]), name)
        return made[key]

    sides = [
        {
            "title": side.title,
            "units": [
                [unit(one.id), one.name, force.title]
                for force in side.forces.values()
                for one in units_one_by_one(ruleset, scenario, force)
            ],
        }
        for side in scenario.sides.values()
    ]
    return {"title": scenario.title, "sides": sides}
