"""Groups of pieces and windows -> parts, each below its name, on as few sheets as they take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from rulebook.cutouts.packing import (
    CAPTION_WIDTH,
    PART_GAP,
    Part,
    PieceView,
    Size,
    ViewGroup,
)
from rulebook.drawing.elements import Number
from rulebook.text_fitting import text_width

#: A rectangle that is free on a sheet: left, top, right and bottom.
_Free = tuple[Fraction, Fraction, Fraction, Fraction]
#: Of a size, its longer or its shorter side.
_Side = Callable[[Size], Fraction]
#: Fewer of many small pieces do not stand apart from the others of their kind.
FEWEST_TOGETHER = 3
#: A piece whose shorter side is longer, or a strip so many times as long as wide, stands anywhere.
_LARGE, _STRIP = Fraction(40), 4


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
    found = [
        sheets
        for choice in choices
        for first in (max, min)
        if (sheets := _sheets(groups, areas, choice, first)) is not None
    ]
    if not found:
        raise ValueError("a piece fits none of the areas")
    return min(found, key=lambda sheets: (len(sheets), sum(len(parts) for _, parts in sheets)))


def fits(group: ViewGroup, view: PieceView, areas: Sequence[Size]) -> bool:
    """Whether `pack` can place this one view of a group on any of the areas, turned or not."""
    alone = replace(group, views=(view,))
    return any(_block(alone, 0, room) for area in areas for room in (area, area[::-1]))


def _sheets(
    groups: Sequence[ViewGroup], areas: Sequence[Size], choice: Sequence[int], first: _Side
) -> list[Packed] | None:
    """Fills one sheet after another, each time in the area of which parts cover the most.

    `choice` are the indices of the areas to try; `first` decides which pieces are placed first, as
    in `_fill`. Returns the sheets, or None if a piece fits none of the areas.
    """
    taken = [0] * len(groups)
    sheets: list[Packed] = []
    while any(count < len(group.views) for count, group in zip(taken, groups, strict=True)):
        filled = [(_fill(groups, taken, areas[index], first), index) for index in choice]
        (placed, after), area = max(filled, key=lambda found: _covered(found[0][0]))
        if not placed:
            return None
        taken = after
        sheets.append((area, tuple(placed)))
    return sheets


def _covered(placed: Sequence[Part]) -> Fraction:
    """Returns the total area of parts."""
    return sum((part.width * part.height for part in placed), Fraction(0))


def _fill(
    groups: Sequence[ViewGroup], taken: Sequence[int], area: Size, first: _Side
) -> tuple[list[Part], list[int]]:
    """Fills one sheet; returns its parts, and how many views of each group are placed by then.

    `taken` says how many views of each group were placed on sheets before. `first` is `max` or
    `min`: pieces come first whose longer, or whose shorter, side is the largest.
    """
    after = list(taken)
    free: list[_Free] = [(Fraction(0), Fraction(0), area[0] + PART_GAP, area[1] + PART_GAP)]
    placed: list[Part] = []
    waiting = [index for index, group in enumerate(groups) if after[index] < len(group.views)]
    waiting.sort(key=lambda index: -first(groups[index].views[after[index]].size))
    for index in waiting:
        while after[index] < len(groups[index].views):
            part = _best_place(groups[index], after[index], free)
            if part is None:
                break
            right, bottom = part.x + part.size[0], part.y + part.size[1]
            free = _without(free, (part.x, part.y, right + PART_GAP, bottom + PART_GAP))
            after[index] += len(part.views)
            placed.append(replace(part, group=index))
    return placed, after


def _best_place(group: ViewGroup, first: int, free: Sequence[_Free]) -> Part | None:
    """Returns the part with the most of a group's views, from index `first`, in a free rectangle.

    Among those with as many it prefers a part that is not turned, then the one that ends highest,
    then the leftmost. Returns None if no view fits any of the rectangles.
    """
    places: list[Part] = []
    for left, top, right, bottom in free:
        room = (right - left - PART_GAP, bottom - top - PART_GAP)
        for turned in (False, True):
            if part := _block(group, first, room[::-1] if turned else room):
                places.append(replace(part, x=left, y=top, turned=turned))

    def order(part: Part) -> tuple[Number, ...]:
        return -len(part.views), part.turned, part.y + part.size[1], part.x

    return min(places, key=order, default=None)


def _block(group: ViewGroup, first: int, room: Size) -> Part | None:
    """Returns a part with as many of a group's views, from index `first`, as fit into `room`.

    They stand in rows below a caption. Returns None if none fits, or so few that they should not
    stand apart from the others.
    """
    views = group.views[first:]
    wide, high = views[0].size
    if wide > room[0] or high > room[1]:
        return None
    columns = min(len(views), (room[0] + PART_GAP) // (wide + PART_GAP))
    width = max(columns * (wide + PART_GAP) - PART_GAP, min(room[0], Fraction(CAPTION_WIDTH)))
    head, _ = group.caption(views[:2], width)
    standing: list[PieceView] = []
    x = y = row = Fraction(0)
    reached = Fraction(0)
    for view in views:
        across, down = view.size
        if min(across / wide, down / high) < Fraction(7, 10):
            break
        if x + across > room[0]:
            x, y, row = Fraction(0), y + row + PART_GAP, Fraction(0)
        if across > room[0] or head + y + down > room[1]:
            break
        standing.append(view.standing(x + view.room[0], head + y + view.room[1]))
        row = max(row, down)
        x += across + PART_GAP
        reached = max(reached, x - PART_GAP)
    if not standing or not _may_stand(views, len(standing)):
        return None
    above, (head, caption) = head, group.caption(standing, max(reached, min(room[0], width)))
    lower = max(head - above, Fraction(0))
    standing = [view.standing(view.tile.left, view.tile.top + lower) for view in standing]
    end = max(view.tile.top + view.tile.height + view.room[1] for view in standing)
    if end > room[1]:
        return None
    for label in caption:
        right = Fraction(float(label.x) + text_width(label.text, float(label.size)))
        reached = max(reached, min(room[0], right.limit_denominator(100)))
    return Part(
        group.title,
        views[0].label if len(standing) == 1 else "",
        caption,
        reached,
        end,
        tuple(standing),
    )


def _may_stand(views: Sequence[PieceView], count: int) -> bool:
    """Whether the first `count` of some views may form a part of their own.

    They may if they are all of the views, if they are several, or if a single one is large or long.
    """
    short, long = sorted(views[0].size)
    return (
        count == len(views) or count >= FEWEST_TOGETHER or short > _LARGE or long > _STRIP * short
    )


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
