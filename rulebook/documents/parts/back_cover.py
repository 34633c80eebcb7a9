"""A ruleset -> its back cover: what it is about, what it takes to play it, and how a turn goes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil

from pydantic import BaseModel

from rulebook.documents.parts.binding import Binder, escape_markdown, plain_text
from rulebook.documents.parts.views import BackCoverView, FormsView
from rulebook.model.grids import Grid
from rulebook.model.record_tables import RecordTable
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import Scenario
from rulebook.model.sequence_and_examples import turn_of
from rulebook.quantities import Dice, Length, in_feet
from rulebook.translation import gettext, gettext_noop

#: Words of what a back cover says of its book.
MOST_WORDS = 60
#: Kinds of boxes that have a column on the page for a roster.
MOST_BOXES = 6
#: Dice by their sides; those of two and of three are thrown with dice of six.
_DICE = {
    4: gettext_noop("Four-sided dice"),
    6: gettext_noop("Six-sided dice"),
    8: gettext_noop("Eight-sided dice"),
    10: gettext_noop("Ten-sided dice"),
    12: gettext_noop("Twelve-sided dice"),
    20: gettext_noop("Twenty-sided dice"),
    100: gettext_noop("Percentile dice"),
}
_RULERS = {"in": gettext_noop("A ruler in inches"), "cm": gettext_noop("A ruler in centimetres")}
_UNITS = {"in": "in", "ft": "in", "cm": "cm", "mm": "cm"}


def compose_back(ruleset: Ruleset) -> BackCoverView:
    """Composes the back cover of a ruleset's booklet; facts that it does not state are left out."""
    header, binder = ruleset.header, Binder(ruleset)
    played = {
        gettext("Players"): header.players,
        gettext("Table"): header.table_size or _tables(ruleset.scenarios.values()),
        gettext("Playing time"): header.playing_time,
    }
    facts = {name: escape_markdown(line) for name, line in played.items() if line}
    facts |= scale_in_words(binder)
    battles = tuple(ruleset.scenarios.values())
    return back_of(ruleset, header.title, binder.prose(header.summary), facts, battles)


def back_of(
    ruleset: Ruleset,
    title: str,
    summary: str,
    facts: Mapping[str, str],
    battles: Sequence[Scenario],
) -> BackCoverView:
    """Composes the back cover of a book with a title and some scenarios.

    The type size is chosen so that the texts fit. `summary` and the values of `facts` are Markdown.
    """
    view = BackCoverView(
        title=title,
        blurb=blurb(summary),
        facts=tuple(facts.items()),
        needs=tuple(_needs(ruleset)),
        turn=tuple(phase.title for phase in turn_of(ruleset.sequence).values()),
        licence=ruleset.header.licence or "",
        forms=_forms(ruleset, battles),
    )
    return replace(view, fit=round(min(1.0, _ROOM / _height(view)), 3))


def _forms(ruleset: Ruleset, battles: Sequence[Scenario]) -> FormsView:
    """Returns what the pages to write on ask for: boxes of units, battles, sides and options.

    Of the boxes only the most frequent are named, and sides only if all battles have the same.
    """
    tracks = [track for unit in ruleset.units.values() for track in unit.tracks.values()]
    often = Counter(track.title for track in tracks).most_common(MOST_BOXES)
    sides = {tuple(side.title for side in battle.sides.values()) for battle in battles}
    return FormsView(
        boxes=tuple(title for title, _ in often),
        battles=tuple(battle.title for battle in battles),
        sides=sides.pop() if len(sides) == 1 else (),
        options=tuple(option.title for option in ruleset.options.values()),
    )


#: Between the upper edge and the foot of the lower back, in hundredths of its width.
_ROOM = 106.0


def _height(back: BackCoverView) -> float:
    """Estimates the height of the texts on the back cover in its largest type.

    The result is in hundredths of the width of the page.
    """
    height = 7 + 5.1 * ceil(len(back.title) / 27) + 4.7 * ceil(len(plain_text(back.blurb)) / 46)
    height += sum(2.2 + 3.6 * ceil(len(plain_text(text)) / 42) for _, text in back.facts)
    turn = ceil(sum(len(title) + 6 for title in back.turn) / 48)
    return height + 24 * bool(back.needs) + (10 + 4.6 * turn) * bool(turn)


