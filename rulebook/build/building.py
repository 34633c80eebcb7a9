"""Rulesets -> their printed files in the output folder: only the stale ones are rendered.

Each edition is opened, from the cache where nothing of it has changed. Documents whose files may be
stale are composed, first what is needed first at the table, and each file is compared with what
stands in the output folder. Workers render the stale files meanwhile, and each is written as soon
as it is done. An edition that is complete gets its manifest; the index pages are written at the
end. Few editions are open at a time, so that a thousand rulesets take no more memory than twenty. A
ruleset with faults stops no other, and neither does a file that fails. A watch builds again after
each change.
"""

from __future__ import annotations

import gc
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import count
from operator import attrgetter, itemgetter
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING

from rulebook.build.edition import MOST_READINGS, ContentFault, Edition, Readings, open_edition
from rulebook.build.plan import BuildRequest, CannotBuild, Filters, Target
from rulebook.build.publish import (
    INDEX,
    MADE,
    MANIFEST,
    alone_in,
    sha256_of,
    sweep,
    unwritten,
    writable,
)
from rulebook.build.report import Failure, Listener, Outcome
from rulebook.build.run import Job, JobResult, Workers, explained, fault_of_program
from rulebook.build.stale import Fingerprint, fingerprint, program_key, templates_key
from rulebook.cache import digest_of
from rulebook.documents.document_kind import KINDS, ComposedDocument, Document, Rendered
from rulebook.loading.folder import folder_of, is_alone, name_of, sources_digest
from rulebook.once import Latest
from rulebook.problems import Problem, Report, format_report

if TYPE_CHECKING:
    from rulebook.model.ruleset import Address


#: Editions that are open at a time.
TOGETHER = 16
#: The kinds of documents in the order in which they are printed.
_ORDER = {kind: number for number, kind in enumerate(KINDS)}
#: After all documents of a ruleset.
_LAST = 1 << 30
#: The place of what belongs to no ruleset: reported last.
_AT_THE_END = (_LAST, _LAST)
#: The stages whose results are whole files, by their fingerprints, and the pages that lead to them.
_FILES, _SITE = "files", "site"


def build_rulesets(
    request: BuildRequest,
    listener: Listener | None = None,
    workers: Workers | None = None,
    readings: Readings | None = None,
) -> Outcome:
    """Builds the requested files, reports each event to `listener` and returns the outcome.

    A watch passes `workers` and `readings`, and reuses them for the next build. Faults of content
    and of rendering are in the outcome. Raises CannotBuild if a filter matches nothing or the
    cluster cannot be used.
    """
    listener = listener or Listener()
    build = _Build(request, listener, {} if readings is None else readings)
    if workers is not None:
        return build.run(workers)
    with workers_of(request, listener) as own:
        return build.run(own)


def workers_of(request: BuildRequest, listener: Listener, *, other_work: bool = False) -> Workers:
    """Returns the workers for a build: local processes, or a cluster if the request names one.

    With `other_work` this process is busy with something else, so it never runs jobs itself.
    """
    from rulebook.documents import catalogue

    return Workers(
        catalogue.render,
        catalogue.warm_up,
        jobs=request.jobs,
        cluster=request.cluster,
        note=listener.noted,
        other_work=other_work,
    )


@dataclass(frozen=True, slots=True)
class _WantedDocument:
    """A document with wanted files (`targets`); `number` is its index in its edition."""

    number: int
    edition: Edition
    document: Document
    targets: tuple[Target, ...]

    @property
    def turn(self) -> tuple[int, float]:
        """The key to sort by: kinds in the order of `_ORDER`, and in each kind the slowest first.

        A document whose rendering time is unknown comes before all others of its kind.
        """
        seconds = self.edition.seconds.get(self.document.name, 1e9)
        return _ORDER[self.document.kind], -seconds


