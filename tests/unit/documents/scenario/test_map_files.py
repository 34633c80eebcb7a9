"""Maps and terrain of a scenario as files: which there are, and the worst that a map may hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from small_scenarios import meeting, played, ruleset_with

from rulebook.documents.document_kind import Planned
from rulebook.documents.scenario.forces import PlayedScenario
from rulebook.documents.scenario.handouts import terrain_documents, terrain_view
from rulebook.documents.scenario.maps import MapOrder, grounds_of, map_documents
from rulebook.drawing.svg import svg_text
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import MOST_OBJECTIVES
from rulebook.paper_and_ink import paper_size

LONG = "Der Große Bergrücken hinter der abgebrannten Windmühle bei Żółkiew-Przedmieście " * 2


def published(
    ruleset: Ruleset, publish: Callable[[PlayedScenario], Iterator[Planned]]
) -> list[tuple[str, list[str]]]:
    planned = (one.document for one in publish(played(ruleset)))
    return [(one.kind, [file.path for file in one.files]) for one in planned]


def order(ruleset: Ruleset, **how: Any) -> MapOrder:
    scenario = ruleset.scenarios["meeting"]
    return MapOrder(scenario, grounds_of(ruleset, scenario), **how)


def test_the_map_is_one_drawing() -> None:
    found = published(ruleset_with(meeting()), map_documents)
    assert found == [("map", ["scenarios/meeting-map.svg"])]


@pytest.mark.parametrize(
    ("spec", "papers"),
    [
        ({}, []),
        ({"terrain": "true"}, ["a4", "letter"]),
        ({"terrain": "true", "sheets": ["letter"]}, ["letter"]),
        ({"terrain": "true", "sheets": None}, []),
    ],
)
def test_terrain_is_printed_if_it_is_asked_for(spec: dict[str, Any], papers: list[str]) -> None:
    ruleset = ruleset_with(meeting(), documents={"scenarios": spec})
    assert published(ruleset, terrain_documents) == [
        ("cutout", [f"scenarios/meeting-terrain-{paper}.pdf"]) for paper in papers
    ]


def test_a_map_without_ground_has_no_terrain() -> None:
    scenario = meeting() | {"objectives": {}, "map": {"status": "house", "note": "Ours."}}
    ruleset = ruleset_with(scenario, documents={"scenarios": {"terrain": "true"}})
    assert published(ruleset, terrain_documents) == []
    assert len(published(ruleset, map_documents)) == 1
    refusal = terrain_view(ruleset, "meeting", "a4").refusal
    assert refusal and "no ground to cut out" in refusal.message


def changed(**changes: Any) -> Ruleset:
    return ruleset_with(meeting() | changes)


def many_places() -> dict[str, Any]:
    places = meeting()["places"]
    return places | {
        f"road_{n}": {"title": f"{LONG} {n}", "entry": [f"{3 * n}in", "48in"]} for n in range(22)
    }


WORST: dict[str, Callable[[], Ruleset]] = {
    "a table of a foot": lambda: changed(
        table={"width": "12in", "depth": "12in"}, map={}, places={}, objectives={},
        sides={side: {"title": side, "colour": side, "forces": {
            "all": {"title": "All", "of": {"regiment": "1"}, "at": "anywhere"}}}
            for side in ("red", "blue")},
    ),
    "a table of thirty feet": lambda: changed(table={"width": "360in", "depth": "24in"}),
    "a table of two by thirty feet": lambda: changed(table={"width": "73in", "depth": "360in"}),
    "long names that are not ASCII": lambda: changed(title=LONG, date=LONG),
    "24 places with long names": lambda: changed(places=many_places()),
    "as many objectives as there may be": lambda: changed(
        objectives={
            f"o{n}": {"title": f"{LONG} {n}", "at": "mill_hill"} for n in range(MOST_OBJECTIVES)
        }
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WORST)
def test_the_worst_of_maps_is_one_page_as_svg_and_fits_its_paper(name: str) -> None:
    ruleset = WORST[name]()
    drawn = order(ruleset).drawing()
    root = ElementTree.fromstring(drawn.svg)
    told = " ".join("".join(root.itertext()).split())
    assert all(objective.title.split()[-1] in told
               for objective in ruleset.scenarios["meeting"].objectives.values())  # fmt: skip
    wide, high = paper_size("a4")
    for sheet in order(ruleset).sheets(ruleset).sheets:
        assert sorted(sheet.window[2:]) == [wide, high]
        ElementTree.fromstring(svg_text(sheet))


def test_terrain_that_takes_too_many_sheets_is_refused() -> None:
    huge = {"wood": {"draw": "woods", "box": {"centre": ["180in", "180in"], "width": "350in",
                                             "depth": "350in"}}}  # fmt: skip
    table = {"width": "360in", "depth": "360in"}
    ruleset = changed(table=table, map={"features": huge}, objectives={})
    refusal = terrain_view(ruleset, "meeting", "a4").refusal
    assert refusal
    assert refusal.message == "The Meeting: Terrain: the cutout Woods, H8 takes 1890 sheets of a4"
    assert "as a mat" in refusal.hint


@pytest.mark.parametrize("scale", [Fraction(1), Fraction(1, 3), Fraction(1, 40)])
@pytest.mark.parametrize("ground", [None, {"length": "1in", "ground": "45yd"}])
def test_the_size_of_a_map_is_known_before_it_is_drawn(
    scale: Fraction, ground: dict[str, str] | None
) -> None:
    table = meeting()["table"] | ({"scale": ground} if ground else {})
    ruleset = changed(table=table, date="1 May 1863")
    drawn = order(ruleset, scale=scale).sheets(ruleset).sheets[0]
    told = order(ruleset).size(scale)
    assert drawn.window[2:] == pytest.approx(told, abs=1e-3)
    flat = order(ruleset, scale=scale, mat=True).sheets(ruleset).sheets[0]
    assert flat.window[2:] == pytest.approx(order(ruleset, mat=True).size(scale), abs=1e-3)
