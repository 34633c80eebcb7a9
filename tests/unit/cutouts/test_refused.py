"""What makes no cutout: sizes that are none, or that no sheet or rod has."""

from __future__ import annotations

from typing import Any

import pytest
from beside import beside
from pydantic import BaseModel, ValidationError

from rulebook.model.cutouts import Disc, Markers
from rulebook.model.sticks import Sleeve
from rulebook.quantities import QuantityError

MODELS: dict[str, type[BaseModel]] = {"disc": Disc, "sleeve": Sleeve, "markers": Markers}
CASES = [(shape, one) for shape, those in beside(__file__, "refused").items() for one in those]


@pytest.mark.parametrize(("shape", "more"), CASES)
def test_what_makes_no_cutout_is_refused_where_it_stands(shape: str, more: dict[str, Any]) -> None:
    whole = {**beside(__file__, "whole")[shape], **more}
    with pytest.raises(ValidationError) as caught:
        MODELS[shape].model_validate(whole)
    told = caught.value.errors()[0]
    fault = told["ctx"]["error"]
    assert isinstance(fault, QuantityError)
    place = [*told["loc"], *fault.at]
    assert not place or place[0] in more
