"""A cutout of any shape -> its pieces, its drawing, an ornament; two of them over one another."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from gettext import NullTranslations
from itertools import product
from typing import Any

from rulebook.cutouts.cone_and_burst import draw_burst, draw_cone
from rulebook.cutouts.markers import draw_markers
from rulebook.cutouts.rings import draw_arc, draw_disc
from rulebook.cutouts.stands import draw_base, draw_tray
from rulebook.cutouts.stick import draw_sleeve, draw_stick
from rulebook.drawing.elements import Contour, Drawn, Line, Number, Picture
from rulebook.drawing.layers import Look, draw_shapes, window_of
from rulebook.drawing.shapes import Caption, Drawing, Label, Shape, moved
from rulebook.drawing.small_pictures import (
    HIGHEST,
    SMALL,
    SmallPicture,
    draw_measure,
    room_above,
    room_below,
    room_beside,
)
from rulebook.drawing.svg import rounded, svg_text
from rulebook.model.cutouts import Arc, Burst, Cone, Cutout, Disc, Markers, StandBase, Tray
from rulebook.model.sticks import Sleeve, Stick
from rulebook.text_fitting import CAP_HEIGHT, text_width
from rulebook.translation import gettext, translations


def _by_middle(_: Cutout, wide: float, high: float) -> tuple[float, tuple[float, float]]:
    """Returns the pose of a cutout that is placed by its middle: a turn of 0, and its middle."""
    return 0.0, (wide / 2, high / 2)


def _by_end(_: Cutout, __: float, high: float) -> tuple[float, tuple[float, float]]:
    """Returns the pose of a cutout that is placed by its left end and points up on a map.

    It is a turn in degrees and the point of the drawing that lies at the cutout's place.
    """
    return -90.0, (0.0, high / 2)


def _by_centre(cutout: Any, wide: float, _: float) -> tuple[float, tuple[float, float]]:
    """Returns the pose of a cutout placed by the centre of its circles: turn 0, and the centre."""
    return 0.0, (wide / 2, float(cutout.reach))


@dataclass(frozen=True, slots=True)
class CutoutKind:
    """All that differs between the shapes of cutouts once the model has read them.

    `draw` draws the piece or pieces of a cutout with an imprint and, if `says_use`, the words on
    its use. `pose` returns how a cutout lies in a figure, by its width and height: the turn in
    degrees by which it points up, and the point of its drawing that is laid at its place; `named`
    says whether its captions are shown there. The shape with the highest `beauty` is used as an
    ornament, one with 0 never. Shapes that are `carried` are shown at one scale throughout a
    chapter.
    """

    draw: Callable[..., Drawing | tuple[Drawing, ...]]
    pose: Callable[[Cutout, float, float], tuple[float, tuple[float, float]]] = _by_middle
    says_use: bool = False
    named: bool = True
    carried: bool = False
    beauty: int = 0


CUTOUT_KINDS: dict[type[Cutout], CutoutKind] = {
    Cone: CutoutKind(draw_cone, _by_end, says_use=True, beauty=2),
    Burst: CutoutKind(draw_burst, beauty=4),
    Disc: CutoutKind(draw_disc, _by_centre, named=False, beauty=3),
    Arc: CutoutKind(draw_arc, _by_centre, named=False, beauty=1),
    Stick: CutoutKind(draw_stick, _by_end),
    Sleeve: CutoutKind(draw_sleeve),
    StandBase: CutoutKind(draw_base, carried=True),
    Tray: CutoutKind(draw_tray, carried=True),
    Markers: CutoutKind(draw_markers),
}


def kind_of(cutout: Cutout) -> CutoutKind:
    """Returns the entry of CUTOUT_KINDS for the shape of a cutout."""
    return CUTOUT_KINDS[type(cutout)]


def pieces(cutout: Cutout, *, imprint: str = "", use: str = "") -> tuple[Drawing, ...]:
    """Draws each piece of a cutout at true scale.

    `imprint` (ruleset and edition) is printed along an edge; `use` says in plain text how the
    cutout is laid on the table and is printed on its face where there is room. The result is
    cached, since it is the same for all papers.
    """
    return _pieces(cutout, imprint, use, translations())


@lru_cache(maxsize=128)
def _pieces(cutout: Cutout, imprint: str, use: str, _: NullTranslations) -> tuple[Drawing, ...]:
    """Draws each piece of a cutout, as `pieces`; cached by language through the last argument."""
    kind = kind_of(cutout)
    drawn = kind.draw(cutout, imprint, *((use,) if kind.says_use else ()))
    return (drawn,) if isinstance(drawn, Drawing) else drawn


def draw(cutout: Cutout, *, imprint: str = "", use: str = "") -> Drawing:
    """Draws a cutout as one drawing: its only piece, or all of its pieces in rows."""
    parts = pieces(cutout, imprint=imprint, use=use)
    return parts[0] if len(parts) == 1 else in_rows(cutout.title, parts)


#: Between two pieces, so that a knife or a laser has room, in mm.
GAP = Fraction(3)
#: As wide as upright A4 with a margin; a piece that is wider stands in a row alone.
ROW_WIDTH = Fraction(190)


#: The small picture shows each face once, and so many at the most; it is wider than high.
MOST_SHOWN = 24
PICTURE_SHAPE = 4.5
#: Of its width, the room for a line of names below each row.
NAMES_BELOW = Fraction(3, 100)


def in_rows(title: str, pieces: Sequence[Drawing]) -> Drawing:
    """Arranges pieces in one drawing, from left to right and from top to bottom.

    For its small picture each different piece is shown once.
    """
    drawn = _rows(title, pieces, ROW_WIDTH)
    shown = [piece.picture or piece for piece in dict.fromkeys(pieces)][:MOST_SHOWN]
    if len(shown) == 1:
        return replace(drawn, picture=shown[0])
    area = sum(float((piece.width + GAP) * (piece.height + GAP)) for piece in shown)
    width = Fraction(math.sqrt(PICTURE_SHAPE * area))
    return replace(drawn, picture=_rows(title, shown, width, even=True))


def _rows(
    title: str, pieces: Sequence[Drawing], row_width: Fraction, *, even: bool = False
) -> Drawing:
    """Arranges pieces in rows up to `row_width` mm wide in one drawing.

    `even` asks for about the same number of pieces in each row, and leaves room for captions below
    them.
    """
    firsts, width = [0], Fraction(0)
    for number, piece in enumerate(pieces):
        if number > firsts[-1] and width + Fraction(piece.width) > row_width:
            firsts.append(number)
            width = Fraction(0)
        width += Fraction(piece.width) + GAP
    if even:
        firsts = [-(-len(pieces) * row // len(firsts)) for row in range(len(firsts))]
    below = any(caption.place == "below" for piece in pieces for caption in piece.captions)
    names = row_width * NAMES_BELOW if even and below else Fraction(0)
    shapes: list[Shape] = []
    captions: list[Caption] = []
    widest: Number = Fraction(0)
    x, y, height = Fraction(0), Fraction(0), Fraction(0)
    for number, piece in enumerate(pieces):
        if number in firsts[1:]:
            x, y, height = Fraction(0), y + height + names + GAP, Fraction(0)
        shapes += (moved(shape, x, y) for shape in piece.shapes)
        captions += (
            replace(caption, x=caption.x + x, y=caption.y + y, high=names or caption.high)
            for caption in piece.captions
        )
        x += Fraction(piece.width)
        widest, height = max(widest, x), max(height, Fraction(piece.height))
        x += GAP
    descriptions = list(dict.fromkeys(piece.description for piece in pieces))
    high = y + height + names
    return Drawing(title, "; ".join(descriptions), widest, high, tuple(shapes), tuple(captions))


#: Half the widest line, so that none is cut at the edge, mm.
_EDGE = Fraction(2, 5)


def _lines(drawing: Drawing) -> list[Shape]:
    """Returns the shapes of a drawing that are lines, without words and filled areas."""
    return [
        shape
        for shape in drawing.shapes
        if isinstance(shape, Line) or (isinstance(shape, Contour) and shape.fill is None)
    ]


def svg_ornament(drawing: Drawing, width: Fraction, height: Fraction) -> str:
    """Draws the lines of a cutout as SVG, for a coloured ground, without words and areas.

    They are as large as a box of this width and height, in mm, allows, and turned if the box lies
    the other way.
    """
    drawn = drawing.picture or drawing
    if (drawn.width > drawn.height) != (width > height):
        drawn = drawn.turned()
    wide, high = Fraction(drawn.width), Fraction(drawn.height)
    scale = min((width - 2 * _EDGE) / wide, (height - 2 * _EDGE) / high)
    at = SmallPicture(float(scale), float(_EDGE), float(_EDGE))
    lines = at.lines(_lines(drawn), Look(lines="outline"))
    window = window_of((0, 0, wide * scale + 2 * _EDGE, high * scale + 2 * _EDGE))
    return svg_text(Picture(window, drawing.title, drawing.description, (lines,)))


#: The line that says which is which: its height, and that of the samples of lines in it, mm.
LEGEND, SAMPLE = 5.0, 8.0
#: Dashes of the old lines and the gaps between them, mm on the page.
DASH = (1.3, 0.9)


@dataclass(frozen=True, slots=True)
class Overlaid:
    """A cutout of an edition, its drawing, and the name of the edition."""

    cutout: Cutout
    drawing: Drawing
    name: str

    @property
    def place(self) -> tuple[float, float]:
        """The point of the drawing that is laid at the cutout's place on the table."""
        size = float(self.drawing.width), float(self.drawing.height)
        return kind_of(self.cutout).pose(self.cutout, *size)[1]


