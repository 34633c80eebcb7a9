"""Claims about speed and whether they hold -> lines on the terminal and an exit status.

What the benchmarks share: times are told as ratios of one run on one machine.
"""

import os
import resource
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter

from rich.console import Console
from rich.table import Table

from rulebook.loading.rulesets import load
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import content_folder

#: The ruleset that is measured.
RULESET = "acw"


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence with what was measured in it, and whether that is as good as is claimed."""

    told: str
    holds: bool


def loaded() -> Ruleset:
    ruleset = load(content_folder() / RULESET).ruleset
    if ruleset is None:
        raise SystemExit(f"{RULESET} has faults, see 'rulebook check'")
    return ruleset


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds by the clock, and those of the processor for a program and all that it started."""

    wall: float
    processor: float


def run(*command: str) -> Taken:
    """How long a program runs; one that fails ends the benchmark.

    Modules are compiled once and kept, as they are for everybody who has not forbidden it.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    wall, after = perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    return Taken(wall, user + system)


def rulebook(*arguments: str) -> Taken:
    """How long a command of `rulebook` takes."""
    return run(sys.executable, "-m", "rulebook", *arguments)


def table_of(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """What was measured: of each row its name, then figures."""
    table = Table(title=title)
    for head in heads:
        table.add_column(head, justify="left" if head == heads[0] else "right")
    for row in rows:
        table.add_row(*row)
    return table


def tell(tables: Sequence[Table], claims: Sequence[Claim]) -> int:
    """Prints what was measured; the exit status, 1 where a claim does not hold."""
    console = Console(width=90)
    for table in tables:
        console.print(table)
    for claim in claims:
        verdict = "holds" if claim.holds else "DOES NOT HOLD"
        console.print(f"{verdict}: {claim.told}", highlight=False)
    return 0 if all(claim.holds for claim in claims) else 1
