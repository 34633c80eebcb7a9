"""Texts of a ruleset -> faults: terms nowhere or twice, lengths and values that are typed by hand.

Words in quotation marks are the source's own, and notes speak of the source: they stay. Where
lengths are converted, one that is typed into a sentence would go on telling players the old
distance; what a variant says in its own files stays, as its author knows how it converts those of
its base. A value that its own table or procedure holds goes stale without a word: the table is
changed to 4+, and the text still says "5 or more". Looked at are lengths, roll targets, dice, and
numbers beside a word of their column's title; what the header lists as `typed` stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import PurePosixPath

from rulebook import quantities
from rulebook.loading.bindings import heading_id, placed_at
from rulebook.model.grids import Grid, number_of
from rulebook.model.lookup import name_in
from rulebook.model.plain_data import plain
from rulebook.model.procedures import ProcedureStep, addressed_steps
from rulebook.model.prose import Block, Remark, Section, Text
from rulebook.model.record_tables import RecordTable, TableOfRows, typed_cells
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Prose
from rulebook.model.walk import prose_of
from rulebook.problems import Problem, Span, second_place
from rulebook.quotation_marks import with_marks

#: Marks that Markdown may take off a text; a term is looked for with and without them.
_MARKS = (r"[*`\\]", r"[*_`\\]")


def check_terms(ruleset: Ruleset) -> Iterator[Problem]:
    """Checks that each term is used in the chapters, and that no form belongs to two terms.

    Headings, tables and notes count as well as paragraphs. The index could lead to only one of two
    terms with a common form.
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


def _indexed(ruleset: Ruleset) -> Iterator[str]:
    """Yields the texts in which terms may be used.

    These are the texts that the index is made from (headings, paragraphs, tables) and notes, as a
    note may use a word of the glossary that no rule does.
    """
    for section in ruleset.sections:
        yield section.title
        for part in section.parts:
            if isinstance(part, Text):
                yield part.markdown
            elif isinstance(part, Remark):
                yield part.text.markdown
            elif isinstance(part, Block) and part.kind == "table":
                yield from _words_of_table(ruleset, part.target)


def _words_of_table(ruleset: Ruleset, name: str) -> Iterator[str]:
    """Yields the title of a table and those of its rows and columns.

    Yields nothing if there is no table of that name.
    """
    table = ruleset.all_tables.get(name)
    if table is None:
        return
    yield table.title
    if isinstance(table, TableOfRows):
        yield from map(table.title_of, table.fields)
        yield from (str(row.heading(key)) for key, row in table.data.items())
    elif isinstance(table, Grid):
        yield from (axis.title for axis in table.rows)
        yield from (choice.title for axis in table.axes for choice in axis.choices)


def _written(ruleset: Ruleset) -> str:
    """Returns all texts in which terms may be used as one, each with and without Markdown marks."""
    return "\n".join(with_marks(_without_marks(text)) for text in _indexed(ruleset))


@lru_cache(maxsize=10_000)
def _without_marks(text: str) -> str:
    """Returns a text in lower case with single spaces, followed by versions without Markdown marks.

    Results are cached, since rulesets with different options share most texts.
    """
    text = _folded(text)
    return "\n".join([text, *(re.sub(marks, "", text) for marks in _MARKS)])


def _occurs(form: str, text: str) -> bool:
    """Tells whether a form occurs in a text as whole words."""
    # A pattern that begins with the form itself is found much faster.
    found = re.finditer(rf"{re.escape(form)}(?!\w)", text)
    return any(not re.fullmatch(r"\w", text[at.start() - 1 : at.start()]) for at in found)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


_UNITS_IN_WORDS = {
    "in": r"inch(?:es)?\b|(?<=[0-9½¼¾⅓⅔⅛⅜⅝⅞])\s?[″\"]",
    "cm": r"centimetres?\b|(?<=[0-9½¼¾])\s?cm\b",
    "mm": r"millimetres?\b|(?<=[0-9½¼¾])\s?mm\b",
}


def check_typed_lengths(ruleset: Ruleset) -> Iterator[Problem]:
    """Warns (R442) of lengths that are typed in texts, which are not converted with other lengths.

    Looks for units that the ruleset converts, or for any unit if it scales lengths. The files of a
    variant are excluded, unless the user asked for the conversion.
    """
    read = {unit for length in ruleset.lengths for unit in length.read}
    scaled = any(length.scale != 1 for length in ruleset.lengths)
    units = read or (_UNITS_IN_WORDS.keys() if scaled else ())
    words = [pattern for unit, pattern in _UNITS_IN_WORDS.items() if unit in units]
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
    """Returns the folder of a variant's own files, ending in a slash; None for other rulesets."""
    place = ruleset.place("header", "title") if ruleset.header.based_on else None
    return f"{PurePosixPath(place.path).parent}/" if place else None


