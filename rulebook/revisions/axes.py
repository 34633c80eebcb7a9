"""Two editions of a grid -> which places on its axes have another key in the new edition.

A place is recognised by its title, by the cells at it, or, if it is a band, by one of its ends. The
rows and columns of the data take their keys from the places, so they are renamed with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Literal, NamedTuple

from rulebook.revisions.changes import Path
from rulebook.revisions.keyed import LISTED, NAMED, Branch, Tree

_Side = Literal["rows", "columns"]
_SIDES: tuple[_Side, ...] = ("rows", "columns")
_BAND = re.compile(r"([0-9.]+)-([0-9.]+)([a-z]*)")
#: Less than any share of cells that tells a place again.
_ENDS_ALIKE = 0.1
#: So many cells that are the same tell a row or a column again.
LEAST_CELLS = 3


def is_grid(table: Branch) -> bool:
    return {"rows", "cells", "data"} <= table.parts.keys()


def other_axes(old: Branch, new: Branch) -> bool:
    """Whether a grid has more axes or fewer on a side, so that no cell is one of the other."""
    if not is_grid(old) or not is_grid(new):
        return False
    return any(len(_axes(old, side)) != len(_axes(new, side)) for side in _SIDES)


def renamed_places(old: Branch, new: Branch, path: Path) -> dict[Path, Mapping[str, str]]:
    """Renamed axes and places, and with them the rows and columns of the data, by their paths.

    The grids have as many axes on each side.
    """
    found: dict[Path, Mapping[str, str]] = {}
    lines: dict[str, Mapping[str, str]] = {}
    for side in _SIDES:
        axes = list(zip(_axes(old, side), _axes(new, side), strict=True))
        places = [_renamed(was, now) for was, now in axes]
        for (_, axis), names in zip(axes, places, strict=True):
            found[(*path, side, axis.name)] = names
        befores, afters = ({pair[which].name for pair in axes} for which in (0, 1))
        found[(*path, side)] = {
            was.name: now.name
            for was, now in axes
            if was.name not in afters and now.name not in befores
            if list(was.cells) == list(now.cells)
        }
        lines[side] = _lines([list(was.cells) for was, _ in axes], places)
    found[(*path, "data")] = lines["rows"]
    data = new.parts["data"]
    if isinstance(data, Branch):
        found |= {(*path, "data", key): lines["columns"] for key in data.parts}
    return {at: names for at, names in found.items() if names}


def cells_alike(cells: list[tuple[Tree, Tree]]) -> float:
    """How many pairs of cells are the same, of 1; 0 if not half of them, or too few."""
    told = [(before, after) for before, after in cells if before is not None or after is not None]
    same = sum(before == after for before, after in told)
    return same / len(told) if same >= LEAST_CELLS and 2 * same > len(told) else 0


class _Axis(NamedTuple):
    """An axis of a grid: its name, the titles of places, if they have some, the cells at each."""

    name: str
    titles: Mapping[str, Tree]
    cells: Mapping[str, list[Tree]]


def _axes(grid: Branch, side: _Side) -> list[_Axis]:
    """The axes of a side."""
    keys = {one: [_places(axis) for axis in _parts(grid, one).values()] for one in _SIDES}
    down, across = (list(product(*keys[one])) for one in _SIDES)
    cells: list[dict[str, list[Tree]]] = [{key: [] for key in places} for places in keys[side]]
    for row, place in zip(_parts(grid, "data").values(), down, strict=False):
        line = list(row.parts.values()) if isinstance(row, Branch) and across != [()] else [row]
        for cell, column in zip(line, across, strict=False):
            for of_axis, key in zip(cells, place if side == "rows" else column, strict=True):
                of_axis[key].append(cell)
    return [
        _Axis(name, axis.parts if isinstance(axis, Branch) and axis.kind == NAMED else {}, found)
        for (name, axis), found in zip(_parts(grid, side).items(), cells, strict=True)
    ]


def _parts(grid: Branch, key: str) -> Mapping[str, Tree]:
    part = grid.parts.get(key)
    return part.parts if isinstance(part, Branch) else {}


def _places(axis: Tree) -> list[str]:
    """The places of an axis; those of a die stand in a list under it."""
    if not isinstance(axis, Branch):
        return []
    faces = next(iter(axis.parts.values()), None)
    if len(axis.parts) == 1 and isinstance(faces, Branch) and faces.kind == LISTED:
        return list(faces.parts)
    return list(axis.parts)


def _renamed(old: _Axis, new: _Axis) -> dict[str, str]:
    """Places that went, each with the one that came that is most like it."""

    def alike(was: str, now: str) -> float:
        """How surely two places are the same: by their title, their cells, an end of the band."""
        if was in old.titles and old.titles[was] == new.titles.get(now):
            return 2
        before, after = old.cells[was], new.cells[now]
        if len(before) != len(after):
            return 0
        same = cells_alike(list(zip(before, after, strict=True)))
        return same or _ENDS_ALIKE * _share_an_end(was, now)

    gone = [place for place in old.cells if place not in new.cells]
    come = [place for place in new.cells if place not in old.cells]
    return best_pairs(gone, come, alike)


def best_pairs(
    gone: Iterable[str], come: Iterable[str], alike: Callable[[str, str], float]
) -> dict[str, str]:
    """Keys that went, each with the one that came that is most like it, if any is at all."""
    found: dict[str, str] = {}
    left = list(come)
    for was in gone:
        ranked = [(alike(was, now), now) for now in left]
        most, now = max(ranked, key=lambda one: one[0], default=(0, ""))
        if most > 0:
            found[was] = now
            left.remove(now)
    return found


def _share_an_end(was: str, now: str) -> bool:
    """Whether two bands, 8-16in and 8-18in, begin or end alike."""
    before, after = _BAND.fullmatch(was), _BAND.fullmatch(now)
    if before is None or after is None or before[3] != after[3]:
        return False
    return before[1] == after[1] or before[2] == after[2]


def _lines(axes: list[list[str]], renamed: list[dict[str, str]]) -> dict[str, str]:
    """Rows or columns of the data, by the places that they stand at, which now are others."""
    found: dict[str, str] = {}
    for places in product(*axes):
        now = [names.get(place, place) for place, names in zip(places, renamed, strict=True)]
        if tuple(now) != places:
            found[", ".join(places)] = ", ".join(now)
    return found
