"""The odds explorer in a browser: it answers as the core does, and it can be used."""

import itertools
import json
import re
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from in_browser import TELEPHONE, WIDTHS, OpenPage, flaws
from plays_in_browser import any_inputs, json_inputs, odds_of, read
from playwright.sync_api import Page, expect
from shipped_rulesets import SHIPPED, released, shipped

from rulebook.cli import cli
from rulebook.core.procedures import Programs
from rulebook.packaged import content_folder

#: Questions of all rulesets together, of which each procedure has its part.
QUESTIONS = 500
#: Asks the worker of the page, as the page does.
ASK = """async (asked) => {
    const { sets, ...common } = JSON.parse(document.getElementById("programs").textContent)
    const main = sets[""].procedures
    const programs = Object.fromEntries(Object.entries(sets).map(
        ([name, one]) => [name, { ...common, ...one, procedures: { ...main, ...one.procedures } }]))
    const text = document.getElementById("worker").textContent
    const worker = new Worker(URL.createObjectURL(new Blob([text])))
    worker.postMessage({ programs })
    const answers = []
    for (const [set, procedure, inputs] of asked) {
        const results = programs[set].procedures[procedure].results.map((one) => one.name)
        worker.postMessage({ set, procedure, inputs, results })
        const { data } = await new Promise((found) => { worker.onmessage = found })
        answers.push(data.answer)
    }
    return answers
}"""


def explorer_of(name: str) -> str:
    ruleset = shipped(name)
    return f"{ruleset.id}/{ruleset.form}/odds.html"


