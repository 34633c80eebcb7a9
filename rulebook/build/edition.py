"""An edition's folder or file -> its documents, each composed when it is asked for; its files.

What was found of an edition is kept under the digest of its sources: where none of them changed it
is not even read. Two sources may print into one folder: the working copy, and the released edition
of its number. Each file remembers which of them printed it, and neither removes what is the
other's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from rulebook.build.plan import BuildRequest, Target, gather
from rulebook.build.publish import (
    MANIFEST,
    PARTS,
    EditionHeading,
    Manifest,
    Parts,
    PrintedFile,
    alone_in,
    format_json,
    read_entries,
    read_parts,
    remove_printed,
    settle,
    sha256,
    sweep,
    write_if_changed,
    write_whole,
)
from rulebook.build.stale import (
    EDITION,
    SOURCE,
    Fingerprint,
    edition_key,
    program_key,
    why_stale,
)
from rulebook.cache import Cache, digest_of
from rulebook.documents.document_kind import KINDS, ComposedDocument, Document, Planned, Rendered
from rulebook.loading.folder import is_release
from rulebook.plain_files import read_plain
from rulebook.problems import Problem, RenderFault, Report
from rulebook.translation import in_language

if TYPE_CHECKING:
    from rulebook.core.input_domains import Domain
    from rulebook.model.ruleset import Ruleset

#: The collections that `rulebook list` shows.
COLLECTIONS_LISTED = (
    *("tables", "modifiers", "procedures", "units", "decks", "cutouts", "figures", "examples"),
    *("scenarios", "options"),
)
#: The stage whose results are how long documents took to render.
_SECONDS = "seconds"
#: What the codes of faults begin with that the machine or the program is to blame for.
_OF_MACHINE = "R7"

#: What the manifest says of a file, and of the ruleset, as these say it themselves.
_OF_FILE = ("path", "format", "paper", "ink", "imposition")
_OF_HEADER = ("title", "edition", "subtitle", "players", "accent")

Planning = Mapping[str, Planned]


class KnownEdition(BaseModel):
    """What the cache keeps of an edition from build to build, until its sources or templates
    change.

    `form` is the name of its folder. `unread` are faults in the notes on the edition before,
    because of which no changes are printed. `fingerprints` has by document the fingerprints of its
    files, for a printer with this `offset`, once the document was composed; one with nothing to
    print has none. `unprinted` has by document the faults and warnings of its rendering. `held` is
    from `held_by`.
    """

    heading: EditionHeading
    form: str
    problems: tuple[Problem, ...]
    documents: tuple[Document, ...]
    unread: tuple[Problem, ...]
    offset: tuple[float, float] = (0, 0)
    held: dict[str, list[dict[str, Any]]] = {}
    fingerprints: dict[str, dict[str, str]] = {}
    unprinted: dict[str, tuple[Problem, ...]] = {}


@dataclass
class ReadEdition:
    """An edition that was read, with its planning.

    `check` checks the content and returns the fields of `known` that are found only then; it is
    None once that has been done.
    """

    known: KnownEdition
    planned: Planning
    check: Callable[[], dict[str, Any]] | None

    def expect_sound(self) -> None:
        """Checks the content unless that has been done.

        Raises ContentFault with all faults if there are any errors.
        """
        if self.check is not None:
            self.known = self.known.model_copy(update=self.check())
            self.check = None


#: By the keys of their content what was read of the last editions, for builds one after another.
Readings = dict[str, ReadEdition]
MOST_READINGS = 8


@dataclass
class Edition:
    """An edition to be built: its documents, and its output folder with printed files.

    `place` is its position in the request, `key` the cache key of its content, `templates` that of
    all templates. `seconds` has by document how long rendering took last time; `to_do` counts the
    documents that are still to be rendered. `written` has the new manifest entries of files that
    this build has written, `parts` their new entries in the ledger.
    """

    place: int
    source: Path
    request: BuildRequest
    readings: Readings
    key: str | None
    templates: str
    known: KnownEdition
    planned: Planning | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    to_do: int = 0
    written: dict[str, PrintedFile] = field(default_factory=dict)
    parts: dict[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The path of the edition in the output folder, from ruleset and form: mygame/1.0."""
        return f"{self.known.heading.ruleset}/{self.known.form}"

    @cached_property
    def folder(self) -> Path:
        return self.request.out / self.name

    @cached_property
    def targets(self) -> list[Target]:
        return gather(self.known.documents)

    @cached_property
    def _listed(self) -> dict[str, PrintedFile]:
        return read_entries(self.folder)

    @cached_property
    def _listed_parts(self) -> Parts:
        return read_parts(self.folder)

    @cached_property
    def _ledger_is_whole(self) -> bool:
        """Whether the ledger seems to list all files; it is only read where it does not."""
        try:
            data = read_plain(self.folder / PARTS)
        except OSError:
            return False
        return data.count(SOURCE.encode()) >= len(self._listed)

    @property
    def _printed_from(self) -> str:
        return "released edition" if is_release(self.source) else "working copy"

    def compose(self, document: Document) -> ComposedDocument | None:
        """Composes a document, with the request's offset if it has two sides.

        Returns None if there is nothing to print. Reads the content first if the edition came from
        the cache. Raises ContentFault if the content has faults by now.
        """
        if self.planned is None:
            read = _reading(self.source, self.request, self.key, self.readings)
            self.planned = read.planned
        composed, kind = self.planned[document.name].compose(), KINDS.get(document.kind)
        if composed and kind and kind.two_sided and self.request.offset != (0, 0):
            # It is no part of a ruleset: the same content is printed on many printers.
            view: Any = composed.view
            return replace(composed, view=replace(view, offset=self.request.offset))
        return composed

    def why_stale(self, target: Target, now: Fingerprint) -> str:
        """Returns the reason in words why a file has to be rendered; empty if it is up to date.

        `now` is the fingerprint that the file should have.
        """
        path = target.file.path
        entry = self._listed.get(path)
        parts = self._listed_parts.get(path) if entry and entry.fingerprint != now.digest else None
        reason = why_stale(entry, parts, now, self.folder / path)
        lost = entry and not self._ledger_is_whole and path not in self._listed_parts
        return reason or ("what it was printed from is lost" if lost else "")

    def is_fresh(self, target: Target) -> bool:
        """Whether a file is known to be up to date without composing its document.

        Also true if its document is known to have nothing to print for it.
        """
        known = self.known.fingerprints.get(target.document.name)
        if known is None:
            return False
        digest = known.get(target.file.path)
        return digest is None or not self.why_stale(target, Fingerprint(digest, {}))

    def put(self, target: Target, now: Fingerprint, made: Rendered) -> PrintedFile:
        """Writes a rendered file; returns its entry for the manifest, which is written on closing.

        `now` is the fingerprint of the file. Raises OSError; an earlier file stays in that case.
        """
        file, document = target.file, target.document
        write_whole(self.folder / file.path, made.data)
        entry = PrintedFile(
            **{name: getattr(file, name) for name in _OF_FILE},
            kind=document.kind,
            title=file.title or document.title,
            pages=made.pages,
            sha256=sha256(made.data),
            fingerprint=now.digest,
            bytes=len(made.data),
        )
        self.written[entry.path] = entry
        self.parts[entry.path] = {**now.parts, SOURCE: self._printed_from}
        return entry

    def remember(self) -> None:
        """Caches what was learnt of the edition, and how many seconds its documents took to render.

        Faults of this machine, such as missing libraries, are left out. What was learnt is not
        cached if the edition was not checked.
        """
        cache = self.request.cache
        if self.key is not None and not self.request.unchecked:
            known = self.known.unprinted
            self.known.unprinted = {
                name: kept
                for name, problems in known.items()
                if (kept := tuple(p for p in problems if not p.code.startswith(_OF_MACHINE)))
            }
            key = digest_of([self.key, self.templates])
            cache.put(EDITION, key, self.known.model_dump_json().encode())
        cache.put_json(_SECONDS, digest_of(self.name), self.seconds)

    def close(self, *, whole: bool) -> list[str]:
        """Writes the manifest; returns the paths of removed files. Raises OSError.

        If `whole`, listed files that no document has any more are removed, unless another
        source printed them. A file that was changed since it was printed stays, but is no
        longer listed. The paths begin with the folder of the edition. The manifest is read
        again first, since another build may have changed it.
        """
        if not self.folder.is_dir():
            return []
        with alone_in(self.folder):
            now = read_entries(self.folder)
            files = {**now, **self.written}
            gone = [now[path] for path in self._gone(now)] if whole else []
            for entry in gone:
                del files[entry.path]
            removed = [entry.path for entry in gone if remove_printed(self.folder, entry)]
            if now or files:
                self._write_manifest(files, {*self.written, *removed})
            folders = {folder for path in (*now, *files) for folder in Path(path).parents}
            sweep(self.folder / folder for folder in folders)
        return [f"{self.name}/{path}" for path in removed]

    def _gone(self, listed: Collection[str]) -> list[str]:
        """Returns those of the listed paths that this source has printed and no document has now.

        Files that another source printed (a release or the working copy) are not returned.
        """
        fingerprints = self.known.fingerprints
        files = {
            path
            for document in self.known.documents
            for path in fingerprints.get(document.name, [file.path for file in document.files])
        }
        ours = (None, self._printed_from)
        parts = self._listed_parts
        return [p for p in listed if p not in files and parts.get(p, {}).get(SOURCE) in ours]

    def _write_manifest(self, files: Mapping[str, PrintedFile], touched: Collection[str]) -> None:
        """Writes the manifest and the ledger of fingerprints, listing `files` by path.

        `touched` has the paths of written and removed files: their folders are flushed to disk
        first, so that after a loss of power no manifest is newer than its files.
        """
        listed = tuple(files[path] for path in sorted(files))
        manifest = Manifest(**dict(self.known.heading), files=listed)
        parts = {**read_parts(self.folder), **self.parts}
        known = {path: parts[path] for path in sorted(files) if path in parts}
        write_if_changed(self.folder / PARTS, format_json(known))
        settle({self.folder / folder for path in touched for folder in Path(path).parents})
        write_if_changed(self.folder / MANIFEST, format_json(manifest))


