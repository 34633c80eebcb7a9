"""A build from end to end, with fakes for loading and rendering: what is written, what is not."""

import gc
import json
import os
import weakref
from dataclasses import replace
from pathlib import Path
from time import process_time

import fake_stages
import pytest
from beside import beside, written
from fake_stages import Ear
from frozen import change

from rulebook.build.building import build_on_change
from rulebook.build.edition import recall_edition
from rulebook.build.plan import BuildRequest, CannotBuild
from rulebook.build.stale import edition_key, templates_key
from rulebook.cache import open_cache
from rulebook.problems import Span

QRS = ["qrs-a4.pdf", "qrs-letter.pdf", "qrs.html"]


def printed(bench) -> list[dict[str, object]]:
    """What the manifest lists."""
    return json.loads(bench.file("acw/2.0/manifest.json").read_bytes())["files"]


def codes(outcome) -> list[str]:
    return [problem.code for failure in outcome.failures for problem in failure.problems]


def test_first_build_writes_everything(bench):
    outcome = bench.built("acw", "qrs|ok", "booklet|ok|booklet-a5.pdf")
    assert outcome.ok
    assert outcome.written == (*(f"acw/2.0/{path}" for path in QRS), "acw/2.0/booklet-a5.pdf")
    assert bench.ear.reasons["acw/2.0/qrs-a4.pdf"] == "new"
    assert bench.file("acw/2.0/qrs-a4.pdf").read_bytes() == b"qrs-a4.pdf ok 0"
    assert bench.file("index.html").is_file()


def test_second_build_renders_nothing(bench):
    """Though what was read and what was written has been touched since."""
    bench.built("acw", "qrs|ok")
    (bench.content / "acw" / "text").touch()
    bench.file("acw/2.0/qrs-a4.pdf").touch()
    before = {path: bench.file(f"acw/2.0/{path}").stat().st_mtime_ns for path in QRS}
    manifest = bench.file("acw/2.0/manifest.json").stat().st_mtime_ns
    outcome = bench.build(render=None)
    assert outcome.written == ()
    assert outcome.unchanged == tuple(f"acw/2.0/{path}" for path in QRS)
    assert {path: bench.file(f"acw/2.0/{path}").stat().st_mtime_ns for path in QRS} == before
    assert bench.file("acw/2.0/manifest.json").stat().st_mtime_ns == manifest


def test_manifest_is_the_documented_form(bench):
    bench.built("acw", "qrs|ok")
    manifest = json.loads(bench.file("acw/2.0/manifest.json").read_text())
    assert {key: manifest[key] for key in ("ruleset", "title", "edition", "date")} == written(
        "{ruleset: acw, title: The acw, edition: 2.0, date: 2010-07-16}"
    )
    assert [entry["path"] for entry in manifest["files"]] == sorted(QRS)
    first = manifest["files"][0]
    names = "path kind title format paper ink imposition pages sha256 fingerprint bytes"
    assert list(first) == names.split()
    assert (first["paper"], first["ink"], first["pages"]) == ("a4", "full", 2)
    assert manifest["files"][2]["paper"] is None
    assert first["bytes"] == len(b"qrs-a4.pdf ok 0")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda b: b.ruleset("acw", "qrs|other"), "view changed"),
        (
            lambda b: (b.templates / "qrs.html.j2").write_text("two"),
            "template changed: qrs.html.j2",
        ),
        (lambda b: (b.templates / "fonts").write_text("two"), "changed: fonts"),
    ],
)
def test_what_changes_is_rendered_and_told(bench, change, reason):
    bench.built("acw", "qrs|ok")
    change(bench)
    bench.build()
    assert set(bench.ear.reasons.values()) == {reason}
    assert len(bench.ear.written) == 3


def test_lost_and_changed_files_are_written_again(bench):
    bench.built("acw", "qrs|ok")
    bench.file("acw/2.0/qrs-a4.pdf").unlink()
    bench.file("acw/2.0/qrs.html").write_text("scribbled")
    outcome = bench.build()
    assert bench.ear.reasons == {
        "acw/2.0/qrs-a4.pdf": "file missing",
        "acw/2.0/qrs.html": "file changed since it was written",
    }
    assert outcome.unchanged == ("acw/2.0/qrs-letter.pdf",)
    assert bench.file("acw/2.0/qrs.html").read_bytes() == b"qrs.html ok 0"


