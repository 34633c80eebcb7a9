"""A file and all that shapes its bytes -> why it is stale; under which keys results are kept.

A fingerprint is made of named parts, each a checksum: the view, the ingredients that rendering
reads (templates, styles, fonts, libraries) and rulebook itself. Where a fingerprint changes, its
parts say why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import rulebook
from rulebook.build.cache_keys import program_key
from rulebook.build.plan import BuildRequest, Target
from rulebook.build.publish import MANIFEST, SOURCE, PrintedFile, sha256, sha256_of
from rulebook.cache import Cache, digest_of
from rulebook.documents.document_kind import ComposedDocument
from rulebook.frozen_view import canonical
from rulebook.loading.sources import sources_digest
from rulebook.model.lengths import Lengths
from rulebook.plain_files import read_plain
from rulebook.problems import Problem, from_plain, to_plain

VIEW = "view"
PROGRAM = "rulebook"
_TEMPLATE_ENDINGS = (".j2", ".css", ".html", ".svg")
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

    `entry` and `known` are what the ledger says of it, `now` is its fingerprint of today.
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


#: The stage under which faults of documents are kept.
_STAGE = "unprinted"
#: What the codes of faults begin with that the machine or the program is to blame for.
_OF_MACHINE = "R7"

#: Faults and warnings by the documents that have them.
Unprinted = Mapping[str, Sequence[Problem]]


def edition_key(
    source: Path, cache: Cache, options: Sequence[str], lengths: Lengths | None
) -> str | None:
    """The cache key of an edition's results, pages aside; None where nothing can be kept."""
    sources = sources_digest(source) if cache.folder else None
    if sources is None:
        return None
    return digest_of([program_key(), sources, list(options), repr(lengths)])


def keep_unprinted(cache: Cache, edition: str, templates: str, found: Unprinted) -> None:
    """Remember the faults of documents, besides those remembered before.

    `edition` is the key of the edition and `templates` that of all templates.
    """
    kept = {name: list(faults) for name, faults in recall_unprinted(cache, edition, templates)}
    kept |= {name: list(faults) for name, faults in found.items()}
    plain = {
        name: [to_plain(one) for one in faults if not one.code.startswith(_OF_MACHINE)]
        for name, faults in kept.items()
    }
    cache.put_json(
        _STAGE, digest_of([edition, templates]), {name: one for name, one in plain.items() if one}
    )


def recall_unprinted(cache: Cache, edition: str, templates: str) -> list[tuple[str, list[Problem]]]:
    """The documents that could not be printed or of which a build warned, with the reasons."""
    known = cache.get_json(_STAGE, digest_of([edition, templates])) or {}
    return [(name, [from_plain(one) for one in known[name]]) for name in sorted(known)]


#: What is made of the site in each folder.
INDEX, FEED = "index.html", "feed.atom"
MADE = (INDEX, "editions.json", FEED)


def site_files(out: Path) -> dict[str, str | None]:
    """The checksums of the pages and lists in the output folder, by their paths."""
    folders = [out, *sorted(path for path in out.iterdir() if path.is_dir())]
    return {
        path.relative_to(out).as_posix(): sha256_of(path)
        for folder in folders
        for path in (folder / name for name in MADE)
        if path.is_file()
    }


def site_key(request: BuildRequest, folders: list[Path], templates: str) -> str | None:
    """A digest of all that the site is made from; None where nothing can be kept."""
    if request.cache.folder is None:
        return None
    sources = [sources_digest(folder) for folder in folders]
    if None in sources:
        return None
    own = {folder.name for folder in folders}
    listed = [
        [path.parent.name, sha256_of(path)]
        for path in sorted(request.out.glob("*/editions.json"))
        if path.parent.name not in own
    ]
    printed = [
        [path.relative_to(request.out).as_posix(), sha256_of(path), list(_lost(path))]
        for path in sorted(request.out.glob(f"*/*/{MANIFEST}"))
    ]
    return digest_of([program_key(), templates, sources, listed, printed])


def _lost(manifest: Path) -> Iterator[str]:
    """The files that a manifest lists and that are not there."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        for entry in json.loads(read_plain(manifest))["files"]:
            if not (manifest.parent / entry["path"]).is_file():
                yield entry["path"]
