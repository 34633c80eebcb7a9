"""Decks of cards -> faults in what no one could print, cut or tick."""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.checking.printing import untold
from rulebook.loading.passages import cut_passage
from rulebook.model.cells import Sought
from rulebook.model.dealing import DealtCard, deal
from rulebook.model.decks import MOST_CARDS, Deck
from rulebook.model.prose import Block
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.units import MOST_BOXES
from rulebook.problems import Problem
from rulebook.shipped import templates_folder


def check_cards(ruleset: Ruleset) -> Iterator[Problem]:
    """Sizes are those of layouts, boxes and cards are not too many, steps on cards are told."""
    sizes = sorted(path.stem for path in (templates_folder() / "layouts").glob("*.yaml"))
    for name, deck in ruleset.decks.items():
        if deck.size not in sizes:
            yield _no_size(ruleset, name, deck, sizes)
        dealt = deal(ruleset, name)
        count = sum(card.copies for card in dealt)
        if count > MOST_CARDS:
            here = ruleset.place("cards", name, "copies") or ruleset.place("cards", name)
            yield Problem.of("R439 cards", here, count=count, most=MOST_CARDS)
        for card in dealt:
            yield from _of_card(ruleset, name, card)


def _no_size(ruleset: Ruleset, name: str, deck: Deck, sizes: list[str]) -> Problem:
    here = ruleset.place("cards", name, "size") or ruleset.place("cards", name)
    return Problem.of("R438 size", here, size=Sought(deck.size, sizes))


def _of_card(ruleset: Ruleset, deck_id: str, card: DealtCard) -> Iterator[Problem]:
    if card.boxes > MOST_BOXES:
        made_from = ruleset.place(*card.address)
        boxed: Address = ("cards", deck_id, "boxes")
        place = ruleset.place(*boxed) if boxed in ruleset.places else made_from
        there = made_from if made_from and made_from != place else None
        yield Problem.of(
            "R439 boxes", place, also=there, card=card.id, boxes=card.boxes, most=MOST_BOXES
        )
    if card.text is None:
        return
    span = ruleset.place(*card.address, "text")
    for part in cut_passage(card.text, span)[0]:
        if isinstance(part, Block) and part.kind == "steps":
            yield from untold(ruleset, part.target, span)
