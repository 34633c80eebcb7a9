"""Panels on the sheet: in order, unbroken, inside their columns, as even as can be."""

import random
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.documents.qrs.arrangement import (
    CARRIED_PANEL,
    FEET,
    LEAST_LINES,
    LOW_FOOT,
    TURNED_PANEL,
    TURNED_PHASE,
    WIDEST_GAP,
    ColumnArea,
    MeasuredPanel,
    evenest,
    feet,
    fits,
    pack,
)

AREA = ColumnArea(sides=2, columns=4, height=180.0, gap=3.0)


def panels_of(*heights: float, wide: frozenset[int] = frozenset()) -> list[MeasuredPanel]:
    return [MeasuredPanel(f"p{i}", "1", height, i in wide) for i, height in enumerate(heights)]


def in_phases(rows: Sequence[tuple[float, bool, bool]], of_each: int) -> list[MeasuredPanel]:
    """Panels of these heights, wide or not, that continue the one before where they can."""
    panels: list[MeasuredPanel] = []
    for number, (height, wide, continues) in enumerate(rows):
        phase = str(number // of_each)
        like = bool(panels) and (panels[-1].phase, panels[-1].wide) == (phase, wide)
        goes_on = continues and like
        heading = 4.0 if goes_on else 0.0
        # Low pieces are a line from the middle of a list.
        lines = 1 if goes_on and height < 20 else LEAST_LINES
        panels.append(MeasuredPanel(f"p{number}", phase, height, wide, goes_on, heading, lines))
    return panels


some_panels = st.lists(
    st.tuples(st.floats(5, 80), st.booleans(), st.booleans()), min_size=1, max_size=14
).map(lambda rows: in_phases(rows, 4))


@given(some_panels)
def test_every_panel_stands_once_inside_its_side(panels: list[MeasuredPanel]) -> None:
    placed = pack(panels, AREA)
    if placed is None:
        return
    height = {panel.id: panel.height for panel in panels}
    assert [p.id for p in sorted(placed, key=lambda p: int(p.id[1:]))] == [p.id for p in panels]
    for place in placed:
        assert 0 <= place.side < AREA.sides
        assert place.column + place.span <= AREA.columns
        assert place.top >= -1e-9
        foot = place.top + height[place.id] + (4 if place.carried else 0)
        assert foot <= AREA.height + 1e-6


@given(some_panels)
def test_a_piece_is_carried_where_it_does_not_stand_below_its_panel(
    panels: list[MeasuredPanel],
) -> None:
    placed = {place.id: place for place in pack(panels, AREA) or []}
    if not placed:
        return
    for before, panel in pairwise(panels):
        above, place = placed[before.id], placed[panel.id]
        together = (above.side, above.column) == (place.side, place.column)
        assert place.carried is (panel.continues and not together)
        if panel.continues and together:
            foot = above.top + before.height + (before.heading if above.carried else 0)
            assert place.top == pytest.approx(foot)


def test_what_is_left_over_goes_between_the_panels() -> None:
    placed = pack(panels_of(*[42.0] * 32), AREA)
    assert [round(p.top, 6) for p in placed[:4]] == [0, 46, 92, 138]  # the last ends at 180


def test_gaps_grow_until_the_columns_of_a_side_end_together() -> None:
    panels = panels_of(40, 40, 90, 30, 30, 30)
    area = ColumnArea(1, 3, 150, 3)
    placed = pack(panels, area)
    assert [(p.column, p.top) for p in placed] == [
        (0, 0),
        (0, 45.2),
        (1, 0),
        (2, 0),
        (2, 33),
        (2, 66),
    ]
    assert feet(panels, placed, area) == {(0, 0): 85.2, (0, 1): 90, (0, 2): 96}


def stacked(panels: Sequence[MeasuredPanel], gap: float) -> float:
    gaps = gap * sum(not panel.continues for panel in panels[1:])
    return sum(panel.height for panel in panels) + gaps + (panels[0].heading if panels else 0)


def bands_of(
    panels: Sequence[MeasuredPanel], gap: float
) -> list[tuple[Sequence[MeasuredPanel], Sequence[MeasuredPanel]]]:
    """What stands left and right in each run of wide or narrow panels in a pair."""

    def height(split: tuple[Sequence[MeasuredPanel], Sequence[MeasuredPanel]]) -> float:
        return max(stacked(part, gap) for part in split)

    bands = []
    for wide, run in groupby(panels, key=lambda panel: panel.wide):
        here = list(run)
        splits = [(here[:middle], here[middle:]) for middle in range(1, len(here) + 1)]
        bands.append((here, here) if wide else min(splits, key=height))
    return bands


def ends_of(
    panels: Sequence[MeasuredPanel], columns: int, area: ColumnArea
) -> tuple[list[tuple[float, float]], float] | None:
    """Where one column or two end, and with the widest gaps, and what holes and tears cost.

    None where the panels do not fit there.
    """
    bands = [(panels,)] if columns == 1 else bands_of(panels, area.gap)
    above = cost = 0.0
    for number, band in enumerate(bands):
        if any(part and sum(one.lines for one in part) < LEAST_LINES for part in band):
            return None
        heights = [stacked(part, area.gap) for part in band]
        if above + max(heights) > area.height + 1e-6:
            return None
        if columns == 2 and band[0] is not band[1]:
            cost += CARRIED_PANEL if any(one.continues for one in band[1][:1]) else 0.0
        if number < len(bands) - 1:
            cost += ((heights[0] - heights[1]) / area.height) ** 2
            above += max(heights) + area.gap
    ends = []
    for part, height in zip(bands[-1], heights, strict=True):
        low = above + height if part else max(0.0, above - area.gap)
        wider = sum(not one.continues for one in part[1:]) * (WIDEST_GAP - area.gap)
        ends.append((low / area.height, min(1.0, (low + wider) / area.height)))
    return ends, cost


def cost_of_beginning(panels: Sequence[MeasuredPanel], first: int, *, new_side: bool) -> float:
    """What it costs to begin a column with this panel."""
    if panels[first].continues:
        return CARRIED_PANEL + (TURNED_PANEL if new_side else 0)
    same = first > 0 and panels[first].phase == panels[first - 1].phase
    return TURNED_PHASE if same and new_side else 0


def needless(panels: Sequence[MeasuredPanel], first: int, last: int, area: ColumnArea) -> bool:
    """Whether a column breaks off a panel of which it has room for all."""
    whole = last
    while whole < len(panels) and panels[whole].continues:
        whole += 1
    return whole > last and stacked(panels[first:whole], area.gap) <= area.height + 1e-6


#: A way to fill a sheet: where each column or pair begins, its first panel and that after its last.
Way = list[tuple[int, int, int, int]]


def all_ways(
    panels: Sequence[MeasuredPanel], area: ColumnArea, first: int = 0, column: int = 0
) -> Iterator[Way]:
    """Every way to cut the panels into columns and pairs: plain enumeration."""
    if first == len(panels):
        yield []
        return
    left = area.sides * area.columns - column
    for columns, last in product((1, 2), range(first + 1, len(panels) + 1)):
        here = panels[first:last]
        if columns > min(left, area.columns - column % area.columns):
            continue
        if columns == 1 and (
            any(panel.wide for panel in here) or needless(panels, first, last, area)
        ):
            continue
        if ends_of(here, columns, area) is not None:
            for rest in all_ways(panels, area, last, column + columns):
                yield [(column, columns, first, last), *rest]


def cost_of(way: Way, panels: Sequence[MeasuredPanel], area: ColumnArea) -> float:
    """What a way to fill the sheet costs, with the best foot for each of its sides."""
    total = 0.0
    for side in range(area.sides):
        here = [one for one in way if one[0] // area.columns == side]
        if not here:
            total += area.columns
            continue
        ends: list[tuple[float, float]] = []
        for column, columns, first, last in here:
            new_side = column > 0 and column % area.columns == 0
            found = ends_of(panels[first:last], columns, area)
            assert found is not None
            ends += found[0]
            total += found[1] + cost_of_beginning(panels, first, new_side=new_side)
        ends += [(0.0, 0.0)] * (area.columns - len(ends))
        total += min(
            sum(max(0.0, foot - most) ** 2 for _, most in ends)
            + LOW_FOOT * area.columns * (1 - foot) ** 2
            for foot in FEET
            if all(low <= foot + 1e-6 for low, _ in ends)
        )
    return total


few_panels = st.lists(
    st.tuples(st.integers(5, 80), st.booleans(), st.booleans()), min_size=1, max_size=7
).map(lambda rows: in_phases(rows, 3))


@given(few_panels, st.sampled_from([(1, 1), (1, 2), (1, 3), (2, 2), (2, 3)]))
def test_no_way_costs_less_than_the_one_that_is_chosen(
    panels: list[MeasuredPanel], sheet: tuple[int, int]
) -> None:
    area = ColumnArea(*sheet, height=120.0, gap=3.0)
    costs = [cost_of(way, panels, area) for way in all_ways(panels, area)]
    assert fits(panels, area) is bool(costs)
    fillings = evenest(panels, area)
    assert (fillings is None) is (not costs)
    if fillings is None:
        return
    way = [(at, filling.columns, filling.first, filling.last) for at, filling in fillings]
    assert way in all_ways(panels, area)
    assert cost_of(way, panels, area) == pytest.approx(min(costs))


def many_panels(count: int, height: float) -> list[MeasuredPanel]:
    """Of about this height, two thirds wide, in phases of six."""
    of = random.Random(7)
    return [
        MeasuredPanel(f"p{i}", str(i // 6), height * of.uniform(0.5, 1.5), of.random() < 2 / 3)
        for i in range(count)
    ]


@pytest.mark.parametrize("height", [6, 20])
def test_hundreds_of_panels_are_placed_at_once(height: float) -> None:
    """With all ways tried one by one this would not end."""
    area = ColumnArea(sides=8, columns=6, height=184.0, gap=2.6)
    panels = many_panels(300, height)
    placed = pack(panels, area)
    assert fits(panels, area) is (placed is not None)
    assert (placed is not None) == (height < 15)
    for one, other in pairwise(placed or ()):
        assert (one.side, one.column // 6) <= (other.side, other.column // 6)
