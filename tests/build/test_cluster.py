"""Dask: the same bytes as here, and a cluster that fails is told and costs nothing."""

import gc
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import distributed
import fake_stages
import pytest
from fake_stages import jobs, render, told, warm_up

from rulebook.build import run
from rulebook.build.plan import CannotBuild
from rulebook.build.run import Workers, perform
from rulebook.packaged import templates_folder

TEMPLATES = templates_folder()


@pytest.fixture
def two() -> Iterator[distributed.LocalCluster]:
    """Two workers in processes of their own, which can import what the tests give them to do."""
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with distributed.LocalCluster(**options, dashboard_address=None) as local:
        with distributed.Client(local) as client:
            for path in (str(Path(fake_stages.__file__).parent), *sys.path):
                client.run(sys.path.append, path)
        yield local


def expected() -> dict[int, object]:
    return {result.number: result for result in (perform(render, job) for job in jobs(TEMPLATES))}


def test_a_cluster_that_loses_a_worker_gives_the_same_bytes(two):
    """One worker is killed by its job: that job alone fails."""
    made = jobs(TEMPLATES, two="die", three="crash")
    heard: list[str] = []
    with Workers(render, warm_up, jobs=1, cluster=two.scheduler_address, note=heard.append) as all_:
        results = list(all_.run(made))
    assert heard == [f"what the cluster at {two.scheduler_address} did not do is rendered here"]
    assert told(results) == {
        0: "one-a4.pdf",
        1: "R701",
        2: "R703",
        3: "four-a4.pdf",
        4: "five-a4.pdf",
    }
    serial = expected()
    assert all(result == serial[result.number] for result in results if not result.problems)


def test_what_is_done_is_kept_no_more(two):
    """Neither what was sent to the cluster nor what came back from it."""
    one = jobs(TEMPLATES)[0]
    held = []
    with Workers(render, warm_up, cluster=two.scheduler_address) as workers:
        for _ in workers.run(replace(one, number=n) for n in range(24)):
            gc.collect()
            (client,) = [kept for kept in clients() if not kept.scheduler_comm.comm.closed()]
            assert not client.scheduler_comm.recent_message_log
            held.append(len(client.futures))
    # Four on the way, the one that came last, and what each of both workers was asked twice.
    assert len(held) == 24 and max(held) <= 4 + 2 + 4


def clients() -> list[distributed.Client]:
    """Those of builds, which are of a kind of their own."""
    return [
        one
        for one in gc.get_objects()
        if isinstance(one, distributed.Client) and type(one) is not distributed.Client
    ]


def rendered_anyhow(address: str, heard: list[str]) -> bool:
    """Whether all is rendered as it would be here, whatever becomes of the cluster."""
    made = jobs(TEMPLATES)
    with Workers(render, warm_up, jobs=1, cluster=address, note=heard.append) as workers:
        results = list(workers.run(made))
    return {result.number: result for result in results} == expected()


def test_without_workers_the_rest_is_rendered_here(two, monkeypatch):
    monkeypatch.setattr(run, "PATIENCE", 2.0)
    two.scale(0)
    while two.scheduler_info["workers"]:
        time.sleep(0.1)
    heard: list[str] = []
    assert rendered_anyhow(two.scheduler_address, heard)
    assert heard == [f"what the cluster at {two.scheduler_address} did not do is rendered here"]


def test_workers_that_are_made_of_something_else_are_not_used(two, monkeypatch):
    needed = run.needed_for(TEMPLATES) | {"weasyprint": "1.0", "templates": "other"}
    monkeypatch.setattr(run, "needed_for", lambda templates: needed)
    heard: list[str] = []
    assert rendered_anyhow(two.scheduler_address, heard)
    assert len(heard) == 3 and heard[2].endswith("did not do is rendered here")
    for line in heard[:2]:
        assert "is not used: it has other templates, weasyprint" in line


def test_workers_without_rulebook_are_not_used(two, monkeypatch):
    with distributed.Client(two) as client:
        client.run(hide_rulebook)
    heard: list[str] = []
    assert rendered_anyhow(two.scheduler_address, heard)
    assert len(heard) == 3 and "it cannot run rulebook" in heard[0]


def hide_rulebook() -> None:
    for name in [name for name in sys.modules if name.startswith("rulebook")]:
        del sys.modules[name]
    sys.modules["rulebook"] = None  # type: ignore[assignment]


def test_without_dask_the_fault_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(CannotBuild, match=r"rulebook\[dask\]") as fault:
        list(Workers(render, warm_up, cluster="tcp://127.0.0.1:1").run(jobs(TEMPLATES)))
    assert fault.value.usage


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "tls://127.0.0.1:1", "nowhere", "x://y"])
def test_a_cluster_that_does_not_answer(capfd, monkeypatch, address):
    monkeypatch.setattr(run, "PATIENCE", 0.3)
    with pytest.raises(CannotBuild, match=r"no cluster answers|is no address") as fault:
        list(Workers(render, warm_up, cluster=address).run(jobs(TEMPLATES)))
    assert fault.value.usage == ("127" not in address)
    assert capfd.readouterr() == ("", "")
