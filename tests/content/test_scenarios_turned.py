"""Every shipped scenario with its lengths turned: the same map, the same marches, the same faults.

What is expected is reckoned here from the scenario as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulebook.checking.all_checks import check
from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.documents.scenario.marches import marches
from rulebook.loading.rulesets import load
from rulebook.maps.drawing import Shows, draw_map
from rulebook.model.forces import paces
from rulebook.model.lengths import Lengths
from rulebook.model.maps import Feature, Point
from rulebook.model.plain_data import plain
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import Scenario

CONTENT = Path(__file__).parents[2] / "content"
INCH = Fraction(254, 10)
#: How lengths are turned, and how long an inch of the scenario then is, in mm.
TURNS: dict[str, tuple[dict[str, Any], Fraction]] = {
    "a third": ({"scale": "1/3"}, INCH / 3),
    "centimetres": ({"read": {"in": "cm"}}, Fraction(10)),
    "half in centimetres": ({"scale": "1/2", "read": {"in": "2.5cm"}}, Fraction(25, 2)),
    "rounded": ({"scale": "1/2", "read": {"in": "2.5cm"}, "round": "0.5cm"}, Fraction(25, 2)),
}
#: Map, zones and entries: not what is told of them.
GROUND = Shows(names=False, objectives=False)
SCENARIOS = [
    (folder.name, name)
    for folder in sorted(CONTENT.iterdir())
    if (folder / "scenarios").is_dir()
    for name in (load(folder).ruleset or pytest.fail(folder.name)).scenarios
]


@cache
def ruleset(name: str, turn: str | None = None) -> Ruleset:
    lengths = Lengths.model_validate(TURNS[turn][0]) if turn else None
    loaded = load(CONTENT / name, (), lengths)
    assert loaded.ruleset is not None, [str(problem) for problem in loaded.report]
    return loaded.ruleset


def points_of(scenario: Scenario) -> Iterator[Point]:
    for feature in scenario.map.features.values():
        yield from feature.points
        yield from (at for _, _, at in feature.crossings)
    for place in scenario.places.values():
        yield from (place.entry,) if place.entry else place.zone or ()


def extents_of(feature: Feature) -> Iterator[Fraction]:
    for one in (feature.oval, feature.box):
        if one:
            yield from (one.width.mm, one.depth.mm)
    if feature.width:
        yield feature.width.mm


@pytest.mark.parametrize("turn", ("a third", "centimetres", "rounded"))
@pytest.mark.parametrize(("game", "name"), SCENARIOS)
def test_all_on_the_table_is_turned_by_one_factor_exactly(game: str, name: str, turn: str) -> None:
    old, new = (ruleset(game, one).scenarios[name] for one in (None, turn))
    factor = TURNS[turn][1] / INCH
    assert (new.table.width.mm, new.table.depth.mm) == (
        old.table.width.mm * factor,
        old.table.depth.mm * factor,
    )
    assert new.table.square.mm == old.table.square.mm * factor
    for one, other in zip(points_of(old), points_of(new), strict=True):
        assert other.mm == (one.mm[0] * factor, one.mm[1] * factor)
    for key, feature in old.map.features.items():
        turned = list(extents_of(new.map.features[key]))
        assert turned == [length * factor for length in extents_of(feature)]
    again = Scenario.model_validate(plain(new))
    assert (again.table, again.map, again.places) == (new.table, new.map, new.places)
    if old.table.scale and new.table.scale:
        assert new.table.scale.length.mm == old.table.scale.length.mm * factor
        assert new.table.scale.ground == old.table.scale.ground, "the ground stays as it was"


@pytest.mark.parametrize(("game", "name"), SCENARIOS)
def test_a_map_that_fills_its_page_is_the_same_picture(game: str, name: str) -> None:
    """By a factor that no decimal spells; what is rounded is turned by one factor as well."""
    bodies = []
    for one in (None, "a third"):
        scenario = ruleset(game, one).scenarios[name]
        drawn = draw_map(scenario, Fraction(180) / scenario.table.width.mm, shows=GROUND)
        # what a square is called is the same, and that they are so many
        bodies.append((drawn.body, drawn.grid.columns, drawn.grid.rows))
    # a hair's breadth of rounding aside
    assert bodies[0][1:] == bodies[1][1:]
    numbers = [re.split(r"(-?\d+\.?\d*)", body) for body, *_ in bodies]
    assert len(numbers[0]) == len(numbers[1])
    for was, now in zip(*numbers, strict=True):
        assert was == now or abs(float(was) - float(now)) < 0.02


@pytest.mark.parametrize("turn", ("a third", "rounded"))
@pytest.mark.parametrize(("game", "name"), SCENARIOS)
def test_marches_take_as_many_turns_within_rounding(game: str, name: str, turn: str) -> None:
    old, new = (ruleset(game, one) for one in (None, turn))
    factor = float(TURNS[turn][1] / INCH)
    known = paces(new, new.scenarios[name])
    for was, now in zip(marches(old, name), marches(new, name), strict=True):
        assert now.way.length == pytest.approx(was.way.length * factor, rel=1e-6)
        for unit, turns in now.turns.items():
            reckoned = now.way.length / float(known[unit].mm)
            assert turns - 1 < reckoned + 1e-6 <= turns + 1e-5
            if "round" not in TURNS[turn][0]:
                assert turns == was.turns[unit]
            else:
                assert abs(turns - was.turns[unit]) <= max(1, 0.1 * was.turns[unit])


@pytest.mark.parametrize("turn", ("centimetres", "rounded"))
@pytest.mark.parametrize("game", sorted({game for game, _ in SCENARIOS}))
def test_what_is_turned_has_no_fault(game: str, turn: str) -> None:
    found = list(check(ruleset(game, turn)))
    assert [str(problem) for problem in found if problem.severity != "warning"] == []
    paths = [problem.span.path for problem in found if problem.span]
    assert [path for path in paths if "/scenarios/" in path] == [], "no length is typed in a text"


@pytest.mark.parametrize(("game", "name"), SCENARIOS)
def test_no_length_in_its_words_is_left_as_it_was(game: str, name: str) -> None:
    turned = ruleset(game, "half in centimetres")
    scenario, binder = turned.scenarios[name], Binder(turned)
    told = [one.text for one in (scenario.background, scenario.situation, scenario.victory) if one]
    told += [rule.text for rule in scenario.rules.values()]
    told += [objective.text for objective in scenario.objectives.values()]
    for text in filter(None, told):
        words = plain_text(binder.prose(text))
        assert not re.search(r"\d ?(″|′|inch|feet|foot\b)", words), words
