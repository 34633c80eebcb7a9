"""The scenarios of a ruleset -> all that is printed of them: one module for each kind of thing."""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.core.compute import Computed
from rulebook.documents.parts.document import Planned
from rulebook.documents.parts.views import Identity
from rulebook.documents.scenario.cards import card_documents
from rulebook.documents.scenario.compose import booklet_documents
from rulebook.documents.scenario.cutouts import cutout_documents
from rulebook.documents.scenario.map_files import map_documents
from rulebook.documents.scenario.played import PlayedScenario, played_scenarios
from rulebook.documents.scenario.sheets import sheet_documents
from rulebook.documents.scenario.terrain_pieces import terrain_documents
from rulebook.model.ruleset import Ruleset


def scenario_documents(read: Ruleset, computed: Computed, identity: Identity) -> Iterator[Planned]:
    """The documents of all scenarios, scenario by scenario; the booklet lists the others.

    A released edition has none: scenarios come out beside it.
    """
    for scenario in played_scenarios(read, computed, identity):
        others = list(_beside(scenario))
        yield from booklet_documents(scenario, [one.document for one in others])
        yield from others


def _beside(scenario: PlayedScenario) -> Iterator[Planned]:
    """What is printed of a scenario beside its booklet, in the order in which that lists it."""
    yield from sheet_documents(scenario)
    yield from card_documents(scenario)
    yield from cutout_documents(scenario)
    yield from map_documents(scenario)
    yield from terrain_documents(scenario)
