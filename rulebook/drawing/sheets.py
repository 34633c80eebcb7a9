"""A sheet of paper and the drawing on it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SheetView:
    """Its size in millimetres, and an SVG of just that size."""

    width_mm: float
    height_mm: float
    svg: str
