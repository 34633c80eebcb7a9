"""A scenario -> its booklet: all that two players need to set it up and to play it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from rulebook.documents.booklet.compose import STATUSES
from rulebook.documents.parts.booklet_papers import booklet_files
from rulebook.documents.parts.covers import plain_cover
from rulebook.documents.parts.document import Document, File, Planned
from rulebook.documents.scenario.forces import (
    SideInBattle,
    arrivals,
    order_of_battle,
    place_title,
    strengths,
)
from rulebook.documents.scenario.ground_words import ground_tables, grounds_of
from rulebook.documents.scenario.marches import marches_view
from rulebook.documents.scenario.notes import ScenarioNotes
from rulebook.documents.scenario.passages import PassageComposer
from rulebook.documents.scenario.places import place_views
from rulebook.documents.scenario.played import PlayedScenario
from rulebook.documents.scenario.sides import side_views
from rulebook.documents.scenario.turns import (
    balance,
    compared_by,
    schedule,
    strength_chart,
    time_lines,
    track,
)
from rulebook.documents.scenario.views import (
    DocumentView,
    FactView,
    FileView,
    MapView,
    ObjectiveView,
    RuleView,
    ScenarioView,
    TellingView,
)
from rulebook.model.plain_data import plain
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import Passage
from rulebook.model.scenarios import Scenario
from rulebook.paper import PAPERS
from rulebook.translation import gettext

TITLE = "Booklet"


def booklet_documents(scenario: PlayedScenario, others: Sequence[Document]) -> Iterator[Planned]:
    """The booklet on each paper, and the page that is read on a screen.

    `others` is what else is printed of the scenario, which the booklet lists.
    """
    spec = scenario.spec
    for layout, files in booklet_files(scenario.stem, spec.papers, spec.imposed or ()):
        view = partial(scenario_view, scenario, layout, others)
        yield scenario.planned("scenario", f"-{layout}", TITLE, view, *files)
    page = File(f"{scenario.stem}.html", "html")
    view = partial(scenario_view, scenario, None, others)
    yield scenario.planned("scenario-screen", "", TITLE, view, page)


def scenario_view(
    played: PlayedScenario, layout: str | None, others: Sequence[Document] = ()
) -> ScenarioView:
    """The view of the booklet of a scenario."""
    return _Composer(played).view(layout, others)


class _Composer:
    """Makes the parts of one booklet."""

    def __init__(self, played: PlayedScenario) -> None:
        self._played = played
        self._ruleset: Ruleset = played.ruleset
        self._scenario: Scenario = played.scenario
        self._notes = ScenarioNotes(played.ruleset, played.id)
        self._passages = PassageComposer(played.ruleset)
        self._sides: tuple[SideInBattle, ...] = order_of_battle(played.ruleset, played.id)

    def view(self, layout: str | None, others: Sequence[Document]) -> ScenarioView:
        scenario, sides, notes = self._scenario, self._sides, self._notes
        coming = arrivals(sides)
        used = notes.statuses
        strong = strengths(scenario, sides)
        return ScenarioView(
            identity=self._played.identity,
            layout=layout,
            id=self._played.id,
            title=scenario.title,
            subtitle=scenario.subtitle or "",
            date=scenario.date or "",
            turn=scenario.turn,
            note=notes.of(),
            cover=plain_cover(
                scenario.title, scenario.subtitle or "", f"The ground of {scenario.title}"
            ),
            facts=tuple(self._facts()),
            background=self._telling(scenario.background, "background"),
            situation=self._telling(scenario.situation, "situation"),
            map=self._map(),
            places=place_views(scenario, sides, notes),
            sides=side_views(self._ruleset, self._played.id, sides, notes),
            schedule=schedule(coming, scenario, sides, notes),
            measure=compared_by(self._ruleset, strong),
            balance=balance(strong, scenario, sides),
            chart=strength_chart(self._ruleset, strong, scenario, sides),
            time_lines=time_lines(coming, scenario, sides, strong.turns[-1]),
            marches=marches_view(self._ruleset, self._played.id),
            objectives=tuple(self._objectives()),
            rules=tuple(self._rules()),
            victory=self._telling(scenario.victory, "victory") or _UNTOLD,
            track=track(scenario, sides, coming),
            notes=notes.views(self._passages),
            statuses=tuple(
                (status.value, gettext(meaning))
                for status, meaning in STATUSES.items()
                if status in used
            ),
            documents=tuple(_documents(self._played, others)),
        )

    def _facts(self) -> Iterator[FactView]:
        scenario = self._scenario
        if scenario.date:
            yield FactView("Date", scenario.date)
        for side in self._sides:
            told = ", ".join(f"{unit.number} × {unit.title}" for unit in side.units)
            yield FactView(side.title, told)
        turns = scenario.length.turns
        length = f"{turns} {scenario.turn}{'s' if turns != 1 else ''}" if turns else _NOT_GIVEN
        yield FactView("Length", length, self._notes.of("length"))
        first = scenario.sides[scenario.first].title if scenario.first else _FIRST
        yield FactView("Moves first", first)
        table = scenario.table
        wide = f"{table.width} from west to east, {table.depth} from south to north"
        yield FactView("Table", wide, self._notes.of("table"))
        if scenario.scale is not None:
            yield FactView("Scale", self._passages.prose(scenario.scale))
        for name in scenario.options:
            yield FactView("Optional rule", self._ruleset.options[name].title)

    def _telling(self, told: Any, key: str) -> TellingView | None:
        if told is None:
            return None
        text: Passage | None = told.text
        missing = told.status is Status.MISSING
        return TellingView(self._passages.passage(text), missing, self._notes.of(key))

    def _map(self) -> MapView:
        told = grounds_of(self._ruleset, self._scenario)
        stands = {force.at for side in self._sides for force in side.forces}
        zones = any(one.zone and key in stands for key, one in self._scenario.places.items())
        tables = tuple(
            (title, self._passages.prose(about))
            for title, about in ground_tables(self._ruleset, self._scenario).items()
        )
        return MapView(plain(self._scenario), told, tables, zones, self._notes.of("map"))

    def _objectives(self) -> Iterator[ObjectiveView]:
        for number, (name, one) in enumerate(self._scenario.objectives.items(), start=1):
            at = self._title_of(one.at)
            yield ObjectiveView(
                number,
                one.title,
                "" if at.casefold() == one.title.casefold() else at,
                self._passages.prose(one.text),
                self._notes.of("objectives", name),
            )

    def _title_of(self, at: str) -> str:
        if at in self._scenario.places:
            return place_title(self._scenario, at)
        return self._scenario.map.features[at].title or ""

    def _rules(self) -> Iterator[RuleView]:
        for name, rule in self._scenario.rules.items():
            option = self._ruleset.options[rule.option].title if rule.option else ""
            yield RuleView(
                name,
                rule.title,
                option,
                self._passages.passage(rule.text),
                rule.status is Status.MISSING,
                self._notes.of("rules", name),
            )


_NOT_GIVEN = "not given by the source"
_FIRST = "as the rules have it"
_UNTOLD = TellingView((), missing=True, note=None)


def _documents(played: PlayedScenario, others: Sequence[Document]) -> Iterator[DocumentView]:
    """What else is printed, by its title, in the order in which it was made."""
    listed: dict[str, list[FileView]] = {}
    for document in others:
        title = document.title.removeprefix(f"{played.scenario.title}: ")
        listed.setdefault(title, []).extend(
            FileView(PurePosixPath(one.path).name, _paper(one), one.format)
            for one in document.files
        )
    for title, files in listed.items():
        yield DocumentView(title, tuple(files))


def _paper(file: File) -> str:
    paper = file.paper or ""
    return paper.upper() if paper in PAPERS and paper != "letter" else paper.capitalize()
