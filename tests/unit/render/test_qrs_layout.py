"""Panels on the sheet: in order, unbroken, inside their columns, as even as can be."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.render.qrs_layout import (
    TURNED_PHASE,
    Area,
    Panel,
    evenest,
    fits,
    least_height,
    pack,
)

AREA = Area(sides=2, columns=4, height=180.0, gap=3.0)


def panels_of(*heights: float, wide: frozenset[int] = frozenset()) -> list[Panel]:
    return [Panel(f"p{i}", "1", height, i in wide) for i, height in enumerate(heights)]


some_panels = st.lists(
    st.builds(lambda height, wide: (height, wide), st.floats(5, 80), st.booleans()),
    min_size=1,
    max_size=14,
).map(lambda rows: [Panel(f"p{i}", str(i // 4), h, w) for i, (h, w) in enumerate(rows)])


@given(some_panels)
@settings(max_examples=60, deadline=None)
def test_every_panel_stands_once_inside_its_side(panels: list[Panel]) -> None:
    placed = pack(panels, AREA)
    if placed is None:
        return
    height = {panel.id: panel.height for panel in panels}
    assert [p.id for p in sorted(placed, key=lambda p: int(p.id[1:]))] == [p.id for p in panels]
    for place in placed:
        assert 0 <= place.side < AREA.sides
        assert place.column + place.span <= AREA.columns
        assert place.top >= -1e-9
        assert place.top + height[place.id] <= AREA.height + 1e-6


@given(some_panels)
@settings(max_examples=60, deadline=None)
def test_no_two_panels_overlap(panels: list[Panel]) -> None:
    placed = pack(panels, AREA) or []
    height = {panel.id: panel.height for panel in panels}
    for one, other in product(placed, placed):
        if one.id >= other.id or one.side != other.side:
            continue
        beside = one.column + one.span <= other.column or other.column + other.span <= one.column
        above = one.top + height[one.id] + AREA.gap <= other.top + 1e-6
        below = other.top + height[other.id] + AREA.gap <= one.top + 1e-6
        assert beside or above or below


def test_columns_are_filled_evenly_and_in_order() -> None:
    placed = pack(panels_of(*[42.0] * 32), AREA)  # four panels of 42 and three gaps of 3 fill 177
    assert placed is not None
    assert [(p.side, p.column) for p in placed[::4]] == list(product(range(2), range(4)))


def test_what_is_left_over_goes_between_the_panels() -> None:
    placed = pack(panels_of(*[42.0] * 32), AREA)
    assert placed is not None
    assert [round(p.top, 6) for p in placed[:4]] == [0, 46, 92, 138]  # the last ends at 180


def test_a_wide_panel_takes_two_columns() -> None:
    placed = pack(panels_of(50, 60, 60, wide=frozenset({0})), Area(1, 2, 120, 3))
    assert placed is not None
    assert [(p.column, p.span) for p in placed] == [(0, 2), (0, 1), (1, 1)]


def test_what_does_not_fit_is_refused_with_the_height_that_would_do() -> None:
    panels = panels_of(100, 100, 100)
    area = Area(1, 2, 180, 3)
    assert pack(panels, area) is None
    assert abs(least_height(panels, area) - 203) < 0.2
    assert pack(panels, Area(1, 2, 203.2, 3)) is not None


def test_a_panel_higher_than_a_column_never_fits() -> None:
    assert pack(panels_of(181), AREA) is None


def stacked(panels: Sequence[Panel], gap: float) -> float:
    return sum(panel.height for panel in panels) + gap * max(0, len(panels) - 1)


def bands_of(panels: Sequence[Panel], gap: float) -> list[tuple[float, float]]:
    """Heights left and right of each run of wide or narrow panels in a pair of columns."""
    bands = []
    for wide, run in groupby(panels, key=lambda panel: panel.wide):
        here = list(run)
        if wide:
            bands.append((stacked(here, gap), stacked(here, gap)))
        else:
            splits = [
                (stacked(here[:middle], gap), stacked(here[middle:], gap))
                for middle in range(1, len(here) + 1)
            ]
            bands.append(min(splits, key=max))
    return bands


def emptiness(panels: Sequence[Panel], columns: int, area: Area) -> float | None:
    """What the filling of one column or two costs, None where the panels do not fit there."""
    bands = [(stacked(panels, area.gap),)] if columns == 1 else bands_of(panels, area.gap)
    gaps = area.gap * (len(bands) - 1)
    if sum(max(band) for band in bands) + gaps > area.height + 1e-6:
        return None
    filled = [gaps + sum(column) for column in zip(*bands, strict=True)]
    return sum(float(max(0.0, 1 - height / area.height) ** 2) for height in filled)


def costs_of_all_ways(
    panels: Sequence[Panel], area: Area, first: int = 0, column: int = 0
) -> Iterator[float]:
    """The cost of every way to cut the panels into columns and pairs: plain enumeration."""
    left = area.sides * area.columns - column
    if first == len(panels):
        yield left
        return
    turned = (
        column > 0 and column % area.columns == 0 and panels[first].phase == panels[first - 1].phase
    )
    for columns, last in product((1, 2), range(first + 1, len(panels) + 1)):
        here = panels[first:last]
        if columns > min(left, area.columns - column % area.columns):
            continue
        if columns == 1 and any(panel.wide for panel in here):
            continue
        cost = emptiness(here, columns, area)
        if cost is not None:
            for rest in costs_of_all_ways(panels, area, last, column + columns):
                yield cost + rest + (TURNED_PHASE if turned else 0)


few_panels = st.lists(
    st.tuples(st.integers(5, 80), st.booleans()),
    min_size=1,
    max_size=7,
).map(lambda rows: [Panel(f"p{i}", str(i // 3), h, w) for i, (h, w) in enumerate(rows)])


@given(few_panels, st.sampled_from([(1, 1), (1, 2), (1, 3), (2, 2), (2, 3)]))
@settings(max_examples=150, deadline=None)
def test_no_way_costs_less_than_the_one_that_is_chosen(
    panels: list[Panel], sheet: tuple[int, int]
) -> None:
    area = Area(*sheet, height=120.0, gap=3.0)
    costs = list(costs_of_all_ways(panels, area))
    assert fits(panels, area) is bool(costs)
    fillings = evenest(panels, area)
    assert (fillings is None) is (not costs)
    if fillings is None:
        return
    cost, column = 0.0, 0
    for filling in fillings:
        here = emptiness(panels[filling.first : filling.last], filling.columns, area)
        assert here == pytest.approx(filling.emptiness)
        before, after = panels[max(0, filling.first - 1)].phase, panels[filling.first].phase
        cost += filling.emptiness
        if column and column % area.columns == 0 and before == after:
            cost += TURNED_PHASE
        column += filling.columns
    assert [filling.first for filling in fillings[1:]] == [f.last for f in fillings[:-1]]
    assert cost + area.sides * area.columns - column == pytest.approx(min(costs))


@given(few_panels)
@settings(max_examples=60, deadline=None)
def test_the_least_height_is_the_border_between_what_fits_and_what_does_not(
    panels: list[Panel],
) -> None:
    low = Area(1, 3, 20.0, 3.0)
    least = least_height(panels, low)
    assert any(True for _ in costs_of_all_ways(panels, Area(1, 3, least, 3.0)))
    if least > low.height:
        assert not any(True for _ in costs_of_all_ways(panels, Area(1, 3, least - 0.11, 3.0)))


def many_panels(count: int, height: float) -> list[Panel]:
    """Of about this height, two thirds wide, in phases of six."""
    of = random.Random(7)
    return [
        Panel(f"p{i}", str(i // 6), height * of.uniform(0.5, 1.5), of.random() < 2 / 3)
        for i in range(count)
    ]


@pytest.mark.parametrize("height", [3, 6, 10, 20, 90])
def test_hundreds_of_panels_are_placed_at_once(height: float) -> None:
    """With all ways tried one by one this would not end."""
    area = Area(sides=8, columns=6, height=184.0, gap=2.6)
    panels = many_panels(300, height)
    placed = pack(panels, area)
    assert fits(panels, area) is (placed is not None)
    assert (placed is not None) == (height < 15)
    least = least_height(panels, area)
    assert (least == area.height) is (placed is not None)
    assert pack(panels, Area(8, 6, least, 2.6)) is not None
    for one, other in pairwise(placed or ()):
        assert (one.side, one.column // 6) <= (other.side, other.column // 6)
