"""Panels on the sheet: in order, unbroken, inside their columns, as even as can be."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.render.qrs_layout import Area, Panel, least_height, pack

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