def _places_typed(ruleset: Ruleset, typed: re.Pattern[str]) -> Iterator[tuple[str, Span | None]]:
    """Yields the parts of texts that a pattern matches, with their places.

    Quotations, bindings and link targets are excluded, as are notes in the data. In chapters all
    matches are found, but in each text of the data only the first.
    """
    for section in ruleset.sections:
        for part in section.parts:
            if isinstance(part, Text):
                place = placed_at(part.markdown, part.span)
                for match in typed.finditer(_blanked(part.markdown)):
                    yield match[0], place(*match.span())
    for address, prose in prose_of(ruleset):
        if "note" not in address and (found := typed.search(_blanked(prose.markdown))):
            yield found[0], ruleset.place(*address)


#: Numbers as words; "one" is too often no number.
_NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"]
_NUMBERS += ["twelve"]
_TYPED = re.compile(
    rf"(?<![\w.,+\-−–/½¼¾′])(?<!\bor )(?P<number>[0-9]+(?:\.[0-9]+)?|{'|'.join(_NUMBERS)})"
    r"(?:(?P<inches>″|[ -]?inch(?:es)?\b|in\b)|[ -]?(?P<unit>cm|mm|yd|ft)\b"
    r"|(?P<target>\+(?![\w+])|\s+or\s+(?:more|over|higher|better|above|up)\b)"
    r"|d(?P<sides>[0-9]+)\b|(?P<dice>\s+dice\b)"
    r"|(?![\w+½¼¾]|\.[0-9]|\s+or\b))",
    re.IGNORECASE,
)
#: Quotations, and what is bound and not typed.
_NOT_TYPED = r"“[^“”]*”|\{[^{}]*\}|\]\([^\[\]()]*\)"
_CODE = r"`[^`]*`"
#: Letters of a word that says what a number is.
_LEAST = 4


@dataclass(frozen=True, slots=True)
class _Held:
    """A value that a rule holds, the path that a binding to it would have (or ""), and its address.

    A number with `words` is taken for the value only if one of the words is next to it.
    """

    value: object
    path: str
    address: Address
    words: frozenset[str] | None = None


def check_typed_values(ruleset: Ruleset) -> Iterator[Problem]:
    """Warns (R444) of values typed in a text of a rule, if exactly one value of that rule fits.

    The value could be bound or put into a table instead. Nothing is reported for an edition that
    has been released or has no chapters, and `typed` in the header lists words to ignore.
    """
    if ruleset.standing.frozen or ruleset.standing.released or not ruleset.chapters:
        return  # nothing of it can be mended, or it is a mere sheet, whose numbers stand in sight
    for markdown, span, held in _texts(ruleset):
        text = _blanked(markdown, _CODE, *map(re.escape, ruleset.header.typed))
        place = placed_at(markdown, span)
        for match in _TYPED.finditer(text):
            found = _holders(held, match)
            if len(found) == 1:
                yield _typed_fault(ruleset, match[0].strip(), place(*match.span()), found[0])


def _blanked(markdown: str, *patterns: str) -> str:
    """Replaces quotations, bindings, link targets and matches of `patterns` by as many spaces."""
    patterns = (_NOT_TYPED, *patterns)
    return re.sub("|".join(patterns), lambda match: " " * len(match[0]), markdown, flags=re.I)


def _typed_fault(ruleset: Ruleset, typed: str, span: Span, held: _Held) -> Problem:
    message = f"'{typed}' is typed here, where the rule itself holds it"
    expected = "each number once, so that no text is left behind when it changes"
    instead = f"write {{{held.path}}}" if held.path else "put it into a table"
    header = ruleset.place("header", "title")
    file = header.path.rpartition("/")[2] if header else "ruleset.yaml"
    hint = f"{instead}, or list the words under 'typed' in {file}"
    also = second_place(ruleset.place(*held.address), "it stands here")
    return Problem("R444", message, span, expected, hint, also, "warning")


def _holders(held: list[_Held], match: re.Match[str]) -> list[_Held]:
    """Returns those of the values `held` that a number typed in a text may repeat.

    `match` is a match of _TYPED. A unit, a sign of a roll target or dice next to the number decide
    which values these are. A plain number is compared with whole numbers, and the words next to it
    must suit the value.
    """
    digits = match["number"].casefold()
    if digits in _NUMBERS:
        digits = str(2 + _NUMBERS.index(digits))
    number, sides = int(digits) if digits.isdecimal() else 0, match["sides"]
    if unit := "in" if match["inches"] else match["unit"]:
        length = number_of(digits + unit.lower())
        return [rule for rule in held if rule.value == length]
    if match["target"]:
        return [rule for rule in held if rule.value == quantities.RollTarget((number,))]
    if sides or match["dice"]:
        return [rule for rule in held if _is_dice(rule.value, number, sides)]
    text, (start, end) = match.string, match.span()
    near = text[max(0, start - 40) : start].split()[-2:] + text[end : end + 30].split()[:1]
    beside = _stems(" ".join(near))
    counts = [rule for rule in held if type(rule.value) is int and rule.value == number > 1]
    return [count for count in counts if count.words is None or count.words & beside]


