"""How an edition stands: a working copy, a released edition, or one that was withdrawn.

It is kept beside an edition and is no part of it: a released edition says for ever what it says,
and may be withdrawn all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["working copy", "released", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Standing:
    """`frozen` where the edition was read from the file of its release, and not from a folder.

    A working copy that says just what was released under its number is `released` too; `differs`
    is one that says something else under the number of a released edition. `reason` is why the
    edition was withdrawn, in Markdown.
    """

    frozen: bool = False
    released: bool = False
    differs: bool = False
    reason: str | None = None

    @property
    def status(self) -> Status:
        if self.reason is not None:
            return "withdrawn"
        return "released" if self.released else "working copy"
