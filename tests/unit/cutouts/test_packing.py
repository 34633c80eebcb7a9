from __future__ import annotations

from fractions import Fraction

import pytest

from rulebook.cutouts.packing import Pieces, groups_of, tile
from rulebook.cutouts.shapes import draw
from rulebook.drawing.shapes import Label, bounds
from rulebook.model.sticks import Stick

INCH = Fraction("25.4")


def test_rows_and_columns_are_told_where_there_are_both() -> None:
    tiles = tile(500, 500, "a4")
    assert tiles.columns > 1 and tiles.rows > 1
    last = tiles.tiles[-1]
    count = tiles.columns * tiles.rows
    assert tiles.label(last) == f"{count} of {count}, row {tiles.rows}, column {tiles.columns}"


def test_the_sheet_lies_as_the_drawing_lies() -> None:
    assert tile(150, 100, "a4").landscape
    assert not tile(100, 150, "a4").landscape


def test_windows_are_as_long_as_the_paper_and_end_with_the_drawing() -> None:
    tiles = tile(24 * INCH, 5 * INCH, "a4").tiles
    room = 297 - 6 - 10 - 6 - 4 - 4
    assert [part.width for part in tiles] == [room, room, 24 * INCH - 2 * (room - 10)]
    assert [part.x for part in tiles] == [0, room - 10, 2 * (room - 10)]


@pytest.mark.parametrize("word", [(240, 262), (100, 262), (255, 259), (266, 268), (40, 500)])
def test_no_joint_comes_near_a_word_if_there_is_another_place(word: tuple[int, int]) -> None:
    words = [(Fraction(one), Fraction(0), Fraction(other), Fraction(5)) for one, other in [word]]
    first, second, *_ = tile(500, 20, "a4", words=words).tiles
    joint = second.x
    assert first.x + first.width == joint + 10, "they overlap by a centimetre"
    start, end = word
    away = end + 5 <= joint or joint + 15 <= start
    on_both = joint <= start and end <= joint + 10
    assert away or on_both or word == (40, 500)
    if word == (255, 259):
        assert on_both, "the farthest joint shows it on both windows"


@pytest.mark.parametrize("end", range(18, 25))
def test_no_name_stands_in_a_joint_where_its_marks_would_cross_it(end: int) -> None:
    marks = [{"name": "Max", "to": f"{end}in"}]
    made = draw(Stick.model_validate({"shape": "stick", "title": "S", "marks": marks}))
    (group,) = groups_of([Pieces("S", (made,))], "a4")
    joints = [float(view.tile.x) for view in group.views[1:]]
    shapes = group.views[0].drawing.shapes
    names = [bounds(one) for one in shapes if isinstance(one, Label) and one.text == "Max"]
    assert joints and names
    assert all(box[2] <= joint or joint + 10 <= box[0] for box in names for joint in joints)


def test_letter_is_exactly_letter() -> None:
    tiles = tile(10, 20, "letter")
    assert (tiles.sheet_width, tiles.sheet_height) == (Fraction("8.5") * INCH, 11 * INCH)
