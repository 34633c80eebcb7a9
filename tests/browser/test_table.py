"""The page for the table in a browser: dice, the roster, by keyboard alone, and offline."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from in_browser import DESKTOP, TELEPHONE, WIDTHS, OpenPage, flaws, opener, tab_to
from playwright.sync_api import Browser, Download, Page, expect
from shipped_rulesets import shipped
from small_rulesets import ruleset_of

from rulebook.core.play import roll
from rulebook.documents.at_table import MANIFEST, PAGE, WORKER, plan_at_table
from rulebook.documents.catalogue import identity_of, render
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import templates_folder

#: The edition of which most tests are.
ACW = f"acw/2.1/{PAGE}"
#: What a thumb hits, in px.
TOUCH = 44
#: How much higher the sheet of a procedure is than what is seen of it, its scrolling part aside.
_ROOM = "(sheet => sheet.scrollHeight - sheet.clientHeight)(document.querySelector('.sheet'))"


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page(ACW, size=TELEPHONE)


def view(page: Page, name: str) -> None:
    page.locator(f".tabs a[href='#{name}']").click()


def results(page: Page) -> dict[str, str]:
    lines = page.locator(".outcome p").all()
    return {one.locator("span").inner_text(): one.locator("b").inner_text() for one in lines}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_fault_of_axe_and_no_sideways_scroll(open_page, scheme):
    page = open_page(ACW, size=TELEPHONE, color_scheme=scheme)
    assert flaws(page, WIDTHS) == []
    view(page, "dice")
    page.locator("#dice button.roll").first.click()
    page.locator("button.throw").click()
    page.locator("button.own").click()
    assert flaws(page, WIDTHS) == []
    page.keyboard.press("Escape")
    assert flaws(page) == []
    view(page, "roster")
    page.get_by_role("button", name="Add units").click()
    for one in page.locator(".choices button").all():
        one.click()
    assert flaws(page) == []
    page.keyboard.press("Escape")
    page.locator("summary").first.click()
    assert flaws(page, WIDTHS) == []


def test_every_procedure_can_be_rolled(open_page):
    procedures = shipped("acw").procedures
    page = open_page(ACW, size=TELEPHONE, reduced_motion="reduce")
    view(page, "dice")
    buttons = page.locator("#dice button.roll")
    assert {one.get_attribute("data-procedure") for one in buttons.all()} == set(procedures)
    for button in buttons.all():
        name = button.get_attribute("data-procedure")
        button.click()
        procedure = procedures[name or ""]
        expect(page.locator("#sheet-title")).to_have_text(procedure.title)
        for _ in range(2):
            page.locator("button.throw").click()
            shown = page.locator(".outcome p").count()
            refused = page.locator(".outcome .refused").count()
            assert shown == (1 if refused else len(procedure.result)), name
            assert refused or page.locator(".steps li").count(), name
            facts = page.locator(".steps .fact").all_inner_texts()
            assert [one for one in facts if not re.match(r"= |[A-Z0-9].*: ", one)] == [], name
            assert page.evaluate(_ROOM) == 0, f"{name}: the sheet scrolls, not what is in it"
        page.keyboard.press("Escape")
    shown = page.locator("#turn ol.procedure + p.roll button").count()
    assert shown == page.locator("#turn ol.procedure").count(), "beside each procedure of the turn"


def test_the_way_back_is_shown_only_where_there_is_one(open_page, site, tmp_path):
    back = open_page(ACW, size=TELEPHONE).get_by_role("link", name="Overview")
    expect(back).to_be_visible()
    back.click()
    expect(back.page).to_have_url((site / "acw" / "index.html").resolve().as_uri())
    kept = tmp_path / "table.html"
    kept.write_bytes((site / ACW).read_bytes())
    page = open_page("table.html", within=tmp_path, size=TELEPHONE)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".up")).to_be_hidden()
    still = open_page(ACW, size=TELEPHONE, java_script_enabled=False)
    expect(still.locator(".up")).to_be_visible()


def test_typed_dice_give_what_they_give_in_print(page):
    page.locator("#turn button.roll[data-procedure=volley]").first.click()
    page.get_by_label("Figures firing", exact=True).fill("12")
    page.locator(".chip").get_by_text("First volley").click()
    page.get_by_role("button", name="Type my own dice").click()
    given = {"firers": "12", "volley": "first"}
    played = roll(shipped("acw"), "volley", given, dice=[6, 1, 2, 2, 4, 5, 4, 4, 1, 6])
    for face in played.dice:
        expect(page.locator(".keypad > p").first).to_contain_text("Next die")
        page.locator(f".keys button[data-face='{face}']").click()
    expect(page.locator(".keys")).to_have_count(0)
    named = shipped("acw").procedures["volley"].result.items()
    shown = {one.title or name: str(played.results[name]) for name, one in named}
    assert results(page) == shown
    faces = [
        int(one.get_attribute("aria-label") or 0) for one in page.locator(".steps svg.die").all()
    ]
    assert faces == list(played.dice)
    page.get_by_role("button", name="Take back the last die").click()
    assert results(page) == {}
    page.locator(f".keys button[data-face='{played.dice[-1]}']").click()
    assert results(page) == shown


def test_settings_are_remembered_and_a_faulty_memory_is_not(page):
    _open_volley(page)
    page.get_by_role("button", name="One more: Figures firing").click()
    page.locator(".chip").get_by_text("8–16″", exact=True).click()
    page.reload()
    _open_volley(page)
    assert page.get_by_label("Figures firing", exact=True).input_value() == "25"
    expect(page.get_by_role("radio", name="8–16″")).to_be_checked()
    page.evaluate(
        "() => localStorage.setItem('rulebook/acw/inputs', JSON.stringify("
        "{volley: {firers: 9999, range: '<b>', cover: 'cover', volley: 3}}))"
    )
    page.reload()
    _open_volley(page)
    assert page.get_by_label("Figures firing", exact=True).input_value() == "24"
    expect(page.get_by_role("radio", name="0–8″")).to_be_checked()
    expect(page.get_by_role("radio", name="Cover")).to_be_checked()


def _open_volley(page: Page) -> None:
    page.locator("#turn button.roll[data-procedure=volley]").first.click()


def test_what_is_typed_beyond_the_range_is_brought_into_it(page):
    _open_volley(page)
    firers = page.get_by_label("Figures firing", exact=True)
    for typed, taken in (("9999", "240"), ("0", "1"), ("", "1"), ("-3", "1")):
        firers.fill(typed)
        firers.press("Tab")
        assert firers.input_value() == taken


def test_by_keyboard_alone(page):
    tab_to(page, ".strip a[href='#phase-fire_phase']")
    page.keyboard.press("Enter")
    expect(page.locator("#phase-fire_phase")).to_be_in_viewport()
    expect(page.locator(".strip a[aria-current=step]")).to_have_text(re.compile("Fire"))
    tab_to(page, "#phase-fire_phase button.roll[data-procedure=volley]")
    page.keyboard.press("Enter")
    expect(page.locator("button.throw")).to_be_focused()
    page.keyboard.press("Enter")
    assert len(results(page)) == 2
    expect(page.locator("button.throw")).to_be_focused()
    tab_to(page, "button.own")
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    tab_to(page, ".keys button[data-face='6']")
    page.keyboard.press("Enter")
    expect(page.locator(".keys button[data-face='6']")).to_be_focused()
    tab_to(page, ".sheet[open] input[type=radio]")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="8–16″")).to_be_checked()
    page.keyboard.press("Escape")
    expect(page.locator("#phase-fire_phase button.roll[data-procedure=volley]")).to_be_focused()
    tab_to(page, ".tabs a[href='#roster']")
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")  # the tabs stand behind all views
    tab_to(page, "#roster .actions button")
    page.keyboard.press("Enter")
    tab_to(page, ".choices button")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    tab_to(page, ".unit .box input")
    page.keyboard.press("Space")
    expect(page.locator(".unit .count").first).to_have_text("1 of 24")
    tab_to(page, ".tabs a[href='#roster']")
    page.keyboard.press("Shift+Tab")
    tab_to(page, "#roster .actions button")
    tab_to(page, ".unit .remove")
    page.keyboard.press("Enter")
    expect(page.locator(".unit")).to_have_count(0)
    page.keyboard.press("Enter")  # the focus is on what brings it back
    expect(page.locator(".unit .count").first).to_have_text("1 of 24")


def test_what_a_thumb_hits_is_large_enough(open_page):
    page = open_page(ACW, size=TELEPHONE, has_touch=True)
    add(page, "Infantry regiment")
    _large(page, ".tabs a, #roster button, .box, .unit select, .unit input.name")
    view(page, "dice")
    _large(page, "#dice button")
    view(page, "turn")
    _large(page, ".strip a, #turn button.roll")
    _open_volley(page)
    page.locator("button.own").click()
    _large(page, "dialog[open] button, dialog[open] label, dialog[open] .stepper input")


def _large(page: Page, selector: str) -> None:
    boxes = [one.bounding_box() for one in page.locator(selector).all() if one.is_visible()]
    assert boxes
    assert all(one and min(one["width"], one["height"]) >= TOUCH - 0.1 for one in boxes), selector


def add(page: Page, *titles: str) -> None:
    view(page, "roster")
    page.get_by_role("button", name="Add units").click()
    for title in titles:
        page.locator(".choices").get_by_role("button", name=title).first.click()
    page.keyboard.press("Escape")


def save(page: Page) -> str:
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save to a file").click()
    download: Download = saved.value
    assert download.suggested_filename == "roster-acw.json"
    return Path(download.path()).read_text("utf-8")


def read(page: Page, text: str) -> str:
    """What is shown of a file that is read."""
    page.locator("input[type=file]").set_input_files(
        {"name": "r.json", "mimeType": "application/json", "buffer": text.encode()}
    )
    message = page.locator("#roster > .message")
    expect(message).not_to_be_empty()
    return message.inner_text()


def test_a_roster_is_kept_saved_and_read(open_page):
    page = open_page(ACW, size=TELEPHONE)
    add(page, "Infantry regiment", "Battery")
    page.locator(".unit .name").first.fill("5th Alabama")
    page.locator(".unit .name").first.press("Tab")
    page.get_by_role("button", name="One more: Rank and file").click()
    page.get_by_role("checkbox", name=re.compile("Rank and file: box 7 of 24")).check()
    page.reload()
    view(page, "roster")
    assert page.locator(".unit .name").first.input_value() == "5th Alabama"
    expect(page.locator(".unit .count").first).to_have_text("2 of 24")
    text = save(page)
    saved = json.loads(text)
    assert saved["ruleset"] == "acw"
    assert saved["units"][0]["ticked"][0] == [0, 6]
    page.get_by_role("button", name="One less: Rank and file").click()
    expect(page.locator(".unit .count").first).to_have_text("1 of 24")
    other = open_page(ACW, size=DESKTOP)
    view(other, "roster")
    assert "2 units" in read(other, text)
    expect(other.locator(".unit .count").first).to_have_text("2 of 24")
    assert save(other) == text
    other.get_by_role("button", name="Clear").click()
    expect(other.locator(".unit")).to_have_count(0)
    other.get_by_role("button", name="Undo").click()
    expect(other.locator(".unit")).to_have_count(2)


def test_the_side_of_a_battle_is_fielded_with_its_names(page):
    scenario = shipped("acw").scenarios["gettysburg"]
    add(page, f"{scenario.title}: {scenario.sides['confederate'].title}")
    names = {
        name
        for force in scenario.sides["confederate"].forces.values()
        for given in force.names.values()
        for name in given
    }
    found = [one.input_value() for one in page.locator(".unit .name").all()]
    assert {one for one in found if one} == names
    forces = {one.title for one in scenario.sides["confederate"].forces.values()}
    shown = page.locator(".unit > .about").all_inner_texts()
    assert all(any(force in one for force in forces) for one in shown)


NO_ROSTERS = (
    *("", "{", "null", '"roster"', "[1, 2]", '{"form": "rulebook roster 1", "ruleset": "acw"}'),
    '{"form": "rulebook roster 9", "ruleset": "acw", "units": []}',
)
OF_ANOTHER = '{"form": "rulebook roster 1", "ruleset": "grid", "title": "<b>A</b>", "units": []}'


def test_a_file_that_is_no_roster_of_this_ruleset(page):
    add(page, "Battery")
    for text, shown in (
        *((text, "no roster") for text in NO_ROSTERS),
        (OF_ANOTHER, "another ruleset: <b>A</b>."),
        (" " * 1_100_000, "too large"),
    ):
        page.reload()
        view(page, "roster")
        assert shown in read(page, text), text[:80]
        expect(page.locator(".unit")).to_have_count(1)


def test_a_hostile_roster_is_text_and_cut_to_what_there_is(page):
    view(page, "roster")
    markup = "<img src=x onerror=alert(1)>"
    units = [
        {
            "kind": "infantry_regiment",
            "name": markup * 9,
            "ticked": [[-1, 3, 3, 99, "a", 1.5], 7],
            "force": 3,
        },
        {"kind": markup, "name": markup},
        {"kind": "__proto__"},
        {"kind": "constructor"},
        {"kind": 3},
        None,
        "unit",
    ]
    roster = {"form": "rulebook roster 1", "ruleset": "acw", "units": units + units * 200}
    shown = read(page, json.dumps(roster))
    assert "This edition does not know" in shown and markup in shown and "__proto__" in shown
    assert page.locator("img").count() == 0
    expect(page.locator(".unit .count").first).to_have_text("1 of 24")
    assert len(page.locator(".unit .name").first.input_value()) == 80
    assert page.locator(".unit").count() <= 500
    page.reload()
    view(page, "roster")
    expect(page.locator(".unit .count").first).to_have_text("1 of 24")


def test_a_browser_that_keeps_nothing(page):
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }})"
    )
    page.reload()
    add(page, "Battery")
    expect(page.locator(".kept")).to_contain_text("does not let the page keep anything")
    view(page, "turn")
    _open_volley(page)
    page.locator("button.throw").click()
    assert len(results(page)) == 2


def test_the_page_reads_well_without_scripts(open_page):
    page = open_page(ACW, size=TELEPHONE, java_script_enabled=False)
    expect(page.locator("#phase-fire_phase h2")).to_be_visible()
    expect(page.locator("noscript")).to_be_visible()
    for button in page.locator("button.roll").all():
        expect(button).to_be_hidden()


def test_on_a_desktop_the_turn_stands_beside_the_roster(open_page):
    page = open_page(ACW, size=DESKTOP)
    view(page, "roster")
    page.locator(".strip a[href='#phase-fire_phase']").click()
    expect(page.locator("#phase-fire_phase h2")).to_be_in_viewport()
    expect(page.locator("#roster h2")).to_be_in_viewport()
    expect(page.locator("#dice")).to_be_hidden()


def test_a_page_has_only_the_views_that_its_game_needs(browser, tmp_path):
    phase = {"title": "Fire", "steps": {"a": {"title": "A", "rule": "rules", "say": ["B"]}}}
    with opened(browser, tmp_path, ruleset_of({"sequence": {"fire": phase}})) as page:
        assert page.locator(".tabs a").all_inner_texts() == ["Turn"]
        expect(page.locator("#phase-fire h2")).to_be_visible()
        assert flaws(page) == []


@contextmanager
def opened(browser: Browser, folder: Path, ruleset: Ruleset) -> Iterator[Page]:
    """The page of a ruleset that no file says, on a telephone."""
    (planned,) = plan_at_table(ruleset, identity_of(ruleset))
    composed = planned.compose()
    assert composed is not None
    (page,) = render(composed, templates_folder(), frozenset({PAGE}))
    (folder / PAGE).write_bytes(page.data)
    with opener(browser, folder) as open_page:
        yield open_page(PAGE, size=TELEPHONE)


def test_opened_from_a_file_it_asks_for_nothing_else(open_page):
    page = open_page(ACW)
    assert page.locator("link[rel=manifest]").count() == 0
    expect(page.locator("#offline")).to_be_hidden()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_it_is_used_offline_and_a_new_build_replaces_it(open_page, site, tmp_path):
    """A copy of the page is served, so that it can be built anew."""
    files = {name: (site / ACW).with_name(name).read_bytes() for name in (PAGE, MANIFEST, WORKER)}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    with served(tmp_path) as address:
        page = open_page(f"{address}/{PAGE}", size=TELEPHONE)
        expect(page.locator("#offline")).to_have_text("Ready for offline use")
        assert page.evaluate("async () => (await caches.keys()).length") == 1
        errors = page.context.new_cdp_session(page).send("Page.getInstallabilityErrors")
        wrong = [one["errorId"] for one in errors["installabilityErrors"]]
        assert [one for one in wrong if one != "in-incognito"] == []
        page.context.set_offline(True)
        page.reload()
        expect(page.locator("#offline")).to_have_text("Ready for offline use")
        _open_volley(page)
        page.locator("button.throw").click()
        assert len(results(page)) == 2
        page.context.set_offline(False)

        newer = files[PAGE].replace(b"<h1>", b"<h1>Newly built: ", 1)
        worker = files[WORKER].replace(
            sha256(files[PAGE]).hexdigest().encode(), sha256(newer).hexdigest().encode()
        )
        assert worker != files[WORKER], "the worker knows the page by its digest"
        (tmp_path / PAGE).write_bytes(newer)
        (tmp_path / WORKER).write_bytes(worker)
        page.goto(f"{address}/{PAGE}")
        expect(page.locator("#offline")).to_contain_text("a newer edition of this page")
        page.get_by_role("button", name="Show it").click()
        expect(page.locator("h1")).to_contain_text("Newly built")
        assert page.evaluate("async () => (await caches.keys()).length") == 1


def test_titles_with_markup_show_as_text(browser, tmp_path):
    """The loader lets in no HTML; what came in all the same is text."""
    markup = "<img src=x onerror=alert(1)></script><b>"
    trial = {
        "title": markup,
        "inputs": {
            "n": {"count": "1-9", "label": markup},
            "w": {"one_of": {"a": markup, "b": "B"}},
        },
        "steps": [{"say": "Throw 1 < 2 & more.", "roll": {"d": "d6"}}],
        "result": {"x": {"title": markup, "value": "d + n if w == 'a' else d"}},
    }
    units = {"horse": {"title": markup, "kind": "horse"}}
    ruleset = ruleset_of({"procedures": {"trial": trial}, "units": units})
    with opened(browser, tmp_path, ruleset) as page:
        view(page, "dice")
        page.locator("#dice button.roll[data-procedure=trial]").click()
        page.locator("button.throw").click()
        assert list(results(page)) == [markup]
        expect(page.locator("#sheet-title")).to_have_text(markup)
        expect(page.locator(".steps li").first).to_contain_text("Throw 1 < 2 & more.")
        page.keyboard.press("Escape")
        add(page, markup)
        expect(page.locator(".unit .name")).to_have_attribute("placeholder", markup)
        assert page.locator("img").count() == 0
