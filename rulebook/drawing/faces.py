"""The two typefaces -> their font files, the same on every machine.

Fonts come from packages, never from the system, so that every machine sets the same lines.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import fontpkg

#: (family, weight, style) of all faces.
FACES = (
    ("IBM Plex Sans Condensed", 400, "normal"),
    ("IBM Plex Sans Condensed", 400, "italic"),
    ("IBM Plex Sans Condensed", 600, "normal"),
    ("Spectral", 400, "normal"),
    ("Spectral", 400, "italic"),
    ("Spectral", 600, "normal"),
)


@dataclass(frozen=True, slots=True)
class Face:
    """One font file and what it is called in stylesheets."""

    family: str
    weight: int
    style: str
    path: Path


@lru_cache(maxsize=1)
def faces() -> tuple[Face, ...]:
    """All faces; raises fontpkg's FamilyNotInstalled where a font package is missing."""
    return tuple(
        Face(family, weight, style, fontpkg.path(family, weight, style))
        for family, weight, style in FACES
    )


@lru_cache(maxsize=1)
def digest() -> str:
    """sha256 over the bytes of all font files."""
    whole = hashlib.sha256()
    for face in faces():
        whole.update(face.path.read_bytes())
    return whole.hexdigest()
