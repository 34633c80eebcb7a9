"""Cones and bursts: their zones, ticks and words."""

from __future__ import annotations

from fractions import Fraction
from math import atan2, cos, degrees, hypot, radians, sin

import pytest
from beside import beside, written
from on_cutouts import arrows, contours, labels

from rulebook.cutouts.shapes import draw
from rulebook.drawing.elements import Line
from rulebook.drawing.shapes import Drawing, Label, bounds
from rulebook.model.cutouts import Burst, Cone

INCH = Fraction("25.4")


def words_on(drawing: Drawing) -> dict[str, Label]:
    return {shape.text: shape for shape in drawing.shapes if isinstance(shape, Label)}


def test_every_zone_says_its_kill_number_name_and_reach_upright_for_the_gunner(cone: Cone) -> None:
    words = words_on(draw(cone))
    for kills, name, reach in (
        ("4+", "Near", "to 5½″"),
        ("5+", "Middle", "to 12″"),
        ("6+", "Far", "to 24″"),
    ):
        assert words[kills].rotation == words[name].rotation == words[reach].rotation == 90
        assert words[kills].x > words[name].x > words[reach].x


def test_words_of_a_zone_lie_in_it(cone: Cone) -> None:
    words = words_on(draw(cone))
    zones = {"4+": (0.0, 139.7), "5+": (139.7, 304.8), "6+": (304.8, 609.6)}
    for kills, (start, end) in zones.items():
        _, top, _, bottom = map(float, bounds(words[kills]))
        label = words[kills]
        assert start < label.x < label.x + 0.7 * label.size < end  # a figure is 0.7 of its type
        width = 127 * float(words[kills].x) / 609.6  # at the narrow side of the number
        assert (127 - width) / 2 < top < bottom < (127 + width) / 2


def test_muzzle_title_and_imprint_are_on_its_face(cone: Cone) -> None:
    words = words_on(draw(cone, imprint="The Game, edition 2.0", use="Lay it down."))
    assert {"muzzle", "Canister cone", "The Game, edition 2.0", "Lay it down."} <= words.keys()
    assert words["muzzle"].x < 60
    slope = degrees(atan2(2.5, 24))
    assert words["Canister cone"].rotation == pytest.approx(slope)


def test_the_nearest_zone_has_the_darkest_tint(cone: Cone) -> None:
    assert [tint.fill for tint in contours(draw(cone), "tint")] == [3, 2, 1]


def test_a_long_use_that_would_crowd_the_number_is_left_out(cone: Cone) -> None:
    use = "word " * 200
    assert not any("word" in text for text in words_on(draw(cone, use=use)))


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


def test_a_number_of_the_ruler_just_above_words_is_kept() -> None:
    cone = Cone.model_validate(beside(__file__, "wide"))
    assert "10 cm" in words_on(draw(cone))


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


def a_burst(**changes: object) -> Burst:
    return Burst.model_validate(beside(__file__, "burst") | changes)


def texts(drawing: Drawing) -> list[str]:
    return [label.text for label in labels(drawing)]


@pytest.mark.parametrize("count", [2, 3, 4, 7, 12])
def test_sectors_are_equal_and_the_first_is_centred_away_from_the_gun(count: int) -> None:
    drawing = draw(a_burst(ring=[str(score) for score in range(7, 7 + count)]))
    lines = [
        shape for shape in drawing.shapes if isinstance(shape, Line) and shape.layer == "score"
    ]
    assert len(lines) == count
    for index, line in enumerate(lines):
        angle = radians(360 / count * (index + 0.5))  # clockwise from straight up
        for x, y, radius in ((line.x1, line.y1, 25.4), (line.x2, line.y2, 76.2)):
            assert x == pytest.approx(76.2 + radius * sin(angle))
            assert y == pytest.approx(76.2 - radius * cos(angle))


def test_scores_stand_clockwise_from_the_sector_farthest_from_the_gun(burst: Burst) -> None:
    by_score = {label.text: label for label in labels(draw(burst)) if label.weight == "bold"}
    top, right, below, left = (by_score[score] for score in "5432")
    assert top.y < 50 and below.y > 100
    assert left.x < 50 and right.x > 100
    assert top.x == pytest.approx(76.2) == pytest.approx(float(below.x))
    assert by_score["6"].x == pytest.approx(76.2)
    assert all(by_score[score].size > 20 for score in "65432")


def test_each_sector_says_what_kills(burst: Burst) -> None:
    assert texts(draw(burst)).count("4+ kills") == 5


def test_the_face_says_misfire_title_imprint_and_where_the_gun_is(burst: Burst) -> None:
    told = texts(draw(burst, imprint="The Game, 2.0"))
    expected = ("1: misfire", "Shell burst indicator", "The Game, 2.0", "away from", "the gun")
    assert set(expected) <= set(told)


def test_no_misfire_where_all_faces_are_used_or_the_die_is_another() -> None:
    assert not any(
        "misfire" in text for text in texts(draw(a_burst(ring=["5", "4", "3", "2", "1"])))
    )
    assert not any("misfire" in text for text in texts(draw(a_burst(ring=["5", "8"]))))
    assert "1–2: misfire" in texts(draw(a_burst(ring=["5", "4", "3"])))


def test_the_arrow_points_outward_in_the_first_sector(burst: Burst) -> None:
    ((tip, *foot),) = arrows(draw(burst))
    assert tip[0] == pytest.approx(76.2)
    assert all(tip[1] < point[1] < 25.4 for point in foot)


@pytest.mark.parametrize("title", ["Shell burst", "A very long title " * 8])
@pytest.mark.parametrize("count", [2, 3, 4, 5, 12])
@pytest.mark.parametrize(("whole", "centre"), [("6in", "2in"), ("1in", "5mm"), ("3m", "2.9m")])
def test_words_stay_within_the_disc(whole: str, centre: str, count: int, title: str) -> None:
    burst = a_burst(
        title=title,
        diameter=whole,
        centre={"score": "99", "diameter": centre},
        ring=[str(score) for score in range(1, 1 + count)],
    )
    drawing = draw(burst, imprint="The American Civil War Game, edition 2.0")
    radius = float(drawing.width) / 2
    for label in labels(drawing):
        left, top, right, bottom = map(float, bounds(label))
        middle = ((left + right) / 2 - radius, (top + bottom) / 2 - radius)
        assert hypot(*middle) < radius
