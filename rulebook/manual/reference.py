"""The model -> the chapter of the manual that lists every key of the content files."""

from __future__ import annotations


def reference() -> str:
    """The chapter in Markdown."""
    return "# Every key {#reference}\n\nTo be written.\n"
