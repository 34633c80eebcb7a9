"""Pages on other paper: the same contents, in the middle, at scale 1."""

from io import BytesIO

import pikepdf
import pypdfium2 as pdfium
import pytest
from beside import beside
from read_sheets import Sheets, numbered_pages

from rulebook.imposing.arrangements import arrange
from rulebook.imposing.imposition import WrongPages, on_paper, page_sizes
from rulebook.packaged import templates_folder
from rulebook.paper_and_ink import PAPERS
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


@pytest.mark.parametrize("paper", [PAPERS["letter"], PAPERS["a5"], PAPERS["a3"]])
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
        pikepdf.open(BytesIO(on_paper(a4, *PAPERS["letter"]))) as after,
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
    with pikepdf.open(BytesIO(on_paper(boxed.getvalue(), *PAPERS["letter"]))) as pdf:
        boxes = ("/CropBox", "/TrimBox", "/BleedBox", "/ArtBox")
        assert not [name for name in boxes if name in pdf.pages[0]]


# Finished PDFs on sheets: what there are sheets of, and what is refused.


@pytest.mark.parametrize(
    ("arrangement", "count", "sheets", "first"),
    beside(__file__, "arrangements"),
)
def test_arrangements(arrangement: str, count: int, sheets: int, first: list[int]) -> None:
    made = arrange(numbered_pages(count, 148, 210), arrangement, "a4", title="Mine")
    read = Sheets(made.data)
    assert made.sheets == sheets
    assert made.duplex == (arrangement == "booklet")
    assert len(read.sizes) == sheets * (2 if made.duplex else 1)
    assert [number for number, *_ in read.numbers(0)] == first


def test_signatures() -> None:
    made = arrange(numbered_pages(16, 148, 210), "booklet", "a4", title="", sheets_a_signature=2)
    read = Sheets(made.data)
    sides = [[number for number, *_ in read.numbers(side)] for side in range(8)]
    assert sides == [[8, 1], [2, 7], [6, 3], [4, 5], [16, 9], [10, 15], [14, 11], [12, 13]]


def test_a_thousand_pages() -> None:
    made = arrange(numbered_pages(1000, 148, 210), "booklet", "a4", title="Long")
    assert made.sheets == 250
    assert Sheets(made.data).object_count("/Form") == 1000


def mixed() -> bytes:
    from io import BytesIO

    import pikepdf

    with pikepdf.open(BytesIO(numbered_pages(3, 148, 210))) as pdf:
        pdf.pages[1].MediaBox = pdf.pages[1].TrimBox = pikepdf.Array([0, 0, 300, 400])
        out = BytesIO()
        pdf.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "arrangement", "said"),
    [
        (b"no pdf at all", "booklet", "no PDF that can be read"),
        (numbered_pages(0, 1, 1), "booklet", "0 pages, expected 1 to 2000"),
        (mixed(), "booklet", "page 2 is 105.8 x 141.1 mm, page 1 is 148 x 210 mm"),
        (mixed(), "two-up", "page 2 is 105.8 x 141.1 mm"),
        (numbered_pages(4, 210, 297), "booklet", "pages of 210 x 297 mm, expected up to"),
        (numbered_pages(4, 210, 297), "twice", "pages of 210 x 297 mm, expected up to"),
        (numbered_pages(1, 4000, 4000), "poster", "a page that takes"),
    ],
)
def test_what_does_not_go_is_refused(data: bytes, arrangement: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        arrange(data, arrangement, "a4", title="Mine")


def test_a_poster_may_be_of_pages_of_several_sizes() -> None:
    made = arrange(mixed(), "poster", "a4", title="Mine")
    assert made.sheets == 3


def test_sizes_are_those_that_a_reader_sees() -> None:
    assert [str(size) for size in page_sizes(mixed())] == [
        "148 x 210 mm",
        "105.8 x 141.1 mm",
        "148 x 210 mm",
    ]
    with pytest.raises(WrongPages):
        page_sizes(b"")
