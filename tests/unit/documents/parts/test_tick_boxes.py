"""Boxes to tick: large enough for a pencil, in rows within the card."""

from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from rulebook.documents.parts.tick_boxes import LINE, SIDE, draw_boxes, in_rows
from rulebook.typeset.environment import colours

SVG = "{http://www.w3.org/2000/svg}"


def test_two_groups_of_six_stand_side_by_side_on_a_poker_card() -> None:
    ticks = in_rows([[""] * 6] * 4, 57)
    assert [sum(tick.y == y for tick in ticks) for y in sorted({t.y for t in ticks})] == [12, 12]


def test_a_group_that_is_wider_than_a_row_is_broken() -> None:
    ticks = in_rows([[""] * 20], 38)
    assert len({tick.y for tick in ticks}) == 3


def test_a_long_label_widens_its_box() -> None:
    short, long = in_rows([["−1", "broken"]], 57)
    assert short.width == SIDE
    assert long.width > SIDE


@given(
    st.lists(
        st.lists(st.sampled_from(["", "", "", "10", "−2", "half"]), min_size=1, max_size=20),
        max_size=12,
    ),
    st.floats(20, 110),
)
def test_boxes_never_meet_nor_leave_the_card(groups: list[list[str]], width: float) -> None:
    ticks = in_rows(groups, width)
    assert [tick.label for tick in ticks] == [label for group in groups for label in group]
    for tick in ticks:
        assert tick.x >= LINE / 2 - 1e-9
        assert tick.x + tick.width + LINE / 2 <= width + 1e-6
    for one, other in pairwise(ticks):
        assert other.y > one.y or other.x >= one.x + one.width + 0.1


def test_the_drawing_is_told_to_those_who_do_not_see_it() -> None:
    svg = ElementTree.fromstring(
        draw_boxes([["", "\\-1 & <b>"]], 57, colours("#243b5e", "full"), "A & B")
    )
    title = svg.find(f"{SVG}title")
    assert title.text == "A & B: 2 boxes, box 2 marked -1 & <b>"
    assert [text.text for text in svg.iter(f"{SVG}text")] == ["-1 & <b>"]
