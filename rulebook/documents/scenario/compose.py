"""A scenario -> its booklet, all that two players need to play it, and the list of the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Any

from rulebook import quantities
from rulebook.core.compute import Computed
from rulebook.documents.booklet.compose import STATUSES
from rulebook.documents.booklet.views import TextPart
from rulebook.documents.document_kind import Document, File, Planned, booklet_files
from rulebook.documents.parts.back_cover import back_of, table_size
from rulebook.documents.parts.binding import Binder, escape_markdown
from rulebook.documents.parts.figures import battle_cover
from rulebook.documents.parts.turn import TurnWords
from rulebook.documents.parts.views import BackCoverView, Identity
from rulebook.documents.scenario import views
from rulebook.documents.scenario.forces import (
    ByDice,
    ForceInBattle,
    Number,
    PassageComposer,
    PlayedScenario,
    ScenarioNotes,
    SideInBattle,
    Strengths,
    arrivals,
    by_dice,
    coming_in,
    count_titles,
    halves,
    order_of_battle,
    perhaps,
    place_title,
    played_scenarios,
    ratios,
    strengths,
    surely,
    when,
    word,
)
from rulebook.documents.scenario.handouts import (
    card_documents,
    cutout_documents,
    ground_on,
    sheet_documents,
    terrain_documents,
)
from rulebook.documents.scenario.maps import grounds_of, map_documents
from rulebook.documents.scenario.marches import marches_view
from rulebook.drawing.charts import ChartView, SeriesView
from rulebook.drawing.time_line import START, BarView, TimeLineView
from rulebook.maps.frame import Hexes, SquareGrid, grid_of
from rulebook.maps.names import entry_numbers
from rulebook.model.maps import Table, TablePoint
from rulebook.model.plain_data import plain
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import Passage
from rulebook.model.scenarios import ANYWHERE, Place, Scenario
from rulebook.translation import gettext, gettext_noop, ngettext

#: Boxes in a row of the turn track at the most, by layout.
IN_A_ROW = {"a5": 6}
USUAL_ROW = 8
#: Under a box of the track forces of a side are named by their titles; of more, by their number.
MOST_IN_A_BOX = 3
#: Letters of the name of a side on a drawing and in a ratio.
LONGEST_NAME = 22
#: Squares named by the first and the last; more are named by their rows and columns.
MOST_NAMED = 4
#: Bars on one drawing of the time line.
MOST_BARS = 34

_STRENGTHS = gettext_noop("%(measure)s on the table if nothing is lost")
_CHANCY_STRENGTHS = gettext_noop(
    "%(measure)s on the table if nothing is lost: the average, from the fewest to the most"
)


def compared_by(ruleset: Ruleset, found: Strengths) -> str:
    """What the sides are compared by: the title of a count, or units."""
    return count_titles(ruleset)[found.measure] if found.measure else gettext("Units")


def balance(
    found: Strengths,
    scenario: Scenario,
    sides: Sequence[SideInBattle],
    bounds: tuple[Strengths, Strengths] | None = None,
) -> tuple[views.BalanceRow, ...]:
    """A row for the start, for each turn that changes something, and none for the others.

    `bounds` are the least and the most that may be there, where some come by dice.
    """
    low, high = bounds or (found, found)
    rows: list[views.BalanceRow] = []

    def cell(measure: str, side: str, turn: int) -> str:
        few, many = (one.by(measure)[side][turn] or 0 for one in (low, high))
        number = _number(found.by(measure)[side][turn] or 0)
        return number if few == many else f"{number}\u00a0({few}{quantities.EN_DASH}{many})"

    for turn in found.turns:
        strong = tuple(
            (cell("", side.id, turn), cell(found.measure, side.id, turn)) for side in sides
        )
        there = any(found.units[side.id][turn] for side in sides)
        if there and (not rows or rows[-1].sides != strong):
            ratio = _ratio_in_words(found, sides, turn)
            rows.append(views.BalanceRow(when(scenario, turn), strong, ratio))
    return tuple(rows)


def all_even(found: Strengths) -> bool:
    """Whether all sides are equally strong in every turn."""
    return all(len({*by_side.values()}) == 1 for by_side in (found.units, found.compared))


def _number(number: Number) -> str:
    """With a decimal only where it tells something: 5.7, but 95."""
    return f"{float(number):.1f}" if number % 1 and number < 10 else str(round(number))


def _ratio_in_words(found: Strengths, sides: Sequence[SideInBattle], turn: int) -> str:
    """`Union 1.6 : 1`; of more than two sides the part that each has of all."""
    strong = [(short(side.title), found.compared[side.id][turn] or 0) for side in sides]
    there = [title for title, number in strong if number]
    if len(there) == 1:
        return gettext("%(side)s alone", side=there[0])
    if len(sides) > 2:
        whole = sum(number for _, number in strong) or 1
        return " : ".join(
            f"{quantities.per_cent(Fraction(number) / whole)} %" for _, number in strong
        )
    one, other = sides
    ratio = ratios(found, one.id, other.id)[turn]
    if ratio is None:
        return quantities.EN_DASH
    if ratio == 1:
        return gettext("even")
    ahead, times = (one, ratio) if ratio > 1 else (other, 1 / ratio)
    return f"{short(ahead.title)} {_times(times)} : 1"


def short(title: str) -> str:
    """A title cut to fit a drawing, behind a word if possible."""
    if len(title) <= LONGEST_NAME:
        return title
    kept = title[: LONGEST_NAME - 1]
    return f"{(kept.rpartition(' ')[0] or kept).rstrip(' ,;:')}…"


def _times(ratio: Fraction) -> str:
    """With a decimal, two where one would make it even."""
    rounded = f"{float(ratio):.1f}"
    return f"{float(ratio):.2f}" if rounded == "1.0" else rounded


def strength_chart(
    ruleset: Ruleset,
    found: Strengths,
    scenario: Scenario,
    sides: Sequence[SideInBattle],
    bounds: tuple[Strengths, Strengths] | None = None,
) -> ChartView | None:
    """Strength side by side, turn by turn; None where nobody comes after the start."""
    coming = [force.turn for side in sides for force in side.forces if force.turn]
    if not coming or len(found.turns) < 2:
        return None
    measure = compared_by(ruleset, found)

    def strengths_of(of: Strengths, side: SideInBattle) -> tuple[float, ...]:
        return tuple(float(number or 0) for number in of.by(found.measure)[side.id])

    series = tuple(
        SeriesView(
            short(side.title),
            strengths_of(found, side),
            tuple(_number(number or 0) for number in found.compared[side.id]),
            low=strengths_of(bounds[0], side) if bounds else (),
            high=strengths_of(bounds[1], side) if bounds else (),
            colour=side.shown_colour,
        )
        for side in sides
    )
    rows = [
        f"{row.when}: "
        + ", ".join(f"{s.title} {n}" for s, (_, n) in zip(sides, row.sides, strict=True))
        for row in balance(found, scenario, sides, bounds)
    ]
    return ChartView(
        id="strengths",
        shape="line",
        unit="number",
        title=gettext(_CHANCY_STRENGTHS if bounds else _STRENGTHS, measure=measure),
        axis=word(scenario.turn),
        measure=measure,
        inner="",
        places=(gettext(START), *map(str, found.turns[1:])),
        positions=tuple(map(float, found.turns)),
        series=series,
        mean=None,
        mean_label="",
        note="",
        alt=gettext(
            "Line chart. %(measure)s on the table. %(turns)s.",
            measure=measure,
            turns="; ".join(rows),
        ),
        steps=True,
    )


def time_lines(
    arrivals: Sequence[ForceInBattle],
    scenario: Scenario,
    sides: Sequence[SideInBattle],
    last: int,
    dice: ByDice | None = None,
) -> tuple[TimeLineView, ...]:
    """Each force as a bar, on as many drawings as it takes; none where all are there at once."""
    if not any(force.turn for force in arrivals):
        return ()

    def bar(force: ForceInBattle) -> BarView:
        side = sides[force.side]
        odds = (dice or {}).get((side.id, force.id))
        turns = range(force.turn, last + 1) if odds else ()
        chances = tuple(float(odds.by(turn)) for turn in turns) if odds else ()
        label = f"{force.title}, {force.place}"
        return BarView(label, force.turn, force.side, side.shown_colour, chances)

    keys = tuple(
        (number, side.shown_colour, short(side.title)) for number, side in enumerate(sides)
    )
    parts = [arrivals[start : start + MOST_BARS] for start in range(0, len(arrivals), MOST_BARS)]
    return tuple(
        TimeLineView(
            f"time-line-{number}",
            tuple(map(bar, part)),
            last,
            word(scenario.turn),
            keys,
            gettext(
                "Time line. %(forces)s.",
                forces="; ".join(
                    f"{force.when}: {sides[force.side].title}, {bar(force).label}" for force in part
                ),
            ),
        )
        for number, part in enumerate(parts, start=1)
    )


def track(
    ruleset: Ruleset,
    scenario: Scenario,
    sides: Sequence[SideInBattle],
    arrivals: Sequence[ForceInBattle],
    layout: str | None = None,
) -> views.TrackView:
    """Boxes to tick, in rows as long as each other; to the last arrival if no end is known.

    Of half-turns each has a box of its own, and both stand in one row.
    """

    def coming(side: int, turn: int) -> list[views.Coming]:
        """Titles of forces, or how many they are."""
        there = list(coming_in(arrivals, side, turn))
        if len(there) > MOST_IN_A_BOX:
            counted = ngettext("%(number)s force", "%(number)s forces", len(there))
            return [views.Coming(side, counted)]
        return [views.Coming(side, words) for _, words in there]

    last = max([force.turn for force in arrivals], default=0)
    known = scenario.length.turns
    count = known or max(USUAL_ROW, -(-last // USUAL_ROW) * USUAL_ROW)
    order = halves(ruleset, scenario, sides)
    most = IN_A_ROW.get(layout or "", USUAL_ROW) // len(order)
    turns = ceil(count / ceil(count / max(most, 1)))
    wide = turns * len(order)
    boxes = [
        views.TurnSpace(
            turn,
            tuple(
                force
                for number in range(len(sides))
                if half in (None, number)
                for force in coming(number, turn)
            ),
            half,
        )
        for turn in range(1, count + 1)
        for half in order
    ]
    rows = tuple(tuple(boxes[at : at + wide]) for at in range(0, len(boxes), wide))
    title = gettext("%(turn)s track", turn=word(scenario.turn))
    phases = TurnWords(Binder(ruleset, references="number")).line()
    return views.TrackView(title, rows, known is not None, phases, wide)


def place_views(
    scenario: Scenario, sides: tuple[SideInBattle, ...], notes: ScenarioNotes
) -> tuple[views.BattlePlace, ...]:
    """Where forces are set up, then where they come in; places that no force uses are the last."""
    known = [ANYWHERE, *(name for name, one in scenario.places.items() if one.zone)]
    known += [name for name, one in scenario.places.items() if one.entry]
    found, numbers, grid = [], entry_numbers(scenario), board_of(scenario)
    for name in known:
        who = tuple(_who(scenario, sides, name))
        if name == ANYWHERE and not who:
            continue
        title = place_title(scenario, name)
        if name == ANYWHERE:
            found.append(views.BattlePlace(name, title, "", None, who, 0, way_off=False))
            continue
        place = scenario.places[name]
        where, off = where_to_find(scenario.table, place, grid), bool(place.entry) and not who
        note, number = notes.of("places", name), numbers.get(name, 0)
        found.append(views.BattlePlace(name, title, where, note, who, number, way_off=off))
    return tuple(sorted(found, key=lambda place: not place.who))


def _who(
    scenario: Scenario, sides: tuple[SideInBattle, ...], name: str
) -> Iterator[tuple[int, str]]:
    for number, side in enumerate(sides):
        forces = [force for force in side.forces if force.at == name]
        listed = [f"{force.title}{_turn(force)}" for force in forces]
        if listed:
            yield number, f"{side.title}: {'; '.join(listed)}"


def _turn(force: ForceInBattle) -> str:
    """In which turn it comes in, not to be broken over lines; nothing for the start."""
    words = f"{force.when[:1].lower()}{force.when[1:]}"
    if not force.expected:
        words = words.replace(" ", "\u00a0")
    return f" ({words})" if force.turn else ""


def board_of(scenario: Scenario) -> SquareGrid | None:
    """The hexes or squares by which places are named; none where they are measured.

    Squares are a board if all zones and the outlines of all ground follow their lines.
    """
    table, grid = scenario.table, grid_of(scenario.table)
    if isinstance(grid, Hexes):
        return grid
    corners = [one for place in scenario.places.values() for one in place.zone or ()]
    for feature in scenario.map.features.values():
        corners += feature.area or ()
    on_lines = not any(side % grid.pitch for one in corners for side in one.mm)
    return grid if table.squares is not None and corners and on_lines else None


def squares_in_words(grid: SquareGrid, names: Sequence[str]) -> str:
    """`rows 9–10, columns B–K`, `squares F5–G6` of a few; one by one where they fill no box."""
    if isinstance(grid, Hexes):
        return ngettext("hex %(names)s", "hexes %(names)s", len(names), names=", ".join(names))
    rows, columns = ({name[part] for name in names} for part in (slice(1, None), slice(1)))
    if len(names) > MOST_NAMED and min(len(rows), len(columns)) > 1 and _fill_a_box(names):
        return gettext(
            "rows %(rows)s, columns %(columns)s",
            rows=_from_to(names[0][1:], names[-1][1:]),
            columns=_from_to(names[0][0], names[-1][0]),
        )
    named = squares_named(names)
    return ngettext("square %(names)s", "squares %(names)s", len(names), names=named)


def squares_named(names: Sequence[str]) -> str:
    """`F5–G6` of those that fill a box, `F5, H5` of others; they stand column by column."""
    return _from_to(names[0], names[-1]) if _fill_a_box(names) else ", ".join(names)


def _fill_a_box(names: Sequence[str]) -> bool:
    columns = range(ord(names[0][0]), ord(names[-1][0]) + 1)
    rows = range(int(names[0][1:]), int(names[-1][1:]) + 1)
    return list(names) == [f"{chr(column)}{row}" for column in columns for row in rows]


def _from_to(first: str, last: str) -> str:
    return first if first == last else f"{first}{quantities.EN_DASH}{last}"


def where_to_find(table: Table, place: Place, grid: SquareGrid | None = None) -> str:
    """An entry by its edge and the distance along it, a zone by its distances to the edges.

    On a board both are named by its squares or hexes.
    """
    grid = grid_of(table) if table.hexes else grid
    if grid is not None:
        outline = [(float(x), float(y)) for x, y in (one.mm for one in place.zone or ())]
        names = [grid.square(*place.entry.mm)] if place.entry else grid.within(outline)
        if names:
            return squares_in_words(grid, names)
    if place.entry is not None:
        return _entry(table, place.entry)
    corners = place.zone or ()
    return _box(table, corners) or gettext(
        "corners %(corners)s", corners="; ".join(map(_corner, corners))
    )


def _entry(table: Table, point: TablePoint) -> str:
    east, north = (point.x.mm == table.width.mm, point.y.mm == table.depth.mm)
    across = "west" if point.x.mm == 0 else "east" if east else ""
    up = "south" if point.y.mm == 0 else "north" if north else ""
    if across and up:
        return gettext(_CORNERS[f"{up}-{across}"])
    return gettext(_ALONG[across or up], length=point.y if across else point.x)


_CORNERS = {
    "south-west": gettext_noop("south-west corner"),
    "south-east": gettext_noop("south-east corner"),
    "north-west": gettext_noop("north-west corner"),
    "north-east": gettext_noop("north-east corner"),
}
_ALONG = {
    "west": gettext_noop("west edge, %(length)s from its south end"),
    "east": gettext_noop("east edge, %(length)s from its south end"),
    "south": gettext_noop("south edge, %(length)s from its west end"),
    "north": gettext_noop("north edge, %(length)s from its west end"),
    "": gettext_noop("no edge, %(length)s from its west end"),
}
_WITHIN = {
    "west": gettext_noop("within %(length)s of the west edge"),
    "east": gettext_noop("within %(length)s of the east edge"),
    "south": gettext_noop("within %(length)s of the south edge"),
    "north": gettext_noop("within %(length)s of the north edge"),
}
_FROM = {
    "west": gettext_noop("%(low)s to %(high)s from the west edge"),
    "south": gettext_noop("%(low)s to %(high)s from the south edge"),
}


def _corner(point: TablePoint) -> str:
    return gettext("%(x)s from the west and %(y)s from the south", x=point.x, y=point.y)


def _box(table: Table, corners: tuple[TablePoint, ...]) -> str:
    """A rectangle along the edges of the table, in words; empty for any other shape."""
    xs = sorted({one.x.mm: one.x for one in corners}.items())
    ys = sorted({one.y.mm: one.y for one in corners}.items())
    if len(corners) != 4 or len(xs) != 2 or len(ys) != 2 or len({c.mm for c in corners}) != 4:
        return ""
    across = _span((xs[0][1], xs[1][1]), table.width, ("west", "east"))
    up = _span((ys[0][1], ys[1][1]), table.depth, ("south", "north"))
    return ", ".join(filter(None, (up, across))) or gettext("the whole table")


def _span(
    ends: tuple[quantities.Length, quantities.Length],
    whole: quantities.Length,
    edges: tuple[str, str],
) -> str:
    """How far a zone reaches between two edges of the table, in words; empty if all the way."""
    low, high = ends
    if low.mm == 0 and high.mm == whole.mm:
        return ""
    if low.mm == 0:
        return gettext(_WITHIN[edges[0]], length=high)
    if high.mm == whole.mm:
        return gettext(_WITHIN[edges[1]], length=_less(whole, low))
    return gettext(_FROM[edges[0]], low=low, high=high)


def _less(whole: quantities.Length, part: quantities.Length) -> quantities.Length:
    """The difference of two lengths, in the unit of the second."""
    one = part.mm / part.number if part.number else Fraction(1)
    return quantities.Length((whole.mm - part.mm) / one, part.unit)


TITLE = gettext_noop("Booklet")


def booklet_documents(scenario: PlayedScenario, others: Sequence[Document]) -> Iterator[Planned]:
    """The booklet on each paper, and the page that is read on a screen.

    `others` is what else is printed of the scenario, which the booklet lists.
    """
    spec = scenario.spec
    for layout, files in booklet_files(scenario.stem, spec.papers, spec.imposed or ()):
        view = partial(scenario_view, scenario, layout, others)
        yield scenario.planned("scenario", f"-{layout}", gettext(TITLE), view, *files)
    page = File(f"{scenario.stem}.html", "html")
    view = partial(scenario_view, scenario, None, others)
    yield scenario.planned("scenario-screen", "", gettext(TITLE), view, page)


def scenario_view(
    played: PlayedScenario, layout: str | None, others: Sequence[Document] = ()
) -> views.ScenarioView:
    """The view of the booklet of a scenario."""
    return _ScenarioComposer(played).view(layout, others)


class _ScenarioComposer:
    """Makes the parts of one booklet."""

    def __init__(self, played: PlayedScenario) -> None:
        self._played = played
        self._ruleset: Ruleset = played.ruleset
        self._scenario: Scenario = played.scenario
        self._notes = ScenarioNotes(played.ruleset, played.id)
        self._passages = PassageComposer(played.ruleset)
        self._sides: tuple[SideInBattle, ...] = order_of_battle(played.ruleset, played.id)

    def view(self, layout: str | None, others: Sequence[Document]) -> views.ScenarioView:
        scenario, sides, notes = self._scenario, self._sides, self._notes
        coming = arrivals(sides)
        used = notes.statuses
        dice = by_dice(self._ruleset, self._played.id)
        strong = strengths(scenario, sides, dice)
        few, many = (strengths(scenario, sides, dice, weight) for weight in (surely, perhaps))
        bounds = (few, many) if dice else None
        lines = time_lines(coming, scenario, sides, strong.turns[-1], dice)
        compared = bool(lines) and (bool(dice) or not all_even(strong))
        return views.ScenarioView(
            identity=self._played.identity,
            layout=layout,
            id=self._played.id,
            title=scenario.title,
            subtitle=scenario.subtitle or "",
            date=scenario.date or "",
            turn=scenario.turn,
            note=notes.of(),
            cover=battle_cover(
                scenario.title,
                scenario.subtitle or "",
                gettext("The ground of %(battle)s", battle=scenario.title),
            ),
            strip=tuple(self._strip()),
            back=self._back(),
            facts=tuple(self._facts()),
            background=self._telling(scenario.background, "background"),
            situation=self._telling(scenario.situation, "situation"),
            map=self._map(),
            places=place_views(scenario, sides, notes),
            columns=tuple(count_titles(self._ruleset).values()),
            sides=sides,
            schedule=tuple(force for force in coming if force.turn),
            measure=compared_by(self._ruleset, strong),
            balance=balance(strong, scenario, sides, bounds) if compared else (),
            chart=strength_chart(self._ruleset, strong, scenario, sides, bounds)
            if compared
            else None,
            time_lines=lines,
            marches=marches_view(self._ruleset, self._played.id),
            objectives=tuple(self._objectives()),
            rules=tuple(self._rules()),
            victory=self._telling(scenario.victory, "victory")
            or views.TellingView((), notes.of("victory")),
            track=track(self._ruleset, scenario, sides, coming, layout),
            notes=notes.views(self._passages),
            statuses=tuple(
                (status.value, gettext(meaning))
                for status, meaning in STATUSES.items()
                if status in used
            ),
            documents=tuple(_documents(self._played, others)),
        )

    def _facts(self) -> Iterator[views.FactView]:
        scenario = self._scenario
        if scenario.date:
            yield views.FactView(gettext("Date"), scenario.date)
        for side in self._sides:
            units = ", ".join(f"{unit.number} × {unit.title}" for unit in side.units)
            yield views.FactView(side.title, units)
        yield views.FactView(gettext("Length"), self._length(), self._notes.of("length"))
        if scenario.first:
            yield views.FactView(gettext("Moves first"), scenario.sides[scenario.first].title)
        yield views.FactView(gettext("Table"), table_size(self._scenario), self._notes.of("table"))
        if scenario.scale is not None:
            yield views.FactView(gettext("Scale"), self._passages.prose(scenario.scale))
        for name in scenario.options:
            yield views.FactView(gettext("Optional rule"), self._ruleset.options[name].title)

    def _length(self) -> str:
        turns, turn = self._scenario.length.turns, self._scenario.turn
        if not turns:
            return gettext("as the players agree")
        return ngettext("%(number)s %(turn)s", "%(number)s %(turn)ss", turns, turn=turn)

    def _strip(self) -> Iterator[views.FactView]:
        """What the cover says at its foot."""
        if self._scenario.date:
            yield views.FactView(gettext("Date"), self._scenario.date)
        yield views.FactView(gettext("Sides"), ", ".join(side.title for side in self._sides))
        yield views.FactView(gettext("Table"), table_size(self._scenario))
        yield views.FactView(gettext("Length"), self._length())

    def _back(self) -> BackCoverView:
        """What is known before the battle, and what it takes to play it."""
        passage = self._scenario.situation or self._scenario.background
        parts = self._passages.passage(passage.text) if passage else ()
        words = next((part.markdown for part in parts if isinstance(part, TextPart)), "")
        facts = {fact.label: escape_markdown(fact.text) for fact in self._strip()}
        scenario = self._scenario
        return back_of(self._played.ruleset, scenario.title, words, facts, [scenario])

    def _telling(self, passage: Any, key: str) -> views.TellingView | None:
        """A passage with its note; None where the scenario has none."""
        text: Passage | None = passage.text if passage is not None else None
        if text is None:
            return None
        return views.TellingView(self._passages.passage(text), self._notes.of(key))

    def _map(self) -> views.MapView:
        grounds = grounds_of(self._ruleset, self._scenario)
        stands = {force.at for side in self._sides for force in side.forces}
        zones = any(one.zone and key in stands for key, one in self._scenario.places.items())
        return views.MapView(plain(self._scenario), grounds, zones, self._notes.of("map"))

    def _objectives(self) -> Iterator[views.ObjectiveView]:
        grid = board_of(self._scenario)
        for number, (name, one) in enumerate(self._scenario.objectives.items(), start=1):
            at = self._title_of(one.at)
            yield views.ObjectiveView(
                number,
                one.title,
                "" if at.casefold() == one.title.casefold() else at,
                self._passages.prose(one.text),
                self._notes.of("objectives", name),
                self._squares(grid, one.at),
            )

    def _squares(self, grid: SquareGrid | None, at: str) -> str:
        """The squares of a board that an objective fills; nothing of one that has no area."""
        if grid is None or isinstance(grid, Hexes):
            return ""
        zone = self._scenario.places[at].zone if at in self._scenario.places else None
        feature = self._scenario.map.features.get(at)
        corners = [(float(x), float(y)) for x, y in (one.mm for one in zone or ())]
        if feature is not None:
            corners = ground_on(self._scenario, feature)
        names = grid.within(corners) if len(corners) > 2 else []
        return squares_named(names) if names else ""

    def _title_of(self, at: str) -> str:
        if at in self._scenario.places:
            return place_title(self._scenario, at)
        return self._scenario.map.features[at].title or ""

    def _rules(self) -> Iterator[views.RuleView]:
        for name, rule in self._scenario.rules.items():
            option = self._ruleset.options[rule.option].title if rule.option else ""
            yield views.RuleView(
                name,
                rule.title,
                option,
                self._passages.passage(rule.text),
                self._notes.of("rules", name),
            )


def _documents(played: PlayedScenario, others: Sequence[Document]) -> Iterator[views.DocumentView]:
    """What else is printed, by its title, in the order in which it was made."""
    listed: dict[str, list[File]] = {}
    for document in others:
        title = document.title.removeprefix(f"{played.scenario.title}: ")
        listed.setdefault(title, []).extend(document.files)
    for title, files in listed.items():
        yield views.DocumentView(title, tuple(files))


def scenario_documents(computed: Computed, identity: Identity) -> Iterator[Planned]:
    """The documents of all scenarios, scenario by scenario; the booklet lists the others.

    A released edition has none: scenarios come out beside it.
    """
    for scenario in played_scenarios(computed, identity):
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
