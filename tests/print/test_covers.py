"""The first page of a booklet: its picture at full size on every paper, its title on it."""

import re
from itertools import pairwise

import pikepdf
import pytest
from covered import covered, edges_are_printed, first_pages
from drawn_pictures import drawing, png
from PIL import ImageChops
from pypdfium2 import raw
from read_html import read_html
from read_pdf import MM, Printed, tidy
from shipped_rulesets import SHIPPED, shipped
from small_rulesets import ruleset_of

from rulebook.documents.document_kind import COVER_PAGES, LAYOUTS
from rulebook.paper_and_ink import paper_size

PAPERS = {name: paper_size(name) for name in ("a5", "a4", "letter")}
#: A picture with a circle in its middle, so that what is cut or bent is seen.
CIRCLE = drawing(
    '<rect width="148" height="210" fill="#204060"/><circle cx="74" cy="105" r="20" fill="#f00"/>'
)
SVG = "image/svg+xml"
LONG = "A Considerable Collection of Regulations and Observations Touching the Manoeuvres of Horse"


def words_keep_clear(booklet: Printed, paper: str, room: float = 6.0) -> bool:
    width, height = PAPERS[paper]
    return all(
        room < letter.left < letter.right < width - room
        and room < letter.top < letter.bottom < height - room
        for letter in booklet.letters(0)
    )


@pytest.mark.parametrize(
    ("name", "paper"), [*((name, "a5") for name in SHIPPED), ("acw", "a4"), ("acw", "letter")]
)
def test_each_shipped_ruleset_has_a_cover_to_the_edges(name: str, paper: str) -> None:
    ruleset = shipped(name)
    assert ruleset.cover is not None, "a cover worth having"
    assert len(ruleset.cover.data) < 150_000
    booklet = Printed(first_pages(ruleset, f"booklet-{paper}.pdf"))
    for size in booklet.sizes:
        assert size == pytest.approx(PAPERS[paper], abs=0.002)
    assert edges_are_printed(booklet)
    assert words_keep_clear(booklet, paper)
    header = ruleset.header
    assert header.title.upper() in booklet.texts[0].upper()
    assert f"EDITION {header.edition}" in booklet.texts[0].upper()
    figures = [str(figure.Alt) for figure in booklet.tags("/Figure")]
    assert header.cover is not None and header.cover.alt in figures


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_cover_fills_its_half_of_the_outer_sheet(paper: str) -> None:
    ruleset = covered(SVG, CIRCLE, title="Small Wars")
    booklet = Printed(first_pages(ruleset, f"booklet-{paper}-imposed.pdf"))
    width, height = PAPERS[paper][1], PAPERS[paper][0]
    assert booklet.sizes[0] == pytest.approx((width, height), abs=0.002)
    # A5 is half a millimetre narrower than half of A4.
    assert edges_are_printed(booklet, left=width / 2 + 1, right=1 if paper == "a4" else 0)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_picture_is_neither_bent_nor_moved(paper: str) -> None:
    """It covers the page from which papers are cut, with its middle in the middle."""
    booklet = Printed(first_pages(covered(SVG, CIRCLE, lettering="dark"), f"booklet-{paper}.pdf"))
    picture = booklet.viewed[0].render(scale=100 / 72).to_pil().convert("RGB")
    red = [
        (x, y)
        for x in range(picture.width)
        for y in range(picture.height)
        if picture.getpixel((x, y)) == (255, 0, 0)
    ]
    across, down = ([point[axis] for point in red] for axis in (0, 1))
    layout = next(name for name, papers in LAYOUTS.items() if paper in papers)
    wide, high = COVER_PAGES[layout]
    diameter = 40 * max(wide / 148, high / 210)
    width, height = PAPERS[paper]
    for found, size in ((across, width), (down, height)):
        low, top = min(found) * 0.254, (max(found) + 1) * 0.254
        assert top - low == pytest.approx(diameter, abs=0.6)
        assert (low + top) / 2 == pytest.approx(size / 2, abs=0.4)


@pytest.mark.parametrize("lettering", ["label", "light", "dark"])
@pytest.mark.parametrize("title", ["War", LONG, "Donaudampfschifffahrtsgesellschaft"])
def test_any_title_stands_within_the_picture(lettering: str, title: str) -> None:
    ruleset = covered(SVG, CIRCLE, title=title, subtitle=LONG, lettering=lettering)
    for paper in PAPERS:
        booklet = Printed(first_pages(ruleset, f"booklet-{paper}.pdf"))
        assert words_keep_clear(booklet, paper)
        assert max(letter.bottom for letter in booklet.letters(0)) < PAPERS[paper][1] / 2
        assert tidy(booklet.texts[0]).upper().startswith(title.upper())
        assert min(letter.size for letter in booklet.letters(0)) >= 6.5


