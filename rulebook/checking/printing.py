"""Tables, cutouts, examples and steps -> faults where one is printed nowhere, or twice."""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import quantities
from rulebook.checking.changed_by_options import adding
from rulebook.model.cutouts.shapes import Markers
from rulebook.model.cutouts.stick import Stick
from rulebook.model.lookup import KINDS
from rulebook.model.print_settings import ALL_TOGETHER
from rulebook.model.procedures import all_steps
from rulebook.model.prose import Block
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.tables import ComputedTable, RecordTable
from rulebook.problems import Problem, Span
from rulebook.translation import untranslated

#: What a panel of the sheet may hold.
_IN_PANELS = ("say", "procedures", "tables", "examples", "cutouts")
#: What must stand in the prose; a procedure may.
_PLACED = {
    "tables": "table",
    "modifiers": "table",
    "cutouts": "cutout",
    "figures": "figure",
    "examples": "example",
}


def check_placing(ruleset: Ruleset) -> Iterator[Problem]:
    """Every table, modifier table, cutout and example is placed in the prose exactly once.

    But a table that only holds values for the prose, `booklet: false`, is not placed at all.
    """
    first: dict[tuple[str, str], Span] = {}
    for chapter in ruleset.chapters:
        for section in chapter.sections:
            for part in section.parts:
                if not isinstance(part, Block):
                    continue
                key = (part.kind, part.target)
                if key in first:
                    yield _placed_twice(part, first[key])
                first.setdefault(key, part.span)
                if part.kind == "steps":
                    yield from untold(ruleset, part.target, part.span)
    yield from _shown_in_figures(ruleset, first)
    for collection, kind in _PLACED.items():
        for name, entity in getattr(ruleset, collection).items():
            outcomes = isinstance(entity, RecordTable) and not entity.fields
            wanted = getattr(entity, "booklet", True)
            numbered = isinstance(entity, Markers) and all(one.text is None for one in entity.faces)
            if (outcomes or numbered) and (kind, name) not in first:
                continue  # outcomes print where they are used; numbers say nothing of a rule
            if not wanted and (kind, name) in first:
                yield _placed_though_marked(ruleset, collection, name, first[kind, name])
            elif wanted and (kind, name) not in first:
                yield Problem.of(
                    "R408 placed nowhere",
                    ruleset.place(collection, name),
                    kind=KINDS[collection],
                    name=name,
                    where_to=_where_to(ruleset, (collection, name), kind),
                )


def _shown_in_figures(ruleset: Ruleset, first: dict[tuple[str, str], Span]) -> Iterator[Problem]:
    """Adds the cutouts that figures show to what is placed; a chart has each stick's only bar."""
    for (kind, target), span in tuple(first.items()):
        if kind != "figure" or (figure := ruleset.figures.get(target)) is None:
            continue
        for cutout in figure.cutouts:
            if cutout in (figure.sticks or ()) and ("cutout", cutout) in first:
                yield _placed_twice(Block("cutout", cutout, span), first["cutout", cutout])
            first.setdefault(("cutout", cutout), span)


def check_figures(ruleset: Ruleset) -> Iterator[Problem]:
    """A chart of sticks shows nothing but sticks."""
    for name, figure in ruleset.figures.items():
        for index, stick in enumerate(figure.sticks or ()):
            if not isinstance(ruleset.cutouts[stick], Stick):
                yield Problem(
                    "R446",
                    f"'{stick}' is no stick",
                    ruleset.place("figures", name, "sticks", index),
                    expected="the id of a cutout that is a stick",
                )


def _where_to(ruleset: Ruleset, address: Address, kind: str) -> str:
    """What to do with something that is printed nowhere; prose cannot place what an option adds."""
    place = ruleset.place(*address)
    option = adding(ruleset, place) if place else None
    if option is None:
        return f"add a paragraph {{{kind}: {address[1]}}} to the chapter where it belongs"
    return f"add 'rule:' to the option '{option}', the id of the heading below which it is to stand"


def _placed_though_marked(ruleset: Ruleset, collection: str, name: str, placed: Span) -> Problem:
    mark = ruleset.place(collection, name, "booklet")
    return Problem.of("R415 marked as not for the booklet", placed, also=mark, name=name)


def _placed_twice(block: Block, first: Span) -> Problem:
    return Problem.of("R409 placed twice", block.span, also=first, target=block.target)


