"""Marked elements -> bars at the edge of their frame, those with nothing between them as one."""

from xml.etree import ElementTree

import pytest

from rulebook.typefaces import SANS_BOLD
from rulebook.typeset.change_bars import bars_on, drawn, find_marked


def marked(body: str) -> list[tuple[str, str, bool]]:
    root = ElementTree.fromstring(f"<html><body>{body}</body></html>")
    return [(one.name, one.side, one.follows) for one in find_marked(root)]


FRAME = '<section data-bars="right" id="s">{}</section>'


def test_only_what_is_revised_in_a_frame_is_marked() -> None:
    assert marked('<p class="revised">outside</p>' + FRAME.format("<p>as it was</p>")) == []
    body = FRAME.format('<p id="a" class="text revised">one</p><p>two</p><p class="revised">3</p>')
    assert marked(body) == [("a", "right", False), ("bar-1", "right", False)]


def test_a_frame_may_be_marked_itself() -> None:
    assert marked('<div class="panel revised" data-bars="left">all</div>')[0][1] == "left"


@pytest.mark.parametrize(
    ("between", "follows"),
    [("", True), ("<p></p>", True), ("<p>words</p>", False), ("words", False), ("<svg/>", False)],
)
def test_bars_follow_one_another_with_nothing_between(between: str, follows: bool) -> None:
    body = FRAME.format(f'<p class="revised">a</p>{between}<p class="revised">b</p>')
    assert [one[2] for one in marked(body)] == [False, follows]


def test_bars_are_joined_over_any_room() -> None:
    root = ElementTree.fromstring(
        '<html><div data-bars="right" id="s"><p id="a" class="revised">a</p>'
        '<p id="b" class="revised">b</p><p>c</p><p id="d" class="revised">d</p></div></html>'
    )
    anchors = {"s": (0, 0, 100, 400), "a": (0, 0, 90, 40), "b": (0, 100, 90, 140)}
    anchors["d"] = (0, 200, 90, 240)
    found = bars_on(find_marked(root), anchors)
    assert [(bar.top, bar.bottom) for bar in found] == [(0, 105), (150, 180)]
    assert {bar.x for bar in found} == {100 * 0.75 + 7}
    nowhere = bars_on(find_marked(root), {"s": (0, 0, 100, 400)})
    assert nowhere == [], "what stands on another page has no bar on this one"


def test_a_bar_is_an_artefact_in_black_with_its_edition() -> None:
    root = ElementTree.fromstring('<html><p id="a" data-bars="left" class="revised">a</p></html>')
    operators = drawn(bars_on(find_marked(root), {"a": (40, 40, 90, 80)}), "2.0", 200).decode()
    assert operators.startswith("/Artifact BMC") and operators.endswith("EMC")
    assert operators.count("q") == operators.count("Q") and "0 g" in operators
    assert "30.00 m" not in operators and " 0.90 30.00 re f" in operators
    assert "rg" not in operators


def test_outlines_are_as_wide_as_their_letters() -> None:
    path, width = SANS_BOLD.outline("2.0", 10)
    assert 8 < width < 16 and path.count("h") == 4, "2, point, and both lines of the nought"
    assert SANS_BOLD.outline("", 10) == ("", 0)
