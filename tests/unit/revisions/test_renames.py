"""What is called otherwise in a new edition: stated, or found, and never invented."""

from typing import Any

import pytest
from applied_changes import apply
from beside import beside
from two_editions import CHAIN, changed, editions

from rulebook.documents.impact.compose import Pair
from rulebook.model.plain_data import Named
from rulebook.revisions.changes import Added, Change, Changed, Ordered, Removed, Renamed
from rulebook.revisions.classes import is_rule
from rulebook.revisions.comparison import Comparison, compare
from rulebook.revisions.keyed import keyed

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


def changes(old: Any, new: Any) -> tuple[Change, ...]:
    return whole(old, new).changes


def kinds(found: tuple[Change, ...]) -> set[type]:
    return {type(one) for one in found if not isinstance(one, Ordered)}


def test_numbers_that_two_rows_share_prove_nothing() -> None:
    old, new = tables(units=table({"line": LINE})), tables(units=table({"guard": GUARD}))
    assert kinds(changes(old, new)) == {Added, Removed}


def test_a_row_with_its_title_is_the_same() -> None:
    now = {**LINE, "move": "9in", "men": "30"}
    found = changes(tables(units=table({"line": LINE})), tables(units=table({"foot": now})))
    assert Renamed(("collections", "tables", "units", "data", "foot"), "line") in found
    assert kinds(found) == {Renamed, Changed}


def test_short_fields_of_one_type_are_no_renames() -> None:
    """Two cells are too few to know a column again by."""
    fields = {"to": {"type": "length", "title": "To"}}
    others = {name: {"type": "length", "title": name.title()} for name in ("white", "yellow")}
    old = tables(kills=table({"near": {"to": "24in"}, "far": {"to": "36in"}}, fields))
    row = {"white": "24in", "yellow": "36in"}
    new = tables(kills=table({"near": row, "far": row}, others))
    assert Renamed not in kinds(changes(old, new))


def test_a_column_is_known_by_its_cells() -> None:
    rows = {name: {"men": str(number), "save": "5+"} for number, name in enumerate("abcd")}
    now = {name: {"figures": row["men"], "save": "5+"} for name, row in rows.items()}
    fields = {"figures": {"type": "count"}, "save": {"type": "count"}}
    found = changes(
        tables(units=table(rows, {"men": {"type": "count"}, "save": {"type": "count"}})),
        tables(units=table(now, fields)),
    )
    at = ("collections", "tables", "units")
    assert found[0] == Renamed((*at, "fields", "figures"), "men")
    assert kinds(found) == {Renamed}


def test_a_stated_name_needs_no_likeness() -> None:
    old = tables(units=table({"line": LINE}))
    new = tables(units=table({"guard": {**GUARD, "was": "line"}}))
    found = changes(old, new)
    assert Renamed(("collections", "tables", "units", "data", "guard"), "line") in found


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


def test_uses_of_a_renamed_thing_follow_from_it() -> None:
    def edition(name: str) -> dict[str, Any]:
        steps = [{"say": f"{LONG} {{{name}.line.men}}", "set": {"men": f"{name}.line.men + 1"}}]
        part = tables(**{name: table({"line": LINE, "guard": GUARD})})
        part["collections"]["procedures"] = Named(fire={"title": "Fire", "steps": steps})
        sections = {"fire": {"title": "Fire", "parts": [f"{{table: {name}}}", LONG]}}
        return {**part, "sections": Named(sections)}

    comparison = whole(edition("units"), edition("men_of_war"))
    assert comparison.own == (Renamed(("collections", "tables", "men_of_war"), "units"),)


def test_a_name_after_a_minus_is_a_name_and_a_word_with_a_hyphen_is_none() -> None:
    def edition(name: str, said: str) -> dict[str, Any]:
        steps = [{"say": said, "set": {"men": f"-{name}.line.men if old else 1 - {name}.line.men"}}]
        part = tables(**{name: table({"line": LINE, "guard": GUARD})})
        part["collections"]["procedures"] = Named(fire={"title": "Fire", "steps": steps})
        return part

    comparison = whole(edition("units", "All units-of-old"), edition("men", "All units-of-old"))
    assert comparison.own == (Renamed(("collections", "tables", "men"), "units"),)


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
    assert {Removed((*at, "8-16in"), "2"), Added((*at, "8-18in"), "2")} <= set(found)


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
    reworded = [one.path[-1] for one in found if isinstance(one, Renamed)]
    assert reworded == ["Lay the cone’s point at the muzzle."]
    assert ("sections", "fire", "parts", "{table: near}") in [
        one.path for one in found if isinstance(one, Removed)
    ]