@pytest.mark.parametrize("title", ["War", LONG])
def test_without_a_picture_the_title_stands_over_an_ornament(title: str) -> None:
    cone = {"shape": "cone", "title": "Cone", "length": "9in", "base": "3in"}
    near = {"name": "Near", "kills": "4+"}
    collections = {"cutouts": {"cone": {**cone, "zones": [near]}}}
    for ruleset, told in (
        (ruleset_of(collections, title=title), "Cone"),
        (ruleset_of(title=title), "The six faces of a die"),
    ):
        for paper in PAPERS:
            booklet = Printed(first_pages(ruleset, f"booklet-{paper}.pdf"))
            assert edges_are_printed(booklet)
            assert words_keep_clear(booklet, paper, 14)
            assert told in [str(figure.Alt) for figure in booklet.tags("/Figure")]
            page = booklet.viewed[0]
            top = page.get_mediabox()[3]
            bottom = max(letter.bottom for letter in booklet.letters(0))
            drawn = [
                (top - one.get_bounds()[3]) * MM
                for one in page.get_objects([raw.FPDF_PAGEOBJ_PATH], max_depth=4)
                if one.get_bounds()[2] - one.get_bounds()[0] < 60 / MM
            ]
            assert bottom < min(above for above in drawn if above > 60), "the ornament is below"


def test_a_picture_of_points_is_printed() -> None:
    booklet = Printed(first_pages(covered("image/png", png(74, 105)), "booklet-a5.pdf"))
    assert edges_are_printed(booklet)
    images = [one for one in booklet.pdf.objects if _subtype(one) == "/Image"]
    assert [(int(image.Width), int(image.Height)) for image in images] == [(74, 105)]


def _subtype(one: object) -> str:
    return str(one.get("/Subtype", "")) if isinstance(one, pikepdf.Stream) else ""


def test_the_page_behind_the_cover_says_what_a_title_page_says() -> None:
    ruleset = covered(
        SVG,
        CIRCLE,
        summary="Two forces meet. " + "And " * 61,
        credits=[{"role": "Rules", "name": "A. Player"}],
        credit="B. Painter",
    )
    text = Printed(first_pages(ruleset, "booklet-a5.pdf")).texts[1]
    assert text.upper().startswith("SMALL WARS")
    for words in ("Two forces meet.", "A. Player", "Cover B. Painter", "CONTENTS"):
        assert words in text
    assert "Edition 1.2, 29 February 2024" in text


@pytest.mark.parametrize("data", [None, CIRCLE])
def test_a_screen_begins_with_the_cover(data: bytes | None) -> None:
    ruleset = covered(SVG, data) if data else ruleset_of()
    text = first_pages(ruleset, "booklet.html").decode()
    page = read_html(text)
    assert [heading.text for heading in page.all("h1")] == ["Small Wars"]
    assert page.all("link", "iframe", "object") == []
    assert all("src" not in script.attributes for script in page.all("script"))
    sources = [image.attributes["src"] for image in page.all("img")]
    assert len(sources) == (1 if data else 0)
    assert all(re.match(r"data:image/svg\+xml;base64,", source or "") for source in sources)
    for before, after in pairwise(("<h1>", "Edition 1.2", "Edition 1.2, 29 February 2024")):
        assert text.index(before) < text.index(after)


#: Next to one another in a calm field, points differ by so many of 255: a sky may grow lighter.
CALM = 12


def steepest(booklet: Printed, room: float) -> int:
    """The greatest step from point to point within so many mm of the words of the first page."""
    page, words = booklet.viewed[0], list(booklet.letters(0))
    assert words
    for one in list(page.get_objects([raw.FPDF_PAGEOBJ_TEXT])):
        page.remove_obj(one)
    page.gen_content()
    drawn = page.render(scale=100 / 72).to_pil().convert("RGB")
    most = 0
    for letter in words:
        corners = (letter.left - room, letter.top - room, letter.right + room, letter.bottom + room)
        around = drawn.crop(tuple(round(edge / 0.254) for edge in corners))
        for moved in (ImageChops.offset(around, 1, 0), ImageChops.offset(around, 0, 1)):
            step = ImageChops.difference(around, moved).crop((1, 1, *around.size))
            most = max(most, *(high for _, high in step.getextrema()))
    return most


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", [one for one in SHIPPED if one != "acw-centimetres"])
def test_words_stand_on_a_calm_field(name: str, paper: str) -> None:
    """Nothing drawn comes within 6 mm of them; the frame of a label stands so far off too.

    The variant has the picture of a released edition, which never changes.
    """
    data = first_pages(shipped(name), f"booklet-{paper}.pdf")
    assert steepest(Printed(data), 6) <= CALM
