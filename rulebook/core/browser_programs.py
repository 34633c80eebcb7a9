"""Programs -> plain JSON data from which they can be played where there is no Python.

A page throws the dice of a procedure at the table with `templates/scripts/dice.js`, which reads
this data and knows no rule of any game. A step is an object that says what it `do`es, and how
players are shown what it sets. An expression is an array of its operation and its parts (a text
alone is a name, a number itself); what several expressions use, the cells of a table or the places
along an axis, stands once in `data`, and they name its number. Sentences are in the words that
print; of values there are the words that depend on their kind.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rulebook.core import value_types
from rulebook.core.expressions import natural_of
from rulebook.core.input_domains import Domain
from rulebook.core.lookups import rows_of
from rulebook.core.operations import OPERATIONS, Typed
from rulebook.core.procedures import Programs
from rulebook.core.programs import Program, ProgramStep, ValueLabel
from rulebook.core.value_types import Kind, LengthKind, NumberKind, json_value, outcome_text
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Prose
from rulebook.quantities import Length
from rulebook.translation import gettext, ngettext

#: Values of an input that are listed one by one; a longer run of numbers by its ends.
_ONE_BY_ONE = 4
#: By the address of a step and a name how the value that it sets is shown.
Labels = dict[tuple[Address, str], ValueLabel]


def labels_of(program: Program) -> Labels:
    """Returns the label of each value that a program, or a procedure run by it, sets."""
    return dict(_labels(program, program.steps))


def _labels(
    program: Program, steps: Sequence[ProgramStep]
) -> Iterator[tuple[tuple[Address, str], ValueLabel]]:
    for step in steps:
        for name, label in _labels_of(step, program).items():
            yield (step.address, name), label
        if step.program:
            yield from _labels(step.program, step.program.steps)
        yield from _labels(program, step.steps)


def _labels_of(step: ProgramStep, program: Program) -> dict[str, ValueLabel]:
    """Finds the label of each value that a step sets; a value that is a result has its title.

    The words of a label are None, so that the value is not shown, if it is a constant that a name
    starts with, or if an inner procedure has shown a value with these words already.
    """
    titles = {
        result.value.data: result.title
        for result in program.results.values()
        if result.value.operation == "name"
    }
    inner = labels_of(step.program).values() if step.program else ()
    before = {label.words for label in inner} - {None}
    found = {}
    for name, label in step.labels().items():
        words = titles.get(name, label.words)
        quiet = words in before or (label.fixed and not step.say)
        found[name] = replace(label, words=None if quiet else words)
    return found


class BrowserPrograms:
    """Converts the procedures of one ruleset to JSON data.

    `sentence` converts prose to plain text. `shared` numbers the data that several expressions use,
    by their JSON text; it may be passed on to the programs of other rulesets. If `quiet`, the steps
    have neither sentences nor labels.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        sentence: Callable[[Prose | None], str],
        shared: dict[str, int] | None = None,
        *,
        quiet: bool = False,
    ) -> None:
        self.ruleset, self.sentence, self.quiet = ruleset, sentence, quiet
        self.shared = {} if shared is None else shared
        self.checked = Programs(ruleset)

    def plain(self) -> dict[str, Any]:
        """Returns all procedures of the ruleset, and the texts for their values, as JSON data.

        Raises ValueError where a procedure has a fault.
        """
        procedures = {name: self._program(name) for name in self.ruleset.procedures}
        return {
            "natural": natural_of(self.ruleset),
            "words": {"yes": gettext("yes"), "no": gettext("no"), "none": gettext("none")},
            "data": [json.loads(text) for text in self.shared],
            "procedures": procedures,
        }

    def _program(self, name: str) -> dict[str, object]:
        program = self.checked.get(name)
        if program is None:
            raise ValueError(f"the procedure '{name}' has not been checked")
        return {
            "title": program.title,
            "inputs": [self._input(domain) for domain in program.domains.values()],
            "requires": [
                {"that": self._plain(require.that), "say": require.say}
                for require in program.requires
            ],
            "steps": [self._step(step, program) for step in program.steps],
            "results": [
                given(
                    name=result_name,
                    title=result.title,
                    value=None if result.counts_passes else self._plain(result.value),
                    count=result.value.data if result.counts_passes else None,
                    kind=self._kind(result.kind),
                    number=result.kind.numeric or None,
                )
                for result_name, result in program.results.items()
            ],
        }

    def _input(self, domain: Domain) -> dict[str, object]:
        values = [json_value(value) for value in domain.values]
        titles = list(domain.titles.values())
        if isinstance(domain.kind, value_types.ConditionsKind):
            rows = rows_of(self.ruleset, domain.kind.table)
            conditions = rows.table.conditions if rows else {}
            titles = [self.sentence(conditions[str(row)].when) for row in domain.values]
        run = type(domain.kind) is NumberKind and _is_run(domain.values)
        return given(
            name=domain.name,
            label=domain.label,
            default=json_value(domain.default),
            several=domain.several or None,
            limits=dict(domain.limits) or None,
            kind=self._kind(domain.kind),
            **{"from": values[0], "to": values[-1]} if run else {},
            **{} if run else {"values": values, "titles": titles},
        )

    def _step(self, step: ProgramStep, program: Program) -> dict[str, object]:
        labels = {} if self.quiet else _labels_of(step, program)
        shown = {
            name: given(words=label.words, kind=self._kind(label.kind))
            for name, label in labels.items()
            if label.words is not None
        }
        say = None if self.quiet else self.sentence(step.say) or None
        when = self._plain(step.when)
        steps = [self._step(inner, program) for inner in step.steps]
        own = {key: self._plain(thing) for key, thing in step.plain().items()}
        do = own.pop("do")
        return given(say=say, when=when, do=do, steps=steps or None, **own, labels=shown or None)

    def _plain(self, thing: object) -> object:
        """Converts every expression inside the data of a step to JSON data.

        Mappings are copied, lists and tuples become lists, and other values are unchanged.
        """
        if isinstance(thing, Typed):
            return self._expression(thing)
        if isinstance(thing, Mapping):
            return {key: self._plain(inner) for key, inner in thing.items()}
        return [self._plain(inner) for inner in thing] if isinstance(thing, list | tuple) else thing

    def _expression(self, typed: Typed) -> object:
        if typed.operation == "name":
            return typed.data
        if typed.operation == "=":
            value = json_value(typed.data)
            return value if isinstance(value, bool | int) else ["=", value]
        operation = OPERATIONS[typed.operation]
        found: list[object] = [typed.operation]
        if operation.plain:
            plain = operation.plain(typed.data)
            found.append(self._share(plain) if operation.shared else plain)
        return found + [self._expression(part) for part in typed.parts]

    def _kind(self, kind: Kind) -> int | None:
        """Adds the text needed to show values of a kind to the shared data; returns its number.

        Returns None for a kind whose values need no text.
        """
        if isinstance(kind, LengthKind):
            return self._share(unit_words(kind))
        titles = value_types.titles_of(kind)
        if isinstance(kind, value_types.WordKind):
            titles = {key: outcome_text(key, kind) for key in kind.keys}
        return self._share({"titles": titles}) if titles else None

    def _share(self, thing: object) -> int:
        """Returns the number of a piece of data in the shared data; adds the piece if it is new."""
        return self.shared.setdefault(json.dumps(thing, ensure_ascii=False), len(self.shared))


def _is_run(values: Sequence[Any]) -> bool:
    """Tells whether values are consecutive whole numbers, and too many to be listed one by one."""
    return len(values) > _ONE_BY_ONE and list(values) == list(
        range(int(values[0]), int(values[0]) + len(values))
    )


def given(**named: object) -> dict[str, object]:
    """Returns the keyword arguments that are not None as a dictionary."""
    return {name: value for name, value in named.items() if value is not None}


def unit_words(kind: LengthKind) -> dict[str, object]:
    """Returns the texts with which lengths of this kind are shown, `%` standing for the number.

    `unit` is the usual text. `parts` says that fractions are shown as on a ruler; `one` is the
    singular form, which only bases have.
    """
    if kind.unit != "base":
        return {"unit": str(Length(Fraction(1), kind.unit)).replace("1", "%"), "parts": True}
    forms = [ngettext("%(length)s base", "%(length)s bases", n, length="%") for n in (1, 2)]
    return {"unit": forms[1], "one": forms[0]}
