"""Jobs -> results, as they finish: in this process, in worker processes, or on a Dask cluster.

A job is values and a pure function, so that it gives the same bytes wherever it is run. What goes
wrong in it comes back as problems; a job that fails, or takes its worker with it, costs no other.
Jobs begin in the order in which they come.

A worker of a cluster renders only if it is made of the same things as this machine: rulebook, its
libraries, Python and the templates. Each is asked, also one that comes later, and Dask is told to
give jobs to none but those that fit.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    ProcessPoolExecutor,
)
from concurrent.futures import wait as wait_for
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from importlib import import_module
from itertools import chain, islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from time import process_time
from typing import Any

from rulebook.build.plan import CannotBuild
from rulebook.build.stale import made_of, templates_key
from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.document_kind import ComposedDocument, Rendered
from rulebook.packaged import templates_folder
from rulebook.problems import Problem, RenderFault

Render = Callable[[ComposedDocument, Path, frozenset[str], Cache], list[Rendered]]
WarmUp = Callable[[Path], None]

# The page maker is not safe for threads, and a Dask worker runs several in one process.
_ONE_AT_A_TIME = threading.Lock()
#: New objects after which a worker looks for garbage: some 200 MB. Layout leaves little of it.
_MOST_LEFT = 500_000
#: Windows waits for no more handles at once.
_MOST_WORKERS = 61 if sys.platform == "win32" else 256


@dataclass(frozen=True, slots=True)
class Job:
    """A request to render the files `wanted` of a document; `number` identifies the job.

    `cache` stores parts of what is rendered; jobs on other machines have none.
    """

    number: int
    composed: ComposedDocument
    templates: Path
    wanted: frozenset[str]
    cache: Cache = NOTHING_KEPT


@dataclass(frozen=True, slots=True)
class JobResult:
    """The rendered files of a job, and its problems, with a traceback (`trace`) for developers.

    `seconds` is the processor time that the job took.
    """

    number: int
    rendered: tuple[Rendered, ...] = ()
    problems: tuple[Problem, ...] = ()
    trace: str = ""
    seconds: float = field(default=0.0, compare=False)


def perform(render: Render, job: Job) -> JobResult:
    """Renders the files of a job; returns them, or the faults, as a result.

    Of all exceptions it raises only KeyboardInterrupt.
    """
    with _ONE_AT_A_TIME:
        # PDF libraries take the time of day from it.
        os.environ["SOURCE_DATE_EPOCH"] = "0"
        started = process_time()
        try:
            made = render(job.composed, job.templates, job.wanted, job.cache)
            return JobResult(job.number, tuple(made), seconds=process_time() - started)
        except (Exception, SystemExit) as fault:
            return JobResult(job.number, (), *explained(fault))


def explained(fault: BaseException) -> tuple[tuple[Problem, ...], str]:
    """Returns the problems that describe an exception, and its traceback as text.

    The traceback is empty for a RenderFault, which the author can mend.
    """
    if isinstance(fault, RenderFault):
        return fault.problems, ""
    trace = "".join(traceback.format_exception(fault))
    if isinstance(fault, OSError) and "cannot load library" in str(fault):
        message = "a native library that printing needs is missing"
        return (Problem("R704", message, hint="run 'rulebook doctor'"),), trace
    return (fault_of_program(fault),), trace


def fault_of_program(fault: BaseException) -> Problem:
    """Returns the problem R703 of an unexpected exception, with the first line of its message."""
    first = (str(fault).splitlines() or [""])[0][:200]
    said = f"{type(fault).__name__}: {first}" if first else type(fault).__name__
    hint = "run again with -v for the traceback, and report it"
    return Problem("R703", f"rulebook itself failed ({said})", hint=hint)


def died(job: Job) -> JobResult:
    """Returns the result of a job whose worker process died with it: no files, and problem R701."""
    hint = "see whether memory ran out; try --jobs 1"
    problem = Problem("R701", "the worker that rendered it died", hint=hint)
    return JobResult(job.number, problems=(problem,))


class Processes:
    """A pool of worker processes that render; if one of them dies, all are lost.

    Processes are spawned, since the PDF library does not survive a fork; one is started when a job
    is submitted and none is idle.
    """

    #: Seconds to wait for a finished job: as long as it takes.
    beat: float | None = None

    def __init__(self, count: int, render: Render, prepare: Callable[[], None]) -> None:
        self._render, self._count, self._broken = render, count, False
        self._others = {*active_children()}
        self._pool = _spawned(count, prepare)

    def room(self) -> int:
        """Returns how many jobs may be unfinished at a time.

        This is one more than there are workers, or 0 after a worker died.
        """
        # One more than there are workers, so that none waits for the next.
        return 0 if self._broken else self._count + 1

    def submit(self, job: Job) -> Future[JobResult]:
        """Submits a job to the worker processes and returns its future.

        If the processes have died, the future raises BrokenExecutor. Interrupts are delayed
        meanwhile, so that the pool knows every new process.
        """
        try:
            with _uninterrupted():
                return self._pool.submit(perform, self._render, job)
        except BrokenExecutor as fault:
            lost: Future[JobResult] = Future()
            lost.set_exception(fault)
            return lost

    def is_lost(self, fault: BaseException) -> bool:
        """Whether a job's exception means that the worker processes died and the job must be rerun.

        Marks the pool as broken if so; `room` is 0 from then on.
        """
        self._broken = self._broken or isinstance(fault, BrokenExecutor)
        return self._broken

    def close(self, *, kill: bool) -> None:
        if kill:
            # The pool itself does not know of one that was being started when it was stopped.
            for process in {*active_children()} - self._others:
                process.kill()
        self._pool.shutdown(wait=True, cancel_futures=True)


class Cluster:
    """The workers of a Dask cluster that have the needed versions and templates."""

    #: Seconds after which its workers are looked at again though no job is finished.
    beat: float | None = 1.0

    def __init__(
        self, render: Render, client: Any, templates: Path, note: Callable[[str], None]
    ) -> None:
        self._client, self._templates, self._note = client, templates, note
        self._needed = needed_for(templates)
        self._task = partial(_perform_there, render, templates=self._needed["templates"])
        self._asked: set[str] = set()
        self._fit: set[str] = set()

    def room(self) -> int:
        """Returns how many jobs may be unfinished at a time: two for each worker that fits.

        Checks workers that are new; returns 0 if the scheduler cannot be reached.
        """
        try:
            there = set(self._client.scheduler_info()["workers"])
        except Exception:  # the scheduler is gone
            return 0
        if new := there - self._asked:
            self._asked |= new
            self._fit |= self._fitting(new)
        self._fit &= there
        return 2 * len(self._fit)

    def submit(self, job: Job) -> Future[JobResult]:
        """Submits a job, without this machine's cache, to the workers that fit.

        Returns its future.
        """
        executor = self._client.get_executor(workers=sorted(self._fit), pure=False)
        # What this machine keeps is of no use to another.
        future: Future[JobResult] = executor.submit(self._task, replace(job, cache=NOTHING_KEPT))
        return future

    def is_lost(self, fault: BaseException) -> bool:
        """Whether a job's exception says that its worker was lost, because of this or another job.

        Dask's KilledWorker is recognised by name, so that Dask need not be imported.
        """
        return isinstance(fault, CancelledError) or type(fault).__name__ == "KilledWorker"

    def _fitting(self, workers: set[str]) -> set[str]:
        """Returns which of some workers, given by address, have the needed versions and templates.

        Passes a message about each of the others to `note`.
        """
        ask = (_made_there, self._templates, self._needed["templates"])
        fit = set()
        with suppress(Exception):  # they may be away again
            answers = self._client.run(*ask, workers=sorted(workers), on_error="return")
            for address, made in answers.items():
                if reason := self._why_unfit(made):
                    self._note(f"the worker at {address} is not used: {reason}")
                else:
                    fit.add(address)
        return fit

    def _why_unfit(self, made: dict[str, str] | Exception) -> str:
        if isinstance(made, Exception):
            return f"it cannot run rulebook ({type(made).__name__}: {made})"
        names = sorted(made.keys() | self._needed.keys())
        different = [name for name in names if made.get(name) != self._needed.get(name)]
        return f"it has other {', '.join(different)}" if different else ""


def run_together(
    pool: Processes | Cluster, waiting: Iterator[Job], left: dict[int, Job]
) -> Generator[JobResult, None, None]:
    """Submits jobs to the pool and yields results as they finish, until jobs or workers run out.

    `waiting` yields the jobs. `left` is changed: it holds the jobs that are submitted but
    unfinished, by number, and at the end those that were lost with their workers.
    """
    sent: dict[Future[JobResult], Job] = {}
    while room := pool.room():
        for job in islice(waiting, max(0, room - len(sent))):
            left[job.number] = job
            sent[pool.submit(job)] = job
        if not sent:
            return
        for future in wait_for(sent, timeout=pool.beat, return_when=FIRST_COMPLETED).done:
            job = sent.pop(future)
            try:
                result = future.result()
            except Exception as fault:
                if pool.is_lost(fault):
                    continue
                # it cannot be sent to a worker or back
                result = JobResult(job.number, (), *explained(fault))
            del left[job.number]
            yield result


class Workers:
    """Runs the jobs of successive builds; worker processes live until this context is left.

    A single job is run in this process, which is faster, unless that has `other_work`. With a
    `cluster`, the address of a Dask scheduler, jobs are run there; `note` is called with messages
    about the cluster, and jobs that were lost with it are run here.
    """

    def __init__(
        self,
        render: Render,
        warm_up: WarmUp,
        *,
        jobs: int | None = None,
        cluster: str | None = None,
        note: Callable[[str], None] = print,
        other_work: bool = False,
    ) -> None:
        self._render, self._warm_up, self._other_work = render, warm_up, other_work
        self._count = min(jobs or processors(), _MOST_WORKERS)
        self._cluster, self._note = cluster, note
        self._pool: Processes | None = None

    def run(self, jobs: Iterable[Job]) -> Generator[JobResult, None, None]:
        """Runs jobs and yields one result for each, in the order in which they finish.

        Jobs are taken from the iterable only as workers are free, so that the next ones are
        composed while others are rendered.
        """
        waiting, left = iter(jobs), dict[int, Job]()
        first = list(islice(waiting, min(self._count, 2)))
        if not first:
            return
        waiting = chain(first, waiting)
        if self._cluster is not None:
            templates = first[0].templates
            with connected(self._render, self._cluster, templates, self._note) as cluster:
                yield from run_together(cluster, waiting, left)
            first = [*left.values(), *islice(waiting, 1)]
            if not first:
                return
            self._note(f"what the cluster at {self._cluster} did not do is rendered here")
            # Never in this process: one of them may have taken a worker with it.
            waiting, left = chain(first, waiting), {}
        elif self._pool is None and not self._other_work and min(self._count, len(first)) == 1:
            yield from (perform(self._render, job) for job in waiting)
            return
        try:
            yield from run_together(self._started(self._count, first[0]), waiting, left)
        except BaseException:
            self._close(kill=True)
            raise
        if left:
            self._close()
            yield from self._apart(chain(left.values(), waiting))

    def _apart(self, jobs: Iterable[Job]) -> Generator[JobResult, None, None]:
        """Runs jobs one at a time after a worker died; yields the result of each.

        So only the job that kills its worker fails.
        """
        try:
            for job in jobs:
                lost: dict[int, Job] = {}
                yield from run_together(self._started(1, job), iter([job]), lost)
                if lost:
                    self._close()
                    yield died(job)
        finally:
            self._close(kill=True)

    def _started(self, count: int, job: Job) -> Processes:
        if self._pool is None:
            prepare = partial(_prepare_worker, self._warm_up, job.templates)
            self._pool = Processes(count, self._render, prepare)
        return self._pool

    def _close(self, *, kill: bool = False) -> None:
        if self._pool is not None:
            self._pool.close(kill=kill)
            self._pool = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        self._close(kill=fault is not None)


def processors() -> int:
    """Returns the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Within this context, delays SIGINT and SIGTERM to its end.

    A worker process that is started in it is thus known to the pool, which can end it. Does nothing
    in threads other than the main one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # others are never interrupted
        return
    came: list[int] = []
    handlers = {
        number: signal.signal(number, lambda number, _: came.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if came:
        signal.raise_signal(came[0])


def _spawned(count: int, prepare: Callable[[], None]) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=prepare)


class Answerer:
    """Calls `answer`, a module-level function, in a process of its own, one question at a time.

    The process is killed when a question takes too long.
    """

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self._answer = answer
        self._alone = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    def ask(self, question: Any, seconds: float) -> Any:
        """Returns the answer to a question from the other process; raises what `answer` raises.

        Raises TimeoutError if it takes more than `seconds` or the process dies.
        """
        with self._alone:
            self._pool = self._pool or _spawned(1, _leave_to_parent)
            try:
                return self._pool.submit(self._answer, question).result(seconds)
            except (TimeoutError, BrokenExecutor):
                self.close()
                raise TimeoutError from None

    def close(self) -> None:
        if self._pool is not None:
            for process in [*(self._pool._processes or {}).values()]:
                process.kill()
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


def _leave_to_parent() -> None:
    """Sets up a worker process: it ignores Ctrl-C, prints nothing, and ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A missing library is reported as a problem; the page maker prints a page on it besides.
    sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _prepare_worker(warm_up: WarmUp, templates: Path) -> None:
    """Sets up a worker process that renders; `warm_up` imports what rendering needs.

    It ignores Ctrl-C, ends with its parent, and collects garbage less often.
    """
    _leave_to_parent()
    with suppress(Exception):  # the job meets the same fault and can tell it
        warm_up(templates)
    # To look for garbage as often as usual is a tenth of a build.
    gc.freeze()
    gc.set_threshold(_MOST_LEFT)


def _end_with_parent() -> None:
    """Waits for the parent process to end, then ends this worker process."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


# The cluster.

#: Seconds that a cluster has to answer, and until it has a worker.
PATIENCE = 30.0


@contextmanager
def connected(
    render: Render, address: str, templates: Path, note: Callable[[str], None]
) -> Iterator[Cluster]:
    """Connects to the Dask scheduler at `address`; yields the cluster and disconnects at the end.

    Workers without `templates` at that path use their own if these are equal. `note` is called with
    a message for each worker that does not fit. Raises CannotBuild if the cluster cannot be used.
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise CannotBuild("--cluster needs Dask: pip install 'rulebook[dask]'") from None
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] in ("asyncio", "distributed", "tornado"):
            # We tell what went wrong ourselves.
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    # Dask would keep the last thousand messages, with all that is in the jobs.
    import_module("dask").config.set({"distributed.admin.low-level-log-length": 0})
    # One that could not connect would try to take its leave for a long time.
    kind = type("Client", (distributed.Client,), {"__del__": lambda client: None})
    try:
        distributed.comm.get_address_host_port(address)
    except Exception as fault:
        said = f"'{address}' is no address of a scheduler, such as tcp://10.0.0.5:8786"
        raise CannotBuild(said) from fault
    try:
        client = kind(address, timeout=min(PATIENCE, 10), set_as_default=False)
    except Exception as fault:
        raise CannotBuild(f"no cluster answers at {address}", usage=False) from fault
    try:
        with suppress(Exception):  # there may be none in time, or no cluster any more
            client.wait_for_workers(1, timeout=PATIENCE)
        yield Cluster(render, client, templates, note)
    finally:
        with suppress(Exception):
            client.close(timeout=2)


def needed_for(templates: Path) -> dict[str, str]:
    """Returns the versions and digests, by name, that all machines of a cluster must share."""
    from rulebook.typeset.pdf import layout_version

    return {**made_of(), "Pango": layout_version(templates), "templates": templates_key(templates)}


def _made_there(templates: Path, digest: str) -> dict[str, str]:
    """Returns the versions and digests of a cluster worker's installation; runs on that worker.

    They are of `templates` if that folder has the given digest there, else of its own templates.
    """
    return needed_for(_templates_there(templates, digest))


def _perform_there(render: Render, job: Job, templates: str) -> JobResult:
    """Renders a job with a cluster worker's copy of the templates; runs on that worker.

    `templates` is the digest of the templates.
    """
    return perform(render, replace(job, templates=_templates_there(job.templates, templates)))


@lru_cache(maxsize=8)
def _templates_there(asked: Path, digest: str) -> Path:
    """Returns the folder `asked` if its templates have this digest, else this installation's."""
    return asked if templates_key(asked) == digest else templates_folder()
