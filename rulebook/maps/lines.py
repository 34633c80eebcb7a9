"""Roads, tracks and railways, fences, walls and hedges -> cased lines, rails, stones and bushes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rulebook.maps.canvas import Canvas
from rulebook.maps.elements import circle_path, curve_path, lines_path, path, segments_path
from rulebook.maps.scatter import drawn, seed_of
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


_FENCE_RAIL, _FENCE_SIDE = 1.25, 0.42
_STONE, _BUSH = 0.8, 0.85


def draw_fence(shape: Shape, canvas: Canvas) -> str:
    """Rails laid in a zigzag, with a post where two meet."""
    track = shape.track
    steps = list(track.steps(canvas.mm(_FENCE_RAIL)))
    corners = [
        track.beside(way, canvas.mm(_FENCE_SIDE) * (1 if number % 2 else -1))
        for number, way in enumerate(steps)
    ]
    if len(corners) < 2:
        return ""
    line = canvas.look.dark("casing")
    posts = "".join(circle_path(corner, canvas.mm(0.17)) for corner in corners)
    return path(lines_path(corners, places=2), stroke=line, width=canvas.mm(0.2)) + path(
        posts, fill=line
    )


def draw_wall(shape: Shape, canvas: Canvas) -> str:
    """Stones side by side."""
    look, track = canvas.look, shape.track
    seed, stones = seed_of(shape.name), []
    steps = list(track.steps(canvas.mm(_STONE)))
    for number, (start, end) in enumerate(pairwise(steps)):
        high = canvas.mm(0.34) * (0.85 + 0.3 * drawn(seed, number))
        room = 0.06 * (end - start)
        corners = [
            track.beside(start + room, -high),
            track.beside(end - room, -high),
            track.beside(end - room, high),
            track.beside(start + room, high),
        ]
        stones.append(lines_path(corners, closed=True, places=2))
    return path(
        "".join(stones), fill=look.tint("rough"), stroke=look.dark("ink"), width=canvas.mm(0.17)
    )


def draw_hedge(shape: Shape, canvas: Canvas) -> str:
    """Bushes that touch each other."""
    look, track = canvas.look, shape.track
    seed = seed_of(shape.name)
    bushes = [
        circle_path(track.at(way)[0], canvas.mm(0.46) * (0.8 + 0.45 * drawn(seed, number)))
        for number, way in enumerate(track.steps(canvas.mm(_BUSH)))
    ]
    return path(
        "".join(bushes), fill=look.tint("canopy"), stroke=look.dark("leaf"), width=canvas.mm(0.18)
    )
