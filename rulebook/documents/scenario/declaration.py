"""What is printed of a battle: its booklet, a page for a screen, rosters, and its map."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.cache import Cache
from rulebook.documents.parts.document import PAPERS, File, Kind, LaidOut, Rendered, charted_screen

if TYPE_CHECKING:
    from rulebook.documents.scenario.views import MapView, ScenarioView, SheetsView
    from rulebook.typeset.chart_views import Charts


def _booklet(
    view: ScenarioView, files: Sequence[File], templates: Path, cache: Cache
) -> Iterable[Rendered]:
    from rulebook.documents.parts.document import on_papers
    from rulebook.documents.scenario.layout import lay_out_scenario
    from rulebook.typeset.chart_views import Charts

    layout = lay_out_scenario(view, templates, Charts(cache))
    stands = {name: (page,) for name, page in layout.first_pages().items()}
    data, laid_out = layout.pdf(print_hints=False), LaidOut(layout.pages, stands)
    return on_papers(files, data, laid_out, view.title, view.identity.language)


def _page(view: ScenarioView, _: File, templates: Path) -> tuple[str, list[str]]:
    from rulebook.documents.scenario.layout import scenario_page

    return scenario_page(view, templates)


def _screen(view: ScenarioView, templates: Path, charts: Charts) -> str:
    from rulebook.documents.scenario.layout import scenario_screen

    return scenario_screen(view, templates, charts)


def _sheets(
    view: SheetsView, files: Sequence[File], templates: Path, _: Cache
) -> Iterable[Rendered]:
    from rulebook.documents.scenario.layout import lay_out_scenario_sheets

    for file in files:
        layout = lay_out_scenario_sheets(view, file.paper or "a4", templates)
        yield Rendered(file.path, layout.pdf(print_hints=True), layout.pages)


def _map(view: MapView, files: Sequence[File], _: Path, __: Cache) -> Iterable[Rendered]:
    from rulebook.documents.scenario.maps import drawn_map
    from rulebook.typeset.fonts import in_svg

    for file in files:
        drawn = drawn_map(view)
        yield Rendered(file.path, in_svg(drawn.svg, drawn.fonts).encode(), None)


def _libraries(view: ScenarioView) -> tuple[str, ...]:
    """That of maps, and of charts where a booklet has any."""
    return ("shapely", *(("matplotlib",) if view.chart or view.time_lines else ()))


_SHARED = ("tables", "dice", "matter", "cover")
PRINT = Kind(
    "scenario",
    _booklet,
    templates=("scenario.html.j2",),
    styles=(
        *(*_SHARED, "booklet", "scenario", "scenario-print"),
        *(f"{of}-{layout}" for of in ("booklet", "scenario") for layout in PAPERS),
    ),
    libraries=_libraries,
    page=_page,
)
SCREEN = Kind(
    "scenario-screen",
    charted_screen(_screen),
    templates=("scenario-screen.html.j2",),
    styles=(*_SHARED, "screen", "revised", "scenario", "scenario-screen"),
    libraries=_libraries,
)
SHEETS = Kind(
    "scenario-sheets",
    _sheets,
    templates=("scenario-sheets.html.j2",),
    styles=("scenario-sheets",),
)
KINDS = (PRINT, SCREEN, SHEETS, Kind("map", _map, libraries=lambda _: ("shapely",)))
