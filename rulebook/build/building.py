"""Rulesets -> their printed files in the output folder: only the stale ones are rendered.

Open each edition, from the cache where nothing of it changed; of the wanted documents compose those
whose files may be stale, the longest first, and compare each file with what stands in the output
folder; meanwhile workers render the stale ones; publish each as it is done; write the manifest of
an edition when it is complete, and at the end the way in. Only some editions are open at a time, so
that a thousand rulesets take no more memory than twenty. A ruleset with faults costs no other
ruleset, and a target that fails costs no other target. A watch builds after
each change until the user stops it.
"""

from __future__ import annotations

import gc
import json
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING

from rulebook.build.cache_keys import program_key, templates_key
from rulebook.build.editions import PrintedTarget
from rulebook.build.jobs import Job, JobResult, fault_of_program
from rulebook.build.opened_edition import Edition, Readings, open_edition
from rulebook.build.plan import BuildRequest, Filters, Target
from rulebook.build.publish import alone_in, sweep, unwritten, writable
from rulebook.build.report import Failure, Listener, Outcome
from rulebook.build.run import Workers
from rulebook.build.stages import Stages, stages_of_rulebook
from rulebook.build.stale import INDEX, fingerprint, site_files, site_key, view_digest
from rulebook.documents.document_kind import ComposedDocument, Document
from rulebook.loading.releases import folder_of
from rulebook.problems import Problem, Report, format_report
from rulebook.typeset.environment import RenderFault

if TYPE_CHECKING:
    from rulebook.model.ruleset import Address


#: Editions that are opened together: their documents are made in one request, the longest first.
TOGETHER = 16
#: After all documents of a ruleset.
_LAST = 1 << 30
#: The place of what belongs to no ruleset: reported last.
_AT_THE_END = (_LAST, _LAST)
#: The stage whose results are whole files, by their fingerprints.
_FILES = "files"
#: The stage whose results are the checksums of the pages that lead to files.
_SITE = "site"


def build_rulesets(
    request: BuildRequest,
    listener: Listener | None = None,
    stages: Stages | None = None,
    workers: Workers | None = None,
    readings: Readings | None = None,
) -> Outcome:
    """Build what is requested and tell the listener of it.

    `workers` and `readings` are those of a watch, which stay warm; a single build has its own.
    Faults of content and of rendering are in the outcome. Raises NoSuchTarget where a filter
    matches nothing and ClusterFault where the cluster cannot be used.
    """
    stages = stages or stages_of_rulebook(request.options, request.lengths, request.cache)
    listener = listener or Listener()
    build = _Build(request, listener, stages, {} if readings is None else readings)
    if workers is not None:
        return build.run(workers)
    with workers_of(request, listener, stages) as own:
        return build.run(own)


def workers_of(
    request: BuildRequest, listener: Listener, stages: Stages, *, other_work: bool = False
) -> Workers:
    """The workers that the request asks for: processes, or a cluster."""
    return Workers(
        stages.render,
        stages.warm_up,
        jobs=request.jobs,
        cluster=request.cluster,
        note=listener.noted,
        other_work=other_work,
    )


@dataclass(frozen=True, slots=True)
class _WantedDocument:
    """A document of which files are wanted; `place` is its edition's, `number` its own there."""

    place: int
    number: int
    edition: Edition
    document: Document
    targets: tuple[Target, ...]

    @property
    def seconds(self) -> float | None:
        """How long it took to render the document last time."""
        return self.edition.seconds.get(self.document.name)

    @property
    def name(self) -> str:
        return f"{self.document.ruleset}/{self.document.edition}/{self.document.name}"


