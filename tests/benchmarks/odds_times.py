"""How fast odds are, as ratios of one run on one machine; `make bench` runs it.

Claimed: a pool chain, a volley of forty groups and the fate of a unit are reckoned exactly at
least five times faster than icepool computes the same, and than numpy draws 100,000 samples of
the same; `rulebook odds` answers from the shell in half a second for every procedure.

Rulesets are loaded and procedures checked beforehand; an exact reading is timed from the inputs
to the weights of its results, and keeps nothing for the next one. Before anything is timed,
icepool has to agree exactly and the samples within their error.
"""

import gc
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import icepool
import numpy as np
from claims import RULESET, Claim, loaded, rulebook, table_of, tell
from icepool import Die, d6
from numpy.typing import NDArray
from rich.table import Table

from rulebook.core.input_domains import parse_inputs
from rulebook.core.odds import exact, program_of
from rulebook.loading.rulesets import load
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import content_folder

#: How many times faster an exact reading has to be.
FASTER = 5.0
#: Seconds that `rulebook odds` may take.
ANSWERED = 0.5
ROUNDS = 7
#: How often each procedure is asked for from the shell.
ASKED = 3
#: Seconds that are measured at a time: short readings are made several times.
LONG_ENOUGH = 0.02
#: Standard errors by which a share of the samples may differ; 5 do so once in two million.
ERRORS = 5


# The same odds in three ways: a procedure as an author writes it, icepool, samples by numpy

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
Exactly = Callable[[], Mapping[Outcome, int]]


@dataclass(frozen=True, slots=True)
class Race:
    """One question, answered in three ways."""

    title: str
    ours: Exactly
    icepool: Exactly
    numpy: Callable[[np.random.Generator], Sample]


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


def reading(ruleset: Ruleset, procedure: str, *results: str, **given: str) -> Exactly:
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


def fate_by_numpy(random: np.random.Generator) -> Sample:
    good = random.integers(1, 7, (SAMPLES, 5), dtype=np.int8) + 4 - 2 >= np.arange(6, 11)
    found = counted(np.where(good.any(axis=1), good.argmax(axis=1) + 1, 0))
    return {(attempt or "dispersed",): count for (attempt,), count in found.items()}


def races() -> Iterator[Race]:
    acw = loaded()
    chain = reading(chain_ruleset(), "chain", "losses", "stands")
    volley = {"firers": "240", "range": "0-8in", "volley": "normal", "cover": "open"}
    hits, figures = (reading(acw, "volley", one, **volley) for one in ("casualties", "figures_hit"))
    fate = reading(acw, "rally", "rallied_on", command="4", losses="quarter")
    yield Race("200 dice at 4+, saves at 3+, a test", chain, chain_by_icepool, chain_by_numpy)
    yield Race("40 groups of a volley, casualties", hits, hits_by_icepool, hits_by_numpy)
    yield Race("40 groups of a volley, figures hit", figures, figures_by_icepool, figures_by_numpy)
    yield Race("the fate of a unit, five tests", fate, fate_by_icepool, fate_by_numpy)


# Which of them is the fastest


def refuse_unless_agreed(race: Race) -> None:
    """Ends the benchmark where not all give the same odds."""
    ours = shares(race.ours())
    if shares(race.icepool()) != ours:
        raise SystemExit(f"{race.title}: icepool gives other odds")
    drawn = race.numpy(np.random.default_rng(1))
    if sum(drawn.values()) != SAMPLES:
        raise SystemExit(f"{race.title}: samples are missing")
    told = {tuple(map(told_alike, outcome)): count for outcome, count in drawn.items()}
    for outcome in {*ours, *told}:
        chance = float(ours.get(outcome, 0))
        error = sqrt(chance * (1 - chance) / SAMPLES)
        # One draw of what hardly ever happens is no fault.
        if abs(told.get(outcome, 0) / SAMPLES - chance) > ERRORS * error + 1 / SAMPLES:
            raise SystemExit(f"{race.title}: the samples do not fit the odds of {outcome}")


def shares(weights: Mapping[Outcome, int]) -> dict[Outcome, Fraction]:
    """Chances by outcomes in one form: results of one name may come without their tuple."""
    total = sum(weights.values())
    return {
        tuple(map(told_alike, outcome if isinstance(outcome, tuple) else (outcome,))): Fraction(
            weight, total
        )
        for outcome, weight in weights.items()
    }


def told_alike(value: object) -> object:
    """Numbers as words, as icepool needs them beside words; whether something holds as 0 or 1."""
    return str(int(value)) if isinstance(value, int) else value


def timed(run: Callable[[], object], times: int) -> float:
    begun = perf_counter()
    for _ in range(times):
        run()
    return (perf_counter() - begun) / times


def measured(race: Race) -> tuple[float, list[float]]:
    """Seconds of ours, and how many times longer each of the others takes, by the medians."""
    random = np.random.default_rng(1)
    runs: list[Callable[[], object]] = [race.ours, race.icepool, lambda: race.numpy(random)]
    times = [ceil(LONG_ENOUGH / timed(run, 1)) for run in runs]
    rounds = [
        [timed(run, number) for run, number in zip(runs, times, strict=True)] for _ in range(ROUNDS)
    ]
    ours, *_ = (median(column) for column in zip(*rounds, strict=True))
    ratios = [[theirs / first for theirs in others] for first, *others in rounds]
    return ours, [median(column) for column in zip(*ratios, strict=True)]


def raced(claims: list[Claim]) -> Table:
    """Exact readings beside icepool and samples of the same."""
    rows = []
    for race in races():
        # What is loaded is not to be looked through for garbage while others are timed.
        gc.freeze()
        refuse_unless_agreed(race)
        ours, others = measured(race)
        rows.append((race.title, f"{ours * 1000:.3f}", *(f"{times:.1f}" for times in others)))
        for other, times in zip(("icepool", "numpy"), others, strict=True):
            told = f"{race.title}: {times:.1f} times faster than {other}"
            claims.append(Claim(told, times >= FASTER))
    title = f"Exact odds, and how many times longer others take: medians of {ROUNDS}"
    return table_of(title, ("odds of", "ms", "icepool", f"numpy, {SAMPLES:,}"), rows)


def first_answer(procedure: str) -> float:
    """Seconds by the clock until odds are told that were never asked before."""
    with TemporaryDirectory() as cache:
        options = ("--content", str(content_folder()), "--cache", cache)
        return rulebook(*options, "odds", RULESET, procedure).wall


def asked(claims: list[Claim]) -> Table:
    """`rulebook odds` from the shell, each procedure at its defaults."""
    taken = {name: median(first_answer(name) for _ in range(ASKED)) for name in loaded().procedures}
    slowest = max(taken, key=lambda name: taken[name])
    told = f"the slowest answer, {slowest}, takes {taken[slowest]:.2f} s"
    claims.append(Claim(told, taken[slowest] < ANSWERED))
    title = f"rulebook odds {RULESET} PROCEDURE, from the shell"
    return table_of(title, ("procedure", "seconds"), ((n, f"{s:.2f}") for n, s in taken.items()))


def main() -> int:
    """Compare, measure, print the tables, and return 1 where a claim does not hold."""
    claims: list[Claim] = []
    tables = [raced(claims), asked(claims)]
    return tell(tables, claims)


if __name__ == "__main__":
    raise SystemExit(main())
