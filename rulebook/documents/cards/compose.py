"""A ruleset -> its decks of cards: what stands on each, in the order in which it is set.

How much of it one card holds is found when it is laid out (`documents.cards.layout`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial

from rulebook.documents.cards.declaration import GROUP
from rulebook.documents.cards.views import (
    BackView,
    BlankPart,
    CardPart,
    CardSteps,
    CardsView,
    CardTable,
    CardView,
    DeckView,
    StatsPart,
    StatView,
    TrackPart,
    WordsPart,
)
from rulebook.documents.document_kind import File, Imposition, Planned, of_ink, planned
from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.documents.parts.examples import ExampleComposer
from rulebook.documents.parts.figures import CARD_PICTURE, small_picture
from rulebook.documents.parts.tables import TableComposer
from rulebook.documents.parts.turn import steps_told
from rulebook.documents.parts.views import Identity, PictureView
from rulebook.loading.chapters import cut_passage
from rulebook.model.axes import humanise
from rulebook.model.cards import DealtCard, Field, deal
from rulebook.model.print_settings import CardsSpec
from rulebook.model.prose import Block, Text, placements, rule_numbers
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import Passage, Prose
from rulebook.model.tables import RecordTable
from rulebook.model.units import Track, UnitBase
from rulebook.paper_and_ink import Ink
from rulebook.quantities import format_value
from rulebook.translation import gettext, pgettext

#: About how many characters stand side by side on a poker card within its safe zone: in large
#: type, and in smaller and smaller for tables whose words would be broken.
ROOMS = (42, 46, 51, 55)

#: Draws a cutout small, as SVG, in an ink.
Picture = Callable[[str, Ink], str]


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
        picture = partial(small_picture, ruleset, CARD_PICTURE)
        return compose_deck(ruleset, deck_id, identity, picture, spec, binder=binder)

    def all_decks() -> CardsView:
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


def compose_deck(
    ruleset: Ruleset,
    deck_id: str,
    identity: Identity,
    picture: Picture,
    spec: CardsSpec,
    *,
    binder: Binder | None = None,
) -> DeckView:
    """The view of a deck; it is told by its layout where one card of it takes two.

    `binder` is given where values are not to be bound as the ruleset has them.
    """
    deck = ruleset.decks[deck_id]
    composer = CardComposer(binder or Binder(ruleset, references="number"), picture)
    back = None
    if deck.back is not None:
        text = composer.binder.prose(deck.back.text)
        back = BackView(deck.back.title or deck.title, text)
    return DeckView(
        identity=identity,
        id=deck_id,
        title=deck.title,
        size=deck.size,
        flip=spec.flip,
        gutterfold=spec.gutterfold,
        back=back,
        cards=tuple(
            composer.card(card, deck.blanks, deck.group) for card in deal(ruleset, deck_id)
        ),
    )


class CardComposer:
    """Makes the cards of one ruleset; `picture` draws the cutouts on them."""

    def __init__(self, binder: Binder, picture: Picture) -> None:
        self.ruleset = ruleset = binder.ruleset
        self.binder = binder
        self._picture = picture
        self._numbers = rule_numbers(ruleset.chapters)
        placed = placements(ruleset.chapters)
        self._rules = {target: self._numbers[section] for (_, target), section in placed.items()}
        self._tables = TableComposer(self.binder, self._rules, notes={})
        self._examples = ExampleComposer(self.binder)

    def card(self, card: DealtCard, blanks: tuple[str, ...], group: int) -> CardView:
        """A card with lines for `blanks`; fields that are boxes stand in groups of so many."""
        title = card.title
        if isinstance(title, Prose):
            title = plain_text(self.binder.prose(title))
        rules = [self._numbers[rule] for rule in card.rules]
        if not rules and card.address[0] in ("tables", "modifiers"):
            rules = [self._rules.get(str(card.address[1]), "")]
        return CardView(
            id=card.id,
            title=title,
            kind=card.kind,
            rule=", ".join(filter(None, rules)),
            copies=card.copies,
            parts=tuple(self._parts(card, title, blanks, group)),
        )

    def _parts(
        self, card: DealtCard, title: str, blanks: tuple[str, ...], group: int
    ) -> Iterator[CardPart]:
        if blanks:
            yield BlankPart(blanks)
        stats = tuple(self._stats(card))
        if stats:
            yield StatsPart(stats)
        for field in card.boxed:
            if not field.missing and isinstance(field.cell.value, int) and field.cell.value:
                yield _boxes_of(field, group)
        for track in card.tracks:
            yield from self._track(track)
        if card.text is not None:
            yield from self._text(card.text, title)

    def _stats(self, card: DealtCard) -> Iterator[StatView]:
        """Fields in their order; one that is to be boxes, but is not known, is a blank."""
        for field in (*card.shown, *(field for field in card.boxed if field.missing)):
            yield StatView(field.title, self._value(field), field.missing)
        if card.base is not None:
            yield StatView(pgettext("of a unit", "Base"), _base(card.base), missing=False)

    def _value(self, field: Field) -> str:
        table = self.ruleset.tables.get(field.type.table or "")
        if isinstance(table, RecordTable) and isinstance(field.cell.value, str):
            return table.data[field.cell.value].title or humanise(field.cell.value)
        return str(field.cell)

    def _track(self, track: Track) -> Iterator[TrackPart]:
        """One for each repetition, numbered if there are several; they are explained once."""
        labels = {mark.at: self.binder.prose(mark.label) for mark in track.marks}
        boxes = [labels.get(number, "") for number in range(1, track.boxes + 1)]
        about = self.binder.prose(track.about)
        for number in range(1, track.times + 1):
            title = f"{track.title} {number}" if track.times > 1 else track.title
            groups = _grouped(boxes, track.group)
            yield TrackPart(title, str(track.boxes), about if number == 1 else "", groups)

    def _text(self, text: Passage, title: str) -> Iterator[CardPart]:
        for part in cut_passage(text)[0]:
            if isinstance(part, Text):
                yield WordsPart(self.binder.text(part.markdown, part.bindings))
            else:
                yield self._block(part, title)

    def _block(self, block: Block, title: str) -> CardPart:
        if block.kind == "table":
            views = (self._tables.view(block.target, room) for room in ROOMS)
            view = next((view for view in views if view.least <= view.room), None)
            view = view or self._tables.view(block.target, ROOMS[-1])
            return CardTable(view, titled=view.title != title)
        if block.kind == "cutout":
            cutout = block.target
            full, low = (self._picture(cutout, ink) for ink in _INKS)
            return PictureView(cutout, self.ruleset.cutouts[cutout].title, full, low)
        if block.kind == "steps":
            steps = steps_told(self.binder, block.target)
            return CardSteps(steps, titled=steps.title != title)
        return self._examples.whole(block.target)


_INKS: tuple[Ink, ...] = ("full", "low")


def _boxes_of(field: Field, group: int) -> TrackPart:
    count = int(str(field.cell.value))
    return TrackPart(field.title, str(count), "", _grouped([""] * count, group))


def _grouped(boxes: list[str], size: int) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(boxes[start : start + size]) for start in range(0, len(boxes), size))


def _base(base: UnitBase) -> str:
    """20 mm × 40 mm; round, 25 mm."""
    if base.diameter is not None:
        return gettext("round, %(diameter)s", diameter=format_value(base.diameter))
    return f"{format_value(base.width)} × {format_value(base.depth)}"
