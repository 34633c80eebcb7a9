"""Two rulesets as plain data -> what their differences do in play, without any file."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from small_rulesets import ruleset_of

from rulebook.documents.impact.compose import impact_of
from rulebook.documents.impact.touched import Editions
from rulebook.documents.impact.views import Impact
from rulebook.model.plain import plain_ruleset
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.comparison import compare

#: A chain: a table and modifiers, a procedure that looks them up, two that run it in turn; and one
#: that has nothing to do with them.
CHAIN: dict[str, Any] = {
    "tables": {
        "fire": {
            "title": "Fire",
            "rows": {"range": ["0-8in", "8-16in"]},
            "columns": {"cover": {"open": "Open", "wall": "Behind a wall"}},
            "cells": "count",
            "data": [["1", "2"], ["2", "3"]],
        },
        "moves": {
            "title": "Moves",
            "fields": {"move": "length"},
            "data": {"foot": {"title": "Foot", "move": "6in"}, "horse": {"move": "12in"}},
        },
    },
    "modifiers": {
        "nerve": {
            "title": "Nerve",
            "changes": {"points": "score"},
            "rows": {
                "lost": {"when": "Officer lost", "points": "-1"},
                "near": {"when": "General near", "points": "+1"},
            },
        },
    },
    "procedures": {
        "shots": {
            "title": "Shots",
            "inputs": {
                "dice": {"count": "1-10", "default": "3", "label": "Dice"},
                "range": {"one_of": "fire.range"},
                "cover": {"one_of": "fire.cover", "label": "Target"},
            },
            "steps": [
                {
                    "say": "Throw.",
                    "roll": {"die": "d6"},
                    "times": "dice",
                    "sum": {"hits": "max(0, die - fire[range, cover])"},
                }
            ],
            "result": {"hits": "hits"},
        },
        "test": {
            "title": "A test",
            "inputs": {
                "conditions": {"any_of": "nerve", "label": "What holds"},
                "range": {"one_of": "fire.range"},
            },
            "steps": [
                {
                    "run": "shots",
                    "given": {"range": "range", "dice": "1"},
                    "take": {"hits": "hits"},
                },
                {"roll": {"die": "d6"}},
                {"set": {"stands": "die + sum(conditions.points) - hits >= 3"}},
            ],
            "result": {"stands": "stands"},
        },
        "turn": {
            "title": "A turn",
            "steps": [
                {"run": "test", "take": {"stands": "stands"}},
                {"set": {"fate": "'stands' if stands else 'runs'"}},
            ],
            "result": {"fate": "fate"},
        },
        "march": {
            "title": "A march",
            "inputs": {"who": {"one_of": "moves", "label": "Who"}},
            "steps": [{"roll": {"die": "d6"}}, {"set": {"far": "who.move + die * '1in'"}}],
            "result": {"far": "far"},
        },
    },
}


def changed(collections: Mapping[str, Any], **values: Any) -> dict[str, Any]:
    """The same with other values at some places: `tables__fire__title="Fires"`; None takes away."""
    made = deepcopy(dict(collections))
    for place, value in values.items():
        at: Any = made
        *way, last = (int(key) if key.isdecimal() else key for key in place.split("__"))
        for key in way:
            at = at[key]
        if value is None:
            del at[last]
        else:
            at[last] = value
    return made


def editions(old: Mapping[str, Any], new: Mapping[str, Any], **header: Any) -> Editions:
    """Two editions of a small ruleset; `header` is that of the new one."""
    return _beside(ruleset_of(old), ruleset_of(new, **header))


def _beside(old: Ruleset, new: Ruleset) -> Editions:
    return Editions(old, new, compare(plain_ruleset(old), plain_ruleset(new)))


def impact(old: Mapping[str, Any], new: Mapping[str, Any], **header: Any) -> Impact:
    """What becomes of the first edition by the second, which are called 1 and 2."""
    both = editions(old, new, **header)
    return impact_of(both.old, both.new, both.comparison, ("1", "2"))
