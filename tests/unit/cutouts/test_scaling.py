from __future__ import annotations

from fractions import Fraction

import pytest
from beside import beside

from rulebook.cutouts.changed_parameters import scaled
from rulebook.model.cutouts import Burst, Cone
from rulebook.model.lengths import parse_scale
from rulebook.model.sticks import Sleeve, Stick
from rulebook.quantities import QuantityError

STICK = beside(__file__, "stick")


def test_a_cone_for_figures_half_as_high_is_half_as_long(cone: Cone) -> None:
    half = scaled(cone, Fraction(1, 2))
    assert (str(half.length), str(half.base)) == ("12″", "2½″")
    assert [str(zone.to) for zone in half.zones[:-1]] == ["2¾″", "6″"]
    assert [zone.kills for zone in half.zones] == [zone.kills for zone in cone.zones]
    assert half.title == cone.title


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(7, 11), Fraction(5, 2)])
def test_lengths_are_multiplied_exactly(cone: Cone, burst: Burst, scale: Fraction) -> None:
    assert scaled(cone, scale).length.mm == cone.length.mm * scale
    assert scaled(cone, scale).zones[0].to.mm == cone.zones[0].to.mm * scale  # type: ignore[union-attr]
    assert scaled(burst, scale).centre.diameter.mm == burst.centre.diameter.mm * scale
    assert scaled(burst, scale).ring == burst.ring


def test_rods_and_the_width_of_sticks_stay() -> None:
    rod = scaled(Stick.model_validate(STICK), Fraction(1, 2))
    assert str(rod.rod) == "½″" and str(rod.length) == "10″"
    assert [str(mark.to) for mark in rod.listed] == ["4″", "8¾″"]
    assert [str(mark.target) for mark in rod.listed] == ["4+", "–"]
    flat = {**STICK, "width": "25mm", "fold": "9in"}
    del flat["rod"]
    strip = scaled(Stick.model_validate(flat), Fraction(2))
    assert (str(strip.width), str(strip.fold), str(strip.length)) == ("25 mm", "9″", "40″")
    tube = Sleeve.model_validate(
        {"shape": "sleeve", "title": "Sleeve", "length": "4in", "rod": "0.5in", "step": "1in"}
    )
    half = scaled(tube, Fraction(1, 2))
    assert (str(half.length), str(half.step), str(half.rod)) == ("2″", "½″", "½″")
    assert half.clearance == tube.clearance


@pytest.mark.parametrize(("text", "scale"), [("1/2", "1/2"), ("1.5", "3/2"), ("50%", "1/2")])
def test_scales_are_ratios(text: str, scale: str) -> None:
    assert parse_scale(text) == Fraction(scale)


@pytest.mark.parametrize("text", ["nan", "inf", "0", "-1", "1/0", "11", "1/11", "", "x", "1e3"])
def test_what_is_no_scale_is_refused(text: str) -> None:
    with pytest.raises(QuantityError) as raised:
        parse_scale(text)
    assert "such as 1/2" in raised.value.expected


def test_what_would_be_too_large_is_refused(cone: Cone) -> None:
    with pytest.raises(QuantityError, match="length is 240″"):
        scaled(cone, Fraction(10))