def test_what_has_no_room_is_told_once_at_its_place_printed_and_remembered(bench):
    folder = bench.ruleset("acw", "qrs|crowded")
    cache = open_cache(bench.out.parent / "cache")
    assert bench.build(cache=cache).ok
    assert bench.ear.notes == ["map:1:1: warning[R475]: no room"]
    key = edition_key(folder, cache, (), None)
    known = recall_edition(cache, key, templates_key(bench.templates))
    ((name, (warning,)),) = known.unprinted.items()
    assert (name, warning.code, str(warning.span)) == ("qrs", "R475", "map:1:1")


@pytest.mark.parametrize(
    ("fate", "code"), beside(__file__, "a_failed_target_costs_no_other_and_keeps_its_file")
)
def test_a_failed_target_costs_no_other_and_keeps_its_file(bench, fate, code):
    bench.built("acw", "qrs|ok", "booklet|ok", "cone|ok")
    earlier = bench.file("acw/2.0/qrs-a4.pdf").read_bytes()
    listed = [entry for entry in printed(bench) if entry["kind"] == "qrs"]
    outcome = bench.built("acw", f"qrs|{fate}", "booklet|new", "cone|ok")
    assert not outcome.ok
    assert codes(outcome) == [code]
    assert outcome.failed == tuple(f"acw/2.0/{path}" for path in QRS)
    assert len(outcome.written) == 3
    assert bench.file("acw/2.0/qrs-a4.pdf").read_bytes() == earlier
    assert [entry for entry in printed(bench) if entry["kind"] == "qrs"] == listed
    # The earlier file is still stale, so the next build tries again.
    assert bench.build().failed == outcome.failed


def test_failures_come_in_the_order_of_the_content(bench):
    bench.ruleset("a", "qrs|fault", "booklet|crash")
    bench.ruleset("b", "qrs|ok")
    bench.ruleset("c", "qrs|fault")
    outcome = bench.built("d", "fault")
    assert [failure.name for failure in outcome.failures] == [
        "a/2.0/qrs",
        "a/2.0/booklet",
        "c/2.0/qrs",
        "d",
    ]
    assert outcome.written == tuple(f"b/2.0/{path}" for path in QRS)


@pytest.mark.parametrize(
    ("text", "code", "trace"), [("fault", "R301", ""), ("explode", "R703", "ZeroDivisionError")]
)
def test_nothing_is_built_of_a_ruleset_with_faults(bench, text, code, trace):
    """Those of the program are told with what leads to them."""
    bench.ruleset("acw", text)
    outcome = bench.built("good", "qrs|ok")
    (failure,) = outcome.failures
    assert failure.nothing_built and failure.problems[0].code == code
    assert trace in failure.trace and bool(trace) == bool(failure.trace)
    assert not bench.file("acw").exists()
    assert len(outcome.written) == 3


@pytest.mark.parametrize("garbage", [b"", b"{", b"[]", b'{"files": 3}', b"\x00\xff", b"[" * 100000])
def test_a_broken_manifest_is_as_none(bench, garbage):
    bench.built("acw", "qrs|ok")
    bench.file("acw/2.0/manifest.json").write_bytes(garbage)
    bench.file("acw/2.0/.ledger.json").write_bytes(garbage)
    assert len(bench.build().written) == 3
    assert bench.build().written == ()


def test_a_manifest_that_leads_outside_is_as_none(bench):
    bench.built("acw", "qrs|ok")
    victim = bench.out.parent / "victim"
    victim.write_text("mine")
    change(bench.file("acw/2.0/manifest.json"), "qrs.html", "../../../victim")
    bench.build()
    assert victim.read_text() == "mine"


