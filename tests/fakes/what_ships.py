"""The README's table of what ships -> its cells; a ruleset -> what its cells must say."""

from collections.abc import Mapping
from pathlib import Path

from rulebook.model.cards import deal
from rulebook.model.ruleset import Ruleset

README = Path(__file__).parents[2] / "README.md"
HEADING = "## What ships\n"


def table() -> dict[str, dict[str, str]]:
    """Column by column what the README says of each ruleset, by the id of the ruleset."""
    section = README.read_text("utf-8").split(HEADING)[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    names, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    told = (dict(zip(names, row, strict=True)) for row in rows)
    return {row["in `content/`"].strip("`"): row for row in told}


def held(ruleset: Ruleset) -> dict[str, str]:
    """The columns that a loaded ruleset answers: cards are counted once, however many copies."""
    header = ruleset.header
    numbers = {
        "tables": len(ruleset.tables) + len(ruleset.modifiers),
        "procedures": len(ruleset.procedures),
        "cutouts": len(ruleset.cutouts),
        "examples": len(ruleset.examples),
        "cards": sum(len(deal(ruleset, deck)) for deck in ruleset.decks),
        "scenarios": len(ruleset.scenarios),
    }
    words = {"ruleset": f"*{header.title}*", "edition": header.edition}
    return {**words, **{name: str(number) for name, number in numbers.items()}}


def differing(ruleset_id: str, columns: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """By column what the README says and what it should say; none if all is well."""
    told = table()[ruleset_id]
    return {name: (told[name], true) for name, true in columns.items() if told[name] != true}
