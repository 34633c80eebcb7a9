"""Booklets for printing services, read back: boxes, output intent, inks, fonts, black."""

import re
from collections.abc import Iterator
from decimal import Decimal
from io import BytesIO
from typing import Any

import pikepdf
import pytest
from covered import covered, edges_are_printed, first_pages
from drawn_pictures import drawing, png
from read_pdf import MM, Printed
from shipped_rulesets import shipped

from rulebook.packaged import templates_folder
from rulebook.paper_and_ink import paper_size
from rulebook.typeset.press import PROFILE, inks_of

#: Operators that take red, green and blue, and those that take four inks or a grey.
SCREEN, PRESS = {"rg", "RG"}, {"cs", "CS", "scn", "SCN", "g", "G", "k", "K", "sc", "SC"}


def pressed(paper: str = "a5", **header: Any) -> bytes:
    art = '<rect width="148" height="210" fill="#204060"/><path d="M0 0L9 9" stroke="#111"/>'
    ruleset = covered("image/svg+xml", drawing(art), summary="Two forces meet.", **header)
    return first_pages(ruleset, f"booklet-{paper}-press.pdf")


@pytest.fixture(scope="module")
def book() -> pikepdf.Pdf:
    """The first and last pages of a book that ships."""
    return pikepdf.open(BytesIO(first_pages(shipped("last-wagon"), "booklet-a5-press.pdf")))


def box(page: pikepdf.Page, name: str) -> list[float]:
    return [float(edge) * MM for edge in page.obj[name]]


@pytest.mark.parametrize("paper", ["a5", "a4", "letter"])
def test_three_millimetres_are_cut_off_on_every_side(paper: str) -> None:
    data = pressed(paper)
    with pikepdf.open(BytesIO(data)) as pdf:
        for page in pdf.pages:
            left, bottom, right, top = box(page, "/MediaBox")
            assert box(page, "/BleedBox") == pytest.approx([left, bottom, right, top], abs=0.001)
            trim = [left + 3, bottom + 3, right - 3, top - 3]
            assert box(page, "/TrimBox") == pytest.approx(trim, abs=0.001)
            size = (trim[2] - trim[0], trim[3] - trim[1])
            assert size == pytest.approx(paper_size(paper), abs=0.002)
            assert "/Annots" not in page and "/AA" not in page
    booklet = Printed(data)
    assert edges_are_printed(booklet, 0) and edges_are_printed(booklet, len(booklet.texts) - 1)


def test_it_says_that_it_is_pdf_x_and_for_which_press(book: pikepdf.Pdf) -> None:
    [intent] = book.Root.OutputIntents
    assert (str(intent.S), str(intent.OutputConditionIdentifier)) == ("/GTS_PDFX", "FOGRA39")
    assert str(intent.RegistryName) == "http://www.color.org"
    profile = intent.DestOutputProfile
    assert bytes(profile.read_bytes()) == (templates_folder() / PROFILE).read_bytes()
    assert int(profile.N) == 4
    data = profile.read_bytes()
    assert (data[12:16], data[16:20]) == (b"prtr", b"CMYK"), "of an output device, in four inks"
    told = book.Root.Metadata.read_bytes().decode()
    assert "GTS_PDFXVersion>PDF/X-4<" in told and "Trapped>False<" in told
    for needed in ("DocumentID", "VersionID", "RenditionClass", "CreateDate", "ModifyDate"):
        assert needed in told
    assert str(book.docinfo["/Trapped"]) == "/False"
    assert str(book.docinfo["/Title"]) == "The Last Wagon, edition 1.0"
    assert book.pdf_version == "1.6" and not book.is_encrypted
    assert str(book.trailer.ID[0])
    assert "/OpenAction" not in book.Root and "/AcroForm" not in book.Root


