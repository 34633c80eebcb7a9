"""Slips of new authors: one is typed into the valid ruleset of tests/bad, and one report tells it.

Each entry of slips.yaml says in which `file` the text that `was` there is replaced by what is
`typed`; without `was` the file is new. `besides` holds files that are written beside it. The
report stands `at` a line (or one of these, or a column or cell), `says` the fragments in its
message, what was expected or its hint, and has those of `hint`, and `never` others, in its hint.
Where `at` is `~`, nothing is told.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulebook.checking.all_checks import check
from rulebook.loading.rulesets import load
from rulebook.problems import Report, format_report

HERE = Path(__file__).parent
VALID = HERE.parent / "bad" / "valid" / "game"
SLIPS: dict[str, dict[str, Any]] = yaml.safe_load((HERE / "slips.yaml").read_text("utf-8"))


def type_in(slip: dict[str, Any], folder: Path) -> None:
    file = folder / slip["file"]
    file.parent.mkdir(exist_ok=True)
    text = slip["typed"]
    if was := slip.get("was"):
        valid = file.read_text("utf-8")
        assert valid.count(was) == 1, was
        text = valid.replace(was, text)
    file.write_text(text, "utf-8")
    for name, beside in slip.get("besides", {}).items():
        (folder / name).write_text(beside, "utf-8")


def report_of(folder: Path) -> Report:
    loaded = load(folder)
    if loaded.ruleset is not None:
        loaded.report.extend(check(loaded.ruleset).problems)
    return loaded.report


def stands_at(place: str, at: str) -> bool:
    lines = re.fullmatch(r"(.*):(\d+)-(\d+)", at)
    if lines is None:
        return place == at or place.startswith(f"{at}:")
    path, first, last = lines.groups()
    return any(place.startswith(f"{path}:{line}:") for line in range(int(first), int(last) + 1))


@pytest.mark.parametrize("name", SLIPS)
def test_slip(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slip = SLIPS[name]
    monkeypatch.chdir(tmp_path)
    folder = Path("game")
    shutil.copytree(VALID, folder)
    type_in(slip, folder)
    report = report_of(folder)
    told = format_report(report)
    if slip["at"] is None:
        assert not told
        return
    assert report.problems, "nothing is told"
    assert len(report.problems) == 1, f"one slip, and more than one report\n{told}"
    (problem,) = report
    assert stands_at(str(problem.span), f"game/{slip['at']}"), f"not at {slip['at']}\n{told}"
    said = " ".join([problem.message, problem.expected, problem.hint])
    for fragment in slip.get("says", ()):
        assert fragment in said, told
    for fragment in slip.get("hint", ()):
        assert fragment in problem.hint, told
    for fragment in slip.get("never", ()):
        assert fragment not in problem.hint, told
