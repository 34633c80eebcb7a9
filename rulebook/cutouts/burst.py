"""A burst, such as that of a shell -> its drawing: a disc with a centre and a ring of sectors.

The first sector of the ring is at the top, farthest from the gun; the others follow clockwise. The
scores stand upright for the player behind the gun, who is below.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from rulebook.drawing.shapes import (
    Anchor,
    Caption,
    Circle,
    Drawing,
    Label,
    Line,
    Measure,
    Sector,
    Shape,
    Tint,
    Weight,
    arrow_up,
    point_on_circle,
)
from rulebook.model.cutouts.round import Burst
from rulebook.quantities import Faces
from rulebook.text_fitting import CAP_HEIGHT, largest_size, shortened, wrapped
from rulebook.translation import gettext

#: Type sizes in mm.
LARGEST_SCORE, SMALLEST_SCORE = 36.0, 2.0
SMALLEST_WORD = 2.2
#: The outer part of the ring that holds the arrow, the title and the imprint.
RIM = 0.2
MOST_RIM_LINES = 2
#: The die that is thrown for the sector, where no score is above six.
DIE = range(1, 7)


@dataclass(frozen=True, slots=True)
class _Disc:
    outer: Fraction
    inner: Fraction
    count: int

    @property
    def step(self) -> Fraction:
        """Degrees of one sector of the ring."""
        return Fraction(360, self.count)

    @property
    def ring(self) -> float:
        """Width of the ring."""
        return float(self.outer - self.inner)

    def chord(self, radius: float) -> float:
        """How wide a sector is at a distance from the centre."""
        return 2 * radius * math.sin(math.radians(min(90.0, float(self.step) / 2)))

    def straight(self, radius: float) -> float:
        """How wide a line of words may be in a sector, its feet at a distance from the centre."""
        in_disc = 2 * math.sqrt(max(0.0, float(self.outer) ** 2 - (1.01 * radius) ** 2))
        in_sector = 2 * radius * math.tan(math.radians(min(60.0, float(self.step) / 2)))
        return 0.92 * min(in_disc, in_sector)

    @property
    def middle_of_ring(self) -> float:
        """Where the scores stand: the middle of the ring without its rim of small words."""
        return float(self.inner) + (1 - RIM) / 2 * self.ring

    def at(self, radius: float, angle: Fraction) -> tuple[float, float]:
        x, y = point_on_circle(self.outer, self.outer, radius, angle)
        return float(x), float(y)


def draw_burst(burst: Burst, imprint: str) -> Drawing:
    """The burst at true scale; `imprint` names ruleset and edition, for `use` there is no room."""
    disc = _Disc(burst.diameter.mm / 2, burst.centre.diameter.mm / 2, len(burst.ring))
    kills = (
        gettext("%(score)s kills", score=burst.kills)
        if burst.kills.scores
        else gettext("kills none")
    )
    shapes: list[Shape] = [
        Tint(
            Sector(disc.outer, disc.outer, disc.inner, disc.outer, -disc.step / 2, disc.step / 2), 1
        ),
        Tint(Circle("engrave", disc.outer, disc.outer, disc.inner), 2),
        Circle("cut", disc.outer, disc.outer, disc.outer),
        Circle("score", disc.outer, disc.outer, disc.inner),
    ]
    for index in range(disc.count):
        angle = disc.step * index + disc.step / 2
        shapes.append(
            Line("score", *disc.at(float(disc.inner), angle), *disc.at(float(disc.outer), angle))
        )
    shapes += _aim(disc)
    shapes += _centre_words(disc, str(burst.centre.score), kills)
    for index, score in enumerate(burst.ring):
        shapes += _sector_words(disc, disc.step * index, str(score), kills)
    shapes += _away_from_gun(disc)
    shapes += _rim_words(disc, burst.title, _misfire(burst), imprint)
    return Drawing(
        title=burst.title,
        description=gettext(
            "A disc %(diameter)s across with a centre of %(centre)s, score %(score)s; around it, "
            "clockwise from the sector farthest from the gun: %(ring)s; %(kills)s",
            diameter=burst.diameter,
            centre=burst.centre.diameter,
            score=burst.centre.score,
            ring=", ".join(map(str, burst.ring)),
            kills=kills,
        ),
        width=burst.diameter.mm,
        height=burst.diameter.mm,
        shapes=tuple(shapes),
        captions=tuple(_captions(disc, burst, kills)),
        measures=(
            Measure(
                "x",
                disc.outer - disc.inner,
                disc.outer + disc.inner,
                str(burst.centre.diameter),
                disc.outer,
            ),
            Measure("x", Fraction(0), 2 * disc.outer, str(burst.diameter), disc.outer, level=1),
        ),
    )


def _misfire(burst: Burst) -> str:
    """The faces of the die that land nowhere, to be told on the face, or nothing."""
    scores = {burst.centre.score, *burst.ring}
    unused = set(DIE) - scores
    if unused and max(scores) <= max(DIE):
        return gettext("%(faces)s: misfire", faces=Faces(frozenset(unused)))
    return ""


def _aim(disc: _Disc) -> Iterator[Shape]:
    """Four ticks at the edge of the centre that point at the point of aim."""
    inner = float(disc.inner)
    for quarter in range(4):
        angle = Fraction(90 * quarter)
        yield Line("engrave", *disc.at(inner, angle), *disc.at(0.84 * inner, angle))


def _centre_words(disc: _Disc, score: str, kills: str) -> Iterator[Shape]:
    inner = float(disc.inner)
    size = largest_size([score], 0.9 * inner, most=min(LARGEST_SCORE, 1.05 * inner))
    yield from _score_words((float(disc.outer), float(disc.outer)), size, 1.2 * inner, score, kills)


def _sector_words(disc: _Disc, angle: Fraction, score: str, kills: str) -> Iterator[Shape]:
    radius = disc.middle_of_ring
    room = min(disc.ring, disc.chord(radius))
    size = max(SMALLEST_SCORE, largest_size([score], 0.6 * room, most=0.52 * room))
    size = min(size, LARGEST_SCORE)
    yield from _score_words(disc.at(radius, angle), size, 0.7 * room, score, kills)


def _score_words(
    at: tuple[float, float], size: float, room: float, score: str, kills: str
) -> Iterator[Shape]:
    """A score with the kill number small below it, the two centred on a point."""
    x, y = at
    small = largest_size([kills], room, most=0.22 * size)
    told = small >= SMALLEST_WORD
    block = CAP_HEIGHT * size + (1.5 * small if told else 0.0)
    baseline = y - block / 2 + CAP_HEIGHT * size
    yield Label(score, x, baseline, size, weight="bold", tone="accent")
    if told:
        yield Label(kills, x, baseline + 1.5 * small, small)


def _away_from_gun(disc: _Disc) -> Iterator[Shape]:
    """An arrow outward on the axis, in the sector farthest from the gun."""
    outer, ring = float(disc.outer), disc.ring
    tip, foot = outer - 0.03 * ring, outer - RIM * ring
    half = 0.03 * ring
    x = float(disc.outer)
    head = outer - tip + 3 * half
    yield arrow_up(x, outer - tip, 2 * half, 3 * half)
    yield Line("engrave", x, head, x, outer - foot)
    away = gettext("away from")
    size = largest_size([away], disc.chord(foot) / 2 - 4 * half, most=min(4.6, 0.4 * RIM * ring))
    if size < SMALLEST_WORD:
        return
    baseline = (2 * outer - tip - foot) / 2 + CAP_HEIGHT * size / 2
    gap = half + 0.6 * size
    sides: tuple[tuple[str, float, Anchor], ...] = (
        (away, x - gap, "end"),
        (gettext("the gun"), x + gap, "start"),
    )
    for words, at, anchor in sides:
        yield Label(words, at, baseline, size, anchor=anchor)


def _rim_words(disc: _Disc, title: str, misfire: str, imprint: str) -> Iterator[Shape]:
    """Misfire, title and imprint near the rim: below, at the left and at the right."""
    size = min(4.6, RIM * 0.4 * disc.ring)
    by_sector: dict[int, list[tuple[str, float, Weight]]] = {}
    wanted: tuple[tuple[str, float, int, Weight], ...] = (
        (misfire, size, 180, "bold"),
        (title, 0.8 * size, 270, "bold"),
        (imprint, 0.65 * size, 90, "regular"),
    )
    for words, most, angle, weight in wanted:
        nearest = max(1, min(disc.count - 1, round(angle / disc.step)))
        by_sector.setdefault(nearest, []).append((words, most, weight))
    for index, lines in by_sector.items():
        yield from _sector_rim(disc, disc.step * index, lines)


def _sector_rim(
    disc: _Disc, angle: Fraction, lines: list[tuple[str, float, Weight]]
) -> Iterator[Shape]:
    """Lines with their feet to the rim, the last nearest to it; a line too long is wrapped."""
    rim = float(disc.outer)
    radius = rim * 0.965
    for words, most, weight in reversed(lines):
        if most < 0.5 * SMALLEST_WORD or not words:
            continue
        small = max(SMALLEST_WORD, most)
        room = disc.straight(radius - 0.3 * small)
        # rather a little smaller than a last line of one word
        one_line = largest_size([words], room, most=small)
        small = one_line if one_line >= max(SMALLEST_WORD, 0.75 * most) else small
        parts = wrapped(words, small, room)
        if len(parts) > MOST_RIM_LINES:
            parts = [parts[0], shortened(" ".join(parts[1:]), small, room)]
        for part in reversed(parts):
            radius -= 0.3 * small
            kept = shortened(part, small, disc.straight(radius))
            if kept and radius > rim - 2 * RIM * disc.ring:
                yield Label(
                    kept, *disc.at(radius, angle), small, rotation=angle - 180, weight=weight
                )
            radius -= 0.9 * small


def _captions(disc: _Disc, burst: Burst, kills: str) -> Iterator[Caption]:
    radius = disc.middle_of_ring
    room = min(disc.ring, disc.chord(radius))
    yield Caption(
        "", gettext("away from the gun"), disc.outer, Fraction(0), 2 * disc.outer, "above"
    )
    yield Caption(str(burst.centre.score), kills, disc.outer, disc.outer, 2 * disc.inner)
    for index, score in enumerate(burst.ring):
        x, y = disc.at(radius, disc.step * index)
        yield Caption(str(score), kills, x, y, room)
