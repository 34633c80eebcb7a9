"""Tables, cutouts, examples and steps -> faults where one is printed nowhere, or twice."""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import quantities as q
from rulebook.checking.choices import adding
from rulebook.model.computed import ComputedTable
from rulebook.model.lookup import KINDS
from rulebook.model.procedures import all_steps
from rulebook.model.prose import Block
from rulebook.model.ruleset import ALL_TOGETHER, Address, Ruleset
from rulebook.problems import Problem, Span

#: What a panel of the sheet may hold.
_IN_PANELS = ("say", "procedures", "tables", "examples", "cutouts")
#: What must stand in the prose; a procedure may.
_PLACED = {"tables": "table", "modifiers": "table", "cutouts": "cutout", "examples": "example"}


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
    for collection, kind in _PLACED.items():
        for name, entity in getattr(ruleset, collection).items():
            wanted = getattr(entity, "booklet", True)
            if not wanted and (kind, name) in first:
                yield _placed_though_marked(ruleset, collection, name, first[kind, name])
            elif wanted and (kind, name) not in first:
                yield Problem(
                    "R408",
                    f"{KINDS[collection]} that is printed nowhere: '{name}'",
                    ruleset.place(collection, name),
                    expected="a place in one chapter",
                    hint=_where_to(ruleset, (collection, name), kind),
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
    return Problem(
        "R415",
        f"'{name}' is marked as not for the booklet",
        placed,
        expected="a table that the booklet prints",
        hint="delete it here, or delete its 'booklet: false'",
        also=(mark, "it is marked here") if mark else None,
    )


def _placed_twice(block: Block, first: Span) -> Problem:
    return Problem(
        "R409",
        f"'{block.target}' is placed a second time",
        block.span,
        expected="each table, cutout, example and procedure once in the prose",
        hint="refer to its heading with {rule: heading_id} instead",
        also=(first, "it is placed here first"),
    )


def check_sequence(ruleset: Ruleset) -> Iterator[Problem]:
    """Each table stands on the quick-reference sheet once, or is marked as not for it."""
    first: dict[str, Address] = {}
    for phase_id, phase in ruleset.sequence.items():
        for step_id, step in phase.steps.items():
            at: Address = ("sequence", phase_id, "steps", step_id)
            if not any(getattr(step, part) for part in _IN_PANELS):
                yield Problem(
                    "R410",
                    f"the step '{step_id}' holds nothing",
                    ruleset.place(*at),
                    expected=f"one or more of {q.join_words(_IN_PANELS, 'and')}",
                    hint="add what the players look up in it",
                )
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
        yield Problem(
            "R413",
            "a quick-reference sheet without a sequence",
            ruleset.place("header", "documents", "qrs") or ruleset.place("header", "title"),
            expected="'sequence' with phases and steps in one of the YAML files",
            hint="add a sequence, or write 'documents: {qrs: ~}' in ruleset.yaml",
        )


def untold(ruleset: Ruleset, name: str, span: Span | None) -> Iterator[Problem]:
    """A procedure that has no sentences cannot be told as steps."""
    procedure = ruleset.procedures.get(name)
    if procedure is not None and not any(step.say for step in all_steps(procedure.steps)):
        place = ruleset.place("procedures", name)
        yield Problem(
            "R419",
            f"no step of the procedure '{name}' has a sentence",
            span,
            expected="a procedure whose steps are told: 'say' with a sentence for the players",
            hint="add 'say:' to its steps",
            also=(place, "the procedure stands here") if place else None,
        )


def _without_runs(ruleset: Ruleset, name: str, span: Span | None) -> Iterator[Problem]:
    """The sheet prints the runs of an example and nothing else of it."""
    example = ruleset.examples.get(name)
    if example is not None and not example.runs:
        place = ruleset.place("examples", name)
        yield Problem(
            "R420",
            f"no step of the example '{name}' runs a procedure",
            span,
            expected="an example with 'run' in a step: the sheet prints its dice and results",
            hint="delete it here, or add 'run:' to a step",
            also=(place, "the example stands here") if place else None,
        )


def check_documents(ruleset: Ruleset) -> Iterator[Problem]:
    """Something is printed of the ruleset."""
    wanted = ruleset.header.documents
    cutouts = wanted.cutouts is not None and ruleset.cutouts
    cards = wanted.cards is not None and ruleset.decks
    if wanted.qrs is None and wanted.booklet is None and not cutouts and not cards:
        yield Problem(
            "R418",
            "nothing is printed of this ruleset",
            ruleset.place("header", "documents"),
            expected="one document or more that is not ~"
            + ("" if wanted.cutouts is None else "; there are no cutouts"),
            hint="delete 'qrs: ~' or 'booklet: ~'",
        )
    together = wanted.cutouts is not None and wanted.cutouts.together and len(ruleset.cutouts) > 1
    if together and ALL_TOGETHER in ruleset.cutouts:
        yield Problem(
            "R440",
            f"a cutout called '{ALL_TOGETHER}'",
            ruleset.place("cutouts", ALL_TOGETHER),
            expected="another id: the files with all cutouts are called so",
            hint="rename it, or write 'documents: {cutouts: {together: false}}' in ruleset.yaml",
        )


def _on_sheet_twice(ruleset: Ruleset, table: str, here: Address, first: Address) -> Problem:
    place = ruleset.place(*first)
    return Problem(
        "R407",
        f"'{table}' stands on the quick-reference sheet a second time",
        ruleset.place(*here),
        expected="each table, procedure and example once",
        hint="delete it here or there",
        also=(place, "it stands here first") if place else None,
    )


def _off_and_on(ruleset: Ruleset, named: dict[str, Address]) -> Iterator[Problem]:
    printed = ruleset.sequence and ruleset.header.documents.qrs is not None
    for collection in ("tables", "modifiers"):
        for name, table in getattr(ruleset, collection).items():
            computed = isinstance(table, ComputedTable)  # may stand on the sheet, but need not
            if not table.qrs and name in named:
                mark = ruleset.place(collection, name, "qrs")
                yield Problem(
                    "R406",
                    f"'{name}' is marked as not for the quick-reference sheet",
                    ruleset.place(*named[name]),
                    expected="a table with a place on the sheet",
                    hint="delete it here, or delete its 'qrs: false'",
                    also=(mark, "it is marked here") if mark else None,
                )
            elif table.qrs and name not in named and printed and not computed:
                yield Problem(
                    "R405",
                    f"no step of the sequence names '{name}'",
                    ruleset.place(collection, name),
                    expected="each table in one step of the sequence, or 'qrs: false'",
                    hint="add it to a step, or write 'qrs: false' below it",
                )
