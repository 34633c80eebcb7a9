"""Kinds of features, one declaration each: what a legend calls them, how wide, dark and named."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.translation import gettext_noop
from rulebook.typefaces import SERIF, SERIF_BOLD, SERIF_ITALIC, Typeface


@dataclass(frozen=True, slots=True)
class Style:
    """How a name is lettered; the size in mm, times the grain."""

    size: float
    face: Typeface
    colour: str = "ink"
    spaced: float = 0.0
    capitals: bool = False


_PLAIN = Style(2.6, SERIF_ITALIC)


@dataclass(frozen=True, slots=True)
class FeatureKind:
    """All that is the same of the features of a kind.

    `title` is what a legend calls it; none for what is in no legend. Names of greater `weight` find
    their places first; `darkness` is how much other names keep off it, off the ground of an area or
    off a line. `angular` is what men made, whose outline has corners; `covering` what hides the
    slope of a hill. A line without a width of its own is `width` inches of the table wide, and no
    narrower than `least` mm times the grain. `tint` is the colour of its pieces of terrain.
    """

    title: str
    style: Style = _PLAIN
    weight: float = 1.0
    darkness: float = 0.0
    angular: bool = False
    covering: bool = False
    width: float = 0.0
    least: float = 0.0
    tint: str = ""


#: In the order of a legend.
KINDS = {
    "hill": FeatureKind(
        gettext_noop("Hill"), Style(3.0, SERIF, spaced=0.06), weight=2.0, darkness=0.15
    ),
    "woods": FeatureKind(
        gettext_noop("Woods"),
        Style(2.7, SERIF_ITALIC, "leaf"),
        darkness=0.2,
        covering=True,
        tint="woods",
    ),
    "orchard": FeatureKind(
        gettext_noop("Orchard"),
        Style(2.6, SERIF_ITALIC, "leaf"),
        darkness=0.2,
        angular=True,
        covering=True,
        tint="orchard",
    ),
    "field": FeatureKind(
        gettext_noop("Field"), darkness=0.1, angular=True, covering=True, tint="field"
    ),
    "rough": FeatureKind(gettext_noop("Rough ground"), darkness=0.05, tint="rough"),
    "swamp": FeatureKind(
        gettext_noop("Swamp"),
        Style(2.7, SERIF_ITALIC, "reed"),
        darkness=0.3,
        covering=True,
        tint="swamp",
    ),
    "lake": FeatureKind(
        gettext_noop("Lake"),
        Style(2.8, SERIF_ITALIC, "shore"),
        darkness=0.4,
        covering=True,
        tint="water",
    ),
    "river": FeatureKind(
        gettext_noop("River"),
        Style(2.8, SERIF_ITALIC, "shore"),
        weight=1.5,
        darkness=0.8,
        width=2.5,
        least=1.2,
        tint="water",
    ),
    "stream": FeatureKind(
        gettext_noop("Stream"),
        Style(2.6, SERIF_ITALIC, "shore"),
        darkness=0.8,
        width=0.75,
        least=0.45,
        tint="water",
    ),
    "ford": FeatureKind(gettext_noop("Ford"), tint="water"),
    "bridge": FeatureKind(gettext_noop("Bridge")),
    "road": FeatureKind(gettext_noop("Road"), darkness=1.0, width=1.5, least=1.1),
    "track": FeatureKind(gettext_noop("Track"), darkness=0.8, width=1.0, least=0.8),
    "railway": FeatureKind(gettext_noop("Railway"), darkness=1.0, width=1.25, least=1.0),
    "town": FeatureKind(
        gettext_noop("Built-up area"),
        Style(3.1, SERIF_BOLD, spaced=0.08, capitals=True),
        weight=3.0,
        darkness=0.75,
        angular=True,
        covering=True,
        tint="town",
    ),
    "building": FeatureKind(gettext_noop("Building"), Style(2.6, SERIF), angular=True, tint="town"),
    "fence": FeatureKind(gettext_noop("Fence"), darkness=0.7, angular=True),
    "wall": FeatureKind(gettext_noop("Wall"), darkness=0.9, angular=True),
    "hedge": FeatureKind(gettext_noop("Hedge"), darkness=0.7),
    "point": FeatureKind(gettext_noop("Place"), Style(2.6, SERIF)),
    "label": FeatureKind("", Style(2.9, SERIF, spaced=0.06), weight=1.5),
}
#: Where sides set up and come in: no features, but named as they are.
ZONE = FeatureKind("", Style(2.8, SERIF_BOLD), weight=3.0, darkness=1.0)
ENTRY = FeatureKind("", Style(2.6, SERIF_BOLD), weight=4.0)
#: How much a name keeps off the outlines of areas.
OUTLINE_DARKNESS = 0.4
