"""Titles, headings and cells of text with `{bindings}` -> the words that they print, and faults.

This is the one place where plain text is bound, and it is done once, as soon as the collections
are typed: contents, sheets, cards, charts, odds and JSON meet only words. Prose is bound where it
is printed, since its values may still have to be computed, and are marked up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from typing import Any

from rulebook import quantities
from rulebook.limits import LONGEST_LINE, LONGEST_TEXT, MOST_FAULTS, beyond
from rulebook.loading.nodes import circle
from rulebook.loading.prose import bindings_of, fault_of, length_fault, missing_value
from rulebook.loading.yaml_reader import placed_in_scalar
from rulebook.model.cells import Cell
from rulebook.model.entities import Status
from rulebook.model.lookup import Found, LookupFault, computed_in, find, printed
from rulebook.model.maps import TablePoint
from rulebook.model.prose import Binding, Block, Chart, Code, Remark, Text
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Prose, Unbound, UnboundLine
from rulebook.model.walk import texts_of, with_parts
from rulebook.problems import Problem, Span
from rulebook.quantities import Length

#: A text with bindings, its address, which for a heading is ("prose", its id), and its place.
_Placed = tuple[Address, Unbound, Span]


def _unbound(ruleset: Ruleset) -> Iterator[_Placed]:
    """Every text with bindings in header, options, collections and headings."""
    for address, text in texts_of(ruleset, ruleset.options):
        if isinstance(text, Unbound):
            yield address, text, ruleset.place(*address) or Span("")
    for chapter in ruleset.chapters:
        for section in chapter.sections:
            if isinstance(section.title, Unbound):
                yield ("prose", section.id), section.title, section.span


def _with_words(ruleset: Ruleset, words: Mapping[str, str], found: list[_Placed]) -> Ruleset:
    """The ruleset with these words for its texts with bindings."""
    holding = {address[:2] for address, _, _ in found}

    def put(kind: str, things: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: _replaced(thing, words) if (kind, name) in holding else thing
            for name, thing in things.items()
        }

    collections = {kind: put(kind, things) for kind, things in ruleset.collections}
    return replace(
        ruleset,
        header=_replaced(ruleset.header, words),
        options=put("options", ruleset.options),
        collections=ruleset.collections.model_copy(update=collections),
        chapters=_replaced(ruleset.chapters, words),
    )


#: What holds no text with bindings, and is most of a ruleset; so it is passed over at once.
_NO_TEXTS = {str, int, bool, Fraction, Status, type(None), Length, Prose, TablePoint, Span}
_NO_TEXTS |= {Text, Block, Chart, Remark, Code}


def _replaced(value: Any, words: Mapping[str, str]) -> Any:
    if isinstance(value, Unbound):
        return words.get(value, value)
    if type(value) in _NO_TEXTS:
        return value
    return with_parts(value, lambda part: _replaced(part, words))


#: Bindings of a text with what they name.
_Parts = list[tuple[Binding, Found]]


#: White space at which a line may end; a no-break space stays what it is.
_BREAKS = re.compile(r"[ \t\n]+")


def bind_texts(ruleset: Ruleset, sources: Mapping[str, str]) -> tuple[Ruleset, tuple[Problem, ...]]:
    """The ruleset with its plain texts bound, but for those that have a fault, and the faults.

    `sources` are the texts of the files by their paths.
    """
    found = list(_unbound(ruleset))
    if not found:
        return ruleset, ()
    binding = _TextBinder(ruleset, sources, found)
    problems = tuple(islice(binding.faults(), MOST_FAULTS))
    return _with_words(ruleset, binding.words, found), problems


@dataclass(slots=True)
class _TextBinder:
    """The texts of one ruleset; like texts have like words, wherever they stand."""

    ruleset: Ruleset
    sources: Mapping[str, str]
    found: list[_Placed]
    parts: dict[str, _Parts] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    lines: dict[str, list[str]] = field(default_factory=dict)

    def faults(self) -> Iterator[Problem]:
        """Bind all texts, those that others hold first, and report what is wrong with the rest."""
        for _, text, span in self.found:
            yield from self._read(text, span)
        waits_for = {
            text: {str(value) for _, value in parts if isinstance(_text_in(value), Unbound)}
            for text, parts in self.parts.items()
        }
        try:
            order = [*TopologicalSorter(waits_for).static_order()]
        except CycleError as error:
            yield self._cycle(error.args[1])
            return
        for one in order:
            self._bind(one)
        for _, text, span in self.found:
            most = LONGEST_LINE if isinstance(text, UnboundLine) else LONGEST_TEXT
            if len(self.words.get(text, "")) > most:
                yield beyond(most, "characters in a text with its values", span)

    def _read(self, text: Unbound, span: Span) -> Iterator[Problem]:
        if span.path not in self.lines:
            self.lines[span.path] = self.sources.get(span.path, "").splitlines()
        place = placed_in_scalar(text, span, self.lines[span.path])
        bindings, faults = bindings_of(text, span, place)
        yield from faults
        parts: _Parts = []
        for binding in bindings:
            value = self._value(binding)
            if isinstance(value, Problem):
                yield value
            else:
                parts.append((binding, value))
        if not faults and len(parts) == len(bindings):
            self.parts.setdefault(text, parts)

    def _value(self, binding: Binding) -> Found | Problem:
        """What a binding names, or why it cannot stand in a plain text."""
        if binding.kind == "length":
            return length_fault(binding) or quantities.parse_length(binding.target)
        if binding.kind == "rule":
            return _only_in_prose(binding, "a reference to a rule")
        if computed_in(self.ruleset, binding):
            return _only_in_prose(binding, "a value that is computed from the rules")
        try:
            value = find(self.ruleset, binding.target)
        except LookupFault as fault:
            return fault_of(self.ruleset, fault, binding)
        if isinstance(value, Cell) and value.status is Status.MISSING:
            return missing_value(binding)
        return value

    def _bind(self, text: str) -> None:
        """Put values into a text, unless one of them has no words itself."""
        pieces: list[str] = []
        end = 0
        for binding, value in self.parts.get(text, ()):
            inner = _text_in(value)
            if isinstance(inner, Unbound) and inner not in self.words:
                return
            words = self.words[inner] if isinstance(inner, Unbound) else printed(value)
            pieces += [_plain(text[end : binding.start]), _BREAKS.sub(" ", words).strip()]
            end = binding.end
        whole = "".join([*pieces, _plain(text[end:])])
        if text in self.parts:
            self.words[text] = whole[: LONGEST_TEXT + 1]

    def _cycle(self, cycle: list[str]) -> Problem:
        names: dict[str, Address] = {}
        spans: dict[str, Span] = {}
        for address, text, span in self.found:
            if text in cycle:
                names.setdefault(text, address[:-1] if address[-1] == "value" else address)
                spans.setdefault(text, span)
        first = next(iter(names))
        start = cycle[:-1].index(first)
        turned = [*cycle[start:-1], *cycle[:start]]
        path = [".".join(map(str, names[text])) for text in [first, *reversed(turned[1:]), first]]
        return circle("texts", path, spans[first])


def _only_in_prose(binding: Binding, what: str) -> Problem:
    message, expected = f"{what} in a plain text", "values such as {ranges.musket.long}"
    hint = "put it into prose, such as about, notes or a chapter"
    return Problem("R305", message, binding.span, expected, hint)


def _text_in(value: Found) -> object:
    return value.value if isinstance(value, Cell) else value


def _plain(text: str) -> str:
    """Braces that were kept by a backslash."""
    return text.replace("\\{", "{")
