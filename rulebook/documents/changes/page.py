"""Changes as they are told (`change_words`) -> the view of a page with all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulebook.documents.changes.phrases import (
    also_of,
    chapters_of,
    heading,
    is_in_table,
    name_of,
    summed,
    told_parts,
)
from rulebook.documents.impact.text import heading_of, reached_by, same_odds, told_of
from rulebook.documents.impact.views import Impact, ProcedureImpact
from rulebook.documents.marks.change_words import (
    ChangedTable,
    Consequence,
    PartChange,
    ThingChange,
    ToldChanges,
)


@dataclass(frozen=True, slots=True)
class ThingView:
    """A thing with its name, the parts that no table shows, its tables, and what follows."""

    name: str
    kind: str
    parts: tuple[PartChange, ...]
    tables: tuple[ChangedTable, ...]
    also: tuple[tuple[str, Consequence], ...]


@dataclass(frozen=True, slots=True)
class GroupView:
    """What an author says of changes, and the things that they are of."""

    number: str
    title: str
    why: str
    things: tuple[ThingView, ...]


@dataclass(frozen=True, slots=True)
class ChapterView:
    title: str
    groups: tuple[GroupView, ...]


@dataclass(frozen=True, slots=True)
class InPlayView:
    """What changes do to a procedure or a cutout: sentences, and the picture of a cutout."""

    title: str
    lines: tuple[str, ...]
    svg: str = ""


@dataclass(frozen=True, slots=True)
class ChangesView:
    """The whole page."""

    language: str
    heading: str
    summed: str
    summary: str
    chapters: tuple[ChapterView, ...]
    in_play: tuple[InPlayView, ...]


def changes_view(told: ToldChanges, language: str, impact: Impact | None) -> ChangesView:
    """The view of the page."""
    chapters = tuple(
        ChapterView(
            chapter.title,
            tuple(
                GroupView(
                    group.standing.rule if group.title and group.things else "",
                    group.title,
                    group.why,
                    tuple(thing_view(thing) for thing in group.things),
                )
                for group in chapter.groups
            ),
        )
        for chapter in chapters_of(told)
    )
    in_play = tuple(_in_play(impact)) if impact else ()
    return ChangesView(language, heading(told), summed(told), told.summary, chapters, in_play)


def _in_play(impact: Impact) -> Iterator[InPlayView]:
    yield from _procedures(impact.procedures, "")
    for option in impact.options:
        yield from _procedures(option.procedures, f"{heading_of(option)}: ")
    for cutout in impact.cutouts:
        yield InPlayView(cutout.title, (cutout.told,), cutout.svg)


def _procedures(procedures: Sequence[ProcedureImpact], before: str) -> Iterator[InPlayView]:
    for one in procedures:
        if one.state != "same":
            yield InPlayView(f"{before}{one.title}{reached_by(one)}", tuple(told_of(one)))
    if same := same_odds(procedures):
        yield InPlayView("", (before + same,))


def thing_view(thing: ThingChange) -> ThingView:
    """A thing as it is laid out."""
    parts = tuple(part for part in told_parts(thing) if not is_in_table(part, thing))
    also = tuple((also_of(one), one) for one in thing.also)
    return ThingView(name_of(thing), thing.kind, parts, thing.tables, also)
