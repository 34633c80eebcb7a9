"""Names of colours -> what is painted and which letters say the same, in grey and in low ink.

The paints are light enough for black type; black alone has a white plate under its words. It is no
deeper than lets black lines and registration marks be seen on it.
"""

from __future__ import annotations

from collections.abc import Iterable

PAINTS = {
    "black": "#5c5c5c",
    "white": "#ffffff",
    "yellow": "#f4d84e",
    "green": "#86bd7c",
    "red": "#e58f86",
    "blue": "#93b6e0",
    "brown": "#c9a77c",
    "grey": "#b9bec3",
}
PLATE = "#ffffff"
#: Paints on which black words cannot be read.
DARK = frozenset({"black"})


def letters(colours: Iterable[str]) -> dict[str, str]:
    """The fewest first letters that tell each of these colours from the others: B, W; Bla, Blu."""
    listed = sorted(set(colours))
    found: dict[str, str] = {}
    for colour in listed:
        others = [other for other in listed if other != colour]
        count = 1
        while count < len(colour) and any(other.startswith(colour[:count]) for other in others):
            count += 1
        found[colour] = colour[:count].capitalize()
    return found
