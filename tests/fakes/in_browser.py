"""A site as it is built -> its pages in a real Chromium, and what is wrong with them.

A page fails a test for what a reader would not see: a fault that a script or the browser reports,
what the policy of the page refuses, and any request for what does not lie in the site.
"""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from click.testing import CliRunner
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from rulebook.cli import cli

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
#: In px.
TELEPHONE, DESKTOP = (390, 844), (1280, 900)
#: From a narrow telephone to a wide desktop.
WIDTHS = (320, 390, 600, 768, 1024, 1280, 1600)
#: Builds on a machine that is busy take their time; in ms.
PATIENCE = 60_000
#: Opens a page by its path in the site or a whole address; see `opener`.
OpenPage = Callable[..., Page]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's, or that which CHROMIUM names.

    Where there is none the test is skipped; it fails where CI is set, and as root, who may install
    one.
    """
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if program is None:
        needed = os.environ.get("CI") or (hasattr(os, "geteuid") and os.geteuid() == 0)
        (pytest.fail if needed else pytest.skip)("no Chromium; type: apt-get install chromium")
    with sync_playwright() as playwright:
        # What was printed before in this process has told Fontconfig of no fonts but the books'.
        own = {name: one for name, one in os.environ.items() if name != "FONTCONFIG_FILE"}
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS), env=own)
        yield browser
        browser.close()


def build_site(checkout: Path, out: Path) -> Path:
    """Build all rulesets of a checkout as `make` does; of workers that share `out` one builds it.

    A new `out` begins as a copy of what `make` has built. A build knows again what it has kept if
    it is in the same folder: paths are part of what it reads.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.with_suffix(".lock").open("w") as lock, chdir(checkout):
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not out.exists() and Path("output").exists():
            shutil.copytree("output", out)
        result = CliRunner().invoke(cli, ["--quiet", "build", "--out", str(out)])
    assert result.exit_code == 0, result.output
    return out


@contextmanager
def opener(browser: Browser, site: Path, *ours: str) -> Iterator[OpenPage]:
    """What opens pages, each as a new visitor; at the end none may have done what it should not,
    but for faults with some words of `ours`.

    A page is on a desktop unless `size` says otherwise; `within` is another site. All else goes
    to the browser: color_scheme="dark", reduced_motion="reduce", java_script_enabled=False,
    locale="en-US", has_touch=True.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_page(
        path: str, *, within: Path = site, size: tuple[int, int] = DESKTOP, **how: object
    ) -> Page:
        width, height = size
        context = browser.new_context(viewport={"width": width, "height": height}, **how)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        watch(page, faults, within)
        page.goto(path if "://" in path else f"{within.resolve().as_uri()}/{path}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [one for one in faults if not any(words in one for words in ours)] == []


def watch(page: Page, faults: list[str], site: Path) -> None:
    """Note what a page should not do; what its policy refuses the console tells as an error."""
    own = (f"{site.resolve().as_uri()}/", "data:", "blob:", "http://127.0.0.1:")

    def requested(url: str) -> None:
        if not url.startswith(own):
            faults.append(f"{page.url}: request off the site: {url[:200]}")

    def told(kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            faults.append(f"{page.url}: {kind} on the console: {text[:300]}")

    page.on("request", lambda one: requested(one.url))
    page.on("requestfailed", lambda one: faults.append(f"{page.url}: not loaded: {one.url[:200]}"))
    page.on("console", lambda one: told(one.type, one.text))
    page.on("pageerror", lambda one: faults.append(f"{page.url}: error in a script: {one}"))


def flaws(page: Page, widths: Sequence[int] = ()) -> list[str]:
    """What axe-core finds wrong, and where a page scrolls sideways: as it is, or at some widths."""
    size, found = page.viewport_size, axe_faults(page)
    if not widths:
        return [*found, *(f"{page.url}: {fault}" for fault in beyond(page))]
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(100)
        found += [f"{page.url} at {width} px: {fault}" for fault in beyond(page)]
    page.set_viewport_size(size)
    return found


def tab_to(page: Page, selector: str, most: int = 120) -> None:
    """Press the tabulator until an element has the focus."""
    for _ in range(most):
        if page.evaluate("one => document.activeElement.matches(one)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not reached")


def axe_faults(page: Page) -> list[str]:
    """What axe-core finds wrong: the rule, in how many places, and the first three of them."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{page.url}: {one['id']}: {one['help']} ({len(one['nodes'])})"
        + "".join(f"\n  {'; '.join(map(str, node['target']))}" for node in one["nodes"][:3])
        for one in found
    ]


def beyond(page: Page) -> list[str]:
    """Where a page scrolls sideways, how wide it is and the first elements that are too wide."""
    return page.evaluate(
        """() => {
            const root = document.documentElement
            if (root.scrollWidth <= root.clientWidth) return []
            const clipped = one => {
                for (let at = one.parentElement; at; at = at.parentElement)
                    if (getComputedStyle(at).overflowX !== 'visible') return true
                return false
            }
            const wide = [...document.body.querySelectorAll('*')].filter(one =>
                one.getBoundingClientRect().right > root.clientWidth + 1 && !clipped(one))
            return [`${root.scrollWidth} px`, ...wide.slice(0, 5).map(one =>
                `${one.tagName.toLowerCase()} class=${one.getAttribute('class')} id=${one.id}`)]
        }"""
    )
