"""SVG of ours becomes elements; anything else is refused, never passed over."""

from __future__ import annotations

import pytest
from beside import beside

from rulebook.drawing.elements import Group
from rulebook.drawing.reader import OutsideDialect, read_svg
from rulebook.drawing.svg import svg_root


def drawn(body: str) -> str:
    return svg_root((-8, -4, 100, 50), "Title & more", "Told", body, fonts="Spectral, serif")


def only(body: str) -> object:
    (element,) = read_svg(drawn(body)).elements
    return element


def test_a_group_hands_down_its_paint() -> None:
    group = only(
        '<g class="cut" fill="none" stroke="#ff0000" stroke-width="0.5" stroke-linejoin="round">'
        '<line x1="1" y1="2" x2="3.5" y2="4" stroke-dasharray="1 0.8"/>'
        '<polygon points="0,0 1,0 1,1" fill="#00ff00" stroke="none"/></g>'
    )
    assert isinstance(group, Group) and group.matrix is None and group.window is None
    line, polygon = group.elements
    assert line.steps == (("M", (1, 2)), ("L", (3.5, 4)))
    assert (line.paint.fill, line.paint.stroke, line.paint.width) == (None, (1, 0, 0), 0.5)
    assert (line.paint.dash, line.paint.join, line.paint.cap) == ((1, 0.8), "round", "butt")
    assert [name for name, _ in polygon.steps] == ["M", "L", "L", "Z"]
    assert (polygon.paint.fill, polygon.paint.stroke) == ((0, 1, 0), None)


def test_points_after_the_first_of_a_path_are_led_to_by_lines() -> None:
    path = only('<path d="M0,0 1,0C1,1 2,2 3,3 4,4 5,5 6,6L7,7ZM8,8 9,9" fill="#000000"/>')
    assert "".join(name for name, _ in path.steps) == "MLCCLZML"


def test_a_quadratic_curve_becomes_the_same_as_a_cubic_one() -> None:
    path = only('<path d="M0,0Q3,6 6,0"/>')
    assert path.steps[1] == ("C", (2, 4, 4, 4, 6, 0))


def test_the_first_transformation_is_the_outermost() -> None:
    group = only('<g transform="translate(10 20) rotate(-90)"><path d="M1,0 2,0"/></g>')
    assert group.matrix == (0, -1, 1, 0, 10, 20)
    turned = only('<path d="M1,0 2,0" transform="rotate(90 5 5)"/>')
    assert turned.matrix == (0, 1, -1, 0, 10, 0)


def test_a_window_is_found_by_its_name() -> None:
    _, group = read_svg(
        drawn(
            '<g><defs><clipPath id="w"><rect x="1" y="2" width="3" height="4"/></clipPath></defs>'
            '</g><g clip-path="url(#w)"/>'
        )
    ).elements
    assert group.window == (1, 2, 3, 4)


@pytest.mark.parametrize(
    "body",
    beside(__file__, "what_we_do_not_write_is_refused"),
)  # fmt: skip
def test_what_we_do_not_write_is_refused(body: str) -> None:
    with pytest.raises(OutsideDialect):
        read_svg(drawn(body))


@pytest.mark.parametrize(
    "svg",
    beside(__file__, "a_unit_is_a_millimetre_or_it_is_no_drawing"),
)
def test_a_unit_is_a_millimetre_or_it_is_no_drawing(svg: str) -> None:
    with pytest.raises(OutsideDialect):
        read_svg(svg)
