"""Pages on other paper: the same contents, in the middle, at scale 1."""

from io import BytesIO

import pikepdf
import pypdfium2 as pdfium
import pytest
from read_sheets import numbered_pages

from rulebook.imposing.imposition import on_paper, page_sizes
from rulebook.packaged import templates_folder
from rulebook.paper_and_ink import paper_size
from rulebook.typeset.pdf import lay_out

MM = 25.4 / 72


@pytest.fixture(scope="module")
def a4() -> bytes:
    html = (
        '<html lang="en"><head><title>Two</title></head><body><h1>First</h1>'
        '<p id="there"><a href="#end">words</a></p><h1 id="end">Second</h1></body></html>'
    )
    styles = ["@page{size:210mm 297mm;margin:40mm}h1+p{break-after:page}"]
    return lay_out(html, styles, templates=templates_folder(), name="two").pdf(print_hints=True)


def size(page: pdfium.PdfPage) -> tuple[float, float]:
    return page.get_width() * MM, page.get_height() * MM


def letters_from_the_middle(page: pdfium.PdfPage) -> list[tuple[str, list[float]]]:
    """Every letter and its box in mm, measured from the middle of the page."""
    text = page.get_textpage()
    left, bottom, right, top = page.get_mediabox()
    middle = ((left + right) / 2, (bottom + top) / 2)
    found = []
    for index in range(text.count_chars()):
        edges = (edge - middle[n % 2] for n, edge in enumerate(text.get_charbox(index)))
        found.append((text.get_text_range(index, 1), [edge * MM for edge in edges]))
    return found


@pytest.mark.parametrize("paper", [paper_size("letter"), paper_size("a5"), paper_size("a3")])
def test_pages_keep_their_contents_in_the_middle_of_the_new_paper(
    a4: bytes, paper: tuple[float, float]
) -> None:
    before, after = pdfium.PdfDocument(a4), pdfium.PdfDocument(on_paper(a4, *paper))
    assert len(before) == len(after) == 2
    for one, other in zip(before, after, strict=True):
        assert size(one) == pytest.approx((210, 297), abs=0.001)
        assert size(other) == pytest.approx(paper, abs=0.001)
        assert other.get_mediabox() == other.get_cropbox()
        letters = letters_from_the_middle(one)
        assert len(letters) >= len("Second")
        for (letter, box), (same, there) in zip(
            letters, letters_from_the_middle(other), strict=True
        ):
            assert same == letter
            assert there == pytest.approx(box, abs=0.002)


def test_contents_are_not_touched(a4: bytes) -> None:
    with (
        pikepdf.open(BytesIO(a4)) as before,
        pikepdf.open(BytesIO(on_paper(a4, *paper_size("letter")))) as after,
    ):
        for one, other in zip(before.pages, after.pages, strict=True):
            assert one.Contents.read_bytes() == other.Contents.read_bytes()
        assert str(after.Root.Lang) == "en"
        assert bool(after.Root.MarkInfo.Marked)
        assert "/StructTreeRoot" in after.Root
        assert str(after.Root.ViewerPreferences.PrintScaling) == "/None"
        assert str(after.docinfo["/Title"]) == "Two"
        assert b"pdfuaid" in after.Root.Metadata.read_bytes()
        with after.open_outline() as outline:
            assert [item.title for item in outline.root] == ["First", "Second"]
        links = [a for page in after.pages for a in page.get("/Annots", [])]
        assert len(links) == 1


def test_other_boxes_do_not_contradict_the_new_paper(a4: bytes) -> None:
    with pikepdf.open(BytesIO(a4)) as pdf:
        for name in ("/CropBox", "/TrimBox", "/BleedBox", "/ArtBox"):
            pdf.pages[0][name] = pikepdf.Array([0, 0, 10, 10])
        boxed = BytesIO()
        pdf.save(boxed)
    with pikepdf.open(BytesIO(on_paper(boxed.getvalue(), *paper_size("letter")))) as pdf:
        boxes = ("/CropBox", "/TrimBox", "/BleedBox", "/ArtBox")
        assert not [name for name in boxes if name in pdf.pages[0]]


def test_sizes_are_those_of_the_trim() -> None:
    pages = numbered_pages(1, 148, 210, bleed=3)
    assert page_sizes(pages) == [(148, 210)]
