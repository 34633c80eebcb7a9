"""Heights of panels -> where each stands on the sheet: in order, in columns evenly full.

Pure arithmetic in millimetres. Panels keep the order of the turn: down a column, then the next
column. A wide panel stands across two columns, above or below the narrow ones of the pair. A long
panel comes in pieces, which are never broken; one that begins a column has its heading again.

Which columns a panel can begin is a set, kept as the bits of a number: so it costs little to find
whether all fit at all, and only what can be part of a whole sheet is weighed against the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf

#: More panels than this are not placed: no sheet that can be read has so many.
MOST_PANELS = 400
#: Gaps between panels grow up to this to fill a column to its foot.
WIDEST_GAP = 7.0
#: What it costs to carry a phase from one side over to the next, in full columns squared.
TURNED_PHASE = 0.02
#: What it costs to carry a panel over to the next column, and to the next side besides.
CARRIED_PANEL, TURNED_PANEL = 0.02, 0.1
#: Heights that differ by no more are the same: sums of floats do.
_SAME = 1e-6
#: `least_height` seeks a height that does by steps of this part of it.
_STEP = 1.25


@dataclass(frozen=True, slots=True)
class Panel:
    """A measured panel; its height includes the bar of its phase where it is the first of one.

    One that `continues` is a piece of the panel before it and stands close below; `heading` is the
    height of what is printed above it where it begins a column instead.
    """

    id: str
    phase: str
    height: float
    wide: bool = False
    continues: bool = False
    heading: float = 0.0


@dataclass(frozen=True, slots=True)
class Area:
    """Where panels may stand: sides of so many columns, each so high, with gaps between panels."""

    sides: int
    columns: int
    height: float
    gap: float

    @property
    def all_columns(self) -> int:
        return self.sides * self.columns


@dataclass(frozen=True, slots=True)
class Placed:
    """A panel in its place; `top` in millimetres below the top of the column.

    `carried`: a piece of a panel that began in a column before this one.
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

    `emptiness` is the sum over its columns of the squared part that is left empty, and besides of
    what is empty above a wide panel, and what it costs if the second column begins with a piece.
    """

    first: int
    last: int
    columns: int
    emptiness: float


@dataclass(frozen=True, slots=True)
class _Band:
    """Wide panels across both columns, or narrow ones of which the second column begins `middle`.

    In a single column all stand in the first stack.
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
    """The panels with the sums of their heights, from which the height of any stack follows."""

    def __init__(self, panels: Sequence[Panel], gap: float) -> None:
        self.panels = panels
        self.gap = gap
        self._sums = [0.0, *accumulate(panel.height + self.above(panel) for panel in panels)]

    def above(self, panel: Panel) -> float:
        """The gap above a panel that does not begin a column."""
        return 0.0 if panel.continues else self.gap

    def stack(self, first: int, last: int) -> float:
        """Height of the panels from first to last (exclusive), one below the other."""
        if last <= first:
            return 0.0
        top = self.panels[first]
        return self._sums[last] - self._sums[first] - self.above(top) + top.heading

    def torn(self, panel: int, last: int) -> float:
        """What it costs to begin a column with this panel, if it stands before the last."""
        return CARRIED_PANEL if panel < last and self.panels[panel].continues else 0.0

    def split(self, first: int, last: int, start: int) -> int:
        """Where the second column begins if a run is split as evenly as can be.

        Of a run that begins at the same place and is shorter the split is not later: `start`.
        """
        middle = max(start, first + 1)
        while middle < last and self.stack(first, middle) < self.stack(middle, last):
            middle += 1
        before = middle - 1
        if before > first and self.stack(before, last) <= self.stack(first, middle):
            return before
        return middle

    def bands(self, first: int, last: int) -> Iterator[_Band]:
        """Runs of wide panels across both columns; runs of narrow ones split between them."""
        start = first
        while start < last:
            wide, end = self.panels[start].wide, start
            while end < last and self.panels[end].wide is wide:
                end += 1
            yield self._band(start, end, wide=wide, start=start)
            start = end

    def _band(self, first: int, last: int, *, wide: bool, start: int) -> _Band:
        if wide:
            height = self.stack(first, last)
            return _Band(first, last, last, True, (height, height))
        middle = self.split(first, last, start)
        heights = (self.stack(first, middle), self.stack(middle, last))
        return _Band(first, middle, last, False, heights)

    def single(self, first: int, height: float) -> Iterator[Filling]:
        """Every way to fill one column of this height, from `first` on."""
        for last in range(first + 1, len(self.panels) + 1):
            filled = self.stack(first, last)
            if self.panels[last - 1].wide or filled > height + _SAME:
                return
            yield Filling(first, last, 1, _emptiness(filled, height))

    def pairs(self, first: int, height: float) -> Iterator[Filling]:
        """Every way to fill two columns of this height, from `first` on.

        Bands that are done add up in `above` and `filled`; only the lowest grows.
        """
        above, filled, torn = 0.0, (0.0, 0.0), 0.0
        start = middle = first
        band: _Band | None = None
        for last in range(first + 1, len(self.panels) + 1):
            wide = self.panels[last - 1].wide
            if band is not None and band.wide is not wide:
                above += band.height + self.gap
                filled = _added(filled, band.heights, self.gap)
                torn += self.torn(middle, last - 1) + _hole(band, height)
                start = middle = last - 1
            band = self._band(start, last, wide=wide, start=middle)
            middle = band.middle
            if above + band.height > height + _SAME:
                return
            sums = _added(filled, band.heights, 0.0)
            cost = sum(_emptiness(part, height) for part in sums)
            yield Filling(first, last, 2, cost + torn + self.torn(middle, last))