def test_files_that_are_targets_no_longer_go(bench):
    cone, burst = "cone|ok|cutouts/true/cone-a4.pdf", "burst|ok|cutouts/burst.html"
    bench.built("acw", "qrs|ok", cone, burst)
    bench.file("acw/2.0/mine.txt").write_text("kept")
    bench.file("acw/2.0/cutouts/burst.html").write_text("changed by hand")
    outcome = bench.built("acw", "qrs|ok")
    assert outcome.removed == ("acw/2.0/cutouts/true/cone-a4.pdf",)
    assert not bench.file("acw/2.0/cutouts/true").exists()
    assert bench.files() == [
        "acw/2.0/cutouts/burst.html",
        "acw/2.0/mine.txt",
        *(f"acw/2.0/{path}" for path in QRS),
    ]
    assert len(printed(bench)) == 3


def test_a_build_of_a_part_removes_nothing_and_keeps_the_manifest(bench):
    bench.ruleset("old", "qrs|ok")
    bench.built("acw", "qrs|ok", "cone|ok|cutouts/cone-a4.pdf")
    folder = bench.ruleset("acw", "qrs|new")
    outcome = bench.build(only=("qrs-a4*",), folders=(folder,))
    assert (outcome.written, outcome.removed) == (("acw/2.0/qrs-a4.pdf",), ())
    assert len(printed(bench)) == 4
    assert bench.file("old/2.0/qrs-a4.pdf").is_file()


@pytest.mark.parametrize(("choice", "paths"), beside(__file__, "filters"))
def test_filters(bench, choice, paths):
    bench.ruleset("acw", "qrs|ok", "booklet|ok")
    assert sorted(bench.build(**choice).written) == [f"acw/2.0/{path}" for path in paths]


@pytest.mark.parametrize(
    ("choice", "said"), beside(__file__, "a_filter_that_matches_nothing_is_wrong_usage")
)
def test_a_filter_that_matches_nothing_is_wrong_usage(bench, choice, said):
    bench.ruleset("acw", "qrs|ok")
    with pytest.raises(CannotBuild, match=said):
        bench.build(**choice)
    assert bench.files() == []


def test_a_filter_may_mean_what_is_in_a_ruleset_with_faults(bench):
    bench.ruleset("acw", "fault")
    bench.ruleset("good", "qrs|ok")
    outcome = bench.build(only=("booklet-*",))
    assert [failure.name for failure in outcome.failures] == ["acw"]
    assert outcome.written == ()


def test_the_offset_of_a_printer_is_for_what_is_printed_back_to_back_and_for_nothing_else(bench):
    bench.built("acw", "qrs|ok", "cards|ok|cards-a4.pdf")
    seen = {}

    def render(composed, templates, wanted, cache):
        seen[composed.kind] = getattr(composed.view, "offset", None)
        return fake_stages.render(composed, templates, wanted, cache)

    outcome = bench.build(offset=(1.0, -0.5), render=render)
    assert seen == {"cards": (1.0, -0.5)}
    assert outcome.written == ("acw/2.0/cards-a4.pdf",)
    assert bench.build(offset=(1.0, -0.5)).written == ()
    assert bench.build().written == ("acw/2.0/cards-a4.pdf",), "without it they are made again"


def test_a_file_where_the_folder_of_the_ruleset_should_be(bench):
    bench.ruleset("acw", "qrs|ok")
    bench.ruleset("good", "qrs|ok")
    bench.out.mkdir()
    bench.file("acw").write_text("a file")
    outcome = bench.build()
    assert codes(outcome) == ["R702"]
    assert outcome.failed == tuple(f"acw/2.0/{path}" for path in QRS)
    assert len(outcome.written) == 3


def test_a_folder_where_a_file_should_be(bench):
    bench.ruleset("acw", "qrs|ok")
    bench.file("acw/2.0/qrs-a4.pdf/inside").mkdir(parents=True)
    outcome = bench.build()
    assert codes(outcome) == ["R702"]
    assert outcome.written == ("acw/2.0/qrs-letter.pdf", "acw/2.0/qrs.html")
    assert outcome.failed == ("acw/2.0/qrs-a4.pdf",)
    assert not list(bench.out.rglob("*.part"))


