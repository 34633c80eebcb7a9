"""Kinds of features -> what draws them, in what order, and what a legend calls them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulebook.maps.canvas import Canvas
from rulebook.maps.elements import circle_path, path
from rulebook.maps.growth import (
    draw_field,
    draw_orchard,
    draw_rough,
    draw_swamp,
    draw_trees,
    draw_wood_ground,
)
from rulebook.maps.lines import draw_fence, draw_hedge, draw_wall
from rulebook.maps.relief import draw_contours, draw_hill
from rulebook.maps.settlement import draw_building, draw_town, draw_town_ground
from rulebook.maps.shaping import Shape

Draw = Callable[[Shape, Canvas], str]


def draw_point(shape: Shape, canvas: Canvas) -> str:
    """A ring with a dot."""
    ink, at = canvas.look.dark("ink"), shape.points[0]
    ring = path(circle_path(at, canvas.mm(0.75)), fill="#ffffff", stroke=ink, width=canvas.mm(0.28))
    return ring + path(circle_path(at, canvas.mm(0.25)), fill=ink)


#: From the lowest up: which kind, and what draws of it. Rivers, roads and railways, each kind
#: together, are drawn after the ground.
GROUND: Sequence[tuple[str, Draw]] = (
    ("hill", draw_hill),
    ("field", draw_field),
    ("rough", draw_rough),
    ("swamp", draw_swamp),
    ("orchard", draw_orchard),
    ("woods", draw_wood_ground),
    ("town", draw_town_ground),
    ("hill", draw_contours),
    ("woods", draw_trees),
)
BUILT: Sequence[tuple[str, Draw]] = (
    ("fence", draw_fence),
    ("hedge", draw_hedge),
    ("wall", draw_wall),
    ("town", draw_town),
    ("building", draw_building),
    ("point", draw_point),
)
#: Where trees or water are no slope is drawn.
COVERING = ("woods", "orchard", "swamp", "lake", "town", "field")
#: What a legend calls each kind, in its order.
TITLES: Mapping[str, str] = {
    "hill": "Hill",
    "woods": "Woods",
    "orchard": "Orchard",
    "field": "Field",
    "rough": "Rough ground",
    "swamp": "Swamp",
    "lake": "Lake",
    "river": "River",
    "stream": "Stream",
    "ford": "Ford",
    "bridge": "Bridge",
    "road": "Road",
    "track": "Track",
    "railway": "Railway",
    "town": "Built-up area",
    "building": "Building",
    "fence": "Fence",
    "wall": "Wall",
    "hedge": "Hedge",
    "point": "Place",
}
#: How much a name should keep off the outlines of areas, lines and ground of each kind.
OUTLINE_DARKNESS = 0.4
LINE_DARKNESS: Mapping[str, float] = {
    "road": 1.0,
    "track": 0.8,
    "railway": 1.0,
    "river": 0.8,
    "stream": 0.8,
    "fence": 0.7,
    "wall": 0.9,
    "hedge": 0.7,
}
AREA_DARKNESS: Mapping[str, float] = {
    "hill": 0.15,
    "town": 0.75,
    "woods": 0.2,
    "orchard": 0.2,
    "lake": 0.4,
    "swamp": 0.3,
    "field": 0.1,
    "rough": 0.05,
}
