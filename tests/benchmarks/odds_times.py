"""How fast odds are, as ratios of one run on one machine; `make bench` runs it.

Claimed: a pool chain, a volley of forty groups and the fate of a unit are reckoned exactly at
least five times faster than icepool computes the same, and than numpy draws 100,000 samples of
the same; `rulebook odds` answers from the shell in half a second for every procedure.

Rulesets are loaded and procedures checked beforehand; an exact reading is timed from the inputs
to the weights of its results, and keeps nothing for the next one. Before anything is timed,
icepool has to agree exactly and the samples within their error.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, sqrt
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from claims import RULESET, Claim, loaded, rulebook, tell
from odds_races import SAMPLES, Outcome, Race, races
from rich.table import Table

from rulebook.shipped import content_folder

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


def refuse_unless_agreed(race: Race) -> None:
    """Ends the benchmark where not all give the same odds."""
    ours = shares(race.ours())
    for theirs in (race.icepool, race.by_hand):
        if theirs and shares(theirs()) != ours:
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
    runs += [race.by_hand] if race.by_hand else []
    times = [ceil(LONG_ENOUGH / timed(run, 1)) for run in runs]
    rounds = [
        [timed(run, number) for run, number in zip(runs, times, strict=True)] for _ in range(ROUNDS)
    ]
    ours, *_ = (median(column) for column in zip(*rounds, strict=True))
    ratios = [[theirs / first for theirs in others] for first, *others in rounds]
    return ours, [median(column) for column in zip(*ratios, strict=True)]


def raced(claims: list[Claim]) -> Table:
    """Exact readings beside icepool and samples of the same."""
    table = Table(title=f"Exact odds, and how many times longer others take: medians of {ROUNDS}")
    table.add_column("odds of")
    for column in ("ms", "icepool", f"numpy, {SAMPLES:,}"):
        table.add_column(column, justify="right")
    for race in races():
        # What is loaded is not to be looked through for garbage while others are timed.
        gc.freeze()
        refuse_unless_agreed(race)
        ours, (by_icepool, by_numpy, *by_hand) = measured(race)
        table.add_row(race.title, f"{ours * 1000:.3f}", f"{by_icepool:.1f}", f"{by_numpy:.1f}")
        for times in by_hand:
            table.add_row("  icepool by hand, not claimed", "", f"{times:.1f}", "", style="dim")
        for other, times in (("icepool", by_icepool), ("numpy", by_numpy)):
            told = f"{race.title}: {times:.1f} times faster than {other}"
            claims.append(Claim(told, times >= FASTER))
    return table


def first_answer(procedure: str) -> float:
    """Seconds by the clock until odds are told that were never asked before."""
    with TemporaryDirectory() as cache:
        options = ("--content", str(content_folder()), "--cache", cache)
        return rulebook(*options, "odds", RULESET, procedure).wall


def asked(claims: list[Claim]) -> Table:
    """`rulebook odds` from the shell, each procedure at its defaults."""
    table = Table(title=f"rulebook odds {RULESET} PROCEDURE, from the shell")
    table.add_column("procedure")
    table.add_column("seconds", justify="right")
    taken = {name: median(first_answer(name) for _ in range(ASKED)) for name in loaded().procedures}
    for name, each in taken.items():
        table.add_row(name, f"{each:.2f}")
    slowest = max(taken, key=lambda name: taken[name])
    told = f"the slowest answer, {slowest}, takes {taken[slowest]:.2f} s"
    claims.append(Claim(told, taken[slowest] < ANSWERED))
    return table


def main() -> int:
    """Compare, measure, print the tables, and return 1 where a claim does not hold."""
    claims: list[Claim] = []
    tables = [raced(claims), asked(claims)]
    return tell(tables, claims)


if __name__ == "__main__":
    raise SystemExit(main())
