"""What ran without a fault is not run again until something that it looks up has changed."""

from pathlib import Path
from typing import Any

import pytest
from small_rulesets import ruleset_of

from rulebook.cache import Cache, open_cache
from rulebook.checking import all_checks as examples
from rulebook.checking import procedures
from rulebook.checking.all_checks import check
from rulebook.model.ruleset import Ruleset


def ruleset(reach: str = "24in", *, shot: str = "arms.musket.reach", score: str = "3") -> Ruleset:
    """A procedure that looks into a table, one that does not, and an example of the second."""
    plain = {"steps": [{"roll": {"die": "d6"}}], "result": {"score": "die"}}
    shooting = {**plain, "title": "Shot", "result": {"far": shot}}
    table = {"title": "Arms", "fields": {"reach": "length"}, "data": {"musket": {"reach": reach}}}
    example = {
        "title": "A rout",
        "situation": "They waver.",
        "steps": [{"say": "So.", "run": "rout", "dice": ["3"], "gives": {"score": score}}],
        "outcome": "They run.",
    }
    made: dict[str, Any] = {
        "tables": {"arms": table},
        "procedures": {"shot": shooting, "rout": {**plain, "title": "Rout"}},
        "examples": {"routed": example},
    }
    return ruleset_of(made)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return open_cache(tmp_path / "cache")


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The procedures that are run, each once."""
    found: list[str] = []

    def seen(name: str, module: Any) -> None:
        real = getattr(module, name)

        def run(*arguments: Any, **more: Any) -> Any:
            program = next(one for one in arguments if hasattr(one, "domains"))
            if f"{name} {program.id}" not in found:
                found.append(f"{name} {program.id}")
            return real(*arguments, **more)

        monkeypatch.setattr(module, name, run)

    seen("compute_odds", procedures)
    seen("play_step", examples)
    return found


def faults(ruleset: Ruleset, cache: Cache) -> list[tuple[str, str]]:
    """Those of runs; that nothing here is printed is of no matter."""
    return [
        (problem.code, problem.message)
        for problem in check(ruleset, cache=cache)
        if problem.code[:3] in ("R42", "R50")
    ]


def test_nothing_is_run_a_second_time(cache: Cache, ran: list[str]) -> None:
    assert faults(ruleset(), cache) == []
    assert set(ran) == {"compute_odds shot", "compute_odds rout", "play_step rout"}
    ran.clear()
    assert faults(ruleset(), cache) == []
    assert ran == []


def test_what_looks_up_a_change_is_run(cache: Cache, ran: list[str]) -> None:
    faults(ruleset(), cache)
    ran.clear()
    assert faults(ruleset("12in"), cache) == []
    assert ran == ["compute_odds shot"]


def test_an_example_that_changed_is_played(cache: Cache, ran: list[str]) -> None:
    faults(ruleset(), cache)
    ran.clear()
    ((code, _),) = faults(ruleset(score="4"), cache)
    assert (code, ran) == ("R504", ["play_step rout"])


def test_faults_are_told_again_and_again(cache: Cache, ran: list[str]) -> None:
    wrong = ruleset(shot="arms.musket.reach / (1 - 1)")
    first = faults(wrong, cache)
    assert [code for code, _ in first] == ["R425"]
    ran.clear()
    assert faults(wrong, cache) == first
    assert ran == ["compute_odds shot"]
