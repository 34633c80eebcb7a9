"""Points, matrices and windows of a page, for those that read what is drawn on it."""

Point = tuple[float, float]
Window = tuple[float, ...]
#: a, b, c, d, e, f: (x, y) comes to (a x + c y + e, b x + d y + f), in PDF and in SVG.
Matrix = tuple[float, float, float, float, float, float]
EVERYWHERE = (-1e9, -1e9, 1e9, 1e9)


def place(point: Point, matrix: Matrix) -> Point:
    (x, y), (a, b, c, d, e, f) = point, matrix
    return a * x + c * y + e, b * x + d * y + f


def times(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix that applies the inner one first."""
    a, b, c, d, *middle = inner
    still: Matrix = (*outer[:4], 0, 0)
    return (*place((a, b), still), *place((c, d), still), *place((middle[0], middle[1]), outer))


def seen(one: Point, other: Point, window: Window) -> tuple[Point, Point] | None:
    """The part of a line in a window (left, top, right, bottom), by Liang and Barsky."""
    first, last = 0.0, 1.0
    x, y = other[0] - one[0], other[1] - one[1]
    for start, step, low, high in zip(one, (x, y), window[:2], window[2:], strict=True):
        if step == 0:
            if not low <= start <= high:
                return None
            continue
        ends = sorted(((low - start) / step, (high - start) / step))
        first, last = max(first, ends[0]), min(last, ends[1])
    if (first, last) == (0, 1):
        return one, other
    if first > last:
        return None
    return (one[0] + first * x, one[1] + first * y), (one[0] + last * x, one[1] + last * y)
