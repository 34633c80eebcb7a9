"""The page maker: closed to everything outside, faults for its complaints, boxes in millimetres."""

import re
import shutil
import socket
from base64 import b64encode
from io import BytesIO
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2 as pdfium
import pytest
from beside import beside
from drawn_pictures import drawing
from hypothesis import given
from hypothesis import strategies as st
from read_pdf import Printed

from rulebook.drawing.elements import Group, Lettering, Paint, Picture, Placing, Words
from rulebook.drawing.elements import Path as DrawnPath
from rulebook.packaged import templates_folder
from rulebook.problems import RenderFault
from rulebook.typeset import pdf
from rulebook.typeset.make_up import even_parts, fill_pages
from rulebook.typeset.pdf import Layout, PageBox, lay_out


def page(body: str, *styles: str, head: str = "", **how: Any) -> Layout:
    html = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>T</title>'
        f"{head}</head><body>{body}</body></html>"
    )
    return lay_out(html, list(styles), templates=templates_folder(), name="the page", **how)


def faults(layout: Layout) -> list[tuple[str, str]]:
    with pytest.raises(RenderFault) as raised:
        layout.pdf(print_hints=False)
    return [(problem.code, problem.message) for problem in raised.value.problems]


def test_words_that_fill_their_line_stay_on_it() -> None:
    """The space behind them has no room, and what comes after it stands on the next line."""
    words, font = (
        "A gun under the sleeve is hit without a further throw.",
        "p { font: 10pt Spectral }",
    )
    spans = [f'<p><b id="{key}">{text}</b></p>' for key, text in (("w", words), ("x", "x x"))]
    inline = page("".join(spans), font, "b { display: inline-block; font-weight: 400 }").boxes()
    whole, space = (inline[key].right - inline[key].left for key in "wx")
    for part in range(-2, 9):
        width = f"width: {whole + part / 40 * space}mm"
        told = f'<p id="{part}" style="{width}">{words} <b>Fire at will.</b></p>'
        box = page(told, font).boxes()[str(part)]
        assert box.height < 12, "two lines, not three"


@pytest.fixture
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(*_: Any, **__: Any) -> None:
        raise AssertionError("something was asked for over the network")

    monkeypatch.setattr(socket, "socket", no_network)
    monkeypatch.setattr(socket, "create_connection", no_network)


@pytest.mark.usefixtures("_no_network")
@pytest.mark.parametrize("address", beside(__file__, "nothing_is_fetched"))
@pytest.mark.parametrize("element", beside(__file__, "nothing_is_fetched_1"))
def test_nothing_is_fetched(element: str, address: str) -> None:
    told = faults(page(element.format(address.replace("'", "%27"))))
    assert {code for code, _ in told} == {"R602"}
    refused = re.compile("no access to" if ":" in address else "no access to|without a base")
    assert any(refused.search(message) for _, message in told), told


@pytest.mark.parametrize(
    "address", ["data:image/png;base64,iVBORw0KGgo=", "data:image/svg+xml;base64,PHN2Zz4="]
)
def test_a_picture_that_breaks_off_is_told(address: str) -> None:
    told = faults(page(f'<img src="{address}" alt="x"/>'))
    assert [code for code, _ in told] == ["R602"]


@pytest.mark.usefixtures("_no_network")
@pytest.mark.parametrize("address", ["file:///etc/passwd", "http://127.0.0.1:9/x.png"])
def test_a_picture_fetches_nothing(address: str) -> None:
    inside = drawing(f'<image href="{address}" width="9" height="9"/>')
    source = f"data:image/svg+xml;base64,{b64encode(inside).decode()}"
    told = faults(page(f'<img src="{source}" alt="x"/>'))
    assert any("no access to" in message for _, message in told), told


def test_stylesheets_and_fonts_are_not_fetched_either() -> None:
    for head in (
        '<link rel="stylesheet" href="file:///etc/passwd"/>',
        "<style>@import url(http://127.0.0.1:9/x.css);</style>",
        "<style>@font-face{font-family:x;src:url(file:///etc/passwd)}p{font-family:x}</style>",
        '<link rel="attachment" href="file:///etc/passwd"/>',
    ):
        assert faults(page("<p>x</p>", head=head))[0][0] == "R602", head


