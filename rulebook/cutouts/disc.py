"""A disc, such as that of a blast -> its drawing: a circle with rings and a mark at its centre.

Above the centre each ring has its words, below it stand title and size. A disc that is too wide
to be laid among troops is drawn as a wedge of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rulebook.cutouts import ring_words
from rulebook.cutouts.ring_words import Block, Room, Zone, zones
from rulebook.cutouts.wedge import Face, draw_wedge
from rulebook.drawing.shapes import Caption, Circle, Drawing, Line, Measure, Shape
from rulebook.model.cutouts.round import Disc
from rulebook.quantities import format_number

#: The hole at the centre, for a pin, and the arms of the small cross around it, mm.
HOLE, ARM = Fraction(3, 4), Fraction(4)
#: Lines of measures below the small picture.
MOST_MEASURES = 3


def draw_disc(disc: Disc, *, imprint: str = "", use: str = "") -> Drawing:
    """The disc at true scale, or a wedge of it; `use` stands on its sheet."""
    del use
    if (sweep := disc.wedge) is not None:
        told = f"A wedge of {format_number(sweep)}° of a disc, {disc.told}"
        large = str(disc.radius) if disc.radius is not None else disc.told
        face = Face(disc.title, large, disc.title, disc.told, told, imprint)
        return draw_wedge(disc, sweep, disc.rings, face)
    radius = disc.reach
    found = zones(disc, disc.rings)
    at = (radius, radius)
    shapes: list[Shape] = [
        ring_words.tint(zone, at, Fraction(180), ring_words.shade(number, len(found)))
        for number, zone in reversed(list(enumerate(found)))
    ]
    shapes.append(Circle("cut", radius, radius, radius))
    shapes += (Circle("score", *at, zone.outer) for zone in found if zone.outer < radius)
    shapes.append(Circle("cut", *at, min(HOLE, radius / 20)))
    above = _ring_blocks(disc, found)
    below = _title_block(disc, found, imprint)
    for block in (*above, *below):
        shapes += block.labels
    shapes += _cross(disc, above, below)
    listed = [
        f"{ring.name}, {ring.told}" + ("" if ring.target is None else f", {ring.target}")
        for ring in disc.rings
    ]
    return Drawing(
        title=disc.title,
        description="; ".join([f"A disc, {disc.told}", *listed]),
        width=2 * radius,
        height=2 * radius,
        shapes=tuple(shapes),
        captions=tuple(_captions(disc, found)),
        measures=tuple(_measures(disc)),
    )


def _room(zone: Zone) -> Room:
    """Within the innermost ring the words keep away from the mark at the centre."""
    inner = float(zone.inner) or min(2.0, float(zone.outer) / 6)
    return Room(inner, float(zone.outer), 180.0)


def _ring_blocks(disc: Disc, found: Sequence[Zone]) -> list[Block]:
    at = (disc.reach, disc.reach)
    blocks = [
        ring_words.block(ring_words.lines_of(zone.ring), _room(zone), at)
        for zone in found
        if zone.ring is not None
    ]
    return [block for block in blocks if block is not None]


def _title_block(disc: Disc, found: Sequence[Zone], imprint: str) -> list[Block]:
    """Title, size and imprint, in the zone below the centre that takes most of them."""
    at = (disc.reach, disc.reach)
    lines = [
        ring_words.Line(disc.title, 1.0, "bold"),
        ring_words.Line(disc.told, ring_words.SMALL),
        ring_words.Line(imprint, 0.6),
    ]
    lines = [line for line in lines if line.text]
    set_in = [ring_words.block(lines, _room(zone), at, below=True) for zone in reversed(found)]
    blocks = [block for block in set_in if block is not None]
    return [max(blocks, key=lambda block: len(block.labels))] if blocks else []


def _cross(disc: Disc, above: Sequence[Block], below: Sequence[Block]) -> Iterator[Shape]:
    """A small cross at the centre, or lines across with gaps where words stand."""
    centre = disc.reach
    arm = centre if disc.cross else min(ARM, centre / 6)
    yield Line("engrave", centre - arm, centre, centre + arm, centre)
    for blocks, way in ((above, -1), (below, 1)):
        start = 0.0
        ends = [(block.low - 1, block.high + 1) for block in blocks if block.low - 1 < arm]
        for low, high in [*ends, (float(arm), float(arm))]:
            if low > start:
                y1, y2 = float(centre) + way * start, float(centre) + way * low
                yield Line("engrave", centre, y1, centre, y2)
            start = max(start, high)


def _captions(disc: Disc, found: Sequence[Zone]) -> Iterator[Caption]:
    yield from ring_words.captions(found, (disc.reach, disc.reach), 180.0)
    if not disc.rings:
        yield Caption("", disc.title, disc.reach, disc.reach * Fraction(7, 5), disc.reach * 8 / 5)


def _measures(disc: Disc) -> Iterator[Measure]:
    """The whole and the innermost rings, from the centre if the author gave the radius."""
    centre = disc.reach
    inside = [ring for ring in disc.rings if ring.reach < centre][: MOST_MEASURES - 1]
    for level, round_one in enumerate((*inside, disc)):
        name, given = round_one.stated
        start = centre if name == "radius" else centre - round_one.reach
        yield Measure("x", start, centre + round_one.reach, str(given), centre, level=level)
