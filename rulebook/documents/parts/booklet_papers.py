"""The pages of a booklet -> its files: on each paper, and to fold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from rulebook.documents.parts.document import File, Kind, LaidOut, Rendered
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
) -> Iterator[tuple[str, list[File]]]:
    """The files of a booklet on these papers, and on others to fold, by layout."""
    for layout, served in PAPERS.items():
        files = [
            File(f"{stem}-{paper}.pdf", "pdf", paper, "full") for paper in papers if paper in served
        ]
        if layout == FOLDED_LAYOUT:
            files += [
                File(f"{stem}-{paper}-imposed.pdf", "pdf", paper, "full", "saddle stitch")
                for paper in imposed
            ]
        if files:
            yield layout, files


def styles_of_layout(kind: Kind[Any], layout: str) -> tuple[str, ...]:
    """The styles of a kind of booklet but those of its other layouts."""
    others = tuple(f"-{one}" for one in PAPERS if one != layout)
    return tuple(name for name in kind.styles if not name.endswith(others))


def on_papers(
    files: Sequence[File], data: bytes, laid_out: LaidOut, title: str, language: str
) -> Iterable[Rendered]:
    """The files of a booklet, on its papers and to fold; folded sheets have a title of their own.

    Viewers show it, so it says how they are printed.
    """
    from rulebook.imposing.imposition import impose, on_paper
    from rulebook.imposing.placing import BOTH_SIDES
    from rulebook.imposing.saddle_stitch import FLIP, saddle_stitch

    for file in files:
        assert file.paper is not None
        if file.imposition:
            how = gettext(BOTH_SIDES[FLIP])
            told = gettext("%(title)s – to fold: %(how)s", title=title, how=how)
            size = _folded_size(file.paper)
            sheets = saddle_stitch(laid_out.pages, size, file.paper)
            made = impose(data, sheets, title=told, language=language, flip=FLIP, cut_to=size)
            yield Rendered(file.path, made, sum(len(sheet.sides) for sheet in sheets), laid_out)
            continue
        fitted = on_paper(data, *paper_size(file.paper))  # the cover is larger than any
        yield Rendered(file.path, fitted, laid_out.pages, laid_out)


def _folded_size(paper: str) -> tuple[float, float]:
    """The size in mm to which pages of A5 are cut when they are folded from sheets of a paper.

    They are half an A4 sheet. Half a Letter sheet is a little narrower and taller: the same pages
    are cut to it by their boxes, since their margins are wide enough, and nothing is laid out
    again. The page of the cover is laid out as large as the larger of the two.
    """
    if paper == "a4":
        return paper_size(FOLDED_LAYOUT)
    height, width = paper_size(paper)
    return width / 2, height
