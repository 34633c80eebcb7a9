"""One Chromium for all tests of a worker, and one site for all workers, kept for the next run.

On a loaded machine Chromium has died between two pages: what found it dead is run once more.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from in_browser import OpenPage, build_site, chromium, opener
from playwright.sync_api import Browser

from rulebook.packaged import content_folder

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=["TargetClosedError"]))


@pytest.fixture(scope="session")
def running() -> Iterator[Callable[[], Browser]]:
    with chromium() as running:
        yield running


@pytest.fixture
def browser(running: Callable[[], Browser]) -> Browser:
    return running()


@pytest.fixture(scope="session")
def site() -> Path:
    """The output folder with all of the shipped rulesets."""
    return build_site(content_folder(), Path(os.environ["RULEBOOK_CACHE"]) / "site")


@pytest.fixture
def open_page(browser: Browser, site: Path) -> Iterator[OpenPage]:
    with opener(browser, site) as open_page:
        yield open_page
