"""How fast cards are printed, and how much memory they take; `make bench` runs it.

Seconds are those of the processor, so that what else runs on the machine does not count.

Claimed: 10,000 unit cards, each with numbers of its own, to sheets of nine on A4, both sides, take
time in proportion to their number: a card of 10,000 costs within a tenth of what one of 200 does;
and each takes no more memory than so many kilobytes, those of the file included.
"""

import json
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from claims import Claim, table_of, tell

from rulebook.build.jobs import Job, perform
from rulebook.documents.catalogue import compose, render, warm_up
from rulebook.documents.document_kind import ComposedDocument
from rulebook.loading.rulesets import load
from rulebook.packaged import templates_folder
from rulebook.problems import format_report

FEW, MANY = 200, 10_000
#: By what part the cost of a card may differ.
TENTH = 1 / 10
#: Kilobytes of memory that each further card may take.
ROOM = 64
#: Units of one ruleset, which may hold so many values and no more.
UNITS = 1_000

HEADER = """title: The Thousand Regiments
edition: "1.0"
date: 2020-01-01
chapters: [units.md]
documents: {qrs: ~, booklet: ~, cards: {papers: [a4], inks: [full]}}
"""
CHAPTER = "# Units {#units}\n\nThe strength of all regiments.\n\n{table: strengths}\n"
DECK = "cards:\n  regiments: {title: Regiments, from: units, boxes: [men], blanks: [Colonel]}\n"


def write_ruleset(folder: Path, numbers: range) -> None:
    """A ruleset with units of these numbers, no two alike."""
    folder.mkdir()
    rows, units = [], []
    for number in numbers:
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


def deck_of(numbers: range) -> ComposedDocument:
    with TemporaryDirectory() as name:
        folder = Path(name) / "thousand"
        write_ruleset(folder, numbers)
        loaded = load(folder)
    if loaded.ruleset is None:
        raise SystemExit(format_report(loaded.report))
    return next(one for one in compose(loaded.ruleset) if one.kind == "cards")


def print_cards(count: int) -> None:
    """In a process of its own: print one deck, and tell seconds, megabytes and sheets."""
    decks = [
        deck_of(range(start, min(start + UNITS, count + 1))) for start in range(1, count + 1, UNITS)
    ]
    cards = [card for deck in decks for card in deck.view.cards]
    deck = replace(decks[0], view=replace(decks[0].view, cards=tuple(cards)))
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
    rows = [
        [str(count), *(f"{figure:.2f}" for figure in run.values())] for count, run in runs.items()
    ]
    heads = ("cards", "seconds", "peak MB", "sides", "file kB")
    ratio = (runs[MANY]["seconds"] / MANY) / (runs[FEW]["seconds"] / FEW)
    room = 1000 * (runs[MANY]["megabytes"] - runs[FEW]["megabytes"]) / (MANY - FEW)
    longer = f"a card of {MANY} takes {ratio:.2f} times as long as one of {FEW}"
    claims = [
        Claim(longer, 1 - TENTH <= ratio <= 1 + TENTH),
        Claim(f"each of {MANY} cards takes {room:.0f} kB", room <= ROOM),
    ]
    return tell([table_of("Unit cards to sheets of nine on A4, both sides", heads, rows)], claims)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print_cards(int(sys.argv[1]))
        raise SystemExit(0)
    raise SystemExit(main())
