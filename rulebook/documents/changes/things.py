"""The path of a change -> the thing that it is a change of, and the part of it, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulebook.documents.parts.printed_parts import PathStep, PrintedEdition
from rulebook.model.grids import Axis, Choice, Grid, humanise
from rulebook.model.header import Credit
from rulebook.model.procedures import Input, ProcedureStep
from rulebook.model.prose import Remark
from rulebook.model.record_tables import Change as ChangedAmount
from rulebook.model.record_tables import FieldSpec, ModifierRow, Row
from rulebook.model.sequence_and_examples import ExampleStep
from rulebook.model.units import TrackMark
from rulebook.revisions.changes import Path, depth_of
from rulebook.translation import gettext, gettext_noop


@dataclass(frozen=True, slots=True)
class KindOfThing:
    """What the things of a collection are called, and which of their fields are shown.

    `noun` is printed after a title that does not show what kind of thing it names. `says` are the
    fields shown of an added or removed thing; all others are in a table, or are for the program.
    `elsewhere` is given for things that only repeat what a rule says: on cards, in the glossary.
    """

    name: str
    noun: str = ""
    says: tuple[str, ...] = ()
    elsewhere: str = ""


_RULESET = KindOfThing("ruleset", says=("scale", "ground", "figures", "time", "name"))
_OF_PHASES = ("steps", "say", "procedures", "tables", "examples", "cutouts")
_OF_TURNS = ("by", "repeat", "to", "each", "times", "until")
_OF_CARDS = ("text", "tracks", "boxes", "times", "marks", "label", "about", "base")
#: By collections, those that repeat rules in the order in which notes name them.
THINGS: Mapping[str, KindOfThing] = {
    "header": _RULESET,
    "cover": _RULESET,
    "chapters": KindOfThing("chapter", gettext_noop("chapter")),
    "sections": KindOfThing("section", says=("parts",)),
    "tables": KindOfThing("table", gettext_noop("table"), ("about",)),
    "modifiers": KindOfThing("modifiers", gettext_noop("modifiers"), ("about",)),
    "procedures": KindOfThing(
        "procedure", gettext_noop("procedure"), ("steps", "say", "do", "repeat")
    ),
    "cutouts": KindOfThing("cutout", gettext_noop("cutout")),
    "figures": KindOfThing(
        "figure", gettext_noop("figure"), ("about", "label", "note", "words", "caption")
    ),
    "agreements": KindOfThing("agreement", says=("text",)),
    "sequence": KindOfThing(
        "phase",
        gettext_noop("quick reference"),
        says=(*_OF_PHASES, *_OF_TURNS),
        elsewhere=gettext_noop("on the sheet"),
    ),
    "units": KindOfThing(
        "unit", gettext_noop("unit"), says=_OF_CARDS, elsewhere=gettext_noop("on the card")
    ),
    "cards": KindOfThing(
        "cards",
        gettext_noop("cards"),
        says=("cards", "title", "text", "tracks", "boxes", "about", "back", "blanks"),
        elsewhere=gettext_noop("on cards"),
    ),
    "examples": KindOfThing(
        "example",
        gettext_noop("example"),
        ("situation", "steps", "say", "outcome"),
        gettext_noop("in examples"),
    ),
    "terms": KindOfThing(
        "term",
        gettext_noop("glossary"),
        says=("meaning",),
        elsewhere=gettext_noop("in the glossary"),
    ),
    "options": KindOfThing(
        "option", gettext_noop("option"), elsewhere=gettext_noop("as an option")
    ),
    "symbols": KindOfThing("symbol", gettext_noop("symbol")),
}
#: Fields of a cutout that are not shown of one that is new or gone: the rest are its measures.
UNSHOWN_OF_CUTOUTS = frozenset(
    (
        *("title", "source", "status", "note", "rule", "shape", "copies", "cross", "ticks"),
        *("fold", "origin", "away", "towards", "name", "figures"),
    )
)
#: What the head of a ruleset is called, which has no title that says so.
TITLE_PAGE = gettext_noop("Title page")
#: Keys that only lead to parts, or to the one text of a thing.
_LEADING = {
    *("data", "value", "rows", "columns", "fields", "changes", "inputs", "steps", "tracks"),
    *("cards", "marks", "parts", "say", "meaning", "text", "zones", "rings", "faces"),
    *("credits", "adds", "name", "procedures", "tables", "examples", "cutouts", "rules"),
}
#: Keys under which stands what needs no name: sentences, words, titles of things.
_SENTENCES = (
    *("parts", "say", "forms", "tables", "procedures", "examples", "cutouts", "rules"),
    *("chapters", "annexes", "appendices"),
)
#: Keys that readers would not understand.
_CALLED = {
    "about": gettext_noop("line below the title"),
    "use": gettext_noop("how it is used"),
    "when": gettext_noop("condition"),
    "kind": gettext_noop("kind"),
    "qrs": gettext_noop("on the quick-reference sheet"),
    "booklet": gettext_noop("in the booklet"),
    "made_from": gettext_noop("made from"),
    "from": gettext_noop("from"),
    "to": gettext_noop("to"),
    "rule": gettext_noop("heading of its rule"),
    "gives": gettext_noop("results"),
    "given": gettext_noop("inputs"),
    "one_of": gettext_noop("choices"),
    "any_of": gettext_noop("conditions"),
}


def title_of(printed: PrintedEdition, path: Path) -> str:
    """Returns the title of the thing at a path, or its id made readable if it has none."""
    if path[0] in ("header", "cover"):
        return gettext(TITLE_PAGE)
    step = printed.at(path)
    return getattr(step.value if step else None, "title", None) or humanise(path[-1])


def where(printed: PrintedEdition, path: Path) -> str:
    """Returns the place of a part within its thing, in words; empty for the thing itself.

    `path` is the path of the part, and `printed` the edition from which titles are taken.
    """
    steps = printed.walk(path)[depth_of(path) :]
    return ", ".join(word for step in steps if (word := _word(printed, step)))


def _word(printed: PrintedEdition, step: PathStep) -> str:
    """Returns the words for one step of a path, such as the title of a row or column.

    Returns an empty text if the key of the step would tell a reader nothing.
    """
    value, key = step.value, humanise(step.key)
    title = getattr(value, "title", None)
    place = _place_on(step)
    if place is not None:
        return place
    match value:
        case ModifierRow():
            return printed.prose(value.when)
        case FieldSpec() | ChangedAmount():
            return gettext("column “%(title)s”", title=title or key)
        case ProcedureStep() | ExampleStep():
            return gettext("step %(number)s", number=step.index + 1)
        case TrackMark():
            return gettext("box %(name)s", name=value.at or key)
        case Choice(title=name) | Row(title=name) | Credit(role=name) | Input(label=name):
            return name or key
        case Remark():
            return gettext("note “%(title)s”", title=title or key)
    of_row = isinstance(step.parent, Row) and step.cell_type is not None
    if of_row or isinstance(step.parent, ModifierRow):
        return printed.column_title(step.table, step.key)
    title = title or getattr(value, "name", None)
    if isinstance(title, str) and not isinstance(value, str):
        return title
    if step.key in _LEADING or step.under in _SENTENCES:
        return ""
    if step.key == "title" and isinstance(step.parent, Row):
        return gettext("name of the row")
    return gettext(_CALLED[step.key]) if step.key in _CALLED else key.lower()


def _place_on(step: PathStep) -> str | None:
    """Returns the titles of the row or column that a step leads to in the data of a grid.

    Returns None for any other step.
    """
    grid = step.table
    if not isinstance(grid, Grid):
        return None
    if step.under == "data":
        return _titles(grid.rows, grid.positions("rows")[step.index])
    if grid.columns and isinstance(step.parent, tuple) and step.parent in grid.data:
        return _titles(grid.columns, grid.positions("columns")[step.index])
    return None


def _titles(axes: Sequence[Axis], place: Sequence[Choice]) -> str:
    """Returns the titles of the choices that make up a row or column of a grid, as one text.

    `place` has a choice for each of the axes. If an axis is that of a die, or its choices are bare
    numbers, its title comes before that of the choice.
    """
    return ", ".join(
        f"{axis.title} {choice.title}" if axis.die or axis.headed else choice.title
        for axis, choice in zip(axes, place, strict=True)
    )
