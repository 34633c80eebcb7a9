"""Papers, with their sizes in millimetres, and inks: what a page can be printed on and with."""

from __future__ import annotations

from typing import Literal

PaperName = Literal["a3", "a4", "a5", "letter"]
#: Full ink has tints and colours; low ink is black lines and type alone.
Ink = Literal["full", "low"]
#: The ink of files for printing services: the four of a press.
PRESS = "press"

#: Width and height, upright.
PAPERS: dict[str, tuple[float, float]] = {
    "a3": (297.0, 420.0),
    "a4": (210.0, 297.0),
    "a5": (148.0, 210.0),
    "letter": (215.9, 279.4),
}


def paper_size(name: str, *, landscape: bool = False) -> tuple[float, float]:
    """Width and height in millimetres."""
    width, height = PAPERS[name]
    return (height, width) if landscape else (width, height)
