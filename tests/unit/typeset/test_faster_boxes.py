"""What is answered sooner is what WeasyPrint answers, on pages and for many values."""

import math
import os
import subprocess
import sys
from base64 import b64encode
from collections import deque
from importlib.metadata import version
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pikepdf
import pydyf
import pypdfium2 as pdfium
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.packaged import templates_folder
from rulebook.typeset import faster_boxes, pdf

pdf.warm_up(templates_folder())

from weasyprint import css  # noqa: E402  (fonts are ours only after the warm-up)
from weasyprint.css.properties import INITIAL_VALUES, Dimension  # noqa: E402
from weasyprint.layout import block, percent  # noqa: E402
from weasyprint.svg import TAGS, utils  # noqa: E402

#: A page with whatever is less plain: other directions, names of sides, sums, floats, new boxes.
PAGE = """
<html lang="en"><head><title>T</title><style>
@page { size: 90mm 90mm; margin: 5% 8mm; @bottom-center { content: counter(page) } }
:root { --gap: 3mm; --ink: #123 }
body { font: 9pt/1.3 "Spectral"; color: var(--ink); text-indent: calc(1% + 1mm) }
.rtl { direction: rtl; margin-inline-start: 4mm; padding-inline-end: 2mm; border-inline-start:
  1mm solid }
.box { box-sizing: border-box; width: 50%; padding: var(--gap); border: .5mm solid; float: left }
.flex { display: flex; gap: 2mm } .flex > * { flex: 1; min-width: 10% }
.sum { width: calc(50% - 4mm); margin: -1mm auto 2%; min-height: 5mm; max-height: 40mm }
.away { position: absolute; right: 5%; top: 10mm } .near { position: relative; left: 2% }
.grid { display: grid; grid-template-columns: 1fr 2fr } u b { text-decoration: overline }
table { border-collapse: collapse; width: 100% } td { border: 1px solid; padding: 1mm 2% }
p::first-line { font-weight: 600 } p::before { content: "– " } .late { break-before: page }
.columns { columns: 2; column-gap: 3mm } .inherits * { margin: inherit; border: inherit }
</style></head><body>
<div class="box">One <u>two <b>three</b></u></div><div class="rtl">Four <span>five</span></div>
<div class="flex"><p>Six</p><p>Seven and more words than fit</p><table><tr><td>1</td></tr></table>
</div><div class="sum">Eight<br/>nine</div><div class="away">Ten</div><p class="near">Eleven</p>
<div class="grid"><p>a</p><p>b</p><p>c</p></div><div class="rtl inherits"><p>Here</p></div>
<table><tr><td>Twelve</td><td>13</td></tr><tr><td colspan="2">Fourteen</td></tr></table>
<div class="columns"><p>Words in two columns, one after the other, and one below it.</p><p>x</p>
</div><ol><li>One</li><li>Two</li></ol>
<p class="late">A drawing <svg xmlns="http://www.w3.org/2000/svg" width="3em" height="10mm"
viewBox="0 0 10 10"><g transform="rotate(12.5)"><rect x="1" y="10%" width="3.25" height="2mm"/>
<path d="M1,2l3-1.5.5.25C1 1 2 2 3.1 3.2z" stroke-width="1e-1"/></g></svg></p></body></html>
"""
#: Prints the page to standard output, with or without what is quicker.
PROGRAM = """
import sys
from rulebook.typeset import pdf
from rulebook.packaged import templates_folder
if sys.argv[1] == "slow":
    pdf.hasten = lambda: None
made = pdf.lay_out(sys.stdin.read(), [], templates=templates_folder(), name="the page")
sys.stdout.buffer.write(made.pdf(print_hints=True))
"""


def printed(how: str) -> bytes:
    return subprocess.run(
        (sys.executable, "-c", PROGRAM, how),
        input=PAGE.encode(),
        stdout=subprocess.PIPE,
        env={**os.environ, "SOURCE_DATE_EPOCH": "0"},
        check=True,
    ).stdout


def test_a_page_of_all_sorts_has_the_same_bytes() -> None:
    quick = printed("quick")
    assert quick.startswith(b"%PDF") and quick == printed("slow")


