"""The two cutouts of the shipped ruleset, as an author writes them."""

import pytest
from beside import as_written

from rulebook.model.cutouts import Burst, Cone

CONE = as_written(__file__, "cone")
BURST = as_written(__file__, "burst")


@pytest.fixture
def cone() -> Cone:
    return Cone.model_validate(CONE)


@pytest.fixture
def burst() -> Burst:
    return Burst.model_validate(BURST)
