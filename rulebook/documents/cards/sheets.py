"""The view of a deck -> its files: sheets to cut for each paper and ink, and the cards singly.

The faces are laid out once for both inks, and stand on the sheets of every paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.cards.layout import CardPages, card_layout, card_pages
from rulebook.documents.cards.views import DeckView
from rulebook.documents.parts.document import File, LaidOut, Rendered
from rulebook.imposing.arrangements import gutterfold, n_up
from rulebook.imposing.imposition import impose
from rulebook.imposing.layouts import CardLayout
from rulebook.imposing.placing import BOTH_SIDES, Placement, Sheet, Side, rect
from rulebook.problems import Problem
from rulebook.translation import gettext
from rulebook.typeset.environment import RenderFault


def card_sheets(
    view: DeckView, files: Sequence[File], templates: Path, _: Cache = NOTHING_KEPT
) -> Iterator[Rendered]:
    """The files of a deck in their order; raises RenderFault with what is wrong."""
    layout = card_layout(view, templates)
    pages = card_pages(view, dict.fromkeys(_ink(file) for file in files), templates)
    for file in files:
        yield _imposed(view, pages[_ink(file)], layout, file)


def _ink(file: File) -> str:
    return file.ink or "full"


def _imposed(view: DeckView, pages: CardPages, layout: CardLayout, file: File) -> Rendered:
    paper = file.paper
    if paper is None:
        sheets, how = singly(pages, layout), gettext("single cards")
    elif view.gutterfold and pages.backs:
        sheets, how = _folded(view, pages, layout, paper), gettext("fold, glue, cut")
    else:
        sheets, how = _duplex(view, pages, layout, paper)
    titles = {"title": view.identity.title, "deck": view.title}
    title = gettext("%(title)s – %(deck)s: %(how)s", **titles, how=how)
    two_sided = paper is not None and any(sheet.back for sheet in sheets)
    data = impose(
        pages.documents,
        sheets,
        title=title,
        language=view.identity.language,
        flip=view.flip if two_sided else None,
    )
    count = sum(len(sheet.sides) for sheet in sheets)
    laid_out = LaidOut(count, _stands(pages, sheets), _words(pages))
    return Rendered(file.path, data, count, laid_out)


def _stands(pages: CardPages, sheets: Sequence[Sheet]) -> dict[str, tuple[int, ...]]:
    """The pages on which the faces of each card stand, from 1, by its id."""
    found: dict[str, dict[int, None]] = {}
    sides = [side for sheet in sheets for side in sheet.sides]
    for number, side in enumerate(sides, start=1):
        for placement in side.placements:
            page = placement.page
            # The pages behind those of the faces are backs.
            if page is not None and page < len(pages.cards):
                found.setdefault(pages.cards[page], {})[number] = None
    return {card: tuple(numbers) for card, numbers in found.items()}


def _words(pages: CardPages) -> dict[str, tuple[str, ...]]:
    """The words on each face of a card, by its id."""
    found: dict[str, tuple[str, ...]] = {}
    for card, words in zip(pages.cards, pages.words, strict=True):
        found[card] = (*found.get(card, ()), words)
    return found


def singly(pages: CardPages, layout: CardLayout) -> list[Sheet]:
    """Each face once, on a page of its size and bleed, the back behind it as the next page."""
    width, height = layout.width + 2 * layout.bleed, layout.height + 2 * layout.bleed
    trim = rect(layout.bleed, layout.bleed, layout.width, layout.height)

    def side(page: int) -> Side:
        return Side((Placement(page, trim, rect(0, 0, width, height)),))

    if not pages.backs:
        return [Sheet(width, height, side(page), None) for page in dict.fromkeys(pages.faces)]
    pairs = dict(zip(pages.faces, pages.backs, strict=True))
    return [Sheet(width, height, side(page), side(back)) for page, back in pairs.items()]


def _duplex(
    view: DeckView, pages: CardPages, layout: CardLayout, paper: str
) -> tuple[list[Sheet], str]:
    if paper not in layout.sheets:
        raise RenderFault((_no_sheet(view, layout, paper, tuple(layout.sheets)),))
    sheet = layout.sheets[paper]
    if not pages.backs:
        return n_up(pages.faces, sheet), gettext("printed on one side")
    how = gettext(BOTH_SIDES[view.flip])
    placed = n_up(pages.faces, sheet, backs=pages.backs, flip=view.flip, offset=view.offset)
    return placed, how


def _folded(view: DeckView, pages: CardPages, layout: CardLayout, paper: Any) -> list[Sheet]:
    try:
        return gutterfold(pages.faces, pages.backs, layout, paper)
    except ValueError as fault:
        raise RenderFault((_no_sheet(view, layout, paper, ()),)) from fault


def _no_sheet(view: DeckView, layout: CardLayout, paper: str, others: Sequence[str]) -> Problem:
    cards = layout.title.lower()
    papers = ", ".join(others)
    return Problem.of("R608 no sheet", deck=view.title, cards=cards, paper=paper, papers=papers)