def _is_dice(value: object, count: int, sides: str | None) -> bool:
    """Tells whether a value is `count` dice, with this number of sides unless `sides` is None."""
    if not isinstance(value, quantities.Dice) or value.count != count:
        return False
    return sides in (None, str(value.sides))


def _stems(text: str) -> frozenset[str]:
    words = (word.strip(".,;:()*") for word in text.casefold().split())
    return frozenset(word.removesuffix("s") for word in words if len(word) >= _LEAST)


def _texts(ruleset: Ruleset) -> Iterator[tuple[str, Span, list[_Held]]]:
    """Yields the texts of rules, each with its place and the values that the rule's data hold.

    These are paragraphs of sections, sentences of procedures, and reminders of the sequence.
    """
    for section in ruleset.sections:
        held = list(_held_in(ruleset, section))
        for part in section.parts:
            if isinstance(part, Text):
                yield part.markdown, part.span, held
    for name, procedure in ruleset.to_check("procedures").items():
        for step, at in addressed_steps(procedure.steps, ("procedures", name, "steps")):
            if step.say is not None and (span := ruleset.place(*at, "say")):
                held = [*_of_step(name, step, at), *_numbers(step, at)]
                yield step.say.markdown, _inside(span, step.say.markdown), held
    for phase_id, phase in ruleset.to_check("sequence").items():
        for step_id, phase_step in phase.steps.items():
            held = [value for table in phase_step.tables for value in _of_table(ruleset, table)]
            for index, say in enumerate(phase_step.say):
                span = ruleset.place("sequence", phase_id, "steps", step_id, "say", index)
                if isinstance(say, Prose) and span:
                    yield say.markdown, _inside(span, say.markdown), held


def _inside(span: Span, text: str) -> Span:
    """Returns the place of a text in the place of its YAML scalar, without quotation marks."""
    return span.within(text, 0, len(text))


def _held_in(ruleset: Ruleset, section: Section) -> Iterator[_Held]:
    procedures = {
        name
        for name, procedure in ruleset.procedures.items()
        if heading_id(procedure.rule or "") == section.id
    }
    tables: set[str] = set()
    for part in section.parts:
        if isinstance(part, Block):
            (procedures if part.kind == "steps" else tables).add(part.target)
        elif isinstance(part, Text):
            tables |= {name_in(binding.target) for binding in part.bindings}
    for table in sorted(tables):
        yield from _of_table(ruleset, table)
    for name in sorted(procedures & ruleset.procedures.keys()):
        steps = ruleset.procedures[name].steps
        for step, at in addressed_steps(steps, ("procedures", name, "steps")):
            yield from _of_step(name, step, at)


def _of_step(name: str, step: ProcedureStep, at: Address) -> Iterator[_Held]:
    for path, value in step.stated.items():
        key = path.partition(".")[2]
        yield _Held(value, f"{name}.{path}", (*at, *((key,) if key else ("roll", path))))


def _numbers(step: ProcedureStep, at: Address) -> Iterator[_Held]:
    """Yields the numbers in the expressions of a step, as values to which no binding can refer."""
    written = plain(step)
    assert isinstance(written, dict)
    unsaid = ("say", "id", step.body)
    done = json.dumps({key: value for key, value in written.items() if key not in unsaid})
    for number in set(re.findall(r"(?<![\w.+/'])[0-9]+(?![\w.+'])", done)):
        yield _Held(int(number), "", at)


def _of_table(ruleset: Ruleset, name: str) -> Iterator[_Held]:
    table = ruleset.tables.get(name)
    if isinstance(table, RecordTable):
        words = {key: _stems(table.title_of(key)) for key in table.fields}
        for at, _, cell in typed_cells(table):
            path = ".".join([name, *map(str, at[1:])])
            yield _Held(cell.value, path, ("tables", name, *at), words[str(at[-1])])
    elif isinstance(table, Grid):
        places = list(product(table.positions("rows"), table.positions("columns")))
        for (at, _, cell), (down, across) in zip(typed_cells(table), places, strict=True):
            path = f"{name}[{', '.join(choice.key for choice in (*down, *across))}]"
            yield _Held(cell.value, path, ("tables", name, *at), _stems(table.title))
