"""An edition's folder or file -> its heading and documents, each composed when it is asked for.

What was found of an edition is kept under the digest of its sources: where none of them changed it
is not even read. Else it is loaded, computed and checked, and its documents are planned.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulebook.build.editions import EditionFolder
from rulebook.build.jobs import fault_of_program
from rulebook.build.plan import BuildRequest, Target, gather
from rulebook.build.publish import EditionHeading
from rulebook.build.report import Failure, Listener
from rulebook.build.stages import Stages
from rulebook.build.stale import edition_key, keep_unprinted
from rulebook.cache import digest_of
from rulebook.documents.document_kind import KINDS, ComposedDocument, Document, File, Planned
from rulebook.loading.releases import is_release, name_of
from rulebook.problems import Problem, Report, from_plain, to_plain
from rulebook.translation import in_language

if TYPE_CHECKING:
    from rulebook.model.ruleset import Ruleset

#: The stages of a build, by which results are kept.
_EDITION, _FINGERPRINTS, _SECONDS = "edition", "fingerprints", "seconds"

Planning = Mapping[str, Planned]
#: By their keys what was read of the last editions, for builds that come one after another.
Readings = dict[str, Planning]
MOST_READINGS = 8


@dataclass
class Edition:
    """An edition to be built, the folder that its files go to, and what is known of its files.

    `unread` are the faults of what tells of the edition before: nothing of it is printed then.
    `fingerprints` are those of the files of documents that were composed, now or in a build before
    with nothing changed since; a document that has nothing to tell has no files there. `seconds`
    are those that rendering a document took last time, `unprinted` the faults of those documents
    that could not be printed.
    """

    source: Path
    request: BuildRequest
    stages: Stages
    readings: Readings
    key: str | None
    folder: EditionFolder
    documents: tuple[Document, ...]
    unread: tuple[Problem, ...] = ()
    planned: Planning | None = None
    fingerprints: dict[str, dict[str, str]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    unprinted: dict[str, tuple[Problem, ...]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        heading = self.folder.heading
        return f"{heading.ruleset}/{heading.form}"

    @cached_property
    def targets(self) -> list[Target]:
        return gather(self.documents)

    @property
    def files(self) -> set[str]:
        """The paths of all files of which the edition consists, as far as is known."""
        return {
            path
            for one in self.documents
            for path in self.fingerprints.get(one.name, [file.path for file in one.files])
        }

    def compose(self, document: Document) -> ComposedDocument | None:
        """The view of a document; the edition is read for it where it has not been yet."""
        self.planned = self.planned or self.readings.get(self.key or "")
        if self.planned is None:
            read = _read(self.source, self.request, self.stages)
            if isinstance(read, Failure):
                raise RuntimeError(f"{self.name} has changed while it was built")
            self.planned = read.planned
            _keep(self.readings, self.key, read.planned)
        composed = self.planned[document.name].compose() if self.planned else None
        return None if composed is None else _for_printer(composed, self.request.offset)

    def remember(self, templates: str) -> None:
        """Keep what was learnt of the files, for as long as nothing changes."""
        cache, heading = self.request.cache, self.folder.heading
        if self.key is not None:
            key = _fingerprints_key(self.key, templates, self.request)
            cache.put_json(_FINGERPRINTS, key, self.fingerprints)
            if self.unprinted:
                keep_unprinted(cache, self.key, templates, self.unprinted)
        cache.put_json(_SECONDS, _seconds_key(heading), self.seconds)


@dataclass(frozen=True, slots=True)
class _Read:
    """An edition as it was loaded and checked."""

    heading: EditionHeading
    report: Report
    unread: tuple[Problem, ...]
    planned: Planning


def open_edition(
    source: Path,
    request: BuildRequest,
    stages: Stages,
    listener: Listener,
    *,
    templates: str,
    readings: Readings,
) -> Edition | Failure:
    """An edition from the cache, or read; every fault of the content is in the failure.

    `templates` is the key of all templates, with which fingerprints are known.
    """
    cache = request.cache
    try:
        key = edition_key(source, cache, request.options, request.lengths)
        known = cache.get_json(_EDITION, key) if key else None
        planned: Planning | None = None
        unread: tuple[Problem, ...] = ()
        if known is not None:
            report = Report([from_plain(one) for one in known["problems"]])
            heading = EditionHeading.model_validate(known["heading"], strict=False)
            documents = tuple(_document(one) for one in known["documents"])
        else:
            read = _read(source, request, stages)
            if isinstance(read, Failure):
                listener.checked(name_of(source), Report(list(read.problems)))
                return read
            report, heading, planned, unread = read.report, read.heading, read.planned, read.unread
            documents = tuple(one.document for one in planned.values())
            _keep(readings, key, planned)
            if key and not unread:
                cache.put_json(_EDITION, key, _as_plain(read))
        listener.checked(name_of(source), report)
        place = request.out / heading.ruleset / heading.form
        folder = EditionFolder(heading, place, frozen=is_release(source))
        edition = Edition(
            source, request, stages, readings, key, folder, documents, unread, planned
        )
        if key:
            known = cache.get_json(_FINGERPRINTS, _fingerprints_key(key, templates, request))
            edition.fingerprints = known or {}
        edition.seconds = cache.get_json(_SECONDS, _seconds_key(heading)) or {}
        assert edition.targets is not None  # two of one name are a fault of the program
        return edition
    except Exception as fault:
        return _broken(source, fault)


def _keep(readings: Readings, key: str | None, planned: Planning) -> None:
    if key is not None:
        readings[key] = planned
        while len(readings) > MOST_READINGS:
            del readings[next(iter(readings))]


def _fingerprints_key(edition: str, templates: str, request: BuildRequest) -> str:
    return digest_of([edition, templates, list(request.offset)])


def _seconds_key(heading: EditionHeading) -> str:
    return digest_of([heading.ruleset, heading.form])


def _summary(ruleset: Ruleset) -> str | None:
    """What the ruleset says it is, in plain words, for pages that lead to it."""
    from rulebook.documents.parts.binding import Binder

    with in_language(ruleset.header.language):
        summary = Binder(ruleset, references="number").plain(ruleset.header.summary)
    return " ".join(summary.split()) or None


def _read(source: Path, request: BuildRequest, stages: Stages) -> _Read | Failure:
    """Load, compute, check and plan; every fault of the content is in the failure."""
    try:
        loaded = stages.load(source)
        report = Report(list(loaded.report.problems))
        computed = None if loaded.ruleset is None else stages.compute(loaded.ruleset)
        if loaded.ruleset is not None and computed is not None:
            report.extend(stages.check(loaded.ruleset, computed))
        if loaded.ruleset is None or computed is None or not report.ok:
            return Failure(name_of(source), tuple(report), nothing_built=True)
        ruleset, header = loaded.ruleset, loaded.ruleset.header
        heading = EditionHeading(
            ruleset=ruleset.id,
            title=header.title,
            edition=header.edition,
            date=header.date.isoformat() if header.date else None,
            status=ruleset.standing.status,
            reason=ruleset.standing.reason,
            options=ruleset.chosen,
            asked=ruleset.asked,
            subtitle=header.subtitle,
            summary=_summary(ruleset),
            players=header.players,
            accent=header.accent,
            form=ruleset.form,
        )
        before, unread = stages.before(source, ruleset)
        planned = stages.plan(ruleset, computed, before)
        by_name = {one.document.name: one for one in planned}
        if len(by_name) < len(planned):
            raise ValueError("two documents of one name")
        return _Read(heading, report, tuple(unread), by_name)
    except Exception as fault:
        return _broken(source, fault)


def _broken(source: Path, fault: Exception) -> Failure:
    problem = fault_of_program(fault)
    return Failure(name_of(source), (problem,), traceback.format_exc(), nothing_built=True)


def _as_plain(read: _Read) -> dict[str, Any]:
    return {
        "heading": dict(read.heading),
        "problems": [to_plain(problem) for problem in read.report],
        "documents": [asdict(one.document) for one in read.planned.values()],
    }


def _document(plain: Mapping[str, Any]) -> Document:
    files = tuple(File(**one) for one in plain["files"])
    return Document(**{**plain, "files": files})


def _for_printer(composed: ComposedDocument, offset: tuple[float, float]) -> ComposedDocument:
    """The document, with the offset in the view of one that is printed back to back.

    It is no part of a ruleset: the same content is printed on many printers.
    """
    kind = KINDS.get(composed.kind)
    if offset == (0, 0) or kind is None or not kind.two_sided:
        return composed
    view: Any = composed.view
    return replace(composed, view=replace(view, offset=offset))
