"""What is called otherwise in a new edition: stated, or found, and never invented."""

from typing import Any

import pytest
from applied_changes import apply
from beside import beside
from two_editions import CHAIN, changed, editions

from rulebook.model.plain_data import Named
from rulebook.revisions.changes import EditionChange, Path, keyed
from rulebook.revisions.comparison import Comparison, compare
from rulebook.revisions.revised import is_rule

LINE = {"title": "Line", "move": "6in", "men": "24", "save": "5+"}
GUARD = {"title": "Guard", "move": "6in", "men": "24", "save": "4+"}
FIELDS = {name: {"type": "count"} for name in ("move", "men", "save")}
LONG = "Formed infantry fires by volleys; throw one die for every six figures that fire at all."


def table(rows: dict[str, Any], fields: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"title": "Units", "fields": Named(fields or FIELDS), "data": Named(rows)}


def tables(**named: Any) -> dict[str, Any]:
    return {"collections": {"tables": Named(sorted(named.items()))}}


def whole(old: Any, new: Any) -> Comparison:
    """Their comparison, which is proved to be whole."""
    comparison = compare(old, new)
    assert apply(comparison.changes, comparison.old) == comparison.new
    return comparison


def changes(old: Any, new: Any) -> tuple[EditionChange, ...]:
    return whole(old, new).changes


def renamed(path: Path, was: str) -> EditionChange:
    return EditionChange(path, "renamed", was, path[-1])


def kinds(found: tuple[EditionChange, ...]) -> set[str]:
    return {one.kind for one in found if one.kind != "moved"}


def test_another_id_is_another_thing_unless_it_is_stated() -> None:
    """However much two rows are alike."""
    old, now = tables(units=table({"line": LINE})), {**LINE, "move": "9in"}
    assert kinds(changes(old, tables(units=table({"foot": now})))) == {"added", "removed"}
    found = changes(old, tables(units=table({"foot": {**now, "was": "line"}})))
    assert renamed(("collections", "tables", "units", "data", "foot"), "line") in found
    assert kinds(found) == {"renamed", "changed"}


def test_a_column_of_another_name_is_that_in_each_row() -> None:
    fields = {**FIELDS, "figures": {"type": "count", "was": "men"}}
    del fields["men"]
    now = {"title": "Line", "move": "6in", "figures": "24", "save": "5+"}
    found = changes(tables(units=table({"line": LINE})), tables(units=table({"line": now}, fields)))
    assert found[0] == renamed(("collections", "tables", "units", "fields", "figures"), "men")
    assert kinds(found) == {"renamed"}


@pytest.mark.parametrize(
    ("rows", "stray"),
    [
        ({"guard": {**GUARD, "was": "line"}}, []),
        ({"guard": {**GUARD, "was": "lien"}}, ["lien"]),
        ({"line": LINE, "guard": {**GUARD, "was": "line"}}, ["line"]),
    ],
)
def test_a_stated_name_must_be_one_that_went(rows: dict[str, Any], stray: list[str]) -> None:
    comparison = whole(tables(units=table({"line": LINE})), tables(units=table(rows)))
    assert [was for _, was in comparison.stray] == stray


def test_a_name_that_was_stated_before_may_stay() -> None:
    once = tables(units=table({"guard": {**GUARD, "was": "line"}}))
    assert compare(once, once).stray == ()
    assert compare(once, tables(units=table({"guard": GUARD}))).changes == ()


def test_a_name_after_a_minus_is_a_name_and_a_word_with_a_hyphen_is_none() -> None:
    def edition(name: str, **was: str) -> dict[str, Any]:
        gives = f"-{name}.line.men if old else 1 - {name}.line.men"
        steps = [{"say": "All units-of-old", "set": {"men": gives}}]
        part = tables(**{name: table({"line": LINE, "guard": GUARD}) | was})
        part["collections"]["procedures"] = Named(fire={"title": "Fire", "steps": steps})
        return part

    comparison = whole(edition("units"), edition("men", was="units"))
    assert comparison.own == (renamed(("collections", "tables", "men"), "units"),)


def test_a_table_of_another_kind_is_told_whole() -> None:
    grid = {"title": "Units", "rows": Named(who=Named(line="Line")), "cells": "count"}
    old = tables(units={**grid, "data": Named(line="6")})
    (found,) = changes(old, tables(units=table({"line": LINE})))
    assert found.path == ("collections", "tables", "units")


def grid(*places: str, columns: dict[str, Any] | None = None, data: Any = None) -> dict[str, Any]:
    rows = Named(range=Named({place: place for place in places}))
    return {"title": "Fire", "rows": rows, "cells": "count", "data": data, **(columns or {})}