def test_a_fault_ends_the_job_and_not_the_worker() -> None:
    """What is raised is an Exception: a worker passes anything else on and is lost."""
    assert issubclass(RenderFault, Exception)
    (problem,) = faults(page('<img src="file:///etc/passwd" alt="x"/>'))
    assert "the page" in problem[1] and "/etc/passwd" in problem[1] and "root:" not in problem[1]


def test_characters_without_a_glyph_are_one_fault() -> None:
    ((code, message),) = faults(page("<p>漢字 fine 漢</p><p>字</p>"))
    assert code == "R603"
    assert message.startswith("the page: no font has the characters ")
    assert message.count("漢") == message.count("字") == 1


def lines_of(layout: Layout) -> list[str]:
    document = pdfium.PdfDocument(layout.pdf(print_hints=True))
    text = document[0].get_textpage().get_text_bounded()
    return [line.strip() for line in text.split("\r\n")]


@pytest.mark.parametrize("outer", ["ol", "ul"])
def test_lists_in_lists_have_marks_that_our_typefaces_have(outer: str) -> None:
    body = f"<{outer}><li>One<ul><li>two<ul><li>three<ol><li>four</li></ol></li></ul></li></ul>"
    words = lines_of(page(f"{body}</li></{outer}>", "body { font-family: Spectral }"))
    marks = {word.split()[0] for word in words}
    assert {"–", "·", "1."} < marks and not {"◦", "▪"} & marks


def test_a_range_of_figures_is_not_broken_behind_its_dash() -> None:
    body = "<p>A gun of (3–4\N{NO-BREAK SPACE}pdr) <b>0–8</b>–12″</p>"
    narrow = page(body, "@page { size: 18mm 60mm; margin: 1mm } p { font: 9pt Spectral }")
    assert lines_of(narrow) == ["A gun", "of", "(3–4\N{NO-BREAK SPACE}pdr)", "0–8–12″"]


def test_no_font_of_the_machine_is_used() -> None:
    layout = page("<p style=\"font-family: 'DejaVu Sans', Arial, monospace\">x</p>")
    fonts = Printed(layout.pdf(print_hints=False)).fonts
    assert fonts and all("Plex" in name or "Spectral" in name for name, _ in fonts)


@pytest.mark.parametrize(
    ("body", "style"),
    beside(__file__, "complaints_are_faults"),
)
def test_complaints_are_faults(body: str, style: str) -> None:
    assert [code for code, _ in faults(page(body, style))] == ["R602"]


def test_each_complaint_is_told_once_of_every_document() -> None:
    for _ in range(2):  # a style is parsed only once
        assert [code for code, _ in faults(page("<p>x</p>", "p{widht:3mm}"))] == ["R602"]
    told = faults(page('<a href="#x">x</a><a href="#x">y</a><a href="#z">z</a>'))
    assert len(told) == 2


CSS = """
@page { size: 100mm 80mm; margin: 10mm }
body { margin: 0 }
#a { position: absolute; left: 5mm; top: 7.5mm; width: 30mm; height: 12.25mm }
#b { height: 20mm; margin-top: 3mm }
#c { break-before: page; width: 25.4mm; height: 1in }
"""


def test_boxes_are_in_millimetres_from_the_top_left_of_their_page() -> None:
    layout = page('<div id="a"></div><div id="b"></div><div id="c"></div>', CSS)
    assert layout.pages == 2
    boxes = layout.boxes()
    expected = {
        "a": (0, 10 + 5, 10 + 7.5, 10 + 5 + 30, 10 + 7.5 + 12.25),
        "b": (0, 10, 10 + 3, 100 - 10, 10 + 3 + 20),
        "c": (1, 10, 10, 10 + 25.4, 10 + 25.4),
    }
    assert boxes.keys() == expected.keys()
    for name, (number, *edges) in expected.items():
        box = boxes[name]
        assert box.page == number
        assert (box.left, box.top, box.right, box.bottom) == pytest.approx(edges, abs=0.001)
    assert boxes["a"].height == pytest.approx(12.25, abs=0.001)
    assert PageBox(0, 1, 2, 3, 5.5).height == 3.5


