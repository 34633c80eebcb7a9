"""The file ruleset.yaml: title, edition, cover, chapters, and what is printed on which papers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar, get_args

from pydantic import AfterValidator, Field, model_validator

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.entities import FrozenModel, Noted
from rulebook.model.lengths import Lengths
from rulebook.model.scalars import Id, Line, Name, ProseText
from rulebook.model.scenarios import Muster
from rulebook.paper_and_ink import (
    BOOKLET_PAPERS,
    FIXED_PAPERS,
    PAPERS,
    SHEET_PAPERS,
    USUAL_BOOKLETS,
    USUAL_SHEETS,
    Ink,
    PaperName,
)

Listed = TypeVar("Listed", bound=str)


def _each_once(names: tuple[Listed, ...]) -> tuple[Listed, ...]:
    for index, name in enumerate(names):
        if name in names[:index]:
            raise quantities.stands_twice(name, (index,))
    return names


#: Papers or inks: one or more, each once.
_Names = Annotated[
    tuple[Listed, ...],
    Field(min_length=1, json_schema_extra={"uniqueItems": True}),
    AfterValidator(_each_once),
]
_AnyPaper = Annotated[PaperName, scalars.choice_of(PAPERS)]
_FixedPaper = Annotated[PaperName, scalars.choice_of(FIXED_PAPERS)]
#: Papers on which every document can be printed.
_SheetPaper = Annotated[PaperName, scalars.choice_of(SHEET_PAPERS)]
_BookletPaper = Annotated[PaperName, scalars.choice_of(BOOKLET_PAPERS)]


class QrsSpec(FrozenModel):
    """The quick-reference sheet."""

    papers: _Names[_AnyPaper] = USUAL_SHEETS
    """the papers of the sheet"""
    orientation: Literal["landscape", "portrait"] = "landscape"
    """the sheet lies or stands"""
    inks: _Names[Ink] = ("full", "low")
    """in full colour, with little ink, or both"""
    sides: scalars.Sides = 2
    """at most; fewer are printed where good type fits on them"""
    columns: scalars.Columns = 4
    """of landscape A4 and Letter; with 4, narrower paper has as many as suit it"""
    type: scalars.TypeSize = scalars.SMALLEST_TYPE
    """the smallest size of type; it is larger where there is room, up to 16pt"""
    imposed: _Names[_SheetPaper] | None = None
    """paper with two half as large side by side, to cut: A5 on a4, half Letter on letter"""
    pocket: _Names[_SheetPaper] | None = None
    """paper printed on one side, folded with one cut to eight pages for the pocket"""
    colours: tuple[scalars.Colour, ...] = Field((), max_length=12)
    """those of the phases, used in turn; without them six that go together"""
    cards: Name | None = None
    """also as cards, one for each panel: a6, tarot, or another layout of templates/layouts"""
    odds: tuple[Id, ...] = ()
    """computed tables, on the second sheet in a phase of their own"""


class BookletSpec(FrozenModel):
    """The booklet with all rules."""

    papers: _Names[_BookletPaper] = USUAL_BOOKLETS
    """the papers on which it is printed"""
    imposed: _Names[_SheetPaper] | None = USUAL_SHEETS
    """paper with two small pages on a side, to fold and staple; ~ for none"""
    press: _Names[_BookletPaper] | None = None
    """sizes for a printing service, with bleed and in the inks of a press"""


#: What the file with all cutouts is called, where a cutout has its id.
ALL_TOGETHER = "all"


class CutoutsSpec(FrozenModel):
    """The sheets of cutouts."""

    papers: _Names[_FixedPaper] = USUAL_SHEETS
    """the papers on which cutouts are printed, at true scale"""
    together: scalars.Flag = True
    """true: also a file with all cutouts on as few sheets as they take"""


class CardsSpec(FrozenModel):
    """The sheets of cards; `flip` is the edge about which the printer turns them."""

    papers: _Names[_SheetPaper] = USUAL_SHEETS
    """the papers of sheets of cards"""
    inks: _Names[Ink] = ("full", "low")
    """in full colour, with little ink, or both"""
    flip: Literal["long", "short"] = "long"
    """the edge about which the printer turns the sheet"""
    gutterfold: scalars.Flag = False
    """true: fronts and backs side by side, folded instead of turned"""


class ChangesSpec(FrozenModel):
    """Of an edition that has one before it: notes on what changed, and errata."""

    papers: _Names[_SheetPaper] = USUAL_SHEETS
    """the papers of notes on changes and errata"""


class ScenariosSpec(FrozenModel):
    """The booklet of each scenario, and what is played with: rosters, orders, cards, cutouts."""

    papers: _Names[_BookletPaper] = USUAL_BOOKLETS
    """the papers of the booklets of scenarios"""
    imposed: _Names[_SheetPaper] | None = USUAL_SHEETS
    """paper with two small pages on a side, to fold and staple; ~ for none"""
    sheets: _Names[_SheetPaper] | None = USUAL_SHEETS
    """papers of rosters, orders, cards and cutouts; ~ for none"""
    terrain: scalars.Flag = False
    """true: also hills, woods, buildings, roads and rivers to cut out"""
    order_forms: scalars.Flag = True
    """false: no forms for written orders among the sheets"""


#: What all documents may share, and the settings of a document that take it.
_TAKEN_BY = {"papers": ("papers", "imposed", "sheets"), "inks": ("inks",)}


class Documents(FrozenModel):
    """What is printed of the ruleset; a document set to ~ is not.

    `papers` and `inks` are those of every document that does not say its own.
    """

    papers: _Names[_SheetPaper] | None = None
    """the papers of your printer: [a4]; what has its own papers keeps them"""
    inks: _Names[Ink] | None = None
    """[full], or [low] to save ink; without it both"""

    qrs: QrsSpec | None = QrsSpec()
    """the quick-reference sheet; ~ prints none"""
    booklet: BookletSpec | None = BookletSpec()
    """the booklet; ~ prints none"""
    cutouts: CutoutsSpec | None = CutoutsSpec()
    """the cutouts; ~ prints none"""
    cards: CardsSpec | None = CardsSpec()
    """the cards; ~ prints none"""
    changes: ChangesSpec | None = ChangesSpec()
    """notes on changes since an edition; ~ prints none"""
    scenarios: ScenariosSpec | None = ScenariosSpec()
    """the scenarios; ~ prints none"""
    marks: scalars.Flag = True
    """false: booklet and sheet without bars beside what changed in the edition"""

    @model_validator(mode="before")
    @classmethod
    def _for_all(cls, value: object) -> object:
        """Returns the settings with papers and inks for all documents copied to each document.

        Documents with their own keep them. Papers or inks that are not valid are not copied, since
        they are reported where they stand.
        """
        if not isinstance(value, dict):
            return value
        made = dict(value)
        for key, known in (("papers", SHEET_PAPERS), ("inks", get_args(Ink))):
            names = value.get(key)
            sound = isinstance(names, list) and sorted(set(names) & set(known)) == sorted(names)
            if not names or not sound:
                continue  # reported where it stands
            for name, settings in _SETTINGS.items():
                own = made.get(name, {})
                known_here = settings.model_fields
                fields = [
                    name
                    for name in _TAKEN_BY[key]
                    if name in known_here and known_here[name].default
                ]
                if fields and isinstance(own, dict):
                    made[name] = {**dict.fromkeys(fields, names), **own}
        return made


#: The settings of each document.
_SETTINGS: dict[str, type[FrozenModel]] = {
    name: type(field.default)
    for name, field in Documents.model_fields.items()
    if isinstance(field.default, FrozenModel)
}


#: Endings of the files that can be printed, and what each kind is called on the web.
MEDIA = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
}
#: Names that are spelt alike on every machine.
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
_EXPECTED = "an SVG, PNG or JPEG file in the ruleset's folder, such as cover.svg"


def ending_of(name: str) -> str:
    """Returns the ending of a file name with its dot, in lower case; empty if there is none."""
    return f".{name.rpartition('.')[2].lower()}" if "." in name else ""


def picture_name(text: str) -> str:
    """Returns a text if it names a picture file inside the ruleset's folder.

    Raises QuantityError if it does not, or has characters that names of files may not have.
    """
    outside = text.startswith(("/", "~", "\\")) or ".." in text.split("/") or ":" in text
    if outside or ending_of(text) not in MEDIA:
        message = f"'{text[:60]}' is no picture of this ruleset"
        raise quantities.QuantityError(message, code="R217", expected=_EXPECTED)
    if not _PLAIN.fullmatch(text):
        raise quantities.QuantityError(
            f"'{text[:60]}' has other characters than names of files may have",
            code="R115",
            expected="letters from a to z, digits, hyphens, underscores and points",
        )
    return text


PictureFile = Annotated[Line, AfterValidator(picture_name)]


class Cover(FrozenModel):
    """The picture on the first page of the booklet, with the title set on it."""

    picture: PictureFile
    """SVG, PNG or JPEG file in the ruleset's folder, upright"""
    alt: Line
    """what it shows, for those who cannot see it"""
    credit: Line | None = None
    """who made it; printed with the credits"""
    lettering: Literal["label", "light", "dark"] = "label"
    """the title on a label of its own, or in light or dark letters on the picture, whose upper
    third is then calm
    """


