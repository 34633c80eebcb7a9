"""Pages of maps: their size, their legend, their scale."""

import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from map_samples import FEATURES, gettysburg, inches, scenario

from rulebook.drawing.svg import svg_text
from rulebook.maps import page as pages_of_maps
from rulebook.maps.drawing import DrawnMap, GroundWords, draw_map, legend_of
from rulebook.maps.frame import bars_for
from rulebook.maps.page import MapPage
from rulebook.model.maps import TableScale
from rulebook.model.scenarios import Scenario

TOLD = {
    "ground.hill": GroundWords("Uphill", "Half the move."),
    "ground.woods": GroundWords("Woods", "No artillery."),
}


def map_pages(shown: Scenario, page: MapPage) -> list[str]:
    return [svg_text(one) for one in pages_of_maps.map_pages(shown, page)]


def words_of(pages: list[str]) -> str:
    texts = (text for page in pages for text in ElementTree.fromstring(page).itertext())
    return " ".join(" ".join(texts).split())


def test_a_legend_has_what_is_on_the_map_and_nothing_else() -> None:
    one = draw_map(scenario({"a": FEATURES["oak_hill"], "b": FEATURES["hedge"]}), Fraction(1, 10))
    assert [entry.title for entry in legend_of(scenario({}), one)] == ["Hill", "Hedge"]


def test_a_legend_says_what_the_ruleset_says() -> None:
    names = ("oak_hill", "culps_woods", "orchard")
    shown = scenario({name: FEATURES[name] for name in names})
    entries = legend_of(shown, draw_map(shown, Fraction(1, 10)), TOLD)
    assert [(entry.title, entry.text) for entry in entries] == [
        ("Hill: Uphill", "Half the move."),
        ("Woods", "No artillery."),
        ("Orchard", ""),
    ]
    assert all(entry.sample.elements for entry in entries)


def test_symbols_are_drawn_once_though_the_size_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, ground = [], DrawnMap.ground
    monkeypatch.setattr(DrawnMap, "ground", lambda self: drawn.append(self) or ground(self))
    assert len(map_pages(gettysburg(), MapPage(190.0, 260.0, ground_words=TOLD))) == 1
    assert len(drawn) == 1


def test_a_legend_tells_the_marks_of_the_sides() -> None:
    shown = gettysburg()
    entries = legend_of(shown, draw_map(shown, Fraction(1, 10)))
    told = ["Union: entry", "Union: set-up", "Confederate: entry", "Confederate: set-up"]
    assert [entry.title for entry in entries][-len(told) :] == told
    assert {"Ford", "Bridge"} <= {entry.title for entry in entries}


@pytest.mark.parametrize("size", [(124, 184), (277, 190)])
def test_a_page_has_its_size_and_all_of_the_legend(size: tuple[int, int]) -> None:
    pages = map_pages(gettysburg(), MapPage(*size, ground_words=TOLD))
    for page in pages:
        root = ElementTree.fromstring(page)
        assert root.get("viewBox") == f"0 0 {size[0]} {size[1]}"
    told = words_of(pages)
    for words in (
        "1 July 1863",
        "Uphill",
        "Half the move.",
        "Objectives",
        "Culp’s Hill, G",
        "Swamp",
    ):
        assert words in told
    assert "Squares of 1′" in told


def test_a_page_can_be_the_map_alone() -> None:
    (page,) = map_pages(gettysburg(), MapPage(124, 184, cartouche=False, legend=False))
    assert "Swamp" not in page and "of table" in page
    assert "1 July 1863" not in page


def test_a_legend_that_is_too_long_goes_on() -> None:
    more = " beyond the river and the long wood" * 3
    spot = {
        f"h{i}": {"draw": "point", "title": f"Height {i}{more}", "at": ["48in", "36in"]}
        for i in range(50)
    }
    pages = map_pages(scenario(spot), MapPage(124, 184))
    assert len(pages) > 1
    told = words_of(pages)
    assert all(re.search(rf"Height {i}\b", told) for i in range(50))


def test_a_page_without_room_for_a_map_is_refused() -> None:
    with pytest.raises(ValueError, match="no map has room"):
        map_pages(gettysburg(), MapPage(20, 20))


def test_titles_shrink_to_the_page() -> None:
    long = scenario({}, title="A" * 200)
    (page,) = map_pages(long, MapPage(124, 184, legend=False))
    size = float(re.search(rf'font-size="([0-9.]+)"[^>]*>{"A" * 200}', page)[1])  # type: ignore[index]
    assert size < 1.0


def test_the_bar_is_a_whole_length_of_the_table_and_of_the_ground() -> None:
    scale = Fraction(1, 10)
    ground = TableScale.model_validate({"length": "1in", "ground": "50yd"})
    table, real = bars_for(scale, 100.0, metric=False, ground=ground)
    assert table.end == "36″ of table" and table.length == pytest.approx(36 * 2.54)
    assert real.end == "1000 yd of ground" and real.length == pytest.approx(20 * 2.54)
    (metric,) = bars_for(scale, 100.0, metric=True)
    assert metric.end == "100 cm of table" and metric.length == pytest.approx(100)
    (least,) = bars_for(scale, 0.5, metric=True)
    assert least.end == "1 cm of table"


def test_the_arrow_points_north() -> None:
    def foot_and_point(north: str) -> str:
        table = {"width": "8ft", "depth": "6ft", "north": north}
        (page,) = map_pages(scenario({}, table=table), MapPage(124, 184, legend=False))
        return page

    assert foot_and_point("0") == foot_and_point("360") != foot_and_point("90")


def test_one_page_of_all_is_well_formed_with_the_oddest_words() -> None:
    odd = {"hill": {**FEATURES["oak_hill"], "title": "<b>&“Ø”漢"}}
    pages = map_pages(
        scenario(odd, title="<i>", places={"edge": {"title": "&", "entry": inches((0, 5))[0]}}),
        MapPage(124, 184, ground_words={"ground.hill": GroundWords("<u>", "x" * 300)}),
    )
    assert "x" * 10 in words_of(pages)
