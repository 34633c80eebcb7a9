"""The watch builds after each change and outlives every fault."""

from dataclasses import replace

import pytest
from fake_stages import Ear

from rulebook.build.building import build_on_change
from rulebook.build.plan import BuildRequest, NoSuchTarget


def test_faults_are_told_and_the_watch_goes_on(bench):
    bench.ruleset("acw", "qrs|ok")
    texts = ["fault", "qrs|crash", "qrs|new", "explode"]

    def changes(request):
        for text in texts:
            bench.ruleset("acw", text)
            yield text

    ear = Ear()
    request = BuildRequest((bench.content / "acw",), bench.templates, bench.out, jobs=1)
    build_on_change(lambda: request, ear, bench.content, changes=changes)
    assert [(len(o.written), len(o.failures)) for o in ear.outcomes] == [
        (3, 0),
        (0, 1),
        (0, 1),
        (3, 0),
        (0, 1),
    ]


def test_an_order_that_fails_later_is_told(bench):
    bench.ruleset("acw", "qrs|ok")
    request = BuildRequest((bench.content / "acw",), bench.templates, bench.out, jobs=1)
    orders = iter([request, replace(request, only=("nothing",)), request])
    ear = Ear()
    build_on_change(lambda: next(orders), ear, bench.content, changes=lambda _: [1, 2])
    assert [type(fault) for fault in ear.stops] == [NoSuchTarget]
    assert len(ear.outcomes) == 2


def test_the_first_order_must_hold(bench):
    bench.ruleset("acw", "qrs|ok")
    request = BuildRequest((bench.content / "acw",), bench.templates, bench.out, only=("nothing",))
    with pytest.raises(NoSuchTarget):
        build_on_change(lambda: request, Ear(), bench.content, changes=lambda _: [])
