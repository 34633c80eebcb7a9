"""Points -> areas, distances, cuts, hatchings and curves of the plane, in any length unit.

Rings are closed without a repeated point. What is inside is known by the even-odd rule, so that a
ring that crosses itself, or holes given as further rings, do no harm.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulebook.drawing.elements import Box, Point

Ring = Sequence[Point]
Segment = tuple[Point, Point]
Quad = tuple[Point, Point, Point, Point]

_TINY = 1e-9


def between(start: Point, end: Point, part: float) -> Point:
    """Interpolates between two points; `part` 0 is the start, 1 the end."""
    return (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)


def box_of(points: Sequence[Point]) -> Box:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def boxes_meet(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def quad_of(box: Box) -> Quad:
    left, top, right, bottom = box
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def turned(points: Iterable[Point], angle: float, at: Point = (0.0, 0.0)) -> list[Point]:
    """Turns points about (0, 0) by degrees, clockwise where y runs down, and moves them by `at`."""
    across, down = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return [(at[0] + x * across - y * down, at[1] + x * down + y * across) for x, y in points]


def turned_quad(at: Point, box: Box, angle: float) -> Quad:
    """Returns a box, given relative to the point `at`, turned by degrees about that point."""
    first, second, third, fourth = turned(quad_of(box), angle, at)
    return first, second, third, fourth


def in_box(quad: Quad, box: Box) -> bool:
    left, top, right, bottom = box_of(quad)
    return box[0] <= left and right <= box[2] and box[1] <= top and bottom <= box[3]


def holds(quad: Quad, point: Point) -> bool:
    """Whether a point lies in a quad or on its edge, in whichever direction its corners go."""
    x, y = point
    x1, y1 = quad[-1]
    left = right = False
    for x2, y2 in quad:
        turn = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
        left, right = left or turn < 0, right or turn > 0
        x1, y1 = x2, y2
    return not (left and right)


def sides(ring: Ring) -> Iterator[Segment]:
    """Yields the sides of a ring: each point with the next, the last with the first."""
    yield from zip(ring, (*ring[1:], *ring[:1]), strict=True)


def signed_area(ring: Ring) -> float:
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in sides(ring)) / 2


def centroid(ring: Ring) -> Point:
    """Computes the centre of gravity of an area, or the mean of its points if it has no extent."""
    area = signed_area(ring)
    left, low, right, high = box_of(ring)
    if abs(area) < _TINY * max(1.0, (right - left) * (high - low)):
        return sum(x for x, _ in ring) / len(ring), sum(y for _, y in ring) / len(ring)
    x = sum((x1 + x2) * (x1 * y2 - x2 * y1) for (x1, y1), (x2, y2) in sides(ring))
    y = sum((y1 + y2) * (x1 * y2 - x2 * y1) for (x1, y1), (x2, y2) in sides(ring))
    return x / (6 * area), y / (6 * area)


def is_inside(point: Point, rings: Sequence[Ring]) -> bool:
    # Each point is looked at once, without `sides`: this is half of what symbols take.
    x, y = point
    odd = False
    for ring in filter(None, rings):
        x1, y1 = ring[-1]
        was_over = y1 > y
        for x2, y2 in ring:
            over = y2 > y
            if over != was_over and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
                odd = not odd
            x1, y1, was_over = x2, y2, over
    return odd


def to_segment(point: Point, start: Point, end: Point) -> tuple[float, float]:
    """Returns the distance of a point from a segment, and where on it the nearest point lies.

    The latter is a part of the way from start to end, 0 to 1.
    """
    across, up = end[0] - start[0], end[1] - start[1]
    square = across * across + up * up
    if square < _TINY * _TINY:
        return math.dist(point, start), 0.0
    part = ((point[0] - start[0]) * across + (point[1] - start[1]) * up) / square
    part = min(1.0, max(0.0, part))
    return math.dist(point, (start[0] + part * across, start[1] + part * up)), part


def meeting(crossed: Segment, crossing: Segment) -> float | None:
    """Returns where the second segment crosses the first, as a part of the first, 0 to 1.

    Returns None if they do not cross or are parallel.
    """
    (x1, y1), (x2, y2) = crossed
    (x3, y3), (x4, y4) = crossing
    turn = (x2 - x1) * (y4 - y3) - (y2 - y1) * (x4 - x3)
    if abs(turn) < _TINY:
        return None
    part = ((x3 - x1) * (y4 - y3) - (y3 - y1) * (x4 - x3)) / turn
    on_other = ((x3 - x1) * (y2 - y1) - (y3 - y1) * (x2 - x1)) / turn
    return part if 0 <= part <= 1 and 0 <= on_other <= 1 else None


def hatching(rings: Sequence[Ring], angle: float, pitch: float) -> Iterator[Segment]:
    """Yields parallel lines across the area within rings, `pitch` apart.

    `angle` is that of the lines, in degrees from the x axis. The lines of two areas with the same
    angle and pitch continue each other.
    """
    level = [turned(ring, -angle) for ring in rings]
    low = min(y for ring in level for _, y in ring)
    high = max(y for ring in level for _, y in ring)
    for step in range(math.ceil(low / pitch), math.floor(high / pitch) + 1):
        y = step * pitch
        for first, last in _crossed(level, y):
            start, end = turned([(first, y), (last, y)], angle)
            yield start, end


def _crossed(rings: Sequence[Ring], y: float) -> Iterator[tuple[float, float]]:
    """Yields the spans of the horizontal line at `y` that lie inside some rings, as pairs of x."""
    met = sorted(
        x1 + (y - y1) / (y2 - y1) * (x2 - x1)
        for ring in rings
        for (x1, y1), (x2, y2) in sides(ring)
        if (y1 > y) != (y2 > y)
    )
    yield from zip(met[::2], met[1::2], strict=False)


def half_of(ring: Ring, at: Point, angle: float) -> list[Point]:
    """Returns the part of a ring to the left of a line (Sutherland and Hodgman, 1974).

    The line runs through the point `at` in the direction `angle`, in degrees; y runs up.
    """
    across, up = math.cos(math.radians(angle)), math.sin(math.radians(angle))

    def side_of(point: Point) -> float:
        return across * (point[1] - at[1]) - up * (point[0] - at[0])

    kept: list[Point] = []
    for start, end in sides(ring):
        here, there = side_of(start), side_of(end)
        if here >= 0:
            kept.append(start)
        if (here >= 0) != (there >= 0):
            kept.append(between(start, end, here / (here - there)))
    return kept


def main_direction(ring: Ring) -> float:
    """Computes the direction in which an area is longest, in degrees from -90 to 90.

    It is that of the principal axis. Returns 0 for an area that has none, such as a circle.
    """
    x0, y0 = centroid(ring)
    xx = yy = xy = 0.0
    for (x1, y1), (x2, y2) in sides([(x - x0, y - y0) for x, y in ring]):
        part = x1 * y2 - x2 * y1
        xx += part * (x1 * x1 + x1 * x2 + x2 * x2)
        yy += part * (y1 * y1 + y1 * y2 + y2 * y2)
        xy += part * (2 * x1 * y1 + x1 * y2 + x2 * y1 + 2 * x2 * y2) / 2
    if signed_area(ring) < 0:
        xx, yy, xy = -xx, -yy, -xy
    if abs(xy) < _TINY * (abs(xx) + abs(yy)) and abs(xx - yy) < 1e-6 * (abs(xx) + abs(yy)):
        return 0.0
    return math.degrees(math.atan2(2 * xy, xx - yy)) / 2


@dataclass(frozen=True, slots=True)
class MeasuredLine:
    """A line through points; `reached` has each point's distance along the line from its start."""

    points: tuple[Point, ...]
    reached: tuple[float, ...]

    @classmethod
    def from_points(cls, points: Sequence[Point]) -> MeasuredLine:
        """Makes a line without repeated points; a line of a single point has no length."""
        kept = [points[0]]
        kept += (b for a, b in pairwise(points) if math.dist(a, b) > _TINY)
        reached = [0.0]
        for start, end in pairwise(kept):
            reached.append(reached[-1] + math.dist(start, end))
        return cls(tuple(kept), tuple(reached))

    @property
    def length(self) -> float:
        return self.reached[-1]

    def at(self, way: float) -> tuple[Point, float]:
        """Returns the point at a distance along the line, and the direction there in radians."""
        if len(self.points) == 1:
            return self.points[0], 0.0
        index = min(max(bisect_right(self.reached, way) - 1, 0), len(self.points) - 2)
        start, end = self.points[index], self.points[index + 1]
        part = (way - self.reached[index]) / (self.reached[index + 1] - self.reached[index])
        return between(start, end, part), math.atan2(end[1] - start[1], end[0] - start[0])

    def nearest(self, point: Point) -> tuple[float, float]:
        """Returns the distance of a point from the line, and the nearest point's place along it.

        The latter is the distance from the start of the line.
        """
        if len(self.points) == 1:
            return math.dist(point, self.points[0]), 0.0
        best = (math.inf, 0.0)
        for index, (start, end) in enumerate(pairwise(self.points)):
            away, part = to_segment(point, start, end)
            if away < best[0]:
                gone = self.reached[index]
                best = away, gone + part * (self.reached[index + 1] - gone)
        return best

    def beside(self, way: float, side: float) -> Point:
        """Returns the point `way` along the line and `side` to its right, where y runs down."""
        (x, y), angle = self.at(way)
        return x - side * math.sin(angle), y + side * math.cos(angle)

    def steps(self, pitch: float, start: float = 0.0) -> Iterator[float]:
        """Yields evenly spaced distances along the line, about `pitch` apart, from `start` on.

        The last is the length of the line. Yields nothing if `start` is at the end or beyond it.
        """
        room = self.length - start
        count = max(1, round(room / pitch)) if room > 0 else 0
        yield from (start + room * index / count for index in range(count + 1) if count)


