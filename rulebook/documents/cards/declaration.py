"""Cards: each deck on sheets and singly, and a page with all decks for a screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.cache import Cache
from rulebook.documents.parts.document import (
    File,
    Imposition,
    Kind,
    Planned,
    Rendered,
    of_ink,
    planned,
    screen,
)
from rulebook.translation import gettext, gettext_noop

if TYPE_CHECKING:
    from rulebook.documents.cards.views import CardsView, DeckView
    from rulebook.documents.parts.binding import Binder
    from rulebook.documents.parts.views import Identity
    from rulebook.model.ruleset import Ruleset

GROUP = gettext_noop("Cards")


def plan_cards(
    ruleset: Ruleset, identity: Identity, binder: Binder | None = None
) -> Iterator[Planned]:
    """A file for each paper and ink of each deck, its cards one by one, and a page with all decks.

    The single cards, with bleed and in the first ink, are what printing services ask for.
    """
    spec = ruleset.header.documents.cards
    if spec is None or not ruleset.decks:
        return

    @cache
    def view(deck_id: str) -> DeckView:
        from rulebook.documents.cards.compose import compose_deck
        from rulebook.documents.parts.figures import CARD_PICTURE, small_picture

        picture = partial(small_picture, ruleset, CARD_PICTURE)
        return compose_deck(ruleset, deck_id, identity, picture, spec, binder=binder)

    def all_decks() -> CardsView:
        from rulebook.documents.cards.views import CardsView

        return CardsView(identity, tuple(map(view, ruleset.decks)))

    for deck_id, deck in ruleset.decks.items():
        how: Imposition = "gutterfold" if spec.gutterfold and deck.back else "n-up"
        name = f"cards-{deck_id.replace('_', '-')}"
        sheets = (
            File(f"{of_ink(f'{name}-{paper}', ink)}.pdf", "pdf", paper, ink, how)
            for paper in spec.papers
            for ink in spec.inks
        )
        singles = File(f"{name}-singles.pdf", "pdf", ink=spec.inks[0])
        yield planned(ruleset, "cards", name, deck.title, partial(view, deck_id), *sheets, singles)
    page = File("cards.html", "html")
    yield planned(ruleset, "cards-screen", "cards", gettext(GROUP), all_decks, page)


def _sheets(
    view: DeckView, files: Sequence[File], templates: Path, cache: Cache
) -> Iterable[Rendered]:
    from rulebook.documents.cards.layout import card_sheets

    return card_sheets(view, files, templates, cache)


def _screen(view: CardsView, templates: Path) -> str:
    from rulebook.documents.cards.layout import pieces_of
    from rulebook.documents.parts.pages import screen_page

    return screen_page(SCREEN, view, templates, pieces_of=pieces_of)


def with_offset(view: DeckView, offset: tuple[float, float]) -> DeckView:
    """The view of a deck whose backs are moved so far."""
    return replace(view, offset=offset)


SHEETS = Kind(
    "cards",
    _sheets,
    GROUP,
    templates=("cards.html.j2",),
    styles=("tables", "dice", "cards"),
    sizes=lambda view: (view.size,),
    with_offset=with_offset,
)
SCREEN = Kind(
    "cards-screen",
    screen(_screen),
    GROUP,
    templates=("cards-screen.html.j2",),
    styles=("tables", "dice", "cards-screen"),
)
KINDS = (SHEETS, SCREEN)