class ContentFault(RenderFault):
    """Raised when faults of the content keep a whole edition from being built."""


def open_edition(
    place: int, source: Path, request: BuildRequest, templates: str, readings: Readings
) -> Edition:
    """Opens an edition, from the cache or by reading its source.

    `place` is its position in the request, `templates` the cache key of all templates. Raises
    ContentFault with all faults of the content.
    """
    key = edition_key(source, request.cache, request.options, request.lengths)
    known, planned = recall_edition(request.cache, key, templates), None
    if known is None:
        read = _reading(source, request, key, readings)
        planned = read.planned
        known = read.known.model_copy(update={"fingerprints": {}, "unprinted": {}})
    if known.offset != request.offset:
        known.offset, known.fingerprints = request.offset, {}
    edition = Edition(place, source, request, readings, key, templates, known, planned)
    edition.seconds = request.cache.get_json(_SECONDS, digest_of(edition.name)) or {}
    assert edition.targets is not None  # two of one name are a fault of the program
    return edition


def recall_edition(cache: Cache, key: str | None, templates: str) -> KnownEdition | None:
    """Returns what an earlier build cached for this content and these templates, or None.

    `key` is from `edition_key`; `templates` is the key of all templates.
    """
    data = cache.get(EDITION, digest_of([key, templates])) if key else None
    return None if data is None else KnownEdition.model_validate_json(data)


