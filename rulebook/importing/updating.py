"""What was imported before, what became of it since, and a new import -> what is to be written.

Beside each file that an import writes lies a copy of it, hidden from all else. Where the file has
been edited, the copy tells the edits from what changed in the workbook.
"""

from __future__ import annotations

from difflib import SequenceMatcher, unified_diff
from pathlib import Path
from typing import NamedTuple


class Conflict(NamedTuple):
    """A line of the edited text, the text there, and what it is to be now; empty if deleted."""

    line: int
    edited: str
    new: str


def copy_of(file: Path) -> Path:
    """Returns where the copy of a file lies, as the last import wrote it."""
    return file.with_name(f".imported.{file.name}")


def merge(old: str, edited: str, new: str) -> tuple[str, list[Conflict]]:
    """Returns a text with both what was edited since `old` and what is new, and where they meet.

    Edits stay where they meet what is new. They do not if they are the same or hold all of it.
    """
    before = old.splitlines(keepends=True)
    merged, line = "", 1
    conflicts = []
    slots = zip(*(_slots(before, text) for text in (old, edited, new)), strict=True)
    for was, mine, theirs in slots:
        missing = theirs not in (was, mine) and not (theirs and set(theirs) <= set(mine))
        if mine != was and missing:
            conflicts.append(Conflict(line, "".join(mine), "".join(theirs)))
        merged += "".join(theirs if mine == was else mine)
        line += "".join(mine).count("\n")
    return merged, conflicts


def _slots(before: list[str], text: str) -> list[list[str]]:
    """Returns what a text has for each line of the one before, and in the gaps around them.

    A gap between lines that were deleted together is an empty text: nothing can be put there.
    """
    after = text.splitlines(keepends=True)
    slots: list[list[str]] = [[]]
    for line in before:
        slots += [[line], []]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind == "equal":
            continue
        changed = after[first:last]
        for at in range(start, end):
            if at > start and not slots[2 * at - 1]:
                slots[2 * at] = [""]
            slots[2 * at + 1], changed = changed[:1], changed[1:]
        slots[2 * end] = changed
    return slots


def difference(before: str, after: str, was: str, will_be: str) -> str:
    """Returns the lines in which two texts differ, with - and +, below what each text is."""
    lines = unified_diff(before.splitlines(), after.splitlines(), was, will_be, lineterm="", n=1)
    return "\n".join(lines)
