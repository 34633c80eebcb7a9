"""A drawing of a cutout -> its lines by what they are, its words, and whether they stay on it."""

from read_svg import read_svg

from rulebook.drawing.elements import Contour, ExactPoint, Layer, Number
from rulebook.drawing.shapes import Drawing, Label, bounds
from rulebook.drawing.small_pictures import miniature


def labels(drawing: Drawing) -> list[Label]:
    return [one for one in drawing.shapes if isinstance(one, Label)]


def contours(drawing: Drawing, *layers: Layer) -> list[Contour]:
    return [one for one in drawing.shapes if isinstance(one, Contour) and one.layer in layers]


def circles(drawing: Drawing, *layers: Layer) -> list[tuple[Number, Number, Number]]:
    """The middle and the radius of each."""
    halves = [
        one.corners
        for one in contours(drawing, *layers)
        if one.closed and [corner.turn for corner in one.corners] == [180, 180]
    ]
    return [((a.x + b.x) / 2, (a.y + b.y) / 2, abs(a.x - b.x) / 2) for a, b in halves]


def arrows(drawing: Drawing) -> list[list[ExactPoint]]:
    """The points of filled marks on the face, the tip first."""
    return [points(one) for one in contours(drawing, "engrave") if one.fill == "accent"]


def points(contour: Contour) -> list[ExactPoint]:
    return [(one.x, one.y) for one in contour.corners]


def expect_words_on(drawing: Drawing, slack: float) -> None:
    """No word leaves the drawing by more than so many millimetres, and its small picture is one."""
    for label in labels(drawing):
        left, top, right, bottom = (float(side) for side in bounds(label))
        assert left >= -slack and right <= float(drawing.width) + slack, label
        assert top >= -slack and bottom <= float(drawing.height) + slack, label
    read_svg(miniature(drawing, 60))
