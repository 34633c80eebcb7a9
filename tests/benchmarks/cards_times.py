"""How fast cards are printed, and how much memory they take; `make bench` runs it.

Seconds are those of the processor, so that what else runs on the machine does not count.

Claimed: 1,000 unit cards, each with numbers of its own, to sheets of nine on A4, both sides, take
time in proportion to their number: a card of 1,000 costs within a quarter of what one of 200 does.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from claims import Claim, tell
from rich.table import Table
from rulebook.documents.catalogue import compose, render, warm_up

from rulebook.build.jobs import Job, perform
from rulebook.loading.rulesets import load
from rulebook.problems import format_report
from rulebook.shipped import templates_folder

FEW, MANY = 200, 1_000
#: By what part the cost of a card may differ.
QUARTER = 1 / 4
#: Megabytes that no number of cards may need.
ROOM = 600

HEADER = """title: The Thousand Regiments
edition: "1.0"
date: 2020-01-01
chapters: [units.md]
documents: {qrs: ~, booklet: ~, cards: {papers: [a4], inks: [full]}}
"""
CHAPTER = "# Units {#units}\n\nThe strength of all regiments.\n\n{table: strengths}\n"
DECK = "cards:\n  regiments: {title: Regiments, from: units, boxes: [men], blanks: [Colonel]}\n"


def write_ruleset(folder: Path, count: int) -> None:
    """A ruleset with so many units, no two alike."""
    folder.mkdir()
    rows, units = [], []
    for number in range(1, count + 1):
        men, move, save = 12 + number % 25, 6 + number % 7, 3 + number % 4
        title = f"Regiment {number} of the Line"
        rows.append(
            f"      r{number}: {{title: {title}, men: {men}, move: {move}in, save: {save}+}}"
        )
        units.append(
            f"  u{number}:\n    title: {title}\n    kind: infantry\n"
            f"    rows: [strengths.r{number}]\n    rules: [units]\n"
            f"    text: |\n      Regiment {number} carries its colours in front.\n"
        )
    table = (
        "tables:\n  strengths:\n    title: Strengths\n    qrs: false\n"
        "    fields: {men: count, move: length, save: target}\n    data:\n" + "\n".join(rows)
    )
    (folder / "ruleset.yaml").write_text(HEADER, "utf-8")
    (folder / "units.md").write_text(CHAPTER, "utf-8")
    (folder / "units.yaml").write_text(f"{table}\nunits:\n{''.join(units)}{DECK}", "utf-8")


def print_cards(count: int) -> None:
    """In a process of its own: print one deck, and tell seconds, megabytes and sheets."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "thousand"
        write_ruleset(folder, count)
        loaded = load(folder)
        if loaded.ruleset is None:
            raise SystemExit(format_report(loaded.report))
        deck = next(one for one in compose(loaded.ruleset) if one.kind == "cards")
    warm_up(templates_folder())
    wanted = frozenset({"cards-regiments-a4.pdf"})
    begun = process_time()
    result = perform(render, Job(0, deck, templates_folder(), wanted, 0))
    seconds = process_time() - begun
    if result.problems:
        raise SystemExit("\n".join(problem.message for problem in result.problems))
    (made,) = result.rendered
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    told = {"seconds": seconds, "megabytes": megabytes, "sides": made.pages}
    sys.stdout.write(json.dumps({**told, "kilobytes": len(made.data) // 1000}))


def measured(count: int) -> dict[str, float]:
    command = (sys.executable, __file__, str(count))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> int:
    """Measure, print the table, and return 1 where a claim does not hold."""
    runs = {count: measured(count) for count in (FEW, MANY)}
    table = Table(title="Unit cards to sheets of nine on A4, both sides")
    for head in ("cards", "sides", "seconds", "ms a card", "peak MB", "file kB"):
        table.add_column(head, justify="right")
    for count, run in runs.items():
        table.add_row(
            *(str(count), str(run["sides"]), f"{run['seconds']:.2f}"),
            f"{1000 * run['seconds'] / count:.1f}",
            *(f"{run['megabytes']:.0f}", str(run["kilobytes"])),
        )
    ratio = (runs[MANY]["seconds"] / MANY) / (runs[FEW]["seconds"] / FEW)
    room = runs[MANY]["megabytes"]
    return tell(
        [table],
        [
            Claim(
                f"a card of {MANY} takes {ratio:.2f} times as long as one of {FEW}",
                1 - QUARTER <= ratio <= 1 + QUARTER,
            ),
            Claim(f"{MANY} cards need {room:.0f} MB", room <= ROOM),
        ],
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print_cards(int(sys.argv[1]))
        raise SystemExit(0)
    raise SystemExit(main())