def scale_in_words(binder: Binder) -> dict[str, str]:
    """Returns the stated scales of ground, figures and time by their headings, in Markdown."""
    scale = binder.ruleset.header.scale
    facts = {
        gettext("Ground"): scale.ground,
        gettext("Figures"): scale.figures,
        gettext("Time"): scale.time,
    }
    return {name: binder.prose(text) for name, text in facts.items() if text}


def blurb(summary: str) -> str:
    """Returns the first sentences of a summary, as many as have at most MOST_WORDS words."""
    kept: list[str] = []
    for sentence in re.split(r"(?<=[.!?])\s+", " ".join(summary.split())):
        kept.append(sentence)
        if len(plain_text(" ".join(kept)).split()) > MOST_WORDS:
            return " ".join(kept[:-1])
    return " ".join(kept)


def table_size(scenario: Scenario) -> str:
    """Returns the width (west to east) and depth (south to north) of a scenario's table as text."""
    width, depth = map(in_feet, (scenario.table.width, scenario.table.depth))
    return gettext("%(width)s by %(depth)s", width=width, depth=depth)


def _tables(scenarios: Iterable[Scenario]) -> str:
    """Returns the size of the tables of scenarios as text: the smallest to the largest by area.

    Returns just one size if all have the same, and an empty text if there are no scenarios.
    """
    by_area = sorted(
        scenarios, key=lambda scenario: scenario.table.width.mm * scenario.table.depth.mm
    )
    sizes = list(dict.fromkeys(map(table_size, by_area)))
    if len(sizes) < 2:
        return "".join(sizes)
    return gettext("%(least)s to %(most)s", least=sizes[0], most=sizes[-1])


def _needs(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yields what players need besides the armies, each as the name of a symbol and a text.

    Dice are those that tables name or that the procedures of the turn throw: a procedure that only
    serves to compute odds may throw others.
    """
    steps = (step for phase in ruleset.sequence.values() for step in phase.steps.values())
    played = [ruleset.procedures[name] for step in steps for name in step.procedures]
    cells = list(_cells(ruleset))
    thrown = {die.sides for die in _dice([*(played or ruleset.procedures.values()), *cells])}
    for sides in sorted({6 if number in (2, 3, 66, 666) else number for number in thrown}):
        named = gettext("Dice with %(number)s sides", number=sides)
        yield f"d{sides}", gettext(_DICE[sides]) if sides in _DICE else named
    units = Counter(_UNITS.get(cell.unit or "") for cell in cells if isinstance(cell, Length))
    boards = [scenario.table for scenario in ruleset.scenarios.values()]
    if units:
        [(unit, _)] = units.most_common(1)
        if unit:
            yield "ruler", gettext(_RULERS[unit])
    elif any(board.hexes for board in boards):
        yield "hexes", gettext("A map of hexes")
    elif any(board.squares for board in boards):
        yield "squares", gettext("A board of squares")
    if ruleset.cutouts:
        yield "scissors", gettext("Cutouts to print")
    if ruleset.decks:
        yield "cards", gettext("Cards to print")
    if any(unit.tracks for unit in ruleset.units.values()):
        yield "pencil", gettext("A pencil")


def _cells(ruleset: Ruleset) -> Iterator[object]:
    """Yields the values of all cells of tables that print in the booklet."""
    for table in ruleset.tables.values():
        if isinstance(table, Grid) and table.booklet:
            yield from (cell.value for row in table.data for cell in row)
        elif isinstance(table, RecordTable) and table.booklet:
            yield from (cell.value for row in table.data.values() for cell in row.cells.values())


def _dice(value: object) -> Iterator[Dice]:
    """Yields all dice in a value, which may be a part of the model, a mapping or a list.

    Everything inside it is searched too.
    """
    match value:
        case Dice():
            yield value
        case BaseModel():
            yield from _dice([getattr(value, name) for name in type(value).model_fields])
        case Mapping():
            yield from _dice(list(value.values()))
        case list() | tuple():
            for part in value:
                yield from _dice(part)
