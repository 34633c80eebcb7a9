"""A page of a PDF -> a small picture of it, for the pages that lead to the file.

Drawn from what is printed, not from what it was printed from: it shows what the file looks like.
"""

from __future__ import annotations

import hashlib
from io import BytesIO

import pypdfium2

from rulebook.cache import Cache, digest_of

#: The room of a picture, in px, and its colours: sheets are drawn in few.
WIDTH, HEIGHT, COLOURS = 320, 440, 64
_STAGE = "thumbnails"


def thumbnail(pdf: bytes, page: int, cache: Cache) -> bytes:
    """A page, counted from 1, as PNG; the same page of the same PDF is drawn once."""
    key = digest_of([hashlib.sha256(pdf).hexdigest(), page])
    kept = cache.get(_STAGE, key)
    if kept is None:
        kept = _drawn(pdf, page)
        cache.put(_STAGE, key, kept)
    return kept


def _drawn(pdf: bytes, number: int) -> bytes:
    with pypdfium2.PdfDocument(pdf) as document:
        page = document[number - 1]
        width, height = page.get_size()
        # Half a pixel less, since a part of one counts as one.
        scale = min((WIDTH - 0.5) / width, (HEIGHT - 0.5) / height)
        picture = page.render(scale=scale).to_pil()
    made = BytesIO()
    picture.quantize(COLOURS, dither=0).save(made, "PNG", optimize=True)
    return made.getvalue()
