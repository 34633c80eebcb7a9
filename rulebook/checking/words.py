"""Terms and conditions -> faults where words of the game are told twice or never used."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulebook.model.axes import humanise
from rulebook.model.modifiers import ModifierTable
from rulebook.model.prose import Block, Remark, Text
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.tables import Grid, RecordTable
from rulebook.problems import Problem, Span

#: Marks that Markdown may take off a text; a term is looked for with and without them.
_MARKS = (r"[*`\\]", r"[*_`\\]")
_LETTER = re.compile(r"\w")


def check_terms(ruleset: Ruleset) -> Iterator[Problem]:
    """Each term occurs where the index leads to: in headings, prose, or a table's words.

    No form of a word belongs to two terms, since the index could then lead to one only.
    """
    written = _folded(" / ".join(_words(ruleset)))
    texts = (written, *(re.sub(marks, "", written) for marks in _MARKS))
    first: dict[str, Address] = {}
    for name, term in ruleset.terms.items():
        forms = dict(_forms(ruleset, name))
        for form, address in forms.items():
            if form in first:
                yield _form_twice(ruleset, form, address, first[form])
            first.setdefault(form, address)
        if not any(_occurs(form, text) for form in forms for text in texts):
            yield Problem.of("R412 unused term", ruleset.place("terms", name), term=term.title)


def _forms(ruleset: Ruleset, name: str) -> Iterator[tuple[str, Address]]:
    """The forms of a term as the index compares them, with where they stand."""
    term = ruleset.terms[name]
    for index, form in enumerate(term.forms):
        yield _folded(form), ("terms", name, "forms", index)
    yield _folded(term.title), ("terms", name, "title")


def _form_twice(ruleset: Ruleset, form: str, here: Address, there: Address) -> Problem:
    other = ruleset.place(*there)
    return Problem.of(
        "R417 form of two terms", ruleset.place(*here), also=other, form=form, other=there[1]
    )


def _words(ruleset: Ruleset) -> Iterator[str]:
    """What the index of the booklet looks through, and the notes.

    Those are headings, paragraphs and the words of tables; a note may hold a word of the glossary
    that no rule needs.
    """
    for chapter in ruleset.chapters:
        for section in chapter.sections:
            yield section.title
            for part in section.parts:
                if isinstance(part, Text):
                    yield part.markdown
                elif isinstance(part, Remark):
                    yield part.text.markdown
                elif isinstance(part, Block) and part.kind == "table":
                    yield from _of_table(ruleset, part.target)


def _of_table(ruleset: Ruleset, name: str) -> Iterator[str]:
    """The title, heads and labels of a table or modifier table."""
    table = ruleset.tables.get(name) or ruleset.modifiers.get(name)
    if table is None:
        return
    yield table.title
    if isinstance(table, ModifierTable):
        yield from map(table.title_of, table.changes)
        yield from (row.when.markdown for row in table.rows.values())
    elif isinstance(table, Grid):
        yield from (axis.title for axis in table.rows)
        yield from (choice.title for axis in table.axes for choice in axis.choices)
    elif isinstance(table, RecordTable):
        yield from (spec.title or humanise(key) for key, spec in table.fields.items())
        yield from (row.title or humanise(key) for key, row in table.data.items())


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _occurs(form: str, text: str) -> bool:
    """Whether the words stand in the text as words of their own."""
    at = text.find(form)
    while at >= 0:
        end = at + len(form)
        if not _LETTER.fullmatch(text[at - 1 : at]) and not _LETTER.fullmatch(text[end : end + 1]):
            return True
        at = text.find(form, at + 1)
    return False


def check_conditions(ruleset: Ruleset) -> Iterator[Problem]:
    """No two modifiers of one table have the same condition."""
    for name, table in ruleset.modifiers.items():
        first: dict[str, str] = {}
        for key, row in table.rows.items():
            when = " ".join(row.when.markdown.casefold().split())
            if when in first:
                also: Span | None = ruleset.place("modifiers", name, "rows", first[when], "when")
                here = ruleset.place("modifiers", name, "rows", key, "when")
                condition = row.when.markdown
                yield Problem.of("R411 same condition", here, also=also, condition=condition)
            first.setdefault(when, key)
