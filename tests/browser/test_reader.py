"""A booklet on a screen: contents that follow, previews of links, tables that filter and scroll."""

import pytest
from in_browser import DESKTOP, TELEPHONE, flaws
from playwright.sync_api import Page, expect

from rulebook.documents.document_kind import CHART_PAGES

#: A long booklet with wide tables, changes, pictures and examples, by its folder.
ACW = "acw/2.1/booklet.html"
#: In px.
BAR = 56


def current(page: Page) -> str:
    return page.locator("#contents a[aria-current]").inner_text().split("\n")[-1]


def test_contents_follow_the_reading(open_page):
    page = open_page(ACW)
    expect(page.locator("#contents a[aria-current]")).to_have_count(0)
    for rule in ("melee", "canister", "distances"):
        page.evaluate("id => document.getElementById(id).scrollIntoView()", rule)
        expect(page.locator("#contents a[aria-current]")).to_have_attribute("href", f"#{rule}")
        expect(page.locator("#contents a[aria-current]")).to_be_in_viewport()
        told = page.locator(f"main #{rule}").inner_text().split()
        assert page.locator(".bar .here").inner_text().split() == told


def test_on_a_telephone_contents_are_behind_a_button(open_page):
    for script in (True, False):
        page = open_page(ACW, size=TELEPHONE, java_script_enabled=script)
        contents = page.locator("#contents")
        expect(contents).to_be_hidden()
        page.get_by_role("button", name="Contents").click()
        expect(contents).to_be_visible()
        contents.locator("a[href='#canister']").click()
        expect(page.locator("main #canister")).to_be_in_viewport()
        if script:
            expect(contents).to_be_hidden()
            page.get_by_role("button", name="Contents").click()
            page.keyboard.press("Escape")
            expect(contents).to_be_hidden()


@pytest.mark.parametrize("way", ["mouse", "keyboard", "touch"])
def test_links_show_where_they_lead(way, open_page):
    page = open_page(ACW, has_touch=way == "touch", size=TELEPHONE if way == "touch" else DESKTOP)
    link = page.locator("main .text a[href='#casualties']").first
    preview = page.locator(".preview")
    expect(preview).to_be_hidden()
    link.scroll_into_view_if_needed()
    if way == "mouse":
        link.hover()
    elif way == "keyboard":
        page.keyboard.press("Tab")  # from here on what has the focus shows it
        link.focus()
    else:
        link.tap()
    expect(preview).to_be_visible()
    expect(preview).to_contain_text("Which figures are hit")
    first = page.locator("main #casualties ~ .text p").first.inner_text()
    expect(preview).to_contain_text(first[:60])
    box = preview.bounding_box()
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
    assert box["y"] >= 0 and box["y"] + box["height"] <= height
    assert preview.locator("[id]").count() == 0
    page.keyboard.press("Escape")
    expect(preview).to_be_hidden()
    if way == "touch":
        link.tap()
        preview.locator(".to").tap()
        expect(page.locator("main #casualties")).to_be_in_viewport()
        assert page.url.endswith("#casualties")


def test_long_tables_are_filtered_by_rows_that_belong_together(open_page):
    page = open_page(ACW)
    assert page.locator(".filter").count() == page.evaluate(
        """() => [...document.querySelectorAll('main figure.table table')].filter(one =>
            one.tBodies[0].rows.length > 8 && !one.matches('.form')).length"""
    )
    figure = page.locator("#table-moves")
    rows = figure.locator("tbody tr")
    every = rows.count()
    box = figure.get_by_role("searchbox")
    box.fill("cavalry")
    told = [text.casefold() for text in figure.locator("tbody tr:visible").all_inner_texts()]
    assert 0 < len(told) < every and all("cavalry" in text for text in told)
    assert figure.locator("output").inner_text() == f"{len(told)} / {every}"
    box.fill("")
    assert figure.locator("tbody tr:visible").count() == every


