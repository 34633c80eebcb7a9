"""Pages of PDF read back: places by PDFium, operators and tags by pikepdf, widths by fontTools."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import Any

import pikepdf
import pypdfium2 as pdfium
import pytest
from beside import beside
from fontTools.ttLib import TTFont

from rulebook.drawing.elements import (
    Element,
    Group,
    Lettering,
    Letters,
    Paint,
    Path,
    Picture,
    Placing,
    Words,
    number,
)
from rulebook.drawing.pdf import MissingGlyphs, outline, pdf
from rulebook.typefaces import FACES, SANS, SANS_BOLD, SANS_ITALIC, Typeface

MM = 25.4 / 72
WIDTH, HEIGHT = 210.0, 100.0


def made(*elements: Element, hints: bool = True, title: str = "A sheet", count: int = 1) -> bytes:
    picture = Picture((-5, 0, WIDTH, HEIGHT), "What it shows", "", elements)
    return pdf([picture] * count, title=title, language="en-GB", print_hints=hints)


def words(
    text: str, *, size: float = 5, face: Any = SANS, spacing: float = 0, x: float = 50, **how: Any
) -> Words:
    return Words(text, x, 40, Lettering(face.name, size, "#000000", spacing), **how)


def line(colour: str, width: float) -> Path:
    return Path("M0,0 1,0", Paint(stroke=colour, width=width))


def boxes(data: bytes) -> list[tuple[str, float, float, float, float]]:
    """Each letter: left, top, right and bottom of its place, in mm of the drawing."""
    page = pdfium.PdfDocument(data)[0].get_textpage()
    found = []
    for index in range(page.count_chars()):
        left, bottom, right, top = (side * MM for side in page.get_charbox(index, loose=True))
        letter = page.get_text_range(index, 1)
        found.append((letter, left - 5, HEIGHT - top, right - 5, HEIGHT - bottom))
    return found


def text_of(data: bytes) -> str:
    return str(pdfium.PdfDocument(data)[0].get_textpage().get_text_bounded())


@cache
def advances(weight: int, style: str, family: str = "IBM Plex Sans Condensed") -> dict[str, float]:
    (face,) = (
        one for one in FACES if (one.family, one.weight, one.style) == (family, weight, style)
    )
    font = TTFont(face.path)
    cmap, units = font.getBestCmap(), font["head"].unitsPerEm
    return {chr(code): font["hmtx"][name][0] / units for code, name in cmap.items()}


def test_a_path_is_where_it_is_drawn() -> None:
    data = made(Path("M10,20 60.25,20C70,20 70,30 60,30Z", Paint(None, "#000000")))
    with pikepdf.open(BytesIO(data)) as opened:
        instructions = pikepdf.parse_content_stream(opened.pages[0])
    scale, _, _, down, x, y = (
        float(one)
        for operands, operator in instructions
        if str(operator) == "cm"
        for one in operands
    )
    (start,) = ([*map(float, o)] for o, operator in instructions if str(operator) == "m")
    assert (scale * start[0] + x) * MM == pytest.approx(15, abs=1e-5)
    assert (down * start[1] + y) * MM == pytest.approx(HEIGHT - 20, abs=1e-5)
    assert scale * MM == pytest.approx(1, abs=1e-8)


def test_the_page_is_as_large_as_it_is_told_to_be() -> None:
    with pikepdf.open(BytesIO(made())) as opened:
        for name in ("/MediaBox", "/TrimBox", "/BleedBox"):
            box = [float(side) * MM for side in opened.pages[0][name]]
            assert box == pytest.approx([0, 0, WIDTH, HEIGHT], abs=1e-5)


@pytest.mark.parametrize(
    ("face", "how", "part", "wider"),
    [
        (SANS, {}, 0, 0),
        (SANS, {"anchor": "middle"}, 0.5, 0),
        (SANS, {"anchor": "end"}, 1, 0),
        (SANS, {"spacing": 2}, 0, 2 * 6),
        (SANS_BOLD, {}, 0, 0),
        (SANS_ITALIC, {}, 0, 0),
    ],
)
def test_words_are_as_wide_as_in_their_face_and_stand_at_their_anchor(
    face: Typeface, how: dict[str, Any], part: float, wider: float
) -> None:
    # no pair of these letters is kerned
    width = sum(advances(face.weight, face.style)[letter] for letter in "minimum") * 6 + wider
    found = boxes(made(words("minimum", size=6, face=face, **how)))
    assert found[0][1] == pytest.approx(50 - part * width, abs=0.02)
    assert found[-1][3] == pytest.approx(50 + (1 - part) * width, abs=0.02)


def test_words_are_kerned() -> None:
    text, size = "AVAVAVAV", 20.0
    width = sum(advances(400, "normal")[letter] for letter in text) * size
    found = boxes(made(words(text, size=size, x=0)))
    assert found[-1][3] - found[0][1] < 0.97 * width


def test_turned_words_run_where_they_are_turned_to() -> None:
    data = made(words("minimum", size=6, rotation=90))
    found = boxes(data)
    width = sum(advances(400, "normal")[letter] for letter in "minimum") * 6
    assert found[0][2] == pytest.approx(40, abs=0.1)
    assert found[-1][4] == pytest.approx(40 + width, abs=0.1)


def test_each_letter_may_have_a_place_of_its_own() -> None:
    places = ((10, 20, 0), (30, 40, 30), (60, 60, -90))
    data = made(Letters("map", places, Lettering(SANS.name, 5, "#000000")))
    assert text_of(data) == "map", "read as one word"
    with pikepdf.open(BytesIO(data)) as opened:
        operators = pikepdf.parse_content_stream(opened.pages[0])
    matrices = [[float(one) for one in o] for o, operator in operators if str(operator) == "Tm"]
    half, most = 0.5, 0.75**0.5
    assert matrices == [
        pytest.approx([1, 0, 0, -1, 10, 20]),
        pytest.approx([most, half, half, -most, 30, 40], abs=1e-6),
        pytest.approx([0, -1, -1, 0, 60, 60]),
    ]


@pytest.mark.parametrize(
    "text",
    [*beside(__file__, "words_are_found_as_they_are_written"), "x" * 3000],
)
def test_words_are_found_as_they_are_written(text: str) -> None:
    data = made(words(text, size=2, x=0))
    content = text_of(data) if len(text) < 1000 else "".join(b[0] for b in boxes(data))
    plain = str.maketrans({"\u00a0": " "})
    seen = "".join(content.translate(plain).split())
    assert seen == "".join(text.translate(plain).split())


def test_a_character_without_a_glyph_is_told() -> None:
    with pytest.raises(MissingGlyphs) as caught:
        made(words("漢字 fine 漢"))
    assert caught.value.characters == {"漢", "字"}


def test_a_character_that_one_face_lacks_is_set_in_another() -> None:
    plex, spectral = advances(400, "normal"), advances(400, "normal", "Spectral")
    letter = min(set(spectral) - set(plex))
    data = made(words(f"a{letter}b"))
    with pikepdf.open(BytesIO(data)) as opened:
        named = [str(font.BaseFont) for font in opened.pages[0].Resources.Font.values()]
    assert [("Spectral" in name, "Plex" in name) for name in named] == [
        (False, True),
        (True, False),
    ]


def test_the_file_is_tagged_and_says_how_it_is_printed() -> None:
    data = made(words("x"), title="Sheets – “all” & more", count=2)
    with pikepdf.open(BytesIO(data)) as opened:
        root: Any = opened.Root
        assert str(root.Lang) == "en-GB"
        assert str(opened.docinfo.Title) == "Sheets – “all” & more"
        hints = root.ViewerPreferences
        assert (str(hints.PrintScaling), hints.PickTrayByPDFSize) == ("/None", True)
        assert hints.DisplayDocTitle is True
        assert root.MarkInfo.Marked is True
        (document,) = root.StructTreeRoot.K
        assert str(document.S) == "/Document"
        for count, (figure, page) in enumerate(zip(document.K, opened.pages, strict=True)):
            assert str(figure.S) == "/Figure" and str(figure.Alt) == "What it shows"
            assert figure.Pg == page.obj and figure.K == 0
            assert page.StructParents == count
            assert root.StructTreeRoot.ParentTree.Nums[2 * count + 1][0] == figure
            operators = [
                (str(operator), [str(one) for one in operands[:1]])
                for operands, operator in pikepdf.parse_content_stream(page)
            ]
            assert operators[0] == ("BDC", ["/Figure"]) and operators[-1][0] == "EMC"
        with opened.open_metadata() as metadata:
            assert metadata["dc:title"] == "Sheets – “all” & more"
            assert metadata["pdfuaid:part"] == "1"
        assert "/CreationDate" not in opened.docinfo


def test_fonts_hold_what_is_used_and_widths_are_theirs() -> None:
    data = made(words("abc"))
    assert len(data) < 20_000
    with pikepdf.open(BytesIO(data)) as opened:
        (font,) = opened.pages[0].Resources.Font.values()
        (descendant,) = font.DescendantFonts
        program = TTFont(BytesIO(descendant.FontDescriptor.FontFile2.read_bytes()))
        widths = list(descendant.W)
    told = {int(widths[at]): float(widths[at + 1][0]) for at in range(0, len(widths), 2)}
    assert sorted(told.values()) == sorted(1000 * advances(400, "normal")[one] for one in "abc")
    glyf = program["glyf"]
    drawn = [name for name in program.getGlyphOrder() if glyf[name].numberOfContours]
    assert len(drawn) <= 4


def test_settings_outside_a_group_are_those_before_it() -> None:
    data = made(
        line("#ff0000", 1),
        Group((line("#0000ff", 2),), placing=Placing(1, 1)),
        line("#0000ff", 2),
    )
    with pikepdf.open(BytesIO(data)) as opened:
        found = [
            (str(operator), [float(one) for one in operands])
            for operands, operator in pikepdf.parse_content_stream(opened.pages[0])
            if str(operator) in ("RG", "w", "q", "Q")
        ]
    assert found == [
        ("q", []), ("RG", [1, 0, 0]),
        ("q", []), ("RG", [0, 0, 1]), ("w", [2]), ("Q", []),
        ("RG", [0, 0, 1]), ("w", [2]), ("Q", []),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "told"),
    [(0.0, "0"), (-0.0, "0"), (12.5, "12.5"), (1e-5, "0.00001"), (3.0, "3"), (1e6, "1000000")],
)
def test_numbers_have_no_exponent(value: float, told: str) -> None:
    assert number(value) == told


def test_without_hints_none_are_given() -> None:
    with pikepdf.open(BytesIO(made(hints=False))) as opened:
        assert "/PrintScaling" not in opened.Root.ViewerPreferences


def test_a_group_hands_down_its_paint_and_a_window_cuts_what_it_shows() -> None:
    paths = Path("M1,2 3.5,4"), Path("M0,0 1,0 1,1Z", Paint("#00ff00"))
    placed = Group(
        (Group(paths, paint=Paint(None, "#ff0000", 0.5), window=(1, 2, 3, 4)),),
        placing=Placing(10, 20, turn=-90),
    )
    with pikepdf.open(BytesIO(made(placed))) as opened:
        content = opened.pages[0].Contents.read_bytes().decode().split("\n")
    assert content[4:-2] == [
        "q", "0 -1 1 0 10 20 cm", "q", "1 2 3 4 re W n",
        "1 0 0 RG", "0.5 w", "1 2 m 3.5 4 l S", "0 1 0 rg", "0 0 m 1 0 l 1 1 l h f",
        "Q", "Q",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("d", "drawn"),
    [
        ("M0,0 1,0C1,1 2,2 3,3 4,4 5,5 6,6Z", "0 0 m 1 0 l 1 1 2 2 3 3 c 4 4 5 5 6 6 c h"),
        ("M8,8 9,9M7 7L1 2.5", "8 8 m 9 9 l 7 7 m 1 2.5 l"),
        ("M0,0Q3,6 6,0", "0 0 m 2 4 4 4 6 0 c"),
    ],
)
def test_path_data_become_operators(d: str, drawn: str) -> None:
    assert outline(d) == drawn
