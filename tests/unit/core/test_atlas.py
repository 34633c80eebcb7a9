"""Atlases, as they are written and read again, say what the program says at every set of inputs."""

import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from read_atlas import has, look_up
from rolls import program

from rulebook.core import atlas as atlases
from rulebook.core.atlas import atlas_of
from rulebook.core.exact import exact
from rulebook.core.input_domains import Domain
from rulebook.core.procedure_faults import RunFault
from rulebook.core.programs import Program
from rulebook.core.value_types import Value
from rulebook.documents.odds.shard import shard


def written(made: Program) -> Any:
    return json.loads(shard(atlas_of(made)))


def values_of(domain: Domain) -> Iterator[Value]:
    """Every value of an input, of conditions every set."""
    if not domain.several:
        yield from domain.values
        return
    limits = [range(domain.limits.get(str(row), 1) + 1) for row in domain.values]
    for times in itertools.product(*limits):
        rows = zip(map(str, domain.values), times, strict=True)
        yield tuple(row for row, number in rows for _ in range(number))


def settings(made: Program, most: int = 600) -> list[dict[str, Value]]:
    every = itertools.product(*(list(values_of(one)) for one in made.domains.values()))
    found = [dict(zip(made.domains, values, strict=True)) for values in every]
    return found if len(found) <= most else random.Random(7).sample(found, most)


def said(made: Program, inputs: Mapping[str, Value]) -> Any:
    """What the program says, in the form of `look_up`."""
    try:
        joint = exact(made, inputs)
    except RunFault as fault:
        return {"refused": fault.message}
    total, results = sum(joint.weights.values()), {}
    for place, name in enumerate(joint.names):
        shares: dict[Any, Fraction] = {}
        for values, weight in joint.weights.items():
            value = values[place]
            shares[value] = shares.get(value, Fraction(0)) + Fraction(weight, total)
        results[name] = {str(value): share for value, share in shares.items()}
    return {"results": results, "means": joint.means}


def agrees(made: Program, most: int = 600) -> Any:
    """The atlas of a program, which says what the program says at each set of inputs it has."""
    found = written(made)
    for inputs in settings(made, most):
        setting = {name: made.domains[name].written(value) for name, value in inputs.items()}
        if not has(found, setting):
            continue
        wanted, got = said(made, inputs), look_up(found, setting)
        if "refused" in wanted:
            assert got == wanted, setting
            continue
        plain = {
            name: {str(value): share for value, share in one["outcomes"]}
            for name, one in got["results"].items()
        }
        assert plain == wanted["results"], setting
        for name, mean in wanted["means"].items():
            assert got["results"][name]["mean"] == mean
    return found