@dataclass
class _Build:
    request: BuildRequest
    listener: Listener
    readings: Readings
    #: The key of all templates.
    templates: str = ""
    failures: list[tuple[tuple[int, int], Failure]] = field(default_factory=list)
    #: What became of each wanted file: "written", "unchanged", "failed", or "" where it has nothing
    #: to print; in the order of the content, without pictures.
    fates: dict[str, str] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    #: The editions that are open, by their places in the request.
    editions: dict[int, Edition] = field(default_factory=dict)
    #: What is being rendered, by the number of its job, and its stale files by their paths.
    rendering: dict[int, tuple[_WantedDocument, dict[str, Fingerprint]]] = field(
        default_factory=dict
    )

    def run(self, workers: Workers) -> Outcome:
        started = monotonic()
        fault = writable(self.request.out)
        if fault is not None:
            failure = Failure("output", (fault,), nothing_built=True)
            self.failures.append((_AT_THE_END, failure))
        else:
            self.templates = templates_key(self.request.templates)
            self._build(workers)
        outcome = Outcome(
            written=self._paths("written"),
            unchanged=self._paths("unchanged"),
            failed=self._paths("failed"),
            removed=tuple(self.removed),
            failures=tuple(failure for _, failure in sorted(self.failures, key=itemgetter(0))),
            seconds=monotonic() - started,
        )
        self.listener.ended(outcome)
        return outcome

    def _paths(self, fate: str) -> tuple[str, ...]:
        return tuple(path for path, became in self.fates.items() if became == fate)

    def _build(self, workers: Workers) -> None:
        try:
            with closing(workers.run(self._jobs())) as results:
                for result in results:
                    self._publish(result)
        finally:  # also where it is stopped half-way: what is written is recorded
            for edition in list(self.editions.values()):
                self._close(edition, whole=False)
            if self.request.parts != "files":
                self._write_shelf()
            # It looks at every entry: too long where somebody waits for single files.
            if self._paths("written") and self.request.targets is None:
                self.request.cache.trim()

    def _jobs(self) -> Iterator[Job]:
        """Yields the render jobs, quick references first.

        The next edition is opened as soon as no quick references of those before are due, so that
        workers are busy meanwhile; up to 16 are open at a time. Each document is composed only when
        its job is next. Raises CannotBuild if a filter matches nothing.
        """
        filters, numbers, files = Filters(self.request), count(), 0
        folders = () if self.request.parts == "index pages" else self.request.folders
        sources = deque(enumerate(folders))
        due: list[_WantedDocument] = []
        while sources or due:
            if not sources or (due and not self._may_open(due[0], filters)):
                yield from self._rendering(due.pop(0), numbers)
                continue
            edition = self._open(*sources.popleft())
            documents = list(self._wanted(edition, filters)) if edition else []
            files += sum(len(wanted.targets) for wanted in documents)
            self.listener.planned(files)
            new = [wanted for wanted in documents if not self._is_known_to_be_fresh(wanted)]
            if edition:
                self._count_to_do(edition, len(new))
            due = sorted([*due, *new], key=attrgetter("turn"))
            # A filter may mean what stands in a ruleset that could not be opened.
            if not sources and not self.failures and (unmatched := filters.unmatched()):
                raise CannotBuild(unmatched)

    def _may_open(self, first: _WantedDocument, filters: Filters) -> bool:
        """Whether another edition may be opened before the document `first` is rendered.

        It may if few enough are open, and if `first` is no quick reference or some filter has
        matched nothing so far: that is found out before anything is rendered.
        """
        has_room = len(self.editions) < TOGETHER
        return has_room and (first.turn[0] > 0 or bool(filters.unmatched()))

    def _open(self, place: int, source: Path) -> Edition | None:
        """Opens an edition; if it has faults, records them as a failure and returns None.

        `place` is the position of the edition in the request, `source` its folder or release file.
        """
        name = name_of(source)
        try:
            edition = open_edition(place, source, self.request, self.templates, self.readings)
        except Exception as fault:
            problems, trace = explained(fault)
            if isinstance(fault, ContentFault):
                self.listener.checked(name, Report(list(problems)))
            failure = Failure(name, problems, trace, nothing_built=True)
            self.failures.append(((place, 0), failure))
            return None
        self.editions[place] = edition
        if not self.request.unchecked:
            self.listener.checked(name, Report(list(edition.known.problems)))
        self.listener.opened(source, edition.targets)
        if unread := edition.known.unread:
            failure = Failure(f"what changed in {edition.name}", unread)
            self.failures.append(((place, -1), failure))
        return edition

    def _wanted(self, edition: Edition, filters: Filters) -> Iterator[_WantedDocument]:
        """Yields the documents of an edition that have files which pass the filters.

        If the edition's folder cannot be written, these documents are recorded as failures instead.
        """
        chosen = {target.path for target in filters.passed(edition.targets)}
        fault = writable(edition.folder) if chosen else None
        for number, document in enumerate(edition.known.documents):
            every = (Target(document, file) for file in document.files)
            targets = tuple(target for target in every if target.path in chosen)
            wanted = _WantedDocument(number, edition, document, targets)
            self.fates |= {target.path: "" for target in targets if not target.file.shows}
            if fault is not None:
                self._fail(wanted, Failure(edition.name, (fault,)), targets)
            elif targets:
                yield wanted

    def _is_known_to_be_fresh(self, wanted: _WantedDocument) -> bool:
        """Whether all wanted files of a document are known to be up to date without composing it.

        Reports the files as fresh if so.
        """
        if not all(wanted.edition.is_fresh(target) for target in wanted.targets):
            return False
        known = wanted.edition.known.fingerprints[wanted.document.name]
        for target in wanted.targets:
            self._is_fresh(target, known=target.file.path in known)
        return True

    def _is_fresh(self, target: Target, *, known: bool = True) -> None:
        """Reports a file as fresh, and records it as unchanged in the outcome if it is `known`.

        A file is not `known` if its document has nothing to print.
        """
        if known:
            self._became(target, "unchanged")
        self.listener.fresh(target.path)

    def _became(self, target: Target, fate: str) -> None:
        if target.path in self.fates:  # a picture comes along with what it shows
            self.fates[target.path] = fate

    def _rendering(self, wanted: _WantedDocument, numbers: Iterator[int]) -> Iterator[Job]:
        """Composes a document, and yields a render job if any of its files is stale.

        Faults of composing are recorded as failures. `numbers` gives the number of the job.
        """
        try:
            composed = wanted.edition.compose(wanted.document)
            stale = self._stale(wanted, composed)
        except Exception as fault:
            self._could_not_print(wanted, *explained(fault), wanted.targets)
            self._count_to_do(wanted.edition, -1)
            return
        if stale and composed is not None:
            number = next(numbers)
            self.rendering[number] = wanted, stale
            kept = self.request.cache.salted(program_key() + self.templates)
            yield Job(number, composed, self.request.templates, frozenset(stale), kept)
        else:
            self._count_to_do(wanted.edition, -1)

    def _stale(
        self, wanted: _WantedDocument, composed: ComposedDocument | None
    ) -> dict[str, Fingerprint]:
        """Returns the fingerprints of the document's files that have to be rendered, by path.

        Fresh files are reported as such; stale files that are in the cache are written from there.
        `composed` is None if the document has nothing to print.
        """
        from rulebook.documents import catalogue

        edition, stale = wanted.edition, dict[str, Fingerprint]()
        now: dict[str, Fingerprint] = {}
        if composed is not None:
            view = digest_of(composed.view)
            ingredients = catalogue.ingredients(composed, self.request.templates)
            now = {
                file.path: fingerprint(Target(wanted.document, file), view, ingredients)
                for file in wanted.document.files
            }
        # Only now: a document of which nothing could be learnt keeps the files that it has.
        known = edition.known.fingerprints
        known[wanted.document.name] = {path: made.digest for path, made in now.items()}
        for target in wanted.targets:
            path = target.file.path
            reason = edition.why_stale(target, now[path]) if path in now else ""
            if not reason:
                self._is_fresh(target, known=path in now)
                continue
            self.listener.stale(target.path, reason)
            kept = self._kept(path, now[path].digest)
            if kept is None or self._put(edition, target, now[path], kept) is not None:
                stale[path] = now[path]
        return stale

    def _kept(self, path: str, digest: str) -> Rendered | None:
        """Returns the rendered file with the fingerprint `digest` from the cache, or None."""
        data = self.request.cache.get(_FILES, digest)
        if data is None:
            return None
        pages, _, rest = data.partition(b"\n")
        return Rendered(path, rest, json.loads(pages))

    def _publish(self, result: JobResult) -> None:
        """Writes the files of a finished job and caches them; records missing files as failures."""
        wanted, left = self.rendering.pop(result.number)
        targets = {target.file.path: target for target in wanted.targets}
        wanted.edition.seconds[wanted.document.name] = round(result.seconds, 3)
        problems = list(result.problems)
        self._warn(
            wanted, {warning for rendered in result.rendered for warning in rendered.warnings}
        )
        for rendered in result.rendered:
            now = left.get(rendered.path)
            if now is None:
                continue  # reported below as what is missing instead of it
            fault = self._put(wanted.edition, targets[rendered.path], now, rendered)
            if fault is not None:
                problems.append(fault)
                continue
            del left[rendered.path]
            pages = json.dumps(rendered.pages).encode() + b"\n"
            self.request.cache.put(_FILES, now.digest, pages + rendered.data)
        if left and not problems:
            nothing = ValueError(f"no bytes for {', '.join(sorted(left))}")
            problems.append(fault_of_program(nothing))
        if problems:
            missing = [targets[path] for path in left]
            self._could_not_print(wanted, tuple(problems), result.trace, missing)
        self._count_to_do(wanted.edition, -1)

    def _warn(self, wanted: _WantedDocument, warnings: set[tuple[Address, Problem]]) -> None:
        """Reports warnings found while rendering a document, and keeps them with its edition.

        Each is given the source position of its address.
        """
        if warnings and wanted.edition.planned:
            place = wanted.edition.planned[wanted.document.name].place
            placed = [replace(problem, span=place(*address)) for address, problem in warnings]
            wanted.edition.known.unprinted[wanted.document.name] = tuple(placed)
            self.listener.noted(format_report(Report(placed), "short"))

    def _put(
        self, edition: Edition, target: Target, now: Fingerprint, made: Rendered
    ) -> Problem | None:
        """Writes a rendered file and reports it; returns the problem if it could not be written.

        `now` is the file's new fingerprint.
        """
        try:
            entry = edition.put(target, now, made)
        except OSError as fault:
            return unwritten(edition.folder / target.file.path, fault)
        self._became(target, "written")
        self.listener.wrote(target.path, entry, made.remark)
        return None

    def _count_to_do(self, edition: Edition, more: int) -> None:
        """Adds `more` to the number of an edition's documents that are still to be rendered.

        `more` is -1 when one is finished. Closes the edition if none is left.
        """
        edition.to_do += more
        if not edition.to_do:
            self._close(edition, whole=self.request.whole)

    def _could_not_print(
        self,
        wanted: _WantedDocument,
        problems: tuple[Problem, ...],
        trace: str,
        targets: Sequence[Target],
    ) -> None:
        wanted.edition.known.unprinted[wanted.document.name] = problems
        self._fail(wanted, Failure(wanted.targets[0].document_name, problems, trace), targets)

    def _fail(self, wanted: _WantedDocument, failure: Failure, targets: Sequence[Target]) -> None:
        paths = [target.path for target in targets if not target.file.shows]
        self.fates |= dict.fromkeys(paths, "failed")
        self.failures.append(((wanted.edition.place, wanted.number), failure))
        if paths:
            self.listener.failed(paths)

    def _close(self, edition: Edition, *, whole: bool) -> None:
        """Writes the manifest of an edition, caches what was learnt of it, and forgets the edition.

        If `whole`, all files of the edition were wanted, and files that it no longer has are
        removed. A fault of writing is recorded as a failure.
        """
        del self.editions[edition.place]
        edition.remember()
        try:
            self.removed += edition.close(whole=whole)
        except OSError as fault:
            problem = unwritten(edition.folder, fault)
            self.failures.append(((edition.place, _LAST), Failure(edition.name, (problem,))))

    def _write_shelf(self) -> None:
        """Writes the lists of editions and the index pages; records a fault as a failure."""
        out, folders = self.request.out, list(dict.fromkeys(map(folder_of, self.request.folders)))
        try:
            with alone_in(out):
                sweep({out, *(out / folder.name for folder in folders)})
                self._write_site(out, folders)
        except OSError as fault:
            self.failures.append((_AT_THE_END, Failure(INDEX, (unwritten(out / INDEX, fault),))))
        except Exception as fault:
            self.failures.append((_AT_THE_END, Failure(INDEX, *explained(fault))))

    def _write_site(self, out: Path, folders: Sequence[Path]) -> None:
        """Writes the lists of editions and the index pages into `out`, unless they are up to date.

        `folders` are those of the rulesets whose lists are written. Nothing is written if the cache
        knows the present state of the sources and of the output folder.
        """
        cache = self.request.cache
        sources = [sources_digest(folder) for folder in folders] if cache.folder else [None]
        key = [program_key(), self.templates, sources]
        if None not in sources and cache.get(_SITE, digest_of([key, site_state(out)])) is not None:
            return
        from rulebook.build.site import write_site

        write_site(out, folders, self.request.templates)
        if None not in sources:
            cache.put(_SITE, digest_of([key, site_state(out)]), b"")


