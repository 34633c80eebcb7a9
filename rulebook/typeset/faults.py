"""Faults met while a page is made -> problems that name the template, style or document."""

from __future__ import annotations

from collections.abc import Iterable

from rulebook.problems import Problem, Span


class RenderFault(Exception):
    """A document that cannot be rendered as it should be; its problems say why."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(problems)
        self.problems = problems


def broken_design(said: str, span: Span | None) -> Problem:
    """R605: a template or stylesheet with which no page can be made."""
    return Problem.of("R605 broken design", span, said=said)


def no_glyphs(name: str, characters: Iterable[str]) -> Problem:
    """R603: all characters of a document that are in none of the fonts, each as it is told."""
    return Problem.of("R603 no glyphs", name=name, characters=", ".join(sorted(characters)))
