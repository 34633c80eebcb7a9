"""Values that a text types although its own table or procedure holds them -> warnings.

Such a number goes stale without a word: the table is changed to 4+, and the text still says "5 or
more". A text belongs to the tables of its rule: those that stand beside it or are named in its
braces, those of its step of the sequence, those that its procedure looks up, and of `about` the
table itself. Words in quotation marks are the source's, notes speak of the source, and examples
tell what dice gave: they stay as they are, and so does what the header lists as `typed`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from rulebook import quantities
from rulebook.loading.prose import Placing, placed_at
from rulebook.model.axes import humanise
from rulebook.model.inputs import Input
from rulebook.model.modifiers import ModifierTable
from rulebook.model.plain_data import plain
from rulebook.model.procedures import Procedure, ProcedureStep, stated_in
from rulebook.model.prose import Block, Section, Text
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Prose
from rulebook.model.tables import ComputedTable, Grid, RecordTable, number_of
from rulebook.problems import Problem, Span

#: Numbers as words; "one" is too often no number.
_WORDS = "two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_NUMBERS = {word: str(number) for number, word in enumerate(_WORDS, start=2)}
_NUMBER = rf"(?<![\w.,+\-−–/½¼¾′])(?P<number>[0-9]+(?:\.[0-9]+)?|{'|'.join(_WORDS)})"
_UNITS = {"″": "in", "inch": "in", "inches": "in", "centimetre": "cm", "centimetres": "cm"}
#: What is typed of each kind, with its number.
_LENGTHS = re.compile(
    rf"{_NUMBER}(?:(?P<sign>″|in)|[ -]?(?P<unit>inch(?:es)?|cm|centimetres?|mm|yd|ft))(?!\w)",
    re.IGNORECASE,
)
_TARGETS = re.compile(
    rf"{_NUMBER}(?:\+(?![\w+])|\s+or\s+(?:more|over|higher|better|above|up)\b)", re.IGNORECASE
)
_DICE = re.compile(rf"{_NUMBER}(?:d(?P<sides>[0-9]+)|\s+dice\b)(?!\w)", re.IGNORECASE)
_COUNTS = re.compile(rf"{_NUMBER}(?![\w+″–½¼¾]|\.[0-9]|-?\s?(?:inch|cm\b|mm\b))", re.IGNORECASE)
#: Quotations, and what is bound and not typed.
_NOT_TYPED = re.compile(r"“[^“”]*”|\{[^{}]*\}|`[^`]*`|\]\([^\[\]()]*\)")
_WORD = re.compile(r"[^\W\d_]+")
#: Letters of a word by which things are known again, and words that stand beside any number.
_SHORTEST = 3
_OF_ANYTHING = frozenset(
    "all and any both each for from least most not only per than that the these this with".split()  # noqa: SIM905
)
#: Keys of a step that say nothing of what it does itself.
_NOT_DONE = ("say", "id", "repeat", "do")


@dataclass(frozen=True, slots=True)
class Held:
    """A value that a table or procedure holds.

    `path` is what braces fetch it by; empty where none do. `words` are those of which one must
    stand beside a count that is the same; `about` are those of the thing it is said of.
    """

    value: object
    path: str
    address: Address
    words: frozenset[str] = frozenset()
    about: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Told:
    """A text of a rule, the tables that are its own and what else it may type again."""

    markdown: str
    place: Placing | None
    address: Address
    tables: frozenset[str]
    held: tuple[Held, ...] = ()


def check_typed_values(ruleset: Ruleset) -> Iterator[Problem]:
    """R444, a warning: a value typed into a text of the rule that holds it."""
    if ruleset.standing.frozen or ruleset.standing.released:
        return  # nothing of it can be mended
    reader = _Reader(ruleset)
    for told in _texts(ruleset):
        yield from reader.faults(told)


def _texts(ruleset: Ruleset) -> Iterator[_Told]:
    steps_of = _procedures_of(ruleset)
    for chapter in ruleset.chapters:
        for section in chapter.sections:
            yield from _in_section(ruleset, section, steps_of.get(section.id, ()))
    for name, table in (*ruleset.tables.items(), *ruleset.modifiers.items()):
        kind = "modifiers" if isinstance(table, ModifierTable) else "tables"
        if table.about is not None:
            address: Address = (kind, name, "about")
            held = _given(name, table, ruleset) if isinstance(table, ComputedTable) else ()
            yield _Told(table.about.markdown, None, address, frozenset({name}), tuple(held))
    for name, procedure in ruleset.procedures.items():
        own = frozenset(_names_in(procedure) & {*ruleset.tables, *ruleset.modifiers})
        yield from _in_steps(name, procedure.steps, ("procedures", name, "steps"), own)
    for phase_id, phase in ruleset.sequence.items():
        for step_id, step in phase.steps.items():
            for index, say in enumerate(step.say):
                address = ("sequence", phase_id, "steps", step_id, "say", index)
                if isinstance(say, Prose):
                    yield _Told(say.markdown, None, address, frozenset(step.tables))


def _procedures_of(ruleset: Ruleset) -> dict[str, list[str]]:
    """The procedures that belong to each heading."""
    found: dict[str, list[str]] = {}
    for name, procedure in ruleset.procedures.items():
        if procedure.rule:
            found.setdefault(procedure.rule.replace("-", "_"), []).append(name)
    return found


def _in_section(ruleset: Ruleset, section: Section, procedures: Iterable[str]) -> Iterator[_Told]:
    tables: set[str] = set()
    told = set(procedures)
    for part in section.parts:
        if isinstance(part, Block) and part.kind == "table":
            tables.add(part.target)
        elif isinstance(part, Block) and part.kind == "steps":
            told.add(part.target)
        elif isinstance(part, Text):
            bound = (re.split(r"[.\[]", one.target, maxsplit=1)[0] for one in part.bindings)
            tables |= {
                name for name in bound if name in ruleset.tables or name in ruleset.modifiers
            }
    held = tuple(
        one for name in sorted(told) for one in _thrown(name, ruleset.procedures.get(name))
    )
    for part in section.parts:
        if isinstance(part, Text):
            place = placed_at(part.markdown, part.span)
            yield _Told(part.markdown, place, (), frozenset(tables), held)


def _in_steps(
    name: str, steps: Iterable[ProcedureStep], address: Address, tables: frozenset[str]
) -> Iterator[_Told]:
    for index, step in enumerate(steps):
        here = (*address, index)
        if step.say is not None:
            held = (*_of_step(name, step, here), *_numbers(step, here))
            yield _Told(step.say.markdown, None, (*here, "say"), tables, held)
        inner = "repeat" if hasattr(step, "repeat") else "do"
        yield from _in_steps(name, step.inner, (*here, inner), tables)


def _thrown(name: str, procedure: Procedure | None) -> Iterator[Held]:
    """The dice and targets that a procedure itself states."""
    if procedure is not None:
        yield from _thrown_in(name, procedure.steps, ("procedures", name, "steps"))


def _thrown_in(name: str, steps: Iterable[ProcedureStep], address: Address) -> Iterator[Held]:
    for index, step in enumerate(steps):
        here = (*address, index)
        yield from _of_step(name, step, here)
        yield from _thrown_in(
            name, step.inner, (*here, "repeat" if hasattr(step, "repeat") else "do")
        )


def _of_step(name: str, step: ProcedureStep, address: Address) -> Iterator[Held]:
    for path, value in stated_in(step):
        key = path.partition(".")[2]
        yield Held(value, f"{name}.{path}", (*address, *((key,) if key else ("roll", path))))


def _numbers(step: ProcedureStep, address: Address) -> Iterator[Held]:
    """The numbers in the expressions of a step, which no braces fetch."""
    written = plain(step)
    if isinstance(written, dict):
        said = {
            key: one for key, one in written.items() if key not in ("say", "id", "repeat", "do")
        }
        text = re.sub(r"'[^']*'|[0-9]{0,3}d[0-9]{1,3}", "", json.dumps(said))
        for number in sorted(set(re.findall(r"(?<![\w.+/])[0-9]+(?![\w.+])", text))):
            if int(number) > 1:
                yield Held(int(number), "", address)


def _given(name: str, table: ComputedTable, ruleset: Ruleset) -> Iterator[Held]:
    """The numbers to which a computed table sets inputs, each with what the input is called."""
    procedure = ruleset.procedures.get(table.computed)
    for key, text in table.given.items():
        value = number_of(text)
        if value is not None and value != 1:
            known = procedure.inputs.get(key) if procedure else None
            words = _words_of(key, known)
            address: Address = ("tables", name, "given", key)
            yield Held(value, f"{name}.given.{key}", address, words)


def _words_of(name: str, known: Input | None) -> frozenset[str]:
    return _stems(humanise(name), (known.label or "") if known else "")


def _names_in(procedure: Procedure) -> set[str]:
    """All words of a procedure's steps and inputs that may be names of tables."""
    return set(re.findall(r"[a-z][a-z0-9_]*", json.dumps(plain(procedure))))


