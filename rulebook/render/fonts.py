"""The two typefaces -> `@font-face` rules: by name for PDF, embedded and subset for HTML.

Fonts come from packages, never from the system, so that every machine sets the same lines.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import fontpkg

#: (family, weight, style) of all faces that the stylesheets use.
FACES = (
    ("IBM Plex Sans Condensed", 400, "normal"),
    ("IBM Plex Sans Condensed", 400, "italic"),
    ("IBM Plex Sans Condensed", 600, "normal"),
    ("Spectral", 400, "normal"),
    ("Spectral", 400, "italic"),
    ("Spectral", 600, "normal"),
)
_FEATURES = (b"kern", b"liga", b"lnum", b"tnum")


@dataclass(frozen=True, slots=True)
class Face:
    """One font file and what it is called in stylesheets."""

    family: str
    weight: int
    style: str
    path: Path

    @property
    def url(self) -> str:
        return f"font:{self.path.name}"

    def rule(self, source: str) -> str:
        return (
            f"@font-face{{font-family:'{self.family}';font-weight:{self.weight};"
            f"font-style:{self.style};src:url({source})}}"
        )


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


def face_rules() -> str:
    """`@font-face` rules whose addresses the closed fetcher of the page maker answers."""
    return "\n".join(face.rule(face.url) for face in faces())


def face_rules_by_file() -> str:
    """`@font-face` rules by file address, for a page that another program renders."""
    return "\n".join(face.rule(face.path.as_uri()) for face in faces())


def embedded_face_rules(families: Collection[str], text: str) -> str:
    """`@font-face` rules that hold the fonts themselves, cut down to the characters of a text."""
    return "\n".join(
        face.rule(f"data:font/ttf;base64,{_subset(face.path, text)}")
        for face in faces()
        if face.family in families
    )


def in_svg(svg: str, families: Collection[str]) -> str:
    """A drawing that holds the fonts of these families, behind its description."""
    if not families:
        return svg
    rules = embedded_face_rules(families, svg)
    head, end, body = svg.partition("</desc>\n")
    return f"{head}{end}<style>{rules}</style>\n{body}"


def _subset(path: Path, text: str) -> str:
    """The face with these characters and the features that stylesheets use, base64."""
    import uharfbuzz

    wanted = uharfbuzz.SubsetInput()
    wanted.unicode_set.update(map(ord, set(text)))
    wanted.layout_feature_tag_set.clear()
    wanted.layout_feature_tag_set.update(int.from_bytes(tag, "big") for tag in _FEATURES)
    wanted.flags = uharfbuzz.SubsetFlags.NO_HINTING
    face = uharfbuzz.subset(uharfbuzz.Face(path.read_bytes()), wanted)
    return base64.b64encode(face.blob.data).decode()
