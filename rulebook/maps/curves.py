"""Points that an author gives -> smooth curves through all of them.

Centripetal Catmull-Rom splines (Yuksel, Schaefer and Keyser, Parameterization and Applications of
Catmull-Rom Curves, 2011) as pieces of Bezier: they pass through every point, and never make a loop
or a cusp of their own within a piece.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rulebook.maps.geometry import Point, Track, between, distance

#: Start, two control points, end.
Piece = tuple[Point, Point, Point, Point]

#: Straight lines for a piece of curve; enough that no corner is seen at any size of print.
FLAT_STEPS = 8
_SAME = 1e-6


def smooth(points: Sequence[Point], *, closed: bool) -> list[Piece]:
    """The pieces of a curve from point to point; closed, the last leads back to the first."""
    kept = list(Track.of(points).points)
    if closed and len(kept) > 1 and distance(kept[0], kept[-1]) < _SAME:
        kept.pop()
    if len(kept) < 2 or (closed and len(kept) < 3):
        return []
    if closed:
        around = [kept[-1], *kept, kept[0], kept[1]]
    else:
        around = [_mirrored(kept[1], kept[0]), *kept, _mirrored(kept[-2], kept[-1])]
    quads = zip(around, around[1:], around[2:], around[3:], strict=False)
    return [_piece(*four) for four in quads]


def straight(points: Sequence[Point], *, closed: bool) -> list[Piece]:
    """The same points joined by straight lines."""
    kept = [*points, points[0]] if closed else list(points)
    pairs = pairwise(kept)
    return [(one, one, other, other) for one, other in pairs if distance(one, other) > _SAME]


def rounded(points: Sequence[Point], part: float) -> list[Piece]:
    """An outline with its corners rounded off, from so large a part of its shortest side on.

    The curve stays within the corners, so that it fills the squares whose outline it is.
    """
    around = [points[-1], *points, points[0]]
    reach = part * min(distance(one, other) for one, other in pairwise(around))
    pieces: list[Piece] = []
    for before, corner, after in zip(around, around[1:], around[2:], strict=False):
        start = between(corner, before, reach / distance(before, corner))
        end = between(corner, after, reach / distance(corner, after))
        if pieces:
            last = pieces[-1][3]
            pieces.append((last, last, start, start))
        pieces.append((start, between(start, corner, 0.55), between(end, corner, 0.55), end))
    first, last = pieces[0][0], pieces[-1][3]
    return [*pieces, (last, last, first, first)]


def flattened(
    pieces: Sequence[Piece], *, closed: bool = False, steps: int = FLAT_STEPS
) -> list[Point]:
    """Points along a curve, close enough to stand for it; a closed one does not repeat its first.

    Straight pieces keep their ends alone.
    """
    if not pieces:
        return []
    points = [pieces[0][0]]
    for piece in pieces:
        points += _flat(piece, steps)
    return points[:-1] if closed else points


def _flat(piece: Piece, steps: int) -> Iterator[Point]:
    start, one, other, end = piece
    if start == one and other == end:
        yield end
        return
    for step in range(1, steps + 1):
        part = step / steps
        rest = 1 - part
        weights = (rest**3, 3 * rest**2 * part, 3 * rest * part**2, part**3)
        yield (
            sum(weight * point[0] for weight, point in zip(weights, piece, strict=True)),
            sum(weight * point[1] for weight, point in zip(weights, piece, strict=True)),
        )


def _mirrored(point: Point, about: Point) -> Point:
    return 2 * about[0] - point[0], 2 * about[1] - point[1]


def _piece(before: Point, start: Point, end: Point, after: Point) -> Piece:
    first, second, third = (
        math.sqrt(max(distance(one, other), _SAME))
        for one, other in ((before, start), (start, end), (end, after))
    )
    one = _handle(before, start, end, first, second)
    other = _handle(after, end, start, third, second)
    return start, one, other, end


def _handle(before: Point, at: Point, after: Point, near: float, far: float) -> Point:
    """The control point beside `at`, on the side of `after`."""
    x, y = (
        (
            near * near * after[i]
            - far * far * before[i]
            + (2 * near**2 + 3 * near * far + far**2) * at[i]
        )
        / (3 * near * (near + far))
        for i in (0, 1)
    )
    return x, y


def ellipse(centre: Point, width: float, depth: float, turn: float) -> list[Piece]:
    """An oval in four pieces; turned by degrees, clockwise where y runs down.

    Off by 3 parts in 10,000 of its radius at most.
    """
    handle = 4 / 3 * math.tan(math.pi / 8)
    across, up = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def place(x: float, y: float) -> Point:
        x, y = x * width / 2, y * depth / 2
        return centre[0] + x * across - y * up, centre[1] + x * up + y * across

    corners = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
    pieces = []
    for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        controls = (x1 + handle * x2, y1 + handle * y2), (x2 + handle * x1, y2 + handle * y1)
        pieces.append((place(x1, y1), place(*controls[0]), place(*controls[1]), place(x2, y2)))
    return pieces
