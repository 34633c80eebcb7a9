"""What stands in the booklet of a scenario, and on its rosters, order forms and turn track."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulebook.documents.booklet.views import NoteView, Part
from rulebook.documents.cards.pieces import CardView
from rulebook.documents.document_kind import File
from rulebook.documents.parts.views import BackCoverView, CoverView, Identity
from rulebook.documents.scenario.forces import Coming, ForceInBattle, SideInBattle, TurnSpace
from rulebook.drawing.charts import ChartView
from rulebook.drawing.time_line import TimeLineView
from rulebook.maps.drawing import GroundWords


@dataclass(frozen=True, slots=True)
class BattlePlace:
    """A place: where to find it with a ruler, and who stands or comes in there, by side.

    `number` is that of an entry on the map, 0 of what has none. `way_off`: on the edge, and nobody
    comes in there.
    """

    id: str
    title: str
    where: str
    who: tuple[tuple[int, str], ...]
    number: int
    way_off: bool


@dataclass(frozen=True, slots=True)
class MarchTable:
    """Rows of a table on marches, each with the number of its side, if it has one, and its title.

    `title` is that of the place from which the ways lead, if they lead from one.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[int | None, str, tuple[str, ...]], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class MarchesView:
    """All marches; `unknown` are the kinds of units whose pace is not known.

    The rows of `ways` from each place are objectives, with the distance, how much of it is off the
    roads, and turns by kinds of units; of many kinds some stand in a second table. `earliest` has
    the first turns in which forces can be at objectives; if `late`, some of these are after the
    end. `paces` are those of kinds of units on roads, off them and over grounds, where they are not
    the same everywhere. `zones`: some force starts in one.
    """

    unknown: tuple[str, ...]
    ways: tuple[MarchTable, ...]
    earliest: tuple[MarchTable, ...]
    late: bool
    paces: MarchTable | None
    zones: bool


@dataclass(frozen=True, slots=True)
class MapView:
    """What a map is drawn from: the scenario as plain data, and what tables say of its ground.

    It is drawn when it is printed, which takes longer than to compose all else.
    """

    scenario: Any
    grounds: Mapping[str, GroundWords]


@dataclass(frozen=True, slots=True)
class ScenarioView:
    """The whole booklet; `layout` is None for the page that is read on a screen.

    Parts of the scenario are known by the keys that lead to them, joined by `/`: `noted` has the
    numbers of the notes on them, `passages` and `prose` their texts, `squares` those of a board
    that an objective fills. `strip` stands at the foot of the cover, and again on the `back`. Of
    `facts` the third is the key of the part that is stated. `options` are titles.
    """

    identity: Identity
    layout: str | None
    id: str
    map: MapView
    noted: Mapping[str, int]
    passages: Mapping[str, tuple[Part, ...]]
    prose: Mapping[str, str]
    squares: Mapping[str, str]
    options: Mapping[str, str]
    cover: CoverView
    strip: Mapping[str, str]
    back: BackCoverView
    facts: tuple[tuple[str, str, str | None], ...]
    places: tuple[BattlePlace, ...]
    columns: tuple[str, ...]
    sides: tuple[SideInBattle, ...]
    schedule: tuple[ForceInBattle, ...]
    measure: str
    balance: tuple[tuple[str, tuple[tuple[str, str], ...], str], ...]
    chart: ChartView | None
    time_lines: tuple[TimeLineView, ...]
    marches: MarchesView | None
    track: tuple[tuple[TurnSpace, ...], ...]
    phases: str
    notes: tuple[NoteView, ...]
    statuses: tuple[tuple[str, str], ...]
    documents: Mapping[str, tuple[File, ...]]


@dataclass(frozen=True, slots=True)
class SheetsView:
    """All sheets of a scenario; the forces of its sides have their units one by one.

    `columns` are the titles of counts. `turn` is what a turn is called, `known` whether the
    scenario says how many there are; `start` is who is there before the first turn, and `phases`
    are those of each turn, as on the track of the booklet. `keys` are the cards of the kinds of
    units of each side. `order_forms` says whether each side has some.
    """

    identity: Identity
    title: str
    columns: tuple[str, ...]
    turn: str
    known: bool
    sides: tuple[SideInBattle, ...]
    keys: tuple[tuple[CardView, ...], ...]
    start: tuple[Coming, ...]
    track: tuple[TurnSpace, ...]
    phases: str
    order_forms: bool
