"""Open pages follow every save: where it changes them they show it, where it does not they stay."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner
from in_browser import PATIENCE, TELEPHONE, WIDTHS, OpenPage, flaws, opener, tab_to
from playwright.sync_api import Browser, Page, expect
from served import Served, served, wait_until

from rulebook.cli import cli
from rulebook.packaged import templates_folder

BOOKLET, QRS = "mygame/0.1/booklet.html", "mygame/0.1/qrs.html"
LIT, FAULTS, NOTE = ".follow-lit", ".follow-faults", ".follow-note"


@dataclass
class Author:
    """Whoever writes the ruleset that is served; everything is put back at the end of a test."""

    site: Served
    before: dict[Path, str] = field(default_factory=dict)

    def path(self, name: str) -> Path:
        return self.site.folder / ("" if "/" in name else "content/mygame") / name

    def save(self, name: str, *replaced: tuple[str, str]) -> None:
        path = self.path(name)
        self.before.setdefault(path, path.read_text("utf-8"))
        text = path.read_text("utf-8")
        for old, new in replaced:
            assert text.count(old) >= 1, (name, old)
            text = text.replace(old, new, 1)
        path.write_text(text, "utf-8")

    def put_back(self) -> None:
        for path, text in self.before.items():
            path.write_text(text, "utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    new = ("new", "mygame", "--paper", "a4", "--ink", "full")
    made = CliRunner().invoke(cli, ["--content", str(folder / "content"), *new])
    assert made.exit_code == 0, made.output
    shutil.copytree(templates_folder(), folder / "templates")
    with served(folder, "--templates", "templates") as site:
        yield site


@pytest.fixture
def author(site: Served) -> Iterator[Author]:
    author = Author(site)
    before = site.get(BOOKLET).text
    yield author
    author.put_back()
    # The next test begins where the last save has been taken over: nothing else is lit there.
    wait_until(lambda: site.get(BOOKLET).text == before, "the page is what it was")


@pytest.fixture
def open_served(browser: Browser, site: Served) -> Iterator[OpenPage]:
    """Opens pages of the server."""
    expect.set_options(timeout=PATIENCE)

    def open_served(path: str, **how: object) -> Page:
        page = open_page(f"{site.url}{path}", **how)
        follows(page)
        return page

    # A page that is left hangs up, and one that is offline says so.
    ours = ("/api/events", "ERR_INTERNET_DISCONNECTED")
    with opener(browser, site.folder / "output", *ours) as open_page:
        yield open_served


def follows(page: Page) -> None:
    """Wait until the server has told a page how things stand: what comes then is a change."""
    expect(page.locator(".follow-over[data-saves]")).to_be_attached()


def comes_to(page: Page, holds: str) -> None:
    wait_until(lambda: page.evaluate(holds), holds)


def stay(page: Page) -> None:
    """Mark a page, to see afterwards whether it was loaded again."""
    page.evaluate("window.stayed = true")


def stayed(page: Page) -> bool:
    return bool(page.evaluate("window.stayed === true"))


TO_HIT = ("- [3+, 4+]\n      - [4+, 5+]", "- [2+, 4+]\n      - [4+, 5+]")


def test_a_value_is_shown_lit_and_brought_into_view(author, open_served):
    page = open_served(BOOKLET)
    stay(page)
    first = page.locator("main td", has_text=re.compile(r"^3\+$")).first
    expect(first).not_to_be_in_viewport()
    author.save("shooting.yaml", TO_HIT)
    changed = page.locator(f"main td{LIT}, main td:has({LIT})", has_text=re.compile(r"^2\+$")).first
    expect(changed).to_be_attached()
    expect(changed).to_be_in_viewport()
    expect(page.locator(LIT)).to_have_count(0)


def test_a_sentence_is_taken_over_without_loading_the_page(author, open_served):
    page = open_served(BOOKLET)
    stay(page)
    page.locator("#throwing_to_hit").scroll_into_view_if_needed()
    top = page.evaluate("scrollY")
    author.save("shooting.md", ("a clear view may shoot", "a clear view may shoot at will"))
    lit = page.locator(f"main p{LIT}")
    expect(lit).to_contain_text("may shoot at will")
    words = page.evaluate("[...CSS.highlights.get('follow-lit')].map(String)")
    assert words == ["at will."], "and not what was there before"
    assert stayed(page) and page.evaluate("scrollY") == top, "what is in view is not moved"


def test_where_elements_come_the_page_is_loaded_at_the_same_place(author, open_served):
    page = open_served(BOOKLET)
    page.evaluate("document.getElementById('grapeshot').scrollIntoView()")
    author.save("moving.md", ("## Keeping apart", "A *new* paragraph.\n\n## Keeping apart"))
    expect(page.locator("main p", has_text="A new paragraph.")).to_be_in_viewport()
    expect(page.locator(f"main p{LIT}")).to_have_text("A new paragraph.")


def test_a_style_and_a_template_are_followed(author, open_served):
    page = open_served(BOOKLET)
    stay(page)
    author.save("templates/styles/reader.css", ("38rem", "19rem"))
    comes_to(page, "document.querySelector('main').clientWidth < 400")
    assert stayed(page)
    author.save("templates/booklet-screen.html.j2", ("<body class", "<body data-new class"))
    comes_to(page, "document.body.hasAttribute('data-new')")
    broken = ("{% import", "{% imprt")
    author.save("templates/booklet-screen.html.j2", broken)
    expect(page.locator(FAULTS)).to_contain_text("booklet-screen.html.j2")
    author.put_back()
    expect(page.locator(FAULTS)).to_have_count(0)
    comes_to(page, "!document.body.hasAttribute('data-new')")


def test_faults_stand_over_the_page_until_they_are_mended(author, open_served):
    page = open_served(QRS)
    stay(page)
    panels = page.locator("main").inner_text()
    author.save("shooting.yaml", ("tables:", "tabels:"))
    faults = page.locator(FAULTS)
    for words in (
        "content/mygame/shooting.yaml:6:1",
        "R201",
        "'tabels'",
        "^^^^^^",
        "write 'tables'",
    ):
        expect(faults).to_contain_text(words)
    expect(faults).to_have_attribute("role", "alert")
    assert page.locator("main").inner_text() == panels
    tab_to(page, ".follow-faults summary", 200)
    page.keyboard.press("Enter")
    expect(faults.locator("ol")).to_be_hidden()
    author.put_back()
    expect(faults).to_have_count(0)
    assert stayed(page)


def test_words_of_authors_are_told_as_words(author, open_served):
    page = open_served(QRS)
    author.save("shooting.yaml", ("tables:", '"<img src=x onerror=alert(1)>": {}\ntables:'))
    expect(page.locator(FAULTS)).to_contain_text("<img src=x")
    assert page.locator(f"{FAULTS} img").count() == 0


def test_what_changes_elsewhere_is_a_quiet_note(site, author, open_served):
    site.get(BOOKLET)
    page = open_served(QRS)
    stay(page)
    page.evaluate("scrollTo(0, 200)")
    top = page.evaluate("scrollY")
    author.save("shooting.md", ("a clear view may shoot", "a clear view may always shoot"))
    link = page.locator(f"{NOTE} a")
    expect(link).to_have_attribute("href", f"/{BOOKLET}#shooting_chapter")
    expect(page.locator(NOTE)).to_contain_text("shooting.md")
    assert stayed(page) and page.evaluate("scrollY") == top
    assert page.locator(LIT).count() == 0
    page.locator(f"{NOTE} button").click()
    expect(page.locator(NOTE)).to_have_count(0)


def test_two_browsers_follow_fifty_saves_in_a_row(author, open_served):
    pages = [open_served(BOOKLET), open_served(BOOKLET, size=TELEPHONE)]
    last = "may shoot"
    for number in range(50):
        author.save("shooting.md", (last, f"may shoot ({number})"))
        last = f"may shoot ({number})"
    for page in pages:
        expect(page.locator("main")).to_contain_text("may shoot (49)")
    author.put_back()
    for page in pages:
        expect(page.locator("main")).not_to_contain_text("may shoot (")
        expect(page.locator(FAULTS)).to_have_count(0)


def test_a_page_that_was_away_catches_up(author, open_served):
    page = open_served(BOOKLET)
    page.context.set_offline(True)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    author.save("shooting.md", ("a clear view may shoot", "a clear view may shoot again"))
    page.context.set_offline(False)
    expect(page.locator("main")).to_contain_text("may shoot again")


def test_a_server_that_comes_back_is_followed(site, browser, tmp_path):
    shutil.copytree(site.folder / "content", tmp_path / "content")
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    with served(tmp_path) as first:
        page.goto(f"{first.url}{QRS}")
        stay(page)
        expect(page.locator("main")).to_be_visible()
        first.stop()
    expect(page.locator(NOTE)).to_contain_text("server")
    table = tmp_path / "content" / "mygame" / "shooting.yaml"
    table.write_text(table.read_text("utf-8").replace(*TO_HIT), "utf-8")
    with served(tmp_path, port=first.port):
        expect(page.locator("main td", has_text=re.compile(r"^2\+$")).first).to_be_visible()
        expect(page.locator(NOTE)).to_have_count(0)
    page.close()


def test_a_page_that_cannot_be_made_comes_when_it_can(site, browser, tmp_path):
    shutil.copytree(site.folder / "content", tmp_path / "content")
    table = tmp_path / "content" / "mygame" / "shooting.yaml"
    text = table.read_text("utf-8")
    table.write_text(text.replace("tables:", "tabels:"), "utf-8")
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    with served(tmp_path) as fresh:
        answer = page.goto(f"{fresh.url}")
        assert answer is not None and answer.status == 200
        expect(page.locator(FAULTS)).to_contain_text("write 'tables'")
        table.write_text(text, "utf-8")
        expect(page.locator(FAULTS)).to_have_count(0)
        expect(page.locator("main")).to_contain_text("Mygame")
        table.write_text(text.replace("tables:", "tabels:"), "utf-8")
        expect(page.locator(FAULTS)).to_have_count(1)
        answer = page.goto(f"{fresh.url}mygame/0.1/qrs-a4.pdf")
        assert answer is not None and answer.status == 503
        expect(page.locator(FAULTS)).to_contain_text("write 'tables'")
        answer = page.goto(f"{fresh.url}{QRS}?again")
        assert answer is not None and answer.status == 200, "as it was before"
        (tmp_path / "output" / QRS).unlink()
        answer = page.goto(f"{fresh.url}{QRS}")
        assert answer is not None and answer.status == 503
        stay(page)
        expect(page.locator(FAULTS)).to_contain_text("write 'tables'")
        assert stayed(page), "it is not loaded again and again while nothing is mended"
        table.write_text(text, "utf-8")
        expect(page.locator("main table").first).to_be_visible()
    page.close()


def test_what_stands_over_a_page_can_be_read_and_reached(author, open_served):
    page = open_served(QRS, size=TELEPHONE, color_scheme="dark", reduced_motion="reduce")
    author.save("forces.yaml", ("", "# a remark\n"))
    expect(page.locator(NOTE)).to_have_count(1)
    author.save("shooting.yaml", ("tables:", f"tabels: {'long' * 60}\ntables:"))
    expect(page.locator(FAULTS)).to_have_count(1)
    assert flaws(page, WIDTHS) == []
