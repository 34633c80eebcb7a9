"""All that shapes results and files -> keys of the cache, fingerprints, and why a file is stale.

A fingerprint is made of named parts, each a checksum: the view, the ingredients that rendering
reads (templates, styles, fonts, libraries) and rulebook itself. Where a fingerprint changes, its
parts say why. Keys of the cache hold the whole program, since all of it may shape what is kept.
Every command that asks the cache imports this, so it imports little.
"""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import TYPE_CHECKING

import rulebook
from rulebook.cache import Cache, digest_of
from rulebook.loading.folder import sources_digest
from rulebook.packaged import LIBRARIES_OF_PAGES

if TYPE_CHECKING:
    from rulebook.build.plan import Target
    from rulebook.build.publish import PrintedFile

#: The stage whose results are what is known of editions.
EDITION = "edition"
VIEW = "view"
PROGRAM = "rulebook"
#: Beside the parts of a fingerprint: what was printed, the working copy or a released edition.
SOURCE = "printed from"
_TEMPLATE_ENDINGS = (".j2", ".css", ".html", ".svg")
#: Sources of the package that decide what a given view looks like, besides the modules at its top.
#: Maps of scenarios are drawn from the model when they are printed, so that counts as well.
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
    "revisions/likeness.py",
)
#: Libraries that shape anything else that is kept: readings, odds, drawings.
_LIBRARIES = (
    "babel",
    "fontpkg-ibm-plex-sans-condensed",
    "fontpkg-spectral",
    "matplotlib",
    "pillow",
    "pydantic",
    "pyyaml",
    "shapely",
)
#: What the package itself is made of.
_SOURCES = (".py", ".txt", ".po")
_PACKAGE = Path(rulebook.__file__).parent


@lru_cache(maxsize=1)
def made_of() -> dict[str, str]:
    """Returns the versions of Python and of the libraries by name, and a digest of the package."""
    sources = sorted(path for path in _PACKAGE.rglob("*") if path.suffix in _SOURCES)
    libraries = {name: _version(name) for name in (*LIBRARIES_OF_PAGES, *_LIBRARIES)}
    digest = _files_digest(_PACKAGE, sources)
    return {"Python": platform.python_version(), **libraries, "sources": digest}


@lru_cache(maxsize=1)
def program_key() -> str:
    """Returns a digest of the package's modules and texts, the libraries and Python."""
    return digest_of(sorted(made_of().items()))


def edition_key(source: Path, cache: Cache, *asked: object) -> str | None:
    """Returns the cache key of what is found of an edition, or of all editions of a ruleset.

    `source` is the folder or release file, and `asked` is all else that it depends on. None if the
    cache has no folder or the sources cannot be digested.
    """
    sources = sources_digest(source) if cache.folder else None
    return sources and digest_of([program_key(), sources, ascii(asked)])


def _version(name: str) -> str:
    """Returns the version of a library; empty if it is not installed.

    Its metadata are searched, since parsing them takes many times as long.
    """
    try:
        metadata = distribution(name).read_text("METADATA") or ""
        found = re.search(r"^Version: (\S+)$", metadata, re.MULTILINE)
        return found[1] if found else version(name)
    except PackageNotFoundError:
        return ""


def templates_key(templates: Path) -> str:
    """Returns a digest of every file in the folder of templates."""
    return _files_digest(templates, sorted(filter(Path.is_file, templates.rglob("*"))))


def _files_digest(folder: Path, files: Sequence[Path]) -> str:
    """Returns a digest of the contents of some files and their paths relative to `folder`."""
    names = [path.relative_to(folder).as_posix() for path in files]
    return digest_of([names, [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]])


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a file is rendered from: `parts` has sha256 digests by name, `digest` is of all."""

    digest: str
    parts: Mapping[str, str]


def fingerprint(target: Target, view: str, ingredients: Mapping[str, str]) -> Fingerprint:
    """Returns the fingerprint of a file: digests of all that its bytes depend on.

    `view` is the digest of its document's view; `ingredients` has the digests of what rendering
    reads, such as templates, by name.
    """
    document, file = target.document, target.file
    identity = [document.ruleset, document.edition, document.kind, document.name]
    identity.append(document.language)
    form = [file.path, file.format, file.paper, file.ink, file.imposition, file.shows]
    parts = {
        VIEW: digest_of([identity, document.title, form, view]),
        PROGRAM: program_digest(),
        **ingredients,
    }
    if file.shows:
        parts |= {f"library {name}": version(name) for name in ("pillow", "pypdfium2")}
    return Fingerprint(digest_of(sorted(parts.items())), parts)


@lru_cache(maxsize=1)
def program_digest() -> str:
    """Returns a digest of rulebook's version and of its modules that shape the printed bytes."""
    return digest_of([rulebook.__version__, shaping_digest(_PACKAGE)])


def shaping_digest(package: Path) -> str:
    """Returns a digest of the modules of a package that determine the bytes of files."""
    starts = [*sorted(package.glob("*.py")), *(package / name for name in _SHAPING)]
    paths = [path for start in starts for path in (start, *sorted(start.rglob("*.p[oy]")))]
    return _files_digest(package, [path for path in paths if path.is_file()])


def why_stale(
    entry: PrintedFile | None, known: Mapping[str, str] | None, now: Fingerprint, file: Path
) -> str:
    """Returns the reasons in words why a file has to be rendered; empty if it is up to date.

    `entry` is its entry in the manifest, `known` the parts of its earlier fingerprint from the
    ledger, and `now` the fingerprint that it should have.
    """
    from rulebook.build.publish import sha256_of

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
