"""What was imported before, what became of it since, and a new import -> what is to be written.

Beside each file that an import writes lies a copy of it, hidden from all else. Where the file has
been edited, the copy tells the edits from what changed in the workbook.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher, unified_diff
from itertools import pairwise
from pathlib import Path


def copy_of(file: Path) -> Path:
    """Returns where the copy of a file lies, as the last import wrote it."""
    return file.with_name(f".imported.{file.name}")


def merge(old: str, edited: str, new: str) -> str | None:
    """Returns a text with both what was edited since `old` and what is new; None if they meet.

    Changes meet where both are of the same lines, or put something at the same place.
    """
    changes: list[tuple[int, int, tuple[str, ...]]] = []
    before = old.splitlines(keepends=True)
    for text in (edited, new):
        lines = text.splitlines(keepends=True)
        for kind, start, end, first, last in _matcher(before, lines).get_opcodes():
            change = (start, end, tuple(lines[first:last]))
            if kind != "equal" and change not in changes:
                changes.append(change)
    changes.sort(key=lambda change: change[:2])
    if any(one[1] > other[0] or one[:2] == other[:2] for one, other in pairwise(changes)):
        return None
    for start, end, changed in reversed(changes):
        before[start:end] = changed
    return "".join(before)


def _matcher(before: Sequence[str], after: Sequence[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, before, after, autojunk=False)


def difference(before: str, after: str, was: str, will_be: str) -> str:
    """Returns the lines in which two texts differ, with - and +, below what each text is."""
    lines = unified_diff(before.splitlines(), after.splitlines(), was, will_be, lineterm="", n=1)
    return "\n".join(lines)
