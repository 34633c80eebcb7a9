"""A file and all that shapes its bytes -> its fingerprint, and why it is stale.

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
from rulebook.build.plan import Target
from rulebook.build.publish import SOURCE, PrintedFile, sha256, sha256_of
from rulebook.documents.document_kind import ComposedDocument
from rulebook.frozen_view import canonical

VIEW = "view"
PROGRAM = "rulebook"
_TEMPLATE_ENDINGS = (".j2", ".css", ".html", ".svg")
#: Sources of the package that decide what a given view looks like. Maps of scenarios are drawn from
#: the model when they are printed, so that counts as well.
_SHAPING = (
    "cutouts",
    "drawing",
    "figures",
    "maps",
    "documents",
    "typeset",
    "imposing",
    "locale",
    "model/map_features.py",
    "model/maps.py",
    "model/scenarios.py",
    "text_fitting.py",
    "paper_and_ink.py",
    "quantities.py",
    "translation.py",
    "typefaces.py",
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
    """A digest of rulebook's version and of its modules that shape the bytes of files."""
    return sha256(canonical([rulebook.__version__, shaping_digest(Path(rulebook.__file__).parent)]))


def shaping_digest(package: Path) -> str:
    """sha256 over those modules of the package that shape bytes, with their paths."""
    starts = [package / name for name in _SHAPING]
    paths = [path for start in starts for path in (start, *sorted(start.rglob("*.p[oy]")))]
    read = [path for path in paths if path.is_file()]
    names = [path.relative_to(package).as_posix() for path in read]
    return sha256(canonical([names, [sha256(path.read_bytes()) for path in read]]))


def why_stale(
    entry: PrintedFile | None, known: Mapping[str, str] | None, now: Fingerprint, file: Path
) -> str:
    """Why a target is rendered, in words; empty where it is fresh.

    `entry` is what the manifest says of it, `known` the parts of its fingerprint in the ledger,
    `now` its fingerprint of today.
    """
    if entry is None:
        return "new"
    reasons = []
    if entry.fingerprint != now.digest:
        reasons.append(_difference(known, now.parts) or "fingerprint changed")
    found = sha256_of(file)
    if found is None:
        reasons.append("file missing")
    elif found != entry.sha256:
        reasons.append("file changed since it was written")
    return ", ".join(reasons)


def _difference(known: Mapping[str, str] | None, now: Mapping[str, str]) -> str:
    if known is None:
        return ""
    names = (known.keys() | now.keys()) - {SOURCE}
    changed = sorted(name for name in names if known.get(name) != now.get(name))
    reasons = [f"{name} changed" for name in (VIEW, PROGRAM) if name in changed]
    templates = [name for name in changed if name.endswith(_TEMPLATE_ENDINGS)]
    if templates:
        reasons.append(f"template changed: {', '.join(templates)}")
    rest = [name for name in changed if name not in (VIEW, PROGRAM, *templates)]
    if rest:
        reasons.append(f"changed: {', '.join(rest)}")
    return ", ".join(reasons)
