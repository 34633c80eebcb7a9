"""A ruleset -> its decks of cards: what stands on each, in the order in which it is set.

How much of it one card holds is found when it is laid out (`documents.cards.layout`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import takewhile

from rulebook.documents.cards.pieces import (
    ROOMS,
    BlankPart,
    CardBackView,
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
from rulebook.documents.parts.figures import (
    CARD_PICTURE,
    address_of,
    cover_motif,
    small_picture,
)
from rulebook.documents.parts.tables import TableComposer, cell_in_words
from rulebook.documents.parts.turn import TurnWords, steps_of
from rulebook.documents.parts.views import Identity, PictureView
from rulebook.drawing.symbols import symbol_for
from rulebook.loading.chapters import cut_passage
from rulebook.model.cards import DealtCard, Field, deal
from rulebook.model.grids import humanise
from rulebook.model.header import CardsSpec, QrsSpec
from rulebook.model.prose import Text, placements, rule_numbers
from rulebook.model.record_tables import RecordTable, Row
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import ROWS_AT, Prose
from rulebook.model.sequence_and_examples import turn_of
from rulebook.model.units import ANY_SIZE, Deck, Track, UnitBase
from rulebook.paper_and_ink import SHEET_PAPERS, USUAL_SHEETS, Ink
from rulebook.quantities import EN_DASH, format_value
from rulebook.translation import gettext, ngettext, pgettext

#: The sizes of cards that are tried for a deck of any size, in this order.
SIZES = ("poker", "mini")
#: Colours for kinds of cards after the first, which has that of the ruleset: all dark enough for
#: white letters. Each kind takes the one least like those before it.
COLOURS = ("#2f5d50", "#8f2d22", "#7d4f0e", "#5b3a72", "#24568a", "#4f5a18", "#3d3a38")
#: How many of these phases have in turn on the quick reference, as nearly as eyes can tell.
SHEET_COLOURS = 6
#: How many numbers of a unit's text are large where the deck does not say which.
USUALLY_LARGE = 2
#: Up to so many boxes are not counted in words.
AT_A_GLANCE = 10
#: The most letters of a number that is set in large figures.
MOST_LETTERS = 5

#: Draws a cutout small, as SVG, in an ink.
Picture = Callable[[str, Ink], str]


def plan_cards(
    ruleset: Ruleset, identity: Identity, binder: Binder | None = None
) -> Iterator[Planned]:
    """Plans a document for each deck, and a page with all decks to read on a screen.

    A deck has PDFs for each paper and ink, and one of single cards with bleed in the first ink, as
    printing services ask for. Plans nothing if the ruleset asks for no cards or has no decks. With
    a `binder`, texts take their values from it. The panels of the quick reference are a deck too,
    if the ruleset asks for that.
    """
    sheet = ruleset.header.documents.qrs
    if sheet is not None and sheet.cards is not None:
        yield _plan_panels(ruleset, identity, binder, sheet, sheet.cards)
    spec = ruleset.header.documents.cards
    if spec is None or not ruleset.decks:
        return

    @cache
    def view(deck_id: str) -> DeckView:
        picture = partial(small_picture, ruleset, CARD_PICTURE)
        deck = compose_deck(ruleset, deck_id, identity, picture, spec, binder=binder)
        return replace(deck, picture=cover_motif(ruleset) if deck.backs else "")

    def all_decks() -> CardsView:
        return CardsView(identity, tuple(map(view, ruleset.decks)))

    for deck_id, deck in ruleset.decks.items():
        how: Imposition = "gutterfold" if spec.gutterfold and deck.back else "n-up"
        name = f"cards-{deck_id.replace('_', '-')}"
        files = _files(name, spec.papers, spec.inks, how)
        yield planned(ruleset, "cards", name, partial(view, deck_id), *files, title=deck.title)
    page = File("cards.html", "html")
    yield planned(ruleset, "cards-screen", "cards", all_decks, page)


def _files(
    name: str, papers: Sequence[str], inks: Sequence[Ink], how: Imposition = "n-up"
) -> list[File]:
    """Returns the PDFs of a deck: sheets on each paper in each ink, and single cards."""
    sheets = [
        File(f"{of_ink(f'{name}-{paper}', ink)}.pdf", "pdf", paper, ink, how)
        for paper in papers
        for ink in inks
    ]
    return [*sheets, File(f"{name}-singles.pdf", "pdf", ink=inks[0])]


def _plan_panels(
    ruleset: Ruleset, identity: Identity, binder: Binder | None, sheet: QrsSpec, size: str
) -> Planned:
    """Plans the deck of the panels of the quick reference, on those of its papers that cards have.

    If it has none of them, they are the usual ones.
    """
    title, name = gettext("Quick reference, on cards"), "qrs-cards"
    papers = [paper for paper in sheet.papers if paper in SHEET_PAPERS] or USUAL_SHEETS

    def view() -> DeckView:
        picture = partial(small_picture, ruleset, CARD_PICTURE)
        composer = CardComposer(binder or Binder(ruleset, references="number"), picture)
        cards = tuple(composer.panels(sheet.colours or COLOURS[:SHEET_COLOURS]))
        sizes = SIZES if size == ANY_SIZE else (size,)
        return DeckView(identity, name, title, sizes, "long", False, (), cards)

    return planned(ruleset, "cards", name, view, *_files(name, papers, sheet.inks), title=title)


def compose_deck(
    ruleset: Ruleset,
    deck_id: str,
    identity: Identity,
    picture: Picture,
    spec: CardsSpec,
    *,
    binder: Binder | None = None,
) -> DeckView:
    """Composes the cards of a deck and, if it has any, a back for each kind of card.

    `picture` draws the cutouts on cards. A `binder` is given if values come from another edition.
    """
    deck = ruleset.decks[deck_id]
    composer = CardComposer(binder or Binder(ruleset, references="number"), picture)
    dealt = deal(ruleset, deck_id)
    grades = composer.grades(deck)
    blanks = (BlankPart(deck.blanks, grades),) if deck.blanks or grades else ()
    cards = [composer.card(card, deck, blanks) for card in dealt]
    backs: dict[str, CardBackView] = {}
    if deck.back is not None:
        text = composer.binder.prose(deck.back.text)
        for card in cards:
            title = deck.back.title or deck.title
            back = CardBackView(title, text, None, card.kind, card.colour, card.symbol)
            backs.setdefault(card.kind, back)
    of_kinds = list(backs)
    return DeckView(
        identity=identity,
        id=deck_id,
        title=deck.title,
        sizes=deck_sizes(deck),
        flip=spec.flip,
        gutterfold=spec.gutterfold,
        backs=tuple(backs.values()),
        cards=tuple(
            replace(card, back=of_kinds.index(card.kind)) if backs else card for card in cards
        ),
    )


def deck_sizes(deck: Deck) -> tuple[str, ...]:
    """Returns the sizes in which the cards of a deck may be printed, the largest first."""
    return SIZES if deck.size == ANY_SIZE else (deck.size,)


def kind_colours(ruleset: Ruleset) -> dict[str, str]:
    """Maps each kind of unit and card, in the order in which they are written, to a colour.

    The first has that of the ruleset, each other one the colour least like those before it.
    """
    units = [unit.kind for unit in ruleset.units.values()]
    cards = [card.kind for deck in ruleset.decks.values() for card in (deck.cards or {}).values()]
    found: dict[str, str] = {}
    for kind in dict.fromkeys(kind for kind in (*units, *cards) if kind):
        known = [ruleset.header.accent, *found.values()]
        left = [colour for colour in COLOURS if colour not in known] or COLOURS
        farthest = max(left, key=lambda colour: min(_apart(colour, taken) for taken in known))
        found[kind] = farthest if found else ruleset.header.accent
    return found


def _apart(one: str, other: str) -> int:
    """Returns the squared distance between two colours in RGB."""
    channels = ((int(c[i : i + 2], 16) for i in (1, 3, 5)) for c in (one, other))
    return sum((a - b) ** 2 for a, b in zip(*channels, strict=True))


class CardComposer:
    """Composes the cards of one ruleset; `picture` draws the cutouts on them."""

    def __init__(self, binder: Binder, picture: Picture) -> None:
        self.ruleset = ruleset = binder.ruleset
        self.binder = binder
        self._picture = picture
        self._numbers = rule_numbers(ruleset.chapters)
        placed = placements(ruleset.chapters)
        self._rules = {target: self._numbers[section] for (_, target), section in placed.items()}
        self._tables = TableComposer(self.binder)
        self._examples = ExampleComposer(self.binder)
        self._colours = kind_colours(ruleset)

    def card(self, card: DealtCard, deck: Deck, blanks: tuple[BlankPart, ...]) -> CardView:
        """Composes a card of a deck; `blanks` are the lines to write on that come first.

        Its rule is the number of the rules that it names or, for a row of a table, of the rule that
        prints the table.
        """
        title = card.title
        if isinstance(title, Prose):
            title = self.binder.plain(title)
        rules = [self._numbers[rule] for rule in card.rules]
        if not rules and card.address[0] in ROWS_AT:
            rules = [self._rules.get(str(card.address[1]), "")]
        return CardView(
            id=card.id,
            title=title,
            kind=humanise(card.kind) if card.kind else "",
            rule=", ".join(filter(None, rules)),
            copies=card.copies,
            parts=(*blanks, *self._parts(card, title, deck)),
            colour=self._colours.get(card.kind, ""),
            symbol=self._symbol(card.symbol),
        )

    def panels(self, colours: Sequence[str]) -> Iterator[CardView]:
        """Yields a card for each panel of the quick reference; the phases take colours in turn.

        A panel without a title goes on with the card of the one before it.
        """
        words, turn = TurnWords(self.binder), list(turn_of(self.ruleset.sequence))
        for phase_id, phase in self.ruleset.sequence.items():
            colour = colours[turn.index(phase_id) % len(colours)] if phase_id in turn else ""
            cards: list[CardView] = []
            for step_id, step in phase.steps.items():
                title = step.title or (cards[-1].title if cards else phase.title)
                parts: list[CardPart] = [
                    self._block("cutout", name, title) for name in step.cutouts
                ]
                parts += [WordsPart(_item(line)) for line in words.panel(phase_id, step_id)]
                parts += [self._block("steps", name, title) for name in step.procedures]
                parts += [self._block("table", name, title) for name in step.tables]
                parts += [self._block("example", name, title) for name in step.examples]
                if step.title or not cards:
                    name, rule = f"{phase_id}-{step_id}", self._numbers.get(step.rule or "", "")
                    cards.append(CardView(name, title, phase.title, rule, 1, (), colour=colour))
                cards[-1] = replace(cards[-1], parts=(*cards[-1].parts, *parts))
            yield from cards

    def grades(self, deck: Deck) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Returns the title of each grade of a deck, and the choices of which players tick one.

        The choices of a grade are written in the deck or are the rows of a table.
        """
        found = []
        for title, choices in deck.grades.items():
            if isinstance(choices, str):
                table = self.ruleset.tables[choices]
                assert isinstance(table, RecordTable), "checked when the ruleset was read"
                choice_titles = tuple(map(_choice, table.data.items()))
            else:
                choice_titles = tuple(choices.values())
            found.append((title, choice_titles))
        return tuple(found)

    def _symbol(self, name: str) -> str:
        """Returns the address of a picture if the ruleset has one of that name.

        Otherwise returns the name of a built-in symbol.
        """
        own = self.ruleset.symbols.get(name)
        return address_of(own) if own else symbol_for(name)

    def _parts(self, card: DealtCard, title: str, deck: Deck) -> Iterator[CardPart]:
        """Yields the parts of a card: its values and text, and then the tracks at its foot.

        If the card has large values, the other values stand with them; else they follow the first
        list of values in its text.
        """
        figures = [(figure.title, self.binder.plain(figure.value)) for figure in card.figures]
        large = [StatView(label, value, missing=False) for label, value in figures]
        large += [self._stat(field) for field in card.large]
        stats = tuple(self._stats(card, based=deck.show is None))
        if large:
            yield StatsPart(stats, tuple(large))
        words = list(self._text(card, title, found=bool(large))) if card.text else []
        for number, part in enumerate(words):
            if isinstance(part, StatsPart) and not large:
                words[number] = replace(part, stats=(*part.stats, *stats))
                stats = ()
        if stats and not large:
            yield StatsPart(stats)
        yield from words
        for field in card.boxed:
            if not field.missing and isinstance(field.cell.value, int) and field.cell.value:
                yield _boxes_of(field, deck.group)
        for track in card.tracks:
            yield from self._track(track)

    def _stats(self, card: DealtCard, *, based: bool) -> Iterator[StatView]:
        """Yields the small values of a card, and missing numbers of boxes as values to fill in.

        If `based`, the size of the base follows, if the unit has one.
        """
        for field in (*card.shown, *(field for field in card.boxed if field.missing)):
            yield self._stat(field)
        if based and card.base is not None:
            yield StatView(pgettext("of a unit", "Base"), _base(card.base), missing=False)

    def _stat(self, field: Field) -> StatView:
        value = cell_in_words(self.ruleset, field.cell, field.type)
        return StatView(field.title, value, field.missing)

    def _track(self, track: Track) -> Iterator[TrackPart]:
        """Yields a track as many times as it is repeated, with numbered titles.

        Only the first is explained.
        """
        labels = {mark.at: self.binder.prose(mark.label) for mark in track.marks}
        boxes = [labels.get(number, "") for number in range(1, track.boxes + 1)]
        about = self.binder.prose(track.about)
        for number in range(1, track.times + 1):
            title = f"{track.title} {number}" if track.times > 1 else track.title
            count = _count(track.boxes) if track.times == 1 else ""
            groups = _grouped(boxes, track.group)
            yield TrackPart(title, count, about if number == 1 else "", groups)

    def _text(self, card: DealtCard, title: str, *, found: bool) -> Iterator[CardPart]:
        """Yields the parts of a card's text, such as paragraphs, values, tables and pictures.

        In the text of a unit, tables of two columns become values. The first values are large,
        unless the card already has large ones (`found`). `title` is that of the card: a table or
        procedure with the same title is printed without it.
        """
        assert card.text is not None
        for part in cut_passage(card.text)[0]:
            if not isinstance(part, Text):
                yield self._block(part.kind, part.target, title)
                continue
            bound = self.binder.text(part.markdown, part.bindings)
            if card.address[0] != "units":
                yield WordsPart(bound)
                continue
            for words, numbers in _numbers_apart(bound):
                if words.strip():
                    yield WordsPart(words.strip("\n"))
                if numbers is not None:
                    yield numbers if found else _some_large(numbers)
                    found = True

    def _block(self, kind: str, name: str, title: str) -> CardPart:
        """Composes what a block of a kind names; on the card of this title that is not repeated."""
        if kind == "table":
            table = self._tables.view(name, ROOMS[0])
            return CardTable(table, titled=table.title != title)
        if kind == "cutout":
            full, low = (self._picture(name, ink) for ink in _INKS)
            return PictureView(name, self.ruleset.cutouts[name].title, full, low)
        if kind == "steps":
            steps = steps_of(self.binder, name)
            return CardSteps(steps, titled=steps.title != title)
        return self._examples.whole(name)