def test_what_a_killed_build_left_is_swept(bench):
    """Only what is ours, and so old that nobody writes it any more."""
    bench.built("acw", "qrs|ok", "cone|ok|cutouts/cone.pdf")
    folders = [bench.out, bench.file("acw"), bench.file("acw/2.0"), bench.file("acw/2.0/cutouts")]
    ours, young = f".rulebook-{'0a' * 8}.part", f".rulebook-{'0b' * 8}.part"
    others = [".rulebook-mine.part", "film.part", f".rulebook-{'0a' * 8}.part.bak"]
    for folder in folders:
        for name in (ours, young, *others):
            (folder / name).write_bytes(b"half")
            if name != young:
                os.utime(folder / name, (0, 0))
    link = bench.file(f"acw/2.0/.rulebook-{'0c' * 8}.part")
    link.symlink_to(bench.file("acw/2.0/qrs-a4.pdf"))
    bench.build()
    for folder in folders:
        assert not (folder / ours).exists(), folder
        assert all((folder / name).exists() for name in (young, *others)), folder
    assert link.is_symlink()


def test_a_full_disk_leaves_the_earlier_file_and_no_rubbish(bench, monkeypatch):
    bench.built("acw", "qrs|ok")
    bench.ruleset("acw", "qrs|new")

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    outcome = bench.build()
    assert set(codes(outcome)) == {"R702"}
    assert "no space left" in outcome.failures[0].problems[0].message
    assert bench.file("acw/2.0/qrs-a4.pdf").read_bytes() == b"qrs-a4.pdf ok 0"
    assert not list(bench.out.rglob("*.part"))


def test_an_output_folder_that_is_a_file_or_may_not_be_written(bench, monkeypatch):
    bench.out.write_text("a file")
    assert codes(bench.built("acw", "qrs|ok")) == ["R702"]
    assert bench.out.read_text() == "a file"
    bench.out.unlink()
    monkeypatch.setattr("os.access", lambda *_: False)  # the tests may run as root, who may all
    assert codes(bench.build(render=None)) == ["R702"]


def test_names_in_any_script(bench):
    outcome = bench.built("acw", "qrs|ok|Schützenlinie “½” 戦.pdf")
    assert outcome.ok
    assert bench.build().unchanged == ("acw/2.0/Schützenlinie “½” 戦.pdf",)


@pytest.mark.parametrize(
    "paths", ["../x.pdf", "/tmp/x.pdf", "a/../../x.pdf", "a\\..\\x.pdf", "", "a.pdf|a.pdf"]
)
def test_targets_outside_of_their_folder_or_of_one_name_are_faults_of_the_program(bench, paths):
    outcome = bench.built("acw", f"qrs|ok|{paths}")
    assert outcome.failures[0].problems[0].code == "R703"
    assert bench.files() == []


def test_stopping_half_way_records_what_is_written(bench):
    bench.ruleset("acw", "qrs|ok", "booklet|ok", "cone|ok")
    heard = []

    def wrote(path, entry):
        heard.append(path)
        if len(heard) == 4:
            raise KeyboardInterrupt

    original = type(bench.ear).wrote
    try:
        type(bench.ear).wrote = lambda self, path, entry, told: wrote(path, entry)
        with pytest.raises(KeyboardInterrupt):
            bench.build()
    finally:
        type(bench.ear).wrote = original
    assert len(printed(bench)) == 4
    assert len(bench.build().written) == 5


def test_an_index_that_cannot_be_made_costs_no_file(bench):
    def render_template(name, view, templates):
        raise LookupError(name)

    bench.ruleset("acw", "qrs|ok")
    outcome = bench.build(render_template=render_template)
    assert [failure.name for failure in outcome.failures] == ["index.html"]
    assert len(outcome.written) == 3


def test_sheets_are_printed_first_and_of_each_kind_the_longest(bench):
    """The next ruleset is opened only when the sheets of the first are printed."""
    cache, opened = open_cache(bench.out.parent / "cache"), {}

    def render(composed, *rest):
        until = process_time() + {"cone": 0.1}.get(composed.name, 0)
        while process_time() < until:
            pass
        return fake_stages.render(composed, *rest)

    def load(folder, *_, **_how):
        opened[folder.name] = list(bench.ear.written)
        return fake_stages.load(folder)

    for fate in ("ok", "new"):
        lines = (f"{name}|{fate}|{name}.pdf" for name in ("stick", "cone", "cards", "qrs"))
        bench.ruleset("acw", *lines)
        bench.ruleset("other", f"booklet|{fate}|booklet.pdf", f"qrs|{fate}|qrs.pdf")
        bench.build(cache=cache, render=render, load=load)
        assert opened == {"acw": [], "other": ["acw/2.0/qrs.pdf"]}
    assert bench.ear.written == [
        *("acw/2.0/qrs.pdf", "other/2.0/qrs.pdf", "other/2.0/booklet.pdf"),
        *("acw/2.0/cards.pdf", "acw/2.0/cone.pdf", "acw/2.0/stick.pdf"),
    ]


