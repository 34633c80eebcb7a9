"""Scenarios in their one spelling, and editions without them."""

from __future__ import annotations

import pytest
from shipped_rulesets import SHIPPED, shipped
from small_scenarios import meeting, ruleset_with

from rulebook.model.plain_data import plain, plain_ruleset
from rulebook.model.scenarios import Formation, Muster, Scenario


def test_an_edition_is_the_same_with_and_without_scenarios() -> None:
    with_them = ruleset_with(meeting())
    without = with_them.collections.model_copy(update={"scenarios": {}, "formations": {}})
    header = with_them.header.model_copy(update={"muster": Muster()})
    same = type(with_them)("small", header, without, with_them.chapters)
    assert plain_ruleset(with_them) == plain_ruleset(same)
    assert plain_ruleset(with_them)["collections"].keys() == {"tables", "units"}  # type: ignore[union-attr]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_scenario_in_plain_data_is_read_back(name: str) -> None:
    ruleset = shipped(name)
    for scenario in ruleset.scenarios.values():
        assert Scenario.model_validate(plain(scenario)) == scenario
    for formation in ruleset.formations.values():
        assert Formation.model_validate(plain(formation)) == formation
    assert Muster.model_validate(plain(ruleset.header.muster)) == ruleset.header.muster