def ribbon(track: MeasuredLine, widths: Sequence[float]) -> list[Point]:
    """Returns the outline of a strip along a line; `widths` are its widths at the line's points."""
    sides_of: tuple[list[Point], list[Point]] = ([], [])
    last = len(track.points) - 1
    for index, ((x, y), width) in enumerate(zip(track.points, widths, strict=True)):
        before = track.points[max(index - 1, 0)]
        after = track.points[min(index + 1, last)]
        long = math.dist(before, after) or 1.0
        right = (-(after[1] - before[1]) / long, (after[0] - before[0]) / long)
        for side, sign in zip(sides_of, (1, -1), strict=True):
            side.append((x + sign * right[0] * width / 2, y + sign * right[1] * width / 2))
    return [*sides_of[0], *reversed(sides_of[1])]


#: Start, two control points, end.
Piece = tuple[Point, Point, Point, Point]

#: Straight lines for a piece of curve; enough that no corner is seen at any size of print.
FLAT_STEPS = 8
_SAME = 1e-6


def smooth(points: Sequence[Point], *, closed: bool) -> list[Piece]:
    """Makes a smooth curve through points; if `closed`, its last piece leads back to the first.

    Returns nothing for too few points. The pieces are centripetal Catmull-Rom splines (Yuksel,
    Schaefer and Keyser, Parameterization and Applications of Catmull-Rom Curves, 2011) as Bezier
    curves: they pass through every point, and never make a loop or a cusp of their own within a
    piece.
    """
    kept = list(MeasuredLine.from_points(points).points)
    if closed and len(kept) > 1 and math.dist(kept[0], kept[-1]) < _SAME:
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
    """Makes straight pieces from point to point; if `closed`, the last leads back to the first."""
    kept = [*points, points[0]] if closed else list(points)
    pairs = pairwise(kept)
    return [(start, start, end, end) for start, end in pairs if math.dist(start, end) > _SAME]


