"""What ran without a fault is not run again until something that it looks up has changed."""

from pathlib import Path
from typing import Any

import pytest
from small_rulesets import ruleset_of

from rulebook.cache import Cache, open_cache
from rulebook.checking import procedures
from rulebook.checking.all_checks import check
from rulebook.core.odds import Odds
from rulebook.core.programs import Program
from rulebook.model.ruleset import Ruleset


def ruleset(reach: str = "24in", *, shot: str = "arms.musket.reach") -> Ruleset:
    """A procedure that looks into a table, and one that does not."""
    plain = {"steps": [{"roll": {"die": "d6"}}], "result": {"score": "die"}}
    shooting = {**plain, "title": "Shot", "result": {"far": shot}}
    table = {"title": "Arms", "fields": {"reach": "length"}, "data": {"musket": {"reach": reach}}}
    made: dict[str, Any] = {
        "tables": {"arms": table},
        "procedures": {"shot": shooting, "rout": {**plain, "title": "Rout"}},
    }
    return ruleset_of(made)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return open_cache(tmp_path / "cache")


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The procedures that are run, each once."""
    found: list[str] = []
    real = procedures.compute_odds

    def run(ruleset: Ruleset, program: Program, *arguments: Any, **more: Any) -> Odds:
        if program.id not in found:
            found.append(program.id)
        return real(ruleset, program, *arguments, **more)

    monkeypatch.setattr(procedures, "compute_odds", run)
    return found


def faults(ruleset: Ruleset, cache: Cache) -> list[tuple[str, str]]:
    """Those of runs; that nothing here is printed is of no matter."""
    return [
        (problem.code, problem.message)
        for problem in check(ruleset, cache=cache)
        if problem.code.startswith("R42")
    ]


def test_nothing_is_run_a_second_time(cache: Cache, ran: list[str]) -> None:
    assert faults(ruleset(), cache) == []
    assert set(ran) == {"shot", "rout"}
    ran.clear()
    assert faults(ruleset(), cache) == []
    assert ran == []


def test_what_looks_up_a_change_is_run(cache: Cache, ran: list[str]) -> None:
    faults(ruleset(), cache)
    ran.clear()
    assert faults(ruleset("12in"), cache) == []
    assert ran == ["shot"]


def test_faults_are_told_again_and_again(cache: Cache, ran: list[str]) -> None:
    wrong = ruleset(shot="arms.musket.reach / (1 - 1)")
    first = faults(wrong, cache)
    assert [code for code, _ in first] == ["R425"]
    ran.clear()
    assert faults(wrong, cache) == first
    assert ran == ["shot"]
