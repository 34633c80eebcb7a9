"""The small valid ruleset, loaded."""

from pathlib import Path

import pytest

from rulebook.loading.rulesets import load
from rulebook.model.ruleset import Ruleset

VALID = Path(__file__).parents[2] / "bad" / "valid" / "game"


@pytest.fixture(scope="session")
def ruleset() -> Ruleset:
    loaded = load(VALID)
    assert loaded.ruleset is not None
    return loaded.ruleset