@dataclass
class _Build:
    request: BuildRequest
    listener: Listener
    stages: Stages
    readings: Readings
    #: The key of all templates.
    templates: str = ""
    #: By place in the content: the ruleset's, then the document's.
    failures: dict[tuple[int, int], Failure] = field(default_factory=dict)
    written: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    unchanged: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    failed: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    #: The editions that are open, by their places in the request, and how many of the documents of
    #: each are still to be done.
    editions: dict[int, Edition] = field(default_factory=dict)
    to_do: Counter[int] = field(default_factory=Counter)
    #: What is being rendered, by the number of its job.
    rendering: dict[int, tuple[_WantedDocument, dict[str, PrintedTarget]]] = field(
        default_factory=dict
    )

    def run(self, workers: Workers) -> Outcome:
        started = monotonic()
        fault = writable(self.request.out)
        if fault is not None:
            self.failures[_AT_THE_END] = Failure("output", (fault,), nothing_built=True)
        else:
            self.templates = templates_key(self.request.templates)
            self._build(workers)
        outcome = Outcome(
            written=_in_order(self.written),
            unchanged=_in_order(self.unchanged),
            failed=_in_order(self.failed),
            removed=tuple(self.removed),
            failures=tuple(self.failures[key] for key in sorted(self.failures)),
            seconds=monotonic() - started,
        )
        self.listener.ended(outcome)
        return outcome

    def _build(self, workers: Workers) -> None:
        try:
            with closing(workers.run(self._jobs())) as results:
                for result in results:
                    self._publish(result)
        finally:  # also where it is stopped half-way: what is written is recorded
            for place in list(self.editions):
                self._close(place, whole=False)
            self._write_shelf()
            # It looks at every entry: too long where somebody waits for single files.
            if self.written and self.request.targets is None:
                self.request.cache.trim()

    def _jobs(self) -> Iterator[Job]:
        """The jobs, a few editions at a time; a document is composed when its job is due."""
        filters, numbers, files = Filters(self.request), count(), 0
        total = len(self.request.folders)
        for first in range(0, total, TOGETHER):
            places = range(first, min(first + TOGETHER, total))
            opened = self._open(places)
            wanted = self._chosen(opened, filters)
            if places.stop == total and not self.failures:
                # A filter may mean what stands in a ruleset that could not be opened.
                filters.expect_matches()
            files += sum(len(one.targets) for one in wanted)
            self.listener.planned(files)
            waiting = _in_order_of_work(self._perhaps_stale(wanted))
            self.to_do.update(one.place for one in waiting)
            for place in opened:
                if not self.to_do[place]:
                    self._close(place, whole=self.request.whole)
            yield from self._composed(waiting, numbers)

    def _open(self, places: Sequence[int]) -> dict[int, Edition]:
        """Open editions by their places in the request; one that has faults is left out."""
        found: dict[int, Edition] = {}
        for place in places:
            source = self.request.folders[place]
            opened = open_edition(
                *(source, self.request, self.stages, self.listener),
                templates=self.templates,
                readings=self.readings,
            )
            if isinstance(opened, Failure):
                self.failures[place, 0] = opened
                continue
            found[place] = opened
            self.listener.opened(source, opened.targets)
            if opened.unread:
                name = f"what changed in {opened.name}"
                self.failures[place, -1] = Failure(name, opened.unread)
        self.editions.update(found)
        return found

    def _chosen(self, editions: Mapping[int, Edition], filters: Filters) -> list[_WantedDocument]:
        """The documents with files that pass the filters, in the order of the content."""
        everything = [target for one in editions.values() for target in one.targets]
        chosen = {target.path for target in filters.passed(everything)}
        wanted = []
        for place, edition in editions.items():
            fault = None
            for number, document in enumerate(edition.documents):
                listed = (Target(document, file) for file in document.files)
                targets = tuple(target for target in listed if target.path in chosen)
                one = _WantedDocument(place, number, edition, document, targets)
                fault = fault or (writable(edition.folder.folder) if targets else None)
                if fault is not None:
                    self._fail(one, Failure(edition.name, (fault,)), targets)
                elif targets:
                    wanted.append(one)
        return wanted

    def _perhaps_stale(self, wanted: Sequence[_WantedDocument]) -> Iterator[_WantedDocument]:
        """The documents that have to be composed; all files of the others are known to be fresh."""
        for one in wanted:
            known = one.edition.fingerprints.get(one.document.name)
            folder = one.edition.folder
            if known is not None and all(
                (digest := known.get(target.file.path)) is None
                or folder.is_fresh(target.file.path, digest)
                for target in one.targets
            ):
                for target in one.targets:
                    self._is_fresh(one, target, known=target.file.path in known)
            else:
                yield one

    def _is_fresh(self, one: _WantedDocument, target: Target, *, known: bool = True) -> None:
        """Note that a file is fresh; if it is not `known`, its document has nothing to print."""
        if known and not target.file.shows:
            self.unchanged.setdefault((one.place, one.number), []).append(target.path)
        self.listener.fresh(target.path)

    def _composed(
        self, waiting: Sequence[_WantedDocument], numbers: Iterator[int]
    ) -> Iterator[Job]:
        """Compose one document after another, and render those of which a file is stale."""
        for number, one in zip(numbers, waiting, strict=False):
            try:
                composed = one.edition.compose(one.document)
                stale = self._stale(one, composed)
            except Exception as fault:
                known = fault.problems if isinstance(fault, RenderFault) else None
                problems = known or (fault_of_program(fault),)
                one.edition.unprinted[one.document.name] = problems
                failure = Failure(one.name, problems, traceback.format_exc())
                self._fail(one, failure, one.targets)
                self._done(one)
                continue
            if stale and composed is not None:
                self.rendering[number] = one, stale
                wanted = frozenset(stale)
                kept = self.request.cache.salted(program_key() + self.templates)
                yield Job(number, composed, self.request.templates, wanted, kept)
            else:
                self._done(one)

    def _stale(
        self, one: _WantedDocument, composed: ComposedDocument | None
    ) -> dict[str, PrintedTarget]:
        """The files that have to be rendered, by path; others are fresh or in the cache."""
        if composed is None:
            one.edition.fingerprints[one.document.name] = {}
            for target in one.targets:
                self._is_fresh(one, target, known=False)
            return {}
        view = view_digest(composed)
        ingredients = self.stages.ingredients(composed, self.request.templates)
        # Only now: a document of which nothing could be learnt keeps the files that it has.
        known = one.edition.fingerprints[one.document.name] = {}
        wanted = {target.file.path for target in one.targets}
        stale: dict[str, PrintedTarget] = {}
        for file in one.document.files:
            target = Target(one.document, file)
            now = fingerprint(target, view, ingredients)
            known[file.path] = now.digest
            if file.path not in wanted:
                continue
            reason = one.edition.folder.why_stale(target, now)
            if not reason:
                self._is_fresh(one, target)
                continue
            self.listener.stale(target.path, reason)
            printed = PrintedTarget(target, now)
            kept = self._kept(now.digest)
            if kept is None or not self._put(one, printed, *kept):
                stale[file.path] = printed
        return stale

    def _kept(self, digest: str) -> tuple[bytes, int | None] | None:
        """The bytes of a file with this fingerprint and its page count, from the cache."""
        data = self.request.cache.get(_FILES, digest)
        if data is None:
            return None
        pages, _, rest = data.partition(b"\n")
        return rest, json.loads(pages)

    def _publish(self, result: JobResult) -> None:
        """Write the files of a finished job; files that it did not make are failures."""
        one, left = self.rendering.pop(result.number)
        one.edition.seconds[one.document.name] = round(result.seconds, 3)
        problems = list(result.problems)
        self._warn(one, {warning for rendered in result.rendered for warning in rendered.warnings})
        for rendered in result.rendered:
            printed = left.get(rendered.path)
            if printed is None:
                continue  # reported below as what is missing instead of it
            if self._put(
                one, printed, rendered.data, rendered.pages, problems, remark=rendered.remark
            ):
                del left[rendered.path]
                pages = json.dumps(rendered.pages).encode() + b"\n"
                self.request.cache.put(_FILES, printed.fingerprint.digest, pages + rendered.data)
        if left and not problems:
            nothing = ValueError(f"no bytes for {', '.join(sorted(left))}")
            problems.append(fault_of_program(nothing))
        if problems:
            one.edition.unprinted[one.document.name] = tuple(problems)
            failure = Failure(one.name, tuple(problems), result.trace)
            self._fail(one, failure, [printed.target for printed in left.values()])
        self._done(one)

    def _warn(self, one: _WantedDocument, warnings: set[tuple[Address, Problem]]) -> None:
        """Report the warnings that were found while drawing, at their places in the content."""
        if warnings and one.edition.planned:
            place = one.edition.planned[one.document.name].place
            placed = [replace(problem, span=place(*address)) for address, problem in warnings]
            one.edition.unprinted[one.document.name] = tuple(placed)
            self.listener.noted(format_report(Report(placed), "short"))

    def _put(
        self,
        one: _WantedDocument,
        printed: PrintedTarget,
        data: bytes,
        pages: int | None,
        problems: list[Problem] | None = None,
        *,
        remark: str = "",
    ) -> bool:
        """Write a file and report it with its remark; False where it could not be written."""
        folder = one.edition.folder
        try:
            entry = folder.put(printed, data, pages)
        except OSError as fault:
            if problems is not None:
                problems.append(unwritten(folder.folder / printed.target.file.path, fault))
            return False
        if not printed.target.file.shows:  # a picture comes along with what it shows
            self.written.setdefault((one.place, one.number), []).append(printed.target.path)
        self.listener.wrote(printed.target.path, entry, remark)
        return True

    def _done(self, one: _WantedDocument) -> None:
        """Note that a document is done; after the last one the edition is closed."""
        self.to_do[one.place] -= 1
        if not self.to_do[one.place]:
            self._close(one.place, whole=self.request.whole)

    def _fail(self, one: _WantedDocument, failure: Failure, targets: Sequence[Target]) -> None:
        paths = [target.path for target in targets if not target.file.shows]
        self.failures.setdefault((one.place, one.number), failure)
        self.failed.setdefault((one.place, one.number), []).extend(paths)
        if paths:
            self.listener.failed(paths)

    def _close(self, place: int, *, whole: bool) -> None:
        """Write the manifest of an edition, and let go of what was read of it.

        Of one that is `whole` those files are removed that are none of it any more.
        """
        one = self.editions.pop(place)
        one.remember(self.templates)
        heading = one.folder.heading
        try:
            removed = one.folder.close(one.files if whole else None)
        except OSError as fault:
            problem = unwritten(one.folder.folder, fault)
            self.failures.setdefault((place, _LAST), Failure(one.name, (problem,)))
            return
        self.removed += [f"{heading.ruleset}/{heading.form}/{path}" for path in removed]

    def _write_shelf(self) -> None:
        """Write the lists of editions and the pages that lead to all files."""
        try:
            with alone_in(self.request.out):
                out = self.request.out
                sweep({out, *(out / folder_of(source).name for source in self.request.folders)})
                self._write_site()
        except RenderFault as fault:
            self.failures[_AT_THE_END] = Failure(INDEX, fault.problems)
        except OSError as fault:
            problem = unwritten(self.request.out / INDEX, fault)
            self.failures[_AT_THE_END] = Failure(INDEX, (problem,))
        except Exception as fault:
            trace = traceback.format_exc()
            self.failures[_AT_THE_END] = Failure(INDEX, (fault_of_program(fault),), trace)

    def _write_site(self) -> None:
        """Write the pages, unless neither they nor what they are made of has changed."""
        out, cache = self.request.out, self.request.cache
        folders = list(dict.fromkeys(map(folder_of, self.request.folders)))
        key = site_key(self.request, folders, self.templates)
        known = cache.get_json(_SITE, key) if key else None
        if known is not None and known == site_files(out):
            return
        from rulebook.build.site import write_site

        write_site(out, folders, self.request.templates, self.stages.render_template)
        if key is not None:
            cache.put_json(_SITE, key, site_files(out))


