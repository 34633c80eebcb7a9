"""Sheet, booklet, cards and cutouts of an edition -> one PDF with what is to be printed again.

A sheet of the quick reference is printed again if anything on its sides is marked, or stands
elsewhere than on that of the edition before; a page of the booklet if it has a bar in its margin.
Only a layout tells which these are, so the notes on changes take their list from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulebook.paper import paper_size
from rulebook.publications.publication import Artefact
from rulebook.render import booklet, qrs
from rulebook.render.card_sheets import card_sheets
from rulebook.render.imposition import impose, on_paper, page_count, page_sizes
from rulebook.render.placing import Placement, Sheet, Side, rect
from rulebook.render.sheets import lay_out_sheets

View = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Section:
    """Pages of the file that belong together: of what, how they are printed, and their bytes.

    `numbers` are those of the pages or sides in the document that they are taken from, from 1.
    """

    kind: str
    title: str
    both_sides: bool
    numbers: tuple[int, ...]
    data: bytes
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pages:
    """The laid out booklet, and those of its pages that have bars, from 0."""

    data: bytes
    marked: tuple[int, ...]


def booklet_pages(view: View, templates: Path) -> Pages | None:
    """The booklet, of which all papers have the same pages; None where none has changed."""
    if view["booklet"] is None:
        return None
    layout = booklet.lay_out_booklet(view["booklet"], templates)
    return Pages(layout.pdf(print_hints=False), layout.marked_pages)


def sections(view: View, paper: str, pages: Pages | None, templates: Path) -> Iterator[Section]:
    """What is to be printed again on a paper, what is printed on both sides first."""
    if paper in view["sheets"]:
        yield from _sheet(view, paper, templates)
    for deck in view["decks"]:
        made = [Artefact("cards.pdf", "pdf", paper, "full", "n-up")]
        for _, sheets in card_sheets(deck, made, templates):
            both = deck["back"] is not None and not deck["gutterfold"]
            everything = tuple(range(sheets.pages))
            yield Section("cards", deck["title"], both, (), sheets.data, everything)
    if paper in view["cutouts"]:
        layout = lay_out_sheets(view["cutouts"][paper], templates)
        everything = tuple(range(layout.pages))
        data = layout.pdf(print_hints=False)
        yield Section("cutouts", "Cutouts", False, (), data, everything)
    if pages is not None and pages.marked:
        data = on_paper(pages.data, *paper_size(paper))
        numbers = tuple(number + 1 for number in pages.marked)
        yield Section("booklet", "Booklet", False, numbers, data, pages.marked)


def _sheet(view: View, paper: str, templates: Path) -> Iterator[Section]:
    sheet = view["sheets"][paper]
    arrangement = qrs.arrange(sheet, templates)
    layout = qrs.lay_out_sheet(sheet, arrangement, "full", templates)
    changed = set(layout.marked_pages)
    if layout.pages > 2:
        before = qrs.arrange(view["sheets_before"][paper], templates)
        changed |= {
            side for side in range(layout.pages) if _side(arrangement, side) != _side(before, side)
        }
    # A sheet has two sides, and neither is printed alone.
    wanted = tuple(side for side in range(layout.pages) if {side, side ^ 1} & changed)
    if wanted:
        numbers = tuple(side + 1 for side in wanted)
        data = layout.pdf(print_hints=False)
        yield Section("quick reference", "Quick reference", True, numbers, data, wanted)


def _side(arrangement: qrs.Arrangement, side: int) -> list[str]:
    """The pieces of panels on a side, in their order."""
    return [place.id for place in arrangement.placed if place.side == side]


def reprint(found: Sequence[Section], *, title: str, language: str) -> bytes:
    """One PDF of all sections."""
    sheets: list[Sheet] = []
    first = 0
    for section in found:
        sizes = page_sizes(section.data)
        for page in section.pages:
            size = sizes[page]
            whole = rect(0, 0, size.width, size.height)
            sheets.append(
                Sheet(size.width, size.height, Side((Placement(first + page, whole, whole),)))
            )
        first += page_count(section.data)
    return impose([one.data for one in found], sheets, title=title, language=language)


def listed(found: Sequence[Section]) -> list[dict[str, Any]]:
    """The list that the notes print: what, how, and which pages of the file."""
    told: list[dict[str, Any]] = []
    at = 1
    for one in found:
        last = at + len(one.pages) - 1
        told.append(
            {
                "kind": one.kind,
                "title": one.title,
                "both_sides": one.both_sides,
                "numbers": _ranges(one.numbers),
                "pages": _ranges(tuple(range(at, last + 1))),
            }
        )
        at = last + 1
    return told


def _ranges(numbers: Sequence[int]) -> str:
    """1, 3–5, 9."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(
        str(first) if first == last else f"{first}\N{EN DASH}{last}" for first, last in runs
    )
