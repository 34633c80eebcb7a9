"""What all symbols of a map are drawn with: its look, its scale, and where they must not stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rulebook.maps.areas import Clearing, outside
from rulebook.maps.elements import lines_path
from rulebook.maps.geometry import Point, Segment
from rulebook.maps.look import Look
from rulebook.maps.setting import Quad


@dataclass(frozen=True, slots=True)
class Canvas:
    """`inch` is mm of the page for an inch of the table; `names` are the quads of all lettering.

    `clearing` keeps trees off names, roads and houses; `covered` are the areas on whose ground no
    slope is drawn, for trees or water stand there.
    """

    look: Look
    inch: float = 2.54
    names: tuple[Quad, ...] = ()
    clearing: Clearing = field(default_factory=Clearing)
    covered: Clearing = field(default_factory=Clearing)

    def mm(self, size: float) -> float:
        return self.look.mm(size)

    def off_names(self, segments: Iterable[Segment]) -> list[Segment]:
        """Lines as an engraver leaves them: broken where a name stands."""
        return [(piece[0], piece[-1]) for piece in outside(segments, self.names)]

    def broken(self, ring: Sequence[Point]) -> str | None:
        """The path of a closed line broken where names stand; None if none stands on it."""
        line = [*ring, ring[0]]
        pieces = list(outside([line], self.names))
        return None if pieces == [line] else "".join(map(lines_path, pieces))