def test_with_a_cache_nothing_is_read_again(bench):
    bench.ruleset("acw", "qrs|ok", "booklet|ok")
    cache = open_cache(bench.out.parent / "cache")
    bench.build(cache=cache)
    nothing = dict.fromkeys(("load", "compute", "plan", "render", "ingredients"))
    outcome = bench.build(cache=cache, **nothing)
    assert outcome.ok and outcome.written == ()
    assert len(outcome.unchanged) == 6


def test_files_come_from_the_cache_to_another_folder(bench, tmp_path):
    bench.ruleset("acw", "qrs|ok")
    cache = open_cache(tmp_path / "cache")
    bench.build(cache=cache)
    outcome = bench.build(cache=cache, out=tmp_path / "elsewhere", render=None)
    assert len(outcome.written) == 3
    for path in QRS:
        twin = tmp_path / "elsewhere" / "acw" / "2.0" / path
        assert twin.read_bytes() == bench.file(f"acw/2.0/{path}").read_bytes()


def test_what_is_planned_and_has_nothing_to_tell_is_no_file(bench, tmp_path):
    bench.ruleset("acw", "qrs|ok", "booklet|empty", "cone|ok|one.pdf")
    bench.build(cache=open_cache(tmp_path / "cache"))
    assert bench.files() == ["acw/2.0/one.pdf", *(f"acw/2.0/{path}" for path in QRS)]
    nothing = dict.fromkeys(("load", "plan", "render"))
    again = bench.build(cache=open_cache(tmp_path / "cache"), **nothing)
    assert again.ok and len(again.unchanged) == 4


def test_neither_source_removes_what_the_other_printed(bench):
    """A working copy and the released edition of its number print into one folder."""
    copy = bench.ruleset("acw", "qrs|ok|qrs.pdf", "map|ok|scenarios/map.pdf")
    bench.build()
    released = copy / "releases" / "2.0.json"
    released.parent.mkdir()
    released.write_text("")

    def load(source, *_, **_how):
        loaded = fake_stages.load(copy)
        if source == released:
            text = loaded.ruleset.places[("text",)].path.splitlines()[0]
            return replace(loaded, ruleset=replace(loaded.ruleset, places={("text",): Span(text)}))
        return loaded

    assert bench.build(folders=(released,), load=load).removed == ()
    assert bench.file("acw/2.0/scenarios/map.pdf").is_file()
    bench.ruleset("acw", "qrs|ok|qrs.pdf")
    assert bench.build(folders=(copy,), load=load).removed == ("acw/2.0/scenarios/map.pdf",)


def test_a_document_that_cannot_be_composed_keeps_its_files(bench, tmp_path):
    """Neither is it taken for one with nothing to tell by the next build."""
    bench.ruleset("acw", "qrs|ok", "booklet|ok")
    cache = open_cache(tmp_path / "cache")
    bench.build(cache=cache)
    bench.ruleset("acw", "qrs|new", "booklet|new")

    def ingredients(composed, templates):
        if composed.name == "qrs":
            raise FileNotFoundError("no styles")
        return fake_stages.ingredients(composed, templates)

    outcome = bench.build(cache=cache, ingredients=ingredients)
    assert [failure.name for failure in outcome.failures] == ["acw/2.0/qrs"]
    assert outcome.failed == tuple(f"acw/2.0/{path}" for path in QRS)
    assert (len(outcome.written), outcome.removed) == (3, ())
    assert bench.file("acw/2.0/qrs-a4.pdf").read_bytes() == b"qrs-a4.pdf ok 0"
    assert bench.build(cache=cache).written == tuple(f"acw/2.0/{path}" for path in QRS)


@pytest.fixture
def two_together(monkeypatch):
    monkeypatch.setattr("rulebook.build.building.TOGETHER", 2)