def test_the_page_maker_is_the_one_whose_functions_are_replaced() -> None:
    assert version("weasyprint").partition(".")[0] == "70"
    assert block.resolve_percentages.__module__ == faster_boxes.__name__


class Style(css.ComputedStyle):  # type: ignore[misc]
    """One that answers as WeasyPrint does, as many of whose properties as are given are set."""

    __missing__: Any = None


def style(kind: type, cascaded: dict[str, Any], parent: Any) -> Any:
    sizes = {"box": None, "area": None}
    return kind(parent, cascaded, None, parent, None, None, sizes)


def original(function: Any) -> Any:
    """What a quick function falls back on."""
    names = function.__code__.co_freevars
    return function.__closure__[names.index("original")].cell_contents


def test_every_property_is_what_it_would_be() -> None:
    Style.__missing__ = original(css.ComputedStyle.__missing__)
    weight = (1, 0, (0, 0, 1))
    pixels = Dimension(7, "px")
    settings: list[dict[str, Any]] = [
        {},
        {"direction": ("rtl", weight), "margin_inline_start": (pixels, weight)},
        {"margin_inline_start": (pixels, weight), "margin_left": (Dimension(1, "px"), weight)},
        {"font_size": (pixels, weight), "float": ("left", weight), "color": ("inherit", weight)},
        {"border_top_style": ("solid", weight), "position": ("absolute", weight)},
    ]
    initial = css.InitialStyle(None)
    for above in settings:
        for below in settings:
            found = []
            for kind in (Style, css.ComputedStyle):
                parent = style(kind, above, initial)
                one = style(kind, below, parent)
                found.append({name: one[name] for name in INITIAL_VALUES})
            assert found[0] == found[1]


LENGTHS = st.one_of(
    st.just("auto"),
    st.builds(Dimension, st.floats(0, 500) | st.just(0), st.just("px")),
    st.builds(Dimension, st.floats(0, 100), st.just("%")),
)
SIZINGS = st.sampled_from(["content-box", "padding-box", "border-box"])


