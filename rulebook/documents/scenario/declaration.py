"""What is printed of a battle: its booklet, a page for a screen, rosters, and its map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulebook.documents.document_kind import PAPERS, Kind, later, screen

if TYPE_CHECKING:
    from rulebook.documents.scenario.views import ScenarioView


def _libraries(view: ScenarioView) -> tuple[str, ...]:
    """That of maps, and of charts where a booklet has any."""
    return ("shapely", *(("matplotlib",) if view.chart or view.time_lines else ()))


_SHARED = ("tables", "dice", "matter", "cover")
PRINT = Kind(
    "scenario",
    later("scenario.layout:booklet_on_papers"),
    templates=("scenario.html.j2",),
    styles=(
        *(*_SHARED, "booklet", "scenario", "scenario-print"),
        *(f"{of}-{layout}" for of in ("booklet", "scenario") for layout in PAPERS),
    ),
    libraries=_libraries,
    face="battle-map",
)
SCREEN = Kind(
    "scenario-screen",
    screen(later("scenario.layout:scenario_screen")),
    templates=("scenario-screen.html.j2",),
    styles=(*_SHARED, "screen", "revised", "scenario", "scenario-screen", "reader", "search"),
    libraries=_libraries,
)
SHEETS = Kind(
    "scenario-sheets",
    later("scenario.layout:sheet_files"),
    templates=("scenario-sheets.html.j2",),
    styles=("scenario-sheets",),
)
MAP = Kind("map", later("scenario.maps:map_files"), libraries=lambda _: ("shapely",))
KINDS = (PRINT, SCREEN, SHEETS, MAP)