def rounded(points: Sequence[Point], part: float) -> list[Piece]:
    """Rounds the corners of an outline; `part` of its shortest side is cut off at each of them.

    The curve stays within the corners, so that it fills the squares whose outline it is.
    """
    around = [points[-1], *points, points[0]]
    reach = part * min(math.dist(start, end) for start, end in pairwise(around))
    pieces: list[Piece] = []
    for before, corner, after in zip(around, around[1:], around[2:], strict=False):
        start = between(corner, before, reach / math.dist(before, corner))
        end = between(corner, after, reach / math.dist(corner, after))
        if pieces:
            last = pieces[-1][3]
            pieces.append((last, last, start, start))
        pieces.append((start, between(start, corner, 0.55), between(end, corner, 0.55), end))
    first, last = pieces[0][0], pieces[-1][3]
    return [*pieces, (last, last, first, first)]


def flattened(
    pieces: Sequence[Piece], *, closed: bool = False, steps: int = FLAT_STEPS
) -> list[Point]:
    """Approximates a curve by points, `steps` for each piece and only the ends of straight ones.

    If the curve is `closed`, the first point is not repeated at the end.
    """
    if not pieces:
        return []
    points = [pieces[0][0]]
    for piece in pieces:
        points += _flat(piece, steps)
    return points[:-1] if closed else points


