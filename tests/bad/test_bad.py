"""Each folder beside this file holds one mistake; the report of it is told word for word.

The files of a fixture are laid over the valid ruleset in valid/; without.txt names files of it that
are left out. Run `pytest tests/bad --accept` to write new reports, then read every one of them.
Each is read under caps, so that one that hangs or grows fails.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from caps import CapReached, capped

from rulebook.checking.all_checks import check
from rulebook.core.compute import compute
from rulebook.documents.catalogue import plan
from rulebook.documents.scenario.compose import ScenarioView
from rulebook.documents.scenario.layout import without_room
from rulebook.documents.scenario.maps import draw_plates
from rulebook.loading.rulesets import load
from rulebook.manual.book import topics
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import Scenario
from rulebook.problems import RenderFault, Report, format_report

HERE = Path(__file__).parent
FIXTURES = sorted(folder.name for folder in HERE.glob("R*-*"))
#: Wrong encodings (R103) and links out of the folder (R114) have no fixture, since git and editors
#: mangle them: their files are made, and their reports asserted, by this test.
HOSTILE = HERE.parent / "unit" / "loading" / "test_hostile.py"
MADE_THERE = {"R103", "R114"}


#: Seconds on a processor and MiB of memory; what any fixture takes is a tenth of it.
CAPS = {"seconds": 5, "mebibytes": 500}


def report_of(folder: Path) -> Report:
    """What `rulebook check` tells of a ruleset, or `build` where that finds nothing."""
    loaded = load(folder)
    if loaded.ruleset is None:
        return loaded.report
    report = check(loaded.ruleset)
    report.extend(loaded.report.problems)
    return report if report.problems else report_of_drawing(loaded.ruleset)


def report_of_drawing(ruleset: Ruleset) -> Report:
    """What has no room where it is drawn."""
    report = Report()
    for planned in plan(ruleset, compute(ruleset), None):
        try:
            composed = planned.compose()
        except RenderFault as fault:
            report.extend(fault.problems)
            continue
        if composed and isinstance(view := composed.view, ScenarioView) and view.layout == "a5":
            scenario = Scenario.model_validate(view.map.scenario)
            for address, warning in without_room(
                view.id, scenario, draw_plates(scenario, view.layout, view.map.grounds)
            ):
                report.add(replace(warning, span=planned.place(*address)))
    return report


def lay_out(fixture: str, where: Path) -> None:
    shutil.copytree(HERE / "valid", where, dirs_exist_ok=True)
    shutil.copytree(HERE / fixture, where, dirs_exist_ok=True)
    left_out = HERE / fixture / "without.txt"
    for name in left_out.read_text().split() if left_out.exists() else ():
        (where / name).unlink()


def test_the_valid_ruleset_has_no_fault(tmp_path: Path) -> None:
    lay_out("valid", tmp_path)
    loaded = load(tmp_path / "game")
    assert format_report(loaded.report) == ""
    assert loaded.ruleset is not None
    assert format_report(check(loaded.ruleset)) == ""


@pytest.mark.parametrize("fixture", FIXTURES)
def test_report(
    fixture: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    lay_out(fixture, tmp_path)
    monkeypatch.chdir(tmp_path)
    with capped(**CAPS):
        report = report_of(Path("game"))
        told = format_report(report) + "\n"
    expected = HERE / fixture / "expected.txt"
    if request.config.getoption("--accept"):
        expected.write_text(told, encoding="utf-8")
    assert told == expected.read_text(encoding="utf-8")
    codes = [problem.code for problem in report]
    assert codes == [fixture.partition("-")[0]], "a fixture holds one mistake and tells one fault"


def usual() -> dict[str, dict[str, Any]]:
    listed: dict[str, dict[str, Any]] = yaml.safe_load((HERE / "usual_slips.yaml").read_text())
    return listed


@pytest.mark.parametrize("slip", usual()["slips"])
def test_the_usual_slips_are_told_with_what_to_write(slip: str) -> None:
    assert len(usual()["slips"]) == 18
    for fixture in usual()["slips"][slip]:
        assert "\n  hint: " in (HERE / fixture / "expected.txt").read_text("utf-8"), fixture


@pytest.mark.parametrize(("fixture", "told"), usual()["once_misleading"].items())
def test_reports_that_once_misled_lead_to_the_slip(fixture: str, told: str) -> None:
    assert told in (HERE / fixture / "expected.txt").read_text("utf-8")


def test_one_that_hangs_or_grows_fails() -> None:
    with pytest.raises(CapReached), capped(seconds=1, mebibytes=500):
        re.fullmatch("(a|aa)+b", "a" * 99)
    with pytest.raises(MemoryError), capped(**CAPS):
        bytes(10**9)


def test_every_code_has_a_fixture() -> None:
    shown = {fixture.partition("-")[0] for fixture in FIXTURES} | MADE_THERE
    explained = {name.upper() for name in topics() if re.fullmatch(r"r[1-5]\d\d", name)}
    assert sorted(explained - shown) == []


def test_codes_without_a_fixture_are_tested_elsewhere() -> None:
    asserted = set(re.findall(r'"(R\d{3})"', HOSTILE.read_text(encoding="utf-8")))
    assert asserted >= MADE_THERE
    assert not {fixture.partition("-")[0] for fixture in FIXTURES} & MADE_THERE
