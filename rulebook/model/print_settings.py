"""What is printed of a ruleset, and on what: the key `documents` of ruleset.yaml."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar, get_args

from pydantic import AfterValidator, Field, model_validator

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.scalars import FrozenModel, Id
from rulebook.paper_and_ink import (
    BOOKLET_PAPERS,
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
#: Papers on which every document can be printed.
_SheetPaper = Annotated[PaperName, scalars.choice_of(SHEET_PAPERS)]
_BookletPaper = Annotated[PaperName, scalars.choice_of(BOOKLET_PAPERS)]


class QrsSpec(FrozenModel):
    """The quick-reference sheet."""

    papers: _Names[_SheetPaper] = USUAL_SHEETS
    """the papers of the sheet"""
    inks: _Names[Ink] = ("full", "low")
    """in full colour, with little ink, or both"""
    sides: Annotated[
        scalars.Count,
        Field(ge=1, le=8),
    ] = 2
    """at most; fewer are printed where good type fits on them"""
    columns: scalars.Columns = 4
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

    papers: _Names[_AnyPaper] = USUAL_SHEETS
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
        """Papers and inks of all documents, put into those that do not say their own."""
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
                fields = [field for field in _TAKEN_BY[key] if field in settings.model_fields]
                if fields and isinstance(own, dict):
                    made[name] = {**dict.fromkeys(fields, names), **own}
        return made


#: The settings of each document.
_SETTINGS: dict[str, type[FrozenModel]] = {
    name: type(field.default)
    for name, field in Documents.model_fields.items()
    if isinstance(field.default, FrozenModel)
}
