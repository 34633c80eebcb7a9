"""Cutouts: each on sheets of each paper and as a drawing, and all together on few sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.cache import Cache
from rulebook.documents.parts.document import File, Kind, Planned, Rendered, planned
from rulebook.translation import gettext, gettext_noop

if TYPE_CHECKING:
    from rulebook.documents.parts.views import CutoutView, DrawingView
    from rulebook.model.ruleset import Ruleset

GROUP = gettext_noop("Cutouts")
#: What the file with all cutouts of a ruleset is called, on its sheets and in the way in.
ALL_CUTOUTS = gettext_noop("All cutouts")


def plan_cutouts(ruleset: Ruleset) -> Iterator[Planned]:
    """The sheets and the drawing of each cutout, if the ruleset asks for them."""
    from rulebook.documents.cutouts.compose import all_cutouts_view, cutout_view
    from rulebook.model.ruleset import ALL_TOGETHER

    spec = ruleset.header.documents.cutouts
    if spec is None:
        return
    for cutout_id, cutout in ruleset.cutouts.items():
        name = f"cutouts/{cutout_id.replace('_', '-')}"
        for paper in spec.papers:
            file = File(f"{name}-{paper}.pdf", "pdf", paper, "full")
            sheets = partial(cutout_view, ruleset, cutout_id, paper)
            yield planned(ruleset, "cutout", f"{name}-{paper}", cutout.title, sheets, file)
        picture = File(f"{name}.svg", "svg")
        drawing = partial(_drawing_file, ruleset, cutout_id)
        yield planned(ruleset, "drawing", name, cutout.title, drawing, picture)
    if len(ruleset.cutouts) < 2 or not spec.together:
        return
    for paper in spec.papers:
        name = f"cutouts/{ALL_TOGETHER}-{paper}"
        file = File(f"{name}.pdf", "pdf", paper, "full")
        sheets = partial(all_cutouts_view, ruleset, paper)
        title = gettext(ALL_CUTOUTS)
        yield planned(ruleset, "cutout", f"cutouts/all-{paper}", title, sheets, file)


def _drawing_file(ruleset: Ruleset, cutout_id: str) -> DrawingView:
    from rulebook.documents.parts.figures import drawing_of
    from rulebook.documents.parts.views import DrawingView
    from rulebook.drawing.svg import svg

    return DrawingView(svg(drawing_of(ruleset, cutout_id)))


def _sheets(view: CutoutView, files: Sequence[File], _: Path, __: Cache) -> Iterable[Rendered]:
    from rulebook.documents.cutouts.layout import draw_sheets

    for file in files:
        yield Rendered(file.path, draw_sheets(view), len(view.sheets))


def _drawing(view: DrawingView, files: Sequence[File], _: Path, __: Cache) -> Iterable[Rendered]:
    from rulebook.typeset.fonts import in_svg

    for file in files:
        yield Rendered(file.path, in_svg(view.svg, view.fonts).encode(), None)


KINDS = (Kind("cutout", _sheets, GROUP), Kind("drawing", _drawing, GROUP))
