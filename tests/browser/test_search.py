"""What players type is answered by the rule that they mean, and where an answer leads is lit."""

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
import yaml
from beside import beside
from in_browser import TELEPHONE, flaws
from playwright.sync_api import Locator, Page, expect

#: Written by someone who did not know the index: what is asked, and where it is answered.
QUESTIONS: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("questions.yaml").read_text("utf-8")
)
#: Of a hundred so many find their rule among the first three.
RIGHT, FIRST = 95, 3
#: The heading that stands before what an address leads to, or is it.
RULE = """address => {
    const target = document.getElementById(new URL(address).hash.slice(1))
    const rules = [...document.querySelectorAll('main .rule[id]')]
    const before = Node.DOCUMENT_POSITION_PRECEDING
    return target && rules.filter(
        one => one === target || target.compareDocumentPosition(one) & before).at(-1)?.id
}"""


def newest(site: Path, ruleset: str) -> str:
    """The folder of the edition that is printed last, as its path in the site."""
    return max((site / ruleset).glob("[0-9]*")).relative_to(site).as_posix()


def booklet(site: Path, ruleset: str) -> str:
    return f"{newest(site, ruleset)}/booklet.html"


def hits(page: Page) -> Locator:
    return page.get_by_role("option")


def ask(page: Page, question: str) -> Locator:
    """Open the search by its key and type, as a player does."""
    page.keyboard.press("/")
    box = page.get_by_role("combobox")
    expect(box).to_be_focused()
    box.fill(question)
    expect(hits(page).first).to_be_visible()
    return hits(page)


def test_of_a_hundred_questions_so_many_find_their_rule(site, open_page):
    of_rulesets = defaultdict(list)
    for question in QUESTIONS:
        of_rulesets[question["ruleset"]].append(question)
    assert len(QUESTIONS) == 100
    missed = []
    for ruleset, questions in of_rulesets.items():
        path = booklet(site, ruleset)
        page = open_page(path)
        ask(page, "move")
        for one in questions:
            assert all(page.locator(f"main .rule#{rule}").count() for rule in one["rules"]), one
            page.get_by_role("combobox").fill(one["question"])
            found = hits(page).evaluate_all(f"all => all.slice(0, {FIRST}).map(one => one.href)")
            if not {page.evaluate(RULE, address) for address in found} & set(one["rules"]):
                missed.append((ruleset, one["question"], found))
    assert len(QUESTIONS) - len(missed) >= RIGHT, missed


@pytest.mark.parametrize(
    ("typed", "leads_to"), beside(__file__, "rules_tables_words_units_and_scenarios_are_found")
)
def test_rules_tables_words_units_and_scenarios_are_found(typed, leads_to, site, open_page):
    page = open_page(booklet(site, "acw"))
    found = ask(page, typed)
    addresses = found.evaluate_all("all => all.map(one => one.href.replace(/[?][^#]*/, ''))")
    wanted = f"{newest(site, 'acw')}/{leads_to}"
    assert [one for one in addresses[:FIRST] if one.endswith(wanted)] == [
        f"{site.resolve().as_uri()}/{wanted}"
    ]
    expect(found.first.locator("mark").first).to_be_visible()


def test_a_keyboard_opens_chooses_follows_and_closes(site, open_page):
    page = open_page(booklet(site, "acw"))
    page.get_by_role("button", name="Search").focus()
    found = ask(page, "canister")
    box = page.get_by_role("combobox")
    for key, chosen in [("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("ArrowUp", 0)]:
        page.keyboard.press(key)
        expect(found.nth(chosen)).to_have_attribute("aria-selected", "true")
        assert box.get_attribute("aria-activedescendant") == found.nth(chosen).get_attribute("id")
        expect(page.locator("[role=option][aria-selected=true]")).to_have_count(1)
    assert str(found.count()) in page.locator("#search [role=status]").inner_text()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("button", name="Search")).to_be_focused()
    ask(page, "canister")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    rule = page.locator("#canister")
    expect(rule).to_be_in_viewport()
    expect(rule).to_have_class(re.compile(r"\bfound\b"))
    assert page.evaluate("CSS.highlights.get('found').size") > 1
    # What is typed into a field is no way to open it.
    field = page.locator(".filter input").first
    field.focus()
    page.keyboard.press("/")
    expect(field).to_have_value("/")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_a_hit_on_another_page_is_lit_there(site, open_page):
    page = open_page(booklet(site, "acw"))
    ask(page, "northman")
    page.keyboard.press("Enter")
    page.wait_for_url("**/scenarios/*")
    lit = "() => [...CSS.highlights.get('found')].map(one => one.toString())"
    assert "Northman" in page.evaluate(lit)


def test_nothing_is_found_and_nothing_is_asked(site, open_page):
    page = open_page(booklet(site, "gridded"))
    page.keyboard.press("/")
    expect(page.locator("#search [role=status]")).to_contain_text("found as you type")
    for question in ("xylophone", "the of a"):
        page.get_by_role("combobox").fill(question)
        expect(page.locator("#search [role=status]")).to_contain_text(question)
        expect(hits(page)).to_have_count(0)


def test_the_search_has_no_fault_of_axe(site, open_page):
    how = {"size": TELEPHONE, "color_scheme": "dark", "reduced_motion": "reduce"}
    page = open_page(booklet(site, "thin-red-line"), **how)
    ask(page, "cavalry charge")
    assert flaws(page) == []
    page.keyboard.press("Enter")
    assert flaws(page) == []


def test_light_stands_still_where_motion_is_reduced(site, open_page):
    page = open_page(booklet(site, "acw"), reduced_motion="reduce")
    ask(page, "canister")
    page.keyboard.press("Enter")
    assert page.locator("#canister").evaluate("one => one.getAnimations().length") == 0


def test_the_index_is_loaded_when_the_search_is_opened(site, open_page):
    page = open_page(booklet(site, "gridded"))
    loaded = "() => performance.getEntriesByType('resource').map(one => one.name)"
    assert page.evaluate("typeof MiniSearch") == "undefined"
    ask(page, "cavalry")
    assert page.evaluate("typeof MiniSearch") == "function"
    assert [name.rpartition("/")[2] for name in page.evaluate(loaded)] in ([], ["search.js"])
