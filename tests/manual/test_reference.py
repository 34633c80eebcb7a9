"""The reference lists every key of every schema, once, with what the schema says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from rulebook.manual.book import chapter, topics
from rulebook.model import schemas
from rulebook.model.ruleset import Collections

TEXT = chapter("reference.md")
MADE = [schemas.topic_schema(), schemas.ruleset_schema(), schemas.revisions_schema()]
OPTION = {"Option": schemas.option_schema()["$defs"]["Option"]}


def keyed(schema: Any) -> Iterator[dict[str, Any]]:
    """All schemas of mappings with keys, wherever they stand in one that is defined."""
    if isinstance(schema, dict):
        if "properties" in schema:
            yield schema
        for name in ("anyOf", "oneOf"):
            for one in schema.get(name, ()):
                yield from keyed(one)


DEFINED = {
    name: one
    for things in (*(made["$defs"] for made in MADE), OPTION)
    for name, thing in things.items()
    for one in keyed(thing)
}


def tables() -> list[dict[str, str]]:
    """The tables of keys: key -> its row."""
    found = []
    for table in re.findall(r"\| --- \| --- \| --- \|\n((?:\|.*\n)+)", TEXT):
        rows = [re.match(r"\| `(\w+)` \| (.*) \|$", row) for row in table.splitlines()]
        assert all(rows), table
        found.append({row[1]: row[0] for row in rows if row})
    return found


@pytest.mark.parametrize("name", DEFINED)
def test_every_key_is_listed(name: str) -> None:
    """A model has a table of its keys, with those it needs marked; a few share their keys."""
    properties = DEFINED[name]["properties"]
    sourced = {"status", "note", "source", "was"}
    wanted = set(properties) - (sourced if sourced <= set(properties) else set())
    same = [table for table in tables() if set(table) == wanted]
    assert same, name
    needed = set(DEFINED[name].get("required", ()))
    assert any(
        {key for key, row in table.items() if "**needed**" in row} == needed for table in same
    )
    for key in wanted:
        words = properties[key].get("description", "").split("{")[0].split("|")[0].split("*")[0]
        assert any(words[:60] in table[key].replace("\\", "") for table in same), (name, key)


def test_examples_are_of_the_things_that_they_stand_below() -> None:
    found = 0
    for topic in topics().values():
        if topic.id.startswith("ref_") and topic.level == 3 and "````yaml" in topic.text:
            (text,) = re.findall(r"(?ms)^````yaml\n(.*?)^````$", topic.text)
            ((collection, things),) = yaml.safe_load(text).items()
            ((_, thing),) = things.items()
            keys = set(re.findall(r"(?m)^\| `(\w+)`", topic.text))
            assert set(thing) <= keys | {"status", "note", "source", "was"}
            assert collection in Collections.model_fields
            found += 1
    assert found >= 10
