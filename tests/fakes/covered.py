"""A ruleset -> the first pages of its booklet, rendered without the rules that come after them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from read_pdf import Printed
from rendered import rendered_file
from small_rulesets import ruleset_of

from rulebook.documents.booklet.compose import compose_booklet
from rulebook.documents.booklet.views import BookletView
from rulebook.documents.catalogue import identity_of
from rulebook.documents.document_kind import ComposedDocument, File
from rulebook.model.header import InlinePicture
from rulebook.model.ruleset import Ruleset


def covered(
    media: str, data: bytes, collections: Mapping[str, Any] | None = None, **header: Any
) -> Ruleset:
    """A small ruleset with a picture; `lettering`, `alt` and `credit` are those of the cover."""
    cover = {key: header.pop(key) for key in ("lettering", "alt", "credit") if key in header}
    ending = media.rpartition("/")[2].removesuffix("+xml")
    spelt = {"picture": f"cover.{ending}", "alt": "A hill", **cover}
    return replace(ruleset_of(collections, cover=spelt, **header), cover=InlinePicture(media, data))


def view_of(ruleset: Ruleset, layout: str | None) -> BookletView:
    """The view of a booklet that is nothing but its first pages."""
    chapters = tuple(
        replace(one, sections=tuple(replace(section, parts=()) for section in one.sections))
        for one in ruleset.chapters
    )
    bare = replace(ruleset, chapters=chapters)
    view = compose_booklet(bare, identity_of(bare), layout, {}, {})
    return replace(view, chapters=(), notes=(), terms=())


def first_pages(ruleset: Ruleset, path: str) -> bytes:
    """The file `booklet-a5.pdf`, `booklet-letter-imposed.pdf`, `-press.pdf`, `booklet.html`..."""
    if path == "booklet.html":
        file = File(path, "html")
        kind, layout = "booklet-screen", None
    else:
        paper, folded = path.split("-")[1].removesuffix(".pdf"), "imposed" in path
        how: Any = "saddle stitch" if folded else None
        file = File(path, "pdf", paper, "press" if "press" in path else "full", how)
        kind, layout = "booklet", "a5" if folded or paper == "a5" else "large"
    view = view_of(ruleset, layout)
    composed = ComposedDocument("small", "1.2", kind, "booklet", "Booklet", "en", (file,), view)
    return rendered_file(composed, path)


def edges_are_printed(booklet: Printed, number: int = 0, left: float = 0, right: float = 0) -> bool:
    """Whether no point at the edges of a page is white, but for so many mm left and right."""
    picture = booklet.viewed[number].render(scale=40 / 72).to_pil().convert("RGB")
    width, height = picture.size
    first, last = round(left * 40 / 25.4), width - 1 - round(right * 40 / 25.4)
    points = [(x, y) for x in range(first, last + 1) for y in (0, height - 1)]
    points += [(x, y) for x in (first, last) for y in range(height)]
    return all(picture.getpixel(point) != (255, 255, 255) for point in points)
