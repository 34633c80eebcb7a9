"""Bindings whose path names nothing -> faults at the characters in question."""

from __future__ import annotations

from rulebook import quantities
from rulebook.loading.prose import Placing
from rulebook.loading.yaml_events import locate
from rulebook.model.paths import LookupFault
from rulebook.model.prose import Binding
from rulebook.model.ruleset import Address, Ruleset
from rulebook.problems import Problem, Span


def placed_in_scalar(text: str, span: Span, lines: list[str]) -> Placing:
    """Where a part of a scalar's text stands, found again in the file: YAML may have folded it.

    `lines` are those of the file.
    """

    def place(start: int, end: int) -> Span:
        words = text[start:end]
        return locate(lines, span, words, text.count(words, 0, start))

    return place


def fault_of(ruleset: Ruleset, fault: LookupFault, binding: Binding) -> Problem:
    """The fault of a binding that cannot be looked up."""
    span = binding.span
    if span.line == span.end_line and span.end_column - span.column == len(binding.target) + 2:
        span = span.shifted(1 + fault.start, 1 + max(fault.end, fault.start + 1))
    also = stands_at(ruleset, fault.meant)
    return Problem(fault.code, fault.message, span, fault.expected, fault.hint, also)


def stands_at(ruleset: Ruleset, meant: Address | None) -> tuple[Span, str] | None:
    """Where the thing stands that a hint proposes."""
    place = ruleset.place(*meant) if meant else None
    return (place, f"'{meant[-1]}' stands here") if place and meant else None


def length_fault(binding: Binding) -> Problem | None:
    """What is wrong with a length in braces, such as `{7./2in}`; None if it can be read."""
    try:
        quantities.parse_length(binding.target)
    except quantities.QuantityError as fault:
        return Problem("R204", fault.message, binding.span, fault.expected, fault.hint)
    return None


def missing_value(binding: Binding) -> Problem:
    """The fault of a binding that names a missing cell."""
    return Problem.of("R306 nothing to print", binding.span, target=binding.target)