def streams(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    yield from (page.obj for page in pdf.pages)
    for one in pdf.objects:
        if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Form":
            yield one


def painted(pdf: pikepdf.Pdf) -> Iterator[tuple[str, list[float]]]:
    """The colours that are set, by their operators; patterns have no numbers."""
    for stream in streams(pdf):
        space = {"cs": "", "CS": ""}
        for one in pikepdf.parse_content_stream(stream):
            operator = str(one.operator)
            if operator in space:
                space[operator] = str(one.operands[0])
            elif operator in SCREEN | PRESS:
                if operator in ("scn", "SCN"):
                    assert space["cs" if operator == "scn" else "CS"] in ("/DeviceCMYK", "/Pattern")
                yield operator, [float(x) for x in one.operands if isinstance(x, Decimal | int)]


def words_in(pdf: pikepdf.Pdf) -> Iterator[tuple[float, ...]]:
    """The inks of each run of letters."""
    for stream in streams(pdf):
        inks: list[tuple[float, ...]] = [()]
        for one in pikepdf.parse_content_stream(stream):
            operator = str(one.operator)
            if operator == "q":
                inks.append(inks[-1])
            elif operator == "Q":
                inks.pop()
            elif operator == "scn":
                inks[-1] = tuple(float(x) for x in one.operands if isinstance(x, Decimal | int))
            elif operator in ("Tj", "TJ"):
                yield inks[-1]


def test_everything_is_in_the_inks_of_the_press(book: pikepdf.Pdf) -> None:
    colours = list(painted(book))
    assert {operator for operator, _ in colours} <= PRESS
    four = {tuple(numbers) for _, numbers in colours if len(numbers) == 4}
    assert len(four) > 10 and (0, 0, 0, 1) in four and (0, 0, 0, 0) in four
    coloured = {one for one in four if any(one[:3])}
    assert coloured
    for one in coloured:
        # what a press can lay down before it smears
        assert sum(one) <= 3.3, one
        assert min(one[:3]) < 0.75 or one[3] < 0.9, "black that is mixed"


def test_black_words_are_black_ink_alone(book: pikepdf.Pdf) -> None:
    """Only words in the accent have a colour in them: there are no coloured edges."""
    words = list(words_in(book))
    assert words.count((0, 0, 0, 1)) >= 5
    accent = shipped("last-wagon").header.accent
    red, green, blue = (int(accent[at : at + 2], 16) / 255 for at in (1, 3, 5))
    coloured = {one for one in words if any(one[:3])}
    assert coloured == {inks_of(templates_folder() / PROFILE)((red, green, blue))}


def test_all_fonts_are_in_the_file() -> None:
    fonts = Printed(pressed()).fonts
    assert fonts and all(inside for _, inside in fonts)


def test_a_picture_of_points_has_a_profile() -> None:
    """Its red, green and blue mean what they mean on a screen, for the default is named."""
    data = first_pages(covered("image/png", png(74, 105)), "booklet-a5-press.pdf")
    with pikepdf.open(BytesIO(data)) as pdf:
        for page in pdf.pages:
            name, profile = page.Resources.ColorSpace.DefaultRGB
            assert str(name) == "/ICCBased" and int(profile.N) == 3
            assert profile.read_bytes()[16:20] == b"RGB "


def test_shades_are_told_what_they_are() -> None:
    art = (
        '<defs><linearGradient id="g"><stop offset="0" stop-color="#f00"/>'
        '<stop offset="1" stop-color="#00f"/></linearGradient></defs>'
        '<rect width="148" height="210" fill="url(#g)"/>'
    )
    data = first_pages(covered("image/svg+xml", drawing(art)), "booklet-a5-press.pdf")
    with pikepdf.open(BytesIO(data)) as pdf:
        found = [one for one in pdf.objects if isinstance(one, pikepdf.Dictionary)]
        shades = [one for one in found if "/ShadingType" in one]
    assert {str(one.ColorSpace) for one in shades} <= {"/DeviceRGB"}


def test_the_same_pages_are_the_same_bytes_without_a_clock() -> None:
    assert pressed() == pressed() != pressed(title="Large Wars")
    told = re.findall(rb"/(?:Creation|Mod)Date ?\(D:(\d{4})", pressed())
    assert set(told) <= {b"1970"}


@pytest.mark.parametrize("grey", [0.0, 0.19, 0.22, 0.5, 0.8, 1.0])
def test_greys_take_no_other_ink(grey: float) -> None:
    inks = inks_of(templates_folder() / PROFILE)
    assert inks((grey,) * 3) == (0, 0, 0, 1 if grey <= 0.2 else pytest.approx(1 - grey))
