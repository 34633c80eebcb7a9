"""Cutouts and pictures of rules -> their drawings, the figures of a booklet, and its cover."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import TypeAlias

from rulebook.cutouts.packing import Pieces
from rulebook.cutouts.shapes import draw, kind_of, pieces, svg_ornament
from rulebook.cutouts.sheets import Imprint
from rulebook.cutouts.stick import stick_picture
from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.views import CoverView, Lettering, SetWords
from rulebook.drawing.elements import Picture
from rulebook.drawing.layers import Look
from rulebook.drawing.shapes import Drawing
from rulebook.drawing.small_pictures import miniature, miniature_scale
from rulebook.drawing.svg import svg_text
from rulebook.figures.drawing import draw_figure, notes_of
from rulebook.figures.ranges import draw_ranges
from rulebook.model.header import Header, InlinePicture
from rulebook.model.prose import Block, Chapter, Text
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.sticks import Stick, with_marks
from rulebook.paper_and_ink import Ink
from rulebook.problems import Problem, RenderFault
from rulebook.text_fitting import filled
from rulebook.typefaces import SERIF_BOLD, SERIF_ITALIC

#: What is expected of texts on cutouts, and what to do about one without room.
ROOM_EXPECTED = "words that can be set in 6 points or larger where they belong"
ROOM_HINT = "write fewer words, or make the cutout or this part of it larger"


def drawing_of(ruleset: Ruleset, cutout_id: str) -> Drawing:
    """Draws a cutout as one drawing, with the ruleset's imprint and the cutout's use on it.

    Raises RenderFault (R445) if a text does not fit on it.
    """
    cutout = with_marks(ruleset.cutouts[cutout_id], ruleset.tables)
    _expect_room(ruleset, cutout_id, pieces(cutout))
    drawn = draw(cutout, imprint=_imprint(ruleset), use=use_of(ruleset, cutout_id))
    if not isinstance(cutout, Stick):
        return drawn
    # side by side sticks are as long as they are on the table
    sticks = [cutout for cutout in ruleset.cutouts.values() if isinstance(cutout, Stick)]
    reaches = (with_marks(stick, ruleset.tables).reach for stick in sticks)
    longest = max(reach.mm for reach in reaches if reach is not None)
    return replace(drawn, picture=stick_picture(cutout, longest))


def pieces_of(ruleset: Ruleset, cutout_id: str) -> Pieces:
    """Draws the separate pieces of a cutout, with the ruleset's imprint and the cutout's use.

    Raises RenderFault (R445) if a text does not fit on it.
    """
    cutout = with_marks(ruleset.cutouts[cutout_id], ruleset.tables)
    use = use_of(ruleset, cutout_id)
    _expect_room(ruleset, cutout_id, pieces(cutout))
    return Pieces(cutout.title, pieces(cutout, imprint=_imprint(ruleset), use=use), use)


def _expect_room(ruleset: Ruleset, cutout_id: str, drawn: Iterable[Drawing]) -> None:
    """Raises RenderFault (R445) if a text does not fit on the drawings of a cutout.

    Nothing is raised for a released edition that can no longer be corrected.
    """
    unset = {words for piece in drawn for words in piece.unset}
    if unset and not ruleset.standing.frozen:
        whole = ruleset.place("cutouts", cutout_id)
        raise RenderFault(
            tuple(
                Problem(
                    "R445",
                    f"'{words.words}' has no room on this cutout",
                    ruleset.place("cutouts", cutout_id, *words.at) or whole,
                    expected=ROOM_EXPECTED,
                    hint=ROOM_HINT,
                )
                for words in sorted(unset, key=lambda words: tuple(map(str, words.at)))
            )
        )


def _imprint(ruleset: Ruleset) -> str:
    return str(Imprint(ruleset.header.title, ruleset.edition_in_words))


def use_of(ruleset: Ruleset, cutout_id: str) -> str:
    """Returns what a cutout is used for, as plain text."""
    return Binder(ruleset).plain(ruleset.cutouts[cutout_id].use)


#: The widths of the drawings of long cutouts and of all others, in millimetres.
Widths: TypeAlias = "tuple[float, float]"
QRS_PICTURE: Widths = (60.0, 34.0)
CARD_PICTURE: Widths = (56.0, 36.0)


def is_long(drawing: Drawing) -> bool:
    """Whether a drawing is at least twice as wide as it is high."""
    shown = drawing.picture or drawing
    return shown.height * 2 <= shown.width


def small_picture(ruleset: Ruleset, widths: Widths, cutout_id: str, ink: Ink) -> str:
    """Draws a cutout small, as SVG, with its measures only if the drawing is long.

    `widths` are the widths in mm of long drawings and of others.
    """
    drawing = drawing_of(ruleset, cutout_id)
    look = Look(ink=ink, accent=ruleset.header.accent)
    if is_long(drawing):
        return svg_text(miniature(drawing, widths[0], look))
    return svg_text(miniature(replace(drawing, measures=()), widths[1], look))


def picture_of_rule(binder: Binder, figure_id: str, ink: Ink = "full") -> Picture:
    """Draws a figure of a rule for the booklet, with a description of what it shows.

    Raises RenderFault (R446) if a part of it lies outside or has no room for its words, except in a
    released edition that can no longer be corrected.
    """
    ruleset = binder.ruleset
    figure = ruleset.figures[figure_id]
    look = Look(ink=ink, accent=ruleset.header.accent)
    said = (figure.about, *(note.note for note in notes_of(figure)))
    description = " ".join(binder.plain(text) for text in said if text)
    if figure.sticks:
        named = (with_marks(ruleset.cutouts[name], ruleset.tables) for name in figure.sticks)
        sticks = [stick for stick in named if isinstance(stick, Stick)]
        description = "; ".join(
            filter(None, [description, *(_described(stick) for stick in sticks)])
        )
        return draw_ranges(figure.title, sticks, look, description=description)
    cutouts = {name: with_marks(cutout, ruleset.tables) for name, cutout in ruleset.cutouts.items()}
    drawn = draw_figure(figure, cutouts, look, description=description)
    problems = [
        *(_no_room(ruleset, figure_id, at, "lies off the figure") for at in drawn.outside),
        *(
            _no_room(ruleset, figure_id, at, "has words without room of their own")
            for at in drawn.crowded
        ),
    ]
    if problems and not ruleset.standing.frozen:
        raise RenderFault(tuple(problems))
    return drawn.picture


def _no_room(ruleset: Ruleset, figure_id: str, at: Address, what: str) -> Problem:
    return Problem(
        "R446",
        f"this {what}",
        ruleset.place("figures", figure_id, *at),
        expected="all elements and their words in their panel, and no words over others",
        hint="move it, write fewer words, or enlarge 'size'",
    )


def _described(stick: Stick) -> str:
    return f"{stick.title}: {', '.join(f'{mark.name} {mark.to}' for mark in stick.listed)}"


#: Width of a figure by how many stand in its row, in millimetres: with gaps of four the row is as
#: wide as the text of the smallest booklet.
WIDTHS = {1: 100.0, 2: 53.0, 3: 34.0}
MOST = max(WIDTHS)


@dataclass(frozen=True, slots=True)
class FigureRow:
    """The ids of cutouts side by side, and how many fit in such a row."""

    cutouts: tuple[str, ...]
    room: int

    @property
    def width(self) -> float:
        """The width of each figure, in millimetres."""
        return WIDTHS[self.room]


def _runs(chapter: Chapter) -> Iterator[list[str]]:
    """Yields each run of cutouts in a section, with nothing between them, as a list of ids."""
    for section in chapter.sections:
        parts = (
            part for part in section.parts if not isinstance(part, Text) or part.markdown.strip()
        )
        for of_cutouts, run in groupby(parts, key=_is_cutout):
            if of_cutouts:
                yield [part.target for part in run if isinstance(part, Block)]


def _is_cutout(part: object) -> bool:
    return isinstance(part, Block) and part.kind == "cutout"


def _rows(run: list[str], room: Callable[[str], int]) -> Iterator[FigureRow]:
    for alone, alike in groupby(run, key=lambda cutout: room(cutout) == 1):
        cutouts = tuple(alike)
        many = 1 if alone or len(cutouts) == 1 else min(map(room, cutouts))
        if len(cutouts) == 4:
            many = min(many, 2)
        many = min(many, len(cutouts))
        for first in range(0, len(cutouts), many):
            yield FigureRow(cutouts[first : first + many], many)


def row_pictures(ruleset: Ruleset) -> dict[FigureRow, tuple[Picture, ...]]:
    """Draws the cutouts that the chapters place, and returns the pictures by rows of figures.

    The cutouts of a run have one scale, and so have those of a chapter that troops stand on.
    """
    look = Look(accent=ruleset.header.accent)
    drawings = {cutout: drawing_of(ruleset, cutout) for cutout in ruleset.cutouts}
    rows = [
        (chapter.id, number, row)
        for chapter in ruleset.chapters
        for number, run in enumerate(_runs(chapter))
        for row in _rows(run, lambda cutout: _room_beside(drawings[cutout]))
    ]
    # side by side all are at one scale, and what troops stand on throughout a chapter
    scales: dict[object, float] = {}

    def group(chapter: str, number: int, cutout: str) -> object:
        return chapter if kind_of(ruleset.cutouts[cutout]).carried else (chapter, number)

    for chapter, number, row in rows:
        for cutout in row.cutouts:
            key = group(chapter, number, cutout)
            own = miniature_scale(drawings[cutout], row.width)
            scales[key] = min(own, scales.get(key, own))
    return {
        row: tuple(
            miniature(
                drawings[cutout], row.width, look, scale=scales[group(chapter, number, cutout)]
            )
            for cutout in row.cutouts
        )
        for chapter, number, row in rows
    }


def _room_beside(drawing: Drawing) -> int:
    """Returns how many drawings like this one fit side by side in a row of figures.

    A long drawing has a row of its own, and one with many texts or measures needs more space.
    """
    shown = drawing.picture or drawing
    if is_long(drawing):
        return 1
    return MOST if max(len(shown.captions), len(shown.measures)) < 3 else 2


#: The room for the title and its largest type: hundredths of the width of the page.
_ROOMS: dict[Lettering, tuple[float, float, float]] = {
    "plain": (75, 31, 13.5),
    "light": (84, 21, 12),
    "dark": (84, 21, 12),
    "label": (60, 20, 9),
}
#: The same on the label of a battle, which is wider.
_BATTLE = (67, 25, 11)
#: Capitals with space between them are so much wider than their letters are measured.
_SPACED = 1.08
#: The room for the ornament of a cover without a picture: hundredths of the width of the page.
ORNAMENT = (Fraction(66), Fraction(52))
#: The type of the subtitle; a long one is smaller.
MOST_SUBTITLE = 3.9


def compose_cover(ruleset: Ruleset) -> CoverView:
    """Composes the cover of the booklet with the picture that the header names.

    Without a picture it has the title and a drawing of the ruleset's most ornamental cutout, if
    any.
    """
    header, picture = ruleset.header, ruleset.cover
    if header.cover is None or picture is None:
        return CoverView("plain", *_words(header, "plain"), "", *_ornament(ruleset))
    lettering = header.cover.lettering
    address = address_of(picture)
    words = header.cover.alt, "", header.cover.credit or ""
    return CoverView(lettering, *_words(header, lettering), address, *words)


def cover_motif(ruleset: Ruleset) -> str:
    """Returns the data URL of the cover's picture, or else of its drawing of a cutout.

    Returns an empty text if it has neither.
    """
    picture = ruleset.cover
    return address_of(picture) if picture else _ornament(ruleset)[1]


def battle_cover(title: str, subtitle: str, alt: str) -> CoverView:
    """Composes the cover of a scenario: title and subtitle on a label over a picture.

    The picture is drawn when the cover is printed; `alt` describes it.
    """
    return CoverView("label", *_set_words(title, subtitle, _BATTLE), "", alt, "")


def _words(header: Header, lettering: Lettering) -> tuple[SetWords, SetWords]:
    return _set_words(header.title, header.subtitle or "", _ROOMS[lettering])


def _set_words(
    title: str, subtitle: str, room: tuple[float, float, float]
) -> tuple[SetWords, SetWords]:
    """Breaks title and subtitle into lines, and finds the largest type in which they fit.

    `room` has the width and the height for the title and its largest size of type, in hundredths of
    the page width.
    """
    width, height, most = room
    lines, size = filled(title.upper(), width / _SPACED, height, most=most, face=SERIF_BOLD)
    words = SetWords(_as_written(title, lines), round(size, 2))
    if not subtitle:
        return words, SetWords((), 0)
    lines, size = filled(subtitle, width, 3 * MOST_SUBTITLE, most=MOST_SUBTITLE, face=SERIF_ITALIC)
    return words, SetWords(tuple(lines), round(size, 2))


def _ornament(ruleset: Ruleset) -> tuple[str, str]:
    """Returns the title and the data URL of the drawing for a cover without a picture.

    Both are empty if the ruleset has no cutout that is suitable.
    """
    cutouts = ruleset.cutouts
    finest = max(cutouts, key=lambda cutout: kind_of(cutouts[cutout]).beauty, default=None)
    if finest is None or not kind_of(cutouts[finest]).beauty:
        return "", ""
    drawing = drawing_of(ruleset, finest)
    ornament = svg_ornament(drawing, *ORNAMENT).encode()
    return drawing.title, picture_address("image/svg+xml", ornament)


def picture_address(media: str, data: bytes) -> str:
    """Returns a data URL with the bytes of a picture of the media type `media`."""
    return f"data:{media};base64,{b64encode(data).decode()}"


def address_of(picture: InlinePicture) -> str:
    """Returns the data URL of a picture that the author has added to the ruleset."""
    return picture_address(picture.media, picture.data)


def _as_written(title: str, lines: list[str]) -> tuple[str, ...]:
    """Splits a title into lines that have as many words as the given lines in capitals."""
    words = iter(title.split())
    return tuple(" ".join(next(words) for _ in line.split()) for line in lines)