def svg_overlay(old: Overlaid, new: Overlaid, width_mm: float, look: Look | None = None) -> str:
    """Draws a cutout of two editions over each other, or one above the other, as SVG.

    The picture is `width_mm` wide. The old cutout has dashed lines; both have their measures.
    """
    look = replace(look or Look(), lines="small")
    if old.drawing.picture or new.drawing.picture:
        body, height = _stacked(old, new, width_mm, look)
    else:
        body, height = _over_one_another(old, new, width_mm, look)
    title = new.drawing.title
    description = gettext(
        "%(title)s: %(new)s as solid lines, %(old)s as dashed ones",
        title=title,
        new=new.name,
        old=old.name,
    )
    window = window_of((0, 0, width_mm, height))
    return svg_text(Picture(window, title, description, body))


def _over_one_another(
    before: Overlaid, after: Overlaid, width: float, look: Look
) -> tuple[Drawn, float]:
    """Draws the cut and score lines of both cutouts over each other, with their measures.

    They are laid with the same point at their place on the table. Returns the elements and the
    height of the picture in mm.
    """
    old, new = before.drawing, after.drawing
    right, down = _offset(before, after)
    left_end, top_end = min(0.0, right), min(0.0, down)
    wide = max(float(new.width), right + float(old.width)) - left_end
    high = max(float(new.height), down + float(old.height)) - top_end
    rooms = [room_beside(drawing) for drawing in (old, new)]
    scale = min((width - sum(rooms) - 1.0) / wide, HIGHEST / high, 1.0)
    left = rooms[0] + (width - sum(rooms) - scale * wide) / 2
    top = LEGEND + room_below(old) + 1.0
    box = (left, top, left + scale * wide, top + scale * high)
    body: Drawn = draw_shapes(_legend(before.name, after.name), look)
    new_at = SmallPicture(scale, left - scale * left_end, top - scale * top_end)
    old_at = SmallPicture(scale, new_at.left + scale * right, new_at.top + scale * down)
    for drawing, at, pens in ((old, old_at, _dashed(look, scale)), (new, new_at, look)):
        lines = (shape for shape in drawing.shapes if shape.layer in ("cut", "score"))
        words: list[Shape] = []
        for measure in drawing.measures:
            words += draw_measure(at, measure, box, opposite=drawing is old)
        body += (at.lines(lines, pens), *draw_shapes(words, look))
    return body, box[3] + room_below(new) + 1.5


