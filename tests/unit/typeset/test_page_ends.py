"""Pages that end well: what changes places to fill them, and headings that go on.

A page has room for 100 mm. A line of text is 5 mm high, a heading 10 mm.
"""

from typing import Any

import pytest
from beside import beside

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


def heading(name: str) -> str:
    return f'<h3 class="rule" id="{name}">{name}</h3>'


def chapter(name: str) -> str:
    return f'</section><section class="chapter"><h2 class="rule" id="{name}">{name}</h2>'


PARTS = {"text": text, "figure": figure, "heading": heading, "chapter": chapter}


def laid_out(*parts: str, ends: bool = True, kind: str = "chapter") -> Layout:
    html = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/><title>T</title></head>'
        f'<body><section class="{kind}">{"".join(parts)}</section></body></html>'
    )
    return lay_out(html, [STYLE], templates=templates_folder(), name="the page", ends=ends)


def places(layout: Layout) -> dict[str, tuple[int, int]]:
    """The page and the millimetre where each thing begins that has a name."""
    first = layout.first_pages()
    boxes = layout.boxes()
    return {name: (first[name], round(boxes[name].top)) for name in first}


@pytest.mark.parametrize("case", beside(__file__, "cases"), ids=lambda case: case["that"])
def test_pages_end_well(case: dict[str, Any]) -> None:
    parts = [PARTS[kind](*rest) for kind, *rest in case["parts"]]
    layout = laid_out(*parts)
    found = places(layout)
    for name, place in case["stand"].items():
        assert [*found[name]][: len(place)] == place, name
    if "remark" in case:
        assert layout.remark == case["remark"]
    without = places(laid_out(*parts, ends=False)) if "without" in case else {}
    for name, place in case.get("without", {}).items():
        assert [*without[name]] == place, name


def test_no_more_text_goes_before_it_than_fills_the_page() -> None:
    """The paragraph that crosses the end of the page is the last of them."""
    three = "".join(f'<p id="p{n}">{"<br/>".join(["word"] * 6)}</p>' for n in range(3))
    parts = (text("one", 12), figure("Table", 50), f'<div class="text">{three}</div>')
    found = places(laid_out(*parts))
    assert found["p0"] == (1, 60)
    assert found["p1"][0] == 1
    assert found["Table"] == (2, 20), "behind the four lines of the second that went on"
    assert found["p2"] == (2, 70)


def test_pages_without_chapters_are_left_alone() -> None:
    parts = (text("one", 18), heading("next"), text("two", 12))
    with_ends, without = (laid_out(*parts, ends=ends, kind="other") for ends in (True, False))
    assert places(with_ends) == places(without)


def test_columns_of_contents_break_where_they_are_balanced() -> None:
    pointing = "ul { columns: 2 } a::after { content: target-counter(attr(href), page) }"
    items = "".join(
        f'<li id="item-{n}" style="height:{5 + n}mm"><a href="#there">x</a></li>' for n in range(7)
    )
    html = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/><title>T</title></head>'
        f'<body><ul>{items}</ul><p id="there" style="break-before:page">there</p></body></html>'
    )

    def made(*, ends: bool) -> Layout:
        styles = [STYLE, pointing]
        return lay_out(html, styles, templates=templates_folder(), name="the page", ends=ends)

    boxes = made(ends=True).boxes()
    assert boxes == made(ends=False).boxes()
    assert boxes["item-4"].top == boxes["item-0"].top
