"""Heights of panels -> where each stands on the sheet: in order, unbroken, in columns evenly full.

Pure arithmetic in millimetres. Panels keep the order of the turn: down a column, then the next
column. A wide panel stands across two columns, above or below the narrow ones of the pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

#: Gaps between panels grow up to this to fill a column to its foot.
WIDEST_GAP = 7.0
#: What it costs to carry a phase from one side over to the next, in full columns squared.
_TURNED_PHASE = 0.02


@dataclass(frozen=True, slots=True)
class Panel:
    """A measured panel; its height includes the bar of its phase where it is the first of one."""

    id: str
    phase: str
    height: float
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """Where panels may stand: sides of so many columns, each so high, with gaps between panels."""

    sides: int
    columns: int
    height: float
    gap: float


@dataclass(frozen=True, slots=True)
class Placed:
    """A panel in its place; `top` in millimetres below the top of the column."""

    id: str
    side: int
    column: int
    span: int
    top: float


@dataclass(frozen=True, slots=True)
class _Stack:
    """Panels `first` to `last` (exclusive), one below the other."""

    first: int
    last: int
    height: float


@dataclass(frozen=True, slots=True)
class _Band:
    """A stack across all columns of a filling, or a stack in each of them."""

    stacks: tuple[_Stack, ...]
    wide: bool

    @property
    def height(self) -> float:
        return max(stack.height for stack in self.stacks)

    @property
    def last(self) -> int:
        return self.stacks[-1].last


@dataclass(frozen=True, slots=True)
class _Filling:
    """What stands in one column, or in a pair of columns with bands of wide and narrow panels."""

    columns: int
    bands: tuple[_Band, ...]

    @property
    def last(self) -> int:
        return self.bands[-1].last

    def height(self, gap: float) -> float:
        return sum(band.height for band in self.bands) + gap * (len(self.bands) - 1)

    def emptiness(self, area: Area) -> float:
        """Sum over its columns of the squared part that is left empty."""
        total = 0.0
        for column in range(self.columns):
            filled = area.gap * (len(self.bands) - 1)
            filled += sum(band.stacks[0 if band.wide else column].height for band in self.bands)
            total += (1 - min(1.0, filled / area.height)) ** 2
        return total


def pack(panels: Sequence[Panel], area: Area) -> list[Placed] | None:
    """The evenest way to place all panels, or None where there is none."""
    fillings = _evenest(tuple(panels), area)
    if fillings is None:
        return None
    placed: list[Placed] = []
    column = 0
    for filling in fillings:
        placed += _positions(panels, filling, column, area)
        column += filling.columns
    return placed


def least_height(panels: Sequence[Panel], area: Area) -> float:
    """The height of column at which the panels would just fit, to a tenth of a millimetre."""
    low = area.height
    high = sum(panel.height + area.gap for panel in panels) + area.height
    while high - low > 0.1:
        middle = (low + high) / 2
        if _evenest(tuple(panels), Area(area.sides, area.columns, middle, area.gap)) is None:
            low = middle
        else:
            high = middle
    return high


def _evenest(panels: tuple[Panel, ...], area: Area) -> list[_Filling] | None:
    """Least sum of squared empty parts of columns, by dynamic programming from the last panel."""
    total = area.sides * area.columns
    count = len(panels)

    @cache
    def best(first: int, column: int) -> tuple[float, tuple[_Filling, ...]] | None:
        if first == count:
            return float(total - column), ()
        if column == total:
            return None
        found: tuple[float, tuple[_Filling, ...]] | None = None
        turned = (
            column > 0
            and column % area.columns == 0
            and panels[first].phase == panels[first - 1].phase
        )
        for filling in _fillings(panels, first, column, area):
            rest = best(filling.last, column + filling.columns)
            if rest is None:
                continue
            cost = rest[0] + filling.emptiness(area) + (_TURNED_PHASE if turned else 0)
            if found is None or cost < found[0]:
                found = (cost, (filling, *rest[1]))
        return found

    result = best(0, 0)
    return None if result is None else list(result[1])


def _fillings(panels: Sequence[Panel], first: int, column: int, area: Area) -> Iterator[_Filling]:
    """Every way to fill the next column with narrow panels, or the next two with any."""
    for last in range(first + 1, len(panels) + 1):
        stack = _stack(panels, first, last, area.gap)
        if panels[last - 1].wide or stack.height > area.height:
            break
        yield _Filling(1, (_Band((stack,), wide=False),))
    if column % area.columns == area.columns - 1:
        return
    for last in range(first + 1, len(panels) + 1):
        bands = tuple(_bands(panels, first, last, area.gap))
        filling = _Filling(2, bands)
        if filling.height(area.gap) > area.height:
            return
        yield filling


def _stack(panels: Sequence[Panel], first: int, last: int, gap: float) -> _Stack:
    heights = [panel.height for panel in panels[first:last]]
    return _Stack(first, last, sum(heights) + gap * max(0, len(heights) - 1))


def _bands(panels: Sequence[Panel], first: int, last: int, gap: float) -> Iterator[_Band]:
    """Runs of wide panels across both columns; runs of narrow ones split as evenly as can be."""
    start = first
    while start < last:
        end = start
        while end < last and panels[end].wide is panels[start].wide:
            end += 1
        if panels[start].wide:
            yield _Band((_stack(panels, start, end, gap),), wide=True)
        else:
            splits = (
                (_stack(panels, start, middle, gap), _stack(panels, middle, end, gap))
                for middle in range(start + 1, end + 1)
            )
            yield _Band(min(splits, key=lambda pair: max(s.height for s in pair)), wide=False)
        start = end


def _positions(
    panels: Sequence[Panel], filling: _Filling, column: int, area: Area
) -> Iterator[Placed]:
    """Bands from the top; the highest band of narrow panels takes what is left over."""
    side, at = divmod(column, area.columns)
    left_over = area.height - filling.height(area.gap)
    narrow = [band for band in filling.bands if not band.wide]
    stretched = max(narrow, key=lambda band: band.height, default=None)
    top = 0.0
    for band in filling.bands:
        height = band.height + (left_over if band is stretched else 0.0)
        for index, stack in enumerate(band.stacks):
            for panel, offset in _spread(panels, stack, height, area.gap):
                yield Placed(panel.id, side, at + index, 2 if band.wide else 1, top + offset)
        top += height + area.gap


def _spread(
    panels: Sequence[Panel], stack: _Stack, height: float, gap: float
) -> Iterator[tuple[Panel, float]]:
    """The panels of a stack with their offsets, gaps widened so that the stack fills the height."""
    chosen = panels[stack.first : stack.last]
    if len(chosen) > 1:
        gap = min(WIDEST_GAP, gap + (height - stack.height) / (len(chosen) - 1))
    offsets = accumulate((panel.height + gap for panel in chosen[:-1]), initial=0.0)
    yield from zip(chosen, offsets, strict=False)
