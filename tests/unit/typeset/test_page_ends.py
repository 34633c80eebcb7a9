"""Pages that end well: what changes places to fill them, and headings that go on.

A page has room for 100 mm. A line of text is 5 mm high, a heading 10 mm.
"""

import pytest

from rulebook.packaged import templates_folder
from rulebook.typeset.pdf import Layout, lay_out

STYLE = """
@page { size: 100mm 100mm; margin: 0 }
body, p, h2, h3, figure, section { margin: 0; font: 3mm/5mm 'Spectral' }
body { orphans: 2; widows: 2 }
h2, h3 { height: 10mm; break-after: avoid }
figure { break-inside: avoid }
"""


def text(name: str, lines: int, words: str = "word") -> str:
    """A text of one paragraph of so many lines."""
    said = "<br/>".join([words] * lines)
    return f'<div class="text"><p id="{name}">{said}</p></div>'


def figure(name: str, height: int) -> str:
    caption = f"<figcaption><b>{name}</b></figcaption>"
    return f'<figure id="{name}" style="height:{height}mm">{caption}</figure>'


def heading(name: str, level: int = 3) -> str:
    return f'<h{level} class="rule" id="{name}">{name}</h{level}>'


def laid_out(*parts: str, ends: bool = True) -> Layout:
    body = f'<section class="chapter">{"".join(parts)}</section>'
    html = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/><title>T</title></head>'
        f"<body>{body}</body></html>"
    )
    return lay_out(html, [STYLE], templates=templates_folder(), name="the page", ends=ends)


def places(layout: Layout) -> dict[str, tuple[int, int]]:
    """The page and the millimetre where each thing begins that has a name."""
    first = layout.first_pages()
    boxes = layout.boxes()
    return {name: (first[name], round(boxes[name].top)) for name in first}


def test_what_has_no_room_changes_places_with_the_text_after_it() -> None:
    parts = (text("one", 12), figure("Table", 50), text("two", 4), text("three", 8))
    without = places(laid_out(*parts, ends=False))
    assert (without["Table"], without["two"]) == ((2, 0), (2, 50))
    layout = laid_out(*parts)
    found = places(layout)
    assert found["two"] == (1, 60)
    assert found["Table"][0] == 2
    assert layout.remark == "moved to fill pages: Table behind the text after it (page 1)"


def test_no_more_text_goes_before_it_than_fills_the_page() -> None:
    """The paragraph that crosses the end of the page is the last of them."""
    three = "".join(f'<p id="p{n}">{"<br/>".join(["word"] * 6)}</p>' for n in range(3))
    parts = (text("one", 12), figure("Table", 50), f'<div class="text">{three}</div>')
    found = places(laid_out(*parts))
    assert found["p0"] == (1, 60)
    assert found["p1"][0] == 1
    assert found["Table"] == (2, 20), "behind the four lines of the second that went on"
    assert found["p2"] == (2, 70)


def test_with_no_text_after_it_it_goes_before_the_text_above() -> None:
    parts = (text("one", 4), text("two", 10), figure("Table", 60), heading("next"), text("x", 9))
    layout = laid_out(*parts)
    found = places(layout)
    assert found["Table"] == (1, 20)
    assert found["two"][0] == 1
    assert layout.remark == "moved to fill pages: Table before the text above it (page 1)"


def test_it_stays_behind_a_text_that_announces_it() -> None:
    parts = (text("one", 11), text("two", 1, "These:"), figure("Table", 50), text("three", 12))
    layout = laid_out(*parts)
    assert places(layout)["Table"] == (2, 0)
    assert layout.remark == ""


def test_it_stays_in_its_rule_and_in_the_order_of_tables() -> None:
    parts = (text("one", 11), heading("a"), figure("Table", 50), heading("b"), text("two", 6))
    found = places(laid_out(*parts))
    assert (found["a"], found["Table"], found["b"]) == ((2, 0), (2, 10), (2, 60))
    parts = (heading("a"), text("one", 10), figure("Table", 50), figure("Other", 20), text("x", 6))
    found = places(laid_out(*parts))
    assert (found["a"], found["Table"]) == ((1, 0), (1, 10))
    assert found["Other"][0] == 2


@pytest.mark.parametrize(("above", "expected"), [(15, (1, 75)), (16, (2, 0))])
def test_a_heading_with_fewer_than_three_lines_below_it_goes_on(
    above: int, expected: tuple[int, int]
) -> None:
    """Below it there is room for three lines, or for two."""
    assert (100 - 5 * above - 10) // 5 == (3 if expected[0] == 1 else 2)
    parts = (text("one", above), heading("next"), text("two", 12))
    assert places(laid_out(*parts))["next"] == expected
    if expected[0] == 2:
        assert places(laid_out(*parts, ends=False))["next"] == (1, 80), "or it would stay"


def test_a_chapter_needs_more_below_its_heading() -> None:
    other = f'</section><section class="chapter">{heading("chapter", 2)}{text("two", 12)}'
    assert places(laid_out(text("one", 11), other))["chapter"] == (1, 55)
    assert places(laid_out(text("one", 14), other))["chapter"] == (2, 0)


def test_headings_go_on_together() -> None:
    parts = (text("one", 14), heading("a"), heading("b"), text("two", 12))
    found = places(laid_out(*parts))
    assert (found["a"], found["b"]) == ((2, 0), (2, 10))


def test_a_heading_does_not_stand_alone_since_one_behind_it_was_carried() -> None:
    """The second goes on first, then the one above it: they are not on a page each."""
    short = text("short", 1)
    parts = (text("one", 13), heading("a"), short, heading("b"), text("two", 12))
    found = places(laid_out(*parts))
    assert (found["a"], found["b"]) == ((2, 0), (2, 15))


def test_a_move_that_leaves_a_heading_to_be_carried_is_undone() -> None:
    after = (text("two", 2), heading("next"), text("x", 9))
    parts = (text("one", 15), heading("a"), figure("Table", 60), *after)
    layout = laid_out(*parts)
    found = places(layout)
    assert found["a"] == (2, 0)
    assert found["Table"] == (2, 10)
    assert layout.remark == ""


def test_pages_without_chapters_are_left_alone() -> None:
    parts = (text("one", 18), heading("next"), text("two", 12))
    page = "".join(parts)
    html = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/><title>T</title></head>'
        f"<body><section>{page}</section></body></html>"
    )
    layouts = [
        lay_out(html, [STYLE], templates=templates_folder(), name="the page", ends=ends)
        for ends in (True, False)
    ]
    assert places(layouts[0]) == places(layouts[1])