def check_sequence(ruleset: Ruleset) -> Iterator[Problem]:
    """Each table stands on the quick-reference sheet once, or is marked as not for it."""
    first: dict[str, Address] = {}
    for phase_id, phase in ruleset.sequence.items():
        for step_id, step in phase.steps.items():
            at: Address = ("sequence", phase_id, "steps", step_id)
            if not any(getattr(step, part) for part in _IN_PANELS):
                parts = quantities.join_words(_IN_PANELS, "and")
                yield Problem.of("R410 empty step", ruleset.place(*at), step=step_id, parts=parts)
            for index, procedure in enumerate(step.procedures):
                yield from untold(ruleset, procedure, ruleset.place(*at, "procedures", index))
            for index, example in enumerate(step.examples):
                yield from _without_runs(ruleset, example, ruleset.place(*at, "examples", index))
            named = [
                (name, (*at, part, index))
                for part in ("procedures", "tables", "examples")
                for index, name in enumerate(getattr(step, part))
            ]
            for name, here in named:
                if name in first:
                    yield _on_sheet_twice(ruleset, name, here, first[name])
                first.setdefault(name, here)
    sheet = ruleset.header.documents.qrs
    for index, name in enumerate(sheet.odds if sheet else ()):
        here = ("header", "documents", "qrs", "odds", index)
        if name in first:
            yield _on_sheet_twice(ruleset, name, here, first[name])
        first.setdefault(name, here)
    yield from _off_and_on(ruleset, first)
    if not ruleset.sequence and ruleset.header.documents.qrs is not None:
        yield Problem.of(
            "R413 no sequence",
            ruleset.place("header", "documents", "qrs") or ruleset.place("header", "title"),
        )


def untold(ruleset: Ruleset, name: str, span: Span | None) -> Iterator[Problem]:
    """A procedure that has no sentences cannot be told as steps."""
    procedure = ruleset.procedures.get(name)
    if procedure is not None and not any(step.say for step in all_steps(procedure.steps)):
        place = ruleset.place("procedures", name)
        yield Problem.of("R419 no sentences", span, also=place, name=name)


def _without_runs(ruleset: Ruleset, name: str, span: Span | None) -> Iterator[Problem]:
    """The sheet prints the runs of an example and nothing else of it."""
    example = ruleset.examples.get(name)
    if example is not None and not example.runs:
        place = ruleset.place("examples", name)
        yield Problem.of("R420 no runs", span, also=place, name=name)


def check_language(ruleset: Ruleset) -> Iterator[Problem]:
    """The words that documents add are there in the language of the ruleset."""
    language, here = ruleset.header.language, ruleset.place("header", "language")
    match untranslated(language):
        case None:
            return
        case FileNotFoundError():
            yield Problem.of("R472 no catalogue", here, language=language)
        case ImportError():
            yield Problem.of("R472 no Babel", here, language=language)
        case fault:
            reason = str(fault) or type(fault).__name__
            yield Problem.of("R472 unreadable", here, language=language, reason=reason)


def check_documents(ruleset: Ruleset) -> Iterator[Problem]:
    """Something is printed of the ruleset."""
    wanted = ruleset.header.documents
    cutouts = wanted.cutouts is not None and ruleset.cutouts
    cards = wanted.cards is not None and ruleset.decks
    if wanted.qrs is None and wanted.booklet is None and not cutouts and not cards:
        yield Problem.of(
            "R418 nothing printed" if wanted.cutouts is None else "R418 nothing but cutouts",
            ruleset.place("header", "documents"),
        )
    together = wanted.cutouts is not None and wanted.cutouts.together and len(ruleset.cutouts) > 1
    if together and ALL_TOGETHER in ruleset.cutouts:
        yield Problem.of("R440 together", ruleset.place("cutouts", ALL_TOGETHER), name=ALL_TOGETHER)


def _on_sheet_twice(ruleset: Ruleset, table: str, here: Address, first: Address) -> Problem:
    place = ruleset.place(*first)
    return Problem.of("R407 twice on the sheet", ruleset.place(*here), also=place, table=table)


def _off_and_on(ruleset: Ruleset, named: dict[str, Address]) -> Iterator[Problem]:
    printed = ruleset.sequence and ruleset.header.documents.qrs is not None
    for collection in ("tables", "modifiers"):
        for name, table in getattr(ruleset, collection).items():
            # These may stand on the sheet, but need not.
            outcomes = isinstance(table, RecordTable) and not table.fields
            computed = isinstance(table, ComputedTable) or outcomes
            if not table.qrs and name in named:
                mark = ruleset.place(collection, name, "qrs")
                here = ruleset.place(*named[name])
                yield Problem.of("R406 marked as not for the sheet", here, also=mark, name=name)
            elif table.qrs and name not in named and printed and not computed:
                yield Problem.of(
                    "R405 not on the sheet", ruleset.place(collection, name), name=name
                )
