"""Two editions of a grid -> the places of its axes that are called otherwise in the new one.

A place is known again by its title, by the cells that stand at it, or, being a band, by one of its
ends. The rows and columns of the data are called after the places, so that they have other names
with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Literal

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
        axes = [_Axis((old, new), side, index) for index in range(len(_axes(old, side)))]
        places = [_renamed(axis) for axis in axes]
        for axis, names in zip(axes, places, strict=True):
            found[(*path, side, axis.names[1])] = names
        found[(*path, side)] = _renamed_axes(axes)
        lines[side] = _lines([axis.before for axis in axes], places)
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


@dataclass(frozen=True, slots=True)
class _Axis:
    """One axis of a grid in both editions: its names, and the keys of its places."""

    grids: tuple[Branch, Branch]
    side: _Side
    index: int

    @property
    def names(self) -> tuple[str, str]:
        was, now = (list(_axes(grid, self.side))[self.index] for grid in self.grids)
        return was, now

    @property
    def before(self) -> list[str]:
        return _axes(self.grids[0], self.side)[self.names[0]]

    @property
    def after(self) -> list[str]:
        return _axes(self.grids[1], self.side)[self.names[1]]

    def alike(self, was: str, now: str) -> float:
        """How surely two places are the same: by their title, their cells, an end of the band."""
        before, after = (_titles(grid, self.side, self.index) for grid in self.grids)
        if was in before and before[was] == after.get(now):
            return 2
        lines = [
            [cell for place, cell in _cells(grid, self.side, self.index) if place == key]
            for grid, key in zip(self.grids, (was, now), strict=True)
        ]
        if len(lines[0]) != len(lines[1]):
            return 0
        return cells_alike(list(zip(*lines, strict=True))) or _ENDS_ALIKE * _share_an_end(was, now)


def _share_an_end(was: str, now: str) -> bool:
    """Whether two bands, 8-16in and 8-18in, begin or end alike."""
    before, after = _BAND.fullmatch(was), _BAND.fullmatch(now)
    if before is None or after is None or before[3] != after[3]:
        return False
    return before[1] == after[1] or before[2] == after[2]


def _renamed_axes(axes: list[_Axis]) -> dict[str, str]:
    befores, afters = ({axis.names[which] for axis in axes} for which in (0, 1))
    named = ((axis, *axis.names) for axis in axes)
    return {
        was: now
        for axis, was, now in named
        if was not in afters and now not in befores and axis.before == axis.after
    }


def _renamed(axis: _Axis) -> dict[str, str]:
    """Places that went, each with the one that came that is most like it."""
    gone = [place for place in axis.before if place not in axis.after]
    come = [place for place in axis.after if place not in axis.before]
    return best_pairs(gone, come, axis.alike)


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


def _lines(axes: list[list[str]], renamed: list[dict[str, str]]) -> dict[str, str]:
    """Rows or columns of the data, by the places that they stand at, which now are others."""
    found: dict[str, str] = {}
    for places in product(*axes):
        now = [names.get(place, place) for place, names in zip(places, renamed, strict=True)]
        if tuple(now) != places:
            found[", ".join(places)] = ", ".join(now)
    return found


def _axes(grid: Branch, side: _Side) -> dict[str, list[str]]:
    """The axes of a side, each with the keys of its places."""
    axes = grid.parts.get(side)
    parts = axes.parts if isinstance(axes, Branch) else {}
    return {name: _places(axis) for name, axis in parts.items()}


def _places(axis: Tree) -> list[str]:
    """The places of an axis; those of a die stand in a list under it."""
    if not isinstance(axis, Branch):
        return []
    faces = next(iter(axis.parts.values()), None)
    if len(axis.parts) == 1 and isinstance(faces, Branch) and faces.kind == LISTED:
        return list(faces.parts)
    return list(axis.parts)


def _titles(grid: Branch, side: _Side, index: int) -> Mapping[str, Tree]:
    axes = grid.parts.get(side)
    axis = list(axes.parts.values())[index] if isinstance(axes, Branch) else None
    return axis.parts if isinstance(axis, Branch) and axis.kind == NAMED else {}


def _cells(grid: Branch, side: _Side, index: int) -> Iterator[tuple[str, Tree]]:
    """Every cell with the place at which it stands on an axis."""
    down, across = (list(product(*_axes(grid, one).values())) for one in _SIDES)
    rows = grid.parts["data"]
    lines = list(rows.parts.values()) if isinstance(rows, Branch) else []
    for row, place in zip(lines, down, strict=False):
        cells = list(row.parts.values()) if isinstance(row, Branch) and across != [()] else [row]
        for cell, column in zip(cells, across, strict=False):
            yield (place if side == "rows" else column)[index], cell
