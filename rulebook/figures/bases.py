"""Troops of a figure -> their bases: where each stands, and its outline, front and sign.

Own troops are dark and the enemy's white; in low ink they are hatched and plain, so that they are
told apart in grey as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rulebook.drawing.elements import Drawn, Point
from rulebook.drawing.layers import Look
from rulebook.maps.canvas import circle_path, lines_path, path, segments_path
from rulebook.maps.geometry import between, hatching, turned
from rulebook.model.figures import Spot, Troops

#: Squares that a base takes if its author does not say: from side to side, and deep.
_SIZES = {
    "infantry": (1.0, 1.0),
    "cavalry": (1.0, 1.5),
    "gun": (1.5, 1.5),
    "skirmisher": (1.0, 1.0),
    "commander": (1.2, 1.2),
    "unit": (4.0, 1.5),
}
_ROUND = ("skirmisher", "commander")
#: Widths of lines, mm: of outlines, of those that are set off, of those that are gone, of fronts.
_OUTLINE, _CHOSEN, _GONE, _FRONT = 0.25, 0.6, 0.18, 0.75
_BLACK, _WHITE, _SOFT = "#000000", "#ffffff", "#8a8178"


@dataclass(frozen=True, slots=True)
class Base:
    """A base on the page by its corners, from the left of its front clockwise."""

    corners: tuple[Point, ...]

    def at(self, across: float, back: float) -> Point:
        """Returns a point of the base; (0, 0) is the left end of its front.

        `across` runs from 0 at the left to 1 at the right, `back` from 0 at the front to 1 at the
        rear.
        """
        left, right, _, rear = self.corners
        x, y = between(left, right, across)
        return x + (rear[0] - left[0]) * back, y + (rear[1] - left[1]) * back

    @property
    def middle(self) -> Point:
        return self.at(0.5, 0.5)

    @property
    def wide(self) -> float:
        return math.dist(*self.corners[:2])

    @property
    def deep(self) -> float:
        return math.dist(*self.corners[1:3])

    @property
    def side(self) -> float:
        """The shorter side, which is the diameter of a round base."""
        return min(self.wide, self.deep)


def bases(troops: Troops, at: Callable[[Spot], Point], mm: float) -> list[Base]:
    """Lists the bases of a formation on the page, rank by rank, each from the left.

    `at` converts a point of the figure to the page, where a square has `mm` millimetres.
    """
    wide, deep = map(float, troops.size or _SIZES[troops.troops])
    gap, ranks, files = float(troops.gap), troops.ranks.ranks, troops.ranks.files
    left = -(files * wide + (files - 1) * gap) / 2
    found = []
    for rank in range(ranks):
        for number in range(files):
            x, y = left + number * (wide + gap), rank * (deep + gap)
            corners = ((x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep))
            on_page = [(across * mm, back * mm) for across, back in corners]
            placed = turned(on_page, float(troops.faces.degrees), at(troops.at))
            found.append(Base(tuple(placed)))
    return found


def draw_base(troops: Troops, number: int, base: Base, look: Look) -> Drawn:
    """Draws the base with index `number` of a formation: its outline, its front and its sign.

    A base that is lost or shows a former position is only a dashed outline, a lost one crossed out
    as well.
    """
    lost, chosen = number in troops.lost, number in troops.chosen
    gone, own, full = troops.former or lost, troops.side == "own", look.ink == "full"
    dark = own and full
    ring, outline = list(base.corners), lines_path(base.corners, closed=True)
    if troops.troops in _ROUND:
        rim = [(0.0, -base.side / 2)]
        ring = [turned(rim, angle, base.middle)[0] for angle in range(0, 360, 15)]
        outline = circle_path(base.middle, base.side / 2)
    if gone:
        left, right, behind, rear = base.corners
        cross = segments_path([(left, behind), (right, rear)] if lost else [])
        dashed = path(outline, stroke=_SOFT, width=_GONE, dash=(0.8, 0.6))
        return dashed + path(cross, stroke=_BLACK, width=0.35)
    plain = look.shade(3) if chosen and full else _WHITE
    width = _CHOSEN if chosen else _OUTLINE
    drawn = path(outline, fill=look.accent if dark else plain, stroke=_BLACK, width=width)
    if (own or chosen) and not full:
        angle, pitch = (45.0, 0.75) if own else (0.0, 0.6)
        drawn += path(segments_path(hatching([ring], angle, pitch)), stroke=_BLACK, width=0.15)
    return drawn + _front(troops, base) + _sign(troops.troops, base, _WHITE if dark else _BLACK)


def _front(troops: Troops, base: Base) -> Drawn:
    """Draws the mark of a base's front: a thick edge or, on a round base, a small triangle."""
    if troops.troops not in _ROUND:
        edge = segments_path([base.corners[:2]])  # type: ignore[list-item]
        return path(edge, stroke=_BLACK, width=min(_FRONT, base.side / 4))
    point = [base.at(0.35, 0.05), base.at(0.5, -0.14), base.at(0.65, 0.05)]
    return path(lines_path(point, closed=True), fill=_BLACK)


def _sign(kind: str, base: Base, colour: str) -> Drawn:
    """Draws the sign inside a base that shows its kind of troops."""
    thick = max(0.5, base.side / 9)
    match kind:
        case "infantry" | "skirmisher":
            files = max(1, round(base.wide / base.deep)) if kind == "infantry" else 1
            heads = (base.at((number + 0.5) / files, 0.55) for number in range(files))
            dots = "".join(circle_path(head, 0.2 * base.side) for head in heads)
            return path(dots, fill=colour)
        case "cavalry":
            slash = segments_path([(base.at(0, 1), base.at(1, 0))])
            return path(slash, stroke=colour, width=min(0.4, base.side / 8))
        case "commander":
            tips = ((0.38 if tip % 2 == 0 else 0.16, 36.0 * tip) for tip in range(10))
            star = [turned([(0.0, -base.side * r)], turn, base.middle)[0] for r, turn in tips]
            return path(lines_path(star, closed=True), fill=colour)
        case "gun":
            axle = (base.at(0.15, 0.46), base.at(0.85, 0.46))
            trail = (base.at(0.5, 0.6), base.at(0.5, 0.92))
            wheels = [(base.at(x, 0.3), base.at(x, 0.62)) for x in (0.15, 0.85)]
            barrel = (base.at(0.5, 0.06), base.at(0.5, 0.6))
            return path(segments_path([axle, trail]), stroke=colour, width=thick / 2) + path(
                segments_path([*wheels, barrel]), stroke=colour, width=thick
            )
    roof = [base.at(0.34, 0.5), base.at(0.5, 0.12), base.at(0.66, 0.5)]
    return path(lines_path(roof), stroke=colour, width=0.3)
