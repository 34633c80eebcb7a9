"""An area and the id of its feature -> the places of its trees or tufts, the same on every machine.

Places on a lattice of triangles, each moved a little by a number drawn from the id and the place in
the lattice: even as blue noise is, without rows that the eye finds. Nothing here is random.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator

from rulebook.maps.geometry import Point, Ring, box_of

_MASK = 2**64 - 1
#: How far a place is moved, as a part of the pitch.
JITTER = 0.32


def seed_of(name: str) -> int:
    return zlib.crc32(name.encode("utf-8"))


def drawn(seed: int, *keys: int) -> float:
    """A number from 0 to below 1 for a seed and some keys (splitmix64, Steele et al. 2014)."""
    state = seed
    for key in keys:
        state = (state * 0x100000001B3 + key + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        state ^= state >> 31
    return (state >> 11) / 2**53


def scattered(
    ring: Ring, pitch: float, seed: int, *, jitter: float = JITTER
) -> Iterator[tuple[Point, float]]:
    """Places in the box of a ring, row by row from the top, each with a number from 0 to 1.

    Whether a place is inside, and far enough from the outline, the caller asks.
    """
    left, top, right, bottom = box_of(ring)
    high = pitch * math.sqrt(3) / 2
    for row in range(math.floor(top / high), math.ceil(bottom / high) + 1):
        shift = pitch / 2 if row % 2 else 0.0
        for column in range(math.floor(left / pitch) - 1, math.ceil(right / pitch) + 1):
            x = column * pitch + shift + (drawn(seed, row, column, 1) - 0.5) * 2 * jitter * pitch
            y = row * high + (drawn(seed, row, column, 2) - 0.5) * 2 * jitter * pitch
            yield (x, y), drawn(seed, row, column, 3)