def test_a_band_with_another_end_is_another_row() -> None:
    old, new = (
        grid("0-8in", band, data=Named({"0-8in": "1", band: "2"})) for band in ("8-16in", "8-18in")
    )
    found = changes(tables(fire=old), tables(fire=new))
    at = ("collections", "tables", "fire", "data")
    assert {
        EditionChange((*at, "8-16in"), "removed", old="2"),
        EditionChange((*at, "8-18in"), "added", new="2"),
    } <= set(found)


def test_the_cells_of_other_axes_are_none_of_the_old() -> None:
    one = grid("near", "far", data=Named(near="1", far="2"))
    across = {"columns": Named(cover=Named(open="Open"))}
    two = grid("near", "far", columns=across, data=Named(near=Named(open="1"), far=Named(open="2")))
    found = changes(tables(fire=one), tables(fire=two))
    assert ("collections", "tables", "fire", "data") in [one.path for one in found]


def test_sentences_are_paired_by_their_words() -> None:
    def rules(*parts: str) -> dict[str, Any]:
        return {"sections": Named(fire={"title": "Fire", "parts": list(parts)})}

    found = changes(
        rules("Lay the device’s point at the muzzle.", "{table: near}", LONG),
        rules("Lay the cone’s point at the muzzle.", "{table: far}", LONG),
    )
    reworded = [one.path[-1] for one in found if one.kind == "renamed"]
    assert reworded == ["Lay the cone’s point at the muzzle."]
    assert ("sections", "fire", "parts", "{table: near}") in [
        one.path for one in found if one.kind == "removed"
    ]


def test_a_heading_is_known_by_its_words() -> None:
    """Its id is made of its title, unless one is given."""

    def rules(id_: str, *parts: str) -> dict[str, Any]:
        return {
            "sections": Named({id_: {"title": id_.title(), "level": "1", "parts": list(parts)}})
        }

    found = changes(rules("volleys", LONG, "{table: hits}"), rules("volley_fire", LONG))
    assert renamed(("sections", "volley_fire"), "volleys") in found
    assert "renamed" not in kinds(changes(rules("volleys", LONG), rules("charges", "Charge home.")))


def test_words_of_a_list_that_share_one_are_others() -> None:
    def term(*forms: str) -> dict[str, Any]:
        return {"collections": {"terms": Named(cone={"title": "Cone", "forms": list(forms)})}}

    assert kinds(changes(term("canister device"), term("canister cone"))) == {"added", "removed"}


def test_the_fewest_rows_are_moved() -> None:
    old = tables(units=table({name: {**LINE, "title": name} for name in "abcdef"}))
    new = tables(units=table({name: {**LINE, "title": name} for name in "fabced"}))
    (found,) = changes(old, new)
    assert sorted(found.moved) in (["d", "f"], ["e", "f"])


@pytest.mark.parametrize("former", [{"a": "b", "b": "a"}, {"a": "b", "b": "c", "c": "a"}])
def test_ids_may_be_exchanged(former: dict[str, str]) -> None:
    old = tables(**{key: {**table({"line": LINE}), "title": key} for key in former})
    new = tables(
        **{key: {**table({"line": LINE}), "title": was, "was": was} for key, was in former.items()}
    )
    comparison = whole(old, new)
    at = ("collections", "tables")
    assert set(comparison.own) == {renamed((*at, key), was) for key, was in former.items()}
    assert comparison.stray == ()


def test_of_an_exchange_that_is_half_stated_nothing_holds() -> None:
    old, new = (tables(a=table({"line": one}), b=table({"line": GUARD})) for one in (LINE, GUARD))
    new["collections"]["tables"]["a"]["was"] = "b"
    comparison = whole(old, new)
    assert "renamed" not in kinds(comparison.changes)
    assert [was for _, was in comparison.stray] == ["b"]


# Changes -> those that an author is asked about, and those that are words.

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
    change = EditionChange(CELL, "changed", keyed(old), keyed(new))  # type: ignore[arg-type]
    assert is_rule(change) is asked


# Words about an entity are told from what is reckoned with.


def plays_alike(collection: str, name: str, **values: Any) -> bool:
    both = editions(CHAIN, changed(CHAIN, **values))
    return both.plays_alike(collection, name)


@pytest.mark.parametrize(("place", "value"), beside(__file__, "words_play_alike"))
def test_words_play_alike(place: str, value: object) -> None:
    collection, name, *_ = place.split("__")
    assert plays_alike(collection, name, **{place: value})


@pytest.mark.parametrize(("place", "value"), beside(__file__, "values_do_not"))
def test_values_do_not(place: str, value: object) -> None:
    collection, name, *_ = place.split("__")
    assert not plays_alike(collection, name, **{place: value})


def test_a_step_that_only_says_something_changes_nothing() -> None:
    steps = [{"say": "Look at the table."}, *CHAIN["procedures"]["shots"]["steps"]]
    assert plays_alike("procedures", "shots", procedures__shots__steps=steps)
