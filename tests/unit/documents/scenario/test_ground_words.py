"""What a legend says of kinds of ground: as the tables have it, like values told once."""

from __future__ import annotations

from typing import Any

import pytest
from beside import beside, written
from shipped_rulesets import SHIPPED, shipped
from small_rulesets import ruleset_of

from rulebook.documents.scenario.maps import ground_words, grounds_of
from rulebook.model.scalars import RowName

TABLES: dict[str, Any] = beside(__file__, "tables")
MODIFIERS: dict[str, Any] = written(
    "{shooting: {title: Shooting, changes: {to_hit: score}, "
    "rows: {hedge: {when: behind a hedge, to_hit: -1}}}}"
)


@pytest.mark.parametrize(
    ("table", "place", "title", "text"),
    beside(__file__, "words"),
)
def test_words(table: str, place: str, title: str, text: str) -> None:
    ruleset = ruleset_of({"tables": TABLES, "modifiers": MODIFIERS})
    words = ground_words(ruleset, RowName(table, place))
    assert (words.title, words.text) == (title, text)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_ground_of_a_shipped_map_has_words(name: str) -> None:
    ruleset = shipped(name)
    for scenario in ruleset.scenarios.values():
        told = grounds_of(ruleset, scenario)
        assert told
        own = {one.key.markdown for one in scenario.map.features.values() if one.key}
        assert all(words.text for words in told.values()) and own <= told.keys()
        assert all(words.title for ground, words in told.items() if ground not in own)
