"""Every page of every shipped ruleset, as a reader meets it in a browser."""

import re
from pathlib import Path

import pytest
from in_browser import OpenPage, beyond
from playwright.sync_api import Page
from shipped_rulesets import SHIPPED

#: Narrow telephone to wide desktop, in px.
WIDTHS = (320, 390, 600, 768, 1024, 1280, 1600)


def pages_below(site: Path, start: str) -> list[str]:
    return sorted(path.relative_to(site).as_posix() for path in (site / start).rglob("*.html"))


def newest(site: Path, ruleset: str) -> list[str]:
    """The pages of the edition of a ruleset that was printed last, and its own."""
    folder = max((site / ruleset).glob("[0-9]*"), key=lambda path: path.name)
    own = [path for path in pages_below(site, ruleset) if path.count("/") == 1]
    return [*own, *pages_below(site, f"{ruleset}/{folder.name}")]


def fits(page: Page) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert beyond(page) == [], f"{page.url} at {width} px"


@pytest.mark.parametrize("ruleset", [".", *SHIPPED])
def test_pages_break_no_rule_of_their_policy_and_scroll_only_down(
    ruleset: str, site: Path, open_page: OpenPage
) -> None:
    pages = ["index.html"] if ruleset == "." else pages_below(site, ruleset)
    assert pages
    for path in pages:
        page = open_page(path)
        policy = page.locator("meta[http-equiv='Content-Security-Policy']").get_attribute("content")
        assert policy and policy.startswith("default-src 'none'; script-src"), path
        assert "unsafe-eval" not in policy and not re.search(r"script-src[^;]*unsafe", policy)
        fits(page)
