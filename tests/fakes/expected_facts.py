"""What the sources of the shipped rulesets say: the files in content/expected, typed from them.

Nothing of the package is in here: the oracles of odds read their numbers from the same files.
"""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

EXPECTED = Path(__file__).parents[1] / "content" / "expected"


@cache
def expected(name: str) -> dict[str, Any]:
    """The facts of an edition: by their kind, and then by the table, place or procedure.

    All of them are words, as they are printed: 4+, ½ and "no" mean nothing to YAML here.
    """
    text = (EXPECTED / f"{name}.yaml").read_text("utf-8")
    found: dict[str, Any] = yaml.load(text, yaml.CBaseLoader)
    return found


def column(ruleset: str, table: str, number: int = 0) -> dict[str, str]:
    """A column of a table with its rows, as the source prints it."""
    rows = expected(ruleset)["tables"][table]
    return {key: cells[number] for key, cells in rows.items()}


def scores(ruleset: str, table: str, number: int = 0) -> dict[str, int]:
    """The same where there are targets or numbers in it: 4+ is 4, a dash is 0."""
    return {key: number_in(cell) for key, cell in column(ruleset, table, number).items()}


def number_in(cell: str) -> int:
    return 0 if cell == "–" else int(cell.rstrip("+″").replace("−", "-"))
