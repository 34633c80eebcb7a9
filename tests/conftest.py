"""Options of the whole test run, and the folder in which it keeps what it has built."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

#: What a run of the program is told of the folder where it keeps results.
CACHE = "RULEBOOK_CACHE"

# Before anything is run: every worker and every process that a test starts keeps what it has built
# for all others, and for the next run.
os.environ.setdefault(CACHE, str(Path(__file__).parents[1] / ".cache"))

# How long an example takes says more of the machine than of the program. A commit is judged in the
# same way each time; `--hypothesis-profile=new` looks for what the fixed examples do not find.
settings.register_profile("tests", deadline=None, derandomize=True, max_examples=40)
settings.register_profile("new", deadline=None)
settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--accept",
        action="store_true",
        help="take as right what is found: the reports of the faulty rulesets under tests/bad, "
        "and the pictures of pages under tests/visual",
    )


#: A small ruleset without a fault.
VALID = Path(__file__).parent / "bad" / "valid" / "game"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """It in a folder of its own, to lay files over."""
    return shutil.copytree(VALID, tmp_path / "game")


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty one instead, for a test of what is built and when, or of a program that is changed.

    Results are kept under the sources of the program: what a test puts in the place of a part of
    it is not seen in its key.
    """
    folder = tmp_path / "own cache"
    monkeypatch.setenv(CACHE, str(folder))
    return folder
