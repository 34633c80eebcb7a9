"""Bands, faces and targets, beyond what the fixtures of faults show."""

from __future__ import annotations

from pathlib import Path

import pytest
from beside import beside
from frozen import change, loaded

from rulebook.checking.all_checks import check
from rulebook.problems import format_report


def told(game: Path, file: str, *changes: tuple[str, str]) -> list[str]:
    for old, new in changes:
        change(game / file, old, new)
    return [problem.code for problem in check(loaded(game))]


@pytest.mark.parametrize(
    "bands",
    ["0-12in, 12in+", "0-12in, 12-13.5in", "1-3, 4+", "<=3, 4-9", "0-0.5in, 0.5-2in", "5, 6-7"],
)
def test_bands_that_touch(game: Path, bands: str) -> None:
    assert told(game, "shooting.yaml", ("[0-12in, 12in+]", f"[{bands}]")) == []


@pytest.mark.parametrize(
    "bands", ["1-3, 3-5", "1-3, 5-6", "8-16in, 0-8in", "0-8in, 9-16", "1+, <=4", "0-8in, 7.5-16in"]
)
def test_bands_that_do_not(game: Path, bands: str) -> None:
    assert told(game, "shooting.yaml", ("[0-12in, 12in+]", f"[{bands}]")) == ["R401"]


def test_faces_of_different_dice_do_not_clash(game: Path) -> None:
    assert told(game, "fighting.yaml", ("wounds: faces d6", "wounds: faces d10")) == []


def test_no_face_clashes_with_none(game: Path) -> None:
    changes = [
        ("kills: 6, wounds: 4-5", "kills: none, wounds: none"),
        ("wounds: 3-4", "wounds: none"),
    ]
    assert told(game, "fighting.yaml", *changes) == []


def test_a_target_is_measured_by_the_highest_dice_of_the_ruleset(game: Path) -> None:
    assert told(
        game,
        "fighting.yaml",
        ("needs: target}", "needs: target, dice: dice}"),
        ("needs: 4+}", "needs: 12+, dice: 2d6}"),
        ("needs: 3+}", "needs: 13+, dice: d6}"),
    ) == ["R404"]


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


def test_without_a_sheet_no_table_needs_a_step(game: Path) -> None:
    header = (game / "ruleset.yaml").read_text()
    (game / "ruleset.yaml").write_text(header + "documents: {qrs: ~}\n")
    fighting = (game / "fighting.yaml").read_text()
    (game / "fighting.yaml").write_text(fighting[: fighting.index("\nsequence")])
    assert format_report(check(loaded(game))) == ""


def test_every_fault_is_told_at_once(game: Path) -> None:
    assert told(
        game,
        "shooting.yaml",
        ("[0-8in, 8-16in, 16-24in]", "[0-8in, 9-16in, 16-24in]"),
        ("[1-3, 4-5, 6]", "[1-3, 4, 6]"),
        ("qrs: false", "qrs: true"),
    ) == ["R401", "R405", "R402"]
