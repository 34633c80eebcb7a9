"""A scenario -> its booklet: all that two players need to set it up and to play it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulebook.publications.publication import Publication
from rulebook.publications.scenario_played import PlayedScenario


def booklet_publications(
    scenario: PlayedScenario, others: Sequence[Publication]
) -> Iterator[Publication]:
    """The booklet on each paper, and the page that is read on a screen.

    `others` is what else is printed of the scenario, which the booklet lists.
    """
    yield from ()