@dataclass(frozen=True, slots=True)
class InlinePicture:
    """A picture that is safe to print: it refers to no other file or address and runs no code."""

    media: str
    data: bytes


class Credit(FrozenModel):
    """Someone to thank, and for what."""

    role: Line
    name: Line


class Scale(Noted):
    """What the table stands for."""

    ground: ProseText | None = None
    """what an inch or a centimetre stands for"""
    figures: ProseText | None = None
    """how many men a figure stands for"""
    time: ProseText | None = None
    """how long a turn is"""


class Header(FrozenModel):
    """The file ruleset.yaml."""

    title: Line
    subtitle: Line | None = None
    """a second line below the title, such as who it is for"""
    based_on: Name | None = None
    """the ruleset of which this is a variant: mygame, or mygame@1.0"""
    lengths: Lengths | None = None
    """how all lengths are turned: {scale: 1/2, read: {in: cm}, round: 0.5cm}"""
    edition: scalars.Edition
    date: scalars.Date | None = None
    """printed beside the edition, such as 2026-03-01"""
    language: scalars.Language = "en"
    accent: scalars.Colour = "#7a2b1d"
    cover: Cover | None = None
    """the picture of the first page; without one it is set in the accent"""
    symbols: dict[Id, PictureFile] = Field({})
    """symbols of your own for kinds of units: {lancers: lancers.svg}"""
    summary: ProseText | None = None
    """two or three sentences for the back cover, up to 60 words"""
    players: Line | None = None
    """how many play, for those who choose a game: 2, or 2 to 4"""
    table_size: Line | None = None
    """how large a table it takes; without it, that of its scenarios"""
    playing_time: Line | None = None
    """how long a game is: about two hours"""
    licence: Line | None = None
    """under which it may be passed on"""
    credits: tuple[Credit, ...] = ()
    """who wrote it, each with what they did"""
    scale: Scale = Scale()
    """what stands for what on the table, on the back cover"""
    natural: dict[scalars.Count, Literal["fails", "passes"]] = Field({})
    """scores that count whatever is added to them: {1: fails, 6: passes}"""
    typed: tuple[Line, ...] = ()
    """words with numbers that stay as they are typed, though a table of their rule holds the same
    number
    """
    chapters: tuple[Name, ...] = ()
    """Markdown files, in the order of the booklet; without any there is none"""
    annexes: tuple[Name, ...] = ()
    """Markdown files of optional rules"""
    appendices: tuple[Name, ...] = ()
    """Markdown files that hold no rules, such as odds; lettered after the annexes"""
    documents: Documents = Documents()
    """what is printed, on which papers and in which inks"""
    muster: Muster = Muster()
    """how the forces of scenarios are counted"""
