"""A ruleset -> a script: all that a search may find in the edition, and the library that finds it.

It is a script since a page that is opened from a disk can load nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from rulebook.core.compute import Computed
from rulebook.documents.booklet.compose import compose_booklet
from rulebook.documents.booklet.views import ChapterView, Part, TablePart
from rulebook.documents.cards.compose import compose_deck
from rulebook.documents.cards.pieces import CardPart
from rulebook.documents.document_kind import KINDS, File, Planned, planned
from rulebook.documents.parts.binding import escape_markdown
from rulebook.documents.parts.views import TO_READ, Identity, TableView
from rulebook.documents.scenario.forces import PassageComposer, PlayedScenario, played_scenarios
from rulebook.frozen_view import fields_of
from rulebook.model.cards import deal
from rulebook.model.header import CardsSpec
from rulebook.model.ruleset import Ruleset
from rulebook.translation import gettext
from rulebook.typeset import markup
from rulebook.typeset.environment import template_text

INDEX = "search.js"
_CARDS = "cards.html"
#: Between the cells of a row, and between rows: what is found in a table is shown by its row.
_CELLS, _ROWS = " ", " · "


@dataclass(frozen=True, slots=True)
class FoundView:
    """One entry of the search index.

    `address` is relative to the edition's folder, and `words` is its text as Markdown.

    `inside` is the title of the chapter, deck or scenario that contains it; `rule` the id of its
    rule, if it belongs to one; `number` that of a rule or a table. Entries from an appendix are
    `aside`.
    """

    kind: Literal["rule", "table", "term", "unit", "card", "scenario"]
    address: str
    title: str
    words: str
    inside: str = ""
    number: str = ""
    rule: str = ""
    aside: bool = False


@dataclass(frozen=True, slots=True)
class SearchView:
    """All that may be found in an edition; each of `terms` is a tuple of forms with one meaning."""

    identity: Identity
    found: tuple[FoundView, ...]
    terms: tuple[tuple[str, ...], ...]


def plan_search(computed: Computed, identity: Identity) -> Iterator[Planned]:
    """Plans the search index of an edition, if the ruleset asks for any page in which to search.

    These are the booklet, the quick reference, and the pages of cards and scenarios.
    """
    ruleset = computed.ruleset
    asked = ruleset.header.documents
    of_decks, of_battles = asked.cards and ruleset.decks, asked.scenarios and ruleset.scenarios
    if not (asked.booklet or asked.qrs or of_decks or of_battles):
        return

    def view() -> SearchView:
        terms = ((term.title, *term.forms) for term in ruleset.terms.values() if term.forms)
        return SearchView(identity, tuple(_found(computed, identity)), tuple(terms))

    yield planned(ruleset, "search", "search", view, File(INDEX, "js"))


def _found(computed: Computed, identity: Identity) -> Iterator[FoundView]:
    ruleset = computed.ruleset
    if ruleset.header.documents.booklet is not None and ruleset.chapters:
        booklet = compose_booklet(ruleset, identity, None, {}, computed.charts)
        for chapter in booklet.chapters:
            yield from _rules(chapter)
        for term in booklet.terms:
            if term.meaning:
                address = f"{TO_READ}#term-{term.id}"
                yield FoundView("term", address, term.title, term.meaning)
    if (asked := ruleset.header.documents.cards) is not None:
        yield from _cards(ruleset, identity, asked)
    for scenario in played_scenarios(computed, identity):
        yield from _scenario(scenario)


def _rules(chapter: ChapterView) -> Iterator[FoundView]:
    """Yields an index entry for each section of a chapter, followed by one for each of its tables.

    The text of a table is only in its own entry. Entries from an appendix are marked as `aside`.
    """
    above: list[str] = []
    aside = chapter.annex and not chapter.optional
    for section in chapter.sections:
        above = [*above[: section.level - 1], section.title]
        words = _words_of(part for part in section.parts if not isinstance(part, TablePart))
        address = f"{TO_READ}#{section.id}"
        inside = " › ".join(above[:-1])
        yield FoundView(
            "rule", address, section.title, words, inside, section.number, section.id, aside
        )
        for part in section.parts:
            if isinstance(part, TablePart):
                address = f"{TO_READ}#table-{part.table.id}"
                inside = f"{section.number} {section.title}"
                words = "\n\n".join(_of_table(part.table))
                title, number = part.table.title, part.caption
                yield FoundView("table", address, title, words, inside, number, section.id, aside)


def _cards(ruleset: Ruleset, identity: Identity, spec: CardsSpec) -> Iterator[FoundView]:
    """Yields an index entry for each card that is made from a unit or written by the author.

    Cards made from anything else are left out, since they only repeat the rules.
    """
    kinds: dict[str | int, Literal["unit", "card"]] = {"units": "unit", "cards": "card"}
    for name, deck in ruleset.decks.items():
        made_of = {card.id: card.address[0] for card in deal(ruleset, name)}
        view = compose_deck(ruleset, name, identity, lambda *_: "", spec)
        for card in view.cards:
            kind = kinds.get(made_of[card.id])
            if kind is not None:
                address = f"{_CARDS}#card-{name}-{card.id}"
                yield FoundView(kind, address, card.title, _words_of(card.parts), deck.title)


def _scenario(played: PlayedScenario) -> Iterator[FoundView]:
    """Yields index entries for a scenario and for the parts of its page that players look up.

    These parts are the order of battle, victory, the special rules and the objectives.
    """
    scenario, page = played.scenario, f"{played.stem}.html"
    passages = PassageComposer(played.ruleset)

    def words_in(*texts: Any) -> str:
        return _words_of(part for text in texts if text for part in passages.passage(text.text))

    forces = [force.title for side in scenario.sides.values() for force in side.forces.values()]
    lines = (scenario.subtitle, scenario.date, *(side.title for side in scenario.sides.values()))
    opening = "\n\n".join(map(escape_markdown, filter(None, lines)))
    about = f"{opening}\n\n{words_in(scenario.background, scenario.situation)}"
    yield FoundView("scenario", page, scenario.title, about)
    for anchor, title, words in (
        ("order-of-battle", gettext("Order of battle"), "\n\n".join(map(escape_markdown, forces))),
        ("victory", gettext("Victory"), words_in(scenario.victory)),
        *(("special-rules", rule.title, words_in(rule)) for rule in scenario.rules.values()),
        *(
            ("objectives", objective.title, passages.prose(objective.text))
            for objective in scenario.objectives.values()
        ),
    ):
        yield FoundView("scenario", f"{page}#{anchor}", title, words, scenario.title)


def _words_of(parts: Iterable[Part | CardPart]) -> str:
    """Returns the text of parts of a booklet or of cards as one text of Markdown paragraphs."""
    return "\n\n".join(text for part in parts for text in _OF_PARTS[part.kind](part) if text)


def _of_table(table: TableView) -> Iterator[str]:
    yield table.about
    heads = (cell.text for row in table.head for cell in row)
    yield escape_markdown(_CELLS.join(filter(None, (*table.stub_heads, *heads))))
    yield _ROWS.join(
        _CELLS.join(
            [label.text for label in row.labels] + [escape_markdown(c.text) for c in row.cells]
        )
        for row in table.body
    )
    yield from table.notes


def _of_example(part: Any) -> tuple[str, ...]:
    steps = (step.markdown for step in part.steps)
    return (escape_markdown(part.title), part.situation, *steps, part.outcome)


def _of_steps(part: Any) -> tuple[str, ...]:
    procedure = getattr(part, "procedure", part)  # a card has it in a part of its own
    return (escape_markdown(procedure.title), *procedure.steps)


def _of_numbers(part: Any) -> Iterator[str]:
    for stat in (*part.large, *part.stats):
        if not stat.missing:
            yield escape_markdown(f"{stat.label} {stat.value}")


#: From a part of a booklet, a card or a scenario, by its kind, to its words as Markdown.
_OF_PARTS: dict[str, Callable[[Any], Iterable[str]]] = {
    "text": lambda part: (part.markdown,),
    "words": lambda part: (part.markdown,),
    "code": lambda part: (escape_markdown(part.text),),
    "table": lambda part: _of_table(part.table),
    "example": _of_example,
    "steps": _of_steps,
    "stats": _of_numbers,
    "track": lambda part: (escape_markdown(part.title), part.about),
    "chart": lambda part: (escape_markdown(f"{part.chart.title}. {part.chart.note}"),),
    "picture": lambda part: (escape_markdown(part.title), getattr(part, "use", "")),
    "figure": lambda part: (escape_markdown(part.title), part.use, *part.notes),
    "pictures": lambda part: (
        *(escape_markdown(picture.title) for picture in part.pictures),
        part.use,
    ),
    "blanks": lambda part: (),
    "mark": lambda part: (),
}


def search_index(view: SearchView, templates: Path, _: object) -> str:
    """Returns a script with the search library and the search index of an edition.

    When it runs, it adds the index to the global list `rulebookSearch`. Raises RenderFault if a
    script cannot be read.
    """
    index = {
        "title": view.identity.title,
        "language": view.identity.language,
        "terms": view.terms,
        "found": list(map(_entry, view.found)),
    }
    data = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    added = f"{{base: document.currentScript.src, index: {data}}}"
    scripts = [template_text(name, templates) for name in KINDS["search"].templates]
    return "\n".join([*scripts, f"(globalThis.rulebookSearch ??= []).push({added});\n"])


def _entry(found: FoundView) -> dict[str, str | bool]:
    """Returns an index entry as plain data, with plain text and without empty fields."""
    entry = {**fields_of(found), "words": markup.words(found.words)}
    return {name: value for name, value in entry.items() if value}
