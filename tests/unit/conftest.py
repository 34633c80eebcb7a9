"""The two cutouts of the shipped ruleset, as an author writes them."""

from __future__ import annotations

import pytest
from beside import written

from rulebook.model.cutouts.shapes import Burst, Cone

CONE = written(
    "{shape: cone, title: Canister cone, length: 24in, base: 5in, zones: [{name: Near, "
    "to: 5.5in, kills: 4+}, {name: Middle, to: 12in, kills: 5+}, {name: Far, kills: 6+}]}"
)
BURST = written(
    "{shape: burst, title: Shell burst indicator, diameter: 6in, centre: {score: 6, "
    "diameter: 2in}, ring: [5, 4, 3, 2], kills: 4+}"
)


@pytest.fixture
def cone() -> Cone:
    return Cone.model_validate(CONE)


@pytest.fixture
def burst() -> Burst:
    return Burst.model_validate(BURST)
