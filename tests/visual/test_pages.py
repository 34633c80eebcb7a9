"""A few pages as pictures, small and grey: what no reading of words and boxes would notice.

The pictures are compared after both are made twice as coarse, dot by dot: a reworded line shows,
a hair's breadth in the drawing of letters does not. `pytest tests/visual --accept` takes them as
they are.
"""

from functools import cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from covered import first_pages
from PIL import Image, ImageChops
from printed import acw, printed

GOLDEN = Path(__file__).parent / "golden"
#: Dots per inch, and how many dots of each side become one before pictures are compared.
DENSITY, COARSER = 40, 2
#: By how many of 255 greys a coarse dot may differ on the same page.
TOLERANCE = 24
#: A picture in the repository is no larger, in bytes.
LARGEST = 20 * 1024

PAGES = {
    "sheet": ("qrs-a4.pdf", 0),
    "sheet-low-ink": ("qrs-a4-low.pdf", 1),
    "cover": ("first pages", 0),
    "imprint": ("first pages", 1),
    "shell-burst": ("cutouts/shell-burst-a4.pdf", 0),
}


@cache
def first_pages_of_acw() -> bytes:
    """The booklet without its rules."""
    return first_pages(acw(), "booklet-a5.pdf")


def picture(path: str, number: int) -> Image.Image:
    """The page in sixteen greys."""
    data = first_pages_of_acw() if path == "first pages" else printed(path, marked=False)
    page = pdfium.PdfDocument(data)[number]
    drawn: Image.Image = page.render(scale=DENSITY / 72, grayscale=True).to_pil().convert("L")
    return drawn.point([round(grey / 17) * 17 for grey in range(256)])


def difference(now: Image.Image, then: Image.Image) -> int:
    """The greatest difference of grey between two coarse pictures."""
    coarse, before = (image.convert("L").reduce(COARSER) for image in (now, then))
    (_, most) = ImageChops.difference(coarse, before).getextrema()
    return int(most)


def as_png(image: Image.Image) -> bytes:
    """The smallest file: an index of greys, half a byte for each dot."""
    data = BytesIO()
    image.quantize(16).save(data, "PNG", optimize=True, bits=4)
    return data.getvalue()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_looks_as_it_did(name: str, request: pytest.FixtureRequest) -> None:
    now = picture(*PAGES[name])
    golden = GOLDEN / f"{name}.png"
    if request.config.getoption("--accept"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_bytes(as_png(now))
    then = Image.open(golden)
    assert golden.stat().st_size <= LARGEST
    assert now.size == then.size
    apart = difference(now, then)
    if apart > TOLERANCE:
        found = Path(request.config.rootpath) / ".pytest_cache" / f"{name}-now.png"
        found.parent.mkdir(exist_ok=True)
        now.save(found)
        pytest.fail(f"{name} differs by {apart} greys from {golden}; look at {found}")


@pytest.mark.parametrize("name", ["sheet", "sheet-low-ink", "imprint"])
def test_a_line_that_is_worded_otherwise_is_seen(name: str) -> None:
    """The words of one line moved on by some letters, as if one before them were another."""
    page = picture(*PAGES[name])
    half = page.width // 2
    dots = page.crop((0, 0, half, page.height)).tobytes()
    rows = [dots[first : first + half] for first in range(0, len(dots), half)]
    changes = [sum(abs(one - other) for one, other in pairwise(row)) for row in rows]
    top = changes.index(max(changes))
    other = page.copy()
    line = page.crop((0, top - 2, half, top + 2))
    other.paste(line, (6, top - 2))
    assert difference(other, page) > TOLERANCE
