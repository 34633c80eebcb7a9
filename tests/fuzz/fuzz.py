"""`make fuzz MINUTES=60`: cases one after another until the time is over or one finds a fault.

    PYTHONPATH=tests/fakes python tests/fuzz/fuzz.py --minutes 60 [--seed 1] [--keep .fuzz]
    --go-on after a find; --cases 4       so many of each kind, as `make test` does

Stops at a traceback, a fault of rulebook itself, one without a place, content that passes the check
and is not printed, and a case over 2 s (6 s to print) or 500 MiB; its files are kept.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from pathlib import Path
from time import monotonic

from grown_content import KINDS, Case
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from tried_cases import prepare, tried

#: Cases of one kind and one seed, made one after another.
BATCH = 50
FOR_EVER = 10**9


class Fuzzing:
    """One run: counts its cases and keeps those that found something."""

    def __init__(self, first: int, keep: Path, *, until: float, cases: int, go_on: bool) -> None:
        self.seed, self.keep, self.go_on = first, keep, go_on
        self.until, self.cases = until, cases
        self.counts: Counter[str] = Counter()
        self.found: list[Path] = []
        self.seconds = self.mebibytes = 0.0

    @property
    def over(self) -> bool:
        return monotonic() > self.until or (bool(self.found) and not self.go_on)

    def run(self) -> None:
        """Batches of all kinds in turn, each with a seed of its own."""
        number, left = self.seed, self.cases
        while left > 0 and not self.over:
            for kind, cases in KINDS.items():
                self._batch(number, kind, cases(), min(BATCH, left))
            number, left = number + 1, left - BATCH

    def _batch(self, number: int, kind: str, cases: st.SearchStrategy[Case], count: int) -> None:
        @seed(number)
        @settings(
            max_examples=count,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            verbosity=Verbosity.quiet,
            suppress_health_check=list(HealthCheck),
        )
        @given(cases)
        def batch(case: Case) -> None:
            if not self.over:
                self._try(number, kind, case)

        batch()

    def _try(self, number: int, kind: str, case: Case) -> None:
        found, run = tried(case, self.counts[kind])
        self.counts[kind] += 1
        self.seconds = max(self.seconds, run.seconds)
        self.mebibytes = max(self.mebibytes, run.mebibytes)
        if found:
            where = self.keep / f"{kind.replace(' ', '-')}-{number}-{self.counts[kind]}"
            shutil.rmtree(where, ignore_errors=True)
            case.put(where)
            (where / "found.txt").write_text("\n\n".join(found), "utf-8")
            self.found.append(where)
            print(f"{where}\n{found[0][-1200:]}\n", flush=True)  # noqa: T201

    def told(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.counts.items())
        return (
            f"{self.counts.total()} cases ({kinds}); the worst took {self.seconds:.2f} s "
            f"and {self.mebibytes:.0f} MiB; {len(self.found)} found something"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--cases", type=int, default=FOR_EVER, help="so many of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path(".fuzz"))
    parser.add_argument("--go-on", action="store_true", help="do not stop at the first find")
    chosen = parser.parse_args()
    prepare()
    until = monotonic() + 60 * chosen.minutes
    fuzzing = Fuzzing(chosen.seed, chosen.keep, until=until, cases=chosen.cases, go_on=chosen.go_on)
    fuzzing.run()
    print(fuzzing.told())  # noqa: T201
    return 1 if fuzzing.found else 0


if __name__ == "__main__":
    sys.exit(main())
