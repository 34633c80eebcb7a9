"""The shelf and the pages of rulesets: with keys alone, without scripts, with many books."""

import json
import re
import shutil

import pytest
from in_browser import flaws
from playwright.sync_api import Page, expect
from shipped_rulesets import SHIPPED, shipped

from rulebook.build.site import write_site
from rulebook.packaged import templates_folder


def test_every_cover_leads_to_its_ruleset(open_page):
    page = open_page("index.html")
    books = page.locator(".book")
    expect(books).to_have_count(len(SHIPPED))
    titles = {shipped(name).header.title: shipped(name) for name in SHIPPED}
    assert set(page.locator(".book h2").all_inner_texts()) == titles.keys()
    for title, ruleset in titles.items():
        book = books.filter(has=page.get_by_role("link", name=title, exact=True))
        expect(book.locator(".facts")).to_contain_text(f"Players: {ruleset.header.players}")
        assert f"Edition {ruleset.header.edition}" in book.inner_text()
        picture = book.locator("img").evaluate("one => one.decode().then(() => one.naturalWidth)")
        assert picture >= 300
    page.get_by_role("link", name="The Last Wagon").click()
    expect(page.locator("h1")).to_have_text("The Last Wagon")


def focused(page: Page) -> str:
    return page.evaluate(
        "(document.activeElement.innerText || document.activeElement.value).trim()"
    )


def tab_to(page: Page, text: str) -> list[str]:
    """Press Tab until what has this text has the focus; all that had it on the way."""
    seen: list[str] = []
    while not seen or seen[-1] != text:
        page.keyboard.press("Tab")
        seen.append(focused(page))
        assert len(seen) < 20, seen
    return seen


def test_keys_alone_lead_from_the_shelf_to_a_sheet(open_page):
    page = open_page("index.html", locale="en-GB")
    tab_to(page, "Horse and Musket")
    lit = page.locator(".book").first.evaluate("one => getComputedStyle(one).outlineStyle")
    assert lit == "solid", "where the focus is can be seen"
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Horse and Musket")
    seen = tab_to(page, "a4")
    assert seen[0] == "Rulebooks" and {"Read the rules", "Quick reference"} <= set(seen)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "1.0/qrs-letter-low.pdf"
    shown = page.evaluate(
        "getComputedStyle(document.activeElement).outlineStyle + ' ' + "
        "getComputedStyle(document.activeElement).outlineWidth"
    )
    assert re.fullmatch(r"solid [2-9].*px", shown)


def offered(page: Page) -> list[str]:
    """The files that are shown of what is printed first."""
    links = page.locator(".print .files li:not([hidden]) a")
    return [link.get_attribute("href") or "" for link in links.all()]


@pytest.mark.parametrize(
    ("locale", "paper"), [("en-US", "letter"), ("es-MX", "letter"), ("en-GB", "a4")]
)
def test_the_paper_is_that_of_the_country(open_page, locale, paper):
    files = offered(open_page("acw/index.html", locale=locale))
    assert f"2.1/qrs-{paper}.pdf" in files and f"2.1/booklet-{paper}-imposed.pdf" in files
    assert len(files) == len({name.rsplit("-", 1)[0] for name in files}), "one for each document"
    other = {"a4": "letter", "letter": "a4"}[paper]
    assert not [name for name in files if f"-{other}" in name or "-low" in name]


def test_a_choice_is_kept_for_other_rulesets(open_page):
    page = open_page("acw/index.html", locale="en-GB")
    page.get_by_text("Letter", exact=True).click()
    page.get_by_text("low ink", exact=True).click()
    assert "2.1/qrs-letter-low.pdf" in offered(page)
    # What is printed in one ink alone is offered in that.
    assert "2.1/booklet-letter-imposed.pdf" in offered(page)
    page.goto(page.url.replace("/acw/", "/thin-red-line/"))
    assert "1.0/qrs-letter-low.pdf" in offered(page)
    # This one is printed on A4 alone but for its sheet.
    page.goto(page.url.replace("/thin-red-line/", "/acw-centimetres/"))
    assert "1.0/cutouts/all-a4.pdf" in offered(page)


def test_without_storage_a_choice_holds_for_the_page(open_page):
    page = open_page("acw/index.html", locale="en-GB")
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('none') }})"
    )
    page.reload()
    page.get_by_text("low ink", exact=True).click()
    assert "2.1/qrs-a4-low.pdf" in offered(page)


def test_without_scripts_everything_is_listed(open_page, site):
    page = open_page("acw/index.html", java_script_enabled=False)
    expect(page.locator("form.choices")).to_be_hidden()
    assert "2.1/qrs-letter-low.pdf" in offered(page) and "2.1/qrs-a4.pdf" in offered(page)
    listed = {link.get_attribute("href") for link in page.locator("a[href]").all()}
    files = json.loads((site / "acw/2.1/manifest.json").read_text("utf-8"))["files"]
    read = (one for one in files if one["format"] in ("pdf", "html", "svg"))
    names = {f"2.1/{one['path']}" for one in read}
    assert names <= listed


def test_the_pages_hold_still_for_those_who_ask(open_page):
    page = open_page("index.html", reduced_motion="reduce")
    page.locator(".book").first.hover()
    cover = page.locator(".book .cover").first
    assert cover.evaluate("one => getComputedStyle(one).transitionDuration") == "0s"
    assert cover.evaluate("one => getComputedStyle(one).transform") == "none"


def test_twenty_rulesets_make_a_light_shelf(open_page, site, tmp_path):
    for number in range(20):
        printed = site / SHIPPED[number % len(SHIPPED)]
        folder = tmp_path / f"copy-{number}"
        for manifest in printed.glob("*/manifest.json"):
            edition = folder / manifest.parent.name
            edition.mkdir(parents=True)
            for path in manifest.parent.iterdir():
                if path != manifest:  # a list that is a link is not read
                    (edition / path.name).symlink_to(path)
            shutil.copy(manifest, edition)
    write_site(tmp_path, (), templates_folder())
    assert (tmp_path / "index.html").stat().st_size < 300_000
    page = open_page("index.html", within=tmp_path)
    expect(page.locator(".book")).to_have_count(20)
    assert flaws(page) == []
