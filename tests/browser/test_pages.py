"""Every page of every shipped ruleset, as a reader meets it in a browser."""

import re
from pathlib import Path

import pytest
from in_browser import TELEPHONE, WIDTHS, flaws
from playwright.sync_api import Page
from shipped_rulesets import SHIPPED

#: The ruleset that has most: a page of each kind.
LARGEST = "acw"
#: Of what a page might fetch from elsewhere.
KINDS = ("css", "js", "png")
POLICY = (
    r"default-src 'none'; script-src( 'none'|( 'sha256-[\w+/]{43}=')*( 'self')?); "
    r"style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; base-uri 'none'; "
    r"form-action 'none'(; worker-src blob:|(; (connect|manifest|worker)-src 'self')*)"
)


def pages_below(site: Path, start: str) -> list[str]:
    return sorted(path.relative_to(site).as_posix() for path in (site / start).rglob("*.html"))


def of_each_kind(site: Path) -> list[str]:
    """A page of each kind, of the edition that was printed last, and the way in to them."""
    edition = max((path.parent for path in (site / LARGEST).glob("*/manifest.json")), key=str)
    pages = pages_below(site, f"{LARGEST}/{edition.name}")
    kinds = {str(Path(path).parent) if "scenarios/" in path else path: path for path in pages}
    return ["index.html", f"{LARGEST}/index.html", *kinds.values()]


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_every_page_keeps_its_policy_and_is_open_to_everyone(ruleset, site, open_page):
    pages = pages_below(site, ruleset)
    assert pages
    for path in pages:
        page = open_page(path, size=TELEPHONE)
        policy = page.locator("meta[http-equiv='Content-Security-Policy']")
        assert re.fullmatch(POLICY, policy.get_attribute("content") or ""), path
        assert flaws(page) == []
        page.context.close()


def test_each_kind_of_page_scrolls_only_down_and_is_open_to_everyone_in_the_dark(site, open_page):
    for path in of_each_kind(site):
        page = open_page(path, color_scheme="dark")
        assert flaws(page, WIDTHS) == []
        page.context.close()


def ground_of(page: Page) -> str:
    return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")


def test_pages_are_dark_at_night_and_white_on_paper(open_page):
    pages = [f"{LARGEST}/2.1/{name}.html" for name in ("booklet", "qrs", "cards")]
    for path in ("index.html", f"{LARGEST}/index.html", *pages):
        page = open_page(path, color_scheme="dark")
        assert ground_of(page) == "rgb(25, 24, 22)"
        page.emulate_media(media="print", color_scheme="dark")
        assert ground_of(page) == "rgb(255, 255, 255)"
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(29, 27, 25)"


def test_the_policy_stops_what_content_might_bring(site, browser, tmp_path):
    """If ever a page let markup of strangers through, it would still not run or be fetched."""
    hostile = (
        "<script>window.ran = 1</script><script type=module>window.ran = 1</script>"
        "<img src=x onerror='window.ran = 1'><a id=link href='javascript:window.ran=1'>x</a>"
        "<iframe src='data:text/html,x'></iframe><img src='https://example.org/x.png'>"
        "<link rel=stylesheet href='https://example.org/x.css'>"
        "<script src='https://example.org/x.js'></script><base href='https://example.org/'>"
    )
    for path in of_each_kind(site):
        whole = (site / path).read_text("utf-8")
        at = tmp_path / "page.html"
        at.write_text(whole.replace("</body>", f"{hostile}</body>"), "utf-8")
        page, refused = browser.new_page(), dict[str, str | None]()
        page.on("requestfailed", lambda one, told=refused: told.update({one.url: one.failure}))
        page.goto(at.as_uri())
        page.locator("#link").evaluate("one => one.click()")
        page.wait_for_load_state()
        assert page.evaluate("window.ran") is None, path
        assert page.evaluate("document.baseURI") == at.as_uri()
        outside = {url: why for url, why in refused.items() if url.startswith("https:")}
        assert outside == dict.fromkeys((f"https://example.org/x.{k}" for k in KINDS), "csp")
        page.close()
