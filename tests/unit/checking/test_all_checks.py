"""Bands, faces and targets, beyond what the fixtures of faults show."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from beside import beside, rows
from frozen import change, loaded
from small_rulesets import ruleset_of

from rulebook.checking import procedures as checking
from rulebook.checking.all_checks import check
from rulebook.checking.procedures import Sound, check_procedures
from rulebook.checking.texts import check_terms
from rulebook.model.not_in_source import unstated
from rulebook.model.revisions import Standing
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem, format_report


def told(game: Path, file: str, *changes: tuple[str, str]) -> list[str]:
    for old, new in changes:
        change(game / file, old, new)
    return [problem.code for problem in check(loaded(game))]


@pytest.mark.parametrize(("file", "changes", "codes"), rows(__file__, "changed_files"))
def test_changed_files(game: Path, file: str, changes: Any, codes: tuple[str, ...]) -> None:
    assert told(game, file, *changes) == [*codes]


@pytest.mark.parametrize(("step", "found"), beside(__file__, "dice_that_procedures_throw_count"))
def test_dice_that_procedures_throw_count(game: Path, step: str, found: list[str]) -> None:
    procedure = (
        f"procedures: {{p: {{title: P, steps: [{step}], result: {{a: a}}}}}}\n\ntables:\n  ch"
    )
    replaced = told(
        game, "fighting.yaml", ("tables:\n  ch", procedure), ("needs: 4+}", "needs: 12+}")
    )
    assert replaced == found


@pytest.mark.parametrize(("title", "forms", "known"), beside(__file__, "terms_occur_as_words"))
def test_terms_occur_as_words(game: Path, title: str, forms: str, known: bool) -> None:
    changes = ("terms:\n", f"terms:\n  new: {{title: {title}, forms: {forms}}}\n")
    found = told(game, "shooting.yaml", changes)
    assert found == ([] if known else ["R412"])


# What is printed where, beyond what the fixtures of faults show.


def unprinted(game: Path) -> Ruleset:
    """The valid ruleset with a table that is not printed, but whose values the annex binds."""
    shooting = game / "shooting.yaml"
    text = shooting.read_text().replace("qrs: false", "qrs: false\n    booklet: false")
    hit = "{title: Hit, killed: 2,"
    assert hit in text
    shooting.write_text(text.replace(hit, f"{hit} status: read, note: Torn page.,"))
    change(game / "shooting.md", "{table: results}\n\n", "")
    annex = game / "annex.md"
    annex.write_text(annex.read_text() + "\nA hit kills {results.hit.killed}.\n")
    return loaded(game)


def test_a_table_that_only_holds_values_is_not_placed(game: Path) -> None:
    assert format_report(check(unprinted(game))) == ""


@pytest.mark.parametrize(
    ("faces", "codes"), [([{"numbers": "1-9"}], []), ([{"text": "Moved"}], ["R408"])]
)
def test_markers_with_numbers_alone_need_no_place(faces: list[Any], codes: list[str]) -> None:
    made = {"shape": "markers", "title": "M", "use": "Lay.", "size": {"diameter": "16mm"}}
    ruleset = ruleset_of({"cutouts": {"m": {**made, "faces": faces}}}, "# One {#one}\n\nText.\n")
    assert [problem.code for problem in check(ruleset) if problem.code == "R408"] == codes


def test_what_is_unstated_in_it_is_told_where_its_values_are_bound(game: Path) -> None:
    found = {item.title: item.section_id for item in unstated(unprinted(game))}
    assert found["Results of round shot: Hit"] == "night"


# Terms: where the index finds them, and which of them clash.


def faults(game: Path, terms: str) -> list[str]:
    chapter = game / "annex.md"
    chapter.write_text(
        chapter.read_text() + "\nFire\\_by\\_rank, **half**-hits and 6* stand here.\n"
    )
    (game / "extra.yaml").write_text(f"terms:\n  t: {terms}\n")
    return [problem.code for problem in check_terms(loaded(game))]


@pytest.mark.parametrize("title", beside(__file__, "found_where_the_index_finds_it"))
def test_found_where_the_index_finds_it(game: Path, title: str) -> None:
    assert faults(game, f"{{title: '{title}'}}") == []


@pytest.mark.parametrize("title", ["Enfilade", "volle", "Twelve figures", "Pistols"])
def test_found_nowhere(game: Path, title: str) -> None:
    assert faults(game, f"{{title: '{title}'}}") == ["R412"]


# Procedures are tried at their defaults and at the ends of their inputs, within one bound.


def faults_of(count: int = 1, **more: Any) -> list[str]:
    trial: dict[str, Any] = {
        "title": "A trial",
        "inputs": {"n": {"count": "1-9", "default": "3"}},
        "steps": [{"roll": {"d": "d6"}, "times": "n", "sum": {"x": "d"}}],
        "result": {"x": "x"},
        **more,
    }
    ruleset = ruleset_of({"procedures": {f"trial{n}": trial for n in range(count)}})
    return [problem.code for problem in check_procedures(ruleset, Sound())]


def test_the_ends_of_inputs_are_tried() -> None:
    for end in (9, 1, 3):
        assert faults_of(result={"x": f"x / (n - {end})"}) == ["R425"]


def test_inputs_that_are_refused_are_no_fault_but_at_the_defaults() -> None:
    def requires(that: str) -> list[dict[str, str]]:
        return [{"that": that, "say": "Three or more throw."}]

    assert faults_of(requires=requires("n >= 3")) == []
    assert faults_of(requires=requires("n > 3")) == ["R433"]


def test_rulesets_that_take_too_long_say_what_was_not_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checking, "MOST_MOVES_IN_ALL", 1000)
    assert faults_of(2) == []
    (fault,) = faults_of(50)
    assert fault == "R424"


def test_other_inputs_share_a_bound_that_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MOST_WORK", 200)
    assert faults_of() == []
    monkeypatch.setattr(checking, "MOST_WORK", 5)
    assert faults_of() == ["R424"]


# Faults that are found in a released edition later: told, but in nobody's way.

TABLE = {"hits": {"title": "Hits", "rows": {"at": ["near", "far"]}, "cells": "count",
                  "data": ["1", "2"]}}  # fmt: skip


def test_what_can_never_be_mended_is_a_warning() -> None:
    """A newer rulebook may see more than the one that released it; it prints all the same."""
    ruleset = ruleset_of({"tables": TABLE})
    assert {problem.severity for problem in check(ruleset)} == {"error"}
    frozen = replace(ruleset, standing=Standing(frozen=True, released=True))
    report = check(frozen)
    assert report.ok
    assert [one.code for one in report] == [one.code for one in check(ruleset)]
    copy = replace(ruleset, standing=Standing(released=True))
    assert not check(copy).ok


# Options and worked examples are checked together with the ruleset, and each fault told once.


def told_of(game: Path, *options: str) -> list[Problem]:
    return list(check(loaded(game, *options)))


def test_a_fault_of_the_ruleset_is_not_told_again_for_each_option(game: Path) -> None:
    (game / "options" / "rain.yaml").write_text("title: Rain\nremoves: {terms: [volley]}\n")
    change(game / "fighting.yaml", "tables: [charges]", "tables: []")
    assert [problem.code for problem in told_of(game)] == ["R405", "R410"]


def test_a_fault_in_the_ruleset_that_only_an_option_brings_says_so(game: Path) -> None:
    option = "title: Drill\nchanges: {tables: {ranges: {data: {musket: {long: 4in}}}}}\n"
    (game / "options" / "drill.yaml").write_text(option)
    (problem,) = told_of(game)
    assert problem.message == "with the option 'drill': the end of the zone Near is 8″"
    assert problem.span.path.endswith("shooting.yaml")


def test_a_fault_in_an_option_stands_in_its_file(game: Path) -> None:
    change(game / "options/moonlight.yaml", "- deduction - 1", "- deduction - one")
    (problem,) = told_of(game)
    assert problem.code == "R301"
    assert problem.message.startswith("nothing is called 'one'")
    assert problem.span.path.endswith("moonlight.yaml")
    assert [one.code for one in told_of(game, "moonlight")] == [problem.code]


def test_an_option_of_its_own_example(game: Path) -> None:
    """What an option adds is played with it; what it leaves alone is played as it was."""
    path = game / "options" / "moonlight.yaml"
    path.write_text(
        path.read_text().replace(
            "adds:\n",
            "adds:\n  examples:\n    by_moon:\n      title: By the moon\n"
            "      situation: Twelve fire.\n      outcome: Fewer fall.\n      steps:\n"
            "        - say: They fire.\n          run: musket_volley\n"
            "          dice: [6, 6]\n          gives: {casualties: 6}\n",
        )
    )
    assert told_of(game) == []
    change(game / "options/moonlight.yaml", "gives: {casualties: 6}", "gives: {casualties: 8}")
    assert [problem.code for problem in told_of(game)] == ["R504"]


def test_an_example_that_an_option_changes_is_played_with_it(game: Path) -> None:
    path = game / "options" / "moonlight.yaml"
    text = "changes:\n  examples: {two_volleys: {steps: {by_day: {gives: {casualties: 3}}}}}\n"
    path.write_text(path.read_text().replace("changes:\n", text))
    change(game / "volleys.yaml", "      - They throw a die for every six figures.\n", "")
    assert told_of(game) == []
    assert told_of(game, "moonlight") == []
