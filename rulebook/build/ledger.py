"""output/<ruleset>/<edition>/manifest.json -> what was printed there, from what, and what is stale.

The manifest is a contract with other programs:

    {"ruleset": "mygame", "title": "...", "edition": "1.0", "date": "2026-07-16",
     "status": "released", "reason": null, "options": ["zouaves"], "asked": "with Zouaves",
     "subtitle": null, "summary": "...", "players": "2", "accent": "#7a2b1d",
     "files": [{"path": "qrs-a4.pdf", "kind": "qrs", "title": "...", "format": "pdf", "paper": "a4",
                "ink": "full", "imposition": null, "pages": 2, "bytes": 81234, "sha256": "...",
                "fingerprint": "..."}]}

The status is "working copy", "released" or "withdrawn"; the reason why an edition was withdrawn is
Markdown. The options are those in force; what was asked tells of them, and of lengths that were
turned, in words, and is empty where the edition is printed as it stands. Subtitle, summary,
players and accent are what the ruleset says of itself. Files are sorted by path;
the date, reason, paper, ink, imposition and pages may be null. Where pages have been laid out on
sheets to fold or to cut, the imposition says how, and the pages are sides of sheets. Pictures of
documents, small, are of the format "png". Beside it
`.ledger.json` holds the parts of each fingerprint, for `--explain`, and which source printed each
file: the working copy or a released edition.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from rulebook.build.checksums import sha256_of
from rulebook.build.fingerprints import PROGRAM, VIEW, Fingerprint
from rulebook.build.targets import is_inside
from rulebook.model.edition_standing import Status
from rulebook.plain_files import read_plain

MANIFEST = "manifest.json"
PARTS = ".ledger.json"
#: Beside the parts of a fingerprint: what was printed, the working copy or a released edition.
SOURCE = "printed from"
_TEMPLATE_ENDINGS = (".j2", ".css", ".html", ".svg")

Parts = Mapping[str, Mapping[str, str]]


def _inside(path: str) -> str:
    if not is_inside(path):
        raise ValueError("a path that leaves the folder")
    return path


class Entry(BaseModel):
    """One printed file; `path` is relative to the manifest's folder."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    path: Annotated[str, AfterValidator(_inside)]
    kind: str
    title: str
    format: Literal["pdf", "html", "svg", "png", "json", "js"]
    paper: str | None
    ink: str | None
    imposition: str | None = None
    pages: int | None
    sha256: str
    fingerprint: str
    bytes: int


class Heading(BaseModel):
    """What the manifest of an edition says about it.

    `reason` is why it was withdrawn, in Markdown. `options` are in force, `asked` tells of them and
    of how lengths are turned. `form` is the name of the folder, and not written.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    ruleset: str
    title: str
    edition: str
    date: str | None
    status: Status = "working copy"
    reason: str | None = None
    options: tuple[str, ...] = ()
    asked: str = ""
    subtitle: str | None = None
    summary: str | None = None
    players: str | None = None
    accent: str = Field("#3a3a3a", pattern="^#[0-9a-fA-F]{6}$")
    form: str = Field("", exclude=True)


class Manifest(Heading):
    """What a folder of one edition holds."""

    files: tuple[Entry, ...]

    def by_path(self) -> dict[str, Entry]:
        return {entry.path: entry for entry in self.files}


def read_manifest(folder: Path) -> Manifest | None:
    """None where there is none, or one that is broken: then all is rendered again."""
    try:
        return Manifest.model_validate_json(read_plain(folder / MANIFEST))
    except (OSError, ValidationError):
        return None


def format_manifest(manifest: Manifest) -> bytes:
    files = tuple(sorted(manifest.files, key=lambda entry: entry.path))
    plain = manifest.model_copy(update={"files": files}).model_dump(mode="json")
    return (json.dumps(plain, ensure_ascii=False, indent=1) + "\n").encode()


def read_parts(folder: Path) -> Parts:
    """Path -> parts of the fingerprint that it was rendered with; empty where nothing is known."""
    try:
        return TypeAdapter(dict[str, dict[str, str]]).validate_json(read_plain(folder / PARTS))
    except (OSError, ValidationError):
        return {}


def format_parts(parts: Parts) -> bytes:
    return (json.dumps(parts, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def why_stale(
    entry: Entry | None, known: Mapping[str, str] | None, now: Fingerprint, file: Path
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