def test_words_of_a_list_that_share_one_are_others() -> None:
    def term(*forms: str) -> dict[str, Any]:
        return {"collections": {"terms": Named(cone={"title": "Cone", "forms": list(forms)})}}

    assert kinds(changes(term("canister device"), term("canister cone"))) == {Added, Removed}


def test_the_fewest_rows_are_moved() -> None:
    old = tables(units=table({name: {**LINE, "title": name} for name in "abcdef"}))
    new = tables(units=table({name: {**LINE, "title": name} for name in "fabced"}))
    (found,) = changes(old, new)
    assert sorted(found.moved) in (["d", "f"], ["e", "f"])


def test_names_of_files_are_no_change() -> None:
    def edition(file: str) -> dict[str, Any]:
        return {"header": {"chapters": [file]}, "chapters": Named({file: ["fire", "volleys"]})}

    assert changes(edition("fire.md"), edition("shooting.md")) == ()


def exchange(first: str, second: str, text: str) -> dict[str, Any]:
    """An edition in which two tables stand under these ids, and a step that looks one up."""
    part = tables(
        **{
            first: {**table({"line": LINE, "guard": GUARD}), "title": "Units"},
            second: {**table({"line": {**LINE, "men": "8"}}), "title": "Guns"},
        }
    )
    steps = [{"say": "Look it up.", "set": {"men": text}}]
    part["collections"]["procedures"] = Named(fire={"title": "Fire", "steps": steps})
    return part


def test_two_ids_that_are_exchanged_are_two_renames() -> None:
    old = exchange("units", "guns", "units.line.men + guns.line.men * 2")
    comparison = whole(old, exchange("guns", "units", "guns.line.men + units.line.men * 2"))
    at = ("collections", "tables")
    assert set(comparison.own) == {Renamed((*at, "guns"), "units"), Renamed((*at, "units"), "guns")}


def test_tables_that_take_each_other_s_place_are_changes() -> None:
    """What names them has stayed: it looks up something else now, cell by cell."""
    old = exchange("units", "guns", "units.line.men")
    assert Renamed not in kinds(changes(old, exchange("guns", "units", "units.line.men")))


def test_what_is_stated_of_an_exchange_holds() -> None:
    old, new = (exchange(*ids, "units.line.men") for ids in (("units", "guns"), ("guns", "units")))
    for now, was in (("guns", "units"), ("units", "guns")):
        new["collections"]["tables"][now]["was"] = was
    comparison = whole(old, new)
    assert kinds(comparison.changes) == {Renamed}
    assert comparison.stray == ()


def test_three_rows_in_a_ring_and_one_that_only_took_a_title() -> None:
    def rows(*titles: str) -> dict[str, Any]:
        return {key: {**LINE, "title": title} for key, title in zip("abcd", titles, strict=True)}

    found = changes(
        tables(units=table(rows("Foot", "Horse", "Guns", "Train"))),
        tables(units=table(rows("Guns", "Foot", "Horse", "Wagons"))),
    )
    at = ("collections", "tables", "units", "data")
    renamed = {one for one in found if isinstance(one, Renamed)}
    assert renamed == {
        Renamed((*at, now), was) for was, now in (("a", "b"), ("b", "c"), ("c", "a"))
    }
    assert Changed((*at, "d", "title"), "Train", "Wagons") in found
    half = tables(units=table(rows("Horse", "Guns", "Oxen", "Train")))
    assert Renamed not in kinds(
        changes(tables(units=table(rows("Foot", "Horse", "Guns", "Train"))), half)
    )


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
    change = Changed(CELL, keyed(old), keyed(new))  # type: ignore[arg-type]
    assert is_rule(change) is asked


# Words about an entity are told from what is reckoned with.


def plays_alike(collection: str, name: str, **values: Any) -> bool:
    both = editions(CHAIN, changed(CHAIN, **values))
    return both.plays_alike(collection, Pair(name, name))


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
