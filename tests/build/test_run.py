"""Worker processes and Dask: same bytes, and a job that dies costs no other."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator

import pytest
from beside import beside
from fake_stages import NAMES, bad_warm_up, jobs, render, told, warm_up
from served import runs, wait_until

from rulebook.build.run import (
    Answerer,
    Job,
    JobResult,
    Workers,
    perform,
    processors,
)


def pooled(made: list[Job], warm_up=warm_up) -> Iterator[JobResult]:
    """The results of two processes, which end with the last of them."""
    with Workers(render, warm_up, jobs=2) as workers:
        yield from workers.run(made)


def test_few_jobs_run_in_this_process(tmp_path):
    def processes(count: int, number: int | None) -> int:
        """How many there are after the first of so many jobs."""
        with Workers(render, warm_up, jobs=number) as workers:
            results = workers.run(jobs(tmp_path)[:count])
            next(results)
            return len(multiprocessing.active_children())

    assert processes(1, 8) == 0
    assert processes(5, 1) == 0
    assert processes(5, 2) == 2
    assert processes(3, 1_000_000) == 3, "no more than there are jobs"
    assert processes(5, None) == (min(5, processors()) if processors() > 1 else 0)
    assert not multiprocessing.active_children()


def test_a_process_with_other_work_renders_nothing_itself(tmp_path):
    with Workers(render, warm_up, jobs=2, other_work=True) as workers:
        assert list(told(workers.run(jobs(tmp_path)[:1])))
        assert len(multiprocessing.active_children()) == 1
    assert not multiprocessing.active_children()


def answer(question: str) -> object:
    if question == "die":
        os._exit(3)
    if question == "dawdle":
        time.sleep(3600)
    if question == "refuse":
        raise LookupError("no such thing")
    return os.getpid(), question


def test_questions_are_answered_in_one_process_that_may_end():
    answerer = Answerer(answer)
    try:
        (first, _), (again, said) = answerer.ask("a", 60), answerer.ask("b", 60)
        assert first == again != os.getpid() and said == "b"
        with pytest.raises(LookupError, match="no such thing"):
            answerer.ask("refuse", 60)
        assert answerer.ask("c", 60) == (first, "c")
        for question, seconds in (("dawdle", 0.05), ("die", 60)):
            with pytest.raises(TimeoutError):
                answerer.ask(question, seconds)
            assert answerer.ask("d", 60)[0] not in (first, os.getpid())
    finally:
        answerer.close()
    assert not multiprocessing.active_children()


def test_workers_stay_for_the_next_build(tmp_path):
    with Workers(render, warm_up, jobs=2) as workers:
        list(workers.run(jobs(tmp_path)))
        first = {process.pid for process in multiprocessing.active_children()}
        list(workers.run(jobs(tmp_path)[:1]))
        assert {process.pid for process in multiprocessing.active_children()} == first
    assert not multiprocessing.active_children()


def test_jobs_are_made_while_others_are_run(tmp_path):
    made = []

    def one_by_one():
        for job in jobs(tmp_path):
            made.append(job.number)
            yield job

    with Workers(render, warm_up, jobs=2) as workers:
        results = workers.run(one_by_one())
        next(results)
        assert len(made) == 3
        assert len(list(results)) == 4


def test_serial_and_pool_give_the_same(tmp_path):
    serial = [perform(render, job) for job in jobs(tmp_path)]
    both = list(pooled(jobs(tmp_path)))
    assert sorted(serial, key=lambda r: r.number) == sorted(both, key=lambda r: r.number)
    assert b"ok 0" in serial[0].rendered[0].data  # the day of no calendar


def test_only_the_guilty_job_fails(tmp_path):
    made = jobs(tmp_path, one="unpicklable", two="die", four="crash")
    assert told(pooled(made, warm_up)) == {
        0: "R703",
        1: "R701",
        2: "three-a4.pdf",
        3: "R703",
        4: "five-a4.pdf",
    }
    assert not multiprocessing.active_children()


def test_all_workers_die(tmp_path):
    fates = dict.fromkeys(NAMES, "die")
    assert set(told(pooled(jobs(tmp_path, **fates), warm_up)).values()) == {"R701"}


def test_a_worker_that_cannot_warm_up_leaves_the_telling_to_the_job(tmp_path):
    results = told(pooled(jobs(tmp_path, one="library"), bad_warm_up))
    assert results[0] == "R704"
    assert results[1] == "two-a4.pdf"


def test_stopping_leaves_no_worker(tmp_path):
    results = pooled(jobs(tmp_path), warm_up)
    next(results)
    assert multiprocessing.active_children()
    results.close()
    assert not multiprocessing.active_children()


_STOPPED = textwrap.dedent(beside(__file__, "stopped"))
_SLOW = textwrap.dedent(beside(__file__, "slow"))


@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_the_build(tmp_path, blow):
    (tmp_path / "stopped_jobs.py").write_text(_SLOW)
    (tmp_path / "stopped.py").write_text(_STOPPED)
    pids = tmp_path / "pids"
    pids.mkdir()
    path = os.pathsep.join([*map(str, [tmp_path]), *sys.path])
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "stopped.py")],
        env={**os.environ, "PYTHONPATH": path, "PIDS": str(pids)},
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: len(list(pids.iterdir())) == 2, "both workers have begun")
        process.send_signal(blow)
        process.wait(60)
        workers = [int(one.name) for one in pids.iterdir()]
        wait_until(lambda: not any(map(runs, workers)), "no worker is left")
    finally:
        process.kill()
        process.wait()


def test_two_builds_at_once(bench):
    """Each with half of the files: both stand in the manifest afterwards."""
    from threading import Thread

    bench.ruleset("acw", *(f"cone{n}|ok|cutouts/cone{n}.pdf" for n in range(20)))
    halves = [
        Thread(target=bench.build, kwargs={"only": (f"cutouts/cone{pattern}.pdf",)})
        for pattern in ("?", "1?")
    ]
    for half in halves:
        half.start()
    for half in halves:
        half.join()
    assert bench.build(render=None).written == ()