def _reading(
    source: Path, request: BuildRequest, key: str | None, readings: Readings
) -> ReadEdition:
    """Returns an edition that has been read, with its planning; `key` is its cache key.

    If it is in `readings`, it is taken from there, otherwise read and added. Without a `key`
    nothing is added. Raises ContentFault if the content has faults.
    """
    if key is None:
        return _read(source, request)
    if key not in readings:
        readings[key] = _read(source, request)
    if not request.unchecked:
        readings[key].expect_sound()
    return readings[key]


def _read(source: Path, request: BuildRequest) -> ReadEdition:
    """Loads, computes and checks an edition and plans its documents.

    Raises ContentFault with every fault of the content.
    """
    from rulebook.checking.all_checks import check
    from rulebook.core.compute import compute
    from rulebook.documents.before import find_before
    from rulebook.documents.catalogue import plan
    from rulebook.loading.editions import load_standing
    from rulebook.loading.loaded import check_references

    checked = not request.unchecked
    loaded = load_standing(source, request.options, request.lengths, resolving=checked)
    report, ruleset = Report(list(loaded.report.problems)), loaded.ruleset
    if ruleset is None:
        raise ContentFault(tuple(report))
    cache = request.cache.salted(program_key())
    with in_language(ruleset.header.language):
        computed = compute(ruleset)

    def found() -> dict[str, Any]:
        faults = () if checked else check_references(ruleset)
        problems = Report([*report, *(faults or check(ruleset, computed, cache=cache))])
        if not problems.ok:
            raise ContentFault(tuple(problems))
        return {"problems": tuple(problems), "held": held_by(ruleset)}

    known: dict[str, Any] = found() if checked else {"problems": tuple(report)}
    with in_language(ruleset.header.language):
        before, unread = find_before(source, ruleset)
    planned = plan(ruleset, computed, before, cache)
    by_name = {made.document.name: made for made in planned}
    if len(by_name) < len(planned):
        raise ValueError("two documents of one name")
    edition = KnownEdition(
        heading=_heading(ruleset),
        form=ruleset.form,
        documents=tuple(made.document for made in planned),
        unread=tuple(unread),
        **known,
    )
    return ReadEdition(edition, by_name, None if checked else found)


