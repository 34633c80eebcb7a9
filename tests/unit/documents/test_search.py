"""What a search may find in a small ruleset, and the script in which a page finds it."""

import json
from dataclasses import replace
from typing import Any

from beside import as_written
from small_rulesets import ruleset_of
from small_scenarios import meeting, ruleset_with

from rulebook.core.compute import compute
from rulebook.documents.catalogue import identity_of
from rulebook.documents.search import FoundView, SearchView, plan_search, search_index
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import templates_folder

COLLECTIONS = as_written(__file__, "collections")
CHAPTERS = as_written(__file__, "chapters")
ANNEX = "# Odds {#odds}\n\nSix of *six*."


def composed(ruleset: Ruleset) -> SearchView | None:
    made = compute(ruleset)
    for planned in plan_search(made, identity_of(made.ruleset)):
        document = planned.compose()
        assert document is not None and [file.path for file in document.files] == ["search.js"]
        return document.view  # type: ignore[return-value]
    return None


def small() -> SearchView:
    view = composed(ruleset_of(COLLECTIONS, *CHAPTERS, annexes=(ANNEX,)))
    assert view is not None
    return view


def script(view: SearchView) -> str:
    return search_index(view, templates_folder(), None)


def index_in(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text.rpartition(", index: ")[2].removesuffix("});\n"))
    return found


def one(view: SearchView, title: str, kind: str) -> FoundView:
    (found,) = [one for one in view.found if (one.title, one.kind) == (title, kind)]
    return found


def test_every_numbered_section_is_found_under_what_it_stands_in() -> None:
    rules = [(one.number, one.title, one.inside) for one in small().found if one.kind == "rule"]
    assert rules == [
        ("1", "Firing", ""),
        ("1.1", "Ranges", "Firing"),
        ("1.1.1", "Night", "Firing › Ranges"),
        ("2", "Moving", ""),
        ("A", "Odds", ""),
    ]


def test_a_table_is_found_by_its_cells_and_belongs_to_its_rule() -> None:
    table = one(small(), "Bands", "table")
    assert (table.rule, table.inside, table.number) == ("ranges", "1.1 Ranges", "Table 1")
    assert table.address == "booklet.html#table-bands"
    plain = index_in(script(small()))["found"]
    (words,) = [one["words"] for one in plain if one["title"] == "Bands"]
    assert words == "Reach Musket 12″ · Long rifle 24″"


def test_terms_with_a_meaning_are_found_and_forms_stand_for_one_another() -> None:
    view = small()
    assert [one.title for one in view.found if one.kind == "term"] == ["Volley"]
    assert view.terms == (("Volley", "volleys", "fire by ranks"),)


def test_units_are_found_and_cards_of_tables_are_not_found_twice() -> None:
    view = small()
    unit = one(view, "Regiment", "unit")
    assert unit.address == "cards.html#card-regiments-regiment"
    assert [one for one in view.found if one.address.startswith("cards.html")] == [unit]


def test_a_scenario_is_found_with_what_players_look_up_in_it() -> None:
    scenario = {**meeting(), "rules": {"fog": {"title": "Fog", "text": "Nobody sees **far**."}}}
    view = composed(ruleset_with(scenario))
    assert view is not None
    fog = one(view, "Fog", "scenario")
    assert fog.inside == scenario["title"] and fog.address.endswith(".html#special-rules")
    battle = one(view, scenario["title"], "scenario")
    assert battle.address == fog.address.partition("#")[0]


def test_words_are_plain_and_what_is_empty_is_left_out() -> None:
    found = {entry["title"]: entry for entry in index_in(script(small()))["found"]}
    assert found["Firing"]["words"] == "Fire before you move (1.1 Ranges), & hit on 6+."
    assert found["Odds"] == {
        "kind": "rule",
        "address": "booklet.html#odds",
        "title": "Odds",
        "words": "Six of six.",
        "number": "A",
        "rule": "odds",
    }


def test_what_stands_in_an_appendix_is_aside() -> None:
    ruleset = ruleset_of(COLLECTIONS, *CHAPTERS, annexes=(ANNEX,))
    *chapters, last = ruleset.chapters
    view = composed(replace(ruleset, chapters=(*chapters, replace(last, appendix=True))))
    assert view is not None
    assert [one.title for one in view.found if one.aside] == ["Odds"]


def test_the_library_stands_before_what_it_searches() -> None:
    text = script(small())
    assert text.startswith("/*! MiniSearch")
    assert text.index("globalThis.ruleFinder ??=") < text.index("globalThis.rulebookSearch ??=")


def test_without_pages_for_a_screen_there_is_no_index() -> None:
    assert composed(ruleset_of(documents={"qrs": None, "booklet": None, "cards": None})) is None
