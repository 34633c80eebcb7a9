"""A small valid ruleset in a folder of its own, to lay files over."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

VALID = Path(__file__).parents[2] / "bad" / "valid" / "game"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The folder of a ruleset without a fault."""
    folder = tmp_path / "game"
    shutil.copytree(VALID, folder)
    return folder