def _stems(*texts: str) -> frozenset[str]:
    """Words of three letters and more that name something, without the endings of plurals."""
    words = (word.casefold() for text in texts for word in _WORD.findall(text))
    named = (word for word in words if len(word) >= _SHORTEST and word not in _OF_ANYTHING)
    return frozenset(word.removesuffix("s") for word in named)


class _Reader:
    """Looks for values in texts; what a table holds is gathered once."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.held_by = cache(self._held_by)
        listed = (re.escape(words) for words in ruleset.header.typed)
        either = "|".join((_NOT_TYPED.pattern, *listed))
        self.passed_over = re.compile(either, re.IGNORECASE)

    def _held_by(self, name: str) -> Mapping[object, tuple[Held, ...]]:
        table = self.ruleset.tables.get(name) or self.ruleset.modifiers.get(name)
        found: dict[object, list[Held]] = {}
        cells: Iterable[Held] = ()
        if isinstance(table, RecordTable):
            cells = _of_records(name, table)
        elif isinstance(table, Grid):
            cells = _of_grid(name, table)
        for one in cells:
            found.setdefault(one.value, []).append(one)
        return {value: tuple(ones) for value, ones in found.items()}

    def faults(self, told: _Told) -> Iterator[Problem]:
        """What is typed in one text, each place once."""
        if not re.search(_NUMBER, told.markdown, re.IGNORECASE):
            return
        text = self.passed_over.sub(lambda match: " " * len(match[0]), told.markdown)
        seen: set[int] = set()
        for kind, pattern in _KINDS.items():
            for match in pattern.finditer(text):
                value = _value(kind, match)
                if value is None or match.start() in seen:
                    continue
                near = _sentence(text, match)
                one = self._one(told, value, near, _beside(text, match))
                if one is not None:
                    seen.add(match.start())
                    yield self._fault(told, match, one)

    def _one(
        self, told: _Told, value: object, near: frozenset[str], beside: frozenset[str]
    ) -> Held | None:
        """What holds the value, if it is clear what: one place alone, or one that is spoken of."""
        found = [one for one in told.held if _same(one.value, value)]
        if isinstance(value, int):
            found = [one for one in found if not one.words or one.words & beside]
        for name in sorted(told.tables):
            held = self.held_by(name)
            cells = held.get(value, ())
            if isinstance(value, tuple):
                cells = tuple(
                    one for ones in held.values() for one in ones if _same(one.value, value)
                )
            if isinstance(value, int):
                cells = tuple(one for one in cells if one.words & beside)
            found += cells
        if len(found) > 1:
            found = [one for one in found if one.about & near and one.words & near]
        return found[0] if len(found) == 1 else None

    def _fault(self, told: _Told, match: re.Match[str], one: Held) -> Problem:
        span: Span | None
        if told.place is not None:
            span = told.place(match.start(), match.end())
        else:
            whole = self.ruleset.place(*told.address)
            span = whole and whole.within(told.markdown, match.start(), match.end())
        also, typed = self.ruleset.place(*one.address), match[0].strip()
        if one.path:
            return Problem.of("R444 typed", span, also=also, typed=typed, path=one.path)
        return Problem.of("R444 number", span, also=also, typed=typed)


def _same(held: object, value: object) -> bool:
    if isinstance(held, quantities.Dice) and isinstance(value, tuple):
        count, sides = value
        return held.count == count and sides in (None, held.sides)
    return type(held) is type(value) and held == value


_KINDS = {"target": _TARGETS, "dice": _DICE, "length": _LENGTHS, "count": _COUNTS}


def _value(kind: str, match: re.Match[str]) -> object:
    """What is typed, as a table would hold it; None where it is not of the kind."""
    digits = _NUMBERS.get(match["number"].casefold(), match["number"])
    if kind == "length":
        unit = (match["sign"] or match["unit"]).casefold()
        return number_of(f"{digits}{_UNITS.get(unit, unit)}")
    if not digits.isdecimal():
        return None
    if kind == "target":
        return quantities.RollTarget((int(digits),))
    if kind == "dice":
        return int(digits), int(match["sides"]) if match["sides"] else None
    return int(digits) if int(digits) > 1 else None


def _sentence(text: str, match: re.Match[str]) -> frozenset[str]:
    """The words of the sentence around a place."""
    start = max(text.rfind(sign, 0, match.start()) for sign in ".;:\n")
    ends = [at for sign in ".;\n" if (at := text.find(sign, match.end())) >= 0]
    return _stems(text[start + 1 : min(ends, default=len(text))])


def _beside(text: str, match: re.Match[str]) -> frozenset[str]:
    """The words right before and behind a number."""
    before = re.split(r"[^\w\s]", text[max(0, match.start() - 40) : match.start()])[-1]
    behind = re.split(r"[^\w\s]", text[match.end() : match.end() + 30])[0]
    return _stems(" ".join(before.split()[-2:]), " ".join(behind.split()[:1]))


def _of_records(name: str, table: RecordTable) -> Iterator[Held]:
    for key, row in table.data.items():
        about = _stems(row.title or humanise(key))
        for field, spec in table.fields.items():
            words = _stems(spec.title or humanise(field))
            address: Address = ("tables", name, "data", key, field)
            yield Held(row.cells[field].value, f"{name}.{key}.{field}", address, words, about)


def _of_grid(name: str, table: Grid) -> Iterator[Held]:
    for down, row in enumerate(table.positions("rows")):
        for across, column in enumerate(table.positions("columns")):
            places = (*row, *column)
            path = f"{name}[{', '.join(one.key for one in places)}]"
            about = _stems(*(one.title for one in places))
            address: Address = ("tables", name, "data", down, across)
            cell = table.data[down][across]
            yield Held(cell.value, path, address, _stems(table.title), about)
