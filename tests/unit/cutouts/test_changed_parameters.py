"""Other parameters and other scales, read and refused as an author's are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from beside import beside, written
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from rulebook.cutouts.changed_parameters import scaled, set_parameters
from rulebook.model.cutouts import Burst, Cone, Cutout, Disc, Markers
from rulebook.model.lengths import parse_scale
from rulebook.model.sticks import Sleeve, Stick
from rulebook.quantities import QuantityError, RollTarget

INCH = Fraction("25.4")


def test_what_a_cutout_carries_besides_stays(cone: Cone) -> None:
    noted = cone.model_validate(
        written(
            "{shape: cone, title: Cone, status: read, "
            "note: 'Our *reading* of {ranges.canister}.', use: Lay it., rule: canister, "
            "length: 7 1/3in, base: 55/48in, zones: [{name: A, to: 0.123456in, kills: never}, "
            "{name: B, kills: 6/4+}]}"
        )
    )
    assert set_parameters(noted, {}) == noted


def test_lengths_are_set_by_name(cone: Cone, burst: Burst) -> None:
    longer = set_parameters(cone, {"length": "28in", "base": "5.5in", "zones.near.to": "6.5in"})
    assert isinstance(longer, Cone)
    assert (longer.length.mm, longer.base.mm) == (28 * INCH, Fraction("5.5") * INCH)
    assert longer.zones[0].to is not None and longer.zones[0].to.mm == Fraction("6.5") * INCH
    assert longer.zones[1:] == cone.zones[1:]
    wider = set_parameters(burst, {"centre.diameter": "3in", "ring": "5, 4,3", "kills": "5+"})
    assert isinstance(wider, Burst)
    assert wider.centre.diameter.mm == 3 * INCH
    assert wider.ring == (5, 4, 3)
    assert wider.kills == RollTarget((5,))


def test_zones_of_one_name_go_by_number(cone: Cone) -> None:
    zones = tuple(zone.model_copy(update={"name": "—"}) for zone in cone.zones)
    nameless = cone.model_copy(update={"zones": zones})
    changed = set_parameters(nameless, {"zones.2.to": "13in"})
    assert isinstance(changed, Cone)
    assert changed.zones[1].to is not None and changed.zones[1].to.mm == 13 * INCH


STICK = Stick.model_validate(
    written(
        "{shape: stick, title: Stick, length: 61.5in, fold: 12in, ticks: false, "
        "marks: [{name: 'Near, white', to: 8 1/3in, colour: white, target: never}, "
        "{name: Far, to: 24in, target: -2}, {name: Far, to: 30in, letter: F, target: 12}]}"
    )
)


SLEEVE = Sleeve.model_validate(
    {"shape": "sleeve", "title": "Sleeve", "length": "4in", "rod": "0.5in"}
)


@pytest.mark.parametrize("cutout", [STICK, SLEEVE])
def test_any_shape_is_written_out_and_read_again_unchanged(cutout: Cutout) -> None:
    assert set_parameters(cutout, {}) == cutout


def test_marks_go_by_their_names_in_lower_case_or_by_number() -> None:
    changed = set_parameters(
        STICK, {"marks.near_white.to": "9in", "marks.3.colour": "red", "marks.2.target": "4+"}
    )
    assert [mark.to.mm for mark in changed.listed] == [9 * INCH, 24 * INCH, 30 * INCH]
    assert changed.listed[2].colour == "red"
    assert changed.listed[1].target == RollTarget((4,))
    assert changed.listed[0].target == RollTarget(())


def test_what_need_not_be_given_is_set_and_taken_away() -> None:
    assert set_parameters(SLEEVE, {"step": "1in"}).step is not None
    flat = set_parameters(STICK, {"fold": "~", "width": "30mm", "ticks": "true"})
    assert flat.fold is None and flat.ticks
    wrap = set_parameters(STICK, {"fold": "~", "rod": "0.5in"})
    assert wrap.rod is not None and wrap.rod.mm == INCH / 2


@pytest.mark.parametrize(
    ("values", "message", "expected"),
    beside(__file__, "what_makes_no_stick_is_told"),
)
def test_what_makes_no_stick_is_told(values: dict[str, str], message: str, expected: str) -> None:
    with pytest.raises(QuantityError) as caught:
        set_parameters(STICK, values)
    assert caught.value.message.startswith(message)
    assert expected in caught.value.expected


@pytest.mark.parametrize(("shape", "values", "told"), beside(__file__, "what_is_told"))
def test_what_makes_no_cone_and_no_burst_is_told(
    shape: str, values: dict[str, str], told: list[str], request: pytest.FixtureRequest
) -> None:
    with pytest.raises(QuantityError) as caught:
        set_parameters(request.getfixturevalue(shape), values)
    message, expected, hint = told
    assert caught.value.message == message
    assert expected in caught.value.expected
    assert hint in caught.value.hint


LETTERS = st.text(alphabet=st.characters(codec="utf-8"), max_size=30)


NAMES = st.sampled_from(["length", "base", "zones.near.to", "zones.far.kills"])


@given(st.dictionaries(NAMES | LETTERS, LETTERS))
def test_any_text_gives_a_cone_or_a_fault(values: dict[str, str]) -> None:
    cone = Cone.model_validate(
        written(
            "{shape: cone, title: Cone, length: 24in, base: 5in, zones: [{name: Near, "
            "to: 5in, kills: 4+}, {name: Far, kills: 6+}]}"
        )
    )  # fmt: skip
    try:
        assert isinstance(set_parameters(cone, values), Cone)
    except QuantityError as fault:
        assert fault.message


MARKED = beside(__file__, "stick")


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
    rod = scaled(Stick.model_validate(MARKED), Fraction(1, 2))
    assert str(rod.rod) == "½″" and str(rod.length) == "10″"
    assert [str(mark.to) for mark in rod.listed] == ["4″", "8¾″"]
    assert [str(mark.target) for mark in rod.listed] == ["4+", "–"]
    flat = {**MARKED, "width": "25mm", "fold": "9in"}
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
