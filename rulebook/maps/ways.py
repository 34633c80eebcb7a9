"""Roads, tracks and railways -> cased lines whose junctions are open, rails with sleepers."""

from __future__ import annotations

from collections.abc import Sequence

from rulebook.maps.canvas import Canvas
from rulebook.maps.elements import curve_path, path, segments_path
from rulebook.maps.shaping import Shape

_CASING = 0.2
_SLEEPERS_APART, _RAIL = 1.5, 0.42


def draw_roads(roads: Sequence[Shape], canvas: Canvas, *, ends: str = "round") -> str:
    """The edges of all roads and tracks, then what lies between them, so that junctions are open.

    Tracks have broken edges, and lie below roads. `ends` butt are left open, as of a sample.
    """
    look = canvas.look
    ordered = sorted(roads, key=lambda road: road.kind == "road")
    edges, ground = [], []
    for road in ordered:
        d = curve_path(road.pieces)
        edge = canvas.mm(_CASING if road.kind == "road" else 0.18)
        dash = () if road.kind == "road" else (canvas.mm(1.1), canvas.mm(0.65))
        edges.append(
            path(
                d,
                stroke=look.dark("casing"),
                width=road.width + 2 * edge,
                dash=dash,
                cap="butt" if dash else ends,
            )
        )
        ground.append(path(d, stroke="#ffffff", width=road.width, cap=ends))
    return "".join([*edges, *ground])


def draw_railways(railways: Sequence[Shape], canvas: Canvas) -> str:
    """A strong line with sleepers across it."""
    look, drawn = canvas.look, []
    for railway in railways:
        track = railway.track
        half = max(railway.width / 2, canvas.mm(0.6))
        sleepers = [
            (track.beside(way, -half), track.beside(way, half))
            for way in track.steps(canvas.mm(_SLEEPERS_APART))
        ]
        drawn += [
            path(curve_path(railway.pieces), stroke=look.dark("ink"), width=canvas.mm(_RAIL)),
            path(segments_path(sleepers), stroke=look.dark("ink"), width=canvas.mm(0.24)),
        ]
    return "".join(drawn)
