"""What is asked of a build -> one value, the same for the command line, the watch and the API."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.cache import NOTHING_KEPT, Cache

if TYPE_CHECKING:
    from rulebook.model.lengths import Lengths


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """Which rulesets are built from which templates into which folder, and how.

    `only` are globs over the paths of files, `papers` and `inks` names; an empty filter lets
    everything through. `targets` are the paths that are wanted, where they are known one by one;
    one that there is not is passed over. `jobs` is the number of worker processes, None as many as
    are of use. `options` are in force in all that is built, and lengths are turned by `lengths`.
    `cluster` is the address of a Dask scheduler that renders instead of this machine. `offset` is
    how far this user's printer is to move what stands on backs to the right and up, in millimetres.
    `cache` is where results are kept for the next build; the plain one keeps nothing.
    """

    folders: tuple[Path, ...]
    templates: Path
    out: Path
    only: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    inks: tuple[str, ...] = ()
    targets: frozenset[str] | None = None
    jobs: int | None = None
    cluster: str | None = None
    offset: tuple[float, float] = (0, 0)
    options: tuple[str, ...] = ()
    lengths: Lengths | None = None
    cache: Cache = NOTHING_KEPT

    @property
    def whole(self) -> bool:
        """Whether all files of each ruleset are wanted."""
        return self.targets is None and not (self.only or self.papers or self.inks)
