"""A kind of terrain -> a tile of it for games on a grid, drawn as on the maps.

Rivers and roads meet the edges in their middles and at right angles, all as wide, so that tiles
join however they are turned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import get_args

from rulebook.drawing.elements import Box, Drawn, Point
from rulebook.drawing.shapes import ExactBox, Stamp
from rulebook.maps import geometry, ground
from rulebook.maps.areas import Clearing
from rulebook.maps.canvas import Canvas, MapLook, joined, lines_path
from rulebook.maps.features import Shape, plain_feature
from rulebook.model.cutouts.shapes import Terrain
from rulebook.model.map_features import FEATURE_KINDS
from rulebook.paper_and_ink import Ink

#: Symbols on a tile are so large that so many grains make its side.
_GRAINS = 25.0
#: How wide rivers and roads are, parts of the side; how far areas stay off the edges.
_RIVER, _ROAD, _AWAY = 0.24, 0.14, 0.05
#: How many levels hills rise.
_LEVELS = {"hill": "2", "mountain": "5"}
#: Outlines of nature: how far from the middle, in parts of half the side, at equal angles.
_WAVES = (0.96, 1.2, 0.99, 1.13, 0.94, 1.22, 0.98, 1.16)
#: Straight lines for a piece of curve: longer than those of maps, whose corners would be seen.
_FLAT_STEPS = 32
#: Around words, mm; how far lines run straight from an edge, and beyond it for the knife.
_PLATE, _STRAIGHT, _BLEED = 0.8, 3.0, 1.0


@lru_cache(maxsize=64)
def _stamped(terrain: Terrain, wide: float, high: float, words: tuple[ExactBox, ...]) -> Stamp:
    full, low = (_TileDrawing(terrain, wide, high, words, ink).drawn() for ink in get_args(Ink))
    return Stamp(full, low, 0, 0, wide, high)


def stamp_tile(terrain: Terrain, wide: float, high: float, words: Sequence[ExactBox]) -> Stamp:
    """The ground of a tile of this size in mm, with room on a white plate for words in boxes."""
    return _stamped(terrain, wide, high, tuple(words))


class _TileDrawing:
    """One tile in one ink, its corner at (0, 0)."""

    def __init__(
        self, terrain: Terrain, wide: float, high: float, words: Sequence[ExactBox], ink: Ink
    ) -> None:
        self._terrain = terrain
        self._wide, self._high = wide, high
        side = min(wide, high)
        self._side = side
        look = MapLook(ink, side / _GRAINS)
        self._plate = _plate(words)
        quads = [geometry.quad_of(self._plate)] if self._plate else []
        clearing = Clearing()
        clearing.add_quads(quads)
        self._canvas = Canvas(look, side / 3, None, tuple(quads), clearing)

    def drawn(self) -> Drawn:
        """All elements, the plate for the words uppermost."""
        box = (0.0, 0.0, self._wide, self._high)
        drawn = [self._canvas.path(_box_path(box), fill="ground"), self._ground()]
        if self._plate:
            drawn.append(self._canvas.path(_box_path(self._plate), fill="white"))
        return joined(drawn)

    def _ground(self) -> Drawn:
        terrain = self._terrain
        if terrain in ("river", "river_bend", "bridge", "ford"):
            return self._river()
        if terrain in ("road", "road_bend"):
            return ground.draw_roads([self._line("road", terrain)], self._canvas)
        kind = "hill" if terrain == "mountain" else terrain
        shapes, canvas = [self._area(kind)], self._canvas
        if kind == "town":
            ways = [self._line("road", "road"), self._across()]
            for way in ways:
                canvas.clearing.add_strip(way.points, way.width + canvas.mm(0.4))
            shapes += ways
        return joined(drawn.elements for drawn in ground.draw_ground(shapes, canvas))

    def _river(self) -> Drawn:
        river = self._line("river", self._terrain)
        water = ground.draw_waters([river], self._canvas)
        if self._terrain not in ("bridge", "ford"):
            return water
        road = self._across()
        middle = (self._wide / 2, self._high / 2)
        at = ground.crossing(river, middle, [road], road.width)
        ways = ground.draw_roads([road], self._canvas)
        if self._terrain == "bridge":
            return water + ways + ground.draw_bridge(at, self._canvas)
        over = ground.draw_waters([river], self._canvas)
        return ways + over + ground.draw_ford(at, self._canvas)

    def _across(self) -> Shape:
        """A road from the left edge to the right one."""
        points = ((-_BLEED, self._high / 2), (self._wide + _BLEED, self._high / 2))
        pieces = geometry.straight(points, closed=False)
        return replace(self._line("road", "road"), pieces=tuple(pieces), points=points)

    def _line(self, kind: str, terrain: str) -> Shape:
        """From the middle of the upper edge to that of the lower one, or round to the right."""
        wide, high = self._wide, self._high
        x, y = wide / 2, high / 2
        sway = 0.1 * wide if kind == "river" else 0.0
        start, out = (x, -_BLEED), (x, high + _BLEED)
        corners = [(start, (x, _STRAIGHT))]
        if terrain.endswith("_bend"):
            bend = (wide - _STRAIGHT, y)
            corners += [(bend, (wide + _BLEED, y))]
            curves = [((x, _STRAIGHT), (x, 0.56 * y), (wide - 0.56 * x, y), bend)]
        else:
            corners += [((x, high - _STRAIGHT), out)]
            curves = [
                ((x, _STRAIGHT), (x, 0.4 * y), (x + sway, 0.6 * y), (x, y)),
                ((x, y), (x - sway, 1.4 * y), (x, 1.6 * y), (x, high - _STRAIGHT)),
            ]
        ends = [geometry.straight(corner, closed=False) for corner in corners]
        pieces = [*ends[0], *curves, *ends[1]]
        width = self._side * (_RIVER if kind == "river" else _ROAD)
        points = geometry.flattened(pieces, steps=_FLAT_STEPS)
        return Shape(terrain, plain_feature(kind), tuple(pieces), tuple(points), width)

    def _area(self, kind: str) -> Shape:
        """An area as large as the tile leaves room for."""
        shown = {"contours": _LEVELS[self._terrain]} if kind == "hill" else {}
        feature = plain_feature(kind, **shown)
        away = _AWAY * self._side
        if FEATURE_KINDS[kind].angular:
            box = (away, away, self._wide - away, self._high - away)
            pieces = geometry.straight(geometry.quad_of(box), closed=True)
        else:
            pieces = geometry.smooth(self._waves(away), closed=True)
        points = geometry.flattened(pieces, closed=True)
        return Shape(self._terrain, feature, tuple(pieces), tuple(points))

    def _waves(self, away: float) -> list[Point]:
        x, y = self._wide / 2, self._high / 2
        turn = 360 / len(_WAVES)
        arms = [((x - away) * part, 0.0) for part in _WAVES]
        spokes = [geometry.turned([arm], index * turn)[0] for index, arm in enumerate(arms)]
        return [(x + across, y + down * (y - away) / (x - away)) for across, down in spokes]


def _plate(words: Sequence[ExactBox]) -> Box | None:
    """The box around all words."""
    if not words:
        return None
    lefts, tops, rights, bottoms = zip(*(map(float, box) for box in words), strict=True)
    return min(lefts) - _PLATE, min(tops), max(rights) + _PLATE, max(bottoms)


def _box_path(box: Box) -> str:
    return lines_path(geometry.quad_of(box), closed=True)
