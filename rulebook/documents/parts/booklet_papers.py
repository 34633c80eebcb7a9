"""The pages of a booklet -> its files: on each paper, and to fold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from rulebook.documents.parts.kind import Kind
from rulebook.documents.parts.publication import Artefact, LaidOut, Rendered
from rulebook.paper import paper_size
from rulebook.translation import gettext

#: How a booklet is laid out, and the papers that each layout serves: A4 and Letter agree page for
#: page.
PAPERS = {"a5": ("a5",), "large": ("a4", "letter")}
#: The layout whose pages are folded from sheets of twice their size.
FOLDED_LAYOUT = "a5"
#: For each layout the paper on which it is laid out.
LAYOUT_PAPERS = {"a5": "a5", "large": "a4"}
#: For each layout the page of the cover, mm: as large as the papers that it is cut to together.
COVER_PAGES = {"a5": (148, 215.9), "large": (215.9, 297)}
#: For each layout, None for the screen, the width of a chart in millimetres and its type in points.
#: On a telephone the screen's is set at about nine tenths of its size.
CHART_PAGES = {"a5": (111.0, 7.6), "large": (132.0, 8.6), None: (104.0, 8.8)}


def booklet_files(
    stem: str, papers: Collection[str], imposed: Iterable[str]
) -> Iterator[tuple[str, list[Artefact]]]:
    """The files of a booklet on these papers, and on others to fold, by layout."""
    for layout, served in PAPERS.items():
        files = [
            Artefact(f"{stem}-{paper}.pdf", "pdf", paper, "full")
            for paper in papers
            if paper in served
        ]
        if layout == FOLDED_LAYOUT:
            files += [
                Artefact(f"{stem}-{paper}-imposed.pdf", "pdf", paper, "full", "saddle stitch")
                for paper in imposed
            ]
        if files:
            yield layout, files


def styles_of_layout(kind: Kind[Any], layout: str) -> tuple[str, ...]:
    """The styles of a kind of booklet but those of its other layouts."""
    others = tuple(f"-{one}" for one in PAPERS if one != layout)
    return tuple(name for name in kind.styles if not name.endswith(others))


def on_papers(
    artefacts: Sequence[Artefact], data: bytes, laid_out: LaidOut, title: str, language: str
) -> Iterable[Rendered]:
    """The files of a booklet, on its papers and to fold; folded sheets have a title of their own.

    Viewers show it, so it says how they are printed.
    """
    from rulebook.imposing.folding import fold
    from rulebook.imposing.imposition import on_paper
    from rulebook.imposing.placing import BOTH_SIDES
    from rulebook.imposing.saddle_stitch import FLIP

    for artefact in artefacts:
        assert artefact.paper is not None
        if artefact.imposition:
            how = gettext(BOTH_SIDES[FLIP])
            told = gettext("%(title)s – to fold: %(how)s", title=title, how=how)
            folded, sides = fold(
                data, laid_out.pages, artefact.paper, title=told, language=language
            )
            yield Rendered(artefact.path, folded, sides, laid_out)
            continue
        fitted = on_paper(data, *paper_size(artefact.paper))  # the cover is larger than any
        yield Rendered(artefact.path, fitted, laid_out.pages, laid_out)
