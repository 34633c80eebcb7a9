"""What stands in the booklet of a scenario, and on its rosters, order forms and turn track."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulebook.documents.booklet.views import NoteView, Part
from rulebook.documents.cards.views import StatView
from rulebook.documents.document_kind import File
from rulebook.documents.parts.views import BackCoverView, CoverView, Identity
from rulebook.documents.scenario.forces import ForceInBattle, SideInBattle
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
    note: int | None
    who: tuple[tuple[int, str], ...]
    number: int
    way_off: bool


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """What is on the table from a turn on: by side units and strength, and how they compare."""

    when: str
    sides: tuple[tuple[str, str], ...]
    ratio: str


@dataclass(frozen=True, slots=True)
class Coming:
    """Who comes in a turn: the number of the side, the force in words, and on sheets its way in."""

    side: int
    title: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class TurnSpace:
    """A space of a turn track, and who comes in its turn.

    `half` is the number of the side whose half-turn it is, if each has one of its own; `more` is
    how many who come in this turn have no room in it.
    """

    turn: int
    coming: tuple[Coming, ...]
    half: int | None = None
    more: int = 0


@dataclass(frozen=True, slots=True)
class TrackView:
    """Rows of `wide` spaces; `phases` are those of each turn in Markdown, if they are shown."""

    title: str
    rows: tuple[tuple[TurnSpace, ...], ...]
    known: bool
    phases: str = ""
    wide: int = 1


@dataclass(frozen=True, slots=True)
class MarchRow:
    """A way: to where, how long, how much of it off the roads, turns by unit."""

    objective: str
    distance: str
    off_road: str
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarchTable:
    """The ways from a place, with the turns that the kinds of units there take, by their pace."""

    place: str
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
class PaceTable:
    """How far kinds of units march in a turn: on roads, off them, and over `grounds`, by title."""

    grounds: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class MarchesView:
    """All marches; `unknown` are the kinds of units whose pace is not known.

    Kinds of one pace share a column; of many columns some stand in a second table. `late`: some
    force comes to some objective only after the end. `paces` are given where they are not the same
    everywhere.
    """

    unknown: tuple[str, ...]
    tables: tuple[MarchTable, ...]
    earliest: tuple[EarliestTable, ...]
    late: bool
    paces: PaceTable | None = None


@dataclass(frozen=True, slots=True)
class FactView:
    """A line of what is known at a glance, in Markdown."""

    label: str
    text: str
    note: int | None = None


@dataclass(frozen=True, slots=True)
class TellingView:
    """A passage under a heading."""

    parts: tuple[Part, ...]
    note: int | None


@dataclass(frozen=True, slots=True)
class MapView:
    """What the map is drawn from: the scenario as plain data, and what tables say of its ground.

    It is drawn when it is printed, which takes longer than to compose all else.

    `zones`: there is ground for setting up.
    """

    scenario: Any
    grounds: dict[str, GroundWords]
    zones: bool
    note: int | None


@dataclass(frozen=True, slots=True)
class ObjectiveView:
    """An objective by the number of its flag; `squares` are those of a board that it fills."""

    number: int
    title: str
    at: str
    text: str
    note: int | None
    squares: str = ""


@dataclass(frozen=True, slots=True)
class RuleView:
    """A special rule; `option` is the title of the optional rule that is in force with it."""

    id: str
    title: str
    option: str
    parts: tuple[Part, ...]
    note: int | None


@dataclass(frozen=True, slots=True)
class DocumentView:
    """What else is printed of the scenario."""

    title: str
    files: tuple[File, ...]


@dataclass(frozen=True, slots=True)
class ScenarioView:
    """The whole booklet; `layout` is None for the page that is read on a screen.

    `strip` stands at the foot of its cover, and again on its `back`.
    """

    identity: Identity
    layout: str | None
    id: str
    title: str
    subtitle: str
    date: str
    turn: str
    note: int | None
    cover: CoverView
    strip: tuple[FactView, ...]
    back: BackCoverView
    facts: tuple[FactView, ...]
    background: TellingView | None
    situation: TellingView | None
    map: MapView
    places: tuple[BattlePlace, ...]
    columns: tuple[str, ...]
    sides: tuple[SideInBattle, ...]
    schedule: tuple[ForceInBattle, ...]
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


@dataclass(frozen=True, slots=True)
class UnitKey:
    """What players need at hand of all units of a kind: numbers, what ticking means, words.

    `abouts` are titles of tracks with Markdown, `words` is Markdown.
    """

    title: str
    rule: str
    stats: tuple[StatView, ...]
    abouts: tuple[tuple[str, str], ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SideSheets:
    """The roster of a side, with the units of its forces one by one; `pattern` is its hatching."""

    side: SideInBattle
    pattern: str
    keys: tuple[UnitKey, ...]


@dataclass(frozen=True, slots=True)
class SheetsView:
    """All sheets of a scenario.

    `columns` are the titles of counts. `turn` is what a turn is called, `known` whether the
    scenario says how many there are; `patches` are small hatchings of the sides, `start` who is
    there before the first turn, and `phases` are those of each turn, as on the track of the
    booklet. `order_forms` says whether each side has some.
    """

    identity: Identity
    title: str
    columns: tuple[str, ...]
    turn: str
    known: bool
    sides: tuple[SideSheets, ...]
    patches: tuple[str, ...]
    start: tuple[Coming, ...]
    track: tuple[TurnSpace, ...]
    phases: str
    order_forms: bool