def _offset(before: Overlaid, after: Overlaid) -> tuple[float, float]:
    """Returns how far right and down of the new drawing the old one has to lie, in mm.

    If both cutouts are placed by their middles, the offset is chosen so that most corners and
    centres of circles meet; if none do, the middles lie on each other.
    """
    poses = {kind_of(overlaid.cutout).pose for overlaid in (before, after)}
    old, new = before.drawing, after.drawing
    if poses != {_by_middle}:
        right, down = (there - here for here, there in zip(before.place, after.place, strict=True))
        return right, down
    points = {*_points(new)}
    shares = product((0.5, 0.0, 1.0), repeat=2)
    wide, high = float(new.width - old.width), float(new.height - old.height)
    offsets = [(across * wide, below * high) for across, below in shares]
    return max(offsets, key=lambda offset: len(points & {*_points(old, *offset)}))


def _points(drawing: Drawing, right: float = 0, down: float = 0) -> Iterator[tuple[float, float]]:
    """Yields the corners and circle centres of cut lines, moved `right` and `down`.

    They are rounded to a hundredth of a millimetre.
    """
    for shape in drawing.shapes:
        if isinstance(shape, Contour) and shape.layer == "cut":
            circle = shape.whole_circle
            corners = [circle[:2]] if circle else [(at.x, at.y) for at in shape.corners]
            for x, y in corners:
                yield round(float(x) + right, 2), round(float(y) + down, 2)


