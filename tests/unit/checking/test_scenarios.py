"""Scenarios: the worst that may be written of them, and what is no fault."""

import math
from collections.abc import Iterator
from typing import Any

import pytest
from beside import beside
from calls import at_most
from small_scenarios import FORMATIONS, UNITS, meeting, ruleset_with

from rulebook.checking.scenarios import check_scenarios, unmapped
from rulebook.loading.names import check_names_of_scenarios
from rulebook.model.maps import MOST_FEATURES, MOST_POINTS
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import MOST_PLACES

CALLS = 20_000_000


@pytest.fixture
def guarded() -> Iterator[None]:
    """Work that grows with the square of what is written is more than this."""
    with at_most(CALLS):
        yield


def faults(ruleset: Ruleset) -> list[str]:
    named = [
        f"{one.code} {one.message}"
        for one in check_names_of_scenarios(ruleset, lambda _: pytest.fail())
    ]
    return named or [f"{one.code} {one.message}" for one in check_scenarios(ruleset)]


def star(corners: int) -> list[list[str]]:
    """A wreath of points, all of which are corners."""
    return [
        [f"{24 + r * math.cos(a):.3f}in", f"{24 + r * math.sin(a):.3f}in"]
        for number in range(corners)
        for a, r in [(2 * math.pi * number / corners, 10 + 8 * (number % 2))]
    ]


def test_titles_in_other_letters_are_no_fault() -> None:
    scenario = meeting()
    scenario["title"] = "Übergang bei Żółć"
    scenario["map"]["features"]["mill_hill"]["title"] = "Mühlberg Höhe"
    scenario["victory"] = "Wer die Mühlberg Höhe hält, nicht die Galgen Höhe."
    assert faults(ruleset_with(scenario)) == ["R468 'Galgen Höhe' is named, and is not on the map"]


@pytest.mark.usefixtures("guarded")
class TestHuge:
    def test_as_many_features_as_there_may_be(self) -> None:
        scenario = meeting()
        hill = {"draw": "hill", "area": star(12)}
        scenario["map"]["features"] |= {
            f"hill_{number}": hill for number in range(MOST_FEATURES - 2)
        }
        assert faults(ruleset_with(scenario)) == []

    def test_the_most_ragged_outlines(self) -> None:
        scenario = meeting()
        wood = {"draw": "woods", "area": star(MOST_POINTS)}
        scenario["map"]["features"] |= {f"wood_{number}": wood for number in range(25)}
        assert faults(ruleset_with(scenario)) == []

    def test_as_many_zones_as_there_may_be(self) -> None:
        scenario = meeting()
        scenario["places"] |= {
            f"zone_{number}": {"title": "Z", "zone": star(24)} for number in range(MOST_PLACES - 2)
        }
        for number in range(MOST_PLACES - 2):
            side = scenario["sides"]["red" if number % 2 else "blue"]
            force = {"title": "F", "of": {"battery": "1"}, "at": f"zone_{number}"}
            side["forces"][f"force_{number}"] = force
        assert {one[:4] for one in faults(ruleset_with(scenario))} == {"R466"}

    def test_formations_with_two_ways_down_each_level(self) -> None:
        levels = 60
        formations: dict[str, Any] = dict(FORMATIONS)
        for n in range(levels):
            below = {f"a{n + 1}": "1", f"b{n + 1}": "1"}
            formations |= {f"{x}{n}": {"title": "F", "of": below} for x in "ab"}
        last = {"title": "F", "of": {"regiment": "1"}}
        formations |= {f"a{levels}": last, f"b{levels}": last}
        scenario = meeting()
        scenario["sides"]["red"]["forces"]["main"]["of"] = {"a0": "1"}
        assert faults(ruleset_with(scenario, formations)) == [
            "R470 'Main' is of more than 1000000 units"
        ]

    def test_a_circle_of_thousands(self) -> None:
        circle = {f"f{n}": {"title": "F", "of": {f"f{(n + 1) % 3000}": "2"}} for n in range(3000)}
        (fault,) = faults(ruleset_with(meeting(), FORMATIONS | circle))
        assert fault.startswith("R303 ")


@pytest.mark.parametrize(("words", "found"), beside(__file__, "named_places"))
def test_named_places(words: str, found: list[str]) -> None:
    scenario = meeting()
    scenario["victory"] = words
    scenario["beyond"] = ["Far Hill"]
    spec = ruleset_with(scenario).scenarios["meeting"]
    named = [" ".join(text[start:end].split()) for _, text, start, end, _ in unmapped(spec)]
    assert named == found


def test_bases_need_as_much_room_as_they_cover() -> None:
    scenario = meeting()
    scenario["places"]["east"]["zone"] = [
        ["60in", "0in"], ["66in", "0in"], ["66in", "9in"], ["60in", "9in"]
    ]  # fmt: skip
    assert faults(ruleset_with(scenario)) == []  # 2 x 27 bases of a square inch in 54
    scenario["sides"]["blue"]["forces"]["more"] = {
        "title": "More", "of": {"regiment": "1"}, "at": "east"
    }  # fmt: skip
    (fault,) = faults(ruleset_with(scenario))
    assert fault.startswith("R467 the zone 'east' holds 54 square inches")
    assert fault.endswith("cover 81 square inches")


def test_a_scenario_may_call_a_unit_its_own() -> None:
    scenario = meeting()
    gun = {"title": "Gun", "kind": "guns", "counts": {"guns": "1"}, "pace": "strengths.guns.reach"}
    scenario["units"] = {"gun": gun, "regiment": {**UNITS["regiment"], "title": "Own regiment"}}
    scenario["sides"]["blue"]["forces"]["all"]["of"] = {"brigade": "1", "gun": "1"}
    assert faults(ruleset_with(scenario)) == []