COUNTS = {"n": {"count": "0-4"}, "m": {"count": "1-3"}}
MODIFIERS = {
    "modifiers": {
        "mods": {
            "title": "Modifiers",
            "changes": {"score": "score", "other": "score"},
            "rows": {
                "high": {"when": "High", "score": "+2", "other": "+1"},
                "wet": {"when": "Wet", "score": "-1"},
                "lost": {"when": "A stand lost", "up_to": "3", "score": "-1"},
            },
        }
    }
}
MADE = {
    "no inputs": lambda: program({"roll": {"x": "2d6"}}),
    "nothing thrown": lambda: program({"set": {"x": "n + m"}}, inputs=COUNTS),
    "pools": lambda: program(
        {"test": "a", "dice": "d6", "times": "n", "target": "'5+'"},
        {"test": "b", "dice": "d6", "times": "m", "target": "'3+'"},
        gives={"x": "a + b", "y": "a > b"},
        inputs=COUNTS,
    ),
    "one throw in both results": lambda: program(
        {"roll": {"d": "d6"}},
        {"set": {"one": "d + n", "other": "d - m"}},
        gives={"x": "one * other"},
        inputs=COUNTS,
    ),
    "an input set anew": lambda: program(
        {"roll": {"d": "d6"}},
        {"when": "d > n", "set": {"n": "n + m"}},
        {"roll": {"d": "d4"}},
        {"set": {"x": "d * n"}},
        inputs=COUNTS,
    ),
    "a fault of one value": lambda: program({"set": {"x": "6 / n + m"}}, inputs=COUNTS),
    "a fault of some throws": lambda: program(
        {"roll": {"d": "d4"}}, {"set": {"x": "m // (d - n)"}}, inputs=COUNTS
    ),
    "a choice of factors": lambda: program(
        {"roll": {"d": "d4"}},
        {"set": {"x": "d + (n + m if first else (n * 2 if n > 1 else 7) - m)"}},
        inputs={**COUNTS, "first": {"flag": "true"}},
    ),
    "and, or, not": lambda: program(
        {"set": {"x": "first and not n > 1 or m == 2 and (n in (0, 3) or 6 / m > 3)"}},
        inputs={**COUNTS, "first": {"flag": "false"}},
    ),
    "conditions": lambda: program(
        {"roll": {"d": "d6"}},
        {
            "set": {
                "plus": "sum(held.score) + n",
                "bonus": "sum(held.other) if 'wet' in held else 0",
            }
        },
        {"set": {"x": "d + plus >= 4", "y": "bonus + count(held, 'lost')"}},
        gives="x y",
        inputs={"held": {"any_of": "mods"}, "n": {"count": "0-2"}},
        **MODIFIERS,
    ),
    "what is required": lambda: program(
        {"roll": {"d": "d6"}},
        {"set": {"x": "d // m + n + sum(held.other)"}},
        inputs={**COUNTS, "held": {"any_of": "mods"}},
        requires=[
            {"that": "n >= m", "say": "More than that."},
            {"that": "not ('wet' in held and n == 3) and count(held) < 4", "say": "Not when wet."},
        ],
        **MODIFIERS,
    ),
    "passes without a bound": lambda: program(
        {"set": {"left": "n"}},
        {
            "repeat": [{"roll": {"d": "d2"}}, {"set": {"left": "left - d + 1"}}],
            "until": "left <= 0",
            "count": "x",
            "listed": "6",
        },
        inputs={"n": {"count": "1-3"}},
    ),
    "a procedure that is run": lambda: program(
        {"run": "other", "given": {"k": "n + 1", "held": "held"}, "take": {"a": "y"}},
        {"run": "other", "given": {"k": "m"}, "take": {"b": "y"}},
        {"set": {"x": "a - b"}},
        inputs={**COUNTS, "held": {"any_of": "mods"}},
        others={
            "other": {
                "inputs": {"k": {"count": "1-4"}, "held": {"any_of": "mods"}},
                "requires": [{"that": "k > count(held, 'lost')", "say": "Too few."}],
                "steps": [{"roll": {"d": "d3"}}, {"set": {"y": "d * k + sum(held.score)"}}],
                "result": {"y": "y"},
            }
        },
        **MODIFIERS,
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_an_atlas_says_what_the_program_says(name: str) -> None:
    found = agrees(MADE[name]())
    assert not any("kept" in one for one in found["inputs"].values())


@pytest.mark.parametrize("name", ["pools", "conditions", "what is required", "a choice of factors"])
def test_an_atlas_with_little_room_keeps_some_values(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = MADE[name]()
    monkeypatch.setattr(atlases, "MOST_CELLS", 12)
    found = agrees(made)
    inputs = found["inputs"]
    assert any("kept" in one for one in inputs.values())
    assert all(one["default"] in one.get("kept", [one["default"]]) for one in inputs.values())
    assert has(found, {name: one["default"] for name, one in inputs.items()})


def test_a_huge_domain_takes_a_stated_part() -> None:
    names = ("a", "b", "c", "d", "e")
    pools = [
        {"test": f"x{n}", "dice": "d6", "times": n, "target": f"'{2 + place}+'"}
        for place, n in enumerate(names)
    ]
    made = program(
        *pools,
        gives={"x": " + ".join(f"x{n}" for n in names)},
        inputs={n: {"count": "0-200", "default": "7"} for n in names},
    )
    text = shard(atlas_of(made))
    found = json.loads(text)
    assert len(text) < 300_000
    rng = random.Random(3)
    for _ in range(12):
        inputs = {n: int(rng.choice(found["inputs"][n]["kept"])) for n in names}
        wanted = said(made, inputs)
        got = look_up(found, {n: str(value) for n, value in inputs.items()})
        if "refused" in wanted:  # more cases than the program goes through at once
            continue
        plain = {str(value): share for value, share in got["results"]["x"]["outcomes"]}
        assert plain == wanted["results"]["x"]


def test_an_atlas_is_the_same_in_every_process() -> None:
    source = (
        "import sys; sys.path[:0] = sys.argv[1].split(':')\n"
        "from test_atlas import MADE, shard, atlas_of\n"
        "print([shard(atlas_of(MADE[name]())) for name in sorted(MADE)])"
    )
    path = ":".join(one for one in sys.path if one)
    here = Path(__file__).parent
    told = {
        subprocess.run(
            [sys.executable, "-c", source, f"{here}:{path}"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
