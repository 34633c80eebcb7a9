"""What stands in the booklet of a scenario."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulebook.documents.booklet.views import NoteView, Part
from rulebook.documents.parts.views import CoverView, Identity
from rulebook.maps.legend import GroundWords
from rulebook.typeset.chart_views import ChartView, TimeLineView


@dataclass(frozen=True, slots=True)
class SideLook:
    """What a side is known by: its title, its colour and, in grey, its number (from 0)."""

    number: int
    title: str
    colour: str


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A place: where to find it with a ruler, and who stands or comes in there, by side.

    `way_off`: on the edge, and nobody comes in there.
    """

    id: str
    title: str
    where: str
    note: int | None
    who: tuple[tuple[int, str], ...]
    way_off: bool


@dataclass(frozen=True, slots=True)
class CommanderView:
    """Who leads; without a name a line is left to write one in."""

    name: str
    note: int | None


@dataclass(frozen=True, slots=True)
class UnitLine:
    """So many units of a kind, their names, their counts in the order of the columns."""

    number: int
    title: str
    names: tuple[str, ...]
    counts: tuple[str, ...]
    note: int | None


@dataclass(frozen=True, slots=True)
class ForceView:
    """A force with its sums; `made_of` tells the formations in it, each with the number of a note.

    `comes` is in which turn and where: `Start: Anywhere`, `Move 6: Baltimore Road`.
    """

    id: str
    title: str
    note: int | None
    commander: CommanderView | None
    comes: str
    made_of: tuple[tuple[str, int | None], ...]
    units: tuple[UnitLine, ...]
    number: int
    counts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SideView:
    """A side; `place` is its number among the sides, by which its pattern is known."""

    id: str
    place: int
    title: str
    colour: str
    note: int | None
    commander: CommanderView | None
    columns: tuple[str, ...]
    forces: tuple[ForceView, ...]
    units: tuple[UnitLine, ...]
    number: int
    counts: tuple[str, ...]
    stated: str
    opens: bool


@dataclass(frozen=True, slots=True)
class ArrivalView:
    """A line of the schedule: when, of which side (by its number), what, of which units, where."""

    when: str
    turn: int
    side: int
    side_title: str
    force: str
    note: int | None
    units: str
    place: str


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """What is on the table from a turn on: by side units and strength, and how they compare."""

    when: str
    sides: tuple[tuple[str, str], ...]
    ratio: str


@dataclass(frozen=True, slots=True)
class BoxView:
    """A box of the turn track, and who comes in its turn: side by number, and words."""

    turn: int
    arrivals: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class TrackView:
    """Rows of boxes; `start` are the forces that are there before the first."""

    title: str
    rows: tuple[tuple[BoxView, ...], ...]
    known: bool


@dataclass(frozen=True, slots=True)
class MarchRow:
    """A way: from where to where, how long, how much of it off the roads, turns by unit."""

    place: str
    objective: str
    distance: str
    off_road: str
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarchTable:
    """All ways, with the turns that some kinds of units take."""

    units: tuple[str, ...]
    rows: tuple[MarchRow, ...]


@dataclass(frozen=True, slots=True)
class EarliestRow:
    """A force, and the first turn in which it can be at each of some objectives."""

    side: int
    force: str
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EarliestTable:
    """The earliest turns to some of the objectives."""

    objectives: tuple[str, ...]
    rows: tuple[EarliestRow, ...]


@dataclass(frozen=True, slots=True)
class MarchesView:
    """All marches; `units` are the kinds whose pace is known, `unknown` those of which it is not.

    Kinds of one pace share a column; of many columns some stand in a second table. `late`: some
    force comes to some objective only after the end.
    """

    units: tuple[str, ...]
    unknown: tuple[str, ...]
    tables: tuple[MarchTable, ...]
    earliest: tuple[EarliestTable, ...]
    late: bool


@dataclass(frozen=True, slots=True)
class FactView:
    """A line of what is known at a glance, in Markdown."""

    label: str
    text: str
    note: int | None = None


@dataclass(frozen=True, slots=True)
class TellingView:
    """A passage under a heading; `missing` if the source gives none."""

    parts: tuple[Part, ...]
    missing: bool
    note: int | None


@dataclass(frozen=True, slots=True)
class MapView:
    """What the maps are drawn from: the scenario as plain data, and what tables say of its ground.

    `zones`: there is ground for setting up, so that a map of it is drawn. `tables` are those that
    tell of the ground, by their titles, each with what it says that it holds.
    """

    scenario: Any
    told: dict[str, GroundWords]
    tables: tuple[tuple[str, str], ...]
    zones: bool
    note: int | None


@dataclass(frozen=True, slots=True)
class ObjectiveView:
    """An objective by the number of its flag."""

    number: int
    title: str
    at: str
    text: str
    note: int | None


@dataclass(frozen=True, slots=True)
class RuleView:
    """A special rule; `option` is the title of the optional rule that is in force with it."""

    id: str
    title: str
    option: str
    parts: tuple[Part, ...]
    missing: bool
    note: int | None


@dataclass(frozen=True, slots=True)
class FileView:
    """A file that is printed beside the booklet: its name, and its paper."""

    name: str
    paper: str
    format: str


@dataclass(frozen=True, slots=True)
class DocumentView:
    """What else is printed of the scenario."""

    title: str
    files: tuple[FileView, ...]


@dataclass(frozen=True, slots=True)
class ScenarioView:
    """The whole booklet; `layout` is None for the page that is read on a screen."""

    identity: Identity
    layout: str | None
    id: str
    title: str
    subtitle: str
    date: str
    turn: str
    note: int | None
    cover: CoverView
    facts: tuple[FactView, ...]
    background: TellingView | None
    situation: TellingView | None
    map: MapView
    places: tuple[PlaceView, ...]
    sides: tuple[SideView, ...]
    schedule: tuple[ArrivalView, ...]
    measure: str
    balance: tuple[BalanceRow, ...]
    chart: ChartView | None
    time_lines: tuple[TimeLineView, ...]
    marches: MarchesView | None
    objectives: tuple[ObjectiveView, ...]
    rules: tuple[RuleView, ...]
    victory: TellingView
    track: TrackView
    notes: tuple[NoteView, ...]
    statuses: tuple[tuple[str, str], ...]
    documents: tuple[DocumentView, ...]
