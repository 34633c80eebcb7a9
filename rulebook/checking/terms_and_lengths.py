"""Words of the game defined twice or never used, and lengths typed into texts -> faults.

Where lengths are converted, one that is typed into a sentence would go on telling players the old
distance. Words in quotation marks are the source's own, and notes speak of the source: they stay.
So does what a variant says in its own files, whose author knows how it converts those of its base.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from rulebook.loading.prose import placed_at
from rulebook.model.grids import Grid, humanise
from rulebook.model.prose import Block, Remark, Text
from rulebook.model.record_tables import ModifierTable, RecordTable
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.walk import prose_of
from rulebook.problems import Problem, Span, second_place

#: Marks that Markdown may take off a text; a term is looked for with and without them.
_MARKS = (r"[*`\\]", r"[*_`\\]")


def check_terms(ruleset: Ruleset) -> Iterator[Problem]:
    """Each term occurs where the index leads to: in headings, prose, or a table's words.

    No form of a word belongs to two terms, since the index could then lead to one only.
    """
    written = _written(ruleset)
    first: dict[str, Address] = {}
    for name, term in ruleset.terms.items():
        at: Address = ("terms", name)
        forms = {_folded(form): (*at, "forms", index) for index, form in enumerate(term.forms)}
        forms[_folded(term.title)] = (*at, "title")
        for form, here in forms.items():
            there = first.setdefault(form, here)
            if there != here:
                what = f"it stands in the term '{there[1]}' too"
                also = second_place(ruleset.place(*there), what)
                message, expected = f"'{form:.60}' is a form of two terms", "each form in one term"
                yield Problem("R417", message, ruleset.place(*here), expected, also=also)
        if not any(_occurs(form, written) for form in forms):
            message = f"the term '{term.title}' occurs nowhere in the chapters and their tables"
            expected = "its title or one of its forms where the index can lead to it"
            hint = "add the form that the prose uses to 'forms', or delete the term"
            yield Problem("R412", message, ruleset.place(*at), expected, hint)


def _words(ruleset: Ruleset) -> Iterator[str]:
    """What the index of the booklet looks through, and the notes.

    Those are headings, paragraphs and the words of tables; a note may hold a word of the glossary
    that no rule needs.
    """
    for section in ruleset.sections:
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
        yield from map(table.title_of, table.fields)
        yield from (row.when.markdown for row in table.data.values())
    elif isinstance(table, Grid):
        yield from (axis.title for axis in table.rows)
        yield from (choice.title for axis in table.axes for choice in axis.choices)
    elif isinstance(table, RecordTable):
        yield from map(table.title_of, table.fields)
        yield from (row.title or humanise(key) for key, row in table.data.items())


def _written(ruleset: Ruleset) -> str:
    """All that the index looks through, each text with and without its marks, a line each."""
    texts = [_folded(text) for text in _words(ruleset)]
    return "\n".join([*texts, *(re.sub(marks, "", text) for marks in _MARKS for text in texts)])


def _occurs(form: str, text: str) -> bool:
    """Whether a form stands in a text as words of their own."""
    return form in text and bool(re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text))


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def check_conditions(ruleset: Ruleset) -> Iterator[Problem]:
    """No two modifiers of one table have the same condition."""
    for name, table in ruleset.modifiers.items():
        first: dict[str, str] = {}
        for key, row in table.data.items():
            when = " ".join(row.when.markdown.casefold().split())
            if when in first:
                there = ruleset.place("modifiers", name, "rows", first[when], "when")
                here = ruleset.place("modifiers", name, "rows", key, "when")
                message = f"'{row.when.markdown:.60}' is the condition of two modifiers"
                also = second_place(there, "it stands here first")
                yield Problem("R411", message, here, "each condition once", also=also)
            first.setdefault(when, key)


#: Quotations, and what is bound and not typed.
_NOT_TYPED = re.compile(r"“[^“”]*”|\{[^{}]*\}")
_WORDS = {
    "in": r"inch(?:es)?\b|(?<=[0-9½¼¾⅓⅔⅛⅜⅝⅞])\s?[″\"]",
    "cm": r"centimetres?\b|(?<=[0-9½¼¾])\s?cm\b",
    "mm": r"millimetres?\b|(?<=[0-9½¼¾])\s?mm\b",
}


def check_typed_lengths(ruleset: Ruleset) -> Iterator[Problem]:
    """R442, a warning: lengths in words, of the units that were read as others, or of all."""
    read = {unit for length in ruleset.lengths for unit in length.read}
    scaled = any(length.scale != 1 for length in ruleset.lengths)
    units = read or (_WORDS.keys() if scaled else ())
    words = [pattern for unit, pattern in _WORDS.items() if unit in units]
    if not words:
        return
    typed = re.compile("|".join(words), re.IGNORECASE)
    own = None if ruleset.asked_lengths else _own_folder(ruleset)
    for text, span in _places_typed(ruleset, typed):
        if own is None or span is None or not span.path.startswith(own):
            message = f"'{text.strip()}' is typed here, and stays as it is where lengths are turned"
            expected = "lengths from a table, or in braces such as {10in}, which are turned"
            yield Problem("R442", message, span, expected, severity="warning")


def _own_folder(ruleset: Ruleset) -> str | None:
    """The folder of a variant."""
    place = ruleset.place("header", "title") if ruleset.header.based_on else None
    return f"{PurePosixPath(place.path).parent}/" if place else None


def _places_typed(ruleset: Ruleset, typed: re.Pattern[str]) -> Iterator[tuple[str, Span | None]]:
    """What is typed in chapters, and the first of each text in the data, with its place."""
    for section in ruleset.sections:
        for part in section.parts:
            if isinstance(part, Text):
                place = placed_at(part.markdown, part.span)
                for match in _found(part.markdown, typed):
                    yield match[0], place(*match.span())
    for address, prose in prose_of(ruleset):
        if "note" not in address and (found := _found(prose.markdown, typed)):
            yield found[0][0], ruleset.place(*address)


def _found(markdown: str, typed: re.Pattern[str]) -> list[re.Match[str]]:
    """What is typed outside of quotation marks and braces."""
    blank = _NOT_TYPED.sub(lambda match: "\0" * len(match[0]), markdown)
    return list(typed.finditer(blank))
