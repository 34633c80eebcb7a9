"""Two editions of a table -> whether their cells can be laid beside each other, and how alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulebook.revisions.keyed import Branch, Tree

#: So many cells that are the same tell a row or a column again.
LEAST_CELLS = 3


def is_grid(table: Branch) -> bool:
    return {"rows", "cells", "data"} <= table.parts.keys()


def other_axes(old: Branch, new: Branch) -> bool:
    """Whether a grid has more axes or fewer on a side, so that no cell is one of the other."""
    if not is_grid(old) or not is_grid(new):
        return False
    return any(_axes(old, side) != _axes(new, side) for side in ("rows", "columns"))


def _axes(grid: Branch, side: str) -> int:
    axes = grid.parts.get(side)
    return len(axes.parts) if isinstance(axes, Branch) else 0


def cells_alike(cells: list[tuple[Tree, Tree]]) -> float:
    """How many pairs of cells are the same, of 1; 0 if not half of them, or too few."""
    told = [(before, after) for before, after in cells if before is not None or after is not None]
    same = sum(before == after for before, after in told)
    return same / len(told) if same >= LEAST_CELLS and 2 * same > len(told) else 0


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
