"""Sizes of rectangles -> where each stands on as few sheets as a simple packing finds.

Pure geometry, apart from any drawing. A sheet is filled from its top: each rectangle, longest
first, goes where its lower edge is highest and, of such places, to the left (maximal free
rectangles, after Jylänki, A Thousand Ways to Pack the Bin, 2010). That is done with rectangles as
they are, turned a quarter where that saves height, and turned wherever they can be; on sheets of
each shape alone and of whichever is filled better. The fewest sheets win, then the fewest turns.
Like rectangles thus never take more sheets than in rows and columns.
All is reckoned in whole micrometres, so that the same sizes always have the same places.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

#: Width and height, in mm.
Size = tuple[Fraction, Fraction]
#: A size, and left, top, right and bottom of a rectangle, in micrometres.
_Whole = tuple[int, int]
_Free = tuple[int, int, int, int]


class _Laid(NamedTuple):
    """A rectangle by its number, and where it lies, in micrometres."""

    number: int
    x: int
    y: int
    turned: bool


#: Which of the areas a sheet has, and what lies there.
_Sheet = tuple[int, list[_Laid]]

_UNITS = 1000
#: Ways to turn: as it is where it can be, where that saves height, turned where it can be.
_TURNS = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Placed:
    """Where the top left corner of a rectangle is in its area, in mm; turned: by a quarter."""

    index: int
    x: Fraction
    y: Fraction
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Packed:
    """One sheet: which of the areas it has, and what stands there, in the order given."""

    area: int
    placed: tuple[Placed, ...]


def pack(sizes: Sequence[Size], areas: Sequence[Size], *, gap: Fraction) -> list[Packed]:
    """Every rectangle once, inside an area, `gap` from its neighbours; sheets by their first.

    A sheet may have any of the `areas`; the first is preferred. Raises ValueError where a rectangle
    fits none of them.
    """
    spare = math.ceil(gap * _UNITS)
    wholes = [(_up(width) + spare, _up(height) + spare) for width, height in sizes]
    rooms = [(_down(width) + spare, _down(height) + spare) for width, height in areas]
    for size, whole in zip(sizes, wholes, strict=True):
        if not any(_fits(whole, room) for room in rooms):
            raise ValueError(f"a rectangle of {size} fits none of the areas")
    if not wholes:
        return []
    best = min(_attempts(wholes, rooms), key=_cost)
    packed = [Packed(area, tuple(map(_placed, laid))) for area, laid in best]
    return sorted(packed, key=lambda sheet: sheet.placed[0].index)


def _placed(laid: _Laid) -> Placed:
    return Placed(laid.number, Fraction(laid.x, _UNITS), Fraction(laid.y, _UNITS), laid.turned)


def fits(size: Size, area: Size) -> bool:
    """Whether `pack` can place a rectangle in an area, turned or not."""
    return _fits((_up(size[0]), _up(size[1])), (_down(area[0]), _down(area[1])))


def _up(length: Fraction) -> int:
    return math.ceil(length * _UNITS)


def _down(length: Fraction) -> int:
    return math.floor(length * _UNITS)


def _fits(size: _Whole, room: _Whole) -> bool:
    width, height = size
    return (width <= room[0] and height <= room[1]) or (height <= room[0] and width <= room[1])


def _cost(sheets: list[_Sheet]) -> tuple[int, int]:
    return len(sheets), sum(one.turned for _, laid in sheets for one in laid)


def _attempts(wholes: list[_Whole], rooms: list[_Whole]) -> Iterator[list[_Sheet]]:
    """One packing after the other, until none can be better."""
    least = math.ceil(
        sum(width * height for width, height in wholes)
        / max(width * height for width, height in rooms)
    )
    order = sorted(range(len(wholes)), key=lambda i: (-max(wholes[i]), -min(wholes[i]), i))
    choices = [[index] for index in range(len(rooms))]
    choices += [list(range(len(rooms)))] if len(rooms) > 1 else []
    for choice in choices:
        if not all(any(_fits(whole, rooms[index]) for index in choice) for whole in wholes):
            continue
        for turn in _TURNS:
            sheets = _sheets(order, wholes, rooms, choice, turn)
            yield sheets
            if _cost(sheets) == (least, 0):
                return


def _sheets(
    order: list[int], wholes: list[_Whole], rooms: list[_Whole], choice: list[int], turn: int
) -> list[_Sheet]:
    """Sheet after sheet, each of that area of the choice of which most is filled."""
    sheets = []
    while order:
        filled = [(index, _fill(order, wholes, rooms[index], turn)) for index in choice]
        area, laid = max(
            filled, key=lambda one: sum(wholes[p.number][0] * wholes[p.number][1] for p in one[1])
        )
        there = {one.number for one in laid}
        order = [index for index in order if index not in there]
        sheets.append((area, sorted(laid)))
    return sheets


def _fill(order: list[int], wholes: list[_Whole], room: _Whole, turn: int) -> list[_Laid]:
    """As many of the rectangles, in their order, as one sheet takes."""
    free: list[_Free] = [(0, 0, *room)]
    too_large: set[_Whole] = set()
    placed = []
    for index in order:
        whole = wholes[index]
        if whole in too_large:
            continue
        found = _best_place(whole, free, turn)
        if found is None:
            too_large.add(whole)
            if not free:
                break
            continue
        x, y, turned = found
        width, height = whole[::-1] if turned else whole
        free = _without(free, (x, y, x + width, y + height))
        placed.append(_Laid(index, x, y, turned))
    return placed


def _best_place(whole: _Whole, free: list[_Free], turn: int) -> tuple[int, int, bool] | None:
    best: tuple[tuple[int, ...], int, int, bool] | None = None
    for turned in (False, True) if whole[0] != whole[1] else (False,):
        width, height = whole[::-1] if turned else whole
        unwanted = 0 if turn == 1 else int(turned) if turn == 0 else int(not turned)
        for left, top, right, bottom in free:
            if right - left < width or bottom - top < height:
                continue
            key = (unwanted, top + height, left, int(turned))
            if best is None or key < best[0]:
                best = (key, left, top, turned)
    return best[1:] if best else None


def _without(free: list[_Free], taken: _Free) -> list[_Free]:
    """The largest rectangles that are still free; none of them lies within another."""
    left, top, right, bottom = taken
    kept: list[_Free] = []
    parts: list[_Free] = []
    for one in free:
        x1, y1, x2, y2 = one
        if left >= x2 or right <= x1 or top >= y2 or bottom <= y1:
            kept.append(one)
            continue
        if x1 < left:
            parts.append((x1, y1, left, y2))
        if right < x2:
            parts.append((right, y1, x2, y2))
        if y1 < top:
            parts.append((x1, y1, x2, top))
        if bottom < y2:
            parts.append((x1, bottom, x2, y2))
    # what was free stays largest: only the new parts can lie within another
    for index, part in enumerate(parts):
        if not any(_within(part, other) for other in (*kept, *parts[index + 1 :])):
            kept.append(part)
    return kept


def _within(part: _Free, whole: _Free) -> bool:
    return (
        whole[0] <= part[0] and whole[1] <= part[1] and part[2] <= whole[2] and part[3] <= whole[3]
    )
