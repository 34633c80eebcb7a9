"""The texts of all faults -> the chapter of the manual that explains every code."""

from __future__ import annotations


def fault_codes() -> str:
    """The chapter in Markdown."""
    return "# Every fault {#fault_codes}\n\nTo be written.\n"
