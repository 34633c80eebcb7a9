"""A drawing of a cutout -> its words, and whether they stay on it."""

from read_svg import read_svg

from rulebook.drawing.shapes import Drawing, Label, bounds
from rulebook.drawing.svg import svg_miniature


def labels(drawing: Drawing) -> list[Label]:
    return [one for one in drawing.shapes if isinstance(one, Label)]


def expect_words_on(drawing: Drawing, slack: float) -> None:
    """No word leaves the drawing by more than so many millimetres, and its small picture is one."""
    for label in labels(drawing):
        left, top, right, bottom = (float(side) for side in bounds(label))
        assert left >= -slack and right <= float(drawing.width) + slack, label
        assert top >= -slack and bottom <= float(drawing.height) + slack, label
    read_svg(svg_miniature(drawing, 60))