def _in_order_of_work(waiting: Iterator[_WantedDocument]) -> list[_WantedDocument]:
    """Documents that were never rendered first, then the slowest by their last time."""
    return sorted(waiting, key=lambda one: -(1e9 if one.seconds is None else one.seconds))


def _in_order(paths: Mapping[tuple[int, int], Sequence[str]]) -> tuple[str, ...]:
    """Paths in the order of the content."""
    return tuple(chain.from_iterable(paths[key] for key in sorted(paths)))


#: Milliseconds of quiet after which a save of an editor is taken to be whole.
_QUIET = 20


def build_on_change(
    request: Callable[[], BuildRequest],
    listener: Listener,
    content: Path,
    *,
    changes: Callable[[BuildRequest], Iterable[object]] | None = None,
    stages: Stages | None = None,
    other_work: bool = False,
) -> None:
    """Build, and build again on every change; ends with KeyboardInterrupt, or with the changes.

    The request is made anew each time, since rulesets come and go. The first must hold, later
    faults of it are reported by the listener and the watch goes on. `changes` are whatever calls
    for another build; where this process has `other_work` it leaves all rendering to others.
    """
    first = request()
    stages = stages or stages_of_rulebook(first.options, first.lengths, first.cache)
    readings = Readings()
    with workers_of(first, listener, stages, other_work=other_work) as workers:
        build_rulesets(first, listener, stages, workers, readings)
        gc.collect()
        # What is imported and kept by now stays to the end, and need not be looked through again.
        gc.freeze()
        for _ in (changes or _changes_of(content))(first):
            try:
                build_rulesets(request(), listener, stages, workers, readings)
            except Exception as fault:  # a filter may match nothing while a ruleset is written
                listener.stopped(fault)
            gc.collect()  # while nobody waits, rather than in the midst of the next build


def _changes_of(content: Path) -> Callable[[BuildRequest], Iterator[object]]:
    return lambda request: saves(content, request)


def saves(
    content: Path, request: BuildRequest, stop: Event | None = None
) -> Iterator[tuple[Path, ...]]:
    """The saved files of content and templates, batch by batch."""
    from watchfiles import watch

    out = request.out.resolve()
    folders = (content, request.templates)
    for batch in watch(*folders, debounce=_QUIET * 20, step=_QUIET, stop_event=stop):
        saved = tuple(sorted({Path(path) for _, path in batch}))
        if any(out not in path.resolve().parents for path in saved):
            yield saved
