"""Computed tables and charts -> faults, and those of bindings into computed tables.

Such bindings cannot be looked up before the tables have been computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulebook.core.compute import Computed
from rulebook.loading.prose import bindings_of
from rulebook.model.computed import ComputedTable
from rulebook.model.lookup import computed_in, find
from rulebook.model.paths import LookupFault
from rulebook.model.prose import Binding, Remark, Text
from rulebook.model.ruleset import Ruleset
from rulebook.model.walk import prose_of
from rulebook.problems import Problem, Span


def check_computed(ruleset: Ruleset, computed: Computed) -> Iterator[Problem]:
    """What cannot be computed, and bindings that name no cell of a computed table."""
    yield from computed.problems
    tables = [name for name, one in ruleset.tables.items() if isinstance(one, ComputedTable)]
    if not tables:
        return
    named = re.compile(rf"\{{(?:{'|'.join(tables)})\b")
    for binding, span in _bindings(ruleset, named):
        if computed_in(ruleset, binding) and not computed_in(computed.ruleset, binding):
            try:
                find(computed.ruleset, binding.target)
            except LookupFault as fault:
                place = _part_of(binding, span, fault)
                yield Problem(fault.code, fault.message, place, fault.expected, fault.hint)


def _part_of(binding: Binding, span: Span | None, fault: LookupFault) -> Span | None:
    """The part of a binding that is at fault, where the binding itself has a place on one line."""
    whole = len(binding.target) + 2
    if span is None or span.line != span.end_line or span.end_column - span.column != whole:
        return span
    return span.shifted(1 + fault.start, 1 + max(fault.end, fault.start + 1))


def _bindings(ruleset: Ruleset, named: re.Pattern[str]) -> Iterator[tuple[Binding, Span | None]]:
    """The bindings of chapters, and of texts in the data that are `named` in them; each with its
    place, or that of the text it stands in.
    """
    for chapter in ruleset.chapters:
        for section in chapter.sections:
            for part in section.parts:
                text = part.text if isinstance(part, Remark) else part
                if isinstance(text, Text):
                    yield from ((binding, binding.span) for binding in text.bindings)
    for address, prose in prose_of(ruleset):
        if named.search(prose.markdown):
            place = ruleset.place(*address)
            found, _ = bindings_of(prose.markdown, place or Span(""))
            yield from ((binding, place) for binding in found)
