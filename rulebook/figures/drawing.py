"""A figure, and the cutouts that lie in it -> its drawing, at the width of a page.

From the lowest up: ground, what is set off and laid on it, troops, lines, words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from rulebook.cutouts.shapes import kind_of, pieces
from rulebook.cutouts.stick import DARK, PAINTS, marked_bands
from rulebook.drawing.elements import Box, Drawn, Element, Group, Picture, Placing, Point
from rulebook.drawing.layers import Look, draw_shape, draw_shapes, window_of, words_of
from rulebook.drawing.shapes import Drawing, is_tint
from rulebook.drawing.small_pictures import SMALL, shown_small
from rulebook.drawing.svg import rounded
from rulebook.drawing.symbols import SIDE, symbol_paths
from rulebook.figures.bases import Base, bases, draw_base
from rulebook.figures.lettering import Lines, PanelLettering, sampled
from rulebook.maps.canvas import (
    Canvas,
    MapLook,
    circle_path,
    group,
    joined,
    lines_path,
    path,
    segments_path,
)
from rulebook.maps.features import Projection, seed_of, shapes_of
from rulebook.maps.geometry import (
    between,
    box_of,
    centroid,
    flattened,
    is_inside,
    meeting,
    quad_of,
    sides,
    smooth,
    turned,
)
from rulebook.maps.ground import draw_ground
from rulebook.model import figures as model
from rulebook.model.cutouts import Cutout
from rulebook.model.maps import Feature
from rulebook.model.ruleset import Address
from rulebook.model.sticks import Stick
from rulebook.quantities import MILLIMETRES

#: The text of the smallest booklet is so wide; a figure is no higher, and a square no wider; mm.
WIDTH, HIGHEST, WIDEST_SQUARE = 100.0, 78.0, 9.0
#: Between panels; the frame keeps off the edge of the picture by so much.
_BETWEEN, _EDGE = 4.0, 0.3
#: Widths of lines, mm.
_THIN, _LINE = 0.18, 0.35
#: Heads of arrows: how long and how wide; dots at the ends of sights; discs of notes.
_HEAD, _HEAD_WIDE, _DOT, _DISC = 2.6, 2.0, 0.65, 1.85
#: Discs stand off from what is dark behind them.
_HALO = 0.45
#: Sticks are no thinner, so that their colours are seen.
_STICK = 4.2
_BLACK, _WHITE, _SOFT = "#000000", "#ffffff", "#8a8178"
_DASH, _DOTS = (1.3, 0.9), (0.01, 0.9)


@dataclass(frozen=True, slots=True)
class PanelPlace:
    """The place of a panel on the page: its upper left corner, its size in squares, mm a square."""

    left: float
    top: float
    columns: float
    rows: float
    mm: float

    def __call__(self, spot: Sequence[Fraction | float]) -> Point:
        across, up = spot
        return self.left + float(across) * self.mm, self.top + (self.rows - float(up)) * self.mm

    @property
    def box(self) -> Box:
        bottom = self.top + self.rows * self.mm
        return self.left, self.top, self.left + self.columns * self.mm, bottom


@dataclass(frozen=True, slots=True)
class DrawnFigure:
    """The picture of a figure, and the addresses of what has no room.

    `crowded` are texts without free room, `outside` elements that do not lie wholly on their panel.
    """

    picture: Picture
    crowded: tuple[Address, ...] = ()
    outside: tuple[Address, ...] = ()


def laid_corners(
    laid: model.LaidCutout, cutout: Cutout, at: Callable[[model.Spot], Point], scale: float
) -> list[Point]:
    """Returns the corners of the box around a cutout that is laid on a figure.

    `at` converts a point of the figure to the page; `scale` is mm of the page for a mm of the
    table.
    """
    drawn, turn, (x, y) = _posed(laid, cutout)
    box = (-x, -y, float(drawn.width) - x, float(drawn.height) - y)
    corners = [(across * scale, down * scale) for across, down in quad_of(box)]
    return turned(corners, turn, at(laid.at))


def _posed(laid: model.LaidCutout, cutout: Cutout) -> tuple[Drawing, float, Point]:
    """Returns how a cutout lies in a figure: its drawing, its turn and a reference point.

    The turn is in degrees; the point is that of the drawing, in mm, which lies at the cutout's
    place.
    """
    drawn = pieces(cutout)[0]
    turn, place = kind_of(cutout).pose(cutout, float(drawn.width), float(drawn.height))
    return drawn, turn + float(laid.faces.degrees), place


def draw_figure(
    figure: model.RuleFigure,
    cutouts: Mapping[str, Cutout],
    look: Look,
    *,
    description: str = "",
    width: float = WIDTH,
) -> DrawnFigure:
    """Draws a figure with its panels; also returns the addresses of what has no room.

    `cutouts` are those that the figure names, with their marks; `width` is that of the picture in
    mm.
    """
    columns, rows = map(float, figure.size)
    pictures = figure.pictures
    room = (width - _BETWEEN * (len(pictures) - 1)) / len(pictures) - 2 * _EDGE
    mm = min(room / columns, HIGHEST / rows, WIDEST_SQUARE)
    wide = columns * mm
    left = (width - wide * len(pictures) - _BETWEEN * (len(pictures) - 1)) / 2
    numbers = iter(range(1, 100))
    drawn: list[Element] = []
    crowded, outside, bottom = [], [], _EDGE + rows * mm
    for number, panel in enumerate(pictures):
        placing = PanelPlace(left + number * (wide + _BETWEEN), _EDGE, columns, rows, mm)
        at = ("elements",) if figure.elements is not None else ("panels", number, "elements")
        drawing = _PanelDrawing(figure, placing, cutouts, look)
        for index, element in enumerate(panel.elements):
            note = next(numbers) if isinstance(element, model.FigureNote) else 0
            drawing.add(element, (*at, index), note)
            if not drawing.holds(element):
                outside.append((*at, index))
        drawn += drawing.drawn()
        crowded += drawing.crowded
        if panel.caption:
            words = Lines.from_words(f"{'abc'[number]} {panel.caption}", widest=wide)
            middle = (placing.left + wide / 2, _EDGE + rows * mm + 1.6 + words.height / 2)
            drawn += [draw_shape(label, look) for label in words.labels(middle)]
            bottom = max(bottom, words.around(middle)[3])
    window = window_of((0.0, 0.0, width, bottom + _EDGE))
    picture = Picture(window, figure.title, description, tuple(drawn))
    return DrawnFigure(picture, tuple(crowded), tuple(outside))


def notes_of(figure: model.RuleFigure) -> list[model.FigureNote]:
    """Lists the notes of a figure in the order of their numbers."""
    return [element for _, _, element in figure.placed() if isinstance(element, model.FigureNote)]


@dataclass(slots=True)
class _PanelDrawing:
    """One panel while it is drawn: what is drawn at each level, and texts placed at the end."""

    figure: model.RuleFigure
    at: PanelPlace
    cutouts: Mapping[str, Cutout]
    look: Look
    levels: list[Drawn] = field(default_factory=lambda: [()] * 5)
    features: dict[str, Feature] = field(default_factory=dict)
    wanted: list[tuple[Address, Lines, Sequence[Point]]] = field(default_factory=list)
    crowded: list[Address] = field(default_factory=list)
    standing: list[Base] = field(default_factory=list)
    lettering: PanelLettering = field(init=False)

    def __post_init__(self) -> None:
        self.lettering = PanelLettering(self.at.box)

    @property
    def full(self) -> bool:
        return self.look.ink == "full"

    @property
    def scale(self) -> float:
        """Millimetres of the page for a millimetre of the table; 0 if no square size is stated."""
        return self.at.mm / float(self.figure.square.mm) if self.figure.square else 0.0

    def drawn(self) -> Drawn:
        """Draws all elements that have been added, from the ground up, with a frame and texts."""
        box = self.at.box
        frame = path(lines_path(quad_of(box), closed=True), stroke=_SOFT, width=_THIN)
        name = f"panel-{seed_of(f'{self.figure.title} {self.at.left}'):08x}"
        words = self._words()
        below = self._ground() + (self._grid() if self.figure.grid else ())
        shown = below + joined(self.levels)
        return (Group(shown, name, window=window_of(box)), *frame, *words)

    def add(self, element: model.FigureElement, at: Address, number: int) -> None:
        """Draws an element of the figure, and records its text, which is placed at the end.

        `at` is its address in the figure, `number` its number if it is a note.
        """
        ELEMENTS[type(element)](self, element, at, number)

    def holds(self, element: model.FigureElement) -> bool:
        """Whether an element lies wholly on the panel; always true of ground, which is cut off."""
        left, top, right, bottom = self.at.box
        near = model.NEAR * self.at.mm
        return all(
            left - near <= x <= right + near and top - near <= y <= bottom + near
            for x, y in self._corners(element)
        )

    def _corners(self, element: model.FigureElement) -> Iterator[Point]:
        if isinstance(element, model.Troops):
            for base in bases(element, self.at, self.at.mm):
                yield from base.corners
        elif isinstance(element, model.LaidCutout):
            yield from laid_corners(element, self.cutouts[element.cutout], self.at, self.scale)
        else:
            yield from map(self.at, element.spots)

    def _draw(self, level: int, name: str, d: str, **pen: object) -> None:
        pen = {"stroke": _BLACK, "width": _LINE, **pen}
        self.levels[level] += group(name, path(d, **pen))  # type: ignore[arg-type]

    def _say(
        self,
        words: str | None,
        at: Address,
        places: Callable[[Lines], Sequence[Point]],
    ) -> None:
        if words:
            lines = Lines.from_words(words)
            self.wanted.append((at, lines, places(lines)))

    def _words(self) -> Drawn:
        """Places and draws the recorded texts, first those with only one possible place.

        Adds to `crowded` the address of each text that overlaps another.
        """
        drawn: list[Element] = []
        for at, lines, places in sorted(self.wanted, key=lambda item: len(item[2]) > 1):
            place, free = self.lettering.put(lines, places)
            if not free:
                self.crowded.append(at)
            drawn += self._plated(lines, place, opacity=0.7)
        return (Group(tuple(drawn), "words"),)

    # Troops.

    def _troops(self, troops: model.Troops, at: Address, _: int) -> None:
        placed = bases(troops, self.at, self.at.mm)
        drawn = (
            draw_base(troops, number, base, self.look) for number, base in enumerate(placed, 1)
        )
        name = "former" if troops.former else "troops"
        self.levels[2] += group(name, joined(drawn))
        if not troops.former:
            self.standing += placed
            for base in placed:
                self.lettering.keep(base.corners)
        box = box_of([corner for base in placed for corner in base.corners])
        turn = round(float(troops.faces.degrees) / 90) % 4
        sides = ("brla", "lbar", "arlb", "rbal")[turn]
        self._say(troops.label, at, lambda lines: lines.beside(box, sides))

    # Lines.

    def _keep_line(self, points: Sequence[Point]) -> None:
        self.lettering.taken += sampled(points)

    def _arrow(self, arrow: model.Arrow, at: Address, _: int) -> None:
        points = [self.at(spot) for spot in arrow.arrow]
        if arrow.curved and len(points) > 2:
            points = flattened(smooth(points, closed=False))
        line = _short_of(points, _HEAD * 0.8) if arrow.head else points
        if arrow.head:
            head = lines_path(_head(points), closed=True)
            self._draw(3, "head", head, fill=_BLACK, stroke="none")
        dash = _DASH if arrow.dashed else ()
        self._draw(3, "arrow", lines_path(line), width=0.45, dash=dash)
        self._keep_line(points)
        self._say(arrow.label, at, lambda lines: lines.along(points))

    def _sight(self, sight: model.Sight, at: Address, _: int) -> None:
        ends = [self.at(spot) for spot in sight.sight]
        eye, target = self._off_bases(*ends), self._off_bases(*ends[::-1])
        end = self.at(sight.blocked) if sight.blocked else target
        self._draw(3, "sight", lines_path([eye, end]), width=0.3)
        self._draw(3, "eye", circle_path(eye, _DOT), fill=_BLACK, stroke="none")
        if sight.blocked:
            arms = [turned([(-1.5, 0.0), (1.5, 0.0)], angle, end) for angle in (45.0, 135.0)]
            cross = [(start, tip) for start, tip in arms]
            rest = lines_path([end, target])
            self._draw(3, "unseen", rest, dash=_DOTS, cap="round", stroke=_SOFT)
            self._draw(3, "cross", segments_path(cross), stroke=_WHITE, width=1.5)
            self._draw(3, "cross", segments_path(cross), stroke=self.look.tone("accent"), width=0.8)
        else:
            head = lines_path(_head([eye, target], 1.9, 1.4), closed=True)
            self._draw(3, "seen", head, fill=_BLACK, stroke="none")
        self._keep_line([eye, target])
        self._say(sight.label, at, lambda lines: lines.along([eye, target]))

    def _off_bases(self, eye: Point, target: Point) -> Point:
        """Returns the point where the line from `eye` to `target` leaves the base at `eye`.

        Returns `eye` if no base is there, or if the target is on the same one.
        """
        for base in self.standing:
            if is_inside(eye, [base.corners]) and not is_inside(target, [base.corners]):
                crossed = (meeting((eye, target), side) for side in sides(base.corners))
                return between(eye, target, max(part for part in crossed if part is not None))
        return eye

    def _dimension(self, measure: model.Dimension, at: Address, _: int) -> None:
        start, end = (self.at(spot) for spot in measure.measure)
        long = math.dist(start, end) or 1.0
        across, down = (end[1] - start[1]) / long, -(end[0] - start[0]) / long
        ticks = [((x - across, y - down), (x + across, y + down)) for x, y in (start, end)]
        self._draw(3, "measure", lines_path([start, end]), width=0.25)
        self._draw(3, "ticks", segments_path(ticks), width=0.25)
        self._keep_line([start, end])
        parts = [str(measure.length) if measure.length else "", measure.label or ""]
        self._say(" ".join(filter(None, parts)), at, lambda lines: lines.along([start, end]))

    def _sweep(self, sweep: model.Sweep, at: Address, _: int) -> None:
        centre, facing = self.at(sweep.arc), float(sweep.faces.degrees)
        radius = float(sweep.radius or 0) * self.at.mm
        if sweep.reach is not None:
            radius = float(sweep.reach.mm) * self.scale
        whole = float(sweep.angle.degrees)
        count = max(2, math.ceil(whole / 3))
        rim = [
            turned([(0.0, -radius)], facing - whole / 2 + whole * number / count, centre)[0]
            for number in range(count + 1)
        ]
        d = circle_path(centre, radius) if whole >= 360 else lines_path([centre, *rim], closed=True)
        fill = self.look.shade(1) if self.full else "none"
        self._draw(1, "arc", d, fill=fill, opacity=0.75, width=0.22, dash=_DASH)
        parts = (0.8, 0.62, 0.45, 0.9)
        out = [turned([(0.0, -radius * part)], facing, centre)[0] for part in parts]
        self._say(sweep.label, at, lambda _: out)

    def _words_alone(self, element: model.FigureWords, at: Address, _: int) -> None:
        self._say(element.words, at, lambda _: [self.at(element.at)])

    def _zone(self, zone: model.MarkedZone, at: Address, _: int) -> None:
        """Draws a zone with dashed edges and records its label.

        Edges along the frame are left out, because the picture may cut the zone there.
        """
        corners = [self.at(spot) for spot in zone.zone]
        fill = self.look.shade(2) if self.full else "none"
        left, top, right, bottom = self.at.box
        ends = [
            (start, end)
            for start, end in sides(corners)
            if not any(
                abs(start[axis] - edge) < _EDGE and abs(end[axis] - edge) < _EDGE
                for axis, edge in ((0, left), (0, right), (1, top), (1, bottom))
            )
        ]
        self._draw(1, "zone", lines_path(corners, closed=True), fill=fill, stroke="none")
        self._draw(1, "border", segments_path(ends), dash=_DASH)
        self._say(zone.label, at, lambda _: [centroid(corners)])

    # Ground and what is laid on it.

    def _add_ground(self, ground: model.GroundDrawn, at: Address, _: int) -> None:
        """Records ground as a map feature, to be drawn at the end, and its label.

        In the feature, a square of the figure is one inch.
        """
        key = next(key for key in ("area", "line", "box", "oval") if getattr(ground, key))
        spots = getattr(ground, key)
        lies: object = [[f"{x}in", f"{y}in"] for x, y in spots]
        if key in ("box", "oval"):
            (x, y), (x2, y2) = spots
            centre = [f"{(x + x2) / 2}in", f"{(y + y2) / 2}in"]
            lies = {"centre": centre, "width": f"{abs(x2 - x)}in", "depth": f"{abs(y2 - y)}in"}
        name = f"{ground.ground}-{len(self.features)}"
        self.features[name] = Feature.model_validate({"draw": ground.ground, key: lies})
        points = [self.at(spot) for spot in spots]
        box = box_of(points)
        if ground.line:
            self._say(ground.label, at, lambda lines: lines.along(points))
        else:
            middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
            self._say(ground.label, at, lambda lines: [middle, *lines.beside(box, "bar")])

    def _ground(self) -> Drawn:
        if not self.features:
            return ()
        left, _, _, bottom = self.at.box
        inch = MILLIMETRES["in"]
        scale = Fraction(self.at.mm) / inch
        projection = Projection(scale, Fraction(left), Fraction(bottom), Fraction(1) * inch)
        canvas = Canvas(MapLook(self.look.ink, 1.0), 2.54, self.at.box)
        canvas.clearing.add_quads(map(quad_of, self.lettering.words))
        shapes = shapes_of(self.features, projection, self.at.box, 1.0)
        for shape in shapes:
            if shape.is_line and shape.width:
                canvas.clearing.add_strip(shape.points, shape.width + 0.8)
        return group("ground", joined(drawn.elements for drawn in draw_ground(shapes, canvas)))

    def _grid(self) -> Drawn:
        left, top, right, bottom = self.at.box
        upright = (left + number * self.at.mm for number in range(1, math.ceil(self.at.columns)))
        level = (bottom - number * self.at.mm for number in range(1, math.ceil(self.at.rows)))
        lines = [((x, top), (x, bottom)) for x in upright]
        lines += [((left, y), (right, y)) for y in level]
        return path(segments_path(lines), stroke=_SOFT, width=_THIN)

    def _laid(self, laid: model.LaidCutout, _: Address, __: int) -> None:
        cutout = self.cutouts[laid.cutout]
        if isinstance(cutout, Stick):
            self._stick(laid, cutout)
            return
        drawn, turn, (x, y) = _posed(laid, cutout)
        at, scale = self.at(laid.at), self.scale
        shapes = [shape for shape in drawn.shapes if shown_small(shape)]
        look = replace(self.look, lines="small")
        lies, origin = (rounded(at[0]), rounded(at[1])), (rounded(x), rounded(y))
        placing = Placing(*lies, rounded(turn), rounded(scale, 9), origin)
        # its tints below the figures that stand there, its lines over them
        for level, tints in ((1, True), (3, False)):
            listed = [shape for shape in shapes if is_tint(shape) == tints]
            body, opacity = draw_shapes(listed, look, scale=scale), 0.6 if tints else 1.0
            self.levels[level] += (Group(body, "cutout", placing=placing, opacity=opacity),)
        # of cones and bursts the scores; of others the names would be in the way
        for caption in drawn.captions if kind_of(cutout).named else ():
            room = 0.9 * float(caption.room) * scale
            words = caption.strong or caption.small
            size = min(3.4, room / max(Lines((words,), 1.0).width, 0.1))
            if size >= SMALL and caption.place == "inside":
                off = ((float(caption.x) - x) * scale, (float(caption.y) - y) * scale)
                middle = turned([off], turn, at)[0]
                self.levels[3] += self._plated(Lines((words,), size, bold=True), middle)

    def _plated(self, words: Lines, middle: Point, *, opacity: float = 1.0) -> Drawn:
        """Draws a text on a white plate, centred at a point."""
        box = lines_path(quad_of(words.around(middle)), closed=True)
        plate = path(box, fill=_WHITE, opacity=opacity)
        return plate + tuple(draw_shape(label, self.look) for label in words.labels(middle))

    def _stick(self, laid: model.LaidCutout, stick: Stick) -> None:
        """Draws a stick from above: its bands in their colours, or light and dark in turn.

        Letters of the bands are set in them where they have room.
        """
        scale, at, turn = self.scale, self.at(laid.at), float(laid.faces.degrees)
        half = max(_STICK, float((stick.width or stick.rod or stick.listed[0].to).mm) * scale) / 2
        if stick.width is None:
            half = _STICK / 2
        drawn: list[Element] = []
        for number, band in enumerate(marked_bands(stick, scale)):
            start, end, colour = float(band.start), float(band.end), band.colour
            corners = turned(quad_of((-half, -start, half, -end)), turn, at)
            paint = PAINTS[colour] if colour else self.look.shade(1 + number % 2)
            fill = paint if self.full else _WHITE
            drawn += path(lines_path(corners, closed=True), fill=fill, stroke=_BLACK, width=0.25)
            letter = band.letter
            if letter and end - start > Lines((letter,)).width:
                dark = self.full and colour in DARK
                near = min((start + end) / 2, start + 1.8)
                middle = turned([(0.0, -near)], turn, at)[0]
                label = next(iter(Lines((letter,), bold=True).labels(middle)))
                drawn.append(words_of(label, _WHITE if dark else _BLACK))
        self.levels[1] += group("cutout", drawn)

    def _sign(self, sign: model.Sign, _: Address, __: int) -> None:
        x, y = self.at(sign.at)
        side = float(sign.size) * self.at.mm
        colour = self.look.tone("accent")
        corner = rounded(x - side / 2), rounded(y - side / 2)
        placing = Placing(*corner, scale=rounded(side / SIDE, 9))
        drawn = symbol_paths(sign.symbol, colour)
        self.levels[3] += (Group(drawn, "symbol", placing=placing),)
        self.lettering.keep(quad_of((x - side / 2, y - side / 2, x + side / 2, y + side / 2)))

    def _note(self, note: model.FigureNote, _: Address, number: int) -> None:
        x, y = self.at(note.at)
        fill = _BLACK if self.full else _WHITE
        disc = path(circle_path((x, y), _DISC + _HALO), fill=_WHITE)
        disc += path(circle_path((x, y), _DISC), fill=fill, stroke=_BLACK, width=0.3)
        label = next(iter(Lines((str(number),), 2.7, bold=True).labels((x, y))))
        figure = words_of(label, _WHITE if self.full else _BLACK)
        self.levels[4] += group("note", (*disc, figure))
        self.lettering.words.append((x - _DISC, y - _DISC, x + _DISC, y + _DISC))


#: By the kind of an element, what draws it in its panel.
ELEMENTS: Mapping[type[model.FigureElement], Callable[..., None]] = {
    model.Troops: _PanelDrawing._troops,
    model.Arrow: _PanelDrawing._arrow,
    model.Sight: _PanelDrawing._sight,
    model.Sweep: _PanelDrawing._sweep,
    model.Dimension: _PanelDrawing._dimension,
    model.GroundDrawn: _PanelDrawing._add_ground,
    model.LaidCutout: _PanelDrawing._laid,
    model.MarkedZone: _PanelDrawing._zone,
    model.FigureNote: _PanelDrawing._note,
    model.FigureWords: _PanelDrawing._words_alone,
    model.Sign: _PanelDrawing._sign,
}


def _head(points: Sequence[Point], long: float = _HEAD, wide: float = _HEAD_WIDE) -> list[Point]:
    """Returns the corners of the arrowhead at the end of a line; `long` and `wide` are in mm."""
    tip = points[-1]
    before = _short_of(points, long)[-1]
    far = math.dist(before, tip) or 1.0
    across, down = (tip[0] - before[0]) / far, (tip[1] - before[1]) / far
    half = wide / 2
    return [
        tip,
        (before[0] - down * half, before[1] + across * half),
        (before[0] + down * half, before[1] - across * half),
    ]


def _short_of(points: Sequence[Point], off: float) -> list[Point]:
    """Returns a line without the last `off` of its length."""
    kept = list(points)
    while len(kept) > 2 and math.dist(kept[-2], kept[-1]) < off:
        off -= math.dist(kept[-2], kept[-1])
        kept.pop()
    before, last = kept[-2:]
    part = 1 - off / (math.dist(before, last) or 1.0)
    return [*kept[:-1], between(before, last, max(0.0, part))]
