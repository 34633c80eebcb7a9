"""Rulesets made at random, and two editions of them: every change is found, told and undone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from small_rulesets import HEADER, ruleset_of

from rulebook.documents.changes.compared import compared
from rulebook.documents.changes.json import change_json
from rulebook.documents.changes.markdown import change_markdown
from rulebook.documents.changes.text import Terminal, change_lines
from rulebook.loading.rulesets import load
from rulebook.model.canonical import canonical
from rulebook.model.plain import plain_ruleset
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.changes import Ordered, apply
from rulebook.revisions.comparison import Comparison, compare, tree_of
from rulebook.revisions.keyed import unkeyed

#: Few names, so that two rulesets share most of them.
TABLES, MODIFIERS, ROWS, COLUMNS = ["fire", "moves", "saves"], ["nerve"], "abcd", ["men", "reach"]
TITLES = st.sampled_from(["Line", "Guard", "Horse", "Guns", "The old guard", "Größe"])
LENGTHS = st.sampled_from(["6in", "7.5in", "12in"])
COUNTS = st.sampled_from(["1", "2", "24"])
SENTENCES = st.sampled_from(
    [
        "Throw a die for each figure that fires.",
        "Throw a die for each figure that has fired, and for its officer.",
        "A unit of {fire.title} rests.",
        "- one die\n- two dice",
        "See {rule: end} for the end of the game.",
        "{table: fire}",
        "{table: moves}",
    ]
)
MOST = 6


def noted(values: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """A cell: a value, one with a note, or one that is not stated."""
    note = st.sampled_from(["Read so.", "By agreement."])
    whole = st.fixed_dictionaries({"value": values, "status": st.just("read"), "note": note})
    return st.one_of(
        values, values, whole, st.builds(lambda n: {"status": "missing", "note": n}, note)
    )


def keyed_by(names: Any, values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Some of some names in any order, each with a value."""
    chosen = st.lists(st.sampled_from(list(names)), min_size=1, unique=True)
    return chosen.flatmap(lambda keys: st.fixed_dictionaries(dict.fromkeys(keys, values)))


@st.composite
def record_tables(draw: st.DrawFn) -> dict[str, Any]:
    fields = draw(keyed_by(COLUMNS, st.just(None)))
    kinds = {"men": ("count", COUNTS), "reach": ("length", LENGTHS)}
    row = {name: noted(kinds[name][1]) for name in fields}
    return {
        "title": draw(TITLES),
        "fields": {name: kinds[name][0] for name in fields},
        "data": draw(keyed_by(ROWS, st.fixed_dictionaries({"title": TITLES, **row}))),
    }


@st.composite
def grids(draw: st.DrawFn) -> dict[str, Any]:
    ends = sorted(draw(st.lists(st.sampled_from([8, 12, 16, 18, 24]), min_size=1, unique=True)))
    bands = [f"{low}-{high}in" for low, high in zip([0, *ends], ends, strict=False)]
    cover = draw(keyed_by(["open", "wall", "wood"], TITLES))
    row = st.lists(noted(COUNTS), min_size=len(cover), max_size=len(cover))
    data = draw(st.lists(row, min_size=len(bands), max_size=len(bands)))
    axes = {"rows": {"range": bands}, "columns": {"cover": cover}}
    return {"title": draw(TITLES), **axes, "cells": "count", "data": data}


@st.composite
def modifier_tables(draw: st.DrawFn) -> dict[str, Any]:
    row = {
        "when": st.sampled_from(["Officer lost", "General near"]),
        "points": st.sampled_from(["+1", "-2"]),
    }
    rows = draw(keyed_by(ROWS, st.fixed_dictionaries(row)))
    return {"title": draw(TITLES), "changes": {"points": "score"}, "rows": rows}


