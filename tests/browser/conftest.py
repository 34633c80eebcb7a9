"""One Chromium for all tests of a worker, and one site for all workers, kept for the next run."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from in_browser import OpenPage, build_site, chromium, opener
from playwright.sync_api import Browser

from rulebook.packaged import content_folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def site() -> Path:
    """The output folder with all of the shipped rulesets; begun with what `make` built."""
    kept = Path(os.environ["RULEBOOK_CACHE"]) / "site"
    return build_site(content_folder(), kept, begun=Path(__file__).parents[2] / "output")


@pytest.fixture
def open_page(browser: Browser, site: Path) -> Iterator[OpenPage]:
    with opener(browser, site) as open_page:
        yield open_page
