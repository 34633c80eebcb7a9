"""A typed ruleset -> faults for every name in it that names nothing.

Names stand in fields (a step's tables, a cell of type `row TABLE`), in braces (bindings and
cross-references), in blocks of the prose and in links to headings. An example is played in the
ruleset as it is or with some options, so its names are looked up there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from rulebook import quantities
from rulebook.limits import MOST_FAULTS
from rulebook.loading.chapters import cut_passage
from rulebook.loading.names import Namespace, other_kind
from rulebook.loading.nodes import taken, unknown
from rulebook.loading.options import no_option
from rulebook.loading.prose import (
    Anchor,
    bindings_of,
    fault_of,
    heading_id,
    length_fault,
    links_of,
    missing_value,
)
from rulebook.loading.safe_text import bad_references
from rulebook.loading.scenarios import (
    check_decks,
    check_names_of_scenarios,
    check_units,
)
from rulebook.loading.yaml_reader import Placing, placed_in_scalar
from rulebook.model.cell_types import CellType
from rulebook.model.cells import Cell
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.cutouts.stick import MarksFault, with_marks
from rulebook.model.examples_and_terms import DICE, ExampleStep
from rulebook.model.lookup import (
    KINDS,
    LookupFault,
    PathPart,
    computed_in,
    find,
    find_entity,
    name_in,
    no_procedure,
    parse_path,
)
from rulebook.model.plain_data import BESIDE
from rulebook.model.procedures import inputs_of
from rulebook.model.prose import (
    COLLECTIONS_OF,
    Binding,
    Block,
    Chart,
    Remark,
    Section,
    Text,
    Word,
    sections_below,
)
from rulebook.model.provenance import Status
from rulebook.model.ruleset import KEY, Address, Ruleset, Variant
from rulebook.model.scalars import HEADINGS, Passage, Prose, Ref
from rulebook.model.sequence import SEQUENCE, Phase, Step
from rulebook.model.tables import ComputedTable, Grid, RecordTable
from rulebook.model.walk import names_of, prose_of
from rulebook.problems import Problem, Span, second_place
from rulebook.suggestions import nearest, nearest_word, some_words

#: Without any of these a text holds no binding, link or character reference; a passage without a
#: heading besides needs no second look.
_MARKS = re.compile(r"[{\[&]")
_MARKS_OF_PASSAGE = re.compile(r"[{\[&#]")


def resolve(
    ruleset: Ruleset,
    anchors: Iterable[Anchor],
    sources: Mapping[str, str],
    structured: Callable[[tuple[str, ...]], Variant],
) -> list[Problem]:
    """Every fault of reference; `anchors` are the links in chapters, `sources` texts by path.

    `structured` gives the ruleset with other options, its own references not looked at.
    """
    resolver = _Resolver(ruleset, sources, Runs(ruleset, structured))
    with suppress(_Enough):
        resolver.sections()
        for anchor in anchors:
            resolver.heading(anchor.target, anchor.span)
        resolver.prose_scalars()
        resolver.fields()
        resolver.rows_of_tables()
    return resolver.problems


_TABLES = Ref(("tables",))


class _Enough(Exception):
    """So many faults that the rest would not be read."""


@dataclass(slots=True)
class _Resolver:
    ruleset: Ruleset
    sources: Mapping[str, str]
    runs: Runs
    lines: dict[str, list[str]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    headings: dict[str, Section] = field(default_factory=dict)
    #: The ruleset with the option in whose own section what is read stands, if it does.
    lender: Ruleset | None = None

    def _add(self, problem: Problem) -> None:
        self.problems.append(problem)
        if len(self.problems) >= MOST_FAULTS:
            raise _Enough

    def sections(self) -> None:
        """Headings by id, each once; then what stands below them."""
        for chapter in self.ruleset.chapters:
            for section in chapter.sections:
                first = self.headings.setdefault(section.id, section)
                if first is not section:
                    self._add(taken(section.id, section.span, first.span))
        lenders = self._lenders()
        for chapter in self.ruleset.chapters:
            for section in chapter.sections:
                self.lender = lenders.get(section.id)
                self._parts(section)
        self.lender = None

    def _lenders(self) -> dict[str, Ruleset]:
        """Section id -> the ruleset with the option whose rule stands there, if not in force."""
        found = {}
        for option_id, option in self.ruleset.options.items():
            if option_id in self.ruleset.chosen or not option.rule or not option.adds:
                continue
            lender = self.runs.structured((option_id,)).ruleset
            if lender is not None:
                rule = heading_id(option.rule)
                for section in sections_below(self.ruleset.chapters, rule):
                    found[section.id] = lender
        return found

    def _parts(self, section: Section) -> None:
        titles: dict[str, Remark] = {}
        for part in section.parts:
            if isinstance(part, Block):
                self._block(part)
            elif isinstance(part, Chart):
                self._chart(part)
            elif isinstance(part, Remark):
                if titles.setdefault(part.title, part) is not part:
                    self._add(taken(part.title, part.span, titles[part.title].span))
                self._of_rules(part.text.bindings)
            elif isinstance(part, Text):
                self._of_rules(part.bindings)

    def _block(self, block: Block) -> None:
        turn = block.kind == "steps" and block.target == SEQUENCE and self.ruleset.sequence
        if not turn:
            self.entity(block.target, Ref(COLLECTIONS_OF[block.kind]), block.span)

    def _chart(self, chart: Chart) -> None:
        """The procedure, the result and the inputs that a chart names; values are checked later."""
        name = chart.procedure.text
        self.entity(name, Ref(("procedures",)), chart.procedure.span)
        procedure = self.ruleset.procedures.get(name)
        if procedure is None:
            return
        inputs = inputs_of(procedure)
        self._one_of(chart.result, list(procedure.result), "result", name)
        for setting in (*chart.by, *chart.given):
            self._one_of(setting.name, inputs, "input", name)

    def _one_of(self, word: Word, known: list[str], part: str, procedure: str) -> None:
        if word.text not in known:
            there = self.ruleset.place("procedures", procedure)
            what, none = f"{part} of '{procedure}'", f"no {part}s, since it has none"
            self._add(
                unknown("R302", what, word.text, known, word.span, otherwise=none, there=there)
            )

    def bindings(
        self, bindings: Iterable[Binding], runs: Mapping[str, list[str] | None] | None = None
    ) -> None:
        """Values, cross-references, and in an example what its runs throw and give."""
        for binding in bindings:
            if binding.kind == "length":
                if fault := length_fault(binding):
                    self._add(fault)
                continue
            if binding.kind == "rule":
                self.heading(binding.target, binding.span)
                continue
            ruleset = self._knowing(name_in(binding.target))
            if computed_in(ruleset, binding):
                if ruleset is self.lender:
                    self._not_computed(name_in(binding.target), binding.span)
                continue  # looked up when the table has been computed
            try:
                if runs and check_bound(binding.target, runs):
                    continue
                found = find(ruleset, binding.target)
            except LookupFault as fault:
                if runs and fault.code == "R301":
                    name = binding.target.partition(".")[0]
                    fault.hint = nearest(name, list(runs)) or fault.hint
                self._add(fault_of(self.ruleset, fault, binding))
                continue
            if isinstance(found, Cell) and found.status is Status.MISSING:
                self._add(missing_value(binding))

    def _of_rules(
        self, bindings: Sequence[Binding], runs: Mapping[str, list[str] | None] | None = None
    ) -> None:
        """Bindings of what is a part of the edition, of which no scenario is."""
        self.bindings(bindings, runs)
        for binding in bindings:
            name = name_in(binding.target)
            known = find_entity(self.ruleset, name)
            if binding.kind != "value" or known is None or known[0] not in BESIDE:
                continue
            hint = "write the value itself, or name it in the scenario"
            expected = "a value of the rules, which are released without scenarios"
            self._other_kind(name, known[0], binding.span, expected, hint=hint)

    def _knowing(self, name: str) -> Ruleset:
        """The ruleset to look a name up in: in an option's own section, that with the option."""
        lent = self.lender is not None and find_entity(self.lender, name)
        return self.lender if lent and not find_entity(self.ruleset, name) else self.ruleset  # type: ignore[return-value]

    def _other_kind(
        self,
        name: str,
        collection: str,
        span: Span | None,
        expected: str,
        *,
        hint: str = "",
        which: str = "",
    ) -> None:
        kind = f"{KINDS[collection]}{which}"
        self._add(other_kind(self.ruleset, name, kind, span, expected, hint=hint))

    def _not_computed(self, name: str, span: Span | None) -> None:
        expected = "a table that is written, or the steps of a procedure"
        when = " that is computed only where its option is in force"
        self._other_kind(name, "tables", span, expected, hint="leave it out here", which=when)

    def heading(self, name: str, span: Span | None) -> None:
        if name in self.headings:
            return
        near = self.headings.get(nearest_word(name, list(self.headings)))
        expected = "the id of a heading, such as musketry of '# Musketry {#musketry}'"
        hint = f"write '{near.id}'" if near else ""
        also = (near.span, f"the heading '{near.title}' stands here") if near else None
        message = f"no heading has the id '{name:.60}'"
        self._add(Problem("R304", message, span, expected, hint, also))

    def entity(self, name: str, ref: Ref, span: Span | None) -> None:
        """A name that is to be the id of an entity, or of a heading."""
        if ref == HEADINGS:
            self.heading(heading_id(name), span)
            return
        ruleset = self._knowing(name)
        if ruleset is self.lender and (lent := find_entity(ruleset, name)):
            if isinstance(lent[1], ComputedTable):
                self._not_computed(name, span)
            if lent[0] in ("cutouts", "examples"):
                ruleset = self.ruleset
        if fault := Namespace(ruleset).fault(name, ref, span):
            self._add(fault)

    def prose_scalars(self) -> None:
        for address, prose in prose_of(self.ruleset):
            marks = _MARKS_OF_PASSAGE if isinstance(prose, Passage) else _MARKS
            span = self.ruleset.place(*address) if marks.search(prose.markdown) else None
            if span is None:
                continue
            place = placed_in_scalar(prose.markdown, span, self._lines(span.path))
            bindings, faults = self._braces(prose, span, place)
            anchors, bad_links = links_of(prose.markdown, place)
            references = bad_references(prose.markdown, place)
            for fault in (*faults, *bad_links, *references):
                self._add(fault)
            check = self.bindings if address[0] in BESIDE else self._of_rules
            check(bindings, self.runs.bound_in(address))
            for anchor in anchors:
                self.heading(anchor.target, anchor.span)

    def _braces(
        self, prose: Prose, span: Span, place: Placing
    ) -> tuple[Sequence[Binding], Sequence[Problem]]:
        """The bindings of a scalar and the faults of its braces; the blocks of a passage."""
        if not isinstance(prose, Passage):
            return bindings_of(prose.markdown, span, place)
        parts, faults = cut_passage(prose, span, place)
        for part in parts:
            if isinstance(part, Block):
                self._block(part)
        texts = (part for part in parts if isinstance(part, Text))
        return [binding for text in texts for binding in text.bindings], faults

    def _lines(self, path: str) -> list[str]:
        if path not in self.lines:
            self.lines[path] = self.sources.get(path, "").splitlines()
        return self.lines[path]

    def fields(self) -> None:
        """All that fields name: what their Refs say of it, then what is more than an id."""
        for address, name, ref in names_of(self.ruleset):
            if address[0] != "scenarios" or ref == HEADINGS:
                self.entity(name, ref, self.ruleset.place(*address))
        for name, cutout in self.ruleset.cutouts.items():
            self._marks(name, cutout)
        for fault in self.runs.faults():
            self._add(fault)
        sheet = self.ruleset.header.documents.qrs
        for index, table in enumerate(sheet.odds if sheet else ()):
            self._computed(table, self.ruleset.place("header", "documents", "qrs", "odds", index))
        self._sequence()
        for name, deck in self.ruleset.decks.items():
            for title, choices in deck.grades.items():
                if isinstance(choices, str):
                    self.entity(
                        choices, _TABLES, self.ruleset.place("cards", name, "grades", title)
                    )
        for fault in (*check_units(self.ruleset), *check_decks(self.ruleset)):
            self._add(fault)
        for fault in check_names_of_scenarios(self.ruleset, self.runs.structured):
            self._add(fault)

    def _marks(self, name: str, cutout: Cutout) -> None:
        """Marks that are taken from a table: what they name is there, and makes marks."""
        try:
            with_marks(cutout, self.ruleset.tables)
        except quantities.QuantityError as fault:
            span = self.ruleset.place("cutouts", name, *fault.at)
            cell = fault.cell if isinstance(fault, MarksFault) else ()
            there = self.ruleset.place(*cell)
            self._add(Problem.at(fault, span, second_place(there, "the cell stands here")))

    def _sequence(self) -> None:
        self._repeats(self.ruleset.sequence, "phase", ("sequence",))
        for name, phase in self.ruleset.sequence.items():
            self._repeats(phase.steps, "step of this phase", ("sequence", name, "steps"))
            for key, step in phase.steps.items():
                at: Address = ("sequence", name, "steps", key)
                self._together(step, at)

    def _together(self, step: Step, at: Address) -> None:
        """Tables that are set as one stand in the step, and have one column of names each."""
        for index, name in enumerate(step.together):
            table = self.ruleset.tables.get(name)
            wide = isinstance(table, Grid) and len(table.rows) != 1
            if name not in step.tables or wide or len(step.together) == 1:
                here = self.ruleset.place(*at, "together", index)
                message = f"'{name:.60}' cannot be set together with other tables of this step"
                expected = "two or more of its tables, each with one column of names"
                hint = "add it to 'tables', or leave it out here"
                self._add(Problem("R474", message, here, expected, hint))

    def _repeats(self, parts: Mapping[str, Phase | Step], what: str, at: Address) -> None:
        """Repetitions end with a part that stands behind their first, inside those around them."""
        order = [name for name, one in parts.items() if not getattr(one, "optional", False)]
        ends: list[int] = []
        for name, part in parts.items():
            if part.repeat is None:
                continue
            to = part.repeat.to or name
            here = self.ruleset.place(*at, name, "repeat", "to")
            here = here or self.ruleset.place(*at, name, "repeat")
            if to not in parts:
                self._add(unknown("R302", what, to, order, here))
                continue
            ordered = name in order and to in order and order.index(name) <= order.index(to)
            first, last = (order.index(one) for one in (name, to)) if ordered else (0, 0)
            if not ordered or any(first <= end < last for end in ends):
                message = f"the repetition from '{name}' cannot end with '{to}'"
                expected = "parts that are not optional, the last behind the first, and the whole "
                expected += "of a repetition within or behind another"
                self._add(Problem("R473", message, here, expected, "move or delete 'repeat'"))
            else:
                ends.append(last)

    def _computed(self, name: str, span: Span | None) -> None:
        """A name among the odds of the sheet."""
        self.entity(name, _TABLES, span)
        table = self.ruleset.tables.get(name)
        if table is not None and not isinstance(table, ComputedTable):
            expected = "a table with 'computed', the procedure whose odds it shows"
            hint = "name it in a step of the sequence instead"
            self._other_kind(name, "tables", span, expected, hint=hint, which=" that is written")

    def rows_of_tables(self) -> None:
        """Cells of type `row TABLE`: the table is a record table and has the row."""
        for name, table in self.ruleset.tables.items():
            if isinstance(table, Grid):
                if rows := self._rows(table.cells, ("tables", name, "cells")):
                    for number, line in enumerate(table.data):
                        for column, cell in enumerate(line):
                            self._row(cell, rows, ("tables", name, "data", number, column))
                continue
            if not isinstance(table, RecordTable):
                continue
            for key, spec in table.fields.items():
                if rows := self._rows(spec.type, ("tables", name, "fields", key)):
                    for row_key, row in table.data.items():
                        self._row(row.cells[key], rows, ("tables", name, "data", row_key, key))

    def _rows(self, cell_type: CellType, address: Address) -> tuple[str, RecordTable] | None:
        if cell_type.table is None:
            return None
        table = self.ruleset.tables.get(cell_type.table)
        span = self.ruleset.place(*address)
        if isinstance(table, RecordTable):
            return cell_type.table, table
        if table is None:
            self.entity(cell_type.table, _TABLES, span)
        else:
            expected = "a record table: one with 'fields' and a row for each thing"
            self._other_kind(cell_type.table, "tables", span, expected, which=" without named rows")
        return None

    def _row(self, cell: Cell, rows: tuple[str, RecordTable], address: Address) -> None:
        name, table = rows
        if cell.value is None or cell.value in table.data:
            return
        row, known = str(cell.value), list(table.data)
        here = self.ruleset.place(*address, "value") or self.ruleset.place(*address)
        near = nearest_word(row, known)
        there = self.ruleset.place("tables", name, *(("data", near) if near else ()))
        self._add(unknown("R302", f"row of the table '{name}'", row, known, here, there=there))


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs in the examples of one ruleset; `structured` gives it with other options."""

    ruleset: Ruleset
    structured: Callable[[tuple[str, ...]], Variant]

    def faults(self) -> Iterator[Problem]:
        """Options, procedures, inputs and results that there are not, and ids that are taken."""
        for example_id, example in self.ruleset.examples.items():
            for index, step in example.runs.items():
                yield from self._faults(step, ("examples", example_id, "steps", index))

    def bound_in(self, address: Address) -> Mapping[str, list[str] | None]:
        """The names that prose at an address may bind: of each run its dice, results and inputs.

        None stands for those of a run that cannot be looked up, which is reported already.
        """
        inside = address[0] == "examples" and address[2] in ("situation", "steps", "outcome")
        name = str(address[1]) if inside else ""
        example = self.ruleset.examples.get(name)
        if example is None:
            return {}
        return {step.id: self._names(step, name) for step in example.runs.values() if step.id}

    def _names(self, step: ExampleStep, example_id: str) -> list[str] | None:
        ruleset = self._where(step, example_id)
        procedure = ruleset.procedures.get(step.run or "") if ruleset else None
        return [DICE, *procedure.result, *inputs_of(procedure)] if procedure else None

    def _where(self, step: ExampleStep, example_id: str) -> Ruleset | None:
        """The ruleset that a step is played in; None if its options do not make one."""
        chosen = self.ruleset.options_of(example_id, step)
        if chosen == self.ruleset.chosen:
            return self.ruleset
        if not self.ruleset.options.keys() >= set(chosen):
            return None
        return self.structured(chosen).ruleset

    def _faults(self, step: ExampleStep, at: Address) -> Iterator[Problem]:
        place = self.ruleset.place
        options = list(self.ruleset.options)
        for index, option in enumerate(step.options or ()):
            if option not in options:
                yield no_option(option, options, place(*at, "options", index))
        known = find_entity(self.ruleset, step.id or "")
        if known:
            there = place(known[0], step.id or "")
            yield taken(step.id or "", place(*at, "id"), there)
        ruleset = self._where(step, str(at[1]))
        if ruleset is None:
            return
        procedure = ruleset.procedures.get(step.run or "")
        if procedure is None:
            yield Problem.at(no_procedure(ruleset, step.run or ""), place(*at, "run"))
            return
        for key, names, what in (
            ("given", inputs_of(procedure), "input"),
            ("gives", list(procedure.result), "result"),
        ):
            for name in getattr(step, key):
                if name not in names:
                    here, none = place(*at, key, name, KEY), f"no {what}s, since it has none"
                    yield unknown(
                        "R302", f"{what} of '{step.run}'", name, names, here, otherwise=none
                    )


def check_bound(target: str, runs: Mapping[str, list[str] | None]) -> bool:
    """Whether a path binds a name of a run; raises LookupFault if the run has no such name."""
    path = parse_path(target)
    if path.name.text not in runs:
        return False
    names = runs[path.name.text]
    if names is None:
        return True
    name, known = path.name.text, some_words(names)
    if len(path.parts) != 1 or path.keys is not None:
        here = PathPart(target, 0, len(target))
        message = f"'{name}' is a run of this example and no value itself"
        raise LookupFault("R308", message, f"such as {name}.{DICE} or {name}.{names[-1]}", "", here)
    if (part := path.parts[0]).text not in names:
        message = f"the run '{name}' has no '{part.text:.40}'"
        raise LookupFault("R302", message, known, nearest(part.text, names), part)
    return True