@st.composite
def contents(draw: st.DrawFn) -> tuple[dict[str, Any], list[str]]:
    """Collections, and chapters of sections in Markdown."""
    tables = draw(keyed_by(TABLES, st.one_of(record_tables(), grids())))
    tables |= {name: draw(record_tables()) for name in ("fire", "moves") if name not in tables}
    terms = st.fixed_dictionaries({"title": TITLES, "meaning": st.sampled_from(["A", "Some men."])})
    collections = {
        "tables": tables,
        "modifiers": draw(keyed_by(MODIFIERS, modifier_tables())),
        "terms": draw(keyed_by(["line", "guard"], terms)),
    }
    bodies = st.lists(SENTENCES, max_size=MOST, unique=True).map("\n\n".join)
    sections = draw(st.lists(st.tuples(st.sampled_from("xyz"), TITLES, bodies), max_size=3))
    known: set[str] = set()
    text = f"# Rules {{#rules}}\n\n{draw(bodies)}\n"
    for heading, title, body in sections:
        if heading not in known:
            text += f"\n## {title} {{#{heading}}}\n\n{body}\n"
            known.add(heading)
    return collections, [text, "# End {#end}\n\nThen it is over.\n"]


def made(content: tuple[dict[str, Any], list[str]]) -> Ruleset:
    ruleset: Ruleset = ruleset_of(content[0], *content[1])
    return ruleset


def whole(old: Ruleset, new: Ruleset) -> Comparison:
    """The comparison of two rulesets, which is proved to be one."""
    comparison = compare(plain_ruleset(old), plain_ruleset(new))
    applied = apply(comparison.changes, comparison.old)
    assert canonical(unkeyed(applied)) == canonical(unkeyed(tree_of(plain_ruleset(new))))
    assert comparison.account().whole
    return comparison


@given(contents())
@settings(max_examples=20, deadline=None)
def test_an_edition_is_as_itself(content: tuple[dict[str, Any], list[str]]) -> None:
    assert whole(made(content), made(content)).changes == ()


@given(contents(), contents())
@settings(max_examples=40, deadline=None)
def test_applying_the_changes_gives_the_new_edition(
    one: tuple[dict[str, Any], list[str]], other: tuple[dict[str, Any], list[str]]
) -> None:
    old, new = made(one), made(other)
    there, back = whole(old, new), whole(new, old)
    assert bool(there.changes) == bool(back.changes)


@given(contents(), contents())
@settings(max_examples=20, deadline=None)
def test_whatever_changed_is_told(
    one: tuple[dict[str, Any], list[str]], other: tuple[dict[str, Any], list[str]]
) -> None:
    telling = compared(made(one), made(other))
    found = telling.told()
    own = [
        change
        for change in telling.revised.comparison.own
        if change.path[0] == "collections" and (not isinstance(change, Ordered) or change.moved)
    ]
    told_of = {thing.path[:3] for _, thing in found.things()}
    assert {change.path[:3] for change in own if len(change.path) > 2} <= told_of
    assert list(change_lines(found, Terminal(60)))
    assert change_markdown(found).count("\n# ") == 0
    entries = change_json(telling, found)["changes"]
    assert {tuple(entry["path"]) for entry in entries} >= {change.path for change in own}


def write(collections: Mapping[str, Any], chapters: list[str], to: Path, random: Random) -> None:
    """A ruleset in files: entities in any of them in any order, their keys in any order."""
    files: dict[str, dict[str, dict[str, Any]]] = {}
    for collection, entities in collections.items():
        for name in random.sample(list(entities), len(entities)):
            entity = entities[name]
            mixed = {key: entity[key] for key in random.sample(list(entity), len(entity))}
            file = files.setdefault(random.choice(["one", "two", "three/four"]), {})
            file.setdefault(collection, {})[name] = mixed
    for name, content in files.items():
        path = to / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = yaml.safe_dump(content, sort_keys=False, allow_unicode=random.random() < 0.5)
        path.write_text(f"# {random.random()}\n{text}", "utf-8")
    names = [f"chapter{number}.md" for number in range(len(chapters))]
    for name, text in zip(names, chapters, strict=True):
        (to / name).write_text(text, "utf-8")
    header = {**HEADER, "chapters": names}
    (to / "ruleset.yaml").write_text(yaml.safe_dump(header), "utf-8")


def test_files_and_the_order_of_keys_are_no_change(tmp_path_factory: Any) -> None:
    @given(contents(), st.randoms(use_true_random=False))
    @settings(max_examples=40, deadline=None)
    def twice(content: tuple[dict[str, Any], list[str]], random: Random) -> None:
        read = []
        for _ in range(2):
            folder = tmp_path_factory.mktemp("game") / "small"
            folder.mkdir()
            write(*content, folder, random)
            loaded = load(folder)
            assert loaded.ruleset is not None, list(loaded.report)
            read.append(loaded.ruleset)
        assert whole(*read).changes == ()

    twice()
