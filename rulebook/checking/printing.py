"""Tables, cutouts, examples and steps -> faults where one is printed nowhere, or twice."""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import quantities
from rulebook.model.cutouts import Markers
from rulebook.model.grids import ComputedTable
from rulebook.model.header import ALL_TOGETHER
from rulebook.model.lookup import KINDS
from rulebook.model.procedures import all_steps
from rulebook.model.prose import BLOCK_KIND_OF, Block
from rulebook.model.record_tables import RecordTable
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.sticks import Stick
from rulebook.problems import Problem, Span, second_place
from rulebook.translation import untranslated

#: What a panel of the sheet may hold.
_IN_PANELS = ("say", "procedures", "tables", "examples", "cutouts")


def check_placing(ruleset: Ruleset) -> Iterator[Problem]:
    """Checks that each entity that prints in the booklet is placed in exactly one chapter.

    These are tables, modifier tables, cutouts and examples. A table with `booklet: false` only
    holds values for the prose, and must not be placed. Procedures may be placed, but only if they
    have sentences.
    """
    first: dict[tuple[str, str], Span] = {}
    for part in (part for section in ruleset.sections for part in section.parts):
        if isinstance(part, Block):
            key = (part.kind, part.target)
            if key in first:
                yield _placed_twice(part.target, part.span, first[key])
            first.setdefault(key, part.span)
            if part.kind == "steps":
                yield from without_sentences(ruleset, part.target, part.span)
    yield from _shown_in_figures(ruleset, first)
    for collection, kind in BLOCK_KIND_OF.items() if ruleset.chapters else ():
        if collection == "procedures":
            continue  # which may stand there, and need not
        for name, entity in getattr(ruleset, collection).items():
            outcomes = isinstance(entity, RecordTable) and not entity.fields
            wanted = getattr(entity, "booklet", True)
            numbered = isinstance(entity, Markers) and all(
                face.text is None for face in entity.faces
            )
            placed = first.get((kind, name))
            if placed and not wanted:
                message = f"'{name}' is marked as not for the booklet"
                mark = ruleset.place(collection, name, "booklet")
                yield _twice("R415", message, placed, mark)
            elif wanted and not (placed or outcomes or numbered):
                # Outcomes print where they are used; numbers say nothing of a rule.
                message = f"{KINDS[collection]} that no chapter shows: '{name}'"
                hint = _where_to(ruleset, (collection, name), kind)
                here = ruleset.place(collection, name)
                yield Problem("R408", message, here, "a place in one chapter", hint)


def _shown_in_figures(ruleset: Ruleset, first: dict[tuple[str, str], Span]) -> Iterator[Problem]:
    """Adds the cutouts that placed figures show to `first`.

    `first` has the blocks that chapters place, with their first places. Yields a fault for each
    stick of a chart that is also placed elsewhere.
    """
    for (kind, target), span in tuple(first.items()):
        figure = ruleset.figures.get(target) if kind == "figure" else None
        for cutout in figure.cutouts if figure else ():
            placed = first.setdefault(("cutout", cutout), span)
            if figure and cutout in (figure.sticks or ()) and placed is not span:
                yield _placed_twice(cutout, span, placed)


def check_figures(ruleset: Ruleset) -> Iterator[Problem]:
    """Checks that figures which compare sticks name only cutouts that are sticks."""
    for name, figure in ruleset.figures.items():
        for index, stick in enumerate(figure.sticks or ()):
            if not isinstance(ruleset.cutouts[stick], Stick):
                here = ruleset.place("figures", name, "sticks", index)
                expected = "the id of a cutout that is a stick"
                yield Problem("R446", f"'{stick}' is no stick", here, expected)


def _where_to(ruleset: Ruleset, address: Address, kind: str) -> str:
    """Returns the hint for an entity that is printed nowhere: where the author can place it.

    Chapters cannot place an entity that an option adds; the option must say below which heading.
    """
    here = ruleset.place(*address)
    places = {name: ruleset.place("options", name, "title") for name in ruleset.chosen}
    options = (name for name, place in places.items() if here and place and place.path == here.path)
    option = next(options, None)
    if option is None:
        return f"add a paragraph {{{kind}: {address[1]}}} to the chapter where it belongs"
    return f"add 'rule:' to the option '{option}', the id of the heading below which it is to stand"


def _placed_twice(name: str, here: Span, there: Span) -> Problem:
    return _twice("R409", f"'{name}' is placed a second time", here, there)


def _twice(code: str, message: str, here: Span | None, there: Span | None) -> Problem:
    """Makes the problem of a thing that is in two places, and must be deleted from one of them."""
    hint = "delete it here or there"
    return Problem(code, message, here, "", hint, second_place(there, "the other place"))


