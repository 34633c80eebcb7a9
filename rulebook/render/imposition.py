"""Pages of a PDF -> the same pages on other paper, by their boxes: nothing is laid out again."""

from __future__ import annotations

from io import BytesIO

import pikepdf

POINTS_PER_MM = 72 / 25.4


def on_paper(data: bytes, width: float, height: float) -> bytes:
    """The pages in the middle of paper of another size, in millimetres, at scale 1.

    What lies outside is cut, so the pages must keep their contents inside both papers.
    """
    with pikepdf.open(BytesIO(data)) as pdf:
        for page in pdf.pages:
            left, bottom, right, top = (float(edge) for edge in page.mediabox)
            x = (left + right - width * POINTS_PER_MM) / 2
            y = (bottom + top - height * POINTS_PER_MM) / 2
            box = [x, y, x + width * POINTS_PER_MM, y + height * POINTS_PER_MM]
            for name in ("/CropBox", "/TrimBox", "/BleedBox", "/ArtBox"):
                if name in page:
                    del page[name]
            page.mediabox = pikepdf.Array([round(edge, 4) for edge in box])
        result = BytesIO()
        pdf.save(result, deterministic_id=True, fix_metadata_version=False)
    return result.getvalue()
