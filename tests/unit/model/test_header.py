"""Papers and inks of all documents in one line of the header."""

import pytest
from beside import as_written
from pydantic import ValidationError
from shipped_rulesets import SHIPPED, shipped
from small_scenarios import meeting, ruleset_with

from rulebook.model.header import Documents
from rulebook.model.plain_data import plain, plain_ruleset
from rulebook.model.scenarios import Formation, Muster, Scenario


def papers_of(documents: Documents) -> dict[str, tuple[str, ...] | None]:
    found: dict[str, tuple[str, ...] | None] = {}
    for kind in ("qrs", "booklet", "cutouts", "cards", "changes", "scenarios"):
        spec = getattr(documents, kind)
        for key in ("papers", "imposed", "sheets"):
            if spec is not None and hasattr(spec, key):
                found[f"{kind}.{key}"] = getattr(spec, key)
    return found


def test_one_line_says_it_of_all() -> None:
    documents = Documents.model_validate({"papers": ["letter"], "inks": ["full"]})
    assert set(papers_of(documents).values()) == {("letter",), None}
    assert documents.qrs.imposed is documents.qrs.pocket is None, "only if asked for"
    assert (documents.qrs.inks, documents.cards.inks) == (("full",), ("full",))


def test_what_a_document_says_itself_stays() -> None:
    said = as_written(__file__, "said")
    found = papers_of(Documents.model_validate(said))
    assert found["cutouts.papers"] == ("a3",)
    assert (found["booklet.papers"], found["booklet.imposed"]) == (("a5",), None)
    assert "cards.papers" not in found
    assert found["qrs.papers"] == found["scenarios.sheets"] == ("a4",)


@pytest.mark.parametrize("papers", [["a2"], [], "a4", ["a4", "a4"]])
def test_what_will_not_do_is_told_once(papers: object) -> None:
    with pytest.raises(ValidationError) as told:
        Documents.model_validate({"papers": papers})
    assert {error["loc"][0] for error in told.value.errors()} == {"papers"}


# Scenarios in their one spelling, and editions without them.


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