def many(bench, number: int = 7) -> list[str]:
    """Rulesets of which the third has a fault, and the fifth a document that fails."""
    for place in range(number):
        lines = {2: ["fault"], 4: ["qrs|fault", "cards|ok"]}.get(place, ["qrs|ok", "cards|ok"])
        bench.ruleset(f"game-{place}", *lines)
    return sorted(path.name for path in bench.content.iterdir())


@pytest.mark.parametrize("jobs", [1, 2])
def test_many_rulesets_are_built_some_after_others_as_all_together(bench, monkeypatch, jobs):
    many(bench)
    whole = bench.build()
    manifests = {path: path.read_bytes() for path in bench.out.rglob("manifest.json")}
    monkeypatch.setattr("rulebook.build.building.TOGETHER", 2)
    apart = bench.build(out=bench.out.with_name("apart"), jobs=jobs)
    for name in ("written", "failed"):
        assert getattr(apart, name) == getattr(whole, name)
    assert codes(apart) == codes(whole)
    for path, data in manifests.items():
        assert (bench.out.with_name("apart") / path.relative_to(bench.out)).read_bytes() == data


@pytest.mark.usefixtures("two_together")
def test_only_what_is_open_is_in_memory(bench):
    many(bench, 12)
    alive: list[weakref.ref] = []
    most = []

    def load(folder, *_, **_how):
        loaded = fake_stages.load(folder)
        if loaded.ruleset is not None:
            alive.append(weakref.ref(loaded.ruleset))
        gc.collect()
        most.append(sum(one() is not None for one in alive))
        return loaded

    def plan(ruleset, *_):
        return [
            replace(one, view=lambda one=one, ruleset=ruleset: one.view())
            for one in fake_stages.plan(ruleset)
        ]

    outcome = bench.build(load=load, plan=plan)
    assert codes(outcome) == ["R301", "R601"]
    # Those of a group, and of the one before it those that are still rendered.
    assert 2 <= max(most) <= 4


@pytest.mark.usefixtures("two_together")
def test_what_is_complete_is_recorded_where_a_build_is_stopped_later(bench):
    many(bench)

    def load(folder, *_, **_how):
        if folder.name == "game-5":
            raise KeyboardInterrupt
        return fake_stages.load(folder)

    with pytest.raises(KeyboardInterrupt):
        bench.build(load=load)
    assert bench.file("game-0/2.0/manifest.json").is_file()
    assert bench.file("index.html").is_file()
    again = bench.build()
    assert set(again.unchanged) >= {f"game-0/2.0/{path}" for path in QRS}
    assert again.written


@pytest.mark.usefixtures("two_together")
def test_a_filter_looks_at_all_of_many_rulesets_before_it_matches_nothing(bench):
    for place in range(5):
        bench.ruleset(f"game-{place}", "qrs|ok")
    assert bench.build(only=("game-4/*.html",)).written == ("game-4/2.0/qrs.html",)
    with pytest.raises(CannotBuild, match="no file matches 'qsr'"):
        bench.build(only=("qsr",))


# A watch


def watch(bench, *requests, changes) -> Ear:
    """What is heard of builds after each change, with requests one after another."""
    ear, left = Ear(), iter(requests)
    build_on_change(lambda: next(left), ear, bench.content, changes=lambda _: changes)
    return ear


def test_a_watch_tells_faults_of_content_and_of_later_requests_and_goes_on(bench):
    folder = bench.ruleset("acw", "qrs|ok")
    request = BuildRequest((folder,), bench.templates, bench.out, jobs=1)
    nothing = replace(request, only=("nothing",))
    texts = ("fault", "qrs|crash", "qrs|new", "qrs|new", "explode")
    requests = (request, request, request, request, nothing, request)
    ear = watch(bench, *requests, changes=(bench.ruleset("acw", text) for text in texts))
    counts = [(len(outcome.written), len(outcome.failures)) for outcome in ear.outcomes]
    assert counts == [(3, 0), (0, 1), (0, 1), (3, 0), (0, 1)]
    assert [type(fault) for fault in ear.stops] == [CannotBuild]
    with pytest.raises(CannotBuild):
        watch(bench, replace(nothing, folders=(bench.ruleset("acw", "qrs|ok"),)), changes=[])
