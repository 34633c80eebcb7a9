"""The cutouts of two editions -> which of them changed, with both outlines over one another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rulebook.cutouts.changed_parameters import parameters_by_place
from rulebook.cutouts.shapes import OverlayNames, pieces, svg_overlay
from rulebook.documents.impact.odds import ARROW
from rulebook.documents.impact.views import CutoutImpact, CutoutState, Parameter
from rulebook.documents.parts.binding import Binder
from rulebook.drawing.shapes import Drawing, Shape, Tint, layer_of
from rulebook.drawing.svg import Look, svg_miniature
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.cutouts.stick import with_marks
from rulebook.model.ruleset import Ruleset
from rulebook.quantities import EN_DASH
from rulebook.translation import gettext

#: Width of a picture of one or two outlines, mm: that of a column of the notes on changes.
PICTURE_WIDTH = 84.0


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A cutout in one edition: its pieces without the line that names the edition."""

    cutout: Cutout
    pieces: tuple[Drawing, ...]

    @property
    def largest(self) -> Drawing:
        """The piece that a picture shows."""
        return max(self.pieces, key=lambda piece: piece.width * piece.height)

    def shapes(self, part: Literal["outline", "face", "all"]) -> list[set[Shape]]:
        """What is cut and scored, what is coloured, or all that prints, piece by piece."""
        return [
            {
                shape
                for shape in piece.shapes
                if part == "all"
                or (part == "outline" and layer_of(shape) in ("cut", "score"))
                or (part == "face" and isinstance(shape, Tint))
            }
            for piece in self.pieces
        ]


def _drawn(ruleset: Ruleset, name: str) -> _Drawn:
    cutout = with_marks(ruleset.cutouts[name], ruleset.tables)
    return _Drawn(cutout, pieces(cutout, use=Binder(ruleset).plain(cutout.use)))


def cutout_of_both(
    old: Ruleset, new: Ruleset, was: str, name: str, names: tuple[str, str]
) -> CutoutImpact | None:
    """What became of a cutout that both editions have; None where it prints as it did."""
    before, after = _drawn(old, was), _drawn(new, name)
    changed = tuple(_changed_parameters(before.cutout, after.cutout))
    title, look = after.cutout.title, Look(accent=new.header.accent)
    former = was if was != name else ""
    text = ", ".join(map(_parameter_text, changed))
    state: CutoutState
    if before.shapes("outline") != after.shapes("outline"):
        state, text = "outline", f"{title}: {text or gettext('another outline')}."
        svg = svg_overlay(before.largest, after.largest, OverlayNames(*names), PICTURE_WIDTH, look)
    elif changed or before.shapes("face") != after.shapes("face"):
        text = text or gettext("other colours or marks on it")
        text = gettext("%(cutout)s: the same outline; %(text)s.", cutout=title, text=text)
        state, svg = "face", svg_miniature(after.largest, PICTURE_WIDTH, look)
    elif before.shapes("all") != after.shapes("all"):
        text = gettext("%(cutout)s: only words on it changed.", cutout=title)
        return CutoutImpact(name, title, "words", text, former)
    else:
        return None
    return CutoutImpact(name, title, state, text, former, changed, svg, PICTURE_WIDTH)


def cutout_of_one(ruleset: Ruleset, name: str, state: Literal["new", "gone"]) -> CutoutImpact:
    """A cutout that only one edition has."""
    drawn = _drawn(ruleset, name)
    title = drawn.cutout.title
    svg = svg_miniature(drawn.largest, PICTURE_WIDTH, Look(accent=ruleset.header.accent))
    text = (
        gettext("%(cutout)s: new.", cutout=title)
        if state == "new"
        else gettext("%(cutout)s: not used any more.", cutout=title)
    )
    return CutoutImpact(name, title, state, text, svg=svg, width=PICTURE_WIDTH)


def _changed_parameters(before: Cutout, after: Cutout) -> Iterator[Parameter]:
    """The parameters that differ, in the order of the new edition.

    Parts of a list, such as zones, are the same by their places where there are as many of them,
    and by their names where not.
    """
    old, new = parameters_by_place(before), parameters_by_place(after)
    if old.keys() != new.keys():
        old = {(name,): (name, value) for name, value in old.values()}
        new = {(name,): (name, value) for name, value in new.values()}
    for place in dict.fromkeys((*new, *old)):
        was, now = (
            one[place][1] if place in one and one[place][1] != EN_DASH else "" for one in (old, new)
        )
        if was != now:
            name = (new.get(place) or old[place])[0]
            yield Parameter(name.replace(".", " ").replace("_", " "), was, now)


def _parameter_text(one: Parameter) -> str:
    """length 28″ → 24″; a part that only one edition has by itself: new: heavy cavalry to 8 cm."""
    part = one.name.partition(" ")[2] or one.name
    if not one.before:
        return gettext("new: %(part)s %(value)s", part=part, value=one.after)
    if not one.after:
        return gettext("gone: %(part)s %(value)s", part=part, value=one.before)
    return f"{one.name} {one.before} {ARROW} {one.after}"
