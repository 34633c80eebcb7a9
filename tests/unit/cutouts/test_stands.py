"""Bases, trays and markers: every piece by itself, and all of them in rows."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from math import hypot
from typing import Any, get_args

import pytest
from calls import at_most
from on_cutouts import arrows, circles, contours, expect_words_on, labels, points
from pydantic import ValidationError
from read_svg import read_svg

from rulebook.cutouts.markers import SMALLEST as SMALLEST_TYPE
from rulebook.cutouts.shapes import draw, pieces
from rulebook.drawing.elements import Line
from rulebook.drawing.layers import svg
from rulebook.drawing.shapes import Drawing, Stamp, bounds
from rulebook.drawing.small_pictures import miniature
from rulebook.drawing.svg import svg_elements, svg_text
from rulebook.model.cutouts import Markers, StandBase, Terrain, Tray

INCH = Fraction("25.4")


def base(**more: Any) -> StandBase:
    return StandBase.model_validate({"shape": "base", "title": "Base", **more})


def tray(**more: Any) -> Tray:
    data = {"shape": "tray", "title": "Tray", "files": "2", "ranks": "1"}
    return Tray.model_validate({**data, **more})


def markers(*faces: dict[str, Any], **size: str) -> Markers:
    data = {"shape": "markers", "title": "Tokens", "size": size or {"diameter": "20mm"}}
    return Markers.model_validate({**data, "faces": faces})


def test_a_base_comes_as_often_as_it_is_wanted_and_is_exact() -> None:
    drawn = pieces(base(width="2in", depth="1 1/4in", copies="5", name="44th Foot", figures="6"))
    assert len(drawn) == 5 and len(set(drawn)) == 1
    (cut,) = contours(drawn[0], "cut")
    right, bottom = 2 * INCH, INCH * 5 / 4
    assert points(cut) == [(0, 0), (right, 0), (right, bottom), (0, bottom)] and cut.closed
    assert [one.text for one in labels(drawn[0])] == ["44th Foot", "6 figures"]


def test_a_round_base_has_its_front_at_the_top() -> None:
    (drawn,) = pieces(base(diameter="25mm", front="true", figures="1"))
    assert circles(drawn, "cut") == [(Fraction(25, 2),) * 3]
    ((tip, foot, _),) = arrows(drawn)
    assert tip[0] == Fraction(25, 2)
    assert tip[1] < foot[1] < 6
    assert [one.text for one in labels(drawn)] == ["1 figure"]


@pytest.mark.parametrize("name", ["w" * 200, "Ж " * 90, "a"])
@pytest.mark.parametrize("size", [{"diameter": "5mm"}, {"width": "2in", "depth": "6mm"}])
def test_what_has_no_room_on_a_base_is_left_out(name: str, size: dict[str, str]) -> None:
    (drawn,) = pieces(base(**size, name=name, front="true", figures="1000"))
    expect_words_on(drawn, 0.5)


def test_a_tray_without_rim_is_as_large_as_its_stands() -> None:
    drawn = draw(tray(stand={"width": "2in", "depth": "1 1/4in"}, files="4", ranks="2"))
    assert (drawn.width, drawn.height) == (8 * INCH, INCH * 5 / 2)
    (cut,) = contours(drawn, "cut")
    assert len(cut.corners) == 4 and not any(one.turn for one in cut.corners)
    assert {points(one)[0] for one in contours(drawn, "engrave")} == {
        (2 * INCH * file, INCH * 5 / 4 * rank) for file in range(4) for rank in (0, 1)
    }
    told = [one.text for one in drawn.measures]
    assert told == ["8″", "2½″"]


def test_a_sabot_has_its_holes_to_the_millimetre() -> None:
    made = tray(
        stand={"diameter": "25mm"}, files="4", ranks="2", gap="3mm", lip="4mm", holes="true"
    )
    drawn = draw(made)
    assert (drawn.width, drawn.height) == (4 * 25 + 3 * 3 + 2 * 4, 2 * 25 + 3 + 2 * 4)
    assert circles(drawn, "cut") == [
        (4 + 12.5 + 28 * file, 4 + 12.5 + 28 * rank, 12.5) for rank in (0, 1) for file in range(4)
    ]
    rim = contours(drawn, "cut")[0]
    assert [one.turn for one in rim.corners] == [0, 90] * 4
    assert bounds(rim) == pytest.approx((0, 0, 117, 61))


def test_round_stands_without_holes_are_not_shown_in_a_small_picture() -> None:
    rounds = []
    for holes in ("false", "true"):
        drawn = draw(tray(stand={"diameter": "25mm"}, gap="2mm", lip="2mm", holes=holes))
        rounds.append(len(re.findall(r'd="[^"]*C', svg_text(miniature(drawn, 60)))))
    assert rounds == [1, 3], "the rim, and two holes"


def test_a_tray_of_one_stand_needs_no_gap_for_its_hole() -> None:
    tray(stand={"diameter": "25mm"}, files="1", lip="2mm", holes="true")
    with pytest.raises(ValidationError, match="the lip is 0 mm"):
        tray(stand={"diameter": "25mm"}, files="1", holes="true")


def test_each_marker_is_a_piece_of_its_own_in_order() -> None:
    made = markers(
        {"text": "Disordered", "copies": "3"}, {"numbers": "1-3, 9", "copies": "2"}, {"up_to": "2"}
    )
    told = [" ".join(one.text for one in labels(drawn)) for drawn in pieces(made)]
    assert told == ["Disordered"] * 3 + ["1", "1", "2", "2", "3", "3", "9", "9", "1", "2"]
    for drawn in pieces(made):
        assert circles(drawn, "cut") == [(10, 10, 10)]


@pytest.mark.parametrize(
    ("number", "marked"), [("6", 1), ("9", 1), ("8", 0), ("1", 0), ("68", 1), ("16", 0), ("96", 1)]
)
def test_numbers_that_are_others_upside_down_are_underlined(number: str, marked: int) -> None:
    (drawn,) = pieces(markers({"numbers": number}))
    lines = [one for one in drawn.shapes if isinstance(one, Line)]
    assert len(lines) == marked
    (label,) = labels(drawn)
    for line in lines:
        assert label.y < line.y1 == line.y2
        ends = [hypot(float(x) - 10, float(line.y1) - 10) for x in (line.x1, line.x2)]
        assert max(ends) < 9.5, "within the edge"


WORDS = ["Disordered", "First volley spent", "On fire", "W" * 9, "Ждать приказа", "a b c d e f g"]


@pytest.mark.parametrize("size", [{"diameter": "24mm"}, {"width": "40mm", "depth": "12mm"}])
@pytest.mark.parametrize("words", WORDS)
def test_words_are_as_large_as_the_marker_takes_and_stay_on_it(
    words: str, size: dict[str, str]
) -> None:
    (drawn,) = pieces(markers({"text": words}, **size))
    lines = labels(drawn)
    assert " ".join(one.text for one in lines) == words, "every word whole"
    assert len({one.size for one in lines}) == 1 and lines[0].size >= SMALLEST_TYPE
    for label in lines:
        left, _, right, _ = (float(side) for side in bounds(label))
        assert left >= 0 and right <= drawn.width
        below = 0.24 if set("gjpqyДЖд") & set(label.text) else 0.02
        assert label.y - 0.7 * label.size >= 0
        assert label.y + below * label.size <= drawn.height
        if "diameter" in size:
            for x in (left, right):
                for y in (label.y, label.y - 0.698 * label.size):
                    assert ((x - 12) ** 2 + (float(y) - 12) ** 2) ** 0.5 <= 12, label


@pytest.mark.parametrize("text", ["x" * 200, "no room " * 24, "Ж" * 60])
def test_words_that_have_no_room_at_six_points_are_refused(text: str) -> None:
    (drawn,) = pieces(markers({"text": text}, diameter="15mm"))
    assert [(words.words, words.at) for words in drawn.unset] == [
        (text.strip(), ("faces", 0, "text"))
    ]
    assert pytest.approx(SMALLEST_TYPE) == 6 * 25.4 / 72


def test_only_words_that_have_no_room_themselves_are_refused() -> None:
    drawn = pieces(markers({"text": "x" * 200}, {"text": "Fired"}, {"numbers": "1"}))
    assert [len(piece.unset) for piece in drawn] == [1, 0, 0]


def stamps(drawn: Drawing) -> list[Stamp]:
    return [one for one in drawn.shapes if isinstance(one, Stamp)]


@pytest.mark.parametrize("size", [{"diameter": "20mm"}, {"width": "25mm", "depth": "14mm"}])
def test_a_symbol_stands_beside_its_words_and_on_the_marker(size: dict[str, str]) -> None:
    faces = [{"text": "On fire", "symbol": "flame"}, {"text": "Moved", "symbol": "move"}]
    drawn = pieces(markers(*faces, {"up_to": "12"}, **size))
    for one in drawn[:2]:
        (stamp,) = stamps(one)
        left, top, right, bottom = map(float, bounds(stamp))
        assert left >= 0 and top >= 0 and right <= one.width and bottom <= one.height
        assert right - left == pytest.approx(bottom - top) and right - left > 3
        for label in labels(one):
            box = [*map(float, bounds(label))]
            ink = float(label.y) - 0.7 * float(label.size)
            assert box[0] >= right or box[2] <= left or ink >= bottom or label.y <= top
    sizes = {label.size for one in drawn[:2] for label in labels(one)}
    numbers = {label.size for one in drawn[2:] for label in labels(one)}
    assert len(sizes) == len(numbers) == 1 and min(sizes) >= SMALLEST_TYPE


@pytest.mark.parametrize("terrain", get_args(Terrain))
def test_tiles_are_drawn_in_both_inks_with_room_for_their_words(terrain: str) -> None:
    face = {"text": "Ground", "terrain": terrain}
    (tile,) = pieces(markers(face, width="3in", depth="3in"))
    (stamp,) = stamps(tile)
    assert bounds(stamp) == pytest.approx((0, 0, 76.2, 76.2))
    (label,) = labels(tile)
    assert bounds(label)[1] > 60, "at the foot"
    assert min(len(stamp.full), len(stamp.low)) >= 3
    colours = set(re.findall(r"#[0-9a-f]{6}", svg_elements(stamp.low)))
    assert colours <= {"#000000", "#ffffff"}
    assert stamp.full != stamp.low


def test_a_picture_needs_a_text_and_terrain_a_rectangle() -> None:
    for faces, size in (
        ({"up_to": "3", "symbol": "flame"}, {"diameter": "20mm"}),
        ({"text": "Hill", "terrain": "hill", "symbol": "eye"}, {"width": "3in", "depth": "3in"}),
        ({"text": "Hill", "terrain": "hill"}, {"diameter": "3in"}),
    ):
        with pytest.raises(ValidationError):
            markers(faces, **size)


def test_the_small_picture_shows_each_face_once() -> None:
    drawing = draw(markers({"text": "Fired", "copies": "50"}, {"numbers": "1-6", "copies": "20"}))
    small = read_svg(miniature(drawing, 84))
    assert small.text() == ["Fired", *"123456"]
    assert len(read_svg(svg(drawing)).words) == 50 + 6 * 20


def test_many_markers_are_drawn_at_once() -> None:
    with at_most(calls=5_000_000):
        made = markers(
            *({"text": f"{'word ' * 20}{n}", "copies": "6"} for n in range(60)), diameter="5cm"
        )
        assert len(pieces(made)) == 360


@pytest.mark.parametrize("count", range(2, 25))
def test_rows_of_the_small_picture_have_as_many_counters_or_one_less(count: int) -> None:
    drawing = draw(markers({"up_to": str(count)}), imprint="", use="")
    assert drawing.picture is not None
    rows = sorted(Counter(y for _, y, _ in circles(drawing.picture, "cut")).items())
    counts = [number for _, number in rows]
    assert sum(counts) == count
    assert counts == sorted(counts, reverse=True) and counts[0] - counts[-1] <= 1
    assert counts[-1] > 1
