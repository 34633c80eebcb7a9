"""What stands on the rosters, order forms and turn track of a scenario."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.documents.cards.views import StatView, TrackPart
from rulebook.documents.parts.views import Identity
from rulebook.documents.scenario.views import SideLook


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A line of the roster: what a unit is called (nothing: a line to write on) and its boxes.

    `number` units of a kind that have no name and no boxes share one line, with a box for each.
    """

    name: str
    title: str
    number: int
    tracks: tuple[TrackPart, ...]


@dataclass(frozen=True, slots=True)
class RosterGroup:
    """Units of a formation of a force; `title` is empty where the force is enough."""

    title: str
    rows: tuple[UnitRow, ...]


@dataclass(frozen=True, slots=True)
class RosterForce:
    """A force: when and where it comes, who leads it (empty: a line), what it counts."""

    title: str
    when: str
    where: str
    commander: str
    totals: tuple[tuple[str, str], ...]
    groups: tuple[RosterGroup, ...]


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
class OrderColumn:
    """A force on the order form: it has no orders before the turn in which it comes."""

    title: str
    turn: int
    where: str


@dataclass(frozen=True, slots=True)
class SideSheets:
    """The roster of a side, and its order form; `pattern` is the hatching of the side."""

    look: SideLook
    pattern: str
    commander: str
    totals: tuple[tuple[str, str], ...]
    forces: tuple[RosterForce, ...]
    keys: tuple[UnitKey, ...]
    columns: tuple[OrderColumn, ...]


@dataclass(frozen=True, slots=True)
class Coming:
    """A force that comes: the number of its side, its title, and its way in."""

    side: int
    title: str
    where: str


@dataclass(frozen=True, slots=True)
class TrackTurn:
    """A space of the turn track."""

    turn: int
    coming: tuple[Coming, ...]


@dataclass(frozen=True, slots=True)
class SheetsView:
    """All sheets of a scenario.

    `turn` is what a turn is called, `known` whether the scenario says how many there are;
    `patches` are small hatchings of the sides, and `start` who is there before the first turn.
    """

    identity: Identity
    title: str
    turn: str
    known: bool
    sides: tuple[SideSheets, ...]
    patches: tuple[str, ...]
    start: tuple[Coming, ...]
    track: tuple[TrackTurn, ...]
