"""Small pictures of pages: the right page, in its proportions, with its colours, once."""

from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from rulebook.cache import NOTHING_KEPT, open_cache
from rulebook.documents.parts import pages
from rulebook.documents.parts.pages import thumbnail


def pdf(*painted_pages: tuple[float, float, str]) -> bytes:
    """Pages of some width and height in points, on each what is painted on it."""
    made, document = BytesIO(), pikepdf.new()
    for width, height, painted in painted_pages:
        page = document.add_blank_page(page_size=(width, height))
        page.Contents = document.make_stream(painted.encode())
    document.save(made, deterministic_id=True)
    return made.getvalue()


#: The left half is red, what is above the middle of the right one blue.
A4 = (595.276, 841.89, "1 0 0 rg 0 0 297.638 841.89 re f 0 0 1 rg 297.638 420.945 297.638 421 re f")
WIDE = (841.89, 595.276, "0 0.5 0 rg 0 0 841.89 595.276 re f")


def drawn(data: bytes, page: int = 1) -> Image.Image:
    return Image.open(BytesIO(thumbnail(data, page, NOTHING_KEPT))).convert("RGB")


def test_what_is_painted_where() -> None:
    picture = drawn(pdf(A4, WIDE))
    assert picture.size == (311, 440), "439.5 / 841.89 * 595.276: 310.8"
    assert picture.getpixel((80, 220)) == (255, 0, 0)
    assert picture.getpixel((230, 110)) == (0, 0, 255)
    assert picture.getpixel((230, 330)) == (255, 255, 255)


def test_the_same_pdf_is_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache, data = open_cache(tmp_path / "cache"), pdf(A4, WIDE)
    made = [thumbnail(data, page, cache) for page in (1, 2)]
    assert made[0] != made[1] and made[0] == thumbnail(data, 1, NOTHING_KEPT)
    monkeypatch.setattr(pages, "_drawn", pytest.fail)
    assert [thumbnail(data, page, cache) for page in (1, 2)] == made
