"""A typed ruleset -> faults for every name in it that names nothing.

Names stand in fields (a step's tables, a cell of type `row TABLE`), in braces (bindings and
cross-references), in blocks of the prose and in links to headings. An example is played in the
ruleset as it is or with some options, so its names are looked up there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from rulebook import quantities
from rulebook.limits import MOST_FAULTS
from rulebook.loading.bindings import (
    NamesOfRuns,
    bindings_of,
    heading_id,
    links_of,
    value_of,
)
from rulebook.loading.chapters import cut_passage
from rulebook.loading.markdown_faults import markdown_faults
from rulebook.loading.names import (
    Namespace,
    check_decks,
    check_names_of_scenarios,
    check_units,
    other_kind,
    rows_fault,
)
from rulebook.loading.nodes import expect_known, taken, unknown
from rulebook.loading.options import no_option
from rulebook.loading.safe_text import bad_references
from rulebook.loading.yaml_reader import placed_in_scalar
from rulebook.model.cutouts import Cutout
from rulebook.model.grids import ComputedTable, Grid
from rulebook.model.lookup import (
    computed_in,
    find_entity,
    name_in,
    no_procedure,
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
    sections_below,
)
from rulebook.model.record_tables import RecordTable, typed_cells, types_of
from rulebook.model.ruleset import KEY, Address, Ruleset, Variant
from rulebook.model.scalars import HEADINGS, Passage, Ref
from rulebook.model.sequence_and_examples import DICE, SEQUENCE, ExampleStep, Phase, Step
from rulebook.model.sticks import with_marks
from rulebook.model.walk import names_of, prose_of
from rulebook.problems import Problem, Span
from rulebook.suggestions import nearest_word

#: Without any of these a text needs no second look: bindings, links, character references, tables
#: and the marks of other readers; in a passage, headings.
_MARKS = re.compile(r"[{\[&|~=$]|^!!!|\+-", re.MULTILINE)
_MARKS_OF_PASSAGE = re.compile(rf"{_MARKS.pattern}|#", re.MULTILINE)


def resolve(
    ruleset: Ruleset,
    anchors: Iterable[Binding],
    sources: Mapping[str, str],
    structured: Callable[[tuple[str, ...]], Variant],
) -> list[Problem]:
    """Finds the faults of all references in a ruleset.

    `anchors` are the links in chapters, `sources` the texts of the files by path. `structured`
    returns the ruleset with other options, its references not checked.
    """
    resolver = _Resolver(ruleset, sources, Runs(ruleset, structured))
    return list(islice(resolver.faults(anchors), MOST_FAULTS))


_TABLES = Ref(("tables",))
_NAMED_ROWS = "a record table: one with 'fields' and a row for each thing"


@dataclass(slots=True)
class _Resolver:
    ruleset: Ruleset
    sources: Mapping[str, str]
    runs: Runs
    lines: dict[str, list[str]] = field(default_factory=dict)
    headings: dict[str, Section] = field(default_factory=dict)
    #: The ruleset with the option in whose own section what is read stands, if it does.
    lender: Ruleset | None = None

    def faults(self, anchors: Iterable[Binding]) -> Iterator[Problem]:
        yield from self._sections()
        yield from self._bindings(anchors)
        yield from self._prose()
        yield from self._fields()
        yield from self._rows_of_tables()

    def _sections(self) -> Iterator[Problem]:
        """Yields faults of heading ids that stand twice, and of all that stands below headings.

        The sections are stored in `headings` by their ids.
        """
        for section in self.ruleset.sections:
            first = self.headings.setdefault(section.id, section)
            if first is not section:
                yield taken(section.id, section.span, first.span)
        lenders = self._lenders()
        for section in self.ruleset.sections:
            self.lender = lenders.get(section.id)
            yield from self._parts(section)
        self.lender = None

    def _lenders(self) -> dict[str, Ruleset]:
        """Maps sections of options that are not in force to the ruleset with the option in force.

        Keys are ids of sections. Names in these sections may be looked up in that ruleset.
        """
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

    def _parts(self, section: Section) -> Iterator[Problem]:
        titles: dict[str, Remark] = {}
        for part in section.parts:
            if isinstance(part, Block):
                yield from self._block(part)
            elif isinstance(part, Chart):
                yield from self._chart(part)
            elif isinstance(part, Remark):
                if titles.setdefault(part.title, part) is not part:
                    yield taken(part.title, part.span, titles[part.title].span)
                yield from self._bindings(part.text.bindings)
            elif isinstance(part, Text):
                yield from self._bindings(part.bindings)

    def _block(self, block: Block) -> Iterator[Problem]:
        turn = block.kind == "steps" and block.target == SEQUENCE and self.ruleset.sequence
        if not turn:
            yield from self._entity(block.target, Ref(COLLECTIONS_OF[block.kind]), block.span)

    def _chart(self, chart: Chart) -> Iterator[Problem]:
        """Yields faults of a chart: an unknown procedure, result or input (not unknown values)."""
        name, span = chart.procedure.text, chart.procedure.span
        faults = list(self._entity(name, Ref(("procedures",)), span))
        procedure = self.ruleset.procedures.get(name)
        if procedure is None:
            yield from faults or [_not_computed(self._knowing(name), name, span)]
            return
        there = self.ruleset.place("procedures", name)
        words = [(chart.result, list(procedure.result), "result")]
        words += [
            (setting.name, inputs_of(procedure), "input") for setting in (*chart.by, *chart.given)
        ]
        for word, known, part in words:
            what, none = f"{part} of '{name}'", f"no {part}s, since it has none"
            yield from expect_known(what, word.text, known, word.span, otherwise=none, there=there)

    def _bindings(
        self, bindings: Iterable[Binding], runs: NamesOfRuns | None = None, *, beside: bool = False
    ) -> Iterator[Problem]:
        """Yields faults of values and cross-references in braces.

        `runs` are the names of runs that may be bound, for prose of an example. With `beside` the
        prose is no part of the rules but of a scenario, and may name scenarios.
        """
        for binding in bindings:
            if binding.kind == "rule":
                yield from self._heading(binding.target, binding.span)
                continue
            if binding.kind == "value" and not beside:
                yield from self._of_rules(binding)
            yield from self._value(binding, runs or {})

    def _of_rules(self, binding: Binding) -> Iterator[Problem]:
        """Yields a fault if a binding in the rules names a scenario, which is not part of them."""
        name = name_in(binding.target)
        known = find_entity(self.ruleset, name)
        if known and known[0] in BESIDE:
            hint = "write the value itself, or name it in the scenario"
            expected = "a value of the rules, which are released without scenarios"
            yield other_kind(self.ruleset, name, binding.span, expected, hint=hint)

    def _value(self, binding: Binding, runs: NamesOfRuns) -> Iterator[Problem]:
        name = name_in(binding.target)
        ruleset = self._knowing(name)
        if computed_in(ruleset, binding):  # looked up when the table has been computed
            if ruleset is self.lender:
                yield _not_computed(ruleset, name, binding.span)
            return
        if isinstance(fault := value_of(ruleset, binding, runs), Problem):
            yield fault

    def _knowing(self, name: str) -> Ruleset:
        """Returns the ruleset in which to look up a name.

        In a section of an option that is not in force, it is the ruleset with that option if only
        that one has the name.
        """
        if self.lender is None or find_entity(self.ruleset, name):
            return self.ruleset
        return self.lender if find_entity(self.lender, name) else self.ruleset

    def _heading(self, name: str, span: Span | None) -> Iterator[Problem]:
        if name in self.headings:
            return
        near = self.headings.get(nearest_word(name, list(self.headings)))
        expected = "the id of a heading, such as musketry of '# Musketry {#musketry}'"
        hint = f"write '{near.id}'" if near else ""
        also = (near.span, f"the heading '{near.title}' stands here") if near else None
        message = f"no heading has the id '{name:.60}'"
        yield Problem("R304", message, span, expected, hint, also)

    def _entity(self, name: str, ref: Ref, span: Span | None) -> Iterator[Problem]:
        """Yields a fault if an id names no entity of the kinds in `ref`, which may be headings.

        A computed table of an option that is not in force is a fault too, since it is not computed.
        """
        if ref == HEADINGS:
            yield from self._heading(heading_id(name), span)
            return
        ruleset = self._knowing(name)
        if ruleset is self.lender and (lent := find_entity(ruleset, name)):
            if isinstance(lent[1], ComputedTable):
                yield _not_computed(ruleset, name, span)
            if lent[0] in ("cutouts", "examples"):
                ruleset = self.ruleset
        if fault := Namespace(ruleset).fault(name, ref, span):
            yield fault

    def _prose(self) -> Iterator[Problem]:
        """Yields faults of texts in fields, outside of chapters: of braces, links and references.

        These are references to characters, such as &amp;.
        """
        for address, prose in prose_of(self.ruleset):
            marks = _MARKS_OF_PASSAGE if isinstance(prose, Passage) else _MARKS
            span = self.ruleset.place(*address) if marks.search(prose.markdown) else None
            if span is None:
                continue
            if span.path not in self.lines:
                self.lines[span.path] = self.sources.get(span.path, "").splitlines()
            place = placed_in_scalar(prose.markdown, span, self.lines[span.path])
            bindings: Iterable[Binding]
            if isinstance(prose, Passage):
                parts, faults = cut_passage(prose, span, place)
                bindings = [
                    binding for part in parts if isinstance(part, Text) for binding in part.bindings
                ]
                for part in parts:
                    if isinstance(part, Block):
                        yield from self._block(part)
            else:
                bindings, faults = bindings_of(prose.markdown, span, place)
            anchors, bad_links = links_of(prose.markdown, place)
            yield from (*faults, *bad_links, *bad_references(prose.markdown, place))
            yield from markdown_faults(prose.markdown, place)
            runs = self.runs.bound_in(address)
            found = (*bindings, *anchors)
            yield from self._bindings(found, runs, beside=address[0] in BESIDE)

    def _fields(self) -> Iterator[Problem]:
        """Yields faults of what fields name: ids, runs, repetitions, units, decks, scenarios."""
        for address, name, ref in names_of(self.ruleset):
            if address[0] != "scenarios" or ref == HEADINGS:
                yield from self._entity(name, ref, self.ruleset.place(*address))
        for name, cutout in self.ruleset.to_check("cutouts").items():
            yield from self._marks(name, cutout)
        yield from self.runs.faults()
        sheet = self.ruleset.header.documents.qrs
        for index, table in enumerate(sheet.odds if sheet else ()):
            yield from self._odds(table, ("header", "documents", "qrs", "odds", index))
        yield from self._sequence()
        yield from check_units(self.ruleset)
        yield from check_decks(self.ruleset)
        yield from check_names_of_scenarios(self.ruleset, self.runs.structured)

    def _marks(self, name: str, cutout: Cutout) -> Iterator[Problem]:
        """Yields a fault if the marks of a cutout cannot be taken from their table."""
        try:
            with_marks(cutout, self.ruleset.tables)
        except quantities.QuantityError as fault:
            span = self.ruleset.place("cutouts", name, *fault.at)
            yield Problem.at(fault, span)

    def _odds(self, name: str, at: Address) -> Iterator[Problem]:
        """Yields faults of a table that is listed for the odds of the reference sheet.

        It must exist and be a computed table. `at` is the address of its name.
        """
        span = self.ruleset.place(*at)
        yield from self._entity(name, _TABLES, span)
        if not isinstance(self.ruleset.tables.get(name), ComputedTable | None):
            expected = "a table with 'computed', the procedure whose odds it shows"
            hint, which = "name it in a step of the sequence instead", " that is written"
            yield other_kind(self.ruleset, name, span, expected, which=which, hint=hint)

    def _sequence(self) -> Iterator[Problem]:
        yield from self._repeats(self.ruleset.sequence, "phase", ("sequence",))
        for name, phase in self.ruleset.sequence.items():
            at: Address = ("sequence", name, "steps")
            yield from self._repeats(phase.steps, "step of this phase", at)
            for key, step in phase.steps.items():
                yield from self._together(step, (*at, key))

    def _together(self, step: Step, at: Address) -> Iterator[Problem]:
        """Yields faults of the tables of a step that are to be printed as one.

        There must be two or more, all of the step, each with one column of names.
        """
        for index, name in enumerate(step.together):
            table = self.ruleset.tables.get(name)
            wide = isinstance(table, Grid) and len(table.rows) != 1
            if name not in step.tables or wide or len(step.together) == 1:
                here = self.ruleset.place(*at, "together", index)
                message = f"'{name:.60}' cannot be set together with other tables of this step"
                expected = "two or more of its tables, each with one column of names"
                hint = "add it to 'tables', or leave it out here"
                yield Problem("R474", message, here, expected, hint)

    def _repeats(
        self, parts: Mapping[str, Phase | Step], what: str, at: Address
    ) -> Iterator[Problem]:
        """Yields faults of repetitions that end before they begin, overlap others, or end nowhere.

        `parts` are the phases, or the steps of a phase, `at` is their address.
        """
        order = [name for name, part in parts.items() if not getattr(part, "optional", False)]
        ends: list[int] = []
        for name, part in parts.items():
            if part.repeat is None:
                continue
            to = part.repeat.to or name
            here = self.ruleset.place(*at, name, "repeat", "to")
            here = here or self.ruleset.place(*at, name, "repeat")
            if to not in parts:
                yield unknown("R302", what, to, order, here)
                continue
            ordered = name in order and to in order and order.index(name) <= order.index(to)
            first, last = (order.index(part_id) for part_id in (name, to)) if ordered else (0, 0)
            if not ordered or any(first <= end < last for end in ends):
                message = f"the repetition from '{name}' cannot end with '{to}'"
                expected = "parts that are not optional, the last behind the first, and the whole "
                expected += "of a repetition within or behind another"
                yield Problem("R473", message, here, expected, "move or delete 'repeat'")
            else:
                ends.append(last)

    def _rows_of_tables(self) -> Iterator[Problem]:
        """Yields faults of cells of type `row TABLE`: no such record table, or no such row."""
        for name, table in self.ruleset.to_check("tables").items():
            for at, cell_type in types_of(table):
                if cell_type.table is not None:
                    here = self.ruleset.place("tables", name, *at)
                    which = " without named rows"
                    fault = rows_fault(self.ruleset, cell_type.table, here, _NAMED_ROWS, which)
                    yield from [fault] if fault else []
            for where, cell_type, cell in typed_cells(table):
                rows = self.ruleset.tables.get(cell_type.table or "")
                known = list(rows.data) if isinstance(rows, RecordTable) else []
                if cell.value is None or not known or cell.value in known:
                    continue
                address: Address = ("tables", name, *where)
                here = self.ruleset.place(*address, "value") or self.ruleset.place(*address)
                row, what = str(cell.value), f"row of the table '{cell_type.table}'"
                near = nearest_word(row, known)
                to_near = ("data", near) if near else ()
                there = self.ruleset.place("tables", cell_type.table or "", *to_near)
                yield unknown("R302", what, row, known, here, there=there)


def _not_computed(ruleset: Ruleset, name: str, span: Span | None) -> Problem:
    expected = "a table that is written, or the steps of a procedure"
    which = " that is computed only where its option is in force"
    return other_kind(ruleset, name, span, expected, which=which, hint="leave it out here")


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs in a ruleset's examples; `structured` returns the ruleset with other options."""

    ruleset: Ruleset
    structured: Callable[[tuple[str, ...]], Variant]

    def faults(self) -> Iterator[Problem]:
        """Yields faults of runs in examples: unknown options, procedures, inputs and results.

        Runs with ids that stand twice are faults too.
        """
        for example_id, example in self.ruleset.to_check("examples").items():
            for index, step in example.runs.items():
                yield from self._faults(step, ("examples", example_id, "steps", index))

    def bound_in(self, address: Address) -> NamesOfRuns:
        """Returns the names that prose at an address may bind, by the ids of runs.

        They are the names of dice, results and inputs; None in place of them means that they cannot
        be looked up. Outside of examples there are none.
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
        """Returns the ruleset with the options of an example's step in force.

        Returns None if it has not all of these options, or cannot be made with them.
        """
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
                here, none = place(*at, key, name, KEY), f"no {what}s, since it has none"
                yield from expect_known(
                    f"{what} of '{step.run}'", name, names, here, otherwise=none
                )
