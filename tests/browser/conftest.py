"""One Chromium for all tests of a worker, and one site for all workers, kept for the next run."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from in_browser import OpenPage, build_site, chromium, opener
from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def site() -> Path:
    """The output folder with all of the shipped rulesets."""
    return build_site(Path(__file__).parents[2], Path(os.environ["RULEBOOK_CACHE"]) / "site")


@pytest.fixture
def open_page(browser: Browser, site: Path) -> Iterator[OpenPage]:
    with opener(browser, site) as open_page:
        yield open_page
