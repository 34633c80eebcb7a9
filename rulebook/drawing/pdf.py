"""Drawings -> one PDF, a page each, in true millimetres, tagged as PDF/UA-1 asks for.

Every page is a figure with an alternative text; its words are words, searched and read aloud. The
same drawings always give the same bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from types import SimpleNamespace
from xml.sax.saxutils import escape

import pydyf

from rulebook.drawing.content import Content, Used, number, numbers, page_matrix
from rulebook.drawing.elements import Picture
from rulebook.typefaces import EmbeddedFont, embedded

POINTS_PER_MM = 72 / 25.4


def compress_sooner() -> None:
    """Have pydyf, which writes WeasyPrint's files too, compress at level 6 instead of 9.

    A file is a fiftieth larger and takes a third of the time, which was a tenth of painting it.
    """
    pydyf.zlib = SimpleNamespace(compressobj=lambda level: zlib.compressobj(min(level, 6)))


class Unset(ValueError):
    """Characters for which no typeface has a glyph."""

    def __init__(self, characters: frozenset[str]) -> None:
        super().__init__(", ".join(sorted(characters)))
        self.characters = characters


@dataclass(frozen=True, slots=True)
class Page:
    """A drawing on a page of its own, whose size is given in mm."""

    width: float
    height: float
    picture: Picture


def pdf(pages: Sequence[Page], *, title: str, language: str, print_hints: bool = False) -> bytes:
    """The file.

    `print_hints` asks the viewer to print at actual size, on the paper of the page's size. Raises
    Unset where a character has no glyph.
    """
    compress_sooner()
    used = Used()
    contents = [_content(page, used) for page in pages]
    if used.unset:
        raise Unset(frozenset(used.unset))
    document = pydyf.PDF()
    resources = _added(document, _resources(document, used))
    figures = [
        _page(document, page, content, resources, count)
        for count, (page, content) in enumerate(zip(pages, contents, strict=True))
    ]
    _tag(document, figures)
    _tell(document, title, language)
    preferences = {"DisplayDocTitle": "true"}
    if print_hints:
        preferences |= {"PrintScaling": "/None", "PickTrayByPDFSize": "true"}
    document.catalog["ViewerPreferences"] = pydyf.Dictionary(preferences)
    result = BytesIO()
    document.write(result, version="1.7", compress=True)
    return result.getvalue()


def _content(page: Page, used: Used) -> bytes:
    left, top, _, height = page.picture.window
    content = Content(used)
    content.draw(page.picture.elements)
    matrix = numbers(round(part, 9) for part in page_matrix(left, top, height))
    head = f"/Figure <</MCID 0>> BDC\nq\n{matrix} cm\n4 M"
    return "\n".join([head, *content.lines, "Q\nEMC"]).encode("ascii")


def _added(document: pydyf.PDF, one: pydyf.Object) -> pydyf.Object:
    document.add_object(one)
    return one


def _resources(document: pydyf.PDF, used: Used) -> pydyf.Dictionary:
    """The fonts and opacities of all pages."""
    fonts = {
        used.font(typeface): font_object(document, embedded(typeface, glyphs)).reference
        for typeface, glyphs in used.glyphs.items()
    }
    states = {
        used.state(opacity): pydyf.Dictionary({"ca": number(opacity)}) for opacity in used.opacities
    }
    found = pydyf.Dictionary()
    if fonts:
        found["Font"] = pydyf.Dictionary(fonts)
    if states:
        found["ExtGState"] = pydyf.Dictionary(states)
    return found


def font_object(document: pydyf.PDF, font: EmbeddedFont) -> pydyf.Dictionary:
    """A font that has been added to a document, with its program and its letters."""
    program = pydyf.Stream([font.program], {"Length1": len(font.program)}, compress=True)
    descriptor = pydyf.Dictionary(
        {
            "Type": "/FontDescriptor",
            "FontName": f"/{font.name}",
            "FontFamily": pydyf.String(font.family),
            "Flags": 4 + 64 * font.italic,
            "FontBBox": pydyf.Array(font.box),
            "ItalicAngle": -12 * font.italic,
            "Ascent": font.ascent,
            "Descent": font.descent,
            "CapHeight": font.cap_height,
            "StemV": 80,
            "FontFile2": _added(document, program).reference,
        }
    )
    descendant = pydyf.Dictionary(
        {
            "Type": "/Font",
            "Subtype": "/CIDFontType2",
            "BaseFont": f"/{font.name}",
            "CIDSystemInfo": pydyf.Dictionary(
                {
                    "Registry": pydyf.String("Adobe"),
                    "Ordering": pydyf.String("Identity"),
                    "Supplement": 0,
                }
            ),
            "FontDescriptor": _added(document, descriptor).reference,
            "CIDToGIDMap": "/Identity",
            "W": pydyf.Array(_widths(font)),
        }
    )
    letters = pydyf.Stream([font.letters], compress=True)
    return _added(
        document,
        pydyf.Dictionary(
            {
                "Type": "/Font",
                "Subtype": "/Type0",
                "BaseFont": f"/{font.name}",
                "Encoding": "/Identity-H",
                "DescendantFonts": pydyf.Array([_added(document, descendant).reference]),
                "ToUnicode": _added(document, letters).reference,
            }
        ),
    )


def _widths(font: EmbeddedFont) -> Iterator[object]:
    for glyph, width in font.widths.items():
        yield from (glyph, pydyf.Array([number(width)]))


def _page(
    document: pydyf.PDF, page: Page, content: bytes, resources: pydyf.Object, count: int
) -> pydyf.Dictionary:
    """Adds a page, and gives its figure in the structure of the document."""
    stream = _added(document, pydyf.Stream([content], compress=True))
    box = [0, 0, *(number(round(side * POINTS_PER_MM, 6)) for side in (page.width, page.height))]
    one = pydyf.Dictionary(
        {
            "Type": "/Page",
            "Parent": document.pages.reference,
            "MediaBox": pydyf.Array(box),
            "TrimBox": pydyf.Array(box),
            "BleedBox": pydyf.Array(box),
            "Contents": stream.reference,
            "Resources": resources.reference,
            "StructParents": count,
            "Tabs": "/S",
        }
    )
    document.add_page(one)
    layout = pydyf.Dictionary({"O": "/Layout", "BBox": pydyf.Array(box)})
    figure = pydyf.Dictionary(
        {
            "Type": "/StructElem",
            "S": "/Figure",
            "Pg": one.reference,
            "Alt": pydyf.String(page.picture.title),
            "A": layout,
            "K": 0,
        }
    )
    return _added(document, figure)


def _tag(document: pydyf.PDF, figures: Sequence[pydyf.Dictionary]) -> None:
    """The structure: a document of figures, each with all that is on its page."""
    root = pydyf.Dictionary({"Type": "/StructTreeRoot"})
    whole = pydyf.Dictionary({"Type": "/StructElem", "S": "/Document"})
    document.add_object(root)
    document.add_object(whole)
    whole["P"] = root.reference
    whole["K"] = pydyf.Array([figure.reference for figure in figures])
    parents: list[object] = []
    for count, figure in enumerate(figures):
        figure["P"] = whole.reference
        parents += [count, pydyf.Array([figure.reference])]
    tree = _added(document, pydyf.Dictionary({"Nums": pydyf.Array(parents)}))
    root["K"] = pydyf.Array([whole.reference])
    root["ParentTree"] = tree.reference
    root["ParentTreeNextKey"] = len(figures)
    document.catalog["StructTreeRoot"] = root.reference
    document.catalog["MarkInfo"] = pydyf.Dictionary({"Marked": "true"})


def _tell(document: pydyf.PDF, title: str, language: str) -> None:
    """Title and language, and that the file keeps to PDF/UA-1."""
    document.info["Title"] = pydyf.String(title)
    document.info["Producer"] = pydyf.String("rulebook")
    document.catalog["Lang"] = pydyf.String(language)
    told = (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
        '<x:xmpmeta xmlns:x="adobe:ns:meta/">\n'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n'
        '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:pdf="http://ns.adobe.com/pdf/1.3/" '
        'xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">\n'
        "<pdfuaid:part>1</pdfuaid:part>\n<pdf:Producer>rulebook</pdf:Producer>\n"
        f'<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{escape(title)}</rdf:li></rdf:Alt>'
        "</dc:title>\n</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n"
        '<?xpacket end="r"?>'
    ).encode()
    # not packed, so that what looks for it finds it
    metadata = pydyf.Stream([told], {"Type": "/Metadata", "Subtype": "/XML"})
    document.catalog["Metadata"] = _added(document, metadata).reference
