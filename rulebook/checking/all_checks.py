"""A loaded ruleset -> every fault in its sense: what no type shows and a player stumbles on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.checking.coverage import check_axes, check_conditions, check_faces, check_targets
from rulebook.checking.printing import (
    check_documents,
    check_figures,
    check_language,
    check_placing,
    check_sequence,
    without_sentences,
)
from rulebook.checking.procedures import Sound, check_examples, check_procedures, in_option
from rulebook.checking.scenarios import check_scenarios
from rulebook.checking.texts import check_terms, check_typed_lengths, check_typed_values
from rulebook.core.compute import Computed, compute
from rulebook.limits import MOST_ITEMS
from rulebook.loading.bindings import bindings_of, part_of
from rulebook.loading.chapters import cut_passage
from rulebook.model.cards import DealtCard, deal
from rulebook.model.grids import ComputedTable
from rulebook.model.lookup import LookupFault, computed_in, find
from rulebook.model.prose import Binding, Block, Remark, Text
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.units import ANY_SIZE, MOST_BOXES
from rulebook.model.walk import prose_of
from rulebook.packaged import templates_folder
from rulebook.problems import Problem, Report, Span, second_place
from rulebook.suggestions import nearest, some_words


def check_cards(ruleset: Ruleset) -> Iterator[Problem]:
    """Checks the decks of cards.

    The size of a deck must be known, it may not have too many cards, nor a card too many boxes, and
    procedures in the text of a card need sentences.
    """
    sizes = sorted(path.stem for path in (templates_folder() / "layouts").glob("*.yaml"))
    asked: dict[Address, str] = {
        ("cards", name, "size"): deck.size for name, deck in ruleset.decks.items()
    }
    if (sheet := ruleset.header.documents.qrs) and sheet.cards:
        asked["header", "documents", "qrs", "cards"] = sheet.cards
    for at, size in asked.items():
        if size not in (*sizes, ANY_SIZE):
            known, message = [*sizes, ANY_SIZE], f"no layout is called '{size:.40}'"
            expected, hint = some_words(known), nearest(size, known)
            yield Problem("R438", message, ruleset.place(*at), expected, hint)
    for name in ruleset.decks:
        dealt = deal(ruleset, name)
        count = sum(card.copies for card in dealt)
        if count > MOST_ITEMS:
            here = ruleset.place("cards", name, "copies") or ruleset.place("cards", name)
            expected = f"up to {MOST_ITEMS} cards, copies counted"
            yield Problem("R439", f"a deck of {count} cards", here, expected)
        for card in dealt:
            yield from _of_card(ruleset, name, card)


def _of_card(ruleset: Ruleset, deck_id: str, card: DealtCard) -> Iterator[Problem]:
    if card.boxes > MOST_BOXES:
        made_from = ruleset.place(*card.address)
        boxed: Address = ("cards", deck_id, "boxes")
        place = ruleset.place(*boxed) if boxed in ruleset.places else made_from
        there = made_from if made_from != place else None
        message = f"the card '{card.id}' has {card.boxes} boxes"
        expected = f"up to {MOST_BOXES} boxes on a card, those of its tracks counted"
        also = second_place(there, "the card is made from this")
        yield Problem("R439", message, place, expected, also=also)
    if card.text is None:
        return
    span = ruleset.place(*card.address, "text")
    for part in cut_passage(card.text, span)[0]:
        if isinstance(part, Block) and part.kind == "steps":
            yield from without_sentences(ruleset, part.target, span)


def check_computed(ruleset: Ruleset, computed: Computed) -> Iterator[Problem]:
    """Yields the faults of what was computed, and bindings to missing cells of computed tables."""
    yield from computed.problems
    tables = [name for name, table in ruleset.tables.items() if isinstance(table, ComputedTable)]
    if not tables:
        return
    for binding, span in _bindings(ruleset, frozenset(tables)):
        if computed_in(ruleset, binding) and not computed_in(computed.ruleset, binding):
            try:
                find(computed.ruleset, binding.target)
            except LookupFault as fault:
                yield Problem.at(fault, part_of(binding, span, fault))


_BOUND = re.compile(r"\{([a-z][a-z0-9_]*+)")


def _bindings(ruleset: Ruleset, tables: frozenset[str]) -> Iterator[tuple[Binding, Span | None]]:
    """Yields the bindings in texts, with their places.

    Of chapters all bindings are yielded, and of other texts only those in texts that bind a value
    of one of `tables`.
    """
    for part in (part for section in ruleset.sections for part in section.parts):
        text = part.text if isinstance(part, Remark) else part
        if isinstance(text, Text):
            yield from ((binding, binding.span) for binding in text.bindings)
    for address, prose in prose_of(ruleset):
        if not tables.isdisjoint(_BOUND.findall(prose.markdown)):
            place = ruleset.place(*address)
            found, _ = bindings_of(prose.markdown, place or Span(""))
            yield from ((binding, place) for binding in found)


#: Checks that need nothing but the ruleset.
_CHECKS: tuple[Callable[[Ruleset], Iterable[Problem]], ...] = (
    check_axes,
    check_faces,
    check_targets,
    check_placing,
    check_sequence,
    check_documents,
    check_language,
    check_cards,
    check_figures,
    check_scenarios,
    check_conditions,
    check_terms,
    check_typed_lengths,
    check_typed_values,
)


def check(
    ruleset: Ruleset, computed: Computed | None = None, *, cache: Cache = NOTHING_KEPT
) -> Report:
    """Returns all faults of a ruleset, including those with each single option in force.

    If options are chosen already, no others are tried. `computed` may be passed if the ruleset has
    been computed before. The faults of a released edition that can no longer be corrected become
    warnings. Runs of procedures without faults are stored in `cache`.
    """
    report = Report()
    computed = computed or compute(ruleset)
    sound = Sound(cache)
    report.extend(_found(ruleset, computed, sound))
    if not ruleset.chosen:
        report.extend(_faults_of_options(ruleset, computed, set(report.problems), sound))
    if ruleset.standing.frozen:
        return Report([replace(problem, severity="warning") for problem in report])
    return report


def _found(ruleset: Ruleset, computed: Computed, sound: Sound) -> Iterator[Problem]:
    """Yields the faults that all checks find, one check after the other.

    `sound` knows runs of procedures without faults, and is given new ones.
    """
    yield from chain.from_iterable(simple(ruleset) for simple in _CHECKS)
    yield from check_examples(ruleset)
    yield from check_procedures(ruleset, sound)
    yield from check_computed(ruleset, computed)


def _faults_of_options(
    ruleset: Ruleset, computed: Computed, known: set[Problem], sound: Sound
) -> Iterator[Problem]:
    """Yields the faults that the ruleset has with single options in force, except those in `known`.

    Each fault is yielded once, with the option in its message, and is added to `known`. Entities
    that an option does not affect are not checked again.
    """
    for name in ruleset.options:
        variant = ruleset.with_options([name])
        found = list(variant.problems)
        if variant.ruleset is not None:
            found += _found(variant.ruleset, compute(variant.ruleset, computed), sound)
        for problem in found:
            if problem not in known:
                known.add(problem)
                yield in_option(problem, ruleset, [name])
