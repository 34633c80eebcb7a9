"""Terms and conditions -> faults where words of the game are told twice or never used."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulebook.model.prose import Remark, Text
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem, Span


def check_terms(ruleset: Ruleset) -> Iterator[Problem]:
    """Each term occurs in the prose of the chapters, by its title or one of its forms."""
    words = " ".join(_prose(ruleset)).casefold()
    text = " ".join(re.sub(r"[*_`\\]", "", words).split())
    for name, term in ruleset.terms.items():
        forms = [term.title, *term.forms]
        if not any(_occurs(form, text) for form in forms):
            yield Problem(
                "R412",
                f"the term '{term.title}' occurs nowhere in the chapters",
                ruleset.place("terms", name),
                expected="its title or one of its forms in the prose, for the index to lead to",
                hint="add the form that the prose uses to 'forms', or delete the term",
            )


def _prose(ruleset: Ruleset) -> Iterator[str]:
    """What the booklet prints as text: headings, paragraphs and notes."""
    for chapter in ruleset.chapters:
        for section in chapter.sections:
            yield section.title
            for part in section.parts:
                if isinstance(part, Text):
                    yield part.markdown
                elif isinstance(part, Remark):
                    yield part.text.markdown


def _occurs(form: str, text: str) -> bool:
    """Whether the words stand in the text as words of their own."""
    words = " ".join(form.casefold().split())
    at = text.find(words)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(words) : at + len(words) + 1]
        if not (at and before.isalnum()) and not after.isalnum():
            return True
        at = text.find(words, at + 1)
    return False


def check_conditions(ruleset: Ruleset) -> Iterator[Problem]:
    """No two modifiers of one table have the same condition."""
    for name, table in ruleset.modifiers.items():
        first: dict[str, str] = {}
        for key, row in table.rows.items():
            when = " ".join(row.when.markdown.casefold().split())
            if when in first:
                also: Span | None = ruleset.place("modifiers", name, "rows", first[when], "when")
                yield Problem(
                    "R411",
                    f"'{row.when.markdown[:60]}' is the condition of two modifiers",
                    ruleset.place("modifiers", name, "rows", key, "when"),
                    expected="each condition once in a modifier table",
                    hint="delete one of them, or say in what they differ",
                    also=(also, "it stands here first") if also else None,
                )
            first.setdefault(when, key)
