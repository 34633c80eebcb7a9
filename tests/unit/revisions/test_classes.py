"""Changes -> those that an author is asked about, and those that are words."""

from __future__ import annotations

import pytest

from rulebook.revisions.changes import Changed
from rulebook.revisions.classes import is_rule
from rulebook.revisions.keyed import keyed

CELL = ("collections", "tables", "moves", "data", "line", "move")


def noted(value: str, **more: str) -> dict[str, str]:
    return {"value": value, "status": "read", **more}


@pytest.mark.parametrize(
    ("old", "new", "asked"),
    [
        ("6in", "7in", True),
        ("6in", noted("6in", note="As in the other table."), False),
        (noted("6in", note="Once."), noted("6in", note="Twice.", source="page 2"), False),
        (noted("6in"), noted("7in"), True),
        (noted("6in"), "7in", True),
        ({"status": "missing"}, "6in", True),
        ({"status": "missing", "note": "Agree."}, {"status": "missing", "note": "Ask."}, False),
        (None, "6in", True),
    ],
)
def test_a_cell_is_of_the_rules_by_its_value(old: object, new: object, asked: bool) -> None:
    change = Changed(CELL, keyed(old), keyed(new))  # type: ignore[arg-type]
    assert is_rule(change) is asked
