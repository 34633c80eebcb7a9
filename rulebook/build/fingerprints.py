"""A target and all that shapes its bytes -> a fingerprint: the same one is not rendered again.

A fingerprint is made of named parts, each a checksum: the view, the ingredients that rendering
reads (templates, styles, fonts, libraries) and rulebook itself. Where a fingerprint changes, its
parts say why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import rulebook
from rulebook.build.checksums import sha256
from rulebook.build.targets import Target
from rulebook.documents.document_kind import ComposedDocument
from rulebook.frozen_view import canonical

VIEW = "view"
PROGRAM = "rulebook"
#: Sources of the package that decide what a given view looks like; a scenario's map is drawn from
#: its model when it is printed.
_SHAPING = (
    "cutouts",
    "drawing",
    "figures",
    "maps",
    "documents",
    "typeset",
    "imposing",
    "locale",
    "model/maps.py",
    "model/scenarios.py",
    "text_fitting.py",
    "paper_and_ink.py",
    "quantities.py",
    "translation.py",
)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """`parts` by name, each with its sha256; `digest` stands for all of them."""

    digest: str
    parts: Mapping[str, str]


def view_digest(composed: ComposedDocument) -> str:
    """sha256 of the view; made once for all files of a document."""
    return sha256(canonical(composed.view))


def fingerprint(target: Target, view: str, ingredients: Mapping[str, str]) -> Fingerprint:
    """`view` is the document's `view_digest`, `ingredients` what its rendering reads."""
    document, file = target.document, target.file
    identity = [document.ruleset, document.edition, document.kind, document.name]
    identity.append(document.language)
    form = [file.path, file.format, file.paper, file.ink, file.imposition, file.shows]
    parts = {
        VIEW: sha256(canonical([identity, document.title, form, view])),
        PROGRAM: program_digest(),
        **ingredients,
    }
    if file.shows:
        parts |= {f"library {name}": version(name) for name in ("pillow", "pypdfium2")}
    return Fingerprint(sha256(canonical(sorted(parts.items()))), parts)


@lru_cache(maxsize=1)
def program_digest() -> str:
    """What of rulebook itself shapes bytes: its version and those of its sources."""
    return sha256(canonical([rulebook.__version__, sources_digest(Path(rulebook.__file__).parent)]))


def sources_digest(package: Path) -> str:
    """sha256 over those modules of the package that shape bytes, with their paths."""
    starts = [package / name for name in _SHAPING]
    paths = [path for start in starts for path in (start, *sorted(start.rglob("*.p[oy]")))]
    read = [path for path in paths if path.is_file()]
    names = [path.relative_to(package).as_posix() for path in read]
    return sha256(canonical([names, [sha256(path.read_bytes()) for path in read]]))
