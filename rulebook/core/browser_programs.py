"""Programs -> plain JSON data from which they can be played where there is no Python.

A page throws the dice of a procedure at the table with `templates/scripts/dice.js`, which reads
this data and knows no rule of any game. A step is an object that says what it `do`es, and how
players are shown what it sets; see `page_data` for expressions. Sentences are in the words that
print; of values there are the words that depend on their kind.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rulebook.core import value_types
from rulebook.core.expressions import natural_of
from rulebook.core.input_domains import Domain
from rulebook.core.page_data import PageData, ValueLabel, given
from rulebook.core.procedures import Programs
from rulebook.core.programs import Program, ProgramStep
from rulebook.core.steps import InnerRun
from rulebook.core.value_types import Kind, LengthKind, NumberKind, json_value
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Prose
from rulebook.translation import gettext

#: Values of an input that are listed one by one; a longer run of numbers by its ends.
_ONE_BY_ONE = 4


def kinds_of(program: Program) -> dict[tuple[Address, str], Kind]:
    """By step and name: what kind of value it sets, where that is seen in how it is shown."""
    return {key: label.kind for key, label in _labels(program, program.steps)}


def words_of(program: Program) -> dict[tuple[Address, str], str]:
    """By step and name: the words that stand before a value that players are shown."""
    labels = _labels(program, program.steps)
    return {key: label.words for key, label in labels if label.words is not None}


def _labels(
    program: Program, steps: Sequence[ProgramStep]
) -> Iterator[tuple[tuple[Address, str], ValueLabel]]:
    for step in steps:
        for name, label in _labels_of(step, program).items():
            yield (step.address, name), label
        if isinstance(step, InnerRun):
            yield from _labels(step.program, step.program.steps)
        yield from _labels(program, step.steps)


def _labels_of(step: ProgramStep, program: Program) -> dict[str, ValueLabel]:
    """By name how what a step sets is shown; a result of the procedure has the title of that.

    The value that a name starts with is not shown, nor again what another procedure has shown.
    """
    titles = {
        result.value.data: result.title
        for result in program.results.values()
        if result.value.operation == "name"
    }
    before = set(words_of(step.program).values()) if isinstance(step, InnerRun) else set()
    found = {}
    for name, label in step.labels(program.domains).items():
        words = titles.get(name, label.words)
        quiet = words in before or (label.fixed and not step.say)
        found[name] = replace(label, words=None if quiet else words)
    return found


class BrowserPrograms:
    """The procedures of one ruleset as plain data; `sentence` puts sentences into plain words.

    What several expressions use is `shared`, also with the programs of other rulesets. If `quiet`
    the steps have no sentences and no labels.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        sentence: Callable[[Prose | None], str],
        shared: dict[str, int] | None = None,
        *,
        quiet: bool = False,
    ) -> None:
        self.ruleset, self.quiet = ruleset, quiet
        self.page = PageData(sentence, {} if shared is None else shared)
        self.checked = Programs(ruleset)

    def plain(self) -> dict[str, Any]:
        """All procedures, which must have been checked, with how their values are shown.

        Raises ValueError where one has a fault.
        """
        procedures = {name: self._program(name) for name in self.ruleset.procedures}
        return {
            "natural": natural_of(self.ruleset),
            "words": {"yes": gettext("yes"), "no": gettext("no"), "none": gettext("none")},
            "data": [json.loads(text) for text in self.page.shared],
            "procedures": procedures,
        }

    def _program(self, name: str) -> dict[str, object]:
        program, page = self.checked.get(name), self.page
        if program is None:
            raise ValueError(f"the procedure '{name}' has not been checked")
        return {
            "title": program.title,
            "inputs": [self._input(domain) for domain in program.domains.values()],
            "requires": [
                {"that": page.expression(require.that), "say": require.say}
                for require in program.requires
            ],
            "steps": [self._step(step, program) for step in program.steps],
            "results": [
                given(
                    name=result_name,
                    title=result.title,
                    value=None if result.counts_passes else page.expression(result.value),
                    count=result.value.data if result.counts_passes else None,
                    kind=page.kind(result.kind),
                    number=isinstance(result.kind, NumberKind | LengthKind) or None,
                )
                for result_name, result in program.results.items()
            ],
        }

    def _input(self, domain: Domain) -> dict[str, object]:
        values = [json_value(value) for value in domain.values]
        titles = list(domain.titles.values())
        if isinstance(domain.kind, value_types.ConditionsKind):
            rows = self.ruleset.modifiers[domain.kind.table].rows
            titles = [self.page.sentence(rows[str(row)].when) for row in domain.values]
        run = type(domain.kind) is NumberKind and _is_run(domain.values)
        return given(
            name=domain.name,
            label=domain.label,
            default=json_value(domain.default),
            several=domain.several or None,
            limits=dict(domain.limits) or None,
            kind=self.page.kind(domain.kind),
            **{"from": values[0], "to": values[-1]} if run else {},
            **{} if run else {"values": values, "titles": titles},
        )

    def _step(self, step: ProgramStep, program: Program) -> dict[str, object]:
        labels = {} if self.quiet else _labels_of(step, program)
        shown = {
            name: given(words=label.words, kind=self.page.kind(label.kind))
            for name, label in labels.items()
            if label.words is not None
        }
        say = None if self.quiet else self.page.sentence(step.say) or None
        when = self.page.expression(step.when)
        steps = [self._step(inner, program) for inner in step.steps]
        own = step.plain(self.page)
        do = own.pop("do")
        return given(say=say, when=when, do=do, steps=steps or None, **own, labels=shown or None)


def _is_run(values: Sequence[Any]) -> bool:
    """Whether numbers go up one by one, and so far that they are listed by their ends."""
    return len(values) > _ONE_BY_ONE and list(values) == list(
        range(int(values[0]), int(values[0]) + len(values))
    )
