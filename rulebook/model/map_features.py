"""The kinds of what lies on a map, one entry each: its keys, its names, its key, how it is drawn.

A new kind is an entry here and a picture: a function of maps/ground.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from rulebook.translation import gettext_noop
from rulebook.typefaces import SERIF, SERIF_BOLD, SERIF_ITALIC, Typeface

#: From the lowest up, what a map is drawn in.
Layer = Literal[
    "slopes",
    "fields",
    "rough ground",
    "swamps",
    "orchards",
    "woods",
    "town ground",
    "contours",
    "trees",
    "water",
    "railways",
    "roads",
    "crossings",
    "fences",
    "hedges",
    "walls",
    "towns",
    "buildings",
    "points",
]
LAYERS: tuple[Layer, ...] = get_args(Layer)
#: All of such a layer is drawn by one picture, so that what meets there runs into each other.
DRAWN_TOGETHER: tuple[Layer, ...] = ("water", "railways", "roads")


@dataclass(frozen=True, slots=True)
class NameStyle:
    """The lettering of a name; `size` is in mm, for a map with a grain of 1."""

    size: float
    face: Typeface
    colour: str = "ink"
    spaced: float = 0.0
    capitals: bool = False


@dataclass(frozen=True, slots=True)
class Spread:
    """How symbols are spread over an area; lengths are in mm, for a map with a grain of 1.

    `apart` is the distance between symbols, `reach` the size of each from its middle, and `jitter`
    the part of the distance by which a symbol is moved from its place in a row.
    """

    apart: float
    reach: float
    jitter: float


#: How far a symbol is moved where nature has set it.
JITTER = 0.32


@dataclass(frozen=True, slots=True)
class FeatureKind:
    """The properties in which kinds of map features differ.

    `title` is its name in the key of a map, empty if it is not in the key. `pictures` are the
    layers on which it is drawn, each with the function of maps/ground.py that draws there; a kind
    without any is a name alone. `keys` are the keys that only some kinds have.

    Names of greater `weight` are placed first; `darkness` says how far names avoid the ground of an
    area; the name of a `small` feature is placed as if it were a point. `solid` ground bears
    neither trees nor names, `covering` ground hides the slope of a hill. `angular` features are
    made by men: their outlines have corners. `symbols` fill an area, and give way to names: they
    are spread over it, or made by a function of maps/ground.py.

    A line without a width of its own is `width` inches of the table wide, but at least `least` mm
    times the grain; and at most `most` on a map that is not true to scale, where a road is narrower
    than any house. Its edges are `edge` mm times the grain wide, and may be `broken`. `cut` is how
    its terrain is cut out, `tint` the colour of the terrain; `sample` is the part of the sample in
    the key that an angular area fills.
    """

    title: str
    outline: Literal["area", "line", "point", "crossing"]
    pictures: tuple[tuple[Layer, str], ...] = ()
    keys: tuple[str, ...] = ()
    style: NameStyle = NameStyle(2.6, SERIF_ITALIC)
    weight: float = 1.0
    darkness: float = 0.0
    small: bool = False
    solid: bool = False
    covering: bool = False
    angular: bool = False
    symbols: Spread | str = Spread(2.3, 0.7, JITTER)
    width: float = 0.0
    least: float = 0.0
    most: float = math.inf
    edge: float = 0.0
    broken: bool = False
    cut: Literal["", "levels", "blocks", "outline", "strip", "river"] = ""
    tint: str = ""
    sample: float = 0.94

    @property
    def layers(self) -> tuple[Layer, ...]:
        return tuple(layer for layer, _ in self.pictures)


#: In the order of the key of a map.
FEATURE_KINDS: Mapping[str, FeatureKind] = {
    "hill": FeatureKind(
        gettext_noop("Hill"),
        "area",
        (("slopes", "draw_hill"), ("contours", "draw_contours")),
        keys=("contours",),
        style=NameStyle(3.0, SERIF, spaced=0.06),
        weight=2.0,
        darkness=0.15,
        symbols="slopes_of",
        cut="levels",
        tint="hill-{level}",
    ),
    "woods": FeatureKind(
        gettext_noop("Woods"),
        "area",
        (("woods", "draw_wood_ground"), ("trees", "draw_trees")),
        style=NameStyle(2.7, SERIF_ITALIC, "leaf"),
        darkness=0.2,
        covering=True,
        symbols=Spread(1.9, 0.99, JITTER),
        cut="outline",
        tint="woods",
    ),
    "orchard": FeatureKind(
        gettext_noop("Orchard"),
        "area",
        (("orchards", "draw_orchard"),),
        style=NameStyle(2.6, SERIF_ITALIC, "leaf"),
        darkness=0.2,
        angular=True,
        covering=True,
        symbols=Spread(2.4, 1.1, 0.0),
        cut="outline",
        tint="orchard",
    ),
    "field": FeatureKind(
        gettext_noop("Field"),
        "area",
        (("fields", "draw_field"),),
        darkness=0.1,
        angular=True,
        covering=True,
        cut="outline",
        tint="field",
    ),
    "rough": FeatureKind(
        gettext_noop("Rough ground"),
        "area",
        (("rough ground", "draw_rough"),),
        darkness=0.05,
        cut="outline",
        tint="rough",
    ),
    "swamp": FeatureKind(
        gettext_noop("Swamp"),
        "area",
        (("swamps", "draw_swamp"),),
        style=NameStyle(2.7, SERIF_ITALIC, "reed"),
        darkness=0.3,
        covering=True,
        symbols=Spread(2.7, 1.0, 0.22),
        cut="outline",
        tint="swamp",
    ),
    "lake": FeatureKind(
        gettext_noop("Lake"),
        "area",
        (("water", "draw_waters"),),
        style=NameStyle(2.8, SERIF_ITALIC, "shore"),
        darkness=0.4,
        solid=True,
        covering=True,
        cut="outline",
        tint="water",
    ),
    "river": FeatureKind(
        gettext_noop("River"),
        "line",
        (("water", "draw_waters"),),
        keys=("width", "fords", "bridges"),
        style=NameStyle(2.8, SERIF_ITALIC, "shore"),
        weight=1.5,
        width=2.5,
        least=1.2,
        edge=0.22,
        cut="river",
        tint="water",
    ),
    "stream": FeatureKind(
        gettext_noop("Stream"),
        "line",
        (("water", "draw_waters"),),
        keys=("width", "fords", "bridges"),
        style=NameStyle(2.6, SERIF_ITALIC, "shore"),
        width=0.75,
        least=0.45,
        edge=0.16,
        cut="river",
        tint="water",
    ),
    "ford": FeatureKind(gettext_noop("Ford"), "crossing", tint="water"),
    "bridge": FeatureKind(gettext_noop("Bridge"), "crossing"),
    "road": FeatureKind(
        gettext_noop("Road"),
        "line",
        (("roads", "draw_roads"),),
        keys=("width",),
        width=1.5,
        least=1.1,
        most=1.3,
        edge=0.2,
        cut="strip",
    ),
    "track": FeatureKind(
        gettext_noop("Track"),
        "line",
        (("roads", "draw_roads"),),
        keys=("width",),
        width=1.0,
        least=0.8,
        most=0.9,
        edge=0.18,
        broken=True,
        cut="strip",
    ),
    "railway": FeatureKind(
        gettext_noop("Railway"),
        "line",
        (("railways", "draw_railways"),),
        keys=("width",),
        width=1.25,
        least=1.0,
        most=1.3,
        cut="strip",
    ),
    "town": FeatureKind(
        gettext_noop("Built-up area"),
        "area",
        (("town ground", "draw_town_ground"), ("towns", "draw_town")),
        keys=("sections",),
        style=NameStyle(3.1, SERIF_BOLD, spaced=0.08, capitals=True),
        weight=3.0,
        darkness=0.75,
        angular=True,
        covering=True,
        symbols="houses_of",
        cut="blocks",
        tint="town",
    ),
    "building": FeatureKind(
        gettext_noop("Building"),
        "area",
        (("buildings", "draw_building"),),
        keys=("sections",),
        style=NameStyle(2.6, SERIF),
        small=True,
        solid=True,
        angular=True,
        cut="outline",
        tint="town",
        sample=0.5,
    ),
    "fence": FeatureKind(gettext_noop("Fence"), "line", (("fences", "draw_fence"),), angular=True),
    "wall": FeatureKind(gettext_noop("Wall"), "line", (("walls", "draw_wall"),), angular=True),
    "hedge": FeatureKind(gettext_noop("Hedge"), "line", (("hedges", "draw_hedge"),)),
    "point": FeatureKind(
        gettext_noop("Place"),
        "point",
        (("points", "draw_point"),),
        style=NameStyle(2.6, SERIF),
        small=True,
    ),
    "label": FeatureKind(
        "", "point", style=NameStyle(2.9, SERIF, spaced=0.06), weight=1.5, small=True
    ),
}


def _named(outline: str) -> tuple[str, ...]:
    return tuple(name for name, kind in FEATURE_KINDS.items() if kind.outline == outline)


def _on(*layers: Layer) -> tuple[str, ...]:
    return tuple(name for name in LINE_KINDS if {*layers} & {*FEATURE_KINDS[name].layers})


AREA_KINDS, LINE_KINDS, POINT_KINDS = _named("area"), _named("line"), _named("point")
ROADS = _on("roads")
#: What troops march along.
WAYS = _on("roads", "railways")