def site_state(out: Path) -> list[list[str | None]]:
    """Returns the paths of everything below the output folder, sorted, each with a checksum.

    It is None except for index pages, feeds, lists of editions and manifests.
    """
    read = {MANIFEST, *MADE}
    return [
        [path.relative_to(out).as_posix(), sha256_of(path) if path.name in read else None]
        for path in sorted(out.rglob("*"))
    ]


#: Milliseconds of quiet after which a save of an editor is taken to be whole.
_QUIET = 20


def build_on_change(
    request: Callable[[], BuildRequest],
    listener: Listener,
    content: Path,
    *,
    changes: Callable[[BuildRequest], Iterable[object]] | None = None,
    other_work: bool = False,
) -> None:
    """Builds, and builds again after every change, until Ctrl-C or the end of `changes`.

    `request` is called for each build, since rulesets come and go. `changes` is called with the
    first request; each item that it yields starts a build. By default these are saves of files. A
    fault of the first build is raised; a fault of a later build is passed to `listener`, and the
    watch goes on. With `other_work` this process renders nothing itself. Garbage is collected after
    each build; by those who give `changes` when nobody waits.
    """
    first = request()
    readings: Readings = Latest(MOST_READINGS)
    with workers_of(first, listener, other_work=other_work) as workers:
        build_rulesets(first, listener, workers, readings)
        collect_garbage()
        for _ in changes(first) if changes else saves(content, first):
            try:
                build_rulesets(request(), listener, workers, readings)
            except Exception as fault:  # a filter may match nothing while a ruleset is written
                listener.stopped(fault)
            if not changes:
                collect_garbage()


def collect_garbage(*, lately: bool = False) -> None:
    """Collects garbage while nobody waits, so that it need not be done in the midst of a build.

    What is kept is not looked through again before the next call, nor in this one if only what was
    made `lately` is.
    """
    if not lately:
        gc.unfreeze()
    gc.collect()
    gc.freeze()


def saves(
    content: Path, request: BuildRequest, stop: Event | None = None
) -> Iterator[tuple[Path, ...]]:
    """Yields the paths of saved files of content and templates, batch by batch.

    It ends when `stop` is set. `request` gives the folders of templates and output. A batch of
    files in the output folder alone is left out.
    """
    from watchfiles import watch

    out = request.out.resolve()
    alone = (folder.parent for folder in request.folders if is_alone(folder))
    folders = {folder for folder in (content, *alone, request.templates) if folder.is_dir()}
    for batch in watch(*folders, debounce=_QUIET * 20, step=_QUIET, stop_event=stop):
        saved = tuple(sorted({Path(path) for _, path in batch}))
        if any(out not in path.resolve().parents for path in saved):
            yield saved
