"""Heights of panels -> where each stands on the sheet: in order, in columns that end together.

Pure arithmetic in millimetres. Panels keep the order of the turn: down a column, then the next
column. A wide panel stands across two columns, above or below the narrow ones of the pair. A long
panel comes in pieces, which are never broken; a piece that begins a column repeats the heading.
The columns of a side end at the same height as nearly as possible: gaps between panels are widened
for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, groupby
from math import inf

#: Fewer lines of a list or rows of a table do not stand in a column by themselves.
LEAST_LINES = 3
#: More panels than this are not placed: no sheet that can be read has so many.
MOST_PANELS = 400
#: The widest gap between panels of a column that would end higher than the others: two steps.
WIDEST_GAP = 5.2
#: Where the columns of a side may end together, in parts of their height.
FEET = tuple(part / 20 for part in range(8, 21))
#: What it costs to leave a side empty below its foot, besides what is uneven: a part of its square.
LOW_FOOT = 0.1
#: What it costs to carry a phase from one side over to the next, in full columns squared.
TURNED_PHASE = 0.002
#: What it costs to carry a panel over to the next column, and to the next side besides.
CARRIED_PANEL, TURNED_PANEL = 0.01, 0.01
#: Heights that differ by no more are the same: sums of floats do.
_SAME = 1e-6


@dataclass(frozen=True, slots=True)
class MeasuredPanel:
    """A measured panel, or a piece of one; the height includes the bar of a phase that it opens.

    A piece that `continues` the panel before it follows without a gap; if it begins a column
    instead, `heading` is the height of what is printed above it. A piece from the middle of a list
    has `lines` of them: with fewer than LEAST_LINES it cannot be alone in a column.
    """

    id: str
    phase: str
    height: float
    wide: bool = False
    continues: bool = False
    heading: float = 0.0
    lines: int = LEAST_LINES


@dataclass(frozen=True, slots=True)
class ColumnArea:
    """The columns that panels may fill: their number, height in mm, and the gap between panels."""

    sides: int
    columns: int
    height: float
    gap: float

    @property
    def all_columns(self) -> int:
        return self.sides * self.columns


@dataclass(frozen=True, slots=True)
class PlacedPanel:
    """A panel in its place; `top` is in millimetres below the top of the column.

    A `carried` one is a piece of a panel that began in a column before this one.
    """

    id: str
    side: int
    column: int
    span: int
    top: float
    carried: bool = False


@dataclass(frozen=True, slots=True)
class Filling:
    """Panels `first` to `last` (exclusive) in one column, or in a pair of columns.

    `ends` has for each column where it ends, and where it ends with the widest gaps, as fractions
    of the height of a column. `cost` counts empty space above a wide panel, and columns that begin
    with a piece of a panel.
    """

    first: int
    last: int
    ends: tuple[tuple[float, float], ...]
    cost: float = 0.0

    @property
    def columns(self) -> int:
        return len(self.ends)

    def uneven(self, foot: float) -> float:
        """Returns the cost of columns that end above a foot even with the widest gaps.

        `foot` is a fraction of the height of a column. The cost is infinite if a column must end
        below it.
        """
        lacking = 0.0
        for least, most in self.ends:
            if least > foot + _SAME:
                return inf
            lacking += max(0.0, foot - most) ** 2
        return lacking


@dataclass(frozen=True, slots=True)
class _PanelBand:
    """Wide panels across both columns, or narrow ones: the second column begins with `middle`.

    In a single column all panels are in the first stack.
    """

    first: int
    middle: int
    last: int
    wide: bool
    heights: tuple[float, float]

    @property
    def height(self) -> float:
        return max(self.heights)


class _Stacks:
    """The panels with running sums of their heights, to find the height of any stack of them."""

    def __init__(self, panels: Sequence[MeasuredPanel], gap: float) -> None:
        self.panels = panels
        self.gap = gap
        self._sums = [0.0, *accumulate(panel.height + self.above(panel) for panel in panels)]
        self._gaps = [0, *accumulate(not panel.continues for panel in panels)]
        self._lines = [0, *accumulate(panel.lines for panel in panels)]
        whole = [len(panels)]
        for index in reversed(range(len(panels))):
            whole.append(whole[-1] if panels[index].continues else index)
        self._wholes = whole[::-1]

    def above(self, panel: MeasuredPanel) -> float:
        """Returns the gap in mm above a panel that does not begin a column.

        It is 0 if the panel continues the one before.
        """
        return 0.0 if panel.continues else self.gap

    def stack(self, first: int, last: int) -> float:
        """Returns the height in mm of the panels from first to last (exclusive) in one column.

        The first panel has no gap above it, but the heading that it repeats if it continues
        another.
        """
        if last <= first:
            return 0.0
        top = self.panels[first]
        return self._sums[last] - self._sums[first] - self.above(top) + top.heading

    def too_small(self, first: int, last: int) -> bool:
        """Whether panels have fewer than LEAST_LINES lines in all, too few to be alone in a column.

        The panels are those from first to last (exclusive). No panels at all are not too small.
        """
        return first < last and self._lines[last] - self._lines[first] < LEAST_LINES

    def needless(self, first: int, last: int, height: float) -> bool:
        """Whether a column breaks off its last panel though it has room for all of it.

        Its panels are those from first to last (exclusive), and it is `height` mm high.
        """
        whole = self._wholes[last]
        return whole > last and self.stack(first, whole) <= height + _SAME

    def torn(self, panel: int, last: int) -> float:
        """Returns the cost of a column that begins with a panel which continues another.

        The cost is 0 if the panel does not, or if the column is empty because `panel` is not below
        `last`, the end of the column.
        """
        return CARRIED_PANEL if panel < last and self.panels[panel].continues else 0.0

    def end(self, first: int, last: int, height: float, above: float = 0.0) -> tuple[float, float]:
        """Returns where a stack of panels ends, and where it ends with the widest gaps.

        Both are fractions of the column `height`. `above` is the height of what is above the stack,
        with the gap below it.
        """
        if last <= first:
            return (max(0.0, above - self.gap) / height,) * 2
        least = above + self.stack(first, last)
        inner = self._gaps[last] - self._gaps[first + 1]
        return least / height, min(1.0, (least + inner * (WIDEST_GAP - self.gap)) / height)

    def split(self, first: int, last: int, start: int) -> int:
        """Returns the index of the panel that begins the second of two nearly even columns.

        The search begins at `start`, which must not be beyond the result, such as the place where
        fewer panels from `first` on were divided.
        """
        middle = max(start, first + 1)
        while middle < last and self.stack(first, middle) < self.stack(middle, last):
            middle += 1
        before = middle - 1
        if before > first and self.stack(before, last) <= self.stack(first, middle):
            return before
        return middle

    def bands(self, filling: Filling) -> Iterator[_PanelBand]:
        """Yields the bands of a filling, each of wide panels, or of narrow ones in two stacks.

        A filling of one column is a single band with all panels in the first stack.
        """
        first, last = filling.first, filling.last
        if filling.columns == 1:
            yield _PanelBand(first, last, last, False, (self.stack(first, last), 0.0))
            return
        for wide, run in groupby(range(first, last), lambda index: self.panels[index].wide):
            start, *more = run
            yield self._band(start, start + 1 + len(more), wide=wide, start=start)

    def _band(self, first: int, last: int, *, wide: bool, start: int) -> _PanelBand:
        if wide:
            height = self.stack(first, last)
            return _PanelBand(first, last, last, True, (height, height))
        middle = self.split(first, last, start)
        heights = (self.stack(first, middle), self.stack(middle, last))
        return _PanelBand(first, middle, last, False, heights)

    def _parts_too_small(self, band: _PanelBand) -> bool:
        left, right = (band.first, band.middle), (band.middle, band.last)
        return self.too_small(*left) or self.too_small(*right)

    def single(self, first: int, height: float) -> Iterator[Filling]:
        """Yields the fillings of one column that begin with the panel `first`, the shortest first.

        They have narrow panels only, are no higher than `height`, and are not too small.
        """
        for last in range(first + 1, len(self.panels) + 1):
            filled = self.stack(first, last)
            if self.panels[last - 1].wide or filled > height + _SAME:
                return
            if not (self.too_small(first, last) or self.needless(first, last, height)):
                yield Filling(first, last, (self.end(first, last, height),), self.torn(first, last))

    def pairs(self, first: int, height: float) -> Iterator[Filling]:
        """Yields fillings of two columns that begin with the panel `first`, with ever more panels.

        They are no higher than `height`. Wide panels span both columns; narrow ones between them
        are split as evenly as possible. Narrow panels alone are left to `single`, except one panel
        with nothing beside it.
        """
        above, cost = 0.0, self.torn(first, first + 1)
        start = middle = first
        band: _PanelBand | None = None
        count = len(self.panels)
        wide_at = next((at for at in range(first, count) if self.panels[at].wide), count)
        lasts = [first + 1]
        if wide_at < count and self.stack(first, wide_at) <= 2 * height + self.gap:
            lasts += range(max(first + 2, wide_at), count + 1)
        for last in lasts:
            wide = self.panels[last - 1].wide
            if band is not None and band.wide is not wide:
                if self._parts_too_small(band):
                    return
                above += band.height + self.gap
                cost += self.torn(middle, last - 1) + _hole(band, height)
                start = middle = last - 1
            band = self._band(start, last, wide=wide, start=middle)
            middle = band.middle
            if above + band.height > height + _SAME:
                return
            if self._parts_too_small(band):
                continue
            left = self.end(start, middle, height, above)
            right = left if wide else self.end(middle, last, height, above)
            yield Filling(first, last, (left, right), cost + self.torn(middle, last))


def _hole(band: _PanelBand, height: float) -> float:
    """Returns the cost of the gap above a wide panel if the columns above it are not equally high.

    It is the square of the difference as a fraction of the column `height`.
    """
    return ((band.heights[0] - band.heights[1]) / height) ** 2


def pack(panels: Sequence[MeasuredPanel], area: ColumnArea) -> list[PlacedPanel] | None:
    """Places all panels so that the columns of a side end as evenly as possible.

    Returns None if they do not fit.
    """
    fillings = evenest(panels, area)
    if fillings is None:
        return None
    sides = groupby(fillings, key=lambda filling: filling[0] // area.columns)
    return [place for _, side in sides for place in _one_side(panels, list(side), area)]


def _one_side(
    panels: Sequence[MeasuredPanel], fillings: Sequence[tuple[int, Filling]], area: ColumnArea
) -> list[PlacedPanel]:
    """Places the panels of one side, with gaps widened so that its columns end level if possible.

    The common end is where the shortest column ends with the widest gaps, or where the longest one
    ends without widened gaps if that is further down. Each of `fillings` has the number of its
    first column, counted over all sides.
    """
    stacks = _Stacks(panels, area.gap)

    def placed(foot: float, widest: float) -> list[PlacedPanel]:
        return [
            place
            for column, filling in fillings
            for place in _positions(stacks, filling, column, area, (foot, widest))
        ]

    low = feet(panels, placed(0.0, area.gap), area).values()
    stretched = feet(panels, placed(area.height, WIDEST_GAP), area).values()
    return placed(max(*low, min(stretched)), WIDEST_GAP)


def feet(
    panels: Sequence[MeasuredPanel], placed: Iterable[PlacedPanel], area: ColumnArea
) -> dict[tuple[int, int], float]:
    """Returns how far down each column with a panel ends, in mm, by side and column."""
    heights = {panel.id: (panel.height, panel.height + panel.heading) for panel in panels}
    ends: dict[tuple[int, int], float] = {}
    for place in placed:
        foot = place.top + heights[place.id][place.carried]
        for column in range(place.column, place.column + place.span):
            ends[place.side, column] = max(foot, ends.get((place.side, column), 0.0))
    return ends


def largest_hole(
    panels: Sequence[MeasuredPanel], placed: Sequence[PlacedPanel] | None, area: ColumnArea
) -> float:
    """Returns how high the largest empty place is, as a fraction of the column height.

    It is between two panels of a column, or between the last one and the lowest foot of the side.
    Returns infinity if `placed` is None, and leaves out sides without panels.
    """
    if placed is None:
        return inf
    ends, reached, largest = feet(panels, placed, area), dict[tuple[int, int], float](), 0.0
    for place in placed:
        foot = feet(panels, [place], area)
        largest = max(largest, *(place.top - reached.get(column, 0.0) for column in foot))
        reached |= foot
    for side in {side for side, _ in ends}:
        feet_of_side = [ends.get((side, column), 0.0) for column in range(area.columns)]
        largest = max(largest, max(feet_of_side) - min(feet_of_side))
    return largest / area.height


def fits(panels: Sequence[MeasuredPanel], area: ColumnArea) -> bool:
    """Whether all panels fit in the columns, in some arrangement."""
    begins: list[set[int]] = [{0}, *(set() for _ in panels)]
    for first, fillings in enumerate(_fillings(panels, area)):
        for filling in fillings:
            begins[filling.last] |= {
                column + filling.columns
                for column in begins[first]
                if column < area.all_columns and filling.columns <= _left(column, area)
            }
    return bool(begins[-1])


def _fillings(panels: Sequence[MeasuredPanel], area: ColumnArea) -> list[list[Filling]]:
    """Returns, for each panel, all ways to fill one or two columns that begin with it."""
    stacks = _Stacks(panels, area.gap)
    return [
        [*stacks.single(first, area.height), *stacks.pairs(first, area.height)]
        for first in range(len(panels))
    ]


def _left(column: int, area: ColumnArea) -> int:
    """Returns how many columns its side has from a column on, including that column.

    Columns are numbered over all sides, from 0.
    """
    return area.columns - column % area.columns


def evenest(panels: Sequence[MeasuredPanel], area: ColumnArea) -> list[tuple[int, Filling]] | None:
    """Finds the fillings with the least total cost, each with the number of its first column.

    Returns None if the panels do not fit. Each side has the foot, one of FEET, that costs least. A
    column costs the square of the fraction of its height by which it ends above the foot even with
    the widest gaps. A foot costs LOW_FOOT times the square of the fraction left below it, for each
    column. A panel that continues in the next column costs CARRIED_PANEL, and one that continues on
    the next side TURNED_PANEL more. A phase that continues there costs TURNED_PHASE, and a column
    of a side without any panel costs 1.
    """
    weighed = [
        [(filling, [filling.cost + filling.uneven(foot) for foot in FEET]) for filling in fillings]
        for fillings in _fillings(panels, area)
    ]

    def cost(first: int, column: int, foot: int) -> float:
        """Returns the least cost of placing the panel `first` and all after it.

        `column` is the first free column, and `foot` the index in FEET of the foot of its side.
        """
        if first == len(panels):
            return _empty(column, area, FEET[foot])
        if column == area.all_columns:
            return inf
        return (filled(first, column, foot) if column % area.columns else side(first, column))[0]

    @cache
    def side(first: int, column: int) -> tuple[float, int]:
        """Returns the least cost of the panels from `first` on, which begin a side, and its foot.

        `column` is the first column of that side; the foot is given as an index of FEET.
        """
        turned = _turned(panels, first) if column else 0.0
        return min(
            (filled(first, column, n)[0] + turned + LOW_FOOT * area.columns * (1 - foot) ** 2, n)
            for n, foot in enumerate(FEET)
        )

    @cache
    def filled(first: int, column: int, foot: int) -> tuple[float, Filling | None]:
        """Returns the least cost of the panels from `first` on, and the filling to begin with.

        `column` is the first free column, and `foot` the index in FEET of the foot of its side. The
        filling is None if the panels do not fit.
        """
        least: tuple[float, Filling | None] = (inf, None)
        for filling, here in weighed[first]:
            if filling.columns <= _left(column, area):
                whole = here[foot] + cost(filling.last, column + filling.columns, foot)
                if whole < least[0]:
                    least = (whole, filling)
        return least

    found: list[tuple[int, Filling]] = []
    first = column = foot = 0
    while first < len(panels):
        if column % area.columns == 0:
            foot = side(first, column)[1]
        filling = filled(first, column, foot)[1]
        if filling is None:
            return None
        found.append((column, filling))
        first, column = filling.last, column + filling.columns
    return found


def _empty(column: int, area: ColumnArea, foot: float) -> float:
    """Returns the cost of leaving the column number `column` and all columns after it empty.

    Each empty column costs 1 if its whole side is empty, and else the square of the `foot`.
    """
    sides = area.sides - -(-column // area.columns)
    return -column % area.columns * foot**2 + sides * area.columns


def _turned(panels: Sequence[MeasuredPanel], first: int) -> float:
    """Returns the cost of carrying over to a new side that begins with the panel `first`.

    This is TURNED_PANEL if it continues the panel before it, TURNED_PHASE if it is only of the same
    phase, and else 0.
    """
    if panels[first].continues:
        return TURNED_PANEL
    same = first > 0 and panels[first].phase == panels[first - 1].phase
    return TURNED_PHASE if same else 0.0


def _positions(
    stacks: _Stacks, filling: Filling, column: int, area: ColumnArea, stretched: tuple[float, float]
) -> Iterator[PlacedPanel]:
    """Yields the places of the panels of a filling, band by band from the top.

    `column` is the number of its first column, counted over all sides. Gaps in the lowest band are
    widened so that it ends at the foot: `stretched` is that foot in mm, and the widest gap.
    """
    foot, widest = stretched
    side, left = divmod(column, area.columns)
    top = 0.0
    for band in stacks.bands(filling):
        height = max(band.height, foot - top) if band.last == filling.last else band.height
        span = 2 if band.wide else 1
        for at, ends in enumerate(((band.first, band.middle), (band.middle, band.last)), left):
            for panel, offset, carried in _spread(stacks, *ends, height, widest):
                yield PlacedPanel(panel.id, side, at, span, top + offset, carried)
        top += height + area.gap


def _spread(
    stacks: _Stacks, first: int, last: int, height: float, widest: float
) -> Iterator[tuple[MeasuredPanel, float, bool]]:
    """Yields the panels of a stack from first to last (exclusive), with their offsets in mm.

    Offsets are from the top of the stack. Gaps between panels are widened, up to `widest`, so that
    the stack fills the height. The flag tells whether a panel continues one in the column before.
    """
    chosen = stacks.panels[first:last]
    gaps = sum(not panel.continues for panel in chosen[1:])
    wider = 0.0
    if gaps:
        wider = max(0.0, min(widest - stacks.gap, (height - stacks.stack(first, last)) / gaps))
    top = 0.0
    for index, panel in enumerate(chosen):
        if index and not panel.continues:
            top += stacks.gap + wider
        carried = index == 0 and panel.continues
        yield panel, top, carried
        top += panel.height + panel.heading * carried