def _stacked(before: Overlaid, after: Overlaid, width: float, look: Look) -> tuple[Drawn, float]:
    """Draws the old cutout above the new one, with their left ends aligned.

    Returns the elements and the height of the picture in mm.
    """
    shown = [overlaid.drawing.picture or overlaid.drawing for overlaid in (before, after)]
    beside = max(map(room_beside, shown))
    widest = max(float(drawing.width) for drawing in shown)
    scale = min((width - beside - 1.0) / widest, 1.0)
    body: Drawn = ()
    y = 0.0
    for drawing, overlaid in zip(shown, (before, after), strict=True):
        at = SmallPicture(scale, 0.5, y + LEGEND + room_above(drawing))
        pens = _dashed(look, scale) if overlaid is before else look
        body += draw_shapes(_sample(overlaid.name, 0.0, y, dashed=overlaid is before), look)
        body += at.drawn(drawing, pens, look)
        y = at.y(drawing.height) + room_below(drawing) + 1.5
    return body, y


def _dashed(look: Look, scale: float) -> Look:
    """Returns the look with dashed lines; dashes have the same length on paper at any scale."""
    return replace(look, dash=tuple(rounded(length / scale) for length in DASH))


def _legend(old: str, new: str) -> Iterator[Shape]:
    """Draws a sample of a solid and of a dashed line with the editions that they stand for."""
    yield from _sample(new, 0.0, 0.0, dashed=False)
    yield from _sample(old, SAMPLE + 6.0 + text_width(new, SMALL), 0.0, dashed=True)


def _sample(name: str, x: float, y: float, *, dashed: bool) -> Iterator[Shape]:
    middle = y + 0.55 * LEGEND
    yield Line("cut", x + 0.5, middle, x + SAMPLE, middle, dashed=dashed)
    base = middle + CAP_HEIGHT * SMALL / 2
    yield Label(name, x + SAMPLE + 1.5, base, SMALL, anchor="start", weight="bold")