def test_print_hints_are_given_where_they_are_asked_for() -> None:
    layout = page("<p>x</p>")
    with pikepdf.open(BytesIO(layout.pdf(print_hints=True))) as document:
        hints = document.Root.ViewerPreferences
        assert str(hints.PrintScaling) == "/None"
        assert bool(hints.PickTrayByPDFSize) and bool(hints.DisplayDocTitle)
    with pikepdf.open(BytesIO(layout.pdf(print_hints=False))) as document:
        assert "/PrintScaling" not in document.Root.get("/ViewerPreferences", {})


def test_a_drawing_is_drawn_though_nothing_in_it_has_a_box() -> None:
    inside = '<title>Two</title><g><rect id="inner" width="9" height="9"/></g>'
    layout = page(
        f'<svg xmlns="http://www.w3.org/2000/svg" id="outer" width="9" height="9">{inside}</svg>'
    )
    assert "outer" in layout.boxes() and "inner" not in layout.boxes()
    with pikepdf.open(BytesIO(layout.pdf(print_hints=False))) as document:
        assert b"re" in document.pages[0].Contents.read_bytes()


def pictured(words: str) -> Layout:
    """A page of 100 mm by 100 mm with a picture of 40 mm by 20 mm on it, twice its size below."""
    paths = DrawnPath("M5 5L45 25", Paint(None, "#a3231c", width=0.01))
    name = Words(words, 10, 15, Lettering(("Spectral", 400, "normal"), 4, "#000000"))
    pictures = {"picture:0": Picture((5, 5, 40, 20), "A map", "", (paths, name))}
    images = '<img src="picture:0" alt="A map"/><img class="large" src="picture:0" alt="Larger"/>'
    style = "@page{size:100mm;margin:10mm}body{margin:0}img{display:block}.large{width:80mm}"
    return page(images, style, pictures=pictures)


def test_a_picture_is_drawn_at_its_size_and_its_words_are_found() -> None:
    layout = pictured("Oak Hill")
    data = layout.pdf(print_hints=False)
    read = Printed(data)
    lines = read.viewed[0].get_objects(filter=[pdfium.raw.FPDF_PAGEOBJ_PATH])
    boxes = [[edge / 72 * 25.4 for edge in line.get_bounds()] for line in lines]
    assert boxes[0] == pytest.approx([10, 70, 50, 90], abs=0.02)
    assert boxes[1] == pytest.approx([10, 30, 90, 70], abs=0.04)
    assert read.texts == ["Oak Hill Oak Hill"]
    assert [str(figure.Alt) for figure in read.tags("/Figure")] == ["A map", "Larger"]
    assert [embedded for _, embedded in read.fonts] == [True]
    assert layout.pdf(print_hints=False) == data


def test_a_picture_uses_the_font_of_the_text_around_it() -> None:
    name = Words("Oak Hill", 2, 15, Lettering(("Spectral", 400, "normal"), 4, "#000000"))
    pictures = {"picture:0": Picture((0, 0, 40, 20), "A map", "", (name,))}
    body = '<img src="picture:0" alt="A map"/><p>Wood</p><p class="sans">Wood</p>'
    style = "p{font:4mm Spectral}.sans{font-family:'IBM Plex Sans Condensed'}"
    read = Printed(page(body, style, pictures=pictures).pdf(print_hints=False))
    assert read.texts == ["Wood Wood Oak Hill"]
    assert len(read.fonts) == 2


