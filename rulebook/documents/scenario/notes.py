"""What a scenario's source does not plainly state -> its designer's notes, and their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from rulebook.documents.booklet.views import NoteView
from rulebook.documents.scenario.passages import PassageComposer
from rulebook.model.not_in_source import Unstated, unstated_of_scenario
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Address, Ruleset


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
            return "The scenario"
        return title.removeprefix(f"{self._title}: ")