@given(
    st.fixed_dictionaries(dict.fromkeys(faster_boxes._LENGTHS, LENGTHS)),
    st.lists(st.floats(0, 9), min_size=4, max_size=4),
    SIZINGS,
    st.sampled_from(["collapse", "separate"]),
    st.sampled_from([(300.0, 200.0), (300.0, "auto")]),
)
def test_lengths_are_what_they_would_be(
    lengths: dict[str, Any],
    borders: list[float],
    sizing: str,
    collapse: str,
    around: tuple[float, Any],
) -> None:
    none = {"padding": Dimension(0, "px"), "max": Dimension(math.inf, "px")}  # these are never auto
    given_lengths = {
        name: none.get(name.partition("_")[0], length) if length == "auto" else length
        for name, length in lengths.items()
    }
    properties = {**given_lengths, **dict(zip(faster_boxes._BORDERS, borders, strict=True))}
    properties |= {"box_sizing": sizing, "border_collapse": collapse}
    quick, slow = (SimpleNamespace(style=properties, border_top_width=3.5) for _ in range(2))
    percent.resolve_percentages(quick, around)
    original(percent.resolve_percentages)(slow, around)
    # nothing of what has no end is no number, and that equals nothing, not even itself
    found = [
        {name: "no number" if value != value else value for name, value in vars(one).items()}  # noqa: PLR0124
        for one in (quick, slow)
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("floating", ["none", "left", "right", "footnote"])
@pytest.mark.parametrize(
    "position", ["static", "relative", "absolute", "fixed", ("running()", "head"), ("note()", "n")]
)
def test_what_is_in_the_flow_is_what_it_would_be(floating: str, position: Any) -> None:
    from weasyprint.formatting_structure.boxes import Box

    box = Box.__new__(Box)
    box.style = {"float": floating, "position": position}
    assert box.is_in_normal_flow() == original(Box.is_in_normal_flow)(box)


@given(
    st.floats(-1e9, 1e9).map(str)
    | st.sampled_from(["", "0", "-.5", "12%", "2em", "3rem", "1ex", "5mm", "1pt 2pt", "x", " 7 "])
)
def test_sizes_of_drawings_are_what_they_would_be(text: str) -> None:
    assert utils.size(text, 16, 250) == original(utils.size)(text, 16, 250)


NUMBERS = st.floats(-1e4, 1e4).map(lambda one: f"{one:.3f}") | st.integers(-99, 99).map(str)
STEPS = {"M": 2, "L": 2, "C": 6, "Q": 4, "Z": 0, "z": 0, "l": 2, "h": 1}


@st.composite
def outlines(draw: st.DrawFn) -> str:
    """Outlines, nearly all of them plain; some lack a number, or the letter at the beginning."""
    outline = draw(st.sampled_from(["M1 2", "M1,2,3,4 ", " M 1\n2 3 -4", "M5-6", "M.5.5", ""]))
    for letter in draw(st.lists(st.sampled_from("MLLCQQZzlh"), max_size=9)):
        count = STEPS[letter] * draw(st.integers(1, 2)) - draw(st.integers(0, 20)) // 20
        numbers = draw(st.lists(NUMBERS, min_size=max(count, 0), max_size=max(count, 0)))
        outline += letter + draw(st.sampled_from([" ", ","])).join(numbers)
    return outline


def point(x: str, y: str, font_size: float) -> tuple[float, float]:
    return utils.size(x, font_size, 100), utils.size(y, font_size, 80)


@given(outlines())
def test_outlines_are_drawn_as_they_would_be(outline: str) -> None:
    found = []
    for function in (TAGS["path"], original(TAGS["path"])):
        svg = SimpleNamespace(stream=pydyf.Stream(), point=point)
        node = SimpleNamespace(attrib={"d": outline}, get={"d": outline}.get, vertices=deque())
        try:
            function(svg, node, 16)
            found.append(svg.stream.stream)
        except (ValueError, UnboundLocalError, utils.PointError) as fault:
            found.append([type(fault)])
    assert found[0] == found[1]


@given(
    st.floats(-1e9, 1e9)
    | st.integers()
    | st.binary()
    | st.booleans()
    | st.text("abc/ 0").map(str)
    | st.just(pydyf.Array([1, 2.5]))
)
def test_what_is_written_is_what_it_would_be(item: Any) -> None:
    assert pydyf._to_bytes(item) == original(pydyf._to_bytes)(item)


def test_the_references_of_pages_are_known_until_there_is_one_more() -> None:
    made = pydyf.PDF()
    for count in range(3):
        assert len(made.page_references) == count
        assert made.page_references == original(type(made).page_references.fget)(made)
        made.add_page(pydyf.Dictionary({"Type": "/Page"}))


def test_a_drawing_behind_several_boxes_is_in_the_file_once() -> None:
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" width="10" height="10">'
        '<path d="M1 2L9 3L8 7Z" fill="#123456"/></svg>'
    )
    address = f"data:image/svg+xml;base64,{b64encode(drawing.encode()).decode()}"
    style = (
        f'@page {{ size: 60mm 30mm; margin: 0 }} b {{ background: url("{address}") no-repeat 0 0; '
        "background-size: 100% auto; position: absolute; top: 0; width: 20mm; height: 20mm }"
    )
    boxes = "".join(f'<b style="left:{left}mm"></b>' for left in (0, 30))
    layout = pdf.lay_out(
        f'<html lang="en"><head><title>T</title></head><body>{boxes}</body></html>',
        [style],
        templates=templates_folder(),
        name="the page",
    )
    for _ in range(2):  # another file has a drawing of its own
        data = layout.pdf(print_hints=False)
        opened = pikepdf.open(BytesIO(data))
        groups = opened.pages[0].Resources.XObject
        forms = [form for group in groups.values() for form in group.Resources.XObject.values()]
        assert len(forms) == 2 and len({form.objgen for form in forms}) == 1
        assert b"9 3 l" in forms[0].read_bytes()
        picture = pdfium.PdfDocument(data)[0].render(scale=72 / 25.4).to_pil().convert("RGB")
        middles = [picture.getpixel((round(mm * 72**2 / 25.4**2), 64)) for mm in (12, 42)]
        assert middles == [(0x12, 0x34, 0x56)] * 2
