"""The same odds in three ways: a procedure as an author writes it, icepool, samples by numpy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import icepool
import numpy as np
from claims import loaded
from icepool import Die, d6
from numpy.typing import NDArray

from rulebook.core.exact import exact
from rulebook.core.inputs import parse_inputs
from rulebook.core.odds import program_of
from rulebook.loading.rulesets import load
from rulebook.model.ruleset import Ruleset

SAMPLES = 100_000

#: A pool chain, as an author writes it.
CHAIN = """
procedures:
  chain:
    title: A long volley
    inputs:
      shots: {count: 1-200, default: 200}
    steps:
      - {test: hits, dice: d6, times: shots, target: "'4+'"}
      - {roll: {save: d6}, times: hits, sum: {losses: "0 if passes(save, '3+') else 1"}}
      - {test: stands, dice: 2d6, plus: "0 - losses // 10", target: "'6+'"}
    result: {losses: losses, stands: stands}
"""
RULESET_YAML = "title: Chain\nedition: '1.0'\ndate: 2026-01-01\nchapters: [chain.md]\n"

Outcome = tuple[object, ...]
Sample = Mapping[Outcome, int]


@dataclass(frozen=True, slots=True)
class Race:
    """One question, answered in three ways."""

    title: str
    ours: Callable[[], Mapping[Outcome, int]]
    icepool: Callable[[], Mapping[Outcome, int]]
    numpy: Callable[[np.random.Generator], Sample]
    #: A shorter way that icepool has for this size of the question only; shown, not claimed.
    by_hand: Callable[[], Mapping[Outcome, int]] | None = None


def chain_ruleset() -> Ruleset:
    with TemporaryDirectory() as name:
        folder = Path(name) / "chain"
        folder.mkdir()
        (folder / "ruleset.yaml").write_text(RULESET_YAML, "utf-8")
        (folder / "chain.md").write_text("# Chain\n\nA pool chain.\n", "utf-8")
        (folder / "chain.yaml").write_text(CHAIN, "utf-8")
        ruleset = load(folder).ruleset
    assert ruleset
    return ruleset


def reading(
    ruleset: Ruleset, procedure: str, *results: str, **given: str
) -> Callable[[], Mapping[Outcome, int]]:
    """The exact reading of a procedure that has been checked."""
    program = program_of(ruleset, procedure)
    inputs = parse_inputs(program.domains, given)
    return lambda: exact(program, inputs, results).weights


# The pool chain: how many are lost, and whether the rest stand


def chain_by_icepool() -> Mapping[Outcome, int]:
    losses = 200 @ (d6 >= 4) @ (d6 <= 2)
    return losses.map(lambda lost: icepool.tupleize(lost, 2 @ d6 - lost // 10 >= 6))


def chain_by_numpy(random: np.random.Generator) -> Sample:
    hits = random.binomial(200, 1 / 2, SAMPLES)
    losses = random.binomial(hits, 1 / 3)
    throws = random.integers(1, 7, (2, SAMPLES), dtype=np.int8).sum(axis=0)
    stands = throws - losses // 10 >= 6
    counts = np.bincount(2 * losses + stands)
    return {(at // 2, bool(at % 2)): int(counts[at]) for at in np.flatnonzero(counts).tolist()}


# Forty groups of a volley at the shortest range, which deducts 2 from each die


def hits_by_icepool() -> Mapping[Outcome, int]:
    return 40 @ d6.map(lambda face: max(0, face - 2))


def figures_by_icepool() -> Mapping[Outcome, int]:
    def found(hits: int) -> Die[int] | int:
        return d6.pool(hits).unique().size() if hits else 0

    return 40 @ d6.map(lambda face: found(max(0, face - 2)))


def hits_by_numpy(random: np.random.Generator) -> Sample:
    dice = random.integers(1, 7, (SAMPLES, 40), dtype=np.int8)
    return counted(np.maximum(dice - 2, 0).sum(axis=1))


def figures_by_numpy(random: np.random.Generator) -> Sample:
    dice = random.integers(1, 7, (SAMPLES, 40), dtype=np.int8)
    struck = np.zeros((SAMPLES, 40), np.uint8)
    for hit in range(1, 5):
        figure = np.left_shift(np.uint8(1), random.integers(0, 6, (SAMPLES, 40), dtype=np.uint8))
        struck |= np.where(dice - 2 >= hit, figure, np.uint8(0))
    ones = np.array([figures.bit_count() for figures in range(64)], np.uint8)
    return counted(ones[struck].sum(axis=1))


def counted(values: NDArray[np.integer[Any]]) -> Sample:
    counts = np.bincount(values)
    return {(value,): int(counts[value]) for value in np.flatnonzero(counts).tolist()}


# The fate of a unit of four command points that has lost a quarter, which takes 2


def fate_by_icepool() -> Mapping[Outcome, int]:
    """As a process, by what icepool has for the outcomes and lengths of processes."""
    total = d6 + 4 - 2

    def test(attempt: int) -> Die[int] | int:
        return (total >= attempt + 5).if_else(0, attempt + 1) if attempt else 0

    process = Die([1]).map_and_time(test, time_limit=5)
    return process.map(lambda attempt, tests: "dispersed" if attempt else str(tests))


def fate_by_hand() -> Mapping[Outcome, int]:
    """The tests one inside another, the last first: less to write for five than for fifty."""
    total = d6 + 4 - 2
    fate: Die[str] = Die(["dispersed"])
    for attempt in range(5, 0, -1):
        fate = (total >= attempt + 5).if_else(str(attempt), fate)
    return fate


def fate_by_numpy(random: np.random.Generator) -> Sample:
    good = random.integers(1, 7, (SAMPLES, 5), dtype=np.int8) + 4 - 2 >= np.arange(6, 11)
    counts = np.bincount(np.where(good.any(axis=1), good.argmax(axis=1) + 1, 0))
    return {
        (str(attempt) if attempt else "dispersed",): int(counts[attempt])
        for attempt in np.flatnonzero(counts).tolist()
    }


def races() -> Iterator[Race]:
    acw = loaded()
    yield Race(
        "200 dice at 4+, saves at 3+, a test",
        reading(chain_ruleset(), "chain", "losses", "stands"),
        chain_by_icepool,
        chain_by_numpy,
    )
    volley = {"firers": "240", "range": "0-8in", "volley": "normal", "cover": "open"}
    yield Race(
        "40 groups of a volley, casualties",
        reading(acw, "volley", "casualties", **volley),
        hits_by_icepool,
        hits_by_numpy,
    )
    yield Race(
        "40 groups of a volley, figures hit",
        reading(acw, "volley", "figures_hit", **volley),
        figures_by_icepool,
        figures_by_numpy,
    )
    yield Race(
        "the fate of a unit, five tests",
        reading(acw, "rally", command="4", losses="quarter"),
        fate_by_icepool,
        fate_by_numpy,
        fate_by_hand,
    )
