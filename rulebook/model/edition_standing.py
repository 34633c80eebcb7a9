"""How an edition stands: a working copy, a released edition, or one that was withdrawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

EditionStatus = Literal["working copy", "released", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Standing:
    """How an edition stands, which is no part of what it says: a working copy, released, withdrawn.

    `frozen` where the edition was read from the file of its release, and not from a folder.
    A working copy that says just what was released under its number is `released` too; `differs`
    is one that says something else under the number of a released edition. `reason` is why the
    edition was withdrawn, in Markdown.
    """

    frozen: bool = False
    released: bool = False
    differs: bool = False
    reason: str | None = None

    @property
    def status(self) -> EditionStatus:
        if self.reason is not None:
            return "withdrawn"
        return "released" if self.released else "working copy"
