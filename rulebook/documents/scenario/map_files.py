"""A scenario -> its map in files of its own: a drawing, pages of paper, a mat at true scale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from rulebook.documents.parts.publication import Artefact, Planned
from rulebook.documents.parts.views import CutoutView, DrawingView
from rulebook.documents.scenario.ground_words import grounds_of
from rulebook.documents.scenario.played import PlayedScenario
from rulebook.drawing.sheets import SheetView
from rulebook.maps.canvas import FONTS
from rulebook.maps.drawing import BATTLE, Shows, battle_mat
from rulebook.maps.frame import GroundScale
from rulebook.maps.legend import GroundWords
from rulebook.maps.page import (
    Page,
    SizedMap,
    map_at_scale,
    map_on_one_page,
    map_pages,
    map_svg,
    page_size_at,
)
from rulebook.model.plain_data import plain
from rulebook.model.ruleset import InkName, Ruleset
from rulebook.model.scenarios import Scenario
from rulebook.paper import PaperName, paper_size

#: Around a map on its page, mm.
MARGIN = 8.0


@dataclass(frozen=True, slots=True)
class MapView:
    """What a map is drawn from when it is printed: it takes longer than to compose all else.

    `scenario` is plain data, `told` what tables say of its ground.
    """

    scenario: Any
    told: dict[str, GroundWords]


def map_documents(played: PlayedScenario) -> Iterator[Planned]:
    """The map with its legend as one drawing."""
    path = f"{played.stem}-map.svg"
    view = partial(map_view, played)
    yield played.planned("map", "-map", "Map", view, Artefact(path, "svg"))


def map_view(played: PlayedScenario) -> MapView:
    """What the map of a scenario is drawn from."""
    return MapView(plain(played.scenario), grounds_of(played.ruleset, played.scenario))


def drawn_map(view: MapView) -> DrawingView:
    """The drawing of a map."""
    scenario = Scenario.model_validate(view.scenario)
    return DrawingView(map_on_one_page(scenario, _page_of(scenario, view.told)), (_FAMILY,))


def map_drawing(
    ruleset: Ruleset,
    name: str,
    *,
    shows: Shows = BATTLE,
    ink: InkName = "full",
    paper: PaperName = "a4",
) -> DrawingView:
    """The map and all of its legend on one page, as wide as a paper and higher if need be."""
    page = _page(ruleset, ruleset.scenarios[name], paper, shows, ink)
    return DrawingView(map_on_one_page(ruleset.scenarios[name], page), (_FAMILY,))


def fitted_map(
    ruleset: Ruleset, name: str, paper: PaperName, *, shows: Shows = BATTLE, ink: InkName = "full"
) -> CutoutView:
    """The map as large as it goes on a sheet of paper, and what of its legend needs more."""
    scenario = ruleset.scenarios[name]
    page = _page(ruleset, scenario, paper, shows, ink)
    pages = map_pages(scenario, page)
    return _pages(ruleset, scenario, [_sheet(page, svg) for svg in pages])


def map_to_scale(
    ruleset: Ruleset,
    name: str,
    scale: Fraction,
    paper: PaperName,
    *,
    shows: Shows = BATTLE,
    ink: InkName = "full",
) -> CutoutView:
    """The map at a scale on a first page as large as it takes, then pages of paper with its legend.

    The sheets on which the first is printed are cut from it afterwards, as from any poster.
    """
    scenario = ruleset.scenarios[name]
    page = _page(ruleset, scenario, paper, shows, ink)
    drawn: SizedMap = map_at_scale(scenario, scale, page)
    first = _large(drawn.svg, drawn.width, drawn.height)
    return _pages(ruleset, scenario, [first, *(_sheet(page, svg) for svg in drawn.legend)])


def mat(ruleset: Ruleset, name: str, scale: Fraction, ink: InkName = "full") -> CutoutView:
    """The ground alone, on one page whose edges are those of the table."""
    scenario = ruleset.scenarios[name]
    svg = mat_drawing(ruleset, name, scale, ink).svg
    wide, high = (float(scale * side.mm) for side in (scenario.table.width, scenario.table.depth))
    return _pages(ruleset, scenario, [_large(svg, wide, high)])


def mat_drawing(ruleset: Ruleset, name: str, scale: Fraction, ink: InkName = "full") -> DrawingView:
    """The same for a plotter, which needs no sheets."""
    scenario = ruleset.scenarios[name]
    table = scenario.table
    told = f"Ground of a table {table.width} by {table.depth}"
    return DrawingView(map_svg(battle_mat(scenario, scale, ink), scenario.title, told))


def scaled_drawing(
    ruleset: Ruleset, name: str, scale: Fraction, *, shows: Shows = BATTLE, ink: InkName = "full"
) -> DrawingView:
    """The map at a scale, with no legend."""
    scenario = ruleset.scenarios[name]
    page = _page(ruleset, scenario, "a4", shows, ink)
    return DrawingView(map_at_scale(scenario, scale, page).svg, (_FAMILY,))


def size_at(scenario: Scenario, scale: Fraction, *, mat: bool) -> tuple[float, float]:
    """Width and height in mm of the page of a map at a scale, known before it is drawn."""
    wide, high = (float(scale * side.mm) for side in (scenario.table.width, scenario.table.depth))
    if mat:
        return wide, high
    return page_size_at(scenario, scale, ground=GroundScale.of(scenario.table))


_FAMILY = FONTS.split(",")[0]


def _page(
    ruleset: Ruleset, scenario: Scenario, paper: PaperName, shows: Shows, ink: InkName
) -> Page:
    return _page_of(scenario, grounds_of(ruleset, scenario), paper, shows, ink)


def _page_of(
    scenario: Scenario,
    told: Mapping[str, GroundWords],
    paper: PaperName = "a4",
    shows: Shows = BATTLE,
    ink: InkName = "full",
) -> Page:
    """A page of a paper that lies as the table does."""
    table = scenario.table
    wide, high = paper_size(paper, landscape=table.width.mm >= table.depth.mm)
    return Page(
        wide - 2 * MARGIN,
        high - 2 * MARGIN,
        shows,
        ink,
        told=told,
        ground=GroundScale.of(scenario.table),
        square=table.squares,
        margin=MARGIN,
    )


def _sheet(page: Page, svg: str) -> SheetView:
    return _large(svg, page.width + 2 * page.margin, page.height + 2 * page.margin)


def _large(svg: str, width: float, height: float) -> SheetView:
    return SheetView(round(width, 4), round(height, 4), svg)


def _pages(ruleset: Ruleset, scenario: Scenario, sheets: list[SheetView]) -> CutoutView:
    header = ruleset.header
    title = f"{scenario.title}: Map – {header.title}"
    return CutoutView(title, header.language, tuple(sheets))