def _added(one: tuple[float, float], other: tuple[float, float], gap: float) -> tuple[float, float]:
    return (one[0] + other[0] + gap, one[1] + other[1] + gap)


def _hole(band: _Band, height: float) -> float:
    """What it costs that one column ends earlier than the other above a wide panel."""
    return ((band.heights[0] - band.heights[1]) / height) ** 2


def _emptiness(filled: float, height: float) -> float:
    empty = max(0.0, 1 - filled / height)
    return empty * empty


def pack(panels: Sequence[Panel], area: Area) -> list[Placed] | None:
    """The evenest way to place all panels, or None where there is none."""
    fillings = evenest(panels, area)
    if fillings is None:
        return None
    placed: list[Placed] = []
    column = 0
    for filling in fillings:
        placed += _positions(panels, filling, column, area)
        column += filling.columns
    return placed


def least_filled(panels: Sequence[Panel], placed: Sequence[Placed], area: Area) -> float:
    """The part that panels cover of the emptiest column, the last ones of the last side apart.

    Behind the last panel there may be nothing more to print.
    """
    heights = {panel.id: panel.height for panel in panels}
    covered = dict.fromkeys(range(area.all_columns), 0.0)
    for place in placed:
        for column in range(place.column, place.column + place.span):
            covered[place.side * area.columns + column] += heights[place.id] / area.height
    return min(list(covered.values())[:-1], default=1.0)


def fits(panels: Sequence[Panel], area: Area) -> bool:
    """Whether there is any way to place all panels."""
    return _Ways(panels, area).any


def least_height(panels: Sequence[Panel], area: Area) -> float:
    """The height of column at which the panels would just fit, to a tenth of a millimetre.

    Wide panels need sides of two columns or more.
    """

    def enough(height: float) -> bool:
        return fits(panels, Area(area.sides, area.columns, height, area.gap))

    low = high = max(area.height, _bound(panels, area))
    while not enough(high):
        low, high = high, high * _STEP
    while high - low > 0.1:
        middle = (low + high) / 2
        if enough(middle):
            high = middle
        else:
            low = middle
    return high


def _bound(panels: Sequence[Panel], area: Area) -> float:
    """A height of column below which the panels cannot fit: they are as high as all columns."""
    stacked = sum(
        (panel.height + (0.0 if panel.continues else area.gap)) * (2 if panel.wide else 1)
        for panel in panels
    )
    highest = max((panel.height for panel in panels), default=0.0)
    return max(highest, stacked / area.all_columns - area.gap)


class _Ways:
    """All ways to go on from each panel, and the columns in which it can begin one.

    `begins[n]` has a bit for each column in which panel `n` can begin a filling so that those
    before it and those after it have their places.
    """

    def __init__(self, panels: Sequence[Panel], area: Area) -> None:
        self.fillings: list[list[Filling]] = []
        self.begins = [0] * (len(panels) + 1)
        if _bound(panels, area) > area.height + _SAME:
            return
        stacks = _Stacks(panels, area.gap)
        paired = sum(
            1 << column
            for column in range(area.all_columns)
            if column % area.columns < area.columns - 1
        )
        single = (1 << area.all_columns) - 1
        self._may_begin = {1: single, 2: paired}
        self.fillings = [
            [*stacks.single(first, area.height), *stacks.pairs(first, area.height)]
            for first in range(len(panels))
        ]
        self._count(area)

    @property
    def any(self) -> bool:
        return bool(self.begins[0] & 1)

    def _count(self, area: Area) -> None:
        ending = self._ending(area)
        self.begins[0] = ending[0] & 1
        for first, fillings in enumerate(self.fillings):
            for filling in fillings:
                begin = self.begins[first] & self._may_begin[filling.columns]
                self.begins[filling.last] |= (begin << filling.columns) & ending[filling.last]

    def _ending(self, area: Area) -> list[int]:
        """For each panel the columns from which it and all after it have their places."""
        ending = [0] * len(self.fillings) + [(2 << area.all_columns) - 1]
        for first in reversed(range(len(self.fillings))):
            for filling in self.fillings[first]:
                begin = ending[filling.last] >> filling.columns
                ending[first] |= begin & self._may_begin[filling.columns]
        return ending