@pytest.mark.parametrize("size", [DESKTOP, TELEPHONE])
def test_heads_stay_in_view(size, open_page):
    page = open_page(ACW, size=size)
    page.evaluate(
        """id => { const table = document.querySelector(id)
        scrollTo(0, table.getBoundingClientRect().top + scrollY + 60) }""",
        "#table-moves table",
    )
    assert page.locator("#table-moves thead").bounding_box()["y"] == pytest.approx(BAR, abs=1)


def test_frames_are_a_stop_of_the_keyboard_only_where_they_scroll(open_page):
    for size in (DESKTOP, (320, 700)):
        page = open_page(ACW, size=size)
        page.wait_for_function("document.querySelector('.scroll.fits')")
        stops = page.locator("main .scroll").evaluate_all(
            "all => all.map(one => [one.scrollWidth > one.clientWidth + 1, one.tabIndex === 0])"
        )
        assert all(scrolls == stop for scrolls, stop in stops)


def test_lines_are_as_long_as_one_reads_with_ease(open_page):
    """A line of the running text has 60 to 75 characters on a desktop."""
    page = open_page(ACW)
    measured = page.evaluate(
        """() => {
            const found = []
            for (const one of [...document.querySelectorAll('main .text > p')].slice(0, 80)) {
                const lines = new Map()
                const range = new Range()
                const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
                while (texts.nextNode()) for (let at = 0; at < texts.currentNode.length; at++) {
                    range.setStart(texts.currentNode, at)
                    range.setEnd(texts.currentNode, at + 1)
                    const top = Math.round(range.getBoundingClientRect().bottom / 12)
                    lines.set(top, (lines.get(top) ?? 0) + 1)
                }
                found.push(...[...lines.values()].slice(0, -1))
            }
            return found.sort((one, other) => one - other)
        }"""
    )
    assert 60 <= measured[len(measured) // 2] <= 75


def test_a_preview_has_no_fault_of_axe(open_page):
    page = open_page(ACW, size=TELEPHONE, color_scheme="dark")
    page.locator("main .text a[href='#casualties']").first.focus()
    assert flaws(page) == []


def test_it_prints_without_what_only_a_screen_has(open_page):
    page = open_page(ACW)
    page.emulate_media(media="print")
    for part in (".bar", "#contents", ".filter", "button.find"):
        assert page.locator(f"{part}:visible").count() == 0, part
    expect(page.locator("main #canister")).to_be_visible()


def test_charts_fit_a_telephone_in_type_that_can_be_read(open_page):
    """They are drawn for a screen: 11 px is the least that their words may come to on it."""
    for path in ("acw/2.1/scenarios/gettysburg.html", "acw/2.1/booklet.html"):
        page = open_page(path, size=(360, 800))
        charts = page.locator("figure.chart svg").all()
        assert charts
        for chart in charts:
            drawn, wide = chart.evaluate(
                "one => [one.getBoundingClientRect().width, parseFloat(one.getAttribute('width'))]"
            )
            natural, size = CHART_PAGES[None]
            assert wide == natural
            assert size * 96 / 72 * drawn / (natural * 96 / 25.4) >= 11
            frame = chart.locator("..")
            assert frame.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_what_goes_on_at_the_right_fades_there_until_its_end(open_page):
    page = open_page("acw/2.1/scenarios/gettysburg.html", size=(360, 800))
    fade = "one => getComputedStyle(one).getPropertyValue('--more')"
    frame = page.locator("#schedule")
    assert frame.evaluate("one => one.scrollWidth > one.clientWidth")
    assert frame.evaluate(fade) != "0px"
    frame.evaluate("one => { one.scrollLeft = one.scrollWidth }")
    page.wait_for_timeout(100)
    assert frame.evaluate(fade) == "0px"
    assert page.locator("figure.chart .scroll").first.evaluate(fade) == "0px"
