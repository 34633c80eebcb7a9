"""Steps as an author writes them -> programs, their odds, what these take, their faults."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from small_rulesets import ruleset_of

from rulebook.core.odds import exact
from rulebook.core.procedure_faults import RunFault
from rulebook.core.procedures import Programs
from rulebook.core.programs import Played, Program, ScriptedDice
from rulebook.core.weights import Engine

#: Chances of tuples of results, in the order in which the results are named.
Odds = dict[tuple[Any, ...], Fraction]


def program(*steps: Mapping[str, Any], **given: Any) -> Program:
    """The program of these steps; what is `given` is told at `_programs`."""
    programs = _programs(*steps, **given)
    made = programs.get("trial")
    assert made is not None, [problem.message for problem in programs.problems]
    return made


def refused(*steps: Mapping[str, Any], **given: Any) -> list[str]:
    """Codes of the faults that these steps have."""
    programs = _programs(*steps, **given)
    assert programs.get("trial") is None
    return [problem.code for problem in programs.problems]


def _programs(
    *steps: Mapping[str, Any],
    gives: Mapping[str, str] | str = "x",
    inputs: Mapping[str, Any] | None = None,
    others: Mapping[str, Any] | None = None,
    natural: Mapping[str, str] | None = None,
    requires: list[Mapping[str, str]] | None = None,
    **collections: Any,
) -> Programs:
    """`gives` are names that are results as they are, or a mapping; `others` more procedures."""
    trial = {
        "title": "A trial",
        "inputs": inputs or {},
        "requires": requires or [],
        "steps": list(steps),
        "result": {name: name for name in gives.split()} if isinstance(gives, str) else gives,
    }
    procedures = {"trial": trial} | {
        name: {"title": "Another", **other} for name, other in (others or {}).items()
    }
    ruleset = ruleset_of({**collections, "procedures": procedures}, natural=natural or {})
    return Programs(ruleset)


def odds(made: Program, **inputs: Any) -> Odds:
    """Chances of the results, together."""
    joint = exact(made, {**made.defaults(), **inputs})
    total = sum(joint.weights.values())
    return {values: Fraction(weight, total) for values, weight in joint.weights.items()}


def chances(made: Program, **inputs: Any) -> dict[Any, Fraction]:
    """Chances of the only result."""
    return {value: chance for (value,), chance in odds(made, **inputs).items()}


def mean(made: Program, **inputs: Any) -> Fraction:
    """The mean of the only result, also of a count without a bound."""
    joint = exact(made, {**made.defaults(), **inputs})
    if joint.means:
        return next(iter(joint.means.values()))
    return sum((v * chance for v, chance in chances(made, **inputs).items()), Fraction())


def work(made: Program, **inputs: Any) -> int:
    """Moves from case to case that the odds take."""
    engine = Engine()
    exact(made, {**made.defaults(), **inputs}, engine=engine)
    return engine.spent


def stopped(made: Program, **inputs: Any) -> str:
    """Code of the fault by which the exact reading stops."""
    try:
        exact(made, {**made.defaults(), **inputs})
    except RunFault as fault:
        return fault.code
    raise AssertionError("it comes to an end")


def played(made: Program, *dice: int, **inputs: Any) -> Played:
    """One play with these dice, all of which fall."""
    script = ScriptedDice(dice)
    found = made.play({**made.defaults(), **inputs}, script)
    assert not script.left_over()
    return found