def check_sequence(ruleset: Ruleset) -> Iterator[Problem]:
    """Checks what the steps of the sequence put on the quick-reference sheet.

    Each table must be there once unless it is marked as not for the sheet, and nothing may be there
    twice. No step may be empty, its procedures need sentences, and its examples must run a
    procedure. A sheet needs a sequence.
    """
    first: dict[str, Address] = {}
    named: list[tuple[str, Address]] = []
    for phase_id, phase in ruleset.sequence.items():
        for step_id, step in phase.steps.items():
            at: Address = ("sequence", phase_id, "steps", step_id)
            if step.rule is None and ruleset.chapters:
                message = f"the step '{step_id}' names no rule"
                expected = "'rule' with the id of the heading where it stands in full"
                yield Problem("R202", message, ruleset.place(*at), expected)
            if not any(getattr(step, part) for part in _IN_PANELS):
                parts = quantities.join_words(_IN_PANELS, "and")
                message = f"the step '{step_id}' holds nothing"
                yield Problem("R410", message, ruleset.place(*at), f"one or more of {parts}")
            for part in ("procedures", "tables", "examples"):
                for index, name in enumerate(getattr(step, part)):
                    named.append((name, (*at, part, index)))
                    if part != "tables":
                        faults = without_sentences if part == "procedures" else _without_runs
                        yield from faults(ruleset, name, ruleset.place(*at, part, index))
    sheet = ruleset.header.documents.qrs
    for index, name in enumerate(sheet.odds if sheet else ()):
        named.append((name, ("header", "documents", "qrs", "odds", index)))
    for name, here in named:
        there = first.setdefault(name, here)
        if there is not here:
            message = f"'{name}' stands on the quick-reference sheet a second time"
            yield _twice("R407", message, ruleset.place(*here), ruleset.place(*there))
    yield from _off_and_on(ruleset, first)
    if not ruleset.sequence and ruleset.header.documents.qrs is not None:
        span = ruleset.place("header", "documents", "qrs") or ruleset.place("header", "title")
        message = "a quick-reference sheet without a sequence"
        expected = "'sequence' with phases and steps in one of the YAML files"
        hint = "add a sequence, or write 'documents: {qrs: ~}' in ruleset.yaml"
        if span and span.path.endswith(".md"):
            message, hint = "a quick-reference sheet with nothing on it", ""
            expected = "lines of text, lists or tables, best below a heading: # Move"
        yield Problem("R413", message, span, expected, hint)


def without_sentences(ruleset: Ruleset, name: str, span: Span | None) -> Iterator[Problem]:
    """Reports a procedure without sentences, which cannot be printed as steps.

    `span` is the place where it is to be printed.
    """
    procedure = ruleset.procedures.get(name)
    if procedure is not None and not any(step.say for step in all_steps(procedure.steps)):
        also = second_place(ruleset.place("procedures", name), "the procedure stands here")
        message = f"no step of the procedure '{name}' has a sentence"
        yield Problem("R419", message, span, "'say' with a sentence in its steps", also=also)


def _without_runs(ruleset: Ruleset, name: str, span: Span | None) -> Iterator[Problem]:
    """Reports an example that runs no procedure, for which the sheet would print nothing.

    `span` is the place where the sheet names it.
    """
    example = ruleset.examples.get(name)
    if example is not None and not example.runs:
        also = second_place(ruleset.place("examples", name), "the example stands here")
        message = f"no step of the example '{name}' runs a procedure"
        expected = "'run' in a step: the sheet prints its dice and results"
        yield Problem("R420", message, span, expected, also=also)


def check_language(ruleset: Ruleset) -> Iterator[Problem]:
    """Checks that there is a translation of the tool's own texts into the ruleset's language."""
    reason, language = untranslated(ruleset.header.language), ruleset.header.language
    if reason is None:
        return
    causes = {FileNotFoundError: "there is none", ImportError: "Babel is not installed"}
    message = f"no translation into '{language}' of the words that documents add: "
    message += str(causes.get(type(reason), reason))
    file = "rulebook/locale/<language>/LC_MESSAGES/rulebook.po"
    expected = f"English (en, en-GB, en-US), or a language with a sound file {file}"
    hint = "run pip install 'rulebook[languages]'" if isinstance(reason, ImportError) else ""
    yield Problem("R472", message, ruleset.place("header", "language"), expected, hint)


def check_documents(ruleset: Ruleset) -> Iterator[Problem]:
    """Checks that the ruleset asks for at least one document with content.

    Also reports a cutout whose id is the file name for the sheets of all cutouts together.
    """
    wanted = ruleset.header.documents
    cutouts = wanted.cutouts is not None and ruleset.cutouts
    cards = wanted.cards is not None and ruleset.decks
    if wanted.qrs is None and wanted.booklet is None and not cutouts and not cards:
        here, hint = ruleset.place("header", "documents"), "delete 'qrs: ~' or 'booklet: ~'"
        expected = "one document or more that is not ~, and what it prints"
        yield Problem("R418", "nothing is printed of this ruleset", here, expected, hint)
    together = wanted.cutouts is not None and wanted.cutouts.together and len(ruleset.cutouts) > 1
    if together and ALL_TOGETHER in ruleset.cutouts:
        here = ruleset.place("cutouts", ALL_TOGETHER)
        expected = "another id: the files with all cutouts are called so"
        yield Problem("R440", f"a cutout called '{ALL_TOGETHER}'", here, expected)


def _off_and_on(ruleset: Ruleset, named: dict[str, Address]) -> Iterator[Problem]:
    printed = ruleset.sequence and ruleset.header.documents.qrs is not None
    for name, table in ruleset.all_tables.items():
        address = ruleset.address_of_table(name)
        # These may stand on the sheet, but need not.
        outcomes = isinstance(table, RecordTable) and not table.fields
        computed = isinstance(table, ComputedTable) or outcomes
        if not table.qrs and name in named:
            mark = ruleset.place(*address, "qrs")
            message = f"'{name}' is marked as not for the quick-reference sheet"
            yield _twice("R406", message, ruleset.place(*named[name]), mark)
        elif table.qrs and name not in named and printed and not computed:
            here, message = ruleset.place(*address), f"no step names '{name}'"
            expected = "each table in one step of the sequence, or 'qrs: false' in it"
            yield Problem("R405", message, here, expected)
