"""Groups of pieces and windows -> parts, each below its name, on as few sheets as they take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from rulebook.cutouts.packing import CAPTION_WIDTH, PART_GAP, Part, PieceView, Size, ViewGroup
from rulebook.drawing.shapes import Label
from rulebook.text_fitting import text_width

#: A rectangle that is free on a sheet: left, top, right and bottom, in whole units.
_Free = tuple[int, int, int, int]
#: Width and height in whole units.
_Counted = tuple[int, int]
#: Of a size, its longer or its shorter side.
_Side = Callable[[_Counted], int]
#: Fewer of many small pieces do not stand apart from the others of their kind.
FEWEST_TOGETHER = 3
#: A piece whose shorter side is longer, mm, or a strip so many times as long as wide, stands
#: anywhere.
_LARGE, _STRIP = 40, 4
#: The width of a caption in mm has no larger denominator.
_FINEST = 100


#: One sheet: which of the areas it has, and what stands there.
Packed = tuple[int, tuple[Part, ...]]


def pack(groups: Sequence[ViewGroup], areas: Sequence[Size]) -> list[Packed]:
    """Distributes all views to as few sheets as it can, in the order of each group.

    `areas` are the sizes that sheets may have, the preferred one first. Returns for each sheet the
    index of its area and its parts, which are PART_GAP apart. Raises ValueError if a view with its
    caption fits none of the areas.
    """
    choices = [[index] for index in range(len(areas))]
    choices += [list(range(len(areas)))] if len(areas) > 1 else []
    counted, rooms = _in_units(groups, areas)
    found = [
        sheets
        for choice in choices
        for first in (max, min)
        if (sheets := _sheets(counted, rooms, choice, first)) is not None
    ]
    if not found:
        raise ValueError("a piece fits none of the areas")
    best = min(found, key=lambda sheets: (len(sheets), sum(len(placed) for _, placed in sheets)))
    return [(area, tuple(block.part() for block in placed)) for area, placed in best]


def fits(group: ViewGroup, view: PieceView, areas: Sequence[Size]) -> bool:
    """Whether `pack` can place this one view of a group on any of the areas, turned or not."""
    (alone,), rooms = _in_units([replace(group, views=(view,))], areas)
    return any(_block(alone, 0, way) for room in rooms for way in (room, room[::-1]))


def _in_units(
    groups: Sequence[ViewGroup], areas: Sequence[Size]
) -> tuple[list[_MeasuredGroup], list[_Counted]]:
    """Measures groups and areas in a unit of which all their lengths are whole multiples.

    Whole numbers are far quicker to add and to compare than fractions.
    """
    views = (view for group in groups for view in group.views)
    sizes = (size for view in views for size in (view.size, view.room))
    lengths = (side for size in (*sizes, *areas) for side in size)
    unit = lcm(*range(1, _FINEST + 1), *(length.denominator for length in lengths))
    measured = [_MeasuredGroup(number, group, unit) for number, group in enumerate(groups)]
    return measured, [_counted(area, unit) for area in areas]


def _counted(size: Size, unit: int) -> _Counted:
    return int(size[0] * unit), int(size[1] * unit)


class _MeasuredGroup:
    """A group with its number, and the sizes of its views in units, `unit` of which are a mm."""

    def __init__(self, number: int, group: ViewGroup, unit: int) -> None:
        self.number, self.group, self.unit = number, group, unit
        self.views = group.views
        self.sizes = [_counted(view.size, unit) for view in group.views]
        self.gap = int(PART_GAP * unit)

    def caption(self, views: Sequence[PieceView], room: int) -> tuple[int, tuple[Label, ...]]:
        """Returns height and lines of the caption as `ViewGroup.caption` does, but in units."""
        high, labels = self.group.caption(views, Fraction(room, self.unit))
        return int(high * self.unit), labels

    def may_stand(self, first: int, count: int) -> bool:
        """Whether `count` views, from index `first`, may form a part of their own.

        They may if no views come after them, if they are several, or if a single one is large or
        long.
        """
        short, long = sorted(self.sizes[first])
        return (
            first + count == len(self.views)
            or count >= FEWEST_TOGETHER
            or short > _LARGE * self.unit
            or long > _STRIP * short
        )


@dataclass(frozen=True, slots=True)
class _BlockOfViews:
    """Views of a group, from index `first`, in rows below a caption, and its place on a sheet.

    `corners` are those at the top left of the views with the space around them. All lengths are in
    units; if `turned`, the block lies turned by a quarter.
    """

    group: _MeasuredGroup
    first: int
    caption: tuple[Label, ...]
    width: int
    height: int
    corners: tuple[tuple[int, int], ...]
    x: int = 0
    y: int = 0
    turned: bool = False

    @property
    def size(self) -> _Counted:
        """Width and height as the block lies on the sheet."""
        return (self.height, self.width) if self.turned else (self.width, self.height)

    def part(self) -> Part:
        """Returns the part of a sheet with these views."""

        def mm(units: int) -> Fraction:
            return Fraction(units, self.group.unit)

        views = self.group.views[self.first : self.first + len(self.corners)]
        return Part(
            self.group.group.title,
            views[0].label if len(views) == 1 else "",
            self.caption,
            mm(self.width),
            mm(self.height),
            tuple(
                view.standing(mm(x) + view.room[0], mm(y) + view.room[1])
                for view, (x, y) in zip(views, self.corners, strict=True)
            ),
            x=mm(self.x),
            y=mm(self.y),
            turned=self.turned,
            group=self.group.number,
        )


def _sheets(
    groups: Sequence[_MeasuredGroup], areas: Sequence[_Counted], choice: Sequence[int], first: _Side
) -> list[tuple[int, list[_BlockOfViews]]] | None:
    """Fills one sheet after another, each time in the area of which blocks cover the most.

    `choice` are the indices of the areas to try; `first` decides which pieces are placed first, as
    in `_fill`. Returns for each sheet the index of its area and its blocks, or None if a piece fits
    none of the areas.
    """
    taken = [0] * len(groups)
    sheets: list[tuple[int, list[_BlockOfViews]]] = []
    while any(count < len(group.views) for count, group in zip(taken, groups, strict=True)):
        filled = [(_fill(groups, taken, areas[index], first), index) for index in choice]
        (placed, after), area = max(filled, key=lambda found: _covered(found[0][0]))
        if not placed:
            return None
        taken = after
        sheets.append((area, placed))
    return sheets


def _covered(placed: Sequence[_BlockOfViews]) -> int:
    """Returns the total area of blocks."""
    return sum(block.width * block.height for block in placed)


def _fill(
    groups: Sequence[_MeasuredGroup], taken: Sequence[int], area: _Counted, first: _Side
) -> tuple[list[_BlockOfViews], list[int]]:
    """Fills one sheet; returns its blocks, and how many views of each group are placed by then.

    `taken` says how many views of each group were placed on sheets before. `first` is `max` or
    `min`: pieces come first whose longer, or whose shorter, side is the largest.
    """
    after = list(taken)
    gap = groups[0].gap
    free: list[_Free] = [(0, 0, area[0] + gap, area[1] + gap)]
    placed: list[_BlockOfViews] = []
    waiting = [group for group in groups if after[group.number] < len(group.views)]
    waiting.sort(key=lambda group: -first(group.sizes[after[group.number]]))
    for group in waiting:
        while after[group.number] < len(group.views):
            block = _best_place(group, after[group.number], free)
            if block is None:
                break
            wide, high = block.size
            free = _without(free, (block.x, block.y, block.x + wide + gap, block.y + high + gap))
            after[group.number] += len(block.corners)
            placed.append(block)
    return placed, after


def _best_place(group: _MeasuredGroup, first: int, free: Sequence[_Free]) -> _BlockOfViews | None:
    """Returns the block with the most of a group's views, from index `first`, in a free rectangle.

    Among those with as many it prefers a block that is not turned, then the one that ends highest,
    then the leftmost. Returns None if no view fits any of the rectangles.
    """
    places: list[_BlockOfViews] = []
    for left, top, right, bottom in free:
        room = (right - left - group.gap, bottom - top - group.gap)
        for turned in (False, True):
            if block := _block(group, first, room[::-1] if turned else room):
                places.append(replace(block, x=left, y=top, turned=turned))

    def order(block: _BlockOfViews) -> tuple[int, ...]:
        return -len(block.corners), block.turned, block.y + block.size[1], block.x

    return min(places, key=order, default=None)


def _block(group: _MeasuredGroup, first: int, room: _Counted) -> _BlockOfViews | None:
    """Returns a block with as many of a group's views, from index `first`, as fit into `room`.

    Returns None if none fits, or so few that they should not stand apart from the others.
    """
    wide, high = group.sizes[first]
    if wide > room[0] or high > room[1]:
        return None
    gap, views = group.gap, group.views[first:]
    columns = min(len(views), (room[0] + gap) // (wide + gap))
    width = max(columns * (wide + gap) - gap, min(room[0], int(CAPTION_WIDTH * group.unit)))
    head, _ = group.caption(views[:2], width)
    corners: list[tuple[int, int]] = []
    x = y = row = reached = end = 0
    for across, down in group.sizes[first:]:
        if 10 * across < 7 * wide or 10 * down < 7 * high:
            break
        if x + across > room[0]:
            x, y, row = 0, y + row + gap, 0
        if across > room[0] or head + y + down > room[1]:
            break
        corners.append((x, y))
        row, end = max(row, down), max(end, y + down)
        x += across + gap
        reached = max(reached, x - gap)
    if not corners or not group.may_stand(first, len(corners)):
        return None
    needed, caption = group.caption(views[: len(corners)], max(reached, min(room[0], width)))
    head = max(head, needed)
    if head + end > room[1]:
        return None
    for label in caption:
        right = Fraction(float(label.x) + text_width(label.text, float(label.size)))
        nearest = int(right.limit_denominator(_FINEST) * group.unit)
        reached = max(reached, min(room[0], nearest))
    below = tuple((x, head + y) for x, y in corners)
    return _BlockOfViews(group, first, caption, reached, head + end, below)


def _without(free: list[_Free], taken: _Free) -> list[_Free]:
    """Returns the free rectangles that are left after `taken` is cut out of `free`.

    They may overlap, but none lies within another.
    """
    left, top, right, bottom = taken
    kept: list[_Free] = []
    parts: list[_Free] = []
    for rectangle in free:
        x1, y1, x2, y2 = rectangle
        if left >= x2 or right <= x1 or top >= y2 or bottom <= y1:
            kept.append(rectangle)
            continue
        beside = (x1, y1, left, y2), (right, y1, x2, y2)
        around = (*beside, (x1, y1, x2, top), (x1, bottom, x2, y2))
        parts += [part for part in around if part[0] < part[2] and part[1] < part[3]]
    # what was free stays largest: only the new parts can lie within another
    for index, part in enumerate(parts):
        if not any(_within(part, whole) for whole in (*kept, *parts[index + 1 :])):
            kept.append(part)
    return kept


def _within(part: _Free, whole: _Free) -> bool:
    return (
        whole[0] <= part[0] and whole[1] <= part[1] and part[2] <= whole[2] and part[3] <= whole[3]
    )