def _item(line: str) -> str:
    """Returns a reminder as an item of a list, unless it has lines or a sign of its own."""
    own = "\n" in line or line.startswith(EN_DASH) or line.partition("\\.")[0].isdigit()
    return line if own else f"- {line}"


def _choice(item: tuple[str, Row]) -> str:
    """Returns the text of a choice, given as the key and the row of a table.

    It is the title of the row, followed by its value if it has just one.
    """
    key, row = item
    words = [
        row.heading(key),
        *map(str, row.cells.values() if len(row.cells) == 1 else ()),
    ]
    return " ".join(words)


_INKS: tuple[Ink, ...] = ("full", "low")


_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")
_RULE = frozenset("|-: ")


def _cells(line: str) -> list[str]:
    """Returns the cells of a line of a Markdown table; an empty list for any other line."""
    parts = [part.strip() for part in _BETWEEN_CELLS.split(line.strip())]
    return parts[1:-1] if len(parts) > 2 and not parts[0] and not parts[-1] else []


def _numbers_apart(markdown: str) -> Iterator[tuple[str, StatsPart | None]]:
    """Splits Markdown into texts, each with the list of values that follows it.

    A list of values is a table of two columns of which the second has no head. The last text has
    None instead.
    """
    lines, words = markdown.split("\n"), ""
    while lines:
        line = lines.pop(0)
        head = _cells(line)
        if len(head) != 2 or head[1] or not lines or not _RULE.issuperset(lines[0]):
            words += f"{line}\n"
            continue
        rows = list(takewhile(lambda row: len(row) == 2, map(_cells, lines[1:])))
        stats = tuple(StatView(plain_text(a), plain_text(b), missing=False) for a, b in rows)
        yield words, StatsPart(stats, (), plain_text(head[0]))
        words, lines = "", lines[1 + len(rows) :]
    yield words, None


def _some_large(numbers: StatsPart) -> StatsPart:
    """Returns values of which the first USUALLY_LARGE are large, if all of these are short."""
    large = numbers.stats[:USUALLY_LARGE]
    if any(len(stat.value) > MOST_LETTERS for stat in large):
        return numbers
    return replace(numbers, stats=numbers.stats[len(large) :], large=large)


def _boxes_of(field: Field, group: int) -> TrackPart:
    count = int(str(field.cell.value))
    return TrackPart(field.title, _count(count), "", _grouped([""] * count, group))


def _count(boxes: int) -> str:
    """Returns the number of boxes as text, or "" for up to AT_A_GLANCE boxes."""
    return ngettext("%(number)s box", "%(number)s boxes", boxes) if boxes > AT_A_GLANCE else ""


def _grouped(boxes: list[str], size: int) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(boxes[start : start + size]) for start in range(0, len(boxes), size))


def _base(base: UnitBase) -> str:
    """Returns the size of a base as text, such as "20 mm × 40 mm" or "round, 25 mm"."""
    if base.diameter is not None:
        return gettext("round, %(diameter)s", diameter=format_value(base.diameter))
    return f"{format_value(base.width)} × {format_value(base.depth)}"
