"""What a legend says of kinds of ground: as the tables have it, like values told once."""

from __future__ import annotations

from typing import Any

import pytest
from shipped_rulesets import SHIPPED, shipped
from small_rulesets import ruleset_of

from rulebook.documents.scenario.ground import ground_tables, ground_words, grounds_of
from rulebook.model.maps import GroundName

TABLES: dict[str, Any] = {
    "going": {
        "title": "Going",
        "fields": {"share": "ratio"},
        "data": {
            "half": {"title": "Half", "share": "1/2"},
            "none": {"title": "None", "share": "0"},
        },
    },
    "terrain": {
        "title": "Terrain",
        "rows": {"ground": {"woods": "Woods", "bog": "Bog", "sand": "Sand"}},
        "columns": {"troops": {"foot": "Foot", "horse": "Horse", "guns": "Guns, wagons"}},
        "cells": "row going",
        "data": [["half", "none", "none"], ["none", "none", "none"], ["half", "half", "none"]],
    },
    "cover": {
        "title": "Cover",
        "fields": {"save": "target", "blocks": "flag", "less": "length", "why": "text"},
        "data": {
            "wall": {"title": "Wall", "save": "5+", "blocks": "true", "less": None, "why": "Stone"},
            "gap": {
                "title": "Gap",
                "save": {"status": "missing", "note": "Torn."},
                "blocks": "false",
                "less": "2in",
                "why": None,
            },
        },
    },
}
MODIFIERS: dict[str, Any] = {
    "shooting": {
        "title": "Shooting",
        "changes": {"to_hit": "score"},
        "rows": {"hedge": {"when": "behind a hedge", "to_hit": "-1"}},
    }
}


@pytest.mark.parametrize(
    ("table", "place", "title", "text"),
    [
        ("terrain", "woods", "Woods", "Foot: half; Horse / Guns, wagons: none"),
        ("terrain", "bog", "Bog", "All: none"),
        ("terrain", "sand", "Sand", "Foot and Horse: half; Guns, wagons: none"),
        ("terrain", "horse", "Horse", "Woods and Bog: none; Sand: half"),
        ("cover", "wall", "Wall", "Save: 5+; Blocks; Why: Stone"),
        ("cover", "gap", "Gap", "Less: 2″"),
        ("shooting", "hedge", "behind a hedge", "To hit: −1"),
    ],
)
def test_words(table: str, place: str, title: str, text: str) -> None:
    ruleset = ruleset_of({"tables": TABLES, "modifiers": MODIFIERS})
    words = ground_words(ruleset, GroundName(table, place))
    assert (words.title, words.text) == (title, text)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_ground_of_a_shipped_map_has_words(name: str) -> None:
    ruleset = shipped(name)
    for scenario in ruleset.scenarios.values():
        told = grounds_of(ruleset, scenario)
        assert told
        assert len(ground_tables(ruleset, scenario)) == len({one.split(".")[0] for one in told})
        assert all(words.title and words.text for words in told.values())