def evenest(panels: Sequence[Panel], area: Area) -> list[Filling] | None:
    """Fillings of the columns in their order with the least cost, or None where nothing fits.

    The cost is the sum of the emptiness of all columns, CARRIED_PANEL for each panel that goes over
    from one to the next, and TURNED_PANEL or TURNED_PHASE more if that is on the next side. By
    dynamic programming from the last panel.
    """
    ways = _Ways(panels, area)
    if not ways.any:
        return None
    total = area.all_columns
    costs = [[inf] * (total + 3) for _ in panels]
    costs.append([float(total - column) for column in range(total + 1)] + [inf, inf])
    chosen: list[dict[int, Filling]] = [{} for _ in panels]
    for first in reversed(range(len(panels))):
        carried = CARRIED_PANEL if panels[first].continues else 0.0
        turned = _turned(panels, first)
        for column in _bits(ways.begins[first]):
            at_foot = column % area.columns == area.columns - 1
            least = inf
            for filling in ways.fillings[first]:
                if at_foot and filling.columns == 2:
                    break
                cost = filling.emptiness + costs[filling.last][column + filling.columns]
                if cost < least:
                    least, chosen[first][column] = cost, filling
            on_new_side = column > 0 and column % area.columns == 0
            costs[first][column] = least + carried + (turned if on_new_side else 0.0)
    return list(_followed(chosen))


def _turned(panels: Sequence[Panel], first: int) -> float:
    """What it costs to begin a side with this panel."""
    if panels[first].continues:
        return TURNED_PANEL
    same = first > 0 and panels[first].phase == panels[first - 1].phase
    return TURNED_PHASE if same else 0.0


def _bits(mask: int) -> Iterator[int]:
    column = 0
    while mask:
        if mask & 1:
            yield column
        mask >>= 1
        column += 1


def _followed(chosen: Sequence[dict[int, Filling]]) -> Iterator[Filling]:
    first = column = 0
    while first < len(chosen):
        filling = chosen[first][column]
        yield filling
        first, column = filling.last, column + filling.columns


def _positions(
    panels: Sequence[Panel], filling: Filling, column: int, area: Area
) -> Iterator[Placed]:
    """Bands from the top; the highest band of narrow panels takes what is left over."""
    stacks = _Stacks(panels, area.gap)
    side, at = divmod(column, area.columns)
    if filling.columns == 1:
        for panel, top, carried in _spread(stacks, filling.first, filling.last, area.height):
            yield Placed(panel.id, side, at, 1, top, carried)
        return
    bands = list(stacks.bands(filling.first, filling.last))
    used = sum(band.height for band in bands) + area.gap * (len(bands) - 1)
    narrow = [band for band in bands if not band.wide]
    stretched = max(narrow, key=lambda band: band.height, default=None)
    top = 0.0
    for band in bands:
        height = band.height + (max(0.0, area.height - used) if band is stretched else 0.0)
        for index, (first, last) in enumerate(
            ((band.first, band.middle), (band.middle, band.last))
        ):
            span = 2 if band.wide else 1
            for panel, offset, carried in _spread(stacks, first, last, height):
                yield Placed(panel.id, side, at + index, span, top + offset, carried)
        top += height + area.gap


def _spread(
    stacks: _Stacks, first: int, last: int, height: float
) -> Iterator[tuple[Panel, float, bool]]:
    """The panels of a stack with their offsets, and whether the panel is carried over.

    Gaps between panels are widened so that the stack fills the height.
    """
    chosen = stacks.panels[first:last]
    gaps = sum(not panel.continues for panel in chosen[1:])
    wider = 0.0
    if gaps:
        wider = min(WIDEST_GAP - stacks.gap, (height - stacks.stack(first, last)) / gaps)
    top = 0.0
    for index, panel in enumerate(chosen):
        if index:
            top += 0.0 if panel.continues else stacks.gap + wider
        carried = index == 0 and panel.continues
        yield panel, top, carried
        top += panel.height + (panel.heading if carried else 0.0)
