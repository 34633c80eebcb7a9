"""The two typefaces -> `@font-face` rules: by name for PDF, embedded and subset for HTML."""

from __future__ import annotations

import base64
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

from rulebook.typefaces import EVERY_FACE, Typeface

_FEATURES = (b"kern", b"liga", b"lnum", b"tnum")


def address(face: Typeface) -> str:
    """The address of a face that the closed fetcher of the page maker answers."""
    return f"font:{face.path.name}"


def _rule(face: Typeface, source: str) -> str:
    return (
        f"@font-face{{font-family:'{face.family}';font-weight:{face.weight};"
        f"font-style:{face.style};src:url({source})}}"
    )


def face_rules() -> str:
    """`@font-face` rules whose addresses the closed fetcher of the page maker answers."""
    return "\n".join(_rule(face, address(face)) for face in EVERY_FACE)


def embedded_face_rules(families: Collection[str], text: str) -> str:
    """`@font-face` rules that hold the fonts themselves, cut down to the characters of a text."""
    letters = frozenset(text)
    return "\n".join(
        _rule(face, f"data:font/ttf;base64,{_subset(face.path, letters)}")
        for face in EVERY_FACE
        if face.family in families
    )


def in_svg(svg: str, families: Collection[str]) -> str:
    """A drawing that holds the fonts of these families, behind its description."""
    if not families:
        return svg
    rules = embedded_face_rules(families, svg)
    head, end, body = svg.partition("</desc>\n")
    return f"{head}{end}<style>{rules}</style>\n{body}"


@lru_cache(maxsize=32)
def _subset(path: Path, letters: frozenset[str]) -> str:
    """The face with these characters and the features that stylesheets use, base64."""
    import uharfbuzz

    wanted = uharfbuzz.SubsetInput()
    wanted.unicode_set.update(map(ord, letters))
    wanted.layout_feature_tag_set.clear()
    wanted.layout_feature_tag_set.update(int.from_bytes(tag, "big") for tag in _FEATURES)
    wanted.flags = uharfbuzz.SubsetFlags.NO_HINTING
    face = uharfbuzz.subset(uharfbuzz.Face(path.read_bytes()), wanted)
    return base64.b64encode(face.blob.data).decode()