def _heading(ruleset: Ruleset) -> EditionHeading:
    """Returns the fields of the manifest that describe the edition; the summary is plain text."""
    from rulebook.documents.parts.binding import Binder

    header = ruleset.header
    with in_language(header.language):
        summary = Binder(ruleset, references="number").plain(header.summary)
    return EditionHeading(
        **{name: getattr(header, name) for name in _OF_HEADER},
        ruleset=ruleset.id,
        date=header.date.isoformat() if header.date else None,
        status=ruleset.standing.status,
        reason=ruleset.standing.reason,
        options=ruleset.chosen,
        asked=ruleset.asked,
        summary=" ".join(summary.split()) or None,
    )


def held_by(ruleset: Ruleset) -> dict[str, list[dict[str, Any]]]:
    """Returns JSON data of what a ruleset holds: by collection, ids and titles in order.

    Of procedures also inputs and results, named as for `odds`; both are empty if they have faults.
    """
    from rulebook.core.procedures import Programs

    programs = Programs(ruleset)
    held = {
        name: [{"id": key, "title": thing.title} for key, thing in getattr(ruleset, name).items()]
        for name in COLLECTIONS_LISTED
    }
    for procedure in held["procedures"]:
        program = programs.get(procedure["id"])
        domains = program.domains.values() if program else ()
        procedure["inputs"] = [_input(domain) for domain in domains]
        procedure["results"] = list(program.results) if program else []
    held["chapters"] = [{"id": chapter.id, "title": chapter.title} for chapter in ruleset.chapters]
    return held


def _input(domain: Domain) -> dict[str, Any]:
    return {
        "name": domain.name,
        "label": domain.label,
        "default": domain.written(domain.default),
        "choices": domain.choices(),
        "values": [
            domain.written((str(value),) if domain.several else value) for value in domain.values
        ],
    }
