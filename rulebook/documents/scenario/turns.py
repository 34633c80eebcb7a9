"""The forces of a scenario -> who comes when: schedule, strengths, time line, turn track."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rulebook import quantities
from rulebook.documents.scenario.forces import (
    Arrival,
    SideInBattle,
    Strengths,
    count_titles,
    ratios,
    when,
    word,
)
from rulebook.documents.scenario.views import BalanceRow, BoxView, TrackView
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import Scenario
from rulebook.translation import gettext, ngettext
from rulebook.typeset.chart_views import BarView, ChartView, SeriesView, TimeLineView

#: Boxes in a row of the turn track.
IN_A_ROW = 10
#: Under a box of the track forces of a side are told by their titles; of more, by their number.
MOST_IN_A_BOX = 3
#: Letters of the name of a side on a drawing and in a ratio.
LONGEST_NAME = 22
#: Bars on one drawing of the time line.
MOST_BARS = 34


def compared_by(ruleset: Ruleset, found: Strengths) -> str:
    """What the sides are compared by: the title of a count, or units."""
    for key, by_side in found.counts.items():
        if by_side is found.compared:
            return count_titles(ruleset)[key]
    return gettext("Units")


def balance(
    found: Strengths, scenario: Scenario, sides: Sequence[SideInBattle]
) -> tuple[BalanceRow, ...]:
    """A row for the start, for each turn in which a force comes, and none for the others."""
    turns = sorted({0, *(force.turn for side in sides for force in side.forces)})
    return tuple(
        BalanceRow(
            when(scenario, turn),
            tuple((str(found.units[s.id][turn]), str(found.compared[s.id][turn])) for s in sides),
            _ratio_told(found, sides, turn),
        )
        for turn in turns
        if turn < len(found.turns) and any(found.units[side.id][turn] for side in sides)
    )


def _ratio_told(found: Strengths, sides: Sequence[SideInBattle], turn: int) -> str:
    """`Union 1.6 : 1`; of more than two sides the part that each has of all."""
    strong = [(short(side.title), found.compared[side.id][turn] or 0) for side in sides]
    there = [title for title, number in strong if number]
    if len(there) == 1:
        return gettext("%(side)s alone", side=there[0])
    if len(sides) > 2:
        whole = sum(number for _, number in strong) or 1
        return " : ".join(f"{round(100 * number / whole)} %" for _, number in strong)
    one, other = sides
    ratio = ratios(found, one.id, other.id)[turn]
    if ratio is None:
        return quantities.EN_DASH
    if ratio == 1:
        return gettext("even")
    ahead, times = (one, ratio) if ratio > 1 else (other, 1 / ratio)
    return f"{short(ahead.title)} {_times(times)} : 1"


def short(title: str) -> str:
    """A title that a drawing has room for: at most so many letters, cut behind a word if it can."""
    if len(title) <= LONGEST_NAME:
        return title
    kept = title[: LONGEST_NAME - 1]
    return f"{(kept.rpartition(' ')[0] or kept).rstrip(' ,;:')}…"


def _times(ratio: Fraction) -> str:
    """With a decimal, two where one would make it even."""
    rounded = f"{float(ratio):.1f}"
    return f"{float(ratio):.2f}" if rounded == "1.0" else rounded


def strength_chart(
    ruleset: Ruleset, found: Strengths, scenario: Scenario, sides: Sequence[SideInBattle]
) -> ChartView | None:
    """Strength side by side, turn by turn; None where nobody comes after the start."""
    coming = [force.turn for side in sides for force in side.forces if force.turn]
    if not coming or len(found.turns) < 2:
        return None
    measure = compared_by(ruleset, found)
    series = tuple(
        SeriesView(
            short(side.title),
            tuple(float(number or 0) for number in found.compared[side.id]),
            tuple(str(number) for number in found.compared[side.id]),
        )
        for side in sides
    )
    rows = [
        f"{row.when}: "
        + ", ".join(f"{s.title} {n}" for s, (_, n) in zip(sides, row.sides, strict=True))
        for row in balance(found, scenario, sides)
    ]
    return ChartView(
        id="strengths",
        shape="line",
        unit="number",
        title=gettext("%(measure)s on the table if nothing is lost", measure=measure),
        axis=word(scenario.turn),
        measure=measure,
        inner="",
        places=tuple(map(str, found.turns)),
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
    )


def time_lines(
    arrivals: Sequence[Arrival], scenario: Scenario, sides: Sequence[SideInBattle], last: int
) -> tuple[TimeLineView, ...]:
    """Each force as a bar, on as many drawings as it takes; none where all are there at once."""
    if not any(one.force.turn for one in arrivals):
        return ()
    bars = [
        BarView(
            f"{one.force.title}, {one.force.place}",
            one.force.turn,
            one.side,
            sides[one.side].colour,
        )
        for one in arrivals
    ]
    keys = tuple((number, side.colour, short(side.title)) for number, side in enumerate(sides))
    parts = [bars[start : start + MOST_BARS] for start in range(0, len(bars), MOST_BARS)]
    return tuple(
        TimeLineView(
            f"time-line-{number}",
            tuple(part),
            last,
            word(scenario.turn),
            keys,
            gettext(
                "Time line. %(forces)s.",
                forces="; ".join(
                    f"{when(scenario, one.turn)}: {sides[one.side].title}, {one.label}"
                    for one in part
                ),
            ),
        )
        for number, part in enumerate(parts, start=1)
    )


def track(
    scenario: Scenario, sides: Sequence[SideInBattle], arrivals: Sequence[Arrival]
) -> TrackView:
    """Boxes to tick, in rows of ten; to the last arrival, in whole rows, if no end is known."""

    def coming(side: int, turn: int) -> list[tuple[int, str]]:
        """Titles of forces, or how many they are."""
        there = [one.force for one in arrivals if (one.side, one.force.turn) == (side, turn)]
        if len(there) > MOST_IN_A_BOX:
            return [(side, ngettext("%(number)s force", "%(number)s forces", len(there)))]
        return [(side, force.title) for force in there]

    last = max([one.force.turn for one in arrivals], default=0)
    known = scenario.length.turns
    count = known or max(IN_A_ROW, -(-last // IN_A_ROW) * IN_A_ROW)
    boxes = [
        BoxView(turn, tuple(told for number in range(len(sides)) for told in coming(number, turn)))
        for turn in range(1, count + 1)
    ]
    rows = tuple(tuple(boxes[at : at + IN_A_ROW]) for at in range(0, count, IN_A_ROW))
    return TrackView(gettext("%(turn)s track", turn=word(scenario.turn)), rows, known is not None)
