from __future__ import annotations

from math import cos, hypot, radians, sin

import pytest
from beside import beside
from on_cutouts import arrows, labels

from rulebook.cutouts.shapes import draw
from rulebook.drawing.shapes import Drawing, Line, bounds
from rulebook.model.cutouts import Burst


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