def _flat(piece: Piece, steps: int) -> Iterator[Point]:
    start, leaving, arriving, end = piece
    if start == leaving and arriving == end:
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
        math.sqrt(max(math.dist(here, there), _SAME))
        for here, there in ((before, start), (start, end), (end, after))
    )
    leaving = _handle(before, start, end, first, second)
    arriving = _handle(after, end, start, third, second)
    return start, leaving, arriving, end


def _handle(before: Point, at: Point, after: Point, near: float, far: float) -> Point:
    """Computes the control point of a spline at the point `at`, on the side of `after`.

    `near` and `far` are the square roots of the distances to `before` and `after`.
    """
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
    """Makes an ellipse of four curves, turned by degrees, clockwise where y runs down.

    It differs from a true ellipse by 3 parts in 10,000 of its radius at most.
    """
    handle = 4 / 3 * math.tan(math.pi / 8)
    pieces = []
    for (x1, y1), (x2, y2) in sides(((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))):
        controls = (x1 + handle * x2, y1 + handle * y2), (x2 + handle * x1, y2 + handle * y1)
        flat = [(x * width / 2, y * depth / 2) for x, y in ((x1, y1), *controls, (x2, y2))]
        start, leaving, arriving, end = turned(flat, turn, centre)
        pieces.append((start, leaving, arriving, end))
    return pieces


#: Of an outline that is bent: waves around it with their heights, and its corners.
_WAVES = ((2, 0.03), (3, 0.04), (5, 0.025))
_CORNERS = 22


def wave(part: float, seed: int) -> float:
    """Computes a periodic wave, -1 to 1, at a `part` of the way around, 0 to 1.

    The `seed` determines the phases of its components.
    """
    whole = sum(high for _, high in _WAVES)
    return (
        sum(
            high * math.sin(2 * math.pi * (count * part + (seed >> 7 * index) % 97 / 97))
            for index, (count, high) in enumerate(_WAVES)
        )
        / whole
    )


def bent_oval(centre: Point, width: float, depth: float, turn: float, seed: int) -> list[Piece]:
    """Draws an oval with irregular bends that fills a box of `width` by `depth`, turned by degrees.

    The `seed` determines the bends. The oval is turned about its centre, clockwise where y runs
    down.
    """
    deep = sum(high for _, high in _WAVES)
    corners = []
    for number in range(_CORNERS):
        part = number / _CORNERS
        reach, angle = 1 - deep * (1 - wave(part, seed)), 2 * math.pi * part
        corners.append((reach * math.cos(angle), reach * math.sin(angle)))
    left, top, right, bottom = box_of(flattened(smooth(corners, closed=True), closed=True))
    across, down = width / (right - left), depth / (bottom - top)
    level = [((x - left) * across - width / 2, (y - top) * down - depth / 2) for x, y in corners]
    return smooth(turned(level, turn, centre), closed=True)