def test_a_group_is_seen_through_as_a_whole() -> None:
    red, blue = (DrawnPath("M0 0L10 0L10 10L0 10Z", Paint(fill)) for fill in ("#ff0000", "#0000ff"))
    drawn = (Group((red, blue), placing=Placing(10, 10), opacity=0.6), Group((red,)))
    pictures = {"picture:0": Picture((0, 0, 40, 20), "A map", "", drawn)}
    style = "@page{size:40mm 20mm;margin:0}body{margin:0}img{display:block}"
    data = page('<img src="picture:0" alt="A map"/>', style, pictures=pictures)
    pixels = Printed(data.pdf(print_hints=False)).viewed[0].render(scale=25.4 / 72).to_pil()
    assert pixels.getpixel((15, 15)) == pytest.approx((102, 102, 255), abs=1)
    assert pixels.getpixel((5, 5)) == (255, 0, 0)


def test_a_picture_is_in_the_inks_of_the_press() -> None:
    with pikepdf.open(BytesIO(pictured("Oak Hill").pdf(print_hints=False, ink="press"))) as made:
        content = made.pages[0].Contents.read_bytes()
    assert re.search(rb"(0[.]\d+ ?){4} K\n", content) and b"\n0 0 0 1 k\n" in content
    assert not re.search(rb" (rg|RG)\s", content)


def test_a_picture_with_characters_without_a_glyph_is_a_fault() -> None:
    assert [code for code, _ in faults(pictured("漢"))] == ["R603"]


# Pieces on pages: as few pages as may be, all pieces once, breaks where they belong.

ROOM = 100.0
HEIGHTS = st.lists(st.integers(min_value=1, max_value=100), min_size=1, max_size=9)


def height(heights: list[int], again: list[float], page: range) -> float:
    return sum(heights[n] for n in page) + again[page.start]


def fewest(heights: list[int], again: list[float]) -> int:
    """Every way of cutting, tried."""
    count = len(heights)
    for breaks in range(count):
        for cuts in combinations(range(1, count), breaks):
            edges = [0, *cuts, count]
            pages = [range(a, b) for a, b in pairwise(edges)]
            if all(len(p) == 1 or height(heights, again, p) <= ROOM for p in pages):
                return len(pages)
    return count


@given(HEIGHTS, st.data())
def test_all_pieces_stand_once_in_order_on_as_few_pages_as_hold_them(
    heights: list[int], data: st.DataObject
) -> None:
    again = [float(data.draw(st.sampled_from((0, 8, -1)))) for _ in heights]
    pages = fill_pages([float(one) for one in heights], again, ROOM)
    assert [n for page in pages for n in page] == list(range(len(heights)))
    for page in pages:
        assert len(page) == 1 or height(heights, again, page) <= ROOM
    assert len(pages) == fewest(heights, again)


def test_a_page_rather_begins_something_than_goes_on_and_has_no_lone_line() -> None:
    """Two forces of four units: even pages would break the second; it begins a page instead."""
    heights, again = [30.0, 10.0, 10.0, 10.0] * 2, [0.0, 7.0, 7.0, 7.0] * 2
    assert fill_pages(heights, again, 100.0) == [range(4), range(4, 8)]
    assert fill_pages([10.0] * 11, [0.0, *[5.0] * 10], 100.0) == [range(6), range(6, 11)]


def test_even_parts() -> None:
    assert [len(part) for part in even_parts(11, 5)] == [3, 4, 4]
    assert even_parts(3, 5) == [range(3)]
    assert even_parts(0, 5) == [range(0)]
    for whole in range(1, 60):
        parts = even_parts(whole, 7)
        assert [n for part in parts for n in part] == list(range(whole))
        assert max(map(len, parts)) <= 7
        assert max(map(len, parts)) - min(map(len, parts)) <= 1
        assert len(parts) == -(-whole // 7)


def test_other_templates_change_the_page_maker_no_second_time(tmp_path: Path) -> None:
    shutil.copytree(templates_folder() / "fonts", tmp_path / "fonts")
    pdf.layout_version(templates_folder())
    from weasyprint.layout import inline

    before = inline.split_first_line
    try:
        pdf.layout_version(tmp_path)
        assert inline.split_first_line is before
    finally:
        pdf.layout_version(templates_folder())
