"""What all symbols of a map are drawn with: its look, its scale, and where they must not stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rulebook.maps.elements import lines_path
from rulebook.maps.geometry import Point, Ring, Segment, box_of, boxes_meet, pieces_outside
from rulebook.maps.look import Look
from rulebook.maps.setting import Quad
from rulebook.maps.traffic import Clearing


@dataclass(frozen=True, slots=True)
class Canvas:
    """`inch` is mm of the page for an inch of the table; `names` are the quads of all lettering.

    `clearing` keeps trees off names, roads and houses; `covered` are the areas on whose ground no
    slope is drawn, for trees or water stand there.
    """

    look: Look
    inch: float = 2.54
    names: tuple[Quad, ...] = ()
    clearing: Clearing = field(default_factory=lambda: Clearing(5.0))
    covered: tuple[Ring, ...] = ()

    def mm(self, size: float) -> float:
        return self.look.mm(size)

    def off_names(self, segments: Iterable[Segment]) -> list[Segment]:
        """Lines as an engraver leaves them: broken where a name stands."""
        return [piece for one in segments for piece in self._off(one)]

    def _off(self, segment: Segment) -> Iterable[Segment]:
        box = box_of(segment)
        near = [name for name in self.names if boxes_meet(box, box_of(name))]
        return pieces_outside(segment, near) if near else (segment,)

    def broken(self, ring: Sequence[Point]) -> str | None:
        """The path of a closed line broken where names stand; None if none stands on it."""
        box = box_of(ring)
        near = [name for name in self.names if boxes_meet(box, box_of(name))]
        if not near:
            return None
        runs: list[list[Point]] = []
        whole = True
        for one, other in zip(ring, (*ring[1:], ring[0]), strict=True):
            pieces = list(pieces_outside((one, other), near))
            whole = whole and pieces == [(one, other)]
            for start, end in pieces:
                if runs and runs[-1][-1] == start:
                    runs[-1].append(end)
                else:
                    runs.append([start, end])
        return None if whole else "".join(lines_path(run) for run in runs)
