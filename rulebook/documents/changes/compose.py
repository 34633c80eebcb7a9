"""All changes of an edition, told -> what the notes on it print, chapter by chapter.

The words are those of `change_words`, the odds those of `impact_views`. Here is decided what a
player at the table wants of them: rules and what is printed of them, not where the sources say it,
nor that the sheet and the glossary tell again what the rule tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulebook.documents.changes.views import (
    ChangesView,
    ChapterChanges,
    LineView,
    OddsRow,
    OptionView,
    ProcedureView,
    RevisionView,
    ThingView,
)
from rulebook.documents.impact.text import reached_by, told_state
from rulebook.documents.impact.views import Impact, OptionImpact, ProcedureImpact
from rulebook.documents.marks.change_words import (
    PartChange,
    RevisionTold,
    Run,
    ThingChange,
    ToldChanges,
)
from rulebook.documents.parts.views import Identity
from rulebook.documents.reprint.views import ReprintView
from rulebook.model.prose import rule_numbers
from rulebook.model.revisions import CLASSES, ChangeClass
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.text_marks import SinceView

#: What each class means at the table.
MEANINGS: Mapping[ChangeClass, str] = {
    "rule change": "plays otherwise than before",
    "correction": "was wrong in print",
    "clarification": "plays as it was meant, and says so now",
    "editorial": "changes nothing at the table",
}
_PLURALS: Mapping[ChangeClass, str] = {
    "rule change": "rule changes",
    "correction": "corrections",
    "clarification": "clarifications",
    "editorial": "editorial changes",
}
#: Things that tell a rule again, with what they are called where no more is said of them.
ELSEWHERE = {
    "phase": "on the sheet",
    "unit": "on the card",
    "cards": "on cards",
    "example": "in examples",
    "term": "in the glossary",
    "option": "as an option",
}
#: Of a phase the panels are told, of a deck the cards.
_BY_PARTS = ("phase", "cards")
#: Parts of things that are no rules: they print among the designer's notes, or nowhere.
_UNPRINTED = (
    *("source", "note", "status", "qrs", "booklet", "wide", "tab", "was", "rule"),
    *("annexes", "appendices", "chapters", "documents", "accent", "cover", "language"),
)
#: Words of a text that did not change that stand before and behind those that did.
AROUND = 12


def compose_changes(
    told: ToldChanges, impact: Impact, new: Ruleset, identity: Identity, reprint: ReprintView
) -> ChangesView:
    """The view of the notes on the edition `new`."""
    composer = _Composer(impact)
    grave = [one for one in told.revisions if one.class_ != "editorial"]
    return ChangesView(
        identity=identity,
        since=SinceView(told.new.edition, told.old.edition),
        before_date=told.old.date,
        working=told.new.working,
        summary=told.summary,
        counts=tuple(_counts(told)),
        chapters=tuple(_chapters(composer, grave, told.unclassed, new)),
        play=_play(impact.procedures, (f"Edition {impact.old}", f"Edition {impact.new}")),
        same=_same(impact.procedures),
        options=tuple(map(_option, impact.options)),
        reprint=reprint,
        editorial=tuple(
            composer.revision(one, f"editorial-{number}")
            for number, one in enumerate(told.of_class("editorial"), start=1)
        ),
        small=tuple(dict.fromkeys(one.title for one in told.editorial if any(_lines(one)))),
    )


def _counts(told: ToldChanges) -> Iterator[tuple[str, int, str]]:
    counts = told.counts()
    for class_ in CLASSES:
        number = counts[class_]
        if number:
            name = class_ if number == 1 and class_ != "editorial" else _PLURALS[class_]
            yield name, number, MEANINGS[class_]
    if told.unclassed:
        yield "not classed yet", len(told.unclassed), "its author has not said how grave it is"


def _chapters(
    composer: _Composer,
    revisions: Sequence[RevisionTold],
    unclassed: Sequence[ThingChange],
    new: Ruleset,
) -> Iterator[ChapterChanges]:
    """Chapters in the order of the booklet, then what stands in none, then what has no class."""
    numbers = rule_numbers(new.chapters)
    place = {heading: at for at, heading in enumerate(numbers)}
    chapters = {chapter.title: numbers[chapter.id] for chapter in new.chapters}
    listed = sorted(revisions, key=lambda one: place.get(one.standing.heading, len(place)))
    views = [
        (one.standing.chapter, composer.revision(one, f"change-{number}"))
        for number, one in enumerate(listed, start=1)
    ]
    for title, number in chapters.items():
        found = tuple(view for chapter, view in views if chapter == title)
        if found:
            yield ChapterChanges(number, title, found)
    rest = tuple(view for chapter, view in views if chapter not in chapters)
    if rest:
        yield ChapterChanges("", "Title page, cards and sheet", rest)
    if unclassed:
        things = tuple(composer.things(unclassed, ""))
        view = RevisionView("unclassed", "", "All of these", "not classed", "", things, ())
        yield ChapterChanges("", "Not classed yet", (view,))


class _Composer:
    """Makes the views of revisions."""

    def __init__(self, impact: Impact) -> None:
        self._cutouts = {one.id: one for one in impact.cutouts}

    def revision(self, told: RevisionTold, anchor: str) -> RevisionView:
        rule = told.standing.rule
        return RevisionView(
            id=anchor,
            rule=rule,
            title=told.title,
            class_=told.class_,
            why=told.why,
            things=tuple(self.things(told.things, rule)),
            also=tuple(_also(told.things)),
        )

    def things(self, things: Iterable[ThingChange], rule: str) -> Iterator[ThingView]:
        for one in things:
            if one.thing in ELSEWHERE:
                continue
            view = self._thing(one, rule)
            if view.lines or view.tables or view.svg or view.told:
                yield view

    def _thing(self, one: ThingChange, rule: str) -> ThingView:
        cutout = self._cutouts.get(one.id) if one.thing == "cutout" else None
        lines = () if cutout and cutout.svg else tuple(_lines(one))
        return ThingView(
            kind="" if one.thing in ("section", "ruleset") else one.thing,
            title=one.title,
            rule=one.standing.rule if one.standing.rule != rule else "",
            state={"added": "new", "removed": "gone"}.get(one.kind, ""),
            lines=lines,
            tables=one.tables,
            told=cutout.told if cutout and cutout.svg and cutout.state != "new" else "",
            svg=cutout.svg if cutout else "",
        )


def _lines(one: ThingChange) -> Iterator[LineView]:
    """The differences in a thing that print in the rules and do not stand in one of its tables."""
    for part in one.parts:
        if not is_printed(one, part):
            continue
        if one.tables and part.path[3:4] in (("data",), ("rows",), ("fields",), ("changes",)):
            continue
        if one.thing == "section" and not part.runs and _stands_for(part):
            continue
        where = "" if one.thing == "section" and part.where == "title" else part.where
        yield LineView(where, _texts(part.before), _texts(part.after), tuple(_short(part.runs)))


def is_printed(one: ThingChange, part: PartChange) -> bool:
    """Whether a difference in a thing is one of the rules as they print, and no note on them."""
    if set(_UNPRINTED) & set(part.path[1:]):
        return False
    return one.thing != "section" or part.where in ("", "title")


def _stands_for(part: PartChange) -> bool:
    """Whether a part of a section only says that a table or figure stands there."""
    kinds = ("Table: ", "Cutout: ", "Example: ", "Steps: ", "Chart: ")
    return (part.after or part.before).startswith(kinds)


def _texts(text: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in text.split("\n\n") if one.strip())


def _short(runs: Sequence[Run]) -> Iterator[Run]:
    """The runs of a text, of long ones that did not change only what stands beside a change."""
    for at, run in enumerate(runs):
        words = run.text.split(" ")
        first, last = at == 0, at == len(runs) - 1
        most = AROUND if first or last else 2 * AROUND
        if run.kind != "kept" or len(words) <= most + 4:
            yield run
            continue
        head = [] if first else [*words[:AROUND], "…"]
        tail = [] if last else (["…"] if first else []) + words[-AROUND:]
        yield Run(" ".join([*head, *tail]))


def _also(things: Iterable[ThingChange]) -> Iterator[str]:
    """What follows elsewhere, and where else the same is told."""
    listed = list(things)
    for one in listed:
        for follows in one.also:
            where = f", {follows.where}" if follows.where else ""
            if len(follows.before) + len(follows.after) < 60:
                yield f"{follows.title}{where}: {follows.before} → {follows.after}"
            else:
                yield f"{follows.title}{where}"
    for thing, place in ELSEWHERE.items():
        titles = dict.fromkeys(title for one in listed for title in _titles(one, thing))
        if titles:
            yield f"{place}: {', '.join(titles)}"


def _titles(one: ThingChange, thing: str) -> Iterator[str]:
    """What a thing that tells the rule again is called: of the sheet the panels."""
    if one.thing != thing:
        return
    if thing in _BY_PARTS and one.kind not in ("added", "removed"):
        yield from (part.where.partition(", ")[0] for part in one.parts if part.where)
    else:
        yield one.title


def _play(
    procedures: Iterable[ProcedureImpact], heads: tuple[str, str]
) -> tuple[ProcedureView, ...]:
    return tuple(_procedure(one, heads) for one in procedures if one.state != "same")


def _same(procedures: Iterable[ProcedureImpact]) -> tuple[str, ...]:
    return tuple(one.title for one in procedures if one.state == "same")


def _procedure(one: ProcedureImpact, heads: tuple[str, str]) -> ProcedureView:
    rows = tuple(
        OddsRow("; ".join([*each.inputs, each.asked]), each.before, each.after)
        for each in one.differences
    )
    told = tuple(filter(None, (told_state(one), *one.notes)))
    return ProcedureView(one.title, reached_by(one), heads, rows, told)


def _option(one: OptionImpact) -> OptionView:
    new = one.state == "new"
    heads = ("Without", "With") if new else ("As it was", "As it is")
    state = "new option" if new else "changed option"
    return OptionView(one.title, state, _play(one.procedures, heads), _same(one.procedures))
