"""A ruleset -> its page for the table, in one file, and what makes that page installable.

Where the page is served over http its worker keeps it for use without a network. It knows the page
by its digest, so that a page of a new build replaces the old one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rulebook.cache import Cache
from rulebook.core.browser_programs import BrowserPrograms
from rulebook.documents.cards.compose import CardComposer
from rulebook.documents.cards.pieces import CardView, StatsPart, StatView, TrackPart
from rulebook.documents.document_kind import File, Planned, Rendered, planned
from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.documents.parts.figures import QRS_PICTURE, small_picture
from rulebook.documents.parts.pages import json_block, screen_page
from rulebook.documents.parts.views import Identity
from rulebook.documents.qrs.compose import PhaseView, compose_phases
from rulebook.documents.scenario.forces import Battle, played
from rulebook.documents.scenario.handouts import LOST, unit_deck
from rulebook.model.cards import deal, deal_unit
from rulebook.model.ruleset import Ruleset
from rulebook.model.units import ALL_UNITS, Unit
from rulebook.translation import gettext
from rulebook.typeset.environment import page_script


@dataclass(frozen=True, slots=True)
class AtTableView:
    """The page for the table.

    `edition` is the name of the edition's folder, and `phases` are those of the turn. `programs`
    are the procedures as `core.browser_programs` has them, and `roster` the kinds of units with the
    forces of battles: both are plain data for the scripts of the page.
    """

    identity: Identity
    edition: str
    phases: tuple[PhaseView, ...]
    programs: Mapping[str, Any]
    roster: Mapping[str, Any]


#: The page, and what stands beside it where it is served: how it is installed, and what keeps it.
PAGE, MANIFEST, WORKER = "table.html", "table.webmanifest", "table-worker.js"


def plan_at_table(ruleset: Ruleset, identity: Identity) -> Iterator[Planned]:
    """Plans the page for use at the table with its manifest and worker, as one document.

    Plans nothing if the ruleset asks for no quick reference.
    """
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
    """Returns the kinds of units, the units to choose from and the battles, as plain data.

    `kinds` maps an id to the title, values, boxes and grades of a unit or of a card with boxes;
    `choices` are the ids of those that players may pick; `battles` are the scenarios with their
    units.
    """
    kinds: dict[str, Any] = {}
    composer = _composer(ruleset)
    unit_kind = _unit_kinds(composer)
    choices = [_add(kinds, name, unit_kind(name, unit)) for name, unit in ruleset.units.items()]
    for deck_id, deck in ruleset.decks.items():
        for card in deal(ruleset, deck_id) if deck.made_from != ALL_UNITS else ():
            view = composer.card(replace(card, text=None), deck, ())
            if any(isinstance(part, TrackPart) for part in view.parts):
                choices.append(_add(kinds, f"{deck_id}/{card.id}", _kind(view, ())))
    battles = [_battle(ruleset, name, kinds) for name in ruleset.scenarios]
    return {"kinds": kinds, "choices": choices, "battles": battles}


def _add(kinds: dict[str, Any], name: str, kind: dict[str, Any], battle: str = "") -> str:
    """Adds the data of a kind of unit to `kinds` under the id `name`, and returns its id.

    If that id already has different data, the data are added under `battle/name` instead.
    """
    if kinds.setdefault(name, kind) != kind:
        name = f"{battle}/{name}"
        kinds[name] = kind
    return name


def _composer(ruleset: Ruleset) -> CardComposer:
    return CardComposer(Binder(ruleset, references="number"), lambda *_: "")


def _unit_kinds(composer: CardComposer) -> Callable[[str, Unit], dict[str, Any]]:
    """Returns a function that takes a unit's id and the unit, and returns its data for the page.

    The data are the title, values, boxes and grades that are printed on the unit's card, without
    its text.
    """
    deck = unit_deck(composer.ruleset)
    grades = composer.grades(deck)

    def kind(name: str, unit: Unit) -> dict[str, Any]:
        dealt = replace(deal_unit(composer.ruleset, deck, name, unit), text=None)
        return _kind(composer.card(dealt, deck, ()), grades)

    return kind


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


def _battle(ruleset: Ruleset, name: str, kinds: dict[str, Any]) -> dict[str, Any]:
    """Returns the title of a scenario, and the title and units of each side, as plain data.

    Each unit is a list of the id of its kind, its name, and the title of its force. Adds the kinds
    of these units to `kinds`.
    """
    battle = Battle(name, played(ruleset, name))
    scenario = battle.scenario
    unit_kind = _unit_kinds(_composer(battle.ruleset))

    @cache
    def kind_of(unit: str) -> str:
        return _add(kinds, unit, unit_kind(unit, battle.units[unit]), name)

    sides = [
        {
            "title": side.title,
            "units": [
                [kind_of(unit.id), unit.name, force.title]
                for force in side.forces.values()
                for unit in battle.units_one_by_one(force)
            ],
        }
        for side in scenario.sides.values()
    ]
    return {"title": scenario.title, "sides": sides}


#: A die that shows five, in the colour of the ruleset.
_ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64"\
 rx="12" fill="{}"/><g fill="#fff"><circle cx="18" cy="18" r="6"/><circle cx="46" cy="18" r="6"/>\
<circle cx="32" cy="32" r="6"/><circle cx="18" cy="46" r="6"/><circle cx="46" cy="46" r="6"/></g>\
</svg>"""


def table_files(
    view: AtTableView, files: Sequence[File], templates: Path, _: Cache
) -> Iterator[Rendered]:
    """Renders the given files of the page for the table: page, web manifest or worker."""
    page = table_page(view, templates).encode()
    made = {PAGE: page, MANIFEST: web_manifest(view), WORKER: worker(view, page, templates)}
    for file in files:
        yield Rendered(file.path, made[file.path], None)


def table_page(view: AtTableView, templates: Path) -> str:
    """Renders the page for the table as HTML that contains its scripts and their data."""
    identity = view.identity
    own = {"ruleset": identity.ruleset, "edition": view.edition, "title": identity.title}
    beside = {"worker": WORKER, "manifest": MANIFEST}
    return screen_page(
        "at-table",
        view,
        templates,
        screen=True,
        since=None,
        to_read="",  # the page needs no other
        icon=_icon(view),
        rolls=tuple(view.programs["procedures"]),
        data={
            "programs": json_block(view.programs),
            "roster": json_block({**own, **beside, **view.roster}),
        },
    )


def _icon(view: AtTableView) -> str:
    return f"data:image/svg+xml,{quote(_ICON.format(view.identity.accent))}"


def web_manifest(view: AtTableView) -> bytes:
    """Returns the web app manifest, with which a browser can install the page, as bytes of JSON."""
    identity = view.identity
    manifest = {
        "name": gettext("%(title)s at the table", title=identity.title),
        "short_name": identity.title,
        "lang": identity.language,
        "start_url": PAGE,
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": identity.accent,
        "icons": [{"src": _icon(view), "sizes": "any", "type": "image/svg+xml"}],
    }
    return json.dumps(manifest, ensure_ascii=False, indent=1).encode() + b"\n"


def worker(view: AtTableView, page: bytes, templates: Path) -> bytes:
    """Returns the script of the service worker, which caches the page and its manifest.

    The script contains the digest of `page`, the bytes of the page, as its version.
    """
    name = f"{view.identity.ruleset}/{view.edition} "
    kept = {"name": name, "version": hashlib.sha256(page).hexdigest(), "files": [PAGE, MANIFEST]}
    text = page_script("table-worker", templates).text
    return f"const KEPT = {json.dumps(kept)};\n{text}".encode()
