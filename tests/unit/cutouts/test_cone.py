from __future__ import annotations

from fractions import Fraction
from math import atan2, degrees

import pytest
from beside import written
from on_cutouts import contours

from rulebook.cutouts.shapes import draw
from rulebook.drawing.shapes import Drawing, Label, Line, bounds
from rulebook.model.cutouts import Cone

INCH = Fraction("25.4")


def labels(drawing: Drawing) -> dict[str, Label]:
    return {shape.text: shape for shape in drawing.shapes if isinstance(shape, Label)}


def test_every_zone_says_its_kill_number_name_and_reach_upright_for_the_gunner(cone: Cone) -> None:
    words = labels(draw(cone))
    for kills, name, reach in (
        ("4+", "Near", "to 5½″"),
        ("5+", "Middle", "to 12″"),
        ("6+", "Far", "to 24″"),
    ):
        assert words[kills].rotation == words[name].rotation == words[reach].rotation == 90
        assert words[kills].x > words[name].x > words[reach].x


def test_words_of_a_zone_lie_in_it(cone: Cone) -> None:
    words = labels(draw(cone))
    zones = {"4+": (0.0, 139.7), "5+": (139.7, 304.8), "6+": (304.8, 609.6)}
    for kills, (start, end) in zones.items():
        _, top, _, bottom = map(float, bounds(words[kills]))
        label = words[kills]
        assert start < label.x < label.x + 0.7 * label.size < end  # a figure is 0.7 of its type
        width = 127 * float(words[kills].x) / 609.6  # at the narrow side of the number
        assert (127 - width) / 2 < top < bottom < (127 + width) / 2


def test_muzzle_title_and_imprint_are_on_its_face(cone: Cone) -> None:
    words = labels(draw(cone, imprint="The Game, edition 2.0", use="Lay it down."))
    assert {"muzzle", "Canister cone", "The Game, edition 2.0", "Lay it down."} <= words.keys()
    assert words["muzzle"].x < 60
    slope = degrees(atan2(2.5, 24))
    assert words["Canister cone"].rotation == pytest.approx(slope)


def test_the_nearest_zone_has_the_darkest_tint(cone: Cone) -> None:
    assert [tint.fill for tint in contours(draw(cone), "tint")] == [3, 2, 1]


def test_a_long_use_that_would_crowd_the_number_is_left_out(cone: Cone) -> None:
    use = "word " * 200
    assert not any("word" in text for text in labels(draw(cone, use=use)))


def test_the_ruler_ticks_every_inch_and_every_centimetre(cone: Cone) -> None:
    def ticks(drawing: Drawing) -> list[Fraction]:
        return [
            Fraction(shape.x1)
            for shape in drawing.shapes
            if isinstance(shape, Line) and shape.layer == "engrave"
        ]

    assert all((x / INCH).denominator == 1 for x in ticks(draw(cone)))
    metric = cone.model_validate(
        written(
            "{shape: cone, title: Grape, length: 30cm, base: 10cm, zones: [{name: All, kills: 4+}]}"
        )
    )
    assert len(ticks(draw(metric))) > 20
    assert all((x / 10).denominator == 1 for x in ticks(draw(metric)))


@pytest.mark.parametrize("zones", [1, 2, 8])
@pytest.mark.parametrize(("length", "base"), [("3m", "3m"), ("3m", "1mm"), ("1mm", "3m")])
def test_cones_of_any_proportion_are_drawn_exactly(zones: int, length: str, base: str) -> None:
    # the ends of the zones at equal distances
    whole = {"3m": Fraction(3000), "1mm": Fraction(1)}[length]
    ends = [f"{(whole * n / zones).limit_denominator(999)}mm" for n in range(1, zones)]
    cone = Cone.model_validate(
        {
            "shape": "cone",
            "title": "A very long title that goes on and on and never seems to end at all",
            "length": length,
            "base": base,
            "zones": [
                *({"name": f"Zone {n}", "to": end, "kills": "6/4+"} for n, end in enumerate(ends)),
                {"name": "Last", "kills": "never"},
            ],
        }
    )
    drawing = draw(cone, imprint="imprint", use="use it well")
    (outline,) = contours(drawing, "cut")
    assert bounds(outline) == (0, 0, drawing.width, drawing.height)
    assert drawing.width == whole
