"""A few pages as pictures, small and grey: what no reading of words and boxes would notice.

The pictures are compared after both are made four times coarser, so that a reworded line passes and
a lost fill, drawing or typeface does not. `pytest tests/visual --accept` takes them as they are.
"""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from covered import first_pages
from PIL import Image, ImageChops, ImageStat
from printed import acw, printed

GOLDEN = Path(__file__).parent / "golden"
#: Dots per inch, and how many dots of each side become one before pictures are compared.
DENSITY, COARSER = 40, 4
#: The part of a page's ink by which it may differ and still be the same page.
TOLERANCE = 0.3
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


def difference(now: Image.Image, then: Image.Image) -> float:
    """Mean difference of grey between two coarse pictures, as a part of the ink of `then`."""
    coarse, before = (image.convert("L").reduce(COARSER) for image in (now, then))
    apart: float = ImageStat.Stat(ImageChops.difference(coarse, before)).mean[0]
    ink: float = 255 - ImageStat.Stat(before).mean[0]
    return apart / ink


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
        pytest.fail(f"{name} differs in {apart:.0%} of its ink from {golden}; look at {found}")


def test_pages_that_differ_are_told_apart() -> None:
    """A sheet without its fills is another picture, and so is its other side."""
    full, low, other = (
        picture(*page) for page in (("qrs-a4.pdf", 0), ("qrs-a4-low.pdf", 0), ("qrs-a4.pdf", 1))
    )
    assert difference(full, full) == 0
    assert difference(full, low) > TOLERANCE
    assert difference(full, other) > TOLERANCE
    assert difference(Image.new("L", full.size, 255), full) == pytest.approx(1)
