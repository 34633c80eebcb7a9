"""What a watch that serves builds next, and what it tells open pages."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from beside import beside
from fake_stages import Ear, plan, use

from rulebook.build.building import build_on_change
from rulebook.build.demand import Demand, anchor_of_change
from rulebook.build.plan import BuildRequest
from rulebook.documents.document_kind import File

Step = Callable[[Demand], object]


def driven(bench, *steps: Step, request: Callable[[], BuildRequest] | None = None):
    """Takes each step when there is nothing left to build, and ends after the last.

    The answer are the demand, the ear, and what was built in each turn.
    """
    ear, turns, left = Ear(), [], list(steps)

    def plain() -> BuildRequest:
        folders = tuple(sorted(bench.content.iterdir()))
        return BuildRequest(folders, bench.templates, bench.out, jobs=1)

    demand = Demand(request or plain, ear, lambda: None)

    def changes(_: BuildRequest) -> Iterator[object]:
        turn = demand.turns()
        while True:
            with demand._changed:
                idle = (demand._urgent() or demand._other()) is None
            if idle and not left:
                return
            if idle:
                left.pop(0)(demand)
                turns.append("|")
                continue
            next(turn)
            made, of = " ".join(sorted(demand._turn.targets)), demand._turn.ruleset
            turns.append(made or (f"read {of}" if of else "index pages"))
            yield None

    build_on_change(demand.request, demand, bench.content, changes=changes)
    return demand, ear, turns


def save(bench, name: str, *lines: str) -> Step:
    def step(demand: Demand) -> None:
        bench.ruleset(name, *lines)
        demand.saved([bench.content / name / "text"])

    return step


def ask(path: str) -> Step:
    return lambda demand: demand.ask(path)


def look(path: str) -> Step:
    return lambda demand: demand.look_at(path)


def test_pages_are_made_before_what_was_never_made_and_nothing_twice(bench):
    bench.ruleset("acw", "qrs|ok|qrs-a4.pdf", "booklet|ok|booklet.html")
    bench.ruleset("zulu", "booklet|ok|booklet.html")
    _, _, turns = driven(bench)
    assert turns == [
        "read acw",
        "read zulu",
        "acw/2.0/booklet.html",
        "zulu/2.0/booklet.html",
        "acw/2.0/qrs-a4.pdf",
        "index pages",
    ]


def test_after_a_save_sheets_wait_until_they_are_asked_for(bench):
    bench.ruleset("acw", "qrs|ok|qrs-a4.pdf|qrs-letter.pdf", "booklet|ok|booklet.html")
    _, _, turns = driven(
        bench,
        save(bench, "acw", "qrs|new|qrs-a4.pdf|qrs-letter.pdf", "booklet|new|booklet.html"),
        ask("acw/2.0/qrs-letter.pdf"),
    )
    assert turns[turns.index("|") + 1 :] == [
        "read acw",
        "acw/2.0/booklet.html",
        "index pages",
        "|",
        "acw/2.0/qrs-letter.pdf",
        "index pages",
    ]
    assert bench.file("acw/2.0/qrs-letter.pdf").read_bytes().split()[1] == b"new"
    assert bench.file("acw/2.0/qrs-a4.pdf").read_bytes().split()[1] == b"ok"


def test_what_is_asked_for_comes_first_then_what_is_looked_at(bench):
    bench.ruleset("acw", "one|ok|one.html", "two|ok|two.html", "qrs|ok|qrs-a4.pdf")
    bench.ruleset("zulu", "one|ok|one.html", "two|ok|two.html")

    def all_at_once(demand: Demand) -> None:
        demand.look_at("zulu/2.0/two.html")
        save(bench, "zulu", "one|new|one.html", "two|new|two.html")(demand)
        demand.ask("acw/2.0/qrs-a4.pdf")

    _, _, turns = driven(bench, all_at_once)
    assert turns[turns.index("|") + 1 :] == [
        "acw/2.0/qrs-a4.pdf",
        "zulu/2.0/two.html",
        "read zulu",
        "read acw",
        "zulu/2.0/one.html",
        "acw/2.0/one.html",
        "acw/2.0/two.html",
        "index pages",
    ]


def test_index_pages_follow_each_document_while_one_is_open(bench):
    bench.ruleset("acw", "one|ok|one.html", "two|ok|two.html")
    _, _, turns = driven(
        bench, look("acw/index.html"), save(bench, "acw", "one|new|one.html", "two|ok|two.html")
    )
    pages = ["acw/2.0/one.html", "acw/2.0/two.html"]
    assert turns[: turns.index("|")] == ["read acw", *pages, "index pages"]
    assert turns[turns.index("|") + 2 :] == [
        *("index pages", "read acw"),
        *("index pages", "acw/2.0/one.html"),
        *("index pages", "acw/2.0/two.html"),
    ], "none after what has stayed the same"


def test_saves_in_a_row_are_built_once(bench):
    bench.ruleset("acw", "booklet|ok|booklet.html")

    def fifty(demand: Demand) -> None:
        demand.look_at("acw/2.0/booklet.html")
        for number in range(50):
            save(bench, "acw", f"booklet|{number}|booklet.html")(demand)

    demand, _, turns = driven(bench, fifty)
    assert turns[turns.index("|") + 1 :] == ["acw/2.0/booklet.html", "read acw", "index pages"]
    assert bench.file("acw/2.0/booklet.html").read_bytes().split()[1] == b"49"
    assert demand.state_of("acw/2.0/booklet.html")["saves"] == 50


def test_a_save_while_it_is_built_is_built_after_it(bench):
    bench.ruleset("acw", "booklet|ok|booklet.html")
    seen = []

    class Meddling(Ear):
        def wrote(self, path, entry, remark="") -> None:
            seen.append(bench.file(path).read_bytes().split()[1])
            if seen == [b"ok"]:
                save(bench, "acw", "booklet|new|booklet.html")(demand)

    request = BuildRequest((bench.content / "acw",), bench.templates, bench.out, jobs=1)
    demand = Demand(lambda: request, Meddling(), lambda: None)
    asked = demand.ask("acw/2.0/booklet.html")

    def until_made(_: BuildRequest) -> Iterator[object]:
        for turn in demand.turns():
            yield turn
            if demand.is_made("acw/2.0/booklet.html", asked + 1):
                return

    build_on_change(demand.request, demand, bench.content, changes=until_made)
    assert seen == [b"ok", b"new"]


def test_a_save_in_the_pause_after_a_page_comes_before_the_check(bench):
    bench.ruleset("acw", "booklet|ok|booklet.html")
    request = BuildRequest((bench.content / "acw",), bench.templates, bench.out, jobs=1)
    demand = Demand(lambda: request, Ear(), lambda: None)
    demand.look_at(PAGE)
    wait, left = demand._changed.wait, ["second", "first"]

    def save_instead(seconds: float | None) -> bool:
        if not left:
            return wait(seconds)
        save(bench, "acw", f"booklet|{left.pop()}|booklet.html")(demand)
        return True

    demand._changed.wait = save_instead
    turns = demand.turns()
    seen = []

    def until_checked(_: BuildRequest) -> Iterator[object]:
        while demand._known(PAGE).read < 2:
            yield next(turns)
            seen.append((bench.file(PAGE).read_bytes().split()[1], demand._turn.unchecked))

    build_on_change(demand.request, demand, bench.content, changes=until_checked)
    assert seen[-3:] == [(b"first", True), (b"second", True), (b"second", False)]


def faults_of(demand: Demand, page: str) -> list[str]:
    return [one["code"] for one in demand.state_of(page)["faults"]]


PAGE = "acw/2.0/booklet.html"


def test_faults_of_the_content_are_told_until_they_are_mended(bench):
    bench.ruleset("acw", "booklet|ok|booklet.html")
    bench.ruleset("zulu", "booklet|ok|booklet.html")
    found = []

    def note(demand: Demand) -> None:
        others = faults_of(demand, "zulu/2.0/booklet.html"), faults_of(demand, "index.html")
        found.append((faults_of(demand, PAGE), *others, demand.fails(PAGE)))

    whole = "booklet|ok|booklet.html"
    demand, ear, _ = driven(
        *(bench, note, save(bench, "acw", "fault"), note, save(bench, "acw", "fault"), note),
        *(save(bench, "acw", whole), note),
    )
    assert found == [
        ([], [], [], False),
        (["R301"], [], ["R301"], True),
        (["R301"], [], ["R301"], True),
        ([], [], [], False),
    ]
    failures = [one for outcome in ear.outcomes for one in outcome.failures]
    assert [one.problems[0].code for one in failures] == ["R301"], (
        "what is told once need not be told after every save"
    )
    assert demand.is_made(PAGE, 3)


def test_a_document_that_fails_is_told_until_it_is_made(bench):
    bench.ruleset("acw", "booklet|ok|booklet.html", "qrs|fault|qrs-a4.pdf")
    found = []

    def note(demand: Demand) -> None:
        found.append((faults_of(demand, PAGE), demand.fails("acw/2.0/qrs-a4.pdf")))

    mended = ("booklet|ok|booklet.html", "qrs|ok|qrs-a4.pdf")
    broken = ("booklet|ok|booklet.html", "qrs|fault|qrs-a4.pdf")
    driven(
        *(bench, note, look(PAGE), note, save(bench, "acw", *mended), note),
        *(save(bench, "acw", *broken), ask("acw/2.0/qrs-a4.pdf"), note),
        *(save(bench, "acw", *mended), note),
    )
    told, well = (["R601"], True), ([], False)
    assert found == [told, told, well, told, well]


def test_what_changes_on_other_pages_is_told(bench):
    bench.ruleset("acw", "booklet|ok|booklet.html", "qrs|ok|qrs.html")
    told = []
    demand, _, _ = driven(
        *(bench, look(PAGE)),
        save(bench, "acw", "booklet|ok|booklet.html", "qrs|new|qrs.html"),
        lambda demand: told.append(demand.state_of(PAGE)),
        save(bench, "acw", "booklet|ok|booklet.html", "qrs|new|qrs.html", "x|ok|x.html"),
    )
    assert told[0]["elsewhere"] == [{"href": "/acw/2.0/qrs.html", "title": "Qrs"}]
    assert told[0]["saved"] == ["text"] and told[0]["current"]
    now = demand.state_of(PAGE)
    assert now["elsewhere"] == [], "a page that is new is no page that has changed"
    assert now["page"] == told[0]["page"]


def test_a_request_that_fails_later_costs_no_page_that_was_made(bench):
    bench.ruleset("acw", "booklet|ok|booklet.html")
    requests = [BuildRequest((bench.content / "acw",), bench.templates, bench.out, jobs=1)]

    def request() -> BuildRequest:
        if not requests:
            raise LookupError("no content folder")
        return requests.pop()

    demand, ear, _ = driven(bench, lambda demand: demand.saved([Path("x")]), request=request)
    assert [str(one) for one in ear.stops] == ["no content folder"]
    assert demand.is_made(PAGE, 1)


def test_a_file_of_no_ruleset_is_not_waited_for(bench):
    bench.ruleset("acw", "booklet|ok|booklet.html")
    demand, _, turns = driven(bench, ask("acw/2.0/nothing.pdf"))
    known = ["read acw", "acw/2.0/booklet.html", "index pages"]
    assert turns == [*known, "|"], "it is known that there is none"
    assert demand.is_made("acw/2.0/nothing.pdf", 0) and not demand.is_target("acw/2.0/nothing.pdf")
    assert not demand.is_of_ruleset("other/2.0/booklet.html")


def test_what_has_nothing_to_tell_is_looked_at_once_after_a_save(bench):
    bench.ruleset("acw", "booklet|ok|booklet.html", "notes|empty|notes.pdf")
    whole = ("booklet|ok|booklet.html", "notes|empty|notes.pdf")
    _, _, turns = driven(bench, save(bench, "acw", *whole))
    once = ["read acw", "acw/2.0/booklet.html", "acw/2.0/notes.pdf", "index pages"]
    assert turns == [*once, "|", *once]


def test_a_file_that_was_taken_away_is_made_again_when_it_is_asked_for(bench):
    bench.ruleset("acw", "qrs|ok|qrs-a4.pdf", "booklet|ok|booklet.html")

    def take_away(demand: Demand) -> None:
        bench.file("acw/2.0/qrs-a4.pdf").unlink()

    _, _, turns = driven(bench, take_away, ask("acw/2.0/qrs-a4.pdf"))
    assert turns[-3:] == ["|", "acw/2.0/qrs-a4.pdf", "index pages"]
    assert bench.file("acw/2.0/qrs-a4.pdf").is_file()


def test_pictures_of_sheets_are_made_with_the_sheets(bench, monkeypatch):
    def with_picture(ruleset, *_):
        made = plan(ruleset)
        (sheet,) = made[0].document.files
        picture = File("thumbnails/qrs.png", "png", shows=sheet.path)
        document = replace(made[0].document, files=(sheet, picture))
        return [replace(made[0], document=document), *made[1:]]

    bench.ruleset("acw", "qrs|ok|qrs-a4.pdf")
    sheet, picture = "acw/2.0/qrs-a4.pdf", "acw/2.0/thumbnails/qrs.png"
    certain = []
    use(monkeypatch, plan=with_picture)
    _, _, turns = driven(
        *(bench, save(bench, "acw", "qrs|new|qrs-a4.pdf"), ask(picture)),
        lambda demand: certain.append((demand.is_made(picture, 1), demand.is_made(sheet, 1))),
        ask(sheet),
    )
    both = f"{sheet} {picture}"
    once = ["read acw", both, "index pages"]
    assert turns == [*once, "|", "read acw", "index pages", "|", "|", "|", both, "index pages"]
    assert certain == [(True, False)]


def test_the_way_in_is_made_also_where_no_ruleset_is(bench):
    bench.content.mkdir()
    demand, _, _ = driven(bench, lambda demand: demand.saved([Path("x")]))
    assert demand.is_made("index.html", 1)


def test_who_waits_is_let_go_at_the_end(bench):
    bench.ruleset("acw", "booklet|ok|booklet.html")
    demand, _, _ = driven(bench)
    save(bench, "acw", "fault")(demand)
    asked = demand.ask(PAGE)
    assert not demand.is_made(PAGE, asked)
    demand.end()
    assert demand.is_made(PAGE, asked) and not list(demand.turns())


@pytest.mark.parametrize(
    ("before", "now", "anchor"), beside(__file__, "a_change_is_found_by_the_id_before_it")
)
def test_a_change_is_found_by_the_id_before_it(before, now, anchor):
    assert anchor_of_change(before.encode(), now.encode()) == anchor