@pytest.mark.parametrize("name", SHIPPED)
def test_random_questions_are_answered_as_by_the_core(name, open_page):
    """To the last digit, those of each option and of the edition before as well."""
    ruleset, random = shipped(name), Random(f"odds of {name}")
    page = open_page(explorer_of(name))
    programs = json.loads(page.locator("#programs").text_content() or "")
    each = -(-QUESTIONS // sum(len(shipped(one).procedures) for one in SHIPPED))
    asked, wanted = [], []
    for beside, own in programs["sets"].items():
        other = ruleset
        if beside:
            found = ruleset.with_options([beside]).ruleset if beside in ruleset.options else None
            other = found or released(name, beside)
        known = Programs(other)
        for procedure in own["procedures"]:
            program = known.get(procedure)
            assert program is not None
            for _ in range(1 if beside else each):
                inputs = any_inputs(program, random)
                asked.append((beside, procedure, json_inputs(inputs)))
                wanted.append(odds_of(other, program, inputs))
    found = map(read, page.evaluate(ASK, asked))
    for question, one, other in zip(asked, found, wanted, strict=True):
        assert one == other, question


def test_the_page_shows_what_the_command_says(open_page):
    asked = ["odds", "acw", "volley", "firers=36", "volley=first", "--json"]
    shown = CliRunner().invoke(cli, ["--content", str(content_folder()), *asked])
    odds = json.loads(shown.output)["results"]["casualties"]
    page = open_page(explorer_of("acw") + "#volley/casualties/firers=36&volley=first/5")
    mean = float(Fraction(odds["mean"]))
    shares = {one["value"]: Fraction(one["probability"]) for one in odds["outcomes"]}
    least = sum(share for value, share in shares.items() if value >= 5)
    expect(page.locator(".tile b").first).to_have_text(f"{mean:.2f}".rstrip("0").rstrip("."))
    expect(page.locator(".tile.main b")).to_have_text(f"{float(100 * least):.1f} %")


def open_volley(site: Path, open_page: OpenPage, **how: object) -> Page:
    page = open_page(explorer_of("acw") + "#volley", **how)
    expect(page.locator("#chart rect").first).to_be_visible()
    return page


def test_keyboard_alone_sets_inputs_and_compares(site, open_page):
    page = open_volley(site, open_page)
    before = page.locator(".tile.main b").inner_text()
    page.locator("#input-firers").focus()
    page.keyboard.press("PageUp")
    expect(page.locator(".tile.main b")).not_to_have_text(before)
    page.locator("#keep").focus()
    page.keyboard.press("Enter")
    page.locator("#input-firers").focus()
    page.keyboard.press("End")
    expect(page.locator(".tile.main b")).to_have_count(2)
    expect(page.locator("#legend .series")).to_have_count(2)
    reached = set()
    page.locator("#procedure").focus()
    for _ in range(40):
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.name"))
        page.keyboard.press("Tab")
    assert {
        "procedure",
        "input-firers",
        "keep",
        "usual-inputs",
        "result",
        "mode",
        "sweep",
        "csv",
        "share",
    } <= reached


def test_an_address_leads_to_the_same_setting(site, open_page):
    page = open_volley(site, open_page)
    page.locator("input[name='input-cover'][value='cover']").check()
    page.locator("#keep").click()
    page.locator("#sweep").select_option("firers")
    expect(page.locator("#swept svg").first).to_be_visible()
    figures = page.locator("#figures").inner_text()
    again = open_page(page.url)
    expect(again.locator("#swept svg").first).to_be_visible()
    assert again.locator("#figures").inner_text() == figures
    assert again.locator("#sweep").input_value() == "firers"


#: Where the names below the axis of each chart of a sweep begin and end, with what each says.
TICKS = """() => [...document.querySelectorAll("#swept svg")].map(svg => {
    const all = [...svg.querySelectorAll(".tick")]
    const below = Math.max(...all.map(one => +one.getAttribute("y")))
    return all.filter(one => +one.getAttribute("y") === below).map(one => {
        const {left, right} = one.getBoundingClientRect()
        return [+one.getAttribute("x"), left, right, one.textContent]
    })
})"""


@pytest.mark.parametrize(
    ("name", "procedure"),
    [("acw", "volley"), ("acw", "line_morale"), ("thin-red-line", "shooting")],
)
def test_the_names_below_a_sweep_are_as_far_from_each_other(name, procedure, open_page):
    drawn = 0
    page = open_page(f"{explorer_of(name)}#{procedure}", size=TELEPHONE)
    expect(page.locator("#chart svg")).to_be_visible()
    for sweep in page.locator("#sweep option").all()[1:]:
        page.locator("#sweep").select_option(sweep.get_attribute("value"))
        for width in (320, 360, 390, 414, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            page.wait_for_timeout(100)
            expect(page.locator("#swept:not([aria-busy])")).to_be_visible(timeout=60_000)
            for ticks in page.evaluate(TICKS):
                apart = [after[0] - before[0] for before, after in itertools.pairwise(ticks)]
                assert max(apart, default=0) - min(apart, default=0) < 1, (width, ticks)
                assert all(a[2] < b[1] for a, b in itertools.pairwise(ticks)), (width, ticks)
                drawn += len(ticks) > 1
    assert drawn > 5


def test_an_option_is_shown_beside_the_rules_without_it(open_page):
    page = open_page(explorer_of("napoleonic-skirmish") + "#shooting")
    page.locator("#beside").select_option("larger_games")
    expect(page.locator(".tile.main b")).to_have_text(["66.7 %", "83.3 %"])
    expect(page.locator("#legend .series").last).to_have_text("Larger games")
    expect(page.locator("#note")).to_have_text("Every number is exact.")


def test_the_spreadsheet_holds_exact_probabilities(site, open_page, tmp_path):
    page = open_volley(site, open_page)
    with page.expect_download() as download:
        page.locator("#csv").click()
    download.value.save_as(tmp_path / "odds.csv")
    head, *rows = (tmp_path / "odds.csv").read_text().splitlines()
    assert head == "edition,firers,range,volley,cover,result,value,probability,decimal"
    total = sum(Fraction(row.split(",")[7]) for row in rows if ",casualties," in row)
    assert total == 1


def test_explorers_have_no_fault_of_access(open_page):
    for name, hash, scheme in (
        ("acw", "#volley/casualties/firers=24//exactly/range//~firers=30", "dark"),
        ("thin-red-line", "#shooting/fate", "light"),
    ):
        page = open_page(explorer_of(name) + hash, size=TELEPHONE, color_scheme=scheme)
        expect(page.locator("#chart svg")).to_be_visible()
        for details in page.locator("details").all():
            details.evaluate("one => one.open = true")
        assert flaws(page, WIDTHS) == []


def test_without_scripts_the_usual_odds_are_there(open_page):
    page = open_page(explorer_of("acw"), java_script_enabled=False)
    expect(page.locator("#explorer")).to_be_hidden()
    assert page.locator("#usual article").count() == len(shipped("acw").procedures)
    assert re.search(r"Hits, mean 6.67", page.locator("#usual-volley").inner_text())
