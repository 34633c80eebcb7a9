"""Pieces of a sheet and how high they are -> the pages that they fill, none fuller than need be.

A page that begins in the middle of something says so once more at its head, which takes room.
"""

from __future__ import annotations

from collections.abc import Sequence

#: A page that begins in the middle of something is as bad as one that is half empty.
_MIDDLE = 0.25


def even_parts(whole: int, most: int) -> list[range]:
    """So many things in as few parts as may be, none larger than `most`, as even as may be."""
    parts = max(1, -(-whole // most))
    edges = [whole * number // parts for number in range(parts + 1)]
    return [range(edges[n], edges[n + 1]) for n in range(parts)]


def fill_pages(heights: Sequence[float], again: Sequence[float], room: float) -> list[range]:
    """The pieces of each page: as few pages as may be, and of these the best.

    Best are pages alike full, that begin something. `again` is how high the head is that stands
    above a piece where it is the first of a page and begins nothing; 0 where it does. A piece that
    is higher than a page has one to itself.
    """
    best: list[tuple[int, float, int]] = [(0, 0.0, 0)]
    for end in range(1, len(heights) + 1):
        found: list[tuple[int, float, int]] = []
        used = 0.0
        for first in range(end - 1, -1, -1):
            used += heights[first]
            whole = used + (again[first] if first else 0.0)
            if used > room and first < end - 1:
                break
            if whole > room and first < end - 1:
                continue
            count, cost, _ = best[first]
            middle = _MIDDLE if first and again[first] else 0.0
            found.append((count + 1, cost + (1 - whole / room) ** 2 + middle, first))
        best.append(min(found))
    pages: list[range] = []
    end = len(heights)
    while end:
        pages.insert(0, range(best[end][2], end))
        end = best[end][2]
    return pages
