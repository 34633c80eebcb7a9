"""The parts of a card -> pieces, none of which is broken over two faces."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from rulebook.documents.cards.views import (
    BlankPart,
    CardBlock,
    CardSteps,
    CardTable,
    CardView,
    StatsPart,
    WordsPart,
)
from rulebook.documents.parts.views import PictureView
from rulebook.typeset import markup


@dataclass(frozen=True, slots=True)
class WordsPiece:
    """A paragraph or a list."""

    html: Markup
    kind: str = "words"


@dataclass(frozen=True, slots=True)
class DrawnTrack:
    """A track, its boxes drawn for a card in full and in low ink."""

    title: str
    count: str
    about: str
    svg: str
    low: str
    kind: str = "track"


Piece = CardBlock | WordsPiece | DrawnTrack


def pieces_of(card: CardView) -> list[Piece]:
    """The parts of a card, words cut into paragraphs and lists: none is broken over two faces."""
    pieces: list[Piece] = []
    for part in card.parts:
        if isinstance(part, WordsPart):
            pieces += [WordsPiece(Markup(html)) for html in markup.pieces(part.markdown)]
        else:
            pieces.append(part)
    return pieces


def named(piece: Piece) -> str:
    """How a report calls a piece of a card."""
    match piece:
        case WordsPiece():
            words = piece.html.striptags()
            return f"the paragraph “{words[:40]}{' …' if len(words) > 40 else ''}”"
        case BlankPart() | StatsPart():
            return f"the list of {'blanks' if piece.kind == 'blanks' else 'numbers'}"
        case CardTable():
            return f"the table {piece.table.title}"
        case CardSteps():
            return f"the steps of {piece.told.title}"
        case PictureView():
            return f"the cutout {piece.title}"
        case _:
            return f"the {piece.kind} {piece.title}"
