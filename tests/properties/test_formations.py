"""Random formations of formations -> the units they hold, against a plain recursion."""

from collections import Counter
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from small_scenarios import meeting, ruleset_with

from rulebook.model.forces import circle_in, formations_of, tally, units_in, units_of

UNITS = ("regiment", "battery")
NAMES = tuple(f"level_{number}" for number in range(6))


@st.composite
def held(draw: st.DrawFn) -> dict[str, dict[str, int]]:
    """Each formation holds units and some of those before it."""
    found: dict[str, dict[str, int]] = {}
    for name in NAMES:
        parts = st.sampled_from([*UNITS, *found])
        found[name] = draw(st.dictionaries(parts, st.integers(1, 4), min_size=1, max_size=4))
    return found


def counted_out(of: dict[str, int], formations: dict[str, dict[str, int]]) -> Counter[str]:
    units: Counter[str] = Counter()
    for name, number in of.items():
        for _ in range(number):
            units += counted_out(formations[name], formations) if name in formations else {name: 1}
    return units


def as_written(formations: dict[str, dict[str, int]]) -> dict[str, Any]:
    return {
        name: {"title": name, "of": {part: str(number) for part, number in of.items()}}
        for name, of in formations.items()
    }


@settings(max_examples=25)
@given(held(), st.sets(st.sampled_from(NAMES)))
def test_units_are_those_of_a_plain_recursion(formations, own):
    """Wherever formations stand: some with the scenario, the others with its ruleset."""
    written = as_written(formations)
    scenario = meeting()
    top = NAMES[-1]
    scenario["formations"] = {name: written[name] for name in own}
    scenario["sides"]["red"]["forces"]["main"]["of"] = {top: "2"}
    scenario["sides"]["blue"]["forces"]["all"]["of"] = {"regiment": "1"}
    ruleset = ruleset_with(
        scenario, {name: one for name, one in written.items() if name not in own}
    )
    there = ruleset.scenarios["meeting"]
    expected = counted_out({top: 2}, formations)
    assert units_of(ruleset, there, there.sides["red"].forces["main"]) == expected
    assert units_in(ruleset, there, {top: 2}) == expected
    assert circle_in(formations_of(ruleset, there)) == ()
    told = tally(ruleset, there, expected)
    assert told["figures"] == (None if expected["battery"] else 27 * expected["regiment"])
    assert told["guns"] == 2 * expected["battery"]


@settings(max_examples=25)
@given(held(), st.integers(0, 5), st.integers(0, 5))
def test_a_circle_is_told_as_a_way_around(formations, low, high):
    inner, outer = sorted((low, high))
    formations[NAMES[inner]] = {**formations[NAMES[inner]], NAMES[outer]: 1}
    formations[NAMES[outer]] = {**formations[NAMES[outer]], NAMES[inner]: 1}
    circle = circle_in(formations_of(ruleset_with(meeting(), as_written(formations)), None))
    assert circle[0] == circle[-1] and len(circle) >= 2
    assert all(part in formations[whole] for whole, part in pairwise(circle))
